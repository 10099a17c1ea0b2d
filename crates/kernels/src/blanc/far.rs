//! Common skip-n-grams with any gap, by dynamic programming over the places at which they end.
//!
//! What can follow a sequence of words depends on its last word and on how often the sequence ends at each place of
//! that word, on either side; it does not depend on which words came before. So sequences that agree in this are one
//! state, with the number of sequences in it, and each size is made from the states of the size before. Most words
//! stand once on each side, and most sequences that end in such a word share one state.

use super::words::{Common, Side};
use super::{Effort, Exhausted};
use crate::hashing::{EMPTY, extend};
use crate::room::{refill, reserve};

/// How many numbers the states of one size may take: 160 megabytes.
const LARGEST: usize = 20_000_000;

/// Steps that it takes to find a state.
const SEARCH: usize = 8;

/// States of one size, side by side.
#[derive(Debug, Default)]
struct States {
    /// The last word of each.
    words: Vec<u32>,
    /// How many sequences of words are in it.
    sequences: Vec<f64>,
    /// Where its counts begin; the places of the translation, then those of the reference.
    offsets: Vec<usize>,
    counts: Vec<f64>,
    /// Numbers of states, plus one, at the slots of their hashes; 0 is free.
    slots: Vec<u32>,
}

impl States {
    fn clear(&mut self) {
        self.words.clear();
        self.sequences.clear();
        self.offsets.clear();
        self.counts.clear();
        self.slots.clear();
        self.slots.resize(256, 0);
    }

    fn counts_of(&self, state: usize) -> &[f64] {
        let end = self.offsets.get(state + 1).copied().unwrap_or(self.counts.len());
        &self.counts[self.offsets[state]..end]
    }

    /// Adds sequences that end in `word`, to the state that has these counts or to a new one.
    fn add(&mut self, word: u32, sequences: f64, counts: &[f64]) {
        if (self.words.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mut slot = hash(word, counts) as usize & (self.slots.len() - 1);
        while self.slots[slot] != 0 {
            let state = self.slots[slot] as usize - 1;
            if self.words[state] == word && self.counts_of(state) == counts {
                self.sequences[state] += sequences;
                return;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.words.push(word);
        self.sequences.push(sequences);
        self.offsets.push(self.counts.len());
        reserve(&mut self.counts, counts.len());
        self.counts.extend_from_slice(counts);
        self.slots[slot] = self.words.len() as u32;
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        refill(&mut self.slots, size, 0);
        for state in 0..self.words.len() {
            let mut slot = hash(self.words[state], self.counts_of(state)) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = state as u32 + 1;
        }
    }
}

fn hash(word: u32, counts: &[f64]) -> u64 {
    counts.iter().fold(extend(EMPTY, u64::from(word)), |key, count| extend(key, count.to_bits()))
}

/// One side, while one state grows.
#[derive(Debug, Default)]
struct Growth {
    /// How often the sequence ends before each common word.
    before: Vec<f64>,
    /// How often the longer sequence stands on this side, by its last word.
    totals: Vec<f64>,
}

impl Growth {
    /// `counts` are how often the sequence ends at each place of its last word.
    fn follow(&mut self, side: &Side, vocabulary: usize, word: u32, counts: &[f64]) {
        self.before.clear();
        self.before.resize(side.words.len(), 0.0);
        self.totals.clear();
        self.totals.resize(vocabulary, 0.0);
        let places = side.places_of(word as usize);
        let mut sum = 0.0;
        for (index, (&place, &count)) in places.iter().zip(counts).enumerate() {
            sum += count;
            let next = places.get(index + 1).map_or(side.words.len(), |&next| next as usize + 1);
            for later in place as usize + 1..next {
                self.before[later] = sum;
                self.totals[side.words[later] as usize] += sum;
            }
        }
    }
}

/// Counts without limit; buffers that segments reuse.
#[derive(Debug, Default)]
pub struct Far {
    found: Vec<f64>,
    now: States,
    next: States,
    ours: Growth,
    theirs: Growth,
    counts: Vec<f64>,
}

impl Far {
    /// Common skip-n-grams of one size, two or more.
    pub fn found(&self, size: usize) -> f64 {
        self.found[size - 2]
    }

    pub fn count(&mut self, common: &Common, order: usize, effort: &mut Effort) -> Result<(), Exhausted> {
        self.found.clear();
        self.found.resize(order - 1, 0.0);
        self.now.clear();
        for word in 0..common.vocabulary {
            self.counts.clear();
            self.counts.resize((common.translation.counts[word] + common.reference.counts[word]) as usize, 1.0);
            self.now.add(word as u32, 1.0, &self.counts);
        }
        for size in 2..=order {
            self.next.clear();
            for state in 0..self.now.words.len() {
                effort.spend(common.translation.words.len() + common.reference.words.len() + common.vocabulary)?;
                let kept = self.grow(common, state, size, size < order);
                effort.spend(kept)?;
                if self.next.counts.len() > LARGEST {
                    return Err(Exhausted);
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }
        Ok(())
    }

    /// Makes the sequences of one state longer by every word that follows on both sides: what it cost to keep them.
    fn grow(&mut self, common: &Common, state: usize, size: usize, keep: bool) -> usize {
        let mut cost = 0;
        let (word, sequences, counts) = (self.now.words[state], self.now.sequences[state], self.now.counts_of(state));
        let (ours, theirs) = counts.split_at(common.translation.counts[word as usize] as usize);
        self.ours.follow(&common.translation, common.vocabulary, word, ours);
        self.theirs.follow(&common.reference, common.vocabulary, word, theirs);
        for word in 0..common.vocabulary {
            let both = self.ours.totals[word].min(self.theirs.totals[word]);
            if both == 0.0 {
                continue;
            }
            self.found[size - 2] += sequences * both;
            if keep {
                self.counts.clear();
                let places = common.translation.places_of(word).iter();
                self.counts.extend(places.map(|&place| self.ours.before[place as usize]));
                let places = common.reference.places_of(word).iter();
                self.counts.extend(places.map(|&place| self.theirs.before[place as usize]));
                self.next.add(word as u32, sequences, &self.counts);
                cost += SEARCH + self.counts.len();
            }
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_words_of_each_state_and_what_is_kept() {
        // a b against a b: pairs from the states of a and of b, with two words on each side and two different words.
        let mut common = Common::default();
        common.find(&[1, 2], &[1, 2]);
        let steps = |order, effort| Far::default().count(&common, order, &mut Effort(effort)).is_ok();
        assert!(steps(2, 2 * (2 + 2 + 2)) && !steps(2, 2 * (2 + 2 + 2) - 1));
        // Triples: to keep a b costs a search and its two counts; its state has all words to look at again.
        assert!(steps(3, 12 + 8 + 2 + 6) && !steps(3, 12 + 8 + 2 + 6 - 1));
    }
}
