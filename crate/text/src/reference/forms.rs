//! References that no word for a provision leads: codes ("17 CFR 230.506"), public laws, federal rules of
//! procedure, brackets alone ("under (2)(a)"), words of position ("the preceding section").

use super::lex::TokenKind;
use super::line::TokenizedLine;
use super::list::{ListedProvision, ProvisionList, read_list, read_provision};
use super::provision_reference::Scope;
use super::words::{connective, provision};
use crate::provision::{ProvisionWord, Rank};

/// "this section", "the preceding section", "that paragraph".
pub(super) fn relative_reference(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    if let Some(found) = position_behind(line, at) {
        return Some(found);
    }
    let first = line.word(at).to_lowercase();
    let (scope, noun) = match connective(&first) {
        "this" => (Scope::Here, at + 1),
        "that" => (Scope::That, at + 1),
        "the" => match line.word(at + 1) {
            "preceding" | "previous" | "foregoing" => (Scope::Previous, at + 2),
            "following" | "next" | "succeeding" => (Scope::Next, at + 2),
            _ => return None,
        },
        _ => return None,
    };
    let word = provision(line.word(noun)).filter(is_relative)?;
    // With a number of its own it is cited by that.
    if read_provision(line, noun + 1, Some(word)).is_some() || line.kind(noun + 1) == Some(TokenKind::Dash) {
        return None;
    }
    let item = ListedProvision { from: at, to: noun + 1, parts: vec![word.key.to_owned()], through: false };
    Some(ProvisionList {
        items: vec![item],
        key: "this",
        scope,
        start: at,
        end: noun + 1,
        ..ProvisionList::default()
    })
}

/// "artículo anterior", "apartado siguiente": the word of position behind, as in Spanish.
fn position_behind(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    let scope = match line.word(at + 1) {
        "anterior" | "precedente" => Scope::Previous,
        "siguiente" => Scope::Next,
        _ => return None,
    };
    let word = provision(line.word(at)).filter(|word| is_relative(word) && word.is_spanish())?;
    let item = ListedProvision { from: at, to: at + 2, parts: vec![word.key.to_owned()], through: false };
    Some(ProvisionList {
        items: vec![item],
        key: "this",
        scope,
        start: at,
        end: at + 2,
        ..ProvisionList::default()
    })
}

/// True if a word may be cited by its position, without a number.
fn is_relative(word: &ProvisionWord) -> bool {
    !word.plural
        && !word.abbreviation
        && word.rank < Rank::Item
        && !matches!(word.key, "title" | "book" | "division" | "regulation")
}

/// "in (1)", "under (2)(a)": brackets alone, behind a word that takes a provision and before one that takes none.
pub(super) fn bracket_reference(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    let before = at.checked_sub(1)?;
    if !matches!(line.word(before), "in" | "under" | "of" | "to" | "with" | "by") || line.adjacent(at) {
        return None;
    }
    let word = ProvisionWord::of_key("", Rank::Paragraph, true);
    let list = read_list(line, at, at, Some(word))?;
    let ends = match line.kind(list.end) {
        None | Some(TokenKind::Comma | TokenKind::Stop | TokenKind::Close | TokenKind::Dash) => true,
        Some(TokenKind::Word) => matches!(
            line.word(list.end),
            "above" | "below" | "applies" | "apply" | "does" | "do" | "shall" | "must" | "is" | "are" | "may"
        ),
        Some(TokenKind::Other) => line.str(list.end) == ";" || line.str(list.end) == ":",
        _ => false,
    };
    ends.then_some(ProvisionList { key: "()", ..list })
}

/// "17 CFR 230.506(b)", "15 U.S.C. § 78j(b)".
pub(super) fn code_reference(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    const CODES: [&str; 6] = ["CFR", "C.F.R", "USC", "U.S.C", "USCA", "U.S.C.A"];
    if !CODES.contains(&line.word(at + 1)) || !line.str(at).bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut number = at + 2;
    if line.kind(number) == Some(TokenKind::Stop) {
        number += 1;
    }
    let to = number;
    // Without a sign nothing says whether "825-829" is one or a range: the figures do.
    let mut word = ProvisionWord::of_key("§", Rank::Section, true);
    if line.kind(number) == Some(TokenKind::Sign) {
        number += 1;
        word.plural = line.kind(number) == Some(TokenKind::Sign);
        number += usize::from(word.plural);
    } else if let Some(named) = provision(line.word(number)) {
        word = named;
        number += 1;
        if line.kind(number) == Some(TokenKind::Stop) {
            number += 1;
        }
    }
    let list = read_list(line, at, number, Some(word))?;
    Some(ProvisionList { instrument: Some(line.printed(at, to)), ..list })
}

/// "Pub. L. No. 111-203", "Public Law 111-203": the whole law.
pub(super) fn public_law(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    let mut number = match line.word(at) {
        "Pub" if line.kind(at + 1) == Some(TokenKind::Stop) && line.word(at + 2) == "L" => at + 3,
        "Public" if line.word(at + 1) == "Law" => at + 2,
        _ => return None,
    };
    while line.kind(number) == Some(TokenKind::Stop) || matches!(line.word(number), "No" | "Nos") {
        number += 1;
    }
    let dash = line.kind(number) == Some(TokenKind::Number)
        && line.kind(number + 1) == Some(TokenKind::Dash)
        && line.kind(number + 2) == Some(TokenKind::Number);
    if !dash || number > at + 6 {
        return None;
    }
    Some(whole_instrument(line, at, number + 3))
}

/// A whole instrument: tokens `at..end`.
pub(super) fn whole_instrument(line: TokenizedLine<'_>, at: usize, end: usize) -> ProvisionList {
    let item = ListedProvision { from: at, to: end, parts: Vec::new(), through: false };
    ProvisionList {
        items: vec![item],
        key: "law",
        instrument: Some(line.printed(at, end)),
        start: at,
        end,
        ..ProvisionList::default()
    }
}

/// "Fed. R. Civ. P. 12(b)(6)", "Fed. R. Evid. 403".
pub(super) fn federal_rule(line: TokenizedLine<'_>, at: usize) -> Option<ProvisionList> {
    if line.word(at) != "Fed" || line.kind(at + 1) != Some(TokenKind::Stop) || line.word(at + 2) != "R" {
        return None;
    }
    let mut number = at + 3;
    while number < at + 9
        && (line.kind(number) == Some(TokenKind::Stop)
            || matches!(line.word(number), "Civ" | "Crim" | "App" | "Evid" | "Bankr" | "P"))
    {
        number += 1;
    }
    let word = ProvisionWord::of_key("rule", Rank::Section, false);
    let list = read_list(line, at, number, Some(word))?;
    Some(ProvisionList { instrument: Some(line.printed(at, number)), ..list })
}
