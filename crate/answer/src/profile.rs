//! Profiles: TOML files with the wording, steps and budgets of a domain.
//!
//! Five ship; a user can load another. A profile's words go into prompts as instructions, so a profile is trusted like a
//! setting. Sizes are capped. An unknown key is an error with its line, since a mistyped step would otherwise stay on
//! silently.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::language::Language;
use crate::request::Step;

/// Version of the profile format.
const FORMAT: u32 = 1;
/// Longest profile, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// The shipped profiles, name and file, the default first.
const SHIPPED: [(&str, &str); 5] = [
    ("general", include_str!("profiles/general.toml")),
    ("tax-opinion", include_str!("profiles/tax-opinion.toml")),
    ("obligations", include_str!("profiles/obligations.toml")),
    ("chinese-statutes", include_str!("profiles/chinese-statutes.toml")),
    ("small", include_str!("profiles/small.toml")),
];

/// A profile: the way a domain is answered.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Version of the format: 1.
    pub format: u32,
    /// Its identifier.
    pub name: String,
    /// Its display name.
    pub title: String,
    /// Wording of prompts and answers.
    #[serde(default)]
    pub voice: Voice,
    /// Few-shot examples.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// Glossary: a term of questions → the words that documents use for it.
    #[serde(default)]
    pub glossary: BTreeMap<String, Vec<String>>,
    /// The steps.
    #[serde(default)]
    pub steps: Steps,
    /// Budgets in tokens.
    #[serde(default)]
    pub budgets: Budgets,
    /// Settings of retrieval.
    #[serde(default)]
    pub retrieval: RetrievalSettings,
}

/// Wording of prompts and answers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Voice {
    /// The model's role.
    pub role: String,
    /// Key phrases of the domain with their meanings.
    pub phrases: Vec<String>,
    /// Structure and style of an answer.
    pub style: String,
    /// Exact refusal on insufficient evidence, by language (`en`, `zh`).
    pub refusal: BTreeMap<String, String>,
}

/// A few-shot example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Example {
    /// The question.
    pub question: String,
    /// Its answer, with citation marks.
    pub answer: String,
}

/// The settings of the steps.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Steps {
    /// Rewriting of the question.
    pub rewrite: RewriteSettings,
    /// Filtering of the passages.
    pub filter: StepSettings,
    /// Extracting quotations from their surroundings.
    pub extract: StepSettings,
    /// Reading: writing the answer.
    pub read: StepSettings,
    /// Reflecting: checking the answer.
    pub reflect: ReflectSettings,
}

/// Settings of rewriting.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewriteSettings {
    /// The method.
    pub by: RewriteMethod,
    /// Number of rewrites, 1 to 3.
    pub count: u32,
    /// Named endpoint; `None` for that of the answer.
    pub endpoint: Option<String>,
    /// Model; `None` for that of the answer.
    pub model: Option<String>,
}

impl Default for RewriteSettings {
    fn default() -> Self {
        Self { by: RewriteMethod::Question, count: 3, endpoint: None, model: None }
    }
}

/// Methods of rewriting a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RewriteMethod {
    /// None. A follow-up question is still made self-contained.
    Off,
    /// Direct rewriting.
    Question,
    /// Through a hypothetical passage that answers it (query2doc).
    Passage,
}

/// Settings of a step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StepSettings {
    /// True if it runs. Without reading, the answer is extracted.
    pub on: bool,
    /// Named endpoint; `None` for that of the answer.
    pub endpoint: Option<String>,
    /// Model; `None` for that of the answer.
    pub model: Option<String>,
}

impl Default for StepSettings {
    fn default() -> Self {
        Self { on: true, endpoint: None, model: None }
    }
}

/// Settings of reflecting.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReflectSettings {
    /// True if it runs.
    pub on: bool,
    /// Further rounds of search or writing that a check may cause, 0 to 2.
    pub rounds: u32,
    /// Named endpoint; `None` for that of the answer.
    pub endpoint: Option<String>,
    /// Model; `None` for that of the answer.
    pub model: Option<String>,
}

impl Default for ReflectSettings {
    fn default() -> Self {
        Self { on: true, rounds: 2, endpoint: None, model: None }
    }
}

/// Budgets in tokens, counted by [`text::ApproximateTokens`], which overestimates English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budgets {
    /// Passages of one request, 200 to 200,000.
    pub context: u32,
    /// Longest answer, 50 to 8,000.
    pub answer: u32,
    /// Longest reply of any other step, 50 to 8,000.
    pub reply: u32,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { context: 4_500, answer: 800, reply: 1_200 }
    }
}

/// Settings of retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrievalSettings {
    /// Passages retrieved, 1 to 50.
    pub found: u32,
    /// Parents or articles that are quoted from, 1 to 10.
    pub around: u32,
    /// Unit of text that is read around a passage.
    pub read: ReadUnit,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self { found: 20, around: 4, read: ReadUnit::Parent }
    }
}

/// Unit of text that is read around a found passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadUnit {
    /// Its parent chunk.
    Parent,
    /// Its provision, or its parent outside any provision.
    Article,
}

/// An error of a profile.
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
    /// The empty profile.
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
            retrieval: RetrievalSettings::default(),
        }
    }

    /// Names of the shipped profiles, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|&(name, _)| name)
    }

    /// The TOML of a shipped profile.
    pub fn file(name: &str) -> Option<&'static str> {
        SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|&(_, file)| file)
    }

    /// A shipped profile.
    pub fn named(name: &str) -> Option<Self> {
        Self::from_toml(Self::file(name)?).ok()
    }

    /// Reads a profile from TOML.
    ///
    /// # Errors
    /// With the line: invalid TOML, an unknown key, another format version, a size out of range.
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

    /// True if the profile can run a step; a follow-up question is rewritten even if rewriting is off.
    pub fn runs(&self, step: Step) -> bool {
        let Steps { rewrite, filter, extract, read, reflect } = &self.steps;
        match step {
            Step::Passage => rewrite.by == RewriteMethod::Passage,
            Step::Rewrite => true,
            Step::Filter => filter.on,
            Step::Extract => extract.on,
            Step::Read => read.on,
            Step::Reflect => reflect.on,
        }
    }

    /// The endpoint and model of a step.
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

    /// The exact refusal in a language.
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
        assert_eq!(Profile::named("chinese-statutes").unwrap().retrieval.read, ReadUnit::Article);
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
