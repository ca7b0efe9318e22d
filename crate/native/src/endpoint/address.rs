//! Address of an endpoint: completed to the URL of its method, with its origin, the way there, and the secrets in it.

use std::net::{Ipv4Addr, Ipv6Addr};

use ureq::http::Uri;

use super::protocol::Protocol;
use crate::failure::Failure;

/// Parts of a parameter's name by which its value is a secret, in lower case.
const SECRET_PARTS: [&str; 8] = ["auth", "key", "token", "secret", "pass", "sig", "cred", "jwt"];
/// Whole names of parameters whose values are secrets.
const SECRET_NAMES: [&str; 4] = ["code", "pwd", "sas", "session"];

/// Address of an endpoint.
#[derive(Debug)]
pub(super) struct Address {
    /// URL of requests, with its query.
    pub(super) url: String,
    /// Scheme, host and port, as `http://localhost:11434`.
    pub(super) origin: String,
    /// True if the host is this machine.
    pub(super) is_loopback: bool,
    /// True for https.
    pub(super) is_encrypted: bool,
    /// Values of the query that are secrets.
    pub(super) secrets: Vec<String>,
}

impl Address {
    /// The address for a base URL, which may lack its version and path.
    pub(super) fn new(base: &str, protocol: Protocol) -> Result<Self, Failure> {
        let base = base.trim();
        // Neither a password nor a parameter is shown.
        let shown = base.split(['?', '#']).next().unwrap_or_default();
        let shown = shown.rsplit_once('@').map_or(shown, |(_, rest)| rest);
        let wrong = |what: &str| Failure::Usage(format!("{shown}: {what}"));
        let not_http = || wrong("not an http or https URL");
        let (base, query) = base.split_once('?').map_or((base, None), |(base, query)| (base, Some(query)));
        let base = base.split('#').next().unwrap_or_default().trim_end_matches('/');
        let uri: Uri = base.parse().map_err(|_| not_http())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(not_http)?;
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(not_http()),
        };
        if authority.as_str().contains('@') {
            return Err(wrong("a user name or password cannot stand in an address; a key can be set"));
        }
        let host = authority.host().to_ascii_lowercase();
        let port = authority.port_u16().filter(|port| *port != default_port);
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let query = query.map(|query| query.split('#').next().unwrap_or_default());
        let url = completed(base, !matches!(uri.path(), "" | "/"), protocol);
        Ok(Self {
            url: query.map_or_else(|| url.clone(), |query| format!("{url}?{query}")),
            origin: format!("{scheme}://{host}{port}"),
            is_loopback: is_loopback(&host),
            is_encrypted: scheme == "https",
            secrets: secrets(query.unwrap_or_default()),
        })
    }
}

/// URL of the method: what is missing of it is added.
fn completed(base: &str, has_path: bool, protocol: Protocol) -> String {
    let path = match protocol {
        Protocol::Openai => "/chat/completions",
        Protocol::Anthropic => "/messages",
    };
    match (base.ends_with(path), has_path) {
        (true, _) => base.to_owned(),
        (false, true) => format!("{base}{path}"),
        (false, false) => format!("{base}/v1{path}"),
    }
}

/// True if a host is this machine: `localhost`, 127.0.0.0/8, `[::1]`. Other names are what a name server says.
fn is_loopback(host: &str) -> bool {
    let v6 = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    host == "localhost"
        || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        || v6.and_then(|host| host.parse().ok()).is_some_and(|address: Ipv6Addr| address.is_loopback())
}

/// Values of a query's parameters that are secrets, as they are written.
fn secrets(query: &str) -> Vec<String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let secret = pairs.filter(|(name, value)| !value.is_empty() && names_a_secret(name));
    secret.map(|(_, value)| value.to_owned()).collect()
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.contains(&name.as_str()) || SECRET_PARTS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(base: &str) -> Address {
        Address::new(base, Protocol::Openai).unwrap()
    }

    #[test]
    fn a_base_url_is_completed_to_the_request_url() {
        let cases = [
            ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
            ("http://localhost:11434/", "http://localhost:11434/v1/chat/completions"),
            ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
            ("https://a.b/x/chat/completions", "https://a.b/x/chat/completions"),
            ("https://a.b/openai/v1?api-version=1", "https://a.b/openai/v1/chat/completions?api-version=1"),
            ("https://a.b/v1#top", "https://a.b/v1/chat/completions"),
        ];
        for (base, url) in cases {
            assert_eq!(address(base).url, url);
        }
        let anthropic = Address::new("https://a.b", Protocol::Anthropic).unwrap();
        assert_eq!(anthropic.url, "https://a.b/v1/messages");
        for wrong in ["", "localhost:1", "ftp://a.b", "http://", "http://a b", "http://user:word@a.b"] {
            assert!(Address::new(wrong, Protocol::Openai).is_err(), "{wrong}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_addresses_and_one_name() {
        for own in ["http://localhost:1/v1", "http://LOCALHOST", "http://127.0.0.1/v1", "http://[::1]:8/v1"] {
            assert!(address(own).is_loopback, "{own}");
        }
        for other in ["http://a.b/v1", "http://localhost.evil.com/v1", "http://127.evil.com", "http://[::2]"]
        {
            assert!(!address(other).is_loopback, "{other}");
        }
    }

    #[test]
    fn origins_are_compared_as_browsers_do() {
        assert_eq!(address("https://A.b:443/x").origin, address("https://a.b/y?z=1").origin);
        assert_ne!(address("https://a.b").origin, address("http://a.b").origin);
        assert_ne!(address("https://a.b").origin, address("https://a.b:444").origin);
    }

    #[test]
    fn parameters_that_hold_secrets_are_known_by_their_names() {
        let of = |query: &str| address(&format!("https://a.b/v1?{query}")).secrets;
        assert_eq!(of("api-version=1&code=x1&SIG=x2&api_key=x3&access_token=x4"), ["x1", "x2", "x3", "x4"]);
        assert!(of("api-version=2024-06-01&region=eu&code=").is_empty());
    }
}
