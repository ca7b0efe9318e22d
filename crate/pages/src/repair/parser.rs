//! Lenient parser of objects, which trusts no offset.
//!
//! Generations of references are dropped unless asked for: of two objects with one number the scan keeps the later.

use document::Slice as _;
use lopdf::{Dictionary, Object, ObjectId, StringFormat};

use crate::lexer::{Lexer, Operand, is_regular};

/// Maximum nesting of arrays and dictionaries.
const MAX_DEPTH: usize = 64;

/// Maximum objects of any kind that are parsed from one file.
pub(super) const MAX_PARSED: usize = 1_500_000;

/// Parser of objects. It counts them, since a file of tiny objects only could exhaust the memory.
pub(super) struct ObjectParser<'a> {
    pub(super) lexer: Lexer<'a>,
    /// Objects that may still be parsed.
    pub(super) budget: usize,
    /// True if references keep their generations.
    pub(super) generations: bool,
}

impl<'a> ObjectParser<'a> {
    pub(super) fn new(bytes: &'a [u8], budget: usize) -> Self {
        Self { lexer: Lexer::new(bytes), budget, generations: false }
    }

    /// Parses the object at the current position; `None` if there is none.
    pub(super) fn object(&mut self) -> Option<Object> {
        self.at_depth(0)
    }

    /// Parses `N G obj` of this object id; false if it is not there.
    pub(super) fn header(&mut self, (id, generation): ObjectId) -> bool {
        self.lexer.skip_space();
        self.integer() == Some(id) && self.integer() == Some(u32::from(generation)) && self.word(b"obj")
    }

    /// Parses `word`; false if it is not there.
    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        self.lexer.skip_space();
        let found = self.lexer.rest().strip_prefix(word).is_some();
        if found {
            self.lexer.skip(word.len());
        }
        found
    }

    fn at_depth(&mut self, depth: usize) -> Option<Object> {
        self.budget = self.budget.checked_sub(1)?;
        self.lexer.skip_space();
        let byte = self.lexer.peek()?;
        Some(match byte {
            b'0'..=b'9' => return self.number_or_reference(),
            b'+' | b'-' | b'.' => self.lexer.number().into_object(),
            b'/' => {
                self.lexer.skip(1);
                Object::Name(self.lexer.name())
            }
            b'(' => {
                self.lexer.skip(1);
                Object::String(self.lexer.literal_string(), StringFormat::Literal)
            }
            b'<' if self.lexer.rest().get(1) == Some(&b'<') => {
                self.lexer.skip(2);
                Object::Dictionary(self.dictionary(depth))
            }
            b'<' => {
                self.lexer.skip(1);
                Object::String(self.lexer.hex_string(), StringFormat::Hexadecimal)
            }
            b'[' => {
                self.lexer.skip(1);
                Object::Array(self.array(depth))
            }
            _ if is_regular(byte) => match self.peek_word() {
                b"true" => self.constant(4, Object::Boolean(true)),
                b"false" => self.constant(5, Object::Boolean(false)),
                b"null" => self.constant(4, Object::Null),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn constant(&mut self, length: usize, object: Object) -> Object {
        self.lexer.skip(length);
        object
    }

    /// Parses a reference (`12 0 R`) or a number.
    fn number_or_reference(&mut self) -> Option<Object> {
        let start = self.lexer.pos();
        if let Some(id) = self.integer()
            && let Some(generation) = self.integer()
            && self.peek_word() == b"R"
        {
            self.lexer.skip(1);
            let generation = u16::try_from(generation).ok().filter(|_| self.generations);
            return Some(Object::Reference((id, generation.unwrap_or(0))));
        }
        self.lexer.seek(start);
        let number = self.lexer.number();
        // "612]" and "612abc" both end the number.
        matches!(number, Operand::Number(_)).then(|| number.into_object())
    }

    /// Parses an unsigned integer and the white space after it.
    fn integer(&mut self) -> Option<u32> {
        let rest = self.lexer.rest();
        let digits = rest.iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
        let value = std::str::from_utf8(rest.get(..digits)?).ok()?.parse().ok()?;
        self.lexer.skip(digits);
        self.lexer.skip_space();
        Some(value)
    }

    /// Regular characters at the current position.
    fn peek_word(&self) -> &'a [u8] {
        let rest = self.lexer.rest();
        let length = rest.iter().take(64).take_while(|&&byte| is_regular(byte)).count();
        rest.slice(..length)
    }

    /// Skips a word that is no object; false if it ends the enclosing object.
    fn skip_junk(&mut self) -> bool {
        let word = self.peek_word();
        if matches!(word, b"endobj" | b"stream" | b"endstream" | b"obj") {
            return false;
        }
        self.lexer.skip(word.len().max(1));
        self.budget > 0
    }

    fn array(&mut self, depth: usize) -> Vec<Object> {
        let mut items = Vec::new();
        loop {
            self.lexer.skip_space();
            match self.lexer.peek() {
                None => return items,
                Some(b']') => {
                    self.lexer.skip(1);
                    return items;
                }
                // The end of the enclosing dictionary ends the array too.
                Some(b'>') if depth > 0 => return items,
                _ if depth >= MAX_DEPTH => return items,
                _ => {}
            }
            match self.at_depth(depth + 1) {
                Some(item) => items.push(item),
                None if self.skip_junk() => {}
                None => return items,
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Dictionary {
        let mut dict = Dictionary::new();
        loop {
            self.lexer.skip_space();
            match self.lexer.peek() {
                None => return dict,
                Some(b'>') => {
                    self.lexer.skip(1);
                    if self.lexer.peek() == Some(b'>') {
                        self.lexer.skip(1);
                    }
                    return dict;
                }
                Some(b'/') => {}
                Some(_) if self.skip_junk() => continue,
                Some(_) => return dict,
            }
            if depth >= MAX_DEPTH {
                return dict;
            }
            self.lexer.skip(1);
            let key = self.lexer.name();
            self.lexer.skip_space();
            if self.lexer.peek() == Some(b'>') && self.lexer.rest().get(1) == Some(&b'>') {
                continue;
            }
            if let Some(value) = self.at_depth(depth + 1) {
                dict.set(key, value);
            } else if self.budget == 0 {
                return dict;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_with_references_and_past_junk() {
        let mut parser = ObjectParser::new(
            b"<< /A 1 0 R /B [1 2 R 3 0 R (x)] /C -1.5 /D <</E true/F/G>> junk /H 7 /I >> rest",
            1_000,
        );
        let Some(Object::Dictionary(dict)) = parser.object() else { panic!("no dictionary") };
        assert_eq!(dict.get(b"A").unwrap(), &Object::Reference((1, 0)));
        assert_eq!(dict.get(b"B").unwrap().as_array().unwrap().len(), 3);
        assert_eq!(dict.get(b"C").unwrap(), &Object::Real(-1.5));
        assert_eq!(dict.get(b"H").unwrap(), &Object::Integer(7));
        assert!(dict.get(b"D").unwrap().as_dict().unwrap().has(b"F"));
        assert!(parser.word(b"rest"));
    }

    #[test]
    fn deep_and_open_collections_end() {
        for bytes in [b"[".repeat(100_000), b"<</A".repeat(100_000), b"[ x".repeat(10_000)] {
            let mut parser = ObjectParser::new(&bytes, 50_000);
            while parser.object().is_some() {}
        }
    }
}
