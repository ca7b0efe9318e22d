//! Late interaction: the best passages of a search, compared with its query token by token.
//!
//! A search finds passages by words and by vectors of whole passages. Before an answer is extracted, the best
//! [`COMPARED`] are encoded once more, together with the question. How their tokens match its tokens scores the sentences
//! of each, and orders the passages, with the cosine of the whole and its place in the search ([`placed`]). A row of a
//! table is read with its heads. `tests/answers/lay_figures.md` has what that does for questions in lay words.

use std::collections::BTreeMap;
use std::ops::Range;

use answer::{QuerySimilarity, Similarities, topic};
use document::{Chunk, ChunkId, Document, DocumentIdx, Hit, Slice as _, TextRange};
use embed::{TokenMatches, mean_match, placed};

use crate::library::Library;

/// Number of passages compared with a query, best first. Each costs the encoding of a passage.
pub const COMPARED: usize = 32;

/// Number of the most similar passages that are asked if they speak to a word of the query; fewer where fewer were compared.
const NEAREST: usize = 10;

/// Number of passages that the most similar one is told from.
const FOLLOWING: usize = 5;

/// Number of the query's first tokens, which say what is asked for.
const OPENING: usize = 3;

/// Longest part of a document's name or title that is compared, in bytes: the passage needs the encoder's tokens.
const NAME_LEN: usize = 80;

/// Passages to compare with a query: for [`embed::Embedder::compare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The query, or its topic where it asks what the documents say about that.
    pub query: String,
    /// The passages, best first, each in pieces: the names of its document and the headings above it, then its sentences.
    pub passages: Vec<Vec<String>>,
}

/// Passages that a search found and that are to be compared with its query.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    /// Query of the search.
    pub query: String,
    /// Hits of the search, best first.
    pub hits: Vec<Hit>,
    /// Cosine of the vector of each hit to the query's, where it has one.
    pub cosines: Vec<Option<f32>>,
}

impl Compared {
    /// The texts of the first [`COMPARED`] hits.
    pub(crate) fn comparison(&self, library: &Library) -> Comparison {
        let passages = self.hits.iter().take(COMPARED).map(|hit| pieces(library, hit)).collect();
        let query = self.query.get(topic(&self.query)).unwrap_or(&self.query).to_owned();
        Comparison { query, passages }
    }

    /// Cosine of each hit to the query, of those that have a vector.
    pub(crate) fn known_cosines(&self) -> BTreeMap<(DocumentIdx, ChunkId), f32> {
        let known = |(hit, cosine): (&Hit, &Option<f32>)| Some(((hit.document, hit.chunk), (*cosine)?));
        self.hits.iter().zip(&self.cosines).filter_map(known).collect()
    }

    /// The hits in order of their similarity to the query ([`placed`]), those that were not compared last; and the
    /// similarities. A passage without matches was not compared. Cosines count where all hits have one.
    pub(crate) fn ranked(
        self,
        library: &Library,
        matches: &[Option<TokenMatches>],
    ) -> (Vec<Hit>, Similarities) {
        let compared: Vec<&TokenMatches> = matches.iter().take(self.hits.len()).flatten().collect();
        if compared.is_empty() {
            return (self.hits, Similarities::default());
        }
        let tokens = nearest_tokens(&compared, topic(&self.query).start);
        let lacking = NEAREST.saturating_sub(compared.len()) as f32 / NEAREST as f32;
        let stands = stands(compared.iter().map(|matches| matches.max_sim()).collect());
        let cosines = self.cosines.into_iter().collect::<Option<Vec<f32>>>().unwrap_or_default();
        let cosines = cosines.into_iter().chain(std::iter::repeat(0.0));
        let mut ranked = Vec::with_capacity(self.hits.len());
        let mut others = Vec::new();
        let mut sentences: Vec<(DocumentIdx, TextRange, f32)> = Vec::new();
        // Similarity of the best sentence, and that of the query's first tokens to it.
        let mut best = (f32::NEG_INFINITY, 0.0);
        let matches = matches.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        for (place, ((hit, matches), cosine)) in self.hits.into_iter().zip(matches).zip(cosines).enumerate() {
            let Some(matches) = matches else {
                others.push(hit);
                continue;
            };
            let found = passage(library, &hit);
            let ranges = found.map_or_else(Vec::new, sentences_of);
            let beside = found.map_or_else(BTreeMap::new, |(document, _)| heads_beside(document, &ranges));
            // The first piece is the names and headings.
            let pieces = matches.piece_matches(&beside).into_iter().skip(1);
            for (range, piece) in ranges.into_iter().zip(pieces) {
                let similarity = mean_match(&piece);
                sentences.push((hit.document, range, similarity));
                if similarity > best.0 {
                    best = (similarity, mean_match(piece.slice(..OPENING.min(piece.len()))));
                }
            }
            ranked.push(Hit { score: placed(matches.max_sim(), cosine, place), ..hit });
        }
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        let least = ranked.last().map_or(0.0, |hit| hit.score);
        ranked.extend(others.into_iter().map(|hit| Hit { score: least, ..hit }));
        let query = QuerySimilarity { tokens, text: self.query, opening: best.1, stands, lacking };
        (ranked, Similarities::new(sentences, query))
    }
}

/// Greatest of the similarities, less the mean of the [`FOLLOWING`] that come next; 0 without any.
fn stands(mut similarities: Vec<f32>) -> f32 {
    similarities.sort_by(|a, b| b.total_cmp(a));
    let Some((best, others)) = similarities.split_first() else { return 0.0 };
    let others = others.slice(..FOLLOWING.min(others.len()));
    if others.is_empty() { 0.0 } else { best - mean_match(others) }
}

/// The tokens of what was compared, which begins at a byte of the query, each with its greatest match in the [`NEAREST`] most
/// similar passages.
fn nearest_tokens(compared: &[&TokenMatches], start: usize) -> Vec<(Range<usize>, f32)> {
    let mut nearest: Vec<(f32, &TokenMatches)> =
        compared.iter().map(|&matches| (matches.max_sim(), matches)).collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0));
    nearest.truncate(NEAREST);
    let wholes: Vec<Vec<f32>> = nearest.iter().map(|(_, matches)| matches.whole()).collect();
    let ranges = nearest.first().map_or(&[][..], |(_, matches)| matches.ranges.as_slice());
    let best = |token: usize| {
        wholes.iter().filter_map(|whole| whole.get(token)).copied().fold(f32::NEG_INFINITY, f32::max)
    };
    let of_query = |range: &Range<usize>| start + range.start..start + range.end;
    ranges.iter().enumerate().map(|(token, range)| (of_query(range), best(token))).collect()
}

/// The pieces of a passage that are heads of a row, by the piece of the row; the sentences are the pieces from the second.
fn heads_beside(document: &Document, sentences: &[TextRange]) -> BTreeMap<usize, Vec<usize>> {
    let heads = |(at, &row): (usize, &TextRange)| {
        let heads = answer::heads_of(document, row);
        let is_head = |sentence: &TextRange| heads.iter().any(|head| head.contains(*sentence));
        let pieces = (1..).zip(sentences).filter(|(_, sentence)| is_head(sentence));
        let pieces: Vec<usize> = pieces.map(|(piece, _)| piece).collect();
        (!pieces.is_empty()).then_some((at + 1, pieces))
    };
    sentences.iter().enumerate().filter_map(heads).collect()
}

/// Pieces of a passage: where it stands, then the text of each sentence.
fn pieces(library: &Library, hit: &Hit) -> Vec<String> {
    let Some((document, chunk)) = passage(library, hit) else { return Vec::new() };
    let sentences = sentences_of((document, chunk)).into_iter();
    let texts = sentences.map(|range| document.layout.slice(range).to_owned());
    std::iter::once(place(document, chunk)).chain(texts).collect()
}

/// The names of the document and the headings above a passage. A question often names its document, as its file or
/// its title does, where the passage that answers does not.
fn place(document: &Document, chunk: &Chunk) -> String {
    let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    let stem = stem.replace(['_', '-'], " ");
    let names = std::iter::once(stem.as_str()).chain(document.title.as_deref());
    let names = names.map(|name| &name[..name.floor_char_boundary(NAME_LEN)]);
    let path = document.section_path(chunk);
    let mut parts: Vec<&str> = Vec::new();
    for part in names.chain(path.iter().map(String::as_str)) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts.join(" › ")
}

fn sentences_of((document, chunk): (&Document, &Chunk)) -> Vec<TextRange> {
    answer::sentences_of(document, &chunk.ranges)
}

fn passage<'l>(library: &'l Library, hit: &Hit) -> Option<(&'l Document, &'l Chunk)> {
    let segment = library.entry(hit.document)?.segment();
    Some((segment.document(), segment.chunk(hit.chunk)?))
}

#[cfg(test)]
mod tests {
    use document::Explanation;

    use super::*;

    #[test]
    fn the_best_passage_stands_above_the_mean_of_the_next_five() {
        assert_eq!(stands(vec![0.0, 0.75, 0.25, -9.0, 0.25, 0.25, 0.5]), 0.5);
        assert_eq!((stands(vec![0.75]), stands(Vec::new())), (0.0, 0.0));
    }

    #[test]
    fn of_passages_that_match_alike_the_nearest_comes_first_unless_one_has_no_vector() {
        let chunks_by = |cosines: [Option<f32>; 3]| {
            let hit = |chunk| Hit {
                document: DocumentIdx(0),
                chunk: ChunkId(chunk),
                score: 1.0,
                rank: chunk + 1,
                explanation: Explanation::default(),
            };
            let hits = vec![hit(0), hit(1), hit(2)];
            let compared = Compared { query: "term".to_owned(), hits, cosines: cosines.to_vec() };
            let ranges = vec![0..2, 2..4];
            let matches = TokenMatches { best: vec![0.5; 2], ranges };
            let (hits, _) = compared.ranked(&Library::new(), &vec![Some(matches); 3]);
            hits.iter().map(|hit| hit.chunk.0).collect::<Vec<_>>()
        };
        assert_eq!(chunks_by([Some(0.2), Some(0.6), Some(0.4)]), [1, 2, 0]);
        assert_eq!(chunks_by([Some(0.2), Some(0.6), None]), [0, 1, 2]);
    }
}
