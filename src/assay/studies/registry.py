"""Studies by name."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import InputError, UnknownName
from assay.scoring.evaluate import Progress
from assay.studies.base import Study, StudyResult
from assay.studies.inquiry import Names

#: Studies and the classes that define them, in the order of ``assay study``.
STUDIES = {
    "pseudo-documents": "pseudo_documents:PseudoDocuments",
    "greedy-matching": "greedy_matching:GreedyMatching",
    "case-and-stem": "case_and_stem:CaseAndStem",
    "correlations": "correlations:Correlations",
    "recall-weight": "recall_weight:RecallWeight",
    "sentence-level": "sentence_level:SentenceLevel",
    "meteor-aligner": "meteor_aligner:MeteorAligner",
    "references": "references:References",
    "reference-count": "reference_count:ReferenceCount",
    "foreign-texts": "foreign_texts:ForeignTexts",
    "score-distribution": "score_distribution:ScoreDistribution",
}


def study_class(name: str) -> type[Study]:
    """The class behind a name; loads only the file that defines it."""
    if name not in STUDIES:
        raise UnknownName.of("study", name, STUDIES)
    module, _, cls = STUDIES[name].partition(":")
    found: type[Study] = getattr(import_module(f"assay.studies.{module}"), cls)
    return found


def make_study(name: str, **options: Any) -> Study:
    """A study with its options."""
    cls = study_class(name)
    known = {field.name for field in fields(cls)}
    for option in options:
        if option not in known:
            raise UnknownName.of(f"option of {name}", option, known)
    return cls(**options)


def study(
    name: str,
    campaign: Campaign | str | Path,
    *,
    systems: Names = None,
    references: Names = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> StudyResult:
    """Ask a question about metrics on the texts of a campaign; further options are those of the study."""
    chosen = make_study(name, **options)
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.study takes a campaign or its path, not a {type(campaign).__name__}.")
    return chosen.run(campaign, systems=systems, references=references, seed=seed, threads=threads, progress=progress)
