"""WMT's rankings as CSV: one line per ranking (until 2015), or one per pair of systems with ``rankingID`` (2016).

``srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,...,system1rank,...``. ``srcIndex``
counts segments from 1, rank 1 is the best, -1 stands for what was not ranked. Where a file has several pairs of
languages, each is a kind of its own: ``rr-rank.Czech-English``.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, header_of, header_rows
from assay.data.formats.judgements.parts.notes import say_losses
from assay.data.formats.judgements.parts.system_names import system_name
from assay.data.formats.judgements.ranking import KIND, checked, ranked
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError

NEEDED = ("srclang", "trglang", "srcIndex", "system1Id", "system1rank")
WHAT = (
    "WMT's rankings have the columns srclang, trglang, srcIndex, judgeId, system1Id, ..., system1rank, ... with commas."
)


def recognises(_name: str, head: str) -> bool:
    """The header with commas."""
    return set(NEEDED) <= set(header_of(head, ","))


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """The rankings; lines are numbered to tell them apart, unless ``rankingID`` does."""
    header, rows = header_rows(path, ",", quoted=True, needed=NEEDED, what=WHAT)
    numbers = [name[len("system") : -len("Id")] for name in header if re.fullmatch(r"system\d+Id", name)]
    for number in numbers:
        if f"system{number}rank" not in header:
            raise InputError(f"{path}, line 1: system{number}Id has no system{number}rank. {WHAT}")
    found = list(rows)
    pairs = dict.fromkeys(_languages(row) for row in found)
    left_out: Counter[str] = Counter()
    judgements = Judgements.of(_judgements(found, numbers, len(pairs) > 1, campaign, left_out), path)
    return checked(judgements, left_out)


def _languages(row: Row) -> str:
    return f"{row.raw('srclang')}-{row.raw('trglang')}"


def _judgements(
    rows: list[Row], numbers: list[str], several: bool, campaign: Campaign | None, left_out: Counter[str]
) -> Iterator[Judgement]:
    known: dict[tuple[str, str], int] = {}
    for count, row in enumerate(rows, start=1):
        languages = _languages(row)
        ranking = row.maybe("rankingID")
        segment = row.integer("srcIndex", "segment", least=1) - 1
        rater = row.maybe("judgeId") or row.maybe("judgeID")
        # Ids of rankings begin anew with each judge and segment in some files.
        name = str(count) if ranking is None else f"{ranking}/{segment}/{rater or '-'}"
        identity = f"{languages}/{name}" if several else name
        for number in numbers:
            if row.maybe(f"system{number}Id") is None:
                continue
            rank = row.integer(f"system{number}rank", "rank", least=-1)
            if rank < 1:
                left_out["translations that were not ranked"] += 1
                continue
            system = system_name(row.raw(f"system{number}Id"), campaign)
            before = known.get((identity, system)) if ranking is not None else None
            known[identity, system] = rank
            if before == rank:
                # Of three systems in one ranking each stands in two pairs.
                continue
            if before is not None:
                raise row.flaw(
                    f"system{number}rank", f"the rank of {system!r} is {rank}, but it was {before} in the same ranking"
                )
            yield Judgement(
                system,
                segment,
                -float(rank),
                f"{KIND}.{languages}" if several else KIND,
                rater,
                row.maybe("documentId"),
                identity,
                line=row.line,
            )


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """One line per ranking, as many systems wide as the longest one."""
    kept = ranked(judgements, "ranking-wmt")
    # Kinds are told apart by the columns of languages.
    told = all(kind == KIND or kind.startswith(f"{KIND}.") for kind in kept.kinds)
    say_losses(kept, "ranking-wmt", ("rater", "document", "ranking", *(["kind"] if told else [])))
    rankings: dict[str, list[Judgement]] = {}
    for one in kept:
        rankings.setdefault(one.ranking or "", []).append(one)
    width = max(len(ones) for ones in rankings.values())
    systems = {name: number for number, name in enumerate(kept.system.names, start=1)}
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    for number in range(1, width + 1):
        header += [f"system{number}Number", f"system{number}Id"]
    header += [f"system{number}rank" for number in range(1, width + 1)]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for ones in rankings.values():
        first = ones[0]
        pair = (
            first.kind.removeprefix(f"{KIND}.").partition("-")
            if first.kind.startswith(f"{KIND}.")
            else ("und", "-", "und")
        )
        cells = [
            pair[0],
            pair[2],
            str((first.segment or 0) + 1),
            first.document or "-",
            str((first.segment or 0) + 1),
            first.rater or "-",
        ]
        for one in ones:
            cells += [str(systems[one.system]), one.system]
        cells += ["-1", ""] * (width - len(ones))
        cells += [str(int(-one.score)) for one in ones] + ["-1"] * (width - len(ones))
        writer.writerow(cells)
    return {"": text.getvalue().encode()}


FORMAT = JudgementFormat("ranking-wmt", "WMT's rankings as CSV, one line per ranking or pair", recognises, read, write)
