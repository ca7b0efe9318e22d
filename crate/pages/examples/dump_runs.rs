//! Prints the text runs of a PDF: page, box, size, font and text. `--text` prints only the text, one run per line;
//! `--words` prints words with their boxes; `--json` prints pages with one block each, in the form of
//! `pincite layout --json`; `--none` prints nothing.
//!
//! `cargo run --release -p pincite-pages --example dump_runs -- FILE [--text | --json] [--password P]`

use std::ops::ControlFlow;
use std::process::ExitCode;

use document::{Page, PdfText};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut file, mut mode, mut options) = (None, String::new(), pages::Options::default());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--password" => options.password = arguments.next(),
            "--text" | "--json" | "--words" | "--none" => mode = argument,
            _ => file = Some(argument),
        }
    }
    let Some(file) = file else {
        eprintln!("usage: dump_runs FILE [--text | --json | --words | --none] [--password P]");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    match pages::read(&bytes, &options, &mut |_, _| ControlFlow::Continue(())) {
        Ok(read) => {
            match mode.as_str() {
                "--text" => read.output.pages.iter().for_each(print_text),
                "--words" => read.output.pages.iter().for_each(print_words),
                "--json" => print_json(&read.output),
                "--none" => {}
                _ => read.output.pages.iter().for_each(print_runs),
            }
            for item in read.output.outline.iter().filter(|_| mode.is_empty()) {
                println!(
                    "outline {} {:?} {:?} {:?}",
                    item.level,
                    item.page.map(|id| id.idx() + 1),
                    item.y,
                    item.title
                );
            }
            for diag in read.diags.iter().filter(|_| mode.is_empty()) {
                println!("{:?} {:?} {}", diag.code, diag.page, diag.message);
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn print_runs(page: &Page) {
    let (width, height) = page.geometry.size();
    println!("page {} {:?} {} x {}", page.id.idx() + 1, page.label, width.0, height.0);
    for run in &page.runs {
        let r = &run.rect;
        let tag = run.mcid.and_then(|id| page.tags.get(&id));
        let tag = tag.map(|tag| format!(" {:?}#{}", tag.kind, tag.element)).unwrap_or_default();
        let artifact = if run.artifact { " artifact" } else { "" };
        println!(
            "{} [{:.2} {:.2} {:.2} {:.2}] base {:.2} size {:.2} angle {} {:?}{tag}{artifact} {} {:?}",
            page.id.idx() + 1,
            r.x0,
            r.y0,
            r.x1,
            r.y1,
            run.baseline,
            run.size.0,
            run.angle,
            run.visibility,
            run.font.name,
            run.text
        );
    }
    for rule in &page.rules {
        println!("rule {:?}", rule.rect);
    }
}

/// Prints the words of horizontal runs with their boxes.
fn print_words(page: &Page) {
    for run in page.runs.iter().filter(|run| run.angle == 0.0) {
        let chars: Vec<(char, f32, f32)> =
            run.text.chars().zip(run.edges.windows(2)).map(|(c, e)| (c, e[0], e[1])).collect();
        for word in chars.split(|(c, ..)| c.is_whitespace()).filter(|word| !word.is_empty()) {
            let text: String = word.iter().map(|(c, ..)| c).collect();
            let (x0, x1) = (run.rect.x0 + word[0].1, run.rect.x0 + word[word.len() - 1].2);
            println!("{} {x0:.2} {:.2} {x1:.2} {:.2} {text}", page.id.idx() + 1, run.rect.y0, run.rect.y1);
        }
    }
}

fn print_text(page: &Page) {
    for run in &page.runs {
        println!("{}", run.text);
    }
    println!("\u{c}");
}

fn print_json(source: &PdfText) {
    let pages: Vec<String> = source
        .pages
        .iter()
        .map(|page| {
            let text: String = page.runs.iter().map(|run| run.text.replace('\u{FFFD}', "")).collect();
            let mut quoted = String::new();
            for c in text.chars() {
                match c {
                    '"' | '\\' => quoted.extend(['\\', c]),
                    c if c < ' ' => quoted.push(' '),
                    c => quoted.push(c),
                }
            }
            let number = page.id.idx() + 1;
            format!("{{\"page\":{number},\"blocks\":[{{\"kind\":\"paragraph\",\"text\":\"{quoted}\"}}]}}")
        })
        .collect();
    println!("{{\"pages\":[{}]}}", pages.join(","));
}
