//! Single objects that lopdf could not read in a file that it opened: dictionaries with a stray word in them,
//! streams without a length or with a wrong one. They are read again where the cross-reference table says.

use lopdf::xref::XrefEntry;
use lopdf::{Document, Object, ObjectId, Stream};

use super::syntax::Syntax;
use super::{MAX_PARTS, StreamEnds, data_start, told_length};
use crate::lexer::is_space;
use crate::objects::integer;

/// How many times over the file may be read.
const MAX_PASSES: usize = 4;
/// Bytes of one object without its stream.
const MAX_OBJECT: usize = 1 << 20;

/// Mends what can be mended; says whether anything was. Encrypted files are left alone: what they hold at these
/// places has yet to be decrypted.
pub(crate) fn mend(bytes: &[u8], document: &mut Document) -> bool {
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
    let mut left = bytes.len().saturating_mul(MAX_PASSES);
    let (mut parts, mut ends, mut mended) = (MAX_PARTS, StreamEnds::new(bytes), false);
    for (offset, id) in broken {
        let window = bytes.get(offset..).unwrap_or_default();
        let window = window.get(..window.len().min(MAX_OBJECT)).unwrap_or_default();
        let mut syntax = Syntax { generations: true, ..Syntax::new(window, parts) };
        let object = syntax.header(id).then(|| syntax.object()).flatten();
        parts = syntax.budget;
        let Some(rest) = left.checked_sub(syntax.lexer.pos()) else { break };
        left = rest;
        let Some(mut object) = object else { continue };
        if let Object::Dictionary(dict) = &object
            && syntax.word(b"stream")
        {
            let start = data_start(bytes, offset + syntax.lexer.pos());
            let length = dict.get(b"Length").ok().and_then(|length| match length {
                Object::Reference(id) => document.objects.get(id).and_then(integer),
                length => integer(length),
            });
            let end = told_length(bytes, start, length).or_else(|| ends.after(start));
            let Some(data) = end.and_then(|end| bytes.get(start..end)) else { continue };
            object = Object::Stream(Stream::new(dict.clone(), data.to_vec()));
        }
        mended = true;
        document.objects.insert(id, object);
    }
    mended
}

/// Whether the data ends where the file says that it ends.
fn is_whole(bytes: &[u8], stream: &Stream) -> bool {
    let Some(start) = stream.start_position else { return true };
    let rest = start.checked_add(stream.content.len()).and_then(|end| bytes.get(end..)).unwrap_or_default();
    let space = rest.iter().take(4).take_while(|&&byte| is_space(byte)).count();
    rest.get(space..).is_some_and(|rest| rest.starts_with(b"endstream"))
}
