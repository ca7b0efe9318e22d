//! Proximity on small texts, and against naive twins that compare every position.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use text::{Analyzer, AnalyzerKind};

use super::question::MAX_WORDS;
use super::scan::NEAR;
use super::window::STRETCH;
use super::{MAX_COUNT, Matcher, Proximity};

const KIND: AnalyzerKind = AnalyzerKind::Default;

fn matcher(question: &str) -> Matcher {
    Matcher::new(KIND, question, &|_| 1.0)
}

fn proximity(question: &str, text: &str) -> Proximity {
    matcher(question).read(text)
}

#[test]
fn order_nearness_and_coverage_are_told_apart() {
    let question = "duty of care to clients";
    let phrase = proximity(question, "Every Firm owes a duty of care to its clients.");
    assert_eq!(phrase.longest_phrase, 3);
    assert_eq!((phrase.coverage, phrase.bigrams, phrase.phrase, phrase.window), (1.0, 1.0, 1.0, 3));
    let scattered =
        proximity(question, "A client pays duty. Goods must be handled with care by the carrier.");
    assert_eq!((scattered.longest_phrase, scattered.bigrams, scattered.phrase), (1, 0.0, 0.0));
    assert_eq!(scattered.coverage, 1.0);
    assert!(scattered.near > 0.0 && scattered.window > 3);
    let repeated =
        proximity(question, "Duty on goods. Duty on wine. Duty on tea. Duty on tin. Duty on salt.");
    assert_eq!(repeated.n_terms, 1);
    assert!((repeated.coverage - 1.0 / 3.0).abs() < 1e-6 && (repeated.capped - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn characters_of_chinese_are_words_and_bigrams_count_for_coverage() {
    let found = proximity("转让股权", "股东可以转让其股权。转让股权应当通知。");
    assert_eq!((found.longest_phrase, found.window), (4, 4));
    assert_eq!((found.coverage, found.bigrams), (1.0, 1.0));
    let broken = proximity("转让股权", "股份的权利不得让渡");
    assert!(broken.coverage < 0.7 && broken.bigrams == 0.0, "{broken:?}");
}

#[test]
fn labels_count_beside_the_numbers_in_them() {
    let found = proximity("a 401(k) plan", "The 401(k) plan applies.");
    assert_eq!(found.coverage, 1.0);
    assert_eq!(found.longest_phrase, 3);
    assert!(proximity("a 401(k) plan", "Plan 401, option k").coverage < 1.0);
}

#[test]
fn an_empty_question_or_text_has_no_proximity() {
    for (question, text) in [("", "some text"), ("the of", "the of"), ("records", ""), ("", "")] {
        let found = proximity(question, text);
        assert_eq!(found, Proximity::default());
    }
    let unweighed = Matcher::new(KIND, "keep records", &|_| 0.0).read("keep records");
    assert_eq!((unweighed.coverage, unweighed.dense, unweighed.longest_phrase), (0.0, 0.0, 2));
}

#[test]
fn a_pasted_document_is_a_question_of_bounded_size() {
    let long = "the Firm must keep records of each Transaction for six years ".repeat(2_000);
    let mut matcher = matcher(&long);
    assert!(matcher.n_words() <= MAX_WORDS);
    assert_eq!(matcher.read("keep records of each transaction").longest_phrase, 4);
    let unbroken = "x".repeat(100_000);
    // The question is cut within its only word.
    assert_eq!(proximity(&unbroken, &unbroken), Proximity::default());
}

/// The words of a text: the first term at each position.
fn words(text: &str) -> Vec<String> {
    let mut places: BTreeMap<u32, String> = BTreeMap::new();
    Analyzer::new(KIND).analyze(text, &mut |token| {
        places.entry(token.position).or_insert_with(|| token.term.to_owned());
    });
    places.into_values().collect()
}

mod naive {
    use super::*;

    pub fn longest_phrase(question: &[String], text: &[String]) -> u32 {
        let mut longest = 0;
        for i in 0..question.len() {
            for j in 0..text.len() {
                let n = question[i..].iter().zip(&text[j..]).take_while(|(a, b)| a == b).count();
                longest = longest.max(n);
            }
        }
        longest as u32
    }

    pub fn pairs(question: &[String], text: &[String]) -> (f32, f32) {
        let mut pairs: Vec<(&String, &String)> =
            question.windows(2).map(|w| (&w[0], &w[1])).filter(|(a, b)| a != b).collect();
        pairs.sort();
        pairs.dedup();
        let (mut n, mut near) = (0, 0);
        for (a, b) in &pairs {
            n += u32::from(text.windows(2).any(|w| w[0] == **a && w[1] == **b));
            let is_near = |x: usize, y: usize| x.abs_diff(y) < NEAR as usize;
            near += u32::from(
                (0..text.len())
                    .any(|x| (0..text.len()).any(|y| text[x] == **a && text[y] == **b && is_near(x, y))),
            );
        }
        let share = |n: u32| if pairs.is_empty() { 0.0 } else { n as f32 / pairs.len() as f32 };
        (share(n), share(near))
    }

    pub fn window(question: &[String], text: &[String]) -> u32 {
        let distinct = |words: &[String]| {
            let mut held: Vec<&String> = words.iter().filter(|word| question.contains(word)).collect();
            held.sort();
            held.dedup();
            held.len()
        };
        let all = distinct(text);
        if all == 0 {
            return 0;
        }
        let fits = |n: &usize| text.windows(*n).any(|window| distinct(window) == all);
        (1..=text.len()).find(fits).unwrap_or(0) as u32
    }

    pub fn dense(question: &[String], text: &[String], n_terms: usize) -> f32 {
        let mut best = 0;
        for start in 0..text.len() {
            let stretch = &text[start..text.len().min(start + STRETCH as usize)];
            let mut held: Vec<&String> = stretch.iter().filter(|word| question.contains(word)).collect();
            held.sort();
            held.dedup();
            best = best.max(held.len());
        }
        best as f32 / n_terms.max(1) as f32
    }
}

proptest! {
    #[test]
    fn proximity_is_what_every_position_says(
        question in "([abcd]x|the|法|律|规){1,9}|(([abcd]x|the|法|律|规|4\\(k\\)) ){0,9}",
        text in "(([abcdef]x|the|法|律|规|、|法律|か|\u{fe00}|1，0|规。|e-ax|4\\(k\\)|bx,)( |)?){0,60}",
    ) {
        let (q, t) = (words(&question), words(&text));
        let mut matcher = matcher(&question);
        let asked: BTreeSet<String> = Analyzer::new(KIND).terms(&question).into_iter().collect();
        let n_terms = asked.len();
        let found = matcher.read(&text);
        prop_assert_eq!(found.longest_phrase, naive::longest_phrase(&q, &t));
        let (bigrams, near) = naive::pairs(&q, &t);
        prop_assert!((found.bigrams - bigrams).abs() < 1e-5, "{} {}", found.bigrams, bigrams);
        prop_assert!((found.near - near).abs() < 1e-5, "{} {}", found.near, near);
        prop_assert_eq!(found.window, naive::window(&q, &t));
        prop_assert!((found.dense - naive::dense(&q, &t, n_terms)).abs() < 1e-4);
        let all = Analyzer::new(KIND).terms(&text);
        let count = |term: &String| all.iter().filter(|other| *other == term).count() as u32;
        let capped: u32 = asked.iter().map(|term| count(term).min(MAX_COUNT)).sum();
        let most = (n_terms.max(1) as u32 * MAX_COUNT) as f32;
        prop_assert!((found.capped - capped as f32 / most).abs() < 1e-5);
    }

    #[test]
    fn a_text_says_the_same_whatever_was_read_before(
        question in "\\PC{0,30}",
        texts in prop::collection::vec("\\PC{0,60}", 1..4),
    ) {
        let mut used = matcher(&question);
        for text in &texts {
            prop_assert_eq!(used.read(text), proximity(&question, text));
        }
        for text in &texts {
            prop_assert_eq!(used.read(text), proximity(&question, text));
        }
    }
}
