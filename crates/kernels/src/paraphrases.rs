//! Paraphrases: phrases that may stand for one another, looked up by the key of their words.

mod reader;

pub use reader::{Flaw, Reader};

/// For each phrase its paraphrases, in the order of the table that they come from.
///
/// A phrase is known by its key: `EMPTY`, extended by the id of each of its words.
///
/// ```
/// use assay_kernels::hashing::{EMPTY, extend, token_id};
/// use assay_kernels::paraphrases::Reader;
///
/// let key = |phrase: &str| phrase.split(' ').fold(EMPTY, |key, word| extend(key, token_id(word)));
/// let mut reader = Reader::default();
/// reader.feed(b"0.5\nkick the bucket\ndie\n0.2\nkick the bucket\npass away\n").unwrap();
/// let paraphrases = reader.finish().unwrap();
/// let found: Vec<_> = paraphrases.of(key("kick the bucket")).collect();
/// assert_eq!(found, [(key("die"), 1), (key("pass away"), 2)]);
/// assert_eq!(paraphrases.of(key("die")).count(), 0);
/// assert_eq!(paraphrases.longest(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Paraphrases {
    /// Keys of phrases, rising.
    phrases: Vec<u64>,
    /// Where the paraphrases of each phrase begin; the last is the end.
    offsets: Vec<u32>,
    /// Keys of paraphrases.
    keys: Vec<u64>,
    /// How many words each paraphrase has.
    lengths: Vec<u8>,
    /// Where phrases begin whose key has these first bits: a shortcut for the look-up.
    directory: Vec<u32>,
    shift: u32,
    longest: usize,
    digest: u128,
}

impl Paraphrases {
    /// The key and the number of words of each paraphrase of a phrase.
    #[inline]
    pub fn of(&self, phrase: u64) -> impl Iterator<Item = (u64, usize)> + '_ {
        let range =
            self.find(phrase).map_or(0..0, |index| self.offsets[index] as usize..self.offsets[index + 1] as usize);
        range.map(|place| (self.keys[place], usize::from(self.lengths[place])))
    }

    /// How many paraphrases there are in all.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many phrases have a paraphrase.
    pub fn phrases(&self) -> usize {
        self.phrases.len()
    }

    /// The words of the longest phrase or paraphrase.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// A 128-bit digest of the table's text.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    #[inline]
    fn find(&self, phrase: u64) -> Option<usize> {
        let bucket = (phrase >> self.shift) as usize;
        let (start, end) = (self.directory[bucket] as usize, self.directory[bucket + 1] as usize);
        let found = self.phrases[start..end].iter().position(|&known| known == phrase);
        found.map(|index| start + index)
    }
}

/// About one phrase per bucket, and how far a key is shifted to give its bucket.
fn directory(phrases: &[u64]) -> (Vec<u32>, u32) {
    let bits = phrases.len().max(2).ilog2();
    let shift = 64 - bits;
    let mut starts = vec![0; (1 << bits) + 1];
    for phrase in phrases {
        starts[(phrase >> shift) as usize + 1] += 1;
    }
    for bucket in 1..starts.len() {
        starts[bucket] += starts[bucket - 1];
    }
    (starts, shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::{EMPTY, extend, token_id};

    fn key(phrase: &str) -> u64 {
        phrase.split(' ').fold(EMPTY, |key, word| extend(key, token_id(word)))
    }

    fn read(table: &str) -> Paraphrases {
        let mut reader = Reader::default();
        reader.feed(table.as_bytes()).unwrap();
        reader.finish().unwrap()
    }

    #[test]
    fn order_and_repetitions_stay_though_a_phrase_comes_back() {
        let table = read("1\na\nx\n1\nb\ny\n1\na\nw v\n1\na\nx\n");
        assert_eq!(table.of(key("a")).collect::<Vec<_>>(), [(key("x"), 1), (key("w v"), 2), (key("x"), 1)]);
        assert_eq!(table.of(key("b")).collect::<Vec<_>>(), [(key("y"), 1)]);
        assert_eq!((table.len(), table.phrases(), table.longest()), (4, 2, 2));
    }

    #[test]
    fn every_phrase_is_found_and_no_other() {
        use std::fmt::Write;
        let mut text = String::new();
        for number in 0..5000 {
            write!(text, "0.1\nphrase {number}\nother {number}\n").unwrap();
        }
        let table = read(&text);
        for number in 0..5000 {
            let expected = [(key(&format!("other {number}")), 2)];
            assert_eq!(table.of(key(&format!("phrase {number}"))).collect::<Vec<_>>(), expected);
            assert_eq!(table.of(key(&format!("other {number}"))).count(), 0);
        }
    }

    #[test]
    fn an_empty_table_has_nothing() {
        assert_eq!(read("").of(key("a")).count(), 0);
        assert!(read("\n\n").is_empty());
    }
}
