//! Proximity and form features: the positions of the question's words in a unit, and the forms of unit and question.

use document::{Chunk, Document, Slice as _};
use memchr::memmem::Finder;
use text::AnalyzerKind;

use super::context::FeatureContext;
use crate::bm25;
use crate::proximity::Matcher;

pub const NAMES: &[&str] = &[
    "phrase.coverage",
    "phrase.capped",
    "phrase.bigrams",
    "phrase.near",
    "phrase.longest",
    "phrase.weight",
    "phrase.window",
    "phrase.dense",
    "phrase.words",
];

pub const FORM_NAMES: &[&str] = &[
    "form.duty",
    "form.meaning",
    "form.figures",
    "form.sanction",
    "asks.meaning",
    "asks.figure",
    "asks.duty",
];

/// Bytes of a unit that are read.
const MAX_BYTES: usize = 16 << 10;

/// Forms of a text, by its words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TextForm {
    duty: bool,
    meaning: bool,
    figures: bool,
    sanction: bool,
}

const DUTY: [&str; 8] = [" must ", " shall ", " may not ", "required to", "应当", "不得", "必须", "禁止"];
const MEANING: [&str; 6] = [" means", " meaning of", "refers to", "defined ", "是指", "所称"];
const SANCTION: [&str; 6] = ["penalt", " fine", "liable", "罚款", "处罚", "责任"];
const ASKS_MEANING: [&str; 8] =
    ["mean", "defin", "what is a", "what is the term", "含义", "是指", "什么是", "定义"];
const ASKS_FIGURE: [&str; 8] =
    ["how long", "how many", "how much", "when ", "deadline", "多少", "多久", "期限"];
const ASKS_DUTY: [&str; 8] = ["must", "require", "obligat", "should", "应当", "义务", "需要", "要求"];

fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Words to find in many texts.
struct WordFinder {
    ascii: Vec<Finder<'static>>,
    others: Vec<Finder<'static>>,
}

impl WordFinder {
    fn new(words: &[&'static str]) -> Self {
        let (ascii, others): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.is_ascii());
        let finders = |words: Vec<&'static str>| words.into_iter().map(Finder::new).collect();
        Self { ascii: finders(ascii), others: finders(others) }
    }

    fn are_in(&self, text: &str, is_ascii: bool) -> bool {
        let found = |words: &[Finder<'_>]| words.iter().any(|word| word.find(text.as_bytes()).is_some());
        found(&self.ascii) || !is_ascii && found(&self.others)
    }
}

/// Reads the units of one question.
pub struct ProximityFeatures {
    matcher: Matcher,
    form: TextForm,
    asks: [bool; 3],
    duty: WordFinder,
    meaning: WordFinder,
    sanction: WordFinder,
}

impl ProximityFeatures {
    pub fn new(context: &FeatureContext<'_>) -> Self {
        // All documents of a library have one analyzer.
        let kind = context
            .index
            .iter()
            .next()
            .map_or(AnalyzerKind::Default, |(_, entry)| entry.segment().analyzer());
        let terms = context
            .index
            .iter()
            .next()
            .map_or(&[][..], |(_, entry)| context.lexical.terms_for(entry.segment()));
        let weights: std::collections::BTreeMap<&str, f64> =
            terms.iter().map(|term| (term.text.as_str(), term.idf)).collect();
        let unseen = bm25::idf(0, 1);
        let weight = |term: &str| weights.get(term).copied().unwrap_or(unseen);
        let lower = context.question.to_lowercase();
        Self {
            matcher: Matcher::new(kind, context.question, &weight),
            form: TextForm::default(),
            asks: [any(&lower, &ASKS_MEANING), any(&lower, &ASKS_FIGURE), any(&lower, &ASKS_DUTY)],
            duty: WordFinder::new(&DUTY),
            meaning: WordFinder::new(&MEANING),
            sanction: WordFinder::new(&SANCTION),
        }
    }

    pub fn push(&mut self, document: &Document, chunk: &Chunk, out: &mut Vec<f32>) {
        let text = document.chunk_text(chunk);
        let text = text.slice(..text.floor_char_boundary(MAX_BYTES));
        let found = self.matcher.read(text);
        let n_words = self.matcher.n_words().max(1) as f32;
        out.extend([
            found.coverage,
            found.capped,
            found.bigrams,
            found.near,
            found.longest_phrase as f32 / n_words,
            found.phrase,
            if found.window > 0 { found.n_terms as f32 / found.window as f32 } else { 0.0 },
            found.dense,
            found.longest_phrase as f32,
        ]);
        let is_ascii = text.is_ascii();
        self.form = TextForm {
            duty: self.duty.are_in(text, is_ascii),
            meaning: self.meaning.are_in(text, is_ascii),
            figures: text.bytes().any(|b| b.is_ascii_digit()),
            sanction: self.sanction.are_in(text, is_ascii),
        };
    }

    pub fn push_form(&self, out: &mut Vec<f32>) {
        let TextForm { duty, meaning, figures, sanction } = self.form;
        let [asks_meaning, asks_figure, asks_duty] = self.asks;
        let flags = [duty, meaning, figures, sanction, asks_meaning, asks_figure, asks_duty];
        out.extend(flags.map(|flag| f32::from(u8::from(flag))));
    }
}
