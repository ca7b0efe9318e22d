//! Language model of a command: its endpoints, their keys, and the profile that it is asked under.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::Profile;

use crate::endpoint::{Endpoint, Key, Protocol};
use crate::failure::Failure;

/// Environment variable of the model's key.
const KEY: &str = "PINCITE_API_KEY";
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
    llm_model: Option<String>,
    /// Protocol of the endpoint.
    #[arg(long, value_parser = protocol(), default_value = "openai")]
    protocol: Protocol,
    /// Timeout of a reply, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl LlmArgs {
    /// Name of the model; empty if there is none.
    pub(crate) fn model(&self) -> &str {
        self.llm_model.as_deref().unwrap_or_default()
    }

    /// The endpoint of `--llm`; `None` if it is not given.
    pub(crate) fn endpoint(&self) -> Result<Option<Endpoint>, Failure> {
        let Some(base) = &self.llm else { return Ok(None) };
        self.endpoint_at(base, Key::of(KEY.to_owned())).map(Some)
    }

    /// An endpoint of another model at another address, with a name for the variable of its key.
    pub(crate) fn other(&self, name: &str, base: &str, model: &str) -> Result<Endpoint, Failure> {
        let timeout = Duration::from_secs(self.timeout);
        Endpoint::new(base, self.protocol, model, timeout, Key::of(variable(name)))
    }

    /// An endpoint at another address for the same model.
    fn endpoint_at(&self, base: &str, key: Key) -> Result<Endpoint, Failure> {
        Endpoint::new(base, self.protocol, self.model(), Duration::from_secs(self.timeout), key)
    }
}

fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(["openai", "anthropic"]).map(|name| match name.as_str() {
        "anthropic" => Protocol::Anthropic,
        _ => Protocol::Openai,
    })
}

/// Endpoints from the arguments.
pub(crate) struct Endpoints {
    own: Endpoint,
    named: BTreeMap<String, Endpoint>,
}

impl Endpoints {
    /// The endpoints of a model and of pairs NAME=BASE_URL; `None` without `--llm`.
    pub(crate) fn new(args: &LlmArgs, pairs: &[String]) -> Result<Option<Self>, Failure> {
        let Some(own) = args.endpoint()? else { return Ok(None) };
        let mut named = BTreeMap::new();
        let mut variables = BTreeMap::new();
        for pair in pairs {
            let (name, base) = pair
                .split_once('=')
                .filter(|(name, _)| !name.is_empty() && !name.contains(['/', '?', '#']))
                .ok_or_else(|| Failure::Usage("--endpoint: expected NAME=BASE_URL".to_owned()))?;
            let mut key = Key::of(variable(name));
            if let Some(other) = variables.insert(key.variable.clone(), name)
                && other != name
                && key.value.is_some()
            {
                return Err(Failure::Usage(format!(
                    "{} is set, and the endpoints {other} and {name} both have it: rename one",
                    key.variable
                )));
            }
            // The key of the model goes to its own server and to no other.
            if key.value.is_none() && own.has_origin_of(base) {
                key.value.clone_from(&own.key().value);
            }
            named.insert(name.to_owned(), args.endpoint_at(base, key)?);
        }
        Ok(Some(Self { own, named }))
    }

    /// The endpoint that a profile names, or that of `--llm`.
    pub(crate) fn named(&self, name: Option<&str>) -> Option<&Endpoint> {
        match name {
            None => Some(&self.own),
            Some(name) => self.named.get(name),
        }
    }
}

/// Environment variable of the key of an endpoint that a profile names: `small-one` has `PINCITE_API_KEY_SMALL_ONE`.
fn variable(name: &str) -> String {
    let of = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{KEY}_{}", name.chars().map(of).collect::<String>())
}

/// A profile that ships, or a file.
pub(crate) fn profile(name: &str) -> Result<Profile, Failure> {
    if let Some(profile) = Profile::named(name) {
        return Ok(profile);
    }
    let path = Path::new(name);
    if !path.exists() {
        let known: Vec<&str> = Profile::names().collect();
        return Err(Failure::Usage(format!(
            "{name}: neither a profile nor a file, expected {}",
            known.join(", ")
        )));
    }
    let file = std::fs::read_to_string(path).map_err(|error| Failure::io(path, &error))?;
    let (profile, _) = engine::read_profile(&file).map_err(|error| Failure::about(path, &error))?;
    Ok(profile)
}
