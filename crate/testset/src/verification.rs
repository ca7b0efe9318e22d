//! Checks of a question before it counts: its quotations are looked up in the pages, its answer is held against them, and
//! the first of a pair is searched for named entities.

use std::collections::BTreeMap;

use citations::{CheckedSentence, SourceText, Status, check, locate, strip_marks};
use document::EntityKind;

use crate::pair::Candidate;
use crate::question::{DropReason, Quote, Source};
use crate::source_page::SourcePage;
use crate::style::Style;

/// Fewest letters and digits of a quotation: fewer stand anywhere.
const MIN_QUOTE: usize = 8;

/// The first named entity of a question, as far as rules find it: an authority, organisation, instrument or date. Persons
/// and places are not found by rule, and amounts name nobody.
pub(crate) fn named_entity(question: &str) -> Option<&str> {
    let found = sections::entities(question).into_iter().find(|entity| entity.kind != EntityKind::Amount)?;
    question.get(found.range.to_usize())
}

/// The sources of a question with its quotations, all of which stand in their pages.
///
/// # Errors
/// Why the question does not count.
pub(crate) fn verify(
    candidate: &Candidate,
    style: Style,
    pages: &[&SourcePage],
) -> Result<Vec<Source>, DropReason> {
    let mut quotes: BTreeMap<u32, Vec<Quote>> = BTreeMap::new();
    for (number, words) in &candidate.quotes {
        let page = pages.get((*number as usize).wrapping_sub(1)).ok_or(DropReason::Unverified)?;
        quotes.entry(*number).or_default().push(quote(words, page).ok_or(DropReason::Unverified)?);
    }
    if quotes.len() < style.min_chunks() {
        return Err(DropReason::OnePage);
    }
    let texts: Vec<SourceText<'_>> = (1..)
        .zip(pages)
        .map(|(id, page)| SourceText { id, text: &page.text, context: &page.document })
        .collect();
    if is_unsupported(&candidate.answer, &texts) || strip_marks(&candidate.answer).trim().is_empty() {
        return Err(DropReason::Unsupported);
    }
    let source = |(number, page): (u32, &&SourcePage)| Source {
        id: page.id(),
        document: page.document.clone(),
        page: page.page,
        quotes: quotes.remove(&number).unwrap_or_default(),
    };
    Ok((1..).zip(pages).map(source).collect())
}

/// True if a sentence of an answer says what the passages that it cites do not: a figure, a date, a modal, a denial, a
/// quotation. A sentence that cites none is held against all.
fn is_unsupported(answer: &str, texts: &[SourceText<'_>]) -> bool {
    let all: String = texts.iter().map(|text| format!("[P{}]", text.id)).collect();
    let is_wrong = |sentence: &CheckedSentence| {
        let is_quoted_wrongly = matches!(sentence.status(), Some(Status::NotFound | Status::Misattributed));
        is_quoted_wrongly || !sentence.unsupported.is_empty() || !sentence.unknown.is_empty()
    };
    check(answer, texts).iter().any(|sentence| {
        let words = answer.get(sentence.range.clone()).unwrap_or_default().trim();
        let cites = !sentence.sources.is_empty();
        is_wrong(sentence) || !cites && check(&format!("{words} {all}"), texts).iter().any(is_wrong)
    })
}

/// A quotation of a page; `None` if the words do not stand there.
fn quote(words: &str, page: &SourcePage) -> Option<Quote> {
    words.chars().filter(|c| c.is_alphanumeric()).nth(MIN_QUOTE - 1)?;
    let range = locate(words, &page.text)?;
    let (ranges, caveats) = page.place(range);
    let text = page.text.get(range.to_usize())?.to_owned();
    Some(Quote { text, ranges, status: Status::Verified.with_caveats(&caveats) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source_page::pages_of;
    use crate::source_page::tests::paged;

    fn verified(answer: &str, quotes: &[(u32, &str)], style: Style) -> Result<Vec<Source>, DropReason> {
        let filler = "and further words follow here ".repeat(12);
        let (one, two) = (
            format!("The firm must notify the Authority within 10 days. {filler}"),
            format!("The Authority keeps a public register of all firms. {filler}"),
        );
        let pages = pages_of(&paged("a.pdf", &[(0, one.trim()), (1, two.trim())]));
        let candidate = Candidate {
            question: "When must notice be given?".to_owned(),
            answer: answer.to_owned(),
            quotes: quotes.iter().map(|(p, text)| (*p, (*text).to_owned())).collect(),
        };
        verify(&candidate, style, &pages.iter().collect::<Vec<_>>())
    }

    const NOTICE: (u32, &str) = (1, "must notify the Authority within 10 days");
    const REGISTER: (u32, &str) = (2, "keeps a public register of all firms");

    #[test]
    fn a_question_counts_only_with_quotations_that_stand_in_their_pages() {
        let list = Style::List;
        let right = "The firm must notify the Authority within 10 days [P1].";
        let cases = [
            (right, &[NOTICE][..], list, Ok(1)),
            (right, &[NOTICE, REGISTER], Style::Reason, Ok(2)),
            (right, &[NOTICE], Style::Reason, Err(DropReason::OnePage)),
            (right, &[(2, NOTICE.1)], list, Err(DropReason::Unverified)),
            (right, &[(1, "must notify the Authority within 12 days")], list, Err(DropReason::Unverified)),
            (right, &[NOTICE, (1, "and")], list, Err(DropReason::Unverified)),
            (
                "The firm must notify the Authority within 12 days [P1].",
                &[NOTICE],
                list,
                Err(DropReason::Unsupported),
            ),
            ("The firm need not notify the Authority [P1].", &[NOTICE], list, Err(DropReason::Unsupported)),
            ("It is so [P7].", &[NOTICE], list, Err(DropReason::Unsupported)),
            (
                "The firm must notify the Authority within 12 days.",
                &[NOTICE],
                list,
                Err(DropReason::Unsupported),
            ),
            ("The firm must notify the Authority within 10 days.", &[NOTICE], list, Ok(1)),
        ];
        for (answer, quotes, style, expected) in cases {
            let found = verified(answer, quotes, style);
            let n_quoted =
                |sources: Vec<Source>| sources.iter().filter(|source| !source.quotes.is_empty()).count();
            assert_eq!(found.map(n_quoted), expected, "{answer} {quotes:?}");
        }
    }

    #[test]
    fn names_and_dates_are_named_entities_and_amounts_are_not() {
        let cases = [
            (
                "What must a firm report to the Financial Services Authority?",
                Some("Financial Services Authority"),
            ),
            ("What changed on 31 July 2024?", Some("31 July 2024")),
            ("What happens above 15 % of the shares?", None),
            ("When must a breach be reported?", None),
        ];
        for (question, expected) in cases {
            assert_eq!(named_entity(question).is_some(), expected.is_some(), "{question}");
        }
    }
}
