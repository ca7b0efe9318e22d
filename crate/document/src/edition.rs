//! Which edition a document is, and which of its provisions are no longer law, by its own words.

use serde::{Deserialize, Serialize};

use crate::{SectionId, Tree};

/// What a document says of its edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// What is said.
    pub kind: EditionKind,
    /// As printed, one line: "VER09.211223", "as amended to 1 July 2023", "自2006年1月1日起施行".
    pub text: String,
    /// The date in it: `2023-07-01` (`2023-07`, `2023`).
    pub date: Option<String>,
}

/// What is said of an edition. In order of what tells best of when a text is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EditionKind {
    /// To when changes are in it: "as amended to", "consolidated to", 修订, 修正.
    Consolidated,
    /// From when it holds: "in force from", "effective date", 施行.
    Effective,
    /// A number of its own: "VER09.211223", "Version 3.2", "Second Edition".
    Version,
    /// When it was made: "dated", "issued", "adopted", 公布, 通过; the year of its title.
    Issued,
}

impl EditionKind {
    /// The kind's name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consolidated => "consolidated",
            Self::Effective => "effective",
            Self::Version => "version",
            Self::Issued => "issued",
        }
    }
}

/// A section that says that it holds no law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The section, with those below it.
    pub section: SectionId,
    /// What it says.
    pub standing: Standing,
}

/// Why a section holds no law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Standing {
    /// Repealed, revoked, deleted, omitted, 废止.
    Repealed,
    /// Another text stands in its place.
    Superseded,
    /// Kept free: "Reserved", "Not used".
    Reserved,
}

impl Standing {
    /// The standing's name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Repealed => "repealed",
            Self::Superseded => "superseded",
            Self::Reserved => "reserved",
        }
    }
}

impl Tree {
    /// The date of the document: of what it says of its edition the best that has one.
    pub fn date(&self) -> Option<&str> {
        let dated = self.editions.iter().filter(|edition| edition.date.is_some());
        // Of two of a kind the later: a text is amended more than once.
        let best = dated.max_by(|a, b| b.kind.cmp(&a.kind).then_with(|| a.date.cmp(&b.date)))?;
        best.date.as_deref()
    }

    /// Why a section holds no law: what itself or the innermost section above it says.
    pub fn standing(&self, section: SectionId) -> Option<Standing> {
        if self.withdrawn.is_empty() {
            return None;
        }
        let own = |id: SectionId| {
            let at = self.withdrawn.binary_search_by_key(&id, |withdrawn| withdrawn.section).ok()?;
            self.withdrawn.get(at).map(|withdrawn| withdrawn.standing)
        };
        let mut at = Some(section);
        // Parents come before their children; the count guards against trees that break this.
        for _ in 0..=self.sections.len() {
            let id = at?;
            if let Some(standing) = own(id) {
                return Some(standing);
            }
            at = self.sections.get(id.idx()).and_then(|node| node.parent);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_a_document_is_the_latest_of_the_best_kind() {
        let edition =
            |kind, date: Option<&str>| Edition { kind, text: String::new(), date: date.map(str::to_owned) };
        let mut tree = Tree::default();
        assert_eq!(tree.date(), None);
        tree.editions =
            vec![edition(EditionKind::Issued, Some("2024-01-01")), edition(EditionKind::Version, None)];
        assert_eq!(tree.date(), Some("2024-01-01"));
        tree.editions.push(edition(EditionKind::Consolidated, Some("2013-12-28")));
        tree.editions.push(edition(EditionKind::Consolidated, Some("2018-10-26")));
        tree.editions.push(edition(EditionKind::Effective, Some("2020-01-01")));
        assert_eq!(tree.date(), Some("2018-10-26"));
    }
}
