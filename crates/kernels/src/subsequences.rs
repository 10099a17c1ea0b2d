//! Longest common subsequences, plain and with a premium on words that follow each other: what ROUGE-L and ROUGE-W count.

use crate::edits::Pattern;
use crate::parallel::fill_rows;
use crate::room::{filled, refill};
use crate::sequences::Sequences;

/// A step of the table, back towards its beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Back {
    Both,
    Reference,
    Translation,
}

/// Buffers that segments reuse.
#[derive(Default)]
struct Workshop {
    pattern: Pattern,
    bits: Vec<u64>,
    values: Vec<f64>,
    runs: Vec<u32>,
    steps: Vec<Back>,
}

impl Workshop {
    /// How many words the longest common subsequence has, by bit-parallel dynamic programming (Hyyrö 2004).
    fn length(&mut self, reference: &[u64], translation: &[u64]) -> usize {
        if reference.is_empty() || translation.is_empty() {
            return 0;
        }
        self.pattern.build(reference);
        refill(&mut self.bits, self.pattern.blocks(), u64::MAX);
        for &id in translation {
            let mut carry = false;
            for (bits, &equal) in self.bits.iter_mut().zip(self.pattern.row(id)) {
                let matched = *bits & equal;
                let (sum, over) = bits.overflowing_add(matched);
                let (sum, again) = sum.overflowing_add(u64::from(carry));
                carry = over | again;
                *bits = sum | (*bits & !equal);
            }
        }
        let set: u32 = self.bits.iter().map(|bits| bits.count_ones()).sum();
        // Bits behind the end of the reference match nothing, and stay.
        self.bits.len() * 64 - set as usize
    }

    /// What the best common subsequence counts, where a run of n words that follow each other in the reference counts
    /// n to the power of `weight`.
    ///
    /// The subsequence is the one that ROUGE 1.5.5 finds: it looks for words that follow each other on both sides, and of
    /// several as good it takes the one that comes last in the reference.
    fn weighed(&mut self, reference: &[u64], translation: &[u64], weight: f64) -> f64 {
        let width = translation.len() + 1;
        let worth = |run: u32| f64::from(run).powf(weight);
        refill(&mut self.values, width * 2, 0.0);
        refill(&mut self.runs, width * 2, 0);
        refill(&mut self.steps, width * (reference.len() + 1), Back::Both);
        for (row, word) in reference.iter().enumerate() {
            let (above, here) = if row % 2 == 0 { (0, width) } else { (width, 0) };
            (self.values[here], self.runs[here]) = (0.0, 0);
            for column in 1..width {
                let (value, run, back) = if translation[column - 1] == *word {
                    let run = self.runs[above + column - 1];
                    let value = self.values[above + column - 1] + worth(run + 1) - worth(run);
                    (value, run + 1, Back::Both)
                } else if self.values[above + column] >= self.values[here + column - 1] {
                    (self.values[above + column], 0, Back::Reference)
                } else {
                    (self.values[here + column - 1], 0, Back::Translation)
                };
                (self.values[here + column], self.runs[here + column]) = (value, run);
                self.steps[(row + 1) * width + column] = back;
            }
        }
        let (mut row, mut column, mut run, mut total) = (reference.len(), translation.len(), 0, 0.0);
        while row > 0 && column > 0 {
            match self.steps[row * width + column] {
                Back::Both => {
                    run += 1;
                    row -= 1;
                    column -= 1;
                }
                Back::Reference => {
                    total += worth(run);
                    run = 0;
                    row -= 1;
                }
                Back::Translation => column -= 1,
            }
        }
        total + worth(run)
    }
}

/// What the best common subsequence counts: a number per segment.
///
/// `police killed the gunman` and `police kill the gunman` share `police the gunman`, which counts 3. At a weight of 2
/// it counts 1 for `police` and 4 for `the gunman`.
pub fn common_subsequences(
    translations: Sequences<'_>,
    references: Sequences<'_>,
    weight: f64,
    threads: usize,
) -> Vec<f64> {
    let mut rows = filled(translations.len(), 0.0);
    fill_rows(&mut rows, 1, threads, Workshop::default, |workshop, segment, row| {
        let (reference, translation) = (references.segment(segment), translations.segment(segment));
        #[expect(clippy::float_cmp, reason = "every other weight, however near, is another metric")]
        let plain = weight == 1.0;
        row[0] = if plain {
            workshop.length(reference, translation) as f64
        } else {
            workshop.weighed(reference, translation, weight)
        };
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        let mut workshop = Workshop::default();
        let (reference, translation) = ([1, 2, 3, 4], [1, 5, 3, 4]);
        assert_eq!(workshop.length(&reference, &translation), 3);
        assert!((workshop.weighed(&reference, &translation, 2.0) - 5.0).abs() < 1e-12);
        assert_eq!(workshop.length(&[], &translation), 0);
        assert!(workshop.weighed(&reference, &[], 1.2).abs() < 1e-12);
    }

    #[test]
    fn lengths_agree_across_block_borders() {
        let mut workshop = Workshop::default();
        let stream =
            |seed: u64, length: u64| -> Vec<u64> { (0..length).map(|n| (n * n * 31 + n * seed) % 7).collect() };
        for (ours, theirs) in [(3, 5), (63, 64), (64, 65), (130, 127), (200, 70)] {
            let (reference, translation) = (stream(5, theirs), stream(11, ours));
            let weighed = workshop.weighed(&reference, &translation, 1.0);
            assert!((workshop.length(&reference, &translation) as f64 - weighed).abs() < 1e-9);
        }
    }
}
