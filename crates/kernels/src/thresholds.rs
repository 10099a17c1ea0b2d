//! Tie thresholds: up to which difference a metric should call a pair of items tied, so that it agrees best with people.
//!
//! Raising the threshold past a pair changes that pair alone: one that people tie becomes right, one that the metric had
//! ordered as they do becomes wrong, any other stays wrong. So the agreement at every threshold is a running sum along
//! the pairs by rising distance, and the best one is its maximum. Draws stand side by side, as in `association`.

use std::ops::Range;

use crate::association::{Groups, Weights};

/// Agreements that are equal in exact arithmetic are equal here, and the smallest threshold wins.
const EQUAL: f64 = 1e-12;
/// Draws that are followed at once.
const BLOCK: usize = 128;

/// Pairs of items to look at, by their places; none given: all pairs of every group.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The first item of each pair.
    pub first: &'a [u32],
    /// The second, of the same group.
    pub second: &'a [u32],
}

impl Sample<'_> {
    /// Whether every pair is of two items of one group.
    pub fn fits(&self, groups: Groups<'_>) -> bool {
        let group = |item: &u32| (*item as usize) / groups.size().max(1);
        self.first.len() == self.second.len()
            && self
                .first
                .iter()
                .zip(self.second)
                .all(|(one, other)| group(one) == group(other) && one != other && (*one as usize) < groups.x.len())
    }
}

/// What is known of a pair: how far the metric sets it apart, and what happens to it past that threshold.
struct Pair {
    /// The distance; below 0 where calling the pair tied makes it wrong.
    distance: f64,
    first: u32,
    second: u32,
}

impl Pair {
    fn of(groups: Groups<'_>, first: usize, second: usize) -> Option<Self> {
        let (x, y) = (groups.x[first] - groups.x[second], groups.y[first] - groups.y[second]);
        let distance = if y == 0.0 {
            x.abs()
        } else if (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0) {
            -x.abs()
        } else {
            return None;
        };
        Some(Self { distance, first: first as u32, second: second as u32 })
    }

    fn apart(&self) -> f64 {
        self.distance.abs()
    }
}

/// Calls `work` with both places of every pair of items that are there.
fn for_each(groups: Groups<'_>, sample: Option<Sample<'_>>, mut work: impl FnMut(usize, usize)) {
    if let Some(sample) = sample {
        for (&one, &other) in sample.first.iter().zip(sample.second) {
            work(one as usize, other as usize);
        }
        return;
    }
    for group in 0..groups.count {
        let items = groups.present(group);
        for (place, &one) in items.iter().enumerate() {
            for &other in &items[place + 1..] {
                work(one, other);
            }
        }
    }
}

/// What pairs weigh in draws: the product of their items' weights, which may be the same in all draws.
#[derive(Clone, Copy)]
struct Products<'a> {
    groups: Groups<'a>,
    weights: Weights<'a>,
}

impl Products<'_> {
    /// Adds the weight of a pair, times `factors`, to `sums` for a block of draws.
    fn add(&self, pair: (usize, usize), factors: &[f64], draws: &Range<usize>, sums: &mut [f64]) {
        let (one, other) = (self.of(pair.0, draws), self.of(pair.1, draws));
        if self.weights.draws == 1 {
            let weight = one[0] * other[0];
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum += weight * factor;
            }
        } else {
            for ((sum, factor), (one, other)) in sums.iter_mut().zip(factors).zip(one.iter().zip(other)) {
                *sum += one * other * factor;
            }
        }
    }

    /// What all pairs of each group weigh: groups by draws of a block.
    fn totals(&self, sample: Option<Sample<'_>>, draws: &Range<usize>) -> Vec<f64> {
        if self.weights.draws == 1 && draws.len() > 1 {
            let totals = self.totals(sample, &(0..1));
            return totals.into_iter().flat_map(|total| std::iter::repeat_n(total, draws.len())).collect();
        }
        let (width, ones) = (draws.len(), vec![1.0; draws.len()]);
        let mut totals = vec![0.0; self.groups.count * width];
        if sample.is_some() {
            for_each(self.groups, sample, |one, other| {
                self.add((one, other), &ones, draws, &mut totals[one / self.groups.size() * width..][..width]);
            });
            return totals;
        }
        // Half of what is left of the square of a sum without the squares.
        for (group, totals) in totals.chunks_exact_mut(width).enumerate() {
            let mut sums = vec![0.0; width];
            for item in self.groups.present(group) {
                for ((sum, total), weight) in sums.iter_mut().zip(totals.iter_mut()).zip(self.of(item, draws)) {
                    *sum += weight;
                    *total -= weight * weight;
                }
            }
            for (total, sum) in totals.iter_mut().zip(&sums) {
                *total = 0.5 * (*total + sum * sum);
            }
        }
        totals
    }

    /// What an item weighs in a block of draws; in one where all are alike.
    fn of(&self, item: usize, draws: &Range<usize>) -> &[f64] {
        let draws = if self.weights.draws == 1 { &(0..1) } else { draws };
        self.weights.of(self.groups.unit[item], draws)
    }
}

/// The agreement at the best threshold of each draw, and those thresholds: two lines of a number per draw.
///
/// `weights` are of units, or one column of them for all draws; `counts` (groups by draws) say how often each group counts
/// in the mean over those that have a pair. Without any, the agreement is NaN.
///
/// One group of three items, of which people tie the first two: (x, y) = (1, 2), (1.1, 2), (3, 5). Up to 0 the first pair
/// is wrong; up to 0.1 all three are right, so that the two lines are 1 and 0.1.
pub fn best_thresholds(
    groups: Groups<'_>,
    weights: Weights<'_>,
    counts: Weights<'_>,
    sample: Option<Sample<'_>>,
) -> Vec<f64> {
    let mut pairs = Vec::new();
    for_each(groups, sample, |one, other| pairs.extend(Pair::of(groups, one, other)));
    pairs.sort_unstable_by(|one, other| one.apart().total_cmp(&other.apart()));
    let products = Products { groups, weights };
    let mut lines = vec![f64::NAN; 2 * counts.draws];
    let (values, thresholds) = lines.split_at_mut(counts.draws);
    for start in (0..counts.draws).step_by(BLOCK) {
        let draws = start..(start + BLOCK).min(counts.draws);
        let shares = shares(products.totals(sample, &draws), counts, &draws);
        best_of(&pairs, products, &shares, &draws, (&mut values[draws.clone()], &mut thresholds[draws.clone()]));
    }
    for (value, threshold) in values.iter().zip(thresholds) {
        if value.is_nan() {
            *threshold = f64::NAN;
        }
    }
    lines
}

/// What one pair of each group adds to the mean over the groups that have any: groups by draws.
fn shares(mut totals: Vec<f64>, counts: Weights<'_>, draws: &Range<usize>) -> Vec<f64> {
    let width = draws.len();
    let mut sums = vec![0.0; width];
    for (group, totals) in totals.chunks_exact_mut(width).enumerate() {
        for ((total, sum), count) in totals.iter_mut().zip(&mut sums).zip(counts.of(group as u32, draws)) {
            let there = *total > 0.0;
            *sum += if there { *count } else { 0.0 };
            *total = if there { *count / *total } else { 0.0 };
        }
    }
    for totals in totals.chunks_exact_mut(width) {
        for (share, sum) in totals.iter_mut().zip(&sums) {
            // Without a group 0 by 0, which is NaN.
            *share /= sum;
        }
    }
    totals
}

/// Follows the sum along sorted pairs, for some draws.
fn best_of(
    pairs: &[Pair],
    products: Products<'_>,
    shares: &[f64],
    draws: &Range<usize>,
    (values, thresholds): (&mut [f64], &mut [f64]),
) {
    let width = draws.len();
    let (mut gained, mut lost, mut best) = (vec![0.0; width], vec![0.0; width], vec![0.0; width]);
    thresholds.fill(0.0);
    for equal in pairs.chunk_by(|one, other| one.apart().total_cmp(&other.apart()).is_eq()) {
        let mut rises = false;
        for pair in equal {
            let (one, other) = (pair.first as usize, pair.second as usize);
            let factors = &shares[one / products.groups.size() * width..][..width];
            rises |= pair.distance >= 0.0;
            products.add((one, other), factors, draws, if pair.distance < 0.0 { &mut lost } else { &mut gained });
        }
        if !rises {
            continue;
        }
        let distance = equal[0].apart();
        // What is equal at once is no choice: it counts at every threshold.
        let least = if distance == 0.0 { f64::NEG_INFINITY } else { EQUAL };
        for (((gained, lost), best), threshold) in gained.iter().zip(&lost).zip(&mut best).zip(thresholds.iter_mut()) {
            let sum = gained - lost;
            let better = sum > *best + least;
            *best = if better { sum } else { *best };
            *threshold = if better { distance } else { *threshold };
        }
    }
    // All that the metric ordered rightly was lost in the end.
    let nothing = |draw: usize| shares.is_empty() || shares[draw].is_nan();
    for (draw, value) in values.iter_mut().enumerate() {
        *value = if nothing(draw) { f64::NAN } else { best[draw] + lost[draw] };
    }
}

/// What pairs that agree up to one threshold per draw weigh in each group, and all its pairs: twice groups by draws.
///
/// The items of `best_thresholds` at the thresholds 0 and 2: two pairs agree, and then one does, of three.
pub fn agreement_at(
    groups: Groups<'_>,
    weights: Weights<'_>,
    thresholds: &[f64],
    sample: Option<Sample<'_>>,
) -> Vec<f64> {
    let (count, all) = (groups.count, thresholds.len());
    let products = Products { groups, weights };
    let mut found = vec![0.0; 2 * count * all];
    let (right, totals) = found.split_at_mut(count * all);
    for start in (0..all).step_by(BLOCK) {
        let draws = start..(start + BLOCK).min(all);
        for (group, sums) in products.totals(sample, &draws).chunks_exact(draws.len()).enumerate() {
            totals[group * all + start..][..draws.len()].copy_from_slice(sums);
        }
        let thresholds = &thresholds[draws.clone()];
        let mut factors = vec![0.0; draws.len()];
        for_each(groups, sample, |one, other| {
            let Some(pair) = Pair::of(groups, one, other) else { return };
            let sums = &mut right[one / groups.size() * all + start..][..draws.len()];
            let (past, before) = if pair.distance < 0.0 { (0.0, 1.0) } else { (1.0, 0.0) };
            for (factor, threshold) in factors.iter_mut().zip(thresholds) {
                *factor = if *threshold >= pair.apart() { past } else { before };
            }
            products.add((one, other), &factors, &draws, sums);
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: Groups<'_> = Groups { x: &[1.0, 1.5, 3.0], y: &[2.0, 2.0, 5.0], unit: &[0, 1, 2], count: 1 };
    const ONCE: Weights<'_> = Weights { table: &[1.0; 3], draws: 1 };

    #[test]
    fn the_best_threshold_of_three_items() {
        // Distances 0.5 (tied by people), 1.5 and 2 (ordered alike).
        let counts = Weights { table: &[1.0, 4.0], draws: 2 };
        assert_eq!(best_thresholds(GROUPS, ONCE, counts, None), [1.0, 1.0, 0.5, 0.5]);
        let thresholds = [0.0, 0.5, 1.5, 2.0];
        let found = agreement_at(GROUPS, ONCE, &thresholds, None);
        assert_eq!(found, [2.0, 3.0, 2.0, 1.0, 3.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn draws_weigh_pairs_by_the_product_of_their_items() {
        // The second draw has the third item twice and the first not at all: one pair, ordered alike, of weight 2.
        let weights = Weights { table: &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0], draws: 2 };
        let counts = Weights { table: &[1.0, 1.0], draws: 2 };
        assert_eq!(best_thresholds(GROUPS, weights, counts, None), [1.0, 1.0, 0.5, 0.0]);
        assert_eq!(agreement_at(GROUPS, weights, &[0.0, 0.0], None), [2.0, 2.0, 3.0, 2.0]);
    }

    #[test]
    fn a_sample_that_names_every_pair_is_all_of_them() {
        let sample = Sample { first: &[0, 0, 1], second: &[1, 2, 2] };
        assert!(sample.fits(GROUPS));
        assert!(!Sample { first: &[0], second: &[0] }.fits(GROUPS));
        assert!(!Sample { first: &[2], second: &[3] }.fits(GROUPS));
        let counts = Weights { table: &[1.0; 3], draws: 3 };
        let weights = Weights { table: &[1.0, 1.0, 0.0, 1.0, 0.0, 3.0, 1.0, 1.0, 1.0], draws: 3 };
        for weights in [ONCE, weights] {
            let found = best_thresholds(GROUPS, weights, counts, Some(sample));
            assert_eq!(found, best_thresholds(GROUPS, weights, counts, None));
            let found = agreement_at(GROUPS, weights, &[0.0, 1.5, 0.5], Some(sample));
            assert_eq!(found, agreement_at(GROUPS, weights, &[0.0, 1.5, 0.5], None));
        }
    }

    #[test]
    fn groups_count_by_their_shares_and_not_by_their_pairs() {
        // The second group has one pair, which no threshold makes right.
        let groups = Groups {
            x: &[1.0, 1.5, 3.0, 1.0, 2.0, f64::NAN],
            y: &[2.0, 2.0, 5.0, 2.0, 1.0, 4.0],
            unit: &[0, 1, 2, 0, 1, 2],
            count: 2,
        };
        let counts = Weights { table: &[1.0, 3.0, 0.0, 1.0, 1.0, 0.0], draws: 3 };
        let found = best_thresholds(groups, ONCE, counts, None);
        assert_eq!(found[..2], [0.5, 0.75]);
        assert_eq!(found[3..5], [0.5, 0.5]);
        assert!(found[2].is_nan() && found[5].is_nan());
    }

    #[test]
    fn scores_that_are_equal_are_tied_at_any_threshold() {
        let groups = Groups { x: &[1.0, 1.0], y: &[2.0, 3.0], unit: &[0, 1], count: 1 };
        let counts = Weights { table: &[1.0], draws: 1 };
        assert_eq!(best_thresholds(groups, ONCE, counts, None), [0.0, 0.0]);
        assert_eq!(best_thresholds(Groups { y: &[2.0, 2.0], ..groups }, ONCE, counts, None), [1.0, 0.0]);
        let nothing = best_thresholds(Groups { y: &[2.0, f64::NAN], ..groups }, ONCE, counts, None);
        assert!(nothing.iter().all(|value| value.is_nan()));
    }

    #[test]
    fn many_draws_are_what_each_is_alone() {
        let x: Vec<f64> = (0..60_u32).map(|item| f64::from(item * 7919 % 101)).collect();
        let y: Vec<f64> = (0..60_u32).map(|item| f64::from(item * 104_729 % 5)).collect();
        let unit: Vec<u32> = (0..60).map(|item| item % 6).collect();
        let table: Vec<f64> = (0..6 * 300_u32).map(|cell| f64::from(cell * 31 % 4)).collect();
        let counts: Vec<f64> = (0..10 * 300_u32).map(|cell| f64::from(cell * 17 % 3)).collect();
        let groups = Groups { x: &x, y: &y, unit: &unit, count: 10 };
        let found = best_thresholds(
            groups,
            Weights { table: &table, draws: 300 },
            Weights { table: &counts, draws: 300 },
            None,
        );
        let column = |table: &[f64]| table.iter().skip(299).step_by(300).copied().collect::<Vec<f64>>();
        let (table, counts) = (column(&table), column(&counts));
        let alone =
            best_thresholds(groups, Weights { table: &table, draws: 1 }, Weights { table: &counts, draws: 1 }, None);
        assert_eq!(vec![found[299], found[599]], alone);
    }
}
