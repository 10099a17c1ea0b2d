//! Two metrics that swap scores cell by cell, judged within segments: how many pairs of systems they order like people.
//!
//! A pair of systems shows one of four pairs of scores: both of the first metric, both of the second, or one of each;
//! the flags of its two cells decide. So what is true of each pair is looked up once per segment for every two metrics,
//! as bits, and a draw picks among four sets of bits.
//!
//! Where many cells are judged together, as all segments of all systems are, there are too many pairs to look at each.
//! Then the scores of both metrics are sorted together, once; a draw goes through them in this order, and a tree counts
//! how many of the cells that came before people put below and above each.

use std::cmp::Ordering;
use std::ops::Range;

use crate::parallel::{cut, map_tasks};

/// Up to so many cells of a segment all their pairs are looked at.
const FEW_CELLS: usize = 64;

/// What is averaged over segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Kendall's tau-b: pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side.
    Kendall,
    /// Pairs that both sides order alike, or tie, less all others, by all pairs.
    Agreement,
}

/// Scores that two metrics may swap.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    /// Metrics by systems by segments.
    pub metrics: &'a [f64],
    /// People's scores, systems by segments; NaN where a cell takes no part.
    pub human: &'a [f64],
    /// How many systems there are.
    pub systems: usize,
    /// How many segments there are.
    pub segments: usize,
}

impl Scores<'_> {
    /// Whether the tables have the shapes that they should.
    pub fn is_sound(&self, flags: &[u8]) -> bool {
        let cells = self.systems * self.segments;
        self.human.len() == cells && cells > 0 && self.metrics.len() % cells == 0 && flags.len() % cells == 0
    }
}

/// For either metric of each of `pairs`, and for each draw, the sum over segments of the share and the number of segments
/// that have one: sides by draws by pairs of metrics, sums and then counts.
///
/// `flags` are draws by systems by segments: 1 where the two metrics change places. Two systems, of which people prefer the
/// first, and two metrics with the scores (3, 1) and (0, 2): as they are, the first is right (1) and the second wrong (-1);
/// where the first cell alone is swapped, they show (0, 1) and (3, 2), and it is the other way round.
pub fn swapped_shares(
    scores: Scores<'_>,
    flags: &[u8],
    pairs: &[(usize, usize)],
    share: Share,
    threads: usize,
) -> Vec<f64> {
    let draws = flags.len() / (scores.systems * scores.segments);
    let width = pairs.len();
    let tasks: Vec<Range<usize>> = cut(draws, threads).collect();
    let parts = map_tasks(&tasks, threads, |range| swapped_in(scores, flags, pairs, share, range.clone()));
    let mut found = vec![0.0; 4 * draws * width];
    for (range, part) in tasks.iter().zip(parts) {
        let size = range.len() * width;
        for block in 0..4 {
            found[(block * draws + range.start) * width..][..size].copy_from_slice(&part[block * size..][..size]);
        }
    }
    found
}

/// The same for some of the draws.
fn swapped_in(
    scores: Scores<'_>,
    flags: &[u8],
    pairs: &[(usize, usize)],
    share: Share,
    draws: Range<usize>,
) -> Vec<f64> {
    let size = draws.len() * pairs.len();
    let mut found = vec![0.0; 4 * size];
    let (sums, counts) = found.split_at_mut(2 * size);
    let (sums, other_sums) = sums.split_at_mut(size);
    let (counts, other_counts) = counts.split_at_mut(size);
    let mut segments = 0.0;
    let in_draw = |draw: usize| &flags[draw * scores.systems * scores.segments..];
    for segment in 0..scores.segments {
        let cells: Vec<usize> = (0..scores.systems)
            .map(|system| system * scores.segments + segment)
            .filter(|&cell| !scores.human[cell].is_nan())
            .collect();
        if cells.len() > FEW_CELLS {
            let people = People::of(scores, &cells);
            if share == Share::Kendall && people.ordered == 0 {
                continue;
            }
            segments += 1.0;
            for (column, &pair) in pairs.iter().enumerate() {
                let mut sorted = Sorted::of(scores, &people, pair);
                for (row, draw) in draws.clone().enumerate() {
                    let place = row * pairs.len() + column;
                    let [shown, other] = sorted.shares(&people, in_draw(draw), share);
                    for (value, sum, count) in [
                        (shown, &mut sums[place], &mut counts[place]),
                        (other, &mut other_sums[place], &mut other_counts[place]),
                    ] {
                        match value {
                            Some(value) => *sum += value,
                            None => *count -= 1.0,
                        }
                    }
                }
            }
            continue;
        }
        let Some(table) = Table::of(scores, &cells, pairs, share) else { continue };
        segments += 1.0;
        let mut masks = vec![[0; 4]; table.words];
        for (row, draw) in draws.clone().enumerate() {
            table.masks(in_draw(draw), &mut masks);
            let cells = row * pairs.len()..(row + 1) * pairs.len();
            let (sums, other_sums) = (&mut sums[cells.clone()], &mut other_sums[cells.clone()]);
            if table.tied.is_empty() {
                table.add(&masks, sums, other_sums);
            } else {
                table.add_with_ties(&masks, shown, sums, &mut counts[cells.clone()]);
                table.add_with_ties(&masks, turned_round, other_sums, &mut other_counts[cells]);
            }
        }
    }
    // So far they say how often there was nothing to divide by.
    for count in counts.iter_mut().chain(other_counts) {
        *count += segments;
    }
    found
}

/// What is true of a pair of systems that shows both scores of the first metric, one of each, or both of the second.
type Four = [u64; 4];

/// Two systems, by their places among those that people judged, and who is ahead: in the eyes of people, and for each pair of
/// metrics where both systems show scores of the first, one of each (the first system that of the first), or both of the
/// second.
struct Pair {
    one: usize,
    other: usize,
    people: Ordering,
    shown: Vec<[Ordering; 4]>,
}

impl Pair {
    fn of(scores: Scores<'_>, metrics: &[(usize, usize)], (one, other): (usize, usize), cells: &[usize]) -> Self {
        let order = |left: f64, right: f64| left.partial_cmp(&right).unwrap_or(Ordering::Equal);
        let score = |metric: usize, place: usize| scores.metrics[metric * scores.human.len() + cells[place]];
        let shown = metrics
            .iter()
            .map(|&(a, b)| [(a, a), (a, b), (b, a), (b, b)].map(|(a, b)| order(score(a, one), score(b, other))))
            .collect();
        Self { one, other, people: order(scores.human[cells[one]], scores.human[cells[other]]), shown }
    }

    /// Whether some metric may tie it.
    fn is_tied(&self) -> bool {
        self.shown.iter().flatten().any(|order| *order == Ordering::Equal)
    }
}

/// What is true of each pair of a segment's systems, as bits, for every pair of metrics.
struct Table {
    words: usize,
    cells: Vec<usize>,
    /// Which pairs each cell is the first of, and the second of.
    first: Vec<u64>,
    second: Vec<u64>,
    /// Pairs of metrics by words: the pair of systems is ordered as people order it, or agrees.
    right: Vec<Four>,
    /// The same: its two scores are equal. Empty where none are, or where it does not matter.
    tied: Vec<Four>,
    /// The pairs that people order.
    ordered: Vec<u64>,
    /// The share, by how many pairs are right, where all scores differ.
    shares: Vec<f64>,
    /// What the difference of orders is divided by, by how many pairs the metric sets apart.
    roots: Vec<f64>,
}

impl Table {
    /// The table of a segment; none where there is nothing to compare.
    fn of(scores: Scores<'_>, cells: &[usize], metrics: &[(usize, usize)], share: Share) -> Option<Self> {
        let all = cells.len() * cells.len().saturating_sub(1) / 2;
        let pairs: Vec<Pair> = (0..cells.len())
            .flat_map(|one| (one + 1..cells.len()).map(move |other| (one, other)))
            .map(|places| Pair::of(scores, metrics, places, cells))
            // What people tie and no metric does is never right, and never wrong.
            .filter(|pair| pair.people != Ordering::Equal || pair.is_tied())
            .collect();
        let ordered = pairs.iter().filter(|pair| pair.people != Ordering::Equal).count() as f64;
        if all == 0 || (share == Share::Kendall && ordered == 0.0) {
            return None;
        }
        let roots: Vec<f64> = (0..=all).map(|apart| (apart as f64 * ordered).sqrt()).collect();
        let shares = (0..=all)
            .map(|right| match share {
                Share::Agreement => 2.0 * right as f64 / all as f64 - 1.0,
                Share::Kendall => (2.0 * right as f64 - ordered) / roots[all],
            })
            .collect();
        let words = pairs.len().div_ceil(64).max(1);
        let bits = |truth: &dyn Fn(&Pair) -> bool| -> Vec<u64> {
            let mut found: Vec<u64> = pairs
                .chunks(64)
                .map(|chunk| chunk.iter().rev().fold(0, |bits, pair| (bits << 1) | u64::from(truth(pair))))
                .collect();
            found.resize(words, 0);
            found
        };
        let first = (0..cells.len()).flat_map(|cell| bits(&|pair| pair.one == cell)).collect();
        let second = (0..cells.len()).flat_map(|cell| bits(&|pair| pair.other == cell)).collect();
        let fours = |truth: &dyn Fn(&Pair, Ordering) -> bool| -> Vec<Four> {
            (0..metrics.len())
                .map(|pair| [0, 1, 2, 3].map(|place| bits(&|systems| truth(systems, systems.shown[pair][place]))))
                .flat_map(|tables| (0..words).map(move |word| [0, 1, 2, 3].map(|place: usize| tables[place][word])))
                .collect()
        };
        let counts = |pair: &Pair| share == Share::Agreement || pair.people != Ordering::Equal;
        let right = fours(&|pair, shown| counts(pair) && shown == pair.people);
        let any = share == Share::Kendall && pairs.iter().any(Pair::is_tied);
        let tied = if any { fours(&|_, shown| shown == Ordering::Equal) } else { Vec::new() };
        let ordered = bits(&|pair| pair.people != Ordering::Equal);
        Some(Self { words, cells: cells.to_vec(), first, second, right, tied, ordered, shares, roots })
    }

    /// Which pairs show which scores in a draw: both as they are, the second swapped, the first, both.
    fn masks(&self, flags: &[u8], masks: &mut [Four]) {
        for (word, mask) in masks.iter_mut().enumerate() {
            let (mut one, mut other) = (0, 0);
            for (index, &cell) in self.cells.iter().enumerate() {
                let swapped = 0_u64.wrapping_sub(u64::from(flags[cell]));
                one |= self.first[index * self.words + word] & swapped;
                other |= self.second[index * self.words + word] & swapped;
            }
            *mask = [!(one | other), !one & other, one & !other, one & other];
        }
    }

    /// Adds the shares of both metrics of every pair.
    fn add(&self, masks: &[Four], sums: &mut [f64], other_sums: &mut [f64]) {
        let both = sums.iter_mut().zip(other_sums);
        for (bits, (sum, other)) in self.right.chunks_exact(self.words).zip(both) {
            let (mut right, mut turned) = (0, 0);
            for (bits, mask) in bits.iter().zip(masks) {
                right += shown(bits, mask).count_ones();
                turned += turned_round(bits, mask).count_ones();
            }
            *sum += self.shares[right as usize];
            *other += self.shares[turned as usize];
        }
    }

    /// The same for one metric of every pair, where scores may tie; `pick` is one of the two functions below.
    ///
    /// `undefined` counts what nothing can be said of, downwards.
    fn add_with_ties(
        &self,
        masks: &[Four],
        pick: impl Fn(&Four, &Four) -> u64,
        sums: &mut [f64],
        undefined: &mut [f64],
    ) {
        let ordered = ones(&self.ordered);
        let tables = self.right.chunks_exact(self.words).zip(self.tied.chunks_exact(self.words));
        for ((right, tied), (sum, undefined)) in tables.zip(sums.iter_mut().zip(undefined)) {
            let (mut agree, mut ties, mut lost) = (0, 0, 0);
            for (((right, tied), mask), ordered) in right.iter().zip(tied).zip(masks).zip(&self.ordered) {
                agree += pick(right, mask).count_ones();
                let bits = pick(tied, mask);
                if bits != 0 {
                    ties += bits.count_ones() as usize;
                    lost += (bits & ordered).count_ones();
                }
            }
            if ties == 0 {
                *sum += self.shares[agree as usize];
                continue;
            }
            // Of the pairs that both sides order, those that are not right are wrong.
            match self.shares.len() - 1 - ties {
                0 => *undefined -= 1.0,
                apart => *sum += (2.0 * f64::from(agree) - f64::from(ordered - lost)) / self.roots[apart],
            }
        }
    }
}

/// What people say of many cells.
struct People {
    cells: Vec<usize>,
    /// The place of each cell's score among the different ones, and how many of these there are.
    classes: Vec<u32>,
    count: usize,
    /// Pairs of cells, and those that people order.
    pairs: i64,
    ordered: i64,
}

impl People {
    fn of(scores: Scores<'_>, cells: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        // There is one zero: a negative one would be sorted apart from it.
        let score = |&place: &usize| scores.human[cells[place]] + 0.0;
        order.sort_unstable_by(|one, other| score(one).total_cmp(&score(other)));
        let mut classes = vec![0; cells.len()];
        let (mut count, mut tied) = (0, 0);
        for equal in order.chunk_by(|one, other| score(one).total_cmp(&score(other)).is_eq()) {
            for &place in equal {
                classes[place] = count as u32;
            }
            count += 1;
            tied += pairs_of(equal.len() as i64);
        }
        let pairs = pairs_of(cells.len() as i64);
        Self { cells: cells.to_vec(), classes, count, pairs, ordered: pairs - tied }
    }
}

/// A score of one of two metrics.
struct Entry {
    cell: u32,
    class: u32,
    /// 1 for the second metric.
    metric: u8,
}

/// All scores of two metrics from the lowest to the highest, and room to count in.
struct Sorted {
    entries: Vec<Entry>,
    /// How many entries have each of the different scores.
    sizes: Vec<u32>,
    sides: [Side; 2],
}

impl Sorted {
    fn of(scores: Scores<'_>, people: &People, (first, second): (usize, usize)) -> Self {
        let score = |metric: usize, cell: usize| scores.metrics[metric * scores.human.len() + cell] + 0.0;
        let mut entries: Vec<(f64, Entry)> = [first, second]
            .into_iter()
            .zip(0..)
            .flat_map(|(metric, number)| {
                people.cells.iter().zip(&people.classes).map(move |(&cell, &class)| {
                    (score(metric, cell), Entry { cell: cell as u32, class, metric: number })
                })
            })
            .collect();
        entries.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.class.cmp(&other.1.class)));
        let sizes =
            entries.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()).map(|equal| equal.len() as u32).collect();
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        Self { entries, sizes, sides: [Side::of(people.count), Side::of(people.count)] }
    }

    /// The shares of both metrics in a draw; none where a metric ties everything.
    fn shares(&mut self, people: &People, flags: &[u8], share: Share) -> [Option<f64>; 2] {
        self.sides.iter_mut().for_each(Side::clear);
        let mut rest = &self.entries[..];
        for &size in &self.sizes {
            let (equal, others) = rest.split_at(size as usize);
            rest = others;
            let side = |entry: &Entry| usize::from(flags[entry.cell as usize] ^ entry.metric);
            if let [entry] = equal {
                self.sides[side(entry)].add(entry.class);
                continue;
            }
            for entry in equal {
                self.sides[side(entry)].look(entry.class);
            }
            for alike in equal.chunk_by(|one, other| one.class == other.class) {
                let second = alike.iter().map(side).sum::<usize>();
                for (side, number) in self.sides.iter_mut().zip([alike.len() - second, second]) {
                    side.tied_by_both += pairs_of(number as i64);
                }
            }
            let second = equal.iter().map(side).sum::<usize>();
            for (side, number) in self.sides.iter_mut().zip([equal.len() - second, second]) {
                side.tied += pairs_of(number as i64);
            }
            for entry in equal {
                self.sides[side(entry)].insert(entry.class);
            }
        }
        [0, 1].map(|number: usize| self.sides[number].share(people, share))
    }
}

/// What a metric shows in a draw, as far as it was gone through.
struct Side {
    /// How many cells there are of so many classes each: of single ones, of two, of four, up to all of them.
    levels: Vec<Vec<u32>>,
    count: i64,
    /// Pairs ordered alike less pairs ordered unlike.
    difference: i64,
    /// Pairs that the metric ties, and those of them that people tie, too.
    tied: i64,
    tied_by_both: i64,
}

impl Side {
    fn of(classes: usize) -> Self {
        let depth = classes.next_power_of_two().trailing_zeros();
        let levels = (0..depth).map(|level| vec![0; (classes >> level) + 2]).collect();
        Self { levels, count: 0, difference: 0, tied: 0, tied_by_both: 0 }
    }

    fn clear(&mut self) {
        self.levels.iter_mut().for_each(|level| level.fill(0));
        (self.count, self.difference, self.tied, self.tied_by_both) = (0, 0, 0, 0);
    }

    /// A cell that the metric puts above all that were inserted: those that people put below it are right.
    fn look(&mut self, class: u32) {
        let mut below = 0;
        for (level, counts) in self.levels.iter().enumerate() {
            let node = (class >> level) as usize;
            // What is to the left, under the same parent.
            below += counts[node & !1] * (node as u32 & 1);
        }
        let equal = self.levels.first().map_or(self.count, |counts| i64::from(counts[class as usize]));
        self.difference += 2 * i64::from(below) + equal - self.count;
    }

    fn insert(&mut self, class: u32) {
        for (level, counts) in self.levels.iter_mut().enumerate() {
            counts[(class >> level) as usize] += 1;
        }
        self.count += 1;
    }

    fn add(&mut self, class: u32) {
        self.look(class);
        self.insert(class);
    }

    fn share(&self, people: &People, share: Share) -> Option<f64> {
        let apart = people.pairs - self.tied;
        match share {
            Share::Kendall if apart == 0 => None,
            Share::Kendall => Some(self.difference as f64 / (apart as f64 * people.ordered as f64).sqrt()),
            Share::Agreement => {
                // Those that neither side ties are ordered alike or unlike.
                let alike = (people.ordered - self.tied + self.tied_by_both + self.difference) / 2;
                Some(2.0 * (alike + self.tied_by_both) as f64 / people.pairs as f64 - 1.0)
            }
        }
    }
}

fn pairs_of(count: i64) -> i64 {
    count * (count - 1) / 2
}

/// What is true of the first metric, which shows scores of the second where they were swapped.
fn shown(bits: &Four, mask: &Four) -> u64 {
    (bits[0] & mask[0]) | (bits[1] & mask[1]) | (bits[2] & mask[2]) | (bits[3] & mask[3])
}

/// What is true of the second metric, which shows scores of the first where they were swapped.
fn turned_round(bits: &Four, mask: &Four) -> u64 {
    (bits[3] & mask[0]) | (bits[2] & mask[1]) | (bits[1] & mask[2]) | (bits[0] & mask[3])
}

fn ones(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &[(usize, usize)] = &[(0, 1)];
    const SCORES: Scores<'_> = Scores { metrics: &[3.0, 1.0, 0.0, 2.0], human: &[5.0, 4.0], systems: 2, segments: 1 };

    #[test]
    fn a_swapped_cell_turns_a_pair_round() {
        // Four draws: nothing, the first cell, the second cell, both.
        let flags = [0, 0, 1, 0, 0, 1, 1, 1];
        for share in [Share::Kendall, Share::Agreement] {
            let found = swapped_shares(SCORES, &flags, ONE, share, 1);
            assert_eq!(found[..4], [1.0, -1.0, 1.0, -1.0]);
            assert_eq!(found[4..8], [-1.0, 1.0, -1.0, 1.0]);
            assert_eq!(found[8..], [1.0; 8]);
        }
    }

    #[test]
    fn a_metric_that_ties_has_no_tau_and_disagrees() {
        let scores = Scores { metrics: &[1.0, 1.0, 0.0, 2.0], ..SCORES };
        let found = swapped_shares(scores, &[0, 0], ONE, Share::Kendall, 1);
        assert_eq!(found, [0.0, -1.0, 0.0, 1.0]);
        assert_eq!(swapped_shares(scores, &[0, 0], ONE, Share::Agreement, 1), [-1.0, -1.0, 1.0, 1.0]);
    }

    #[test]
    fn what_people_tie_or_did_not_judge_is_no_pair() {
        for human in [[5.0, 5.0], [5.0, f64::NAN]] {
            let found = swapped_shares(Scores { human: &human, ..SCORES }, &[0, 0], ONE, Share::Kendall, 1);
            assert_eq!(found, [0.0; 4]);
        }
        // Neither metric ties what people tie.
        let found = swapped_shares(Scores { human: &[5.0, 5.0], ..SCORES }, &[0, 0], ONE, Share::Agreement, 1);
        assert_eq!(found, [-1.0, -1.0, 1.0, 1.0]);
    }

    #[test]
    fn twelve_systems_need_more_than_one_word_and_threads_change_nothing() {
        let metrics: Vec<f64> = (0..3 * 12 * 5_u32).map(|cell| f64::from(cell * 7919 % 17)).collect();
        let human: Vec<f64> = (0..12 * 5_u32).map(|cell| f64::from(cell * 104_729 % 7)).collect();
        let flags: Vec<u8> = (0..130 * 60_u32).map(|cell| (cell * 31 % 7 % 2) as u8).collect();
        let scores = Scores { metrics: &metrics, human: &human, systems: 12, segments: 5 };
        assert!(scores.is_sound(&flags));
        let all = [(0, 1), (0, 2), (1, 2)];
        let found = swapped_shares(scores, &flags, &all, Share::Kendall, 1);
        assert_eq!(found, swapped_shares(scores, &flags, &all, Share::Kendall, 3));
        assert!(found[..2 * 130 * 3].iter().all(|sum| sum.abs() <= 5.0));
    }

    #[test]
    fn many_cells_are_counted_as_few_are() {
        // Sixty cells as one segment, by pairs and by sorting: with ties on both sides, and cells that nobody judged.
        let metrics: Vec<f64> = (0..3 * 60_u32).map(|cell| f64::from(cell * 7919 % 17)).collect();
        let mut human: Vec<f64> = (0..60_u32).map(|cell| f64::from(cell * 104_729 % 7)).collect();
        (human[3], human[40]) = (f64::NAN, f64::NAN);
        let flags: Vec<u8> = (0..20 * 60_u32).map(|cell| (cell * 31 % 7 % 2) as u8).collect();
        let scores = Scores { metrics: &metrics, human: &human, systems: 60, segments: 1 };
        let cells: Vec<usize> = (0..60).filter(|&cell| !human[cell].is_nan()).collect();
        let people = People::of(scores, &cells);
        for share in [Share::Kendall, Share::Agreement] {
            let found = swapped_shares(scores, &flags, &[(0, 2)], share, 1);
            let mut sorted = Sorted::of(scores, &people, (0, 2));
            for draw in 0..20 {
                let shares = sorted.shares(&people, &flags[60 * draw..], share).map(Option::unwrap);
                for (value, expected) in shares.into_iter().zip([found[draw], found[20 + draw]]) {
                    assert!((value - expected).abs() < 1e-14, "{share:?}");
                }
            }
        }
    }

    #[test]
    fn many_cells_that_are_all_tied_have_no_tau() {
        let (metrics, flags) = ([[1.0; 70], [2.0; 70]].concat(), [0; 70]);
        let ascending: Vec<f64> = (0..70).map(f64::from).collect();
        let scores = Scores { metrics: &metrics, human: &ascending, systems: 70, segments: 1 };
        assert_eq!(swapped_shares(scores, &flags, ONE, Share::Kendall, 1), [0.0; 4]);
        assert_eq!(swapped_shares(scores, &flags, ONE, Share::Agreement, 1), [-1.0, -1.0, 1.0, 1.0]);
        let scores = Scores { human: &[3.0; 70], ..scores };
        assert_eq!(swapped_shares(scores, &flags, ONE, Share::Kendall, 1), [0.0; 4]);
        assert_eq!(swapped_shares(scores, &flags, ONE, Share::Agreement, 1), [1.0; 4]);
    }
}
