//! What counts as white space and as punctuation, and for whom.

use crate::events::Events;
use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// Which characters separate words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// Those of Python's `str.split()`: every Unicode white space and U+001C to U+001F.
    Unicode,
    /// Space, tab, line feed, vertical tab, form feed, carriage return: as the Java and Perl programs.
    Ascii,
}

impl Spaces {
    /// Whether `character` separates words.
    #[inline]
    pub fn contains(self, character: char) -> bool {
        match self {
            Self::Unicode => character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}'),
            Self::Ascii => matches!(character, ' ' | '\t'..='\r'),
        }
    }

    /// `text` without these characters at either end.
    pub fn trim(self, text: &str) -> &str {
        text.trim_matches(|character| self.contains(character))
    }

    /// `text` without these characters at its end.
    pub fn trim_end(self, text: &str) -> &str {
        text.trim_end_matches(|character| self.contains(character))
    }

    /// Hands each maximal run of other characters to `emit`.
    #[inline]
    pub fn split(self, text: &str, mut emit: impl FnMut(&str)) {
        let bytes = text.as_bytes();
        let (mut start, mut position) = (0, 0);
        let asks = |byte: u8| (byte <= b' ') | (byte == 0xC2) | (0xE1..=0xE3).contains(&byte);
        let mut events = Events::new(bytes, asks);
        loop {
            position = events.next(position);
            if position >= bytes.len() {
                break;
            }
            let width = match (SEPARATES[bytes[position] as usize], self) {
                (Verdict::Yes, _) | (Verdict::UnlessAscii, Self::Unicode) => 1,
                (Verdict::LookAt, Self::Unicode) => {
                    let character = text[position..].chars().next().unwrap_or(' ');
                    if self.contains(character) { character.len_utf8() } else { 0 }
                }
                _ => 0,
            };
            if width == 0 {
                position += 1;
                continue;
            }
            if start < position {
                emit(&text[start..position]);
            }
            position += width;
            start = position;
        }
        if start < bytes.len() {
            emit(&text[start..]);
        }
    }
}

/// Whether a byte separates words.
#[derive(Clone, Copy)]
enum Verdict {
    No,
    Yes,
    /// In the Unicode sense alone.
    UnlessAscii,
    /// A character may begin here that does: all of them begin with one of four bytes.
    LookAt,
}

static SEPARATES: [Verdict; 256] = {
    let mut table = [Verdict::No; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' => Verdict::Yes,
            0x1c..=0x1f => Verdict::UnlessAscii,
            0xC2 | 0xE1..=0xE3 => Verdict::LookAt,
            _ => Verdict::No,
        };
        byte += 1;
    }
    table
};

/// Unicode categories P: connectors, dashes, brackets, quotes and the others.
pub fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation()
            && !matches!(character, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    }
    matches!(
        get_general_category(character),
        Category::ConnectorPunctuation
            | Category::DashPunctuation
            | Category::OpenPunctuation
            | Category::ClosePunctuation
            | Category::InitialPunctuation
            | Category::FinalPunctuation
            | Category::OtherPunctuation
    )
}

/// Unicode categories S: mathematical, currency, modifier and other symbols.
pub fn is_symbol(character: char) -> bool {
    if character.is_ascii() {
        return matches!(character, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    }
    matches!(
        get_general_category(character),
        Category::MathSymbol | Category::CurrencySymbol | Category::ModifierSymbol | Category::OtherSymbol
    )
}

/// Unicode categories N: decimal digits, letter numbers and other numbers.
pub fn is_number(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_digit();
    }
    matches!(get_general_category(character), Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(spaces: Spaces, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        spaces.split(text, |word| found.push(word.to_string()));
        found
    }

    #[test]
    fn no_break_space_splits_only_in_the_unicode_sense() {
        assert_eq!(words(Spaces::Unicode, " a\u{a0}b\tc\n"), ["a", "b", "c"]);
        assert_eq!(words(Spaces::Ascii, " a\u{a0}b\tc\n"), ["a\u{a0}b", "c"]);
    }

    #[test]
    fn ascii_classes_agree_with_the_unicode_table() {
        for byte in 0..128_u8 {
            let character = byte as char;
            let category = format!("{:?}", get_general_category(character));
            assert_eq!(is_punctuation(character), category.contains("Punctuation"), "{character:?}");
            assert_eq!(is_symbol(character), category.contains("Symbol"), "{character:?}");
            assert_eq!(is_number(character), category.contains("Number"), "{character:?}");
        }
    }
}
