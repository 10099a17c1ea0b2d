"""How much does the choice of references decide? After Culy & Riehemann (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies import reference_sets as sets
from assay.questions.studies.base import Study, different, grouped, those
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table

#: How people's translations and systems are told apart.
_HUES, _SHAPES = {"human": COLORS[0], "system": COLORS[1]}, {"human": "circle", "system": "triangle-up"}
#: Of one translation in one panel so many scores are drawn; of more, as many spread evenly from lowest to highest.
_DRAWN = 120
#: What tells sets of references, and what is compared with them, from others.
_SETS = ("metric", "k", "compared")


@dataclass(frozen=True, kw_only=True)
class References(Study):
    """Every translation, human ones included, against all sets of the other references."""

    name = "references"
    question = "How much does the choice of references decide?"
    source = "Culy & Riehemann (2003), Figures 1 to 6, Tables 2 and 3"
    columns = (
        Column("system", "translation"), *sets.SPREAD_COLUMNS, Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            *sets.SPREAD_COLUMNS[:3], Column("n", "sets", ","),
            Column("separated", "all humans above all systems %", ".1f"), Column("auc", "human above system %", ".1f"),
        ),
        "order": (
            *sets.SPREAD_COLUMNS[:3], Column("pairs", "pairs", ","),
            Column("changing", "pairs that change order", ","), Column("share", "%", ".1f"),
        ),
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "meteor", "gtm"), "Metrics, with their recipes: meteor(language=de)."
    )
    k: tuple[int, ...] = option((), "How many references at a time. Default: every k.", metavar="2,4", least=1)
    text: sets.Text = option("segments", "segments, whole (as one long segment), or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        """The seed matters where there are too many sets to try all."""
        everyone = sets.translations_of(asked, self.name, fewest=2)
        sizes = everyone.sizes(self.k, self.name)
        scored = list(sets.score_sets(everyone, self.metrics, sizes, asked, text=self.text, most=self.most))
        pairs = [row for scores in scored for row in _pair_order(scores)]
        human = {name for name in everyone.texts if everyone.kind(name) == "human"}
        tables: dict[str, Table] = {
            "table": [row for scores in scored for row in scores.spread()],
            "separability": [row for scores in scored for row in _separability(scores, human)],
            "order": [row for _, several in grouped(pairs, *_SETS) for row in _order_changes(several)],
            "ranks": [row for scores in scored for row in _ranks(scores)],
            "pairs": pairs,
            "scores": [row for scores in scored for row in _all_scores(scores, human)],
        }
        hidden = ("compared",) if self.text == "segments" else ()
        return self.result(asked, tables, _findings(tables), self.metrics, hidden=hidden)

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Every score of every translation, its mean and deviation: a panel per metric and number of references."""
        rows = [dict(row) for row in tables["table"]]
        sizes = sorted(different(rows, "k"))
        shown = _chosen_sizes(sizes)
        kinds = {row["system"]: row["kind"] for row in tables["scores"]}
        clouds = {
            cloud: [row["score"] for row in several] for cloud, several in grouped(tables["scores"], "system", *_SETS)
        }
        for row in rows:
            row |= {"from": max(row["mean"] - row["sd"], row["low"]), "to": min(row["mean"] + row["sd"], row["high"])}
            cloud = clouds[row["system"], row["metric"], row["k"], row["compared"]]
            row |= {"kind": kinds[row["system"]], "all": _thinned(cloud)}
        lines = [line for _, line in grouped(rows, "metric", "compared")]
        order = [row["system"] for row in lines[0]]
        whole = charts.above(*(self._panels(line, shown, order) for line in lines))
        whose = "Blue circles are human translations, orange triangles systems."
        if len(set(kinds.values())) == 1:
            whose = f"All of them are {'human' if 'human' in kinds.values() else 'machine'} translations."
        said = "Ticks are sets of references, dots means, bars one standard deviation, cut at the range."
        left = [str(size) for size in sizes if size not in shown]
        said += f" Not drawn: k = {', '.join(left)}." if left else ""
        if any(len(cloud) > _DRAWN for cloud in clouds.values()):
            said += f" Of more than {_DRAWN} sets so many are drawn, from lowest to highest."
        against = "every translation against all sets of k references that it is not part of."
        title = "How much does the choice of references decide?"
        return charts.figure("figure", whole, title, [f"{campaign}: {against} {whose}", said])

    def _panels(self, rows: Table, sizes: Sequence[int], order: Sequence[str]) -> Spec:
        """One metric with all numbers of references side by side, on one axis."""
        lower = {str(metric) for metric in self.metrics if not metric.higher_is_better}
        axis = Axis(ticks=4, reverse=rows[0]["metric"] in lower)
        axis = axis.over([row[end] for row in rows if row["k"] in sizes for end in ("low", "high")])
        panels = [
            charts.interval_dots(
                those(rows, k=size), name="system", value="mean", ends=("from", "to"), ticks="all", kind="kind",
                colors=_HUES, shapes=_SHAPES, order=order, axis=axis, names=size == sizes[0], width=230, step=17,
                heading=f"{sets.label(rows[0])}, k = {size}",
            )
            for size in sizes
        ]  # fmt: skip
        return charts.beside(*panels, spacing=18)


def _chosen_sizes(sizes: Sequence[int]) -> list[int]:
    """All sizes, or as many as there is room for, the first and the last among them.

    >>> _chosen_sizes([1, 2, 4]), _chosen_sizes(range(1, 12))
    ([1, 2, 4], [1, 2, 4, 11])
    """
    if len(sizes) <= 4:
        return list(sizes)
    # As in the papers, where there is a choice.
    usual = [size for size in (1, 2, 4) if size in sizes]
    return sorted({*(usual or sizes[:3]), sizes[-1]})


def _thinned(scores: Sequence[float]) -> list[float]:
    """Scores to draw: all, or some that are spread evenly over their ranks, lowest and highest among them."""
    ordered = sorted(scores)
    last = len(ordered) - 1
    return ordered if last < _DRAWN else [ordered[round(place * last / (_DRAWN - 1))] for place in range(_DRAWN)]


def _separability(scored: sets.SetScores, human: Collection[str]) -> Iterator[dict[str, Any]]:
    """How often people's translations are above the systems'."""
    upper = np.array([name in human for name in scored.names])
    shares = scored.separability(upper, ~upper)
    if shares is not None:
        yield scored.cells | shares


def _ranks(scored: sets.SetScores) -> Iterator[dict[str, Any]]:
    """Best, worst and mean rank of each translation among those that stand against the same set."""
    merits = scored.merits
    above = (merits[:, None, :] > merits[:, :, None]).sum(axis=2) + 1
    for name, ranks, known in zip(scored.names, above.T, ~np.isnan(merits.T), strict=True):
        if known.any():
            places = ranks[known]
            ends = {"best": places.min(), "worst": places.max(), "mean": places.mean()}
            yield {"system": name} | scored.cells | {"n": len(places)} | ends


def _pair_order(scored: sets.SetScores) -> Iterator[dict[str, Any]]:
    """For each pair of translations how many sets put either first."""
    for (a, first), (b, second) in combinations(zip(scored.names, scored.merits.T, strict=True), 2):
        both = int((~np.isnan(first - second)).sum())
        if both:
            firsts = {"a_first": (first > second).sum(), "b_first": (first < second).sum()}
            yield {"a": a, "b": b} | scored.cells | {"n": both} | firsts


def _order_changes(pairs: Table) -> Iterator[dict[str, Any]]:
    """How many pairs of translations have no order of their own: it depends on the references."""
    several = [row for row in pairs if row["n"] > 1]
    if several:
        changing = sum(bool(row["a_first"] and row["b_first"]) for row in several)
        share = 100.0 * changing / len(several)
        cells = {name: pairs[0][name] for name in _SETS}
        yield cells | {"pairs": len(several), "changing": changing, "share": share}


def _all_scores(scored: sets.SetScores, human: Collection[str]) -> Iterator[dict[str, Any]]:
    """Every single score, set by set."""
    for name in scored.names:
        named = {"system": name, "kind": "human" if name in human else "system"} | scored.cells
        for score, references in zip(*scored.of(name), strict=True):
            yield named | {"references": references, "score": float(score)}


def _factor_within(metric: str, size: int, scores: Table) -> Iterator[str]:
    """How far people's translations are apart under the very same references, at most."""
    by_set = {
        references: {row["system"]: row["score"] for row in several}
        for references, several in grouped(those(scores, k=size, kind="human"), "references")
    }
    factors = {
        references: max(people.values()) / min(people.values())
        for references, people in by_set.items()
        if len(people) > 1 and min(people.values()) > 0
    }
    if factors:
        references = max(factors, key=factors.__getitem__)
        people = by_set[references]
        high, low = max(people, key=people.__getitem__), min(people, key=people.__getitem__)
        yield (
            f"{metric}, k = {size}: with {references} the human translation {high} has {people[high]:.2f}, and {low} "
            f"has {people[low]:.2f}: a factor of {factors[references]:.1f}."
        )


def _findings(tables: Mapping[str, Table]) -> Iterator[str]:
    """What the tables say, metric by metric."""
    by_name = {
        name: [row | {"metric": sets.label(row)} for row in tables[name]]
        for name in ("table", "order", "separability", "scores")
    }
    for metric, rows in grouped(by_name["table"], "metric"):
        order, apart, scores = (those(by_name[name], metric=metric) for name in ("order", "separability", "scores"))
        sizes = sorted(different(rows, "k"))
        widest = max(rows, key=lambda row: row["high"] - row["low"])
        if widest["n"] > 1:
            yield (
                f"{metric}: the references alone move {widest['system']} from {widest['low']:.2f} "
                f"({widest['low_references']}) to {widest['high']:.2f} ({widest['high_references']}), with k = "
                f"{widest['k']}."
            )
        size = sizes[min(1, len(sizes) - 1)]
        low, high = (choose(those(rows, k=size), key=lambda row: row["mean"]) for choose in (min, max))
        if low is not high and low["mean"] > 0:
            yield (
                f"{metric}, k = {size}: means run from {low['mean']:.2f} ({low['system']}) to {high['mean']:.2f} "
                f"({high['system']}), a factor of {high['mean'] / low['mean']:.1f}."
            )
        yield from _factor_within(metric, size, scores)
        deviations = {size: [row["sd"] for row in those(rows, k=size) if row["n"] > 1] for size in sizes}
        listed = [f"{np.mean(values):.2f} (k = {size})" for size, values in deviations.items() if values]
        if len(listed) > 1:
            yield f"{metric}: mean deviation over sets of references {', '.join(listed)}."
        changing = ", ".join(f"{row['changing']} of {row['pairs']} (k = {row['k']})" for row in order)
        if changing:
            yield f"{metric}: pairs of translations whose order depends on the references: {changing}."
        for row in apart:
            yield (
                f"{metric}, k = {row['k']}: every human translation is above every system with {row['separated']:.1f} "
                f"% of {row['n']} sets; a human one is above a system in {row['auc']:.1f} % of comparisons."
            )
