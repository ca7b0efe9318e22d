// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript

/** Diagnostic of reading a file, or of answering. */
export type Diag = {
  /** Code. */
  code: DiagCode,
  /** Severity. */
  severity: Severity,
  /** Message, without text of the document. */
  message: string,
  /** Advice for the user; may be empty. */
  hint: string,
  /** Page number, from 1, if it concerns one page. */
  page: number | null,
};

/** Kinds of diagnostic. */
export type DiagCode = "no-text-layer" | "unmapped-glyph" | "damaged-page" | "repaired" | "limit-reached" | "numbering-gap" | "orphan-note" | "hidden-text" | "tracked-changes" | "inconsistent" | "covered-text" | "differing-text" | "illegible-text";

/** Description of a document in a library. */
export type DocumentInfo = {
  /** SHA-256 of the file. */
  id: string,
  /** File name. */
  name: string,
  /** Title, if the document has one. */
  title: string | null,
  /** Date that the document gives itself: `2023-07-01`, `2023-07` or `2023`. */
  date: string | null,
  /** Edition that the document gives itself, as printed. */
  edition: string | null,
  /** Number of pages; 0 for a document without pages. */
  nPages: number,
  /** Number of passages: children and notes. */
  nPassages: number,
  /** Number of passages that get a vector: those that the embedding model can read. */
  nToEmbed: number,
  /** Number of passages that have a vector. */
  nEmbedded: number,
  /** Diagnostics of reading the file. */
  diags: Array<Diag>,
};

/** Options of `Parser.parse`. */
export type ParseOptions = {
  /** Password of an encrypted PDF. */
  password?: string,
  /** Maximum size of a file, in bytes. */
  maxBytes?: number,
  /** Maximum number of pages of a PDF. */
  maxPages?: number,
};

/** File that was read. */
export type Parsed = {
  /** Bytes to store and to give to `Library.add`. */
  segment: Uint8Array,
  /** The document. */
  info: DocumentInfo,
};

/** Severity of a diagnostic. */
export type Severity = "info" | "warning";

/** Stage of reading a document. */
export type Stage = "pages" | "layout" | "chunks" | "index" | "embed";
