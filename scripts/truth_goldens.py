"""Correlations with people and choices of references, by sacreBLEU, scipy and plain loops, to hold studies against."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

CAMPAIGN = Path(__file__).parents[1] / "src" / "assay" / "demo" / "campaign"
KINDS = ("adequacy", "fluency")
SENTENCE_BLEU = "bleu(effective_order=true)"
#: The translations of Luke, each of which is a candidate and a reference of the others.
LUKE = {
    "bengel1753": "hyp.bengel1753.de",
    "elberfelder1871": "hyp.elberfelder1871.de",
    "elberfelder1905": "ref.B.de",
    "luther1545": "hyp.luther1545.de",
    "luther1912": "ref.A.de",
}


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def programs() -> str:
    return f"sacreBLEU {version('sacrebleu')}, scipy {version('scipy')}"


def grades() -> dict[str, dict[str, list[float]]]:
    """The mean over raters for each segment, by kind and system."""
    given: dict[tuple[str, str], dict[int, list[float]]] = {}
    with (CAMPAIGN / "human.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            segments = given.setdefault((row["kind"], row["system"]), {})
            segments.setdefault(int(row["segment"]), []).append(float(row["score"]))
    systems = sorted({system for _, system in given})
    return {
        kind: {system: [fmean(scores) for _, scores in sorted(given[kind, system].items())] for system in systems}
        for kind in KINDS
    }


def correlations(scores: list[float], human: list[float]) -> dict[str, float]:
    """Three correlations by scipy."""
    stats = import_module("scipy.stats")
    # Scores that differ in the last digits of the arithmetic alone are ties.
    rounded = [round(score, 9) for score in scores]
    found = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    return {name: float(function(rounded, human).statistic) for name, function in found.items()}


def demo_correlations() -> dict[str, object]:
    """How scores of the demonstration follow its grades: of systems, and of the segments of each."""
    metrics = import_module("sacrebleu.metrics")
    human = grades()
    systems = {name: lines(CAMPAIGN / f"sys.{name}.txt") for name in human["adequacy"]}
    references = {name: lines(CAMPAIGN / f"ref.{name}.txt") for name in "ABC"}
    whole: list[dict[str, object]] = []
    for names in (names for size in (1, 2, 3) for names in combinations(references, size)):
        columns = [references[name] for name in names]
        for label, metric in (("bleu", metrics.BLEU()), ("chrf", metrics.CHRF()), ("ter", metrics.TER())):
            scores = {name: metric.corpus_score(texts, columns).score for name, texts in systems.items()}
            whole += system_rows(label, "+".join(names), scores, human)
    single: list[dict[str, object]] = []
    for names in (("A",), tuple(references)):
        columns = [references[name] for name in names]
        for label, metric in ((SENTENCE_BLEU, metrics.BLEU(effective_order=True)), ("chrf", metrics.CHRF())):
            found = {
                name: [
                    metric.sentence_score(text, list(others)).score
                    for text, *others in zip(texts, *columns, strict=True)
                ]
                for name, texts in systems.items()
            }
            single += segment_rows(label, "+".join(names), found, human)
    return {
        "program": programs(),
        "grades": {kind: {name: fmean(scores) for name, scores in found.items()} for kind, found in human.items()},
        "beside": {name: correlations(human["adequacy"][name], human["fluency"][name]) for name in systems},
        "systems": whole,
        "segments": single,
    }


def system_rows(
    metric: str, references: str, scores: dict[str, float], human: dict[str, dict[str, list[float]]]
) -> Iterator[dict[str, object]]:
    """Correlations over systems; of an error rate the sign is turned."""
    sign = -1.0 if metric == "ter" else 1.0
    for kind, found in human.items():
        values = correlations([sign * scores[name] for name in found], [fmean(one) for one in found.values()])
        entry = {"metric": metric, "references": references, "kind": kind, "mean": fmean(scores.values())}
        yield {**entry, "scores": scores, **values}


def segment_rows(
    metric: str, references: str, scores: dict[str, list[float]], human: dict[str, dict[str, list[float]]]
) -> Iterator[dict[str, object]]:
    """Correlations over the segments of each system."""
    for kind, found in human.items():
        for name, people in found.items():
            entry = {"metric": metric, "references": references, "kind": kind, "system": name}
            yield {**entry, **correlations(scores[name], people)}


def luke_choices(folder: Path) -> dict[str, Any]:
    """BLEU of each translation of Luke against every set of others: how many, mean, deviation, worst and best."""
    bleu = import_module("sacrebleu.metrics").BLEU()
    texts = {name: lines(folder / "inputs" / "el-de" / file) for name, file in LUKE.items()}
    rows = []
    for candidate, own in texts.items():
        others = [name for name in texts if name != candidate]
        for k in (1, 2, 4):
            scores = {
                "+".join(names): bleu.corpus_score(own, [texts[name] for name in names]).score
                for names in combinations(others, k)
            }
            low, high = min(scores, key=scores.__getitem__), max(scores, key=scores.__getitem__)
            rows.append(
                {
                    "candidate": candidate,
                    "k": k,
                    "n": len(scores),
                    "mean": fmean(scores.values()),
                    "sd": stdev(scores.values()) if len(scores) > 1 else 0.0,
                    "low": scores[low],
                    "low_references": low,
                    "high": scores[high],
                    "high_references": high,
                }
            )
    return {"program": programs(), "rows": rows}
