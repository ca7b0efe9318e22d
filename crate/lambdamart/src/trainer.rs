//! Training, one tree a step.

use std::mem::take;

use evaluate::random::SplitMix64;

use crate::base::Base;
use crate::bins::Bins;
use crate::error::Error;
use crate::lambdas::{Lambda, lambdas, ndcg};
use crate::options::{Options, Prior};
use crate::tree::{Columns, Growth, Tree, grow};
use crate::{MAX_LABEL, MAX_ROWS, MIN_QUESTIONS, model};

/// Cutoff of the nDCG that is reported and that decides when to stop.
const CUTOFF: usize = 10;

/// A training run: questions are added, then [`Trainer::step`] grows a tree a call.
#[derive(Clone, Debug)]
pub struct Trainer {
    names: Vec<String>,
    options: Options,
    /// Forest that is gone on with.
    base: Option<Base>,
    /// Column and weight of the prior.
    prior: Option<(usize, f64)>,
    questions: Vec<Question>,
    /// Features of the candidates, row by row; empty once training has begun.
    values: Vec<f32>,
    /// Scores of the candidates that the trees correct; empty once training has begun.
    scores: Vec<f64>,
    labels: Vec<u8>,
    state: Option<State>,
}

/// A question: its candidates as rows `start..end`.
#[derive(Clone, Debug)]
struct Question {
    id: String,
    start: usize,
    end: usize,
    is_held_out: bool,
}

/// Training that has begun.
#[derive(Clone, Debug)]
struct State {
    bins: Vec<Bins>,
    /// By feature the bin of each row.
    columns: Vec<Vec<u8>>,
    last: Vec<u8>,
    /// Features with more than one bin.
    useful: Vec<usize>,
    scores: Vec<f64>,
    trees: Vec<Tree>,
    random: SplitMix64,
    progress: Progress,
    /// nDCG of the held-out questions in the best round.
    best_held_out: f64,
}

/// Progress of training, after a round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Number of rounds done.
    pub round: usize,
    /// Maximum number of rounds.
    pub rounds: usize,
    /// nDCG@10 of the questions that are learned from, 0 to 1, over the candidates that were given.
    pub training: f64,
    /// nDCG@10 of the held-out questions; `None` without any.
    pub held_out: Option<f64>,
    /// Round with the best nDCG of the held-out questions, 0 if the prior is best; without any, the last.
    pub best: usize,
    /// True if training is over.
    pub is_done: bool,
}

impl Trainer {
    /// A trainer of a ranker over these features.
    ///
    /// # Errors
    /// If an option is outside its limits, a name is empty, repeated or has a space, or the prior is not among them.
    pub fn new(names: Vec<String>, options: Options) -> Result<Self, Error> {
        options.check()?;
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if names.is_empty() || sorted.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(Error::new(format!("{} names of features, expected different ones", names.len())));
        }
        if let Some(name) =
            names.iter().find(|name| name.is_empty() || name.contains([' ', '\t', '\n', '\r', '=']))
        {
            return Err(Error::new(format!("a feature is named {name:?}, expected a name without spaces")));
        }
        let prior = match &options.prior {
            None => None,
            Some(Prior { feature, weight }) => {
                let column = names.iter().position(|name| name == feature);
                let missing =
                    || Error::new(format!("the prior is {feature:?}, expected one of the features"));
                Some((column.ok_or_else(missing)?, *weight))
            }
        };
        Ok(Self {
            names,
            options,
            base: None,
            prior,
            questions: Vec::new(),
            values: Vec::new(),
            scores: Vec::new(),
            labels: Vec::new(),
            state: None,
        })
    }

    /// The same, going on with a forest: its scores come with the candidates, and the model has its trees first.
    ///
    /// # Errors
    /// If questions were added before.
    pub fn onto(self, base: Base) -> Result<Self, Error> {
        if !self.questions.is_empty() {
            return Err(Error::new("a forest to go on with came after a question, expected it before"));
        }
        Ok(Self { base: Some(base), prior: None, ..self })
    }

    /// Adds a question with its candidates: features row by row, a label for each, 0 for a wrong one, and the score that the
    /// forest gives it which is gone on with; none without one. The best by that score, or by the prior, are kept, as many as
    /// the depth allows. False if they teach nothing because all have one label; such a question is left out.
    ///
    /// # Errors
    /// If the sizes do not fit, a label is above [`MAX_LABEL`], there are more than [`MAX_ROWS`] candidates, or training has
    /// begun.
    pub fn add(&mut self, id: &str, features: &[f32], labels: &[u8], scores: &[f32]) -> Result<bool, Error> {
        if self.state.is_some() {
            return Err(Error::new(
                "a question was added after the first round, expected all of them before",
            ));
        }
        let n_columns = self.names.len();
        if features.len() != labels.len() * n_columns {
            let (n, n_rows) = (features.len(), labels.len());
            return Err(Error::new(format!("{n} values, expected {n_rows} rows of {n_columns}")));
        }
        if let Some(label) = labels.iter().find(|&&label| label > MAX_LABEL) {
            return Err(Error::new(format!("a label is {label}, expected 0 to {MAX_LABEL}")));
        }
        let n_scores = if self.base.is_some() { labels.len() } else { 0 };
        if scores.len() != n_scores {
            let n = scores.len();
            return Err(Error::new(format!(
                "{n} scores of {} candidates, expected {n_scores}",
                labels.len()
            )));
        }
        let rows = features.chunks_exact(n_columns).zip(labels).enumerate();
        let mut kept: Vec<(f64, &[f32], u8)> =
            rows.map(|(at, (row, &label))| (self.start(row, scores.get(at).copied()), row, label)).collect();
        if self.base.is_some() || self.prior.is_some() {
            kept.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
        }
        kept.truncate(self.options.depth);
        let first = kept.first().map(|&(.., label)| label);
        if kept.iter().all(|&(.., label)| Some(label) == first) {
            return Ok(false);
        }
        let start = self.labels.len();
        if start + kept.len() > MAX_ROWS {
            return Err(Error::new(format!("more than {MAX_ROWS} candidates, expected fewer questions")));
        }
        for (score, row, label) in kept {
            self.values.extend_from_slice(row);
            self.scores.push(score);
            self.labels.push(label);
        }
        let question = Question { id: id.to_owned(), start, end: self.labels.len(), is_held_out: false };
        self.questions.push(question);
        Ok(true)
    }

    /// Score of a candidate before the first tree: that of the forest which is gone on with, else the prior.
    fn start(&self, row: &[f32], score: Option<f32>) -> f64 {
        let prior = || self.prior.and_then(|(column, weight)| Some(weight * f64::from(*row.get(column)?)));
        let start = score.map(f64::from).or_else(prior).unwrap_or(0.0);
        if start.is_finite() { start } else { 0.0 }
    }

    /// Number of questions that teach something.
    pub fn n_questions(&self) -> usize {
        self.questions.len()
    }

    /// Grows the next tree. The first call also sorts the features into bins. After the end it changes nothing.
    ///
    /// # Errors
    /// If there are fewer than [`MIN_QUESTIONS`] questions, with their number.
    pub fn step(&mut self) -> Result<Progress, Error> {
        let mut state = match self.state.take() {
            Some(state) => state,
            None => self.begin()?,
        };
        if !state.progress.is_done {
            self.grow_tree(&mut state);
        }
        let progress = state.progress;
        self.state = Some(state);
        Ok(progress)
    }

    /// LightGBM's text model of the forest that is gone on with and the trees up to the best round; without any, that of the
    /// prior alone.
    pub fn model(&self) -> String {
        let (bins, trees) = match &self.state {
            Some(state) => (&state.bins[..], state.trees.get(..state.progress.best).unwrap_or(&state.trees)),
            None => (&[][..], &[][..]),
        };
        model::text(&self.names, bins, trees, self.options.prior.as_ref(), self.base.as_ref())
    }

    fn begin(&mut self) -> Result<State, Error> {
        let n = self.questions.len();
        if n < MIN_QUESTIONS {
            return Err(Error::new(format!(
                "{n} questions with right and wrong candidates, expected {MIN_QUESTIONS} or more to train a ranker"
            )));
        }
        let mut random = SplitMix64::new(self.options.seed);
        // By id: draws and sums follow this order, so the same questions are the same run in whatever order they came.
        self.questions.sort_by(|a, b| a.id.cmp(&b.id));
        let order: Vec<usize> = (0..n).collect();
        let n_held_out = (self.options.held_out * n as f64) as usize;
        for at in draw(&order, n_held_out, &mut random) {
            if let Some(question) = self.questions.get_mut(at) {
                question.is_held_out = true;
            }
        }
        let n_columns = self.names.len();
        let values = take(&mut self.values);
        let column = |at: usize| values.iter().skip(at).step_by(n_columns).copied();
        let bins: Vec<Bins> = (0..n_columns).map(|at| Bins::new(column(at), self.options.max_bin)).collect();
        let binned = |(at, bins): (usize, &Bins)| column(at).map(|value| bins.of(value)).collect();
        let columns: Vec<Vec<u8>> = bins.iter().enumerate().map(binned).collect();
        let is_useful = |column: &Vec<u8>| column.iter().any(|bin| Some(bin) != column.first());
        let useful = (0..n_columns).filter(|&at| columns.get(at).is_some_and(is_useful)).collect();
        let scores = take(&mut self.scores);
        let last = bins.iter().map(Bins::last).collect();
        let progress = Progress { rounds: self.options.rounds, ..Progress::default() };
        let mut state = State {
            bins,
            columns,
            last,
            useful,
            scores,
            trees: Vec::new(),
            random,
            progress,
            best_held_out: 0.0,
        };
        (state.progress.training, state.progress.held_out) = self.measured(&state.scores);
        state.best_held_out = state.progress.held_out.unwrap_or_default();
        Ok(state)
    }

    fn grow_tree(&self, state: &mut State) {
        let Options { num_leaves, min_data_in_leaf, lambda_l2, .. } = self.options;
        let learned: Vec<usize> = (0..self.questions.len())
            .filter(|&at| self.questions.get(at).is_some_and(|q| !q.is_held_out))
            .collect();
        let n_bag = (self.options.bagging_fraction * learned.len() as f64).ceil() as usize;
        let mut bag = draw(&learned, n_bag, &mut state.random);
        bag.sort_unstable();
        let n_used = (self.options.feature_fraction * state.useful.len() as f64).ceil() as usize;
        let mut used = draw(&state.useful, n_used, &mut state.random);
        used.sort_unstable();
        let mut pulls = vec![Lambda::default(); self.labels.len()];
        let mut rows = Vec::new();
        for question in bag.iter().filter_map(|&at| self.questions.get(at)) {
            let of = question.start..question.end;
            let (Some(scores), Some(labels)) = (state.scores.get(of.clone()), self.labels.get(of.clone()))
            else {
                continue;
            };
            let found = lambdas(scores, labels, self.options.truncation);
            pulls.iter_mut().skip(of.start).zip(found).for_each(|(pull, found)| *pull = found);
            rows.extend(of.filter_map(|row| u32::try_from(row).ok()));
        }
        let columns = Columns { bins: &state.columns, last: &state.last, used: &used };
        let growth = Growth { num_leaves, min_data_in_leaf, lambda_l2 };
        let tree = grow(&columns, rows, &pulls, growth).times(self.options.learning_rate);
        for (row, score) in state.scores.iter_mut().enumerate() {
            *score += tree.value(&state.columns, row);
        }
        state.trees.push(tree);
        self.report(state);
    }

    fn report(&self, state: &mut State) {
        let before = state.progress;
        let (training, held_out) = self.measured(&state.scores);
        let round = state.trees.len();
        let is_best = held_out.is_none_or(|now| now > state.best_held_out);
        let best = if is_best { round } else { before.best };
        state.best_held_out = state.best_held_out.max(held_out.unwrap_or_default());
        let is_over =
            round >= self.options.rounds || (held_out.is_some() && round - best >= self.options.patience);
        state.progress =
            Progress { round, rounds: before.rounds, training, held_out, best, is_done: is_over };
    }

    /// Mean nDCG of the questions that are learned from, and of those held out.
    fn measured(&self, scores: &[f64]) -> (f64, Option<f64>) {
        let mean = |held_out: bool| {
            let of_kind = self.questions.iter().filter(|question| question.is_held_out == held_out);
            let ndcgs = of_kind.filter_map(|question| {
                let of = question.start..question.end;
                ndcg(scores.get(of.clone())?, self.labels.get(of)?, CUTOFF)
            });
            let (sum, n) = ndcgs.fold((0.0, 0_usize), |(sum, n), ndcg| (sum + ndcg, n + 1));
            (n > 0).then(|| sum / n as f64)
        };
        (mean(false).unwrap_or_default(), mean(true))
    }
}

/// Some of a list, drawn without replacement.
fn draw(from: &[usize], n: usize, random: &mut SplitMix64) -> Vec<usize> {
    let mut left = from.to_vec();
    (0..n.min(from.len())).map(|_| left.swap_remove(random.below(left.len()))).collect()
}
