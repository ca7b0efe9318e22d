//! Watermarks: words far larger than the text of their page, which other pages print at the same place, or which
//! say that the paper is a draft or a copy and lie over its lines. At the edges of a page large words are a running
//! line like any other.
//!
//! Watermarks that are set at a slant are apart already (their direction is not the page's). Cost: linear in the
//! words; large ones are few, and only so many are compared.

use document::{Furniture, FurnitureKind, Slice as _};

use crate::page::{PageWords, Word};
use crate::typography::usual_size;

/// Least size of a watermark, in multiples of the text size.
const LARGER: f32 = 2.2;
/// Pages on which it stands at one place.
const MIN_PAGES: usize = 3;
/// Large words of a page that are looked at.
const MAX_WORDS: usize = 24;
/// Largest distance between its positions on two pages, in multiples of its size: pages are trimmed apart.
const DRIFT: f32 = 0.1;
/// Texts of watermarks, accepted on documents too short for repetition.
const SIGNS: [&str; 12] = [
    "draft",
    "confidential",
    "copy",
    "sample",
    "specimen",
    "void",
    "proof",
    "unofficial",
    "restricted",
    "cancelled",
    "superseded",
    "archived",
];

/// Takes the watermarks out of the pages.
pub(crate) fn take(pages: &mut [PageWords], found: &mut Vec<Furniture>) {
    let large: Vec<Vec<Word>> = pages.iter().map(large_words).collect();
    for (at, page) in pages.iter_mut().enumerate() {
        let Some(own) = large.get(at).filter(|own| !own.is_empty()) else { continue };
        let mut marks: Vec<Word> = Vec::new();
        for word in own {
            let is_there = |other: &Vec<Word>| other.iter().any(|there| is_same(word, there));
            let near = large.slice(at.saturating_sub(6)..(at + 7).min(large.len()));
            let recurs = near.iter().filter(|other| is_there(other)).count() >= MIN_PAGES;
            let says = SIGNS.contains(&word.text.to_lowercase().as_str());
            let lies_over = || {
                let touched = |other: &&Word| {
                    other.size < 0.6 * word.size
                        && other.rect.x_overlap(&word.rect) > 0.0
                        && other.rect.y_overlap(&word.rect) > 0.0
                };
                page.words.iter().filter(touched).count() >= 3
            };
            if recurs || says && lies_over() {
                marks.push(word.clone());
            }
        }
        if marks.is_empty() {
            continue;
        }
        page.words.retain(|word| {
            let is_mark = marks.iter().any(|mark| mark.rect == word.rect && mark.text == word.text);
            if is_mark {
                found.push(Furniture {
                    kind: FurnitureKind::Other,
                    text: word.text.to_string(),
                    page: page.page,
                    rect: page.frame.shown_rect(&word.rect),
                });
            }
            !is_mark
        });
    }
}

fn large_words(page: &PageWords) -> Vec<Word> {
    let usual = usual_size(page.words.iter().map(|word| (word.size, word.n_chars()))).unwrap_or(f32::MAX);
    let (_, height) = page.frame.size();
    let is_large = |word: &&Word| {
        let in_middle = (0.2 * height..0.8 * height).contains(&word.rect.y_mid());
        word.size > LARGER * usual && in_middle && word.text.chars().any(char::is_alphabetic)
    };
    page.words.iter().filter(is_large).take(MAX_WORDS).cloned().collect()
}

fn is_same(a: &Word, b: &Word) -> bool {
    let is_near = |a_at: f32, b_at: f32| (a_at - b_at).abs() < DRIFT * a.size;
    a.text == b.text && is_near(a.rect.x0, b.rect.x0) && is_near(a.baseline, b.baseline)
}
