"""Typed doors onto the compiled loops: arrays in, arrays out, one row per segment.

Nothing here checks user input; that is done by ``assay.data`` once, at the door of the house.
"""

from assay.kernels._compiled import (
    MeteorMatcher,
    ParaphraseReader,
    Paraphrases,
    Survey,
    Synonyms,
    clipped_matches,
    common_skip_ngrams,
    digest,
    edit_operations,
    edit_script,
    match_sizes,
    matched_information,
    matching,
    pack,
    pair_lines,
    phrase_key,
    rank_lines,
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
    "clipped_matches",
    "common_skip_ngrams",
    "digest",
    "edit_operations",
    "match_sizes",
    "edit_script",
    "matched_information",
    "matching",
    "pack",
    "pair_lines",
    "phrase_key",
    "rank_lines",
    "scan_lines",
    "stemmers",
    "swapped_shares",
    "token_ids",
    "translation_edit_script",
    "translation_edits",
]
