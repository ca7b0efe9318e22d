//! Resolution of references to the provisions of a document or a library.
//!
//! The first part of the path is looked for in the scopes around the reference, the nearest first, then in the
//! document; what its word is and what the label's word is say how well it fits. The other parts lead down from
//! there as far as the provisions go. So a reference costs some logarithms for each enclosing scope and part of
//! its path, and at most [`MAX_TRIED`] nodes of a number and word are looked at in each.

use document::{OrNever as _, Slice as _};

use super::provision_reference::{ProvisionReference, Scope};
use super::provisions::{LabelKey, OUTERMOST, ProvisionIndex, ProvisionNode, n_components, word_of};
use super::words::rank_of;
use crate::provision::Rank;

/// Most nodes of one number that are looked at in one scope.
const MAX_TRIED: usize = 64;

/// Most provisions between the ends of a range.
const MAX_RANGE: usize = 256;

/// Place of a reference, from which it is resolved.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReferenceContext {
    /// The document, by the number that [`ProvisionIndexBuilder::document`](super::provisions::ProvisionIndexBuilder::document) gave.
    pub document: usize,
    /// The node in whose text it stands.
    pub node: Option<usize>,
    /// The node that the reference before it named.
    pub last: Option<usize>,
}

/// A node that was found, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathMatch {
    node: usize,
    /// True if the first part of the path was found, not something that holds it.
    exact: bool,
    /// True if a plain number was found for one with a word: "3." for "section 3".
    weak: bool,
}

impl ProvisionIndex {
    /// The provision that a reference at `place` names: the innermost that holds it. `None` where it names
    /// nothing that is here. A node of `place` that is not in the index counts as none.
    pub fn resolve(&self, reference: &ProvisionReference, place: ReferenceContext) -> Option<usize> {
        let known = |node: &usize| self.nodes.get(*node).is_some();
        let place =
            ReferenceContext { node: place.node.filter(known), last: place.last.filter(known), ..place };
        if let Some(name) = &reference.instrument {
            let document = self.names.find(place.document, name)?;
            let from = place.node.filter(|_| document == place.document);
            return self
                .resolve_path(document, &reference.path, from, Scope::Document)
                .map(|found| found.node);
        }
        let first = reference.path.first()?;
        match reference.scope {
            _ if first.starts_with('(') => self.resolve_relative(&reference.path, place.node?),
            Scope::Document => {
                let own = self.resolve_path(place.document, &reference.path, place.node, Scope::Document);
                let usual = word_of(&reference.path).and_then(|word| self.usual.get(&(place.document, word)));
                let elsewhere = usual.is_some_and(|usual| usual.first);
                if let Some(found) = own.filter(|found| found.exact && !(elsewhere && found.weak)) {
                    return Some(found.node);
                }
                // Every document has a Part 3: another's is meant only where it is named more often than not.
                let part =
                    word_of(&reference.path).and_then(rank_of).is_some_and(|rank| rank < Rank::Section);
                let usual = usual.filter(|usual| usual.first || !part);
                let documents = usual.map(|usual| usual.documents.as_slice()).unwrap_or_default();
                let other = documents.iter().find_map(|&document| {
                    self.resolve_path(document, &reference.path, None, Scope::Document)
                        .filter(|found| found.exact)
                });
                other.or(own).map(|found| found.node)
            }
            Scope::Own | Scope::Above | Scope::Below => self
                .resolve_path(place.document, &reference.path, place.node, reference.scope)
                .map(|found| found.node),
            Scope::Here => self.resolve_relative(&reference.path, place.node?),
            Scope::Previous | Scope::Next => {
                let own = self.enclosing(place.node?, first)?;
                let node = self.nodes.get(own)?;
                let near = if reference.scope == Scope::Next { node.next } else { node.previous };
                // 前款 where 款 are no provisions of their own: in the same 条.
                let fine = LabelKey::new(first).rank().is_none_or(|rank| rank > Rank::Section);
                let start = if fine && node.key.word != *first && !node.key.number.starts_with('(') {
                    own
                } else {
                    near?
                };
                Some(self.descend(start, reference.path.slice(1..)))
            }
            Scope::That => {
                let start = self.enclosing(place.last?, first)?;
                Some(self.descend(start, reference.path.slice(1..)))
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

    /// A path within a document, as seen from a node of it.
    fn resolve_path(
        &self,
        document: usize,
        path: &[String],
        from: Option<usize>,
        scope: Scope,
    ) -> Option<PathMatch> {
        for (skipped, part) in path.iter().enumerate() {
            let key = LabelKey::new(part);
            let rest = path.slice(skipped + 1..);
            if let Some(start) = self.best_node(document, &key, from, scope) {
                let bare = self.nodes.get(start).is_some_and(|node| node.key.word.is_empty());
                let paragraph = key.rank().is_none_or(|rank| rank > Rank::Section);
                let weak = bare && !paragraph && !key.number.contains('.');
                return Some(PathMatch { node: self.descend(start, rest), exact: skipped == 0, weak });
            }
            // A label that has the brackets in it: "section 7.1(b)" with nothing above.
            let whole: String =
                rest.iter().take_while(|part| part.starts_with('(')).map(String::as_str).collect();
            if !whole.is_empty() {
                let full = LabelKey { word: key.word.clone(), number: format!("{}{whole}", key.number) };
                if let Some(start) = self.best_node(document, &full, from, scope) {
                    return Some(PathMatch { node: start, exact: true, weak: false });
                }
            }
            if let Some(start) = self.holding_provision(document, &key, from, scope) {
                return Some(PathMatch { node: self.descend(start, rest), exact: false, weak: false });
            }
            // "section 12 of Chapter 3" where chapters are no provisions here; not "paragraph 4 of Schedule 2".
            let next = rest.first().and_then(|part| LabelKey::new(part).rank());
            if !(next == Some(Rank::Section) && key.rank().is_some_and(|rank| rank > Rank::Schedule)) {
                return None;
            }
        }
        None
    }

    /// The provision that holds one that is not here: "4.2" for "4.2.1", "3.2.1" for "3.2.1R".
    fn holding_provision(
        &self,
        document: usize,
        key: &LabelKey,
        from: Option<usize>,
        scope: Scope,
    ) -> Option<usize> {
        let mut number = key.number.as_str();
        if number.contains('.') && number.ends_with(|c: char| c.is_ascii_lowercase()) {
            number = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
            let plain = LabelKey { word: key.word.clone(), number: number.to_owned() };
            if let Some(found) = self.best_node(document, &plain, from, scope) {
                return Some(found);
            }
        }
        // "3.2.1" where the label is "3.2.1R".
        if number.contains('.') && number.ends_with(|c: char| c.is_ascii_digit()) {
            for letter in ["r", "g", "e", "d"] {
                let lettered = LabelKey { word: key.word.clone(), number: format!("{number}{letter}") };
                if let Some(found) = self.best_node(document, &lettered, from, scope) {
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
                let other = LabelKey { word: key.word.clone(), number: other.to_owned() };
                if let Some(found) = self.best_node(document, &other, from, scope) {
                    return Some(found);
                }
            }
        }
        if unlettered != number && key.rank() == Some(Rank::Schedule) {
            number = unlettered;
        }
        // "1.541-1" is no part of 1.
        let (outer, _) = number.rsplit_once('.').filter(|_| !number.contains('-'))?;
        let outer = LabelKey { word: key.word.clone(), number: outer.to_owned() };
        let found = self.best_node(document, &outer, from, scope)?;
        // A section 7.1 lies in an Article 7; a rule 2.7 need not lie in whatever is called 2.
        let worded = self.nodes.get(found).is_some_and(|node| node.key.rank() >= Some(Rank::Schedule));
        (outer.number.contains('.') || worded).then_some(found)
    }

    /// The node of a key: in the nearest scope around `from`, of the word that fits best.
    fn best_node(&self, document: usize, key: &LabelKey, from: Option<usize>, scope: Scope) -> Option<usize> {
        let inside = from.filter(|&from| self.nodes.get(from).is_some_and(|node| node.document == document));
        let scopes = inside.into_iter().flat_map(|from| self.ancestors(from)).map(|at| {
            let end = self.nodes.get(at).map(|node| node.end).or_never("a node of a scope");
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
                    let n = rows.partition_point(|row| row.node < from);
                    rows = rows.slice(n.saturating_sub(MAX_TRIED)..n);
                }
                if let (Scope::Below, Some(from)) = (scope, inside) {
                    let n = rows.partition_point(|row| row.node <= from);
                    rows = rows.slice(n..);
                }
                let fits = rows.iter().take(MAX_TRIED).filter_map(|row| {
                    let node = self.nodes.get(row.node)?;
                    Some((self.word_fit(key, node, inside)?, node.depth, row.node))
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

    /// Score from 1 to 4 of a node whose number is right, by its word; `None` if it is another provision.
    fn word_fit(&self, cited: &LabelKey, node: &ProvisionNode, from: Option<usize>) -> Option<u8> {
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
            let key = LabelKey::new(part);
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

    /// The shallowest node under `at` that bears a number; with `direct`, and where a container is cited and it
    /// has no word, only a child.
    fn child(&self, at: usize, key: &LabelKey, number: &str, direct: bool) -> Option<usize> {
        let node = self.nodes.get(at)?;
        self.words(node.document, number)
            .into_iter()
            .flat_map(|word| {
                self.listed(node.document, number, word, at + 1, node.end).iter().take(MAX_TRIED)
            })
            .filter_map(|row| Some((self.nodes.get(row.node)?, row.node)))
            .filter(|(node, _)| {
                let other = &node.key.word;
                // Brackets of something deeper are not those of the provision.
                let wordless = number.starts_with('(')
                    || other.is_empty() && key.rank().is_some_and(|rank| rank < Rank::Section);
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
    fn resolve_relative(&self, path: &[String], from: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let key = LabelKey::new(first);
        if key.number.is_empty() {
            let Some(start) = self.enclosing(from, first) else {
                // "section 7 of this title", where the whole document is the title.
                let document = self.nodes.get(from)?.document;
                return self.resolve_path(document, rest, Some(from), Scope::Own).map(|found| found.node);
            };
            return Some(self.descend(start, rest));
        }
        // Brackets of another kind than one's own are deeper; the nearest scope that has them is meant.
        for at in self.ancestors(from) {
            let Some(node) = self.nodes.get(at) else { break };
            let own = self
                .listed(node.document, &key.number, "", at + 1, node.end)
                .iter()
                .take(MAX_TRIED)
                .find(|row| self.nodes.get(row.node).is_some_and(|child| child.parent == Some(at)));
            if let Some(row) = own {
                return Some(self.descend(row.node, rest));
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
            self.ancestors(from).find(|&at| self.nodes.get(at).is_some_and(|node| node.key.word == word))
        {
            return Some(found);
        }
        // Where rules are 3.2.1 and sections 3.2, "this section" is the one with two components.
        let document = self.nodes.get(from)?.document;
        let usual = self.components.get(&(document, word.to_owned())).map(|&(n, _)| n);
        let plain = |node: &ProvisionNode| {
            node.key.word.is_empty() && !node.key.number.starts_with('(') && !node.key.number.is_empty()
        };
        let same = self.ancestors(from).find(|&at| {
            self.nodes
                .get(at)
                .is_some_and(|node| plain(node) && usual == Some(n_components(&node.key.number)))
        });
        match rank {
            Some(rank) if rank < Rank::Section => None,
            Some(Rank::Section) if same.is_some() => same,
            Some(Rank::Section) => self.ancestors(from).find(|&at| {
                self.nodes.get(at).is_some_and(|node| node.key.rank() == Some(Rank::Section) || plain(node))
            }),
            _ => Some(from),
        }
    }
}
