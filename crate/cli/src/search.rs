//! `pincite search LIB QUERY`: ranked passages.

use std::path::PathBuf;

use engine::{Embedder, QueryVector, SearchOptions};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::input::print_json;
use crate::store::Store;

/// Arguments of `pincite search`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The library.
    library: PathBuf,
    /// What to look for.
    query: String,
    /// How many hits.
    #[arg(long, default_value_t = 10)]
    k: usize,
    /// How vectors are searched.
    #[arg(long, default_value = "auto", value_parser = ["exact", "hnsw", "auto"])]
    ann: String,
    /// How the scores of words and vectors become one.
    #[arg(long, default_value = "blend", value_parser = ["blend", "rrf"])]
    fusion: String,
    /// What is listed.
    #[arg(long, default_value = "both", value_parser = ["child", "article", "both"])]
    units: String,
    /// Say where each score comes from.
    #[arg(long)]
    explain: bool,
    /// Print JSON; otherwise a few lines for each hit.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    model: ModelArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut library = Store::open(&args.library)?.load()?;
    let embedded = embed_query(&library, &args.model, &args.query)?;
    let vector = embedded.as_ref().map(Embedded::as_query);
    let options =
        SearchOptions::parse(args.k, &args.units, &args.ann, args.explain)?.with_fusion(&args.fusion)?;
    if args.ann == "hnsw" && vector.is_some() {
        // For one question a build never pays; who names the graph wants to see what it finds.
        library.build_graph();
    }
    let reply = library.search(&args.query, vector, &options)?;
    if args.json {
        let hits: Value = reply.hits.iter().map(crate::json::hit).collect();
        return print_json(&json!({ "query": args.query, "vectors": reply.vectors.name(), "hits": hits }));
    }
    for found in &reply.hits {
        let place = &found.place;
        let page = place.page.map(|page| format!(", page {}", page.0 + 1)).unwrap_or_default();
        println!(
            "{:3}  {:.4}  {}{page}  {}",
            found.rank,
            found.score,
            place.document,
            place.section_path.join(" › ")
        );
        let head: String = found.text.chars().take(200).collect();
        println!("     {}", head.replace(['\n', '\t'], " "));
    }
    Ok(())
}

/// A query's vector and the model that made it.
pub(crate) struct Embedded {
    fingerprint: String,
    values: Vec<f32>,
}

impl Embedded {
    /// As the engine takes it.
    pub(crate) fn as_query(&self) -> QueryVector<'_> {
        QueryVector { fingerprint: &self.fingerprint, values: &self.values }
    }
}

/// The query's vector, where the library has vectors and the model is there.
pub(crate) fn embed_query(
    library: &engine::Library,
    model: &ModelArgs,
    query: &str,
) -> Result<Option<Embedded>, Failure> {
    if query.trim().is_empty() || library.documents().iter().all(|info| info.n_embedded == 0) {
        return Ok(None);
    }
    let Some(session) = model.load()? else { return Ok(None) };
    let values = session.embed(&[query]).map_err(engine::Error::from)?.pop();
    Ok(values.map(|values| Embedded { fingerprint: session.fingerprint().to_owned(), values }))
}
