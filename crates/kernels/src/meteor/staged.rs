//! The early aligner: one module after the other, each on the words that those before it left.
//!
//! Each stage adds the most links that it can, and of such sets of links the one with the fewest crossings, counted
//! among all links so far.

use super::candidates::Candidates;
use super::search::{Fewest, Search, Task};
use super::{Link, Sides, Slack};

/// Words that are the same, or have the same stem, are of one kind, and links of one kind need not cross. Synonyms have no
/// kinds: one word may have two that are not each other's.
///
/// Writes the links of all stages, in the order of the reference; how many more words, and how many fewer crossings each
/// stage could have had at most, all stages together.
pub fn align(
    search: &mut Search,
    sides: &Sides<'_>,
    candidates: &Candidates,
    modules: usize,
    synonym: Option<u8>,
    links: &mut Vec<Link>,
) -> Slack {
    let mut free = [vec![true; sides.translation.words.len()], vec![true; sides.reference.words.len()]];
    let gains = vec![1; modules];
    let mut slack = Slack::default();
    for module in 0..modules as u8 {
        let task = Task {
            sides,
            candidates,
            module: Some(module),
            free: [&free[0], &free[1]],
            earlier: links,
            gains: &gains,
            fewest: Fewest::Crossings { kinds: synonym != Some(module) },
        };
        let (chosen, gap) = search.run(&task, None);
        for link in &chosen {
            free[0][link.translation_range()].fill(false);
            free[1][link.reference_range()].fill(false);
        }
        links.extend(chosen);
        slack.weight += gap.gain as f64;
        slack.order += f64::from(gap.second);
    }
    links.sort_unstable_by_key(|link| link.reference);
    slack
}
