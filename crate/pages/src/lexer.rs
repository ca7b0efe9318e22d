//! Lexer of content streams and CMaps: operands and operators, in one pass over the bytes.
//!
//! It is our own because lopdf's decoder builds all operations of a page at once, which a hostile stream turns into
//! gigabytes. Here one token exists at a time. It never fails: bytes that form no token are skipped.

use document::Slice as _;
use lopdf::{Dictionary, Object, StringFormat};

/// Maximum nesting of arrays and dictionaries.
const MAX_DEPTH: usize = 32;
/// Maximum elements of one array or dictionary.
const MAX_ELEMENTS: usize = 300_000;

/// Token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    Operand(Operand),
    Operator(&'a [u8]),
}

/// Operand. Content streams hold no references.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Number(f64),
    Name(Vec<u8>),
    String(Vec<u8>),
    Array(Vec<Operand>),
    Dictionary(Dictionary),
    /// A boolean or null.
    Other,
}

impl Operand {
    /// Converts the operand to an object of the file, so that inline and referenced property lists are read alike.
    pub(crate) fn into_object(self) -> Object {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "checked to be a whole number in range")]
            Self::Number(n) if n.trunc() == n && n.abs() < 9e15 => Object::Integer(n as i64),
            #[expect(clippy::cast_possible_truncation, reason = "objects hold f32")]
            Self::Number(n) => Object::Real(n as f32),
            Self::Name(name) => Object::Name(name),
            Self::String(bytes) => Object::String(bytes, StringFormat::Literal),
            Self::Array(items) => Object::Array(items.into_iter().map(Self::into_object).collect()),
            Self::Dictionary(dict) => Object::Dictionary(dict),
            Self::Other => Object::Null,
        }
    }
}

/// Lexer of `bytes`.
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0 }
    }

    /// Next token; `None` at the end.
    pub(crate) fn next_token(&mut self) -> Option<Token<'a>> {
        self.token(0)
    }

    /// Rest of the bytes.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.slice(self.pos..)
    }

    /// Current position in bytes.
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Moves to a position.
    pub(crate) fn seek(&mut self, pos: usize) {
        self.pos = pos.min(self.bytes.len());
    }

    /// Skips `n` bytes.
    pub(crate) fn skip(&mut self, n: usize) {
        self.pos = self.pos.saturating_add(n).min(self.bytes.len());
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|b| b != b'\n' && b != b'\r') {
                    self.pos += 1;
                }
            } else if is_space(byte) {
                self.pos += 1;
            } else {
                break;
            }
        }
    }

    fn token(&mut self, depth: usize) -> Option<Token<'a>> {
        loop {
            self.skip_space();
            let byte = self.peek()?;
            return Some(Token::Operand(match byte {
                b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
                b'/' => {
                    self.pos += 1;
                    Operand::Name(self.name())
                }
                b'(' => {
                    self.pos += 1;
                    Operand::String(self.literal_string())
                }
                b'<' if self.bytes.get(self.pos + 1) == Some(&b'<') => {
                    self.pos += 2;
                    self.dictionary(depth)
                }
                b'<' => {
                    self.pos += 1;
                    Operand::String(self.hex_string())
                }
                b'[' => {
                    self.pos += 1;
                    self.array(depth)
                }
                b']' | b'>' | b')' | b'{' | b'}' => {
                    self.pos += 1;
                    continue;
                }
                _ => return Some(self.keyword()),
            }));
        }
    }

    pub(crate) fn keyword(&mut self) -> Token<'a> {
        let start = self.pos;
        while self.peek().is_some_and(is_regular) {
            self.pos += 1;
        }
        match self.bytes.slice(start..self.pos) {
            b"true" | b"false" | b"null" => Token::Operand(Operand::Other),
            word => Token::Operator(word),
        }
    }

    /// Number, read as leniently as by viewers: signs may repeat, a second point ends the value.
    pub(crate) fn number(&mut self) -> Operand {
        let (mut negative, mut value, mut scale, mut fraction, mut digits) =
            (false, 0f64, 1f64, false, false);
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' => {
                    digits = true;
                    if !fraction {
                        value = value * 10.0 + f64::from(byte - b'0');
                    } else if scale < 1e15 {
                        scale *= 10.0;
                        value = value * 10.0 + f64::from(byte - b'0');
                    }
                }
                b'.' if fraction => {
                    self.pos += 1;
                    while self.peek().is_some_and(is_regular) {
                        self.pos += 1;
                    }
                    break;
                }
                b'.' => fraction = true,
                b'-' if !digits => negative = true,
                b'+' => {}
                // "12-34" is read as 12 by viewers.
                b'-' => {}
                _ => break,
            }
            self.pos += 1;
        }
        let value = value.min(1e30) / scale;
        Operand::Number(if negative { -value } else { value })
    }

    pub(crate) fn name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|&b| is_regular(b)) {
            self.pos += 1;
            let escaped = (byte == b'#').then(|| {
                let high = hex_digit(*self.bytes.get(self.pos)?)?;
                let low = hex_digit(*self.bytes.get(self.pos + 1)?)?;
                Some(high << 4 | low)
            });
            match escaped.flatten() {
                Some(byte) => {
                    self.pos += 2;
                    name.push(byte);
                }
                None => name.push(byte),
            }
        }
        name
    }

    pub(crate) fn literal_string(&mut self) -> Vec<u8> {
        let (mut out, mut open) = (Vec::new(), 1usize);
        while let Some(byte) = self.peek() {
            self.pos += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    if let Some(byte) = self.escape() {
                        out.push(byte);
                    }
                    continue;
                }
                b'\r' => {
                    if self.peek() == Some(b'\n') {
                        self.pos += 1;
                    }
                    out.push(b'\n');
                    continue;
                }
                _ => {}
            }
            out.push(byte);
        }
        out
    }

    fn escape(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        Some(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'\n' => return None,
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.pos += 1;
                }
                return None;
            }
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            value = value * 8 + u32::from(digit - b'0');
                            self.pos += 1;
                        }
                        _ => break,
                    }
                }
                value.to_le_bytes()[0]
            }
            other => other,
        })
    }

    pub(crate) fn hex_string(&mut self) -> Vec<u8> {
        let (mut out, mut high) = (Vec::new(), None);
        while let Some(byte) = self.peek() {
            self.pos += 1;
            if byte == b'>' {
                break;
            }
            let Some(digit) = hex_digit(byte) else { continue };
            match high.take() {
                Some(high) => out.push(high << 4 | digit),
                None => high = Some(digit),
            }
        }
        if let Some(high) = high {
            out.push(high << 4);
        }
        out
    }

    fn array(&mut self, depth: usize) -> Operand {
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b']') => {
                    self.pos += 1;
                    break;
                }
                // A dictionary or procedure that ends here leaves the array open: end it too.
                Some(b'>') if depth > 0 => break,
                Some(_) if depth >= MAX_DEPTH => {
                    self.pos += 1;
                    continue;
                }
                Some(_) => {}
            }
            match self.token(depth + 1) {
                Some(Token::Operand(operand)) if items.len() < MAX_ELEMENTS => items.push(operand),
                Some(_) => {}
                None => break,
            }
        }
        Operand::Array(items)
    }

    fn dictionary(&mut self, depth: usize) -> Operand {
        let mut dict = Dictionary::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b'>') => {
                    self.pos += 1;
                    if self.peek() == Some(b'>') {
                        self.pos += 1;
                    }
                    break;
                }
                Some(_) if depth >= MAX_DEPTH => {
                    self.pos += 1;
                    continue;
                }
                Some(_) => {}
            }
            let key = match self.token(depth + 1) {
                Some(Token::Operand(Operand::Name(key))) => key,
                Some(_) => continue,
                None => break,
            };
            self.skip_space();
            if self.peek() == Some(b'>') {
                continue;
            }
            match self.token(depth + 1) {
                Some(Token::Operand(value)) if dict.len() < MAX_ELEMENTS => {
                    dict.set(key, value.into_object());
                }
                Some(_) => {}
                None => break,
            }
        }
        Operand::Dictionary(dict)
    }
}

/// True for white-space characters of PDF syntax.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

/// True for regular characters: neither white space nor delimiters.
pub(crate) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn hex_digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.next_token()).collect()
    }

    fn operand(text: &[u8]) -> Operand {
        match all(text).as_slice() {
            [Token::Operand(operand)] => operand.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_read_as_leniently_as_viewers_do() {
        for (text, value) in [
            ("12", 12.0),
            ("-.5", -0.5),
            ("+3.25", 3.25),
            ("--7", -7.0),
            ("1.2.3", 1.2),
            ("4.", 4.0),
            ("-", 0.0),
        ] {
            assert_eq!(operand(text.as_bytes()), Operand::Number(value), "{text}");
        }
    }

    #[test]
    fn strings_keep_balanced_parentheses_and_read_escapes() {
        for (text, bytes) in [
            (&b"(a(b)c)"[..], &b"a(b)c"[..]),
            (b"(\\(\\101\\12\\n)", b"(A\n\n"),
            (b"(a\\\nb)", b"ab"),
            (b"(a\r\nb)", b"a\nb"),
            (b"<48 65 6c6>", b"Hel`"),
            (b"(open", b"open"),
        ] {
            assert_eq!(operand(text), Operand::String(bytes.to_vec()));
        }
    }

    #[test]
    fn operators_follow_their_operands() {
        let tokens = all(b"/F1 12 Tf [(a)-120(b)]TJ % comment\n<</MCID 3>>BDC T* '");
        let operators: Vec<_> = tokens
            .iter()
            .filter_map(|t| if let Token::Operator(op) = t { Some(*op) } else { None })
            .collect();
        assert_eq!(operators, [&b"Tf"[..], b"TJ", b"BDC", b"T*", b"'"]);
    }

    #[test]
    fn deep_nesting_ends_without_deep_recursion() {
        let deep = [b'['].repeat(100_000);
        all(&deep);
        let deep = b"<</A".repeat(100_000);
        all(&deep);
    }
}
