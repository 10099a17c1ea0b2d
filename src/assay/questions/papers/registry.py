"""Papers by name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from assay.errors import UnknownName
from assay.questions.asked import Given, ask_by_name
from assay.questions.papers.base import Exhibit, Paper
from assay.results.result import Column, Result, View
from assay.scoring.evaluate import Progress

#: Papers in the order of ``assay paper``, and how one cites them.
PAPERS = {
    "turian2003": "Turian, Shen & Melamed (2003), Evaluation of Machine Translation and its Evaluation",
    "culy2003": "Culy & Riehemann (2003), The Limits of N-Gram Translation Evaluation Metrics",
    "lavie2004": "Lavie, Sagae & Jayaraman (2004), The Significance of Recall in Automatic Metrics for MT Evaluation",
    "lavie2007": "Lavie (2007), Automatic Metrics for MT Evaluation, lecture of 31 January",
    "paul2007": "Paul, Finch & Sumita (2007), Translation quality prediction using multiple automatic metrics",
}
#: What stands for all of them.
ALL_PAPERS = "all"


def exhibits_of(name: str) -> Sequence[Exhibit]:
    """The exhibits of one paper, in its order; loads the file that has them."""
    exhibits: Sequence[Exhibit] = getattr(import_module(f"assay.questions.papers.{name}"), "EXHIBITS")  # noqa: B009
    return exhibits


def paper_class(name: str) -> type[Paper]:
    """The question that asks every exhibit of a paper, or of all papers."""
    if not isinstance(name, str) or name not in (*PAPERS, ALL_PAPERS):
        raise UnknownName.of("paper", name, (*PAPERS, ALL_PAPERS))
    named = [name] if name in PAPERS else list(PAPERS)
    title = PAPERS.get(name, "all five papers")
    members = {
        "__doc__": Paper.__doc__,
        "__module__": Paper.__module__,
        "name": name,
        "question": f"{title}: does it hold here?",
        "source": title,
        "papers": tuple(named),
    }
    made: type[Paper] = type(f"Paper_{name}", (Paper,), members)
    return made


def paper(name: str, campaign: Given, *, progress: Progress | None = None, **options: Any) -> Result:
    """Every exhibit of a paper on one's own data, with the printed numbers beside it; ``all`` for all papers."""
    return ask_by_name(paper_class(name), campaign, options, progress)


def list_papers() -> Result:
    """A row per paper."""
    rows = [{"paper": name, "title": title, "exhibits": len(exhibits_of(name))} for name, title in PAPERS.items()]
    note = (
        "Run one on your data: assay paper NAME CAMPAIGN. All of them: assay paper all CAMPAIGN -o page.html. Item by "
        "item, with the command for each: docs/papers.md."
    )
    columns = (Column("paper"), Column("title"), Column("exhibits", format="d"))
    return Result("paper", {"papers": rows}, (View("", "papers", columns),), (note,))
