"""GTM, the General Text Matcher (Turian, Shen & Melamed, 2003): precision and recall that reward long runs of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from assay import kernels
from assay.arrays import Array
from assay.errors import ParameterError
from assay.metrics.base import Rows, Scores, ratio
from assay.metrics.tunable import Tunable
from assay.metrics.weighed import WeighedWords
from assay.text.batch import Batch

if TYPE_CHECKING:
    from assay.metrics.pictures import BitextGrid

#: Cells of a grid above which a segment takes more than seconds; such a segment is a file without line ends.
_LARGEST_GRID = 1e10
#: What is tried when the exponent is tuned: another one chooses other runs, so every value is a count of its own.
_EXPONENTS = (1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0)


@dataclass(frozen=True, kw_only=True)
class Gtm(WeighedWords):
    """As GTM 1.4 computes it: runs of matched words weigh their length to the power of ``exponent``.

    ``measure`` is what the score is: the F-measure, precision or recall. With several references ``cap="gtm14"`` stops
    the program's greedy pass when as many words count as references have on average; ``cap="paper"`` deletes whole hits
    from the shortest runs of a finished matching. ``matching="exact"`` searches for the true maximum, in at most
    ``effort`` steps per segment. Where words have ``weights``, runs, lengths and the cap are weights in place of words.
    """

    name: ClassVar[str] = "gtm"
    label: ClassVar[str] = "GTM"
    summary: ClassVar[str] = "precision and recall of matched words, which count more in long runs"

    exponent: float = 1.0
    measure: Literal["f", "precision", "recall"] = "f"
    cap: Literal["gtm14", "paper"] = "gtm14"
    matching: Literal["greedy", "exact"] = "greedy"
    effort: int = 20_000_000
    tokenize: str = "none:ascii"

    def check(self) -> None:
        super().check()
        self.require(self.exponent > 0.0, "exponent", "a number above 0")
        if self.matching == "exact":
            self.require(self.weights == "none", "weights", "no weights with matching=exact: that search counts words")
            wanted = "a number of at least 1 with matching=exact: below it, runs are worth less than their words"
            self.require(self.exponent >= 1.0, "exponent", wanted)
        self.require(0 <= self.effort <= 10**15, "effort", "a whole number of steps from 0 to 10^15")

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        return (Tunable("exponent", self.exponent, 1.0, 6.0, changes="rows", values=_EXPONENTS),)

    @property
    def columns(self) -> tuple[str, ...]:
        columns = ("size", "translation_length", "reference_length")
        return columns if self.matching == "greedy" else (*columns, "size_bound", "unproved")

    def count(self, batch: Batch) -> Rows:
        widths = np.where(batch.present, batch.reference_lengths(), 0.0).sum(axis=0)
        self.refuse_endless(batch, _LARGEST_GRID, widths)
        weights, ours, theirs = self._weighing(batch)
        sizes = kernels.match_sizes(
            batch.translations,
            batch.references,
            batch.present,
            weights,
            self.exponent,
            self.cap == "paper",
            self._effort,
            batch.threads,
        )
        sizes, bounds = sizes.T
        self._refuse_endless_sizes(sizes)
        columns = [sizes, ours, theirs]
        if self.matching == "exact":
            columns += [bounds, (bounds > sizes).astype(np.float64)]
        return np.column_stack(columns)

    def _weighing(self, batch: Batch) -> tuple[tuple[Array, Array] | None, Array, Array]:
        """What words of translations weigh, and what may count in each segment; how much each side is.

        That is how many words they have, or what these weigh. Of several references it is the mean.
        """
        table = self.word_weights()
        if table is None:
            return None, batch.translations.lengths(), batch.mean_reference_length()
        words = table.of(batch.translations.ids)
        columns = []
        for side in (batch.translations, *batch.references):
            segments = np.repeat(np.arange(len(batch)), np.diff(side.offsets))
            weights = np.bincount(segments, weights=table.of(side.ids), minlength=len(batch))
            columns.append(weights.astype(np.float64))
        ours, *each = columns
        theirs = np.where(batch.present, each, 0.0).sum(axis=0) / batch.present.sum(axis=0)
        return (words, np.minimum(ours, theirs)), ours, theirs

    def remarks(self, rows: Rows) -> Sequence[str]:
        unproved = int(rows[:, 4].sum()) if self.matching == "exact" else 0
        if not unproved:
            return ()
        return (
            f"{self}: {unproved} of {len(rows)} segments have the best matching found in {self.effort:,} steps, "
            "without proof that it is the largest. A larger effort may prove more.",
        )

    @property
    def _effort(self) -> int | None:
        return self.effort if self.matching == "exact" else None

    def score(self, rows: Rows) -> Scores:
        return 100.0 * self._measures(rows)[self.measure]

    @staticmethod
    def _measures(rows: Rows, column: int = 0) -> dict[str, Scores]:
        precision, recall = ratio(rows[..., column], rows[..., 1]), ratio(rows[..., column], rows[..., 2])
        return {"f": ratio(2.0 * precision * recall, precision + recall), "precision": precision, "recall": recall}

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The three measures, and what they are made of; with an exact matching also what could not be proved."""
        measures = {name: 100.0 * value for name, value in self._measures(rows).items()}
        lengths = {"size": rows[..., 0], "translation_length": rows[..., 1], "reference_length": rows[..., 2]}
        if self.matching == "greedy":
            return measures | lengths
        bound = 100.0 * self._measures(rows, column=3)[self.measure]
        return measures | lengths | {"score_bound": bound, "unproved_segments": rows[..., 4]}

    def picture(self, batch: Batch) -> BitextGrid:
        """The bitext grid: all hits, the chosen runs, the hits that the cap kept out, and the runs before the cap."""
        from assay.metrics.pictures import BitextGrid, Run, runs_of

        present = [index for index, there in enumerate(batch.present[:, 0]) if there]
        weighing, _, _ = self._weighing(batch)
        first = batch.translations.first()
        weights = None if weighing is None else (weighing[0][: len(first)], weighing[1][:1])
        texts = first, [batch.references[index].first() for index in present], weights, self.exponent
        _, _, runs, capped, hits = kernels.matching(*texts, self.cap == "paper", self._effort)
        chosen = tuple(Run(*run) for run in runs)
        whole = [run.length if weights is None else sum(weights[0][run.row : run.row + run.length]) for run in chosen]
        initial: tuple[Run, ...] = ()
        if capped or any(run.counted != size for run, size in zip(chosen, whole, strict=True)):
            # What the paper's cap deletes from is the matching without one. GTM 1.4 may cut the last run elsewhere.
            _, _, before, deleted, _ = kernels.matching(*texts, True, self._effort)
            initial = runs_of([*(cell for run in before for cell in Run(*run).cells), *deleted])
        words = self.recipe.tokens
        references = tuple(tuple(words(batch.reference_texts[index][0])) for index in present)
        ends = np.cumsum([len(reference) + 1 for reference in references]) - 1
        return BitextGrid(
            translation=tuple(words(batch.translation_texts[0])),
            references=references,
            barriers=tuple(ends.tolist()),
            hits=tuple(hits),
            runs=chosen,
            capped=tuple(capped),
            weights=() if weights is None else tuple(weights[0].tolist()),
            initial=initial,
        )

    def _refuse_endless_sizes(self, sizes: Scores) -> None:
        if not np.isfinite(sizes).all():
            raise ParameterError(
                f"{self.name}: exponent is {self.exponent}, so small that a match size is more than a number can hold. "
                "Choose a larger one."
            )
