//! The reading step: a model writes the answer from numbered passages.

use crate::language::Language;
use crate::parse::{Complaint, tagged, unfenced};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptContext, listed};
use crate::prompt_passage::PromptPassage;
use crate::request::{Message, Step};

/// The reply of the reading step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// An answer with citation marks.
    Answer(String),
    /// A refusal: the passages do not suffice.
    Refusal,
}

/// The messages that ask for the answer; `feedback` lists the faults of the previous one.
pub(crate) fn prompt(
    profile: &Profile,
    context: &PromptContext,
    sources: &[PromptPassage],
    feedback: Option<&str>,
) -> Vec<Message> {
    let mut prompt = Prompt::new(Step::Read, profile, context, sources, feedback.as_slice());
    prompt.set("phrases", listed("Key phrases of the field:", &profile.voice.phrases));
    if !profile.voice.style.is_empty() {
        prompt.set("style", format!("{}\n", profile.voice.style.trim()));
    }
    let example = |example: &crate::profile::Example| {
        format!("Question: {}\nAnswer: {}\n", example.question.trim(), example.answer.trim())
    };
    let examples: Vec<String> = profile.examples.iter().map(example).collect();
    if !examples.is_empty() {
        prompt.set(
            "examples",
            format!(
                "The manner, from other documents (nothing of it is evidence here):\n{}",
                examples.join("\n")
            ),
        );
    }
    if let Some(feedback) = feedback {
        prompt.set("feedback", format!("An earlier answer was not accepted: {feedback}\n\n"));
    }
    prompt.messages()
}

/// Reads a reply, which must be in the question's language and cite.
pub(crate) fn read(
    reply: &str,
    profile: &Profile,
    language: Language,
    n_sources: usize,
) -> Result<Written, Complaint> {
    let answer = tagged(reply, "answer").unwrap_or_else(|| unfenced(reply));
    if answer.is_empty() {
        return Err("it is empty".to_owned());
    }
    if is_refusal(answer, profile.refusal(language)) {
        return Ok(Written::Refusal);
    }
    if !language.may_be_of(answer) {
        return Err(format!("it is not in {}", language.asked_for()));
    }
    let marks = citations::cited_ids(answer);
    if let Some(unknown) = marks.iter().find(|&&id| id == 0 || id as usize > n_sources) {
        return Err(format!("it cites [P{unknown}], but the passages are P1 to P{n_sources}"));
    }
    if marks.is_empty() {
        return Err("it cites no passage; put marks such as [P1] after each sentence".to_owned());
    }
    Ok(Written::Answer(answer.to_owned()))
}

/// True if an answer is the refusal, up to punctuation and marks.
fn is_refusal(answer: &str, refusal: &str) -> bool {
    let bare = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let (answer, refusal) = (bare(answer), bare(refusal));
    answer.starts_with(&refusal) && answer.len() <= refusal.len() + 12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(reply: &str) -> Result<Written, Complaint> {
        read(reply, &Profile::default(), Language::English, 3)
    }

    #[test]
    fn an_answer_cites_what_it_was_given() {
        let text = "The firm must notify [P1].";
        for reply in [text.to_owned(), format!("<answer>{text}</answer>"), format!("```\n{text}\n```")] {
            assert_eq!(answer(&reply).unwrap(), Written::Answer(text.to_owned()));
        }
        assert!(answer("The firm must notify.").unwrap_err().contains("cites no passage"));
        assert!(answer("The firm must notify [P99].").unwrap_err().contains("P1 to P3"));
        assert!(answer("公司应当通知 [P1]。").unwrap_err().contains("not in"));
        assert!(answer(" ").is_err());
    }

    #[test]
    fn the_exact_refusal_is_one_and_a_sentence_that_begins_so_is_not() {
        assert_eq!(answer("The documents do not say.").unwrap(), Written::Refusal);
        assert_eq!(answer("The documents do not say [P1].").unwrap(), Written::Refusal);
        assert!(
            answer("The documents do not say who pays, but name the owner [P1].")
                .is_ok_and(|w| w != Written::Refusal)
        );
        let chinese = Profile::named("chinese-statutes").unwrap();
        let reply = "所提供的条文不足以回答该问题";
        assert_eq!(read(reply, &chinese, Language::Chinese, 1).unwrap(), Written::Refusal);
    }
}
