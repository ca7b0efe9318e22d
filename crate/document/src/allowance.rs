//! Allowance: what reading a file may cost, by its size.

/// Allowance that grows with the file: what any file may, and more for each KiB of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Allowance of any file, however small.
    pub base: usize,
    /// Further allowance for each KiB of the file.
    pub per_kib: usize,
}

impl Allowance {
    /// The same for files of any size.
    pub const fn flat(base: usize) -> Self {
        Self { base, per_kib: 0 }
    }

    /// Allowance of a file of this size.
    pub fn of(self, file_bytes: usize) -> usize {
        // The product of two numbers of 32 bits: in wasm `usize` has no more.
        let more = (file_bytes as u64).saturating_mul(self.per_kib as u64) >> 10;
        self.base.saturating_add(usize::try_from(more).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_grows_with_the_file_and_never_overflows() {
        let allowance = Allowance { base: 10, per_kib: 3 };
        assert_eq!([0, 1023, 1024, 10 << 10].map(|size| allowance.of(size)), [10, 12, 13, 40]);
        assert_eq!(Allowance { base: usize::MAX, per_kib: usize::MAX }.of(usize::MAX), usize::MAX);
    }
}
