//! Font style from descriptor flags, weight and angle, and from the font name, since many files omit the former.

use std::sync::Arc;

use document::{FontStyle, Slice as _};
use lopdf::Dictionary;

use crate::objects::Objects;

const FIXED_PITCH: i64 = 1;
const ITALIC: i64 = 1 << 6;
const SMALL_CAP: i64 = 1 << 17;
const FORCE_BOLD: i64 = 1 << 18;
/// Minimum `FontWeight` of bold fonts.
const BOLD_WEIGHT: f64 = 600.0;
/// Maximum length of a font name in bytes.
const MAX_NAME: usize = 128;

/// Style of the font `base_font` with this descriptor.
pub(crate) fn style<'a>(
    objects: &Objects<'a>,
    base_font: &[u8],
    descriptor: Option<&'a Dictionary>,
) -> FontStyle {
    let name = plain_name(base_font);
    let flags = descriptor.and_then(|d| objects.integer(d, b"Flags")).unwrap_or(0);
    let weight = descriptor.and_then(|d| objects.number(d, b"FontWeight")).unwrap_or(0.0);
    let angle = descriptor.and_then(|d| objects.number(d, b"ItalicAngle")).unwrap_or(0.0);
    let named = named_style(&name);
    FontStyle {
        bold: flags & FORCE_BOLD != 0 || weight >= BOLD_WEIGHT || named.bold,
        italic: flags & ITALIC != 0 || angle.abs() > 1.0 && angle.abs() < 45.0 || named.italic,
        monospace: flags & FIXED_PITCH != 0 || named.monospace,
        small_caps: flags & SMALL_CAP != 0 || named.small_caps,
        name: Arc::from(name),
        number: 0,
    }
}

/// Font name without its subset tag (`ABCDEF+`).
pub(crate) fn plain_name(base_font: &[u8]) -> String {
    let tagged = base_font.get(6) == Some(&b'+') && base_font.iter().take(6).all(u8::is_ascii_uppercase);
    let name = if tagged { base_font.slice(7..) } else { base_font };
    let name = String::from_utf8_lossy(name.get(..MAX_NAME).unwrap_or(name));
    name.trim().to_owned()
}

/// Style that a font name states.
#[derive(Debug, Default, PartialEq)]
struct NamedStyle {
    bold: bool,
    italic: bool,
    monospace: bool,
    small_caps: bool,
}

fn named_style(name: &str) -> NamedStyle {
    let lower = name.to_ascii_lowercase();
    let contains = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // The style follows the family name, as in `MinionPro-BoldIt` or `Arial,Bold`.
    let suffix =
        lower.rsplit(['-', ',']).next().filter(|suffix| suffix.len() < lower.len()).unwrap_or_default();
    let suffix_ends = |words: &[&str]| words.iter().any(|word| suffix.ends_with(word));
    // Computer Modern has its own style letters: cmbx10, cmti10, cmcsc10, cmtt10.
    let letters = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    let tex = |names: &[&str]| names.contains(&letters);
    NamedStyle {
        bold: contains(&["bold", "black", "heavy", "semibd", "extrabd"])
            || suffix.starts_with("medi") && suffix != "medium" && lower.starts_with("nimbus")
            || suffix.starts_with("demi")
            || suffix == "bd"
            || suffix_ends(&["bdit", "bdcn"])
            || tex(&["cmbx", "cmb", "cmbxti", "cmbxsl", "cmssbx", "sfbx", "ecbx"]),
        italic: contains(&["italic", "oblique", "slanted", "kursiv"])
            || suffix_ends(&["it", "ital", "obl", "ita"])
            || tex(&["cmti", "cmsl", "cmbxti", "cmbxsl", "cmmi", "cmssi", "sfti", "ecti"]),
        monospace: contains(&["courier", "mono", "typewriter", "consolas", "lucidacons"])
            || tex(&["cmtt", "cmsltt", "cmitt", "sftt", "ectt"]),
        small_caps: contains(&["smallcap", "small-cap", "smcp"])
            || suffix_ends(&["sc", "scosf"])
            || tex(&["cmcsc", "sfcc", "eccc"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_names_state_the_style() {
        for (name, bold, italic, monospace, small_caps) in [
            ("TimesNewRomanPS-BoldItalicMT", true, true, false, false),
            ("Arial,Bold", true, false, false, false),
            ("MinionPro-It", false, true, false, false),
            ("NimbusRomNo9L-Medi", true, false, false, false),
            ("NimbusRomNo9L-ReguItal", false, true, false, false),
            ("CMBX12", true, false, false, false),
            ("CMCSC10", false, false, false, true),
            ("CMTT9", false, false, true, false),
            ("CourierNewPSMT", false, false, true, false),
            ("CenturyExpandedBT-Roman", false, false, false, false),
            ("Gill-Sans-Medium", false, false, false, false),
        ] {
            assert_eq!(named_style(name), NamedStyle { bold, italic, monospace, small_caps }, "{name}");
        }
    }

    #[test]
    fn subset_tags_are_cut_off() {
        assert_eq!(plain_name(b"ABCDEF+Garamond"), "Garamond");
        assert_eq!(plain_name(b"ABCDE+Garamond"), "ABCDE+Garamond");
    }
}
