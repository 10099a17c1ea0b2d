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
    /// Chunks that have to begin here or later, if no word may be lost.
    pub chunks_ahead: Vec<u32>,
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
    /// Looks ahead, for a translation and a reference with so many words.
    pub fn find<'a>(
        &mut self,
        at: impl Fn(usize) -> &'a [Link],
        lengths: [usize; 2],
        prices: &Prices,
        count_chunks: bool,
    ) {
        self.blocks = lengths[0].div_ceil(64).max(1);
        self.find_last_links(&at, lengths, prices);
        self.find_classes(&at, lengths, prices);
        self.find_chunks(&at, lengths, prices, count_chunks);
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

    fn find_chunks<'a>(
        &mut self,
        at: &impl Fn(usize) -> &'a [Link],
        lengths: [usize; 2],
        prices: &Prices,
        count_chunks: bool,
    ) {
        self.chunks_ahead.clear();
        self.chunks_ahead.resize(lengths[1] + 1, 0);
        if !count_chunks {
            return;
        }
        // Where links end on both sides, others may go on: a row of bits per word of the reference.
        let row = lengths[0] / 64 + 1;
        let mut ends = vec![0_u64; (lengths[1] + 1) * row];
        let mut covered = 0;
        for position in 0..lengths[1] {
            let mut goes_on = position < covered;
            for link in at(position) {
                let (start, end) = (link.translation as usize, link.translation_end() as usize);
                goes_on |= ends[position * row + start / 64] >> (start % 64) & 1 == 1;
                ends[link.reference_end() as usize * row + end / 64] |= 1 << (end % 64);
                covered = covered.max(link.reference_end() as usize);
            }
            self.chunks_ahead[position] = u32::from(!goes_on && prices.theirs[position] > 0);
        }
        for position in (0..lengths[1]).rev() {
            self.chunks_ahead[position] += self.chunks_ahead[position + 1];
        }
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
