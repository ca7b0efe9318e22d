//! Sentences: a table of cases from the kinds of text that break other splitters, and properties.

use proptest::prelude::*;

use super::*;

fn split(text: &str) -> Vec<&str> {
    sentences(text).into_iter().map(|range| &text[range]).collect()
}

#[test]
fn tables_are_sorted_and_fit_the_buffer() {
    for table in [LEADING, NUMBERED, MONTHS, TRAILING, STARTERS] {
        assert!(table.is_sorted(), "{table:?}");
        assert!(table.iter().all(|word| word.len() <= LONGEST));
    }
}

#[test]
fn these_are_one_sentence() {
    let cases = [
        "See Smith v. Jones, 12 F.2d 34, 36 (7th Cir. 1998).",
        "The plan qualifies under Sec. 401(k) of the Code, see Treas. Reg. § 1.401(k)-1.",
        "Rev. Rul. 99-6 and Rev. Proc. 2001-10 apply.",
        "Acme Corp. v. Beta Ltd. and Gamma Inc. were joined, No. 12-345.",
        "The fee (e.g. a levy, i.e. a tax) is due under Art. 19 or Arts. 20 and 21.",
        "J. P. Morgan and O. W. Holmes dissented.",
        "The rate is 3.5 per cent. of the value of 1.2 units.",
        "A person shall (a) keep records; (b) file returns; and (c) pay tax.",
        "1. The seller shall deliver the goods.",
        "IV. The seller shall deliver the goods.",
        "A. The Board may act.",
        "Under 42 U.S.C. § 1983 and 17 C.F.R. 240.10b-5 the claim fails.",
        "He said . . . that the contract was void.",
        "Section 12(a) et seq. of the Act apply.",
        "\u{201c}Is it so?\u{201d} asked the judge.",
        "On Sept. 5, 2019 and Jan. 3, 2020 notices were served.",
        "Dep't of Labor v. Triplett, 494 U.S. 715 (1990).",
        "Fed. R. Civ. P. 12(b)(6) governs.",
        "SECTION 2.03. Fees.",
        "It is in Pub. L. No. 105-304 and in T.C. Memo. 2020-26.",
        "It cites La. Civ. Code. § 3049 (1988), Bell Atl. Corp. v. Twombly, 77 F.3d. 499 (La. 2005).",
        "Regulations 2018 c. 16 apply.",
        "See pp. 12–14, n. 5, fn. 6 and rr. 4.1 to 4.3.",
        "See Regulation (EU) No. 575/2013, Art. 92(1)(a), cl. 4, sch. 2, pt. 3, reg. 5 and r. 6.",
        "Acme Inc. v. Beta Co. was decided under Sec. 12(b).",
        "Some fees (e.g. Levies) apply, i.e. Those in Schedule 2.",
        "Véase el apdo. 2 del art. 5.2 y el cap. II de la ley.",
        "Artículo 2.03. Tarifas.",
        "! A bullet of its own",
        "第十九条 董事会应当对公司负责，并报告工作。",
    ];
    for text in cases {
        assert_eq!(split(text), [text]);
    }
}

#[test]
fn these_are_more_sentences() {
    let cases: &[&[&str]] = &[
        &["The buyer shall pay.", "The seller shall deliver."],
        &["The claim is against Acme Corp.", "The company denies it."],
        &["He relied on 42 U.S.C.", "However, it does not apply."],
        &["Id. at 12.", "The court agreed."],
        &["See id.", "The court agreed."],
        &["\u{201c}It is void.\u{201d}", "The court agreed."],
        &["(It is void.)", "The court agreed."],
        &["It was so in 1986.", "Twelve years later it was not."],
        &["Is it so?", "No.", "It is not!", "Quite."],
        &["It applies under section 4(b).", "(c) A person commits an offence."],
        &["He omitted the rest . . . .", "The court noticed."],
        &["董事会应当负责。", "监事会应当监督；", "股东会决定。"],
        &["他说：“可以。”", "然后离开了。"],
        &["The parties agreed (Treas. Reg.).", "The rest is silence."],
        &["It ended at 5 p.m.", "The next day it began again."],
        &["It was decided under Art. 5 of the Code.", "Art. 8 does not apply."],
        &["No. 5 applies.", "Is it No. 6?", "No.", "It is not."],
        &["See 15 U.S.C. 78j.", "The Act applies; see also 15 U.S.C. § 78k."],
        &["1. The buyer pays.", "2. The seller delivers."],
        &["(i) Records are kept.", "(ii) Returns are filed."],
        &["It applies to Acme Holdings, Inc. (the “Company”).", "Acme is liable."],
        &["pursuant to para. 4.2.", "The firm must comply."],
        &["董事会应当：（一）召集会议；", "（二）执行决议。", "经理列席会议。"],
        &["但是，渔港除外。", "依照第3.2条执行。"],
    ];
    for expected in cases {
        let text = expected.join(if is_cjk(expected[0].chars().next().unwrap()) { "" } else { " " });
        assert_eq!(split(&text), *expected);
    }
}

#[test]
fn a_line_end_ends_a_sentence() {
    assert_eq!(split("Article 19\nDuties of v.\nthe board"), ["Article 19", "Duties of v.", "the board"]);
    assert_eq!(split("cell one\tcell two\r\nnext row"), ["cell one\tcell two", "next row"]);
}

proptest! {
    #[test]
    fn ranges_are_ordered_trimmed_and_cover_all_that_is_not_space(
        text in "([a-zA-Z0-9.?!…;。；！“”()\\[\\] \n\t§éß第条一]|v\\. |No\\. |Inc\\. |\\. \\. \\. ){0,80}"
    ) {
        let ranges = sentences(&text);
        let mut last = 0;
        let mut covered = String::new();
        for range in &ranges {
            prop_assert!(last <= range.start && range.start < range.end);
            let piece = &text[range.clone()];
            prop_assert_eq!(piece, piece.trim());
            prop_assert!(!piece.contains('\n'));
            prop_assert!(text[last..range.start].trim().is_empty());
            covered.push_str(piece);
            last = range.end;
        }
        prop_assert!(text[last..].trim().is_empty());
        let bare = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(bare(&covered), bare(&text));
    }
}
