//! `pincite search LIB QUERY`: ranked passages of a library, filtered on request.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Embedder, FilterOptions, Glossary, QueryVector, SearchOptions, Thesaurus};

use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::input::print_json;
use crate::json::to_json;
use crate::store::Store;

/// Arguments of `pincite search`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library directory.
    library: PathBuf,
    /// Query.
    query: String,
    /// Maximum number of hits, 1 to 1,000.
    #[arg(long, default_value_t = 10)]
    k: usize,
    /// Vector search: scan, HNSW graph, or whichever is faster.
    #[arg(long, default_value = "auto", value_parser = ["exact", "hnsw", "auto"])]
    ann: String,
    /// Ranking: the learned ranker over blended scores, blended scores, reciprocal rank fusion, or that of answers.
    #[arg(long, default_value = "ltr", value_parser = ["ltr", "blend", "rrf", "answers"])]
    fusion: String,
    /// Ranker of one's own for `ltr`: LightGBM's text model over our features, as `eval train` and the lab write it.
    #[arg(long, value_name = "FILE")]
    ranking_model: Option<PathBuf>,
    /// Kinds of chunk to list.
    #[arg(long, default_value = "both", value_parser = ["child", "article", "both"])]
    units: String,
    /// Explain each score.
    #[arg(long)]
    explain: bool,
    /// Print JSON; otherwise a few lines for each hit.
    #[arg(long)]
    json: bool,
    /// Glossary: other words for terms, as a JSON object {"MTF": ["multilateral trading facility"]}.
    #[arg(long, value_name = "FILE")]
    glossary: Option<PathBuf>,
    /// Thesaurus: groups of words for one concept, a line each, as in models/thesaurus/legal.txt; `none` for none
    /// [default: the legal one that ships].
    #[arg(long, value_name = "FILE | none")]
    thesaurus: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// Passages to search.
#[derive(clap::Args)]
#[command(next_help_heading = "Filter")]
pub(crate) struct FilterArgs {
    /// Search this document only: its file name, title or id. May be given several times.
    #[arg(long, value_name = "NAME")]
    document: Vec<String>,
    /// In this section and those below it: "Part 3", "Rule 4.2.1", 第二章. May be given several times.
    #[arg(long, value_name = "LABEL")]
    section: Vec<String>,
    /// Passages of this kind. May be given several times.
    #[arg(long, value_parser = ["child", "article", "note"])]
    kind: Vec<String>,
    /// Search documents of this edition only: one that they give themselves, or have in their name or title.
    #[arg(long, value_name = "TEXT")]
    edition: Option<String>,
    /// Search documents of this date or later: 2023-07-31, 2023-07 or 2023.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Search documents of this date or earlier.
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// Exclude sections that are repealed, superseded or reserved.
    #[arg(long)]
    in_force: bool,
}

impl FilterArgs {
    /// The engine's filter.
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
    set_ranker(&mut library, args.ranking_model.as_deref())?;
    let glossary = args.glossary.as_deref().map(glossary).transpose()?.unwrap_or_default();
    let glossary = glossary.iter().map(|(term, words)| (term.as_str(), words.iter().map(String::as_str)));
    let embedded = embed_query(&library, &args.model, &args.query)?;
    let vector = embedded.as_ref().map(Embedded::as_query);
    let options = SearchOptions::parse(args.k, &args.units, &args.ann, args.explain)?
        .with_fusion(&args.fusion)?
        .within(args.filter.options())
        .with_glossary(Glossary::new(glossary).with_thesaurus(thesaurus(args.thesaurus.as_deref())?));
    if args.ann == "hnsw" && vector.is_some() {
        // Building never pays for one query, but --ann hnsw asks for the hits of the graph.
        library.build_graph();
    }
    let reply = library.search(&args.query, vector, &options)?;
    if args.json {
        let mut value = to_json(&reply)?;
        value["query"] = args.query.as_str().into();
        return print_json(&value);
    }
    if let Some(nothing) = reply.nothing {
        say!("{}", nothing.message());
    }
    for found in &reply.hits {
        let location = &found.location;
        let page = location.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let status = location.legal_status.map(|status| format!(" [{}]", status.name())).unwrap_or_default();
        say!(
            "{:3}  {:.4}  {}{page}  {}{status}",
            found.rank,
            found.score,
            location.document,
            location.section_path.join(" › ")
        );
        let head: String = found.text.chars().take(200).collect();
        say!("     {}", head.replace(['\n', '\t'], " "));
    }
    Ok(())
}

/// Gives a library the ranker of a file, if one is named.
pub(crate) fn set_ranker(library: &mut engine::Library, named: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = named else { return Ok(()) };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, &error))?;
    library.set_ranker(Some(&text)).map_err(|error| Failure::about(path, &error))?;
    Ok(())
}

/// Reads a glossary: other words for terms, by term.
pub(crate) fn glossary(path: &Path) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::Failed(format!("{}: not an object of lists of words: {error}", path.display()))
    })
}

/// The thesaurus of `--thesaurus`: the legal one unless a file is named, none for `none`.
pub(crate) fn thesaurus(named: Option<&Path>) -> Result<Option<Arc<Thesaurus>>, Failure> {
    match named {
        None => Ok(Some(Arc::new(Thesaurus::parse(native::LEGAL_THESAURUS)))),
        Some(path) if path == Path::new("none") => Ok(None),
        Some(path) => read_thesaurus(path).map(Some),
    }
}

/// Reads a thesaurus.
pub(crate) fn read_thesaurus(path: &Path) -> Result<Arc<Thesaurus>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, &error))?;
    Ok(Arc::new(Thesaurus::parse(&text)))
}

/// Vector of a query, with the fingerprint of its model.
pub(crate) struct Embedded {
    fingerprint: String,
    values: Vec<f32>,
}

impl Embedded {
    /// The engine's query vector.
    pub(crate) fn as_query(&self) -> QueryVector<'_> {
        QueryVector { fingerprint: &self.fingerprint, values: &self.values }
    }
}

/// Embeds a query, if the library has vectors and there is a model.
pub(crate) fn embed_query(
    library: &engine::Library,
    model: &ModelArgs,
    query: &str,
) -> Result<Option<Embedded>, Failure> {
    if !is_compared(library, query) {
        return Ok(None);
    }
    model.lazy().session()?.map(|session| embed_by(session, query)).transpose()
}

/// True if there is a query, and vectors that it can be compared with.
pub(crate) fn is_compared(library: &engine::Library, query: &str) -> bool {
    !query.trim().is_empty() && library.documents().iter().any(|info| info.n_embedded > 0)
}

/// Embeds a query with a model.
pub(crate) fn embed_by(session: &encoder::Session, query: &str) -> Result<Embedded, Failure> {
    let values = session.embed(&[query]).map_err(engine::Error::from)?.pop().unwrap_or_default();
    Ok(Embedded { fingerprint: session.fingerprint().to_owned(), values })
}
