//! Scripts that are written from right to left.

/// True for letters of Hebrew, Arabic and related scripts.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}
