//! Differences of low rank (LoRA, Hu et al. 2021, arXiv 2106.09685) that are added to the encoder's matrices where a question
//! is compared with passages, as `models/train_encoder.py` writes it.
//!
//! The file is safetensors: eight bytes of header length, a JSON header, then arrays. For each matrix `M`, from `in` to `out`
//! numbers, it has `M.lora_A.codes`, i8 of [rank, in], `M.lora_B.codes`, i8 of [out, rank], and `M.lora.scale`, f32 of
//! `[rank]`; what is added to weight (output o, input i) is the sum over the ranks r of `scale[r] · B[o, r] · A[r, i]`.

use std::collections::BTreeMap;

use embed::Error;
use serde::Deserialize;

/// Most bytes of the header.
const MAX_HEADER: usize = 1 << 20;
/// Most rows of a difference; a matrix of MiniLM has 384 inputs or outputs.
const MAX_RANK: usize = 384;
/// Greatest scale: codes are up to 127, so no sum is near the limit of `f32`.
const MAX_SCALE: f32 = 1.0;
/// Matrices of a layer, as the source names them and as the graph does.
const MATRICES: [(&str, &str); 6] = [
    ("attention.self.query", "query"),
    ("attention.self.key", "key"),
    ("attention.self.value", "value"),
    ("attention.output.dense", "attended"),
    ("intermediate.dense", "inner"),
    ("output.dense", "outer"),
];

/// Differences of matrices, by the names that the graph has for these: `layer0.query.weight`.
#[derive(Debug)]
pub(crate) struct Adapter(BTreeMap<String, Difference>);

/// The difference of one matrix.
#[derive(Debug)]
pub(crate) struct Difference {
    /// Inputs.
    pub(crate) n_in: usize,
    /// Outputs.
    pub(crate) n_out: usize,
    /// For each rank a code for each input.
    pub(crate) rows: Vec<i8>,
    /// For each rank the codes of the outputs times its scale.
    pub(crate) columns: Vec<f32>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Adapter {
    /// Reads the file.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) when it is not such a file.
    pub(crate) fn read(file: &[u8]) -> Result<Self, Error> {
        let (header, data) = parts(file)?;
        let mut differences = BTreeMap::new();
        for name in header.keys().filter_map(|name| name.strip_suffix(".lora.scale")) {
            let place = place(name).ok_or_else(|| refused(format!("{name} is no matrix of the encoder")))?;
            differences.insert(place, Difference::read(name, &header, data)?);
        }
        if differences.len() * 3 != header.len() {
            let (found, expected) = (header.len(), differences.len() * 3);
            return Err(refused(format!("it has {found} arrays, expected three a matrix, {expected}")));
        }
        Ok(Self(differences))
    }

    /// Takes the difference of a matrix out.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) where there is none for it, or one of another shape.
    pub(crate) fn take(&mut self, matrix: &str, [n_in, n_out]: [usize; 2]) -> Result<Difference, Error> {
        let found = self.0.remove(matrix).ok_or_else(|| refused(format!("it has nothing for {matrix}")))?;
        if (found.n_in, found.n_out) != (n_in, n_out) {
            let (rows, columns) = (found.n_in, found.n_out);
            return Err(refused(format!("{matrix} is {rows} by {columns}, the model's {n_in} by {n_out}")));
        }
        Ok(found)
    }

    /// Makes sure that every difference was taken.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) where one is left.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let left = self.0.into_keys().next();
        left.map_or(Ok(()), |matrix| Err(refused(format!("the model has no stored matrix {matrix}"))))
    }
}

impl Difference {
    fn read(name: &str, header: &BTreeMap<String, Entry>, data: &[u8]) -> Result<Self, Error> {
        let array = |part: &str, dtype: &str, size: usize| {
            array(header, data, &format!("{name}.{part}"), dtype, size)
        };
        let (rows_shape, rows) = array("lora_A.codes", "I8", 1)?;
        let (columns_shape, columns) = array("lora_B.codes", "I8", 1)?;
        let (scale_shape, scales) = array("lora.scale", "F32", size_of::<f32>())?;
        let (&[rank, n_in], &[n_out, columns_rank], &[n_scales]) = (rows_shape, columns_shape, scale_shape)
        else {
            return Err(refused(format!("{name} has arrays of other dimensions than 2, 2 and 1")));
        };
        if (columns_rank, n_scales) != (rank, rank) || !(1..=MAX_RANK).contains(&rank) {
            let ranks = [rank, columns_rank, n_scales];
            return Err(refused(format!("{name} has ranks {ranks:?}, expected one from 1 to {MAX_RANK}")));
        }
        let scales: Vec<f32> =
            scales.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        // A number that is none is in no range.
        if let Some(scale) = scales.iter().find(|scale| !(-MAX_SCALE..=MAX_SCALE).contains(*scale)) {
            return Err(refused(format!("{name} has scale {scale}, expected -{MAX_SCALE} to {MAX_SCALE}")));
        }
        let column = |(r, &scale): (usize, &f32)| {
            let codes = columns.iter().skip(r).step_by(rank);
            codes.map(move |&code| scale * f32::from(code.cast_signed())).collect::<Vec<f32>>()
        };
        let columns = scales.iter().enumerate().flat_map(column).collect();
        let rows = rows.iter().map(|&code| code.cast_signed()).collect();
        Ok(Self { n_in, n_out, rows, columns })
    }

    /// Adds to the weights of an input, one for each output, their difference times `factor`.
    pub(crate) fn add(&self, input: usize, factor: f32, weights: &mut [f32]) {
        let codes = self.rows.iter().skip(input).step_by(self.n_in);
        for (&code, column) in codes.zip(self.columns.chunks_exact(self.n_out)) {
            let code = f32::from(code) * factor;
            for (weight, value) in weights.iter_mut().zip(column) {
                *weight += code * value;
            }
        }
    }
}

/// Header and data of a safetensors file.
fn parts(file: &[u8]) -> Result<(BTreeMap<String, Entry>, &[u8]), Error> {
    let (length, rest) =
        file.split_first_chunk::<8>().ok_or_else(|| refused("it is shorter than 8 bytes"))?;
    let length = u64::from_le_bytes(*length);
    let parts =
        usize::try_from(length).ok().filter(|&n| n <= MAX_HEADER).and_then(|n| rest.split_at_checked(n));
    let (header, data) = parts.ok_or_else(|| {
        refused(format!("its header is {length} bytes, expected at most {MAX_HEADER}, in the file"))
    })?;
    let header = serde_json::from_slice(header);
    Ok((header.map_err(|cause| refused(format!("its header is not readable: {cause}")))?, data))
}

/// Shape and bytes of an array.
fn array<'f>(
    header: &'f BTreeMap<String, Entry>,
    data: &'f [u8],
    name: &str,
    dtype: &str,
    size: usize,
) -> Result<(&'f [usize], &'f [u8]), Error> {
    let entry = header.get(name).ok_or_else(|| refused(format!("it has no {name}")))?;
    if entry.dtype != dtype {
        return Err(refused(format!("{name} is of {}, expected {dtype}", entry.dtype)));
    }
    let [start, end] = entry.data_offsets;
    let bytes = data
        .get(start..end)
        .ok_or_else(|| refused(format!("{name} is at {start}..{end} of {} bytes", data.len())))?;
    let volume = entry.shape.iter().try_fold(size, |volume, &length| volume.checked_mul(length));
    if volume != Some(bytes.len()) || bytes.is_empty() {
        let (shape, found) = (&entry.shape, bytes.len());
        return Err(refused(format!("{name} has {found} bytes for the shape {shape:?}")));
    }
    Ok((&entry.shape, bytes))
}

/// The graph's name of a matrix, given the source's.
fn place(name: &str) -> Option<String> {
    let (layer, matrix) = name.strip_prefix("encoder.layer.")?.split_once('.')?;
    let layer: u16 = layer.parse().ok()?;
    let (_, ours) = MATRICES.iter().find(|(theirs, _)| *theirs == matrix)?;
    Some(format!("layer{layer}.{ours}.weight"))
}

fn refused(found: impl Into<String>) -> Error {
    Error::mismatch(format!("the adapter does not fit: {}", found.into()))
}

#[cfg(test)]
mod tests {
    use embed::ErrorKind;
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "encoder.layer.3.attention.self.key";

    /// An adapter of one matrix, two inputs, three outputs and rank two; with a header in which `from` is `to`.
    fn file(from: &str, to: &str) -> Vec<u8> {
        let header = format!(
            r#"{{"{KEY}.lora.scale":{{"dtype":"F32","shape":[2],"data_offsets":[0,8]}},
            "{KEY}.lora_A.codes":{{"dtype":"I8","shape":[2,2],"data_offsets":[8,12]}},
            "{KEY}.lora_B.codes":{{"dtype":"I8","shape":[3,2],"data_offsets":[12,18]}}}}"#
        );
        assert!(header.contains(from), "{from}");
        let header = header.replacen(from, to, 1);
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend([0.5f32, -0.25].iter().flat_map(|scale| scale.to_le_bytes()));
        file.extend([1i8, 2, 4, -8].map(i8::cast_unsigned));
        file.extend([1i8, 2, 3, 4, -5, 6].map(i8::cast_unsigned));
        file
    }

    #[test]
    fn a_difference_is_the_sum_of_its_ranks() {
        let mut adapter = Adapter::read(&file("", "")).unwrap();
        let difference = adapter.take("layer3.key.weight", [2, 3]).unwrap();
        adapter.finish().unwrap();
        // Of input 1: .5 · 2 · B[o, 0] − .25 · −8 · B[o, 1], twice, on top of 1.
        let mut weights = [1.0; 3];
        difference.add(1, 2.0, &mut weights);
        assert_eq!(weights, [11.0, 23.0, 15.0]);
    }

    #[test]
    fn an_adapter_of_other_matrices_than_the_models_is_refused() {
        let read = || Adapter::read(&file("", "")).unwrap();
        for (error, found) in [
            (read().take("layer3.query.weight", [2, 3]).unwrap_err(), "nothing for layer3.query.weight"),
            (read().take("layer3.key.weight", [3, 2]).unwrap_err(), "is 2 by 3, the model's 3 by 2"),
            (read().finish().unwrap_err(), "no stored matrix layer3.key.weight"),
        ] {
            assert_eq!(error.kind(), ErrorKind::ModelMismatch);
            assert!(error.to_string().contains(found), "{error}, expected to name {found}");
        }
    }

    #[test]
    fn a_file_that_is_no_adapter_is_refused() {
        for (from, to, found) in [
            ("{", "[", "not readable"),
            ("self.key.lora.scale", "self.door.lora.scale", "no matrix of the encoder"),
            ("self.key.lora_B", "self.key.lora_C", "has no"),
            ("[0,8]}", r#"[0,8]},"more":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}"#, "4 arrays"),
            ("F32", "F64", "is of F64"),
            ("[2]", "[3]", "8 bytes for the shape [3]"),
            ("[2,2]", "[4]", "other dimensions"),
            ("[2,2]", "[4,1]", "has ranks [4, 2, 2]"),
            ("[2,2]", "[18446744073709551615,18446744073709551615]", "for the shape"),
            ("[12,18]", "[12,19]", "at 12..19 of 18 bytes"),
            ("[12,18]", "[18,12]", "at 18..12 of 18 bytes"),
            ("[12,18]", "[12,12]", "0 bytes"),
        ] {
            let error = Adapter::read(&file(from, to)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ModelMismatch);
            assert!(error.to_string().contains(found), "{error}, expected to say {found}");
        }
        for scale in [f32::NAN, f32::INFINITY, -2.0] {
            let mut file = file("", "");
            let at = file.len() - 18;
            file[at..at + 4].copy_from_slice(&scale.to_le_bytes());
            let error = Adapter::read(&file).unwrap_err();
            assert!(error.to_string().contains("has scale"), "{error}");
        }
        for bytes in [&b"short"[..], &[255; 40], &[41, 0, 0, 0, 0, 0, 0, 0, b'{']] {
            assert!(Adapter::read(bytes).is_err());
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_reading_panic(at in 0usize..400, byte: u8, length in 0usize..400) {
            let mut file = file("", "");
            let n = file.len();
            file[at % n] = byte;
            file.truncate(length);
            let _ = Adapter::read(&file);
        }
    }
}
