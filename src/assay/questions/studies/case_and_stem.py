"""How much of a metric's correlation is case, and how much inflection? Turian et al. (2003) §4, Lavie et al. (2004)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assay.data.wording import counted
from assay.errors import InputError
from assay.meta.benches import GridBench, Measured, SystemBench
from assay.meta.sources import Source
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.judged import (
    FEWEST_SYSTEMS,
    Judged,
    NormalisedStudy,
    by_chance,
    gained,
    is_sure,
    valued,
)
from assay.questions.studies.parts.recipes import SENTENCE_BLEU, bare, grid_of, steps_of
from assay.questions.studies.pictures.recipe_grid import recipe_grid
from assay.results.result import Result

LEVELS = ("system", "segment")
#: Points below the system level are all taken together, as in the papers.
GROUPED = {"system": None, "segment": "none"}


@dataclass(frozen=True, kw_only=True)
class CaseAndStem(NormalisedStudy):
    """Every metric on the text as it is, lowercased, stemmed and so on: how far does it follow people each time?"""

    name: ClassVar[str] = "case-and-stem"
    question: ClassVar[str] = "How much of a metric's correlation with people is case, and how much inflection?"
    source: ClassVar[str] = "Turian, Shen & Melamed (2003), section 4; Lavie, Sagae & Jayaraman (2004), Tables 1 to 4"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("level", "level"),
        Column("metric", "metric"),
        Column("recipe", "text"),
        Column("correlation", "correlation", ".3f"),
        Column("low", "low", ".3f"),
        Column("high", "high", ".3f"),
        Column("gain", "gain", "+.3f"),
        Column("gain_low", "low", "+.3f"),
        Column("gain_high", "high", "+.3f"),
    )

    metric: tuple[str, ...] = option(
        (SENTENCE_BLEU, "nist", "chrf", "ter", "gtm", "precision", "recall", "fmean"),
        "Metrics; the study has its own lowercase, stem and remove_punctuation.",
    )
    recipes: tuple[str, ...] = option(
        ("raw", "lowercase", "stem", "lowercase+stem", "no-punctuation", "lowercase+stem+no-punctuation"),
        "What is done to the text: lowercase, stem, no-punctuation; + between. The first is the base.",
    )
    stemmer: str = option("porter", "Which stemmer: porter, german, ... (assay metrics).")
    statistic: Literal["pearson", "spearman", "kendall"] = option(
        "pearson", "The correlation: pearson, spearman or kendall."
    )
    level: tuple[str, ...] = option(LEVELS, "Of systems, of segments, or both.")
    samples: int = option(1000, "For intervals: how often segments are drawn anew.")

    def check(self) -> None:
        names = [bare(metric) for metric in named_metrics(self.metric)]
        self.require(len(set(names)) == len(names), "metric", "metrics that differ in more than their recipe")
        for recipe in self.recipes:
            steps_of(recipe)
        sound = len(set(self.recipes)) == len(self.recipes) > 0
        self.require(sound, "recipes", "different ones, such as raw,lowercase,lowercase+stem")
        sound = len(set(self.level)) == len(self.level) > 0 and set(self.level) <= set(LEVELS)
        self.require(sound, "level", "system, segment or both")
        self.require(self.samples >= 2, "samples", "a whole number of at least 2")
        grid_of(named_metrics(self.metric), self.recipes, self.stemmer)

    def answer(self, asked: Asked) -> Result:
        found = self.judged(asked, fewest=FEWEST_SYSTEMS if "system" in self.level else 1)
        levels, notes = self._levels(found)
        grid = grid_of(named_metrics(self.metric), self.recipes, self.stemmer)
        sources = found.sources([cooked for _, _, cooked in grid], asked.progress)
        draws = found.draws(self.samples, asked.seed)
        rows: list[dict[str, Any]] = []
        for level in levels:
            bench: SystemBench | GridBench
            if level == "system":
                bench = SystemBench(found.people, draws, seed=asked.seed)
            else:
                bench = GridBench("segment", found.ratings().grid, draws, lambda source: source.segments(), asked.seed)
            cell = (self.statistic, GROUPED[level])
            measured = [bench.measure([cell], source)[cell] for source in sources]
            rows += self._rows(level, [(bare(metric), recipe) for metric, recipe, _ in grid], measured, sources)
            asked.report(0.4 + 0.6 * (levels.index(level) + 1) / len(levels))
        return self.result(asked, tuple(rows), (*self._findings(rows, found), *notes, str(found.used(levels[0]))))

    def _rows(
        self, level: str, names: Sequence[tuple[str, str]], measured: Sequence[Measured], sources: Sequence[Source]
    ) -> Iterator[dict[str, Any]]:
        for index, ((metric, recipe), one) in enumerate(zip(names, measured, strict=True)):
            base = index - index % len(self.recipes)
            yield {
                "level": level,
                "metric": metric,
                "recipe": recipe,
                "statistic": self.statistic,
                **valued(one),
                **gained(one, measured[base] if index != base else None),
                "points": one.n,
                "spelling": sources[index].name,
            }

    def _levels(self, found: Judged) -> tuple[list[str], list[str]]:
        """The levels that these judgements allow; why another one is left out, if one is left."""
        try:
            found.ratings()
        except InputError as error:
            if "segment" not in self.level:
                return list(self.level), []
            if len(self.level) == 1:
                raise
            return ["system"], [f"No segment level: {error}"]
        return list(self.level), []

    def _findings(self, rows: Sequence[Mapping[str, Any]], found: Judged) -> Iterator[str]:
        yield (
            f"{self.statistic.capitalize()} with people, {counted(len(found.people.systems), 'system')}; gains are "
            f"over {self.recipes[0]} text, with 95 % of {self.samples:,} samples of segments."
        )
        yield from by_chance(rows)
        for level in dict.fromkeys(row["level"] for row in rows):
            for recipe in self.recipes[1:]:
                gains = [row for row in rows if (row["level"], row["recipe"]) == (level, recipe)]
                defined = [row for row in gains if row["gain"] is not None]
                if not defined:
                    continue
                mean = sum(row["gain"] for row in defined) / len(defined)
                surely = [row["metric"] for row in defined if is_sure(row)]
                up = [row["metric"] for row in defined if is_sure(row) and row["gain"] > 0]
                down = [name for name in surely if name not in up]
                said = f"{level} level, {recipe}: {mean:+.3f} on average"
                said += f"; surely better: {', '.join(up)}" if up else "; surely better for no metric"
                yield said + (f"; surely worse: {', '.join(down)}." if down else ".")

    def chart(self, result: StudyResult) -> Any:
        """A grid per level: metrics by recipes, coloured by what the recipe changes."""
        return recipe_grid(result, self.recipes, self.statistic)
