//! Writes documents of which the layout is known, and the truth about each: `layout_truth OUT_DIR`.
//!
//! The samples and a few generated rulebooks are set in four styles each, `OUT_DIR/<id>-<style>.pdf` beside
//! `OUT_DIR/<id>-<style>.truth.json`, and written as Word files in the same style and without named styles,
//! `OUT_DIR/<id>-<style>.docx`; the documents of the corpus, whose lines are known but not their kinds, are
//! `OUT_DIR/corpus/<id>.pdf`. `tests/layout/figures.py` scores what the command reads from them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pincite_tests::typeset::{
    Element, Face, Family, Flow, HeadingStyle, Inline, Manuscript, Printed, SetWord, Style,
};
use pincite_tests::typeset::{parse, set};
use pincite_tests::wordfile::{self, Manner};
use pincite_tests::{corpus, samples};
use serde_json::{Value, json};

/// Rules of a generated rulebook: some ten pages.
const N_RULES: usize = 40;

fn main() -> Result<()> {
    let Some(out) = std::env::args().nth(1).map(PathBuf::from) else { bail!("usage: layout_truth OUT_DIR") };
    fs::create_dir_all(out.join("corpus"))?;
    for sample in samples::all() {
        for (name, style) in styles(&sample.style) {
            write(&out, &format!("{}-{name}", sample.id), &parse(sample.manuscript)?, &style)?;
        }
    }
    let of_rulebook = &samples::all()[0].style;
    for (number, (name, style)) in (1..).zip(styles(of_rulebook)) {
        let manuscript = parse(&samples::generated::manuscript(number, N_RULES))?;
        write(&out, &format!("generated-{name}"), &manuscript, &style)?;
    }
    for drawn in corpus::all()? {
        fs::write(out.join("corpus").join(format!("{}.pdf", drawn.id)), &drawn.pdf)?;
    }
    Ok(())
}

/// A document's own style, and three that take away what makes its headings and paragraphs stand out.
fn styles(own: &Style) -> [(&'static str, Style); 4] {
    let headings = |change: &dyn Fn(HeadingStyle) -> HeadingStyle| own.headings.map(change);
    // Bold headings in the size of the text, paragraphs told by their indent alone.
    let bold = Style {
        page: (612.0, 792.0),
        family: Family::Helvetica,
        headings: headings(&|style| HeadingStyle { face: Face::Bold, size: own.size, ..style }),
        skip: 0.0,
        first_indent: 18.0,
        ..own.clone()
    };
    // Italic headings in the size of the text, and little white.
    let italic = Style {
        family: Family::Times,
        headings: headings(&|style| HeadingStyle {
            face: Face::Italic,
            size: own.size,
            before: own.leading * 0.6,
            after: own.leading * 0.3,
            ..style
        }),
        skip: 3.0,
        justify: false,
        ..own.clone()
    };
    // Centred headings of ordinary weight, and loose lines.
    let centred = Style {
        headings: headings(&|style| HeadingStyle { face: Face::Roman, hang: None, ..style }),
        leading: own.leading * 1.4,
        skip: own.leading * 0.7,
        ..own.clone()
    };
    [("own", own.clone()), ("bold", bold), ("italic", italic), ("centred", centred)]
}

fn write(out: &Path, id: &str, manuscript: &Manuscript, style: &Style) -> Result<()> {
    let printed = set(manuscript, style, id).with_context(|| id.to_owned())?;
    fs::write(out.join(format!("{id}.pdf")), &printed.pdf)?;
    fs::write(out.join(format!("{id}.docx")), wordfile::write(manuscript, style, &[], Manner::Typed, id)?)?;
    let truth = json!({
        "pages": pages(&printed),
        "blocks": blocks(&printed, manuscript),
        "footnotes": notes(&printed, manuscript),
    });
    fs::write(out.join(format!("{id}.truth.json")), serde_json::to_vec(&truth)?)?;
    Ok(())
}

/// Words of a flow with their pages from 1, in order.
fn words(printed: &Printed, flow: Flow) -> impl Iterator<Item = (usize, &SetWord)> {
    let lines =
        (1..).zip(&printed.pages).flat_map(|(at, page)| page.lines.iter().map(move |line| (at, line)));
    let words = lines.flat_map(|(at, line)| line.iter().map(move |word| (at, word)));
    words.filter(move |(_, word)| word.flow == flow)
}

fn joined<'w>(words: impl Iterator<Item = &'w SetWord>) -> String {
    let texts: Vec<String> = words.filter(|word| !word.parts.is_empty()).map(SetWord::text).collect();
    texts.join(" ")
}

fn pages(printed: &Printed) -> Vec<Value> {
    let line = |page: usize, flow: Flow| {
        let text = joined(words(printed, flow).filter(|(at, _)| *at == page).map(|(_, word)| word));
        if text.is_empty() { Vec::new() } else { vec![text] }
    };
    let page =
        |page| json!({ "page": page, "headers": line(page, Flow::Head), "footers": line(page, Flow::Foot) });
    (1..=printed.pages.len()).map(page).collect()
}

fn blocks(printed: &Printed, manuscript: &Manuscript) -> Vec<Value> {
    let levels = manuscript.elements.iter().filter_map(|element| match element {
        Element::Heading { level, .. } => Some(*level),
        _ => None,
    });
    // The outermost level in use is 1.
    let outermost = levels.min().unwrap_or(1);
    let mut blocks = Vec::new();
    for (at, element) in manuscript.elements.iter().enumerate() {
        let own: Vec<(usize, &SetWord)> =
            words(printed, Flow::Body).filter(|(_, word)| word.element == at).collect();
        let text = joined(own.iter().map(|(_, word)| *word));
        let (Some((page, _)), false) = (own.first(), text.is_empty()) else { continue };
        let marks = own.iter().flat_map(|(page, word)| word.marks.iter().map(move |mark| (page, mark)));
        let refs: Vec<Value> = marks
            .filter_map(|(page, mark)| {
                let note = manuscript.notes.iter().position(|(marker, _)| *marker == mark.marker)?;
                Some(json!({ "fn": note, "marker": mark.marker, "page": page }))
            })
            .collect();
        let mut block = json!({ "kind": kind(element), "text": text, "page": page, "refs": refs });
        match element {
            Element::Heading { level, .. } => block["level"] = json!(level - outermost + 1),
            Element::Table(rows) => {
                let cell = |cell: &Vec<Inline>| cell.iter().map(plain).collect::<String>();
                block["rows"] = json!(
                    rows.iter().map(|row| row.iter().map(cell).collect()).collect::<Vec<Vec<String>>>()
                );
            }
            _ => {}
        }
        blocks.push(block);
    }
    blocks
}

fn kind(element: &Element) -> &'static str {
    match element {
        Element::Title(_) => "title",
        Element::Heading { .. } => "heading",
        Element::Item { .. } => "list",
        Element::Table(_) => "table",
        Element::Paragraph(_)
        | Element::Quote(_)
        | Element::Centered(_)
        | Element::Lines(_)
        | Element::PageBreak
        | Element::Space(_) => "paragraph",
    }
}

fn plain(inline: &Inline) -> &str {
    match inline {
        Inline::Text(text, _) => text,
        Inline::Mark(_) => "",
    }
}

fn notes(printed: &Printed, manuscript: &Manuscript) -> Vec<Value> {
    let note = |(at, (marker, _)): (usize, &(String, Vec<Inline>))| {
        let own: Vec<(usize, &SetWord)> =
            words(printed, Flow::Note).filter(|(_, word)| word.element == at).collect();
        let (page, _) = own.first()?;
        let text = joined(own.iter().map(|(_, word)| *word));
        Some(json!({ "id": at, "marker": marker, "text": text, "page": page }))
    };
    manuscript.notes.iter().enumerate().filter_map(note).collect()
}
