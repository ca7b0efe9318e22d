//! Products of bytes by the module of relaxed SIMD (`crate/relaxed`), which a worker has set up beside this one, in its
//! memory, as `globalThis.__pincite_products`.

use encoder::ByteFactors;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = "__pincite_products")]
    fn relaxed_products(
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
    );
}

/// `embed::ByteProducts` by that module. It reads and writes by address, so lengths are looked at here; what does not fit
/// is left as it is, and is a mistake of ours.
pub(crate) fn products(factors: ByteFactors<'_>, out: &mut [f32]) {
    let ByteFactors { rows, steps, lows, n_in, group, weights, scales, sums, bias, n_out } = factors;
    let n_rows = out.len() / n_out.max(1);
    let n_groups = n_in / group.max(1);
    let fits = rows.len() == n_rows * n_in
        && steps.len() == n_rows * n_groups
        && lows.len() == steps.len()
        && weights.len() == n_in * n_out
        && scales.len() == n_groups * n_out
        && sums.len() == scales.len()
        && bias.len() == n_out
        && out.len() == n_rows * n_out
        && n_in == n_groups * group
        && group.is_multiple_of(16)
        && n_out.is_multiple_of(16);
    if !fits {
        document::never("products of bytes whose lengths do not fit");
        return;
    }
    relaxed_products(
        rows.as_ptr(),
        steps.as_ptr(),
        lows.as_ptr(),
        n_rows,
        n_in,
        group,
        weights.as_ptr(),
        scales.as_ptr(),
        sums.as_ptr(),
        bias.as_ptr(),
        n_out,
        out.as_mut_ptr(),
    );
}
