//! The true maximum match size, for exponents of at least 1, or the best found and what it cannot exceed.
//!
//! Where the cap does not bind, groups of diagonals that share no row and no column with others are searched one by one.

use super::board::{Board, lines};
use super::greedy::{Greedy, Run, pare};
use super::grid::{Diagonal, Grid};
use super::objective::Objective;
use super::search::Search;
use super::weights::Weights;

/// Weights above this are scaled: below it whole numbers are exact, and so are their sums.
const LARGEST: f64 = 1e15;

/// Steps that a hit costs before the search begins.
const SETTING_UP: u64 = 8;

/// A matching, and how good any other could be.
pub struct Exact {
    /// Runs in the order of their lengths, pared down to the cap.
    pub runs: Vec<Run>,
    /// Hits of the matching that the cap kept out.
    pub capped: Vec<(u32, u32)>,
    /// The match size.
    pub size: f64,
    /// No matching has a larger size; equal to `size` where that is proved to be the maximum.
    pub bound: f64,
}

/// Searches for the matching that is largest when pared down to `limit` words, in at most `effort` steps.
pub fn maximum(grid: &Grid, greedy: &mut Greedy, exponent: f64, limit: f64, effort: u64) -> Exact {
    let longest = grid.diagonals.iter().map(|diagonal| diagonal.length).max().unwrap_or(0);
    let weights = Weights::new(exponent, f64::from(longest), LARGEST);
    greedy.choose(grid, f64::INFINITY);
    let hits: usize = greedy.runs.iter().map(|run| run.cells as usize).sum();
    let objective = Objective::new(weights, exponent, longest, hits, limit);
    let start: Vec<Diagonal> = greedy.runs.iter().filter(|run| run.cells > 1).map(|run| diagonal(*run)).collect();
    let long: Vec<Diagonal> = grid.diagonals.iter().filter(|one| one.length > 1).copied().collect();
    let groups = if objective.cap.is_some() { vec![(0..long.len()).collect()] } else { groups(grid, &long) };

    let mut chosen = Vec::new();
    let (mut bound, mut proved, mut effort) = (0.0, true, effort);
    for group in groups {
        let members: Vec<Diagonal> = group.iter().map(|&index| long[index]).collect();
        let search = search_group(&objective, &members, &start, effort);
        effort -= search.work.min(effort);
        proved &= search.proved;
        bound += search.bound;
        chosen.extend(search.runs);
    }
    let (runs, capped) = pare(fill(grid, &chosen).into_iter().map(Run::whole).collect(), limit);
    let size = weights.root(runs.iter().map(|run| weights.of(run.counted)).sum());
    // Hits that count one by one, before any bonus.
    let base = objective.single * limit.min(hits as f64);
    let bound = if proved { size } else { weights.root(base + bound).max(size) };
    Exact { runs, capped, size, bound }
}

struct Searched {
    runs: Vec<Diagonal>,
    bound: f64,
    proved: bool,
    work: u64,
}

fn search_group(objective: &Objective, members: &[Diagonal], start: &[Diagonal], effort: u64) -> Searched {
    let longest = members.iter().map(|one| one.length).max().unwrap_or(0);
    let rows = lines(members.iter().map(|one| (one.row, one.length)));
    let columns = lines(members.iter().map(|one| (one.column, one.length)));
    let inside = |run: &&Diagonal| rows.binary_search(&run.row).is_ok() && columns.binary_search(&run.column).is_ok();
    let runs: Vec<Diagonal> = start.iter().filter(inside).copied().collect();
    let value = objective.value(&mut runs.iter().map(|run| run.length).collect::<Vec<_>>());
    let ceiling = objective.ceiling(longest, rows.len().min(columns.len()));
    if objective.is_reached(ceiling, value) {
        return Searched { runs, bound: value, proved: true, work: 0 };
    }
    let setting_up = SETTING_UP * members.iter().map(|one| u64::from(one.length)).sum::<u64>();
    if setting_up > effort {
        return Searched { runs, bound: ceiling, proved: false, work: 0 };
    }
    let board = Board::new(members);
    let place = |lines: &[u32], line: u32| lines.partition_point(|&other| other < line) as u32;
    let local = runs.iter().map(|run| Diagonal {
        length: run.length,
        row: place(&board.grid_rows, run.row),
        column: place(&board.grid_columns, run.column),
    });
    let found = Search::new(&board, objective, local.collect(), ceiling, effort - setting_up).run();
    let global = found.runs.iter().map(|run| Diagonal {
        length: run.length,
        row: board.grid_rows[run.row as usize],
        column: board.grid_columns[run.column as usize],
    });
    let proved = objective.is_reached(found.bound, found.value);
    Searched { runs: global.collect(), bound: found.bound, proved, work: setting_up + found.work }
}

/// Diagonals in groups that share neither row nor column with each other.
fn groups(grid: &Grid, diagonals: &[Diagonal]) -> Vec<Vec<usize>> {
    fn root(parents: &mut [u32], mut line: u32) -> u32 {
        while parents[line as usize] != line {
            parents[line as usize] = parents[parents[line as usize] as usize];
            line = parents[line as usize];
        }
        line
    }
    let rows = grid.rows.len() as u32;
    let mut parents: Vec<u32> = (0..rows + grid.columns.len() as u32).collect();
    for one in diagonals {
        for step in 0..one.length {
            for line in [one.row + step, rows + one.column + step] {
                let (first, other) = (root(&mut parents, one.row), root(&mut parents, line));
                parents[other as usize] = first;
            }
        }
    }
    let mut number = vec![usize::MAX; parents.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, one) in diagonals.iter().enumerate() {
        let group = &mut number[root(&mut parents, one.row) as usize];
        if *group == usize::MAX {
            *group = groups.len();
            groups.push(Vec::new());
        }
        groups[*group].push(index);
    }
    groups
}

/// The runs of the matching that has these runs, and single hits wherever a row and a column of the same word are free.
fn fill(grid: &Grid, chosen: &[Diagonal]) -> Vec<Diagonal> {
    let mut partner = vec![u32::MAX; grid.rows.len()];
    let mut taken = vec![false; grid.columns.len()];
    for run in chosen {
        for step in 0..run.length {
            partner[(run.row + step) as usize] = run.column + step;
            taken[(run.column + step) as usize] = true;
        }
    }
    for (row, partner) in partner.iter_mut().enumerate() {
        if *partner == u32::MAX {
            if let Some(column) = grid.hits(row).find(|&column| !taken[column]) {
                *partner = column as u32;
                taken[column] = true;
            }
        }
    }
    let mut runs: Vec<Diagonal> = Vec::new();
    for (row, &column) in partner.iter().enumerate().filter(|(_, column)| **column != u32::MAX) {
        let row = row as u32;
        match runs.last_mut() {
            Some(run) if run.row + run.length == row && run.column + run.length == column => run.length += 1,
            _ => runs.push(Diagonal { length: 1, row, column }),
        }
    }
    runs.sort_unstable_by(|left, right| right.cmp(left));
    runs
}

fn diagonal(run: Run) -> Diagonal {
    Diagonal { length: run.cells, row: run.row, column: run.column }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(translation: &[u64], references: &[&[u64]], effort: u64) -> (f64, Exact) {
        let mut grid = Grid::default();
        grid.lay(translation, references.iter().copied());
        let mut greedy = Greedy::default();
        greedy.choose(&grid, grid.limit);
        let taken = greedy.runs.iter().map(|run| run.counted.powi(2)).sum::<f64>().sqrt();
        (taken, maximum(&grid, &mut greedy, 2.0, grid.limit, effort))
    }

    /// "b c d e f" is the longest run, but it breaks "a b c d" and "e f g h" apart.
    const TRANSLATION: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
    const REFERENCE: [u64; 15] = [1, 2, 3, 4, 90, 5, 6, 7, 8, 91, 2, 3, 4, 5, 6];

    #[test]
    fn greedy_can_be_beaten() {
        // 25 + 4 + 1 against 16 + 16.
        let (greedy, exact) = both(&TRANSLATION, &[&REFERENCE], 1_000_000);
        assert!((greedy.powi(2) - 30.0).abs() < 1e-9);
        assert!((exact.size.powi(2) - 32.0).abs() < 1e-9 && exact.bound <= exact.size);
    }

    #[test]
    fn out_of_steps_it_says_what_is_left_to_prove() {
        let (greedy, exact) = both(&TRANSLATION, &[&REFERENCE], 0);
        assert!((exact.size - greedy).abs() < 1e-12 && exact.bound > exact.size);
    }

    #[test]
    fn one_word_repeated_needs_no_search() {
        let words = vec![1; 2000];
        let (greedy, exact) = both(&words, &[&words[..1500]], 0);
        assert!((greedy - 1500.0).abs() < 1e-9 && (exact.bound - exact.size).abs() < 1e-9);
    }

    #[test]
    fn prices_settle_in_few_steps() {
        let cases: [(&[u64], &[u64], u64); 3] = [
            // 336 steps prove it; 2,720 where prices move by more than the bound lacks.
            (&[2, 1, 2, 0, 1, 0, 2, 2], &[1, 2, 0, 2, 0, 1, 1, 2, 2, 1], 1000),
            // 6,000; 35,952 where prices move as far as before as long as the bound falls at all.
            (
                &[0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0],
                &[0, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
                12_000,
            ),
            // 10,773; 49,623 where they do so even if it does not.
            (&[1, 1, 1, 1, 0, 1, 0, 2, 2, 1, 1, 0, 0, 2], &[0, 1, 0, 0, 2, 1, 2, 0, 1, 1, 0, 2, 0, 2], 20_000),
        ];
        for (translation, reference, effort) in cases {
            let exact = both(translation, &[reference], effort).1;
            assert!(exact.bound <= exact.size, "not proved in {effort} steps");
        }
    }
}
