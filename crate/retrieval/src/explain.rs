//! Explanations: hits with the derivation of their scores.

use document::{Explanation, Hit, OrNever as _};
use index::Index;

use crate::bm25::LexicalRetriever;
use crate::boost::ProvisionBoosts;
use crate::candidate::ScoredCandidate;
use crate::options::{Fusion, Norm, Options, Ranker};

/// The ranked candidates as hits. Without [`Options::explain`] an explanation is the score and its name.
pub fn hits(
    ranked: Vec<ScoredCandidate>,
    index: &Index,
    lexical: &LexicalRetriever,
    boosts: &ProvisionBoosts,
    options: &Options,
) -> Vec<Hit> {
    (1..)
        .zip(ranked)
        .map(|(rank, hit)| Hit {
            document: hit.document,
            chunk: hit.chunk,
            score: hit.score,
            rank,
            explanation: explanation(&hit, index, lexical, boosts, options),
        })
        .collect()
}

/// Explanation of a hit; of an article with folded children, the best of its own score and theirs.
fn explanation(
    hit: &ScoredCandidate,
    index: &Index,
    lexical: &LexicalRetriever,
    boosts: &ProvisionBoosts,
    options: &Options,
) -> Explanation {
    let own = own_explanation(hit, index, lexical, boosts, options);
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
    hit: &ScoredCandidate,
    index: &Index,
    lexical: &LexicalRetriever,
    boosts: &ProvisionBoosts,
    options: &Options,
) -> Explanation {
    let Some(second) = &hit.reranked else {
        return first_explanation(hit, hit.own, index, lexical, boosts, options);
    };
    let mut root = Explanation { value: hit.own, description: second.name.clone(), details: Vec::new() };
    if options.explain {
        root.details.push(first_explanation(hit, second.fused, index, lexical, boosts, options));
        root.details.extend(second.reasons.iter().map(|&(feature, value)| Explanation {
            value,
            description: feature.to_owned(),
            details: Vec::new(),
        }));
    }
    root
}

/// Explanation of the first stage's score.
fn first_explanation(
    hit: &ScoredCandidate,
    value: f32,
    index: &Index,
    lexical: &LexicalRetriever,
    boosts: &ProvisionBoosts,
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
            .or_never("the document of a hit");
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
            description: "no vector: the lexical score stands for both".to_owned(),
            details: Vec::new(),
        }),
        (None, _) => {}
    }
    if let Some((by, label)) = boosts.of(hit.document, hit.chunk) {
        let description = format!("boost: the question names {label}");
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
