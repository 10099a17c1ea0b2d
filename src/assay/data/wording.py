"""How messages speak of numbers of things."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number of things, in the singular where there is one.

    >>> counted(1, "rater"), counted(2000, "judgement")
    ('1 rater', '2,000 judgements')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
