//! Fonts and predefined tables of one file, loaded once.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::Dictionary;

use super::cmap::{CharacterCollection, PredefinedCMap};
use super::composite::PredefinedTables;
use super::font::Font;
use super::load::load;
use crate::objects::Objects;

/// Maximum fonts kept of one file; when there are more, or larger ones than may be kept, all are dropped and loaded
/// again.
const MAX_FONTS: usize = 2_000;

/// Maximum entries of the tables of all fonts kept.
const MAX_ENTRIES: usize = 400_000;

/// Fonts of one file, by the address of their dictionary: the objects of a file do not move while it is read.
#[derive(Default)]
pub(crate) struct FontCache {
    fonts: BTreeMap<usize, Arc<Font>>,
    /// Fonts loaded so far.
    n_loaded: u32,
    /// Entries of the tables of those kept.
    n_entries: usize,
    cmaps: BTreeMap<Vec<u8>, Option<Arc<PredefinedCMap>>>,
    collections: BTreeMap<Vec<u8>, Option<Arc<CharacterCollection>>>,
}

impl FontCache {
    /// Font of a dictionary, if it has been loaded.
    pub(crate) fn get(&self, font: &Dictionary) -> Option<Arc<Font>> {
        self.fonts.get(&std::ptr::from_ref(font).addr()).map(Arc::clone)
    }

    /// Loads the font of a dictionary and keeps it.
    pub(crate) fn load<'a>(&mut self, objects: &Objects<'a>, font: &'a Dictionary) -> Arc<Font> {
        let mut loaded = load(objects, font, self);
        self.n_loaded = self.n_loaded.saturating_add(1);
        loaded.style.number = self.n_loaded;
        let loaded = Arc::new(loaded);
        if self.fonts.len() >= MAX_FONTS || self.n_entries + loaded.n_entries() > MAX_ENTRIES {
            self.fonts.clear();
            self.n_entries = 0;
        }
        self.n_entries += loaded.n_entries();
        self.fonts.insert(std::ptr::from_ref(font).addr(), Arc::clone(&loaded));
        loaded
    }
}

impl PredefinedTables for FontCache {
    fn cmap(&mut self, name: &[u8]) -> Option<Arc<PredefinedCMap>> {
        if name.starts_with(b"Identity") {
            return None;
        }
        let load = || PredefinedCMap::load(name).map(Arc::new);
        self.cmaps.entry(name.to_vec()).or_insert_with(load).clone()
    }

    fn collection(&mut self, ordering: &[u8]) -> Option<Arc<CharacterCollection>> {
        let load = || CharacterCollection::load(ordering).map(Arc::new);
        self.collections.entry(ordering.to_vec()).or_insert_with(load).clone()
    }
}
