//! Page labels ("xii", "A-3") from the number tree `PageLabels` of the catalog (ISO 32000-1, 12.4.2).

use std::collections::BTreeMap;

use document::OrNever as _;
use lopdf::{Dictionary, Object};

use crate::objects::{Objects, as_dict, integer};

/// Maximum depth of the number tree.
const MAX_DEPTH: usize = 32;
/// Maximum nodes of the tree.
const MAX_NODES: usize = 50_000;
/// Maximum length of a label in characters.
const MAX_LABEL: usize = 64;

/// Label of each page; `None` for pages without one.
pub(crate) fn page_labels(
    objects: &Objects<'_>,
    catalog: &Dictionary,
    n_pages: usize,
) -> Vec<Option<String>> {
    let mut labels = vec![None; n_pages];
    let Some(root) = objects.dict(catalog, b"PageLabels") else { return labels };
    let ranges = ranges(objects, root);
    let mut current: Option<(usize, &Dictionary)> = None;
    for (idx, slot) in labels.iter_mut().enumerate() {
        if let Some(style) = ranges.get(&idx) {
            current = Some((idx, style));
        }
        let Some((first, style)) = current else { continue };
        let start = objects
            .integer(style, b"St")
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(1)
            .clamp(1, 1 << 24);
        let number = start + (idx - first);
        let mut label = objects.text(style, b"P").unwrap_or_default();
        match objects.name(style, b"S") {
            Some(b"D") => label.push_str(&number.to_string()),
            Some(b"r") => label.push_str(&roman(number).to_lowercase()),
            Some(b"R") => label.push_str(&roman(number)),
            Some(b"a") => label.push_str(&letters(number, b'a')),
            Some(b"A") => label.push_str(&letters(number, b'A')),
            _ => {}
        }
        *slot = (!label.is_empty()).then(|| label.chars().take(MAX_LABEL).collect());
    }
    labels
}

/// Label dictionaries by the first page of their range.
fn ranges<'a>(objects: &Objects<'a>, root: &'a Dictionary) -> BTreeMap<usize, &'a Dictionary> {
    let mut ranges = BTreeMap::new();
    let mut stack = vec![(root, 0usize)];
    let mut budget = MAX_NODES;
    while let Some((node, depth)) = stack.pop() {
        for pair in objects.array(node, b"Nums").unwrap_or_default().chunks_exact(2) {
            if let [key, value] = pair
                && let Some(first) = integer(objects.resolve(key)).and_then(|n| usize::try_from(n).ok())
                && let Object::Dictionary(style) = objects.resolve(value)
            {
                ranges.insert(first, style);
            }
        }
        if depth < MAX_DEPTH {
            for kid in objects.array(node, b"Kids").unwrap_or_default() {
                let Some(left) = budget.checked_sub(1) else { return ranges };
                budget = left;
                stack.extend(as_dict(objects.resolve(kid)).map(|kid| (kid, depth + 1)));
            }
        }
    }
    ranges
}

/// Roman numeral in capitals.
fn roman(number: usize) -> String {
    const DIGITS: [(usize, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let (mut left, mut text) = (number, String::new());
    for (value, digits) in DIGITS {
        while left >= value && text.len() < MAX_LABEL {
            text.push_str(digits);
            left -= value;
        }
    }
    text
}

/// Letters: A to Z, then AA to ZZ, and so on.
fn letters(number: usize, first: u8) -> String {
    let (letter, count) = ((number - 1) % 26, (number - 1) / 26 + 1);
    let letter =
        char::from(first.saturating_add(u8::try_from(letter).ok().or_never("a letter of the alphabet")));
    std::iter::repeat_n(letter, count.min(MAX_LABEL)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_numbering_style() {
        assert_eq!(roman(1994), "MCMXCIV");
        assert_eq!(roman(12), "XII");
        assert_eq!(letters(1, b'A'), "A");
        assert_eq!(letters(28, b'a'), "bb");
    }
}
