//! Words of references: those that lead to a provision's number, those that join references, and those that end or open
//! an instrument's title.

use crate::provision::{self, ProvisionWord, Rank};

/// The row of a word that leads to a provision's number, whatever its case.
pub(super) fn provision(word: &str) -> Option<ProvisionWord> {
    provision::word(word)
}

/// The rank of the word of a label's key.
pub(super) fn rank_of(key: &str) -> Option<Rank> {
    provision(key).map(|provision| provision.rank)
}

/// True if a capitalised word ends the title of an instrument.
pub(super) fn is_instrument_noun(word: &str) -> bool {
    INSTRUMENT_NOUNS.binary_search(&word).is_ok()
}

/// True for an article, a preposition or a conjunction, which a name writes small and its initials may leave out.
pub(super) fn is_small_word(word: &str) -> bool {
    matches!(word, "of" | "and" | "the" | "for" | "on" | "to" | "in" | "with" | "or" | "by" | "a" | "an")
}

/// The last words of titles. Sorted.
pub(super) const INSTRUMENT_NOUNS: &[&str] = &[
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

/// True if a capitalised word opens the title of an instrument, as in Spanish: "Ley 39/2015", "Código Civil".
pub(super) fn opens_title(word: &str) -> bool {
    OPENINGS.binary_search(&word).is_ok()
}

/// The first words of titles. Sorted.
const OPENINGS: &[&str] = &[
    "Constitución",
    "Convenio",
    "Código",
    "Decisión",
    "Decreto",
    "Directiva",
    "Estatuto",
    "Ley",
    "Orden",
    "Real",
    "Reglamento",
    "Tratado",
];

/// The English word for a word that joins references, whatever its language: "and" for "y", "of" for "del". English
/// words, and words that join none, are themselves.
pub(super) fn connective(word: &str) -> &str {
    let at = CONNECTIVES.binary_search_by(|(own, _)| (*own).cmp(word));
    at.ok().and_then(|at| CONNECTIVES.get(at)).map_or(word, |&(_, english)| english)
}

/// Conjunctions, prepositions and determiners of Spanish with their English words. Sorted.
const CONNECTIVES: &[(&str, &str)] = &[
    ("citada", "that"),
    ("citado", "that"),
    ("de", "of"),
    ("del", "of"),
    ("dicha", "that"),
    ("dicho", "that"),
    ("e", "and"),
    ("el", "the"),
    ("en", "in"),
    ("esa", "that"),
    ("ese", "that"),
    ("esta", "this"),
    ("este", "this"),
    ("la", "the"),
    ("las", "the"),
    ("los", "the"),
    ("o", "or"),
    ("presente", "this"),
    ("u", "or"),
    ("y", "and"),
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
        assert!(INSTRUMENT_NOUNS.is_sorted());
        assert!(NO_ACRONYM.is_sorted());
        assert!(OPENINGS.is_sorted());
        assert!(CONNECTIVES.is_sorted());
    }
}
