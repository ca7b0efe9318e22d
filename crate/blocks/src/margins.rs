//! The margins of a document's pages, left and right ones apart: between them a heading is centred, even on a page
//! whose text is all set in.
//!
//! They are the edges that most pages of a kind share; a page with other ones keeps its own. Cost: linear in the
//! words.

use crate::page::{PageWords, Region};

/// Left and right edge of the text of most pages; `None` where too few tell.
pub(crate) type Margins = Option<(f32, f32)>;

/// Fewest pages that tell margins.
const MIN_PAGES: usize = 3;
/// Fewest words of a page that tells them.
const MIN_WORDS: usize = 40;
/// Most by which a page may be narrower, as a share of the width.
const MAX_NARROWER: f32 = 0.25;

/// The margins of the pages at even positions and of those at odd ones.
pub(crate) fn of(pages: &[PageWords]) -> [Margins; 2] {
    [0, 1].map(|parity| {
        let parity_pages = pages.iter().skip(parity).step_by(2).filter(|page| page.words.len() >= MIN_WORDS);
        let (mut lefts, mut rights): (Vec<f32>, Vec<f32>) = parity_pages
            .map(|page| {
                let left = page.words.iter().map(|word| word.rect.x0).fold(f32::MAX, f32::min);
                let right = page.words.iter().map(|word| word.rect.x1).fold(f32::MIN, f32::max);
                (left, right)
            })
            .unzip();
        lefts.sort_by(f32::total_cmp);
        rights.sort_by(f32::total_cmp);
        let left = lefts.get(lefts.len() / 4)?;
        let right = rights.get(rights.len() * 3 / 4)?;
        (lefts.len() >= MIN_PAGES && left < right).then_some((*left, *right))
    })
}

/// The only region of a page between the margins, when it is a little narrower than they are.
pub(crate) fn widen(mut regions: Vec<Region>, margins: Margins) -> Vec<Region> {
    if let ([region], Some((left, right))) = (regions.as_mut_slice(), margins)
        && region.x1 - region.x0 > (1.0 - MAX_NARROWER) * (right - left)
    {
        region.x0 = region.x0.min(left);
        region.x1 = region.x1.max(right);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_all_set_in_has_the_margins_of_the_others() {
        let region = |x0, x1| vec![Region { words: Vec::new(), x0, x1, in_margin: false }];
        let edges = |regions: Vec<Region>| regions.first().map(|region| (region.x0, region.x1));
        assert_eq!(edges(widen(region(106.0, 518.0), Some((76.0, 518.0)))), Some((76.0, 518.0)));
        assert_eq!(edges(widen(region(300.0, 318.0), Some((76.0, 518.0)))), Some((300.0, 318.0)));
        assert_eq!(edges(widen(region(60.0, 530.0), Some((76.0, 518.0)))), Some((60.0, 530.0)));
    }
}
