//! Numbers behind leaders, as the entries of tables of contents have them: "Fees ........ 12".

/// Fewest dots of a leader.
const MIN_DOTS: usize = 4;
/// Most digits of a page number.
const MAX_DIGITS: usize = 4;

/// The numbers that end in white space or the text behind a leader, in order; a leader is a run of dots, with or without white space
/// between them. Cost: linear in the text.
pub fn numbers_behind_leaders(text: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut n_dots = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' | '·' => n_dots += 1,
            '…' => n_dots += 3,
            _ if c.is_whitespace() => {}
            _ if c.is_ascii_digit() && n_dots >= MIN_DOTS => {
                n_dots = 0;
                while chars.next_if(|(_, c)| c.is_ascii_digit()).is_some() {}
                let end = chars.peek().map_or(text.len(), |&(end, _)| end);
                let is_end = chars.peek().is_none_or(|(_, c)| c.is_whitespace());
                let digits = text.get(at..end).filter(|digits| is_end && digits.len() <= MAX_DIGITS);
                numbers.extend(digits.and_then(|digits| digits.parse::<u32>().ok()));
            }
            _ => n_dots = 0,
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::numbers_behind_leaders;

    #[test]
    fn a_number_behind_dots_is_one_behind_a_leader() {
        let entries = "1. Fees ........ 12\n2. Notices . . . . . 14 3 Law…… 20\tIndex....iv";
        assert_eq!(numbers_behind_leaders(entries), [12, 14, 20]);
    }

    #[test]
    fn figures_and_the_ends_of_sentences_are_none() {
        for text in
            ["See section 3. 14 days", "He said... 5 times", "Revenue ........ 1,234", "Code .... 12345"]
        {
            assert!(numbers_behind_leaders(text).is_empty(), "{text}");
        }
        assert!(numbers_behind_leaders("").is_empty());
    }
}
