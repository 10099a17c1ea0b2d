//! Common n-grams: how many of a translation's n-grams its references have, each counted
//! at most as often as in any one of them.

use crate::hashing::{EMPTY, extend};
use crate::parallel::fill_rows;
use crate::room::{filled, refill, reserve};
use crate::sequences::Sequences;

/// The references of a batch: one set of sequences each, and which segments have them.
#[derive(Clone, Copy, Debug)]
pub struct References<'a> {
    /// One entry per reference, each with one sequence per segment.
    pub sequences: &'a [Sequences<'a>],
    /// For each reference and segment, row by row, whether there is such a reference.
    pub present: &'a [bool],
}

impl<'a> References<'a> {
    /// The references that this segment has.
    pub fn of(&self, segment: usize) -> impl Iterator<Item = &'a [u64]> + Clone + use<'a> {
        let Self { sequences, present } = *self;
        sequences
            .iter()
            .enumerate()
            .filter(move |(index, sequences)| present[index * sequences.len() + segment])
            .map(move |(_, sequences)| sequences.segment(segment))
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The segment that wrote this slot; others count as empty, so nothing is ever cleared.
    owner: u32,
    /// How often the translation has the n-gram.
    count: u32,
}

/// What references had of an n-gram, where there are several.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// The visit that `current` belongs to: one reference of one segment.
    visit: u32,
    /// How often that reference had it so far.
    current: u32,
    /// The segment that `best` belongs to.
    owner: u32,
    /// The most that any reference had.
    best: u32,
}

/// A match between a translation and a reference, or one that is clipped.
pub struct Meeting {
    /// The length of the n-gram, less one.
    pub length: usize,
    /// The n-gram.
    pub key: u64,
    /// The n-gram without its last word.
    pub history: u64,
    /// Whether it counts, or the translation has the n-gram too rarely.
    pub counts: bool,
}

/// A hash table of one translation's n-grams, reused from segment to segment.
///
/// Words come first. Longer n-grams are then looked at only within runs of words that the other side has too.
#[derive(Default)]
pub struct Table {
    slots: Vec<Slot>,
    marks: Vec<Mark>,
    mask: usize,
    owner: u32,
    visit: u32,
    /// Whether each word of the translation is in a reference; one flag per slot while words are met.
    shared: Vec<bool>,
    /// How many words from here on are shared, for each word of the text in hand.
    runs: Vec<u32>,
    /// The slot of each word of the translation.
    homes: Vec<u32>,
    /// The runs of each reference.
    reference_runs: Vec<Vec<u32>>,
}

impl Table {
    /// Tells `met` of every n-gram up to `order` that the translation and a reference share, as often as the reference has it.
    #[inline]
    pub fn meet<'a>(
        &mut self,
        translation: &[u64],
        references: impl Iterator<Item = &'a [u64]> + Clone,
        order: usize,
        mut met: impl FnMut(Meeting),
    ) {
        let several = references.clone().nth(1).is_some();
        self.meet_words(translation, references.clone(), several, &mut met);
        if order > 1 {
            self.fill_runs(translation, order);
            for (index, ids) in references.enumerate() {
                self.visit += 1;
                let runs = std::mem::take(&mut self.reference_runs[index]);
                if several {
                    self.walk(ids, &runs, order, Self::note, &mut met);
                } else {
                    self.walk(ids, &runs, order, Self::take, &mut met);
                }
                self.reference_runs[index] = runs;
            }
        }
    }

    /// Meets single words, and leaves the runs of shared ones behind.
    fn meet_words<'a>(
        &mut self,
        translation: &[u64],
        references: impl Iterator<Item = &'a [u64]>,
        several: bool,
        met: &mut impl FnMut(Meeting),
    ) {
        self.open(translation.len(), several);
        self.homes.clear();
        reserve(&mut self.homes, translation.len());
        for &id in translation {
            let home = add(&mut self.slots[..=self.mask], extend(EMPTY, id), self.owner);
            self.homes.push(home as u32);
        }
        refill(&mut self.shared, self.mask + 1, false);
        for (index, ids) in references.enumerate() {
            self.visit += 1;
            if self.reference_runs.len() == index {
                self.reference_runs.push(Vec::new());
            }
            let mut runs = std::mem::take(&mut self.reference_runs[index]);
            runs.clear();
            reserve(&mut runs, ids.len());
            for &id in ids {
                let key = extend(EMPTY, id);
                let home = self.find(key);
                runs.push(u32::from(home.is_some()));
                if let Some(home) = home {
                    self.shared[home] = true;
                    let counts = if several { self.note(home) } else { self.take(home) };
                    met(Meeting { length: 0, key, history: EMPTY, counts });
                }
            }
            add_up_runs(&mut runs);
            self.reference_runs[index] = runs;
        }
        self.runs.clear();
        reserve(&mut self.runs, self.homes.len());
        self.runs.extend(self.homes.iter().map(|&home| u32::from(self.shared[home as usize])));
        add_up_runs(&mut self.runs);
    }

    /// Forgets everything and makes room for `count` n-grams.
    fn open(&mut self, count: usize, several: bool) {
        let size = (count * 2).next_power_of_two().max(64);
        // Long before the stamps run out, and whenever the room is too small, all is made anew.
        if self.slots.len() < size || self.owner > u32::MAX / 2 || self.visit > u32::MAX / 2 {
            let size = size.max(self.slots.len());
            // What is too small goes before what is larger comes.
            (self.slots, self.marks) = (Vec::new(), Vec::new());
            self.slots = filled(size, Slot::default());
            self.owner = 0;
            self.visit = 0;
        }
        if several && self.marks.len() < self.slots.len() {
            refill(&mut self.marks, self.slots.len(), Mark::default());
        }
        self.mask = size - 1;
        self.owner += 1;
    }

    /// Counts the translation's n-grams from two words up to `order`, where all their words are shared.
    fn fill_runs(&mut self, ids: &[u64], order: usize) {
        let count = self.runs.iter().map(|&run| (run as usize).min(order).saturating_sub(1)).sum();
        self.open(count, !self.marks.is_empty());
        let slots = &mut self.slots[..=self.mask];
        for (start, &run) in self.runs.iter().enumerate().filter(|(_, run)| **run > 1) {
            let mut key = extend(EMPTY, ids[start]);
            for &id in &ids[start + 1..start + (run as usize).min(order)] {
                key = extend(key, id);
                add(slots, key, self.owner);
            }
        }
    }

    /// Where the translation's n-gram is, if it has it.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let mut index = key as usize & self.mask;
        loop {
            let slot = &self.slots[index];
            if slot.owner != self.owner {
                return None;
            }
            if slot.key == key {
                return Some(index);
            }
            index = (index + 1) & self.mask;
        }
    }

    /// Takes one off what is left of an n-gram: whether there was one left.
    #[inline]
    fn take(&mut self, index: usize) -> bool {
        let slot = &mut self.slots[index];
        let left = slot.count > 0;
        slot.count -= u32::from(left);
        left
    }

    /// Notes that the reference of this visit has the n-gram once more: whether that makes one more match.
    #[inline]
    fn note(&mut self, index: usize) -> bool {
        let mark = &mut self.marks[index];
        if mark.visit != self.visit {
            mark.visit = self.visit;
            mark.current = 0;
        }
        if mark.owner != self.owner {
            mark.owner = self.owner;
            mark.best = 0;
        }
        mark.current += 1;
        if mark.current <= mark.best {
            return false;
        }
        mark.best = mark.current;
        mark.best <= self.slots[index].count
    }

    #[inline]
    fn walk(
        &mut self,
        ids: &[u64],
        runs: &[u32],
        order: usize,
        count: impl Fn(&mut Self, usize) -> bool,
        met: &mut impl FnMut(Meeting),
    ) {
        for (start, &run) in runs.iter().enumerate().filter(|(_, run)| **run > 1) {
            let mut history = extend(EMPTY, ids[start]);
            for (length, &id) in ids[start..start + (run as usize).min(order)].iter().enumerate().skip(1) {
                let key = extend(history, id);
                // What the translation lacks, it lacks in all longer n-grams too.
                let Some(index) = self.find(key) else { break };
                met(Meeting { length, key, history, counts: count(self, index) });
                history = key;
            }
        }
    }
}

/// Turns flags into the number of flags that follow each other from here on.
fn add_up_runs(flags: &mut [u32]) {
    let mut run = 0;
    for flag in flags.iter_mut().rev() {
        run = (run + 1) * *flag;
        *flag = run;
    }
}

/// Counts the n-gram once more, and says where it is.
///
/// Whether it is new is hard to foresee, so new and known ones take the same way; only a slot that another n-gram
/// holds makes a branch.
#[inline]
fn add(slots: &mut [Slot], key: u64, owner: u32) -> usize {
    let mask = slots.len() - 1;
    let mut index = key as usize & mask;
    loop {
        let slot = &mut slots[index];
        let held = slot.owner == owner;
        if held & (slot.key != key) {
            index = (index + 1) & mask;
            continue;
        }
        *slot = Slot { key, owner, count: if held { slot.count } else { 0 } + 1 };
        return index;
    }
}

/// Clipped matches of each length up to `order`: `order` numbers per segment.
///
/// `the the the` against `the cat` has one match of length one: the second and third are clipped.
pub fn clipped_matches(
    translations: Sequences<'_>,
    references: References<'_>,
    order: usize,
    threads: usize,
) -> Vec<f64> {
    let mut rows = filled(translations.len() * order, 0.0);
    let prepare = || (Table::default(), vec![0_u32; order]);
    fill_rows(&mut rows, order, threads, prepare, |(table, matches), segment, row| {
        matches.fill(0);
        table.meet(translations.segment(segment), references.of(segment), order, |meeting| {
            matches[meeting.length] += u32::from(meeting.counts);
        });
        for (cell, &count) in row.iter_mut().zip(matches.iter()) {
            *cell = f64::from(count);
        }
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(translation: &[u64], references: &[&[u64]], order: usize) -> Vec<f64> {
        let offsets = [0, translation.len() as i64];
        let ends: Vec<[i64; 2]> = references.iter().map(|ids| [0, ids.len() as i64]).collect();
        let sequences: Vec<Sequences<'_>> =
            references.iter().zip(&ends).map(|(ids, offsets)| Sequences { ids, offsets }).collect();
        let present = vec![true; references.len()];
        let translations = Sequences { ids: translation, offsets: &offsets };
        clipped_matches(translations, References { sequences: &sequences, present: &present }, order, 1)
    }

    #[test]
    fn repeated_words_are_clipped_by_the_best_reference() {
        // "the" x 7; one reference has it twice, the other once (Papineni et al. 2002).
        assert_eq!(matches(&[1; 7], &[&[1, 2, 3, 1], &[1, 4]], 1), [2.0]);
    }

    #[test]
    fn references_add_up_only_where_they_differ() {
        // Bigram 1 2 stands in the first, bigram 3 4 in the second reference.
        assert_eq!(matches(&[1, 2, 3, 4], &[&[1, 2], &[3, 4]], 2), [4.0, 2.0]);
    }

    #[test]
    fn empty_sides_match_nothing() {
        assert_eq!(matches(&[], &[&[1]], 2), [0.0, 0.0]);
        assert_eq!(matches(&[1], &[&[]], 2), [0.0, 0.0]);
    }

    #[test]
    fn room_is_kept_until_stamps_are_running_out() {
        let mut table = Table::default();
        table.open(1, false);
        table.open(32, false);
        assert_eq!((table.slots.len(), table.owner), (64, 2));
        // Half of what a stamp can count to, and one more.
        table.visit = 1 << 31;
        table.open(1, false);
        assert_eq!((table.owner, table.visit), (1, 0));
        table.owner = 1 << 31;
        table.open(1, false);
        assert_eq!(table.owner, 1);
    }
}
