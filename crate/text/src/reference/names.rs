//! Names of documents and the documents that they mean: titles, short names, acronyms that documents define, initials, content words.
//!
//! Names are compared in a normal form; a name that two documents share means neither, unless the document
//! that speaks has defined it. Cost: a lookup in a sorted map for each variant of the name, and for a name
//! that is none of them one intersection of the lists of documents whose names have its words.

use std::collections::{BTreeMap, BTreeSet};

use document::Slice as _;

use super::line::printed;
use super::words::is_small_word;

/// Longest name that is compared, in bytes.
const MAX_NAME: usize = 300;
/// Most documents that a word of a name may stand for and still say something.
const MAX_COMMON: usize = 64;

/// A name in normal form: lower case, single spaces, no quotation marks, no article in front.
pub fn normal_name(name: &str) -> String {
    let end = name.floor_char_boundary(MAX_NAME);
    let plain: String = printed(name.slice(..end))
        .chars()
        .map(|c| if matches!(c, '_' | '-' | '–' | '—' | ',' | ':') { ' ' } else { c })
        .filter(|c| !matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '《' | '》' | '.'))
        .flat_map(char::to_lowercase)
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let skip = usize::from(words.len() > 1 && matches!(words.first(), Some(&("the" | "this" | "these"))));
    words.slice(skip..).join(" ")
}

/// The names of documents.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentNames {
    /// Normal form → document; `None` where more than one have it.
    all: BTreeMap<String, Option<usize>>,
    /// Document that a name means in the text of one document.
    own: BTreeMap<(usize, String), usize>,
    /// Initials of titles → document.
    initials: BTreeMap<String, Option<usize>>,
    /// Content word → documents whose names have it.
    words: BTreeMap<String, BTreeSet<usize>>,
}

impl DocumentNames {
    /// Takes a name of a document.
    pub(super) fn add(&mut self, document: usize, name: &str) {
        let normal = normal_name(name);
        if normal.is_empty() {
            return;
        }
        for variant in name_variants(&normal) {
            insert_name(&mut self.all, variant, document);
        }
        let title = without_brackets(&normal);
        let words: Vec<&str> =
            title.split(' ').filter(|word| word.starts_with(char::is_alphabetic)).collect();
        if (3..=8).contains(&words.len()) {
            let letters = |small: bool| -> String {
                words.iter().filter(|w| small || !is_small_word(w)).filter_map(|w| w.chars().next()).collect()
            };
            for form in BTreeSet::from([letters(true), letters(false)]) {
                if form.len() > 2 {
                    insert_name(&mut self.initials, form, document);
                }
            }
        }
        for word in content_words(&normal) {
            self.words.entry(word).or_default().insert(document);
        }
    }

    /// Takes what `document` says that a name means: `short` is the defined one, `long` what it stands for.
    /// Gives whether something was learnt.
    pub(super) fn define(&mut self, document: usize, short: &str, long: &str) -> bool {
        let own = ["this ", "these "].iter().any(|w| long.trim().to_lowercase().starts_with(w));
        let (name, short) = (normal_name(long), normal_name(short));
        if short.is_empty() || name.is_empty() {
            return false;
        }
        let meant = if own { Some(document) } else { self.exact(document, &name) };
        if let Some(meant) = meant {
            let new = self.own.insert((document, short.clone()), meant) != Some(meant);
            self.all.entry(short).or_insert(Some(meant));
            return new;
        }
        let Some(meant) = self.exact(document, &short) else { return false };
        if self.all.contains_key(&name) {
            return false;
        }
        for variant in name_variants(&name) {
            self.all.entry(variant).or_insert(Some(meant));
        }
        for word in content_words(&name) {
            self.words.entry(word).or_default().insert(meant);
        }
        true
    }

    /// The document that `name` means where `document` says it.
    pub(super) fn find(&self, document: usize, name: &str) -> Option<usize> {
        let normal = normal_name(name);
        self.exact(document, &normal)
            .or_else(|| {
                let acronym = name.trim().bytes().all(|b| b.is_ascii_uppercase());
                if acronym { self.initials.get(&normal).copied().flatten() } else { None }
            })
            .or_else(|| self.by_words(&normal))
    }

    fn exact(&self, document: usize, normal: &str) -> Option<usize> {
        for variant in name_variants(normal) {
            if let Some(&meant) = self.own.get(&(document, variant.clone())) {
                return Some(meant);
            }
            if let Some(&Some(meant)) = self.all.get(&variant) {
                return Some(meant);
            }
        }
        None
    }

    /// The only document whose names have all content words of `normal`, if it has two.
    fn by_words(&self, normal: &str) -> Option<usize> {
        let words = content_words(normal);
        if words.len() < 2 {
            return None;
        }
        let mut lists = Vec::new();
        for word in &words {
            lists.push(self.words.get(word)?);
        }
        lists.sort_by_key(|list| list.len());
        let (first, rest) = lists.split_first()?;
        if first.len() > MAX_COMMON {
            return None;
        }
        let mut common = first.iter().filter(|document| rest.iter().all(|list| list.contains(document)));
        match (common.next(), common.next()) {
            (Some(&only), None) => Some(only),
            _ => None,
        }
    }
}

fn insert_name(map: &mut BTreeMap<String, Option<usize>>, key: String, document: usize) {
    map.entry(key)
        .and_modify(|known| {
            if *known != Some(document) {
                *known = None;
            }
        })
        .or_insert(Some(document));
}

/// The name itself, without brackets, without its year, without a word for the sort of instrument behind it.
fn name_variants(normal: &str) -> Vec<String> {
    let mut forms = vec![normal.to_owned()];
    let bare = without_brackets(normal);
    let dated: Vec<&str> = bare.split(' ').collect();
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let mut end = dated.len();
    if end > 1 && dated.last().is_some_and(|word| is_year(word)) {
        end -= 1;
        if end > 1 && dated.get(end - 1) == Some(&"of") {
            end -= 1;
        }
    }
    let undated = dated.slice(..end).join(" ");
    // "MKT Rulebook", "COBS Rules" are MKT and COBS; "Companies Act" is not Companies.
    let module = match undated.rsplit_once(' ') {
        Some((stem, "rulebook" | "rulebooks" | "rules" | "module" | "sourcebook" | "handbook"))
            if !stem.contains(' ') =>
        {
            Some(stem.to_owned())
        }
        _ => None,
    };
    for form in [Some(bare), Some(undated), module].into_iter().flatten() {
        if !form.is_empty() && !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

fn without_brackets(normal: &str) -> String {
    let mut depth = 0usize;
    let kept: String = normal
        .chars()
        .filter(|c| {
            match c {
                '(' | '（' => depth += 1,
                ')' | '）' => {
                    depth = depth.saturating_sub(1);
                    return false;
                }
                _ => {}
            }
            depth == 0
        })
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words that say something, in the singular.
fn content_words(normal: &str) -> Vec<String> {
    let mut words: Vec<String> = without_brackets(normal)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 1 && !is_small_word(word))
        .map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(word).to_owned())
        .collect();
    words.sort();
    words.dedup();
    words
}
