//! Training from the outside: what it learns, that it is repeatable, and that its text is read as it predicts.

use evaluate::random::SplitMix64;
use retrieval::Forest;

use super::*;

const NAMES: [&str; 3] = ["blend.z", "useful", "noise"];
const N_ROWS: usize = 20;

/// A question whose right candidate has a high second feature, of which some are missing; the first says little.
fn question(seed: u64) -> (Vec<f32>, Vec<u8>) {
    let mut random = SplitMix64::new(seed);
    let right = random.below(N_ROWS);
    let mut share = || random.below(1000) as f32 / 1000.0;
    let mut features = Vec::new();
    for at in 0..N_ROWS {
        let (prior, useful, noise) = (share(), share(), share());
        let useful = if at == right { useful + 0.6 } else { useful };
        features.extend([prior, if share() < 0.1 { f32::NAN } else { useful }, noise]);
    }
    (features, (0..N_ROWS).map(|at| u8::from(at == right)).collect())
}

fn options() -> Options {
    Options { min_data_in_leaf: 20, held_out: 0.2, patience: 10, ..Options::default() }
}

fn trainer(order: impl Iterator<Item = u64>, options: Options) -> Trainer {
    let names = NAMES.map(str::to_owned).to_vec();
    let mut trainer = Trainer::new(names, options).unwrap();
    for seed in order {
        let (features, labels) = question(seed);
        assert!(trainer.add(&format!("q{seed}"), &features, &labels, &[]).unwrap());
    }
    trainer
}

fn trained(mut trainer: Trainer) -> (Trainer, Vec<Progress>) {
    let mut steps = Vec::new();
    loop {
        steps.push(trainer.step().unwrap());
        if steps.last().unwrap().is_done {
            return (trainer, steps);
        }
    }
}

#[test]
fn what_ranks_well_is_learned_and_held_for_questions_that_were_not_seen() {
    let (trainer, steps) = trained(trainer(0..120, options()));
    let last = steps.last().unwrap();
    assert!(last.training > steps[0].training + 0.1, "{steps:?}");
    assert!(last.held_out.unwrap() > steps[0].held_out.unwrap() + 0.1);
    let forest = Forest::parse(&trainer.model()).unwrap();
    let mut n_first = 0;
    for seed in 1000..1100 {
        let (features, labels) = question(seed);
        let score = |row: &[f32]| {
            let row: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            forest.predict(&row) + 0.5 * row[0]
        };
        let scores: Vec<f64> = features.chunks(3).map(score).collect();
        let best = (0..N_ROWS).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
        n_first += usize::from(labels[best] == 1);
    }
    assert!(n_first > 40, "{n_first} of 100, by chance 5");
}

#[test]
fn the_same_questions_give_the_same_text_in_whatever_order_they_come() {
    let text = |order: Vec<u64>| trained(trainer(order.into_iter(), options())).0.model();
    let forth = text((0..60).collect());
    assert_eq!(forth, text((0..60).rev().collect()));
    let other = Options { seed: 8, ..options() };
    assert_ne!(forth, trained(trainer(0..60, other)).0.model());
}

#[test]
fn the_text_is_that_of_the_best_round() {
    let (trainer, steps) = trained(trainer(0..80, options()));
    let last = steps.last().unwrap();
    assert_eq!(trainer.model().matches("Tree=").count(), last.best.max(1));
    let best = steps.iter().map(|step| step.held_out.unwrap()).fold(0.0, f64::max);
    assert!((steps[last.best - 1].held_out.unwrap() - best).abs() < 1e-12);
    assert!(last.round == last.best + options().patience || last.round == last.rounds);
}

#[test]
fn without_held_out_questions_all_trees_are_grown_and_kept() {
    let options = Options { held_out: 0.0, rounds: 12, ..options() };
    let (trainer, steps) = trained(trainer(0..60, options));
    let last = *steps.last().unwrap();
    assert_eq!((last.round, last.best, last.held_out), (12, 12, None));
    assert_eq!(trainer.model().matches("Tree=").count(), 12);
    let (mut trainer, text) = (trainer.clone(), trainer.model());
    assert_eq!(trainer.step().unwrap(), last);
    assert_eq!(trainer.model(), text);
}

#[test]
fn too_few_questions_are_refused_with_their_number() {
    let mut few = trainer(0..49, options());
    let (features, _) = question(1);
    assert!(!few.add("none", &features, &[0; N_ROWS], &[]).unwrap());
    assert!(!few.add("all", &features, &[1; N_ROWS], &[]).unwrap());
    assert_eq!(few.n_questions(), 49);
    let error = few.step().unwrap_err().to_string();
    assert!(error.starts_with("49 questions") && error.contains("50 or more"), "{error}");
    let (features, labels) = question(49);
    few.add("one more", &features, &labels, &[]).unwrap();
    assert!(few.step().is_ok());
    assert!(few.add("late", &features, &labels, &[]).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let refused = |list: &[&str], options: Options| Trainer::new(names(list), options).is_err();
    assert!(refused(&[], options()) && refused(&["blend.z", "blend.z"], options()));
    assert!(refused(&["blend.z", "a b"], options()) && refused(&["a"], options()));
    for wrong in [
        Options { rounds: 0, ..options() },
        Options { num_leaves: 1, ..options() },
        Options { max_bin: 256, ..options() },
        Options { learning_rate: 0.0, ..options() },
        Options { learning_rate: f64::NAN, ..options() },
        Options { held_out: 0.6, ..options() },
        Options { lambda_l2: -1.0, ..options() },
        Options { prior: Some(Prior { feature: "blend.z".to_owned(), weight: f64::NAN }), ..options() },
    ] {
        assert!(refused(&NAMES, wrong.clone()), "{wrong:?}");
    }
    let mut trainer = trainer(0..1, options());
    assert!(trainer.add("short", &[0.0; 5], &[0, 1], &[]).is_err());
    assert!(trainer.add("label", &[0.0; 6], &[0, 99], &[]).is_err());
}

#[test]
fn only_the_best_by_the_prior_are_learned_from() {
    let mut trainer =
        Trainer::new(NAMES.map(str::to_owned).to_vec(), Options { depth: 2, ..options() }).unwrap();
    // The right one is last of three by the prior.
    let rows = [3.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    assert!(!trainer.add("below", &rows, &[0, 0, 1], &[]).unwrap());
    assert!(trainer.add("within", &rows, &[0, 1, 0], &[]).unwrap());
}

/// A forest over one feature in another order than the trainer's: high values of the second are right.
const BASE: &str = "# by hand\nidf=x\nprior=blend.z 0.5\nfeature_names=useful blend.z\nTree=0\nnum_leaves=2\nnum_cat=0\n\
    split_feature=0\nthreshold=0.9\ndecision_type=8\nleft_child=-1\nright_child=-2\nleaf_value=0 1\nend of trees\n";

#[test]
fn training_goes_on_with_a_forest_whose_trees_stay_first() {
    let base = |row: &[f32]| if row[1] > 0.9 { 1.0 } else { 0.0 } + 0.5 * row[0];
    let names = NAMES.map(str::to_owned).to_vec();
    let options = Options { held_out: 0.0, rounds: 20, ..options() };
    let mut trainer = Trainer::new(names, options).unwrap().onto(Base::parse(BASE).unwrap()).unwrap();
    for seed in 0..80 {
        let (features, labels) = question(seed);
        let scores: Vec<f32> = features.chunks(3).map(base).collect();
        assert!(trainer.add(&format!("q{seed}"), &features, &labels, &[]).is_err(), "its scores are missing");
        assert!(trainer.add(&format!("q{seed}"), &features, &labels, &scores).unwrap());
    }
    let (trainer, steps) = trained(trainer);
    assert!(steps.last().unwrap().training > steps[0].training, "{steps:?}");
    let model = trainer.model();
    assert!(model.contains("\nidf=x\nprior=blend.z 0.5\nfeature_names=useful blend.z noise\n"), "{model}");
    let forest = Forest::parse(&model).unwrap();
    assert_eq!(model.matches("Tree=").count(), 21);
    // The scores that training ended with are those of the text: the first tree is the base's.
    let mut n_first = 0;
    for seed in 1000..1100 {
        let (features, labels) = question(seed);
        let score = |row: &[f32]| {
            let [prior, useful, noise] = [row[0], row[1], row[2]].map(f64::from);
            forest.predict(&[useful, prior, noise]) + 0.5 * prior
        };
        let scores: Vec<f64> = features.chunks(3).map(score).collect();
        let best = (0..N_ROWS).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
        n_first += usize::from(labels[best] == 1);
    }
    assert!(n_first > 40, "{n_first} of 100, by chance 5");
}

#[test]
fn what_is_no_forest_is_not_gone_on_with() {
    for (bad, says) in [
        ("", "does not end"),
        ("end of trees", "names no features"),
        ("feature_names=a b\nend of trees", "has no trees"),
    ] {
        assert!(Base::parse(bad).unwrap_err().to_string().contains(says), "{bad:?}");
    }
}

#[test]
fn scores_without_end_and_the_most_bins_leave_every_leaf_finite() {
    let names = NAMES.map(str::to_owned).to_vec();
    let options = Options { held_out: 0.0, rounds: 5, max_bin: 255, ..options() };
    let mut trainer = Trainer::new(names, options).unwrap().onto(Base::parse(BASE).unwrap()).unwrap();
    for seed in 0..60 {
        let (features, labels) = question(seed);
        let scores: Vec<f32> =
            (0..N_ROWS).map(|at| if at % 2 == 0 { f32::INFINITY } else { f32::NAN }).collect();
        assert!(trainer.add(&format!("q{seed}"), &features, &labels, &scores).unwrap());
    }
    let (trainer, _) = trained(trainer);
    assert!(!trainer.model().contains("NaN") && !trainer.model().contains("inf\n"), "{}", trainer.model());
}
