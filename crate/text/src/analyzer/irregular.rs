//! Irregular English forms to the form that the stemmer knows: "kept" to "keep", as it brings "keeping" there
//! by itself. A question asks how long records must be *kept*; the rule says that a firm must *keep* them.
//!
//! A table of verbs and nouns that legal texts use. Forms that are a word of their own as often as not ("left",
//! "found", "bound", "rose", "saw", "lay") are not in it.

/// Form and base, in order of the form.
const FORMS: &[(&str, &str)] = &[
    ("arisen", "arise"),
    ("arose", "arise"),
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bore", "bear"),
    ("borne", "bear"),
    ("bought", "buy"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("dealt", "deal"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("fallen", "fall"),
    ("fell", "fall"),
    ("forgiven", "forgive"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("held", "hold"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("laid", "lay"),
    ("led", "lead"),
    ("lent", "lend"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("overseen", "oversee"),
    ("paid", "pay"),
    ("people", "person"),
    ("repaid", "repay"),
    ("resold", "resell"),
    ("risen", "rise"),
    ("said", "say"),
    ("seen", "see"),
    ("sent", "send"),
    ("shown", "show"),
    ("sold", "sell"),
    ("sought", "seek"),
    ("spent", "spend"),
    ("spoken", "speak"),
    ("stolen", "steal"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("told", "tell"),
    ("took", "take"),
    ("undergone", "undergo"),
    ("understood", "understand"),
    ("undertaken", "undertake"),
    ("undertook", "undertake"),
    ("withdrawn", "withdraw"),
    ("withdrew", "withdraw"),
    ("withheld", "withhold"),
    ("women", "woman"),
    ("won", "win"),
    ("written", "write"),
    ("wrote", "write"),
];

/// Replaces a folded word that is such a form by its base.
pub fn regularise(term: &mut String) {
    if let Ok(at) = FORMS.binary_search_by(|(form, _)| (*form).cmp(term.as_str()))
        && let Some((_, base)) = FORMS.get(at)
    {
        term.clear();
        term.push_str(base);
    }
}

/// Irregular forms with their bases.
pub fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORMS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(FORMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn forms_come_to_their_base_and_other_words_stay() {
        for (form, base) in [("kept", "keep"), ("withheld", "withhold"), ("left", "left"), ("", "")] {
            let mut term = form.to_owned();
            regularise(&mut term);
            assert_eq!(term, base);
        }
    }
}
