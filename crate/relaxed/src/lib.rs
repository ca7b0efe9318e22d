//! Products of bytes by relaxed SIMD: `embed::ByteProducts` as a wasm module of its own, since a browser without these
//! instructions refuses a module that has one anywhere. It works in the memory of the engine, which calls it by way of
//! JavaScript (`wasm/src/relaxed.rs`), and has no memory, stack or data of its own: a test of the page looks.
//!
//! A dot product of four bytes is exact here whatever the machine does: codes of rows have 7 bits, so neither their sign
//! is in doubt nor does the sum of two products leave 16 bits.
//!
//! Empty natively. Without the standard library: its data would be written over the engine's.

#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(target_arch = "wasm32")]
#[expect(
    unsafe_code,
    reason = "the engine gives addresses of its slices, whose lengths `embed::ByteFactors` promises"
)]
mod kernel {
    use core::arch::wasm32::{
        f32x4_add, f32x4_convert_i32x4, f32x4_mul, i32x4_relaxed_dot_i8x16_i7x16_add, i32x4_splat, v128,
        v128_load, v128_load32_splat, v128_store,
    };

    /// Rows that are worked on at once.
    const ROWS: usize = 4;
    /// Outputs of a panel, and of the half that is worked on at once: with four rows, as many sums as there are registers.
    const OUTPUTS: usize = 16;
    const HALF: usize = 8;

    /// Products of rows with a matrix, as `embed::ByteFactors` describes them; `out` has place for `n_rows` of `n_out`.
    ///
    /// # Safety
    /// Every address begins a slice of the length that `ByteFactors` gives for it, `out` one that no other overlaps;
    /// `wasm/src/relaxed.rs` looks.
    #[unsafe(no_mangle)]
    #[target_feature(enable = "relaxed-simd")]
    pub unsafe extern "C" fn products(
        rows: *const u8,
        steps: *const f32,
        lows: *const f32,
        n_rows: usize,
        n_in: usize,
        group: usize,
        weights: *const i8,
        scales: *const f32,
        sums: *const f32,
        bias: *const f32,
        n_out: usize,
        out: *mut f32,
    ) {
        let n_groups = n_in.checked_div(group).unwrap_or_default();
        for panel in 0..n_out / OUTPUTS {
            for half in 0..OUTPUTS / HALF {
                let output = panel * OUTPUTS + half * HALF;
                let of_panel = panel * n_groups * OUTPUTS + half * HALF;
                for first in (0..n_rows).step_by(ROWS) {
                    // A row that is not there is the last one once more.
                    let row =
                        [0, 1, 2, 3].map(|row| if first + row < n_rows { first + row } else { n_rows - 1 });
                    // SAFETY: rows are below `n_rows`, panels and halves within the matrix.
                    unsafe {
                        let block = Block {
                            rows: row.map(|row| rows.add(row * n_in)),
                            steps: row.map(|row| steps.add(row * n_groups)),
                            lows: row.map(|row| lows.add(row * n_groups)),
                            n_groups,
                            fours: group / 4,
                        };
                        let weights = weights.add(panel * n_in * OUTPUTS + half * HALF * 4);
                        let made = block.products(
                            weights,
                            scales.add(of_panel),
                            sums.add(of_panel),
                            bias.add(output),
                        );
                        for (row, [first, second]) in row.into_iter().zip(made) {
                            let place = out.add(row * n_out + output);
                            v128_store(place.cast(), first);
                            v128_store(place.add(4).cast(), second);
                        }
                    }
                }
            }
        }
    }

    /// Nothing here panics; a program without the standard library must say what would happen.
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        core::arch::wasm32::unreachable()
    }

    /// Four rows.
    struct Block {
        rows: [*const u8; ROWS],
        steps: [*const f32; ROWS],
        lows: [*const f32; ROWS],
        n_groups: usize,
        /// Times four inputs of a group.
        fours: usize,
    }

    impl Block {
        /// Products of the rows with eight outputs.
        #[inline]
        #[target_feature(enable = "relaxed-simd")]
        unsafe fn products(
            &self,
            weights: *const i8,
            scales: *const f32,
            sums: *const f32,
            bias: *const f32,
        ) -> [[v128; 2]; ROWS] {
            // SAFETY: as for the caller.
            unsafe {
                let mut made = [[v128_load(bias.cast()), v128_load(bias.add(4).cast())]; ROWS];
                for group in 0..self.n_groups {
                    let mut dots = [[i32x4_splat(0); 2]; ROWS];
                    for four in group * self.fours..(group + 1) * self.fours {
                        let line = weights.add(four * OUTPUTS * 4);
                        let line = [v128_load(line.cast()), v128_load(line.add(16).cast())];
                        for (dots, row) in dots.iter_mut().zip(self.rows) {
                            let codes = v128_load32_splat(row.add(four * 4).cast());
                            for (dot, weights) in dots.iter_mut().zip(line) {
                                *dot = i32x4_relaxed_dot_i8x16_i7x16_add(weights, codes, *dot);
                            }
                        }
                    }
                    for (row, (made, dots)) in made.iter_mut().zip(dots).enumerate() {
                        let step = v128_load32_splat(self.steps[row].add(group).cast());
                        let low = v128_load32_splat(self.lows[row].add(group).cast());
                        for (at, (made, dot)) in made.iter_mut().zip(dots).enumerate() {
                            let place = group * OUTPUTS + at * 4;
                            let (scale, sum) =
                                (v128_load(scales.add(place).cast()), v128_load(sums.add(place).cast()));
                            let product = f32x4_mul(f32x4_mul(f32x4_convert_i32x4(dot), scale), step);
                            *made = f32x4_add(*made, f32x4_add(product, f32x4_mul(sum, low)));
                        }
                    }
                }
                made
            }
        }
    }
}
