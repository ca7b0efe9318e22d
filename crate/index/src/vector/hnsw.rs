//! A graph over the vectors that a snapshot had, searched in the snapshot that there is now.
//!
//! It takes no insertions and is never stored. It is built from a snapshot ([`HnswSource`]), away from where
//! questions are asked: on another thread, or in another worker that is given the codes and gives back links.
//! Meanwhile and afterwards documents come and go. What a graph found is looked up in the index of the day:
//! vectors that have come since are scanned; those that went are left out, as is what a filter does not keep,
//! and the walk goes wider until enough is left, or until scanning everything is cheaper. Scores are the exact
//! ones in each case; only which chunks are found is approximate.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use document::{ChunkId, DocumentIdx};

use super::batch::{CodeBlock, VectorBatch, Vectors};
use super::codes::{Codes, Probe};
use super::exact::{Exact, Rows, all_rows, neighbours, scan};
use super::links::{HnswParams, Links};
use super::products::dot;
use super::top::TopK;
use super::{Neighbour, QueryVector, VectorIndex};
use crate::codec;
use crate::error::{Error, ErrorKind};
use crate::lexical::postings::narrow;
use crate::library::Index;

/// A walk looks at up to this many vectors for each that it finds, one here, one there: to find more than this
/// part of all, a scan is quicker. (At 50,000 vectors in wasm a walk that finds 200 takes 0.8 ms, one that finds
/// 800 takes 5 ms, and the scan takes 1 to 2.)
const QUICKER: usize = 64;

/// To find more than this part of all, a walk is pointless.
const EAGER: usize = 4;

/// The vectors of one model in a snapshot: what a graph is built from. Cloning copies pointers.
#[derive(Clone, Debug)]
pub struct HnswSource {
    fingerprint: String,
    n_dims: u32,
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

    /// How many vectors.
    pub fn n_vectors(&self) -> usize {
        self.vectors.iter().map(Vectors::n_rows).sum()
    }

    /// Builds the graph: seconds for thousands, minutes for a hundred thousand.
    pub fn build(self, params: HnswParams) -> Hnsw {
        let codes: Vec<Arc<Codes>> = self.blocks().map(|block| Arc::clone(&block.codes)).collect();
        Hnsw::new(self, Links::build(&codes, params), params)
    }

    /// The vectors' codes as bytes, for [`link`] in another worker.
    pub fn encode(&self) -> Vec<u8> {
        codec::links::encode_points(self.n_dims as usize, self.blocks().map(|block| block.codes.as_ref()))
    }

    /// The graph, with the links that [`link`] made of [`Self::encode`].
    ///
    /// # Errors
    /// When the bytes are damaged, or are not links of as many vectors.
    pub fn join(self, links: &[u8], params: HnswParams) -> Result<Hnsw, Error> {
        let links = codec::links::decode_links(links)?;
        if links.rows().len() != self.n_vectors() {
            return Err(Error::new(ErrorKind::VectorsDiffer {
                what: "a graph of another number of vectors",
            }));
        }
        Ok(Hnsw::new(self, links, params))
    }

    /// In the order in which rows are counted through.
    fn blocks(&self) -> impl Iterator<Item = &CodeBlock> + Clone {
        self.vectors.iter().flat_map(Vectors::blocks)
    }
}

/// Links the vectors of [`HnswSource::encode`]: the long part of a build, where nothing else waits.
///
/// # Errors
/// When the bytes are damaged.
pub fn link(points: &[u8], params: HnswParams) -> Result<Vec<u8>, Error> {
    let codes = Arc::new(codec::links::decode_points(points)?);
    Ok(codec::links::encode_links(&Links::build(&[codes], params)))
}

/// A graph over the vectors that a snapshot had.
#[derive(Debug)]
pub struct Hnsw {
    source: HnswSource,
    links: Links,
    blocks: Vec<Arc<Codes>>,
    batches: Vec<Arc<VectorBatch>>,
    /// By node.
    places: Vec<NodeLocation>,
    params: HnswParams,
}

/// Where a node's vector is: which batch and row of it, which block of codes and row of that.
#[derive(Clone, Copy, Debug)]
struct NodeLocation {
    batch: u32,
    row: u32,
    block: u32,
    code_row: u32,
}

impl Hnsw {
    /// Builds the graph of a snapshot, here and now.
    pub fn build(index: &Index, fingerprint: &str, params: HnswParams) -> Self {
        HnswSource::of(index, fingerprint).build(params)
    }

    fn new(source: HnswSource, links: Links, params: HnswParams) -> Self {
        let (mut batches, mut blocks, mut by_row) = (Vec::new(), Vec::new(), Vec::new());
        for vectors in &source.vectors {
            for block in vectors.blocks() {
                for (code_row, row) in (0_u32..).zip(block.start..block.end()) {
                    let Some((batch, row)) = vectors.locate(row) else { continue };
                    let (batch, row, block) = (batches.len() + batch, row, blocks.len());
                    by_row.push(NodeLocation {
                        batch: narrow(batch),
                        row: narrow(row),
                        block: narrow(block),
                        code_row,
                    });
                }
                blocks.push(Arc::clone(&block.codes));
            }
            batches.extend(vectors.batches().iter().cloned());
        }
        let places = links.rows().iter().filter_map(|&row| by_row.get(row as usize).copied()).collect();
        Self { source, links, blocks, batches, places, params }
    }

    /// The model that made the vectors.
    pub fn fingerprint(&self) -> &str {
        &self.source.fingerprint
    }

    /// Its links, as [`link`] gives them.
    pub fn encode_links(&self) -> Vec<u8> {
        codec::links::encode_links(&self.links)
    }

    /// How the graph stands to a snapshot: to be made again when the snapshot is another. A look at each batch.
    pub fn coverage(&self, index: &Index) -> Coverage {
        let numbers: HashMap<*const VectorBatch, usize> = match self.places.is_empty() {
            true => HashMap::new(),
            false => self.batches.iter().map(Arc::as_ptr).zip(0..).collect(),
        };
        let mut coverage =
            Coverage { documents: vec![None; self.batches.len()], unlinked: Vec::new(), n_linked: 0 };
        for (document, entry) in index.iter() {
            for batch in entry.vectors().batches() {
                match numbers.get(&Arc::as_ptr(batch)).and_then(|&number| coverage.documents.get_mut(number))
                {
                    Some(place) => {
                        *place = Some(document);
                        coverage.n_linked += batch.n_rows();
                    }
                    None => coverage.unlinked.push((document, batch.start() as usize..batch.end())),
                }
            }
        }
        coverage
    }

    /// The graph as a way to search this snapshot.
    pub fn attach<'a>(&'a self, index: &'a Index) -> HnswView<'a> {
        self.attach_with(index, Arc::new(self.coverage(index)))
    }

    /// The same, with what [`Self::coverage`] gave for this snapshot.
    pub fn attach_with<'a>(&'a self, index: &'a Index, coverage: Arc<Coverage>) -> HnswView<'a> {
        HnswView { graph: self, index, coverage, part: QUICKER }
    }

    /// How far a node is from a question.
    fn distance(&self, node: u32, probe: &Probe) -> Option<f32> {
        let place = self.places.get(node as usize)?;
        let score = self.blocks.get(place.block as usize)?.score(place.code_row as usize, probe)?;
        Some(-score)
    }
}

/// What of a graph is still in a snapshot, and what of the snapshot is not in the graph.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By batch of the graph, the document it is of, if that is still there.
    documents: Vec<Option<DocumentIdx>>,
    /// Rows that are not in the graph.
    unlinked: Vec<(DocumentIdx, Range<usize>)>,
    n_linked: usize,
}

impl Coverage {
    /// How many of the snapshot's vectors are in the graph.
    pub fn n_linked(&self) -> usize {
        self.n_linked
    }
}

/// A graph and a snapshot.
#[derive(Clone, Debug)]
pub struct HnswView<'a> {
    graph: &'a Hnsw,
    index: &'a Index,
    coverage: Arc<Coverage>,
    /// A walk may find one in so many.
    part: usize,
}

impl HnswView<'_> {
    /// The same, walking even where a scan would be quicker: to see what a graph finds.
    #[must_use]
    pub fn eager(self) -> Self {
        Self { part: EAGER, ..self }
    }

    /// Offers the best that walks find of what is to be kept. `false` when a scan would be cheaper.
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
                for (at, values) in kept {
                    top.push(dot(query.values, values), at);
                }
                return true;
            }
            // As wide as the share that was kept asks for, at least twice as wide.
            let wanted = breadth.saturating_mul(k) / kept.len().max(1);
            breadth = (wanted + wanted / 2).max(breadth.saturating_mul(2));
        }
        false
    }

    /// The chunk of a node and its vector, where it is still there and to be kept.
    fn kept(
        &self,
        node: u32,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Option<((DocumentIdx, ChunkId), &[f32])> {
        let place = self.graph.places.get(node as usize)?;
        let document = self.coverage.documents.get(place.batch as usize).copied().flatten()?;
        let batch = self.graph.batches.get(place.batch as usize)?;
        let chunks = self.index.get(document)?.segment().embeddable();
        let chunk = *chunks.get(batch.start() as usize + place.row as usize)?;
        keep(document, chunk).then_some(((document, chunk), batch.row(place.row as usize)?))
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
            && query.values.len() == self.graph.source.n_dims as usize;
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
