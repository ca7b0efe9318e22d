//! Sections that say that they hold no law: `[Repealed]`, "5 Omitted by …", "Reserved.", 第五条（已废止）.
//!
//! A mark is taken only where it is all that a section says, or in brackets at the end of its heading: a provision
//! about what is repealed is law. Cost: linear in the number of sections; of each, the first bytes are read.

use document::{Layout, LegalStatus, Section, SectionId, Withdrawn};

/// Longest section body in bytes that can be a note of its repeal.
const MAX_NOTE: usize = 300;

/// Words that say it, and what they say.
const WORDS: [(&str, LegalStatus); 14] = [
    ("repealed", LegalStatus::Repealed),
    ("revoked", LegalStatus::Repealed),
    ("rescinded", LegalStatus::Repealed),
    ("deleted", LegalStatus::Repealed),
    ("omitted", LegalStatus::Repealed),
    ("intentionally omitted", LegalStatus::Repealed),
    ("intentionally deleted", LegalStatus::Repealed),
    ("spent", LegalStatus::Repealed),
    ("superseded", LegalStatus::Superseded),
    ("replaced", LegalStatus::Superseded),
    ("reserved", LegalStatus::Reserved),
    ("not used", LegalStatus::Reserved),
    ("intentionally left blank", LegalStatus::Reserved),
    ("intentionally blank", LegalStatus::Reserved),
];

/// Chinese words for a legal status, each the whole text.
const CHINESE: [(&str, LegalStatus); 10] = [
    ("已废止", LegalStatus::Repealed),
    ("废止", LegalStatus::Repealed),
    ("已失效", LegalStatus::Repealed),
    ("失效", LegalStatus::Repealed),
    ("已删除", LegalStatus::Repealed),
    ("删除", LegalStatus::Repealed),
    ("删去", LegalStatus::Repealed),
    ("已被取代", LegalStatus::Superseded),
    ("保留", LegalStatus::Reserved),
    ("预留", LegalStatus::Reserved),
];

/// The sections that say that they hold no law, in order.
pub(crate) fn collect(layout: &Layout, sections: &[Section]) -> Vec<Withdrawn> {
    let mut found = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        // What it says itself ends where its first subsection begins.
        let end = sections
            .get(at + 1)
            .filter(|next| next.parent == Some(SectionId::from_idx(at)))
            .map_or(section.range.end, |next| next.range.start);
        let from = section.heading.map_or(section.range.start, |heading| heading.end);
        let is_long = end.saturating_sub(from) as usize > MAX_NOTE;
        let own = layout.text.get(from as usize..end as usize).filter(|_| !is_long);
        let label = section.label.as_ref().map_or("", |label| label.text.as_str());
        let body = own.map(|own| bare(own, label));
        let legal_status = body
            .filter(|body| !body.is_empty())
            .and_then(whole)
            .or_else(|| heading(&section.title, label, body.is_some_and(str::is_empty)));
        if let Some(legal_status) = legal_status {
            found.push(Withdrawn { section: SectionId::from_idx(at), legal_status });
        }
    }
    found
}

/// A text without the label in front and without spaces and stops around.
fn bare<'a>(text: &'a str, label: &str) -> &'a str {
    let text = text.trim();
    let text = text.strip_prefix(label).unwrap_or(text);
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '—' | '–' | '-' | '。' | ':' | '：'))
}

/// The status that a heading states: by all its words where nothing follows ("5 Repealed"), or a bracket at its end ("5 Fees
/// [Repealed by …]").
fn heading(title: &str, label: &str, is_alone: bool) -> Option<LegalStatus> {
    let title = bare(title, label);
    if title.len() > MAX_NOTE || title.is_empty() {
        return None;
    }
    if is_alone && let Some(legal_status) = whole(title) {
        return Some(legal_status);
    }
    let closed = title.ends_with([']', ')', '）', '】', '］']);
    let open = title.rfind(['[', '(', '（', '【', '［']).filter(|_| closed)?;
    whole(title.get(open..)?)
}

/// The status that a whole text states: a mark, with or without brackets, and perhaps the act or the date.
fn whole(text: &str) -> Option<LegalStatus> {
    let brackets: &[char] = &['[', ']', '(', ')', '（', '）', '【', '】', '［', '］', '*', ' ', '.', '。'];
    let inner = text.trim_matches(brackets);
    if let Some(&(_, legal_status)) = CHINESE.iter().find(|(word, _)| *word == inner) {
        return Some(legal_status);
    }
    // A sentence with a second one behind it is a text.
    let goes_on = |(at, _): (usize, &str)| {
        inner.get(at + 2..).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    if inner.contains(['\n', '。', ';']) || inner.match_indices(". ").any(goes_on) {
        return None;
    }
    let lower = inner.to_ascii_lowercase();
    let (rest, legal_status) = WORDS
        .iter()
        .filter_map(|&(word, legal_status)| Some((lower.strip_prefix(word)?, legal_status)))
        .min_by_key(|(rest, _)| rest.len())?;
    let behind = rest.trim_start_matches([' ', ',', ':', '-', '–', '—', ']', ')']);
    let is_end = behind.is_empty();
    let is_note = rest.starts_with([' ', ',', ':', '-', '–', '—', ']', ')'])
        && ["by ", "with ", "on ", "under ", "pursuant ", "in ", "from ", "for future ", "(", "["]
            .iter()
            .any(|lead| behind.starts_with(lead));
    (is_end || is_note).then_some(legal_status)
}

#[cfg(test)]
mod tests {
    use document::{Label, TextRange};

    use super::*;

    /// A section with a heading and a body.
    fn read(label: &str, title: &str, body: &str) -> Option<LegalStatus> {
        let text = format!("{title}\n{body}");
        let range = TextRange::new(0, text.len());
        let layout = Layout { text, ..Layout::default() };
        let section = Section {
            parent: None,
            level: 1,
            label: Some(Label { text: label.to_owned(), key: label.to_owned() }),
            title: title.to_owned(),
            heading: Some(TextRange::new(0, title.len())),
            range,
            blocks: Vec::new(),
            is_article: false,
        };
        collect(&layout, &[section]).first().map(|withdrawn| withdrawn.legal_status)
    }

    #[test]
    fn marks_are_read_and_law_about_repeal_is_not_one() {
        use LegalStatus::{Repealed, Reserved, Superseded};
        let cases = [
            ("5", "5 [Repealed]", "", Some(Repealed)),
            ("5", "5", "[Deleted]", Some(Repealed)),
            ("5", "5. Fees [Repealed by the Ports Act 2020]", "", Some(Repealed)),
            (
                "5",
                "5 Fees",
                "Repealed by s. 3 of the Ports Act 2020 with effect from 1 May 2021.",
                Some(Repealed),
            ),
            ("5", "5 Fees", "Superseded by rule 9.", Some(Superseded)),
            ("§ 7", "§ 7. [Reserved]", "", Some(Reserved)),
            ("3.2", "3.2", "Intentionally left blank", Some(Reserved)),
            ("第五条", "第五条", "（已废止）", Some(Repealed)),
            ("第五条", "第五条 （删除）", "", Some(Repealed)),
            ("5", "5 Omitted", "", Some(Repealed)),
            ("5", "5 Repealed provisions", "The Ports Act 1991 is repealed.", None),
            ("5", "5 Repeal", "Section 4 is repealed.", None),
            ("5", "5 Deleted data", "A firm must not keep deleted data.", None),
            ("5", "5 Reserved", "Matters reserved to the board are listed here.", None),
            ("5", "5 Records", "Omitted entries are corrected. The register is kept.", None),
            ("5", "5 Funds (reserved for members)", "A fund is kept.", None),
            ("第五条", "第五条 废止", "自本法施行之日起，《港口条例》同时废止。", None),
        ];
        for (label, title, body, expected) in cases {
            assert_eq!(read(label, title, body), expected, "{title} | {body}");
        }
    }

    #[test]
    fn what_a_subsection_says_is_its_own() {
        let text = "3 Fees\nA fee is due.\n3.1 Refund\n[Repealed]";
        let layout = Layout { text: text.to_owned(), ..Layout::default() };
        let section = |parent, heading: &str, end: usize| {
            let start = text.find(heading).unwrap();
            Section {
                parent,
                level: 1,
                label: None,
                title: heading.to_owned(),
                heading: Some(TextRange::new(start, start + heading.len())),
                range: TextRange::new(start, end),
                blocks: Vec::new(),
                is_article: false,
            }
        };
        let sections =
            [section(None, "3 Fees", text.len()), section(Some(SectionId(0)), "3.1 Refund", text.len())];
        let expected = Withdrawn { section: SectionId(1), legal_status: LegalStatus::Repealed };
        assert_eq!(collect(&layout, &sections), [expected]);
    }
}
