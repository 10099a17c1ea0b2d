//! Which shifts sacreBLEU 2.6.0 tries, and which of them it makes.
//!
//! It follows `TERcom` but for this: a block must stand within 50 words of its twin, wherever that one is aligned to; a
//! target inside the block, or right behind it, slides the block one word farther; of shifts that save the same the one
//! of the longest block counts, then the one that begins first, then the one that goes to the front; and the search ends
//! when 1,000 shifts have been tried in all, without making the last that it chose.
//!
//! From `b x` to `y b`: both words are replaced at first, `b` is aligned to `y` and `x` to `b`. The block `b` may go behind
//! what `y` is aligned to, that is behind itself, which slides it by one word; or behind `x`. Both give `x b`, one edit
//! from `y b`: it saves one of two, and pays for itself.

use std::cmp::Reverse;

use super::candidates::{Candidates, Shift};
use super::words::Words;

/// The longest block, and how far it may stand from its twin in the reference.
const SIZE: usize = 10;
const DISTANCE: usize = 50;

/// How many shifts are tried in one segment.
pub const MOST_TRIED: usize = 1000;

impl Candidates {
    /// All shifts that are tried, the ones that count first among equals in front, and how many were tried; no more are
    /// listed once that reaches `most`.
    ///
    /// Some change nothing: they are counted, and left out.
    pub fn of_sacrebleu(&self, words: &Words, translation: &[u32], most: usize) -> (Vec<Shift>, usize) {
        let mut found = Vec::new();
        let mut tried = 0;
        for start in (0..translation.len()).filter(|&start| translation[start] > 0) {
            for place in words.places(translation[start]).filter(|place| place.abs_diff(start) <= DISTANCE) {
                let both = translation[start..].iter().zip(&words.reference[place..]);
                let run = both.take(SIZE).take_while(|(ours, theirs)| ours == theirs).count();
                for length in 1..=run {
                    let aligned = self.aligned[place];
                    let inside = aligned >= start as i32 && aligned < (start + length) as i32;
                    if inside || !self.has_errors(start, place, length) {
                        continue;
                    }
                    let mut before = None;
                    for next in place..=place + length {
                        let target = if next == 0 { 0 } else { (self.aligned[next - 1] + 1) as usize };
                        if before.replace(target) != Some(target) {
                            tried += 1;
                            let slide = target.saturating_sub(start);
                            let shift = Shift::new(start, length, target, slide, translation.len());
                            found.extend(shift.map(|shift| (Reverse(length), start, target, shift)));
                        }
                    }
                    if tried >= most {
                        return (Vec::new(), tried);
                    }
                }
            }
        }
        found.sort_unstable_by_key(|&(length, start, target, _)| (length, start, target));
        (found.into_iter().map(|(.., shift)| shift).collect(), tried)
    }
}
