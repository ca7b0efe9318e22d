//! The learned ranker that ships, made by `models/train_ranker.py`.

use std::sync::OnceLock;

use retrieval::Learned;

static MODEL: &str = include_str!("../../../models/ranker.txt");

/// The ranker; `None` where the model that was built in cannot be read, which a test excludes.
pub(crate) fn ranker() -> Option<&'static Learned> {
    static RANKER: OnceLock<Option<Learned>> = OnceLock::new();
    RANKER.get_or_init(|| Learned::parse(MODEL).ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_ships_can_be_read_and_is_small() {
        assert!(Learned::parse(MODEL).is_ok());
        assert!(ranker().is_some());
        assert!(MODEL.len() <= 500_000);
        assert!(MODEL.lines().filter(|line| line.contains("sha256=")).count() == 3);
    }
}
