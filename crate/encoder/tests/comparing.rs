//! The adapter for comparing: it changes how tokens match and no vector, and one that does not fit is left out.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what fails in a helper fails its test")]

mod built;

use embed::{Embedder as _, Manifest, TokenMatches};
use encoder::{LoadOptions, Session};

const QUESTION: &str = "What happens to my data after I close my account?";

fn adapter() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/lay.adapter")).unwrap()
}

fn load(test: &str, manifest: impl FnOnce(&mut Manifest), adapter: Option<&[u8]>) -> Option<Session> {
    let mut built = built::files(test)?;
    manifest(&mut built.manifest);
    let options = LoadOptions { comparison: adapter, ..LoadOptions::default() };
    Some(Session::load_with(built.model, &built.vocabulary, &built.manifest, options).unwrap())
}

fn compared(session: &Session) -> Vec<TokenMatches> {
    let passages = [["Termination", "We erase personal information within thirty days."], ["Fees", "None."]];
    session.compare(QUESTION, &passages.map(|pieces| pieces.map(str::to_owned).to_vec())).unwrap()
}

#[test]
fn an_adapter_changes_how_tokens_match_and_no_bit_of_a_vector() {
    let test = "an_adapter_changes_how_tokens_match_and_no_bit_of_a_vector";
    let Some(plain) = load(test, |_| {}, None) else { return };
    let adapted = load(test, |_| {}, Some(&adapter())).unwrap();
    assert!(adapted.comparing_problem().is_none(), "{:?}", adapted.comparing_problem());
    assert_eq!(adapted.fingerprint(), plain.fingerprint());
    let texts = [QUESTION, "", "A firm must keep a record of each complaint."];
    assert_eq!(adapted.embed(&texts).unwrap(), plain.embed(&texts).unwrap());
    let (program, plain_program) = (adapted.program().unwrap(), plain.program().unwrap());
    assert_eq!(program.steps, plain_program.steps);
    assert!((0..program.sizes.len()).all(|idx| program.constant(idx) == plain_program.constant(idx)));

    let (adapted, plain) = (compared(&adapted), compared(&plain));
    assert_eq!(adapted[0].occurs, plain[0].occurs);
    assert_ne!(adapted[0].best, plain[0].best);
}

#[test]
fn an_adapter_that_does_not_fit_is_named_and_left_out() {
    let test = "an_adapter_that_does_not_fit_is_named_and_left_out";
    let Some(plain) = load(test, |_| {}, None) else { return };
    let file = adapter();
    let mut damaged = file.clone();
    damaged[300_000] ^= 1;
    let undeclared = |manifest: &mut Manifest| manifest.files.comparison = None;
    for (session, found) in [
        (load(test, |_| {}, Some(&damaged)), "lay.adapter has sha256"),
        (load(test, |_| {}, Some(&file[..1000])), "lay.adapter has 1000 bytes"),
        (load(test, undeclared, Some(&file)), "declares no file for comparing"),
    ] {
        let session = session.unwrap();
        let problem = session.comparing_problem().unwrap().to_string();
        assert!(problem.contains(found), "{problem}, expected to name {found}");
        assert_eq!(compared(&session), compared(&plain));
    }
}
