//! GTM 1.4's matching: again and again the longest run of hits whose rows and columns are free.
//!
//! The program lists every run from every hit, a number that grows with the cube of the length. The same choices come out
//! of a heap of diagonals. One that is found partly taken goes back in free pieces, so the top of the heap that is free is
//! the longest free run, and of equally long ones the one that begins last.
//!
//! Words may have weights. A run then counts what its words weigh together, the heaviest run comes first, and of equally
//! heavy ones the longest. Words that weigh 1 give the program's choices.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::grid::{Diagonal, Grid};

/// Differences of weights below this share of a budget are rounding.
const ROUNDING: f64 = 1e-12;

/// A chosen run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The row of the first hit.
    pub row: u32,
    /// The column of the first hit.
    pub column: u32,
    /// How many rows and columns it takes.
    pub cells: u32,
    /// How many words count, or what they weigh: less than of all `cells` where the cap cut it.
    pub counted: f64,
}

impl Run {
    /// All of a diagonal.
    pub fn whole(diagonal: Diagonal) -> Self {
        let Diagonal { length, row, column } = diagonal;
        Self { row, column, cells: length, counted: f64::from(length) }
    }
}

/// What a run of words weighs: as many as they are, or the sum of their weights, from the first to the last.
fn weigh(weights: Option<&[f64]>, row: u32, length: u32) -> f64 {
    match weights {
        None => f64::from(length),
        Some(weights) => weights[row as usize..(row + length) as usize].iter().sum(),
    }
}

/// A diagonal and what it weighs. The heaviest is the largest, and of equally heavy ones the larger diagonal.
#[derive(Clone, Copy)]
struct Weighed {
    weight: f64,
    diagonal: Diagonal,
}

impl Weighed {
    fn new(weights: Option<&[f64]>, diagonal: Diagonal) -> Self {
        Self { weight: weigh(weights, diagonal.row, diagonal.length), diagonal }
    }
}

impl Ord for Weighed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.weight.total_cmp(&other.weight).then_with(|| self.diagonal.cmp(&other.diagonal))
    }
}

impl PartialOrd for Weighed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Weighed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Weighed {}

/// The state of a pass over the grid.
#[derive(Default)]
pub struct Greedy {
    /// Runs in the order in which they were chosen.
    pub runs: Vec<Run>,
    /// Hits that would have been taken without the cap.
    pub capped: Vec<(u32, u32)>,
    rows: Vec<bool>,
    columns: Vec<bool>,
    heap: BinaryHeap<Weighed>,
    /// What the word of each row weighs; empty where all weigh 1.
    weights: Vec<f64>,
}

impl Greedy {
    /// Chooses runs while the budget of words lasts; the last run may count a fraction.
    ///
    /// With "a b c a b" against "a b x a b c" the runs are "a b c" and "a b".
    pub fn choose(&mut self, grid: &Grid, budget: f64) {
        self.weights.clone_from(&grid.weights);
        self.begin(grid.rows.len(), grid.columns.len(), &grid.diagonals);
        let rounding = if budget.is_finite() { budget * ROUNDING } else { 0.0 };
        let is_short = |budget: f64, weight: f64| 0.0 < budget && budget < weight - rounding;
        let mut budget = budget;
        let Some(&Weighed { weight, diagonal: top }) = self.heap.peek() else { return };
        if is_short(budget, weight) {
            let diagonal = Diagonal { length: top.length, row: u32::MAX, column: u32::MAX };
            let before_all = if self.weights.is_empty() { weight } else { f64::INFINITY };
            budget = self.cut_short(grid, budget, Weighed { weight: before_all, diagonal });
        }
        while budget > 0.0 {
            let Some(chosen) = self.next_free() else { break };
            self.take(Run { counted: chosen.weight, ..Run::whole(chosen.diagonal) });
            budget -= chosen.weight;
            if budget <= rounding {
                break;
            }
            if is_short(budget, chosen.weight) {
                budget = self.cut_short(grid, budget, chosen);
            }
        }
    }

    /// Goes on without a budget: what is left is what the cap kept out.
    pub fn choose_capped(&mut self) {
        while let Some(Weighed { diagonal: left, .. }) = self.next_free() {
            self.mark(left.row, left.column, left.length);
            self.capped.extend((0..left.length).map(|step| (left.row + step, left.column + step)));
        }
    }

    /// Pares the chosen runs down to the budget, hit by hit from the end of the last run.
    pub fn pare(&mut self, budget: f64) {
        if self.weights.is_empty() {
            (self.runs, self.capped) = pare(std::mem::take(&mut self.runs), budget.floor());
            return;
        }
        let (mut left, mut full) = (budget * (1.0 + ROUNDING), false);
        for run in std::mem::take(&mut self.runs) {
            let mut kept = 0;
            while kept < run.cells && !full {
                let weight = self.weights[(run.row + kept) as usize];
                full = weight > left;
                if !full {
                    left -= weight;
                    kept += 1;
                }
            }
            self.capped.extend((kept..run.cells).map(|step| (run.row + step, run.column + step)));
            if kept > 0 {
                self.runs.push(Run { cells: kept, counted: weigh(Some(&self.weights), run.row, kept), ..run });
            }
        }
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
        items.extend(diagonals.iter().map(|&diagonal| Weighed::new(weights_of(&self.weights), diagonal)));
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
            self.take(Run::whole(chosen.diagonal));
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

    /// The longest free run, or the heaviest, off the heap.
    fn next_free(&mut self) -> Option<Weighed> {
        while let Some(top) = self.heap.pop() {
            if (0..top.diagonal.length).all(|step| self.is_free(top.diagonal, step)) {
                return Some(top);
            }
            let mut heap = std::mem::take(&mut self.heap);
            let weights = weights_of(&self.weights);
            self.pieces(top.diagonal, |piece| heap.push(Weighed::new(weights, piece)));
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
    fn cut_short(&mut self, grid: &Grid, budget: f64, last: Weighed) -> f64 {
        let found = if self.weights.is_empty() {
            self.first_to_cut(grid, budget.ceil() as u32, last.diagonal)
        } else {
            self.first_to_cut_by_weight(grid, budget, last)
        };
        let Some((Diagonal { row, column, .. }, cells)) = found else { return budget };
        self.take(Run { row, column, cells, counted: budget });
        0.0
    }

    fn first_to_cut(&self, grid: &Grid, cells: u32, last: Diagonal) -> Option<(Diagonal, u32)> {
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
        best.map(|start| (start, cells))
    }

    /// The same where words have weights: as many hits have to be free as weigh what is left of the budget.
    fn first_to_cut_by_weight(&self, grid: &Grid, budget: f64, last: Weighed) -> Option<(Diagonal, u32)> {
        let enough = budget * (1.0 - ROUNDING);
        let mut best: Option<(Weighed, u32)> = None;
        for diagonal in &grid.diagonals {
            for step in 0..diagonal.length {
                let (row, column) = (diagonal.row + step, diagonal.column + step);
                let (mut weight, mut cells, mut turn) = (0.0, None, None);
                for length in 1..=diagonal.length - step {
                    if cells.is_none() && !self.is_free(*diagonal, step + length - 1) {
                        break;
                    }
                    weight += self.weights[(row + length - 1) as usize];
                    let start = Weighed { weight, diagonal: Diagonal { length, row, column } };
                    if start >= last {
                        break;
                    }
                    if weight >= enough {
                        cells = cells.or(Some(length));
                        turn = Some(start);
                    }
                }
                if let (Some(cells), Some(turn)) = (cells, turn) {
                    if best.is_none_or(|(other, _)| turn > other) {
                        best = Some((turn, cells));
                    }
                }
            }
        }
        best.map(|(start, cells)| (start.diagonal, cells))
    }
}

fn weights_of(weights: &[f64]) -> Option<&[f64]> {
    (!weights.is_empty()).then_some(weights)
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

    #[test]
    fn the_heaviest_run_comes_first() {
        // "a b" weighs 2 and "c" 3; against "c x a b" both are taken, the heavier first.
        let mut grid = grid(&[1, 2, 3], &[&[3, 9, 1, 2]]);
        grid.weigh(&[1.0, 1.0, 3.0], 5.0);
        let mut greedy = Greedy::default();
        greedy.choose(&grid, grid.limit);
        let runs: Vec<_> = greedy.runs.iter().map(|run| (run.row, run.column, run.counted)).collect();
        assert_eq!(runs, [(2, 0, 3.0), (0, 2, 2.0)]);
    }

    #[test]
    fn weights_of_one_choose_as_none_do() {
        let (translation, references): (&[u64], [&[u64]; 2]) = (&[1, 2, 3, 4, 1, 2], [&[1, 2, 3], &[4, 1, 2, 9]]);
        let mut plain = grid(translation, &references);
        let mut greedy = Greedy::default();
        greedy.choose(&plain, plain.limit);
        let expected = greedy.runs.clone();
        plain.weigh(&[1.0; 6], plain.limit);
        greedy.choose(&plain, plain.limit);
        assert_eq!(greedy.runs, expected);
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

    #[test]
    fn of_a_run_that_is_suggested_two_free_words_in_a_row_are_taken() {
        let mut greedy = Greedy::default();
        greedy.begin(6, 6, &[]);
        greedy.suggest(Diagonal { length: 2, row: 2, column: 2 });
        // Two words are free before it and one behind it.
        greedy.suggest(Diagonal { length: 5, row: 0, column: 0 });
        let runs: Vec<_> = greedy.runs.iter().map(|run| (run.row, run.column, run.cells)).collect();
        assert_eq!(runs, [(2, 2, 2), (0, 0, 2)]);
    }

    #[test]
    fn what_is_left_of_a_run_that_had_its_turn_comes_after_whole_runs() {
        // "d e a b w x y z" against "x y z 90 w x" and "d e 91 a b 92", six words each: "x y z", "a b", and one word more.
        // "w x" stands behind "a b" but lost its x, so that word is the first of "d e".
        let references: [&[u64]; 2] = [&[24, 25, 26, 90, 23, 24], &[4, 5, 91, 1, 2, 92]];
        assert_eq!(chosen(&[4, 5, 1, 2, 23, 24, 25, 26], &references), [(5, 0, 3.0), (2, 10, 2.0), (0, 7, 1.0)]);
    }
}
