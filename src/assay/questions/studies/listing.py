"""The studies there are, as a result."""

from __future__ import annotations

from assay.questions.studies.registry import STUDIES, study_class
from assay.results.result import Column, Result, View


def list_studies() -> Result:
    """A row per study."""
    rows = [
        {"study": name, "question": study_class(name).question, "source": study_class(name).source} for name in STUDIES
    ]
    note = (
        "Run one: assay study NAME CAMPAIGN --figure FILE.svg. Its options: assay study NAME --help. All on one "
        "page: assay study all CAMPAIGN -o page.html."
    )
    return Result("study", {"studies": rows}, (View("", "studies", tuple(Column(name) for name in rows[0])),), (note,))
