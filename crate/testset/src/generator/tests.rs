//! Runs of the generator with a model that is a function of the request.

use answer::Finish;
use proptest::prelude::*;

use super::*;
use crate::source_page::pages_of;
use crate::source_page::tests::paged;

/// Six pages of each of two documents, every one with a sentence of its own.
fn pages() -> Vec<SourcePage> {
    let filler = "and further words follow here ".repeat(10);
    let mut pages = Vec::new();
    for name in ["a.pdf", "b.pdf"] {
        let texts: Vec<String> = (0..6)
            .map(|page| {
                let days = page + 10;
                format!("The holder of {name} shall give notice within {days} days. {filler}")
                    .trim()
                    .to_owned()
            })
            .collect();
        let parts: Vec<(u32, &str)> = (0..).zip(texts.iter().map(String::as_str)).collect();
        let mut document = paged(name, &parts);
        document.digest = name.repeat(12);
        pages.extend(pages_of(&document));
    }
    pages
}

/// The quotation of each passage of a request.
fn sentences(request: &Request) -> Vec<String> {
    let text = &request.messages[1].content;
    let starts = text.match_indices("The holder");
    starts.map(|(at, _)| text[at..].split('.').take(2).collect::<Vec<_>>().join(".")).collect()
}

fn honest(request: &Request) -> String {
    let quotes: Vec<_> =
        (1..).zip(sentences(request)).map(|(p, text)| serde_json::json!({ "p": p, "text": text })).collect();
    let key = quotes.iter().map(ToString::to_string).collect::<String>();
    let pair = |question: String| serde_json::json!({ "question": question, "answer": "Notice shall be given [P1].", "quotes": quotes });
    let style = request.messages[0].content.split("two ").nth(1).unwrap().split(' ').next().unwrap();
    let pairs = [
        pair(format!("When is notice due, {style}, {key}?")[..40].to_owned() + &key.len().to_string()),
        pair(format!("By when, {style}: {}", &key[..80])),
    ];
    serde_json::json!({ "pairs": pairs }).to_string()
}

/// Runs a generator; `model` gives the reply, `None` for a failure. Returns the requests too.
fn run(
    settings: Settings,
    mut model: impl FnMut(&Request) -> Option<String>,
) -> (Vec<Question>, Tally, Vec<Request>) {
    let mut generator = Generator::new(pages(), settings);
    let mut requests = Vec::new();
    loop {
        match generator.next_action() {
            GenerationAction::Ask(request) => {
                let request = request.clone();
                let reply = if request.name == "summary" {
                    Some(request.messages[1].content.chars().rev().take(80).collect())
                } else {
                    model(&request)
                };
                requests.push(request);
                match reply {
                    Some(text) => generator.replied(&Reply { text, finish: Finish::Stop }),
                    None => generator.failed(),
                }
            }
            GenerationAction::Embed(summaries) => {
                let vectors: Vec<Vec<f32>> = (0..summaries.len()).map(|at| vec![(at % 2) as f32]).collect();
                generator.embedded(&vectors);
            }
            GenerationAction::Done => break,
        }
    }
    let (questions, tally) = generator.finish();
    (questions, tally, requests)
}

fn settings(budget: usize) -> Settings {
    Settings { budget, clusters: Some(2), ..Settings::default() }
}

#[test]
fn each_round_writes_two_questions_of_the_next_style_from_pages_of_one_document() {
    let (questions, tally, requests) = run(settings(6), |request| Some(honest(request)));
    assert_eq!(requests.iter().filter(|request| request.name == "summary").count(), 12);
    assert_eq!((tally.summarised, tally.clusters, tally.kept), (12, 4, 12), "{tally:?}");
    let styles: Vec<Style> = questions.iter().map(|question| question.style).collect();
    assert_eq!(styles, Style::ALL.into_iter().flat_map(|style| [style, style]).collect::<Vec<_>>());
    for question in &questions {
        assert_eq!(question.sources.len(), 2);
        assert_eq!(question.sources[0].document, question.sources[1].document);
        assert_ne!(question.sources[0].page, question.sources[1].page);
        assert!(!question.answer.contains("[P1]"));
        assert!(question.sources.iter().all(|source| source.quotes.len() == 1));
    }
}

#[test]
fn a_first_question_that_names_somebody_is_asked_for_again_once_and_then_dropped() {
    let named =
        |request: &Request| honest(request).replacen("When is notice", "When is the Acme Authority", 1);
    let (questions, tally, requests) = run(settings(1), |request| Some(named(request)));
    assert_eq!(requests.len(), 12 + 2);
    assert!(requests[13].messages[3].content.contains("Acme Authority"));
    assert_eq!(tally.dropped, BTreeMap::from([(DropReason::NamesEntity, 1)]));
    assert_eq!(questions.len(), 1, "the second may name it");
    assert!(!questions[0].is_unnamed);
}

#[test]
fn replies_out_of_form_and_failures_are_counted_and_the_others_go_on() {
    let mut n = 0;
    let (questions, tally, _) = run(settings(3), |request| {
        n += 1;
        match n {
            1 | 2 => Some("no".to_owned()),
            3 => None,
            _ => Some(honest(request)),
        }
    });
    assert_eq!(questions.len(), 2);
    assert_eq!(tally.dropped, BTreeMap::from([(DropReason::Failed, 2), (DropReason::Unusable, 2)]));
    assert_eq!(tally.asked_again, 1);
}

#[test]
fn the_pair_of_a_first_reply_is_judged_where_the_second_cannot_be_had() {
    let named =
        |request: &Request| honest(request).replacen("When is notice", "When is the Acme Authority", 1);
    for second in [None, Some("no".to_owned())] {
        let mut n = 0;
        let (questions, _, _) = run(settings(1), |request| {
            n += 1;
            if n == 1 { Some(named(request)) } else { second.clone() }
        });
        assert_eq!(questions.len(), 1);
    }
}

#[test]
fn the_cost_that_is_announced_is_not_exceeded() {
    let generator = Generator::new(pages(), settings(6));
    let cost = generator.cost(&|_| false);
    let (_, _, requests) = run(settings(6), |request| Some(honest(request)));
    let n_sent: usize = requests.iter().map(Request::n_tokens).sum();
    assert_eq!(cost.requests, requests.len());
    assert!(n_sent <= cost.sent && cost.sent <= 2 * n_sent, "{n_sent} of {cost:?}");
    assert_eq!(generator.cost(&|request| request.name == "summary").requests, 6);
}

#[test]
fn few_pages_of_a_document_are_drawn_where_the_settings_say_so() {
    let few = Settings { max_pages: Some(3), ..settings(2) };
    let (_, tally, requests) = run(few, |request| Some(honest(request)));
    assert_eq!((tally.summarised, requests.len()), (6, 8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// So a run that was killed goes on from the replies that were kept.
    #[test]
    fn the_same_replies_give_the_same_requests_and_questions(seed in any::<u64>(), bad in any::<u16>()) {
        let once = || {
            let mut n = 0;
            run(Settings { seed, ..settings(8) }, |request| {
                n += 1;
                match bad >> (n % 16) & 3 {
                    0 => None,
                    1 => Some("no".to_owned()),
                    _ => Some(honest(request)),
                }
            })
        };
        let (first, second) = (once(), once());
        prop_assert_eq!(&first, &second);
        let (questions, tally, _) = first;
        prop_assert_eq!(questions.len(), tally.kept);
        prop_assert_eq!(tally.kept + tally.dropped.values().sum::<usize>(), 16);
    }
}
