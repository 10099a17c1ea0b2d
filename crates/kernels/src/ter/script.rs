//! What was done to one segment, told in positions of the texts as they were written.

use super::Search;
use crate::steps::{Edit, with_positions};

/// A block of words that moved as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The words, as positions in the translation as it was written.
    pub words: Vec<usize>,
    /// Where the block began before this shift.
    pub source: usize,
    /// Where it begins behind it.
    pub target: usize,
}

impl Search {
    /// The edits in the order of the reference.
    pub fn edits(&self) -> Vec<Edit> {
        with_positions(self.steps(), self.order().iter().copied())
    }

    /// The shifts in the order in which they were made.
    pub fn blocks(&self) -> Vec<Block> {
        let mut order: Vec<usize> = (0..self.order().len()).collect();
        let mut blocks = Vec::new();
        for shift in self.shifts() {
            let words = order[shift.start..shift.start + shift.length].to_vec();
            shift.swap.apply(&mut order);
            blocks.push(Block { words, source: shift.start, target: shift.arrives() });
        }
        blocks
    }
}
