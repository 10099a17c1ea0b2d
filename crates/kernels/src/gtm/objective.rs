//! What the exact search maximises: how much more runs are worth than their words one by one.
//!
//! The same number of hits can be matched whatever runs are chosen: a word that is `m` times in the translation and `n`
//! times in the references has `min(m, n)` hits in every matching that cannot be enlarged. So single hits need no search,
//! and a run of `l` words is worth its bonus, `l^e - l`.

use super::weights::Weights;

/// The cap, where it binds: there are more hits than words that may count.
pub struct Cap {
    /// How many words may count.
    pub words: f64,
    /// The part of `words` behind the point.
    pub fraction: f64,
    /// The bonus of a run that takes so many cells and of whose last word the fraction counts.
    pub cut: Vec<f64>,
    /// The bonus of the fraction of a single word: less than nothing.
    pub alone: f64,
}

/// Bonuses of runs, and how close a bound has to come.
pub struct Objective {
    /// The bonus of a run by its length.
    pub bonus: Vec<f64>,
    /// The cap, where it binds.
    pub cap: Option<Cap>,
    /// The weight of a single word.
    pub single: f64,
    weights: Weights,
    /// All sums of bonuses are multiples of this, where it is not zero.
    step: f64,
    /// What rounding may do to a sum.
    tolerance: f64,
}

impl Objective {
    /// Bonuses of runs of up to `longest` words, of which together `hits` can be matched and `limit` may count.
    pub fn new(weights: Weights, exponent: f64, longest: u32, hits: usize, limit: f64) -> Self {
        let single = weights.of(1.0);
        let bonus_of = |length: f64| if length <= 0.0 { 0.0 } else { weights.of(length) - length * single };
        let bonus: Vec<f64> = (0..=longest).map(|length| bonus_of(f64::from(length))).collect();
        let fraction = limit.fract();
        let cap = (hits as f64 > limit).then(|| Cap {
            words: limit,
            fraction,
            cut: (0..=longest).map(|cells| bonus_of(f64::from(cells) - 1.0 + fraction)).collect(),
            alone: bonus_of(fraction),
        });
        let whole = exponent.fract() == 0.0 && weights.are_plain() && (cap.is_none() || fraction == 0.0);
        let divisor = bonus.iter().skip(2).fold(0, |divisor, &bonus| common_divisor(divisor, bonus as u64));
        let tolerance = 1e-10 * weights.of(f64::from(longest)).max(single * hits as f64);
        Self { bonus, cap, single, weights, step: if whole { divisor as f64 } else { 0.0 }, tolerance }
    }

    fn bonus_of(&self, length: f64) -> f64 {
        if length <= 0.0 { 0.0 } else { self.weights.of(length) - length * self.single }
    }

    /// The bonus of runs of these lengths, pared down to the cap; sorts them, the longest first.
    pub fn value(&self, lengths: &mut [u32]) -> f64 {
        let Some(cap) = &self.cap else { return lengths.iter().map(|&length| self.bonus[length as usize]).sum() };
        lengths.sort_unstable_by(|left, right| right.cmp(left));
        let mut left = cap.words;
        let mut value = 0.0;
        for &length in lengths.iter() {
            let counted = f64::from(length).min(left);
            left -= counted;
            value += self.bonus_of(counted);
        }
        value + if left > 0.0 && cap.fraction > 0.0 { cap.alone } else { 0.0 }
    }

    /// More than any choice of runs with so many rows and columns can have.
    pub fn ceiling(&self, longest: u32, cells: usize) -> f64 {
        let words = self.cap.as_ref().map_or(cells as f64, |cap| cap.words.min(cells as f64));
        let length = f64::from(longest.max(1));
        let runs = (words / length).floor();
        runs * self.bonus_of(length) + self.bonus_of(words - runs * length).max(0.0)
    }

    /// Whether nothing below `bound` is better than `value`.
    pub fn is_reached(&self, bound: f64, value: f64) -> bool {
        bound <= value + self.tolerance.max(self.step * (1.0 - 1e-6))
    }
}

fn common_divisor(mut left: u64, mut right: u64) -> u64 {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objective(exponent: f64, hits: usize, limit: f64) -> Objective {
        Objective::new(Weights::new(exponent, 5.0, 1e15), exponent, 5, hits, limit)
    }

    #[test]
    fn bonuses_of_squares_are_even_and_those_of_cubes_multiples_of_six() {
        let (square, cube) = (objective(2.0, 5, 9.0), objective(3.0, 5, 9.0));
        assert_eq!(square.bonus, [0.0, 0.0, 2.0, 6.0, 12.0, 20.0]);
        assert!(square.is_reached(13.9, 12.0) && !square.is_reached(14.0, 12.0));
        assert!(cube.is_reached(29.9, 24.0) && !cube.is_reached(30.0, 24.0));
    }

    #[test]
    fn the_longest_keep_what_the_cap_allows() {
        // 3 of the first and 1.5 of the second: 9 + 2.25 less 4.5 words.
        let capped = objective(2.0, 6, 4.5);
        assert!((capped.value(&mut [2, 3]) - 6.75).abs() < 1e-12);
        // A fraction of a single word costs: 0.25 instead of 0.5.
        assert!((capped.value(&mut [2]) - (2.0 - 0.25)).abs() < 1e-12);
    }

    #[test]
    fn one_long_run_is_as_good_as_it_gets() {
        assert!((objective(2.0, 9, 9.0).ceiling(5, 8) - (20.0 + 6.0)).abs() < 1e-12);
    }
}
