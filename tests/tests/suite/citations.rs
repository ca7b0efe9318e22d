//! The checker of citations against a slow twin, over answers made from documents: quotations that are true and
//! mangled, and quotations that are wrong in every way that matters.
//!
//! Required: no quotation is called verified that does not stand there, and of the true ones 99 in 100 are.

mod answers;
mod naive;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use citations::{Quotation, SourceText, Status, UnsupportedSpan, check};
use document::{ChunkKind, Document};
use pincite_tests::{corpus, samples, stages};

use answers::{Dice, Kind, Made, WRONG, make, retell};

const SEED: u64 = 20_261_121;
/// Passages that an answer is given.
const N_SOURCES: usize = 8;

/// Counts of a run.
#[derive(Default)]
struct Counts {
    n_true: usize,
    n_verified: usize,
    /// By kind and status.
    wrong: BTreeMap<(Kind, &'static str), usize>,
    n_wrong: usize,
    faults: Vec<String>,
    missed: Vec<String>,
    /// Of sentences that retell a passage: how many are unmarked, of how many; and with another figure: marked.
    told: (usize, usize),
    changed: (usize, usize),
    mistold: Vec<String>,
}

impl Counts {
    /// Asks about a document: `n` true answers, and one of each wrong kind for each.
    fn ask(&mut self, document: &Document, n: usize, dice: &mut Dice) {
        let parents: Vec<String> = document
            .chunks
            .iter()
            .filter(|chunk| chunk.kind == ChunkKind::Parent)
            .map(|chunk| document.chunk_text(chunk).into_owned())
            .filter(|text| text.split_whitespace().count() > 12 || text::is_mostly_cjk(text))
            .collect();
        if parents.len() < 2 {
            return;
        }
        for _ in 0..n {
            let first = dice.below(parents.len());
            let texts: Vec<&String> =
                parents.iter().cycle().skip(first).take(N_SOURCES.min(parents.len())).collect();
            let sources: Vec<SourceText<'_>> =
                (1..).zip(&texts).map(|(id, text)| SourceText { id, text, context: "" }).collect();
            // One answer of many paragraphs, so that the sources are read once.
            let mut answer = String::new();
            let mut all: Vec<(Kind, Made, usize)> = Vec::new();
            for kind in [Kind::True; 3].into_iter().chain(WRONG) {
                if let Some(made) = make(kind, &sources, dice) {
                    let start = answer.len();
                    answer.push_str(&made.answer);
                    answer.push_str("\n\n");
                    all.push((kind, made, start));
                }
            }
            self.retell(&sources, dice);
            let checked = check(&answer, &sources);
            let quotations: Vec<Quotation> = checked.into_iter().flat_map(|unit| unit.quotations).collect();
            for (kind, made, start) in all {
                let end = start + made.answer.len();
                let inside = |quotation: &&Quotation| (start..end).contains(&quotation.range.start);
                let of_it: Vec<&Quotation> = quotations.iter().filter(inside).collect();
                self.judge(kind, &made, start, &of_it, &sources);
            }
        }
    }

    /// Asks about the words of passages told as the answer's own: true ones, and some with another figure.
    fn retell(&mut self, sources: &[SourceText<'_>], dice: &mut Dice) {
        let mut told: Vec<(bool, String)> = Vec::new();
        for changed in [false, false, true, true, true] {
            let source = &sources[dice.below(sources.len())];
            told.extend(retell(source, changed, dice).map(|answer| (changed, answer)));
        }
        let answer: Vec<&str> = told.iter().map(|(_, answer)| answer.as_str()).collect();
        let checked = check(&answer.join("\n\n"), sources);
        let mut start = 0;
        for (changed, answer) in &told {
            let units =
                checked.iter().filter(|unit| (start..start + answer.len()).contains(&unit.range.start));
            let marked: Vec<&UnsupportedSpan> = units.flat_map(|unit| &unit.unsupported).collect();
            start += answer.len() + 2;
            let is_right = marked.is_empty() != *changed;
            let counts = if *changed { &mut self.changed } else { &mut self.told };
            *counts = (counts.0 + usize::from(is_right), counts.1 + 1);
            if !is_right {
                self.mistold.push(format!("{changed} {answer:?}: {marked:?}"));
            }
        }
    }

    fn judge(
        &mut self,
        kind: Kind,
        made: &Made,
        start: usize,
        found: &[&Quotation],
        sources: &[SourceText<'_>],
    ) {
        let &[quotation] = found else {
            self.faults.push(format!("{kind:?}: {} quotations in {:?}", found.len(), made.answer));
            return;
        };
        let text = |id: u32| sources.iter().find(|source| source.id == id).map_or("", |source| source.text);
        let stands = naive::stands(&made.quote, text(made.named));
        let is_verified = quotation.status == Status::Verified;
        if kind == Kind::True {
            self.n_true += 1;
            self.n_verified += usize::from(is_verified);
            if !is_verified {
                self.missed.push(format!("{:?} {:?}", quotation.status, made.answer));
            }
        } else {
            self.n_wrong += 1;
            *self.wrong.entry((kind, quotation.status.name())).or_default() += 1;
        }
        let mut fault = |what: &str| self.faults.push(format!("{kind:?}: {what}: {:?}", made.answer));
        if is_verified && !stands {
            fault("verified, and does not stand there");
        }
        let pieces: Vec<&str> =
            quotation.found.iter().map(|piece| &text(piece.source)[piece.range.to_usize()]).collect();
        let shown = &made.answer[quotation.range.start - start..quotation.range.end - start];
        let bare = shown.strip_prefix('[').map_or(shown.to_owned(), |rest| rest.replacen(']', "", 1));
        let bare = bare.replace("\n> ", "\n");
        match quotation.status {
            Status::Verified | Status::Misattributed => {
                if pieces.len() != 1 || !naive::same(&bare, pieces[0]) {
                    fault("the piece does not say it");
                }
                let is_named = quotation.found.iter().any(|piece| piece.source == made.named);
                if is_named != is_verified || !is_verified && stands {
                    fault("the wrong source");
                }
            }
            Status::Repaired if matches!(kind, Kind::Figure | Kind::Modal | Kind::Denied) && !stands => {
                fault("repaired, though the sense was changed");
            }
            Status::NotFound if !pieces.is_empty() => fault("not found, with pieces"),
            Status::Stitched if pieces.is_empty() => fault("stitched of nothing"),
            _ => {}
        }
    }

    fn report(&self, of: &str) {
        println!("seed {SEED}; {of}: {} of {} true quotations verified", self.n_verified, self.n_true);
        println!("{} wrong ones: {} faults; {:?}", self.n_wrong, self.faults.len(), self.wrong);
        for missed in self.missed.iter().take(20) {
            println!("missed: {missed}");
        }
        println!("{:?} retold sentences unmarked, {:?} changed ones marked", self.told, self.changed);
        for mistold in self.mistold.iter().take(40) {
            println!("mistold: {mistold}");
        }
        crate::env::assert_none("answers that were misjudged", &self.faults);
        let share = |(right, all): (usize, usize)| 100.0 * right as f64 / all.max(1) as f64;
        assert!(self.n_true > 0 && share((self.n_verified, self.n_true)) >= 99.0);
        assert!(share(self.told) >= 98.0 && share(self.changed) >= 97.0);
    }
}

#[test]
fn nothing_is_verified_that_does_not_stand_in_our_own_documents() {
    let mut counts = Counts::default();
    let mut dice = Dice::new(SEED);
    for sample in samples::all() {
        let read = stages::read(sample.id, &sample.make().unwrap().pdf, None).unwrap();
        counts.ask(&read.document, 110, &mut dice);
    }
    for drawn in corpus::all().unwrap() {
        let read = stages::read(&drawn.id, &drawn.pdf, None).unwrap();
        counts.ask(&read.document, 20, &mut dice);
    }
    counts.report("our own documents");
    assert!(counts.n_wrong >= 2_000, "only {} answers were mutated", counts.n_wrong);
}

#[test]
fn nothing_is_verified_that_does_not_stand_in_real_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/pdf/corpus/legal-dev");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pdf"));
    files.sort();
    let mut counts = Counts::default();
    let mut dice = Dice::new(SEED);
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = stages::read(&name, &fs::read(path).unwrap(), None).unwrap();
        counts.ask(&read.document, 30, &mut dice);
    }
    counts.report("legal-dev");
}
