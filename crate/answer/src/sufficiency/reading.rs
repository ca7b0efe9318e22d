//! How the words of a question stand in a passage, for [`super::sufficiency`].
//!
//! A word counts by its rarity in the library, as a share of the rarity of the whole question: a library of ten
//! passages and one of a million give shares that mean the same. Cost: one analysis of each passage, and a few
//! steps for each of its words that the question has.

use std::collections::BTreeMap;

use text::{Analyzer, AnalyzerKind};

use crate::corpus::TermWeights;

/// Words that ask, in stems: they tell how somebody speaks to an answerer, not what of.
const ASKING: &[&str] = &[
    "can", "could", "should", "will", "shall", "may", "might", "must", "i", "we", "you", "me", "my", "our", "your", "us",
    "please", "tell", "explain", "describ", "clarifi", "provid", "elabor", "outlin", "detail", "specif", "exampl",
    "if", "about", "under", "there", "any", "some", "such", "also", "between", "each", "than", "s",
];
/// The same in Chinese, as the characters of which a pair must not be made.
const ASKING_ZH: &[&str] = &[
    "什么", "哪些", "哪个", "哪种", "如何", "怎么", "怎样", "是否", "多少", "多久", "为何", "何时", "请问", "我想", "我们", "么办",
    "是什", "有哪", "的是", "可以", "应当", "需要", "吗",
];
/// The most words of a question that are looked at.
const MAX_TERMS: usize = 128;
/// The most words of a passage that are looked at.
const MAX_WORDS: usize = 4096;
/// Words of a stretch that may hold the answer.
const STRETCH: u32 = 24;

/// A word of the question.
#[derive(Clone, Debug)]
pub struct Term {
    /// As analysed.
    pub term: String,
    /// As the question has it.
    pub word: String,
    /// Its rarity, 0 for one that is everywhere.
    pub idf: f64,
}

/// A question, ready to be looked for.
pub struct Wanted {
    analyzer: Analyzer,
    ids: BTreeMap<String, usize>,
    /// In order of the question, each once.
    pub terms: Vec<Term>,
    /// Neighbours.
    pairs: Vec<(usize, usize)>,
    seq: Vec<usize>,
    /// The sum of all rarities.
    pub total: f64,
    pair_total: f64,
}

/// What a passage has of a question. Shares are of the rarities of its words, 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// By word of the question: how often.
    pub counts: Vec<u32>,
    /// The share of words that occur.
    pub covered: f64,
    /// The same, a word fully only when it occurs three times.
    pub repeated: f64,
    /// The best share in any stretch of 24 words.
    pub dense: f64,
    /// The share of neighbours that are neighbours here, in order, at most one word between.
    pub adjacent: f64,
    /// The share of neighbours that stand within eight words.
    pub near: f64,
    /// The heaviest run of the question's words in its order, at most one word between two of them.
    pub run: f64,
    /// Saturated as BM25 does.
    pub saturated: f64,
    /// Flat ones.
    pub flat: f64, pub adjacent_flat: f64, pub near_flat: f64, pub trigrams: f64, pub lcs: f64, pub dense12: f64, pub dense48: f64, pub together: f64,
    /// Words of the passage.
    pub n_words: u32,
    /// Of the passage's own rarities, the share that is the question's.
    pub answered: f64,
}

impl Wanted {
    /// Takes a question apart.
    pub fn new(question: &str, weights: &dyn TermWeights) -> Self {
        let mut wanted = Self {
            analyzer: Analyzer::new(AnalyzerKind::Default),
            ids: BTreeMap::new(),
            terms: Vec::new(),
            pairs: Vec::new(), seq: Vec::new(),
            total: 0.0,
            pair_total: 0.0,
        };
        let mut last: Option<usize> = None;
        let Self { analyzer, ids, terms, pairs, seq, .. } = &mut wanted;
        analyzer.analyze(question, &mut |token| {
            let word = question.get(token.range.clone()).unwrap_or_default();
            let is_han = word.chars().next().is_some_and(text::is_cjk);
            let is_asking = if is_han { ASKING_ZH.contains(&word) } else { ASKING.contains(&token.term) };
            // Of Chinese only pairs: single characters are in nearly every sentence.
            if is_asking || (is_han && word.chars().count() < 2) || terms.len() >= MAX_TERMS {
                return;
            }
            let id = *ids.entry(token.term.to_owned()).or_insert_with(|| {
                terms.push(Term {
                    term: token.term.to_owned(),
                    word: word.to_owned(),
                    idf: weights.idf(token.term).max(0.05),
                });
                terms.len() - 1
            });
            seq.push(id);
            if let Some(last) = last.replace(id).filter(|&last| last != id && !pairs.contains(&(last, id))) {
                pairs.push((last, id));
            }
        });
        wanted.total = wanted.terms.iter().map(|term| term.idf).sum::<f64>().max(f64::MIN_POSITIVE);
        wanted.pair_total =
            wanted.pairs.iter().map(|&pair| wanted.pair_weight(pair)).sum::<f64>().max(f64::MIN_POSITIVE);
        wanted
    }

    /// The rarity of a word of the question.
    pub fn idf(&self, id: usize) -> f64 {
        self.terms.get(id).map_or(0.0, |term| term.idf)
    }

    fn pair_weight(&self, (a, b): (usize, usize)) -> f64 {
        self.idf(a) + self.idf(b)
    }

    /// The share of the question that these words are.
    pub fn share(&self, has: &dyn Fn(usize) -> bool) -> f64 {
        let ids = (0..self.terms.len()).filter(|&id| has(id));
        ids.map(|id| self.idf(id)).sum::<f64>() / self.total
    }

    /// Whether a text has a word of the question.
    pub fn ids_in(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        self.analyzer.analyze(text, &mut |token| found.extend(self.ids.get(token.term)));
        found
    }

    /// Reads a passage under its headings. `others` says how rare words are; where it is none they are not asked.
    pub fn read(&self, text: &str, headings: &str, others: Option<&dyn TermWeights>) -> Found {
        let mut found = Found { counts: vec![0; self.terms.len()], ..Found::default() };
        let mut hits: Vec<(u32, usize)> = Vec::new();
        let mut own: BTreeMap<String, u32> = BTreeMap::new();
        let mut last_place = None;
        self.analyzer.analyze(text, &mut |token| {
            if found.n_words as usize >= MAX_WORDS {
                return;
            }
            found.n_words += u32::from(last_place.replace(token.position) != Some(token.position));
            if let Some(&id) = self.ids.get(token.term) {
                hits.push((token.position, id));
                if let Some(count) = found.counts.get_mut(id) {
                    *count += 1;
                }
            } else if others.is_some() && own.len() < 96 {
                *own.entry(token.term.to_owned()).or_default() += 1;
            }
        });
        found.dense = self.dense(&hits, STRETCH);
        found.dense12 = self.dense(&hits, 12);
        found.dense48 = self.dense(&hits, 48);
        (found.adjacent, found.near, found.adjacent_flat, found.near_flat, found.together) = self.pairs_in(&hits);
        found.flat = found.counts.iter().filter(|&&n| n > 0).count() as f64 / self.terms.len().max(1) as f64;
        let tri = self.seq.windows(3);
        let n_tri = tri.len().max(1) as f64;
        let ids: Vec<(u32, usize)> = hits.clone();
        found.trigrams = tri.filter(|t| ids.windows(3).any(|w| w.iter().map(|h| h.1).eq(t.iter().copied()) && w[2].0 - w[0].0 <= 5)).count() as f64 / n_tri;
        found.lcs = self.lcs(&ids) / self.seq.len().max(1) as f64;
        found.run = self.run(&hits);
        let length = f64::from(found.n_words);
        let weigh = |f: &dyn Fn(f64) -> f64| {
            let counts = found.counts.iter().enumerate();
            counts.map(|(id, &n)| self.idf(id) * f(f64::from(n))).sum::<f64>() / self.total
        };
        let saturated = weigh(&|n| n / (n + 0.5 + 0.7 * length / 100.0));
        for id in self.ids_in(headings) {
            if let Some(count) = found.counts.get_mut(id) {
                *count += 1;
            }
        }
        let counts = |f: &dyn Fn(f64) -> f64| {
            let counts = found.counts.iter().enumerate();
            counts.map(|(id, &n)| self.idf(id) * f(f64::from(n))).sum::<f64>() / self.total
        };
        let (covered, repeated) = (counts(&|n| n.min(1.0)), counts(&|n| n.min(3.0) / 3.0));
        if let Some(others) = others {
            let mine: f64 = self.share(&|id| found.counts.get(id).is_some_and(|&n| n > 0)) * self.total;
            let rest: f64 = own.keys().map(|term| others.idf(term)).sum();
            found.answered = mine / (mine + rest).max(f64::MIN_POSITIVE);
        }
        Found { covered, repeated, saturated, ..found }
    }

    fn dense(&self, hits: &[(u32, usize)], stretch: u32) -> f64 {
        let mut inside = vec![0_u32; self.terms.len()];
        let (mut sum, mut best, mut start) = (0.0, 0.0_f64, 0);
        for &(position, id) in hits {
            while let Some(&(first, gone)) = hits.get(start).filter(|hit| hit.0 + stretch <= position) {
                let _ = first;
                if let Some(n) = inside.get_mut(gone) {
                    *n -= 1;
                    if *n == 0 {
                        sum -= self.idf(gone);
                    }
                }
                start += 1;
            }
            if let Some(n) = inside.get_mut(id) {
                *n += 1;
                if *n == 1 {
                    sum += self.idf(id);
                }
            }
            best = best.max(sum);
        }
        best / self.total
    }

    fn lcs(&self, hits: &[(u32, usize)]) -> f64 {
        let mut best = 0.0_f64;
        let mut start = 0;
        while start < hits.len() {
            let p0 = hits[start].0;
            let win: Vec<usize> = hits[start..].iter().take_while(|h| h.0 < p0 + 40).map(|h| h.1).collect();
            let mut row = vec![0_u32; self.seq.len() + 1];
            for w in &win {
                let mut diag = 0;
                for (j, s) in self.seq.iter().enumerate() {
                    let up = row[j + 1];
                    row[j + 1] = if s == w { diag + 1 } else { up.max(row[j]) };
                    diag = up;
                }
            }
            best = best.max(f64::from(row[self.seq.len()]));
            start += 4;
        }
        best
    }
    fn pairs_in(&self, hits: &[(u32, usize)]) -> (f64, f64, f64, f64, f64) {
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); self.terms.len()];
        for &(position, id) in hits {
            if let Some(places) = places.get_mut(id).filter(|places| places.len() < 16) {
                places.push(position);
            }
        }
        let of = |id: usize| places.get(id).map_or(&[][..], Vec::as_slice);
        let (mut adjacent, mut near) = (0.0, 0.0);
        let (mut af, mut nf) = (0.0, 0.0);
        for &(a, b) in &self.pairs {
            let within = |ahead: u32, behind: u32| {
                of(a).iter().any(|&at| {
                    of(b).iter().any(|&other| {
                        (other > at && other - at <= ahead) || (other < at && at - other <= behind)
                    })
                })
            };
            let weight = self.pair_weight((a, b)) / self.pair_total;
            adjacent += if within(2, 0) { weight } else { 0.0 };
            near += if within(8, 8) { weight } else { 0.0 };
            af += f64::from(u8::from(within(2, 0)));
            nf += f64::from(u8::from(within(8, 8)));
        }
        let np = self.pairs.len().max(1) as f64;
        let (mut tg, mut all) = (0.0, 0.0);
        for a in 0..self.terms.len().min(40) {
            for b in 0..a {
                let w = self.idf(a) * self.idf(b);
                all += w;
                if of(a).iter().any(|&x| of(b).iter().any(|&y| x.abs_diff(y) <= 16)) { tg += w; }
            }
        }
        (adjacent, near, af / np, nf / np, tg / all.max(1e-9))
    }

    fn run(&self, hits: &[(u32, usize)]) -> f64 {
        let (mut best, mut sum) = (0.0_f64, 0.0);
        let mut last: Option<(u32, usize)> = None;
        for &(position, id) in hits {
            let goes_on = last.is_some_and(|(before, of)| {
                position > before && position - before <= 2 && self.pairs.contains(&(of, id))
            });
            sum = if goes_on { sum + self.idf(id) } else { self.idf(id) };
            best = best.max(if goes_on { sum } else { 0.0 });
            last = Some((position, id));
        }
        best / self.total
    }
}
