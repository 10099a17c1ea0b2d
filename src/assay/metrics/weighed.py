"""What metrics of words share whose words need not all weigh the same: precision, recall, F1, Fmean and GTM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from assay.errors import ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.meteor_parameters import RANK
from assay.text.batch import Batch
from assay.text.tables import METEOR_LANGUAGES
from assay.text.word_weights import DocumentFrequencies, WordWeights, function_word_weights, load_weights

#: Values of ``weights`` that name no file.
_NAMED = ("none", "idf", "function-words")


@dataclass(frozen=True, kw_only=True)
class WeighedWords(Metric):
    """A metric whose words may weigh more or less than 1.

    ``weights=idf``: the fewer references of the test set have a word, the more it weighs. ``weights=function-words``:
    words of METEOR's list for the language ``function_words`` weigh 1 - ``delta``, all others ``delta``. Otherwise
    ``weights`` is a file with a word, a tab and a weight on each line.
    """

    weights: str = field(
        default="none", metadata={"takes": f"{', '.join(_NAMED)}, or a file of words and weights", "later": True}
    )
    delta: float | None = field(default=None, metadata={"later": True})
    function_words: str | None = field(
        default=None, metadata={"takes": f"{', '.join(METEOR_LANGUAGES)} or none (en)", "later": True}
    )
    frequencies: DocumentFrequencies | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    def check(self) -> None:
        self.require(self.delta is None or 0.0 <= self.delta <= 1.0, "delta", "a number from 0 to 1")
        if self.weights != "function-words":
            for option in ("delta", "function_words"):
                self.require(getattr(self, option) is None, option, "no value unless weights=function-words")
        elif self.function_words is not None and self.function_words not in METEOR_LANGUAGES:
            raise UnknownName.of("list of function words", self.function_words, METEOR_LANGUAGES)

    def in_language(self, code: str) -> Metric:
        """Function words are those of the language, unless others were chosen."""
        if self.weights != "function-words" or "function_words" in self.chosen:
            return super().in_language(code)
        if code not in METEOR_LANGUAGES:
            raise ParameterError(
                f"{self.name}: no list of function words comes with the package for language {code}, only for "
                f"{', '.join(METEOR_LANGUAGES)}. Give weights=FILE, or the list of another language as function_words."
            )
        return self._changed(function_words=code).in_language(code)

    @property
    def resolved(self) -> Metric:
        if self.weights != "function-words":
            return self
        language = self.function_words or "en"
        delta = RANK[language].delta if self.delta is None else self.delta
        return replace(self, function_words=language, delta=delta)

    def resources(self) -> Mapping[str, str]:
        file = {} if self.weights in _NAMED else {"weights": load_weights(self.weights).digest}
        return {**super().resources(), **file}

    @property
    def needs_survey(self) -> bool:
        return self.weights == "idf" and self.frequencies is None

    def survey(self, batch: Batch) -> DocumentFrequencies:
        return DocumentFrequencies.of(batch.references, batch.present)

    def fit(self, survey: DocumentFrequencies, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, frequencies=survey, fitted_on=fitted_on)

    def refit(self, surveys: Sequence[Any], weights: Sequence[int], fitted_on: tuple[str, ...]) -> Self:
        if not any(weights):
            return super().refit(surveys, weights, fitted_on)
        return self.fit(DocumentFrequencies.total(surveys, list(map(int, weights))), fitted_on)

    def word_weights(self) -> WordWeights | None:
        """What each word weighs; None where all weigh 1."""
        if self.weights == "none":
            return None
        if self.weights == "idf":
            if self.frequencies is None:
                raise ParameterError(
                    f"{self.name} with weights=idf counts after a survey of all references: evaluate()."
                )
            return self.frequencies.idf()
        if self.weights == "function-words":
            whole: Any = self.resolved
            return function_word_weights(whole.function_words, whole.delta, self.recipe)
        return load_weights(self.weights).under(self.recipe)
