"""How much does the choice of references decide? After Culy & Riehemann (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from operator import itemgetter
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
from assay.questions.studies.set_lines import set_lines
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import Shard, thread_count
from assay.scoring.statistics import Statistics, drawn_rows
from assay.scoring.subsets import Subset, SubsetCounter, names_of, subsets_of
from assay.significance.association import kendall_b, spearman
from assay.significance.draws import Units, estimate, interval, number_or_none, resampled_scores

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
#: Two rankings agree fully: but for rounding the correlation is 1.
_FULLY = 1.0 - 1e-9


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
    #: The same under draws of units, draws by sets by translations, and how many units there are; without draws, none.
    drawn: Array = field(default_factory=lambda: np.empty((0, 0, 0)), repr=False)
    units: int = 0

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
                # The deviation is that of a sample; that of a single set is no number.
                sd = float(scores.std(ddof=1)) if len(scores) > 1 else None
                rows.append(
                    {"system": name, "metric": self.name, "k": self.size, "n": len(scores)}
                    | {"mean": float(scores.mean()), "sd": sd, "low": float(scores[low]), "high": float(scores[high])}
                    | {"low_references": references[low], "high_references": references[high]}
                    | {"compared": self.compared}
                )
        return sorted(rows, key=lambda row: row["mean"], reverse=self.metric.higher_is_better)

    def separation(self, upper: Flags, lower: Flags) -> _Separation | None:
        """How often some translations are above others: over sets, and over pairs within them; None without any."""
        sign = 1.0 if self.metric.higher_is_better else -1.0
        # The data as they are come first, then as they are drawn.
        every = sign * np.concatenate([self.scores[None], self.drawn] if len(self.drawn) else [self.scores[None]])
        clear, wins, pairs, sets = np.zeros(len(every)), np.zeros(len(every)), 0, 0
        for merits in np.moveaxis(every, 1, 0):
            there = ~np.isnan(merits[0])
            difference = merits[:, upper & there][:, :, None] - merits[:, lower & there][:, None, :]
            if difference[0].size:
                clear += (difference > 0).all(axis=(1, 2))
                wins += (difference > 0).sum(axis=(1, 2)) + 0.5 * (difference == 0).sum(axis=(1, 2))
                # Where nothing was drawn nothing is known.
                wins[np.isnan(difference).any(axis=(1, 2))] = np.nan
                pairs, sets = pairs + difference[0].size, sets + 1
        if not sets:
            return None
        separated = np.where(np.isnan(wins), np.nan, 100.0 * clear / sets)
        return _Separation(self.name, self.compared, self.size, sets, separated, 100.0 * wins / pairs, self.units)


@dataclass(frozen=True, eq=False)
class _Separation:
    """How well sets of one size tell some translations from others, on the data as they are and then in every draw."""

    metric: str
    compared: str
    size: int
    #: How many sets there are.
    sets: int
    #: With which share of the sets all of the ones are above all of the others, and in which share of pairs one is.
    separated: Array = field(repr=False)
    auc: Array = field(repr=False)
    units: int

    def row(self) -> dict[str, Any]:
        """The cells of a table."""
        shares = {
            **estimate(self.separated, self.units).row("separated", "separated_low", "separated_high"),
            **estimate(self.auc, self.units).row("auc", "auc_low", "auc_high"),
        }
        return {"metric": self.metric, "k": self.size, "compared": self.compared, "n": self.sets} | shares


def is_lower(name: str, metrics: Sequence[Metric]) -> bool:
    """Whether lower scores are better under a metric, by its name in tables."""
    return any(name.partition("(")[0] == metric.name and not metric.higher_is_better for metric in metrics)


def label(row: Mapping[str, Any]) -> str:
    """A metric as sentences and pictures call it: with a word if texts were compared as a whole."""
    return f"{row['metric']}, unsegmented" if row["compared"] == "whole" else str(row["metric"])


def score_sets(
    translations: Translations, metrics: Sequence[Metric], sizes: Sequence[int], asked: Asked, *, text: Text, most: int,
    samples: int = 0,
) -> Iterator[SetScores]:  # fmt: skip
    """Every translation against every set of references that it is no part of: metrics outside, sizes inside.

    What is drawn instead of tried is said, and who cannot stand against so many. Of segments so many ``samples`` of
    units are drawn as well; a text that is one long segment cannot be drawn.
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
    units = _drawn_units(asked)
    for compared in ways:
        way = translations if compared == "segments" else translations.unsegmented()
        draws = samples if compared == "segments" else 0
        shard = Shard(0, len(next(iter(way.references.values()))), thread_count(asked.threads))
        for metric in metrics:
            counter = SubsetCounter(metric, way.texts, way.references, shard=shard, known=asked.counted)
            for size, several in subsets.items():
                scores = np.full((len(several), len(way.texts)), np.nan)
                drawn = np.full((draws, *scores.shape), np.nan)
                for row, subset in enumerate(several):
                    here = {column: name for column, name in enumerate(way.texts) if way.free(name, subset)}
                    for column, name in here.items():
                        scores[row, column] = counter.score(name, subset)
                    if draws and here:
                        counted = [counter.statistics(name, subset) for name in here.values()]
                        drawn[:, row, list(here)] = drawn_scores(counted, units, draws, asked.seed)
                    done += 1
                    asked.report(done / total)
                named, texts = [names_of(subset, names) for subset in several], tuple(way.texts)
                yield SetScores(metric, asked.name_of(metric), compared, size, named, texts, scores, drawn, len(units))


def _drawn_units(asked: Asked) -> Units:
    """What is drawn as a whole; metrics are fitted to each set of references on the segments that are here."""
    return replace(asked.units(asked.campaign), whole=None)


def drawn_scores(counted: Sequence[Statistics], units: Units, samples: int, seed: int) -> Array:
    """Scores under draws of units: draws by translations."""
    jobs = [(one.metric.score, rows) for one, rows in zip(counted, drawn_rows(counted, units), strict=True)]
    return np.stack(resampled_scores(jobs, units, samples=samples, seed=seed), axis=1)


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
            Column(
                "separated", "all humans above all systems %", ".1f", low="separated_low", high="separated_high"
            ),
            Column("auc", "human above system %", ".1f", low="auc_low", high="auc_high"),
        ),
        "references_needed": (
            *SPREAD_COLUMNS[:2], Column("tried", "k tried"), Column("answer", "smallest k that always separates"),
            Column("never", "draws without any %", ".1f"),
        ),
        "order": (
            *SPREAD_COLUMNS[:3], Column("pairs", "pairs", ","),
            Column("changing", "pairs that change order", ","), Column("share", "%", ".1f"),
        ),
        "rank_agreement": (
            Column("a", "ranks by"), Column("b", "and by"), Column("k", "k", "d"), Column("n", "sets", ","),
            Column("translations", "translations", "d"), Column("same", "same order", ","),
            Column("kendall", "Kendall", ".2f"), Column("kendall_low", "range", ".2f", high="kendall_high"),
            Column("kendall_of_means", "of means", ".2f"), Column("spearman", "Spearman", ".2f"),
        ),
    }  # fmt: skip
    pictures = ("spread", "lines")

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "meteor", "gtm"), "Metrics, with their recipes: meteor(language=de)."
    )
    k: tuple[int, ...] = option((), "How many references at a time. Default: every k.", metavar="2,4", least=1)
    text: Text = option("segments", "segments, whole (as one long segment), or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.", metavar="N", least=1)
    samples: int = option(
        200, "Bootstrap samples, for how surely people are told from systems; 0 for none.", metavar="N", least=0
    )

    def answer(self, asked: Asked) -> Result:
        """The seed matters where there are too many sets to try all, and for intervals."""
        everyone = translations_of(asked, self.name, fewest=2)
        sizes = everyone.sizes(self.k, self.name)
        human = everyone.reference_of
        # Only where there are both is anything told from anything.
        samples = self.samples if 0 < len(human) < len(everyone.texts) else 0
        scored, separations = list[SetScores](), list[_Separation]()
        for scores in score_sets(everyone, self.metrics, sizes, asked, text=self.text, most=self.most, samples=samples):
            upper = np.array([name in human for name in scores.names])
            separation = scores.separation(upper, ~upper)
            separations += [separation] if separation is not None else []
            # What was drawn is large, and has served.
            scored.append(replace(scores, drawn=scores.drawn[:0]))
        pairs = [row for scores in scored for row in _pair_order(scores)]
        tables: dict[str, Table] = {
            "table": [row for scores in scored for row in scores.spread()],
            "separability": [separation.row() for separation in separations],
            "references_needed": list(_references_needed(separations)),
            "order": [row for _, several in grouped(pairs, *_SETS) for row in _order_changes(several)],
            "rank_agreement": [row for _, rows in grouped(_rank_agreement(scored), "a", "b") for row in rows],
            "ranks": [row for scores in scored for row in _ranks(scores)],
            "pairs": pairs,
            "scores": [row for scores in scored for row in all_scores(scores, human)],
        }
        findings = list(_findings(tables))
        if any(row["low"] is not None for row in tables["references_needed"]):
            findings.append(asked.about_units(_drawn_units(asked), campaign=asked.campaign))
        hidden = ("compared",) if self.text == "segments" else ()
        return self.result(asked, tables, findings, self.metrics, hidden=hidden)

    def drawings(self, campaign: str, tables: Mapping[str, Table]) -> Sequence[Callable[[], Figure]]:
        lower = {row["metric"] for row in tables["table"] if is_lower(row["metric"], self.metrics)}
        return (lambda: self.picture(campaign, tables), lambda: set_lines(campaign, tables["scores"], lower))

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
            sd = row["sd"] or 0.0
            row |= {"from": max(row["mean"] - sd, row["low"]), "to": min(row["mean"] + sd, row["high"])}
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
        return charts.figure("spread", whole, title, [f"{campaign}: {against} {whose}", said])

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


def smallest_size(sizes: Sequence[int], separated: Array) -> Array:
    """For each draw the first size with which every set separates; one more than the last where none does.

    ``separated`` has shares of sets in per cent, sizes by draws.

    >>> smallest_size([1, 2, 4], np.array([[50.0, 100.0, 0.0], [100.0, 100.0, 0.0], [100.0, 100.0, 50.0]])).tolist()
    [2.0, 1.0, 5.0]
    """
    full = separated >= 100.0
    found = np.where(full.any(axis=0), np.asarray(sizes, dtype=np.float64)[full.argmax(axis=0)], sizes[-1] + 1.0)
    return np.where(np.isnan(separated).any(axis=0), np.nan, found)


def _references_needed(separations: Sequence[_Separation]) -> Iterator[dict[str, Any]]:
    """With how many references every human translation is above every system, whichever they are, and how surely."""
    cells = [{"metric": one.metric, "compared": one.compared, "one": one} for one in separations]
    for (metric, compared), rows in grouped(cells, "metric", "compared"):
        here = sorted((row["one"] for row in rows), key=lambda one: one.size)
        sizes = [one.size for one in here]
        values = smallest_size(sizes, np.stack([one.separated for one in here]))
        low, high = interval(values[1:], here[0].units) if len(values) > 1 else (None, None)
        drawn = values[1:][np.isfinite(values[1:])]
        ends = None if low is None or high is None else (int(np.floor(low)), int(np.ceil(high)))
        least, most = (None if end > sizes[-1] else end for end in ends) if ends else (None, None)
        value = None if values[0] > sizes[-1] else int(values[0])
        nowhere = f"none up to {sizes[-1]}"
        said = str(value or nowhere)
        if ends and ends[0] != ends[1]:
            said += f" ({least} – {most or nowhere})"
        yield (
            {"metric": metric, "compared": compared, "tried": ", ".join(map(str, sizes)), "k": value}
            | {"low": least, "high": most, "answer": said}
            | {"never": 100.0 * float((drawn > sizes[-1]).mean()) if len(drawn) else None}
        )


def _rank_agreement(scored: Sequence[SetScores]) -> Iterator[dict[str, Any]]:
    """How alike two metrics rank translations, and how alike one metric ranks segments and whole texts."""
    for first, second in combinations(scored, 2):
        between_metrics = first.compared == second.compared and first.metric is not second.metric
        between_texts = first.compared != second.compared and first.metric is second.metric
        if first.size == second.size and (between_metrics or between_texts):
            row = _rank_correlations(first, second)
            if row["kendall_of_means"] is not None:
                yield row


def _rank_correlations(first: SetScores, second: SetScores) -> dict[str, Any]:
    """Kendall's tau-b and Spearman's rho over translations: set by set, and between their means over all sets."""
    row: dict[str, Any] = {"a": label(first.cells), "b": label(second.cells), "k": first.size}
    row |= {"metric_a": first.name, "compared_a": first.compared, "metric_b": second.name}
    row |= {"compared_b": second.compared}
    known = ~np.isnan(first.scores).all(axis=0)
    means = [np.nanmean(one.merits[:, known], axis=0) for one in (first, second)]
    for name, measure in (("kendall", kendall_b), ("spearman", spearman)):
        by_set = measure(first.merits, second.merits)
        values = by_set[np.isfinite(by_set)]
        if name == "kendall":
            ranked = (~np.isnan(first.scores[np.isfinite(by_set)])).sum(axis=1)
            row |= {"n": len(values), "translations": int(ranked.min()) if len(ranked) else None}
            row |= {"same": int((values >= _FULLY).sum())}
        ends = (values.mean(), values.min(), values.max()) if len(values) else (None, None, None)
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
        row |= {f"{name}_of_means": number_or_none(float(measure(*means)))}
    return row


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


def all_scores(scored: SetScores, human: Collection[str]) -> Iterator[dict[str, Any]]:
    """Every single score, set by set."""
    for name in scored.names:
        named = {"system": name, "kind": "human" if name in human else "system"} | scored.cells
        for score, references in zip(*scored.of(name), strict=True):
            yield named | {"references": references, "score": float(score)}


def _factor_within(metric: str, size: int, scores: Table) -> Iterator[str]:
    """How far people's translations are apart under the very same references, at most."""
    ends = [
        [choose(people, key=lambda row: row["score"]) for choose in (max, min)]
        for _, people in grouped(those(scores, k=size, kind="human"), "references")
        if len(people) > 1
    ]
    able = [(high["score"] / low["score"], high, low) for high, low in ends if low["score"] > 0]
    if able:
        factor, high, low = max(able, key=itemgetter(0))
        yield (
            f"{metric}, k = {size}: with {high['references']} the human translation {high['system']} has "
            f"{high['score']:.2f}, and {low['system']} has {low['score']:.2f}: a factor of {factor:.1f}."
        )


def _findings(tables: Mapping[str, Table]) -> Iterator[str]:
    """What the tables say, metric by metric."""
    by_name = {
        name: [row | {"metric": label(row)} for row in tables[name]]
        for name in ("table", "order", "separability", "references_needed", "scores")
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
        yield from map(_separating, those(by_name["references_needed"], metric=metric))
    for (a, b), rows in grouped(tables["rank_agreement"], "a", "b"):
        shown = _chosen_sizes(sorted(different(rows, "k")))
        listed = [_agreeing(row) for row in rows if row["k"] in shown]
        yield f"{a} and {b} rank translations with Kendall's tau of {', '.join(listed)}."


def _separating(row: Mapping[str, Any]) -> str:
    """The smallest number of references, in a sentence."""
    found = f"{row['metric']}: {row['k']} is the smallest number of references with which"
    if row["k"] is None:
        found = f"{row['metric']}: with no number of references that was tried ({row['tried']})"
    said = f"{found} every human translation is above every system, whichever references they are"
    if row["never"] is None:
        return f"{said}."
    if row["k"] is None:
        return f"{said}; nor in {row['never']:.1f} % of draws."
    ends = f"{row['low']} to {row['high'] or 'more than were tried'}"
    return f"{said} (95 %: {ends})." if row["low"] is not None else f"{said} (95 %: more than were tried)."


def _agreeing(row: Mapping[str, Any]) -> str:
    """How alike two rank, in a few words."""
    if row["kendall"] is None:
        return f"{row['kendall_of_means']:.2f} (k = {row['k']}, between means)"
    spread = f", {row['kendall_low']:.2f} – {row['kendall_high']:.2f} over {row['n']} sets" if row["n"] > 1 else ""
    return f"{row['kendall']:.2f} (k = {row['k']}{spread})"
