//! Invariants of every document, whatever file it came from: nothing is lost or doubled, and every part lies inside its
//! parent. Tests check them on samples and real files, the fuzzer on arbitrary bytes.

use document::{BlockKind, Chunk, ChunkKind, Document, TextRange};

/// The faults of a document, one sentence each; empty for a sound one. Linear in its text.
pub fn broken(document: &Document) -> Vec<String> {
    let mut faults = Vec::new();
    blocks(document, &mut faults);
    words(document, &mut faults);
    sections(document, &mut faults);
    notes(document, &mut faults);
    sayings(document, &mut faults);
    if faults.is_empty() {
        chunks(document, &mut faults);
        headings(document, &mut faults);
    }
    faults
}

/// Blocks follow each other, are not empty, and are the text together with one line end between them.
fn blocks(document: &Document, faults: &mut Vec<String>) {
    let layout = &document.layout;
    let mut end = 0;
    for (at, block) in layout.blocks.iter().enumerate() {
        let range = block.range.to_usize();
        let follows = range.start == if at == 0 { 0 } else { end + 1 };
        if !follows || range.is_empty() || layout.text.get(range.clone()).is_none() {
            faults.push(format!("block {at} is {range:?} after {end}"));
            return;
        }
        end = range.end;
    }
    if end != layout.text.len() {
        faults.push(format!("the blocks end at {end}, the text at {}", layout.text.len()));
    }
}

/// Every word lies in one block and on a page there is; every character that is not white is placed, where the
/// source has pages; note marks stand in order between characters.
fn words(document: &Document, faults: &mut Vec<String>) {
    let layout = &document.layout;
    let mut placed = vec![false; layout.text.len()];
    let mut blocks = layout.blocks.iter().peekable();
    let mut last = 0;
    for word in layout.words.words() {
        while blocks.next_if(|block| block.range.end <= word.range.start).is_some() {}
        let inside = blocks.peek().is_some_and(|block| block.range.contains(word.range));
        if !inside
            || word.range.is_empty()
            || word.range.start < last
            || word.page.idx() >= layout.pages.len()
        {
            faults.push(format!("a word at {:?} on page {} is astray", word.range, word.page.idx() + 1));
            return;
        }
        last = word.range.end;
        placed.get_mut(word.range.to_usize()).unwrap_or_default().fill(true);
    }
    let n_unplaced = layout
        .text
        .char_indices()
        .filter(|&(at, c)| !layout.pages.is_empty() && placed.get(at) != Some(&!c.is_whitespace()))
        .count();
    if n_unplaced > 0 {
        faults.push(format!("{n_unplaced} characters stand nowhere, or white ones somewhere"));
    }
    let marks = &layout.marks;
    if !marks.is_sorted_by_key(|mark| mark.at)
        || !marks.iter().all(|mark| layout.text.is_char_boundary(mark.at as usize))
    {
        faults.push("the note marks are out of order, or inside a character".to_owned());
    }
}

/// One root that covers everything; sections inside their parents, below them, after them, beside each other;
/// each block of the body in exactly one.
fn sections(document: &Document, faults: &mut Vec<String>) {
    let (layout, sections) = (&document.layout, &document.tree.sections);
    let Some(root) = sections.first() else {
        faults.push("there is no root".to_owned());
        return;
    };
    if root.level != 0 || root.parent.is_some() || root.range.len() != layout.text.len() {
        faults.push("the root does not cover the document".to_owned());
    }
    let mut ends = vec![0u32; sections.len()];
    let mut articles = vec![false; sections.len()];
    let mut homes = vec![0u32; layout.blocks.len()];
    for (at, section) in sections.iter().enumerate() {
        if let Some(parent) = section.parent {
            let outer = sections.get(parent.idx()).filter(|_| parent.idx() < at);
            let nests =
                outer.is_some_and(|outer| outer.level < section.level && outer.range.contains(section.range));
            let end = ends.get_mut(parent.idx());
            let beside =
                end.is_some_and(|end| std::mem::replace(end, section.range.end) <= section.range.start);
            if !nests || !beside {
                faults.push(format!(
                    "section {at} {:?} is not inside its parent or over its sibling",
                    section.range
                ));
            }
            let within = articles.get(parent.idx()).copied().unwrap_or(false);
            if within && section.is_article {
                faults.push(format!("article {at} lies in an article"));
            }
            if let Some(slot) = articles.get_mut(at) {
                *slot = within || section.is_article;
            }
        } else if at > 0 {
            faults.push(format!("section {at} has no parent"));
        }
        if section.heading.is_some_and(|heading| !section.range.contains(heading)) {
            faults.push(format!("the heading of section {at} is outside it"));
        }
        for block in &section.blocks {
            match homes.get_mut(block.idx()) {
                Some(home) => *home += 1,
                None => faults.push(format!("section {at} has a block that is not there")),
            }
        }
    }
    let astray = layout
        .blocks
        .iter()
        .zip(&homes)
        .position(|(block, &n)| n != u32::from(block.kind != BlockKind::Footnote));
    if let Some(at) = astray {
        faults.push(format!("block {at} lies in {} sections", homes.get(at).copied().unwrap_or(0)));
    }
}

/// Each footnote block belongs to one note, each mark calls at most one.
fn notes(document: &Document, faults: &mut Vec<String>) {
    let layout = &document.layout;
    let mut blocks = vec![0u32; layout.blocks.len()];
    let mut marks = vec![0u32; layout.marks.len()];
    for note in &document.tree.notes {
        for block in &note.blocks {
            *blocks.get_mut(block.idx()).unwrap_or(&mut 0) += 1;
        }
        for &mark in &note.marks {
            *marks.get_mut(mark as usize).unwrap_or(&mut 0) += 1;
        }
    }
    let odd = layout
        .blocks
        .iter()
        .zip(&blocks)
        .any(|(block, &n)| n != u32::from(block.kind == BlockKind::Footnote));
    if odd || marks.iter().any(|&n| n > 1) {
        faults.push("a footnote belongs to no note or to two, or a mark calls two".to_owned());
    }
}

/// References, terms and entities are ranges of the text, in its order.
fn sayings(document: &Document, faults: &mut Vec<String>) {
    let tree = &document.tree;
    let in_text =
        |range: TextRange| !range.is_empty() && document.layout.text.get(range.to_usize()).is_some();
    let references = tree.references.iter().all(|reference| {
        in_text(reference.range) && reference.target.is_none_or(|target| target.idx() < tree.sections.len())
    });
    let terms = tree.terms.iter().all(|term| in_text(term.range) && in_text(term.meaning));
    let entities = tree.entities.iter().all(|entity| in_text(entity.range));
    let ordered = tree.references.is_sorted_by_key(|reference| reference.range.start)
        && tree.terms.is_sorted_by_key(|term| term.range.start)
        && tree.entities.is_sorted_by_key(|entity| entity.range.start);
    if !(references && terms && entities && ordered) {
        faults.push("a reference, term or entity is outside the text or out of order".to_owned());
    }
}

/// Children cover the body exactly once and the notes never, note chunks the notes exactly once and the body
/// never, parents the body and their children; articles do not overlap.
fn chunks(document: &Document, faults: &mut Vec<String>) {
    let of_kind = |kind: ChunkKind| document.chunks.iter().filter(move |chunk| chunk.kind == kind);
    let mut wrong = |what: &str, kind: ChunkKind, notes: bool, right: &dyn Fn(u32) -> bool| {
        if let Some((at, n)) = wrong_cover(document, &cover(document, of_kind(kind)), notes, right) {
            faults.push(format!("byte {at} of the text lies in {n} {what}"));
        }
    };
    wrong("children", ChunkKind::Child, false, &|n| n == 1);
    wrong("children, a note", ChunkKind::Child, true, &|n| n == 0);
    wrong("note chunks", ChunkKind::Note, true, &|n| n == 1);
    wrong("note chunks, not a note", ChunkKind::Note, false, &|n| n == 0);
    wrong("parents", ChunkKind::Parent, false, &|n| n >= 1);
    wrong("articles", ChunkKind::Article, false, &|n| n <= 1);
    for child in of_kind(ChunkKind::Child) {
        let held = child.parents.iter().all(|parent| {
            document.chunks.get(parent.idx()).is_some_and(|parent| {
                parent.kind == ChunkKind::Parent
                    && child
                        .ranges
                        .iter()
                        .all(|range| parent.ranges.iter().any(|outer| outer.contains(*range)))
            })
        });
        if !held || child.parents.is_empty() {
            faults.push(format!("a child at {:?} is not in its parents", child.ranges));
            break;
        }
    }
}

/// Number of chunks over each byte of the text.
fn cover<'a>(document: &Document, chunks: impl Iterator<Item = &'a Chunk>) -> Vec<u32> {
    let mut cover = vec![0u32; document.layout.text.len()];
    for range in chunks.flat_map(|chunk| &chunk.ranges) {
        for count in cover.get_mut(range.to_usize()).unwrap_or_default() {
            *count += 1;
        }
    }
    cover
}

/// The first byte that is not white, of notes or of the body, whose cover is not right.
fn wrong_cover(
    document: &Document,
    cover: &[u32],
    notes: bool,
    right: &dyn Fn(u32) -> bool,
) -> Option<(usize, u32)> {
    let layout = &document.layout;
    layout.blocks.iter().filter(|block| (block.kind == BlockKind::Footnote) == notes).find_map(|block| {
        let start = block.range.start as usize;
        layout.slice(block.range).char_indices().filter(|(_, c)| !c.is_whitespace()).find_map(|(at, _)| {
            let n = cover.get(start + at).copied().unwrap_or(0);
            (!right(n)).then_some((start + at, n))
        })
    })
}

/// Tokens from which headings may be a chunk by themselves. The chunker parts headings that fill half a child, of 256
/// tokens, from their text.
const LONG_HEADING: u32 = 128;

/// A heading is not the last thing of a child or a parent while its body goes on in the next, unless it fills the chunk.
fn headings(document: &Document, faults: &mut Vec<String>) {
    let blocks: Vec<_> =
        document.layout.blocks.iter().filter(|block| block.kind != BlockKind::Footnote).collect();
    let chunks =
        document.chunks.iter().filter(|chunk| matches!(chunk.kind, ChunkKind::Child | ChunkKind::Parent));
    let mut alone = 0;
    let mut first = String::new();
    for chunk in chunks {
        let Some(end) = chunk.ranges.last().map(|range| range.end) else { continue };
        let last = blocks.partition_point(|block| block.range.start < end);
        let heading = last
            .checked_sub(1)
            .and_then(|at| blocks.get(at))
            .is_some_and(|block| block.kind == BlockKind::Heading && block.range.end <= end);
        let goes_on = blocks.get(last).is_some_and(|block| block.kind != BlockKind::Heading);
        let first_block = blocks.partition_point(|block| block.range.end <= chunk.ranges[0].start);
        let is_all = blocks[first_block..last].iter().all(|block| block.kind == BlockKind::Heading);
        // A heading that fills half a child and more may be cut: a piece of it ends inside, and the last may be short.
        let is_cut = blocks.get(first_block).is_some_and(|block| block.range.start < chunk.ranges[0].start);
        if heading && goes_on && !(is_all && (is_cut || chunk.n_tokens >= LONG_HEADING)) {
            alone += 1;
            if first.is_empty() {
                first = format!(
                    "{:?} {:?}",
                    chunk.kind,
                    document
                        .chunk_text(chunk)
                        .chars()
                        .rev()
                        .take(60)
                        .collect::<String>()
                        .chars()
                        .rev()
                        .collect::<String>()
                );
            }
        }
    }
    if alone > 0 {
        faults.push(format!("{alone} chunks end with a heading: {first}"));
    }
}
