"""How much of a metric's correlation is case, and how much inflection? Turian et al. (2003) §4, Lavie et al. (2004)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assay.data.wording import counted
from assay.errors import InputError
from assay.meta.resampling import FEWEST_SYSTEMS
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies import pictures
from assay.questions.studies.base import SENTENCE_BLEU
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, by_chance, gained, surely, valued
from assay.questions.studies.recipes import bare, grid_of, steps_of
from assay.results.result import Column, Result

LEVELS = ("system", "segment")
#: Points below the system level are all taken together, as in the papers.
GROUPED = {"system": None, "segment": "none"}


@dataclass(frozen=True, kw_only=True)
class CaseAndStem(JudgedStudy):
    """Every metric on the text as it is, lowercased, stemmed and so on: how far does it follow people each time?"""

    name: ClassVar[str] = "case-and-stem"
    question: ClassVar[str] = "How much of a metric's correlation with people is case, and how much inflection?"
    source: ClassVar[str] = "Turian, Shen & Melamed (2003), section 4; Lavie, Sagae & Jayaraman (2004), Tables 1 to 4"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("level"),
        Column("metric"),
        Column("recipe", "text"),
        Column("correlation", "correlation", ".3f", low="low", high="high"),
        Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"),
    )

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
    level: tuple[str, ...] = option(LEVELS, "Of systems, of segments, or both.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        names = [bare(metric) for metric in self.metrics]
        self.require(len(set(names)) == len(names), "metrics", "metrics that differ in more than their recipe")
        for recipe in self.recipes:
            steps_of(recipe)
        sound = len(set(self.recipes)) == len(self.recipes) > 0
        self.require(sound, "recipes", "different ones, such as raw,lowercase,lowercase+stem")
        sound = len(set(self.level)) == len(self.level) > 0 and set(self.level) <= set(LEVELS)
        self.require(sound, "level", "system, segment or both")
        grid_of(self.metrics, self.recipes, self.stemmer)

    def answer(self, asked: Asked) -> Result:
        found = self.judged(asked, fewest=FEWEST_SYSTEMS if "system" in self.level else 1)
        levels, notes = self._levels(found)
        grid = grid_of(self.metrics, self.recipes, self.stemmer)
        sources = found.sources([cooked for _, _, cooked in grid])
        draws = found.draws(self.samples)
        rows: list[dict[str, Any]] = []
        for done, level in enumerate(levels, start=1):
            bench, cell = found.bench(level, draws), (self.statistic, GROUPED[level])
            measured = [bench.measure([cell], source)[cell] for source in sources]
            for index, (metric, recipe, cooked) in enumerate(grid):
                base = index - index % len(self.recipes)
                named = {"level": level, "metric": bare(metric), "recipe": recipe}
                gain = gained(measured[index], measured[base] if index != base else None)
                more = {"points": measured[index].n, "spelling": str(cooked)}
                rows.append(named | {"statistic": self.statistic} | valued(measured[index]) | gain | more)
            asked.report(0.4 + 0.6 * done / len(levels))
        usage = found.used(levels[0])
        return self.result(
            asked, rows, [*self._findings(rows, found), *notes, usage], self.metrics,
            lambda: pictures.case_and_stem(
                rows, campaign=asked.campaign.name, statistic=self.statistic, recipes=self.recipes
            ),
            usage=usage,
            kind=found.people.kind,
        )  # fmt: skip

    def _levels(self, found: JudgedSystems) -> tuple[Sequence[str], list[str]]:
        """The levels that these judgements allow; why another one is left out, if one is left."""
        if "segment" not in self.level:
            return self.level, []
        try:
            found.ratings()
        except InputError as error:
            if len(self.level) == 1:
                raise
            return ["system"], [f"No segment level: {error}"]
        return self.level, []

    def _findings(self, rows: Sequence[Mapping[str, Any]], found: JudgedSystems) -> Iterator[str]:
        yield (
            f"{self.statistic.capitalize()} with people, {counted(len(found.people.systems), 'system')}; gains are "
            f"over {self.recipes[0]} text, with 95 % of {self.samples:,} samples of segments."
        )
        yield from by_chance(rows)
        for level in dict.fromkeys(row["level"] for row in rows):
            for recipe in self.recipes[1:]:
                own = [row for row in rows if (row["level"], row["recipe"]) == (level, recipe)]
                gains = [row["gain"] for row in own if row["gain"] is not None]
                if gains:
                    up, down = surely(own)
                    said = f"{level} level, {recipe}: {sum(gains) / len(gains):+.3f} on average"
                    said += f"; surely better: {', '.join(up)}" if up else "; surely better for no metric"
                    yield said + (f"; surely worse: {', '.join(down)}." if down else ".")
