//! Supporting provisions of an answer: the provisions that cited statements refer to, and the definitions of their
//! terms, one step away.
//!
//! "Subject to Rule 4.2" needs Rule 4.2. References that limit a statement (*subject to*, *except*, *unless*, 除…外) come
//! first, then means (*in accordance with*, 依照), then the rest. A definition of a common word counts only where the
//! statement prints the term with the capitals of its definition. At most [`MAX_REFERENCES`] and [`MAX_DEFINITIONS`] an
//! answer; text that the answer already quotes is not repeated.
//!
//! Cost: a look-up for each reference and term in the quotations.

use std::collections::BTreeSet;

use document::{
    CrossReference, DefinedTerm, Definition, Document, DocumentIdx, SectionId, Slice as _, TextRange,
};

use crate::answer::{Citation, SupportReason, SupportingProvision};
use crate::corpus::{Corpus, TermUse};

use crate::parse::head;
use crate::passage::{own_words, quoted};

/// Most supporting provisions of an answer.
const MAX_REFERENCES: usize = 3;
/// Most definitions of an answer.
const MAX_DEFINITIONS: usize = 3;
/// Longest quotation, in bytes; a longer provision is cut at the end of a sentence.
const MAX_QUOTE: usize = 700;
/// Bytes before a reference that are read for its kind.
const CUE_REACH: usize = 90;

/// Kind of a reference, limits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ReferenceKind {
    Limit,
    Means,
    Mention,
}

const LIMITS: &[&str] = &[
    "subject to",
    "except",
    "unless",
    "notwithstanding",
    "other than",
    "without prejudice",
    "despite",
    "save ",
    "除",
    "受",
    "但",
];
const MEANS: &[&str] = &[
    "in accordance with",
    "pursuant to",
    "under ",
    "see ",
    "set out in",
    "specified in",
    "referred to in",
    "required by",
    "described in",
    "prescribed by",
    "defined in",
    "meaning of",
    "meaning given",
    "comply with",
    "for the purposes of",
    "依照",
    "按照",
    "根据",
    "依据",
    "参照",
    "适用",
    "违反",
    "符合",
    "本法第",
    "前款",
];

/// The supporting provisions of an answer, in order of the citations: limits, means, other references, definitions.
pub(crate) fn supporting_provisions(
    question: &str,
    citations: &[Citation],
    corpus: &dyn Corpus,
) -> Vec<SupportingProvision> {
    let mut collector = Collector { citations, corpus, seen: BTreeSet::new(), supporting: Vec::new() };
    collector.references();
    collector.definitions(question);
    collector.supporting
}

struct Collector<'a> {
    citations: &'a [Citation],
    corpus: &'a dyn Corpus,
    /// The provisions found so far.
    seen: BTreeSet<(DocumentIdx, TextRange)>,
    supporting: Vec<SupportingProvision>,
}

impl Collector<'_> {
    fn references(&mut self) {
        let mut found: Vec<(ReferenceKind, &Citation, &CrossReference)> = Vec::new();
        for citation in self.citations {
            let Some(source) = self.corpus.document(citation.document) else { continue };
            for range in citation.ranges() {
                let named = references_in(source, range).iter();
                let named = named.filter(|reference| !reference.cite.path.is_empty());
                let role = |reference| (role(source, range, reference), citation, reference);
                found.extend(named.map(role));
            }
        }
        // Stable: within a kind the order of the citations, and of the text.
        found.sort_by_key(|(role, _, _)| *role);
        for (_, citation, reference) in found {
            if self.supporting.len() >= MAX_REFERENCES {
                break;
            }
            self.reference(citation, reference);
        }
    }

    fn reference(&mut self, citation: &Citation, reference: &CrossReference) -> Option<()> {
        let corpus = self.corpus;
        let (document, section) = match reference.target {
            Some(section) => (citation.document, section),
            None => corpus.provision(citation.document, &reference.cite)?,
        };
        let source = corpus.document(document)?;
        let node = source.tree.sections.get(section.idx())?;
        // The root is the whole document, and the statement's own section is known to its reader.
        let holds = document == citation.document && node.range.contains(citation.range);
        if node.level == 0 || holds {
            return None;
        }
        let range = start_of(source, node.range);
        let from = self.corpus.document(citation.document)?;
        let label = from.layout.slice(reference.range).trim().to_owned();
        self.push(citation.id, SupportReason::Reference { label }, document, section, range)
    }

    fn definitions(&mut self, question: &str) {
        let asked: BTreeSet<String> =
            self.corpus.terms(question).into_iter().map(|term| term.term.to_lowercase()).collect();
        let mut found: Vec<(bool, &Citation, TermUse)> = Vec::new();
        for citation in self.citations {
            // A quotation that was not found has no document.
            let is_found = !citation.range.is_empty();
            for term in self.corpus.terms(&citation.quote).into_iter().filter(|_| is_found) {
                let is_asked = asked.contains(&term.term.to_lowercase());
                let printed = citation.quote.slice(term.range.clone());
                if is_meant(printed, &term.term) {
                    found.push((!is_asked, citation, term));
                }
            }
        }
        found.sort_by_key(|(is_other, _, _)| *is_other);
        let mut explained: BTreeSet<String> = BTreeSet::new();
        for (_, citation, term) in found {
            if explained.len() >= MAX_DEFINITIONS {
                break;
            }
            let name = term.term.to_lowercase();
            if !explained.contains(&name) && self.definition(citation, &term).is_some() {
                explained.insert(name);
            }
        }
    }

    fn definition(&mut self, citation: &Citation, term: &TermUse) -> Option<()> {
        let own = |definition: &&Definition| definition.document == citation.document;
        let own = term.definitions.iter().find(own);
        // Another document's definition of a word without capitals does not apply.
        let definition = own.or_else(|| term.definitions.first().filter(|_| is_set_apart(&term.term)))?;
        let source = self.corpus.document(definition.document)?;
        let defined = |known: &&DefinedTerm| known.meaning == definition.meaning && known.term == term.term;
        let range = match source.tree.terms.iter().find(defined) {
            Some(known) => cover(known.range, definition.meaning),
            None => definition.meaning,
        };
        let range = start_of(source, whole_sentences(source, range));
        let why = SupportReason::Definition { term: term.term.clone() };
        self.push(citation.id, why, definition.document, definition.section, range)
    }

    /// Adds a provision unless the answer quotes it already.
    fn push(
        &mut self,
        citation: u32,
        why: SupportReason,
        document: DocumentIdx,
        section: SectionId,
        range: TextRange,
    ) -> Option<()> {
        let quotes = |citation: &Citation| {
            citation.document == document && citation.ranges().any(|quoted| quoted.contains(range))
        };
        let source = self.corpus.document(document)?;
        let ranges = own_words(source, range);
        let quote = quoted(source, &ranges);
        if quote.is_empty() || self.citations.iter().any(quotes) || !self.seen.insert((document, range)) {
            return None;
        }
        let legal_status = source.tree.legal_status(section);
        self.supporting.push(SupportingProvision {
            citation,
            why,
            document,
            section,
            ranges,
            quote,
            legal_status,
        });
        Some(())
    }
}

/// The references printed in a range.
fn references_in(source: &Document, range: TextRange) -> &[CrossReference] {
    let references = &source.tree.references;
    let start = references.partition_point(|reference| reference.range.start < range.start);
    let end = references.partition_point(|reference| reference.range.start < range.end).max(start);
    references.slice(start..end)
}

/// The kind of a reference by the words before it; the nearest decides.
fn role(source: &Document, statement: TextRange, reference: &CrossReference) -> ReferenceKind {
    let before = TextRange { start: statement.start, end: reference.range.start.max(statement.start) };
    let text = source.layout.slice(before);
    // Words of an earlier sentence belong to an earlier reference.
    let text = text::sentences(text).pop().map_or("", |last| text.slice(last.start..));
    let start = text.ceil_char_boundary(text.len().saturating_sub(CUE_REACH));
    let text = text.slice(start..).to_lowercase();
    let last = |cues: &[&str]| cues.iter().filter_map(|cue| text.rfind(cue)).max();
    match (last(LIMITS), last(MEANS)) {
        (Some(limit), Some(means)) if limit + CUE_REACH / 3 < means => ReferenceKind::Means,
        (Some(_), _) => ReferenceKind::Limit,
        (None, Some(_)) => ReferenceKind::Means,
        (None, None) => ReferenceKind::Mention,
    }
}

/// True if a statement uses a term as defined, with the same capitals. A single word without capitals, or a single
/// character, is common speech.
fn is_meant(printed: &str, term: &str) -> bool {
    let n_han = term.chars().filter(|&c| text::is_cjk(c)).count();
    if n_han > 0 {
        return n_han >= 2;
    }
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    if !term.split_whitespace().any(capital) {
        return term.split_whitespace().nth(1).is_some();
    }
    let small = ["of", "and", "or", "the", "in", "for", "to", "a", "an", "by", "on"];
    printed.split_whitespace().filter(|word| !small.contains(&word.to_lowercase().as_str())).all(capital)
}

/// True if a term is distinctive: with capitals, or Han.
fn is_set_apart(term: &str) -> bool {
    term.chars().any(|c| c.is_uppercase() || text::is_cjk(c))
}

/// A prefix of at most [`MAX_QUOTE`] bytes: whole sentences, or the start of the first.
fn start_of(source: &Document, range: TextRange) -> TextRange {
    let slice = source.layout.slice(range);
    if slice.len() <= MAX_QUOTE {
        return range;
    }
    let head = head(slice, MAX_QUOTE);
    // The last sentence of the prefix is incomplete.
    let sentences = text::sentences(head);
    let whole = sentences.len().checked_sub(2).and_then(|at| sentences.get(at)).map(|sentence| sentence.end);
    let at_space = || head.rfind(char::is_whitespace).filter(|&at| at > MAX_QUOTE / 2);
    let end = whole.filter(|&end| end > MAX_QUOTE / 4).or_else(at_space).unwrap_or(head.len());
    TextRange::new(range.start as usize, range.start as usize + end)
}

fn cover(a: TextRange, b: TextRange) -> TextRange {
    TextRange { start: a.start.min(b.start), end: a.end.max(b.end) }
}

/// A range extended to whole sentences, within its block.
fn whole_sentences(source: &Document, range: TextRange) -> TextRange {
    let blocks = &source.layout.blocks;
    let at = blocks.partition_point(|block| block.range.end <= range.start);
    let Some(block) = blocks.get(at).filter(|block| block.range.contains(range)) else { return range };
    let start = block.range.start as usize;
    let mut whole = range;
    for sentence in text::sentences(source.layout.slice(block.range)) {
        let sentence = TextRange::new(start + sentence.start, start + sentence.end);
        if sentence.intersect(range).is_some() {
            whole = cover(whole, sentence);
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use document::{LegalStatus, Withdrawn};

    use super::*;
    use crate::fixture::{Library, cite, define, document, refer};

    fn labels(supporting: &[SupportingProvision]) -> Vec<&str> {
        supporting
            .iter()
            .map(|one| match &one.why {
                SupportReason::Reference { label } => label.as_str(),
                SupportReason::Definition { term } => term.as_str(),
            })
            .collect()
    }

    #[test]
    fn a_provision_that_limits_a_statement_is_shown_with_its_words() {
        let statement = "Subject to Rule 4.3, a broker must keep records as Rule 4.4 says.";
        let exempt = "Rule 4.1 does not apply to a broker without clients.";
        let mut rules = document(
            "Rules",
            &[("rule 4.1", statement), ("rule 4.3", exempt), ("rule 4.4", "Records are kept on paper.")],
        );
        refer(&mut rules, "Rule 4.3", "rule 4.3");
        refer(&mut rules, "Rule 4.4", "rule 4.4");
        let library = Library::new(vec![rules]);
        let supporting =
            supporting_provisions("What must a broker keep?", &[cite(&library, 0, 1, statement)], &library);
        assert_eq!(labels(&supporting), ["Rule 4.3", "Rule 4.4"]);
        assert_eq!(
            (supporting[0].citation, supporting[0].section, supporting[0].quote.as_str()),
            (1, SectionId(2), exempt)
        );
    }

    #[test]
    fn limits_come_before_means_and_no_more_than_three_are_followed() {
        let statement = "In accordance with Rule 2, see Rule 3, and as Rule 4 says, a firm reports. \
                         It need not do so subject to Rule 5.";
        let others = [("rule 2", "Two."), ("rule 3", "Three."), ("rule 4", "Four."), ("rule 5", "Five.")];
        let mut rules = document("Rules", &[&[("rule 1", statement)][..], &others].concat());
        for (printed, key) in
            [("Rule 2", "rule 2"), ("Rule 3", "rule 3"), ("Rule 4", "rule 4"), ("Rule 5", "rule 5")]
        {
            refer(&mut rules, printed, key);
        }
        let library = Library::new(vec![rules]);
        let supporting = supporting_provisions("Who reports?", &[cite(&library, 0, 1, statement)], &library);
        assert_eq!(labels(&supporting), ["Rule 5", "Rule 2", "Rule 3"]);
    }

    #[test]
    fn a_reference_to_another_document_is_followed_there_and_its_standing_is_said() {
        let statement = "A firm reports pursuant to section 9.";
        let mut rules = document("Rules", &[("rule 1", statement)]);
        refer(&mut rules, "section 9", "section 9");
        let mut act = document("Act", &[("section 9", "Reports are made each year.")]);
        act.tree.withdrawn.push(Withdrawn { section: SectionId(1), legal_status: LegalStatus::Repealed });
        let library = Library::new(vec![rules, act]);
        let supporting = supporting_provisions("Who reports?", &[cite(&library, 0, 1, statement)], &library);
        assert_eq!(
            (supporting[0].document, supporting[0].legal_status),
            (DocumentIdx(1), Some(LegalStatus::Repealed))
        );
    }

    #[test]
    fn what_holds_the_statement_or_is_quoted_already_is_not_followed() {
        let statement = "Under Rule 1 a firm reports, subject to Rule 2.";
        let mut rules =
            document("Rules", &[("rule 1", statement), ("rule 2", "Small firms need not report.")]);
        refer(&mut rules, "Rule 1", "rule 1");
        refer(&mut rules, "Rule 2", "rule 2");
        let library = Library::new(vec![rules]);
        let other = Citation { id: 2, ..cite(&library, 0, 2, "Small firms need not report.") };
        assert_eq!(
            supporting_provisions("Who reports?", &[cite(&library, 0, 1, statement), other], &library),
            []
        );
    }

    #[test]
    fn a_defined_term_is_explained_where_it_is_printed_as_defined() {
        let mut rules = document(
            "Rules",
            &[
                ("rule 1", "A Client is told of each Business Day on which a client complains."),
                ("rule 2", "\"Client\" means a person to whom services are given."),
                ("rule 3", "\"Business Day\" means a day on which banks are open. Banks are open often."),
            ],
        );
        define(&mut rules, "Client\"", "a person to whom services are given");
        define(&mut rules, "Business Day\"", "a day on which banks are open");
        for term in &mut rules.tree.terms {
            term.term = term.term.replace('"', "");
        }
        let library = Library::new(vec![rules]);
        let statement = "A Client is told of each Business Day on which a client complains.";
        let citations = [cite(&library, 0, 1, statement)];
        let supporting =
            supporting_provisions("What is a Business Day for a complaint?", &citations, &library);
        assert_eq!(labels(&supporting), ["Business Day", "Client"], "terms of the question first");
        assert_eq!(supporting[0].quote, "\"Business Day\" means a day on which banks are open.");
        let lower = [cite(&library, 0, 1, "client complains")];
        assert_eq!(
            supporting_provisions("Who complains?", &lower, &library),
            [],
            "a common word is not the term"
        );
    }

    #[test]
    fn the_definition_of_the_same_document_goes_first_and_common_words_of_others_are_left() {
        let own = ("rule 2", "Fund means a pot of money.");
        let mut rules = document("Rules", &[("rule 1", "A Fund reports to the holder of units."), own]);
        define(&mut rules, "Fund means", "a pot of money");
        let mut glossary =
            document("Glossary", &[("1", "Fund means anything."), ("2", "holder of units means a person.")]);
        define(&mut glossary, "Fund means", "anything");
        define(&mut glossary, "holder of units means", "a person");
        for document in [&mut rules, &mut glossary] {
            for term in &mut document.tree.terms {
                term.term = term.term.replace(" means", "");
            }
        }
        let library = Library::new(vec![glossary, rules]);
        let citations = [cite(&library, 1, 1, "A Fund reports to the holder of units.")];
        let supporting = supporting_provisions("Who reports?", &citations, &library);
        assert_eq!(labels(&supporting), ["Fund"]);
        assert_eq!(supporting[0].quote, "Fund means a pot of money.");
    }

    #[test]
    fn chinese_references_and_terms_are_followed() {
        let statement = "除第六条规定外，关联交易应当依照第七条披露。";
        let mut law = document(
            "公司办法",
            &[
                ("条 5", statement),
                ("条 6", "小额交易不适用本办法。"),
                ("条 7", "披露应当采用书面形式。"),
                ("条 8", "本办法所称关联交易，是指与关联人之间的交易。"),
            ],
        );
        refer(&mut law, "第六条", "条 6");
        refer(&mut law, "第七条", "条 7");
        define(&mut law, "关联交易，是指", "与关联人之间的交易");
        law.tree.terms[0].term = "关联交易".to_owned();
        let library = Library::new(vec![law]);
        let supporting =
            supporting_provisions("关联交易如何披露？", &[cite(&library, 0, 1, statement)], &library);
        assert_eq!(labels(&supporting), ["第六条", "第七条", "关联交易"]);
        assert_eq!(supporting[2].quote, "本办法所称关联交易，是指与关联人之间的交易。");
    }

    #[test]
    fn a_long_provision_is_cut_at_the_end_of_a_sentence() {
        let long = "A firm keeps its papers in order. ".repeat(60);
        let statement = "A firm reports under Rule 2.";
        let mut rules = document("Rules", &[("rule 1", statement), ("rule 2", long.trim())]);
        refer(&mut rules, "Rule 2", "rule 2");
        let library = Library::new(vec![rules]);
        let supporting = supporting_provisions("Who reports?", &[cite(&library, 0, 1, statement)], &library);
        assert!(
            supporting[0].quote.len() <= MAX_QUOTE && supporting[0].quote.ends_with("in order."),
            "{supporting:?}"
        );
    }
}
