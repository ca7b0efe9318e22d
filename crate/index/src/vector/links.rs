//! Links of an HNSW graph (Malkov and Yashunin, arXiv 1603.09320): built by `instant-distance`, searched here.
//!
//! The library builds well, but its breadth of search is fixed at the build, and a filtered search needs more. So the
//! links are extracted from its serialised form, and the search is our own, with a breadth per query. Links can also be
//! sent from one worker to another, since they are row numbers without rows.
//!
//! About 330 bytes per vector. The build takes O(n log n) and minutes. Natively it has several threads and two builds may
//! differ in a link; in wasm it has one thread and one result.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use document::cursor::Cursor;
use document::{OrNever as _, Slice as _};
use instant_distance::{Builder, Point};
use serde::{Serialize, Serializer};

use super::codes::{Codes, distance};

/// Parameters of building and searching a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HnswParams {
    /// Candidates considered when a node is linked, from 1. More is slower to build and has better recall.
    pub ef_construction: usize,
    /// Minimum candidates considered in a search, from 1. More is slower and has better recall.
    pub ef_search: usize,
    /// Seed of the random levels.
    pub seed: u64,
}

impl Default for HnswParams {
    fn default() -> Self {
        Self { ef_construction: 100, ef_search: 200, seed: 0x5EED }
    }
}

/// Links per node on the base level; on the upper levels [`N_UPPER_LINKS`].
pub const N_LINKS: usize = 64;
const N_UPPER_LINKS: usize = 32;

/// Padding of a node with fewer links.
const NONE: u32 = u32::MAX;

/// A graph without its vectors. Nodes are numbered in the order of their levels, highest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// By node, the row it stands for.
    rows: Vec<u32>,
    /// `N_LINKS` for each node.
    base: Vec<u32>,
    /// Levels above, from the lowest: `N_UPPER_LINKS` for each of their nodes.
    upper: Vec<Vec<u32>>,
}

/// A node with its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeDistance {
    /// Distance to the query.
    pub distance: f32,
    /// The node.
    pub node: u32,
}

impl Links {
    /// Links the rows of some blocks, counted through.
    pub fn build<C: AsRef<Codes> + Send + Sync>(blocks: &[Arc<C>], params: HnswParams) -> Self {
        let rows = |codes: &Arc<C>| {
            let codes = Arc::clone(codes);
            (0..(*codes).as_ref().n_rows()).map(move |row| Node { codes: Arc::clone(&codes), row })
        };
        let nodes: Vec<Node<C>> = blocks.iter().flat_map(rows).collect();
        if nodes.is_empty() || u32::try_from(nodes.len()).is_err() {
            return Self::default();
        }
        let (graph, ids) = Builder::default()
            .ef_construction(params.ef_construction.max(1))
            .ef_search(params.ef_search.max(1))
            .seed(params.seed)
            .build_hnsw(nodes);
        let mut rows = vec![0; ids.len()];
        for (row, id) in (0_u32..).zip(&ids) {
            if let Some(node) = rows.get_mut(id.into_inner() as usize) {
                *node = row;
            }
        }
        // Nodes write nothing of themselves, so what is stored is links alone. If it could not be read, there
        // would be no graph, and every vector would be scanned.
        let stored = postcard::to_allocvec(&graph).ok().or_never("the serialised graph");
        drop(graph);
        read_links(&stored, rows).or_never("the links of the graph")
    }

    /// Links from untrusted parts; `None` unless every link leads to a node and the nodes' rows are a permutation of
    /// `0..n`.
    pub fn from_parts(rows: Vec<u32>, base: Vec<u32>, upper: Vec<Vec<u32>>) -> Option<Self> {
        let n = rows.len();
        let mut seen = vec![false; n];
        for &row in &rows {
            let seen = seen.get_mut(row as usize)?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        let within = |links: &[u32], n: usize| links.iter().all(|&to| to == NONE || (to as usize) < n);
        let is_sound = base.len() == n.checked_mul(N_LINKS)?
            && within(&base, n)
            && upper.iter().all(|level| {
                let n_here = level.len() / N_UPPER_LINKS;
                level.len().is_multiple_of(N_UPPER_LINKS) && n_here <= n && within(level, n_here)
            });
        is_sound.then_some(Self { rows, base, upper })
    }

    /// By node, the row it stands for.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The links of the lowest level.
    pub fn base(&self) -> &[u32] {
        &self.base
    }

    /// The links of the levels above, from the lowest.
    pub fn upper(&self) -> &[Vec<u32>] {
        &self.upper
    }

    /// The `breadth` nearest nodes that a greedy search finds, nearest first.
    pub fn walk(&self, breadth: usize, distance: &dyn Fn(u32) -> f32) -> Vec<NodeDistance> {
        if self.rows.is_empty() || breadth == 0 {
            return Vec::new();
        }
        let mut at = NodeDistance { distance: distance(0), node: 0 };
        for level in self.upper.iter().rev() {
            loop {
                let links = links_of(level, at.node, N_UPPER_LINKS);
                let near = links.map(|node| NodeDistance { distance: distance(node), node }).min();
                match near {
                    Some(nearer) if nearer < at => at = nearer,
                    _ => break,
                }
            }
        }
        self.spread(at, breadth, distance)
    }

    /// Best-first search over the base level, until the rest is further than the `breadth` found.
    fn spread(&self, from: NodeDistance, breadth: usize, distance: &dyn Fn(u32) -> f32) -> Vec<NodeDistance> {
        let mut seen = VisitedSet::new(self.rows.len());
        seen.mark(from.node);
        let mut open = BinaryHeap::from([Reverse(from)]);
        let mut found = BinaryHeap::from([from]);
        while let Some(Reverse(next)) = open.pop() {
            let furthest = found.peek().copied();
            if found.len() >= breadth && furthest.is_some_and(|furthest| next > furthest) {
                break;
            }
            for node in links_of(&self.base, next.node, N_LINKS) {
                if !seen.mark(node) {
                    continue;
                }
                let near = NodeDistance { distance: distance(node), node };
                if found.len() < breadth {
                    found.push(near);
                } else if found.peek().is_some_and(|furthest| near < *furthest) {
                    found.pop();
                    found.push(near);
                } else {
                    continue;
                }
                open.push(Reverse(near));
            }
        }
        found.into_sorted_vec()
    }
}

fn links_of(level: &[u32], node: u32, n_links: usize) -> impl Iterator<Item = u32> + '_ {
    let start = node as usize * n_links;
    let links = level.slice(start..start + n_links);
    links.iter().copied().take_while(|&to| to != NONE)
}

/// Reads the serialised form of `instant-distance` 0.6: breadth, nodes (empty), base links, upper levels.
fn read_links(stored: &[u8], rows: Vec<u32>) -> Option<Links> {
    let mut cursor = Cursor::new(stored);
    cursor.varint()?;
    let n_nodes = cursor.varint()? as usize;
    if n_nodes != rows.len() || cursor.varint()? as usize != n_nodes {
        return None;
    }
    let mut links = |n: usize| (0..n).map(|_| cursor.varint()).collect::<Option<Vec<u32>>>();
    let base = links(n_nodes.checked_mul(N_LINKS)?)?;
    let n_levels = links(1)?.first().copied()?;
    let mut upper = Vec::new();
    for _ in 0..n_levels {
        let n_here = links(1)?.first().copied()? as usize;
        if n_here > n_nodes {
            return None;
        }
        upper.push(links(n_here * N_UPPER_LINKS)?);
    }
    Links::from_parts(rows, base, upper).filter(|_| cursor.n_left() == 0)
}

/// A row as a point of the builder.
struct Node<C> {
    codes: Arc<C>,
    row: usize,
}

impl<C: AsRef<Codes>> Node<C> {
    fn row(&self) -> Option<(&[i8], f32)> {
        (*self.codes).as_ref().row(self.row)
    }
}

impl<C> Clone for Node<C> {
    fn clone(&self) -> Self {
        Self { codes: Arc::clone(&self.codes), row: self.row }
    }
}

impl<C: AsRef<Codes> + Send + Sync> Point for Node<C> {
    fn distance(&self, other: &Self) -> f32 {
        match (self.row(), other.row()) {
            (Some(a), Some(b)) => distance(a, b),
            _ => f32::MAX,
        }
    }
}

impl<C> Serialize for Node<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl Eq for NodeDistance {}

impl Ord for NodeDistance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for NodeDistance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The visited nodes, one bit each.
struct VisitedSet(Vec<u64>);

impl VisitedSet {
    fn new(n: usize) -> Self {
        Self(vec![0; n.div_ceil(64)])
    }

    /// Marks a node; true if it was not marked before.
    fn mark(&mut self, node: u32) -> bool {
        let Some(word) = self.0.get_mut(node as usize / 64) else { return false };
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
