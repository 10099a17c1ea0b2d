//! The best choice of links, found for certain or within a budget: layer by layer over the words of the reference.
//!
//! A state is what the rest of the search depends on. Of states that do not differ in this the cheapest is kept, and of
//! each layer only as many as the width allows. The result is proved if nothing that was dropped could have become
//! cheaper. Cost is what an alignment falls short of the words' prices ([`super::prices`]), then its chunks or
//! crossings; distance decides between equals.

use std::collections::hash_map::Entry;

use super::candidates::Candidates;
use super::counts::chunks;
use super::outlook::Outlook;
use super::prices::Prices;
use super::states::{Cost, Dropped, Gap, Layer, State};
use super::{Link, Sides};
use crate::hashing::{ById, extend};

/// No chunk is open.
const CLOSED: u32 = u32::MAX;
/// The first state comes from nowhere.
const ROOT: u32 = u32::MAX;

/// The states kept per layer: at first, and when that proved nothing.
const WIDTHS: [usize; 2] = [32, 1024];
/// How much work one attempt may be, in machine words moved; widths are cut down to keep to it.
const BUDGET: usize = 1 << 27;

/// What is to be few once no word that could be linked is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fewest {
    /// Runs of links next to each other on both sides.
    Chunks,
    /// Pairs of links whose order differs on the two sides.
    Crossings {
        /// Whether words that may be linked are all of one kind, so that links of one kind need not cross.
        kinds: bool,
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
    fn allows(&self, link: Link) -> bool {
        self.module.is_none_or(|module| link.module == module)
            && self.free[0][link.translation_range()].iter().all(|&free| free)
            && self.free[1][link.reference_range()].iter().all(|&free| free)
    }

    fn gain(&self, link: Link) -> i64 {
        self.gains[usize::from(link.module)] * i64::from(link.translation_length + link.reference_length)
    }
}

/// Buffers that segments reuse.
#[derive(Default)]
pub struct Search {
    /// The links that the task allows, by position of the reference.
    links: Vec<Link>,
    starts: Vec<usize>,
    prices: Prices,
    outlook: Outlook,
    layers: Vec<Layer>,
    nodes: Vec<(u32, Link)>,
    blocks: usize,
    /// Per word of the translation, how many earlier links a link from the current position would cross.
    crossed: Vec<u32>,
}

impl Search {
    /// The best links in the order of the reference, and how much better others could be.
    ///
    /// An alignment to start from stands unless there is a better one.
    pub fn run(&mut self, task: &Task<'_>, start: Option<&[Link]>) -> (Vec<Link>, Gap) {
        let words = [task.sides.translation.words, task.sides.reference.words];
        self.blocks = words[0].len().div_ceil(64).max(1);
        self.collect(task);
        let (links, starts) = (&self.links, &self.starts);
        let at = |position: usize| &links[starts[position]..starts[position + 1]];
        self.prices.find(words, task.free, at, |link| task.gain(link));
        let gain = (task.fewest == Fewest::Chunks).then_some(|link| task.gain(link));
        self.outlook.find(at, words.map(<[u64]>::len), &self.prices, gain);
        let effort = self.links.len().max(1) * (self.blocks + 4);
        let mut best = start.map(|links| (self.cost(task, links), links.to_vec()));
        let mut gap = None;
        let mut tried = 0;
        for width in WIDTHS.map(|width| width.min(BUDGET / effort).max(1)) {
            if gap.is_some_and(Gap::is_closed) || width == tried {
                break;
            }
            tried = width;
            let (found, dropped) = self.attempt(task, width, best.as_ref().map(|(cost, _)| *cost));
            if let Some(state) = found
                && best.as_ref().is_none_or(|(known, _)| state.cost.main() < known.main())
            {
                best = Some((state.cost, self.chosen(state)));
            }
            gap = best.as_ref().map(|(cost, _)| Gap::of(*cost, &dropped));
        }
        (best.map(|(_, links)| links).unwrap_or_default(), gap.unwrap_or_default())
    }

    fn collect(&mut self, task: &Task<'_>) {
        self.links.clear();
        self.starts.clear();
        for position in 0..task.candidates.positions() {
            self.starts.push(self.links.len());
            self.links.extend(task.candidates.at(position).filter(|&link| task.allows(link)));
        }
        self.starts.push(self.links.len());
    }

    fn at(&self, position: usize) -> &[Link] {
        &self.links[self.starts[position]..self.starts[position + 1]]
    }

    /// What an alignment costs by chunks.
    fn cost(&self, task: &Task<'_>, links: &[Link]) -> Cost {
        let gain: i64 = links.iter().map(|&link| task.gain(link)).sum();
        Cost { loss: self.prices.total() - gain, second: chunks(links) as u32, distance: 0 }
    }

    /// One pass with so many states per layer: the best end, and the least cost of what was dropped on the way.
    fn attempt(&mut self, task: &Task<'_>, width: usize, limit: Option<Cost>) -> (Option<State>, Dropped) {
        let positions = self.starts.len() - 1;
        self.nodes.clear();
        self.layers.clear();
        self.layers.resize_with(positions + 1, Layer::default);
        self.layers[0].states.push(State {
            cost: Cost::NONE,
            ahead: 0,
            expected: CLOSED,
            node: ROOT,
            link: None,
            slot: 0,
        });
        self.layers[0].used.resize(self.blocks, 0);
        let mut dropped = Dropped::default();
        // Only words with links to come tell states apart.
        let mut relevant = vec![u64::MAX; self.blocks];
        for position in 0..positions {
            let mut layer = std::mem::take(&mut self.layers[position]);
            for state in &mut layer.states {
                state.ahead = self.outlook.ahead(position, state.expected);
            }
            if let Some(limit) = limit {
                let least = |state: &State| if limit.loss == 0 { state.promise() } else { state.cost.main() };
                layer.states.retain(|state| least(state) < limit.main());
            }
            self.merge(task, &mut layer, &relevant, position);
            layer.states.sort_by_key(|state| (state.promise(), state.cost.distance));
            if layer.states.len() > width {
                layer.states.drain(width..).for_each(|state| dropped.add(&state));
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
                for &word in &self.outlook.expiring[position] {
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
        let mut going_on = vec![0_u64; self.blocks + 1];
        if task.fewest == Fewest::Chunks {
            for link in self.at(position) {
                going_on[link.translation as usize / 64] |= 1 << (link.translation % 64);
            }
        }
        let mut known: ById<usize> = ById::default();
        let mut kept: Vec<State> = Vec::with_capacity(layer.states.len());
        for &(mut state) in &layer.states {
            let used = &mut layer.used[state.slot as usize * self.blocks..][..self.blocks];
            let expected = state.expected as usize;
            // A chunk that nothing here can go on with is as good as closed.
            if state.expected != CLOSED && going_on[expected / 64] >> (expected % 64) & 1 == 0 {
                state.expected = CLOSED;
            }
            let mut key = u64::from(state.expected);
            for (bits, mask) in used.iter_mut().zip(relevant) {
                *bits &= mask;
                key = extend(key, *bits);
            }
            match known.entry(key) {
                Entry::Occupied(entry) => {
                    let other = &mut kept[*entry.get()];
                    if state.cost < other.cost {
                        *other = state;
                    }
                }
                Entry::Vacant(entry) => {
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
        // A link behind this position is crossed from its right, one before it from its left.
        let mut running = 0_u32;
        for link in task.earlier {
            let before = (link.reference as usize) < position;
            running += u32::from(before);
            let place = link.translation as usize + usize::from(!before);
            self.crossed[place] = self.crossed[place].wrapping_add(if before { u32::MAX } else { 1 });
        }
        for count in &mut self.crossed {
            running = running.wrapping_add(*count);
            *count = running;
        }
    }

    /// A state's children: one per link that it can add, and one without.
    fn expand(&mut self, task: &Task<'_>, position: usize, state: State, used: &[u64]) {
        let is_used = |word: usize| used[word / 64] >> (word % 64) & 1 == 1;
        let kinds = task.fewest == Fewest::Crossings { kinds: true };
        let order = kinds.then(|| self.outlook.order(position, self.at(position), is_used));
        for place in self.starts[position]..self.starts[position + 1] {
            let link = self.links[place];
            if link.translation_range().any(is_used) || order.as_ref().is_some_and(|order| !order.allows(link)) {
                continue;
            }
            let mut child = state;
            child.cost.loss += self.prices.slack(link, task.gain(link));
            child.cost.distance += u64::from(link.distance());
            match task.fewest {
                Fewest::Chunks => {
                    child.cost.second += u32::from(state.expected != link.translation);
                    child.expected = link.translation_end();
                }
                Fewest::Crossings { .. } => {
                    let word = link.translation as usize;
                    child.cost.second += self.crossed[word] + used_behind(used, word);
                }
            }
            child.link = Some(link);
            self.push(position, link.reference_end() as usize, child, used);
        }
        if order.is_none_or(|order| order.may_skip) {
            let mut child = state;
            child.cost.loss += self.prices.theirs[position];
            child.expected = CLOSED;
            child.link = None;
            self.push(position, position + 1, child, used);
        }
    }

    /// Puts a child into its layer; what can be foreseen to stay without a link is lost at once.
    fn push(&mut self, from: usize, to: usize, mut child: State, used: &[u64]) {
        let layer = &mut self.layers[to];
        child.slot = layer.states.len() as u32;
        let start = layer.used.len();
        layer.used.extend_from_slice(used);
        let bits = &mut layer.used[start..];
        for word in child.link.iter().flat_map(Link::translation_range) {
            bits[word / 64] |= 1 << (word % 64);
        }
        child.cost.loss += self.outlook.lost(from..to, child.link, bits);
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
