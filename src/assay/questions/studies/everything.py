"""All studies of one campaign; what it cannot answer says why."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, get_origin

from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.meta.choosing import choose_kind
from assay.metrics.options import declared_types
from assay.questions.asked import Asked, completed
from assay.questions.base import make
from assay.questions.studies.base import Study
from assay.questions.studies.registry import STUDIES, study_class
from assay.results.result import Result


@dataclass(frozen=True)
class Answer:
    """What became of one study: a result, or the reason why there is none; and what somebody should know."""

    study: type[Study]
    result: Result | None
    reason: str | None = None
    notes: tuple[str, ...] = ()


def takes(study: type[Study], option: str) -> bool:
    """Whether an option of many studies is one of this study; those about one metric choose it themselves."""
    if option not in {field.name for field in fields(study)}:
        return False
    return option != "metric" or get_origin(declared_types(study)[option]) is tuple


def study_all(asked: Asked, options: Mapping[str, Any] | None = None) -> Iterator[Answer]:
    """Every study in turn; ``options`` go to those that have them."""
    given = dict(options or {})
    for option in given:
        if not any(takes(study_class(name), option) for name in STUDIES):
            raise UnknownName.of(
                "option of any study", option, {field.name for name in STUDIES for field in fields(study_class(name))}
            )
    judgements = asked.campaign.judgements
    if judgements is not None and "kind" not in given:
        # Once, and at once, instead of from every study.
        choose_kind(judgements, None)
    # What is wrong with an option is wrong with the command, not with the campaign.
    studies = [
        make(study_class(name), {one: value for one, value in given.items() if takes(study_class(name), one)}, name)
        for name in STUDIES
    ]
    for done, study in enumerate(studies):

        def share(own: float, before: int = done) -> None:
            asked.report((before + own) / len(studies))

        result, reason = None, None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", AssayWarning)
            try:
                result = completed(study.answer(replace(asked, progress=share)), study, asked)
            except (InputError, ParameterError, UnknownName) as error:
                reason = str(error)
        notes = tuple(dict.fromkeys(str(one.message) for one in caught))
        yield Answer(type(study), result, reason, notes)
        share(1.0)
