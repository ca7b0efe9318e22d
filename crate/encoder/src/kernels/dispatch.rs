//! The choice of instructions at run time. The one place of the workspace with `unsafe`, see [`x86`]; elsewhere there is
//! nothing to choose.

use super::dot::{Dot, Portable};

/// A kernel, written once and compiled for each set of instructions. `run` and all that its loops call is
/// `#[inline(always)]`, or it would be compiled for the smallest set.
pub(super) trait Work {
    /// Does the work with the inner loop `D`.
    fn run<D: Dot>(self);
}

/// Does the work with the best instructions of this machine.
pub(super) fn dispatch(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    let Some(work) = x86::dispatch(work) else { return };
    work.run::<Portable>();
}

/// The sets of instructions of this machine, the portable one first.
#[cfg(test)]
pub(super) fn variants<W: Work>() -> Vec<fn(W)> {
    let mut variants: Vec<fn(W)> = vec![|work| work.run::<Portable>()];
    #[cfg(target_arch = "x86_64")]
    variants.extend(x86::variants());
    variants
}

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "a call of a function compiled for AVX is safe only once the processor was asked"
)]
mod x86 {
    //! AVX2, and AVX-512 with VNNI, which is over twenty times as fast as what the compiler makes for every x86-64.
    //!
    //! `unsafe` stands before calls of safe functions that carry `#[target_feature]`, whose only condition is that the
    //! processor has the features, and before a cast of a vector to the array of its lanes. No pointer is touched; what
    //! is read and written are slices and arrays.

    use core::arch::x86_64::{
        __m256, __m512, __m512i, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi32_ps, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_mul_ps, _mm256_set_epi32, _mm256_set_ps, _mm256_set1_epi16,
        _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm512_add_epi32, _mm512_add_ps,
        _mm512_cvtepi32_ps, _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_mul_ps, _mm512_set_epi32,
        _mm512_set_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512,
    };

    use super::super::ROWS;
    use super::super::dot::{ByteGroup, Dot, OUTPUTS};
    use super::Work;

    /// Does the work, or gives it back where there is no AVX2.
    pub(super) fn dispatch<W: Work>(work: W) -> Option<W> {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vnni")
        {
            // SAFETY: the processor has the four features, and so AVX2.
            unsafe { avx512(work) };
            return None;
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            unsafe { avx2(work) };
            return None;
        }
        Some(work)
    }

    /// Those of the two that this machine has.
    #[cfg(test)]
    pub(super) fn variants<W: Work>() -> Vec<fn(W)> {
        let mut variants: Vec<fn(W)> = vec![|work| drop(dispatch(work))];
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            variants.push(|work| unsafe { avx2(work) });
        }
        variants
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512<W: Work>(work: W) {
        work.run::<Avx512>();
    }

    #[target_feature(enable = "avx2")]
    fn avx2<W: Work>(work: W) {
        work.run::<Avx2>();
    }

    /// Sixteen lanes, a product and its sum in one instruction. Named only where `dispatch` found the features.
    struct Avx512;

    impl Dot for Avx512 {
        #[inline(always)]
        fn add(
            rows: &[[i32; ROWS]],
            lines: &[[i32; OUTPUTS]],
            pairs: usize,
            scales: &[[f32; OUTPUTS]],
            sums: &mut [[f32; OUTPUTS]; ROWS],
        ) {
            let groups = rows.chunks_exact(pairs).zip(lines.chunks_exact(pairs));
            for ((rows, lines), scale) in groups.zip(scales) {
                // SAFETY: only `dispatch` names this type, once it has found AVX-512 with VNNI.
                unsafe { avx512_group(rows, lines, scale, sums) };
            }
        }

        #[inline(always)]
        fn add_bytes(group: &ByteGroup<'_>, made: &mut [[f32; OUTPUTS]; ROWS]) {
            // SAFETY: as above.
            unsafe { avx512_bytes(group, made) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512_bytes(group: &ByteGroup<'_>, made: &mut [[f32; OUTPUTS]; ROWS]) {
        // Two totals an output, as for 16 bits; a group has an even number of lines.
        let mut even = [_mm512_setzero_si512(); ROWS];
        let mut odd = even;
        let [a, b, c, d] = group.rows.map(|row| row.as_chunks::<2>().0);
        let rows = a.iter().zip(b).zip(c.iter().zip(d));
        for ([first, second], ((a, b), (c, d))) in group.lines.as_chunks::<2>().0.iter().zip(rows) {
            avx512_byte_step(&mut even, [a[0], b[0], c[0], d[0]], first);
            avx512_byte_step(&mut odd, [a[1], b[1], c[1], d[1]], second);
        }
        let (scales, sums) = (sixteen_floats(group.scales), sixteen_floats(group.sums));
        for (row, made) in made.iter_mut().enumerate() {
            let dot = _mm512_cvtepi32_ps(_mm512_add_epi32(even[row], odd[row]));
            let product = _mm512_mul_ps(_mm512_mul_ps(dot, scales), _mm512_set1_ps(group.steps[row]));
            let product = _mm512_add_ps(product, _mm512_mul_ps(sums, _mm512_set1_ps(group.lows[row])));
            let sum = _mm512_add_ps(sixteen_floats(made), product);
            // SAFETY: both are 64 bytes without padding, and every pattern of bits is a float.
            *made = unsafe { core::mem::transmute::<__m512, [f32; OUTPUTS]>(sum) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512_byte_step(totals: &mut [__m512i; ROWS], codes: [[u8; 4]; ROWS], line: &[i8; 4 * OUTPUTS]) {
        let weights = sixteen(&fours(line));
        for (total, codes) in totals.iter_mut().zip(codes) {
            let codes = _mm512_set1_epi32(i32::from_le_bytes(codes));
            *total = _mm512_dpbusd_epi32(*total, codes, weights);
        }
    }

    /// Four bytes of each output as one integer.
    #[inline(always)]
    fn fours(line: &[i8; 4 * OUTPUTS]) -> [i32; OUTPUTS] {
        let mut fours = [0; OUTPUTS];
        for (place, four) in fours.iter_mut().zip(line.as_chunks::<4>().0) {
            *place = i32::from_le_bytes(four.map(i8::cast_unsigned));
        }
        fours
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512_group(
        rows: &[[i32; ROWS]],
        lines: &[[i32; OUTPUTS]],
        scale: &[f32; OUTPUTS],
        sums: &mut [[f32; OUTPUTS]; ROWS],
    ) {
        // Two totals an output, since a total waits for the one before.
        let mut even = [_mm512_setzero_si512(); ROWS];
        let mut odd = even;
        let (row_pairs, last_rows) = rows.as_chunks::<2>();
        let (line_pairs, last_lines) = lines.as_chunks::<2>();
        for ([first, second], [first_line, second_line]) in row_pairs.iter().zip(line_pairs) {
            avx512_step(&mut even, first, first_line);
            avx512_step(&mut odd, second, second_line);
        }
        for (row, line) in last_rows.iter().zip(last_lines) {
            avx512_step(&mut even, row, line);
        }
        let scale = sixteen_floats(scale);
        for ((sums, even), odd) in sums.iter_mut().zip(even).zip(odd) {
            let total = _mm512_cvtepi32_ps(_mm512_add_epi32(even, odd));
            let sum = _mm512_add_ps(sixteen_floats(sums), _mm512_mul_ps(total, scale));
            // SAFETY: both are 64 bytes without padding, and every pattern of bits is a float.
            *sums = unsafe { core::mem::transmute::<__m512, [f32; OUTPUTS]>(sum) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512_step(totals: &mut [__m512i; ROWS], row: &[i32; ROWS], line: &[i32; OUTPUTS]) {
        let weights = sixteen(line);
        for (total, &row) in totals.iter_mut().zip(row) {
            *total = _mm512_dpwssd_epi32(*total, _mm512_set1_epi32(row), weights);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn sixteen(values: &[i32; OUTPUTS]) -> __m512i {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *values;
        _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn sixteen_floats(values: &[f32; OUTPUTS]) -> __m512 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *values;
        _mm512_set_ps(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
    }

    /// Eight lanes. Named only where `dispatch` found AVX2.
    struct Avx2;

    impl Dot for Avx2 {
        #[inline(always)]
        fn add(
            rows: &[[i32; ROWS]],
            lines: &[[i32; OUTPUTS]],
            pairs: usize,
            scales: &[[f32; OUTPUTS]],
            sums: &mut [[f32; OUTPUTS]; ROWS],
        ) {
            let groups = rows.chunks_exact(pairs).zip(lines.chunks_exact(pairs));
            for ((rows, lines), scale) in groups.zip(scales) {
                // SAFETY: only `dispatch` names this type, once it has found AVX2.
                unsafe { avx2_group(rows, lines, scale, sums) };
            }
        }

        #[inline(always)]
        fn add_bytes(group: &ByteGroup<'_>, made: &mut [[f32; OUTPUTS]; ROWS]) {
            // SAFETY: as above.
            unsafe { avx2_bytes(group, made) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn avx2_bytes(group: &ByteGroup<'_>, made: &mut [[f32; OUTPUTS]; ROWS]) {
        let mut totals = [[_mm256_setzero_si256(); 2]; ROWS];
        let ones = _mm256_set1_epi16(1);
        let [a, b, c, d] = group.rows;
        for ((((line, a), b), c), d) in group.lines.iter().zip(a).zip(b).zip(c).zip(d) {
            let [a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1, p1] = fours(line);
            let low = _mm256_set_epi32(h1, g1, f1, e1, d1, c1, b1, a1);
            let high = _mm256_set_epi32(p1, o1, n1, m1, l1, k1, j1, i1);
            for ([first, second], &codes) in totals.iter_mut().zip([a, b, c, d]) {
                let codes = _mm256_set1_epi32(i32::from_le_bytes(codes));
                // Two products of 7 and 8 bits fit 16, so nothing saturates.
                *first = _mm256_add_epi32(*first, _mm256_madd_epi16(_mm256_maddubs_epi16(codes, low), ones));
                *second =
                    _mm256_add_epi32(*second, _mm256_madd_epi16(_mm256_maddubs_epi16(codes, high), ones));
            }
        }
        let halves = group.scales.as_chunks::<8>().0.iter().zip(group.sums.as_chunks::<8>().0);
        for (half, (scales, sums)) in halves.enumerate() {
            let (scales, sums) = (eight_floats(scales), eight_floats(sums));
            for (row, made) in made.iter_mut().enumerate() {
                let Some(made) = made.as_chunks_mut::<8>().0.get_mut(half) else { continue };
                let dot = _mm256_cvtepi32_ps(totals[row][half]);
                let product = _mm256_mul_ps(_mm256_mul_ps(dot, scales), _mm256_set1_ps(group.steps[row]));
                let product = _mm256_add_ps(product, _mm256_mul_ps(sums, _mm256_set1_ps(group.lows[row])));
                let sum = _mm256_add_ps(eight_floats(made), product);
                // SAFETY: both are 32 bytes without padding, and every pattern of bits is a float.
                *made = unsafe { core::mem::transmute::<__m256, [f32; 8]>(sum) };
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn avx2_group(
        rows: &[[i32; ROWS]],
        lines: &[[i32; OUTPUTS]],
        scale: &[f32; OUTPUTS],
        sums: &mut [[f32; OUTPUTS]; ROWS],
    ) {
        let mut totals = [[_mm256_setzero_si256(); 2]; ROWS];
        for (row, line) in rows.iter().zip(lines) {
            let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *line;
            let low = _mm256_set_epi32(h, g, f, e, d, c, b, a);
            let high = _mm256_set_epi32(p, o, n, m, l, k, j, i);
            for ([first, second], &row) in totals.iter_mut().zip(row) {
                let row = _mm256_set1_epi32(row);
                *first = _mm256_add_epi32(*first, _mm256_madd_epi16(row, low));
                *second = _mm256_add_epi32(*second, _mm256_madd_epi16(row, high));
            }
        }
        for (sums, totals) in sums.iter_mut().zip(totals) {
            let places = sums.as_chunks_mut::<8>().0.iter_mut().zip(scale.as_chunks::<8>().0);
            for ((sums, scale), total) in places.zip(totals) {
                let product = _mm256_mul_ps(_mm256_cvtepi32_ps(total), eight_floats(scale));
                let sum = _mm256_add_ps(eight_floats(sums), product);
                // SAFETY: both are 32 bytes without padding, and every pattern of bits is a float.
                *sums = unsafe { core::mem::transmute::<__m256, [f32; 8]>(sum) };
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn eight_floats(values: &[f32; 8]) -> __m256 {
        let [a, b, c, d, e, f, g, h] = *values;
        _mm256_set_ps(h, g, f, e, d, c, b, a)
    }
}
