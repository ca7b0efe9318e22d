//! The regulatory graph of one document: which units stand beside, above and below each other, and which cite
//! which.
//!
//! Nodes are units; a section speaks through the unit that begins it (its article, else its first child). Edges
//! are containment (a unit is above those in the sections under its own), order (units of one kind in reading
//! order), and citation, by the references that the document resolved itself. Static figures of a node are taken
//! over containment and citation: degree, PageRank (Brin and Page, 1998), HITS authority over citations
//! (Kleinberg, 1999). Citations of other documents are edges of a snapshot: [`crate::Citations`].
//!
//! Derived from the document when it is first asked for, never stored. Linear in units, references and
//! sections.

use std::collections::BTreeMap;

use document::{ChunkKind, Document, Section, SectionId};

use crate::segment::Segment;

/// The most units that one relation of a unit lists.
pub const MAX_NEIGHBOURS: usize = 10;
/// PageRank's probability of following an edge.
const DAMPING: f64 = 0.85;
/// Rounds of PageRank and HITS; far below what changes a rank.
const N_ROUNDS: usize = 20;

/// How a unit stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The unit of its kind before it.
    Before,
    /// The unit of its kind after it.
    After,
    /// The unit of the section around its own.
    Above,
    /// Units of the sections directly under its own.
    Below,
    /// Units that stand under the same one, the nearest first.
    Beside,
    /// Units that it cites.
    Cites,
    /// Units that cite it.
    CitedBy,
}

/// All relations, in the order of [`Graph`]'s lists.
const RELATIONS: usize = 7;

/// The relations and the static figures of the units of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    lists: [Lists; RELATIONS],
    depths: Vec<u8>,
    degrees: Vec<u32>,
    page_ranks: Vec<f32>,
    authorities: Vec<f32>,
}

/// Lists of units by unit, in one array.
#[derive(Clone, Debug, Default, PartialEq)]
struct Lists {
    ends: Vec<u32>,
    units: Vec<u32>,
}

impl Lists {
    fn of(lists: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let mut flat = Self::default();
        for mut list in lists {
            list.truncate(MAX_NEIGHBOURS);
            flat.units.extend(list);
            flat.ends.push(crate::lexical::postings::narrow(flat.units.len()));
        }
        flat
    }

    fn get(&self, unit: u32) -> &[u32] {
        let at = unit as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        let end = self.ends.get(at).map_or(start, |&end| end as usize);
        self.units.get(start..end).unwrap_or_default()
    }
}

impl Graph {
    pub(crate) fn of(segment: &Segment) -> Self {
        let nodes = Nodes::new(segment);
        let n = nodes.n;
        let (before, after) = nodes.order();
        let above = nodes.above();
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (unit, parent) in (0_u32..).zip(&above) {
            if let Some(list) = parent.and_then(|parent| below.get_mut(parent as usize)) {
                list.push(unit);
            }
        }
        let beside = nodes.beside();
        let (cites, cited_by) = nodes.citations(segment.document());
        let one = |list: &[Option<u32>]| Lists::of(list.iter().map(|unit| unit.iter().copied().collect()));
        let degrees = (0..n)
            .map(|at| {
                let many = [&below, &cites, &cited_by]
                    .iter()
                    .map(|lists| lists.get(at).map_or(0, Vec::len))
                    .sum::<usize>();
                let up = usize::from(above.get(at).is_some_and(Option::is_some));
                crate::lexical::postings::narrow(many + up)
            })
            .collect();
        let edges: Vec<Vec<u32>> = below
            .iter()
            .zip(&cites)
            .map(|(below, cites)| below.iter().chain(cites).copied().collect())
            .collect();
        Self {
            page_ranks: page_rank(&edges),
            authorities: authority(&cites),
            degrees,
            depths: nodes.depths(),
            lists: [
                one(&before),
                one(&after),
                one(&above),
                Lists::of(below),
                Lists::of(beside),
                Lists::of(cites),
                Lists::of(cited_by),
            ],
        }
    }

    /// The units that stand so to a unit; at most [`MAX_NEIGHBOURS`], the nearest in reading order first where
    /// there are more.
    pub fn related(&self, unit: u32, relation: Relation) -> &[u32] {
        self.lists.get(relation as usize).map_or(&[], |lists| lists.get(unit))
    }

    /// How many sections a unit lies in.
    pub fn depth(&self, unit: u32) -> u8 {
        self.depths.get(unit as usize).copied().unwrap_or(0)
    }

    /// Edges of a unit, in and out.
    pub fn degree(&self, unit: u32) -> u32 {
        self.degrees.get(unit as usize).copied().unwrap_or(0)
    }

    /// PageRank of a unit times the number of units: 1 is the mean.
    pub fn page_rank(&self, unit: u32) -> f32 {
        self.page_ranks.get(unit as usize).copied().unwrap_or(0.0)
    }

    /// HITS authority of a unit over citations, 0 to 1.
    pub fn authority(&self, unit: u32) -> f32 {
        self.authorities.get(unit as usize).copied().unwrap_or(0.0)
    }
}

/// What is known of each unit while the graph is made.
struct Nodes<'a> {
    segment: &'a Segment,
    sections: &'a [Section],
    n: usize,
    /// By unit.
    kinds: Vec<ChunkKind>,
    homes: Vec<usize>,
    /// By section, the unit that speaks for it.
    speakers: Vec<Option<u32>>,
}

impl<'a> Nodes<'a> {
    fn new(segment: &'a Segment) -> Self {
        let sections = segment.document().tree.sections.as_slice();
        let chunks = segment.units().iter().filter_map(|&chunk| segment.chunk(chunk));
        let (kinds, homes): (Vec<_>, Vec<_>) = chunks.map(|chunk| (chunk.kind, chunk.section.idx())).unzip();
        let mut speakers = vec![None; sections.len()];
        for wanted in [ChunkKind::Article, ChunkKind::Child] {
            for (unit, (&kind, &home)) in (0_u32..).zip(kinds.iter().zip(&homes)) {
                if let Some(speaker) = speakers.get_mut(home).filter(|_| kind == wanted) {
                    speaker.get_or_insert(unit);
                }
            }
        }
        Self { segment, sections, n: kinds.len(), kinds, homes, speakers }
    }

    /// The units before and after each, among those of its kind.
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

    /// The speaker of the nearest section around each unit's that has one, other than itself.
    fn above(&self) -> Vec<Option<u32>> {
        // Parents come before their children: what stands above a section is known when it is reached.
        let mut around: Vec<Option<u32>> = Vec::with_capacity(self.sections.len());
        for section in self.sections {
            let parent = section.parent.map(SectionId::idx);
            let speaker = parent.and_then(|parent| {
                self.speakers.get(parent).copied().flatten().or_else(|| around.get(parent).copied().flatten())
            });
            around.push(speaker);
        }
        (0_u32..)
            .zip(&self.homes)
            .map(|(unit, &home)| {
                let own = self.speakers.get(home).copied().flatten().filter(|&speaker| speaker != unit);
                own.filter(|_| self.kinds.get(unit as usize) != Some(&ChunkKind::Article))
                    .or_else(|| around.get(home).copied().flatten())
            })
            .collect()
    }

    /// The units of the same kind whose sections have the same parent, the nearest first.
    fn beside(&self) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<(usize, ChunkKind), Vec<u32>> = BTreeMap::new();
        let group_of = |home: usize| {
            self.sections.get(home).and_then(|section| section.parent).map_or(home, SectionId::idx)
        };
        for (unit, (&home, &kind)) in (0_u32..).zip(self.homes.iter().zip(&self.kinds)) {
            groups.entry((group_of(home), kind)).or_default().push(unit);
        }
        (0_u32..)
            .zip(self.homes.iter().zip(&self.kinds))
            .map(|(unit, (&home, &kind))| {
                let group = groups.get(&(group_of(home), kind)).map_or(&[][..], Vec::as_slice);
                let at = group.partition_point(|&other| other < unit);
                let (left, right) = group.split_at_checked(at).unwrap_or_default();
                let right = right.get(1..).unwrap_or_default();
                // One from each side in turn.
                let mut list = Vec::with_capacity(MAX_NEIGHBOURS);
                let (mut left, mut right) = (left.iter().rev(), right.iter());
                loop {
                    let (a, b) = (left.next(), right.next());
                    list.extend(a.into_iter().chain(b).copied());
                    if list.len() >= MAX_NEIGHBOURS || (a.is_none() && b.is_none()) {
                        break list;
                    }
                }
            })
            .collect()
    }

    /// What each unit cites, and what cites it.
    fn citations(&self, document: &Document) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let (mut cites, mut cited_by) = (vec![Vec::new(); self.n], vec![Vec::new(); self.n]);
        let holders = self.holders();
        for reference in &document.tree.references {
            let Some(target) = reference.target.and_then(|section| self.speaker_near(section)) else {
                continue;
            };
            for unit in holders_of(&holders, reference.range.start).filter(|&unit| unit != target) {
                push_once(cites.get_mut(unit as usize), target);
                push_once(cited_by.get_mut(target as usize), unit);
            }
        }
        (cites, cited_by)
    }

    /// Ranges with their units by start, articles and others apart: those of one kind do not overlap.
    fn holders(&self) -> Holders {
        let mut holders = [Vec::new(), Vec::new()];
        for (unit, &chunk) in (0_u32..).zip(self.segment.units()) {
            let Some(chunk) = self.segment.chunk(chunk) else { continue };
            let [articles, others] = &mut holders;
            let list = if chunk.kind == ChunkKind::Article { articles } else { others };
            list.extend(chunk.ranges.iter().map(|range| (range.start, range.end, unit)));
        }
        for list in &mut holders {
            list.sort_unstable();
        }
        holders
    }

    /// The unit that speaks for a section: its own, that of the first section in it, or that around it.
    fn speaker_near(&self, section: SectionId) -> Option<u32> {
        let own = |at: usize| self.speakers.get(at).copied().flatten();
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

    fn depths(&self) -> Vec<u8> {
        self.homes.iter().map(|&home| self.sections.get(home).map_or(0, |section| section.level)).collect()
    }
}

/// Ranges with their units by start, articles and others apart.
type Holders = [Vec<(u32, u32, u32)>; 2];

/// The units that hold a byte of the text.
fn holders_of(holders: &Holders, byte: u32) -> impl Iterator<Item = u32> + '_ {
    holders.iter().filter_map(move |holders| {
        let at = holders.partition_point(|&(start, _, _)| start <= byte);
        let &(_, end, unit) = at.checked_sub(1).and_then(|at| holders.get(at))?;
        (byte < end).then_some(unit)
    })
}

/// Where edges from and to a document begin and end.
pub(crate) struct Ends<'a> {
    nodes: Nodes<'a>,
    holders: Holders,
}

impl<'a> Ends<'a> {
    pub(crate) fn of(segment: &'a Segment) -> Self {
        let nodes = Nodes::new(segment);
        Self { holders: nodes.holders(), nodes }
    }

    /// The units that hold a byte of the text: an article, and its child there.
    pub(crate) fn holders_of(&self, byte: u32) -> impl Iterator<Item = u32> + '_ {
        holders_of(&self.holders, byte)
    }

    /// The unit that speaks for a section: its own, that of the first section in it, or that around it.
    pub(crate) fn speaker_near(&self, section: SectionId) -> Option<u32> {
        self.nodes.speaker_near(section)
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

/// PageRank times the number of nodes. A node without edges gives to all alike.
fn page_rank(edges: &[Vec<u32>]) -> Vec<f32> {
    let n = edges.len().max(1) as f64;
    let mut ranks = vec![1.0 / n; edges.len()];
    for _ in 0..N_ROUNDS {
        let idle: f64 =
            edges.iter().zip(&ranks).filter(|(out, _)| out.is_empty()).map(|(_, rank)| rank).sum();
        let mut next = vec![(1.0 - DAMPING) / n + DAMPING * idle / n; edges.len()];
        for (out, rank) in edges.iter().zip(&ranks) {
            for &to in out {
                if let Some(slot) = next.get_mut(to as usize) {
                    *slot += DAMPING * rank / out.len() as f64;
                }
            }
        }
        ranks = next;
    }
    ranks.into_iter().map(|rank| (rank * n) as f32).collect()
}

/// HITS authority over citations, the greatest 1; zeros where nothing is cited.
fn authority(cites: &[Vec<u32>]) -> Vec<f32> {
    let mut hubs = vec![1.0_f64; cites.len()];
    let mut authorities = vec![0.0_f64; cites.len()];
    for _ in 0..N_ROUNDS {
        authorities = vec![0.0; cites.len()];
        for (out, hub) in cites.iter().zip(&hubs) {
            for &to in out {
                if let Some(slot) = authorities.get_mut(to as usize) {
                    *slot += hub;
                }
            }
        }
        let greatest = authorities.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 {
            break;
        }
        authorities.iter_mut().for_each(|value| *value /= greatest);
        for (out, hub) in cites.iter().zip(&mut hubs) {
            *hub = out.iter().filter_map(|&to| authorities.get(to as usize)).sum();
        }
        let greatest = hubs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        hubs.iter_mut().for_each(|value| *value /= greatest);
    }
    authorities.into_iter().map(|value| value as f32).collect()
}

#[cfg(test)]
mod tests {
    use document::{Chunk, ChunkId, Cite, CrossReference, TextRange};
    use text::AnalyzerKind;

    use super::*;

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
        assert!(graph.page_rank(0) > graph.page_rank(1));
        assert_eq!((graph.authority(0), graph.authority(1)), (1.0, 0.0));
        assert_eq!((graph.degree(0), graph.degree(1), graph.depth(2)), (1, 0, 2));
        assert!(graph.related(9, Relation::Cites).is_empty());
    }

    #[test]
    fn ranks_of_all_units_sum_to_their_number() {
        let graph = segment().graph().clone();
        let sum: f32 = (0..3).map(|unit| graph.page_rank(unit)).sum();
        assert!((sum - 3.0).abs() < 1e-4);
    }
}
