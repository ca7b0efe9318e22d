//! Phrase matching by stem, the longest phrase first.
//!
//! A phrase is the sequence of its words' stems (of its characters in scripts without spaces) without stop words, so that
//! "Qualified Investor" matches "the Qualified Investors". Phrases in capitals ("SEC", "OR") match capitals only. Cost:
//! [`MAX_PHRASE`] look-ups for each word that begins a phrase.

use std::collections::BTreeMap;
use std::ops::Range;

use document::Slice as _;
use text::{Analyzer, AnalyzerKind};

/// Maximum words of a text that are matched.
pub const MAX_WORDS: usize = 1024;
/// Maximum words of a phrase.
const MAX_PHRASE: usize = 12;
/// Maximum bytes of a phrase.
const MAX_BYTES: usize = 256;

/// The words of a text: their stems and ranges.
pub struct PhraseTokens {
    analyzer: Analyzer,
    words: Vec<(String, Range<usize>)>,
}

impl Default for PhraseTokens {
    fn default() -> Self {
        Self { analyzer: Analyzer::new(AnalyzerKind::Default), words: Vec::new() }
    }
}

impl PhraseTokens {
    /// Their ranges of the text.
    pub fn ranges(&self) -> impl Iterator<Item = &Range<usize>> {
        self.words.iter().map(|(_, range)| range)
    }

    /// Replaces the words by those of a phrase; by none if it is too long.
    pub fn read_phrase(&mut self, phrase: &str) {
        self.read(if phrase.len() > MAX_BYTES { "" } else { phrase }, MAX_PHRASE + 1);
    }

    /// Replaces the words by the first `most` of a text.
    pub fn read(&mut self, text: &str, most: usize) {
        let Self { analyzer, words } = self;
        words.clear();
        let mut last_place = None;
        analyzer.analyze(text, &mut |token| {
            if words.len() < most && last_place.is_none_or(|last| token.position > last) {
                last_place = Some(token.position);
                words.push((token.term.to_owned(), token.range));
            }
        });
    }
}

/// A map from phrases to values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseMap<T> {
    /// By the words, joined by spaces.
    phrases: BTreeMap<String, Vec<Phrase<T>>>,
    /// By first word the number of words of the longest phrase that it begins.
    firsts: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Phrase<T> {
    /// The spelling that a phrase in capitals requires.
    capitals: Option<String>,
    value: T,
}

impl<T> Default for PhraseMap<T> {
    fn default() -> Self {
        Self { phrases: BTreeMap::new(), firsts: BTreeMap::new() }
    }
}

impl<T: Default> PhraseMap<T> {
    /// The value of a phrase, inserted if missing; `None` if it has no words, is a single letter, or is too long.
    pub fn entry(&mut self, phrase: &str, words: &mut PhraseTokens) -> Option<&mut T> {
        words.read_phrase(phrase);
        self.entry_of(phrase, words)
    }

    /// The same, where the words are those of the phrase.
    pub fn entry_of(&mut self, phrase: &str, words: &PhraseTokens) -> Option<&mut T> {
        let n = words.words.len();
        let (first, _) = words.words.first()?;
        if n > MAX_PHRASE || n == 1 && first.chars().nth(1).is_none() {
            return None;
        }
        let longest = self.firsts.entry(first.clone()).or_default();
        *longest = (*longest).max(n);
        let capitals = is_capitals(phrase).then(|| phrase.trim().to_owned());
        let same = self.phrases.entry(key(&words.words)).or_default();
        let at = same.iter().position(|known| known.capitals == capitals);
        let at = at.unwrap_or_else(|| {
            same.push(Phrase { capitals, value: T::default() });
            same.len() - 1
        });
        same.get_mut(at).map(|phrase| &mut phrase.value)
    }

    /// The phrases in a text whose words are `words`, in order and without overlaps; of those that begin at a word, the
    /// longest.
    pub fn find(&self, words: &PhraseTokens, text: &str) -> Vec<(Range<usize>, &T)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((first, _)) = words.words.get(at) {
            let longest = self.firsts.get(first).copied().unwrap_or(0).min(words.words.len() - at);
            let n = (1..=longest).rev().find(|&n| {
                let Some(slice) = words.words.get(at..at + n) else { return false };
                let before = found.len();
                self.add(slice, text, &mut found);
                found.len() > before
            });
            at += n.unwrap_or(1);
        }
        found
    }

    fn add<'a>(
        &'a self,
        words: &[(String, Range<usize>)],
        text: &str,
        found: &mut Vec<(Range<usize>, &'a T)>,
    ) {
        let (Some((_, first)), Some((_, last))) = (words.first(), words.last()) else { return };
        let range = first.start..last.end;
        let written = text.slice(range.clone());
        for phrase in self.phrases.get(&key(words)).into_iter().flatten() {
            if phrase.capitals.as_ref().is_none_or(|capitals| is_same_name(capitals, written)) {
                found.push((range.clone(), &phrase.value));
            }
        }
    }
}

fn key(words: &[(String, Range<usize>)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    words.join(" ")
}

/// True for one word in capitals, with or without a plural s: "QI", "QIs".
pub fn is_capitals(phrase: &str) -> bool {
    let phrase = phrase.trim();
    let stem = phrase.strip_suffix('s').unwrap_or(phrase);
    (2..=10).contains(&stem.len())
        && stem.bytes().filter(u8::is_ascii_uppercase).count() >= 2
        && stem
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'-' | b'&' | b'/'))
}

fn is_same_name(a: &str, b: &str) -> bool {
    let stem = |name: &str| {
        let bare: String = name.chars().filter(|c| *c != '.').collect();
        bare.strip_suffix('s').map_or(bare.clone(), str::to_owned)
    };
    stem(a) == stem(b)
}
