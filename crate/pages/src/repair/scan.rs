//! Rebuilding of a file that lopdf cannot open: a scan for every `N G obj`, whatever the cross-reference data says, and
//! decryption.
//!
//! One pass over the bytes. Of two objects with one number the later counts, as after incremental updates; object
//! streams are opened in file order among them. The trailer is the last one whose `Root` is a catalog, else any
//! catalog object, else a catalog of our own without pages, so that page objects are taken one by one. Linear in the
//! file and in what it inflates to.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, Stream};

use crate::meter::Meter;
use crate::objects::{Objects, as_dict, integer, reference};
use crate::{Error, Options};

use super::crypt::SecurityHandler;
use super::parser::{MAX_PARSED, ObjectParser};
use super::stream::{EndstreamSearch, data_start, end_by_length};

/// Maximum indirect objects kept.
const MAX_OBJECTS: usize = 300_000;
/// Maximum inflated size of all object streams together, in bytes.
const MAX_INFLATED: usize = 128 << 20;
/// Object number of an added catalog; no other object has it.
const CATALOG_ID: u32 = u32::MAX;

/// Rebuilds a document by scanning for its objects; true beside it if there are more of them than are kept.
pub(crate) fn rebuild(bytes: &[u8], options: &Options) -> Result<(Document, bool), Error> {
    let mut scan = ObjectScan::new(options.limits.objects.of(bytes.len()));
    scan.file(bytes);
    let trailer = scan.trailer();
    scan.decrypt(&trailer, options)?;
    scan.open_object_streams(options);
    let trailer = scan.with_root(trailer);
    let cut = scan.objects_left == 0 || scan.objects.len() >= MAX_OBJECTS;
    let mut document = Document::new();
    document.objects = scan.objects.into_iter().map(|(id, found)| ((id, 0), found.object)).collect();
    document.trailer = trailer;
    Ok((document, cut))
}

/// Objects and trailers of a file, as scanned.
struct ObjectScan {
    objects: BTreeMap<u32, ScannedObject>,
    /// Trailers in file order, cross-reference streams included.
    trailers: Vec<Dictionary>,
    /// Objects of any kind that may still be parsed.
    objects_left: usize,
}

/// Indirect object.
struct ScannedObject {
    object: Object,
    generation: u16,
    /// Offset of the object, or of the object stream that holds it.
    at: usize,
}

impl ObjectScan {
    /// Scan that parses at most this many objects.
    fn new(max_objects: usize) -> Self {
        let objects_left = max_objects.min(MAX_PARSED);
        Self { objects: BTreeMap::new(), trailers: Vec::new(), objects_left }
    }

    /// Scans the whole file.
    fn file(&mut self, bytes: &[u8]) {
        let starts = object_starts(bytes);
        let mut ends = EndstreamSearch::new(bytes);
        let mut data_end = 0;
        for (idx, start) in starts.iter().enumerate() {
            if start.start < data_end {
                // Inside stream data.
                continue;
            }
            let next = starts.get(idx + 1).map_or(bytes.len(), |next| next.start);
            let Some(head) = bytes.get(start.end..next) else { continue };
            let mut parser = ObjectParser::new(head, self.objects_left);
            let object = parser.object();
            self.objects_left = parser.budget;
            let Some(id) = start.id else {
                if let Some(Object::Dictionary(dict)) = object {
                    self.trailers.push(dict);
                }
                continue;
            };
            let Some(mut object) = object else { continue };
            if let Object::Dictionary(dict) = &object
                && parser.word(b"stream")
            {
                let start = start.end + parser.lexer.pos();
                // An `endobj` right before the next object means that the `endstream` of this one is lost.
                let cut = bytes.get(start..next).filter(|rest| rest.trim_ascii_end().ends_with(b"endobj"));
                let (data, end) = self.stream_data(bytes, start, dict, &mut ends, cut.map(|_| next));
                data_end = end;
                if dict.has_type(b"XRef") {
                    self.trailers.push(dict.clone());
                    continue;
                }
                object = Object::Stream(Stream::new(dict.clone(), data.to_vec()));
            }
            if self.objects.len() < MAX_OBJECTS || self.objects.contains_key(&id) {
                self.objects
                    .insert(id, ScannedObject { object, generation: start.generation, at: start.start });
            }
        }
    }

    /// Data of a stream and its end: by `Length` if `endstream` follows there, else the next `endstream` before `cut`,
    /// else the end of the file.
    fn stream_data<'b>(
        &self,
        bytes: &'b [u8],
        start: usize,
        dict: &Dictionary,
        ends: &mut EndstreamSearch<'_>,
        cut: Option<usize>,
    ) -> (&'b [u8], usize) {
        let start = data_start(bytes, start);
        let length = dict.get(b"Length").ok().and_then(|length| match length {
            Object::Reference((id, _)) => self.objects.get(id).and_then(|found| integer(&found.object)),
            length => integer(length),
        });
        let by_length = end_by_length(bytes, start, length);
        let last = cut.unwrap_or(bytes.len());
        let end = by_length.unwrap_or_else(|| ends.at_or_after(start).map_or(last, |end| end.min(last)));
        let mut data = bytes.get(start..end).unwrap_or_default();
        if by_length.is_none() {
            // The line end before `endstream` is not part of the data.
            data = data.strip_suffix(b"\n").unwrap_or(data);
            data = data.strip_suffix(b"\r").unwrap_or(data);
        }
        (data, end)
    }

    /// Dictionary that `object` is or refers to.
    fn dict<'o>(&'o self, object: &'o Object) -> Option<&'o Dictionary> {
        match object {
            Object::Reference((id, _)) => self.objects.get(id).and_then(|found| as_dict(&found.object)),
            object => as_dict(object),
        }
    }

    /// Last trailer whose root is a catalog, else the last with a root, else the last.
    fn trailer(&self) -> Dictionary {
        let has_root = |trailer: &&Dictionary| trailer.has(b"Root");
        let good = |trailer: &&Dictionary| {
            let root = trailer.get(b"Root").ok().and_then(|root| self.dict(root));
            root.is_some_and(|root| root.has(b"Pages"))
        };
        let last = |wanted: &dyn Fn(&&Dictionary) -> bool| self.trailers.iter().rev().find(wanted).cloned();
        last(&good).or_else(|| last(&has_root)).or_else(|| last(&|_| true)).unwrap_or_default()
    }

    /// Decrypts every object in place, by the `Encrypt` entry of this trailer or of another one.
    fn decrypt(&mut self, trailer: &Dictionary, options: &Options) -> Result<(), Error> {
        let named = |trailer: &Dictionary| trailer.get(b"Encrypt").ok().cloned();
        let own = named(trailer).filter(|encrypt| !encrypt.is_null());
        let Some(encrypt) = own.clone().or_else(|| self.trailers.iter().rev().find_map(named)) else {
            return Ok(());
        };
        let dict = self.dict(&encrypt).map(|dict| self.flat(dict, 0));
        // A dictionary without a handler is damage: the structure can be read all the same.
        let Some(dict) = dict.filter(|dict| dict.has(b"Filter") || dict.has(b"V")) else { return Ok(()) };
        let ids = std::iter::once(trailer).chain(&self.trailers).filter_map(|trailer| {
            let ids = match trailer.get(b"ID").ok()? {
                Object::Reference((id, _)) => &self.objects.get(id)?.object,
                ids => ids,
            };
            Some(ids.as_array().ok()?.first()?.as_str().ok()?.to_vec())
        });
        let mut ids: Vec<Vec<u8>> = ids.take(8).collect();
        ids.push(Vec::new());
        let handler =
            match SecurityHandler::open(&dict, &ids, options.password.as_deref().unwrap_or_default()) {
                Ok(handler) => handler,
                // Only an older trailer is encrypted: the file may have been saved without encryption since.
                Err(_) if own.is_none() => return Ok(()),
                Err(error) => return Err(error.describe(options.password.is_some())),
            };
        let encrypt = reference(&encrypt).map(|(id, _)| id);
        for (&id, found) in &mut self.objects {
            if Some(id) != encrypt {
                handler.decrypt(id, found.generation, &mut found.object);
            }
        }
        Ok(())
    }

    /// Copy of a dictionary with references replaced by their objects, three levels deep.
    fn flat(&self, dict: &Dictionary, depth: usize) -> Dictionary {
        let mut flat = Dictionary::new();
        for (key, value) in dict.iter().take(64) {
            let value = match value {
                Object::Reference((id, _)) => match self.objects.get(id) {
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

    /// Adds the objects of all object streams.
    fn open_object_streams(&mut self, options: &Options) {
        let mut streams: Vec<(usize, u32)> = self
            .objects
            .iter()
            .filter(|(_, found)| matches!(&found.object, Object::Stream(s) if s.dict.has_type(b"ObjStm")))
            .map(|(&id, found)| (found.at, id))
            .collect();
        streams.sort_unstable();
        let (document, meter) = (Document::new(), Meter::unlimited());
        for (at, id) in streams {
            let objects = Objects { document: &document, limits: &options.limits, meter: &meter };
            if meter.costs().inflated > MAX_INFLATED {
                return;
            }
            let Some(ScannedObject { object: Object::Stream(stream), .. }) = self.objects.get(&id) else {
                continue;
            };
            let number = |key: &[u8]| match stream.dict.get(key).ok()? {
                Object::Reference((id, _)) => integer(&self.objects.get(id)?.object),
                number => integer(number),
            };
            let first = number(b"First").and_then(|n| usize::try_from(n).ok());
            let Ok(data) = objects.data(stream) else { continue };
            for (id, object) in object_stream_members(&data, first, &mut self.objects_left) {
                let older = self.objects.get(&id).is_none_or(|found| found.at <= at);
                if older && (self.objects.len() < MAX_OBJECTS || self.objects.contains_key(&id)) {
                    self.objects.insert(id, ScannedObject { object, generation: 0, at });
                }
            }
        }
    }

    /// Trailer with a root that is a catalog with pages, if the file has one; else with an empty catalog.
    fn with_root(&mut self, mut trailer: Dictionary) -> Dictionary {
        let good = |dict: Option<&Dictionary>| dict.is_some_and(|dict| dict.has(b"Pages"));
        trailer.remove(b"Encrypt");
        if good(trailer.get(b"Root").ok().and_then(|root| self.dict(root))) {
            return trailer;
        }
        let is_catalog =
            |found: &ScannedObject| as_dict(&found.object).is_some_and(|dict| dict.has_type(b"Catalog"));
        let catalogs = self.objects.iter().filter(|(_, found)| is_catalog(found));
        let catalog = catalogs.max_by_key(|(_, found)| (good(as_dict(&found.object)), found.at));
        let id = catalog.map_or(CATALOG_ID, |(&id, _)| id);
        if id == CATALOG_ID {
            let mut catalog = Dictionary::new();
            catalog.set("Type", Object::Name(b"Catalog".to_vec()));
            let object = Object::Dictionary(catalog);
            self.objects.insert(id, ScannedObject { object, generation: 0, at: 0 });
        }
        trailer.set("Root", Object::Reference((id, 0)));
        trailer
    }
}

/// Objects of an object stream: pairs of number and offset, then the objects.
fn object_stream_members(data: &[u8], first: Option<usize>, objects_left: &mut usize) -> Vec<(u32, Object)> {
    let mut header = ObjectParser::new(data, *objects_left);
    let mut pairs = Vec::new();
    while let (Some(id), Some(offset)) =
        (header_number(&mut header, first), header_number(&mut header, first))
    {
        pairs.push((id, offset));
    }
    *objects_left = header.budget;
    let first = first.unwrap_or_else(|| header.lexer.pos());
    let mut object_stream_members = Vec::new();
    for (id, offset) in pairs {
        let Ok(offset) = usize::try_from(offset) else { continue };
        let Some(body) = first.checked_add(offset).and_then(|at| data.get(at..)) else { continue };
        let mut parser = ObjectParser::new(body, *objects_left);
        let object = parser.object();
        *objects_left = parser.budget;
        if let Some(object) = object {
            object_stream_members.push((id, object));
        }
        if *objects_left == 0 {
            break;
        }
    }
    object_stream_members
}

/// Next number of the header of an object stream, which ends at `first`.
fn header_number(header: &mut ObjectParser<'_>, first: Option<usize>) -> Option<u32> {
    header.lexer.skip_space();
    let inside = first.is_none_or(|first| header.lexer.pos() < first);
    let digit = header.lexer.peek().is_some_and(|byte| byte.is_ascii_digit());
    header.budget = header.budget.checked_sub(1)?;
    match (inside && digit).then(|| header.lexer.number().into_object())? {
        Object::Integer(n) => u32::try_from(n).ok(),
        _ => None,
    }
}

/// Keyword at which an object (`N G obj`) or a trailer starts.
struct ObjectStart {
    /// Object number; `None` for a trailer.
    id: Option<u32>,
    generation: u16,
    start: usize,
    /// Offset after the keyword.
    end: usize,
}

/// Starts of all objects and trailers.
fn object_starts(bytes: &[u8]) -> Vec<ObjectStart> {
    let mut object_starts = Vec::new();
    for (at, window) in bytes.windows(3).enumerate() {
        match window {
            b"obj" => object_starts.extend(object_start(bytes, at)),
            b"tra" if bytes.get(at..).is_some_and(|rest| rest.starts_with(b"trailer")) => {
                object_starts.push(ObjectStart { id: None, generation: 0, start: at, end: at + 7 });
            }
            _ => {}
        }
        if object_starts.len() >= 2 * MAX_OBJECTS {
            break;
        }
    }
    object_starts
}

fn object_start(bytes: &[u8], at: usize) -> Option<ObjectStart> {
    // Numbers have at most ten digits; a wider window would make a file of digits slow.
    let before = bytes.get(at.saturating_sub(32)..at)?;
    let (rest, _) = split_suffix(before, |byte| crate::lexer::is_space(*byte));
    let (rest, generation) = split_suffix(rest, u8::is_ascii_digit);
    let (rest, space) = split_suffix(rest, |byte| crate::lexer::is_space(*byte));
    let (rest, id) = split_suffix(rest, u8::is_ascii_digit);
    if space.is_empty() {
        return None;
    }
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u32>().ok();
    let id = number(id).filter(|&id| id != CATALOG_ID)?;
    let generation = u16::try_from(number(generation)?).ok()?;
    let start = at - (before.len() - rest.len());
    Some(ObjectStart { id: Some(id), generation, start, end: at + 3 })
}

/// Splits `bytes` before its longest suffix of `wanted` bytes.
fn split_suffix(bytes: &[u8], wanted: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let length = bytes.iter().rev().take_while(|byte| wanted(byte)).count();
    bytes.split_at(bytes.len() - length)
}
