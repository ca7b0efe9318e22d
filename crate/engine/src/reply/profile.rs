//! Description of a profile, for a list of profiles to choose from.

use answer::{Profile, Step};
use serde::Serialize;
use ts_rs::TS;

/// Description of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProfileInfo {
    /// Name by which the profile is chosen.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// The TOML file, to start one's own from.
    pub file: String,
    /// Endpoints that the profile names for some of its steps.
    pub endpoints: Vec<NamedEndpoint>,
}

/// Endpoint that a profile names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NamedEndpoint {
    /// Name of the endpoint.
    pub name: String,
    /// Steps that ask it.
    pub steps: Vec<Step>,
}

impl ProfileInfo {
    /// Describes a profile and its file.
    pub(crate) fn of(profile: &Profile, file: &str) -> Self {
        let mut endpoints: Vec<NamedEndpoint> = Vec::new();
        for step in Step::ALL.into_iter().filter(|&step| profile.runs(step)) {
            let (Some(name), _) = profile.endpoint(step) else { continue };
            match endpoints.iter_mut().find(|endpoint| endpoint.name == name) {
                Some(endpoint) => endpoint.steps.push(step),
                None => endpoints.push(NamedEndpoint { name, steps: vec![step] }),
            }
        }
        Self { name: profile.name.clone(), title: profile.title.clone(), file: file.to_owned(), endpoints }
    }
}
