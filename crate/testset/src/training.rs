//! Training examples of a rewriter: the prompt that the answering machine asks with, and the reply that it reads.

use answer::{Profile, RewriteTask, Role};
use serde_json::{Value, json};

use crate::curator::Pair;

/// Form of training examples, a JSON object a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingFormat {
    /// TRL's conversational prompt and completion; the loss is over the completion.
    Trl,
    /// LLaMA-Factory's alpaca: instruction, input, output, system.
    Alpaca,
    /// LLaMA-Factory's sharegpt: a conversation and its system prompt.
    Sharegpt,
}

impl TrainingFormat {
    /// A pair as an example under a profile.
    pub fn example(self, pair: &Pair, profile: &Profile) -> Value {
        let task = RewriteTask::new(profile, &pair.question, 1);
        let messages = task.messages(None);
        let of = |role: Role| {
            let texts = messages.iter().filter(|message| message.role == role);
            texts.map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
        };
        let (rules, asked, reply) = (of(Role::System), of(Role::User), task.reply(&[&pair.rewrite]));
        match self {
            Self::Trl => json!({
                "prompt": [
                    { "role": "system", "content": rules },
                    { "role": "user", "content": asked },
                ],
                "completion": [{ "role": "assistant", "content": reply }],
            }),
            Self::Alpaca => json!({ "instruction": asked, "input": "", "output": reply, "system": rules }),
            Self::Sharegpt => json!({
                "conversations": [
                    { "from": "human", "value": asked },
                    { "from": "gpt", "value": reply },
                ],
                "system": rules,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::Ranks;

    #[test]
    fn every_format_has_the_prompt_of_an_answer_and_a_reply_that_is_read() {
        let profile = Profile::default();
        let pair = Pair {
            id: "q".to_owned(),
            question: "Who pays?".to_owned(),
            rewrite: "Which person is liable to pay the levy?".to_owned(),
            before: Ranks::default(),
            after: Ranks::default(),
        };
        let task = RewriteTask::new(&profile, &pair.question, 1);
        let (trl, alpaca, sharegpt) = (
            TrainingFormat::Trl.example(&pair, &profile),
            TrainingFormat::Alpaca.example(&pair, &profile),
            TrainingFormat::Sharegpt.example(&pair, &profile),
        );
        let asked = task.messages(None);
        let replies =
            [&trl["completion"][0]["content"], &alpaca["output"], &sharegpt["conversations"][1]["value"]];
        for reply in replies {
            assert_eq!(task.read(reply.as_str().unwrap()).unwrap().join("|"), pair.rewrite);
        }
        let rules = [&trl["prompt"][0]["content"], &alpaca["system"], &sharegpt["system"]];
        assert!(rules.iter().all(|rules| rules.as_str() == Some(&asked[0].content)));
        let tasks =
            [&trl["prompt"][1]["content"], &alpaca["instruction"], &sharegpt["conversations"][0]["value"]];
        assert!(tasks.iter().all(|task| task.as_str() == Some(&asked[1].content)));
    }
}
