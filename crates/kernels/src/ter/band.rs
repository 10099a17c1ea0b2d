//! Edit distance as sacreBLEU searches it: in a band of the table about its diagonal.

use super::beam::trace;
use super::words::Words;
use crate::room::refill;
use crate::steps::Step;

/// How many cells of a column are looked at on either side of the diagonal.
const WIDTH: usize = 25;

/// A cell outside the band; ways through it cost more than any other, and can still be added to.
const OUTSIDE: u32 = u32::MAX / 2;

/// The tables of one pair.
#[derive(Default)]
pub struct Band {
    costs: Vec<u32>,
    /// How each cell was reached: a column per word of the translation, and one before the first.
    reached: Vec<Step>,
}

impl Band {
    /// The distance: at least the true one, more where every cheapest way leaves the band.
    pub fn distance(&mut self, words: &Words, translation: &[u32]) -> usize {
        self.run::<false>(words, translation)
    }

    /// The distance, and the edits of the way that was found.
    pub fn align(&mut self, words: &Words, translation: &[u32], steps: &mut Vec<Step>) -> usize {
        let distance = self.run::<true>(words, translation);
        trace(&self.reached, words.reference.len() + 1, steps);
        distance
    }

    /// The diagonal goes from corner to corner, whatever the two lengths. The first and the last column are whole, and a
    /// band that would lose touch with itself is wider. Of several cheapest ways a match or substitution is taken, else
    /// an insertion, else a deletion.
    fn run<const TRACE: bool>(&mut self, words: &Words, translation: &[u32]) -> usize {
        let rows = words.reference.len() + 1;
        self.costs.clear();
        self.costs.extend(0..rows as u32);
        if TRACE {
            refill(&mut self.reached, rows * (translation.len() + 1), Step::Deletion);
        }
        // Rounded as sacreBLEU rounds: the same operations on the same kind of numbers.
        let slope = words.reference.len() as f64 / translation.len() as f64;
        let wider = (slope / 2.0 + WIDTH as f64).ceil() as usize;
        let width = if slope / 2.0 > WIDTH as f64 { wider } else { WIDTH };
        for (column, &word) in (1..).zip(translation) {
            let diagonal = (column as f64 * slope).floor() as usize;
            let low = diagonal.saturating_sub(width);
            let high = if column == translation.len() { rows } else { rows.min(diagonal + width) };
            self.follow::<TRACE>(words, (column, word), low, high);
            if column == 1 {
                self.costs[high..].fill(OUTSIDE);
            }
        }
        self.costs[rows - 1] as usize
    }

    /// From one column to the next, in place; of that one only the rows from `low` to before `high` are looked at.
    fn follow<const TRACE: bool>(&mut self, words: &Words, (column, word): (usize, u32), low: usize, high: usize) {
        let rows = self.costs.len();
        let (mut diagonal, mut above) = (OUTSIDE, OUTSIDE);
        if low > 0 {
            diagonal = std::mem::replace(&mut self.costs[low - 1], OUTSIDE);
        }
        for row in low..high {
            let left = self.costs[row];
            let same = row > 0 && words.reference[row - 1] == word;
            let mut cost = diagonal + u32::from(!same);
            let mut step = if same { Step::Match } else { Step::Substitution };
            if left + 1 < cost {
                (cost, step) = (left + 1, Step::Insertion);
            }
            if above + 1 < cost {
                (cost, step) = (above + 1, Step::Deletion);
            }
            self.costs[row] = cost;
            if TRACE {
                self.reached[column * rows + row] = step;
            }
            (diagonal, above) = (left, cost);
        }
    }
}

/// Whether all cheapest ways of this many edits stay inside the band, between texts whose lengths differ by `gap`.
///
/// Say how far a cell is from the table's corner by its row minus its column: 0 at the beginning, `gap` (or minus `gap`) at
/// the end. A cell at d costs at least |d| on the way there and |gap - d| behind it, so on a way of so many edits d is
/// between -(distance - gap) / 2 and gap + (distance - gap) / 2. The band's diagonal is between 0 and `gap`. So no way is
/// farther from it than (distance + gap) / 2, and rounding takes less than two cells.
pub fn is_within_band(distance: usize, gap: usize) -> bool {
    distance + gap < 2 * (WIDTH - 2)
}
