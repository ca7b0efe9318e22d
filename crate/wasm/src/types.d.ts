// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript
// More than 600 lines: generated.

/** Answer to a question. */
export type Answer = {
  /** Statements with their marks; or the message, if the evidence does not suffice. */
  answer: string,
  /** True if the evidence suffices or may suffice and the check of the answer, if any, passed. */
  sufficient: boolean,
  /** State of the documents on the question: `answers`, `may-answer` with the nearest passages, or `silent`. */
  answerability: Answerability,
  /** Probability that what was found answers the question, 0 to 1, by extraction. */
  probability: number,
  /** Author of the text. */
  by: Author,
  /** Result of the last check, if one was made. */
  verdict: Verdict | null,
  /** Statements; empty if the evidence does not suffice. */
  statements: Array<Statement>,
  /** Citations, best first; the nearest passages if the evidence does not suffice. */
  citations: Array<Citation>,
  /** Provisions and definitions that the statements depend on, each with a citation of its own. */
  supporting: Array<SupportingProvision>,
  /** Provisions that contradict each other. */
  conflicts: Array<Conflict>,
  /** Warnings about the citations. */
  notes: Array<Note>,
  /** Content words of the question that no passage speaks to: none contains them or, if compared, a similar one. */
  missing: Array<string>,
  /** Why the answer is not sufficient, or which part of the question it leaves open; may be empty. */
  message: string,
  /** Documents whose vectors took part in the search. */
  vectors: VectorUse,
  /** Trace of the answer. */
  trace: Trace,
};

/** Steps that ask a model, in the order in which they run. */
export type AnswerStep = "passage" | "rewrite" | "filter" | "extract" | "read" | "reflect";

/** State of the documents on a question. */
export type Answerability = "silent" | "may-answer" | "answers";

/** Options of `Library.ask`. */
export type AskOptions = {
  /** Passages to search. */
  filter?: Filter | null,
  /** Vector of the question. */
  vector?: Float32Array | undefined,
  /** Fingerprint of the model that made the vector. */
  fingerprint?: string,
};

/** Options of `Library.asking`. */
export type AskingOptions = {
  /** Earlier questions and answers, oldest first. */
  history?: Array<Turn>,
  /** Name of a profile that ships, or the TOML of another. */
  profile?: string | null,
  /** True if there is a language model to ask. */
  model?: boolean,
  /** Passages to search. */
  filter?: Filter | null,
  /** Other words for terms, added to the glossary of the profile. */
  glossary?: { [key in string]: Array<string> },
  /** Vector search, as for a search. */
  ann?: "exact" | "hnsw" | "auto",
  /** BM25's term frequency saturation, from 0. */
  k1?: number,
  /** BM25's length normalisation, 0 to 1. */
  b?: number,
  /** Weight of a word in the header of a passage (title, section path) against one in its text, from 0. */
  headerWeight?: number,
  /** Weight of vectors in blended scores, 0 to 1. */
  denseWeight?: number,
};

/** Author of an answer. */
export type Author = "model" | "extraction";

/** Kinds of block. Running headers and the like are none: they are furniture. */
export type BlockKind = "heading" | "paragraph" | "list" | "footnote" | "table";

/** Part of a passage in one block of a document without pages. */
export type BlockRange = {
  /** Position of the block in the document's text. */
  block: number,
  /** First UTF-16 code unit in the block. */
  start: number,
  /** One past the last UTF-16 code unit. */
  end: number,
};

/** Role of a block besides its kind. */
export type BlockRole = "body" | "caption" | "quote" | "title";

/** State of a request to a model. */
export type CallOutcome = "open" | "used" | "unusable" | "failed";

/** Place of a candidate. */
export type CandidatePlace = {
  /** Id of its document. */
  documentId: string,
  /** Page on which it begins, from 1; `null` in a document without pages. */
  page: number | null,
  /** Start and end in the document's text, in bytes. */
  range: [number, number],
};

/** Candidates of a question, with their features and labels: one row each. `Trainer.add` of the lab takes them. */
export type Candidates = {
  /** Names of the features, in the order of the columns. */
  names: Array<string>,
  /** Features, row by row; NaN where one does not apply. */
  features: Float32Array,
  /** By row: 1 if the candidate reaches a gold place. */
  labels: Uint8Array,
  /** By row: score that the forest which ships gives it. */
  scores: Float32Array,
  /** By row: the place of the candidate. */
  places: Array<CandidatePlace>,
  /** Number of gold places that a candidate reaches. */
  reached: number,
};

/** Reason why the words of a range may not be what a reader of the page sees, mildest first. */
export type Caveat = "ocr" | "tracked" | "differs";

/** One message of a conversation with a model. */
export type ChatMessage = {
  /** Speaker of a message. */
  role: ChatRole,
  /** Its text. */
  content: string,
};

/** Speaker of a message. */
export type ChatRole = "system" | "user" | "assistant";

/** Kinds of chunk. */
export type ChunkKind = "parent" | "child" | "article" | "note";

/** Pinpoint citation. */
export type Citation = {
  /** Number in the answer, from 1, best first. */
  id: number,
  /** Quoted words. */
  quote: string,
  /** Result of comparing the quotation with the document, and the document with its pages. */
  status: CitationStatus,
  /** File name of the document. */
  document: string,
  /** SHA-256 of the file. */
  documentId: string,
  /** Number of the physical page on which the passage begins, from 1; `null` in a document without pages. */
  page: number | null,
  /** Printed label of that page, if the file has one. */
  pageLabel: string | null,
  /** Headings above the passage, outermost first. */
  sectionPath: Array<string>,
  /** Legal status of the section, if it is not in force. */
  legalStatus: LegalStatus | null,
  /** Quads on `page`. */
  quads: Array<[number, number, number, number, number, number, number, number]>,
  /** Quads on every page that the passage touches. */
  spans: Array<PageSpan>,
  /** Ranges of blocks in a document without pages; empty in a document with pages. */
  places: Array<BlockRange>,
  /** Why the words of the passage may not be what a reader of the page sees, mildest first. */
  caveats: Array<Caveat>,
};

/** Status of a quotation, best first. The contract of this crate says what each one promises. */
export type CitationStatus = "verified" | "ocr" | "tracked" | "differs" | "cited" | "repaired" | "misattributed" | "stitched" | "not-found";

/** Provisions that contradict each other. */
export type Conflict = {
  /** Difference between the provisions. */
  kind: ConflictKind,
  /** Citations that show them; one of the answer's first. */
  citations: Array<number>,
  /** Citation of the provision in force, if the documents say which. */
  preferred: number | null,
};

/** The difference between two provisions that otherwise say the same. The first kind that applies. */
export type ConflictKind = "negation" | "modality" | "number" | "wording";

/** A step that did not run as the profile says. */
export type Degraded = {
  /** The step. */
  step: AnswerStep,
  /** Code of the endpoint's fault, else `sent-less`, `failed-before`, `cut-at-length`, `unusable`, `parts-unread` or `quotes-dropped`. */
  code: string,
  /** Number of the request in question; absent if no request was made. */
  call: number | null,
  /** Reason in words, for the reader. */
  why: string,
};

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

/** Vector of a query, with the fingerprint of the model that made it. */
export type EmbeddedQuery = {
  /** Vector of the query. */
  vector?: Float32Array | undefined,
  /** Fingerprint of the model. */
  fingerprint?: string,
};

/** Reason why a search found nothing. */
export type EmptyReason = "no-documents" | "no-query" | "nothing-in-scope" | "no-match";

/** Kind of error. The names are API: a change of one is a breaking change. */
export type ErrorCode = "format-unknown" | "doc-legacy" | "pdf-invalid" | "pdf-encrypted" | "pdf-empty" | "docx-invalid" | "docx-encrypted" | "limit-exceeded" | "model-missing" | "model-mismatch" | "index-version" | "index-damaged" | "profile-invalid" | "cancelled" | "bad-argument" | "internal";

/** Derivation of a score: a tree of named contributions. */
export type Explanation = {
  /** Value of this node. */
  value: number,
  /** Its name in the formula: "bm25(rule)", "cosine", "rrf k=60". */
  description: string,
  /** Its contributions. */
  details: Array<Explanation>,
};

/** Passages to search. A field that is not given excludes nothing. */
export type Filter = {
  /** Documents, each by its id, its file name (with or without the ending), its title or another name for it. */
  documents?: Array<string>,
  /** Sections with all below them, each as it is cited or headed: "Part 3", "Rule 4.2.1", "第二章". */
  sections?: Array<string>,
  /** Kinds of passage: `child`, `article`, `note`. */
  kinds?: ("child" | "article" | "note")[],
  /** Edition: documents that give it themselves, or have it in their name or title. */
  edition?: string,
  /** Earliest date of a document: `2023-07-01`, `2023-07` or `2023`. */
  from?: string,
  /** Latest date of a document. */
  to?: string,
  /** True to exclude sections that are repealed, superseded or reserved. */
  inForce?: boolean,
};

/** Entry of a glossary that a question uses. */
export type GlossaryEntry = {
  /** Term, as the question writes it. */
  term: string,
  /** Other words for it. */
  words: Array<string>,
};

/** Place that answers a question: a range of a document's text, any of some pages, or, without either, all of the document. */
export type GoldPlace = {
  /** Document: its id or its file name. */
  document: string,
  /** Pages, from 1: any of them. */
  pages?: Array<number>,
  /** Start and end in the document's text, in bytes; decides alone where it is given. */
  range?: [number, number],
};

/** Legal status of a section that is not in force. */
export type LegalStatus = "repealed" | "superseded" | "reserved";

/** Location of a passage in a document. */
export type Location = {
  /** File name of the document. */
  document: string,
  /** SHA-256 of the file. */
  documentId: string,
  /** Number of the physical page on which the passage begins, from 1; `null` in a document without pages. */
  page: number | null,
  /** Printed label of that page, if the file has one. */
  pageLabel: string | null,
  /** Headings above the passage, outermost first. */
  sectionPath: Array<string>,
  /** Legal status of the section, if it is not in force. */
  legalStatus: LegalStatus | null,
  /** Quads on `page`. */
  quads: Array<[number, number, number, number, number, number, number, number]>,
  /** Quads on every page that the passage touches. */
  spans: Array<PageSpan>,
  /** Ranges of blocks in a document without pages; empty in a document with pages. */
  places: Array<BlockRange>,
  /** Why the words of the passage may not be what a reader of the page sees, mildest first. */
  caveats: Array<Caveat>,
};

/** A request to a model and its result. */
export type ModelCall = {
  /** Number of the request, from 1. */
  call: number,
  /** The asking step. */
  step: AnswerStep,
  /** Endpoint named by the profile. */
  endpoint: string | null,
  /** The model. */
  model: string | null,
  /** Version of the step's prompt. */
  prompt: number,
  /** Size of the messages sent, in bytes. */
  sent: number,
  /** Size of the reply, in bytes. */
  received: number,
  /** State of the request. */
  outcome: CallOutcome,
  /** Reason why the reply was not used, or why there is none. */
  why: string | null,
};

/** Failure to get a reply. */
export type ModelFault = {
  /** Code, such as `timeout`. */
  code: string,
  /** Message for a person. */
  message: string,
  /** True if another request to the endpoint would fail too. */
  lasts: boolean,
};

/** Reply of a language model. */
export type ModelReply = {
  /** Text. */
  text: string,
  /** Finish reason, in the words of the protocol. */
  finish: string,
};

/** Request to a language model. */
export type ModelRequest = {
  /** Number of the request in this answer, from 1. */
  call: number,
  /** Step that asks. */
  step: AnswerStep,
  /** Endpoint that the profile names for the step. */
  endpoint: string | null,
  /** Model that the profile names for the step. */
  model: string | null,
  /** Conversation. */
  messages: Array<ChatMessage>,
  /** Maximum length of the reply, in tokens. */
  maxTokens: number,
  /** Sampling temperature, 0 to 2. */
  temperature: number,
  /** JSON schema of the reply; `null` for prose. */
  schema: ReplySchema | null,
  /** Locations of the passages in the messages; not those that earlier turns cite. */
  passages: Array<Location>,
  /** Number of earlier turns in the messages, the latest. */
  turns: number,
};

/** Endpoint that a profile names. */
export type NamedEndpoint = {
  /** Name of the endpoint. */
  name: string,
  /** Steps that ask it. */
  steps: Array<AnswerStep>,
};

/** Next action for a question: a search, a comparison, a request to a model, or none. */
export type Need = { "kind": "search", query: string, } | { "kind": "compare", query: string, passages: Array<Array<string>>, } | { "kind": "ask", request: ModelRequest, } | { "kind": "nothing" };

/** Warning about citations. */
export type Note = { "kind": "withdrawn",
  /** Citation. */
  citation: number,
  /** Legal status of the provision. */
  legalStatus: LegalStatus, } | { "kind": "later-edition",
  /** Citation. */
  citation: number,
  /** Date of the cited document. */
  date: string,
  /** File name of the later edition. */
  later: string,
  /** Date of the later edition. */
  laterDate: string, } | { "kind": "several-cases",
  /** Citations, one per case. */
  citations: Array<number>,
};

/** Part of a passage on one page. */
export type PageSpan = {
  /** Page number, from 1; `null` in a document without pages. */
  page: number | null,
  /** Start and end in the document's text, in bytes. */
  range: [number, number],
  /** One quad per line, in PDF user space: x and y of top left, top right, bottom left, bottom right. */
  quads: Array<[number, number, number, number, number, number, number, number]>,
};

/** Description of a profile. */
export type ProfileInfo = {
  /** Name by which the profile is chosen. */
  name: string,
  /** Title for people. */
  title: string,
  /** The TOML file, to start one's own from. */
  file: string,
  /** Endpoints that the profile names for some of its steps. */
  endpoints: Array<NamedEndpoint>,
};

/** JSON schema of a reply. */
export type ReplySchema = {
  /** Name. */
  name: AnswerStep,
  /** Schema. */
  schema: object,
};

/** Passage that a search found. */
export type SearchHit = {
  /** Kind of chunk. */
  kind: ChunkKind,
  /** Text of the passage. */
  text: string,
  /** Score by which hits are ordered; comparable within one search only. */
  score: number,
  /** Rank, from 1. */
  rank: number,
  /** Terms of the score, if they were asked for. */
  explanation?: Explanation,
  /** File name of the document. */
  document: string,
  /** SHA-256 of the file. */
  documentId: string,
  /** Number of the physical page on which the passage begins, from 1; `null` in a document without pages. */
  page: number | null,
  /** Printed label of that page, if the file has one. */
  pageLabel: string | null,
  /** Headings above the passage, outermost first. */
  sectionPath: Array<string>,
  /** Legal status of the section, if it is not in force. */
  legalStatus: LegalStatus | null,
  /** Quads on `page`. */
  quads: Array<[number, number, number, number, number, number, number, number]>,
  /** Quads on every page that the passage touches. */
  spans: Array<PageSpan>,
  /** Ranges of blocks in a document without pages; empty in a document with pages. */
  places: Array<BlockRange>,
  /** Why the words of the passage may not be what a reader of the page sees, mildest first. */
  caveats: Array<Caveat>,
};

/** Options of `Library.search`. */
export type SearchOptions = {
  /** Maximum number of hits, 1 to 1,000; 10 by default. */
  k?: number,
  /** Kinds of chunk to list; `both` by default. */
  units?: "child" | "article" | "both",
  /** Vector search: scan, graph, or whichever is faster (`auto`, the default). */
  ann?: "exact" | "hnsw" | "auto",
  /** Ranking: learned (`ltr`, the default), blended scores, reciprocal rank fusion, or that of answers. */
  fusion?: "ltr" | "blend" | "rrf" | "answers",
  /** True to explain the score of each hit. */
  explain?: boolean,
  /** Passages to search. */
  filter?: Filter | null,
  /** Other words for terms of the query. */
  glossary?: { [key in string]: Array<string> },
  /** Vector of the query. */
  vector?: Float32Array | undefined,
  /** Fingerprint of the model that made the vector. */
  fingerprint?: string,
  /** BM25's term frequency saturation, from 0. */
  k1?: number,
  /** BM25's length normalisation, 0 to 1. */
  b?: number,
  /** Weight of a word in the header of a passage (title, section path) against one in its text, from 0. */
  headerWeight?: number,
  /** Weight of vectors in blended scores, 0 to 1. Not with `rrf`. */
  denseWeight?: number,
  /** Places that answer the query: the reply says which hits reach them. */
  gold?: Array<GoldPlace>,
};

/** Result of a search, with its times. */
export type SearchReply = {
  /** Time of each step. */
  times: SearchTimes,
  /** Hits, best first. */
  hits: Array<SearchHit>,
  /** Reason why there are no hits; `null` if there are some. */
  nothing: EmptyReason | null,
  /** Documents whose vectors took part. */
  vectors: VectorUse,
  /** By hit, the indexes of the gold places of the options that it is the first to reach. Missing without gold. */
  gold?: Array<Array<number>>,
};

/** Times of the steps of a search, in milliseconds. */
export type SearchTimes = {
  /** Analysis of the query. */
  analysis: number,
  /** BM25. */
  lexical: number,
  /** Vector search. */
  dense: number,
  /** Fusion and ranking. */
  ranking: number,
  /** Texts and locations of the hits. */
  placing: number,
};

/** Severity of a diagnostic. */
export type Severity = "info" | "warning";

/** A sentence of an answer. */
export type Statement = {
  /** Text without citation marks. In an extracted answer it is the quotation of its citation. */
  text: string,
  /** Ids of the citations that the statement rests on. */
  citations: Array<number>,
  /** Words of the statement that its citations do not support. */
  unsupported: Array<UnsupportedClaim>,
  /** Numbers of passages that the model cited but was never given. */
  unknown: Array<number>,
  /** True if the statement continues the line of the statement before it. */
  continues: boolean,
  /** The part of an extracted statement that answers best, where the statement holds more. */
  operative: string | null,
};

/** Vectors of consecutive passages, to store. */
export type StoredVectors = {
  /** The first passage. */
  start: number,
  /** Number of passages. */
  count: number,
  /** Bytes for `Library.addVectors`. */
  bytes: Uint8Array,
};

/** Provision or definition that a cited statement depends on. */
export type SupportingProvision = {
  /** Citation that names it. */
  citation: number,
  /** `reference` or `definition`. */
  why: "reference" | "definition",
  /** The reference as printed, or the term as defined. */
  name: string,
  /** Citation that shows it. */
  by: number,
};

/** Block of a document's text. */
export type TextBlock = {
  /** Kind of block. */
  kind: BlockKind,
  /** Role of the block, if it is more than body text. */
  role: BlockRole | null,
  /** Level of a heading, from 1 for the outermost. */
  level: number | null,
  /** Mark of a footnote. */
  marker: string | null,
  /** Text; rows of a table end in `\n`, cells in `\t`. */
  text: string,
  /** Marks of notes in the text. */
  marks: Array<TextMark>,
};

/** Mark of a note in a block. */
export type TextMark = {
  /** UTF-16 code unit of the block before which the mark stands. */
  at: number,
  /** The mark as printed. */
  marker: string,
  /** Position of the note's first block, if the note was found. */
  note: number | null,
};

/** Matches of the tokens of a query in a passage: from `Encoder.compare` to `Asking.compared`. */
export type TokenMatches = {
  /** By piece of the passage and token of the query: the greatest cosine to a token of the piece. */
  best: Float32Array,
  /** By token of the query: its start and its end, in bytes of UTF-8 of the query. */
  ranges: Uint32Array,
};

/** Trace of an answer: searches, selections, requests to a model. */
export type Trace = {
  /** Question that was searched for: as asked, or as a model made a follow-up question stand alone. */
  question: string,
  /** Rewrites of the question. */
  rewrites: Array<string>,
  /** Hypothetical passage that was written to find real ones. */
  passage: string | null,
  /** Queries, round by round. */
  queries: Array<Array<string>>,
  /** Entries of the glossary whose term is in the question. */
  glossary: Array<GlossaryEntry>,
  /** Phrases of the question and the other names of them, in the thesaurus, that were looked for too. */
  also: Array<GlossaryEntry>,
  /** Passages that the filter kept. */
  kept: Array<Location>,
  /** Extracts from around the passages kept. */
  extracts: Array<Location>,
  /** Passages that the answer was written from, P1 first. */
  selected: Array<Location>,
  /** Results of the checks, one per round. */
  reflection: Array<Verdict>,
  /** Requests to a model. */
  calls: Array<ModelCall>,
  /** Steps that were left out or done without a model. */
  degraded: Array<Degraded>,
  /** Passages whose vectors the searches wanted before the library had them. */
  onDemand: VectorsOnDemand,
  /** Number of passages compared with the question and its parts token by token. */
  compared: number,
  /** Inconsistencies that came up while answering: errors of the program. */
  diags: Array<Diag>,
};

/** A question and its answer. */
export type Turn = {
  /** The question. */
  question: string,
  /** The answer. */
  answer: string,
};

/** Words of a statement that its citations do not support. */
export type UnsupportedClaim = {
  /** Kind of the words: a number, a modal verb, a negation. */
  kind: UnsupportedKind,
  /** The words, at most 80 characters. */
  text: string,
};

/** Kind of an unsupported statement. */
export type UnsupportedKind = "number" | "date" | "amount" | "modal" | "negation";

/** Documents whose vectors took part in a search. */
export type VectorUse = "all" | "candidates" | "some" | "none";

/** Passages that the words of a question find and that had no vector when it was asked. */
export type VectorsOnDemand = {
  /** Number of passages that were embedded for the question. */
  embedded: number,
  /** Number of passages that were ranked without a vector. */
  left: number,
};

/** Verdict on an answer. */
export type Verdict = {
  /** True if every statement follows from the cited passages. */
  grounded: boolean,
  /** True if nothing contradicts them. */
  consistent: boolean,
  /** True if nothing that the question needs is left out. */
  complete: boolean,
  /** Problems found. */
  problem: string,
  /** Questions to search for missing points. */
  missing: Array<string>,
};

/** Passage to embed for a question. */
export type WantedPassage = {
  /** Id of its document. */
  document: string,
  /** Its number among the document's passages, from 0. */
  row: number,
  /** Text to embed. */
  text: string,
};
