//! A text as tokens, each with the term of the question that it matches.
//!
//! A text is cut at white space, which no term crosses. The tokens of such a segment are cached by its bytes, so that a
//! word is folded and stemmed once per question, or few times, however many candidates contain it. Han characters, which no
//! white space separates, are looked up one by one and in pairs, as the analyzer gives them.

mod cache;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use document::Slice as _;
use text::{Analyzer, AnalyzerKind};

use super::token::Token;
use cache::TokenCache;

/// Reads texts for one question.
pub struct TokenReader {
    analyzer: Analyzer,
    cache: TokenCache,
    /// Tokens of the segment that was analysed last.
    tokens: Vec<Token>,
    ids: BTreeMap<String, u16>,
    /// The question's terms of one Han character and of two.
    han: HashMap<(char, Option<char>), u16>,
    /// The first two bytes of the question's terms.
    prefixes: BTreeSet<[u8; 2]>,
}

impl TokenReader {
    /// A reader for the question with these terms. The analyzer is that of the question.
    pub fn new(kind: AnalyzerKind, ids: BTreeMap<String, u16>) -> Self {
        let (mut han, mut prefixes) = (HashMap::new(), BTreeSet::new());
        for (term, &id) in &ids {
            if let Some(&[first, second]) = term.as_bytes().get(..2) {
                prefixes.insert([first, second]);
            }
            let mut chars = term.chars();
            if let (Some(first), second, None) = (chars.next(), chars.next(), chars.next())
                && is_han(first)
                && second.is_none_or(is_han)
            {
                han.insert((first, second), id);
            }
        }
        let analyzer = Analyzer::new(kind);
        Self { analyzer, cache: TokenCache::default(), tokens: Vec::new(), ids, han, prefixes }
    }

    /// Passes the tokens of `text` to `sink`, in order.
    pub fn read(&mut self, text: &str, sink: &mut impl FnMut(Token)) {
        for segment in text.split_whitespace() {
            if !segment.is_ascii() && is_han_text(segment) {
                self.read_han(segment, sink);
            } else {
                self.read_segment(segment, sink);
            }
        }
    }

    /// Reads a segment for which [`is_han_text`] holds.
    fn read_han(&mut self, segment: &str, sink: &mut impl FnMut(Token)) {
        let (mut last, mut other_start) = (None, None);
        for (at, c) in segment.char_indices() {
            if !is_han(c) {
                other_start.get_or_insert(at);
                last = None;
                continue;
            }
            if let Some(start) = other_start.take() {
                self.read_segment(segment.slice(start..at), sink);
            }
            sink(Token { term: self.han.get(&(c, None)).copied(), is_word: true });
            if let Some(&term) = last.and_then(|last| self.han.get(&(last, Some(c)))) {
                sink(Token { term: Some(term), is_word: false });
            }
            last = Some(c);
        }
        if let Some(start) = other_start {
            self.read_segment(segment.slice(start..), sink);
        }
    }

    fn read_segment(&mut self, segment: &str, sink: &mut impl FnMut(Token)) {
        if let Some(tokens) = self.cache.get(segment) {
            tokens.iter().copied().for_each(sink);
            return;
        }
        self.analyze(segment);
        self.tokens.iter().copied().for_each(sink);
        self.cache.put(segment, &self.tokens);
    }

    /// Puts the tokens of a segment into `tokens`.
    fn analyze(&mut self, segment: &str) {
        let Self { analyzer, tokens, ids, prefixes, .. } = self;
        tokens.clear();
        if analyzer.beginning(segment).is_some_and(|prefix| !prefixes.contains(&prefix)) {
            tokens.push(Token { term: None, is_word: true });
            return;
        }
        let mut last_position = None;
        analyzer.analyze(segment, &mut |token| {
            let is_word = last_position.is_none_or(|last| token.position > last);
            if is_word {
                last_position = Some(token.position);
            }
            let term = ids.get(token.term).copied();
            if is_word || term.is_some() {
                tokens.push(Token { term, is_word });
            }
        });
    }
}

/// True for a Han character that is its own normal form.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}')
}

/// True for a text of Han characters whose other characters are tokens, or none, whatever precedes them. Other scripts
/// without spaces and combining marks need the analyzer.
fn is_han_text(text: &str) -> bool {
    let (mut any, mut after_han) = (false, false);
    for c in text.chars() {
        if is_han(c) {
            (any, after_han) = (true, true);
            continue;
        }
        let stands_alone = c.is_ascii()
            || matches!(c, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{FF01}'..='\u{FF65}');
        if text::is_cjk(c) || after_han && !stands_alone {
            return false;
        }
        after_han = false;
    }
    any
}
