// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript

/** Pooling of token vectors into one vector. */
export type Pooling = "mean" | "cls";

/** Steps over buffers of rows, one row for each token. No text is padded: the tokens of all texts of a batch stand one after the other, and only attention and pooling need to know where a text begins. */
export type Program = {
  /** Steps in their order. */
  steps: Array<ProgramStep>,
  /** `f32` numbers of a row, for each buffer. */
  widths: Array<number>,
  /** Buffer of the token vectors, after the last step. */
  output: number,
  /** Way from the token vectors of a text to its vector, which has length 1. */
  pooling: Pooling,
  /** Bytes of each constant. */
  sizes: Array<number>,
};

/** A step of a [`Program`]. `input`, `out` and other buffers are indices into [`Program::widths`]; `out` is never an input of the same step. Constants are indices for [`Program::constant`]; numbers are `f32`. */
export type ProgramStep = { "op": "embed",
  /** Constant of `i8`: a row for each word. */
  codes: number,
  /** Constant: a number for each word. */
  scales: number,
  /** Constant: a row for each place. */
  positions: number,
  /** Buffer that is written. */
  out: number, } | { "op": "linear",
  /** Buffer that is read. */
  input: number,
  /** Constant of `i8` of [inputs / 4, outputs, 4]. */
  codes: number,
  /** Constant of [inputs / `group`, outputs]: the value of code 1. */
  scales: number,
  /** Constant, a number for each output. */
  bias: number,
  /** Inputs that share a scale, a multiple of 16. */
  group: number,
  /** True if exact GELU is applied to the sums. */
  gelu: boolean,
  /** Buffer that is written. */
  out: number, } | { "op": "attention",
  /** Buffer of the queries. */
  query: number,
  /** Buffer of the keys. */
  key: number,
  /** Buffer of the values. */
  value: number,
  /** Heads of a row. */
  heads: number,
  /** Factor of the scores. */
  scale: number,
  /** Buffer that is written. */
  out: number, } | { "op": "normalise",
  /** Buffer that is read. */
  input: number,
  /** Buffer that is added to it. */
  residual: number | null,
  /** Constant, a number for each column. */
  gain: number,
  /** Constant, a number for each column. */
  bias: number,
  /** Summand of the variance. */
  epsilon: number,
  /** Buffer that is written. */
  out: number,
};

/** Matches of the tokens of a query in a passage: from `Encoder.compare` to `Asking.compared`. */
export type TokenMatches = {
  /** By piece of the passage and token of the query: the greatest cosine to a token of the piece. */
  best: Float32Array,
  /** By token of the query: its start and its end, in bytes of UTF-8 of the query. */
  ranges: Uint32Array,
};

/** Tokens of texts, from `Encoder.tokens`: one text after the other. */
export type Tokens = {
  /** Ids, as a program looks them up. */
  ids: Uint32Array,
  /** Number of tokens of each text, special tokens included. */
  lengths: Uint32Array,
};
