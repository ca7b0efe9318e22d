//! Standard security handler, revisions 2 to 6 (ISO 32000-2, 7.6), for files that lopdf cannot decrypt: those without a
//! file identifier, with unusual key lengths or with odd crypt filters.
//!
//! Parameters that the dictionary leaves open are tried: the check value confirms the key.

use aes::cipher::{Array, BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use document::OrNever as _;
use lopdf::{Dictionary, Object};
use md5::{Digest, Md5};
use rc4::{KeyInit, Rc4, StreamCipher};
use sha2::{Sha256, Sha384, Sha512};

use crate::objects::{as_dict, integer};
use crate::{Error, ErrorKind};

/// Padding of passwords (Algorithm 2).
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08, 0x2E,
    0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];
/// Maximum depth of strings in an object.
const MAX_DEPTH: usize = 64;
/// Maximum rounds of Algorithm 2.B, which usually ends after 64 to 300.
const MAX_ROUNDS: usize = 2_000;

/// Reason why the file cannot be decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnlockError {
    /// The password is wrong or missing.
    Password,
    /// The handler or its revision is not in the specification.
    Unsupported,
    /// The encryption dictionary lacks required entries.
    Unreadable,
}

impl UnlockError {
    /// Error for the user.
    pub(super) fn describe(self, password_given: bool) -> Error {
        let message = match self {
            Self::Password if password_given => {
                "the password given does not open the file, nor does the empty one"
            }
            Self::Password => "the file is encrypted and needs a password",
            Self::Unsupported => "the file's encryption is none that the PDF standard describes",
            Self::Unreadable => "the file is encrypted and its encryption dictionary is damaged",
        };
        Error::new(ErrorKind::Encrypted, message)
    }
}

/// Encryption method of strings or streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CryptMethod {
    /// Not encrypted.
    Identity,
    Rc4,
    AesV2,
    AesV3,
}

/// Standard security handler with the file encryption key.
pub(super) struct SecurityHandler {
    /// File encryption key.
    key: Vec<u8>,
    strings: CryptMethod,
    streams: CryptMethod,
    /// True if metadata streams are encrypted.
    metadata: bool,
}

/// Entries of the encryption dictionary that the algorithms read.
struct EncryptionEntries<'a> {
    revision: i64,
    owner: &'a [u8],
    user: &'a [u8],
    permissions: u32,
    metadata: bool,
}

impl SecurityHandler {
    /// Finds the file encryption key with the empty password or this one. `ids` are the file identifiers to try.
    pub(super) fn open(dict: &Dictionary, ids: &[Vec<u8>], password: &str) -> Result<Self, UnlockError> {
        let number = |key: &[u8]| dict.get(key).ok().and_then(integer);
        let string = |key: &[u8]| dict.get(key).ok().and_then(|value| value.as_str().ok());
        let (version, revision) = (number(b"V").unwrap_or(0), number(b"R").unwrap_or(0));
        let (streams, strings) = match version {
            1..=3 => (CryptMethod::Rc4, CryptMethod::Rc4),
            4..=6 => (crypt_filter(dict, b"StmF"), crypt_filter(dict, b"StrF")),
            _ => return Err(UnlockError::Unsupported),
        };
        let metadata = !matches!(dict.get(b"EncryptMetadata"), Ok(Object::Boolean(false)));
        let crypt = |key: Vec<u8>| Self { key, strings, streams, metadata };
        if streams == CryptMethod::Identity && strings == CryptMethod::Identity {
            // Only attachments are encrypted.
            return Ok(crypt(Vec::new()));
        }
        if dict.get(b"Filter").and_then(Object::as_name).is_ok_and(|name| name != b"Standard") {
            return Err(UnlockError::Unsupported);
        }
        let (Some(owner), Some(user)) = (string(b"O"), string(b"U")) else {
            return Err(UnlockError::Unreadable);
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits, signed or not")]
        let permissions = number(b"P").unwrap_or(-1) as u32;
        let entries = EncryptionEntries { revision, owner, user, permissions, metadata };
        let passwords = [&b""[..], password.as_bytes()];
        let key = if revision >= 5 {
            let (owner_key, user_key) = (string(b"OE").unwrap_or(b""), string(b"UE").unwrap_or(b""));
            passwords.into_iter().find_map(|password| entries.aes_256_file_key(password, owner_key, user_key))
        } else {
            let lengths = key_lengths(dict, version);
            let latin_1 = latin_1(password);
            let passwords = [&b""[..], &latin_1];
            let tries = passwords
                .into_iter()
                .flat_map(|password| lengths.iter().map(move |&length| (password, length)))
                .flat_map(|(password, length)| ids.iter().map(move |id| (password, length, id)));
            let mut tries = tries.take(256);
            tries.find_map(|(password, length, id)| entries.key(password, id, length))
        };
        key.map(crypt).ok_or(UnlockError::Password)
    }

    /// Decrypts the strings and the data of an object in place.
    pub(super) fn decrypt(&self, id: u32, generation: u16, object: &mut Object) {
        self.object(&ObjectKeys { crypt: self, id, generation }, object, 0);
    }

    fn object(&self, keys: &ObjectKeys<'_>, object: &mut Object, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match object {
            Object::String(bytes, _) => *bytes = keys.plain(self.strings, bytes),
            Object::Array(items) => items.iter_mut().for_each(|item| self.object(keys, item, depth + 1)),
            Object::Dictionary(dict) => {
                dict.iter_mut().for_each(|(_, value)| self.object(keys, value, depth + 1));
            }
            Object::Stream(stream) => {
                stream.dict.iter_mut().for_each(|(_, value)| self.object(keys, value, depth + 1));
                if !self.is_plain(&stream.dict) {
                    stream.content = keys.plain(self.streams, &stream.content);
                }
            }
            _ => {}
        }
    }

    /// True for streams that are not encrypted: metadata if the dictionary says so, and streams with a crypt filter of
    /// their own, which is Identity in every file we know of.
    fn is_plain(&self, dict: &Dictionary) -> bool {
        let is_crypt = |filter: &Object| filter.as_name().is_ok_and(|name| name == b"Crypt");
        let own = dict.get(b"Filter").is_ok_and(|filter| {
            is_crypt(filter) || filter.as_array().is_ok_and(|filters| filters.iter().any(is_crypt))
        });
        own || !self.metadata && dict.has_type(b"Metadata")
    }
}

/// Method of the crypt filter named by `StmF` or `StrF`.
fn crypt_filter(dict: &Dictionary, which: &[u8]) -> CryptMethod {
    let name = dict.get(which).and_then(Object::as_name).unwrap_or(b"Identity");
    let filters = dict.get(b"CF").ok().and_then(as_dict);
    let Some(filter) = filters.and_then(|filters| filters.get(name).ok()).and_then(as_dict) else {
        return CryptMethod::Identity;
    };
    match filter.get(b"CFM").and_then(Object::as_name) {
        Ok(b"V2") => CryptMethod::Rc4,
        Ok(b"AESV2") => CryptMethod::AesV2,
        Ok(b"AESV3" | b"AESV4") => CryptMethod::AesV3,
        _ => CryptMethod::Identity,
    }
}

/// Possible key lengths in bytes, likeliest first. `Length` is in bits, in some files wrongly in bytes.
fn key_lengths(dict: &Dictionary, version: i64) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut add = |length: Option<i64>| {
        let bytes = match length {
            Some(bits @ 40..=128) => usize::try_from(bits / 8).ok(),
            Some(bytes @ 5..=16) => usize::try_from(bytes).ok(),
            _ => None,
        };
        if let Some(bytes) = bytes.filter(|bytes| !lengths.contains(bytes)) {
            lengths.push(bytes);
        }
    };
    let declared = dict.get(b"Length").ok().and_then(integer);
    if version == 4 {
        let filters = dict.get(b"CF").ok().and_then(as_dict);
        let of = |object: &Object| as_dict(object)?.get(b"Length").ok().and_then(integer);
        add(Some(128));
        filters
            .into_iter()
            .flat_map(|filters| filters.iter().take(8))
            .for_each(|(_, filter)| add(of(filter)));
    }
    if version == 1 {
        add(Some(40));
    }
    add(declared);
    add(Some(40));
    add(Some(128));
    lengths
}

/// Password in PDFDocEncoding, which equals Latin-1 for what keyboards type.
fn latin_1(password: &str) -> Vec<u8> {
    password.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

impl EncryptionEntries<'_> {
    /// File encryption key up to revision 4, if this is the user or the owner password.
    fn key(&self, password: &[u8], id: &[u8], length: usize) -> Option<Vec<u8>> {
        let as_user = self.file_key(password, id, length);
        if self.matches_check_value(&as_user, id) {
            return Some(as_user);
        }
        let user_password = self.user_password(password, length);
        let key = self.file_key(&user_password, id, length);
        self.matches_check_value(&key, id).then_some(key)
    }

    /// File encryption key (Algorithm 2).
    fn file_key(&self, password: &[u8], id: &[u8], length: usize) -> Vec<u8> {
        let mut hash = Md5::new();
        hash.update(padded(password));
        hash.update(self.owner.get(..32).unwrap_or(self.owner));
        hash.update(self.permissions.to_le_bytes());
        hash.update(id);
        if self.revision >= 4 && !self.metadata {
            hash.update([0xFF; 4]);
        }
        let mut digest = hash.finalize().to_vec();
        digest.truncate(length);
        if self.revision >= 3 {
            for _ in 0..50 {
                digest = Md5::digest(&digest).to_vec();
                digest.truncate(length);
            }
        }
        digest
    }

    /// True if the key yields the check value of the user password (Algorithm 6).
    fn matches_check_value(&self, key: &[u8], id: &[u8]) -> bool {
        if self.revision < 3 {
            return self.user.get(..32) == Some(&rc4(key, &PADDING));
        }
        let mut hash = Md5::new();
        hash.update(PADDING);
        hash.update(id);
        let check =
            round_keys(key, 0..20).into_iter().fold(hash.finalize().to_vec(), |data, key| rc4(&key, &data));
        self.user.get(..16) == check.get(..16)
    }

    /// User password from the owner password (Algorithm 7).
    fn user_password(&self, owner_password: &[u8], length: usize) -> Vec<u8> {
        let mut digest = Md5::digest(padded(owner_password)).to_vec();
        if self.revision >= 3 {
            for _ in 0..50 {
                digest = Md5::digest(&digest).to_vec();
            }
        }
        digest.truncate(if self.revision < 3 { 5 } else { length });
        let owner = self.owner.get(..32).unwrap_or(self.owner);
        if self.revision < 3 {
            return rc4(&digest, owner);
        }
        let keys = round_keys(&digest, 0..20);
        keys.iter().rev().fold(owner.to_vec(), |data, key| rc4(key, &data))
    }

    /// File encryption key of revisions 5 and 6 (Algorithm 2.A).
    fn aes_256_file_key(&self, password: &[u8], owner_key: &[u8], user_key: &[u8]) -> Option<Vec<u8>> {
        let password = password.get(..127).unwrap_or(password);
        let user: &[u8; 48] = self.user.first_chunk()?;
        let parts = |entry: &[u8; 48]| {
            let (hash, salts) = entry.split_first_chunk::<32>()?;
            let (validation, salts) = salts.split_first_chunk::<8>()?;
            Some((*hash, *validation, *salts.first_chunk::<8>()?))
        };
        let (hash, validation, key_salt) = parts(user)?;
        if self.hash(password, &validation, &[]) == hash {
            return unwrapped(&self.hash(password, &key_salt, &[]), user_key);
        }
        let (hash, validation, key_salt) = parts(self.owner.first_chunk()?)?;
        if self.hash(password, &validation, user) == hash {
            return unwrapped(&self.hash(password, &key_salt, user), owner_key);
        }
        None
    }

    /// Hash of Algorithm 2.B; for revision 5 only its first step.
    fn hash(&self, password: &[u8], salt: &[u8], user: &[u8]) -> Vec<u8> {
        let mut key = Sha256::digest([password, salt, user].concat()).to_vec();
        if self.revision == 5 {
            return key;
        }
        for round in 0..MAX_ROUNDS {
            let mut data = [password, &key, user].concat().repeat(64);
            let (Some(aes_key), Some(iv)) =
                (key.first_chunk::<16>(), key.get(16..).and_then(<[u8]>::first_chunk::<16>))
            else {
                break;
            };
            let mut cipher = cbc::Encryptor::<aes::Aes128>::new(&Array::from(*aes_key), &Array::from(*iv));
            for block in blocks(&mut data) {
                let mut cells = Array::from(*block);
                cipher.encrypt_block(&mut cells);
                *block = cells.into();
            }
            let sum: u32 = data.iter().take(16).map(|&byte| u32::from(byte)).sum();
            key = match sum % 3 {
                0 => Sha256::digest(&data).to_vec(),
                1 => Sha384::digest(&data).to_vec(),
                _ => Sha512::digest(&data).to_vec(),
            };
            let last = data.last().copied().or_never("the last byte of a hashed block");
            if round >= 63 && usize::from(last) <= round - 31 {
                break;
            }
        }
        key.truncate(32);
        key
    }
}

/// File encryption key, which `UE` or `OE` holds encrypted without padding.
fn unwrapped(key: &[u8], wrapped: &[u8]) -> Option<Vec<u8>> {
    let mut data = wrapped.get(..32)?.to_vec();
    aes_256(key.first_chunk()?, &[0; 16], &mut data);
    Some(data)
}

fn padded(password: &[u8]) -> [u8; 32] {
    let mut padded = [0; 32];
    for (slot, byte) in padded.iter_mut().zip(password.iter().chain(&PADDING)) {
        *slot = *byte;
    }
    padded
}

/// Keys of the rounds: each byte of the key XOR the number of the round.
fn round_keys(key: &[u8], rounds: std::ops::Range<u8>) -> Vec<Vec<u8>> {
    rounds.map(|round| key.iter().map(|byte| byte ^ round).collect()).collect()
}

/// Encryption of one object.
struct ObjectKeys<'a> {
    crypt: &'a SecurityHandler,
    id: u32,
    generation: u16,
}

impl ObjectKeys<'_> {
    /// Decrypts data (Algorithms 1 and 1.A).
    fn plain(&self, method: CryptMethod, data: &[u8]) -> Vec<u8> {
        match method {
            CryptMethod::Identity => data.to_vec(),
            CryptMethod::Rc4 => rc4(&self.key(&[]), data),
            CryptMethod::AesV2 => {
                let mut key = self.key(b"sAlT");
                key.resize(16, 0);
                let Some(key) = key.first_chunk::<16>().copied() else { return data.to_vec() };
                unpadded(data, |iv, data| aes_128(&key, iv, data))
            }
            CryptMethod::AesV3 => {
                let Some(key) = self.crypt.key.first_chunk::<32>() else { return data.to_vec() };
                unpadded(data, |iv, data| aes_256(key, iv, data))
            }
        }
    }

    fn key(&self, salt: &[u8]) -> Vec<u8> {
        let mut hash = Md5::new();
        hash.update(&self.crypt.key);
        let [a, b, c, _] = self.id.to_le_bytes();
        hash.update([a, b, c]);
        hash.update(self.generation.to_le_bytes());
        hash.update(salt);
        let mut key = hash.finalize().to_vec();
        key.truncate((self.crypt.key.len() + 5).min(16));
        key
    }
}

/// Decrypts data with a leading initialization vector and trailing padding. An incomplete last block is dropped.
fn unpadded(data: &[u8], decrypt: impl FnOnce(&[u8; 16], &mut [u8])) -> Vec<u8> {
    let Some((iv, rest)) = data.split_first_chunk::<16>() else { return Vec::new() };
    let mut plain = rest.as_chunks::<16>().0.as_flattened().to_vec();
    decrypt(iv, &mut plain);
    if let Some(&padding @ 1..=16) = plain.last()
        && rest.len() % 16 == 0
    {
        plain.truncate(plain.len().saturating_sub(usize::from(padding)));
    }
    plain
}

fn blocks(data: &mut [u8]) -> &mut [[u8; 16]] {
    data.as_chunks_mut().0
}

fn aes_128(key: &[u8; 16], iv: &[u8; 16], data: &mut [u8]) {
    let mut cipher = cbc::Decryptor::<aes::Aes128>::new(&Array::from(*key), &Array::from(*iv));
    for block in blocks(data) {
        let mut cells = Array::from(*block);
        cipher.decrypt_block(&mut cells);
        *block = cells.into();
    }
}

fn aes_256(key: &[u8; 32], iv: &[u8; 16], data: &mut [u8]) {
    let mut cipher = cbc::Decryptor::<aes::Aes256>::new(&Array::from(*key), &Array::from(*iv));
    for block in blocks(data) {
        let mut cells = Array::from(*block);
        cipher.decrypt_block(&mut cells);
        *block = cells.into();
    }
}

/// RC4, which encrypts and decrypts alike. Data under a key of no length stays as it is.
fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    if let Ok(mut cipher) = Rc4::new_from_slice(key) {
        cipher.apply_keystream(&mut data);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rc4_matches_published_test_vectors() {
        for (key, plain, cipher) in [
            (&b"Key"[..], &b"Plaintext"[..], &[0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3][..]),
            (b"Wiki", b"pedia", &[0x10, 0x21, 0xBF, 0x04, 0x20]),
        ] {
            assert_eq!(rc4(key, plain), cipher);
        }
    }

    #[test]
    fn a_dictionary_of_another_handler_is_unsupported() {
        let mut dict = Dictionary::new();
        dict.set("V", 2);
        dict.set("R", 3);
        dict.set("Filter", Object::Name(b"Custom".to_vec()));
        assert_eq!(SecurityHandler::open(&dict, &[], "").err(), Some(UnlockError::Unsupported));
        dict.set("Filter", Object::Name(b"Standard".to_vec()));
        assert_eq!(SecurityHandler::open(&dict, &[], "").err(), Some(UnlockError::Unreadable));
    }
}
