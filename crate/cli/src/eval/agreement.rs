//! `pincite eval agreement`: two files of verdicts on the same items, a judge's or those of a person.
//!
//! Both are JSON lines as `eval judge` writes them: `id`, `criterion`, `passage` of a connection, and `label` or `value`.
//! Labels give raw agreement and Cohen's κ, plain and weighted by the distance of the ordered labels, with bootstrap
//! intervals over items; values their mean absolute difference. Items that only one file judges are counted and left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evaluate::agreement::{Weights, kappa, kappa_interval, raw_agreement};
use evaluate::bootstrap::{Bootstrap, percentiles};
use judge::Criterion;
use serde_json::{Map, Value, json};

use crate::eval::fields::{id_of, object};
use crate::eval::retrieval::corpus::for_lines;
use crate::failure::Failure;

/// Arguments of `pincite eval agreement`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Verdicts, JSON lines.
    first: PathBuf,
    /// Verdicts on the same items, JSON lines.
    second: PathBuf,
    /// Resamples of the 95 % bootstrap intervals; 0 for none.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples)]
    bootstrap: usize,
    /// Print each item on which the labels differ.
    #[arg(long)]
    list: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Subject of a verdict: criterion, question, passage.
type Place = (Criterion, String, String);

/// A verdict: place of its label among those of the criterion, or its value.
#[derive(Clone, Copy)]
enum Judged {
    Label(usize),
    Value(f64),
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (first, second) = (read(&args.first)?, read(&args.second)?);
    let n_shared = first.keys().filter(|place| second.contains_key(*place)).count();
    if n_shared == 0 {
        return Err(Failure::Failed(format!(
            "{} and {}: no item is judged by both",
            args.first.display(),
            args.second.display()
        )));
    }
    for (path, n) in [(&args.first, first.len()), (&args.second, second.len())] {
        if n > n_shared {
            note!("{}: {} verdicts are in this file alone and are left out", path.display(), n - n_shared);
        }
    }
    let mut out = Map::new();
    for criterion in Criterion::ALL {
        let of = |(place, judged): (&Place, &Judged)| Some((place.clone(), *judged, *second.get(place)?));
        let shared: Vec<(Place, Judged, Judged)> =
            first.iter().filter(|((of, ..), _)| *of == criterion).filter_map(of).collect();
        if shared.is_empty() {
            continue;
        }
        let figures = figures(criterion, &shared, args.bootstrap);
        if !args.json {
            print(criterion, &figures);
        }
        if args.list {
            list(criterion, &shared);
        }
        out.insert(criterion.name().to_owned(), figures);
    }
    if args.json { crate::input::print_json(&Value::Object(out)) } else { Ok(()) }
}

/// The verdicts of a file. Items with a fault have none.
fn read(path: &Path) -> Result<BTreeMap<Place, Judged>, Failure> {
    let mut verdicts = BTreeMap::new();
    for_lines(path, |line| {
        let fields = object(line)?;
        let text_at = |name: &str| fields.get(name).and_then(Value::as_str);
        let name = text_at("criterion").ok_or("expected a `criterion`")?;
        let criterion = Criterion::named(name).ok_or_else(|| format!("{name} is no criterion"))?;
        let judged = match (text_at("label"), fields.get("value").and_then(Value::as_f64)) {
            (Some(label), _) => {
                let at = criterion.labels().iter().position(|known| *known == label);
                let expected =
                    || format!("{label} is no label, expected one of {}", criterion.labels().join(", "));
                Judged::Label(at.ok_or_else(expected)?)
            }
            (None, Some(value)) => Judged::Value(value),
            (None, None) if fields.contains_key("fault") => return Ok(()),
            (None, None) => return Err("expected a `label` or a `value`".to_owned()),
        };
        let place = (criterion, id_of(&fields)?, text_at("passage").unwrap_or_default().to_owned());
        match verdicts.insert(place, judged) {
            Some(_) => Err(format!("{} is judged twice by {name}", id_of(&fields)?)),
            None => Ok(()),
        }
    })?;
    Ok(verdicts)
}

/// The figures of a criterion.
fn figures(criterion: Criterion, shared: &[(Place, Judged, Judged)], n_resamples: usize) -> Value {
    let bootstrap = Bootstrap { n_resamples, ..Bootstrap::default() };
    let mut out = Map::new();
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    let labels = criterion.labels();
    let pairs: Vec<(usize, usize)> = shared
        .iter()
        .filter_map(|(_, first, second)| match (first, second) {
            (Judged::Label(first), Judged::Label(second)) => Some((*first, *second)),
            _ => None,
        })
        .collect();
    if pairs.is_empty() {
        let differences: Vec<f64> = shared
            .iter()
            .filter_map(|(_, first, second)| match (first, second) {
                (Judged::Value(first), Judged::Value(second)) => Some((first - second).abs()),
                _ => None,
            })
            .collect();
        set("items", json!(differences.len()));
        let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
        set("mean_absolute_difference", json!(mean));
        return Value::Object(out);
    }
    set("items", json!(pairs.len()));
    set("agreement", json!(raw_agreement(&pairs)));
    let with_interval = n_resamples > 0;
    if with_interval {
        set("agreement_interval", json!(percentiles(&pairs, &bootstrap, raw_agreement)));
    }
    for (name, weights) in [
        ("kappa", Weights::Nominal),
        ("kappa_linear", Weights::Linear),
        ("kappa_quadratic", Weights::Quadratic),
    ] {
        set(name, json!(kappa(&pairs, labels.len(), weights)));
        if with_interval {
            set(
                &format!("{name}_interval"),
                json!(kappa_interval(&pairs, labels.len(), weights, &bootstrap)),
            );
        }
    }
    let mut table = Map::new();
    for (at, row) in labels.iter().enumerate() {
        let count = |column: usize| pairs.iter().filter(|pair| **pair == (at, column)).count();
        let cells =
            labels.iter().enumerate().map(|(column, label)| ((*label).to_owned(), json!(count(column))));
        table.insert((*row).to_owned(), Value::Object(cells.collect()));
    }
    set("first_by_second", Value::Object(table));
    Value::Object(out)
}

fn print(criterion: Criterion, figures: &Value) {
    let items = figures.get("items").and_then(Value::as_u64).unwrap_or_default();
    say!("{}: {items} items", criterion.name());
    for name in ["agreement", "kappa", "kappa_linear", "kappa_quadratic", "mean_absolute_difference"] {
        let Some(value) = figures.get(name) else { continue };
        let Some(value) = value.as_f64() else {
            say!("  {name:26} undefined: one label throughout");
            continue;
        };
        let end = |at: usize| figures.get(format!("{name}_interval"))?.get(at)?.as_f64();
        let interval = end(0).zip(end(1)).map(|(low, high)| format!(" [{low:.4}, {high:.4}]"));
        say!("  {name:26} {value:.4}{}", interval.unwrap_or_default());
    }
    let Some(table) = figures.get("first_by_second").and_then(Value::as_object) else { return };
    say_part!("  {:>14}", "first\\second");
    criterion.labels().iter().for_each(|label| say_part!(" {label:>12}"));
    say!("");
    for row in criterion.labels() {
        say_part!("  {row:>14}");
        for column in criterion.labels() {
            let n = table.get(*row).and_then(|cells| cells.get(*column)).and_then(Value::as_u64);
            say_part!(" {:>12}", n.unwrap_or_default());
        }
        say!("");
    }
}

/// The items on which labels differ.
fn list(criterion: Criterion, shared: &[(Place, Judged, Judged)]) {
    let label = |at: &usize| criterion.labels().get(*at).copied().unwrap_or_default();
    for ((_, id, passage), first, second) in shared {
        if let (Judged::Label(first), Judged::Label(second)) = (first, second)
            && first != second
        {
            note!("{id} {passage}: {} and {}", label(first), label(second));
        }
    }
}
