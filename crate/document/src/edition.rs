//! Editions of a document and the legal status of its sections, both by the document's own words.

use serde::{Deserialize, Serialize};

use crate::{SectionId, Tree};

/// A statement of a document about its edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// Kind of statement.
    pub kind: EditionKind,
    /// The statement as printed, one line: "VER09.211223", "as amended to 1 July 2023", "自2006年1月1日起施行".
    pub text: String,
    /// The date that it names, ISO 8601 to the precision printed: `2023-07-01`, `2023-07`, `2023`.
    pub date: Option<String>,
}

/// Kinds of edition statement, the best evidence of a text's date first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EditionKind {
    /// The last amendment included: "as amended to", "consolidated to", 修订, 修正.
    Consolidated,
    /// Entry into force: "in force from", "effective date", 施行.
    Effective,
    /// A version number or name: "VER09.211223", "Version 3.2", "Second Edition".
    Version,
    /// The date of making: "dated", "issued", "adopted", 公布, 通过; the year of its title.
    Issued,
}

impl EditionKind {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consolidated => "consolidated",
            Self::Effective => "effective",
            Self::Version => "version",
            Self::Issued => "issued",
        }
    }
}

/// A section that its own text says is not in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn {
    /// The section; its subsections are not in force either.
    pub section: SectionId,
    /// The reason.
    pub legal_status: LegalStatus,
}

/// Legal status of a section that is not in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LegalStatus {
    /// Repealed, revoked, deleted, omitted, 废止.
    Repealed,
    /// Replaced by another text.
    Superseded,
    /// A number kept free: "Reserved", "Not used".
    Reserved,
}

impl LegalStatus {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Repealed => "repealed",
            Self::Superseded => "superseded",
            Self::Reserved => "reserved",
        }
    }
}

impl Tree {
    /// The document's date: that of the best edition statement that has one, the later of two of a kind.
    pub fn date(&self) -> Option<&str> {
        let dated = self.editions.iter().filter(|edition| edition.date.is_some());
        // A text is amended more than once.
        let best = dated.max_by(|a, b| b.kind.cmp(&a.kind).then_with(|| a.date.cmp(&b.date)))?;
        best.date.as_deref()
    }

    /// The legal status of a section: its own, else that of the innermost enclosing section that has one. `None`
    /// for a section in force.
    pub fn legal_status(&self, section: SectionId) -> Option<LegalStatus> {
        if self.withdrawn.is_empty() {
            return None;
        }
        let own = |id: SectionId| {
            let at = self.withdrawn.binary_search_by_key(&id, |withdrawn| withdrawn.section).ok()?;
            self.withdrawn.get(at).map(|withdrawn| withdrawn.legal_status)
        };
        let mut at = Some(section);
        // Parents come before their children; the count guards against trees that break this.
        for _ in 0..=self.sections.len() {
            let id = at?;
            if let Some(status) = own(id) {
                return Some(status);
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
