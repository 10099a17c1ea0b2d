//! Branch and bound over hits: is there a better choice of runs than the greedy one, or is there proof that there is none?

use super::board::{Board, NONE};
use super::greedy::Greedy;
use super::grid::Diagonal;
use super::objective::Objective;
use super::relaxation::{Prices, Relaxation};

/// Rounds of adjusting prices at the root, where they pay most, and at the other nodes.
const ROOT_ROUNDS: u32 = 300;
const ROUNDS: u32 = 30;

/// What a search found.
pub struct Found {
    /// The best runs of at least two words, in the rows and columns of the cells.
    pub runs: Vec<Diagonal>,
    /// Their value.
    pub value: f64,
    /// What no choice can exceed.
    pub bound: f64,
    /// Steps that the search took.
    pub work: u64,
}

/// A decision: does the matching have this hit?
struct Frame {
    cell: u32,
    /// Whether the answer "no" is being looked into, "yes" having been.
    excluded: bool,
    /// How much of the trail is older.
    trail: usize,
    bound: f64,
    prices: Prices,
}

/// What is known of a node.
enum Node {
    /// Nothing in it is better than what was found.
    Closed,
    /// It may have something better; this is the cell to ask about.
    Open { bound: f64, cell: u32 },
    /// There is no step left to tell.
    OutOfSteps { bound: f64 },
}

/// The state of a search.
pub struct Search<'a> {
    board: &'a Board,
    objective: &'a Objective,
    relaxation: Relaxation,
    greedy: Greedy,
    alive: Vec<bool>,
    /// Board in the order in which they were given up.
    trail: Vec<u32>,
    found: Found,
    limit: u64,
}

impl<'a> Search<'a> {
    /// A search that starts from `runs` and stops, at the latest, when it has taken `limit` steps.
    pub fn new(board: &'a Board, objective: &'a Objective, runs: Vec<Diagonal>, ceiling: f64, limit: u64) -> Self {
        let value = objective.value(&mut lengths(&runs));
        Self {
            board,
            objective,
            relaxation: Relaxation::default(),
            greedy: Greedy::default(),
            alive: vec![true; board.cells.len()],
            trail: Vec::new(),
            found: Found { runs, value, bound: ceiling, work: 0 },
            limit,
        }
    }

    /// Searches to the end, or to the limit.
    pub fn run(mut self) -> Found {
        let mut frames: Vec<Frame> = Vec::new();
        let mut prices = Prices { columns: vec![0.0; self.board.columns.len()], word: 0.0 };
        let mut rounds = ROOT_ROUNDS;
        loop {
            let bound = frames.last().map_or(self.found.bound, |frame| frame.bound);
            match self.look(bound, &mut prices, rounds) {
                Node::Closed => {}
                Node::Open { bound, cell } => {
                    let trail = self.trail.len();
                    frames.push(Frame { cell, excluded: false, trail, bound, prices: prices.clone() });
                    self.give_up_rivals(cell);
                    rounds = ROUNDS;
                    continue;
                }
                Node::OutOfSteps { bound } => {
                    // What has not been looked into is bounded by where it branches off.
                    let open = frames.iter().filter(|frame| !frame.excluded).map(|frame| frame.bound);
                    self.found.bound = open.fold(bound.max(self.found.value), f64::max);
                    return self.found;
                }
            }
            loop {
                let Some(frame) = frames.last_mut() else {
                    self.found.bound = self.found.value;
                    return self.found;
                };
                for cell in self.trail.drain(frame.trail..) {
                    self.alive[cell as usize] = true;
                }
                if frame.excluded || self.objective.is_reached(frame.bound, self.found.value) {
                    frames.pop();
                    continue;
                }
                frame.excluded = true;
                prices.clone_from(&frame.prices);
                let cell = frame.cell;
                self.give_up(cell);
                break;
            }
        }
    }

    /// Bounds a node, which has at most `bound`, and moves the prices to where the bound is lowest.
    fn look(&mut self, bound: f64, prices: &mut Prices, rounds: u32) -> Node {
        let cost = self.relaxation.measure(self.board, &self.alive);
        self.found.work += cost;
        let Some(rival) = self.widest_conflict() else {
            // Nothing competes: every run can be had, and the longest are kept where there is a cap.
            let runs = self.pieces();
            self.keep(runs);
            return Node::Closed;
        };
        let mut best = prices.clone();
        let mut lowest = bound;
        let (mut pace, mut stalled) = (1.0, 0);
        for _ in 0..rounds {
            self.found.work += 2 * cost;
            if self.found.work > self.limit {
                return Node::OutOfSteps { bound: lowest };
            }
            let bound = self.relaxation.solve(self.board, self.objective, prices);
            self.round_off();
            if bound < lowest {
                stalled = if bound < lowest - 1e-3 * (lowest - self.found.value) { 0 } else { stalled + 1 };
                lowest = bound;
                best.clone_from(prices);
            } else {
                stalled += 1;
            }
            if self.objective.is_reached(lowest, self.found.value) {
                return Node::Closed;
            }
            if stalled > 4 {
                (pace, stalled) = (pace * 0.5, 0);
            }
            let surplus = pace * (bound - self.found.value);
            if pace < 0.01 || !self.relaxation.adjust(self.objective, prices, surplus) {
                break;
            }
        }
        prices.clone_from(&best);
        self.found.work += cost;
        self.relaxation.solve(self.board, self.objective, prices);
        Node::Open { bound: lowest, cell: self.contested().unwrap_or(rival) }
    }

    /// A matching out of the relaxed runs: the longest first, as far as columns are free, and then greedily on.
    fn round_off(&mut self) {
        let mut runs = self.relaxation.runs.clone();
        runs.sort_unstable_by(|left, right| right.cmp(left));
        self.greedy.begin(self.board.row_count(), self.board.columns.len(), &self.board.diagonals);
        for run in runs {
            self.greedy.suggest(run);
        }
        self.greedy.complete();
        let chosen = self.greedy.runs.iter().filter(|run| run.cells > 1);
        let runs = chosen.map(|run| Diagonal { length: run.cells, row: run.row, column: run.column }).collect();
        self.keep(runs);
    }

    fn keep(&mut self, runs: Vec<Diagonal>) {
        let value = self.objective.value(&mut lengths(&runs));
        if value > self.found.value {
            self.found.value = value;
            self.found.runs = runs;
        }
    }

    /// Whether a live cell is part of a run of at least two.
    fn counts(&self, cell: u32) -> bool {
        let above = self.board.cells[cell as usize].above;
        self.alive[cell as usize]
            && (self.relaxation.reach[cell as usize] > 1 || above != NONE && self.alive[above as usize])
    }

    /// All live runs of at least two.
    fn pieces(&self) -> Vec<Diagonal> {
        let starts = self.board.cells.iter().enumerate().filter(|(index, cell)| {
            self.relaxation.reach[*index] > 1 && (cell.above == NONE || !self.alive[cell.above as usize])
        });
        starts
            .map(|(index, cell)| Diagonal { length: self.relaxation.reach[index], row: cell.row, column: cell.column })
            .collect()
    }

    /// Of the cells that compete with another one, the one with the longest run below it.
    fn widest_conflict(&self) -> Option<u32> {
        let rows = (0..self.board.row_count()).map(|row| self.board.row(row).map(|cell| cell as u32).collect());
        let mut best: Option<u32> = None;
        for line in rows.chain(self.board.columns.iter().cloned()) {
            let line: Vec<u32> = line;
            let mut rivals = line.into_iter().filter(|&cell| self.counts(cell));
            let (Some(first), Some(second)) = (rivals.next(), rivals.next()) else { continue };
            for cell in [first, second].into_iter().chain(rivals) {
                let longer = |other: u32| self.relaxation.reach[cell as usize] > self.relaxation.reach[other as usize];
                if best.is_none_or(longer) {
                    best = Some(cell);
                }
            }
        }
        best
    }

    /// A cell of the longest relaxed run that uses a column which others use as well.
    fn contested(&self) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        for run in &self.relaxation.runs {
            let column =
                (run.column..run.column + run.length).find(|&column| self.relaxation.usage[column as usize] > 1);
            let Some(column) = column else { continue };
            if best.is_none_or(|(length, _)| run.length > length) {
                let row = run.row + column - run.column;
                let cell = self.board.row(row as usize).find(|&cell| self.board.cells[cell].column == column)?;
                best = Some((run.length, cell as u32));
            }
        }
        best.map(|(_, cell)| cell)
    }

    fn give_up(&mut self, cell: u32) {
        if std::mem::replace(&mut self.alive[cell as usize], false) {
            self.trail.push(cell);
        }
    }

    /// The matching has this cell, so it has no other of its row and column.
    fn give_up_rivals(&mut self, cell: u32) {
        let board = self.board;
        let place = &board.cells[cell as usize];
        let row = board.row(place.row as usize).map(|other| other as u32);
        for other in row.chain(board.columns[place.column as usize].iter().copied()) {
            if other != cell {
                self.give_up(other);
            }
        }
    }
}

fn lengths(runs: &[Diagonal]) -> Vec<u32> {
    runs.iter().map(|run| run.length).collect()
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;

    #[test]
    fn hits_whose_neighbours_are_given_up_are_no_runs() {
        let board = Board::new(&[Diagonal { length: 6, row: 0, column: 0 }]);
        let objective = Objective::new(Weights::new(2.0, 6.0, 1e15), 2.0, 6, 6, 9.0);
        let mut search = Search::new(&board, &objective, Vec::new(), 30.0, 100);
        search.give_up(1);
        search.give_up(4);
        search.relaxation.measure(&board, &search.alive);
        // The first and the last stand alone.
        assert_eq!(search.pieces(), [Diagonal { length: 2, row: 2, column: 2 }]);
        assert_eq!(
            (0..6).map(|cell| search.counts(cell)).collect::<Vec<_>>(),
            [false, false, true, true, false, false]
        );
    }

    #[test]
    fn what_was_found_first_stands_until_something_is_better() {
        let run = |length, row, column| Diagonal { length, row, column };
        let board = Board::new(&[run(2, 0, 0), run(2, 0, 2), run(3, 2, 4)]);
        let objective = Objective::new(Weights::new(2.0, 3.0, 1e15), 2.0, 3, 5, 9.0);
        let mut search = Search::new(&board, &objective, vec![run(2, 0, 0)], 8.0, 100);
        search.keep(vec![run(2, 0, 2)]);
        assert_eq!(search.found.runs, [run(2, 0, 0)]);
        search.keep(vec![run(3, 2, 4)]);
        // 9 less 3.
        assert_eq!((search.found.runs.as_slice(), search.found.value.round()), (&[run(3, 2, 4)][..], 6.0));
    }

    #[test]
    fn of_equally_long_rivals_the_first_is_asked_about() {
        // Both begin in the first row.
        let rivals = [Diagonal { length: 2, row: 0, column: 0 }, Diagonal { length: 2, row: 0, column: 2 }];
        let board = Board::new(&rivals);
        let objective = Objective::new(Weights::new(2.0, 2.0, 1e15), 2.0, 2, 2, 9.0);
        let mut search = Search::new(&board, &objective, Vec::new(), 2.0, 100);
        search.relaxation.measure(&board, &search.alive);
        assert_eq!(search.widest_conflict(), Some(0));
    }
}
