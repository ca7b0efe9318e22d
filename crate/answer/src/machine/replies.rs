//! Replies of a model, read by the step that asked, and the step that follows.

use document::TextRange;

use super::state::{Machine, PendingRequest, RequestData};
use crate::corpus::Corpus;
use crate::extract;
use crate::filter;
use crate::parse::Complaint;
use crate::profile::RewriteMethod;
use crate::prompt_passage::PromptPassage;
use crate::question::QuestionAnalysis;
use crate::read;
use crate::reflect;
use crate::request::Step;
use crate::rewrite;
use crate::trace::QUOTES_DROPPED;

/// Action after a reply.
pub(super) enum Next {
    Rewrite,
    Search,
    Extract,
    /// The extraction requests still to come.
    ExtractRest(RequestData),
    Reflect,
    Judge,
}

impl Machine {
    /// Reads a reply. An unusable reply changes nothing.
    pub(super) fn read_reply(
        &mut self,
        corpus: &dyn Corpus,
        pending: &PendingRequest,
        text: &str,
    ) -> Result<Next, Complaint> {
        let language = self.context.question.language();
        match pending.request.step {
            Step::Passage => {
                self.trace.passage = Some(rewrite::read_passage(text, language)?);
                Ok(Next::Rewrite)
            }
            Step::Rewrite => self.read_rewrites(text),
            Step::Filter => {
                let found = &pending.data.found;
                let verdicts = filter::read(text, found.len())?;
                let kept = found.iter().zip(verdicts).filter(|(_, keep)| *keep);
                self.selection.kept.extend(kept.map(|(found, _)| *found));
                Ok(Next::Extract)
            }
            Step::Extract => self.read_extracts(corpus, pending, text),
            Step::Read => {
                let passages = &pending.data.passages;
                let written = read::read(text, &self.profile, language, passages.len())?;
                self.trace.selected =
                    passages.iter().map(|passage| (passage.document, passage.ranges().collect())).collect();
                self.written = Some((written, passages.clone()));
                self.n_checks_before = self.trace.reflection.len();
                Ok(Next::Reflect)
            }
            Step::Reflect => {
                self.trace.reflection.push(reflect::read(text)?);
                Ok(Next::Judge)
            }
        }
    }

    fn read_rewrites(&mut self, text: &str) -> Result<Next, Complaint> {
        let rewrite = &self.profile.steps.rewrite;
        let is_follow_up = !self.context.history.is_empty();
        let rewritten = rewrite::read(text, &self.context.question, is_follow_up, rewrite.count)?;
        if rewrite.by != RewriteMethod::Off {
            self.context.rewrites = rewritten.rewrites;
        }
        if let Some(question) = rewritten.question {
            self.context.question = QuestionAnalysis::of(&question);
            self.trace.question = question;
        }
        Ok(Next::Search)
    }

    fn read_extracts(
        &mut self,
        corpus: &dyn Corpus,
        pending: &PendingRequest,
        text: &str,
    ) -> Result<Next, Complaint> {
        let passages = &pending.data.passages;
        let extracts = extract::read(text, passages)?;
        if extracts.n_dropped > 0 {
            let why = format!("{} quotations are not in the text and were dropped", extracts.n_dropped);
            self.degrade(Step::Extract, QUOTES_DROPPED, Some(pending.request.call), why);
        }
        let of_passage = |(at, passage): (usize, &PromptPassage)| {
            let quoted = extracts.found.iter().filter(|(of, _)| *of == at);
            let mut ranges: Vec<TextRange> = quoted.flat_map(|&(_, range)| passage.origin(range)).collect();
            ranges.sort_unstable();
            (!ranges.is_empty()).then_some((passage.document, ranges))
        };
        let quoted: Vec<_> = passages.iter().enumerate().filter_map(of_passage).collect();
        self.selection.quote(corpus, passages, &quoted);
        Ok(Next::ExtractRest(pending.data.clone()))
    }
}
