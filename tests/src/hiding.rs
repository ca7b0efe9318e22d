//! Pages on which every second line hides some of its words, or looks as if it did.
//!
//! The pages are for measuring: `tests/visibility/figures.mjs` renders them and holds what the engine takes for visible
//! against the pixels. Each line is shown in one of the `TREATMENTS`, with a box around some of its words; which of
//! them hide text is known to nobody here, since what a viewer paints decides.

use std::fmt::Write as _;

use pages::standard_widths;
use pdf_writer::{Finish, Name, Pdf, Rect, Ref};

/// Lines of a page.
const LINES: u32 = 14;
/// Words that lines are made of.
const WORDS: &str = "the buyer shall pay 5,000 euros to Jane Doe of 12 Harbour Row within thirty days, or (failing \
                     payment) the seller may rescind; interest runs at 7.5% from June and no notice is given";

/// Ways of showing a line: content before it, right before its text and after it. AREA is the box of some of its words,
/// BOX the transform of the unit square to it.
const TREATMENTS: [(&str, &str, &str); 46] = [
    ("", "", ""),
    ("", "", ""),
    // Boxes after the text, of many kinds.
    ("", "", "0 g AREA re f"),
    ("", "", "1 g AREA re f"),
    ("", "", "0.2 0.4 0.9 rg AREA re f*"),
    ("", "", "/Spot cs 0.8 scn AREA re f"),
    ("", "", "q BOX cm 0 0 1 1 re f Q"),
    ("", "", "q BOX cm 0 0 0.52 1 re 0.5 0 0.5 1 re f Q"),
    ("", "", "q BOX cm 0 0 1 0.5 re f 0 0.49 1 0.51 re f Q"),
    ("", "", "q BOX cm -0.2 0.5 m 0.5 2.5 l 1.2 0.5 l 0.5 -1.5 l h f Q"),
    ("", "", "q BOX cm 1.3 0.5 m 1.3 2.6 -0.3 2.6 -0.3 0.5 c -0.3 -1.6 1.3 -1.6 1.3 0.5 c f Q"),
    ("", "", "q BOX cm 1 w 0 0.5 m 1 0.5 l S Q"),
    ("", "", "/Almost gs AREA re f /Full gs"),
    ("", "", "/Multiply gs 0 g AREA re f /Full gs"),
    ("", "", "q BOX cm /Photo Do Q"),
    ("", "", "q BOX cm /Dense Do Q"),
    ("", "", "q BOX cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"),
    ("", "", "/Pattern cs /Bricks scn AREA re f"),
    ("", "", "/Pattern cs /Slope scn AREA re f"),
    ("", "", "q AREA re W n /Slope sh Q"),
    ("", "", "q BOX cm /Square Do Q"),
    ("", "", "q BOX cm /Group Do Q"),
    // What looks like it, and shows the text.
    ("0.9 0.9 0.6 rg AREA re f 0 g", "", ""),
    ("q BOX cm /Photo Do Q", "1 0 0 rg", ""),
    ("", "", "/Half gs 0 0 1 rg AREA re f /Full gs"),
    ("", "", "/Multiply gs 1 1 0 rg AREA re f /Full gs"),
    ("", "", "q BOX cm /Clear Do Q"),
    ("", "", "1 w AREA re S"),
    ("", "", "q BOX cm -0.1 -0.2 1.2 1.4 re 0 0 1 1 re f* Q"),
    ("", "", "q 0 0 9 9 re W n AREA re f Q"),
    ("", "", "/Pattern cs /Hatch scn AREA re f"),
    ("", "", "/Half gs q BOX cm /Group Do Q /Full gs"),
    ("", "", "/OC /Off BDC AREA re f EMC"),
    // Text without ink, or without contrast.
    ("", "/Faint gs", "/Full gs"),
    ("", "/Half gs", "/Full gs"),
    ("", "/Empty gs", "/Unmask gs"),
    ("", "/White gs", "/Unmask gs"),
    ("", "/OC /Unseen BDC", "EMC"),
    ("", "/OC /Off BDC", "EMC"),
    ("", "3 Tr", "0 Tr"),
    ("q", "7 Tr", "Q"),
    ("q", "1 Tr 0.3 w", "Q"),
    ("", "1 g", "0 g"),
    ("0.3 0.5 0.3 rg AREA re f", "0.3 0.5 0.3 rg", "0 g"),
    // Clipping paths.
    ("q AREA re W n", "", "Q"),
    ("0 0 612 792 re AREA re W* n", "", ""),
];

/// A generator of numbers, the same for the same seed (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(n.max(1))) as u32
    }
}

/// A file of `n_pages` pages.
pub fn pages(seed: u64, n_pages: u32) -> Vec<u8> {
    let mut dice = Dice(seed.max(1) ^ 0x9E37_79B9_7F4A_7C15);
    let mut pdf = Pdf::new();
    let mut next = 1;
    let mut id = || {
        next += 1;
        Ref::new(next - 1)
    };
    let (catalog, tree, resources, group_off, group_unseen) = (id(), id(), id(), id(), id());
    write_resources(&mut pdf, resources, group_off, group_unseen, &mut id);
    let kids: Vec<(Ref, Ref)> = (0..n_pages).map(|_| (id(), id())).collect();
    for &(page, content) in &kids {
        let text = page_content(&mut dice);
        pdf.stream(content, text.as_bytes());
        let mut page = pdf.page(page);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, 612.0, 792.0)).contents(content);
        page.insert(Name(b"Resources")).primitive(resources);
    }
    pdf.pages(tree).kids(kids.iter().map(|kid| kid.0)).count(i32::try_from(n_pages).unwrap_or(i32::MAX));
    let mut root = pdf.catalog(catalog);
    root.pages(tree);
    let mut properties = root.insert(Name(b"OCProperties")).dict();
    properties.insert(Name(b"OCGs")).array().items([group_off, group_unseen]);
    properties.insert(Name(b"D")).dict().insert(Name(b"OFF")).array().item(group_off);
    properties.finish();
    root.finish();
    pdf.finish()
}

fn page_content(dice: &mut Dice) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let widths = standard_widths("Helvetica").unwrap_or_else(|| unreachable!("a standard font"));
    let mut content = String::new();
    let mut late = String::new();
    for line in 0..LINES {
        let size = [4, 8, 10, 11, 14, 18][dice.below(6) as usize];
        let text: Vec<&str> =
            (0..4 + dice.below(4)).map(|_| words[dice.below(words.len() as u32) as usize]).collect();
        let (x, y) = (50 + dice.below(60), 740 - 50 * line);
        let width = |text: &str| {
            let glyphs: u32 = text.bytes().map(|byte| u32::from(widths[usize::from(byte)])).sum();
            f64::from(glyphs) / 1000.0 * f64::from(size)
        };
        // A box around whole words, with a little air.
        let first = dice.below(text.len() as u32) as usize;
        let last = first + dice.below((text.len() - first) as u32) as usize;
        let before = if first > 0 { text[..first].join(" ") + " " } else { String::new() };
        let (left, inside) = (width(&before), width(&text[first..=last].join(" ")));
        let air = 0.12 * f64::from(size);
        let (x0, y0) = (f64::from(x) + left - air, f64::from(y) - 0.25 * f64::from(size));
        let (w, h) = (inside + 2.0 * air, 1.1 * f64::from(size));
        let (earlier, around, later) = TREATMENTS[dice.below(TREATMENTS.len() as u32) as usize];
        let area = format!("{x0:.2} {y0:.2} {w:.2} {h:.2}");
        let unit = format!("{w:.2} 0 0 {h:.2} {x0:.2} {y0:.2}");
        let fill = |way: &str| way.replace("BOX", &unit).replace("AREA", &area);
        let text = text.join(" ").replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(content, "0 g q {} {}", fill(earlier), fill(around));
        let _ = writeln!(content, "BT /F {size} Tf {x} {y} Td ({text}) Tj ET");
        // Half of what is not tied to the state of the line is painted when the page is else complete.
        let is_tied = !around.is_empty() || !earlier.is_empty();
        let after = format!("0 g {}\n", fill(later));
        if is_tied || dice.below(2) == 0 {
            content.push_str(&after);
        } else {
            late.push_str(&after);
        }
        content.push_str("Q\n");
    }
    content + &late
}

fn write_resources(pdf: &mut Pdf, resources: Ref, off: Ref, unseen: Ref, id: &mut dyn FnMut() -> Ref) {
    let (font, photo, dense, clear, white, clear_mask) = (id(), id(), id(), id(), id(), id());
    let (square, group, bricks, hatch, empty_form, white_form) = (id(), id(), id(), id(), id(), id());
    pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    let samples: Vec<u8> = (0..64u8).map(|n| n.wrapping_mul(37)).collect();
    for (id, mask, data) in [
        (white, None, vec![255; 64]),
        (clear_mask, None, vec![0; 64]),
        (photo, None, samples.clone()),
        (dense, Some(white), samples.clone()),
        (clear, Some(clear_mask), samples),
    ] {
        let mut image = pdf.image_xobject(id, &data);
        image.width(8).height(8).bits_per_component(8);
        image.color_space().device_gray();
        if let Some(mask) = mask {
            image.s_mask(mask);
        }
    }
    let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
    pdf.form_xobject(square, b"0 0 1 1 re f").bbox(unit);
    for (id, bbox, content) in [
        (group, unit, &b"0 0 1 1 re f"[..]),
        (empty_form, Rect::new(0.0, 0.0, 612.0, 792.0), b""),
        (white_form, Rect::new(0.0, 0.0, 612.0, 792.0), b"1 g 0 0 612 792 re f"),
    ] {
        let mut form = pdf.form_xobject(id, content);
        form.bbox(bbox);
        form.group().transparency().color_space().device_gray();
    }
    for (id, content) in [(bricks, "0.7 0.3 0.2 rg 0 0 6 6 re f 0 g 0 0 6 1 re f"), (hatch, "0 0 6 1 re f")] {
        let mut pattern = pdf.tiling_pattern(id, content.as_bytes());
        pattern
            .paint_type(pdf_writer::types::PaintType::Colored)
            .tiling_type(pdf_writer::types::TilingType::ConstantSpacing);
        pattern.bbox(Rect::new(0.0, 0.0, 6.0, 6.0)).x_step(6.0).y_step(6.0);
        pattern.resources();
    }
    for (id, name) in [(off, "Off"), (unseen, "Unseen")] {
        let mut group = pdf.indirect(id).dict();
        group.pair(Name(b"Type"), Name(b"OCG")).pair(Name(b"Name"), pdf_writer::Str(name.as_bytes()));
        if name == "Unseen" {
            let mut usage = group.insert(Name(b"Usage")).dict();
            usage.insert(Name(b"View")).dict().pair(Name(b"ViewState"), Name(b"OFF"));
        }
    }
    let mut all = pdf.indirect(resources).dict();
    all.insert(Name(b"Font")).dict().pair(Name(b"F"), font);
    all.insert(Name(b"XObject"))
        .dict()
        .pair(Name(b"Photo"), photo)
        .pair(Name(b"Dense"), dense)
        .pair(Name(b"Clear"), clear)
        .pair(Name(b"Square"), square)
        .pair(Name(b"Group"), group);
    let mut patterns = all.insert(Name(b"Pattern")).dict();
    patterns.pair(Name(b"Bricks"), bricks).pair(Name(b"Hatch"), hatch);
    let mut slope = patterns.insert(Name(b"Slope")).dict();
    slope.pair(Name(b"PatternType"), 2);
    shading(slope.insert(Name(b"Shading")).dict());
    slope.finish();
    patterns.finish();
    let mut shadings = all.insert(Name(b"Shading")).dict();
    shading(shadings.insert(Name(b"Slope")).dict());
    shadings.finish();
    all.insert(Name(b"Properties")).dict().pair(Name(b"Off"), off).pair(Name(b"Unseen"), unseen);
    let mut spaces = all.insert(Name(b"ColorSpace")).dict();
    let mut spot = spaces.insert(Name(b"Spot")).array();
    spot.item(Name(b"Separation")).item(Name(b"Green")).item(Name(b"DeviceRGB"));
    tint(spot.push().dict(), [1.0, 1.0, 1.0], [0.0, 0.6, 0.2]);
    spot.finish();
    spaces.finish();
    let mut states = all.insert(Name(b"ExtGState")).dict();
    for (name, alpha) in [("Full", 1.0), ("Half", 0.5), ("Almost", 0.99), ("Faint", 0.001)] {
        let mut state = states.insert(Name(name.as_bytes())).dict();
        state.pair(Name(b"ca"), alpha).pair(Name(b"CA"), alpha).pair(Name(b"BM"), Name(b"Normal"));
    }
    states.insert(Name(b"Multiply")).dict().pair(Name(b"BM"), Name(b"Multiply"));
    states.insert(Name(b"Unmask")).dict().pair(Name(b"SMask"), Name(b"None"));
    for (name, form) in [("Empty", empty_form), ("White", white_form)] {
        let mut state = states.insert(Name(name.as_bytes())).dict();
        let mut mask = state.insert(Name(b"SMask")).dict();
        // Masks of luminosity need a browser's filters, which the renderer has not got: pages' own tests have them.
        mask.pair(Name(b"S"), Name(b"Alpha")).pair(Name(b"G"), form);
    }
}

/// A shading without an end.
fn shading(mut shading: pdf_writer::Dict<'_>) {
    shading.pair(Name(b"ShadingType"), 2).pair(Name(b"ColorSpace"), Name(b"DeviceRGB"));
    shading.insert(Name(b"Coords")).array().items([0.0, 0.0, 612.0, 792.0]);
    shading.insert(Name(b"Extend")).array().items([true, true]);
    tint(shading.insert(Name(b"Function")).dict(), [0.9, 0.2, 0.2], [0.2, 0.2, 0.9]);
}

/// A function from one number to a colour.
fn tint(mut function: pdf_writer::Dict<'_>, from: [f32; 3], to: [f32; 3]) {
    function.pair(Name(b"FunctionType"), 2).pair(Name(b"N"), 1.0f32);
    function.insert(Name(b"Domain")).array().items([0.0f32, 1.0]);
    function.insert(Name(b"C0")).array().items(from);
    function.insert(Name(b"C1")).array().items(to);
}
