"""What a figure says that has nothing to show."""

from __future__ import annotations

from assay.errors import InputError


def nothing_to_draw() -> InputError:
    """The error where no correlation is defined."""
    return InputError(
        "No correlation is defined, so there is nothing to draw: the people, or every metric, give all the same score. "
        "Without --figure the table is printed."
    )
