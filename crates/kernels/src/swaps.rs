//! Two metrics that swap scores cell by cell, judged within segments: how many pairs of systems they order like people.
//!
//! A pair of systems shows one of four pairs of scores: both of the first metric, both of the second, or one of each;
//! the flags of its two cells decide. So what is true of each pair is looked up once per segment for every two metrics,
//! as bits, and a draw picks among four sets of bits.

use std::cmp::Ordering;
use std::ops::Range;

use crate::parallel::{cut, map_tasks};

/// What is averaged over segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Kendall's tau-b: pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side.
    Kendall,
    /// Pairs that both sides order alike, or tie, less all others, by all pairs.
    Agreement,
}

/// Scores that two metrics may swap.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    /// Metrics by systems by segments.
    pub metrics: &'a [f64],
    /// People's scores, systems by segments; NaN where a cell takes no part.
    pub human: &'a [f64],
    /// How many systems there are.
    pub systems: usize,
    /// How many segments there are.
    pub segments: usize,
}

impl Scores<'_> {
    fn count(&self) -> usize {
        self.metrics.len().checked_div(self.human.len()).unwrap_or(0)
    }

    /// Whether the tables have the shapes that they should.
    pub fn is_sound(&self, flags: &[u8]) -> bool {
        let cells = self.systems * self.segments;
        self.human.len() == cells && cells > 0 && self.metrics.len() % cells == 0 && flags.len() % cells == 0
    }
}

/// For either metric of every pair of them (first by second, in order), and for each draw, the sum over segments of the
/// share and the number of segments that have one: sides by draws by pairs of metrics, sums and then counts.
///
/// `flags` are draws by systems by segments: 1 where the two metrics change places. Two systems, of which people prefer the
/// first, and two metrics with the scores (3, 1) and (0, 2): as they are, the first is right (1) and the second wrong (-1);
/// where the first cell alone is swapped, they show (0, 1) and (3, 2), and it is the other way round.
pub fn swapped_shares(scores: Scores<'_>, flags: &[u8], share: Share, threads: usize) -> Vec<f64> {
    let draws = flags.len() / (scores.systems * scores.segments);
    let metrics = scores.count();
    let pairs = metrics * metrics.saturating_sub(1) / 2;
    let tasks: Vec<Range<usize>> = cut(draws, threads).collect();
    let parts = map_tasks(&tasks, threads, |range| swapped_in(scores, flags, share, range.clone(), pairs));
    let mut found = vec![0.0; 4 * draws * pairs];
    for (range, part) in tasks.iter().zip(parts) {
        let size = range.len() * pairs;
        for block in 0..4 {
            found[(block * draws + range.start) * pairs..][..size].copy_from_slice(&part[block * size..][..size]);
        }
    }
    found
}

/// The same for some of the draws.
fn swapped_in(scores: Scores<'_>, flags: &[u8], share: Share, draws: Range<usize>, pairs: usize) -> Vec<f64> {
    let size = draws.len() * pairs;
    let mut found = vec![0.0; 4 * size];
    let (sums, counts) = found.split_at_mut(2 * size);
    let (sums, other_sums) = sums.split_at_mut(size);
    let (counts, other_counts) = counts.split_at_mut(size);
    let mut segments = 0.0;
    for segment in 0..scores.segments {
        let Some(table) = Table::of(scores, segment, share) else { continue };
        segments += 1.0;
        let mut masks = vec![[0; 4]; table.words];
        for (row, draw) in draws.clone().enumerate() {
            table.masks(&flags[draw * scores.systems * scores.segments..], scores.segments, segment, &mut masks);
            let cells = row * pairs..(row + 1) * pairs;
            let (sums, other_sums) = (&mut sums[cells.clone()], &mut other_sums[cells.clone()]);
            if table.tied.is_empty() {
                table.add(&masks, sums, other_sums);
            } else {
                table.add_with_ties(&masks, shown, sums, &mut counts[cells.clone()]);
                table.add_with_ties(&masks, turned_round, other_sums, &mut other_counts[cells]);
            }
        }
    }
    // So far they say how often there was nothing to divide by.
    for count in counts.iter_mut().chain(other_counts) {
        *count += segments;
    }
    found
}

/// What is true of a pair of systems that shows both scores of the first metric, one of each, or both of the second.
type Four = [u64; 4];

/// Two systems, by their places among those that people judged, and who is ahead: in the eyes of people, and for every two
/// metrics of which the first scores the first system and the second the second.
struct Pair {
    one: usize,
    other: usize,
    people: Ordering,
    shown: Vec<Ordering>,
}

impl Pair {
    fn of(scores: Scores<'_>, one: usize, other: usize, cells: (usize, usize)) -> Self {
        let order = |left: f64, right: f64| left.partial_cmp(&right).unwrap_or(Ordering::Equal);
        let score = |metric: usize, cell: usize| scores.metrics[metric * scores.human.len() + cell];
        let count = scores.count();
        let shown = (0..count * count)
            .map(|place| order(score(place / count, cells.0), score(place % count, cells.1)))
            .collect();
        Self { one, other, people: order(scores.human[cells.0], scores.human[cells.1]), shown }
    }
}

/// What is true of each pair of a segment's systems, as bits, for every pair of metrics.
struct Table {
    words: usize,
    systems: Vec<usize>,
    /// Which pairs each system is the first of, and the second of.
    first: Vec<u64>,
    second: Vec<u64>,
    /// Pairs of metrics by words: the pair of systems is ordered as people order it, or agrees.
    right: Vec<Four>,
    /// The same: its two scores are equal. Empty where none are, or where it does not matter.
    tied: Vec<Four>,
    /// The pairs that people order.
    ordered: Vec<u64>,
    /// The share, by how many pairs are right, where all scores differ.
    shares: Vec<f64>,
    /// What the difference of orders is divided by, by how many pairs the metric sets apart.
    roots: Vec<f64>,
}

impl Table {
    /// The table of a segment; none where there is nothing to compare.
    fn of(scores: Scores<'_>, segment: usize, share: Share) -> Option<Self> {
        let cells: Vec<usize> = (0..scores.systems).map(|system| system * scores.segments + segment).collect();
        let systems: Vec<usize> = (0..scores.systems).filter(|&system| !scores.human[cells[system]].is_nan()).collect();
        let cells: Vec<usize> = systems.iter().map(|&system| cells[system]).collect();
        let all = cells.len() * cells.len().saturating_sub(1) / 2;
        let pairs: Vec<Pair> = (0..cells.len())
            .flat_map(|one| (one + 1..cells.len()).map(move |other| (one, other)))
            .map(|(one, other)| Pair::of(scores, one, other, (cells[one], cells[other])))
            // What people tie and no metric does is never right, and never wrong.
            .filter(|pair| pair.people != Ordering::Equal || pair.shown.contains(&Ordering::Equal))
            .collect();
        let ordered = pairs.iter().filter(|pair| pair.people != Ordering::Equal).count() as f64;
        if all == 0 || (share == Share::Kendall && ordered == 0.0) {
            return None;
        }
        let roots: Vec<f64> = (0..=all).map(|apart| (apart as f64 * ordered).sqrt()).collect();
        let shares = (0..=all)
            .map(|right| match share {
                Share::Agreement => 2.0 * right as f64 / all as f64 - 1.0,
                Share::Kendall => (2.0 * right as f64 - ordered) / roots[all],
            })
            .collect();
        let words = pairs.len().div_ceil(64).max(1);
        let bits = |truth: &dyn Fn(&Pair) -> bool| -> Vec<u64> {
            let mut found: Vec<u64> = pairs
                .chunks(64)
                .map(|chunk| chunk.iter().rev().fold(0, |bits, pair| (bits << 1) | u64::from(truth(pair))))
                .collect();
            found.resize(words, 0);
            found
        };
        let first = (0..systems.len()).flat_map(|system| bits(&|pair| pair.one == system)).collect();
        let second = (0..systems.len()).flat_map(|system| bits(&|pair| pair.other == system)).collect();
        let metrics = scores.count();
        let fours = |truth: &dyn Fn(&Pair, usize) -> bool| -> Vec<Four> {
            let tables: Vec<Vec<u64>> = (0..metrics * metrics).map(|place| bits(&|pair| truth(pair, place))).collect();
            let both = |a: usize, b: usize| [a * metrics + a, a * metrics + b, b * metrics + a, b * metrics + b];
            (0..metrics)
                .flat_map(|a| (a + 1..metrics).map(move |b| (a, b)))
                .flat_map(|(a, b)| (0..words).map(move |word| (both(a, b), word)))
                .map(|(places, word)| places.map(|place| tables[place][word]))
                .collect()
        };
        let counts = |pair: &Pair| share == Share::Agreement || pair.people != Ordering::Equal;
        let right = fours(&|pair, place| counts(pair) && pair.shown[place] == pair.people);
        let any = share == Share::Kendall && pairs.iter().any(|pair| pair.shown.contains(&Ordering::Equal));
        let tied = if any { fours(&|pair, place| pair.shown[place] == Ordering::Equal) } else { Vec::new() };
        let ordered = bits(&|pair| pair.people != Ordering::Equal);
        Some(Self { words, systems, first, second, right, tied, ordered, shares, roots })
    }

    /// Which pairs show which scores in a draw: both as they are, the second swapped, the first, both.
    fn masks(&self, flags: &[u8], segments: usize, segment: usize, masks: &mut [Four]) {
        for (word, mask) in masks.iter_mut().enumerate() {
            let (mut one, mut other) = (0, 0);
            for (index, &system) in self.systems.iter().enumerate() {
                let swapped = 0_u64.wrapping_sub(u64::from(flags[system * segments + segment]));
                one |= self.first[index * self.words + word] & swapped;
                other |= self.second[index * self.words + word] & swapped;
            }
            *mask = [!(one | other), !one & other, one & !other, one & other];
        }
    }

    /// Adds the shares of both metrics of every pair.
    fn add(&self, masks: &[Four], sums: &mut [f64], other_sums: &mut [f64]) {
        let both = sums.iter_mut().zip(other_sums);
        for (bits, (sum, other)) in self.right.chunks_exact(self.words).zip(both) {
            let (mut right, mut turned) = (0, 0);
            for (bits, mask) in bits.iter().zip(masks) {
                right += shown(bits, mask).count_ones();
                turned += turned_round(bits, mask).count_ones();
            }
            *sum += self.shares[right as usize];
            *other += self.shares[turned as usize];
        }
    }

    /// The same for one metric of every pair, where scores may tie; `pick` is one of the two functions below.
    ///
    /// `undefined` counts what nothing can be said of, downwards.
    fn add_with_ties(
        &self,
        masks: &[Four],
        pick: impl Fn(&Four, &Four) -> u64,
        sums: &mut [f64],
        undefined: &mut [f64],
    ) {
        let ordered = ones(&self.ordered);
        let tables = self.right.chunks_exact(self.words).zip(self.tied.chunks_exact(self.words));
        for ((right, tied), (sum, undefined)) in tables.zip(sums.iter_mut().zip(undefined)) {
            let (mut agree, mut ties, mut lost) = (0, 0, 0);
            for (((right, tied), mask), ordered) in right.iter().zip(tied).zip(masks).zip(&self.ordered) {
                agree += pick(right, mask).count_ones();
                let bits = pick(tied, mask);
                if bits != 0 {
                    ties += bits.count_ones() as usize;
                    lost += (bits & ordered).count_ones();
                }
            }
            if ties == 0 {
                *sum += self.shares[agree as usize];
                continue;
            }
            // Of the pairs that both sides order, those that are not right are wrong.
            match self.shares.len() - 1 - ties {
                0 => *undefined -= 1.0,
                apart => *sum += (2.0 * f64::from(agree) - f64::from(ordered - lost)) / self.roots[apart],
            }
        }
    }
}

/// What is true of the first metric, which shows scores of the second where they were swapped.
fn shown(bits: &Four, mask: &Four) -> u64 {
    (bits[0] & mask[0]) | (bits[1] & mask[1]) | (bits[2] & mask[2]) | (bits[3] & mask[3])
}

/// What is true of the second metric, which shows scores of the first where they were swapped.
fn turned_round(bits: &Four, mask: &Four) -> u64 {
    (bits[3] & mask[0]) | (bits[2] & mask[1]) | (bits[1] & mask[2]) | (bits[0] & mask[3])
}

fn ones(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: Scores<'_> = Scores { metrics: &[3.0, 1.0, 0.0, 2.0], human: &[5.0, 4.0], systems: 2, segments: 1 };

    #[test]
    fn a_swapped_cell_turns_a_pair_round() {
        // Four draws: nothing, the first cell, the second cell, both.
        let flags = [0, 0, 1, 0, 0, 1, 1, 1];
        for share in [Share::Kendall, Share::Agreement] {
            let found = swapped_shares(SCORES, &flags, share, 1);
            assert_eq!(found[..4], [1.0, -1.0, 1.0, -1.0]);
            assert_eq!(found[4..8], [-1.0, 1.0, -1.0, 1.0]);
            assert_eq!(found[8..], [1.0; 8]);
        }
    }

    #[test]
    fn a_metric_that_ties_has_no_tau_and_disagrees() {
        let scores = Scores { metrics: &[1.0, 1.0, 0.0, 2.0], ..SCORES };
        let found = swapped_shares(scores, &[0, 0], Share::Kendall, 1);
        assert_eq!(found, [0.0, -1.0, 0.0, 1.0]);
        assert_eq!(swapped_shares(scores, &[0, 0], Share::Agreement, 1), [-1.0, -1.0, 1.0, 1.0]);
    }

    #[test]
    fn what_people_tie_or_did_not_judge_is_no_pair() {
        for human in [[5.0, 5.0], [5.0, f64::NAN]] {
            let found = swapped_shares(Scores { human: &human, ..SCORES }, &[0, 0], Share::Kendall, 1);
            assert_eq!(found, [0.0; 4]);
        }
        // Neither metric ties what people tie.
        let found = swapped_shares(Scores { human: &[5.0, 5.0], ..SCORES }, &[0, 0], Share::Agreement, 1);
        assert_eq!(found, [-1.0, -1.0, 1.0, 1.0]);
    }

    #[test]
    fn twelve_systems_need_more_than_one_word_and_threads_change_nothing() {
        let metrics: Vec<f64> = (0..3 * 12 * 5_u32).map(|cell| f64::from(cell * 7919 % 17)).collect();
        let human: Vec<f64> = (0..12 * 5_u32).map(|cell| f64::from(cell * 104_729 % 7)).collect();
        let flags: Vec<u8> = (0..130 * 60_u32).map(|cell| (cell * 31 % 7 % 2) as u8).collect();
        let scores = Scores { metrics: &metrics, human: &human, systems: 12, segments: 5 };
        assert!(scores.is_sound(&flags));
        let found = swapped_shares(scores, &flags, Share::Kendall, 1);
        assert_eq!(found, swapped_shares(scores, &flags, Share::Kendall, 3));
        assert!(found[..2 * 130 * 3].iter().all(|sum| sum.abs() <= 5.0));
    }
}
