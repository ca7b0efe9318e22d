//! Headings, their levels and parents, and notes with the marks that call them.

use document::{Section, Tree};

use crate::env::{TestSample, assert_none, iou, samples, words};

fn title_words(section: &Section) -> String {
    words(&section.title).join(" ")
}

fn parent_title(tree: &Tree, section: &Section) -> Option<String> {
    let parent = tree.sections.get(section.parent?.idx())?;
    (parent.level > 0).then(|| title_words(parent))
}

#[test]
fn headings_have_their_level_and_their_parent() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let tree = &read.document.tree;
        let mut from = 0;
        for heading in &made.truth.headings {
            let parent = heading.parent.map(|at| made.truth.headings[at].text.clone());
            let found = tree
                .sections
                .iter()
                .enumerate()
                .skip(from)
                .find(|(_, section)| title_words(section) == heading.text);
            let Some((at, section)) = found else {
                wrong.push(format!("{} p{} no section “{}”", made.id, heading.page, heading.text));
                continue;
            };
            from = at;
            let found_parent = parent_title(tree, section);
            if usize::from(section.level) != heading.level || found_parent != parent {
                wrong.push(format!(
                    "{} “{}” has level {} under {found_parent:?}, not {} under {parent:?}",
                    made.id, heading.text, section.level, heading.level
                ));
            }
        }
    }
    assert_none("headings misplaced", &wrong);
}

#[test]
fn what_is_no_heading_is_a_section_by_its_number_only() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        for section in read.document.tree.sections.iter().filter(|section| section.level > 0) {
            let is_heading = made.truth.headings.iter().any(|heading| heading.text == title_words(section));
            let is_number = section.label.as_ref().is_some_and(|label| label.text == section.title);
            if !is_heading && !is_number {
                wrong.push(format!("{} level {} “{}”", made.id, section.level, section.title));
            }
        }
    }
    assert_none("sections out of nothing", &wrong);
}

#[test]
fn rules_of_the_rulebook_are_articles_under_their_headings() {
    let rulebook = &samples()[0];
    let document = &rulebook.read.document;
    let articles: Vec<&Section> =
        document.tree.sections.iter().filter(|section| section.is_article).collect();
    let mut wrong = Vec::new();
    for paragraph in &rulebook.made.truth.paragraphs {
        let number = words(&paragraph.text).first().copied().unwrap_or_default();
        if number.split('.').count() != 3 || !number.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let found =
            articles.iter().find(|section| section.label.as_ref().is_some_and(|label| label.key == number));
        let Some(section) = found else {
            wrong.push(format!("no article {number}"));
            continue;
        };
        let heading = number.rsplit_once('.').map_or("", |(above, _)| above);
        let parent = parent_title(&document.tree, section).unwrap_or_default();
        if words(&parent).first() != Some(&heading) {
            wrong.push(format!("article {number} lies under “{parent}”"));
        }
        if !document.layout.slice(section.range).starts_with(number) {
            wrong.push(format!("article {number} begins elsewhere"));
        }
    }
    assert_none("rules misplaced", &wrong);
}

#[test]
fn every_note_is_linked_to_the_mark_that_calls_it() {
    let mut wrong = Vec::new();
    for TestSample { made, read } in samples() {
        let (layout, tree) = (&read.document.layout, &read.document.tree);
        assert_eq!(tree.notes.len(), made.truth.notes.len(), "{}", made.id);
        for (note, truth) in tree.notes.iter().zip(&made.truth.notes) {
            let blocks = note.blocks.iter().filter_map(|id| layout.blocks.get(id.idx()));
            let text: Vec<&str> = blocks.flat_map(|block| words(layout.slice(block.range))).collect();
            if note.marker != truth.marker || text.join(" ") != truth.text {
                wrong.push(format!("note {} reads {} {}", truth.marker, note.marker, text.join(" ")));
            }
            if note.page.map(|page| page.idx() + 1) != truth.pages.first().copied() {
                wrong.push(format!("note {} starts on {:?}", truth.marker, note.page));
            }
            let [mark] = note.marks[..] else {
                wrong.push(format!("note {} has {} marks", truth.marker, note.marks.len()));
                continue;
            };
            let mark = &layout.marks[mark as usize];
            let rect = mark.rect;
            let share = iou(truth.mark_bbox, [rect.x0, rect.y0, rect.x1, rect.y1]);
            let after = layout.text[..mark.at as usize].split_whitespace().next_back().unwrap_or_default();
            if mark.marker != truth.marker
                || mark.page.map(|page| page.idx() + 1) != Some(truth.mark_page)
                || share < 0.9
                || after != truth.after
            {
                wrong.push(format!(
                    "mark {} on p{} after “{}”: found {} on p{} after “{after}”, boxes agree to {share:.2}",
                    truth.marker,
                    truth.mark_page,
                    truth.after,
                    mark.marker,
                    mark.page.map_or(0, |page| page.idx() + 1)
                ));
            }
        }
    }
    assert_none("notes astray", &wrong);
}

#[test]
fn sections_nest_and_blocks_lie_in_exactly_one() {
    for TestSample { made, read } in samples() {
        let (layout, tree) = (&read.document.layout, &read.document.tree);
        let mut homes = vec![0; layout.blocks.len()];
        for (at, section) in tree.sections.iter().enumerate() {
            match section.parent {
                None => assert_eq!(at, 0, "{}", made.id),
                Some(parent) => {
                    let above = &tree.sections[parent.idx()];
                    assert!(
                        parent.idx() < at && above.level < section.level,
                        "{} {}",
                        made.id,
                        section.title
                    );
                    assert!(above.range.contains(section.range), "{} {}", made.id, section.title);
                }
            }
            for block in &section.blocks {
                homes[block.idx()] += 1;
            }
        }
        for block in tree.notes.iter().flat_map(|note| &note.blocks) {
            homes[block.idx()] += 1;
        }
        for (block, n_homes) in layout.blocks.iter().zip(homes) {
            assert_eq!(n_homes, 1, "{} {}", made.id, layout.slice(block.range));
        }
    }
}
