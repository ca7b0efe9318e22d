//! Scan of small files, and the security handler on files that lopdf encrypts.

use std::sync::Arc;

use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter, Rc4CryptFilter};
use lopdf::{EncryptionState, EncryptionVersion, Permissions, dictionary};

use lopdf::{Document, Object, Stream};

use super::parser::MAX_PARSED;
use super::reread_broken_objects;
use crate::objects::as_dict;
use crate::{Error, ErrorKind, Options};

fn rebuilt(bytes: &[u8], options: &Options) -> Result<Document, Error> {
    super::rebuild(bytes, options).map(|(document, _)| document)
}

fn options(password: &str) -> Options {
    Options { password: Some(password.to_owned()), ..Options::default() }
}

fn sample() -> Document {
    let mut document = Document::new();
    document.add_object(Stream::new(dictionary! { "Mark" => 1 }, b"BT (secret) Tj ET".to_vec()));
    let page =
        document.add_object(dictionary! { "Type" => "Page", "Note" => Object::string_literal("hidden") });
    let pages =
        document.add_object(dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 });
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    document.trailer.set("Root", catalog);
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    document
}

fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

/// Content stream and note string of the rebuilt sample.
fn secrets(document: &Document) -> (Vec<u8>, Vec<u8>) {
    let content = document.objects.values().find_map(|object| {
        object.as_stream().ok().filter(|stream| stream.dict.has(b"Mark")).map(|stream| stream.content.clone())
    });
    let note = document
        .objects
        .values()
        .find_map(|object| as_dict(object)?.get(b"Note").ok()?.as_str().ok().map(<[u8]>::to_vec));
    (content.unwrap(), note.unwrap())
}

#[expect(deprecated, reason = "files of revision 5 exist")]
fn encrypted(kind: &str) -> Vec<u8> {
    let mut document = sample();
    let (owner_password, user_password, permissions) = ("owner", "user", Permissions::all());
    let filters = |filter: Arc<dyn CryptFilter>| [(b"StdCF".to_vec(), filter)].into();
    let name = || b"StdCF".to_vec();
    let four = |filter: Arc<dyn CryptFilter>, encrypt_metadata| EncryptionVersion::V4 {
        document: &document,
        encrypt_metadata,
        crypt_filters: filters(filter),
        stream_filter: name(),
        string_filter: name(),
        owner_password,
        user_password,
        permissions,
    };
    let file_encryption_key = &[7u8; 32];
    let aes_256: Arc<dyn CryptFilter> = Arc::new(Aes256CryptFilter);
    let version = match kind {
        "V1" => EncryptionVersion::V1 { document: &document, owner_password, user_password, permissions },
        "V2 40" | "V2 128" => EncryptionVersion::V2 {
            document: &document,
            owner_password,
            user_password,
            key_length: if kind == "V2 40" { 40 } else { 128 },
            permissions,
        },
        "V4 RC4" => four(Arc::new(Rc4CryptFilter), true),
        "V4 AES" => four(Arc::new(Aes128CryptFilter), false),
        "R5" => EncryptionVersion::R5 {
            encrypt_metadata: true,
            crypt_filters: filters(aes_256),
            file_encryption_key,
            stream_filter: name(),
            string_filter: name(),
            owner_password,
            user_password,
            permissions,
        },
        _ => EncryptionVersion::V5 {
            encrypt_metadata: true,
            crypt_filters: filters(aes_256),
            file_encryption_key,
            stream_filter: name(),
            string_filter: name(),
            owner_password,
            user_password,
            permissions,
        },
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    saved(document)
}

#[test]
fn every_revision_opens_with_user_and_owner_password_only() {
    for kind in ["V1", "V2 40", "V2 128", "V4 RC4", "V4 AES", "R5", "R6"] {
        let bytes = encrypted(kind);
        for password in ["user", "owner"] {
            let document = rebuilt(&bytes, &options(password)).unwrap();
            assert_eq!(
                secrets(&document),
                (b"BT (secret) Tj ET".to_vec(), b"hidden".to_vec()),
                "{kind} {password}"
            );
        }
        for options in [options("wrong"), Options::default()] {
            let error = rebuilt(&bytes, &options).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Encrypted, "{kind}");
        }
    }
}

#[test]
fn a_file_without_an_identifier_opens() {
    let mut document = sample();
    let empty = Object::string_literal("");
    document.trailer.set("ID", vec![empty.clone(), empty]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password: "",
        key_length: 48,
        permissions: Permissions::empty(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    document.trailer.remove(b"ID");
    assert_eq!(secrets(&rebuilt(&saved(document), &Options::default()).unwrap()).1, b"hidden");
}

#[test]
fn an_encryption_dictionary_without_a_handler_is_ignored() {
    let mut document = sample();
    document.trailer.set("Encrypt", Object::Reference((99, 0)));
    assert_eq!(secrets(&rebuilt(&saved(document), &Options::default()).unwrap()).1, b"hidden");
}

#[test]
fn the_later_of_two_objects_counts_even_in_object_streams() {
    let members = "7 0 8 9 <</A 2>> <</B 3>>";
    let bytes = format!(
        "%PDF-1.7\n7 0 obj\n<</A 1>>\nendobj\n9 0 obj\n<</C 1>>\nendobj\n\
         5 0 obj\n<</Type/ObjStm/N 2/First 8/Length 6 0 R>>\nstream\n{members}\nendstream\nendobj\n\
         6 0 obj\n{}\nendobj\n8 0 obj\n<</B 4>>\nendobj\n9 0 obj\n<</C 2>>\nendobj\n",
        members.len()
    );
    let document = rebuilt(bytes.as_bytes(), &Options::default()).unwrap();
    let value = |id, key: &[u8]| document.get_dictionary((id, 0)).unwrap().get(key).unwrap().clone();
    assert_eq!((value(7, b"A"), value(8, b"B"), value(9, b"C")), (2.into(), 4.into(), 2.into()));
}

#[test]
fn the_catalog_is_found_without_a_trailer() {
    let bytes =
        b"%PDF-1.4\n4 0 obj\n<</Type/Catalog>>\nendobj\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n";
    let document = rebuilt(bytes, &Options::default()).unwrap();
    assert!(document.catalog().unwrap().has(b"Pages"));
    let bytes = b"%PDF-1.4\n4 0 obj\n<</Type/Page>>\nendobj\n";
    let document = rebuilt(bytes, &Options::default()).unwrap();
    assert!(document.catalog().unwrap().has_type(b"Catalog"));
}

#[test]
fn a_stream_ends_by_its_length_or_the_next_object() {
    for (length, data, expected) in [
        ("19", "endstream 9 0 obj (x)", None),
        ("21", "endstream 9 0 obj (x)", Some("endstream 9 0 obj (x)")),
        ("999", "plain", Some("plain")),
    ] {
        let bytes = format!(
            "3 0 obj\n<</Length {length}>>\nstream\r\n{data}\r\nendstream\nendobj\n4 0 obj\n5\nendobj\n"
        );
        let document = rebuilt(bytes.as_bytes(), &Options::default()).unwrap();
        let stream = document.get_object((3, 0)).unwrap().as_stream().unwrap();
        if let Some(expected) = expected {
            assert_eq!(stream.content, expected.as_bytes(), "{length}");
        }
        assert_eq!(document.get_object((4, 0)).unwrap(), &Object::Integer(5));
    }
    let lost = b"3 0 obj\n<</Length 9>>\nstream\nab\nendobj\n4 0 obj\n5\nendobj\n";
    let document = rebuilt(lost, &Options::default()).unwrap();
    assert_eq!(document.get_object((4, 0)).unwrap(), &Object::Integer(5));
}

#[test]
fn many_open_objects_and_streams_terminate() {
    let bytes = b"1 0 obj <</Length 9>> stream ( [ << ".repeat(100_000);
    rebuilt(&bytes, &Options::default()).unwrap();
}

#[test]
fn broken_objects_are_read_again_at_their_offsets() {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for object in [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 0/Kids[]/Font /Some name with words>>",
        "<</Mark 1>>\nstream\nno length\nendstream",
        "<</Mark 2/Length 3>>\nstream\nwrong length\nendstream",
        "<</Mark 3/Length 5 /Odd [1 0.0 Tc 2]>>\nstream\nright\nendstream",
    ] {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", offsets.len()).bytes());
    }
    let start = bytes.len();
    bytes.extend(b"xref\n0 6\n0000000000 65535 f \n");
    offsets.iter().for_each(|offset| bytes.extend(format!("{offset:010} 00000 n \n").bytes()));
    bytes.extend(format!("trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
    let mut document = Document::load_mem(&bytes).unwrap();
    assert!(reread_broken_objects(&bytes, &mut document));
    assert!(document.get_dictionary((2, 0)).unwrap().has_type(b"Pages"));
    for (id, data) in [(3, &b"no length"[..]), (4, b"wrong length"), (5, b"right")] {
        let content = &document.get_object((id, 0)).unwrap().as_stream().unwrap().content;
        assert!(content.starts_with(data), "{id}: {content:?}");
    }
    let load = lopdf::LoadOptions { password: Some("user".to_owned()), ..Default::default() };
    let locked = encrypted("V4 AES");
    assert!(!reread_broken_objects(&locked, &mut Document::load_mem_with_options(&locked, load).unwrap()));
}

#[test]
fn a_file_of_tiny_objects_is_cut_at_the_limit() {
    let many = b"0 ".repeat(2 * MAX_PARSED);
    let bytes = [&b"1 0 obj ["[..], &many, b"] endobj 2 0 obj 5 endobj"].concat();
    assert!(super::rebuild(&bytes, &Options::default()).unwrap().1);
    assert!(!super::rebuild(b"1 0 obj [0 0] endobj", &Options::default()).unwrap().1);
}
