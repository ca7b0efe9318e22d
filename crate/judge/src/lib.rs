//! A judge of answers, without I/O: a question, its reference answer and an answer to the next request to a language
//! model, and its verdict.
//!
//! [`Judging`] is one criterion for one [`Item`]. It names the request that is due and takes the reply, so that a page and
//! the command line drive the same code. A reply that does not have the form is asked for once more with what is wrong;
//! then there is no verdict, and the [`Refusal`] says why: a verdict is never guessed from a reply. Every request has
//! temperature 0.
//!
//! The judged texts are hostile. Answers, references and passages stand between fence lines with a nonce that none of them
//! holds ([`answer::Fence`]), and a reply is one JSON object and nothing beside it, so that an object which an answer
//! shows and the judge repeats cannot be taken for the verdict.
//!
//! | Criterion | Requests | Verdict | Method |
//! |---|---|---|---|
//! | claims | 2 | recall of the reference's claims, as nested triples | LCLF-QA, section 4; RAGChecker |
//! | coverage | 1 | complete, partial, incorrect | LCLF-QA, section 4 |
//! | score | 1 | 0 to 100 points | Legal-DC, section 3.3 |
//! | repass | 1 or 2 | entailment, contradiction, obligation coverage | RIRAG; ObliQA-MP, section 5 |
//! | connection | 1 a passage | directly, indirectly, not | ObliQA-MP, section 3 |
//!
//! The formulas are those of `evaluate`; the wording of the prompts is ours. It never knows endpoints, files or keys.

mod claims;
mod connection;
mod coverage;
mod criterion;
mod item;
mod judging;
mod prompt;
mod repass;
mod reply;
mod request;
mod score;
#[cfg(test)]
mod tests;
mod triple;
mod verdict;

pub use criterion::Criterion;
pub use item::Item;
pub use judging::{Judging, Refusal};
pub use repass::{Obligations, RepassTexts};
pub use request::JudgeRequest;
pub use triple::{Term, Triple};
pub use verdict::{Finding, JudgedClaim, Verdict};
