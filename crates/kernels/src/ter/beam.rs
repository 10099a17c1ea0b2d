//! Edit distance as `TERcom` searches it: column by column, leaving cells aside that are far above their column's best.

use super::words::Words;
use crate::room::refill;
use crate::steps::Step;

/// A cell that no way has reached.
const UNREACHED: u32 = u32::MAX;

/// What a column takes beside its cells, in cells.
const COLUMN: u64 = 8;

/// The tables of one pair.
#[derive(Default)]
pub struct Beam {
    costs: Vec<u32>,
    next: Vec<u32>,
    /// How each cell was reached: a column per word of the translation, and one before the first.
    reached: Vec<Step>,
    rows: usize,
    /// Cells looked at since the beginning.
    pub work: u64,
}

impl Beam {
    /// The distance: at least the true one, more where the beam hides the cheapest way.
    pub fn distance(&mut self, words: &Words, translation: &[u32], width: usize) -> usize {
        self.run::<false>(words, translation, width)
    }

    /// The distance, and the edits of the way that was found.
    pub fn align(&mut self, words: &Words, translation: &[u32], width: usize, steps: &mut Vec<Step>) -> usize {
        let distance = self.run::<true>(words, translation, width);
        trace(&self.reached, self.rows, steps);
        distance
    }

    /// Ways are followed from cell to cell: a match or substitution, then an insertion, then a deletion, and a later one
    /// only replaces an earlier one that costs more. The best of a column counts what comes in diagonally, and the last
    /// column is followed to its end.
    fn run<const TRACE: bool>(&mut self, words: &Words, translation: &[u32], width: usize) -> usize {
        let rows = words.reference.len() + 1;
        self.rows = rows;
        if TRACE {
            refill(&mut self.reached, rows * (translation.len() + 1), Step::Match);
        }
        // One cell beyond the last, so that there is always one behind those that are reached.
        self.costs.clear();
        self.costs.resize(rows + 1, UNREACHED);
        self.costs[0] = 0;
        self.next.resize(rows + 1, UNREACHED);
        // Nothing is left out of the first column.
        let (mut low, mut high, mut limit) = (0, 0, UNREACHED - 1);
        for (column, &word) in translation.iter().enumerate() {
            let (next_low, next_high, best) = self.follow::<TRACE>(words, (column, word), (low, high), limit);
            std::mem::swap(&mut self.costs, &mut self.next);
            (low, high) = (next_low, next_high);
            limit = if best == UNREACHED { UNREACHED - 1 } else { best.saturating_add(width as u32) };
        }
        self.costs[high + 1..].fill(UNREACHED);
        for row in low..rows - 1 {
            if self.costs[row] < UNREACHED && self.costs[row + 1] > self.costs[row] + 1 {
                self.costs[row + 1] = self.costs[row] + 1;
                if TRACE {
                    self.reached[translation.len() * rows + row + 1] = Step::Deletion;
                }
            }
        }
        self.costs[rows - 1] as usize
    }

    /// From one column, of which the rows `low..=high` have been reached, to the next: which rows are reached there, and
    /// the best of what comes in diagonally.
    ///
    /// Of a column only those rows say something, and the one behind them, which has not been reached.
    #[inline]
    fn follow<const TRACE: bool>(
        &mut self,
        words: &Words,
        (column, word): (usize, u32),
        (low, mut high): (usize, usize),
        limit: u32,
    ) -> (usize, usize, u32) {
        let reference = &words.reference[..];
        let (costs, next) = (&mut self.costs[..=self.rows], &mut self.next[..=self.rows]);
        next[low] = UNREACHED;
        let (mut next_low, mut next_high, mut best) = (self.rows, 0, UNREACHED);
        let mut row = low;
        while row <= high {
            let cost = costs[row];
            next[row + 1] = UNREACHED;
            // What has not been reached costs more than any limit.
            if cost <= limit {
                let here = (column + 1) * self.rows + row;
                if next[row] > cost + 1 {
                    next[row] = cost + 1;
                    if TRACE {
                        self.reached[here] = Step::Insertion;
                    }
                }
                if next_low > row {
                    next_low = row;
                }
                next_high = row;
                if row < reference.len() {
                    let same = reference[row] == word;
                    let incoming = cost + u32::from(!same);
                    best = best.min(incoming);
                    // A way from the left comes later, and one from above later still.
                    next[row + 1] = incoming;
                    next_high = row + 1;
                    if TRACE {
                        self.reached[here + 1] = if same { Step::Match } else { Step::Substitution };
                    }
                    if costs[row + 1] > cost + 1 {
                        costs[row + 1] = cost + 1;
                        if high <= row {
                            high = row + 1;
                            costs[row + 2] = UNREACHED;
                        }
                        if TRACE {
                            self.reached[column * self.rows + row + 1] = Step::Deletion;
                        }
                    }
                }
            }
            row += 1;
        }
        // The cell behind the last that was reached.
        next[(next_high + 1).min(self.rows)] = UNREACHED;
        self.work += (row - low) as u64 + COLUMN;
        (next_low, next_high, best)
    }
}

/// The edits of the way to the last cell, out of how each cell was `reached`: columns of `rows` cells.
pub fn trace(reached: &[Step], rows: usize, steps: &mut Vec<Step>) {
    steps.clear();
    let mut cell = reached.len() - 1;
    while cell > 0 {
        let step = reached[cell];
        cell -= usize::from(step != Step::Insertion) + rows * usize::from(step != Step::Deletion);
        steps.push(step);
    }
    steps.reverse();
}
