"""METEOR (Denkowski & Lavie, 2014): words aligned by form, stem, synonym and paraphrase, and how scattered they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.data.texts import Texts
from assay.errors import ParameterError
from assay.metrics.base import BestReference, Rows, Scores, best_of, ratio
from assay.metrics.meteor_parameters import (
    LANGUAGES,
    MODULES,
    TASKS,
    Aligner,
    Settings,
    Variant,
    is_known,
    needs_tokenizer,
    settle,
)
from assay.metrics.tunable import Tunable, several
from assay.properties import cached_property
from assay.text.batch import Batch
from assay.text.languages import UNSPACED, Sample
from assay.text.paraphrases import load_paraphrases
from assay.text.recipe import Lowercase, Recipe, Sequences
from assay.text.synonyms import load_synonyms
from assay.text.tables import METEOR_LANGUAGES
from assay.text.tables import function_words as ids_of_function_words

if TYPE_CHECKING:
    from assay.metrics.pictures import Alignment, Link

#: Products of two lengths above this take longer than anybody waits; such a segment is a file without line ends.
_LARGEST_TABLE = 1e8
#: The least share of function words, punctuation among them, in a text of so many words that may be English.
#: News has 0.43 to 0.51 of them, German and Czech 0.16 to 0.18.
_LEAST_ENGLISH, _ENOUGH_WORDS = 0.3, 500
#: So many letters tell a script.
_ENOUGH_LETTERS = 10
#: What cuts words of languages that METEOR's normaliser does not know: punctuation of any script stands alone.
_ANY_SCRIPT = "intl"

#: Words, then stems, base forms, words in lower case and lengths where they are needed: as the kernel takes them.
_Side = tuple[Sequences, Sequences | None, Sequences | None, Sequences | None, Sequences | None]

#: METEOR tells content words from function words, which it has lists of.
_KINDS = ("content", "function")
#: What stands behind the matches of each module, in a row of the kernel and in ours.
_BESIDES = (
    *(f"translation_{kind}_length" for kind in _KINDS),
    *(f"reference_{kind}_length" for kind in _KINDS),
    "translation_words",
    "reference_words",
    "translation_matched_words",
    "reference_matched_words",
    "chunks",
    "unproved",
    "weight_slack",
    "order_slack",
)
_PENALTY = ("penalized_chunks", "penalized_matches")


@dataclass(frozen=True, kw_only=True)
class Meteor(BestReference):
    """Weighted words in common, discounted for being scattered; 100 is a perfect translation.

    Options that are none are those of the variant, the language and the task.
    """

    name: ClassVar[str] = "meteor"
    label: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words aligned by form, stem and synonym, discounted for scattered order"

    variant: Variant = "meteor15"
    language: str = field(default="en", metadata={"takes": ", ".join(LANGUAGES)})
    task: str | None = field(default=None, metadata={"takes": f"{', '.join(TASKS)} or none"})
    modules: str | None = field(
        default=None, metadata={"takes": f"{', '.join(MODULES)} in this order, with + between (exact+stem), or none"}
    )
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    weights: tuple[float, ...] | None = field(
        default=None, metadata={"takes": "a number for each module, such as [1,0.6,0.8], or none"}
    )
    aligner: Aligner | None = None
    beam: int = 40
    characters: bool = False
    function_words: str | None = field(
        default=None, metadata={"takes": f"{', '.join(METEOR_LANGUAGES)}, other (no words) or none (those of en)"}
    )
    synonyms: str | None = field(default=None, metadata={"takes": "a file or folder, or none"})
    paraphrases: str | None = field(default=None, metadata={"takes": "a file or none"})
    tokenize: str = "meteor"
    lowercase: Lowercase = True

    def check(self) -> None:
        self.require(1 <= self.beam <= 1_000_000, "beam", "a whole number from 1 to 1000000: how many paths are kept")
        if self.variant != "meteor15":
            self.require(self.task is None, "task", f"no value with variant={self.variant}: only meteor15 has tasks")
            self.require(not self.characters, "characters", f"no value with variant={self.variant}")
        for name in ("alpha", "gamma", "delta"):
            self.require(0.0 <= (getattr(self, name) or 0.0) <= 1.0, name, "a number from 0 to 1")
        self.require(self.beta is None or self.beta > 0.0, "beta", "a number above 0")
        self.require(all(weight >= 0.0 for weight in self.weights or ()), "weights", "numbers from 0 on")
        if self.settings.aligner == "staged" and "paraphrase" in self.settings.modules:
            raise ParameterError(
                "meteor: aligner=staged matches single words, so it takes no paraphrases. "
                "Leave paraphrase out of modules, or take aligner=meteor15 or optimal."
            )
        # Built once here, so that a wrong stemmer is an error where it is written.
        _ = self._stem_recipe

    @cached_property
    def settings(self) -> Settings:
        """All values, defaults filled in."""
        return settle(self)

    @cached_property
    def resolved(self) -> Meteor:
        """With all values, defaults filled in."""
        options: dict[str, Any] = self.settings.options()
        return replace(self, **options)

    @property
    def recipe(self) -> Recipe:
        """Words as they are compared; stems are looked at beside them."""
        return Recipe(
            normalize=self.normalize,
            lowercase=self.lowercase,
            tokenize=self.settings.tokenize,
            remove_punctuation=self.remove_punctuation,
        )

    @property
    def _stem_recipe(self) -> Recipe:
        return replace(self.recipe, stem=self.settings.stem)

    def resources(self) -> Mapping[str, str]:
        digests = dict(self._stem_recipe.resources())
        if self.synonyms is not None and "synonym" in self.settings.modules:
            digests["synonyms"] = load_synonyms(self.synonyms).digest
        if self.paraphrases is not None and "paraphrase" in self.settings.modules:
            digests["paraphrases"] = load_paraphrases(self.paraphrases).digest
        return digests

    @property
    def columns(self) -> tuple[str, ...]:
        sides = [f"{side}_{kind}" for side in ("translation", "reference") for kind in _KINDS]
        return (*(f"{module}_{side}" for module in self.settings.modules for side in sides), *_BESIDES, *_PENALTY)

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        """The numbers of the formula, and the weights of the modules beside that of exact matches."""
        numbers = self.settings.parameters
        return (
            Tunable("alpha", numbers.alpha),
            Tunable("beta", numbers.beta, 0.05, 5.0, log=True),
            Tunable("gamma", numbers.gamma),
            Tunable("delta", numbers.delta),
            *several("weights", numbers.weights, places=range(1, len(numbers.weights)), changes="alignment"),
        )

    def choose(self, scores: Scores, present: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The best reference of each segment: the first of equal ones, but the last as the Perl program has it."""
        if self.variant != "meteor07":
            return best_of(scores, present)
        last = best_of(scores[::-1], present[::-1])
        return np.asarray(len(scores) - 1 - last, dtype=np.intp)

    def in_language(self, code: str) -> Meteor:
        """METEOR for a language, or for any other; where its normaliser does not know it, another tokenizer cuts."""
        if "language" in self.chosen:
            return self
        changed: dict[str, str] = {"language": code if is_known(code) else "other"}
        if "tokenize" not in self.chosen and (code in UNSPACED or needs_tokenizer(self, code)):
            changed["tokenize"] = UNSPACED[code].tokenizer if code in UNSPACED else _ANY_SCRIPT
        return self._changed(**changed)

    def doubts(self, sample: Sample) -> Sequence[str]:
        """Whether the texts have too few letters of the language's script, or too few function words for English."""
        language = self.settings.language
        script = "Cyrillic" if language == "ru" else "Latin"
        share = sample.share_in(script)
        if language != "other" and sample.letters >= _ENOUGH_LETTERS and share < 0.5:
            said = f"but {100.0 * share:.0f} % of the references' letters are {script}."
            return (f"meteor: language={language}, {said}",)
        if language != "en" or self.settings.function_words != "en":
            return ()
        # The list is in small letters, whatever the metric does to case.
        (words,) = replace(self.recipe, lowercase=True).cook([Texts.of(sample.texts)])
        if len(words.ids) < _ENOUGH_WORDS:
            return ()
        known = set(ids_of_function_words("en").tolist())
        share = sum(map(known.__contains__, words.ids.tolist())) / len(words.ids)
        if share >= _LEAST_ENGLISH:
            return ()
        return (
            f"meteor: language=en, but {100.0 * share:.0f} % of the references' words are English function words and "
            f"punctuation, where English has 40 and more.",
        )

    def remedy(self, sample: Sample) -> str:
        code = "de" if sample.writing is None else sample.writing.code
        named = "" if sample.writing else f"meteor(language={code}), or "
        return f"If this is another language, name it: {named}--language {code}."

    def remarks(self, rows: Rows) -> Sequence[str]:
        return tuple(self._unproved(rows))

    def _unproved(self, rows: Rows) -> Iterator[str]:
        """In how many segments the aligner stopped at its limit, and what others may have most in one of them."""
        stopped, aligner = int(self._column(rows, "unproved").sum()), self.settings.aligner
        if stopped:
            order = "crossings" if aligner == "staged" else "chunks"
            weight, fewer = (self._column(rows, f"{name}_slack").max() for name in ("weight", "order"))
            yield (
                f"meteor: aligner={aligner} stopped at its limit in {stopped:,} of {len(rows):,} segments; "
                f"their alignments are the best that it found. Others match at most {weight:g} weighted words more in "
                f"a segment (both sides together), or as much in at most {fewer:g} fewer {order}."
            )

    def count_each(self, batch: Batch) -> list[Rows]:
        self.refuse_endless(batch, _LARGEST_TABLE)
        matcher, (translations, *references) = self._matcher(), self._sides(batch)
        each = [matcher.count(translations, reference, batch.threads) for reference in references]
        return [np.hstack([counted, self._penalty(counted)]) for counted in each]

    def _sides(self, batch: Batch) -> list[_Side]:
        """The translations and each reference in all the ways in which METEOR looks at them; words are cut once."""
        words, modules = batch.under(self.recipe), self.settings.modules
        base = f"wordnet-base:{self.synonyms}" if self.synonyms else "wordnet-base"
        names = {"stem": self.settings.stem or "", "synonym": base}
        wanted = {module: name for module, name in names.items() if module in modules}
        stemmed = dict(zip(wanted, words.under_stems(*wanted.values()), strict=True))
        # METEOR looks function words up in lower case, whatever it compares.
        folded = words.under(replace(self.recipe, lowercase=True)) if self.lowercase is not True else None
        sizes = words.under(replace(self.recipe, unit="length")) if self.characters else None
        looks = (words, stemmed.get("stem"), stemmed.get("synonym"), folded, sizes)
        columns = [None if look is None else (look.translations, *look.references) for look in looks]
        sides = range(1 + len(words.references))
        return [tuple(column and column[side] for column in columns) for side in sides]  # type: ignore[misc]

    def _matcher(self) -> kernels.MeteorMatcher:
        modules = self.settings.modules
        return kernels.MeteorMatcher(
            stem="stem" in modules,
            synonyms=load_synonyms(self.synonyms) if "synonym" in modules else None,
            paraphrases=load_paraphrases(self.paraphrases or "") if "paraphrase" in modules else None,
            function_words=ids_of_function_words(self.settings.function_words),
            aligner=self.settings.aligner,
            beam=self.beam,
            weights=list(self.settings.parameters.weights),
        )

    def _penalty(self, counted: Rows) -> Rows:
        """Chunks, and the matches they are divided by, as the variant takes them; both add up over segments."""
        part = {name: counted[:, index - len(_BESIDES)] for index, name in enumerate(_BESIDES)}
        chunks = part["chunks"]
        matches = (part["translation_matched_words"] + part["reference_matched_words"]) / 2.0
        rule = self.settings.parameters.fragmentation
        if rule == "breaks":
            chunks, matches = np.maximum(chunks - 1.0, 0.0), np.maximum(matches - 1.0, 0.0)
        elif rule == "chunks-unless-whole":
            whole = (part["translation_matched_words"] == part["translation_words"]) & (
                part["reference_matched_words"] == part["reference_words"]
            )
            chunks = np.where(whole & (chunks == 1.0), 0.0, chunks)
        return np.column_stack([chunks, matches])

    def score(self, rows: Rows) -> Scores:
        return 100.0 * np.maximum(self._mean(rows) * (1.0 - self._discount(rows)), 0.0)

    def _mean(self, rows: Rows) -> Scores:
        alpha = self.settings.parameters.alpha
        precision, recall = self._shares(rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1.0 / ((1.0 - alpha) / precision + alpha / recall)
        return np.where((precision > 0) & (recall > 0), mean, 0.0)

    def _discount(self, rows: Rows) -> Scores:
        numbers = self.settings.parameters
        chunks, matches = (self._column(rows, name) for name in _PENALTY)
        discount: Scores = numbers.gamma * ratio(chunks, matches) ** numbers.beta
        return discount

    def _shares(self, rows: Rows) -> tuple[Scores, Scores]:
        """Precision and recall, weighted by module and by kind of word."""
        numbers = self.settings.parameters
        count = len(self.settings.modules)

        def words(side: int, first: int) -> Scores:
            """Content and function words of a side, in the four columns from ``first`` on."""
            content, function = rows[..., first + 2 * side], rows[..., first + 2 * side + 1]
            weighed: Scores = numbers.delta * content + (1.0 - numbers.delta) * function
            return weighed

        def share(side: int) -> Scores:
            matched = numbers.weights[0] * words(side, 0)
            for module in range(1, count):
                matched = matched + numbers.weights[module] * words(side, 4 * module)
            return ratio(matched, words(side, 4 * count))

        return share(0), share(1)

    def _column(self, rows: Rows, name: str) -> Scores:
        column: Scores = rows[..., self.columns.index(name)]
        return column

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        precision, recall = self._shares(rows)
        plain = {name: self._column(rows, name) for name in (*_BESIDES[4:9], *_PENALTY)}
        searched = () if self.settings.aligner == "meteor15" else _BESIDES[9:]
        proof = {name: self._column(rows, name) for name in searched}
        return {
            "precision": 100.0 * precision,
            "recall": 100.0 * recall,
            "fmean": 100.0 * self._mean(rows),
            "fragmentation": ratio(plain["penalized_chunks"], plain["penalized_matches"]),
            "penalty": 100.0 * self._discount(rows),
            **{name: value for name, value in plain.items() if name not in _PENALTY},
            **proof,
        }

    def alignments(self, batch: Batch) -> Iterator[tuple[int, tuple[Link, ...]]]:
        """For each segment the reference that counts, from 0, and the links between it and the translation."""
        matcher, (translations, *references) = self._matcher(), self._sides(batch)
        best = self.best(batch) if len(references) > 1 else np.zeros(len(batch), dtype=np.intp)
        for segment, index in enumerate(best.tolist()):
            links = matcher.links(translations, references[index], segment)
            yield index, tuple(_chunked(links, self.settings.modules))

    def picture(self, batch: Batch) -> Alignment:
        from assay.metrics.pictures import Alignment

        sides = self._sides(batch)
        index, links = next(self.alignments(batch))
        return Alignment(
            tuple(self.recipe.tokens(batch.translation_texts[0])),
            tuple(self.recipe.tokens(batch.reference_texts[index][0])),
            index,
            links,
            *(self._function_words(side) for side in (sides[0], sides[1 + index])),
        )

    def _function_words(self, side: _Side) -> frozenset[int]:
        """Where the first segment of a side has function words."""
        words, _, _, folded, _ = side
        first = (folded or words).first()
        return frozenset(np.flatnonzero(np.isin(first, ids_of_function_words(self.settings.function_words))).tolist())


def _chunked(links: Iterable[tuple[int, int, int, int, int]], modules: Sequence[str]) -> Iterator[Link]:
    """The kernel's links with the names of their modules and the numbers of their chunks."""
    from assay.metrics.pictures import Link

    chunk, expected = -1, (-1, -1)
    for reference, size, translation, length, module in links:
        chunk += (translation, reference) != expected
        expected = (translation + length, reference + size)
        yield Link((translation, expected[0]), (reference, expected[1]), modules[module], chunk)
