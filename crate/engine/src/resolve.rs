//! From positions to locations: an answer in document indexes and byte ranges becomes the shape of the edge.
//!
//! Structs are destructured whole, so a new field does not compile until it is converted here.

use answer::{ConflictPlace, Outcome, Status, SupportReason};
use document::{ChunkId, Document, DocumentIdx, Hit, SectionId, TextRange};
use index::Index;

use crate::reply::{
    Answer, Citation, Conflict, GlossaryEntry, Location, Note, SearchHit, SupportingProvision, Trace,
    VectorUse,
};

/// Resolves positions in the documents of an index.
pub(crate) struct Resolver<'a> {
    pub(crate) index: &'a Index,
}

impl Resolver<'_> {
    fn document(&self, at: DocumentIdx) -> Option<&Document> {
        Some(self.index.get(at)?.segment().document())
    }

    pub(crate) fn location(
        &self,
        at: DocumentIdx,
        section: SectionId,
        ranges: &[TextRange],
    ) -> Option<Location> {
        Some(Location::of(self.document(at)?, section, ranges))
    }

    fn chunk(&self, &(at, chunk): &(DocumentIdx, ChunkId)) -> Option<Location> {
        let document = self.document(at)?;
        let chunk = document.chunks.get(chunk.idx())?;
        Some(Location::of(document, chunk.section, &chunk.ranges))
    }

    fn ranges(&self, (at, ranges): &(DocumentIdx, Vec<TextRange>)) -> Option<Location> {
        let document = self.document(*at)?;
        Some(Location::of(document, document.tree.innermost(*ranges.first()?), ranges))
    }

    pub(crate) fn hit(&self, hit: &Hit, explain: bool) -> Option<SearchHit> {
        let document = self.document(hit.document)?;
        let chunk = document.chunks.get(hit.chunk.idx())?;
        Some(SearchHit {
            location: Location::of(document, chunk.section, &chunk.ranges),
            kind: chunk.kind,
            text: document.chunk_text(chunk).into_owned(),
            score: hit.score,
            rank: hit.rank,
            explanation: explain.then(|| hit.explanation.clone()),
        })
    }

    /// The answer, with what the search knows besides: its hits, the use of vectors, the entries of the glossary.
    pub(crate) fn answer(
        &self,
        outcome: Outcome,
        hits: &[Hit],
        vectors: VectorUse,
        glossary: Vec<GlossaryEntry>,
    ) -> Answer {
        let Outcome { answer, by, trace } = outcome;
        let text = answer.text();
        let answer::Answer {
            statements,
            citations,
            sufficient,
            answerability,
            probability,
            missing,
            message,
            supporting,
            conflicts,
            notes,
        } = answer;
        let mut citations = Citations::of(self, citations);
        Answer {
            text,
            sufficient,
            answerability,
            probability,
            by,
            verdict: trace.reflection.last().cloned(),
            statements,
            supporting: supporting
                .into_iter()
                .filter_map(|provision| citations.supporting(provision))
                .collect(),
            conflicts: conflicts.into_iter().map(|conflict| citations.conflict(conflict)).collect(),
            citations: citations.list,
            notes: notes.into_iter().filter_map(|note| self.note(note)).collect(),
            missing,
            message,
            vectors,
            trace: self.trace(trace, glossary),
            retrieved: hits.iter().filter_map(|hit| self.hit(hit, false)).collect(),
        }
    }

    fn note(&self, note: answer::Note) -> Option<Note> {
        Some(match note {
            answer::Note::Withdrawn { citation, legal_status } => Note::Withdrawn { citation, legal_status },
            answer::Note::LaterEdition { citation, date, later, later_date } => {
                let later = self.document(later)?.name.clone();
                Note::LaterEdition { citation, date, later, later_date }
            }
            answer::Note::SeveralCases { citations } => Note::SeveralCases { citations },
        })
    }

    fn trace(&self, trace: answer::Trace, glossary: Vec<GlossaryEntry>) -> Trace {
        let answer::Trace {
            question,
            rewrites,
            passage,
            queries,
            retrieved: _,
            kept,
            extracts,
            selected,
            reflection,
            calls,
            degraded,
        } = trace;
        Trace {
            question,
            rewrites,
            passage,
            queries,
            glossary,
            kept: kept.iter().filter_map(|chunk| self.chunk(chunk)).collect(),
            extracts: extracts.iter().filter_map(|ranges| self.ranges(ranges)).collect(),
            selected: selected.iter().filter_map(|ranges| self.ranges(ranges)).collect(),
            reflection,
            calls,
            degraded,
            ..Trace::default()
        }
    }
}

/// Citation whose status gives way to the caveats of its place.
fn citation(id: u32, location: Location, quote: String, status: Status) -> Citation {
    let status = status.with_caveats(&location.caveats);
    Citation { id, location, quote, status }
}

/// Citations of an answer: those of its statements, then those that show supporting provisions and conflicts.
struct Citations<'a> {
    resolver: &'a Resolver<'a>,
    list: Vec<Citation>,
}

impl<'a> Citations<'a> {
    fn of(resolver: &'a Resolver<'a>, citations: Vec<answer::Citation>) -> Self {
        let resolve = |citation: answer::Citation| {
            let answer::Citation {
                id,
                document,
                chunk: _,
                section,
                range,
                rest,
                quote,
                status,
                score: _,
                operative: _,
            } = citation;
            let ranges: Vec<TextRange> = std::iter::once(range).chain(rest).collect();
            let location = resolver.location(document, section, &ranges)?;
            Some(self::citation(id, location, quote, status))
        };
        Self { resolver, list: citations.into_iter().filter_map(resolve).collect() }
    }

    /// Adds a citation of a copy of the text; its number.
    fn add(
        &mut self,
        document: DocumentIdx,
        section: SectionId,
        ranges: &[TextRange],
        quote: String,
    ) -> Option<u32> {
        let id = self.list.iter().map(|citation| citation.id).max().unwrap_or(0) + 1;
        let location = self.resolver.location(document, section, ranges)?;
        self.list.push(self::citation(id, location, quote, Status::Verified));
        Some(id)
    }

    fn supporting(&mut self, provision: answer::SupportingProvision) -> Option<SupportingProvision> {
        let answer::SupportingProvision { citation, why, document, section, ranges, quote, legal_status: _ } =
            provision;
        let (why, name) = match why {
            SupportReason::Reference { label } => ("reference", label),
            SupportReason::Definition { term } => ("definition", term),
        };
        Some(SupportingProvision { citation, why, name, by: self.add(document, section, &ranges, quote)? })
    }

    fn conflict(&mut self, conflict: answer::Conflict) -> Conflict {
        let answer::Conflict { kind, places, in_force } = conflict;
        let cite = |place: ConflictPlace| {
            let ConflictPlace { citation, document, section, range, quote, date: _, legal_status: _ } = place;
            citation.or_else(|| self.add(document, section, &[range], quote))
        };
        let citations: Vec<Option<u32>> = places.into_iter().map(cite).collect();
        let preferred = in_force.and_then(|at| citations.get(at).copied().flatten());
        Conflict { kind, citations: citations.into_iter().flatten().collect(), preferred }
    }
}
