"""Typed doors onto the compiled loops: arrays in, arrays out, one row per segment.

Nothing here checks user input; that is done by ``assay.data`` once, at the door of the house.
"""

from assay.kernels._compiled import (
    Recipe as CompiledRecipe,
)
from assay.kernels._compiled import (
    Survey,
    clipped_matches,
    digest,
    edit_operations,
    edit_script,
    matched_information,
    pack,
    scan_lines,
    stemmers,
    translation_edit_script,
    translation_edits,
)

__all__ = [
    "CompiledRecipe",
    "Survey",
    "clipped_matches",
    "digest",
    "edit_operations",
    "edit_script",
    "matched_information",
    "pack",
    "scan_lines",
    "stemmers",
    "translation_edit_script",
    "translation_edits",
]
