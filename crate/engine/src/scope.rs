//! Filter of a search as people write it: names of documents, labels of sections, dates.

use document::{ChunkKind, DocumentIdx};
use retrieval::Filter;
use serde::Deserialize;
use ts_rs::TS;

use crate::error::Error;
use crate::library::Library;

/// Passages to search. A field that is not given excludes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[ts(rename = "Filter", optional_fields)]
pub struct FilterOptions {
    /// Documents, each by its id, its file name (with or without the ending), its title or another name for it.
    #[ts(as = "Option<_>")]
    pub documents: Vec<String>,
    /// Sections with all below them, each as it is cited or headed: "Part 3", "Rule 4.2.1", "第二章".
    #[ts(as = "Option<_>")]
    pub sections: Vec<String>,
    /// Kinds of passage: `child`, `article`, `note`.
    #[ts(type = "(\"child\" | \"article\" | \"note\")[]", optional = nullable)]
    pub kinds: Vec<String>,
    /// Edition: documents that give it themselves, or have it in their name or title.
    pub edition: Option<String>,
    /// Earliest date of a document: `2023-07-01`, `2023-07` or `2023`.
    pub from: Option<String>,
    /// Latest date of a document.
    pub to: Option<String>,
    /// True to exclude sections that are repealed, superseded or reserved.
    #[ts(as = "Option<_>")]
    pub in_force: bool,
}

impl Library {
    /// The filter over this library. An unknown name excludes everything, which is no error.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] for an unknown kind or a malformed date.
    pub(crate) fn filter(&self, options: &FilterOptions) -> Result<Filter, Error> {
        let FilterOptions { documents, sections, kinds, edition, from, to, in_force } = options;
        let given = |list: &[String]| !list.is_empty();
        let kinds = kinds.iter().map(|kind| kind_of(kind)).collect::<Result<Vec<_>, _>>()?;
        Ok(Filter {
            documents: given(documents)
                .then(|| documents.iter().flat_map(|name| self.documents_called(name)).collect()),
            sections: given(sections)
                .then(|| sections.iter().flat_map(|label| self.lexicon().sections_called(label)).collect()),
            kinds: Some(kinds).filter(|kinds| !kinds.is_empty()),
            edition: edition.clone().filter(|edition| !edition.trim().is_empty()),
            from: from.as_deref().map(date).transpose()?,
            to: to.as_deref().map(date).transpose()?,
            in_force: *in_force,
        })
    }

    /// Documents of a name.
    fn documents_called(&self, name: &str) -> Vec<DocumentIdx> {
        let plain = |text: &str| text.trim().to_lowercase();
        let wanted = plain(name);
        let mut found: Vec<DocumentIdx> = Vec::new();
        for (at, entry) in self.index.iter() {
            let document = entry.segment().document();
            let stem = document.name.rsplit_once('.').map_or("", |(stem, _)| stem);
            let title = document.title.as_deref().unwrap_or_default();
            let names = [document.digest.as_str(), &document.name, stem, title];
            if names.iter().any(|other| !other.is_empty() && plain(other) == wanted) {
                found.push(at);
            }
        }
        if found.is_empty() {
            found.extend(self.lexicon().document_named(name));
        }
        found
    }
}

fn kind_of(kind: &str) -> Result<ChunkKind, Error> {
    match kind {
        "child" => Ok(ChunkKind::Child),
        "article" => Ok(ChunkKind::Article),
        "note" => Ok(ChunkKind::Note),
        _ => Err(Error::bad_argument("unknown kind, expected child, article or note")),
    }
}

/// A year, a month or a day in ISO 8601; such dates compare as text.
fn date(text: &str) -> Result<String, Error> {
    let text = text.trim();
    let parts: Vec<&str> = text.split('-').collect();
    let figures = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    let within = |part: &str, most: u32| part.parse::<u32>().is_ok_and(|value| (1..=most).contains(&value));
    let is_date = match parts.as_slice() {
        [year] => figures(year, 4),
        [year, month] => figures(year, 4) && figures(month, 2) && within(month, 12),
        [year, month, day] => {
            figures(year, 4) && figures(month, 2) && within(month, 12) && figures(day, 2) && within(day, 31)
        }
        _ => false,
    };
    if is_date {
        Ok(text.to_owned())
    } else {
        Err(Error::bad_argument("not a date, expected a form like 2023-07-31, 2023-07 or 2023"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_kinds_are_validated() {
        for good in ["2023", "2023-07", " 2023-07-31 "] {
            assert_eq!(date(good).unwrap(), good.trim());
        }
        for bad in ["", "23", "2023-7", "2023-13", "2023-07-32", "2023-07-01-02", "July 2023", "二〇二三"]
        {
            assert!(date(bad).is_err(), "{bad}");
        }
        assert!(kind_of("article").is_ok() && kind_of("parent").is_err());
    }
}
