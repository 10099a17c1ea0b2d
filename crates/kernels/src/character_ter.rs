//! Edits over characters once blocks of words have moved: what `CharacTER` counts (Wang et al. 2016).

use crate::edits::Workshop as Edits;
use crate::parallel::fill_rows;
use crate::room::{filled, reserve};
use crate::sequences::Sequences;

/// One side: the characters of all words without white space, and the length of each word in UTF-16 units.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// Code points, segment by segment.
    pub characters: Sequences<'a>,
    /// Lengths, segment by segment.
    pub lengths: Sequences<'a>,
}

impl<'a> Words<'a> {
    /// The words of one segment, as slices of its characters.
    fn of(self, segment: usize, words: &mut Vec<&'a [u64]>) {
        let mut rest = self.characters.segment(segment);
        words.clear();
        for &units in self.lengths.segment(segment) {
            let mut left = units;
            let mut end = 0;
            while left > 0 && end < rest.len() {
                left = left.saturating_sub(if rest[end] > 0xFFFF { 2 } else { 1 });
                end += 1;
            }
            words.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
}

/// Buffers that segments reuse.
#[derive(Default)]
struct Workshop<'a> {
    edits: Edits,
    ours: Vec<&'a [u64]>,
    theirs: Vec<&'a [u64]>,
    known: Vec<&'a [u64]>,
    moved: Vec<u64>,
    best: Vec<u64>,
}

impl<'a> Workshop<'a> {
    /// Edits of characters, what shifts cost, and characters of the translation with one space between its words.
    fn count(&mut self, translation: Words<'a>, reference: Words<'a>, segment: usize) -> (f64, f64, f64) {
        translation.of(segment, &mut self.ours);
        reference.of(segment, &mut self.theirs);
        // Words become numbers in the order of their spelling: of several shifts as good the last by spelling is made.
        self.known.clear();
        self.known.extend(self.ours.iter().chain(&self.theirs));
        self.known.sort_unstable();
        self.known.dedup();
        let number = |word: &&[u64]| self.known.binary_search(word).unwrap_or(0) as u64;
        let original: Vec<u64> = self.ours.iter().map(number).collect();
        let theirs: Vec<u64> = self.theirs.iter().map(number).collect();
        let shifted = self.shift(&original, &theirs);
        let spelled: Vec<&[u64]> = shifted.iter().map(|&word| self.known[word as usize]).collect();
        let (ours, wanted) = (spell(&spelled), spell(&self.theirs));
        let lengths: Vec<usize> = self.ours.iter().map(|word| word.len()).collect();
        let edits = self.edits.distance(&wanted, &ours);
        (edits as f64, shift_cost(&shifted, &original, &lengths), ours.len() as f64)
    }

    /// The words of the translation once no shift brings them nearer to the reference.
    ///
    /// A block that stands on both sides goes to where the reference has it. Each time the best of all such shifts is made,
    /// by the number of word edits that are left.
    fn shift(&mut self, translation: &[u64], reference: &[u64]) -> Vec<u64> {
        let mut words = translation.to_vec();
        let length = reference.len() as f64;
        self.edits.aim(reference);
        let mut score = self.edits.distance_from(&words, reference.len()) as f64 / length;
        if score == 0.0 || reference.is_empty() {
            return words;
        }
        while let Some(edits) = self.best_shift(&words, reference) {
            // As the authors subtract: a last bit that is left over may allow for one shift more.
            let gain = score - edits as f64 / length;
            if gain <= 0.0 {
                break;
            }
            std::mem::swap(&mut words, &mut self.best);
            score -= gain;
        }
        words
    }

    /// Makes the best shift in `best`, if there is any, and says how many edits it leaves; `edits` aims at the reference.
    fn best_shift(&mut self, words: &[u64], reference: &[u64]) -> Option<usize> {
        let mut fewest: Option<usize> = None;
        for start in 0..words.len() {
            for target in 0..reference.len() {
                if start == target || words[start] != reference[target] {
                    continue;
                }
                let same = words[start..].iter().zip(&reference[target..]).take_while(|(our, their)| our == their);
                let end = start + same.count();
                self.moved.clear();
                reserve(&mut self.moved, words.len());
                self.moved.extend_from_slice(&words[..start]);
                self.moved.extend_from_slice(&words[end..]);
                let place = target.min(self.moved.len());
                self.moved.splice(place..place, words[start..end].iter().copied());
                let edits = self.edits.distance_from(&self.moved, reference.len());
                if fewest.is_none_or(|least| edits < least || (edits == least && self.moved > self.best)) {
                    fewest = Some(edits);
                    self.best.clone_from(&self.moved);
                }
            }
        }
        fewest
    }
}

/// Characters of words with one space between them.
fn spell(words: &[&[u64]]) -> Vec<u64> {
    words.join(&u64::from(b' '))
}

/// What shifts cost: for every block of words that stands further behind than it was, the mean length of its words.
fn shift_cost(shifted: &[u64], original: &[u64], lengths: &[usize]) -> f64 {
    let count = shifted.len();
    let (mut cost, mut index) = (0.0, 0);
    while index < count {
        if original[index] == shifted[index] {
            index += 1;
            continue;
        }
        let first = index;
        if let Some(target) = (index + 1..count).find(|&place| shifted[place] == original[first]) {
            let same = original[first..].iter().zip(&shifted[target..]).take_while(|(old, new)| old == new).count();
            // The words of the block are done with, but never the last of the segment.
            index = (first + same - 1).min(count - 1);
            cost += lengths[first..first + same].iter().sum::<usize>() as f64 / same as f64;
        }
        index += 1;
    }
    cost
}

/// Edits of characters, the cost of shifts, and the translation's characters: three numbers per segment.
///
/// `b c a` against `a b c` becomes the same by moving one word of one letter, which costs 1; there are five characters.
pub fn character_edits(translations: Words<'_>, references: Words<'_>, threads: usize) -> Vec<f64> {
    let mut rows = filled(translations.lengths.len() * 3, 0.0);
    fill_rows(&mut rows, 3, threads, Workshop::default, |workshop, segment, row| {
        (row[0], row[1], row[2]) = workshop.count(translations, references, segment);
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(translation: &str, reference: &str) -> Vec<f64> {
        let side = |text: &str| -> [Vec<u64>; 2] {
            let words: Vec<&str> = text.split_whitespace().collect();
            let characters = words.concat().chars().map(|character| u64::from(character as u32)).collect();
            [characters, words.iter().map(|word| word.encode_utf16().count() as u64).collect()]
        };
        let (ours, theirs) = (side(translation), side(reference));
        let offsets = |ids: &[u64]| [0, ids.len() as i64];
        let ends = [&ours[0], &ours[1], &theirs[0], &theirs[1]].map(|ids| offsets(ids));
        let words = |side: &'static [Vec<u64>; 2], ends: &'static [[i64; 2]]| Words {
            characters: Sequences { ids: &side[0], offsets: &ends[0] },
            lengths: Sequences { ids: &side[1], offsets: &ends[1] },
        };
        let (ours, theirs, ends) = (Box::leak(Box::new(ours)), Box::leak(Box::new(theirs)), Box::leak(Box::new(ends)));
        character_edits(words(ours, &ends[..2]), words(theirs, &ends[2..]), 1)
    }

    #[test]
    fn worked_example() {
        assert_eq!(count("b c a", "a b c"), [0.0, 1.0, 5.0]);
    }

    #[test]
    fn characters_beyond_the_basic_plane_are_one_each() {
        // One character of three is another.
        assert_eq!(count("😀 b", "😀 c"), [1.0, 0.0, 3.0]);
    }

    #[test]
    fn empty_sides() {
        assert_eq!(count("", "a b"), [3.0, 0.0, 0.0]);
        assert_eq!(count("a b", ""), [3.0, 0.0, 3.0]);
    }
}
