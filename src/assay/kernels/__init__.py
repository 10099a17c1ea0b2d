"""Typed doors onto the compiled loops: arrays in, arrays out, one row per segment.

Nothing here checks user input; that is done by ``assay.data`` once, at the door of the house.
"""

from assay.kernels._compiled import (
    MeteorMatcher,
    ParaphraseReader,
    Paraphrases,
    Survey,
    Synonyms,
    agreement_at,
    associations,
    best_thresholds,
    clipped_matches,
    common_skip_ngrams,
    digest,
    edit_operations,
    edit_script,
    match_sizes,
    matched_information,
    matching,
    pack,
    phrase_key,
    scan_lines,
    stemmers,
    swapped_shares,
    token_ids,
    translation_edit_script,
    translation_edits,
)
from assay.kernels._compiled import (
    Recipe as CompiledRecipe,
)

__all__ = [
    "CompiledRecipe",
    "MeteorMatcher",
    "ParaphraseReader",
    "Paraphrases",
    "Survey",
    "Synonyms",
    "agreement_at",
    "associations",
    "best_thresholds",
    "clipped_matches",
    "common_skip_ngrams",
    "digest",
    "edit_operations",
    "match_sizes",
    "edit_script",
    "matched_information",
    "matching",
    "pack",
    "phrase_key",
    "scan_lines",
    "stemmers",
    "swapped_shares",
    "token_ids",
    "translation_edit_script",
    "translation_edits",
]
