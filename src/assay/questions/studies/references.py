"""How much does the choice of references decide? After Culy & Riehemann (2003), on one's own texts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np

from assay.errors import AssayWarning
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, Study, StudyResult
from assay.questions.studies.parts.reference_sets import (
    Cast,
    Scored,
    Text,
    cast_of,
    require_several,
    score_sets,
    sizes_of,
)
from assay.results.result import Result

Table = list[dict[str, Any]]
#: How a translation's scores over sets of references are shown.
SPREAD_COLUMNS = (
    Column("metric", "metric"),
    Column("k", "k", "d"),
    Column("n", "n", ","),
    Column("mean", "mean", ".2f"),
    Column("sd", "SD", ".2f"),
    Column("low", "low", ".2f"),
    Column("high", "high", ".2f"),
)


@dataclass(frozen=True, kw_only=True)
class References(Study):
    """Every translation, human ones included, against all sets of the other references."""

    name: ClassVar[str] = "references"
    question: ClassVar[str] = "How much does the choice of references decide?"
    source: ClassVar[str] = "Culy & Riehemann (2003), Figures 1 to 6, Tables 2 and 3"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("system", "translation"),
        *SPREAD_COLUMNS,
        Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )
    detail_columns: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            Column("metric", "metric"),
            Column("k", "k", "d"),
            Column("n", "sets", ","),
            Column("separated", "all humans above all systems %", ".1f"),
            Column("auc", "human above system %", ".1f"),
        ),
        "order": (
            Column("metric", "metric"),
            Column("k", "k", "d"),
            Column("pairs", "pairs", ","),
            Column("changing", "pairs that change order", ","),
            Column("share", "%", ".1f"),
        ),
    }

    metric: tuple[str, ...] = option(
        ("bleu", "nist", "meteor", "gtm"), "Metrics, with their recipes: meteor(language=de)."
    )
    k: tuple[int, ...] = option((), "How many references at a time: 2,4. Default: every k.")
    text: Text = option("segments", "segments, whole (as one long segment), or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.")

    def check(self) -> None:
        self.require(all(size >= 1 for size in self.k), "k", "numbers of references from 1 on, such as 2,4")
        self.require(self.most >= 1, "most", "a whole number from 1 on")
        self.require(len(named_metrics(self.metric)) > 0, "metric", "at least one metric")

    def answer(self, asked: Asked) -> Result:
        """The seed matters where there are too many sets to try all."""
        cast = cast_of(asked, self.name)
        require_several(cast.references, asked.campaign.name, self.name)
        sizes = sizes_of(cast, self.k, self.name)
        warn_of_limits(cast, sizes, self.most)
        scored = list(
            score_sets(
                cast, named_metrics(self.metric), sizes,
                text=self.text, most=self.most, seed=asked.seed, threads=asked.threads, progress=asked.progress,
            )
        )  # fmt: skip
        rows = [row for one in scored for row in spread(one)]
        pairs = [row for one in scored for row in pair_order(one)]
        details = {
            "separability": [row for one in scored for row in separability(one, cast)],
            "order": order_changes(scored, pairs),
            "ranks": [row for one in scored for row in ranks(one)],
            "pairs": pairs,
            "scores": [row for one in scored for row in all_scores(one, cast)],
        }
        return self.result(asked, rows, tuple(findings(rows, details)), details=details)

    def chart(self, result: StudyResult) -> Any:
        """A panel per metric and size: every score of every translation, its mean and deviation."""
        from assay.questions.studies.pictures.reference_spread import draw

        return draw(result)


def warn_of_limits(cast: Cast, sizes: Sequence[int], most: int) -> None:
    """Say what is drawn instead of tried, and who cannot stand against so many."""
    for size in sizes:
        there_are = comb(len(cast.references), size)
        if there_are > most:
            warnings.warn(
                f"k = {size}: of {there_are:,} sets of references {most:,} are drawn (--most).",
                AssayWarning,
                stacklevel=3,
            )
        without = [name for name in cast.candidates if cast.largest(name) < size]
        if without:
            warnings.warn(
                f"k = {size}: fewer other references than that for {', '.join(without)}, of which nothing is said.",
                AssayWarning,
                stacklevel=3,
            )


def spread(scored: Scored) -> Iterator[dict[str, Any]]:
    """Mean, deviation and range of each translation over the sets that it is no part of: the best mean first."""
    with warnings.catch_warnings():
        # A translation that is part of every set has no mean.
        warnings.simplefilter("ignore", RuntimeWarning)
        means = np.nanmean(scored.merits, axis=0)
    for candidate in (scored.candidates[index] for index in np.argsort(-means, kind="stable")):
        scores, references = scored.of(candidate)
        if not len(scores):
            continue
        low, high = int(scores.argmin()), int(scores.argmax())
        yield {
            "system": candidate,
            "metric": scored.label,
            "k": scored.size,
            "n": len(scores),
            "mean": float(scores.mean()),
            # That of a sample; a single set does not deviate.
            "sd": float(scores.std(ddof=1)) if len(scores) > 1 else 0.0,
            "low": float(scores[low]),
            "high": float(scores[high]),
            "low_references": references[low],
            "high_references": references[high],
        }


def separability(scored: Scored, cast: Cast) -> Iterator[dict[str, Any]]:
    """How often people's translations are above the systems': over sets, and over pairs within them."""
    human = np.array([cast.is_human(name) for name in scored.candidates])
    clear, wins, pairs, sets = 0, 0.0, 0, 0
    for merits in scored.merits:
        people = merits[human & ~np.isnan(merits)]
        systems = merits[~human & ~np.isnan(merits)]
        if not len(people) or not len(systems):
            continue
        difference = people[:, None] - systems[None, :]
        clear += bool((difference > 0).all())
        wins += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
        pairs, sets = pairs + difference.size, sets + 1
    if sets:
        shares = {"separated": 100.0 * clear / sets, "auc": 100.0 * wins / pairs}
        yield {"metric": scored.label, "k": scored.size, "n": sets, **shares}


def ranks(scored: Scored) -> Iterator[dict[str, Any]]:
    """Best, worst and mean rank of each translation among those that stand against the same set."""
    merits = scored.merits
    above = (merits[:, None, :] > merits[:, :, None]).sum(axis=2) + 1.0
    above[np.isnan(merits)] = np.nan
    for column, candidate in enumerate(scored.candidates):
        own = above[~np.isnan(above[:, column]), column]
        if len(own):
            places = {"best": int(own.min()), "worst": int(own.max()), "mean": float(own.mean())}
            yield {"system": candidate, "metric": scored.label, "k": scored.size, "n": len(own), **places}


def pair_order(scored: Scored) -> Iterator[dict[str, Any]]:
    """For each pair of translations how many sets put either first."""
    merits = scored.merits
    for one, other in combinations(range(len(scored.candidates)), 2):
        difference = merits[:, one] - merits[:, other]
        both = int((~np.isnan(difference)).sum())
        if both:
            yield {
                "a": scored.candidates[one],
                "b": scored.candidates[other],
                "metric": scored.label,
                "k": scored.size,
                "n": both,
                "a_first": int((difference > 0).sum()),
                "b_first": int((difference < 0).sum()),
            }


def order_changes(scored: Sequence[Scored], pairs: Table) -> Table:
    """How many pairs have no order of their own: it depends on the references."""
    found = []
    for one in scored:
        several = [row for row in pairs if (row["metric"], row["k"]) == (one.label, one.size) and row["n"] > 1]
        if several:
            changing = sum(row["a_first"] > 0 and row["b_first"] > 0 for row in several)
            share = 100.0 * changing / len(several)
            found.append(
                {"metric": one.label, "k": one.size, "pairs": len(several), "changing": changing, "share": share}
            )
    return found


def all_scores(scored: Scored, cast: Cast) -> Iterator[dict[str, Any]]:
    """Every single score, set by set."""
    for candidate in scored.candidates:
        scores, references = scored.of(candidate)
        if len(scores):
            kind = "human" if cast.is_human(candidate) else "system"
            named = {"system": candidate, "kind": kind, "metric": scored.label, "k": scored.size}
            yield {**named, "references": references, "score": scores.tolist()}


def factor_within(metric: str, size: int, scores: Table) -> Iterator[str]:
    """How far people's translations are apart under the very same references, at most."""
    by_set: dict[str, dict[str, float]] = {}
    for row in scores:
        if (row["metric"], row["k"], row["kind"]) == (metric, size, "human"):
            for references, score in zip(row["references"], row["score"], strict=True):
                by_set.setdefault(references, {})[row["system"]] = score
    comparable = {key: own for key, own in by_set.items() if len(own) > 1 and min(own.values()) > 0}
    if comparable:
        references = max(comparable, key=lambda key: max(comparable[key].values()) / min(comparable[key].values()))
        own = comparable[references]
        high, low = max(own, key=own.__getitem__), min(own, key=own.__getitem__)
        yield (
            f"{metric}, k = {size}: with {references} the human translation {high} has {own[high]:.2f}, and {low} has "
            f"{own[low]:.2f}: a factor of {own[high] / own[low]:.1f}."
        )


def findings(rows: Table, details: Mapping[str, Table]) -> Iterator[str]:
    """What the tables say, metric by metric."""
    for metric in dict.fromkeys(row["metric"] for row in rows):
        own = [row for row in rows if row["metric"] == metric]
        sizes = sorted({row["k"] for row in own})
        at = {size: [row for row in own if row["k"] == size] for size in sizes}
        widest = max(own, key=lambda row: row["high"] - row["low"])
        if widest["n"] > 1:
            yield (
                f"{metric}: the references alone move {widest['system']} from {widest['low']:.2f} "
                f"({widest['low_references']}) to {widest['high']:.2f} ({widest['high_references']}), with k = "
                f"{widest['k']}."
            )
        size = sizes[min(1, len(sizes) - 1)]
        low, high = (choose(at[size], key=lambda row: row["mean"]) for choose in (min, max))
        if low is not high and low["mean"] > 0:
            yield (
                f"{metric}, k = {size}: means run from {low['mean']:.2f} ({low['system']}) to {high['mean']:.2f} "
                f"({high['system']}), a factor of {high['mean'] / low['mean']:.1f}."
            )
        yield from factor_within(metric, size, details["scores"])
        several = [size for size in sizes if any(row["n"] > 1 for row in at[size])]
        if len(several) > 1:
            told = ", ".join(
                f"{np.mean([row['sd'] for row in at[size] if row['n'] > 1]):.2f} (k = {size})" for size in several
            )
            yield f"{metric}: mean deviation over sets of references {told}."
        changed = [row for row in details["order"] if row["metric"] == metric]
        if changed:
            told = ", ".join(f"{row['changing']} of {row['pairs']} (k = {row['k']})" for row in changed)
            yield f"{metric}: pairs of translations whose order depends on the references: {told}."
        for row in (row for row in details["separability"] if row["metric"] == metric):
            yield (
                f"{metric}, k = {row['k']}: every human translation is above every system with {row['separated']:.1f} "
                f"% of {row['n']} sets; a human one is above a system in {row['auc']:.1f} % of comparisons."
            )
