"""How much does the choice of references decide? After Culy & Riehemann (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Literal

import numpy as np

from assay.arrays import Array, Flags
from assay.data.judgements import fitting
from assay.data.texts import Texts
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import Study, different, grouped, those, usable_references, warn
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import Shard, thread_count
from assay.scoring.subsets import Subset, SubsetCounter, names_of, subsets_of

#: How texts are compared: segment by segment, as one long segment, or both ways.
Text = Literal["segments", "whole", "both"]
#: How a translation's scores over sets of references are shown.
SPREAD_COLUMNS = (
    Column("metric"), Column("compared"), Column("k", "k", "d"), Column("n", "n", ","), Column("mean", "mean", ".2f"),
    Column("sd", "SD", ".2f"), Column("low", "range", ".2f", high="high"),
)  # fmt: skip
#: How people's translations and systems are told apart.
_HUES, _SHAPES = {"human": COLORS[0], "system": COLORS[1]}, {"human": "circle", "system": "triangle-up"}
#: Of one translation in one panel so many scores are drawn; of more, as many spread evenly from lowest to highest.
_DRAWN = 120
#: What tells sets of references, and what is compared with them, from others.
_SETS = ("metric", "k", "compared")


@dataclass(frozen=True, eq=False)
class Translations:
    """Translations of one text by name, and the references that they stand against.

    One that is itself a reference is never compared with itself: ``reference_of`` says which one it is.
    """

    campaign: str
    texts: Mapping[str, Texts] = field(repr=False)
    references: Mapping[str, Texts] = field(repr=False)
    reference_of: Mapping[str, str] = field(repr=False)

    def free(self, name: str, subset: Subset) -> bool:
        """Whether it may stand against a set: it is no part of it."""
        return name not in self.reference_of or list(self.references).index(self.reference_of[name]) not in subset

    def largest(self, name: str) -> int:
        """How many references there are for it."""
        return len(self.references) - (name in self.reference_of)

    def unsegmented(self) -> Translations:
        """The same texts, each as one long segment."""
        both = (*self.texts.values(), *self.references.values())
        whole = {id(column): Texts.of([" ".join(column)]) for column in both}
        texts, references = (
            {name: whole[id(column)] for name, column in columns.items()} for columns in (self.texts, self.references)
        )
        return replace(self, texts=texts, references=references)

    def sizes(self, wanted: Sequence[int], study: str) -> list[int]:
        """The sizes of sets: those wanted or, without a wish, all that some translation can have."""
        largest, count = max(map(self.largest, self.texts)), len(self.references)
        if largest < 1:
            raise InputError(
                f"{self.campaign} has {count} reference and no system, and {study} compares a translation with others. "
                "Give a second reference or a system."
            )
        for size in wanted:
            if size > largest:
                raise InputError(
                    f"k is {size}, but {self.campaign} has {counted(count, 'reference')} in use, of which a "
                    f"translation can stand against at most {largest}. Choose a smaller --k, or more references with "
                    "--refs."
                )
        return sorted(set(wanted)) or list(range(1, largest + 1))


def translations_of(asked: Asked, study: str, *, fewest: int = 1) -> Translations:
    """All systems, and each reference beside the others; the choice of systems is one among them all."""
    chosen = asked.campaign.choose(references=asked.data.references or None)
    references = usable_references(chosen, study, fewest=fewest)
    # A system may be called like a reference whose text it does not have.
    labels = {name if name not in chosen.systems else f"ref.{name}": name for name in references}
    everyone = {**chosen.systems, **{label: references[name] for label, name in labels.items()}}
    names = asked.data.chosen_systems
    wanted = {name: everyone[name] for name in fitting("translation", everyone, names)} if names else everyone
    reference_of = {label: name for label, name in labels.items() if label in wanted}
    return Translations(chosen.name, wanted, references, reference_of)


@dataclass(frozen=True, eq=False)
class SetScores:
    """The scores of one metric against all sets of one size: sets by translations, NaN where one is part of the set."""

    metric: Metric
    #: What tables call it.
    name: str
    #: Whether segments were compared, or whole texts.
    compared: str
    size: int
    #: The references of each set, as tables name them.
    sets: Sequence[str] = field(repr=False)
    names: tuple[str, ...]
    scores: Array = field(repr=False)

    @property
    def cells(self) -> dict[str, Any]:
        """What tells it from others in tables."""
        return {"metric": self.name, "k": self.size, "compared": self.compared}

    @property
    def merits(self) -> Array:
        """The scores, turned so that more is better."""
        return self.scores if self.metric.higher_is_better else -self.scores

    def of(self, name: str) -> tuple[Array, list[str]]:
        """A translation's scores, and the references of each."""
        column = self.scores[:, self.names.index(name)]
        there = np.flatnonzero(~np.isnan(column))
        return column[there], [self.sets[index] for index in there.tolist()]

    def spread(self) -> Table:
        """Mean, deviation and range of each translation over the sets that it is no part of: the best mean first."""
        rows = []
        for name in self.names:
            scores, references = self.of(name)
            # A translation that is part of every set has no mean.
            if len(scores):
                low, high = scores.argmin(), scores.argmax()
                # The deviation is that of a sample; a single set does not deviate.
                sd = float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
                rows.append(
                    {"system": name, "metric": self.name, "k": self.size, "n": len(scores)}
                    | {"mean": float(scores.mean()), "sd": sd, "low": float(scores[low]), "high": float(scores[high])}
                    | {"low_references": references[low], "high_references": references[high]}
                    | {"compared": self.compared}
                )
        return sorted(rows, key=lambda row: row["mean"], reverse=self.metric.higher_is_better)

    def separability(self, upper: Flags, lower: Flags) -> dict[str, Any] | None:
        """How often some translations are above others: over sets, and over pairs within them; None without any."""
        clear, wins, pairs, sets = 0, 0.0, 0, 0
        for merits in self.merits:
            there = ~np.isnan(merits)
            difference = merits[upper & there][:, None] - merits[lower & there][None, :]
            if difference.size:
                clear += bool((difference > 0).all())
                wins += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
                pairs, sets = pairs + difference.size, sets + 1
        return {"n": sets, "separated": 100.0 * clear / sets, "auc": 100.0 * wins / pairs} if sets else None


def is_lower(name: str, metrics: Sequence[Metric]) -> bool:
    """Whether lower scores are better under a metric, by its name in tables."""
    return any(name.partition("(")[0] == metric.name and not metric.higher_is_better for metric in metrics)


def label(row: Mapping[str, Any]) -> str:
    """A metric as sentences and pictures call it: with a word if texts were compared as a whole."""
    return f"{row['metric']}, unsegmented" if row["compared"] == "whole" else str(row["metric"])


def score_sets(
    translations: Translations, metrics: Sequence[Metric], sizes: Sequence[int], asked: Asked, *, text: Text, most: int
) -> Iterator[SetScores]:
    """Every translation against every set of references that it is no part of: metrics outside, sizes inside.

    What is drawn instead of tried is said, and who cannot stand against so many.
    """
    names = list(translations.references)
    for size in sizes:
        sets = comb(len(names), size)
        if sets > most:
            warn(f"k = {size}: of {sets:,} sets of references {most:,} are drawn (--most).")
        without = ", ".join(name for name in translations.texts if translations.largest(name) < size)
        if without:
            warn(f"k = {size}: fewer other references than that for {without}, of which nothing is said.")
    subsets = {size: subsets_of(len(names), size, most=most, seed=asked.seed) for size in sizes}
    ways = ("segments", "whole") if text == "both" else (text,)
    total, done = len(ways) * len(metrics) * sum(map(len, subsets.values())), 0
    free = sum(
        translations.free(name, each) for sets in subsets.values() for each in sets for name in translations.texts
    )
    asked.announce(f"{len(ways) * len(metrics) * free:,} comparisons")
    for compared in ways:
        way = translations if compared == "segments" else translations.unsegmented()
        shard = Shard(0, len(next(iter(way.references.values()))), thread_count(asked.threads))
        for metric in metrics:
            counter = SubsetCounter(metric, way.texts, way.references, shard=shard, known=asked.counted)
            for size, several in subsets.items():
                scores = np.full((len(several), len(way.texts)), np.nan)
                for row, subset in enumerate(several):
                    for column, name in enumerate(way.texts):
                        if way.free(name, subset):
                            scores[row, column] = counter.score(name, subset)
                    done += 1
                    asked.report(done / total)
                named = [names_of(subset, names) for subset in several]
                yield SetScores(metric, asked.name_of(metric), compared, size, named, tuple(way.texts), scores)


@dataclass(frozen=True, kw_only=True)
class References(Study):
    """Every translation, human ones included, against all sets of the other references."""

    name = "references"
    question = "How much does the choice of references decide?"
    needs: ClassVar[Mapping[str, int]] = {"references": 2}
    source = "Culy & Riehemann (2003), Figures 1 to 6, Tables 2 and 3"
    columns = (
        Column("system", "translation"), *SPREAD_COLUMNS, Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            *SPREAD_COLUMNS[:3], Column("n", "sets", ","),
            Column("separated", "all humans above all systems %", ".1f"), Column("auc", "human above system %", ".1f"),
        ),
        "order": (
            *SPREAD_COLUMNS[:3], Column("pairs", "pairs", ","),
            Column("changing", "pairs that change order", ","), Column("share", "%", ".1f"),
        ),
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "meteor", "gtm"), "Metrics, with their recipes: meteor(language=de)."
    )
    k: tuple[int, ...] = option((), "How many references at a time. Default: every k.", metavar="2,4", least=1)
    text: Text = option("segments", "segments, whole (as one long segment), or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        """The seed matters where there are too many sets to try all."""
        everyone = translations_of(asked, self.name, fewest=2)
        sizes = everyone.sizes(self.k, self.name)
        scored = list(score_sets(everyone, self.metrics, sizes, asked, text=self.text, most=self.most))
        pairs = [row for scores in scored for row in _pair_order(scores)]
        human = everyone.reference_of
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
        axis = Axis(ticks=4, reverse=is_lower(rows[0]["metric"], self.metrics))
        axis = axis.over([row[end] for row in rows if row["k"] in sizes for end in ("low", "high")])
        panels = [
            charts.interval_dots(
                those(rows, k=size), name="system", value="mean", ends=("from", "to"), ticks="all", kind="kind",
                colors=_HUES, shapes=_SHAPES, order=order, axis=axis, names=size == sizes[0], width=230, step=17,
                heading=f"{label(rows[0])}, k = {size}",
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


def _separability(scored: SetScores, human: Collection[str]) -> Iterator[dict[str, Any]]:
    """How often people's translations are above the systems'."""
    upper = np.array([name in human for name in scored.names])
    shares = scored.separability(upper, ~upper)
    if shares is not None:
        yield scored.cells | shares


def _ranks(scored: SetScores) -> Iterator[dict[str, Any]]:
    """Best, worst and mean rank of each translation among those that stand against the same set."""
    merits = scored.merits
    above = (merits[:, None, :] > merits[:, :, None]).sum(axis=2) + 1
    for name, ranks, known in zip(scored.names, above.T, ~np.isnan(merits.T), strict=True):
        if known.any():
            places = ranks[known]
            ends = {"best": places.min(), "worst": places.max(), "mean": places.mean()}
            yield {"system": name} | scored.cells | {"n": len(places)} | ends


def _pair_order(scored: SetScores) -> Iterator[dict[str, Any]]:
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


def _all_scores(scored: SetScores, human: Collection[str]) -> Iterator[dict[str, Any]]:
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
        name: [row | {"metric": label(row)} for row in tables[name]]
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
