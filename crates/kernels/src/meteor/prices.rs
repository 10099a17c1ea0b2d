//! Prices of words that no set of links can beat: the dual of the largest matching.
//!
//! Every word gets a price so that no link is worth more than the words it takes. Then no alignment is worth more than
//! all prices together, and it falls short by exactly what it leaves unpaid: the prices of words without a link, and
//! what links are worth less than their words. For links of single words the prices found here are those of the
//! largest matching itself, so the best alignments are those that fall short by nothing.

use std::collections::VecDeque;

use super::Link;
use super::chains::Chains;

/// A link of one word with one word, between classes of equal words.
struct Edge {
    theirs: usize,
    ours: usize,
    gain: i64,
    flow: u32,
}

/// The prices of all words.
#[derive(Default)]
pub struct Prices {
    /// By position in the translation.
    pub ours: Vec<i64>,
    /// By position in the reference.
    pub theirs: Vec<i64>,
    /// Which words of the translation are equal: a number for each position, and the largest number for words that are
    /// not free.
    pub classes: Vec<usize>,
    chains: Chains,
}

/// Equal words of one side: which class each position has, and how many each class has left to link.
struct Classes {
    of: Vec<usize>,
    /// The first position of each class that may be linked.
    first: Vec<usize>,
    left: Vec<u32>,
    size: Vec<u32>,
}

impl Classes {
    fn new(words: &[u64], free: &[bool], chains: &mut Chains) -> Self {
        let mut classes =
            Self { of: vec![usize::MAX; words.len()], first: Vec::new(), left: Vec::new(), size: Vec::new() };
        chains.clear(words.len());
        for (position, &word) in words.iter().enumerate().filter(|&(position, _)| free[position]) {
            let class = chains.last(word).map_or(classes.first.len(), |class| class as usize);
            if class == classes.first.len() {
                chains.push(word, class as u32);
                classes.first.push(position);
                classes.left.push(0);
            }
            classes.of[position] = class;
            classes.left[class] += 1;
        }
        classes.size.clone_from(&classes.left);
        classes
    }

    fn used(&self, class: usize) -> bool {
        self.left[class] < self.size[class]
    }
}

impl Prices {
    /// Prices the words of a segment. `links` gives the links of a position of the reference and `gain` what one is worth.
    ///
    /// Words that are not free are in no link, and have no price.
    pub fn find<'a>(
        &mut self,
        words: [&[u64]; 2],
        free: [&[bool]; 2],
        links: impl Fn(usize) -> &'a [Link],
        gain: impl Fn(Link) -> i64,
    ) {
        let mut ours = Classes::new(words[0], free[0], &mut self.chains);
        let mut theirs = Classes::new(words[1], free[1], &mut self.chains);
        let mut edges: Vec<Edge> = Vec::new();
        let mut of_theirs: Vec<Vec<usize>> = vec![Vec::new(); theirs.first.len()];
        let mut of_ours: Vec<Vec<usize>> = vec![Vec::new(); ours.first.len()];
        for (class, &position) in theirs.first.iter().enumerate() {
            for &link in links(position).iter().filter(|link| !link.is_phrase()) {
                let other = ours.of[link.translation as usize];
                // Equal words follow each other in no order, so an earlier edge may be anywhere in this class's list.
                if let Some(&edge) = of_theirs[class].iter().find(|&&edge| edges[edge].ours == other) {
                    edges[edge].gain = edges[edge].gain.max(gain(link));
                } else {
                    of_theirs[class].push(edges.len());
                    of_ours[other].push(edges.len());
                    edges.push(Edge { theirs: class, ours: other, gain: gain(link), flow: 0 });
                }
            }
        }
        while augment(&mut edges, &of_theirs, &of_ours, &mut ours, &mut theirs) {}
        let (our_prices, their_prices) = settle(&edges, &ours, &theirs);
        let spread = |classes: &Classes, prices: &[i64]| {
            classes.of.iter().map(|&class| prices.get(class).copied().unwrap_or(0)).collect()
        };
        self.ours = spread(&ours, &our_prices);
        self.theirs = spread(&theirs, &their_prices);
        self.classes = ours.of;
        self.raise_for_phrases(words[1].len(), links, gain);
    }

    /// Phrases may be worth more than their words: the first word of the reference then gets dearer.
    fn raise_for_phrases<'a>(
        &mut self,
        positions: usize,
        links: impl Fn(usize) -> &'a [Link],
        gain: impl Fn(Link) -> i64,
    ) {
        for position in 0..positions {
            for &link in links(position).iter().filter(|link| link.is_phrase()) {
                self.theirs[position] += (-self.slack(link, gain(link))).max(0);
            }
        }
    }

    /// What all words cost together.
    pub fn total(&self) -> i64 {
        self.ours.iter().chain(&self.theirs).sum()
    }

    /// What the words of a link cost beyond what it is worth.
    pub fn slack(&self, link: Link, gain: i64) -> i64 {
        let ours: i64 = self.ours[link.translation_range()].iter().sum();
        let theirs: i64 = self.theirs[link.reference_range()].iter().sum();
        ours + theirs - gain
    }
}

/// Finds the most gainful way to link more words, changing earlier links if need be; false if there is none.
fn augment(
    edges: &mut [Edge],
    of_theirs: &[Vec<usize>],
    of_ours: &[Vec<usize>],
    ours: &mut Classes,
    theirs: &mut Classes,
) -> bool {
    const FAR: i64 = i64::MIN;
    // The best gain with which each class is reached, and the edge that reaches it.
    let mut reached_theirs: Vec<(i64, usize)> =
        theirs.left.iter().map(|&left| (if left > 0 { 0 } else { FAR }, usize::MAX)).collect();
    let mut reached_ours = vec![(FAR, usize::MAX); ours.left.len()];
    let mut queue: VecDeque<usize> = (0..theirs.left.len()).filter(|&class| theirs.left[class] > 0).collect();
    while let Some(class) = queue.pop_front() {
        let gain = reached_theirs[class].0;
        for &edge in &of_theirs[class] {
            let other = edges[edge].ours;
            if gain + edges[edge].gain <= reached_ours[other].0 {
                continue;
            }
            reached_ours[other] = (gain + edges[edge].gain, edge);
            for &back in of_ours[other].iter().filter(|&&back| edges[back].flow > 0 && back != edge) {
                let freed = edges[back].theirs;
                let gain = reached_ours[other].0 - edges[back].gain;
                if gain > reached_theirs[freed].0 {
                    reached_theirs[freed] = (gain, back);
                    queue.push_back(freed);
                }
            }
        }
    }
    let open = (0..ours.left.len()).filter(|&class| ours.left[class] > 0);
    let Some(end) = open.max_by_key(|&class| (reached_ours[class].0, std::cmp::Reverse(class))) else { return false };
    if reached_ours[end].0 <= 0 {
        return false;
    }
    let mut path = Vec::new();
    let mut class = end;
    let start = loop {
        let forth = reached_ours[class].1;
        let back = reached_theirs[edges[forth].theirs].1;
        path.push((forth, back));
        if back == usize::MAX {
            break edges[forth].theirs;
        }
        class = edges[back].ours;
    };
    let backs = path.iter().filter(|(_, back)| *back != usize::MAX).map(|(_, back)| edges[*back].flow);
    let amount = backs.chain([ours.left[end], theirs.left[start]]).min().unwrap_or(0);
    for (forth, back) in path {
        edges[forth].flow += amount;
        if back != usize::MAX {
            edges[back].flow -= amount;
        }
    }
    ours.left[end] -= amount;
    theirs.left[start] -= amount;
    true
}

/// Prices under which no change of the links gains anything, by relaxing until nothing moves.
fn settle(edges: &[Edge], ours: &Classes, theirs: &Classes) -> (Vec<i64>, Vec<i64>) {
    let mut our_prices = vec![0; ours.first.len()];
    let mut their_prices = vec![0; theirs.first.len()];
    if edges.iter().all(|edge| edge.flow == 0) {
        return (our_prices, their_prices);
    }
    // Distances in the graph of possible changes; `hub` is where unused capacity comes from and goes to.
    let mut hub = 0;
    let (mut at_ours, mut at_theirs) = (vec![0; our_prices.len()], vec![0; their_prices.len()]);
    let mut moved = true;
    while moved {
        moved = false;
        let mut lower = |distance: &mut i64, bound: i64| {
            if bound < *distance {
                *distance = bound;
                moved = true;
            }
        };
        for (class, distance) in at_theirs.iter_mut().enumerate() {
            if theirs.left[class] > 0 {
                lower(distance, hub);
            }
            if theirs.used(class) {
                lower(&mut hub, *distance);
            }
        }
        for edge in edges {
            let (here, there) = (&mut at_theirs[edge.theirs], &mut at_ours[edge.ours]);
            lower(there, *here - edge.gain);
            if edge.flow > 0 {
                lower(here, *there + edge.gain);
            }
        }
        for (class, distance) in at_ours.iter_mut().enumerate() {
            if ours.left[class] > 0 {
                lower(&mut hub, *distance);
            }
            if ours.used(class) {
                lower(distance, hub);
            }
        }
    }
    for (price, distance) in our_prices.iter_mut().zip(&at_ours) {
        *price = (hub - distance).max(0);
    }
    for (price, distance) in their_prices.iter_mut().zip(&at_theirs) {
        *price = (distance - hub).max(0);
    }
    (our_prices, their_prices)
}
