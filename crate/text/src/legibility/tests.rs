//! Words and lines that are language, and that are not.

use proptest::prelude::*;

use super::evidence;
use crate::steps;

/// Evidence of a line.
fn of(line: &str) -> i32 {
    line.split_whitespace().map(evidence).sum()
}

/// The text as a font shows it whose codes are `by` less than they should be, as glyph ids of common fonts are.
fn shifted(text: &str, by: u32) -> String {
    let shift = |c: char| char::from_u32(u32::from(c) - by).filter(|c| !c.is_control()).unwrap_or(' ');
    text.chars().map(|c| if c.is_ascii_graphic() { shift(c) } else { c }).collect()
}

/// Text of our own that the tables were not made from.
const HONEST: [&str; 8] = [
    "Every licensee keeps a register of complaints and sends a copy to the Authority within ten business days.",
    "The tenant pays the ground rent quarterly in advance, without deduction or set-off, unless the lease says so.",
    "Der Mieter zahlt die Miete monatlich im Voraus, spätestens am dritten Werktag, auf das Konto des Vermieters.",
    "Le locataire doit user des lieux paisiblement et répondre des dégradations survenues pendant son occupation.",
    "El comprador debe pagar el precio en el día y lugar fijados; si no lo hace, pagará intereses por la demora.",
    "Работник имеет право на отдых, своевременную выплату заработной платы и возмещение вреда.",
    "Ο εργοδότης οφείλει να καταβάλλει τον μισθό στο τέλος κάθε μήνα και να τηρεί βιβλίο αδειών.",
    "经营者应当保证其提供的商品符合保障人身、财产安全的要求。",
];

#[test]
fn text_of_many_languages_is_language() {
    for line in HONEST {
        assert!(of(line) > 30, "{} {line}", of(line));
    }
}

#[test]
fn letters_of_a_broken_font_are_none() {
    for line in HONEST.iter().take(5) {
        for by in [1, 3, 29, 31] {
            let garbage = shifted(line, by);
            assert!(of(&garbage) < -60, "{} {garbage}", of(&garbage));
        }
    }
    for garbage in [
        r"Kz]mq\ht fv^_r wq[zt\ xk]pq gh^vt_ qz]\rt",
        "7KH 3DUWLHV DJUHH WKDW WKH 6XSSOLHU VKDOO LQGHPQLI\\ WKH &XVWRPHU",
        "Ïðåäñåäàòåëü ñóäà âïðàâå îòëîæèòü ðàçáèðàòåëüñòâî äåëà",
        "\u{F041}\u{F042}\u{F043}\u{F044} \u{F045}\u{F046}\u{F047}\u{F048}",
        "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        "Ñòàòüÿ óñòàíàâëèâàåò ïîðÿäîê",
        "мПЛБМШОЩК ТЕГЙУФТ ВХИЗБМФЕТУЛПЗП ХЮЕФБ",
        "桔獩䄠牧敥敭瑮洠祡戠整浲湩瑡摥",
    ] {
        assert!(of(garbage) < -15, "{} {garbage}", of(garbage));
    }
}

#[test]
fn what_is_no_sentence_says_little_against_language() {
    for line in [
        "1,234.56 (7,890) 12.5% $3,000,000 -- 4.25x 2019 2020 2021",
        "CUSIP 254687FX9 ISIN US2546871060",
        "42 U.S.C. § 1983; 17 C.F.R. § 240.10b-5(b)(2)(iv)",
        "ARTICLE IV REPRESENTATIONS AND WARRANTIES OF THE BORROWER",
        "Szczepan Brzęczyszczykiewicz, Nguyễn Thị Hương, Þorgerður Guðmundsdóttir, Ngozi Okonjo-Iweala",
        "x_i = a_j + b^2 / (c - d) ≤ \u{3b1}\u{3b2}",
        "https://www.example.org/path/to/file.html?id=42&lang=en#top",
        "jane.doe@example.com",
        "Definitions ................................................. 12",
        "Name: ____________ Date: ____/____/______ [ ] Yes [ ] No",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "4711 NW 23rd St. Apt #5B, Schenectady, NY 12345-6789",
        "AAPL MSFT XOM BRKB JNJ PG TSLA",
        "NATO FBI CFTC FDIC HKMA PRC MTN",
        "\"[t]he [C]ourt [s]hall\" *12 **3 †",
        "xviii XXIV MMXXVI lxxvii",
        "H₂SO₄ NaCl CO2 C₈H₁₀N₄O₂",
        "if (a[i] > b) { return foo_bar(x); }",
        "สัญญานี้ทำขึ้นระหว่าง अनुबंध के पक्ष",
        "הסכם זה נערך בין הצדדים اتفق الطرفان على ما يلي",
        "この契約の当事者は、本契約は次のとおりとする。 계약 당사자는 다음과 같이 합의한다.",
    ] {
        assert!(of(line) > -20, "{} {line}", of(line));
    }
}

#[test]
fn an_ending_of_one_or_two_letters_says_nothing() {
    for word in ["", "q", "zx", "\u{FFFD}", "(b)", "§", "•", "\u{F0B7}"] {
        assert_eq!(evidence(word), 0, "{word}");
    }
}

#[test]
fn evidence_costs_its_length_once() {
    for unit in ["a", "a]", "é", "\u{FFFD}", "aΩ", "第", "[a]", "_"] {
        let [once, twice] = steps::of_doubled(unit, 2_000, |text| {
            evidence(text);
        });
        assert!(twice <= 2 * once + 2, "{unit}: {once} {twice}");
    }
}

proptest! {
    #[test]
    fn evidence_of_any_text_is_bounded(word in any::<String>()) {
        prop_assert!((-super::MOST..=super::MOST).contains(&evidence(&word)));
    }
}
