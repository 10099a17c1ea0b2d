//! The words that both sides have, numbered; all others can be in no common skip-n-gram.

use crate::hashing::ById;

/// One side of a segment: its common words, in order.
#[derive(Debug, Default)]
pub struct Side {
    /// Where each of them stands in the whole text.
    pub positions: Vec<u32>,
    /// Which word it is.
    pub words: Vec<u32>,
    /// How often each word stands on this side.
    pub counts: Vec<u32>,
    /// Which of the common words, by number of the word, one after the other.
    pub places: Vec<u32>,
    /// Where the places of each word begin, and an end.
    pub offsets: Vec<u32>,
}

impl Side {
    /// Where one word stands, as indices into `positions`.
    pub fn places_of(&self, word: usize) -> &[u32] {
        &self.places[self.offsets[word] as usize..self.offsets[word + 1] as usize]
    }

    fn clear(&mut self) {
        self.positions.clear();
        self.words.clear();
    }

    fn push(&mut self, position: usize, word: u32) {
        self.positions.push(position as u32);
        self.words.push(word);
    }

    /// Sorts the places by word.
    fn index(&mut self, vocabulary: usize) {
        self.counts.clear();
        self.counts.resize(vocabulary, 0);
        for &word in &self.words {
            self.counts[word as usize] += 1;
        }
        self.offsets.clear();
        self.offsets.push(0);
        let mut end = 0;
        for &count in &self.counts {
            end += count;
            self.offsets.push(end);
        }
        self.places.clear();
        self.places.resize(self.words.len(), 0);
        let mut next = self.offsets.clone();
        for (place, &word) in self.words.iter().enumerate() {
            let slot = &mut next[word as usize];
            self.places[*slot as usize] = place as u32;
            *slot += 1;
        }
    }
}

/// Both sides of a segment, as far as they have words in common.
#[derive(Debug, Default)]
pub struct Common {
    pub translation: Side,
    pub reference: Side,
    /// How many different words both have.
    pub vocabulary: usize,
    /// The number of each word of the translation; none before the reference has it.
    numbers: ById<Option<u32>>,
}

impl Common {
    /// Takes up a new segment.
    pub fn find(&mut self, translation: &[u64], reference: &[u64]) {
        self.translation.clear();
        self.reference.clear();
        self.numbers.clear();
        self.numbers.extend(translation.iter().map(|&id| (id, None)));
        let mut vocabulary = 0;
        for (position, id) in reference.iter().enumerate() {
            if let Some(number) = self.numbers.get_mut(id) {
                let word = *number.get_or_insert_with(|| {
                    vocabulary += 1;
                    vocabulary - 1
                });
                self.reference.push(position, word);
            }
        }
        for (position, id) in translation.iter().enumerate() {
            if let Some(word) = self.numbers[id] {
                self.translation.push(position, word);
            }
        }
        self.vocabulary = vocabulary as usize;
        self.translation.index(self.vocabulary);
        self.reference.index(self.vocabulary);
    }

    /// Common words, each as often as it stands on both sides.
    pub fn clipped(&self) -> f64 {
        self.translation
            .counts
            .iter()
            .zip(&self.reference.counts)
            .map(|(&ours, &theirs)| f64::from(ours.min(theirs)))
            // A plain sum of nothing is -0.
            .fold(0.0, |total, one| total + one)
    }
}
