//! JSON of `pincite layout --json`: references, terms and entities of a document, its editions and the sections that are
//! not in force.

use document::{CrossReference, DefinedTerm, Entity, Layout, TextRange, Tree, Withdrawn};
use serde_json::{Map, Value, json};

/// Adds `references`, `terms` and `entities` to `out`, each with its text, its byte range in the document's text, and
/// its page; and `editions` and `withdrawn`.
pub(crate) fn add(out: &mut Map<String, Value>, layout: &Layout, tree: &Tree) {
    let references = tree.references.iter().map(|reference| reference_json(layout, tree, reference));
    let terms = tree.terms.iter().map(|term| term_json(layout, term));
    let entities = tree.entities.iter().map(|entity| entity_json(layout, entity));
    let editions = tree
        .editions
        .iter()
        .map(|edition| json!({ "kind": edition.kind.name(), "text": edition.text, "date": edition.date }));
    let withdrawn = tree.withdrawn.iter().map(|withdrawn| withdrawn_json(tree, withdrawn));
    out.insert("references".into(), references.collect());
    out.insert("terms".into(), terms.collect());
    out.insert("entities".into(), entities.collect());
    out.insert("editions".into(), editions.collect());
    out.insert("withdrawn".into(), withdrawn.collect());
}

fn reference_json(layout: &Layout, tree: &Tree, reference: &CrossReference) -> Value {
    let target = reference.target.and_then(|id| {
        let section = tree.sections.get(id.idx())?;
        let page = page(layout, section.heading.unwrap_or(section.range));
        Some(json!({ "section": id.0, "title": section.title, "page": page }))
    });
    let mut entry = mention(layout, reference.range);
    entry.insert("instrument".into(), json!(reference.cite.instrument));
    entry.insert("path".into(), json!(reference.cite.path));
    entry.insert("target".into(), json!(target));
    Value::Object(entry)
}

fn term_json(layout: &Layout, term: &DefinedTerm) -> Value {
    let mut entry = mention(layout, term.range);
    entry.insert("term".into(), json!(term.term));
    entry.insert("kind".into(), json!(term.kind.name()));
    entry.insert("meaning".into(), Value::Object(mention(layout, term.meaning)));
    Value::Object(entry)
}

fn entity_json(layout: &Layout, entity: &Entity) -> Value {
    let mut entry = mention(layout, entity.range);
    entry.insert("kind".into(), json!(entity.kind.name()));
    entry.insert("value".into(), json!(entity.value));
    Value::Object(entry)
}

fn withdrawn_json(tree: &Tree, withdrawn: &Withdrawn) -> Value {
    let title = tree.sections.get(withdrawn.section.idx()).map(|section| &section.title);
    let status = withdrawn.legal_status.name();
    json!({ "section": withdrawn.section.0, "title": title, "legal_status": status })
}

fn mention(layout: &Layout, range: TextRange) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("text".into(), json!(layout.slice(range)));
    entry.insert("range".into(), json!([range.start, range.end]));
    entry.insert("page".into(), json!(page(layout, range)));
    entry
}

/// The page on which a range begins, 1-based; `null` where the source has none.
fn page(layout: &Layout, range: TextRange) -> Option<u32> {
    layout.words.words_in(range).next().map(|word| word.page.0 + 1)
}
