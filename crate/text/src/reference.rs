//! References to provisions: found in text, normalised, resolved to what they name.
//!
//! [`references`] finds "Rules 9.8.2(1) to (3) and 9.8.4", "section 15(2) of the Companies Act 2006", "17 CFR
//! 230.506(b)", "第六条第二款" and gives one [`ProvisionReference`] for each provision that is named, with its own part
//! of the list, its instrument and its path. [`ProvisionIndex`] holds the provisions that a document or a library has
//! and says which of them a reference names.
//!
//! A scanner by hand over the tokens of a line, with tables of words: what makes a number a reference is the
//! word before it ("Rule", "§", an acronym), what makes it one of another instrument is the phrase behind
//! ("of the …"), and a pattern that looks for both at once either misses one or backtracks. Cost: linear in
//! the text; each look ahead or back is bounded by a number of tokens. A reference never crosses a line end.

mod chinese;
mod forms;
mod instrument;
mod lex;
mod line;
mod list;
mod mentions;
mod names;
mod provision_reference;
mod provisions;
mod qualifiers;
mod resolve;
mod short_forms;
mod title;
mod western;
mod words;

pub use mentions::{InstrumentMention, instruments, short_title};
pub use names::normal_name;
pub use provision_reference::{ProvisionReference, Scope};
pub use provisions::{ProvisionIndex, ProvisionIndexBuilder};
pub use resolve::ReferenceContext;
pub use short_forms::{ShortForm, short_forms};

/// The references in `text`, in its order. Their ranges do not overlap, except that the two ends of a range
/// and the parts of a list that share words ("Rules 4.1 and 4.2 of COBS") each have their own part only.
pub fn references(text: &str) -> Vec<ProvisionReference> {
    let mut found = Vec::new();
    let mut tokens = Vec::new();
    let mut last = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        let first = found.len();
        tokens.clear();
        lex::lex(line, start, &mut tokens);
        western::scan(text, &tokens, &mut last, &mut found);
        let n_western = found.len();
        if !line.is_ascii() {
            chinese::scan(line, start, &mut found);
        }
        start += line.len();
        if n_western > first && found.len() > n_western {
            // The two write different scripts; where they meet, the first in the text stays.
            let mut line_found = found.split_off(first);
            line_found.sort_by_key(|reference| reference.range.start);
            let mut end = 0;
            line_found.retain(|reference| {
                let keep = reference.range.start >= end;
                end = end.max(reference.range.end);
                keep
            });
            found.append(&mut line_found);
        }
    }
    found
}

#[cfg(test)]
mod tests;
