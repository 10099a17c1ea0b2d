//! Edit distance by bit-parallel columns (Myers 1999, Hyyrö 2003) that are kept, so that a changed order of words costs
//! only the columns that it changes.

use super::words::Words;
use crate::room::reserve;
use crate::steps::Step;

/// Two neighbouring blocks, `first..middle` and `middle..end`, that change places: every shift is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    pub first: usize,
    pub middle: usize,
    pub end: usize,
}

impl Swap {
    /// Lets the blocks change places.
    pub fn apply<Item>(self, items: &mut [Item]) {
        items[self.first..self.end].rotate_left(self.middle - self.first);
    }
}

/// The table of one pair: a column per word of the translation, and one before the first.
#[derive(Default)]
pub struct Columns {
    rows: usize,
    blocks: usize,
    /// Per column and block: where the distance rises and where it falls from one row to the next.
    vertical: Vec<(u64, u64)>,
    /// Per column and block: where a diagonal step was free, and where the distance rises from the column before.
    steps: Vec<(u64, u64)>,
    /// The distance in the last row of each column.
    bottom: Vec<u32>,
    scratch: Vec<(u64, u64)>,
}

impl Columns {
    /// The table for a translation against the reference, of which the first `from` columns stand already.
    pub fn fill(&mut self, words: &Words, translation: &[u32], from: usize) {
        self.rows = words.reference.len();
        self.blocks = words.blocks;
        let blocks = self.blocks;
        if from == 0 {
            self.vertical.clear();
            self.vertical.resize(blocks, (u64::MAX, 0));
            self.steps.clear();
            self.steps.resize(blocks, (0, 0));
            self.bottom.clear();
            self.bottom.push(self.rows as u32);
        }
        self.vertical.truncate((from + 1) * blocks);
        self.steps.truncate((from + 1) * blocks);
        self.bottom.truncate(from + 1);
        let added = (translation.len() - from) * blocks;
        reserve(&mut self.vertical, added);
        reserve(&mut self.steps, added);
        for (column, &number) in translation.iter().enumerate().skip(from) {
            let mask = words.mask(number);
            let (mut rises_in, mut falls_in) = (1, 0);
            let mut change = (0, 0);
            for (block, &equal) in mask.iter().enumerate() {
                let before = self.vertical[column * blocks + block];
                let (after, diagonal, rises, falls) = advance(before, equal, rises_in, falls_in);
                self.vertical.push(after);
                self.steps.push((diagonal, rises));
                (rises_in, falls_in) = (rises >> 63, falls >> 63);
                change = (rises, falls);
            }
            self.bottom.push(self.stepped(self.bottom[column], change));
        }
    }

    /// The distance in the last row behind a step that rises and falls there.
    #[inline]
    fn stepped(&self, distance: u32, (rises, falls): (u64, u64)) -> u32 {
        let bit = (self.rows + 63) % 64;
        distance + (rises >> bit & 1) as u32 - (falls >> bit & 1) as u32
    }

    /// The distance of the whole translation.
    pub fn distance(&self) -> usize {
        self.bottom[self.bottom.len() - 1] as usize
    }

    /// The distance if two blocks of the translation changed places.
    pub fn distance_after(&mut self, words: &Words, translation: &[u32], swap: Swap) -> usize {
        let pieces =
            [&translation[swap.middle..swap.end], &translation[swap.first..swap.middle], &translation[swap.end..]];
        if self.blocks == 1 {
            return self.short_distance(words, pieces, swap.first) as usize;
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.vertical[swap.first * self.blocks..(swap.first + 1) * self.blocks]);
        let mut distance = self.bottom[swap.first];
        for &number in pieces.into_iter().flatten() {
            let (mut rises_in, mut falls_in) = (1, 0);
            let mut change = (0, 0);
            for (before, &equal) in self.scratch.iter_mut().zip(words.mask(number)) {
                let (after, _, rises, falls) = advance(*before, equal, rises_in, falls_in);
                *before = after;
                (rises_in, falls_in) = (rises >> 63, falls >> 63);
                change = (rises, falls);
            }
            distance = self.stepped(distance, change);
        }
        distance as usize
    }

    /// The same for a reference of at most 64 words, whose column stays in registers.
    fn short_distance(&self, words: &Words, pieces: [&[u32]; 3], first: usize) -> u32 {
        let mut column = self.vertical[first];
        let mut distance = self.bottom[first];
        for piece in pieces {
            for &number in piece {
                let (after, _, rises, falls) = advance(column, words.mask(number)[0], 1, 0);
                column = after;
                distance = self.stepped(distance, (rises, falls));
            }
        }
        distance
    }

    /// The edits of one cheapest way: match or substitution where possible, else insertion, else deletion, from the end.
    pub fn trace(&self, words: &Words, translation: &[u32], steps: &mut Vec<Step>) {
        steps.clear();
        let (mut row, mut column) = (self.rows, translation.len());
        while row > 0 && column > 0 {
            let (block, bit) = ((row - 1) / 64, (row - 1) % 64);
            let same = words.reference[row - 1] == translation[column - 1];
            let (diagonal, rises) = self.steps[column * self.blocks + block];
            let step = if same {
                Step::Match
            } else if diagonal >> bit & 1 == 0 {
                Step::Substitution
            } else if rises >> bit & 1 == 1 {
                Step::Insertion
            } else {
                Step::Deletion
            };
            row -= usize::from(step != Step::Insertion);
            column -= usize::from(step != Step::Deletion);
            steps.push(step);
        }
        steps.resize(steps.len() + row, Step::Deletion);
        steps.resize(steps.len() + column, Step::Insertion);
        steps.reverse();
    }
}

/// One block of the next column, what its diagonal steps cost nothing, and where it is above and below this one.
#[inline]
fn advance((up, down): (u64, u64), equal: u64, rises_in: u64, falls_in: u64) -> ((u64, u64), u64, u64, u64) {
    let matched = equal | falls_in;
    let diagonal = ((matched & up).wrapping_add(up) ^ up) | matched | down;
    let rises = down | !(diagonal | up);
    let falls = diagonal & up;
    let shifted_rises = rises << 1 | rises_in;
    let shifted_falls = falls << 1 | falls_in;
    ((shifted_falls | !(diagonal | shifted_rises), shifted_rises & diagonal), diagonal, rises, falls)
}
