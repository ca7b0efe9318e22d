//! The index: the documents that are searched together.

use std::sync::Arc;

use document::DocumentIdx;

use crate::{Collection, Error, ErrorKind, Segment, VectorBatch, Vectors};

/// A list of documents. A clone copies pointers and is a snapshot that later changes do not affect.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    collection: Option<Arc<Collection>>,
}

/// A document of an index: its segment and its vectors so far.
#[derive(Clone, Debug)]
pub struct Entry {
    segment: Arc<Segment>,
    vectors: Vectors,
}

impl Entry {
    /// The segment.
    pub fn segment(&self) -> &Arc<Segment> {
        &self.segment
    }

    /// The vectors.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }
}

impl Index {
    /// Adds a document, or replaces the one with its digest. Returns the replaced segment. Two documents of one name
    /// are both kept. Vectors are kept if the new segment has the same text, sections and chunks.
    pub fn insert(&mut self, segment: Arc<Segment>) -> Option<Arc<Segment>> {
        let known = self.find(&segment.document().digest);
        let Some(entry) = known.and_then(|document| self.entries.get_mut(document.idx())) else {
            self.entries.push(Entry { segment, vectors: Vectors::default() });
            return None;
        };
        if !is_same_text(&entry.segment, &segment) {
            entry.vectors = Vectors::default();
        }
        Some(std::mem::replace(&mut entry.segment, segment))
    }

    /// Removes a document.
    pub fn remove(&mut self, digest: &str) -> Option<Arc<Segment>> {
        let document = self.find(digest)?;
        Some(self.entries.remove(document.idx()).segment)
    }

    /// Adds vectors to their document.
    ///
    /// # Errors
    /// If the document is not in the index, or the batch does not fit its chunks or its vectors.
    pub fn add_vectors(&mut self, batch: &VectorBatch) -> Result<(), Error> {
        let entry = self
            .find(batch.digest())
            .and_then(|document| self.entries.get_mut(document.idx()))
            .ok_or_else(|| Error::new(ErrorKind::UnknownDocument))?;
        entry.vectors.add(batch, entry.segment.embeddable().len())
    }

    /// Takes over the vectors of another index, of the documents that both have.
    pub fn take_vectors(&mut self, other: &Self) {
        for (at, entry) in (0..).map(DocumentIdx).zip(&mut self.entries) {
            let is_same = |found: &&Entry| Arc::ptr_eq(&found.segment, &entry.segment);
            let here = other.get(at).filter(is_same);
            if let Some(found) = here.or_else(|| other.entries.iter().find(is_same)) {
                entry.vectors = found.vectors.clone();
            }
        }
    }

    /// Sets the statistics of the collection of which the documents here are a part; `None` for those of the documents
    /// themselves.
    pub fn set_collection(&mut self, collection: Option<Arc<Collection>>) {
        self.collection = collection;
    }

    /// Statistics of the collection of which the documents are a part, if they were set.
    pub fn collection(&self) -> Option<&Collection> {
        self.collection.as_deref()
    }

    /// Number of documents.
    pub fn n_documents(&self) -> usize {
        self.entries.len()
    }

    /// A document.
    pub fn get(&self, document: DocumentIdx) -> Option<&Entry> {
        self.entries.get(document.idx())
    }

    /// The document with this digest.
    pub fn find(&self, digest: &str) -> Option<DocumentIdx> {
        self.iter().find(|(_, entry)| entry.segment.document().digest == digest).map(|(document, _)| document)
    }

    /// The first document with this name.
    pub fn find_by_name(&self, name: &str) -> Option<DocumentIdx> {
        self.iter().find(|(_, entry)| entry.segment.document().name == name).map(|(document, _)| document)
    }

    /// The documents in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (DocumentIdx, &Entry)> {
        (0..).map(DocumentIdx).zip(&self.entries)
    }
}

fn is_same_text(a: &Segment, b: &Segment) -> bool {
    let (a, b) = (a.document(), b.document());
    a.title == b.title && a.chunks == b.chunks && a.tree == b.tree && a.layout.text == b.layout.text
}

#[cfg(test)]
mod tests {
    use document::{Chunk, ChunkKind, Document, SectionId, TextRange};
    use text::AnalyzerKind;

    use super::*;
    use crate::{Stats, TermStats};

    fn segment(name: &str, digest: &str, text: &str) -> Arc<Segment> {
        segment_of(name, digest, text, 2)
    }

    /// A document of so many equal children.
    fn segment_of(name: &str, digest: &str, text: &str, n: usize) -> Arc<Segment> {
        let chunk = Chunk {
            kind: ChunkKind::Child,
            ranges: vec![TextRange::new(0, text.len())],
            section: SectionId(0),
            n_tokens: 1,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        let mut document = Document {
            name: name.to_owned(),
            digest: digest.to_owned(),
            chunks: vec![chunk; n],
            ..Document::default()
        };
        document.layout.text = text.to_owned();
        Arc::new(Segment::new(document, AnalyzerKind::Default))
    }

    fn batch(digest: &str, model: &str, start: u32, n: usize) -> VectorBatch {
        VectorBatch::new(digest, model, start, &vec![vec![1.0, 0.0]; n]).unwrap()
    }

    fn names(index: &Index) -> Vec<String> {
        index.iter().map(|(_, entry)| entry.segment().document().name.clone()).collect()
    }

    #[test]
    fn a_document_takes_the_place_of_the_one_with_its_digest_and_stands_beside_its_namesake() {
        let mut index = Index::default();
        for (name, digest) in [("a", "1"), ("b", "2"), ("c", "3")] {
            assert!(index.insert(segment(name, digest, "records")).is_none());
        }
        assert!(index.insert(segment("b", "4", "new")).is_none());
        assert_eq!(names(&index), ["a", "b", "c", "b"]);
        assert!(index.insert(segment("z", "3", "renamed")).is_some());
        assert_eq!(names(&index), ["a", "b", "z", "b"]);
        assert!(index.insert(segment("a", "4", "a name of another")).is_some());
        assert_eq!(names(&index), ["a", "b", "z", "a"]);
        assert_eq!(index.find("4"), Some(DocumentIdx(3)));
        assert_eq!(index.find_by_name("z"), Some(DocumentIdx(2)));
    }

    #[test]
    fn a_snapshot_does_not_see_later_changes() {
        let mut index = Index::default();
        index.insert(segment("a", "1", "records are kept"));
        let snapshot = index.clone();
        index.insert(segment("b", "2", "records are old"));
        assert!(index.remove("1").is_some());
        assert!(index.remove("1").is_none());
        assert_eq!((names(&snapshot), names(&index)), (vec!["a".to_owned()], vec!["b".to_owned()]));
        assert_eq!(TermStats::of(&snapshot, "old").doc_freq, 0);
        assert_eq!(TermStats::of(&index, "old").doc_freq, 2);
        assert_eq!(Stats::of(&index).n_units, 2);
    }

    #[test]
    fn vectors_come_in_any_order_and_say_which_are_missing() {
        let mut index = Index::default();
        index.insert(segment("a", "1", "records"));
        let n_rows = |index: &Index| index.get(DocumentIdx(0)).unwrap().vectors().n_rows();
        index.add_vectors(&batch("1", "m", 1, 1)).unwrap();
        assert_eq!(n_rows(&index), 1);
        let gaps = |index: &Index| index.get(DocumentIdx(0)).unwrap().vectors().gaps(0..2);
        assert_eq!(gaps(&index), std::iter::once(0..1).collect::<Vec<_>>());
        index.add_vectors(&batch("1", "m", 0, 1)).unwrap();
        index.add_vectors(&batch("1", "m", 0, 1)).unwrap();
        assert_eq!(n_rows(&index), 2);
        assert!(gaps(&index).is_empty());
        for (wrong, why) in [
            (batch("9", "m", 0, 1), "another document"),
            (batch("1", "other", 0, 1), "another model"),
            (batch("1", "m", 2, 1), "past the end"),
        ] {
            assert!(index.add_vectors(&wrong).is_err(), "{why}");
        }
    }

    #[test]
    fn a_batch_brings_the_vectors_that_are_missing_and_leaves_the_others() {
        let mut index = Index::default();
        index.insert(segment_of("a", "1", "records", 6));
        let row = |value: f32| vec![value, 1.0];
        for (start, value) in [(1, 1.0), (4, 4.0)] {
            let early = VectorBatch::new("1", "m", start, &[row(value)]).unwrap();
            index.add_vectors(&early).unwrap();
        }
        let vectors = |index: &Index| index.get(DocumentIdx(0)).unwrap().vectors().clone();
        assert_eq!(vectors(&index).gaps(0..6), [0..1, 2..4, 5..6]);
        assert_eq!(vectors(&index).gaps(1..5), std::iter::once(2..4).collect::<Vec<_>>());
        index.add_vectors(&VectorBatch::new("1", "m", 0, &vec![row(9.0); 6]).unwrap()).unwrap();
        let first = |at: usize| vectors(&index).row(at).unwrap().to_vec()[0].round();
        assert_eq!([0, 1, 2, 3, 4, 5].map(first), [9.0, 1.0, 9.0, 9.0, 4.0, 9.0]);
        assert_eq!((vectors(&index).n_rows(), vectors(&index).gaps(0..6)), (6, Vec::new()));
    }

    #[test]
    fn a_snapshot_takes_over_the_vectors_of_documents_that_it_has() {
        let mut index = Index::default();
        index.insert(segment("a", "1", "records"));
        index.insert(segment("b", "2", "accounts"));
        let mut snapshot = index.clone();
        index.remove("1");
        index.insert(segment("c", "3", "ledgers"));
        index.add_vectors(&batch("2", "m", 0, 2)).unwrap();
        index.add_vectors(&batch("3", "m", 0, 2)).unwrap();
        snapshot.take_vectors(&index);
        let n_rows: Vec<usize> = snapshot.iter().map(|(_, entry)| entry.vectors().n_rows()).collect();
        assert_eq!(n_rows, [0, 2]);
    }

    #[test]
    fn the_same_document_added_again_keeps_its_vectors_and_a_changed_one_does_not() {
        let mut index = Index::default();
        index.insert(segment("a", "1", "records"));
        index.add_vectors(&batch("1", "m", 0, 2)).unwrap();
        index.insert(segment("renamed", "1", "records"));
        assert_eq!(index.get(DocumentIdx(0)).unwrap().vectors().n_rows(), 2);
        index.insert(segment("renamed", "1", "cut anew"));
        assert_eq!(index.get(DocumentIdx(0)).unwrap().vectors().n_rows(), 0);
    }
}
