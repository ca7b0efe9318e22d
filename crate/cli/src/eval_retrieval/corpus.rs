//! Passages, questions and judgments from their files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use ::index::{Segment, Unit};
use document::{Chunk, ChunkId, ChunkKind, Document, SectionId};
use evaluate::ranking::Judgments;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;
use text::AnalyzerKind;

use crate::failure::Failure;

/// Passages shorter than this, in characters, are headings of nothing and are left out.
const MIN_CHARS: usize = 5;
/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 16 << 20;

/// A passage as it stands in the file.
#[derive(Deserialize)]
struct Passage {
    id: String,
    text: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    chapter: String,
}

/// The passages.
pub(super) struct Corpus {
    passages: Vec<Passage>,
}

impl Corpus {
    /// Reads the passages of a file.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let mut passages: Vec<Passage> = Vec::new();
        for_lines(path, |line| {
            passages.push(serde_json::from_str(line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        passages.retain(|passage| passage.text.chars().nth(MIN_CHARS - 1).is_some());
        if passages.is_empty() {
            return Err(Failure::Failed(format!("{}: no passage of {MIN_CHARS} characters", path.display())));
        }
        Ok(Self { passages })
    }

    /// How many passages there are.
    pub(super) fn n_passages(&self) -> usize {
        self.passages.len()
    }

    /// The passages as one document: passage `i` is the article with id `2 i`, its child `2 i + 1` carries the
    /// vector.
    pub(super) fn segment(&self, analyzer: AnalyzerKind) -> Segment {
        let headers: Vec<String> = self.passages.iter().map(Passage::header).collect();
        let mut chunks = Vec::with_capacity(self.passages.len() * 2);
        let mut units = Vec::with_capacity(self.passages.len());
        for (passage, header) in self.passages.iter().zip(&headers) {
            let article = ChunkId::from_idx(chunks.len());
            chunks.push(chunk(ChunkKind::Article, None));
            chunks.push(chunk(ChunkKind::Child, Some(article)));
            units.push(Unit { chunk: article, header, text: &passage.text });
        }
        let document =
            Document { name: "corpus".to_owned(), digest: CORPUS.to_owned(), chunks, ..Document::default() };
        Segment::with_units(document, &units, analyzer)
    }

    /// The id of the passage behind an article.
    pub(super) fn id_of(&self, article: ChunkId) -> &str {
        self.passages.get(article.idx() / 2).map_or("", |passage| passage.id.as_str())
    }

    /// What is embedded for each passage, in order.
    pub(super) fn embedded_texts(&self) -> Vec<String> {
        let text_of = |passage: &Passage| match passage.header() {
            header if header.is_empty() => passage.text.clone(),
            header => format!("{header}\n{}", passage.text),
        };
        self.passages.iter().map(text_of).collect()
    }
}

/// The identity under which the corpus is in the index.
pub(super) const CORPUS: &str = "corpus";

impl Passage {
    fn header(&self) -> String {
        match (self.title.as_str(), self.chapter.as_str()) {
            (title, "") => title.to_owned(),
            ("", chapter) => chapter.to_owned(),
            (title, chapter) => format!("{title}\n{chapter}"),
        }
    }
}

fn chunk(kind: ChunkKind, article: Option<ChunkId>) -> Chunk {
    Chunk {
        kind,
        ranges: Vec::new(),
        section: SectionId(0),
        n_tokens: 0,
        parents: Vec::new(),
        article,
        notes: Vec::new(),
    }
}

/// A question with all its fields.
pub(crate) struct Question {
    pub(crate) qid: String,
    pub(super) text: String,
    fields: Value,
}

impl Question {
    /// The value of a field as a word; a dash where it is absent.
    pub(crate) fn field(&self, name: &str) -> String {
        match self.fields.get(name) {
            Some(Value::String(value)) => value.clone(),
            Some(Value::Null) | None => "-".to_owned(),
            Some(value) => value.to_string(),
        }
    }
}

/// The questions and what is relevant to each.
pub(crate) struct Queries {
    questions: Vec<Question>,
    judgments: BTreeMap<String, Judgments>,
}

impl Queries {
    /// Reads questions and judgments. Every judged question must be there: one that is not could only score 0.
    pub(crate) fn read(queries: &Path, qrels: &Path) -> Result<Self, Failure> {
        let judgments = read_judgments(qrels)?;
        let mut questions = Vec::new();
        for_lines(queries, |line| {
            let fields: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let string = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
            let (Some(qid), Some(text)) = (string("qid"), string("query")) else {
                return Err("expected the strings `qid` and `query`".to_owned());
            };
            if judgments.contains_key(&qid) {
                questions.push(Question { qid, text, fields });
            }
            Ok(())
        })?;
        if questions.len() != judgments.len() {
            return Err(Failure::Failed(format!(
                "{}: {} questions with judgments, expected {} by {}",
                queries.display(),
                questions.len(),
                judgments.len(),
                qrels.display()
            )));
        }
        Ok(Self { questions, judgments })
    }

    /// The questions that have something relevant.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter()
    }

    /// How many.
    pub(super) fn n_judged(&self) -> usize {
        self.questions.len()
    }

    /// What is relevant to a question.
    pub(super) fn judgments(&self, qid: &str) -> &Judgments {
        static NONE: Judgments = Judgments::new();
        self.judgments.get(qid).unwrap_or(&NONE)
    }
}

/// Reads judgments: question → what was judged for it. Questions without anything relevant are left out.
pub(crate) fn read_judgments(qrels: &Path) -> Result<BTreeMap<String, Judgments>, Failure> {
    let mut judgments: BTreeMap<String, Judgments> = BTreeMap::new();
    for_lines(qrels, |line| {
        let mut parts = line.split_whitespace();
        let (Some(qid), Some(_), Some(id), Some(gain)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("expected `qid 0 id relevance`".to_owned());
        };
        let gain =
            gain.parse().map_err(|_| format!("expected a whole number as relevance, found {gain:?}"))?;
        judgments.entry(qid.to_owned()).or_default().insert(id.to_owned(), gain);
        Ok(())
    })?;
    judgments.retain(|_, judged| judged.values().any(|&gain| gain > 0));
    Ok(judgments)
}

/// Calls `f` with each line that is not blank; an error names file and line.
pub(crate) fn for_lines(path: &Path, mut f: impl FnMut(&str) -> Result<(), String>) -> Result<(), Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let input: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut input = BufReader::new(input);
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let n_read =
            (&mut input).take(MAX_LINE).read_line(&mut line).map_err(|error| Failure::io(path, &error))?;
        if n_read == 0 {
            break;
        }
        if n_read as u64 == MAX_LINE {
            return Err(Failure::Failed(format!(
                "{}:{number}: a line over {MAX_LINE} bytes",
                path.display()
            )));
        }
        if !line.trim().is_empty() {
            f(line.trim_end())
                .map_err(|what| Failure::Failed(format!("{}:{number}: {what}", path.display())))?;
        }
    }
    Ok(())
}
