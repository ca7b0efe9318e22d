//! Index terms for what a question asks for and what a provision does, where the two use different words.
//!
//! Whoever asks for the purpose of a law says 目的; the provision that answers says 为了…制定本法. No word is shared,
//! so a search by words finds the provisions that speak of purposes. The law's own formulas are few and fixed: a
//! [`Form`] pairs the cues of a question with the marks of a provision. What a unit does is indexed as a term of its
//! own (`=purpose`), and a question with a cue has the same term. So a form weighs what its rarity in the library
//! makes it weigh, as any word does, and is found by the same postings.
//!
//! Cues and marks are of general legal Chinese; nothing here knows a document. Text without Chinese is left alone.
//!
//! A pattern is what stands in the text as it is, except for `…`, a gap within the sentence; a leading `#`, a
//! number; a leading `^`, the beginning after the label of an article; a trailing `$`, the end of a question. Cost: a
//! search of the text for each mark, until one of a form is found.

use document::Slice as _;

use crate::chars::is_cjk;
use crate::numerals::is_han_ordinal;

/// Repetitions of a form's term in a question that has its cue. A unit has it once, where a word of the question may
/// occur many times, and unlike a single character it says what is asked.
pub const N_ASKED: usize = 3;
/// The longest gap that `…` stands for, in characters.
const MAX_GAP: usize = 40;
/// The first character of the terms of forms. No word that is indexed begins with it.
const SIGN: char = '=';

/// A legal formula: the cues of questions that ask for it, and the marks of provisions that have it.
struct Form {
    term: &'static str,
    cues: &'static [&'static str],
    marks: &'static [&'static str],
}

const FORMS: &[Form] = &[
    Form {
        term: "=purpose",
        cues: &["目的", "宗旨", "主要目标", "立法目标", "意义", "为什么制定", "为何制定"],
        marks: &[
            "^为",
            "为了…制定本",
            "制定本法",
            "制定本条例",
            "制定本办法",
            "制定本规定",
            "制定本细则",
            "制定本规则",
            "制定本规范",
        ],
    },
    Form {
        term: "=scope",
        cues: &[
            "适用范围",
            "适用于",
            "适用对象",
            "适用哪",
            "适用什么",
            "哪些…适用",
            "什么…适用",
            "是否适用",
            "适用…吗",
            "调整对象",
            "调整范围",
            "规范范围",
        ],
        marks: &["适用本", "适用于", "遵守本", "本法的适用", "本条例的适用", "适用范围", "依照本…执行"],
    },
    Form {
        term: "=commencement",
        cues: &[
            "何时…施行",
            "何时…实施",
            "何时…生效",
            "何时…执行",
            "时候…施行",
            "时候…实施",
            "时候…生效",
            "时候…执行",
            "时间…施行",
            "时间…实施",
            "时间…生效",
            "何日…施行",
            "何日…实施",
            "哪天…施行",
            "哪天…实施",
            "哪天…生效",
            "哪年…施行",
            "哪年…实施",
            "施行日期",
            "施行时间",
            "施行的日期",
            "实施日期",
            "实施时间",
            "实施的日期",
            "生效日期",
            "生效时间",
            "起施行",
        ],
        marks: &["自…起施行", "自…起实施", "自…起生效", "自…起执行", "自…起试行", "自…施行", "于…起施行"],
    },
    Form {
        term: "=definition",
        cues: &[
            "什么是",
            "是什么$",
            "指什么",
            "是指",
            "指的是",
            "指哪",
            "定义",
            "含义",
            "何谓",
            "什么叫",
            "概念",
            "如何理解",
            "怎么理解",
            "区别",
            "被视为",
            "被认为",
            "被认定为",
            "属于",
        ],
        marks: &["是指", "所称", "系指", "指的是", "的含义", "，指", "定义"],
    },
    Form {
        term: "=sanction",
        cues: &[
            "处罚",
            "惩罚",
            "罚款",
            "罚则",
            "法律责任",
            "后果",
            "处分",
            "追究",
            "怎么处理",
            "如何处理",
            "怎样处理",
            "受到什么",
            "会怎么样",
            "会怎样",
            "面临",
            "承担什么",
            "承担…责任",
        ],
        marks: &[
            "罚款",
            "责令",
            "警告",
            "没收",
            "处分",
            "追究",
            "吊销",
            "拘留",
            "有期徒刑",
            "赔偿责任",
            "撤销",
        ],
    },
    Form {
        term: "=kinds",
        cues: &[
            "分为", "几类", "哪几", "几种", "分类", "等级", "种类", "类型", "几个", "类别", "划分", "级别",
        ],
        marks: &["分为", "分成", "划分", "分别是", "包括"],
    },
    Form {
        term: "=principle",
        cues: &["原则", "方针", "指导思想"],
        marks: &["原则", "方针", "遵循", "坚持"],
    },
    Form {
        term: "=period",
        cues: &[
            "多久",
            "多长",
            "几日",
            "几天",
            "几年",
            "几个月",
            "期限",
            "时限",
            "时间",
            "有效期",
            "什么时候",
            "何时",
            "多少日",
            "多少天",
            "多少年",
        ],
        marks: &["#日", "#个工作日", "#年", "#个月", "#小时", "#天", "期限", "有效期", "期满"],
    },
    Form {
        term: "=amount",
        cues: &["多少", "比例", "金额", "数额", "费用", "额度", "限额"],
        marks: &["%", "％", "百分之", "万元", "分之", "#元"],
    },
    Form {
        term: "=remedy",
        cues: &["权利", "有权", "权益", "救济", "不服", "异议", "申诉"],
        marks: &["有权", "权利", "享有", "复议", "诉讼", "申诉", "异议", "投诉"],
    },
    Form {
        term: "=modality",
        cues: &["吗$", "是否", "能否", "可否", "必须"],
        marks: &["不得", "应当", "可以", "禁止", "必须", "不能", "无须"],
    },
    Form {
        term: "=prohibition",
        cues: &["禁止", "不得", "不能", "不允许", "不许", "严禁", "哪些行为", "什么行为"],
        marks: &["不得", "禁止", "严禁", "下列行为"],
    },
    Form {
        term: "=cases",
        cues: &["哪些情况", "什么情况", "哪些情形", "哪种情况", "何种情形", "情况下", "什么情形"],
        marks: &["下列情形", "下列情况", "以下情形", "以下情况", "之一的", "情形"],
    },
];

/// True if a term is that of a form, not a word.
pub fn is_form(term: &str) -> bool {
    term.starts_with(SIGN)
}

/// Terms of the forms whose cues a question has.
pub fn asked(question: &str) -> impl Iterator<Item = &'static str> {
    having(question, |form| form.cues)
}

/// Terms of the forms whose marks a text has.
pub fn done(text: &str) -> impl Iterator<Item = &'static str> {
    having(text, |form| form.marks)
}

fn having(text: &str, patterns: fn(&Form) -> &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    let forms = if text.chars().any(is_cjk) { FORMS } else { &[] };
    forms
        .iter()
        .filter(move |form| patterns(form).iter().any(|pattern| matches(pattern, text)))
        .map(|form| form.term)
}

fn matches(pattern: &str, text: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix('^') {
        return body(text).starts_with(rest);
    }
    if let Some(unit) = pattern.strip_prefix('#') {
        return text.match_indices(unit).any(|(at, _)| {
            text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(is_numeral)
        });
    }
    if let Some(rest) = pattern.strip_suffix('$') {
        return text.trim_end_matches(|c: char| !c.is_alphanumeric()).ends_with(rest);
    }
    match pattern.split_once('…') {
        Some((head, tail)) => text.match_indices(head).any(|(at, _)| {
            let rest = text.slice(at + head.len()..);
            gap(rest, MAX_GAP + tail.chars().count()).contains(tail)
        }),
        None => text.contains(pattern),
    }
}

/// The text behind the label of an article, as in 第三条　为了.
fn body(text: &str) -> &str {
    /// Of 第一千二百六十条之二, in characters.
    const MAX_LABEL: usize = 12;
    let text = text.trim_start();
    let label = text.strip_prefix('第').and_then(|rest| {
        let (end, _) = rest.char_indices().take(MAX_LABEL).find(|&(_, c)| c == '条')?;
        let rest = rest.get(end + '条'.len_utf8()..)?;
        Some(rest.strip_prefix('之').map_or(rest, |rest| rest.trim_start_matches(is_numeral)))
    });
    label.unwrap_or(text).trim_start()
}

/// The beginning of a text up to the end of its sentence, `n` characters at most.
fn gap(text: &str, n: usize) -> &str {
    let end = text.char_indices().enumerate().find(|&(i, (_, c))| i == n || matches!(c, '。' | '\n'));
    end.map_or(text, |(_, (at, _))| text.slice(..at))
}

fn is_numeral(c: char) -> bool {
    c.is_numeric() || is_han_ordinal(c) || c == '万'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<'a>(terms: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        terms.collect()
    }

    #[test]
    fn what_is_asked_is_what_the_provision_does() {
        for (question, provision, term) in [
            ("制定养蜂条例的目的是什么？", "第一条　为规范养蜂，制定本条例。", "=purpose"),
            ("养蜂条例适用于哪些人？", "在本省境内养蜂的，适用本条例。", "=scope"),
            ("养蜂条例何时开始施行？", "本条例自二〇二〇年五月一日起施行。", "=commencement"),
            ("什么是蜂场？", "本条例所称蜂场，是指放置蜂箱的场地。", "=definition"),
            ("私自移动蜂箱会受到什么处罚？", "擅自移动蜂箱的，处二百元罚款。", "=sanction"),
            ("蜂蜜分为哪几类？", "蜂蜜分为单花蜜和百花蜜。", "=kinds"),
            ("养蜂应当遵循什么原则？", "养蜂坚持自愿的原则。", "=principle"),
            ("登记要多久？", "登记机关应当在十日内答复。", "=period"),
            ("补贴是多少？", "每箱补贴50元。", "=amount"),
            ("养蜂人不服怎么办？", "养蜂人可以申请行政复议。", "=remedy"),
            ("养蜂要登记吗？", "养蜂人应当登记。", "=modality"),
            ("哪些行为是不允许的？", "严禁在花期喷药。", "=prohibition"),
            ("什么情况下要移走蜂箱？", "有下列情形之一的，移走蜂箱。", "=cases"),
        ] {
            assert!(asked(question).any(|asked| asked == term), "{question} {:?}", all(asked(question)));
            assert!(done(provision).any(|done| done == term), "{provision} {:?}", all(done(provision)));
        }
    }

    #[test]
    fn a_gap_ends_with_the_sentence_and_a_number_stands_before_its_unit() {
        assert!(matches("自…起施行", "本法自公布之日起施行。"));
        assert!(!matches("自…起施行", "自行申报。本法即日起施行。"));
        let far = format!("自{}起施行", "某".repeat(MAX_GAP + 1));
        assert!(!matches("自…起施行", &far));
        assert!(matches("#日", "在15日内"));
        assert!(!matches("#日", "当日"));
        assert!(!matches("#日", "日"));
    }

    #[test]
    fn the_beginning_is_behind_the_label_and_the_end_before_the_question_mark() {
        assert!(matches("^为", "  第十二条　为了"));
        assert!(matches("^为", "第十二条之一　为了"));
        assert!(matches("^为", "为了"));
        assert!(!matches("^为", "因为"));
        assert!(matches("吗$", "可以吗？ "));
        assert!(!matches("吗$", "吗啡可以买"));
    }

    #[test]
    fn text_without_chinese_has_no_form() {
        assert_eq!(all(done("A fine of 5% applies.")), Vec::<&str>::new());
        assert_eq!(all(asked("What is a fine?")), Vec::<&str>::new());
    }

    #[test]
    fn the_terms_are_distinct_and_no_words() {
        let mut terms: Vec<&str> = FORMS.iter().map(|form| form.term).collect();
        assert!(terms.iter().all(|term| is_form(term)));
        terms.sort_unstable();
        terms.dedup();
        assert_eq!(terms.len(), FORMS.len());
        assert!(!is_form("目的"));
    }
}
