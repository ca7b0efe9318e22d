//! Which provision a citation names, among those of a document or a library.
//!
//! Provisions are the nodes of one tree a document, in its order, each with the key of its label. A sorted
//! list of (document, number, node) answers "which nodes bear this number within that subtree" with two
//! binary searches, since a subtree is a run of nodes. So a citation costs some logarithms for each enclosing
//! scope and part of its path, and at most [`MAX_TRIED`] nodes are looked at in each.

use std::collections::BTreeMap;

use super::names::Names;
use super::words::{Rank, rank_of};
use super::{Citation, Scope};
use crate::numerals::{chinese, roman, spelled};

/// Most nodes of one number that are looked at in one scope.
const MAX_TRIED: usize = 64;
/// Most scopes that are climbed.
const MAX_DEPTH: usize = 64;
/// Most provisions between the ends of a range.
const MAX_RANGE: usize = 256;
/// Most words that nodes of one number have.
const MAX_WORDS: usize = 24;
/// The word under which plain numbers of outermost provisions are listed too: "3." may be Chapter 3.
const OUTERMOST: &str = "#";
/// Most other documents that are asked for a provision that the document at hand lacks.
const MAX_USUAL: usize = 2;

/// Where a citation stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// The document, by the number that [`Builder::document`] gave.
    pub document: usize,
    /// The node in whose text it stands.
    pub node: Option<usize>,
    /// What the citation before it named.
    pub last: Option<usize>,
}

/// The provisions of documents, being collected.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    names: Vec<Vec<String>>,
    definitions: Vec<(usize, String, String)>,
    named: Vec<(usize, &'static str, Option<String>)>,
    nodes: Vec<Node>,
}

/// A provision.
#[derive(Clone, Debug)]
struct Node {
    document: usize,
    parent: Option<usize>,
    /// One past its last descendant.
    end: usize,
    depth: usize,
    previous: Option<usize>,
    next: Option<usize>,
    key: Key,
    /// Whether it lies in a schedule.
    scheduled: bool,
}

/// The last part of a label's key: its word, and its number in one form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Key {
    word: String,
    number: String,
}

/// The provisions of documents, to be asked.
#[derive(Clone, Debug, Default)]
pub struct Index {
    nodes: Vec<Node>,
    /// (document, number, word, node), sorted.
    numbers: Vec<Row>,
    names: Names,
    /// The word, if any, that a document uses for its outermost numbers, and how often.
    container: BTreeMap<usize, (usize, &'static str)>,
    /// By document and word.
    usual: BTreeMap<(usize, &'static str), Usual>,
}

/// A node listed by its number and word.
type Row = (usize, String, String, usize);

/// What a document usually means by a word ("section") without a name.
#[derive(Clone, Debug)]
struct Usual {
    /// The documents that it names most often with the word, the most frequent first.
    documents: Vec<usize>,
    /// Whether it names the first at least as often as none: a guidance on an Act, not an Act.
    first: bool,
}

impl Builder {
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
        let key = Key::last(key);
        let scheduled =
            above.is_some_and(|parent| parent.scheduled) || rank_of(&key.word) == Some(Rank::Schedule);
        self.nodes.push(Node {
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

    /// Says that `document` calls `long` by the name `short`; either may be known, the other is learnt.
    pub fn define(&mut self, document: usize, short: &str, long: &str) {
        self.definitions.push((document, short.to_owned(), long.to_owned()));
    }

    /// Shows a citation of `document`: what it usually means by "section" without a name is learnt from those
    /// with one.
    pub fn observe(&mut self, document: usize, citation: &Citation) {
        if citation.scope == Scope::Document
            && let Some(word) = word_of(&citation.path)
        {
            self.named.push((document, word, citation.instrument.clone()));
        }
    }

    /// The index.
    pub fn build(self) -> Index {
        let mut names = Names::default();
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
        let mut counts: BTreeMap<(usize, &'static str), (BTreeMap<usize, usize>, usize)> = BTreeMap::new();
        for (document, word, name) in &self.named {
            let (others, plain) = counts.entry((*document, word)).or_default();
            match name {
                Some(name) => {
                    if let Some(meant) = names.find(*document, name).filter(|meant| meant != document) {
                        *others.entry(meant).or_default() += 1;
                    }
                }
                None => *plain += 1,
            }
        }
        // What a document calls its outermost numbers, if it says so.
        let mut container: BTreeMap<usize, (usize, &'static str)> = BTreeMap::new();
        for ((document, word), (_, plain)) in &counts {
            let outer = rank_of(word).is_some_and(|rank| rank > Rank::Schedule && rank < Rank::Section);
            let known = container.get(document).map_or(0, |&(n, _)| n);
            if outer && *plain > known {
                container.insert(*document, (*plain, word));
            }
        }
        let usual = counts
            .into_iter()
            .filter(|(_, (others, _))| !others.is_empty())
            .map(|(key, (others, plain))| {
                let mut order: Vec<(usize, usize)> = others.into_iter().map(|(d, n)| (n, d)).collect();
                order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
                let first = order.first().map_or(0, |&(n, _)| n) >= plain;
                let documents = order.into_iter().take(MAX_USUAL).map(|(_, document)| document).collect();
                (key, Usual { documents, first })
            })
            .collect();
        let mut nodes = self.nodes;
        link(&mut nodes);
        let mut numbers: Vec<Row> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            if node.key.number.is_empty() && node.key.word.is_empty() {
                continue;
            }
            numbers.push((node.document, node.key.lookup(), node.key.word.clone(), at));
            if node.key.word.is_empty() && is_outermost(&nodes, node) {
                numbers.push((node.document, node.key.lookup(), OUTERMOST.to_owned(), at));
            }
        }
        numbers.sort();
        Index { nodes, numbers, names, usual, container }
    }
}

/// Sets the ends of subtrees and the neighbours among siblings.
fn link(nodes: &mut [Node]) {
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

/// Whether a node lies in nothing, or only in what is outer by its word.
fn is_outermost(nodes: &[Node], node: &Node) -> bool {
    match node.parent.and_then(|parent| nodes.get(parent)) {
        None => true,
        Some(above) => above.parent.is_none() || above.key.rank().is_some_and(|rank| rank < Rank::Section),
    }
}

impl Key {
    /// The last part of a label's key.
    fn last(key: &str) -> Self {
        let key = key.trim();
        // "section 7.1(b)" under section 7.1 is found by its bracket; the whole is kept where it is not under it.
        Self::new(key)
    }

    fn new(part: &str) -> Self {
        let (word, number) = match part.split_once(' ') {
            Some((word, number)) if !word.starts_with(|c: char| c.is_ascii_digit() || c == '(') => {
                (word, number)
            }
            None if !part.is_empty() && part.chars().all(char::is_alphabetic) && part.len() > 3 => (part, ""),
            _ => ("", part),
        };
        // "cobs 3.2.1r": an acronym is no word of a provision.
        let han = word.chars().next().is_some_and(crate::is_cjk);
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

    /// What the node is listed under.
    fn lookup(&self) -> String {
        if self.number.is_empty() { format!("={}", self.word) } else { self.number.clone() }
    }

    fn rank(&self) -> Option<Rank> {
        rank_of(&self.word)
    }
}

/// "(三)" as "(3)".
fn bracket_value(number: &str) -> Option<String> {
    let inner = number.trim_matches(['(', ')', '（', '）']);
    if inner.is_ascii() { None } else { chinese(inner).map(|n| format!("({n})")) }
}

/// The word of the first part that has one.
fn word_of(path: &[String]) -> Option<&'static str> {
    path.iter().find_map(|part| {
        let word = part.split(' ').next()?;
        if word == "§" {
            return Some("section");
        }
        super::words::provision(word).map(|provision| provision.key)
    })
}

/// A node that was found, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    node: usize,
    /// Whether the first part of the path was found, not something that holds it.
    exact: bool,
    /// Whether a plain number was found for one with a word: "3." for "section 3".
    weak: bool,
}

impl Index {
    /// The provision that a citation at `place` names: the innermost that holds it. `None` where it names
    /// nothing that is here.
    pub fn resolve(&self, citation: &Citation, place: Place) -> Option<usize> {
        if let Some(name) = &citation.instrument {
            let document = self.names.find(place.document, name)?;
            let from = place.node.filter(|_| document == place.document);
            return self.within(document, &citation.path, from, Scope::Document).map(|found| found.node);
        }
        let first = citation.path.first()?;
        match citation.scope {
            Scope::Document if first.starts_with('(') => self.here(&citation.path, place.node?),
            Scope::Document => {
                let own = self.within(place.document, &citation.path, place.node, Scope::Document);
                let usual = word_of(&citation.path).and_then(|word| self.usual.get(&(place.document, word)));
                let elsewhere = usual.is_some_and(|usual| usual.first);
                if let Some(found) = own.filter(|found| found.exact && !(elsewhere && found.weak)) {
                    return Some(found.node);
                }
                let documents = usual.map(|usual| usual.documents.as_slice()).unwrap_or_default();
                let other = documents.iter().find_map(|&document| {
                    self.within(document, &citation.path, None, Scope::Document).filter(|found| found.exact)
                });
                other.or(own).map(|found| found.node)
            }
            Scope::Own | Scope::Above | Scope::Below => self
                .within(place.document, &citation.path, place.node, citation.scope)
                .map(|found| found.node),
            Scope::Here => self.here(&citation.path, place.node?),
            Scope::Previous | Scope::Next => {
                let own = self.enclosing(place.node?, first)?;
                let node = self.nodes.get(own)?;
                let near = if citation.scope == Scope::Next { node.next } else { node.previous };
                // 前款 where 款 are no provisions of their own: in the same 条.
                let fine = Key::new(first).rank().is_none_or(|rank| rank > Rank::Section);
                let start = if fine && node.key.word != *first && !node.key.number.starts_with('(') {
                    own
                } else {
                    near?
                };
                Some(self.descend(start, citation.path.get(1..).unwrap_or_default()))
            }
            Scope::That => {
                let start = self.enclosing(place.last?, first)?;
                Some(self.descend(start, citation.path.get(1..).unwrap_or_default()))
            }
        }
    }

    /// The provisions from `first` to `last`, both of which a range names: themselves and their siblings
    /// between them.
    pub fn between(&self, first: usize, last: usize) -> Vec<usize> {
        let parent = |node: usize| self.nodes.get(node).map(|node| (node.document, node.parent));
        let mut all = vec![first];
        if first >= last || parent(first) != parent(last) {
            all.push(last);
            return all;
        }
        let mut at = first;
        while let Some(next) = self.nodes.get(at).and_then(|node| node.next) {
            if next > last || all.len() > MAX_RANGE {
                break;
            }
            all.push(next);
            at = next;
        }
        all
    }

    /// The document that a name means where `document` says it.
    pub fn document_of(&self, document: usize, name: &str) -> Option<usize> {
        self.names.find(document, name)
    }

    /// The document of a node.
    pub fn document(&self, node: usize) -> Option<usize> {
        self.nodes.get(node).map(|node| node.document)
    }

    /// The nodes of a document that are listed under a number and a word, within `from..to`.
    fn listed(&self, document: usize, number: &str, word: &str, from: usize, to: usize) -> &[Row] {
        let start = self.position(document, number, word, from);
        let end = self.position(document, number, word, to);
        self.numbers.get(start..end.max(start)).unwrap_or_default()
    }

    fn position(&self, document: usize, number: &str, word: &str, node: usize) -> usize {
        self.numbers.partition_point(|row| {
            (row.0, row.1.as_str(), row.2.as_str(), row.3).cmp(&(document, number, word, node)).is_lt()
        })
    }

    /// The words that the nodes of a number have.
    fn words(&self, document: usize, number: &str) -> Vec<&str> {
        let mut words = Vec::new();
        let mut at = self.position(document, number, "", 0);
        while let Some(row) = self.numbers.get(at).filter(|row| row.0 == document && row.1 == number) {
            words.push(row.2.as_str());
            if words.len() == MAX_WORDS {
                break;
            }
            at = self.position(document, number, &row.2, usize::MAX);
        }
        words
    }

    /// Ancestors of a node, itself first.
    fn up(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&at| self.nodes.get(at).and_then(|node| node.parent))
            .take(MAX_DEPTH)
    }

    /// A path within a document, as seen from a node of it.
    fn within(&self, document: usize, path: &[String], from: Option<usize>, scope: Scope) -> Option<Found> {
        for (skipped, part) in path.iter().enumerate() {
            let key = Key::new(part);
            let rest = path.get(skipped + 1..).unwrap_or_default();
            if let Some(start) = self.best(document, &key, from, scope) {
                let bare = self.nodes.get(start).is_some_and(|node| node.key.word.is_empty());
                let paragraph = key.rank().is_none_or(|rank| rank > Rank::Section);
                let weak = bare && !paragraph && !key.number.contains('.');
                return Some(Found { node: self.descend(start, rest), exact: skipped == 0, weak });
            }
            // A label that has the brackets in it: "section 7.1(b)" with nothing above.
            let whole: String =
                rest.iter().take_while(|part| part.starts_with('(')).map(String::as_str).collect();
            if !whole.is_empty() {
                let full = Key { word: key.word.clone(), number: format!("{}{whole}", key.number) };
                if let Some(start) = self.best(document, &full, from, scope) {
                    return Some(Found { node: start, exact: true, weak: false });
                }
            }
            if let Some(start) = self.coarser(document, &key, from, scope) {
                return Some(Found { node: self.descend(start, rest), exact: false, weak: false });
            }
            // "section 12 of Chapter 3" where chapters are no provisions here; not "paragraph 4 of Schedule 2".
            let next = rest.first().and_then(|part| Key::new(part).rank());
            if !(next == Some(Rank::Section) && key.rank().is_some_and(|rank| rank > Rank::Schedule)) {
                return None;
            }
        }
        None
    }

    /// The provision that holds one that is not here: "4.2" for "4.2.1", "3.2.1" for "3.2.1R".
    fn coarser(&self, document: usize, key: &Key, from: Option<usize>, scope: Scope) -> Option<usize> {
        let mut number = key.number.as_str();
        if number.contains('.') && number.ends_with(|c: char| c.is_ascii_lowercase()) {
            number = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
            let plain = Key { word: key.word.clone(), number: number.to_owned() };
            if let Some(found) = self.best(document, &plain, from, scope) {
                return Some(found);
            }
        }
        // "3.2.1" where the label is "3.2.1R".
        if number.contains('.') && number.ends_with(|c: char| c.is_ascii_digit()) {
            for letter in ["r", "g", "e", "d"] {
                let lettered = Key { word: key.word.clone(), number: format!("{number}{letter}") };
                if let Some(found) = self.best(document, &lettered, from, scope) {
                    return Some(found);
                }
            }
        }
        // "15.11.A.1" where the label is "15.11A.1".
        let joined: String = number
            .split('.')
            .enumerate()
            .map(|(n, part)| {
                if n == 0 || part.chars().all(char::is_alphabetic) {
                    part.to_owned()
                } else {
                    format!(".{part}")
                }
            })
            .collect();
        // "Appendix A1.3" where the label is "Appendix 1".
        let unlettered = number.trim_start_matches(|c: char| c.is_ascii_lowercase());
        for other in [joined.as_str(), if key.rank() == Some(Rank::Schedule) { unlettered } else { number }] {
            if other != number && !other.is_empty() {
                let other = Key { word: key.word.clone(), number: other.to_owned() };
                if let Some(found) = self.best(document, &other, from, scope) {
                    return Some(found);
                }
            }
        }
        if unlettered != number && key.rank() == Some(Rank::Schedule) {
            number = unlettered;
        }
        while let Some((outer, _)) = number.rsplit_once('.') {
            number = outer;
            let outer = Key { word: key.word.clone(), number: number.to_owned() };
            if let Some(found) = self.best(document, &outer, from, scope) {
                return Some(found);
            }
        }
        None
    }

    /// The node of a key: in the nearest scope around `from`, of the word that fits best.
    fn best(&self, document: usize, key: &Key, from: Option<usize>, scope: Scope) -> Option<usize> {
        let inside = from.filter(|&from| self.nodes.get(from).is_some_and(|node| node.document == document));
        let scopes = inside.into_iter().flat_map(|from| self.up(from)).map(|at| {
            let end = self.nodes.get(at).map_or(at, |node| node.end);
            (at, end)
        });
        let number = key.lookup();
        let container = key.rank().is_some_and(|rank| rank < Rank::Section);
        let words: Vec<&str> = self
            .words(document, &number)
            .into_iter()
            .filter(|&word| if container { !word.is_empty() } else { word != OUTERMOST })
            .collect();
        let mut best: Option<(u8, usize)> = None;
        for (start, end) in scopes.chain([(0, usize::MAX)]) {
            for word in &words {
                let mut rows = self.listed(document, &number, word, start, end);
                if let (Scope::Above, Some(from)) = (scope, inside) {
                    let n = rows.partition_point(|row| row.3 < from);
                    rows = rows.get(n.saturating_sub(MAX_TRIED)..n).unwrap_or_default();
                }
                if let (Scope::Below, Some(from)) = (scope, inside) {
                    let n = rows.partition_point(|row| row.3 <= from);
                    rows = rows.get(n..).unwrap_or_default();
                }
                let fits = rows.iter().take(MAX_TRIED).filter_map(|row| {
                    let node = self.nodes.get(row.3)?;
                    Some((self.fit(key, node, inside)?, node.depth, row.3))
                });
                // Of those that fit alike the outermost, and of these the first; looking up, the last.
                let here = fits.max_by_key(|&(fit, depth, node)| {
                    let order = if scope == Scope::Above { node } else { usize::MAX - node };
                    (fit, usize::MAX - depth, order)
                });
                if let Some((fit, _, node)) = here
                    && best.is_none_or(|(known, _)| fit > known)
                {
                    best = Some((fit, node));
                }
            }
            if best.is_some_and(|(fit, _)| fit >= 3) {
                break;
            }
        }
        best.map(|(_, node)| node)
    }

    /// How well a node of the right number fits a cited word; `None` where it is something else.
    fn fit(&self, cited: &Key, node: &Node, from: Option<usize>) -> Option<u8> {
        let from = from.and_then(|from| self.nodes.get(from));
        let out = from.is_some_and(|from| !from.scheduled) && node.scheduled;
        if cited.word == node.key.word {
            return Some(if out && cited.rank() >= Some(Rank::Section) { 3 } else { 4 });
        }
        let dotted = cited.number.contains('.');
        if cited.word.is_empty() {
            return Some(2);
        }
        let rank = cited.rank();
        if node.key.word.is_empty() {
            return match rank {
                None => Some(2),
                Some(Rank::Schedule) => None,
                Some(rank) if rank < Rank::Section => {
                    let other =
                        self.container.get(&node.document).is_some_and(|&(_, word)| word != cited.word);
                    (!other && !dotted).then_some(1)
                }
                // Paragraphs number schedules, sections the Act.
                Some(Rank::Section) if node.scheduled && !dotted => Some(1),
                Some(_) => Some(3),
            };
        }
        match (rank, node.key.rank()) {
            (Some(Rank::Section), Some(Rank::Section)) if dotted => Some(2),
            (Some(Rank::Section | Rank::Chapter), Some(Rank::Section | Rank::Chapter | Rank::Part))
                if dotted =>
            {
                Some(1)
            }
            (Some(Rank::Paragraph), Some(Rank::Subparagraph | Rank::Item)) => Some(1),
            _ => None,
        }
    }

    /// From a node down a path as far as it goes.
    fn descend(&self, start: usize, path: &[String]) -> usize {
        let mut at = start;
        for part in path {
            let key = Key::new(part);
            let bare = key.number.trim_matches(['(', ')']);
            let forms = if key.number.starts_with('(') {
                [key.number.clone(), bare.to_owned()]
            } else {
                [key.number.clone(), format!("({bare})")]
            };
            let [same, other] = &forms;
            let next = self.child(at, &key, same, false).or_else(|| self.child(at, &key, other, true));
            let Some(next) = next else { break };
            at = next;
        }
        at
    }

    /// The shallowest node under `at` that bears a number; with `direct`, and where it has no word for the one
    /// that is cited, only a child.
    fn child(&self, at: usize, key: &Key, number: &str, direct: bool) -> Option<usize> {
        let node = self.nodes.get(at)?;
        self.words(node.document, number)
            .into_iter()
            .flat_map(|word| {
                self.listed(node.document, number, word, at + 1, node.end).iter().take(MAX_TRIED)
            })
            .filter_map(|row| Some((self.nodes.get(row.3)?, row.3)))
            .filter(|(node, _)| {
                let other = &node.key.word;
                let wordless = other.is_empty() && !key.word.is_empty() && key.rank() != Some(Rank::Section);
                (key.word.is_empty()
                    || other.is_empty()
                    || *other == key.word
                    || key.rank() > Some(Rank::Section))
                    && (!(direct || wordless) || node.parent == Some(at))
            })
            .min_by_key(|(node, at)| (node.depth, *at))
            .map(|(_, at)| at)
    }

    /// A relative path: "paragraph (b)" where it stands, "paragraph 2 of this Schedule".
    fn here(&self, path: &[String], from: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let key = Key::new(first);
        if key.number.is_empty() {
            let start = self.enclosing(from, first)?;
            return Some(self.descend(start, rest));
        }
        // Brackets of another kind than one's own are deeper; the nearest scope that has them is meant.
        for at in self.up(from) {
            let Some(node) = self.nodes.get(at) else { break };
            let own = self
                .listed(node.document, &key.number, "", at + 1, node.end)
                .iter()
                .take(MAX_TRIED)
                .find(|row| self.nodes.get(row.3).is_some_and(|child| child.parent == Some(at)));
            if let Some(row) = own {
                return Some(self.descend(row.3, rest));
            }
            if !node.key.number.starts_with('(') && !node.key.number.is_empty() {
                break;
            }
        }
        Some(from)
    }

    /// The provision of a word around a node: itself, or one above it.
    fn enclosing(&self, from: usize, word: &str) -> Option<usize> {
        let rank = rank_of(word);
        if let Some(found) =
            self.up(from).find(|&at| self.nodes.get(at).is_some_and(|node| node.key.word == word))
        {
            return Some(found);
        }
        match rank {
            Some(rank) if rank < Rank::Section => None,
            Some(Rank::Section) => self.up(from).find(|&at| {
                self.nodes.get(at).is_some_and(|node| {
                    node.key.rank() == Some(Rank::Section)
                        || node.key.word.is_empty()
                            && !node.key.number.starts_with('(')
                            && !node.key.number.is_empty()
                })
            }),
            _ => Some(from),
        }
    }
}
