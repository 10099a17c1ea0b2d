//! Synonyms: which sets of synonyms a word is in, itself or through its base form.
//!
//! Words are token ids, sets are plain numbers (in `WordNet` the place of the set in its file). Two words are synonyms
//! if they share a set.

mod lists;
mod morphology;
mod table;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::hashing::token_id;
use lists::Lists;

/// A word's sets, irregular forms with their bases, and whether English suffixes are taken off.
///
/// ```
/// use assay_kernels::hashing::token_id;
/// use assay_kernels::synonyms::Synonyms;
///
/// let words = [("sofa", vec![7]), ("couch", vec![8, 7]), ("foot", vec![1])];
/// let synonyms = Synonyms::new(words, [("feet", vec!["foot"])], true);
/// let sets = |word: &str| {
///     let mut found = Vec::new();
///     synonyms.senses(token_id(word), token_id(&synonyms.base(word)), &mut found);
///     found
/// };
/// assert_eq!(sets("couch"), [7, 8]);
/// assert_eq!(sets("sofas"), [7]);
/// assert_eq!(sets("feet"), [1]);
/// assert_eq!(synonyms.lemma("feet"), "foot");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synonyms {
    senses: Lists,
    /// Irregular forms, and the places of their bases in the two fields below.
    exceptions: Lists,
    bases: Vec<String>,
    base_ids: Vec<u64>,
    english_suffixes: bool,
}

impl Synonyms {
    /// A dictionary out of words with their sets and irregular forms with their bases, most likely base first.
    ///
    /// Entries for the same word are put together.
    pub fn new<'a>(
        words: impl IntoIterator<Item = (&'a str, Vec<u32>)>,
        exceptions: impl IntoIterator<Item = (&'a str, Vec<&'a str>)>,
        english_suffixes: bool,
    ) -> Self {
        let senses = Lists::sorted(words.into_iter().map(|(word, senses)| (token_id(word), senses)));
        let mut places = HashMap::new();
        let mut bases = Vec::new();
        let mut place = |base: &'a str| {
            *places.entry(base).or_insert_with(|| {
                bases.push(base.to_string());
                bases.len() as u32 - 1
            })
        };
        let forms: Vec<_> = exceptions
            .into_iter()
            .map(|(form, bases)| (token_id(form), bases.into_iter().map(&mut place).collect()))
            .collect();
        let base_ids = bases.iter().map(|base| token_id(base)).collect();
        Self { senses, exceptions: Lists::in_order(forms), bases, base_ids, english_suffixes }
    }

    /// How many words are in a set.
    pub fn words(&self) -> usize {
        self.senses.len()
    }

    /// How many irregular forms there are.
    pub fn forms(&self) -> usize {
        self.exceptions.len()
    }

    /// How many words have an irregular form.
    pub fn bases(&self) -> usize {
        self.bases.len()
    }

    /// Writes the sets of a word to `found`: sorted, each once. `found` is emptied first.
    ///
    /// As METEOR: the word's own sets, and those of all its bases if it is an irregular form, or else those of `base`,
    /// the id of [`Self::base`].
    pub fn senses(&self, word: u64, base: u64, found: &mut Vec<u32>) {
        found.clear();
        found.extend(self.senses.get(word).unwrap_or_default());
        if let Some(places) = self.exceptions.get(word) {
            for &place in places {
                found.extend(self.senses.get(self.base_ids[place as usize]).unwrap_or_default());
            }
        } else if base != word {
            found.extend(self.senses.get(base).unwrap_or_default());
        }
        found.sort_unstable();
        found.dedup();
    }

    /// METEOR's base form: the word with its suffix taken off or replaced, if that is a word with sets; or else the word.
    ///
    /// Irregular forms are not looked at here.
    pub fn base<'a>(&self, word: &'a str) -> Cow<'a, str> {
        self.regular_base(word).map_or(Cow::Borrowed(word), Cow::Owned)
    }

    /// The form under which a dictionary has the word.
    ///
    /// The first base of an irregular form; or else the word itself if it has sets; or else [`Self::base`].
    pub fn lemma<'a>(&'a self, word: &'a str) -> Cow<'a, str> {
        let id = token_id(word);
        if let Some(&place) = self.exceptions.get(id).and_then(<[u32]>::first) {
            return Cow::Borrowed(&self.bases[place as usize]);
        }
        if self.senses.get(id).is_some() { Cow::Borrowed(word) } else { self.base(word) }
    }

    fn regular_base(&self, word: &str) -> Option<String> {
        if self.english_suffixes {
            morphology::base(word, |candidate| self.senses.get(token_id(candidate)).is_some())
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Synonyms {
        let words = [("go", vec![3, 1]), ("move", vec![1]), ("went", vec![9]), ("do", vec![2]), ("doe", vec![5])];
        Synonyms::new(words, [("went", vec!["go"]), ("does", vec!["do", "doe"])], true)
    }

    fn senses(synonyms: &Synonyms, word: &str) -> Vec<u32> {
        let mut found = vec![77];
        synonyms.senses(token_id(word), token_id(&synonyms.base(word)), &mut found);
        found
    }

    #[test]
    fn a_form_has_its_own_sets_and_those_of_all_its_bases() {
        assert_eq!(senses(&small(), "went"), [1, 3, 9]);
        assert_eq!(senses(&small(), "does"), [2, 5]);
        assert_eq!(senses(&small(), "unknown"), [0; 0]);
    }

    #[test]
    fn an_exception_keeps_the_suffix_rules_out() {
        // "moves" loses its s; "does" is irregular, so "doe" is looked up as its second base alone.
        assert_eq!(senses(&small(), "moves"), [1]);
        let other = Synonyms::new([("doe", vec![5]), ("do", vec![2])], [("does", vec!["do"])], true);
        assert_eq!(senses(&other, "does"), [2]);
    }

    #[test]
    fn a_lemma_is_a_first_base_or_the_word_or_its_base() {
        let synonyms = small();
        assert_eq!(synonyms.lemma("does"), "do");
        assert_eq!(synonyms.lemma("move"), "move");
        assert_eq!(synonyms.lemma("moves"), "move");
        assert_eq!(synonyms.lemma("nothing"), "nothing");
    }

    #[test]
    fn without_suffixes_only_the_word_itself_counts() {
        let synonyms = Synonyms::new([("move", vec![1])], [], false);
        assert_eq!(senses(&synonyms, "moves"), [0; 0]);
        assert_eq!(synonyms.lemma("moves"), "moves");
    }

    #[test]
    fn entries_of_one_word_are_put_together() {
        let synonyms = Synonyms::new([("a", vec![2]), ("b", vec![4]), ("a", vec![1, 2])], [], false);
        assert_eq!(senses(&synonyms, "a"), [1, 2]);
        assert_eq!(synonyms.words(), 2);
    }
}
