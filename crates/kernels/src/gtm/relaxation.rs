//! An upper bound on what runs can be worth (Lagrange): columns may be used twice, at a price.
//!
//! With prices on columns, and on words where the cap binds, only rows compete, and the best runs are found by going
//! through the rows once. The bound that comes out is never too low, whatever the prices.

use super::board::{Board, NONE};
use super::grid::Diagonal;
use super::objective::Objective;

/// Prices of columns, and of a word.
#[derive(Clone)]
pub struct Prices {
    /// For each column.
    pub columns: Vec<f64>,
    /// For each word that counts; zero where no cap binds.
    pub word: f64,
}

/// A run that begins at a cell, with so many cells; `state` is where it leads.
#[derive(Clone, Copy)]
struct Choice {
    cell: u32,
    length: u32,
    state: u8,
}

const SKIP: Choice = Choice { cell: NONE, length: 1, state: 0 };

/// The best runs under some prices.
#[derive(Default)]
pub struct Relaxation {
    /// How many live hits follow on the diagonal, this one included.
    pub reach: Vec<u32>,
    /// The runs, by row.
    pub runs: Vec<Diagonal>,
    /// How often the runs use each column.
    pub usage: Vec<u32>,
    /// How many words the runs count.
    pub words: f64,
    /// By row: the best from here on, and the best with one run that the cap cuts within a word.
    values: [Vec<f64>; 2],
    choices: [Vec<Choice>; 2],
}

impl Relaxation {
    /// Measures the diagonals of the cells that are alive; the cost of one pass.
    pub fn measure(&mut self, board: &Board, alive: &[bool]) -> u64 {
        self.reach.clear();
        self.reach.resize(alive.len(), 0);
        let mut cost = 0;
        for index in (0..alive.len()).rev() {
            if alive[index] {
                let below = board.cells[index].below;
                self.reach[index] = 1 + if below == NONE { 0 } else { self.reach[below as usize] };
                cost += u64::from(self.reach[index]);
            }
        }
        cost + board.row_count() as u64
    }

    /// Finds the best runs under these prices; returns the bound.
    pub fn solve(&mut self, board: &Board, objective: &Objective, prices: &Prices) -> f64 {
        let rows = board.row_count();
        let fraction = objective.cap.as_ref().filter(|cap| cap.fraction > 0.0);
        for state in 0..2 {
            self.values[state].clear();
            self.values[state].resize(rows + 1, if state == 0 { 0.0 } else { f64::NEG_INFINITY });
            self.choices[state].clear();
            self.choices[state].resize(rows, SKIP);
        }
        for row in (0..rows).rev() {
            for state in 0..2 {
                self.values[state][row] = self.values[state][row + 1];
                self.choices[state][row] = Choice { state: state as u8, ..SKIP };
            }
            for start in board.row(row) {
                let reach = self.reach[start];
                let (mut price, mut at) = (prices.columns[board.cells[start].column as usize], start);
                for length in 2..=reach as usize {
                    at = board.cells[at].below as usize;
                    price += prices.columns[board.cells[at].column as usize];
                    let gain = objective.bonus[length] - price - prices.word * length as f64;
                    self.offer(0, row, gain, Choice { cell: start as u32, length: length as u32, state: 0 });
                    if let Some(cap) = fraction {
                        self.offer(1, row, gain, Choice { cell: start as u32, length: length as u32, state: 1 });
                        let counted = length as f64 - 1.0 + cap.fraction;
                        let cut = cap.cut[length] - price - prices.word * counted;
                        self.offer(1, row, cut, Choice { cell: start as u32, length: length as u32, state: 0 });
                    }
                }
            }
        }
        let paid: f64 = prices.columns.iter().sum();
        let (bound, state) = match &objective.cap {
            None => (self.values[0][0], 0),
            Some(cap) => {
                let whole = self.values[0][0] + cap.alone + prices.word * (cap.words - cap.fraction);
                let cut = self.values[1][0] + prices.word * cap.words;
                if cut > whole { (cut, 1) } else { (whole, 0) }
            }
        };
        self.collect(board, state);
        bound + paid
    }

    #[inline]
    fn offer(&mut self, state: usize, row: usize, gain: f64, choice: Choice) {
        let value = gain + self.values[choice.state as usize][row + choice.length as usize];
        if value > self.values[state][row] {
            self.values[state][row] = value;
            self.choices[state][row] = choice;
        }
    }

    fn collect(&mut self, board: &Board, state: usize) {
        self.runs.clear();
        self.usage.clear();
        self.usage.resize(board.columns.len(), 0);
        self.words = 0.0;
        let (mut row, mut state) = (0, state);
        while row < board.row_count() {
            let choice = self.choices[state][row];
            if choice.cell != NONE {
                let column = board.cells[choice.cell as usize].column;
                self.runs.push(Diagonal { length: choice.length, row: row as u32, column });
                self.usage[column as usize..(column + choice.length) as usize].iter_mut().for_each(|uses| *uses += 1);
                self.words += f64::from(choice.length);
            }
            row += choice.length as usize;
            state = choice.state as usize;
        }
    }

    /// Moves prices against the columns that are used twice or not at all; false where none would move.
    pub fn adjust(&self, objective: &Objective, prices: &mut Prices, surplus: f64) -> bool {
        let excess = objective.cap.as_ref().map_or(0.0, |cap| self.words - cap.words);
        let excess = if prices.word > 0.0 { excess } else { excess.max(0.0) };
        let slope = |uses: u32, price: f64| if uses == 0 && price <= 0.0 { 0.0 } else { f64::from(uses) - 1.0 };
        let columns = self.usage.iter().zip(&prices.columns);
        let norm: f64 = columns.map(|(&uses, &price)| slope(uses, price).powi(2)).sum::<f64>() + excess * excess;
        if norm <= 0.0 {
            return false;
        }
        let step = surplus / norm;
        for (price, &uses) in prices.columns.iter_mut().zip(&self.usage) {
            *price = (*price + step * slope(uses, *price)).max(0.0);
        }
        prices.word = (prices.word + step * excess).max(0.0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;

    #[test]
    fn prices_on_columns_that_two_runs_want_lower_the_bound_to_what_can_be_had() {
        // Three words in columns 0 to 2, and two in columns 1 and 2: bonuses of 9 - 3 and 4 - 2, of which one can be had.
        let runs = [Diagonal { length: 3, row: 0, column: 0 }, Diagonal { length: 2, row: 3, column: 1 }];
        let board = Board::new(&runs);
        let objective = Objective::new(Weights::new(2.0, 3.0, 1e15), 2.0, 3, 3, 9.0);
        let mut relaxation = Relaxation::default();
        // Reaches 3, 2, 1 and 2, 1, and five rows.
        assert_eq!(relaxation.measure(&board, &[true; 5]), 6 + 3 + 5);
        let mut prices = Prices { columns: vec![0.0; 3], word: 0.0 };
        assert!((relaxation.solve(&board, &objective, &prices) - 8.0).abs() < 1e-12);
        assert_eq!((relaxation.runs.as_slice(), relaxation.usage.as_slice()), (&runs[..], &[1, 2, 2][..]));
        assert!((relaxation.words - 5.0).abs() < 1e-12);
        // 2 too much, over two columns that are used once too often.
        assert!(relaxation.adjust(&objective, &mut prices, 2.0));
        assert_eq!(prices.columns, [0.0, 1.0, 1.0]);
        // 6 - 2 and 2 - 2 for the runs, and 2 for the columns.
        assert!((relaxation.solve(&board, &objective, &prices) - 6.0).abs() < 1e-12);
        assert_eq!(relaxation.usage, [1, 1, 1]);
        assert!(!relaxation.adjust(&objective, &mut prices, 0.0));
    }
}
