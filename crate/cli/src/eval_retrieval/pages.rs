//! Hits of a library, judged by the pages on which they stand.
//!
//! Judgments name places as `file.pdf#7,8`: any of these pages of the document. A hit is listed as the places that it
//! touches and none before it did; one that touches none, under its own name, so that it takes its place in the
//! ranking. Hits differ in length, and the longer ones touch more: [`Pages::words`] takes of every ranking
//! the same length of text.

use std::collections::BTreeSet;

use ::index::Index;
use document::{Document, Hit, PageId};
use evaluate::ranking::Judgments;

/// How hits are taken for pages.
pub(super) struct Pages {
    /// The words of a ranking that are read, from the first hit on.
    pub(super) words: Option<usize>,
}

impl Pages {
    /// The ids of hits, with their scores.
    pub(super) fn results(&self, hits: &[Hit], judgments: &Judgments, index: &Index) -> Vec<(String, f64)> {
        let places: Vec<(&str, &str, BTreeSet<usize>)> = judgments.keys().map(|id| place(id)).collect();
        let mut left = self.words.unwrap_or(usize::MAX);
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut results = Vec::with_capacity(hits.len());
        for hit in hits {
            let Some(entry) = index.get(hit.document).filter(|_| left > 0) else { break };
            let document = entry.segment().document();
            let pages = pages(document, hit, &mut left);
            let touched = |(_, name, wanted): &&(&str, &str, BTreeSet<usize>)| {
                *name == document.name && !wanted.is_disjoint(&pages)
            };
            let score = f64::from(hit.score);
            let new: Vec<&str> =
                places.iter().filter(touched).map(|(id, ..)| *id).filter(|id| found.insert(id)).collect();
            match new.as_slice() {
                [] => results.push((format!("{}:{}", document.name, hit.chunk.idx()), score)),
                ids => results.extend(ids.iter().map(|id| ((*id).to_owned(), score))),
            }
        }
        results
    }
}

/// An id with its document and its pages, from 1.
fn place(id: &str) -> (&str, &str, BTreeSet<usize>) {
    let (name, pages) = id.rsplit_once('#').unwrap_or((id, ""));
    (id, name, pages.split(',').filter_map(|page| page.parse().ok()).collect())
}

/// The pages, from 1, of the words of a hit that are read; what is read is taken from what is `left`.
fn pages(document: &Document, hit: &Hit, left: &mut usize) -> BTreeSet<usize> {
    let ranges = document.chunks.get(hit.chunk.idx()).map_or(&[][..], |chunk| &chunk.ranges);
    let words = ranges.iter().flat_map(|&range| document.layout.words.words_in(range)).take(*left);
    let (mut n, mut pages) = (0, BTreeSet::new());
    for word in words {
        let PageId(page) = word.page;
        pages.insert(page as usize + 1);
        n += 1;
    }
    *left -= n;
    pages
}
