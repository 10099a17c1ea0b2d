//! Where something happens in a text: positions of the few bytes that a tokenizer has to look at.
//!
//! Tokens are short and their ends hard to foresee, so a loop that asks of each byte "does the word end here?" is
//! wrong once per word. Here 64 bytes are asked at once, and the answers are walked as bits.

/// Bytes per question.
const BLOCK: usize = 64;

/// Positions of the bytes for which `asks` is true.
pub struct Events<'a, Asks> {
    bytes: &'a [u8],
    asks: Asks,
    base: usize,
    mask: u64,
}

impl<'a, Asks: Fn(u8) -> bool> Events<'a, Asks> {
    /// The events of `bytes`, from the beginning.
    #[inline]
    pub fn new(bytes: &'a [u8], asks: Asks) -> Self {
        let mut events = Self { bytes, asks, base: 0, mask: 0 };
        events.mask = events.ask();
        events
    }

    /// The first event at or behind `position`, or the length of the text. Positions must not go back.
    #[inline]
    pub fn next(&mut self, position: usize) -> usize {
        loop {
            while self.mask != 0 {
                let event = self.base + self.mask.trailing_zeros() as usize;
                self.mask &= self.mask - 1;
                if event >= position {
                    return event;
                }
            }
            self.base += BLOCK;
            if self.base >= self.bytes.len() {
                return self.bytes.len();
            }
            self.mask = self.ask();
        }
    }

    /// One bit per byte of the block at hand.
    #[inline]
    fn ask(&self) -> u64 {
        let rest = &self.bytes[self.base.min(self.bytes.len())..];
        let mut flags = [0_u8; BLOCK];
        if let Some(block) = rest.first_chunk::<BLOCK>() {
            for (flag, &byte) in flags.iter_mut().zip(block) {
                *flag = u8::from((self.asks)(byte));
            }
        } else {
            for (flag, &byte) in flags.iter_mut().zip(rest) {
                *flag = u8::from((self.asks)(byte));
            }
        }
        let mut mask = 0;
        for (index, eight) in flags.chunks_exact(8).enumerate() {
            let eight =
                u64::from_le_bytes([eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]]);
            // Moves the lowest bit of each of eight bytes into one byte.
            mask |= (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (index * 8);
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(text: &str) -> Vec<usize> {
        let mut events = Events::new(text.as_bytes(), |byte| byte == b' ');
        let mut found = Vec::new();
        let mut position = 0;
        loop {
            position = events.next(position);
            if position >= text.len() {
                return found;
            }
            found.push(position);
            position += 1;
        }
    }

    #[test]
    fn every_position_is_found_across_blocks() {
        for length in [0, 1, 63, 64, 65, 128, 200] {
            let text: String = (0..length).map(|index| if index % 7 == 3 { ' ' } else { 'x' }).collect();
            let expected: Vec<usize> = (0..length).filter(|index| index % 7 == 3).collect();
            assert_eq!(positions(&text), expected, "{length}");
        }
    }
}
