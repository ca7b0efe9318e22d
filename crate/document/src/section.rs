//! The section tree of a document, its notes, and its references, terms and names. Made by `sections`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    BlockId, CrossReference, DefinedTerm, Edition, Entity, LegalStatus, NoteId, PageId, SectionId, TextRange,
    Withdrawn,
};

/// Structure of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The sections in reading order, parents before their children. `sections[0]` is the root, of level 0, which covers
    /// the whole document.
    pub sections: Vec<Section>,
    /// The notes in reading order.
    pub notes: Vec<Note>,
    /// References to provisions, in order of the text.
    pub references: Vec<CrossReference>,
    /// Defined terms, in order of the text.
    pub terms: Vec<DefinedTerm>,
    /// Names, dates and amounts, in order of the text.
    pub entities: Vec<Entity>,
    /// Statements of the document about its edition.
    pub editions: Vec<Edition>,
    /// Sections that are not in force, in order.
    pub withdrawn: Vec<Withdrawn>,
}

impl Tree {
    /// The sections from the outermost below the root to `section` itself.
    pub fn path(&self, section: SectionId) -> Vec<SectionId> {
        let mut path = Vec::new();
        let mut next = Some(section);
        while let Some(id) = next {
            let Some(node) = self.sections.get(id.idx()) else { break };
            if node.level == 0 || path.len() > self.sections.len() {
                break;
            }
            path.push(id);
            next = node.parent;
        }
        path.reverse();
        path
    }

    /// The headings of [`Self::path`] as text ("Part 3 Conduct", "3.2 Disclosure").
    pub fn path_titles(&self, section: SectionId) -> Vec<String> {
        self.path(section)
            .iter()
            .filter_map(|id| self.sections.get(id.idx()))
            .map(|node| node.title.clone())
            .filter(|title| !title.is_empty())
            .collect()
    }

    /// The innermost section that holds all of `range`; the root where none does.
    pub fn innermost(&self, range: TextRange) -> SectionId {
        Section::innermost(&self.sections, range)
    }

    /// The innermost section that holds the byte `at`; the root where none does.
    pub fn innermost_at(&self, at: u32) -> SectionId {
        self.innermost(TextRange { start: at, end: at.saturating_add(1) })
    }

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

    /// The note with this id.
    pub fn note(&self, id: NoteId) -> Option<&Note> {
        self.notes.get(id.idx())
    }
}

/// A section: a node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The enclosing section; `None` for the root only.
    pub parent: Option<SectionId>,
    /// Depth: 0 for the root, greater than its parent's.
    pub level: u8,
    /// Its number, if any.
    pub label: Option<Label>,
    /// Its heading as printed, with its number ("Article 19 Duties of the board"). For a provision whose number runs into
    /// its text, the number and the run-in heading.
    pub title: String,
    /// Range of the heading: a heading block, or the run-in part of a paragraph. `None` for the root.
    pub heading: Option<TextRange>,
    /// Range of its text with its heading and all subsections.
    pub range: TextRange,
    /// Its own blocks, without those of subsections: heading and body. Footnotes are in [`Tree::notes`].
    pub blocks: Vec<BlockId>,
    /// True for a self-contained numbered provision (`Article 19`, `第十九条`, `Rule 11.2.1`), which becomes an article
    /// chunk. Articles do not nest.
    pub is_article: bool,
}

impl Section {
    /// The innermost of `sections` that holds all of `range`; the first, which is the root, where none does. The
    /// sections are those of a tree: in order of the text, parents before their children. Cost: a binary search and
    /// the depth of the tree.
    pub fn innermost(sections: &[Self], range: TextRange) -> SectionId {
        let mut idx =
            sections.partition_point(|section| section.range.start <= range.start).saturating_sub(1);
        while let Some(section) = sections.get(idx).filter(|section| !section.range.contains(range)) {
            // Stored trees are checked, others need not keep the order: each step goes down, so it ends.
            let Some(parent) = section.parent.filter(|parent| parent.idx() < idx) else {
                return SectionId(0);
            };
            idx = parent.idx();
        }
        SectionId::from_idx(idx)
    }

    /// The word in capitals before the numbers of at least three sections: the short title of a rulebook ("COBS").
    pub fn number_prefix(sections: &[Self]) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for label in sections.iter().filter_map(|section| section.label.as_ref()) {
            if let Some((word, number)) = label.text.split_once(' ')
                && word.len() > 1
                && word.bytes().all(|b| b.is_ascii_uppercase())
                && number.starts_with(|c: char| c.is_ascii_digit())
                && number.contains('.')
            {
                *counts.entry(word).or_default() += 1;
            }
        }
        counts.into_iter().filter(|&(_, n)| n >= 3).max_by_key(|&(_, n)| n).map(|(word, _)| word.to_owned())
    }
}

/// Number of a section, as printed and normalised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    /// As printed: "Article 19", "3.2.1", "(a)", "第十九条".
    pub text: String,
    /// Normalised: the kind of numbering and its components in lower case, such as `article 19`, `3.2.1`, `(a)`,
    /// `条 19`.
    pub key: String,
}

/// A footnote or endnote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its marker: "3", "*".
    pub marker: String,
    /// The page on which it starts, if the source has pages.
    pub page: Option<PageId>,
    /// Its footnote blocks.
    pub blocks: Vec<BlockId>,
    /// Its marks, as indices into [`crate::Layout::marks`]; empty for an orphan.
    pub marks: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EditionKind;

    /// Sections given as parent, start and end.
    fn tree(sections: &[(Option<u32>, usize, usize)]) -> Tree {
        let section = |&(parent, start, end): &(Option<u32>, usize, usize)| Section {
            parent: parent.map(SectionId),
            level: u8::from(parent.is_some()),
            label: None,
            title: String::new(),
            heading: None,
            range: TextRange::new(start, end),
            blocks: Vec::new(),
            is_article: false,
        };
        Tree { sections: sections.iter().map(section).collect(), ..Tree::default() }
    }

    #[test]
    fn the_innermost_section_holds_the_whole_range() {
        let tree = tree(&[(None, 0, 40), (Some(0), 10, 30), (Some(1), 10, 19), (Some(1), 20, 30)]);
        let innermost = |start, end| tree.innermost(TextRange::new(start, end)).0;
        assert_eq!(innermost(12, 15), 2);
        assert_eq!(innermost(20, 30), 3);
        assert_eq!(innermost(15, 25), 1, "over the edge of two subsections");
        assert_eq!(innermost(19, 20), 1, "between two subsections");
        assert_eq!(innermost(25, 35), 0);
        assert_eq!(innermost(90, 99), 0, "outside the text");
        assert_eq!((tree.innermost_at(9).0, tree.innermost_at(10).0, tree.innermost_at(29).0), (0, 2, 3));
    }

    #[test]
    fn trees_without_order_or_sections_have_a_root() {
        assert_eq!(Tree::default().innermost_at(7), SectionId(0));
        let tree = tree(&[(None, 0, 40), (Some(2), 10, 30), (Some(1), 10, 19)]);
        assert_eq!(tree.innermost_at(35), SectionId(0));
        tree.innermost_at(u32::MAX);
    }

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
