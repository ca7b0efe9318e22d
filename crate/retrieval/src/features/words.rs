//! Which words of the question a unit has, in its text and in its header, by their rarity.

use super::{Place, Stage};
use crate::bm25::{idf, saturation};

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

/// How many of the rarest terms count as such.
const N_RARE: usize = 3;
/// From here on repetition says nothing.
const CAP: u16 = 2;

pub fn push(place: &Place<'_>, stage: &Stage<'_>, out: &mut Vec<f32>) {
    let terms = stage.lexical.terms_for(place.segment);
    let postings = place.segment.postings();
    let length = postings.lengths().get(place.unit as usize).copied().unwrap_or_default();
    let relative = f64::from(length.text) / stage.lexical.mean_text_length;
    let (mut n_hits, mut idf_all, mut idf_hit, mut idf_header) = (0_u32, 0.0, 0.0, 0.0);
    let (mut idf_beyond, mut hit_beyond, mut local_score) = (0.0, 0.0, 0.0);
    let n_units = place.segment.units().len() as u64;
    let (mut capped, mut text_score, mut best_missing) = (0.0, 0.0, 0.0_f64);
    let mut rare = [(0.0_f64, false); N_RARE];
    let mut asked = 0.0;
    let own = || terms.iter().filter(|term| term.instead_of.is_none());
    for term in own() {
        let list = postings.of(&term.text);
        let posting = list
            .binary_search_by_key(&place.unit, |posting| posting.unit)
            .ok()
            .and_then(|at| list.get(at))
            .copied()
            .unwrap_or_default();
        let is_hit = posting.text_freq > 0 || posting.header_freq > 0;
        if text::is_form(&term.text) {
            // What is asked for is no word; it counts as it is, not as a share of the words.
            asked += if is_hit { term.idf } else { 0.0 };
            continue;
        }
        idf_all += term.idf;
        if is_hit {
            n_hits += 1;
            idf_hit += term.idf;
        } else {
            best_missing = best_missing.max(term.idf);
        }
        if posting.header_freq > 0 {
            idf_header += term.idf;
        } else {
            idf_beyond += term.idf;
            hit_beyond += if posting.text_freq > 0 { term.idf } else { 0.0 };
        }
        if is_hit {
            // As if the document were all there is: what tells its provisions apart.
            let freq = f64::from(posting.text_freq) + f64::from(posting.header_freq);
            local_score += idf(list.len() as u64, n_units) * saturation(freq, relative, stage.bm25);
        }
        capped += term.idf * f64::from(posting.text_freq.min(CAP)) / f64::from(CAP);
        text_score += term.n * term.idf * saturation(f64::from(posting.text_freq), relative, stage.bm25);
        // Into its place among the rarest.
        let at = rare.iter().position(|&(idf, _)| term.idf > idf);
        if let Some(tail) = at.and_then(|at| rare.get_mut(at..)) {
            tail.rotate_right(1);
            if let Some(first) = tail.first_mut() {
                *first = (term.idf, is_hit);
            }
        }
    }
    let idf_all = idf_all.max(f64::MIN_POSITIVE);
    let rare_all: f64 = rare.iter().map(|&(idf, _)| idf).sum::<f64>().max(f64::MIN_POSITIVE);
    let rare_hit: f64 = rare.iter().filter(|&&(_, hit)| hit).map(|&(idf, _)| idf).sum();
    let rarest = rare.first().map_or(0.0, |&(idf, _)| idf).max(f64::MIN_POSITIVE);
    let words = || own().filter(|term| !text::is_form(&term.text));
    let n_terms = words().count().max(1) as f64;
    let n_words = words().map(|term| term.n).sum::<f64>();
    out.extend(
        [
            f64::from(n_hits) / n_terms,
            idf_hit / idf_all,
            idf_header / idf_all,
            rare_hit / rare_all,
            f64::from(n_hits),
            capped / idf_all,
            best_missing / rarest,
            text_score / idf_all,
            idf_header / idf_hit.max(f64::MIN_POSITIVE),
            n_words,
            (n_words / f64::from(length.text.max(1))).min(4.0),
            hit_beyond / idf_beyond.max(f64::MIN_POSITIVE),
            local_score / idf_all,
            asked,
        ]
        .map(|value| value as f32),
    );
}
