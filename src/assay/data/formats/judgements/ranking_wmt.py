"""WMT's rankings as CSV: one line per ranking (until 2015), or one per pair of systems with ``rankingID`` (2016).

``srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,...,system1rank,...``. ``srcIndex``
counts segments from 1, rank 1 is the best, -1 stands for what was not ranked. Where a file has several pairs of
languages, each is a kind of its own: ``rr-rank.Czech-English``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat, say_losses, system_name
from assay.data.formats.judgements.ranking import KIND, UNRANKED, checked, ranked
from assay.data.judgements import Judgement, Judgements
from assay.data.problems import Problems
from assay.data.tables import Row, header_of, read_table, spell_table
from assay.errors import InputError, Place

NEEDED = ("srclang", "trglang", "srcIndex", "system1Id", "system1rank")
WHAT = (
    "WMT's rankings have the columns srclang, trglang, srcIndex, judgeId, system1Id, ..., system1rank, ... with commas."
)


def recognises(_name: str, head: str) -> bool:
    """The header with commas."""
    return set(NEEDED) <= set(header_of(head, ","))


def read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The rankings; lines are numbered to tell them apart, unless ``rankingID`` does."""
    table = read_table(path, ",", quoted=True, needed=NEEDED, what=WHAT, problems=problems)
    numbers = [name[len("system") : -len("Id")] for name in table.header if re.fullmatch(r"system\d+Id", name)]
    for number in numbers:
        if f"system{number}rank" not in table.header:
            raise InputError(f"system{number}Id has no system{number}rank.", WHAT, Place(path, 1))
    rows = list(table)
    left_out: Counter[str] = Counter()
    reader = _Reader(numbers, len({_languages(row) for row in rows}) > 1, campaign, left_out)
    rankings = problems.each(enumerate(rows, start=1), reader.ranking)
    return checked(Judgements.of((one for ranking in rankings for one in ranking), path), left_out, problems)


def _languages(row: Row) -> str:
    return f"{row.raw('srclang')}-{row.raw('trglang')}"


class _Reader:
    """Takes in line by line, and remembers the ranks of each ranking."""

    def __init__(self, numbers: list[str], several: bool, campaign: Campaign | None, left_out: Counter[str]) -> None:
        self.numbers, self.several, self.campaign, self.left_out = numbers, several, campaign, left_out
        self.ranks: dict[tuple[str, str], int] = {}

    def ranking(self, counted_row: tuple[int, Row]) -> list[Judgement]:
        """The ranks in one line that were not told before."""
        count, row = counted_row
        languages, ranking = _languages(row), row.maybe("rankingID")
        segment = row.integer("srcIndex", "segment", least=1) - 1
        rater = row.maybe("judgeId") or row.maybe("judgeID")
        # Ids of rankings begin anew with each judge and segment in some files.
        name = str(count) if ranking is None else f"{ranking}/{segment}/{rater or '-'}"
        identity = f"{languages}/{name}" if self.several else name
        kind = f"{KIND}.{languages}" if self.several else KIND
        found = []
        for number in self.numbers:
            if row.maybe(f"system{number}Id") is None:
                continue
            rank = row.integer(f"system{number}rank", "rank", least=-1)
            if rank < 1:
                self.left_out[UNRANKED] += 1
                continue
            system = system_name(row.raw(f"system{number}Id"), self.campaign)
            before = self.ranks.get((identity, system)) if ranking is not None else None
            self.ranks[identity, system] = rank
            # Of three systems in one ranking each stands in two pairs.
            if before not in (rank, None):
                what = f"the rank of {system!r} is {rank}, but it was {before} in the same ranking"
                raise row.flaw(f"system{number}rank", what)
            if before is None:
                document = row.maybe("documentId")
                found.append(Judgement(system, segment, -float(rank), kind, rater, document, identity, line=row.line))
        return found


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """One line per ranking, as many systems wide as the longest one."""
    kept = ranked(judgements, "ranking-wmt")
    # Kinds are told apart by the columns of languages.
    told = all(kind == KIND or kind.startswith(f"{KIND}.") for kind in kept.kinds)
    say_losses(kept, "ranking-wmt", ("rater", "document", "ranking", *(["kind"] if told else [])))
    return {"": b"".join(spell_table(_rows(kept), ",", quoted=True))}


def _rows(judgements: Judgements) -> Iterator[list[str]]:
    rankings: dict[str, list[Judgement]] = {}
    for one in judgements:
        rankings.setdefault(one.ranking or "", []).append(one)
    width = max(len(ones) for ones in rankings.values())
    systems = {name: number for number, name in enumerate(judgements.system.names, start=1)}
    numbers = range(1, width + 1)
    names = [name for number in numbers for name in (f"system{number}Number", f"system{number}Id")]
    ranks = [f"system{number}rank" for number in numbers]
    yield ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId", *names, *ranks]
    for ones in rankings.values():
        first, missing = ones[0], width - len(ones)
        pair = first.kind.removeprefix(f"{KIND}.") if first.kind.startswith(f"{KIND}.") else "und-und"
        source, _, target = pair.partition("-")
        segment = str((first.segment or 0) + 1)
        item = [source, target, segment, first.document or "-", segment, first.rater or "-"]
        names = [name for one in ones for name in (str(systems[one.system]), one.system)] + ["-1", ""] * missing
        yield [*item, *names, *(str(int(-one.score)) for one in ones), *["-1"] * missing]


FORMAT = JudgementFormat("ranking-wmt", "WMT's rankings as CSV, one line per ranking or pair", recognises, read, write)
