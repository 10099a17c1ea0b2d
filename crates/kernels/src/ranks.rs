//! Where the words of a translation stand in the reference, and how many pairs keep their order: what RIBES counts.

use crate::parallel::fill_rows;
use crate::room::{filled, refill, reserve};
use crate::sequences::Sequences;

/// The words around one word of the translation, up to where they cease to be those around a word of the reference.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// How long the longest common stretch is that begins, or ends, here.
    longest: u32,
    /// Where it begins, or ends, in the reference.
    place: u32,
    /// How long a stretch from here may be that stands somewhere else as well, on either side.
    ambiguous: u32,
}

impl Context {
    fn meet(&mut self, place: usize, length: u32) {
        if length > self.longest {
            (self.ambiguous, self.longest, self.place) = (self.ambiguous.max(self.longest), length, place as u32);
        } else {
            self.ambiguous = self.ambiguous.max(length);
        }
    }

    /// Notes that a stretch of the translation stands at another place of it, too.
    fn shun(&mut self, elsewhere: bool, length: u32) {
        if elsewhere {
            self.ambiguous = self.ambiguous.max(length);
        }
    }

    /// The shortest stretch of at least two words that stands once on either side; less one, as RIBES counts windows.
    fn window(&self) -> Option<usize> {
        let length = (self.ambiguous + 1).max(2);
        (length <= self.longest).then_some(length as usize - 1)
    }
}

/// One text: where its words stand, and how long the stretch is that ends or begins at each place.
#[derive(Default)]
struct Side {
    /// Words with their places, by word.
    places: Vec<(u64, u32)>,
    /// How long a common stretch is, and for which word of the translation that holds.
    stretches: Vec<(u32, u32)>,
}

impl Side {
    fn load(&mut self, words: &[u64]) {
        self.places.clear();
        reserve(&mut self.places, words.len());
        self.places.extend(words.iter().enumerate().map(|(place, &word)| (word, place as u32)));
        self.places.sort_unstable();
        // Room on both sides, for the neighbours of the first and the last place.
        refill(&mut self.stretches, words.len() + 2, (0, 0));
    }

    fn of(&self, word: u64) -> std::ops::Range<usize> {
        let start = self.places.partition_point(|entry| entry.0 < word);
        start..start + self.places[start..].partition_point(|entry| entry.0 == word)
    }

    /// Tells `met` of each place of a word, and how long the common stretch is that begins there.
    ///
    /// Words of the translation come from its end on, and `number` counts them from 1.
    fn behind(&mut self, word: u64, number: u32, mut met: impl FnMut(usize, u32)) {
        // The stretch that begins at the next place on both sides has not been written over yet.
        for entry in self.of(word) {
            let place = self.places[entry].1 as usize;
            let (length, of) = self.stretches[place + 2];
            let length = if of + 1 == number { length + 1 } else { 1 };
            self.stretches[place + 1] = (length, number);
            met(place, length);
        }
    }

    /// The same of the stretch that ends there; words come from the beginning of the translation on.
    fn before(&mut self, word: u64, number: u32, mut met: impl FnMut(usize, u32)) {
        for entry in self.of(word).rev() {
            let place = self.places[entry].1 as usize;
            let (length, of) = self.stretches[place];
            let length = if of + 1 == number { length + 1 } else { 1 };
            self.stretches[place + 1] = (length, number);
            met(place, length);
        }
    }
}

/// Buffers that segments reuse.
#[derive(Default)]
struct Workshop {
    theirs: Side,
    ours: Side,
    right: Vec<Context>,
    ranks: Vec<u32>,
}

impl Workshop {
    /// The place in the reference of each word of the translation that has one, as NLTK finds them.
    ///
    /// A word that stands once on both sides is its own sign. Others are told by the shortest stretch of words that
    /// begins or else ends with them and stands once on both sides; a word without one is left out. So `the boy` in
    /// `the book was read by the boy` against `the boy read the book` tells the second `the` from the first.
    fn rank(&mut self, translation: &[u64], reference: &[u64]) {
        let Self { theirs, ours, right, ranks } = self;
        theirs.load(reference);
        ours.load(translation);
        let count = translation.len();
        refill(right, count, Context::default());
        for (index, &word) in translation.iter().enumerate().rev() {
            let (context, number) = (&mut right[index], (count - index) as u32);
            theirs.behind(word, number, |place, length| context.meet(place, length));
            ours.behind(word, number, |place, length| context.shun(place != index, length));
        }
        ranks.clear();
        reserve(ranks, count);
        theirs.stretches.fill((0, 0));
        ours.stretches.fill((0, 0));
        for (index, (&word, right)) in translation.iter().zip(right).enumerate() {
            let (mut left, number) = (Context::default(), index as u32 + 1);
            theirs.before(word, number, |place, length| left.meet(place, length));
            ours.before(word, number, |place, length| left.shun(place != index, length));
            if right.longest == 0 {
                continue;
            }
            if right.ambiguous == 0 {
                ranks.push(right.place);
                continue;
            }
            // NLTK looks no further than this, so that it never sees all that stands before a word of the second half.
            let end = index.max(count - index + 1).min(reference.len());
            let within = |context: &Context| context.window().filter(|&window| window < end);
            match (within(right), within(&left)) {
                (Some(after), Some(before)) if before < after => ranks.push(left.place),
                (Some(_), _) => ranks.push(right.place),
                (None, Some(_)) => ranks.push(left.place),
                (None, None) => {}
            }
        }
    }

    /// How many pairs of ranked words stand in the order of the reference.
    fn ascending(&self) -> usize {
        let later = |index: usize| self.ranks[index + 1..].iter().filter(|&&rank| rank > self.ranks[index]).count();
        (0..self.ranks.len()).map(later).sum()
    }
}

/// Words with a place in the reference, and pairs of them in its order: two numbers per segment.
///
/// `Bob hit John yesterday` against `John hit Bob yesterday` has four words at 2 1 0 3, of which three pairs rise.
pub fn ranked_words(translations: Sequences<'_>, references: Sequences<'_>, threads: usize) -> Vec<f64> {
    let mut rows = filled(translations.len() * 2, 0.0);
    fill_rows(&mut rows, 2, threads, Workshop::default, |workshop, segment, row| {
        workshop.rank(translations.segment(segment), references.segment(segment));
        row[0] = workshop.ranks.len() as f64;
        row[1] = workshop.ascending() as f64;
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(translation: &str, reference: &str) -> Vec<u32> {
        let ids = |text: &str| text.split(' ').map(crate::hashing::token_id).collect::<Vec<u64>>();
        let mut workshop = Workshop::default();
        workshop.rank(&ids(translation), &ids(reference));
        workshop.ranks
    }

    #[test]
    fn the_papers_examples() {
        let (first, second) = ("he read the book because he was interested in world history", "Bob hit John yesterday");
        let other = "he was interested in world history because he read the book";
        assert_eq!(ranks(first, other), [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]);
        assert_eq!(ranks(second, "John hit Bob yesterday"), [2, 1, 0, 3]);
        assert_eq!(ranks("the book was read by the boy", "the boy read the book"), [3, 4, 2, 0, 1]);
    }

    #[test]
    fn words_that_no_neighbours_tell_apart_have_no_rank() {
        assert_eq!(ranks("a a a", "a a a a"), [] as [u32; 0]);
        assert_eq!(ranks("x y", "a b"), [] as [u32; 0]);
    }

    #[test]
    fn pairs_rise() {
        let workshop = Workshop { ranks: vec![2, 1, 0, 3], ..Workshop::default() };
        assert_eq!(workshop.ascending(), 3);
    }
}
