//! References, terms and entities of a document, its editions and what is repealed in it, as the JSON of `pincite layout --json`.

use document::{Layout, TextRange, Tree};
use serde_json::{Map, Value, json};

/// Adds `references`, `terms` and `entities` to `out`, each with its text, its byte range in the document's text, and
/// its page; and `editions` and `withdrawn`.
pub(crate) fn add(out: &mut Map<String, Value>, layout: &Layout, tree: &Tree) {
    let references: Vec<Value> = tree
        .references
        .iter()
        .map(|reference| {
            let mut entry = mention(layout, reference.range);
            entry.insert("instrument".into(), json!(reference.cite.instrument));
            entry.insert("path".into(), json!(reference.cite.path));
            let target = reference.target.and_then(|id| Some((id, tree.sections.get(id.idx())?)));
            let target = target.map(|(id, section)| {
                json!({ "section": id.0, "title": section.title, "page": page(layout, section.heading.unwrap_or(section.range)) })
            });
            entry.insert("target".into(), json!(target));
            Value::Object(entry)
        })
        .collect();
    let terms: Vec<Value> = tree
        .terms
        .iter()
        .map(|term| {
            let mut entry = mention(layout, term.range);
            entry.insert("term".into(), json!(term.term));
            entry.insert("kind".into(), json!(term.kind.name()));
            entry.insert("meaning".into(), Value::Object(mention(layout, term.meaning)));
            Value::Object(entry)
        })
        .collect();
    let entities: Vec<Value> = tree
        .entities
        .iter()
        .map(|entity| {
            let mut entry = mention(layout, entity.range);
            entry.insert("kind".into(), json!(entity.kind.name()));
            entry.insert("value".into(), json!(entity.value));
            Value::Object(entry)
        })
        .collect();
    let editions: Vec<Value> = tree
        .editions
        .iter()
        .map(|said| json!({ "kind": said.kind.name(), "text": said.text, "date": said.date }))
        .collect();
    let withdrawn: Vec<Value> = tree
        .withdrawn
        .iter()
        .map(|gone| {
            let title = tree.sections.get(gone.section.idx()).map(|section| &section.title);
            json!({ "section": gone.section.0, "title": title, "legal_status": gone.legal_status.name() })
        })
        .collect();
    let lists = [
        ("references", references),
        ("terms", terms),
        ("entities", entities),
        ("editions", editions),
        ("withdrawn", withdrawn),
    ];
    for (key, list) in lists {
        out.insert(key.into(), Value::Array(list));
    }
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
    layout.words.words_in(range).first().map(|word| word.page.0 + 1)
}
