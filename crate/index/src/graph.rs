//! The graph of one document: containment, order and citations between its units.
//!
//! Nodes are units; a section is represented by the unit at its beginning (its article, else its first child). Edges are
//! containment (a unit is above those in the sections under its own), order (units of one kind in reading
//! order), and citation, by the references that the document resolved itself. Citations of other documents are in
//! [`crate::CitationGraph`].
//!
//! Derived from the document on first use, never stored. Linear in units, references and sections.

use std::collections::BTreeMap;

use document::{
    ChunkId, ChunkKind, Document, OrNever as _, Pace, Paced, Section, SectionId, Slice as _, at_once,
};

use crate::lexical::postings::narrow;

/// Maximum units of one relation of a unit.
pub const MAX_NEIGHBOURS: usize = 10;
/// Units of a document whose places are counted.
pub const MAX_PLACE: u16 = 1 << 12;
/// A pass over a unit or section, and the resolution of a citation, in stored bytes decoded in the same time.
pub(crate) const NODE_COST: usize = 50;
const CITATION_COST: usize = 300;

/// A relation between two units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The previous unit of its kind.
    Before,
    /// The next unit of its kind.
    After,
    /// The unit of the enclosing section.
    Above,
    /// Units of the subsections of its own.
    Below,
    /// Units of sibling sections, the nearest first.
    Beside,
    /// Units that it cites.
    Cites,
    /// Units that cite it.
    CitedBy,
}

/// Number of relations.
const RELATIONS: usize = 7;

/// Bits of the number of neighbours of one relation.
const COUNT_BITS: usize = 4;
const _: () = assert!(MAX_NEIGHBOURS < 1 << COUNT_BITS && RELATIONS * COUNT_BITS <= u32::BITS as usize);

/// The relations between the units of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    nodes: Vec<Node>,
    /// Neighbours of all units, one unit's after the other's, and of each in the order of the relations.
    neighbours: Vec<u32>,
    /// By unit the number of those of its kind before it, among the first [`MAX_PLACE`] units.
    places: Vec<u16>,
}

/// Place of a unit's neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    start: u32,
    /// Number of neighbours of each relation, [`COUNT_BITS`] each.
    counts: u32,
}

impl Node {
    /// Number of neighbours of a relation, by its number.
    fn count(self, relation: usize) -> usize {
        (self.counts >> (relation * COUNT_BITS)) as usize & ((1 << COUNT_BITS) - 1)
    }
}

impl Graph {
    pub(crate) fn new(document: &Document, units: &[ChunkId]) -> Self {
        at_once(async |pace| Self::new_paced(document, units, pace).await)
    }

    /// [`Self::new`], step by step.
    pub(crate) fn new_paced<'a>(
        document: &'a Document,
        units: &'a [ChunkId],
        pace: &'a Pace,
    ) -> Paced<'a, Self> {
        Box::pin(Self::build(document, units, pace))
    }

    async fn build(document: &Document, units: &[ChunkId], pace: &Pace) -> Self {
        let cost = (units.len() + document.tree.sections.len()) * NODE_COST;
        let nodes = GraphBuilder::new(document, units);
        pace.spend(cost).await;
        let n = nodes.n;
        let (before, after) = nodes.order();
        let above = nodes.above();
        pace.spend(cost).await;
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (unit, parent) in (0_u32..).zip(&above) {
            if let Some(list) = parent.and_then(|parent| below.get_mut(parent as usize)) {
                list.push(unit);
            }
            pace.spend(NODE_COST).await;
        }
        let beside = nodes.beside(pace).await;
        let (cites, cited_by) = nodes.citations(pace).await;
        let mut graph = Self { nodes: Vec::with_capacity(n), neighbours: Vec::new(), places: nodes.places() };
        for unit in 0..n {
            let [before, after, above] = [&before, &after, &above]
                .map(|list: &Vec<Option<u32>>| list.get(unit).map_or(&[][..], Option::as_slice));
            let [below, beside, cites, cited_by] = [&below, &beside, &cites, &cited_by]
                .map(|lists: &Vec<Vec<u32>>| lists.get(unit).map_or(&[][..], Vec::as_slice));
            graph.push([before, after, above, below, beside, cites, cited_by]);
            pace.spend(NODE_COST * RELATIONS).await;
        }
        graph.neighbours.shrink_to_fit();
        graph
    }

    /// Adds a unit with its neighbours of each relation, of which [`MAX_NEIGHBOURS`] are kept.
    fn push(&mut self, lists: [&[u32]; RELATIONS]) {
        let mut node = Node { start: narrow(self.neighbours.len()), counts: 0 };
        for (relation, list) in lists.into_iter().enumerate() {
            let kept = list.slice(0..list.len().min(MAX_NEIGHBOURS));
            self.neighbours.extend_from_slice(kept);
            node.counts |= narrow(kept.len()) << (relation * COUNT_BITS);
        }
        self.nodes.push(node);
    }

    /// The units in a relation to a unit, at most [`MAX_NEIGHBOURS`].
    pub fn related(&self, unit: u32, relation: Relation) -> &[u32] {
        let Some(&node) = self.nodes.get(unit as usize) else { return &[] };
        let n_before: usize = (0..relation as usize).map(|before| node.count(before)).sum();
        let start = node.start as usize + n_before;
        self.neighbours.slice(start..start + node.count(relation as usize))
    }

    /// Number of units of its kind before a unit, among the first [`MAX_PLACE`] of all; `None` for one that is not there.
    pub fn place(&self, unit: u32) -> Option<u16> {
        self.places.get(unit as usize).copied()
    }
}

/// Units and sections while the graph is built.
struct GraphBuilder<'a> {
    document: &'a Document,
    units: &'a [ChunkId],
    sections: &'a [Section],
    n: usize,
    /// By unit its kind, and the section it lies in.
    kinds: Vec<ChunkKind>,
    homes: Vec<usize>,
    /// By section the unit that represents it.
    representatives: Vec<Option<u32>>,
}

impl<'a> GraphBuilder<'a> {
    fn new(document: &'a Document, units: &'a [ChunkId]) -> Self {
        let sections = document.tree.sections.as_slice();
        let chunks = units.iter().filter_map(|chunk| document.chunks.get(chunk.idx()));
        let (kinds, homes): (Vec<_>, Vec<_>) = chunks.map(|chunk| (chunk.kind, chunk.section.idx())).unzip();
        let mut representatives = vec![None; sections.len()];
        for wanted in [ChunkKind::Article, ChunkKind::Child] {
            for (unit, (&kind, &home)) in (0_u32..).zip(kinds.iter().zip(&homes)) {
                if let Some(representative) = representatives.get_mut(home).filter(|_| kind == wanted) {
                    representative.get_or_insert(unit);
                }
            }
        }
        Self { document, units, sections, n: kinds.len(), kinds, homes, representatives }
    }

    /// The previous and the next unit of the same kind, by unit.
    fn order(&self) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
        let (mut before, mut after) = (vec![None; self.n], vec![None; self.n]);
        let mut last: BTreeMap<ChunkKind, u32> = BTreeMap::new();
        for (unit, &kind) in (0_u32..).zip(&self.kinds) {
            if let Some(previous) = last.insert(kind, unit) {
                if let Some(slot) = before.get_mut(unit as usize) {
                    *slot = Some(previous);
                }
                if let Some(slot) = after.get_mut(previous as usize) {
                    *slot = Some(unit);
                }
            }
        }
        (before, after)
    }

    /// By unit the number of those of its kind before it, among the first [`MAX_PLACE`].
    fn places(&self) -> Vec<u16> {
        let mut counts: BTreeMap<ChunkKind, u16> = BTreeMap::new();
        let place = |(at, kind): (usize, &ChunkKind)| {
            let count = counts.entry(*kind).or_default();
            let place = *count;
            *count += u16::from(at < usize::from(MAX_PLACE));
            place
        };
        self.kinds.iter().enumerate().map(place).collect()
    }

    /// By unit the representative of the nearest enclosing section that has one, other than itself.
    fn above(&self) -> Vec<Option<u32>> {
        // Parents come before their children.
        let mut around: Vec<Option<u32>> = Vec::with_capacity(self.sections.len());
        for section in self.sections {
            let parent = section.parent.map(SectionId::idx);
            let representative = parent.and_then(|parent| {
                self.representatives
                    .get(parent)
                    .copied()
                    .flatten()
                    .or_else(|| around.get(parent).copied().flatten())
            });
            around.push(representative);
        }
        (0_u32..)
            .zip(&self.homes)
            .map(|(unit, &home)| {
                let own = self
                    .representatives
                    .get(home)
                    .copied()
                    .flatten()
                    .filter(|&representative| representative != unit);
                own.filter(|_| self.kinds.get(unit as usize) != Some(&ChunkKind::Article))
                    .or_else(|| around.get(home).copied().flatten())
            })
            .collect()
    }

    /// By unit the units of its kind in sections with the same parent, the nearest first.
    async fn beside(&self, pace: &Pace) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<(usize, ChunkKind), Vec<u32>> = BTreeMap::new();
        let group_of = |home: usize| {
            self.sections.get(home).and_then(|section| section.parent).map_or(home, SectionId::idx)
        };
        for (unit, (&home, &kind)) in (0_u32..).zip(self.homes.iter().zip(&self.kinds)) {
            groups.entry((group_of(home), kind)).or_default().push(unit);
            pace.spend(NODE_COST).await;
        }
        let mut beside = Vec::with_capacity(self.n);
        for (unit, (&home, &kind)) in (0_u32..).zip(self.homes.iter().zip(&self.kinds)) {
            let group = groups.get(&(group_of(home), kind)).map(Vec::as_slice);
            beside.push(nearest(group.or_never("the group of a unit"), unit));
            pace.spend(NODE_COST).await;
        }
        beside
    }

    /// By unit the units that it cites, and those that cite it.
    async fn citations(&self, pace: &Pace) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let (mut cites, mut cited_by) = (vec![Vec::new(); self.n], vec![Vec::new(); self.n]);
        let holders = self.holders();
        pace.spend(self.n * NODE_COST).await;
        for reference in &self.document.tree.references {
            pace.spend(CITATION_COST).await;
            let Some(target) = reference.target.and_then(|section| self.representative_near(section)) else {
                continue;
            };
            for unit in holders_of(&holders, reference.range.start).filter(|&unit| unit != target) {
                push_once(cites.get_mut(unit as usize), target);
                push_once(cited_by.get_mut(target as usize), unit);
            }
        }
        (cites, cited_by)
    }

    /// Ranges with their units by start. Articles are separate, since ranges of one kind do not overlap.
    fn holders(&self) -> Holders {
        let mut holders = [Vec::new(), Vec::new()];
        for (unit, &chunk) in (0_u32..).zip(self.units) {
            let Some(chunk) = self.document.chunks.get(chunk.idx()) else { continue };
            let [articles, others] = &mut holders;
            let list = if chunk.kind == ChunkKind::Article { articles } else { others };
            list.extend(chunk.ranges.iter().map(|range| (range.start, range.end, unit)));
        }
        for list in &mut holders {
            list.sort_unstable();
        }
        holders
    }

    /// The representative of a section: its own, that of its first subsection with one, or that of an enclosing section.
    fn representative_near(&self, section: SectionId) -> Option<u32> {
        let own = |at: usize| self.representatives.get(at).copied().flatten();
        let at = section.idx();
        let level = self.sections.get(at)?.level;
        let inside = (at + 1..self.sections.len())
            .take(64)
            .take_while(|&below| self.sections.get(below).is_some_and(|below| below.level > level))
            .find_map(own);
        let mut up = self.sections.get(at)?.parent;
        let mut around = None;
        for _ in 0..u8::MAX {
            let Some(parent) = up.filter(|_| around.is_none()) else { break };
            around = own(parent.idx());
            up = self.sections.get(parent.idx()).and_then(|section| section.parent);
        }
        own(at).or(inside).or(around)
    }
}

/// Ranges with their units by start: articles, then others.
type Holders = [Vec<(u32, u32, u32)>; 2];

/// The units of an ascending group around one of it, from both sides in turn.
fn nearest(group: &[u32], unit: u32) -> Vec<u32> {
    let at = group.partition_point(|&other| other < unit);
    let (mut left, mut right) = (group.slice(..at).iter().rev(), group.slice(at + 1..).iter());
    let mut list = Vec::with_capacity(MAX_NEIGHBOURS);
    loop {
        let (a, b) = (left.next(), right.next());
        list.extend(a.into_iter().chain(b).copied());
        if list.len() >= MAX_NEIGHBOURS || (a.is_none() && b.is_none()) {
            return list;
        }
    }
}

/// The units that contain a byte of the text.
fn holders_of(holders: &Holders, byte: u32) -> impl Iterator<Item = u32> + '_ {
    holders.iter().filter_map(move |holders| {
        let at = holders.partition_point(|&(start, _, _)| start <= byte);
        let &(_, end, unit) = at.checked_sub(1).and_then(|at| holders.get(at))?;
        (byte < end).then_some(unit)
    })
}

/// Endpoints in one document of edges between documents.
pub(crate) struct EdgeEnds<'a> {
    nodes: GraphBuilder<'a>,
    holders: Holders,
}

impl<'a> EdgeEnds<'a> {
    pub(crate) fn new(document: &'a Document, units: &'a [ChunkId]) -> Self {
        let nodes = GraphBuilder::new(document, units);
        Self { holders: nodes.holders(), nodes }
    }

    /// The units that contain a byte of the text: an article, and its child there.
    pub(crate) fn holders_of(&self, byte: u32) -> impl Iterator<Item = u32> + '_ {
        holders_of(&self.holders, byte)
    }

    /// The representative of a section: its own, that of its first subsection with one, or that of an enclosing section.
    pub(crate) fn representative_near(&self, section: SectionId) -> Option<u32> {
        self.nodes.representative_near(section)
    }
}

fn push_once(list: Option<&mut Vec<u32>>, unit: u32) {
    if let Some(list) = list
        && !list.contains(&unit)
        && list.len() < 4 * MAX_NEIGHBOURS
    {
        list.push(unit);
    }
}

#[cfg(test)]
mod tests {
    use document::{Chunk, Cite, CrossReference, TextRange};
    use text::AnalyzerKind;

    use super::*;
    use crate::Segment;

    /// Part 1 with articles 1 and 2, Part 2 with article 3, which cites article 1. Ten bytes of text each.
    fn segment() -> Segment {
        let section = |parent: Option<u32>, level, start, end| Section {
            parent: parent.map(SectionId),
            level,
            label: None,
            title: String::new(),
            heading: None,
            range: TextRange::new(start, end),
            blocks: Vec::new(),
            is_article: level == 2,
        };
        let article = |section, start| Chunk {
            kind: ChunkKind::Article,
            ranges: vec![TextRange::new(start, start + 10)],
            section: SectionId(section),
            n_tokens: 1,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        let mut document =
            Document { chunks: vec![article(2, 0), article(3, 10), article(5, 20)], ..Document::default() };
        document.layout.text = "x".repeat(30);
        document.tree.sections = vec![
            section(None, 0, 0, 30),
            section(Some(0), 1, 0, 20),
            section(Some(1), 2, 0, 10),
            section(Some(1), 2, 10, 20),
            section(Some(0), 1, 20, 30),
            section(Some(4), 2, 20, 30),
        ];
        document.tree.references = vec![CrossReference {
            range: TextRange::new(22, 25),
            cite: Cite::default(),
            target: Some(SectionId(2)),
        }];
        Segment::new(document, AnalyzerKind::Default)
    }

    #[test]
    fn units_know_what_stands_around_them_and_what_cites_them() {
        let segment = segment();
        assert_eq!(segment.units(), [ChunkId(0), ChunkId(1), ChunkId(2)]);
        let graph = segment.graph();
        let related = |unit, relation| graph.related(unit, relation).to_vec();
        assert_eq!(related(1, Relation::Before), [0]);
        assert_eq!(related(1, Relation::After), [2]);
        assert_eq!(related(0, Relation::Beside), [1]);
        assert!(related(2, Relation::Beside).is_empty());
        assert_eq!(related(2, Relation::Cites), [0]);
        assert_eq!(related(0, Relation::CitedBy), [2]);
        assert!(graph.related(9, Relation::Cites).is_empty());
        assert_eq!([0, 1, 2, 3].map(|unit| graph.place(unit)), [Some(0), Some(1), Some(2), None]);
    }
}
