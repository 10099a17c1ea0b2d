//! What the search can foresee at each word of the reference: which words of the translation will stay without a link,
//! how many chunks have to follow, and in which order words of one kind are linked.

use std::ops::Range;

use super::Link;
use super::prices::Prices;

/// Equal words of the translation that have a price.
struct Class {
    price: i64,
    words: u32,
    /// The words, as bits in the blocks from here on.
    mask: usize,
}

/// Looked up by position of the reference.
#[derive(Default)]
pub struct Outlook {
    /// Words of the translation whose last link begins here.
    pub expiring: Vec<Vec<u32>>,
    /// Chunks that have to begin here or later if no chunk is open and no word may be lost.
    chunks_ahead: Vec<u32>,
    /// Chunks that have to begin later if an open chunk goes on here with each word of the translation: a row per position.
    going_on: Vec<u32>,
    row: usize,
    /// Classes with a link here, and how many later positions have one.
    meetings: Vec<Vec<(u32, u32)>>,
    classes: Vec<Class>,
    masks: Vec<u64>,
    blocks: usize,
    /// The prices of words that phrases cover: no class tells when these are lost.
    phrase_words: Vec<i64>,
    /// How many positions have the same links as this one, and how many of them come later.
    same: Vec<(u32, u32)>,
}

/// Which links keep the words of one kind in order, and still link as many as can be.
pub struct Order {
    first: u32,
    last: u32,
    /// Whether this position can do without a link.
    pub may_skip: bool,
}

impl Order {
    /// Whether a link is among them.
    pub fn allows(&self, link: Link) -> bool {
        (self.first..=self.last).contains(&link.translation)
    }
}

impl Outlook {
    /// Looks ahead, for a translation and a reference with so many words. With `gain`, what a link is worth, it counts
    /// chunks.
    pub fn find<'a>(
        &mut self,
        at: impl Fn(usize) -> &'a [Link],
        lengths: [usize; 2],
        prices: &Prices,
        gain: Option<impl Fn(Link) -> i64>,
    ) {
        self.blocks = lengths[0].div_ceil(64).max(1);
        self.find_last_links(&at, lengths, prices);
        self.find_classes(&at, lengths, prices);
        self.row = lengths[0] + 1;
        self.going_on.clear();
        self.chunks_ahead.clear();
        self.chunks_ahead.resize(lengths[1] + 1, 0);
        if let Some(gain) = gain {
            self.find_chunks(&at, lengths, prices, gain);
        }
        // Words of one kind have the same links, so their first one tells kinds apart.
        let mut later = vec![0; lengths[0]];
        self.same.clear();
        self.same.resize(lengths[1], (0, 0));
        for position in (0..lengths[1]).rev() {
            if let Some(link) = at(position).first() {
                self.same[position].1 = later[link.translation as usize];
                later[link.translation as usize] += 1;
            }
        }
        for position in 0..lengths[1] {
            if let Some(link) = at(position).first() {
                self.same[position].0 = later[link.translation as usize];
            }
        }
    }

    fn find_last_links<'a>(&mut self, at: &impl Fn(usize) -> &'a [Link], lengths: [usize; 2], prices: &Prices) {
        let mut last = vec![None; lengths[0]];
        self.phrase_words.clear();
        self.phrase_words.resize(lengths[0], 0);
        for position in 0..lengths[1] {
            for link in at(position) {
                last[link.translation_range()].fill(Some(position));
                if link.is_phrase() {
                    for word in link.translation_range() {
                        self.phrase_words[word] = prices.ours[word];
                    }
                }
            }
        }
        self.expiring.clear();
        self.expiring.resize(lengths[1], Vec::new());
        for (word, position) in last.into_iter().enumerate() {
            if let Some(position) = position {
                self.expiring[position].push(word as u32);
            }
        }
    }

    fn find_classes<'a>(&mut self, at: &impl Fn(usize) -> &'a [Link], lengths: [usize; 2], prices: &Prices) {
        const NONE: u32 = u32::MAX;
        self.classes.clear();
        self.masks.clear();
        let mut numbers = vec![NONE; lengths[0]];
        for word in 0..lengths[0] {
            if prices.ours[word] == 0 || self.phrase_words[word] > 0 {
                continue;
            }
            let number = &mut numbers[prices.classes[word]];
            if *number == NONE {
                *number = self.classes.len() as u32;
                self.classes.push(Class { price: prices.ours[word], words: 0, mask: self.masks.len() });
                self.masks.resize(self.masks.len() + self.blocks, 0);
            }
            let class = &mut self.classes[*number as usize];
            class.words += 1;
            self.masks[class.mask + word / 64] |= 1 << (word % 64);
        }
        let mut later = vec![0; self.classes.len()];
        self.meetings.clear();
        self.meetings.resize(lengths[1], Vec::new());
        for position in (0..lengths[1]).rev() {
            let meetings = &mut self.meetings[position];
            for link in at(position).iter().filter(|link| !link.is_phrase()) {
                let word = link.translation as usize;
                let number = numbers[prices.classes[word]];
                if number != NONE && self.phrase_words[word] == 0 && meetings.iter().all(|known| known.0 != number) {
                    meetings.push((number, later[number as usize]));
                }
            }
            for &(number, _) in meetings.iter() {
                later[number as usize] += 1;
            }
        }
    }

    /// The fewest chunks from each position on, if words of the translation could be linked more than once.
    ///
    /// From the last position to the first: a link begins a chunk unless it goes on where the open one stopped. Only
    /// links that lose nothing count, and only words without a price may stay without one.
    fn find_chunks<'a>(
        &mut self,
        at: &impl Fn(usize) -> &'a [Link],
        lengths: [usize; 2],
        prices: &Prices,
        gain: impl Fn(Link) -> i64,
    ) {
        self.going_on.resize(lengths[1] * self.row, u32::MAX);
        for position in (0..lengths[1]).rev() {
            let mut fewest = if prices.theirs[position] == 0 { self.chunks_ahead[position + 1] } else { u32::MAX };
            for &link in at(position).iter().filter(|&&link| prices.slack(link, gain(link)) == 0) {
                let later = self.ahead(link.reference_end() as usize, link.translation_end());
                let place = position * self.row + link.translation as usize;
                self.going_on[place] = self.going_on[place].min(later);
                fewest = fewest.min(later + 1);
            }
            // A word that must be linked and cannot: no way from here loses nothing, so any number is right.
            self.chunks_ahead[position] = if fewest == u32::MAX { 0 } else { fewest };
        }
    }

    /// How many chunks have to begin here or later, with a chunk open that would go on with `expected`.
    pub fn ahead(&self, position: usize, expected: u32) -> u32 {
        let closed = self.chunks_ahead[position];
        if expected as usize >= self.row || (position + 1) * self.row > self.going_on.len() {
            return closed;
        }
        closed.min(self.going_on[position * self.row + expected as usize])
    }

    /// The price of words that cannot get a link any more once these positions are passed, with `link` if there is one.
    ///
    /// Of equal words as many are lost as there are more without a link than positions left to link them with.
    pub fn lost(&self, passed: Range<usize>, link: Option<Link>, used: &[u64]) -> i64 {
        let mut lost = 0;
        for position in passed.clone() {
            for &(number, later) in &self.meetings[position] {
                let class = &self.classes[number as usize];
                let mask = &self.masks[class.mask..class.mask + self.blocks];
                let linked: u32 = used.iter().zip(mask).map(|(used, mask)| (used & mask).count_ones()).sum();
                let taken = |link: &Link| {
                    link.reference as usize == position
                        && !link.is_phrase()
                        && mask[link.translation as usize / 64] >> (link.translation % 64) & 1 == 1
                };
                if !link.as_ref().is_some_and(taken) && class.words - linked > later {
                    lost += class.price;
                }
            }
            for &word in &self.expiring[position] {
                if used[word as usize / 64] >> (word % 64) & 1 == 0 {
                    lost += self.phrase_words[word as usize];
                }
            }
        }
        lost
    }

    /// The order of a kind's links, of which `is_used` tells those that were used.
    pub fn order(&self, position: usize, links: &[Link], is_used: impl Fn(usize) -> bool) -> Order {
        let used = links.iter().filter(|link| is_used(link.translation as usize)).count();
        let next = links.iter().rposition(|link| is_used(link.translation as usize)).map_or(0, |last| last + 1);
        let (all, later) = (self.same[position].0 as usize, self.same[position].1 as usize);
        let wanted = all.min(links.len()) - used;
        // As many words as are still wanted have to be left for the positions to come.
        let left = links.len() - next;
        let last = if wanted == 0 || left < wanted { None } else { links.get(links.len() - wanted) };
        Order {
            first: links.get(next).map_or(u32::MAX, |link| link.translation),
            last: last.map_or(0, |link| link.translation),
            may_skip: later >= wanted,
        }
    }
}
