//! Blocks that open a section: heading blocks, short blocks that the outline names, run-in provisions.
//!
//! The layout says what looks like a heading; the outline and the numbering add what only looks like a
//! paragraph. A heading that is nothing but a number ("PART 1") takes the heading after it as its title.
//! Cost: linear in the text of headings and the first bytes of paragraphs.

use std::collections::{HashMap, HashSet};

use document::{Block, BlockKind, Layout, OutlineItem, PageId, Role, Slice as _};

use crate::contents;
use crate::heading::Heading;
use crate::numbering::{self, Kind, Number};
use crate::run_in;

/// Longest text of a block that the outline can make a heading, in bytes.
const MAX_OUTLINE_HEADING: usize = 240;
/// Most bytes of a heading that become its title.
const MAX_TITLE: usize = 400;

/// Fewest headings above the numbers of provisions that make it the document's way.
const MIN_HEADED: usize = 2;

/// The headings of the document in reading order.
pub(crate) fn collect(layout: &Layout, outline: &[OutlineItem]) -> Vec<Heading> {
    let mut titles = OutlineTitles::new(outline);
    let provisions = run_in::find(layout);
    let mut provisions = provisions.into_iter().peekable();
    let mut headings: Vec<Heading> = Vec::new();
    let title = layout.blocks.iter().find(|block| block.role == Role::Title);
    let title = title.map(|block| key(layout.slice(block.range))).filter(|title| !title.is_empty());
    for (at, block) in layout.blocks.iter().enumerate() {
        let provision = provisions.next_if(|provision| provision.block == at);
        let text = layout.slice(block.range);
        let is_heading = block.kind == BlockKind::Heading && block.role != Role::Title;
        let may_be =
            matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem) && block.role == Role::Body;
        let page = || layout.words.words_in(block.range).next().map(|word| word.page);
        let named = (is_heading || may_be && text.len() <= MAX_OUTLINE_HEADING)
            .then(|| titles.level(text, page()))
            .flatten();
        // The title may stand above the text again.
        let is_title = is_heading && title.as_ref().is_some_and(|title| *title == key(text));
        if (is_heading || named.is_some()) && !is_tail(block, text) && !is_title {
            let heading = whole(at, block, text, named, page());
            match headings.last_mut().filter(|last| takes_title(last, &heading)) {
                Some(last) => join(last, heading),
                None => headings.push(heading),
            }
        } else if let Some(provision) = provision {
            headings.push(Heading {
                block: at,
                range: provision.range,
                title: one_line(layout.slice(provision.range)),
                number: Some(provision.number),
                style: block.style,
                run_in: true,
                outline: None,
                page: page(),
            });
        }
    }
    join_provisions(&mut headings);
    settle_letters(&mut headings);
    settle_figures(&mut headings);
    contents::remove_entries(layout, &mut headings);
    headings
}

/// Gives headings the numbers of the provisions below them, where a document sets the heading of a provision in a
/// line of its own above the number ("Interpretation" above "2.—(1) In this Act…"), as United Kingdom law does.
fn join_provisions(headings: &mut Vec<Heading>) {
    let heads = |heading: &Heading, provision: &Heading| {
        !heading.run_in
            && heading.number.is_none()
            && provision.run_in
            && provision.block == heading.block + 1
    };
    let is_bare = |heading: &Heading| {
        heading.number.as_ref().is_some_and(|number| {
            matches!(number.kind, Kind::Arabic | Kind::Sign | Kind::Tiao) && number.end >= heading.range.len()
        })
    };
    let n_joined = headings.windows(2).filter(|pair| heads(&pair[0], &pair[1]) && is_bare(&pair[1])).count();
    let n_bare = headings.iter().filter(|heading| heading.run_in && is_bare(heading)).count();
    // Paragraphs of a pleading are numbered through, several under a heading.
    let n_shared = headings
        .windows(3)
        .filter(|of| heads(&of[0], &of[1]) && is_bare(&of[1]) && of[2].run_in && is_bare(&of[2]))
        .count();
    if n_joined < MIN_HEADED || n_joined * 3 < n_bare || n_shared * 2 >= n_joined {
        return;
    }
    let mut joined: Vec<Heading> = Vec::with_capacity(headings.len());
    for heading in headings.drain(..) {
        match joined.last_mut() {
            Some(last) if heads(last, &heading) && is_bare(&heading) => {
                last.title = format!("{} {}", heading.title, last.title);
                last.number = heading.number;
            }
            _ => joined.push(heading),
        }
    }
    *headings = joined;
}

/// A figure that nothing closes ("14 CFR Part 39") numbers a heading only if another continues it.
fn settle_figures(headings: &mut [Heading]) {
    let bare = |heading: &Heading| {
        heading.number.as_ref().filter(|number| number.kind == Kind::Arabic).map(Number::last)
    };
    let values: HashSet<u32> = headings.iter().filter_map(bare).collect();
    for heading in headings {
        let Some(number) =
            heading.number.as_ref().filter(|number| number.kind == Kind::Arabic && !number.closed)
        else {
            continue;
        };
        let n = number.last();
        if !values.contains(&(n + 1)) && !n.checked_sub(1).is_some_and(|before| values.contains(&before)) {
            heading.number = None;
        }
    }
}

fn whole(at: usize, block: &Block, text: &str, outline: Option<u8>, page: Option<PageId>) -> Heading {
    let number = numbering::parse(text)
        .filter(|number| is_heading_number(number, text))
        .or_else(|| numbering::unnumbered(text))
        .or_else(|| numbering::bare(text));
    Heading {
        block: at,
        range: block.range,
        title: one_line(text),
        number,
        style: block.style,
        run_in: false,
        outline,
        page,
    }
}

/// True if a block is the last line of a sentence that was taken for a heading: "Part 19." in plain type.
fn is_tail(block: &Block, text: &str) -> bool {
    let plain = !(block.style.bold || block.style.caps || block.style.centered);
    plain
        && text.ends_with('.')
        && numbering::parse(text).is_some_and(|number| number.kind.is_container() && number.end == text.len())
}

/// True if a number in front of a heading numbers it: "2024 No. 853" and "19 members" are no numbered headings.
fn is_heading_number(number: &Number, text: &str) -> bool {
    let rest = text.slice(number.end..).trim_start();
    match number.kind {
        Kind::Arabic => {
            number.last() < 1_000
                && (number.closed || rest.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()))
        }
        Kind::Decimal => !rest.starts_with(char::is_lowercase),
        _ => true,
    }
}

/// True if `last` is a number alone and `next`, the block after it, its title.
fn takes_title(last: &Heading, next: &Heading) -> bool {
    let bare = last.number.as_ref().is_some_and(|number| number.end >= last.title.len());
    bare && !last.run_in && next.number.is_none() && next.block == last.block + 1
}

fn join(last: &mut Heading, next: Heading) {
    last.range.end = next.range.end;
    last.title = format!("{} {}", last.title, next.title);
    last.outline = last.outline.or(next.outline);
}

fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        let room = MAX_TITLE.saturating_sub(line.len());
        if word.len() > room {
            line.extend(word.chars().take(room / 4));
            break;
        }
        line.push_str(word);
    }
    line
}

/// Decides for each "I." whether it is a numeral or the letter after "H.", by the last heading of either kind.
fn settle_letters(headings: &mut [Heading]) {
    let mut last_letter: HashMap<Kind, u32> = HashMap::new();
    let mut last_roman: HashMap<Kind, u32> = HashMap::new();
    for heading in headings {
        let Some(number) = heading.number.take() else { continue };
        let (letters, romans) = match number.kind {
            Kind::Roman | Kind::Letter => (Kind::Letter, Kind::Roman),
            Kind::ParenRoman | Kind::ParenLetter => (Kind::ParenLetter, Kind::ParenRoman),
            _ => {
                heading.number = Some(number);
                continue;
            }
        };
        let number = match number.letter {
            Some(letter) => {
                let follows_letter = last_letter.get(&letters).is_some_and(|&last| last + 1 == letter);
                let follows_roman = last_roman.get(&romans).is_some_and(|&last| last + 1 == number.last());
                // C and D are letters unless they continue a hundred numerals.
                let is_letter = !follows_roman && (follows_letter || number.last() > 20);
                if is_letter { number.into_letter() } else { number }
            }
            None => number,
        };
        if number.kind == letters {
            last_letter.insert(letters, number.last());
        } else {
            last_roman.insert(romans, number.last());
            last_letter.remove(&letters);
        }
        heading.number = Some(number);
    }
}

/// The outline's titles, found by their letters and digits and, where it says one, the page.
struct OutlineTitles {
    by_key: HashMap<String, Vec<(Option<PageId>, u8)>>,
}

impl OutlineTitles {
    fn new(items: &[OutlineItem]) -> Self {
        let mut by_key: HashMap<String, Vec<(Option<PageId>, u8)>> = HashMap::new();
        // Backwards, so that the last entry is the first that is used up.
        for item in items.iter().rev() {
            let key = key(&item.title);
            if key.chars().count() >= 2 && item.title.len() <= MAX_OUTLINE_HEADING {
                by_key.entry(key).or_default().push((item.page, item.level.clamp(1, 32)));
            }
        }
        Self { by_key }
    }

    /// The level of the item with this title on this page; a title that occurs more than once is used up in
    /// order.
    fn level(&mut self, text: &str, page: Option<PageId>) -> Option<u8> {
        if self.by_key.is_empty() || text.len() > MAX_OUTLINE_HEADING {
            return None;
        }
        let entries = self.by_key.get_mut(&key(text))?;
        let &(at, level) = entries.last()?;
        let near = match (at, page) {
            (Some(at), Some(page)) => at == page,
            _ => true,
        };
        if near {
            entries.pop();
            return Some(level);
        }
        // Bookmarks out of order are rare; a table of contents before the heading is common: leave them.
        let found = entries.iter().rposition(|&(at, _)| at.is_some() && at == page)?;
        Some(entries.remove(found).1)
    }
}

/// Letters and digits in lower case: outlines and pages differ in spaces, dashes and quotes.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
