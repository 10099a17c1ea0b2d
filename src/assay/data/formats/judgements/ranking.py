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
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, header_of, header_rows
from assay.data.formats.judgements.parts.notes import say_left_out, say_losses, without_other_levels
from assay.data.judgements import Judgement, Judgements
from assay.data.ranking_ids import with_rankings
from assay.data.wording import counted
from assay.errors import AssayWarning, InputError

NEEDED = ("segment", "system", "rank")
HEADER = ("ranking", "segment", "document", "rater", "system", "rank")
WHAT = f"A table of rankings has the columns {', '.join(HEADER)}, with tabs between."
KIND = "rr-rank"


def recognises(_name: str, head: str) -> bool:
    """A header with segment, system and rank."""
    return set(NEEDED) <= set(header_of(head))


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """The rankings. Two ranks of one system in one ranking are an error."""
    header, rows = header_rows(path, needed=NEEDED, what=WHAT)
    left_out: Counter[str] = Counter()
    found = Judgements.of(_judgements(rows, left_out), path)
    return checked(found if "ranking" in header else with_rankings(found), left_out)


def _judgements(rows: Iterator[Row], left_out: Counter[str]) -> Iterator[Judgement]:
    for row in rows:
        rank = row.integer("rank", "rank", least=-1)
        if rank == -1:
            left_out["translations that were not ranked"] += 1
            continue
        if rank == 0:
            raise row.flaw("rank", "the rank is 0, but 1 is the best one, and -1 stands for none")
        yield Judgement(
            row.needed("system", "system"),
            row.integer("segment", "segment"),
            -float(rank),
            row.maybe("kind") or KIND,
            row.maybe("rater"),
            row.maybe("document"),
            row.needed("ranking", "ranking") if "ranking" in row.columns else None,
            line=row.line,
        )


def checked(judgements: Judgements, left_out: Counter[str]) -> Judgements:
    """The rankings, if each has a system once; what was left out, and rankings that compare nothing, are said."""
    if not len(judgements):
        raise InputError(f"{judgements.origin}: no rankings in it.")
    seen: set[tuple[int, int]] = set()
    for row, key in enumerate(zip(judgements.ranking.codes.tolist(), judgements.system.codes.tolist(), strict=True)):
        if key in seen:
            raise InputError(
                f"{judgements.place(row)}: ranking {judgements.ranking[row]!r} has system "
                f"{judgements.system[row]!r} twice. "
                "Each ranking needs an id of its own."
            )
        seen.add(key)
    alone = int((np.bincount(judgements.ranking.codes) == 1).sum())
    if left_out:
        say_left_out(judgements.origin, left_out)
    if alone:
        what = "ranking has" if alone == 1 else "rankings have"
        warnings.warn(
            f"{judgements.origin}: {alone} {what} one translation only, which compares nothing.",
            AssayWarning,
            stacklevel=3,
        )
    return judgements


def ranked(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements that are ranks, each with an id; other judgements are an error."""
    kept = without_other_levels(judgements, format_name)
    strange = np.flatnonzero(~((kept.score <= -1) & (kept.score == np.floor(kept.score))))
    if len(strange):
        row = int(strange[0])
        raise InputError(
            f"{kept.place(row)}: the score {kept.score[row]:g} ({kept.kind[row]}) is not minus a rank, and "
            f"{format_name} holds "
            f"nothing else ({counted(len(strange), 'such judgement')}). Choose a kind that is a ranking."
        )
    say_losses(kept, format_name, ("rater", "document", "ranking", "kind"))
    return with_rankings(kept)


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """The table; a column ``kind`` is added where kinds differ."""
    kept = ranked(judgements, "ranking")
    named = kept.kinds != (KIND,)
    lines = ["\t".join([*HEADER, *(["kind"] if named else [])])]
    for one in kept:
        cells = [
            one.ranking or "-",
            str(one.segment),
            one.document or "-",
            one.rater or "-",
            one.system,
            str(int(-one.score)),
        ]
        lines.append("\t".join(" ".join(cell.split("\t")) for cell in [*cells, *([one.kind] if named else [])]))
    return {"": ("\n".join(lines) + "\n").encode()}


FORMAT = JudgementFormat("ranking", "rankings, one row per ranked translation", recognises, read, write)
