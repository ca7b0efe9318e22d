//! Words of provisions in every language that is read: one table for headings, references, sentences and figures.
//!
//! A word that stands before the number of a provision ("section", "§§", "Art.") is a row of the table of its
//! language. A Han unit that stands behind one (第…条) is a row of [`UNITS`]. A row names its [`Reader`]s, because
//! a word that is right in a reference ("point 3") can be wrong in a heading. Cost: a binary search per word.

use std::sync::LazyLock;

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

/// Readers of the table. A row lists those that know its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Numbers of headings and of run-in provisions.
    Headings = 1,
    /// The layout's view of a line: does a provision's number open it?
    Layout = 1 << 1,
    /// References in running text.
    References = 1 << 2,
    /// Sentence boundaries: "Section 2.03." is a label, no sentence.
    Sentences = 1 << 3,
    /// Lines of a table of contents.
    Contents = 1 << 4,
    /// Figures of an answer: a number behind the word is a label, no amount.
    Figures = 1 << 5,
}

/// A word or sign before the number of a provision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionWord {
    /// Lower case, without the stop of an abbreviation.
    pub word: &'static str,
    /// The word of label keys: "section" for "ss.".
    pub key: &'static str,
    /// How far inside an instrument it stands.
    pub rank: Rank,
    /// True if a list or a range may follow: "rules", "ss".
    pub plural: bool,
    /// True if a stop may close it: "art.".
    pub abbreviation: bool,
    /// True if it is also a letter or another word, so that its stop ends a sentence unless a number follows.
    pub loose: bool,
    readers: u8,
}

impl ProvisionWord {
    /// A word of a key, read in references only.
    pub(crate) const fn of_key(key: &'static str, rank: Rank, plural: bool) -> Self {
        Self { plural, ..one(key, key, rank, REFERENCES) }
    }

    const fn loose(self) -> Self {
        Self { loose: true, ..self }
    }

    /// True if this reader knows the word.
    pub fn is_for(&self, reader: Reader) -> bool {
        self.readers & reader as u8 != 0
    }
}

/// A Han unit behind the number of a provision: 条 in 第十九条.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionUnit {
    /// As printed.
    pub unit: &'static str,
    /// The word of keys in references: 条 for 條.
    pub key: &'static str,
    /// How far inside an instrument it stands.
    pub rank: Rank,
    readers: u8,
}

/// The row of a word, whatever its case, if the reader knows it. An abbreviation comes without its stop.
pub fn word(text: &str, reader: Reader) -> Option<ProvisionWord> {
    let mut buffer = [0u8; LONGEST];
    let lower: std::borrow::Cow<'_, str> = if text.is_ascii() {
        let slot = buffer.get_mut(..text.len())?;
        slot.copy_from_slice(text.as_bytes());
        slot.make_ascii_lowercase();
        std::str::from_utf8(slot).ok()?.into()
    } else if text.len() <= LONGEST {
        text.to_lowercase().into()
    } else {
        return None;
    };
    let at = SORTED.binary_search_by(|row| row.word.cmp(&lower)).ok()?;
    SORTED.get(at).copied().filter(|row| row.is_for(reader))
}

/// The row of the unit at the start of a text, if the reader knows it.
pub fn unit(text: &str, reader: Reader) -> Option<ProvisionUnit> {
    UNITS.iter().find(|row| row.readers & reader as u8 != 0 && text.starts_with(row.unit)).copied()
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
    rows.sort_by_key(|row| row.word);
    rows
});

const HEADINGS: u8 = Reader::Headings as u8;
const LAYOUT: u8 = Reader::Layout as u8;
const REFERENCES: u8 = Reader::References as u8;
const SENTENCES: u8 = Reader::Sentences as u8;
const CONTENTS: u8 = Reader::Contents as u8;
const FIGURES: u8 = Reader::Figures as u8;
const EVERY: u8 = HEADINGS | LAYOUT | REFERENCES | SENTENCES | CONTENTS | FIGURES;

const fn one(word: &'static str, key: &'static str, rank: Rank, readers: u8) -> ProvisionWord {
    ProvisionWord { word, key, rank, plural: false, abbreviation: false, loose: false, readers }
}

const fn many(word: &'static str, key: &'static str, rank: Rank, readers: u8) -> ProvisionWord {
    ProvisionWord { plural: true, ..one(word, key, rank, readers) }
}

const fn abbr(word: &'static str, key: &'static str, rank: Rank, readers: u8) -> ProvisionWord {
    ProvisionWord { abbreviation: true, ..one(word, key, rank, readers) }
}

const fn abbrs(word: &'static str, key: &'static str, rank: Rank, readers: u8) -> ProvisionWord {
    ProvisionWord { plural: true, ..abbr(word, key, rank, readers) }
}

const fn han(unit: &'static str, key: &'static str, rank: Rank, readers: u8) -> ProvisionUnit {
    ProvisionUnit { unit, key, rank, readers }
}

use Rank::{Book, Chapter, Division, Item, Paragraph, Part, Schedule, Section, Subparagraph, Subpart, Title};

/// The tables. A word that two languages share is a row of the first.
const LANGUAGES: [&[ProvisionWord]; 5] = [ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN];

/// English. The letters and short words whose stop may end a sentence are `loose`.
const ENGLISH: &[ProvisionWord] = &[
    one("annex", "annex", Schedule, EVERY),
    one("annexe", "annex", Schedule, HEADINGS | REFERENCES),
    many("annexes", "annex", Schedule, REFERENCES),
    one("annexure", "annexure", Schedule, REFERENCES),
    one("addendum", "addendum", Schedule, LAYOUT),
    one("appendix", "appendix", Schedule, EVERY),
    many("appendices", "appendix", Schedule, REFERENCES),
    abbr("app", "appendix", Schedule, REFERENCES).loose(),
    abbrs("apps", "appendix", Schedule, REFERENCES).loose(),
    one("attachment", "attachment", Schedule, HEADINGS | LAYOUT | REFERENCES),
    one("exhibit", "exhibit", Schedule, HEADINGS | LAYOUT | REFERENCES | CONTENTS),
    many("exhibits", "exhibit", Schedule, REFERENCES),
    one("schedule", "schedule", Schedule, EVERY),
    many("schedules", "schedule", Schedule, REFERENCES),
    abbr("sch", "schedule", Schedule, REFERENCES).loose(),
    abbr("sched", "schedule", Schedule, REFERENCES),
    one("book", "book", Book, HEADINGS | LAYOUT | REFERENCES),
    one("title", "title", Title, HEADINGS | LAYOUT | REFERENCES),
    many("titles", "title", Title, REFERENCES),
    one("subtitle", "subtitle", Subpart, HEADINGS | LAYOUT),
    one("part", "part", Part, EVERY),
    many("parts", "part", Part, REFERENCES),
    abbr("pt", "part", Part, REFERENCES),
    abbrs("pts", "part", Part, REFERENCES),
    one("subpart", "subpart", Subpart, HEADINGS | LAYOUT | REFERENCES),
    many("subparts", "subpart", Subpart, REFERENCES),
    one("chapter", "chapter", Chapter, EVERY),
    many("chapters", "chapter", Chapter, REFERENCES),
    abbr("ch", "chapter", Chapter, REFERENCES),
    abbrs("chs", "chapter", Chapter, REFERENCES),
    one("division", "division", Division, HEADINGS | LAYOUT | REFERENCES),
    many("divisions", "division", Division, REFERENCES),
    one("subchapter", "subchapter", Division, HEADINGS | LAYOUT | REFERENCES),
    many("subchapters", "subchapter", Division, REFERENCES),
    one("section", "section", Section, EVERY),
    many("sections", "section", Section, REFERENCES | FIGURES),
    abbr("s", "section", Section, REFERENCES).loose(),
    abbrs("ss", "section", Section, REFERENCES),
    abbr("sec", "section", Section, HEADINGS | LAYOUT | REFERENCES | CONTENTS),
    abbrs("secs", "section", Section, REFERENCES),
    abbr("sect", "section", Section, REFERENCES),
    one("§", "§", Section, LAYOUT | REFERENCES | SENTENCES | CONTENTS | FIGURES),
    many("§§", "§", Section, LAYOUT | REFERENCES | FIGURES),
    one("article", "article", Section, EVERY),
    many("articles", "article", Section, REFERENCES | FIGURES),
    abbr("art", "article", Section, HEADINGS | REFERENCES),
    abbrs("arts", "article", Section, REFERENCES),
    one("rule", "rule", Section, EVERY),
    many("rules", "rule", Section, REFERENCES | FIGURES),
    abbr("r", "rule", Section, REFERENCES).loose(),
    abbrs("rr", "rule", Section, REFERENCES).loose(),
    one("regulation", "regulation", Section, HEADINGS | LAYOUT | REFERENCES | SENTENCES | FIGURES),
    many("regulations", "regulation", Section, REFERENCES),
    abbr("reg", "regulation", Section, REFERENCES),
    abbrs("regs", "regulation", Section, REFERENCES),
    one("clause", "clause", Section, EVERY),
    many("clauses", "clause", Section, REFERENCES),
    abbr("cl", "clause", Section, REFERENCES),
    abbrs("cls", "clause", Section, REFERENCES),
    one("recital", "recital", Section, REFERENCES),
    many("recitals", "recital", Section, REFERENCES),
    one("paragraph", "paragraph", Paragraph, HEADINGS | LAYOUT | REFERENCES | FIGURES),
    many("paragraphs", "paragraph", Paragraph, REFERENCES),
    abbr("para", "paragraph", Paragraph, REFERENCES),
    abbrs("paras", "paragraph", Paragraph, REFERENCES),
    one("subsection", "section", Subparagraph, REFERENCES | FIGURES),
    many("subsections", "section", Subparagraph, REFERENCES),
    one("sub-section", "section", Subparagraph, REFERENCES),
    many("sub-sections", "section", Subparagraph, REFERENCES),
    abbr("subsec", "section", Subparagraph, REFERENCES),
    one("subrule", "rule", Subparagraph, REFERENCES),
    many("subrules", "rule", Subparagraph, REFERENCES),
    one("sub-rule", "rule", Subparagraph, REFERENCES),
    many("sub-rules", "rule", Subparagraph, REFERENCES),
    one("subclause", "clause", Subparagraph, REFERENCES),
    many("subclauses", "clause", Subparagraph, REFERENCES),
    one("sub-clause", "clause", Subparagraph, REFERENCES),
    many("sub-clauses", "clause", Subparagraph, REFERENCES),
    one("subparagraph", "paragraph", Subparagraph, REFERENCES),
    many("subparagraphs", "paragraph", Subparagraph, REFERENCES),
    one("sub-paragraph", "paragraph", Subparagraph, REFERENCES),
    many("sub-paragraphs", "paragraph", Subparagraph, REFERENCES),
    abbr("sub-para", "paragraph", Subparagraph, REFERENCES),
    one("subdivision", "paragraph", Subparagraph, REFERENCES),
    many("subdivisions", "paragraph", Subparagraph, REFERENCES),
    one("item", "item", Item, HEADINGS | REFERENCES | CONTENTS),
    many("items", "item", Item, REFERENCES),
    one("point", "point", Item, REFERENCES),
    many("points", "point", Item, REFERENCES),
    one("note", "note", Item, REFERENCES | FIGURES),
    many("notes", "note", Item, REFERENCES),
    one("guidance", "guidance", Item, REFERENCES),
];

const GERMAN: &[ProvisionWord] = &[
    one("anhang", "anhang", Schedule, HEADINGS),
    one("kapitel", "kapitel", Chapter, HEADINGS),
    one("artikel", "artikel", Section, HEADINGS),
];

const FRENCH: &[ProvisionWord] =
    &[one("titre", "titre", Title, HEADINGS), one("chapitre", "chapitre", Chapter, HEADINGS)];

const SPANISH: &[ProvisionWord] = &[one("artículo", "artículo", Section, HEADINGS)];

const RUSSIAN: &[ProvisionWord] =
    &[one("глава", "глава", Chapter, HEADINGS), one("статья", "статья", Section, HEADINGS)];

/// Han units; of two that begin alike the longer first.
const UNITS: [ProvisionUnit; 17] = [
    han("部分", "部分", Part, HEADINGS | REFERENCES),
    han("部", "部", Part, LAYOUT),
    han("分编", "分编", Subpart, HEADINGS | REFERENCES),
    han("分", "分", Subpart, LAYOUT),
    han("编", "编", Book, HEADINGS | LAYOUT | REFERENCES),
    han("編", "编", Book, HEADINGS | LAYOUT | REFERENCES),
    han("篇", "篇", Book, LAYOUT),
    han("章", "章", Chapter, HEADINGS | LAYOUT | REFERENCES),
    han("节", "节", Division, HEADINGS | LAYOUT | REFERENCES),
    han("節", "节", Division, HEADINGS | LAYOUT | REFERENCES),
    han("条", "条", Section, HEADINGS | LAYOUT | REFERENCES),
    han("條", "条", Section, HEADINGS | LAYOUT | REFERENCES),
    han("款", "款", Paragraph, HEADINGS | LAYOUT | REFERENCES),
    han("项", "项", Item, HEADINGS | REFERENCES),
    han("項", "项", Item, REFERENCES),
    han("目", "目", Item, REFERENCES),
    han("段", "段", Item, REFERENCES),
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
    fn case_does_not_matter_and_readers_do() {
        let section = word("SECTION", Reader::Headings).unwrap();
        assert_eq!((section.key, section.rank, section.plural), ("section", Section, false));
        assert_eq!(word("ss", Reader::References).map(|row| row.key), Some("section"));
        assert_eq!(word("ss", Reader::Headings), None);
        assert_eq!(word("ARTÍCULO", Reader::Headings).map(|row| row.key), Some("artículo"));
        assert_eq!(word("partnership", Reader::References), None);
    }

    #[test]
    fn units_stand_at_the_start() {
        assert_eq!(unit("條规定", Reader::References).map(|row| row.key), Some("条"));
        assert_eq!(unit("部分的", Reader::Headings).map(|row| row.unit), Some("部分"));
        assert_eq!(unit("三方", Reader::References), None);
        assert_eq!(attachment("附录二"), Some("附录"));
    }
}
