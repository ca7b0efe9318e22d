//! The baseline: one regular expression and the numbers of passages.
//!
//! It matches a word for a provision, a number and bracketed parts; an acronym in front or "of the …" behind names the
//! document; the number is looked up as printed, then without its brackets.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::corpus::Corpus;

const PATTERN: &str = r"(?x)
    (?:\b(?P<before>[A-Z][A-Za-z]{1,5})\s+)?
    \b(?i:Rules?|Sections?|Chapters?|Parts?|Articles?|Paragraphs?|Appendix|App|Guidance)\s*
    \x{200e}?(?P<number>[A-Z]?\d+[A-Z]?(?:\.\d+[A-Z]?)*)(?P<brackets>(?:\s?\(\w{1,4}\))*)
    (?:\s+of\s+(?:the\s+)?(?P<behind>[A-Z][A-Za-z]{1,5})\b)?
";

/// The (passage, node) pairs that the pattern finds.
pub(super) fn edges(corpus: &Corpus) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let Ok(pattern) = Regex::new(PATTERN) else { return found };
    let mut numbers: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for passage in &corpus.passages {
        for number in spellings(&passage.pid) {
            numbers.entry((passage.document, number)).or_insert(passage.node);
        }
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (document, all) in corpus.names.iter().enumerate() {
        for name in all {
            let first = name.split(' ').next().unwrap_or_default();
            names.entry(first.to_lowercase()).or_insert(document);
        }
    }
    for (at, passage) in corpus.passages.iter().enumerate() {
        for hit in pattern.captures_iter(&passage.text) {
            let name =
                |group: &str| hit.name(group).and_then(|m| names.get(&m.as_str().to_lowercase()).copied());
            let document = name("before").or_else(|| name("behind")).unwrap_or(passage.document);
            let number = hit.name("number").map_or("", |m| m.as_str()).to_lowercase();
            let brackets = hit.name("brackets").map_or("", |m| m.as_str()).replace(' ', "");
            let first = brackets.split_inclusive(')').next().unwrap_or_default();
            let node = [format!("{number}{brackets}"), format!("{number}{first}"), number]
                .into_iter()
                .find_map(|number| numbers.get(&(document, number)));
            if let Some(&node) = node {
                found.insert((at, node));
            }
        }
    }
    found
}

/// The number of a passage's id: whole, and without the words in front ("Part 6.Chapter 2.76." is 76).
fn spellings(pid: &str) -> Vec<String> {
    let whole = pid.trim_end_matches(['.', ')']).to_lowercase().replace(".(", "(");
    let whole = if pid.ends_with(')') && whole.contains('(') { format!("{whole})") } else { whole };
    let tail = whole
        .rfind(' ')
        .and_then(|space| whole.get(space + 1..))
        .and_then(|rest| rest.split_once('.'))
        .map(|(_, tail)| tail.to_owned());
    let word = whole.strip_prefix("part ").or_else(|| whole.strip_prefix("app ")).map(str::to_owned);
    [Some(whole.clone()), tail, word].into_iter().flatten().collect()
}
