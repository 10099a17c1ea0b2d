"""Campaigns for a page: what there is, as one manifest, and rows, judgements and texts as packed arrays.

A page that is a file holds all of it; one that a server gives holds the manifest alone, and asks for the rest.
"""

from __future__ import annotations

import gzip
import math
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Flags
from assay.data.campaign import Campaign, is_human
from assay.data.judgements import Judgements
from assay.data.texts import Texts
from assay.errors import AssayError, AssayWarning
from assay.explorer.twins import draws_intervals, reason, twin
from assay.metrics.base import Metric
from assay.metrics.registry import heading
from assay.people.usage import are_ranks
from assay.properties import cached_property
from assay.questions.asked import REFUSALS, Asked
from assay.questions.kept.base import typed_again
from assay.questions.score import Score
from assay.results.figure import Figure
from assay.results.result import Result, spell_json
from assay.results.visible import plain
from assay.scoring.evaluate import Progress
from assay.scoring.statistics import NO_DOCUMENT, Statistics, units_of
from assay.significance.draws import STREAM_NUMBERS
from assay.significance.pairs import runs_of
from assay.version import __version__

_Transport = Literal["file", "server"]
#: A label with more values than these is no label, but a text of each segment.
_MOST_VALUES = 5000
#: Types of whole numbers, the smallest first, with the least and the most that each holds; and what pages call types.
_WHOLE = (("u1", 0, 2**8 - 1), ("<u2", 0, 2**16 - 1), ("<i4", -(2**31), 2**31 - 1), ("<u4", 0, 2**32 - 1))
_TYPES = {"u1": "u8", "<u2": "u16", "<u4": "u32", "<i4": "i32", "<f4": "f32", "<f8": "f64"}
#: Parts of a page to which the answers to questions belong.
_SECTIONS = {
    "score": "systems", "compare": "systems", "meta": "metrics", "tune": "metrics", "learn": "metrics",
    "features": "metrics", "predict": "metrics", "agreement": "people", "describe": "overview", "history": "runs",
    "diff": "runs", "rerun": "runs", "sql": "runs",
}  # fmt: skip
_STUDIES_OF_REFERENCES = ("references", "reference-count", "reference-similarity", "synthetic-references")
#: A part of a drawing that others are cut to.
_CLIP = re.compile(r"\bclip[0-9]+\b")
_Label = tuple[NDArray[np.int64], list[str]]


@dataclass(frozen=True, eq=False)
class Blob:
    """Arrays one behind the other, or anything that JSON can hold; compressed the same every time."""

    content: bytes = field(repr=False)
    #: By name the type, where it begins and how many numbers it has; nothing where the content is JSON.
    arrays: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Blob:
        """Each array in the smallest type that holds it, at a multiple of eight bytes."""
        places: dict[str, Mapping[str, Any]] = {}
        parts: list[bytes] = []
        start = 0
        for name, values in arrays.items():
            narrowed = smallest(values)
            content = narrowed.tobytes()
            places[name] = {"type": _TYPES[narrowed.dtype.str.lstrip("|")], "at": start, "length": len(narrowed)}
            parts += [content, b"\0" * (-len(content) % 8)]
            start += len(content) + -len(content) % 8
        return cls(b"".join(parts), places)

    @classmethod
    def of_json(cls, value: Any) -> Blob:
        """A value as text."""
        return cls(spell_json(value).encode())

    @cached_property
    def packed(self) -> bytes:
        """Compressed."""
        return gzip.compress(self.content, 9, mtime=0)

    @property
    def entry(self) -> dict[str, Any]:
        """What the manifest says of it."""
        inside = {"arrays": dict(self.arrays)} if self.arrays else {"json": True}
        return {"bytes": len(self.content), **inside}


def smallest(values: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in the smallest type that a page knows and that holds them all."""
    if values.dtype.kind == "b":
        return values.astype("u1")
    if not len(values):
        return values.astype("u1")
    least, most = values.min(), values.max()
    if values.dtype.kind == "f":
        # NaN is no whole number, and minus zero would lose its sign.
        if not np.isfinite(least) or not np.isfinite(most) or (values != np.floor(values)).any():
            return values.astype("<f8")
        if np.signbit(values[values == 0.0]).any():
            return values.astype("<f8")
    kind = next((kind for kind, low, high in _WHOLE if low <= least and most <= high), "<f8")
    return values.astype(kind)


class _Twins(NamedTuple):
    """Which formulas of the page compute a metric, of a corpus and of a segment; None where there is none."""

    corpus: dict[str, Any] | None
    segment: dict[str, Any] | None


@dataclass(frozen=True, eq=False)
class Shown:
    """One campaign that is looked at, counted."""

    index: int
    #: The question's circumstances, of this campaign alone.
    asked: Asked
    #: With the systems and references that were chosen; of judgements alone without texts.
    campaign: Campaign
    #: Those that could be counted, and why the others could not.
    metrics: tuple[Metric, ...]
    counted: Mapping[tuple[str, str], Statistics] = field(repr=False)
    refused: Mapping[str, str] = field(default_factory=dict)
    #: As it was typed; and all that stands behind ``assay score`` to ask of the same data.
    path: str | None = None
    words: tuple[str, ...] = ()
    #: The same as a question about this campaign alone takes it; nothing where it is in memory.
    inputs: Mapping[str, Any] = field(default_factory=dict)
    samples: int = 1000

    def __len__(self) -> int:
        return len(self.campaign)

    @cached_property
    def systems(self) -> list[str]:
        """The systems of the campaign, or those that were judged where there are no others."""
        judgements = self.asked.campaign.judgements
        return [*self.campaign.systems] or ([] if judgements is None else [*judgements.system.names])

    @cached_property
    def judgements(self) -> Judgements | None:
        """Scores that people gave segments of these systems, in the order of the file; None where there is none."""
        judgements = self.asked.campaign.judgements
        if judgements is None:
            return None
        there = judgements.only(
            judgements.system.holds(self.systems) & (judgements.segment >= 0) & ~are_ranks(judgements)
        )
        return there if len(there) else None

    @cached_property
    def ranked(self) -> list[str]:
        """Kinds of judgement that are ranks: they say which of some systems is better there, and are no scores."""
        judgements = self.asked.campaign.judgements
        return [] if judgements is None else [*judgements.kind.only(are_ranks(judgements)).names]

    @cached_property
    def pair(self) -> list[str]:
        """The best system by the first metric, and the next one: people look at these first. Systems before people."""
        scores = {
            system: one.corpus_score() * (1.0 if one.metric.higher_is_better else -1.0)
            for system in self.systems
            if self.metrics and (one := self.counted.get((system, str(self.metrics[0])))) and not one.failed.any()
        }
        merits = {system: score for system, score in scores.items() if math.isfinite(score)}
        return sorted(merits, key=lambda system: (self.is_person(system), -merits[system]))[:2]

    def is_person(self, system: str) -> bool:
        """Whether a system is a person."""
        return system in self.asked.humans or is_human(system, self.campaign.references)

    @cached_property
    def _labelled(self) -> dict[str, _Label]:
        """Every column by which segments can be grouped, with all its values."""
        campaign = self.campaign
        named = {"document": campaign.documents, "domain": campaign.domains, **campaign.columns}
        return {name: _coded(values) for name, values in named.items() if values is not None}

    @cached_property
    def labels(self) -> dict[str, _Label]:
        """Those with few enough values: the number of each segment's, and the values as they first come."""
        return {name: label for name, label in self._labelled.items() if len(label[1]) <= _MOST_VALUES}

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """The others, a text per segment."""
        return {
            name: [values[code] for code in codes.tolist()]
            for name, (codes, values) in self._labelled.items()
            if name not in self.labels
        }

    @cached_property
    def fitted(self) -> list[Metric]:
        """The metrics as they counted: those that ask for it fitted."""
        return [next((one.metric for key, one in self.counted.items() if key[1] == str(metric)), metric) for metric in
                self.metrics]  # fmt: skip

    @cached_property
    def twins(self) -> list[_Twins]:
        """What each metric's formulas are in the page."""
        return [_Twins(twin(metric), twin(metric, segments=True)) for metric in self.fitted]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Words of the source between white space, else of the first reference; 0 where there is neither."""
        text = self.campaign.source or next(iter(self.campaign.references.values()), None)
        words = np.zeros(len(self), dtype=np.int64) if text is None else [len(one.split()) for one in text]
        return np.asarray(words, dtype=np.int64)

    @property
    def places(self) -> NDArray[np.int64]:
        """Where its segments stand in the campaign that they were chosen from."""
        places = self.campaign.places
        return np.arange(len(self)) if places is None else places

    def references(self) -> Iterator[tuple[str, list[str | None]]]:
        """The texts of each reference, None where a segment has none."""
        for name, texts in self.campaign.references.items():
            there = self.campaign.present.get(name)
            yield (
                name,
                list(texts)
                if there is None
                else [text if known else None for text, known in zip(texts, there.tolist(), strict=True)],
            )


def shown_of(asked: Asked, metrics: Sequence[Metric], samples: int = 1000) -> list[Shown]:
    """The campaigns of a question, each counted under these metrics; what is counted already is not counted again."""
    record = dict(asked.inputs or {})
    paths = record.get("inputs", ())
    apart = len(paths) == len(asked.parts) and not record.get("reference_files")
    made = []
    for index, part in enumerate(asked.parts):
        inputs = record | {"inputs": [paths[index]]} if apart else record if len(asked.parts) == 1 else {}
        share = asked.part(index / len(asked.parts), (index + 1) / len(asked.parts))
        campaign = _chosen(part)
        counted, refused = _counted(part, metrics, campaign, share)
        made.append(
            Shown(
                index,
                part,
                campaign,
                tuple(one for one in metrics if str(one) not in refused),
                counted,
                refused,
                paths[index] if apart else None,
                tuple(_words(part, inputs)) if inputs else (),
                inputs,
                samples,
            )
        )
    return made


def _chosen(asked: Asked) -> Campaign:
    """The campaign as it was chosen; judgements alone are one without systems."""
    return asked.chosen if asked.campaign.systems or asked.campaign.references else asked.campaign


def _words(asked: Asked, inputs: Mapping[str, Any]) -> list[str]:
    """What stands behind ``assay score`` to ask of the same data."""
    named = {name: inputs[name] for name in ("reference_files", "inputs") if name in inputs}
    typed = shlex.split(typed_again({"command": "score", "options": Score().options(asked.data)}, named))[2:]
    flags = {"source": "-s", "input_format": "--input-format", "pair": "--pair"}
    return [*typed, *(word for name, flag in flags.items() if inputs.get(name) for word in (flag, inputs[name]))]


def _counted(
    asked: Asked, metrics: Sequence[Metric], campaign: Campaign, progress: Progress | None
) -> tuple[dict[tuple[str, str], Statistics], dict[str, str]]:
    """Rows by system and metric; and the metrics that cannot be counted here, with the reason."""
    try:
        return dict(asked.count(metrics, campaign, progress)) if metrics else {}, {}
    except REFUSALS as error:
        if len(metrics) == 1:
            return {}, {str(metrics[0]): str(error)}
    counted: dict[tuple[str, str], Statistics] = {}
    refused: dict[str, str] = {}
    for metric in metrics:
        rows, why = _counted(asked, [metric], campaign, progress)
        counted |= rows
        refused |= why
    return counted, refused


def _coded(values: Texts | Sequence[str]) -> _Label:
    """The number of each text among all that there are, in the order in which they first come."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(codes, dtype=np.int64), list(numbers)


def manifest_of(
    shown: Sequence[Shown],
    *,
    transport: _Transport,
    title: str,
    results: Sequence[Mapping[str, Any]] = (),
    unanswered: Sequence[Mapping[str, Any]] = (),
    questions: Sequence[Mapping[str, Any]] | None = None,
    made: str | None = None,
) -> dict[str, Any]:
    """What a page has to know before it asks for anything."""
    manifest = {
        "assay": __version__,
        "transport": transport,
        "title": title,
        "made": made or datetime.now(UTC).isoformat(timespec="seconds"),
        "campaigns": [_campaign_of(one) for one in shown],
        "results": list(results),
        "unanswered": list(unanswered),
    }
    manifest |= {} if questions is None else {"questions": list(questions)}
    return dict(plain(manifest))


def _campaign_of(shown: Shown) -> dict[str, Any]:
    campaign, judgements = shown.campaign, shown.judgements
    texts = campaign.has_texts
    return {
        "index": shown.index,
        "name": campaign.name,
        "path": shown.path,
        "words": list(shown.words),
        "segments": len(shown),
        "hasSource": campaign.source is not None,
        "hasTexts": texts,
        "systems": shown.systems,
        "people": [name for name in shown.systems if shown.is_person(name)],
        "pair": shown.pair,
        "references": [*campaign.references],
        "labels": [
            {"name": name, "values": values, "array": f"label.{number}"}
            for number, (name, (_, values)) in enumerate(shown.labels.items())
        ],
        "columns": [*shown.columns],
        "many": [name for name in shown.columns if name in ("document", "domain")],
        "named": campaign.segments is not None,
        "metrics": [_metric_of(shown, number) for number in range(len(shown.metrics))],
        "kinds": [] if judgements is None else [_kind_of(judgements, kind) for kind in judgements.kinds],
        "ranked": shown.ranked,
        "runs": {name: list(runs) for name, runs in runs_of(shown.systems).items() if len(runs) > 1},
        "raters": [] if judgements is None else [*judgements.rater.names],
        "draws": {"seed": shown.asked.seed, "purpose": STREAM_NUMBERS["units"], "samples": shown.samples},
        "unit": shown.asked.data.unit,
        "kept": None,
    }


def _kind_of(judgements: Judgements, kind: str) -> dict[str, Any]:
    scores = judgements.score[judgements.kind.holds([kind])]
    scores = scores[~np.isnan(scores)]
    ends = (float(scores.min()), float(scores.max())) if len(scores) else (None, None)
    return {"name": kind, "least": ends[0], "most": ends[1]}


def _metric_of(shown: Shown, number: int) -> dict[str, Any]:
    """How a metric is shown, and how the page computes it."""
    metric, (corpus, segment) = shown.fitted[number], shown.twins[number]
    single = metric.segment_scoring()
    remarks = [
        "" if corpus is not None else f"Mean of its segments. {reason(metric)}".strip(),
        "" if single is None else f"Single segments are scored {single}.",
    ]
    return {
        "name": str(metric),
        "label": heading(metric, shown.fitted).rstrip(" ↑↓"),
        "better": "higher" if metric.higher_is_better else "lower",
        "decimals": metric.decimals,
        "bounds": list(metric.bounds),
        "columns": list(metric.columns),
        "corpus": corpus,
        "segment": segment,
        "interval": corpus is not None and draws_intervals(metric),
        "remark": " ".join(filter(None, remarks)),
    }


def blobs_of(shown: Shown, kept: Flags | None = None) -> dict[str, Blob]:
    """All that a page holds of a campaign, by its names there; texts of the ``kept`` segments alone."""
    name = f"c{shown.index}"
    parts = {"base": _base(shown, kept), "rows": dict(_rows(shown))}
    blobs = {f"{name}.{part}": Blob.of_arrays(arrays) for part, arrays in parts.items() if arrays}
    spans = [] if shown.judgements is None else _spans(shown.judgements)
    if any(spans):
        blobs[f"{name}.spans"] = Blob.of_json(spans)
    return blobs | {f"{name}.text.{column}": Blob.of_json(texts) for column, texts in _texts(shown, kept)}


def _base(shown: Shown, kept: Flags | None) -> dict[str, NDArray[Any]]:
    """Labels, units, lengths and judgements."""
    arrays: dict[str, NDArray[Any]] = {
        f"label.{number}": codes for number, (codes, _) in enumerate(shown.labels.values())
    }
    documents = shown.campaign.documents
    if documents is not None:
        with warnings.catch_warnings():
            # How many name no document is said where scores are asked for.
            warnings.simplefilter("ignore", AssayWarning)
            units = units_of(documents, len(shown), "document", shown.places)
        keys = units.keys[units.codes]
        arrays["unit.low"] = (keys & np.uint64(0xFFFFFFFF)).astype("<u4")
        arrays["unit.high"] = (keys >> np.uint64(32)).astype("<u4")
        arrays["document.named"] = np.array([document not in NO_DOCUMENT for document in documents], dtype=np.bool_)
    arrays["length"] = shown.lengths
    if shown.campaign.places is not None:
        arrays["place"] = shown.places
    if kept is not None:
        arrays["kept"] = kept
    judgements = shown.judgements
    if judgements is not None:
        systems = {system: number for number, system in enumerate(shown.systems)}
        renumbered = np.array([systems[system] for system in judgements.system.names], dtype=np.int64)
        arrays["judgement.system"] = renumbered[judgements.system.codes]
        arrays["judgement.segment"] = judgements.segment
        arrays["judgement.kind"] = judgements.kind.codes
        arrays["judgement.rater"] = judgements.rater.codes
        arrays["judgement.score"] = judgements.score
    return arrays


def _rows(shown: Shown) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Columns of rows where a formula of the page reads them, and scores of segments where none computes those."""
    for number, metric in enumerate(shown.metrics):
        corpus, segment = shown.twins[number]
        for place, system in enumerate(shown.systems):
            statistics = shown.counted.get((system, str(metric)))
            if statistics is None:
                continue
            if corpus is not None or segment is not None:
                for column, values in enumerate(statistics.rows.T):
                    yield f"{number}.{place}.{column}", np.ascontiguousarray(values)
            if segment is None:
                yield f"{number}.{place}.score", statistics.segment_scores()


def _spans(judgements: Judgements) -> list[list[list[Any]]]:
    """Marked errors of each judgement."""
    return [
        [[span.start, span.end, span.severity, span.category, span.in_source] for span in spans or ()]
        for spans in judgements.spans
    ]


def _texts(shown: Shown, kept: Flags | None) -> Iterator[tuple[str, list[str | None]]]:
    """Texts of segments by their column; names of segments are there of all."""
    campaign = shown.campaign
    if campaign.segments is not None:
        yield "segment", list(campaign.segments)

    def some(texts: Iterable[str | None]) -> list[str | None]:
        return list(texts) if kept is None else [
            text if known else None for text, known in zip(texts, kept.tolist(), strict=True)
        ]  # fmt: skip

    if campaign.source is not None:
        yield "source", some(campaign.source)
    for name, texts in shown.references():
        yield f"ref.{name}", some(texts)
    for name, of_system in campaign.systems.items() if campaign.has_texts else ():
        yield f"sys.{name}", some(of_system)
    for name, values in shown.columns.items():
        yield f"column.{name}", some(values)


def section_of(result: Result) -> str:
    """The part of a page that an answer belongs to."""
    if result.command == "paper":
        return "papers"
    if result.command == "study":
        return "references" if result.question in _STUDIES_OF_REFERENCES else "studies"
    return _SECTIONS.get(result.question, "other")


def result_entry(
    result: Result, number: int | None, name: str, command: str | None, section: str | None = None
) -> dict[str, Any]:
    """What the manifest says of an answer; ``number`` is that of its campaign, ``name`` what it is found by."""
    asked = " ".join(filter(None, [result.command, result.question]))
    return {
        "id": name,
        "question": result.question,
        "command": command,
        "title": f"{asked}: {result.campaign}" if result.campaign else asked,
        "campaign": number,
        "time": result.time if result.time is None or math.isfinite(result.time) else None,
        "section": section or section_of(result),
        # Whether it is about all of the campaign as it is: all segments, metrics, kinds and pairs.
        "usual": False,
    }


def drawn(result: Result) -> Result:
    """The same with its figures drawn, once for all who show them; one that cannot be drawn is left out."""
    figures = []
    for figure in result.figures:
        try:
            figures.append(Figure(figure.name, svg=_numbered(figure.to_svg()), title=figure.title))
        except AssayError:
            # Tables say the same.
            continue
    return replace(result, figures=tuple(figures))


def _numbered(svg: str) -> str:
    """A drawing whose parts are numbered from its own first one: the converter goes on from the drawing before."""
    numbers: dict[str, str] = {}
    return _CLIP.sub(lambda part: numbers.setdefault(part[0], f"clip{len(numbers)}"), svg)


def result_body(result: Result) -> dict[str, Any]:
    """An answer, whose figures are drawn, as a page reads it."""
    figures = [{"name": one.name, "title": one.title, "svg": one.to_svg()} for one in result.figures]
    return {"result": replace(result, figures=()).to_dict(), "html": None, "figures": figures}
