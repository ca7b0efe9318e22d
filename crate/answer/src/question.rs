//! What a question asks for: its content terms, and the shape of sentence that would answer it.
//!
//! Rules over surface forms, in English and Chinese. They only raise sentences that were found anyway, so a
//! question that no rule knows loses nothing.

mod asks;
mod extent;
mod figure;

use std::collections::{BTreeMap, BTreeSet};

use text::{Analyzer, AnalyzerKind};

use crate::language::Language;
pub(crate) use extent::Extent;
use extent::extent;
use figure::{Figure, figure, has_figure, values};

/// The shape of sentence that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// "What does X mean?"
    Definition,
    /// "How long", "how much", "when".
    Figure,
    /// "Must", "may", "is it permitted".
    Duty,
    /// Anything else.
    Anything,
}

/// A question taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Content terms with the word of the question that each comes from.
    pub(crate) terms: BTreeMap<String, String>,
    /// Content terms that stand next to each other in the question.
    pub(crate) pairs: Vec<(String, String)>,
    /// Of a part of a question its own content terms; empty where the question asks once.
    pub(crate) focus: BTreeSet<String>,
    pub(crate) asked: Asked,
    /// Which kind of figure is asked for.
    figure: Option<Figure>,
    /// What it asks for in the terms of [`Analyzer::forms`].
    pub(crate) forms: BTreeSet<String>,
    pub(crate) extent: Extent,
    pub(crate) language: Language,
}

/// Words that ask and do not tell: no sentence is better for having them.
const ASKING: &[&str] = &[
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "do",
    "does",
    "did",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "can",
    "could",
    "would",
    "should",
    "will",
    "shall",
    "may",
    "might",
    "must",
    "has",
    "have",
    "had",
    "there",
    "any",
    "some",
    "please",
    "tell",
    "me",
    "i",
    "we",
    "you",
    "us",
    "my",
    "our",
    "your",
    "under",
    "about",
    "if",
    "it",
    "its",
    "many",
    "much",
    "long",
    "happens",
    "happen",
    "say",
    "says",
    "mean",
    "means",
    "meaning",
    "define",
    "defined",
    "definition",
    "document",
    "documents",
    "get",
    "need",
    "needs",
    "from",
    "than",
    "also",
    "between",
    "each",
];

const DEFINITION: &[&str] = &[
    "what is ",
    "what are ",
    "what's ",
    "define ",
    "definition of",
    "meaning of",
    " mean",
    "什么是",
    "是什么",
    "是指",
    "定义",
    "含义",
];
/// Chinese that asks for a figure; of English see [`mod@figure`].
const FIGURE: &[&str] = &["多少", "多久", "多长", "几", "何时", "什么时候", "期限", "比例", "金额"];
const DUTY: &[&str] = &[
    "must",
    "shall",
    "may ",
    "can ",
    "required",
    "requirement",
    "obligation",
    "obliged",
    "duty",
    "duties",
    "permitted",
    "allowed",
    "prohibited",
    "应当",
    "必须",
    "可以",
    "不得",
    "能否",
    "是否",
    "义务",
    "责任",
];

const DEFINING: &[&str] = &[
    " means ",
    " mean ",
    " is defined ",
    " refers to ",
    " has the meaning ",
    " includes ",
    "means:",
    "是指",
    "，指",
    "所称",
];
const DUTIES: &[&str] =
    &[" must ", " shall ", " may ", " required ", " not ", "应当", "必须", "可以", "不得"];
const NUMBERS_ZH: &[&str] = &["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百"];

impl Question {
    pub(crate) fn new(question: &str) -> Self {
        let analyzer = Analyzer::new(AnalyzerKind::Default);
        let mut terms = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut last: Option<String> = None;
        let mut forms = BTreeSet::new();
        analyzer.analyze_question(question, &mut |token| {
            if text::is_form(token.term) {
                forms.insert(token.term.to_owned());
            }
        });
        let told = without_asking(question);
        analyzer.analyze(&told, &mut |token| {
            let word = question.get(token.range.clone()).unwrap_or_default();
            let asks = ASKING.contains(&word.to_lowercase().as_str());
            // Of Chinese only the bigrams: single characters are in nearly every sentence.
            let weak = text::is_cjk(word.chars().next().unwrap_or(' ')) && word.chars().count() < 2;
            if asks || weak {
                return;
            }
            let term = token.term.to_owned();
            if let Some(last) = last.replace(term.clone()) {
                pairs.push((last, term.clone()));
            }
            terms.entry(term).or_insert_with(|| word.to_owned());
        });
        let language = Language::of(question);
        let extent = extent(question, language);
        let figure = figure(question);
        let asked = asked(question, figure);
        Self { terms, pairs, focus: BTreeSet::new(), asked, figure, forms, extent, language }
    }

    /// The questions that a question asks one after the other, each with all the terms and its own in focus; the
    /// question itself where it asks once.
    pub(crate) fn parts(question: &str) -> Vec<Self> {
        let whole = Self::new(question);
        let ranges = asks::asks(question);
        if ranges.len() < 2 || whole.language == Language::Chinese {
            return vec![whole];
        }
        let part = |range: std::ops::Range<usize>| {
            let part = Self::new(question.get(range)?);
            let focus: BTreeSet<String> = part.terms.keys().cloned().collect();
            // "and when?" has no terms of its own: it asks the same of the same.
            (!focus.is_empty()).then(|| Self { terms: whole.terms.clone(), focus, ..part })
        };
        let parts: Vec<Self> = ranges.into_iter().filter_map(part).collect();
        if parts.len() < 2 { vec![whole] } else { parts }
    }

    /// How well a sentence has the shape that is asked for, 0 to 1.
    pub(crate) fn in_kind(&self, sentence: &str) -> f64 {
        let padded = format!(" {} ", sentence.to_lowercase());
        let has = |needles: &[&str]| needles.iter().any(|needle| padded.contains(needle));
        let figure = self.figure.filter(|_| self.language == Language::English);
        let is_in_kind = match (self.asked, figure) {
            (_, Some(figure)) => return has_figure(figure, sentence),
            (Asked::Definition, None) => has(DEFINING),
            (Asked::Figure, None) => sentence.chars().any(|c| c.is_ascii_digit()) || has(NUMBERS_ZH),
            (Asked::Duty, None) => has(DUTIES),
            (Asked::Anything, None) => false,
        };
        if is_in_kind { 1.0 } else { 0.0 }
    }
}

impl Question {
    /// Whether one value answers it that sentences can be compared by: a time, a sum or a share.
    pub(crate) fn asks_for_a_value(&self) -> bool {
        self.figure.is_some_and(Figure::is_comparable)
    }

    /// The different values of a sentence of the kind that is asked for, normalised.
    pub(crate) fn values(&self, sentence: &str) -> Vec<String> {
        self.figure.map(|figure| values(figure, sentence)).unwrap_or_default()
    }
}

/// Whether a term is part of a value and says nothing of what it is the value of.
pub(crate) fn is_of_value(term: &str) -> bool {
    figure::is_of_value(term)
}

/// The parts of a question that asks several things, to be searched for one by one; none where it asks once.
pub(crate) fn asked_in_parts(question: &str) -> Vec<String> {
    let searches = asks::searches(question);
    if searches.len() < 2 || Language::of(question) == Language::Chinese { Vec::new() } else { searches }
}

/// The term that a sentence defines: what stands before its "means".
pub(crate) fn defined_term(sentence: &str) -> Option<&str> {
    DEFINING.iter().filter_map(|verb| sentence.find(verb)).min().and_then(|at| sentence.get(..at))
}

/// Chinese that asks and does not tell, longer forms first.
const ASKING_ZH: &[&str] = &[
    "会受到什么",
    "受到什么",
    "会有什么",
    "什么样的",
    "什么时候",
    "为什么",
    "有哪些",
    "是什么",
    "什么是",
    "指什么",
    "哪几种",
    "哪几类",
    "哪几个",
    "怎么样",
    "是不是",
    "能不能",
    "可不可以",
    "有没有",
    "请问",
    "哪些",
    "哪个",
    "哪种",
    "哪里",
    "什么",
    "如何",
    "怎么",
    "怎样",
    "为何",
    "何时",
    "何种",
    "是否",
    "能否",
    "可否",
    "多少",
    "多久",
    "多长",
    "几种",
    "几类",
    "谁",
    "吗",
    "呢",
];

/// A question with its Chinese asking words blanked, every byte in its place.
fn without_asking(question: &str) -> String {
    let mut told = question.to_owned();
    for word in ASKING_ZH {
        if told.contains(word) {
            told = told.replace(word, &" ".repeat(word.len()));
        }
    }
    told
}

fn asked(question: &str, figure: Option<Figure>) -> Asked {
    let padded = format!("{} ", question.to_lowercase());
    let has = |needles: &[&str]| needles.iter().any(|needle| padded.contains(needle));
    // "What is the maximum fee" asks for a figure, "what must a firm do" for a duty: the narrower shape first.
    if figure.is_some() || has(FIGURE) {
        Asked::Figure
    } else if has(DUTY) {
        Asked::Duty
    } else if has(DEFINITION) {
        Asked::Definition
    } else {
        Asked::Anything
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_shapes() {
        let cases = [
            ("What does \"Qualified Investor\" mean?", Asked::Definition),
            ("What does the term 'Qualified Investor' mean?", Asked::Definition),
            ("How long must records be kept?", Asked::Figure),
            ("What is the maximum fee?", Asked::Figure),
            ("Must a firm notify the Regulator?", Asked::Duty),
            ("Who signs the opinion?", Asked::Anything),
            ("什么是关联交易？", Asked::Definition),
            ("董事会应当履行哪些职责？", Asked::Duty),
        ];
        for (question, expected) in cases {
            assert_eq!(Question::new(question).asked, expected, "{question}");
        }
    }

    #[test]
    fn chinese_that_asks_is_blanked_in_place() {
        let question = "申请许可证有哪些条件？";
        let told = without_asking(question);
        assert_eq!(told.len(), question.len());
        assert!(told.starts_with("申请许可证 ") && told.ends_with("条件？"), "{told}");
        let terms = Question::new(question).terms;
        assert!(!terms.contains_key("哪些") && terms.contains_key("许可"), "{terms:?}");
    }

    #[test]
    fn what_is_asked_for_is_known_in_the_terms_of_the_analyzer() {
        assert!(Question::new("违反本办法会受到什么处罚？").forms.contains("=sanction"));
        assert!(Question::new("What is the penalty?").forms.is_empty());
    }

    #[test]
    fn asking_words_are_not_content() {
        let question = Question::new("How long must a firm keep the records?");
        let words: Vec<&str> = question.terms.values().map(String::as_str).collect();
        assert_eq!(words.len(), 3, "{words:?}");
        assert!(["firm", "keep", "records"].iter().all(|word| words.contains(word)), "{words:?}");
    }
}
