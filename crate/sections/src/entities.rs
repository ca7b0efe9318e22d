//! Names, dates and amounts by rule.
//!
//! Names are found by a last word ("Authority", "Ltd", 有限公司); dates and amounts are `text::quantity`'s, the titles
//! of instruments `text::reference`'s. What two kinds claim goes to the longer. A name that no rule is sure of is left out.
//! Cost: linear in the text.

mod names;

use document::{Entity, EntityKind, Layout};
use text::quantity::{self, Quantity};
use text::reference::instruments;

use self::names::entity;

/// The entities of the text, in its order; they do not overlap.
pub(crate) fn collect(layout: &Layout) -> Vec<Entity> {
    entities(&layout.text)
}

/// The entities of a text that is no document, such as a question.
pub fn entities(text: &str) -> Vec<Entity> {
    let mut found: Vec<Entity> = instruments(text)
        .into_iter()
        .map(|mention| entity(EntityKind::Instrument, mention.range, mention.name))
        .collect();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\t']) {
        let quantities = |kind, read: Vec<Quantity>| {
            read.into_iter().map(move |q| entity(kind, start + q.range.start..start + q.range.end, q.value))
        };
        found.extend(quantities(EntityKind::Date, quantity::dates(line)));
        found.extend(quantities(EntityKind::Amount, quantity::amounts(line)));
        names::scan(line, start, &mut found);
        start += line.len();
    }
    found.sort_by_key(|entity| (entity.range.start, u32::MAX - entity.range.end, entity.kind));
    let mut kept: Vec<Entity> = Vec::with_capacity(found.len());
    for entity in found {
        match kept.last_mut() {
            Some(last) if last.range.end > entity.range.start => {
                if entity.range.len() > last.range.len() {
                    *last = entity;
                }
            }
            _ => kept.push(entity),
        }
    }
    kept
}

/// The dates of a line.
pub(crate) fn dates_of(line: &str) -> Vec<Entity> {
    quantity::dates(line).into_iter().map(|date| entity(EntityKind::Date, date.range, date.value)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use text::steps;

    use super::*;

    /// Kind, text and value of each entity.
    fn read(text: &str) -> Vec<(EntityKind, String, String)> {
        let layout = Layout { text: text.to_owned(), ..Layout::default() };
        let found = collect(&layout);
        found.into_iter().map(|e| (e.kind, layout.slice(e.range).to_owned(), e.value)).collect()
    }

    fn check(kind: EntityKind, cases: &[(&str, &[(&str, &str)])]) {
        for (text, expected) in cases {
            let found = read(text);
            let found: Vec<(&str, &str)> = found
                .iter()
                .filter(|(k, _, _)| *k == kind)
                .map(|(_, text, value)| (text.as_str(), value.as_str()))
                .collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }

    #[test]
    fn dates() {
        check(
            EntityKind::Date,
            &[
                (
                    "on 31 July 2024 and July 31, 2024",
                    &[("31 July 2024", "2024-07-31"), ("July 31, 2024", "2024-07-31")],
                ),
                ("the 31st day of July, 2024", &[("31st day of July, 2024", "2024-07-31")]),
                (
                    "by Sept. 5, 2019 or in May 2020",
                    &[("Sept. 5, 2019", "2019-09-05"), ("May 2020", "2020-05")],
                ),
                (
                    "2024-07-31, 31/07/2024 and 31.7.2024",
                    &[
                        ("2024-07-31", "2024-07-31"),
                        ("31/07/2024", "2024-07-31"),
                        ("31.7.2024", "2024-07-31"),
                    ],
                ),
                (
                    "自2024年7月31日起，至二〇二五年一月",
                    &[("2024年7月31日", "2024-07-31"), ("二〇二五年一月", "2025-01")],
                ),
                ("03/04/2024, 30 February 2024, May 5, 12 March", &[]),
            ],
        );
    }

    #[test]
    fn amounts() {
        check(
            EntityKind::Amount,
            &[
                (
                    "pay $1.5 million or US$ 300,000.50",
                    &[("$1.5 million", "USD 1500000.00"), ("US$ 300,000.50", "USD 300000.50")],
                ),
                (
                    "AED 5,000; €2bn; £0.125",
                    &[("AED 5,000", "AED 5000.00"), ("€2bn", "EUR 2000000000.00"), ("£0.125", "GBP 0.125")],
                ),
                (
                    "10 million euros, 3 dollars",
                    &[("10 million euros", "EUR 10000000.00"), ("3 dollars", "USD 3.00")],
                ),
                (
                    "处人民币100万元以上5亿元以下罚款",
                    &[("人民币100万元", "CNY 1000000.00"), ("5亿元", "CNY 500000000.00")],
                ),
                (
                    "15%, 12.50 per cent, 百分之十五",
                    &[("15%", "15 %"), ("12.50 per cent", "12.5 %"), ("百分之十五", "15 %")],
                ),
                ("EUR 2017/625, 15 percentage points, section 5", &[]),
            ],
        );
    }

    #[test]
    fn authorities_and_organisations() {
        check(
            EntityKind::Authority,
            &[
                (
                    "the Harbour Regulatory Authority and the Court of Appeal",
                    &[
                        ("Harbour Regulatory Authority", "Harbour Regulatory Authority"),
                        ("Court of Appeal", "Court of Appeal"),
                    ],
                ),
                (
                    "the Securities and Exchange Commission, the Ministry of Finance",
                    &[
                        ("Securities and Exchange Commission", "Securities and Exchange Commission"),
                        ("Ministry of Finance", "Ministry of Finance"),
                    ],
                ),
                ("the Court, an Authority, the Board of Directors", &[]),
                (
                    "应当向上海市第一中级人民法院起诉，报国务院批准",
                    &[("上海市第一中级人民法院", "上海市第一中级人民法院"), ("国务院", "国务院")],
                ),
            ],
        );
        check(
            EntityKind::Organisation,
            &[
                (
                    "between Acme Holdings, Inc. and First Harbour LLC.",
                    &[
                        ("Acme Holdings, Inc.", "Acme Holdings, Inc."),
                        ("First Harbour LLC", "First Harbour LLC"),
                    ],
                ),
                (
                    "The Limited company; Bank of Harbour Limited",
                    &[("Bank of Harbour Limited", "Bank of Harbour Limited")],
                ),
                ("甲方：上海港口有限公司", &[("上海港口有限公司", "上海港口有限公司")]),
            ],
        );
    }

    #[test]
    fn hostile_text_takes_steps_in_proportion_to_its_length() {
        for unit in ["1,000,", "$1", "Inc Ltd ", "Court of ", "人民法院", "9", "A B, ", "5 ", "July "] {
            let [once, twice] = steps::of_doubled(unit, 4_000, |text| {
                let _ = read(text).len();
            });
            assert!(once > 4_000 && twice * 10 <= once * 21, "{unit:?}: {once} steps, then {twice}");
        }
    }

    proptest! {
        #[test]
        fn entities_are_disjoint_ranges_of_the_text(
            text in "([ a-zA-Z0-9.,$%/()\n年月日元万《》]|May |Court of |Ltd|Inc\\.|Act |EUR |人民法院|百分之){0,50}"
        ) {
            let layout = Layout { text: text.clone(), ..Layout::default() };
            let mut end = 0;
            for entity in collect(&layout) {
                prop_assert!(entity.range.start >= end && !entity.range.is_empty(), "{:?}", entity);
                prop_assert!(text.get(entity.range.to_usize()).is_some());
                prop_assert!(!entity.value.is_empty());
                end = entity.range.end;
            }
        }
    }
}
