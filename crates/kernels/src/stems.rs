//! Stems: Snowball's, by the rules before Snowball 3, and the lemmas of a dictionary.
//!
//! `rust-stemmers` follows Snowball 2 for the languages it has, but for a few letters where it keeps older rules (ë and ï in
//! French, ё in Russian, è in Dutch). Snowball 3 changed English and German (`added` becomes `add`, not `ad`),
//! so the other crate serves only the languages that version 3 left alone.

mod meteor;
mod rouge;

use std::borrow::Cow;
use std::sync::Arc;

use rust_stemmers::Algorithm as Two;
use waken_snowball::Algorithm as Three;

use meteor::Older;

use crate::hashing::{ById, token_id};
use crate::synonyms::Synonyms;

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

/// What ROUGE-1.5.5 does to English words.
const ROUGE: &str = "rouge";

#[derive(Clone, Debug)]
enum Rules {
    Two(Two),
    Three(Three),
    Older(Older),
    Rouge,
    Lemma(Arc<Synonyms>),
    Base(Arc<Synonyms>),
}

/// What makes stems out of words.
#[derive(Clone, Debug)]
pub struct Stemmer(Rules);

impl Stemmer {
    /// The stemmer by Snowball's name of the language, or of the algorithm (`porter`), or `rouge`.
    ///
    /// `german-meteor` and its like are not among the names: nobody but METEOR wants older rules.
    pub fn named(name: &str) -> Option<Self> {
        let two = TWO.iter().find(|entry| entry.0 == name).map(|entry| Rules::Two(entry.1));
        let three = || THREE.iter().find(|entry| entry.0 == name).map(|entry| Rules::Three(entry.1));
        let older = || Older::named(name).map(Rules::Older);
        let rouge = || (name == ROUGE).then_some(Rules::Rouge);
        two.or_else(three).or_else(older).or_else(rouge).map(Self)
    }

    /// A dictionary's lemma of a word in place of its stem.
    pub fn lemma(dictionary: Arc<Synonyms>) -> Self {
        Self(Rules::Lemma(dictionary))
    }

    /// METEOR's base form of a word in place of its stem: [`Synonyms::base`].
    pub fn base(dictionary: Arc<Synonyms>) -> Self {
        Self(Rules::Base(dictionary))
    }

    /// All names, sorted.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = TWO.iter().map(|entry| entry.0).chain(THREE.iter().map(|entry| entry.0)).collect();
        names.push(ROUGE);
        names.sort_unstable();
        names
    }

    /// The stem of a word. Snowball's rules are written for lower-case words; capitals stay as they are.
    pub fn stem<'a>(&'a self, word: &'a str) -> Cow<'a, str> {
        match &self.0 {
            Rules::Two(algorithm) => rust_stemmers::Stemmer::create(*algorithm).stem(word),
            Rules::Three(algorithm) => Cow::Owned(waken_snowball::stem(*algorithm, word).to_string()),
            Rules::Older(older) => Cow::Owned(older.stem(word)),
            Rules::Rouge => Cow::Owned(rouge::stem(word)),
            Rules::Lemma(dictionary) => dictionary.lemma(word),
            Rules::Base(dictionary) => dictionary.base(word),
        }
    }
}

/// Ids of stems, each word stemmed once: texts repeat their words.
#[derive(Debug)]
pub struct StemIds {
    stemmer: Stemmer,
    known: ById<u64>,
}

impl StemIds {
    /// An empty memory for one stemmer.
    pub fn new(stemmer: Stemmer) -> Self {
        Self { stemmer, known: ById::default() }
    }

    /// The id of the stem of `word`.
    pub fn id(&mut self, word: &str) -> u64 {
        self.id_of(token_id(word), word)
    }

    /// The id of the stem of `word`, whose own id is known.
    pub fn id_of(&mut self, id: u64, word: &str) -> u64 {
        let Self { stemmer, known } = self;
        *known.entry(id).or_insert_with(|| token_id(&stemmer.stem(word)))
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
    fn a_dictionary_gives_lemmas_or_regular_bases() {
        let dictionary = Arc::new(Synonyms::new([("go", vec![1]), ("house", vec![2])], [("went", vec!["go"])], true));
        assert_eq!(Stemmer::lemma(Arc::clone(&dictionary)).stem("went"), "go");
        assert_eq!(Stemmer::base(Arc::clone(&dictionary)).stem("went"), "went");
        assert_eq!(Stemmer::base(dictionary).stem("houses"), "house");
    }

    #[test]
    fn an_unknown_language_has_no_stemmer() {
        assert!(Stemmer::named("klingon").is_none());
        assert_eq!(Stemmer::names().len(), 30);
    }
}
