//! HNSW search: a graph over the vectors of one snapshot, searched in a later one.
//!
//! The graph takes no insertions and is never stored. It is built from a snapshot ([`HnswSource`]) in the background: on
//! another thread, or in another worker that receives codes and returns links. Documents may change meanwhile and
//! afterwards. A search maps the nodes to the current snapshot: newer vectors are scanned, removed and filtered ones are
//! dropped, and the breadth grows until enough remain or a scan is cheaper. Scores are exact; only the set of chunks is
//! approximate.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use document::{ChunkId, DocumentIdx};

use super::batch::{Block, Extent, Vectors};
use super::codes::Probe;
use super::exact::{Exact, Rows, all_rows, neighbours, scan};
use super::links::{HnswParams, Links};
use super::rows::{VectorRow, VectorRows};
use super::top::TopK;
use super::{Neighbour, QueryVector, VectorIndex};
use crate::codec;
use crate::error::{Error, ErrorKind};
use crate::lexical::postings::narrow;
use crate::library::Index;

/// Divisor of the number of vectors: beyond a breadth of n / 64, a scan is faster, since a search visits up to 64
/// scattered vectors per neighbour. (At 50,000 vectors in wasm, 200 neighbours take 0.8 ms, 800 take 5 ms, and a scan
/// takes 1 to 2.)
const QUICKER: usize = 64;

/// The same for [`HnswView::eager`].
const EAGER: usize = 4;

/// The vectors of one model in a snapshot, from which a graph is built. A clone copies pointers.
#[derive(Clone, Debug)]
pub struct HnswSource {
    fingerprint: String,
    n_dims: usize,
    /// By document.
    vectors: Vec<Vectors>,
}

impl HnswSource {
    /// All vectors of one model in a snapshot.
    pub fn of(index: &Index, fingerprint: &str) -> Self {
        let of_model = |vectors: &&Vectors| vectors.fingerprint() == Some(fingerprint);
        let mut vectors: Vec<Vectors> =
            index.iter().map(|(_, entry)| entry.vectors()).filter(of_model).cloned().collect();
        let n_dims = vectors.first().and_then(Vectors::n_dims).unwrap_or(0);
        vectors.retain(|vectors| vectors.n_dims() == Some(n_dims));
        Self { fingerprint: fingerprint.to_owned(), n_dims, vectors }
    }

    /// Number of vectors.
    pub fn n_vectors(&self) -> usize {
        self.vectors.iter().map(Vectors::n_rows).sum()
    }

    /// Builds the graph: seconds for thousands, minutes for a hundred thousand.
    pub fn build(self, params: HnswParams) -> Hnsw {
        let blocks: Vec<Arc<VectorRows>> = self.blocks().map(|block| Arc::clone(&block.rows)).collect();
        Hnsw::new(self, Links::build(&blocks, params), params)
    }

    /// The codes of the vectors as bytes, for [`link`] in another worker.
    pub fn encode(&self) -> Vec<u8> {
        codec::links::encode_points(self.n_dims, self.blocks().map(|block| block.rows.codes()))
    }

    /// The graph, with the links that [`link`] made of [`Self::encode`].
    ///
    /// # Errors
    /// If the bytes are damaged or link another number of vectors.
    pub fn join(self, links: &[u8], params: HnswParams) -> Result<Hnsw, Error> {
        let links = codec::links::decode_links(links)?;
        if links.rows().len() != self.n_vectors() {
            return Err(Error::new(ErrorKind::VectorsDiffer {
                what: "a graph of another number of vectors",
            }));
        }
        Ok(Hnsw::new(self, links, params))
    }

    /// The blocks in row order.
    fn blocks(&self) -> impl Iterator<Item = &Block> + Clone {
        self.vectors.iter().flat_map(Vectors::blocks)
    }
}

/// Links the vectors of [`HnswSource::encode`]: the long part of a build.
///
/// # Errors
/// If the bytes are damaged.
pub fn link(points: &[u8], params: HnswParams) -> Result<Vec<u8>, Error> {
    let codes = Arc::new(codec::links::decode_points(points)?);
    Ok(codec::links::encode_links(&Links::build(&[codes], params)))
}

/// A graph over the vectors of a snapshot.
#[derive(Debug)]
pub struct Hnsw {
    source: HnswSource,
    links: Links,
    blocks: Vec<Arc<VectorRows>>,
    extents: Vec<Arc<Extent>>,
    /// By node.
    places: Vec<NodeLocation>,
    params: HnswParams,
}

/// Location of a node's vector: its extent, and its block and row there.
#[derive(Clone, Copy, Debug)]
struct NodeLocation {
    extent: u32,
    block: u32,
    /// Row in the block.
    row: u32,
    /// Row in the document.
    document_row: u32,
}

impl Hnsw {
    /// Builds the graph of a snapshot, here and now.
    pub fn build(index: &Index, fingerprint: &str, params: HnswParams) -> Self {
        HnswSource::of(index, fingerprint).build(params)
    }

    fn new(source: HnswSource, links: Links, params: HnswParams) -> Self {
        let (mut extents, mut blocks, mut by_row) = (Vec::new(), Vec::new(), Vec::new());
        for vectors in &source.vectors {
            for block in vectors.blocks() {
                for (row, document_row) in (0_u32..).zip(block.start..block.end()) {
                    let Some(extent) = vectors.extent_of(document_row) else { continue };
                    by_row.push(NodeLocation {
                        extent: narrow(extents.len() + extent),
                        block: narrow(blocks.len()),
                        row,
                        document_row: narrow(document_row),
                    });
                }
                blocks.push(Arc::clone(&block.rows));
            }
            extents.extend(vectors.extents().iter().cloned());
        }
        let places = links.rows().iter().filter_map(|&row| by_row.get(row as usize).copied()).collect();
        Self { source, links, blocks, extents, places, params }
    }

    /// The model that made the vectors.
    pub fn fingerprint(&self) -> &str {
        &self.source.fingerprint
    }

    /// Its links, as [`link`] gives them.
    pub fn encode_links(&self) -> Vec<u8> {
        codec::links::encode_links(&self.links)
    }

    /// Coverage of a snapshot by the graph. Linear in the extents.
    pub fn coverage(&self, index: &Index) -> Coverage {
        let numbers: HashMap<*const Extent, usize> = match self.places.is_empty() {
            true => HashMap::new(),
            false => self.extents.iter().map(Arc::as_ptr).zip(0..).collect(),
        };
        let mut coverage =
            Coverage { documents: vec![None; self.extents.len()], unlinked: Vec::new(), n_linked: 0 };
        for (document, entry) in index.iter() {
            for extent in entry.vectors().extents() {
                let number = numbers.get(&Arc::as_ptr(extent));
                match number.and_then(|&number| coverage.documents.get_mut(number)) {
                    Some(place) => {
                        *place = Some(document);
                        coverage.n_linked += extent.n_rows();
                    }
                    None => coverage.unlinked.push((document, extent.rows())),
                }
            }
        }
        coverage
    }

    /// The graph as a way to search this snapshot.
    pub fn attach<'a>(&'a self, index: &'a Index) -> HnswView<'a> {
        self.attach_with(index, Arc::new(self.coverage(index)))
    }

    /// The same, with the [`Self::coverage`] of this snapshot.
    pub fn attach_with<'a>(&'a self, index: &'a Index, coverage: Arc<Coverage>) -> HnswView<'a> {
        HnswView { graph: self, index, coverage, part: QUICKER }
    }

    /// Distance of a node to a query.
    fn distance(&self, node: u32, probe: &Probe) -> Option<f32> {
        let place = self.places.get(node as usize)?;
        let score = self.blocks.get(place.block as usize)?.codes().score(place.row as usize, probe)?;
        Some(-score)
    }
}

/// Coverage of a snapshot by a graph: the nodes still in the snapshot, and the rows not in the graph.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By extent of the graph its document, if still in the snapshot.
    documents: Vec<Option<DocumentIdx>>,
    /// Rows that are not in the graph.
    unlinked: Vec<(DocumentIdx, Range<usize>)>,
    n_linked: usize,
}

impl Coverage {
    /// Number of the snapshot's vectors in the graph.
    pub fn n_linked(&self) -> usize {
        self.n_linked
    }
}

/// A graph as a search over a snapshot.
#[derive(Clone, Debug)]
pub struct HnswView<'a> {
    graph: &'a Hnsw,
    index: &'a Index,
    coverage: Arc<Coverage>,
    /// Divisor of the number of vectors that gives the maximum breadth.
    part: usize,
}

impl HnswView<'_> {
    /// The same, searching the graph even if a scan would be faster, to measure its recall.
    #[must_use]
    pub fn eager(self) -> Self {
        Self { part: EAGER, ..self }
    }

    /// Pushes the nearest vectors that pass `keep`; false if a scan would be cheaper.
    fn walk(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
        top: &mut TopK<(DocumentIdx, ChunkId)>,
    ) -> bool {
        let graph = self.graph;
        let probe = Probe::new(query.values);
        let distance = |node: u32| graph.distance(node, &probe).unwrap_or(f32::MAX);
        let most = graph.places.len() / self.part;
        let mut breadth = graph.params.ef_search.max(k.saturating_mul(2));
        while breadth <= most {
            let found = graph.links.walk(breadth, &distance);
            let kept: Vec<_> = found.iter().filter_map(|near| self.kept(near.node, keep)).collect();
            if kept.len() >= k {
                for (at, row) in kept {
                    top.push(row.dot(query.values).unwrap_or(f32::NEG_INFINITY), at);
                }
                return true;
            }
            // Wider by the share that was dropped, at least twice as wide.
            let wanted = breadth.saturating_mul(k) / kept.len().max(1);
            breadth = (wanted + wanted / 2).max(breadth.saturating_mul(2));
        }
        false
    }

    /// Chunk and vector of a node, if still in the snapshot and passing `keep`.
    fn kept(
        &self,
        node: u32,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Option<((DocumentIdx, ChunkId), VectorRow<'_>)> {
        let place = self.graph.places.get(node as usize)?;
        let document = self.coverage.documents.get(place.extent as usize).copied().flatten()?;
        let chunks = self.index.get(document)?.segment().embeddable();
        let chunk = *chunks.get(place.document_row as usize)?;
        let row = self.graph.blocks.get(place.block as usize)?.row(place.row as usize)?;
        keep(document, chunk).then_some(((document, chunk), row))
    }

    fn unlinked(&self) -> impl Iterator<Item = Rows<'_>> {
        self.coverage.unlinked.iter().filter_map(|(document, range)| {
            let entry = self.index.get(*document)?;
            Some(Rows { document: *document, entry, range: range.clone() })
        })
    }
}

impl VectorIndex for HnswView<'_> {
    fn n_vectors(&self) -> usize {
        Exact::new(self.index).n_vectors()
    }

    fn nearest(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Vec<Neighbour> {
        let mut top = TopK::new(k);
        let is_of_graph = query.fingerprint == self.graph.source.fingerprint
            && query.values.len() == self.graph.source.n_dims;
        if is_of_graph && self.walk(query, k, keep, &mut top) {
            scan(self.unlinked(), query, k, keep, &mut top);
        } else {
            scan(all_rows(self.index), query, k, keep, &mut top);
        }
        neighbours(top)
    }
}

#[cfg(test)]
mod tests;
