//! The evidence of a heading in a paragraph of a Word file, and the decision by the rules that pages share.
//!
//! Many templates set their numbered clauses in heading styles: a style is one of clauses if most of its paragraphs
//! read as sentences. Cost: linear in the text.

use std::collections::BTreeMap;

use document::Place;
use text::heading::{
    Below, DeclaredRole, HeadingDecision, HeadingEvidence, HeadingStyle, HeadingWording, drop_quiet_lists,
    judge as judge_by,
};
use text::rules::Rules;
use text::wording::list_marker;

use crate::normalize::NormalizedParagraph;
use crate::styles::StyleRole;

/// Step between baselines that are spaced as one line, in multiples of the type size.
const SINGLE_SPACING: f32 = 1.2;
/// Type size of text without letters, in points.
const DEFAULT_SIZE: f32 = 10.0;

/// Dominant format of the running text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFormat {
    /// Type size in points, > 0.
    pub(crate) size: f32,
    /// True if most of it is bold, so that bold marks nothing.
    pub(crate) bold: bool,
    /// True if most of it is in capitals, so that capitals mark nothing.
    pub(crate) caps: bool,
}

impl BodyFormat {
    /// The format of most of the paragraphs without a style of their own.
    pub(crate) fn of(paragraphs: &[&NormalizedParagraph]) -> Self {
        let (mut total, mut bold, mut caps) = (0, 0, 0);
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        for p in paragraphs.iter().filter(|p| p.heading.is_none() && p.style_role == StyleRole::Body) {
            let n = p.text.len();
            total += n;
            bold += if p.uniform.bold { n } else { 0 };
            caps += if p.uniform.caps { n } else { 0 };
            *sizes.entry((p.dominant.size * 2.0) as u32).or_default() += n;
        }
        let usual = sizes.into_iter().max_by_key(|&(_, n)| n);
        let size = usual.map_or(DEFAULT_SIZE, |(halves, _)| halves as f32 / 2.0);
        Self { size, bold: bold * 2 > total, caps: caps * 2 > total }
    }
}

/// The decision about each paragraph; `followed` marks those with text below that they can head.
pub(crate) fn judge(
    paragraphs: &[&NormalizedParagraph],
    followed: &[bool],
    body: BodyFormat,
    rules: &Rules,
) -> Vec<HeadingDecision> {
    let clauses = clause_styles(paragraphs);
    let nexts = paragraphs.iter().skip(1).map(|next| Some(next.text.as_str())).chain([None]);
    let mut decisions: Vec<HeadingDecision> = paragraphs
        .iter()
        .zip(nexts)
        .zip(followed)
        .map(|((p, next), &followed)| {
            let below = if followed { Below::Text } else { Below::Nothing };
            let is_clause = clauses.get(&(p.style.as_str(), p.heading)).copied().unwrap_or(false);
            judge_by(&evidence(p, next, below, is_clause, body), rules)
        })
        .collect();
    drop_quiet_lists(&mut decisions, rules);
    for ((at, p), decision) in (0..).zip(paragraphs).zip(&decisions) {
        let subject = || (Place::Paragraph(at), p.text.clone());
        rules.record("heading", decision.verdict.words(), decision.rule, subject);
    }
    decisions
}

fn evidence<'a>(
    p: &'a NormalizedParagraph,
    next: Option<&'a str>,
    below: Below,
    is_clause: bool,
    body: BodyFormat,
) -> HeadingEvidence<'a> {
    let size = p.dominant.size;
    let is_bullet = |marker: &str| marker.chars().count() == 1;
    HeadingEvidence {
        wording: HeadingWording::of(&p.text),
        declared: declared(p, is_clause),
        n_lines: 1,
        size,
        body_size: body.size,
        style: HeadingStyle {
            bold: p.uniform.bold && !body.bold,
            italic: p.uniform.italic,
            caps: p.uniform.caps && !body.caps,
            underlined: p.uniform.underlined,
        },
        centered: p.centered,
        white: SINGLE_SPACING + p.space_above / size.max(1.0),
        keeps_with_next: p.keep_next,
        is_whole: true,
        is_bulleted: list_marker(&p.text).is_some_and(is_bullet),
        is_contents_entry: p.text.contains("...."),
        below,
        next,
        opens_list: next.and_then(list_marker).is_some_and(|marker| marker.starts_with('(')),
    }
}

/// Kind of paragraph that its style declares.
fn declared(p: &NormalizedParagraph, is_clause: bool) -> Option<DeclaredRole> {
    match (p.style_role, p.heading) {
        (StyleRole::Title, _) => Some(DeclaredRole::Title),
        (_, Some(_)) => Some(DeclaredRole::Heading { is_clause }),
        (StyleRole::Body, None) => None,
        (StyleRole::Caption | StyleRole::Quotation | StyleRole::TableOfContents, None) => {
            Some(DeclaredRole::Other)
        }
    }
}

/// For each heading style and level, true if its paragraphs are clauses: most of them read as sentences.
fn clause_styles<'a>(paragraphs: &[&'a NormalizedParagraph]) -> BTreeMap<(&'a str, Option<u8>), bool> {
    let mut counts: BTreeMap<(&str, Option<u8>), (usize, usize)> = BTreeMap::new();
    for p in paragraphs.iter().filter(|p| p.heading.is_some()) {
        let (n, n_text) = counts.entry((p.style.as_str(), p.heading)).or_default();
        *n += 1;
        *n_text += usize::from(HeadingWording::of(&p.text).reads_as_text());
    }
    counts.into_iter().map(|(style, (n, n_text))| (style, n_text * 2 > n)).collect()
}
