//! How much of a provision a question asks for.
//!
//! Who asks what the requirements are is answered by the whole list, who asks whether or how long by a sentence of it.
//! The shares are where ROUGE-L against the gold answers of Chinese development questions is best for each form
//! (`pincite eval answers --by`); where the form is none of these, a Chinese article serves best whole, for it is
//! short and says all of a matter. An English rule is a tree of paragraphs, so it is quoted whole only for those who
//! ask for all of it.

use super::cues::{DEFINITION, FIGURE};
use crate::language::Language;

/// How much of a provision is quoted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// All of it: requirements, contents, a procedure.
    Provision,
    /// The sentences that fit at least by this share of the best.
    Sentences(f64),
}

/// English that asks for all there is.
const SUMMARY: &[&str] = &[
    "what are the",
    "which of the",
    "requirements",
    "conditions",
    "criteria",
    "steps",
    "factors",
    "what must",
    "what should",
    "what information",
    "list ",
];

/// Forms of Chinese questions that sentences answer, with the share of the best fit; the first that is there decides.
const SENTENCES: &[(&[&str], f64)] = &[
    (DEFINITION, 0.7),
    (&["吗？", "吗?", "是否", "能否", "可否", "能不能", "可不可以", "是不是", "需不需要"], 0.95),
    (&["处罚", "惩罚", "罚款", "后果", "责任", "处理", "处分", "会怎样", "怎么办"], 0.95),
    (FIGURE, 0.7),
    (
        &[
            "谁",
            "哪个部门",
            "哪个机关",
            "哪个机构",
            "哪个单位",
            "哪些部门",
            "哪些机关",
            "哪些机构",
            "哪些单位",
            "哪些人",
            "什么部门",
            "什么机关",
            "什么机构",
            "什么单位",
            "什么人",
            "由什么",
            "由哪",
        ],
        0.5,
    ),
];

/// How much a question asks for.
pub(super) fn extent(question: &str, language: Language) -> Extent {
    let lower = question.to_lowercase();
    let has = |needles: &[&str]| needles.iter().any(|needle| lower.contains(needle));
    match language {
        Language::English if has(SUMMARY) => Extent::Provision,
        Language::English => Extent::Sentences(0.72),
        Language::Chinese => SENTENCES
            .iter()
            .find(|(cues, _)| has(cues))
            .map_or(Extent::Provision, |(_, share)| Extent::Sentences(*share)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_question_decides_how_much_is_quoted() {
        let cases = [
            ("What are the requirements for a licence?", Extent::Provision),
            ("How long must a firm keep its records?", Extent::Sentences(0.72)),
            ("申请许可证需要满足哪些条件？", Extent::Provision),
            ("什么是关联交易？", Extent::Sentences(0.7)),
            ("股东能否转让股份？", Extent::Sentences(0.95)),
            ("逾期不报告会受到什么处罚？", Extent::Sentences(0.95)),
            ("谁负责登记？", Extent::Sentences(0.5)),
        ];
        for (question, expected) in cases {
            assert_eq!(extent(question, Language::of(question)), expected, "{question}");
        }
    }
}
