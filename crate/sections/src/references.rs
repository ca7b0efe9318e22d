//! Provisions that a text cites, each with the section that it names where that is in the same document.
//!
//! The grammar and the resolver are `text::reference`; here the sections become its provisions, and each
//! reference gets the section in which it stands. A reference that is the number of a heading is none. Of a
//! range ("sections 187 to 189") the provisions between its ends are named too. Cost: linear in the text, some
//! logarithms a reference.

use std::collections::BTreeSet;

use document::{Cite, CrossReference, Layout, Section, SectionId, Slice as _, TextRange};
use text::reference::{
    ProvisionIndexBuilder, ProvisionReference, ReferenceContext, Scope, references, short_forms, short_title,
};

/// Most of the text that is read in search of the name that it gives itself.
const OWN_NAME_WITHIN: usize = 200_000;

/// The provisions that the text names, in its order.
pub(crate) fn collect(layout: &Layout, sections: &[Section]) -> Vec<CrossReference> {
    let found = references(&layout.text);
    if found.is_empty() {
        return Vec::new();
    }
    let mut builder = ProvisionIndexBuilder::default();
    let document = list(&mut builder, layout, sections, &[]);
    for reference in &found {
        builder.observe(document, reference);
    }
    let index = builder.build();
    let headings: BTreeSet<usize> =
        sections.iter().filter_map(|section| section.heading).map(|range| range.start as usize).collect();
    let mut references = Vec::with_capacity(found.len());
    let mut last = None;
    let mut opened: Option<(TextRange, Option<usize>)> = None;
    for reference in found {
        if headings.contains(&reference.range.start) {
            opened = None;
            continue;
        }
        let range = TextRange::new(reference.range.start, reference.range.end);
        let home = Section::innermost(sections, TextRange { start: range.start, end: range.start + 1 });
        let place = ReferenceContext { document, node: Some(home.idx()), last };
        let target = index.resolve(&reference, place);
        if let Some((first_range, Some(first))) = opened
            && let Some(target) = target
        {
            let whole = TextRange { start: first_range.start, end: range.end };
            for between in index.between(first, target) {
                if between != first && between != target {
                    references.push(cross_reference(
                        whole,
                        between_cite(&reference, sections, between),
                        Some(between),
                    ));
                }
            }
        }
        last = target.or(last);
        opened = reference.through.then_some((range, target));
        let ProvisionReference { instrument, path, scope, .. } = reference;
        let instrument = if scope == Scope::Own { None } else { instrument };
        references.push(cross_reference(range, Cite { instrument, path }, target));
    }
    references.sort_by_key(|reference| reference.range);
    references
}

fn cross_reference(range: TextRange, cite: Cite, target: Option<usize>) -> CrossReference {
    CrossReference { range, cite, target: target.map(SectionId::from_idx) }
}

/// The reference of a provision between the ends of a range: by its own label.
fn between_cite(end: &ProvisionReference, sections: &[Section], node: usize) -> Cite {
    let key = sections.get(node).and_then(|section| section.label.as_ref()).map(|label| label.key.clone());
    Cite { instrument: end.instrument.clone(), path: key.into_iter().collect() }
}

/// Adds a document to an index of provisions: its sections (the node of section `i` is the `i`-th that is
/// added), its names, and the short names that it gives other instruments. Gives its number there. `names`
/// are names that the caller knows, such as the file's.
pub fn list(
    builder: &mut ProvisionIndexBuilder,
    layout: &Layout,
    sections: &[Section],
    names: &[String],
) -> usize {
    let mut names = names.to_vec();
    names.extend(sections.first().map(|root| root.title.clone()).filter(|title| !title.is_empty()));
    let end = layout.text.floor_char_boundary(OWN_NAME_WITHIN);
    names.extend(layout.text.get(..end).and_then(short_title).map(|own| own.name));
    // "COBS 3.2.1": the acronym in front of most numbers of a rulebook is its name.
    names.extend(Section::number_prefix(sections));
    let document = builder.document(&names);
    let mut nodes: Vec<usize> = Vec::with_capacity(sections.len());
    for section in sections {
        let parent = section.parent.and_then(|parent| nodes.get(parent.idx())).copied();
        let key = section.label.as_ref().map_or("", |label| label.key.as_str());
        nodes.push(builder.node(document, parent, key));
    }
    for form in short_forms(&layout.text) {
        let part = |range| layout.text.slice(range);
        builder.define(document, part(form.short), part(form.long));
    }
    document
}

#[cfg(test)]
mod tests {
    use document::{Block, BlockKind, BlockStyle, Role, Tree};

    use super::*;

    fn tree(lines: &[&str]) -> (Layout, Tree) {
        let mut layout = Layout::default();
        for line in lines {
            if !layout.text.is_empty() {
                layout.text.push('\n');
            }
            let start = layout.text.len();
            layout.text.push_str(line);
            let heading = line.len() < 30 && !line.ends_with(['.', '。']);
            let kind = if heading { BlockKind::Heading } else { BlockKind::Paragraph };
            let range = TextRange::new(start, layout.text.len());
            let style = BlockStyle { bold: heading, ..BlockStyle::default() };
            layout.blocks.push(Block { kind, role: Role::Body, range, style, marker: None });
        }
        let tree = crate::build(&layout, &[]).output;
        (layout, tree)
    }

    /// Each reference with the title of the section that it names.
    fn shown(lines: &[&str]) -> Vec<(String, String)> {
        let (layout, tree) = tree(lines);
        let title = |id: SectionId| tree.sections.get(id.idx()).map(|section| section.title.clone());
        tree.references
            .iter()
            .map(|r| (layout.slice(r.range).to_owned(), r.target.and_then(title).unwrap_or("-".to_owned())))
            .collect()
    }

    fn pairs(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(text, title)| ((*text).to_owned(), (*title).to_owned())).collect()
    }

    #[test]
    fn references_name_sections_and_headings_are_none() {
        let found = shown(&[
            "3. Conduct",
            "3.1 Disclosure",
            "3.1.1 Fees",
            "A firm must disclose its fees as set out in Rule 3.1.2(4) and Chapter 4.",
            "3.1.2 Risks",
            "A firm must, subject to Rules 3.1.1 to 3.2.1 of this Rulebook, disclose risks under section 9 of the Ports Act 1991.",
            "3.2 Custody",
            "3.2.1 Assets",
            "A firm must keep assets safe.",
            "4. Final",
            "This ends it all, finally and for good.",
        ]);
        let expected = [
            ("Rule 3.1.2(4)", "3.1.2 Risks"),
            ("Chapter 4", "4. Final"),
            ("Rules 3.1.1", "3.1.1 Fees"),
            ("3.2.1", "3.2.1 Assets"),
            ("section 9 of the Ports Act 1991", "-"),
        ];
        assert_eq!(found, pairs(&expected));
    }

    #[test]
    fn a_range_names_what_lies_between_its_ends() {
        let found = shown(&[
            "第一章 总则",
            "第一条 为了规范港口经营，制定本法。",
            "第二条 依照第三条至第五条的规定处理。",
            "第三条 港口费用由经营人收取，依照前条执行。",
            "第四条 经营人应当公示费用。",
            "第五条 违反本法第四条的，依照《港口法》第九条处理。",
        ]);
        let expected = [
            ("第三条", "第三条"),
            ("第三条至第五条", "第四条"),
            ("第五条", "第五条"),
            ("前条", "第二条"),
            ("本法第四条", "第四条"),
            ("《港口法》第九条", "-"),
        ];
        assert_eq!(found, pairs(&expected));
    }
}
