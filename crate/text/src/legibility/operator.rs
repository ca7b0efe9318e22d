//! Operators of content streams: where a stream is broken, they are shown as text with their operands
//! ("1 0 0 1 72 712 Tm [(T)8(he)] TJ").

/// Evidence of an operator behind its operand, in half bits. Honest words around it outweigh it: a book on the format.
const OPERATOR: i32 = -24;

/// Evidence that a word is an operator of a content stream, by the word before it, in half bits; 0 for other words.
/// Only operators are known that are no word, unit or sign behind such an operand.
pub fn evidence_of_operator(before: &str, word: &str) -> i32 {
    let is_number = || before.parse::<f32>().is_ok_and(f32::is_finite);
    let is_operator = match word {
        "Td" | "Tf" | "Tm" | "Tc" | "Tw" | "rg" | "scn" => is_number(),
        "Tj" | "TJ" => before.ends_with([')', ']', '>']),
        "gs" | "Do" | "BDC" | "BMC" => before.starts_with('/') || before.ends_with(">>"),
        _ => false,
    };
    if is_operator { OPERATOR } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_stand_behind_their_operands() {
        for (before, word) in
            [("-12", "Td"), ("12", "Tf"), ("(Hello)", "Tj"), ("20(lo)]", "TJ"), ("/Im1", "Do")]
        {
            assert!(evidence_of_operator(before, word) < 0, "{before} {word}");
        }
        for (before, word) in
            [("12", "cm"), ("100", "TL"), ("Mr", "Tm"), ("", "Tj"), ("1", "re"), ("Do", "Do")]
        {
            assert_eq!(evidence_of_operator(before, word), 0, "{before} {word}");
        }
    }
}
