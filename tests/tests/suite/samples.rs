//! The samples are read as they were written: words, places, order, quotations.

use document::{BlockKind, PlacedWord};

use crate::env::{TestSample, assert_none, bounds, iou, samples, words};

/// Boxes agree when they share this much of their union.
const AGREE: f32 = 0.9;

#[test]
fn every_word_is_found_where_it_was_set() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let layout = &read.document.layout;
        let all: Vec<PlacedWord> = layout.words.words().collect();
        for word in made.truth.words.iter().filter(|word| matches!(word.flow, "body" | "note")) {
            let placed = all.iter().filter(|placed| placed.page.idx() + 1 == word.page);
            let best = placed
                .map(|placed| {
                    let rect = placed.rect;
                    (iou(word.bbox, [rect.x0, rect.y0, rect.x1, rect.y1]), layout.slice(placed.range))
                })
                .max_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((share, text)) if share >= AGREE && text == word.text => {}
                best => wrong.push(format!("{} p{} {} found {best:?}", made.id, word.page, word.text)),
            }
        }
    }
    assert_none("words not in place", &wrong);
}

#[test]
fn words_come_in_the_order_in_which_they_are_read() {
    for TestSample { made, read } in samples() {
        let layout = &read.document.layout;
        for (flow, notes) in [("body", false), ("note", true)] {
            let expected: Vec<&str> = made
                .truth
                .words
                .iter()
                .filter(|word| word.flow == flow)
                .map(|word| word.text.as_str())
                .collect();
            let found: Vec<&str> = layout
                .blocks
                .iter()
                .filter(|block| (block.kind == BlockKind::Footnote) == notes)
                .flat_map(|block| words(layout.slice(block.range)))
                .collect();
            let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
            let near = |words: &[&str]| {
                words.iter().skip(same.saturating_sub(3)).take(9).copied().collect::<Vec<_>>().join(" ")
            };
            assert!(
                expected == found,
                "{} {flow}: word {same} of {}: expected “{}”, found “{}”",
                made.id,
                expected.len(),
                near(&expected),
                near(&found)
            );
        }
    }
}

#[test]
fn paragraphs_and_items_are_whole() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let layout = &read.document.layout;
        let blocks: Vec<(BlockKind, String)> = layout
            .blocks
            .iter()
            .map(|block| (block.kind, words(layout.slice(block.range)).join(" ")))
            .collect();
        for truth in &made.truth.paragraphs {
            let kinds: &[BlockKind] = match truth.kind {
                "title" => &[BlockKind::Heading],
                "paragraph" | "item" => &[BlockKind::Paragraph, BlockKind::ListItem],
                "table" => &[BlockKind::Table],
                _ => continue,
            };
            let same = blocks.iter().find(|(_, text)| *text == truth.text);
            if same.is_some_and(|(kind, _)| kinds.contains(kind)) {
                continue;
            }
            let begins: Vec<_> =
                blocks.iter().filter(|(_, text)| truth.text.starts_with(text.as_str())).collect();
            wrong.push(format!(
                "{} p{} {} “{}”\n  found {begins:?}",
                made.id, truth.page, truth.kind, truth.text
            ));
        }
    }
    assert_none("paragraphs in pieces, joined, or of the wrong kind", &wrong);
}

#[test]
fn quotations_light_up_exactly_the_words_quoted() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let layout = &read.document.layout;
        // Every white space character of a layout's text is one byte long.
        let flat: String =
            layout.text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }).collect();
        for quotation in &made.truth.quotations {
            let Some(start) = flat.find(&quotation.text) else {
                wrong.push(format!("{} not in the text: {}", made.id, quotation.text));
                continue;
            };
            let range = document::TextRange::new(start, start + quotation.text.len());
            let lines: Vec<(usize, [f32; 4])> = layout
                .spans(range)
                .iter()
                .flat_map(|span| {
                    span.quads
                        .iter()
                        .map(move |quad| (span.page.map_or(0, |page| page.idx() + 1), bounds(quad)))
                })
                .collect();
            let same = lines.len() == quotation.lines.len()
                && lines.iter().zip(&quotation.lines).all(|((page, found), line)| {
                    *page == line.page && iou(*found, bounds(&line.quad)) >= AGREE
                });
            if !same {
                let expected: Vec<_> =
                    quotation.lines.iter().map(|line| (line.page, bounds(&line.quad))).collect();
                wrong.push(format!(
                    "{} {}\n  expected {expected:?}\n  found    {lines:?}",
                    made.id, quotation.text
                ));
            }
        }
    }
    assert_none("quotations lit wrongly", &wrong);
}

#[test]
fn quotations_begin_mid_line_and_cross_lines_and_pages() {
    let (mut mid_line, mut lines, mut pages) = (0, 0, 0);
    for TestSample { made, .. } in samples() {
        let truth = &made.truth;
        assert!(truth.quotations.len() >= 12, "{}", made.id);
        for quotation in &truth.quotations {
            let Some(first) = quotation.lines.first() else { panic!("no lines: {}", quotation.text) };
            let same_line = |word: &&pincite_tests::truth::TruthWord| {
                word.page == first.page
                    && (word.bbox[3] - first.bbox[3]).abs() < 1.0
                    && word.bbox[2] < first.bbox[0] + 0.1
                    && word.bbox[2] > first.bbox[0] - 6.0
            };
            mid_line += usize::from(truth.words.iter().any(|word| same_line(&word)));
            lines += usize::from(quotation.lines.len() > 1);
            pages += usize::from(quotation.lines.iter().any(|line| line.page != first.page));
        }
    }
    assert!(mid_line >= 12 && lines >= 12 && pages >= 4, "{mid_line} {lines} {pages}");
}

#[test]
fn running_heads_and_feet_are_kept_out_of_the_text() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let layout = &read.document.layout;
        let all: Vec<PlacedWord> = layout.words.words().collect();
        for word in made.truth.words.iter().filter(|word| matches!(word.flow, "header" | "footer")) {
            let in_text = all.iter().any(|placed| {
                let rect = placed.rect;
                placed.page.idx() + 1 == word.page
                    && iou(word.bbox, [rect.x0, rect.y0, rect.x1, rect.y1]) > 0.3
            });
            let kept = layout.furniture.iter().any(|furniture| {
                furniture.page.idx() + 1 == word.page && words(&furniture.text).contains(&word.text.as_str())
            });
            if in_text || !kept {
                wrong.push(format!(
                    "{} p{} {} in text: {in_text}, kept: {kept}",
                    made.id, word.page, word.text
                ));
            }
        }
    }
    assert_none("words of running heads and feet astray", &wrong);
}

#[test]
fn samples_are_the_same_bytes_every_time() {
    for sample in pincite_tests::samples::all() {
        let (first, second) = (sample.make().unwrap(), sample.make().unwrap());
        assert!(first.pdf == second.pdf, "{}", sample.id);
        assert!(first.pdf.len() < 200_000, "{} {}", sample.id, first.pdf.len());
        assert!(
            first.truth.words.iter().all(|word| !word.text.contains('?')),
            "{}: a character not in WinAnsi",
            sample.id
        );
    }
}

#[test]
fn the_file_says_its_title_its_labels_and_its_bookmarks() {
    for TestSample { made, read } in samples() {
        assert_eq!(read.source.title.as_deref(), Some(made.truth.title.as_str()));
        let has_labels = made.id == "rulebook";
        for (page, truth) in read.source.pages.iter().zip(&made.truth.pages) {
            assert_eq!(page.label.as_deref(), has_labels.then_some(truth.label.as_str()), "{}", made.id);
            let (width, height) = page.geometry.size();
            assert!((width.0 - truth.width).abs() < 0.01 && (height.0 - truth.height).abs() < 0.01);
        }
        assert_eq!(read.source.pages.len(), made.truth.pages.len(), "{}", made.id);
        if made.id == "opinion" {
            assert!(read.source.outline.is_empty());
            continue;
        }
        let expected: Vec<(String, usize, usize)> = made
            .truth
            .headings
            .iter()
            .map(|heading| (heading.text.clone(), heading.level, heading.page))
            .collect();
        let found: Vec<(String, usize, usize)> = read
            .source
            .outline
            .iter()
            .map(|item| {
                (item.title.clone(), usize::from(item.level), item.page.map_or(0, |page| page.idx() + 1))
            })
            .collect();
        assert_eq!(found, expected, "{}", made.id);
    }
}
