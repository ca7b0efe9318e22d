//! The ranker for Chinese that ships, and the features that it stands on, on laws of our own.

use document::{Explanation, TermKind};
use index::Index;
use index::vector::Exact;

use super::law::{defines, index, law};
use crate::{
    AnalyzedQuery, Glossary, Lexicon, LinearRanker, Options, Query, SearchUnits, candidates_with_features,
    features, search_with,
};

const MODEL: &str = include_str!("../../../../models/ranker_zh.txt");

/// Reads a question over the articles of an index.
fn asked<T>(index: &Index, question: &str, then: impl FnOnce(&Query<'_>, &Options) -> T) -> T {
    let read = AnalyzedQuery::read(question, &Lexicon::of(index), &Glossary::default());
    let query = Query { text: question, vector: None, analysis: Some(&read), citations: None };
    then(&query, &Options { units: SearchUnits::Article, explain: true, ..Options::default() })
}

/// A feature of the article of a label.
fn value(index: &Index, question: &str, label: &str, feature: &str) -> f32 {
    asked(index, question, |query, options| {
        let (candidates, values) =
            candidates_with_features(index, &Exact::new(index), query, options, u32::MAX);
        let column = features().position(|known| known.name == feature).unwrap();
        let is_meant = |at: usize| {
            let law = index.get(candidates[at].document).unwrap().segment().document();
            let section = &law.tree.sections[law.chunks[candidates[at].chunk.idx()].section.idx()];
            section.label.as_ref().unwrap().key == label
        };
        values.rows().enumerate().find(|(at, _)| is_meant(*at)).unwrap().1[column]
    })
}

/// A law on bees, of general form: purpose, scope, terms, duties, sanctions, commencement.
fn bees() -> Index {
    let provisions = [
        ("第一条", "", "第一条　为了规范养蜂，保护蜜蜂，制定本条例。"),
        ("第二条", "", "第二条　在本省境内从事养蜂活动，适用本条例。"),
        ("第三条", "", "第三条　本条例所称蜂场，是指集中放置蜂箱的场地。"),
        ("第四条", "", "第四条　县级农业部门负责蜂场的登记。"),
        ("第五条", "", "第五条　养蜂人移动蜂场，应当在移动蜂箱三日以前告知农业部门，并避开花期喷药的田地。"),
        ("第六条", "", "第六条　养蜂条例的目的，由农业部门在学校和村庄宣传；宣传养蜂条例的目的，不收费用。"),
        ("第七条", "", "第七条　移动蜂场，移动蜂箱，不告知农业部门的，处二百元罚款。"),
        ("第八条", "", "第八条　本条例自二〇二〇年五月一日起施行。"),
    ];
    let law = law("bees", "某省养蜂条例", &provisions);
    let law = defines(law, "蜂场", "集中放置蜂箱的场地", TermKind::Definition);
    let boats = [
        ("甲第一条", "", "第一条　为了规范渡船，制定本条例。"),
        ("甲第二条", "", "第二条　渡船移动以前，船长应当告知码头。"),
        ("甲第三条", "", "第三条　渡船不得运载蜂箱。"),
    ];
    index(vec![law, super::law::law("boats", "某省渡船条例", &boats)])
}

#[test]
fn the_words_of_a_question_and_what_it_asks_for_are_told_apart() {
    let (bees, question) = (bees(), "养蜂条例的目的是什么？");
    // The article on lessons has every word, the first article does what is asked without saying so.
    assert_eq!(value(&bees, question, "第六条", "words.max"), 1.0);
    assert!(value(&bees, question, "第一条", "words.max") < 1.0);
    assert_eq!(value(&bees, question, "第六条", "form.agree"), 0.0);
    assert!(value(&bees, question, "第一条", "form.agree") > 0.5);
}

#[test]
fn who_is_asked_for_is_told_though_no_term_says_it() {
    let (bees, question) = (bees(), "移动蜂箱要告知谁？");
    assert!(value(&bees, question, "第四条", "form.agree") >= 1.3);
    assert!(value(&bees, question, "第三条", "form.agree") < 1.3);
}

#[test]
fn a_sanction_counts_as_other_only_where_none_is_asked_for() {
    let bees = bees();
    assert_eq!(value(&bees, "移动蜂箱要告知谁？", "第七条", "form.other"), 1.0);
    assert_eq!(value(&bees, "移动蜂箱要告知谁？", "第五条", "form.other"), 0.0);
    assert_eq!(value(&bees, "移动蜂箱不告知会受到什么处罚？", "第七条", "form.other"), 0.0);
}

#[test]
fn the_article_that_defines_a_term_of_the_question_is_known() {
    let bees = bees();
    assert!(value(&bees, "什么是蜂场？", "第三条", "defines.asked") > 0.3);
    assert_eq!(value(&bees, "什么是蜂场？", "第四条", "defines.asked"), 0.0);
}

#[test]
fn words_of_the_title_say_which_law_and_the_others_which_article() {
    let (bees, question) = (bees(), "养蜂条例规定移动蜂箱以前做什么？");
    let beyond = |label| value(&bees, question, label, "words.beyond");
    assert!(beyond("第五条") > beyond("第二条"), "{} {}", beyond("第五条"), beyond("第二条"));
    // The articles beside the one that has the words have it as neighbour.
    assert!(
        value(&bees, question, "第六条", "words.before") > value(&bees, question, "第四条", "words.before")
    );
}

#[test]
fn a_score_is_the_sum_of_its_reasons() {
    let (bees, ranker) = (bees(), LinearRanker::parse(MODEL).unwrap());
    let hits = asked(&bees, "什么是蜂场？", |query, options| {
        search_with(&bees, &Exact::new(&bees), Some(&ranker), query, options)
    });
    let Explanation { value, description, details } = &hits[0].explanation;
    assert_eq!(description, "linear");
    // The first detail is the score of the first stage.
    let sum: f32 = details[1..].iter().map(|detail| detail.value).sum();
    assert!((sum - value).abs() < 1e-4, "{sum} {value}");
    assert_eq!(details.len() - 1, ranker.features().count());
}

#[test]
fn no_damage_to_the_model_is_a_panic() {
    assert!(MODEL.lines().any(|line| line.starts_with("words.max ")));
    for (at, _) in MODEL.char_indices() {
        let (head, tail) = MODEL.split_at(at);
        for damaged in
            [head.to_owned(), format!("{head}9{tail}"), format!("{head} {tail}"), format!("{head}\n{tail}")]
        {
            let _ = LinearRanker::parse(&damaged);
        }
    }
}

#[test]
fn no_static_feature_is_weighed() {
    for wanted in LinearRanker::parse(MODEL).unwrap().features() {
        let feature = features().find(|feature| feature.name == wanted).unwrap();
        assert_ne!(feature.group.name(), "static", "{wanted}");
    }
}
