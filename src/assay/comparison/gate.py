"""A gate for continuous integration: has anything become worse than the baseline?"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from assay.comparison.result import Comparison, Pair
from assay.errors import ParameterError


@dataclass(frozen=True)
class Verdict:
    """One system under one metric, held against the baseline."""

    pair: Pair
    failed: bool
    reason: str


@dataclass(frozen=True)
class Gate:
    """All verdicts; the gate fails if one does."""

    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> bool:
        """Whether anything is worse."""
        return any(verdict.failed for verdict in self.verdicts)

    def to_junit(self) -> str:
        """As JUnit XML, which CI servers show: a test case per system and metric."""
        failures = sum(verdict.failed for verdict in self.verdicts)
        suite = ElementTree.Element(
            "testsuite", name="assay compare", tests=str(len(self.verdicts)), failures=str(failures), errors="0"
        )
        for verdict in self.verdicts:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"assay.{verdict.pair.metric}",
                name=f"{verdict.pair.a} vs {verdict.pair.b}",
            )
            if verdict.failed:
                ElementTree.SubElement(case, "failure", message=verdict.reason).text = verdict.reason
            else:
                ElementTree.SubElement(case, "system-out").text = verdict.reason
        ElementTree.indent(suite)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def gate(comparison: Comparison, *, min_delta: float = 0.0) -> Gate:
    """Fail whatever is significantly worse than the baseline by at least ``min_delta`` points."""
    if comparison.setup.baseline is None:
        raise ParameterError("The gate needs a baseline: --baseline NAME --fail-if-worse.")
    if not min_delta >= 0.0:
        raise ParameterError(f"min_delta is {min_delta}, but it takes a number of at least 0.")
    return Gate(tuple(_verdict(pair, comparison.setup.alpha, min_delta) for pair in comparison.pairs))


def _verdict(pair: Pair, alpha: float, min_delta: float) -> Verdict:
    loss = -pair.delta if pair.metric.higher_is_better else pair.delta
    facts = (
        f"{pair.metric}: {pair.a} {pair.delta:+.2f} against {pair.b} "
        f"[{pair.interval.low:+.2f}, {pair.interval.high:+.2f}], adjusted p = {pair.p_adjusted:.4g}"
    )
    if loss > 0 and pair.significant and loss >= min_delta:
        return Verdict(pair, True, f"{facts}: significantly worse at {alpha:g}")
    if loss > 0 and pair.significant:
        return Verdict(pair, False, f"{facts}: worse, but by less than {min_delta:g}")
    return Verdict(pair, False, f"{facts}: {'no evidence that it is worse' if loss > 0 else 'not worse'}")
