"""How much does the choice of references decide? After Culy & Riehemann (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies import pictures
from assay.questions.studies import reference_sets as sets
from assay.questions.studies.base import Study
from assay.results.result import Column, Result

Table = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class References(Study):
    """Every translation, human ones included, against all sets of the other references."""

    name: ClassVar[str] = "references"
    question: ClassVar[str] = "How much does the choice of references decide?"
    source: ClassVar[str] = "Culy & Riehemann (2003), Figures 1 to 6, Tables 2 and 3"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("system", "translation"),
        *sets.SPREAD_COLUMNS,
        Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "separability": (
            *sets.SPREAD_COLUMNS[:3],
            Column("n", "sets", ","),
            Column("separated", "all humans above all systems %", ".1f"),
            Column("auc", "human above system %", ".1f"),
        ),
        "order": (
            *sets.SPREAD_COLUMNS[:3],
            Column("pairs", "pairs", ","),
            Column("changing", "pairs that change order", ","),
            Column("share", "%", ".1f"),
        ),
    }

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "meteor", "gtm"), "Metrics, with their recipes: meteor(language=de)."
    )
    k: tuple[int, ...] = option((), "How many references at a time. Default: every k.", metavar="2,4", least=1)
    text: sets.Text = option("segments", "segments, whole (as one long segment), or both.")
    most: int = option(1000, "Sets of one size above this are drawn at random.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        """The seed matters where there are too many sets to try all."""
        found = sets.translations_of(asked, self.name)
        sets.require_several(found.references, asked.campaign.name, self.name)
        sizes = found.sizes(self.k, self.name)
        sets.warn_of_limits(found, sizes, self.most)
        scored = list(sets.score_sets(found, self.metrics, sizes, asked, text=self.text, most=self.most))
        rows = [row for one in scored for row in one.spread()]
        pairs = [row for one in scored for row in pair_order(one)]
        tables = {
            "separability": [row for one in scored for row in separability(one, found)],
            "order": order_changes(scored, pairs),
            "ranks": [row for one in scored for row in ranks(one)],
            "pairs": pairs,
            "scores": [row for one in scored for row in all_scores(one, found)],
        }
        return self.result(
            asked, rows, findings(rows, tables), self.metrics,
            lambda: pictures.references(
                [row | {"metric": sets.label(row)} for row in rows],
                [row | {"metric": sets.label(row)} for row in tables["scores"]],
                campaign=asked.campaign.name,
                lower_is_better={sets.label(one.cells) for one in scored if not one.metric.higher_is_better},
            ),
            tables=tables,
            hidden=("compared",) if self.text == "segments" else (),
        )  # fmt: skip


def separability(scored: sets.SetScores, found: sets.Translations) -> Iterator[dict[str, Any]]:
    """How often people's translations are above the systems'."""
    human = np.array([found.is_human(name) for name in scored.names])
    shares = scored.separability(human, ~human)
    if shares is not None:
        yield scored.cells | shares


def ranks(scored: sets.SetScores) -> Iterator[dict[str, Any]]:
    """Best, worst and mean rank of each translation among those that stand against the same set."""
    merits = scored.merits
    above = (merits[:, None, :] > merits[:, :, None]).sum(axis=2) + 1.0
    above[np.isnan(merits)] = np.nan
    for column, name in enumerate(scored.names):
        own = above[~np.isnan(above[:, column]), column]
        if len(own):
            places = {"best": int(own.min()), "worst": int(own.max()), "mean": float(own.mean())}
            yield {"system": name} | scored.cells | {"n": len(own)} | places


def pair_order(scored: sets.SetScores) -> Iterator[dict[str, Any]]:
    """For each pair of translations how many sets put either first."""
    for one, other in combinations(range(len(scored.names)), 2):
        difference = scored.merits[:, one] - scored.merits[:, other]
        both = int((~np.isnan(difference)).sum())
        if both:
            first = {"a_first": int((difference > 0).sum()), "b_first": int((difference < 0).sum())}
            yield {"a": scored.names[one], "b": scored.names[other]} | scored.cells | {"n": both} | first


def order_changes(scored: Sequence[sets.SetScores], pairs: Table) -> Table:
    """How many pairs have no order of their own: it depends on the references."""
    found = []
    for cells in (one.cells for one in scored):
        several = [row for row in pairs if row["n"] > 1 and cells.items() <= row.items()]
        if several:
            changing = sum(row["a_first"] > 0 and row["b_first"] > 0 for row in several)
            share = 100.0 * changing / len(several)
            found.append(cells | {"pairs": len(several), "changing": changing, "share": share})
    return found


def all_scores(scored: sets.SetScores, found: sets.Translations) -> Iterator[dict[str, Any]]:
    """Every single score, set by set."""
    for name in scored.names:
        named = {"system": name, "kind": "human" if found.is_human(name) else "system"} | scored.cells
        for score, references in zip(*scored.of(name), strict=True):
            yield named | {"references": references, "score": float(score)}


def factor_within(metric: str, size: int, scores: Table) -> Iterator[str]:
    """How far people's translations are apart under the very same references, at most."""
    by_set: dict[str, dict[str, float]] = {}
    for row in scores:
        if (sets.label(row), row["k"], row["kind"]) == (metric, size, "human"):
            by_set.setdefault(row["references"], {})[row["system"]] = row["score"]
    comparable = {key: own for key, own in by_set.items() if len(own) > 1 and min(own.values()) > 0}
    if comparable:
        references = max(comparable, key=lambda key: max(comparable[key].values()) / min(comparable[key].values()))
        own = comparable[references]
        high, low = max(own, key=own.__getitem__), min(own, key=own.__getitem__)
        yield (
            f"{metric}, k = {size}: with {references} the human translation {high} has {own[high]:.2f}, and {low} has "
            f"{own[low]:.2f}: a factor of {own[high] / own[low]:.1f}."
        )


def findings(rows: Table, tables: Mapping[str, Table]) -> Iterator[str]:
    """What the tables say, metric by metric."""
    for metric in dict.fromkeys(map(sets.label, rows)):
        own = [row for row in rows if sets.label(row) == metric]
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
        yield from factor_within(metric, size, tables["scores"])
        several = [size for size in sizes if any(row["n"] > 1 for row in at[size])]
        if len(several) > 1:
            told = ", ".join(
                f"{np.mean([row['sd'] for row in at[size] if row['n'] > 1]):.2f} (k = {size})" for size in several
            )
            yield f"{metric}: mean deviation over sets of references {told}."
        changed = [row for row in tables["order"] if sets.label(row) == metric]
        if changed:
            told = ", ".join(f"{row['changing']} of {row['pairs']} (k = {row['k']})" for row in changed)
            yield f"{metric}: pairs of translations whose order depends on the references: {told}."
        for row in (row for row in tables["separability"] if sets.label(row) == metric):
            yield (
                f"{metric}, k = {row['k']}: every human translation is above every system with {row['separated']:.1f} "
                f"% of {row['n']} sets; a human one is above a system in {row['auc']:.1f} % of comparisons."
            )
