//! Reading and writing binary numbers.

/// A reader of bytes. Reads past the end give `None`.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Number of bytes left.
    #[inline]
    pub fn n_left(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes left.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.bytes.split_at_checked(n)?;
        self.bytes = tail;
        Some(head)
    }

    /// A fixed number of bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = tail;
        Some(*head)
    }

    /// A little-endian `u32`.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// A little-endian `u64`.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A little-endian `f32`, finite.
    pub fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes).filter(|value| value.is_finite())
    }

    /// A `u32` as a varint: seven bits per byte, low bits first.
    #[inline]
    pub fn varint(&mut self) -> Option<u32> {
        // Most are short.
        match *self.bytes {
            [byte, ref tail @ ..] if byte < 0x80 => {
                self.bytes = tail;
                Some(u32::from(byte))
            }
            [low, high, ref tail @ ..] if high < 0x80 => {
                self.bytes = tail;
                Some(u32::from(low & 0x7F) | u32::from(high) << 7)
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Option<u32> {
        let mut value = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let (&byte, tail) = self.bytes.split_first()?;
            self.bytes = tail;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return u32::try_from(value).ok();
            }
        }
        None
    }

    /// A count of items of at least one byte each, at most the number of bytes left, so that it can be reserved.
    #[inline]
    pub fn count(&mut self) -> Option<usize> {
        let count = self.varint()? as usize;
        (count <= self.n_left()).then_some(count)
    }
}

/// Appends a `u32` as a varint.
pub fn put_varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a count. Counts over `u32::MAX` do not occur, since texts are capped.
pub fn put_count(out: &mut Vec<u8>, n: usize) {
    put_varint(out, u32::try_from(n).unwrap_or(u32::MAX));
}

/// Concatenates numbers in their byte form.
pub fn put_all<const N: usize>(numbers: impl ExactSizeIterator<Item = [u8; N]>) -> Vec<u8> {
    let mut out = vec![0; numbers.len() * N];
    let (places, _) = out.as_chunks_mut::<N>();
    for (place, number) in places.iter_mut().zip(numbers) {
        *place = number;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_short_and_hold_32_bits() {
        for (value, n_bytes) in
            [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u32::MAX - 1, 5), (u32::MAX, 5)]
        {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            assert_eq!(bytes.len(), n_bytes, "{value}");
            let mut cursor = Cursor::new(&bytes);
            assert_eq!((cursor.varint(), cursor.n_left()), (Some(value), 0));
        }
        let too_large: [&[u8]; 4] = [&[], &[0x80], &[0xFF, 0xFF, 0xFF, 0xFF, 0x10], &[0x80; 6]];
        for bytes in too_large {
            assert_eq!(Cursor::new(bytes).varint(), None, "{bytes:?}");
        }
        assert_eq!(Cursor::new(&f32::NAN.to_le_bytes()).f32(), None);
        assert_eq!(Cursor::new(&f32::INFINITY.to_le_bytes()).f32(), None);
        assert_eq!((Cursor::new(&[2, 0, 0]).count(), Cursor::new(&[2, 0]).count()), (Some(2), None));
    }
}
