//! The file of verdicts, a JSON value a line.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use evaluate::judged::{ClaimStatus, Points};
use judge::{Criterion, Finding, Verdict};
use serde_json::{Map, Value, json};

use super::runner::Judged;
use crate::failure::Failure;

/// Writes the verdicts, all or none: a file that was there before stays until the new one is whole.
pub(super) fn write(
    path: &Path,
    judged: &[Judged<'_>],
    origin: &dyn Fn(Criterion) -> Vec<(&'static str, String)>,
) -> Result<(), Failure> {
    let mut text = String::new();
    for (job, verdict) in judged {
        let mut line = Map::new();
        line.insert("id".to_owned(), json!(job.id));
        line.insert("criterion".to_owned(), json!(job.criterion.name()));
        if let Some(passage) = &job.passage {
            line.insert("passage".to_owned(), json!(passage));
        }
        match verdict {
            Ok(verdict) => line.extend(fields(verdict)),
            Err(refusal) => {
                let fault = json!({ "code": refusal.code, "message": refusal.message });
                line.insert("fault".to_owned(), fault);
            }
        }
        line.extend(origin(job.criterion).into_iter().map(|(name, value)| (name.to_owned(), json!(value))));
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", Value::Object(line));
    }
    let part = path.with_extension("part");
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| Failure::io(path, &error))
}

fn fields(verdict: &Verdict) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if let Some(label) = verdict.label() {
        set("label", json!(label));
    }
    set("value", json!(verdict.value()));
    set("reason", json!(verdict.reason));
    match &verdict.finding {
        Finding::Claims(claims) => {
            let claims = claims.iter().map(|one| claim(one.claim.to_json(), one.status, &one.reason));
            set("claims", claims.collect());
        }
        Finding::Coverage(_, claims) => {
            let claims = claims.iter().map(|one| claim(json!(one.claim), one.status, &one.reason));
            set("claims", claims.collect());
        }
        Finding::Score(Points { accuracy, relevance, completeness, fluency }) => {
            let points = json!({
                "accuracy": accuracy, "relevance": relevance, "completeness": completeness, "fluency": fluency,
            });
            set("points", points);
        }
        Finding::Repass(parts) => {
            set("entailment", json!(parts.entailment));
            set("contradiction", json!(parts.contradiction));
            set("obligation_coverage", json!(parts.obligation_coverage));
        }
        Finding::Connection(_) => {}
    }
    if verdict.is_cut {
        set("cut", json!(true));
    }
    fields
}

fn claim(claim: Value, status: ClaimStatus, reason: &str) -> Value {
    let status = match status {
        ClaimStatus::Present => "present",
        ClaimStatus::Missing => "missing",
        ClaimStatus::Incorrect => "incorrect",
    };
    json!({ "claim": claim, "status": status, "reason": reason })
}
