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

    /// The shortest stretch of at least two words that stands once on either side; less one, as RIBES counts windows.
    fn window(&self) -> Option<usize> {
        let length = (self.ambiguous + 1).max(2);
        (length <= self.longest).then_some(length as usize - 1)
    }
}

/// Buffers that segments reuse.
#[derive(Default)]
struct Workshop {
    theirs: Vec<u32>,
    ours: Vec<u32>,
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
        let (ours, theirs) = (translation.len(), reference.len());
        refill(&mut self.theirs, theirs + 1, 0);
        refill(&mut self.ours, ours + 1, 0);
        refill(&mut self.right, ours, Context::default());
        for index in (0..ours).rev() {
            let word = translation[index];
            let mut context = Context::default();
            // The length that begins at the next place on both sides has not been written over yet.
            for (place, &their) in reference.iter().enumerate() {
                let length = if their == word { self.theirs[place + 1] + 1 } else { 0 };
                self.theirs[place] = length;
                context.meet(place, length);
            }
            for (place, &other) in translation.iter().enumerate() {
                let length = if other == word { self.ours[place + 1] + 1 } else { 0 };
                self.ours[place] = length;
                if place != index {
                    context.ambiguous = context.ambiguous.max(length);
                }
            }
            self.right[index] = context;
        }
        self.ranks.clear();
        reserve(&mut self.ranks, ours);
        refill(&mut self.theirs, theirs + 1, 0);
        refill(&mut self.ours, ours + 1, 0);
        for index in 0..ours {
            let word = translation[index];
            let mut left = Context::default();
            for place in (0..theirs).rev() {
                let length = if reference[place] == word { self.theirs[place] + 1 } else { 0 };
                self.theirs[place + 1] = length;
                left.meet(place, length);
            }
            for place in (0..ours).rev() {
                let length = if translation[place] == word { self.ours[place] + 1 } else { 0 };
                self.ours[place + 1] = length;
                if place != index {
                    left.ambiguous = left.ambiguous.max(length);
                }
            }
            let right = self.right[index];
            if right.longest == 0 {
                continue;
            }
            if right.ambiguous == 0 {
                self.ranks.push(right.place);
                continue;
            }
            // NLTK looks no further than this, so that it never sees all that stands before a word of the second half.
            let end = index.max(ours - index + 1).min(theirs);
            let within = |context: &Context| context.window().filter(|&window| window < end);
            match (within(&right), within(&left)) {
                (Some(after), Some(before)) if before < after => self.ranks.push(left.place),
                (Some(_), _) => self.ranks.push(right.place),
                (None, Some(_)) => self.ranks.push(left.place),
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
