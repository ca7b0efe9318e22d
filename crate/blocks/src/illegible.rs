//! Illegible text: words whose characters form no language, as a font without a usable map or a broken content stream
//! gives them ("7KH 3DUWLHV").
//!
//! A font that is broken is broken for all its text, and honest text is full of codes, names and figures. So the evidence
//! of [`text::legibility`] is summed over the words of one font in the order of the document, and the font's text is parted
//! where that pays: a change of verdict costs more than one odd line gives. What is set apart is listed with the furniture,
//! neither searched nor cited. Cost: linear in the words.

use std::collections::BTreeMap;

use document::{Diag, DiagCode, Furniture, FurnitureKind, PageId, Severity, Slice as _};
use text::legibility;

use crate::page::{PageWords, Word};

/// Least evidence against a whole font, in half bits: some fifteen letters that form no words.
const MIN_OF_FONT: i64 = 80;
/// Least evidence for another verdict within a font, in half bits: half a line of letters that form no words.
const MIN_OF_CHANGE: i64 = 160;
/// Least letters of an illegible document for each that is none: what is left of it is page numbers and scraps.
const SCRAPS: usize = 10;
/// Characters kept of a page's illegible text.
const MAX_CHARS: usize = 4_000;
/// Pieces kept of it.
const MAX_PIECES: usize = 200;

/// Takes the illegible words out of the pages: as pieces for display, with a word of warning for each page with some,
/// or one for the document where most of it is illegible.
pub(crate) fn take(pages: &mut [PageWords]) -> (Vec<Furniture>, Vec<Diag>) {
    let mut illegible = verdicts_by_page(pages);
    let words = || pages.iter().zip(&illegible).flat_map(|(page, verdicts)| page.words.iter().zip(verdicts));
    let n_letters: usize = words().map(|(word, _)| n_letters_of(word)).sum();
    let n_illegible: usize = words().filter(|(_, bad)| **bad).map(|(word, _)| n_letters_of(word)).sum();
    if n_illegible > 0 && n_illegible * SCRAPS >= n_letters * (SCRAPS - 1) {
        illegible.iter_mut().flatten().for_each(|verdict| *verdict = true);
    }
    let (mut pieces, mut found) = (Vec::new(), Vec::new());
    for (page, verdicts) in pages.iter_mut().zip(illegible) {
        let taken = take_of_page(page, &verdicts);
        if !taken.is_empty() {
            pieces.extend(pieces_of(page, &taken));
            found.push(page.page);
        }
    }
    let diags = match found.is_empty() {
        false if n_illegible * 2 > n_letters => vec![of_document()],
        _ => found.into_iter().map(of_page).collect(),
    };
    (pieces, diags)
}

/// Letters of a word that carry evidence, those without a meaning included.
fn n_letters_of(word: &Word) -> usize {
    word.text.chars().filter(|c| !c.is_numeric() && !c.is_ascii_punctuation()).count()
}

/// For each word of each page, true if it is illegible by the evidence of all words of its font.
fn verdicts_by_page(pages: &[PageWords]) -> Vec<Vec<bool>> {
    let mut by_font: BTreeMap<u16, Parting> = BTreeMap::new();
    for page in pages {
        let mut before = "";
        for word in &page.words {
            let weight =
                legibility::evidence(&word.text) + legibility::evidence_of_operator(before, &word.text);
            by_font.entry(word.font).or_default().add(weight.into());
            before = &word.text;
        }
    }
    let mut by_font: BTreeMap<u16, Verdicts> =
        by_font.into_iter().map(|(font, parting)| (font, parting.verdicts())).collect();
    // From the last word to the first, as the verdicts come.
    let mut verdict_of = |word: &Word| by_font.get_mut(&word.font).and_then(Iterator::next).unwrap_or(false);
    let mut verdicts: Vec<Vec<bool>> = pages.iter().map(|page| vec![false; page.words.len()]).collect();
    for (page, verdicts) in pages.iter().zip(&mut verdicts).rev() {
        for (word, verdict) in page.words.iter().zip(verdicts).rev() {
            *verdict = verdict_of(word);
        }
    }
    verdicts
}

/// The parting of a font's text into legible and illegible words with the most evidence, less the least evidence for
/// each part (the algorithm of Viterbi for two states). Two bytes are kept of each word.
struct Parting {
    /// Evidence of the best parting that ends legible.
    legible: i64,
    /// The same of one that ends illegible.
    illegible: i64,
    /// For each word, true if the best parting that ends in each verdict has the same verdict for the word before.
    stays: Vec<(bool, bool)>,
}

impl Default for Parting {
    fn default() -> Self {
        Self { legible: 0, illegible: -MIN_OF_FONT, stays: Vec::new() }
    }
}

impl Parting {
    /// Adds the next word by the evidence that it is legible.
    fn add(&mut self, weight: i64) {
        let Self { legible, illegible, stays } = self;
        stays.push((*legible >= *illegible - MIN_OF_CHANGE, *illegible >= *legible - MIN_OF_CHANGE));
        let best_legible = (*legible).max(*illegible - MIN_OF_CHANGE);
        *illegible = (*illegible).max(*legible - MIN_OF_CHANGE);
        *legible = best_legible + weight;
    }

    fn verdicts(self) -> Verdicts {
        Verdicts { verdict: self.illegible > self.legible, stays: self.stays }
    }
}

/// The verdicts of a font's words, from the last to the first: true for an illegible one.
struct Verdicts {
    verdict: bool,
    stays: Vec<(bool, bool)>,
}

impl Iterator for Verdicts {
    type Item = bool;

    fn next(&mut self) -> Option<bool> {
        let (stays_legible, stays_illegible) = self.stays.pop()?;
        let verdict = self.verdict;
        let stays = if verdict { stays_illegible } else { stays_legible };
        self.verdict ^= !stays;
        Some(verdict)
    }
}

/// Takes the words with an illegible verdict out of a page.
fn take_of_page(page: &mut PageWords, verdicts: &[bool]) -> Vec<Word> {
    if !verdicts.contains(&true) {
        return Vec::new();
    }
    let words = std::mem::take(&mut page.words).into_iter().zip(verdicts);
    let (taken, kept): (Vec<_>, Vec<_>) = words.partition(|(_, is_illegible)| **is_illegible);
    page.words = kept.into_iter().map(|(word, _)| word).collect();
    taken.into_iter().map(|(word, _)| word).collect()
}

/// Words of a page as pieces, one a line.
fn pieces_of(page: &PageWords, words: &[Word]) -> Vec<Furniture> {
    let (mut pieces, mut n_chars) = (Vec::new(), 0);
    for line in
        words.chunk_by(|a, b| (a.baseline - b.baseline).abs() < 0.2 * a.size && a.rect.x0 <= b.rect.x0)
    {
        let text = line.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        n_chars += text.chars().count();
        if n_chars > MAX_CHARS || pieces.len() >= MAX_PIECES {
            break;
        }
        let rest = line.slice(1.min(line.len())..);
        let Some(rect) =
            line.first().map(|word| rest.iter().fold(word.rect, |all, word| all.union(&word.rect)))
        else {
            continue;
        };
        let rect = page.frame.shown_rect(&rect);
        pieces.push(Furniture { kind: FurnitureKind::Illegible, text, page: page.page, rect });
    }
    pieces
}

fn of_page(page: PageId) -> Diag {
    Diag {
        code: DiagCode::IllegibleText,
        severity: Severity::Warning,
        message: "the page holds text that forms no words; it is kept apart and not searched".to_owned(),
        hint: "a font of the file does not say which letters it draws: run text recognition (OCR) on it"
            .to_owned(),
        page: Some(page),
    }
}

fn of_document() -> Diag {
    Diag {
        code: DiagCode::IllegibleText,
        severity: Severity::Warning,
        message: "most of the text of the document forms no words; it is kept apart and not searched"
            .to_owned(),
        hint: "its text cannot be read: run text recognition (OCR) on the file first".to_owned(),
        page: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(weights: &[i64]) -> Vec<bool> {
        let mut parting = Parting::default();
        weights.iter().for_each(|&weight| parting.add(weight));
        let mut verdicts: Vec<bool> = parting.verdicts().collect();
        verdicts.reverse();
        verdicts
    }

    /// Verdicts of words with these weights, a letter each: `x` for illegible.
    fn parted(weights: &[(i64, usize)]) -> String {
        let weights: Vec<i64> =
            weights.iter().flat_map(|(weight, n)| std::iter::repeat_n(*weight, *n)).collect();
        verdicts(&weights).iter().map(|verdict| if *verdict { 'x' } else { '.' }).collect()
    }

    #[test]
    fn a_font_is_parted_where_its_words_say_so_together() {
        assert_eq!(parted(&[]), "");
        assert_eq!(parted(&[(9, 8)]), "........");
        assert_eq!(parted(&[(-20, 8)]), "xxxxxxxx");
        // Three codes are no broken font.
        assert_eq!(parted(&[(-20, 3)]), "...");
        // An odd line among honest ones stays, a broken page does not.
        assert_eq!(parted(&[(9, 30), (-20, 9), (9, 30)]), ".".repeat(69));
        assert_eq!(
            parted(&[(9, 30), (-20, 90), (9, 30)]),
            [".".repeat(30), "x".repeat(90), ".".repeat(30)].concat()
        );
        // Figures go with the words around them.
        assert_eq!(parted(&[(-20, 8), (0, 3), (-20, 8)]), "x".repeat(19));
    }

    /// The best parting found by trying all.
    fn naive(weights: &[i64]) -> i64 {
        let n = weights.len();
        let score = |mask: u32| {
            let verdict = |at: usize| mask >> at & 1 == 1;
            let signed = |at: usize| if verdict(at) { 0 } else { weights[at] };
            let changes = (1..n).filter(|&at| verdict(at) != verdict(at - 1)).count();
            (0..n).map(signed).sum::<i64>()
                - MIN_OF_CHANGE * i64::try_from(changes).unwrap()
                - if verdict(0) { MIN_OF_FONT } else { 0 }
        };
        (0..1 << n).map(score).max().unwrap()
    }

    #[test]
    fn no_other_parting_has_more_evidence() {
        let mut state = 7_u64;
        for _ in 0..200 {
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                i64::try_from(state >> 33).unwrap() % 400 - 200
            };
            let weights: Vec<i64> = (0..9).map(|_| next()).collect();
            let found = verdicts(&weights);
            let signed = weights.iter().zip(&found).map(|(weight, bad)| if *bad { 0 } else { *weight });
            let changes = found.windows(2).filter(|pair| pair[0] != pair[1]).count();
            let score = signed.sum::<i64>()
                - MIN_OF_CHANGE * i64::try_from(changes).unwrap()
                - if found[0] { MIN_OF_FONT } else { 0 };
            assert_eq!(score, naive(&weights), "{weights:?}");
        }
    }
}
