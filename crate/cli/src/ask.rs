//! `pincite ask`: a question answered from a library or from files, every statement cited.

use std::path::PathBuf;

use engine::{Library, SearchOptions};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::input::{ReadArgs, print_json};
use crate::search::FilterArgs;
use crate::store::Store;

/// Arguments of `pincite ask`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A library, or PDFs and Word files (.docx).
    #[arg(required = true, value_name = "LIB | FILE")]
    sources: Vec<PathBuf>,
    /// The question.
    #[arg(long)]
    question: String,
    /// Print JSON; otherwise the answer and its citations.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let library = library(args)?;
    let embedded = crate::search::embed_query(&library, &args.model, &args.question)?;
    let vector = embedded.as_ref().map(crate::search::Embedded::as_query);
    let answer =
        library.ask(&args.question, vector, &SearchOptions::for_answers().within(args.filter.options()))?;
    if args.json {
        let citations: Value = answer.citations.iter().map(crate::json::citation).collect();
        let retrieved: Value = answer.retrieved.iter().map(crate::json::hit).collect();
        return print_json(&json!({
            "question": args.question,
            "answer": answer.text,
            "sufficient": answer.sufficient,
            "citations": citations,
            "trace": {
                "rewrites": [],
                "retrieved": retrieved,
                "selected": answer.citations.iter().map(|citation| citation.id).collect::<Vec<_>>(),
                "missing": answer.missing,
                "calls": [],
            },
            "vectors": answer.vectors.name(),
        }));
    }
    println!("{}\n", answer.text);
    for citation in &answer.citations {
        let place = &citation.place;
        let page = place.page.map(|page| format!(", page {}", page.0 + 1)).unwrap_or_default();
        println!("[P{}] {}{page}  {}", citation.id, place.document, place.section_path.join(" › "));
        println!("     “{}”", citation.quote.replace(['\n', '\t'], " "));
    }
    Ok(())
}

/// The library named, or one in memory made of the files named.
fn library(args: &Args) -> Result<Library, Failure> {
    if let [directory] = args.sources.as_slice()
        && directory.is_dir()
    {
        return Store::open(directory)?.load();
    }
    let session = args.model.load()?;
    let tokens = args.model.token_count()?;
    let mut library = Library::new();
    for path in &args.sources {
        let ingested = crate::index::read(path, &args.read, session.as_ref(), tokens.as_ref())?;
        library.add(&ingested.segment)?;
        if let Some(vectors) = &ingested.vectors {
            library.add_vectors(vectors)?;
        }
    }
    Ok(library)
}
