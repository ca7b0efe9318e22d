//! Rulebooks that nobody wrote, as many as are wanted: to measure search with, not to read.
//!
//! Their words follow Zipf's law as those of real documents do (the 20 most frequent are a third of the text, most
//! are rare), so that postings are as long as real ones: function words first, then words of regulation, then some
//! 30,000 made of syllables. Their rules are numbered, nested, and refer to each other. All draws are of integers
//! from a seeded generator: the same number gives the same book on every machine.

use std::fmt::Write as _;

use anyhow::Result;

use super::rulebook;
use crate::typeset::{parse, set};

/// Words by how frequent they are, up to the frequent ones of regulation.
const FREQUENT: &str = "the of a or to in and must that for is by it an any with which as under be on not may this \
    firm client rule from has person its such are at each where if business other than before after all \
    commission money account written within days who may notice part no record financial service interest \
    relevant assets authorised agreement period requirement report amount transaction market risk information \
    director control approval policy payment bank fund capital exposure issuer security member customer trade \
    position price value group systems staff audit review conflict complaint disclosure licence application \
    outsourcing custody settlement collateral default margin liquidity provision guarantee contract insurer \
    holder unit scheme trustee manager adviser broker exchange clearing house participant order execution \
    research inducement commission fee charge cost benefit limit threshold ratio calculation method model";
/// Number of distinct words.
const N_WORDS: usize = 30_000;

/// A rulebook of some `n_rules` rules, as a PDF. Books of different numbers have different text.
pub fn rulebook_pdf(number: u64, n_rules: usize) -> Result<Vec<u8>> {
    let style = rulebook::sample().style;
    Ok(set(&parse(&manuscript(number, n_rules))?, &style, &format!("Generated Rulebook {number}"))?.pdf)
}

/// The same rulebook as it is written, in the markup of [`crate::typeset`].
pub fn manuscript(number: u64, n_rules: usize) -> String {
    Writer::new(number).book(n_rules)
}

struct Writer {
    state: u64,
    words: Vec<String>,
    /// Sums of the weights of the words up to each.
    weights: Vec<u64>,
}

impl Writer {
    fn new(number: u64) -> Self {
        let mut words: Vec<String> = FREQUENT.split_whitespace().map(str::to_owned).collect();
        words.extend((0..).map(made_up).take(N_WORDS.saturating_sub(words.len())));
        let mut sum = 0;
        let weight = |rank: usize| 1_000_000_000 / (10 * rank as u64 + 27); // Zipf's law as Mandelbrot mends it
        let weights = (0..words.len())
            .map(|rank| {
                sum += weight(rank);
                sum
            })
            .collect();
        Self { state: number.wrapping_mul(0x9e37_79b9_7f4a_7c15), words, weights }
    }

    fn book(&mut self, n_rules: usize) -> String {
        let mut text = String::from("= Rulebook on ");
        text.push_str(&self.title(2));
        let (mut n, mut chapter) = (0, 0);
        while n < n_rules {
            chapter += 1;
            let _ = write!(text, "\n\n## Chapter {chapter} | {}", self.title(3));
            for section in 1..=4 + self.below(4) {
                let _ = write!(text, "\n\n### {chapter}.{section} | {}", self.title(3));
                for rule in 1..=3 + self.below(5) {
                    let _ = write!(text, "\n\n> {chapter}.{section}.{rule} {}", self.sentences(chapter));
                    for item in (b'a'..).take(self.below(5) as usize) {
                        let _ = write!(text, "\n\n>> ({}) {};", char::from(item), self.words(6, 18));
                    }
                    n += 1;
                }
            }
        }
        text
    }

    fn sentences(&mut self, chapter: u64) -> String {
        let mut text = String::new();
        for _ in 0..=1 + self.below(3) {
            let mut sentence = self.words(10, 34);
            if self.below(6) == 0 {
                let (section, rule) = (1 + self.below(4), 1 + self.below(4));
                let _ = write!(sentence, " under Rule {}.{section}.{rule}", 1 + self.below(chapter));
            }
            let _ = write!(text, "{}{}. ", sentence[..1].to_uppercase(), &sentence[1..]);
        }
        text
    }

    fn words(&mut self, least: u64, most: u64) -> String {
        let n = least + self.below(most - least);
        let words: Vec<String> = (0..n).map(|_| self.word(0).to_owned()).collect();
        words.join(" ")
    }

    /// Words of a heading: none of the most frequent.
    fn title(&mut self, n: usize) -> String {
        let words: Vec<String> = (0..n)
            .map(|_| {
                let word = self.word(40);
                format!("{}{}", word[..1].to_uppercase(), &word[1..])
            })
            .collect();
        words.join(" ")
    }

    /// A word by its frequency, the `skip` most frequent left out.
    fn word(&mut self, skip: usize) -> &str {
        let (from, to) = (skip.checked_sub(1).map_or(0, |at| self.weights[at]), self.weights[N_WORDS - 1]);
        let at = from + self.below(to - from);
        &self.words[self.weights.partition_point(|&sum| sum <= at)]
    }

    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * u128::from(n)) >> 64) as u64
    }
}

/// The word of this number: two to four syllables and, for some, the ending of another form of a word.
fn made_up(number: usize) -> String {
    const CONSONANTS: [&str; 16] =
        ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    const ENDINGS: [&str; 8] = ["n", "r", "s", "ed", "ing", "tion", "ment", "l"];
    let (mut rest, mut word) = (number / ENDINGS.len() + 1, String::new());
    while rest > 0 || word.len() < 3 {
        word.push_str(CONSONANTS[rest % CONSONANTS.len()]);
        rest /= CONSONANTS.len();
        word.push_str(VOWELS[(rest + word.len()) % VOWELS.len()]);
        rest /= VOWELS.len();
    }
    word + ENDINGS[number % ENDINGS.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_same_number_gives_the_same_book_and_another_one_another() {
        let book = |number| Writer::new(number).book(20);
        assert_eq!(book(3), book(3));
        assert_ne!(book(3), book(4));
        assert!(rulebook_pdf(3, 20).unwrap().starts_with(b"%PDF"));
    }

    #[test]
    fn few_words_are_frequent_and_most_are_rare() {
        let book = Writer::new(1).book(2000);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        book.split_whitespace().for_each(|word| *counts.entry(word).or_default() += 1);
        let mut by_count: Vec<usize> = counts.into_values().collect();
        by_count.sort_unstable_by(|a, b| b.cmp(a));
        let total: usize = by_count.iter().sum();
        let share = |n: usize| by_count.iter().take(n).sum::<usize>() as f64 / total as f64;
        assert!((0.2..0.45).contains(&share(20)), "{}", share(20));
        assert!(by_count.len() > 10_000, "{}", by_count.len());
    }
}
