//! Output of `pincite eval retrieval`: a TREC run and the table of metrics.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use evaluate::ranking::{Metrics, mean};
use retrieval::Options;
use serde_json::{Map, Value, json};

use super::args::Args;
use crate::failure::Failure;

/// The TREC run that is written, if requested.
pub(crate) struct Run {
    file: Option<(PathBuf, BufWriter<File>)>,
    tag: String,
}

impl Run {
    pub(crate) fn create(path: Option<&PathBuf>, tag: &str) -> Result<Self, Failure> {
        let file = match path {
            Some(path) => {
                let file = File::create(path).map_err(|error| Failure::io(path, &error))?;
                Some((path.clone(), BufWriter::new(file)))
            }
            None => None,
        };
        Ok(Self { file, tag: format!("pincite-{tag}") })
    }

    pub(crate) fn write(&mut self, qid: &str, results: &[(String, f64)]) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        for (rank, (id, score)) in (1..).zip(results) {
            writeln!(file, "{qid} Q0 {id} {rank} {score} {}", self.tag)
                .map_err(|error| Failure::io(path, &error))?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.file {
            Some((path, mut file)) => file.flush().map_err(|error| Failure::io(&path, &error)),
            None => Ok(()),
        }
    }
}

/// Prints the means over all questions, and by group if requested.
pub(super) fn report(
    args: &Args,
    options: &Options,
    measured: &[Vec<Metrics>],
    groups: &BTreeMap<String, Vec<usize>>,
) -> Result<(), Failure> {
    let means = |members: &mut dyn Iterator<Item = &Vec<Metrics>>| -> Vec<Metrics> {
        let members: Vec<&Vec<Metrics>> = members.collect();
        (0..args.ks.len()).map(|at| mean(members.iter().filter_map(|metrics| metrics.get(at)))).collect()
    };
    let all = means(&mut measured.iter());
    let by: Vec<(&String, usize, Vec<Metrics>)> = groups
        .iter()
        .map(|(value, members)| {
            (value, members.len(), means(&mut members.iter().filter_map(|&at| measured.get(at))))
        })
        .collect();
    if args.json {
        let mut out = json!({
            "queries": measured.len(),
            "ranker": args.ranker,
            "analyzer": args.analyzer,
            "fields": args.fields,
            "k1": plain(options.bm25.k1),
            "b": plain(options.bm25.b),
            "metrics": metrics_json(&args.ks, &all),
        });
        if let (Some(field), Some(out)) = (&args.by, out.as_object_mut()) {
            let groups: Map<String, Value> = by
                .iter()
                .map(|(value, n, metrics)| {
                    ((*value).clone(), json!({ "queries": n, "metrics": metrics_json(&args.ks, metrics) }))
                })
                .collect();
            out.insert("by".to_owned(), json!({ "field": field, "values": groups }));
        }
        return crate::input::print_json(&out);
    }
    say!(
        "{:28} {:>7} {:>4} {:>8} {:>8} {:>8} {:>8} {:>10}",
        "",
        "queries",
        "k",
        "recall",
        "map",
        "ndcg",
        "mrr",
        "recall_all"
    );
    print_rows("all", measured.len(), &args.ks, &all);
    for (value, n, metrics) in &by {
        print_rows(value, *n, &args.ks, metrics);
    }
    Ok(())
}

/// A number in its shortest form: 0.9, not all digits of the nearest `f32`.
fn plain(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

fn metrics_json(ks: &[usize], metrics: &[Metrics]) -> Value {
    let mut out = Map::new();
    for (k, metrics) in ks.iter().zip(metrics) {
        let Metrics { recall, map, ndcg, mrr, recall_all } = metrics;
        for (name, value) in
            [("recall", recall), ("map", map), ("ndcg", ndcg), ("mrr", mrr), ("recall_all", recall_all)]
        {
            out.insert(format!("{name}@{k}"), json!(value));
        }
    }
    Value::Object(out)
}

fn print_rows(name: &str, n: usize, ks: &[usize], metrics: &[Metrics]) {
    for (k, metrics) in ks.iter().zip(metrics) {
        let Metrics { recall, map, ndcg, mrr, recall_all } = metrics;
        say!("{name:28} {n:>7} {k:>4} {recall:8.4} {map:8.4} {ndcg:8.4} {mrr:8.4} {recall_all:10.4}");
    }
}
