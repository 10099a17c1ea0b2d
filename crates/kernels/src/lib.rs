//! The loops of Assay: text in, token ids out; token ids in, counts out; scores in, pairs and ranks out.
//!
//! Pure functions over borrowed arrays: no Python, no files, no state; what is random is a hash. Every
//! kernel works segment by segment and writes disjoint rows, so results do not
//! depend on the number of threads. Each has an obvious twin in `tests/oracles`.

#![forbid(unsafe_code)]

pub mod association;
pub mod blanc;
pub mod character_ter;
pub mod characters;
pub mod draws;
pub mod edits;
pub mod events;
pub mod gtm;
pub mod hashing;
pub mod information;
pub mod jumps;
pub mod lines;
pub mod meteor;
pub mod overlap;
pub mod parallel;
pub mod paraphrases;
pub mod ranks;
pub mod recipe;
pub mod room;
pub mod sequences;
pub mod stems;
pub mod steps;
pub mod subsequences;
pub mod swaps;
pub mod synonyms;
pub mod ter;
pub mod thresholds;
pub mod tokenizers;
