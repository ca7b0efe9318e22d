//! The same text as a Word file and in print: the same tree.

use std::fmt::Write as _;

use document::{BlockKind, Layout, Tree};
use pincite_tests::samples;
use pincite_tests::wordfile::Manner;

use crate::env::{samples, words};

/// The parts of a tree that do not depend on pages: sections with their levels, labels, titles and words, notes with
/// their words and the word that calls them.
fn dump(layout: &Layout, tree: &Tree) -> String {
    let mut out = String::new();
    for section in &tree.sections {
        let label = section.label.as_ref().map_or("-", |label| label.key.as_str());
        let article = if section.is_article { " article" } else { "" };
        let title = words(&section.title).join(" ");
        let _ = writeln!(out, "{} {title} [{label}]{article}", section.level);
        let text: Vec<&str> = section
            .blocks
            .iter()
            .filter_map(|id| layout.blocks.get(id.idx()))
            .map(|block| layout.slice(block.range))
            .collect();
        let _ = writeln!(out, "  {}", words(&text.join(" ")).join(" "));
    }
    for note in &tree.notes {
        let text: Vec<&str> = note
            .blocks
            .iter()
            .filter_map(|id| layout.blocks.get(id.idx()))
            .map(|block| layout.slice(block.range))
            .collect();
        let callers: Vec<&str> = note
            .marks
            .iter()
            .filter_map(|&mark| layout.text.get(..layout.marks.get(mark as usize)?.at as usize))
            .filter_map(|before| before.split_whitespace().next_back())
            .collect();
        let _ = writeln!(out, "note {} after {callers:?}: {}", note.marker, words(&text.join(" ")).join(" "));
    }
    out
}

#[test]
fn a_word_file_gives_the_tree_of_its_print() {
    for manner in [Manner::Styles, Manner::Typed] {
        for (sample, printed) in samples::all().iter().zip(samples()) {
            let bytes = sample.word(manner).unwrap();
            let read = docx::read(&bytes, &docx::Limits::default()).unwrap();
            assert!(read.diags.is_empty(), "{:?}", read.diags);
            let contents = read.output;
            let tree = sections::build(&contents.layout, &contents.outline).output;
            let found = dump(&contents.layout, &tree);
            let expected = dump(&printed.read.document.layout, &printed.read.document.tree);
            let wrong: Vec<String> = diff(&expected, &found);
            assert!(wrong.is_empty(), "{} {manner:?}:\n{}", sample.id, wrong.join("\n"));
            // The marks of a document without pages stand on none.
            assert!(tree.notes.iter().all(|note| note.page.is_none() && note.marks.len() == 1));
        }
    }
}

/// The first lines that differ, of either side.
fn diff(expected: &str, found: &str) -> Vec<String> {
    let head = |line: &str| line.chars().take(400).collect::<String>();
    expected
        .lines()
        .zip(found.lines())
        .filter(|(a, b)| a != b)
        .take(6)
        .map(|(a, b)| format!("- {}\n+ {}", head(a), head(b)))
        .chain(
            (expected.lines().count() != found.lines().count()).then(|| "another number of lines".to_owned()),
        )
        .collect()
}

#[test]
fn items_and_tables_of_a_word_file_are_those_of_its_print() {
    for (sample, printed) in samples::all().iter().zip(samples()) {
        let count = |layout: &Layout, kind: BlockKind| {
            layout.blocks.iter().filter(|block| block.kind == kind).count()
        };
        for manner in [Manner::Styles, Manner::Typed] {
            let read = docx::read(&sample.word(manner).unwrap(), &docx::Limits::default()).unwrap().output;
            for kind in [BlockKind::ListItem, BlockKind::Table, BlockKind::Heading] {
                let expected = count(&printed.read.document.layout, kind);
                assert_eq!(count(&read.layout, kind), expected, "{} {manner:?} {kind:?}", sample.id);
            }
        }
    }
}
