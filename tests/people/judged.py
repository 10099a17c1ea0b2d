"""Small judgements for tests, and where the real ones lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.judgements import Judgement, Judgements

DATA = Path(__file__).parents[2].parent / "shared" / "data"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no campaigns with human judgements at {DATA}")


def judged(*rows, kind="da", **more):
    """Judgements from (system, segment, rater, score) and, if there is a fifth, the kind."""
    return Judgements.of(
        [
            Judgement(
                system=row[0], segment=row[1], rater=row[2], score=row[3], kind=row[4] if len(row) > 4 else kind, **more
            )
            for row in rows
        ],
        "inline",
    )


def grid(table, raters="abcdefgh", system="s"):
    """One rater per column and one segment per row; None where there is no rating."""
    return judged(
        *(
            (system, segment, raters[column], score)
            for segment, row in enumerate(table)
            for column, score in enumerate(row)
            if score is not None
        )
    )
