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
    /// Language of the text.
    pub(crate) language: Language,
}

impl QuestionWords {
    /// The words of a text.
    pub(crate) fn of(text: &str) -> Self {
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
        Self {
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
