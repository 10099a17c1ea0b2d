//! The aligner without habits: the most weighted words, then the fewest chunks.

use super::candidates::Candidates;
use super::search::{Fewest, Search, Task};
use super::{Link, Sides, Slack};

/// The width of METEOR's own beam, whose alignment stands where there is no better one.
pub const BEAM: usize = 40;

/// Weights are compared as whole numbers, so that equal sums are equal.
const UNIT: f64 = 1e6;

/// Replaces the links of an alignment by the best ones, if they are better; how much better others could be at most,
/// in weighted words of both sides, and in chunks.
pub fn improve(
    search: &mut Search,
    sides: &Sides<'_>,
    candidates: &Candidates,
    weights: &[f64],
    links: &mut Vec<Link>,
) -> Slack {
    let gains: Vec<i64> = weights.iter().map(|weight| (weight * UNIT).round() as i64).collect();
    let free = [vec![true; sides.translation.words.len()], vec![true; sides.reference.words.len()]];
    let task = Task {
        sides,
        candidates,
        module: None,
        free: [&free[0], &free[1]],
        earlier: &[],
        gains: &gains,
        fewest: Fewest::Chunks,
    };
    let (chosen, gap) = search.run(&task, Some(links));
    *links = chosen;
    Slack { weight: gap.gain as f64 / UNIT, order: f64::from(gap.second) }
}
