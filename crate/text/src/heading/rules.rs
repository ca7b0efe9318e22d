//! Rules by which a paragraph is a heading or is not.

use self::HeadingVerdict::{NotHeading, Strong, Weak};
use super::evidence::{Below, DeclaredRole, HeadingEvidence};
use super::lookalikes::{
    goes_on, is_aside, is_date, is_enumerated_title, is_form, is_instrument_number, is_label,
    is_one_sentence, starts_like_title,
};
use super::wording::{LARGE_TYPE, MAX_CHARS};
use crate::rules::{Decides, Rule, rule};
use crate::wording::{Numbering, is_caption};

/// Most words of a sentence that is a heading because its style says so.
const MAX_STYLED_WORDS: usize = 20;
/// Most words of a title that ends as a sentence does.
const MAX_SENTENCE_WORDS: usize = 3;
/// The same with a number before it.
const MAX_NUMBERED_WORDS: usize = 12;
/// Most words of a heading in bold or capitals.
const MAX_LOUD_WORDS: usize = 30;
/// Most words of a heading in italics.
const MAX_SLANTED_WORDS: usize = 18;
/// Most words of a heading that is only centred.
const MAX_CENTRED_WORDS: usize = 14;
/// Type smaller than this share of the body's is no heading's.
const SMALL_TYPE: f32 = 0.9;
/// Most lines of the heading of a division.
const MAX_DIVISION_LINES: usize = 3;
/// Most lines of the heading of an article.
const MAX_ARTICLE_LINES: usize = 2;
/// Most lines of a heading in large type.
const MAX_LARGE_LINES: usize = 5;
/// Smallest capitals that still stand out when they are bold and numbered.
const SMALL_CAPITALS: f32 = 0.7;
/// Most lines of a heading in bold.
const MAX_BOLD_LINES: usize = 4;
/// Most lines of a heading in italics, or centred.
const MAX_SLANTED_LINES: usize = 2;

/// The decision about a paragraph.
pub(super) struct IsHeading;

impl Decides for IsHeading {
    type Context<'a> = HeadingEvidence<'a>;
    type Verdict = HeadingVerdict;
    const NAME: &'static str = "heading";
}

/// Confidence that a paragraph is a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingVerdict {
    /// It is none, whatever later rules would say.
    NotHeading,
    /// By its place, number or slant alone.
    Weak,
    /// By its type, or by a number that only headings have.
    Strong,
}

impl HeadingVerdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            NotHeading => "no heading",
            Weak => "heading by place, number or slant",
            Strong => "heading",
        }
    }
}

/// The rules in order. A paragraph that none of them names is no heading.
pub(super) static RULES: [Rule<IsHeading>; 37] = [
    rule("style-title", "the style of a title declares it", "a Word file's style Title", |p| {
        (p.declared == Some(DeclaredRole::Title)).then_some(Strong)
    }),
    rule(
        "style-clause",
        "clauses set in a heading style read as sentences and are provisions",
        "The Supplier delivers. (in a style with an outline level)",
        |p| {
            let Some(DeclaredRole::Heading { is_clause }) = p.declared else { return None };
            let is_long = p.wording.n_words > MAX_STYLED_WORDS || p.wording.n_chars > MAX_CHARS;
            (is_clause || is_long && p.wording.reads_as_text()).then_some(NotHeading)
        },
    ),
    rule("style-heading", "the style of a heading declares it", "a Word file's style Heading 1", |p| {
        matches!(p.declared, Some(DeclaredRole::Heading { .. })).then_some(Strong)
    }),
    rule(
        "style-other",
        "the style of a caption or quotation declares that it is no heading",
        "a Word file's style Quote",
        |p| (p.declared == Some(DeclaredRole::Other)).then_some(NotHeading),
    ),
    rule(
        "contents-entry",
        "an entry of a table of contents names a heading and is none",
        "(31) Ketobemidone ..... 9628",
        |p| p.is_contents_entry.then_some(NotHeading),
    ),
    rule(
        "lone-number",
        "a number centred alone above text heads it",
        "I (centred above the first part of an opinion)",
        |p| (p.centered && p.is_lone_number() && p.opens_text()).then_some(Strong),
    ),
    rule(
        "instrument-number",
        "the centred number of an instrument is part of its title",
        "statutory-instrument",
        |p| (is_instrument_number(p.wording.text) && p.centered).then_some(Strong),
    ),
    rule("long", "a heading has 240 characters at most", "opinion", |p| {
        (p.wording.n_chars > MAX_CHARS).then_some(NotHeading)
    }),
    rule("few-letters", "figures and signs are no heading", "∗ † ‡", |p| {
        p.wording.has_few_letters().then_some(NotHeading)
    }),
    rule(
        "blank-to-fill",
        "a blank to fill in, or a code with its meaning, belongs to a form",
        "Name: ________",
        |p| is_form(p.wording.text).then_some(NotHeading),
    ),
    rule("aside", "a remark in brackets heads nothing", "[36 FR 7801, Apr. 24, 1971]", |p| {
        is_aside(p.wording.text).then_some(NotHeading)
    }),
    rule("caption", "a caption names a table or figure", "table-ruled", |p| {
        is_caption(p.wording.text).then_some(NotHeading)
    }),
    rule("date", "a date on a line of its own heads nothing", "Dated: August 5, 2016", |p| {
        is_date(p.wording.text).then_some(NotHeading)
    }),
    rule(
        "signature",
        "the name above a line to sign on heads nothing",
        "Patricia S. Dodszuweit, Clerk (above By:)",
        |p| p.is_above_signature().then_some(NotHeading),
    ),
    rule("label", "a label with its value is a line of a form or letter", "Case Number: 21-2728", |p| {
        is_label(p.wording.text).then_some(NotHeading)
    }),
    rule("continued", "“continued” is printed for the page", "ESTIMATED COSTS—Continued", |p| {
        goes_on(p.wording.text).then_some(NotHeading)
    }),
    rule(
        "series",
        "the line above the number of an instrument names the series",
        "statutory-instrument",
        |p| p.next.is_some_and(is_instrument_number).then_some(NotHeading),
    ),
    rule("bulleted", "a bullet begins an item", "• Title I implements …", |p| {
        p.is_bulleted.then_some(NotHeading)
    }),
    rule("lower-case", "a text that begins in lower case goes on with a sentence", "columns-change", |p| {
        p.wording.starts_lower().then_some(NotHeading)
    }),
    rule("open-end", "a text that ends in a comma, “and” or “of” goes on", "contract", |p| {
        p.wording.is_open().then_some(NotHeading)
    }),
    rule("end-of-sentence", "a number with a stop in plain type ends a sentence", "Part 19.", |p| {
        let is_end = !p.is_whole && p.wording.ends_sentence && p.wording.n_words == 2;
        (p.wording.numbering == Numbering::Division && p.is_plain() && is_end).then_some(NotHeading)
    }),
    rule("division", "only headings are numbered as divisions: “PART 3”", "rulebook", |p| {
        (p.wording.names_division() && p.n_lines <= MAX_DIVISION_LINES).then_some(Strong)
    }),
    rule("article", "a short line with the number of an article or section heads it", "contract", |p| {
        let is_like = p.n_lines <= MAX_ARTICLE_LINES && p.wording.is_like_article(p.is_section_title());
        (is_like && !p.wording.is_cjk_provision()).then_some(Strong)
    }),
    rule(
        "opens-list",
        "“2.3 A firm must” above “(a)” is the beginning of a sentence",
        "definitions",
        |p| {
            let is_provision = p.wording.numbering == Numbering::Decimal && !p.wording.is_title_case;
            (p.is_plain() && !p.wording.is_cjk && is_provision && p.opens_list).then_some(NotHeading)
        },
    ),
    rule(
        "enumerated-title",
        "“一、总体要求” above text is a title as Chinese documents number them",
        "（二）工作目标",
        |p| {
            let is_title = p.wording.is_cjk && p.n_lines == 1 && is_enumerated_title(p.wording.text);
            let is_above_text = p.next.is_some_and(|next| !is_enumerated_title(next));
            (is_title && is_above_text).then_some(Strong)
        },
    ),
    rule(
        "sentence",
        "a sentence is no heading, unless it is short and numbered or a point in loud type",
        "contract",
        |p| {
            let is_loud = p.style.bold || p.style.caps || p.style.underlined;
            let is_point =
                p.wording.numbering == Numbering::Decimal && is_loud && is_one_sentence(p.wording.text);
            let is_numbered = p.wording.is_numbered() && p.wording.n_words <= MAX_NUMBERED_WORDS;
            let is_sentence = p.wording.ends_sentence && p.wording.n_words > MAX_SENTENCE_WORDS;
            (is_sentence && !is_numbered && !is_point).then_some(NotHeading)
        },
    ),
    rule("large-type", "type larger than the body's is a heading's", "endnotes", |p| {
        (p.size > LARGE_TYPE * p.body_size && p.n_lines <= MAX_LARGE_LINES).then_some(Strong)
    }),
    rule(
        "small-type",
        "type smaller than the body's is no heading's, but for numbered bold capitals",
        "furniture",
        |p| {
            let is_capitals = p.style.bold && p.style.caps && p.wording.is_numbered();
            let is_heading = is_capitals && p.size > SMALL_CAPITALS * p.body_size;
            (p.size < SMALL_TYPE * p.body_size && !is_heading).then_some(NotHeading)
        },
    ),
    rule("document-end", "what nothing follows heads nothing", "the name below the last clause", |p| {
        (p.below == Below::Nothing).then_some(NotHeading)
    }),
    rule(
        "enacting-words",
        "plain capitals before a colon lead in what follows, as enacting words do",
        "THUS, IT IS HEREBY ORDERED THAT:",
        |p| {
            let is_only_caps = p.style.caps && !p.style.bold && !p.centered && !p.style.underlined;
            (is_only_caps && p.wording.text.ends_with([':', '：'])).then_some(NotHeading)
        },
    ),
    rule("bold", "short bold lines are a heading", "rulebook", |p| {
        (p.style.bold && p.wording.n_words <= MAX_LOUD_WORDS && p.n_lines <= MAX_BOLD_LINES).then_some(Strong)
    }),
    rule(
        "capitals",
        "capitals that are centred, underlined, numbered or apart are a heading",
        "opinion",
        |p| {
            let is_set_off = p.centered || p.style.underlined || p.wording.is_numbered() || p.is_apart();
            (p.style.caps && p.wording.n_words <= MAX_LOUD_WORDS && is_set_off).then_some(Strong)
        },
    ),
    rule("nothing-below", "quiet type at the end of a page heads nothing", "columns-three", |p| {
        (!p.opens_text()).then_some(NotHeading)
    }),
    rule(
        "year-at-end",
        "quiet type that ends in a year is a date or citation",
        "statutory-instrument",
        |p| p.wording.ends_in_year().then_some(NotHeading),
    ),
    rule(
        "slanted",
        "short lines in italics or underlined, apart or centred, may be a heading",
        "rulebook",
        |p| {
            let is_short = p.wording.n_words <= MAX_SLANTED_WORDS && p.n_lines <= MAX_SLANTED_LINES;
            let is_closed = !p.wording.text.ends_with(':') || p.style.underlined;
            let is_set_off = p.is_apart() || p.centered;
            ((p.style.italic || p.style.underlined) && is_short && is_set_off && is_closed).then_some(Weak)
        },
    ),
    rule(
        "decimal",
        "a short line with a number in parts and a capital may be a heading",
        "3.1 Development and Registration Responsibilities.",
        |p| {
            let HeadingEvidence { wording, .. } = p;
            let number = wording.first_word();
            let is_numbered = wording.numbering == Numbering::Decimal
                && number.contains('.')
                && !number.starts_with('(')
                && starts_like_title(wording.text);
            let is_short =
                wording.n_words <= MAX_NUMBERED_WORDS && p.n_lines == 1 && !wording.text.ends_with(':');
            let is_title = match wording.ends_sentence {
                true => wording.is_title_case && wording.n_words > 1,
                false => p.is_apart() || wording.is_title_case,
            };
            (is_numbered && is_short && is_title).then_some(Weak)
        },
    ),
    rule("centred", "a short centred line in title case, apart, may be a heading", "contract", |p| {
        let is_short = p.n_lines <= MAX_SLANTED_LINES && p.wording.n_words <= MAX_CENTRED_WORDS;
        (p.centered && is_short && p.is_apart() && p.wording.is_title_case).then_some(Weak)
    }),
];
