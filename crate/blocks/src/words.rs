//! Runs to words: what a page prints, as runs of text without a space in them, each with its box.
//!
//! Spaces in a PDF are unreliable: some files draw every glyph by itself, some set letters apart, some never
//! write a space. So words come from the gaps between glyphs, measured against the type size, and written
//! spaces only confirm them. A CJK character is a word of its own. A page whose text mostly runs in another
//! direction is turned first (see [`Frame`]), so that later steps only know lines that run left to right.
//!
//! Cost: a sort of the runs of a page, then one pass over its glyphs.

use document::{Attestation, Caveat, FontStyle, Page, Rect, Run, Visibility};
use ecow::EcoString;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::page::{Frame, PageWords, Word, WordStyle};
use crate::typography::{SPACE, has_rtl, is_finite, is_sane, is_unspaced, reads_invisible, superscript};

/// Least gap between words on lines that write wide spaces, as a share of the type size.
const WIDE_SPACE: f32 = 0.22;
/// Written spaces wider than this share of the type size part words whose letters are set apart.
const LETTER_SPACED: f32 = 0.7;
/// Glyphs that a page may hold; what comes later is left out (no printed page has a tenth of it).
const MAX_GLYPHS: usize = 400_000;

/// The words of a page. Invisible text is read when the page shows none, or when a scan covers the page and
/// what is shown is only a stamp on it.
pub(crate) fn read(page: &Page) -> PageWords {
    let usable: Vec<&Run> = page.runs.iter().filter(|run| is_sane(run)).collect();
    let reads_invisible = reads_invisible(page);
    let runs: Vec<&Run> = usable
        .into_iter()
        .filter(|run| match run.visibility {
            Visibility::Visible => true,
            Visibility::Invisible => reads_invisible,
            Visibility::Background | Visibility::OffPage | Visibility::Covered | Visibility::Unpainted => {
                false
            }
        })
        .collect();

    let frame = Frame::of(page, &runs);
    let (mut framed, mut aside) = (Vec::new(), Vec::new());
    let (mut n_glyphs, mut cut) = (0, false);
    for run in runs {
        n_glyphs += run.text.len();
        if n_glyphs > MAX_GLYPHS {
            cut = true;
            break;
        }
        if frame.is_along(run.angle) {
            framed.push(FramedRun::new(run, &frame));
        } else {
            push_aside(&mut aside, run);
        }
    }
    let mut words = split_lines(framed);
    words.shrink_to_fit();
    let mut rules: Vec<Rect> =
        page.rules.iter().map(|rule| frame.frame_rect(&rule.rect)).filter(is_finite).collect();
    let uprights: Vec<Rect> = rules.iter().filter(|rule| rule.height() > rule.width()).copied().collect();
    rules.retain(|rule| rule.width() > rule.height());
    rules.sort_by(|a, b| a.y_mid().total_cmp(&b.y_mid()).then(a.x0.total_cmp(&b.x0)));
    let aside = aside.into_iter().map(|(text, rect, _)| (text, rect)).collect();
    PageWords { page: page.id, frame, words, rules, uprights, grids: Vec::new(), aside, cut }
}

/// A run in the frame of its page.
struct FramedRun<'a> {
    run: &'a Run,
    rect: Rect,
    baseline: f32,
    size: f32,
}

impl<'a> FramedRun<'a> {
    fn new(run: &'a Run, frame: &Frame) -> Self {
        let rect = frame.frame_rect(&run.rect);
        Self { run, rect, baseline: frame.baseline(run.baseline), size: run.size.0 }
    }
}

/// One printed character.
#[derive(Clone, Copy)]
struct Glyph<'a> {
    c: char,
    x0: f32,
    x1: f32,
    framed: &'a FramedRun<'a>,
    /// A space is written before it.
    spaced: bool,
}

/// Text in another direction, neighbours in the same direction joined.
fn push_aside(aside: &mut Vec<(String, Rect, f32)>, run: &Run) {
    let text: String = run.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return;
    }
    if let Some((last, rect, angle)) = aside.last_mut() {
        let near = run.size.0 * 2.0;
        let touches = run.rect.x0 < rect.x1 + near
            && run.rect.x1 > rect.x0 - near
            && run.rect.y0 < rect.y1 + near
            && run.rect.y1 > rect.y0 - near;
        if touches && (*angle - run.angle).abs() < 5.0 && last.len() < 2_000 {
            if text.chars().count() > 1 || run.text.starts_with(' ') {
                last.push(' ');
            }
            last.push_str(&text);
            *rect = rect.union(&run.rect);
            return;
        }
    }
    aside.push((text, run.rect, run.angle));
}

/// The words of all runs, line by line: runs with one baseline are taken together from left to right.
fn split_lines(mut runs: Vec<FramedRun<'_>>) -> Vec<Word> {
    runs.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.rect.x0.total_cmp(&b.rect.x0)));
    let mut words = Vec::new();
    let mut rest = runs.as_mut_slice();
    while let Some(first) = rest.first() {
        let limit = first.baseline + (0.05 * first.size).max(0.3);
        let n = rest.partition_point(|framed| framed.baseline <= limit).max(1);
        let (line, tail) = rest.split_at_mut(n);
        line.sort_by(|a, b| a.rect.x0.total_cmp(&b.rect.x0));
        split_line(line, &mut words);
        rest = tail;
    }
    words
}

fn split_line(line: &[FramedRun<'_>], words: &mut Vec<Word>) {
    let glyphs = glyphs_of(line);
    let spaces = spaces_between(&glyphs);
    let mut word = WordBuilder::default();
    for (i, glyph) in glyphs.iter().enumerate() {
        let is_break = spaces.get(i).copied().unwrap_or(true);
        if let Some(prev) = i.checked_sub(1).and_then(|i| glyphs.get(i)) {
            let changes =
                prev.framed.size * 0.85 > glyph.framed.size || glyph.framed.size * 0.85 > prev.framed.size;
            let at_mark =
                is_bold_mark(&glyphs, i) || i.checked_sub(3).is_some_and(|i| is_bold_mark(&glyphs, i));
            if is_break || changes || at_mark || stands_alone(prev.c, glyph.c, word.text.as_str()) {
                word.finish(words);
            }
        }
        word.push(glyph, is_break && i > 0);
        word.word.raised |= is_bold_mark(&glyphs, i);
    }
    word.finish(words);
}

/// True if a note mark as United Kingdom instruments print it begins here: "(b)" behind a word, without a space
/// and on its line, told from a paragraph's letter by the bold type of the letter alone.
fn is_bold_mark(glyphs: &[Glyph<'_>], i: usize) -> bool {
    let Some([open, letter, close]) = glyphs.get(i..i + 3) else { return false };
    let bold = |glyph: &Glyph<'_>| glyph.framed.run.font.bold;
    open.c == '('
        && close.c == ')'
        && letter.c.is_ascii_lowercase()
        && (!open.spaced && !letter.spaced && !close.spaced)
        && (!bold(open) && bold(letter) && !bold(close))
        && i > 0
}

/// True if a word ends between these characters although no space separates them: CJK characters are words by
/// themselves, and possible note marks are kept apart so that they can be taken out of the text later.
fn stands_alone(prev: char, next: char, word: &str) -> bool {
    if prev.is_ascii_alphanumeric() && next.is_ascii_alphanumeric() {
        return false;
    }
    let is_sup = |c| superscript(c).is_some();
    let is_symbol = |c| matches!(c, '*' | '†' | '‡');
    is_unspaced(prev)
        || is_unspaced(next)
        || is_sup(prev) != is_sup(next)
        || is_symbol(next) != is_symbol(prev)
        || (next == '[' && prev != '(')
        || (prev == ']' && word.starts_with('['))
}

/// The printed characters of a line from left to right. FramedRuns drawn twice (false bold) count once.
fn glyphs_of<'a>(line: &'a [FramedRun<'a>]) -> Vec<Glyph<'a>> {
    let mut glyphs: Vec<Glyph<'a>> =
        Vec::with_capacity(line.iter().map(|framed| framed.run.text.len()).sum());
    let mut last: Option<&FramedRun<'_>> = None;
    let mut spaced = false;
    for framed in line {
        if last.is_some_and(|last| is_same_again(last, framed)) {
            continue;
        }
        last = Some(framed);
        let n = framed.run.text.chars().count();
        let exact = framed.run.edges.len() == n + 1 && framed.run.edges.iter().all(|edge| edge.is_finite());
        let width = framed.rect.width();
        let edge = |i: usize| match framed.run.edges.get(i) {
            Some(edge) if exact => framed.rect.x0 + edge.clamp(0.0, width.max(0.0) + framed.size),
            _ => framed.rect.x0 + width * i as f32 / n.max(1) as f32,
        };
        for (i, c) in framed.run.text.chars().enumerate() {
            if c.is_whitespace() {
                spaced = true;
            } else if !is_unprinted(c) {
                glyphs.push(Glyph { c, x0: edge(i), x1: edge(i + 1), framed, spaced });
                spaced = false;
            }
        }
    }
    glyphs
}

fn is_same_again(a: &FramedRun<'_>, b: &FramedRun<'_>) -> bool {
    let shared = a.rect.x_overlap(&b.rect);
    a.run.text == b.run.text
        && !a.run.text.trim().is_empty()
        && (a.size - b.size).abs() < 0.1 * a.size
        && shared > 0.7 * a.rect.width().max(0.01)
}

fn is_unprinted(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{202a}'..='\u{202e}')
}

/// For each glyph, whether a space goes before it.
fn spaces_between(glyphs: &[Glyph<'_>]) -> Vec<bool> {
    let gap_before = |i: usize| -> Option<(f32, f32, bool)> {
        let (prev, next) = (glyphs.get(i.checked_sub(1)?)?, glyphs.get(i)?);
        let size = 0.5 * (prev.framed.size + next.framed.size);
        Some(((next.x0 - prev.x1) / size, size, next.spaced))
    };
    // A line that writes its spaces may set its letters apart a little. But where its type changes it may move
    // on without a space, by as much as its spaces are wide: not much in a tight justified line.
    let mut written: Vec<f32> = (0..glyphs.len())
        .filter(|&i| glyphs.get(i).is_some_and(|glyph| glyph.spaced))
        .filter_map(gap_before)
        .map(|(gap, ..)| gap)
        .collect();
    written.sort_by(f32::total_cmp);
    let usual = written.get(written.len() / 2).copied().unwrap_or_default();
    let writes = written.len() * 20 >= glyphs.len();
    // Letters set far apart are set unevenly, and the spaces between their words are written and wider by far.
    let limit = match writes {
        true if usual > LETTER_SPACED => 0.4 * usual,
        true => (0.75 * usual).clamp(SPACE, WIDE_SPACE),
        false => SPACE,
    };
    let mut spaces: Vec<bool> = (0..glyphs.len())
        .map(|i| match gap_before(i) {
            Some((gap, _, spaced)) => spaced || !(-1.0..=limit).contains(&gap),
            None => false,
        })
        .collect();
    // Letters set apart: a stretch of single letters with like gaps is not a row of words.
    let mut start = 0;
    while start < glyphs.len() {
        let mut end = start + 1;
        let letter =
            |i: usize| glyphs.get(i).is_some_and(|glyph| glyph.c.is_alphabetic() && !is_unspaced(glyph.c));
        while letter(start)
            && letter(end)
            && spaces.get(end) == Some(&true)
            && gap_before(end).is_some_and(|(gap, ..)| gap < 1.5)
        {
            end += 1;
        }
        if end - start >= 5 {
            join_letters(&mut spaces, start, end, gap_before);
        }
        start = end;
    }
    spaces
}

fn join_letters(
    spaces: &mut [bool],
    start: usize,
    end: usize,
    gap_before: impl Fn(usize) -> Option<(f32, f32, bool)>,
) {
    let mut gaps: Vec<f32> = (start + 1..end).filter_map(&gap_before).map(|(gap, ..)| gap).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 3).copied().unwrap_or_default();
    for i in start + 1..end {
        let is_wide = gap_before(i).is_some_and(|(gap, ..)| gap > usual * 1.5 + 0.05);
        if let Some(space) = spaces.get_mut(i) {
            *space = is_wide;
        }
    }
}

/// A word under construction.
#[derive(Default)]
struct WordBuilder {
    text: String,
    rect: Option<Rect>,
    word: Word,
}

impl WordBuilder {
    fn push(&mut self, glyph: &Glyph<'_>, spaced: bool) {
        let FramedRun { run, rect, baseline, size } = glyph.framed;
        let own = Rect { x0: glyph.x0, x1: glyph.x1.max(glyph.x0), ..*rect };
        if self.rect.is_none() {
            let FontStyle { bold, italic, small_caps, number, .. } = run.font;
            let style = WordStyle::new(bold, italic, small_caps);
            let font = u16::try_from(number).unwrap_or(u16::MAX);
            let raised = superscript(glyph.c).is_some() || run.rise.0 > 0.1 * size;
            let (baseline, size) = (*baseline, *size);
            self.word = Word { baseline, size, style, font, spaced, raised, ..Word::default() };
        }
        self.rect = Some(self.rect.map_or(own, |all| all.union(&own)));
        self.word.caveat = self.word.caveat.max(caveat_of(run));
        push_char(&mut self.text, glyph.c);
    }

    fn finish(&mut self, words: &mut Vec<Word>) {
        let mut word = std::mem::take(&mut self.word);
        if let Some(rect) = self.rect.take() {
            word.text = composed(&self.text);
            word.rect = rect;
            words.extend(Some(word).filter(|word| !word.text.is_empty()));
        }
        self.text.clear();
    }
}

/// The characters of a word as the text shall have them: NFC, a soft hyphen only at the end.
fn composed(text: &str) -> EcoString {
    if text.is_ascii() {
        return text.into();
    }
    let mut kept: EcoString = text.chars().filter(|&c| c != '\u{ad}').collect();
    if text.ends_with('\u{ad}') && !kept.is_empty() {
        kept.push('\u{ad}');
    }
    // Right-to-left words are still in the order of the page, in which marks stand before their letters.
    if is_nfc(&kept) || has_rtl(&kept) { kept } else { kept.nfc().collect() }
}

/// Reason why the text of a run may not be what a reader sees.
fn caveat_of(run: &Run) -> Option<Caveat> {
    match run.visibility {
        Visibility::Invisible => Some(Caveat::Ocr),
        _ if run.attestation == Attestation::Differs => Some(Caveat::Differs),
        _ => None,
    }
}

/// Adds a character as the text shall have it: ligatures as their letters.
fn push_char(text: &mut String, c: char) {
    match c {
        'ﬀ' => text.push_str("ff"),
        'ﬁ' => text.push_str("fi"),
        'ﬂ' => text.push_str("fl"),
        'ﬃ' => text.push_str("ffi"),
        'ﬄ' => text.push_str("ffl"),
        'ﬅ' | 'ﬆ' => text.push_str("st"),
        _ => text.push(c),
    }
}
