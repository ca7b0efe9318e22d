//! Numbers as printed: a table of what is read, one of what is not, and a property.

use proptest::prelude::*;

use super::*;

#[test]
fn labels_are_read() {
    let cases: &[(&str, Kind, &[u32], &str, &str)] = &[
        ("COBS 3.2.1R A firm must", Kind::Decimal, &[3, 2, 1], "COBS 3.2.1R", "cobs 3.2.1r"),
        ("3.2.1(2)(a) Records", Kind::Decimal, &[3, 2, 1], "3.2.1(2)(a)", "3.2.1(2)(a)"),
        ("Rule 11.2.1 Disclosure", Kind::Rule, &[11, 2, 1], "Rule 11.2.1", "rule 11.2.1"),
        ("§ 1.1-2(a)(ii) Tax", Kind::Sign, &[1, 1, 2], "§ 1.1-2(a)(ii)", "§ 1.1-2(a)(ii)"),
        ("PART 3", Kind::Part, &[3], "PART 3", "part 3"),
        ("PART ONE General", Kind::Part, &[1], "PART ONE", "part one"),
        ("Chapter IV Duties", Kind::Chapter, &[4], "Chapter IV", "chapter iv"),
        ("Article 19(2)", Kind::Article, &[19], "Article 19(2)", "article 19(2)"),
        ("Section 7.1(b). Term", Kind::Section, &[7, 1], "Section 7.1(b)", "section 7.1(b)"),
        ("Sec. 12. Short title", Kind::Section, &[12], "Sec. 12", "section 12"),
        ("Schedule 2", Kind::Schedule, &[2], "Schedule 2", "schedule 2"),
        ("Annex I", Kind::Schedule, &[1], "Annex I", "annex i"),
        ("Appendix A", Kind::Schedule, &[1], "Appendix A", "appendix a"),
        ("IV. Discussion", Kind::Roman, &[4], "IV", "iv"),
        ("A. Fees", Kind::Letter, &[1], "A", "a"),
        ("1. Books", Kind::Arabic, &[1], "1", "1"),
        ("12 Books", Kind::Arabic, &[12], "12", "12"),
        ("1.—(1) These Regulations", Kind::Arabic, &[1], "1", "1"),
        ("(a) General", Kind::ParenLetter, &[1], "(a)", "(a)"),
        ("(12) Next", Kind::ParenDigit, &[12], "(12)", "(12)"),
        ("第十九条 董事会", Kind::Tiao, &[19], "第十九条", "条 19"),
        ("第一百零二条之一　", Kind::Tiao, &[102, 1], "第一百零二条之一", "条 102-1"),
        ("第三章 总则", Kind::Chapter, &[3], "第三章", "章 3"),
        ("第二节", Kind::Division, &[2], "第二节", "节 2"),
        ("附件2：收费标准", Kind::Schedule, &[2], "附件2", "附件 2"),
        ("附录 三", Kind::Schedule, &[3], "附录 三", "附录 3"),
        ("Artículo 12. Objeto", Kind::Article, &[12], "Artículo 12", "article 12"),
        ("Art. 12. Objeto", Kind::Article, &[12], "Art. 12", "article 12"),
        ("CAPÍTULO II Tarifas", Kind::Chapter, &[2], "CAPÍTULO II", "chapter ii"),
        ("Artikel 5 Begriffe", Kind::Article, &[5], "Artikel 5", "article 5"),
        ("第五條 ", Kind::Tiao, &[5], "第五條", "条 5"),
        ("Subtitle B Enforcement", Kind::Subpart, &[2], "Subtitle B", "subtitle b"),
        ("Paragraph 4 Transition", Kind::Rule, &[4], "Paragraph 4", "paragraph 4"),
        ("ARTICLE VII", Kind::Article, &[7], "ARTICLE VII", "article vii"),
        ("Subpart C—Records", Kind::Subpart, &[3], "Subpart C", "subpart c"),
        ("12A.—(1) The authority", Kind::Arabic, &[12], "12A", "12a"),
        ("第三编 合同", Kind::Book, &[3], "第三编", "编 3"),
        ("一、总体要求", Kind::Item, &[1], "一", "1、"),
        ("（二）原则", Kind::Item, &[2], "（二）", "(二)"),
    ];
    for (text, kind, values, printed, key) in cases {
        let number = parse(text).unwrap_or_else(|| panic!("{text:?} has no number"));
        assert_eq!((number.kind, number.values.as_slice()), (*kind, *values), "{text:?}");
        assert_eq!((number.label.text.as_str(), number.label.key.as_str()), (*printed, *key), "{text:?}");
    }
}

#[test]
fn other_words_and_figures_are_no_numbers() {
    let cases = [
        "",
        "Partnership",
        "Part of the text",
        "12% of it",
        "1,000 units",
        "5:30 p.m.",
        "2nd place",
        "U.S. law",
        "A firm must",
        "I think",
        "MIXED.",
        "3/4 inch",
        "第一，",
        "一般规定",
        "Section",
        "(see below)",
        "123456 x",
    ];
    for text in cases {
        assert_eq!(parse(text), None, "{text:?}");
    }
}

#[test]
fn a_roman_letter_keeps_both_readings() {
    let number = parse("I. Facts").unwrap();
    assert_eq!((number.kind, number.letter), (Kind::Roman, Some(9)));
    assert_eq!(number.into_letter().values, [9]);
    assert_eq!(parse("II. Law").unwrap().letter, None);
}

#[test]
fn a_reference_to_a_chinese_article_is_not_closed() {
    assert!(parse("第十九条 董事会").unwrap().closed);
    assert!(!parse("第十九条规定的期限").unwrap().closed);
}

proptest! {
    #[test]
    fn anything_is_read_without_panic(text in "\\PC{0,40}|[第一二十百§()（）.0-9A-Zivx—– -]{0,40}") {
        if let Some(number) = parse(&text) {
            prop_assert!(text.is_char_boundary(number.end) && number.end <= text.len());
            prop_assert!(!number.values.is_empty() && number.values.len() <= MAX_DEPTH);
        }
    }
}
