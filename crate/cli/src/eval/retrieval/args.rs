//! Arguments of `pincite eval retrieval`.

use std::path::PathBuf;

use native::model::Activations;

use crate::threads::ThreadArgs;

/// Arguments of `pincite eval retrieval`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The passages: JSON lines with `id`, `text`, optional `title`, `chapter`; may be gzipped.
    #[arg(long, required_unless_present = "library")]
    pub(super) corpus: Option<PathBuf>,
    /// A library with vectors instead of passages; judgments then name pages, `file.pdf#7,8` for either of two.
    #[arg(long, conflicts_with_all = ["corpus", "features", "vectors", "analyzer"])]
    pub(super) library: Option<PathBuf>,
    /// With --library: search each question only in the document that this field of it names.
    #[arg(long, requires = "library", value_name = "FIELD")]
    pub(super) within: Option<String>,
    /// With --library: count only the first N words of each ranking.
    #[arg(long, requires = "library")]
    pub(super) words: Option<usize>,
    /// The units that are ranked: whole passages (`article`), their children of sentences (`child`), or both. Default:
    /// articles of a corpus, both of a library.
    #[arg(long, value_parser = ["child", "article", "both"])]
    pub(super) units: Option<String>,
    /// The questions: JSON lines with `qid`, `query` and fields for --by; may be gzipped.
    #[arg(long)]
    pub(super) queries: PathBuf,
    /// The judgments: `qid 0 id relevance`; may be gzipped.
    #[arg(long)]
    pub(super) qrels: PathBuf,
    /// File for the best 1,000 passages of each question, as a TREC run.
    #[arg(long)]
    pub(super) run: Option<PathBuf>,
    /// The ranker. `default` is that of `search`.
    #[arg(long, default_value = "default", value_parser = ["bm25", "dense", "rrf", "blend", "ltr", "default"])]
    pub(super) ranker: String,
    /// LightGBM text model for `ltr`; default: the one that ships.
    #[arg(long)]
    pub(super) ranking_model: Option<PathBuf>,
    /// Directory for the features of all candidates, for training.
    #[arg(long, value_name = "DIR")]
    pub(super) features: Option<PathBuf>,
    /// The analyzer.
    #[arg(long, default_value = "default", value_parser = ["default", "lucene"])]
    pub(super) analyzer: String,
    /// `flat`: title, chapter and text as one field.
    #[arg(long, default_value = "default", value_parser = ["default", "flat"])]
    pub(super) fields: String,
    /// BM25's k1.
    #[arg(long)]
    pub(super) k1: Option<f32>,
    /// BM25's b.
    #[arg(long)]
    pub(super) b: Option<f32>,
    /// Weight of a term in title or chapter.
    #[arg(long)]
    pub(super) header_weight: Option<f32>,
    /// Precision of document lengths; `lucene` rounds as its index does. Default: that of --analyzer.
    #[arg(long, value_parser = ["exact", "lucene"])]
    pub(super) length: Option<String>,
    /// Normalisation of the scores of `blend`.
    #[arg(long, default_value = "z-score", value_parser = ["z-score", "min-max"])]
    pub(super) norm: String,
    /// Weight of the dense score in `blend`, 0 to 1.
    #[arg(long)]
    pub(super) dense_weight: Option<f32>,
    /// Weight of expansions of the question's words, at least 0.
    #[arg(long)]
    pub(super) expansion_weight: Option<f32>,
    /// Thesaurus: groups of words for one concept, a line each, as in models/thesaurus/legal.txt.
    #[arg(long, value_name = "FILE")]
    pub(super) thesaurus: Option<PathBuf>,
    /// Rank provisions named in the question first.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    pub(super) named: bool,
    /// The vector index.
    #[arg(long, default_value = "auto", value_parser = ["exact", "hnsw", "auto"])]
    pub(super) ann: String,
    /// Candidates of each retriever, default 1,000; the limit of a run.
    #[arg(long)]
    pub(super) depth: Option<usize>,
    /// Use the vectors of this many passages only, the best of each question by words, as `ask FILE` does. Default: of
    /// all.
    #[arg(long, value_name = "N")]
    pub(super) candidates: Option<usize>,
    /// Cutoffs of the metrics.
    #[arg(long, value_delimiter = ',', default_value = "1,5,10,20")]
    pub(super) ks: Vec<usize>,
    /// Break the figures down by this field of the questions.
    #[arg(long)]
    pub(super) by: Option<String>,
    /// Bits of the encoder's activations, 16 or 7. Cached vectors do not tell which they were made with.
    #[arg(long, value_name = "BITS", value_parser = crate::model::activations(), default_value = "16", conflicts_with = "vectors")]
    pub(super) activations: Activations,
    /// Directory of the embedding model.
    #[arg(long)]
    pub(super) embedder: Option<PathBuf>,
    /// File that caches vectors; used where texts and model are the same.
    #[arg(long)]
    pub(super) vectors: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}
