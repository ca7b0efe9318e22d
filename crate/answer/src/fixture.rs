//! Documents built in code for tests of this crate, and a library of them.

use document::{
    Block, BlockKind, BlockStyle, Chunk, ChunkId, ChunkKind, Cite, CrossReference, DefinedTerm, Definition,
    Document, DocumentIdx, Label, Layout, Role, Section, SectionId, TermKind, TextRange, Tree,
};

use crate::answer::{Citation, Evidence};
use crate::corpus::{Corpus, TermUse, TermWeights};
use citations::Status;

/// A document of numbered sections, each one paragraph and one child chunk; section `n` from 1 is the `n`-th.
pub fn document(title: &str, sections: &[(&str, &str)]) -> Document {
    let mut layout = Layout::default();
    let mut tree = Tree::default();
    let mut chunks = Vec::new();
    let node = |label: Option<&str>, level, range| Section {
        parent: (level > 0).then_some(SectionId(0)),
        level,
        label: label.map(|key| Label { text: key.to_owned(), key: key.to_owned() }),
        title: label.unwrap_or_default().to_owned(),
        heading: None,
        range,
        blocks: Vec::new(),
        is_article: level > 0,
    };
    tree.sections.push(node(None, 0, TextRange::new(0, 0)));
    for (at, (label, text)) in sections.iter().enumerate() {
        if !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(text);
        let range = TextRange::new(start, layout.text.len());
        layout.blocks.push(Block {
            kind: BlockKind::Paragraph,
            role: Role::Body,
            range,
            style: BlockStyle::default(),
            marker: None,
        });
        tree.sections.push(node(Some(label), 1, range));
        chunks.push(Chunk {
            kind: ChunkKind::Child,
            ranges: vec![range],
            section: SectionId::from_idx(at + 1),
            n_tokens: 0,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        });
    }
    if let Some(root) = tree.sections.first_mut() {
        root.range = TextRange::new(0, layout.text.len());
    }
    Document {
        name: format!("{title}.pdf"),
        title: Some(title.to_owned()),
        layout,
        tree,
        chunks,
        ..Document::default()
    }
}

/// A document of one section without a number, whose blocks are these texts, all in one child chunk.
pub fn of_blocks(blocks: &[(BlockKind, &str)]) -> Document {
    let mut layout = Layout::default();
    for &(kind, text) in blocks {
        if !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(text);
        let range = TextRange::new(start, layout.text.len());
        let style = BlockStyle::default();
        layout.blocks.push(Block { kind, role: Role::Body, range, style, marker: None });
    }
    let all = TextRange::new(0, layout.text.len());
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: all,
        blocks: Vec::new(),
        is_article: false,
    };
    let chunk = Chunk {
        kind: ChunkKind::Child,
        ranges: vec![all],
        section: SectionId(0),
        n_tokens: 0,
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    };
    Document {
        name: "a.pdf".to_owned(),
        layout,
        tree: Tree { sections: vec![root], ..Tree::default() },
        chunks: vec![chunk],
        ..Document::default()
    }
}

/// The same with some of its blocks, from the first to the last of each pair, made numbered provisions.
pub fn numbered(mut document: Document, provisions: &[(usize, usize)]) -> Document {
    for &(first, last) in provisions {
        let (from, to) = (document.layout.blocks[first].range.start, document.layout.blocks[last].range.end);
        let section = Section {
            parent: Some(SectionId(0)),
            level: 1,
            label: None,
            title: String::new(),
            heading: None,
            range: TextRange { start: from, end: to },
            blocks: Vec::new(),
            is_article: true,
        };
        document.tree.sections.push(section);
    }
    document
}

/// Marks `note`, the text of a footnote block, as called behind `words`.
pub fn call_note(document: &mut Document, words: &str, marker: &str, note: &str) {
    let at = range_of(document, words).end;
    let start = range_of(document, note).start;
    let block = document.layout.blocks.iter().position(|block| block.range.start == start);
    let block = document::BlockId::from_idx(block.expect("the note is a block"));
    let rect = document::Rect { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };
    let mark = document::NoteMark { at, marker: marker.to_owned(), page: None, rect };
    let mark_idx = u32::try_from(document.layout.marks.len()).expect("few marks");
    document.layout.marks.push(mark);
    let note =
        document::Note { marker: marker.to_owned(), page: None, blocks: vec![block], marks: vec![mark_idx] };
    document.tree.notes.push(note);
}

/// Where `words` stand in a document.
pub fn range_of(document: &Document, words: &str) -> TextRange {
    let start = document.layout.text.find(words).expect("the words are in the document");
    TextRange::new(start, start + words.len())
}

/// Records a reference that a document prints, to the section of that label here or in the library.
pub fn refer(document: &mut Document, printed: &str, key: &str) {
    let range = range_of(document, printed);
    let target = (document.tree.sections.iter())
        .position(|section| section.label.as_ref().is_some_and(|label| label.key == key))
        .map(SectionId::from_idx);
    let cite = Cite { instrument: None, path: vec![key.to_owned()] };
    document.tree.references.push(CrossReference { range, cite, target });
    document.tree.references.sort_by_key(|reference| reference.range.start);
}

/// Records that a document defines a term by these words, which stand behind it.
pub fn define(document: &mut Document, term: &str, meaning: &str) {
    let (range, meaning) = (range_of(document, term), range_of(document, meaning));
    document.tree.terms.push(DefinedTerm {
        term: term.to_owned(),
        range,
        meaning,
        kind: TermKind::Definition,
    });
}

/// Documents, searched by nothing: tests say what was found.
pub struct Library {
    pub documents: Vec<Document>,
}

impl Library {
    pub fn new(documents: Vec<Document>) -> Self {
        Self { documents }
    }

    /// All chunks of all documents, in order.
    pub fn evidence(&self) -> Vec<Evidence<'_>> {
        let documents = (0_u32..).zip(&self.documents);
        let of = |(at, source): (u32, &'_ Document)| {
            let n = source.chunks.len();
            (0..n).map(move |chunk| (DocumentIdx(at), ChunkId::from_idx(chunk))).collect::<Vec<_>>()
        };
        let places = documents.flat_map(of);
        let item = |(document, chunk): (DocumentIdx, ChunkId)| Evidence {
            document,
            source: &self.documents[document.idx()],
            chunk,
            score: 1.0,
            cosine: None,
        };
        places.map(item).collect()
    }
}

/// A citation of `quote` in a section of a document.
pub fn cite(library: &Library, document: u32, section: u32, quote: &str) -> Citation {
    Citation {
        id: 1,
        document: DocumentIdx(document),
        chunk: ChunkId(section - 1),
        section: SectionId(section),
        range: range_of(&library.documents[document as usize], quote),
        rest: Vec::new(),
        quote: quote.to_owned(),
        status: Status::Verified,
        score: 1.0,
        operative: None,
    }
}

impl TermWeights for Library {
    fn idf(&self, term: &str) -> f64 {
        let holds = |document: &&Document| document.layout.text.to_lowercase().contains(term);
        if term.is_empty() || !self.documents.iter().any(|document| holds(&document)) { 3.0 } else { 1.0 }
    }
}

impl Corpus for Library {
    fn document(&self, at: DocumentIdx) -> Option<&Document> {
        self.documents.get(at.idx())
    }

    fn provision(&self, _: DocumentIdx, cite: &Cite) -> Option<(DocumentIdx, SectionId)> {
        let key = cite.path.last()?;
        (0_u32..).zip(&self.documents).find_map(|(at, document)| {
            let mut sections = document.tree.sections.iter();
            let section =
                sections.position(|node| node.label.as_ref().is_some_and(|label| label.key == *key))?;
            Some((DocumentIdx(at), SectionId::from_idx(section)))
        })
    }

    fn terms(&self, text: &str) -> Vec<TermUse> {
        let mut uses: Vec<TermUse> = Vec::new();
        for (at, document) in (0_u32..).zip(&self.documents) {
            for term in &document.tree.terms {
                let Some(start) = text.to_lowercase().find(&term.term.to_lowercase()) else { continue };
                let definition = Definition {
                    document: DocumentIdx(at),
                    section: document.tree.innermost(term.range),
                    meaning: term.meaning,
                };
                match uses.iter_mut().find(|known| known.term == term.term) {
                    Some(known) => known.definitions.push(definition),
                    None => uses.push(TermUse {
                        range: start..start + term.term.len(),
                        term: term.term.clone(),
                        definitions: vec![definition],
                    }),
                }
            }
        }
        uses.sort_by_key(|term| term.range.start);
        uses
    }
}
