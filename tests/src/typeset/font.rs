//! The eight standard fonts that the samples are set in, and WinAnsi, their encoding.
//!
//! Widths are those of crate `pages`; the ascent and descent here go into the font descriptors, so that a
//! reader of the file and the generator mean the same box by "a word".

/// A design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Times.
    #[default]
    Times,
    /// Helvetica.
    Helvetica,
}

/// A variant of a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    /// Upright.
    #[default]
    Roman,
    /// Bold.
    Bold,
    /// Italic.
    Italic,
    /// Bold italic.
    BoldItalic,
}

impl Face {
    /// The face with these looks.
    pub fn of(bold: bool, italic: bool) -> Self {
        match (bold, italic) {
            (false, false) => Self::Roman,
            (true, false) => Self::Bold,
            (false, true) => Self::Italic,
            (true, true) => Self::BoldItalic,
        }
    }
}

/// One of the eight fonts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Font {
    /// Its design.
    pub family: Family,
    /// Its variant.
    pub face: Face,
}

impl Font {
    /// All of them, in the order of [`Self::idx`].
    pub const ALL: [Self; 8] = {
        const fn font(family: Family, face: Face) -> Font {
            Font { family, face }
        }
        [
            font(Family::Times, Face::Roman),
            font(Family::Times, Face::Bold),
            font(Family::Times, Face::Italic),
            font(Family::Times, Face::BoldItalic),
            font(Family::Helvetica, Face::Roman),
            font(Family::Helvetica, Face::Bold),
            font(Family::Helvetica, Face::Italic),
            font(Family::Helvetica, Face::BoldItalic),
        ]
    };

    /// Its place in [`Self::ALL`].
    pub fn idx(self) -> usize {
        self.family as usize * 4 + self.face as usize
    }

    /// Its PostScript name.
    pub fn base_name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "Times-Roman",
            "Times-Bold",
            "Times-Italic",
            "Times-BoldItalic",
            "Helvetica",
            "Helvetica-Bold",
            "Helvetica-Oblique",
            "Helvetica-BoldOblique",
        ];
        NAMES[self.idx()]
    }

    /// Height above the baseline, in thousandths of an em (AFM `Ascender`).
    pub fn ascent(self) -> f64 {
        match self.family {
            Family::Times => 683.0,
            Family::Helvetica => 718.0,
        }
    }

    /// Depth below the baseline, in thousandths of an em (AFM `Descender`), negative.
    pub fn descent(self) -> f64 {
        match self.family {
            Family::Times => -217.0,
            Family::Helvetica => -207.0,
        }
    }

    /// Advance widths by WinAnsi code, in thousandths of an em.
    pub fn widths(self) -> &'static [u16; 256] {
        pages::standard_widths(self.base_name()).unwrap_or(&[0; 256])
    }

    /// The width of a text in points.
    pub fn measure(self, text: &str, size: f64) -> f64 {
        let widths = self.widths();
        encode(text).iter().map(|&code| f64::from(widths[usize::from(code)]) * size / 1000.0).sum()
    }
}

/// The text in WinAnsi. Characters that it lacks become `?`, which the tests of the samples look for.
pub fn encode(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c {
            ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(c)).unwrap_or(b'?'),
            '€' => 0x80,
            '…' => 0x85,
            '†' => 0x86,
            '‡' => 0x87,
            '‘' => 0x91,
            '’' => 0x92,
            '“' => 0x93,
            '”' => 0x94,
            '•' => 0x95,
            '–' => 0x96,
            '—' => 0x97,
            '™' => 0x99,
            _ => b'?',
        })
        .collect()
}
