//! Scalar products of vectors and of their codes: the inner loop of a scan.
//!
//! Callers keep integer sums within 31 bits, so every order of additions gives the same. Natively the compiler vectorises
//! plain loops (25 ns for 384 products on x86-64 without AVX, from cache). For wasm it misses the instruction that
//! multiplies and adds in pairs (54 ns), so the loop uses its intrinsic (20 ns), which is safe, since a wasm engine
//! validates a module before it runs. The `f32` products have a fixed order of additions, so they are bit-identical
//! natively and in wasm. That of a vector and a stored row ([`dot_codes`]) needs intrinsics too: 384 products take 104 ns in
//! wasm with them and 475 without; natively, for the few rows that are scored so, 295.

/// Steps of the rest of a value in a step of its code: a rest is in −7..=7.
pub const STEPS: i16 = 14;

/// Maximum dimension of a row, so that sums of products of codes fit 31 bits.
pub const MAX_DIMS: usize = 1 << 16;

/// Scalar product of two rows of codes, over the shorter length.
#[inline]
pub fn narrow(a: &[i8], b: &[i8]) -> i32 {
    let (a_blocks, a_rest) = a.as_chunks::<BLOCK>();
    let (b_blocks, b_rest) = b.as_chunks::<BLOCK>();
    let rest: i32 = a_rest.iter().zip(b_rest).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
    blocks::narrow(a_blocks, b_blocks) + rest
}

/// Scalar product of a query's codes and a row's, over the shorter length.
#[inline]
pub fn wide(a: &[i16], b: &[i8]) -> i32 {
    let (a_blocks, a_rest) = a.as_chunks::<BLOCK>();
    let (b_blocks, b_rest) = b.as_chunks::<BLOCK>();
    let rest: i32 = a_rest.iter().zip(b_rest).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
    blocks::wide(a_blocks, b_blocks) + rest
}

/// Running sums of the products of `f32`.
const LANES: usize = 16;

/// Scalar product over the shorter length; for unit vectors the cosine. It adds in sixteen running sums, which the
/// compiler vectorises.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut rest = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest += a * b;
    }
    sum_of_lanes(sums) + rest
}

/// Scalar product of a vector and a row's values in steps of the rest, over the shorter length; the additions are those of
/// [`dot`]. `rests` are [`packed`], as many as codes.
pub fn dot_codes(a: &[f32], codes: &[i8], rests: &[u8]) -> f32 {
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (code_chunks, code_rest) = codes.as_chunks::<LANES>();
    // Of fifteen codes the rests fill eight bytes too.
    let (rests, rest_rest) = rests.split_at_checked(code_chunks.len() * LANES / 2).unwrap_or_default();
    let sums = blocks::dot_codes(a_chunks.iter().zip(code_chunks).zip(rests.as_chunks().0));
    let mut last = [0; LANES];
    if let Some(last) = last.get_mut(..code_rest.len()) {
        unpack(rest_rest, last);
    }
    let mut rest = 0.0;
    for ((a, &code), below) in a_rest.iter().zip(code_rest).zip(last) {
        rest += a * f32::from(i16::from(code) * STEPS + i16::from(below));
    }
    sum_of_lanes(sums) + rest
}

/// Rests in −8..=7, two a byte: of each sixteen, or of those left at the end, the first half in the lower bits and the second
/// in the upper. So eight bytes become sixteen numbers in a few vector instructions.
pub fn packed(rests: &[i8]) -> impl Iterator<Item = u8> {
    rests.chunks(LANES).flat_map(|rests| {
        let (first, second) = rests.split_at(rests.len().div_ceil(2));
        let seconds = second.iter().chain(std::iter::repeat(&0));
        first.iter().zip(seconds).map(|(&low, &high)| low.cast_unsigned() & 0xF | high.cast_unsigned() << 4)
    })
}

/// Writes as many rests of [`packed`] bytes as `rests` has places.
pub fn unpack(packed: &[u8], rests: &mut [i8]) {
    let low = |byte: u8| (byte << 4).cast_signed() >> 4;
    let high = |byte: u8| byte.cast_signed() >> 4;
    let (sixteens, last) = rests.as_chunks_mut::<LANES>();
    let (packed, of_last) = packed.split_at_checked(sixteens.len() * LANES / 2).unwrap_or_default();
    for (sixteen, bytes) in sixteens.iter_mut().zip(packed.as_chunks::<{ LANES / 2 }>().0) {
        for (lane, &byte) in bytes.iter().enumerate() {
            sixteen[lane] = low(byte);
            sixteen[lane + LANES / 2] = high(byte);
        }
    }
    let (first, second) = last.split_at_mut(last.len().div_ceil(2));
    for (at, &byte) in of_last.iter().enumerate() {
        if let Some(place) = first.get_mut(at) {
            *place = low(byte);
        }
        if let Some(place) = second.get_mut(at) {
            *place = high(byte);
        }
    }
}

/// Sixteen values of a vector, with the codes and rests that they are multiplied with.
type Sixteen<'a> = ((&'a [f32; LANES], &'a [i8; LANES]), &'a [u8; LANES / 2]);

fn sum_of_lanes(mut sums: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Products per step.
const BLOCK: usize = 32;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod blocks {
    use super::{BLOCK, LANES, STEPS, Sixteen};

    #[inline]
    pub fn dot_codes<'a>(chunks: impl Iterator<Item = Sixteen<'a>>) -> [f32; LANES] {
        let mut sums = [0.0_f32; LANES];
        for ((a, codes), rests) in chunks {
            for lane in 0..LANES {
                let shift = if lane < LANES / 2 { 4 } else { 0 };
                let rest = (rests[lane % (LANES / 2)] << shift).cast_signed() >> 4;
                sums[lane] += a[lane] * f32::from(i16::from(codes[lane]) * STEPS + i16::from(rest));
            }
        }
        sums
    }

    #[inline]
    pub fn narrow(a: &[[i8; BLOCK]], b: &[[i8; BLOCK]]) -> i32 {
        let mut sum = 0;
        for (a, b) in a.iter().zip(b) {
            // A sum of its own for each block is what the compiler sees the pairs in.
            sum += a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
        }
        sum
    }

    #[inline]
    pub fn wide(a: &[[i16; BLOCK]], b: &[[i8; BLOCK]]) -> i32 {
        let mut sum = 0;
        for (a, b) in a.iter().zip(b) {
            sum += a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
        }
        sum
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod blocks {
    use core::arch::wasm32::{
        f32x4, f32x4_add, f32x4_convert_i32x4, f32x4_extract_lane, f32x4_mul, f32x4_splat, i8x16, i16x8,
        i16x8_add, i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i16x8_extmul_high_i8x16,
        i16x8_extmul_low_i8x16, i16x8_mul, i16x8_shl, i16x8_shr, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
        i32x4_extadd_pairwise_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_extract_lane,
        i32x4_splat, i64x2_splat, v128,
    };

    use super::{BLOCK, LANES, STEPS, Sixteen};

    #[inline]
    pub fn dot_codes<'a>(chunks: impl Iterator<Item = Sixteen<'a>>) -> [f32; LANES] {
        let steps = i16x8_splat(STEPS);
        let mut sums = [f32x4_splat(0.0); 4];
        for ((a, codes), rests) in chunks {
            // Shifts of sixteen bits, since x86-64 has none of eight.
            let rests = i16x8_extend_low_i8x16(i64x2_splat(i64::from_le_bytes(*rests)));
            let codes = eights(codes);
            let low = i16x8_mul(i16x8_extend_low_i8x16(codes), steps);
            let high = i16x8_mul(i16x8_extend_high_i8x16(codes), steps);
            let low = i16x8_add(low, i16x8_shr(i16x8_shl(rests, 12), 12));
            let high = i16x8_add(high, i16x8_shr(rests, 4));
            let wholes = [
                i32x4_extend_low_i16x8(low),
                i32x4_extend_high_i16x8(low),
                i32x4_extend_low_i16x8(high),
                i32x4_extend_high_i16x8(high),
            ];
            let (fours, _) = a.as_chunks::<4>();
            for ((sum, &[a, b, c, d]), whole) in sums.iter_mut().zip(fours).zip(wholes) {
                *sum = f32x4_add(*sum, f32x4_mul(f32x4(a, b, c, d), f32x4_convert_i32x4(whole)));
            }
        }
        let mut lanes = [0.0; LANES];
        for (four, sum) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
            *four = [
                f32x4_extract_lane::<0>(sum),
                f32x4_extract_lane::<1>(sum),
                f32x4_extract_lane::<2>(sum),
                f32x4_extract_lane::<3>(sum),
            ];
        }
        lanes
    }

    #[inline]
    pub fn narrow(a: &[[i8; BLOCK]], b: &[[i8; BLOCK]]) -> i32 {
        let mut sums = [i32x4_splat(0); 2];
        for (a, b) in a.as_flattened().as_chunks::<16>().0.iter().zip(b.as_flattened().as_chunks::<16>().0) {
            let (a, b) = (eights(a), eights(b));
            let [low, high] = sums;
            let low = i32x4_add(low, i32x4_extadd_pairwise_i16x8(i16x8_extmul_low_i8x16(a, b)));
            let high = i32x4_add(high, i32x4_extadd_pairwise_i16x8(i16x8_extmul_high_i8x16(a, b)));
            sums = [low, high];
        }
        across(sums)
    }

    #[inline]
    pub fn wide(a: &[[i16; BLOCK]], b: &[[i8; BLOCK]]) -> i32 {
        let mut sums = [i32x4_splat(0); 2];
        for (a, b) in a.as_flattened().as_chunks::<16>().0.iter().zip(b.as_flattened().as_chunks::<16>().0) {
            let b = eights(b);
            let &[a0, a1, a2, a3, a4, a5, a6, a7, c0, c1, c2, c3, c4, c5, c6, c7] = a;
            let (a, c) = (i16x8(a0, a1, a2, a3, a4, a5, a6, a7), i16x8(c0, c1, c2, c3, c4, c5, c6, c7));
            let [low, high] = sums;
            let low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(b), a));
            let high = i32x4_add(high, i32x4_dot_i16x8(i16x8_extend_high_i8x16(b), c));
            sums = [low, high];
        }
        across(sums)
    }

    /// Sixteen codes; the compiler makes one load of it.
    #[inline]
    fn eights(codes: &[i8; 16]) -> v128 {
        let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = codes;
        i8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }

    #[inline]
    fn across([low, high]: [v128; 2]) -> i32 {
        let sums = i32x4_add(low, high);
        i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_in_two_parts_are_multiplied_as_whole_ones(
            values in prop::collection::vec((-1.0_f32..1.0, any::<i8>(), -8_i8..=7), 0..70),
        ) {
            let query: Vec<f32> = values.iter().map(|(value, _, _)| *value).collect();
            let (codes, rests): (Vec<i8>, Vec<i8>) = values.iter().map(|&(_, code, rest)| (code, rest)).unzip();
            let bytes: Vec<u8> = packed(&rests).collect();
            prop_assert_eq!(bytes.len(), rests.len().div_ceil(2));
            let mut again = vec![0; rests.len()];
            unpack(&bytes, &mut again);
            prop_assert_eq!(&again, &rests);
            let whole = |code: i8, rest: i8| f32::from(code) * 14.0 + f32::from(rest);
            let whole: Vec<f32> = codes.iter().zip(&rests).map(|(&code, &rest)| whole(code, rest)).collect();
            prop_assert_eq!(dot_codes(&query, &codes, &bytes), dot(&query, &whole));
        }

        #[test]
        fn blocks_and_rest_make_the_sum(values in prop::collection::vec((-30_000_i16..=30_000, -127_i8..=127), 0..140)) {
            let (a, b): (Vec<i16>, Vec<i8>) = values.into_iter().unzip();
            let naive: i32 = a.iter().zip(&b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
            prop_assert_eq!(wide(&a, &b), naive);
            let a: Vec<i8> = a.into_iter().map(|a| (a % 127) as i8).collect();
            let naive: i32 = a.iter().zip(&b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
            prop_assert_eq!(narrow(&a, &b), naive);
        }
    }
}
