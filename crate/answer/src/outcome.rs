//! From what a model wrote to an answer whose every sentence is pinned: quotations to their words, marks to the
//! passage's sentence that carries most of what is said, and what could not be borne out said so.

use serde::Serialize;
use std::collections::BTreeMap;
use ts_rs::TS;

use document::{ChunkId, TextRange};

use crate::answer::{Answer, Citation, Statement, UnsupportedClaim};
use crate::corpus::Corpus;
use crate::language::Language;
use crate::source::Source;
use crate::trace::Trace;
use citations::{CheckedSentence, SourceRange, Status};

/// Who wrote an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Author {
    /// A model, from the passages selected.
    Model,
    /// Nobody: it is made of sentences of the documents.
    Extraction,
}

impl Author {
    /// The name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Extraction => "extraction",
        }
    }
}

/// An answer and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Who wrote it.
    pub by: Author,
    /// How it came about; the last verdict and the steps left out are part of the answer.
    pub trace: Trace,
}

/// Most characters of an objection's quotation.
const MAX_SHOWN: usize = 80;

/// What comparing an answer with its passages word for word finds wrong, in words for a model.
pub(crate) fn objections(answer: &str, sources: &[Source]) -> Vec<String> {
    let mut objections = Vec::new();
    for checked in check(answer, sources) {
        for quotation in checked.quotations.iter().filter(|quotation| !quotation.is_term) {
            if matches!(quotation.status, Status::NotFound | Status::Stitched) {
                let words = shown(answer, &quotation.range);
                objections.push(format!("the quotation \"{words}\" does not stand so in one passage"));
            }
        }
        for unsupported in &checked.unsupported {
            let words = shown(answer, &unsupported.range);
            objections.push(format!("\"{words}\" is not in the passage cited for it"));
        }
    }
    objections
}

fn shown(answer: &str, range: &std::ops::Range<usize>) -> String {
    answer.get(range.clone()).unwrap_or_default().chars().take(MAX_SHOWN).collect()
}

fn check(answer: &str, sources: &[Source]) -> Vec<CheckedSentence> {
    let sources: Vec<citations::SourceText<'_>> = (1..)
        .zip(sources)
        .map(|(id, source)| citations::SourceText { id, text: &source.text, context: &source.path })
        .collect();
    citations::check(answer, &sources)
}

/// The refusal of a model, with the passages nearest to the question and what they do not say.
pub(crate) fn refused(extracted: Answer, refusal: &str) -> Answer {
    Answer { statements: Vec::new(), sufficient: false, message: refusal.to_owned(), ..extracted }
}

/// An answer that its check did not find borne out: it is shown, and that it is not is said.
pub(crate) fn unfounded(answer: Answer, language: Language) -> Answer {
    let message = match language {
        Language::English => "The check of this answer found that the passages do not bear out all of it.",
        Language::Chinese => "对该回答的核查发现，其内容并非全部有所引段落支持。",
    };
    Answer { sufficient: false, message: message.to_owned(), ..answer }
}

/// The answer that a model wrote, pinned. `extracted` is what extraction makes of the same passages: what the
/// documents do not say is judged there.
pub(crate) fn pinned(corpus: &dyn Corpus, text: &str, sources: &[Source], extracted: Answer) -> Answer {
    let mut pins = Pins { corpus, sources, citations: Vec::new(), numbers: BTreeMap::new() };
    let mut statements = Vec::new();
    let mut end = 0;
    for checked in check(text, sources) {
        let gap = text.get(end..checked.range.start).unwrap_or_default();
        end = checked.range.end;
        let mut ids = Vec::new();
        // A term in quotation marks is a name, no claim that it stands there.
        let claims = || checked.quotations.iter().filter(|quotation| !quotation.is_term);
        for quotation in claims() {
            let pinned = match quotation.status {
                Status::NotFound => None,
                status => quotation.found.first().map(|_| status),
            };
            match pinned {
                Some(status) => ids.extend(pins.pin_all(&quotation.found, status)),
                None => {
                    let words = text.get(quotation.range.clone()).unwrap_or_default();
                    ids.extend(pins.unfound(words, checked.sources.first().copied()));
                }
            }
        }
        if claims().next().is_none() {
            ids.extend(pins.pin_all(&checked.support, Status::Cited));
        }
        // A passage that is named, but of which neither a quotation nor a sentence was pinned. One that is named
        // for words that stand elsewhere is not borne out by them.
        let is_elsewhere = |quotation: &citations::Quotation| quotation.status == Status::Misattributed;
        for &source in &checked.sources {
            if !pins.has(&ids, source) && !claims().any(is_elsewhere) {
                ids.extend(pins.whole(source));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        ids.retain(|id| seen.insert(*id));
        let claim = |unsupported: &citations::UnsupportedSpan| UnsupportedClaim {
            kind: unsupported.kind,
            text: shown(text, &unsupported.range),
        };
        statements.push(Statement {
            text: citations::strip_marks(text.get(checked.range.clone()).unwrap_or_default()),
            citations: ids,
            unsupported: checked.unsupported.iter().map(claim).collect(),
            unknown: checked.unknown.clone(),
            continues: end > 0 && !gap.contains('\n') && !statements.is_empty(),
        });
    }
    let citations = pins.citations;
    let sufficient = !statements.is_empty();
    Answer { statements, citations, sufficient, message: String::new(), ..extracted }
}

/// Citations as they are made.
struct Pins<'a> {
    corpus: &'a dyn Corpus,
    sources: &'a [Source],
    citations: Vec<Citation>,
    /// The number of what is pinned already, by source, place and status.
    numbers: BTreeMap<(u32, TextRange, &'static str), u32>,
}

impl Pins<'_> {
    fn pin_all(&mut self, ranges: &[SourceRange], status: Status) -> Vec<u32> {
        ranges.iter().filter_map(|range| self.pin(*range, status)).collect()
    }

    /// The number of the citation of a range, made where it is new.
    fn pin(&mut self, found: SourceRange, status: Status) -> Option<u32> {
        let key = (found.source, found.range, status.name());
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let source = self.source(found.source)?;
        // A quotation with our own mark of a note in it is not what the document says in one piece.
        let status = if source.is_of_document(found.range) || status == Status::Cited {
            status
        } else {
            Status::Stitched
        };
        let ranges = source.origin(found.range);
        let (&range, rest) = ranges.split_first()?;
        let document = self.corpus.document(source.document)?;
        let words: Vec<&str> = ranges.iter().map(|&range| document.layout.slice(range)).collect();
        let id = self.next();
        self.citations.push(Citation {
            id,
            document: source.document,
            chunk: ChunkId(0),
            section: document.tree.innermost(range),
            range,
            rest: rest.to_vec(),
            quote: words.join(" "),
            status,
            score: 0.0,
        });
        self.numbers.insert(key, id);
        Some(id)
    }

    /// A citation of a quotation that stands nowhere: its words, at the passage named for it, not lit.
    fn unfound(&mut self, words: &str, source: Option<u32>) -> Option<u32> {
        let source = self.source(source.unwrap_or(1))?;
        let start = source.ranges().next()?.start;
        let id = self.next();
        self.citations.push(Citation {
            id,
            document: source.document,
            chunk: ChunkId(0),
            section: source.section,
            range: TextRange { start, end: start },
            rest: Vec::new(),
            quote: words.trim_matches(['"', '“', '”', '「', '」', '«', '»']).to_owned(),
            status: Status::NotFound,
            score: 0.0,
        });
        Some(id)
    }

    /// A citation of a whole passage.
    fn whole(&mut self, source: u32) -> Option<u32> {
        let length = self.source(source)?.text.len();
        self.pin(SourceRange { source, range: TextRange::new(0, length) }, Status::Cited)
    }

    fn has(&self, ids: &[u32], source: u32) -> bool {
        self.numbers.iter().any(|((of, ..), id)| *of == source && ids.contains(id))
    }

    fn source(&self, id: u32) -> Option<&Source> {
        self.sources.get((id as usize).checked_sub(1)?)
    }

    fn next(&self) -> u32 {
        u32::try_from(self.citations.len()).unwrap_or(u32::MAX).saturating_add(1)
    }
}
