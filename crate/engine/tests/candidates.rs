//! Vectors on demand: the passages that a question needs embedded before all others are, and what becomes of them; and
//! late interaction: the passages that are compared with it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use engine::{
    Answer, ApproximateTokens, Ask, Asking, COMPARED, Comparison, DocumentInfo, IngestOptions, Library,
    QueryVector, SearchOptions, StoredVectors, TokenMatches, VectorUse, VectorsOnDemand, WantedPassage,
};
use pincite_tests::samples;
use pincite_tests::wordfile::Manner;

const QUESTION: &str = "How long must a firm keep records of complaints?";

fn segment(id: &str) -> Vec<u8> {
    let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
    let go_on = &mut |_| ControlFlow::Continue(());
    let (name, options) = (format!("{id}.pdf"), IngestOptions::default());
    engine::ingest(&pdf, &name, &options, &ApproximateTokens, go_on).unwrap()
}

fn library() -> Library {
    let mut library = Library::new();
    for id in ["rulebook", "contract"] {
        library.add(&segment(id)).unwrap();
    }
    library
}

/// Unit vector of eight dimensions by the letters of a text.
fn vector(text: &str) -> Vec<f32> {
    let mut row = [1.0_f32; 8];
    text.bytes().for_each(|byte| row[usize::from(byte % 8)] += 1.0);
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    row.iter().map(|value| value / length).collect()
}

/// Embeds passages into the library.
fn embed(library: &mut Library, wanted: &[WantedPassage]) -> Vec<StoredVectors> {
    let mut by_document: BTreeMap<&str, BTreeMap<usize, Vec<f32>>> = BTreeMap::new();
    for passage in wanted {
        by_document.entry(&passage.document).or_default().insert(passage.row, vector(&passage.text));
    }
    let put = |(id, vectors)| library.put_single_vectors(id, vectors, "m").unwrap();
    by_document.into_iter().flat_map(put).collect()
}

/// The answer when the best `n` of the wanted passages are embedded in time, and how many were wanted.
fn answer(library: &mut Library, n: usize) -> (Answer, usize) {
    let mut asking = library.asking(Ask::new(QUESTION));
    let mut n_wanted = 0;
    while asking.query().is_some() {
        let wanted = asking.wanted().unwrap();
        n_wanted += wanted.len();
        embed(library, &wanted[..n.min(wanted.len())]);
        asking.take_vectors(library);
        let values = vector(QUESTION);
        asking.search(Some(QueryVector { fingerprint: "m", values: &values })).unwrap();
    }
    (asking.finish(), n_wanted)
}

#[test]
fn the_passages_that_a_question_needs_are_those_that_its_words_find_best_first() {
    let library = library();
    let mut asking = library.asking(Ask::new(QUESTION));
    let wanted = asking.wanted().unwrap();
    let n_passages: usize = library.documents().iter().map(|info| info.n_passages).sum();
    assert!(wanted.len() > 10 && wanted.len() < n_passages, "{} of {n_passages}", wanted.len());
    assert!(wanted[0].text.contains("record of each Complaint"), "{}", wanted[0].text);
    for passage in &wanted {
        assert_eq!(library.passages_at(&passage.document, &[passage.row]), [passage.text.as_str()]);
    }
    asking.search(None).unwrap();
    assert!(asking.wanted().unwrap().is_empty(), "no search is due");
    let chinese = library.asking(Ask::new("投诉记录保存多少年？")).wanted().unwrap();
    assert!(chinese.is_empty(), "a question in a script that the model cannot read has no vector");
}

#[test]
fn an_answer_compares_the_vectors_of_its_candidates_and_says_so() {
    let (whole, n_wanted) = answer(&mut library(), usize::MAX);
    assert_eq!(whole.vectors, VectorUse::Candidates);
    assert_eq!(whole.trace.on_demand, VectorsOnDemand { embedded: n_wanted, left: 0 });
    assert!(whole.sufficient && whole.trace.diags.is_empty());
    let (in_part, _) = answer(&mut library(), 10);
    assert_eq!(in_part.vectors, VectorUse::Some);
    assert_eq!(in_part.trace.on_demand, VectorsOnDemand { embedded: 10, left: n_wanted - 10 });
    let (by_words, _) = answer(&mut library(), 0);
    assert_eq!((by_words.vectors, by_words.trace.on_demand.left), (VectorUse::None, n_wanted));
}

#[test]
fn no_passage_is_embedded_twice() {
    let mut library = library();
    let (_, n_wanted) = answer(&mut library, 10);
    assert_eq!(library.n_vectors(), 10);
    let (_, n_left) = answer(&mut library, usize::MAX);
    assert_eq!((n_left, library.n_vectors()), (n_wanted - 10, n_wanted));
    assert_eq!(answer(&mut library, usize::MAX).1, 0);

    // What is embedded later are the passages between.
    let mut n_vectors = n_wanted;
    for info in library.documents() {
        for [start, end] in library.passages_without_vectors(&info.id) {
            let texts = library.passages(&info.id, start, end - start);
            let rows: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
            library.put_vectors(&info.id, start, &rows, "m").unwrap();
            n_vectors += rows.len();
        }
        assert!(library.passages_without_vectors(&info.id).is_empty());
    }
    assert_eq!(library.n_vectors(), n_vectors);
    let (whole, n_wanted) = answer(&mut library, 0);
    assert_eq!(
        (whole.vectors, whole.trace.on_demand, n_wanted),
        (VectorUse::All, VectorsOnDemand::default(), 0)
    );
}

#[test]
fn vectors_on_demand_are_stored_like_any_others_and_each_once() {
    let mut first = library();
    let wanted = first.asking(Ask::new(QUESTION)).wanted().unwrap();
    let rulebook: Vec<WantedPassage> =
        wanted.iter().filter(|passage| passage.document == first.documents()[0].id).cloned().collect();
    let stored = embed(&mut first, &rulebook);
    assert!(stored.len() > 1 && stored.iter().map(|run| run.count).sum::<usize>() == rulebook.len());
    assert!(embed(&mut first, &rulebook).is_empty(), "what is there is not stored again");
    let mut loaded = library();
    stored.iter().for_each(|run| loaded.add_vectors(&run.bytes).unwrap());
    let id = &loaded.documents()[0].id;
    assert_eq!(loaded.passages_without_vectors(id), first.passages_without_vectors(id));
    // A batch of the background that was under way holds some of them: it brings the others.
    let n = loaded.documents()[0].n_passages;
    let rows: Vec<Vec<f32>> = loaded.passages(id, 0, n).iter().map(|text| vector(text)).collect();
    loaded.put_vectors(&id.clone(), 0, &rows, "m").unwrap();
    assert_eq!(loaded.n_vectors(), n);
}

const MIXED: &str = "\
= Complaints

# 1. | Records

A firm must keep a record of each complaint for six years.

# 2. | 记录

公司应当将每一项投诉记录保存六年，以备监管机构检查。

# 3. | Replies

A firm must reply to a complaint within thirty days (三十日).
";

/// A sample as a Word file, in a library.
fn add(library: &mut Library, sample: &samples::Sample) -> String {
    let (name, file) = (format!("{}.docx", sample.id), sample.word(Manner::Styles).unwrap());
    let go_on = &mut |_| ControlFlow::Continue(());
    let segment = engine::ingest(&file, &name, &IngestOptions::default(), &ApproximateTokens, go_on).unwrap();
    library.add(&segment).unwrap().id
}

fn info(library: &Library, id: &str) -> DocumentInfo {
    library.documents().into_iter().find(|info| info.id == id).unwrap()
}

/// Use of vectors in a search for the question, with its vector.
fn vector_use(library: &Library, question: &str) -> VectorUse {
    let values = vector(question);
    let query = Some(QueryVector { fingerprint: "m", values: &values });
    let reply = library.search(question, query, &SearchOptions::for_answers()).unwrap();
    assert!(!reply.hits.is_empty(), "{question}");
    reply.vectors
}

#[test]
fn a_document_that_the_model_cannot_read_is_complete_without_vectors() {
    let mut library = Library::new();
    let id = add(&mut library, &samples::chinese());
    let before = info(&library, &id);
    assert!(before.n_passages > 0 && (before.n_to_embed, before.n_embedded) == (0, 0), "{before:?}");
    assert!(library.passages_without_vectors(&id).is_empty());
    assert!(
        library.asking(Ask::new("投诉记录 six years complaint record firm")).wanted().unwrap().is_empty()
    );
    assert_eq!(vector_use(&library, "投诉"), VectorUse::None);

    // Stored by an earlier version, it has vectors: they are read, and it is complete as well.
    let rows: Vec<Vec<f32>> =
        library.passages(&id, 0, before.n_passages).iter().map(|text| vector(text)).collect();
    let stored = library.put_vectors(&id, 0, &rows, "m").unwrap();
    let mut reloaded = Library::new();
    add(&mut reloaded, &samples::chinese());
    reloaded.add_vectors(&stored).unwrap();
    let after = info(&reloaded, &id);
    assert_eq!((after.n_to_embed, after.n_embedded), (0, before.n_passages));
    assert!(reloaded.passages_without_vectors(&id).is_empty());
}

#[test]
fn of_a_document_in_two_scripts_the_passages_get_vectors_that_the_model_can_read() {
    let mixed = samples::Sample { manuscript: MIXED, ..samples::chinese() };
    let mut library = Library::new();
    let id = add(&mut library, &mixed);
    let info = info(&library, &id);
    let gaps = library.passages_without_vectors(&id);
    let missing: Vec<usize> = gaps.iter().flat_map(|&[start, end]| start..end).collect();
    assert!(
        gaps.len() > 1 && missing.len() == info.n_to_embed && info.n_to_embed < info.n_passages,
        "{gaps:?}"
    );
    let texts = library.passages_at(&id, &missing);
    assert!(texts.iter().all(|text| text.contains("A firm must")), "{texts:?}");
    let wanted = library.asking(Ask::new(QUESTION)).wanted().unwrap();
    assert!(wanted.iter().all(|passage| missing.contains(&passage.row)), "{wanted:?}");

    let rows = missing.iter().copied().zip(texts.iter().map(|text| vector(text)));
    let stored = library.put_single_vectors(&id, rows.collect(), "m").unwrap();
    assert_eq!(vector_use(&library, QUESTION), VectorUse::All);
    assert_eq!(vector_use(&library, "投诉记录保存多少年？"), VectorUse::None);
    let (whole, n_wanted) = answer(&mut library, usize::MAX);
    assert_eq!((whole.vectors, n_wanted), (VectorUse::All, 0));

    // As they are stored on disk: the runs one after the other.
    let mut reloaded = Library::new();
    add(&mut reloaded, &mixed);
    let bytes: Vec<u8> = stored.into_iter().flat_map(|run| run.bytes).collect();
    reloaded.add_vectors(&bytes).unwrap();
    assert!(reloaded.passages_without_vectors(&id).is_empty());
    assert_eq!(reloaded.documents(), library.documents());
}

/// Matches of one query token with each piece of a passage: `best` where a piece has `word`.
fn matches(pieces: &[String], word: &str, best: f32) -> TokenMatches {
    let best = pieces.iter().map(|piece| if piece.contains(word) { best } else { 0.0 }).collect();
    TokenMatches { best, ranges: std::iter::once(0..QUESTION.len()).collect() }
}

/// Probability that the documents answer a question of two parts, by the match of every passage with the question and with
/// each part.
fn probability(library: &mut Library, of_question: f32, of_parts: f32) -> f64 {
    let question = "How long must a firm keep records of complaints, and who pays the fee of the mediator?";
    let mut asking = library.asking(Ask::new(question));
    let mut queries: Vec<String> = Vec::new();
    while let Some(query) = asking.query().map(str::to_owned) {
        embed(library, &asking.wanted().unwrap());
        asking.take_vectors(library);
        let values = vector(&query);
        asking.search(Some(QueryVector { fingerprint: "m", values: &values })).unwrap();
        let best = if queries.is_empty() { of_question } else { of_parts };
        let compared = asking.comparison().unwrap();
        asking.compared(
            &compared.passages.iter().map(|pieces| Some(matches(pieces, "", best))).collect::<Vec<_>>(),
        );
        queries.push(query);
    }
    assert_eq!(queries.len(), 3, "the question and its parts: {queries:?}");
    asking.finish().probability
}

/// A question of which the passages that its search found are to be compared.
fn comparing(library: &mut Library) -> (Asking, Comparison) {
    let mut asking = library.asking(Ask::new(QUESTION));
    embed(library, &asking.wanted().unwrap());
    asking.take_vectors(library);
    let values = vector(QUESTION);
    asking.search(Some(QueryVector { fingerprint: "m", values: &values })).unwrap();
    let comparison = asking.comparison().unwrap();
    (asking, comparison)
}

#[test]
fn passages_that_match_token_by_token_come_first() {
    let mut library = library();
    let (mut asking, comparison) = comparing(&mut library);
    assert_eq!(comparison.query, QUESTION);
    assert!(comparison.passages.len() > 10 && comparison.passages.len() <= COMPARED);
    let is_named = |place: &str| ["rulebook", "contract"].iter().any(|name| place.starts_with(name));
    assert!(
        comparison.passages.iter().all(|pieces| is_named(&pieces[0])),
        "the name of the file is compared too"
    );
    let sentence = comparison.passages.last().and_then(|pieces| pieces.last()).unwrap();
    assert_eq!(asking.query(), None, "the comparison is due");
    let all = comparison.passages.iter().map(|pieces| Some(matches(pieces, sentence, 0.9)));
    asking.compared(&all.collect::<Vec<_>>());
    assert!(asking.comparison().is_none() && asking.query().is_none());
    let answer = asking.finish();
    assert!(answer.retrieved[0].text.contains(sentence), "{}", answer.retrieved[0].text);
    let quotes: Vec<&str> = answer.citations.iter().map(|citation| citation.quote.as_str()).collect();
    assert!(quotes.iter().any(|quote| quote.contains(sentence)), "{sentence}: {quotes:?}");
    assert_eq!(answer.trace.compared, comparison.passages.len());
    assert!(answer.trace.diags.is_empty());
}

#[test]
fn a_comparison_that_did_not_happen_changes_nothing_and_one_of_some_passages_puts_those_first() {
    let mut library = library();
    // The first question brings the vectors that the others find.
    drop(comparing(&mut library));
    let (asking, comparison) = comparing(&mut library);
    let without = asking.finish();
    let (mut asking, _) = comparing(&mut library);
    asking.compared(&[]);
    assert!(asking.finish() == without, "an empty comparison");
    let (mut asking, _) = comparing(&mut library);
    let mut some = vec![None; 3];
    some.push(Some(matches(&comparison.passages[3], "", 0.5)));
    asking.compared(&some);
    let retrieved = asking.finish().retrieved;
    let order: Vec<_> = retrieved.iter().map(|found| &found.text).collect();
    let before: Vec<_> = without.retrieved.iter().map(|found| &found.text).collect();
    assert_eq!(order[..5], [before[3], before[0], before[1], before[2], before[4]]);
}

#[test]
fn parts_of_a_question_are_judged_by_what_they_match_too() {
    let mut library = library();
    let unlike = probability(&mut library, -0.5, -0.5);
    let of_parts = probability(&mut library, -0.5, 0.9);
    let of_question = probability(&mut library, 0.9, -0.5);
    assert!(unlike < 0.34, "{unlike}: neither the question nor a part");
    assert!(of_parts > 0.55, "{of_parts}: each part is answered");
    assert!(of_question > 0.55, "{of_question}: the question is answered as one");
}

#[test]
fn a_question_for_a_language_model_and_one_without_a_vector_are_not_compared() {
    let library = library();
    let mut asking = library.asking(Ask::new(QUESTION));
    asking.search(None).unwrap();
    assert_eq!(asking.comparison(), None);
    let mut asking = library.asking(Ask { has_model: true, ..Ask::new(QUESTION) });
    while asking.query().is_some() {
        asking.search(None).unwrap();
    }
    assert_eq!(asking.comparison(), None);
}
