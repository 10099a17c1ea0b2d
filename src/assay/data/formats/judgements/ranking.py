"""Rankings, one row per ranked translation: ``ranking segment document rater system rank``, with tabs between.

Segments count from 0, rank 1 is the best, ties are allowed, and -1 stands for what was not ranked. A score is minus the
rank, comparable within its ranking alone. Without a column ``ranking``, a new one begins where segment or rater
change or a system comes again.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat, say_left_out, say_losses, without_other_levels
from assay.data.judgements import Judgement, Judgements, with_rankings
from assay.data.problems import Problems
from assay.data.tables import Row, header_of, read_table, spell_table
from assay.data.wording import counted
from assay.errors import AssayWarning, InputError, Place

NEEDED = ("segment", "system", "rank")
HEADER = ("ranking", "segment", "document", "rater", "system", "rank")
WHAT = f"A table of rankings has the columns {', '.join(HEADER)}, with tabs between."
KIND = "rr-rank"
UNRANKED = "translations that were not ranked"


def recognises(_name: str, head: str) -> bool:
    """A header with segment, system and rank."""
    return set(NEEDED) <= set(header_of(head))


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The rankings. Two ranks of one system in one ranking are an error."""
    table = read_table(path, needed=NEEDED, what=WHAT, problems=problems)
    rows = list(problems.each(table, _judgement))
    found = Judgements.of([row for row in rows if row is not None], path)
    left_out = Counter({UNRANKED: len(rows) - len(found)})
    return checked(found if "ranking" in table.header else with_rankings(found), left_out, problems)


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
        row.maybe("kind") or KIND,
        row.maybe("rater"),
        row.maybe("document"),
        row.needed("ranking", "ranking") if "ranking" in row.columns else None,
        line=row.line,
    )


def checked(judgements: Judgements, left_out: Counter[str], problems: Problems) -> Judgements:
    """The rankings, if each has a system once; what was left out, and rankings that compare nothing, are said."""
    if not len(judgements):
        raise InputError("no rankings in it.", place=Place(judgements.origin))
    seen: set[tuple[int, int]] = set()
    first = np.ones(len(judgements), dtype=np.bool_)
    for row, key in enumerate(zip(judgements.ranking.codes.tolist(), judgements.system.codes.tolist(), strict=True)):
        if key in seen:
            first[row] = False
            what = f"ranking {judgements.ranking[row]!r} has system {judgements.system[row]!r} twice."
            problems.add(InputError(what, "Each ranking needs an id of its own.", judgements.place(row)))
        seen.add(key)
    say_left_out(judgements.origin, left_out)
    alone = int((np.bincount(judgements.ranking.codes) == 1).sum())
    if alone:
        message = (
            f"{alone} {'ranking has' if alone == 1 else 'rankings have'} one translation only, which compares nothing."
        )
        warnings.warn(AssayWarning(message, place=Place(judgements.origin)), stacklevel=3)
    return judgements if first.all() else judgements.only(first)


def ranked(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements that are ranks, each with an id; other judgements are an error."""
    kept = without_other_levels(judgements, format_name)
    strange = np.flatnonzero(~((kept.score <= -1) & (kept.score == np.floor(kept.score))))
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"the score {kept.score[row]:g} ({kept.kind[row]}) is not minus a rank, and {format_name} holds nothing "
            f"else ({counted(len(strange), 'such judgement')}).",
            "Choose a kind that is a ranking.",
            kept.place(row),
        )
    say_losses(kept, format_name, ("rater", "document", "ranking", "kind"))
    return with_rankings(kept)


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """The table; a column ``kind`` is added where kinds differ."""
    return {"": b"".join(spell_table(_rows(ranked(judgements, "ranking"))))}


def _rows(judgements: Judgements) -> Iterator[list[str]]:
    named = judgements.kinds != (KIND,)
    yield [*HEADER, *(["kind"] if named else [])]
    for one in judgements:
        item = [one.ranking or "-", str(one.segment), one.document or "-", one.rater or "-"]
        yield [*item, one.system, str(int(-one.score)), *([one.kind] if named else [])]


FORMAT = JudgementFormat("ranking", "rankings, one row per ranked translation", recognises, read, write)
