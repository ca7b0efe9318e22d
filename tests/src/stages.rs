//! A file taken through the stages from bytes to chunks, without the engine and so without tract.

use std::ops::ControlFlow;

use document::{Diag, Document, Layout, OutlineItem, PdfText};

/// A document after every stage, with what was read of its pages before.
#[derive(Clone, Debug)]
pub struct Read {
    /// Pages and runs.
    pub source: PdfText,
    /// Everything that is made of them.
    pub document: Document,
    /// Diagnostics of all stages.
    pub diags: Vec<Diag>,
}

/// Takes a PDF through the stages.
///
/// # Errors
/// Those of `pages::read`.
pub fn read(name: &str, bytes: &[u8], password: Option<&str>) -> Result<Read, pages::Error> {
    let options = pages::Options { password: password.map(str::to_owned), ..pages::Options::default() };
    read_with(name, bytes, &options)
}

/// Takes a PDF through the stages, under limits of the caller's.
///
/// # Errors
/// Those of `pages::read`.
pub fn read_with(name: &str, bytes: &[u8], options: &pages::Options) -> Result<Read, pages::Error> {
    let source = pages::read(bytes, options, &mut |_, _| ControlFlow::Continue(()))?;
    let mut diags = source.diags;
    let source = source.output;
    let layout = blocks::layout(&source);
    diags.extend(layout.diags);
    let document = finish(name, layout.output, &source.outline, source.title.clone(), diags);
    Ok(Read { diags: document.diags.clone(), source, document })
}

/// Takes a layout through the stages that follow.
pub fn finish(
    name: &str,
    layout: Layout,
    outline: &[OutlineItem],
    title: Option<String>,
    mut diags: Vec<Diag>,
) -> Document {
    let tree = sections::build(&layout, outline);
    diags.extend(tree.diags);
    let tree = tree.output;
    let chunks = chunks::split(&layout, &tree, &text::ApproximateTokens, &chunks::Options::default());
    Document { name: name.to_owned(), digest: String::new(), title, layout, tree, chunks, diags }
}
