"""Gates: verdicts that decide whether a build goes on. What cannot be told never passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay.data.tables import finite
from assay.errors import ParameterError
from assay.metrics.base import Metric
from assay.questions.base import option
from assay.results.rendering import bracketed
from assay.results.result import Table

_Row = dict[str, Any]


def fail_under_option() -> Any:
    """Values that scores must reach."""
    return option(
        (), "Exit 1 if a system's score is below VALUE (an error rate above it); repeat it.",
        metavar="METRIC=VALUE", repeat=True,
    )  # fmt: skip


def read_limits(texts: Iterable[str]) -> list[tuple[str, float]]:
    """Metrics as they are typed, and the values that their scores must reach.

    >>> read_limits(["bleu(order=2)=31.5"])
    [('bleu(order=2)', 31.5)]
    """
    limits = []
    for text in texts:
        metric, equals, value = text.rpartition("=")
        limit = finite(value)
        if not equals or not metric or limit is None:
            raise ParameterError(f"--fail-under {text!r}: write METRIC=VALUE, such as chrf=50.")
        limits.append((metric.strip(), limit))
    return limits


def under_limits(limits: Sequence[tuple[str, float]], metrics: Sequence[Metric], scores: Table) -> Iterator[_Row]:
    """Whether each system's score reaches what it must; one that is missing does not."""
    known = {str(metric): metric for metric in metrics}
    for name, limit in limits:
        if name not in known:
            raise ParameterError(
                f"--fail-under {name}={limit:g}: {name} is not among the metrics here ({', '.join(known)}). "
                f"Ask for it, too: -m {name}"
            )
        metric = known[name]
        for row in (row for row in scores if row["metric"] == name):
            score, wanted = row["score"], f"{'at least' if metric.higher_is_better else 'at most'} {limit:g}"
            failed = score is None or (score < limit if metric.higher_is_better else score > limit)
            reached = "no score" if score is None else f"{score:.{metric.decimals}f}"
            reason = f"{name}: {row['system']} has {reached}, wanted: {wanted}"
            yield {"metric": name, "system": row["system"], "case": f"{row['system']}, {wanted}"} | {
                "failed": failed, "reason": reason
            }  # fmt: skip


def surely_worse(pair: Mapping[str, Any], metric: Metric, alpha: float, min_delta: float) -> _Row:
    """A system against the baseline: it fails if it is significantly worse, by at least ``min_delta`` points."""
    loss = -pair["delta"] if metric.higher_is_better else pair["delta"]
    worse = loss > 0 and pair["significant"]
    failed = worse and loss >= min_delta
    if worse:
        outcome = f"significantly worse at {alpha:g}" if failed else f"worse, but by less than {min_delta:g}"
    else:
        outcome = "no evidence that it is worse" if loss > 0 else "not worse"
    return _against(pair, metric, failed, f"adjusted p = {pair['p_adjusted']:.4g}: {outcome}")


def maybe_worse(pair: Mapping[str, Any], metric: Metric, margin: float) -> _Row:
    """A system against the baseline: it passes only if the whole interval of Δ is less than ``margin`` points worse."""
    end = pair["low"] if metric.higher_is_better else pair["high"]
    failed = end is None or (-end if metric.higher_is_better else end) >= margin
    outcome = f"it may be {margin:g} worse, or more" if failed else f"surely less than {margin:g} worse"
    return _against(pair, metric, failed, outcome, f", not worse by {margin:g}")


def _against(pair: Mapping[str, Any], metric: Metric, failed: bool, outcome: str, wanted: str = "") -> _Row:
    spec = f"+.{metric.decimals}f"
    ends = bracketed(pair["low"], pair["high"], spec) or " without an interval"
    reason = f"{metric}: {pair['a']} {pair['delta']:{spec}} against {pair['b']}{ends}, {outcome}"
    case = f"{pair['a']} vs {pair['b']}{wanted}"
    return {"metric": pair["metric"], "system": pair["a"], "case": case, "failed": failed, "reason": reason}


def gate_findings(verdicts: Table) -> Iterator[str]:
    """A sentence per verdict."""
    return (f"{'FAILED' if row['failed'] else 'passed'}: {row['reason']}" for row in verdicts)
