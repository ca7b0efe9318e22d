//! The tokenizer against hand-made vocabularies.

use super::*;
use crate::ErrorKind;
use text::TokenCount as _;

const PIECES: &str =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\nrule\nun\n##rule\n##d\n##ruled\n4\n.\n2\n条\ncafe\n[\n]\nsep\n;\n第\na\n";

fn tokenizer() -> WordPiece {
    WordPiece::new(PIECES.as_bytes(), Casing::Folded).unwrap()
}

fn pieces(text: &str) -> Vec<(&'static str, &str)> {
    let names: Vec<&str> = PIECES.lines().collect();
    let mut found = Vec::new();
    tokenizer().tokens(text, &mut |token| {
        found.push((names[token.id as usize], &text[token.range]));
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn the_longest_piece_wins_and_offsets_point_into_the_source() {
    for (text, expected) in [
        ("", &[][..]),
        ("Rule 4.2", &[("rule", "Rule"), ("4", "4"), (".", "."), ("2", "2")]),
        ("unruled", &[("un", "un"), ("##ruled", "ruled")]),
        ("UNRULE", &[("un", "UN"), ("##rule", "RULE")]),
        ("unruly", &[("[UNK]", "unruly")]),
        ("CAFÉ", &[("cafe", "CAFÉ")]),
        ("cafe\u{301} a", &[("cafe", "cafe"), ("a", "a")]),
        ("第4条", &[("第", "第"), ("4", "4"), ("条", "条")]),
        ("\u{37e}", &[(";", "\u{37e}")]),
        ("un\u{200b}rule", &[("un", "un"), ("##rule", "rule")]),
        ("[SEP]", &[("[", "["), ("sep", "SEP"), ("]", "]")]),
        ("##d", &[("[UNK]", "#"), ("[UNK]", "#"), ("[UNK]", "d")]),
    ] {
        assert_eq!(pieces(text), expected, "{text:?}");
        assert_eq!(tokenizer().count(text), expected.len(), "{text:?}");
    }
}

#[test]
fn encoding_keeps_the_marks_and_cuts_the_rest() {
    let text = "rule 4.2";
    for (max_tokens, expected) in [
        (0, &[2, 3][..]),
        (2, &[2, 3]),
        (3, &[2, 4, 3]),
        (6, &[2, 4, 9, 10, 11, 3]),
        (256, &[2, 4, 9, 10, 11, 3]),
    ] {
        assert_eq!(tokenizer().encode(text, max_tokens), expected, "{max_tokens}");
    }
}

#[test]
fn a_cased_vocabulary_keeps_case_and_accents() {
    let cased = WordPiece::new("[UNK]\n[CLS]\n[SEP]\nÉ\nE\n".as_bytes(), Casing::Kept).unwrap();
    assert_eq!(cased.encode("É E é", 9), [1, 3, 4, 0, 2]);
}

#[test]
fn what_is_not_a_vocabulary_is_refused() {
    for data in [&b""[..], b"\xff\xfe", b"the\nof\n", b"[UNK]\n[CLS]\n", &b"x\n".repeat(1 << 21)] {
        assert_eq!(WordPiece::new(data, Casing::Folded).unwrap_err().kind(), ErrorKind::ModelMismatch);
    }
}

#[test]
fn parts_are_of_even_size_and_cut_between_words() {
    let tokenizer = tokenizer();
    for (text, max_tokens, expected) in [
        ("", 10, vec![""]),
        ("  ", 10, vec!["  "]),
        ("a a a", 5, vec!["a a a"]),
        ("a a a a", 5, vec!["a a ", "a a"]),
        (" a a a a ", 5, vec![" a a ", "a a "]),
        ("a unruled a", 5, vec!["a unruled ", "a"]),
        ("a a unruled", 5, vec!["a a ", "unruled"]),
        ("a a", 0, vec!["a ", "a"]),
    ] {
        let parts = tokenizer.split(text, max_tokens);
        assert_eq!(parts.iter().map(|part| &text[part.clone()]).collect::<Vec<_>>(), expected, "{text:?}");
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn ids(tokenizer: &WordPiece, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        tokenizer.tokens(text, &mut |token| {
            ids.push(token.id);
            ControlFlow::Continue(())
        });
        ids
    }

    proptest! {
        #[test]
        fn any_text_is_tokenized_within_its_bounds(text in "\\PC{0,40}|[ruledn 4.É\u{301}条\u{ac00}]{0,60}") {
            let tokenizer = tokenizer();
            let mut last = 0..0;
            let mut n_tokens = 0;
            tokenizer.tokens(&text, &mut |token| {
                assert!(text.get(token.range.clone()).is_some_and(|source| !source.is_empty()));
                assert!(token.range.start >= last.start && token.range.end >= last.end);
                assert!((token.id as usize) < tokenizer.vocabulary_size());
                last = token.range;
                n_tokens += 1;
                ControlFlow::Continue(())
            });
            prop_assert_eq!(tokenizer.count(&text), n_tokens);
        }

        #[test]
        fn parts_cover_the_text_and_lose_no_token(
            text in "([ruledn]{1,7}|[4.2]|条|É| |\u{301}){0,60}",
            max_tokens in 9usize..30,
        ) {
            let tokenizer = tokenizer();
            let parts = tokenizer.split(&text, max_tokens);
            let mut joined = Vec::new();
            let mut end = 0;
            for part in &parts {
                prop_assert_eq!(part.start, end);
                end = part.end;
                let ids = ids(&tokenizer, &text[part.clone()]);
                // No word of this alphabet has more than seven tokens, so each part fits.
                prop_assert!(ids.len() + N_SPECIAL_TOKENS <= max_tokens);
                joined.extend(ids);
            }
            prop_assert_eq!(end, text.len());
            prop_assert_eq!(joined, ids(&tokenizer, &text));
        }
    }
}

#[test]
fn pairs_are_encoded_and_truncated_as_by_the_original() {
    // `BertWordPieceTokenizer` of tokenizers 0.23.3 with this vocabulary, `enable_truncation(most, "longest_first")`.
    let cases: [(&str, &str, usize, &[u32], usize); 8] = [
        ("Rule 4.2", "a rule", 64, &[2, 4, 9, 10, 11, 3, 19, 4, 3], 6),
        ("Rule 4.2", "a rule", 8, &[2, 4, 9, 10, 3, 19, 4, 3], 5),
        ("Rule 4.2", "a rule", 5, &[2, 4, 3, 19, 3], 3),
        ("a a a a a a a a", "rule", 8, &[2, 19, 19, 19, 19, 3, 4, 3], 6),
        ("rule", "a 4 a 4 a 4 a 4", 9, &[2, 4, 3, 19, 9, 19, 9, 19, 3], 3),
        ("a a a a a a", "4 4 4 4 4 4", 9, &[2, 19, 19, 19, 3, 9, 9, 9, 3], 5),
        ("a a a a a a", "4 4 4 4 4 4", 8, &[2, 19, 19, 3, 9, 9, 9, 3], 4),
        ("", "a", 64, &[2, 3, 19, 3], 2),
    ];
    for (first, second, most, ids, n_first) in cases {
        assert_eq!(
            tokenizer().encode_pair(first, second, most),
            (ids.to_vec(), n_first),
            "{first:?} {second:?} {most}"
        );
    }
}
