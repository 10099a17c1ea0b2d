"""Short ways to score a segment or a few, for tests."""

from __future__ import annotations

from collections.abc import Sequence

import assay


def evaluate(spelling: str, translations: Sequence[str], *references: Sequence[str]) -> assay.Statistics:
    """A metric by its spelling over translations and full lists of references."""
    return assay.metric(spelling).evaluate(assay.Corpus(translations=translations, references=references))


def score(spelling: str, translation: str, *references: str) -> float:
    """The score of one segment."""
    return evaluate(spelling, [translation], *([reference] for reference in references)).corpus_score()


def row(spelling: str, translation: str, *references: str) -> dict[str, float]:
    """The row of one segment, by the names of its columns."""
    statistics = evaluate(spelling, [translation], *([reference] for reference in references))
    return dict(zip(statistics.metric.columns, statistics.rows[0].tolist(), strict=True))


def parts(spelling: str, translation: str, *references: str) -> dict[str, float]:
    """The parts of one segment's score."""
    return evaluate(spelling, [translation], *([reference] for reference in references)).parts()
