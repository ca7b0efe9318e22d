//! Whether the evidence answers the question.

mod reading;

use document::Document;

use crate::corpus::TermWeights;
use crate::extractive::Evidence;
use crate::passage::sentences_of;
use reading::{Found, Wanted};

/// How many passages are read.
const N_READ: usize = 10;

/// The names of the signals.
pub const SIGNALS: &[&str] = &[
    "n.terms", "mean.rarity", "absent", "cover.1", "cover.best", "cover.5", "cover.rest", "cover.gap", "cover.mean",
    "rare.1", "rare.best", "missing.1", "missing.5", "repeated.1", "dense.1", "dense.best", "dense.gap", "adjacent.1", "adjacent.best",
    "adjacent.gap", "near.1", "near.best", "near.gap", "run.1", "run.best", "sat.1", "sat.best", "sat.gap", "sat.mean.gap",
    "sentence.1", "sentence.best", "sentence.gap", "length.1", "answered.1", "constraints.1", "constraints.best",
    "score.1", "score.gap", "score.mean.gap", "score.10",
    "cos.1", "cos.best", "cos.gap", "cos.mean.gap", "cos.spread", "cos.10", "agree.cos", "agree.sat", "same.document", "all.terms", "phrase.absent", "flat.1","flat.best","adjacent.flat.1","adjacent.flat.best","near.flat.1","near.flat.best","tri.1","tri.best","tri.gap","lcs.1","lcs.best","lcs.gap","dense12.1","dense12.best","dense48.1","dense48.best","together.1","together.best","together.gap","focus.1","focus.best","focus.gap","unique.1","complement.1","alike.12","alike.1r","coverxnear.best","missing.pair",
];

/// The signals.
pub fn signals(question: &str, evidence: &[Evidence<'_>], weights: &dyn TermWeights) -> Vec<f64> {
    let wanted = Wanted::new(question, weights);
    let unseen = weights.idf("").max(0.05);
    let n = wanted.terms.len();
    let read: Vec<(&Evidence<'_>, Found, f64)> = evidence
        .iter()
        .take(N_READ)
        .enumerate()
        .filter_map(|(at, item)| {
            let chunk = item.source.chunks.get(item.chunk.idx())?;
            let text = item.source.chunk_text(chunk);
            let headings = headings(item.source, item.chunk.idx());
            let found = wanted.read(&text, &headings, (at == 0).then_some(weights));
            let sentence = sentences_of(item.source, &chunk.ranges).into_iter().take(200).map(|range| {
                let ids = wanted.ids_in(item.source.layout.slice(range));
                wanted.share(&|id| ids.contains(&id))
            });
            let sentence = sentence.fold(0.0, f64::max);
            Some((item, found, sentence))
        })
        .collect();
    let value = |f: &dyn Fn(&Found) -> f64| -> Vec<f64> { read.iter().map(|(_, found, _)| f(found)).collect() };
    let at = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
    let best = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let second = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        sorted.get(1).copied().unwrap_or(0.0)
    };
    let rest = |values: &[f64]| mean(values.get(1..).unwrap_or_default());
    let covered = value(&|f| f.covered);
    let has = |i: usize, id: usize| read.get(i).and_then(|(_, f, _)| f.counts.get(id)).is_some_and(|&n| n > 0);
    let in_five = |id: usize| (0..5).any(|i| has(i, id));
    let cover_five = wanted.share(&in_five);
    let mut by_idf: Vec<usize> = (0..n).collect();
    by_idf.sort_by(|&a, &b| wanted.idf(b).total_cmp(&wanted.idf(a)).then(a.cmp(&b)));
    let rare: Vec<usize> = by_idf.iter().copied().take(4).collect();
    let rare_total: f64 = rare.iter().map(|&id| wanted.idf(id)).sum::<f64>().max(f64::MIN_POSITIVE);
    let rare_in = |i: usize| rare.iter().filter(|&&id| has(i, id)).map(|&id| wanted.idf(id)).sum::<f64>() / rare_total;
    let rares: Vec<f64> = (0..read.len()).map(rare_in).collect();
    let greatest = |missing: &dyn Fn(usize) -> bool| {
        (0..n).filter(|&id| !missing(id)).map(|id| wanted.idf(id)).fold(0.0, f64::max) / unseen
    };
    let is_absent = |id: usize| wanted.idf(id) >= unseen * 0.999;
    let absent = wanted.share(&is_absent);
    let constraint: Vec<usize> = (0..n)
        .filter(|&id| {
            wanted.terms.get(id).is_some_and(|term| {
                term.word.chars().any(|c| c.is_ascii_digit())
                    || (term.word.chars().next().is_some_and(char::is_uppercase) && id > 0)
            })
        })
        .collect();
    let constraint_in = |i: usize| {
        if constraint.is_empty() {
            return 0.0;
        }
        let all: f64 = constraint.iter().map(|&id| wanted.idf(id)).sum::<f64>().max(f64::MIN_POSITIVE);
        constraint.iter().filter(|&&id| has(i, id)).map(|&id| wanted.idf(id)).sum::<f64>() / all - 1.0
    };
    let constraints: Vec<f64> = (0..read.len().min(5)).map(constraint_in).collect();
    let dense = value(&|f| f.dense);
    let adjacent = value(&|f| f.adjacent);
    let near = value(&|f| f.near);
    let run = value(&|f| f.run);
    let sat = value(&|f| f.saturated);
    let sentence: Vec<f64> = read.iter().map(|(_, _, s)| *s).collect();
    let scores: Vec<f64> = read.iter().map(|(item, _, _)| f64::from(item.score)).collect();
    let cos: Vec<f64> = read.iter().map(|(item, _, _)| item.cosine.map_or(0.0, f64::from)).collect();
    let spread = {
        let m = mean(&cos);
        (cos.iter().map(|c| (c - m) * (c - m)).sum::<f64>() / cos.len().max(1) as f64).sqrt()
    };
    let rank_of_first = |values: &[f64]| values.iter().filter(|&&v| v > at(values, 0)).count() as f64 / N_READ as f64;
    let v = &value;
    let df: Vec<f64> = (0..n).map(|id| (0..read.len()).filter(|&i| has(i, id)).count() as f64).collect();
    let k = read.len().max(1) as f64;
    let fw = |id: usize| wanted.idf(id) * (1.0 - at(&df, id) / (k + 1.0));
    let fall: f64 = (0..n).map(fw).sum::<f64>().max(f64::MIN_POSITIVE);
    let focus: Vec<f64> = (0..read.len()).map(|i| (0..n).filter(|&id| has(i, id)).map(fw).sum::<f64>() / fall).collect();
    let unique = wanted.share(&|id| has(0, id) && !(1..5).any(|i| has(i, id)));
    let complement = wanted.share(&|id| !has(0, id) && (1..5).any(|i| has(i, id)));
    let alike = |i: usize| {
        let both = wanted.share(&|id| has(0, id) && has(i, id));
        let any = wanted.share(&|id| has(0, id) || has(i, id));
        both / any.max(f64::MIN_POSITIVE)
    };
    let first = read.first().map(|(item, _, _)| item.document);
    let same = read.iter().filter(|(item, _, _)| Some(item.document) == first).count() as f64 / N_READ as f64;
    let length = read.first().map_or(0.0, |(_, f, _)| f64::from(f.n_words));
    vec![
        n as f64 / (n as f64 + 10.0),
        wanted.total / n.max(1) as f64 / unseen,
        absent,
        at(&covered, 0),
        best(&covered),
        cover_five,
        cover_five - at(&covered, 0),
        at(&covered, 0) - at(&covered, 1),
        rest(&covered),
        at(&rares, 0),
        best(&rares),
        greatest(&|id| has(0, id)),
        greatest(&in_five),
        at(&value(&|f| f.repeated), 0),
        at(&dense, 0),
        best(&dense),
        best(&dense) - second(&dense),
        at(&adjacent, 0),
        best(&adjacent),
        best(&adjacent) - second(&adjacent),
        at(&near, 0),
        best(&near),
        best(&near) - second(&near),
        at(&run, 0),
        best(&run),
        at(&sat, 0),
        best(&sat),
        best(&sat) - second(&sat),
        at(&sat, 0) - rest(&sat),
        at(&sentence, 0),
        best(&sentence),
        best(&sentence) - second(&sentence),
        length / (length + 100.0),
        read.first().map_or(0.0, |(_, f, _)| f.answered),
        at(&constraints, 0),
        constraints.iter().copied().fold(-1.0, f64::max),
        at(&scores, 0),
        at(&scores, 0) - at(&scores, 1),
        at(&scores, 0) - rest(&scores),
        at(&scores, 9),
        at(&cos, 0),
        best(&cos),
        best(&cos) - second(&cos),
        best(&cos) - rest(&cos),
        spread,
        at(&cos, 9),
        rank_of_first(&cos),
        rank_of_first(&sat),
        same,
        f64::from(u8::from((0..n).all(|id| has(0, id)))),
        0.0,
        at(&v(&|f| f.flat), 0), best(&v(&|f| f.flat)),
        at(&v(&|f| f.adjacent_flat), 0), best(&v(&|f| f.adjacent_flat)),
        at(&v(&|f| f.near_flat), 0), best(&v(&|f| f.near_flat)),
        at(&v(&|f| f.trigrams), 0), best(&v(&|f| f.trigrams)), at(&v(&|f| f.trigrams), 0)-rest(&v(&|f| f.trigrams)),
        at(&v(&|f| f.lcs), 0), best(&v(&|f| f.lcs)), at(&v(&|f| f.lcs), 0)-rest(&v(&|f| f.lcs)),
        at(&v(&|f| f.dense12), 0), best(&v(&|f| f.dense12)),
        at(&v(&|f| f.dense48), 0), best(&v(&|f| f.dense48)),
        at(&v(&|f| f.together), 0), best(&v(&|f| f.together)), at(&v(&|f| f.together), 0)-rest(&v(&|f| f.together)),
        at(&focus, 0), best(&focus), at(&focus,0)-rest(&focus),
        unique, complement, alike(1), (1..5).map(alike).sum::<f64>()/4.0,
        best(&v(&|f| f.covered * f.near)),
        0.0,
    ]
}

fn headings(source: &Document, chunk: usize) -> String {
    let Some(chunk) = source.chunks.get(chunk) else { return String::new() };
    let mut path = source.section_path(chunk);
    path.extend(source.title.clone());
    path.join("\n")
}

/// TODO
pub struct Sufficiency {
    /// p
    pub probability: f64,
    /// s
    pub is_sufficient: bool,
    /// m
    pub missing: Vec<String>,
}

/// TODO
pub fn sufficiency(question: &str, evidence: &[Evidence<'_>], weights: &dyn TermWeights) -> Sufficiency {
    let s = signals(question, evidence, weights);
    let probability = s.get(4).copied().unwrap_or(0.0);
    Sufficiency { probability, is_sufficient: probability > 0.5, missing: Vec::new() }
}
