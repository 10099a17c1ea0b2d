"""Does the metric know a true translation from another text? After Culy & Riehemann (2003), Figures 7 and 8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data.files import read_lines
from assay.data.formats import guess_format, read
from assay.data.judgements import fitting
from assay.data.texts import Texts
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import CANDIDATES, metrics_option, option
from assay.questions.studies import references as sets
from assay.questions.studies.base import Study, grouped, those, warn
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table

#: As many references as in the paper's figures, where there are so many.
_USUAL_SIZE = 4
#: A text that shares more of the lines than this is the text itself.
_SAME_TEXT = 0.5
_HUES = {"human": COLORS[0], "system": COLORS[2], "foreign": COLORS[1]}
_SHAPES = {"human": "circle", "system": "square", "foreign": "triangle-up"}
#: Translations of other texts, by the name of the text and their own.
_Others = Mapping[tuple[str, str], Texts]


@dataclass(frozen=True, kw_only=True)
class ForeignTexts(Study):
    """Translations of other texts beside those of this one, against the same sets of references."""

    name = "foreign-texts"
    question = "Does the metric know a true translation from another text?"
    needs: ClassVar[Mapping[str, int]] = {CANDIDATES: 1, "other texts, by --others": 1}
    source = "Culy & Riehemann (2003), Figures 7 and 8"
    columns = (Column("text"), Column("system", "translation"), Column("kind"), *sets.SPREAD_COLUMNS)
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            Column("text", "other text"), *sets.SPREAD_COLUMNS[:3], Column("n", "sets", ","),
            Column("mean", "mean", ".2f"), Column("highest", "its highest mean", ".2f"),
            Column("lowest_true", "lowest true mean", ".2f"), Column("auc", "true above foreign %", ".2f"),
            Column("separated", "all true above all foreign %", ".1f"),
        ),
    }  # fmt: skip

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
        true = sets.translations_of(asked, self.name)
        others: dict[tuple[str, str], Texts] = {}
        for path in self.others:
            others |= _other_text(path, asked.data.chosen_systems)
        where = {f"{text}/{name}": text for text, name in others}
        if asked.campaign.name in where.values():
            raise InputError(f"{asked.campaign.name} is named as another text, but it is the text itself.")
        _warn_of_own_words(true, others)
        sizes = true.sizes(self.k or [min(_USUAL_SIZE, max(len(true.references) - 1, 1))], self.name)
        scored: list[sets.SetScores] = []
        notes: list[str] = []
        ways: tuple[sets.Text, ...] = ("whole", "segments") if self.text == "both" else (self.text,)
        for done, way in enumerate(ways):
            everyone, said = _joined(true, others, whole=way == "whole")
            notes += said
            part = replace(asked, progress=asked.part(done / len(ways), (done + 1) / len(ways)))
            scored += sets.score_sets(everyone, self.metrics, sizes, part, text=way, most=self.most)
        spread = [(_named(row["system"], where, everyone), row) for scores in scored for row in scores.spread()]
        rows = [named | row | named for named, row in spread]
        apart = [row for scores in scored for row in _separability(scores, where, rows)]
        single = [row for scores in scored for row in sets.all_scores(scores, everyone.reference_of)]
        tables = {
            "table": rows,
            "separability": apart,
            "scores": [row | _named(row["system"], where, everyone) for row in single],
        }
        return self.result(asked, tables, [*_findings(rows, apart, scored), *notes], self.metrics)

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Each text a line of marks, one for each of its translations: a panel per metric and number of references."""
        panels: list[Spec] = []
        order: list[str] = []
        for (metric, _, size), shown in grouped(tables["table"], "metric", "compared", "k"):
            rows = [dict(row) for row in shown]
            sign = -1.0 if sets.is_lower(metric, self.metrics) else 1.0
            foreign = {row["text"] for row in those(rows, kind="foreign")}
            means = {text: fmean(row["mean"] for row in here) for text, here in grouped(rows, "text")}
            # The text itself, then the others, the most alike first; one order for all panels, which share their names.
            order = order or sorted(means, key=lambda text: (text in foreign, -sign * means[text]))
            most = _arranged(rows, sign)
            panels.append(
                charts.interval_dots(
                    rows, name="text", value="mean", ends=("low", "high"), group="place", kind="kind", label="said",
                    label_side="side", colors=_HUES, shapes=_SHAPES, order=order, names=len(panels) % 2 == 0, width=320,
                    axis=Axis(reverse=sign < 0, zero=True), step=max(6.0, min(11.0, 96.0 / most)),
                    heading=f"{sets.label(rows[0])}, k = {size}",
                )
            )  # fmt: skip
        systems = "green squares systems, " if those(tables["table"], kind="system") else ""
        said = [
            f"{campaign}, and other texts in its place: a mark is the mean of one translation over sets of k "
            "references, a line its range.",
            f"Blue circles are true human translations, {systems}orange triangles other texts.",
        ]
        title = "Does the metric know a true translation from another text?"
        return charts.figure("figure", charts.panels(panels, columns=2, spacing=24), title, said)


def _arranged(rows: Table, sign: float) -> int:
    """Set the translations of a text a little apart, and name the nearest of either kind; how many one text has."""
    rows.sort(key=lambda row: sign * row["mean"])
    placed: Counter[str] = Counter()
    for row in rows:
        # The nearest of either kind is the first or last of its lines, and has room on the other kind's side.
        row |= {"place": placed[row["text"]], "said": ""}
        row["side"] = "right" if (row["kind"] == "foreign") == (sign > 0) else "left"
        placed[row["text"]] += 1
    true = [row for row in rows if row["kind"] != "foreign"]
    for row in (*true[:1], *those(rows, kind="foreign")[-1:]):
        row["said"] = row["system"]
    return max(placed.values())


def _named(name: str, where: Mapping[str, str], everyone: sets.Translations) -> dict[str, str]:
    """Which text a translation is of, its name there, and whose it is."""
    if name in where:
        return {"text": where[name], "system": name.partition("/")[2], "kind": "foreign"}
    return {"text": everyone.campaign, "system": name, "kind": "human" if name in everyone.reference_of else "system"}


def _other_text(path: str, wanted: Sequence[str]) -> dict[tuple[str, str], Texts]:
    """The translations of another text: those of a campaign, chosen by name, or a file of lines."""
    if Path(path).is_file() and guess_format(path) == "lines":
        return {(Path(path).stem, "text"): read_lines(path)}
    if not Path(path).exists():
        raise InputError(f"{path}: no such file or folder. --others takes campaigns and text files.")
    other = read(path)
    texts = {name: column for name, column in other.references.items() if name not in other.targeted}
    texts |= {name: column for name, column in other.systems.items() if name not in texts}
    # What is chosen in the campaign need not be there in every other one.
    known = [name for name in map(str.strip, wanted) if any(fnmatchcase(text, name.lstrip("!")) for text in texts)]
    chosen = fitting("translation", texts, known or "*")
    if not chosen or not (known or all(name.startswith("!") for name in wanted)):
        raise InputError(f"{path}: no translation of this text is chosen. Choose others with --systems.")
    return {(other.name, name): texts[name] for name in chosen}


def _warn_of_own_words(true: sets.Translations, others: _Others) -> None:
    """Say which other texts have the campaign's own lines in them: the whole book beside a part of it, say."""
    known = {name: {line for line in column if line} for name, column in {**true.texts, **true.references}.items()}
    said: set[str] = set()
    for (text, name), column in others.items():
        theirs = set(column)
        alike = [ours for ours, lines in known.items() if lines and len(lines & theirs) > _SAME_TEXT * len(lines)]
        if alike and text not in said:
            said.add(text)
            warn(f"{text}/{name} has most lines of {alike[0]} in it: it is no other text than {true.campaign}.")


def _joined(true: sets.Translations, others: _Others, *, whole: bool) -> tuple[sets.Translations, list[str]]:
    """All translations, cut to one length; and what was cut, in sentences.

    A text by the hand of a reference is not compared with that reference, as the true translation cannot be either.
    """
    foreign = {f"{text}/{name}": column for (text, name), column in others.items()}
    hands = {f"{text}/{name}": name for text, name in others if name in true.references}
    texts, references, said = dict(true.texts), dict(true.references), list[str]()
    if whole:
        words = int(np.mean([_words(column).sum() for column in references.values()]))
        lengths = {name: len(column) for name, column in foreign.items()}
        # The first segments, as many as come nearest to so many words.
        ends = {name: np.abs(np.cumsum(_words(column)) - words).argmin() for name, column in foreign.items()}
        foreign = {name: column.slice(0, int(ends[name]) + 1) for name, column in foreign.items()}
        longer = [name for name, length in lengths.items() if len(foreign[name]) < length]
        shorter = [name for name, column in foreign.items() if _words(column).sum() < 0.9 * words]
        if longer:
            said.append(
                f"{len(longer)} of {len(foreign)} other texts are longer, and are cut behind the segment nearest to "
                f"{words:,} words, the references' mean length."
            )
        if shorter:
            said.append(f"Shorter by more than a tenth, which metrics may punish: {', '.join(shorter)}.")
    else:
        segments = len(next(iter(references.values())))
        fewest = min([segments, *map(len, foreign.values())])
        for columns in (foreign, texts, references):
            columns |= {name: column.slice(0, fewest) for name, column in columns.items()}
        said.append(f"Segment by segment, all texts are cut to the first {fewest} segments.")
        if fewest < segments:
            warn(
                f"The shortest other text has {fewest} segments, so of {true.campaign}'s {segments} the first "
                f"{fewest} are used."
            )
    reference_of = {**true.reference_of, **hands}
    return replace(true, texts={**texts, **foreign}, references=references, reference_of=reference_of), said


def _words(column: Texts) -> NDArray[np.int64]:
    return np.array([len(text.split()) for text in column], dtype=np.int64)


def _separability(scored: sets.SetScores, where: Mapping[str, str], rows: Table) -> Iterator[dict[str, Any]]:
    """For each other text how often true translations are above its own, against the same sets of references."""
    rows = those(rows, **scored.cells)
    worst, best = (min, max) if scored.metric.higher_is_better else (max, min)
    lowest = worst((row["mean"] for row in rows if row["kind"] != "foreign"), default=None)
    true = np.array([name not in where for name in scored.names])
    for text in dict.fromkeys(where.values()):
        separation = scored.separation(true, np.array([where.get(name) == text for name in scored.names]))
        means = [row["mean"] for row in those(rows, text=text, kind="foreign")]
        if separation is not None:
            shares = separation.row()
            ends = {"mean": float(np.mean(means)), "highest": best(means), "lowest_true": lowest}
            named = {"text": text} | scored.cells | {"n": shares["n"]}
            yield named | ends | {"auc": shares["auc"], "separated": shares["separated"]}


def _findings(rows: Table, apart: Table, scored: Sequence[sets.SetScores]) -> Iterator[str]:
    """How near other texts come to true translations."""
    for scores in scored:
        others = those(apart, **scores.cells)
        if not others:
            continue
        others.sort(key=lambda row: row["mean"], reverse=scores.metric.higher_is_better)
        means = [row["mean"] for row in those(rows, **scores.cells) if row["kind"] != "foreign"]
        listed = ", ".join(f"{row['text']} {row['mean']:.2f}" for row in others)
        nearest, name = others[0], f"{sets.label(scores.cells)}, k = {scores.size}"
        ends = f"{min(means):.2f} to {max(means):.2f}"
        yield f"{name}: other texts have means of {listed}; true translations from {ends}."
        yield (
            f"{name}: a true translation is above one of {nearest['text']} in {nearest['auc']:.2f} % of comparisons, "
            f"and all of them above all with {nearest['separated']:.1f} % of the sets."
        )
