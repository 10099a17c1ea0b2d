//! METEOR: words of a translation linked with words of a reference, and what the links add up to.
//!
//! Modules say which words may be linked ([`candidates`]), an aligner chooses among these links, and [`counts`] writes
//! a row of what was chosen. There are three aligners: the one of METEOR 1.5 with all its habits ([`beam`]), one that
//! finds the most weighted matches and then the fewest chunks ([`optimal`]), and the early one that works module by
//! module, most matches first and then fewest crossings ([`staged`]).
//!
//! ```
//! use assay_kernels::hashing::{IdSet, token_id};
//! use assay_kernels::meteor::{Aligner, Matcher, Views};
//! use assay_kernels::sequences::Sequences;
//!
//! let ids = |text: &str| text.split(' ').map(token_id).collect::<Vec<_>>();
//! let (translation, reference) = (ids("the cat on the mat"), ids("the cat sat on the mat"));
//! let function_words = IdSet::from_iter(["the", "on"].map(token_id));
//! let view = |words| Views { words, stems: None, bases: None, folded: None, sizes: None };
//! let translations = view(Sequences { ids: &translation, offsets: &[0, 5] });
//! let references = view(Sequences { ids: &reference, offsets: &[0, 6] });
//! let matcher = Matcher {
//!     stem: false,
//!     synonyms: None,
//!     paraphrases: None,
//!     aligner: Aligner::Meteor15 { beam: 40 },
//!     function_words: &function_words,
//! };
//! let links = matcher.links(&translations, &references, 0);
//! let pairs: Vec<_> = links.iter().map(|link| (link.translation, link.reference)).collect();
//! assert_eq!(pairs, [(0, 0), (1, 1), (2, 3), (3, 4), (4, 5)]);
//! // Content and function words matched on each side; lengths; words; matched words; two chunks; nothing unproved.
//! let row = [2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 3.0, 3.0, 5.0, 6.0, 5.0, 5.0, 2.0, 0.0, 0.0, 0.0];
//! assert_eq!(matcher.count(&translations, &references, 1), row);
//! ```

mod beam;
mod candidates;
mod chains;
mod counts;
mod equals;
mod lexicon;
mod optimal;
mod outlook;
mod prices;
mod search;
mod staged;
mod states;

use std::ops::Range;

use crate::hashing::IdSet;
use crate::parallel::fill_rows;
use crate::paraphrases::Paraphrases;
use crate::room::filled;
use crate::sequences::Sequences;
use crate::synonyms::Synonyms;

use beam::Beam;
use candidates::Candidates;
pub use counts::{chunks, width};
pub use equals::{Named, join_synonyms};
use lexicon::Senses;
use search::Search;

/// Words of the reference matched with words of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The first word in the reference.
    pub reference: u32,
    /// The first word in the translation.
    pub translation: u32,
    /// How many words of the reference.
    pub reference_length: u16,
    /// How many words of the translation.
    pub translation_length: u16,
    /// The place in the list of modules of the one that found it; 0 is the exact one.
    pub module: u8,
}

impl Link {
    fn reference_end(&self) -> u32 {
        self.reference + u32::from(self.reference_length)
    }

    fn translation_end(&self) -> u32 {
        self.translation + u32::from(self.translation_length)
    }

    fn reference_range(&self) -> Range<usize> {
        self.reference as usize..self.reference_end() as usize
    }

    fn translation_range(&self) -> Range<usize> {
        self.translation as usize..self.translation_end() as usize
    }

    fn is_phrase(&self) -> bool {
        self.reference_length > 1 || self.translation_length > 1
    }

    fn distance(&self) -> u32 {
        self.reference.abs_diff(self.translation)
    }
}

/// One side of a batch, seen in as many ways as the modules need; all have the same number of ids per segment.
#[derive(Clone, Copy)]
pub struct Views<'a> {
    /// Ids of the words as they are compared.
    pub words: Sequences<'a>,
    /// Ids of their stems.
    pub stems: Option<Sequences<'a>>,
    /// Ids of their base forms, for the dictionary.
    pub bases: Option<Sequences<'a>>,
    /// Ids by which function words are known, where these are not the words' own.
    pub folded: Option<Sequences<'a>>,
    /// How much each word counts, where this is not 1.
    pub sizes: Option<Sequences<'a>>,
}

impl<'a> Views<'a> {
    /// Whether every view has as many ids in every segment.
    pub fn is_sound(&self) -> bool {
        let others = [self.stems, self.bases, self.folded, self.sizes];
        others.iter().flatten().all(|view| view.offsets == self.words.offsets)
    }

    fn side(&self, segment: usize) -> Side<'a> {
        let of = |view: Option<Sequences<'a>>| view.map_or(&[][..], |view| view.segment(segment));
        Side { words: self.words.segment(segment), stems: of(self.stems), bases: of(self.bases) }
    }
}

/// One side of one segment; views that no module asks for are empty.
#[derive(Clone, Copy)]
struct Side<'a> {
    words: &'a [u64],
    stems: &'a [u64],
    bases: &'a [u64],
}

/// Both sides of one segment.
struct Sides<'a> {
    translation: Side<'a>,
    reference: Side<'a>,
}

/// Where the modules behind the exact one stand in the list, and what they look words up in.
struct Lexicon<'a> {
    stem: Option<u8>,
    synonym: Option<u8>,
    senses: Option<Senses<'a>>,
    paraphrase: Option<(u8, &'a Paraphrases)>,
}

impl Lexicon<'_> {
    fn senses(&mut self, word: u64, base: u64) -> &[u32] {
        self.senses.as_mut().map_or(&[], |senses| senses.of(word, base))
    }
}

/// How links are chosen among those that are possible.
#[derive(Clone, Debug)]
pub enum Aligner {
    /// As METEOR 1.5, with so many paths.
    Meteor15 {
        /// How many paths are kept.
        beam: usize,
    },
    /// The most words, each worth what its module is, then the fewest chunks.
    Optimal {
        /// By module.
        weights: Vec<f64>,
    },
    /// Module by module, the most words first, then the fewest crossings.
    Staged,
}

/// How links are found and chosen.
pub struct Matcher<'a> {
    /// Whether words may be linked by their stems.
    pub stem: bool,
    /// The dictionary, if words may be linked by it.
    pub synonyms: Option<&'a Synonyms>,
    /// The table of phrases, if words may be linked by it.
    pub paraphrases: Option<&'a Paraphrases>,
    /// How links are chosen.
    pub aligner: Aligner,
    /// Ids of the words that count as function words.
    pub function_words: &'a IdSet,
}

impl<'a> Matcher<'a> {
    /// How many modules there are.
    pub fn modules(&self) -> usize {
        1 + usize::from(self.stem) + usize::from(self.synonyms.is_some()) + usize::from(self.paraphrases.is_some())
    }

    fn lexicon(&self) -> Lexicon<'a> {
        let stem = self.stem.then_some(1);
        let synonym = self.synonyms.is_some().then_some(1 + u8::from(self.stem));
        let paraphrase = self.paraphrases.map(|paraphrases| (self.modules() as u8 - 1, paraphrases));
        Lexicon { stem, synonym, senses: self.synonyms.map(Senses::new), paraphrase }
    }

    fn workshop(&self) -> Workshop<'a> {
        Workshop {
            lexicon: self.lexicon(),
            candidates: Candidates::default(),
            beam: Beam::default(),
            search: Search::default(),
            links: Vec::new(),
        }
    }

    /// One row of counts per segment, `width(modules)` numbers each.
    pub fn count(&self, translations: &Views<'_>, references: &Views<'_>, threads: usize) -> Vec<f64> {
        let width = width(self.modules());
        let mut rows = filled(translations.words.len() * width, 0.0);
        fill_rows(
            &mut rows,
            width,
            threads,
            || self.workshop(),
            |workshop, segment, row| {
                let slack = self.align(workshop, translations, references, segment);
                counts::write(row, &workshop.links, translations, references, segment, self);
                row[width - 3] = f64::from(u8::from(slack != Slack::default()));
                row[width - 2] = slack.weight;
                row[width - 1] = slack.order;
            },
        );
        rows
    }

    /// The links of one segment, in the order of the reference.
    pub fn links(&self, translations: &Views<'_>, references: &Views<'_>, segment: usize) -> Vec<Link> {
        let mut workshop = self.workshop();
        self.align(&mut workshop, translations, references, segment);
        workshop.links
    }

    /// How much better links could be at most, by the aligner's own measure.
    fn align(
        &self,
        workshop: &mut Workshop<'_>,
        translations: &Views<'_>,
        references: &Views<'_>,
        segment: usize,
    ) -> Slack {
        let sides = Sides { translation: translations.side(segment), reference: references.side(segment) };
        let Workshop { lexicon, candidates, beam, search, links } = workshop;
        links.clear();
        if sides.translation.words == sides.reference.words && self.aligner.links_equal_words() {
            links.extend((0..sides.reference.words.len() as u32).map(diagonal));
            return Slack::default();
        }
        candidates.find(&sides, lexicon);
        match &self.aligner {
            Aligner::Meteor15 { beam: width } => {
                beam.align(candidates, sides.translation.words.len(), *width, links);
                Slack::default()
            }
            Aligner::Optimal { weights } => {
                beam.align(candidates, sides.translation.words.len(), optimal::BEAM, links);
                optimal::improve(search, &sides, candidates, weights, links)
            }
            Aligner::Staged => staged::align(search, &sides, candidates, self.modules(), lexicon.synonym, links),
        }
    }
}

/// How much better an alignment could be that a search did not look at: by nothing, if it is proved to be the best.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slack {
    /// Weighted words of both sides.
    weight: f64,
    /// Chunks, or crossings.
    order: f64,
}

impl Aligner {
    /// Whether two texts with the same words are linked word by word.
    fn links_equal_words(&self) -> bool {
        match self {
            Self::Optimal { weights } => weights.iter().all(|&weight| weight <= weights[0]) && weights[0] > 0.0,
            Self::Meteor15 { .. } | Self::Staged => true,
        }
    }
}

/// Word by word, for texts that are the same on both sides.
fn diagonal(position: u32) -> Link {
    Link { reference: position, translation: position, reference_length: 1, translation_length: 1, module: 0 }
}

/// Buffers that segments reuse.
struct Workshop<'a> {
    lexicon: Lexicon<'a>,
    candidates: Candidates,
    beam: Beam,
    search: Search,
    links: Vec<Link>,
}

#[cfg(test)]
mod tests;
