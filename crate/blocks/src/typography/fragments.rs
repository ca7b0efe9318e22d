//! Fragments: words of one row without a wide gap between them.

use document::Rect;

use crate::page::Word;
use crate::typography::marker::is_section_number;
use crate::typography::rows::rows;

/// Words of one row without a wide gap.
pub(crate) struct Fragment {
    /// Positions in the words of the page.
    pub words: Vec<usize>,
    pub rect: Rect,
    /// Baseline of its first word.
    pub baseline: f32,
    /// Largest type size in it, in points.
    pub size: f32,
    /// True if its first word is bold.
    pub bold: bool,
    /// True if it is the number of a section and nothing else.
    pub is_number: bool,
}

/// The fragments of these words, row by row from the left. A gap of `gap` times the type size parts them.
pub(crate) fn fragments(words: &[Word], gap: f32) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    for row in rows(words) {
        let mut open: Option<Fragment> = None;
        for i in row.words {
            let Some(word) = words.get(i) else { continue };
            match &mut open {
                Some(fragment) if word.rect.x0 - fragment.rect.x1 < gap * fragment.size.max(word.size) => {
                    fragment.words.push(i);
                    fragment.rect = fragment.rect.union(&word.rect);
                    fragment.size = fragment.size.max(word.size);
                    fragment.is_number = false;
                }
                _ => fragments.extend(open.replace(Fragment {
                    words: vec![i],
                    rect: word.rect,
                    baseline: word.baseline,
                    size: word.size,
                    bold: word.style.is_bold(),
                    is_number: is_section_number(&word.text),
                })),
            }
        }
        fragments.extend(open);
    }
    fragments
}
