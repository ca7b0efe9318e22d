//! A graph over the vectors that a snapshot had, searched in the snapshot that there is now.
//!
//! It takes no insertions and is never stored. It is built from a snapshot ([`HnswSource`]), away from where
//! questions are asked: on another thread, or in another worker that is given the codes and gives back links.
//! Meanwhile and afterwards documents come and go. What a graph found is looked up in the index of the day:
//! vectors that have come since are scanned; those that went are left out, as is what a filter does not keep,
//! and the walk goes wider until enough is left, or until scanning everything is cheaper. Scores are the exact
//! ones in each case; only which chunks are found is approximate.

use std::collections::HashMap;
use std::sync::Arc;

use document::{ChunkId, DocumentIdx};

use super::codes::{Codes, Probe};
use super::exact::{Exact, Rows, all_rows, neighbours, scan};
use super::links::{HnswParams, Links};
use super::{Neighbour, QueryVector, TopK, VectorBatch, VectorIndex, dot};
use crate::{Error, ErrorKind, Index, codec};

/// A walk looks at some sixteen vectors for each that it finds, one here, one there. Beyond this share of all,
/// a scan is no slower.
const SCAN_INSTEAD: usize = 16;

/// The vectors of one model in a snapshot: what a graph is built from. Cloning copies pointers.
#[derive(Clone, Debug)]
pub struct HnswSource {
    fingerprint: String,
    n_dims: u32,
    batches: Vec<Arc<VectorBatch>>,
}

impl HnswSource {
    /// All vectors of one model in a snapshot.
    pub fn of(index: &Index, fingerprint: &str) -> Self {
        let mut batches: Vec<Arc<VectorBatch>> = Vec::new();
        for (_, entry) in index.iter() {
            batches.extend(entry.vectors().batches().iter().filter(|b| b.fingerprint() == fingerprint).cloned());
        }
        let n_dims = batches.first().map_or(0, |batch| batch.n_dims());
        batches.retain(|batch| batch.n_dims() == n_dims);
        Self { fingerprint: fingerprint.to_owned(), n_dims, batches }
    }

    /// How many vectors.
    pub fn n_vectors(&self) -> usize {
        self.batches.iter().map(|batch| batch.n_rows()).sum()
    }

    /// Builds the graph: seconds for thousands, minutes for a hundred thousand.
    pub fn build(self, params: HnswParams) -> Hnsw {
        let codes: Vec<Arc<Codes>> = self.batches.iter().map(|batch| Arc::clone(batch.codes())).collect();
        Hnsw::new(self, Links::build(&codes, params), params)
    }

    /// The vectors' codes as bytes, for [`link`] in another worker.
    pub fn encode(&self) -> Vec<u8> {
        let codes = self.batches.iter().map(|batch| batch.codes().as_ref());
        codec::links::encode_points(self.n_dims as usize, codes)
    }

    /// The graph, with the links that [`link`] made of [`Self::encode`].
    ///
    /// # Errors
    /// When the bytes are damaged, or are not links of as many vectors.
    pub fn join(self, links: &[u8], params: HnswParams) -> Result<Hnsw, Error> {
        let links = codec::links::decode_links(links)?;
        if links.rows().len() != self.n_vectors() {
            return Err(Error::new(ErrorKind::VectorsDiffer { what: "a graph of another number of vectors" }));
        }
        Ok(Hnsw::new(self, links, params))
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
    /// By node: which batch, which row of it.
    places: Vec<(u32, u32)>,
    params: HnswParams,
}

impl Hnsw {
    /// Builds the graph of a snapshot, here and now.
    pub fn build(index: &Index, fingerprint: &str, params: HnswParams) -> Self {
        HnswSource::of(index, fingerprint).build(params)
    }

    fn new(source: HnswSource, links: Links, params: HnswParams) -> Self {
        let rows = (0_u32..).zip(&source.batches);
        let by_row: Vec<(u32, u32)> = rows
            .flat_map(|(batch, rows)| (0_u32..).take(rows.n_rows()).map(move |row| (batch, row)))
            .collect();
        let places = links.rows().iter().filter_map(|&row| by_row.get(row as usize).copied()).collect();
        Self { source, links, places, params }
    }

    /// The model that made the vectors.
    pub fn fingerprint(&self) -> &str {
        &self.source.fingerprint
    }

    /// How the graph stands to a snapshot: to be made again when the snapshot is another. A look at each batch.
    pub fn standing(&self, index: &Index) -> Standing {
        let numbers: HashMap<*const VectorBatch, usize> = match self.places.is_empty() {
            true => HashMap::new(),
            false => self.source.batches.iter().map(Arc::as_ptr).zip(0..).collect(),
        };
        let mut standing =
            Standing { documents: vec![None; self.source.batches.len()], news: Vec::new(), n_linked: 0 };
        for (document, entry) in index.iter() {
            for (at, batch) in entry.vectors().batches().iter().enumerate() {
                match numbers.get(&Arc::as_ptr(batch)).and_then(|&number| standing.documents.get_mut(number)) {
                    Some(place) => {
                        *place = Some(document);
                        standing.n_linked += batch.n_rows();
                    }
                    None => standing.news.push((document, at)),
                }
            }
        }
        standing
    }

    /// The graph as a way to search this snapshot.
    pub fn attach<'a>(&'a self, index: &'a Index) -> Attached<'a> {
        self.attach_as(index, Arc::new(self.standing(index)))
    }

    /// The same, with what [`Self::standing`] gave for this snapshot.
    pub fn attach_as<'a>(&'a self, index: &'a Index, standing: Arc<Standing>) -> Attached<'a> {
        Attached { graph: self, index, standing }
    }

    fn batch(&self, node: u32) -> Option<(usize, &VectorBatch, usize)> {
        let &(batch, row) = self.places.get(node as usize)?;
        Some((batch as usize, self.source.batches.get(batch as usize)?, row as usize))
    }
}

/// What of a graph is still in a snapshot, and what of the snapshot is not in the graph.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// By batch of the graph, the document it is of, if that is still there.
    documents: Vec<Option<DocumentIdx>>,
    /// Batches that are not in the graph.
    news: Vec<(DocumentIdx, usize)>,
    n_linked: usize,
}

impl Standing {
    /// How many of the snapshot's vectors are in the graph.
    pub fn n_linked(&self) -> usize {
        self.n_linked
    }
}

/// A graph and a snapshot.
#[derive(Clone, Debug)]
pub struct Attached<'a> {
    graph: &'a Hnsw,
    index: &'a Index,
    standing: Arc<Standing>,
}

impl Attached<'_> {
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
        let distance = |node: u32| {
            let near = graph.batch(node).and_then(|(_, batch, row)| batch.codes().score(row, &probe));
            near.map_or(f32::MAX, |score| -score)
        };
        let most = graph.places.len() / SCAN_INSTEAD;
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
        let (number, batch, row) = self.graph.batch(node)?;
        let document = self.standing.documents.get(number).copied().flatten()?;
        let chunks = self.index.get(document)?.segment().embeddable();
        let chunk = *chunks.get(batch.start() as usize + row)?;
        keep(document, chunk).then_some(((document, chunk), batch.row(row)?))
    }

    fn news(&self) -> impl Iterator<Item = Rows<'_>> {
        self.standing.news.iter().filter_map(|&(document, at)| {
            let entry = self.index.get(document)?;
            let batch = entry.vectors().batches().get(at)?;
            let chunks = entry.segment().embeddable().get(batch.start() as usize..)?;
            Some(Rows { document, chunks, batch })
        })
    }
}

impl VectorIndex for Attached<'_> {
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
            scan(self.news(), query, k, keep, &mut top);
        } else {
            scan(all_rows(self.index), query, k, keep, &mut top);
        }
        neighbours(top)
    }
}

#[cfg(test)]
mod tests;
