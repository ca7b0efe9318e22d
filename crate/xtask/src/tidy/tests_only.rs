//! Which lines of a Rust file are compiled for tests only: rules about the product do not hold there.

use std::ops::RangeInclusive;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The lines, 1-based, of the items under `#[cfg(test)]`; nothing for a file that does not parse, which the compiler
/// reports better.
pub fn test_lines(text: &str) -> Vec<RangeInclusive<usize>> {
    let mut reader = Reader::default();
    if let Ok(file) = syn::parse_file(text) {
        reader.visit_file(&file);
    }
    reader.lines
}

#[derive(Default)]
struct Reader {
    lines: Vec<RangeInclusive<usize>>,
}

impl Reader {
    fn keep(&mut self, span: proc_macro2::Span) {
        self.lines.push(span.start().line..=span.end().line);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if is_test(attributes(item)) {
            self.keep(item.span());
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if is_test(&item.attrs) {
            self.keep(item.span());
        }
    }
}

/// The attributes of an item that can be for tests only.
pub fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// True if an item is compiled for tests only.
pub fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_end_with_the_item() {
        let text = "#[cfg(test)]\nmod tests;\n\nfn f() {}\n\n#[cfg(test)]\nmod cases {\n    fn g() {}\n}\n\nfn h() {}\n";
        assert_eq!(test_lines(text), [1..=2, 6..=9]);
    }
}
