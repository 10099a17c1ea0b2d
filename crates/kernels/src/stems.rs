//! Snowball stemmers, by the rules before Snowball 3.
//!
//! `rust-stemmers` follows Snowball 2 for the languages it has, but for a few letters where it keeps older rules (ë and ï in
//! French, ё in Russian, è in Dutch). Snowball 3 changed English and German (`added` becomes `add`, not `ad`),
//! so the other crate serves only the languages that version 3 left alone.

use std::collections::HashMap;

use rust_stemmers::Algorithm as Two;
use waken_snowball::Algorithm as Three;

use crate::hashing::token_id;

/// Names as Snowball writes them, each with its implementation.
const TWO: [(&str, Two); 18] = [
    ("arabic", Two::Arabic),
    ("danish", Two::Danish),
    ("dutch", Two::Dutch),
    ("english", Two::English),
    ("finnish", Two::Finnish),
    ("french", Two::French),
    ("german", Two::German),
    ("greek", Two::Greek),
    ("hungarian", Two::Hungarian),
    ("italian", Two::Italian),
    ("norwegian", Two::Norwegian),
    ("portuguese", Two::Portuguese),
    ("romanian", Two::Romanian),
    ("russian", Two::Russian),
    ("spanish", Two::Spanish),
    ("swedish", Two::Swedish),
    ("tamil", Two::Tamil),
    ("turkish", Two::Turkish),
];

const THREE: [(&str, Three); 11] = [
    ("armenian", Three::Armenian),
    ("basque", Three::Basque),
    ("catalan", Three::Catalan),
    ("hindi", Three::Hindi),
    ("indonesian", Three::Indonesian),
    ("irish", Three::Irish),
    ("lithuanian", Three::Lithuanian),
    ("nepali", Three::Nepali),
    ("porter", Three::Porter),
    ("serbian", Three::Serbian),
    ("yiddish", Three::Yiddish),
];

#[derive(Clone, Copy, Debug)]
enum Rules {
    Two(Two),
    Three(Three),
}

/// The stemmer of one language.
#[derive(Clone, Copy, Debug)]
pub struct Stemmer(Rules);

impl Stemmer {
    /// The stemmer by Snowball's name of the language, or of the algorithm (`porter`).
    pub fn named(name: &str) -> Option<Self> {
        let two = TWO.iter().find(|entry| entry.0 == name).map(|entry| Rules::Two(entry.1));
        let three = || THREE.iter().find(|entry| entry.0 == name).map(|entry| Rules::Three(entry.1));
        two.or_else(three).map(Self)
    }

    /// All names, sorted.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = TWO.iter().map(|entry| entry.0).chain(THREE.iter().map(|entry| entry.0)).collect();
        names.sort_unstable();
        names
    }

    /// The stem of a word. Snowball's rules are written for lower-case words; capitals stay as they are.
    pub fn stem(self, word: &str) -> String {
        match self.0 {
            Rules::Two(algorithm) => rust_stemmers::Stemmer::create(algorithm).stem(word).into_owned(),
            Rules::Three(algorithm) => waken_snowball::stem(algorithm, word).to_string(),
        }
    }
}

/// Ids of stems, each word stemmed once: texts repeat their words.
#[derive(Debug)]
pub struct StemIds {
    stemmer: Stemmer,
    known: HashMap<u64, u64>,
}

impl StemIds {
    /// An empty memory for one stemmer.
    pub fn new(stemmer: Stemmer) -> Self {
        Self { stemmer, known: HashMap::new() }
    }

    /// The id of the stem of `word`.
    pub fn id(&mut self, word: &str) -> u64 {
        let stemmer = self.stemmer;
        *self.known.entry(token_id(word)).or_insert_with(|| token_id(&stemmer.stem(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_follows_snowball_two() {
        let english = Stemmer::named("english").unwrap();
        assert_eq!(english.stem("added"), "ad");
        assert_eq!(english.stem("generously"), "generous");
    }

    #[test]
    fn porter_is_the_first_algorithm() {
        assert_eq!(Stemmer::named("porter").unwrap().stem("generously"), "gener");
    }

    #[test]
    fn an_unknown_language_has_no_stemmer() {
        assert!(Stemmer::named("klingon").is_none());
        assert_eq!(Stemmer::names().len(), 29);
    }
}
