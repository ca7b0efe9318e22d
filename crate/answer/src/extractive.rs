//! The answer without a model: the sentences that answer, cited.
//!
//! Every sentence of the passages found is a candidate. Its score is the share of the question's information
//! (terms weighted by idf) that it carries itself, the question's phrases that it repeats, what its headings
//! and its neighbours add, how well its passage ranked, and whether it has the shape asked for (a definition,
//! a figure of the kind, a duty). So are the rows of tables, read with the heads of their columns, and the notes that the
//! passages call. From the sentences follow the provisions that are quoted, and from the form of the question how
//! much of each (`extractive/compose.rs`); a row is quoted with its heads, a note whole, a sentence with the notes that
//! bear on the question. A question that asks several things is answered part by part, each from what was found for it.
//! They are shown in document order, cited best first. Cost: for each part of the question a few analyses of each
//! candidate sentence; a whole ask over 10,000 passages takes 18 ms in Chromium (`tests/bench/answering.mjs`).
//!
//! When the evidence does not suffice ([`crate::sufficiency()`]) the answer is "the documents do not say", with the
//! words that were not found and the nearest passages as citations.

mod compose;
mod reader;

use document::{ChunkId, Document, DocumentIdx, SectionId, TextRange};

use crate::ambiguity::several_cases;
use crate::conflicts::{Conflict, Note, conflicts, notes};
use crate::corpus::{Corpus, TermWeights};
use crate::follow::{Followed, follow};
use crate::language::Language;
use crate::passage::{MAX_NOTE_BYTES, heads_of, note_ranges, notes_called, own_words, quoted, section_at};
use crate::question::{Question, asked_in_parts};
use crate::score_filter::ScoreFilter;
use crate::sufficiency::{SUFFICIENT, Sufficiency, sufficiency};
use citations::{Status, UnsupportedKind, locate};
use compose::{Found, choose, provisions};
use reader::Reader;

/// The most provisions that are quoted for a part of a question that asks several things.
const PER_PART: usize = 2;
/// How much of the rank of a passage is that for the part at hand, 0 to 1.
const PART_SHARE: f64 = 0.7;
/// A part that what was found for it answers with less than this probability is not answered, where another is.
const UNANSWERED: f64 = 0.1;
/// The most passages that are read of those found for a part.
const MAX_FOR_PART: usize = 6;

/// A passage that retrieval found, best first in the list handed over.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The document's place in the library.
    pub document: DocumentIdx,
    /// The document.
    pub source: &'a Document,
    /// The passage.
    pub chunk: ChunkId,
    /// Its retrieval score.
    pub score: f32,
    /// Cosine of its vector to the question's, -1 to 1, where vectors were used.
    pub cosine: Option<f32>,
}

/// How the answer is picked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most statements in an answer, 1 or more.
    pub max_statements: usize,
    /// The most provisions that are quoted, 1 or more.
    pub max_provisions: usize,
    /// Also cut by these bounds; `None` leaves it to [`Self::beside_share`].
    pub filter: Option<ScoreFilter>,
    /// A provision beside the first scores at least this share of it, 0 to 1.
    pub beside_share: f64,
    /// The same for a question in Chinese, where an article says all of a matter.
    pub beside_share_zh: f64,
    /// How much of a provision's score is the rank of its passage, 0 to 1; the rest is that of its best sentence.
    pub rank_share: f64,
    /// A piece of a provision is quoted that fits the question by at least this share of the best, 0 to 1.
    pub keep_share: f64,
    /// The probability below which the documents do not say, 0 to 1; at 0 something is always answered.
    pub sufficient: f64,
    /// The most passages that are read, best first.
    pub max_passages: usize,
    /// The longest provision that is read as one, in bytes.
    pub max_provision_bytes: usize,
    /// The longest provision that is quoted whole, in bytes.
    pub max_whole_bytes: usize,
    /// The longest statement in bytes; a lead-in is joined to its list up to this.
    pub max_statement_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_statements: 8,
            max_provisions: 4,
            filter: None,
            beside_share: 0.65,
            beside_share_zh: 0.98,
            rank_share: 0.4,
            keep_share: 0.72,
            sufficient: SUFFICIENT,
            max_passages: 12,
            max_provision_bytes: 8_000,
            max_whole_bytes: 2_000,
            max_statement_bytes: 900,
        }
    }
}

/// A sentence of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statement {
    /// Its text without marks; of an extracted answer, the quotation of its citation.
    pub text: String,
    /// The [`Citation::id`]s it rests on.
    pub citations: Vec<u32>,
    /// Words of it that what it cites does not bear out.
    pub doubts: Vec<Doubt>,
    /// Passages that a model cited and was never given.
    pub unknown: Vec<u32>,
    /// Whether it goes on in the line of the one before.
    pub continues: bool,
}

/// Words of a statement that what it cites does not bear out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What they are.
    pub kind: UnsupportedKind,
    /// The words.
    pub text: String,
}

/// A pinpoint reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// Its number in the answer, from 1: the order of the list, best first.
    pub id: u32,
    /// The document.
    pub document: DocumentIdx,
    /// The passage it was found in.
    pub chunk: ChunkId,
    /// The innermost section that holds it.
    pub section: SectionId,
    /// Where it stands in the document's text.
    pub range: TextRange,
    /// Where it goes on, when notes, the ends of passages, or other rows than those quoted stand between.
    pub rest: Vec<TextRange>,
    /// The words.
    pub quote: String,
    /// Whether they stand there.
    pub status: Status,
    /// The score by which the list is ordered, 0 to about 1.5.
    pub score: f64,
}

impl Citation {
    /// All that it stands on, in order.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = TextRange> + '_ {
        std::iter::once(self.range).chain(self.rest.iter().copied())
    }
}

/// An answer made of quotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The statements in document order; empty when the documents do not say.
    pub statements: Vec<Statement>,
    /// What they rest on, best first. When the documents do not say: the nearest passages.
    pub citations: Vec<Citation>,
    /// Whether the evidence suffices, and where a model checked its own answer, bears it out.
    pub sufficient: bool,
    /// Content words of the question that the passages read do not contain.
    pub missing: Vec<String>,
    /// What the answerer says in its own voice, in the question's language; empty when the evidence suffices for all
    /// that is asked.
    pub message: String,
    /// What the statements lean on.
    pub followed: Vec<Followed>,
    /// Places that cannot both be right, one of each cited.
    pub conflicts: Vec<Conflict>,
    /// What must be known of the citations.
    pub notes: Vec<Note>,
}

impl Answer {
    /// The same with what its statements lean on, what contradicts them, and whether they still hold.
    pub fn complete(self, question: &str, evidence: &[Evidence<'_>], corpus: &dyn Corpus) -> Self {
        let followed = if self.sufficient { follow(question, &self.citations, corpus) } else { Vec::new() };
        let conflicts = conflicts(&self.citations, evidence);
        let mut notes = notes(&self.citations, evidence, corpus);
        if self.sufficient {
            let citations = several_cases(question, &self.citations, corpus);
            notes.extend((!citations.is_empty()).then_some(Note::SeveralCases { citations }));
        }
        Self { followed, conflicts, notes, ..self }
    }

    /// The answer as one text: the message, where there is one, and the statements with their marks (`… [P1]`).
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        for statement in &self.statements {
            if !text.is_empty() {
                text.push(if statement.continues { ' ' } else { '\n' });
            }
            text.push_str(&statement.text);
            for id in &statement.citations {
                text.push_str(&format!(" [P{id}]"));
            }
        }
        text
    }
}

/// Answers `question` from `evidence` alone. `parts` is what was found for each part of a question that asks several
/// things; without it all parts are answered from the evidence.
pub fn extractive(
    question: &str,
    evidence: &[Evidence<'_>],
    parts: &[Vec<Evidence<'_>>],
    weights: &dyn TermWeights,
    options: &Options,
) -> Answer {
    let read = evidence.get(..options.max_passages.min(evidence.len())).unwrap_or_default();
    let Sufficiency { probability: of_whole, mut missing, .. } = sufficiency(question, read, weights);
    // No passage need have the words of two questions together: each part is judged by what was found for it.
    let texts = asked_in_parts(question);
    let of_parts: Vec<Sufficiency> = if texts.len() == parts.len() {
        texts.iter().zip(parts).map(|(text, found)| sufficiency(text, found, weights)).collect()
    } else {
        Vec::new()
    };
    let sum: f64 = of_parts.iter().map(|part| part.probability).sum();
    let probability = sum / of_parts.len().max(1) as f64;
    let probability = probability.max(of_whole);
    let asked = Question::parts(question);
    let readers: Vec<Reader<'_>> = asked.iter().map(|part| Reader::new(part, weights)).collect();
    // A part that the documents do not answer is left open, not answered by what is nearest.
    let is_open = |at: usize| {
        asked.len() == of_parts.len()
            && of_parts.iter().any(|part| part.probability >= options.sufficient)
            && of_parts.get(at).is_some_and(|part| part.probability < UNANSWERED)
    };
    let open: Vec<&str> = (0..texts.len())
        .filter(|at| is_open(*at))
        .filter_map(|at| texts.get(at))
        .map(String::as_str)
        .collect();
    for (_, part) in of_parts.iter().enumerate().filter(|(at, _)| is_open(*at)) {
        missing
            .extend(part.missing.iter().filter(|word| !missing.contains(word)).cloned().collect::<Vec<_>>());
    }
    let found = |(at, reader): (usize, &Reader<'_>)| {
        if is_open(at) {
            return Vec::new();
        }
        let own = parts.get(at).filter(|_| asked.len() == parts.len());
        let mut candidates = reader.candidates(&ranked(read, own.map_or(&[], Vec::as_slice)));
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
        provisions(&candidates, options)
    };
    let found: Vec<Vec<Found<'_>>> = readers.iter().enumerate().map(found).collect();
    let sufficient = probability >= options.sufficient && found.iter().any(|found| !found.is_empty());

    let citations = cite(&found, &readers, sufficient, options);
    let mut in_order: Vec<&Citation> = citations.iter().collect();
    let best_of = |document: DocumentIdx| citations.iter().position(|citation| citation.document == document);
    in_order.sort_by_key(|citation| (best_of(citation.document), citation.range));
    let statement = |citation: &&Citation| Statement {
        text: citation.quote.clone(),
        citations: vec![citation.id],
        ..Statement::default()
    };
    let statements = if sufficient { in_order.iter().map(statement).collect() } else { Vec::new() };
    let message = if sufficient { left_open(&open) } else { refusal(Language::of(question), &missing) };
    Answer {
        statements,
        citations,
        sufficient,
        missing,
        message,
        followed: Vec::new(),
        conflicts: Vec::new(),
        notes: Vec::new(),
    }
}

/// The passages with how well they ranked, 0 to 1: for the question, and with those found for the part at hand, for
/// both alike.
fn ranked<'a>(evidence: &[Evidence<'a>], part: &[Evidence<'a>]) -> Vec<(Evidence<'a>, f64)> {
    let own = priors(evidence);
    if part.is_empty() {
        return evidence.iter().copied().zip(own).collect();
    }
    let part = part.get(..MAX_FOR_PART.min(part.len())).unwrap_or_default();
    let of_part = priors(part);
    let key = |item: &Evidence<'_>| (item.document, item.chunk);
    let mut ranked: Vec<(Evidence<'a>, f64)> = Vec::new();
    for (item, prior) in evidence.iter().zip(own) {
        let same = part.iter().zip(&of_part).find(|(other, _)| key(other) == key(item));
        ranked.push((*item, (1.0 - PART_SHARE) * prior + PART_SHARE * same.map_or(0.0, |(_, prior)| *prior)));
    }
    for (item, prior) in part.iter().zip(&of_part) {
        if !evidence.iter().any(|other| key(other) == key(item)) {
            ranked.push((*item, PART_SHARE * prior));
        }
    }
    // Stable: of equals the order of the question's own list.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

fn priors(evidence: &[Evidence<'_>]) -> Vec<f64> {
    let best = evidence.iter().map(|item| item.score).fold(f32::NEG_INFINITY, f32::max);
    let worst = evidence.iter().map(|item| item.score).fold(f32::INFINITY, f32::min);
    let spread = f64::from(best - worst).max(f64::MIN_POSITIVE);
    let prior = |item: &Evidence<'_>| if best > worst { f64::from(item.score - worst) / spread } else { 1.0 };
    evidence.iter().map(prior).collect()
}

/// What is quoted of the provisions that answer, part by part of the question in turn, or the three nearest where
/// none does.
fn cite(
    found: &[Vec<Found<'_>>],
    readers: &[Reader<'_>],
    sufficient: bool,
    options: &Options,
) -> Vec<Citation> {
    let each = if found.len() > 1 { PER_PART } else { options.max_provisions };
    let shown: Vec<Vec<&Found<'_>>> = found
        .iter()
        .zip(readers)
        .map(|(found, reader)| {
            if sufficient {
                choose(found, reader.question.language, &Options { max_provisions: each, ..*options })
            } else {
                found.iter().take(3).collect()
            }
        })
        .collect();
    let n_turns = shown.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..n_turns)
        .flat_map(|turn| shown.iter().zip(readers).map(move |(shown, reader)| (shown.get(turn), reader)));
    let mut citations: Vec<Citation> = Vec::new();
    for (one, reader) in in_turn {
        let Some(one) = one else { continue };
        for range in one.quoted(reader, options) {
            if citations.len() >= options.max_statements.max(1) {
                return citations;
            }
            push(&mut citations, one, range);
            for note in notes_of(one.evidence.source, range, reader) {
                if citations.len() < options.max_statements.max(1) {
                    push(&mut citations, one, note);
                }
            }
        }
    }
    citations
}

/// The notes that a quoted range calls, where they bear on the question: short, and with a word of it or with the
/// figure that it asks for.
fn notes_of(source: &Document, range: TextRange, reader: &Reader<'_>) -> Vec<TextRange> {
    let notes = notes_called(source, range).into_iter().filter_map(|note| {
        match note_ranges(source, note).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    });
    let bears = |note: &TextRange| {
        let words = source.layout.slice(*note);
        words.len() <= MAX_NOTE_BYTES && reader.bears(words)
    };
    notes.filter(bears).collect()
}

/// Cites a range, with what heads it where it is a row, unless its words are cited already.
fn push(citations: &mut Vec<Citation>, one: &Found<'_>, range: TextRange) {
    let Evidence { document, source, chunk, .. } = one.evidence;
    let is_new = |earlier: &Citation| {
        earlier.document != document || earlier.ranges().all(|other| other.intersect(range).is_none())
    };
    let mut parts = heads_of(source, range);
    parts.extend(own_words(source, range));
    let Some((&first, rest)) = parts.split_first() else { return };
    let quote = quoted(source, &parts);
    if quote.is_empty() || !citations.iter().all(is_new) {
        return;
    }
    let stands = |part: &TextRange| {
        let slice = source.layout.slice(*part);
        locate(slice.trim(), slice).is_some()
    };
    let status = if parts.iter().all(stands) { Status::Verified } else { Status::NotFound };
    citations.push(Citation {
        id: u32::try_from(citations.len() + 1).unwrap_or(u32::MAX),
        document,
        chunk,
        section: section_at(source, range),
        range: first,
        rest: rest.to_vec(),
        quote,
        status,
        score: one.score,
    });
}

/// What is said of the parts of a question that are not answered beside those that are; such questions are English.
fn left_open(parts: &[&str]) -> String {
    let own = |part: &&str| {
        ["and ", "or ", "but "].iter().find_map(|joined| part.strip_prefix(joined)).unwrap_or(part).to_owned()
    };
    let quoted: Vec<String> = parts.iter().map(|part| format!("“{}”", own(part))).collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!("The documents do not say: {}.", quoted.join("; "))
    }
}

fn refusal(language: Language, missing: &[String]) -> String {
    let list = missing.join(", ");
    match (language, missing.is_empty()) {
        (Language::English, true) => {
            "The documents do not say. The nearest passages are listed below.".to_owned()
        }
        (Language::English, false) => {
            format!(
                "The documents do not say. Nothing was found about: {list}. The nearest passages are listed below."
            )
        }
        (Language::Chinese, true) => "文件中没有相关规定。下列为最接近的段落。".to_owned(),
        (Language::Chinese, false) => format!("文件中没有相关规定。未找到：{list}。下列为最接近的段落。"),
    }
}

#[cfg(test)]
mod tests;
