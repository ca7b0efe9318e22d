//! Remarks on citations: the provision is no longer in force, or the library has a later edition.

use document::{Document, DocumentIdx};

use crate::answer::{Citation, Evidence, Note};
use crate::corpus::Corpus;
use crate::editions::{are_editions, is_later};

/// Remarks on what is in force, in order of the citations.
pub(crate) fn notes(citations: &[Citation], evidence: &[Evidence<'_>], corpus: &dyn Corpus) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut documents: Vec<(DocumentIdx, &Document)> =
        evidence.iter().map(|item| (item.document, item.source)).collect();
    documents.sort_by_key(|(at, _)| *at);
    documents.dedup_by_key(|(at, _)| *at);
    for citation in citations {
        let Some(source) = corpus.document(citation.document) else { continue };
        if let Some(legal_status) = source.tree.legal_status(citation.section) {
            notes.push(Note::Withdrawn { citation: citation.id, legal_status });
        }
        let Some(date) = source.tree.date() else { continue };
        let later = documents
            .iter()
            .filter(|(at, other)| *at != citation.document && are_editions(source, other))
            .filter_map(|(at, other)| Some((other.tree.date()?, *at)))
            .filter(|(other, _)| is_later(other, date))
            .max();
        if let Some((later_date, later)) = later {
            let (date, later_date) = (date.to_owned(), later_date.to_owned());
            notes.push(Note::LaterEdition { citation: citation.id, date, later, later_date });
        }
    }
    notes
}
