//! The rewriting step by itself: the prompt of the answering machine, and its reader, for one question.
//!
//! Pairs for training a rewriter come from here, so that a model learns the very prompt that it is asked with later.

use crate::parse::{Complaint, MAX_REPLY, head};
use crate::profile::Profile;
use crate::prompt::PromptContext;
use crate::question::QuestionAnalysis;
use crate::request::Message;
use crate::rewrite;

/// A question to be rewritten, outside a conversation and without a glossary.
pub struct RewriteTask<'a> {
    profile: &'a Profile,
    context: PromptContext,
    count: u32,
}

impl<'a> RewriteTask<'a> {
    /// The task to write `count` rewrites of a question, 1 to 3, under a profile.
    pub fn new(profile: &'a Profile, question: &str, count: u32) -> Self {
        let question = QuestionAnalysis::of(question);
        Self { profile, context: PromptContext { question, ..PromptContext::default() }, count }
    }

    /// The messages to the model. A passage that answers the question, if there is one, stands where the answering
    /// machine puts a hypothetical one.
    pub fn messages(&self, passage: Option<&str>) -> Vec<Message> {
        rewrite::prompt(self.profile, &self.context, self.count, passage)
    }

    /// The JSON schema of the reply.
    pub fn schema(&self) -> String {
        rewrite::schema(self.count)
    }

    /// Reads a reply: exactly `count` rewrites.
    ///
    /// # Errors
    /// A complaint that the model can act on.
    pub fn read(&self, reply: &str) -> Result<Vec<String>, Complaint> {
        let reply = head(reply, MAX_REPLY);
        rewrite::read(reply, &self.context.question, false, self.count).map(|rewritten| rewritten.rewrites)
    }

    /// The reply that [`Self::read`] reads as these rewrites.
    pub fn reply(&self, rewrites: &[&str]) -> String {
        serde_json::json!({ "question": self.context.question.text(), "rewrites": rewrites }).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_that_is_written_is_read_again() {
        let profile = Profile::default();
        let task = RewriteTask::new(&profile, "Who pays the \"levy\"?", 1);
        let rewrite = "Which person is liable to pay the levy?";
        assert_eq!(task.read(&task.reply(&[rewrite])).unwrap(), [rewrite]);
        assert!(RewriteTask::new(&profile, "Who pays?", 2).read(&task.reply(&[rewrite])).is_err());
    }

    #[test]
    fn a_passage_is_fenced_and_without_one_the_prompt_is_that_of_an_answer() {
        let profile = Profile::default();
        let task = RewriteTask::new(&profile, "Who pays the levy?", 1);
        let sent = |passage| task.messages(passage).into_iter().map(|m| m.content).collect::<String>();
        assert!(sent(Some("The owner pays the levy.")).contains("<<<P1 "));
        assert!(!sent(None).contains("<<<P1 ") || sent(None).matches("<<<P1 ").count() < 2);
    }
}
