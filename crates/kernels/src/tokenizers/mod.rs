//! Tokenizers: one file each, each a function from a text to its tokens.

pub mod chinese;
pub mod chrf;
pub mod entities;
pub mod international;
pub mod meteor;
pub mod mteval;
pub mod punctuation;
pub mod tercom;

use crate::characters::Spaces;

/// A way to cut a text into tokens.
#[derive(Clone, Debug)]
pub enum Tokenizer {
    /// White space alone.
    Whitespace(Spaces),
    /// mteval's default, versions 11b and 13a; sacreBLEU's `13a`.
    Mteval,
    /// mteval's and sacreBLEU's international tokenization.
    International(international::International),
    /// sacreBLEU's `zh`.
    Chinese,
    /// Every character that is not white space.
    Characters,
    /// Runs of ASCII letters and digits.
    AsciiWords,
    /// The words of chrF++.
    Chrf,
    /// `TERcom`'s `-N`, `-P` and `-A`.
    Tercom(tercom::Tercom),
    /// The same in sacreBLEU.
    SacrebleuTercom(tercom::SacrebleuTercom),
    /// METEOR 1.5's `-norm`; the language's tables are in it.
    Meteor(meteor::Meteor),
}

impl Tokenizer {
    /// Hands each token of `text` to `emit`; `scratch` is room that calls reuse.
    pub fn tokens(&self, text: &str, scratch: &mut String, mut emit: impl FnMut(&str)) {
        match self {
            Self::Whitespace(spaces) => spaces.split(text, emit),
            Self::Mteval => mteval::tokens(text, emit),
            Self::International(international) => international.tokens(text, emit),
            Self::Chinese => chinese::tokens(text, emit),
            Self::Characters => {
                for (position, character) in text.char_indices() {
                    if !Spaces::Unicode.contains(character) {
                        emit(&text[position..position + character.len_utf8()]);
                    }
                }
            }
            Self::AsciiWords => {
                let words = text.split(|character: char| !character.is_ascii_alphanumeric());
                words.filter(|word| !word.is_empty()).for_each(emit);
            }
            Self::Chrf => chrf::tokens(text, emit),
            Self::Tercom(tercom) => {
                scratch.clear();
                tercom.apply(text, scratch);
                // Where TERcom deletes the first word it goes on counting it, as an empty one.
                if scratch.starts_with(|character| Spaces::Ascii.contains(character)) {
                    emit("");
                }
                Spaces::Ascii.split(scratch, emit);
            }
            Self::SacrebleuTercom(tercom) => {
                scratch.clear();
                tercom.apply(text, scratch);
                scratch.split_terminator(' ').for_each(emit);
            }
            Self::Meteor(meteor) => {
                scratch.clear();
                meteor.normalize(text, scratch);
                scratch.split(' ').filter(|token| !token.is_empty()).for_each(emit);
            }
        }
    }
}
