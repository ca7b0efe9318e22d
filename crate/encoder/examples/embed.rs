//! Embeds a text file, one text a line, and says how fast: `embed MODELS FILE [--print]`.
//!
//! With `--print` the vectors go to stdout, one a line. Figures in `models/README.md` come from here.

use std::path::Path;
use std::time::Instant;

use embed::{Embedder as _, Manifest};
use encoder::Session;
use text::TokenCount as _;

#[expect(clippy::disallowed_methods, reason = "an example that measures; no result depends on the clock")]
fn now() -> Instant {
    Instant::now()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [models, file, rest @ ..] = arguments.as_slice() else {
        return Err("usage: embed MODELS FILE [--print]".into());
    };
    let models = Path::new(models);
    let start = now();
    let manifest = Manifest::from_json(&std::fs::read(models.join("manifest.json"))?)?;
    let model = std::fs::read(models.join(&manifest.files.model.name))?;
    let vocabulary = std::fs::read(models.join(&manifest.files.vocabulary.name))?;
    let session = Session::load(model, &vocabulary, &manifest)?;
    eprintln!("load: {:.3} s", start.elapsed().as_secs_f64());

    let content = std::fs::read_to_string(file)?;
    let texts: Vec<&str> = content.lines().collect();
    let start = now();
    let room = session.max_tokens();
    let n_tokens: usize = texts.iter().map(|text| (session.tokenizer().count(text) + 2).min(room)).sum();
    eprintln!("tokenize: {:.3} s", start.elapsed().as_secs_f64());

    let start = now();
    let vectors = session.embed(&texts)?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = n_tokens as f64 / seconds;
    eprintln!("embed: {} texts, {n_tokens} tokens, {seconds:.2} s, {rate:.0} tokens/s", texts.len());
    if rest.iter().any(|argument| argument == "--print") {
        for vector in &vectors {
            println!("{}", vector.iter().map(f32::to_string).collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}
