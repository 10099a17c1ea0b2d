"""Does the metric know a true translation from another text? After Culy & Riehemann (2003), Figures 7 and 8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data.lines import read_lines
from assay.data.reading import guess_format, read
from assay.data.texts import Column as Texts
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies import pictures
from assay.questions.studies import reference_sets as sets
from assay.questions.studies.base import Study
from assay.results.result import Column, Result

#: As many references as in the paper's figures, where there are so many.
USUAL_SIZE = 4
#: A text that shares more of the lines than this is the text itself.
SAME_TEXT = 0.5
#: Texts by name, and their translations by name.
Others = Mapping[str, Mapping[str, Texts]]


@dataclass(frozen=True, kw_only=True)
class ForeignTexts(Study):
    """sets.Translations of other texts beside those of this one, against the same sets of references."""

    name: ClassVar[str] = "foreign-texts"
    question: ClassVar[str] = "Does the metric know a true translation from another text?"
    source: ClassVar[str] = "Culy & Riehemann (2003), Figures 7 and 8"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("text"),
        Column("system", "translation"),
        Column("kind"),
        *sets.SPREAD_COLUMNS,
    )
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            Column("text", "other text"),
            *sets.SPREAD_COLUMNS[:3],
            Column("n", "sets", ","),
            Column("mean", "mean", ".2f"),
            Column("highest", "its highest mean", ".2f"),
            Column("lowest_true", "lowest true mean", ".2f"),
            Column("auc", "true above foreign %", ".2f"),
            Column("separated", "all true above all foreign %", ".1f"),
        ),
    }

    others: tuple[str, ...] = option((), "Campaigns and text files of other texts.", metavar="PATH,...")
    metrics: tuple[Metric, ...] = metrics_option(("bleu", "nist"), "Metrics, with their recipes.")
    k: tuple[int, ...] = option(
        (), "How many references at a time. Default: 4, or all but one if there are fewer.", metavar="2,4", least=1
    )
    text: sets.Text = option("whole", "whole (as one long segment), segments, or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        if not self.others:
            raise InputError(
                f"{self.name} needs other texts to compare with: --others PATH,PATH names campaigns or text files."
            )
        own = sets.translations_of(asked, self.name)
        texts = {
            name: text for path in self.others for name, text in other_text(path, asked.data.systems or None).items()
        }
        if asked.campaign.name in texts:
            raise InputError(f"{asked.campaign.name} is named as another text, but it is the text itself.")
        warn_of_own_words(own, texts)
        sizes = own.sizes(self.k, self.name)
        if not self.k:
            sizes = [min(USUAL_SIZE, max(len(own.references) - 1, 1))]
        ways: tuple[sets.Text, ...] = ("whole", "segments") if self.text == "both" else (self.text,)
        scored: list[sets.SetScores] = []
        notes: dict[str, None] = {}
        for way in ways:
            everyone, said = joined(own, texts, whole=way == "whole")
            notes |= dict.fromkeys(said)
            sets.warn_of_limits(everyone, sizes, self.most)
            scored += sets.score_sets(everyone, self.metrics, sizes, asked, text=way, most=self.most)
        where = {f"{text}/{name}": text for text, foreign in texts.items() for name in foreign}
        rows = [row | _named(row["system"], where, own) for one in scored for row in one.spread()]
        rows = [{"text": row["text"], "system": row["system"], "kind": row["kind"]} | row for row in rows]
        apart = [row for one in scored for row in separability(one, where, rows)]
        return self.result(
            asked, rows, [*findings(rows, apart, scored), *notes], self.metrics,
            lambda: pictures.foreign_texts(
                [row | {"metric": sets.label(row)} for row in rows],
                campaign=asked.campaign.name,
                lower_is_better={sets.label(one.cells) for one in scored if not one.metric.higher_is_better},
            ),
            tables={"separability": apart},
        )  # fmt: skip


def _named(name: str, where: Mapping[str, str], own: sets.Translations) -> dict[str, str]:
    """Which text a translation is of, its name there, and whose it is."""
    if name in where:
        return {"text": where[name], "system": name.partition("/")[2], "kind": "foreign"}
    return {"text": own.campaign, "system": name, "kind": "human" if own.is_human(name) else "system"}


def other_text(path: str, wanted: Sequence[str] | None) -> dict[str, dict[str, Texts]]:
    """The translations of another text: those of a campaign, chosen by name, or a file of lines."""
    if Path(path).is_file() and guess_format(path) == "lines":
        return {Path(path).stem: {"text": read_lines(path)}}
    if not Path(path).exists():
        raise InputError(f"{path}: no such file or folder. --others takes campaigns and text files.")
    other = read(path)
    found = {name: texts for name, texts in other.references.items() if name not in other.post_edits}
    found |= {name: texts for name, texts in other.systems.items() if name not in found}
    if wanted is not None:
        patterns = [one.strip() for one in wanted]
        found = {name: texts for name, texts in found.items() if any(fnmatchcase(name, one) for one in patterns)}
    if not found:
        raise InputError(f"{path}: no translation of this text is chosen. Choose others with --systems.")
    return {other.name: found}


def warn_of_own_words(own: sets.Translations, texts: Others) -> None:
    """Say which other texts have the campaign's own lines in them: the whole book beside a part of it, say."""
    true = {name: {line for line in column if line} for name, column in {**own.texts, **own.references}.items()}
    for text, foreign in texts.items():
        for name, column in foreign.items():
            lines = set(column)
            alike = [one for one, known in true.items() if known and len(known & lines) > SAME_TEXT * len(known)]
            if alike:
                sets.warn(f"{text}/{name} has most lines of {alike[0]} in it: it is no other text than {own.campaign}.")
                break


def joined(own: sets.Translations, texts: Others, *, whole: bool) -> tuple[sets.Translations, list[str]]:
    """All translations, cut to one length; and what was cut, in sentences.

    A text by the hand of a reference is not compared with that reference, as the true translation cannot be either.
    """
    foreign = {f"{text}/{name}": column for text, theirs in texts.items() for name, column in theirs.items()}
    hands = {name: name.partition("/")[2] for name in foreign if name.partition("/")[2] in own.references}
    true = {**own.texts, **own.references}
    said = []
    if whole:
        words = int(np.mean([_words(column).sum() for column in own.references.values()]))
        cut = {name: _cut_words(column, words) for name, column in foreign.items()}
        longer = [name for name, column in foreign.items() if len(cut[name]) < len(column)]
        shorter = [name for name in foreign if _words(cut[name]).sum() < 0.9 * words]
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
        cut = {name: column.slice(0, fewest) for name, column in foreign.items()}
        said.append(f"Segment by segment, all texts are cut to the first {fewest} segments.")
        if fewest < segments:
            sets.warn(
                f"The shortest other text has {fewest} segments, so of {own.campaign}'s {segments} the first "
                f"{fewest} are used."
            )
            true = {name: column.slice(0, fewest) for name, column in true.items()}
    everyone = replace(
        own,
        texts={**{name: true[name] for name in own.texts}, **cut},
        references={name: true[name] for name in own.references},
        own={**own.own, **hands},
        foreign=frozenset(foreign),
    )
    return everyone, said


def _words(column: Texts) -> NDArray[np.int64]:
    return np.array([len(text.split()) for text in column], dtype=np.int64)


def _cut_words(column: Texts, words: int) -> Texts:
    """The first segments, as many as come nearest to so many words."""
    ends = np.cumsum(_words(column))
    return column.slice(0, int(np.abs(ends - words).argmin()) + 1)


def separability(
    scored: sets.SetScores, where: Mapping[str, str], rows: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """For each other text how often true translations are above its own, against the same sets of references."""
    own = [row for row in rows if scored.cells.items() <= row.items()]
    choose, other = (min, max) if scored.metric.higher_is_better else (max, min)
    lowest = choose((row["mean"] for row in own if row["kind"] != "foreign"), default=None)
    true = np.array([name not in where for name in scored.names])
    for text in dict.fromkeys(where.values()):
        shares = scored.separability(true, np.array([where.get(name) == text for name in scored.names]))
        means = [row["mean"] for row in own if row["text"] == text and row["kind"] == "foreign"]
        if shares is not None:
            ends = {"mean": float(np.mean(means)), "highest": other(means), "lowest_true": lowest}
            named = {"text": text} | scored.cells | {"n": shares["n"]}
            yield named | ends | {"auc": shares["auc"], "separated": shares["separated"]}


def findings(
    rows: Sequence[Mapping[str, Any]], apart: Sequence[Mapping[str, Any]], scored: Sequence[sets.SetScores]
) -> Iterator[str]:
    """How near other texts come to true translations."""
    for one in scored:
        own = [row for row in apart if one.cells.items() <= row.items()]
        if not own:
            continue
        own.sort(key=lambda row: row["mean"], reverse=one.metric.higher_is_better)
        means = [row["mean"] for row in rows if one.cells.items() <= row.items() and row["kind"] != "foreign"]
        told = ", ".join(f"{row['text']} {row['mean']:.2f}" for row in own)
        nearest, name = own[0], f"{sets.label(one.cells)}, k = {one.size}"
        yield f"{name}: other texts have means of {told}; true translations from {min(means):.2f} to {max(means):.2f}."
        yield (
            f"{name}: a true translation is above one of {nearest['text']} in {nearest['auc']:.2f} % of comparisons, "
            f"and all of them above all with {nearest['separated']:.1f} % of the sets."
        )
