//! The six styles of question of LCLF-QA, appendix A. The first four are categories of Bolotova et al., [A non-factoid
//! question-answering taxonomy](https://doi.org/10.1145/3477495.3531926) (SIGIR 2022).

/// Style of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// The way in which something is done.
    Instruction,
    /// Why something is so.
    Reason,
    /// The nature or meaning of something.
    Evidence,
    /// Differences and likenesses.
    Comparison,
    /// The parts of something: what it requires or comprises.
    List,
    /// A practitioner's question, in the terms of the profession.
    Domain,
}

impl Style {
    /// All styles, in the order in which they are written.
    pub const ALL: [Self; 6] =
        [Self::Instruction, Self::Reason, Self::Evidence, Self::Comparison, Self::List, Self::Domain];

    /// Name in prompts, in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instruction => "instruction-based",
            Self::Reason => "reason-based",
            Self::Evidence => "evidence-based",
            Self::Comparison => "comparison-based",
            Self::List => "list-based",
            Self::Domain => "domain-specific",
        }
    }

    /// The style of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    /// Least number of pages that a question of this style draws on: a procedure or a reason is put together.
    pub fn min_chunks(self) -> usize {
        match self {
            Self::Instruction | Self::Reason => 2,
            _ => 1,
        }
    }

    pub(crate) fn purpose(self) -> &'static str {
        match self {
            Self::Instruction => {
                "They ask how something is to be done: the procedure, its steps and what each needs."
            }
            Self::Reason => "They ask why something is so, or what it follows from.",
            Self::Evidence => {
                "They ask for the definition, the features or the working of a concept, an event or a thing."
            }
            Self::Comparison => "They ask how two or more things differ, or what they have in common.",
            Self::List => "They ask for all requirements, properties or parts of something.",
            Self::Domain => {
                "They ask what a practitioner of this field asks a colleague, in the field's terms of art."
            }
        }
    }

    pub(crate) fn answer(self) -> &'static str {
        match self {
            Self::Instruction => "It gives the steps in their order.",
            Self::Reason => "It gives the reasons, each with what the documents base it on.",
            Self::Evidence => "It describes or defines by facts alone.",
            Self::Comparison => "It sets the things against each other, point by point.",
            Self::List => "It is a list, an item a line that begins with \"- \".",
            Self::Domain => "It keeps to the terms of the documents.",
        }
    }

    pub(crate) fn forms(self) -> &'static str {
        match self {
            Self::Instruction => "How is … done? What must be done before …? By which procedure …?",
            Self::Reason => "Why is …? For what reason does …? What leads to …?",
            Self::Evidence => "What is …? What does … mean? How does … work?",
            Self::Comparison => "How does … differ from …? What do … and … share? Which of … and …?",
            Self::List => "What does … require? Which conditions …? What belongs to …?",
            Self::Domain => "Is … enforceable? Who bears …? How is … treated?",
        }
    }
}
