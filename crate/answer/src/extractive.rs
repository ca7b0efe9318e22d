//! The answer without a model: the sentences that answer, cited.
//!
//! Every sentence of the passages found is a candidate. Its score is the share of the question's information
//! (terms weighted by idf) that it carries itself, the question's phrases that it repeats, what its headings
//! and its neighbours add, how well its passage ranked, and whether it has the shape asked for (a definition,
//! a figure, a duty). The best are taken while they stay close to the first and say something new; they are
//! shown in document order, cited best first. Cost: a few analyses of each candidate sentence; a whole ask over
//! 400 pages takes 26 ms in a browser (`tests/bench`).
//!
//! When the evidence does not suffice ([`crate::sufficiency()`]) the answer is "the documents do not say", with the
//! words that were not found and the nearest passages as citations.

use std::collections::{BTreeMap, BTreeSet};

use document::{ChunkId, Document, DocumentIdx, SectionId, TextRange};
use text::{Analyzer, AnalyzerKind};

use crate::citations::{Status, UnsupportedKind, locate};
use crate::conflicts::{Conflict, Note, conflicts, notes};
use crate::corpus::{Corpus, TermWeights};
use crate::follow::{Followed, follow};
use crate::language::Language;
use crate::passage::{section_at, sentences_of, whole};
use crate::question::{Asked, Question, defined_term};
use crate::sufficiency::{Sufficiency, sufficiency};

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
    /// A statement after the first has at least this share of the first one's score, 0 to 1.
    pub keep_share: f64,
    /// The most passages that are read, best first.
    pub max_passages: usize,
    /// The longest statement in bytes; a lead-in is joined to its list up to this.
    pub max_statement_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_statements: 4, keep_share: 0.72, max_passages: 12, max_statement_bytes: 900 }
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
    let Sufficiency { is_sufficient, missing, .. } = sufficiency(question, read, weights);
    let question = Question::new(question);
    let reader = Reader::new(&question, weights);
    let mut candidates = reader.candidates(read);
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
    let chosen = choose(&candidates, options);
    let sufficient = is_sufficient && !chosen.is_empty();

    let shown: Vec<&Candidate<'_>> = if sufficient { chosen } else { candidates.iter().take(3).collect() };
    let citations: Vec<Citation> =
        (1..).zip(&shown).filter_map(|(id, candidate)| candidate.cite(id, options)).collect();
    let mut in_order: Vec<&Citation> = citations.iter().collect();
    let best_of = |document: DocumentIdx| citations.iter().position(|citation| citation.document == document);
    in_order.sort_by_key(|citation| (best_of(citation.document), citation.range));
    let statements = if sufficient {
        in_order
            .iter()
            .map(|citation| Statement {
                text: citation.quote.clone(),
                citations: vec![citation.id],
                ..Statement::default()
            })
            .collect()
    } else {
        Vec::new()
    };
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

/// A sentence that may answer.
#[derive(Clone, Debug)]
struct Candidate<'a> {
    evidence: Evidence<'a>,
    section: SectionId,
    range: TextRange,
    /// The content terms of the question that it has itself.
    own: BTreeSet<String>,
    /// All its terms, to see whether another says the same.
    terms: BTreeSet<String>,
    /// Share of the question's weight in the sentence itself, and in it, its headings and its neighbours.
    covered: f64,
    covered_in_context: f64,
    score: f64,
}

impl Candidate<'_> {
    fn place(&self) -> (u32, TextRange) {
        (self.evidence.document.0, self.range)
    }

    fn cite(&self, id: u32, options: &Options) -> Option<Citation> {
        let layout = &self.evidence.source.layout;
        let range = whole(self.evidence.source, self.range, options.max_statement_bytes);
        let quote = layout.slice(range).trim().to_owned();
        let found = locate(&quote, layout.slice(range));
        let status = if found.is_some() { Status::Verified } else { Status::NotFound };
        (!quote.is_empty()).then_some(Citation {
            id,
            document: self.evidence.document,
            chunk: self.evidence.chunk,
            section: self.section,
            range,
            rest: Vec::new(),
            quote,
            status,
            score: self.score,
        })
    }
}

/// Greedily the best candidates that stay close to the first and are not said already.
fn choose<'c, 'a>(candidates: &'c [Candidate<'a>], options: &Options) -> Vec<&'c Candidate<'a>> {
    let mut chosen: Vec<&Candidate<'a>> = Vec::new();
    let floor = candidates.first().map_or(0.0, |best| best.score * options.keep_share);
    for candidate in candidates {
        if chosen.len() >= options.max_statements.max(1) || candidate.score < floor {
            break;
        }
        if chosen.iter().all(|earlier| !repeats(candidate, earlier)) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// Whether the smaller set of terms lies almost wholly in the other, or the ranges overlap.
fn repeats(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    if a.evidence.document == b.evidence.document && a.range.intersect(b.range).is_some() {
        return true;
    }
    let common = a.terms.intersection(&b.terms).count();
    let smaller = a.terms.len().min(b.terms.len());
    smaller > 0 && common * 10 >= smaller * 8
}

/// What reads sentences with the question in mind.
struct Reader<'q> {
    question: &'q Question,
    analyzer: Analyzer,
    weights: BTreeMap<&'q str, f64>,
    total: f64,
}

impl<'q> Reader<'q> {
    fn new(question: &'q Question, weights: &dyn TermWeights) -> Self {
        let weights: BTreeMap<&str, f64> =
            question.terms.keys().map(|term| (term.as_str(), weights.idf(term).max(0.1))).collect();
        let total = weights.values().sum::<f64>().max(f64::MIN_POSITIVE);
        Self { question, analyzer: Analyzer::new(AnalyzerKind::Default), weights, total }
    }

    fn terms(&self, text: &str) -> BTreeSet<String> {
        let mut terms = BTreeSet::new();
        self.analyzer.analyze(text, &mut |token| {
            terms.insert(token.term.to_owned());
        });
        terms
    }

    /// The question's share that a set of terms covers, 0 to 1.
    fn share(&self, terms: &BTreeSet<String>) -> f64 {
        self.weights.iter().filter(|(term, _)| terms.contains(**term)).map(|(_, weight)| weight).sum::<f64>()
            / self.total
    }

    fn candidates<'a>(&self, evidence: &[Evidence<'a>]) -> Vec<Candidate<'a>> {
        let best = evidence.iter().map(|item| item.score).fold(f32::NEG_INFINITY, f32::max);
        let worst = evidence.iter().map(|item| item.score).fold(f32::INFINITY, f32::min);
        let spread = f64::from(best - worst).max(f64::MIN_POSITIVE);
        let mut seen: BTreeSet<(u32, TextRange)> = BTreeSet::new();
        let mut candidates = Vec::new();
        for item in evidence {
            let Some(chunk) = item.source.chunks.get(item.chunk.idx()) else { continue };
            let prior = if best > worst { f64::from(item.score - worst) / spread } else { 1.0 };
            let sentences: Vec<(TextRange, BTreeSet<String>)> = sentences_of(item.source, &chunk.ranges)
                .into_iter()
                .map(|range| (range, self.terms(item.source.layout.slice(range))))
                .collect();
            for (at, (range, terms)) in sentences.iter().enumerate() {
                if !seen.insert((item.document.0, *range)) {
                    continue;
                }
                let section = section_at(item.source, *range);
                let neighbours = [at.checked_sub(1), at.checked_add(1)];
                let near = neighbours.iter().flatten().filter_map(|&other| sentences.get(other));
                let mut context: BTreeSet<String> =
                    self.terms(&item.source.tree.path_titles(section).join("\n"));
                if let Some(title) = &item.source.title {
                    context.extend(self.terms(title));
                }
                let in_headings = self.share(&terms.union(&context).cloned().collect());
                context.extend(near.flat_map(|(_, terms)| terms.iter().cloned()));
                context.extend(terms.iter().cloned());
                let own: BTreeSet<String> =
                    terms.iter().filter(|term| self.weights.contains_key(term.as_str())).cloned().collect();
                let mut candidate = Candidate {
                    evidence: *item,
                    section,
                    range: *range,
                    covered: self.share(terms),
                    covered_in_context: 0.5 * in_headings + 0.5 * self.share(&context),
                    own,
                    terms: terms.clone(),
                    score: 0.0,
                };
                candidate.score = self.score(&candidate, prior);
                candidates.push(candidate);
            }
        }
        candidates
    }

    fn score(&self, candidate: &Candidate<'_>, prior: f64) -> f64 {
        let sentence = candidate.evidence.source.layout.slice(candidate.range);
        let in_kind = !candidate.own.is_empty() && self.question.is_answered_in_kind(sentence);
        let kind = match self.question.asked {
            Asked::Anything => 0.0,
            Asked::Definition if self.defines(sentence) => 0.6,
            _ if in_kind => 0.15,
            _ => 0.0,
        };
        // A fragment of a few words seldom answers: what it lacks is in the sentence around it. And a sentence
        // of a hundred words has some of every question's.
        let n_terms = candidate.terms.len() as f64;
        let size = (0.5 + n_terms / 12.0).min(1.0) - 0.3 * ((n_terms - 35.0) / 65.0).clamp(0.0, 1.0);
        let words = 0.6 * candidate.covered + 0.2 * self.phrases(sentence);
        (words + 0.2 * candidate.covered_in_context + 0.2 * prior) * size + kind
    }

    /// The share of the question's pairs of neighbouring terms that are neighbours in the sentence too, at most
    /// one word between: "sole guarantor", "regulations extend".
    fn phrases(&self, sentence: &str) -> f64 {
        let mut positions: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        self.analyzer.analyze(sentence, &mut |token| {
            if self.weights.contains_key(token.term) {
                positions.entry(token.term.to_owned()).or_default().push(token.position);
            }
        });
        let near = |(first, second): &&(String, String)| {
            let (Some(first), Some(second)) = (positions.get(first), positions.get(second)) else {
                return false;
            };
            first.iter().any(|&a| second.iter().any(|&b| b > a && b - a <= 2))
        };
        let n_pairs = self.question.pairs.len();
        self.question.pairs.iter().filter(near).count() as f64 / n_pairs.max(1) as f64
    }

    /// Whether a sentence says what the question's words mean: they stand before its "means", and little else.
    fn defines(&self, sentence: &str) -> bool {
        let Some(term) = defined_term(sentence) else { return false };
        let terms = self.terms(term);
        !terms.is_empty() && self.share(&terms) >= 0.8 && terms.len() <= self.weights.len() + 3
    }
}

#[cfg(test)]
mod tests {
    use document::{Block, BlockKind, BlockStyle, Chunk, ChunkKind, Layout, Role, Section, Tree};

    use super::*;

    struct Flat;
    impl TermWeights for Flat {
        fn idf(&self, _: &str) -> f64 {
            1.0
        }
    }

    /// A document of one section whose blocks are these texts, all in one child.
    fn document(blocks: &[(BlockKind, &str)]) -> Document {
        let mut layout = Layout::default();
        for &(kind, text) in blocks {
            if !layout.text.is_empty() {
                layout.text.push('\n');
            }
            let start = layout.text.len();
            layout.text.push_str(text);
            layout.blocks.push(Block {
                kind,
                role: Role::Body,
                range: TextRange::new(start, layout.text.len()),
                style: BlockStyle::default(),
                marker: None,
            });
        }
        let all = TextRange::new(0, layout.text.len());
        let root = Section {
            parent: None,
            level: 0,
            label: None,
            title: String::new(),
            heading: None,
            range: all,
            blocks: Vec::new(),
            is_article: false,
        };
        let chunk = Chunk {
            kind: ChunkKind::Child,
            ranges: vec![all],
            section: SectionId(0),
            n_tokens: 0,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        Document {
            name: "a.pdf".to_owned(),
            layout,
            tree: Tree { sections: vec![root], ..Tree::default() },
            chunks: vec![chunk],
            ..Document::default()
        }
    }

    fn ask(question: &str, document: &Document) -> Answer {
        let evidence = Evidence {
            document: DocumentIdx(0),
            source: document,
            chunk: ChunkId(0),
            score: 1.0,
            cosine: None,
        };
        extractive(question, &[evidence], &Flat, &Options::default())
    }

    #[test]
    fn the_sentence_that_answers_is_quoted_and_cited() {
        let document = document(&[
            (BlockKind::Heading, "Records"),
            (
                BlockKind::Paragraph,
                "A firm is a good thing. A firm must keep its records for six years. Cats sleep.",
            ),
        ]);
        let answer = ask("How long must a firm keep its records?", &document);
        assert!(answer.sufficient);
        let best = &answer.citations[0];
        assert_eq!(best.quote, "A firm must keep its records for six years.");
        assert_eq!(document.layout.slice(best.range), best.quote);
        assert_eq!((best.id, best.status), (1, Status::Verified));
        assert!(answer.text().contains("six years. [P1]"));
    }

    #[test]
    fn an_item_of_a_list_comes_with_its_lead_in() {
        let document = document(&[
            (BlockKind::Paragraph, "A licensed person must:"),
            (BlockKind::ListItem, "(a) act honestly;"),
            (BlockKind::ListItem, "(b) notify the Authority of every breach of the solvency margin."),
        ]);
        let answer = ask("What must be notified about a breach of the solvency margin?", &document);
        assert!(answer.citations[0].quote.starts_with("A licensed person must:"), "{answer:?}");
    }

    #[test]
    fn a_sentence_that_leads_into_a_list_comes_with_the_list() {
        let mut document = document(&[
            (BlockKind::Paragraph, "These Regulations come into force on the following dates:"),
            (BlockKind::ListItem, "(a) for regulation 3, on 26th April;"),
            (BlockKind::ListItem, "(b) otherwise, on 2nd September."),
            (BlockKind::Paragraph, "They extend to Wales."),
        ]);
        document.layout.blocks[1].style.indent.0 = 20.0;
        document.layout.blocks[2].style.indent.0 = 20.0;
        let answer = ask("When do these Regulations come into force?", &document);
        assert!(answer.citations[0].quote.ends_with("2nd September."), "{answer:?}");
    }

    #[test]
    fn a_definition_is_preferred_to_what_only_uses_the_term() {
        let document = document(&[
            (
                BlockKind::Paragraph,
                "The Agent shall notify the Borrower of the Scheduled Termination Date and of any later Scheduled Termination Date.",
            ),
            (
                BlockKind::Paragraph,
                "“Scheduled Termination Date” means February 28, 2025, subject to extension.",
            ),
        ]);
        let answer = ask("What is the Scheduled Termination Date?", &document);
        assert!(answer.citations[0].quote.contains("means February 28"), "{answer:?}");
    }

    #[test]
    fn what_the_documents_do_not_say_is_said_with_the_words_that_are_missing() {
        let document = document(&[(BlockKind::Paragraph, "A firm must keep its records for six years.")]);
        let answer = ask("Which helicopter licence applies on Mars?", &document);
        assert!(!answer.sufficient && answer.statements.is_empty());
        assert!(answer.missing.iter().any(|word| word == "helicopter"));
        assert!(answer.text().starts_with("The documents do not say."));
        assert!(!answer.citations.is_empty(), "the nearest passages are shown");
    }

    #[test]
    fn statements_follow_the_document_and_citations_the_score() {
        let document = document(&[(
            BlockKind::Paragraph,
            "Records of complaints go to the compliance officer. Records of complaints are kept by the firm for six years after closing.",
        )]);
        let answer =
            ask("For how many years are records of complaints kept by the firm after closing?", &document);
        assert!(answer.citations[0].quote.contains("six years"));
        let order: Vec<u32> =
            answer.statements.iter().flat_map(|statement| statement.citations.clone()).collect();
        let mut by_place: Vec<&Citation> = answer.citations.iter().collect();
        by_place.sort_by_key(|citation| citation.range);
        assert_eq!(order, by_place.iter().map(|citation| citation.id).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_found_is_an_answer_too() {
        let answer = extractive("What now?", &[], &Flat, &Options::default());
        assert!(!answer.sufficient && answer.citations.is_empty());
    }
}
