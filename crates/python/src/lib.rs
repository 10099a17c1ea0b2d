//! The skin: borrow arrays, release the lock, call a kernel, hand arrays back. No arithmetic.

#![expect(clippy::needless_pass_by_value, reason = "what Python hands over arrives by value")]

mod arrays;
mod association;
mod blanc;
mod draws;
mod gtm;
mod meteor;
mod paraphrases;
mod recipe;
mod scripts;
mod survey;
mod synonyms;
mod ter;
mod texts;

use pyo3::prelude::*;

/// Compiled kernels of Assay; call them through `assay.kernels`.
#[pymodule]
mod _compiled {
    #[pymodule_export]
    use super::arrays::{
        character_edits, clipped_matches, common_subsequences, edit_operations, jumping_edits, matched_information,
        matched_ngrams, ranked_words,
    };
    #[pymodule_export]
    use super::association::{agreement_at, associations, best_thresholds, swapped_shares};
    #[pymodule_export]
    use super::blanc::common_skip_ngrams;
    #[pymodule_export]
    use super::draws::{draw_counts, draw_order, draw_swaps, text_keys};
    #[pymodule_export]
    use super::gtm::{match_sizes, matching};
    #[pymodule_export]
    use super::meteor::{MeteorMatcher, join_synonyms};
    #[pymodule_export]
    use super::paraphrases::{ParaphraseReader, Paraphrases, phrase_key};
    #[pymodule_export]
    use super::recipe::{Recipe, stemmers};
    #[pymodule_export]
    use super::scripts::{edit_script, translation_edit_script};
    #[pymodule_export]
    use super::survey::Survey;
    #[pymodule_export]
    use super::synonyms::{Synonyms, token_ids};
    #[pymodule_export]
    use super::ter::translation_edits;
    #[pymodule_export]
    use super::texts::{digest, pack, scan_lines};
}
