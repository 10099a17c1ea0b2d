//! The best choice of links, found for certain or within a budget: layer by layer over the words of the reference.
//!
//! A state is what the rest of the search depends on. Of states that do not differ in this the cheapest is kept, and of
//! each layer only as many as the width allows. The result is proved if nothing that was dropped could have become
//! cheaper. Cost is what an alignment falls short of the words' prices ([`Prices`]), then its chunks or crossings;
//! distance decides between equals.

use super::candidates::Candidates;
use super::prices::Prices;
use super::{Link, Sides};
use crate::hashing::{ById, extend};

/// No chunk is open.
const CLOSED: u32 = u32::MAX;
/// The first state comes from nowhere.
const ROOT: u32 = u32::MAX;

/// The states kept per layer: at first, and when that proved nothing.
const WIDTHS: [usize; 2] = [32, 4096];
/// How many children may be looked at in one attempt; the widths are cut down to keep to it.
const BUDGET: usize = 1 << 23;

/// What is to be few once no word that could be linked is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fewest {
    /// Runs of links next to each other on both sides.
    Chunks,
    /// Pairs of links whose order differs on the two sides. With `monotone`, words that may be linked with each other are
    /// all of one kind, and no links of one kind need to cross.
    Crossings {
        /// Whether links of one kind are kept in order.
        monotone: bool,
    },
}

/// What is to be aligned, and how.
pub struct Task<'a> {
    /// The words.
    pub sides: &'a Sides<'a>,
    /// The links that are possible.
    pub candidates: &'a Candidates,
    /// The module whose links are used; all, if there is none.
    pub module: Option<u8>,
    /// Which words of the translation and of the reference have no link yet.
    pub free: [&'a [bool]; 2],
    /// Links that stand.
    pub earlier: &'a [Link],
    /// What a link of each module is worth per word.
    pub gains: &'a [i64],
    /// What to keep low.
    pub fewest: Fewest,
}

impl Task<'_> {
    fn links(&self, position: usize) -> impl Iterator<Item = Link> + '_ {
        let open = self.free[1][position];
        let links = self.candidates.at(position).filter(move |_| open);
        links.filter(|link| {
            self.module.is_none_or(|module| link.module == module)
                && self.free[0][link.translation_range()].iter().all(|&free| free)
                && self.free[1][link.reference_range()].iter().all(|&free| free)
        })
    }

    fn gain(&self, link: Link) -> i64 {
        self.gains[usize::from(link.module)] * i64::from(link.translation_length + link.reference_length)
    }
}

/// Smaller is better, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// How far below the prices.
    loss: i64,
    /// Chunks or crossings.
    second: u32,
    distance: u64,
}

impl Cost {
    const NONE: Self = Self { loss: 0, second: 0, distance: 0 };

    /// What is proved to be as small as can be.
    fn main(self) -> (i64, u32) {
        (self.loss, self.second)
    }
}

#[derive(Clone, Copy)]
struct State {
    cost: Cost,
    /// Where in the translation the open chunk would go on.
    expected: u32,
    /// The last link but one, in `Search::nodes`, and the last.
    node: u32,
    link: Option<Link>,
    /// Where its used words are in the layer's bits.
    slot: u32,
}

/// States before one word of the reference, with the words of the translation that each has used.
#[derive(Default)]
struct Layer {
    states: Vec<State>,
    used: Vec<u64>,
}

/// The least cost of the states that were dropped, if any: as they were, and with the chunks that had to follow.
#[derive(Default)]
struct Dropped {
    plain: Option<(i64, u32)>,
    ahead: Option<(i64, u32)>,
}

impl Dropped {
    fn add(&mut self, cost: Cost, bound: u32) {
        let least = |known: Option<(i64, u32)>, new| Some(known.map_or(new, |known| known.min(new)));
        self.plain = least(self.plain, cost.main());
        self.ahead = least(self.ahead, (cost.loss, cost.second + bound));
    }

    /// Whether nothing that was dropped could have ended better.
    fn cannot_beat(&self, cost: Cost) -> bool {
        // Chunks have to follow only where no word may be lost.
        let dropped = if cost.loss == 0 { self.ahead } else { self.plain };
        dropped.is_none_or(|dropped| cost.main() <= dropped)
    }
}

/// What each layer needs to know, and buffers that segments reuse.
#[derive(Default)]
pub struct Search {
    prices: Prices,
    layers: Vec<Layer>,
    nodes: Vec<(u32, Link)>,
    blocks: usize,
    /// For each position the words of the translation whose last link begins there.
    expiring: Vec<Vec<u32>>,
    /// Chunks that have to begin at each position or behind it.
    bound: Vec<u32>,
    /// Per word of the translation, how many earlier links a link from the current position would cross.
    crossed: Vec<u32>,
}

impl Search {
    /// Adds the best links to `links`; whether they are proved to be the best.
    pub fn run(&mut self, task: &Task<'_>, links: &mut Vec<Link>) -> bool {
        let words = [task.sides.translation.words, task.sides.reference.words];
        self.prices.find(words, task.free, |position| task.links(position), |link| task.gain(link));
        let total = self.prepare(task, words);
        let mut best: Option<(Cost, Vec<Link>)> = None;
        let mut proved = false;
        let mut tried = 0;
        for width in WIDTHS.map(|width| width.min(BUDGET / total.max(1)).max(1)) {
            if proved || width == tried {
                break;
            }
            tried = width;
            let (found, dropped) = self.attempt(task, width, best.as_ref().map(|(cost, _)| *cost));
            if let Some(state) = found
                && best.as_ref().is_none_or(|(known, _)| state.cost < *known)
            {
                best = Some((state.cost, self.chosen(state)));
            }
            proved = best.as_ref().is_some_and(|(cost, _)| dropped.cannot_beat(*cost));
        }
        links.extend(best.into_iter().flat_map(|(_, chosen)| chosen));
        proved
    }

    /// Looks ahead once; how many links there are.
    fn prepare(&mut self, task: &Task<'_>, words: [&[u64]; 2]) -> usize {
        let positions = words[1].len();
        self.blocks = words[0].len().div_ceil(64).max(1);
        let mut last = vec![None; words[0].len()];
        let mut total = 0;
        // Where links end on both sides, others may go on: a row of bits per word of the reference.
        let row = words[0].len() / 64 + 1;
        let mut ends = vec![0_u64; (positions + 1) * row];
        let mut begins = vec![0; positions];
        let mut covered = 0;
        for position in 0..positions {
            let (mut continues, mut any) = (position < covered, false);
            for link in task.links(position) {
                total += 1;
                any = true;
                last[link.translation_range()].fill(Some(position));
                let (start, end) = (link.translation as usize, link.translation_end() as usize);
                continues |= ends[position * row + start / 64] >> (start % 64) & 1 == 1;
                ends[link.reference_end() as usize * row + end / 64] |= 1 << (end % 64);
                covered = covered.max(link.reference_end() as usize);
            }
            let must = task.fewest == Fewest::Chunks && self.prices.theirs[position] > 0;
            begins[position] = u32::from(any && !continues && must);
        }
        self.expiring.clear();
        self.expiring.resize(positions, Vec::new());
        for (word, position) in last.into_iter().enumerate() {
            if let Some(position) = position {
                self.expiring[position].push(word as u32);
            }
        }
        self.bound.clear();
        self.bound.resize(positions + 1, 0);
        for position in (0..positions).rev() {
            self.bound[position] = self.bound[position + 1] + begins[position];
        }
        total
    }

    /// One pass with so many states per layer: the best end, and the least cost of what was dropped on the way.
    fn attempt(&mut self, task: &Task<'_>, width: usize, limit: Option<Cost>) -> (Option<State>, Dropped) {
        let positions = task.sides.reference.words.len();
        self.nodes.clear();
        self.layers.clear();
        self.layers.resize_with(positions + 1, Layer::default);
        self.layers[0].states.push(State { cost: Cost::NONE, expected: CLOSED, node: ROOT, link: None, slot: 0 });
        self.layers[0].used.resize(self.blocks, 0);
        let mut dropped = Dropped::default();
        // Only words with links to come tell states apart.
        let mut relevant = vec![u64::MAX; self.blocks];
        for position in 0..positions {
            let mut layer = std::mem::take(&mut self.layers[position]);
            self.merge(task, &mut layer, &relevant, position);
            layer.states.sort_by_key(|state| state.cost);
            if let Some(limit) = limit {
                let ahead = if limit.loss == 0 { self.bound[position] } else { 0 };
                layer.states.retain(|state| (state.cost.loss, state.cost.second + ahead) < limit.main());
            }
            if let Some(state) = layer.states.get(width) {
                dropped.add(state.cost, self.bound[position]);
                layer.states.truncate(width);
            }
            self.count_crossed(task, position);
            for &(mut state) in &layer.states {
                if let Some(link) = state.link {
                    self.nodes.push((state.node, link));
                    state.node = self.nodes.len() as u32 - 1;
                }
                self.expand(task, position, state, &layer.used[state.slot as usize * self.blocks..][..self.blocks]);
            }
            if task.fewest == Fewest::Chunks {
                for &word in &self.expiring[position] {
                    relevant[word as usize / 64] &= !(1 << (word % 64));
                }
            }
        }
        (self.layers[positions].states.iter().min_by_key(|state| state.cost).copied(), dropped)
    }

    /// Of states with the same future the cheapest stays, the first of equal ones.
    fn merge(&self, task: &Task<'_>, layer: &mut Layer, relevant: &[u64], position: usize) {
        if layer.states.len() < 2 {
            return;
        }
        let mut going_on = vec![0_u64; self.blocks];
        for link in task.links(position) {
            going_on[link.translation as usize / 64] |= 1 << (link.translation % 64);
        }
        let mut known: ById<usize> = ById::default();
        let mut kept: Vec<State> = Vec::with_capacity(layer.states.len());
        for &(mut state) in &layer.states {
            let used = &mut layer.used[state.slot as usize * self.blocks..][..self.blocks];
            let expected = state.expected as usize;
            if task.fewest != Fewest::Chunks
                || (state.expected != CLOSED && going_on.get(expected / 64).is_none_or(|b| b >> (expected % 64) & 1 == 0))
            {
                state.expected = CLOSED;
            }
            let mut key = u64::from(state.expected);
            for (bits, mask) in used.iter_mut().zip(relevant) {
                *bits &= mask;
                key = extend(key, *bits);
            }
            match known.entry(key) {
                std::collections::hash_map::Entry::Occupied(entry) => {
                    let other = &mut kept[*entry.get()];
                    if state.cost < other.cost {
                        *other = state;
                    }
                }
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(kept.len());
                    kept.push(state);
                }
            }
        }
        layer.states = kept;
    }

    /// How many of the links that stand each link from this position would cross.
    fn count_crossed(&mut self, task: &Task<'_>, position: usize) {
        self.crossed.clear();
        self.crossed.resize(task.sides.translation.words.len() + 1, 0);
        if task.fewest == Fewest::Chunks {
            return;
        }
        // A link behind this position is crossed from its right, one before it from its left.
        let mut before = 0;
        for link in task.earlier {
            let earlier = (link.reference as usize) < position;
            before += u32::from(earlier);
            let place = link.translation as usize + usize::from(!earlier);
            self.crossed[place] = self.crossed[place].wrapping_add(if earlier { u32::MAX } else { 1 });
        }
        let mut running = before;
        for count in &mut self.crossed {
            running = running.wrapping_add(*count);
            *count = running;
        }
    }

    /// A state's children: one per link that it can add, and one without.
    fn expand(&mut self, task: &Task<'_>, position: usize, state: State, used: &[u64]) {
        let is_used = |word: usize| used[word / 64] >> (word % 64) & 1 == 1;
        let monotone = task.fewest == Fewest::Crossings { monotone: true };
        let after = if monotone {
            let mine = task.links(position).filter(|link| is_used(link.translation as usize));
            mine.map(|link| link.translation + 1).max().unwrap_or(0)
        } else {
            0
        };
        for link in task.links(position) {
            if link.translation < after || link.translation_range().any(is_used) {
                continue;
            }
            let mut child = state;
            child.cost.loss += self.prices.slack(link, task.gain(link));
            child.cost.distance += u64::from(link.distance());
            child.cost.second += match task.fewest {
                Fewest::Chunks => u32::from(state.expected != link.translation),
                Fewest::Crossings { .. } => {
                    self.crossed[link.translation as usize] + used_behind(used, link.translation as usize)
                }
            };
            child.expected = link.translation_end();
            child.link = Some(link);
            self.push(position, link.reference_end() as usize, child, used);
        }
        let mut child = state;
        child.cost.loss += self.prices.theirs[position];
        child.expected = CLOSED;
        child.link = None;
        self.push(position, position + 1, child, used);
    }

    /// Puts a child into its layer; words that can get no link any more and have none are lost on the way.
    fn push(&mut self, from: usize, to: usize, mut child: State, used: &[u64]) {
        let layer = &mut self.layers[to];
        child.slot = layer.states.len() as u32;
        let start = layer.used.len();
        layer.used.extend_from_slice(used);
        let bits = &mut layer.used[start..];
        for word in child.link.iter().flat_map(Link::translation_range) {
            bits[word / 64] |= 1 << (word % 64);
        }
        for &word in self.expiring[from..to].iter().flatten() {
            if bits[word as usize / 64] >> (word % 64) & 1 == 0 {
                child.cost.loss += self.prices.ours[word as usize];
            }
        }
        layer.states.push(child);
    }

    fn chosen(&self, state: State) -> Vec<Link> {
        let mut links: Vec<Link> = state.link.into_iter().collect();
        let mut node = state.node;
        while let Some(&(parent, link)) = self.nodes.get(node as usize) {
            links.push(link);
            node = parent;
        }
        links.reverse();
        links
    }
}

/// How many words behind this one are used.
fn used_behind(used: &[u64], word: usize) -> u32 {
    let (block, bit) = (word / 64, word % 64);
    let here = (used[block] >> bit >> 1).count_ones();
    here + used[block + 1..].iter().map(|bits| bits.count_ones()).sum::<u32>()
}
