//! Cross-references between the documents of a library.
//!
//! A document resolves references to itself when it is read. References to another instrument are resolved here, once
//! the library has it. Names are the documents' titles and files, the names that they give themselves and
//! each other ("the Markets Rules (“MKT”)"), and initials. Cost: one index over the sections of all documents
//! a call, linear in their text; then some logarithms a reference.

use document::{Document, DocumentIdx, SectionId};
use text::reference::{ProvisionIndexBuilder, ProvisionReference, ReferenceContext, Scope};

use crate::library::Library;

/// A reference of one document to a section of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The reference, as an index into the references of the document's tree.
    pub reference: usize,
    /// The document that it names.
    pub document: DocumentIdx,
    /// The section there.
    pub section: SectionId,
}

impl Library {
    /// The references of a document that its own tree leaves open and another document of the library has.
    /// Empty for a document that is not here.
    pub fn links(&self, id: &str) -> Vec<Link> {
        let mut builder = ProvisionIndexBuilder::default();
        // For each document of the index: its place in the library, and its first node.
        let mut starts: Vec<(DocumentIdx, usize)> = Vec::new();
        let mut n_nodes = 0;
        let mut source = None;
        for (at, entry) in self.index.iter() {
            let document = entry.segment().document();
            if document.digest == id {
                source = Some((starts.len(), document));
            }
            let number = sections::add_provisions(
                &mut builder,
                &document.layout,
                &document.tree.sections,
                &names(document),
            );
            for reference in &document.tree.references {
                builder.observe(number, &provision_reference(&reference.cite));
            }
            starts.push((at, n_nodes));
            n_nodes += document.tree.sections.len();
        }
        let Some((number, document)) = source else { return Vec::new() };
        let index = builder.build();
        let place = ReferenceContext { document: number, node: None, last: None };
        let open =
            document.tree.references.iter().enumerate().filter(|(_, reference)| reference.target.is_none());
        open.filter_map(|(reference, open)| {
            let node = index.resolve(&provision_reference(&open.cite), place)?;
            let &(document, start) = starts.get(index.document(node)?)?;
            Some(Link { reference, document, section: SectionId::from_idx(node - start) })
        })
        .collect()
    }
}

fn provision_reference(cite: &document::Cite) -> ProvisionReference {
    ProvisionReference {
        range: 0..0,
        instrument: cite.instrument.clone(),
        path: cite.path.clone(),
        scope: Scope::Document,
        through: false,
    }
}

/// The names under which a document goes: its title, and its file without the ending.
fn names(document: &Document) -> Vec<String> {
    let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
    document.title.iter().cloned().chain([stem.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use document::{CrossReference, Label, Layout, Section, TextRange, Tree};
    use index::Segment;
    use text::AnalyzerKind;

    use super::*;

    fn section(parent: Option<usize>, level: u8, key: &str) -> Section {
        Section {
            parent: parent.map(SectionId::from_idx),
            level,
            label: Some(Label { text: key.to_owned(), key: key.to_owned() })
                .filter(|label| !label.key.is_empty()),
            title: key.to_owned(),
            heading: None,
            range: TextRange::new(0, 10),
            blocks: Vec::new(),
            is_article: false,
        }
    }

    fn document(name: &str, text: &str, keys: &[&str], cites: &[(&str, &str)]) -> Document {
        let mut sections = vec![section(None, 0, "")];
        sections.extend(keys.iter().map(|key| section(Some(0), 1, key)));
        let references = cites
            .iter()
            .map(|(instrument, part)| CrossReference {
                range: TextRange::new(0, 1),
                cite: document::Cite {
                    instrument: Some((*instrument).to_owned()),
                    path: vec![(*part).to_owned()],
                },
                target: None,
            })
            .collect();
        Document {
            name: name.to_owned(),
            digest: name.to_owned(),
            layout: Layout { text: text.to_owned(), ..Layout::default() },
            tree: Tree { sections, references, ..Tree::default() },
            ..Document::default()
        }
    }

    #[test]
    fn a_reference_finds_the_section_of_the_document_that_it_names() {
        let mut library = Library::new();
        let act = document(
            "harbour.pdf",
            "This Act may be cited as the Harbour Dues Act 2019.",
            &["section 3", "section 4"],
            &[],
        );
        let rules = document(
            "rules.pdf",
            "Dues are paid under the Harbour Dues Act 2019 (“HDA”).",
            &["1.1"],
            &[
                ("HDA", "section 4"),
                ("Harbour Dues Act 2019", "section 3"),
                ("Pilotage Act 1987", "section 3"),
            ],
        );
        for document in [act, rules] {
            library.add(&Segment::new(document, AnalyzerKind::Default).encode()).unwrap();
        }
        let links = library.links("rules.pdf");
        let found: Vec<(usize, usize)> =
            links.iter().map(|link| (link.reference, link.section.idx())).collect();
        assert_eq!(found, [(0, 2), (1, 1)]);
        assert!(library.links("nothing").is_empty());
    }
}
