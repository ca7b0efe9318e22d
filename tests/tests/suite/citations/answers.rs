//! Answers of which it is known what is true in them: quotations of a document's passages as models give them, and
//! quotations that are none.

use citations::SourceText;

/// Numbers that look random and are the same every time.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(n.max(1)).unwrap()).unwrap()
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        of.get(self.below(of.len()))
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Alteration of a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    True,
    Misattributed,
    Stitched,
    Dotted,
    Fabricated,
    Figure,
    Modal,
    Denied,
    Word,
    Cut,
}

/// Everything but [`Kind::True`].
pub(super) const WRONG: [Kind; 9] = [
    Kind::Misattributed,
    Kind::Stitched,
    Kind::Dotted,
    Kind::Fabricated,
    Kind::Figure,
    Kind::Modal,
    Kind::Denied,
    Kind::Word,
    Kind::Cut,
];

/// An answer with one quotation.
pub(super) struct Made {
    pub(super) answer: String,
    /// The words that it quotes, as the naive twin is to look for them.
    pub(super) quote: String,
    /// The number that it names.
    pub(super) named: u32,
}

/// An answer of this kind about these sources; `None` when the passage that was drawn has nothing to change.
pub(super) fn make(kind: Kind, sources: &[SourceText<'_>], dice: &mut Dice) -> Option<Made> {
    let at = dice.below(sources.len());
    let source = sources.get(at)?;
    let span = draw(source.text, dice)?;
    let other = |dice: &mut Dice| sources.get((at + 1 + dice.below(sources.len() - 1)) % sources.len());
    let mut named = source.id;
    let words = match kind {
        Kind::True => span,
        Kind::Misattributed => {
            named = other(dice)?.id;
            span
        }
        Kind::Stitched => {
            let more = draw(other(dice)?.text, dice)?;
            format!("{span} {more}")
        }
        Kind::Dotted => dotted(&span, dice)?,
        Kind::Fabricated => shuffled(&span, dice),
        Kind::Figure => with_other_figure(&span, dice)?,
        Kind::Modal => replace(&span, &MODALS, dice)?,
        Kind::Denied => replace(&span, &DENIALS, dice)?,
        Kind::Word => with_other_word(&span, dice)?,
        Kind::Cut => cut(&span, dice)?,
    };
    let quote = words.clone();
    let mangled = mangle(&words, dice);
    let answer = frame(&mangled, named, dice);
    Some(Made { answer, quote, named })
}

/// Modals and others of another force.
const MODALS: [(&str, &str); 8] = [
    ("must", "may"),
    ("shall", "may"),
    ("may", "must"),
    ("should", "shall"),
    ("can", "must"),
    ("will", "may"),
    ("应当", "可以"),
    ("可以", "必须"),
];

/// Words and their denials, and denials and what is left without them.
const DENIALS: [(&str, &str); 8] = [
    ("not ", ""),
    ("no ", "any "),
    ("must", "must not"),
    ("shall", "shall not"),
    ("may", "may not"),
    ("is", "is not"),
    ("不得", "可以"),
    ("应当", "不得"),
];

/// The words with dots in place of one of them.
fn dotted(span: &str, dice: &mut Dice) -> Option<String> {
    let words: Vec<&str> = span.split_whitespace().collect();
    let gap = 1 + dice.below(words.len().checked_sub(2)?);
    let (head, tail) = (words.get(..gap)?.join(" "), words.get(gap + 1..)?.join(" "));
    let has_words = |text: &str| text.contains(char::is_alphanumeric);
    (has_words(&head) && has_words(&tail)).then(|| format!("{head} … {tail}"))
}

/// The words in another order.
fn shuffled(span: &str, dice: &mut Dice) -> String {
    let mut words: Vec<&str> = span.split_whitespace().collect();
    for at in (1..words.len()).rev() {
        words.swap(at, dice.below(at + 1));
    }
    words.join(" ")
}

/// The words with one digit changed.
fn with_other_figure(span: &str, dice: &mut Dice) -> Option<String> {
    let digits: Vec<usize> =
        span.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *dice.pick(&digits)?;
    let old: usize = span.get(at..=at)?.parse().ok()?;
    Some(format!("{}{}{}", span.get(..at)?, (old + 1 + dice.below(8)) % 10, span.get(at + 1..)?))
}

/// The words with one left out, put in or replaced.
fn with_other_word(span: &str, dice: &mut Dice) -> Option<String> {
    let mut words: Vec<&str> = span.split_whitespace().collect();
    let at = dice.below(words.len());
    match dice.below(3) {
        0 if words.len() > 3 => {
            words.remove(at);
        }
        1 => words.insert(at, "reasonable"),
        _ => *words.get_mut(at)? = "reasonable",
    }
    Some(words.join(" "))
}

/// The words of a passage as the answer's own, and whether a figure of them was changed to one that the passage has
/// nowhere.
pub(super) fn retell(source: &SourceText<'_>, changed: bool, dice: &mut Dice) -> Option<String> {
    let span = draw(source.text, dice)?;
    let told = span.trim_matches(|c: char| !c.is_alphanumeric());
    // A mark speaks for its own sentence only.
    if text::sentences(told).len() > 1 {
        return None;
    }
    if !changed {
        return Some(format!("In short, {told} [P{}].", source.id));
    }
    let words: Vec<&str> = told.split(' ').collect();
    let is_figure = |word: &&&str| word.len() < 5 && word.bytes().all(|b| b.is_ascii_digit());
    let old = **dice.pick(&words.iter().filter(is_figure).collect::<Vec<_>>())?;
    let new = (old.parse::<u32>().ok()? + 3 + u32::try_from(dice.below(40)).ok()?).to_string();
    let told = words.iter().map(|word| if *word == old { new.as_str() } else { *word });
    let told = told.collect::<Vec<_>>().join(" ");
    (!source.text.contains(&new)).then(|| format!("In short, {told} [P{}].", source.id))
}

/// Some words of a passage as they are printed, without marks that would close the quotation.
fn draw(text: &str, dice: &mut Dice) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let start = dice.below(words.len());
    let len = 3 + dice.below(38);
    let span = words.get(start..(start + len).min(words.len()))?;
    if span.len() < 3 && !span.iter().any(|word| word.chars().filter(|&c| text::is_cjk(c)).count() > 6) {
        return None;
    }
    let span = span.join(" ");
    let marks = ['“', '”', '„', '«', '»', '"', '「', '」', '『', '』', '‘', '`', '>', '[', '…'];
    let bad = span.contains(marks) || span.contains("...") || span.contains("(P") || span.contains(". . .");
    // Chinese has no words to draw: clauses are drawn.
    if text::is_mostly_cjk(&span) {
        let clauses: Vec<&str> = span.split_inclusive(['，', '。', '；']).collect();
        let first = dice.below(clauses.len());
        let clause = clauses.get(first..(first + 1 + dice.below(3)).min(clauses.len()))?.concat();
        return (!bad && clause.chars().count() > 6).then(|| clause.trim().to_owned());
    }
    (!bad && span.chars().filter(|c| c.is_alphabetic()).count() > 8).then_some(span)
}

/// Replaces one of the words that occur, whole.
fn replace(span: &str, pairs: &[(&str, &str)], dice: &mut Dice) -> Option<String> {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !text::is_cjk(c));
    let mut places = Vec::new();
    for (old, new) in pairs {
        for (at, _) in span.match_indices(old) {
            let before = span[..at].chars().next_back();
            let behind = span[at + old.len()..].chars().next();
            let ends_open = old.ends_with(' ') || !word(behind);
            if !word(before) && ends_open || text::is_cjk(old.chars().next()?) {
                places.push((at, *old, *new));
            }
        }
    }
    let (at, old, new) = *dice.pick(&places)?;
    Some(format!("{}{new}{}", &span[..at], &span[at + old.len()..]))
}

/// Cuts into the first or the last word.
fn cut(span: &str, dice: &mut Dice) -> Option<String> {
    let letters = |word: &str| word.len() > 4 && word.bytes().all(|b| b.is_ascii_lowercase());
    let (first, last) = (span.split(' ').next()?, span.split(' ').next_back()?);
    if dice.once_in(2) && letters(first) {
        return span.get(1 + dice.below(first.len() - 2)..).map(str::to_owned);
    }
    if letters(last) {
        return span.get(..span.len() - 1 - dice.below(last.len() - 2)).map(str::to_owned);
    }
    None
}

/// Writes words as models, viewers and people hand them on.
fn mangle(words: &str, dice: &mut Dice) -> String {
    let mut text = words.to_owned();
    if dice.once_in(3) {
        text = text.replace("fi", "\u{FB01}").replace("ffl", "\u{FB04}");
    } else if dice.once_in(3) {
        text = text.replace('\u{FB01}', "fi").replace('\u{FB02}', "fl").replace('\u{FB00}', "ff");
    }
    if dice.once_in(3) {
        text = text.replace('’', "'").replace('—', "–");
    }
    if dice.once_in(4) {
        text = text.replace('-', "\u{2011}");
    }
    if dice.once_in(3) {
        text = break_word(&text, "\u{AD}", dice);
    }
    if dice.once_in(3) {
        text = break_word(&text, "-\n", dice);
    }
    let spaces = [" ", "\n", "  ", "\u{A0}", " \n ", "\u{2009}"];
    let mut spaced = String::new();
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 {
            spaced.push_str(if dice.once_in(4) { spaces[dice.below(spaces.len())] } else { " " });
        }
        spaced.push_str(word);
    }
    let mut chars = spaced.chars();
    if let Some(first) = chars.next().filter(char::is_ascii_alphabetic) {
        let rest = chars.as_str();
        let turned =
            if first.is_uppercase() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        match dice.below(6) {
            0 => return format!("{turned}{rest}"),
            1 if rest.starts_with(char::is_alphabetic) => return format!("[{turned}]{rest}"),
            _ => {}
        }
    }
    spaced
}

/// Breaks one longer word in the middle.
fn break_word(text: &str, with: &str, dice: &mut Dice) -> String {
    let long: Vec<usize> = text
        .split(' ')
        .scan(0, |at, word| {
            let start = *at;
            *at += word.len() + 1;
            Some((start, word))
        })
        .filter(|(_, word)| word.len() > 6 && word.bytes().all(|b| b.is_ascii_lowercase()))
        .map(|(start, word)| start + 2 + word.len() / 3)
        .collect();
    match dice.pick(&long) {
        Some(&at) => format!("{}{with}{}", &text[..at], &text[at..]),
        None => text.to_owned(),
    }
}

/// Puts a quotation into an answer.
fn frame(quote: &str, named: u32, dice: &mut Dice) -> String {
    let apostrophe = quote.contains(['\'', '’']);
    let (open, close) = match dice.below(6) {
        0 => ("\"", "\""),
        1 => ("«\u{A0}", "\u{A0}»"),
        2 => ("「", "」"),
        3 if !apostrophe => ("‘", "’"),
        4 => ("“… ", " …”"),
        _ => ("“", "”"),
    };
    match dice.below(7) {
        0 => format!("- {open}{quote}{close} [P{named}]\n- Nothing else is said."),
        1 => format!("The rule says that {open}{quote}{close}. [P{named}] It says no more."),
        2 => format!("According to the passage, {open}{quote}{close}【P{named}】."),
        3 => format!("It says this: {open}{quote},{close} as was to be expected (P{named})."),
        4 => format!("It says [P{named}]:\n> {}\n\nNo more.", quote.replace('\n', "\n> ")),
        5 => format!("**Answer.** {open}{quote}{close} [p {named}], so it is."),
        _ => format!("{open}{quote}{close} [P{named}]"),
    }
}
