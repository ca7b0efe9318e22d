//! Arguments of a language model that several verbs share: `--llm`, `--model`, `--protocol`, `--timeout`.

use std::time::Duration;

use crate::endpoint::{Endpoint, Key, Protocol};
use crate::failure::Failure;

/// Environment variable of the model's key.
pub(crate) const KEY: &str = "PINCITE_API_KEY";
/// Heading of these arguments in the help.
pub(crate) const HEADING: &str = "Language model (its key, if it needs one, in PINCITE_API_KEY; that of an endpoint NAME in PINCITE_API_KEY_NAME)";

/// Language model.
#[derive(clap::Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct LlmArgs {
    /// Base URL of an endpoint, such as http://localhost:11434/v1. Passages of the documents are sent there.
    #[arg(long, value_name = "BASE_URL", requires = "llm_model")]
    llm: Option<String>,
    /// Name of the model.
    #[arg(long = "model", id = "llm_model", value_name = "M", requires = "llm")]
    pub(crate) llm_model: Option<String>,
    /// Protocol of the endpoint.
    #[arg(long, value_enum, default_value = "openai")]
    protocol: Protocol,
    /// Timeout of a reply, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl LlmArgs {
    /// The endpoint of `--llm`, if it is given.
    pub(crate) fn endpoint(&self) -> Result<Option<Endpoint>, Failure> {
        let Some(base) = &self.llm else { return Ok(None) };
        self.endpoint_at(base, Key::of(KEY.to_owned()))
    }

    /// An endpoint at another address for the same model.
    pub(crate) fn endpoint_at(&self, base: &str, key: Key) -> Result<Option<Endpoint>, Failure> {
        let Some(model) = &self.llm_model else { return Ok(None) };
        Endpoint::new(base, self.protocol, model, Duration::from_secs(self.timeout), key).map(Some)
    }
}
