//! Check of one sentence after another against the sources, which are indexed once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use document::{Slice as _, TextRange};

use crate::claims::{Claims, NearSentence, SourceFacts, hides_negation, own_words, without_marks};
use crate::marks::{CitationMark, CitedIds, marks_in};
use crate::quotation::{CitedSources, look_up};
use crate::quotes::QuotedSpan;
use crate::report::{CheckedSentence, Quotation, SourceRange, SourceText, UnsupportedKind, UnsupportedSpan};
use crate::source_index::SourceIndex;
use crate::supporting::{SupportingSentence, terms};

/// Maximum number of bytes between a quotation and a mark that cites for it.
const MAX_GAP: usize = 16;
/// Times that a sentence near another is read for its modals and negations.
const READINGS: usize = 5;

/// Answer with its marks and quoted spans, and the sources it is checked against.
pub(crate) struct Checker<'a> {
    answer: &'a str,
    marks: &'a [CitationMark],
    spans: &'a [QuotedSpan],
    index: SourceIndex<'a>,
    /// Numbers of all sources, those that are not indexed included.
    ids: BTreeSet<u32>,
    /// Facts of each indexed source, read when it is first cited.
    facts: Vec<Option<SourceFacts>>,
}

impl<'a> Checker<'a> {
    /// Indexes the sources.
    pub(crate) fn new(
        answer: &'a str,
        marks: &'a [CitationMark],
        spans: &'a [QuotedSpan],
        sources: &[SourceText<'a>],
    ) -> Self {
        let index = SourceIndex::new(sources);
        let facts = index.sources.iter().map(|_| None).collect();
        Self { answer, marks, spans, index, ids: sources.iter().map(|source| source.id).collect(), facts }
    }

    /// Checks the sentence at a range of the answer.
    pub(crate) fn check(&mut self, sentence: Range<usize>) -> CheckedSentence {
        let marks = marks_in(self.marks, &sentence);
        let cited = CitedIds::new(marks, &self.ids);
        let first = self.spans.partition_point(|span| span.outer.start < sentence.start);
        let spans = self.spans.iter().skip(first).take_while(|span| span.outer.start < sentence.end);
        let spans: Vec<&QuotedSpan> = spans.collect();
        let quotations = spans.iter().map(|span| self.quotation(span, marks, &cited)).collect();
        let mut checked = CheckedSentence {
            range: sentence,
            sources: cited.known,
            unknown: cited.unknown,
            quotations,
            support: Vec::new(),
            unsupported: Vec::new(),
        };
        self.read_facts(&checked.sources);
        self.check_claims(&mut checked, &spans);
        checked
    }

    /// Looks up a quotation. Marks directly behind it cite for it, else all marks of the sentence do.
    fn quotation(&self, span: &QuotedSpan, marks: &[CitationMark], of_sentence: &CitedIds) -> Quotation {
        let of_quotation = CitedIds::new(self.marks_behind(span, marks), &self.ids);
        let cited = if of_quotation.is_empty() { of_sentence } else { &of_quotation };
        let positions = cited.known.iter().filter_map(|&id| self.index.position(id)).collect();
        let cited = CitedSources { positions, has_marks: !cited.is_empty() };
        look_up(&self.index, self.answer, span, marks, &cited)
    }

    /// The marks directly behind a quotation, with nothing but punctuation between.
    fn marks_behind<'m>(&self, span: &QuotedSpan, marks: &'m [CitationMark]) -> &'m [CitationMark] {
        let separates = |c: char| c.is_alphanumeric() || matches!(c, '“' | '"' | '「' | '«' | ';' | '；');
        let first = marks.partition_point(|mark| mark.range.start < span.inner.end);
        let mut end = span.outer.end;
        let mut last = first;
        for mark in marks.iter().skip(first) {
            let gap = self.answer.slice(end.min(mark.range.start)..mark.range.start);
            if gap.len() > MAX_GAP || gap.contains(separates) {
                break;
            }
            end = mark.range.end;
            last += 1;
        }
        marks.slice(first..last)
    }

    /// Reads the facts of sources that were not cited before.
    fn read_facts(&mut self, ids: &[u32]) {
        for &id in ids {
            let Some(position) = self.index.position(id) else { continue };
            if let (Some(source), Some(facts)) =
                (self.index.sources.get(position), self.facts.get_mut(position))
            {
                facts.get_or_insert_with(|| SourceFacts::new(source.text, source.context));
            }
        }
    }

    /// Fills in the sentences of the cited sources that support this one, and what none of the sources supports.
    fn check_claims(&self, checked: &mut CheckedSentence, spans: &[&QuotedSpan]) {
        let cited: Vec<(u32, &SourceFacts)> = checked
            .sources
            .iter()
            .filter_map(|&id| Some((id, self.facts.get(self.index.position(id)?)?.as_ref()?)))
            .collect();
        if cited.is_empty() {
            return;
        }
        let supporting = self.supporting(checked, &cited);
        let near = self.near(checked, &cited, &supporting);
        let claims = Claims {
            sentence: self.answer.slice(checked.range.clone()),
            own_words: &own_words(self.answer, checked, self.marks, spans),
            sources: &cited.iter().map(|(_, facts)| *facts).collect::<Vec<_>>(),
            near: &near,
        };
        let mut unsupported = claims.unsupported();
        for span in &mut unsupported {
            span.range = checked.range.start + span.range.start..checked.range.start + span.range.end;
        }
        let quotations = checked.quotations.iter().filter(|quotation| !quotation.is_term);
        unsupported.extend(quotations.filter(|quotation| hides_negation(&self.index, quotation)).map(
            |quotation| UnsupportedSpan { range: quotation.range.clone(), kind: UnsupportedKind::Negation },
        ));
        unsupported.sort_by_key(|span| (span.range.start, span.range.end, span.kind));
        unsupported.dedup();
        checked.unsupported = unsupported;
        let range = |sentence: SupportingSentence| TextRange::new(sentence.range.start, sentence.range.end);
        checked.support = supporting
            .into_iter()
            .map(|(source, sentence)| SourceRange { source, range: range(sentence) })
            .collect();
    }

    /// The sentences of the cited sources that support this one, and those that hold its quotations.
    fn near(
        &self,
        checked: &CheckedSentence,
        cited: &[(u32, &SourceFacts)],
        supporting: &[(u32, SupportingSentence)],
    ) -> Vec<NearSentence<'a>> {
        let facts = |id: u32| cited.iter().find(|(cited, _)| *cited == id).map(|(_, facts)| &facts.sentences);
        // By source and first byte, so that none is read twice; whether it is meant, and restated.
        let mut starts: BTreeMap<(u32, usize), (bool, bool)> = BTreeMap::new();
        let quotations = checked.quotations.iter().filter(|quotation| !quotation.is_term);
        for found in quotations.flat_map(|quotation| &quotation.found) {
            let sentence = facts(found.source).and_then(|index| index.holding(found.range.start as usize));
            starts.extend(sentence.map(|sentence| ((found.source, sentence.start), (true, false))));
        }
        starts.extend(supporting.iter().map(|(id, sentence)| {
            ((*id, sentence.range.start), (sentence.is_similar(), sentence.is_paraphrase()))
        }));
        let near = starts.into_iter().map_while(|((id, start), (is_meant, is_paraphrase))| {
            let (index, text) = (facts(id)?, self.index.source(id)?.text);
            let sentence = index.holding(start)?;
            let mut steps = 0;
            let lead_in = index.lead_in(text, &sentence, &mut steps).and_then(|range| text.get(range));
            self.index.spend(READINGS * (sentence.len() + lead_in.map_or(0, str::len)) + steps);
            let near = NearSentence { text: text.get(sentence)?, lead_in, is_meant, is_paraphrase };
            (!self.index.is_spent()).then_some(near)
        });
        near.collect()
    }

    /// The most similar sentence of each cited source, if the sentence quotes no more than terms.
    fn supporting(
        &self,
        checked: &CheckedSentence,
        cited: &[(u32, &SourceFacts)],
    ) -> Vec<(u32, SupportingSentence)> {
        if checked.quotations.iter().any(|quotation| !quotation.is_term) || self.index.is_spent() {
            return Vec::new();
        }
        let terms = terms(&without_marks(self.answer, &checked.range, self.marks));
        let mut found = Vec::new();
        for (id, facts) in cited {
            let mut steps = 0;
            found.extend(facts.sentences.best(&terms, &mut steps).map(|sentence| (*id, sentence)));
            self.index.spend(steps);
        }
        found
    }
}
