//! Claims of a file about its glyphs, compared letter by letter with what is drawn.
//!
//! `ToUnicode` and `ActualText` say which text glyphs stand for; nobody but the file vouches for it. Honest claims differ
//! from glyphs in much that no reader minds: ligatures, soft hyphens, old-style figures, small capitals, letters of
//! mathematical alphabets, accents, abbreviations that are written out. So only letters and digits are compared, folded,
//! and only within one script: glyph names of legacy fonts are Latin whatever they draw.
//!
//! Cost: linear in the texts.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Maximum letters of an abbreviation that may be written out.
const MAX_ABBREVIATION: usize = 12;
/// Han characters whose change changes what a provision says. Other Han characters have variants that fonts and maps do
/// not tell apart.
const HAN_WORDS: &str = "〇零一二三四五六七八九十百千万亿兆两壹贰叁肆伍陆柒捌玖拾佰仟不未无非勿毋";

/// Script of letters that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Latin letters, and ASCII digits.
    Latin,
    Greek,
    Cyrillic,
    Han,
}

/// Result of comparing a claim with what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// They cannot be compared: one has no letters or digits, or they are of different scripts.
    Incomparable,
    Same,
    Differs,
}

/// Compares the texts of one glyph.
pub(crate) fn compare(claimed: &str, drawn: &str) -> Comparison {
    let (claimed_letters, drawn_letters) = (letters(claimed), letters(drawn));
    match (claimed_letters.as_str(), drawn_letters.as_str()) {
        _ if claimed == drawn => Comparison::Same,
        ("", "") => Comparison::Incomparable,
        // Letters that are claimed for a blank, or a blank for letters.
        ("", _) if is_blank(claimed) => Comparison::Differs,
        (_, "") if is_blank(drawn) => Comparison::Differs,
        ("", _) | (_, "") => Comparison::Incomparable,
        (a, b) if a == b => Comparison::Same,
        (a, b) if script(a).is_none() || script(a) != script(b) => Comparison::Incomparable,
        _ => Comparison::Differs,
    }
}

/// Letters and digits that are compared, and the space; the simple ones of each script first.
pub(crate) fn comparable_letters() -> impl Iterator<Item = char> {
    std::iter::once(' ')
        .chain('0'..='9')
        .chain('A'..='Z')
        .chain('a'..='z')
        .chain('\u{C0}'..='\u{24F}')
        .chain('\u{370}'..='\u{3FF}')
        .chain('\u{400}'..='\u{52F}')
        .chain(HAN_WORDS.chars())
}

/// True if two texts have the same letters and digits.
pub(crate) fn says_same(replacement: &str, drawn: &str) -> bool {
    let (wanted, shown) = (letters(replacement), letters(drawn));
    wanted == shown || shown.chars().rev().eq(wanted.chars())
}

/// True if a replacement text says other letters or digits than those drawn. `drawn` may hold U+FFFD for glyphs without
/// text: then nothing is known.
pub(crate) fn contradicts(replacement: &str, drawn: &str) -> bool {
    if says_same(replacement, drawn) || drawn.contains('\u{FFFD}') {
        return false;
    }
    if is_of_other_script(replacement, drawn) {
        return false;
    }
    if letters(drawn).is_empty() {
        // A symbol may be named; a blank or a comma stands for no word.
        let is_symbol = |c: char| !c.is_whitespace() && !is_punctuation(c);
        return !drawn.chars().any(is_symbol);
    }
    !is_expansion(replacement, drawn)
}

/// True if most letters of a replacement are of other scripts than those drawn: glyph names of old fonts are Latin
/// whatever they draw.
fn is_of_other_script(replacement: &str, drawn: &str) -> bool {
    let shown = letters(drawn);
    let Some(script) = script(&shown) else { return false };
    let all = || replacement.chars().filter(|c| c.is_alphanumeric());
    let own = letters(replacement).chars().filter(|&c| script_of(c) == Some(script)).count();
    all().count() > 2 * own && all().count() > 0
}

/// True if a text is nothing but white space and characters without width.
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
    })
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        && !matches!(c, '%' | '&' | '#' | '@' | '+' | '=' | '<' | '>' | '*' | '$' | '~' | '^' | '|')
        || matches!(c, '\u{AD}' | '\u{2010}'..='\u{2027}' | '·' | '\u{3001}' | '\u{3002}')
        || is_blank(c.encode_utf8(&mut [0; 4]))
}

/// Letters and digits of a text that can be compared, in one case and without accents, compatibility forms as what they
/// stand for.
fn letters(text: &str) -> String {
    if text.is_ascii() {
        return text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    }
    let mut letters = String::with_capacity(text.len());
    for c in text.nfkd().flat_map(char::to_lowercase).filter(|&c| !is_combining_mark(c)) {
        match c {
            'ß' => letters.push_str("ss"),
            'æ' => letters.push_str("ae"),
            'œ' => letters.push_str("oe"),
            'ı' => letters.push('i'),
            'ȷ' => letters.push('j'),
            'ð' | 'đ' => letters.push('d'),
            'ł' => letters.push('l'),
            'ø' => letters.push('o'),
            'ς' => letters.push('σ'),
            c if c.is_alphanumeric() && script_of(c).is_some() => letters.push(c),
            _ => {}
        }
    }
    letters
}

fn script_of(c: char) -> Option<Script> {
    match c {
        '0'..='9' | 'a'..='z' | '\u{E0}'..='\u{24F}' => Some(Script::Latin),
        '\u{370}'..='\u{3FF}' => Some(Script::Greek),
        '\u{400}'..='\u{52F}' => Some(Script::Cyrillic),
        c if HAN_WORDS.contains(c) => Some(Script::Han),
        _ => None,
    }
}

/// The script of all letters of a text; `None` if they are of several.
fn script(letters: &str) -> Option<Script> {
    let first = letters.chars().next().and_then(script_of)?;
    letters.chars().all(|c| script_of(c) == Some(first)).then_some(first)
}

/// True if a replacement is what is drawn with an abbreviation or a symbol written out: "etc." as "et cetera", "EU" as
/// "European Union", "§ 5" as "section 5".
fn is_expansion(replacement: &str, drawn: &str) -> bool {
    let (wanted, shown): (Vec<&str>, Vec<&str>) =
        (replacement.split_whitespace().collect(), drawn.split_whitespace().collect());
    let same = |(a, b): &(&&str, &&str)| letters(a) == letters(b);
    let head = wanted.iter().zip(&shown).take_while(same).count();
    let most = wanted.len().min(shown.len()) - head;
    let tail = wanted.iter().rev().zip(shown.iter().rev()).take(most).take_while(same).count();
    let middle = |words: &[&str]| words.get(head..words.len() - tail).unwrap_or_default().concat();
    let (long, short) = (middle(&wanted), middle(&shown));
    if shown.len() != head + tail + 1 || long.chars().any(char::is_numeric) {
        return false;
    }
    let shown_letters = letters(&short);
    if shown_letters.is_empty() {
        return !short.chars().all(is_punctuation);
    }
    if shown_letters.chars().count() > MAX_ABBREVIATION || !shown_letters.chars().all(char::is_alphabetic) {
        return false;
    }
    let words: Vec<String> =
        wanted.iter().take(wanted.len() - tail).skip(head).map(|word| letters(word)).collect();
    let initials: String = words.iter().filter_map(|word| word.chars().next()).collect();
    let is_acronym = short.chars().all(|c| !c.is_lowercase()) && is_subsequence(&shown_letters, &initials);
    let is_cut_short = short.ends_with('.')
        && words.first() != Some(&shown_letters)
        && initials.chars().next() == shown_letters.chars().next()
        && is_subsequence(&shown_letters, &words.concat());
    is_acronym || is_cut_short
}

/// True if the characters of `short` stand in `long` in this order.
fn is_subsequence(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    short.chars().all(|c| rest.any(|other| other == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_letter_are_no_difference() {
        for (claimed, drawn) in [
            ("fi", "ﬁ"),
            ("A", "a"),
            ("\u{1D400}", "A"),
            ("é", "e"),
            ("µ", "μ"),
            ("Ω", "\u{2126}"),
            ("①", "1"),
            ("½", "1⁄2"),
            ("ﬆ", "st"),
            ("ı", "i"),
        ] {
            assert_eq!(compare(claimed, drawn), Comparison::Same, "{claimed} {drawn}");
        }
    }

    #[test]
    fn other_letters_and_digits_differ() {
        for (claimed, drawn) in
            [("9", "5"), ("a", "b"), ("", "n"), (" ", "n"), ("n", " "), ("Ж", "Д"), ("九", "五")]
        {
            assert_eq!(compare(claimed, drawn), Comparison::Differs, "{claimed} {drawn}");
        }
    }

    #[test]
    fn scripts_and_symbols_are_not_compared() {
        for (claimed, drawn) in [("Ж", "j"), ("-", "\u{2010}"), ("•", "l"), ("說", "説"), ("\u{F06C}", "l")]
        {
            assert_eq!(compare(claimed, drawn), Comparison::Incomparable, "{claimed} {drawn}");
        }
    }

    #[test]
    fn replacements_that_say_other_words_contradict() {
        for (replacement, drawn) in [
            ("shall not pay 95", "shall pay 5"),
            ("shall not", "shall"),
            ("shall not.", "shall."),
            ("SHALL NOT", "SHALL"),
            ("95", "5"),
            ("not", " "),
            ("not,", ","),
            ("", "not"),
            ("No. 6", "No. 5"),
            ("Article 6", "Art. 5"),
            ("Union of European States", "EU"),
        ] {
            assert!(contradicts(replacement, drawn), "{replacement} for {drawn}");
        }
    }

    #[test]
    fn honest_replacements_do_not() {
        for (replacement, drawn) in [
            ("et cetera", "etc."),
            ("Article 5 applies", "Art. 5 applies"),
            ("European Union", "EU"),
            ("United States", "U.S."),
            ("section", "§"),
            ("and", "&"),
            ("section 5", "§ 5"),
            ("exam\u{AD}ple", "exam-ple"),
            ("office", "oﬃce"),
            ("x", "\u{1D465}"),
            ("Small Capitals", "SMALL CAPITALS"),
            ("", "-"),
            ("anything", "\u{FFFD}\u{FFFD}"),
            ("םולש", "שלום"),
        ] {
            assert!(!contradicts(replacement, drawn), "{replacement} for {drawn}");
        }
    }
}
