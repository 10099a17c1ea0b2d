//! The international tokenizer of mteval 13a and 14, and sacreBLEU's variant of it.

use std::borrow::Cow;

use super::entities;
use super::punctuation::{Class, Rules};
use crate::characters::{Spaces, is_number, is_punctuation, is_symbol};

/// What mteval does before cutting; sacreBLEU does neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct International {
    /// Undo entities, `&apos;` included, and broken lines (mteval).
    pub unescape: bool,
    /// Set off every character beyond ASCII (mteval's `-e`).
    pub split_non_ascii: bool,
}

impl International {
    /// Hands the tokens of `text` to `emit`.
    pub fn tokens(self, text: &str, emit: impl FnMut(&str)) {
        // A space at the end would cut off a final stop behind a number. sacreBLEU trims the end; mteval trims both, as
        // it reads, before it undoes anything.
        let mut text = if self.unescape {
            let mut text = entities::clean(Spaces::Unicode.trim(text));
            entities::replace(&mut text, "&apos;", "'");
            text
        } else {
            Cow::Borrowed(Spaces::Unicode.trim_end(text))
        };
        if self.split_non_ascii && !text.is_ascii() {
            text = Cow::Owned(set_off_non_ascii(&text));
        }
        RULES.tokens(&text, |byte| !byte.is_ascii_alphanumeric() & !matches!(byte, 0x80..=0xBF), emit);
    }
}

static RULES: Rules = Rules { bytes: BYTES, other: classify, padded: false };

/// Everything beyond ASCII has to be looked up, from its first byte on.
const BYTES: [Class; 256] = {
    let mut table = [Class::Letter; 256];
    let mut byte = 0_usize;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => Class::Digit,
            b'$' | b'+' | b'<'..=b'>' | b'^' | b'`' | b'|' | b'~' => Class::Symbol,
            b'!'..=b'/' | b':'..=b'@' | b'['..=b'_' | b'{' | b'}' => Class::Stop,
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Class::Space,
            0xC2..=0xF4 => Class::Unknown,
            _ => Class::Letter,
        };
        byte += 1;
    }
    table
};

fn classify(character: char) -> Class {
    if is_number(character) {
        Class::Digit
    } else if is_punctuation(character) {
        Class::Stop
    } else if is_symbol(character) {
        Class::Symbol
    } else if Spaces::Unicode.contains(character) {
        Class::Space
    } else {
        Class::Letter
    }
}

fn set_off_non_ascii(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        if character.is_ascii() {
            spaced.push(character);
        } else {
            spaced.push(' ');
            spaced.push(character);
            spaced.push(' ');
        }
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(tokenizer: International, text: &str) -> String {
        let mut found = Vec::new();
        tokenizer.tokens(text, |token| found.push(token.to_string()));
        found.join(" ")
    }

    #[test]
    fn the_table_agrees_with_the_categories() {
        for byte in 0..128_u8 {
            assert_eq!(BYTES[byte as usize], classify(byte as char), "{byte}");
        }
    }

    #[test]
    fn a_final_stop_behind_a_number_stays() {
        assert_eq!(cut(International::default(), "in 2019."), "in 2019.");
        assert_eq!(cut(International::default(), "in May."), "in May .");
    }

    #[test]
    fn symbols_and_punctuation_of_any_script_come_off() {
        assert_eq!(cut(International::default(), "«Да», €5 — 完了。"), "« Да » , € 5 — 完了 。");
    }

    #[test]
    fn mteval_undoes_entities() {
        let mteval = International { unescape: true, split_non_ascii: false };
        assert_eq!(cut(mteval, "it&apos;s"), "it ' s");
        assert_eq!(cut(mteval, "<skipped> &amp;9 in 5. "), "& 9 in 5.");
        assert_eq!(cut(International::default(), "it&apos;s"), "it & apos ; s");
    }
}
