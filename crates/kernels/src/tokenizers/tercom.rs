//! The text preparation of `TERcom`: `-N` (normalise), `-P` (no punctuation) and `-A` (Asian).
//!
//! `-N` applies mteval's substitutions, with one for the English possessive in between. It sees the spaces that
//! stand before the full stops are cut off: `1990's` is split, `1990's.` is not. As in mteval a substitution uses
//! up the neighbour that it looks at, so a run of dots comes apart in two passes, not in one.

use std::borrow::Cow;

use super::entities;
use crate::characters::Spaces;

/// What `TERcom` does to a text before it splits it at white space; lower-casing is another's job.
///
/// ```
/// use assay_kernels::tokenizers::tercom::Tercom;
///
/// let mut text = String::new();
/// Tercom { normalize: true, ..Tercom::default() }.apply("It's 1,000 (in all).", &mut text);
/// let words: Vec<&str> = text.split_ascii_whitespace().collect();
/// assert_eq!(words, ["It", "'s", "1,000", "(", "in", "all", ")", "."]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tercom {
    /// `-N`: undo entities and cut punctuation off words.
    pub normalize: bool,
    /// `-P`: delete punctuation.
    pub no_punctuation: bool,
    /// `-A`: do the same for Asian characters, in whichever of the other two is on.
    pub asian: bool,
}

impl Tercom {
    /// Appends the processed `text` to `output`; inside, its white space is not squeezed.
    ///
    /// What is appended begins with white space if `TERcom` counts an empty word there, and only then. That happens
    /// when the first word is deleted (`( a` leaves ` a`) or the only one (`!` leaves nothing).
    pub fn apply(&self, text: &str, output: &mut String) {
        let text = Spaces::Ascii.trim(text);
        let start = output.len();
        if self.normalize {
            self.remove_punctuation(Spaces::Ascii.trim(&self.split(text)), output);
        } else {
            self.remove_punctuation(text, output);
        }
        let words = &output[start..];
        if words.is_empty() && !text.is_empty() {
            output.push(' ');
        } else if Spaces::Ascii.trim(words).is_empty() {
            // Java splits "" into one empty word, but " " into none: it drops empty words from the end.
            output.truncate(start);
        }
    }

    /// `text` with spaces between its words and the punctuation.
    fn split(self, text: &str) -> String {
        let mut passes = Passes::of_western(&entities::clean(text));
        if self.asian {
            passes.run(split_asian);
        }
        passes.text
    }

    /// Copies `text` without what the options ask to delete.
    fn remove_punctuation(self, text: &str, output: &mut String) {
        if !self.no_punctuation {
            output.push_str(text);
            return;
        }
        let deleted = |character| is_western_punctuation(character) || (self.asian && is_asian_punctuation(character));
        output.extend(text.chars().filter(|&character| !deleted(character)));
    }
}

/// What sacreBLEU 2.6.0 makes of [`Tercom`].
///
/// It deletes `<skipped>` nowhere, and a hyphen at the beginning of a line instead of the end of one; it never sets kana
/// off; any white space separates words; and no empty word is left of a deleted one. With `twice` all is done to what came
/// out, again, as it does to references: `1990's.` becomes `1990's .`, and that `1990 's .`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SacrebleuTercom {
    /// Its flags.
    pub flags: Tercom,
    /// Whether all is done a second time.
    pub twice: bool,
}

impl SacrebleuTercom {
    /// Appends the words of `text` to `output`, with one space behind each.
    pub fn apply(&self, text: &str, output: &mut String) {
        if self.twice {
            let mut once = String::with_capacity(text.len());
            self.pass(text, &mut once);
            self.pass(&once, output);
        } else {
            self.pass(text, output);
        }
    }

    fn pass(self, text: &str, output: &mut String) {
        let mut text = Cow::Borrowed(Spaces::Unicode.trim_end(text));
        if self.flags.normalize {
            entities::replace(&mut text, "\n-", "");
            entities::replace(&mut text, "\n", " ");
            entities::unescape(&mut text);
            let mut passes = Passes::of_western(&text);
            if self.flags.asian {
                passes.run(|text, output| {
                    text.chars().for_each(|character| push(character, is_asian(character), output));
                });
            }
            text = Cow::Owned(passes.text);
        }
        let mut kept = String::with_capacity(text.len());
        self.flags.remove_punctuation(&text, &mut kept);
        Spaces::Unicode.split(&kept, |word| {
            output.push_str(word);
            output.push(' ');
        });
    }
}

/// A text under repeated substitution, and the spare buffer that each pass writes to.
struct Passes {
    text: String,
    spare: String,
}

impl Passes {
    /// Begins with symbols set off by spaces, and a space at either end so that every mark has neighbours.
    fn over(text: &str) -> Self {
        let mut isolated = String::with_capacity(2 * text.len() + 2);
        isolated.push(' ');
        for character in text.chars() {
            push(character, is_symbol(character), &mut isolated);
        }
        isolated.push(' ');
        Self { spare: String::with_capacity(isolated.capacity()), text: isolated }
    }

    /// Sets punctuation off as in Western languages.
    fn of_western(text: &str) -> Self {
        let mut passes = Self::over(text);
        passes.run(split_possessives);
        passes.run(split_stops_after_others);
        passes.run(split_stops_before_others);
        passes.run(split_hyphens_after_digits);
        passes
    }

    fn run(&mut self, pass: impl Fn(&str, &mut String)) {
        self.spare.clear();
        pass(&self.text, &mut self.spare);
        std::mem::swap(&mut self.text, &mut self.spare);
    }
}

/// Copies a character, between spaces if it is to stand alone.
fn push(character: char, alone: bool, output: &mut String) {
    if alone {
        output.push(' ');
        output.push(character);
        output.push(' ');
    } else {
        output.push(character);
    }
}

/// `'s ` becomes ` 's `.
fn split_possessives(text: &str, output: &mut String) {
    let mut copied = 0;
    for (position, _) in text.match_indices("'s ") {
        output.push_str(&text[copied..position]);
        output.push(' ');
        copied = position;
    }
    output.push_str(&text[copied..]);
}

/// A stop after anything but a digit stands alone; the next match begins behind it.
fn split_stops_after_others(text: &str, output: &mut String) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    for (position, stop) in text.match_indices(is_stop) {
        if position > copied && !bytes[position - 1].is_ascii_digit() {
            output.push_str(&text[copied..position]);
            push_alone(stop, output);
            copied = position + 1;
        }
    }
    output.push_str(&text[copied..]);
}

/// A stop before anything but a digit stands alone; the next match begins behind what follows it.
fn split_stops_before_others(text: &str, output: &mut String) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut used = 0;
    for (position, stop) in text.match_indices(is_stop) {
        let next = position + 1;
        if position >= used && next < bytes.len() && !bytes[next].is_ascii_digit() {
            output.push_str(&text[copied..position]);
            push_alone(stop, output);
            copied = next;
            // Inside a longer character there is no stop, so one byte is enough.
            used = next + 1;
        }
    }
    output.push_str(&text[copied..]);
}

/// A hyphen right after a digit stands alone.
fn split_hyphens_after_digits(text: &str, output: &mut String) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    for (position, hyphen) in text.match_indices('-') {
        if position > 0 && bytes[position - 1].is_ascii_digit() {
            output.push_str(&text[copied..position]);
            push_alone(hyphen, output);
            copied = position + 1;
        }
    }
    output.push_str(&text[copied..]);
}

fn push_alone(mark: &str, output: &mut String) {
    output.push(' ');
    output.push_str(mark);
    output.push(' ');
}

/// Ideographs and Asian punctuation stand alone; each run of one kind of kana is a word.
fn split_asian(text: &str, output: &mut String) {
    let mut before = Kana::None;
    for character in text.chars() {
        let kana = Kana::of(character);
        if kana != before {
            output.push(' ');
        }
        before = kana;
        push(character, is_asian(character), output);
    }
}

/// The Japanese syllabaries, by Unicode block: what `TERcom` does not part from its own kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kana {
    None,
    Hiragana,
    Katakana,
    KatakanaExtension,
}

impl Kana {
    fn of(character: char) -> Self {
        match character {
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            '\u{30a0}'..='\u{30ff}' => Self::Katakana,
            '\u{31f0}'..='\u{31ff}' => Self::KatakanaExtension,
            _ => Self::None,
        }
    }
}

/// Characters that `-N` always sets off; the apostrophe, the hyphen and the stops have rules of their own.
fn is_symbol(character: char) -> bool {
    matches!(character, '!'..='&' | '('..='+' | '/' | ':'..='@' | '['..='`' | '{'..='~')
}

fn is_stop(character: char) -> bool {
    matches!(character, '.' | ',')
}

fn is_western_punctuation(character: char) -> bool {
    matches!(character, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
}

/// What stands alone in Chinese and Japanese.
fn is_asian(character: char) -> bool {
    is_ideograph(character) || is_asian_punctuation(character)
}

/// Ideographs, their strokes and radicals, and the blocks of enclosed and compatibility forms.
fn is_ideograph(character: char) -> bool {
    matches!(
        character,
        '\u{2e80}'..='\u{2eff}'
            | '\u{31c0}'..='\u{31ef}'
            | '\u{3200}'..='\u{33ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
    )
}

/// Punctuation of Chinese and Japanese, and full-width Western punctuation.
fn is_asian_punctuation(character: char) -> bool {
    matches!(
        character,
        '\u{3001}'..='\u{3002}'
            | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301f}'
            | '\u{30fb}'
            | '\u{ff61}'..='\u{ff65}'
            | '！' | '＂' | '（' | '）' | '，' | '．' | '：' | '；' | '？'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMALIZE: Tercom = Tercom { normalize: true, no_punctuation: false, asian: false };
    const NO_PUNCTUATION: Tercom = Tercom { normalize: false, no_punctuation: true, asian: false };
    const ASIAN: Tercom = Tercom { normalize: true, no_punctuation: false, asian: true };

    fn words(tercom: Tercom, text: &str) -> String {
        let mut output = String::new();
        tercom.apply(text, &mut output);
        output.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn begins_empty(tercom: Tercom, text: &str) -> bool {
        let mut output = "before".to_string();
        tercom.apply(text, &mut output);
        output.starts_with("before ")
    }

    #[test]
    fn by_default_nothing_changes() {
        let mut output = "before|".to_string();
        Tercom::default().apply("a,b  &amp;\u{a0}。", &mut output);
        assert_eq!(output, "before|a,b  &amp;\u{a0}。");
        assert_eq!(words(Tercom { asian: true, ..Tercom::default() }, "日本。"), "日本。");
    }

    #[test]
    fn entities_are_undone_and_lines_joined() {
        assert_eq!(words(NORMALIZE, "&quot;a&quot; &amp;lt; b<skipped>c"), "\" a \" < bc");
        assert_eq!(words(NORMALIZE, "hyphen-\nated\nline"), "hyphenated line");
    }

    #[test]
    fn stops_stay_only_between_digits() {
        assert_eq!(words(NORMALIZE, "1,000.50, a.b 5.x y.5 3."), "1,000.50 , a . b 5 . x y . 5 3 .");
    }

    #[test]
    fn a_run_of_stops_comes_apart_in_two_passes() {
        // First pass: (a .) and (. .); the second finds the one left over, unless a digit follows it.
        assert_eq!(words(NORMALIZE, "a... b a..5 a...5"), "a . . . b a . .5 a . . . 5");
    }

    #[test]
    fn a_hyphen_is_cut_off_after_a_digit() {
        assert_eq!(words(NORMALIZE, "1990-95 well-known -5 5--6"), "1990 - 95 well-known -5 5 - -6");
    }

    #[test]
    fn the_possessive_is_split_before_the_stops() {
        assert_eq!(words(NORMALIZE, "the 1990's (Tom's) it's"), "the 1990 's ( Tom 's ) it 's");
        assert_eq!(words(NORMALIZE, "the 1990's. IT'S"), "the 1990's . IT'S");
    }

    #[test]
    fn punctuation_is_deleted_not_replaced() {
        assert_eq!(words(NO_PUNCTUATION, "(a.b), \"c\"; d-e's ？!"), "ab c d-e's ？");
    }

    #[test]
    fn punctuation_is_deleted_after_splitting() {
        assert_eq!(words(Tercom { no_punctuation: true, ..NORMALIZE }, "a.b 1,000."), "a b 1000");
    }

    #[test]
    fn asian_characters_are_split() {
        assert_eq!(words(ASIAN, "中国abc㎏、（好）。"), "中 国 abc ㎏ 、 （ 好 ） 。");
        assert_eq!(words(NORMALIZE, "中国abc、好。"), "中国abc、好。");
    }

    #[test]
    fn runs_of_kana_stay_together() {
        // Hiragana | katakana | ideographs | hiragana | Latin.
        assert_eq!(words(ASIAN, "これはテスト文章ですabc"), "これは テスト 文 章 です abc");
        assert_eq!(words(ASIAN, "ㇰア・イ"), "ㇰ ア ・ イ");
        // Between letters of another script, too.
        assert_eq!(words(ASIAN, "aこれbテストcㇰㇱd"), "a これ b テスト c ㇰㇱ d");
    }

    #[test]
    fn asian_punctuation_is_deleted() {
        let tercom = Tercom { normalize: false, no_punctuation: true, asian: true };
        assert_eq!(words(tercom, "中国、（好）。 A・B!"), "中国好 AB");
        assert_eq!(words(Tercom { normalize: true, ..tercom }, "中国、好。"), "中 国 好");
    }

    #[test]
    fn white_space_in_front_stands_for_an_empty_word() {
        let both = Tercom { normalize: true, ..NO_PUNCTUATION };
        assert!(begins_empty(both, "(a)"));
        assert!(begins_empty(NO_PUNCTUATION, "! a"));
        assert!(begins_empty(NO_PUNCTUATION, "..."));
        assert!(begins_empty(NORMALIZE, "<skipped>"));
    }

    #[test]
    fn no_white_space_in_front_where_no_first_word_was_lost() {
        let both = Tercom { normalize: true, ..NO_PUNCTUATION };
        // The last one: ". . ." leaves two spaces, which Java splits into nothing.
        for (tercom, text) in
            [(NO_PUNCTUATION, " a"), (NO_PUNCTUATION, "(a)"), (NORMALIZE, "(a)"), (both, " "), (both, "...")]
        {
            assert!(!begins_empty(tercom, text), "{text}");
        }
    }

    fn words_of_sacrebleu(flags: Tercom, twice: bool, text: &str) -> String {
        let mut output = String::new();
        SacrebleuTercom { flags, twice }.apply(text, &mut output);
        output
    }

    #[test]
    fn sacrebleu_normalizes_references_further_the_second_time() {
        assert_eq!(words_of_sacrebleu(NORMALIZE, false, "1990's. \u{a0}it's\u{a0}x"), "1990's . it's x ");
        assert_eq!(words_of_sacrebleu(NORMALIZE, true, "1990's. \u{a0}it's\u{a0}x"), "1990 's . it 's x ");
    }

    #[test]
    fn sacrebleu_counts_no_empty_word_and_keeps_kana_where_it_is() {
        assert_eq!(words_of_sacrebleu(NO_PUNCTUATION, false, "! a."), "a ");
        assert_eq!(words_of_sacrebleu(ASIAN, false, "これは文abc。<skipped>"), "これは 文 abc 。 < skipped > ");
        assert_eq!(words_of_sacrebleu(NORMALIZE, false, "a\n-b\nc"), "ab c ");
        assert_eq!(words_of_sacrebleu(NORMALIZE, false, "it's\t"), "it 's ");
        assert_eq!(words_of_sacrebleu(Tercom::default(), false, " a\u{a0}b.\n"), "a b. ");
    }
}
