//! Provisions that cannot both hold, and provisions that may no longer hold: both are shown, none is chosen quietly.
//!
//! Two sentences of different documents conflict when they say the same of the same with another number, another
//! *may* or *must*, or a *not* more. So their content words must be the same: "a broker keeps records for six years"
//! and "an insurer keeps records for ten" are two rules, not a conflict. Between two editions of one instrument, where
//! the same label stands for the same provision, a few words may differ. Numbers that name provisions or pages of an
//! enumeration are no amounts.
//!
//! Which of two editions is in force is known by their dates and by what sections say of themselves. Of two
//! instruments the later does not go before the earlier by itself; that is left to the reader.
//!
//! Cost: an analysis of the sentences of the passages that were retrieved, and a look at each pair of a cited
//! sentence with one of another document that shares its rarest words: near linear, and capped.

mod claim;

use std::collections::{BTreeMap, BTreeSet};

use document::{Document, DocumentIdx, LegalStatus, SectionId, TextRange};

use crate::corpus::Corpus;
use crate::extractive::{Citation, Evidence};
use crate::passage::{section_at, sentences_of};
use claim::{Claim, ClaimReader};

/// The most conflicts that are shown.
const MAX_CONFLICTS: usize = 6;
/// The most sentences of the evidence that are compared.
const MAX_SENTENCES: usize = 600;
/// Sentences with fewer content words are too general to contradict each other.
const MIN_WORDS: usize = 4;
/// Two places that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What differs.
    pub kind: ConflictKind,
    /// The places; a cited one first.
    pub places: Vec<ConflictPlace>,
    /// Which of the places is in force, where dates or the documents' own words say so.
    pub in_force: Option<usize>,
}

/// What differs between two places that say the same otherwise. The first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// One says not.
    Negation,
    /// One permits what the other demands.
    Modality,
    /// Numbers, amounts or dates.
    Number,
    /// Two editions of a provision, in other words.
    Wording,
}

impl ConflictKind {
    /// The name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Modality => "modality",
            Self::Number => "number",
            Self::Wording => "wording",
        }
    }
}

/// A place of a conflict. The quotation is a copy of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictPlace {
    /// The [`Citation::id`] that it lies in, where it is cited.
    pub citation: Option<u32>,
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section.
    pub section: SectionId,
    /// Where it stands in the document's text.
    pub range: TextRange,
    /// The words.
    pub quote: String,
    /// The document's date: `2023-07-01`, `2023-07`, `2023`.
    pub date: Option<String>,
    /// What the section says, if it says that it holds no law.
    pub legal_status: Option<LegalStatus>,
}

/// Something that a reader of citations must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The provision says that it holds no law.
    Withdrawn {
        /// The [`Citation::id`].
        citation: u32,
        /// What it says.
        legal_status: LegalStatus,
    },
    /// The library has a later edition of the instrument.
    LaterEdition {
        /// The [`Citation::id`].
        citation: u32,
        /// Its document's date.
        date: String,
        /// The document of the later edition, the latest that the evidence has.
        later: DocumentIdx,
        /// Its date.
        later_date: String,
    },
    /// The citations answer for different cases, and the question names none of them.
    SeveralCases {
        /// The [`Citation::id`]s, one for each case.
        citations: Vec<u32>,
    },
}

/// A sentence of the evidence.
struct Sentence<'a> {
    document: DocumentIdx,
    source: &'a Document,
    range: TextRange,
    claim: Claim,
}

/// The conflicts of what is cited with the rest of the evidence.
pub fn conflicts(citations: &[Citation], evidence: &[Evidence<'_>]) -> Vec<Conflict> {
    let documents: BTreeSet<DocumentIdx> = evidence.iter().map(|item| item.document).collect();
    if documents.len() < 2 {
        return Vec::new();
    }
    let reader = ClaimReader::new();
    let sentences = sentences(evidence, &reader);
    // By word, so that a sentence meets only those that share its rarest one here.
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, sentence) in sentences.iter().enumerate() {
        for word in &sentence.claim.words {
            by_word.entry(word).or_default().push(at);
        }
    }
    let mut found: Vec<Conflict> = Vec::new();
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    for citation in citations {
        let cited = |one: &&Sentence<'_>| {
            one.document == citation.document
                && citation.ranges().any(|range| range.intersect(one.range).is_some())
        };
        for (at, own) in sentences.iter().enumerate().filter(|(_, one)| cited(one)) {
            let near = own.claim.words.iter().filter_map(|word| by_word.get(word.as_str()));
            let mut near: Vec<&Vec<usize>> = near.collect();
            near.sort_by_key(|list| list.len());
            // Two rare words: the one may be what an edition has changed.
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

/// What must be said of the citations: that they hold no law any more, that there is a later edition.
pub fn notes(citations: &[Citation], evidence: &[Evidence<'_>], corpus: &dyn Corpus) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut documents: Vec<(DocumentIdx, &Document)> =
        evidence.iter().map(|item| (item.document, item.source)).collect();
    documents.sort_by_key(|(at, _)| *at);
    documents.dedup_by_key(|(at, _)| *at);
    for citation in citations {
        let Some(source) = corpus.document(citation.document) else { continue };
        if let Some(legal_status) = source.tree.legal_status(citation.section) {
            notes.push(Note::Withdrawn { citation: citation.id, legal_status });
        }
        let Some(date) = source.tree.date() else { continue };
        let later = documents
            .iter()
            .filter(|(at, other)| *at != citation.document && are_editions(source, other))
            .filter_map(|(at, other)| Some((other.tree.date()?, *at)))
            .filter(|(other, _)| is_later(other, date))
            .max();
        if let Some((later_date, later)) = later {
            let (date, later_date) = (date.to_owned(), later_date.to_owned());
            notes.push(Note::LaterEdition { citation: citation.id, date, later, later_date });
        }
    }
    notes
}

/// Whether a date is later than another, as far as both go: `2023-07` is not later than `2023`.
fn is_later(date: &str, than: &str) -> bool {
    date > than && !date.starts_with(than)
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
        let holds = |citation: &&Citation| {
            citation.document == self.document
                && citation.ranges().any(|range| range.intersect(self.range).is_some())
        };
        let section = section_at(self.source, self.range);
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

/// The keys of the labels above a sentence, outermost first; none where nothing is numbered.
fn labels<'a>(sentence: &Sentence<'a>) -> Option<Vec<&'a str>> {
    let tree = &sentence.source.tree;
    let path = tree.path(section_at(sentence.source, sentence.range));
    let keys = path.iter().filter_map(|id| tree.sections.get(id.idx())?.label.as_ref());
    let keys: Vec<&str> = keys.map(|label| label.key.as_str()).collect();
    (!keys.is_empty()).then_some(keys)
}

/// Whether two documents are editions of one instrument: their names are the same without years and numbers of
/// versions, and at least one says what edition it is.
fn are_editions(a: &Document, b: &Document) -> bool {
    let name = |document: &Document| {
        let name = document.title.as_deref().unwrap_or(&document.name);
        let name = text::reference::normal_name(name);
        let bare = name.split(['(', '（']).next().unwrap_or_default().to_owned();
        let words = bare.split_whitespace().filter(|word| {
            let has_digit = word.chars().any(|c| c.is_ascii_digit());
            let says_edition =
                ["version", "edition", "consolidated", "amended", "revised", "as", "pdf", "ver"]
                    .contains(word);
            !has_digit && !says_edition
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let says = |document: &Document| !document.tree.editions.is_empty();
    let own = name(a);
    own.chars().nth(3).is_some() && own == name(b) && (says(a) || says(b))
}

/// Which of two places holds: what is not withdrawn before what is; of two editions the later.
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
