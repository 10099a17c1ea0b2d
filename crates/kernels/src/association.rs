//! Pairs and ranks of two long lists under many draws: the sums behind Kendall's and Spearman's correlations.
//!
//! Lists are given by the class of each item, from 0 up without gaps and in the order of its values. A draw gives each
//! unit (a segment, say) a weight, and an item weighs what its unit does. Draws stand side by side in memory, and every
//! step is done for a block of them at once. Sums of whole numbers are exact, so nothing depends on their order.

use std::ops::Range;

use crate::parallel::map_tasks;

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
    fn of(&self, unit: u32, draws: &Range<usize>) -> &'a [f64] {
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

    #[test]
    fn nothing_is_no_pair() {
        let weights = Weights { table: &[], draws: 2 };
        assert_eq!(pair_lines(lists(&[], &[]), weights, 1), [0.0; 16]);
        assert_eq!(rank_lines(lists(&[], &[]), weights, 1), [0.0; 6]);
        assert!(pair_lines(lists(&[], &[]), Weights { table: &[], draws: 0 }, 1).is_empty());
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
