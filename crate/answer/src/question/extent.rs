//! The extent of an answer: how much of a provision a question asks for.
//!
//! Requirements are answered by the whole list, "whether" and "how long" by a sentence of it. For each form of question
//! the share is the one with the best ROUGE-L against the gold answers of Chinese development questions (`pincite eval
//! answers --by`). For other forms a Chinese article is quoted whole, since it is short and complete. An English rule
//! is a tree of paragraphs, so it is quoted whole only if the question asks for all of it.

use super::cues::{DEFINITION, FIGURE};
use crate::language::Language;

/// The extent of a quotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    /// The provision: requirements, contents, a procedure.
    Provision,
    /// Sentences that match at least by this share of the best, 0 to 1.
    Sentences(f64),
}

/// English phrases that ask for a whole provision.
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

/// Cues of Chinese questions that sentences answer, with the share of the best; the first that matches wins.
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

/// The extent that a question asks for.
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
