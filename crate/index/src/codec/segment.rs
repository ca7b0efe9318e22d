//! Stored form of a segment: `meta` (postcard), `text` (UTF-8), `words`, `postings`.

use document::{
    Block, BlockId, CaveatRange, Caveats, Chunk, ChunkId, Diag, Document, Furniture, Layout, NoteMark,
    OrNever as _, Pace, Paced, PageId, PageInfo, SectionId, TextMap, TextRange, Tree, at_once,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use text::AnalyzerKind;

use super::postings::{bytes_of_postings, decode_postings, put_postings};
use super::{GROWTH, container};
use crate::{Error, Segment};

const KIND: &str = "segment";
const SECTIONS: [&str; 4] = ["meta", "text", "words", "postings"];

/// Items that are read or checked between two looks at the pace.
const ITEMS: usize = 1024;
/// Checking of an item, in bytes decoded in the same time.
const CHECK_COST: usize = 8;
/// Reading of a byte of metadata, whose lists and names have places of their own, in bytes of words decoded meanwhile.
const META_COST: usize = 6;

/// A segment without text, words and postings, as written; [`read_meta`] reads it field by field.
#[derive(Serialize)]
struct Meta<'a> {
    analyzer: u8,
    name: &'a str,
    digest: &'a str,
    title: Option<&'a str>,
    pages: &'a [PageInfo],
    blocks: &'a [Block],
    marks: &'a [NoteMark],
    furniture: &'a [Furniture],
    caveats: &'a [CaveatRange],
    tree: &'a Tree,
    chunks: &'a [Chunk],
    diags: &'a [Diag],
    units: &'a [ChunkId],
}

impl Segment {
    /// The stored form. The same segment always gives the same bytes.
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// If the bytes are not a segment, have another format version, or are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        at_once(async |pace| Self::decode_paced(bytes, pace).await)
    }

    /// [`Self::decode`], step by step.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_paced<'a>(bytes: &'a [u8], pace: &'a Pace) -> Paced<'a, Result<Self, Error>> {
        Box::pin(decode(bytes, pace))
    }
}

fn encode(segment: &Segment) -> Vec<u8> {
    let Document { name, digest, title, layout, tree, chunks, diags } = segment.document();
    let Layout { pages, text, words, blocks, marks, furniture, caveats } = layout;
    let meta = Meta {
        analyzer: analyzer_code(segment.analyzer()),
        name,
        digest,
        title: title.as_deref(),
        pages,
        blocks,
        marks,
        furniture,
        caveats: caveats.ranges(),
        tree,
        chunks,
        diags,
        units: segment.units(),
    };
    // An empty section is refused when read.
    let meta = postcard::to_allocvec(&meta).ok().or_never("the stored form of plain data");
    let [meta_name, text_name, words_name, postings_name] = SECTIONS;
    let postings = segment.postings();
    let n_bytes = meta.len() + text.len() + words.n_bytes() + bytes_of_postings(postings);
    let mut writer = container::Writer::new(KIND, SECTIONS.len(), n_bytes);
    writer.section(meta_name, |out| out.extend_from_slice(&meta));
    drop(meta);
    writer.section(text_name, |out| out.extend_from_slice(text.as_bytes()));
    writer.section(words_name, |out| words.encode(out));
    writer.section(postings_name, |out| put_postings(out, postings));
    writer.finish()
}

async fn decode(bytes: &[u8], pace: &Pace) -> Result<Segment, Error> {
    let [meta, text, words, postings] = container::read_paced(bytes, KIND, SECTIONS, pace).await?;
    let text = str::from_utf8(text).map_err(|_| Error::damaged("text"))?.to_owned();
    pace.spend(text.len()).await;
    let words = TextMap::decode(words, &text, pace).await.ok_or_else(|| Error::damaged("words"))?;
    let postings = decode_postings(postings, pace).await.ok_or_else(|| Error::damaged("postings"))?;
    let layout = Layout { text, words, ..Layout::default() };
    let (document, analyzer, units) =
        read_meta(meta, layout, pace).await.ok_or_else(|| Error::damaged("meta"))?;
    let is_sound = units.len() == postings.n_units()
        && ascending(&units, document.chunks.len())
        && is_sound(&document, pace).await;
    if !is_sound {
        return Err(Error::damaged("meta"));
    }
    Ok(Segment::from_parts(document, analyzer, units, postings))
}

/// The fields of [`Meta`], in their order; text and words are there already.
async fn read_meta(
    bytes: &[u8],
    layout: Layout,
    pace: &Pace,
) -> Option<(Document, AnalyzerKind, Vec<ChunkId>)> {
    let mut rest = bytes;
    let rest = &mut rest;
    let analyzer = analyzer_of(read_value(rest)?)?;
    let (name, digest, title) = (read_value(rest)?, read_value(rest)?, read_value(rest)?);
    let layout = Layout {
        pages: read_list(rest, pace).await?,
        blocks: read_list(rest, pace).await?,
        marks: read_list(rest, pace).await?,
        furniture: read_list(rest, pace).await?,
        caveats: Caveats::new(read_list(rest, pace).await?),
        ..layout
    };
    let tree = Tree {
        sections: read_list(rest, pace).await?,
        notes: read_list(rest, pace).await?,
        references: read_list(rest, pace).await?,
        terms: read_list(rest, pace).await?,
        entities: read_list(rest, pace).await?,
        editions: read_list(rest, pace).await?,
        withdrawn: read_list(rest, pace).await?,
    };
    let (chunks, diags) = (read_list(rest, pace).await?, read_list(rest, pace).await?);
    let units = read_list(rest, pace).await?;
    let document = Document { name, digest, title, layout, tree, chunks, diags };
    rest.is_empty().then_some((document, analyzer, units))
}

fn read_value<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    *bytes = rest;
    Some(value)
}

/// A list as postcard writes it: how many, then one after the other.
async fn read_list<T: DeserializeOwned>(bytes: &mut &[u8], pace: &Pace) -> Option<Vec<T>> {
    // Each takes a byte at least. Short bytes that claim many get room as they come.
    let n_items: usize = read_value(bytes).filter(|&n| n <= bytes.len())?;
    let room = bytes.len().saturating_mul(GROWTH) / size_of::<T>().max(1);
    let mut items = Vec::with_capacity(n_items.min(room));
    while items.len() < n_items {
        let n_before = bytes.len();
        for _ in items.len()..n_items.min(items.len() + ITEMS) {
            items.push(read_value(bytes)?);
        }
        pace.spend((n_before - bytes.len()) * META_COST).await;
    }
    Some(items)
}

fn analyzer_code(kind: AnalyzerKind) -> u8 {
    match kind {
        AnalyzerKind::Default => 0,
        AnalyzerKind::Lucene => 1,
    }
}

fn analyzer_of(code: u8) -> Option<AnalyzerKind> {
    match code {
        0 => Some(AnalyzerKind::Default),
        1 => Some(AnalyzerKind::Lucene),
        _ => None,
    }
}

fn ascending(units: &[ChunkId], n_chunks: usize) -> bool {
    units.is_sorted_by(|a, b| a < b) && units.last().is_none_or(|last| last.idx() < n_chunks)
}

/// True if every range is in the text and every id in its list, as the stages guarantee.
async fn is_sound(document: &Document, pace: &Pace) -> bool {
    let Layout { pages, text, words, blocks, marks, furniture, caveats } = &document.layout;
    let Tree { sections, notes, references, terms, entities, editions: _, withdrawn } = &document.tree;
    let chunks = &document.chunks;
    let in_text = |range: TextRange| range.start <= range.end && text.get(range.to_usize()).is_some();
    let on_page = |page: PageId| page.idx() < pages.len();
    let is_chunk = |id: &ChunkId| id.idx() < chunks.len();
    let is_block = |id: &BlockId| id.idx() < blocks.len();
    let is_section = |id: SectionId| id.idx() < sections.len();
    words.pages().all(on_page)
        && all(blocks, pace, |_, block| in_text(block.range)).await
        && all(marks, pace, |_, mark| {
            text.is_char_boundary(mark.at as usize) && mark.page.is_none_or(on_page)
        })
        .await
        && all(furniture, pace, |_, piece| on_page(piece.page)).await
        && all(caveats.ranges(), pace, |_, each| in_text(each.range)).await
        && all(sections, pace, |idx, section| {
            in_text(section.range)
                && section.heading.is_none_or(in_text)
                && section.parent.is_none_or(|parent| parent.idx() < idx)
                && section.blocks.iter().all(is_block)
        })
        .await
        && all(notes, pace, |_, note| {
            note.page.is_none_or(on_page)
                && note.blocks.iter().all(is_block)
                && note.marks.iter().all(|&mark| (mark as usize) < marks.len())
        })
        .await
        && all(references, pace, |_, reference| {
            in_text(reference.range) && reference.target.is_none_or(is_section)
        })
        .await
        && all(terms, pace, |_, term| in_text(term.range) && in_text(term.meaning)).await
        && all(entities, pace, |_, entity| in_text(entity.range)).await
        && withdrawn.iter().all(|withdrawn| is_section(withdrawn.section))
        && withdrawn.is_sorted_by_key(|withdrawn| withdrawn.section)
        && all(chunks, pace, |_, chunk| {
            chunk.ranges.iter().all(|&range| in_text(range))
                && (is_section(chunk.section) || sections.is_empty())
                && chunk.parents.iter().all(is_chunk)
                && chunk.article.iter().all(is_chunk)
                && chunk.notes.iter().all(|note| note.idx() < notes.len())
        })
        .await
}

/// True if `holds` of each item and its place.
async fn all<T>(items: &[T], pace: &Pace, holds: impl Fn(usize, &T) -> bool) -> bool {
    for (start, some) in (0..).step_by(ITEMS).zip(items.chunks(ITEMS)) {
        if !(start..).zip(some).all(|(at, item)| holds(at, item)) {
            return false;
        }
        pace.spend(some.len() * CHECK_COST).await;
    }
    true
}
