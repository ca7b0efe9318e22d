//! Quotation checking: every quotation of an answer is looked up, word for word, in the sources that the answer cites.
//!
//! An answer is text with citation marks such as `[P2]`; the sources are the passages that its author was given.
//! [`check`] cuts the answer into sentences and reports on each one: the status of its quotations, where in the sources
//! the words stand, and which figures, modals and negations the cited sources do not support. [`locate()`] finds one
//! quotation in one text. [`QuotationFinder`] looks up quotations that stand outside an answer.
//!
//! ```
//! use citations::{SourceText, Status, check};
//!
//! let text = "A firm must notify the Authority within 10 days. It may appeal.";
//! let sources = [SourceText { id: 1, text, context: "Rulebook, Rule 3.2" }];
//! let answer = "A firm “must notify the Authority” [P1]. It has 12 days to do so [P1].";
//! let checked = check(answer, &sources);
//!
//! let quotation = &checked[0].quotations[0];
//! assert_eq!(quotation.status, Status::Verified);
//! assert_eq!(&text[quotation.found[0].range.to_usize()], "must notify the Authority");
//!
//! assert_eq!(checked[1].status(), Some(Status::Cited));
//! assert_eq!(&answer[checked[1].unsupported[0].range.clone()], "12");
//! ```
//!
//! # Contract
//!
//! | Status | Promise | Not promised |
//! |---|---|---|
//! | [`Verified`](Status::Verified) | The words stand in a cited source (in any source, if the sentence cites none) as one range, which begins and ends between words. Letters, their case, digits, punctuation and order are those of the source; see *Comparison*. | That the source is in force, that the context does not qualify it, that the sentence around the quotation is right. |
//! | [`Ocr`](Status::Ocr) | As verified, in text that was recognised in the image of a scan. | That the image shows these words. |
//! | [`Tracked`](Status::Tracked) | As verified, in a Word file with its changes accepted; a pending insertion or deletion touches the words. | That the change is agreed. |
//! | [`Differs`](Status::Differs) | As verified, in text for which the file claims other letters or digits than its fonts draw. Where the drawn ones are known, the text has those. | That either is right. |
//! | [`Cited`](Status::Cited) | The cited source exists. [`CheckedSentence::support`] is its most similar sentence. | That the source says so. |
//! | [`Repaired`](Status::Repaired) | The words differ from one clear range of a cited source by a small edit: one word in eight, at most eight. [`Quotation::source_words`] is the source's wording. No figure, modal, negation, quantifier, connective, limit or unit of time differs. | That the author meant that range. |
//! | [`Misattributed`](Status::Misattributed) | As verified, but in a source that is not cited. | That no cited source says the same in other words. |
//! | [`Stitched`](Status::Stitched) | Each part stands word for word in a source. A part that leaves out a negation is reported as unsupported. | That the parts belong together: the gap may hold a condition. |
//! | [`NotFound`](Status::NotFound) | No lookup found the words. | That the words are wrong: the budget may be spent, or the source cut. |
//!
//! [`check`] sees texts, not pages: it never gives `Ocr`, `Tracked` or `Differs`. Those are [`document::Caveat`]s of a
//! document's text, and [`Status::with_caveats`] puts them in the place of `Verified`, the only status that promises
//! what a page shows. The README has this table with the words of the page.
//!
//! No status depends on similarity of meaning, and no lookup asks a model. A wrong figure, modal or negation inside a
//! quotation is never verified and never repaired.
//!
//! # Comparison
//!
//! | Compared exactly | Not compared |
//! |---|---|
//! | letters and their case, the very first letter apart | ligatures, full-width and other compatibility forms |
//! | digits; superscript digits are other characters | kinds of quotation marks and of dashes |
//! | punctuation | white space, invisible characters, spaces beside CJK characters |
//! | word boundaries, also of compounds, numbers and Chinese negations | a hyphen at a line end |
//!
//! Outside quotations, each figure must stand in a cited source, in any notation ("ten", "10", 十). Modals (obligation,
//! permission, prohibition, advice) and negations must too, and must agree with the sentences that are meant: that on the
//! same subject, and those that are quoted, an item of a list with what introduces it. A sentence that keeps their modals
//! may have others from elsewhere in the source, as one that joins two provisions. Where those sentences have no modal,
//! words that imply one do ("requires", "will not"). English and Chinese are read. Nothing is reported for a sentence that
//! cites no source.
//!
//! # Limits and cost
//!
//! The first 200,000 bytes of an answer are checked, against the first 50,000 bytes of the first 200 sources. Time and
//! memory are linear in answer and sources but for comparisons, which share a budget of 40 million steps, under a
//! second: hostile text ends as [`Status::NotFound`]. Same input, same report, on every platform.

mod align;
mod checker;
mod claims;
mod figures;
mod finder;
mod guarded;
mod locate;
mod marks;
mod modals;
mod normalized;
mod quotation;
mod quoted_words;
mod quotes;
mod repair;
mod report;
mod sentences;
mod silence;
mod source_index;
mod stitch;
mod supporting;
#[cfg(test)]
mod tests;

pub use finder::QuotationFinder;
pub use locate::locate;
pub use marks::{cited_ids, strip_marks};
pub use report::{
    CheckedSentence, Quotation, SourceRange, SourceText, Status, UnsupportedKind, UnsupportedSpan,
};

use checker::Checker;

/// Maximum length of an answer that is checked, in bytes.
const MAX_ANSWER_BYTES: usize = 200_000;

/// True if a sentence says what one must or must not do, by its modals: "must", "is required to", "may not", 应当, 不得.
pub fn states_obligation(sentence: &str) -> bool {
    let kinds = modals::modal_kinds(source_index::truncate(sentence, MAX_ANSWER_BYTES));
    kinds.contains(&modals::Modal::Obligation) || kinds.contains(&modals::Modal::Prohibition)
}

/// Checks an answer against the sources that its author was given: one report per sentence or list item, in order.
pub fn check(answer: &str, sources: &[SourceText<'_>]) -> Vec<CheckedSentence> {
    let answer = source_index::truncate(answer, MAX_ANSWER_BYTES);
    let marks = marks::citation_marks(answer);
    let spans = quotes::quoted_spans(answer);
    let sentences = sentences::answer_sentences(answer, &marks, &spans);
    let mut checker = Checker::new(answer, &marks, &spans, sources);
    sentences.into_iter().map(|sentence| checker.check(sentence)).collect()
}
