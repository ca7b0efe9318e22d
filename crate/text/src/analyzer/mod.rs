//! Text to index terms, in one of two ways.
//!
//! [`AnalyzerKind::Default`] is what Pincite indexes with: words by UAX #29, NFKC and case folding, a short
//! stop list that keeps the words law turns on, Snowball's English stemmer; Chinese, Japanese and Korean as
//! characters and bigrams, because a dictionary would weigh more than the rest of the engine and would cut
//! words differently from browser to browser. [`AnalyzerKind::Lucene`] is Lucene's `EnglishAnalyzer`, to show
//! that our BM25 is Lucene's.
//!
//! A unit also has terms for what it does, and a question for what it asks: see `forms.rs`.
//!
//! The same analyzer must see documents and questions. It is recorded in every stored segment.

mod bigrams;
mod fold;
mod forms;
mod irregular;
mod kind;
mod prefilter;
mod split;
mod stem;
mod stop;
mod token;

use std::ops::Range;

use document::Slice as _;

pub use self::forms::is_form;
pub use self::kind::AnalyzerKind;
pub use self::prefilter::{Glance, Prefilter};
use self::stem::Stemmer;
pub use self::token::Token;
use crate::chars::is_cjk;

/// Turns text into terms. Cheap to make; holds no text.
pub struct Analyzer {
    kind: AnalyzerKind,
    stemmer: Stemmer,
}

impl Analyzer {
    /// An analyzer of this kind.
    pub fn new(kind: AnalyzerKind) -> Self {
        Self { kind, stemmer: Stemmer::new(kind) }
    }

    /// Its kind.
    pub fn kind(&self) -> AnalyzerKind {
        self.kind
    }

    /// Calls `f` with each token of the text in order. Linear in the length of the text.
    pub fn analyze(&self, text: &str, f: &mut dyn FnMut(Token<'_>)) {
        match self.kind {
            AnalyzerKind::Default => self.analyze_default(text, f),
            AnalyzerKind::Lucene => self.analyze_lucene(text, f),
        }
    }

    /// The terms of a text in order, repetitions kept: what a question is searched by.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.analyze(text, &mut |token| terms.push(token.term.to_owned()));
        terms
    }

    /// Calls `f` with each token of a question, then with those that say what it asks for: [`is_form`].
    pub fn analyze_question(&self, question: &str, f: &mut dyn FnMut(Token<'_>)) {
        self.analyze(question, f);
        if self.kind == AnalyzerKind::Default {
            for term in forms::asked(question) {
                for _ in 0..forms::N_ASKED {
                    f(Token { term, range: 0..question.len(), position: 0 });
                }
            }
        }
    }

    /// Terms for what a unit does, indexed beside its words. A question that asks for it has them too.
    pub fn forms(&self, text: &str) -> impl Iterator<Item = &'static str> {
        let text = if self.kind == AnalyzerKind::Default { text } else { "" };
        forms::done(text)
    }

    fn analyze_default(&self, text: &str, f: &mut dyn FnMut(Token<'_>)) {
        let mut position = 0;
        let mut term = String::new();
        let mut bigrams = bigrams::Bigrams::default();
        for (start, word) in split::words(text) {
            if word.chars().any(is_cjk) {
                position = bigrams.emit(start, word, position, f);
                continue;
            }
            let end = start + word.len();
            fold::word(word, &mut term);
            if !term.is_empty() && !stop::is_stop_word(&term) {
                irregular::regularise(&mut term);
                self.stemmer.stem(&mut term);
                f(Token { term: &term, range: start..end, position });
            }
            if let Some(label_end) = split::label_end(text, word, end) {
                fold::word(text.slice(start..label_end), &mut term);
                f(Token { term: &term, range: start..label_end, position });
            }
            position += 1;
        }
    }

    fn analyze_lucene(&self, text: &str, f: &mut dyn FnMut(Token<'_>)) {
        let mut position = 0;
        let mut term = String::new();
        split::lucene(text, &mut |range: Range<usize>, word: &str| {
            fold::lucene(word, &mut term);
            if !stop::is_lucene_stop_word(&term) {
                self.stemmer.stem(&mut term);
                f(Token { term: &term, range, position });
            }
            position += 1;
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(kind: AnalyzerKind, text: &str) -> Vec<String> {
        Analyzer::new(kind).terms(text)
    }

    #[test]
    fn default_terms() {
        let cases: &[(&str, &[&str])] = &[
            ("The Firm must not disclose", &["firm", "must", "not", "disclos"]),
            ("shall, may, must, not, no, unless", &["shall", "may", "must", "not", "no", "unless"]),
            ("Rule 3.2.1 applies", &["rule", "3.2.1", "appli"]),
            ("a 401(k) plan", &["401", "401(k)", "k", "plan"]),
            ("s 4.2(a)(iv)", &["s", "4.2", "4.2(a)(iv)", "iv"]),
            ("client’s clients'", &["client", "client"]),
            ("U.S.C. and e.g.", &["usc", "eg"]),
            ("ﬁnancial ＡＤＧＭ", &["financi", "adgm"]),
            ("co\u{AD}operate", &["cooper"]),
            ("第19条规定", &["第", "19", "条", "规", "条规", "定", "规定"]),
            ("cross-border", &["cross", "border"]),
            ("records kept by keepers keeping", &["record", "keep", "keeper", "keep"]),
            ("1,000,000 dirhams", &["1,000,000", "dirham"]),
        ];
        for (text, expected) in cases {
            assert_eq!(&terms(AnalyzerKind::Default, text), expected, "{text}");
        }
    }

    #[test]
    fn lucene_terms() {
        let cases: &[(&str, &[&str])] = &[
            ("The Firm must not disclose", &["firm", "must", "disclos"]),
            ("client's clients’ dogs’s", &["client", "client", "dog"]),
            ("note:the re: rule", &["note:th", "re", "rule"]),
            ("m² ½ x_y ___", &["m", "x_y"]),
            ("第十九条", &["第", "十", "九", "条"]),
            ("relational conditional rationally probabilities", &["relat", "condit", "ration", "probabl"]),
        ];
        for (text, expected) in cases {
            assert_eq!(&terms(AnalyzerKind::Lucene, text), expected, "{text}");
        }
    }

    #[test]
    fn a_bigram_shares_the_position_of_its_first_character() {
        let mut seen = Vec::new();
        Analyzer::new(AnalyzerKind::Default)
            .analyze("规定x", &mut |token| seen.push((token.term.to_owned(), token.range, token.position)));
        let expected = [
            ("规".to_owned(), 0..3, 0),
            ("定".to_owned(), 3..6, 1),
            ("规定".to_owned(), 0..6, 0),
            ("x".to_owned(), 6..7, 2),
        ];
        assert_eq!(seen, expected);
    }

    proptest! {
        #[test]
        fn ranges_are_slices_and_terms_are_not_empty(text in "\\PC{0,60}") {
            for kind in [AnalyzerKind::Default, AnalyzerKind::Lucene] {
                Analyzer::new(kind).analyze(&text, &mut |token| {
                    assert!(!token.term.is_empty());
                    assert!(text.get(token.range.clone()).is_some_and(|slice| !slice.is_empty()));
                });
            }
        }
    }
}
