//! The ranker that ships, against what LightGBM says of the same rows.

use retrieval::{Forest, LambdaMart};

const MODEL: &str = include_str!("../../../models/ranker.txt");
/// Score, then features; written by `models/train_ranker.py`.
const EXAMPLES: &str = include_str!("ranker-examples.tsv");

#[test]
fn scores_are_lightgbms_to_the_last_bit() {
    let forest = Forest::parse(MODEL).unwrap();
    let n_features = forest.features().count();
    let mut n = 0;
    for line in EXAMPLES.lines() {
        let values: Vec<f64> = line.split('\t').map(|value| value.parse().unwrap()).collect();
        let (score, row) = values.split_first().unwrap();
        assert_eq!(row.len(), n_features);
        assert_eq!(forest.predict(row).to_bits(), score.to_bits(), "row {n}");
        n += 1;
    }
    assert!(n >= 50);
}

#[test]
fn a_model_of_another_idf_or_of_unknown_features_is_refused_by_name() {
    let other = MODEL.replace("idf=ln(1+(N-n+0.5)/(n+0.5))", "idf=ln(N/n)");
    assert!(LambdaMart::parse(&other).unwrap_err().to_string().contains("ln(N/n)"));
    let other = MODEL.replacen("lexical.z", "lexical.zeta", 1);
    assert!(LambdaMart::parse(&other).unwrap_err().to_string().contains("lexical.zeta"));
}

#[test]
fn any_damage_gives_an_error_or_another_model_never_a_panic() {
    for at in (0..MODEL.len()).step_by(97) {
        let (head, tail) = MODEL.split_at_checked(at).unwrap();
        for damaged in
            [head.to_owned(), format!("{head}9{tail}"), format!("{head}-{tail}"), format!("{head}\n{tail}")]
        {
            if let Ok(forest) = Forest::parse(&damaged) {
                assert!(!forest.predict(&[]).is_nan() || damaged.contains("nan"));
            }
        }
    }
}
