//! Writes the sample documents, the list that the page shows of them, and the truth about them.
//!
//! `samples OUT_DIR [--hostile] [--long PAGES]... [--books N]`: with `--hostile` the hostile documents too, in
//! `OUT_DIR/hostile`, and those whose text may not be what a reader sees, in `OUT_DIR/claims`; with `--long` the rulebook over and over, for at least so many pages, as
//! `OUT_DIR/long-PAGES.pdf`; with `--books` N generated rulebooks, in `OUT_DIR/books`. The samples as Word files, one
//! in Chinese and a file of the older format are in `OUT_DIR/word`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pincite_tests::wordfile::{self, Manner};
use pincite_tests::{claims, hostile, samples};

/// Makes a book of some 1,000 passages.
const RULES_OF_A_BOOK: usize = 790;

const USAGE: &str = "usage: samples OUT_DIR [--hostile] [--long PAGES]... [--books N]";

fn main() -> Result<()> {
    let mut out: Option<PathBuf> = None;
    let mut with_hostile = false;
    let mut long: Vec<usize> = Vec::new();
    let mut n_books = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--hostile" => with_hostile = true,
            "--long" => long.push(arguments.next().unwrap_or_default().parse().context("--long PAGES")?),
            "--books" => n_books = arguments.next().unwrap_or_default().parse().context("--books N")?,
            _ if out.is_none() && !argument.starts_with('-') => out = Some(argument.into()),
            _ => bail!(USAGE),
        }
    }
    let Some(out) = out else { bail!(USAGE) };
    fs::create_dir_all(out.join("word")).with_context(|| format!("{}", out.display()))?;
    fs::create_dir_all(out.join("truth")).with_context(|| format!("{}", out.display()))?;
    let mut listed = Vec::new();
    for sample in samples::all() {
        let made = sample.make()?;
        write(&out.join(sample.file()), &made.pdf)?;
        let truth = serde_json::to_vec(&made.truth)?;
        write(&out.join("truth").join(format!("{}.json", made.id)), &truth)?;
        write(&out.join("word").join(format!("{}.docx", made.id)), &sample.word(Manner::Styles)?)?;
        listed.push(sample.listed());
    }
    let chinese = samples::chinese();
    write(&out.join("word").join(format!("{}.docx", chinese.id)), &chinese.word(Manner::Styles)?)?;
    write(&out.join("word/legacy.doc"), &wordfile::legacy())?;
    write(&out.join("samples.json"), &serde_json::to_vec_pretty(&listed)?)?;
    if with_hostile {
        fs::create_dir_all(out.join("hostile"))?;
        for odd in hostile::all()? {
            write(&out.join("hostile").join(odd.file_name), &odd.bytes)?;
        }
        fs::create_dir_all(out.join("claims"))?;
        for (file_name, bytes) in claims::all() {
            write(&out.join("claims").join(file_name), &bytes)?;
        }
    }
    for n_pages in long {
        let made = samples::all()[0].make_long(n_pages)?;
        write(&out.join(format!("long-{n_pages}.pdf")), &made)?;
    }
    fs::create_dir_all(out.join("books"))?;
    for number in 0..n_books {
        let book = samples::generated::rulebook_pdf(number, RULES_OF_A_BOOK)?;
        write(&out.join(format!("books/{number:03}.pdf")), &book)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("{}", path.display()))?;
    eprintln!("{} ({} bytes)", path.display(), bytes.len());
    Ok(())
}
