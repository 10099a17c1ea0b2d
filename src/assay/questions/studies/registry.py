"""Studies by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from assay.errors import UnknownName
from assay.questions.asked import Given, ask_by_name
from assay.questions.base import Question
from assay.results.result import Column, Result, View
from assay.scoring.evaluate import Progress

#: Studies and the classes that define them, in the order of ``assay study``.
STUDIES = {
    "pseudo-documents": "pseudo_documents:PseudoDocuments",
    "misleading-ngrams": "misleading_ngrams:MisleadingNgrams",
    "gtm-exponent": "gtm_exponent:GtmExponent",
    "untranslated": "untranslated:Untranslated",
    "greedy-matching": "aligners:GreedyMatching",
    "case-and-stem": "recipes:CaseAndStem",
    "correlations": "recipes:Correlations",
    "recall-weight": "recall_weight:RecallWeight",
    "sentence-level": "sentence_level:SentenceLevel",
    "sentence-scatter": "sentence_scatter:SentenceScatter",
    "equal-grades": "equal_grades:EqualGrades",
    "consistency": "consistency:Consistency",
    "meteor-aligner": "aligners:MeteorAligner",
    "discount": "discount:Discount",
    "references": "references:References",
    "reference-count": "reference_count:ReferenceCount",
    "reference-similarity": "reference_similarity:ReferenceSimilarity",
    "synthetic-references": "synthetic_references:SyntheticReferences",
    "foreign-texts": "foreign_texts:ForeignTexts",
    "score-distribution": "score_distribution:ScoreDistribution",
    "leaderboard": "leaderboard:Leaderboard",
}
#: The one that asks all others.
EVERYTHING = {"all": "everything:Everything"}


def study_class(name: str) -> type[Question]:
    """The class behind a name; loads only the file that defines it."""
    if not isinstance(name, str) or name not in STUDIES | EVERYTHING:
        raise UnknownName.of("study", name, STUDIES)
    module, _, cls = (STUDIES | EVERYTHING)[name].partition(":")
    study: type[Question] = getattr(import_module(f"assay.questions.studies.{module}"), cls)
    return study


def study(name: str, campaign: Given, *, progress: Progress | None = None, **options: Any) -> Result:
    """Ask a question about metrics on the texts of a campaign; options are those of the study, and of the data."""
    return ask_by_name(study_class(name), campaign, options, progress)


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
