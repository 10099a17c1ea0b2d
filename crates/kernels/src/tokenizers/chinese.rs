//! sacreBLEU's `zh`: Chinese characters one by one, the rest as mteval cuts it.

use super::punctuation::{Class, Rules, WESTERN, asks_western, space_or_letter};
use crate::characters::Spaces;

/// Hands the tokens of `text` to `emit`.
pub fn tokens(text: &str, emit: impl FnMut(&str)) {
    RULES.tokens(Spaces::Unicode.trim(text), |byte| asks_western(byte) | (byte >= 0xE1), emit);
}

static RULES: Rules = Rules { bytes: BYTES, other: classify, padded: false };

/// As for Western languages, but any character of three bytes may be Chinese.
const BYTES: [Class; 256] = {
    let mut table = WESTERN;
    let mut byte = 0xE1_usize;
    while byte <= 0xEF {
        table[byte] = Class::Unknown;
        byte += 1;
    }
    table
};

fn classify(character: char) -> Class {
    match space_or_letter(character) {
        Class::Letter if is_chinese(character) => Class::Symbol,
        class => class,
    }
}

/// Whether sacreBLEU takes `character` for Chinese.
///
/// Its ranges for CJK Extension B and the compatibility supplement are written with four-digit
/// escapes. They therefore cover U+2001 to U+2A6D (dashes, quotes, arrows, mathematics) instead, and
/// ideographs beyond the basic plane are not split. Scores depend on it, so it is kept.
fn is_chinese(character: char) -> bool {
    matches!(character as u32,
        0x2001..=0x2A6D
        | 0x2E80..=0x2FDF
        | 0x2FF0..=0x303F
        | 0x3100..=0x312F
        | 0x31A0..=0x31BF
        | 0x31C0..=0x31EF
        | 0x3200..=0x33FF
        | 0x3400..=0x4DB5
        | 0x4E00..=0x9FBB
        | 0xF900..=0xFA2D
        | 0xFA30..=0xFA6A
        | 0xFA70..=0xFAD9
        | 0xFE10..=0xFE1F
        | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_stand_alone_and_western_words_stay_whole() {
        let mut found = Vec::new();
        tokens("我在2021年买了iPhone。", |token| found.push(token.to_string()));
        assert_eq!(found, ["我", "在", "2021", "年", "买", "了", "iPhone", "。"]);
    }
}
