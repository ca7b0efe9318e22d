//! The answer without a model: the sentences that answer, cited.
//!
//! Every sentence of the passages found is a candidate. Its score is the share of the question's information
//! (terms weighted by idf) that it carries itself, the question's phrases that it repeats, what its headings
//! and its neighbours add, how well its passage ranked, and whether it has the shape asked for (a definition,
//! a figure, a duty). From the sentences follow the provisions that are quoted, and from the form of the question how
//! much of each (`extractive/compose.rs`). They are shown in document order, cited best first. Cost: a few analyses of
//! each candidate sentence; a whole ask over 10,000 passages takes 16 ms in wasm (`tests/bench/answering.mjs`).
//!
//! When the evidence does not suffice ([`crate::sufficiency()`]) the answer is "the documents do not say", with the
//! words that were not found and the nearest passages as citations.

mod compose;
mod reader;

use document::{ChunkId, Document, DocumentIdx, SectionId, TextRange};

use crate::citations::{Status, UnsupportedKind, locate};
use crate::conflicts::{Conflict, Note, conflicts, notes};
use crate::corpus::{Corpus, TermWeights};
use crate::follow::{Followed, follow};
use crate::language::Language;
use crate::passage::{own_words, section_at};
use crate::question::Question;
use crate::score_filter::ScoreFilter;
use crate::sufficiency::{SUFFICIENT, Sufficiency, sufficiency};
use compose::{Found, choose, provisions};
use reader::Reader;

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
    /// Where it goes on, when notes or the ends of passages stand between.
    pub rest: Vec<TextRange>,
    /// The words.
    pub quote: String,
    /// Whether they stand there.
    pub status: Status,
    /// The score by which the list is ordered, 0 to about 1.5.
    pub score: f64,
}

/// An answer made of quotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The statements in document order; empty when the documents do not say.
    pub statements: Vec<Statement>,
    /// What they rest on, best first. When the documents do not say: the nearest passages.
    pub citations: Vec<Citation>,
    /// Whether the evidence suffices.
    pub sufficient: bool,
    /// Content words of the question that the passages read do not contain.
    pub missing: Vec<String>,
    /// What the answerer says in its own voice, in the question's language; empty when the evidence suffices.
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
        let notes = notes(&self.citations, evidence, corpus);
        Self { followed, conflicts, notes, ..self }
    }

    /// The answer as one text: statements with their marks (`… [P1]`), or the message.
    pub fn text(&self) -> String {
        if !self.sufficient {
            return self.message.clone();
        }
        let mut text = String::new();
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

/// Answers `question` from `evidence` alone.
pub fn extractive(
    question: &str,
    evidence: &[Evidence<'_>],
    weights: &dyn TermWeights,
    options: &Options,
) -> Answer {
    let read = evidence.get(..options.max_passages.min(evidence.len())).unwrap_or_default();
    let Sufficiency { probability, missing, .. } = sufficiency(question, read, weights);
    let question = Question::new(question);
    let reader = Reader::new(&question, weights);
    let mut candidates = reader.candidates(read);
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
    let found = provisions(&candidates, options);
    let sufficient = probability >= options.sufficient && !found.is_empty();

    let citations = cite(&found, &reader, sufficient, options);
    let mut in_order: Vec<&Citation> = citations.iter().collect();
    let best_of = |document: DocumentIdx| citations.iter().position(|citation| citation.document == document);
    in_order.sort_by_key(|citation| (best_of(citation.document), citation.range));
    let statement = |citation: &&Citation| Statement {
        text: citation.quote.clone(),
        citations: vec![citation.id],
        ..Statement::default()
    };
    let statements = if sufficient { in_order.iter().map(statement).collect() } else { Vec::new() };
    let message = if sufficient { String::new() } else { refusal(question.language, &missing) };
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

/// What is quoted of the provisions that answer, or the three nearest where none does.
fn cite(found: &[Found<'_>], reader: &Reader<'_>, sufficient: bool, options: &Options) -> Vec<Citation> {
    let shown = if sufficient {
        choose(found, reader.question.language, options)
    } else {
        found.iter().take(3).collect()
    };
    let mut citations: Vec<Citation> = Vec::new();
    for one in shown {
        for range in one.quoted(reader, options) {
            if citations.len() >= options.max_statements.max(1) {
                return citations;
            }
            let Evidence { document, source, chunk, .. } = one.evidence;
            let is_new = |earlier: &Citation| {
                let mut ranges = earlier.rest.iter().chain([&earlier.range]);
                earlier.document != document || ranges.all(|other| other.intersect(range).is_none())
            };
            let parts = own_words(source, range);
            let Some((&first, rest)) = parts.split_first() else { continue };
            let words: Vec<&str> = parts.iter().map(|&part| source.layout.slice(part).trim()).collect();
            let quote = words.join("\n");
            if quote.is_empty() || !citations.iter().all(is_new) {
                continue;
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
    }
    citations
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
