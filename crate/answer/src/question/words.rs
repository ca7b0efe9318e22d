//! The words of a question in order, with the provisions that it names.

use std::collections::BTreeSet;
use std::ops::Range;

use text::reference::{ProvisionReference, references};
use text::{Analyzer, AnalyzerKind};

use crate::language::Language;

/// A term of a question with the bytes it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuestionToken {
    /// Term of the analyzer.
    pub(crate) term: String,
    /// Bytes of the question.
    pub(crate) range: Range<usize>,
}

/// Other names of a phrase of a question, as a thesaurus has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concept {
    /// The phrase as printed in the question.
    pub phrase: String,
    /// Its other names.
    pub members: Vec<String>,
}

/// A concept in terms of the analyzer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConceptTerms {
    /// Terms of the phrase.
    pub(crate) phrase: BTreeSet<String>,
    /// Terms of each other name.
    pub(crate) members: Vec<BTreeSet<String>>,
}

impl ConceptTerms {
    fn of(concept: &Concept, analyzer: &Analyzer) -> Self {
        let terms = |text: &str| -> BTreeSet<String> { analyzer.terms(text).into_iter().collect() };
        let phrase = terms(&concept.phrase);
        let members = concept.members.iter().map(|member| terms(member));
        let members = members.filter(|member| !member.is_empty() && *member != phrase).collect();
        Self { phrase, members }
    }

    /// True if the text of `terms` names the concept by another name than the question does.
    pub(crate) fn is_in(&self, terms: &BTreeSet<String>) -> bool {
        self.members.iter().any(|member| member.is_subset(terms))
    }
}

/// The words of a question, or of a part of one that is searched for by itself.
#[derive(Clone, Debug, Default)]
pub struct QuestionWords {
    /// The text.
    pub(crate) text: String,
    /// Terms in order, repetitions kept.
    pub(crate) tokens: Vec<QuestionToken>,
    /// Terms of what the question asks a provision to do, such as `=sanction`; see [`Analyzer::forms`].
    pub(crate) forms: BTreeSet<String>,
    /// The provisions that the question names.
    pub(crate) references: Vec<ProvisionReference>,
    /// Concepts of the thesaurus in the text.
    pub(crate) concepts: Vec<ConceptTerms>,
    /// Language of the text.
    pub(crate) language: Language,
}

impl QuestionWords {
    /// The words of a text.
    pub(crate) fn of(text: &str, concepts: &[Concept]) -> Self {
        let analyzer = Analyzer::new(AnalyzerKind::Default);
        let mut tokens = Vec::new();
        let mut forms = BTreeSet::new();
        analyzer.analyze_question(text, &mut |token| {
            if text::is_form(token.term) {
                forms.insert(token.term.to_owned());
            } else {
                tokens.push(QuestionToken { term: token.term.to_owned(), range: token.range });
            }
        });
        let is_here = |concept: &ConceptTerms| {
            concept.phrase.iter().all(|term| tokens.iter().any(|token: &QuestionToken| token.term == *term))
        };
        let concepts = concepts.iter().map(|concept| ConceptTerms::of(concept, &analyzer)).filter(is_here);
        Self {
            concepts: concepts.collect(),
            text: text.to_owned(),
            tokens,
            forms,
            references: references(text),
            language: Language::of(text),
        }
    }
}

/// The terms of a text in order.
pub(super) fn tokens(text: &str) -> Vec<QuestionToken> {
    let mut tokens = Vec::new();
    Analyzer::new(AnalyzerKind::Default).analyze(text, &mut |token| {
        tokens.push(QuestionToken { term: token.term.to_owned(), range: token.range });
    });
    tokens
}
