//! Provisions that a text cites, resolved over a library.

use std::collections::BTreeSet;

use document::{Cite, DocumentIdx, Section, SectionId};
use text::reference::{ProvisionReference, Scope, references};

use super::lexicon::Lexicon;
use super::named::NamedProvision;

/// Maximum provisions, names or terms of a question that are read.
pub(super) const MAX_NAMED: usize = 64;
/// Maximum sections of all documents that a citation without an instrument may name.
const MAX_TARGETS: usize = 64;

/// The sections that a text cites exactly.
fn cited(text: &str, lexicon: &Lexicon) -> Vec<(DocumentIdx, SectionId)> {
    let cited = references(text).into_iter().filter(names_provision).take(MAX_NAMED);
    let targets = cited.flat_map(|citation| provision(citation, lexicon, &BTreeSet::new()).targets);
    targets.filter(|target| target.is_exact).map(|target| (target.document, target.section)).collect()
}

/// True if a citation names a provision independently of its context; "this section" does not.
pub(super) fn names_provision(citation: &ProvisionReference) -> bool {
    let is_number = |c: char| c.is_numeric() || matches!(c, '(' | '（');
    matches!(citation.scope, Scope::Document | Scope::Own)
        && citation.path.iter().any(|part| part.contains(is_number) || part.split(' ').nth(1).is_some())
}

/// The sections that a citation may mean: in its instrument, else in the documents that the question names, else in all.
pub(super) fn provision(
    citation: ProvisionReference,
    lexicon: &Lexicon,
    named: &BTreeSet<DocumentIdx>,
) -> NamedProvision {
    // A question has no document of its own: "of this Act" says nothing.
    let citation = ProvisionReference { scope: Scope::Document, ..citation };
    let mut targets = match &citation.instrument {
        Some(_) => lexicon.section_in(&citation, None).into_iter().collect(),
        None => Vec::new(),
    };
    if targets.is_empty() {
        let bare = ProvisionReference { instrument: None, ..citation.clone() };
        let all = || lexicon.documents();
        // A citation of an instrument outside the library matches nothing, unless the question names a document.
        let wanted: Vec<DocumentIdx> = match (named.is_empty(), &citation.instrument) {
            (false, _) => named.iter().copied().collect(),
            (true, None) => all().collect(),
            (true, Some(_)) => Vec::new(),
        };
        let found = wanted.into_iter().filter_map(|document| lexicon.section_in(&bare, Some(document)));
        targets = found.take(MAX_TARGETS).collect();
        // Exact matches exclude sections that only enclose the provision.
        if targets.iter().any(|target| target.is_exact) {
            targets.retain(|target| target.is_exact);
        }
    }
    let ProvisionReference { range, instrument, path, .. } = citation;
    NamedProvision { range, cite: Cite { instrument, path }, targets }
}

impl Lexicon {
    /// The sections of all documents with a given name: those that it cites ("Rule 4.2.1", 第二章), else those whose
    /// heading, label or number it is.
    pub fn sections_called(&self, name: &str) -> Vec<(DocumentIdx, SectionId)> {
        const MAX_NAME: usize = 400;
        if name.len() > MAX_NAME {
            return Vec::new();
        }
        let cited = cited(name, self);
        if !cited.is_empty() {
            return cited;
        }
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let wanted = plain(name);
        let is_called = |section: &Section| {
            let label = section.label.as_ref().map(|label| (plain(&label.text), label.key.as_str()));
            plain(&section.title) == wanted
                || label.is_some_and(|(text, key)| {
                    let number = key.split_once(' ').map_or(key, |(_, number)| number);
                    text == wanted || key == wanted || number == wanted
                })
        };
        let mut found = Vec::new();
        for (document, segment) in self.documents().zip(self.segments()) {
            let sections = segment.document().tree.sections.iter().enumerate();
            let called = sections.filter(|(_, section)| !wanted.is_empty() && is_called(section));
            found.extend(called.map(|(at, _)| (document, SectionId::from_idx(at))));
        }
        found
    }
}
