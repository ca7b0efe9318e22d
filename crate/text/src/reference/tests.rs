use super::*;
fn show(text: &str) -> Vec<String> {
    citations(text)
        .iter()
        .map(|c| {
            format!(
                "{:?} {} {} {:?}{}",
                &text[c.range.clone()],
                c.instrument.as_deref().unwrap_or("-"),
                c.path.join(" > "),
                c.scope,
                if c.through { " .." } else { "" }
            )
        })
        .collect()
}
#[test]
fn print_all() {
    for text in [
        "Rule 4.2.1",
        "Rules 9.8.2(1) to (3) and 9.8.4",
        "COBS 3.2.1R(2)(a)",
        "MKT Rule 4.3.1(13)",
        "Chapter 13 of GEN",
        "Section 3.4",
        "App1",
        "App 2.3.1",
        "guidance 4",
        "Part 4 of chapter 3 of PRU",
        "section 3(1)(a)",
        "ss. 4 and 5",
        "s. 12A",
        "§ 1.1-2(a)(ii)",
        "§§ 78u-4 to 78u-6",
        "17 CFR 230.506(b)",
        "15 U.S.C. § 78j(b)",
        "Pub. L. 111-203",
        "Schedule 2 paragraph 4",
        "paragraph 4 of Schedule 2",
        "Part 3",
        "regulation 5(2)",
        "Article 19(2)(b)",
        "Articles 6 and 7 of Regulation (EU) No 575/2013",
        "Directive 2014/65/EU",
        "Treas. Reg. § 1.6011-4(b)(2)",
        "I.R.C. § 7701(o)",
        "Internal Revenue Code section 61",
        "Section 7.1(b)",
        "Clause 4.2",
        "Exhibit A",
        "Annex II",
        "Schedule 1.01(b)",
        "第六条第二款",
        "第六条第二款第三项",
        "第一百二十条之一",
        "第六条至第九条",
        "《中华人民共和国公司法》第二十条",
        "本法第十条",
        "前款",
        "本条第一款",
        "Rules \u{200e}2.7.1 and \u{200e}2.8",
        "Rules 4.1, 4.2 and 4.5",
        "sections 187 to 189",
        "paragraphs 47-54 of the Guidance on Mining",
        "section 198 or section 199 of the FSMR",
        "section 15(2) of the Financial Services and Markets Regulations 2015 (“FSMR”)",
        "Market Infrastructure Rules (MIR) Rule 2.8.3",
        "FSMR sections 201 and 206",
        "Rule 7.2.1(f), (g) and (h)",
        "A5.1.1 to A5.1.3 of App5",
        "section 92 (4)(b):",
        "paragraph (2) of this Rule 3.6.2",
        "Companies Act 2006, section 172",
        "Part 4 of the Schedule",
        "Guidance note 1 of A6.9.3",
        "A2.4 in App9",
        "Rule 4.4.1(3) or (4)",
        "the preceding section",
        "subject to (2), and",
        "第六条第一款、第二款",
    ] {
        println!("{text}\n     {:?}", show(text));
    }
}
