//! The curator: questions with their source passages in, rewrites that find these better out (LCLF-QA §3.1.1).
//!
//! A model rewrites a question through the prompt of the answering machine, with the source passage where that has a
//! hypothetical one. A pair is kept where the passage moves strictly nearer the top by words and by vectors. A question
//! whose passage is first already in one of them is not asked about: no rewrite could be kept.

use std::collections::VecDeque;

use answer::{Profile, Reply, RewriteTask, ask_again};

use crate::generator::Cost;
use crate::ranks::Ranks;
use crate::request::Request;

/// Longest reply, in tokens.
const MAX_TOKENS: u32 = 400;

/// Question with the text of its source passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced {
    /// Id of the question.
    pub id: String,
    /// The question.
    pub question: String,
    /// Text of the passage that answers it.
    pub passage: String,
}

/// Question and rewrite, with the ranks of the source passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Id of the question.
    pub id: String,
    /// The question.
    pub question: String,
    /// The rewrite.
    pub rewrite: String,
    /// Ranks for the question.
    pub before: Ranks,
    /// Ranks for the rewrite.
    pub after: Ranks,
}

impl Pair {
    /// True if the passage is strictly nearer the top by words and by vectors.
    pub fn is_kept(&self) -> bool {
        self.after.nearer_than(self.before) == (true, true)
    }
}

/// Next action of a curator.
#[derive(Debug)]
pub enum CurationAction<'a> {
    /// Rank the source passage of the question at this index for these queries, then call [`Curator::ranked`].
    Rank(usize, &'a [String]),
    /// Ask a model, then call [`Curator::replied`] or [`Curator::failed`].
    Ask(&'a Request),
    /// Nothing is left to do.
    Done,
}

/// Counts of a run. Questions are counted once, pairs once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurationTally {
    /// Questions.
    pub questions: usize,
    /// Questions whose passage is first already, by words or by vectors.
    pub first_already: usize,
    /// Questions for which the endpoint failed.
    pub failed: usize,
    /// Questions whose replies could not be used, twice.
    pub unusable: usize,
    /// Requests that were made again because of their replies.
    pub asked_again: usize,
    /// Pairs that are kept.
    pub kept: usize,
    /// Pairs that are nearer by vectors only.
    pub not_by_words: usize,
    /// Pairs that are nearer by words only.
    pub not_by_vectors: usize,
    /// Pairs that are nearer in neither.
    pub in_neither: usize,
}

enum State {
    /// The question itself is to be ranked.
    Before([String; 1]),
    /// Its rewrites are asked for; true for the second time.
    Rewriting(Request, Ranks, bool),
    /// Its rewrites are to be ranked.
    After(Vec<String>, Ranks),
    Done,
}

/// Machine that curates pairs. See the head of this crate.
pub struct Curator {
    profile: Profile,
    count: u32,
    questions: VecDeque<(usize, Sourced)>,
    state: State,
    pairs: Vec<Pair>,
    tally: CurationTally,
}

impl Curator {
    /// The curator of these questions, with `count` rewrites for each, 1 to 3, under a profile.
    pub fn new(questions: Vec<Sourced>, count: u32, profile: Profile) -> Self {
        let tally = CurationTally { questions: questions.len(), ..CurationTally::default() };
        let questions = questions.into_iter().enumerate().collect();
        let mut curator = Self {
            profile,
            count: count.clamp(1, 3),
            questions,
            state: State::Done,
            pairs: Vec::new(),
            tally,
        };
        curator.begin();
        curator
    }

    /// Next action.
    pub fn next_action(&self) -> CurationAction<'_> {
        let at = self.questions.front().map_or(0, |(at, _)| *at);
        match &self.state {
            State::Before(question) => CurationAction::Rank(at, question),
            State::Rewriting(request, ..) => CurationAction::Ask(request),
            State::After(rewrites, _) => CurationAction::Rank(at, rewrites),
            State::Done => CurationAction::Done,
        }
    }

    /// Cost of all questions, if none is left out; `is_known` is true of requests whose reply the caller has.
    pub fn cost(&self, is_known: &dyn Fn(&Request) -> bool) -> Cost {
        let requests = self.questions.iter().map(|(_, question)| self.request(question));
        requests.filter(|request| !is_known(request)).fold(Cost::default(), |cost, request| Cost {
            requests: cost.requests + 1,
            sent: cost.sent + request.n_tokens(),
            received: cost.received + request.max_tokens as usize,
        })
    }

    /// Takes the ranks for the queries at hand, one each.
    pub fn ranked(&mut self, ranks: &[Ranks]) {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Before(_) => match (ranks.first(), self.questions.front()) {
                (Some(before), Some((_, question))) if !before.has_first() => {
                    self.state = State::Rewriting(self.request(question), *before, false);
                }
                _ => {
                    self.tally.first_already += 1;
                    self.end();
                }
            },
            State::After(rewrites, before) => {
                for (rewrite, &after) in rewrites.into_iter().zip(ranks) {
                    self.take_pair(rewrite, before, after);
                }
                self.end();
            }
            other => self.state = other,
        }
    }

    /// Takes the reply to the request at hand.
    pub fn replied(&mut self, reply: &Reply) {
        let State::Rewriting(mut request, before, is_second) =
            std::mem::replace(&mut self.state, State::Done)
        else {
            return;
        };
        let Some((_, question)) = self.questions.front() else { return };
        match RewriteTask::new(&self.profile, &question.question, self.count).read(&reply.text) {
            Ok(rewrites) => self.state = State::After(rewrites, before),
            Err(complaint) if !is_second => {
                ask_again(&mut request.messages, &reply.text, &complaint);
                self.tally.asked_again += 1;
                self.state = State::Rewriting(request, before, true);
            }
            Err(_) => {
                self.tally.unusable += 1;
                self.end();
            }
        }
    }

    /// Takes the failure of the request at hand, after the caller's retries.
    pub fn failed(&mut self) {
        self.tally.failed += 1;
        self.end();
    }

    /// All pairs, in the order of their questions, and the counts of the run.
    pub fn finish(self) -> (Vec<Pair>, CurationTally) {
        (self.pairs, self.tally)
    }

    fn request(&self, question: &Sourced) -> Request {
        let task = RewriteTask::new(&self.profile, &question.question, self.count);
        Request {
            name: "rewrite",
            messages: task.messages(Some(&question.passage)),
            max_tokens: MAX_TOKENS,
            schema: Some(task.schema()),
        }
    }

    fn take_pair(&mut self, rewrite: String, before: Ranks, after: Ranks) {
        let Some((_, question)) = self.questions.front() else { return };
        let (id, question) = (question.id.clone(), question.question.clone());
        let count = match after.nearer_than(before) {
            (true, true) => &mut self.tally.kept,
            (false, true) => &mut self.tally.not_by_words,
            (true, false) => &mut self.tally.not_by_vectors,
            (false, false) => &mut self.tally.in_neither,
        };
        *count += 1;
        self.pairs.push(Pair { id, question, rewrite, before, after });
    }

    fn end(&mut self) {
        self.questions.pop_front();
        self.begin();
    }

    fn begin(&mut self) {
        self.state = match self.questions.front() {
            Some((_, question)) => State::Before([question.question.clone()]),
            None => State::Done,
        };
    }
}

#[cfg(test)]
mod tests {
    use answer::Finish;

    use super::*;

    fn run(
        questions: &[&str],
        mut model: impl FnMut() -> Option<&'static str>,
        rank: impl Fn(&str) -> Ranks,
    ) -> (Vec<Pair>, CurationTally, usize) {
        let of = |question: &&str| Sourced {
            id: (*question).to_owned(),
            question: (*question).to_owned(),
            passage: "The owner pays the levy.".to_owned(),
        };
        let mut curator = Curator::new(questions.iter().map(of).collect(), 2, Profile::default());
        let mut n_asked = 0;
        loop {
            match curator.next_action() {
                CurationAction::Rank(_, queries) => {
                    let ranks: Vec<Ranks> = queries.iter().map(|query| rank(query)).collect();
                    curator.ranked(&ranks);
                }
                CurationAction::Ask(request) => {
                    assert!(
                        request.messages.iter().any(|message| message.content.contains("The owner pays"))
                    );
                    n_asked += 1;
                    match model() {
                        Some(text) => {
                            curator.replied(&Reply { text: text.to_owned(), finish: Finish::Stop });
                        }
                        None => curator.failed(),
                    }
                }
                CurationAction::Done => break,
            }
        }
        let (pairs, tally) = curator.finish();
        (pairs, tally, n_asked)
    }

    const REPLY: &str = r#"{"rewrites": ["Who is liable for the levy?", "Which person owes the levy?"]}"#;

    fn rank(query: &str) -> Ranks {
        let (bm25, dense) = match query {
            "Who pays?" => (5, 5),
            "Who pays first?" => (5, 1),
            "Who is liable for the levy?" => (2, 3),
            _ => (4, 5),
        };
        Ranks { bm25: Some(bm25), dense: Some(dense) }
    }

    #[test]
    fn a_pair_is_kept_where_the_passage_is_nearer_in_both() {
        let (pairs, tally, _) = run(&["Who pays?"], || Some(REPLY), rank);
        let kept: Vec<bool> = pairs.iter().map(Pair::is_kept).collect();
        assert_eq!(kept, [true, false]);
        assert_eq!((tally.kept, tally.not_by_vectors), (1, 1));
        assert_eq!(
            (pairs[0].before, pairs[0].after),
            (rank("Who pays?"), rank("Who is liable for the levy?"))
        );
    }

    #[test]
    fn no_model_is_asked_where_the_passage_is_first_already() {
        let (pairs, tally, n_asked) = run(&["Who pays first?"], || Some(REPLY), rank);
        assert_eq!((pairs.len(), tally.first_already, n_asked), (0, 1, 0));
    }

    #[test]
    fn a_bad_reply_is_complained_of_once_and_a_failure_is_counted() {
        let mut replies = [Some("{"), Some("{"), None, Some("{"), Some(REPLY)].into_iter();
        let three = ["Who pays?", "Who pays now?", "Who pays then?"];
        let ranked = |query: &str| if three.contains(&query) { rank("Who pays?") } else { rank(query) };
        let (_, tally, n_asked) = run(&three, || replies.next().flatten(), ranked);
        assert_eq!((tally.unusable, tally.failed, tally.kept, tally.asked_again, n_asked), (1, 1, 1, 2, 5));
    }
}
