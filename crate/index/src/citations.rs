//! Citations between the documents of a snapshot, as edges between their units. Citations within one document are edges
//! of its own [`crate::Graph`].
//!
//! The caller resolves citations to sections, since that needs the names of all documents. Derived from a snapshot, not
//! stored. Cost: linear in the units and sections of the documents involved, and a binary search per citation.

use std::collections::{BTreeMap, BTreeSet};

use document::{DocumentIdx, Pace, SectionId};

use crate::graph::{EdgeEnds, MAX_NEIGHBOURS, NODE_COST};
use crate::library::{Entry, Index};

/// A citation of a section of another document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossCitation {
    /// The citing document.
    pub from: DocumentIdx,
    /// Byte offset of the citation in its text.
    pub at: u32,
    /// The cited document.
    pub to: DocumentIdx,
    /// The cited section.
    pub section: SectionId,
}

/// A unit of a document of the snapshot.
pub type UnitKey = (DocumentIdx, u32);

/// Citations between the documents of a snapshot, by unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CitationGraph {
    cites: BTreeMap<UnitKey, Vec<UnitKey>>,
    cited_by: BTreeMap<UnitKey, Vec<UnitKey>>,
}

impl CitationGraph {
    /// The edges of citations, step by step. A citation outside all units, or to a section that no unit represents, has
    /// no edge.
    pub async fn new(index: &Index, citations: &[CrossCitation], pace: &Pace) -> Self {
        let touched: BTreeSet<DocumentIdx> =
            citations.iter().flat_map(|citation| [citation.from, citation.to]).collect();
        let mut ends: BTreeMap<DocumentIdx, EdgeEnds<'_>> = BTreeMap::new();
        for document in touched {
            let Some(segment) = index.get(document).map(Entry::segment) else { continue };
            ends.insert(document, EdgeEnds::new(segment.document(), segment.units()));
            pace.spend(segment.units().len() * NODE_COST).await;
        }
        let mut edges = Self::default();
        for &CrossCitation { from, at, to, section } in citations {
            pace.spend(NODE_COST).await;
            let (Some(source), Some(target)) = (ends.get(&from), ends.get(&to)) else { continue };
            let Some(unit) = target.representative_near(section).filter(|_| from != to) else { continue };
            for holder in source.holders_of(at) {
                push_once(edges.cites.entry((from, holder)).or_default(), (to, unit));
                push_once(edges.cited_by.entry((to, unit)).or_default(), (from, holder));
            }
        }
        edges
    }

    /// The units of other documents that a unit cites, in order of its text; at most [`MAX_NEIGHBOURS`].
    pub fn cites(&self, document: DocumentIdx, unit: u32) -> &[UnitKey] {
        self.cites.get(&(document, unit)).map_or(&[], Vec::as_slice)
    }

    /// The units of other documents that cite a unit; at most [`MAX_NEIGHBOURS`].
    pub fn cited_by(&self, document: DocumentIdx, unit: u32) -> &[UnitKey] {
        self.cited_by.get(&(document, unit)).map_or(&[], Vec::as_slice)
    }
}

fn push_once(list: &mut Vec<UnitKey>, unit: UnitKey) {
    if list.len() < MAX_NEIGHBOURS && !list.contains(&unit) {
        list.push(unit);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use document::{Chunk, ChunkKind, Document, Section, TextRange, at_once};
    use text::AnalyzerKind;

    use super::*;
    use crate::Segment;

    /// Articles of ten bytes, each a section under the root.
    fn document(name: &str, n_articles: u32) -> Arc<Segment> {
        let section = |parent: Option<u32>, start: usize, end: usize| Section {
            parent: parent.map(SectionId),
            level: u8::from(parent.is_some()),
            label: None,
            title: String::new(),
            heading: None,
            range: TextRange::new(start, end),
            blocks: Vec::new(),
            is_article: parent.is_some(),
        };
        let starts = (0..n_articles as usize).map(|at| at * 10);
        let mut document = Document { name: name.to_owned(), digest: name.to_owned(), ..Document::default() };
        document.layout.text = "x".repeat(10 * n_articles as usize);
        document.tree.sections.push(section(None, 0, 10 * n_articles as usize));
        document.tree.sections.extend(starts.clone().map(|start| section(Some(0), start, start + 10)));
        document.chunks = (1..)
            .zip(starts)
            .map(|(home, start)| Chunk {
                kind: ChunkKind::Article,
                ranges: vec![TextRange::new(start, start + 10)],
                section: SectionId(home),
                n_tokens: 1,
                parents: Vec::new(),
                article: None,
                notes: Vec::new(),
            })
            .collect();
        Arc::new(Segment::new(document, AnalyzerKind::Default))
    }

    #[test]
    fn a_citation_is_an_edge_between_the_units_at_its_ends() {
        let mut index = Index::default();
        index.insert(document("rules", 2));
        index.insert(document("act", 3));
        let (rules, act) = (DocumentIdx(0), DocumentIdx(1));
        let citation = |at, section| CrossCitation { from: rules, at, to: act, section: SectionId(section) };
        let within = CrossCitation { to: rules, ..citation(3, 2) };
        let nowhere = CrossCitation { to: DocumentIdx(9), ..citation(3, 2) };
        let known = [citation(12, 3), citation(14, 3), citation(13, 1), citation(99, 1), within, nowhere];
        let graph_of = |index: &Index| at_once(async |pace| CitationGraph::new(index, &known, pace).await);
        let citations = graph_of(&index);
        assert_eq!(citations.cites(rules, 1), [(act, 2), (act, 0)]);
        assert_eq!(citations.cited_by(act, 2), [(rules, 1)]);
        assert!(citations.cites(rules, 0).is_empty() && citations.cited_by(rules, 1).is_empty());
        assert_eq!(graph_of(&Index::default()), CitationGraph::default());
    }
}
