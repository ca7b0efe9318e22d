//! Access to the objects of a file without trust in them: references are followed a bounded number of times, objects of
//! a wrong type count as absent, streams are inflated up to a limit.

use document::Rotation;
use lopdf::{Dictionary, Document, Error as Lopdf, Object, ObjectId, Stream};

use crate::Limits;
use crate::fonts::{encoding, glyphs};
use crate::meter::Meter;

/// Maximum length of a text string in bytes: titles and labels, not content.
const MAX_TEXT: usize = 4_096;
/// Maximum references followed in a row.
const MAX_HOPS: usize = 32;

/// Objects of an open file.
#[derive(Clone, Copy)]
pub(crate) struct Objects<'a> {
    pub(crate) document: &'a Document,
    pub(crate) limits: &'a Limits,
    /// Costs so far.
    pub(crate) meter: &'a Meter,
}

/// Reason why a stream has no data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamError {
    /// It inflates to more than the limit.
    TooLarge,
    /// A filter is unknown or does not fit the data.
    Undecodable,
}

impl<'a> Objects<'a> {
    /// Object that `object` is or refers to; null if the reference is broken.
    pub(crate) fn resolve(&self, object: &'a Object) -> &'a Object {
        let mut object = object;
        for _ in 0..MAX_HOPS {
            match object {
                Object::Reference(id) => match self.document.objects.get(id) {
                    Some(next) => object = next,
                    None => return &Object::Null,
                },
                _ => return object,
            }
        }
        &Object::Null
    }

    /// Resolved value of `key`; `None` if it is absent or null.
    pub(crate) fn get(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
        dict.get(key).ok().map(|object| self.resolve(object)).filter(|object| !object.is_null())
    }

    /// Dictionary at `key`; that of a stream counts.
    pub(crate) fn dict(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
        as_dict(self.get(dict, key)?)
    }

    pub(crate) fn array(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a [Object]> {
        self.get(dict, key)?.as_array().ok().map(Vec::as_slice)
    }

    pub(crate) fn stream(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a Stream> {
        self.get(dict, key)?.as_stream().ok()
    }

    pub(crate) fn name(&self, dict: &'a Dictionary, key: &[u8]) -> Option<&'a [u8]> {
        self.get(dict, key)?.as_name().ok()
    }

    pub(crate) fn number(&self, dict: &'a Dictionary, key: &[u8]) -> Option<f64> {
        number(self.get(dict, key)?)
    }

    pub(crate) fn integer(&self, dict: &'a Dictionary, key: &[u8]) -> Option<i64> {
        integer(self.get(dict, key)?)
    }

    /// First `N` numbers of the array at `key`; `None` if there are fewer.
    pub(crate) fn numbers<const N: usize>(&self, dict: &'a Dictionary, key: &[u8]) -> Option<[f64; N]> {
        let array = self.array(dict, key)?;
        let mut numbers = [0.0; N];
        for (slot, object) in numbers.iter_mut().zip(array) {
            *slot = number(self.resolve(object))?;
        }
        (array.len() >= N).then_some(numbers)
    }

    /// Text string at `key`, trimmed; `None` if it is absent or blank.
    pub(crate) fn text(&self, dict: &'a Dictionary, key: &[u8]) -> Option<String> {
        let Object::String(bytes, _) = self.get(dict, key)? else { return None };
        let text = text_string(bytes.get(..MAX_TEXT).unwrap_or(bytes));
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Inflated data of a stream, as far as it can be inflated.
    pub(crate) fn data(&self, stream: &'a Stream) -> Result<Vec<u8>, StreamError> {
        self.data_as_far(stream).map(|(data, _)| data)
    }

    /// Inflated data of a stream; true beside it if it is complete.
    pub(crate) fn data_as_far(&self, stream: &'a Stream) -> Result<(Vec<u8>, bool), StreamError> {
        let limit = self.limits.stream_bytes;
        let result = if is_plain_deflate(stream) {
            inflate(&stream.content, limit).ok_or(StreamError::TooLarge)
        } else {
            let decoded = match self.plain_filters(stream) {
                Some(stream) => stream.get_plain_content_with_limit(limit),
                None => stream.get_plain_content_with_limit(limit),
            };
            decoded.map(|data| (data, true)).map_err(|error| match error {
                Lopdf::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => {
                    StreamError::TooLarge
                }
                _ => StreamError::Undecodable,
            })
        };
        let spent = match &result {
            Ok((data, _)) => data.len(),
            Err(StreamError::TooLarge) => limit,
            Err(StreamError::Undecodable) => 0,
        };
        self.meter.inflate(spent);
        result
    }

    /// Copy of the stream that lopdf can decode, if this one names its filters by references or by the short names of
    /// inline images.
    fn plain_filters(&self, stream: &'a Stream) -> Option<Stream> {
        let filter = stream.dict.get(b"Filter").or_else(|_| stream.dict.get(b"F")).ok()?;
        let parameters = stream.dict.get(b"DecodeParms").or_else(|_| stream.dict.get(b"DP")).ok();
        let odd = |object: &Object| match object {
            Object::Reference(_) => true,
            Object::Array(items) => items.iter().any(|item| matches!(item, Object::Reference(_))),
            Object::Dictionary(dict) => dict.iter().any(|(_, item)| matches!(item, Object::Reference(_))),
            _ => false,
        };
        let nested = |object: &Object| match object {
            Object::Array(items) => items.iter().any(odd),
            _ => false,
        };
        let short = |object: &Object| {
            let is_short =
                |object: &Object| object.as_name().is_ok_and(|name| long_filter_name(name).is_some());
            is_short(object) || object.as_array().is_ok_and(|items| items.iter().any(is_short))
        };
        let moved = stream.dict.get(b"Filter").is_err();
        let unusual =
            moved || odd(filter) || short(filter) || parameters.is_some_and(|p| odd(p) || nested(p));
        if !unusual {
            return None;
        }
        let mut dict = Dictionary::new();
        let filters: Vec<Object> = match self.resolve(filter) {
            Object::Array(items) => {
                items.iter().take(Stream::MAX_FILTERS).map(|i| self.resolve(i).clone()).collect()
            }
            single => vec![single.clone()],
        };
        if !filters.iter().all(|filter| filter.as_name().is_ok()) {
            return None;
        }
        let long = |filter: Object| match filter.as_name().ok().and_then(long_filter_name) {
            Some(name) => Object::Name(name.to_vec()),
            None => filter,
        };
        dict.set("Filter", Object::Array(filters.into_iter().map(long).collect()));
        if let Some(parameters) = parameters {
            let plain = match self.resolve(parameters) {
                Object::Array(items) => {
                    let items = items.iter().take(Stream::MAX_FILTERS);
                    items.map(|item| self.flat(self.resolve(item))).collect()
                }
                single => vec![self.flat(single)],
            };
            dict.set("DecodeParms", Object::Array(plain));
        }
        Some(Stream::new(dict, stream.content.clone()))
    }

    /// Copy of a dictionary with numbers, names and booleans in place of references to them.
    fn flat(&self, object: &'a Object) -> Object {
        let Object::Dictionary(dict) = object else { return Object::Null };
        let mut flat = Dictionary::new();
        for (key, value) in dict.iter().take(32) {
            let value = self.resolve(value);
            if matches!(value, Object::Integer(_) | Object::Real(_) | Object::Boolean(_) | Object::Name(_)) {
                flat.set(key.clone(), value.clone());
            }
        }
        Object::Dictionary(flat)
    }
}

/// True if the only filter is Flate without a predictor, as in nearly all streams.
pub(crate) fn is_plain_deflate(stream: &Stream) -> bool {
    let is_flate = |filter: &Object| filter.as_name().is_ok_and(|name| name == b"FlateDecode");
    let filter = match stream.dict.get(b"Filter") {
        Ok(Object::Array(filters)) => matches!(filters.as_slice(), [filter] if is_flate(filter)),
        Ok(filter) => is_flate(filter),
        Err(_) => false,
    };
    filter && stream.dict.get(b"DecodeParms").map_or(true, Object::is_null)
}

/// Inflates zlib data up to its first error; true beside it if it is complete, `None` over the limit. The checksum is
/// ignored: it is wrong in many encrypted files.
fn inflate(data: &[u8], limit: usize) -> Option<(Vec<u8>, bool)> {
    // The header has two bytes; some data has none.
    let body = match data {
        [first, second, body @ ..]
            if first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0 =>
        {
            body
        }
        _ => data,
    };
    let mut state = flate2::Decompress::new(false);
    let mut out = Vec::with_capacity(body.len().saturating_mul(3).clamp(256, limit.max(256)));
    loop {
        let (read, written) = (state.total_in(), state.total_out());
        let rest = usize::try_from(read).ok().and_then(|read| body.get(read..)).unwrap_or_default();
        let status = state.decompress_vec(rest, &mut out, flate2::FlushDecompress::None);
        if out.len() > limit {
            return None;
        }
        match status {
            Ok(flate2::Status::StreamEnd) => return Some((out, true)),
            Ok(_) if out.len() == out.capacity() => out.reserve(out.len().max(256)),
            Ok(_) if state.total_in() > read || state.total_out() > written => {}
            // No data at all is a complete, empty stream.
            _ => {
                let whole = body.is_empty();
                return Some((out, whole));
            }
        }
    }
}

/// Full name of a filter that inline images abbreviate.
fn long_filter_name(name: &[u8]) -> Option<&'static [u8]> {
    Some(match name {
        b"Fl" => b"FlateDecode",
        b"LZW" => b"LZWDecode",
        b"A85" => b"ASCII85Decode",
        b"AHx" => b"ASCIIHexDecode",
        b"RL" => b"RunLengthDecode",
        _ => return None,
    })
}

/// Object as a dictionary; that of a stream counts.
pub(crate) fn as_dict(object: &Object) -> Option<&Dictionary> {
    match object {
        Object::Dictionary(dict) => Some(dict),
        Object::Stream(stream) => Some(&stream.dict),
        _ => None,
    }
}

/// Finite number of an object.
pub(crate) fn number(object: &Object) -> Option<f64> {
    match object {
        #[expect(clippy::cast_precision_loss, reason = "coordinates and widths are small")]
        Object::Integer(n) => Some(*n as f64),
        Object::Real(n) if n.is_finite() => Some(f64::from(*n)),
        _ => None,
    }
}

/// Integer of an object; a real number is truncated.
pub(crate) fn integer(object: &Object) -> Option<i64> {
    match object {
        Object::Integer(n) => Some(*n),
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
        Object::Real(n) if n.is_finite() => Some(*n as i64),
        _ => None,
    }
}

pub(crate) fn reference(object: &Object) -> Option<ObjectId> {
    object.as_reference().ok()
}

/// Rotation nearest to a `Rotate` value.
pub(crate) fn rotation(degrees: i64) -> Rotation {
    match degrees.rem_euclid(360) {
        45..135 => Rotation::Quarter,
        135..225 => Rotation::Half,
        225..315 => Rotation::ThreeQuarters,
        _ => Rotation::None,
    }
}

/// Text of a text string: UTF-16 or UTF-8 by its byte order mark, else PDFDocEncoding.
pub(crate) fn text_string(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().copied().map(read).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().filter_map(|&byte| pdf_doc_char(byte)).collect(),
    }
}

fn pdf_doc_char(byte: u8) -> Option<char> {
    match byte {
        b'\t' | b'\n' | b'\r' => Some(' '),
        0..24 => None,
        b' '..=b'~' => Some(char::from(byte)),
        _ => {
            let name = encoding::pdf_doc().get(usize::from(byte)).copied().flatten()?;
            glyphs::text(name)?.chars().next()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_are_decoded_by_their_byte_order_mark() {
        for (bytes, text) in [
            (&b"Plain \xa0 \x84"[..], "Plain € —"),
            (b"\xfe\xff\x7b\x2c", "第"),
            (b"\xff\xfe\x2c\x7b", "第"),
            (b"\xef\xbb\xbf\xe2\x82\xac", "€"),
            (b"\xfe\xff\x00", ""),
        ] {
            assert_eq!(text_string(bytes), text);
        }
    }

    #[test]
    fn references_in_a_ring_resolve_to_null() {
        let mut document = Document::new();
        document.objects.insert((1, 0), Object::Reference((2, 0)));
        document.objects.insert((2, 0), Object::Reference((1, 0)));
        let limits = Limits::default();
        let meter = Meter::unlimited();
        let objects = Objects { document: &document, limits: &limits, meter: &meter };
        assert!(objects.resolve(&Object::Reference((1, 0))).is_null());
    }

    #[test]
    fn a_decompression_bomb_is_refused_at_the_limit() {
        let mut stream = Stream::new(Dictionary::new(), vec![b'a'; 1 << 20]);
        stream.compress().unwrap();
        let document = Document::new();
        let limits = Limits { stream_bytes: 1 << 16, ..Limits::default() };
        let meter = Meter::unlimited();
        let objects = Objects { document: &document, limits: &limits, meter: &meter };
        assert_eq!(objects.data(&stream), Err(StreamError::TooLarge));
    }
}
