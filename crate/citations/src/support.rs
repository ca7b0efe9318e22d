//! The sentence of a source that carries most of a sentence of the answer.
//!
//! By common terms alone: it points a reader to where to look, and is no proof. Sources are cut and analysed when
//! they are first asked for. Cost: linear in the source, then the lists of the sentence's terms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use text::{Analyzer, AnalyzerKind, sentences};

/// A source cut into sentences.
#[derive(Debug)]
pub(super) struct Carriers {
    sentences: Vec<(Range<usize>, usize)>,
    postings: BTreeMap<String, Vec<u32>>,
}

/// The sentence that carries most of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Carrier {
    pub(super) range: Range<usize>,
    /// Terms in common, of the sentence asked about, of the carrier.
    pub(super) common: usize,
    pub(super) asked: usize,
    pub(super) own: usize,
}

impl Carrier {
    /// Whether the two have so much in common that they speak of the same.
    pub(super) fn is_alike(&self) -> bool {
        self.common >= 3 && self.common * 5 >= self.asked * 3 && self.common * 2 >= self.own
    }

    /// Whether the two have so much in common that one restates the other.
    pub(super) fn is_restated(&self) -> bool {
        self.common >= 3 && self.common * 4 >= self.asked * 3 && self.common * 3 >= self.own * 2
    }
}

/// The terms of a sentence.
pub(super) fn terms(sentence: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    Analyzer::new(AnalyzerKind::Default).analyze(sentence, &mut |token| {
        terms.insert(token.term.to_owned());
    });
    terms
}

impl Carriers {
    pub(super) fn new(source: &str) -> Self {
        let mut postings: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut cut = Vec::new();
        for (at, range) in (0u32..).zip(sentences(source)) {
            let terms = terms(source.get(range.clone()).unwrap_or_default());
            cut.push((range, terms.len()));
            for term in terms {
                postings.entry(term).or_default().push(at);
            }
        }
        Self { sentences: cut, postings }
    }

    /// The sentence that has most of these terms, the shortest of equals; `None` when none has enough to say so.
    /// `steps` counts the work.
    pub(super) fn best(&self, asked: &BTreeSet<String>, steps: &mut usize) -> Option<Carrier> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for list in asked.iter().filter_map(|term| self.postings.get(term)) {
            *steps += list.len() + 1;
            for at in list {
                *counts.entry(*at).or_default() += 1;
            }
        }
        let own = |at: u32| self.sentences.get(at as usize).map_or(0, |(_, own)| *own);
        let (at, common) =
            counts.into_iter().max_by_key(|&(at, common)| (common, usize::MAX - own(at), u32::MAX - at))?;
        let (range, own) = self.sentences.get(at as usize)?.clone();
        let enough = common * 3 >= asked.len() || common >= 4;
        enough.then_some(Carrier { range, common, asked: asked.len(), own })
    }
}
