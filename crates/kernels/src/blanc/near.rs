//! Common skip-n-grams within small gaps: a walk over the tree of sequences that both sides have.
//!
//! Each sequence of words knows where it begins and ends on both sides, and how often. It is made longer by a word
//! that follows within the window on both sides; what only one side has is never looked at again.

use super::words::{Common, Side};
use super::{Effort, Exhausted, Limits};
use crate::room::reserve;

/// Steps that it takes to list a place, and to sort it among others.
const LISTING: usize = 8;

/// How many places one side may have in its lists at a time: 480 megabytes.
const LARGEST: usize = 20_000_000;

/// Where a sequence of words stands on one side.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The last word, by number.
    word: u32,
    /// The position of the first word.
    start: u32,
    /// Which of the side's common words is the last.
    last: u32,
    /// In how many ways the words between can be chosen.
    count: f64,
}

impl Place {
    fn key(&self) -> (u32, u32, u32) {
        (self.word, self.start, self.last)
    }
}

/// Counts within limits; buffers that segments reuse.
#[derive(Debug)]
pub struct Near {
    order: usize,
    widest: usize,
    /// The first limit that allows each gap.
    bucket_of: Vec<u32>,
    buckets: usize,
    /// Common skip-n-grams by size, from two on, and limit.
    found: Vec<f64>,
    translation: Vec<Place>,
    reference: Vec<Place>,
    /// Of one sequence, how often it stands on each side within each limit.
    tallies: Vec<[f64; 2]>,
}

impl Near {
    pub fn new(limits: Limits<'_>) -> Self {
        let widest = limits.gaps.last().copied().unwrap_or(0);
        let bucket_of =
            (0..=widest).map(|gap| limits.gaps.iter().position(|&limit| gap <= limit).unwrap_or(0) as u32).collect();
        Self {
            order: limits.order,
            widest,
            bucket_of,
            buckets: limits.gaps.len(),
            found: vec![0.0; limits.gaps.len() * (limits.order - 1)],
            translation: Vec::new(),
            reference: Vec::new(),
            tallies: vec![[0.0; 2]; limits.gaps.len()],
        }
    }

    /// Common skip-n-grams of one size within each limit.
    pub fn within(&self, size: usize) -> &[f64] {
        &self.found[(size - 2) * self.buckets..(size - 1) * self.buckets]
    }

    pub fn count(&mut self, common: &Common, effort: &mut Effort) -> Result<(), Exhausted> {
        self.found.fill(0.0);
        self.translation.clear();
        self.reference.clear();
        begin(&common.translation, &mut self.translation);
        begin(&common.reference, &mut self.reference);
        self.join(common, 1, 0, 0, effort)
    }

    /// Looks at the sequences of `size` words from these places on: those that stand on both sides count, and grow.
    ///
    /// Places are sorted by word, and all belong to sequences that are alike but for it.
    fn join(
        &mut self,
        common: &Common,
        size: usize,
        from_translation: usize,
        from_reference: usize,
        effort: &mut Effort,
    ) -> Result<(), Exhausted> {
        let (to_translation, to_reference) = (self.translation.len(), self.reference.len());
        let (mut ours, mut theirs) = (from_translation, from_reference);
        while ours < to_translation && theirs < to_reference {
            let word = self.translation[ours].word;
            if word < self.reference[theirs].word {
                ours += 1;
                continue;
            }
            if word > self.reference[theirs].word {
                theirs += 1;
                continue;
            }
            let our_end = ours + self.translation[ours..to_translation].iter().take_while(|at| at.word == word).count();
            let their_end =
                theirs + self.reference[theirs..to_reference].iter().take_while(|at| at.word == word).count();
            if size > 1 {
                self.tally(common, size, ours..our_end, theirs..their_end);
            }
            if size < self.order {
                let window = self.widest + size;
                follow(&common.translation, &mut self.translation, ours..our_end, window, effort)?;
                follow(&common.reference, &mut self.reference, theirs..their_end, window, effort)?;
                self.join(common, size + 1, to_translation, to_reference, effort)?;
                self.translation.truncate(to_translation);
                self.reference.truncate(to_reference);
            }
            (ours, theirs) = (our_end, their_end);
        }
        Ok(())
    }

    /// Adds what one sequence has in common, within each limit.
    fn tally(&mut self, common: &Common, size: usize, ours: std::ops::Range<usize>, theirs: std::ops::Range<usize>) {
        self.tallies.fill([0.0; 2]);
        for (side, places) in
            [(&common.translation, &self.translation[ours]), (&common.reference, &self.reference[theirs])]
                .into_iter()
                .enumerate()
        {
            for place in places.1 {
                let gap = places.0.positions[place.last as usize] - place.start + 1 - size as u32;
                self.tallies[self.bucket_of[gap as usize] as usize][side] += place.count;
            }
        }
        let mut sums = [0.0; 2];
        let found = &mut self.found[(size - 2) * self.buckets..(size - 1) * self.buckets];
        for (cell, tally) in found.iter_mut().zip(&self.tallies) {
            sums = [sums[0] + tally[0], sums[1] + tally[1]];
            *cell += sums[0].min(sums[1]);
        }
    }
}

/// Every common word begins a sequence.
fn begin(side: &Side, places: &mut Vec<Place>) {
    places.extend(side.places.iter().map(|&last| {
        let (word, start) = (side.words[last as usize], side.positions[last as usize]);
        Place { word, start, last, count: 1.0 }
    }));
}

/// Adds to `places` what becomes of those in `range` with one more word, at most `window` words from the first on.
fn follow(
    side: &Side,
    places: &mut Vec<Place>,
    range: std::ops::Range<usize>,
    window: usize,
    effort: &mut Effort,
) -> Result<(), Exhausted> {
    let from = places.len();
    for index in range {
        let place = places[index];
        let farthest = place.start as usize + window;
        let later = &side.positions[place.last as usize + 1..];
        let within = later.partition_point(|&position| position as usize <= farthest);
        effort.spend((within + 1) * LISTING)?;
        if places.len() + within > LARGEST {
            return Err(Exhausted);
        }
        reserve(places, within);
        places.extend(
            (place.last + 1..).zip(&side.words[place.last as usize + 1..]).take(within).map(|(last, &word)| Place {
                word,
                last,
                ..place
            }),
        );
    }
    places[from..].sort_unstable_by_key(Place::key);
    merge(places, from);
    Ok(())
}

/// Makes one of places that begin and end alike.
fn merge(places: &mut Vec<Place>, from: usize) {
    let mut kept = from;
    for index in from..places.len() {
        let place = places[index];
        if kept > from && places[kept - 1].key() == place.key() {
            places[kept - 1].count += place.count;
        } else {
            places[kept] = place;
            kept += 1;
        }
    }
    places.truncate(kept);
}
