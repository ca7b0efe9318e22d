//! Rankers: those that ship, trained by `models/train_ranker.py` and `models/train_linear.py`, and one of the user's own.

use std::sync::{Arc, OnceLock};

use retrieval::{FeatureGroup, LambdaMart, LinearRanker, Reranker};
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::library::Library;

static CHINESE: &str = include_str!("../../../models/ranker_zh.txt");
static MODEL: &str = include_str!("../../../models/ranker.txt");

/// The forest that ships, as LightGBM's text model: what training goes on with.
pub fn shipped_ranker() -> &'static str {
    MODEL
}

/// The ranker; `None` where the model that was built in cannot be read, which a test excludes.
pub(crate) fn ranker() -> Option<&'static LambdaMart> {
    static RANKER: OnceLock<Option<LambdaMart>> = OnceLock::new();
    RANKER.get_or_init(|| LambdaMart::parse(MODEL).ok()).as_ref()
}

/// The ranker with the features of the regulatory graph withheld.
fn ranker_without_graph() -> Option<&'static LambdaMart> {
    static RANKER: OnceLock<Option<LambdaMart>> = OnceLock::new();
    let withheld = [FeatureGroup::Graph, FeatureGroup::Semantic];
    RANKER.get_or_init(|| ranker().map(|ranker| ranker.clone().without(&withheld))).as_ref()
}

/// The ranker of questions that are mostly Chinese, Japanese or Korean; `None` as for [`ranker`].
fn ranker_zh() -> Option<&'static LinearRanker> {
    static RANKER: OnceLock<Option<LinearRanker>> = OnceLock::new();
    RANKER.get_or_init(|| LinearRanker::parse(CHINESE).ok()).as_ref()
}

/// Reranker for a question: the one that was trained on questions in its script.
pub fn second_stage(question: &str) -> Option<&'static dyn Reranker> {
    match text::is_mostly_cjk(question) {
        true => ranker_zh().map(|ranker| ranker as &dyn Reranker),
        false => ranker().map(|ranker| ranker as &dyn Reranker),
    }
}

/// [`second_stage`] without the features of the regulatory graph; the linear ranker reads none.
pub(crate) fn second_stage_without_graph(question: &str) -> Option<&'static dyn Reranker> {
    match text::is_mostly_cjk(question) {
        true => second_stage(question),
        false => ranker_without_graph().map(|ranker| ranker as &dyn Reranker),
    }
}

/// Longest text of a ranker of one's own, in bytes.
const MAX_BYTES: usize = 16 << 20;

impl Library {
    /// Sets a ranker of one's own, as LightGBM's text model over our features; it takes the place of those that ship, for
    /// questions in every script. Without a text they are back. Returns its mark, by which explanations name it: the first
    /// 8 hexadecimal digits of the text's SHA-256.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] if it cannot be used, with the reason; the ranker from before stays.
    pub fn set_ranker(&mut self, text: Option<&str>) -> Result<Option<String>, Error> {
        let Some(text) = text else {
            self.ranker = None;
            return Ok(None);
        };
        if text.len() > MAX_BYTES {
            let message = format!("the ranking model has {} bytes, expected at most {MAX_BYTES}", text.len());
            return Err(Error::bad_argument(message));
        }
        let ranker = LambdaMart::parse(text).map_err(|error| Error::bad_argument(error.to_string()))?;
        let digest = Sha256::digest(text.as_bytes());
        let mark: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        self.ranker = Some(Arc::new(ranker.named(format!("lambdamart, own ranker {mark}"))));
        Ok(Some(mark))
    }

    /// The reranker of a question: the user's own, else the one that ships for its script.
    pub(crate) fn second_stage(&self, question: &str) -> Option<&dyn Reranker> {
        match &self.ranker {
            Some(ranker) => Some(ranker.as_ref()),
            None => second_stage(question).map(|ranker| ranker as &dyn Reranker),
        }
    }
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
