//! Trains a ranker on features that `pincite eval retrieval --features DIR` wrote, and prints it:
//!
//! ```sh
//! cargo run -p pincite-lambdamart --example train -- DIR [QUESTIONS] > ranker.txt
//! ```
//!
//! QUESTIONS is a file of question ids, a line each; without it all are learned from. Progress is on stderr.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use lambdamart::{Options, Trainer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: train DIR [QUESTIONS]")?;
    let folder = Path::new(&folder);
    let wanted: Option<BTreeSet<String>> = match arguments.next() {
        Some(path) => Some(std::fs::read_to_string(path)?.lines().map(str::to_owned).collect()),
        None => None,
    };
    // `features.json` has a name a line; no need for a reader of JSON.
    let columns = std::fs::read_to_string(folder.join("features.json"))?;
    let named = columns.lines().filter_map(|line| line.trim().strip_prefix("\"name\": \""));
    let names: Vec<String> = named.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect();
    let bytes = std::fs::read(folder.join("values.f32"))?;
    let (values, _) = bytes.as_chunks::<4>();
    let mut questions: BTreeMap<&str, (Vec<f32>, Vec<u8>)> = BTreeMap::new();
    let rows = std::fs::read_to_string(folder.join("rows.tsv"))?;
    for (row, values) in rows.lines().zip(values.chunks(names.len().max(1))) {
        let mut parts = row.split('\t');
        let (Some(id), Some(_), Some(gain)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if wanted.as_ref().is_none_or(|wanted| wanted.contains(id)) {
            let (features, labels) = questions.entry(id).or_default();
            features.extend(values.iter().map(|bytes| f32::from_le_bytes(*bytes)));
            labels.push(gain.parse()?);
        }
    }
    let mut trainer = Trainer::new(names, Options::default())?;
    for (id, (features, labels)) in &questions {
        trainer.add(id, features, labels, &[])?;
    }
    eprintln!("{} of {} questions teach something", trainer.n_questions(), questions.len());
    loop {
        let progress = trainer.step()?;
        if progress.is_done {
            eprintln!("{progress:?}");
            break;
        }
    }
    print!("{}", trainer.model());
    Ok(())
}
