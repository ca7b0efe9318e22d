//! `pincite eval references`: read the citations of ready-made passages, resolve them, and measure against
//! curated edges from passage to passage.
//!
//! Each passage is a provision of its document; its `pid` ("4.7.14", "Part 6.Chapter 2.76.",
//! "APP11.A11.2.Guidance.9.") is its path of labels. Measured is the resolution that a library makes
//! for a user's documents: names of documents come from the file of documents and from definitions in the passages,
//! and from nowhere else. A regular expression is the baseline.

mod baseline;
mod corpus;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use document::Slice as _;
use serde_json::json;
use text::reference::{
    ProvisionIndex, ProvisionIndexBuilder, ProvisionReference, ReferenceContext, Scope, references,
    short_forms, short_title,
};

use crate::failure::Failure;
use corpus::{Corpus, Edge};

/// Arguments of `pincite eval references`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The passages: JSON lines with `id`, `doc`, `pid`, `text`; may be gzipped.
    #[arg(long)]
    corpus: PathBuf,
    /// The curated references: JSON lines with `src`, `dst`, `type`.
    #[arg(long)]
    edges: PathBuf,
    /// The documents: JSON lines with `doc`, `short`, `source`.
    #[arg(long)]
    docs: Option<PathBuf>,
    /// Print N random references that were not curated, to judge by eye.
    #[arg(long, value_name = "N", default_value_t = 0)]
    false_positives: usize,
    /// Print N curated references that were missed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    misses: usize,
    /// Seed of the random draw.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let corpus = Corpus::read(&args.corpus, args.docs.as_deref())?;
    let edges = corpus.edges(&args.edges)?;
    note!("{} passages, {} provisions, {} edges", corpus.passages.len(), corpus.n_nodes(), edges.len());
    let found: Vec<Vec<ProvisionReference>> =
        corpus.passages.iter().map(|passage| references(&passage.text)).collect();
    let index = index(&corpus, &found);
    let mut resolved: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut shown: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (passage, citations) in found.iter().enumerate() {
        resolve(&corpus, &index, passage, citations, &mut resolved, &mut shown);
    }
    let by_pattern = baseline::edges(&corpus);
    let sources: BTreeSet<usize> = edges.iter().map(|edge| edge.src).collect();
    let ours = Measured::of(&corpus, &edges, &resolved, &sources);
    let theirs = Measured::of(&corpus, &edges, &by_pattern, &sources);
    if args.json {
        let out = json!({ "engine": ours.json(), "regex": theirs.json(), "edges": edges.len(), "sources": sources.len() });
        crate::input::print_json(&out)?;
    } else {
        say!(
            "{:8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "",
            "internal",
            "external",
            "all",
            "loose-int",
            "loose-ext",
            "found",
            "correct",
            "precision"
        );
        ours.print("engine");
        theirs.print("regex");
    }
    list_misses(args, &corpus, &edges, &resolved, &found);
    list_false_positives(args, &corpus, &edges, &resolved, &shown, &sources);
    Ok(())
}

/// The index over all passages, with the names of the documents and those they define.
fn index(corpus: &Corpus, found: &[Vec<ProvisionReference>]) -> ProvisionIndex {
    let mut builder = ProvisionIndexBuilder::default();
    let mut names = corpus.names.clone();
    for passage in &corpus.passages {
        if let (Some(own), Some(names)) = (short_title(&passage.text), names.get_mut(passage.document)) {
            names.push(own.name);
        }
    }
    for names in &names {
        builder.document(names);
    }
    for node in &corpus.nodes {
        builder.node(node.document, node.parent, &node.key);
    }
    for (passage, citations) in corpus.passages.iter().zip(found) {
        for form in short_forms(&passage.text) {
            let part = |range| passage.text.slice(range);
            builder.define(passage.document, part(form.short), part(form.long));
        }
        for citation in citations {
            builder.observe(passage.document, citation);
        }
    }
    builder.build()
}

/// Adds the (passage, node) pairs that the citations of a passage resolve to.
fn resolve(
    corpus: &Corpus,
    index: &ProvisionIndex,
    passage: usize,
    citations: &[ProvisionReference],
    resolved: &mut BTreeSet<(usize, usize)>,
    shown: &mut BTreeMap<(usize, usize), String>,
) {
    let Some(source) = corpus.passages.get(passage) else { return };
    let mut last = None;
    let mut range_start: Option<usize> = None;
    for citation in citations {
        let place = ReferenceContext { document: source.document, node: Some(source.node), last };
        let target = index.resolve(citation, place);
        if let Some(target) = target {
            let targets = match range_start {
                Some(first) => index.between(first, target),
                None => vec![target],
            };
            for target in targets {
                // A passage's reference to itself ("this Rule") is no edge.
                let bare = citation.path.first().is_some_and(|part| part.starts_with('('));
                let relative = bare || matches!(citation.scope, Scope::Here | Scope::That);
                let relative = relative && target == source.node;
                let Some(target) = corpus.passage_at(target) else { continue };
                if !relative && resolved.insert((passage, target)) {
                    let printed = source.text.slice(citation.range.clone());
                    shown.insert((passage, target), printed.to_owned());
                }
            }
            last = Some(target);
        }
        range_start = if citation.through { target } else { None };
    }
}

/// Agreement with the curated references.
#[derive(Default)]
struct Measured {
    /// Hits and edges: internal, external.
    exact: [(usize, usize); 2],
    /// As above, where a provision that holds the curated one, or lies in it, counts too.
    loose: [(usize, usize); 2],
    found: usize,
    correct: usize,
}

impl Measured {
    fn of(
        corpus: &Corpus,
        edges: &[Edge],
        resolved: &BTreeSet<(usize, usize)>,
        sources: &BTreeSet<usize>,
    ) -> Self {
        let mut measured = Self::default();
        for edge in edges {
            let hit = resolved.contains(&(edge.src, edge.dst));
            let near = hit
                || resolved
                    .range((edge.src, 0)..(edge.src + 1, 0))
                    .any(|&(_, target)| corpus.holds(target, edge.dst) || corpus.holds(edge.dst, target));
            let kind = usize::from(edge.external);
            for (counts, hit) in [(&mut measured.exact, hit), (&mut measured.loose, near)] {
                if let Some((hits, all)) = counts.get_mut(kind) {
                    *hits += usize::from(hit);
                    *all += 1;
                }
            }
        }
        let curated: BTreeSet<(usize, usize)> = edges.iter().map(|edge| (edge.src, edge.dst)).collect();
        for pair in resolved.iter().filter(|(src, _)| sources.contains(src)) {
            measured.found += 1;
            measured.correct += usize::from(curated.contains(pair));
        }
        measured
    }

    fn figures(&self) -> [f64; 6] {
        let share = |(hits, all): (usize, usize)| if all == 0 { 0.0 } else { hits as f64 / all as f64 };
        let [internal, external] = self.exact;
        let all = (internal.0 + external.0, internal.1 + external.1);
        let [loose_internal, loose_external] = self.loose;
        [
            share(internal),
            share(external),
            share(all),
            share(loose_internal),
            share(loose_external),
            share((self.correct, self.found)),
        ]
    }

    fn print(&self, name: &str) {
        let [internal, external, all, loose_internal, loose_external, precision] = self.figures();
        say!(
            "{name:8} {internal:9.4} {external:9.4} {all:9.4} {loose_internal:9.4} {loose_external:9.4} {:>9} {:>9} {precision:9.4}",
            self.found,
            self.correct
        );
    }

    fn json(&self) -> serde_json::Value {
        let [internal, external, all, loose_internal, loose_external, precision] = self.figures();
        json!({
            "recall": { "internal": internal, "external": external, "all": all },
            "recall_loose": { "internal": loose_internal, "external": loose_external },
            "found": self.found,
            "correct": self.correct,
            "precision": precision,
        })
    }
}

/// A draw without a library: a shuffle by a linear congruential generator (Knuth's constants).
fn drawn<T>(mut items: Vec<T>, n: usize, seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut keyed: Vec<(u64, usize)> = (0..items.len())
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11, at)
        })
        .collect();
    keyed.sort_unstable();
    let chosen: BTreeSet<usize> = keyed.into_iter().take(n).map(|(_, at)| at).collect();
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        chosen.contains(&(at - 1))
    });
    items
}

fn list_misses(
    args: &Args,
    corpus: &Corpus,
    edges: &[Edge],
    resolved: &BTreeSet<(usize, usize)>,
    found: &[Vec<ProvisionReference>],
) {
    let missed: Vec<&Edge> = edges.iter().filter(|edge| !resolved.contains(&(edge.src, edge.dst))).collect();
    for edge in drawn(missed, args.misses, args.seed) {
        let kind = if edge.external { "external" } else { "internal" };
        note!(
            "MISS {kind} {:?}: {} -> {}",
            edge.reference,
            corpus.name(edge.src),
            corpus.node_name(edge.dst)
        );
        let Some(passage) = corpus.passages.get(edge.src) else { continue };
        let targets: Vec<String> = resolved
            .range((edge.src, 0)..(edge.src + 1, 0))
            .map(|&(_, target)| corpus.node_name(target))
            .collect();
        let read: Vec<String> = found
            .get(edge.src)
            .into_iter()
            .flatten()
            .map(|c| format!("{}:{}", c.instrument.as_deref().unwrap_or("-"), c.path.join(">")))
            .collect();
        note!("  text {:?}", corpus::around(&passage.text, edge.reference.trim()));
        note!("  read {read:?}\n  to {targets:?}");
    }
}

fn list_false_positives(
    args: &Args,
    corpus: &Corpus,
    edges: &[Edge],
    resolved: &BTreeSet<(usize, usize)>,
    shown: &BTreeMap<(usize, usize), String>,
    sources: &BTreeSet<usize>,
) {
    let curated: BTreeSet<(usize, usize)> = edges.iter().map(|edge| (edge.src, edge.dst)).collect();
    let wrong: Vec<(usize, usize)> = resolved
        .iter()
        .filter(|pair| sources.contains(&pair.0) && !curated.contains(pair))
        .copied()
        .collect();
    for (src, target) in drawn(wrong, args.false_positives, args.seed) {
        let printed = shown.get(&(src, target)).map(String::as_str).unwrap_or_default();
        note!("EXTRA {} {printed:?} -> {}", corpus.name(src), corpus.node_name(target));
        if let Some(passage) = corpus.passages.get(src) {
            note!("  from {:?}", corpus::around(&passage.text, printed));
            note!("  to {:?}", corpus.head(target));
        }
    }
}
