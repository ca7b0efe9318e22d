//! States that cannot occur, made loud under tests and harmless in production.
//!
//! `.get(i).unwrap_or_default()` on an index that must be valid hides a bug: the empty value flows on and a word is lost
//! far from its cause. [`OrNever::or_never`] says that the value must be there. Where debug assertions are on, as in
//! every test, its absence panics at the caller's line. In production the default stands in, since a panic ends the
//! wasm instance, and the occurrence is kept until [`take_diags`] turns it into a [`DiagCode::Inconsistent`] of the
//! document that is being read, or of the trace of the answer that is being made. A search alone has no diagnostics: what
//! occurs there is forgotten.
//!
//! [`Slice::slice`] says the same of a part of a text or list: its range is one that the caller has found there.
//!
//! Occurrences are kept per thread, at most eight: a loop over a broken state must not fill the memory.
//! Never for what is read from a file, a stored index or a reply: that is an error or a diagnostic of its own.

use std::cell::RefCell;
use std::panic::Location;
use std::slice::SliceIndex;

use crate::{Diag, DiagCode, Severity};

/// Occurrences that are kept; later ones are dropped.
const MAX_KEPT: usize = 8;

struct Occurrence {
    what: &'static str,
    place: &'static Location<'static>,
}

thread_local! {
    static OCCURRENCES: RefCell<Vec<Occurrence>> = const { RefCell::new(Vec::new()) };
}

/// Records that a state which cannot occur has occurred. `what` completes "… is missing or contradicts itself".
///
/// # Panics
/// Under debug assertions.
#[cold]
#[track_caller]
pub fn never(what: &'static str) {
    debug_assert!(false, "a state that cannot occur: {what}");
    let place = Location::caller();
    OCCURRENCES.with_borrow_mut(|kept| {
        if kept.len() < MAX_KEPT {
            kept.push(Occurrence { what, place });
        }
    });
}

/// A value that must be there.
pub trait OrNever<T> {
    /// The value; where it is absent, the default, after [`never()`].
    ///
    /// # Panics
    /// Under debug assertions, when the value is absent.
    #[track_caller]
    fn or_never(self, what: &'static str) -> T;
}

impl<T: Default> OrNever<T> for Option<T> {
    #[track_caller]
    fn or_never(self, what: &'static str) -> T {
        if let Some(value) = self {
            return value;
        }
        never(what);
        T::default()
    }
}

/// A text or list of which a part must be there.
pub trait Slice<I> {
    /// The part at this range. Where the range is out of bounds, or cuts a character in two, the empty part, after
    /// [`never()`].
    ///
    /// # Panics
    /// Under debug assertions, when the part is absent.
    #[track_caller]
    fn slice(&self, range: I) -> &Self;
}

impl<I: SliceIndex<Self, Output = Self>> Slice<I> for str {
    #[inline]
    #[track_caller]
    fn slice(&self, range: I) -> &Self {
        self.get(range).or_never("a part of a text")
    }
}

impl<T, I: SliceIndex<Self, Output = Self>> Slice<I> for [T] {
    #[inline]
    #[track_caller]
    fn slice(&self, range: I) -> &Self {
        self.get(range).or_never("a part of a list")
    }
}

/// The occurrences on this thread since the last call, as diagnostics; they are forgotten here.
pub fn take_diags() -> Vec<Diag> {
    let occurrences = OCCURRENCES.with_borrow_mut(std::mem::take);
    occurrences
        .into_iter()
        .map(|Occurrence { what, place }| Diag {
            code: DiagCode::Inconsistent,
            severity: Severity::Warning,
            message: format!("{what} is missing or contradicts itself ({}:{})", place.file(), place.line()),
            hint: "please report this file: part of it may have been read wrongly".to_owned(),
            page: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_there_is_given_back() {
        assert_eq!(Some(3).or_never("the third line"), 3);
        assert_eq!(take_diags(), []);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a state that cannot occur: the third line")]
    fn a_value_that_is_absent_panics_under_tests() {
        let _: usize = None.or_never("the third line");
    }

    #[test]
    fn a_part_that_is_there_is_given_back() {
        let (text, list) = ("§ 12".to_owned(), vec![1, 2, 3]);
        assert_eq!((text.slice(3..), list.slice(..2), list.slice(3..)), ("12", &[1, 2][..], &[][..]));
        assert_eq!(take_diags(), []);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a state that cannot occur: a part of a text")]
    fn a_part_that_cuts_a_character_panics_under_tests() {
        let _ = "§ 12".slice(1..);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a state that cannot occur: a part of a list")]
    fn a_part_out_of_bounds_panics_under_tests() {
        let _ = [1, 2, 3].slice(2..4);
    }

    #[test]
    #[cfg(not(debug_assertions))]
    fn a_value_that_is_absent_is_reported_once_in_production() {
        assert_eq!(None::<usize>.or_never("the third line"), 0);
        let diags = take_diags();
        assert_eq!(diags.len(), 1);
        assert!(diags[0].message.starts_with("the third line is missing"));
        assert_eq!(take_diags(), []);
    }
}
