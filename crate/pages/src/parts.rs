//! Number of the objects in a file, told before they are parsed.
//!
//! lopdf parses all objects of a file at once and has no limit on them: three bytes become an object of a hundred. Here
//! the tokens of the file are counted first, those outside streams and those in object streams, in one pass that keeps
//! nothing. Object streams with other filters than one Flate, or encrypted ones, are not looked into.

use document::Slice as _;

use crate::lexer::is_space;

/// Maximum inflated size of one object stream for lopdf, which refuses larger ones.
pub(crate) const MAX_OBJECT_STREAM: usize = 4 << 20;
/// Maximum distance of the data from the type in the dictionary of an object stream, in bytes.
const MAX_DICTIONARY: usize = 4_096;
/// Bytes inflated at a time.
const PIECE: usize = 1 << 16;

/// True if the file has more objects than this, or its object streams inflate to more bytes.
pub(crate) fn has_more_objects(bytes: &[u8], max_objects: usize, max_inflated: usize) -> bool {
    let mut tokens = TokenCount::default();
    // A token has two bytes with the space behind it.
    if bytes.len() / 2 > max_objects {
        count_outside(bytes, &mut tokens, max_objects);
    }
    let (mut at, mut inflated) = (0, 0);
    while tokens.n <= max_objects
        && inflated <= max_inflated
        && let Some(found) = find(bytes.slice(at..), b"/ObjStm")
    {
        at += found + 7;
        let dictionary = bytes.get(at..).unwrap_or_default();
        let dictionary = dictionary.get(..MAX_DICTIONARY).unwrap_or(dictionary);
        let Some(keyword) = find(dictionary, b"stream") else { continue };
        let data = bytes.slice(at + keyword + 6..);
        let start = data.iter().take(2).take_while(|&&byte| matches!(byte, b'\r' | b'\n')).count();
        inflated += count_inflated(data.slice(start..), &mut tokens, max_objects);
    }
    tokens.n > max_objects || inflated > max_inflated
}

/// Counter of tokens.
#[derive(Default)]
struct TokenCount {
    n: usize,
    in_word: bool,
}

impl TokenCount {
    fn byte(&mut self, byte: u8) {
        let is_opening = matches!(byte, b'/' | b'[' | b'<' | b'(');
        let is_space = is_space(byte);
        self.n += usize::from(is_opening || !self.in_word && !is_space);
        self.in_word = !is_space;
    }
}

/// Counts tokens outside streams, up to a maximum.
fn count_outside(bytes: &[u8], tokens: &mut TokenCount, max: usize) {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at)
        && tokens.n <= max
    {
        tokens.byte(byte);
        at += 1;
        if byte == b'm' && bytes.get(at.saturating_sub(6)..at) == Some(b"stream") {
            let rest = bytes.slice(at..);
            // The scan decides about data without an end.
            at += find(rest, b"endstream").map_or(rest.len(), |end| end + 9);
        }
    }
}

/// Counts the tokens of deflated data, up to a maximum; the bytes inflated.
fn count_inflated(data: &[u8], tokens: &mut TokenCount, max: usize) -> usize {
    let mut state = flate2::Decompress::new(true);
    let mut piece = vec![0; PIECE];
    tokens.in_word = false;
    while tokens.n <= max {
        let (read, written) = (total(state.total_in()), total(state.total_out()));
        let rest = data.get(read..).unwrap_or_default();
        let status = state.decompress(rest, &mut piece, flate2::FlushDecompress::None);
        let fresh = total(state.total_out()).saturating_sub(written);
        piece.iter().take(fresh).for_each(|&byte| tokens.byte(byte));
        let is_over = written + fresh > MAX_OBJECT_STREAM;
        match status {
            Ok(flate2::Status::Ok | flate2::Status::BufError) if fresh > 0 && !is_over => {}
            _ => break,
        }
    }
    total(state.total_out())
}

fn total(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn objects_are_counted_outside_streams_and_in_object_streams() {
        let outside = b"1 0 obj [1 2 (three) /four] endobj stream 9 9 9 9 endstream".as_slice();
        assert!(has_more_objects(outside, 8, 1 << 20) && !has_more_objects(outside, 30, 1 << 20));
        let mut packed = b"2 0 obj << /Type /ObjStm /Filter /FlateDecode >> stream\n".to_vec();
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&b"0 ".repeat(100_000)).unwrap();
        packed.extend(encoder.finish().unwrap());
        assert!(packed.len() < 1_000 && has_more_objects(&packed, 90_000, 1 << 20));
        assert!(!has_more_objects(&packed, 110_000, 1 << 20) && has_more_objects(&packed, 110_000, 1_000));
    }
}
