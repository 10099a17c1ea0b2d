"""What an error costs: published tables of MQM weights, tables of one's own, and scores from marked errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assay.arguments import checked
from assay.data.files import read_bytes, texts_of
from assay.data.json_lines import decoded_json
from assay.data.judgements import ErrorSpan, Judgements
from assay.data.problems import STRICT, Problems
from assay.data.tables import finite
from assay.errors import InputError, ParameterError, Place, UnknownName

#: Words that stand for the absence of errors, in place of a severity or a category.
NO_ERROR = ("no-error", "no_error", "no error")

#: Patterns ``severity/category/subcategory`` and what an error costs that fits them; the most specific one counts.
PUBLISHED: dict[str, dict[str, float]] = {
    # Freitag et al. 2021, as mt-metrics-eval's score_mqm has it by default.
    "google": {
        "major": 5,
        "minor": 1,
        "neutral": 0,
        "major/non-translation*": 25,
        "minor/fluency/punctuation": 0.1,
    },
    # WMT23's and WMT24's campaigns and Marot: faults of the source and free renderings cost nothing.
    "wmt24": {
        "critical": 5,
        "major": 5,
        "minor": 1,
        "neutral": 0,
        "trivial": 0.1,
        "*/non-translation*": 25,
        "minor/*/punctuation": 0.1,
        "minor/punctuation": 0.1,
        "*/source*": 0,
        "*/*reinterpretation": 0,
        "*/*/*reinterpretation": 0,
    },
    # MQM as it was first scored (Lommel et al. 2014), and Unbabel's annotations with it: 1, 5, 10.
    "unbabel": {"critical": 10, "major": 5, "minor": 1, "neutral": 0},
    # MQM and ESA on Appraise (Kocmi et al. 2024): spans without a decision cost nothing.
    "esa-campaign": {"critical": 25, "major": 5, "minor": 1, "undecided": 0, "neutral": 0},
}
#: Other names of published tables.
ALIASES = {"mqm": "google", "wmt23": "wmt24", "marot": "wmt24", "classic": "unbabel"}
_DEFAULT = "google"


@dataclass(frozen=True)
class _MqmWeights:
    """A table of weights. Names are compared without regard to capitals; ``*`` and ``?`` stand for any letters.

    Of the patterns that fit an error the one with the most parts counts, then the one with the most letters that are
    not ``*`` or ``?``.

    >>> weights = mqm_weights("google")
    >>> weights.cost("Minor", "Fluency/Punctuation"), weights.cost("Major", "Fluency/Punctuation")
    (0.1, 5.0)
    """

    name: str
    table: Mapping[str, float] = field(repr=False)
    #: Weights that were looked up before.
    known: dict[tuple[str, str], float] = field(default_factory=dict, repr=False, compare=False)

    def cost(self, severity: str, category: str = "") -> float:
        """What an error costs; an unknown severity is an error."""
        key = (severity.casefold(), category.casefold())
        if key not in self.known:
            self.known[key] = self._find(severity, category)
        return self.known[key]

    def score(self, spans: Iterable[ErrorSpan], *, stated: bool = False) -> float:
        """Minus the cost of all errors; 0 without any. ``stated`` are costs that the file says: they count first."""
        return 0.0 - math.fsum(
            span.weight if stated and span.weight is not None else self.cost(span.severity, span.category)
            for span in spans
        )

    def _find(self, severity: str, category: str) -> float:
        parts = [part.strip().casefold() for part in (severity, *category.split("/")) if part.strip()]
        if parts and parts[0] in NO_ERROR:
            return 0.0
        split = {pattern: pattern.casefold().split("/") for pattern in self.table}
        fitting = [name for name, own in split.items() if len(own) <= len(parts) and all(map(fnmatchcase, parts, own))]
        if not fitting:
            severities = dict.fromkeys(pattern.split("/")[0] for pattern in self.table)
            raise UnknownName.of(f"weight in the table {self.name!r} for the severity", severity, severities)
        specific = max(fitting, key=lambda pattern: (pattern.count("/"), sum(letter not in "*?" for letter in pattern)))
        return float(self.table[specific])


def mqm_weights(table: str | Path | Mapping[str, float] = _DEFAULT) -> _MqmWeights:
    """A published table by its name, one's own from a file (JSON or TSV), or out of a mapping."""
    if isinstance(table, Mapping):
        return _MqmWeights("given", _checked("weights", dict(table)))
    name = ALIASES.get(str(table), str(table))
    if name in PUBLISHED:
        return _MqmWeights(name, PUBLISHED[name])
    if Path(table).suffix in (".json", ".tsv", ".txt") or Path(table).is_file():
        return _MqmWeights(str(table), _read(Path(table)))
    raise UnknownName.of("table of MQM weights", name, [*PUBLISHED, *ALIASES])


def _read(path: Path) -> dict[str, float]:
    """``{"major": 5, "minor/fluency/punctuation": 0.1}``, or lines with a pattern, a tab and a number."""
    buffer = read_bytes(path)
    if path.suffix == ".json":
        try:
            value = decoded_json(buffer.decode())
        except ValueError as error:
            raise InputError(f"not JSON ({error}).", place=Place(str(path))) from None
        if not isinstance(value, dict):
            what = 'an object is needed, for example {"major": 5, "minor": 1}.'
            raise InputError(what, place=Place(str(path)))
        return _checked(str(path), value)
    table: dict[str, Any] = {}
    for number, line in enumerate(texts_of(buffer, str(path)), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        pattern, tab, weight = line.partition("\t")
        value = finite(weight)
        if not tab or value is None:
            remedy = "A line has a pattern such as major or minor/fluency/punctuation, a tab, and a number."
            raise InputError(f"{line[:60]!r}.", remedy, Place(str(path), number))
        if pattern.strip() in table:
            raise InputError(f"{pattern.strip()!r} stands there twice.", place=Place(str(path), number))
        table[pattern.strip()] = value
    return _checked(str(path), table)


def _checked(name: str, table: dict[str, Any]) -> dict[str, float]:
    if not table:
        remedy = "A severity and a number are needed, for example major 5."
        raise InputError("no weights.", remedy, Place(name))
    for pattern, weight in table.items():
        sound = isinstance(weight, (int, float)) and not isinstance(weight, bool) and math.isfinite(weight)
        if not sound or not str(pattern).strip("/ "):
            raise ParameterError(f"{name}: the weight of {pattern!r} is {weight!r}, but a finite number is needed.")
    return {str(pattern): float(weight) for pattern, weight in table.items()}


def usual_weights(judgements: Judgements) -> _MqmWeights:
    """The table that a campaign whose errors have such categories was published with.

    Campaigns since WMT23 know issues of the source and creative reinterpretations, which cost nothing; others are
    scored as in 2021, when an error of the source did cost.
    """
    categories = {span.category.casefold() for spans in judgements.spans for span in spans or ()}
    newer = any(name.endswith(("source issue", "creative reinterpretation")) for name in categories)
    return mqm_weights("wmt24" if newer else _DEFAULT)


@checked
def weighted(judgements: Judgements, table: str | Path | Mapping[str, float] = _DEFAULT) -> Judgements:
    """The same judgements with scores from their marked errors: minus the sum of weights.

    Judgements in which no errors could be marked keep their score. Where people gave a score beside the errors (ESA),
    it is replaced, too: choose kinds first if that is not meant.
    """
    return scored_by_errors(judgements, mqm_weights(table).score)


def scored_by_errors(
    judgements: Judgements,
    score: Callable[[tuple[ErrorSpan, ...]], float] | None = None,
    problems: Problems = STRICT,
) -> Judgements:
    """The judgements with scores from their errors; those with an error that has no weight are told of and left out.

    Unless ``score`` makes them it is minus what the file says that errors cost, or else the table of weights that a
    campaign with such categories was published with.
    """
    if score is None:
        score = partial(usual_weights(judgements).score, stated=True)
    scores, sound = judgements.score.copy(), np.ones(len(judgements), dtype=np.bool_)
    for row, spans in enumerate(judgements.spans):
        try:
            if spans is not None:
                scores[row] = score(spans)
        except UnknownName as error:
            problems.add(InputError(str(error), place=judgements.place(row)))
            sound[row] = False
    scored = replace(judgements, score=scores)
    return scored if sound.all() else scored.only(sound)
