//! A small hash table from ids to chains of numbers, emptied in no time between segments.

/// The end of a chain.
const END: u32 = u32::MAX;

#[derive(Clone, Copy, Default)]
struct Slot {
    id: u64,
    /// The round in which the slot was filled; others are empty.
    round: u32,
    head: u32,
}

/// Numbers by id; those of one id come out in the reverse order of going in.
#[derive(Default)]
pub struct Chains {
    slots: Vec<Slot>,
    round: u32,
    /// A number, and the next link of its chain.
    links: Vec<(u32, u32)>,
}

impl Chains {
    /// Forgets everything, and makes room for as many ids.
    pub fn clear(&mut self, ids: usize) {
        let size = (ids * 2).next_power_of_two().max(64);
        if self.slots.len() < size || self.round == u32::MAX {
            self.slots.clear();
            self.slots.resize(size, Slot::default());
            self.round = 0;
        }
        self.round += 1;
        self.links.clear();
    }

    /// Puts `number` in front of the chain of `id`.
    #[inline]
    pub fn push(&mut self, id: u64, number: u32) {
        let index = self.index(id);
        let slot = &mut self.slots[index];
        let next = if slot.round == self.round { slot.head } else { END };
        *slot = Slot { id, round: self.round, head: self.links.len() as u32 };
        self.links.push((number, next));
    }

    /// The numbers of `id`, the last one first.
    #[inline]
    pub fn of(&self, id: u64) -> impl Iterator<Item = u32> + '_ {
        let slot = self.slots[self.index(id)];
        let mut next = if slot.round == self.round { slot.head } else { END };
        std::iter::from_fn(move || {
            let &(number, following) = self.links.get(next as usize)?;
            next = following;
            Some(number)
        })
    }

    /// The number of `id` that went in last.
    #[inline]
    pub fn last(&self, id: u64) -> Option<u32> {
        self.of(id).next()
    }

    /// Where the id is, or where it would go.
    #[inline]
    fn index(&self, id: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = (id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.slots[index].round == self.round && self.slots[index].id != id {
            index = (index + 1) & mask;
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_keep_their_own_numbers_and_forget_between_rounds() {
        let mut chains = Chains::default();
        chains.clear(3);
        for (id, number) in [(7, 2), (8, 1), (7, 0)] {
            chains.push(id, number);
        }
        assert_eq!(chains.of(7).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(chains.of(9).count(), 0);
        chains.clear(100);
        assert_eq!(chains.of(7).count(), 0);
    }
}
