//! Tables of a document, in Arrow's columns. A text that stands in the document's text is a view of it: the text is held
//! once by all tables of the document, and nothing is copied when a table is handed over.

use std::sync::{Arc, OnceLock};

use arrow_array::builder::{ListBuilder, StringBuilder, StringViewBuilder, UInt32Builder};
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeListArray, Float32Array, RecordBatch, StringArray, UInt8Array,
    UInt32Array,
};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use document::{Chunk, ChunkId, Document, TextRange};
use engine::Segment;
use pyo3::prelude::{PyErr, PyResult};
use pyo3_arrow::PyRecordBatch;
use retrieval::{Bm25, saturation};

use crate::error::bad_argument;

/// Numbers of a quad: x and y of four corners.
const QUAD_LEN: i32 = 8;
/// Between the headings of a path.
const SEPARATOR: &str = " › ";

/// Tables of a document.
pub struct Tables {
    segment: Arc<Segment>,
    /// The text, copied once when the first table with texts is made.
    text: OnceLock<Buffer>,
}

impl Tables {
    pub fn new(segment: Arc<Segment>) -> Self {
        Self { segment, text: OnceLock::new() }
    }

    fn document(&self) -> &Document {
        self.segment.document()
    }

    pub fn pages(&self) -> PyResult<PyRecordBatch> {
        let pages = &self.document().layout.pages;
        let size = |dimension: fn((f32, f32)) -> f32| -> ArrayRef {
            let sizes = pages.iter().map(|page| dimension(size_of(page)));
            Arc::new(Float32Array::from_iter_values(sizes))
        };
        table(vec![
            ("page", numbers(1..=pages.len())),
            ("label", optional_texts(pages.iter().map(|page| page.label.as_deref()))),
            ("width", size(|(width, _)| width)),
            ("height", size(|(_, height)| height)),
        ])
    }

    pub fn blocks(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let blocks = &document.layout.blocks;
        let ranges: Vec<[TextRange; 1]> = blocks.iter().map(|block| [block.range]).collect();
        let size = blocks.iter().map(|block| block.style.size.0);
        table(vec![
            ("block", numbers(0..blocks.len())),
            ("kind", names(blocks.iter().map(|block| &block.kind))?),
            ("role", names(blocks.iter().map(|block| &block.role))?),
            ("page", optional_numbers(ranges.iter().map(|ranges| first_page(document, ranges)))),
            ("start", numbers(blocks.iter().map(|block| block.range.start as usize))),
            ("end", numbers(blocks.iter().map(|block| block.range.end as usize))),
            ("text", self.texts(ranges.iter().map(<[TextRange; 1]>::as_slice))?),
            ("size", Arc::new(Float32Array::from_iter_values(size))),
            ("bold", Arc::new(BooleanArray::from_iter(blocks.iter().map(|block| Some(block.style.bold))))),
            (
                "italic",
                Arc::new(BooleanArray::from_iter(blocks.iter().map(|block| Some(block.style.italic)))),
            ),
        ])
    }

    pub fn sections(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let sections = &document.tree.sections;
        let levels = sections.iter().map(|section| section.level);
        table(vec![
            ("section", numbers(0..sections.len())),
            ("parent", optional_numbers(sections.iter().map(|section| section.parent.map(|id| id.0)))),
            ("level", Arc::new(UInt8Array::from_iter_values(levels))),
            (
                "label",
                optional_texts(sections.iter().map(|section| Some(section.label.as_ref()?.text.as_str()))),
            ),
            ("title", texts(sections.iter().map(|section| section.title.as_str()))),
            (
                "page",
                optional_numbers(sections.iter().map(|section| {
                    let at = section.heading.unwrap_or(section.range);
                    first_page(document, &[TextRange { end: at.end.min(at.start + 1), ..at }])
                })),
            ),
            ("start", numbers(sections.iter().map(|section| section.range.start as usize))),
            ("end", numbers(sections.iter().map(|section| section.range.end as usize))),
            (
                "is_article",
                Arc::new(BooleanArray::from_iter(sections.iter().map(|section| Some(section.is_article)))),
            ),
        ])
    }

    pub fn references(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let references = &document.tree.references;
        let ranges: Vec<[TextRange; 1]> = references.iter().map(|reference| [reference.range]).collect();
        let mut paths = ListBuilder::new(StringBuilder::new());
        for reference in references {
            reference.cite.path.iter().for_each(|part| paths.values().append_value(part));
            paths.append(true);
        }
        table(vec![
            ("start", numbers(references.iter().map(|reference| reference.range.start as usize))),
            ("end", numbers(references.iter().map(|reference| reference.range.end as usize))),
            ("page", optional_numbers(ranges.iter().map(|ranges| first_page(document, ranges)))),
            ("text", self.texts(ranges.iter().map(<[TextRange; 1]>::as_slice))?),
            (
                "instrument",
                optional_texts(references.iter().map(|reference| reference.cite.instrument.as_deref())),
            ),
            ("path", Arc::new(paths.finish())),
            ("target", optional_numbers(references.iter().map(|reference| reference.target.map(|id| id.0)))),
        ])
    }

    pub fn notes(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let notes = &document.tree.notes;
        let blocks = &document.layout.blocks;
        let ranges: Vec<Vec<TextRange>> = notes
            .iter()
            .map(|note| note.blocks.iter().filter_map(|id| Some(blocks.get(id.idx())?.range)).collect())
            .collect();
        let mut marks = ListBuilder::new(UInt32Builder::new());
        for note in notes {
            marks.values().append_slice(&note.marks);
            marks.append(true);
        }
        table(vec![
            ("note", numbers(0..notes.len())),
            ("marker", texts(notes.iter().map(|note| note.marker.as_str()))),
            ("page", optional_numbers(notes.iter().map(|note| note.page.map(|page| page.0 + 1)))),
            ("text", self.texts(ranges.iter().map(Vec::as_slice))?),
            ("marks", Arc::new(marks.finish())),
        ])
    }

    pub fn terms(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let terms = &document.tree.terms;
        let meanings: Vec<[TextRange; 1]> = terms.iter().map(|term| [term.meaning]).collect();
        table(vec![
            ("term", texts(terms.iter().map(|term| term.term.as_str()))),
            ("kind", names(terms.iter().map(|term| &term.kind))?),
            ("page", optional_numbers(meanings.iter().map(|ranges| first_page(document, ranges)))),
            ("start", numbers(terms.iter().map(|term| term.meaning.start as usize))),
            ("end", numbers(terms.iter().map(|term| term.meaning.end as usize))),
            ("meaning", self.texts(meanings.iter().map(<[TextRange; 1]>::as_slice))?),
        ])
    }

    pub fn chunks(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let chunks = &document.chunks;
        let mut parents = ListBuilder::new(UInt32Builder::new());
        let mut notes = ListBuilder::new(UInt32Builder::new());
        for chunk in chunks {
            chunk.parents.iter().for_each(|id| parents.values().append_value(id.0));
            parents.append(true);
            chunk.notes.iter().for_each(|id| notes.values().append_value(id.0));
            notes.append(true);
        }
        let paths: Vec<String> =
            chunks.iter().map(|chunk| document.section_path(chunk).join(SEPARATOR)).collect();
        table(vec![
            ("chunk", numbers(0..chunks.len())),
            ("kind", texts(chunks.iter().map(|chunk| chunk.kind.name()))),
            ("section", numbers(chunks.iter().map(|chunk| chunk.section.idx()))),
            ("path", texts(paths.iter().map(String::as_str))),
            ("page", optional_numbers(chunks.iter().map(|chunk| first_page(document, &chunk.ranges)))),
            ("text", self.texts(chunks.iter().map(|chunk| chunk.ranges.as_slice()))?),
            ("n_tokens", Arc::new(UInt32Array::from_iter_values(chunks.iter().map(|chunk| chunk.n_tokens)))),
            ("parents", Arc::new(parents.finish())),
            ("article", optional_numbers(chunks.iter().map(|chunk| chunk.article.map(|id| id.0)))),
            ("notes", Arc::new(notes.finish())),
        ])
    }

    /// One row for each line that a chunk has on a page; none of a document without pages.
    pub fn quads(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let (mut of, mut pages, mut corners) = (Vec::new(), Vec::new(), Vec::new());
        for (chunk, ranges) in document.chunks.iter().map(|chunk| &chunk.ranges).enumerate() {
            for span in ranges.iter().flat_map(|&range| document.layout.spans(range)) {
                let Some(page) = span.page else { continue };
                of.extend(span.quads.iter().map(|_| chunk));
                pages.extend(span.quads.iter().map(|_| page.idx() + 1));
                corners.extend(span.quads.into_iter().flatten());
            }
        }
        let corner = Arc::new(Field::new("item", DataType::Float32, false));
        let corners = Arc::new(Float32Array::from(corners));
        let quads = FixedSizeListArray::try_new(corner, QUAD_LEN, corners, None).map_err(arrow)?;
        let of = numbers(of.into_iter());
        table(vec![("chunk", of), ("page", numbers(pages.into_iter())), ("quad", Arc::new(quads))])
    }

    pub fn units(&self) -> PyResult<PyRecordBatch> {
        let document = self.document();
        let units = self.segment.units();
        let chunks: Vec<_> = units.iter().filter_map(|&id| document.chunks.get(id.idx())).collect();
        let row = |id: &ChunkId| u32::try_from(self.segment.row_of(*id)?).ok();
        let legal_status = |chunk: &&Chunk| Some(document.tree.legal_status(chunk.section)?.name());
        let paths: Vec<String> =
            chunks.iter().map(|chunk| document.section_path(chunk).join(SEPARATOR)).collect();
        let lengths = self.segment.postings().lengths();
        let length = |of: fn(&index::UnitLength) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values(lengths.iter().map(of)))
        };
        table(vec![
            ("unit", numbers(0..units.len())),
            ("chunk", numbers(units.iter().map(|id| id.idx()))),
            ("kind", texts(chunks.iter().map(|chunk| chunk.kind.name()))),
            ("section", numbers(chunks.iter().map(|chunk| chunk.section.idx()))),
            ("path", texts(paths.iter().map(String::as_str))),
            ("page", optional_numbers(chunks.iter().map(|chunk| first_page(document, &chunk.ranges)))),
            ("text", self.texts(chunks.iter().map(|chunk| chunk.ranges.as_slice()))?),
            ("legal_status", optional_texts(chunks.iter().map(legal_status))),
            ("row", optional_numbers(units.iter().map(row))),
            ("text_length", length(|length| length.text)),
            ("header_length", length(|length| length.header)),
        ])
    }

    /// A column of texts: one range each is a view of the document's text, several are joined by line feeds.
    fn texts<'r>(&self, ranges: impl Iterator<Item = &'r [TextRange]>) -> PyResult<ArrayRef> {
        let document = self.document();
        let text = self.text.get_or_init(|| Buffer::from(document.layout.text.as_bytes()));
        let mut column = StringViewBuilder::new();
        let block = column.append_block(text.clone());
        for ranges in ranges {
            match ranges {
                [range] => {
                    let appended =
                        column.try_append_view(block, range.start, range.end.saturating_sub(range.start));
                    appended.map_err(arrow)?;
                }
                _ => {
                    let parts: Vec<&str> = ranges.iter().map(|&range| document.layout.slice(range)).collect();
                    column.append_value(parts.join("\n"));
                }
            }
        }
        Ok(Arc::new(column.finish()))
    }
}

/// Postings of a segment with BM25's saturated frequencies.
pub fn postings(segment: &Segment, mean_length: Option<f64>) -> PyResult<PyRecordBatch> {
    let bm25 = Bm25::default();
    let header_weight = f64::from(bm25.header_weight);
    let own = || crate::statistics::Statistics::of(segment).stats.mean_length(header_weight);
    let mean = mean_length.unwrap_or_else(own);
    if !(mean.is_finite() && mean > 0.0) {
        return Err(bad_argument("the mean length is not above 0"));
    }
    let postings = segment.postings();
    let lengths = postings.lengths();
    let (mut units, mut terms, mut weights) = (Vec::new(), StringBuilder::new(), Vec::new());
    let (mut text_freqs, mut header_freqs) = (Vec::new(), Vec::new());
    for (term, list) in postings.iter() {
        for posting in list.iter() {
            let Some(length) = lengths.get(posting.unit as usize) else { continue };
            let freq = f64::from(posting.text_freq) + header_weight * f64::from(posting.header_freq);
            let length = f64::from(length.text) + header_weight * f64::from(length.header);
            units.push(posting.unit);
            terms.append_value(term);
            weights.push(saturation(freq, length / mean, &bm25) as f32);
            text_freqs.push(u32::from(posting.text_freq));
            header_freqs.push(u32::from(posting.header_freq));
        }
    }
    table(vec![
        ("unit", Arc::new(UInt32Array::from(units))),
        ("term", Arc::new(terms.finish())),
        ("weight", Arc::new(Float32Array::from(weights))),
        ("text_freq", Arc::new(UInt32Array::from(text_freqs))),
        ("header_freq", Arc::new(UInt32Array::from(header_freqs))),
    ])
}

fn table(columns: Vec<(&str, ArrayRef)>) -> PyResult<PyRecordBatch> {
    let fields = columns.iter().map(|(name, column)| {
        Field::new(*name, column.data_type().clone(), column.null_count() > 0 || is_optional(name))
    });
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    let batch = RecordBatch::try_new(Arc::new(schema), columns).map_err(arrow)?;
    Ok(PyRecordBatch::new(batch))
}

/// Columns that may be empty in any document: the schema is the same for all.
fn is_optional(name: &str) -> bool {
    ["page", "label", "parent", "instrument", "target", "article", "row", "legal_status"].contains(&name)
}

fn arrow(error: ArrowError) -> PyErr {
    bad_argument(error.to_string())
}

fn size_of(page: &document::PageInfo) -> (f32, f32) {
    let (width, height) = page.geometry.size();
    (width.0, height.0)
}

/// Number of the first page that some ranges touch, from 1.
fn first_page(document: &Document, ranges: &[TextRange]) -> Option<u32> {
    let range = ranges.first()?;
    document.layout.words.words_in(*range).next().map(|word| word.page.0 + 1)
}

fn numbers(values: impl Iterator<Item = usize>) -> ArrayRef {
    Arc::new(UInt32Array::from_iter_values(values.map(|value| u32::try_from(value).unwrap_or(u32::MAX))))
}

fn optional_numbers(values: impl Iterator<Item = Option<u32>>) -> ArrayRef {
    Arc::new(UInt32Array::from_iter(values))
}

fn texts<'a>(values: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

fn optional_texts<'a>(values: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    Arc::new(StringArray::from_iter(values))
}

/// A column of the names that the values have where they are stored.
fn names<'a, T: serde::Serialize + 'a>(values: impl Iterator<Item = &'a T>) -> PyResult<ArrayRef> {
    let name = |value: &T| match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => Ok(name.to_lowercase()),
        other => Err(bad_argument(format!("a kind without a name: {other:?}"))),
    };
    let names = values.map(name).collect::<PyResult<Vec<String>>>()?;
    Ok(Arc::new(StringArray::from_iter_values(names)))
}
