//! The headings above a chunk: tagged in front of the text that is embedded, plain for the lexical index.
//!
//! One tag holds the whole path, `<h>PART 3 Conduct › 3.2 Disclosure</h>`: a pair of tags per level would cost eight of
//! the encoder's 256 tokens each. The lexical index does not see the tag: it indexes [`header_text`] and the chunk's
//! own text.

use document::{Chunk, Document, SectionId, Slice as _, TextRange, Tree};
use text::{ApproximateTokens, TokenCount};

/// Separator of the headings of a path.
const SEPARATOR: &str = " › ";
/// Maximum tokens of the headings, by [`ApproximateTokens`]: a quarter of the encoder's 256. The innermost are kept.
const MAX_TOKENS: usize = 64;

/// The headings of a chunk from the outermost to its own, without tags: the header that is indexed.
pub fn header_text(document: &Document, chunk: &Chunk) -> String {
    document.section_path(chunk).join(SEPARATOR)
}

/// The text of a chunk with its headings tagged in front: the input of the encoder. Headings in the text itself are not
/// repeated; of a long path the innermost headings are kept.
pub fn tagged_text(document: &Document, chunk: &Chunk) -> String {
    let mut tagged = tagged(&path(&document.tree, chunk.section, &chunk.ranges));
    tagged.push_str(&document.chunk_text(chunk));
    tagged
}

/// The headings of a section from the outermost to its own, within the limit, without those in `inside`.
pub(crate) fn path(tree: &Tree, section: SectionId, inside: &[TextRange]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut left = MAX_TOKENS;
    for id in tree.path(section).into_iter().rev() {
        let Some(node) = tree.sections.get(id.idx()) else { break };
        if node.title.is_empty() {
            continue;
        }
        // Headings in the text count towards the limit too, so that leaving them out never lengthens the path.
        let stands_inside =
            node.heading.is_some_and(|heading| inside.iter().any(|range| range.contains(heading)));
        let n_tokens = ApproximateTokens.count(&node.title) + 1;
        if n_tokens > left {
            if kept.is_empty() && left == MAX_TOKENS && !stands_inside {
                kept.push(beginning(&node.title, left));
            }
            break;
        }
        left -= n_tokens;
        if !stands_inside {
            kept.push(&node.title);
        }
    }
    kept.reverse();
    kept.join(SEPARATOR)
}

/// A path as a tag and a line end; empty for an empty path.
pub(crate) fn tagged(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("<h>{path}</h>\n") }
}

/// The beginning of a title of at most `limit` characters, hence tokens, up to a space.
fn beginning(title: &str, limit: usize) -> &str {
    let end = title.char_indices().nth(limit).map_or(title.len(), |(at, _)| at);
    let cut = title.slice(..end);
    match cut.rfind(char::is_whitespace) {
        Some(space) if end < title.len() => cut.slice(..space),
        _ => cut,
    }
}
