//! Passages with their places in documents, and curated edges, from their files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

use document::Slice as _;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use crate::failure::Failure;
use crate::outline::{Outline, path_of};

#[derive(Deserialize)]
struct PassageRow {
    id: String,
    doc: u32,
    pid: String,
    text: String,
}

#[derive(Deserialize)]
struct DocumentRow {
    doc: u32,
    #[serde(default)]
    short: String,
    #[serde(default)]
    source: String,
}

#[derive(Deserialize)]
struct EdgeRow {
    src: String,
    dst: String,
    #[serde(default, rename = "ref")]
    reference: String,
    #[serde(rename = "type")]
    kind: String,
}

/// A passage.
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) document: usize,
    pub(super) node: usize,
    pub(super) pid: String,
}

/// A provision: one or more passages, or none where only provisions in it are passages.
pub(super) struct Node {
    pub(super) document: usize,
    pub(super) parent: Option<usize>,
    pub(super) key: String,
    pub(super) passages: Vec<usize>,
}

/// A curated reference, from a passage to a node.
pub(super) struct Edge {
    pub(super) src: usize,
    pub(super) dst: usize,
    pub(super) external: bool,
    pub(super) reference: String,
}

/// Passages, provisions, names.
pub(super) struct Corpus {
    pub(super) passages: Vec<Passage>,
    /// In document order, parents first.
    pub(super) nodes: Vec<Node>,
    /// Names of the documents.
    pub(super) names: Vec<Vec<String>>,
    ids: BTreeMap<String, usize>,
}

impl Corpus {
    /// Reads passages, and names of documents where there are some.
    pub(super) fn read(path: &Path, docs: Option<&Path>) -> Result<Self, Failure> {
        let mut rows: Vec<PassageRow> = Vec::new();
        for_lines(path, |line| {
            rows.push(serde_json::from_str(line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        for row in &rows {
            let next = numbers.len();
            numbers.entry(row.doc).or_insert(next);
        }
        let mut names: Vec<Vec<String>> = vec![Vec::new(); numbers.len()];
        if let Some(docs) = docs {
            for_lines(docs, |line| {
                let row: DocumentRow = serde_json::from_str(line).map_err(|error| error.to_string())?;
                if let Some(names) = numbers.get(&row.doc).and_then(|&at| names.get_mut(at)) {
                    names.extend([row.short, without_version(&row.source)]);
                }
                Ok(())
            })?;
        }
        let mut corpus = Self { passages: Vec::new(), nodes: Vec::new(), names, ids: BTreeMap::new() };
        for (at, row) in rows.into_iter().enumerate() {
            let document = numbers.get(&row.doc).copied().unwrap_or(0);
            corpus.passages.push(Passage { text: row.text, document, node: 0, pid: row.pid });
            corpus.ids.insert(row.id, at);
        }
        corpus.grow(numbers.len());
        Ok(corpus)
    }

    /// Makes the nodes from the paths of the passages.
    fn grow(&mut self, n_documents: usize) {
        let mut outlines: Vec<Outline> = (0..n_documents).map(|_| Outline::default()).collect();
        for (at, passage) in self.passages.iter().enumerate() {
            if let Some(outline) = outlines.get_mut(passage.document) {
                outline.insert(path_of(&passage.pid), at);
            }
        }
        for (document, outline) in outlines.iter().enumerate() {
            let start = self.nodes.len();
            for node in outline.nodes() {
                for &passage in &node.passages {
                    if let Some(passage) = self.passages.get_mut(passage) {
                        passage.node = self.nodes.len();
                    }
                }
                let parent = node.parent.map(|parent| start + parent);
                self.nodes.push(Node { document, parent, key: node.key, passages: node.passages });
            }
        }
    }

    /// Reads the edges; those with an unknown end are left out.
    pub(super) fn edges(&self, path: &Path) -> Result<Vec<Edge>, Failure> {
        let mut edges = Vec::new();
        for_lines(path, |line| {
            let row: EdgeRow = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let dst = self.ids.get(&row.dst).and_then(|&at| self.passages.get(at));
            if let (Some(&src), Some(dst)) = (self.ids.get(&row.src), dst) {
                edges.push(Edge {
                    src,
                    dst: dst.node,
                    external: row.kind.eq_ignore_ascii_case("external"),
                    reference: row.reference,
                });
            }
            Ok(())
        })?;
        Ok(edges)
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The passage of a node: its own, or the first one inside it.
    pub(super) fn passage_at(&self, node: usize) -> Option<usize> {
        let at = (node..self.nodes.len())
            .take(64)
            .find(|&at| self.nodes.get(at).is_some_and(|node| !node.passages.is_empty()))?;
        self.holds(node, at).then_some(at)
    }

    /// True if `outer` is or contains `inner`.
    pub(super) fn holds(&self, outer: usize, inner: usize) -> bool {
        // The root encloses everything, so it identifies nothing.
        let up = std::iter::successors(Some(inner), |&at| self.nodes.get(at).and_then(|node| node.parent));
        self.nodes.get(outer).is_some_and(|node| node.parent.is_some()) && up.take(32).any(|at| at == outer)
    }

    /// "FSMR 58.(2)".
    pub(super) fn name(&self, passage: usize) -> String {
        let Some(passage) = self.passages.get(passage) else { return String::new() };
        let document = self.names.get(passage.document).and_then(|names| names.first());
        format!("{} {}", document.map_or("", String::as_str), passage.pid)
    }

    pub(super) fn node_name(&self, node: usize) -> String {
        let first = self.nodes.get(node).and_then(|node| node.passages.first());
        first.map(|&passage| self.name(passage)).unwrap_or_default()
    }

    /// The beginning of a node's text.
    pub(super) fn head(&self, node: usize) -> String {
        let first = self.nodes.get(node).and_then(|node| node.passages.first());
        let text = first.and_then(|&at| self.passages.get(at)).map_or("", |passage| passage.text.as_str());
        text.chars().take(90).collect()
    }
}

/// The text around a reference.
pub(super) fn around(text: &str, part: &str) -> String {
    let at = text.find(part).unwrap_or(0);
    let start = text.floor_char_boundary(at.saturating_sub(90));
    text.slice(start..).chars().take(190).collect()
}

/// A file's name without the version that it ends with: "AML_VER09.211223", "Notes (VER03.181223)".
fn without_version(source: &str) -> String {
    let lower = source.to_ascii_lowercase();
    let cut = lower.rfind("ver0").filter(|&at| at > 0).unwrap_or(source.len());
    source.get(..cut).unwrap_or(source).trim_end_matches(['_', ' ', '(']).replace('_', " ")
}

fn for_lines(path: &Path, mut each: impl FnMut(&str) -> Result<(), String>) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    for (n, line) in (1..).zip(BufReader::new(reader).lines()) {
        let line = line.map_err(|error| Failure::io(path, &error))?;
        if !line.trim().is_empty() {
            each(&line).map_err(|error| Failure::Failed(format!("{}:{n}: {error}", path.display())))?;
        }
    }
    Ok(())
}
