"""What a manager has to know of a campaign, in sentences that are drawn from the answers to questions about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assay.errors import counted
from assay.explorer.packing import Shown
from assay.metrics.base import Metric
from assay.metrics.registry import heading
from assay.results.rendering import bracketed
from assay.results.result import Result, Table
from assay.significance.draws import FEWEST_UNITS

#: Of more names than these the first are said.
_FEW_NAMES = 4


def findings(shown: Shown, results: Mapping[str, Result]) -> Iterator[str]:
    """What was compared, who is best and how surely, and what metrics and people agree on."""
    yield _compared(shown)
    best: list[list[str]] = []
    for metric in shown.metrics:
        rows = _ranked(metric, results)
        if rows:
            sentence, systems = _best_by(heading(metric, shown.fitted).rstrip(" ↑↓"), metric.decimals, rows, results)
            best.append(systems)
            yield sentence
    people = _first_by_people(results.get("meta"))
    for system in dict.fromkeys(people.values()):
        kinds = [kind for kind, first in people.items() if first == system]
        yield f"People put {system} first ({', '.join(kinds)})."
    if people and best:
        yield _agreed(best, list(people.values()))
    labels = {str(metric): heading(metric, shown.fitted).rstrip(" ↑↓") for metric in shown.fitted}
    yield from _followed(results.get("meta"), labels)
    yield from _agreement(results.get("agreement"))


def _compared(shown: Shown) -> str:
    campaign, judgements = shown.campaign, shown.judgements
    parts = [counted(len(shown), "segment"), counted(len(shown.systems), "system")]
    parts.append(counted(len(campaign.references), "reference") if campaign.references else "no reference")
    kinds = "" if judgements is None else ", ".join(judgements.kinds)
    said = "no judgements of segments" if judgements is None else f"{counted(len(judgements), 'judgement')} ({kinds})"
    texts = "" if campaign.has_texts else " There are no texts."
    return f"{campaign.name}: {', '.join(parts)}, {said}.{texts}"


def _listed(names: Sequence[str]) -> str:
    """Names as a sentence has them; of many the first.

    >>> _listed(["a"]), _listed(["a", "b"]), _listed(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 more')
    """
    if len(names) > _FEW_NAMES:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _ranked(metric: Metric, results: Mapping[str, Result]) -> Table:
    """The scores of systems, the best first: with the ranks that tests leave open where these were asked."""
    known = results.get("compare") or results.get("score")
    rows = [] if known is None else known.tables["scores"]
    rows = [row for row in rows if row["metric"] == str(metric) and row["score"] is not None]
    return sorted(rows, key=lambda row: row["score"], reverse=metric.higher_is_better)


def _best_by(label: str, decimals: int, rows: Table, results: Mapping[str, Result]) -> tuple[str, list[str]]:
    """Who is best by a metric, and who may be as far as tests tell."""
    first, spec = rows[0], f".{decimals}f"
    system, score = first["system"], f"{first['score']:{spec}}{bracketed(first['low'], first['high'], spec)}"
    if len(rows) == 1:
        return f"{label} of {system}: {score}.", [system]
    begun = f"By {label} {system} stands first with {score}"
    if "compare" not in results:
        return f"{begun}.", [system]
    if results["compare"].setup["units"] < FEWEST_UNITS:
        return f"{begun}; there is too little text for a test.", [system]
    others = [row["system"] for row in rows[1:] if row["best_rank"] == 1]
    if not others:
        return f"By {label} {system} is best with {score}: significantly better than every other system.", [system]
    return f"{begun}, but tests leave open whether {_listed(others)} may be as good.", [system, *others]


def _first_by_people(meta: Result | None) -> dict[str, str]:
    """By kind of judgement the system with the highest mean; people who stand as systems are left out, as in meta."""
    known = {kind: {row["system"]: row["human"] for row in rows} for kind, rows in _by_kind(meta, "points").items()}
    known = {kind: {name: mean for name, mean in means.items() if mean is not None} for kind, means in known.items()}
    return {kind: max(means, key=lambda name: means[name]) for kind, means in known.items() if means}


def _agreed(best: Sequence[Sequence[str]], people: Sequence[str]) -> str:
    """Whether metrics and people say the same of who is best."""
    first = {systems[0] for systems in best} | set(people)
    if len(first) == 1:
        return f"Metrics and people agree: {people[0]} is best."
    common = set(people).intersection(*best)
    if len(set(people)) == 1 and common:
        return (
            f"Metrics do not put the same system first as people, but their tests leave open that {people[0]} is best."
        )
    return "Metrics and people do not agree on which system is best."


def _by_kind(result: Result | None, table: str) -> dict[str, Table]:
    """The rows of a table by kind of judgement."""
    rows: dict[str, Table] = {}
    if result is not None:
        asked = ", ".join(result.options.get("kind") or ())
        for row in result.tables.get(table, []):
            rows.setdefault(row.get("kind") or asked, []).append(row)
    return rows


def _followed(meta: Result | None, labels: Mapping[str, str]) -> Iterator[str]:
    """How far metrics follow people, by Pearson's r of systems, the closest first."""
    for kind, rows in _by_kind(meta, "results").items():
        wanted = ("system", "pearson")
        known = [row for row in rows if (row["level"], row["statistic"]) == wanted and row["value"] is not None]
        if known:
            known.sort(key=lambda row: row["value"], reverse=True)
            named = [(labels.get(row["metric"], row["metric"]), row) for row in known]
            said = [f"{name} {row['value']:.2f}{bracketed(row['low'], row['high'], '.2f')}" for name, row in named]
            yield f"How far metrics follow people ({kind}), Pearson's r of {known[0]['n']} systems: {', '.join(said)}."


def _agreement(agreement: Result | None) -> Iterator[str]:
    """How far raters agree, by Krippendorff's alpha, where enough items were judged twice for an interval."""
    for kind, rows in _by_kind(agreement, "results").items():
        for row in rows:
            if row["statistic"] == "alpha-interval" and row["low"] is not None:
                ends = bracketed(row["low"], row["high"], ".2f")
                yield f"How far raters agree ({kind}), Krippendorff's α: {row['value']:.2f}{ends}."
