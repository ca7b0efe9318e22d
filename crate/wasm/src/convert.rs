//! The engine's plain data into the shapes of [`crate::types`]. Structs are taken apart whole, so that a new
//! field does not compile until someone has decided where it goes.

use std::collections::BTreeMap;

use document::{BlockKind, PageId, Role, Span};

use crate::{asking, types};

fn one_based(page: PageId) -> u32 {
    page.0 + 1
}

pub(crate) fn document_info(info: engine::DocumentInfo) -> types::DocumentInfo {
    let engine::DocumentInfo { id, name, title, date, edition, n_pages, n_passages, n_embedded, diags } =
        info;
    types::DocumentInfo {
        id,
        name,
        title,
        date,
        edition,
        n_pages,
        n_passages,
        n_embedded,
        diags: diags.into_iter().map(diag).collect(),
    }
}

fn diag(diag: document::Diag) -> types::Diag {
    let document::Diag { code, severity, message, hint, page } = diag;
    types::Diag { code: code.name(), severity: severity.name(), message, hint, page: page.map(one_based) }
}

fn page_quads(spans: Vec<Span>) -> Vec<types::PageQuads> {
    spans
        .into_iter()
        .filter_map(|Span { page, range: _, quads }| Some(types::PageQuads { page: one_based(page?), quads }))
        .collect()
}

fn text_places(places: Vec<engine::TextPlace>) -> Vec<types::TextPlace> {
    places
        .into_iter()
        .map(|engine::TextPlace { block, start, end }| types::TextPlace { block: block.0, start, end })
        .collect()
}

pub(crate) fn text_block(block: engine::TextBlock) -> types::TextBlock {
    let engine::TextBlock { kind, role, level, marker, text, marks } = block;
    types::TextBlock {
        kind: match kind {
            BlockKind::Heading => "heading",
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem => "list",
            BlockKind::Footnote => "footnote",
            BlockKind::Table => "table",
        },
        role: match role {
            Role::Body => None,
            Role::Caption => Some("caption"),
            Role::BlockQuote => Some("quote"),
            Role::Title => Some("title"),
        },
        level,
        marker,
        text,
        marks: marks
            .into_iter()
            .map(|engine::TextMark { at, marker, note }| types::TextMark {
                at,
                marker,
                note: note.map(|block| block.0),
            })
            .collect(),
    }
}

fn explanation(explanation: document::Explanation) -> types::Explanation {
    let document::Explanation { value, description, details } = explanation;
    types::Explanation { value, description, details: details.into_iter().map(self::explanation).collect() }
}

fn hit(found: engine::Found) -> types::SearchHit {
    let engine::Found { place, kind, text, score, rank, explanation } = found;
    let engine::Place { document, document_id, page, page_label, section_path, legal_status, spans, places } =
        place;
    types::SearchHit {
        document,
        document_id,
        page: page.map(one_based),
        page_label,
        section_path,
        legal_status: legal_status.map(engine::LegalStatus::name),
        kind: kind.name(),
        text,
        score,
        rank,
        spans: page_quads(spans),
        places: text_places(places),
        explanation: explanation.map(self::explanation),
    }
}

/// Where to look; everywhere, where nothing is said.
pub(crate) fn filter(filter: Option<types::Filter>) -> engine::FilterOptions {
    let types::Filter { documents, sections, kinds, edition, from, to, in_force } =
        filter.unwrap_or_default();
    engine::FilterOptions { documents, sections, kinds, edition, from, to, in_force }
}

/// Terms and other words for them.
pub(crate) fn glossary(entries: &BTreeMap<String, Vec<String>>) -> engine::Glossary {
    engine::Glossary::new(
        entries.iter().map(|(term, others)| (term.as_str(), others.iter().map(String::as_str))),
    )
}

pub(crate) fn search_reply(reply: engine::SearchReply, times: types::SearchTimes) -> types::SearchReply {
    let engine::SearchReply { hits, nothing, vectors } = reply;
    types::SearchReply {
        hits: hits.into_iter().map(hit).collect(),
        nothing: nothing.map(engine::Nothing::name),
        vectors: vectors.name(),
        times,
    }
}

fn citation(citation: engine::Citation) -> types::Citation {
    let engine::Citation { id, place, quote, status } = citation;
    let engine::Place { document, document_id, page, page_label, section_path, legal_status, spans, places } =
        place;
    let page = page.map(one_based);
    let spans = page_quads(spans);
    types::Citation {
        id,
        document,
        document_id,
        page,
        page_label,
        section_path,
        legal_status: legal_status.map(engine::LegalStatus::name),
        quote,
        quads: spans.iter().filter(|on| Some(on.page) == page).flat_map(|on| on.quads.clone()).collect(),
        spans,
        places: text_places(places),
        status: status.name(),
    }
}

fn statement(statement: engine::Statement) -> types::Statement {
    let engine::Statement { text, citations, unsupported, unknown, continues } = statement;
    let claim = |engine::UnsupportedClaim { kind, text }| types::UnsupportedClaim { kind: kind.name(), text };
    types::Statement {
        text,
        citations,
        unsupported: unsupported.into_iter().map(claim).collect(),
        unknown,
        continues,
    }
}

fn supporting(supporting: engine::SupportingProvision) -> types::SupportingProvision {
    let engine::SupportingProvision { citation, why, name, by } = supporting;
    types::SupportingProvision { citation, why, name, by }
}

fn conflict(conflict: engine::Conflict) -> types::Conflict {
    let engine::Conflict { kind, citations, preferred } = conflict;
    types::Conflict { kind: kind.name(), citations, preferred }
}

fn note(note: engine::Note) -> types::Note {
    match note {
        engine::Note::Withdrawn { citation, legal_status } => {
            types::Note::Withdrawn { citation, legal_status: legal_status.name() }
        }
        engine::Note::LaterEdition { citation, date, later, later_date } => {
            types::Note::LaterEdition { citation, date, later, later_date }
        }
        engine::Note::SeveralCases { citations } => types::Note::SeveralCases { citations },
    }
}

pub(crate) fn answer(answer: engine::Answer) -> types::Answer {
    let engine::Answer {
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
        retrieved: _,
        vectors,
        trace,
    } = answer;
    types::Answer {
        answer: text,
        sufficient,
        by: by.name(),
        verdict: verdict.map(asking::verdict),
        statements: statements.into_iter().map(statement).collect(),
        citations: citations.into_iter().map(citation).collect(),
        supporting: supporting.into_iter().map(self::supporting).collect(),
        conflicts: conflicts.into_iter().map(conflict).collect(),
        notes: notes.into_iter().map(note).collect(),
        missing,
        message,
        vectors: vectors.name(),
        trace: asking::trace(trace),
    }
}
