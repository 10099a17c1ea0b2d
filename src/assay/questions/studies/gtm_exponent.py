"""Does GTM do better with a larger exponent where systems are better? After Turian et al. (2003), section 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import counted
from assay.metrics.base import Metric
from assay.metrics.gtm import Gtm
from assay.people.levels import FEWEST_SYSTEMS, GridLevel, SystemLevel
from assay.people.scores import Scores
from assay.questions.asked import Asked
from assay.questions.base import JUDGED, SCORED, metric_option, option
from assay.questions.studies.base import ALL_SYSTEMS, ONE_METRIC, defined, different, grouped, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, by_chance, gained, is_sure
from assay.results import charts
from assay.results.charts import INK, Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.draws import NOTHING, Draws, Estimate

#: From so many systems on there are three groups of them.
_MANY = 12
#: What groups are called, by how many there are, the better ones first.
_GROUPS = {2: ("better half", "worse half"), 3: ("best third", "middle third", "worst third")}


@dataclass(frozen=True, kw_only=True)
class GtmExponent(JudgedStudy):
    """Correlation with people by exponent, of all systems and of those that people find better and worse."""

    name = "gtm-exponent"
    question = "Which exponent of GTM suits systems of this quality?"
    takes = ONE_METRIC
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 3, SCORED: 3}
    source = "Turian, Shen & Melamed (2003), section 5: e = 2 may do better when systems improve"
    columns = (
        Column("group", "systems"), Column("n", "n", "d"), Column("exponent", "exponent", "g"),
        Column("correlation", "correlation", ".3f", low="low", high="high"),
        Column("gain", "over the first", "+.3f", low="gain_low", high="gain_high"), Column("best", "best", "yes|"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "groups": (
            Column("group", "systems"), Column("n", "n", "d"), Column("human_low", "people", ".3f", high="human_high"),
            Column("names", "who"),
        )
    }  # fmt: skip

    metric: Gtm = metric_option("gtm", "GTM with its recipe: gtm(lowercase=true,stem=porter).")
    exponents: tuple[float, ...] = option(
        (1.0, 1.5, 2.0, 3.0), "Exponents; gains are over the first.", metavar="1,1.5,2,3"
    )
    groups: int | None = option(
        None, "Halves or thirds of the systems (default: thirds from 12 systems on).", metavar="2|3", least=2, most=3
    )
    level: Literal["segment", "system"] = option(
        "segment", "Systems within each segment, averaged over segments, or systems on the whole."
    )
    statistic: Literal["spearman", "pearson", "kendall"] = option("spearman", "The correlation.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        sound = isinstance(self.metric, Gtm) and self.metric.exponent == Gtm().exponent
        self.require(sound, "metric", "gtm without exponent, which the study varies: gtm(stem=porter)")
        self.require_different("exponents", "different numbers above 0: 1,2")
        self._metrics()

    def _metrics(self) -> list[Metric]:
        """A GTM for each exponent."""
        return [replace(self.metric, exponent=exponent) for exponent in self.exponents]

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked)
        if self.level == "segment":
            judged.ratings()
        sources, draws = judged.sources(self._metrics()), judged.draws(self.samples)
        people = judged.people.system_scores(draws.first)[0]
        groups = self._split(people, judged.people.systems)
        rows, measured = list[dict[str, Any]](), dict[str, list[Estimate]]()
        for name, members in watched([*groups.items()], asked, 0.4):
            measured[name] = self._measured(judged, sources, draws, members)
            rows += self._rows(name, members, measured[name])
        tables = {"table": rows, "groups": _listed(groups, people, judged.people.systems), "gains": []}
        if len(groups) > 1:
            names = [*groups]
            tables["gains"] = list(self._apart(measured[names[1]], measured[names[-1]], names[1], names[-1]))
        said = [*self._findings(tables), judged.drawn()]
        return self.result(
            asked, tables, said, self._metrics(), usage=[judged.used(self.level)], kind=judged.people.name
        )

    def _split(self, people: Array, systems: Sequence[str]) -> dict[str, Codes]:
        """All systems, and parts of them by what people think of them, the best first; parts of three or more."""
        order = np.array(
            sorted(np.flatnonzero(np.isfinite(people)).tolist(), key=lambda place: (-people[place], systems[place]))
        )
        count = self.groups or (3 if len(order) >= _MANY else 2)
        groups = {ALL_SYSTEMS: order}
        if len(order) >= FEWEST_SYSTEMS * count:
            groups |= dict(zip(_GROUPS[count], np.array_split(order, count), strict=True))
        return groups

    def _measured(
        self, judged: JudgedSystems, sources: Sequence[Scores], draws: Draws, members: Codes
    ) -> list[Estimate]:
        """The correlation under each exponent, over some of the systems."""
        among = np.isin(np.arange(len(judged.people.systems)), members)
        if self.level == "system":
            systems = SystemLevel(judged.people, draws, seed=judged.asked.seed)
            cell = (self.statistic, None)
            return [systems.measure([cell], source, among)[cell] for source in sources]
        human = np.where(among[:, None], judged.ratings().grid, np.nan)
        segments = GridLevel(human, draws, seed=judged.asked.seed)
        within = (self.statistic, "item")
        return [segments.measure([within], source)[within] for source in sources]

    def _rows(self, name: str, members: Codes, measured: Sequence[Estimate]) -> Iterator[dict[str, Any]]:
        values = [-np.inf if one.value is None else one.value for one in measured]
        for place, (exponent, one) in enumerate(zip(self.exponents, measured, strict=True)):
            yield {
                "group": name, "n": len(members), "exponent": exponent, "level": self.level,
                "statistic": self.statistic, **one.row("correlation"),
                **gained(one, None if place == 0 else measured[0]),
                "best": one.value is not None and place == int(np.argmax(values)),
            }  # fmt: skip

    def _apart(
        self, better: Sequence[Estimate], worse: Sequence[Estimate], first: str, last: str
    ) -> Iterator[dict[str, Any]]:
        """How much more a larger exponent gains among better systems than among worse ones, on the same draws."""
        for exponent, above, below in zip(self.exponents[1:], better[1:], worse[1:], strict=True):
            known = None not in (above.value, below.value, better[0].value, worse[0].value)
            more = (above - better[0]) - (below - worse[0]) if known else NOTHING
            yield {"exponent": exponent, "group": first, "beside": last, **more.row("more", "more_low", "more_high")}

    def _findings(self, tables: Mapping[str, Table]) -> Iterator[str]:
        rows, first = tables["table"], self.exponents[0]
        for name, here in grouped(rows, "group"):
            best = those(here, best=True)
            if not best:
                yield f"{name}: no correlation is defined."
                continue
            value, exponent = best[0]["correlation"], best[0]["exponent"]
            sure = [f"{row['exponent']:g} ({row['gain']:+.3f})" for row in here if is_sure(row)]
            said = f"; surely other than e = {first:g}: e = {', '.join(sure)}" if sure else ""
            none = "" if sure or len(here) < 2 else f"; none is surely other than e = {first:g}"
            yield f"{_capital(name)} ({best[0]['n']}): e = {exponent:g} is closest to people ({value:.3f}){said}{none}."
        yield from by_chance(rows)
        if not tables["gains"]:
            known = rows[0]["n"]
            yield (
                f"Systems are not split by quality: parts of {FEWEST_SYSTEMS} take {2 * FEWEST_SYSTEMS}, and there are "
                f"{counted(known, 'system')}."
            )
        for row in tables["gains"]:
            if row["more"] is None:
                continue
            verdict = "as the paper expects" if row["more"] > 0 else "unlike what the paper expects"
            told = verdict if is_sure(row, "more") else "which may be chance"
            ends = f" ({row['more_low']:+.3f} – {row['more_high']:+.3f})" if row["more_low"] is not None else ""
            yield (
                f"From e = {first:g} to e = {row['exponent']:g} the {row['group']} gains {row['more']:+.3f}{ends} more "
                f"than the {row['beside']}, {told}."
            )

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Correlation over the exponent, a curve for each group of systems."""
        rows = defined(tables["table"], "correlation")
        names = different(rows, "group")
        colors = charts.palette([name for name in names if name != ALL_SYSTEMS]) | {ALL_SYSTEMS: INK}
        drawn = charts.lines(
            rows, x="exponent", y="correlation", series="group", ends=("low", "high"), colors=colors,
            dashes={ALL_SYSTEMS: (2, 2)}, dots=46,
            across=Axis(title="exponent", ticks=sorted(self.exponents), format="~g", grid=False),
            up=Axis(title=f"{self.statistic.capitalize()}'s correlation with people, {self.level} level"),
        )  # fmt: skip
        said = f"{campaign}: systems by what people think of them; bands: 95 %, for other segments"
        return charts.figure("figure", drawn, self.question, [said])


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _listed(groups: Mapping[str, Codes], people: Array, systems: Sequence[str]) -> Table:
    """Who is in each group, and from which score of people to which."""
    return [
        {
            "group": name, "n": len(members), "human_low": float(people[members].min()),
            "human_high": float(people[members].max()), "names": ", ".join(systems[place] for place in members),
        }
        for name, members in groups.items()
        if name != ALL_SYSTEMS or len(groups) == 1
    ]  # fmt: skip
