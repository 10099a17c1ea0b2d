//! METEOR's Snowball stemmers where they are older than ours.
//!
//! Found by running both over word lists of 200,000 to 300,000 forms per language: English, French, Spanish, Russian, Italian,
//! Danish, Norwegian, Swedish, Romanian and Turkish are alike to the letter. What differs is put right around our
//! stemmer. Two corners are left: Dutch words of three letters with a foreign accent (`aåe`), and Finnish endings
//! behind a doubled vowel (`halooseen`).

use rust_stemmers::{Algorithm, Stemmer};

/// A language whose rules changed behind METEOR's back.
#[derive(Clone, Copy, Debug)]
pub enum Older {
    /// The last s of a stem in -niss stays.
    German,
    /// Õ and û are vowels where ő and ű should be.
    Hungarian,
    /// The endings -ución and -uciones are known where -ução and -uções should be.
    Portuguese,
}

impl Older {
    /// The rules by name: the language, and `-meteor`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "german-meteor" => Some(Self::German),
            "hungarian-meteor" => Some(Self::Hungarian),
            "portuguese-meteor" => Some(Self::Portuguese),
            _ => None,
        }
    }

    /// The stem that METEOR gives a word.
    pub fn stem(self, word: &str) -> String {
        match self {
            Self::German => german(word),
            Self::Hungarian => swap(&newer(Algorithm::Hungarian, &swap(word))),
            Self::Portuguese => portuguese(word),
        }
    }
}

fn newer(algorithm: Algorithm, word: &str) -> String {
    Stemmer::create(algorithm).stem(word).into_owned()
}

/// Snowball 2 takes the last s off a stem in -niss whose e, en or es it took off.
///
/// No later step touches a word in -nis or in -niss, so putting the s back is all it takes.
fn german(word: &str) -> String {
    let mut stem = newer(Algorithm::German, word);
    let ending = ["e", "en", "es"].iter().find_map(|ending| word.strip_suffix(ending));
    if stem.ends_with("nis") && ending.is_some_and(|rest| rest.ends_with("niss") || rest.ends_with("niß")) {
        stem.push('s');
    }
    stem
}

/// Each letter with a double acute for the one that stands at its place in Latin 1, and back.
fn swap(word: &str) -> String {
    let other = |letter| match letter {
        'ő' => 'õ',
        'õ' => 'ő',
        'ű' => 'û',
        'û' => 'ű',
        letter => letter,
    };
    word.chars().map(other).collect()
}

fn portuguese(word: &str) -> String {
    // No rule knows this letter, so none takes the ending for one of its own.
    const HIDDEN: &str = "\u{e000}";
    if word.ends_with("ução") || word.ends_with("uções") {
        let cedilla = word.rfind('ç').unwrap_or(0);
        let hidden = format!("{}{HIDDEN}{}", &word[..cedilla], &word[cedilla + 'ç'.len_utf8()..]);
        return newer(Algorithm::Portuguese, &hidden).replace(HIDDEN, "ç");
    }
    if let Some(rest) = word.strip_suffix("ución").or_else(|| word.strip_suffix("uciones")) {
        let stem = newer(Algorithm::Portuguese, &format!("{rest}ução"));
        if !stem.ends_with("uçã") && !stem.ends_with("ução") {
            return stem;
        }
    }
    newer(Algorithm::Portuguese, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_keeps_an_s() {
        for (word, stem) in [("ergebnisse", "ergebniss"), ("ergebnissen", "ergebniss"), ("zeugnißes", "zeugniss")] {
            assert_eq!(Older::German.stem(word), stem);
            assert_eq!(newer(Algorithm::German, word), stem[..stem.len() - 1]);
        }
        for word in ["ergebnis", "niss", "kenntnissem", "niesen", "häuser", "ergebnissx"] {
            assert_eq!(Older::German.stem(word), newer(Algorithm::German, word));
        }
    }

    #[test]
    fn hungarian_and_portuguese_as_meteor_has_them() {
        // What METEOR's own stemmers gave for these words.
        assert_eq!(Older::Hungarian.stem("akármettől"), "akármettől");
        assert_eq!(Older::Hungarian.stem("300-õt"), "300-õ");
        assert_eq!(Older::Portuguese.stem("consecução"), "consecuçã");
        assert_eq!(Older::Portuguese.stem("circunvoluções"), "circunvoluçõ");
        assert_eq!(Older::Portuguese.stem("abaliución"), "abaliu");
        assert_eq!(Older::Portuguese.stem("nação"), newer(Algorithm::Portuguese, "nação"));
    }
}
