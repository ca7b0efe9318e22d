//! How the words of a question stand in a text: which, how often, in which order, how near each other.
//!
//! BM25 counts words and does not see where they stand. [`Matcher`] reads a candidate's text once and gives
//! [`Evidence`]: how much of the question occurs at all (coverage, by weight), how often (each count capped, so
//! that one frequent word does not stand for the others), pairs of neighbours that stay neighbours, the longest
//! run of words that the text has in the question's order, and how closely everything stands together.
//!
//! Words here are the *first* terms of their places: a word's stem, a CJK character. Further terms of a place
//! (a CJK bigram, the label `401(k)` beside `401`) count for coverage, not for order. Stop words stand nowhere,
//! in the question as in the text, so that "duty of care" is a phrase of two words.
//!
//! Cost: linear in the text. A text is cut at white space, which no term crosses, and what such a piece means for
//! the question is looked up by its bytes, so that a word is folded and stemmed once a question however many
//! candidates hold it. Han characters, which no white space parts, are looked up one by one and in pairs, as the
//! analyzer gives them. Each word then costs at most [`MAX_OCCURRENCES`] steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use text::{Analyzer, AnalyzerKind};

/// Words of a question that are looked at: a longer one is a pasted document.
pub const MAX_WORDS: usize = 256;
/// Places of one word in the question that are looked at.
const MAX_OCCURRENCES: usize = 8;
/// A word that occurs more often counts as if it occurred so often ([`Evidence::capped`]).
pub const MAX_COUNT: u32 = 3;
/// Words in the stretch of text that [`Evidence::dense`] looks at.
pub const STRETCH: u32 = 24;
/// Words of a pair that is near ([`Evidence::near`]): as in the unordered windows of the sequential dependence
/// model (Metzler and Croft, *A Markov Random Field Model for Term Dependencies*, 2005).
pub const NEAR: u32 = 8;
/// Longer pieces without white space are analysed each time.
const MAX_CACHED: usize = 48;
/// Different pieces that are remembered.
const MAX_PIECES: usize = 1 << 16;
/// What a weight of 1 is as a whole number.
const UNIT: f64 = 65_536.0;

/// What a text has of a question. Shares are of the weights of the question's terms, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Words of the text.
    pub n_words: u32,
    /// How often the text has each term of [`Matcher::terms`].
    pub counts: Vec<u32>,
    /// Occurrences of words of the question.
    pub n_hits: u32,
    /// Terms of the question that occur.
    pub n_terms: u32,
    /// The share of the question's weight that occurs.
    pub coverage: f32,
    /// The same with repetition: each term counts up to three times, all of them so often is 1.
    pub capped: f32,
    /// Pairs of neighbours of the question that are neighbours in the text, in order.
    pub n_bigrams: u32,
    /// Their share of the weight of all pairs.
    pub bigrams: f32,
    /// The share of pairs whose words stand within eight words of each other, in any order.
    pub near: f32,
    /// The longest run of words in the question's order, in words. 1 for a single word.
    pub longest_phrase: u32,
    /// The heaviest run of two words or more, as a share of the question's weight.
    pub phrase: f32,
    /// The shortest stretch that holds every word of the question that the text has, in words; 0 without any.
    pub window: u32,
    /// The best share of the question's weight in any 24 words.
    pub dense: f32,
    /// By phrase of [`Matcher::with_phrases`]: whether the text has it whole.
    pub phrases: Vec<bool>,
    /// The share of the weight of those phrases that the text has whole; 0 without any.
    pub whole: f32,
}

/// A term of the question.
struct Term {
    text: String,
    /// In parts of [`UNIT`], so that sums are exact in any order.
    weight: u64,
    /// Where it is the word of a place of the question.
    places: Vec<u16>,
    /// The pairs it is part of, with its neighbour there.
    pairs: Vec<(u16, u16)>,
}

/// What one term of a piece of text means for the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Read {
    /// The question's term, if it is one.
    term: Option<u16>,
    /// Whether it is the first of its place.
    is_word: bool,
}

/// Reads texts for one question.
pub struct Matcher {
    analyzer: Analyzer,
    terms: Vec<Term>,
    ids: BTreeMap<String, u16>,
    /// By place of the question: its word.
    words: Vec<u16>,
    /// By place of the question: where its word stands.
    ranges: Vec<Range<usize>>,
    /// Distinct pairs of neighbours and their weights.
    pairs: Vec<(u16, u16, u64)>,
    total: u64,
    pair_total: u64,
    /// Phrases that mean something as a whole: their words, as places of the question, and their weight.
    phrases: Vec<(Range<u16>, u64)>,
    pieces: HashMap<Box<str>, (u32, u32)>,
    reads: Vec<Read>,
    /// The question's terms of one Han character, and of two.
    han: HashMap<(char, Option<char>), u16>,
    /// The first two bytes of the question's terms.
    beginnings: BTreeSet<[u8; 2]>,
}

impl Matcher {
    /// A matcher for a question. `weight` says how much a term tells (its idf), 0 or more.
    pub fn new(kind: AnalyzerKind, question: &str, weight: &dyn Fn(&str) -> f64) -> Self {
        let analyzer = Analyzer::new(kind);
        let mut matcher = Self {
            analyzer,
            terms: Vec::new(),
            ids: BTreeMap::new(),
            words: Vec::new(),
            ranges: Vec::new(),
            pairs: Vec::new(),
            total: 0,
            pair_total: 0,
            phrases: Vec::new(),
            pieces: HashMap::new(),
            reads: Vec::new(),
            han: HashMap::new(),
            beginnings: BTreeSet::new(),
        };
        matcher.read_question(question, weight);
        matcher
    }

    fn read_question(&mut self, question: &str, weight: &dyn Fn(&str) -> f64) {
        let Self { analyzer, terms, ids, words, ranges, .. } = self;
        let mut last_place = None;
        // Where a long question is cut need not be a character boundary of a word: half a word is no harm.
        let mut end = question.len().min(MAX_WORDS * 64);
        while !question.is_char_boundary(end) {
            end -= 1;
        }
        analyzer.analyze(question.get(..end).unwrap_or_default(), &mut |token| {
            let is_word = last_place.is_none_or(|last| token.position > last);
            if words.len() >= MAX_WORDS && is_word {
                return;
            }
            let id = match ids.get(token.term) {
                Some(&id) => id,
                // Further terms of a place come with it: a few a word.
                None if terms.len() >= 4 * MAX_WORDS => return,
                None => {
                    let id = u16::try_from(terms.len()).unwrap_or(u16::MAX);
                    ids.insert(token.term.to_owned(), id);
                    terms.push(Term {
                        text: token.term.to_owned(),
                        weight: (weight(token.term).clamp(0.0, 1.0e6) * UNIT) as u64,
                        places: Vec::new(),
                        pairs: Vec::new(),
                    });
                    id
                }
            };
            if is_word {
                last_place = Some(token.position);
                if let Some(term) =
                    terms.get_mut(usize::from(id)).filter(|t| t.places.len() < MAX_OCCURRENCES)
                {
                    term.places.push(u16::try_from(words.len()).unwrap_or(u16::MAX));
                }
                words.push(id);
                ranges.push(token.range);
            }
        });
        for (term, &id) in &self.ids {
            if let Some(&[first, second]) = term.as_bytes().get(..2) {
                self.beginnings.insert([first, second]);
            }
            let mut chars = term.chars();
            if let (Some(first), second, None) = (chars.next(), chars.next(), chars.next())
                && is_han(first)
                && second.is_none_or(is_han)
            {
                self.han.insert((first, second), id);
            }
        }
        self.total = self.terms.iter().map(|term| term.weight).sum();
        let mut known = BTreeMap::new();
        for (&a, &b) in self.words.iter().zip(self.words.iter().skip(1)) {
            if a == b || known.insert((a, b), ()).is_some() {
                continue;
            }
            let weight = self.weight_of(a) + self.weight_of(b);
            let pair = u16::try_from(self.pairs.len()).unwrap_or(u16::MAX);
            self.pairs.push((a, b, weight));
            self.pair_total += weight;
            for (one, other) in [(a, b), (b, a)] {
                if let Some(term) =
                    self.terms.get_mut(usize::from(one)).filter(|term| term.pairs.len() < 2 * MAX_OCCURRENCES)
                {
                    term.pairs.push((pair, other));
                }
            }
        }
    }

    /// The same, told which phrases of the question mean something as a whole, as byte ranges of it
    /// ([`crate::Question::phrases`]). Those without a word of the question are never found.
    pub fn with_phrases(mut self, phrases: &[Range<usize>]) -> Self {
        let narrow = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        for phrase in phrases {
            let start = self.ranges.partition_point(|range| range.start < phrase.start);
            let end = self.ranges.partition_point(|range| range.end <= phrase.end).max(start);
            let words = self.words.get(start..end).unwrap_or_default();
            let weight = words.iter().map(|&id| self.weight_of(id)).sum();
            self.phrases.push((narrow(start)..narrow(end), weight));
        }
        self
    }

    /// The question's distinct terms, in order of first occurrence.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = &str> {
        self.terms.iter().map(|term| term.text.as_str())
    }

    /// Words of the question, repetitions counted, up to 256.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// What a text has of the question.
    pub fn evidence(&mut self, text: &str) -> Evidence {
        let mut reading = Reading::new(self.terms.len(), self.pairs.len(), self.phrases.len());
        for piece in text.split(char::is_whitespace).filter(|piece| !piece.is_empty()) {
            if piece.is_ascii() || !self.read_han(piece, &mut reading) {
                self.read_piece(piece, &mut reading);
            }
        }
        self.sum_up(reading)
    }

    /// Reads a piece of Han characters with what stands between them; gives whether it could: other scripts
    /// written without spaces, and marks that join what they follow, are for the analyzer alone.
    fn read_han(&mut self, piece: &str, reading: &mut Reading) -> bool {
        if !is_han_text(piece) {
            return false;
        }
        let (mut last, mut run) = (None, None);
        for (at, c) in piece.char_indices() {
            if !is_han(c) {
                run.get_or_insert(at);
                last = None;
                continue;
            }
            if let Some(start) = run.take() {
                self.read_piece(piece.get(start..at).unwrap_or_default(), reading);
            }
            self.take(Read { term: self.han.get(&(c, None)).copied(), is_word: true }, reading);
            if let Some(term) = last.and_then(|last| self.han.get(&(last, Some(c)))) {
                self.take(Read { term: Some(*term), is_word: false }, reading);
            }
            last = Some(c);
        }
        if let Some(start) = run {
            self.read_piece(piece.get(start..).unwrap_or_default(), reading);
        }
        true
    }

    fn read_piece(&mut self, piece: &str, reading: &mut Reading) {
        if let Some(&(start, end)) = self.pieces.get(piece) {
            for at in start..end {
                if let Some(&read) = self.reads.get(at as usize) {
                    self.take(read, reading);
                }
            }
            return;
        }
        let start = self.reads.len();
        let mut reads = std::mem::take(&mut self.reads);
        let mut last_place = None;
        if self.analyzer.beginning(piece).is_some_and(|beginning| !self.beginnings.contains(&beginning)) {
            reads.push(Read { term: None, is_word: true });
        } else {
            self.analyzer.analyze(piece, &mut |token| {
                let is_word = last_place.is_none_or(|last| token.position > last);
                if is_word {
                    last_place = Some(token.position);
                }
                let term = self.ids.get(token.term).copied();
                if is_word || term.is_some() {
                    reads.push(Read { term, is_word });
                }
            });
        }
        for &read in reads.get(start..).unwrap_or_default() {
            self.take(read, reading);
        }
        let end = reads.len();
        if piece.len() <= MAX_CACHED && self.pieces.len() < MAX_PIECES {
            let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            self.pieces.insert(piece.into(), (narrow(start), narrow(end)));
        } else {
            reads.truncate(start);
        }
        self.reads = reads;
    }

    /// Takes the next term of the text.
    fn take(&self, read: Read, reading: &mut Reading) {
        if read.is_word {
            reading.n_words += 1;
        }
        let Some(id) = read.term else {
            if read.is_word {
                reading.runs.clear();
            }
            return;
        };
        let Some(term) = self.terms.get(usize::from(id)) else { return };
        if let Some(count) = reading.counts.get_mut(usize::from(id)) {
            *count = count.saturating_add(1);
        }
        if !read.is_word {
            return;
        }
        let at = reading.n_words - 1;
        reading.extend_runs(term);
        reading.find_phrases(&self.phrases);
        if !term.places.is_empty() {
            for &(pair, other) in &term.pairs {
                let before = reading.last.get(usize::from(other)).copied().flatten();
                let Some(gap) = before.map(|before| at - before) else { continue };
                let Some(seen) = reading.pairs.get_mut(usize::from(pair)) else { continue };
                let in_order = self.pairs.get(usize::from(pair)).is_some_and(|&(a, _, _)| a == other);
                seen.0 |= gap == 1 && in_order;
                seen.1 |= gap < NEAR;
            }
            if let Some(last) = reading.last.get_mut(usize::from(id)) {
                *last = Some(at);
            }
            reading.hits.push((at, id));
        }
    }

    fn weight_of(&self, id: u16) -> u64 {
        self.terms.get(usize::from(id)).map_or(0, |term| term.weight)
    }

    fn sum_up(&self, reading: Reading) -> Evidence {
        let share = |part: u64, whole: u64| if whole > 0 { (part as f64 / whole as f64) as f32 } else { 0.0 };
        let (mut n_terms, mut covered, mut capped) = (0, 0, 0);
        for (term, &count) in self.terms.iter().zip(&reading.counts) {
            if count > 0 {
                n_terms += 1;
                covered += term.weight;
                capped += term.weight * u64::from(count.min(MAX_COUNT));
            }
        }
        let (mut n_bigrams, mut bigrams, mut near) = (0, 0, 0);
        for (&(_, _, weight), &(is_bigram, is_near)) in self.pairs.iter().zip(&reading.pairs) {
            if is_bigram {
                n_bigrams += 1;
                bigrams += weight;
            }
            if is_near {
                near += weight;
            }
        }
        let (window, dense) = self.stretches(&reading.hits);
        let whole = self.phrases.iter().zip(&reading.phrases).filter(|(_, seen)| **seen);
        let whole = whole.map(|((_, weight), _)| weight).sum();
        let all_phrases = self.phrases.iter().map(|(_, weight)| weight).sum();
        Evidence {
            n_words: reading.n_words,
            n_hits: u32::try_from(reading.hits.len()).unwrap_or(u32::MAX),
            n_terms,
            coverage: share(covered, self.total),
            capped: share(capped, self.total * u64::from(MAX_COUNT)),
            n_bigrams,
            bigrams: share(bigrams, self.pair_total),
            near: share(near, self.pair_total),
            longest_phrase: reading.longest,
            // A question that repeats itself can hold a run that weighs more than its distinct words.
            phrase: share(reading.heaviest, self.total).min(1.0),
            window,
            dense: share(dense, self.total),
            whole: share(whole, all_phrases),
            counts: reading.counts,
            phrases: reading.phrases,
        }
    }

    /// The shortest stretch with all distinct words that occur, and the greatest weight of distinct words in
    /// any 24 words: two pointers over the hits.
    fn stretches(&self, hits: &[(u32, u16)]) -> (u32, u64) {
        let mut n_distinct = 0;
        let mut held = vec![0_u32; self.terms.len()];
        for &(_, id) in hits {
            if let Some(n) = held.get_mut(usize::from(id)) {
                n_distinct += u32::from(*n == 0);
                *n = 1;
            }
        }
        let mut shortest = Window::new(self.terms.len());
        let mut fixed = Window::new(self.terms.len());
        let (mut window, mut dense) = (0, 0);
        for &(at, id) in hits {
            fixed.push(id, self);
            while fixed.first(hits).is_some_and(|first| at - first >= STRETCH) {
                fixed.pop(hits, self);
            }
            dense = dense.max(fixed.weight);
            shortest.push(id, self);
            while shortest.n_distinct == n_distinct {
                let Some(first) = shortest.first(hits) else { break };
                let length = at - first + 1;
                if window == 0 || length < window {
                    window = length;
                }
                shortest.pop(hits, self);
            }
        }
        (window, dense)
    }
}

/// Whether a character is a Han character that is its own normal form.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}')
}

/// Whether a text has Han characters, and between them only what is a word or none whatever stands before it.
fn is_han_text(text: &str) -> bool {
    let (mut any, mut after_han) = (false, false);
    for c in text.chars() {
        if is_han(c) {
            (any, after_han) = (true, true);
            continue;
        }
        let stands_alone = c.is_ascii()
            || matches!(c, '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{FF01}'..='\u{FF65}');
        if text::is_cjk(c) || after_han && !stands_alone {
            return false;
        }
        after_han = false;
    }
    any
}

/// What has been read of a text.
struct Reading {
    n_words: u32,
    counts: Vec<u32>,
    /// Runs that end in the last word: the place of the question that it matches, words, weight.
    runs: Vec<(u16, u32, u64)>,
    longest: u32,
    heaviest: u64,
    /// By term: where it stood last.
    last: Vec<Option<u32>>,
    /// By pair: whether it was seen as neighbours in order, and near.
    pairs: Vec<(bool, bool)>,
    /// Where words of the question stand.
    hits: Vec<(u32, u16)>,
    /// By phrase: whether it was seen whole.
    phrases: Vec<bool>,
}

impl Reading {
    fn new(n_terms: usize, n_pairs: usize, n_phrases: usize) -> Self {
        Self {
            n_words: 0,
            counts: vec![0; n_terms],
            runs: Vec::new(),
            longest: 0,
            heaviest: 0,
            last: vec![None; n_terms],
            pairs: vec![(false, false); n_pairs],
            hits: Vec::new(),
            phrases: vec![false; n_phrases],
        }
    }

    /// Marks the phrases that end in the last word.
    fn find_phrases(&mut self, phrases: &[(Range<u16>, u64)]) {
        for ((words, _), seen) in phrases.iter().zip(&mut self.phrases) {
            let n = u32::from(words.end.saturating_sub(words.start));
            *seen |= n > 0 && self.runs.iter().any(|run| run.0 + 1 == words.end && run.1 >= n);
        }
    }

    /// The runs that the next word of the text, this term, goes on with or begins.
    fn extend_runs(&mut self, term: &Term) {
        let before = std::mem::take(&mut self.runs);
        for &place in &term.places {
            let run = place.checked_sub(1).and_then(|last| before.iter().find(|run| run.0 == last));
            let (length, weight) = run.map_or((0, 0), |run| (run.1, run.2));
            let (length, weight) = (length + 1, weight + term.weight);
            self.longest = self.longest.max(length);
            if length > 1 {
                self.heaviest = self.heaviest.max(weight);
            }
            self.runs.push((place, length, weight));
        }
    }
}

/// A stretch of hits that moves on: how often each term is in it, how many different ones, their weight.
struct Window {
    held: Vec<u32>,
    n_distinct: u32,
    weight: u64,
    start: usize,
}

impl Window {
    fn new(n_terms: usize) -> Self {
        Self { held: vec![0; n_terms], n_distinct: 0, weight: 0, start: 0 }
    }

    fn push(&mut self, id: u16, matcher: &Matcher) {
        let Some(n) = self.held.get_mut(usize::from(id)) else { return };
        if *n == 0 {
            self.n_distinct += 1;
            self.weight += matcher.weight_of(id);
        }
        *n += 1;
    }

    fn pop(&mut self, hits: &[(u32, u16)], matcher: &Matcher) {
        let Some(&(_, id)) = hits.get(self.start) else { return };
        self.start += 1;
        let Some(n) = self.held.get_mut(usize::from(id)).filter(|n| **n > 0) else { return };
        *n -= 1;
        if *n == 0 {
            self.n_distinct -= 1;
            self.weight -= matcher.weight_of(id);
        }
    }

    fn first(&self, hits: &[(u32, u16)]) -> Option<u32> {
        hits.get(self.start).map(|&(at, _)| at)
    }
}

#[cfg(test)]
mod tests;
