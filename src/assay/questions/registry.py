"""Questions by name. Nothing is loaded before it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.registry import Registry

if TYPE_CHECKING:
    from assay.questions.base import Question

#: Questions that are commands, and the classes that define them.
_BUILT_IN = {
    "score": "assay.questions.score:Score",
    "explain": "assay.questions.explain:Explain",
    "compare": "assay.questions.compare:Compare",
    "meta": "assay.questions.meta:Meta",
    "tune": "assay.questions.tune:Tune",
    "learn": "assay.questions.learn:Learn",
    "predict": "assay.questions.predict:Predict",
    "features": "assay.questions.features:Features",
    "agreement": "assay.questions.agreement:Agreement",
    "describe": "assay.questions.describe:Describe",
    # From a room above, which nothing here imports by itself.
    "report": "assay.explorer.report:Report",
    "show": "assay.questions.kept.show:Show",
    "history": "assay.questions.kept.history:History",
    "diff": "assay.questions.kept.diff:Diff",
    "rerun": "assay.questions.kept.rerun:Rerun",
    "sql": "assay.questions.kept.sql:Sql",
    "validate": "assay.questions.lookup:Validate",
    "metrics": "assay.questions.lookup:Metrics",
    "recipes": "assay.questions.lookup:Recipes",
}
QUESTIONS: Registry[type[Question]] = Registry("question", _BUILT_IN, "assay.questions")
