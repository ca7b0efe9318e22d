//! Whole answers and the reports on them.

use proptest::prelude::*;

use text::normalize::Case;

use crate::{CheckedSentence, SourceRange, SourceText, Status, UnsupportedKind, check, marks};

const NOTICE: &str = "3.2.1 A Relevant Firm must notify the Authority in writing within ten days of any \
                      material change, unless the change is temporary.\n3.2.2 The Authority may extend the period \
                      by up to 20 per cent. A Rele\u{AD}vant Firm must not disclose noti-\nfications to a “Third \
                      Party” without consent.";
const FEES: &str = "The annual fee is USD 5,000, payable on 31 July 2024. An Exempt Firm is not required to pay \
                    the fee. The of\u{FB01}cer’s decision — once made — is final.";
const CHINESE: &str = "第十九条 董事会应当在十日内向股东报告。未经批准，不得转让股份。可以处三万元以下罚款。";

fn sources() -> Vec<SourceText<'static>> {
    [NOTICE, FEES, CHINESE]
        .into_iter()
        .zip(1..)
        .map(|(text, id)| SourceText { id, text, context: "Rulebook, Rule 3.2" })
        .collect()
}

fn checked(answer: &str) -> CheckedSentence {
    let mut all = check(answer, &sources());
    assert_eq!(all.len(), 1, "{answer}: {all:?}");
    all.remove(0)
}

/// Status and source words of each quotation.
fn quoted(answer: &str) -> Vec<(Status, Vec<(u32, String)>)> {
    let sources = sources();
    let text = |found: &SourceRange| {
        let source = sources.iter().find(|source| source.id == found.source).unwrap();
        (found.source, source.text[found.range.to_usize()].to_owned())
    };
    let found = checked(answer).quotations;
    found.iter().map(|quotation| (quotation.status, quotation.found.iter().map(text).collect())).collect()
}

#[test]
fn only_verified_gives_way_to_caveats() {
    use document::Caveat;
    let all = Caveat::ALL;
    for (status, caveats, expected) in [
        (Status::Verified, &all[..0], Status::Verified),
        (Status::Verified, &all[..1], Status::Ocr),
        (Status::Verified, &all[..2], Status::Tracked),
        (Status::Verified, &all[..], Status::Differs),
        (Status::Cited, &all[..], Status::Cited),
        (Status::Repaired, &all[..], Status::Repaired),
        (Status::NotFound, &all[..], Status::NotFound),
    ] {
        assert_eq!(status.with_caveats(caveats), expected, "{status:?} {caveats:?}");
    }
    let names = all.map(Caveat::name);
    assert_eq!(names, [Status::Ocr, Status::Tracked, Status::Differs].map(Status::name));
}

#[test]
fn each_quotation_gets_its_status() {
    use Status::{Misattributed, NotFound, Repaired, Stitched, Verified};
    for (answer, status) in [
        ("It “must notify the Authority in writing” [P1].", Verified),
        ("It \"must notify the Authority\nin writing\" [P1].", Verified),
        ("“[M]ust notify the Authority” [P1].", Verified),
        ("“Must notify the Authority in writing,” it says [P1].", Verified),
        ("“… must notify the Authority …” [P1]", Verified),
        (
            "“A Relevant Firm must not disclose notifications to a ‘Third Party’ without consent.” [P1]",
            Verified,
        ),
        ("“must not disclose noti-fications to” [P1]", Verified),
        ("“The officer's decision - once made - is final” 【P2】", Verified),
        ("> A Relevant Firm must not disclose\n> notifications to a [P1]", Verified),
        ("> A Relevant Firm must not disclose\n> — Rule 3.2.2 [P1]", Verified),
        ("董事会“应当在 十日内向股东报告”。[P3]", Verified),
        ("It “must notify the Authority in writing [P1]”.", Verified),
        ("It “must notify the Authority in writing”.", Verified),
        ("It “must notify the Authority in writing” [P2].", Misattributed),
        ("It “must notify the Authority in writing” [P9].", Misattributed),
        ("“must notify the Authority” [P2] and more [P1].", Misattributed),
        ("“must notify the Authority in writing within ten days.” [P1]", Repaired),
        (
            "“must notify the Authority in writing within ten days of a material change, unless” [P1]",
            NotFound,
        ),
        ("“A RELEVANT FIRM must notify the Authority” [P1]", Repaired),
        ("“A Relevant Firm must promptly notify the Authority in writing within ten days” [P1]", Repaired),
        ("“A Relevant Firm must promptly notify the Authority in writing within ten days” [P2]", Stitched),
        ("“must … notify the Authority” [P1]", Stitched),
        ("“A Relevant Firm must … disclose notifications to a” [P1]", Stitched),
        ("“must notify [its] Authority in writing” [P1]", Stitched),
        ("“must notify the Authority [promptly and] in writing” [P1]", Stitched),
        ("“must [pro]notify the Authority in writing” [P1]", Stitched),
        ("“must [X] notify the Authority in writing” [P1]", Stitched),
        (
            "“A Relevant Firm must notify the Authority in writing and the annual fee is USD 5,000” [P1][P2]",
            Stitched,
        ),
        ("“must notify the Authority in writing within twenty days” [P1]", NotFound),
        ("“may notify the Authority in writing within ten days” [P1]", NotFound),
        ("“A Relevant Firm must disclose notifications to a Third Party” [P1]", NotFound),
        ("“An Exempt Firm is required to pay the fee.” [P2]", NotFound),
        ("“vant Firm must notify” [P1]", NotFound),
        ("“Relevant Firm must notify the Auth” [P1]", NotFound),
        ("“The annual fee is USD 5” [P2]", NotFound),
        ("“得转让股份” [P3]", NotFound),
        ("“firms should be good” [P1]", NotFound),
        ("“Third Party” means another [P1].", Verified),
        ("“Fourth Party” means another [P1].", NotFound),
        ("“[not] required to pay the fee” [P2]", Stitched),
        ("“must notify the Authority [where it wishes]” [P1]", Stitched),
        ("「must notify the Authority\n – in all cases」 [P1]", NotFound),
        ("> A Relevant Firm must not disclose\n> — in all cases\n\n[P1]", NotFound),
        ("> A Relevant Firm must not disclose\n> — but may publish [P1]", NotFound),
    ] {
        let found: Vec<Status> =
            checked(answer).quotations.iter().map(|quotation| quotation.status).collect();
        assert_eq!(found, [status], "{answer}");
    }
}

#[test]
fn found_ranges_are_words_of_the_source() {
    assert_eq!(
        quoted("“officer's decision” [P2]"),
        [(Status::Verified, vec![(2, "of\u{FB01}cer’s decision".to_owned())])]
    );
    let answer = "“A Relevant Firm must promptly notify the Authority in writing within ten days” [P1]";
    let words = checked(answer).quotations[0].source_words.clone().unwrap();
    assert_eq!(words, "A Relevant Firm must notify the Authority in writing within ten days");
    let answer = "He “must notify the Authority,” they say [P1].";
    assert_eq!(&answer[checked(answer).quotations[0].range.clone()], "must notify the Authority");
}

#[test]
fn the_range_of_a_quotation_is_what_was_compared() {
    for (answer, shown) in [
        ("It “must notify the Authority in writing” [P1].", "must notify the Authority in writing"),
        ("It “ must notify the Authority ” [P1].", "must notify the Authority"),
        ("It “… must notify the Authority …” [P1]", "must notify the Authority"),
        ("It “(...) must notify the Authority” [P1].", "must notify the Authority"),
        ("It “[. . .] must notify the Authority” [P1].", "must notify the Authority"),
        ("“[M]ust notify the Authority in writing” [P1].", "[M]ust notify the Authority in writing"),
        ("“[M]ust notify the Authority in writing,” [P1].", "[M]ust notify the Authority in writing"),
        ("“… must notify the Authority;” [P1].", "must notify the Authority"),
        ("It “must notify the Authority [P1]”.", "must notify the Authority"),
        ("It “[P1] must notify the Authority”.", "must notify the Authority"),
        ("It “[P1] [P2] must notify the Authority [P1] [P2]”.", "must notify the Authority"),
        ("> A Relevant Firm must not disclose\n> — Rule 3.2.2 [P1]", "A Relevant Firm must not disclose"),
        ("> “… must notify the Authority” [P1]", "must notify the Authority"),
        ("> … must notify\n> the Authority,” [P1]", "must notify\n> the Authority"),
        ("董事会“应当在 十日内向股东报告，”[P3]", "应当在 十日内向股东报告"),
    ] {
        let quotations = checked(answer).quotations;
        assert_eq!(quotations.len(), 1, "{answer}");
        assert_eq!(quotations[0].status, Status::Verified, "{answer}");
        assert_eq!(&answer[quotations[0].range.clone()], shown, "{answer}");
    }
}

#[test]
fn three_words_or_six_chinese_characters_are_a_claim() {
    for (answer, is_term) in [
        ("“Relevant Firm” [P1]", true),
        ("“Relevant Firm must” [P1]", false),
        ("“应当在十日” [P3]", true),
        ("“应当在十日内” [P3]", false),
    ] {
        assert_eq!(checked(answer).quotations[0].is_term, is_term, "{answer}");
    }
}

#[test]
fn unknown_marks_are_listed() {
    let found = checked("It must notify [P1, P7–P8][P99].");
    assert_eq!((found.sources, found.unknown), (vec![1], vec![7, 8, 99]));
    let found = checked("It must notify [P1–P4000000000].");
    assert_eq!((found.sources, found.unknown.len()), (vec![1, 2, 3], 8));
    assert_eq!(checked("It must notify [P1].").status(), Some(Status::Cited));
    assert_eq!(checked("It must notify.").status(), None);
}

#[test]
fn a_sentence_without_quotation_gets_its_supporting_sentence() {
    let found = checked("Notice of a material change goes to the Authority within ten days [P1].");
    let piece = found.support[0];
    assert!(NOTICE[piece.range.to_usize()].contains("must notify the Authority"), "{found:?}");
    assert!(found.unsupported.is_empty(), "{found:?}");
    assert_eq!(checked("Bananas ripen quickly [P1].").support, []);
}

#[test]
fn unsupported_figures_modals_and_negations_are_marked() {
    use UnsupportedKind::{Amount, Date, Modal, Negation, Number};
    let cases: [(&str, &[(UnsupportedKind, &str)]); 24] = [
        ("A firm must notify the Authority within 10 days [P1].", &[]),
        ("A firm must notify the Authority within 12 days [P1].", &[(Number, "12")]),
        ("Rule 3.2.1 requires notice [P1].", &[]),
        ("Rule 3.2 requires notice [P1].", &[]),
        ("Rule 3.2.4 requires notice [P1].", &[(Number, "3.2.4")]),
        ("It may be extended by 20% [P1].", &[]),
        ("It may be extended by 25% [P1].", &[(Amount, "25%")]),
        ("The fee of $5,000 is due on July 31, 2024 [P2].", &[]),
        ("The fee of €5,000 is due on July 30, 2024 [P2].", &[(Amount, "€5,000"), (Date, "July 30, 2024")]),
        ("The fee is payable by all [P2]. ", &[]),
        ("The officer must decide [P2].", &[(Modal, "must")]),
        ("The Authority must extend the period by up to 20 per cent [P1].", &[(Modal, "must")]),
        ("The Authority may extend the period by up to 20 per cent [P1].", &[]),
        ("An Exempt Firm must pay the annual fee [P2].", &[(Modal, "must")]),
        (
            "An Exempt Firm is required to pay the fee [P2].",
            &[(Negation, "An Exempt Firm is required to pay the fee [P2]."), (Modal, "required")],
        ),
        ("A Relevant Firm should notify the Authority in writing [P1].", &[(Modal, "should")]),
        ("董事会应当在10日内报告。[P3]", &[]),
        ("董事会可以在十五日内向股东报告。[P3]", &[(Modal, "可以"), (Number, "十五")]),
        ("处30000元以下罚款。[P3]", &[]),
        ("处五万元以下罚款。[P3]", &[(Amount, "五万元")]),
        ("2. A firm must notify within ten days [P1].", &[]),
        (
            "“A Relevant Firm must … disclose notifications to a” [P1]",
            &[(Negation, "A Relevant Firm must … disclose notifications to a"), (Modal, "must")],
        ),
        ("An Exempt Firm is “required to pay the fee” [P2].", &[(Negation, "required to pay the fee")]),
        ("A firm must notify within 99 days.", &[]),
    ];
    for (answer, expected) in cases {
        let found = checked(answer).unsupported;
        let found: Vec<(UnsupportedKind, &str)> =
            found.iter().map(|found| (found.kind, &answer[found.range.clone()])).collect();
        assert_eq!(found, expected, "{answer}");
    }
}

#[test]
fn each_sentence_has_its_own_quotations_and_spans() {
    let answer = "董事会应当在十日内向股东报告[P3]。“未经批准，不得转让股份”[P3]。It pays USD 9 [P2]. A firm must notify [P1].";
    let found = check(answer, &sources());
    let n_quotations: Vec<usize> = found.iter().map(|checked| checked.quotations.len()).collect();
    assert_eq!(n_quotations, [0, 1, 0, 0], "{found:?}");
    let unsupported: Vec<&str> = found
        .iter()
        .flat_map(|checked| &checked.unsupported)
        .map(|span| &answer[span.range.clone()])
        .collect();
    assert_eq!(unsupported, ["USD 9"]);
    assert_eq!(
        checked("It “must notify the Authority in writing” [P1].").support,
        [],
        "quoted, so found itself"
    );
}

#[test]
fn a_mark_cites_for_the_quotation_directly_before_it_else_for_the_sentence() {
    use Status::{Misattributed, Verified};
    for (answer, status) in [
        ("By [P1] it “must notify the Authority in writing” [P2].", Misattributed),
        ("By [P1] it “must notify the Authority in writing”, [P2].", Misattributed),
        ("By [P1] it “must notify the Authority in writing” and so on [P2].", Verified),
        ("By [P1] it “must notify the Authority in writing”; [P2].", Verified),
        ("By [P1] it “must notify the Authority in writing”                 [P2].", Verified), // 17 spaces
        ("By [P1] it “must notify the Authority in writing”                [P2].", Misattributed), // 16
    ] {
        assert_eq!(checked(answer).quotations[0].status, status, "{answer}");
    }
}

#[test]
fn a_note_mark_is_no_digit() {
    let sources = [SourceText { id: 1, text: "within 10² days of notice", context: "" }];
    assert_eq!(check("“within 102 days of notice” [P1]", &sources)[0].quotations[0].status, Status::NotFound);
    assert_eq!(check("“within 10² days of notice” [P1]", &sources)[0].quotations[0].status, Status::Verified);
}

#[test]
fn each_note_mark_is_itself_and_no_space() {
    let marks: Vec<char> = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().collect();
    let status = |printed: char, quoted: &str| {
        let text = format!("within ten{printed} days of notice");
        let sources = [SourceText { id: 1, text: &text, context: "" }];
        check(&format!("“within ten{quoted} days of notice” [P1]"), &sources)[0].quotations[0].status
    };
    for (at, &mark) in marks.iter().enumerate() {
        assert_eq!(status(mark, &mark.to_string()), Status::Verified, "{mark}");
        assert_ne!(status(mark, ""), Status::Verified, "{mark} left out");
        let next = marks[(at + 1) % marks.len()];
        assert_ne!(status(mark, &next.to_string()), Status::Verified, "{next} for {mark}");
    }
}

#[test]
fn a_quotation_is_looked_for_in_the_cited_source_first() {
    let text = "The register of complaints is kept.";
    let sources = [1, 2, 3].map(|id| SourceText { id, text, context: "" });
    for id in [1, 2, 3] {
        let answer = format!("It says “The register of complaints is kept” [P{id}].");
        assert_eq!(check(&answer, &sources)[0].quotations[0].found[0].source, id, "{answer}");
    }
}

#[test]
fn the_first_letter_may_have_either_case_and_must_be_the_same_letter() {
    let status = |quotation: &str, text: &str| {
        let sources = [SourceText { id: 1, text, context: "" }];
        check(&format!("“{quotation}” [P1]"), &sources)[0].quotations[0].status
    };
    // The rarest word, which is looked up, is the first of the quotation, then another.
    let register = "A register of complaints is kept; complaints of all firms, and of all others, are kept.";
    assert_eq!(status("Register of complaints is kept", register), Status::Verified);
    assert_eq!(
        status("Échelon of complaints", "The échelon of complaints, of complaints."),
        Status::Verified
    );
    let mat = "The bat sat on the unusual mat. A cat slept; the cat ate.";
    assert_eq!(status("Bat sat on the unusual mat", mat), Status::Verified);
    assert_ne!(status("cat sat on the unusual mat", mat), Status::Verified);
}

#[test]
fn repetitive_answers_terminate() {
    let text = "the ".repeat(12_000);
    let sources: Vec<SourceText<'_>> =
        (1..=20).map(|id| SourceText { id, text: &text, context: "" }).collect();
    for answer in [
        "“the the the a”[P1] ".repeat(8_000),
        format!("“{}not”[P1]", "the ".repeat(40_000)),
        "“".repeat(60_000),
        "[P1–P4000000000] a. ".repeat(9_000),
        "a [P1]. ".repeat(20_000),
        "“a…b”[P1]; ".repeat(14_000),
    ] {
        assert!(check(&answer, &sources).iter().all(|checked| checked.status() != Some(Status::Verified)));
    }
}

proptest! {
    #[test]
    fn ranges_are_valid_and_verified_words_are_equal(
        answer in "([a-dA-C0-9 .,;…-]|\\[P[1-3]\\]|[“”\"‘’'「」«»>\\[\\]【】()]|not |may |10|十|日|不|ﬁ|\u{AD}|\n|²|é){0,60}",
        texts in prop::collection::vec("([a-dA-C0-9 .,;…-]|not |may |10|十|日|不|ﬁ|\u{AD}|\n|²|é|[“”’\\[\\]]){0,60}", 0..4),
    ) {
        let sources: Vec<SourceText<'_>> =
            (1..).zip(&texts).map(|(id, text)| SourceText { id, text, context: "" }).collect();
        let mut end = 0;
        for unit in check(&answer, &sources) {
            prop_assert!(unit.range.start >= end && answer.get(unit.range.clone()).is_some(), "{:?}", unit);
            end = unit.range.end;
            prop_assert!(unit.sources.iter().all(|id| sources.iter().any(|source| source.id == *id)));
            prop_assert!(unit.unknown.iter().all(|id| sources.iter().all(|source| source.id != *id)));
            for found in &unit.unsupported {
                prop_assert!(!unit.sources.is_empty() && answer.get(found.range.clone()).is_some(), "{:?}", found);
            }
            let mut pieces = unit.support.clone();
            for quotation in &unit.quotations {
                let words = answer.get(quotation.range.clone()).unwrap();
                pieces.extend(&quotation.found);
                if matches!(quotation.status, Status::Verified | Status::Misattributed) {
                    let piece = quotation.found[0];
                    let text = &texts[piece.source as usize - 1][piece.range.to_usize()];
                    let plain = |text: &str| -> String {
                        let kept = |c: &char| !c.is_whitespace() && !"-[]>\"'“”‘’«»「」".contains(*c);
                        let folded = text::normalize::fold(text, Case::Fold).text().to_owned();
                        folded.chars().filter(kept).collect()
                    };
                    let marked = marks::citation_marks(words).is_empty();
                    prop_assert!(!marked || plain(words) == plain(text), "{:?} {:?}", words, text);
                }
            }
            for piece in pieces {
                let text = &texts[piece.source as usize - 1];
                prop_assert!(text.get(piece.range.to_usize()).is_some_and(|text| !text.is_empty()));
            }
        }
    }

    #[test]
    fn printed_words_are_verified(
        before in "[a-z ]{0,20}", words in "[a-z]{2,8}( [a-z]{2,8}){2,6}", behind in "( [a-z ]{0,20})?",
    ) {
        let text = format!("{} {words}{behind}", before.trim());
        let sources = [SourceText { id: 1, text: &text, context: "" }];
        let answer = format!("It says “{words}” [P1].");
        prop_assert_eq!(check(&answer, &sources)[0].quotations[0].status, Status::Verified);
    }
}

#[test]
fn obligations_are_told_by_their_modals() {
    for (sentence, expected) in [
        ("A firm must keep records.", true),
        ("No person may disclose it.", true),
        ("The Supplier is required to insure itself.", true),
        ("经营者不得虚假宣传。", true),
        ("A firm may keep records.", false),
        ("A firm should consider it.", false),
        ("Records means any document.", false),
        ("", false),
    ] {
        assert_eq!(crate::states_obligation(sentence), expected, "{sentence}");
    }
}
