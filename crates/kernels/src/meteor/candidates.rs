//! Which words could be matched with which: by each module, for every word of the reference.

use super::chains::Chains;
use super::{Lexicon, Link, Sides};
use crate::hashing::{EMPTY, extend};
use crate::paraphrases::Paraphrases;

/// A word of the translation that a word of the reference may be matched with.
#[derive(Clone, Copy)]
pub struct Single {
    /// Its position.
    pub translation: u32,
    /// The module that found it.
    pub module: u8,
}

/// All links that are possible at each position of the reference, in METEOR's order.
///
/// Module by module, and within a module from left to right in the translation. Equal words of the reference share a
/// list, so that many repeated words take little room.
#[derive(Default)]
pub struct Candidates {
    singles: Vec<Single>,
    /// Where the list of each position begins and ends in `singles`.
    lists: Vec<(u32, u32)>,
    /// Links of phrases, by position.
    phrases: Vec<Link>,
    phrase_starts: Vec<u32>,
    words: Chains,
    stems: Chains,
    senses: Chains,
    /// Positions of the reference that have a list, by their word.
    known: Chains,
    found: Vec<u32>,
}

impl Candidates {
    /// How many positions the reference has.
    pub fn positions(&self) -> usize {
        self.lists.len()
    }

    /// The links that begin at a position of the reference: words first, then phrases.
    #[inline]
    pub fn at(&self, position: usize) -> impl Iterator<Item = Link> + '_ {
        let words = self.singles_at(position).iter().map(move |&single| link(position, single));
        words.chain(self.phrases_at(position).iter().copied())
    }

    /// The words of the translation that a position may be linked with.
    #[inline]
    pub fn singles_at(&self, position: usize) -> &[Single] {
        let (start, end) = self.lists[position];
        &self.singles[start as usize..end as usize]
    }

    /// Whether no link begins at a position.
    pub fn is_empty_at(&self, position: usize) -> bool {
        self.singles_at(position).is_empty() && self.phrases_at(position).is_empty()
    }

    /// The link that `at` gives in this place.
    pub fn choice(&self, position: usize, place: usize) -> Link {
        let singles = self.singles_at(position);
        match singles.get(place) {
            Some(&single) => link(position, single),
            None => self.phrases_at(position)[place - singles.len()],
        }
    }

    /// The phrases that begin at a position of the reference.
    #[inline]
    pub fn phrases_at(&self, position: usize) -> &[Link] {
        if self.phrases.is_empty() {
            return &[];
        }
        &self.phrases[self.phrase_starts[position] as usize..self.phrase_starts[position + 1] as usize]
    }

    /// Adds to each word the number of links that cover it.
    pub fn add_coverage(&self, ours: &mut [u32], theirs: &mut [u32]) {
        for (position, &(start, end)) in self.lists.iter().enumerate() {
            theirs[position] += end - start;
            for single in &self.singles[start as usize..end as usize] {
                ours[single.translation as usize] += 1;
            }
        }
        for link in &self.phrases {
            ours[link.translation_range()].iter_mut().for_each(|count| *count += 1);
            theirs[link.reference_range()].iter_mut().for_each(|count| *count += 1);
        }
    }

    /// Finds the links of one segment.
    pub fn find(&mut self, sides: &Sides<'_>, lexicon: &mut Lexicon<'_>) {
        self.index(sides, lexicon);
        self.singles.clear();
        self.lists.clear();
        self.known.clear(sides.reference.words.len());
        for (position, &word) in sides.reference.words.iter().enumerate() {
            let list = match self.known.last(word) {
                Some(earlier) => self.lists[earlier as usize],
                None => self.list(sides, lexicon, position, word),
            };
            self.known.push(word, position as u32);
            self.lists.push(list);
        }
        self.find_phrases(sides, lexicon);
    }

    /// Paraphrases of what the reference says, by position, length, and the order of the table; then of what the
    /// translation says.
    fn find_phrases(&mut self, sides: &Sides<'_>, lexicon: &Lexicon<'_>) {
        self.phrases.clear();
        let Some((module, paraphrases)) = lexicon.paraphrase else { return };
        let (ours, theirs) = (sides.translation.words, sides.reference.words);
        let phrases = &mut self.phrases;
        each_paraphrase(theirs, ours, &mut self.words, paraphrases, |there, size, here, length| {
            phrases.push(phrase([there, size], [here, length], module));
        });
        each_paraphrase(ours, theirs, &mut self.words, paraphrases, |here, length, there, size| {
            phrases.push(phrase([there, size], [here, length], module));
        });
        // Stable, so that each position keeps the order above.
        phrases.sort_by_key(|link| link.reference);
        self.phrase_starts.clear();
        let mut place = 0;
        for position in 0..=theirs.len() as u32 {
            place += phrases[place..].iter().take_while(|link| link.reference < position).count();
            self.phrase_starts.push(place as u32);
        }
    }

    /// Puts the words of the translation where those of the reference will look for them.
    fn index(&mut self, sides: &Sides<'_>, lexicon: &mut Lexicon<'_>) {
        let words = sides.translation.words;
        self.words.clear(words.len());
        // From the last to the first, for chains give back what went in last.
        for (position, &word) in words.iter().enumerate().rev() {
            self.words.push(word, position as u32);
        }
        if lexicon.stem.is_some() {
            self.stems.clear(words.len());
            for (position, &stem) in sides.translation.stems.iter().enumerate().rev() {
                self.stems.push(stem, position as u32);
            }
        }
        if lexicon.synonym.is_some() {
            let bases = sides.translation.bases;
            let total = words.iter().zip(bases).map(|(&word, &base)| lexicon.senses(word, base).len()).sum();
            self.senses.clear(total);
            for (position, (&word, &base)) in words.iter().zip(bases).enumerate() {
                // Equal words are found through their first occurrence.
                if self.words.last(word) == Some(position as u32) {
                    for &sense in lexicon.senses(word, base) {
                        self.senses.push(u64::from(sense), position as u32);
                    }
                }
            }
        }
    }

    /// The list of a word of the reference that was not seen before.
    fn list(&mut self, sides: &Sides<'_>, lexicon: &mut Lexicon<'_>, position: usize, word: u64) -> (u32, u32) {
        let start = self.singles.len() as u32;
        self.singles.extend(self.words.of(word).map(|translation| Single { translation, module: 0 }));
        if let Some(module) = lexicon.stem {
            let words = sides.translation.words;
            let others = self.stems.of(sides.reference.stems[position]).filter(|&at| words[at as usize] != word);
            self.singles.extend(others.map(|translation| Single { translation, module }));
        }
        if let Some(module) = lexicon.synonym {
            self.found.clear();
            for &sense in lexicon.senses(word, sides.reference.bases[position]) {
                self.found.extend(self.senses.of(u64::from(sense)));
            }
            self.found.sort_unstable();
            self.found.dedup();
            let first = self.singles.len();
            for &at in &self.found {
                let synonym = sides.translation.words[at as usize];
                if synonym != word {
                    self.singles.extend(self.words.of(synonym).map(|translation| Single { translation, module }));
                }
            }
            self.singles[first..].sort_unstable_by_key(|single| single.translation);
        }
        (start, self.singles.len() as u32)
    }
}

/// Every phrase of `source` that has a paraphrase in `target`: where both begin, and how many words they have.
fn each_paraphrase(
    source: &[u64],
    target: &[u64],
    chains: &mut Chains,
    paraphrases: &Paraphrases,
    mut found: impl FnMut(usize, usize, usize, usize),
) {
    let longest = paraphrases.longest();
    chains.clear(target.len() * longest);
    for start in (0..target.len()).rev() {
        each_phrase(target, start, longest, |key, _| chains.push(key, start as u32));
    }
    for start in 0..source.len() {
        each_phrase(source, start, longest, |key, length| {
            for (paraphrase, size) in paraphrases.of(key) {
                chains.of(paraphrase).for_each(|at| found(start, length, at as usize, size));
            }
        });
    }
}

/// The keys of the phrases that begin at `start`, shorter ones first.
fn each_phrase(words: &[u64], start: usize, longest: usize, mut found: impl FnMut(u64, usize)) {
    let mut key = EMPTY;
    for (index, &word) in words[start..].iter().take(longest).enumerate() {
        key = extend(key, word);
        found(key, index + 1);
    }
}

fn phrase(theirs: [usize; 2], ours: [usize; 2], module: u8) -> Link {
    Link {
        reference: theirs[0] as u32,
        reference_length: theirs[1] as u16,
        translation: ours[0] as u32,
        translation_length: ours[1] as u16,
        module,
    }
}

fn link(position: usize, single: Single) -> Link {
    Link {
        reference: position as u32,
        reference_length: 1,
        translation: single.translation,
        translation_length: 1,
        module: single.module,
    }
}
