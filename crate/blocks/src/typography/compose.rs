//! Lines from words: box, type size, baseline, style, and the spaces between the words.

use document::{PageId, Rect, Slice as _};

use crate::page::{Line, LineStyle, Word, WordStyle};
use crate::typography::sizes::usual_size;
use crate::typography::spacing::has_space;

/// The line of these words, which are in order from the left; `None` without words. Rules under the words
/// underline them.
pub(crate) fn compose_line(
    words: Vec<Word>,
    page: PageId,
    region: usize,
    column: (f32, f32),
    rules: &[Rect],
) -> Option<Line> {
    let rect = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b))?;
    let size = usual_size(words.iter().filter(|word| !word.raised).map(|word| (word.size, word.n_chars())))
        .or_else(|| words.first().map(|word| word.size))?;
    let baseline =
        words.iter().find(|word| !word.raised && word.size >= 0.85 * size).or(words.first())?.baseline;
    let style = style(&words, &rect, baseline, size, rules);
    let size = if style.caps { capital_size(&words, size) } else { size };
    let words = glued(words);
    Some(Line { page, region, column, words, rect, baseline, size, style })
}

/// The line of some words of another line, without underlines; `None` without words.
pub(crate) fn line_part(words: Vec<Word>, whole: &Line) -> Option<Line> {
    compose_line(words, whole.page, whole.region, whole.column, &[])
}

/// Decides which words follow the word before them without a space.
fn glued(mut words: Vec<Word>) -> Vec<Word> {
    let spaces: Vec<bool> = words.windows(2).map(|pair| has_space(&pair[0], &pair[1])).collect();
    let spaces = std::iter::once(true).chain(spaces);
    for (word, space) in words.iter_mut().zip(spaces) {
        word.glued = !space;
    }
    words
}

/// The nominal size of a line of capitals: small capitals are often made of capitals of a smaller size, each
/// word behind a first letter of the full one.
fn capital_size(words: &[Word], size: f32) -> f32 {
    let is_initial = |pair: &&[Word]| {
        let ratio = pair[0].size / pair[1].size.max(0.1);
        !pair[0].raised
            && pair[0].n_chars() == 1
            && (1.1..1.5).contains(&ratio)
            && !has_space(&pair[0], &pair[1])
    };
    let initials = words.windows(2).filter(is_initial).map(|pair| pair[0].size);
    initials.fold(size, f32::max)
}

/// The style that all words of a line share. Horizontal `rules` are sorted from the top.
fn style(words: &[Word], rect: &Rect, baseline: f32, size: f32, rules: &[Rect]) -> LineStyle {
    let mut all = WordStyle::new(true, true, true);
    let (mut n_letters, mut n_lower) = (0usize, 0usize);
    let mut any = false;
    for word in words.iter().filter(|word| !word.raised && word.text.chars().any(char::is_alphanumeric)) {
        any = true;
        all = all.shared_with(word.style);
        for c in word.text.chars().filter(|c| c.is_alphabetic()) {
            n_letters += 1;
            n_lower += usize::from(c.is_lowercase());
        }
    }
    let has_cases = words.iter().any(|word| word.text.chars().any(char::is_uppercase));
    let first = rules.partition_point(|rule| rule.y_mid() < baseline - 0.05 * size);
    let near = rules.slice(first..).iter().take_while(|rule| rule.y_mid() < baseline + 0.35 * size);
    let within = |rule: &&Rect| rule.x0 > rect.x0 - 0.5 * size && rule.x1 < rect.x1 + 0.5 * size;
    let rules: Vec<&Rect> = near.take(64).filter(within).collect();
    let under = |rect: &Rect| -> f32 { rules.iter().map(|rule| rule.x_overlap(rect)).sum() };
    // The number of a heading is seldom underlined.
    let titled = match words {
        [number, title, ..]
            if number.n_chars() <= 6 && text::wording::marker_kind(&number.text).is_some() =>
        {
            Rect { x0: title.rect.x0, ..*rect }
        }
        _ => *rect,
    };
    LineStyle {
        bold: any && all.is_bold(),
        italic: any && all.is_italic(),
        caps: n_letters >= 3 && has_cases && (n_lower == 0 || (all.is_small_caps() && n_lower > 0)),
        underlined: any
            && under(&titled) > 0.85 * titled.width()
            && words.last().is_some_and(|word| under(&word.rect) > 0.5 * word.rect.width()),
        starts_underlined: words.first().is_some_and(|word| under(&word.rect) > 0.5 * word.rect.width()),
    }
}
