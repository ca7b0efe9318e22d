//! From a model's text to an answer with citations: a quotation is pinned to its words, a mark to the most similar
//! sentence of its passage; unsupported words are marked.

use std::collections::BTreeMap;

use document::{ChunkId, Slice as _, TextRange};

use crate::answer::{Answer, Citation, Statement, UnsupportedClaim};
use crate::answerability::Answerability;
use crate::corpus::Corpus;
use crate::language::Language;
use crate::prompt_passage::PromptPassage;
use citations::{CheckedSentence, SourceRange, Status};

/// Longest quotation in an objection, in characters.
const MAX_SHOWN: usize = 80;

/// Faults that the word-for-word check of an answer finds, worded for the reflecting model.
pub(crate) fn objections(answer: &str, sources: &[PromptPassage]) -> Vec<String> {
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
    answer.slice(range.clone()).chars().take(MAX_SHOWN).collect()
}

fn check(answer: &str, sources: &[PromptPassage]) -> Vec<CheckedSentence> {
    let sources: Vec<citations::SourceText<'_>> = (1..)
        .zip(sources)
        .map(|(id, source)| citations::SourceText { id, text: &source.text, context: &source.path })
        .collect();
    citations::check(answer, &sources)
}

/// A model's refusal, with the nearest passages and the missing words.
pub(crate) fn refused(extracted: Answer, refusal: &str) -> Answer {
    Answer {
        statements: Vec::new(),
        sufficient: false,
        answerability: Answerability::Silent,
        message: refusal.to_owned(),
        ..extracted
    }
}

/// Marks an answer that its check found unsupported: it is shown with a message.
pub(crate) fn ungrounded(answer: Answer, language: Language) -> Answer {
    let message = match language {
        Language::English => "The check of this answer found that the passages do not bear out all of it.",
        Language::Chinese => "对该回答的核查发现，其内容并非全部有所引段落支持。",
    };
    Answer { sufficient: false, answerability: Answerability::Silent, message: message.to_owned(), ..answer }
}

/// A model's answer with citations. `extracted`, the extractive answer from the same passages, supplies the words that
/// are missing from the documents.
pub(crate) fn pinned(
    corpus: &dyn Corpus,
    text: &str,
    sources: &[PromptPassage],
    extracted: Answer,
) -> Answer {
    let mut builder = CitationBuilder { corpus, sources, citations: Vec::new(), numbers: BTreeMap::new() };
    let mut statements = Vec::new();
    let mut end = 0;
    for checked in check(text, sources) {
        let gap = text.slice(end..checked.range.start);
        end = checked.range.end;
        let mut ids = Vec::new();
        // A term in quotation marks is a name, not a quotation.
        let claims = || checked.quotations.iter().filter(|quotation| !quotation.is_term);
        for quotation in claims() {
            let pinned = match quotation.status {
                Status::NotFound => None,
                status => quotation.found.first().map(|_| status),
            };
            match pinned {
                Some(status) => ids.extend(builder.pin_all(&quotation.found, status)),
                None => {
                    let words = text.slice(quotation.range.clone());
                    ids.extend(builder.unfound(words, checked.sources.first().copied()));
                }
            }
        }
        if claims().next().is_none() {
            ids.extend(builder.pin_all(&checked.support, Status::Cited));
        }
        // A cited passage without a pinned quotation or sentence. Words found elsewhere do not support it.
        let is_elsewhere = |quotation: &citations::Quotation| quotation.status == Status::Misattributed;
        for &source in &checked.sources {
            if !builder.has(&ids, source) && !claims().any(is_elsewhere) {
                ids.extend(builder.whole(source));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        ids.retain(|id| seen.insert(*id));
        let claim = |unsupported: &citations::UnsupportedSpan| UnsupportedClaim {
            kind: unsupported.kind,
            text: shown(text, &unsupported.range),
        };
        statements.push(Statement {
            text: citations::strip_marks(text.slice(checked.range.clone())),
            citations: ids,
            unsupported: checked.unsupported.iter().map(claim).collect(),
            unknown: checked.unknown.clone(),
            continues: end > 0 && !gap.contains('\n') && !statements.is_empty(),
            operative: None,
        });
    }
    let citations = builder.citations;
    let sufficient = !statements.is_empty();
    let answerability = if sufficient { Answerability::Answers } else { Answerability::Silent };
    Answer { statements, citations, sufficient, answerability, message: String::new(), ..extracted }
}

/// Builder of the list of citations.
struct CitationBuilder<'a> {
    corpus: &'a dyn Corpus,
    sources: &'a [PromptPassage],
    citations: Vec<Citation>,
    /// Ids of existing citations by source, range and status.
    numbers: BTreeMap<(u32, TextRange, &'static str), u32>,
}

impl CitationBuilder<'_> {
    fn pin_all(&mut self, ranges: &[SourceRange], status: Status) -> Vec<u32> {
        ranges.iter().filter_map(|range| self.pin(*range, status)).collect()
    }

    /// Id of the citation of a range, created if new.
    fn pin(&mut self, found: SourceRange, status: Status) -> Option<u32> {
        let key = (found.source, found.range, status.name());
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        let source = self.source(found.source)?;
        // A quotation across our mark of a note is not contiguous in the document.
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
            operative: None,
        });
        self.numbers.insert(key, id);
        Some(id)
    }

    /// A citation of a quotation that was not found: its words and the cited passage, without a range.
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
            operative: None,
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

    fn source(&self, id: u32) -> Option<&PromptPassage> {
        self.sources.get((id as usize).checked_sub(1)?)
    }

    fn next(&self) -> u32 {
        u32::try_from(self.citations.len()).unwrap_or(u32::MAX).saturating_add(1)
    }
}
