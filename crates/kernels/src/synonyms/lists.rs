//! Lists of numbers under sorted keys, in three flat arrays.

/// Keys in rising order, and for each a list; the last offset is the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    pub keys: Vec<u64>,
    pub offsets: Vec<u32>,
    pub values: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { keys: Vec::new(), offsets: vec![0], values: Vec::new() }
    }
}

impl Lists {
    /// Lists whose values are sorted, each once; those under the same key are joined.
    pub fn sorted(entries: impl IntoIterator<Item = (u64, Vec<u32>)>) -> Self {
        Self::joined(entries.into_iter().collect(), |values| {
            values.sort_unstable();
            values.dedup();
        })
    }

    /// Lists whose values stay in order, each once; those under the same key are joined.
    pub fn in_order(entries: Vec<(u64, Vec<u32>)>) -> Self {
        Self::joined(entries, |values| {
            let mut seen = std::collections::HashSet::new();
            values.retain(|&value| seen.insert(value));
        })
    }

    fn joined(mut entries: Vec<(u64, Vec<u32>)>, tidy: impl Fn(&mut Vec<u32>)) -> Self {
        entries.sort_by_key(|entry| entry.0);
        let mut lists = Self::default();
        for same in entries.chunk_by(|left, right| left.0 == right.0) {
            let mut values: Vec<u32> = same.iter().flat_map(|entry| &entry.1).copied().collect();
            tidy(&mut values);
            lists.keys.push(same[0].0);
            lists.values.extend(values);
            lists.offsets.push(lists.values.len() as u32);
        }
        lists
    }

    /// The list under a key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&[u32]> {
        let index = self.find(key)?;
        Some(&self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize])
    }

    /// Where a key is. Keys are hashes, so it is near the place that its size says.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let guess = ((u128::from(key) * self.keys.len() as u128) >> 64) as usize;
        let (mut start, mut end, mut step) = (guess, guess, 64);
        while start > 0 && self.keys[start - 1] >= key {
            start = start.saturating_sub(step);
            step *= 2;
        }
        while end < self.keys.len() && self.keys[end] <= key {
            end = (end + step).min(self.keys.len());
            step *= 2;
        }
        self.keys[start..end].binary_search(&key).ok().map(|index| start + index)
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether keys rise and every list lies within the values: checked once, when a table is read.
    pub fn is_sound(&self) -> bool {
        self.keys.windows(2).all(|pair| pair[0] < pair[1])
            && self.offsets.len() == self.keys.len() + 1
            && self.offsets[0] == 0
            && self.offsets.windows(2).all(|pair| pair[0] <= pair[1])
            && self.offsets[self.keys.len()] as usize == self.values.len()
    }
}
