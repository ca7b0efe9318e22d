//! Overlap of an answer with a reference answer: ROUGE-L and BLEU.
//!
//! **ROUGE-L** is Lin's (*ROUGE: a package for automatic evaluation of summaries*, 2004, section 3): the longest
//! common subsequence of the two lists of tokens over the length of each. F1 here weighs both alike, as the package
//! `rouge-score` does, whose `rougeL` without stemming [`rouge_l`] equals on ASCII.
//!
//! **BLEU** is Papineni et al.'s (2002) with one reference and n-grams up to four: the geometric mean of the clipped
//! precisions times the brevity penalty. An order without a match is smoothed as NIST's `mteval-v13a` does and
//! sacreBLEU by default (`exp`: the i-th such order counts as 1 / 2^i matches). A single sentence uses only the orders
//! that it has (sacreBLEU's `effective_order`); a corpus sums the counts first. Equal to sacreBLEU on the same tokens;
//! the tokens are those of [`tokens`], not of its `13a`.
//!
//! Cost: ROUGE-L the product of the two lengths in time, one of them in memory; BLEU linear.

use std::collections::BTreeMap;

/// The unit that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Runs of letters and digits in lower case, without punctuation. For scripts with spaces between words.
    Words,
    /// Every character that is not white space, punctuation too, as sacreBLEU's `char`. For Chinese.
    Characters,
}

impl Unit {
    /// Characters if most letters of the text are Han, else words.
    pub fn of(text: &str) -> Self {
        let is_han = |c: &char| matches!(*c as u32, 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff);
        let n_han = text.chars().filter(is_han).count();
        let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
        if 2 * n_han > n_letters { Self::Characters } else { Self::Words }
    }
}

/// The tokens of a text.
pub fn tokens(text: &str, unit: Unit) -> Vec<String> {
    match unit {
        Unit::Words => text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect(),
        Unit::Characters => text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_string()).collect(),
    }
}

/// Overlap of an answer with a reference, each value 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    /// Precision: share of the answer that is in the reference.
    pub precision: f64,
    /// Recall: share of the reference that is in the answer.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

/// ROUGE-L of an answer; zeros when either side has no token.
pub fn rouge_l(answer: &str, reference: &str, unit: Unit) -> Overlap {
    let (answer, reference) = (tokens(answer, unit), tokens(reference, unit));
    if answer.is_empty() || reference.is_empty() {
        return Overlap::default();
    }
    let common = longest_common_subsequence(&answer, &reference) as f64;
    let (precision, recall) = (common / answer.len() as f64, common / reference.len() as f64);
    Overlap { precision, recall, f1: 2.0 * common / (answer.len() + reference.len()) as f64 }
}

fn longest_common_subsequence(a: &[String], b: &[String]) -> usize {
    // `row[j]` is the length for what was read of `a` and the first `j` of `b`.
    let mut row = vec![0_usize; b.len() + 1];
    for token in a {
        let (mut left, mut diagonal) = (0, 0);
        for (cell, other) in row.iter_mut().skip(1).zip(b) {
            let above = *cell;
            *cell = if token == other { diagonal + 1 } else { above.max(left) };
            (left, diagonal) = (*cell, above);
        }
    }
    row.last().copied().unwrap_or(0)
}

/// Longest n-gram of BLEU, in tokens.
const ORDER: usize = 4;

/// Counts of BLEU; [`BleuCounts::add`] sums those of several answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BleuCounts {
    matched: [usize; ORDER],
    total: [usize; ORDER],
    n_answer: usize,
    n_reference: usize,
}

impl BleuCounts {
    /// Counts of one answer.
    pub fn of(answer: &str, reference: &str, unit: Unit) -> Self {
        let (answer, reference) = (tokens(answer, unit), tokens(reference, unit));
        let mut counts = Self { n_answer: answer.len(), n_reference: reference.len(), ..Self::default() };
        for (n, (matched, total)) in (1..).zip(counts.matched.iter_mut().zip(&mut counts.total)) {
            let known = grams(&reference, n);
            for (gram, count) in grams(&answer, n) {
                *total += count;
                *matched += count.min(known.get(gram).copied().unwrap_or(0));
            }
        }
        counts
    }

    /// Adds the counts of another answer.
    pub fn add(&mut self, other: &Self) {
        let Self { matched, total, n_answer, n_reference } = other;
        self.matched.iter_mut().zip(matched).for_each(|(sum, n)| *sum += n);
        self.total.iter_mut().zip(total).for_each(|(sum, n)| *sum += n);
        self.n_answer += n_answer;
        self.n_reference += n_reference;
    }

    /// Corpus BLEU, 0 to 1.
    pub fn corpus(&self) -> f64 {
        self.score(ORDER)
    }

    /// Sentence BLEU, 0 to 1, over the n-gram orders that the sentence has.
    pub fn sentence(&self) -> f64 {
        self.score(self.total.iter().take_while(|&&total| total > 0).count())
    }

    fn score(&self, order: usize) -> f64 {
        if self.matched.iter().all(|&n| n == 0) || order == 0 {
            return 0.0;
        }
        let mut half = 1.0;
        let mut sum = 0.0;
        for (&matched, &total) in self.matched.iter().zip(&self.total).take(order) {
            if total == 0 {
                return 0.0;
            }
            let hits = if matched == 0 {
                half /= 2.0;
                half
            } else {
                matched as f64
            };
            sum += libm::log(hits / total as f64);
        }
        let ratio = self.n_reference as f64 / self.n_answer.max(1) as f64;
        let brevity = if ratio > 1.0 { libm::exp(1.0 - ratio) } else { 1.0 };
        brevity * libm::exp(sum / order as f64)
    }
}

fn grams(tokens: &[String], n: usize) -> BTreeMap<&[String], usize> {
    let mut grams = BTreeMap::new();
    for gram in tokens.windows(n) {
        *grams.entry(gram).or_insert(0) += 1;
    }
    grams
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    const PAIRS: [(&str, &str, Unit); 7] = [
        (
            "A firm must keep its records for six years after the account is closed.",
            "Records must be kept for six years from the date on which the account was closed.",
            Unit::Words,
        ),
        ("The fee is AED 5,000.", "AED 5,000", Unit::Words),
        ("wholly different", "no token shared here", Unit::Words),
        (
            "董事会应当自收到申请之日起十日内答复。",
            "自收到申请之日起 10 日内，董事会应当书面答复。",
            Unit::Characters,
        ),
        ("不得", "申请人不得转让许可证。", Unit::Characters),
        (
            "The Supplier may end the agreement on thirty days' written notice; the Customer may not.",
            "Either party may end the agreement by giving at least 30 days' written notice to the other.",
            Unit::Words,
        ),
        (
            "No. Clause 7.2(b) caps it at EUR 250,000.",
            "Liability is capped at EUR 250,000 (clause 7.2(b)), except for fraud.",
            Unit::Words,
        ),
    ];

    #[test]
    fn rouge_l_is_that_of_rouge_score() {
        // `rouge_scorer.RougeScorer(["rougeL"])` of rouge-score 0.1.2, for Chinese with one character a token.
        let expected = [
            (0.5, 0.4375, 0.466_666_7),
            (0.5, 1.0, 0.666_666_7),
            (0.0, 0.0, 0.0),
            (0.684_210_5, 0.565_217_4, 0.619_047_6),
            (1.0, 0.181_818_2, 0.307_692_3),
            (0.533_333_3, 0.470_588_2, 0.5),
            (0.363_636_4, 0.285_714_3, 0.32),
        ];
        for ((answer, reference, unit), (precision, recall, f1)) in PAIRS.into_iter().zip(expected) {
            let found = rouge_l(answer, reference, unit);
            near(found.precision, precision);
            near(found.recall, recall);
            near(found.f1, f1);
        }
    }

    #[test]
    fn bleu_is_that_of_sacrebleu() {
        // `sentence_bleu`, and `corpus_bleu` of the first five, of sacrebleu 2.6 with `tokenize="none"` on the same tokens.
        let expected = [0.129_596_1, 0.302_137_5, 0.0, 0.534_620_3, 0.011_109_0, 0.215_304_6, 0.357_237_9];
        let mut sum = BleuCounts::default();
        for (at, ((answer, reference, unit), expected)) in PAIRS.into_iter().zip(expected).enumerate() {
            let counts = BleuCounts::of(answer, reference, unit);
            near(counts.sentence(), expected);
            if at < 5 {
                sum.add(&counts);
            }
        }
        near(sum.corpus(), 0.305_877_6);
    }

    #[test]
    fn worked_example() {
        // Common: "b d"; 2 of 3 and 2 of 4.
        let found = rouge_l("b c d", "a b d e", Unit::Words);
        near(found.precision, 2.0 / 3.0);
        near(found.recall, 0.5);
        near(found.f1, 4.0 / 7.0);
        // Identical texts of four tokens: every precision is 1.
        near(BleuCounts::of("a b c d", "a b c d", Unit::Words).sentence(), 1.0);
    }

    #[test]
    fn nothing_against_something_is_zero() {
        assert_eq!(rouge_l("", "a", Unit::Words), Overlap::default());
        assert_eq!(rouge_l("a", "。 ", Unit::Words), Overlap::default());
        near(BleuCounts::of("", "a", Unit::Words).sentence(), 0.0);
        near(BleuCounts::default().corpus(), 0.0);
    }

    #[test]
    fn the_unit_is_that_of_the_script() {
        assert_eq!(Unit::of("What is a QFC？ 是什么"), Unit::Words);
        assert_eq!(Unit::of("AED 5 的费用由谁支付，应当如何支付？"), Unit::Characters);
    }
}
