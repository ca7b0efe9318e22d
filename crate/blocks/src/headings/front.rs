//! Front matter: text before a document's body that looks like headings and heads nothing. It is the cover page, the
//! lines above the salutation of a letter, and the caption of a court paper (the court, the parties, their roles,
//! docket and counsel).
//!
//! They end where running text begins; the heading right above the text belongs to the text. A caption is
//! known by its parties: a "v." between them, or a role on a line of its own ("Defendants-Appellants."). It
//! may recur: an opinion behind a syllabus, a declaration behind a motion. A cover is a first page without a
//! sentence on it. Numbered headings are never touched. Cost: linear in the paragraphs.

use document::{BlockKind, PageId, Slice as _};

use text::wording::{Numbering, is_contents_title, numbering};

use crate::page::Paragraph;
use crate::typography::is_prose;

/// Pages that a caption may run over beyond its first.
const MAX_CAPTION_PAGES: u32 = 2;
/// Most words of a line that names nothing but a role.
const MAX_ROLE_WORDS: usize = 8;
/// Pages at the start of a document of which the first may be a cover.
const MIN_PAGES_WITH_COVER: u32 = 2;
/// Roles of parties to a case, singular, in lower case.
const ROLES: [&str; 17] = [
    "accused",
    "appellant",
    "appellee",
    "applicant",
    "claimant",
    "complainant",
    "counterclaimant",
    "cross",
    "debtor",
    "defendant",
    "garnishee",
    "intervenor",
    "movant",
    "petitioner",
    "plaintiff",
    "relator",
    "respondent",
];
/// Salutations of letters.
const SALUTATIONS: [&str; 7] = [
    "Dear ",
    "DEAR ",
    "Gentlemen",
    "Ladies and Gentlemen",
    "Ladies & Gentlemen",
    "To Whom It May Concern",
    "TO WHOM IT MAY CONCERN",
];
/// Words that stand among roles.
const BESIDE_ROLES: [&str; 12] = [
    "and", "third", "party", "parties", "real", "in", "interest", "counter", "error", "the", "proposed",
    "first",
];

/// For each paragraph, whether it belongs to a cover or a caption and so is no heading.
pub(crate) fn find(paragraphs: &[Paragraph]) -> Vec<bool> {
    let mut front = vec![false; paragraphs.len()];
    cover(paragraphs, &mut front);
    captions(paragraphs, &mut front);
    letter(paragraphs, &mut front);
    front
}

/// A first page without running text, where later pages have some: all of it but the numbered headings.
fn cover(paragraphs: &[Paragraph], front: &mut [bool]) {
    let Some(first) = paragraphs.first().map(Paragraph::page) else { return };
    let n = paragraphs.iter().take_while(|paragraph| paragraph.page() == first).count();
    let page = paragraphs.slice(..n);
    let is_long = paragraphs.last().is_some_and(|last| last.page().0 >= first.0 + MIN_PAGES_WITH_COVER);
    let has_text = |paragraph: &Paragraph| {
        is_prose(paragraph)
            || paragraph.kind != BlockKind::Paragraph
            || is_contents_title(&paragraph.text())
            || numbering(&paragraph.text()) != Numbering::None
    };
    if !is_long || n < 3 || page.iter().any(has_text) {
        return;
    }
    let n_lines: usize = page.iter().map(|paragraph| paragraph.lines.len()).sum();
    let n_centred: usize =
        page.iter().filter(|paragraph| paragraph.centered).map(|paragraph| paragraph.lines.len()).sum();
    if n_centred * 2 < n_lines {
        return;
    }
    // The title stays a heading: the largest of the page, if it is set larger than the others.
    let largest = page.iter().map(Paragraph::size).fold(0.0, f32::max);
    let mut has_title = false;
    for (paragraph, slot) in page.iter().zip(front.iter_mut()) {
        let is_title = !has_title && paragraph.size() > 0.98 * largest;
        has_title |= is_title;
        *slot = !is_title;
    }
}

/// Marks the lines above the salutation of a letter: sender, place, addressee.
fn letter(paragraphs: &[Paragraph], front: &mut [bool]) {
    let Some(first) = paragraphs.first().map(Paragraph::page) else { return };
    let on_first = paragraphs.iter().take_while(|paragraph| paragraph.page() == first);
    let salutation = on_first.clone().position(|paragraph| {
        let text = paragraph.text();
        let is_short = text.len() <= 80 && text.ends_with([':', ',']);
        is_short && SALUTATIONS.iter().any(|salutation| text.starts_with(salutation))
    });
    let Some(salutation) = salutation else { return };
    if on_first.take(salutation).any(is_prose) {
        return;
    }
    // The subject may stand right above the salutation, set as a title.
    let size = |at: usize| Some(paragraphs.get(at)?.lines.first()?.size);
    let above = salutation.saturating_sub(1);
    let is_subject = paragraphs.get(above).is_some_and(|paragraph| {
        paragraph.centered && size(above).zip(size(salutation)).is_some_and(|(a, b)| a > 1.1 * b)
    });
    for (at, slot) in front.iter_mut().enumerate().take(salutation) {
        *slot = !(is_subject && at == above);
    }
}

fn captions(paragraphs: &[Paragraph], front: &mut [bool]) {
    let mut from = 0;
    while from < paragraphs.len() {
        let Some(anchor) = (from..paragraphs.len()).find(|&at| paragraphs.get(at).is_some_and(is_anchor))
        else {
            return;
        };
        let page = paragraphs.get(anchor).map_or(PageId(0), Paragraph::page);
        let is_text = |at: &usize| paragraphs.get(*at).is_none_or(|p| is_prose(p) || is_numbered_text(p));
        let start = (from..anchor)
            .rev()
            .take_while(|at| paragraphs.get(*at).is_some_and(|p| p.page() == page))
            .find(is_text)
            .map_or_else(|| first_on(paragraphs, anchor, page), |text| text + 1);
        let ends = |at: &usize| {
            is_text(at)
                || paragraphs
                    .get(*at)
                    .is_some_and(|p| p.page().0 > page.0 + MAX_CAPTION_PAGES || is_contents_title(&p.text()))
        };
        let end = (anchor + 1..paragraphs.len()).find(ends).unwrap_or(paragraphs.len());
        // One "v." far inside a document is a line of a table or a citation.
        let n_anchors = paragraphs.slice(start..end).iter().filter(|p| is_anchor(p)).count();
        let is_set_off = paragraphs.get(anchor).is_some_and(|paragraph| paragraph.centered);
        if page.0 <= 2 || n_anchors >= 2 || is_set_off {
            close(paragraphs, front, start, end);
        }
        from = end.max(anchor + 1);
    }
}

/// True if a paragraph is a numbered sentence of some lines, as the allegations of a complaint are.
fn is_numbered_text(paragraph: &Paragraph) -> bool {
    let text = paragraph.text();
    paragraph.lines.len() >= 2
        && numbering(&text) == Numbering::Decimal
        && text.ends_with('.')
        && text.chars().filter(|c| c.is_lowercase()).count() * 2 > text.len()
}

fn first_on(paragraphs: &[Paragraph], mut at: usize, page: PageId) -> usize {
    while at > 0 && paragraphs.get(at - 1).is_some_and(|paragraph| paragraph.page() == page) {
        at -= 1;
    }
    at
}

/// Marks a caption, but for the heading right above the text that follows it.
fn close(paragraphs: &[Paragraph], front: &mut [bool], start: usize, end: usize) {
    let heads_text = |at: usize| {
        let (Some(paragraph), Some(next)) = (paragraphs.get(at), paragraphs.get(at + 1)) else {
            return false;
        };
        let text = paragraph.text();
        at + 1 == end
            && next.page() == paragraph.page()
            && !text.ends_with([':', ',', '.', '*'])
            && !is_anchor(paragraph)
    };
    for at in start..end {
        let is_numbered = paragraphs.get(at).is_some_and(|paragraph| {
            let text = paragraph.text();
            !is_versus(&text) && numbering(&text) != Numbering::None
        });
        if let Some(slot) = front.get_mut(at) {
            *slot |= !is_numbered && !heads_text(at);
        }
    }
}

/// True if a paragraph tells that it stands in a caption.
fn is_anchor(paragraph: &Paragraph) -> bool {
    if paragraph.kind == BlockKind::Table || paragraph.lines.len() > 4 {
        return false;
    }
    let text = paragraph.text();
    if text.len() > 240 {
        return false;
    }
    let are_parties = is_middle(paragraph)
        && (text.contains(" v. ") || text.contains(" vs. ") || text.ends_with(" v."))
        && text.chars().filter(|c| c.is_uppercase()).count() * 2
            > text.chars().filter(|c| c.is_alphabetic()).count();
    is_versus(&text) || is_role(&text) || are_parties
}

/// True if the lines of a paragraph are centred on each other.
fn is_middle(paragraph: &Paragraph) -> bool {
    let mut lines = paragraph.lines.iter();
    let Some(first) = lines.next() else { return false };
    paragraph.centered
        || paragraph.lines.len() > 1
            && lines.all(|line| (line.rect.x_mid() - first.rect.x_mid()).abs() < line.size)
}

/// True if a text is the "v." between parties.
fn is_versus(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    matches!(bare.as_str(), "v" | "vs" | "versus" | "against") && text.chars().count() <= 12 && text != "V"
}

/// True if a text is a role of a party and nothing else: "Plaintiffs-Appellees,".
fn is_role(text: &str) -> bool {
    let (mut n_words, mut n_roles) = (0usize, 0usize);
    let only_roles = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).all(|word| {
        n_words += 1;
        let word = word.to_lowercase();
        let singular = word.strip_suffix('s').unwrap_or(&word);
        let is_role = ROLES.binary_search(&singular).is_ok();
        n_roles += usize::from(is_role);
        is_role || word == "s" || BESIDE_ROLES.contains(&word.as_str())
    });
    // "Defendants" may be a heading; a role in a caption is set with a comma or a stop.
    only_roles && n_roles > 0 && n_words <= MAX_ROLE_WORDS && text.ends_with([',', '.', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parties_and_their_roles_are_known() {
        for text in ["v.", "-v-", "vs.", "versus", "- against -"] {
            assert!(is_versus(text), "{text}");
        }
        for text in
            ["Plaintiffs-Appellees,", "Defendants—Appellees.", "Petitioner,", "Third-Party Defendant."]
        {
            assert!(is_role(text), "{text}");
        }
        for text in ["Defendants", "The defendant pays.", "V", "1.", ""] {
            assert!(!is_versus(text) && !is_role(text), "{text}");
        }
    }
}
