//! A round: one request for two questions, made again once where its reply cannot be used or names what it must not.

use std::collections::BTreeSet;

use answer::{Profile, ask_again};
use text::normalize::{Case, fold};

use crate::pair::{self, Candidate};
use crate::question::{DropReason, Source};
use crate::request::Request;
use crate::source_page::SourcePage;
use crate::style::Style;
use crate::verification::{named_entity, verify};

/// Round of a run.
pub(super) struct Round {
    number: usize,
    style: Style,
    pages: Vec<usize>,
    request: Request,
    /// True once it was asked again.
    is_second: bool,
    /// The questions of the first reply, where it was in form.
    first: Option<[Candidate; 2]>,
}

/// Result of reading a reply.
pub(super) enum Read {
    /// Ask again.
    Again(Box<Round>),
    /// Two questions, to be judged.
    Pair([Candidate; 2], Box<Round>),
    /// No reply was in form.
    Unusable,
}

impl Round {
    pub(super) fn new(
        number: usize,
        style: Style,
        pages: Vec<usize>,
        all: &[SourcePage],
        profile: &Profile,
    ) -> Self {
        let passages: Vec<&str> =
            pages.iter().filter_map(|&at| all.get(at)).map(|page| page.text.as_str()).collect();
        let request = pair::request(style, &passages, profile);
        Self { number, style, pages, request, is_second: false, first: None }
    }

    /// Number of the round, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// The questions of the first reply, where the second request failed.
    pub(super) fn after_failure(mut self) -> Option<([Candidate; 2], Self)> {
        self.first.take().map(|candidates| (candidates, self))
    }

    pub(super) fn read(mut self, reply: &str) -> Read {
        let read = pair::read(reply, self.pages.len());
        let complaint = match &read {
            Ok([first, _]) => named_entity(&first.question).map(|name| {
                format!("question 1 names \"{name}\"; write both again, question 1 without any name or date")
            }),
            Err(complaint) => Some(complaint.clone()),
        };
        match (complaint, read) {
            (Some(complaint), read) if !self.is_second => {
                ask_again(&mut self.request.messages, reply, &complaint);
                self.is_second = true;
                self.first = read.ok();
                Read::Again(Box::new(self))
            }
            (_, Ok(candidates)) => Read::Pair(candidates, Box::new(self)),
            (_, Err(_)) => match self.first.take() {
                Some(candidates) => Read::Pair(candidates, Box::new(self)),
                None => Read::Unusable,
            },
        }
    }

    /// The sources of a question that counts; `asked` has the questions before it, and takes it.
    pub(super) fn judge(
        &self,
        candidate: &Candidate,
        is_unnamed: bool,
        all: &[SourcePage],
        asked: &mut BTreeSet<String>,
    ) -> Result<Vec<Source>, DropReason> {
        if is_unnamed && named_entity(&candidate.question).is_some() {
            return Err(DropReason::NamesEntity);
        }
        let pages: Vec<&SourcePage> = self.pages.iter().filter_map(|&at| all.get(at)).collect();
        let sources = verify(candidate, self.style, &pages)?;
        let folded = fold(&candidate.question, Case::Fold);
        let key: String = folded.text().chars().filter(|c| c.is_alphanumeric()).collect();
        if asked.insert(key) { Ok(sources) } else { Err(DropReason::Repeated) }
    }
}
