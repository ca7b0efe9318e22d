//! Small laws of our own writing, as documents whose every provision is a section, an article and a child.

use std::sync::Arc;

use document::{
    Chunk, ChunkId, ChunkKind, DefinedTerm, Document, Label, Section, SectionId, TermKind, TextRange,
};
use index::{Index, Segment};
use text::AnalyzerKind;

use crate::{AnalyzedQuery, Glossary, Lexicon, Options, Query, search};

/// A law: label key, heading and text of each provision. A key that is indented by two spaces lies in the
/// provision before it that is not.
pub fn law(name: &str, title: &str, provisions: &[(&str, &str, &str)]) -> Document {
    let mut law = Document {
        name: format!("{name}.pdf"),
        digest: name.to_owned(),
        title: Some(title.to_owned()),
        ..Document::default()
    };
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: TextRange::default(),
        blocks: Vec::new(),
        is_article: false,
    };
    law.tree.sections.push(root);
    let mut outer = SectionId(0);
    for (key, heading, text) in provisions {
        let is_inner = key.starts_with("  ");
        let parent = if is_inner { outer } else { SectionId(0) };
        let id = push_provision(&mut law, parent, key.trim(), heading, text);
        if !is_inner {
            outer = id;
        }
    }
    if let Some(root) = law.tree.sections.first_mut() {
        root.range = TextRange::new(0, law.layout.text.len());
    }
    law
}

/// Adds a provision with its article and child chunks; section 0 holds the outermost.
fn push_provision(law: &mut Document, parent: SectionId, key: &str, heading: &str, text: &str) -> SectionId {
    let start = law.layout.text.len();
    law.layout.text.push_str(text);
    let range = TextRange::new(start, law.layout.text.len());
    law.layout.text.push('\n');
    let id = SectionId::from_idx(law.tree.sections.len());
    let is_inner = parent != SectionId(0);
    law.tree.sections.push(Section {
        parent: Some(parent),
        level: if is_inner { 2 } else { 1 },
        label: Some(Label { text: key.to_owned(), key: key.to_owned() }),
        title: format!("{key} {heading}"),
        heading: None,
        range,
        blocks: Vec::new(),
        is_article: true,
    });
    if is_inner && let Some(outer) = law.tree.sections.get_mut(parent.idx()) {
        outer.range.end = range.end;
        outer.is_article = false;
    }
    let article = ChunkId::from_idx(law.chunks.len());
    for (kind, article) in [(ChunkKind::Article, None), (ChunkKind::Child, Some(article))] {
        law.chunks.push(Chunk {
            kind,
            ranges: vec![range],
            section: id,
            n_tokens: 1,
            parents: Vec::new(),
            article,
            notes: Vec::new(),
        });
    }
    id
}

/// Says that a law defines a term by words of its text.
pub fn defines(mut law: Document, term: &str, meaning: &str, kind: TermKind) -> Document {
    let range = |part: &str| {
        let start = law.layout.text.find(part).unwrap();
        TextRange::new(start, start + part.len())
    };
    let defined = DefinedTerm { term: term.to_owned(), range: range(term), meaning: range(meaning), kind };
    law.tree.terms.push(defined);
    law
}

pub fn index(laws: Vec<Document>) -> Index {
    let mut index = Index::default();
    for law in laws {
        index.insert(Arc::new(Segment::new(law, AnalyzerKind::Default)));
    }
    index
}

/// Best first: the law and label of each hit, the question read as such.
pub fn ask(index: &Index, text: &str, glossary: &Glossary, options: &Options) -> Vec<String> {
    let question = AnalyzedQuery::read(text, &Lexicon::of(index), glossary);
    let query = Query { text, vector: None, analysis: Some(&question), citations: None };
    let mut labels = Vec::new();
    for hit in search(index, &query, options) {
        let law = index.get(hit.document).unwrap().segment().document();
        let section = law.chunks[hit.chunk.idx()].section;
        let key = law.tree.sections[section.idx()].label.as_ref().map_or("", |label| label.key.as_str());
        labels.push(format!("{} {key}", law.digest));
    }
    labels
}
