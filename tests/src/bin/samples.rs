//! Writes the sample documents, the list that the page shows of them, and the truth about them.
//!
//! `samples OUT_DIR [--hostile] [--long PAGES]...`: with `--hostile` the hostile documents too, in
//! `OUT_DIR/hostile`; with `--long` the rulebook over and over, for at least so many pages, as
//! `OUT_DIR/long-PAGES.pdf`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pincite_tests::{hostile, samples};

const USAGE: &str = "usage: samples OUT_DIR [--hostile] [--long PAGES]...";

fn main() -> Result<()> {
    let mut out: Option<PathBuf> = None;
    let mut with_hostile = false;
    let mut long: Vec<usize> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--hostile" => with_hostile = true,
            "--long" => long.push(arguments.next().unwrap_or_default().parse().context("--long PAGES")?),
            _ if out.is_none() && !argument.starts_with('-') => out = Some(argument.into()),
            _ => bail!(USAGE),
        }
    }
    let Some(out) = out else { bail!(USAGE) };
    fs::create_dir_all(out.join("truth")).with_context(|| format!("{}", out.display()))?;
    let mut listed = Vec::new();
    for sample in samples::all() {
        let made = sample.make()?;
        write(&out.join(sample.file()), &made.pdf)?;
        let truth = serde_json::to_vec(&made.truth)?;
        write(&out.join("truth").join(format!("{}.json", made.id)), &truth)?;
        listed.push(sample.listed());
    }
    write(&out.join("samples.json"), &serde_json::to_vec_pretty(&listed)?)?;
    if with_hostile {
        fs::create_dir_all(out.join("hostile"))?;
        for odd in hostile::all()? {
            write(&out.join("hostile").join(odd.file_name), &odd.bytes)?;
        }
    }
    for n_pages in long {
        let made = samples::all()[0].make_long(n_pages)?;
        write(&out.join(format!("long-{n_pages}.pdf")), &made)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("{}", path.display()))?;
    eprintln!("{} ({} bytes)", path.display(), bytes.len());
    Ok(())
}
