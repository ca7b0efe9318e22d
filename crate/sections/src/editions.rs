//! Editions that a document states: "VER09.211223", "as amended to 1 July 2023", "Effective date: …", 2005年8月28日通过.
//!
//! Looked for where documents say it: the first pages and what is printed around every page; of the rest only
//! in the sentence by which a Chinese law says from when it holds. A date counts by the words before it, in Chinese
//! by the verb behind. Cost: linear in what is looked at.

use document::{Edition, EditionKind, Entity, EntityKind, Layout, Role, Slice as _};

use crate::entities;

/// Bytes at the start of a text that are searched for an edition.
const FRONT: usize = 6_000;
/// Bytes before a date that are searched for its lead.
const BEFORE: usize = 120;
/// Bytes of the first page, on which a date that stands alone is the date of the text.
const FIRST: usize = 2_500;
/// Characters behind a date that are searched for its verb. The body that passed a law stands between.
const BEHIND: usize = 60;
/// Most pieces of furniture that are looked at: what is said of an edition is on every page.
const MAX_FURNITURE: usize = 64;
/// Most editions of a document.
const MAX_EDITIONS: usize = 12;

/// Words before a date that say to when changes are in the text.
const CONSOLIDATED: [&str; 22] = [
    "as amended to",
    "as amended up to",
    "as amended through",
    "as amended as of",
    "amended as at",
    "amended up to",
    "amendments up to",
    "amendments to",
    "amendments as at",
    "consolidated to",
    "consolidated up to",
    "consolidated as of",
    "consolidated as at",
    "consolidated version of",
    "current to",
    "up to date to",
    "last amended",
    "last amended on",
    "last revised",
    "last updated",
    "last updated on",
    "rev",
];

/// Words before a date that say from when a text holds. Said of a text itself: at the start of a line, or of "this".
const EFFECTIVE: [&str; 14] = [
    "effective date",
    "effective",
    "effective from",
    "effective as of",
    "in force from",
    "in force on",
    "into force on",
    "coming into force",
    "into operation on",
    "with effect from",
    "takes effect on",
    "commencement",
    "commencement date",
    "commences on",
];

/// Words before the date of issue, said of a text itself.
const ISSUED: [&str; 22] = [
    "dated",
    "dated as of",
    "dated the",
    "date",
    "date of issue",
    "date filed",
    "is entered into as of",
    "made and entered into as of",
    "entered into on",
    "is made as of",
    "made",
    "made on",
    "issued",
    "issued on",
    "published",
    "published on",
    "publication date",
    "adopted",
    "adopted on",
    "decided",
    "filed",
    "approved on",
];

/// Verbs behind a date and the kind of edition that they state.
const VERBS: [(&str, EditionKind); 8] = [
    ("起施行", EditionKind::Effective),
    ("起生效", EditionKind::Effective),
    ("修订", EditionKind::Consolidated),
    ("修正", EditionKind::Consolidated),
    ("修改", EditionKind::Consolidated),
    ("公布", EditionKind::Issued),
    ("发布", EditionKind::Issued),
    ("通过", EditionKind::Issued),
];

/// The editions that a document states: in the order of its text, then those of its headers and footers.
pub(crate) fn collect(layout: &Layout, dates: &[Entity]) -> Vec<Edition> {
    let mut found = Vec::new();
    let front = front(layout);
    versions(front, &mut found);
    let mut at = 0;
    for line in front.split_inclusive(['\n', '\t']) {
        found.extend(entities::dates_of(line).iter().filter_map(|date| dated(line, date)));
        // A date in a row of a table is that of the row.
        if at < FIRST && !line.ends_with('\t') {
            found.extend(alone(line));
        }
        at += line.len();
    }
    let rest = |date: &&Entity| date.kind == EntityKind::Date && date.range.start as usize >= front.len();
    found.extend(dates.iter().filter(rest).filter_map(|date| in_force(&layout.text, date)));
    let mut seen = std::collections::BTreeSet::new();
    let furniture = layout.furniture.iter().map(|piece| piece.text.as_str());
    for line in furniture.filter(|line| seen.insert(*line)).take(MAX_FURNITURE) {
        versions(line, &mut found);
        for date in entities::dates_of(line) {
            found.extend(dated(line, &date));
        }
    }
    for block in layout.blocks.iter().filter(|block| block.role == Role::Title).take(4) {
        found.extend(year_of_title(layout.slice(block.range)));
    }
    let mut kept: Vec<Edition> = Vec::new();
    for edition in found {
        if kept.len() < MAX_EDITIONS && !kept.contains(&edition) {
            kept.push(edition);
        }
    }
    kept
}

/// The text of the first pages.
fn front(layout: &Layout) -> &str {
    let end = layout.text.floor_char_boundary(FRONT);
    layout.text.slice(..end)
}

fn edition(kind: EditionKind, text: &str, date: Option<String>) -> Edition {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Edition { kind, text, date }
}

/// A date by the words before it or the verb behind it.
fn dated(text: &str, date: &Entity) -> Option<Edition> {
    let range = date.range.to_usize();
    let before = line_before(text, range.start);
    let marks =
        |c: char| c.is_whitespace() || matches!(c, ':' | '：' | '(' | ',' | '.' | '-' | '–' | '—' | '…');
    let words = before.trim_end_matches(marks);
    let words = words.strip_suffix(" the").unwrap_or(words);
    let lower = words.to_ascii_lowercase();
    let kinds = [
        (CONSOLIDATED.as_slice(), EditionKind::Consolidated),
        (EFFECTIVE.as_slice(), EditionKind::Effective),
        (ISSUED.as_slice(), EditionKind::Issued),
    ];
    let leads = kinds.iter().flat_map(|&(leads, kind)| leads.iter().map(move |&lead| (lead, kind)));
    let lead = leads
        .filter(|&(lead, kind)| {
            let front = lower.strip_suffix(lead);
            front.is_some_and(|front| {
                !front.ends_with(char::is_alphanumeric)
                    && (kind == EditionKind::Consolidated || is_of_itself(front))
            })
        })
        .max_by_key(|(lead, _)| lead.len());
    if let Some((lead, kind)) = lead {
        let start = range.start - before.len() + words.len() - lead.len();
        let printed = text.slice(start..range.end);
        return Some(edition(kind, printed, Some(date.value.clone())));
    }
    let behind = text.slice(range.end..);
    let verb = VERBS
        .iter()
        .filter_map(|&(verb, kind)| Some((verb_at(behind, verb)?, verb, kind)))
        .min_by_key(|&(at, _, _)| at);
    let (at, verb, kind) = verb?;
    let end = range.end + at + verb.len();
    Some(edition(kind, text.slice(range.start..end), Some(date.value.clone())))
}

/// True if what stands before a statement leaves it to the text itself: nothing, the end of another statement, or
/// "this Agreement".
fn is_of_itself(front: &str) -> bool {
    let front = front.trim_end();
    front.is_empty()
        || front.ends_with(['(', '—', '–', ':', ';', '|', '.', '“', '"', '['])
        || is_of_this(front)
}

/// True if a statement is one of "this Agreement", a few words before: "this Act shall come", "this Deed was".
fn is_of_this(front: &str) -> bool {
    let Some(at) = ["this ", "these ", "judgment "].iter().filter_map(|word| front.rfind(word)).max() else {
        return false;
    };
    let between: Vec<&str> = front.slice(at..).split_whitespace().skip(1).collect();
    let is_said = matches!(between.last(), Some(&("is" | "was" | "are" | "were" | "been")));
    between.len() <= 3 || is_said && between.len() <= 8
}

/// The date of a line that is nothing but a date, perhaps with its day of the week.
fn alone(line: &str) -> Option<Edition> {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let dates = entities::dates_of(bare);
    let [date] = dates.as_slice() else { return None };
    let range = date.range.to_usize();
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let before = bare.get(..range.start)?.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let is_alone = range.end == bare.len() && (before.is_empty() || days.contains(&before.as_str()));
    is_alone.then(|| edition(EditionKind::Issued, bare, Some(date.value.clone())))
}

/// Position of a verb behind a date, before anything that ends its clause.
fn verb_at(behind: &str, verb: &str) -> Option<usize> {
    let stops = ['）', ')', '。', '；', '，', '\n', '年'];
    let end = behind.char_indices().take(BEHIND).find(|(_, c)| stops.contains(c));
    let end = end.or_else(|| behind.char_indices().nth(BEHIND)).map_or(behind.len(), |(at, _)| at);
    behind.get(..end)?.find(verb)
}

/// "本法自2006年1月1日起施行" anywhere; "shall come into force on …" of a part of an Act is no date of the Act.
fn in_force(text: &str, date: &Entity) -> Option<Edition> {
    let range = date.range.to_usize();
    let before = line_before(text, range.start);
    let own = before.strip_suffix('自')?;
    let of =
        ["本法", "本条例", "本办法", "本规定", "本细则", "本规则", "本决定", "本规程", "本通则", "本解释"];
    let stands = of.iter().any(|name| own.ends_with(name));
    let behind = text
        .get(range.end..)
        .is_some_and(|behind| behind.starts_with("起施行") || behind.starts_with("起生效"));
    (stands && behind).then(|| {
        let start = range.start - '自'.len_utf8();
        let printed = text.slice(start..range.end + "起施行".len());
        edition(EditionKind::Effective, printed, Some(date.value.clone()))
    })
}

/// The text before a byte on its line, at most [`BEFORE`] bytes.
fn line_before(text: &str, at: usize) -> &str {
    let from = text.ceil_char_boundary(at.saturating_sub(BEFORE));
    let before = text.slice(from..at);
    before.rsplit(['\n', '\t']).next().unwrap_or_default()
}

/// "VER09.211223", "Version 3.2", "Second Edition", "2021 Edition".
fn versions(text: &str, found: &mut Vec<Edition>) {
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let next = words.get(at + 1).map(|next| next.trim_matches(|c: char| !c.is_alphanumeric()));
            let lower = word.to_ascii_lowercase();
            if let Some(stamp) = stamp(&lower) {
                found.push(edition(EditionKind::Version, word, stamp));
            } else if lower == "version" || lower == "edition" {
                let numbered = |next: &&str| {
                    next.len() <= 12
                        && next.starts_with(|c: char| c.is_ascii_digit())
                        && next.bytes().all(|b| b.is_ascii_digit() || b == b'.')
                };
                if let Some(number) = next.filter(numbered) {
                    found.push(edition(EditionKind::Version, &format!("{word} {number}"), year(number)));
                } else if lower == "edition"
                    && let Some(number) = at.checked_sub(1).and_then(|before| words.get(before))
                    && is_ordinal(number)
                {
                    found.push(edition(EditionKind::Version, &format!("{number} {word}"), year(number)));
                }
            }
        }
    }
}

/// "VER09.211223": `None` if it is none, else its date, six figures for day, month, year; or year, month, day
/// where the former are no date.
fn stamp(word: &str) -> Option<Option<String>> {
    // "v1.1" may be the version of anything.
    let number = word.strip_prefix("ver")?.trim_start_matches('.');
    let (version, rest) = match number.split_once(['.', '-', '_']) {
        Some((version, rest)) => (version, rest),
        None => (number, ""),
    };
    let figures = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !figures(version)
        || version.len() > 3
        || !(rest.is_empty() || rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    {
        return None;
    }
    Some(Some(rest).filter(|rest| rest.len() == 6 && figures(rest)).and_then(six_figures))
}

fn six_figures(stamp: &str) -> Option<String> {
    let part = |at: usize| stamp.get(at..at + 2).and_then(|part| part.parse::<u32>().ok());
    let (first, month, last) = (part(0)?, part(2)?, part(4)?);
    let is_date = |day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    if is_date(first) {
        return Some(format!("{}-{month:02}-{first:02}", 2000 + last));
    }
    is_date(last).then(|| format!("{}-{month:02}-{last:02}", 2000 + first))
}

fn is_ordinal(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let spelled =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let numbered = ["st", "nd", "rd", "th"].iter().any(|suffix| {
        lower
            .strip_suffix(suffix)
            .is_some_and(|n| !n.is_empty() && n.len() <= 3 && n.bytes().all(|b| b.is_ascii_digit()))
    });
    spelled.contains(&lower.as_str()) || numbered || year(&lower).is_some()
}

fn year(word: &str) -> Option<String> {
    let value = word.parse::<u32>().ok().filter(|_| word.len() == 4)?;
    (1800..2200).contains(&value).then(|| word.to_owned())
}

/// The year at the end of a title: "Harbour Dues Act 2019", "港口法（2018年修正）".
fn year_of_title(title: &str) -> Option<Edition> {
    let title = title.trim();
    if let Some(open) = title.rfind(['（', '('])
        && let Some(inner) = title.get(open..).map(|inner| inner.trim_matches(['（', '）', '(', ')', ' ']))
        && let Some((front, verb)) = inner.split_once('年').or_else(|| inner.split_at_checked(4))
        && let Some(date) = year(front)
        && VERBS.iter().any(|(known, kind)| *kind == EditionKind::Consolidated && verb.contains(known))
    {
        return Some(edition(EditionKind::Consolidated, inner, Some(date)));
    }
    if let Some(date) = entities::dates_of(title).pop() {
        return Some(edition(EditionKind::Issued, title, Some(date.value)));
    }
    let last = title.split_whitespace().next_back()?;
    let bare = last.trim_matches(|c: char| !c.is_ascii_digit());
    let date = year(bare).filter(|_| title.contains(' ') && bare.len() + 2 >= last.len())?;
    Some(edition(EditionKind::Issued, title, Some(date)))
}

#[cfg(test)]
mod tests {
    use document::{Block, BlockKind, BlockStyle, Furniture, FurnitureKind, PageId, Rect, TextRange};

    use super::*;

    fn read(text: &str, furniture: &[&str]) -> Vec<(EditionKind, String, Option<String>)> {
        let mut layout = Layout { text: text.to_owned(), ..Layout::default() };
        let title = text.split('\n').next().unwrap_or_default().len();
        layout.blocks.push(Block {
            kind: BlockKind::Heading,
            role: Role::Title,
            range: TextRange::new(0, title),
            style: BlockStyle::default(),
            marker: None,
        });
        layout.furniture = furniture
            .iter()
            .map(|text| Furniture {
                kind: FurnitureKind::Footer,
                text: (*text).to_owned(),
                page: PageId(0),
                rect: Rect::default(),
            })
            .collect();
        let dates = entities::collect(&layout);
        collect(&layout, &dates)
            .into_iter()
            .map(|edition| (edition.kind, edition.text, edition.date))
            .collect()
    }

    use EditionKind::{Consolidated, Effective, Issued, Version};

    /// Text; the kind of its edition, its words, its date.
    const EDITIONS: &[(&str, EditionKind, &str, Option<&str>)] = &[
        ("Berth Rules\nVER09.211223", Version, "VER09.211223", Some("2023-12-21")),
        ("Berth Rules\n(VER3.311299)", Version, "VER3.311299", Some("2099-12-31")),
        ("Berth Rules\nVersion 3.2", Version, "Version 3.2", None),
        ("Berth Rules\nSecond Edition", Version, "Second Edition", None),
        ("Berth Rules\n2021 Edition", Version, "2021 Edition", Some("2021")),
        (
            "Dues Act\nas amended to 1 July 2023",
            Consolidated,
            "as amended to 1 July 2023",
            Some("2023-07-01"),
        ),
        (
            "Dues Act\nConsolidated up to: 1 July 2023",
            Consolidated,
            "Consolidated up to: 1 July 2023",
            Some("2023-07-01"),
        ),
        (
            "Dues Act\nEffective Date: 31 July 2024",
            Effective,
            "Effective Date: 31 July 2024",
            Some("2024-07-31"),
        ),
        ("Dues Act\nIn force from 5 May 2020", Effective, "In force from 5 May 2020", Some("2020-05-05")),
        (
            "Ports Order\nMade - - - - 8th August 2024",
            Issued,
            "Made - - - - 8th August 2024",
            Some("2024-08-08"),
        ),
        (
            "Berth Lease\nThis Lease (this “Lease”) is entered into as of June 12, 2019.",
            Issued,
            "is entered into as of June 12, 2019",
            Some("2019-06-12"),
        ),
        (
            "Port v. Boat\nArgued April 23, 2013—Decided June 13, 2013",
            Issued,
            "Decided June 13, 2013",
            Some("2013-06-13"),
        ),
        ("Port v. Boat\nThursday, August 6, 2020", Issued, "Thursday, August 6, 2020", Some("2020-08-06")),
        ("Dues Act\nDated 5 May 2020", Issued, "Dated 5 May 2020", Some("2020-05-05")),
        ("Harbour Dues Act 2019\nAn Act about dues.", Issued, "Harbour Dues Act 2019", Some("2019")),
        (
            "港口法\n（2003年6月28日第十届全国人民代表大会常务委员会第三次会议通过）",
            Issued,
            "2003年6月28日第十届全国人民代表大会常务委员会第三次会议通过",
            Some("2003-06-28"),
        ),
        ("港口法（2018年修正）\n总则", Consolidated, "2018年修正", Some("2018")),
    ];

    #[test]
    fn what_is_said_of_an_edition_is_read() {
        for (text, kind, printed, date) in EDITIONS {
            let expected = (*kind, (*printed).to_owned(), date.map(str::to_owned));
            let found = read(text, &[]);
            assert!(found.contains(&expected), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn furniture_says_it_too_and_a_last_article_says_from_when_a_law_holds() {
        let found = read("Berth Rules\nA berth is given.", &["Berth Rules VER10.020823", "Page 3"]);
        assert_eq!(found, [(EditionKind::Version, "VER10.020823".to_owned(), Some("2023-08-02".to_owned()))]);
        let long = format!(
            "港口法\n{}\n第六十一条 本法自2004年1月1日起施行。",
            "港口经营人应当依法经营。".repeat(300)
        );
        let found = read(&long, &[]);
        assert_eq!(
            found,
            [(EditionKind::Effective, "自2004年1月1日起施行".to_owned(), Some("2004-01-01".to_owned()))]
        );
    }

    #[test]
    fn other_dates_and_numbers_are_no_editions() {
        for text in [
            "Berth Rules\nA vessel built before 1 July 2023 pays nothing.",
            "Berth Rules\nThe contract of 5 May 2020 is void.",
            "Berth Rules\nSee v. 12 of the report and note v3.",
            "Berth Rules\nThe last edition of the list.",
            "Berth Rules\nFees under the law dated 15 June 2004 and Notice 7, dated December 20, 2021, are void.",
            "Berth Rules\nThis Rule applies to any vessel built or made on 5 May 2020.",
            "Berth Rules\nData of SQuAD v1.1.",
            "Invoice 2019-17\nDues for berths",
        ] {
            assert_eq!(read(text, &[]), [], "{text}");
        }
    }
}
