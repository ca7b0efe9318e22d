//! BM25 as Lucene computes it.
//!
//! ```text
//! score = Σ over query terms  idf · f / (f + k1 (1 − b + b · dl / avgdl))
//! idf   = ln(1 + (N − n + ½) / (n + ½))
//! ```
//!
//! Frequencies and lengths are sums over header and text, the header weighted by [`Bm25::header_weight`]; N, n and avgdl
//! are over all units of the snapshot. A repeated term counts as often as the query has it, a synonym
//! [`Options::expansion_weight`] times. A concept of a thesaurus whose phrase the documents hardly use counts as one
//! term: its best member of which all words occur, divided by √(words), as far as that exceeds what the question's own
//! phrase scores. Source: Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009, without the constant
//! (k1 + 1), as in Lucene since 8.0. O(postings of the query's terms).
//!
//! The logarithm is that of `libm`: the platform's differs in the last bit between targets, and scores must be
//! bit-identical natively and in wasm.

use std::collections::{BTreeMap, BTreeSet};

use document::{ChunkId, DocumentIdx, OrNever as _, Slice as _};
use index::vector::TopK;
use index::{Index, Posting, Segment, Stats, TermKey, TermStats, UnitLength};
use text::{Analyzer, AnalyzerKind};

use crate::analysis::Concept;
use crate::filter::Scope;
use crate::options::{Bm25, LengthNorm, Options, Ranker};
use crate::query::Query;

/// Inverse document frequency of a term that occurs in `n` of `n_units` units.
pub fn idf(n: u64, n_units: u64) -> f64 {
    let (n, n_units) = (n as f64, n_units as f64);
    libm::log(1.0 + (n_units - n + 0.5) / (n + 0.5))
}

/// Saturated term frequency: the contribution of a term that occurs `freq` times, as a share of its idf, 0 to 1.
pub fn saturation(freq: f64, relative_length: f64, bm25: &Bm25) -> f64 {
    let (k1, b) = (f64::from(bm25.k1), f64::from(bm25.b));
    let denominator = freq + k1 * (1.0 - b + b * relative_length);
    if denominator > 0.0 { freq / denominator } else { 0.0 }
}

/// True if the scores of a question's words alone are kept, for keyword features: only the ranker for scripts without spaces
/// reads those.
pub fn keeps_word_scores(question: &str) -> bool {
    text::is_mostly_cjk(question)
}

/// Lexical retrieval of a search: the score of every unit, and the best of them.
pub struct LexicalRetriever {
    /// By document, by unit; 0 if no term occurs. Empty for a document that is filtered out.
    scores: Vec<Vec<f32>>,
    /// Scores of the question's words alone, if it asks for a form too and they are kept ([`keeps_word_scores`]); otherwise
    /// `scores` stand for them.
    word_scores: Option<Vec<Vec<f32>>>,
    /// The best candidates, best first.
    pub best: Vec<(f32, (DocumentIdx, ChunkId))>,
    terms: BTreeMap<u8, Vec<QueryTerm>>,
    concepts: BTreeMap<u8, Vec<QueryConcept>>,
    mean_length: f64,
    /// Mean length of a unit's text, in terms.
    pub mean_text_length: f64,
}

/// A term of the query.
pub struct QueryTerm {
    pub text: String,
    /// Occurrences in the query; for the term of a synonym its weight.
    pub n: f64,
    /// For the term of a synonym, the phrase of the query.
    pub instead_of: Option<String>,
    pub doc_freq: u64,
    pub idf: f64,
}

impl QueryTerm {
    fn new(text: &str, n: f64, instead_of: Option<String>) -> Self {
        Self { text: text.to_owned(), n, instead_of, doc_freq: 0, idf: 0.0 }
    }

    /// The terms with the statistics that they have in the index.
    fn with_stats(mut terms: Vec<Self>, index: &Index, stats: &Stats) -> Vec<Self> {
        let texts: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        let found = TermStats::of_all(index, &texts);
        for (term, TermStats { doc_freq }) in terms.iter_mut().zip(found) {
            (term.doc_freq, term.idf) = (doc_freq, idf(doc_freq, stats.n_units));
        }
        terms
    }
}

/// A concept of the thesaurus in the query.
struct QueryConcept {
    /// The phrase of the query, and its terms.
    phrase: String,
    own: Vec<QueryTerm>,
    /// The other members whose every term some unit has, and their terms.
    members: Vec<(String, Vec<QueryTerm>)>,
}

impl LexicalRetriever {
    /// Analyzes the query: its terms and their idf, by analyzer of the documents in scope.
    pub fn new(index: &Index, query: &Query<'_>, options: &Options, scope: &Scope<'_>) -> Self {
        let stats = Stats::of(index);
        let mut retriever = Self {
            scores: Vec::new(),
            word_scores: keeps_word_scores(query.text).then(Vec::new),
            best: Vec::new(),
            terms: BTreeMap::new(),
            concepts: BTreeMap::new(),
            mean_length: stats.mean_length(f64::from(options.bm25.header_weight)).max(f64::MIN_POSITIVE),
            mean_text_length: stats.mean_length(0.0).max(f64::MIN_POSITIVE),
        };
        if matches!(options.ranker, Ranker::Dense) {
            return retriever;
        }
        for (document, entry) in index.iter() {
            if scope.holds_document(document) {
                let analyzer = entry.segment().analyzer();
                retriever
                    .terms
                    .entry(analyzer_key(analyzer))
                    .or_insert_with(|| terms_of(query, analyzer, index, &stats, options));
                retriever
                    .concepts
                    .entry(analyzer_key(analyzer))
                    .or_insert_with(|| concepts_of(query, analyzer, index, &stats));
            }
        }
        retriever
    }

    /// Scores all units in the scope.
    pub fn search(mut self, index: &Index, options: &Options, scope: &Scope<'_>) -> Self {
        if matches!(options.ranker, Ranker::Dense) {
            return self;
        }
        let mut top = TopK::new(options.depth.max(options.k));
        let mut bar = f32::MIN_POSITIVE;
        let asks_form = self.terms.values().flatten().any(|term| text::is_form(&term.text));
        let mut word_scores = self.word_scores.take().filter(|_| asks_form);
        for (document, entry) in index.iter() {
            let segment = entry.segment();
            if !scope.holds_document(document) {
                self.scores.push(Vec::new());
                word_scores.iter_mut().for_each(|scores| scores.push(Vec::new()));
                continue;
            }
            let scores = self.score_units(segment, &options.bm25, &|_| true);
            if let Some(word_scores) = &mut word_scores {
                let is_word = |term: &QueryTerm| !text::is_form(&term.text);
                word_scores.push(self.score_units(segment, &options.bm25, &is_word));
            }
            let holds_all = scope.holds_all_of(document);
            for (&score, &chunk) in scores.iter().zip(segment.units()) {
                if score >= bar && (holds_all || scope.holds(document, chunk)) {
                    top.push(score, (document, chunk));
                    bar = top.worst().unwrap_or(bar);
                }
            }
            self.scores.push(scores);
        }
        self.word_scores = word_scores;
        self.best = top.into_sorted();
        self
    }

    /// Score of a chunk; 0 if it has no term of the query or is no unit.
    pub fn score(&self, segment: &Segment, document: DocumentIdx, chunk: ChunkId) -> f32 {
        segment
            .unit_of(chunk)
            .and_then(|unit| self.scores.get(document.idx())?.get(unit as usize))
            .copied()
            .unwrap_or(0.0)
    }

    /// Score of a unit of a document.
    pub fn unit_score(&self, document: DocumentIdx, unit: u32) -> f32 {
        self.scores.get(document.idx()).and_then(|scores| scores.get(unit as usize)).copied().unwrap_or(0.0)
    }

    /// Score of a chunk by term: the term, its contribution, and a description.
    pub fn parts(&self, segment: &Segment, chunk: ChunkId, bm25: &Bm25) -> Vec<(String, f32, String)> {
        let Some(unit) = segment.unit_of(chunk) else { return Vec::new() };
        let mut parts = Vec::new();
        for term in self.terms_for(segment) {
            let Some(posting) = segment.postings().of(&term.text).in_unit(unit) else { continue };
            let value = self.contribution(term, posting, segment, bm25);
            let how = format!(
                "idf {:.4} (in {} units), {} in text, {} in header{}",
                term.idf,
                term.doc_freq,
                posting.text_freq,
                posting.header_freq,
                match &term.instead_of {
                    Some(phrase) => format!(", for “{phrase}”, weighed {}", term.n),
                    None if term.n > 1.0 => format!(", {} times in the query", term.n),
                    None => String::new(),
                },
            );
            parts.push((term.text.clone(), value as f32, how));
        }
        for concept in self.concepts.get(&analyzer_key(segment.analyzer())).into_iter().flatten() {
            if let Some((value, member)) = self.concept_scores(concept, segment, bm25).get(&unit) {
                let how = format!("for “{}”, as the thesaurus has it", concept.phrase);
                parts.push(((*member).to_owned(), *value as f32, how));
            }
        }
        parts
    }

    /// The terms of the query by this segment's analyzer.
    pub fn terms_for(&self, segment: &Segment) -> &[QueryTerm] {
        self.terms.get(&analyzer_key(segment.analyzer())).map_or(&[], Vec::as_slice)
    }

    /// Score of a unit by the question's words alone, without forms.
    pub fn word_score(&self, document: DocumentIdx, unit: u32) -> f32 {
        let scores = self.word_scores.as_ref().unwrap_or(&self.scores);
        scores.get(document.idx()).and_then(|scores| scores.get(unit as usize)).copied().unwrap_or(0.0)
    }

    fn score_units(&self, segment: &Segment, bm25: &Bm25, counts: &dyn Fn(&QueryTerm) -> bool) -> Vec<f32> {
        let mut sums = vec![0.0_f64; segment.units().len()];
        let terms = || self.terms_for(segment).iter().filter(|term| counts(term));
        let keys: Vec<TermKey<'_>> = terms().map(|term| TermKey::new(&term.text)).collect();
        for (term, list) in terms().zip(segment.postings().lists(&keys)) {
            for posting in list.iter() {
                if let Some(sum) = sums.get_mut(posting.unit as usize) {
                    *sum += self.contribution(term, posting, segment, bm25);
                }
            }
        }
        for concept in self.concepts.get(&analyzer_key(segment.analyzer())).into_iter().flatten() {
            for (unit, (value, _)) in self.concept_scores(concept, segment, bm25) {
                if let Some(sum) = sums.get_mut(unit as usize) {
                    *sum += value;
                }
            }
        }
        sums.into_iter().map(|sum| sum as f32).collect()
    }

    /// Additions of a concept to the scores of a segment's units, above 0, each with the member that makes it.
    fn concept_scores<'a>(
        &self,
        concept: &'a QueryConcept,
        segment: &Segment,
        bm25: &Bm25,
    ) -> BTreeMap<u32, (f64, &'a str)> {
        let mut best: BTreeMap<u32, (f64, &str)> = BTreeMap::new();
        for (member, terms) in &concept.members {
            for (unit, value) in self.phrase_scores(terms, segment, bm25) {
                let known = best.entry(unit).or_insert((0.0, member));
                if value > known.0 {
                    *known = (value, member);
                }
            }
        }
        for term in &concept.own {
            for posting in segment.postings().of(&term.text).iter() {
                if let Some((value, _)) = best.get_mut(&posting.unit) {
                    *value -= self.contribution(term, posting, segment, bm25);
                }
            }
        }
        best.retain(|_, (value, _)| *value > 0.0);
        best
    }

    /// Sums of the terms' contributions, of the units that hold them all.
    fn phrase_scores(&self, terms: &[QueryTerm], segment: &Segment, bm25: &Bm25) -> BTreeMap<u32, f64> {
        let mut terms = terms.iter();
        let Some(first) = terms.next() else { return BTreeMap::new() };
        let scale = (terms.len() as f64 + 1.0).sqrt();
        let of = |term: &QueryTerm, posting: Posting| self.contribution(term, posting, segment, bm25) / scale;
        let first_postings = segment.postings().of(&first.text).iter();
        let mut sums: BTreeMap<u32, f64> =
            first_postings.map(|posting| (posting.unit, of(first, posting))).collect();
        for term in terms {
            let postings = segment.postings().of(&term.text).iter();
            let both = postings.filter_map(|posting| {
                let sum = sums.get(&posting.unit)?;
                Some((posting.unit, sum + of(term, posting)))
            });
            sums = both.collect();
        }
        sums
    }

    /// As [`saturation`], with the division by the mean length taken out of what is done for each posting.
    #[inline]
    fn contribution(&self, term: &QueryTerm, posting: Posting, segment: &Segment, bm25: &Bm25) -> f64 {
        let [k1, b, header] = [bm25.k1, bm25.b, bm25.header_weight].map(f64::from);
        let length = segment.postings().lengths().get(posting.unit as usize);
        let UnitLength { text, header: in_header } = length.copied().or_never("the length of a unit");
        let freq = f64::from(posting.text_freq) + header * f64::from(posting.header_freq);
        let length = f64::from(text) + header * f64::from(in_header);
        let length = match bm25.length {
            LengthNorm::Exact => length,
            LengthNorm::Lucene => f64::from(byte_length(length as u32)),
        };
        let denominator = freq + k1 * (1.0 - b) + k1 * b / self.mean_length * length;
        if denominator > 0.0 { term.n * term.idf * (freq / denominator) } else { 0.0 }
    }
}

fn analyzer_key(kind: AnalyzerKind) -> u8 {
    match kind {
        AnalyzerKind::Default => 0,
        AnalyzerKind::Lucene => 1,
    }
}

/// The distinct terms of a query in order of first occurrence, then those of its synonyms.
fn terms_of(
    query: &Query<'_>,
    kind: AnalyzerKind,
    index: &Index,
    stats: &Stats,
    options: &Options,
) -> Vec<QueryTerm> {
    /// Maximum terms of a query; a longer one is a pasted document.
    const MAX_TERMS: usize = 1024;
    /// Maximum terms of synonyms.
    const MAX_OTHERS: usize = 128;
    let mut terms: Vec<QueryTerm> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let analyzer = Analyzer::new(kind);
    analyzer.analyze_question(query.text, &mut |token| {
        if let Some(term) = seen.get(token.term).and_then(|&at| terms.get_mut(at)) {
            term.n += 1.0;
        } else if terms.len() < MAX_TERMS {
            seen.insert(token.term.to_owned(), terms.len());
            terms.push(QueryTerm::new(token.term, 1.0, None));
        }
    });
    let weight = f64::from(options.expansion_weight);
    let most = terms.len() + MAX_OTHERS;
    let expansions = query.analysis.filter(|_| weight > 0.0).into_iter().flat_map(|read| &read.expansions);
    for expansion in expansions {
        let phrase = query.text.slice(expansion.range.clone());
        analyzer.analyze(&expansion.text, &mut |token| {
            if terms.len() < most && !seen.contains_key(token.term) {
                seen.insert(token.term.to_owned(), terms.len());
                terms.push(QueryTerm::new(token.term, weight, Some(phrase.to_owned())));
            }
        });
    }
    let mut terms = QueryTerm::with_stats(terms, index, stats);
    terms.retain(|term| term.doc_freq > 0);
    // A form alone, without any word, matches nothing useful.
    if terms.iter().all(|term| text::is_form(&term.text)) {
        terms.clear();
    }
    terms
}

/// The concepts of a query whose members occur in the index.
fn concepts_of(query: &Query<'_>, kind: AnalyzerKind, index: &Index, stats: &Stats) -> Vec<QueryConcept> {
    /// Maximum concepts of a query that are looked for; those whose phrases are rarest go first.
    const MAX_CONCEPTS: usize = 3;
    /// Maximum share of the units that hold a phrase. Other names of words that documents use bring as much noise as
    /// passages. Of 332 questions in lay words .446 find a right page with this bound and .419 without a thesaurus
    /// (`ablation.py --questions lay --split dev`, by words, all documents).
    const RARE: f64 = 0.002;
    let analyzer = Analyzer::new(kind);
    let terms = |phrase: &str| -> Vec<QueryTerm> {
        let distinct: BTreeSet<String> = analyzer.terms(phrase).into_iter().collect();
        let terms = distinct.iter().map(|text| QueryTerm::new(text, 1.0, None)).collect();
        QueryTerm::with_stats(terms, index, stats)
    };
    let concepts = query.analysis.into_iter().flat_map(|read| &read.concepts);
    let concept = |concept: &Concept| {
        let phrase = query.text.slice(concept.range.clone());
        let own = terms(phrase);
        let names = |others: &[QueryTerm]| others.iter().map(|term| term.text.clone()).collect::<Vec<_>>();
        let members = concept.members.iter().map(|member| (member.clone(), terms(member)));
        let members = members.filter(|(_, others)| {
            names(others) != names(&own) && !others.is_empty() && others.iter().all(|term| term.doc_freq > 0)
        });
        QueryConcept { phrase: phrase.to_owned(), members: members.collect(), own }
    };
    let doc_freq = |concept: &QueryConcept| concept.own.iter().map(|term| term.doc_freq).min().unwrap_or(0);
    let most = (RARE * stats.n_units as f64) as u64;
    let mut concepts: Vec<QueryConcept> = concepts.map(concept).collect();
    concepts.retain(|concept| doc_freq(concept) <= most && !concept.members.is_empty());
    concepts.sort_by_key(doc_freq);
    concepts.truncate(MAX_CONCEPTS);
    concepts
}

/// Lucene's `SmallFloat.byte4ToInt(intToByte4(length))`: exact for small lengths, else the four highest bits.
fn byte_length(length: u32) -> u32 {
    /// `255 - longToInt4(Integer.MAX_VALUE)`.
    const N_FREE: u32 = 24;
    let Some(above) = length.checked_sub(N_FREE) else { return length };
    let n_bits = 32 - above.leading_zeros();
    let shift = n_bits.saturating_sub(4);
    N_FREE + ((above >> shift) << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_kept_as_lucene_keeps_them() {
        // Values of Lucene's LENGTH_TABLE.
        for (length, kept) in [
            (0, 0),
            (39, 39),
            (40, 40),
            (41, 40),
            (42, 42),
            (56, 56),
            (57, 56),
            (60, 60),
            (100, 96),
            (1000, 984),
        ] {
            assert_eq!(byte_length(length), kept, "{length}");
        }
    }

    #[test]
    fn idf_of_a_rare_term_is_high_and_of_a_common_one_near_zero() {
        assert!((idf(1, 1000) - libm::log(1.0 + 999.5 / 1.5)).abs() < 1e-12);
        assert!(idf(1000, 1000) < 0.001);
    }
}
