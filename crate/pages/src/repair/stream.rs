//! Extent of stream data.

/// Start of the data after the keyword `stream`, which ends at `at`.
pub(super) fn data_start(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\r', b'\n', ..]) => at + 2,
        Some([b'\r' | b'\n', ..]) => at + 1,
        _ => at,
    }
}

/// End of the data by `Length`, if `endstream` follows there.
pub(super) fn end_by_length(bytes: &[u8], start: usize, length: Option<i64>) -> Option<usize> {
    let end = start.checked_add(usize::try_from(length?).ok()?)?;
    let rest = bytes.get(end..)?;
    let space = rest.iter().take(4).take_while(|&&byte| crate::lexer::is_space(byte)).count();
    rest.get(space..)?.starts_with(b"endstream").then_some(end)
}

/// Search for `endstream` from ascending positions: each byte is searched once.
pub(super) struct EndstreamSearch<'a> {
    bytes: &'a [u8],
    next: Option<usize>,
    searched: usize,
    /// Number of bytes compared so far.
    #[cfg(test)]
    n_compared: usize,
}

impl<'a> EndstreamSearch<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            next: None,
            searched: 0,
            #[cfg(test)]
            n_compared: 0,
        }
    }

    /// First `endstream` at or after `from`.
    pub(super) fn at_or_after(&mut self, from: usize) -> Option<usize> {
        if self.next.is_some_and(|next| next >= from) {
            return self.next;
        }
        let from = from.max(self.searched);
        let rest = self.bytes.get(from..).unwrap_or_default();
        self.next = rest.windows(9).position(|window| window == b"endstream").map(|at| from + at);
        self.searched = self.next.map_or(self.bytes.len(), |next| next + 1);
        #[cfg(test)]
        {
            self.n_compared += self.searched.saturating_sub(from);
        }
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_searched_once_however_many_streams_are_open() {
        for unit in [&b"stream "[..], b"stream endstream "] {
            let bytes = unit.repeat(2_000);
            let mut search = EndstreamSearch::new(&bytes);
            for from in (0..bytes.len()).step_by(unit.len()) {
                let _ = search.at_or_after(from);
            }
            assert!(search.n_compared <= bytes.len(), "{} of {} bytes", search.n_compared, bytes.len());
        }
    }
}
