"""Does the metric know a true translation from another text? After Culy & Riehemann (2003), Figures 7 and 8."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assay.data.formats.lines import read_lines
from assay.data.reading import guess_format, read
from assay.data.texts import Column as TextColumn
from assay.errors import AssayWarning, InputError
from assay.metrics.registry import metric as named_metric
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, Study, StudyResult
from assay.questions.studies.parts.reference_sets import (
    UNSEGMENTED,
    Cast,
    Scored,
    Text,
    cast_of,
    score_sets,
    sizes_of,
)
from assay.questions.studies.references import SPREAD_COLUMNS, spread, warn_of_limits
from assay.results.result import Result

#: As many references as in the paper's figures, where there are so many.
USUAL_SIZE = 4
#: A text that shares more of the lines than this is the text itself.
SAME_TEXT = 0.5


@dataclass(frozen=True, kw_only=True)
class ForeignTexts(Study):
    """Translations of other texts beside those of this one, against the same sets of references."""

    name: ClassVar[str] = "foreign-texts"
    question: ClassVar[str] = "Does the metric know a true translation from another text?"
    source: ClassVar[str] = "Culy & Riehemann (2003), Figures 7 and 8"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("text", "text"),
        Column("system", "translation"),
        Column("kind", "kind"),
        *SPREAD_COLUMNS,
    )
    detail_columns: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            Column("text", "other text"),
            Column("metric", "metric"),
            Column("k", "k", "d"),
            Column("n", "sets", ","),
            Column("mean", "mean", ".2f"),
            Column("highest", "its highest mean", ".2f"),
            Column("lowest_true", "lowest true mean", ".2f"),
            Column("auc", "true above foreign %", ".2f"),
            Column("separated", "all true above all foreign %", ".1f"),
        ),
    }

    others: tuple[str, ...] = option((), "Campaigns and text files of other texts, with commas between.")
    metric: tuple[str, ...] = option(("bleu", "nist"), "Metrics, with their recipes.")
    k: tuple[int, ...] = option((), "How many references at a time. Default: 4, or all but one if there are fewer.")
    text: Text = option("whole", "whole (as one long segment), segments, or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.")

    def check(self) -> None:
        named_metrics(self.metric)
        self.require(all(size >= 1 for size in self.k), "k", "numbers of references from 1 on, such as 4")
        self.require(self.most >= 1, "most", "a whole number from 1 on")

    def answer(self, asked: Asked) -> Result:
        if not self.others:
            raise InputError(
                f"{self.name} needs other texts to compare with: --others PATH,PATH names campaigns or text files."
            )
        cast = cast_of(asked, self.name)
        texts = {
            name: foreign
            for path in self.others
            for name, foreign in other_text(path, asked.data.systems or None).items()
        }
        if set(texts) & {asked.campaign.name}:
            raise InputError(f"{asked.campaign.name} is named as another text, but it is the text itself.")
        warn_of_own_words(cast, texts)
        sizes = sizes_of(cast, self.k, self.name)
        if not self.k:
            sizes = [min(USUAL_SIZE, max(len(cast.references) - 1, 1))]
        ways: tuple[Text, ...] = ("whole", "segments") if self.text == "both" else (self.text,)
        scored: list[Scored] = []
        notes: dict[str, None] = {}
        for way in ways:
            everyone, said = joined(cast, texts, whole=way == "whole")
            notes |= dict.fromkeys(said)
            warn_of_limits(everyone, sizes, self.most)
            scored += score_sets(
                everyone, named_metrics(self.metric), sizes,
                text=way, most=self.most, seed=asked.seed, threads=asked.threads, progress=asked.progress,
            )  # fmt: skip
        where = {f"{text}/{name}": text for text, own in texts.items() for name in own}
        rows = [self._row(row, where, cast, asked.campaign.name) for one in scored for row in spread(one)]
        details = {"separability": [row for one in scored for row in separability(one, where, rows)]}
        return self.result(asked, rows, (*findings(rows, details), *notes), details=details)

    @staticmethod
    def _row(row: dict[str, Any], where: Mapping[str, str], cast: Cast, campaign: str) -> dict[str, Any]:
        candidate = row["system"]
        kind = "foreign" if candidate in where else "human" if cast.is_human(candidate) else "system"
        name = candidate.partition("/")[2] if candidate in where else candidate
        return {"text": where.get(candidate, campaign), "system": name, "kind": kind} | {
            key: value for key, value in row.items() if key != "system"
        }

    def chart(self, result: StudyResult) -> Any:
        """A panel per metric: each text a line, each of its translations a mark at its mean."""
        from assay.questions.studies.pictures.text_marks import draw

        return draw(result)


def other_text(path: str, wanted: tuple[str, ...] | None) -> dict[str, dict[str, TextColumn]]:
    """The translations of another text: those of a campaign, chosen by name, or a file of lines."""
    if Path(path).is_file() and guess_format(path) == "lines":
        return {Path(path).stem: {"text": read_lines(path)}}
    if not Path(path).exists():
        raise InputError(f"{path}: no such file or folder. --others takes campaigns and text files.")
    other = read(path)
    found = {name: texts for name, texts in other.references.items() if name not in other.post_edits}
    found |= {name: texts for name, texts in other.systems.items() if name not in found}
    if wanted is not None:
        patterns = [one.strip() for one in (wanted.split(",") if isinstance(wanted, str) else wanted)]
        found = {name: texts for name, texts in found.items() if any(fnmatchcase(name, one) for one in patterns)}
    if not found:
        raise InputError(f"{path}: no translation of this text is chosen. Choose others with --systems.")
    return {other.name: found}


def warn_of_own_words(cast: Cast, texts: Mapping[str, Mapping[str, TextColumn]]) -> None:
    """Say which other texts have the campaign's own lines in them: the whole book beside a part of it, say."""
    true = {name: {line for line in column if line} for name, column in {**cast.candidates, **cast.references}.items()}
    for text, own in texts.items():
        for name, column in own.items():
            lines = set(column)
            alike = [one for one, known in true.items() if known and len(known & lines) > SAME_TEXT * len(known)]
            if alike:
                warnings.warn(
                    f"{text}/{name} has most lines of {alike[0]} in it: it is no other text than {cast.campaign}.",
                    AssayWarning,
                    stacklevel=3,
                )
                break


def joined(cast: Cast, texts: Mapping[str, Mapping[str, TextColumn]], *, whole: bool) -> tuple[Cast, list[str]]:
    """All candidates, cut to one length; and what was cut, in sentences.

    A text by the hand of a reference is not compared with that reference, as the true translation cannot be either.
    """
    foreign = {f"{text}/{name}": column for text, own in texts.items() for name, column in own.items()}
    hands = {label: label.partition("/")[2] for label in foreign if label.partition("/")[2] in cast.references}
    true = {**cast.candidates, **cast.references}
    said = []
    if whole:
        words = int(np.mean([_words(column).sum() for column in cast.references.values()]))
        cut = {label: _cut_words(column, words) for label, column in foreign.items()}
        longer = [label for label, column in foreign.items() if len(cut[label]) < len(column)]
        shorter = [label for label in foreign if _words(cut[label]).sum() < 0.9 * words]
        if longer:
            said.append(
                f"{len(longer)} of {len(foreign)} other texts are longer, and are cut behind the segment nearest to "
                f"{words:,} words, the references' mean length."
            )
        if shorter:
            said.append(f"Shorter by more than a tenth, which metrics may punish: {', '.join(shorter)}.")
    else:
        segments = len(next(iter(true.values())))
        fewest = min([segments, *map(len, foreign.values())])
        cut = {label: column.slice(0, fewest) for label, column in foreign.items()}
        said.append(f"Segment by segment, all texts are cut to the first {fewest} segments.")
        if fewest < segments:
            warnings.warn(
                f"The shortest other text has {fewest} segments, so of {cast.campaign}'s {segments} the first "
                f"{fewest} are used.",
                AssayWarning,
                stacklevel=3,
            )
            true = {name: column.slice(0, fewest) for name, column in true.items()}
    everyone = {**{name: true[name] for name in cast.candidates}, **cut}
    kept = {name: true[name] for name in cast.references}
    return replace(
        cast, candidates=everyone, references=kept, own={**cast.own, **hands}, foreign=frozenset(foreign)
    ), said


def _words(column: TextColumn) -> Any:
    return np.array([len(text.split()) for text in column], dtype=np.int64)


def _cut_words(column: TextColumn, words: int) -> TextColumn:
    """The first segments, as many as come nearest to so many words."""
    ends = np.cumsum(_words(column))
    return column.slice(0, int(np.abs(ends - words).argmin()) + 1)


def separability(
    scored: Scored, where: Mapping[str, str], rows: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """For each other text how often true translations are above its own, against the same sets of references."""
    is_foreign = np.array([name in where for name in scored.candidates])
    own = [row for row in rows if (row["metric"], row["k"]) == (scored.label, scored.size)]
    choose, other = (min, max) if scored.metric.higher_is_better else (max, min)
    lowest = choose((row["mean"] for row in own if row["kind"] != "foreign"), default=None)
    for text in dict.fromkeys(where.values()):
        members = np.array([where.get(name) == text for name in scored.candidates])
        wins, pairs, clear, sets = 0.0, 0, 0, 0
        for merits in scored.merits:
            true = merits[~is_foreign & ~np.isnan(merits)]
            false = merits[members & ~np.isnan(merits)]
            if len(true) and len(false):
                difference = true[:, None] - false[None, :]
                wins += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
                clear += bool((difference > 0).all())
                pairs, sets = pairs + difference.size, sets + 1
        means = [row["mean"] for row in own if row["text"] == text and row["kind"] == "foreign"]
        if sets:
            yield {
                "text": text,
                "metric": scored.label,
                "k": scored.size,
                "n": sets,
                "mean": float(np.mean(means)),
                "highest": other(means),
                "lowest_true": lowest,
                "auc": 100.0 * wins / pairs,
                "separated": 100.0 * clear / sets,
            }


def findings(rows: Sequence[Mapping[str, Any]], details: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """How near other texts come to true translations."""
    for metric, size in dict.fromkeys((row["metric"], row["k"]) for row in details["separability"]):
        own = [row for row in details["separability"] if (row["metric"], row["k"]) == (metric, size)]
        better = named_metric(metric.removesuffix(UNSEGMENTED)).higher_is_better
        own.sort(key=lambda row: row["mean"], reverse=better)
        true = [row for row in rows if (row["metric"], row["k"]) == (metric, size) and row["kind"] != "foreign"]
        means = [row["mean"] for row in true]
        told = ", ".join(f"{row['text']} {row['mean']:.2f}" for row in own)
        yield (
            f"{metric}, k = {size}: other texts have means of {told}; true translations from {min(means):.2f} to "
            f"{max(means):.2f}."
        )
        nearest = own[0]
        yield (
            f"{metric}, k = {size}: a true translation is above one of {nearest['text']} in {nearest['auc']:.2f} % of "
            f"comparisons, and all of them above all with {nearest['separated']:.1f} % of the sets."
        )
