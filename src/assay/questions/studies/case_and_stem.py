"""How much of a metric's correlation is case, and how much inflection? Turian et al. (2003) §4, Lavie et al. (2004)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.levels import FEWEST_SYSTEMS
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, bracketed, defined, grouped, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, by_chance, gained, is_sure, surely
from assay.questions.studies.recipes import bare, grid_of
from assay.results import charts
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table

_LEVELS = ("system", "segment")
#: The smallest change of a correlation that has the full colour: noise should not glow.
_FAINT = 0.02


@dataclass(frozen=True, kw_only=True)
class CaseAndStem(JudgedStudy):
    """Every metric on the text as it is, lowercased, stemmed and so on: how far does it follow people each time?"""

    name = "case-and-stem"
    question = "How much of a metric's correlation with people is case, and how much inflection?"
    source = "Turian, Shen & Melamed (2003), section 4; Lavie, Sagae & Jayaraman (2004), Tables 1 to 4"
    columns = (
        Column("level"), Column("metric"), Column("recipe", "text"),
        Column("correlation", "correlation", ".3f", low="low", high="high"),
        Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        (SENTENCE_BLEU, "nist", "chrf", "ter", "gtm", "precision", "recall", "fmean"),
        "Metrics; the study has its own lowercase, stem and remove_punctuation.",
    )
    recipes: tuple[str, ...] = option(
        ("raw", "lowercase", "stem", "lowercase+stem", "no-punctuation", "lowercase+stem+no-punctuation"),
        "What is done to the text: lowercase, stem, no-punctuation; + between. The first is the base.",
    )
    stemmer: str = option("porter", "Which stemmer: porter, german, ... (assay recipes).")
    statistic: Literal["pearson", "spearman", "kendall"] = option("pearson", "The correlation.")
    level: tuple[str, ...] = option(_LEVELS, "Of systems, of segments, or both.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        names = [bare(metric) for metric in self.metrics]
        self.require(len(set(names)) == len(names), "metrics", "metrics that differ in more than their recipe")
        grid_of(self.metrics, self.recipes, self.stemmer)
        self.require_different("recipes", "different ones, such as raw,lowercase,lowercase+stem")
        self.require_different("level", "system, segment or both")
        self.require(set(self.level) <= set(_LEVELS), "level", "system, segment or both")

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked, fewest=FEWEST_SYSTEMS if "system" in self.level else 1)
        levels, notes = self._levels(judged)
        grid = grid_of(self.metrics, self.recipes, self.stemmer)
        sources, draws = judged.sources([cooked for _, _, cooked in grid]), judged.draws(self.samples)
        rows: Table = []
        for level in watched(levels, asked, 0.4):
            measured = judged.measure(level, self.statistic, sources, draws)
            for index, (metric, recipe, cooked) in enumerate(grid):
                base = index - index % len(self.recipes)
                named = {"level": level, "metric": bare(metric), "recipe": recipe, "statistic": self.statistic}
                gain = gained(measured[index], measured[base] if index != base else None)
                more = {"points": measured[index].n, "spelling": str(cooked)}
                rows.append(named | measured[index].row("correlation") | gain | more)
        said, used = [*self._findings(rows, len(judged.people.systems)), *notes], [judged.used(levels[0])]
        return self.result(asked, {"table": rows}, said, self.metrics, usage=used, kind=judged.people.name)

    def _levels(self, judged: JudgedSystems) -> tuple[Sequence[str], list[str]]:
        """The levels that these judgements allow; why another one is left out, if one is left."""
        try:
            if "segment" in self.level:
                judged.ratings()
        except InputError as error:
            if "system" not in self.level:
                raise
            return ["system"], [f"No segment level: {error}"]
        return self.level, []

    def _findings(self, rows: Table, systems: int) -> Iterator[str]:
        yield (
            f"{self.statistic.capitalize()} with people, {counted(systems, 'system')}; gains are "
            f"over {self.recipes[0]} text, with 95 % of {self.samples:,} samples of segments."
        )
        yield from by_chance(rows)
        for (level, recipe), here in grouped(rows, "level", "recipe"):
            gains = [row["gain"] for row in here if row["gain"] is not None]
            if gains:
                up, down = surely(here)
                said = f"{level} level, {recipe}: {sum(gains) / len(gains):+.3f} on average"
                said += f"; surely better: {', '.join(up)}" if up else "; surely better for no metric"
                yield said + (f"; surely worse: {', '.join(down)}." if down else ".")

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Metrics by recipes: a correlation, what the recipe changes, and whether that is more than chance."""
        rows = [row | _cell(row) for row in defined(tables["table"], "correlation")]
        panels = []
        for level, here in grouped(rows, "level"):
            # Small changes of many segments and large ones of few systems each have their own scale.
            most = max([_FAINT, *(abs(row["gain"]) for row in here if row["gain"] is not None)])
            panels.append(
                charts.heat_grid(
                    here, column="recipe", line="metric", shade="gain", text="said", below="beneath", bold="sure",
                    columns=self.recipes, reach=most, on_top=True, split="+", cell=(118, 40), heading=f"{level} level",
                )
            )  # fmt: skip
        said = [
            f"{campaign}: {self.statistic} with people; below it what the recipe changes and 95 % of that",
            "blue: closer to people than the first recipe; orange: further from them",
            "bold: 0 lies outside of the interval, as it does by chance in one cell of twenty",
        ]
        title = "How much of a metric is case, and how much inflection?"
        return charts.figure("figure", charts.above(*panels, spacing=26), title, said)


def _cell(row: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a cell: the correlation, and below it the gain or, where there is none, the interval."""
    beneath = bracketed(row["low"], row["high"]).strip()
    if row["gain"] is not None:
        beneath = f"{row['gain']:+.3f}{bracketed(row['gain_low'], row['gain_high'], '+.3f')}"
    return {"said": f"{row['correlation']:.3f}", "beneath": beneath, "sure": is_sure(row)}
