//! One sentence of an answer against its sources: the steps that [`super::check`] takes.

use std::collections::BTreeSet;
use std::ops::Range;

use document::TextRange;

use super::figures::{self, Known};
use super::key::Key;
use super::marks::Mark;
use super::modals::{self, Modal};
use super::quotes::Quote;
use super::shelf::{Found, Shelf};
use super::support::{self, Carrier, Carriers};
use super::words::Words;
use super::{Checked, Piece, Quotation, Source, Status, Unsupported, UnsupportedKind};
use super::{repair, stitch, units};

/// Most unknown numbers that are listed of a sentence.
const MAX_UNKNOWN: usize = 8;
/// Words from which a quotation is a claim; a Chinese character counts for half of one.
const CLAIM_WORDS: usize = 3;

/// What a source has, besides words.
#[derive(Debug)]
struct Content {
    carriers: Carriers,
    figures: Known,
    modals: BTreeSet<Modal>,
    denies: bool,
}

/// The answer being checked.
pub(super) struct Checker<'a> {
    answer: &'a str,
    marks: &'a [Mark],
    shelf: Shelf<'a>,
    /// All numbers that exist, also past the end of the shelf.
    ids: BTreeSet<u32>,
    /// Of each source on the shelf, once it was asked for.
    contents: Vec<Option<Content>>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(answer: &'a str, marks: &'a [Mark], sources: &[Source<'a>]) -> Self {
        let shelf = Shelf::new(sources);
        let contents = shelf.items.iter().map(|_| None).collect();
        Self { answer, marks, shelf, ids: sources.iter().map(|source| source.id).collect(), contents }
    }

    /// Checks one unit.
    pub(super) fn unit(&mut self, unit: Range<usize>, quotes: &[Quote]) -> Checked {
        let marks = marks_in(self.marks, &unit);
        let (sources, unknown) = self.named(marks);
        let first = quotes.partition_point(|quote| quote.outer.start < unit.start);
        let quotes: Vec<&Quote> =
            quotes.iter().skip(first).take_while(|quote| quote.outer.start < unit.end).collect();
        let quotations: Vec<Quotation> =
            quotes.iter().map(|quote| self.quotation(quote, marks, &sources, &unknown)).collect();
        let mut checked = Checked {
            range: unit,
            sources,
            unknown,
            quotations,
            support: Vec::new(),
            unsupported: Vec::new(),
        };
        if !checked.sources.is_empty() {
            self.read_sources(&checked);
            self.support(&mut checked, &quotes);
        }
        checked
    }

    /// The sources that marks name and that exist, and the other numbers.
    fn named(&self, marks: &[Mark]) -> (Vec<u32>, Vec<u32>) {
        let (mut sources, mut unknown) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for &(first, last) in marks.iter().flat_map(|mark| &mark.ids) {
            let known: Vec<u32> = self.ids.range(first..=last).copied().collect();
            // Of a range, as many numbers as are listed at most need to be looked at.
            let missing = (first..=last).take(MAX_UNKNOWN + known.len()).filter(|id| !self.ids.contains(id));
            for id in missing {
                if unknown.len() < MAX_UNKNOWN && !unknown.contains(&id) {
                    unknown.push(id);
                }
            }
            sources.extend(known.into_iter().filter(|&id| seen.insert(id)));
        }
        (sources, unknown)
    }

    fn places(&self, sources: &[u32]) -> Vec<usize> {
        sources.iter().filter_map(|&id| self.shelf.place(id)).collect()
    }

    /// Finds one quotation. A mark that follows it directly names its sources, else all marks of the sentence do.
    fn quotation(&self, quote: &Quote, marks: &[Mark], sources: &[u32], unknown: &[u32]) -> Quotation {
        let (direct, missing) = self.named(self.following(quote, marks));
        let is_direct = !direct.is_empty() || !missing.is_empty();
        let named = self.places(if is_direct { &direct } else { sources });
        let is_named = is_direct || !sources.is_empty() || !unknown.is_empty();
        let words = Words::new(self.answer, quote, marks);
        let whole = Key::new(&words.text);
        let n_words: usize =
            whole.words().iter().map(|word| if is_cjk_word(whole.slice(word.clone())) { 1 } else { 2 }).sum();
        let mut quotation = Quotation {
            range: words.range.clone(),
            status: Status::NotFound,
            pieces: Vec::new(),
            words: None,
            is_term: n_words < 2 * CLAIM_WORDS,
        };
        let verbatim = |key: &Key| verbatim(&self.shelf, key, &named);
        let (parts, inserts) = words.parts();
        let whole_parts = if inserts { &[] } else { parts.as_slice() };
        let candidates = [
            Some((whole, words.range.clone())),
            words.only(whole_parts).map(|(text, range)| (Key::new(&text), range)),
            words.without_comma(whole_parts).map(|(text, range)| (Key::new(&text), range)),
            words.without_attribution(self.answer).map(|(text, range)| (Key::new(&text), range)),
        ];
        for (key, range) in candidates.iter().flatten() {
            let Some(found) = verbatim(key) else { continue };
            let Some(piece) = self.shelf.piece(&found) else { continue };
            let is_here = !is_named || named.contains(&found.item);
            quotation.status = if is_here { Status::Verified } else { Status::Misattributed };
            (quotation.range, quotation.pieces) = (range.clone(), vec![piece]);
            return quotation;
        }
        if parts.len() > 1 || inserts {
            let texts: Vec<String> = parts.into_iter().map(|(text, _)| text).collect();
            if let Some(found) = stitch::elided(&self.shelf, &texts, &named) {
                quotation.status = Status::Stitched;
                quotation.pieces = found.iter().filter_map(|found| self.shelf.piece(found)).collect();
            }
            return quotation;
        }
        let Some((key, range)) = candidates
            .into_iter()
            .flatten()
            .nth(1)
            .or_else(|| Some((Key::new(&words.text), words.range.clone())))
        else {
            return quotation;
        };
        // A quotation is repaired only where its sentence points.
        let may_repair = !is_named || !named.is_empty();
        if let Some(found) = repair::repair(&self.shelf, &key, &named).filter(|_| may_repair)
            && let Some(piece) = self.shelf.piece(&found)
        {
            let item = self.shelf.items.get(found.item);
            let says = item.and_then(|item| item.text.get(piece.range.to_usize())).unwrap_or_default();
            quotation.status = Status::Repaired;
            quotation.words = Some(says.split_whitespace().collect::<Vec<_>>().join(" "));
            (quotation.range, quotation.pieces) = (range, vec![piece]);
        } else if let Some(found) = stitch::run_together(&self.shelf, &key, &named) {
            quotation.status = Status::Stitched;
            quotation.pieces = found.iter().filter_map(|found| self.shelf.piece(found)).collect();
        }
        quotation
    }

    /// The marks directly behind a quotation, with nothing but punctuation between.
    fn following<'m>(&self, quote: &Quote, marks: &'m [Mark]) -> &'m [Mark] {
        let first = marks.partition_point(|mark| mark.range.start < quote.inner.end);
        let mut end = quote.outer.end;
        let mut last = first;
        for mark in marks.iter().skip(first) {
            let gap = self.answer.get(end.min(mark.range.start)..mark.range.start).unwrap_or_default();
            if gap.len() > 16
                || gap.contains(|c: char| {
                    c.is_alphanumeric() || matches!(c, '“' | '"' | '「' | '«' | ';' | '；')
                })
            {
                break;
            }
            end = mark.range.end;
            last += 1;
        }
        marks.get(first..last).unwrap_or_default()
    }

    /// Reads what the sources of a sentence have, once each.
    fn read_sources(&mut self, checked: &Checked) {
        let shown =
            checked.quotations.iter().flat_map(|quotation| &quotation.pieces).map(|piece| piece.source);
        let ids: BTreeSet<u32> = checked.sources.iter().copied().chain(shown).collect();
        for id in ids {
            let Some(place) = self.shelf.place(id) else { continue };
            let (Some(item), Some(content)) = (self.shelf.items.get(place), self.contents.get_mut(place))
            else {
                continue;
            };
            content.get_or_insert_with(|| {
                let mut figures = Known::default();
                figures.add(item.text);
                figures.add(item.context);
                Content {
                    carriers: Carriers::new(item.text),
                    figures,
                    modals: modals::kinds(item.text),
                    denies: !modals::negations(item.text).is_empty(),
                }
            });
        }
    }

    /// Fills in which sentences carry this one, and what none of its sources has.
    fn support(&self, checked: &mut Checked, quotes: &[&Quote]) {
        let own = own_words(self.answer, checked, self.marks, quotes);
        let contents: Vec<(u32, &Content)> = checked
            .sources
            .iter()
            .filter_map(|&id| Some((id, self.contents.get(self.shelf.place(id)?)?.as_ref()?)))
            .collect();
        if contents.is_empty() {
            return;
        }
        let mut carriers: Vec<(u32, Carrier)> = Vec::new();
        if checked.quotations.iter().all(|quotation| quotation.is_term) && !self.shelf.is_spent() {
            let terms = support::terms(&without_marks(self.answer, &checked.range, self.marks));
            for (id, content) in &contents {
                let mut steps = 0;
                carriers.extend(content.carriers.best(&terms, &mut steps).map(|carrier| (*id, carrier)));
                self.shelf.spend(steps);
            }
        }
        checked.support = carriers
            .iter()
            .map(|(id, carrier)| Piece {
                source: *id,
                range: TextRange::new(carrier.range.start, carrier.range.end),
            })
            .collect();

        let mut unsupported: Vec<Unsupported> = Vec::new();
        let mut mark = |kind, range: Range<usize>| unsupported.push(Unsupported { range, kind });
        let shift = |range: Range<usize>| checked.range.start + range.start..checked.range.start + range.end;
        for figure in figures::figures(&own) {
            if !figure.is_word && !contents.iter().any(|(_, content)| content.figures.has(&figure)) {
                mark(figure.kind, shift(figure.range));
            }
        }
        let sentences = |is_close: fn(&Carrier) -> bool| -> Vec<&str> {
            let text = |id: u32| Some(self.shelf.items.get(self.shelf.place(id)?)?.text);
            let close = carriers.iter().filter(|(_, carrier)| is_close(carrier));
            close.filter_map(|(id, carrier)| text(*id)?.get(carrier.range.clone())).collect()
        };
        let restated = sentences(Carrier::is_restated);
        let said: BTreeSet<Modal> =
            sentences(Carrier::is_alike).into_iter().flat_map(modals::kinds).collect();
        for (modal, range) in modals::modals(&own) {
            let in_source = contents.iter().any(|(_, content)| content.modals.contains(&modal));
            // The sentence that says the same says it of another modal: that of a neighbour does not help.
            let is_changed = !said.is_empty() && !said.contains(&modal);
            if !in_source || is_changed {
                mark(UnsupportedKind::Modal, shift(range));
            }
        }
        let denials = modals::negations(&own);
        if let Some(first) = denials.first() {
            let in_source = contents.iter().any(|(_, content)| content.denies);
            let is_added =
                !restated.is_empty() && restated.iter().all(|text| modals::negations(text).is_empty());
            if !in_source || is_added {
                mark(UnsupportedKind::Negation, shift(first.clone()));
            }
        } else if !restated.is_empty() && restated.iter().all(|text| !modals::negations(text).is_empty()) {
            let end = self.answer.get(checked.range.clone()).map_or(0, |text| text.trim_end().len());
            mark(UnsupportedKind::Negation, shift(0..end));
        }
        for quotation in checked.quotations.iter().filter(|quotation| !quotation.is_term) {
            let mut gaps = quotation.pieces.windows(2);
            let skips = quotation.status == Status::Stitched
                && gaps.any(|pair| matches!(pair, [last, next] if self.skips_denial(last, next)));
            if skips || quotation.pieces.iter().any(|piece| self.is_cut_off(piece)) {
                mark(UnsupportedKind::Negation, quotation.range.clone());
            }
        }
        unsupported.sort_by_key(|found| (found.range.start, found.range.end, found.kind));
        unsupported.dedup();
        checked.unsupported = unsupported;
    }

    /// Whether a denial stands in the short gap between two pieces.
    fn skips_denial(&self, last: &Piece, next: &Piece) -> bool {
        /// Longest gap within one provision, in bytes.
        const NEAR: usize = 300;
        let item = self.shelf.place(last.source).and_then(|place| self.shelf.items.get(place));
        let gap = last.range.end as usize..next.range.start as usize;
        let gap = item.filter(|_| last.source == next.source).and_then(|item| item.text.get(gap));
        gap.is_some_and(|gap| gap.len() <= NEAR && !modals::negations(gap).is_empty())
    }

    /// Whether a piece begins right behind a denial of its source, or ends right before one.
    fn is_cut_off(&self, piece: &Piece) -> bool {
        let Some(item) = self.shelf.place(piece.source).and_then(|place| self.shelf.items.get(place)) else {
            return false;
        };
        let near = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            matches!(word.as_str(), "not" | "never" | "no" | "nor" | "neither" | "cannot")
        };
        let range = piece.range.to_usize();
        let before = item.text.get(..range.start).unwrap_or_default();
        let behind = item.text.get(range.end..).unwrap_or_default();
        let last = before.trim_end().rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let first = behind.trim_start().split(|c: char| c.is_whitespace()).next().unwrap_or_default();
        // A stop between parts them.
        let ends = item.text.get(range.clone()).is_some_and(|text| text.ends_with(['.', ';', '。', '；']));
        near(last) && !last.ends_with(['.', ';'])
            || near(first) && !ends && !behind.starts_with(['.', ';'])
            || !ends && behind.starts_with(['不', '未'])
    }
}

/// Where a key stands word for word, asked of the source's own text a second time: the range that is shown must say by
/// itself what was quoted.
pub(super) fn verbatim(shelf: &Shelf<'_>, key: &Key, named: &[usize]) -> Option<Found> {
    let found = shelf.verbatim(key, named)?;
    let piece = shelf.piece(&found)?;
    let item = shelf.items.get(found.item)?;
    let shown = Key::new(item.text.get(piece.range.to_usize())?);
    key.says(&shown).then_some(found)
}

fn is_cjk_word(word: &str) -> bool {
    word.chars().all(text::is_cjk)
}

/// The marks that begin in a range.
pub(super) fn marks_in<'m>(marks: &'m [Mark], range: &Range<usize>) -> &'m [Mark] {
    let first = marks.partition_point(|mark| mark.range.start < range.start);
    let last = marks.partition_point(|mark| mark.range.start < range.end);
    marks.get(first..last.max(first)).unwrap_or_default()
}

/// A range of a text with ranges of it blanked: as long in bytes as it was.
fn blanked(text: &str, range: &Range<usize>, holes: impl Iterator<Item = Range<usize>>) -> String {
    let mut holes: Vec<Range<usize>> = holes.collect();
    holes.sort_by_key(|hole| hole.start);
    let mut out = String::with_capacity(range.len());
    let mut at = range.start;
    for hole in holes {
        let (start, end) = (hole.start.clamp(at, range.end), hole.end.clamp(at, range.end));
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str(&" ".repeat(end - start));
        at = end;
    }
    out.push_str(text.get(at..range.end).unwrap_or_default());
    out
}

fn without_marks(answer: &str, range: &Range<usize>, marks: &[Mark]) -> String {
    blanked(answer, range, marks_in(marks, range).iter().map(|mark| mark.range.clone()))
}

/// The words of a unit that are the model's: without marks, without the number of a list, and without quotations that
/// stand in a source, whose words need no further support.
fn own_words(answer: &str, checked: &Checked, marks: &[Mark], quotes: &[&Quote]) -> String {
    let range = &checked.range;
    let text = answer.get(range.clone()).unwrap_or_default();
    let label = if units::is_bullet(text) {
        let bare = text.trim_start();
        let first = bare.find(char::is_whitespace).unwrap_or(0);
        // Chinese numbers of a list stand without a space.
        let mark = text::wording::list_marker(bare).map_or(first, str::len);
        text.len() - bare.len() + mark
    } else {
        0
    };
    let stands = |status| matches!(status, Status::Verified | Status::Repaired | Status::Misattributed);
    let quoted = checked
        .quotations
        .iter()
        .zip(quotes)
        .filter(|(quotation, _)| stands(quotation.status) && !quotation.is_term)
        .map(|(_, quote)| quote.outer.clone());
    let marks = marks_in(marks, range).iter().map(|mark| mark.range.clone());
    blanked(answer, range, marks.chain(quoted).chain(std::iter::once(range.start..range.start + label)))
}
