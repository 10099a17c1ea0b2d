//! BLANC: skip-n-grams that a translation and its reference have in common.
//!
//! A skip-n-gram is `n` words in the order of the text, with or without others between them; its gap is how many words
//! stand between its first and its last without belonging to it. For every size and every limit on the gap we count
//! the common ones as BLEU counts n-grams: each sequence of words at most as often as it stands on either side.
//!
//! Limits are nested, so what a row holds is what each limit adds to the one before. Small limits are counted in
//! windows (`near`), in time linear in the length of the texts. Without a limit there are too many skip-n-grams to
//! look at one by one; `far` counts them by dynamic programming over the positions at which they end.

mod far;
mod near;
mod words;

use crate::parallel::fill_rows;
use crate::room::filled;
use crate::sequences::Sequences;

use far::Far;
use near::Near;
use words::Common;

/// Which skip-n-grams are counted.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The longest, in words; at least one.
    pub order: usize,
    /// The largest gap of each bucket, ascending.
    pub gaps: &'a [usize],
    /// Whether a last bucket holds all larger gaps.
    pub beyond: bool,
    /// How many steps a segment may take.
    pub effort: u64,
}

impl Limits<'_> {
    /// Buckets of each size above one.
    pub fn buckets(&self) -> usize {
        self.gaps.len() + usize::from(self.beyond)
    }

    /// Numbers per segment: single words have no gap, all others have every bucket.
    pub fn width(&self) -> usize {
        1 + (self.order - 1) * self.buckets()
    }
}

/// A segment took more steps than it may.
#[derive(Clone, Copy, Debug)]
struct Exhausted;

/// What is left of a segment's steps.
#[derive(Clone, Copy, Debug)]
struct Effort(u64);

impl Effort {
    fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.0 = self.0.checked_sub(steps as u64).ok_or(Exhausted)?;
        Ok(())
    }
}

/// Common words, then common skip-n-grams of each size from two words on, bucket by bucket: a row per segment.
///
/// `a b c` and `a x b c` have three words in common; of the pairs `b c` at a gap of 0, then `a b` and `a c` at a gap of 1
/// and 2, because the larger of the two sides' gaps counts. A segment that takes more than its effort has a row of NaN.
pub fn common_skip_ngrams(
    translations: Sequences<'_>,
    references: Sequences<'_>,
    limits: Limits<'_>,
    threads: usize,
) -> Vec<f64> {
    let width = limits.width();
    let mut rows = filled(translations.len() * width, 0.0);
    let prepare = || (Common::default(), Near::new(limits), Far::default());
    fill_rows(&mut rows, width, threads, prepare, |(common, near, far), segment, row| {
        common.find(translations.segment(segment), references.segment(segment));
        if count(common, near, far, limits, row).is_err() {
            row.fill(f64::NAN);
        }
    });
    rows
}

fn count(
    common: &Common,
    near: &mut Near,
    far: &mut Far,
    limits: Limits<'_>,
    row: &mut [f64],
) -> Result<(), Exhausted> {
    row[0] = common.clipped();
    if limits.order == 1 {
        return Ok(());
    }
    let mut effort = Effort(limits.effort);
    let (buckets, closed) = (limits.buckets(), limits.gaps.len());
    near.count(common, &mut effort)?;
    for (size, cells) in row[1..].chunks_exact_mut(buckets).enumerate() {
        cells[..closed].copy_from_slice(near.within(size + 2));
    }
    if limits.beyond {
        far.count(common, limits.order, &mut effort)?;
        for (size, cells) in row[1..].chunks_exact_mut(buckets).enumerate() {
            cells[closed] = far.found(size + 2);
        }
    }
    // From what each limit allows to what it adds.
    for cells in row[1..].chunks_exact_mut(buckets) {
        for bucket in (1..buckets).rev() {
            cells[bucket] -= cells[bucket - 1];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(translation: &[u64], reference: &[u64], order: usize, gaps: &[usize], beyond: bool) -> Vec<f64> {
        let (ours, theirs) = ([0, translation.len() as i64], [0, reference.len() as i64]);
        let translations = Sequences { ids: translation, offsets: &ours };
        let references = Sequences { ids: reference, offsets: &theirs };
        common_skip_ngrams(translations, references, Limits { order, gaps, beyond, effort: 1_000_000 }, 1)
    }

    #[test]
    fn the_larger_gap_of_both_sides_counts() {
        // a b c and a x b c: words 3; pairs "b c" at 0, "a b" at 1, "a c" at 2; the triple at 1.
        assert_eq!(row(&[1, 2, 3], &[1, 9, 2, 3], 3, &[0, 1], true), [3.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn without_gaps_these_are_clipped_ngrams() {
        // the the the the, the the cat: two words, one pair.
        assert_eq!(row(&[1, 1, 1, 1], &[1, 1, 2], 3, &[0], false), [2.0, 1.0, 0.0]);
    }

    #[test]
    fn repeated_words_are_clipped_at_any_distance() {
        // a b a b: a-b three times, a-a, b-b, b-a once each; b a b a has b-a three times, a-b once.
        assert_eq!(row(&[1, 2, 1, 2], &[2, 1, 2, 1], 2, &[0], true), [4.0, 2.0, 2.0]);
    }

    #[test]
    fn a_text_has_all_of_its_own() {
        // Seven words, three of them alike: 21 pairs, 35 triples, 35 of four.
        let text = [1, 2, 1, 3, 4, 1, 5];
        let found = row(&text, &text, 4, &[0, 1, 2], true);
        let sums: Vec<f64> = found[1..].chunks_exact(4).map(|cells| cells.iter().sum()).collect();
        assert_eq!(found[..1], [7.0]);
        assert_eq!(sums, [21.0, 35.0, 35.0]);
        assert_eq!(found[9..11], [4.0, 9.0]);
    }

    #[test]
    fn windows_as_wide_as_the_texts_find_what_needs_no_window() {
        let (ours, theirs) = ([1, 2, 3, 1, 2, 4, 3, 1, 5, 2], [2, 1, 3, 3, 2, 4, 1, 1, 2]);
        let windows = row(&ours, &theirs, 5, &[10], false);
        let dynamic = row(&ours, &theirs, 5, &[0], true);
        let sums: Vec<f64> = dynamic[1..].chunks_exact(2).map(|cells| cells.iter().sum()).collect();
        assert_eq!(windows[1..], sums);
    }

    #[test]
    fn empty_sides_have_nothing_in_common() {
        assert_eq!(row(&[], &[1], 2, &[0], true), [0.0, 0.0, 0.0]);
        assert_eq!(row(&[1], &[], 2, &[0], true), [0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_segment_without_effort_left_is_not_a_number() {
        let text: Vec<u64> = (0..2000).collect();
        assert!(row(&text, &text, 4, &[0], true)[0].is_nan());
    }
}
