//! The table as Markdown for people and as CSV for whatever reads it next.

use std::fmt::Write as _;

use evaluate::bootstrap::Bootstrap;

use super::columns::{COST, Difference, Figure, Run, difference, figure};
use super::record::Found;
use super::rows::{DEFAULT, Reader, Row, Table};

/// A row with what was measured of it.
pub(super) struct Filled<'a> {
    pub(super) row: &'a Row,
    /// Runs of its ranking: one, or if it has rewrites those of its answers; none where it needs an endpoint.
    pub(super) rankings: Vec<Run>,
    /// Runs of its answers; none where it needs an endpoint.
    pub(super) answers: Vec<Run>,
    /// First row with the same ranking.
    pub(super) as_row: Option<&'a str>,
    /// Its ranking by question, of the first run.
    pub(super) found: Vec<(String, Vec<Found>)>,
}

/// A filled table.
pub(super) struct Report<'a> {
    pub(super) table: &'a Table,
    pub(super) rows: Vec<Filled<'a>>,
    /// Lines about what was asked of what, by whom.
    pub(super) about: Vec<String>,
    /// True if there were vectors to rank by.
    pub(super) has_vectors: bool,
    /// Criteria that a judge applied.
    pub(super) judged: &'a [String],
    pub(super) bootstrap: Bootstrap,
}

/// A group of columns.
struct Section<'a> {
    title: &'a str,
    columns: Vec<&'a str>,
    runs: fn(&'a Filled<'a>) -> &'a [Run],
}

const NEEDS: &str = "needs an endpoint";
/// Title of the section of rankings.
const RANKING: &str = "Ranking";
/// Row that extracted answers are compared with.
const EXTRACTION: &str = "extraction";

impl Filled<'_> {
    fn runs_said(&self) -> String {
        match (self.row.reader, self.answers.len()) {
            (Reader::Extraction, _) => "1, deterministic".to_owned(),
            (Reader::Model, 0) if self.row.rewrites() => NEEDS.to_owned(),
            (Reader::Model, 0) => format!("ranking: 1, deterministic; answers: {NEEDS}"),
            (Reader::Model, n) if self.row.rewrites() => n.to_string(),
            (Reader::Model, n) => format!("ranking: 1, deterministic; answers: {n}"),
        }
    }
}

impl<'a> Report<'a> {
    fn sections(&'a self) -> Vec<Section<'a>> {
        let names = |columns: &'a [String]| columns.iter().map(String::as_str).collect::<Vec<_>>();
        let mut answers = names(&self.table.answers);
        answers.extend(names(self.judged));
        vec![
            Section {
                title: RANKING,
                columns: names(&self.table.retrieval),
                runs: |filled| &filled.rankings,
            },
            Section { title: "Answers", columns: answers, runs: |filled| &filled.answers },
            Section { title: "Cost of an answer", columns: COST.to_vec(), runs: |filled| &filled.answers },
        ]
    }

    /// The row that another is compared with: ours; for extracted answers ours without a model. `None` for that row itself,
    /// and where either was not measured.
    fn base(&'a self, section: &Section<'a>, filled: &'a Filled<'a>) -> Option<&'a Filled<'a>> {
        let is_extracted = section.title != RANKING && filled.row.reader == Reader::Extraction;
        let name = if is_extracted { EXTRACTION } else { DEFAULT };
        let base = self.rows.iter().find(|base| base.row.name == name)?;
        let is_measured = |filled| !(section.runs)(filled).is_empty();
        (base.row.name != filled.row.name && is_measured(base) && is_measured(filled)).then_some(base)
    }

    /// The table as Markdown.
    pub(super) fn markdown(&'a self) -> String {
        let mut out = format!("# {}\n\n", self.table.title);
        for line in &self.about {
            push(&mut out, &format!("- {line}"));
        }
        push(&mut out, "\n## Rows\n\n| row | what differs from `ours` | reader | runs |\n|---|---|---|---|");
        for filled in &self.rows {
            let Row { title, name, differs, reader, .. } = filled.row;
            let reader = if *reader == Reader::Model { "model" } else { "extraction" };
            let is_by_words = filled.row.uses_vectors(self.table) && !self.has_vectors;
            let by = if is_by_words { "; by words here, there are no vectors" } else { "" };
            let runs = filled.runs_said();
            push(&mut out, &format!("| {title} (`{name}`) | {differs}{by} | {reader} | {runs} |"));
        }
        for section in self.sections() {
            self.section(&section, &mut out);
        }
        self.paper(&mut out);
        out
    }

    fn section(&'a self, section: &Section<'a>, out: &mut String) {
        let Section { title, columns, runs } = section;
        push(out, &format!("\n## {title}\n"));
        let width = (columns.len() + 1).min(64);
        let head = |first: &str| format!("| {first} | {} |\n{}|", columns.join(" | "), "|---".repeat(width));
        push(out, &head("row"));
        if let Some(line) = self.questions_line(section) {
            push(out, &line);
        }
        for filled in &self.rows {
            let runs = runs(filled);
            let title = &filled.row.title;
            if runs.is_empty() {
                push(out, &format!("| {title} | {NEEDS} |{}", "  |".repeat(columns.len().saturating_sub(1))));
                continue;
            }
            let cells = columns.iter().map(|column| match figure(runs, column) {
                Some(Figure { mean, deviation: Some(deviation), .. }) => {
                    format!("{} ± {}", number(mean), number(deviation))
                }
                Some(figure) => number(figure.mean),
                None => "–".to_owned(),
            });
            push(out, &format!("| {title} | {} |", cells.collect::<Vec<_>>().join(" | ")));
        }
        let lines: Vec<String> =
            self.rows.iter().filter_map(|filled| self.difference_line(section, filled)).collect();
        if !lines.is_empty() {
            push(out, &format!("\n{}", head("difference")));
            lines.iter().for_each(|line| push(out, line));
        }
    }

    /// Row of the numbers of questions that each column is of, least to most over the measured rows; `None` where none was.
    fn questions_line(&'a self, section: &Section<'a>) -> Option<String> {
        let runs: Vec<&'a [Run]> =
            self.rows.iter().map(section.runs).filter(|runs| !runs.is_empty()).collect();
        let cells = section.columns.iter().map(|column| {
            let counts: Vec<usize> =
                runs.iter().filter_map(|runs| figure(runs, column)).map(|figure| figure.n).collect();
            match (counts.iter().min(), counts.iter().max()) {
                (Some(least), Some(most)) if least == most => least.to_string(),
                (Some(least), Some(most)) => format!("{least} to {most}"),
                _ => "–".to_owned(),
            }
        });
        let cells = cells.collect::<Vec<_>>().join(" | ");
        (!runs.is_empty()).then(|| format!("| *questions* | {cells} |"))
    }

    /// A row's differences from its base.
    fn difference_line(&'a self, section: &Section<'a>, filled: &'a Filled<'a>) -> Option<String> {
        let Section { title, columns, runs } = section;
        let base = self.base(section, filled)?;
        let name = format!("{} − {}", filled.row.title, base.row.title);
        if *title == RANKING && filled.as_row.is_some() && filled.as_row == base.as_row {
            return Some(format!(
                "| {name} | same ranking |{}",
                "  |".repeat(columns.len().saturating_sub(1))
            ));
        }
        let cells = columns.iter().map(|column| {
            difference(runs(filled), runs(base), column, &self.bootstrap).map_or("–".to_owned(), signed)
        });
        Some(format!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | ")))
    }

    /// The paper's figures, each beside ours of the row that is built likewise.
    fn paper(&self, out: &mut String) {
        push(out, &format!("\n## The paper's figures\n\n{}\n", self.table.inputs));
        push(out, "| the paper's row | measure | the paper's | ours | our row |\n|---|---|---|---|---|");
        for paper in &self.table.paper {
            let beside = self.rows.iter().find(|filled| filled.row.name == paper.beside);
            for (column, value) in &paper.figures {
                let ours = beside.and_then(|filled| {
                    figure(&filled.rankings, column).or_else(|| figure(&filled.answers, column))
                });
                let ours = ours.map_or("–".to_owned(), |figure| number(figure.mean));
                let named = beside.map_or("–", |filled| filled.row.title.as_str());
                push(out, &format!("| {} | {column} | {} | {ours} | {named} |", paper.row, number(*value)));
            }
        }
    }

    /// The table as CSV: a line for each figure, and for each that there is none of why.
    pub(super) fn csv(&'a self) -> String {
        let mut out =
            "table,row,group,measure,value,questions,runs,deviation,difference,low,high,state\n".to_owned();
        for section in self.sections() {
            for filled in &self.rows {
                for column in &section.columns {
                    let line = self.csv_line(&section, filled, column);
                    push(&mut out, &line);
                }
            }
        }
        for paper in &self.table.paper {
            for (column, value) in &paper.figures {
                let value = value.to_string();
                let cells = [&self.table.name, &paper.row, "paper", column, &value].map(quoted);
                push(&mut out, &format!("{},,,,,,,\"the paper's, of other inputs\"", cells.join(",")));
            }
        }
        out
    }

    fn csv_line(&'a self, section: &Section<'a>, filled: &'a Filled<'a>, column: &str) -> String {
        let runs = (section.runs)(filled);
        let found = figure(runs, column);
        let base = self.base(section, filled);
        let gain = base.and_then(|base| difference(runs, (section.runs)(base), column, &self.bootstrap));
        let state = match found {
            _ if runs.is_empty() => NEEDS,
            Some(_) => "measured",
            None => "no question has it",
        };
        let plain = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let n = found.map(|figure| figure.n.to_string()).unwrap_or_default();
        let n_runs = if runs.is_empty() { String::new() } else { runs.len().to_string() };
        let cells = [
            self.table.name.clone(),
            filled.row.name.clone(),
            section.title.to_lowercase(),
            column.to_owned(),
            plain(found.map(|figure| figure.mean)),
            n,
            n_runs,
            plain(found.and_then(|figure| figure.deviation)),
            plain(gain.map(|gain| gain.mean)),
            plain(gain.map(|gain| gain.low)),
            plain(gain.map(|gain| gain.high)),
            state.to_owned(),
        ];
        cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",")
    }
}

fn push(out: &mut String, line: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{line}");
}

/// Shares with four digits, sizes with one.
fn number(value: f64) -> String {
    if value.abs() >= 10.0 { format!("{value:.1}") } else { format!("{value:.4}") }
}

fn signed(Difference { mean, low, high }: Difference) -> String {
    if [mean, low, high].iter().any(|value| value.abs() >= 10.0) {
        return format!("{mean:+.1} [{low:+.1}, {high:+.1}]");
    }
    format!("{mean:+.4} [{low:+.4}, {high:+.4}]")
}

/// A cell of CSV, in quotation marks where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
