//! Sequences of ids, one per segment, in two flat arrays.

use std::ops::Range;

/// Borrowed ids and the offsets at which segments begin; the last offset is the end.
#[derive(Clone, Copy, Debug)]
pub struct Sequences<'a> {
    /// All ids, one segment after the other.
    pub ids: &'a [u64],
    /// One more than there are segments.
    pub offsets: &'a [i64],
}

impl<'a> Sequences<'a> {
    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no segment at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of one segment.
    #[inline]
    pub fn segment(&self, index: usize) -> &'a [u64] {
        &self.ids[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Whether every offset lies within the ids and none goes back: checked once, at the door.
    pub fn is_sound(&self) -> bool {
        !self.offsets.is_empty()
            && self.offsets[0] == 0
            && self.offsets.windows(2).all(|pair| pair[0] <= pair[1])
            && self.offsets[self.offsets.len() - 1] as usize == self.ids.len()
    }
}

/// Borrowed texts: a buffer, and where each text begins and ends in it.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The bytes, valid UTF-8 within each text.
    pub buffer: &'a [u8],
    /// Where each text begins.
    pub starts: &'a [i64],
    /// Where each text ends.
    pub ends: &'a [i64],
}

impl<'a> Texts<'a> {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// All that a range of texts covers, as one string, and where it begins in the buffer.
    ///
    /// Texts mostly stand one behind the other, so one check for all is faster than one for each. A text that is not
    /// UTF-8 gives its index as the error.
    pub fn stretch(&self, range: Range<usize>) -> Result<(&'a str, usize), usize> {
        let start = range.clone().map(|index| self.starts[index]).min().unwrap_or(0) as usize;
        let end = range.clone().map(|index| self.ends[index]).max().unwrap_or(0) as usize;
        let text = simdutf8::basic::from_utf8(&self.buffer[start..end]).map_err(|_| {
            let is_bad = |&index: &usize| std::str::from_utf8(self.bytes(index)).is_err();
            range.clone().find(is_bad).unwrap_or(range.start)
        })?;
        Ok((text, start))
    }

    /// How many bytes the longest of some texts has.
    pub fn longest(&self, range: Range<usize>) -> usize {
        range.map(|index| self.bytes(index).len()).max().unwrap_or(0)
    }

    /// The bytes of one text.
    #[inline]
    pub fn bytes(&self, index: usize) -> &'a [u8] {
        &self.buffer[self.starts[index] as usize..self.ends[index] as usize]
    }
}
