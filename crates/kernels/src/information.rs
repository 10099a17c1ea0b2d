//! NIST's information weights: how surprising an n-gram of the references is after its beginning.

use std::hint::black_box;

use crate::hashing::{EMPTY, extend, token_id};
use crate::overlap::{References, Table};
use crate::parallel::fill_rows;
use crate::room::{filled, reserve};
use crate::sequences::Sequences;

/// How often each n-gram stands in the references of a whole test set.
///
/// A hash table with linear probing; a count of zero marks a free slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    slots: Vec<(u64, u64)>,
    used: usize,
    /// How many words the references have in all.
    pub words: u64,
}

impl Survey {
    /// Counts the n-grams up to `order` of all segments that are `present`.
    pub fn add(&mut self, sequences: Sequences<'_>, present: &[bool], order: usize) {
        self.reserve(sequences.ids.len() * order);
        let mut keys = Vec::new();
        for segment in (0..sequences.len()).filter(|&segment| present[segment]) {
            let ids = sequences.segment(segment);
            self.words += ids.len() as u64;
            keys.clear();
            reserve(&mut keys, ids.len() * order);
            for start in 0..ids.len() {
                let mut key = EMPTY;
                for &id in &ids[start..(start + order).min(ids.len())] {
                    key = extend(key, id);
                    keys.push(key);
                }
            }
            self.touch(keys.iter().copied());
            for &key in &keys {
                self.insert(key, 1);
            }
        }
    }

    /// Adds what another survey counted: the counts of two shards are the counts of both.
    pub fn merge(&mut self, other: &Self) {
        self.reserve(other.used);
        for (key, count) in other.entries() {
            self.insert(key, count);
        }
        self.words += other.words;
    }

    /// Keys and counts, in no particular order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.slots.iter().copied().filter(|slot| slot.1 > 0)
    }

    /// A survey out of `entries` and the number of words.
    pub fn from_entries(entries: impl ExactSizeIterator<Item = (u64, u64)>, words: u64) -> Self {
        let mut survey = Self::default();
        survey.reserve(entries.len());
        for (key, count) in entries {
            survey.insert(key, count);
        }
        survey.words = words;
        survey
    }

    /// How often the n-gram stands in the references.
    #[inline]
    pub fn count(&self, key: u64) -> u64 {
        if self.slots.is_empty() {
            return 0;
        }
        self.slots[self.find(key)].1
    }

    /// Makes room for `more` further n-grams: the table stays at most two thirds full.
    fn reserve(&mut self, more: usize) {
        let needed = (self.used + more) * 3 / 2 + 1;
        if needed <= self.slots.len() {
            return;
        }
        let size = needed.next_power_of_two();
        let old = std::mem::replace(&mut self.slots, filled(size, (0, 0)));
        for (key, count) in old.into_iter().filter(|slot| slot.1 > 0) {
            let index = self.find(key);
            self.slots[index] = (key, count);
        }
    }

    /// Reads the slots of many keys at once, for nothing but to have them near.
    ///
    /// The table is larger than the fast memory, and a look-up that decides something waits for its slot. These
    /// decide nothing, so the processor fetches them side by side.
    #[inline]
    fn touch(&self, keys: impl Iterator<Item = u64>) {
        if let Some(mask) = self.slots.len().checked_sub(1) {
            black_box(keys.fold(0, |sum, key| sum ^ self.slots[key as usize & mask].1));
        }
    }

    #[inline]
    fn insert(&mut self, key: u64, count: u64) {
        let index = self.find(key);
        let slot = &mut self.slots[index];
        self.used += usize::from(slot.1 == 0);
        slot.0 = key;
        slot.1 += count;
    }

    /// Where the key is, or where it would go.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = key as usize & mask;
        while self.slots[index].1 != 0 && self.slots[index].0 != key {
            index = (index + 1) & mask;
        }
        index
    }
}

/// The information of the clipped matches of each length up to `order`: `order` numbers per segment.
///
/// With `zero_quirk`, a history that is the single word `0` counts as empty, as Perl takes the string for false.
pub fn matched_information(
    translations: Sequences<'_>,
    references: References<'_>,
    survey: &Survey,
    order: usize,
    zero_quirk: bool,
    threads: usize,
) -> Vec<f64> {
    let zero = zero_quirk.then(|| extend(EMPTY, token_id("0")));
    let logarithms = Logarithms::new();
    let words = logarithms.of(survey.words);
    let mut rows = filled(translations.len() * order, 0.0);
    let prepare = || (Table::default(), Vec::new());
    fill_rows(&mut rows, order, threads, prepare, |(table, met), segment, row| {
        met.clear();
        table.meet(translations.segment(segment), references.of(segment), order, |meeting| {
            if meeting.counts {
                reserve(met, 1);
                met.push(meeting);
            }
        });
        survey.touch(met.iter().map(|meeting| meeting.key));
        // The last n-gram looked up is often the history of the next.
        let mut last = (EMPTY, words);
        for meeting in met.iter() {
            let count = survey.count(meeting.key);
            // One that was never counted brings nothing: only references that the survey did not see can have it.
            if count == 0 {
                continue;
            }
            let history = match meeting.history {
                EMPTY => words,
                history if zero == Some(history) => words,
                history if history == last.0 => last.1,
                history => logarithms.of(survey.count(history)),
            };
            let own = logarithms.of(count);
            row[meeting.length] += history - own;
            last = (meeting.key, own);
        }
    });
    rows
}

/// The clipped matches of translations themselves, as many times as they count: one entry each, segment by segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The segment of each match.
    pub segments: Vec<i64>,
    /// Its length, less one.
    pub lengths: Vec<i64>,
    /// The n-gram.
    pub keys: Vec<u64>,
    /// What its information is measured after: the n-gram without its last word, or the empty one.
    pub histories: Vec<u64>,
}

/// Lists the n-grams up to `order` that count as matches.
///
/// `a b` against `b a b` has the matches `a`, `b` and `a b`. With `zero_quirk`, a history that is the single word `0`
/// is the empty one.
pub fn matched_ngrams(
    translations: Sequences<'_>,
    references: References<'_>,
    order: usize,
    zero_quirk: bool,
) -> Matches {
    let zero = zero_quirk.then(|| extend(EMPTY, token_id("0")));
    let mut matches = Matches::default();
    let mut table = Table::default();
    for segment in 0..translations.len() {
        table.meet(translations.segment(segment), references.of(segment), order, |meeting| {
            if meeting.counts {
                matches.segments.push(segment as i64);
                matches.lengths.push(meeting.length as i64);
                matches.keys.push(meeting.key);
                matches.histories.push(if zero == Some(meeting.history) { EMPTY } else { meeting.history });
            }
        });
    }
    matches
}

/// Binary logarithms of whole numbers; those of small ones, which most counts are, are looked up.
struct Logarithms(Vec<f64>);

impl Logarithms {
    fn new() -> Self {
        Self((0..4096_u32).map(|number| f64::from(number).log2()).collect())
    }

    #[inline]
    fn of(&self, number: u64) -> f64 {
        self.0.get(number as usize).copied().unwrap_or_else(|| (number as f64).log2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey_of(ids: &[u64]) -> Survey {
        let offsets = [0, ids.len() as i64];
        let mut survey = Survey::default();
        survey.add(Sequences { ids, offsets: &offsets }, &[true], 2);
        survey
    }

    fn information_of(translation: &[u64], reference: &[u64]) -> Vec<f64> {
        let (ends, reference_ends) = ([0, translation.len() as i64], [0, reference.len() as i64]);
        let sequences = [Sequences { ids: reference, offsets: &reference_ends }];
        let references = References { sequences: &sequences, present: &[true] };
        let translations = Sequences { ids: translation, offsets: &ends };
        matched_information(translations, references, &survey_of(reference), 2, true, 1)
    }

    #[test]
    fn rare_continuations_carry_more_information() {
        // In "1 2 1 3" the word 1 stands twice among four words, and is followed by 2 half of the time.
        let survey = survey_of(&[1, 2, 1, 3]);
        let one = extend(EMPTY, 1);
        assert_eq!((survey.words, survey.count(one), survey.count(extend(one, 2))), (4, 2, 1));
        let rows = information_of(&[1, 2], &[1, 2, 1, 3]);
        // log2(4/2) for 1, log2(4/1) for 2; log2(2/1) for 1 2.
        assert_eq!(rows, [3.0, 1.0]);
    }

    #[test]
    fn matches_are_listed_as_often_as_they_count() {
        // "1 2 1" has the word 1 twice, the reference "1 2 3" once: 1, 2 and 1 2 count.
        let (ends, reference_ends) = ([0, 3], [0, 3]);
        let sequences = [Sequences { ids: &[1, 2, 3], offsets: &reference_ends }];
        let references = References { sequences: &sequences, present: &[true] };
        let found = matched_ngrams(Sequences { ids: &[1, 2, 1], offsets: &ends }, references, 2, true);
        let one = extend(EMPTY, 1);
        assert_eq!(found.keys, [one, extend(EMPTY, 2), extend(one, 2)]);
        assert_eq!((found.lengths, found.histories), (vec![0, 0, 1], vec![EMPTY, EMPTY, one]));
        assert_eq!(found.segments, [0, 0, 0]);
    }

    #[test]
    fn shards_add_up() {
        let mut left = survey_of(&[1, 2, 1]);
        left.merge(&survey_of(&[1, 3]));
        assert_eq!(left.count(extend(EMPTY, 1)), 3);
        assert_eq!(left.words, 5);
        let entries: Vec<_> = left.entries().collect();
        let copy = Survey::from_entries(entries.into_iter(), left.words);
        assert_eq!(copy.count(extend(extend(EMPTY, 1), 2)), 1);
    }

    #[test]
    fn an_empty_survey_knows_nothing() {
        assert_eq!(Survey::default().count(7), 0);
    }
}
