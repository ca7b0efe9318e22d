//! How a domain is answered: a TOML file of words, steps and budgets.
//!
//! Four profiles ship; anyone can write another and load it. What a profile says goes into prompts as ours, so a
//! profile is trusted as much as a setting is. Sizes are capped; an unknown key is an error with its line, because a
//! mistyped step that silently stays on would be worse.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::language::Language;
use crate::request::Step;

/// The form of profile files that this code reads.
const FORMAT: u32 = 1;
/// The longest profile in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// The profiles that ship, the default first: name, then file.
const SHIPPED: [(&str, &str); 4] = [
    ("general", include_str!("profiles/general.toml")),
    ("tax-opinion", include_str!("profiles/tax-opinion.toml")),
    ("obligations", include_str!("profiles/obligations.toml")),
    ("chinese-statutes", include_str!("profiles/chinese-statutes.toml")),
];

/// How a domain is answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The form of the file: 1.
    pub format: u32,
    /// Its name, as it is chosen by.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// In whose words.
    #[serde(default)]
    pub voice: Voice,
    /// Questions answered as they should be.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// Terms of the questions with the words that documents use instead.
    #[serde(default)]
    pub glossary: BTreeMap<String, Vec<String>>,
    /// What is done.
    #[serde(default)]
    pub steps: Steps,
    /// How much is read and written.
    #[serde(default)]
    pub budgets: Budgets,
    /// What is looked for.
    #[serde(default)]
    pub retrieval: Retrieval,
}

/// In whose words answers are given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Voice {
    /// Who the model is to be.
    pub role: String,
    /// Key phrases of the domain with their meaning.
    pub phrases: Vec<String>,
    /// How an answer is built.
    pub style: String,
    /// What is said, to the letter, when the documents do not suffice; by language (`en`, `zh`).
    pub refusal: BTreeMap<String, String>,
}

/// A question answered as it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Its answer, with marks.
    pub answer: String,
}

/// The steps and how each runs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Steps {
    /// Rewriting of the question.
    pub rewrite: Rewrite,
    /// Choosing among the passages found.
    pub filter: Setting,
    /// Quoting from what stands around them.
    pub extract: Setting,
    /// Writing the answer.
    pub read: Setting,
    /// Checking it.
    pub reflect: Reflect,
}

/// How the question is rewritten.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rewrite {
    /// By what way.
    pub by: RewriteBy,
    /// How many rewrites: 1 to 3.
    pub count: u32,
    /// The endpoint, where it is not that of the answer.
    pub endpoint: Option<String>,
    /// The model, where it is not that of the answer.
    pub model: Option<String>,
}

impl Default for Rewrite {
    fn default() -> Self {
        Self { by: RewriteBy::Question, count: 3, endpoint: None, model: None }
    }
}

/// Ways to rewrite a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RewriteBy {
    /// Not at all. A follow-up question is still made to stand alone.
    Off,
    /// Directly.
    Question,
    /// By way of a passage that would answer it (query2doc).
    Passage,
}

/// How a step runs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setting {
    /// Whether it runs. Without reading, the answer is extracted.
    pub on: bool,
    /// The endpoint, where it is not that of the answer.
    pub endpoint: Option<String>,
    /// The model, where it is not that of the answer.
    pub model: Option<String>,
}

impl Default for Setting {
    fn default() -> Self {
        Self { on: true, endpoint: None, model: None }
    }
}

/// How the answer is checked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reflect {
    /// Whether it is.
    pub on: bool,
    /// How often a check may lead to another search or another answer: 0 to 2.
    pub rounds: u32,
    /// The endpoint, where it is not that of the answer.
    pub endpoint: Option<String>,
    /// The model, where it is not that of the answer.
    pub model: Option<String>,
}

impl Default for Reflect {
    fn default() -> Self {
        Self { on: true, rounds: 2, endpoint: None, model: None }
    }
}

/// Sizes in tokens, as [`text::ApproximateTokens`] counts: high rather than low for English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budgets {
    /// The passages of one request: 200 to 200,000.
    pub context: u32,
    /// The longest answer: 50 to 8,000.
    pub answer: u32,
    /// The longest reply of any other step: 50 to 8,000.
    pub reply: u32,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { context: 6_000, answer: 800, reply: 1_200 }
    }
}

/// What is looked for, and what of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retrieval {
    /// How many passages are chosen from: 1 to 50.
    pub found: u32,
    /// How many of what stands around them are quoted from: 1 to 10.
    pub around: u32,
    /// What is read around a passage.
    pub read: Around,
}

impl Default for Retrieval {
    fn default() -> Self {
        Self { found: 20, around: 4, read: Around::Parent }
    }
}

/// What is read around a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Around {
    /// The consecutive sections of its parent.
    Parent,
    /// The provision it lies in; where it lies in none, its parent.
    Article,
}

/// Why a profile was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(String);

impl std::fmt::Display for ProfileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

impl Default for Profile {
    fn default() -> Self {
        let (name, file) = SHIPPED[0];
        Self::from_toml(file).unwrap_or_else(|_| Self::bare(name))
    }
}

impl Profile {
    /// A profile that says nothing.
    fn bare(name: &str) -> Self {
        Self {
            format: FORMAT,
            name: name.to_owned(),
            title: name.to_owned(),
            voice: Voice::default(),
            examples: Vec::new(),
            glossary: BTreeMap::new(),
            steps: Steps::default(),
            budgets: Budgets::default(),
            retrieval: Retrieval::default(),
        }
    }

    /// The names of the profiles that ship, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|&(name, _)| name)
    }

    /// The file of a profile that ships, to start one's own from.
    pub fn file(name: &str) -> Option<&'static str> {
        SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|&(_, file)| file)
    }

    /// A profile that ships.
    pub fn named(name: &str) -> Option<Self> {
        Self::from_toml(Self::file(name)?).ok()
    }

    /// A profile from its file.
    ///
    /// # Errors
    /// What is wrong and where: TOML that is none, an unknown key, another form, a size out of range.
    pub fn from_toml(file: &str) -> Result<Self, ProfileError> {
        if file.len() > MAX_BYTES {
            return Err(ProfileError(format!(
                "the profile has {} bytes, expected at most {MAX_BYTES}",
                file.len()
            )));
        }
        let profile: Self =
            toml::from_str(file).map_err(|error| ProfileError(error.to_string().trim_end().to_owned()))?;
        profile.check()
    }

    fn check(self) -> Result<Self, ProfileError> {
        let Self { format, steps, budgets, retrieval, .. } = &self;
        if *format != FORMAT {
            return Err(ProfileError(format!("the profile is of form {format}, expected {FORMAT}")));
        }
        let ranges = [
            ("steps.rewrite.count", steps.rewrite.count, 1, 3),
            ("steps.reflect.rounds", steps.reflect.rounds, 0, 2),
            ("budgets.context", budgets.context, 200, 200_000),
            ("budgets.answer", budgets.answer, 50, 8_000),
            ("budgets.reply", budgets.reply, 50, 8_000),
            ("retrieval.found", retrieval.found, 1, 50),
            ("retrieval.around", retrieval.around, 1, 10),
        ];
        for (key, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(ProfileError(format!("{key} is {value}, expected {least} to {most}")));
            }
        }
        Ok(self)
    }

    /// True if the profile can run a step. A follow-up question is rewritten even where rewriting is off.
    pub fn runs(&self, step: Step) -> bool {
        let Steps { rewrite, filter, extract, read, reflect } = &self.steps;
        match step {
            Step::Passage => rewrite.by == RewriteBy::Passage,
            Step::Rewrite => true,
            Step::Filter => filter.on,
            Step::Extract => extract.on,
            Step::Read => read.on,
            Step::Reflect => reflect.on,
        }
    }

    /// The endpoint and the model that a step names.
    pub fn endpoint(&self, step: Step) -> (Option<String>, Option<String>) {
        let Steps { rewrite, filter, extract, read, reflect } = &self.steps;
        let (endpoint, model) = match step {
            Step::Passage | Step::Rewrite => (&rewrite.endpoint, &rewrite.model),
            Step::Filter => (&filter.endpoint, &filter.model),
            Step::Extract => (&extract.endpoint, &extract.model),
            Step::Read => (&read.endpoint, &read.model),
            Step::Reflect => (&reflect.endpoint, &reflect.model),
        };
        (endpoint.clone(), model.clone())
    }

    /// What is said, to the letter, when the documents do not suffice.
    pub fn refusal(&self, language: Language) -> &str {
        let (code, ours) = match language {
            Language::English => ("en", "The documents do not say."),
            Language::Chinese => ("zh", "文件中没有相关规定。"),
        };
        self.voice.refusal.get(code).map_or(ours, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_can_be_read_and_says_what_it_is() {
        for (name, file) in SHIPPED {
            let profile = Profile::from_toml(file).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(profile.name, name);
            assert!(!profile.title.is_empty() && !profile.voice.role.is_empty(), "{name}");
            assert!(profile.examples.iter().all(|example| example.answer.contains("[P")), "{name}");
        }
        assert_eq!(Profile::default().name, "general");
        let tax = Profile::named("tax-opinion").unwrap();
        for level in ["will", "should", "more likely than not", "substantial authority"] {
            assert!(tax.voice.phrases.iter().any(|phrase| phrase.starts_with(level)), "{level}");
        }
        assert_eq!(Profile::named("obligations").unwrap().budgets.answer, 600);
        assert_eq!(Profile::named("chinese-statutes").unwrap().retrieval.read, Around::Article);
        assert!(Profile::named("nothing").is_none());
    }

    #[test]
    fn a_profile_of_ones_own_may_say_little_and_is_told_what_is_wrong() {
        let head = "format = 1\nname = \"mine\"\ntitle = \"Mine\"\n";
        let profile = Profile::from_toml(&format!(
            "{head}[steps.reflect]\non = false\n[steps.filter]\nendpoint = \"small\"\nmodel = \"tiny\"\n"
        ))
        .unwrap();
        assert!(!profile.steps.reflect.on && profile.steps.filter.on);
        assert_eq!(profile.endpoint(Step::Filter), (Some("small".to_owned()), Some("tiny".to_owned())));
        assert_eq!(profile.endpoint(Step::Read), (None, None));
        let wrong = [
            ("", "format"),
            ("format = 2\nname = \"a\"\ntitle = \"a\"", "form 2"),
            (&format!("{head}[steps.reflekt]\non = false"), "reflekt"),
            (&format!("{head}[steps.rewrite]\ncount = 9"), "expected 1 to 3"),
            (&format!("{head}[budgets]\ncontext = 1"), "expected 200"),
            ("format = ", "line 1"),
        ];
        for (file, says) in wrong {
            let error = Profile::from_toml(file).unwrap_err().to_string();
            assert!(error.contains(says) || error.contains("missing field"), "{file}: {error}");
        }
        assert!(Profile::from_toml(&"#".repeat(MAX_BYTES + 1)).is_err());
    }
}
