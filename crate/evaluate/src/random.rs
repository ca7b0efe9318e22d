//! Pseudorandom numbers from a seed: the same on every machine, so that whatever is drawn can be drawn again.

/// SplitMix64 from a seed, 0 to 2⁶⁴ − 1. Steele, Lea, Flood: [Fast splittable pseudorandom number
/// generators](https://doi.org/10.1145/2660193.2660195).
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, 0 to 2⁶⁴ − 1.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`; 0 when `n` is 0. The bias is below n / 2⁶⁴.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_draw_is_below_its_bound_and_every_number_below_it_comes() {
        let mut random = SplitMix64::new(5);
        let drawn: std::collections::BTreeSet<usize> = (0..200).map(|_| random.below(7)).collect();
        assert_eq!(drawn, (0..7).collect());
        assert_eq!(random.below(0), 0);
    }
}
