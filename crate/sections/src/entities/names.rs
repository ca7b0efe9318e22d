//! Authorities and organisations by the words that end or open their names: "… Regulatory Authority", "Court
//! of Appeal", "Ministry of …", 人民法院; "… Ltd", "… LLC", 有限公司.

use document::{Entity, EntityKind, Slice as _, TextRange};
use text::{is_cjk, steps};

/// Most words of a name.
const MAX_WORDS: usize = 12;

/// Last (or, with "of", first) words of authorities. Sorted.
const AUTHORITIES: &[&str] = &[
    "Agency",
    "Authorities",
    "Authority",
    "Bureau",
    "Commission",
    "Council",
    "Court",
    "Courts",
    "Directorate",
    "Ministry",
    "Parliament",
    "Supervisor",
    "Tribunal",
];

/// Words that name an authority only with "of" and a name behind.
const WITH_OF: &[&str] = &["Bank", "Board", "Department", "Office"];

/// Last words of organisations, without the stop. Sorted.
const ORGANISATIONS: &[&str] = &[
    "AG",
    "B.V",
    "BV",
    "Corp",
    "Corporation",
    "GmbH",
    "Inc",
    "Incorporated",
    "KG",
    "L.L.C",
    "L.P",
    "LLC",
    "LLP",
    "LP",
    "Limited",
    "Ltd",
    "N.A",
    "N.V",
    "NV",
    "PJSC",
    "PLC",
    "Pty",
    "S.A",
    "S.p.A",
    "SA",
    "SE",
    "SpA",
    "plc",
];

/// A word of a line.
struct Word<'t> {
    start: usize,
    /// Without punctuation behind it.
    end: usize,
    text: &'t str,
    /// True if punctuation (or a bracket) stands between it and the next.
    stop: bool,
    /// True if that is a comma alone.
    comma: bool,
}

/// Adds the names of a line that begins at byte `base`.
pub(super) fn scan(line: &str, base: usize, found: &mut Vec<Entity>) {
    let words = words(line);
    let mut floor = 0;
    for at in 0..words.len() {
        steps::count(1);
        if at < floor {
            continue;
        }
        let Some(word) = words.get(at) else { break };
        let name = if ORGANISATIONS.binary_search(&word.text).is_ok() {
            organisation(&words, at, floor).map(|name| (EntityKind::Organisation, name))
        } else if AUTHORITIES.binary_search(&word.text).is_ok() || WITH_OF.contains(&word.text) {
            authority(&words, at, floor).map(|name| {
                // "Farmers Bank of Town Limited" is a company.
                let last = words.get(name.1).map_or("", |word| word.text);
                let company = ORGANISATIONS.binary_search(&last).is_ok();
                (if company { EntityKind::Organisation } else { EntityKind::Authority }, name)
            })
        } else {
            None
        };
        let Some((kind, (first, last))) = name else { continue };
        let (Some(start), Some(end)) = (words.get(first), words.get(last)) else { continue };
        // "Inc." keeps its stop: it is part of the name.
        let mut end = end.end;
        if line.get(end..).is_some_and(|rest| rest.starts_with('.')) {
            let suffix = words.get(last).map_or("", |word| word.text);
            let closes = line.get(end + 1..).is_none_or(|rest| rest.trim().is_empty());
            let short = matches!(suffix, "Inc" | "Corp" | "Ltd" | "Pty") && !closes;
            end += usize::from(short || suffix.contains('.'));
        }
        let value = line.slice(start.start..end);
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        found.push(entity(kind, base + start.start..base + end, value));
        floor = last + 1;
    }
    if !line.is_ascii() {
        chinese(line, base, found);
    }
}

fn words(line: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut start = 0;
    for piece in line.split_inclusive([' ', '\u{a0}', '\n', '\t']) {
        steps::count(piece.len());
        let body = piece.trim_end();
        let open = body.len() - body.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '&').len();
        let bare = body.slice(open..);
        let core = bare.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '&');
        let core = core.strip_suffix("'s").or_else(|| core.strip_suffix("’s")).unwrap_or(core);
        if open > 0
            && let Some(last) = words.last_mut()
        {
            last.stop = true;
            last.comma = false;
        }
        if !core.is_empty() {
            let tail = bare.slice(core.len()..);
            let from = start + open;
            words.push(Word {
                start: from,
                end: from + core.len(),
                text: core,
                stop: !tail.is_empty(),
                comma: tail == ",",
            });
        } else if let Some(last) = words.last_mut() {
            last.stop = true;
        }
        start += piece.len();
    }
    words
}

fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase())
}

fn is_lead(word: &str) -> bool {
    matches!(
        word,
        "The"
            | "A"
            | "An"
            | "Any"
            | "Each"
            | "Every"
            | "This"
            | "That"
            | "Under"
            | "In"
            | "If"
            | "Where"
            | "When"
            | "By"
            | "For"
            | "To"
            | "Such"
            | "No"
            | "On"
            | "At"
            | "And"
            | "Or"
            | "See"
            | "As"
            | "Between"
            | "From"
            | "Of"
            | "With"
            | "All"
            | "Other"
            | "Competent"
            | "Relevant"
            | "Upon"
            | "Pursuant"
            | "Whether"
            | "Our"
            | "Its"
    )
}

/// The first word of the run of capitalised words that ends before `at`.
fn run_before(words: &[Word<'_>], at: usize, floor: usize, joined: bool) -> usize {
    let mut first = at;
    let mut i = at;
    while i > floor && at - i < MAX_WORDS {
        steps::count(1);
        let Some(before) = words.get(i - 1) else { break };
        let closed =
            before.stop && !(before.text.len() <= 3 && !before.comma && is_capital(before.text) && joined);
        if closed {
            break;
        }
        if is_capital(before.text) && !is_lead(before.text) {
            first = i - 1;
        } else if !(matches!(before.text, "of" | "and" | "for" | "&" | "the") && joined) {
            break;
        }
        i -= 1;
    }
    first
}

/// "Acme Holdings, Inc.", "First Bank of Town N.A.".
fn organisation(words: &[Word<'_>], at: usize, floor: usize) -> Option<(usize, usize)> {
    let mut from = at;
    // "Acme Pty Ltd", "Acme Co., Ltd.": one suffix before another, and a comma before the last.
    while from > floor && at - from < MAX_WORDS {
        steps::count(1);
        let before = words.get(from - 1)?;
        let suffix = ORGANISATIONS.binary_search(&before.text).is_ok() || before.text == "Co";
        if suffix || (from == at && before.comma && is_capital(before.text)) {
            from -= 1;
            if !suffix {
                break;
            }
        } else {
            break;
        }
    }
    let first = if from < at && !words.get(from)?.stop || from == at {
        run_before(words, from, floor, false)
    } else {
        run_before(words, from, floor, false).min(from)
    };
    let named =
        (first..at).any(|i| words.get(i).is_some_and(|word| is_capital(word.text) && word.text.len() > 1));
    // "Private Limited" alone, "the Limited": no name.
    (named && first < at && words.get(first).is_some_and(|word| word.text != "Private"))
        .then_some((first, at))
}

/// "Financial Conduct Authority", "Court of Appeal", "Ministry of Finance".
fn authority(words: &[Word<'_>], at: usize, floor: usize) -> Option<(usize, usize)> {
    let head = words.get(at)?;
    let mut last = at;
    if !head.stop
        && words.get(at + 1).is_some_and(|next| matches!(next.text, "of" | "for" | "on") && !next.stop)
    {
        let skip = usize::from(words.get(at + 2).is_some_and(|word| word.text == "the" && !word.stop));
        let mut i = at + 2 + skip;
        while i < at + MAX_WORDS {
            steps::count(1);
            let Some(word) = words.get(i) else { break };
            let next = words.get(i + 1);
            if matches!(word.text, "Directors" | "Managers" | "Trustees" | "Supervisors") {
                // An organ of a company.
                return None;
            }
            if is_capital(word.text) {
                last = i;
            } else if !(matches!(word.text, "of" | "and" | "for" | "the" | "&")
                && next.is_some_and(|next| is_capital(next.text) || next.text == "the"))
            {
                break;
            }
            // "Department for Environment, Food and Rural Affairs".
            let listed = word.comma
                && matches!(head.text, "Department" | "Ministry")
                && (i + 1..i + 5).any(|j| {
                    words.get(j).is_some_and(|and| and.text == "and")
                        && words.get(j + 1).is_some_and(|next| is_capital(next.text))
                        && (i + 1..j).all(|k| words.get(k).is_some_and(|word| is_capital(word.text)))
                });
            if word.stop && !listed {
                break;
            }
            i += 1;
        }
    }
    // "Securities and Exchange Commission" has a connector; "the Company and the Court" has not one name.
    let mut first = run_before(words, at, floor, true);
    if (first..at).any(|i| words.get(i).is_some_and(|word| word.text == "the")) {
        first = run_before(words, at, floor, false);
    }
    if WITH_OF.contains(&head.text) && last == at {
        return None;
    }
    // One that is named by a title alone ("the Court", "Regulatory Authority" has two words) is none.
    (first < at || last > at).then_some((first, last))
}

/// Suffixes of Chinese names, with their kind; the longest first.
const CHINESE: &[(&str, EntityKind)] = &[
    ("有限责任公司", EntityKind::Organisation),
    ("股份有限公司", EntityKind::Organisation),
    ("有限公司", EntityKind::Organisation),
    ("合伙企业", EntityKind::Organisation),
    ("会计师事务所", EntityKind::Organisation),
    ("律师事务所", EntityKind::Organisation),
    ("人民法院", EntityKind::Authority),
    ("人民检察院", EntityKind::Authority),
    ("监督管理委员会", EntityKind::Authority),
    ("仲裁委员会", EntityKind::Authority),
    ("监督管理总局", EntityKind::Authority),
    ("监督管理局", EntityKind::Authority),
    ("人民政府", EntityKind::Authority),
    ("税务总局", EntityKind::Authority),
    ("证监会", EntityKind::Authority),
    ("国务院", EntityKind::Authority),
    ("全国人民代表大会常务委员会", EntityKind::Authority),
    ("全国人民代表大会", EntityKind::Authority),
    ("中国人民银行", EntityKind::Authority),
    ("财政部", EntityKind::Authority),
    ("司法部", EntityKind::Authority),
    ("商务部", EntityKind::Authority),
];

/// Characters that no name holds: particles, verbs, marks, and common words that stand before one.
const BOUNDARY: &str = "的了是由向在对和与及或被为从将把经据按依照到至于以其该各本当可应须有因所使让给受等并且但如若则即报送，。；：、（）()《》“”\"' \u{3000}";

fn chinese(line: &str, base: usize, found: &mut Vec<Entity>) {
    const MAX_BEFORE: usize = 20;
    let mut at = 0;
    let mut floor = 0;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        steps::count(1);
        let rest = line.slice(at..);
        let suffix =
            if is_cjk(c) { CHINESE.iter().find(|(suffix, _)| rest.starts_with(suffix)) } else { None };
        let Some(&(suffix, kind)) = suffix else {
            at += c.len_utf8();
            continue;
        };
        let before = line.slice(floor..at);
        let start = before
            .char_indices()
            .rev()
            .take(MAX_BEFORE)
            .take_while(|&(_, c)| is_cjk(c) && !BOUNDARY.contains(c))
            .last()
            .map_or(at, |(n, _)| floor + n);
        steps::count(at - start.min(at));
        let end = at + suffix.len();
        // A company needs a name of its own; 国务院 is one.
        let generic = start == at
            && (kind == EntityKind::Organisation
                || matches!(suffix, "监督管理委员会" | "监督管理局" | "监督管理总局"));
        if !generic && start >= floor {
            let value = line.slice(start..end).to_owned();
            found.push(entity(kind, base + start..base + end, value));
        }
        (at, floor) = (end, end);
    }
}

/// An entity at a byte range.
pub(super) fn entity(kind: EntityKind, range: std::ops::Range<usize>, value: String) -> Entity {
    Entity { kind, range: TextRange::new(range.start, range.end), value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(AUTHORITIES.is_sorted());
        assert!(ORGANISATIONS.is_sorted());
    }
}
