//! The words of chrF++: white space, then one punctuation mark off an end of a word.

use crate::characters::Spaces;

/// Hands the words of `text` to `emit`: a final mark comes off, or else an initial one, never both.
///
/// `(hi)` gives `(hi` and `)`, as in chrF++.py and sacreBLEU.
pub fn tokens(text: &str, mut emit: impl FnMut(&str)) {
    Spaces::Unicode.split(text, |word| {
        let last = word.len() - 1;
        let (first_byte, last_byte) = (word.as_bytes()[0], word.as_bytes()[last]);
        if word.len() == 1 {
            emit(word);
        } else if last_byte.is_ascii_punctuation() {
            emit(&word[..last]);
            emit(&word[last..]);
        } else if first_byte.is_ascii_punctuation() {
            emit(&word[..1]);
            emit(&word[1..]);
        } else {
            emit(word);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_comes_off() {
        let mut found = Vec::new();
        tokens("(hi) \"yes\" don't ...", |token| found.push(token.to_string()));
        assert_eq!(found, ["(hi", ")", "\"yes", "\"", "don't", "..", "."]);
    }
}
