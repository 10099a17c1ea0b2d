//! METEOR's format: three lines per entry, which are a probability, a phrase and its paraphrase.

use memchr::{memchr_iter, memrchr};
use xxhash_rust::xxh3::Xxh3;

use super::{Paraphrases, directory};
use crate::hashing::{EMPTY, extend, token_id};

/// What is wrong with a table, and in which line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what should be there.
    pub what: String,
}

/// Entries of one phrase that stand together in the table.
struct Run {
    phrase: u64,
    start: u32,
    end: u32,
}

/// Reads a table piece by piece; the pieces may end anywhere.
#[derive(Default)]
pub struct Reader {
    /// The beginning of a line whose end has not come yet.
    rest: Vec<u8>,
    line: usize,
    /// How many lines of the current entry have come.
    part: usize,
    /// The current phrase and its key: a table mostly has the same one many times in a row.
    phrase: String,
    phrase_key: u64,
    runs: Vec<Run>,
    keys: Vec<u64>,
    lengths: Vec<u8>,
    longest: usize,
    state: Xxh3,
}

impl Reader {
    /// Reads on.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        self.state.update(bytes);
        let Some(newline) = memrchr(b'\n', bytes) else {
            self.rest.extend_from_slice(bytes);
            return Ok(());
        };
        if self.rest.is_empty() {
            self.lines(&bytes[..=newline])?;
        } else {
            let mut whole = std::mem::take(&mut self.rest);
            whole.extend_from_slice(&bytes[..=newline]);
            self.lines(&whole)?;
        }
        self.rest.extend_from_slice(&bytes[newline + 1..]);
        Ok(())
    }

    /// The table, when all of it has been read.
    pub fn finish(mut self) -> Result<Paraphrases, Flaw> {
        if !self.rest.is_empty() {
            let mut last = std::mem::take(&mut self.rest);
            last.push(b'\n');
            self.lines(&last)?;
        }
        if self.part > 0 {
            return Err(
                self.flaw("the last entry is cut short. An entry is a probability, a phrase and its paraphrase")
            );
        }
        self.runs.sort_by_key(|run| (run.phrase, run.start));
        let mut phrases: Vec<u64> = Vec::new();
        let mut offsets = vec![0];
        let mut keys = Vec::with_capacity(self.keys.len());
        let mut lengths = Vec::with_capacity(self.lengths.len());
        for run in &self.runs {
            let entries = run.start as usize..run.end as usize;
            keys.extend_from_slice(&self.keys[entries.clone()]);
            lengths.extend_from_slice(&self.lengths[entries]);
            if phrases.last() == Some(&run.phrase) {
                offsets.pop();
            } else {
                phrases.push(run.phrase);
            }
            offsets.push(keys.len() as u32);
        }
        let (directory, shift) = directory(&phrases);
        let (longest, digest) = (self.longest, self.state.digest128());
        Ok(Paraphrases { phrases, offsets, keys, lengths, directory, shift, longest, digest })
    }

    /// Whole lines, each with its end.
    fn lines(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        let text = simdutf8::compat::from_utf8(bytes).map_err(|error| {
            self.line += memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count() + 1;
            self.flaw("not UTF-8. Save the table as UTF-8, plain or gzipped")
        })?;
        let mut start = 0;
        for newline in memchr_iter(b'\n', bytes) {
            let line = &text[start..newline];
            start = newline + 1;
            self.line += 1;
            self.entry_line(line.strip_suffix('\r').unwrap_or(line))?;
        }
        Ok(())
    }

    fn entry_line(&mut self, line: &str) -> Result<(), Flaw> {
        if self.part == 0 {
            // An empty line between entries does no harm.
            if line.trim().is_empty() {
                return Ok(());
            }
            if !line.trim().parse::<f64>().is_ok_and(f64::is_finite) {
                // What stands there is not repeated: whoever names the file need not be its owner.
                return Err(self.flaw("no probability, with which an entry begins"));
            }
            self.part = 1;
            return Ok(());
        }
        if self.part == 1 {
            if line != self.phrase || line.is_empty() {
                self.phrase_key = self.key(line)?.0;
                self.phrase.clear();
                self.phrase.push_str(line);
            }
            self.part = 2;
            return Ok(());
        }
        let (key, length) = self.key(line)?;
        self.part = 0;
        self.push(key, length)
    }

    /// The key of a phrase, and its number of words.
    fn key(&mut self, phrase: &str) -> Result<(u64, u8), Flaw> {
        let mut words = 0;
        let mut key = EMPTY;
        for word in phrase.split_ascii_whitespace() {
            key = extend(key, token_id(word));
            words += 1;
        }
        self.longest = self.longest.max(words);
        match u8::try_from(words) {
            Ok(0) => Err(self.flaw("a phrase is expected here, but the line is empty")),
            Ok(length) => Ok((key, length)),
            Err(_) => Err(self.flaw(&format!("a phrase of {words} words, but 255 is the most"))),
        }
    }

    fn push(&mut self, key: u64, length: u8) -> Result<(), Flaw> {
        let Ok(end) = u32::try_from(self.keys.len() + 1) else {
            return Err(self.flaw("more than 2^32 entries"));
        };
        self.keys.push(key);
        self.lengths.push(length);
        match self.runs.last_mut() {
            Some(run) if run.phrase == self.phrase_key => run.end = end,
            _ => self.runs.push(Run { phrase: self.phrase_key, start: end - 1, end }),
        }
        Ok(())
    }

    fn flaw(&self, what: &str) -> Flaw {
        Flaw { line: self.line, what: what.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(table: &[u8], size: usize) -> Result<Paraphrases, Flaw> {
        let mut reader = Reader::default();
        for piece in table.chunks(size) {
            reader.feed(piece)?;
        }
        reader.finish()
    }

    fn flaw(table: &[u8]) -> (usize, String) {
        let flaw = read(table, 1000).unwrap_err();
        assert_eq!(read(table, 2).unwrap_err(), flaw);
        (flaw.line, flaw.what)
    }

    #[test]
    fn pieces_may_end_anywhere() {
        let table = "0.5\r\nfür\r\nx y\r\n\n1e-3\na\nö";
        let whole = read(table.as_bytes(), 1000).unwrap();
        for size in 1..table.len() {
            let pieces = read(table.as_bytes(), size).unwrap();
            assert_eq!((pieces.keys, pieces.digest), (whole.keys.clone(), whole.digest));
        }
        assert_eq!((whole.len(), whole.longest()), (2, 2));
    }

    #[test]
    fn flaws_name_their_line() {
        assert!(matches!(flaw(b"1\na\nb\n1\na\n"), (5, what) if what.contains("cut short")));
        assert!(matches!(flaw(b"1\na\nb\n1"), (4, what) if what.contains("cut short")));
        assert!(
            matches!(flaw(b"1\na\nb\nlikely\na\nb\n"), (4, what) if what == "no probability, with which an entry begins")
        );
        assert!(matches!(flaw(b"nan\na\nb\n"), (1, what) if what.contains("no probability")));
        assert!(matches!(flaw(b"1\n \nb\n"), (2, what) if what.contains("line is empty")));
        assert!(matches!(flaw(b"1\na\n\n"), (3, what) if what.contains("line is empty")));
        assert!(matches!(flaw(b"1\na\n\xff\n"), (3, what) if what.contains("not UTF-8")));
        assert!(matches!(flaw(b"1\na\n\xff"), (3, what) if what.contains("not UTF-8")));
        assert!(matches!(flaw(format!("1\n{}", "w ".repeat(256)).as_bytes()), (2, what) if what.contains("256 words")));
    }
}
