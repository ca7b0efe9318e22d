//! Figures, modals and negations that a sentence of an answer states and its cited sources do not.
//!
//! A figure must stand in a cited source. A modal or a negation must too, and must agree with the source's sentence on
//! the same subject, if there is one. An item of a list has the modals of the sentence that introduces it. Words outside
//! quotations only, but for a quotation that leaves out a "not".

use std::collections::BTreeSet;
use std::ops::Range;

use document::Slice as _;
use text::wording::list_marker;

use crate::figures::{FigureSet, figures};
use crate::marks::{CitationMark, marks_in};
use crate::modals::{Modal, begins_denied, excludes, implied_kinds, modal_kinds, modals, negations};
use crate::quotes::QuotedSpan;
use crate::report::{CheckedSentence, Quotation, SourceRange, Status, UnsupportedKind, UnsupportedSpan};
use crate::sentences::is_list_item;
use crate::silence::is_silence;
use crate::source_index::SourceIndex;
use crate::supporting::SentenceIndex;

/// Facts of a source that support claims.
#[derive(Debug)]
pub(crate) struct SourceFacts {
    pub(crate) sentences: SentenceIndex,
    figures: FigureSet,
    modals: BTreeSet<Modal>,
    has_negation: bool,
}

impl SourceFacts {
    /// Reads a source. Its context supports figures only.
    pub(crate) fn new(text: &str, context: &str) -> Self {
        let mut figures = FigureSet::default();
        figures.add(text);
        figures.add(context);
        Self {
            sentences: SentenceIndex::new(text),
            figures,
            modals: modal_kinds(text),
            has_negation: denies(text),
        }
    }
}

/// Claims of a sentence and the sources it cites.
pub(crate) struct Claims<'c> {
    /// The sentence.
    pub(crate) sentence: &'c str,
    /// The model's own words of the sentence, the rest blanked: as many bytes as the sentence.
    pub(crate) own_words: &'c str,
    /// The cited sources.
    pub(crate) sources: &'c [&'c SourceFacts],
    /// Sentences of the sources that the sentence may speak of: the most similar ones, and those that it quotes from.
    pub(crate) near: &'c [NearSentence<'c>],
}

/// Sentence of a source.
pub(crate) struct NearSentence<'c> {
    pub(crate) text: &'c str,
    /// Sentence that introduces the list of which this one is an item.
    pub(crate) lead_in: Option<&'c str>,
    /// True if it is what the sentence speaks of: on the same subject, or quoted.
    pub(crate) is_meant: bool,
    /// True if the sentence restates it.
    pub(crate) is_paraphrase: bool,
}

impl NearSentence<'_> {
    /// Its modals, those of its lead-in included: "must: (a) not disclose" prohibits.
    fn modals(&self) -> BTreeSet<Modal> {
        let mut kinds = self.lead_in.map(modal_kinds).unwrap_or_default();
        let item = self.text.trim_start();
        let item = item.strip_prefix(list_marker(item).unwrap_or_default()).unwrap_or(item);
        if begins_denied(item) && kinds.remove(&Modal::Obligation) {
            kinds.insert(Modal::Prohibition);
        }
        kinds.extend(modal_kinds(self.text));
        kinds
    }

    /// Modals that it and its lead-in imply.
    fn implied(&self) -> BTreeSet<Modal> {
        let mut kinds = implied_kinds(self.text);
        kinds.extend(self.lead_in.map(implied_kinds).unwrap_or_default());
        kinds
    }

    /// True if it or its lead-in denies or excludes something.
    fn denies(&self) -> bool {
        denies(self.text) || self.lead_in.is_some_and(denies)
    }
}

impl Claims<'_> {
    /// Words that the sources do not support, in bytes of the sentence.
    pub(crate) fn unsupported(&self) -> Vec<UnsupportedSpan> {
        let mut spans = self.unsupported_figures();
        spans.extend(self.unsupported_modals());
        spans.extend(self.unsupported_negation());
        spans
    }

    fn unsupported_figures(&self) -> Vec<UnsupportedSpan> {
        figures(self.own_words)
            .into_iter()
            .filter(|figure| !figure.is_word)
            .filter(|figure| {
                let has = |facts: &&SourceFacts| {
                    facts.figures.supports(figure) || facts.figures.holds_in_units(figure)
                };
                !self.sources.iter().any(has)
            })
            .map(|figure| UnsupportedSpan { range: figure.range, kind: figure.kind })
            .collect()
    }

    /// Modals that no source has, or that the sentences which are meant do not have: that of a neighbouring sentence is no
    /// support. Where these have none, words that imply one are support.
    fn unsupported_modals(&self) -> impl Iterator<Item = UnsupportedSpan> {
        let is_any_meant = self.near.iter().any(|near| near.is_meant);
        let near = || self.near.iter().filter(|near| near.is_meant || !is_any_meant);
        let stated: BTreeSet<Modal> = near().flat_map(NearSentence::modals).collect();
        let implied: BTreeSet<Modal> = near().flat_map(NearSentence::implied).collect();
        // A sentence that joins two provisions has the modals of the one that is meant, and others from elsewhere.
        let all = modal_kinds(self.sentence);
        let keeps_meant = !is_any_meant || stated.iter().all(|modal| all.contains(modal));
        modals(self.own_words).into_iter().filter_map(move |(modal, range)| {
            let is_in_source = self.sources.iter().any(|source| source.modals.contains(&modal));
            let is_implied = stated.is_empty() && implied.contains(&modal);
            // "Can" says what is possible as often as what is allowed.
            let is_ability = self.own_words.slice(range.clone()).eq_ignore_ascii_case("can")
                && modal == Modal::Permission
                && stated.is_empty()
                && !implied.contains(&Modal::Prohibition);
            let is_supported =
                stated.contains(&modal) || is_implied || is_ability || keeps_meant && is_in_source;
            (!is_supported).then_some(UnsupportedSpan { range, kind: UnsupportedKind::Modal })
        })
    }

    /// The first negation if the sources have none, or the whole sentence if it drops theirs.
    fn unsupported_negation(&self) -> Option<UnsupportedSpan> {
        let paraphrases = || self.near.iter().filter(|near| near.is_paraphrase);
        let is_paraphrase = paraphrases().next().is_some();
        let mut own = negations(self.own_words);
        let n_own = own.len();
        own.retain(|denial| !is_silence(self.own_words, denial));
        let range = match own.first() {
            Some(first) => {
                let is_in_source = self.sources.iter().any(|source| source.has_negation);
                let is_added = is_paraphrase && !paraphrases().any(NearSentence::denies);
                (!is_in_source || is_added).then(|| first.clone())?
            }
            None if n_own == 0
                && is_paraphrase
                && paraphrases().all(|near| !negations(near.text).is_empty()) =>
            {
                0..self.sentence.trim_end().len()
            }
            None => return None,
        };
        Some(UnsupportedSpan { range, kind: UnsupportedKind::Negation })
    }
}

/// True if a text denies or excludes something.
fn denies(text: &str) -> bool {
    !negations(text).is_empty() || excludes(text)
}

/// The model's own words of a sentence: without citation marks, the number of a list item, and quotations that stand in
/// a source. What is left out becomes spaces, so that bytes stay in place.
pub(crate) fn own_words(
    answer: &str,
    checked: &CheckedSentence,
    marks: &[CitationMark],
    spans: &[&QuotedSpan],
) -> String {
    let range = &checked.range;
    let sentence = answer.slice(range.clone());
    let stands = |status| matches!(status, Status::Verified | Status::Repaired | Status::Misattributed);
    let quoted = checked
        .quotations
        .iter()
        .zip(spans)
        .filter(|(quotation, _)| stands(quotation.status) && !quotation.is_term)
        .map(|(_, span)| span.outer.clone());
    let marks = marks_in(marks, range).iter().map(|mark| mark.range.clone());
    let item_number = range.start..range.start + item_number_len(sentence);
    blanked(answer, range, marks.chain(quoted).chain([item_number]))
}

/// A sentence with its citation marks blanked.
pub(crate) fn without_marks(answer: &str, range: &Range<usize>, marks: &[CitationMark]) -> String {
    blanked(answer, range, marks_in(marks, range).iter().map(|mark| mark.range.clone()))
}

/// Length in bytes of the number or bullet of a list item.
fn item_number_len(sentence: &str) -> usize {
    if !is_list_item(sentence) {
        return 0;
    }
    let text = sentence.trim_start();
    let first_word = text.find(char::is_whitespace).unwrap_or(0);
    // Chinese numbers of a list stand without a space.
    let marker = text::wording::list_marker(text).map_or(first_word, str::len);
    sentence.len() - text.len() + marker
}

/// A range of a text with some of its ranges replaced by spaces.
fn blanked(text: &str, range: &Range<usize>, holes: impl Iterator<Item = Range<usize>>) -> String {
    let mut holes: Vec<Range<usize>> = holes.collect();
    holes.sort_by_key(|hole| hole.start);
    let mut out = String::with_capacity(range.len());
    let mut at = range.start;
    for hole in holes {
        let (start, end) = (hole.start.clamp(at, range.end), hole.end.clamp(at, range.end));
        out.push_str(text.slice(at..start));
        out.push_str(&" ".repeat(end - start));
        at = end;
    }
    out.push_str(text.slice(at..range.end));
    out
}

/// True if a quotation leaves out a negation: in the gap between its parts, or right before or behind it.
pub(crate) fn hides_negation(index: &SourceIndex<'_>, quotation: &Quotation) -> bool {
    let mut gaps = quotation.found.windows(2);
    let skips = quotation.status == Status::Stitched
        && gaps.any(|pair| matches!(pair, [last, next] if has_negation_between(index, last, next)));
    skips || quotation.found.iter().any(|found| has_negation_beside(index, found))
}

/// True if a negation stands in the short gap between two ranges of one source.
fn has_negation_between(index: &SourceIndex<'_>, last: &SourceRange, next: &SourceRange) -> bool {
    /// Maximum length of a gap within one provision, in bytes.
    const MAX_GAP: usize = 300;
    let gap = last.range.end as usize..next.range.start as usize;
    let source = index.source(last.source).filter(|_| last.source == next.source);
    let gap = source.and_then(|source| source.text.get(gap));
    gap.is_some_and(|gap| gap.len() <= MAX_GAP && !negations(gap).is_empty())
}

/// True if a range begins right behind a negation of its source, or ends right before one.
fn has_negation_beside(index: &SourceIndex<'_>, found: &SourceRange) -> bool {
    let Some(source) = index.source(found.source) else { return false };
    let is_negation = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        matches!(word.as_str(), "not" | "never" | "no" | "nor" | "neither" | "cannot")
    };
    let range = found.range.to_usize();
    let before = source.text.slice(..range.start);
    let after = source.text.slice(range.end..);
    let last = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    let first = after.trim_start().split(char::is_whitespace).next().unwrap_or_default();
    // A full stop between separates them.
    let is_closed = source.text.get(range).is_some_and(|text| text.ends_with(['.', ';', '。', '；']));
    is_negation(last) && !last.ends_with(['.', ';'])
        || is_negation(first) && !is_closed && !after.starts_with(['.', ';'])
        || !is_closed && after.starts_with(['不', '未'])
}

#[cfg(test)]
mod tests {
    use crate::{SourceText, UnsupportedKind, check};

    const LEASE: &str = "The lender may at its cost, though not by post, serve the notice here. The agent serves it on the \
                         next day and files a copy of the letter.";
    const PLAIN: &str =
        "The agent files a copy of each letter within 10 days. It serves the notice on the borrower.";
    const STATUTE: &str = "董事会应当在十日内向股东报告。未经批准，不得转让股份。";

    /// Marked words of an answer to one source.
    fn marked<'a>(source: &str, answer: &'a str) -> Vec<(UnsupportedKind, &'a str)> {
        let checked = check(answer, &[SourceText { id: 1, text: source, context: "" }]);
        let spans = checked.iter().flat_map(|checked| &checked.unsupported);
        spans.map(|span| (span.kind, &answer[span.range.clone()])).collect()
    }

    #[test]
    fn a_denial_is_marked_where_no_cited_source_denies() {
        use UnsupportedKind::Negation;
        assert_eq!(marked(PLAIN, "The trustee has not resigned [P1]."), [(Negation, "not")]);
        assert_eq!(
            marked(PLAIN, "The agent never files a copy of each letter within 10 days [P1]."),
            [(Negation, "never")]
        );
        assert_eq!(marked(LEASE, "The trustee has not resigned [P1]."), [], "that source has a denial");
    }

    #[test]
    fn what_the_source_leaves_out_or_excludes_is_no_denial_that_it_lacks() {
        assert_eq!(marked(PLAIN, "The passages name no trustee [P1]."), []);
        assert_eq!(marked(PLAIN, "No: the agent files a copy of each letter within 10 days [P1]."), []);
        let except = "The agent may publish a notice other than a warning notice at its discretion.";
        assert_eq!(
            marked(except, "The agent may not publish a warning notice [P1].").len(),
            1,
            "another modal"
        );
        assert_eq!(marked(except, "The discretion to publish does not extend to a warning notice [P1]."), []);
    }

    #[test]
    fn an_item_of_a_list_has_the_modals_of_what_introduces_it() {
        use UnsupportedKind::Modal;
        let list = "The lender may publish rates. A bank must:\n(a) keep a register of all members;\n(b) not sell the register \
                    of its members.";
        assert_eq!(marked(list, "A bank must keep a register of all members [P1]."), []);
        assert_eq!(marked(list, "A bank must not sell the register of its members [P1]."), []);
        assert_eq!(marked(list, "A bank may keep a register of all members [P1]."), [(Modal, "may")]);
        let loose = list.replace("must:", "must act.");
        assert_eq!(marked(&loose, "A bank may keep a register of all members [P1]."), []);
    }

    #[test]
    fn items_of_one_list_do_not_introduce_each_other() {
        use UnsupportedKind::Modal;
        let list = "3. A bank may:\n(a) publish rates;\n(b) lend money.\n4. A bank must keep a register of all members.";
        assert_eq!(marked(list, "A bank may keep a register of all members [P1]."), [(Modal, "may")]);
        let nested = "A bank must:\n(a) publish rates, of which it may:\n(i) round each of them;\n(b) keep a register of all members.";
        assert_eq!(marked(nested, "A bank may keep a register of all members [P1]."), [(Modal, "may")]);
        assert_eq!(marked(nested, "A bank may round each of the rates it has to publish [P1]."), []);
        let inner = "A bank must:\n(a) report each account that is not closed to the regulator.";
        let turned = "A bank must not report each account that is closed to the regulator [P1].";
        assert_eq!(marked(inner, turned), [(Modal, "must not")], "the item does not begin with its denial");
    }

    #[test]
    fn a_defined_term_in_quotation_marks_or_a_second_citation_supports_no_modal() {
        use UnsupportedKind::Modal;
        let two = "The bank may publish rates. A bank must keep a register of all members.";
        assert_eq!(marked(two, "A “bank” may keep a register of all members [P1]."), [(Modal, "may")]);
        assert_eq!(
            marked(two, "A bank may “keep a register of all members” [P1]."),
            [(Modal, "may")],
            "the sentence that is quoted says must"
        );
        let sources = [
            SourceText { id: 1, text: "A bank must keep a register of all members.", context: "" },
            SourceText { id: 2, text: "A bank may publish its register each year.", context: "" },
        ];
        let checked = check("A bank may keep a register of all members [P1][P2].", &sources);
        assert_eq!(checked[0].unsupported.len(), 1, "{checked:?}");
    }

    #[test]
    fn words_that_imply_a_modal_support_it_where_none_stands_beside_them() {
        use UnsupportedKind::Modal;
        let plain = "The rule requires a bank to keep a register of all members.";
        assert_eq!(marked(plain, "A bank must keep a register of all members [P1]."), []);
        assert_eq!(marked(plain, "A bank may keep a register of all members [P1]."), [(Modal, "may")]);
        let other = "As the rule requires, a bank may keep a register of all members.";
        assert_eq!(marked(other, "A bank must keep a register of all members [P1]."), [(Modal, "must")]);
        let will = "The Borrower will not use the loan to purchase capital stock of a bank.";
        assert_eq!(marked(will, "The loan must not be used to “purchase capital stock of a bank” [P1]."), []);
        let turned = marked(will, "The loan can be used to purchase capital stock of a bank [P1].");
        assert!(turned.contains(&(Modal, "can")), "{turned:?}");
        let none = "The Bank has no right to sell the shares.";
        assert_eq!(marked(none, "The Bank may sell the shares [P1]."), [(Modal, "may")]);
    }

    #[test]
    fn a_sentence_that_joins_two_provisions_may_have_the_modals_of_both() {
        use UnsupportedKind::Modal;
        let two = "A bank must keep a register of all members. The auditor of the bank may read letters.";
        let joined = "A bank must keep a register of all members, which its auditor may see [P1].";
        assert_eq!(marked(two, joined), []);
        let alone = "A bank may keep a register of all members [P1].";
        assert_eq!(marked(two, alone), [(Modal, "may")]);
    }

    #[test]
    fn can_is_a_modal_where_the_source_speaks_of_what_is_allowed() {
        use UnsupportedKind::Modal;
        assert_eq!(marked(PLAIN, "The borrower can read each letter [P1]."), []);
        assert_eq!(marked(LEASE, "No member can inspect the register [P1]."), [(Modal, "can")]);
        let ban = "A bank must not sell the register of its members.";
        assert!(marked(ban, "A bank can sell the register of its members [P1].").contains(&(Modal, "can")));
    }

    #[test]
    fn a_quotation_that_stands_nowhere_counts_as_the_answers_own_words() {
        use UnsupportedKind::Number;
        assert_eq!(marked(PLAIN, "“files a copy within 99 working days” [P1]"), [(Number, "99")]);
        assert_eq!(marked(PLAIN, "“files a copy of each letter within 10 days” [P1]"), []);
    }

    #[test]
    fn a_denial_between_the_parts_of_a_quotation_is_marked_within_three_hundred_bytes() {
        use UnsupportedKind::Negation;
        let answer = "“The lender may … serve the notice here” [P1]";
        let quoted = "The lender may … serve the notice here";
        assert_eq!(marked(LEASE, answer), [(Negation, quoted)]);
        assert_eq!(marked(&LEASE.replace("not", "always"), answer), []);
        let far = LEASE.replace("though not", &format!("though not {}", "in the way of old ".repeat(17)));
        assert_eq!(marked(&far, answer), [], "{} bytes", far.len() - LEASE.len());
        assert_eq!(marked(LEASE, "“The lender may at its cost” [P1]"), []);
    }

    #[test]
    fn a_denial_right_beside_a_quotation_is_marked_unless_a_stop_is_between() {
        use UnsupportedKind::Negation;
        for (source, answer, expected) in [
            (LEASE, "“by post, serve the notice here” [P1]", Some("by post, serve the notice here")),
            (LEASE, "“may at its cost, though” [P1]", Some("may at its cost, though")),
            (LEASE, "“serve the notice here.” [P1]", None),
            ("股东会作出的决议不得撤销。", "“股东会作出的决议”[P1]", Some("股东会作出的决议")),
            ("股东会作出了决议。不得撤销。", "“股东会作出了决议。”[P1]", None),
            (STATUTE, "“董事会应当在十日内向股东报告。”[P1]", None),
            (STATUTE, "“董事会应当在十日内向股东报告”[P1]", None),
            ("The agent must act. Not all of it is so.", "“The agent must act.” [P1]", None),
        ] {
            let expected: Vec<_> = expected.map(|words| (Negation, words)).into_iter().collect();
            assert_eq!(marked(source, answer), expected, "{answer}");
        }
    }
}
