//! From texts to ids: normalise, lower-case, tokenize, strip punctuation, stem, hash.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

use crate::characters::{Spaces, is_punctuation};
use crate::hashing::token_id;
use crate::parallel::{cut, map_tasks};
use crate::room::{require, reserve};
use crate::sequences::Texts;
use crate::stems::{StemIds, Stemmer};
use crate::tokenizers::Tokenizer;

/// Which Unicode normal form a text is brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normalization {
    /// As it comes.
    None,
    /// Canonical composition.
    Nfc,
    /// Compatibility composition: full-width letters become plain ones.
    Nfkc,
}

/// Whose lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowercase {
    /// Case is kept.
    No,
    /// Unicode's full mapping.
    Unicode,
    /// A to Z only, as mteval without `-c`.
    Ascii,
}

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A token.
    Word,
    /// A character of a token; white space is gone.
    Character,
    /// A character of the text, inner white space included, ends trimmed.
    Text,
    /// A character of a token, or the one space that stands between two, whatever white space the text has there.
    Spaced,
    /// A character of the text as it stands.
    Raw,
    /// A token, but the id is its length in UTF-16 units: what a Java program takes for its number of characters.
    Length,
}

/// All that is done to a text before counting.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The normal form.
    pub normalization: Normalization,
    /// The case.
    pub lowercase: Lowercase,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Whether punctuation characters are deleted from tokens, and tokens with nothing left dropped.
    pub remove_punctuation: bool,
    /// The stemmer, if any.
    pub stemmer: Option<Stemmer>,
    /// What is counted.
    pub unit: Unit,
}

/// Buffers that the texts of one task share.
struct Workshop {
    tokenizer: String,
    token: String,
    stems: Option<StemIds>,
}

impl Recipe {
    /// For each column the ids of its texts, and the offsets at which each text begins; the last is the end.
    ///
    /// A text that is not UTF-8 gives its index as the error.
    pub fn cook(&self, columns: &[Texts<'_>], threads: usize) -> Result<Vec<Ids>, usize> {
        let work = |texts: Texts<'_>, range| Ok([self.cook_range(texts, range)?]);
        Ok(share_out(columns, threads, work)?.into_iter().flatten().collect())
    }

    /// The same words under several stemmers, tokenized once: for each column first its own ids, then those of the
    /// words' stems by each of `stemmers`.
    pub fn cook_stems(
        &self,
        stemmers: &[Stemmer],
        columns: &[Texts<'_>],
        threads: usize,
    ) -> Result<Vec<Vec<Ids>>, usize> {
        share_out(columns, threads, |texts, range| self.cook_stems_of_range(stemmers, texts, range))
    }

    fn cook_stems_of_range(
        &self,
        stemmers: &[Stemmer],
        texts: Texts<'_>,
        range: Range<usize>,
    ) -> Result<Vec<Ids>, usize> {
        let mut workshop = self.workshop();
        let mut memories: Vec<StemIds> = stemmers.iter().cloned().map(StemIds::new).collect();
        let (stretch, first) = texts.stretch(range.clone())?;
        let mut views: Vec<Vec<u64>> = vec![Vec::new(); stemmers.len() + 1];
        let longest = texts.longest(range.clone());
        for view in &mut views {
            reserve(view, stretch.len() / 5 + longest);
        }
        let mut offsets = vec![0];
        for index in range {
            let bounds = texts.starts[index] as usize - first..texts.ends[index] as usize - first;
            let text = stretch.get(bounds).ok_or(index)?;
            require_copies(text);
            for view in &mut views {
                reserve(view, text.len());
            }
            self.for_each_token(&self.prepare(text), &mut workshop, |token, stems| {
                let id = token_id(token);
                views[0].push(stems.as_mut().map_or(id, |stems| stems.id_of(id, token)));
                for (view, memory) in views[1..].iter_mut().zip(&mut memories) {
                    view.push(memory.id_of(id, token));
                }
            });
            offsets.push(views[0].len() as i64);
        }
        Ok(views.into_iter().map(|ids| (ids, offsets.clone())).collect())
    }

    fn cook_range(&self, texts: Texts<'_>, range: Range<usize>) -> Result<Ids, usize> {
        let mut workshop = self.workshop();
        let (stretch, first) = texts.stretch(range.clone())?;
        let per_id = if matches!(self.unit, Unit::Word | Unit::Length) { 5 } else { 1 };
        let (mut ids, mut offsets) = (Vec::new(), Vec::new());
        // With room for the longest text at the end, so that no text of usual words makes it grow.
        reserve(&mut ids, stretch.len() / per_id + texts.longest(range.clone()));
        reserve(&mut offsets, range.len() + 1);
        offsets.push(0);
        for index in range {
            let bounds = texts.starts[index] as usize - first..texts.ends[index] as usize - first;
            let text = stretch.get(bounds).ok_or(index)?;
            require_copies(text);
            // Hardly any text has more words or characters than bytes.
            reserve(&mut ids, text.len());
            self.push_ids(text, &mut workshop, &mut ids);
            offsets.push(ids.len() as i64);
        }
        Ok((ids, offsets))
    }

    /// The tokens of one text, as text: for people to look at.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut workshop = self.workshop();
        let mut tokens = Vec::new();
        self.for_each_token(&self.prepare(text), &mut workshop, |token, _| {
            tokens.push(self.stem(token).into_owned());
        });
        tokens
    }

    fn workshop(&self) -> Workshop {
        Workshop { tokenizer: String::new(), token: String::new(), stems: self.stemmer.clone().map(StemIds::new) }
    }

    fn push_ids(&self, text: &str, workshop: &mut Workshop, ids: &mut Vec<u64>) {
        let text = self.prepare(text);
        match self.unit {
            Unit::Word => self.for_each_token(&text, workshop, |token, stems| {
                ids.push(stems.as_mut().map_or_else(|| token_id(token), |stems| stems.id(token)));
            }),
            Unit::Length => self.for_each_token(&text, workshop, |token, _| {
                ids.push(self.stem(token).encode_utf16().count() as u64);
            }),
            Unit::Text | Unit::Raw if self.keeps_text() => {
                let text = if self.unit == Unit::Text { Spaces::Unicode.trim(&text) } else { &text };
                push_characters(text, ids);
            }
            Unit::Character if self.keeps_text() => {
                let Tokenizer::Whitespace(spaces) = self.tokenizer else { return };
                spaces.split(&text, |word| push_characters(word, ids));
            }
            Unit::Character | Unit::Text | Unit::Spaced | Unit::Raw => {
                let between = self.unit != Unit::Character;
                let first = ids.len();
                self.for_each_token(&text, workshop, |token, _| {
                    if between && ids.len() > first {
                        ids.push(u64::from(b' '));
                    }
                    push_characters(&self.stem(token), ids);
                });
            }
        }
    }

    fn stem<'a>(&'a self, token: &'a str) -> Cow<'a, str> {
        self.stemmer.as_ref().map_or(Cow::Borrowed(token), |stemmer| stemmer.stem(token))
    }

    /// Whether tokens are the text's own words, so that its white space may stay as well.
    fn keeps_text(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Whitespace(_)) && !self.remove_punctuation && self.stemmer.is_none()
    }

    /// Whether case is changed behind the tokenizer: METEOR's normaliser looks at capitals, and mteval, whose the ASCII
    /// lower case is, undoes entities first (`&AMP;` is none to it).
    fn lowercases_tokens(&self) -> bool {
        match &self.tokenizer {
            Tokenizer::Meteor(_) => true,
            Tokenizer::Whitespace(_) => false,
            Tokenizer::International(international) => international.unescape,
            _ => self.lowercase == Lowercase::Ascii,
        }
    }

    /// The text in its normal form and case, copied only if that changes it.
    fn prepare<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let normal = match self.normalization {
            Normalization::Nfc if is_nfc_quick(text.chars()) != IsNormalized::Yes => Cow::Owned(text.nfc().collect()),
            Normalization::Nfkc if is_nfkc_quick(text.chars()) != IsNormalized::Yes => {
                Cow::Owned(text.nfkc().collect())
            }
            _ => Cow::Borrowed(text),
        };
        if self.lowercase == Lowercase::No || self.lowercases_tokens() {
            return normal;
        }
        Cow::Owned(lower(&normal, self.lowercase))
    }

    fn for_each_token(&self, text: &str, workshop: &mut Workshop, mut emit: impl FnMut(&str, &mut Option<StemIds>)) {
        let Workshop { tokenizer: scratch, token: changed, stems } = workshop;
        let lowercase = if self.lowercases_tokens() { self.lowercase } else { Lowercase::No };
        self.tokenizer.tokens(text, scratch, |token| {
            if !self.remove_punctuation && lowercase == Lowercase::No {
                emit(token, stems);
                return;
            }
            changed.clear();
            if lowercase == Lowercase::No {
                changed.push_str(token);
            } else {
                changed.push_str(&lower(token, lowercase));
            }
            if self.remove_punctuation {
                changed.retain(|character| !is_punctuation(character));
            }
            if !changed.is_empty() {
                emit(changed, stems);
            }
        });
    }
}

/// Normal forms, case and tokenizers copy a text: METEOR's, which copies most, takes up to twelve times its length.
const COPIES: usize = 12;
/// Copies of shorter texts are not asked for beforehand.
const LONG: usize = 1 << 20;

/// Ends the kernel where there is no memory for the copies of a long text.
fn require_copies(text: &str) {
    if text.len() > LONG {
        require(COPIES * text.len());
    }
}

/// Calls `work` on every column, or on its parts, and joins what it gives; views of a column stay apart.
fn share_out<Views: IntoIterator<Item = Ids> + Send>(
    columns: &[Texts<'_>],
    threads: usize,
    work: impl Fn(Texts<'_>, Range<usize>) -> Result<Views, usize> + Sync,
) -> Result<Vec<Vec<Ids>>, usize> {
    // A column is cut only where there are more threads than columns: pieces have to be put together again.
    let pieces = if columns.len() >= threads { 1 } else { threads * 4 };
    let tasks: Vec<(usize, Range<usize>)> = columns
        .iter()
        .enumerate()
        .flat_map(|(column, texts)| cut(texts.len(), pieces).map(move |range| (column, range)))
        .collect();
    let cooked = map_tasks(&tasks, threads, |(column, range)| work(columns[*column], range.clone()));
    let mut parts: Vec<Vec<Vec<Ids>>> = columns.iter().map(|_| Vec::new()).collect();
    for ((column, _), views) in tasks.iter().zip(cooked) {
        for (view, part) in views?.into_iter().enumerate() {
            if parts[*column].len() == view {
                parts[*column].push(Vec::new());
            }
            parts[*column][view].push(part);
        }
    }
    Ok(parts.into_iter().map(|views| views.into_iter().map(join).collect()).collect())
}

/// Code points; most words are ASCII, where they are the bytes.
#[inline]
fn push_characters(text: &str, ids: &mut Vec<u64>) {
    if text.is_ascii() {
        ids.extend(text.bytes().map(u64::from));
    } else {
        ids.extend(text.chars().map(|character| u64::from(character as u32)));
    }
}

fn lower(text: &str, lowercase: Lowercase) -> String {
    if lowercase == Lowercase::Ascii || text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() }
}

/// Ids of a column, and the offsets at which each text begins.
pub type Ids = (Vec<u64>, Vec<i64>);

/// Puts the parts of consecutive ranges one behind the other.
fn join(mut parts: Vec<Ids>) -> Ids {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut ids = Vec::new();
    reserve(&mut ids, parts.iter().map(|part| part.0.len()).sum());
    let mut offsets = vec![0];
    for (part_ids, part_offsets) in parts {
        let base = ids.len() as i64;
        offsets.extend(part_offsets.iter().skip(1).map(|offset| base + offset));
        ids.extend(part_ids);
    }
    (ids, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Recipe {
        Recipe {
            normalization: Normalization::None,
            lowercase: Lowercase::No,
            tokenizer: Tokenizer::Whitespace(Spaces::Unicode),
            remove_punctuation: false,
            stemmer: None,
            unit: Unit::Word,
        }
    }

    fn cook(recipe: &Recipe, texts: &[&str], threads: usize) -> (Vec<u64>, Vec<i64>) {
        let buffer = texts.concat();
        let ends: Vec<i64> = texts
            .iter()
            .scan(0, |end, text| {
                *end += text.len() as i64;
                Some(*end)
            })
            .collect();
        let starts: Vec<i64> = std::iter::once(0).chain(ends.iter().copied()).take(texts.len()).collect();
        let texts = Texts { buffer: buffer.as_bytes(), starts: &starts, ends: &ends };
        let mut cooked = recipe.cook(&[texts, texts], threads).unwrap();
        let last = cooked.remove(1);
        assert_eq!(cooked[0], last);
        last
    }

    #[test]
    fn steps_come_in_order() {
        let recipe = Recipe {
            normalization: Normalization::Nfkc,
            lowercase: Lowercase::Unicode,
            remove_punctuation: true,
            stemmer: Stemmer::named("english"),
            ..plain()
        };
        assert_eq!(recipe.tokens("The Ｄogs, running - don't!"), ["the", "dog", "run", "dont"]);
    }

    #[test]
    fn empty_texts_have_no_ids_and_offsets_close() {
        let (ids, offsets) = cook(&plain(), &["a b", "", "c"], 1);
        assert_eq!(ids.len(), 3);
        assert_eq!(offsets, [0, 2, 2, 3]);
        assert_eq!(cook(&plain(), &[], 1), (vec![], vec![0]));
        assert_eq!(cook(&plain(), &[], 2), (vec![], vec![0]));
    }

    #[test]
    fn threads_do_not_matter() {
        let texts: Vec<String> = (0..1000).map(|number| format!("line {number} has {} words", number % 7)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(cook(&plain(), &texts, 1), cook(&plain(), &texts, 3));
    }

    #[test]
    fn units_differ_in_white_space() {
        let characters = |unit| cook(&Recipe { unit, ..plain() }, &[" a  b "], 1).0;
        assert_eq!(characters(Unit::Character), [97, 98]);
        assert_eq!(characters(Unit::Text), [97, 32, 32, 98]);
        assert_eq!(characters(Unit::Spaced), [97, 32, 98]);
        assert_eq!(characters(Unit::Raw), [32, 97, 32, 32, 98, 32]);
    }

    #[test]
    fn lengths_are_in_utf_16_units() {
        // An emoji is two units, ü is one.
        assert_eq!(cook(&Recipe { unit: Unit::Length, ..plain() }, &["a für 😀😀", ""], 1).0, [1, 3, 4]);
    }
}
