//! Our own way into a file whose structure lopdf cannot follow: every `N G obj` is found by scanning, whatever
//! the cross-reference data says, and what the file is encrypted with is undone here.
//!
//! One pass over the bytes. Of two objects with one number the later one counts, as in a file that was saved
//! in increments; object streams are opened where they stand in that order. The trailer is the last one whose
//! `Root` leads to a catalog, else any object that calls itself one, else a catalog of ours without pages, so
//! that the page objects of the file are taken one by one. Linear in the file and in what it inflates to.

mod crypt;
mod mend;
mod syntax;

use std::cell::Cell;
use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, Stream};

use crate::objects::{Objects, as_dict, integer, reference};
use crate::{Error, Options};
use crypt::Crypt;
pub(crate) use mend::mend;
use syntax::Syntax;

/// Indirect objects that are kept.
const MAX_OBJECTS: usize = 1_000_000;
/// Objects of any kind that are made.
const MAX_PARTS: usize = 3_000_000;
/// Bytes that all object streams together may inflate to.
const MAX_INFLATED: usize = 128 << 20;
/// The number of a catalog that we add; no other object has it.
const CATALOG_ID: u32 = u32::MAX;

/// Reads a file by scanning for its objects.
pub(crate) fn rescue(bytes: &[u8], options: &Options) -> Result<Document, Error> {
    let mut scan = Scan::default();
    scan.file(bytes);
    let trailer = scan.trailer();
    scan.decrypt(&trailer, options)?;
    scan.open_object_streams(options);
    let trailer = scan.with_root(trailer);
    let mut document = Document::new();
    document.objects = scan.found.into_iter().map(|(id, found)| ((id, 0), found.object)).collect();
    document.trailer = trailer;
    Ok(document)
}

/// What the scan found.
struct Scan {
    found: BTreeMap<u32, Found>,
    /// In file order, with those of cross-reference streams.
    trailers: Vec<Dictionary>,
    /// Parts that may still be made.
    parts: usize,
}

struct Found {
    object: Object,
    generation: u16,
    /// Where it begins; for what an object stream holds, where that begins.
    at: usize,
}

impl Default for Scan {
    fn default() -> Self {
        Self { found: BTreeMap::new(), trailers: Vec::new(), parts: MAX_PARTS }
    }
}

impl Scan {
    fn file(&mut self, bytes: &[u8]) {
        let marks = markers(bytes);
        let mut ends = StreamEnds::new(bytes);
        let mut data_end = 0;
        for (idx, mark) in marks.iter().enumerate() {
            if mark.start < data_end {
                // Inside the data of a stream.
                continue;
            }
            let next = marks.get(idx + 1).map_or(bytes.len(), |next| next.start);
            let Some(head) = bytes.get(mark.end..next) else { continue };
            let mut syntax = Syntax::new(head, self.parts);
            let object = syntax.object();
            self.parts = syntax.budget;
            let Some(id) = mark.id else {
                if let Some(Object::Dictionary(dict)) = object {
                    self.trailers.push(dict);
                }
                continue;
            };
            let Some(mut object) = object else { continue };
            if let Object::Dictionary(dict) = &object
                && syntax.word(b"stream")
            {
                let start = mark.end + syntax.lexer.pos();
                // A next object right behind an `endobj` says that this one's `endstream` is lost.
                let cut = bytes.get(start..next).filter(|rest| rest.trim_ascii_end().ends_with(b"endobj"));
                let (data, end) = self.stream_data(bytes, start, dict, &mut ends, cut.map(|_| next));
                data_end = end;
                if dict.has_type(b"XRef") {
                    self.trailers.push(dict.clone());
                    continue;
                }
                object = Object::Stream(Stream::new(dict.clone(), data.to_vec()));
            }
            if self.found.len() < MAX_OBJECTS || self.found.contains_key(&id) {
                self.found.insert(id, Found { object, generation: mark.generation, at: mark.start });
            }
        }
    }

    /// The data of a stream and where it ends: by its length where `endstream` stands there, else at the next
    /// `endstream` before `cut`, else at the end of the file.
    fn stream_data<'b>(
        &self,
        bytes: &'b [u8],
        start: usize,
        dict: &Dictionary,
        ends: &mut StreamEnds<'_>,
        cut: Option<usize>,
    ) -> (&'b [u8], usize) {
        let start = data_start(bytes, start);
        let length = dict.get(b"Length").ok().and_then(|length| match length {
            Object::Reference((id, _)) => self.found.get(id).and_then(|found| integer(&found.object)),
            length => integer(length),
        });
        let told = told_length(bytes, start, length);
        let last = cut.unwrap_or(bytes.len());
        let end = told.unwrap_or_else(|| ends.after(start).map_or(last, |end| end.min(last)));
        let mut data = bytes.get(start..end).unwrap_or_default();
        if told.is_none() {
            // The line end before `endstream` is not data.
            data = data.strip_suffix(b"\n").unwrap_or(data);
            data = data.strip_suffix(b"\r").unwrap_or(data);
        }
        (data, end)
    }

    fn dict<'o>(&'o self, object: &'o Object) -> Option<&'o Dictionary> {
        match object {
            Object::Reference((id, _)) => self.found.get(id).and_then(|found| as_dict(&found.object)),
            object => as_dict(object),
        }
    }

    /// The last trailer whose root is a catalog, else the last one with a root, else the last.
    fn trailer(&self) -> Dictionary {
        let has_root = |trailer: &&Dictionary| trailer.has(b"Root");
        let good = |trailer: &&Dictionary| {
            let root = trailer.get(b"Root").ok().and_then(|root| self.dict(root));
            root.is_some_and(|root| root.has(b"Pages"))
        };
        let last = |wanted: &dyn Fn(&&Dictionary) -> bool| self.trailers.iter().rev().find(wanted).cloned();
        last(&good).or_else(|| last(&has_root)).or_else(|| last(&|_| true)).unwrap_or_default()
    }

    /// Decrypts every object in place. The key that the chosen trailer does not name, another may.
    fn decrypt(&mut self, trailer: &Dictionary, options: &Options) -> Result<(), Error> {
        let named = |trailer: &Dictionary| trailer.get(b"Encrypt").ok().cloned();
        let own = named(trailer).filter(|encrypt| !encrypt.is_null());
        let Some(encrypt) = own.clone().or_else(|| self.trailers.iter().rev().find_map(named)) else {
            return Ok(());
        };
        let dict = self.dict(&encrypt).map(|dict| self.flat(dict, 0));
        // What names no handler is damage, and nothing to unlock with: the structure can be read all the same.
        let Some(dict) = dict.filter(|dict| dict.has(b"Filter") || dict.has(b"V")) else { return Ok(()) };
        let ids = std::iter::once(trailer).chain(&self.trailers).filter_map(|trailer| {
            let ids = match trailer.get(b"ID").ok()? {
                Object::Reference((id, _)) => &self.found.get(id)?.object,
                ids => ids,
            };
            Some(ids.as_array().ok()?.first()?.as_str().ok()?.to_vec())
        });
        let mut ids: Vec<Vec<u8>> = ids.take(8).collect();
        ids.push(Vec::new());
        let crypt = match Crypt::open(&dict, &ids, options.password.as_deref().unwrap_or_default()) {
            Ok(crypt) => crypt,
            // An older trailer's word only: the file may have been saved without encryption since.
            Err(_) if own.is_none() => return Ok(()),
            Err(locked) => return Err(locked.error(options.password.is_some())),
        };
        let encrypt = reference(&encrypt).map(|(id, _)| id);
        for (&id, found) in &mut self.found {
            if Some(id) != encrypt {
                crypt.decrypt(id, found.generation, &mut found.object);
            }
        }
        Ok(())
    }

    /// The dictionary with what its entries refer to in place of the references, a few levels deep.
    fn flat(&self, dict: &Dictionary, depth: usize) -> Dictionary {
        let mut flat = Dictionary::new();
        for (key, value) in dict.iter().take(64) {
            let value = match value {
                Object::Reference((id, _)) => match self.found.get(id) {
                    Some(found) => &found.object,
                    None => continue,
                },
                value => value,
            };
            match value {
                Object::Dictionary(inner) if depth < 3 => {
                    flat.set(key.clone(), self.flat(inner, depth + 1));
                }
                Object::Dictionary(_) | Object::Array(_) | Object::Stream(_) => {}
                plain => flat.set(key.clone(), plain.clone()),
            }
        }
        flat
    }

    fn open_object_streams(&mut self, options: &Options) {
        let mut streams: Vec<(usize, u32)> = self
            .found
            .iter()
            .filter(|(_, found)| matches!(&found.object, Object::Stream(s) if s.dict.has_type(b"ObjStm")))
            .map(|(&id, found)| (found.at, id))
            .collect();
        streams.sort_unstable();
        let (document, inflated) = (Document::new(), Cell::new(0));
        for (at, id) in streams {
            let objects = Objects { document: &document, limits: &options.limits, inflated: &inflated };
            if inflated.get() > MAX_INFLATED {
                return;
            }
            let Some(Found { object: Object::Stream(stream), .. }) = self.found.get(&id) else { continue };
            let number = |key: &[u8]| match stream.dict.get(key).ok()? {
                Object::Reference((id, _)) => integer(&self.found.get(id)?.object),
                number => integer(number),
            };
            let first = number(b"First").and_then(|n| usize::try_from(n).ok());
            let Ok(data) = objects.data(stream) else { continue };
            for (id, object) in members(&data, first, &mut self.parts) {
                let older = self.found.get(&id).is_none_or(|found| found.at <= at);
                if older && (self.found.len() < MAX_OBJECTS || self.found.contains_key(&id)) {
                    self.found.insert(id, Found { object, generation: 0, at });
                }
            }
        }
    }

    /// The trailer with a root that is a catalog with pages, where the file has one.
    fn with_root(&mut self, mut trailer: Dictionary) -> Dictionary {
        let good = |dict: Option<&Dictionary>| dict.is_some_and(|dict| dict.has(b"Pages"));
        trailer.remove(b"Encrypt");
        if good(trailer.get(b"Root").ok().and_then(|root| self.dict(root))) {
            return trailer;
        }
        let is_catalog = |found: &Found| as_dict(&found.object).is_some_and(|dict| dict.has_type(b"Catalog"));
        let catalogs = self.found.iter().filter(|(_, found)| is_catalog(found));
        let catalog = catalogs.max_by_key(|(_, found)| (good(as_dict(&found.object)), found.at));
        let id = catalog.map_or(CATALOG_ID, |(&id, _)| id);
        if id == CATALOG_ID {
            let mut catalog = Dictionary::new();
            catalog.set("Type", Object::Name(b"Catalog".to_vec()));
            let object = Object::Dictionary(catalog);
            self.found.insert(id, Found { object, generation: 0, at: 0 });
        }
        trailer.set("Root", Object::Reference((id, 0)));
        trailer
    }
}

/// Where the data begins behind the keyword `stream`.
fn data_start(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\r', b'\n', ..]) => at + 2,
        Some([b'\r' | b'\n', ..]) => at + 1,
        _ => at,
    }
}

/// Where the data ends by its length, if `endstream` stands there.
fn told_length(bytes: &[u8], start: usize, length: Option<i64>) -> Option<usize> {
    let end = start.checked_add(usize::try_from(length?).ok()?)?;
    let rest = bytes.get(end..)?;
    let space = rest.iter().take(4).take_while(|&&byte| crate::lexer::is_space(byte)).count();
    rest.get(space..)?.starts_with(b"endstream").then_some(end)
}

/// The objects of an object stream: `N` pairs of number and offset, then the objects.
fn members(data: &[u8], first: Option<usize>, parts: &mut usize) -> Vec<(u32, Object)> {
    let mut header = Syntax::new(data, *parts);
    let mut pairs = Vec::new();
    while let (Some(id), Some(offset)) =
        (header_number(&mut header, first), header_number(&mut header, first))
    {
        pairs.push((id, offset));
    }
    *parts = header.budget;
    let first = first.unwrap_or_else(|| header.lexer.pos());
    let mut members = Vec::new();
    for (id, offset) in pairs {
        let Ok(offset) = usize::try_from(offset) else { continue };
        let Some(body) = first.checked_add(offset).and_then(|at| data.get(at..)) else { continue };
        let mut syntax = Syntax::new(body, *parts);
        let object = syntax.object();
        *parts = syntax.budget;
        if let Some(object) = object {
            members.push((id, object));
        }
        if *parts == 0 {
            break;
        }
    }
    members
}

fn header_number(header: &mut Syntax<'_>, first: Option<usize>) -> Option<u32> {
    header.lexer.skip_space();
    let inside = first.is_none_or(|first| header.lexer.pos() < first);
    let digit = header.lexer.peek().is_some_and(|byte| byte.is_ascii_digit());
    header.budget = header.budget.checked_sub(1)?;
    match (inside && digit).then(|| header.lexer.number().into_object())? {
        Object::Integer(n) => u32::try_from(n).ok(),
        _ => None,
    }
}

/// `N G obj`, or `trailer` without a number.
struct Marker {
    id: Option<u32>,
    generation: u16,
    start: usize,
    /// Behind the keyword.
    end: usize,
}

/// Every place where an object or a trailer may begin.
fn markers(bytes: &[u8]) -> Vec<Marker> {
    let mut markers = Vec::new();
    for (at, window) in bytes.windows(3).enumerate() {
        match window {
            b"obj" => markers.extend(object_marker(bytes, at)),
            b"tra" if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"trailer")) => {
                markers.push(Marker { id: None, generation: 0, start: at, end: at + 7 });
            }
            _ => {}
        }
        if markers.len() >= 2 * MAX_OBJECTS {
            break;
        }
    }
    markers
}

fn object_marker(bytes: &[u8], at: usize) -> Option<Marker> {
    // Digits seldom pass ten; a wider look would make a file of digits slow.
    let before = bytes.get(at.saturating_sub(32)..at)?;
    let (rest, _) = back_over(before, |byte| crate::lexer::is_space(*byte));
    let (rest, generation) = back_over(rest, u8::is_ascii_digit);
    let (rest, space) = back_over(rest, |byte| crate::lexer::is_space(*byte));
    let (rest, id) = back_over(rest, u8::is_ascii_digit);
    if space.is_empty() {
        return None;
    }
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u32>().ok();
    let id = number(id).filter(|&id| id != CATALOG_ID)?;
    let generation = u16::try_from(number(generation)?).ok()?;
    let start = at - (before.len() - rest.len());
    Some(Marker { id: Some(id), generation, start, end: at + 3 })
}

/// Splits off the end of `bytes` all of which is `wanted`.
fn back_over(bytes: &[u8], wanted: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let length = bytes.iter().rev().take_while(|byte| wanted(byte)).count();
    bytes.split_at(bytes.len() - length)
}

/// Where `endstream` stands, asked for ever later positions: each byte is looked at once.
struct StreamEnds<'a> {
    bytes: &'a [u8],
    next: Option<usize>,
    searched: usize,
}

impl<'a> StreamEnds<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: None, searched: 0 }
    }

    /// The first one at or after `from`.
    fn after(&mut self, from: usize) -> Option<usize> {
        if self.next.is_some_and(|next| next >= from) {
            return self.next;
        }
        let from = from.max(self.searched);
        let rest = self.bytes.get(from..).unwrap_or_default();
        self.next = rest.windows(9).position(|window| window == b"endstream").map(|at| from + at);
        self.searched = self.next.map_or(self.bytes.len(), |next| next + 1);
        self.next
    }
}

#[cfg(test)]
mod tests;
