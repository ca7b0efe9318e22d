//! Blocks to a section tree with notes attached.
//!
//! [`build`] takes the layout of a document and its outline and gives one tree: headings found and put on
//! levels by the outline, then by their numbering, then by type; provisions whose number runs into their text
//! become sections too; articles marked; footnotes linked to the marks that call them; references resolved to
//! sections; defined terms and names found, and what the text says of its edition and of what is repealed.
//!
//! It knows numbering and order, not geometry, and it is total: any layout gives some tree, in time linear in
//! its text. Every block of body text lies in exactly one section.
//!
//! ```
//! let tree = sections::build(&document::Layout::default(), &[]).output;
//! assert_eq!(tree.sections.len(), 1); // the root
//! ```

mod articles;
mod contents;
mod editions;
mod entities;
mod flat;
mod gaps;
mod heading;
mod heading_class;
mod headings;
mod legal_status;
mod levels;
mod notes;
mod numbering;
mod references;
mod run_in;
mod terms;
mod title;
mod tree;

use document::{Layout, OutlineItem, Section, Tree, Warned};

pub use entities::entities;
pub use references::list as add_provisions;
pub use title::document_title;

/// Builds the section tree of a document.
pub fn build(layout: &Layout, outline: &[OutlineItem]) -> Warned<Tree> {
    let mut diags = Vec::new();
    let headings = headings::collect(layout, outline);
    let places = levels::place(&headings);
    let mut sections = tree::assemble(layout, &headings, &places);
    articles::mark(layout, &headings, &places, &mut sections);
    gaps::report(&headings, &places, &mut diags);
    let notes = notes::collect(layout, &mut diags);
    Warned { output: Tree { notes, ..annotate(layout, sections) }, diags }
}

/// The tree of sections that are known already: what the text cites, defines and names. Without notes.
pub fn annotate(layout: &Layout, sections: Vec<Section>) -> Tree {
    let references = references::collect(layout, &sections);
    let terms = terms::collect(layout, &sections);
    let entities = entities::collect(layout);
    let editions = editions::collect(layout, &entities);
    let withdrawn = legal_status::collect(layout, &sections);
    Tree { sections, notes: Vec::new(), references, terms, entities, editions, withdrawn }
}

#[cfg(test)]
mod tests;
