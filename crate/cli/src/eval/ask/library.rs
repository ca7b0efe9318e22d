//! `pincite eval ask --library`: many questions asked of one library.

use std::collections::BTreeMap;
use std::path::Path;

use encoder::Session;
use engine::{AnswerOptions, Ask, Glossary, Library, SearchOptions};
use serde_json::Value;

use crate::eval::retrieval::corpus::JudgedQuestion;
use crate::failure::Failure;
use crate::search::Embedded;
use crate::store::Store;

/// A library that questions are asked of, as `pincite ask` does.
pub(super) struct AskedLibrary {
    library: Library,
    session: Option<Session>,
    glossary: BTreeMap<String, Vec<String>>,
    search: SearchOptions,
    compares: bool,
}

impl AskedLibrary {
    /// Loads library, model, glossary and thesaurus; `compares` is false to compare no passage with the question.
    pub(super) fn load(
        directory: &Path,
        embedder: Option<&Path>,
        glossary: Option<&Path>,
        thesaurus: Option<&Path>,
        compares: bool,
    ) -> Result<Self, Failure> {
        let thesaurus = crate::search::thesaurus(thesaurus)?;
        Ok(Self {
            library: Store::open(directory)?.load()?,
            session: crate::model::load(embedder, native::model::Activations::default())?,
            glossary: glossary.map(crate::search::glossary).transpose()?.unwrap_or_default(),
            search: SearchOptions::for_answers().with_glossary(Glossary::default().with_thesaurus(thesaurus)),
            compares,
        })
    }

    /// The answer as `pincite ask --json` prints it, with the question's id and the signals of sufficiency.
    pub(super) fn answer(
        &self,
        question: &JudgedQuestion,
        answering: AnswerOptions,
    ) -> Result<Value, Failure> {
        let ask =
            Ask { glossary: self.glossary.clone(), search: self.search.clone(), ..Ask::new(&question.text) };
        let mut asking = self.library.asking_with(ask, answering);
        while let Some(query) = asking.query().map(str::to_owned) {
            let session = self.session.as_ref();
            let session = session.filter(|_| crate::search::is_compared(&self.library, &query));
            let embedded = session.map(|session| crate::search::embed_by(session, &query)).transpose()?;
            asking.search(embedded.as_ref().map(Embedded::as_query))?;
            if let (Some(comparison), Some(session)) = (asking.comparison(), session) {
                let matches =
                    if self.compares { crate::comparing::compare(session, &comparison)? } else { Vec::new() };
                asking.compared(&matches);
            }
        }
        let signals = asking.signals();
        let mut answer = crate::json::answer(&question.text, &asking.finish())?;
        answer["id"] = question.qid.as_str().into();
        answer["signals"] = signals.into();
        Ok(answer)
    }
}
