//! Spaces between words, from the white between them.

use crate::page::Word;
use crate::typography::script::is_unspaced;

/// A gap wider than this share of the type size separates words.
pub(crate) const SPACE: f32 = 0.15;

/// True if a space goes between two words that follow each other on a line.
pub(crate) fn has_space(prev: &Word, next: &Word) -> bool {
    let size = prev.size.min(next.size);
    let gap = (next.rect.x0 - prev.rect.x1) / size.max(0.1);
    let touches_cjk = prev.text.chars().next_back().is_some_and(is_unspaced)
        || next.text.chars().next().is_some_and(is_unspaced);
    // Whether a raised word is set apart its own line does not tell: its neighbours there are far away.
    let is_told = next.raised == prev.raised;
    if touches_cjk { gap > 0.5 } else { next.spaced && is_told || !(-1.0..=SPACE).contains(&gap) }
}
