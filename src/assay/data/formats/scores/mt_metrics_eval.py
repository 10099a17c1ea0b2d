"""mt-metrics-eval's scores: ``NAME-REF.seg.score``, ``doc``, ``domain`` and ``sys``, a block per system in the order of
the test set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import plain_name
from assay.data.formats.judgements.mt_metrics_eval import scores_in_order
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, number, rows_of
from assay.data.problems import STRICT
from assay.errors import InputError, Place

_NAME = re.compile(r"(.+)\.(seg|doc|domain|sys)\.score")
_LEVELS = {"seg": "segments", "doc": "documents", "domain": "domains", "sys": "systems"}


def _read(path: str, campaign: Campaign | None) -> list[ScoreRows]:
    matched = _NAME.fullmatch(Path(plain_name(path)).name)
    if matched is None:
        what = "a score file is called NAME.seg.score, NAME.doc.score, NAME.domain.score or NAME.sys.score,"
        raise InputError(what, "because its level stands nowhere else.", Place(path))
    metric, ending = matched.groups()

    def items() -> Iterator[ScoreItem]:
        rows = scores_in_order(path, ending, campaign, STRICT, lambda row: number(row.raw("score"), row.place))
        for line, system, score, segment, name in rows:
            unit = name or "" if segment is None else str(segment)
            yield ScoreItem(metric, system, unit, score, line, _LEVELS[ending])

    return rows_of(items(), path, numbered="test set")


FORMAT = ScoreFormat(lambda name, _head: _NAME.fullmatch(name) is not None, _read)
