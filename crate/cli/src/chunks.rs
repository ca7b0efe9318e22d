//! `pincite chunks FILE --json`: parents, children, articles and notes, with their locations.

use std::path::PathBuf;

use document::{Chunk, ChunkKind, Document};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::{ReadArgs, print_json};
use crate::json::spans;

/// Arguments of `pincite chunks`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PDF or Word file (.docx).
    file: PathBuf,
    /// Print JSON instead of a line per chunk.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let document = args.read.document(&args.file)?;
    if args.json {
        return print_json(&to_json(&document)?);
    }
    for (id, chunk) in document.chunks.iter().enumerate() {
        let text: String = document.chunk_text(chunk).chars().take(70).collect();
        say!("{id:5} {:8} {:5} tokens  {}", chunk.kind.name(), chunk.n_tokens, text.replace('\n', " "));
    }
    Ok(())
}

/// Chunks of the four kinds with their text and spans.
fn to_json(document: &Document) -> Result<Value, Failure> {
    let of_kind = |kind: ChunkKind| -> Result<Vec<Value>, Failure> {
        (0..)
            .zip(&document.chunks)
            .filter(|(_, chunk)| chunk.kind == kind)
            .map(|(id, chunk)| chunk_json(document, id, chunk))
            .collect()
    };
    Ok(json!({
        "document": document.name,
        "title": document.title,
        "parents": of_kind(ChunkKind::Parent)?,
        "children": of_kind(ChunkKind::Child)?,
        "articles": of_kind(ChunkKind::Article)?,
        "notes": of_kind(ChunkKind::Note)?,
    }))
}

fn chunk_json(document: &Document, id: u32, chunk: &Chunk) -> Result<Value, Failure> {
    let Chunk { kind: _, ranges, section, n_tokens, parents, article, notes } = chunk;
    Ok(json!({
        "id": id,
        "text": document.chunk_text(chunk),
        "n_tokens": n_tokens,
        "section": section.0,
        "section_path": document.section_path(chunk),
        "parents": parents.iter().map(|id| id.0).collect::<Vec<_>>(),
        "article": article.map(|id| id.0),
        "notes": notes.iter().map(|id| id.0).collect::<Vec<_>>(),
        "spans": spans(&document.layout, ranges)?,
    }))
}
