//! Cutting off punctuation as mteval's chain of substitutions does, in one pass.
//!
//! mteval runs these substitutions one after the other over the whole text, where `.` stands for
//! a full stop or comma (any punctuation, in the international version) and `9` for a digit:
//!
//! 1. each symbol is set off by spaces;
//! 2. `([^9])(\.)` becomes `$1 $2 `;
//! 3. `(\.)([^9])` becomes ` $1 $2`;
//! 4. `(9)(-)` becomes `$1 $2 ` (not in the international version).
//!
//! They only insert spaces, so tokens are slices of the text. What happens to a run of stops depends on its
//! length and neighbours alone, because a match consumes its neighbour: after a non-digit the substitution 2 pairs
//! (neighbour, first), (second, third) and so on; after a digit, or at the very start, (first, second) and so on.
//! A last stop that no pair took keeps hold of a digit behind it.

use crate::characters::Spaces;
use crate::events::Events;

/// What a character means to a tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Part of a word.
    Letter,
    /// A digit, which may hold a stop.
    Digit,
    /// White space: separates.
    Space,
    /// Always a token of its own.
    Symbol,
    /// Full stop or comma, or any punctuation: a token of its own unless digits hold it.
    Stop,
    /// A hyphen, where one behind a digit is cut off.
    Dash,
    /// The first byte of a character that has to be looked at whole.
    Unknown,
}

/// How one tokenizer sees characters, and where it puts spaces first.
pub struct Rules {
    /// By first byte; bytes within a character are letters.
    pub bytes: [Class; 256],
    /// For what begins with an unknown byte; never unknown again.
    pub other: fn(char) -> Class,
    /// Whether the program puts a space at either end first: then a final stop behind a digit comes off.
    pub padded: bool,
}

impl Rules {
    /// The class of the character at `position`, and its width in bytes (1 within a letter's bytes).
    #[inline]
    fn at(&self, text: &str, position: usize) -> (Class, usize) {
        match self.bytes[text.as_bytes()[position] as usize] {
            Class::Unknown => {
                let character = text[position..].chars().next().unwrap_or(' ');
                ((self.other)(character), character.len_utf8())
            }
            class => (class, 1),
        }
    }

    /// The class of the character before `position`, if there is one.
    fn before(&self, text: &str, position: usize) -> Option<Class> {
        let character = text[..position].chars().next_back()?;
        let byte = text.as_bytes()[position - character.len_utf8()];
        Some(match self.bytes[byte as usize] {
            Class::Unknown => (self.other)(character),
            class => class,
        })
    }

    /// The class of the character at `position`, if there is one.
    fn after(&self, text: &str, position: usize) -> Option<Class> {
        (position < text.len()).then(|| self.at(text, position).0)
    }

    /// Hands the tokens of `text` to `emit`; `asks` must be true of every byte that is not part of a word, and may be of others.
    #[inline]
    pub fn tokens(&self, text: &str, asks: impl Fn(u8) -> bool, mut emit: impl FnMut(&str)) {
        let bytes = text.as_bytes();
        let mut events = Events::new(bytes, asks);
        // A word begins at `start`; it is empty while `start` is `position`.
        let (mut start, mut position) = (0, 0);
        loop {
            position = events.next(position);
            if position >= bytes.len() {
                break;
            }
            let (class, width) = self.at(text, position);
            let cut = match class {
                Class::Letter | Class::Digit | Class::Unknown => false,
                Class::Space | Class::Symbol => true,
                Class::Dash => position > 0 && bytes[position - 1].is_ascii_digit(),
                Class::Stop => {
                    let run = self.run(text, position);
                    if start < position && !run.holds_before {
                        emit(&text[start..position]);
                    }
                    if !run.holds_before {
                        for (offset, stop) in text[position..run.cut].char_indices() {
                            emit(&text[position + offset..position + offset + stop.len_utf8()]);
                        }
                        start = run.cut;
                    }
                    position = run.end;
                    continue;
                }
            };
            if cut {
                if start < position {
                    emit(&text[start..position]);
                }
                if class != Class::Space {
                    emit(&text[position..position + width]);
                }
                start = position + width;
            }
            position += width;
        }
        if start < bytes.len() {
            emit(&text[start..]);
        }
    }

    /// What becomes of the run of stops that begins at `position`.
    fn run(&self, text: &str, position: usize) -> Run {
        let (mut last, mut end, mut length) = (position, position, 0_usize);
        while end < text.len() {
            let (class, width) = self.at(text, end);
            if class != Class::Stop {
                break;
            }
            (last, end) = (end, end + width);
            length += 1;
        }
        let before = self.before(text, position).or(self.padded.then_some(Class::Space));
        let after = self.after(text, end).or(self.padded.then_some(Class::Space));
        let pairs_with_neighbour = before.is_some_and(|class| class != Class::Digit);
        let unpaired = (length % 2 == 0) == pairs_with_neighbour;
        let holds_after = unpaired && after == Some(Class::Digit);
        let holds_before = unpaired && length == 1 && (holds_after || after.is_none());
        Run { end, cut: if holds_after { last } else { end }, holds_before }
    }
}

/// A run of stops: those before `cut` are tokens, one behind it begins a word.
struct Run {
    end: usize,
    cut: usize,
    /// The only stop stays where it is, in the middle or at the end of a word.
    holds_before: bool,
}

/// Classes of the ASCII characters in mteval's tokenizer for Western languages; others are unknown where a
/// space may begin, and letters elsewhere.
pub const WESTERN: [Class; 256] = {
    let mut table = [Class::Letter; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => Class::Digit,
            b'.' | b',' => Class::Stop,
            b'-' => Class::Dash,
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Class::Space,
            b'!'..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => Class::Symbol,
            0xC2 | 0xE1..=0xE3 => Class::Unknown,
            _ => Class::Letter,
        };
        byte += 1;
    }
    table
};

/// Bytes at which a Western word may end.
#[inline]
pub fn asks_western(byte: u8) -> bool {
    !(byte.is_ascii_alphanumeric() | (byte == b'\'') | (byte >= 0x80)) | (byte == 0xC2) | (0xE1..=0xE3).contains(&byte)
}

/// Beyond ASCII, mteval's tokenizer for Western languages knows white space alone.
pub fn space_or_letter(character: char) -> Class {
    if Spaces::Unicode.contains(character) { Class::Space } else { Class::Letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, padded: bool) -> String {
        let mut found = Vec::new();
        let rules = Rules { bytes: WESTERN, other: space_or_letter, padded };
        rules.tokens(text, asks_western, |token| found.push(token.to_string()));
        found.join(" ")
    }

    #[test]
    fn every_byte_that_is_not_part_of_a_word_asks() {
        for (byte, class) in WESTERN.iter().enumerate() {
            let inner = matches!(class, Class::Letter | Class::Digit);
            assert!(inner || asks_western(byte as u8), "{byte}");
        }
    }

    #[test]
    fn stops_between_digits_stay() {
        assert_eq!(cut("1,234.5 and 3.", true), "1,234.5 and 3 .");
        assert_eq!(cut("1,234.5 and 3.", false), "1,234.5 and 3.");
    }

    #[test]
    fn runs_of_stops_pair_up_from_the_left() {
        assert_eq!(cut("a.5", true), "a . 5");
        assert_eq!(cut("a..5", true), "a . .5");
        assert_eq!(cut("a...5", true), "a . . . 5");
        assert_eq!(cut("9...5", true), "9 . . .5");
        assert_eq!(cut("9..5", true), "9 . . 5");
    }

    #[test]
    fn a_stop_at_the_very_start_holds_a_digit_only_without_padding() {
        assert_eq!(cut(".5 x", true), ". 5 x");
        assert_eq!(cut(".5 x", false), ".5 x");
    }

    #[test]
    fn a_no_break_space_separates() {
        assert_eq!(cut("4,5\u{a0}%", true), "4,5 %");
    }

    #[test]
    fn a_dash_behind_a_digit_comes_off_and_others_stay() {
        assert_eq!(cut("1990-95 well-known 5--6", true), "1990 - 95 well-known 5 - -6");
    }
}
