//! Which words could be matched with which: by each module, for every word of the reference.

use super::chains::Chains;
use super::{Lexicon, Link, Sides};

/// A word of the translation that a word of the reference may be matched with.
#[derive(Clone, Copy)]
struct Single {
    translation: u32,
    module: u8,
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

    /// The links that begin at a position of the reference.
    #[inline]
    pub fn at(&self, position: usize) -> impl Iterator<Item = Link> + '_ {
        let (start, end) = self.lists[position];
        let singles = &self.singles[start as usize..end as usize];
        singles.iter().map(move |&single| link(position, single)).chain(self.phrases_at(position).iter().copied())
    }

    /// The link that `at` gives in this place.
    pub fn choice(&self, position: usize, place: usize) -> Link {
        let (start, end) = self.lists[position];
        let singles = &self.singles[start as usize..end as usize];
        match singles.get(place) {
            Some(&single) => link(position, single),
            None => self.phrases_at(position)[place - singles.len()],
        }
    }

    /// How many links there are in all.
    pub fn total(&self) -> usize {
        self.lists.iter().map(|(start, end)| (end - start) as usize).sum::<usize>() + self.phrases.len()
    }

    fn phrases_at(&self, position: usize) -> &[Link] {
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
        self.phrases.clear();
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

fn link(position: usize, single: Single) -> Link {
    Link {
        reference: position as u32,
        reference_length: 1,
        translation: single.translation,
        translation_length: 1,
        module: single.module,
    }
}
