"""``assay paper``: a whole paper on one's own data."""

from __future__ import annotations

from assay.cli.study import Named
from assay.questions.papers.registry import ALL_PAPERS, PAPERS, list_papers, paper_class

paper = Named(
    "paper",
    [*PAPERS, ALL_PAPERS],
    paper_class,
    list_papers,
    short_help="A whole paper on your data.",
    help="Whole papers, exhibit by exhibit on your data, with the printed numbers beside yours. Without a NAME, the "
    "papers there are.",
)
