//! The corpus: one small document for each rule of layout and structure, drawn line by line.
//!
//! The samples are set by a typesetter, as real documents are; here every line stands where its source says, so
//! that a page can be made which no typesetter of ours makes: three columns, pleading paper, a stamp across the
//! text, vertical writing. A source is `tests/corpus/<id>.txt`:
//!
//! ```text
//! ! why this document is here
//! page                      a new page of US Letter; `page 90` shows it turned by so much
//! font R 10 12              Times R B I BI or Helvetica S SB SI SBI; size; leading
//! font zh 12 16             also zh (Chinese, by a predefined CMap), zh-v (the same, vertical), he (Hebrew)
//! at 72 100                 where the next line begins: x, and y of its baseline from the top
//! at c 100                  the next lines are centred
//! | A line of **bold** text^1 with a raised mark; each line moves down by the leading
//! down 6                    white between lines
//! rule 72 650 216 650       a line, half a point thick
//! fill 72 90 300 104 0      a filled box: left, top, right, bottom, grey from 0 (black) to 1
//! ink 1                     grey of the text that follows; `ink none` draws it without ink
//! spaced 3                  points between letters
//! turn 45                   degrees by which the next lines rise
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use pdf_writer::types::{CidFontType, SystemInfo, TextRenderingMode};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

use crate::typeset::{Face, Family, Font, encode};

/// A document of the corpus.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The name of its source, and of its golden files.
    pub id: String,
    /// Why it is here.
    pub why: String,
    /// The file.
    pub pdf: Vec<u8>,
}

/// All documents of the corpus, by name.
///
/// # Errors
/// If a source cannot be read or has a line that means nothing.
pub fn all() -> Result<Vec<Drawn>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let (why, pdf) = draw(&fs::read_to_string(path)?).with_context(|| id.clone())?;
            Ok(Drawn { id, why, pdf })
        })
        .collect()
}

const PAGE: (f32, f32) = (612.0, 792.0);
const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const FONTS: i32 = 10;
const FIRST_PAGE: i32 = 100;
/// Names of the fonts in a source, in the order of their objects: the eight of [`Font::ALL`], and three more.
const NAMES: [&str; 11] = ["R", "B", "I", "BI", "S", "SB", "SI", "SBI", "zh", "zh-v", "he"];
const CHINESE: usize = 8;
const VERTICAL: usize = 9;
const HEBREW: usize = 10;

/// A page as it is drawn.
struct Sheet {
    turn: i32,
    content: Content,
}

/// Position and style of the next line.
struct Pen {
    font: usize,
    size: f32,
    leading: f32,
    /// `None` is the middle of the page.
    x: Option<f32>,
    y: f32,
    turn: f32,
}

/// Draws a source: why it is there, and the file.
fn draw(source: &str) -> Result<(String, Vec<u8>)> {
    let mut why = String::new();
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut pen = Pen { font: 0, size: 10.0, leading: 12.0, x: Some(72.0), y: 72.0, turn: 0.0 };
    for (at, line) in source.lines().enumerate() {
        let here = || format!("line {}: {line}", at + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let Some(sheet) = sheets.last_mut() else {
            match word {
                "" => {}
                "!" => why = rest.to_owned(),
                "page" => sheets.push(sheet(rest)?),
                _ => bail!("{} comes before the first page", here()),
            }
            continue;
        };
        match word {
            "page" => sheets.push(self::sheet(rest)?),
            _ => command(word, rest, &mut pen, &mut sheet.content).with_context(here)?,
        }
    }
    Ok((why, write(sheets)))
}

/// Carries out a command on a page.
fn command(word: &str, rest: &str, pen: &mut Pen, content: &mut Content) -> Result<()> {
    match word {
        "" => {}
        "font" => {
            let [name, size, leading] = rest.split_whitespace().collect::<Vec<_>>()[..] else {
                bail!("a font has a name, a size and a leading")
            };
            pen.font = NAMES.iter().position(|known| *known == name).context("no such font")?;
            (pen.size, pen.leading) = (size.parse()?, leading.parse()?);
        }
        "at" => {
            let (x, y) = rest.split_once(' ').context("a place has two numbers")?;
            pen.x = if x == "c" { None } else { Some(x.parse()?) };
            pen.y = y.parse()?;
        }
        "|" => pen.line(rest, content),
        "down" => pen.y += number(rest)?,
        "turn" => pen.turn = number(rest)?,
        "spaced" => {
            content.set_char_spacing(number(rest)?);
        }
        "ink" if rest == "none" => {
            content.set_text_rendering_mode(TextRenderingMode::Invisible);
        }
        "ink" => {
            content.set_text_rendering_mode(TextRenderingMode::Fill);
            content.set_fill_gray(number(rest)?);
        }
        "rule" => {
            let [x0, y0, x1, y1] = numbers(rest)?;
            content.set_line_width(0.5).move_to(x0, PAGE.1 - y0).line_to(x1, PAGE.1 - y1).stroke();
        }
        "fill" => {
            let [x0, y0, x1, y1, grey] = numbers(rest)?;
            content.save_state().set_fill_gray(grey);
            content.rect(x0, PAGE.1 - y1, x1 - x0, y1 - y0).fill_nonzero().restore_state();
        }
        _ => bail!("no such command"),
    }
    Ok(())
}

fn number(text: &str) -> Result<f32> {
    numbers(text).map(|[number]| number)
}

/// The numbers of a command, exactly `N` of them.
fn numbers<const N: usize>(text: &str) -> Result<[f32; N]> {
    let numbers: Vec<f32> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    <[f32; N]>::try_from(numbers).ok().with_context(|| format!("expected {N} numbers"))
}

fn sheet(turn: &str) -> Result<Sheet> {
    let turn = if turn.is_empty() { 0 } else { turn.parse().context("the turn of a page")? };
    Ok(Sheet { turn, content: Content::new() })
}

impl Pen {
    /// Draws one line and moves down. `**` switches to bold and back; `^` raises what follows up to a space,
    /// the end, or another `^`.
    fn line(&mut self, text: &str, content: &mut Content) {
        let x = self.x.unwrap_or_else(|| (PAGE.0 - self.width(text)) / 2.0);
        #[expect(clippy::disallowed_methods, reason = "a sample is drawn on one machine")]
        let (sin, cos) = self.turn.to_radians().sin_cos();
        content.begin_text();
        content.set_text_matrix([cos, sin, -sin, cos, x, PAGE.1 - self.y]);
        for (bold, run) in (0..).map(|at| at % 2 == 1).zip(text.split("**")) {
            let font = if bold && self.font < CHINESE { self.font | 1 } else { self.font };
            for (raised, part) in raised(run) {
                let size = if raised { self.size * 0.62 } else { self.size };
                content.set_font(Name(format!("F{font}").as_bytes()), size);
                content.set_rise(if raised { self.size * 0.35 } else { 0.0 });
                content.show(Str(&codes(part, font)));
            }
        }
        content.set_rise(0.0).end_text();
        if self.font == VERTICAL {
            self.x = self.x.map(|x| x - self.leading);
        } else {
            self.y += self.leading;
        }
    }

    fn width(&self, text: &str) -> f32 {
        let Some(font) = Font::ALL.get(self.font) else { return 0.0 };
        font.measure(&text.replace("**", "").replace('^', ""), f64::from(self.size)) as f32
    }
}

/// The parts of a run, and whether each is raised.
fn raised(run: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut rest = run;
    while let Some((plain, mark)) = rest.split_once('^') {
        let end = mark.find(['^', ' ']).unwrap_or(mark.len());
        let (mark, after) = mark.split_at(end);
        parts.push((false, plain));
        parts.push((true, mark));
        rest = after.strip_prefix('^').unwrap_or(after);
    }
    parts.push((false, rest));
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

/// The text in the font's encoding: WinAnsi, UCS-2, or the Hebrew letters from 0x41 on, as they stand from left
/// to right.
fn codes(text: &str, font: usize) -> Vec<u8> {
    match font {
        CHINESE | VERTICAL => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        HEBREW => text
            .chars()
            .rev()
            .map(|c| match u32::from(c).checked_sub(0x5D0) {
                Some(letter) if letter < 27 => b'A' + letter as u8,
                _ => u8::try_from(u32::from(c)).unwrap_or(b'?'),
            })
            .collect(),
        _ => encode(text),
    }
}

fn write(sheets: Vec<Sheet>) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    let page = |at: usize| Ref::new(FIRST_PAGE + 2 * at as i32);
    pdf.pages(PAGES).kids((0..sheets.len()).map(page)).count(sheets.len() as i32);
    for (at, sheet) in sheets.iter().enumerate() {
        let content = Ref::new(page(at).get() + 1);
        let mut dict = pdf.page(page(at));
        dict.parent(PAGES)
            .contents(content)
            .media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1))
            .rotate(sheet.turn);
        let mut resources = dict.resources();
        let mut fonts = resources.fonts();
        for at in 0..NAMES.len() {
            fonts.pair(Name(format!("F{at}").as_bytes()), Ref::new(FONTS + 3 * at as i32));
        }
        fonts.finish();
        resources.finish();
        dict.finish();
    }
    for (at, sheet) in sheets.into_iter().enumerate() {
        pdf.stream(Ref::new(page(at).get() + 1), &sheet.content.finish());
    }
    write_fonts(&mut pdf);
    pdf.finish()
}

fn write_fonts(pdf: &mut Pdf) {
    let id = |font: usize, part: i32| Ref::new(FONTS + 3 * font as i32 + part);
    for (at, font) in Font::ALL.into_iter().enumerate() {
        debug_assert_eq!(NAMES[at].starts_with('S'), font.family == Family::Helvetica);
        debug_assert_eq!(at % 2 == 1, matches!(font.face, Face::Bold | Face::BoldItalic));
        let name = Name(font.base_name().as_bytes());
        pdf.type1_font(id(at, 0)).base_font(name).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    for (at, cmap) in [(CHINESE, &b"UniGB-UCS2-H"[..]), (VERTICAL, b"UniGB-UCS2-V")] {
        let name = Name(b"STSong-Light");
        let mut font = pdf.type0_font(id(at, 0));
        font.base_font(name).encoding_predefined(Name(cmap)).descendant_font(id(at, 1));
        font.finish();
        let info = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"GB1"), supplement: 2 };
        let mut cid = pdf.cid_font(id(at, 1));
        cid.subtype(CidFontType::Type0).base_font(name).system_info(info).default_width(1000.0);
    }
    let letters = [
        "afii57664",
        "afii57665",
        "afii57666",
        "afii57667",
        "afii57668",
        "afii57669",
        "afii57670",
        "afii57671",
        "afii57672",
        "afii57673",
        "afii57674",
        "afii57675",
        "afii57676",
        "afii57677",
        "afii57678",
        "afii57679",
        "afii57680",
        "afii57681",
        "afii57682",
        "afii57683",
        "afii57684",
        "afii57685",
        "afii57686",
        "afii57687",
        "afii57688",
        "afii57689",
        "afii57690",
    ];
    let mut font = pdf.type1_font(id(HEBREW, 0));
    font.base_font(Name(b"Times-Roman")).first_char(32).last_char(96).widths([500.0; 65]);
    font.encoding_custom().differences().consecutive(b'A', letters.map(|name| Name(name.as_bytes())));
}
