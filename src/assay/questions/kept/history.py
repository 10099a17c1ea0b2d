"""``assay history``: what was asked when, of what; and how scores went from run to run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from assay.data.judgements import fitting
from assay.errors import InputError, ParameterError, counted, shown
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.kept.base import OfStore, typed_again
from assay.results.charts import Axis, above, figure, lines
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.store.differences import Side, reasons
from assay.store.folder import Run, Store
from assay.store.tables import metrics_of

#: Points of time on the axis of a picture, at most.
_TICKS = 8


@dataclass(frozen=True, kw_only=True)
class History(OfStore):
    """What was asked when, of what, with which options. With --metric or --systems: how scores went from run to run.

    Beside each score that moved stands what was not the same in the run before it: a text, an option, a version.
    """

    name: ClassVar[str] = "history"
    question: ClassVar[str] = "What was asked when?"

    metrics: tuple[str, ...] = option(
        (), "Scores under these metrics, as tables call them.", flag="-m, --metric", metavar="METRIC", repeat=True
    )
    systems: tuple[str, ...] = option((), "Scores of these systems.", metavar="'A,B-*,!B-1'")
    of: str | None = option(None, "Runs of this command, study or paper.", metavar="NAME")
    campaign: str | None = option(None, "Runs about this campaign.", metavar="NAME")
    since: str | None = option(None, "Runs since this day, or moment (UTC): 2026-11-01.", metavar="DATE")
    limit: int = option(50, "The last so many runs.", metavar="N", least=1)

    def check(self) -> None:
        if self.since is not None and _moment(self.since) is None:
            raise ParameterError(f"history: since is {shown(self.since)}, but it takes a day, or a moment: 2026-11-01.")

    def answer(self, asked: Asked) -> Result:
        store = self.opened()
        chosen = [run for run in store.runs() if self._fits(run)]
        if not chosen:
            chosen_by = {"of": self.of, "campaign": self.campaign, "since": self.since}
            wanted = ", ".join(f"{name} {shown(value)}" for name, value in chosen_by.items() if value is not None)
            what = f"{store.path} has no runs{f' with {wanted}' if wanted else ' yet'}."
            raise InputError(what, "assay history without options lists all of them." if wanted else "")
        runs = chosen[-self.limit :]
        listed: Table = [_row(run) for run in runs]
        said = [f"{counted(len(chosen), 'run')} in {store.path}, times in UTC."]
        if len(chosen) > len(runs):
            said.append(f"These are the last {len(runs):,}; --limit N shows more.")
        columns = (Column("asked", "what was asked"), Column("seconds", format=".1f"))
        view = View("", "runs", columns, (Column("run"),))
        if not self.metrics and not self.systems:
            return Result("history", {"runs": listed}, (view,), tuple(said))
        scores = self._scores(store, runs)
        moved = (
            Column("score", format=".2f"), Column("low", "95 % interval", ".2f", high="high"),
            Column("change", format="+.2f"), Column("because", "what differs from the run before"),
        )  # fmt: skip
        whose = dict.fromkeys((row["metric"], row["name"]) for row in scores)
        views = [
            View(f"{metric}: {name}", "scores", moved, (Column("run"),), where={"metric": metric, "name": name})
            for metric, name in whose
        ]
        figures = Figures(lambda: _pictures(scores))
        return Result("history", {"scores": scores, "runs": listed}, tuple(views), tuple(said), figures=figures)

    def _fits(self, run: Run) -> bool:
        since = None if self.since is None else _moment(self.since)
        names = {run.question, str(run.record["result"]["command"])}
        campaigns = {part["name"] for part in run.kept["campaigns"]} | {run.record["result"].get("campaign")}
        return (
            (self.of is None or self.of in names)
            and (self.campaign is None or self.campaign in campaigns)
            and (since is None or datetime.fromisoformat(run.time) >= since)
        )

    def _scores(self, store: Store, runs: list[Run]) -> Table:
        """The scores that were asked for, each beside the one before it of the same campaign."""
        sides = [Side(run.result, store, run) for run in runs if run.record["tables"].get("scores")]
        rows = [(side, row) for side in sides for row in side.result.tables["scores"] if row.get("score") is not None]
        for name, wanted in (("metric", self.metrics), ("system", self.systems)):
            known = list(dict.fromkeys(str(row.get(name)) for _, row in rows))
            kept = fitting(f"{name} with scores in these runs", known, wanted) if wanted else known
            rows = [(side, row) for side, row in rows if row.get(name) in kept]
        followed = list(_followed(rows))
        several = len({row["campaign"] for row in followed}) > 1
        return [row | {"name": f"{row['system']}, {row['campaign']}" if several else row["system"]} for row in followed]


def _followed(rows: list[tuple[Side, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Scores by system and metric, each with its change and what may be the reason."""
    last: dict[tuple[Any, ...], tuple[Side, dict[str, Any]]] = {}
    for side, row in sorted(rows, key=lambda one: (str(one[1]["system"]), str(one[1]["metric"]))):
        run = side.run
        if run is None:
            continue
        campaign = row.get("campaign") or side.result.campaign
        key = (campaign, row["system"], row["metric"], row.get("kind"))
        named = {"system": row["system"], "metric": row["metric"]}
        known = last.get(key)
        change = None if known is None else row["score"] - known[1]["score"]
        why = reasons(known[0], side) if known is not None and change else ()
        yield {
            "run": run.id, "time": run.time, "campaign": campaign, **named,
            "score": row["score"], "low": row.get("low"), "high": row.get("high"), "change": change,
            "because": "; ".join(str(reason) for reason in why if reason.concerns(named, "score")),
        }  # fmt: skip
        last[key] = side, row


def _row(run: Run) -> dict[str, Any]:
    document = run.record["result"]
    return {
        "run": run.id,
        "time": run.time,
        "question": run.question,
        "campaign": document.get("campaign"),
        "asked": typed_again(document, (run.record.get("asked") or {}).get("inputs", {})),
        "metrics": ", ".join(metrics_of(document["options"])),
        "seconds": run.record.get("seconds"),
        "version": document["assay"],
    }


def _moment(text: str) -> datetime | None:
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        return None
    return given.replace(tzinfo=UTC) if given.tzinfo is None else given


def _pictures(scores: Table) -> list[Figure]:
    """A panel per metric: scores by the time of their runs."""
    moments = sorted({row["time"] for row in scores})
    places = {moment: place for place, moment in enumerate(moments)}
    step = -(-len(moments) // _TICKS)
    ticks = [place for place in range(len(moments)) if place % step == 0]
    labels = [[moments[place][:10], moments[place][11:16]] for place in ticks]
    across = Axis(ticks=ticks, labels=labels, domain=(-0.3, len(moments) - 0.7), grid=False)
    drawn = [row | {"place": places[row["time"]]} for row in scores]
    panels = [
        lines(
            [row for row in drawn if row["metric"] == metric],
            x="place", y="score", series="name", ends=("low", "high"), ranges=True, across=across, nudge=0.04,
            heading=str(metric),
        )
        for metric in dict.fromkeys(row["metric"] for row in drawn)
    ]  # fmt: skip
    return [figure("scores", above(*panels), "Scores from run to run", ["Bars: 95 % intervals. Times in UTC."])]
