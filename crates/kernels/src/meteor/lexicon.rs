//! What the modules look words up in, with a memory for the words of a batch.

use crate::hashing::ById;
use crate::synonyms::Synonyms;

/// The sets of synonyms of the words that were asked for, each looked up once.
pub struct Senses<'a> {
    synonyms: &'a Synonyms,
    known: ById<(u32, u32)>,
    all: Vec<u32>,
    found: Vec<u32>,
}

impl<'a> Senses<'a> {
    /// An empty memory of a dictionary.
    pub fn new(synonyms: &'a Synonyms) -> Self {
        Self { synonyms, known: ById::default(), all: Vec::new(), found: Vec::new() }
    }

    /// The sets of a word with this base form.
    pub fn of(&mut self, word: u64, base: u64) -> &[u32] {
        let (start, end) = *self.known.entry(word).or_insert_with(|| {
            self.synonyms.senses(word, base, &mut self.found);
            let start = self.all.len() as u32;
            self.all.extend_from_slice(&self.found);
            (start, self.all.len() as u32)
        });
        &self.all[start as usize..end as usize]
    }
}
