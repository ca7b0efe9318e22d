//! Metrics of the 14 standard fonts, which files may use without embedding them.
//!
//! The widths are from Adobe's Core 14 AFM files (4.1), by glyph name, so that they serve any encoding. They are text
//! and parsed once: 600 names take well under a millisecond. All glyphs of Courier are 600 wide.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::encoding;

/// Standard font by its widths: oblique Helvetica shares those of the upright one, all Courier faces share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandardFont {
    /// Column of [`LATIN`].
    Latin(usize),
    Courier,
    Symbol,
    Dingbats,
}

/// Widths of a standard font in thousandths of an em, by WinAnsi code; 0 for codes without a glyph.
///
/// `font_name` is a standard name (`Helvetica-Bold`) or a usual alias (Arial). Symbol and ZapfDingbats have the widths
/// of their built-in encodings.
pub fn standard_widths(font_name: &str) -> Option<&'static [u16; 256]> {
    let tables = &*BY_CODE;
    match find(font_name)? {
        StandardFont::Latin(column) => tables.get(column),
        StandardFont::Courier => tables.get(6),
        StandardFont::Symbol => tables.get(7),
        StandardFont::Dingbats => tables.get(8),
    }
}

/// Standard font of a `BaseFont` name, usual aliases included.
pub(crate) fn find(base_font: &str) -> Option<StandardFont> {
    let name: String = base_font.chars().filter(|c| !matches!(c, ' ' | ',' | '-' | '_')).collect();
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix("mt").unwrap_or(&name);
    let name = name.strip_suffix("ps").unwrap_or(name);
    let (family, rest) = [
        ("helvetica", "helvetica"),
        ("arial", "helvetica"),
        ("timesnewromanps", "times"),
        ("timesnewroman", "times"),
        ("times", "times"),
        ("couriernew", "courier"),
        ("courier", "courier"),
        ("symbol", "symbol"),
        ("zapfdingbats", "dingbats"),
    ]
    .into_iter()
    .find_map(|(alias, family)| Some((family, name.strip_prefix(alias)?)))?;
    let rest = rest.replace("psmt", "").replace("mt", "");
    let (bold, italic) = match rest.as_str() {
        "" | "roman" | "regular" | "normal" => (false, false),
        "bold" => (true, false),
        "italic" | "oblique" => (false, true),
        "bolditalic" | "boldoblique" => (true, true),
        _ => return None,
    };
    Some(match (family, bold, italic) {
        ("helvetica", bold, _) => StandardFont::Latin(usize::from(bold)),
        ("times", false, false) => StandardFont::Latin(2),
        ("times", true, false) => StandardFont::Latin(3),
        ("times", false, true) => StandardFont::Latin(4),
        ("times", true, true) => StandardFont::Latin(5),
        ("courier", _, _) => StandardFont::Courier,
        ("symbol", _, _) => StandardFont::Symbol,
        _ => StandardFont::Dingbats,
    })
}

/// Width of a glyph in thousandths of an em.
pub(crate) fn glyph_width(font: StandardFont, name: &str) -> Option<u16> {
    match font {
        StandardFont::Latin(column) => BY_NAME.latin.get(name)?.get(column).copied(),
        StandardFont::Courier => BY_NAME.latin.contains_key(name).then_some(600),
        StandardFont::Symbol => BY_NAME.symbol.get(name).copied(),
        StandardFont::Dingbats => BY_NAME.dingbats.get(name).map(|&(width, _)| width),
    }
}

/// Ascent and descent in ems, from the AFM files.
pub(crate) fn ascent_descent(font: StandardFont) -> (f32, f32) {
    match font {
        StandardFont::Latin(0 | 1) => (0.718, -0.207),
        StandardFont::Latin(_) => (0.683, -0.217),
        StandardFont::Courier => (0.629, -0.157),
        StandardFont::Symbol => (0.70, -0.22),
        StandardFont::Dingbats => (0.70, -0.14),
    }
}

/// Character of a ZapfDingbats glyph name (`a1` to `a206`).
pub(crate) fn dingbat(name: &str) -> Option<char> {
    BY_NAME.dingbats.get(name).and_then(|&(_, c)| c)
}

/// Metrics by glyph name.
struct GlyphMetrics {
    latin: BTreeMap<&'static str, [u16; 6]>,
    symbol: BTreeMap<&'static str, u16>,
    dingbats: BTreeMap<&'static str, (u16, Option<char>)>,
}

static BY_NAME: LazyLock<GlyphMetrics> = LazyLock::new(|| GlyphMetrics {
    latin: entries(LATIN)
        .map(|(name, mut numbers)| (name, std::array::from_fn(|_| next_width(&mut numbers))))
        .collect(),
    symbol: entries(SYMBOL).map(|(name, mut numbers)| (name, next_width(&mut numbers))).collect(),
    dingbats: entries(DINGBATS)
        .map(|(name, mut numbers)| {
            let width = next_width(&mut numbers);
            let code = numbers.next().and_then(|hex| u32::from_str_radix(hex, 16).ok());
            (name, (width, code.and_then(char::from_u32)))
        })
        .collect(),
});

static BY_CODE: LazyLock<[[u16; 256]; 9]> = LazyLock::new(|| {
    std::array::from_fn(|table| {
        let (font, names) = match table {
            0..=5 => (StandardFont::Latin(table), encoding::win_ansi()),
            6 => (StandardFont::Courier, encoding::win_ansi()),
            7 => (StandardFont::Symbol, encoding::symbol()),
            _ => (StandardFont::Dingbats, encoding::dingbats()),
        };
        names.map(|name| name.and_then(|name| glyph_width(font, name)).unwrap_or(0))
    })
});

type Numbers = std::str::SplitAsciiWhitespace<'static>;

fn entries(table: &'static str) -> impl Iterator<Item = (&'static str, Numbers)> {
    table.split(';').filter_map(|entry| {
        let mut words = entry.split_ascii_whitespace();
        Some((words.next()?, words))
    })
}

fn next_width(numbers: &mut Numbers) -> u16 {
    numbers.next().and_then(|width| width.parse().ok()).unwrap_or(0)
}

/// `name Helvetica Helvetica-Bold Times-Roman Times-Bold Times-Italic Times-BoldItalic`. The oblique faces of
/// Helvetica have the widths of the upright ones.
const LATIN: &str = "\
A 667 722 722 722 611 667; AE 1000 1000 889 1000 889 944; Aacute 667 722 722 722 611 667;
Abreve 667 722 722 722 611 667; Acircumflex 667 722 722 722 611 667; Adieresis 667 722 722 722 611 667;
Agrave 667 722 722 722 611 667; Amacron 667 722 722 722 611 667; Aogonek 667 722 722 722 611 667;
Aring 667 722 722 722 611 667; Atilde 667 722 722 722 611 667; B 667 722 667 667 611 667;
C 722 722 667 722 667 667; Cacute 722 722 667 722 667 667; Ccaron 722 722 667 722 667 667;
Ccedilla 722 722 667 722 667 667; D 722 722 722 722 722 722; Dcaron 722 722 722 722 722 722;
Dcroat 722 722 722 722 722 722; Delta 612 612 612 612 612 612; E 667 667 611 667 611 667;
Eacute 667 667 611 667 611 667; Ecaron 667 667 611 667 611 667; Ecircumflex 667 667 611 667 611 667;
Edieresis 667 667 611 667 611 667; Edotaccent 667 667 611 667 611 667; Egrave 667 667 611 667 611 667;
Emacron 667 667 611 667 611 667; Eogonek 667 667 611 667 611 667; Eth 722 722 722 722 722 722;
Euro 556 556 500 500 500 500; F 611 611 556 611 611 667; G 778 778 722 778 722 722;
Gbreve 778 778 722 778 722 722; Gcommaaccent 778 778 722 778 722 722; H 722 722 722 778 722 778;
I 278 278 333 389 333 389; Iacute 278 278 333 389 333 389; Icircumflex 278 278 333 389 333 389;
Idieresis 278 278 333 389 333 389; Idotaccent 278 278 333 389 333 389; Igrave 278 278 333 389 333 389;
Imacron 278 278 333 389 333 389; Iogonek 278 278 333 389 333 389; J 500 556 389 500 444 500;
K 667 722 722 778 667 667; Kcommaaccent 667 722 722 778 667 667; L 556 611 611 667 556 611;
Lacute 556 611 611 667 556 611; Lcaron 556 611 611 667 611 611; Lcommaaccent 556 611 611 667 556 611;
Lslash 556 611 611 667 556 611; M 833 833 889 944 833 889; N 722 722 722 722 667 722;
Nacute 722 722 722 722 667 722; Ncaron 722 722 722 722 667 722; Ncommaaccent 722 722 722 722 667 722;
Ntilde 722 722 722 722 667 722; O 778 778 722 778 722 722; OE 1000 1000 889 1000 944 944;
Oacute 778 778 722 778 722 722; Ocircumflex 778 778 722 778 722 722; Odieresis 778 778 722 778 722 722;
Ograve 778 778 722 778 722 722; Ohungarumlaut 778 778 722 778 722 722; Omacron 778 778 722 778 722 722;
Oslash 778 778 722 778 722 722; Otilde 778 778 722 778 722 722; P 667 667 556 611 611 611;
Q 778 778 722 778 722 722; R 722 722 667 722 611 667; Racute 722 722 667 722 611 667;
Rcaron 722 722 667 722 611 667; Rcommaaccent 722 722 667 722 611 667; S 667 667 556 556 500 556;
Sacute 667 667 556 556 500 556; Scaron 667 667 556 556 500 556; Scedilla 667 667 556 556 500 556;
Scommaaccent 667 667 556 556 500 556; T 611 611 611 667 556 611; Tcaron 611 611 611 667 556 611;
Tcommaaccent 611 611 611 667 556 611; Thorn 667 667 556 611 611 611; U 722 722 722 722 722 722;
Uacute 722 722 722 722 722 722; Ucircumflex 722 722 722 722 722 722; Udieresis 722 722 722 722 722 722;
Ugrave 722 722 722 722 722 722; Uhungarumlaut 722 722 722 722 722 722; Umacron 722 722 722 722 722 722;
Uogonek 722 722 722 722 722 722; Uring 722 722 722 722 722 722; V 667 667 722 722 611 667;
W 944 944 944 1000 833 889; X 667 667 722 722 611 667; Y 667 667 722 722 556 611;
Yacute 667 667 722 722 556 611; Ydieresis 667 667 722 722 556 611; Z 611 611 611 667 556 611;
Zacute 611 611 611 667 556 611; Zcaron 611 611 611 667 556 611; Zdotaccent 611 611 611 667 556 611;
a 556 556 444 500 500 500; aacute 556 556 444 500 500 500; abreve 556 556 444 500 500 500;
acircumflex 556 556 444 500 500 500; acute 333 333 333 333 333 333; adieresis 556 556 444 500 500 500;
ae 889 889 667 722 667 722; agrave 556 556 444 500 500 500; amacron 556 556 444 500 500 500;
ampersand 667 722 778 833 778 778; aogonek 556 556 444 500 500 500; aring 556 556 444 500 500 500;
asciicircum 469 584 469 581 422 570; asciitilde 584 584 541 520 541 570; asterisk 389 389 500 500 500 500;
at 1015 975 921 930 920 832; atilde 556 556 444 500 500 500; b 556 611 500 556 500 500;
backslash 278 278 278 278 278 278; bar 260 280 200 220 275 220; braceleft 334 389 480 394 400 348;
braceright 334 389 480 394 400 348; bracketleft 278 333 333 333 389 333;
bracketright 278 333 333 333 389 333; breve 333 333 333 333 333 333; brokenbar 260 280 200 220 275 220;
bullet 350 350 350 350 350 350; c 500 556 444 444 444 444; cacute 500 556 444 444 444 444;
caron 333 333 333 333 333 333; ccaron 500 556 444 444 444 444; ccedilla 500 556 444 444 444 444;
cedilla 333 333 333 333 333 333; cent 556 556 500 500 500 500; circumflex 333 333 333 333 333 333;
colon 278 333 278 333 333 333; comma 278 278 250 250 250 250; commaaccent 250 250 250 250 250 250;
copyright 737 737 760 747 760 747; currency 556 556 500 500 500 500; d 556 611 500 556 500 500;
dagger 556 556 500 500 500 500; daggerdbl 556 556 500 500 500 500; dcaron 643 743 588 672 544 608;
dcroat 556 611 500 556 500 500; degree 400 400 400 400 400 400; dieresis 333 333 333 333 333 333;
divide 584 584 564 570 675 570; dollar 556 556 500 500 500 500; dotaccent 333 333 333 333 333 333;
dotlessi 278 278 278 278 278 278; e 556 556 444 444 444 444; eacute 556 556 444 444 444 444;
ecaron 556 556 444 444 444 444; ecircumflex 556 556 444 444 444 444; edieresis 556 556 444 444 444 444;
edotaccent 556 556 444 444 444 444; egrave 556 556 444 444 444 444; eight 556 556 500 500 500 500;
ellipsis 1000 1000 1000 1000 889 1000; emacron 556 556 444 444 444 444; emdash 1000 1000 1000 1000 889 1000;
endash 556 556 500 500 500 500; eogonek 556 556 444 444 444 444; equal 584 584 564 570 675 570;
eth 556 611 500 500 500 500; exclam 278 333 333 333 333 389; exclamdown 333 333 333 333 389 389;
f 278 333 333 333 278 333; fi 500 611 556 556 500 556; five 556 556 500 500 500 500;
fl 500 611 556 556 500 556; florin 556 556 500 500 500 500; four 556 556 500 500 500 500;
fraction 167 167 167 167 167 167; g 556 611 500 500 500 500; gbreve 556 611 500 500 500 500;
gcommaaccent 556 611 500 500 500 500; germandbls 611 611 500 556 500 500; grave 333 333 333 333 333 333;
greater 584 584 564 570 675 570; greaterequal 549 549 549 549 549 549; guillemotleft 556 556 500 500 500 500;
guillemotright 556 556 500 500 500 500; guilsinglleft 333 333 333 333 333 333;
guilsinglright 333 333 333 333 333 333; h 556 611 500 556 500 556; hungarumlaut 333 333 333 333 333 333;
hyphen 333 333 333 333 333 333; i 222 278 278 278 278 278; iacute 278 278 278 278 278 278;
icircumflex 278 278 278 278 278 278; idieresis 278 278 278 278 278 278; igrave 278 278 278 278 278 278;
imacron 278 278 278 278 278 278; iogonek 222 278 278 278 278 278; j 222 278 278 333 278 278;
k 500 556 500 556 444 500; kcommaaccent 500 556 500 556 444 500; l 222 278 278 278 278 278;
lacute 222 278 278 278 278 278; lcaron 299 400 344 394 300 382; lcommaaccent 222 278 278 278 278 278;
less 584 584 564 570 675 570; lessequal 549 549 549 549 549 549; logicalnot 584 584 564 570 675 606;
lozenge 471 494 471 494 471 494; lslash 222 278 278 278 278 278; m 833 889 778 833 722 778;
macron 333 333 333 333 333 333; minus 584 584 564 570 675 606; mu 556 611 500 556 500 576;
multiply 584 584 564 570 675 570; n 556 611 500 556 500 556; nacute 556 611 500 556 500 556;
ncaron 556 611 500 556 500 556; ncommaaccent 556 611 500 556 500 556; nine 556 556 500 500 500 500;
notequal 549 549 549 549 549 549; ntilde 556 611 500 556 500 556; numbersign 556 556 500 500 500 500;
o 556 611 500 500 500 500; oacute 556 611 500 500 500 500; ocircumflex 556 611 500 500 500 500;
odieresis 556 611 500 500 500 500; oe 944 944 722 722 667 722; ogonek 333 333 333 333 333 333;
ograve 556 611 500 500 500 500; ohungarumlaut 556 611 500 500 500 500; omacron 556 611 500 500 500 500;
one 556 556 500 500 500 500; onehalf 834 834 750 750 750 750; onequarter 834 834 750 750 750 750;
onesuperior 333 333 300 300 300 300; ordfeminine 370 370 276 300 276 266;
ordmasculine 365 365 310 330 310 300; oslash 611 611 500 500 500 500; otilde 556 611 500 500 500 500;
p 556 611 500 556 500 500; paragraph 537 556 453 540 523 500; parenleft 333 333 333 333 333 333;
parenright 333 333 333 333 333 333; partialdiff 476 494 476 494 476 494; percent 889 889 833 1000 833 833;
period 278 278 250 250 250 250; periodcentered 278 278 250 250 250 250;
perthousand 1000 1000 1000 1000 1000 1000; plus 584 584 564 570 675 570; plusminus 584 584 564 570 675 570;
q 556 611 500 556 500 500; question 556 611 444 500 500 500; questiondown 611 611 444 500 500 500;
quotedbl 355 474 408 555 420 555; quotedblbase 333 500 444 500 556 500; quotedblleft 333 500 444 500 556 500;
quotedblright 333 500 444 500 556 500; quoteleft 222 278 333 333 333 333; quoteright 222 278 333 333 333 333;
quotesinglbase 222 278 333 333 333 333; quotesingle 191 238 180 278 214 278; r 333 389 333 444 389 389;
racute 333 389 333 444 389 389; radical 453 549 453 549 453 549; rcaron 333 389 333 444 389 389;
rcommaaccent 333 389 333 444 389 389; registered 737 737 760 747 760 747; ring 333 333 333 333 333 333;
s 500 556 389 389 389 389; sacute 500 556 389 389 389 389; scaron 500 556 389 389 389 389;
scedilla 500 556 389 389 389 389; scommaaccent 500 556 389 389 389 389; section 556 556 500 500 500 500;
semicolon 278 333 278 333 333 333; seven 556 556 500 500 500 500; six 556 556 500 500 500 500;
slash 278 278 278 278 278 278; space 278 278 250 250 250 250; sterling 556 556 500 500 500 500;
summation 600 600 600 600 600 600; t 278 333 278 333 278 278; tcaron 317 389 326 416 300 366;
tcommaaccent 278 333 278 333 278 278; thorn 556 611 500 556 500 500; three 556 556 500 500 500 500;
threequarters 834 834 750 750 750 750; threesuperior 333 333 300 300 300 300; tilde 333 333 333 333 333 333;
trademark 1000 1000 980 1000 980 1000; two 556 556 500 500 500 500; twosuperior 333 333 300 300 300 300;
u 556 611 500 556 500 556; uacute 556 611 500 556 500 556; ucircumflex 556 611 500 556 500 556;
udieresis 556 611 500 556 500 556; ugrave 556 611 500 556 500 556; uhungarumlaut 556 611 500 556 500 556;
umacron 556 611 500 556 500 556; underscore 556 556 500 500 500 500; uogonek 556 611 500 556 500 556;
uring 556 611 500 556 500 556; v 500 556 500 500 444 444; w 722 778 722 722 667 667;
x 500 556 500 500 444 500; y 500 556 500 500 444 444; yacute 500 556 500 500 444 444;
ydieresis 500 556 500 500 444 444; yen 556 556 500 500 500 500; z 500 500 444 444 389 389;
zacute 500 500 444 444 389 389; zcaron 500 500 444 444 389 389; zdotaccent 500 500 444 444 389 389;
zero 556 556 500 500 500 500";

/// `name width`.
const SYMBOL: &str = "\
Alpha 722; Beta 667; Chi 722; Delta 612; Epsilon 611; Eta 722; Euro 750; Gamma 603; Ifraktur 686; Iota 333;
Kappa 722; Lambda 686; Mu 889; Nu 722; Omega 768; Omicron 722; Phi 763; Pi 768; Psi 795; Rfraktur 795;
Rho 556; Sigma 592; Tau 611; Theta 741; Upsilon 690; Upsilon1 620; Xi 645; Zeta 611; aleph 823; alpha 631;
ampersand 778; angle 768; angleleft 329; angleright 329; apple 790; approxequal 549; arrowboth 1042;
arrowdblboth 1042; arrowdbldown 603; arrowdblleft 987; arrowdblright 987; arrowdblup 603; arrowdown 603;
arrowhorizex 1000; arrowleft 987; arrowright 987; arrowup 603; arrowvertex 603; asteriskmath 500; bar 200;
beta 549; braceex 494; braceleft 480; braceleftbt 494; braceleftmid 494; bracelefttp 494; braceright 480;
bracerightbt 494; bracerightmid 494; bracerighttp 494; bracketleft 333; bracketleftbt 384; bracketleftex 384;
bracketlefttp 384; bracketright 333; bracketrightbt 384; bracketrightex 384; bracketrighttp 384; bullet 460;
carriagereturn 658; chi 549; circlemultiply 768; circleplus 768; club 753; colon 278; comma 250;
congruent 549; copyrightsans 790; copyrightserif 790; degree 400; delta 494; diamond 753; divide 549;
dotmath 250; eight 500; element 713; ellipsis 1000; emptyset 823; epsilon 439; equal 549; equivalence 549;
eta 603; exclam 333; existential 549; five 500; florin 500; four 500; fraction 167; gamma 411; gradient 713;
greater 549; greaterequal 549; heart 753; infinity 713; integral 274; integralbt 686; integralex 686;
integraltp 686; intersection 768; iota 329; kappa 549; lambda 549; less 549; lessequal 549; logicaland 603;
logicalnot 713; logicalor 603; lozenge 494; minus 549; minute 247; mu 576; multiply 549; nine 500;
notelement 713; notequal 549; notsubset 713; nu 521; numbersign 500; omega 686; omega1 713; omicron 549;
one 500; parenleft 333; parenleftbt 384; parenleftex 384; parenlefttp 384; parenright 333; parenrightbt 384;
parenrightex 384; parenrighttp 384; partialdiff 494; percent 833; period 250; perpendicular 658; phi 521;
phi1 603; pi 549; plus 549; plusminus 549; product 823; propersubset 713; propersuperset 713;
proportional 713; psi 686; question 444; radical 549; radicalex 500; reflexsubset 713; reflexsuperset 713;
registersans 790; registerserif 790; rho 549; second 411; semicolon 278; seven 500; sigma 603; sigma1 439;
similar 549; six 500; slash 278; space 250; spade 753; suchthat 439; summation 713; tau 439; therefore 863;
theta 521; theta1 631; three 500; trademarksans 786; trademarkserif 890; two 500; underscore 500; union 768;
universal 713; upsilon 576; weierstrass 987; xi 493; zero 500; zeta 494";

/// `name width Unicode`: these names are not in the Adobe Glyph List.
const DINGBATS: &str = "\
a1 974 2701; a10 692 2721; a100 668 275E; a101 732 2761; a102 544 2762; a103 544 2763; a104 910 2764;
a105 911 2710; a106 667 2765; a107 760 2766; a108 760 2767; a109 626 2660; a11 960 261B; a110 694 2665;
a111 595 2666; a112 776 2663; a117 690 2709; a118 791 2708; a119 790 2707; a12 939 261E; a120 788 2460;
a121 788 2461; a122 788 2462; a123 788 2463; a124 788 2464; a125 788 2465; a126 788 2466; a127 788 2467;
a128 788 2468; a129 788 2469; a13 549 270C; a130 788 2776; a131 788 2777; a132 788 2778; a133 788 2779;
a134 788 277A; a135 788 277B; a136 788 277C; a137 788 277D; a138 788 277E; a139 788 277F; a14 855 270D;
a140 788 2780; a141 788 2781; a142 788 2782; a143 788 2783; a144 788 2784; a145 788 2785; a146 788 2786;
a147 788 2787; a148 788 2788; a149 788 2789; a15 911 270E; a150 788 278A; a151 788 278B; a152 788 278C;
a153 788 278D; a154 788 278E; a155 788 278F; a156 788 2790; a157 788 2791; a158 788 2792; a159 788 2793;
a16 933 270F; a160 894 2794; a161 838 2192; a162 924 27A3; a163 1016 2194; a164 458 2195; a165 924 2799;
a166 918 279B; a167 927 279C; a168 928 279D; a169 928 279E; a17 945 2711; a170 834 279F; a171 873 27A0;
a172 828 27A1; a173 924 27A2; a174 917 27A4; a175 930 27A5; a176 931 27A6; a177 463 27A7; a178 883 27A8;
a179 836 27A9; a18 974 2712; a180 867 27AB; a181 696 27AD; a182 874 27AF; a183 760 27B2; a184 946 27B3;
a185 865 27B5; a186 967 27B8; a187 831 27BA; a188 873 27BB; a189 927 27BC; a19 755 2713; a190 970 27BD;
a191 918 27BE; a192 748 279A; a193 836 27AA; a194 771 27B6; a195 888 27B9; a196 748 2798; a197 771 27B4;
a198 888 27B7; a199 867 27AC; a2 961 2702; a20 846 2714; a200 696 27AE; a201 874 27B1; a202 974 2703;
a203 762 2750; a204 759 2752; a205 509 F8DD; a206 410 F8DF; a21 762 2715; a22 761 2716; a23 571 2717;
a24 677 2718; a25 763 2719; a26 760 271A; a27 759 271B; a28 754 271C; a29 786 2722; a3 980 2704;
a30 788 2723; a31 788 2724; a32 790 2725; a33 793 2726; a34 794 2727; a35 816 2605; a36 823 2729;
a37 789 272A; a38 841 272B; a39 823 272C; a4 719 260E; a40 833 272D; a41 816 272E; a42 831 272F;
a43 923 2730; a44 744 2731; a45 723 2732; a46 749 2733; a47 790 2734; a48 792 2735; a49 695 2736;
a5 789 2706; a50 776 2737; a51 768 2738; a52 792 2739; a53 759 273A; a54 707 273B; a55 708 273C;
a56 682 273D; a57 701 273E; a58 826 273F; a59 815 2740; a6 494 271D; a60 789 2741; a61 789 2742;
a62 707 2743; a63 687 2744; a64 696 2745; a65 689 2746; a66 786 2747; a67 787 2748; a68 713 2749;
a69 791 274A; a7 552 271E; a70 785 274B; a71 791 25CF; a72 873 274D; a73 761 25A0; a74 762 274F;
a75 759 2751; a76 892 25B2; a77 892 25BC; a78 788 25C6; a79 784 2756; a8 537 271F; a81 438 25D7;
a82 138 2758; a83 277 2759; a84 415 275A; a85 509 F8DE; a86 410 F8E0; a87 234 F8E1; a88 234 F8E2;
a89 390 F8D7; a9 577 2720; a90 390 F8D8; a91 276 F8DB; a92 276 F8DC; a93 317 F8D9; a94 317 F8DA;
a95 334 F8E3; a96 334 F8E4; a97 392 275B; a98 392 275C; a99 668 275D; space 278 0020";

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_afm_files() {
        for (font, code, width) in [
            ("Helvetica", b'A', 667),
            ("Helvetica-Bold", b'a', 556),
            ("Helvetica-Oblique", b' ', 278),
            ("Times-Roman", b'M', 889),
            ("Times-BoldItalic", b'&', 778),
            ("Courier-BoldOblique", b'i', 600),
            ("Symbol", b'a', 631),
            ("ZapfDingbats", b'4', 846),
            ("Times-Roman", 0x97, 1000),
            ("ArialMT", b'A', 667),
            ("TimesNewRomanPS-BoldMT", b'A', 722),
            ("Arial,BoldItalic", b'a', 556),
        ] {
            let widths = standard_widths(font).unwrap();
            assert_eq!(widths[usize::from(code)], width, "{font} {code}");
        }
        assert!(standard_widths("Garamond").is_none());
        assert!(standard_widths("Arial-Black").is_none());
    }

    #[test]
    fn every_name_of_the_built_in_encodings_has_a_width() {
        for name in encoding::dingbats().iter().flatten() {
            assert!(glyph_width(StandardFont::Dingbats, name).is_some(), "{name}");
            assert!(dingbat(name).is_some(), "{name}");
        }
        for name in encoding::symbol().iter().flatten() {
            assert!(glyph_width(StandardFont::Symbol, name).is_some(), "{name}");
        }
    }
}
