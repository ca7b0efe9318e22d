//! Thesaurus: groups of words and phrases for one concept, as laymen, lawyers and statutes name it.
//!
//! "Can they sack me?" shares no word with "termination of employment". A line of a thesaurus is such a group, its members
//! separated by ` | `, the usual term of documents first; a member marked `~` is looked for in documents and does not
//! trigger the group, since in questions it mostly means something else. A person's glossary goes before it.
//! `models/thesaurus/legal.txt` is one for law.
//!
//! Matched by stem, the longest phrase first ([`super::phrases`]). Cost: one pass over the text (about 10,000 phrases),
//! then look-ups for each word of a question.

use document::{OrNever as _, Pace, Steps, at_once};

use super::named::Concept;
use super::phrases::{PhraseMap, PhraseTokens};

/// Maximum concepts of a question: more are a pasted text.
const MAX_CONCEPTS: usize = 64;
/// Maximum members of a group that are looked for.
const MAX_MEMBERS: usize = 8;
/// Cost of a byte of a thesaurus, in stored bytes ([`Pace::spend`]): its words are stemmed. In wasm that has just been loaded the
/// 183 kB of the legal one take .08 to .17 s: some seventeen steps.
const BYTE_COST: usize = 192;

/// A thesaurus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thesaurus {
    groups: Vec<Vec<String>>,
    /// Indices of `groups` by the members that trigger them.
    triggers: PhraseMap<Vec<usize>>,
}

impl Thesaurus {
    /// A thesaurus of groups, one a line. Lines that are empty, begin with `#` or are a `[section]` are skipped, members
    /// of several words of which fewer than two are content words too, and those of more than 256 bytes.
    pub fn parse(text: &str) -> Self {
        at_once(async |pace| Self::parse_paced(text, pace).await)
    }

    /// The same in short steps.
    pub fn parsing(text: String) -> Steps<Self> {
        Steps::new(|pace| async move { Self::parse_paced(&text, &pace).await })
    }

    async fn parse_paced(text: &str, pace: &Pace) -> Self {
        let mut thesaurus = Self::default();
        let mut words = PhraseTokens::default();
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') || line.starts_with('[') {
                continue;
            }
            let group = thesaurus.groups.len();
            let mut members = Vec::new();
            for member in line.split('|').map(str::trim).filter(|member| !member.is_empty()) {
                let word = member.trim_start_matches('~').trim();
                // "in writing" without its stop word is "write", which means something else.
                words.read_phrase(word);
                if word.contains(' ') && words.ranges().count() < 2 {
                    continue;
                }
                if word.len() == member.len()
                    && let Some(groups) = thesaurus.triggers.entry_of(word, &words)
                {
                    groups.push(group);
                }
                members.push(word.to_owned());
            }
            members.truncate(MAX_MEMBERS);
            thesaurus.groups.push(members);
            pace.spend(line.len() * BYTE_COST).await;
        }
        thesaurus
    }

    /// The concepts of a text, in its order; of a phrase that triggers several groups, all of them.
    pub(super) fn concepts(&self, text: &str, words: &PhraseTokens) -> Vec<Concept> {
        let found = self.triggers.find(words, text).into_iter();
        let concepts = found.flat_map(|(range, groups)| {
            groups.iter().map(move |&group| {
                let members = self.groups.get(group).cloned().or_never("a group of the thesaurus");
                Concept { range: range.clone(), members }
            })
        });
        concepts.take(MAX_CONCEPTS).collect()
    }
}
