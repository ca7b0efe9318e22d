//! Five known failures of retrieval over law, each on a small law of our own: the ranking by BM25, and the features that
//! identify the right provision.
//!
//! A test asserts where BM25 fails, so that it fails when that changes. The same questions for the shipped search, with
//! the model: `crate/engine/tests/failures.rs`.

use document::{CrossReference, Document, DocumentIdx, SectionId, TermKind, TextRange};
use index::{Index, Stats, TermStats};
use text::AnalyzerKind;

use super::law::{ask, defines, index, law};
use crate::proximity::{Matcher, Proximity};
use crate::{AnalyzedQuery, Glossary, Lexicon, Options, Ranker, SearchUnits, idf};

/// Labels, best first, by BM25 alone: children only, each of one provision.
fn lexical(index: &Index, question: &str) -> Vec<String> {
    let options = Options { ranker: Ranker::Lexical, units: SearchUnits::Child, ..Options::default() };
    ask(index, question, &Glossary::default(), &options)
        .into_iter()
        .map(|hit| hit.split_once(' ').map_or(String::new(), |(_, label)| label.to_owned()))
        .collect()
}

/// Proximity of the question's words in the provision with a label.
fn proximity(index: &Index, question: &str, label: &str) -> Proximity {
    let stats = Stats::of(index);
    let weight = |term: &str| match TermStats::of(index, term).doc_freq {
        0 => 0.0,
        n => idf(n, stats.n_units),
    };
    let mut matcher = Matcher::new(AnalyzerKind::Default, question, &weight);
    let (_, entry) = index.iter().next().unwrap();
    let law = entry.segment().document();
    let section =
        law.tree.sections.iter().find(|section| section.label.as_ref().is_some_and(|own| own.key == label));
    matcher.read(law.layout.slice(section.unwrap().range))
}

#[test]
fn a_frequent_word_does_not_make_up_for_the_others() {
    let index = index(vec![law(
        "port",
        "Port Code",
        &[
            (
                "1",
                "",
                "Tonnage is tonnage as certified. Gross tonnage, net tonnage and deck tonnage are tonnage. Tonnage is rounded.",
            ),
            (
                "2",
                "",
                "Whoever measures the tonnage of a vessel anew informs the registrar of the change, in writing and signed, with the certificate attached, and sends a copy of it to the insurer named in the policy within the week.",
            ),
            ("3", "", "A vessel is moored fore and aft."),
            ("4", "", "The registrar keeps a register of vessels."),
        ],
    )]);
    let question = "Who must be told of tonnage, tonnage that is new?";
    assert_eq!(lexical(&index, question)[0], "1");
    let question = "Must the insurer know of new tonnage?";
    let (wrong, right) = (proximity(&index, question, "1"), proximity(&index, question, "2"));
    // Each word counts three times at most.
    assert!(right.coverage > wrong.coverage, "{right:?} {wrong:?}");
    assert!(wrong.capped <= wrong.coverage && wrong.n_terms == 1);
}

/// The law of the implicit link: who buys becomes the owner (1), who owns registers (2), registering costs (3).
fn linked() -> Document {
    let law = law(
        "boats",
        "Boats Code",
        &[
            ("article 1", "", "Whoever purchases a boat acquires the Title to it."),
            (
                "article 2",
                "",
                "“Title” means ownership that is entered under article 3. It passes on delivery.",
            ),
            ("article 3", "", "An owner applies for entry in the register within thirty days."),
            ("article 4", "", "Whoever purchases fuel for a boat keeps the bill for thirty days."),
            ("article 5", "", "A boat is painted within sixty days after it was launched."),
        ],
    );
    let mut law =
        defines(law, "Title” means", "ownership that is entered under article 3", TermKind::Definition);
    law.tree.terms[0].term = "Title".to_owned();
    let start = law.layout.text.find("article 3").unwrap();
    law.tree.references.push(CrossReference {
        range: TextRange::new(start, start + "article 3".len()),
        cite: document::Cite { instrument: None, path: vec!["article 3".to_owned()] },
        target: Some(SectionId(3)),
    });
    law
}

#[test]
fn an_implicit_link_is_reached_over_terms_and_references() {
    let index = index(vec![linked()]);
    let question = "What follows when I purchase a boat?";
    // The article on entry has only the title's word of it, and that on fuel has them all.
    let found = lexical(&index, question);
    let place = |label: &str| found.iter().position(|other| other == label).unwrap_or(usize::MAX);
    assert!(place("article 4") < place("article 3") && place("article 1") < place("article 3"), "{found:?}");
    assert_eq!(proximity(&index, question, "article 3").n_terms, 0);
    // What the article on purchases says leads there in two hops: a term that is defined, a reference.
    let lexicon = Lexicon::of(&index);
    let law = index.get(DocumentIdx(0)).unwrap().segment().document();
    let purchase = law.layout.slice(law.tree.sections[1].range);
    let terms = AnalyzedQuery::read(purchase, &lexicon, &Glossary::default()).terms;
    let defined = terms.iter().find(|term| term.term == "Title").unwrap().definitions[0];
    assert_eq!(defined.section, SectionId(2));
    let definition = law.tree.sections[defined.section.idx()].range;
    let cited = law.tree.references.iter().find(|reference| definition.contains(reference.range)).unwrap();
    assert_eq!(cited.target, Some(SectionId(3)));
}

#[test]
fn all_conditions_in_one_provision_outweigh_two_of_them_often() {
    let index = index(vec![law(
        "permits",
        "Permits Code",
        &[
            (
                "1",
                "",
                "A foreign master needs a permit. A foreign owner needs a permit. A foreign agent needs a permit.",
            ),
            (
                "2",
                "",
                "A foreign master who enters at night with dangerous cargo needs a pilot and a permit of the harbour office, which is asked for two days before and shown on demand to whoever boards.",
            ),
            ("3", "", "At night lights are shown."),
            ("4", "", "Dangerous cargo is declared. Dangerous cargo is stowed on deck."),
        ],
    )]);
    let question = "Permit for a foreign master entering at night with dangerous cargo";
    let (part, whole) = (proximity(&index, question, "1"), proximity(&index, question, "2"));
    assert!((whole.coverage - 1.0).abs() < 1e-6 && part.coverage < 0.7, "{part:?} {whole:?}");
    assert!(whole.window > 0 && whole.dense > part.dense && whole.bigrams > part.bigrams);
    assert!(part.n_terms < whole.n_terms);
}

#[test]
fn a_long_term_is_told_from_its_scattered_words() {
    let law = law(
        "funds",
        "Funds Code",
        &[
            (
                "1",
                "",
                "A closed ended investment fund keeps its register closed while an investment ended or a fund is wound up; the closed register, the ended investment and the fund are reported.",
            ),
            (
                "2",
                "",
                "SearchUnits of a Closed Ended Property Investment Fund are not redeemed on demand, whatever its rules or those of the market on which they are listed may say of it.",
            ),
            ("3", "", "“Closed Ended Property Investment Fund” means a fund that holds land."),
            ("4", "", "Property is valued each year."),
        ],
    );
    let meant = "Closed Ended Property Investment Fund";
    let index = index(vec![defines(law, meant, "a fund that holds land", TermKind::Definition)]);
    let question = "When does a closed ended property investment fund redeem?";
    let (scattered, whole) = (proximity(&index, question, "1"), proximity(&index, question, "2"));
    assert!(whole.longest_phrase >= 5 && scattered.longest_phrase < 5, "{scattered:?} {whole:?}");
    assert!(whole.phrase > scattered.phrase && whole.bigrams > scattered.bigrams);
    let named = AnalyzedQuery::read(question, &Lexicon::of(&index), &Glossary::default()).terms;
    assert_eq!(named[0].term, meant);
}

#[test]
fn a_narrow_clause_does_not_beat_the_general_one_on_what_was_asked() {
    let index = index(vec![law(
        "records",
        "Records Code",
        &[
            (
                "1",
                "",
                "A firm keeps records of its clients for six years from the day on which they leave it, in a form that lets the authority read them on demand, and it tells the authority where they are.",
            ),
            ("2", "", "A firm of divers keeps records of air for six years."),
            ("3", "", "Divers rest."),
            ("4", "", "A firm pays fees."),
        ],
    )]);
    let question = "How many years must a firm keep records?";
    // The shorter clause wins by its length alone.
    assert_eq!(lexical(&index, question)[0], "2");
    let (general, narrow) = (proximity(&index, question, "1"), proximity(&index, question, "2"));
    // By what they have of the question there is nothing between them; the phrase is the general one's.
    assert_eq!(general.coverage, narrow.coverage);
    assert_eq!(general.capped, narrow.capped);
    assert!(general.longest_phrase >= narrow.longest_phrase && general.bigrams >= narrow.bigrams);
    assert!(general.phrase >= narrow.phrase, "{general:?} {narrow:?}");
}
