//! Edit distance with its operations, by bit-parallel dynamic programming (Myers 1999, Hyyrö 2003).

use crate::parallel::fill_rows;
use crate::room::{filled, refill, reserve};
use crate::sequences::Sequences;
use crate::steps::{Record, Step};

/// Words of history kept for tracing back; beyond it the problem is split in two (Hirschberg 1975).
const TRACE_WORDS: usize = 1 << 22;

/// What turns a reference into a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Words of the reference that the translation has in place.
    pub hits: usize,
    /// Words replaced by others.
    pub substitutions: usize,
    /// Words of the reference that are missing.
    pub deletions: usize,
    /// Words of the translation that are too many.
    pub insertions: usize,
}

impl Record for Edits {
    #[inline]
    fn add(&mut self, step: Step, times: usize) {
        *match step {
            Step::Match => &mut self.hits,
            Step::Substitution => &mut self.substitutions,
            Step::Insertion => &mut self.insertions,
            Step::Deletion => &mut self.deletions,
        } += times;
    }

    fn mark(&self) -> usize {
        0
    }

    fn turn(&mut self, _: usize) {}
}

/// Which positions of the reference hold which id, as bit vectors.
#[derive(Default)]
pub(crate) struct Pattern {
    /// Open addressing: an id and the row of `bits` that is its own, plus one.
    slots: Vec<(u64, u32)>,
    /// One row of `blocks` words per distinct id; row zero is for ids that do not occur.
    bits: Vec<u64>,
    blocks: usize,
}

impl Pattern {
    pub(crate) fn build(&mut self, reference: &[u64]) {
        self.blocks = reference.len().div_ceil(64);
        let size = (reference.len() * 2).next_power_of_two().max(16);
        refill(&mut self.slots, size, (0, 0));
        self.bits.clear();
        self.bits.resize(self.blocks, 0);
        for (position, &id) in reference.iter().enumerate() {
            let slot = self.slot(id);
            if self.slots[slot].1 == 0 {
                self.slots[slot] = (id, (self.bits.len() / self.blocks) as u32);
                reserve(&mut self.bits, self.blocks);
                self.bits.resize(self.bits.len() + self.blocks, 0);
            }
            let row = self.slots[slot].1 as usize;
            self.bits[row * self.blocks + position / 64] |= 1 << (position % 64);
        }
    }

    /// How many words a row of bits takes.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Where the id is, or where it would go.
    #[inline]
    fn slot(&self, id: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = id.wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 32 & mask;
        while self.slots[index].1 != 0 && self.slots[index].0 != id {
            index = (index + 1) & mask;
        }
        index
    }

    #[inline]
    pub(crate) fn row(&self, id: u64) -> &[u64] {
        let row = self.slots[self.slot(id)].1 as usize;
        &self.bits[row * self.blocks..(row + 1) * self.blocks]
    }
}

/// Buffers that segments reuse.
pub struct Workshop {
    pattern: Pattern,
    up: Vec<u64>,
    down: Vec<u64>,
    trace: Vec<(u64, u64)>,
    trace_limit: usize,
}

impl Default for Workshop {
    fn default() -> Self {
        Self::with_trace_limit(TRACE_WORDS)
    }
}

impl Workshop {
    /// A workshop that keeps at most `trace_limit` words of history.
    fn with_trace_limit(trace_limit: usize) -> Self {
        Self { pattern: Pattern::default(), up: Vec::new(), down: Vec::new(), trace: Vec::new(), trace_limit }
    }

    /// The edits from `reference` to `translation`.
    ///
    /// Of several shortest ways the one that deletes and inserts as late as possible is taken, as `RapidFuzz` and jiwer do;
    /// where a long problem is split in two, another shortest way may come out.
    pub fn edits(&mut self, reference: &[u64], translation: &[u64]) -> Edits {
        let mut edits = Edits::default();
        self.add(reference, translation, &mut edits);
        edits
    }

    /// How many edits there are, whichever they be.
    pub fn distance(&mut self, reference: &[u64], translation: &[u64]) -> usize {
        self.aim(reference);
        self.distance_from(translation, reference.len())
    }

    /// Makes ready for distances from one reference to many translations.
    pub fn aim(&mut self, reference: &[u64]) {
        self.pattern.build(reference);
    }

    /// How many edits there are from the reference that was aimed at, which has `length` words.
    pub fn distance_from(&mut self, translation: &[u64], length: usize) -> usize {
        self.sweep(translation, false);
        let within = |bits: &[u64]| -> usize {
            let ends = bits.iter().enumerate().map(|(block, word)| (word, length - block * 64));
            ends.map(|(word, left)| (if left < 64 { word & ((1 << left) - 1) } else { *word }).count_ones() as usize)
                .sum()
        };
        translation.len() + within(&self.up) - within(&self.down)
    }

    /// The steps behind those edits, in the order of the reference.
    pub fn steps(&mut self, reference: &[u64], translation: &[u64]) -> Vec<Step> {
        let mut steps = Vec::with_capacity(reference.len().max(translation.len()));
        self.add(reference, translation, &mut steps);
        steps
    }

    fn add(&mut self, reference: &[u64], translation: &[u64], edits: &mut impl Record) {
        let prefix = reference.iter().zip(translation).take_while(|(left, right)| left == right).count();
        let (reference, translation) = (&reference[prefix..], &translation[prefix..]);
        let suffix =
            reference.iter().rev().zip(translation.iter().rev()).take_while(|(left, right)| left == right).count();
        let reference = &reference[..reference.len() - suffix];
        let translation = &translation[..translation.len() - suffix];
        edits.add(Step::Match, prefix);
        if reference.is_empty() || translation.is_empty() {
            edits.add(Step::Deletion, reference.len());
            edits.add(Step::Insertion, translation.len());
        } else if reference.len().div_ceil(64) * translation.len() <= self.trace_limit || translation.len() < 2 {
            self.run(reference, translation, true);
            self.trace_back(reference, translation, edits);
        } else {
            let middle = translation.len() / 2;
            let split = self.split(reference, translation, middle);
            self.add(&reference[..split], &translation[..middle], edits);
            self.add(&reference[split..], &translation[middle..], edits);
        }
        edits.add(Step::Match, suffix);
    }

    /// Runs the recurrence over the translation; `up` and `down` then hold where the last column rises and falls.
    fn run(&mut self, reference: &[u64], translation: &[u64], trace: bool) {
        self.pattern.build(reference);
        self.sweep(translation, trace);
    }

    fn sweep(&mut self, translation: &[u64], trace: bool) {
        let blocks = self.pattern.blocks;
        self.up.clear();
        self.up.resize(blocks, u64::MAX);
        self.down.clear();
        self.down.resize(blocks, 0);
        self.trace.clear();
        if trace {
            self.trace.reserve(blocks * translation.len());
        }
        for &id in translation {
            let equal = self.pattern.row(id);
            // The first row counts the translation's words: it rises at every step.
            let (mut carry_up, mut carry_down) = (1_u64, 0_u64);
            for (block, &equal) in equal.iter().enumerate() {
                let (up, down) = (self.up[block], self.down[block]);
                let matched = equal | carry_down;
                let diagonal = ((matched & up).wrapping_add(up) ^ up) | matched | down;
                let rises = down | !(diagonal | up);
                let falls = diagonal & up;
                let shifted_up = rises << 1 | carry_up;
                let shifted_down = falls << 1 | carry_down;
                carry_up = rises >> 63;
                carry_down = falls >> 63;
                self.up[block] = shifted_down | !(diagonal | shifted_up);
                self.down[block] = shifted_up & diagonal;
                if trace {
                    self.trace.push((self.up[block], self.down[block]));
                }
            }
        }
    }

    fn trace_back(&self, reference: &[u64], translation: &[u64], edits: &mut impl Record) {
        let blocks = self.pattern.blocks;
        let mark = edits.mark();
        let (mut column, mut row) = (reference.len(), translation.len());
        while column > 0 && row > 0 {
            let (block, bit) = ((column - 1) / 64, (column - 1) % 64);
            if self.trace[(row - 1) * blocks + block].0 >> bit & 1 == 1 {
                edits.add(Step::Deletion, 1);
                column -= 1;
                continue;
            }
            row -= 1;
            if row > 0 && self.trace[(row - 1) * blocks + block].1 >> bit & 1 == 1 {
                edits.add(Step::Insertion, 1);
            } else {
                column -= 1;
                let same = reference[column] == translation[row];
                edits.add(if same { Step::Match } else { Step::Substitution }, 1);
            }
        }
        edits.add(Step::Deletion, column);
        edits.add(Step::Insertion, row);
        edits.turn(mark);
    }

    /// The length of the beginning of `reference` that best goes with the first `middle` words of the translation.
    fn split(&mut self, reference: &[u64], translation: &[u64], middle: usize) -> usize {
        self.run(reference, &translation[..middle], false);
        let forwards = self.last_column(reference.len(), middle);
        let reversed_reference: Vec<u64> = reference.iter().rev().copied().collect();
        let reversed_rest: Vec<u64> = translation[middle..].iter().rev().copied().collect();
        self.run(&reversed_reference, &reversed_rest, false);
        let backwards = self.last_column(reference.len(), translation.len() - middle);
        (0..=reference.len()).min_by_key(|&length| forwards[length] + backwards[reference.len() - length]).unwrap_or(0)
    }

    /// The distances of all beginnings of the reference, after `words` words of the translation.
    fn last_column(&self, length: usize, words: usize) -> Vec<usize> {
        let mut distances = Vec::with_capacity(length + 1);
        let mut distance = words;
        distances.push(distance);
        for position in 0..length {
            let (block, bit) = (position / 64, position % 64);
            distance += (self.up[block] >> bit & 1) as usize;
            distance -= (self.down[block] >> bit & 1) as usize;
            distances.push(distance);
        }
        distances
    }
}

/// Hits, substitutions, deletions and insertions: four numbers per segment.
pub fn edit_operations(translations: Sequences<'_>, references: Sequences<'_>, threads: usize) -> Vec<f64> {
    let mut rows = filled(translations.len() * 4, 0.0);
    fill_rows(&mut rows, 4, threads, Workshop::default, |workshop, segment, row| {
        let edits = workshop.edits(references.segment(segment), translations.segment(segment));
        row[0] = edits.hits as f64;
        row[1] = edits.substitutions as f64;
        row[2] = edits.deletions as f64;
        row[3] = edits.insertions as f64;
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::with_positions;

    fn distance(reference: &[u64], translation: &[u64]) -> usize {
        let mut row: Vec<usize> = (0..=reference.len()).collect();
        for (index, word) in translation.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = index + 1;
            for column in 1..=reference.len() {
                let substituted = diagonal + usize::from(reference[column - 1] != *word);
                diagonal = row[column];
                row[column] = substituted.min(row[column - 1] + 1).min(row[column] + 1);
            }
        }
        row[reference.len()]
    }

    /// A small reproducible stream of ids from a small vocabulary.
    fn stream(seed: u64, length: usize, vocabulary: u64) -> Vec<u64> {
        let mut state = seed;
        (0..length)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % vocabulary
            })
            .collect()
    }

    #[test]
    fn worked_example() {
        // "the cat sat" to "a cat sat down": one replaced, one inserted.
        let edits = Workshop::default().edits(&[1, 2, 3], &[4, 2, 3, 5]);
        assert_eq!(edits, Edits { hits: 2, substitutions: 1, deletions: 0, insertions: 1 });
    }

    #[test]
    fn steps_stand_in_the_order_of_the_reference() {
        let steps = Workshop::default().steps(&[1, 2, 3], &[4, 2, 3, 5]);
        let edits = with_positions(&steps, 0..4);
        assert_eq!(edits[0], (Step::Substitution, Some(0), Some(0)));
        assert_eq!(edits[3], (Step::Insertion, Some(3), None));
    }

    #[test]
    fn steps_have_the_numbers_of_the_edits_however_long_the_texts() {
        for limit in [40, TRACE_WORDS] {
            let mut workshop = Workshop::with_trace_limit(limit);
            let (reference, translation) = (stream(3, 300, 7), stream(4, 260, 7));
            let steps = workshop.steps(&reference, &translation);
            let edits = workshop.edits(&reference, &translation);
            let count = |wanted| steps.iter().filter(|&&step| step == wanted).count();
            assert_eq!(count(Step::Match), edits.hits);
            assert_eq!(count(Step::Substitution), edits.substitutions);
            assert_eq!((count(Step::Deletion), count(Step::Insertion)), (edits.deletions, edits.insertions));
            let matches = with_positions(&steps, 0..260).into_iter().filter(|edit| edit.0 == Step::Match);
            for (_, word, place) in matches {
                assert_eq!(translation[word.unwrap()], reference[place.unwrap()]);
            }
        }
    }

    #[test]
    fn distances_agree_with_the_table_across_block_borders() {
        let mut workshop = Workshop::default();
        for (seed, (length, other)) in
            [(5, 9), (63, 64), (64, 70), (65, 200), (130, 127), (200, 3)].into_iter().enumerate()
        {
            let (reference, translation) = (stream(seed as u64, length, 6), stream(seed as u64 + 99, other, 6));
            let edits = workshop.edits(&reference, &translation);
            let total = edits.substitutions + edits.deletions + edits.insertions;
            assert_eq!(total, distance(&reference, &translation));
            assert_eq!(total, workshop.distance(&reference, &translation));
            assert_eq!(edits.hits + edits.substitutions + edits.deletions, length);
            assert_eq!(edits.hits + edits.substitutions + edits.insertions, other);
        }
    }

    #[test]
    fn splitting_keeps_the_distance() {
        let mut workshop = Workshop::with_trace_limit(50);
        let (reference, translation) = (stream(1, 700, 9), stream(2, 800, 9));
        let edits = workshop.edits(&reference, &translation);
        let total = edits.substitutions + edits.deletions + edits.insertions;
        assert_eq!(total, distance(&reference, &translation));
    }
}
