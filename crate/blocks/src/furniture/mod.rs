//! Furniture: running headers and footers, page numbers, line numbers, watermarks and slanted text. It is taken
//! out of the pages before lines and columns are found, and kept for display.

mod line_numbers;
mod page_number;
mod running_lines;
mod watermarks;

use document::{Furniture, FurnitureKind};

use crate::page::PageWords;

/// Takes the furniture out of the pages. Beside it, for each page the number printed on it.
pub(crate) fn take(pages: &mut [PageWords]) -> (Vec<Furniture>, Vec<Option<String>>) {
    let mut found = Vec::new();
    watermarks::take(pages, &mut found);
    for page in pages.iter_mut() {
        line_numbers::take(page, &mut found);
        let aside = std::mem::take(&mut page.aside).into_iter();
        let of_text = |(text, rect)| Furniture { kind: FurnitureKind::Other, text, page: page.page, rect };
        found.extend(aside.map(of_text));
    }
    let labels = running_lines::take(pages, &mut found);
    found.sort_by_key(|furniture| furniture.page);
    (found, labels)
}
