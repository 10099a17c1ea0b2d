//! Synonyms as bytes: what a file holds, and what travels between processes.
//!
//! Little-endian throughout:
//!
//! ```text
//! magic        8 bytes   "assaysyn"
//! version      u32       1
//! suffixes     u32       1 if English suffixes are taken off, or else 0
//! sizes        6 u32     words, senses, forms, links, bases, bytes of the bases' text
//! words        u64 each  token ids, rising
//! offsets      u32 each  words + 1: where each word's senses begin
//! senses       u32 each  rising within a word
//! forms        u64 each  token ids, rising
//! offsets      u32 each  forms + 1: where each form's links begin
//! links        u32 each  places of bases
//! offsets      u32 each  bases + 1: where each base's text begins
//! text         bytes     UTF-8
//! ```

use super::Synonyms;
use super::lists::Lists;
use crate::hashing::token_id;

const MAGIC: &[u8; 8] = b"assaysyn";
const VERSION: u32 = 1;

impl Synonyms {
    /// The bytes that [`Self::from_table`] reads; equal dictionaries give equal bytes.
    pub fn to_table(&self) -> Vec<u8> {
        let text = self.bases.concat();
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, &[VERSION, u32::from(self.english_suffixes)]);
        for lists in [&self.senses, &self.exceptions] {
            put(&mut bytes, &[lists.keys.len() as u32, lists.values.len() as u32]);
        }
        put(&mut bytes, &[self.bases.len() as u32, text.len() as u32]);
        for lists in [&self.senses, &self.exceptions] {
            bytes.extend(lists.keys.iter().flat_map(|key| key.to_le_bytes()));
            put(&mut bytes, &lists.offsets);
            put(&mut bytes, &lists.values);
        }
        let ends = self.bases.iter().scan(0, |end, base| {
            *end += base.len() as u32;
            Some(*end)
        });
        put(&mut bytes, &std::iter::once(0).chain(ends).collect::<Vec<_>>());
        bytes.extend_from_slice(text.as_bytes());
        bytes
    }

    /// The dictionary that gave these bytes; what is wrong with them, if there is none.
    pub fn from_table(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err("this is no table of synonyms".to_string());
        }
        let header = reader.u32s(8)?;
        if header[0] != VERSION {
            return Err(format!("the table has version {}, but {VERSION} is wanted", header[0]));
        }
        let sizes: Vec<usize> = header[2..].iter().map(|&size| size as usize).collect();
        let senses = reader.lists(sizes[0], sizes[1])?;
        let exceptions = reader.lists(sizes[2], sizes[3])?;
        let offsets = reader.u32s(sizes[4] + 1)?;
        let text = std::str::from_utf8(reader.take(sizes[5])?).map_err(|_| "the bases are not UTF-8".to_string())?;
        if !reader.0.is_empty() {
            return Err(format!("{} bytes follow behind the table's end", reader.0.len()));
        }
        let bases: Option<Vec<String>> =
            offsets.windows(2).map(|pair| text.get(pair[0] as usize..pair[1] as usize).map(str::to_string)).collect();
        let bases = bases.ok_or("a base lies outside of the text")?;
        if exceptions.values.iter().any(|&place| place as usize >= bases.len()) {
            return Err("a form has a base that is not there".to_string());
        }
        let base_ids = bases.iter().map(|base| token_id(base)).collect();
        Ok(Self { senses, exceptions, bases, base_ids, english_suffixes: header[1] == 1 })
    }
}

fn put(bytes: &mut Vec<u8>, numbers: &[u32]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8], String> {
        let (head, rest) = self.0.split_at_checked(size).ok_or("the table is cut short")?;
        self.0 = rest;
        Ok(head)
    }

    fn u32s(&mut self, count: usize) -> Result<Vec<u32>, String> {
        let bytes = self.take(count * 4)?.chunks_exact(4);
        Ok(bytes.map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect())
    }

    fn u64s(&mut self, count: usize) -> Result<Vec<u64>, String> {
        let bytes = self.take(count * 8)?.chunks_exact(8);
        Ok(bytes.map(|eight| u64::from_le_bytes(eight.try_into().expect("eight bytes"))).collect())
    }

    fn lists(&mut self, keys: usize, values: usize) -> Result<Lists, String> {
        let lists = Lists { keys: self.u64s(keys)?, offsets: self.u32s(keys + 1)?, values: self.u32s(values)? };
        if lists.is_sound() { Ok(lists) } else { Err("the table's lists are out of order".to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Synonyms {
        Synonyms::new([("go", vec![3, 1]), ("move", vec![1])], [("went", vec!["go"]), ("gone", vec!["go", "ab"])], true)
    }

    #[test]
    fn bytes_come_back_as_they_were() {
        assert_eq!(Synonyms::from_table(&small().to_table()).unwrap(), small());
        let none = Synonyms::default();
        assert_eq!(Synonyms::from_table(&none.to_table()).unwrap(), none);
    }

    #[test]
    fn every_cut_is_noticed() {
        let bytes = small().to_table();
        for size in 0..bytes.len() {
            assert!(Synonyms::from_table(&bytes[..size]).is_err());
        }
    }

    #[test]
    fn other_bytes_are_no_table() {
        let mut bytes = small().to_table();
        bytes.push(0);
        assert!(Synonyms::from_table(&bytes).unwrap_err().contains("behind the table's end"));
        bytes.pop();
        bytes[8] = 2;
        assert!(Synonyms::from_table(&bytes).unwrap_err().contains("version 2"));
        assert!(Synonyms::from_table(b"gibberish!").unwrap_err().contains("no table"));
    }
}
