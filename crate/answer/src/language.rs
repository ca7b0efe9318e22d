//! The language of the answer, taken from the question.

/// Language of messages, refusals and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, and the default.
    #[default]
    English,
    /// Chinese: most letters of the question are Han.
    Chinese,
}

impl Language {
    /// The language of a question.
    pub fn of(question: &str) -> Self {
        let (n_han, n_letters) = letters(question);
        if 2 * n_han > n_letters { Self::Chinese } else { Self::English }
    }

    /// Instruction to a model. English stands for all other languages too, so it refers to the question's language.
    pub(crate) fn asked_for(self) -> &'static str {
        match self {
            Self::English => "the language of the question",
            Self::Chinese => "Chinese (中文)",
        }
    }

    /// True if a text can be in this language: at least a quarter Han letters for Chinese, which may quote other
    /// languages; at most half for any other, which may quote Chinese.
    pub(crate) fn may_be_of(self, text: &str) -> bool {
        let (n_han, n_letters) = letters(text);
        match self {
            Self::Chinese => n_letters < 8 || 4 * n_han >= n_letters,
            Self::English => 2 * n_han <= n_letters,
        }
    }
}

fn letters(text: &str) -> (usize, usize) {
    let n_han = text.chars().filter(|&c| text::is_cjk(c)).count();
    (n_han, text.chars().filter(|c| c.is_alphabetic()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_most_letters() {
        assert_eq!(Language::of("公司应当如何处理 GDPR 请求？"), Language::Chinese);
        assert_eq!(Language::of("What does 第十九条 require of the board?"), Language::English);
        assert!(Language::Chinese.may_be_of("“The firm must notify” 公司应当通知监管机构并说明理由。"));
        assert!(!Language::Chinese.may_be_of("The firm must notify the regulator."));
        assert!(!Language::English.may_be_of("公司应当通知监管机构。"));
        assert!(Language::English.may_be_of("The article says “公司应当通知” of the firm."));
    }
}
