//! Rankers that ship, trained by `models/train_ranker.py` and `models/train_linear.py`.

use std::sync::OnceLock;

use retrieval::{FeatureGroup, LambdaMart, LinearRanker};

static CHINESE: &str = include_str!("../../../models/ranker_zh.txt");
static MODEL: &str = include_str!("../../../models/ranker.txt");

/// The ranker; `None` where the model that was built in cannot be read, which a test excludes.
pub(crate) fn ranker() -> Option<&'static LambdaMart> {
    static RANKER: OnceLock<Option<LambdaMart>> = OnceLock::new();
    RANKER.get_or_init(|| LambdaMart::parse(MODEL).ok()).as_ref()
}

/// The ranker with the features of the regulatory graph withheld.
pub(crate) fn ranker_without_graph() -> Option<&'static LambdaMart> {
    static RANKER: OnceLock<Option<LambdaMart>> = OnceLock::new();
    let withheld = [FeatureGroup::Graph, FeatureGroup::Semantic];
    RANKER.get_or_init(|| ranker().map(|ranker| ranker.clone().without(&withheld))).as_ref()
}

/// The ranker of questions that are mostly Chinese, Japanese or Korean; `None` as for [`ranker`].
pub(crate) fn ranker_zh() -> Option<&'static LinearRanker> {
    static RANKER: OnceLock<Option<LinearRanker>> = OnceLock::new();
    RANKER.get_or_init(|| LinearRanker::parse(CHINESE).ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_ships_can_be_read_and_is_small() {
        assert!(LambdaMart::parse(MODEL).is_ok());
        assert!(ranker().is_some());
        assert!(MODEL.len() <= 500_000);
        assert!(MODEL.lines().filter(|line| line.contains("sha256=")).count() == 3);
    }

    #[test]
    fn the_forest_reads_features_of_the_graph_that_can_be_withheld() {
        assert!(ranker_without_graph().is_some() && ranker_without_graph() != ranker());
        let none = ranker().unwrap().clone().without(&[FeatureGroup::Keyword]);
        assert_eq!(Some(&none), ranker(), "those of the Chinese ranker it never reads");
    }

    #[test]
    fn the_model_for_chinese_can_be_read_and_is_small() {
        assert!(LinearRanker::parse(CHINESE).is_ok());
        assert!(ranker_zh().is_some());
        assert!(CHINESE.len() <= 20_000);
        assert!(CHINESE.lines().filter(|line| line.contains("sha256=")).count() == 3);
    }

    #[test]
    fn each_script_has_the_ranker_that_was_trained_on_it() {
        let name = |question| crate::second_stage(question).map(|stage| stage.name().to_owned());
        assert_eq!(name("What is an apiary?").as_deref(), Some("lambdamart"));
        assert_eq!(name("什么是蜂场？").as_deref(), Some("linear"));
    }
}
