//! The stems of ROUGE-1.5.5's option `-m`: `WordNet`'s irregular forms, then Porter's rules of 1980 with a step of its own.
//!
//! Words of up to three letters stay. Where Porter takes the longest of the endings of step 4 and looks no further, ROUGE
//! takes -ment and -ent off what is left, too: `agreement` becomes `agreem`. It has Porter's two later endings of step 2,
//! -bli and -logi.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Irregular forms of `WordNet` 2.0 with their base forms, a pair in a line, where the rules make another stem.
///
/// Of four words that have two base forms (`better`, `offer`, `testes`, `involucra`) the last one counts in the order of
/// nouns, verbs, adverbs and adjectives. In ROUGE's own table that depends on the order of files in a folder.
const IRREGULAR: &str = include_str!("rouge.txt");

static BASES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| IRREGULAR.lines().filter_map(|line| line.split_once(' ')).collect());

const STEP_2: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];
const STEP_3: [(&str, &str); 7] =
    [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];
const STEP_4: [(&str, &str); 16] = [
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
];

/// The stem of a word; one that is not ASCII stays, for ROUGE never sees any.
pub fn stem(word: &str) -> String {
    if word.len() <= 3 || !word.is_ascii() {
        return word.to_string();
    }
    let word = word.to_ascii_lowercase();
    BASES.get(word.as_str()).map_or_else(|| regular(word), ToString::to_string)
}

fn regular(mut word: String) -> String {
    drop_plural(&mut word);
    drop_past(&mut word);
    if word.ends_with('y') && has_vowel(&word[..word.len() - 1]) {
        word.replace_range(word.len() - 1.., "i");
    }
    replace(&mut word, &STEP_2, 0);
    replace(&mut word, &STEP_3, 0);
    replace(&mut word, &STEP_4, 1);
    replace(&mut word, &[("ment", "")], 1);
    if word.ends_with("ent") {
        replace(&mut word, &[("ent", "")], 1);
    } else if word.ends_with("sion") || word.ends_with("tion") {
        cut(&mut word, 3, 1);
    }
    if let Some(rest) = word.strip_suffix('e') {
        let measure = measure(rest);
        if measure > 1 || (measure == 1 && !is_short(rest)) {
            word.pop();
        }
    }
    if word.ends_with("ll") && measure(&word) > 1 {
        word.pop();
    }
    word
}

fn drop_plural(word: &mut String) {
    if word.ends_with("sses") || word.ends_with("ies") {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

fn drop_past(word: &mut String) {
    if let Some(rest) = word.strip_suffix("eed") {
        if measure(rest) > 0 {
            word.pop();
        }
        return;
    }
    let Some(rest) = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing")) else { return };
    if !has_vowel(rest) {
        return;
    }
    word.truncate(rest.len());
    let last = word.as_bytes()[word.len() - 1];
    if ["at", "bl", "iz"].iter().any(|ending| word.ends_with(ending)) {
        word.push('e');
    } else if word.len() > 1 && word.as_bytes()[word.len() - 2] == last && !b"aeiouylsz".contains(&last) {
        word.pop();
    } else if is_short(word) {
        word.push('e');
    }
}

/// Replaces the longest of some endings that the word has, if what stands before it has more than `least` syllables.
fn replace(word: &mut String, endings: &[(&str, &str)], least: usize) {
    let longest = endings.iter().filter(|(ending, _)| word.ends_with(ending)).max_by_key(|(ending, _)| ending.len());
    if let Some((ending, other)) = longest
        && cut(word, ending.len(), least)
    {
        word.push_str(other);
    }
}

/// Cuts off the last letters, if what stands before them has more than `least` syllables: whether it did.
fn cut(word: &mut String, letters: usize, least: usize) -> bool {
    let rest = word.len() - letters;
    let long = measure(&word[..rest]) > least;
    if long {
        word.truncate(rest);
    }
    long
}

/// For each letter whether it is a vowel: y is one behind a consonant.
fn vowels(word: &str) -> impl Iterator<Item = bool> {
    let mut before = true;
    word.bytes().map(move |letter| {
        before = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => !before,
            _ => false,
        };
        before
    })
}

/// How often a vowel is followed by a consonant, Porter's m.
fn measure(word: &str) -> usize {
    let flags: Vec<bool> = vowels(word).collect();
    flags.windows(2).filter(|pair| pair[0] && !pair[1]).count()
}

fn has_vowel(word: &str) -> bool {
    vowels(word).any(|vowel| vowel)
}

/// Consonants, one vowel, and one consonant that is neither w, x nor y.
fn is_short(word: &str) -> bool {
    let flags: Vec<bool> = vowels(word).collect();
    flags.len() > 2
        && flags[flags.len() - 2]
        && flags[..flags.len() - 2].iter().all(|vowel| !vowel)
        && !word.ends_with(['a', 'e', 'i', 'o', 'u', 'w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_as_the_program_prints_them() {
        for (word, stemmed) in [
            ("running", "run"),
            ("agreement", "agreem"),
            ("accidental", "accid"),
            ("analogy", "analog"),
            ("assembly", "assembl"),
            ("ponies", "poni"),
            ("caresses", "caress"),
            ("hoping", "hope"),
            ("generously", "gener"),
            ("yielding", "yield"),
            ("controlling", "control"),
            ("better", "good"),
            ("geese", "goose"),
            ("was", "was"),
        ] {
            assert_eq!(stem(word), stemmed, "{word}");
        }
    }
}
