//! The text normaliser of METEOR 1.5 (`-norm`), for the six languages it knows.
//!
//! Written from a description of what METEOR does and checked against its output, oddities included:
//! they decide which words meet, so a score only agrees with METEOR's if they are kept. The one that
//! surprises most is that a match uses up its neighbours. In `a,b,c` the first comma uses up the
//! `b`, the second finds no left neighbour, and the result is `a , b,c`; in `ab,cd,ef` both are split.
//!
//! Not kept: METEOR rewrites the word `DOTMULTI`, which it uses inside itself as a mark, to a dot.

use std::collections::HashSet;

/// The languages that METEOR normalises; for others it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Apostrophes go with what follows: `it 's`.
    English,
    /// Apostrophes stand alone.
    Czech,
    /// Apostrophes go with what precedes: `l' homme`.
    French,
    /// Apostrophes stand alone.
    Spanish,
    /// Apostrophes stand alone.
    German,
    /// Apostrophes stand alone.
    Russian,
}

impl Language {
    /// The language of a two-letter code; Czech is `cs`, and `cz` as METEOR spells it.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "cs" | "cz" => Some(Self::Czech),
            "fr" => Some(Self::French),
            "es" => Some(Self::Spanish),
            "de" => Some(Self::German),
            "ru" => Some(Self::Russian),
            _ => None,
        }
    }
}

/// What follows a prefix, in METEOR's lists, that keeps its dot only before a number.
const NUMERIC_ONLY: &str = "#NUMERIC_ONLY#";

/// METEOR's normaliser for one language.
///
/// ```
/// use assay_kernels::tokenizers::meteor::{Language, Meteor};
///
/// let meteor = Meteor::new(Language::English, true, ["Mr".to_string(), "No #NUMERIC_ONLY#".to_string()]);
/// let mut text = String::new();
/// meteor.normalize("Mr. Smith's U.S.-based firm: No. 1, he said...", &mut text);
/// assert_eq!(text, "Mr. Smith 's US based firm : No. 1 , he said ...");
/// ```
#[derive(Clone, Debug)]
pub struct Meteor {
    language: Language,
    keep_punctuation: bool,
    /// Words whose dot is never the end of a sentence.
    prefixes: HashSet<String>,
    /// Words whose dot is not the end of a sentence if a number follows.
    numeric_prefixes: HashSet<String>,
}

impl Meteor {
    /// Prefixes are words without their final dot; `#NUMERIC_ONLY#` after one restricts it to numbers.
    pub fn new(
        language: Language,
        keep_punctuation: bool,
        nonbreaking_prefixes: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut prefixes = HashSet::new();
        let mut numeric_prefixes = HashSet::new();
        for entry in nonbreaking_prefixes {
            match entry.trim().strip_suffix(NUMERIC_ONLY) {
                Some(prefix) => numeric_prefixes.insert(prefix.trim_end().to_string()),
                None => prefixes.insert(entry.trim().to_string()),
            };
        }
        Self { language, keep_punctuation, prefixes, numeric_prefixes }
    }

    /// Appends the normalised `text` to `output`: tokens with one space between them, case kept.
    pub fn normalize(&self, text: &str, output: &mut String) {
        let mut passes = Passes::over(text);
        passes.apply(',', &COMMAS);
        // Not before the commas, to which one hyphen is one neighbour and two are two.
        passes.replace("--", "-");
        passes.apply('-', &HYPHENS);
        match self.language {
            Language::English => passes.apply('\'', &ENGLISH_APOSTROPHES),
            Language::French => passes.apply('\'', &FRENCH_APOSTROPHES),
            _ => passes.replace("'", " ' "),
        }
        let mut line = Line::at_the_end_of(output);
        self.settle_dots(&passes.text, |token| {
            if self.keep_punctuation {
                line.push(token);
            } else {
                token.split(|character| !is_alphanumeric(character)).for_each(|word| line.push(word));
            }
        });
        line.trim();
    }

    /// Decides for every token with a final dot whether the dot stays, goes, or stands alone.
    fn settle_dots(&self, text: &str, mut emit: impl FnMut(&str)) {
        let mut undotted = String::new();
        let mut tokens = text.split(separates_tokens).filter(|token| !token.is_empty()).peekable();
        while let Some(token) = tokens.next() {
            let prefix = token.strip_suffix('.').unwrap_or("");
            if prefix.is_empty() || is_dots(token) {
                emit(token);
            } else if prefix.contains('.') && prefix.contains(is_alphabetic) {
                undotted.clear();
                undotted.extend(token.chars().filter(|&character| character != '.'));
                emit(&undotted);
            } else if self.keeps_dot(prefix, tokens.peek().copied().unwrap_or("")) {
                emit(token);
            } else {
                emit(prefix);
                emit(".");
            }
        }
    }

    /// Whether the dot after `prefix` is part of the word, seeing what `next` begins with.
    ///
    /// Only `a` to `z` count as lower case, in every language.
    fn keeps_dot(&self, prefix: &str, next: &str) -> bool {
        let next = next.bytes().next().unwrap_or(b' ');
        next.is_ascii_lowercase()
            || self.prefixes.contains(prefix)
            || (next.is_ascii_digit() && self.numeric_prefixes.contains(prefix))
    }
}

/// One substitution: a mark between two fitting characters becomes `replacement`.
struct Rule {
    left: fn(char) -> bool,
    right: fn(char) -> bool,
    replacement: &'static str,
}

const fn between(left: fn(char) -> bool, right: fn(char) -> bool, replacement: &'static str) -> Rule {
    Rule { left, right, replacement }
}

/// All but those between two digits, in three passes as METEOR does it.
const COMMAS: [Rule; 3] = [
    between(is_no_digit, is_no_digit, " , "),
    between(is_digit, is_no_digit, " , "),
    between(is_no_digit, is_digit, " , "),
];

const HYPHENS: [Rule; 1] = [between(is_alphanumeric_or_dot, is_alphanumeric, " ")];

/// A digit and a letter stay together (`5'a`), except before `s` (`1990 's`).
const ENGLISH_APOSTROPHES: [Rule; 5] = [
    between(is_not_alphabetic, is_not_alphabetic, " ' "),
    between(is_not_alphanumeric, is_alphabetic, " ' "),
    between(is_alphabetic, is_not_alphabetic, " ' "),
    between(is_alphabetic, is_alphabetic, " '"),
    between(is_digit, is_letter_s, " '"),
];

const FRENCH_APOSTROPHES: [Rule; 4] = [
    between(is_not_alphabetic, is_not_alphabetic, " ' "),
    between(is_not_alphabetic, is_alphabetic, " ' "),
    between(is_alphabetic, is_not_alphabetic, " ' "),
    between(is_alphabetic, is_alphabetic, "' "),
];

/// A text under repeated substitution, and the spare buffer that each pass writes to.
struct Passes {
    text: String,
    spare: String,
}

impl Passes {
    /// Begins with what needs no context, and a space at either end so that every mark has neighbours.
    fn over(text: &str) -> Self {
        let mut spaced = String::with_capacity(2 * text.len() + 2);
        spaced.push(' ');
        isolate_symbols(text, &mut spaced);
        spaced.push(' ');
        Self { spare: String::with_capacity(spaced.capacity()), text: spaced }
    }

    /// Applies the rules for `mark`, one pass each.
    fn apply(&mut self, mark: char, rules: &[Rule]) {
        if !self.text.contains(mark) {
            return;
        }
        for rule in rules {
            self.spare.clear();
            substitute(mark, rule, &self.text, &mut self.spare);
            std::mem::swap(&mut self.text, &mut self.spare);
        }
    }

    fn replace(&mut self, pattern: &str, replacement: &str) {
        if !self.text.contains(pattern) {
            return;
        }
        self.spare.clear();
        for (index, part) in self.text.split(pattern).enumerate() {
            if index > 0 {
                self.spare.push_str(replacement);
            }
            self.spare.push_str(part);
        }
        std::mem::swap(&mut self.text, &mut self.spare);
    }
}

/// Applies a rule from left to right; a match uses up both neighbours, so no two matches share one.
fn substitute(mark: char, rule: &Rule, text: &str, output: &mut String) {
    let mut copied = 0;
    let mut used = 0;
    for (position, found) in text.match_indices(mark) {
        let after = position + found.len();
        let Some(left) = text[used.min(position)..position].chars().next_back() else { continue };
        let Some(right) = text[after..].chars().next() else { continue };
        if (rule.left)(left) && (rule.right)(right) {
            output.push_str(&text[copied..position]);
            output.push_str(rule.replacement);
            copied = after;
            used = after + right.len_utf8();
        }
    }
    output.push_str(&text[copied..]);
}

/// Spaces round every symbol; one spelling for each quotation mark; runs of dots as one token.
fn isolate_symbols(text: &str, output: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '.' => {
                let mut dots = 1;
                while characters.next_if_eq(&'.').is_some() {
                    dots += 1;
                }
                push_dots(dots, output);
            }
            _ if is_single_quote(character) => {
                let doubled = characters.next_if(|&next| is_single_quote(next)).is_some();
                output.push_str(if doubled { " \" " } else { "'" });
            }
            '\u{201c}' | '\u{201d}' => output.push_str(" \" "),
            '\u{2013}' => output.push_str(" - "),
            _ if stays_attached(character) => output.push(character),
            _ => {
                output.push(' ');
                output.push(character);
                output.push(' ');
            }
        }
    }
}

fn push_dots(count: usize, output: &mut String) {
    if count == 1 {
        output.push('.');
        return;
    }
    output.push(' ');
    output.extend(std::iter::repeat_n('.', count));
    output.push(' ');
}

/// Tokens appended to a buffer that may already hold other lines.
struct Line<'a> {
    output: &'a mut String,
    start: usize,
}

impl<'a> Line<'a> {
    fn at_the_end_of(output: &'a mut String) -> Self {
        Self { start: output.len(), output }
    }

    fn push(&mut self, token: &str) {
        // A Unicode space is a token until here: it stands between words when dots are settled. Empty tokens go too.
        if token.chars().all(is_wide_space) {
            return;
        }
        if self.output.len() > self.start {
            self.output.push(' ');
        }
        self.output.push_str(token);
    }

    /// Removes control characters at both ends, as Java's `trim` does.
    fn trim(self) {
        let end = self.output.trim_end_matches(is_control_or_space).len();
        self.output.truncate(end.max(self.start));
        let line = &self.output[self.start..];
        let leading = line.len() - line.trim_start_matches(is_control_or_space).len();
        self.output.replace_range(self.start..self.start + leading, "");
    }
}

/// Letters as METEOR lists them: Latin, Cyrillic and phonetic; no Greek, no combining marks.
fn is_alphabetic(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    matches!(
        character,
        '\u{c0}'..='\u{d6}'
            | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{17e}'
            | '\u{400}'..='\u{527}'
            | '\u{1d00}'..='\u{1d7f}'
            | '\u{a640}'..='\u{a66e}'
            | '\u{a67e}'..='\u{a697}'
    )
}

fn is_not_alphabetic(character: char) -> bool {
    !is_alphabetic(character)
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

fn is_no_digit(character: char) -> bool {
    !is_digit(character)
}

fn is_alphanumeric(character: char) -> bool {
    is_alphabetic(character) || is_digit(character)
}

fn is_not_alphanumeric(character: char) -> bool {
    !is_alphanumeric(character)
}

fn is_alphanumeric_or_dot(character: char) -> bool {
    is_alphanumeric(character) || character == '.'
}

fn is_letter_s(character: char) -> bool {
    character == 's'
}

fn is_single_quote(character: char) -> bool {
    matches!(character, '\'' | '`' | '\u{2018}' | '\u{2019}')
}

/// What is not a symbol of its own: letters, digits, white space, and marks that have their own rules.
fn stays_attached(character: char) -> bool {
    is_alphanumeric(character) || matches!(character, ' ' | '\t'..='\r' | ',' | '-')
}

/// Java's `StringTokenizer` splits here, and not at a vertical tab.
fn separates_tokens(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

fn is_wide_space(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

fn is_control_or_space(character: char) -> bool {
    character <= ' '
}

fn is_dots(token: &str) -> bool {
    token.bytes().all(|byte| byte == b'.')
}

#[cfg(test)]
mod tests;
