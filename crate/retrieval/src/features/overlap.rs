//! Term overlap features: the words of the question that occur in a unit's text and header, weighted by idf.

use index::Posting;

use super::context::{FeatureContext, UnitContext};
use crate::bm25::{QueryTerm, idf, saturation};

pub const NAMES: &[&str] = &[
    "cover.terms",
    "cover.idf",
    "cover.header",
    "cover.rare",
    "cover.hits",
    "cover.capped",
    "cover.missing",
    "text.score",
    "header.share",
    "question.length",
    "length.ratio",
    "cover.beyond",
    "local.score",
    "form.asked",
];

/// Number of the rarest words of a question.
const N_RARE: usize = 3;
/// Occurrences that count at most for `cover.capped`.
const CAP: u16 = 2;

/// Appends the values of [`NAMES`] for a unit.
pub fn push(place: &UnitContext<'_>, context: &FeatureContext<'_>, out: &mut Vec<f32>) {
    let terms = context.lexical.terms_for(place.segment);
    let length = place.segment.postings().lengths().get(place.unit as usize).copied().unwrap_or_default();
    let relative = f64::from(length.text) / context.lexical.mean_text_length;
    let mut sums = Sums::default();
    let found = terms.iter().zip(place.postings()).filter(|(term, _)| term.instead_of.is_none());
    for (term, (posting, n_units)) in found {
        let posting = posting.unwrap_or_default();
        let is_hit = posting.text_freq > 0 || posting.header_freq > 0;
        if text::is_form(&term.text) {
            // A form counts as it is, not as a share of the words.
            sums.forms += if is_hit { term.idf } else { 0.0 };
            continue;
        }
        sums.add(term, posting);
        let text_freq = f64::from(posting.text_freq);
        sums.text_score += term.n * term.idf * saturation(text_freq, relative, context.bm25);
        if is_hit {
            // BM25 as if the document were the collection: it separates the document's own provisions.
            let freq = text_freq + f64::from(posting.header_freq);
            let idf = idf(n_units as u64, place.segment.units().len() as u64);
            sums.local_score += idf * saturation(freq, relative, context.bm25);
        }
    }
    out.extend(sums.values(f64::from(length.text.max(1))).map(|value| value as f32));
}

/// Sums over the words of a question in one unit.
#[derive(Default)]
struct Sums {
    n_terms: u32,
    /// With repetition.
    n_words: f64,
    n_hits: u32,
    /// Sums of idf: of all words, of those that occur, in the header, not in the header, and of the latter in the text.
    idf: f64,
    idf_hit: f64,
    idf_header: f64,
    idf_beyond: f64,
    idf_beyond_hit: f64,
    /// Of the forms that the question asks for and the unit has.
    forms: f64,
    capped: f64,
    text_score: f64,
    local_score: f64,
    /// Greatest idf of a word that does not occur.
    best_missing: f64,
    /// Idf of the rarest words, greatest first, and whether they occur.
    rare: [(f64, bool); N_RARE],
}

impl Sums {
    fn add(&mut self, term: &QueryTerm, posting: Posting) {
        let is_hit = posting.text_freq > 0 || posting.header_freq > 0;
        self.n_terms += 1;
        self.n_words += term.n;
        self.idf += term.idf;
        if is_hit {
            self.n_hits += 1;
            self.idf_hit += term.idf;
        } else {
            self.best_missing = self.best_missing.max(term.idf);
        }
        if posting.header_freq > 0 {
            self.idf_header += term.idf;
        } else {
            self.idf_beyond += term.idf;
            self.idf_beyond_hit += if posting.text_freq > 0 { term.idf } else { 0.0 };
        }
        self.capped += term.idf * f64::from(posting.text_freq.min(CAP)) / f64::from(CAP);
        let at = self.rare.iter().position(|&(idf, _)| term.idf > idf);
        if let Some(tail) = at.and_then(|at| self.rare.get_mut(at..)) {
            tail.rotate_right(1);
            if let Some(first) = tail.first_mut() {
                *first = (term.idf, is_hit);
            }
        }
    }

    /// The values in the order of [`NAMES`], for a unit of so many words.
    fn values(&self, text_length: f64) -> [f64; NAMES.len()] {
        let idf = self.idf.max(f64::MIN_POSITIVE);
        let rare: f64 = self.rare.iter().map(|&(idf, _)| idf).sum::<f64>().max(f64::MIN_POSITIVE);
        let rare_hit: f64 = self.rare.iter().filter(|&&(_, hit)| hit).map(|&(idf, _)| idf).sum();
        let rarest = self.rare.first().map_or(0.0, |&(idf, _)| idf).max(f64::MIN_POSITIVE);
        [
            f64::from(self.n_hits) / f64::from(self.n_terms.max(1)),
            self.idf_hit / idf,
            self.idf_header / idf,
            rare_hit / rare,
            f64::from(self.n_hits),
            self.capped / idf,
            self.best_missing / rarest,
            self.text_score / idf,
            self.idf_header / self.idf_hit.max(f64::MIN_POSITIVE),
            self.n_words,
            (self.n_words / text_length).min(4.0),
            self.idf_beyond_hit / self.idf_beyond.max(f64::MIN_POSITIVE),
            self.local_score / idf,
            self.forms,
        ]
    }
}
