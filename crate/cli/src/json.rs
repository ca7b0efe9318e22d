//! The JSON shapes that verbs share. Pages are 1-based here, quads are eight numbers in PDF user space.

use document::{Explanation, Layout, Span, TextRange};
use engine::{
    Answer, Call, Citation, Conflict, DocumentInfo, Found, Note, Place, Statement, SupportingProvision,
    Trace, Verdict,
};
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

/// An answer: its text, what it rests on, and how it came about.
pub(crate) fn answer(answer: &Answer) -> Value {
    let Answer {
        text,
        sufficient,
        by,
        verdict,
        statements,
        citations,
        supporting,
        conflicts,
        notes,
        missing,
        message,
        retrieved,
        vectors,
        trace,
    } = answer;
    json!({
        "answer": text,
        "sufficient": sufficient,
        "by": by.name(),
        "verdict": verdict.as_ref().map(verdict_json),
        "statements": statements.iter().map(statement_json).collect::<Vec<_>>(),
        "citations": citations.iter().map(citation).collect::<Vec<_>>(),
        "supporting": supporting.iter().map(supporting_json).collect::<Vec<_>>(),
        "notes": notes.iter().map(note_json).collect::<Vec<_>>(),
        "message": message,
        "vectors": vectors.name(),
        "trace": trace_json(trace, retrieved, missing, conflicts),
    })
}

fn statement_json(statement: &Statement) -> Value {
    let Statement { text, citations, unsupported, unknown, continues: _ } = statement;
    let unsupported: Vec<Value> =
        unsupported.iter().map(|claim| json!({ "kind": claim.kind.name(), "text": claim.text })).collect();
    json!({ "text": text, "citations": citations, "unsupported": unsupported, "unknown": unknown })
}

fn supporting_json(supporting: &SupportingProvision) -> Value {
    let SupportingProvision { citation, why, name, by } = supporting;
    json!({ "citation": citation, "why": why, "name": name, "by": by })
}

fn conflict_json(conflict: &Conflict) -> Value {
    let Conflict { kind, citations, preferred } = conflict;
    json!({ "kind": kind.name(), "citations": citations, "preferred": preferred })
}

fn note_json(note: &Note) -> Value {
    match note {
        Note::Withdrawn { citation, legal_status } => {
            json!({ "kind": "withdrawn", "citation": citation, "legal_status": legal_status.name() })
        }
        Note::LaterEdition { citation, date, later, later_date } => json!({
            "kind": "later-edition",
            "citation": citation,
            "date": date,
            "later": later,
            "later_date": later_date,
        }),
        Note::SeveralCases { citations } => json!({ "kind": "several-cases", "citations": citations }),
    }
}

fn verdict_json(verdict: &Verdict) -> Value {
    let Verdict { grounded, consistent, complete, problem, missing } = verdict;
    json!({
        "grounded": grounded,
        "consistent": consistent,
        "complete": complete,
        "problem": problem,
        "missing": missing,
    })
}

fn trace_json(trace: &Trace, retrieved: &[Found], missing: &[String], conflicts: &[Conflict]) -> Value {
    let Trace { question, rewrites, passage, queries, kept, extracts, selected, reflection, calls, degraded } =
        trace;
    let places = |places: &[Place]| places.iter().map(place_json).collect::<Vec<_>>();
    let call = |call: &Call| {
        let Call { call, step, endpoint, model, prompt, n_sent, n_received, outcome } = call;
        json!({
            "call": call,
            "step": step.name(),
            "endpoint": endpoint,
            "model": model,
            "prompt": prompt,
            "sent": n_sent,
            "received": n_received,
            "outcome": outcome.name(),
            "why": outcome.why(),
        })
    };
    json!({
        "question": question,
        "rewrites": rewrites,
        "passage": passage,
        "queries": queries,
        "retrieved": retrieved.iter().map(hit).collect::<Vec<_>>(),
        "kept": places(kept),
        "extracts": places(extracts),
        "selected": places(selected),
        "reflection": reflection.iter().map(verdict_json).collect::<Vec<_>>(),
        "missing": missing,
        "conflicts": conflicts.iter().map(conflict_json).collect::<Vec<_>>(),
        "calls": calls.iter().map(call).collect::<Vec<_>>(),
        "degraded": degraded
            .iter()
            .map(|degraded| json!({ "step": degraded.step.name(), "code": degraded.code, "call": degraded.call, "why": degraded.why }))
            .collect::<Vec<_>>(),
    })
}

fn place_json(place: &Place) -> Value {
    let Place { document, document_id, page, page_label, section_path, legal_status, spans, places: _ } =
        place;
    let quads: Vec<_> =
        spans.iter().filter(|span| span.page == *page).flat_map(|span| span.quads.clone()).collect();
    json!({
        "document": document,
        "document_id": document_id,
        "page": page.map(|page| page.0 + 1),
        "page_label": page_label,
        "section_path": section_path,
        "legal_status": legal_status.map(engine::LegalStatus::name),
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
