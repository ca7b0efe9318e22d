//! The provisions of documents, as an index that answers "which nodes bear this number within that subtree".
//!
//! Provisions are the nodes of one tree a document, in its order, each with the key of its label. They are listed
//! by document, number and word in one sorted vector; a subtree is a run of nodes, so two binary searches find
//! those of a number in it. Building sorts once; nothing else is more than linear.

use std::borrow::Cow;
use std::collections::BTreeMap;

use document::{Pace, Paced, Slice as _, at_once};

use super::names::DocumentNames;
use super::provision_reference::{ProvisionReference, Scope};
use super::words::rank_of;
use crate::numerals::{chinese, roman, spelled};
use crate::provision::Rank;

/// Most scopes that are climbed.
const MAX_DEPTH: usize = 64;
/// Most words that nodes of one number have.
pub(super) const MAX_WORDS: usize = 24;

/// Nodes that are listed and sorted between two looks at the pace.
const RUN: usize = 1024;
/// Indexing of a node, or learning a name, in stored bytes decoded in the same time.
const NODE_COST: usize = 400;
/// Merging of a node.
const MERGE_COST: usize = 60;

/// The word under which plain numbers of outermost provisions are listed too: "3." may be Chapter 3.
pub(super) const OUTERMOST: &str = "#";

/// Most other documents that are asked for a provision that the document at hand lacks.
pub(super) const MAX_USUAL: usize = 2;

/// The provisions of documents, being collected.
#[derive(Clone, Debug, Default)]
pub struct ProvisionIndexBuilder {
    names: Vec<Vec<String>>,
    definitions: Vec<(usize, String, String)>,
    named: Vec<(usize, &'static str, Option<String>)>,
    /// By document, word and number of components: how often.
    parts: BTreeMap<(usize, &'static str, usize), usize>,
    nodes: Vec<ProvisionNode>,
}

/// A provision.
#[derive(Clone, Debug)]
pub(super) struct ProvisionNode {
    pub(super) document: usize,
    pub(super) parent: Option<usize>,
    /// One past its last descendant.
    pub(super) end: usize,
    pub(super) depth: usize,
    pub(super) previous: Option<usize>,
    pub(super) next: Option<usize>,
    pub(super) key: LabelKey,
    /// True if it lies in a schedule.
    pub(super) scheduled: bool,
}

/// The last part of a label's key: its word, and its number in one form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelKey {
    pub(super) word: String,
    pub(super) number: String,
}

/// The provisions of documents, to be asked.
#[derive(Clone, Debug, Default)]
pub struct ProvisionIndex {
    pub(super) nodes: Vec<ProvisionNode>,
    /// Sorted by document, number, word and node.
    pub(super) numbers: Vec<NumberEntry>,
    pub(super) names: DocumentNames,
    /// The word, if any, that a document uses for its outermost numbers, and how often.
    pub(super) container: BTreeMap<usize, (usize, &'static str)>,
    /// By document and word: how many components the numbers have that it is used for most, and how often.
    pub(super) components: BTreeMap<(usize, String), (usize, usize)>,
    /// By document and word.
    pub(super) usual: BTreeMap<(usize, &'static str), UsualDocuments>,
}

/// Uses of a word of provisions in a document.
#[derive(Clone, Debug, Default)]
struct WordUse {
    /// Number of uses with the name of each other document.
    others: BTreeMap<usize, usize>,
    /// Number of uses without a name.
    plain: usize,
}

/// A node listed by its number and word, which are read from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberEntry {
    pub(super) node: usize,
    /// True if it is listed under [`OUTERMOST`] instead of its word.
    is_outermost: bool,
}

/// Document, number, word and node: the order of entries.
type EntryKey<'a> = (usize, Cow<'a, str>, &'a str, usize);

impl NumberEntry {
    fn key(self, nodes: &[ProvisionNode]) -> EntryKey<'_> {
        let Some(node) = nodes.get(self.node) else { return (usize::MAX, Cow::default(), "", self.node) };
        let word = if self.is_outermost { OUTERMOST } else { &node.key.word };
        (node.document, node.key.lookup(), word, self.node)
    }
}

/// The documents that a document means by a word ("section") without naming one.
#[derive(Clone, Debug)]
pub(super) struct UsualDocuments {
    /// The documents that it names most often with the word, the most frequent first.
    pub(super) documents: Vec<usize>,
    /// True if it names the first at least as often as none: a guidance on an Act, not an Act.
    pub(super) first: bool,
}

impl ProvisionIndexBuilder {
    /// Adds a document with its names; gives its number.
    pub fn document<S: AsRef<str>>(&mut self, names: &[S]) -> usize {
        self.names.push(names.iter().map(|name| name.as_ref().to_owned()).collect());
        self.names.len() - 1
    }

    /// Adds a provision of a document; parents come before their children, and all of a subtree before what
    /// follows it. `key` is as the keys of section labels are spelled: `article 19`,
    /// `3.2.1`, `(a)`, `条 19`.
    pub fn node(&mut self, document: usize, parent: Option<usize>, key: &str) -> usize {
        let at = self.nodes.len();
        let above = parent.and_then(|parent| self.nodes.get(parent));
        let depth = above.map_or(0, |parent| parent.depth + 1);
        let key = LabelKey::last(key);
        let scheduled =
            above.is_some_and(|parent| parent.scheduled) || rank_of(&key.word) == Some(Rank::Schedule);
        self.nodes.push(ProvisionNode {
            document,
            parent,
            end: at + 1,
            depth,
            previous: None,
            next: None,
            key,
            scheduled,
        });
        at
    }

    /// Records that `document` calls `long` by the name `short`. If one of them is known, the other is learnt.
    pub fn define(&mut self, document: usize, short: &str, long: &str) {
        self.definitions.push((document, short.to_owned(), long.to_owned()));
    }

    /// Records a reference of `document`. From references with a name the index learns what the document means by
    /// "section" without one.
    pub fn observe(&mut self, document: usize, reference: &ProvisionReference) {
        if reference.scope == Scope::Document
            && let Some(word) = word_of(&reference.path)
        {
            self.named.push((document, word, reference.instrument.clone()));
            if let (None, Some(first)) = (&reference.instrument, reference.path.first()) {
                *self
                    .parts
                    .entry((document, word, n_components(&LabelKey::new(first).number)))
                    .or_default() += 1;
            }
        }
    }

    /// The index.
    pub fn build(self) -> ProvisionIndex {
        at_once(async |pace| self.build_paced(pace).await)
    }

    /// [`Self::build`], step by step.
    pub fn build_paced(self, pace: &Pace) -> Paced<'_, ProvisionIndex> {
        Box::pin(self.index(pace))
    }

    async fn index(self, pace: &Pace) -> ProvisionIndex {
        let names = self.learnt_names();
        pace.spend(self.definitions.len() * NODE_COST).await;
        let counts = self.counts(&names);
        pace.spend(self.named.len() * NODE_COST).await;
        let mut nodes = self.nodes;
        link_nodes(&mut nodes);
        pace.spend(nodes.len() * NODE_COST).await;
        ProvisionIndex {
            numbers: number_entries(&nodes, pace).await,
            nodes,
            names,
            container: containers(&counts),
            usual: counts
                .into_iter()
                .filter_map(|(key, named)| Some((key, UsualDocuments::of(named)?)))
                .collect(),
            components: components(self.parts),
        }
    }

    /// The names that documents have, and those that their definitions give.
    fn learnt_names(&self) -> DocumentNames {
        let mut names = DocumentNames::default();
        for (document, all) in self.names.iter().enumerate() {
            for name in all {
                names.add(document, name);
            }
        }
        // What one definition teaches another may need.
        for _ in 0..3 {
            let mut learnt = false;
            for (document, short, long) in &self.definitions {
                learnt |= names.define(*document, short, long);
            }
            if !learnt {
                break;
            }
        }
        names
    }

    /// By document and word: what it is used with.
    fn counts(&self, names: &DocumentNames) -> BTreeMap<(usize, &'static str), WordUse> {
        let mut counts: BTreeMap<(usize, &'static str), WordUse> = BTreeMap::new();
        for (document, word, name) in &self.named {
            let count = counts.entry((*document, word)).or_default();
            match name {
                Some(name) => {
                    if let Some(meant) = names.find(*document, name).filter(|meant| meant != document) {
                        *count.others.entry(meant).or_default() += 1;
                    }
                }
                None => count.plain += 1,
            }
        }
        counts
    }
}

impl UsualDocuments {
    /// The documents that a word is used for; `None` where it is used without a name only.
    fn of(named: WordUse) -> Option<Self> {
        let mut order: Vec<(usize, usize)> = named.others.into_iter().map(|(d, n)| (n, d)).collect();
        order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let first = order.first()?.0 >= named.plain;
        let documents = order.into_iter().take(MAX_USUAL).map(|(_, document)| document).collect();
        Some(Self { documents, first })
    }
}

/// The word by which each document calls its outermost numbers, and its count.
fn containers(counts: &BTreeMap<(usize, &'static str), WordUse>) -> BTreeMap<usize, (usize, &'static str)> {
    let mut container: BTreeMap<usize, (usize, &'static str)> = BTreeMap::new();
    for ((document, word), count) in counts {
        let outer = rank_of(word).is_some_and(|rank| rank > Rank::Schedule && rank < Rank::Section);
        let known = container.get(document).map_or(0, |&(n, _)| n);
        if outer && count.plain > known {
            container.insert(*document, (count.plain, word));
        }
    }
    container
}

/// The nodes by document, number and word: sorted run by run, then neighbouring runs merged until one is left.
async fn number_entries(nodes: &[ProvisionNode], pace: &Pace) -> Vec<NumberEntry> {
    let mut runs: Vec<Vec<NumberEntry>> = Vec::new();
    for (start, run) in (0..).step_by(RUN).zip(nodes.chunks(RUN)) {
        let mut sorted = Vec::new();
        for (at, node) in (start..).zip(run) {
            if node.key.number.is_empty() && node.key.word.is_empty() {
                continue;
            }
            sorted.push(NumberEntry { node: at, is_outermost: false });
            if node.key.word.is_empty() && is_outermost(nodes, node) {
                sorted.push(NumberEntry { node: at, is_outermost: true });
            }
        }
        sorted.sort_by(|a, b| a.key(nodes).cmp(&b.key(nodes)));
        runs.push(sorted);
        pace.spend(run.len() * NODE_COST).await;
    }
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        for pair in runs.chunks(2) {
            merged.push(match pair {
                [first, second] => merge(first, second, nodes, pace).await,
                _ => pair.concat(),
            });
        }
        runs = merged;
    }
    runs.pop().unwrap_or_default()
}

/// Merges two sorted runs.
async fn merge(
    first: &[NumberEntry],
    second: &[NumberEntry],
    nodes: &[ProvisionNode],
    pace: &Pace,
) -> Vec<NumberEntry> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut firsts, mut seconds) = (first.iter().peekable(), second.iter().peekable());
    while let (Some(a), Some(b)) = (firsts.peek(), seconds.peek()) {
        let is_first = a.key(nodes) <= b.key(nodes);
        merged.extend(if is_first { firsts.next() } else { seconds.next() });
        pace.spend(MERGE_COST).await;
    }
    merged.extend(firsts.chain(seconds));
    merged
}

/// By document and word: the number of components that is used most, and how often.
fn components(
    parts: BTreeMap<(usize, &'static str, usize), usize>,
) -> BTreeMap<(usize, String), (usize, usize)> {
    let mut components: BTreeMap<(usize, String), (usize, usize)> = BTreeMap::new();
    for ((document, word, n), count) in parts {
        let most = components.entry((document, word.to_owned())).or_insert((n, count));
        if count > most.1 {
            *most = (n, count);
        }
    }
    components
}

/// Sets the ends of subtrees and the neighbours among siblings.
pub(super) fn link_nodes(nodes: &mut [ProvisionNode]) {
    for at in (0..nodes.len()).rev() {
        let Some((end, parent)) = nodes.get(at).map(|node| (node.end, node.parent)) else { continue };
        if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent)) {
            parent.end = parent.end.max(end);
        }
    }
    let mut latest: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
    for at in 0..nodes.len() {
        let Some(place) = nodes.get(at).map(|node| (node.document, node.parent)) else { continue };
        let previous = latest.insert(place, at);
        if let Some(node) = nodes.get_mut(at) {
            node.previous = previous;
        }
        if let Some(before) = previous.and_then(|previous| nodes.get_mut(previous)) {
            before.next = Some(at);
        }
    }
}

/// True if a node lies in nothing, or only in what is outer by its word.
pub(super) fn is_outermost(nodes: &[ProvisionNode], node: &ProvisionNode) -> bool {
    match node.parent.and_then(|parent| nodes.get(parent)) {
        None => true,
        Some(above) => above.parent.is_none() || above.key.rank().is_some_and(|rank| rank < Rank::Section),
    }
}

impl LabelKey {
    /// The last part of a label's key.
    pub(super) fn last(key: &str) -> Self {
        let key = key.trim();
        // "section 7.1(b)" under section 7.1 is found by its bracket; the whole is kept where it is not under it.
        Self::new(key)
    }

    pub(super) fn new(part: &str) -> Self {
        let (word, number) = match part.split_once(' ') {
            Some((word, number)) if !word.starts_with(|c: char| c.is_ascii_digit() || c == '(') => {
                (word, number)
            }
            None if !part.is_empty() && part.chars().all(char::is_alphabetic) && part.len() > 3 => (part, ""),
            _ => ("", part),
        };
        // "cobs 3.2.1r": an acronym is no word of a provision.
        let han = word.chars().next().is_some_and(crate::chars::is_cjk);
        let known = rank_of(word);
        let word = if known.is_some() || han || number.is_empty() { word } else { "" };
        let word = match word {
            "§" => "section",
            "app" => "appendix",
            _ => word,
        };
        let number = number.trim().trim_end_matches('、');
        let value = match number {
            _ if number.starts_with(['(', '（']) => bracket_value(number),
            _ if known.is_some_and(|rank| rank <= Rank::Section) => {
                roman(number).or_else(|| spelled(number)).map(|n| n.to_string())
            }
            _ => None,
        };
        Self { word: word.to_owned(), number: value.unwrap_or_else(|| number.to_owned()) }
    }

    /// Number under which the node is listed; `=word` for a node without a number.
    pub(super) fn lookup(&self) -> Cow<'_, str> {
        if self.number.is_empty() {
            Cow::Owned(format!("={}", self.word))
        } else {
            Cow::Borrowed(&self.number)
        }
    }

    pub(super) fn rank(&self) -> Option<Rank> {
        rank_of(&self.word)
    }
}

/// Number of components: 3 for "3.2.1".
pub(super) fn n_components(number: &str) -> usize {
    number.split('.').count()
}

/// "(三)" as "(3)".
pub(super) fn bracket_value(number: &str) -> Option<String> {
    let inner = number.trim_matches(['(', ')', '（', '）']);
    if inner.is_ascii() { None } else { chinese(inner).map(|n| format!("({n})")) }
}

/// The word of the first part that has one.
pub(super) fn word_of(path: &[String]) -> Option<&'static str> {
    path.iter().find_map(|part| {
        let word = part.split(' ').next()?;
        if word == "§" {
            return Some("section");
        }
        super::words::provision(word).map(|provision| provision.key)
    })
}

impl ProvisionIndex {
    /// The nodes of a document that are listed under a number and a word, within `from..to`.
    pub(super) fn listed(
        &self,
        document: usize,
        number: &str,
        word: &str,
        from: usize,
        to: usize,
    ) -> &[NumberEntry] {
        let start = self.position(document, number, word, from);
        let end = self.position(document, number, word, to);
        self.numbers.slice(start..end.max(start))
    }

    pub(super) fn position(&self, document: usize, number: &str, word: &str, node: usize) -> usize {
        let wanted: EntryKey<'_> = (document, Cow::Borrowed(number), word, node);
        self.numbers.partition_point(|entry| entry.key(&self.nodes) < wanted)
    }

    /// The words that the nodes of a number have.
    pub(super) fn words(&self, document: usize, number: &str) -> Vec<&str> {
        let mut words = Vec::new();
        let mut at = self.position(document, number, "", 0);
        while let Some(entry) = self.numbers.get(at) {
            let (of, listed, word, _) = entry.key(&self.nodes);
            if of != document || listed != number {
                break;
            }
            words.push(word);
            if words.len() == MAX_WORDS {
                break;
            }
            at = self.position(document, number, word, usize::MAX);
        }
        words
    }

    /// Ancestors of a node, itself first.
    pub(super) fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&at| self.nodes.get(at).and_then(|node| node.parent))
            .take(MAX_DEPTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_several_runs_are_listed_in_order() {
        let mut builder = ProvisionIndexBuilder::default();
        for name in ["first", "second"] {
            let document = builder.document(&[name]);
            let root = builder.node(document, None, "");
            for at in 0..2 * RUN {
                let number = at * 7 % 1000;
                let key = [format!("section {number}"), format!("{number}"), "schedule".to_owned()];
                builder.node(document, Some(root), &key[at % 3]);
            }
        }
        let index = builder.build();
        let keys: Vec<EntryKey<'_>> = index.numbers.iter().map(|entry| entry.key(&index.nodes)).collect();
        assert!(keys.is_sorted());
        // Those of a number alone are listed as outermost too, and the roots not at all.
        let n_plain = index.nodes.iter().filter(|node| node.key.word.is_empty()).count() - 2;
        assert_eq!(keys.len(), 4 * RUN + n_plain);
        let listed = index.listed(1, "35", "section", 0, usize::MAX);
        let naive: Vec<usize> = (0..index.nodes.len())
            .filter(|&at| {
                let ProvisionNode { document, key, .. } = &index.nodes[at];
                *document == 1 && key.number == "35" && key.word == "section"
            })
            .collect();
        assert!(!naive.is_empty());
        assert_eq!(listed.iter().map(|entry| entry.node).collect::<Vec<_>>(), naive);
    }
}
