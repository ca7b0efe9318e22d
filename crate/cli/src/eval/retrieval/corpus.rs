//! Passages, questions and judgments from their files.
//!
//! Passages become documents as a user's files do: one for each `doc`, its text the passages in order, its sections
//! the path of labels of each `pid` (or, without one, `chapter` and `label`), so rankers have neighbours, sections,
//! references and terms. A passage without `doc` is a document of its own, without neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use ::index::{Index, Segment, Unit};
use document::{
    Block, BlockId, BlockKind, BlockStyle, Chunk, ChunkId, ChunkKind, Document, DocumentIdx, Label, Layout,
    Role, Section, SectionId, Slice as _, TextRange, Tree,
};
use evaluate::ranking::Judgments;
use flate2::read::MultiGzDecoder;
use retrieval::ModelScripts;
use serde::Deserialize;
use serde_json::{Map, Value};
use text::{AnalyzerKind, ApproximateTokens, TokenCount as _, numerals};

use crate::eval::fields::{id_of, object};
use crate::failure::Failure;
use crate::outline::{Outline, path_of};

/// Shortest passage that is ranked, in characters.
const MIN_CHARS: usize = 5;
/// Longest child of several sentences, in tokens.
const CHILD_TOKENS: usize = 128;
/// Longest line that is read, in bytes.
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
    #[serde(default)]
    label: String,
    #[serde(default)]
    pid: String,
    #[serde(default)]
    doc: Value,
}

/// The passages.
pub(crate) struct Corpus {
    /// Passages in the order of the file.
    passages: Vec<Passage>,
    documents: Vec<Vec<usize>>,
}

impl Corpus {
    /// Reads the passages of a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let mut passages: Vec<Passage> = Vec::new();
        for_lines(path, |line| {
            passages.push(serde_json::from_str(line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        passages.retain(|passage| passage.text.chars().nth(MIN_CHARS - 1).is_some());
        if passages.is_empty() {
            return Err(Failure::Failed(format!("{}: no passage of {MIN_CHARS} characters", path.display())));
        }
        let mut documents: Vec<Vec<usize>> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (at, passage) in passages.iter().enumerate() {
            let document = *known.entry(passage.document_name()).or_insert_with(|| {
                documents.push(Vec::new());
                documents.len() - 1
            });
            if let Some(members) = documents.get_mut(document) {
                members.push(at);
            }
        }
        Ok(Self { passages, documents })
    }

    /// The documents that have some passages, without them: the place of each, what it keeps, its segment. `None` where
    /// it keeps nothing.
    pub(crate) fn without(
        &self,
        gone: &BTreeSet<&str>,
        analyzer: AnalyzerKind,
    ) -> Vec<(usize, Vec<usize>, Option<Segment>)> {
        let is_gone =
            |at: &usize| self.passages.get(*at).is_some_and(|passage| gone.contains(passage.id.as_str()));
        let touched = self.documents.iter().enumerate().filter(|(_, members)| members.iter().any(is_gone));
        let left = |(document, members): (usize, &Vec<usize>)| {
            let kept: Vec<usize> = members.iter().copied().filter(|at| !is_gone(at)).collect();
            let passages: Vec<&Passage> = kept.iter().filter_map(|&at| self.passages.get(at)).collect();
            let made = (!passages.is_empty())
                .then(|| segment(&digest_of(document), &passages, analyzer, Children::Same));
            (document, kept, made)
        };
        touched.map(left).collect()
    }

    /// The segments of the documents, cut into other chunks than passages: windows, or long units. All passages of a document
    /// are its text; the title is the only header.
    pub(crate) fn segments_cut<'a>(
        &'a self,
        options: &'a engine::IngestOptions,
        tokens: &'a dyn engine::TokenCount,
    ) -> impl Iterator<Item = Segment> + 'a {
        let segments = self.segments(AnalyzerKind::Default, Children::Same);
        segments.map(|segment| without_layout(segment.document(), options, tokens))
    }

    /// The passages that share text with a range of a document, by the document's identity in the index: the id of each, and
    /// its range.
    pub(crate) fn passages_in(&self, digest: &str, range: Range<usize>) -> Vec<(&str, Range<usize>)> {
        let mut start = 0;
        let mut found = Vec::new();
        for passage in self.document(digest).iter().filter_map(|&at| self.passages.get(at)) {
            let end = start + passage.text.len();
            if start < range.end && range.start < end {
                found.push((passage.id.as_str(), start..end));
            }
            start = end + 1;
        }
        found
    }

    /// The names of the documents of all passages, by id.
    pub(crate) fn document_names(&self) -> BTreeMap<&str, String> {
        let names = |(at, members): (usize, &Vec<usize>)| {
            let name = self.name_of(&digest_of(at));
            let passages = members.iter().filter_map(|&at| self.passages.get(at));
            passages.map(|passage| (passage.id.as_str(), name.clone())).collect::<Vec<_>>()
        };
        self.documents.iter().enumerate().flat_map(names).collect()
    }

    /// Number of passages.
    pub(crate) fn n_passages(&self) -> usize {
        self.passages.len()
    }

    /// The segments of the documents: each passage is an article, followed by its children.
    pub(crate) fn segments(
        &self,
        analyzer: AnalyzerKind,
        children: Children,
    ) -> impl Iterator<Item = Segment> {
        self.members().enumerate().map(move |(at, members)| {
            let passages: Vec<&Passage> = members.iter().filter_map(|&at| self.passages.get(at)).collect();
            segment(&digest_of(at), &passages, analyzer, children)
        })
    }

    /// The positions in the file of the passages of each document.
    pub(crate) fn members(&self) -> impl Iterator<Item = &[usize]> {
        self.documents.iter().map(Vec::as_slice)
    }

    /// The id of the passage that a chunk is or lies in.
    pub(crate) fn id_of(&self, index: &Index, document: DocumentIdx, chunk: ChunkId) -> &str {
        let passage = || {
            let source = index.get(document)?.segment().document();
            let start = source.chunks.get(chunk.idx())?.ranges.first()?.start;
            // A block is a passage.
            let at = source.layout.blocks.partition_point(|block| block.range.start <= start);
            let at = *self.documents.get(document.idx())?.get(at.checked_sub(1)?)?;
            self.passages.get(at)
        };
        passage().map_or("", |passage| passage.id.as_str())
    }

    /// The id of the passage that stands at a byte of a document's text, by the document's identity in the index.
    pub(crate) fn id_at(&self, digest: &str, byte: usize) -> &str {
        let mut end = 0;
        let passages = self.document(digest).iter().filter_map(|&at| self.passages.get(at));
        for passage in passages {
            end += passage.text.len() + 1;
            if byte < end {
                return &passage.id;
            }
        }
        ""
    }

    /// A document's name: the title of its passages, else their `doc`.
    pub(crate) fn name_of(&self, digest: &str) -> String {
        let first = self.document(digest).first().and_then(|&at| self.passages.get(at));
        first.map_or_else(String::new, |passage| match passage.title.as_str() {
            "" => passage.document_name(),
            title => title.to_owned(),
        })
    }

    fn document(&self, digest: &str) -> &[usize] {
        let at = digest.parse().ok().and_then(|at: usize| self.documents.get(at));
        at.map(Vec::as_slice).unwrap_or_default()
    }

    /// The passages that a model of these scripts can read, as places in the file with the texts to embed; ascending.
    pub(crate) fn texts_to_embed(&self, scripts: ModelScripts) -> Vec<(usize, String)> {
        let text_of = |passage: &Passage| match passage.header() {
            header if header.is_empty() => passage.text.clone(),
            header => format!("{header}\n{}", passage.text),
        };
        let places = self.passages.iter().enumerate();
        let readable = places.filter(|(_, passage)| scripts.can_read(&passage.text));
        readable.map(|(place, passage)| (place, text_of(passage))).collect()
    }
}

/// The identity of a document of the corpus in the index.
pub(crate) fn digest_of(document: usize) -> String {
    format!("{document:08}")
}

impl Passage {
    /// The document of a passage; its own id where it has none.
    fn document_name(&self) -> String {
        match &self.doc {
            Value::Null => self.id.clone(),
            Value::String(name) => name.clone(),
            other => other.to_string(),
        }
    }

    fn header(&self) -> String {
        match (self.title.as_str(), self.chapter.as_str()) {
            (title, "") => title.to_owned(),
            ("", chapter) => chapter.to_owned(),
            (title, chapter) => format!("{title}\n{chapter}"),
        }
    }

    /// The labels from the outermost to its own.
    fn path(&self) -> Vec<String> {
        if !self.pid.is_empty() {
            return path_of(&self.pid);
        }
        [self.chapter.clone(), article_key(&self.label).unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// 第二百一十三条之一 as a key: "条 213-1".
fn article_key(label: &str) -> Option<String> {
    let (main, after) = label.strip_prefix('第')?.split_once('条')?;
    let main = numerals::chinese(main)?;
    Some(match after.strip_prefix('之').and_then(numerals::chinese) {
        Some(after) => format!("条 {main}-{after}"),
        None => format!("条 {main}"),
    })
}

/// The kind of children of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// One, with the passage's text; it carries the vector and has no postings.
    Same,
    /// Its sentences, as many together as [`CHILD_TOKENS`] hold; indexed beside the passage.
    Cut,
}

/// The pieces of a text of whole sentences.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces: Vec<(Range<usize>, usize)> = Vec::new();
    for sentence in text::sentences(text) {
        let n = ApproximateTokens.count(text.slice(sentence.clone()));
        match pieces.last_mut().filter(|(_, n_before)| n_before + n <= CHILD_TOKENS) {
            Some((piece, n_before)) => {
                piece.end = sentence.end;
                *n_before += n;
            }
            None => pieces.push((sentence, n)),
        }
    }
    pieces.into_iter().map(|(piece, _)| piece).collect()
}

/// A document cut into windows or long units, as one who knows no layout sees it: its text under its title, without sections,
/// notes, references and terms.
pub(crate) fn without_layout(
    document: &Document,
    options: &engine::IngestOptions,
    tokens: &dyn engine::TokenCount,
) -> Segment {
    let root = document.tree.sections.first().cloned().map(|root| Section { blocks: Vec::new(), ..root });
    let tree = Tree { sections: root.into_iter().collect(), ..Tree::default() };
    let mut document = Document { tree, ..document.clone() };
    document.chunks = engine::split(&document, options, tokens);
    Segment::new(document, AnalyzerKind::Default)
}

/// A document of passages as a segment: an article per passage, followed by its children.
fn segment(digest: &str, passages: &[&Passage], analyzer: AnalyzerKind, children: Children) -> Segment {
    let layout = layout_of(passages);
    let mut outline = Outline::default();
    for (at, passage) in passages.iter().enumerate() {
        outline.insert(passage.path(), at);
    }
    let (sections, homes) = sections_of(&outline, &layout);
    let chunks = chunks_of(&layout, &homes, children);
    let title = passages.first().map(|passage| passage.title.clone()).filter(|title| !title.is_empty());
    let tree = engine::annotate(&layout, sections);
    let (name, digest) = (digest.to_owned(), digest.to_owned());
    let texts = layout.clone();
    let document = Document { name, digest, title, layout, tree, chunks, ..Document::default() };
    let headers: Vec<String> = passages.iter().map(|passage| passage.header()).collect();
    let mut units: Vec<Unit<'_>> = Vec::new();
    let mut passage = 0;
    for (at, chunk) in document.chunks.iter().enumerate() {
        if chunk.kind == ChunkKind::Article && at > 0 {
            passage += 1;
        }
        if chunk.kind == ChunkKind::Article || children == Children::Cut {
            let header = headers.get(passage).map_or("", String::as_str);
            let range = chunk.ranges.first().copied().unwrap_or_default();
            units.push(Unit { chunk: ChunkId::from_idx(at), header, text: texts.slice(range) });
        }
    }
    Segment::with_units(document, &units, analyzer)
}

/// The text of passages, a block per passage.
fn layout_of(passages: &[&Passage]) -> Layout {
    let mut layout = Layout::default();
    for (at, passage) in passages.iter().enumerate() {
        if at > 0 {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(&passage.text);
        layout.blocks.push(Block {
            kind: BlockKind::Paragraph,
            role: Role::Body,
            range: TextRange::new(start, layout.text.len()),
            style: BlockStyle::default(),
            marker: None,
        });
    }
    layout
}

/// An article per block, followed by its children; `homes` are the sections of the blocks.
fn chunks_of(layout: &Layout, homes: &[SectionId], children: Children) -> Vec<Chunk> {
    let mut chunks = Vec::with_capacity(layout.blocks.len() * 2);
    for (block, &home) in layout.blocks.iter().zip(homes) {
        let article = ChunkId::from_idx(chunks.len());
        let chunk = |kind, range, article| Chunk {
            kind,
            ranges: vec![range],
            section: home,
            n_tokens: 0,
            parents: Vec::new(),
            article,
            notes: Vec::new(),
        };
        chunks.push(chunk(ChunkKind::Article, block.range, None));
        let start = block.range.start as usize;
        match children {
            Children::Same => chunks.push(chunk(ChunkKind::Child, block.range, Some(article))),
            Children::Cut => chunks.extend(pieces(layout.slice(block.range)).into_iter().map(|piece| {
                let range = TextRange::new(start + piece.start, start + piece.end);
                chunk(ChunkKind::Child, range, Some(article))
            })),
        }
    }
    chunks
}

/// The sections of an outline, and the section of each passage. A passage whose text comes back to an outline that
/// was left belongs to it all the same; ranges are those of the text between the first and the last.
fn sections_of(outline: &Outline, layout: &Layout) -> (Vec<Section>, Vec<SectionId>) {
    let nodes = outline.nodes();
    let mut homes = vec![SectionId(0); layout.blocks.len()];
    let mut sections: Vec<Section> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let level = node.parent.and_then(|parent| sections.get(parent)).map_or(0, |above| above.level + 1);
        for home in &node.passages {
            if let Some(home) = homes.get_mut(*home) {
                *home = SectionId::from_idx(at);
            }
        }
        let range = |passage: &usize| layout.blocks.get(*passage).map(|block| block.range);
        let own = node.passages.iter().filter_map(range);
        sections.push(Section {
            parent: node.parent.map(SectionId::from_idx),
            level,
            label: Some(Label { text: node.key.clone(), key: node.key.clone() })
                .filter(|l| !l.key.is_empty()),
            title: node.key.clone(),
            heading: None,
            range: own.reduce(union).unwrap_or(TextRange { start: u32::MAX, end: 0 }),
            blocks: node.passages.iter().map(|&passage| BlockId::from_idx(passage)).collect(),
            is_article: !node.passages.is_empty(),
        });
    }
    for (at, node) in nodes.iter().enumerate().rev() {
        let Some(below) = sections.get(at).map(|section| section.range) else { continue };
        if let Some(above) = node.parent.and_then(|parent| sections.get_mut(parent)) {
            above.range = union(above.range, below);
        }
    }
    if let Some(root) = sections.first_mut() {
        root.title.clear();
        root.range = TextRange::new(0, layout.text.len());
    }
    (sections, homes)
}

fn union(a: TextRange, b: TextRange) -> TextRange {
    TextRange { start: a.start.min(b.start), end: a.end.max(b.end) }
}

/// A question with all its fields.
pub(crate) struct JudgedQuestion {
    pub(crate) qid: String,
    pub(crate) text: String,
    pub(crate) fields: Map<String, Value>,
}

impl JudgedQuestion {
    /// A field as it stands in the file.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.fields.get(name)
    }

    /// The value of a field as a word; a dash where it is absent.
    pub(crate) fn field(&self, name: &str) -> String {
        match self.fields.get(name) {
            Some(Value::String(value)) => value.clone(),
            Some(Value::Null) | None => "-".to_owned(),
            Some(value) => value.to_string(),
        }
    }
}

/// The questions with their judgments.
pub(crate) struct Queries {
    questions: Vec<JudgedQuestion>,
    judgments: BTreeMap<String, Judgments>,
}

impl Queries {
    /// Reads questions and judgments. Every judged question must be present; a missing one could only score 0.
    pub(crate) fn read(queries: &Path, qrels: &Path) -> Result<Self, Failure> {
        let judgments = read_judgments(qrels)?;
        let mut questions = read_questions(queries)?;
        questions.retain(|question| judgments.contains_key(&question.qid));
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

    /// The questions with a relevant passage.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &JudgedQuestion> {
        self.questions.iter()
    }

    /// Number of questions.
    pub(crate) fn n_judged(&self) -> usize {
        self.questions.len()
    }

    /// The judgments of a question.
    pub(crate) fn judgments(&self, qid: &str) -> &Judgments {
        static NONE: Judgments = Judgments::new();
        self.judgments.get(qid).unwrap_or(&NONE)
    }
}

/// Reads questions, judged or not.
pub(crate) fn read_questions(queries: &Path) -> Result<Vec<JudgedQuestion>, Failure> {
    let mut questions = Vec::new();
    for_lines(queries, |line| {
        let fields = object(line)?;
        let string = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let text = string("query").or_else(|| string("question"));
        let text = text.ok_or("expected the string `query` or `question`")?;
        questions.push(JudgedQuestion { qid: id_of(&fields)?, text, fields });
        Ok(())
    })?;
    Ok(questions)
}

/// Reads judgments by question. Questions without a relevant passage are left out.
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
