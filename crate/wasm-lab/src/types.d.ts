// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript

/** Measures at a cutoff. */
export type CutMeasures = {
  /** Cutoff. */
  k: number,
  /** Mean over the questions that count. */
  mean: Measures,
  /** By question; `null` for one without anything relevant, which does not count. */
  questions: Array<Measures | null>,
};

/** Mean of paired differences, with its interval. */
export type Difference = {
  /** Mean. */
  mean: number,
  /** Lower end of the interval. */
  low: number,
  /** Upper end. */
  high: number,
  /** Confidence level of the interval. */
  level: number,
  /** Number of questions. */
  n: number,
  /** Number of questions that gained. */
  better: number,
  /** Number of questions that lost. */
  worse: number,
};

/** Questions that are held out. */
export type HeldOut = {
  /** By question: 1 if it is held out. */
  heldOut: Uint8Array,
  /** Unit that is held out as a whole. */
  by: "document" | "question",
};

/** Measures of rankings. */
export type MeasureReply = {
  /** By cutoff, in the order given. */
  at: Array<CutMeasures>,
};

/** Measures of a ranking, 0 to 1. */
export type Measures = {
  /** Share of the relevant ones found. */
  recall: number,
  /** Average precision. */
  map: number,
  /** Normalised discounted cumulative gain. */
  ndcg: number,
  /** One over the rank of the first relevant one. */
  mrr: number,
  /** 1 if all relevant ones are found. */
  recallAll: number,
};

/** Ranking for a question, with its judgments. */
export type RankedQuestion = {
  /** Id of the question. */
  id: string,
  /** Ids of what was found, each with its score. Equal scores are ordered by id descending, as `trec_eval` does. */
  results: Array<[string, number]>,
  /** Relevance by id; above 0 is relevant. */
  judgments: { [id: string]: number },
};

/** Bin of probabilities. */
export type ReliabilityBin = {
  /** Lower bound. */
  low: number,
  /** Upper bound. */
  high: number,
  /** Number of probabilities. */
  n: number,
  /** Their mean; `null` without any. */
  predicted: number | null,
  /** Share that came true. */
  observed: number | null,
};

/** Reliability of probabilities. */
export type ReliabilityReply = {
  /** Bins, from 0 to 1. */
  bins: Array<ReliabilityBin>,
  /** Expected calibration error, 0 to 1. */
  ece: number,
  /** Brier score, 0 to 1. */
  brier: number,
  /** Number of probabilities. */
  n: number,
  /** Probability that parts right from wrong best; `null` without any. */
  threshold: number | null,
  /** Share that it parts rightly. */
  agreement: number | null,
};

/** Options of `Trainer`. Those not given have good values for some hundred questions. */
export type TrainerOptions = {
  /** Ranker that training goes on with, as LightGBM's text model: `Library.shippedRanker`. Without one the trees correct blended scores. */
  base?: string,
  /** Maximum number of trees, 1 to 1,000. */
  rounds?: number,
  /** Maximum leaves of a tree, 2 to 64. */
  numLeaves?: number,
  /** Factor of each tree's values, above 0 to 1. */
  learningRate?: number,
  /** Minimum candidates in a leaf. */
  minDataInLeaf?: number,
  /** L2 regularisation of leaf values. */
  lambdaL2?: number,
  /** Share of the added questions by which training knows when to stop, 0 to 0.5. */
  heldOut?: number,
  /** Number of rounds without a better nDCG of those after which training stops. */
  patience?: number,
  /** Number of candidates of a question to learn from. */
  depth?: number,
  /** Seed of every draw, a whole number of 32 bits. */
  seed?: number,
};

/** Progress of training, after a round. */
export type TrainerProgress = {
  /** Number of rounds done. */
  round: number,
  /** Maximum number of rounds. */
  rounds: number,
  /** nDCG@10 of the questions that are learned from, over their candidates, 0 to 1. */
  training: number,
  /** nDCG@10 of those by which training knows when to stop; `null` without any. */
  heldOut: number | null,
  /** Round with the best of these. */
  best: number,
  /** True if training is over. */
  done: boolean,
};
