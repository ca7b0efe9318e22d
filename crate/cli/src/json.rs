//! The JSON shapes that verbs share. Pages are 1-based here, quads are eight numbers in PDF user space.

use document::{Explanation, Layout, Span, TextRange};
use engine::{Citation, DocumentInfo, Found, Place};
use serde_json::{Value, json};

/// Where a range stands: `[{page, range, quads}]`.
pub(crate) fn spans(layout: &Layout, ranges: &[TextRange]) -> Value {
    ranges.iter().flat_map(|&range| layout.spans(range)).map(|span| span_json(&span)).collect()
}

fn span_json(span: &Span) -> Value {
    json!({
        "page": span.page.map(|page| page.0 + 1),
        "range": [span.range.start, span.range.end],
        "quads": span.quads,
    })
}

/// A document of a library.
pub(crate) fn document(info: &DocumentInfo) -> Value {
    let DocumentInfo { id, name, title, date, edition, n_pages, n_passages, n_embedded, diags } = info;
    let diags: Vec<Value> = diags
        .iter()
        .map(|diag| {
            json!({
                "code": diag.code.name(),
                "severity": diag.severity.name(),
                "message": diag.message,
                "hint": diag.hint,
                "page": diag.page.map(|page| page.0 + 1),
            })
        })
        .collect();
    json!({
        "id": id,
        "name": name,
        "title": title,
        "date": date,
        "edition": edition,
        "n_pages": n_pages,
        "n_passages": n_passages,
        "n_embedded": n_embedded,
        "diags": diags,
    })
}

/// A search hit.
pub(crate) fn hit(found: &Found) -> Value {
    let Found { place, kind, text, score, rank, explanation } = found;
    let mut value = place_json(place);
    value["rank"] = json!(rank);
    value["score"] = json!(score);
    value["kind"] = json!(kind.name());
    value["text"] = json!(text);
    if let Some(explanation) = explanation {
        value["explanation"] = explanation_json(explanation);
    }
    value
}

/// A citation of an answer.
pub(crate) fn citation(citation: &Citation) -> Value {
    let Citation { id, place, quote, status } = citation;
    let mut value = place_json(place);
    value["id"] = json!(id);
    value["quote"] = json!(quote);
    value["status"] = json!(status.name());
    value
}

fn place_json(place: &Place) -> Value {
    let Place { document, document_id, page, page_label, section_path, standing, spans, places: _ } = place;
    let quads: Vec<_> =
        spans.iter().filter(|span| span.page == *page).flat_map(|span| span.quads.clone()).collect();
    json!({
        "document": document,
        "document_id": document_id,
        "page": page.map(|page| page.0 + 1),
        "page_label": page_label,
        "section_path": section_path,
        "standing": standing.map(engine::Standing::name),
        "quads": quads,
        "spans": spans.iter().map(span_json).collect::<Vec<_>>(),
    })
}

fn explanation_json(explanation: &Explanation) -> Value {
    let Explanation { value, description, details } = explanation;
    json!({
        "value": value,
        "description": description,
        "details": details.iter().map(explanation_json).collect::<Vec<_>>(),
    })
}
