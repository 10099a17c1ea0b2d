//! The words of one pair of texts as small numbers, with the places where each stands in the reference.

use crate::room::reserve;

/// A translation and a reference; a word has the same number on both sides.
#[derive(Default)]
pub struct Words {
    /// Numbers from 1, in the order in which words first appear.
    pub reference: Vec<u32>,
    /// The same numbers; 0 for a word that the reference lacks.
    pub translation: Vec<u32>,
    /// How many 64-bit words a column of the table takes.
    pub blocks: usize,
    /// Per number `blocks` words of bits: the places of the reference where the word stands.
    bits: Vec<u64>,
    /// Open addressing: an id and its number.
    slots: Vec<(u64, u32)>,
    /// The first place of each number, and behind each place the next one of the same word.
    first: Vec<u32>,
    next: Vec<u32>,
}

/// The end of a list of places.
const NOWHERE: u32 = u32::MAX;

impl Words {
    /// Numbers the words of a pair, whose texts must not be longer than a 32-bit number can say.
    pub fn build(&mut self, translation: &[u64], reference: &[u64]) {
        self.blocks = reference.len().div_ceil(64).max(1);
        self.slots.clear();
        self.slots.resize((reference.len() * 2).next_power_of_two().max(16), (0, 0));
        self.bits.clear();
        self.bits.resize(self.blocks, 0);
        self.reference.clear();
        self.first.clear();
        self.first.push(NOWHERE);
        for (place, &id) in reference.iter().enumerate() {
            let slot = self.slot(id);
            if self.slots[slot].1 == 0 {
                self.slots[slot] = (id, self.first.len() as u32);
                self.first.push(NOWHERE);
                reserve(&mut self.bits, self.blocks);
                self.bits.resize(self.bits.len() + self.blocks, 0);
            }
            let number = self.slots[slot].1;
            self.bits[number as usize * self.blocks + place / 64] |= 1 << (place % 64);
            self.reference.push(number);
        }
        self.next.clear();
        self.next.resize(reference.len(), NOWHERE);
        for (place, &number) in self.reference.iter().enumerate().rev() {
            self.next[place] = self.first[number as usize];
            self.first[number as usize] = place as u32;
        }
        self.translation.clear();
        for &id in translation {
            self.translation.push(self.slots[self.slot(id)].1);
        }
    }

    /// Where the id is, or where it would go.
    #[inline]
    fn slot(&self, id: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = id.wrapping_mul(0x9E37_79B9_7F4A_7C15) as usize >> 32 & mask;
        while self.slots[index].1 != 0 && self.slots[index].0 != id {
            index = (index + 1) & mask;
        }
        index
    }

    /// The places of a word in the reference, as bits.
    #[inline]
    pub fn mask(&self, number: u32) -> &[u64] {
        &self.bits[number as usize * self.blocks..(number as usize + 1) * self.blocks]
    }

    /// The places of a word in the reference, from left to right.
    pub fn places(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        let mut place = self.first[number as usize];
        std::iter::from_fn(move || {
            let found = (place != NOWHERE).then_some(place as usize)?;
            place = self.next[found];
            Some(found)
        })
    }

    /// No order of the translation's words has fewer edits than this: words that lack a partner cost one each.
    pub fn fewest_edits(&self, counts: &mut Vec<u32>) -> usize {
        counts.clear();
        counts.resize(self.first.len(), 0);
        for &number in &self.reference {
            counts[number as usize] += 1;
        }
        let mut matched = 0;
        for &number in &self.translation {
            let left = &mut counts[number as usize];
            matched += usize::from(*left > 0);
            *left = left.saturating_sub(1);
        }
        self.translation.len().max(self.reference.len()) - matched
    }
}
