//! How far two lists go together under many draws, group by group: Pearson's, Spearman's and Kendall's correlations.
//!
//! For pairs and ranks lists are turned into the class of each item, from 0 up without gaps and in the order of its
//! values. A draw gives each unit (a segment, say) a weight, and an item weighs what its unit does. Draws stand side by
//! side in memory, and every step is done for a block of them at once. Sums of whole numbers are exact, so nothing
//! depends on their order.

use std::cmp::Ordering;
use std::ops::Range;

use crate::parallel::map_tasks;
use crate::room::filled;

/// Numbers of a block that are kept near the processor.
const CACHED: usize = 1 << 16;
/// Draws in a block: enough to use whole registers, few enough to stay in the cache.
const BLOCK: Range<usize> = 16..256;

/// Two lists over the same items.
#[derive(Clone, Copy, Debug)]
pub struct Lists<'a> {
    /// The class of each item in the first list.
    pub x: &'a [u32],
    /// The class of each item in the second list.
    pub y: &'a [u32],
    /// Which unit each item belongs to.
    pub unit: &'a [u32],
}

/// What units weigh: a row per unit, a column per draw.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    /// All rows, one behind the other.
    pub table: &'a [f64],
    /// How long a row is.
    pub draws: usize,
}

impl Lists<'_> {
    /// Whether the lists are equally long and every item has a unit in `weights`.
    pub fn fit(&self, weights: Weights<'_>) -> bool {
        let units = weights.table.len().checked_div(weights.draws).unwrap_or(usize::MAX);
        self.x.len() == self.y.len()
            && self.x.len() == self.unit.len()
            && self.unit.iter().all(|&unit| (unit as usize) < units)
    }
}

impl<'a> Weights<'a> {
    pub(crate) fn of(&self, unit: u32, draws: &Range<usize>) -> &'a [f64] {
        let start = unit as usize * self.draws;
        &self.table[start + draws.start..start + draws.end]
    }
}

/// What pairs of items add up to: one number per draw in each of these lines.
pub const PAIR_LINES: usize = 8;

/// Weighted pairs of two lists: `PAIR_LINES` lines of a number per draw.
///
/// They are: the weight of all items; the sum of its squares; the sums of the squares of what each class of x weighs, of
/// y, and of both together; concordant pairs less discordant ones; how many classes of x have a weight, and of y.
///
/// Items (x, y) = (1, 1), (2, 3), (3, 2), each counted once: the pairs with the first are in like order, the other one is
/// not, so that the sixth line is 1; nothing ties, so that all sums of squares are 3.
pub fn pair_lines(lists: Lists<'_>, weights: Weights<'_>, threads: usize) -> Vec<f64> {
    let (classes_x, classes_y) = (classes(lists.x), classes(lists.y));
    // The tree is over the list with fewer values; concordance does not care which is which.
    let turned = classes_y > classes_x;
    let inner = if turned { Lists { x: lists.y, y: lists.x, ..lists } } else { lists };
    let order = sorted(inner);
    let mut lines = in_blocks(weights, 2 * classes_x.min(classes_y), PAIR_LINES, threads, |draws| {
        pairs_of(inner, &order, weights, draws)
    });
    if turned {
        let draws = weights.draws;
        for (one, other) in [(2, 3), (6, 7)] {
            let (before, after) = lines.split_at_mut(other * draws);
            before[one * draws..(one + 1) * draws].swap_with_slice(&mut after[..draws]);
        }
    }
    lines
}

/// What ranks of items add up to: one number per draw in each of these lines.
pub const RANK_LINES: usize = 3;

/// Weighted products of the ranks of two lists, mid-ranks less their mean: of both, of x with itself, of y with itself.
///
/// Items 1, 2, 2 and 1, 3, 2, each counted once, have the ranks -1, 0.5, 0.5 and -1, 1, 0: the products add up to 1.5, and
/// the squares to 1.5 and 2.
pub fn rank_lines(lists: Lists<'_>, weights: Weights<'_>, threads: usize) -> Vec<f64> {
    let counts = (classes(lists.x), classes(lists.y));
    in_blocks(weights, counts.0 + counts.1, RANK_LINES, threads, |draws| ranks_of(lists, counts, weights, draws))
}

/// What goes together in two lists, from which the measures of a family follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Sums of values and of their products: Pearson's correlation.
    Moments,
    /// Sums of ranks and of their products: Spearman's correlation.
    Ranks,
    /// Pairs of items: Kendall's tau-b, tau-c, and the share of pairs that both lists order alike, or tie.
    Pairs,
}

impl Family {
    /// The family of that name.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "moments" => Some(Self::Moments),
            "ranks" => Some(Self::Ranks),
            "pairs" => Some(Self::Pairs),
            _ => None,
        }
    }

    /// How many measures it has.
    pub fn measures(self) -> usize {
        if self == Self::Pairs { 3 } else { 1 }
    }
}

/// Items in groups of one size, two values each; NaN where one is missing.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'a> {
    /// Values of the first list, group after group.
    pub x: &'a [f64],
    /// Values of the second list.
    pub y: &'a [f64],
    /// Which unit each item belongs to.
    pub unit: &'a [u32],
    /// How many groups there are, all of one size.
    pub count: usize,
}

impl Groups<'_> {
    /// How many items a group has, those that are missing among them.
    pub fn size(&self) -> usize {
        self.x.len().checked_div(self.count).unwrap_or(0)
    }

    /// Whether the lists are equally long and every item has a unit in `weights`.
    pub fn fit(&self, weights: Weights<'_>) -> bool {
        Lists { x: self.unit, y: self.unit, unit: self.unit }.fit(weights)
            && self.x.len() == self.unit.len()
            && self.y.len() == self.unit.len()
            && self.x.len() == self.count * self.size()
    }

    /// The items of a group that are there, by their places in the lists.
    pub fn present(&self, group: usize) -> Vec<usize> {
        let items = group * self.size()..(group + 1) * self.size();
        items.filter(|&item| !self.x[item].is_nan() && !self.y[item].is_nan()).collect()
    }
}

/// The measures of a family in each group under each draw: measures by groups by draws, NaN where nothing is defined.
///
/// Copies of an item that was drawn twice are no pair. For tau-b that makes no difference, since such a pair differs on
/// neither side; in shares of pairs it keeps copies from agreeing with themselves.
///
/// One group of the items (x, y) = (1, 1), (2, 3), (3, 2), each counted once: both correlations of values and of ranks are
/// 0.5; two of three pairs are in like order, so that tau-b and tau-c are 1/3, and the share is 2/3.
pub fn associations(groups: Groups<'_>, weights: Weights<'_>, family: Family) -> Vec<f64> {
    let (count, draws, measures) = (groups.count, weights.draws, family.measures());
    let mut found = filled(measures * count * draws, f64::NAN);
    let totals: Vec<f64> = weights.table.chunks_exact(draws.max(1)).map(|unit| unit.iter().sum()).collect();
    for group in 0..count {
        let items = groups.present(group);
        let values = match family {
            Family::Moments => pearson(groups, &items, weights, &totals),
            Family::Ranks => coded(groups, &items, |lists| spearman(&rank_lines(lists, weights, 1), draws)),
            Family::Pairs => coded(groups, &items, |lists| pair_measures(&pair_lines(lists, weights, 1), draws)),
        };
        for measure in 0..measures {
            let start = (measure * count + group) * draws;
            found[start..start + draws].copy_from_slice(&values[measure * draws..][..draws]);
        }
    }
    found
}

/// Calls `work` with the classes of some items.
fn coded(groups: Groups<'_>, items: &[usize], work: impl Fn(Lists<'_>) -> Vec<f64>) -> Vec<f64> {
    let [x, y] =
        [groups.x, groups.y].map(|values| codes(&items.iter().map(|&item| values[item]).collect::<Vec<f64>>()));
    let unit: Vec<u32> = items.iter().map(|&item| groups.unit[item]).collect();
    work(Lists { x: &x, y: &y, unit: &unit })
}

/// The class of each value, from 0 up in their order.
fn codes(values: &[f64]) -> Vec<u32> {
    let order =
        |one: &u32, other: &u32| values[*one as usize].partial_cmp(&values[*other as usize]).unwrap_or(Ordering::Equal);
    let mut items: Vec<u32> = (0..values.len() as u32).collect();
    items.sort_unstable_by(order);
    let mut codes = vec![0; values.len()];
    for (class, equal) in items.chunk_by(|one, other| order(one, other).is_eq()).enumerate() {
        for &item in equal {
            codes[item as usize] = class as u32;
        }
    }
    codes
}

/// A ratio of product to the roots of two squares, all of which are sums under draws; NaN where a square is not positive.
fn ratio(product: f64, squares: (f64, f64)) -> f64 {
    if squares.0 > 0.0 && squares.1 > 0.0 {
        (product / (squares.0.sqrt() * squares.1.sqrt())).clamp(-1.0, 1.0)
    } else {
        f64::NAN
    }
}

fn spearman(lines: &[f64], draws: usize) -> Vec<f64> {
    (0..draws).map(|draw| ratio(lines[draw], (lines[draws + draw], lines[2 * draws + draw]))).collect()
}

/// Kendall's tau-b and tau-c, and the share of pairs that both lists order alike, or tie.
fn pair_measures(lines: &[f64], draws: usize) -> Vec<f64> {
    let mut found = vec![f64::NAN; 3 * draws];
    for draw in 0..draws {
        let line = |number: usize| lines[number * draws + draw];
        let (total, squares, difference, classes) = (line(0), line(1), line(5), line(6).min(line(7)));
        let pairs = (total * total - squares) / 2.0;
        let [tied_x, tied_y, tied_both] = [line(2), line(3), line(4)].map(|same| (same - squares) / 2.0);
        let concordant = (pairs - tied_x - tied_y + tied_both + difference) / 2.0;
        let differ = (pairs - tied_x, pairs - tied_y);
        if differ.0 > 0.0 && differ.1 > 0.0 {
            found[draw] = (difference / (differ.0 * differ.1).sqrt()).clamp(-1.0, 1.0);
        }
        if classes > 1.0 {
            found[draws + draw] = 2.0 * difference / (total * total * (classes - 1.0) / classes);
        }
        if pairs > 0.0 {
            found[2 * draws + draw] = (concordant + tied_both) / pairs;
        }
    }
    found
}

/// Sums of squares below this share of the uncentred ones are zero up to rounding.
const ROUNDING: f64 = 1e-12;

/// Pearson's correlation under each draw.
///
/// Values are centred by what all draws together weigh, so that sums of squares cancel little, and for one draw nothing.
fn pearson(groups: Groups<'_>, items: &[usize], weights: Weights<'_>, totals: &[f64]) -> Vec<f64> {
    let draws = 0..weights.draws;
    let unit = |item: &usize| groups.unit[*item];
    let mut counted: Vec<usize> = items.iter().filter(|item| totals[unit(item) as usize] > 0.0).copied().collect();
    counted.sort_by_key(unit);
    let weight: Vec<f64> = counted.iter().map(|item| totals[unit(item) as usize]).collect();
    let [x, y] =
        [groups.x, groups.y].map(|values| standardised(counted.iter().map(|&item| values[item]).collect(), &weight));
    let mut lines = vec![0.0; 6 * draws.len()];
    let mut start = 0;
    for equal in counted.chunk_by(|one, other| unit(one) == unit(other)) {
        let mut moments = [0.0; 6];
        for (x, y) in x[start..start + equal.len()].iter().zip(&y[start..]) {
            for (sum, value) in moments.iter_mut().zip([1.0, *x, *y, x * x, y * y, x * y]) {
                *sum += value;
            }
        }
        start += equal.len();
        for (line, moment) in lines.chunks_exact_mut(draws.len().max(1)).zip(moments) {
            for (sum, weight) in line.iter_mut().zip(weights.of(unit(&equal[0]), &draws)) {
                *sum += weight * moment;
            }
        }
    }
    draws
        .map(|draw| {
            let [total, x, y, xx, yy, xy] = [0, 1, 2, 3, 4, 5].map(|line| lines[line * weights.draws + draw]);
            let squares = (xx - x * x / total, yy - y * y / total);
            let vary = squares.0 > ROUNDING * xx && squares.1 > ROUNDING * yy;
            if vary { ratio(xy - x * y / total, squares) } else { f64::NAN }
        })
        .collect()
}

/// Values less their weighted mean, with 1 as the largest, so that no square overflows or vanishes; a constant becomes 0.
fn standardised(mut values: Vec<f64>, weights: &[f64]) -> Vec<f64> {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (value.min(low), value.max(high)));
    if low >= high {
        values.fill(0.0);
        return values;
    }
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total;
    let largest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    for value in &mut values {
        *value = (*value - mean) / largest;
    }
    values
}

fn classes(codes: &[u32]) -> usize {
    codes.iter().max().map_or(0, |&most| most as usize + 1)
}

/// Items by rising x, and by rising y where that is equal.
fn sorted(lists: Lists<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..lists.x.len() as u32).collect();
    order.sort_by_key(|&item| (lists.x[item as usize], lists.y[item as usize]));
    order
}

/// Lines of numbers for all draws, out of those for blocks of them; a block keeps `rows` numbers per draw at hand.
fn in_blocks(
    weights: Weights<'_>,
    rows: usize,
    lines: usize,
    threads: usize,
    work: impl Fn(&Range<usize>) -> Vec<f64> + Sync,
) -> Vec<f64> {
    let size = (CACHED / rows.max(1)).clamp(BLOCK.start, BLOCK.end);
    let blocks: Vec<Range<usize>> =
        (0..weights.draws).step_by(size).map(|start| start..(start + size).min(weights.draws)).collect();
    let mut found = vec![0.0; lines * weights.draws];
    for (block, made) in blocks.iter().zip(map_tasks(&blocks, threads, &work)) {
        for line in 0..lines {
            let start = line * weights.draws;
            found[start + block.start..start + block.end].copy_from_slice(&made[line * block.len()..][..block.len()]);
        }
    }
    found
}

/// Adds one line to another.
fn add(to: &mut [f64], from: &[f64]) {
    for (sum, value) in to.iter_mut().zip(from) {
        *sum += value;
    }
}

/// Adds the squares of `from`, counts where it is positive, and empties it.
fn close(from: &mut [f64], squares: &mut [f64], counts: Option<&mut [f64]>) {
    for (sum, value) in squares.iter_mut().zip(from.iter()) {
        *sum += value * value;
    }
    if let Some(counts) = counts {
        for (count, value) in counts.iter_mut().zip(from.iter()) {
            *count += f64::from(u8::from(*value > 0.0));
        }
    }
    from.fill(0.0);
}

/// The lines of `pair_lines` for some draws: a Fenwick tree over y holds the items with a smaller x.
fn pairs_of(lists: Lists<'_>, order: &[u32], weights: Weights<'_>, draws: &Range<usize>) -> Vec<f64> {
    let (width, count) = (draws.len(), classes(lists.y));
    let mut lines = vec![0.0; PAIR_LINES * width];
    let [total, squares, same_x, same_y, same_both, difference, seen_x, seen_y] =
        lines.chunks_exact_mut(width.max(1)).collect::<Vec<_>>().try_into().expect("a chunk per line");
    let mut tree = vec![0.0; (count + 1) * width];
    let mut cells = vec![0.0; count * width];
    let (mut inserted, mut below) = (vec![0.0; width], vec![0.0; width]);
    let (mut group, mut run) = (vec![0.0; width], vec![0.0; width]);
    let class = |item: u32| lists.y[item as usize] as usize;
    for equal in order.chunk_by(|&one, &other| lists.x[one as usize] == lists.x[other as usize]) {
        for tied in equal.chunk_by(|&one, &other| class(one) == class(other)) {
            let y = class(tied[0]);
            below.fill(0.0);
            let mut node = y;
            while node > 0 {
                add(&mut below, &tree[node * width..][..width]);
                node &= node - 1;
            }
            for &item in tied {
                let weight = weights.of(lists.unit[item as usize], draws);
                add(&mut run, weight);
                for (sum, value) in squares.iter_mut().zip(weight) {
                    *sum += value * value;
                }
            }
            // Less what lies above, which is all that is there less what lies below and what is equal.
            let equal_before = &cells[y * width..][..width];
            for draw in 0..width {
                difference[draw] += run[draw] * (2.0 * below[draw] + equal_before[draw] - inserted[draw]);
            }
            add(&mut group, &run);
            close(&mut run, same_both, None);
        }
        for &item in equal {
            let (y, weight) = (class(item), weights.of(lists.unit[item as usize], draws));
            add(&mut cells[y * width..][..width], weight);
            let mut node = y + 1;
            while node <= count {
                add(&mut tree[node * width..][..width], weight);
                node += node & node.wrapping_neg();
            }
        }
        add(&mut inserted, &group);
        close(&mut group, same_x, Some(seen_x));
    }
    total.copy_from_slice(&inserted);
    for cell in cells.chunks_exact_mut(width.max(1)) {
        close(cell, same_y, Some(seen_y));
    }
    lines
}

/// The lines of `rank_lines` for some draws.
fn ranks_of(lists: Lists<'_>, counts: (usize, usize), weights: Weights<'_>, draws: &Range<usize>) -> Vec<f64> {
    let width = draws.len();
    let mut lines = vec![0.0; RANK_LINES * width];
    let (products, squares) = lines.split_at_mut(width);
    let (squares_x, squares_y) = squares.split_at_mut(width);
    let ranks_x = centred_ranks(lists.x, counts.0, lists.unit, weights, draws, squares_x);
    let ranks_y = centred_ranks(lists.y, counts.1, lists.unit, weights, draws, squares_y);
    for ((&x, &y), &unit) in lists.x.iter().zip(lists.y).zip(lists.unit) {
        let weight = weights.of(unit, draws);
        let (x, y) = (&ranks_x[x as usize * width..][..width], &ranks_y[y as usize * width..][..width]);
        for draw in 0..width {
            products[draw] += weight[draw] * x[draw] * y[draw];
        }
    }
    lines
}

/// The mid-rank of each class less the mean rank (classes by draws), and their weighted squares.
fn centred_ranks(
    codes: &[u32],
    count: usize,
    unit: &[u32],
    weights: Weights<'_>,
    draws: &Range<usize>,
    squares: &mut [f64],
) -> Vec<f64> {
    let width = draws.len();
    let mut held = vec![0.0; count * width];
    let mut total = vec![0.0; width];
    for (&code, &unit) in codes.iter().zip(unit) {
        let weight = weights.of(unit, draws);
        add(&mut held[code as usize * width..][..width], weight);
        add(&mut total, weight);
    }
    // What lies below, and half of the own class, less half of everything.
    let mut below: Vec<f64> = total.iter().map(|all| -0.5 * all).collect();
    for class in held.chunks_exact_mut(width.max(1)) {
        for draw in 0..width {
            let weight = class[draw];
            let rank = below[draw] + 0.5 * weight;
            below[draw] += weight;
            squares[draw] += weight * rank * rank;
            class[draw] = rank;
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(x: &'static [u32], y: &'static [u32]) -> Lists<'static> {
        Lists { x, y, unit: &[0, 1, 2, 3][..x.len()] }
    }

    #[test]
    fn the_pairs_of_three_items() {
        let weights = Weights { table: &[1.0, 1.0, 1.0], draws: 1 };
        assert_eq!(pair_lines(lists(&[0, 1, 2], &[0, 2, 1]), weights, 1), [3.0, 3.0, 3.0, 3.0, 3.0, 1.0, 3.0, 3.0]);
    }

    #[test]
    fn ties_and_weights_count_on_either_side() {
        // x ties the first two, y the last two; the third item was drawn twice, the second draw has the first alone.
        let weights = Weights { table: &[1.0, 1.0, 1.0, 0.0, 2.0, 0.0], draws: 2 };
        let found = pair_lines(lists(&[0, 0, 1], &[0, 1, 1]), weights, 1);
        let first: Vec<f64> = found.iter().step_by(2).copied().collect();
        // Weights 1, 1, 2: total 4, squares 6; x has 2 and 2, y has 1 and 3; only first and third differ on both sides.
        assert_eq!(first, [4.0, 6.0, 8.0, 10.0, 6.0, 2.0, 2.0, 2.0]);
        let second: Vec<f64> = found.iter().skip(1).step_by(2).copied().collect();
        assert_eq!(second, [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn more_values_on_the_second_side_change_nothing_but_the_sides() {
        let weights = Weights { table: &[1.0, 3.0, 2.0, 1.0], draws: 1 };
        let (few, many): (&[u32], &[u32]) = (&[0, 1, 1, 0], &[0, 3, 2, 1]);
        let found = pair_lines(lists(few, many), weights, 1);
        let turned = pair_lines(lists(many, few), weights, 1);
        let swapped: Vec<f64> = [0, 1, 3, 2, 4, 5, 7, 6].map(|line| turned[line]).to_vec();
        assert_eq!(found, swapped);
        assert_eq!((found[6], found[7]), (2.0, 4.0));
    }

    #[test]
    fn the_ranks_of_three_items() {
        let weights = Weights { table: &[1.0, 1.0, 1.0], draws: 1 };
        assert_eq!(rank_lines(lists(&[0, 1, 1], &[0, 2, 1]), weights, 1), [1.5, 1.5, 2.0]);
    }

    fn three(family: Family) -> Vec<f64> {
        let groups = Groups { x: &[1.0, 2.0, 3.0], y: &[1.0, 3.0, 2.0], unit: &[0, 1, 2], count: 1 };
        associations(groups, Weights { table: &[1.0; 3], draws: 1 }, family)
    }

    #[test]
    fn the_associations_of_three_items() {
        assert!((three(Family::Moments)[0] - 0.5).abs() < 1e-15);
        assert!((three(Family::Ranks)[0] - 0.5).abs() < 1e-15);
        for (value, expected) in three(Family::Pairs).iter().zip([1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0]) {
            assert!((value - expected).abs() < 1e-15);
        }
        assert_eq!(
            ["moments", "ranks", "pairs", "signs"].map(Family::of).map(|family| family.map(Family::measures)),
            [Some(1), Some(1), Some(3), None]
        );
    }

    #[test]
    fn groups_and_draws_are_apart() {
        // The first group lacks an item; the second draw leaves out the last unit, which leaves it one item.
        let groups = Groups {
            x: &[1.0, f64::NAN, 2.0, 1.0, 2.0, 3.0],
            y: &[5.0, 1.0, 7.0, 3.0, 2.0, 1.0],
            unit: &[0, 1, 2, 0, 1, 2],
            count: 2,
        };
        let weights = Weights { table: &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], draws: 2 };
        assert!(groups.fit(weights));
        for family in [Family::Moments, Family::Ranks, Family::Pairs] {
            let found = associations(groups, weights, family);
            for (draw, expected) in [(0, 1.0), (2, -1.0), (3, -1.0)] {
                assert!((found[draw] - expected).abs() < 1e-15, "{family:?}");
            }
            assert!(found[1].is_nan());
        }
        assert!(!Groups { count: 4, ..groups }.fit(weights));
        assert!(!Groups { y: &[], ..groups }.fit(weights));
    }

    #[test]
    fn what_never_counts_may_be_of_any_size() {
        let groups = Groups { x: &[1e-300, 2e-300, 1e10], y: &[1.0, 2.0, 1e9], unit: &[0, 1, 2], count: 1 };
        let found = associations(groups, Weights { table: &[1.0, 1.0, 0.0], draws: 1 }, Family::Moments);
        assert!((found[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn nothing_is_no_pair() {
        let weights = Weights { table: &[], draws: 2 };
        assert_eq!(pair_lines(lists(&[], &[]), weights, 1), [0.0; 16]);
        assert_eq!(rank_lines(lists(&[], &[]), weights, 1), [0.0; 6]);
        assert!(pair_lines(lists(&[], &[]), Weights { table: &[], draws: 0 }, 1).is_empty());
        let groups = Groups { x: &[], y: &[], unit: &[], count: 2 };
        for family in [Family::Moments, Family::Ranks, Family::Pairs] {
            let found = associations(groups, Weights { table: &[1.0], draws: 1 }, family);
            assert_eq!(found.len(), 2 * family.measures());
            assert!(found.iter().all(|value| value.is_nan()));
        }
    }

    #[test]
    fn any_number_of_threads_and_blocks_gives_the_same() {
        let codes: Vec<u32> = (0..500_u32).map(|item| item * 7919 % 101).collect();
        let other: Vec<u32> = (0..500_u32).map(|item| item * 104_729 % 13).collect();
        let unit: Vec<u32> = (0..500_u32).map(|item| item % 50).collect();
        let table: Vec<f64> = (0..50 * 700_u32).map(|cell| f64::from(cell * 31 % 4)).collect();
        let (lists, weights) = (Lists { x: &codes, y: &other, unit: &unit }, Weights { table: &table, draws: 700 });
        assert!(lists.fit(weights));
        assert_eq!(pair_lines(lists, weights, 1), pair_lines(lists, weights, 3));
        assert_eq!(rank_lines(lists, weights, 1), rank_lines(lists, weights, 3));
        // One draw alone is what it is among all.
        let last: Vec<f64> = (0..50).map(|unit| table[unit * 700 + 699]).collect();
        let alone = pair_lines(lists, Weights { table: &last, draws: 1 }, 1);
        let among: Vec<f64> = pair_lines(lists, weights, 1).chunks(700).map(|line| line[699]).collect();
        assert_eq!(alone, among);
    }
}
