//! Which blocks of the translation might move, and where to.

use super::columns::Swap;
use super::words::Words;
use crate::room::reserve;
use crate::steps::Step;

/// A word of the translation that also stands at a place of the reference, far from where it is aligned now.
#[derive(Clone, Copy)]
struct Pair {
    start: u32,
    place: u32,
    /// How many words from here on are the same on both sides, at most the longest block.
    run: u32,
}

/// What the current alignment says about blocks.
#[derive(Default)]
pub struct Candidates {
    pairs: Vec<Pair>,
    /// The word of the translation that each place of the reference is aligned to, or the one before it; -1 is none.
    pub aligned: Vec<i32>,
    /// How many words before each one are in error, on either side.
    wrong: Vec<u32>,
    missing: Vec<u32>,
    /// The longest run of all pairs.
    pub longest: usize,
}

impl Candidates {
    /// Reads the alignment, and finds the pairs whose target lies within `distance`; blocks have at most `size` words.
    ///
    /// Gives the number of places looked at.
    pub fn collect(&mut self, words: &Words, translation: &[u32], steps: &[Step], distance: usize, size: usize) -> u64 {
        self.read(steps);
        self.pairs.clear();
        self.longest = 0;
        let mut looked_at = 0;
        for start in 0..translation.len() {
            if translation[start] == 0 {
                continue;
            }
            for place in words.places(translation[start]) {
                looked_at += 1;
                let aligned = self.aligned[place];
                if aligned == start as i32 || aligned.abs_diff(start as i32) as usize > distance {
                    continue;
                }
                // A target inside the block is no target: a run ends before the word that its start is aligned to.
                let room = if aligned > start as i32 { aligned as usize - start } else { size };
                let both = translation[start..].iter().zip(&words.reference[place..]);
                let run = both.take(size.min(room)).take_while(|(ours, theirs)| ours == theirs).count();
                if self.has_errors(start, place, run) {
                    self.longest = self.longest.max(run);
                    reserve(&mut self.pairs, 1);
                    self.pairs.push(Pair { start: start as u32, place: place as u32, run: run as u32 });
                }
            }
        }
        looked_at
    }

    /// How many pairs there are to choose from.
    pub fn count(&self) -> u64 {
        self.pairs.len() as u64
    }

    /// Reads the alignment.
    pub fn read(&mut self, steps: &[Step]) {
        self.aligned.clear();
        self.wrong.clear();
        self.missing.clear();
        self.wrong.push(0);
        self.missing.push(0);
        for &step in steps {
            let error = u32::from(step != Step::Match);
            if step != Step::Deletion {
                self.wrong.push(self.wrong[self.wrong.len() - 1] + error);
            }
            if step != Step::Insertion {
                self.missing.push(self.missing[self.missing.len() - 1] + error);
                self.aligned.push(self.wrong.len() as i32 - 2);
            }
        }
    }

    /// Whether so many words hold an error on both sides: from `start` in the translation, from `place` in the reference.
    pub fn has_errors(&self, start: usize, place: usize, length: usize) -> bool {
        self.wrong[start + length] > self.wrong[start] && self.missing[place + length] > self.missing[place]
    }

    /// The shifts of blocks of this length, from left to right, by where the block begins and then by its target.
    ///
    /// A block goes behind a word that its own words, or the one before them, are aligned to in the reference. Shifts
    /// that change nothing are left out, and so are those that were there just before.
    pub fn of_length(&self, length: usize, words: usize) -> impl Iterator<Item = Shift> + '_ {
        let fitting = self.pairs.iter().filter(move |pair| pair.run as usize >= length);
        fitting.flat_map(move |pair| {
            let (start, place) = (pair.start as usize, pair.place as usize);
            let targets = if self.has_errors(start, place, length) { 0..length + 1 } else { 0..0 };
            let home = self.aligned[place];
            let mut tried = None;
            targets.filter_map(move |offset| {
                let front = place == 0 && offset == 0;
                let target = if front { -1 } else { self.aligned[place + offset - 1] };
                let counts = front || (target != start as i32 && (offset == 1 || target != home));
                if !counts || tried == Some(target) {
                    return None;
                }
                tried = Some(target);
                let before = (target + 1) as usize;
                // A target inside the block slides it to the right by as many words as the target is behind its start.
                Shift::new(start, length, before, before.saturating_sub(start + 1), words)
            })
        })
    }
}

/// A block of words that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub start: usize,
    pub length: usize,
    pub swap: Swap,
}

impl Shift {
    /// The block goes before the word `target`, or slides to the right by `slide` words if that is one of its own or the
    /// one behind them; none if nothing moves.
    pub fn new(start: usize, length: usize, target: usize, slide: usize, words: usize) -> Option<Self> {
        let end = start + length;
        let swap = if target <= start {
            Swap { first: target, middle: start, end }
        } else {
            let over = if target > end { target - end } else { slide };
            Swap { first: start, middle: end, end: (end + over).min(words) }
        };
        let moves = swap.first < swap.middle && swap.middle < swap.end;
        moves.then_some(Self { start, length, swap })
    }

    /// Where the block begins when it has moved.
    pub fn arrives(&self) -> usize {
        if self.swap.first == self.start { self.start + self.swap.end - self.swap.middle } else { self.swap.first }
    }
}
