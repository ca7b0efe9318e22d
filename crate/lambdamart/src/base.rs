//! A forest that training goes on with, as LightGBM's `init_model`: its trees stay, new ones correct their sum.

use crate::error::Error;

/// Maximum length of its text, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// LightGBM's text model, as far as a longer one is made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    /// Lines that say what its scores are besides its trees' sum, such as `prior=` and `idf=`.
    pub(crate) remarks: Vec<String>,
    /// Names of its features, in the order in which its trees number them.
    pub(crate) names: Vec<String>,
    /// Its trees, each with all of its lines but the first.
    pub(crate) trees: Vec<String>,
}

impl Base {
    /// Reads a forest.
    ///
    /// # Errors
    /// If it is too long, names no features, or has no trees or no end of them.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |what: &str| Error::new(format!("the ranker that training would go on with {what}"));
        if text.len() > MAX_BYTES {
            return Err(refuse(&format!("has {} bytes, expected at most {MAX_BYTES}", text.len())));
        }
        let (text, _) = text.split_once("end of trees").ok_or_else(|| refuse("does not end"))?;
        let mut blocks = text.split("Tree=");
        let head = blocks.next().unwrap_or_default();
        let of =
            |name: &str| head.lines().find(|line| line.split_once('=').is_some_and(|(key, _)| key == name));
        let names = of("feature_names").and_then(|line| line.split_once('=')).map(|(_, names)| names);
        let names: Vec<String> = names.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let after_number = |block: &str| Some(block.split_once('\n')?.1.trim_end().to_owned());
        let trees: Vec<String> = blocks.filter_map(after_number).collect();
        match (names.is_empty(), trees.is_empty()) {
            (true, _) => Err(refuse("names no features")),
            (_, true) => Err(refuse("has no trees")),
            _ => {
                let remarks = ["idf", "prior"].into_iter().filter_map(of).map(str::to_owned).collect();
                Ok(Self { remarks, names, trees })
            }
        }
    }
}
