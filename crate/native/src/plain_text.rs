//! Text without what would steer a terminal or reorder a line: control characters (and so escape sequences) and
//! bidirectional overrides. For what documents, servers and models wrote.

use std::borrow::Cow;

/// A text of several lines without what steers a terminal: controls become spaces, overrides go.
pub fn plain(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c != '\n' && c != '\t' && steers(c);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let kept = text.chars().filter(|c| !is_override(*c));
    Cow::Owned(kept.map(|c| if steers(c) { ' ' } else { c }).collect())
}

/// The same on one line.
pub fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// True for a character that steers a terminal or changes the direction of the text around it.
pub fn steers(c: char) -> bool {
    is_control(c) || is_override(c)
}

/// C0, DEL, C1, and the separators that some terminals take for line breaks.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Marks that change the direction of the text around them.
fn is_override(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let hostile = "a\u{1b}[2Jb\r\u{9b}c\u{202e}d\u{2028}e\u{7f}\n\tf";
        assert_eq!(plain(hostile), "a [2Jb  cd e \n\tf");
        assert_eq!(one_line("a\nb\tc\u{7}"), "a b c ");
        assert!(matches!(plain("第十九条 § 4 “é”\n"), Cow::Borrowed(_)));
    }
}
