//! The exponential and GELU in plain arithmetic, so that a loop over them becomes vector instructions and has the same bits
//! on every platform.

/// Adding this rounds an `f32` below 2²² to an integer, half to even, which then stands in its low bits.
const ROUNDER: f32 = 12_582_912.0;

/// The integer nearest to `value`, in the low 22 bits, two's complement; right from -2²¹ to 2²¹.
#[inline(always)]
pub(super) fn rounded_bits(value: f32) -> u32 {
    (value + ROUNDER).to_bits()
}

/// A number, or the least one of which [`exp_negative`] is defined.
#[inline(always)]
pub(super) fn at_least(x: f32) -> f32 {
    if x < -87.0 { -87.0 } else { x }
}

/// The exponential of a number from -87 to 0, within 2 units in the last place.
#[inline(always)]
pub(super) fn exp_negative(x: f32) -> f32 {
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let power = rounded - ROUNDER;
    // The logarithm of two in two parts: the first has few bits, so its multiples are exact.
    let rest = x - power * 0.693_359_4 + power * 2.121_944_4e-4;
    let mut sum = 1.987_569_2e-4;
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_6e-1, 0.5] {
        sum = sum * rest + coefficient;
    }
    let mantissa = sum * (rest * rest) + rest + 1.0;
    mantissa * f32::from_bits((rounded.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// GELU, `x · Φ(x)`, within 4·10⁻⁷ · max(1, |x|) of the exact one: the error function as a ratio of polynomials, which
/// Eigen and XLA use.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    let scaled = x * std::f32::consts::FRAC_1_SQRT_2;
    let scaled = if 4.0 < scaled { 4.0 } else { scaled };
    let scaled = if scaled < -4.0 { -4.0 } else { scaled };
    let square = scaled * scaled;
    let mut above = -2.726_142e-10;
    for coefficient in
        [2.770_681_4e-8, -2.101_024e-6, -5.692_506_3e-5, -7.349_906_3e-4, -2.954_6e-3, -1.609_603_3e-2]
    {
        above = above * square + coefficient;
    }
    let mut below = -1.456_607_2e-5;
    for coefficient in [-2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_474e-2] {
        below = below * square + coefficient;
    }
    let error_function = scaled * above / below;
    0.5 * x * (1.0 + error_function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(from: f64, to: f64) -> impl Iterator<Item = f32> {
        (0..=200_000).map(move |step| (from + (to - from) * f64::from(step) / 200_000.0) as f32)
    }

    #[test]
    fn the_exponential_is_within_two_units_in_the_last_place() {
        for x in sweep(-87.0, 0.0) {
            let exact = libm::exp(f64::from(x));
            let relative = (f64::from(exp_negative(x)) - exact).abs() / exact;
            assert!(relative < 2.5e-7, "exp({x}): {relative:e}");
        }
        assert_eq!(exp_negative(0.0), 1.0);
        for x in [-87.5, -1e30, f32::NEG_INFINITY] {
            assert!(exp_negative(at_least(x)) < 2e-38, "exp({x})");
        }
    }

    #[test]
    fn gelu_is_within_its_tolerance_everywhere() {
        for x in sweep(-12.0, 12.0) {
            let wide = f64::from(x);
            let exact = wide * 0.5 * libm::erfc(-wide * std::f64::consts::FRAC_1_SQRT_2);
            let error = (f64::from(gelu(x)) - exact).abs() / wide.abs().max(1.0);
            assert!(error < 4e-7, "gelu({x}): {error:e}");
        }
        assert_eq!(gelu(0.0), 0.0);
        assert!((gelu(1e30) - 1e30).abs() < 1e24);
        assert!(gelu(-1e30).abs() < 1e24);
    }

    #[test]
    fn rounding_is_to_the_nearest_integer() {
        for (value, expected) in [(0.4, 0i16), (0.6, 1), (-0.6, -1), (32767.0, 32767), (-32767.0, -32767)] {
            assert_eq!(rounded_bits(value) as i16, expected, "{value}");
        }
    }
}
