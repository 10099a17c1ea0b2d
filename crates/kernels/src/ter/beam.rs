//! Edit distance as `TERcom` searches it: column by column, leaving cells aside that are far above their column's best.

use super::Step;
use super::words::Words;

/// A cell that no way has reached.
const UNREACHED: u32 = u32::MAX;

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
    /// Fills the tables and gives the distance: at least the true one, more where the beam hides the cheapest way.
    ///
    /// Ways are followed from cell to cell: a match or substitution, then an insertion, then a deletion, and a later one
    /// only replaces an earlier one that costs more. The best of a column counts what comes in diagonally, and the last
    /// column is followed to its end.
    pub fn run(&mut self, words: &Words, translation: &[u32], width: usize) -> usize {
        let reference = &words.reference;
        self.rows = reference.len() + 1;
        self.reached.clear();
        self.reached.resize(self.rows * (translation.len() + 1), Step::Match);
        self.costs.clear();
        self.costs.resize(self.rows, UNREACHED);
        self.costs[0] = 0;
        // The rows that have been reached so far, and the largest cost that is followed.
        let (mut low, mut high, mut limit) = (0, 0, UNREACHED - 1);
        for column in 0..=translation.len() {
            let word = translation.get(column).copied();
            self.next.clear();
            self.next.resize(self.rows, UNREACHED);
            let (mut next_low, mut next_high, mut best) = (self.rows, 0, UNREACHED);
            let mut row = low;
            while row <= high {
                let cost = self.costs[row];
                let followed = cost != UNREACHED && (cost <= limit || word.is_none());
                if !followed {
                    row += 1;
                    continue;
                }
                if let Some(word) = word {
                    let here = (column + 1) * self.rows + row;
                    if row < reference.len() {
                        let step = if reference[row] == word { Step::Match } else { Step::Substitution };
                        let incoming = cost + u32::from(step == Step::Substitution);
                        best = best.min(incoming);
                        // The first to come from above: a way from the left has not been here yet.
                        self.next[row + 1] = incoming;
                        self.reached[here + 1] = step;
                        next_high = row + 1;
                    }
                    if self.next[row] > cost + 1 {
                        self.next[row] = cost + 1;
                        self.reached[here] = Step::Insertion;
                    }
                    next_low = next_low.min(row);
                    next_high = next_high.max(row);
                }
                if row < reference.len() && self.costs[row + 1] > cost + 1 {
                    self.costs[row + 1] = cost + 1;
                    self.reached[column * self.rows + row + 1] = Step::Deletion;
                    high = high.max(row + 1);
                }
                row += 1;
            }
            self.work += (high + 1 - low.min(high)) as u64;
            if word.is_some() {
                std::mem::swap(&mut self.costs, &mut self.next);
                (low, high) = (next_low, next_high);
                limit = if best == UNREACHED { UNREACHED - 1 } else { best.saturating_add(width as u32) };
            }
        }
        self.costs[reference.len()] as usize
    }

    /// The edits of the way that was found.
    pub fn trace(&self, translation: &[u32], steps: &mut Vec<Step>) {
        steps.clear();
        let (mut row, mut column) = (self.rows - 1, translation.len());
        while row > 0 || column > 0 {
            let step = self.reached[column * self.rows + row];
            row -= usize::from(step != Step::Insertion);
            column -= usize::from(step != Step::Deletion);
            steps.push(step);
        }
        steps.reverse();
    }
}
