//! English suffixes, by the rules that METEOR has from `WordNet`.

/// Suffixes and what stands in their place, in the order in which they are tried. Rules of nouns come first, then those
/// of verbs and adjectives, so that some come twice.
const RULES: [(&str, &str); 20] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
];

/// The first result of a rule that is a word; none if there is no such rule, or if the word is too short or ends in ss.
pub fn base(word: &str, is_word: impl Fn(&str) -> bool) -> Option<String> {
    if word.ends_with("ss") || word.encode_utf16().take(3).count() < 3 {
        return None;
    }
    let mut candidate = String::with_capacity(word.len() + 2);
    RULES.iter().find_map(|(suffix, replacement)| {
        let rest = word.strip_suffix(suffix)?;
        candidate.clear();
        candidate.push_str(rest);
        candidate.push_str(replacement);
        is_word(&candidate).then(|| candidate.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base_among(word: &str, words: &[&str]) -> Option<String> {
        base(word, |candidate| words.contains(&candidate))
    }

    #[test]
    fn the_first_rule_that_gives_a_word_wins() {
        assert_eq!(base_among("axes", &["axe", "ax"]).unwrap(), "axe");
        assert_eq!(base_among("axes", &["ax"]).unwrap(), "ax");
        assert_eq!(base_among("hoping", &["hope", "hop"]).unwrap(), "hope");
        assert_eq!(base_among("latest", &["late"]).unwrap(), "late");
    }

    #[test]
    fn short_words_and_those_in_ss_stay() {
        assert_eq!(base_among("is", &["i"]), None);
        assert_eq!(base_among("glass", &["glas"]), None);
        assert_eq!(base_among("gas", &["ga"]).unwrap(), "ga");
    }

    #[test]
    fn without_a_word_there_is_no_base() {
        assert_eq!(base_among("things", &["think"]), None);
    }
}
