//! The shapes that cross to JavaScript, and their TypeScript, side by side.

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::asking;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What was noticed while a document was read. `page` is 1-based. */
export interface Diag { code: string; severity: "info" | "warning"; message: string; hint: string; page: number | null }
/** A document of the library. `id` is the SHA-256 of the file; `date` (`2023-07-01`, `2023-07` or `2023`) and `edition` are what it says of itself. */
export interface DocumentInfo { id: string; name: string; title: string | null; date: string | null; edition: string | null; nPages: number; nPassages: number; nEmbedded: number; diags: Diag[] }
/** A file read: `segment` is what `Library.add` takes and what is stored. */
export interface Parsed { segment: Uint8Array; info: DocumentInfo }
export interface ParseOptions { password?: string; maxBytes?: number; maxPages?: number }
/** How far the reading of a file is. */
export type OnProgress = (stage: "pages" | "layout" | "chunks" | "index", done: number, total: number) => void;
/** Eight numbers in PDF user space: top left, top right, bottom left, bottom right. */
export type Quad = number[];
export interface PageQuads { page: number; quads: Quad[] }
/** Where something stands in a document without pages: UTF-16 code units `start` to `end` of the text of a block. */
export interface TextPlace { block: number; start: number; end: number }
/** The mark of a note before code unit `at` of a block; `note` is the first block of the note. */
export interface TextMark { at: number; marker: string; note: number | null }
/** A block of the text. Rows of a table end in a line feed, cells in a tab; `marker` is a footnote's. */
export interface TextBlock { kind: "heading" | "paragraph" | "list" | "footnote" | "table"; role: "title" | "caption" | "quote" | null; level: number | null; marker: string | null; text: string; marks: TextMark[] }
/** Whether vectors took part for all documents, some, or none. */
export type VectorUse = "all" | "some" | "none";
/** Where to look; what is not given holds for everything. Documents by id, file name or title, sections as they are cited or headed, dates as `2023-07-01`, `2023-07` or `2023`; `inForce` leaves out what says that it is repealed, superseded or reserved. */
export interface Filter { documents?: string[]; sections?: string[]; kinds?: ("child" | "article" | "note")[]; edition?: string; from?: string; to?: string; inForce?: boolean }
/** Why a passage holds no law, where its section says so. */
export type LegalStatus = "repealed" | "superseded" | "reserved";
/** Why a search found nothing. */
export type Nothing = "no-documents" | "no-query" | "nothing-in-scope" | "no-match";
export interface SearchOptions { filter?: Filter | null; k?: number; vector?: Float32Array; fingerprint?: string; units?: "child" | "article" | "both"; ann?: "exact" | "hnsw" | "auto"; fusion?: "ltr" | "blend" | "rrf"; explain?: boolean }
/** A question's vector comes with the fingerprint of the model that made it. */
export interface AskOptions { filter?: Filter | null; vector?: Float32Array; fingerprint?: string }
export interface Explanation { value: number; description: string; details: Explanation[] }
export interface SearchHit { document: string; documentId: string; page: number | null; pageLabel: string | null; sectionPath: string[]; legalStatus: LegalStatus | null; kind: string; text: string; score: number; rank: number; spans: PageQuads[]; places: TextPlace[]; explanation: Explanation | null }
/** Where the milliseconds of a search went: reading the question, BM25, vectors, ranking, texts and places of the hits. */
export interface SearchTimes { analysis: number; lexical: number; dense: number; ranking: number; placing: number }
export interface SearchReply { hits: SearchHit[]; nothing: Nothing | null; vectors: VectorUse; times: SearchTimes }
/** A pinpoint reference. `page` is 1-based and physical, `quads` are those on `page`, `spans` all. Where the document has no pages, `page` is null and `places` say where in its text. */
export type CitationStatus = "verified" | "cited" | "repaired" | "misattributed" | "stitched" | "not-found";
export interface Citation { id: number; document: string; documentId: string; page: number | null; pageLabel: string | null; sectionPath: string[]; legalStatus: LegalStatus | null; quote: string; quads: Quad[]; spans: PageQuads[]; places: TextPlace[]; status: CitationStatus }
/** Words of a statement that what it cites does not bear out. */
export interface UnsupportedClaim { kind: "number" | "date" | "amount" | "modal" | "negation"; text: string }
/** A piece of an answer and the ids of the citations it rests on. `unknown` are passages that a model cited and was never given; `continues` says that it goes on in the line of the one before. */
export interface Statement { text: string; citations: number[]; unsupported: UnsupportedClaim[]; unknown: number[]; continues: boolean }
/** What the statement of citation `citation` leans on: a provision that it names, or a term's definition; `by` is the citation that shows it. */
export interface SupportingProvision { citation: number; why: "reference" | "definition"; name: string; by: number }
/** Provisions that contradict each other, by the citations that show them; `preferred` is in force, where the documents say so. */
export interface Conflict { kind: "negation" | "modality" | "number" | "wording"; citations: number[]; preferred: number | null }
/** What a reader of the citations must know. Of `several-cases` each citation answers for a case of its own, and the question names none of them. */
export type Note = { kind: "withdrawn"; citation: number; legalStatus: LegalStatus } | { kind: "later-edition"; citation: number; date: string; later: string; laterDate: string } | { kind: "several-cases"; citations: number[] };
/** `answer` is the statements with their marks in document order; `citations` are best first. When the evidence does not suffice, or the check of a model's answer finds it not borne out, `sufficient` is false and `message` says so; in the first case `statements` is empty. Where a part of the question is left open, `message` says which. */
export interface Answer { answer: string; sufficient: boolean; by: "model" | "extraction"; verdict: Verdict | null; trace: Trace; statements: Statement[]; citations: Citation[]; supporting: SupportingProvision[]; conflicts: Conflict[]; notes: Note[]; missing: string[]; message: string; vectors: VectorUse }
"#;

/// [`engine::DocumentInfo`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentInfo {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) n_pages: usize,
    pub(crate) n_passages: usize,
    pub(crate) n_embedded: usize,
    pub(crate) diags: Vec<Diag>,
}

/// [`document::Diag`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diag {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) hint: String,
    pub(crate) page: Option<u32>,
}

/// Options of `Parser.parse`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ParseOptions {
    pub(crate) password: Option<String>,
    pub(crate) max_bytes: Option<f64>,
    pub(crate) max_pages: Option<f64>,
}

/// Options of `Library.search` and `Library.ask`, the vector apart.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SearchOptions {
    pub(crate) k: Option<f64>,
    pub(crate) units: Option<String>,
    pub(crate) ann: Option<String>,
    pub(crate) fusion: Option<String>,
    pub(crate) explain: bool,
    pub(crate) filter: Option<Filter>,
}

/// [`engine::FilterOptions`].
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Filter {
    pub(crate) documents: Vec<String>,
    pub(crate) sections: Vec<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) edition: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) in_force: bool,
}

/// The quads on one page.
#[derive(Serialize)]
pub(crate) struct PageQuads {
    pub(crate) page: u32,
    pub(crate) quads: Vec<document::Quad>,
}

/// [`engine::TextPlace`].
#[derive(Serialize)]
pub(crate) struct TextPlace {
    pub(crate) block: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// [`engine::TextMark`].
#[derive(Serialize)]
pub(crate) struct TextMark {
    pub(crate) at: u32,
    pub(crate) marker: String,
    pub(crate) note: Option<u32>,
}

/// [`engine::TextBlock`].
#[derive(Serialize)]
pub(crate) struct TextBlock {
    pub(crate) kind: &'static str,
    pub(crate) role: Option<&'static str>,
    pub(crate) level: Option<u8>,
    pub(crate) marker: Option<String>,
    pub(crate) text: String,
    pub(crate) marks: Vec<TextMark>,
}

/// A node of why.
#[derive(Serialize)]
pub(crate) struct Explanation {
    pub(crate) value: f32,
    pub(crate) description: String,
    pub(crate) details: Vec<Explanation>,
}

/// A hit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchHit {
    pub(crate) document: String,
    pub(crate) document_id: String,
    pub(crate) page: Option<u32>,
    pub(crate) page_label: Option<String>,
    pub(crate) section_path: Vec<String>,
    pub(crate) legal_status: Option<&'static str>,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) score: f32,
    pub(crate) rank: u32,
    pub(crate) spans: Vec<PageQuads>,
    pub(crate) places: Vec<TextPlace>,
    pub(crate) explanation: Option<Explanation>,
}

/// What a search gives.
#[derive(Serialize)]
pub(crate) struct SearchReply {
    pub(crate) hits: Vec<SearchHit>,
    pub(crate) nothing: Option<&'static str>,
    pub(crate) vectors: &'static str,
    pub(crate) times: SearchTimes,
}

/// Milliseconds of each step of a search, by the caller's clock.
#[derive(Default, Serialize)]
pub(crate) struct SearchTimes {
    pub(crate) analysis: f64,
    pub(crate) lexical: f64,
    pub(crate) dense: f64,
    pub(crate) ranking: f64,
    pub(crate) placing: f64,
}

/// A pinpoint reference.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Citation {
    pub(crate) id: u32,
    pub(crate) document: String,
    pub(crate) document_id: String,
    pub(crate) page: Option<u32>,
    pub(crate) page_label: Option<String>,
    pub(crate) section_path: Vec<String>,
    pub(crate) legal_status: Option<&'static str>,
    pub(crate) quote: String,
    pub(crate) quads: Vec<document::Quad>,
    pub(crate) spans: Vec<PageQuads>,
    pub(crate) places: Vec<TextPlace>,
    pub(crate) status: &'static str,
}

/// [`engine::UnsupportedClaim`].
#[derive(Serialize)]
pub(crate) struct UnsupportedClaim {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// A piece of an answer.
#[derive(Serialize)]
pub(crate) struct Statement {
    pub(crate) text: String,
    pub(crate) citations: Vec<u32>,
    pub(crate) unsupported: Vec<UnsupportedClaim>,
    pub(crate) unknown: Vec<u32>,
    pub(crate) continues: bool,
}

/// [`engine::SupportingProvision`].
#[derive(Serialize)]
pub(crate) struct SupportingProvision {
    pub(crate) citation: u32,
    pub(crate) why: &'static str,
    pub(crate) name: String,
    pub(crate) by: u32,
}

/// [`engine::Conflict`].
#[derive(Serialize)]
pub(crate) struct Conflict {
    pub(crate) kind: &'static str,
    pub(crate) citations: Vec<u32>,
    pub(crate) preferred: Option<u32>,
}

/// [`engine::Note`].
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(crate) enum Note {
    Withdrawn { citation: u32, legal_status: &'static str },
    LaterEdition { citation: u32, date: String, later: String, later_date: String },
    SeveralCases { citations: Vec<u32> },
}

/// An answer.
#[derive(Serialize)]
pub(crate) struct Answer {
    pub(crate) answer: String,
    pub(crate) sufficient: bool,
    pub(crate) by: &'static str,
    pub(crate) verdict: Option<asking::Verdict>,
    pub(crate) trace: asking::TraceShape,
    pub(crate) supporting: Vec<SupportingProvision>,
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) notes: Vec<Note>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) citations: Vec<Citation>,
    pub(crate) missing: Vec<String>,
    pub(crate) message: String,
    pub(crate) vectors: &'static str,
}
