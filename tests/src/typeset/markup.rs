//! The markup in which the samples are written, and its reader.
//!
//! Prose is written as text files, so that a lawyer can read and mend it without reading Rust. Paragraphs are
//! separated by blank lines; what a paragraph is stands at its beginning:
//!
//! | begins with | is |
//! |---|---|
//! | `# `, `## `, … | a heading of level 1, 2, …; its number, if any, ends at ` \| ` |
//! | `= ` | the title |
//! | `> `, `>> `, … | a numbered item of depth 1, 2, …; its marker is the first word; `>> (1) >>> (a) text` puts two markers on one line |
//! | `\| ` | a block quotation |
//! | `^ ` | a centred line |
//! | `: ` | lines set as they are written, each beginning with `: ` |
//! | `[^3]: ` | the text of note 3 |
//! | `+ ` | rows of a table, cells between ` \| ` |
//! | `---` | a new page |
//! | `~12` | 12 points of white |
//!
//! Inside text `*italic*`, `**bold**`, `[^3]` for the mark of note 3; straight quotes become curly and `--` a
//! dash.

use anyhow::{Context, Result, bail};

use super::font::Face;

/// A document as written: its parts in order, and its notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manuscript {
    /// Title, headings, paragraphs, in order.
    pub elements: Vec<Element>,
    /// The notes with their markers, in the order in which they are written.
    pub notes: Vec<(String, Vec<Inline>)>,
}

/// A paragraph-sized part of a manuscript.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// The document's title.
    Title(Vec<Inline>),
    /// A heading: level from 1, its number, its text.
    Heading {
        /// 1 for the outermost.
        level: usize,
        /// "Part 2", "3.1"; empty for none.
        number: Vec<Inline>,
        /// The text behind the number.
        text: Vec<Inline>,
    },
    /// Running text.
    Paragraph(Vec<Inline>),
    /// Running text behind hanging markers.
    Item {
        /// The depth and text of each marker in front of the text.
        markers: Vec<(usize, String)>,
        /// The text.
        text: Vec<Inline>,
    },
    /// A quotation set off from the text.
    Quote(Vec<Inline>),
    /// A centred line.
    Centered(Vec<Inline>),
    /// Lines that keep their ends: addresses, signatures.
    Lines(Vec<Vec<Inline>>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<Vec<Inline>>>),
    /// A page break.
    PageBreak,
    /// White space, in points.
    Space(f64),
}

/// Part of a paragraph's text.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Characters in one face; spaces separate words.
    Text(String, Face),
    /// The mark of a note.
    Mark(String),
}

/// Reads a manuscript.
pub fn parse(source: &str) -> Result<Manuscript> {
    let mut manuscript = Manuscript::default();
    let mut paragraph: Vec<&str> = Vec::new();
    for (at, line) in source.lines().chain([""]).enumerate() {
        if !line.trim().is_empty() {
            paragraph.push(line.trim());
        } else if !paragraph.is_empty() {
            element(&paragraph, &mut manuscript)
                .with_context(|| format!("paragraph that ends at line {at}"))?;
            paragraph.clear();
        }
    }
    Ok(manuscript)
}

fn element(lines: &[&str], manuscript: &mut Manuscript) -> Result<()> {
    let first = lines.first().copied().unwrap_or_default();
    let (sign, rest) = first.split_once(' ').unwrap_or((first, ""));
    let whole = |rest: &str| {
        let mut text = rest.to_owned();
        for line in lines.iter().skip(1) {
            text.push(' ');
            text.push_str(line);
        }
        text
    };
    let element = match sign {
        "---" => Element::PageBreak,
        "=" => Element::Title(inlines(&whole(rest))?),
        "|" => Element::Quote(inlines(&whole(rest))?),
        "^" => Element::Centered(inlines(&whole(rest))?),
        ":" => Element::Lines(
            lines.iter().map(|line| inlines(line.trim_start_matches(':').trim())).collect::<Result<_>>()?,
        ),
        "+" => Element::Table(
            lines
                .iter()
                .map(|line| {
                    line.trim_start_matches('+').split(" | ").map(|cell| inlines(cell.trim())).collect()
                })
                .collect::<Result<_>>()?,
        ),
        _ if sign.starts_with('~') => Element::Space(sign[1..].parse().context("points after ~")?),
        _ if is_all(sign, '#') => {
            let whole = whole(rest);
            let (number, text) = whole.split_once(" | ").unwrap_or(("", &whole));
            Element::Heading { level: sign.len(), number: inlines(number)?, text: inlines(text)? }
        }
        _ if is_all(sign, '>') => item(&whole(first))?,
        _ if sign.starts_with("[^") && sign.ends_with("]:") => {
            let marker = sign[2..sign.len() - 2].to_owned();
            manuscript.notes.push((marker, inlines(&whole(rest))?));
            return Ok(());
        }
        _ => Element::Paragraph(inlines(&whole(first))?),
    };
    manuscript.elements.push(element);
    Ok(())
}

fn is_all(sign: &str, wanted: char) -> bool {
    !sign.is_empty() && sign.chars().all(|c| c == wanted)
}

fn item(source: &str) -> Result<Element> {
    let mut markers = Vec::new();
    let mut rest = source;
    while let Some((sign, after)) = rest.split_once(' ').filter(|(sign, _)| is_all(sign, '>')) {
        let Some((marker, text)) = after.split_once(' ') else { bail!("an item without text: {source}") };
        markers.push((sign.len(), marker.to_owned()));
        rest = text;
    }
    Ok(Element::Item { markers, text: inlines(rest)? })
}

/// Splits text at `*`, `**` and note marks.
pub fn inlines(source: &str) -> Result<Vec<Inline>> {
    let (mut bold, mut italic) = (false, false);
    let mut parts: Vec<Inline> = Vec::new();
    let mut text = String::new();
    let mut rest = source;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let flush = |text: &mut String, parts: &mut Vec<Inline>, face| {
            if !text.is_empty() {
                parts.push(Inline::Text(std::mem::take(text), face));
            }
        };
        let face = Face::of(bold, italic);
        if let Some(after) = rest.strip_prefix("**") {
            flush(&mut text, &mut parts, face);
            bold = !bold;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('*') {
            flush(&mut text, &mut parts, face);
            italic = !italic;
            rest = after;
        } else if let Some((marker, after)) = rest.strip_prefix("[^").and_then(|rest| rest.split_once(']')) {
            flush(&mut text, &mut parts, face);
            parts.push(Inline::Mark(marker.to_owned()));
            rest = after;
        } else {
            let (shown, length) = typographic(rest, before);
            text.push(shown);
            before = shown;
            rest = &rest[length..];
            debug_assert!(length >= c.len_utf8());
        }
    }
    if bold || italic {
        bail!("a * that is not closed: {source}");
    }
    if !text.is_empty() {
        parts.push(Inline::Text(text, Face::Roman));
    }
    Ok(parts)
}

/// The character to print for the beginning of `rest`, and how many bytes it stands for.
fn typographic(rest: &str, before: char) -> (char, usize) {
    let opening = before.is_whitespace() || matches!(before, '(' | '[' | '“' | '‘' | '—');
    match rest.chars().next() {
        Some('"') => (if opening { '“' } else { '”' }, 1),
        Some('\'') => (if opening { '‘' } else { '’' }, 1),
        Some('-') if rest.starts_with("---") => ('—', 3),
        Some('-') if rest.starts_with("--") => ('–', 2),
        Some(c) => (c, c.len_utf8()),
        None => (' ', 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Inline {
        Inline::Text(text.to_owned(), Face::Roman)
    }

    #[test]
    fn signs_say_what_a_paragraph_is() {
        let manuscript = parse("# Part 1 | General\n\n>> (1) >>> (a) one\ntwo\n\n[^1]: note\n\n---").unwrap();
        assert_eq!(
            manuscript.elements,
            [
                Element::Heading { level: 1, number: vec![plain("Part 1")], text: vec![plain("General")] },
                Element::Item {
                    markers: vec![(2, "(1)".to_owned()), (3, "(a)".to_owned())],
                    text: vec![plain("one two")]
                },
                Element::PageBreak,
            ]
        );
        assert_eq!(manuscript.notes, [("1".to_owned(), vec![plain("note")])]);
    }

    #[test]
    fn inline_signs_change_the_face_and_leave_the_quotes_curly() {
        let italic = Inline::Text("Gregory".to_owned(), Face::Italic);
        let cases = [
            ("see *Gregory* \"x\"", vec![plain("see "), italic, plain(" “x”")]),
            ("a firm's[^2] duty", vec![plain("a firm’s"), Inline::Mark("2".to_owned()), plain(" duty")]),
            ("pages 3--4", vec![plain("pages 3–4")]),
        ];
        for (source, expected) in cases {
            assert_eq!(inlines(source).unwrap(), expected, "{source}");
        }
        assert!(inlines("an *open end").is_err());
    }
}
