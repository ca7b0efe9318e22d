//! Objects that lopdf could not read in a file that it opened: dictionaries with a stray word in them, streams with a
//! missing or wrong length. They are read again at the offsets of the cross-reference table.

use lopdf::xref::XrefEntry;
use lopdf::{Document, Object, ObjectId, Stream};

use super::parser::{MAX_PARSED, ObjectParser};
use super::stream::{EndstreamSearch, data_start, end_by_length};
use crate::lexer::is_space;
use crate::objects::integer;

/// Maximum bytes that are read again, in sizes of the file.
const MAX_PASSES: usize = 4;
/// Maximum size of one object without its stream data, in bytes.
const MAX_OBJECT: usize = 1 << 20;

/// Reads broken objects again; true if any was replaced. Encrypted files are left alone, since these bytes would have
/// to be decrypted.
pub(crate) fn reread_broken_objects(bytes: &[u8], document: &mut Document) -> bool {
    if document.encryption_state.is_some() || document.trailer.has(b"Encrypt") {
        return false;
    }
    let mut broken: Vec<(usize, ObjectId)> = Vec::new();
    for (&id, entry) in &document.reference_table.entries {
        if let &XrefEntry::Normal { offset, generation } = entry {
            let whole = match document.objects.get(&(id, generation)) {
                None => false,
                Some(Object::Stream(stream)) => is_whole(bytes, stream),
                Some(_) => true,
            };
            if !whole && let Ok(offset) = usize::try_from(offset) {
                broken.push((offset, (id, generation)));
            }
        }
    }
    broken.sort_unstable();
    let mut bytes_left = bytes.len().saturating_mul(MAX_PASSES);
    let (mut objects_left, mut ends, mut replaced) = (MAX_PARSED, EndstreamSearch::new(bytes), false);
    for (offset, id) in broken {
        let window = bytes.get(offset..).unwrap_or_default();
        let window = window.get(..MAX_OBJECT).unwrap_or(window);
        let mut parser = ObjectParser { generations: true, ..ObjectParser::new(window, objects_left) };
        let object = parser.header(id).then(|| parser.object()).flatten();
        objects_left = parser.budget;
        let Some(rest) = bytes_left.checked_sub(parser.lexer.pos()) else { break };
        bytes_left = rest;
        let Some(mut object) = object else { continue };
        if let Object::Dictionary(dict) = &object
            && parser.word(b"stream")
        {
            let start = data_start(bytes, offset + parser.lexer.pos());
            let length = dict.get(b"Length").ok().and_then(|length| match length {
                Object::Reference(id) => document.objects.get(id).and_then(integer),
                length => integer(length),
            });
            let end = end_by_length(bytes, start, length).or_else(|| ends.at_or_after(start));
            let Some(data) = end.and_then(|end| bytes.get(start..end)) else { continue };
            object = Object::Stream(Stream::new(dict.clone(), data.to_vec()));
        }
        replaced = true;
        document.objects.insert(id, object);
    }
    replaced
}

/// True if `endstream` follows the data.
fn is_whole(bytes: &[u8], stream: &Stream) -> bool {
    let Some(start) = stream.start_position else { return true };
    let rest = start.checked_add(stream.content.len()).and_then(|end| bytes.get(end..)).unwrap_or_default();
    let space = rest.iter().take(4).take_while(|&&byte| is_space(byte)).count();
    rest.get(space..).is_some_and(|rest| rest.starts_with(b"endstream"))
}
