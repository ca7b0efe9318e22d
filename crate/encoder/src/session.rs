//! The encoder run by tract on the CPU.
//!
//! The graph is loaded once with batch and length symbolic, so one plan serves every shape. Texts are sorted
//! by length, and a batch holds texts of one length: there is no padding, and the graph needs no attention mask,
//! whose addition cost 16 % of the time. Batches are small, so progress and cancelling come often; a CPU gains little
//! from large ones, since the tokens of one text already fill the rows of a matrix product.

use std::ops::ControlFlow;
use std::sync::Arc;

use embed::{Embedder, Error, Manifest, Pooling, TokenMatches, WordPiece, normalize_rows};
use tract_onnx::prelude::*;

use crate::adapter::Adapter;
use crate::graph::{ByteUnit, Plan, Plans, Program, plans};
use crate::kernels::ByteProducts;
use crate::pooling::pool;

/// Most tokens of a batch; a longer text is a batch by itself.
const BATCH_TOKENS: usize = 512;

/// Most tokens of a question that is compared, special tokens included, as in training: the passage needs the rest. At most
/// half of what the model reads, where that is less.
const QUESTION_TOKENS: usize = 48;

/// Choices for loading a [`Session`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'o> {
    /// Products of bytes where the caller has them, and so activations of 7 bits: vectors have a cosine of .99 and more to
    /// those without, which they can be searched with, and so their fingerprint.
    pub products: Option<ByteProducts>,
    /// The file that the manifest declares for comparing: it is added to the matrices where texts are compared token by token,
    /// and nowhere else. One that does not fit is left out, see [`Session::comparing_problem`].
    pub comparison: Option<&'o [u8]>,
}

/// A loaded encoder: tokenizer, graph, pooling. Shareable between threads; a call runs on the caller's.
#[derive(Debug)]
pub struct Session {
    tokenizer: WordPiece,
    plan: Plan,
    /// Another for comparing, and why there is none although an adapter was given.
    comparing: Option<Plan>,
    comparing_problem: Option<Error>,
    program: Option<Program>,
    bytes: Option<Arc<ByteUnit>>,
    dimensions: usize,
    max_tokens: usize,
    pooling: Pooling,
    fingerprint: String,
}

impl Session {
    /// Loads an encoder after checking that the bytes are those that the manifest declares and that the graph
    /// has the shapes it promises. It takes the bytes to let them go once they are parsed: the memory of a wasm instance
    /// never shrinks again.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) when something is not as declared.
    pub fn load(model: Vec<u8>, vocabulary: &[u8], manifest: &Manifest) -> Result<Self, Error> {
        Self::load_with(model, vocabulary, manifest, LoadOptions::default())
    }

    /// As [`Self::load`], with options.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_with(
        model: Vec<u8>,
        vocabulary: &[u8],
        manifest: &Manifest,
        LoadOptions { products, comparison }: LoadOptions<'_>,
    ) -> Result<Self, Error> {
        manifest.files.model.verify(&model)?;
        let tokenizer = WordPiece::load(vocabulary, manifest)?;
        let bytes = products.map(|products| Arc::new(ByteUnit::new(products)));
        let adapter = comparison.map(|file| adapter(file, manifest));
        let Plans { plain, adapted, program } =
            plans(model, manifest, tokenizer.vocabulary_size(), bytes.as_ref(), adapter)?;
        let (comparing, comparing_problem) = match adapted.transpose() {
            Ok(comparing) => (comparing, None),
            Err(problem) => (None, Some(problem)),
        };
        Ok(Self {
            tokenizer,
            plan: plain,
            comparing,
            comparing_problem,
            program,
            bytes,
            dimensions: manifest.dimensions,
            max_tokens: manifest.max_tokens,
            pooling: manifest.pooling,
            fingerprint: manifest.fingerprint(),
        })
    }

    /// Why the file for comparing that was given is not used; no texts are compared then.
    pub fn comparing_problem(&self) -> Option<&Error> {
        self.comparing_problem.as_ref()
    }

    /// The encoder's tokenizer.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }

    /// Most tokens of a text, special tokens included; longer texts are truncated.
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// Vectors as they are without products of bytes, to compare others with.
    ///
    /// # Errors
    /// As [`Embedder::embed`].
    pub fn embed_exactly(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        match &self.bytes {
            Some(bytes) => bytes.without(|| self.embed(texts)),
            None => self.embed(texts),
        }
    }

    /// The graph as steps for another executor; None where a part of it is only known to tract.
    pub fn program(&self) -> Option<&Program> {
        self.program.as_ref()
    }

    /// The vectors of encoded texts of one length.
    fn run(&self, batch: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let length = batch.first().map_or(0, |ids| ids.len());
        self.with_states(&self.plan, batch, |states| {
            let texts = states.chunks_exact((length * self.dimensions).max(1));
            texts.map(|rows| pool(rows, self.dimensions, self.pooling)).collect()
        })
    }

    /// Gives the token vectors of encoded texts of one length: text by text, token by token.
    fn with_states<T>(
        &self,
        plan: &Plan,
        batch: &[&[u32]],
        take: impl FnOnce(&[f32]) -> T,
    ) -> Result<T, Error> {
        let length = batch.first().map_or(0, |ids| ids.len());
        let ids: Vec<i64> = batch.iter().flat_map(|ids| ids.iter().map(|&id| i64::from(id))).collect();
        let outputs = Tensor::from_shape(&[batch.len(), length], &ids)
            .and_then(|ids| plan.run(tvec![ids.into_tvalue()]))
            .map_err(Error::encoder)?;
        let Some(states) = outputs.first() else { return Err(Error::encoder("no output")) };
        if states.shape() != [batch.len(), length, self.dimensions] {
            let shape = states.shape();
            let expected = [batch.len(), length, self.dimensions];
            return Err(Error::encoder(format!("output has shape {shape:?}, expected {expected:?}")));
        }
        let view = states.try_as_plain_ram().map_err(Error::encoder)?;
        Ok(take(view.as_slice::<f32>().map_err(Error::encoder)?))
    }

    /// Unit vectors of the tokens of an encoded text, as they are compared, its first and last, special tokens, left out.
    fn token_vectors(&self, comparing: &Plan, ids: &[u32]) -> Result<Vec<f32>, Error> {
        let mut rows = self.with_states(comparing, &[ids], |states| {
            let within = self.dimensions..(ids.len().saturating_sub(1) * self.dimensions);
            states.get(within).unwrap_or_default().to_vec()
        })?;
        normalize_rows(&mut rows, self.dimensions);
        Ok(rows)
    }
}

/// The ids between the special tokens of an encoded text.
fn words(ids: &[u32]) -> &[u32] {
    ids.get(1..ids.len().saturating_sub(1)).unwrap_or_default()
}

/// The adapter that the manifest declares.
fn adapter(file: &[u8], manifest: &Manifest) -> Result<Adapter, Error> {
    let declared = manifest.files.comparison.as_ref();
    declared.ok_or_else(|| Error::mismatch("the manifest declares no file for comparing"))?.verify(file)?;
    Adapter::read(file)
}

impl Embedder for Session {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn embed_with(
        &self,
        texts: &[&str],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, Error> {
        let encoded: Vec<Vec<u32>> =
            texts.iter().map(|text| self.tokenizer.encode(text, self.max_tokens)).collect();
        let lengths: Vec<usize> = encoded.iter().map(Vec::len).collect();
        let mut vectors = vec![Vec::new(); texts.len()];
        let mut n_done = 0;
        for members in batches(&lengths) {
            let batch: Vec<&[u32]> =
                members.iter().filter_map(|&idx| encoded.get(idx)).map(Vec::as_slice).collect();
            let made = self.run(&batch)?;
            n_done += members.len();
            for (idx, vector) in members.into_iter().zip(made) {
                if let Some(place) = vectors.get_mut(idx) {
                    *place = vector;
                }
            }
            if progress(n_done, texts.len()).is_break() {
                return Err(Error::cancelled());
            }
        }
        Ok(vectors)
    }

    fn compare_with(
        &self,
        query: &str,
        passages: &[Vec<String>],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<TokenMatches>, Error> {
        // Vectors that were trained for means do not tell by their tokens what answers.
        let Some(comparing) = &self.comparing else { return Ok(Vec::new()) };
        let question = self.tokenizer.encode(query, QUESTION_TOKENS.min(self.max_tokens / 2).max(2));
        let query_ids = words(&question);
        // Tokens before those of the passage, the first mark left out.
        let n_before = question.len().saturating_sub(1);
        let mut ranges = Vec::with_capacity(query_ids.len());
        self.tokenizer.tokens(query, &mut |token| {
            ranges.push(token.range);
            if ranges.len() < query_ids.len() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        ranges.truncate(query_ids.len());
        let mut matches = Vec::with_capacity(passages.len());
        for pieces in passages {
            let (passage, n_tokens) = self.tokenizer.encode_pieces(pieces, self.max_tokens - n_before);
            // The mark behind the question is the one before the passage.
            let text = [&question, passage.get(1..).unwrap_or_default()].concat();
            let rows = self.token_vectors(comparing, &text)?;
            let (before, of_passage) = rows.split_at((n_before * self.dimensions).min(rows.len()));
            let of_query = before.get(..query_ids.len() * self.dimensions).unwrap_or_default();
            matches.push(TokenMatches::of(of_query, of_passage, &n_tokens, &ranges, self.dimensions));
            if progress(matches.len(), passages.len()).is_break() {
                return Err(Error::cancelled());
            }
        }
        Ok(matches)
    }
}

/// Groups texts, given by their lengths, into batches of one length. Equal lengths keep their order, so the
/// grouping depends on the lengths only.
fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> = lengths.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for same in order.chunk_by(|(a, _), (b, _)| a == b) {
        let length = same.first().map_or(0, |&(length, _)| length);
        let n_texts = (BATCH_TOKENS / length.max(1)).max(1);
        batches.extend(same.chunks(n_texts).map(|batch| batch.iter().map(|&(_, idx)| idx).collect()));
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_of_one_length_within_their_budget_and_hold_each_text_once() {
        let lengths: Vec<usize> = (0..700).map(|i| 2 + (i * i) % 255).chain([600, 600]).collect();
        let batches = batches(&lengths);
        for batch in &batches {
            let n_tokens: usize = batch.iter().map(|&idx| lengths[idx]).sum();
            assert!(n_tokens <= BATCH_TOKENS || batch.len() == 1, "{n_tokens} tokens in one batch");
            assert!(batch.iter().all(|&idx| lengths[idx] == lengths[batch[0]]));
        }
        let mut seen: Vec<usize> = batches.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
        assert!(super::batches(&[]).is_empty());
    }
}
