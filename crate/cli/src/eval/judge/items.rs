//! Items to be judged, out of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge::{Criterion, Item};
use serde_json::{Map, Value};

use crate::eval::fields::{id_of, listed, object, strings, without_marks};
use crate::eval::retrieval::corpus::for_lines;
use crate::failure::Failure;

/// Files of what is judged, and the criteria.
#[derive(clap::Args)]
pub(super) struct ItemArgs {
    /// Criteria: claims, coverage, score, repass, connection.
    #[arg(long, value_delimiter = ',', required = true, value_parser = criterion)]
    criteria: Vec<Criterion>,
    /// The questions with their reference answers, JSON lines; may be gzipped.
    #[arg(long, required_unless_present = "items")]
    gold: Option<PathBuf>,
    /// The answers, JSON lines; may be gzipped. Connections need none.
    #[arg(long, requires = "gold")]
    answers: Option<PathBuf>,
    /// Questions, references, answers and passages in one file instead, JSON lines; may be gzipped.
    #[arg(long, conflicts_with_all = ["gold", "answers"])]
    items: Option<PathBuf>,
    /// The passages by id: JSON lines with `id` and `text`; may be gzipped.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Retrieved passages that are read with an answer.
    #[arg(long, default_value_t = 10)]
    k: usize,
    /// Judge only the first N items.
    #[arg(long)]
    limit: Option<usize>,
}

fn criterion(name: &str) -> Result<Criterion, String> {
    Criterion::named(name).ok_or_else(|| {
        let known: Vec<&str> = Criterion::ALL.into_iter().map(Criterion::name).collect();
        format!("expected one of {}", known.join(", "))
    })
}

/// One item by one criterion.
pub(super) struct Job {
    /// The question's id.
    pub(super) id: String,
    /// The passage's id, of a connection.
    pub(super) passage: Option<String>,
    /// The criterion.
    pub(super) criterion: Criterion,
    /// The item.
    pub(super) item: Item,
}

/// A question or an item as it stands in its file.
struct Source {
    id: String,
    question: String,
    reference: String,
    answer: String,
    /// Passages of the question, with their ids.
    own: Vec<(String, String)>,
    /// Texts that the answer was written from.
    read: Vec<String>,
}

/// The jobs, criterion by criterion in the order in which they are named. What cannot be judged is said and left out.
pub(super) fn read(args: &ItemArgs) -> Result<Vec<Job>, Failure> {
    let corpus = args.corpus.as_deref().map(texts).transpose()?.unwrap_or_default();
    let mut sources = match (&args.items, &args.gold) {
        (Some(path), _) => read_sources(path, &corpus, "reference")?,
        (None, Some(path)) => read_sources(path, &corpus, "answer")?,
        (None, None) => Vec::new(),
    };
    let needs_answers = args.criteria.iter().any(|criterion| *criterion != Criterion::Connection);
    if args.items.is_none() {
        match &args.answers {
            Some(path) => add_answers(path, &mut sources, &corpus, args.k)?,
            None if needs_answers => {
                return Err(Failure::Usage("expected --answers, or --criteria connection alone".to_owned()));
            }
            None => {}
        }
    }
    sources.truncate(args.limit.unwrap_or(usize::MAX));
    let mut jobs = Vec::new();
    let mut named = BTreeSet::new();
    for &criterion in args.criteria.iter().filter(|criterion| named.insert(**criterion)) {
        let before = jobs.len();
        let mut n_left_out = 0;
        for source in &sources {
            let made = jobs_of(source, criterion);
            n_left_out += usize::from(made.is_empty());
            jobs.extend(made);
        }
        if jobs.len() == before {
            return Err(Failure::Failed(format!(
                "{}: no item has what it needs: {}",
                criterion.name(),
                needs(criterion)
            )));
        }
        if n_left_out > 0 {
            note!("{}: {n_left_out} items are left out, without {}", criterion.name(), needs(criterion));
        }
    }
    Ok(jobs)
}

fn needs(criterion: Criterion) -> &'static str {
    if criterion.needs_reference() {
        "a question with a reference answer"
    } else {
        "a question with the texts of passages"
    }
}

/// The jobs of an item by a criterion; none where the item lacks what the criterion needs.
fn jobs_of(source: &Source, criterion: Criterion) -> Vec<Job> {
    let item = |passages: Vec<String>| Item {
        question: source.question.clone(),
        reference: source.reference.clone(),
        answer: source.answer.clone(),
        passages,
    };
    let job = |passage: Option<String>, passages| Job {
        id: source.id.clone(),
        passage,
        criterion,
        item: item(passages),
    };
    let lacks = source.question.is_empty() || criterion.needs_reference() && source.reference.is_empty();
    if lacks {
        return Vec::new();
    }
    if criterion == Criterion::Connection {
        let of = |(id, text): &(String, String)| job(Some(id.clone()), vec![text.clone()]);
        return source.own.iter().map(of).collect();
    }
    let passages = if source.read.is_empty() {
        source.own.iter().map(|(_, text)| text.clone()).collect()
    } else {
        source.read.clone()
    };
    if criterion.needs_passages() && passages.is_empty() {
        return Vec::new();
    }
    vec![job(None, passages)]
}

/// The texts of a corpus by id.
fn texts(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut texts = BTreeMap::new();
    for_lines(path, |line| {
        let fields = object(line)?;
        let text = text_at(&fields, &["text"]);
        texts.insert(id_of(&fields)?, text);
        Ok(())
    })?;
    Ok(texts)
}

/// Questions, with the answer to judge where the file has one. `reference` is the field of the reference answer.
fn read_sources(
    path: &Path,
    corpus: &BTreeMap<String, String>,
    reference: &str,
) -> Result<Vec<Source>, Failure> {
    let mut sources: Vec<Source> = Vec::new();
    let mut known = BTreeSet::new();
    for_lines(path, |line| {
        let fields = object(line)?;
        let id = id_of(&fields)?;
        if !known.insert(id.clone()) {
            return Err(format!("question {id} is there twice"));
        }
        let is_item = reference != "answer";
        sources.push(Source {
            id,
            question: text_at(&fields, &["question", "query"]),
            reference: text_at(&fields, &[reference]),
            answer: if is_item { without_marks(&text_at(&fields, &["answer"])) } else { String::new() },
            own: passages(&fields, corpus),
            read: Vec::new(),
        });
        Ok(())
    })?;
    if sources.is_empty() {
        return Err(Failure::Failed(format!("{}: no questions", path.display())));
    }
    Ok(sources)
}

/// Adds the answers to their questions; a question without one counts as refused.
fn add_answers(
    path: &Path,
    sources: &mut [Source],
    corpus: &BTreeMap<String, String>,
    k: usize,
) -> Result<(), Failure> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, source) in sources.iter().enumerate() {
        places.insert(source.id.clone(), at);
    }
    let mut n_unknown = 0;
    for_lines(path, |line| {
        let fields = object(line)?;
        let id = id_of(&fields)?;
        let Some(source) = places.remove(&id).and_then(|at| sources.get_mut(at)) else {
            n_unknown += 1;
            return Ok(());
        };
        if fields.get("sufficient").and_then(Value::as_bool).unwrap_or(true) {
            source.answer = without_marks(&text_at(&fields, &["answer"]));
        }
        source.read = texts_read(&fields, corpus, k);
        Ok(())
    })?;
    if n_unknown > 0 {
        note!("{}: {n_unknown} answers have no question, or a second one, and are left out", path.display());
    }
    if places.len() == sources.len() {
        return Err(Failure::Failed(format!("{}: none of the questions is answered here", path.display())));
    }
    if !places.is_empty() {
        note!("{}: {} questions are absent and count as refused", path.display(), places.len());
    }
    Ok(())
}

/// The texts that an answer was written from: the first k retrieved, as far as they are known, else what it quotes.
fn texts_read(fields: &Map<String, Value>, corpus: &BTreeMap<String, String>, k: usize) -> Vec<String> {
    let retrieved =
        fields.get("retrieved").or_else(|| fields.get("trace").and_then(|trace| trace.get("retrieved")));
    let text_in = |item: &Value| item.get("text").and_then(Value::as_str).map(str::to_owned);
    let own: Vec<String> =
        retrieved.and_then(Value::as_array).into_iter().flatten().filter_map(text_in).take(k).collect();
    if !own.is_empty() {
        return own;
    }
    let known = listed(retrieved).passages.into_iter().take(k);
    let known: Vec<String> = known.filter_map(|id| corpus.get(&id).cloned()).collect();
    if !known.is_empty() {
        return known;
    }
    let quote = |citation: &Value| citation.get("quote").and_then(Value::as_str).map(str::to_owned);
    fields.get("citations").and_then(Value::as_array).into_iter().flatten().filter_map(quote).collect()
}

/// The passages of a question with their ids: objects with `text`, ids of the corpus, or texts.
fn passages(fields: &Map<String, Value>, corpus: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for name in ["passages", "ev_units"] {
        for value in fields.get(name).and_then(Value::as_array).into_iter().flatten() {
            let n = found.len() + 1;
            if let Some(passage) = value.as_object() {
                let id =
                    passage.get("id").and_then(Value::as_str).map_or_else(|| n.to_string(), str::to_owned);
                found.push((id, text_at(passage, &["text"])));
                continue;
            }
            strings(Some(value), &mut |name| match corpus.get(name) {
                Some(text) => found.push((name.to_owned(), text.clone())),
                // An id has no spaces; Chinese texts neither, but they are long or end as sentences do.
                None if name.contains([' ', '。']) => {
                    found.push(((found.len() + 1).to_string(), name.to_owned()));
                }
                None => {}
            });
        }
    }
    found.retain(|(_, text)| !text.trim().is_empty());
    let mut known = BTreeSet::new();
    found.retain(|(id, _)| known.insert(id.clone()));
    found
}

fn text_at(fields: &Map<String, Value>, names: &[&str]) -> String {
    let text = names.iter().find_map(|name| fields.get(*name)?.as_str());
    text.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn passages_are_objects_ids_or_texts() {
        let corpus = BTreeMap::from([("p1".to_owned(), "First.".to_owned())]);
        let fields = object(
            &json!({ "passages": ["p1", "unknown", "A text of its own.", { "id": "x", "text": "Third." }, ["p1"]] })
                .to_string(),
        )
        .unwrap();
        let found = passages(&fields, &corpus);
        let found: Vec<(&str, &str)> = found.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        assert_eq!(found, [("p1", "First."), ("2", "A text of its own."), ("x", "Third.")]);
    }

    #[test]
    fn an_answer_is_read_with_what_was_retrieved_else_with_what_it_quotes() {
        let corpus =
            BTreeMap::from([("p1".to_owned(), "First.".to_owned()), ("p2".to_owned(), "Second.".to_owned())]);
        let read = |value: Value| texts_read(&object(&value.to_string()).unwrap(), &corpus, 2);
        let citations = json!([{ "quote": "Quoted." }]);
        assert_eq!(read(json!({ "retrieved": ["p2", "gone", "p1"], "citations": citations })), ["Second."]);
        assert_eq!(read(json!({ "trace": { "retrieved": [{ "text": "Own." }] } })), ["Own."]);
        assert_eq!(read(json!({ "retrieved": ["gone"], "citations": citations })), ["Quoted."]);
    }
}
