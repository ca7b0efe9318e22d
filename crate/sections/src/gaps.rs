//! Numbers missing in a sequence: a sign that a heading was not recognised, or that a provision was repealed.

use std::collections::HashMap;

use document::{Diag, DiagCode, Severity};

use crate::heading::Heading;
use crate::heading_class::HeadingPosition;
use crate::numbering::Number;

/// Most gaps that are told one by one.
const MAX_TOLD: usize = 20;

/// Reports each number that is more than one above the number before it in its class and under its parent.
pub(crate) fn report(headings: &[Heading], places: &[HeadingPosition], diags: &mut Vec<Diag>) {
    let mut last: HashMap<(Option<usize>, usize), &Number> = HashMap::new();
    let mut n_gaps = 0usize;
    for (heading, place) in headings.iter().zip(places) {
        let Some(number) = &heading.number else { continue };
        let before = last.insert((place.parent, place.class), number);
        let missing = before.is_some_and(|before| {
            let stem = |n: &Number| n.values.len().saturating_sub(1);
            before.values.get(..stem(before)) == number.values.get(..stem(number))
                && number.last() > before.last() + 1
        });
        n_gaps += usize::from(missing);
        if missing && n_gaps <= MAX_TOLD {
            diags.push(Diag {
                code: DiagCode::NumberingGap,
                severity: Severity::Info,
                message: "a number is missing before this section".to_owned(),
                hint: "the provision may be repealed, or its heading was not recognised".to_owned(),
                page: heading.page,
            });
        }
    }
}
