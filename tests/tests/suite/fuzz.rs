//! The seeds and findings of the fuzzer, replayed: each file gives one error or a sound document.

use std::fs;
use std::path::PathBuf;

use pincite_tests::fuzz::{self, DOORS};

#[test]
fn nothing_that_was_ever_found_breaks_a_door() {
    for (name, door) in DOORS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{} is empty", folder.display());
        for file in files {
            // A panic in the door shows this line with it.
            println!("{}", file.display());
            door(&fs::read(&file).unwrap());
        }
    }
}

/// Splices of the seeds of `citations`, the same every time: what a fuzzer without coverage would try.
#[test]
fn spliced_answers_are_checked_within_their_promises() {
    const ROUNDS: usize = 4_000;
    const JOINTS: [&str; 12] =
        ["“", "”", "\"", " [P1]", " [P2]", "\n> ", " not ", " 10", "…", "-\n", "[t]", "不"];
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/citations");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let seeds: Vec<Vec<char>> =
        files.iter().map(|file| fs::read_to_string(file).unwrap().chars().collect()).collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(n.max(1)).unwrap()).unwrap()
    };
    for _ in 0..ROUNDS {
        let mut made = seeds[below(seeds.len())].clone();
        for _ in 0..=below(4) {
            let from = &seeds[below(seeds.len())];
            let start = below(from.len());
            let end = (start + below(60)).min(from.len());
            let at = below(made.len() + 1);
            let cut = (at + below(20)).min(made.len());
            let joint: Vec<char> = JOINTS[below(JOINTS.len())].chars().collect();
            made.splice(at..cut, joint.into_iter().chain(from[start..end].iter().copied()));
        }
        let made: String = made.into_iter().collect();
        // A panic shows this line with it.
        println!("{made:?}");
        fuzz::citations(made.as_bytes());
    }
}
