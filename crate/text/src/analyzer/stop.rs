//! Words not indexed.

/// Words that carry no meaning of their own in a question or a provision. *shall, may, must, not, no, unless,
/// will, if, such* are not among them: in law they decide. Question words are: a rule rarely contains them,
/// so their rarity would make them the strongest words of every question.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "in", "into", "is", "it", "its", "of", "on", "or", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "to", "was", "were", "what", "when", "where",
    "which", "who", "whom", "whose", "why", "with", "would",
];

/// Lucene's `EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`.
const LUCENE_STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
];

/// The words that the default analyzer drops, folded.
pub fn stop_words() -> impl Iterator<Item = &'static str> {
    STOP_WORDS.iter().copied()
}

/// True if the default analyzer drops a folded word.
pub fn is_stop_word(term: &str) -> bool {
    STOP_WORDS.binary_search(&term).is_ok()
}

/// True if Lucene's analyzer drops a lower-cased word.
pub fn is_lucene_stop_word(term: &str) -> bool {
    LUCENE_STOP_WORDS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_keep_what_law_turns_on() {
        assert!(STOP_WORDS.is_sorted());
        assert!(LUCENE_STOP_WORDS.is_sorted());
        assert_eq!(LUCENE_STOP_WORDS.len(), 33);
        for word in ["shall", "may", "must", "not", "no", "unless", "will", "if", "except", "without"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
