//! Words of provisions in every language that is read: one table for headings, references, sentences and figures.
//!
//! A word that stands before the number of a provision ("section", "§§", "Art.") is a row of the table of its
//! language. A Han unit that stands behind one (第…条) is a row of `UNITS`. Headings, the layout,
//! references, sentence boundaries and the figures of answers all ask here. A word that is right in a reference and
//! wrong in a heading ("note 3") says so. To teach a language, add its table. Cost: a binary search per word.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::numerals::is_han_ordinal;

/// Rank of a provision in its instrument: a lower rank holds the higher ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Schedule, annex, appendix, exhibit.
    Schedule,
    /// Book, 编.
    Book,
    /// Title.
    Title,
    /// Part, 部分.
    Part,
    /// Subpart, subtitle, 分编.
    Subpart,
    /// Chapter, 章.
    Chapter,
    /// Division, subchapter, 节.
    Division,
    /// Section, article, rule, regulation, clause, 条.
    Section,
    /// Paragraph, 款.
    Paragraph,
    /// Subparagraph, subsection.
    Subparagraph,
    /// Item, point, note, 项.
    Item,
}

/// A word or sign before the number of a provision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionWord {
    /// Lower case, without the stop of an abbreviation.
    pub word: &'static str,
    /// The word of label keys, one for all languages: "section" for "ss.", "article" for "artículo".
    pub key: &'static str,
    /// Rank in an instrument.
    pub rank: Rank,
    /// True if a list or a range may follow: "rules", "ss".
    pub plural: bool,
    /// True if a stop may close it: "art.".
    pub abbreviation: bool,
    /// True if it is also a letter or another word, so that its stop ends a sentence unless a number follows.
    pub loose: bool,
    /// True if it opens a heading: "Section 3" does, "note 3" and "sections 3 and 4" do not.
    pub opens_heading: bool,
}

impl ProvisionWord {
    /// A word of a key.
    pub(crate) const fn of_key(key: &'static str, rank: Rank, plural: bool) -> Self {
        Self { plural, ..one(key, key, rank) }
    }

    const fn loose(self) -> Self {
        Self { loose: true, opens_heading: false, ..self }
    }

    const fn cited(self) -> Self {
        Self { opens_heading: false, ..self }
    }

    /// True if it is a row of Spanish, or an abbreviation that Spanish shares.
    pub(crate) fn is_spanish(&self) -> bool {
        SPANISH.iter().any(|row| row.word == self.word) || matches!(self.word, "art" | "arts")
    }

    /// True if the only one of its kind bears no number: "Schedule", "Annexes".
    pub fn stands_alone(&self) -> bool {
        !self.abbreviation && matches!(self.key, "annex" | "appendix" | "schedule")
    }
}

/// A Han unit behind the number of a provision: 条 in 第十九条.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionUnit {
    /// As printed.
    pub unit: &'static str,
    /// The word of label keys: 条 for 條.
    pub key: &'static str,
    /// Rank in an instrument.
    pub rank: Rank,
}

/// The row of a word, whatever its case. An abbreviation comes without its stop.
pub fn word(text: &str) -> Option<ProvisionWord> {
    let mut buffer = [0u8; LONGEST];
    let lower: Cow<'_, str> = if text.is_ascii() {
        let slot = buffer.get_mut(..text.len())?;
        slot.copy_from_slice(text.as_bytes());
        slot.make_ascii_lowercase();
        str::from_utf8(slot).ok()?.into()
    } else if text.len() <= LONGEST {
        text.to_lowercase().into()
    } else {
        return None;
    };
    let at = SORTED.binary_search_by(|row| row.word.cmp(&lower)).ok()?;
    SORTED.get(at).copied()
}

/// The row of a word that may open a heading. An abbreviation must have its stop: "Sec.", not "Sec".
pub fn heading_word(text: &str) -> Option<ProvisionWord> {
    let bare = text.strip_suffix('.');
    word(bare.unwrap_or(text)).filter(|row| row.opens_heading && (bare.is_some() || !row.abbreviation))
}

/// The row of the unit at the start of a text.
pub fn unit(text: &str) -> Option<ProvisionUnit> {
    UNITS.into_iter().find(|row| text.starts_with(row.unit))
}

/// The row of the unit behind a Han number at the start of a text: 条 of 第十九条.
pub fn han_numbered(text: &str) -> Option<ProvisionUnit> {
    let rest = text.strip_prefix('第')?;
    let digits =
        rest.find(|c: char| !(c.is_ascii_digit() || is_han_ordinal(c))).filter(|&digits| digits > 0)?;
    unit(rest.get(digits..)?)
}

/// The Han word for an attachment at the start of a text. Its number stands behind it: 附件2.
pub fn attachment(text: &str) -> Option<&'static str> {
    ATTACHMENTS.into_iter().find(|name| text.starts_with(name))
}

/// Longest word in bytes.
const LONGEST: usize = 24;

/// All rows by word.
static SORTED: LazyLock<Vec<ProvisionWord>> = LazyLock::new(|| {
    let mut rows: Vec<ProvisionWord> = LANGUAGES.concat();
    for (word, plural, key) in ENGLISH_SUBPROVISIONS {
        rows.extend([one(word, key, Subparagraph).cited(), many(plural, key, Subparagraph)]);
    }
    rows.sort_by_key(|row| row.word);
    rows
});

const fn one(word: &'static str, key: &'static str, rank: Rank) -> ProvisionWord {
    ProvisionWord { word, key, rank, plural: false, abbreviation: false, loose: false, opens_heading: true }
}

const fn many(word: &'static str, key: &'static str, rank: Rank) -> ProvisionWord {
    ProvisionWord { plural: true, opens_heading: false, ..one(word, key, rank) }
}

const fn abbr(word: &'static str, key: &'static str, rank: Rank) -> ProvisionWord {
    ProvisionWord { abbreviation: true, ..one(word, key, rank) }
}

const fn abbrs(word: &'static str, key: &'static str, rank: Rank) -> ProvisionWord {
    ProvisionWord { abbreviation: true, ..many(word, key, rank) }
}

const fn han(unit: &'static str, key: &'static str, rank: Rank) -> ProvisionUnit {
    ProvisionUnit { unit, key, rank }
}

use Rank::{Book, Chapter, Division, Item, Paragraph, Part, Schedule, Section, Subparagraph, Subpart, Title};

/// The tables. A word that two languages share is a row of the first.
const LANGUAGES: [&[ProvisionWord]; 5] = [ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN];

/// English. The letters and short words whose stop may end a sentence are `loose`.
const ENGLISH: &[ProvisionWord] = &[
    one("annex", "annex", Schedule),
    one("annexe", "annex", Schedule),
    many("annexes", "annex", Schedule),
    one("annexure", "annexure", Schedule),
    one("addendum", "addendum", Schedule),
    one("appendix", "appendix", Schedule),
    many("appendices", "appendix", Schedule),
    abbr("app", "appendix", Schedule).loose(),
    abbrs("apps", "appendix", Schedule).loose(),
    one("attachment", "attachment", Schedule),
    one("exhibit", "exhibit", Schedule),
    many("exhibits", "exhibit", Schedule),
    one("schedule", "schedule", Schedule),
    many("schedules", "schedule", Schedule),
    abbr("sch", "schedule", Schedule).loose(),
    abbr("sched", "schedule", Schedule),
    one("book", "book", Book),
    one("title", "title", Title),
    many("titles", "title", Title),
    one("subtitle", "subtitle", Subpart),
    one("part", "part", Part),
    many("parts", "part", Part),
    abbr("pt", "part", Part),
    abbrs("pts", "part", Part),
    one("subpart", "subpart", Subpart),
    many("subparts", "subpart", Subpart),
    one("chapter", "chapter", Chapter),
    many("chapters", "chapter", Chapter),
    abbr("ch", "chapter", Chapter),
    abbrs("chs", "chapter", Chapter),
    one("division", "division", Division),
    many("divisions", "division", Division),
    one("subchapter", "subchapter", Division),
    many("subchapters", "subchapter", Division),
    one("section", "section", Section),
    many("sections", "section", Section),
    abbr("s", "section", Section).loose(),
    abbrs("ss", "section", Section),
    abbr("sec", "section", Section),
    abbrs("secs", "section", Section),
    abbr("sect", "section", Section),
    one("§", "§", Section),
    ProvisionWord { plural: true, ..one("§§", "§", Section) },
    one("article", "article", Section),
    many("articles", "article", Section),
    abbr("art", "article", Section),
    abbrs("arts", "article", Section),
    one("rule", "rule", Section),
    many("rules", "rule", Section),
    abbr("r", "rule", Section).loose(),
    abbrs("rr", "rule", Section).loose(),
    one("regulation", "regulation", Section),
    many("regulations", "regulation", Section),
    abbr("reg", "regulation", Section),
    abbrs("regs", "regulation", Section),
    one("clause", "clause", Section),
    many("clauses", "clause", Section),
    abbr("cl", "clause", Section),
    abbrs("cls", "clause", Section),
    one("recital", "recital", Section),
    many("recitals", "recital", Section),
    one("paragraph", "paragraph", Paragraph),
    many("paragraphs", "paragraph", Paragraph),
    abbr("para", "paragraph", Paragraph),
    abbrs("paras", "paragraph", Paragraph),
    abbr("subsec", "section", Subparagraph).cited(),
    abbr("sub-para", "paragraph", Subparagraph).cited(),
    one("item", "item", Item),
    many("items", "item", Item),
    one("point", "point", Item).cited(),
    many("points", "point", Item),
    one("note", "note", Item).cited(),
    many("notes", "note", Item),
    one("guidance", "guidance", Item).cited(),
];

/// English words for what lies below a section, rule, clause or paragraph: singular, plural, key.
const ENGLISH_SUBPROVISIONS: [(&str, &str, &str); 9] = [
    ("subsection", "subsections", "section"),
    ("sub-section", "sub-sections", "section"),
    ("subrule", "subrules", "rule"),
    ("sub-rule", "sub-rules", "rule"),
    ("subclause", "subclauses", "clause"),
    ("sub-clause", "sub-clauses", "clause"),
    ("subparagraph", "subparagraphs", "paragraph"),
    ("sub-paragraph", "sub-paragraphs", "paragraph"),
    ("subdivision", "subdivisions", "paragraph"),
];

const GERMAN: &[ProvisionWord] = &[
    one("anhang", "annex", Schedule),
    one("kapitel", "chapter", Chapter),
    one("artikel", "article", Section),
];

const FRENCH: &[ProvisionWord] = &[
    one("titre", "title", Title),
    many("titres", "title", Title),
    one("chapitre", "chapter", Chapter),
    many("chapitres", "chapter", Chapter),
];

const SPANISH: &[ProvisionWord] = &[
    one("anexo", "annex", Schedule),
    many("anexos", "annex", Schedule),
    one("libro", "book", Book),
    one("título", "title", Title),
    many("títulos", "title", Title),
    one("parte", "part", Part),
    one("capítulo", "chapter", Chapter),
    many("capítulos", "chapter", Chapter),
    abbr("cap", "chapter", Chapter).loose(),
    one("sección", "division", Division),
    many("secciones", "division", Division),
    one("artículo", "article", Section),
    many("artículos", "article", Section),
    one("apartado", "paragraph", Paragraph),
    many("apartados", "paragraph", Paragraph),
    abbr("apdo", "paragraph", Paragraph),
    abbrs("apdos", "paragraph", Paragraph),
    one("párrafo", "paragraph", Paragraph),
    many("párrafos", "paragraph", Paragraph),
];

const RUSSIAN: &[ProvisionWord] = &[one("глава", "chapter", Chapter), one("статья", "article", Section)];

/// Han units; of two that begin alike the longer first.
const UNITS: [ProvisionUnit; 16] = [
    han("部分", "部分", Part),
    han("部", "部分", Part),
    han("分编", "分编", Subpart),
    han("编", "编", Book),
    han("編", "编", Book),
    han("篇", "篇", Book),
    han("章", "章", Chapter),
    han("节", "节", Division),
    han("節", "节", Division),
    han("条", "条", Section),
    han("條", "条", Section),
    han("款", "款", Paragraph),
    han("项", "项", Item),
    han("項", "项", Item),
    han("目", "目", Item),
    han("段", "段", Item),
];

/// Han words for attachments.
const ATTACHMENTS: [&str; 3] = ["附件", "附录", "附表"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_rows_and_all_are_lower_case() {
        assert!(SORTED.windows(2).all(|pair| pair[0].word < pair[1].word));
        for row in SORTED.iter() {
            assert!(row.word.len() <= LONGEST && row.word == row.word.to_lowercase(), "{}", row.word);
        }
    }

    #[test]
    fn case_does_not_matter() {
        let section = word("SECTION").unwrap();
        assert_eq!((section.key, section.rank, section.plural), ("section", Section, false));
        assert_eq!(word("ss").map(|row| row.key), Some("section"));
        assert_eq!(word("ARTÍCULO").map(|row| row.key), Some("article"));
        assert_eq!(word("partnership"), None);
    }

    #[test]
    fn headings_open_with_whole_words_and_closed_abbreviations() {
        for text in ["Section", "Sec.", "art.", "Annexe", "ITEM", "статья"] {
            assert!(heading_word(text).is_some(), "{text}");
        }
        for text in ["Sections", "Sec", "s.", "Note", "Subsection", "ss."] {
            assert!(heading_word(text).is_none(), "{text}");
        }
    }

    #[test]
    fn units_stand_at_the_start() {
        assert_eq!(unit("條规定").map(|row| row.key), Some("条"));
        assert_eq!(unit("部分的").map(|row| row.unit), Some("部分"));
        assert_eq!(unit("三方"), None);
        assert_eq!(attachment("附录二"), Some("附录"));
    }
}
