"""What was found of the judges: statistics, pairs, raters, and what normalisation does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from assay.meta.agreement.control import Control
from assay.meta.agreement.draws import Estimate
from assay.meta.agreement.effect import Effects
from assay.meta.agreement.groups import GroupResult
from assay.meta.agreement.raters import Rater
from assay.meta.agreement.ratings import Ratings
from assay.version import __version__

#: Statistics by what one types and finds in JSON: in which part of the table, and how they are called there.
STATISTICS = {
    "pearson": ("Two raters", "Pearson's r"),
    "spearman": ("Two raters", "Spearman's ρ"),
    "kendall": ("Two raters", "Kendall's τ-b"),
    "exact-agreement": ("Two raters", "same grade"),
    "kappa": ("Two raters", "Cohen's κ"),
    "kappa-linear": ("Two raters", "κ, linear weights"),
    "kappa-quadratic": ("Two raters", "κ, quadratic weights"),
    "alpha-nominal": ("All raters", "Krippendorff's α, nominal"),
    "alpha-ordinal": ("All raters", "Krippendorff's α, ordinal"),
    "alpha-interval": ("All raters", "Krippendorff's α, interval"),
    "icc-1-1": ("All raters", "ICC(1,1)"),
    "icc-2-1": ("All raters", "ICC(2,1)"),
    "icc-3-1": ("All raters", "ICC(3,1)"),
    "icc-1-k": ("All raters", "ICC(1,k)"),
    "icc-2-k": ("All raters", "ICC(2,k)"),
    "icc-3-k": ("All raters", "ICC(3,k)"),
    "others-pearson": ("One against the mean of the others", "Pearson's r"),
    "others-spearman": ("One against the mean of the others", "Spearman's ρ"),
    "others-kendall": ("One against the mean of the others", "Kendall's τ-b"),
    "split-half": ("Two halves of the raters", "r of segments"),
    "split-half-all": ("Two halves of the raters", "stepped up to all raters"),
    "split-half-system": ("Two halves of the raters", "r of systems"),
    "split-half-system-all": ("Two halves of the raters", "stepped up to all raters"),
    "comparison-agreement": ("Which of two systems is better", "same answer"),
    "comparison-kappa-third": ("Which of two systems is better", "κ, chance of 1/3"),
    "comparison-kappa": ("Which of two systems is better", "κ, chance by ties"),
    "span-f1": ("Marked errors", "F1 of characters"),
    "span-f1-severity": ("Marked errors", "F1, same severity"),
    "error-agreement": ("Marked errors", "any error or none"),
    "error-kappa": ("Marked errors", "κ of any error or none"),
    "repeat-pearson": ("The same rater again", "Pearson's r"),
    "repeat-spearman": ("The same rater again", "Spearman's ρ"),
    "repeat-kendall": ("The same rater again", "Kendall's τ-b"),
    "repeat-exact-agreement": ("The same rater again", "same grade"),
    "repeat-kappa": ("The same rater again", "Cohen's κ"),
    "repeat-kappa-linear": ("The same rater again", "κ, linear weights"),
    "repeat-kappa-quadratic": ("The same rater again", "κ, quadratic weights"),
    "repeat-comparison-agreement": ("The same rater again", "same answer on two systems"),
    "repeat-comparison-kappa-third": ("The same rater again", "κ of it, chance of 1/3"),
    "repeat-comparison-kappa": ("The same rater again", "κ of it, chance by ties"),
}

#: Pictures, each with what it shows.
PICTURES = {
    "judges": "two judges against each other, rating by rating",
    "severity": "how severe each rater is",
    "distributions": "what scores each rater gives, before and after normalisation",
    "normalisation": "where each normalisation puts the systems",
}


@dataclass(frozen=True)
class Finding:
    """One statistic of one kind of judgement."""

    statistic: str
    kind: str
    estimate: Estimate
    raters: int
    items: int

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        return {
            "statistic": self.statistic,
            "kind": self.kind,
            "value": self.estimate.value,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "raters": self.raters,
            "items": self.items,
        }


@dataclass(frozen=True)
class Setup:
    """How it was measured: enough to do it again."""

    normalise: str
    grades: str | None
    cuts: tuple[float, ...]
    seed: int
    samples: int
    splits: int
    lower_is_better: bool = False
    missing: float | None = None


@dataclass(frozen=True, eq=False)
class Agreement:
    """All of it. ``raw`` holds the ratings before they were normalised, ``ratings`` those that were measured."""

    origin: str
    kind: str
    setup: Setup
    results: tuple[Finding, ...]
    pairs: tuple[GroupResult, ...] = field(repr=False)
    raters: tuple[Rater, ...] = field(repr=False)
    #: Variances of segments, items, raters and errors, from the mixed model.
    variances: Mapping[str, float] = field(repr=False)
    #: How many judgements served what, and how many did not, and why.
    used: Mapping[str, int]
    effects: Effects | None = field(repr=False)
    controls: tuple[Control, ...] = field(repr=False)
    #: What one should know when reading the values.
    remarks: tuple[str, ...]
    raw: Ratings = field(repr=False)
    ratings: Ratings = field(repr=False)

    def of(self, statistic: str) -> Finding:
        """One of the results by name."""
        from assay.errors import UnknownName

        for found in self.results:
            if found.statistic == statistic:
                return found
        raise UnknownName.of("statistic here", statistic, (found.statistic for found in self.results))

    def table(self) -> list[dict[str, Any]]:
        """A row per statistic."""
        return [found.row() for found in self.results]

    def pair_rows(self) -> list[dict[str, Any]]:
        """A row per pair of raters and statistic."""
        return [
            {"a": pair.names[0], "b": pair.names[1], "items": pair.items, "statistic": name, **vars(estimate)}
            for pair in self.pairs
            for name, estimate in pair.statistics.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """All that ``assay agreement --format json`` prints."""
        effects = self.effects
        return {
            "assay": __version__,
            "command": "agreement",
            "origin": self.origin,
            "kind": self.kind,
            "setup": {**vars(self.setup), "cuts": list(self.setup.cuts)},
            "used": dict(self.used),
            "results": self.table(),
            "pairs": self.pair_rows(),
            "raters": [rater.row() for rater in self.raters],
            "variances": dict(self.variances),
            "controls": [control.row() for control in self.controls],
            "normalisation": [one.row() for one in effects.systems] if effects is not None else [],
            "effect": effects.summary() if effects is not None else [],
            "metrics": [one.row() for one in effects.metrics] if effects is not None else [],
            "remarks": list(self.remarks),
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)

    def chart(self, picture: str = "judges", *, raters: str | None = None) -> Any:
        """A figure, as an Altair chart: ``judges``, ``severity``, ``distributions`` or ``normalisation``.

        ``raters`` names the two judges, with a comma between. Needs the extra ``plots``.
        """
        from assay.meta.agreement.pictures import draw

        return draw(self, picture, raters)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("", "statistic", "value", "95 % interval", "raters", "items"))
        body = "".join(
            f"<tr><td>{escape(STATISTICS[one.statistic][0])}</td><td>{escape(STATISTICS[one.statistic][1])}</td>"
            f"<td>{show(one.estimate.value)}</td><td>{show(one.estimate.low)} – {show(one.estimate.high)}</td>"
            f"<td>{one.raters}</td><td>{one.items:,}</td></tr>"
            for one in self.results
        )
        return f"<p><b>{escape(self.origin)}: {escape(self.kind)}</b></p><table><tr>{head}</tr>{body}</table>"


def show(value: float | None, digits: int = 3) -> str:
    """A number as it is read; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"
