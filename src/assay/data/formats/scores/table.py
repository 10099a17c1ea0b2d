"""Tables of scores, TSV or CSV with a header.

Long: ``system, segment, score``, where ``item`` is the same as ``segment``, ``document`` or ``domain`` may stand
instead of it, or nothing for scores of systems; ``metric`` may be left out for the file's name. Wide: no ``score``, and
one column per metric. By system: no ``system``, and one column per system. Beside a segment, ``document``, ``domain``
and ``cluster`` label it; ``run`` tells runs of one system apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.data.external import LEVELS
from assay.data.formats import format_by_ending
from assay.data.formats.scores.base import (
    LABELS,
    MISSING,
    ScoreFormat,
    ScoreRows,
    file_name,
    joined,
    number,
    split_rows,
)
from assay.data.judgements import Factor
from assay.data.tables import finite, read_table, spell_number
from assay.errors import InputError, Place, nearest

_WHAT = (
    "A table of scores has the columns system, segment (or item) and score; or system, segment and one column per "
    "metric; or segment and one column per system."
)
#: What columns may be called instead, and all that hold no scores.
_ALSO = {"item": "segment", "cluster": "document"}
#: What stands where there is no name.
_NAMELESS = ("", "-", "None", "nan", "NaN", "null")
_KNOWN = ("metric", "system", "segment", "score", *LABELS)
#: What only tables of texts have, and those of judgements.
_TEXTS = ("source", "src", "reference", "ref")
_JUDGED = ("rater", "kind", "severity")
_PLAIN = re.compile(r"[0-9.eE+\-\n]*")
#: How the names of files in a campaign folder begin that hold one metric.
PREFIX = "scores."


def metric_name(path: str) -> str:
    """The metric that a file is named after.

    >>> metric_name("wmt/scores.COMET-22.tsv.gz"), metric_name("mine.csv")
    ('COMET-22', 'mine')
    """
    return file_name(path).removeprefix(PREFIX)


def _recognises(name: str, head: str) -> bool:
    """Whether a table has scores: such columns, or, where its header is missing, a number at the end of a line."""
    separator = "," if name.endswith(".csv") else "\t"
    lines = [line.strip("\r\ufeff").split(separator) for line in head.split("\n")[:2]]
    header = [cell.strip().strip('"') for cell in lines[0]]
    if not name.endswith((".tsv", ".csv")) or len(header) < 2 or {*header} & {*_JUDGED}:
        return False
    if any(name.partition(".")[0] in _TEXTS for name in header):
        return False
    if "system" in header or finite(header[-1]) is not None:
        return True
    if not {"segment", "item"} & {*header}:
        return False
    values = [cell for name, cell in zip(header, lines[-1], strict=False) if name not in (*_KNOWN, *_ALSO)]
    return bool(values) and all(cell in MISSING or finite(cell) is not None for cell in values)


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    quoted = format_by_ending(path) == "csv"
    table = read_table(path, "," if quoted else "\t", quoted=quoted, what=_WHAT, bare=True)
    table.content = ""
    if any(finite(name) is not None for name in table.header):
        raise InputError("the first line has numbers, so the header is missing.", _WHAT, Place(path, 1))
    if {"item", "segment"} <= {*table.header}:
        raise InputError("both a column 'segment' and a column 'item'.", "Keep one of them.", Place(path, 1))
    for other, name in _ALSO.items():
        if other in table.header and name not in table.header:
            table.header[table.header.index(other)] = name
    values = _values_of(path, table.header)
    lines: list[int] = []
    cells: list[list[str]] = [[] for _ in table.header]
    for numbers, columns in table.columns():
        lines.extend(numbers)
        for kept, more in zip(cells, columns, strict=True):
            kept.extend(more)
    return _rows(path, values, np.array(lines, dtype=np.int64), dict(zip(table.header, cells, strict=True)))


def _values_of(path: str, header: Sequence[str]) -> list[str]:
    """The columns of a table that hold scores: of a metric each, or, without a column ``system``, of a system."""
    values = ["score"] if "score" in header else [name for name in header if name not in _KNOWN]
    if "system" in header:
        if not values:
            raise InputError("neither a column 'score' nor one column per metric.", _WHAT, Place(path, 1))
    elif values == ["score"] or not values or "segment" not in header:
        near = nearest("system", header)
        guess = f" Did you mean it by {near!r}?" if near else ""
        raise InputError(f"no column 'system'.{guess}", _WHAT, Place(path, 1))
    return values


def _rows(path: str, values: Sequence[str], lines: Codes, columns: dict[str, list[str]]) -> list[ScoreRows]:
    count = len(lines)
    given = {name: Factor.of(columns[name]).renamed(_name) for name in _KNOWN if name in columns and name != "score"}
    named = {name: given.get(name, Factor.empty(count)) for name in ("segment", *LABELS)}
    units = [named["segment"], named["document"], named["domain"]]
    level = np.select([unit.codes >= 0 for unit in units], [0, 1, 2], 3)
    unit = _chosen(units, level)
    of_file = given.get("metric", Factor.empty(count)), _constant(metric_name(path), count)
    metric = _chosen(of_file, (of_file[0].codes < 0).astype(np.int64))
    read = []
    for name in values:
        system, of = given.get("system", _constant(name, count)), metric
        if "system" in given and name != "score":
            of = _constant(name, count)
        if (system.codes < 0).any():
            raise InputError("no system is named.", place=Place(path, int(lines[int(system.codes.argmin())])))
        score = _numbers(path, name, lines, columns[name])
        factors = {"metric": of, "level": Factor(LEVELS, level), "system": system, "unit": unit}
        read.append((factors | {label: named[label] for label in LABELS}, score))
    if "system" in given:
        return [rows for factors, score in read for rows in split_rows(path, factors, score, lines)]
    # Systems that stand side by side are one metric's.
    together = {key: joined([factors[key] for factors, _ in read]) for key in read[0][0]}
    return split_rows(path, together, np.concatenate([score for _, score in read]), np.tile(lines, len(read)))


def _name(cell: str) -> str | None:
    return None if cell.strip() in _NAMELESS else cell


def _constant(name: str, count: int) -> Factor:
    return Factor((name,), np.zeros(count, dtype=np.int64))


def _chosen(factors: Sequence[Factor], which: Codes) -> Factor:
    """In each row the name that the chosen one of these columns has; none behind the last of them."""
    whole = joined([*factors, Factor.empty(len(which))])
    return Factor(whole.names, whole.codes.reshape(len(factors) + 1, -1)[which, np.arange(len(which))])


def _numbers(path: str, name: str, lines: Codes, cells: Sequence[str]) -> Array:
    """The numbers of a column; the first cell that holds none is refused with its line."""
    if _PLAIN.fullmatch("\n".join(cells)):
        # Nothing but digits and their signs: Python's own rules are ours.
        with suppress(ValueError):
            scores = np.array([*map(float, cells)], dtype=np.float64)
            if np.isfinite(scores).all():
                return scores
    what = "the score" if name == "score" else f"the score {name!r}"
    read = [number(cell, Place(path, int(line)), what) for cell, line in zip(cells, lines, strict=True)]
    return np.array(read, dtype=np.float64)


def table_of(campaign: Campaign, *metrics: str) -> Iterator[Sequence[str]]:
    """The scores of a campaign, or of these metrics in it: a row per system and item, then those of whole documents,
    domains and systems."""
    yield ("metric", "system", "segment", "document", "domain", "score")
    names = campaign.segment_names()
    nothing = ("-",) * len(names)
    items = [*zip(names, campaign.documents or nothing, campaign.domains or nothing, strict=True)]
    for metric in metrics or campaign.scores:
        scores = campaign.scores[metric]
        for system, of_segments in (scores.segments or {}).items():
            for item, score in zip(items, of_segments.tolist(), strict=True):
                yield metric, system, *item, spell_number(score)
        for system, of_documents in (scores.documents or {}).items():
            for document, score in of_documents.items():
                yield metric, system, "-", document, "-", spell_number(score)
        for system, of_domains in (scores.domains or {}).items():
            for domain, score in of_domains.items():
                yield metric, system, "-", "-", domain, spell_number(score)
        for system, score in (scores.systems or {}).items():
            yield metric, system, "-", "-", "-", spell_number(score)


FORMAT = ScoreFormat(_recognises, _read)
