//! Conflicts and notes over documents built in code, English and Chinese.

use document::{Edition, EditionKind, LegalStatus, SectionId, Withdrawn};

use super::*;
use crate::answer::{ConflictKind, Note};
use crate::fixture::{Library, cite, document};
use crate::notes::notes;

/// Two documents of one provision each, the first cited.
fn found(first: &str, second: &str) -> Vec<Conflict> {
    let library = Library::new(vec![
        document("First Rules", &[("4.2", first)]),
        document("Second Rules", &[("7.1", second)]),
    ]);
    let citations = vec![cite(&library, 0, 1, first)];
    conflicts(&citations, &library.evidence())
}

/// Two editions of one instrument, the first cited.
fn editions(first: &str, second: &str, dates: [&str; 2]) -> (Library, Vec<Citation>) {
    let edition = |text: &str, date: &str| {
        let mut document = document("Conduct Rules", &[("4.2", text)]);
        let date = Some(date.to_owned());
        document.tree.editions.push(Edition { kind: EditionKind::Consolidated, text: String::new(), date });
        document
    };
    let library = Library::new(vec![edition(first, dates[0]), edition(second, dates[1])]);
    let citations = vec![cite(&library, 0, 1, first)];
    (library, citations)
}

#[test]
fn the_same_rule_with_another_number_modal_or_negation_conflicts() {
    let cases = [
        (
            "A broker must keep its records of complaints for six years.",
            "A broker must keep its records of complaints for 10 years.",
            ConflictKind::Number,
        ),
        (
            "A broker must publish its annual accounts by 1 July.",
            "A broker must publish its annual accounts by 1 August.",
            ConflictKind::Number,
        ),
        (
            "A broker must disclose its fees to every retail client.",
            "A broker may disclose its fees to every retail client.",
            ConflictKind::Modality,
        ),
        (
            "A broker may hold client money in an omnibus account.",
            "A broker may not hold client money in an omnibus account.",
            ConflictKind::Negation,
        ),
        (
            "董事会应当自收到申请之日起三十日内作出决定。",
            "董事会应当自收到申请之日起六十日内作出决定。",
            ConflictKind::Number,
        ),
        (
            "公司应当向股东公开会计账簿和原始凭证。",
            "公司可以向股东公开会计账簿和原始凭证。",
            ConflictKind::Modality,
        ),
        ("公司可以向其股东提供贷款和担保。", "公司不得向其股东提供贷款和担保。", ConflictKind::Negation),
    ];
    for (first, second, kind) in cases {
        let found = found(first, second);
        assert_eq!(found.len(), 1, "{first}");
        assert_eq!(found[0].kind, kind, "{first}");
        assert_eq!(found[0].places.len(), 2);
        assert_eq!((found[0].places[0].citation, found[0].places[1].citation), (Some(1), None));
        assert_eq!((found[0].places[0].quote.as_str(), found[0].places[1].quote.as_str()), (first, second));
        assert_eq!(found[0].in_force, None, "of two instruments the later does not go first");
    }
}

#[test]
fn rules_about_different_things_and_the_same_rule_twice_are_no_conflict() {
    let cases = [
        (
            "A broker must keep its records of complaints for six years.",
            "An insurer must keep its records of complaints for 10 years.",
        ),
        (
            "A broker must keep its records of complaints for six years.",
            "A broker shall keep its records of complaints for 6 years.",
        ),
        ("The fee is 5 dollars.", "The fee is 6 dollars."),
        ("董事会应当自收到申请之日起三十日内作出决定。", "监事会应当自收到申请之日起六十日内作出决定。"),
        ("公司应当公开其会计账簿和原始凭证。", "公司必须公开其会计账簿和原始凭证。"),
    ];
    for (first, second) in cases {
        assert_eq!(found(first, second), [], "{first}");
    }
}

#[test]
fn of_two_editions_the_later_is_in_force_and_both_are_shown() {
    let (library, citations) = editions(
        "A broker must keep its records of complaints for six years.",
        "A broker must keep its records of all complaints for ten years.",
        ["2019-01-01", "2024-03-01"],
    );
    let found = conflicts(&citations, &library.evidence());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, found[0].in_force), (ConflictKind::Number, Some(1)));
    assert_eq!(found[0].places[1].date.as_deref(), Some("2024-03-01"));
    let later = Note::LaterEdition {
        citation: 1,
        date: "2019-01-01".to_owned(),
        later: DocumentIdx(1),
        later_date: "2024-03-01".to_owned(),
    };
    assert_eq!(notes(&citations, &library.evidence(), &library), [later]);
}

#[test]
fn an_edition_that_says_the_same_is_no_conflict_and_an_unclear_date_decides_nothing() {
    let same = "A broker must keep its records of complaints for six years.";
    let (library, citations) = editions(same, same, ["2019", "2024"]);
    assert_eq!(conflicts(&citations, &library.evidence()), []);
    let (library, citations) =
        editions(same, "A broker must keep its records of complaints for 7 years.", ["2024", "2024-03"]);
    let found = conflicts(&citations, &library.evidence());
    assert_eq!(found[0].in_force, None);
    assert_eq!(notes(&citations, &library.evidence(), &library), []);
}

#[test]
fn what_says_that_it_is_repealed_is_never_in_force_and_is_said() {
    let (mut library, citations) = editions(
        "A broker must keep its records of complaints for six years.",
        "A broker must keep its records of complaints for ten years.",
        ["2024-01-01", "2019-01-01"],
    );
    let withdrawn = Withdrawn { section: SectionId(1), legal_status: LegalStatus::Repealed };
    library.documents[0].tree.withdrawn.push(withdrawn);
    let found = conflicts(&citations, &library.evidence());
    assert_eq!(found[0].in_force, Some(1), "the later says itself that it is repealed");
    assert_eq!(found[0].places[0].legal_status, Some(LegalStatus::Repealed));
    let expected = [Note::Withdrawn { citation: 1, legal_status: LegalStatus::Repealed }];
    assert_eq!(notes(&citations, &library.evidence(), &library), expected);
}

#[test]
fn the_number_of_a_provision_is_no_amount() {
    let found = found(
        "4.2.1 A broker must keep its records of complaints safely.",
        "7.1 A broker must keep its records of complaints safely.",
    );
    assert_eq!(found, []);
}
