//! The generator: pages in, checked questions out (LCLF-QA, appendix A).
//!
//! A page is summarised, the summaries of a document are clustered by k-means, and each request is about pages of one
//! cluster, so a question has one right document. Rounds take the styles in turn. The plan is drawn before the first
//! question is written: the same pages, settings and summaries always give the same requests.

mod round;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use answer::{Profile, Reply};

use crate::kmeans::kmeans;
use crate::pair;
use crate::plan::{choose, plan};
use crate::question::{DropReason, Question, Tally};
use crate::request::Request;
use crate::source_page::SourcePage;
use crate::style::Style;
use crate::summary;
use evaluate::random::SplitMix64;
use round::Round;

/// Tokens of a request for questions beside its pages.
const PROMPT_TOKENS: usize = 700;

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Budget *b*: requests for two questions of a style, from 1.
    pub budget: usize,
    /// Pages *n* that a question draws on, 1 to 8; a style may need more.
    pub chunks: usize,
    /// Clusters *k* of each document; `None` for √(pages / 2).
    pub clusters: Option<usize>,
    /// Styles, taken in turn.
    pub styles: Vec<Style>,
    /// Most pages of a document that are summarised, drawn at random; `None` for all.
    pub max_pages: Option<usize>,
    /// Seed of every draw.
    pub seed: u64,
    /// Profile: the model's role, and the field's terms for domain-specific questions.
    pub profile: Profile,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            budget: 12,
            chunks: 2,
            clusters: None,
            styles: Style::ALL.to_vec(),
            max_pages: None,
            seed: 1,
            profile: Profile::default(),
        }
    }
}

/// Next action of a generator.
#[derive(Debug)]
pub enum GenerationAction<'a> {
    /// Ask a model, then call [`Generator::replied`] or [`Generator::failed`].
    Ask(&'a Request),
    /// Embed these summaries, then call [`Generator::embedded`].
    Embed(&'a [String]),
    /// Nothing is left to do.
    Done,
}

/// Cost of what is still to be done, at most: no request twice, but for replies that cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests.
    pub requests: usize,
    /// Tokens of the requests, estimated.
    pub sent: usize,
    /// Tokens of the replies, if each is as long as it may be.
    pub received: usize,
}

enum State {
    /// Pages still to be summarised, the next one with its request.
    Summarising(VecDeque<usize>, Request),
    /// Summaries of these pages, to be embedded.
    Clustering(Vec<usize>, Vec<String>),
    /// The round at hand.
    Writing(Round),
    Done,
}

/// Machine that makes a test set. See the head of this crate.
pub struct Generator {
    settings: Settings,
    pages: Vec<SourcePage>,
    summaries: BTreeMap<usize, String>,
    rounds: VecDeque<(usize, Style, Option<Vec<usize>>)>,
    state: State,
    questions: Vec<Question>,
    asked: BTreeSet<String>,
    tally: Tally,
}

impl Generator {
    /// The generator over these pages, in the order of their documents.
    pub fn new(pages: Vec<SourcePage>, settings: Settings) -> Self {
        let chosen = chosen(&pages, &settings);
        let mut generator = Self {
            settings,
            pages,
            summaries: BTreeMap::new(),
            rounds: VecDeque::new(),
            state: State::Done,
            questions: Vec::new(),
            asked: BTreeSet::new(),
            tally: Tally::default(),
        };
        generator.summarise(chosen);
        generator
    }

    /// Next action.
    pub fn next_action(&self) -> GenerationAction<'_> {
        match &self.state {
            State::Summarising(_, request) => GenerationAction::Ask(request),
            State::Clustering(_, summaries) => GenerationAction::Embed(summaries),
            State::Writing(round) => GenerationAction::Ask(round.request()),
            State::Done => GenerationAction::Done,
        }
    }

    /// Cost of what is still to be done; `is_known` is true of requests whose reply the caller has.
    pub fn cost(&self, is_known: &dyn Fn(&Request) -> bool) -> Cost {
        let mut cost = Cost::default();
        let mut add = |sent: usize, received: u32| {
            cost.requests += 1;
            cost.sent += sent;
            cost.received += received as usize;
        };
        if let State::Summarising(left, _) = &self.state {
            let requests = left.iter().filter_map(|&page| self.pages.get(page)).map(summary::request);
            for request in requests.filter(|request| !is_known(request)) {
                add(request.n_tokens(), request.max_tokens);
            }
        }
        // Pages are not drawn yet: those of a usual length stand for them.
        let n_pages = self.pages.len().max(1);
        let mean = self.pages.iter().map(SourcePage::n_tokens).sum::<usize>() / n_pages;
        for style in self.settings.styles.iter().cycle().take(self.settings.budget) {
            add(PROMPT_TOKENS + mean * self.settings.chunks.max(style.min_chunks()), pair::MAX_TOKENS);
        }
        cost
    }

    /// Name of what is being done, and how many of it are left.
    pub fn progress(&self) -> (&'static str, usize) {
        match &self.state {
            State::Summarising(left, _) => ("summaries", left.len()),
            State::Clustering(..) => ("clusters", 1),
            State::Writing(_) => ("rounds", self.rounds.len() + 1),
            State::Done => ("done", 0),
        }
    }

    /// Takes the reply to the request at hand.
    pub fn replied(&mut self, reply: &Reply) {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Summarising(mut left, _) => {
                if let (Some(page), Some(summary)) = (left.pop_front(), summary::read(&reply.text)) {
                    self.summaries.insert(page, summary);
                } else {
                    self.tally.not_summarised += 1;
                }
                self.summarise(left);
            }
            State::Writing(round) => self.read(round, &reply.text),
            other => self.state = other,
        }
    }

    /// Takes the failure of the request at hand, after the caller's retries.
    pub fn failed(&mut self) {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Summarising(mut left, _) => {
                left.pop_front();
                self.tally.not_summarised += 1;
                self.summarise(left);
            }
            State::Writing(round) => match round.after_failure() {
                Some((candidates, round)) => self.judge(&round, candidates),
                None => {
                    self.drop_question(DropReason::Failed, 2);
                    self.write();
                }
            },
            other => self.state = other,
        }
    }

    /// Takes the vectors of the summaries, one each, all of one length.
    pub fn embedded(&mut self, vectors: &[Vec<f32>]) {
        let State::Clustering(pages, _) = std::mem::replace(&mut self.state, State::Done) else { return };
        let clusters = self.clusters(&pages, vectors);
        self.tally.clusters = clusters.len();
        let Settings { styles, chunks, budget, seed, .. } = &self.settings;
        let plan = plan(&clusters, styles, *chunks, *budget, *seed);
        self.rounds =
            (1..).zip(plan).map(|(n, (style, draw))| (n, style, draw.map(|draw| draw.pages))).collect();
        self.write();
    }

    /// The questions that count, in the order of their rounds, and the counts of the run.
    pub fn finish(self) -> (Vec<Question>, Tally) {
        (self.questions, self.tally)
    }

    /// The clusters of all documents: indices of pages.
    fn clusters(&self, pages: &[usize], vectors: &[Vec<f32>]) -> Vec<Vec<usize>> {
        let mut documents: BTreeMap<&str, Vec<(usize, Vec<f32>)>> = BTreeMap::new();
        for (&at, vector) in pages.iter().zip(vectors) {
            if let Some(page) = self.pages.get(at) {
                documents.entry(&page.digest).or_default().push((at, vector.clone()));
            }
        }
        let mut clusters = Vec::new();
        for members in documents.into_values() {
            let (pages, vectors): (Vec<usize>, Vec<Vec<f32>>) = members.into_iter().unzip();
            let k = self.settings.clusters.unwrap_or_else(|| usual_clusters(pages.len()));
            let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (page, cluster) in pages.into_iter().zip(kmeans(&vectors, k, self.settings.seed)) {
                found.entry(cluster).or_default().push(page);
            }
            clusters.extend(found.into_values());
        }
        // In the order of their pages, whatever the numbers of clusters and the order of digests are.
        clusters.sort();
        clusters
    }

    fn summarise(&mut self, left: VecDeque<usize>) {
        if let Some(page) = left.front().and_then(|&page| self.pages.get(page)) {
            self.state = State::Summarising(left, summary::request(page));
            return;
        }
        self.tally.summarised = self.summaries.len();
        let (pages, summaries) = std::mem::take(&mut self.summaries).into_iter().unzip();
        self.state = State::Clustering(pages, summaries);
    }

    /// Begins the next round that has pages.
    fn write(&mut self) {
        while let Some((number, style, draw)) = self.rounds.pop_front() {
            if let Some(pages) = draw {
                let round = Round::new(number, style, pages, &self.pages, &self.settings.profile);
                self.state = State::Writing(round);
                return;
            }
            self.drop_question(DropReason::NoPages, 2);
        }
    }

    /// Reads a reply of a round: asks again, or judges both questions.
    fn read(&mut self, round: Round, reply: &str) {
        match round.read(reply) {
            round::Read::Again(round) => {
                self.tally.asked_again += 1;
                self.state = State::Writing(*round);
            }
            round::Read::Pair(candidates, round) => self.judge(&round, candidates),
            round::Read::Unusable => {
                self.drop_question(DropReason::Unusable, 2);
                self.write();
            }
        }
    }

    fn judge(&mut self, round: &Round, candidates: [pair::Candidate; 2]) {
        for (number, candidate) in (1..).zip(candidates) {
            let id = format!("g{}-{:03}-{number}", self.settings.seed, round.number());
            match round.judge(&candidate, number == 1, &self.pages, &mut self.asked) {
                Ok(sources) => {
                    self.tally.kept += 1;
                    self.questions.push(Question {
                        id,
                        question: candidate.question,
                        answer: citations::strip_marks(&candidate.answer).trim().to_owned(),
                        style: round.style(),
                        is_unnamed: number == 1,
                        sources,
                    });
                }
                Err(reason) => self.drop_question(reason, 1),
            }
        }
        self.write();
    }

    fn drop_question(&mut self, reason: DropReason, n: usize) {
        *self.tally.dropped.entry(reason).or_default() += n;
    }
}

/// √(pages / 2), the usual number of clusters where nothing else is known (Mardia, Kent, Bibby: Multivariate Analysis,
/// 1979, 13.1).
fn usual_clusters(n_pages: usize) -> usize {
    (n_pages / 2).isqrt().max(1)
}

/// The pages to be summarised: of each document all, or as many as the settings say, drawn at random.
fn chosen(pages: &[SourcePage], settings: &Settings) -> VecDeque<usize> {
    let mut documents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        documents.entry(&page.digest).or_default().push(at);
    }
    let mut chosen: Vec<usize> = Vec::new();
    for members in documents.values() {
        let n = settings.max_pages.unwrap_or(members.len());
        chosen.extend(choose(members, n, &mut SplitMix64::new(settings.seed)));
    }
    chosen.sort_unstable();
    chosen.into()
}

#[cfg(test)]
mod tests;
