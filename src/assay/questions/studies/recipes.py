"""What do case, inflection and punctuation do to correlations with people? Turian (2003), Lavie et al. (2004)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal

from assay.errors import InputError, UnknownName, counted
from assay.metrics.base import Metric
from assay.metrics.meteor import Meteor
from assay.metrics.options import TEXT_OPTIONS
from assay.people.levels import FEWEST_SYSTEMS, SystemLevel
from assay.people.pictures import pairs_of
from assay.people.robust import outliers_of, points_of
from assay.questions.asked import Asked
from assay.questions.base import JUDGED, Averaged, metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, defined, different, grouped, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, by_chance, gained, is_sure, surely
from assay.results import charts
from assay.results.charts import Axis, Spec
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.significance.draws import NOTHING, Estimate
from assay.text.recipe import Recipe

#: What can be done to the text; several are written with + between.
_STEPS = ("raw", "lowercase", "stem", "no-punctuation")
_LEVELS = ("system", "segment")
#: The smallest change of a correlation that has the full colour: noise should not glow.
_FAINT = 0.02
#: The text as it is, and stemmed.
_PLAIN, _STEMMED = "words", "stems"
#: How columns call the two statistics, and what they are.
_CELLS = {"pearson": ("pearson", None), "differences": ("pearson-differences", None)}


@dataclass(frozen=True, kw_only=True)
class CaseAndStem(JudgedStudy):
    """Every metric on the text as it is, lowercased, stemmed and so on: how far does it follow people each time?"""

    name = "case-and-stem"
    averaged: ClassVar[Averaged] = {"table": (("level", "metric", "recipe"), ("correlation",))}
    question = "How much of a metric's correlation with people is case, and how much inflection?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 3}
    source = "Turian, Shen & Melamed (2003), section 4; Lavie, Sagae & Jayaraman (2004), Tables 1 to 4"
    columns = (
        Column("level"), Column("metric"), Column("recipe", "text"),
        Column("correlation", "correlation", ".3f", low="low", high="high"),
        Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"),
    )  # fmt: skip
    varies = ("lowercase", "remove_punctuation", "stem")

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
        self._grid()
        self.require_different("recipes", "different ones, such as raw,lowercase,lowercase+stem")
        self.require_different("level", "system, segment or both")
        self.require(set(self.level) <= set(_LEVELS), "level", "system, segment or both")

    def _grid(self) -> list[tuple[Metric, str, Metric]]:
        """Every metric under every recipe: the metric, the recipe, and both together; metrics outside."""
        return [
            (metric, recipe, under(metric, recipe, self.stemmer)) for metric in self.metrics for recipe in self.recipes
        ]

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked, fewest=FEWEST_SYSTEMS if "system" in self.level else 1)
        levels, notes = self._levels(judged)
        grid = self._grid()
        sources, draws = judged.sources([cooked for _, _, cooked in grid]), judged.draws(self.samples)
        rows: Table = []
        for level in watched(levels, asked, 0.4):
            measured = judged.measure(level, self.statistic, sources, draws)
            for index, (metric, recipe, cooked) in enumerate(grid):
                base = index - index % len(self.recipes)
                name = bare(metric, asked.recipe)
                named = {"level": level, "metric": name, "recipe": recipe, "statistic": self.statistic}
                gain = gained(measured[index], measured[base] if index != base else None)
                more = {"points": measured[index].n, "spelling": str(cooked)}
                rows.append(named | measured[index].row("correlation") | gain | more)
        said, used = [*self._findings(rows, judged), *notes, judged.drawn()], [judged.used(levels[0])]
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

    def _findings(self, rows: Table, judged: JudgedSystems) -> Iterator[str]:
        yield (
            f"{self.statistic.capitalize()} with people, {counted(len(judged.people.systems), 'system')}; gains are "
            f"over {self.recipes[0]} text, with 95 % of {self.samples:,} samples of {judged.units.name}s."
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
            f"{campaign}: {self.statistic.capitalize()} with people; below it what the recipe changes and 95 % of that",
            "blue: closer to people than the first recipe; orange: further from them",
            "bold: 0 lies outside of the interval, as it does by chance in one cell of twenty",
        ]
        title = "How much of a metric is case, and how much inflection?"
        return charts.figure("figure", charts.above(*panels, spacing=26), title, said)


def _cell(row: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a cell: the correlation, and below it the gain or, where there is none, the interval."""
    beneath = bracketed(row["low"], row["high"], ".3f").strip()
    if row["gain"] is not None:
        beneath = f"{row['gain']:+.3f}{bracketed(row['gain_low'], row['gain_high'], '+.3f')}"
    return {"said": f"{row['correlation']:.3f}", "beneath": beneath, "sure": is_sure(row)}


@dataclass(frozen=True, kw_only=True)
class Correlations(JudgedStudy):
    """Pearson's correlation of systems' scores, and of the differences between pairs of systems, with intervals."""

    name = "correlations"
    averaged: ClassVar[Averaged] = {"table": (("metric", "text"), ("pearson", "differences"))}
    question = "Which metric follows the judges, and does stemming help?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 3}
    source = "Lavie, Sagae & Jayaraman (2004), Tables 1 to 4: recall does, and stemming mostly helps"
    columns = (
        Column("metric"), Column("text"),
        Column("pearson", "Pearson", ".3f", low="pearson_low", high="pearson_high"),
        Column("pearson_gain", "gain", "+.3f"), Column("without_outliers", "without outliers", ".3f"),
        Column("differences", "of differences", ".3f", low="differences_low", high="differences_high"),
        Column("differences_gain", "gain", "+.3f"),
    )  # fmt: skip
    varies = ("stem",)

    metrics: tuple[Metric, ...] = metrics_option(
        ("nist", "bleu", "precision", "recall", "f1", "fmean"), "Metrics, each as it is and with stemming."
    )
    stemmer: str = option("porter", "Which stemmer: porter, german, ...; none for no stems.")
    resample: Literal["segments", "both"] = option(
        "segments", "What intervals allow for: other segments, or other systems, too (both)."
    )
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        names = [_with_stems(metric, None) for metric in self.metrics]
        self.require(len(set(names)) == len(names), "metrics", "metrics that differ in more than their stemmer")
        self._cooked()

    def _cooked(self) -> list[tuple[Metric, str, Metric]]:
        """Every metric on words, and on stems: the metric on words, the text, and the metric on it."""
        texts = {_PLAIN: None} | ({} if self.stemmer == "none" else {_STEMMED: self.stemmer})
        return [
            (_with_stems(metric, None), text, _with_stems(metric, stemmer))
            for metric in self.metrics
            for text, stemmer in texts.items()
        ]

    def answer(self, asked: Asked) -> Result:
        judged, cooked = self.judged(asked), self._cooked()
        sources = judged.sources([metric for _, _, metric in cooked])
        level = SystemLevel(judged.people, judged.draws(self.samples, systems=self.resample == "both"), seed=asked.seed)
        outliers = outliers_of(level.human[0])
        rows: Table = []
        points: Table = []
        base: dict[str, Estimate] = {}
        for (metric, text, spelled), source in watched(list(zip(cooked, sources, strict=True)), asked, 0.4):
            named = {"metric": asked.name_of(metric), "text": text}
            measured = dict(zip(_CELLS, level.measure(_CELLS.values(), source).values(), strict=True))
            base = measured if text == _PLAIN else base
            row: dict[str, Any] = dict(named)
            for name, value in measured.items():
                row |= value.row(name, f"{name}_low", f"{name}_high")
                row |= gained(value, base[name] if text != _PLAIN else None, f"{name}_gain")
            (inner,) = level.measure([("pearson", None)], source, ~outliers).values() if outliers.any() else [NOTHING]
            row["without_outliers"] = inner.value
            rows.append(row | {"systems": measured["pearson"].n, "spelling": str(spelled)})
            points += [named | point | named for point in points_of(level, [source], outliers)]
        far = [name for name, out in zip(judged.people.systems, outliers, strict=True) if out]
        tables, metrics = {"table": rows, "points": points}, [metric for _, _, metric in cooked]
        said = [*self._findings(rows, far, judged.units.name), judged.drawn()]
        used, kind = [judged.used("system")], judged.people.name
        return self.result(asked, tables, said, metrics, usage=used, kind=kind)

    def _findings(self, rows: Table, outliers: Sequence[str], unit: str) -> Iterator[str]:
        drawn = f"{unit}s" if self.resample == "segments" else f"{unit}s and systems"
        yield f"{rows[0]['systems']} systems; intervals hold 95 % of {self.samples:,} samples of {drawn}."
        yield from by_chance(rows, "pearson_gain")
        for name, words in (("pearson", "Over systems"), ("differences", "Over differences between systems")):
            able = sorted((row for row in rows if row[name] is not None), key=lambda row: -row[name])
            if not able:
                why = "the scores of all systems are alike"
                if rows[0]["systems"] < FEWEST_SYSTEMS:
                    why = f"it takes {FEWEST_SYSTEMS} systems that were judged on common segments"
                yield f"{words}: no correlation is defined, for {why}."
                continue
            best, worst = (f"{row['metric']}, {row['text']} ({row[name]:.3f})" for row in (able[0], able[-1]))
            yield f"{words}, {best} follows people best, and {worst} least."
            stemmed = those(able, text=_STEMMED)
            if stemmed:
                up, down = surely(stemmed, f"{name}_gain")
                yield (
                    f"{words}, stemming surely helps {len(up)} of {len(stemmed)} metrics{_listed(up)} and surely "
                    f"harms {len(down)}{_listed(down)}."
                )
        if outliers:
            yield (
                f"{', '.join(outliers)}: far from the others in the eyes of people. The column without outliers shows "
                "how much of a correlation that is."
            )

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Intervals of both correlations, and below them what is correlated."""
        rows, points = defined(tables["table"], "pearson", "differences"), tables["points"]
        metrics, texts = different(rows, "metric"), different(rows, "text")
        colors = charts.palette(text for text in (_PLAIN, _STEMMED) if text in texts)
        top = []
        for name, over in (("pearson", "systems"), ("differences", "differences between systems")):
            named = [row | {"said": f"{row[name]:.3f}"} for row in rows]
            best = {metric: -max(row[name] for row in here) for metric, here in grouped(rows, "metric")}
            top.append(
                charts.interval_dots(
                    named, name="metric", value=name, ends=(f"{name}_low", f"{name}_high"), label="said", group="text",
                    colors=colors, order=sorted(best, key=best.__getitem__), step=16, heading=f"Pearson over {over}",
                )
            )  # fmt: skip
        # At most four side by side, in lines that are about as long.
        columns = -(-len(metrics) // -(-len(metrics) // 4))
        below = [
            charts.beside(
                *(_scatter(points, metric, colors, pairs=pairs, first=not at) for at, metric in line), spacing=22
            )
            for start in range(0, len(metrics), columns)
            for line in [list(enumerate(metrics[start : start + columns]))]
            for pairs in (False, True)
        ]
        said = [
            f"{campaign}, {', '.join(self.kind) or 'all judgements'}; bars hold 95 % of {self.samples:,} samples",
            "below: systems as people (across) and the metric (up) see them, then all pairs, better less worse for "
            "people",
        ]
        legend = [charts.key(colors)] if len(colors) > 1 else []
        whole = charts.above(*legend, charts.beside(*top), *below)
        return charts.figure("figure", whole, "Which metric follows the judges?", said)


def _scatter(points: Table, metric: str, colors: Mapping[str, str], *, pairs: bool, first: bool) -> Spec:
    """Systems, or pairs of them, as people and one metric see them; better is up everywhere."""
    points = those(points, metric=metric)
    title = "differences of pairs" if pairs else "scores of systems"
    reverse = not points[0]["higher_is_better"] and not pairs
    return charts.scatter(
        pairs_of(points) if pairs else points, x="human", y="score", kind="text", colors=colors, regression=True,
        across=Axis(title="people", ticks=4), area=14 if pairs else 28, opacity=0.7, width=190, height=150,
        up=Axis(title=title if first else None, ticks=4, zero=pairs, reverse=reverse),
        heading=None if pairs else metric,
    )  # fmt: skip


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def under(metric: Metric, recipe: str, stemmer: str) -> Metric:
    """The metric on text to which exactly these steps are done; normal form and tokenizer stay its own."""
    steps = [part.strip() for part in recipe.split("+")]
    for step in steps:
        if step not in _STEPS:
            raise UnknownName.of("step of a recipe", step, _STEPS)
    case: dict[str, Any] = {"lowercase": "lowercase" in steps, "remove_punctuation": "no-punctuation" in steps}
    return replace(_with_stems(metric, stemmer if "stem" in steps else None), **case)


def _with_stems(metric: Metric, stemmer: str | None) -> Metric:
    """The metric on stems, or on words as they are, and otherwise as it was.

    METEOR stems in a module of its own, beside the words as they are: that module is taken in or left out.
    """
    changed: dict[str, Any] = {"stem": stemmer}
    if isinstance(metric, Meteor):
        modules = [module for module in metric.settings.modules if module != "stem"]
        if stemmer is not None:
            modules.insert(1, "stem")
        changed["modules"] = "+".join(modules)
    return replace(metric, **changed)


def bare(metric: Metric, shared: Recipe | None = None) -> str:
    """A metric's name without the steps that the study decides on, and without the recipe that all ``shared``."""
    usual: dict[str, Any] = {one.name: one.default for one in fields(metric)}
    if shared is not None and metric.cuts_words:
        usual |= {name: getattr(shared, name) for name in TEXT_OPTIONS}
    same = replace(metric, **{name: usual[name] for name in CaseAndStem.varies})
    return str(same) if shared is None else same.named_beside(shared)
