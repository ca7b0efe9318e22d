//! A text as tokens, each with the term of the question that it matches.
//!
//! A text is cut at white space, which no term crosses. Most words are none of the question's, which a glance at their
//! letters tells ([`Prefilter`]). The tokens of another segment are cached by its bytes, so that a word is folded and stemmed
//! once per question, or few times, however many candidates contain it. Han characters, which no white space separates, are
//! looked up one by one and in pairs, as the analyzer gives them.

mod cache;

use std::collections::{BTreeMap, HashMap};

use document::Slice as _;
use text::{Analyzer, AnalyzerKind, Glance, Prefilter};

use super::token::Token;
use cache::TokenCache;

/// Reads texts for one question.
pub struct TokenReader {
    prefilter: Prefilter,
    segments: SegmentReader,
}

/// Reads segments of texts for one question.
struct SegmentReader {
    analyzer: Analyzer,
    cache: TokenCache,
    /// Tokens of the segment that was analysed last.
    tokens: Vec<Token>,
    ids: BTreeMap<String, u16>,
    /// The question's terms of one Han character and of two.
    han: HashMap<(char, Option<char>), u16>,
}

impl TokenReader {
    /// A reader for the question with these terms. The analyzer is that of the question.
    pub fn new(kind: AnalyzerKind, ids: BTreeMap<String, u16>) -> Self {
        let mut han = HashMap::new();
        for (term, &id) in &ids {
            let mut chars = term.chars();
            if let (Some(first), second, None) = (chars.next(), chars.next(), chars.next())
                && is_han(first)
                && second.is_none_or(is_han)
            {
                han.insert((first, second), id);
            }
        }
        let prefilter = Prefilter::new(kind, ids.keys().map(String::as_str));
        let (analyzer, cache, tokens) = (Analyzer::new(kind), TokenCache::default(), Vec::new());
        Self { prefilter, segments: SegmentReader { analyzer, cache, tokens, ids, han } }
    }

    /// Passes the tokens of `text` to `sink`, in order.
    pub fn read(&mut self, text: &str, sink: &mut impl FnMut(Token)) {
        let Self { prefilter, segments } = self;
        for (glance, piece) in prefilter.pieces(text) {
            match glance {
                Glance::StopWord => {}
                Glance::OtherWord => sink(Token { term: None, is_word: true }),
                Glance::Unknown if piece.is_ascii() => segments.read(piece, sink),
                Glance::Unknown => piece.split_whitespace().for_each(|segment| match is_han_text(segment) {
                    true => segments.read_han(segment, sink),
                    false => segments.read(segment, sink),
                }),
            }
        }
    }
}

impl SegmentReader {
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
                self.read(segment.slice(start..at), sink);
            }
            sink(Token { term: self.han.get(&(c, None)).copied(), is_word: true });
            if let Some(&term) = last.and_then(|last| self.han.get(&(last, Some(c)))) {
                sink(Token { term: Some(term), is_word: false });
            }
            last = Some(c);
        }
        if let Some(start) = other_start {
            self.read(segment.slice(start..), sink);
        }
    }

    /// Reads any other.
    fn read(&mut self, segment: &str, sink: &mut impl FnMut(Token)) {
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
        let Self { analyzer, tokens, ids, .. } = self;
        tokens.clear();
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
