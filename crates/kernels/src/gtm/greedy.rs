//! GTM 1.4's matching: again and again the longest run of hits whose rows and columns are free.
//!
//! The program lists every run from every hit, a number that grows with the cube of the length. The same choices come out
//! of a heap of diagonals. One that is found partly taken goes back in free pieces, so the top of the heap that is free is
//! the longest free run, and of equally long ones the one that begins last.

use std::collections::BinaryHeap;

use super::grid::{Diagonal, Grid};

/// A chosen run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The row of the first hit.
    pub row: u32,
    /// The column of the first hit.
    pub column: u32,
    /// How many rows and columns it takes.
    pub cells: u32,
    /// How many words count: fewer than `cells` where the cap cut it.
    pub counted: f64,
}

impl Run {
    /// All of a diagonal.
    pub fn whole(diagonal: Diagonal) -> Self {
        let Diagonal { length, row, column } = diagonal;
        Self { row, column, cells: length, counted: f64::from(length) }
    }
}

/// The state of a pass over the grid.
#[derive(Default)]
pub struct Greedy {
    /// Runs in the order in which they were chosen.
    pub runs: Vec<Run>,
    /// Hits that would have been taken without the cap.
    pub capped: Vec<(u32, u32)>,
    rows: Vec<bool>,
    columns: Vec<bool>,
    heap: BinaryHeap<Diagonal>,
}

impl Greedy {
    /// Chooses runs while the budget of words lasts; the last run may count a fraction.
    ///
    /// With "a b c a b" against "a b x a b c" the runs are "a b c" and "a b".
    pub fn choose(&mut self, grid: &Grid, budget: f64) {
        self.begin(grid.rows.len(), grid.columns.len(), &grid.diagonals);
        let mut budget = budget;
        let longest = self.heap.peek().map_or(0, |top| top.length);
        if 0.0 < budget && budget < f64::from(longest) {
            budget = self.cut_short(grid, budget, Diagonal { length: longest, row: u32::MAX, column: u32::MAX });
        }
        while budget > 0.0 {
            let Some(chosen) = self.next_free() else { break };
            self.take(Run::whole(chosen));
            budget -= f64::from(chosen.length);
            if 0.0 < budget && budget < f64::from(chosen.length) {
                budget = self.cut_short(grid, budget, chosen);
            }
        }
    }

    /// Goes on without a budget: what is left is what the cap kept out.
    pub fn choose_capped(&mut self) {
        while let Some(left) = self.next_free() {
            self.mark(left.row, left.column, left.length);
            self.capped.extend((0..left.length).map(|step| (left.row + step, left.column + step)));
        }
    }

    /// Pares the chosen runs down to the budget.
    pub fn pare(&mut self, budget: f64) {
        (self.runs, self.capped) = pare(std::mem::take(&mut self.runs), budget);
    }

    /// Forgets the last segment.
    pub fn begin(&mut self, rows: usize, columns: usize, diagonals: &[Diagonal]) {
        self.runs.clear();
        self.capped.clear();
        self.rows.clear();
        self.rows.resize(rows, false);
        self.columns.clear();
        self.columns.resize(columns, false);
        let mut items = std::mem::take(&mut self.heap).into_vec();
        items.clear();
        items.extend_from_slice(diagonals);
        self.heap = BinaryHeap::from(items);
    }

    /// Takes a run that somebody else chose, as far as it is free: the pieces of at least two words.
    pub fn suggest(&mut self, run: Diagonal) {
        let mut pieces = Vec::new();
        self.pieces(run, |piece| pieces.push(piece));
        for piece in pieces.into_iter().filter(|piece| piece.length > 1) {
            self.take(Run::whole(piece));
        }
    }

    /// Takes free runs to the last hit.
    pub fn complete(&mut self) {
        while let Some(chosen) = self.next_free() {
            self.take(Run::whole(chosen));
        }
    }

    fn take(&mut self, run: Run) {
        self.mark(run.row, run.column, run.cells);
        self.runs.push(run);
    }

    fn mark(&mut self, row: u32, column: u32, cells: u32) {
        self.rows[row as usize..(row + cells) as usize].fill(true);
        self.columns[column as usize..(column + cells) as usize].fill(true);
    }

    #[inline]
    fn is_free(&self, diagonal: Diagonal, step: u32) -> bool {
        !self.rows[(diagonal.row + step) as usize] & !self.columns[(diagonal.column + step) as usize]
    }

    /// The longest free run, off the heap.
    fn next_free(&mut self) -> Option<Diagonal> {
        while let Some(top) = self.heap.pop() {
            if (0..top.length).all(|step| self.is_free(top, step)) {
                return Some(top);
            }
            let mut heap = std::mem::take(&mut self.heap);
            self.pieces(top, |piece| heap.push(piece));
            self.heap = heap;
        }
        None
    }

    /// The free parts of a diagonal.
    fn pieces(&self, diagonal: Diagonal, mut found: impl FnMut(Diagonal)) {
        let mut start = 0;
        for step in 0..=diagonal.length {
            if step < diagonal.length && self.is_free(diagonal, step) {
                continue;
            }
            if step > start {
                let (row, column) = (diagonal.row + start, diagonal.column + start);
                found(Diagonal { length: step - start, row, column });
            }
            start = step + 1;
        }
    }

    /// The budget is less than the length that is being looked at: longer runs now count as much as is left, and need only
    /// so many free hits at their beginning. Takes the first such run that comes after `last`; what is left of the budget.
    fn cut_short(&mut self, grid: &Grid, budget: f64, last: Diagonal) -> f64 {
        let cells = budget.ceil() as u32;
        let mut best: Option<Diagonal> = None;
        for diagonal in &grid.diagonals {
            let mut free = 0;
            for step in (0..diagonal.length).rev() {
                free = if self.is_free(*diagonal, step) { free + 1 } else { 0 };
                if free < cells {
                    continue;
                }
                let start = Diagonal {
                    length: (diagonal.length - step).min(last.length),
                    row: diagonal.row + step,
                    column: diagonal.column + step,
                };
                // A run as long as the last one that begins behind it has had its turn; its beginnings come next.
                let turn = if start < last { start } else { Diagonal { length: last.length - 1, ..start } };
                best = best.max(Some(turn));
            }
        }
        let Some(Diagonal { row, column, .. }) = best else { return budget };
        self.take(Run { row, column, cells, counted: budget });
        0.0
    }
}

/// The first runs, as far as the budget goes, and the hits behind it; hits are given up from the end of the last run kept.
///
/// Runs stand in the order of their lengths, so this deletes from the shortest first, as the paper has it.
pub fn pare(runs: Vec<Run>, budget: f64) -> (Vec<Run>, Vec<(u32, u32)>) {
    let (mut kept, mut capped, mut left) = (Vec::new(), Vec::new(), budget);
    for run in runs {
        let counted = run.counted.min(left);
        let cells = counted.ceil() as u32;
        left -= counted;
        capped.extend((cells..run.cells).map(|step| (run.row + step, run.column + step)));
        if cells > 0 {
            kept.push(Run { cells, counted, ..run });
        }
    }
    (kept, capped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(translation: &[u64], references: &[&[u64]]) -> Grid {
        let mut grid = Grid::default();
        grid.lay(translation, references.iter().copied());
        grid
    }

    fn chosen(translation: &[u64], references: &[&[u64]]) -> Vec<(u32, u32, f64)> {
        let grid = grid(translation, references);
        let mut greedy = Greedy::default();
        greedy.choose(&grid, grid.limit);
        greedy.runs.iter().map(|run| (run.row, run.column, run.counted)).collect()
    }

    #[test]
    fn worked_example() {
        assert_eq!(chosen(&[1, 2, 3, 1, 2], &[&[1, 2, 9, 1, 2, 3]]), [(0, 3, 3.0), (3, 0, 2.0)]);
    }

    #[test]
    fn of_equal_runs_the_later_comes_first() {
        assert_eq!(chosen(&[5, 5], &[&[5, 8, 5]]), [(1, 2, 1.0), (0, 0, 1.0)]);
    }

    #[test]
    fn the_budget_cuts_the_last_run() {
        // Mean length 2.5: of "a b c" two and a half words count.
        assert_eq!(chosen(&[1, 2, 3, 4], &[&[1, 2, 3], &[4, 9]]), [(0, 0, 2.5)]);
    }

    #[test]
    fn capped_hits_are_those_that_would_have_followed() {
        let grid = grid(&[1, 2, 3, 4], &[&[1, 2, 3], &[4]]);
        let mut greedy = Greedy::default();
        greedy.choose(&grid, grid.limit);
        greedy.choose_capped();
        assert_eq!(greedy.runs, [Run { row: 0, column: 0, cells: 2, counted: 2.0 }]);
        assert_eq!(greedy.capped, [(3, 4), (2, 2)]);
    }

    #[test]
    fn two_thousand_times_one_word() {
        let words = vec![1; 2000];
        assert_eq!(chosen(&words, &[&words]), [(0, 0, 2000.0)]);
    }
}
