"""Rankings: one row per ranked translation, or WMT's CSV with one line per ranking or per pair of systems.

``ranking segment document rater system rank``, with tabs between: segments count from 0, rank 1 is the best, ties are
allowed, and -1 stands for what was not ranked. A score is minus the rank, comparable within its ranking alone. Without
a column ``ranking``, a new one begins where segment or rater change or a system comes again.

WMT's have one line per ranking (until 2015), or one per pair of systems with ``rankingID`` (2016):
``srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,...,system1rank,...``. ``srcIndex``
counts segments from 1. Where a file has several pairs of languages, each is a kind of its own:
``rr-rank.Czech-English``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat, prepared, say_left_out, system_name
from assay.data.judgements import Judgement, Judgements, with_rankings
from assay.data.problems import Problems, note, require_writable
from assay.data.tables import Row, header_of, read_table, spell_table
from assay.errors import InputError, Place, counted

_NEEDED = ("segment", "system", "rank")
_HEADER = ("ranking", "segment", "document", "rater", "system", "rank")
_WMT_NEEDED = ("srclang", "trglang", "srcIndex", "system1Id", "system1rank")
_WMT_WHAT = (
    "WMT's rankings have the columns srclang, trglang, srcIndex, judgeId, system1Id, ..., system1rank, ... with commas."
)
_KIND = "rr-rank"
_UNRANKED = "translations that were not ranked"


def _read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The rankings. Two ranks of one system in one ranking are an error."""
    what = f"A table of rankings has the columns {', '.join(_HEADER)}, with tabs between."
    table = read_table(path, needed=_NEEDED, what=what, problems=problems)
    rows = list(problems.each(table, _judgement))
    ranked = Judgements.of([row for row in rows if row is not None], path)
    left_out = Counter({_UNRANKED: len(rows) - len(ranked)})
    return _checked(ranked if "ranking" in table.header else with_rankings(ranked), left_out, problems)


def _judgement(row: Row) -> Judgement | None:
    """One rank, or None."""
    rank = row.integer("rank", "rank", least=-1)
    if rank == -1:
        return None
    if rank == 0:
        raise row.flaw("rank", "the rank is 0, but 1 is the best one, and -1 stands for none")
    return Judgement(
        row.needed("system", "system"),
        row.integer("segment", "segment"),
        -float(rank),
        row.maybe("kind") or _KIND,
        row.maybe("rater"),
        row.maybe("document"),
        row.needed("ranking", "ranking") if "ranking" in row.columns else None,
        line=row.line,
    )


def _checked(judgements: Judgements, left_out: Counter[str], problems: Problems) -> Judgements:
    """The rankings, if each has a system once; what was left out, and rankings that compare nothing, are said."""
    if not len(judgements):
        raise InputError("no rankings in it.", place=Place(judgements.origin))
    pairs = np.stack([judgements.ranking.codes, judgements.system.codes])
    firsts = np.sort(np.unique(pairs, axis=1, return_index=True)[1])
    for row in np.setdiff1d(np.arange(len(judgements)), firsts).tolist():
        what = f"ranking {judgements.ranking[row]!r} has system {judgements.system[row]!r} twice."
        problems.add(InputError(what, "Each ranking needs an id of its own.", judgements.place(row)))
    say_left_out(judgements.origin, left_out)
    alone = int((np.bincount(judgements.ranking.codes) == 1).sum())
    if alone:
        have = "ranking has" if alone == 1 else "rankings have"
        note(f"{alone} {have} one translation only, which compares nothing.", Place(judgements.origin))
    return judgements if len(firsts) == len(judgements) else judgements.only(firsts)


def _read_wmt(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The rankings; lines are numbered to tell them apart, unless ``rankingID`` does."""
    table = read_table(path, ",", quoted=True, needed=_WMT_NEEDED, what=_WMT_WHAT, problems=problems)
    numbers = [name[len("system") : -len("Id")] for name in table.header if re.fullmatch(r"system\d+Id", name)]
    for number in numbers:
        if f"system{number}rank" not in table.header:
            raise InputError(f"system{number}Id has no system{number}rank.", _WMT_WHAT, Place(path, 1))
    rows = list(table)
    several = len({_languages(row) for row in rows}) > 1
    left_out: Counter[str] = Counter()
    ranks: dict[tuple[str, str], int] = {}

    def ranking(numbered: tuple[int, Row]) -> list[Judgement]:
        """The ranks in one line that were not told before."""
        count, row = numbered
        languages, ranking_id = _languages(row), row.maybe("rankingID")
        segment = row.integer("srcIndex", "segment", least=1) - 1
        rater = row.maybe("judgeId") or row.maybe("judgeID")
        # Ids of rankings begin anew with each judge and segment in some files.
        name = str(count) if ranking_id is None else f"{ranking_id}/{segment}/{rater or '-'}"
        identity, kind = (f"{languages}/{name}", f"{_KIND}.{languages}") if several else (name, _KIND)
        judgements = []
        for number in numbers:
            if row.maybe(f"system{number}Id") is None:
                continue
            rank = row.integer(f"system{number}rank", "rank", least=-1)
            if rank < 1:
                left_out[_UNRANKED] += 1
                continue
            system = system_name(row.raw(f"system{number}Id"), campaign)
            before = ranks.get((identity, system)) if ranking_id is not None else None
            ranks[identity, system] = rank
            # Of three systems in one ranking each stands in two pairs.
            if before not in (rank, None):
                what = f"the rank of {system!r} is {rank}, but it was {before} in the same ranking"
                raise row.flaw(f"system{number}rank", what)
            if before is None:
                document = row.maybe("documentId")
                judgements.append(
                    Judgement(system, segment, -float(rank), kind, rater, document, identity, line=row.line)
                )
        return judgements

    ranked = chain.from_iterable(problems.each(enumerate(rows, start=1), ranking))
    return _checked(Judgements.of(ranked, path), left_out, problems)


def _languages(row: Row) -> str:
    return f"{row.raw('srclang')}-{row.raw('trglang')}"


def _ranked(judgements: Judgements, format_name: str, *holds: str) -> Judgements:
    """Judgements that are ranks, each with an id; other judgements are an error."""
    kept = judgements.only(judgements.segment >= 0)
    strange = np.flatnonzero(~((kept.score <= -1) & (kept.score == np.floor(kept.score))))
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"the score {kept.score[row]:g} ({kept.kind[row]}) is not minus a rank, and {format_name} holds nothing "
            f"else ({counted(len(strange), 'such judgement')}).",
            "Choose a kind that is a ranking.",
            kept.place(row),
        )
    require_writable("ranking", kept.ranking.names, Place(kept.origin), needed=True)
    return with_rankings(prepared(judgements, format_name, ("rater", "document", "ranking", *holds), segments=True))


def _write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """The table; a column ``kind`` is added where kinds differ."""
    return {"": b"".join(spell_table(_rows(_ranked(judgements, "ranking", "kind"))))}


def _rows(judgements: Judgements) -> Iterator[list[str]]:
    named = judgements.kinds != (_KIND,)
    yield [*_HEADER, *(["kind"] if named else [])]
    for one in judgements:
        item = [one.ranking or "-", str(one.segment), one.document or "-", one.rater or "-"]
        yield [*item, one.system, str(int(-one.score)), *([one.kind] if named else [])]


def _write_wmt(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """One line per ranking, as many systems wide as the longest one."""
    # Kinds are told apart by the columns of languages.
    told_apart = all(kind == _KIND or kind.startswith(f"{_KIND}.") for kind in judgements.kinds)
    kept = _ranked(judgements, "ranking-wmt", *(["kind"] if told_apart else []))
    return {"": b"".join(spell_table(_wmt_rows(kept), ",", quoted=True))}


def _wmt_rows(judgements: Judgements) -> Iterator[list[str]]:
    rankings: dict[str, list[Judgement]] = {}
    for one in judgements:
        rankings.setdefault(one.ranking or "", []).append(one)
    width = max(len(ranking) for ranking in rankings.values())
    systems = {name: number for number, name in enumerate(judgements.system.names, start=1)}
    numbers = range(1, width + 1)
    names = [name for number in numbers for name in (f"system{number}Number", f"system{number}Id")]
    ranks = [f"system{number}rank" for number in numbers]
    yield ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId", *names, *ranks]
    for ranking in rankings.values():
        first, missing = ranking[0], width - len(ranking)
        pair = first.kind.removeprefix(f"{_KIND}.") if first.kind.startswith(f"{_KIND}.") else "und-und"
        source, _, target = pair.partition("-")
        segment = str((first.segment or 0) + 1)
        item = [source, target, segment, first.document or "-", segment, first.rater or "-"]
        names = [name for one in ranking for name in (str(systems[one.system]), one.system)] + ["-1", ""] * missing
        yield [*item, *names, *(str(int(-one.score)) for one in ranking), *["-1"] * missing]


FORMAT = JudgementFormat(lambda _name, head: {*_NEEDED} <= {*header_of(head)}, _read, _write)
WMT = JudgementFormat(lambda _name, head: {*_WMT_NEEDED} <= {*header_of(head, ",")}, _read_wmt, _write_wmt)
