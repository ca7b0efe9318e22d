//! Hits with the derivation of their scores.

use document::{Explanation, Hit};
use index::Index;

use crate::fusion::{Fusion, Norm, Scored};
use crate::named::Named;
use crate::whole::Whole;
use crate::{Options, Ranker, bm25};

/// What moved hits after they were scored.
pub struct Lifts<'a> {
    pub named: &'a Named,
    pub whole: &'a Whole,
}

/// The final hits. Without [`Options::explain`] an explanation is the score and its name.
pub fn hits(
    ranked: Vec<Scored>,
    index: &Index,
    lexical: &bm25::Leg,
    lifts: &Lifts<'_>,
    options: &Options,
) -> Vec<Hit> {
    (1..)
        .zip(ranked)
        .map(|(rank, hit)| Hit {
            document: hit.document,
            chunk: hit.chunk,
            score: hit.score,
            rank,
            explanation: explanation(&hit, index, lexical, lifts, options),
        })
        .collect()
}

/// Of an article with folded children: the best of what they and itself scored.
fn explanation(
    hit: &Scored,
    index: &Index,
    lexical: &bm25::Leg,
    lifts: &Lifts<'_>,
    options: &Options,
) -> Explanation {
    let own = own_explanation(hit, index, lexical, lifts, options);
    if hit.folded.is_empty() || !options.explain {
        return Explanation { value: hit.score, ..own };
    }
    let mut details = vec![own];
    details.extend(hit.folded.iter().map(|&(child, score)| Explanation {
        value: score,
        description: format!("child {} of the article", child.0),
        details: Vec::new(),
    }));
    Explanation { value: hit.score, description: "best of the article and its children".to_owned(), details }
}

fn own_explanation(
    hit: &Scored,
    index: &Index,
    lexical: &bm25::Leg,
    lifts: &Lifts<'_>,
    options: &Options,
) -> Explanation {
    let Some(second) = &hit.second else {
        return first_explanation(hit, hit.own, index, lexical, lifts, options);
    };
    let mut root = Explanation { value: hit.own, description: second.name.clone(), details: Vec::new() };
    if options.explain {
        root.details.push(first_explanation(hit, second.fused, index, lexical, lifts, options));
        root.details.extend(second.reasons.iter().map(|&(feature, value)| Explanation {
            value,
            description: feature.to_owned(),
            details: Vec::new(),
        }));
    }
    root
}

/// What the first stage stands on.
fn first_explanation(
    hit: &Scored,
    value: f32,
    index: &Index,
    lexical: &bm25::Leg,
    lifts: &Lifts<'_>,
    options: &Options,
) -> Explanation {
    let mut root = Explanation { value, description: name(options), details: Vec::new() };
    if !options.explain {
        return root;
    }
    let (score, rank) = hit.lexical;
    if !matches!(options.ranker, Ranker::Dense) {
        let bm25 = &options.bm25;
        let terms = index
            .get(hit.document)
            .map(|entry| lexical.parts(entry.segment(), hit.chunk, bm25))
            .unwrap_or_default();
        let details = terms.into_iter().map(|(term, value, how)| Explanation {
            value,
            description: format!("bm25({term}): {how}"),
            details: Vec::new(),
        });
        root.details.push(Explanation {
            value: score,
            description: format!("bm25, k1 {}, b {}, {}", bm25.k1, bm25.b, place(rank)),
            details: details.collect(),
        });
    }
    match hit.dense {
        (Some(cosine), rank) => root.details.push(Explanation {
            value: cosine,
            description: format!("cosine, {}", place(rank)),
            details: Vec::new(),
        }),
        (None, _) if matches!(options.ranker, Ranker::Hybrid(_)) => root.details.push(Explanation {
            value: 0.0,
            description: "no vector: lexical evidence stands for both".to_owned(),
            details: Vec::new(),
        }),
        (None, _) => {}
    }
    if let Some((by, label)) = lifts.named.lift(hit.document, hit.chunk) {
        let description = format!("the question names {label}: lifted by this");
        root.details.push(Explanation { value: by, description, details: Vec::new() });
    }
    if let Some(by) = lifts.whole.lift(hit.document, hit.chunk) {
        let description = "has terms or names of the question whole: lifted by this".to_owned();
        root.details.push(Explanation { value: by, description, details: Vec::new() });
    }
    root
}

fn place(rank: Option<u32>) -> String {
    rank.map_or_else(|| "not in the list".to_owned(), |rank| format!("rank {rank}"))
}

fn name(options: &Options) -> String {
    match options.ranker {
        Ranker::Lexical => "bm25".to_owned(),
        Ranker::Dense => "cosine".to_owned(),
        Ranker::Hybrid(Fusion::Rrf(rrf)) => format!("rrf k={}", rrf.k),
        Ranker::Hybrid(Fusion::Blend(blend)) => {
            let norm = match blend.norm {
                Norm::MinMax => "min-max",
                Norm::ZScore => "z-score",
            };
            format!("{norm} blend, dense weight {}", blend.dense_weight)
        }
    }
}
