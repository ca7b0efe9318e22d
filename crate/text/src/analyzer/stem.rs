//! English stemmers: Snowball's (Porter 2, by `rust-stemmers`) and the original of 1980, as Lucene has it.
//!
//! Source of the latter: M. F. Porter, *An algorithm for suffix stripping*, Program 14(3), 1980, with the
//! author's two later departures (`bli` → `ble`, `logi` → `log`) that Lucene's `PorterStemmer` includes.
//! Linear in the length of the word.

use std::cell::RefCell;
use std::collections::HashMap;

use document::Slice as _;
use rust_stemmers::Algorithm;

use super::kind::AnalyzerKind;

/// Words of the memo. Legal texts of 400 pages have some 6,000.
const MAX_KNOWN: usize = 1 << 14;
/// The longest word of the memo, in bytes.
const MAX_KNOWN_LEN: usize = 24;

thread_local! {
    /// Stems of words that were met: Porter 2 takes ten times as long as looking one up, and the same words come
    /// again and again. It changes nothing but the time.
    static KNOWN: RefCell<Known> = RefCell::default();
}

#[derive(Default)]
struct Known {
    stems: HashMap<Box<str>, Box<str>>,
}

impl Known {
    fn stem(&mut self, term: &mut String, stemmer: &rust_stemmers::Stemmer) {
        if let Some(stem) = self.stems.get(term.as_str()) {
            term.clear();
            term.push_str(stem);
            return;
        }
        let stem = stemmer.stem(term).into_owned();
        if term.len() <= MAX_KNOWN_LEN {
            if self.stems.len() >= MAX_KNOWN {
                self.stems.clear();
            }
            self.stems.insert(term.as_str().into(), stem.as_str().into());
        }
        *term = stem;
    }
}

/// Stems in place.
pub enum Stemmer {
    /// Porter 2; only words of ASCII letters.
    Snowball(rust_stemmers::Stemmer),
    /// Porter 1; any word.
    Porter,
}

impl Stemmer {
    /// The stemmer of an analyzer.
    pub fn new(kind: AnalyzerKind) -> Self {
        match kind {
            AnalyzerKind::Default => Self::Snowball(rust_stemmers::Stemmer::create(Algorithm::English)),
            AnalyzerKind::Lucene => Self::Porter,
        }
    }

    /// Replaces a term by its stem.
    pub fn stem(&self, term: &mut String) {
        match self {
            Self::Snowball(stemmer) => {
                if term.len() > 2 && term.bytes().all(|byte| byte.is_ascii_lowercase()) {
                    KNOWN.with_borrow_mut(|known| known.stem(term, stemmer));
                }
            }
            Self::Porter => {
                let mut word: Vec<char> = term.chars().collect();
                porter(&mut word);
                term.clear();
                term.extend(word);
            }
        }
    }
}

/// Porter's algorithm on a lower-case word. Words of one or two letters are left alone.
fn porter(word: &mut Vec<char>) {
    if word.len() <= 2 {
        return;
    }
    step_1ab(word);
    step_1c(word);
    replace_first(word, STEP_2, 0);
    replace_first(word, STEP_3, 0);
    step_4(word);
    step_5(word);
}

/// Suffixes and what replaces them, longest first where one ends in another.
type Rules = &'static [(&'static str, &'static str)];

const STEP_2: Rules = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

const STEP_3: Rules = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// Plurals, *-ed*, *-ing*.
fn step_1ab(word: &mut Vec<char>) {
    if ends(word, "sses") || ends(word, "ies") {
        word.truncate(word.len() - 2);
    } else if ends(word, "s") && !ends(word, "ss") {
        word.pop();
    }
    if let Some(stem) = stem_len(word, "eed") {
        if measure(word, stem) > 0 {
            word.pop();
        }
        return;
    }
    let Some(stem) = stem_len(word, "ed").or_else(|| stem_len(word, "ing")) else { return };
    if !has_vowel(word, stem) {
        return;
    }
    word.truncate(stem);
    if ends(word, "at") || ends(word, "bl") || ends(word, "iz") {
        word.push('e');
    } else if ends_in_double_consonant(word) {
        if !matches!(word.last(), Some('l' | 's' | 'z')) {
            word.pop();
        }
    } else if measure(word, word.len()) == 1 && ends_cvc(word, word.len()) {
        word.push('e');
    }
}

/// `y` to `i` when another vowel is in the stem.
fn step_1c(word: &mut [char]) {
    if let Some(stem) = stem_len(word, "y")
        && has_vowel(word, stem)
        && let Some(last) = word.last_mut()
    {
        *last = 'i';
    }
}

/// Applies the rule of the first suffix that fits, if the stem's measure is above `min`.
fn replace_first(word: &mut Vec<char>, rules: Rules, min: usize) {
    for (suffix, replacement) in rules {
        if let Some(stem) = stem_len(word, suffix) {
            if measure(word, stem) > min {
                word.truncate(stem);
                word.extend(replacement.chars());
            }
            return;
        }
    }
}

fn step_4(word: &mut Vec<char>) {
    for suffix in STEP_4 {
        let Some(stem) = stem_len(word, suffix) else { continue };
        let before = stem.checked_sub(1).and_then(|at| word.get(at));
        if *suffix == "ion" && !matches!(before, Some('s' | 't')) {
            continue;
        }
        if measure(word, stem) > 1 {
            word.truncate(stem);
        }
        return;
    }
}

/// A final `e`, and `ll` to `l`.
fn step_5(word: &mut Vec<char>) {
    if let Some(stem) = stem_len(word, "e") {
        let m = measure(word, stem);
        if m > 1 || (m == 1 && !ends_cvc(word, stem)) {
            word.pop();
        }
    }
    if ends(word, "ll") && measure(word, word.len() - 1) > 1 {
        word.pop();
    }
}

fn ends(word: &[char], suffix: &str) -> bool {
    stem_len(word, suffix).is_some()
}

/// Length of what stands before the suffix, if the word ends in it.
fn stem_len(word: &[char], suffix: &str) -> Option<usize> {
    let stem = word.len().checked_sub(suffix.len())?;
    word.get(stem..)?.iter().copied().eq(suffix.chars()).then_some(stem)
}

fn is_consonant(word: &[char], at: usize) -> bool {
    match word.get(at) {
        Some('a' | 'e' | 'i' | 'o' | 'u') => false,
        // A y is a consonant at the start and after a vowel. Runs of y are short; count them instead of recursing.
        Some('y') => {
            let run = word.slice(..at).iter().rev().take_while(|&&c| c == 'y').count();
            let before = at - run;
            let first_is_consonant =
                before == 0 || matches!(word.get(before - 1), Some('a' | 'e' | 'i' | 'o' | 'u'));
            first_is_consonant == (run % 2 == 0)
        }
        _ => true,
    }
}

/// Porter's *m*: how many times a vowel sequence is followed by a consonant sequence in the first `n` letters.
fn measure(word: &[char], n: usize) -> usize {
    let mut m = 0;
    let mut after_vowel = false;
    for at in 0..n {
        let consonant = is_consonant(word, at);
        m += usize::from(after_vowel && consonant);
        after_vowel = !consonant;
    }
    m
}

fn has_vowel(word: &[char], n: usize) -> bool {
    (0..n).any(|at| !is_consonant(word, at))
}

fn ends_in_double_consonant(word: &[char]) -> bool {
    match word {
        [.., a, b] => a == b && is_consonant(word, word.len() - 1),
        _ => false,
    }
}

/// True if the first `n` letters end consonant, vowel, consonant, the last not w, x or y.
fn ends_cvc(word: &[char], n: usize) -> bool {
    n >= 3
        && is_consonant(word, n - 1)
        && !is_consonant(word, n - 2)
        && is_consonant(word, n - 3)
        && !matches!(word.get(n - 1), Some('w' | 'x' | 'y'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem(word: &str) -> String {
        let mut term = word.to_owned();
        Stemmer::Porter.stem(&mut term);
        term
    }

    #[test]
    fn the_examples_of_the_paper() {
        let cases = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("troubled", "troubl"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("hissing", "hiss"),
            ("failing", "fail"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("rational", "ration"),
            ("valenci", "valenc"),
            ("conformabli", "conform"),
            ("vietnamization", "vietnam"),
            ("operator", "oper"),
            ("feudalism", "feudal"),
            ("decisiveness", "decis"),
            ("sensibiliti", "sensibl"),
            ("triplicate", "triplic"),
            ("electriciti", "electr"),
            ("goodness", "good"),
            ("revival", "reviv"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("communism", "commun"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"),
            ("roll", "roll"),
            ("apology", "apolog"),
            ("oy", "oy"),
        ];
        for (word, expected) in cases {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    /// The definition, read aloud: a y is a consonant unless a consonant stands before it.
    fn is_consonant_naive(word: &[char], at: usize) -> bool {
        match word[at] {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => at == 0 || !is_consonant_naive(word, at - 1),
            _ => true,
        }
    }

    proptest! {
        #[test]
        fn y_is_a_consonant_as_defined(word in "[aybc]{1,12}") {
            let word: Vec<char> = word.chars().collect();
            for at in 0..word.len() {
                prop_assert_eq!(is_consonant(&word, at), is_consonant_naive(&word, at));
            }
        }

        #[test]
        fn stemming_never_panics_and_never_grows_much(word in "\\PC{0,20}") {
            let n = word.chars().count();
            prop_assert!(stem(&word).chars().count() <= n + 1);
            let mut term = word.to_lowercase();
            Stemmer::new(AnalyzerKind::Default).stem(&mut term);
        }
    }
}
