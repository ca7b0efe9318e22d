//! `pincite ask`: a cited answer from a library or from files, extracted from the documents or written by a language
//! model.

mod vectors;

use std::path::{Path, PathBuf};

use engine::{
    Answer, Ask, Asking, Caveat, Citation, Fault, Glossary, Library, NextAction, Note, SearchOptions, Turn,
};

use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::ingest::Ingest;
use crate::input::{ReadArgs, folder_of, print_json, warn};
use crate::llm::{Endpoints, LlmArgs};
use crate::search::{Embedded, FilterArgs};
use crate::store::{Ingested, Store};
use crate::threads::one_per_core;
use vectors::{Embedding, Vectors};

/// Arguments of `pincite ask`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library directory, or PDFs and Word files (.docx).
    #[arg(required = true, value_name = "LIB | FILE")]
    sources: Vec<PathBuf>,
    /// Question.
    #[arg(long)]
    question: String,
    /// Profile: general, tax-opinion, obligations, chinese-statutes, or a TOML file.
    #[arg(long, value_name = "NAME | FILE", default_value = "general")]
    profile: String,
    /// Earlier questions and answers: a JSON list of {"question", "answer"}, oldest first.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Glossary added to that of the profile: other words for terms, as a JSON object of lists.
    #[arg(long, value_name = "FILE")]
    glossary: Option<PathBuf>,
    /// Passages of files to embed for the question. A library has its vectors; `none` leaves them out.
    #[arg(long, value_enum, default_value = "candidates")]
    vectors: Vectors,
    /// Thesaurus: groups of words for one concept, a line each, as in models/thesaurus/legal.txt; `none` for none
    /// [default: the legal one that ships].
    #[arg(long, value_name = "FILE | none")]
    thesaurus: Option<PathBuf>,
    /// Print JSON; otherwise the answer and its citations.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    llm: LlmArgs,
    /// URL of an endpoint that the profile names. May be given several times.
    #[arg(long, value_name = "NAME=BASE_URL", help_heading = crate::llm::HEADING)]
    endpoint: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    read: ReadArgs,
}

impl Args {
    fn is_library(&self) -> bool {
        matches!(self.sources.as_slice(), [directory] if directory.is_dir())
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let endpoints = Endpoints::new(&args.llm, &args.endpoint)?;
    let profile = crate::llm::profile(&args.profile)?;
    let history = args.history.as_deref().map(history).transpose()?.unwrap_or_default();
    let embedding = Embedding::new(&args.model, args.vectors, args.is_library());
    let mut library = library(args, &embedding)?;
    let glossary = args.glossary.as_deref().map(crate::search::glossary).transpose()?.unwrap_or_default();
    let mut asking = library.asking(Ask {
        question: args.question.clone(),
        history,
        profile,
        glossary,
        has_model: endpoints.is_some(),
        search: SearchOptions::for_answers().within(args.filter.options()).with_glossary(
            Glossary::default().with_thesaurus(crate::search::thesaurus(args.thesaurus.as_deref())?),
        ),
    });
    while !drive(&mut asking, &mut library, &embedding, endpoints.as_ref())? {}
    print(&args.question, &asking.finish(), args.json)
}

/// Does the next step; true if nothing is left to do.
fn drive(
    asking: &mut Asking,
    library: &mut Library,
    embedding: &Embedding<'_>,
    endpoints: Option<&Endpoints>,
) -> Result<bool, Failure> {
    if let Some(query) = asking.query().map(str::to_owned) {
        embedding.passages(library, asking)?;
        let embedded = embedding.query(library, &query)?;
        asking.search(embedded.as_ref().map(Embedded::as_query))?;
        embedding.compare(asking)?;
        return Ok(false);
    }
    let NextAction::Ask(request) = asking.need() else { return Ok(true) };
    let Some(endpoints) = endpoints else { return Ok(true) };
    let step = request.step.name();
    let turns = match request.n_turns {
        0 => String::new(),
        n => format!(" and {n} earlier turns, with what they quote"),
    };
    note!("{step}: {} bytes with {} passages{turns}", request.n_bytes(), request.sent.len());
    let Some(endpoint) = endpoints.named(request.endpoint.as_deref()) else {
        let name = request.endpoint.clone().unwrap_or_default();
        let message =
            format!("the profile names an endpoint {name}: give its URL with --endpoint {name}=URL");
        asking.failed(&Fault { code: "bad-config".to_owned(), message }, true);
        return Ok(false);
    };
    match endpoint.reply(&request.chat(), &mut |what| note!("{step}: {what}")) {
        Ok(reply) => asking.replied(&reply),
        Err(error) => {
            note!("{step}: {}", error.fault.message);
            asking.failed(&error.fault, error.lasts);
        }
    }
    Ok(false)
}

fn print(question: &str, answer: &Answer, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print_json(&crate::json::answer(question, answer)?);
    }
    say!("{}\n", answer.text);
    for statement in &answer.statements {
        for claim in &statement.unsupported {
            say!("! “{}” is not in the cited passages", claim.text);
        }
        for unknown in &statement.unknown {
            say!("! [P{unknown}] is no passage that the model was given");
        }
    }
    if let Some(verdict) = answer.verdict.as_ref().filter(|verdict| !verdict.passes()) {
        say!("! the check of this answer failed: {}", verdict.problem);
    }
    for conflict in &answer.conflicts {
        say!("! {} differ ({})", listed(&conflict.citations), conflict.kind.name());
    }
    for note in &answer.notes {
        say!("! {}", warning(note));
    }
    for degraded in &answer.trace.degraded {
        say!("! {}: {}", degraded.step.name(), degraded.why);
    }
    for diag in &answer.trace.diags {
        say!("! {}", diag.message);
    }
    for entry in &answer.trace.also {
        say!("also looked for, for “{}”: {}", entry.term, entry.words.join(", "));
    }
    for citation in &answer.citations {
        let location = &citation.location;
        let page = location.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let path = location.section_path.join(" › ");
        say!("[P{}] {}{page}  {path}  ({})", citation.id, location.document, standing(citation));
        say!("     “{}”", citation.quote.replace(['\n', '\t'], " "));
    }
    Ok(())
}

/// Status of a citation with the caveats beside it.
fn standing(citation: &Citation) -> String {
    let caveats = &citation.location.caveats;
    let status = Some(citation.status.name());
    let status = status.filter(|name| caveats.iter().all(|caveat| caveat.name() != *name));
    status
        .into_iter()
        .chain(caveats.iter().map(|caveat| caveat_words(*caveat)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A caveat in words.
fn caveat_words(caveat: Caveat) -> &'static str {
    match caveat {
        Caveat::Ocr => "text by OCR",
        Caveat::Tracked => "tracked: touches a pending insertion or deletion",
        Caveat::Differs => "differs: the file claims other letters or digits than those drawn",
    }
}

fn listed(citations: &[u32]) -> String {
    citations.iter().map(|id| format!("[P{id}]")).collect::<Vec<_>>().join(" ")
}

/// A warning about citations, in a line.
fn warning(note: &Note) -> String {
    match note {
        Note::Withdrawn { citation, legal_status } => {
            format!("[P{citation}] is not in force: its section is {}", legal_status.name())
        }
        Note::LaterEdition { citation, date, later, later_date } => {
            format!(
                "[P{citation}] is dated {date}; the library has a later edition, dated {later_date}: {later}"
            )
        }
        Note::SeveralCases { citations } => {
            format!(
                "the citations answer for different cases; the question names none of them: {}",
                listed(citations)
            )
        }
    }
}

fn history(path: &Path) -> Result<Vec<Turn>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io(path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// The library, or one in memory made of the files.
fn library(args: &Args, embedding: &Embedding<'_>) -> Result<Library, Failure> {
    if let [directory] = args.sources.as_slice()
        && args.is_library()
    {
        return Store::open(directory)?.load();
    }
    let (tokens, options) = (args.model.token_count()?, args.read.options());
    let mut library = Library::new();
    let ingest = Ingest {
        read: &args.read,
        options: &options,
        tokens: tokens.as_ref(),
        model: embedding.of_files()?,
        n_threads: one_per_core(),
    };
    ingest.run(&args.sources, &mut |path, ingested| {
        let Ingested { info, segment, vectors } = ingested?;
        warn(path, info.diags);
        let is_taken = |name: &str| library.documents().iter().any(|info| info.name == name);
        let folder = folder_of(path).unwrap_or_default();
        let name = engine::distinct_name(&info.name, &[&folder], &is_taken);
        library.add_as(&segment, &name)?;
        if let Some(vectors) = &vectors {
            library.add_vectors(vectors)?;
        }
        Ok(())
    })?;
    Ok(library)
}
