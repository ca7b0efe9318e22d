//! Evidence on small texts, and against twins that look at every place.

use std::collections::BTreeMap;

use proptest::prelude::*;
use text::{Analyzer, AnalyzerKind};

use super::{Evidence, MAX_COUNT, Matcher, NEAR, STRETCH};

const KIND: AnalyzerKind = AnalyzerKind::Default;

fn matcher(question: &str) -> Matcher {
    Matcher::new(KIND, question, &|_| 1.0)
}

fn evidence(question: &str, text: &str) -> Evidence {
    matcher(question).evidence(text)
}

#[test]
fn order_nearness_and_coverage_are_told_apart() {
    let question = "duty of care to clients";
    let phrase = evidence(question, "Every Firm owes a duty of care to its clients.");
    assert_eq!((phrase.longest_phrase, phrase.n_bigrams), (3, 2));
    assert_eq!((phrase.coverage, phrase.bigrams, phrase.phrase, phrase.window), (1.0, 1.0, 1.0, 3));
    let scattered = evidence(question, "A client pays duty. Goods must be handled with care by the carrier.");
    assert_eq!((scattered.longest_phrase, scattered.n_bigrams, scattered.phrase), (1, 0, 0.0));
    assert_eq!(scattered.coverage, 1.0);
    assert!(scattered.near > 0.0 && scattered.window > 3);
    let repeated = evidence(question, "Duty on goods. Duty on wine. Duty on tea. Duty on tin. Duty on salt.");
    assert_eq!(repeated.counts, [5, 0, 0]);
    assert!((repeated.coverage - 1.0 / 3.0).abs() < 1e-6 && (repeated.capped - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn characters_of_chinese_are_words_and_bigrams_count_for_coverage() {
    let found = evidence("转让股权", "股东可以转让其股权。转让股权应当通知。");
    assert_eq!((found.longest_phrase, found.n_bigrams, found.window), (4, 3, 4));
    assert_eq!((found.coverage, found.bigrams), (1.0, 1.0));
    let broken = evidence("转让股权", "股份的权利不得让渡");
    assert!(broken.coverage < 0.7 && broken.bigrams == 0.0, "{broken:?}");
}

#[test]
fn labels_count_beside_the_numbers_in_them() {
    let found = evidence("a 401(k) plan", "The 401(k) plan applies.");
    assert_eq!(found.coverage, 1.0);
    assert_eq!(found.longest_phrase, 3);
    assert!(evidence("a 401(k) plan", "Plan 401, option k").coverage < 1.0);
}

#[test]
fn phrases_that_mean_something_are_found_whole_or_not() {
    let question = "May a Pilot Vessel refuse the Harbour Board?";
    let mut matcher = matcher(question).with_phrases(&[6..18, 30..43, 0..3, 100..200]);
    let found = matcher.evidence("The harbour board and a vessel of the pilot may meet.");
    assert_eq!(found.phrases, [false, true, true, false]);
    assert!((found.whole - 3.0 / 5.0).abs() < 1e-6);
    assert_eq!(matcher.evidence("Pilot vessels").phrases, [true, false, false, false]);
    assert_eq!(evidence(question, "Pilot vessels").whole, 0.0);
}

#[test]
fn nothing_of_nothing_is_nothing() {
    for (question, text) in [("", "some text"), ("the of", "the of"), ("records", ""), ("", "")] {
        let found = evidence(question, text);
        assert_eq!((found.coverage, found.n_hits, found.window, found.longest_phrase), (0.0, 0, 0, 0));
    }
    let unweighed = Matcher::new(KIND, "keep records", &|_| 0.0).evidence("keep records");
    assert_eq!((unweighed.coverage, unweighed.dense, unweighed.longest_phrase), (0.0, 0.0, 2));
}

#[test]
fn a_pasted_document_is_a_question_of_bounded_size() {
    let long = "the Firm must keep records of each Transaction for six years ".repeat(2_000);
    let mut matcher = matcher(&long);
    assert!(matcher.n_words() <= super::MAX_WORDS);
    assert_eq!(matcher.evidence("keep records of each transaction").longest_phrase, 4);
    let unbroken = "x".repeat(100_000);
    assert_eq!(evidence(&unbroken, &unbroken).n_words, 1);
}

/// The words of a text that stand somewhere: the first term of each place, `None` for those not asked for.
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

    pub fn pairs(question: &[String], text: &[String]) -> (u32, f32) {
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
        (n, if pairs.is_empty() { 0.0 } else { near as f32 / pairs.len() as f32 })
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
    fn evidence_is_what_every_place_says(
        question in "([abcd]x|the|法|律|规){1,9}|(([abcd]x|the|法|律|规|4\\(k\\)) ){0,9}",
        text in "(([abcdef]x|the|法|律|规|、|法律|か|\u{fe00}|1，0|规。|e-ax|4\\(k\\)|bx,)( |)?){0,60}",
    ) {
        let (q, t) = (words(&question), words(&text));
        let mut matcher = matcher(&question);
        let n_terms = matcher.terms().len();
        let found = matcher.evidence(&text);
        prop_assert_eq!(found.n_words as usize, t.len());
        prop_assert_eq!(found.longest_phrase, naive::longest_phrase(&q, &t));
        let (n_bigrams, near) = naive::pairs(&q, &t);
        prop_assert_eq!(found.n_bigrams, n_bigrams);
        prop_assert!((found.near - near).abs() < 1e-5, "{} {}", found.near, near);
        prop_assert_eq!(found.window, naive::window(&q, &t));
        prop_assert!((found.dense - naive::dense(&q, &t, n_terms)).abs() < 1e-4);
        let all = Analyzer::new(KIND).terms(&text);
        for (term, &count) in matcher.terms().zip(&found.counts) {
            prop_assert_eq!(count as usize, all.iter().filter(|other| other.as_str() == term).count());
        }
        let capped: u32 = found.counts.iter().map(|&count| count.min(MAX_COUNT)).sum();
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
            prop_assert_eq!(used.evidence(text), evidence(&question, text));
        }
        for text in &texts {
            prop_assert_eq!(used.evidence(text), evidence(&question, text));
        }
    }
}
