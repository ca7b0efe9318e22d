//! Tokens of short segments, by their bytes.
//!
//! Candidates repeat the words that a glance at them does not settle ([`text::Prefilter`]), and a look-up should cost less than
//! analysing the word again. A segment of up to fifteen bytes is one number; it has one place in a table, where the segment
//! that came last stands. So nothing is searched, and no choice of words in a document makes a look-up long.

use crate::proximity::token::Token;

/// Places of the table, a power of two.
const N_PLACES: usize = 1 << 12;
/// Most tokens of a segment that is kept: `401(k)` has three.
const MAX_TOKENS: usize = 4;

/// Tokens of a segment.
#[derive(Clone, Copy)]
struct Place {
    /// Bytes of the segment, the last one their number; 0 where the place is empty.
    key: u128,
    tokens: [Token; MAX_TOKENS],
    n_tokens: u8,
}

const EMPTY: Place =
    Place { key: 0, tokens: [Token { term: None, is_word: false }; MAX_TOKENS], n_tokens: 0 };

/// The table. It is made for one question.
pub struct TokenCache(Box<[Place]>);

impl Default for TokenCache {
    fn default() -> Self {
        Self(vec![EMPTY; N_PLACES].into_boxed_slice())
    }
}

impl TokenCache {
    /// The tokens of a segment, if they are there.
    pub fn get(&self, segment: &str) -> Option<&[Token]> {
        let key = key_of(segment)?;
        let place = self.0.get(place_of(key)).filter(|place| place.key == key)?;
        place.tokens.get(..usize::from(place.n_tokens))
    }

    /// Keeps the tokens of a segment, if it is short and has few.
    pub fn put(&mut self, segment: &str, tokens: &[Token]) {
        let Some(key) = key_of(segment) else { return };
        let mut place = Place { key, ..EMPTY };
        let Some(kept) = place.tokens.get_mut(..tokens.len()) else { return };
        kept.copy_from_slice(tokens);
        place.n_tokens = tokens.len() as u8;
        if let Some(at) = self.0.get_mut(place_of(key)) {
            *at = place;
        }
    }
}

/// A segment of 1 to 15 bytes as a number, which is no other's and not 0.
fn key_of(segment: &str) -> Option<u128> {
    let bytes = segment.as_bytes();
    let mut key = [0; 16];
    key.get_mut(..15)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
    key[15] = bytes.len() as u8;
    Some(u128::from_le_bytes(key)).filter(|&key| key != 0)
}

/// The place of a key: the upper bits of products with odd numbers (Knuth, *The Art of Computer Programming*, volume 3,
/// 6.4).
fn place_of(key: u128) -> usize {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed =
        low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % N_PLACES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_found_is_what_was_put_last(
            words in prop::collection::vec(("[a-c]{0,3}|[a-zé\\u{0}]{1,20}", 0_u16..900, 0_usize..7), 0..300),
        ) {
            let mut cache = TokenCache::default();
            let mut known = std::collections::BTreeMap::new();
            for (word, term, n_tokens) in words {
                if let Some(found) = cache.get(&word) {
                    prop_assert_eq!(Some(&found.to_vec()), known.get(&word));
                }
                let tokens = vec![Token { term: Some(term), is_word: true }; n_tokens];
                cache.put(&word, &tokens);
                if n_tokens <= MAX_TOKENS && (1..=15).contains(&word.len()) {
                    prop_assert_eq!(cache.get(&word), Some(&*tokens));
                    known.insert(word, tokens);
                }
            }
        }
    }
}
