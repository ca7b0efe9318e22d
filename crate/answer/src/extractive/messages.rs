//! Messages of the answerer in its own words: parts left open, and the refusal.

use crate::language::Language;
use crate::question::QuestionWords;

/// The message about the parts of a question that are left open; empty without any. Such questions are English.
pub(super) fn left_open(parts: &[&QuestionWords]) -> String {
    let own = |part: &str| {
        ["and ", "or ", "but "].iter().find_map(|joined| part.strip_prefix(joined)).unwrap_or(part).to_owned()
    };
    let quoted: Vec<String> = parts.iter().map(|part| format!("“{}”", own(&part.text))).collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!("The documents do not say: {}.", quoted.join("; "))
    }
}

/// The message above the nearest passages where it is doubtful that any answers.
pub(super) fn may_answer(language: Language, missing: &[String]) -> String {
    let list = missing.join(", ");
    match (language, missing.is_empty()) {
        (Language::English, true) => "These are the nearest passages; they may answer.".to_owned(),
        (Language::English, false) => {
            format!("These are the nearest passages; they may answer. None of them has: {list}.")
        }
        (Language::Chinese, true) => "下列为最接近的段落，可能包含答案。".to_owned(),
        (Language::Chinese, false) => {
            format!("下列为最接近的段落，可能包含答案。其中均未出现：{list}。")
        }
    }
}

pub(super) fn refusal(language: Language, missing: &[String]) -> String {
    let list = missing.join(", ");
    match (language, missing.is_empty()) {
        (Language::English, true) => {
            "The documents do not say. The nearest passages are listed below.".to_owned()
        }
        (Language::English, false) => {
            format!("The documents do not say. No match for: {list}. The nearest passages are listed below.")
        }
        (Language::Chinese, true) => "文件中没有相关规定。下列为最接近的段落。".to_owned(),
        (Language::Chinese, false) => format!("文件中没有相关规定。未找到：{list}。下列为最接近的段落。"),
    }
}
