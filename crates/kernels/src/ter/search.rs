//! The greedy search: shift by shift, each the one that saves most, until none helps.

use super::band::{Band, is_within_band};
use super::beam::Beam;
use super::candidates::{Candidates, Shift};
use super::columns::Columns;
use super::sacrebleu::MOST_TRIED;
use super::words::Words;
use super::{Convention, Options};
use crate::steps::Step;

/// Steps on one pair of texts beyond which no further shift is looked for: two or three seconds. Of 65,651 segments of seven
/// campaigns of WMT and the like none takes more than 102 million, and translations of whole articles, 1,800 words as one
/// segment, stay below it; a thousand words and more that repeat a few do not.
const MOST_WORK: u64 = 1_000_000_000;

/// Buffers that segments reuse, and what was found for the last pair.
pub struct Search {
    words: Words,
    tables: Tables,
    candidates: Candidates,
    counts: Vec<u32>,
    translation: Vec<u32>,
    order: Vec<usize>,
    steps: Vec<Step>,
    shifts: Vec<Shift>,
    /// The distance of the current order as the convention finds it, and the true one.
    distance: usize,
    true_distance: usize,
    work: u64,
    most_work: u64,
    /// How many shifts sacreBLEU would have tried.
    tried: usize,
    bounded: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self::with_most_work(MOST_WORK)
    }
}

impl Search {
    /// A search that gives up after so much work.
    pub(super) fn with_most_work(most_work: u64) -> Self {
        Self {
            words: Words::default(),
            tables: Tables::default(),
            candidates: Candidates::default(),
            counts: Vec::new(),
            translation: Vec::new(),
            order: Vec::new(),
            steps: Vec::new(),
            shifts: Vec::new(),
            distance: 0,
            true_distance: 0,
            work: 0,
            most_work,
            tried: 0,
            bounded: false,
        }
    }

    /// Finds shifts and edits from `translation` to `reference`.
    pub fn run(&mut self, translation: &[u64], reference: &[u64], convention: Convention) {
        self.shifts.clear();
        self.order.clear();
        self.order.extend(0..translation.len());
        self.bounded = false;
        self.work = 0;
        self.tried = 0;
        self.tables.beam.work = 0;
        if translation == reference || translation.is_empty() || reference.is_empty() {
            self.steps.clear();
            let (step, length) = match (translation.len(), reference.len()) {
                (0, length) => (Step::Deletion, length),
                (length, 0) => (Step::Insertion, length),
                (length, _) => (Step::Match, length),
            };
            self.steps.resize(length, step);
            return;
        }
        self.words.build(translation, reference);
        self.translation.clone_from(&self.words.translation);
        let floor = self.words.fewest_edits(&mut self.counts);
        self.align(0, convention);
        while self.distance > floor && !self.bounded {
            let best = match convention {
                Convention::Tercom(options) => self.best_shift(floor, options),
                Convention::Sacrebleu => self.best_of_sacrebleu(floor),
            };
            let Some(shift) = best else { break };
            shift.swap.apply(&mut self.translation);
            shift.swap.apply(&mut self.order);
            self.shifts.push(shift);
            self.align(shift.swap.first, convention);
        }
    }

    /// The edits behind all shifts, in the order of the reference.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The shifts, one after the other.
    pub(super) fn shifts(&self) -> &[Shift] {
        &self.shifts
    }

    /// Where each word of the shifted translation stood at first.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Steps that the last pair took.
    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.work + self.tables.beam.work
    }

    /// Whether the search was cut short.
    pub(super) fn bounded(&self) -> bool {
        self.bounded
    }

    /// Aligns the current order, whose columns before `from` are as they were.
    fn align(&mut self, from: usize, convention: Convention) {
        let Self { words, tables, translation, steps, .. } = self;
        tables.columns.fill(words, translation, from);
        self.true_distance = tables.columns.distance();
        self.distance = self.true_distance;
        if convention.finds(self.true_distance, words) {
            tables.columns.trace(words, translation, steps);
        } else {
            self.distance = match convention {
                Convention::Tercom(options) => tables.beam.align(words, translation, options.beam, steps),
                Convention::Sacrebleu => tables.band.align(words, translation, steps),
            };
        }
    }

    /// The shift that saves most, the first of several; one that only pays for itself is taken, too.
    ///
    /// Longer blocks are tried first. Nothing gets below `floor`.
    fn best_shift(&mut self, floor: usize, options: Options) -> Option<Shift> {
        let Self { words, tables, candidates, translation, .. } = self;
        self.work += candidates.collect(words, translation, &self.steps, options.distance, options.size);
        let mut best = None;
        // What is still good enough to be taken.
        let mut wanted = self.distance - 1;
        for length in (1..=candidates.longest).rev() {
            // A block of so many words cannot save more than two edits for each. `TERcom` stops where that much is saved
            // already, even if its beam hides something better.
            let enough = best.is_some() && self.distance > wanted + 1 + 2 * length;
            if enough || self.true_distance > wanted + 2 * length {
                break;
            }
            self.work += candidates.count();
            for shift in candidates.of_length(length, translation.len()) {
                if self.work + tables.beam.work > self.most_work {
                    self.bounded = true;
                    return best;
                }
                self.work += (words.blocks * (translation.len() - shift.swap.first)) as u64;
                let convention = Convention::Tercom(options);
                let Some(distance) = tables.distance_behind(words, translation, shift, wanted, convention) else {
                    continue;
                };
                best = Some(shift);
                wanted = distance.saturating_sub(1);
                if distance <= floor || self.distance > distance + 2 * length {
                    return best;
                }
            }
        }
        best
    }

    /// The same by sacreBLEU's rules.
    fn best_of_sacrebleu(&mut self, floor: usize) -> Option<Shift> {
        let Self { words, tables, candidates, translation, .. } = self;
        candidates.read(&self.steps);
        let (shifts, tried) = candidates.of_sacrebleu(words, translation, MOST_TRIED - self.tried);
        self.tried += tried;
        self.bounded = self.tried >= MOST_TRIED;
        let mut best = None;
        let mut wanted = self.distance - 1;
        for shift in shifts {
            // No block saves more than two edits for each of its words, and those that follow are no longer.
            if self.true_distance > wanted + 2 * shift.length {
                break;
            }
            let distance = tables.distance_behind(words, translation, shift, wanted, Convention::Sacrebleu);
            if let Some(distance) = distance {
                best = Some(shift);
                if distance <= floor {
                    break;
                }
                wanted = distance - 1;
            }
        }
        best
    }
}

/// The tables of distances: true ones, and those in which a convention finds them.
#[derive(Default)]
struct Tables {
    columns: Columns,
    beam: Beam,
    band: Band,
    shifted: Vec<u32>,
}

impl Tables {
    /// The distance behind a shift as the convention finds it, where it is at most `wanted`.
    fn distance_behind(
        &mut self,
        words: &Words,
        translation: &[u32],
        shift: Shift,
        wanted: usize,
        convention: Convention,
    ) -> Option<usize> {
        let mut distance = self.columns.distance_after(words, translation, shift.swap);
        if distance <= wanted && !convention.finds(distance, words) {
            self.shifted.clear();
            self.shifted.extend_from_slice(translation);
            shift.swap.apply(&mut self.shifted);
            distance = match convention {
                Convention::Tercom(options) => self.beam.distance(words, &self.shifted, options.beam),
                Convention::Sacrebleu => self.band.distance(words, &self.shifted),
            };
        }
        (distance <= wanted).then_some(distance)
    }
}

impl Convention {
    /// Whether it finds every cheapest way of this many edits.
    fn finds(self, distance: usize, words: &Words) -> bool {
        let gap = words.translation.len().abs_diff(words.reference.len());
        match self {
            Self::Tercom(options) => is_within_beam(distance, gap, options.beam),
            Self::Sacrebleu => is_within_band(distance, gap),
        }
    }
}

/// Whether a beam cannot hide any cheapest way of this many edits.
///
/// Let a cheapest way, of D edits, pass through a cell in row i of column j with cost s, let the column's best be m, in
/// row k, and the lengths differ by g. From the best cell the way could go on at |i - k| more, so s <= m + |i - k|. With
/// d = |i - j| and |k - j| <= m that is s - m <= d + m. If the cell is hidden, s > m + beam, then d + m > beam and
/// s > 2 beam + 1 - d. What comes behind it costs at least d - g: together D >= 2 (beam + 1) - g.
fn is_within_beam(distance: usize, gap: usize, beam: usize) -> bool {
    distance <= beam || distance + gap < 2 * (beam + 1)
}
