//! Token counts, by which chunks are sized.
//!
//! Chunks are cut to what an encoder reads, so the encoder's own tokenizer counts when there is one. Without
//! a vocabulary [`ApproximateTokens`] stands in: it errs on the high side for English, so that what it calls
//! small enough is small enough. Cost: linear, nothing is allocated.

use crate::chars::is_cjk;

/// Counts the tokens of an encoder, without the special tokens around a whole text.
pub trait TokenCount {
    /// The number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

/// Counts without a vocabulary: a word is one token for each five letters or part of five, a CJK character
/// one, a punctuation mark or symbol one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ApproximateTokens;

/// Letters of a word that make one piece. English words average 1.1 to 1.3 WordPiece tokens; five letters a
/// piece gives 1.3 to 1.4.
const LETTERS_A_PIECE: usize = 5;

impl TokenCount for ApproximateTokens {
    fn count(&self, text: &str) -> usize {
        let mut n_tokens = 0;
        let mut letters = 0usize;
        for c in text.chars() {
            if c.is_alphanumeric() && !is_cjk(c) {
                letters += 1;
                continue;
            }
            n_tokens += letters.div_ceil(LETTERS_A_PIECE);
            letters = 0;
            n_tokens += usize::from(!c.is_whitespace() && !c.is_control());
        }
        n_tokens + letters.div_ceil(LETTERS_A_PIECE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cjk_and_punctuation_are_counted() {
        let cases = [
            ("", 0),
            ("shall", 1),
            ("obligation", 2),
            ("The buyer shall pay.", 5),
            ("第十九条", 4),
            ("§ 12(a)", 5),
            ("  \n\t ", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(ApproximateTokens.count(text), expected, "{text:?}");
        }
    }

    #[test]
    fn counts_add_up_over_words() {
        let text = "A person who, without reasonable excuse, contravenes section 4(2) commits an offence.";
        let sum: usize = text.split_whitespace().map(|word| ApproximateTokens.count(word)).sum();
        assert_eq!(ApproximateTokens.count(text), sum);
    }
}
