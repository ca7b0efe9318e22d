//! Conflicts: provisions of different documents that cannot both hold. Both are shown; none is chosen silently.
//!
//! Two sentences conflict if their content words are the same and they differ in a number, in *may* against *must*, or in
//! a negation. Equal content words are required because "a broker keeps records for six years"
//! and "an insurer keeps records for ten" are two rules, not a conflict. Between two editions of one instrument, where
//! the same label stands for the same provision, a few words may differ. Numbers that name provisions or pages of an
//! enumeration are no amounts.
//!
//! Of two editions, dates and the sections' own legal status tell which is in force. Between two instruments the later
//! one does not prevail by date alone; that is left to the reader.
//!
//! Cost: analysis of the retrieved sentences, and a comparison of each cited sentence with those of other documents that
//! share its rarest words: nearly linear, and capped.

mod claim;

use std::collections::{BTreeMap, BTreeSet};

use document::{Document, DocumentIdx, TextRange};

use crate::answer::{Citation, Conflict, ConflictPlace, Evidence};
use crate::editions::{are_editions, is_later};
use crate::passage::sentences_of;
use claim::{Claim, ClaimReader};

/// Most conflicts of an answer.
const MAX_CONFLICTS: usize = 6;
/// Most sentences of the evidence that are compared.
const MAX_SENTENCES: usize = 600;
/// Fewest content words of a sentence; shorter ones are too general to conflict.
const MIN_WORDS: usize = 4;

/// A sentence of the evidence.
struct Sentence<'a> {
    document: DocumentIdx,
    source: &'a Document,
    range: TextRange,
    claim: Claim,
}

/// Conflicts between the citations and the rest of the evidence.
pub(crate) fn conflicts(citations: &[Citation], evidence: &[Evidence<'_>]) -> Vec<Conflict> {
    let documents: BTreeSet<DocumentIdx> = evidence.iter().map(|item| item.document).collect();
    if documents.len() < 2 {
        return Vec::new();
    }
    let reader = ClaimReader::new();
    let sentences = sentences(evidence, &reader);
    // By word, so that a sentence is compared only with those that share its rarest word.
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, sentence) in sentences.iter().enumerate() {
        for word in &sentence.claim.words {
            by_word.entry(word).or_default().push(at);
        }
    }
    let mut found: Vec<Conflict> = Vec::new();
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    for citation in citations {
        let cited = |one: &&Sentence<'_>| citation.overlaps(one.document, one.range);
        for (at, own) in sentences.iter().enumerate().filter(|(_, one)| cited(one)) {
            let near = own.claim.words.iter().filter_map(|word| by_word.get(word.as_str()));
            let mut near: Vec<&Vec<usize>> = near.collect();
            near.sort_by_key(|list| list.len());
            // Two rare words, since an edition may have changed one of them.
            let others: BTreeSet<usize> = near.iter().take(2).flat_map(|list| list.iter().copied()).collect();
            for other_at in others {
                let Some(other) = sentences.get(other_at).filter(|other| other.document != own.document)
                else {
                    continue;
                };
                let editions = are_editions(own.source, other.source);
                let same_label = editions && labels(own) == labels(other);
                let Some(kind) = own.claim.against(&other.claim, same_label) else { continue };
                if found.len() < MAX_CONFLICTS && seen.insert((at.min(other_at), at.max(other_at))) {
                    let places = vec![own.place(citations), other.place(citations)];
                    let in_force = in_force(&places, editions);
                    found.push(Conflict { kind, places, in_force });
                }
            }
        }
    }
    found
}

fn sentences<'a>(evidence: &[Evidence<'a>], reader: &ClaimReader) -> Vec<Sentence<'a>> {
    let mut seen: BTreeSet<(DocumentIdx, TextRange)> = BTreeSet::new();
    let mut sentences = Vec::new();
    for item in evidence {
        let Some(chunk) = item.source.chunks.get(item.chunk.idx()) else { continue };
        for range in sentences_of(item.source, &chunk.ranges) {
            if sentences.len() >= MAX_SENTENCES {
                return sentences;
            }
            if seen.insert((item.document, range)) {
                let claim = reader.read(item.source, range);
                // Characters of Chinese are about half a word.
                let n_min = if text::is_mostly_cjk(item.source.layout.slice(range)) {
                    2 * MIN_WORDS
                } else {
                    MIN_WORDS
                };
                if claim.words.len() >= n_min {
                    sentences.push(Sentence { document: item.document, source: item.source, range, claim });
                }
            }
        }
    }
    sentences
}

impl Sentence<'_> {
    fn place(&self, citations: &[Citation]) -> ConflictPlace {
        let holds = |citation: &&Citation| citation.overlaps(self.document, self.range);
        let section = self.source.tree.innermost(self.range);
        ConflictPlace {
            citation: citations.iter().find(holds).map(|citation| citation.id),
            document: self.document,
            section,
            range: self.range,
            quote: self.source.layout.slice(self.range).trim().to_owned(),
            date: self.source.tree.date().map(str::to_owned),
            legal_status: self.source.tree.legal_status(section),
        }
    }
}

/// The keys of the labels above a sentence, outermost first; empty in unnumbered text.
fn labels<'a>(sentence: &Sentence<'a>) -> Option<Vec<&'a str>> {
    let tree = &sentence.source.tree;
    let path = tree.path(sentence.source.tree.innermost(sentence.range));
    let keys = path.iter().filter_map(|id| tree.sections.get(id.idx())?.label.as_ref());
    let keys: Vec<&str> = keys.map(|label| label.key.as_str()).collect();
    (!keys.is_empty()).then_some(keys)
}

/// Index of the provision in force: one without a legal status before one with; of two editions, the later.
fn in_force(places: &[ConflictPlace], editions: bool) -> Option<usize> {
    let [a, b] = places else { return None };
    match (a.legal_status, b.legal_status) {
        (None, Some(_)) => return Some(0),
        (Some(_), None) => return Some(1),
        (Some(_), Some(_)) => return None,
        (None, None) => {}
    }
    let (Some(first), Some(second)) = (&a.date, &b.date) else { return None };
    if !editions {
        return None;
    }
    match (is_later(first, second), is_later(second, first)) {
        (true, _) => Some(0),
        (_, true) => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
