//! The claim of a sentence: content words, figures, modality and negation.

use std::collections::BTreeSet;

use document::{Document, Slice as _, TextRange};
use text::quantity::MONTHS;
use text::{Analyzer, AnalyzerKind, numerals};

use crate::answer::ConflictKind;

/// Share of common words from which two editions state one provision, 0 to 1.
const SAME_PROVISION: f64 = 0.8;

/// The comparable parts of a sentence: content words must agree, the others can conflict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Stems of the content words, without figures, modals and negations.
    pub words: BTreeSet<String>,
    numbers: Vec<String>,
    /// True for an obligation, false for a permission, `None` for neither.
    demands: Option<bool>,
    is_negative: bool,
}

impl Claim {
    /// The kind of conflict with another claim, if both agree otherwise.
    pub fn against(&self, other: &Self, is_same_provision: bool) -> Option<ConflictKind> {
        let common = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count();
        let is_same = common == all;
        let is_near = is_same_provision && common as f64 >= SAME_PROVISION * all as f64;
        if !is_same && !is_near {
            return None;
        }
        let differs = |a: Option<bool>, b: Option<bool>| matches!((a, b), (Some(a), Some(b)) if a != b);
        if self.is_negative != other.is_negative {
            Some(ConflictKind::Negation)
        } else if differs(self.demands, other.demands) {
            Some(ConflictKind::Modality)
        } else if self.numbers != other.numbers && (self.numbers.len() == other.numbers.len() || is_near) {
            Some(ConflictKind::Number)
        } else if !is_same {
            Some(ConflictKind::Wording)
        } else {
            None
        }
    }
}

/// Reads sentences.
pub struct ClaimReader {
    analyzer: Analyzer,
}

const DEMANDS: &[&str] = &["must", "shall", "required"];
const PERMITS: &[&str] = &["may", "can"];
const NEGATIVES: &[&str] = &["not", "no", "neither", "nor", "never", "cannot", "without"];
const DEMANDS_ZH: &[&str] = &["应当", "必须", "须"];
const PERMITS_ZH: &[&str] = &["可以"];
const NEGATIVES_ZH: &[&str] = &["不得", "不应", "禁止", "不", "无需", "未"];

impl ClaimReader {
    pub fn new() -> Self {
        Self { analyzer: Analyzer::new(AnalyzerKind::Default) }
    }

    /// The claim of a sentence.
    pub fn read(&self, source: &Document, range: TextRange) -> Claim {
        let text = source.layout.slice(range);
        let label = label_end(text);
        let named: Vec<TextRange> = {
            let references = &source.tree.references;
            let start = references.partition_point(|reference| reference.range.end <= range.start);
            let end = references.partition_point(|reference| reference.range.start < range.end).max(start);
            references.slice(start..end).iter().map(|reference| reference.range).collect()
        };
        let is_named = |start: usize| {
            let at = range.start as usize + start;
            named.iter().any(|named| (named.start as usize) <= at && at < named.end as usize)
        };
        let mut claim = Claim::default();
        self.analyzer.analyze(text, &mut |token| {
            let Some(word) = text.get(token.range.clone()) else { return };
            let is_han = word.chars().next().is_some_and(text::is_cjk);
            if token.range.start < label || is_named(token.range.start) {
                return;
            }
            let lower = word.to_lowercase();
            let is_one_of = |list: &[&str]| list.contains(&lower.as_str());
            if is_han {
                // Characters alone: the pairs around a number differ with it.
                if word.chars().count() == 1
                    && !word.contains(numerals::is_han_numeral)
                    && !MODAL_ZH.contains(word)
                {
                    claim.words.insert(word.to_owned());
                }
            } else if lower.chars().any(|c| c.is_ascii_digit()) {
                claim.numbers.push(lower.replace([',', '，'], ""));
            } else if let Some(n) = spelled(&lower) {
                claim.numbers.push(n);
            } else if is_one_of(DEMANDS) {
                claim.demands = claim.demands.or(Some(true));
            } else if is_one_of(PERMITS) {
                claim.demands = claim.demands.or(Some(false));
            } else if is_one_of(NEGATIVES) {
                claim.is_negative = !claim.is_negative;
            } else {
                claim.words.insert(token.term.to_owned());
            }
        });
        let tail = text.slice(label..);
        if text::is_mostly_cjk(tail) {
            claim.read_chinese(tail, &|at| is_named(label + at));
        }
        claim
    }
}

/// The digits of a word such as "six", "thirty", "July".
fn spelled(word: &str) -> Option<String> {
    const TENS: [&str; 9] =
        ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    if let Some(n) = numerals::spelled(word) {
        return Some(n.to_string());
    }
    let ten = TENS.iter().position(|ten| *ten == word).map(|at| ((at + 1) * 10).to_string());
    // "May" is more often the modal verb than the month.
    ten.or_else(|| (word != "may" && MONTHS.contains(&word)).then(|| word.to_owned()))
}

/// Characters of Chinese obligations and negations.
const MODAL_ZH: &str = "应当必须可以不得禁止无需未";

impl Claim {
    /// Reads numerals, obligations and negations of Chinese text, which has no spaces between words.
    fn read_chinese(&mut self, text: &str, is_named: &dyn Fn(usize) -> bool) {
        let mut numeral = String::new();
        let ends = text.char_indices().chain([(text.len(), '\n')]);
        for (at, c) in ends {
            if numerals::is_han_numeral(c) && !is_named(at) {
                numeral.push(c);
            } else if !numeral.is_empty() {
                let value = numerals::chinese(&numeral).map_or_else(|| numeral.clone(), |n| n.to_string());
                self.numbers.push(value);
                numeral.clear();
            }
        }
        let first = |list: &[&str]| list.iter().filter_map(|word| text.find(word)).min();
        self.demands = match (first(DEMANDS_ZH), first(PERMITS_ZH)) {
            (Some(must), Some(may)) => Some(must < may),
            (Some(_), None) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => self.demands,
        };
        self.is_negative ^= first(NEGATIVES_ZH).is_some();
    }
}

/// End of a leading provision number: "4.2.1 ", "(a) ", "第十九条　".
fn label_end(text: &str) -> usize {
    let Some(end) = text.find(char::is_whitespace) else { return 0 };
    let first = text.slice(..end);
    let is_western = first.chars().any(|c| c.is_ascii_digit() || c == '(')
        && first.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '(' | ')'));
    let is_chinese = first.starts_with('第') && first.ends_with('条') || first.ends_with('、');
    // A provision's number has a point or brackets; a bare number may be a year or an amount.
    let is_label = is_chinese || is_western && first.contains(['.', '(', ')']);
    if is_label { end } else { 0 }
}
