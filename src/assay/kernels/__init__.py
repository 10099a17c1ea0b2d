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
    match_sizes,
    matched_information,
    matching,
    pack,
    scan_lines,
    stemmers,
)

__all__ = [
    "CompiledRecipe",
    "Survey",
    "clipped_matches",
    "digest",
    "edit_operations",
    "match_sizes",
    "matched_information",
    "matching",
    "pack",
    "scan_lines",
    "stemmers",
]
