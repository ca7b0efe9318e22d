//! Reads files and prints JSON.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use document::Document;
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::terminal::Escaping;

/// Reading options that several verbs share.
#[derive(clap::Args)]
pub(crate) struct ReadArgs {
    /// Password of an encrypted PDF.
    #[arg(long)]
    password: Option<String>,
    /// Maximum size of a file, in MiB.
    #[arg(long, default_value_t = 256)]
    max_mib: u64,
    /// Maximum number of pages of a PDF.
    #[arg(long, default_value_t = 20_000)]
    max_pages: usize,
}

impl ReadArgs {
    /// The engine's options.
    pub(crate) fn options(&self) -> engine::IngestOptions {
        let mut options = engine::IngestOptions::default();
        options.pages.password.clone_from(&self.password);
        options.set_file_bytes(usize::try_from(self.max_mib << 20).unwrap_or(usize::MAX));
        options.pages.limits.pages = self.max_pages;
        options
    }

    /// Bytes of a file; a file over the limit is refused before it is read.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        let size = fs::metadata(path).map_err(|error| Failure::io(path, &error))?.len();
        if size > self.max_mib << 20 {
            return Err(Failure::Failed(format!(
                "{}: {} MiB is over the limit of {} MiB (raise --max-mib to read it)",
                path.display(),
                size >> 20,
                self.max_mib
            )));
        }
        fs::read(path).map_err(|error| Failure::io(path, &error))
    }

    /// A file as a document. Warnings go to stderr, a line each.
    pub(crate) fn document(&self, path: &Path) -> Result<Document, Failure> {
        self.document_by(path, &self.options())
    }

    /// The same with the engine's options given.
    pub(crate) fn document_by(
        &self,
        path: &Path,
        options: &engine::IngestOptions,
    ) -> Result<Document, Failure> {
        let bytes = self.bytes(path)?;
        let tokens = crate::model::token_count(None)?;
        let document =
            engine::read(
                &bytes,
                &name_of(path),
                options,
                tokens.as_ref(),
                &mut |_| ControlFlow::Continue(()),
            )
            .map_err(|error| Failure::about(path, &error))?;
        warn(path, document.diags.iter().cloned().map(engine::Diag::from));
        Ok(document)
    }
}

/// File name: the last component of a path.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Name of the folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    Some(path.parent()?.file_name()?.to_string_lossy().into_owned())
}

/// Prints the warnings among `diags`, a line each.
pub(crate) fn warn(path: &Path, diags: impl IntoIterator<Item = engine::Diag>) {
    for diag in diags.into_iter().filter(|diag| diag.severity == engine::Severity::Warning) {
        let page = diag.page.map(|page| format!(" page {page}:")).unwrap_or_default();
        note!("pincite: {}: warning:{page} {}", name_of(path), diag.message);
    }
}

/// Prints a value to stdout as JSON, with what would steer a terminal escaped. A closed pipe is not an error.
pub(crate) fn print_json(value: &Value) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping);
    let written = value.serialize(&mut serializer).map_err(std::io::Error::from);
    match written.and_then(|()| writeln!(out)) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("stdout: {error}")))
        }
        _ => Ok(()),
    }
}
