//! Products of bytes by the module of relaxed SIMD (`crate/relaxed`), which a worker has set up beside this one, in its
//! memory, as `globalThis.__pincite_products`.

use engine::ByteFactors;
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

/// `embed::ByteProducts` by that module.
pub(crate) fn products(factors: ByteFactors<'_>, out: &mut [f32]) {
    let ByteFactors { rows, steps, lows, n_in, group, weights, scales, sums, bias, n_out } = factors;
    let n_rows = out.len() / n_out.max(1);
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
