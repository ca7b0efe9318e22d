//! Calibration of the ROUGE-L F1 at which an answer counts as right: the value that agrees best with judged answers.
//!
//! Legal-DC (section 3.2) takes the partition point of the F1 of validated answers that "maximises consistency" with human
//! judgments. Here half of the questions choose it and the other half is measured with it, so that the accuracy is not
//! that of the questions that chose. Time: n log n.

/// A judged answer: its score, and true if it is right.
pub type Judged = (f64, bool);

/// Threshold with the highest agreement, and that agreement, 0 to 1; `None` without answers. An answer at or over the
/// threshold counts as right. Candidates lie midway between neighbouring scores, below all (0) and above all
/// (1, or the highest score and a little); of equals the lowest wins.
pub fn threshold(judged: &[Judged]) -> Option<(f64, f64)> {
    let mut sorted: Vec<Judged> = judged.to_vec();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let n = sorted.len();
    // Below all scores every answer counts as right.
    let mut n_agreeing = sorted.iter().filter(|(_, right)| *right).count();
    let (mut best, mut most) = (0.0, n_agreeing);
    for (at, &(score, right)) in sorted.iter().enumerate() {
        n_agreeing = if right { n_agreeing - 1 } else { n_agreeing + 1 };
        let next = sorted.get(at + 1).map(|(next, _)| *next);
        if next == Some(score) || n_agreeing <= most {
            continue;
        }
        most = n_agreeing;
        best = next.map_or_else(|| score.max(1.0) + f64::EPSILON, |next| f64::midpoint(score, next));
    }
    (n > 0).then(|| (best, most as f64 / n as f64))
}

/// Share of the answers on which the threshold and the judgments agree, 0 to 1; `None` without answers.
pub fn agreement_at(judged: &[Judged], threshold: f64) -> Option<f64> {
    let n = judged.iter().filter(|(score, right)| (*score >= threshold) == *right).count();
    (!judged.is_empty()).then(|| n as f64 / judged.len() as f64)
}

/// True if a question belongs to the half that calibrates. By its id and a seed, so it is the same in every run and for
/// every system: FNV-1a, 64 bits.
pub fn calibrates(id: &str, seed: u64) -> bool {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = seed.to_le_bytes().iter().chain(id.as_bytes()).fold(0xcbf2_9ce4_8422_2325, mix);
    // The low bits of FNV-1a depend on few bits of each byte.
    (hash ^ (hash >> 32)).count_ones().is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_threshold_parts_right_from_wrong() {
        let (found, agreement) = threshold(&[(0.2, false), (0.8, true), (0.4, false), (0.6, true)]).unwrap();
        assert!((found - 0.5).abs() < 1e-12 && (agreement - 1.0).abs() < 1e-12);
        assert_eq!(threshold(&[(0.2, true), (0.9, true)]), Some((0.0, 1.0)));
        let (above, agreement) = threshold(&[(1.0, false)]).unwrap();
        assert!(above > 1.0 && (agreement - 1.0).abs() < 1e-12);
        assert_eq!(threshold(&[]), None);
        assert_eq!(agreement_at(&[], 0.5), None);
    }

    proptest! {
        #[test]
        fn no_threshold_agrees_better(judged in vec(((0_u32..20).prop_map(|n| f64::from(n) / 20.0), any::<bool>()), 1..40)) {
            let (found, agreement) = threshold(&judged).unwrap();
            prop_assert_eq!(agreement_at(&judged, found), Some(agreement));
            for at in 0..=42 {
                let other = f64::from(at) / 40.0 - 0.0125;
                prop_assert!(agreement_at(&judged, other).unwrap() <= agreement);
            }
        }
    }

    #[test]
    fn about_half_of_the_questions_calibrate() {
        for seed in 0..5 {
            let n = (0..1000).filter(|at| calibrates(&format!("question {at}"), seed)).count();
            assert!((430..=570).contains(&n), "{n} of 1000");
        }
        assert_eq!(calibrates("q1", 7), calibrates("q1", 7));
    }
}
