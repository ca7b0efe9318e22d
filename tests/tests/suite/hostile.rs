//! Every hostile file gives exactly one clear error of the right kind, or a result within limits, and soon.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use document::{DiagCode, PageId};
use pages::ErrorKind;
use pincite_tests::hostile::{Fate, Odd, PASSWORD, TEXT, all};
use pincite_tests::stages::{Read, read};

/// Far above what any of them takes, for slow machines: what is tested is that nothing runs away.
const SOON: Duration = Duration::from_secs(60);

fn timed(odd: &Odd) -> (Result<Read, pages::Error>, Duration) {
    #[expect(clippy::disallowed_methods, reason = "the stages have no clock; this test measures them")]
    let (start, now) = (Instant::now(), Instant::now);
    let result = read(odd.file_name, &odd.bytes, None);
    (result, now() - start)
}

fn check(odd: &Odd, result: Result<Read, pages::Error>) -> Result<(), String> {
    let error = |expected: ErrorKind| match &result {
        Err(error) if error.kind() == expected => Ok(()),
        Err(error) => Err(format!("{:?} instead of {expected:?}", error.kind())),
        Ok(read) => Err(format!("opened with {} pages instead of {expected:?}", read.source.pages.len())),
    };
    let opened = || result.as_ref().map_err(|error| format!("{:?}: {error}", error.kind()));
    match odd.fate {
        Fate::NotPdf => error(ErrorKind::NotPdf),
        Fate::Damaged => error(ErrorKind::Damaged),
        Fate::NoPages => error(ErrorKind::NoPages),
        Fate::Locked => {
            error(ErrorKind::Encrypted)?;
            match read(odd.file_name, &odd.bytes, Some("wrong")) {
                Err(error) if error.kind() == ErrorKind::Encrypted => {}
                _ => return Err("the wrong password does not give the error that asks for it".to_owned()),
            }
            let read = read(odd.file_name, &odd.bytes, Some(PASSWORD)).map_err(|error| error.to_string())?;
            let has_text = read.document.layout.text.contains("Services Agreement");
            if has_text { Ok(()) } else { Err("opened with the password, and has no text".to_owned()) }
        }
        Fate::Opens(n_pages) => {
            let read = opened()?;
            if read.source.pages.len() != n_pages {
                return Err(format!("{} pages", read.source.pages.len()));
            }
            let text = &read.document.layout.text;
            if text.contains(TEXT) { Ok(()) } else { Err(format!("no text on page 1: {:?}", text.get(..80))) }
        }
        Fate::Scan => {
            let read = opened()?;
            let said = read.diags.iter().any(|diag| diag.code == DiagCode::NoTextLayer);
            let covered = read.source.pages.first().is_some_and(|page| page.image_cover > 0.9);
            let empty = read.document.layout.blocks.is_empty() && read.document.chunks.is_empty();
            if said && covered && empty {
                Ok(())
            } else {
                Err(format!("said {said}, covered {covered}, empty {empty}: {:?}", read.diags))
            }
        }
        Fate::CutShort => match &result {
            Ok(read) if read.source.pages.is_empty() => Err("opened without a page".to_owned()),
            _ => Ok(()),
        },
    }
}

#[test]
fn each_gives_one_clear_error_or_opens_within_limits() {
    let mut wrong = Vec::new();
    for odd in all().unwrap() {
        let (result, took) = timed(&odd);
        let said = match &result {
            Ok(read) => format!("{} pages, {} diagnostics", read.source.pages.len(), read.diags.len()),
            Err(error) => format!("{:?}: {error}", error.kind()),
        };
        println!("{} ({}) {} ms: {said}", odd.file_name, odd.why, took.as_millis());
        if took > SOON {
            wrong.push(format!("{} ({}) took {took:?}", odd.file_name, odd.why));
        }
        if let Err(error) = check(&odd, result) {
            wrong.push(format!("{} ({}): {error}", odd.file_name, odd.why));
        }
    }
    crate::env::assert_none("hostile files misjudged", &wrong);
}

#[test]
fn errors_are_plain_words_with_a_hint_and_without_the_files_text() {
    let mut messages = HashSet::new();
    for odd in all().unwrap() {
        let Err(error) = read(odd.file_name, &odd.bytes, None) else { continue };
        let message = error.to_string();
        assert!(!message.is_empty() && !message.ends_with('.') && !message.contains('\n'), "{message}");
        assert!(!error.hint().is_empty(), "{message}");
        assert!(!message.contains("moved") && !message.contains("unwrap"), "{message}");
        messages.insert(format!("{:?}", error.kind()));
    }
    assert!(messages.len() >= 4, "{messages:?}");
}

#[test]
fn positions_of_an_odd_page_are_finite() {
    for odd in all().unwrap().iter().filter(|odd| odd.fate == Fate::CutShort) {
        let Ok(read) = read(odd.file_name, &odd.bytes, None) else { continue };
        for run in read.source.pages.iter().flat_map(|page| &page.runs) {
            let rect = run.rect;
            let numbers = [rect.x0, rect.y0, rect.x1, rect.y1, run.size.0, run.baseline, run.angle];
            assert!(numbers.iter().all(|number| number.is_finite()), "{} {run:?}", odd.file_name);
            assert_eq!(run.edges.len(), run.text.chars().count() + 1, "{}", odd.file_name);
        }
        for word in read.document.layout.words.words() {
            let rect = word.rect;
            assert!([rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|number| number.is_finite()));
        }
    }
}

#[test]
fn a_truncated_file_keeps_the_pages_that_are_whole() {
    let all = all().unwrap();
    let odd = all.iter().find(|odd| odd.file_name == "truncated.pdf").unwrap();
    let read = read(odd.file_name, &odd.bytes, None).unwrap();
    assert!(read.diags.iter().any(|diag| diag.code == DiagCode::Repaired), "{:?}", read.diags);
    let first = read.source.pages.first().unwrap();
    assert_eq!(first.id, PageId(0));
    assert!(read.document.layout.text.starts_with("Services Agreement"));
}

#[test]
fn files_over_a_limit_and_cancelled_readings_say_so() {
    let sample = &crate::env::samples()[1].made;
    let limits = |change: fn(&mut pages::Limits)| {
        let mut options = pages::Options::default();
        change(&mut options.limits);
        pages::read(&sample.pdf, &options, &mut |_, _| ControlFlow::Continue(()))
            .map(|_| ())
            .unwrap_err()
            .kind()
    };
    assert_eq!(limits(|limits| limits.file_bytes = 1000), ErrorKind::LimitExceeded);
    assert_eq!(limits(|limits| limits.pages = 3), ErrorKind::LimitExceeded);
    let mut calls = Vec::new();
    let cancelled = pages::read(&sample.pdf, &pages::Options::default(), &mut |done, total| {
        calls.push((done, total));
        if done == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(cancelled.map(|_| ()).unwrap_err().kind(), ErrorKind::Cancelled);
    let n_pages = sample.truth.pages.len();
    assert_eq!(calls, [(0, n_pages), (1, n_pages), (2, n_pages)]);
}

#[test]
fn the_same_bytes_give_the_same_document() {
    for sample in crate::env::samples() {
        let again = read(&sample.made.truth.file, &sample.made.pdf, None).unwrap();
        assert!(again.source == sample.read.source, "{}", sample.made.id);
        assert!(again.document == sample.read.document, "{}", sample.made.id);
    }
}
