//! Run features: scores and ranks of the two retrievers, relative to the question's other candidates.

use crate::candidate::Candidate;

pub const NAMES: &[&str] = &[
    "lexical.z",
    "lexical.max",
    "lexical.rank",
    "dense.cos",
    "dense.z",
    "dense.gap",
    "dense.rank",
    "blend.z",
    "blend.minmax",
    "blend.gap",
    "rrf",
    "dense.rrf",
    "rank.diff",
    "rank.absdiff",
    "rank.min",
    "rank.max",
];

/// Dense weight of the standardised blend: that of the default fusion.
const DENSE_WEIGHT: f32 = 0.4;
/// Dense weight of the min–max blend, as in the paper.
const DENSE_WEIGHT_MINMAX: f32 = 0.7;
/// Rank constant of reciprocal rank fusion.
const RRF_K: f32 = 60.0;

/// Distribution of a retriever's scores over the candidates.
#[derive(Clone, Copy, Debug)]
pub struct ScoreDistribution {
    mean: f32,
    deviation: f32,
    least: f32,
    pub greatest: f32,
}

impl ScoreDistribution {
    fn of(values: impl Iterator<Item = f32> + Clone) -> Self {
        let (mut n, mut sum) = (0.0_f64, 0.0_f64);
        let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
        for value in values.clone() {
            n += 1.0;
            sum += f64::from(value);
            least = least.min(value);
            greatest = greatest.max(value);
        }
        if n == 0.0 {
            return Self { mean: 0.0, deviation: f32::INFINITY, least: 0.0, greatest: 0.0 };
        }
        let mean = sum / n;
        let variance =
            values.map(|value| (f64::from(value) - mean) * (f64::from(value) - mean)).sum::<f64>() / n;
        // All equal: nothing tells them apart.
        let deviation = if variance > 1e-12 { variance.sqrt() as f32 } else { f32::INFINITY };
        Self { mean: mean as f32, deviation, least, greatest }
    }

    pub fn z(&self, value: f32) -> f32 {
        (value - self.mean) / self.deviation
    }

    fn min_max(&self, value: f32) -> f32 {
        let range = self.greatest - self.least;
        if range > 0.0 { (value - self.least) / range } else { 0.0 }
    }

    fn gap(&self, value: f32) -> f32 {
        (value - self.greatest) / self.deviation
    }
}

/// Scores of both retrievers over all candidates of a question.
pub struct Runs {
    pub lexical: ScoreDistribution,
    pub dense: Option<ScoreDistribution>,
    /// By candidate.
    pub blend: Vec<f32>,
    best_blend: f32,
    best_rrf: f32,
}

impl Runs {
    pub fn new(candidates: &[Candidate]) -> Self {
        let lexical = ScoreDistribution::of(candidates.iter().map(|candidate| candidate.lexical));
        let has_dense = candidates.iter().any(|candidate| candidate.dense.is_some());
        let dense = has_dense
            .then(|| ScoreDistribution::of(candidates.iter().filter_map(|candidate| candidate.dense)));
        let blend: Vec<f32> = candidates
            .iter()
            .map(|candidate| {
                let words = lexical.z(candidate.lexical);
                match (candidate.dense, &dense) {
                    (Some(cosine), Some(dense)) => {
                        DENSE_WEIGHT * dense.z(cosine) + (1.0 - DENSE_WEIGHT) * words
                    }
                    _ => words,
                }
            })
            .collect();
        let best_blend = blend.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let best_rrf = candidates.iter().map(rrf).fold(f32::MIN_POSITIVE, f32::max);
        Self { lexical, dense, blend, best_blend, best_rrf }
    }

    /// The candidates by the blend, best first, equal ones in their order.
    pub fn best_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.blend.len()).collect();
        let blend = |at: usize| self.blend.get(at).copied().unwrap_or(f32::NEG_INFINITY);
        order.sort_by(|&a, &b| blend(b).total_cmp(&blend(a)).then(a.cmp(&b)));
        order
    }

    /// Standardised lexical score of any unit.
    pub fn lexical_z(&self, score: f32) -> f32 {
        self.lexical.z(score)
    }

    /// Standardised cosine of any unit.
    pub fn dense_z(&self, cosine: Option<f32>) -> f32 {
        match (cosine, &self.dense) {
            (Some(cosine), Some(dense)) => dense.z(cosine),
            _ => f32::NAN,
        }
    }

    pub fn push(&self, at: usize, candidate: &Candidate, out: &mut Vec<f32>) {
        let cosine = candidate.dense.unwrap_or(f32::NAN);
        let of_dense = |f: &dyn Fn(&ScoreDistribution, f32) -> f32| match (candidate.dense, &self.dense) {
            (Some(cosine), Some(dense)) => f(dense, cosine),
            _ => f32::NAN,
        };
        let (lexical_rank, dense_rank) = (log_rank(candidate.lexical_rank), log_rank(candidate.dense_rank));
        let dense_rank = if self.dense.is_some() { dense_rank } else { f32::NAN };
        let words = self.lexical.min_max(candidate.lexical);
        let min_max = of_dense(&|dense, cosine| {
            DENSE_WEIGHT_MINMAX * dense.min_max(cosine) + (1.0 - DENSE_WEIGHT_MINMAX) * words
        });
        let blend = self.blend.get(at).copied().unwrap_or(f32::NAN);
        let rrf = rrf(candidate) / self.best_rrf;
        let best_lexical = self.lexical.greatest.max(f32::MIN_POSITIVE);
        out.extend([
            self.lexical.z(candidate.lexical),
            candidate.lexical / best_lexical,
            lexical_rank,
            cosine,
            of_dense(&ScoreDistribution::z),
            of_dense(&ScoreDistribution::gap),
            dense_rank,
            blend,
            if min_max.is_nan() { words } else { min_max },
            blend - self.best_blend,
            rrf,
            cosine * rrf,
            lexical_rank - dense_rank,
            (lexical_rank - dense_rank).abs(),
            lexical_rank.min(dense_rank),
            lexical_rank.max(dense_rank),
        ]);
    }
}

fn rrf(candidate: &Candidate) -> f32 {
    let of = |rank: Option<u32>| rank.map_or(0.0, |rank| 1.0 / (RRF_K + rank as f32));
    of(candidate.lexical_rank) + of(candidate.dense_rank)
}

/// Logarithm of a rank to base 2, linear between the powers of 2, so it is the same on every platform. A candidate in no
/// list has the greatest value.
pub fn log_rank(rank: Option<u32>) -> f32 {
    /// Greatest value.
    const ABSENT: f32 = 10.0;
    let Some(rank) = rank else { return ABSENT };
    let rank = rank.max(1);
    let bits = rank.ilog2();
    let fraction = rank as f32 / (1_u32 << bits) as f32 - 1.0;
    (bits as f32 + fraction).min(ABSENT)
}
