//! References: tables of cases by scheme, resolution over small libraries, properties, hostile text.

use proptest::prelude::*;

use super::*;
use crate::steps;

/// `instrument: path` of each reference, with its scope where that is not the document.
fn read(text: &str) -> Vec<String> {
    references(text)
        .iter()
        .map(|reference| {
            let name = reference.instrument.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
            let scope = match reference.scope {
                Scope::Document => String::new(),
                scope => format!(" {scope:?}").to_lowercase(),
            };
            let through = if reference.through { " .." } else { "" };
            format!("{name}{}{scope}{through}", reference.path.join("/"))
        })
        .collect()
}

fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(read(text), *expected, "{text:?}");
    }
}

#[test]
fn rulebooks() {
    check(&[
        ("Rule 4.2.1 applies", &["rule 4.2.1"]),
        ("Rules 9.8.2(1) to (3) and 9.8.4", &["rule 9.8.2/(1) ..", "rule 9.8.2/(3)", "rule 9.8.4"]),
        ("COBS 3.2.1R(2)(a)", &["COBS: 3.2.1r/(2)/(a)"]),
        ("MKT Rule 4.3.1(13)", &["MKT: rule 4.3.1/(13)"]),
        ("(ABC) Rule 2.8.3", &["ABC: rule 2.8.3"]),
        ("Chapter 13 of GEN", &["GEN: chapter 13"]),
        ("App1 and App 2.3.1", &["appendix 1", "appendix 2.3.1"]),
        ("A5.1.1 to A5.1.3 of App5", &["appendix 5/a5.1.1 ..", "appendix 5/a5.1.3"]),
        ("Part 4 of chapter 3 of PRU", &["PRU: chapter 3/part 4"]),
        ("Guidance note 1 of A6.9.3", &["a6.9.3/guidance 1"]),
        ("Rule 7.2.1(f), (g) and (h)", &["rule 7.2.1/(f)", "rule 7.2.1/(g)", "rule 7.2.1/(h)"]),
        ("Rule 4.4.1(3) or (4) if", &["rule 4.4.1/(3)", "rule 4.4.1/(4)"]),
        ("Rules \u{200e}2.7.1 and \u{200e}2.8", &["rule 2.7.1", "rule 2.8"]),
        ("subject to 3.2.3, a firm", &["3.2.3"]),
        ("(GEN 3.3.31, PRU 6.8)", &["GEN: 3.3.31", "PRU: 6.8"]),
        ("paragraphs 117a) or 118 above", &["paragraph 117/(a) above", "paragraph 118 above"]),
        ("paragraph (2) of this Rule 3.6.2", &["rule 3.6.2/(2)"]),
        ("paragraph 25 of this Guidance", &["paragraph 25 own"]),
        ("in this Part 3", &["part 3 own"]),
        ("as required under (2)(a), a firm", &["(2)/(a)"]),
    ]);
}

#[test]
fn statutes_and_regulations() {
    check(&[
        ("section 3(1)(a)", &["section 3/(1)/(a)"]),
        ("ss. 4 and 5", &["section 4", "section 5"]),
        ("s. 12A and s 14", &["section 12a", "section 14"]),
        ("§ 1.1-2(a)(ii)", &["§ 1.1-2/(a)/(ii)"]),
        ("§§ 78u-4 to 78u-6", &["§ 78u-4 ..", "§ 78u-6"]),
        ("17 CFR 230.506(b)", &["17 CFR: § 230.506/(b)"]),
        ("15 U.S.C. § 78j(b)", &["15 U.S.C.: § 78j/(b)"]),
        ("21 U.S.C. 825–829", &["21 U.S.C.: § 825 ..", "21 U.S.C.: § 829"]),
        ("Pub. L. No. 111-203", &["Pub. L. No. 111-203: "]),
        ("Schedule 2 paragraph 4", &["schedule 2/paragraph 4"]),
        ("paragraph 4 of Schedule 2 to the Ports Act 1991", &["Ports Act 1991: schedule 2/paragraph 4"]),
        ("Part 4 of the Schedule", &["schedule/part 4"]),
        ("regulation 5(2)", &["regulation 5/(2)"]),
        (
            "Articles 6 and 7 of Regulation (EU) No 575/2013",
            &["Regulation (EU) No 575/2013: article 6", "Regulation (EU) No 575/2013: article 7"],
        ),
        ("Directive 2014/65/EU", &["Directive 2014/65/EU: "]),
        ("Treas. Reg. § 1.6011-4(b)(2)", &["Treas. Reg.: § 1.6011-4/(b)/(2)"]),
        ("I.R.C. § 7701(o)", &["I.R.C.: § 7701/(o)"]),
        ("Internal Revenue Code section 61", &["Internal Revenue Code: section 61"]),
        ("Fed. R. Civ. P. 12(b)(6)", &["Fed. R. Civ. P.: rule 12/(b)/(6)"]),
        ("sections 187 to 189", &["section 187 ..", "section 189"]),
        (
            "paragraphs 47-54 of the Guidance on Mining",
            &["Guidance on Mining: paragraph 47 ..", "Guidance on Mining: paragraph 54"],
        ),
        ("section 198 or section 199 of the HDA", &["HDA: section 198", "HDA: section 199"]),
        ("HDA sections 201 and 206", &["HDA: section 201", "HDA: section 206"]),
        ("Companies Act 2006, section 172", &["Companies Act 2006: section 172"]),
        ("section 5 of that Act", &["that Act: section 5"]),
        (
            "section 4 of the Ports Act 1991 and, under that Act, section 5 of that Act",
            &["Ports Act 1991: section 4", "Ports Act 1991: section 5"],
        ),
        ("section 3 of this Act", &["section 3 own"]),
        ("section 3 above; the preceding section", &["section 3 above", "section previous"]),
        ("paragraph (b) of this section", &["section/(b) here"]),
        ("section 92 (4)(b):", &["section 92/(4)/(b)"]),
        ("Rules 10b-5 and 15c2-12", &["rule 10b-5", "rule 15c2-12"]),
        ("section 7 of this title", &["title/section 7 here"]),
    ]);
}

#[test]
fn contracts() {
    check(&[
        ("Section 7.1(b)", &["section 7.1/(b)"]),
        ("Clause 4.2 and Exhibit A hereto", &["clause 4.2", "exhibit a own"]),
        ("Annex II, Schedule 1.01(b)", &["annex ii", "schedule 1.01/(b)"]),
        ("Article VII of the Agreement", &["Agreement: article vii"]),
        ("Sections 4.01, 4.02 and 4.05", &["section 4.01", "section 4.02", "section 4.05"]),
    ]);
}

#[test]
fn chinese() {
    check(&[
        ("依照第六条第二款第三项的规定", &["条 6/款 2/项 3"]),
        ("第一百二十条之一", &["条 120-1"]),
        ("第六条至第九条", &["条 6 ..", "条 9"]),
        ("第六条第一款、第二款", &["条 6/款 1", "条 6/款 2"]),
        ("《中华人民共和国公司法》第二十条", &["中华人民共和国公司法: 条 20"]),
        ("《港口法》（2018年修正）第三条", &["港口法: 条 3"]),
        ("依照刑法第二百条处罚", &["刑法: 条 200"]),
        ("本法第十条", &["条 10 own"]),
        ("依照前款规定", &["款 previous"]),
        ("本条第一款", &["条/款 1 here"]),
        ("第（三）项", &["项 3 here"]),
        ("本条例、前段时间、第一条件", &[]),
    ]);
}

#[test]
fn what_looks_like_a_citation_and_is_none() {
    for text in [
        "",
        "part of the plan",
        "in 2015 the Regulations 2015 were made",
        "Rule the waves",
        "it's 5 o'clock",
        "1,000 sections",
        "12 % of sections",
        "EUR 4.5 and USD 3.10",
        "measures DPR 76.6 NLL 44.9",
        "a section of 30 days",
        "Section",
        "the Company. 5 persons",
        "HOW DOES THE RULE WORK",
        "applies to (a) a person; (b) a firm",
        "Rule 12345678",
    ] {
        assert_eq!(read(text), Vec::<String>::new(), "{text:?}");
    }
    assert_eq!(read("Rule 4.1, 30 days"), ["rule 4.1"]);
    assert_eq!(read("in section 4 (a) the buyer and (b) the seller"), ["section 4"]);
}

#[test]
fn each_of_a_list_has_its_own_part_of_the_text() {
    let text = "See Rules 4.1, 4.2 and 4.5 of COBS.";
    let parts: Vec<&str> = references(text).iter().map(|reference| &text[reference.range.clone()]).collect();
    assert_eq!(parts, ["Rules 4.1", "4.2", "4.5"]);
    let text = "See section 3(1) of the Ports Act 1991.";
    assert_eq!(&text[references(text)[0].range.clone()], "section 3(1) of the Ports Act 1991");
}

/// Two documents: a statute with a schedule, and rules that call it "HDA".
fn library() -> (ProvisionIndex, Vec<&'static str>) {
    let mut builder = ProvisionIndexBuilder::default();
    let act = builder.document(&["Harbour Dues Act 2019"]);
    let rules = builder.document(&["Harbour Rules"]);
    let mut keys = Vec::new();
    let mut add = |document, rows: &[(&'static str, usize)], builder: &mut ProvisionIndexBuilder| {
        let mut open: Vec<usize> = Vec::new();
        for &(key, depth) in rows {
            open.truncate(depth);
            let node = builder.node(document, open.last().copied(), key);
            open.push(node);
            keys.push(key);
        }
    };
    let statute = [
        ("", 0),
        ("part 1", 1),
        ("1", 2),
        ("(1)", 3),
        ("(2)", 3),
        ("2", 2),
        ("3", 2),
        ("part 2", 1),
        ("4", 2),
        ("schedule 1", 1),
        ("part 1", 2),
        ("1", 3),
        ("2", 3),
        ("(a)", 4),
    ];
    add(act, &statute, &mut builder);
    let rulebook = [
        ("", 0),
        ("3", 1),
        ("3.1", 2),
        ("3.1.1", 3),
        ("3.1.2", 3),
        ("(1)", 4),
        ("(2)", 4),
        ("4", 1),
        ("4.1", 2),
    ];
    add(rules, &rulebook, &mut builder);
    builder.define(rules, "HDA", "Harbour Dues Act 2019");
    for text in ["section 1 of the HDA", "section 2 of the HDA"] {
        references(text).iter().for_each(|reference| builder.observe(rules, reference));
    }
    for text in ["Section 3.1", "Rule 3.1.1"] {
        references(text).iter().for_each(|reference| builder.observe(rules, reference));
    }
    (builder.build(), keys)
}

#[test]
fn citations_resolve_to_the_innermost_provision_that_holds_them() {
    let (index, _) = library();
    // From a node, a text, the node that it names. Nodes 0–13 are the statute's, 14–22 the rules'.
    let cases: &[(usize, &str, Option<usize>)] = &[
        (2, "section 2", Some(5)),
        (2, "section 1(2)(c)", Some(4)),
        (3, "subsection (2)", Some(4)),
        (12, "paragraph 1", Some(11)),
        (12, "section 2", Some(5)),
        (2, "paragraph 2(a) of Schedule 1", Some(13)),
        (2, "Part 1 of Schedule 1", Some(10)),
        (12, "Part 2", Some(7)),
        (2, "section 2 of this title", Some(5)),
        (4, "clause (1) above", Some(3)),
        (8, "Schedule 9", None),
        (6, "section 3 above", None),
        (5, "the preceding section", Some(2)),
        (17, "Rule 3.1.2(2)", Some(20)),
        (17, "Rule 3.1.9", Some(16)),
        (17, "Rule 9.9.9", None),
        (17, "Chapter 4", Some(21)),
        (19, "(2), and", None),
        (19, "this section", Some(16)),
        (19, "this rule", Some(18)),
        (17, "HDA section 4", Some(8)),
        (17, "section 4 of the Harbour Dues Act", Some(8)),
        (17, "section 2 of the Pilots Act 1987", None),
        (17, "section 3", Some(6)),
        (2, "Harbour Rules, Rule 4.1", Some(22)),
    ];
    for &(from, text, expected) in cases {
        let reference = references(text).into_iter().next();
        let document = usize::from(from >= 14);
        let place = ReferenceContext { document, node: Some(from), last: None };
        let found = reference.and_then(|reference| index.resolve(&reference, place));
        assert_eq!(found, expected, "{text:?} from {from}");
    }
    assert_eq!(index.between(2, 6), [2, 5, 6]);
    assert_eq!(index.between(2, 8), [2, 8]);
}

#[test]
fn short_forms_are_found_with_what_they_stand_for() {
    type Expected = (&'static str, &'static str, bool);
    let cases: &[(&str, &[Expected])] = &[
        ("a Qualified Investor (QI) must", &[("QI", "Qualified Investor", true)]),
        ("a QI (Qualified Investor) must", &[("QI", "Qualified Investor", true)]),
        ("a Qualified Investor (the Fund) must", &[]),
        ("the Ports and Harbours Act 1991 (“PHA”)", &[("PHA", "Ports and Harbours Act 1991", false)]),
        (
            "the Securities and Exchange Commission (“SEC”)",
            &[("SEC", "Securities and Exchange Commission", true)],
        ),
        ("This Rulebook (\"HRB\") applies", &[("HRB", "This Rulebook", false)]),
        ("Acme Holdings, Inc. (the “Company”)", &[("Company", "Acme Holdings, Inc.", false)]),
        ("（以下简称“本合同”）", &[]),
        ("《港口服务合同》（以下简称“本合同”）", &[("本合同", "港口服务合同", false)]),
        ("see Annex (page 3)", &[]),
    ];
    for (text, expected) in cases {
        let found = short_forms(text);
        let found: Vec<(&str, &str, bool)> = found
            .iter()
            .map(|form| (&text[form.short.clone()], &text[form.long.clone()], form.acronym))
            .collect();
        assert_eq!(found, *expected, "{text:?}");
    }
}

#[test]
fn titles_of_instruments_are_found() {
    let cases: &[(&str, &[&str])] = &[
        (
            "under the Companies Act 2006 and the Securities Act of 1933.",
            &["Companies Act 2006", "Securities Act of 1933"],
        ),
        ("the Federal Food, Drug, and Cosmetic Act applies", &["Federal Food, Drug, and Cosmetic Act"]),
        (
            "Regulation (EU) No 575/2013 and Directive 2014/65/EU",
            &["Regulation (EU) No 575/2013", "Directive 2014/65/EU"],
        ),
        ("the Ports (Dues) Regulations 2024", &["Ports (Dues) Regulations 2024"]),
        ("the Rules of Civil Procedure", &["Rules of Civil Procedure"]),
        ("依照《港口法》办理", &["港口法"]),
        ("This Act and the Act, Governing Law, Section 4", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<String> = instruments(text).into_iter().map(|mention| mention.name).collect();
        assert_eq!(found, *expected, "{text:?}");
    }
    let own = short_title("(1) This Act may be cited as the Harbour Dues Act 2019.").map(|own| own.name);
    assert_eq!(own.as_deref(), Some("Harbour Dues Act 2019"));
}

#[test]
fn hostile_text_takes_steps_in_proportion_to_its_length() {
    for unit in [
        "Rule 1.",
        "1.2.3.4.5.6.7.8.9.",
        "9",
        "section (a)(b)(c)(d)",
        "(",
        "Rules 1, 2, 3, 4 and ",
        "Part 1 of Part 2 of ",
        "The Board Of The Big Company And ",
        "第",
        "第一条、",
        "《",
        "的",
        "A1.",
        "Act of Act on Act for ",
        "(“A B”) (“C”",
    ] {
        let [once, twice] = steps::of_doubled(unit, 4_000, |text| {
            let _ = references(text).len() + instruments(text).len() + short_forms(text).len();
        });
        assert!(once > 4_000 && twice * 10 <= once * 21, "{unit:?}: {once} steps, then {twice}");
    }
}

proptest! {
    #[test]
    fn ranges_lie_in_the_text_in_order_and_on_characters(
        text in "([ a-zA-Z0-9.,()§–;\n《》第条款一十二至、本前]|Rules? |section |Part |of the |Act |COBS |to |and |\u{200e}){0,60}"
    ) {
        let mut end = 0;
        for reference in references(&text) {
            prop_assert!(text.get(reference.range.clone()).is_some_and(|part| !part.is_empty()), "{:?}", reference);
            prop_assert!(reference.range.start >= end, "{:?}", reference);
            prop_assert!(!text[reference.range.clone()].contains('\n'));
            prop_assert!(!reference.path.is_empty() || reference.instrument.is_some());
            end = reference.range.end;
        }
        let mentions = instruments(&text).into_iter().map(|mention| mention.range);
        let forms = short_forms(&text).into_iter().flat_map(|form| [form.short, form.long]);
        for range in mentions.chain(forms) {
            prop_assert!(text.get(range).is_some_and(|part| !part.is_empty()));
        }
    }

    #[test]
    fn resolving_never_panics(
        text in "(Rule|section|Part|paragraph|Schedule|this|the preceding section|前款|第一条|HDA)? ?[0-9.]{0,6}[()a-c1-3]{0,8}( (above|below|of the HDA|of this Act))?",
        from in 0usize..30,
    ) {
        let (index, keys) = library();
        let place = ReferenceContext { document: usize::from(from >= 14), node: Some(from), last: Some(from / 2) };
        for reference in references(&text) {
            if let Some(found) = index.resolve(&reference, place) {
                prop_assert!(found < keys.len());
                prop_assert!(index.between(found, from).len() <= keys.len() + 1);
            }
        }
    }
}

#[test]
fn words_of_other_languages_lead_references() {
    check(&[
        ("conforme al artículo 4, apartado 2, y al anexo II.", &["article 4/paragraph 2", "annex ii"]),
        ("Véase el art. 5.2 y el cap. II.", &["article 5.2", "chapter ii"]),
        ("gemäß Artikel 5 und Kapitel II", &["article 5", "chapter ii"]),
    ]);
}

#[test]
fn spanish_references_are_joined_and_named() {
    check(&[
        ("los artículos 3 y 5", &["article 3", "article 5"]),
        ("los artículos 3 o 4 y el anexo II", &["article 3", "article 4", "annex ii"]),
        ("artículos 12 a 14 y 20", &["article 12 ..", "article 14", "article 20"]),
        ("el artículo 5 de la Ley 39/2015, de 1 de octubre", &["Ley 39/2015: article 5"]),
        (
            "los apartados 1 y 2 del artículo 6 del Reglamento (UE) 2016/679",
            &[
                "Reglamento (UE) 2016/679: article 6/paragraph 1",
                "Reglamento (UE) 2016/679: article 6/paragraph 2",
            ],
        ),
        ("artículo 4 del Reglamento (UE) núm. 575/2013", &["Reglamento (UE) núm. 575/2013: article 4"]),
        (
            "la Ley Orgánica 3/2018 y la Directiva 2014/65/UE",
            &["Ley Orgánica 3/2018: ", "Directiva 2014/65/UE: "],
        ),
        ("conforme al Real Decreto 1720/2007", &["Real Decreto 1720/2007: "]),
        ("artículo 1902 del Código Civil", &["Código Civil: article 1902"]),
        (
            "art. 7 de la Ley General de la Seguridad Social, y art. 9",
            &[
                "Ley General de la Seguridad Social: article 7",
                "Ley General de la Seguridad Social: article 9",
            ],
        ),
        (
            "arts. 3 a 5 de la Constitución Española",
            &["Constitución Española: article 3 ..", "Constitución Española: article 5"],
        ),
        ("artículos 3 y 5 de la presente Ley", &["article 3 own", "article 5 own"]),
        ("artículo 3 de este Reglamento", &["article 3 own"]),
        ("artículo 5 de dicha Ley", &["dicha Ley: article 5"]),
        ("el apartado 2 de este artículo", &["article/paragraph 2 here"]),
        ("el apartado 2 del presente artículo", &["article/paragraph 2 here"]),
        ("el apartado 2 del anexo", &["annex/paragraph 2"]),
        ("en el artículo anterior y en el apartado siguiente", &["article previous", "paragraph next"]),
        ("este capítulo", &["chapter here"]),
        ("el artículo 14 de la ley", &["article 14"]),
        ("artículos 4, 30 días", &["article 4"]),
        // Not of other languages.
        ("sections 4 a 5", &["section 4"]),
        ("article 5 de la loi", &["article 5"]),
        ("section anterior to the road", &[]),
        ("Ley and Real Estate", &[]),
    ]);
    let names: Vec<String> = instruments("Según la Ley de Puertos Locales, el Código Civil y la Ley 7/2026.")
        .into_iter()
        .map(|mention| mention.name)
        .collect();
    assert_eq!(names, ["Ley de Puertos Locales", "Código Civil", "Ley 7/2026"]);
}
