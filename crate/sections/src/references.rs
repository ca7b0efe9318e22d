//! Provisions that a text cites, each with the section that it names where that is in the same document.
//!
//! The grammar and the resolver are `text::reference`; here the sections become its provisions, and each
//! citation gets the section in which it stands. A citation that is the number of a heading is none. Of a
//! range ("sections 187 to 189") the provisions between its ends are named too. Cost: linear in the text, some
//! logarithms a citation.

use std::collections::BTreeSet;

use document::{Cite, CrossReference, Layout, Section, SectionId, TextRange};
use text::reference::{Builder, Citation, Place, Scope, citations, own_name, short_forms};

/// Most of the text that is read in search of the name that it gives itself.
const OWN_NAME_WITHIN: usize = 200_000;

/// The provisions that the text names, in its order.
pub(crate) fn collect(layout: &Layout, sections: &[Section]) -> Vec<CrossReference> {
    let found = citations(&layout.text);
    if found.is_empty() {
        return Vec::new();
    }
    let mut builder = Builder::default();
    let document = list(&mut builder, layout, sections, &[]);
    for citation in &found {
        builder.observe(document, citation);
    }
    let index = builder.build();
    let headings: BTreeSet<usize> =
        sections.iter().filter_map(|section| section.heading).map(|range| range.start as usize).collect();
    let mut references = Vec::with_capacity(found.len());
    let mut last = None;
    let mut opened: Option<(TextRange, Option<usize>)> = None;
    for citation in found {
        if headings.contains(&citation.range.start) {
            opened = None;
            continue;
        }
        let range = TextRange::new(citation.range.start, citation.range.end);
        let place = Place { document, node: Some(section_at(sections, range.start)), last };
        let target = index.resolve(&citation, place);
        if let Some((first_range, Some(first))) = opened
            && let Some(target) = target
        {
            let whole = TextRange { start: first_range.start, end: range.end };
            for between in index.between(first, target) {
                if between != first && between != target {
                    references.push(reference(
                        whole,
                        between_cite(&citation, sections, between),
                        Some(between),
                    ));
                }
            }
        }
        last = target.or(last);
        opened = citation.through.then_some((range, target));
        let Citation { instrument, path, scope, .. } = citation;
        let instrument = if scope == Scope::Own { None } else { instrument };
        references.push(reference(range, Cite { instrument, path }, target));
    }
    references.sort_by_key(|reference| reference.range);
    references
}

fn reference(range: TextRange, cite: Cite, target: Option<usize>) -> CrossReference {
    CrossReference { range, cite, target: target.map(SectionId::from_idx) }
}

/// The citation of a provision between the ends of a range: by its own label.
fn between_cite(end: &Citation, sections: &[Section], node: usize) -> Cite {
    let key = sections.get(node).and_then(|section| section.label.as_ref()).map(|label| label.key.clone());
    Cite { instrument: end.instrument.clone(), path: key.into_iter().collect() }
}

/// Adds a document to an index of provisions: its sections (the node of section `i` is the `i`-th that is
/// added), its names, and the short names that it gives other instruments. Gives its number there. `names`
/// are names that the caller knows, such as the file's.
pub fn list(builder: &mut Builder, layout: &Layout, sections: &[Section], names: &[String]) -> usize {
    let mut names = names.to_vec();
    names.extend(sections.first().map(|root| root.title.clone()).filter(|title| !title.is_empty()));
    let mut end = layout.text.len().min(OWN_NAME_WITHIN);
    while !layout.text.is_char_boundary(end) {
        end -= 1;
    }
    names.extend(layout.text.get(..end).and_then(own_name).map(|own| own.name));
    // "COBS 3.2.1": the acronym in front of most numbers of a rulebook is its name.
    names.extend(prefix(sections));
    let document = builder.document(&names);
    let mut nodes: Vec<usize> = Vec::with_capacity(sections.len());
    for section in sections {
        let parent = section.parent.and_then(|parent| nodes.get(parent.idx())).copied();
        let key = section.label.as_ref().map_or("", |label| label.key.as_str());
        nodes.push(builder.node(document, parent, key));
    }
    for form in short_forms(&layout.text) {
        let part = |range| layout.text.get(range).unwrap_or_default();
        builder.define(document, part(form.short), part(form.long));
    }
    document
}

/// The word that stands in front of the numbers of at least three sections ("COBS").
fn prefix(sections: &[Section]) -> Option<String> {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for label in sections.iter().filter_map(|section| section.label.as_ref()) {
        if let Some((word, number)) = label.text.split_once(' ')
            && word.len() > 1
            && word.bytes().all(|b| b.is_ascii_uppercase())
            && number.starts_with(|c: char| c.is_ascii_digit())
            && number.contains('.')
        {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts.into_iter().filter(|&(_, n)| n >= 3).max_by_key(|&(_, n)| n).map(|(word, _)| word.to_owned())
}

/// The innermost section that holds a byte of the text.
pub(crate) fn section_at(sections: &[Section], at: u32) -> usize {
    let mut id = sections.partition_point(|section| section.range.start <= at).saturating_sub(1);
    while let Some(section) = sections.get(id) {
        let Some(parent) = section.parent.filter(|_| section.range.end <= at) else { break };
        id = parent.idx();
    }
    id
}
