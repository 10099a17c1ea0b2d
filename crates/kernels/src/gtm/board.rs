//! Hits that compete for rows and columns, as the exact search sees them: numbered row by row.

use super::grid::Diagonal;

/// No such cell.
pub const NONE: u32 = u32::MAX;

/// One hit on a diagonal of at least two.
pub struct Cell {
    /// Its row, counted among the rows of these cells.
    pub row: u32,
    /// Its column, likewise.
    pub column: u32,
    /// The next hit on the diagonal.
    pub below: u32,
    /// The one before.
    pub above: u32,
}

/// The hits of some diagonals.
pub struct Board {
    /// All of them, by row, then by column; so `below` has the larger number.
    pub cells: Vec<Cell>,
    /// Where each row begins in `cells`; one more than there are rows.
    pub row_starts: Vec<u32>,
    /// The cells of each column.
    pub columns: Vec<Vec<u32>>,
    /// The diagonals in these rows and columns.
    pub diagonals: Vec<Diagonal>,
    /// The rows of the grid.
    pub grid_rows: Vec<u32>,
    /// The columns of the grid.
    pub grid_columns: Vec<u32>,
}

impl Board {
    /// The cells of `diagonals`, all of which are at least two long and none can be made longer.
    pub fn new(diagonals: &[Diagonal]) -> Self {
        let grid_rows = lines(diagonals.iter().map(|one| (one.row, one.length)));
        let grid_columns = lines(diagonals.iter().map(|one| (one.column, one.length)));
        // A diagonal's rows and columns are all here, so it stays one among the lines that are left.
        let place = |lines: &[u32], line: u32| lines.partition_point(|&other| other < line) as u32;
        let diagonals: Vec<Diagonal> = diagonals
            .iter()
            .map(|one| Diagonal {
                length: one.length,
                row: place(&grid_rows, one.row),
                column: place(&grid_columns, one.column),
            })
            .collect();
        let mut row_starts = vec![0; grid_rows.len() + 1];
        for one in &diagonals {
            (one.row..one.row + one.length).for_each(|row| row_starts[row as usize + 1] += 1);
        }
        for row in 0..grid_rows.len() {
            row_starts[row + 1] += row_starts[row];
        }
        let mut places: Vec<(u32, u32)> = diagonals
            .iter()
            .flat_map(|one| (0..one.length).map(move |step| (one.row + step, one.column + step)))
            .collect();
        places.sort_unstable();
        let find = |row: u32, column: u32| {
            let Some(range) = row_starts.get(row as usize..row as usize + 2) else { return NONE };
            let (start, end) = (range[0] as usize, range[1] as usize);
            places[start..end].binary_search(&(row, column)).map_or(NONE, |index| (start + index) as u32)
        };
        let mut cells: Vec<Cell> =
            places.iter().map(|&(row, column)| Cell { row, column, below: NONE, above: NONE }).collect();
        let mut columns = vec![Vec::new(); grid_columns.len()];
        for (index, &(_, column)) in places.iter().enumerate() {
            columns[column as usize].push(index as u32);
        }
        for one in &diagonals {
            let mut above = find(one.row, one.column);
            for step in 1..one.length {
                let below = find(one.row + step, one.column + step);
                cells[above as usize].below = below;
                cells[below as usize].above = above;
                above = below;
            }
        }
        Self { cells, row_starts, columns, diagonals, grid_rows, grid_columns }
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.grid_rows.len()
    }

    /// The numbers of a row's cells.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.row_starts[row] as usize..self.row_starts[row + 1] as usize
    }
}

/// The rows or columns that are covered, sorted, by where diagonals begin and how long they are.
pub fn lines(covered: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u32> {
    let size = covered.clone().map(|(start, length)| start + length).max().unwrap_or(0);
    let mut marks = vec![false; size as usize];
    for (start, length) in covered {
        marks[start as usize..(start + length) as usize].fill(true);
    }
    (0..size).filter(|&line| marks[line as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_hits_are_left_out() {
        let first = Diagonal { length: 2, row: 3, column: 5 };
        let second = Diagonal { length: 2, row: 4, column: 9 };
        let board = Board::new(&[first, second]);
        assert_eq!((board.grid_rows.as_slice(), board.grid_columns.as_slice()), (&[3, 4, 5][..], &[5, 6, 9, 10][..]));
        assert_eq!(board.row(1), 1..3);
        assert_eq!((board.cells[0].below, board.cells[1].above, board.cells[2].below), (1, 0, 3));
        assert_eq!(board.columns, [[0], [1], [2], [3]]);
    }
}
