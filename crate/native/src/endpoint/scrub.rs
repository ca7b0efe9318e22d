//! Takes secrets out of a server's words before they are shown, and before they are shortened: a message that is cut in
//! the middle of a key no longer has the key in it. As `scrubber` in `www/llm/errors.js`.

/// Placeholder of a secret.
const HIDDEN: &str = "•••";
/// Shortest secret that is looked for, in bytes: shorter ones are in every text.
const MIN_SECRET: usize = 3;
/// Beginnings of keys in common use, and the shortest rest.
const PREFIXES: [&str; 5] = ["sk-", "pk-", "key-", "gsk-", "xai-"];
const MIN_REST: usize = 6;

/// A text without these secrets, in any form in which a server may repeat them, and without what looks like a key: a
/// gateway may repeat one of its own.
pub(super) fn scrubbed<'s>(text: &str, secrets: impl IntoIterator<Item = &'s str>) -> String {
    let mut forms: Vec<String> = secrets
        .into_iter()
        .filter(|secret| secret.len() >= MIN_SECRET)
        .flat_map(|secret| [secret.to_owned(), percent_encoded(secret), percent_decoded(secret)])
        .collect();
    // The longest first: one may contain another.
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    let clean = forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), HIDDEN));
    without_keys(&clean)
}

/// A text without words such as `sk-…`, and without what follows `Bearer` or `Basic`.
fn without_keys(text: &str) -> String {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=".contains(c);
    let mut clean = String::with_capacity(text.len());
    let mut after_scheme = false;
    for word in text.split_inclusive(|c: char| !is_of_key(c)) {
        let key = word.trim_end_matches(|c: char| !is_of_key(c));
        let rest = PREFIXES.iter().find_map(|prefix| key.strip_prefix(prefix));
        if rest.is_some_and(|rest| rest.len() >= MIN_REST) || after_scheme && key.len() >= MIN_REST {
            clean.push_str(HIDDEN);
            clean.push_str(word.get(key.len()..).unwrap_or_default());
        } else {
            clean.push_str(word);
        }
        after_scheme = key.eq_ignore_ascii_case("bearer")
            || key.eq_ignore_ascii_case("basic")
            || after_scheme && key.is_empty();
    }
    clean
}

fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_go_in_every_form() {
        let secrets = ["a key/with=signs", "x%2Fy%3D1"];
        let said = "no a key/with=signs, no a%20key%2Fwith%3Dsigns, no x%2Fy%3D1, no x/y=1!";
        assert_eq!(scrubbed(said, secrets), "no •••, no •••, no •••, no •••!");
        assert_eq!(scrubbed("at a", ["a"]), "at a", "too short to be one");
    }

    #[test]
    fn what_looks_like_a_key_goes_too() {
        assert_eq!(scrubbed("wrong key: sk-proj-123456.", []), "wrong key: •••");
        assert_eq!(scrubbed("got (Bearer  abcdef123)", []), "got (Bearer  •••)");
        assert_eq!(scrubbed("sk-1 is short, a basic set of pk-", []), "sk-1 is short, a basic set of pk-");
    }
}
