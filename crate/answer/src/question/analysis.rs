//! The analysis of a question: what it asks for, clause by clause, and the queries of its parts.

use std::collections::{BTreeMap, BTreeSet};

use super::cues::{ASKING, ASKING_ZH};
use super::extent::{Extent, extent};
use super::figure::{FigureKind, figure_kind, has_figure, values};
use super::kind::{AnswerKind, answer_kind, has_kind};
use super::parts::{QuestionPart, parts};
use super::place::{PlaceAsked, place_asked};
use super::words::{Concept, ConceptTerms, QuestionWords, tokens};
use crate::language::Language;
use document::Slice as _;

#[cfg(test)]
thread_local! {
    /// Analyses made by this thread.
    pub(crate) static N_ANALYSES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A question, analysed.
#[derive(Clone, Debug, Default)]
pub struct QuestionAnalysis {
    words: QuestionWords,
    clauses: Vec<Clause>,
    queries: Vec<QuestionWords>,
}

impl QuestionAnalysis {
    /// The analysis of a question.
    pub fn of(question: &str) -> Self {
        Self::with_concepts(question, &[])
    }

    /// The analysis of a question whose phrases have other names.
    pub fn with_concepts(question: &str, concepts: &[Concept]) -> Self {
        #[cfg(test)]
        N_ANALYSES.with(|n| n.set(n.get() + 1));
        let words = QuestionWords::of(question, concepts);
        let whole = Clause::of(&words);
        let parts = if whole.language == Language::Chinese { Vec::new() } else { parts(question) };
        if parts.len() < 2 {
            return Self { words, clauses: vec![whole], queries: Vec::new() };
        }
        let query = |part: &QuestionPart| {
            if part.query == question { words.clone() } else { QuestionWords::of(&part.query, concepts) }
        };
        let queries = parts.iter().map(query).collect();
        let clause = |part: QuestionPart| {
            let own = Clause::of(&QuestionWords::of(question.get(part.range)?, &[]));
            // "and when?" has no terms of its own: it asks the same of the same.
            let focus: BTreeSet<String> = own.terms.keys().cloned().collect();
            (!focus.is_empty()).then(|| Clause {
                terms: whole.terms.clone(),
                concepts: whole.concepts.clone(),
                focus,
                ..own
            })
        };
        let clauses: Vec<Clause> = parts.into_iter().filter_map(clause).collect();
        let clauses = if clauses.len() < 2 { vec![whole] } else { clauses };
        Self { words, clauses, queries }
    }

    /// The question.
    pub fn text(&self) -> &str {
        &self.words.text
    }

    /// Its words.
    pub fn words(&self) -> &QuestionWords {
        &self.words
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.clauses.first().map_or_else(Language::default, |clause| clause.language)
    }

    /// Clauses of the question: one for each part with terms of its own, else the whole question as one.
    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The queries of its parts, to be searched for one by one; empty if it asks one thing.
    pub(crate) fn queries(&self) -> &[QuestionWords] {
        &self.queries
    }
}

/// A question that asks one thing, or one part of a question that asks several.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// Content terms of the whole question, each with the word of the question it comes from.
    pub(crate) terms: BTreeMap<String, String>,
    /// Content terms that are neighbours in the question.
    pub(crate) pairs: Vec<(String, String)>,
    /// Content terms of this part; empty if the question asks one thing.
    pub(crate) focus: BTreeSet<String>,
    /// The kind of sentence that answers.
    pub(crate) kind: AnswerKind,
    figure: Option<FigureKind>,
    /// Place that is asked for, instead of what stands there.
    pub(crate) place: Option<PlaceAsked>,
    /// Terms of what a provision must do to answer; see [`text::Analyzer::forms`].
    pub(crate) forms: BTreeSet<String>,
    /// Extent of a provision that answers.
    pub(crate) extent: Extent,
    /// Language of the clause.
    pub(crate) language: Language,
    /// Concepts of the thesaurus in the whole question.
    pub(crate) concepts: Vec<ConceptTerms>,
}

impl Clause {
    fn of(words: &QuestionWords) -> Self {
        let question = words.text.as_str();
        let mut terms = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut last: Option<String> = None;
        let blanked = without_asking_words(question);
        let of_blanked = if blanked == question { None } else { Some(tokens(&blanked)) };
        for token in of_blanked.as_ref().unwrap_or(&words.tokens) {
            let word = question.slice(token.range.clone());
            let asks = ASKING.contains(&word.to_lowercase().as_str());
            // Of Chinese only the bigrams: single characters are in nearly every sentence.
            let is_weak = word.starts_with(text::is_cjk) && word.chars().nth(1).is_none();
            if asks || is_weak {
                continue;
            }
            if let Some(last) = last.replace(token.term.clone()) {
                pairs.push((last, token.term.clone()));
            }
            terms.entry(token.term.clone()).or_insert_with(|| word.to_owned());
        }
        let language = words.language;
        let figure = figure_kind(question, language);
        Self {
            terms,
            pairs,
            focus: BTreeSet::new(),
            kind: answer_kind(question, figure),
            figure,
            place: place_asked(question, language),
            forms: words.forms.clone(),
            extent: extent(question, language),
            language,
            concepts: words.concepts.clone(),
        }
    }

    /// Match of a sentence with the requested kind, 0 to 1.
    pub(crate) fn kind_in(&self, sentence: &str) -> f64 {
        match self.figure.filter(|_| self.language == Language::English) {
            Some(figure) => has_figure(figure, sentence),
            None if has_kind(self.kind, sentence) => 1.0,
            None => 0.0,
        }
    }

    /// True if one value answers by which sentences can be compared: a time, a sum or a share.
    pub(crate) fn asks_for_value(&self) -> bool {
        self.figure.is_some_and(FigureKind::is_comparable)
    }

    /// The different values in a sentence of the kind asked for, normalised.
    pub(crate) fn values_in(&self, sentence: &str) -> Vec<String> {
        self.figure.map(|figure| values(figure, sentence)).unwrap_or_default()
    }
}

/// The question with Chinese interrogatives blanked, so that byte offsets stay.
fn without_asking_words(question: &str) -> String {
    let mut blanked = question.to_owned();
    for word in ASKING_ZH {
        if blanked.contains(word) {
            blanked = blanked.replace(word, &" ".repeat(word.len()));
        }
    }
    blanked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(question: &str) -> Clause {
        Clause::of(&QuestionWords::of(question, &[]))
    }

    #[test]
    fn questions_ask_for_shapes() {
        let cases = [
            ("What does \"Qualified Investor\" mean?", AnswerKind::Definition),
            ("What does the term 'Qualified Investor' mean?", AnswerKind::Definition),
            ("How long must records be kept?", AnswerKind::Figure),
            ("What is the maximum fee?", AnswerKind::Figure),
            ("Must a firm notify the Regulator?", AnswerKind::Duty),
            ("Who signs the opinion?", AnswerKind::Other),
            ("什么是关联交易？", AnswerKind::Definition),
            ("董事会应当履行哪些职责？", AnswerKind::Duty),
        ];
        for (question, expected) in cases {
            assert_eq!(clause(question).kind, expected, "{question}");
        }
    }

    #[test]
    fn chinese_that_asks_is_blanked_in_place() {
        let question = "申请许可证有哪些条件？";
        let told = without_asking_words(question);
        assert_eq!(told.len(), question.len());
        assert!(told.starts_with("申请许可证 ") && told.ends_with("条件？"), "{told}");
        let terms = clause(question).terms;
        assert!(!terms.contains_key("哪些") && terms.contains_key("许可"), "{terms:?}");
    }

    #[test]
    fn what_is_asked_for_is_known_in_the_terms_of_the_analyzer() {
        assert!(clause("违反本办法会受到什么处罚？").forms.contains("=sanction"));
        assert!(clause("What is the penalty?").forms.is_empty());
    }

    #[test]
    fn asking_words_are_not_content() {
        let question = clause("How long must a firm keep the records?");
        let words: Vec<&str> = question.terms.values().map(String::as_str).collect();
        assert_eq!(words.len(), 3, "{words:?}");
        assert!(["firm", "keep", "records"].iter().all(|word| words.contains(word)), "{words:?}");
    }
}
