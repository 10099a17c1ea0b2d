"""Every Eval Ever's files about systems, version 0.3.0 of its schema: ``data/COLLECTION/DEVELOPER/MODEL/UUID.json``.

A file has the scores of one system by every metric; those of its segments lie beside it, in ``UUID_samples.jsonl``. The
names of files come of what is in them, and no clock is asked: the same answer gives the same files.
"""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from assay.errors import AssayWarning, InputError, ParameterError
from assay.results.rendering import Look, Style
from assay.results.result import Result, Table, spell_json
from assay.results.visible import visible

VERSION = "0.3.0"
#: What is said where no time is known.
NO_TIME = "retrieved_timestamp is 0, for nothing says when these scores were found."
#: The tables of other levels, which have no place.
_OTHERS = ("documents", "domains")
#: The columns of scores that have places of their own; the others are details.
_OWN = ("campaign", "system", "metric", "score", "low", "high")
#: The digests that are of what all systems share.
_DATA = re.compile(r"(?:source|config)$|ref\.|scores\.")
#: What stands for an organisation that nobody names, and for a time.
_UNKNOWN, _NEVER = "unknown", "0"
#: The whole of a metric in a signature, and an option of it: a text in quotes, a list, or a word.
_METRIC = re.compile(r"(?P<name>[^(|]*)(?:\((?P<options>.*)\))?\|references:\d", re.DOTALL)
_TEXT = r'"(?:[^"]|"")*"'
_OPTION = re.compile(rf"(?P<name>\w+)=(?P<value>{_TEXT}|\[(?:{_TEXT}|[^\]\"])*\]|[^,]*)(?:,|$)")
_NUMBER = re.compile(r"true|false|-?(?:0|[1-9]\d{0,15})(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?")
#: What no name of a folder may have on some system, and the names that Windows keeps for devices.
_UNSAFE = re.compile(r'[<>:"/\\|?*]')
_DEVICES = re.compile(r"(?:CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(?:\..*)?|data", re.IGNORECASE | re.DOTALL)
#: So many bytes of a name are kept in that of a folder.
_LONGEST = 100


@dataclass(frozen=True)
class Record:
    """What is known of one system: its scores, as ``result_of`` has them, and its segments, as ``sample_of`` has."""

    #: What the scores are about: a campaign.
    collection: str
    system: str
    results: Sequence[Mapping[str, Any]]
    samples: Sequence[Mapping[str, Any]] = ()
    #: The program that computed the scores, with its version.
    library: tuple[str, str] = (_UNKNOWN, _UNKNOWN)
    #: When, in seconds since 1970, where that is known.
    time: str | None = None

    def files(self) -> dict[str, str]:
        """The file of the system, and that of its segments where there are any, by their paths."""
        content = json.dumps([self._about(), self.samples], sort_keys=True)
        name = str(UUID(bytes=hashlib.sha256(content.encode()).digest()[:16], version=4))
        identity = {"schema_version": VERSION, "evaluation_id": f"{self.collection}/{self.system}/{name}"}
        developer, slash, model = self.system.partition("/")
        names = (self.collection, *((developer, model) if slash else (_UNKNOWN, self.system)))
        path = "/".join(["data", *map(_folder_name, names), name])
        about = {**identity, **self._about()}
        if not self.samples:
            return {f"{path}.json": spell_json(about, indent=2) + "\n"}
        lines = "".join(f"{spell_json({**identity, **sample})}\n" for sample in self.samples)
        about["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": f"{path}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(lines.encode()).hexdigest(),
            "total_rows": len(self.samples),
        }
        return {f"{path}.json": spell_json(about, indent=2) + "\n", f"{path}_samples.jsonl": lines}

    def _about(self) -> dict[str, Any]:
        """All but its name, and what follows from that."""
        developer, slash, _ = self.system.partition("/")
        program, version = self.library
        # Scores that nobody knows the program of were found elsewhere, and this is a record of a record.
        computed = program != _UNKNOWN
        return {
            **({} if self.time is None else {"evaluation_timestamp": self.time}),
            "retrieved_timestamp": self.time or _NEVER,
            "source_metadata": {
                "source_type": "evaluation_run" if computed else "documentation",
                "source_organization_name": _UNKNOWN,
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": program, "version": version},
            "model_info": {
                "name": self.system,
                "id": self.system,
                **({"developer": developer} if slash and developer else {}),
                "additional_details": {"deployment_type": _UNKNOWN, "model_availability": _UNKNOWN},
            },
            "evaluation_results": list(self.results),
        }


def result_of(
    metric: str,
    collection: str,
    score: float,
    *,
    higher_is_better: bool,
    bounds: Sequence[float | None] = (None, None),
    known: Mapping[str, Any] | None = None,
    uncertainty: Mapping[str, Any] | None = None,
    details: Mapping[str, str] | None = None,
    source: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The score of a system by a metric; ``known`` is what else is to stand in ``metric_config``."""
    low, high = bounds
    return {
        "evaluation_result_id": metric,
        "evaluation_name": collection,
        "source_data": {"dataset_name": collection, "source_type": "other"}
        | ({"additional_details": source} if source else {}),
        "metric_config": {
            "metric_id": metric,
            "metric_name": metric,
            **(known or {}),
            "lower_is_better": not higher_is_better,
            "score_type": "continuous",
            # Sums of rounded numbers may pass the end of a scale in their last digit.
            "min_score": "-Infinity" if low is None else min(low, score),
            "max_score": "Infinity" if high is None else max(high, score),
        },
        "score_details": {"score": score}
        | ({"details": details} if details else {})
        | ({"uncertainty": uncertainty} if uncertainty else {}),
    }


def sample_of(
    system: str,
    collection: str,
    segment: str,
    *,
    raw: str = "",
    reference: Sequence[str] = (),
    output: Sequence[str] = (),
    metadata: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What a record says of a segment of a system, whatever its score."""
    return {
        "model_id": system,
        "evaluation_name": collection,
        "sample_id": segment,
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": list(reference)},
        "output": {"raw": list(output)},
        "answer_attribution": [],
        "metadata": dict(metadata or {}),
    }


def judged(score: float, *, best: bool) -> dict[str, Any]:
    """A score of a segment; the schema asks of each whether it is of a right answer: that is the ``best`` one."""
    return {"evaluation": {"score": score, "is_correct": best}}


def one_of(records: Sequence[Record], path: str, others: str) -> str:
    """The one file that a path takes: that of a single system, without its segments; ``others`` says how to get all."""
    if len(records) > 1:
        raise ParameterError(f"{path} takes one system, and there are {len(records)}. {others}")
    (text,) = replace(records[0], samples=()).files().values()
    return text


def _folder_name(name: str) -> str:
    """A name as a folder may have it on every system; two names may become one, as those of files differ."""
    safe = _UNSAFE.sub("_", visible(name)).encode()[:_LONGEST].decode(errors="ignore").strip(". ")
    return f"_{safe}" if not safe or _DEVICES.fullmatch(safe) else safe


def _one(result: Result, look: Look) -> str:
    if result.tables.get("segments"):
        _say("Scores of segments lie beside the file of a system, and need a folder: -o FOLDER/.")
    others = "Choose one (--systems NAME), or give all of them a folder: -o FOLDER/ --format every-eval-ever."
    return one_of(_records(result), look.file or "standard output", others)


def _files(result: Result, _look: Look) -> Mapping[str, str]:
    records = _records(result)
    if any(record.samples for record in records):
        _say("Records of segments have no texts here, for an answer has none: input and output are empty.")
    return {name: text for record in records for name, text in record.files().items()}


def _records(result: Result) -> list[Record]:
    """What the answer says of each system, and of each campaign where there are several."""
    rows = result.tables.get("scores", [])
    if result.question != "score" or not all("system" in row for row in rows):
        raise ParameterError(
            "--format every-eval-ever is for assay score, which has a score for each system. Other answers: "
            "--format json."
        )
    scored = _by_system(result, "scores")
    if not scored:
        raise InputError("No system has a score, so there is nothing to write.")
    missing = [f"{row['metric']} of {row['system']}" for row in rows if row["score"] is None]
    lost = [f"scores of {level}" for level in _OTHERS if result.tables.get(level)]
    lost += [f"missing scores ({', '.join(missing)})"] * bool(missing)
    if lost:
        _say(f"Every Eval Ever's files have no place for {', '.join(lost)}.")
    if result.time is None:
        _say(NO_TIME)
    segments = _by_system(result, "segments")
    time = None if result.time is None else f"{result.time:.0f}"
    return [_record(result, key, rows, segments.get(key, []), time) for key, rows in scored.items()]


def _by_system(result: Result, table: str) -> dict[tuple[str, str], Table]:
    """The rows of a table that have a score, by campaign and system."""
    found: dict[tuple[str, str], Table] = {}
    for row in result.tables.get(table, ()):
        if row["score"] is not None:
            found.setdefault((row.get("campaign") or result.campaign or _UNKNOWN, row["system"]), []).append(row)
    return found


def _record(result: Result, key: tuple[str, str], rows: Table, segments: Table, time: str | None) -> Record:
    campaign, system = key
    setup = {**result.setup, **result.setup.get("campaigns", {}).get(campaign, {})}
    lower = {metric for metric, better in setup.get("better", {}).items() if better == "lower"}
    bounds = {row["metric"]: setup.get("bounds", {}).get(row["metric"], (None, None)) for row in rows}
    # Of several campaigns each name begins with that of its campaign.
    digests = {name.removeprefix(f"{campaign}/"): digest for name, digest in result.digests.items()}
    results = [
        result_of(
            row["metric"],
            campaign,
            row["score"],
            higher_is_better=row["metric"] not in lower,
            bounds=bounds[row["metric"]],
            known=_parameters(row.get("signature") or ""),
            uncertainty=_uncertainty(row, setup, result.options.get("samples")),
            details={name: str(cell) for name, cell in row.items() if name not in _OWN and cell is not None},
            source={f"digest of {name}": digest for name, digest in digests.items() if _DATA.match(name)},
        )
        for row in rows
    ]
    samples = [
        sample_of(system, campaign, str(row["segment"]))
        | {"evaluation_result_id": row["metric"]}
        | judged(row["score"], best=_is_best(row["score"], bounds[row["metric"]], lower=row["metric"] in lower))
        for row in segments
        if row["metric"] in bounds
    ]
    return Record(campaign, system, results, samples, ("assay", result.version), time)


def _is_best(score: float, bounds: Sequence[float | None], *, lower: bool) -> bool:
    """Whether no score can be better."""
    low, high = bounds
    return (low is not None and score <= low) if lower else (high is not None and score >= high)


def _uncertainty(row: Mapping[str, Any], setup: Mapping[str, Any], samples: int | None) -> dict[str, Any]:
    """The interval of a score, and how it was found."""
    if row.get("low") is None or row.get("high") is None:
        return {}
    drawn = f"{setup['units']} {setup['unit']}s" if {"unit", "units"} <= setup.keys() else "units"
    ends = {"lower": row["low"], "upper": row["high"], "confidence_level": 0.95}
    method = f"percentiles of bootstrap samples of {drawn}, wider where these are few"
    return {"confidence_interval": {**ends, "method": method}} | ({"num_bootstrap_samples": samples} if samples else {})


def _parameters(signature: str) -> dict[str, Any]:
    """The metric without its options, and these by name, as a signature has them.

    >>> _parameters('bleu(order=4,lowercase=false,weights=[1,2],path="a, b")|references:1|segments:2')
    {'metric_id': 'bleu', 'metric_parameters': {'order': 4, 'lowercase': False, 'weights': '[1,2]', 'path': 'a, b'}}
    """
    matched = _METRIC.match(signature)
    if matched is None:
        return {}
    options = {one["name"]: _value(one["value"]) for one in _OPTION.finditer(matched["options"] or "")}
    return {"metric_id": matched["name"]} | ({"metric_parameters": options} if options else {})


def _value(text: str) -> Any:
    """A number or a truth as such, anything else as a text."""
    if text.startswith('"'):
        return text[1:-1].replace('""', '"')
    return json.loads(text) if _NUMBER.fullmatch(text) else text


def _say(text: str) -> None:
    warnings.warn(AssayWarning(text), stacklevel=2)


STYLE = Style("every-eval-ever", (".json",), _one, files=_files)
