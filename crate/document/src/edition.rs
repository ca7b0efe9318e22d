//! Editions of a document and the legal status of its sections, both by the document's own words.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::SectionId;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
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
