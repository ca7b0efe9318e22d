//! Quick look at the words of a text: most are none of a question's, which their first letters tell.

use super::{AnalyzerKind, irregular, stop};

/// Longest word that is looked at.
const LONGEST: usize = 24;
/// Longest stop word.
const LONGEST_STOP: usize = 5;
/// Slots of the stop words, four times as many and a power of two.
const N_SLOTS: usize = 256;
/// Letters of the alphabet.
const N_LETTERS: usize = 26;

/// Tells of most words of a text, without analysis, that they are none of some terms.
pub struct Prefilter {
    /// By the first two letters of words that may be one of the terms, their third letters: a bit each.
    thirds: Box<[u32]>,
    /// Stop words as numbers, by hash; 0 where a slot is empty.
    stops: [u64; N_SLOTS],
    is_active: bool,
}

/// Judgment of a piece of text by its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// One stop word: no token.
    StopWord,
    /// One word, whose token is none of the terms.
    OtherWord,
    /// Only analysis tells.
    Unknown,
}

/// Kinds of bytes.
const LETTER: u8 = 1;
const MARK: u8 = 2;
const SPACE: u8 = 4;
const OTHER: u8 = 8;

/// The kind of each byte. Marks are those that stand before or behind a word and belong to no term.
const KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut byte = 0_u8;
    loop {
        if byte.is_ascii_alphabetic() {
            kinds[byte as usize] = LETTER;
        } else if matches!(byte, b',' | b'.' | b';' | b':' | b'(' | b')' | b'"') {
            kinds[byte as usize] = MARK;
        } else if byte.is_ascii_whitespace() {
            kinds[byte as usize] = SPACE;
        }
        if byte == u8::MAX {
            break kinds;
        }
        byte += 1;
    }
};

fn kind_of(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

impl Prefilter {
    /// Of the terms of a question, by an analyzer of this kind.
    pub fn new<'a>(kind: AnalyzerKind, terms: impl Iterator<Item = &'a str>) -> Self {
        let mut filter = Self {
            thirds: vec![0; N_LETTERS * N_LETTERS].into_boxed_slice(),
            stops: [0; N_SLOTS],
            is_active: kind == AnalyzerKind::Default,
        };
        terms.for_each(|term| filter.add(term.as_bytes()));
        // A form of another beginning ("taught" of "teach") is a term by its base.
        let forms: Vec<&str> = irregular::forms()
            .filter(|(_, base)| filter.may_be_term(base.as_bytes()))
            .map(|(form, _)| form)
            .collect();
        forms.iter().for_each(|form| filter.add(form.as_bytes()));
        for word in stop::stop_words() {
            let key = key_of(word.as_bytes());
            let free = slots_of(key).find(|&at| filter.stops.get(at) == Some(&0));
            if let Some(slot) = free.and_then(|at| filter.stops.get_mut(at)) {
                *slot = key;
            }
        }
        filter
    }

    fn add(&mut self, term: &[u8]) {
        let pairs = match term {
            // As of "aed", which is no word.
            &[only] => letter(only).map(|first| first * N_LETTERS..(first + 1) * N_LETTERS),
            _ => place_of(term).map(|place| place..place + 1),
        };
        // The last letter of a stem may be none of the word's: "tri" of "try", "use" of "using".
        let third = match term {
            &[_, _, third, _, ..] => bit_of(third),
            _ => u32::MAX,
        };
        let pairs = pairs.and_then(|pairs| self.thirds.get_mut(pairs));
        pairs.into_iter().flatten().for_each(|thirds| *thirds |= third);
    }

    /// The pieces of a text between white space, each with its judgment. White space is what ASCII has: a piece may hold
    /// other.
    pub fn pieces<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (Glance, &'a str)> {
        let mut rest = text;
        std::iter::from_fn(move || {
            loop {
                let (mut n, mut kinds) = (0, 0);
                for byte in rest.bytes() {
                    let kind = kind_of(byte);
                    if kind == SPACE {
                        break;
                    }
                    kinds |= kind;
                    n += 1;
                }
                let (piece, after) = rest.split_at_checked(n)?;
                rest = after.get(1..).unwrap_or_default();
                if n > 0 {
                    return Some((self.glance(piece.as_bytes(), kinds), piece));
                }
                if after.is_empty() {
                    return None;
                }
            }
        })
    }

    /// The judgment of a piece, [`Glance::Unknown`] unless it is one English word, perhaps with marks around it. `kinds` are
    /// those of its bytes.
    fn glance(&self, piece: &[u8], kinds: u8) -> Glance {
        let word = if kinds == LETTER { piece } else { without_marks(piece) };
        let is_word = kinds == LETTER || kinds == LETTER | MARK && word.iter().all(u8::is_ascii_alphabetic);
        if !is_word || !self.is_active || word.len() > LONGEST {
            return Glance::Unknown;
        }
        if word.len() <= LONGEST_STOP && self.is_stop_word(word) {
            return Glance::StopWord;
        }
        // Of the stemmer's exceptions those that change a second letter change a "y": "dying" to "die".
        match word {
            &[_, second, _, ..] if second | 0x20 != b'y' && !self.may_be_term(word) => Glance::OtherWord,
            _ => Glance::Unknown,
        }
    }

    /// False if the stem of a word of three letters or more is none of the terms.
    fn may_be_term(&self, word: &[u8]) -> bool {
        let thirds = place_of(word).and_then(|place| self.thirds.get(place)).copied().unwrap_or_default();
        word.get(2).is_none_or(|&third| thirds & bit_of(third) != 0)
    }

    fn is_stop_word(&self, word: &[u8]) -> bool {
        let key = key_of(word);
        let slots = slots_of(key).map_while(|at| self.stops.get(at).filter(|slot| **slot != 0));
        slots.into_iter().any(|slot| *slot == key)
    }
}

/// Place of a word's first two letters among all pairs of letters.
fn place_of(word: &[u8]) -> Option<usize> {
    let &[first, second, ..] = word else { return None };
    Some(letter(first)? * N_LETTERS + letter(second)?)
}

/// The bit of a third letter.
fn bit_of(byte: u8) -> u32 {
    letter(byte).map_or(0, |letter| 1 << letter)
}

/// Place of a letter in the alphabet, in either case.
fn letter(byte: u8) -> Option<usize> {
    Some(usize::from((byte | 0x20).wrapping_sub(b'a'))).filter(|&letter| letter < N_LETTERS)
}

fn without_marks(mut word: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = word
        && kind_of(*first) == MARK
    {
        word = rest;
    }
    while let [rest @ .., last] = word
        && kind_of(*last) == MARK
    {
        word = rest;
    }
    word
}

/// A word of a few letters as a number, the same in both cases.
fn key_of(word: &[u8]) -> u64 {
    word.iter().take(LONGEST_STOP).fold(0, |key, byte| key << 8 | u64::from(byte | 0x20))
}

/// Slots of a key, the likeliest first.
fn slots_of(key: u64) -> impl Iterator<Item = usize> {
    let first = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize;
    (first..N_SLOTS).chain(0..first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Analyzer;

    const KIND: AnalyzerKind = AnalyzerKind::Default;

    /// Of a text that is one piece.
    fn glance(filter: &Prefilter, piece: &str) -> Glance {
        let pieces: Vec<_> = filter.pieces(piece).collect();
        assert_eq!(pieces.iter().map(|(_, read)| *read).collect::<Vec<_>>(), [piece]);
        pieces[0].0
    }

    #[test]
    fn most_words_of_a_text_are_seen_to_be_none_of_a_question() {
        let terms = Analyzer::new(KIND).terms("Who keeps records of dying clients, and where do they go?");
        let filter = Prefilter::new(KIND, terms.iter().map(String::as_str));
        for (piece, seen) in [
            ("The", Glance::StopWord),
            ("(of", Glance::StopWord),
            ("firm", Glance::OtherWord),
            ("\"Transaction\").", Glance::OtherWord),
            ("Records", Glance::Unknown),
            ("went", Glance::OtherWord), // which the analyzer knows by no base
            ("kept", Glance::Unknown),
            ("dying", Glance::Unknown),
            ("no", Glance::Unknown), // of two letters, and no stop word
            ("cross-border", Glance::Unknown),
            ("client’s", Glance::Unknown),
            ("401(k)", Glance::Unknown),
            ("...", Glance::Unknown),
            ("transubstantiationalistically", Glance::Unknown),
        ] {
            assert_eq!(glance(&filter, piece), seen, "{piece}");
        }
        let lucene = Prefilter::new(AnalyzerKind::Lucene, std::iter::empty());
        assert_eq!(glance(&lucene, "firm"), Glance::Unknown);
    }

    #[test]
    fn every_stop_word_is_known_by_its_letters() {
        let filter = Prefilter::new(KIND, std::iter::empty());
        for word in stop::stop_words() {
            assert!(
                word.len() <= LONGEST_STOP && word.bytes().all(|byte| byte.is_ascii_lowercase()),
                "{word}"
            );
            assert_eq!(glance(&filter, word), Glance::StopWord, "{word}");
        }
    }

    proptest! {
        #[test]
        fn what_a_glance_says_analysis_says_too(
            question in "([a-z]{1,9} |[aut]{1,2}e? |(keep|go|take|die|the|of|[A-Z]{2,3}) ){0,9}",
            pieces in prop::collection::vec(
                "[(\"]?([a-zA-Z]{0,3}(dying|skies|kept|taken|only|tied|the|[a-zA-Z]{0,12})[a-z]{0,4}|[aut]{1,2}(y|es|ed|ing|ies|edly)|\\PC{0,5})[.,;:)]{0,2}",
                1..20,
            ),
        ) {
            let analyzer = Analyzer::new(KIND);
            let terms = analyzer.terms(&question);
            let filter = Prefilter::new(KIND, terms.iter().map(String::as_str));
            let text = pieces.join(" ");
            let read: Vec<_> = filter.pieces(&text).collect();
            prop_assert_eq!(
                read.iter().map(|(_, piece)| *piece).collect::<Vec<_>>(),
                text.split_ascii_whitespace().collect::<Vec<_>>()
            );
            for (glance, piece) in read {
                let tokens = analyzer.terms(piece);
                match glance {
                    Glance::StopWord => prop_assert!(tokens.is_empty(), "{}", piece),
                    Glance::OtherWord => {
                        prop_assert!(tokens.len() == 1 && !terms.contains(&tokens[0]), "{}", piece);
                    }
                    Glance::Unknown => {}
                }
            }
        }
    }
}
