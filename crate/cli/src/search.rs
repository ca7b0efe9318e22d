//! `pincite search LIB QUERY`: ranked passages, of the whole library or of what a filter leaves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::{Embedder, FilterOptions, Glossary, QueryVector, SearchOptions};

use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::input::print_json;
use crate::json::to_json;
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
    /// What orders what words and vectors find: the learned ranker over a blend, the blend, or reciprocal ranks.
    #[arg(long, default_value = "ltr", value_parser = ["ltr", "blend", "rrf"])]
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
    /// Other words for terms: a JSON object of lists, {"MTF": ["multilateral trading facility"]}.
    #[arg(long, value_name = "FILE")]
    glossary: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// Where to look.
#[derive(clap::Args)]
#[command(next_help_heading = "Where to look")]
pub(crate) struct FilterArgs {
    /// In this document: its file's name, title or id. May be given several times.
    #[arg(long, value_name = "NAME")]
    document: Vec<String>,
    /// In this section and those below it: "Part 3", "Rule 4.2.1", 第二章. May be given several times.
    #[arg(long, value_name = "LABEL")]
    section: Vec<String>,
    /// Passages of this kind. May be given several times.
    #[arg(long, value_parser = ["child", "article", "note"])]
    kind: Vec<String>,
    /// Documents that say this of their edition, or bear it in name or title.
    #[arg(long, value_name = "TEXT")]
    edition: Option<String>,
    /// Documents of this date or later: 2023-07-31, 2023-07 or 2023.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Documents of this date or earlier.
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// Leave out what says that it is repealed, superseded or reserved.
    #[arg(long)]
    in_force: bool,
}

impl FilterArgs {
    /// As the engine takes it.
    pub(crate) fn options(&self) -> FilterOptions {
        let Self { document, section, kind, edition, from, to, in_force } = self;
        FilterOptions {
            documents: document.clone(),
            sections: section.clone(),
            kinds: kind.clone(),
            edition: edition.clone(),
            from: from.clone(),
            to: to.clone(),
            in_force: *in_force,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut library = Store::open(&args.library)?.load()?;
    let glossary = args.glossary.as_deref().map(glossary).transpose()?.unwrap_or_default();
    let glossary = glossary.iter().map(|(term, words)| (term.as_str(), words.iter().map(String::as_str)));
    let embedded = embed_query(&library, &args.model, &args.query)?;
    let vector = embedded.as_ref().map(Embedded::as_query);
    let options = SearchOptions::parse(args.k, &args.units, &args.ann, args.explain)?
        .with_fusion(&args.fusion)?
        .within(args.filter.options())
        .with_glossary(Glossary::new(glossary));
    if args.ann == "hnsw" && vector.is_some() {
        // For one question a build never pays; who names the graph wants to see what it finds.
        library.build_graph();
    }
    let reply = library.search(&args.query, vector, &options)?;
    if args.json {
        let mut value = to_json(&reply)?;
        value["query"] = args.query.as_str().into();
        return print_json(&value);
    }
    if let Some(nothing) = reply.nothing {
        println!("{}", nothing.message());
    }
    for found in &reply.hits {
        let location = &found.location;
        let page = location.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let status = location.legal_status.map(|status| format!(" [{}]", status.name())).unwrap_or_default();
        println!(
            "{:3}  {:.4}  {}{page}  {}{status}",
            found.rank,
            found.score,
            location.document,
            location.section_path.join(" › ")
        );
        let head: String = found.text.chars().take(200).collect();
        println!("     {}", head.replace(['\n', '\t'], " "));
    }
    Ok(())
}

/// Reads a glossary: other words for terms, by term.
pub(crate) fn glossary(path: &Path) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::Failed(format!("{}: not an object of lists of words: {error}", path.display()))
    })
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
