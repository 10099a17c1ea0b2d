//! mteval's default tokenizer (11b, 13a), which is sacreBLEU's `13a`.

use super::entities;
use super::punctuation::{Rules, WESTERN, asks_western, space_or_letter};

static RULES: Rules = Rules { bytes: WESTERN, other: space_or_letter, padded: true };

/// Hands the tokens of `text` to `emit`.
pub fn tokens(text: &str, emit: impl FnMut(&str)) {
    RULES.tokens(&entities::clean(text), asks_western, emit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_undone_before_cutting() {
        let mut found = Vec::new();
        tokens("\"Tom &amp; Jerry's\" cost $4.50.", |token| found.push(token.to_string()));
        assert_eq!(found, ["\"", "Tom", "&", "Jerry's", "\"", "cost", "$", "4.50", "."]);
    }
}
