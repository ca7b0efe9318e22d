//! The headings above a chunk: as a tag in front of the text that is embedded, as bare text for the index.
//!
//! One tag holds the whole path, `<h>PART 3 Conduct › 3.2 Disclosure</h>`: a pair of tags for each level would
//! cost an encoder of 256 tokens eight of them a level. The tag's name is a single letter that the lexical
//! index never sees, because [`header_text`] and the chunk's text are what is indexed.

use document::{Chunk, Document, SectionId, TextRange, Tree};
use text::{ApproximateTokens, TokenCount};

/// Between two headings of a path.
const SEPARATOR: &str = " › ";
/// Most tokens of the headings, as [`ApproximateTokens`] counts them: a quarter of the encoder's 256. The
/// innermost are kept.
const MAX_TOKENS: usize = 64;

/// The headings above a chunk from the outermost to its own, without tags: what is indexed as its path.
pub fn header_text(document: &Document, chunk: &Chunk) -> String {
    document.section_path(chunk).join(SEPARATOR)
}

/// The text of a chunk with the headings above it in front, tagged: what is embedded. Headings that stand
/// in the text itself are not repeated; where the path is long its innermost headings are kept.
pub fn tagged_text(document: &Document, chunk: &Chunk) -> String {
    let mut tagged = tagged(&path(&document.tree, chunk.section, &chunk.ranges));
    tagged.push_str(&document.chunk_text(chunk));
    tagged
}

/// The headings above a section and its own, within the limit, those in `inside` left out.
pub(crate) fn path(tree: &Tree, section: SectionId, inside: &[TextRange]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut left = MAX_TOKENS;
    for id in tree.path(section).into_iter().rev() {
        let Some(node) = tree.sections.get(id.idx()) else { break };
        if node.title.is_empty() {
            continue;
        }
        // What stands in the text takes its share of the limit too, so that the path without it is never longer.
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

/// A path as a tag with a line end after it; nothing for no path.
pub(crate) fn tagged(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("<h>{path}</h>\n") }
}

/// As much of a title as `limit` tokens hold: each character of the rest could be one.
fn beginning(title: &str, limit: usize) -> &str {
    let end = title.char_indices().nth(limit).map_or(title.len(), |(at, _)| at);
    let cut = title.get(..end).unwrap_or_default();
    match cut.rfind(char::is_whitespace) {
        Some(space) if end < title.len() => cut.get(..space).unwrap_or(cut),
        _ => cut,
    }
}
