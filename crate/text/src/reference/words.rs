//! The words that lead to a provision's number, and those that name an instrument.

/// How far in a word's provisions lie: parts of a lower rank hold those of a higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Rank {
    /// Schedule, Annex, Appendix, Exhibit.
    Schedule,
    Book,
    Title,
    Part,
    Subpart,
    Chapter,
    Division,
    /// Section, article, rule, regulation, clause.
    Section,
    Paragraph,
    Subparagraph,
    Item,
}

/// A word that leads to a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProvisionWord {
    /// As in the keys of labels.
    pub(super) key: &'static str,
    pub(super) rank: Rank,
    /// "Rules", "ss": a list or a range follows.
    pub(super) plural: bool,
    /// Whether a stop may close it: an abbreviation.
    pub(super) short: bool,
}

/// The provision that a word names, whatever its case.
pub(super) fn provision(word: &str) -> Option<ProvisionWord> {
    let mut buffer = [0u8; 16];
    let slot = buffer.get_mut(..word.len())?;
    slot.copy_from_slice(word.as_bytes());
    slot.make_ascii_lowercase();
    let lower = std::str::from_utf8(slot).ok()?;
    let at = PROVISIONS.binary_search_by(|row| row.0.cmp(lower)).ok()?;
    PROVISIONS.get(at).map(|&(_, key, rank, plural, short)| ProvisionWord { key, rank, plural, short })
}

/// The rank of the word of a label's key.
pub(super) fn rank_of(key: &str) -> Option<Rank> {
    if key == "§" {
        return Some(Rank::Section);
    }
    provision(key).map(|provision| provision.rank)
}

use Rank::{Book, Chapter, Division, Item, Paragraph, Part, Schedule, Section, Subparagraph, Subpart, Title};

/// Word, key, rank, plural, abbreviation. Sorted.
pub(super) const PROVISIONS: &[(&str, &str, Rank, bool, bool)] = &[
    ("annex", "annex", Schedule, false, false),
    ("annexe", "annex", Schedule, false, false),
    ("annexes", "annex", Schedule, true, false),
    ("annexure", "annexure", Schedule, false, false),
    ("app", "appendix", Schedule, false, true),
    ("appendices", "appendix", Schedule, true, false),
    ("appendix", "appendix", Schedule, false, false),
    ("apps", "appendix", Schedule, true, true),
    ("art", "article", Section, false, true),
    ("article", "article", Section, false, false),
    ("articles", "article", Section, true, false),
    ("arts", "article", Section, true, true),
    ("attachment", "attachment", Schedule, false, false),
    ("book", "book", Book, false, false),
    ("ch", "chapter", Chapter, false, true),
    ("chapter", "chapter", Chapter, false, false),
    ("chapters", "chapter", Chapter, true, false),
    ("chs", "chapter", Chapter, true, true),
    ("cl", "clause", Section, false, true),
    ("clause", "clause", Section, false, false),
    ("clauses", "clause", Section, true, false),
    ("cls", "clause", Section, true, true),
    ("division", "division", Division, false, false),
    ("divisions", "division", Division, true, false),
    ("exhibit", "exhibit", Schedule, false, false),
    ("exhibits", "exhibit", Schedule, true, false),
    ("guidance", "guidance", Item, false, false),
    ("item", "item", Item, false, false),
    ("items", "item", Item, true, false),
    ("note", "note", Item, false, false),
    ("notes", "note", Item, true, false),
    ("para", "paragraph", Paragraph, false, true),
    ("paragraph", "paragraph", Paragraph, false, false),
    ("paragraphs", "paragraph", Paragraph, true, false),
    ("paras", "paragraph", Paragraph, true, true),
    ("part", "part", Part, false, false),
    ("parts", "part", Part, true, false),
    ("point", "point", Item, false, false),
    ("points", "point", Item, true, false),
    ("pt", "part", Part, false, true),
    ("pts", "part", Part, true, true),
    ("r", "rule", Section, false, true),
    ("recital", "recital", Section, false, false),
    ("recitals", "recital", Section, true, false),
    ("reg", "regulation", Section, false, true),
    ("regs", "regulation", Section, true, true),
    ("regulation", "regulation", Section, false, false),
    ("regulations", "regulation", Section, true, false),
    ("rr", "rule", Section, true, true),
    ("rule", "rule", Section, false, false),
    ("rules", "rule", Section, true, false),
    ("s", "section", Section, false, true),
    ("sch", "schedule", Schedule, false, true),
    ("sched", "schedule", Schedule, false, true),
    ("schedule", "schedule", Schedule, false, false),
    ("schedules", "schedule", Schedule, true, false),
    ("sec", "section", Section, false, true),
    ("secs", "section", Section, true, true),
    ("sect", "section", Section, false, true),
    ("section", "section", Section, false, false),
    ("sections", "section", Section, true, false),
    ("ss", "section", Section, true, true),
    ("sub-clause", "clause", Subparagraph, false, false),
    ("sub-clauses", "clause", Subparagraph, true, false),
    ("sub-para", "paragraph", Subparagraph, false, true),
    ("sub-paragraph", "paragraph", Subparagraph, false, false),
    ("sub-paragraphs", "paragraph", Subparagraph, true, false),
    ("sub-rule", "rule", Subparagraph, false, false),
    ("sub-rules", "rule", Subparagraph, true, false),
    ("sub-section", "section", Subparagraph, false, false),
    ("sub-sections", "section", Subparagraph, true, false),
    ("subchapter", "subchapter", Division, false, false),
    ("subchapters", "subchapter", Division, true, false),
    ("subclause", "clause", Subparagraph, false, false),
    ("subclauses", "clause", Subparagraph, true, false),
    ("subdivision", "paragraph", Subparagraph, false, false),
    ("subdivisions", "paragraph", Subparagraph, true, false),
    ("subparagraph", "paragraph", Subparagraph, false, false),
    ("subparagraphs", "paragraph", Subparagraph, true, false),
    ("subpart", "subpart", Subpart, false, false),
    ("subparts", "subpart", Subpart, true, false),
    ("subrule", "rule", Subparagraph, false, false),
    ("subrules", "rule", Subparagraph, true, false),
    ("subsec", "section", Subparagraph, false, true),
    ("subsection", "section", Subparagraph, false, false),
    ("subsections", "section", Subparagraph, true, false),
    ("title", "title", Title, false, false),
    ("titles", "title", Title, true, false),
];

/// Whether a capitalised word ends the title of an instrument.
pub(super) fn is_head(word: &str) -> bool {
    HEADS.binary_search(&word).is_ok()
}

/// The last words of titles. Sorted.
pub(super) const HEADS: &[&str] = &[
    "Accord",
    "Act",
    "Acts",
    "Agreement",
    "Bill",
    "Bylaws",
    "Charter",
    "Circular",
    "Code",
    "Constitution",
    "Contract",
    "Convention",
    "Covenant",
    "Decision",
    "Declaration",
    "Decree",
    "Deed",
    "Directive",
    "Framework",
    "Glossary",
    "Guidance",
    "Guide",
    "Guidelines",
    "Handbook",
    "Indenture",
    "Instrument",
    "Law",
    "Laws",
    "Lease",
    "Manual",
    "Memorandum",
    "Notice",
    "Order",
    "Ordinance",
    "Plan",
    "Policy",
    "Principles",
    "Proclamation",
    "Protocol",
    "Regulation",
    "Regulations",
    "Resolution",
    "Rulebook",
    "Rulebooks",
    "Rules",
    "Sourcebook",
    "Standard",
    "Standards",
    "Statute",
    "Statutes",
    "Treaty",
];

/// Words in capitals that are no acronym of an instrument. Sorted.
pub(super) const NO_ACRONYM: &[&str] = &[
    "AED", "ALL", "AND", "ANY", "ARE", "AS", "AT", "AUD", "BE", "BEFORE", "BY", "CAD", "CET", "CHF", "CNY",
    "EST", "EU", "EUR", "FOR", "FROM", "GBP", "GMT", "HKD", "IF", "IN", "INR", "IS", "IT", "JPY", "LLC",
    "LTD", "NO", "NOT", "OF", "ON", "OR", "PER", "PLC", "RMB", "SEE", "SGD", "SUCH", "THAT", "THE", "THIS",
    "TO", "UK", "UNDER", "US", "USA", "USD", "UTC", "VERSION", "WITH",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(PROVISIONS.is_sorted_by_key(|row| row.0));
        assert!(HEADS.is_sorted());
        assert!(NO_ACRONYM.is_sorted());
    }
}
