//! The bitext grid: a row per word of the translation, the references side by side as columns.

/// A column that matches nothing: one follows each reference.
pub const BARRIER: u32 = u32::MAX;
/// A row whose word no reference has.
const UNKNOWN: u32 = u32::MAX - 1;
/// The end of a chain of columns.
const END: u32 = u32::MAX;

/// Hits on a diagonal. Diagonals compare as GTM 1.4 orders its candidates: by length, then by where they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagonal {
    /// How many hits.
    pub length: u32,
    /// The row of the first hit.
    pub row: u32,
    /// The column of the first hit.
    pub column: u32,
}

/// One segment's grid. A word is known by the first column that holds it.
#[derive(Default)]
pub struct Grid {
    /// The word of each row.
    pub rows: Vec<u32>,
    /// The word of each column, or a barrier.
    pub columns: Vec<u32>,
    /// Diagonals that cannot be made longer; every hit lies on exactly one.
    pub diagonals: Vec<Diagonal>,
    /// What limits the match size: the length of the translation, or the mean length of the references.
    pub limit: f64,
    /// What the word of each row weighs; empty where all weigh 1.
    pub weights: Vec<f64>,
    /// The next column with the same word.
    next: Vec<u32>,
    /// The last column of each word, by its first.
    last: Vec<u32>,
    /// Open addressing: an id, and the first column that holds it, plus one.
    slots: Vec<(u64, u32)>,
}

impl Grid {
    /// Fills the grid anew.
    pub fn lay<'a>(&mut self, translation: &[u64], references: impl Iterator<Item = &'a [u64]> + Clone) {
        let words: usize = references.clone().map(<[u64]>::len).sum();
        let count = references.clone().count();
        let width = words + count;
        self.slots.clear();
        self.slots.resize((words * 2).next_power_of_two().max(16), (0, 0));
        self.columns.clear();
        self.next.clear();
        self.next.resize(width, END);
        self.last.clear();
        self.last.resize(width, END);
        for reference in references {
            for &id in reference {
                self.add_column(id);
            }
            self.columns.push(BARRIER);
        }
        self.rows.clear();
        for &id in translation {
            let (_, first) = self.slots[self.slot(id)];
            self.rows.push(if first == 0 { UNKNOWN } else { first - 1 });
        }
        let mean = if count == 0 { 0.0 } else { words as f64 / count as f64 };
        self.limit = mean.min(translation.len() as f64);
        self.weights.clear();
        self.find_diagonals();
    }

    /// Gives the words of the rows weights, and the match size another limit.
    pub fn weigh(&mut self, weights: &[f64], limit: f64) {
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.limit = limit;
    }

    fn add_column(&mut self, id: u64) {
        let column = self.columns.len() as u32;
        let slot = self.slot(id);
        if self.slots[slot].1 == 0 {
            self.slots[slot] = (id, column + 1);
        } else {
            let first = self.slots[slot].1 as usize - 1;
            let last = if self.last[first] == END { first } else { self.last[first] as usize };
            self.next[last] = column;
            self.last[first] = column;
        }
        self.columns.push(self.slots[slot].1 - 1);
    }

    /// Where the id is, or where it would go.
    #[inline]
    fn slot(&self, id: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = id.wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 32 & mask;
        while self.slots[index].1 != 0 && self.slots[index].0 != id {
            index = (index + 1) & mask;
        }
        index
    }

    /// The columns that hit a row, from left to right.
    pub fn hits(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let mut column = if self.rows[row] == UNKNOWN { END } else { self.rows[row] };
        std::iter::from_fn(move || {
            let found = column;
            if found == END {
                return None;
            }
            column = self.next[found as usize];
            Some(found as usize)
        })
    }

    fn find_diagonals(&mut self) {
        let mut found = std::mem::take(&mut self.diagonals);
        found.clear();
        for row in 0..self.rows.len() {
            for column in self.hits(row) {
                if row > 0 && column > 0 && self.rows[row - 1] == self.columns[column - 1] {
                    continue;
                }
                let below = self.rows[row..].iter().zip(&self.columns[column..]);
                let length = below.take_while(|(left, right)| left == right).count() as u32;
                found.push(Diagonal { length, row: row as u32, column: column as u32 });
            }
        }
        self.diagonals = found;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_end_diagonals() {
        // Translation a b c; references "a b" and "c": no diagonal crosses from one into the other.
        let mut grid = Grid::default();
        let references: [&[u64]; 2] = [&[1, 2], &[3]];
        grid.lay(&[1, 2, 3], references.into_iter());
        let expected = [Diagonal { length: 2, row: 0, column: 0 }, Diagonal { length: 1, row: 2, column: 3 }];
        assert_eq!(grid.diagonals, expected);
        assert!((grid.limit - 1.5).abs() < 1e-12);
    }

    #[test]
    fn every_hit_lies_on_one_diagonal() {
        let mut grid = Grid::default();
        let reference: &[u64] = &[7, 7, 8, 7];
        grid.lay(&[7, 8, 7, 9], std::iter::once(reference));
        let hits: usize = (0..4).map(|row| grid.hits(row).count()).sum();
        let covered: u32 = grid.diagonals.iter().map(|diagonal| diagonal.length).sum();
        assert_eq!((hits, covered), (7, 7));
    }
}
