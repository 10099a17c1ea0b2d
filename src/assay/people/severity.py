"""How severe each rater is: a mixed model with crossed effects, fitted by restricted maximum likelihood.

``score = system + segment + item + rater + error``: systems are fixed, the other three are drawn from normal
distributions. Raters who saw different systems or segments are so compared on what was before them. An item lies in
one segment, so both can be eliminated as diagonal blocks, and what is left is one small dense matrix over systems and
raters: exact, and 20,000 ratings take a second. A general mixed-model package would invert a matrix of all ratings.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Array, Codes
from assay.data.judgements import Factor, Judgements

#: Variances are sought between these multiples of the error's, as natural logarithms.
_BOUNDS = (-12.0, 9.0)


@dataclass(frozen=True, eq=False)
class _Severities:
    """What the model found. A severity of 2 means: two points lower than the average rater on the same work."""

    severity: Array
    #: Standard errors of the severities, the variances taken as known.
    error: Array
    #: Scores less what system, segment and rater explain.
    residual: Array = field(repr=False)
    #: Variances of segments, items, raters and errors.
    variances: dict[str, float]

    def interval(self) -> tuple[Array, Array]:
        """Low and high ends of 95 %, one per rater."""
        width = NormalDist().inv_cdf(0.5 + 0.95 / 2.0) * self.error
        return self.severity - width, self.severity + width


def fit_severities(judgements: Judgements) -> _Severities:
    """Fit the model. With a single rater, or scores that are all the same, nobody is more severe than anybody.

    Judgements of a document or system count as one more segment; who has no name is nobody known.
    """
    # By their names, so that not even the last digit depends on the order of the judgements.
    system, rater = _ranks(judgements.system), _ranks(judgements.rater)
    places = _ranks(judgements.document)[judgements.document.codes]
    whole = judgements.segment < 0
    part = np.where(whole, int(judgements.segment.max(initial=-1)) + 2 + places, judgements.segment)
    columns = (judgements.score, system[judgements.system.codes], part, rater[judgements.rater.codes])
    order = np.lexsort(columns)
    found = _fit(*(np.ascontiguousarray(column[order]).tobytes() for column in columns), len(judgements.rater.names))
    residual = np.empty_like(found.residual)
    residual[order] = found.residual
    named = rater[:-1]
    return replace(found, severity=found.severity[named], error=found.error[named], residual=residual)


def _ranks(names: Factor) -> Codes:
    """The place of each name by the alphabet, and -1 at the end, where -1 finds it."""
    ranks = np.full(len(names.names) + 1, -1, dtype=np.int64)
    ranks[np.argsort(np.array(names.names, dtype=object), kind="stable")] = np.arange(len(names.names))
    return ranks


@lru_cache(maxsize=4)
def _fit(scores: bytes, system: bytes, segment: bytes, rater: bytes, raters: int) -> _Severities:
    """Remembered, because the table of raters and the normalisation ask for the same."""
    score, codes = np.frombuffer(scores), [np.frombuffer(column, dtype=np.int64) for column in (system, segment, rater)]
    if len(np.unique(codes[2][codes[2] >= 0])) < 2 or float(np.ptp(score)) == 0.0:
        return _Severities(np.zeros(raters), np.zeros(raters), score - score.mean(), {})
    model = Crossed(score, *codes, raters=raters)
    return model.solve(model.fit())


class _Equations(NamedTuple):
    """Over systems and raters, what is left after elimination."""

    matrix: Array
    right: Array
    #: The variance of the errors, and minus twice the profiled restricted log-likelihood.
    error: float
    badness: float
    #: Of the segments that were eliminated: entries with what is left, right side, and portion of it.
    segments: tuple[Any, Array, Array]


class Crossed:
    """The mixed-model equations for given ratios of variances to the error's: segment, item, rater.

    Scores come with the codes of their systems, segments and raters; a rater of -1 is nobody known.
    """

    def __init__(self, score: Array, system: Codes, segment: Codes, rater: Codes, *, raters: int) -> None:
        key = segment * (int(system.max()) + 1) + system
        _, first, self.item = np.unique(key, return_index=True, return_inverse=True)
        self.item_segment = np.unique(segment[first], return_inverse=True)[1]
        names, self.item_system = np.unique(system[first], return_inverse=True)
        self.rater, self.raters, self.systems = rater, raters, len(names)
        self.segments = int(self.item_segment.max()) + 1
        # Around the mean, so that sums of squares do not swallow the differences.
        self.score = score - float(score.mean())
        self.count = np.bincount(self.item).astype(np.float64)
        self.total = np.bincount(self.item, weights=self.score)
        known, items = rater >= 0, np.arange(len(self.count))
        self.by_rater = _incidence(self.item[known], rater[known], (len(items), raters))
        self.by_segment = _incidence(self.item_segment, items, (self.segments, len(items)))
        self.by_system = _incidence(items, self.item_system, (len(items), self.systems))
        self.rater_total = np.bincount(rater[known], weights=self.score[known], minlength=raters)
        several_items = self.segments < len(self.count)
        #: Which effects the data can tell from the error.
        self.tells = np.array([self.segments < len(self.score), several_items and bool((self.count > 1).any()), True])

    def fit(self) -> Array:
        """The ratios at which the restricted likelihood is largest."""
        from scipy.optimize import minimize

        free = int(self.tells.sum())

        def ratios(logs: Array) -> Array:
            spread = np.zeros(3)
            spread[self.tells] = np.exp(logs)
            return spread

        def badness(logs: Array) -> float:
            # Per score, so that the first step does not jump into a corner where everything is flat.
            return self._assemble(ratios(logs)).badness / len(self.score)

        options = {"ftol": 1e-15, "gtol": 1e-9, "eps": 1e-4}
        best = minimize(badness, np.full(free, -1.0), method="L-BFGS-B", bounds=[_BOUNDS] * free, options=options)
        # Digits beyond these depend on the machine, and change nothing that anybody could see.
        return ratios(np.round(best.x, 6))

    def solve(self, ratios: Array) -> _Severities:
        """Effects at these ratios."""
        equations = self._assemble(ratios)
        inverse = np.linalg.inv(equations.matrix)[self.systems :, self.systems :]
        solution = np.linalg.solve(equations.matrix, equations.right)
        fixed, rater = solution[: self.systems], solution[self.systems :]
        across, sums, portion = equations.segments
        segment = (sums - across @ solution) * portion
        known = self.rater >= 0
        lenient = np.where(known, rater[np.maximum(self.rater, 0)], 0.0)
        explained = fixed[self.item_system][self.item] + segment[self.item_segment][self.item]
        seen = np.bincount(self.rater[known], minlength=self.raters) > 0
        # Against the average of the raters who are here: how the average itself lies among all raters is not asked.
        contrast = np.where(seen[:, None], np.eye(self.raters) - seen / seen.sum(), 0.0)
        error = np.sqrt(np.maximum(np.diag(contrast @ inverse @ contrast.T), 0.0) * equations.error)
        variances = dict(zip(("segment", "item", "rater"), (ratios * equations.error).tolist(), strict=True))
        variances["error"] = equations.error
        return _Severities(-(contrast @ rater), error, self.score - explained - lenient, variances)

    def _assemble(self, ratios: Array) -> _Equations:
        """Eliminate items, then segments; what is left is over systems and raters."""
        from scipy.sparse import hstack

        segment_ratio, item_ratio, rater_ratio = (float(ratio) for ratio in ratios)
        # 1/D of Henderson's equations for the items, written so that a ratio of 0 needs no limit.
        share = item_ratio / (1.0 + item_ratio * self.count)
        left = 1.0 - self.count * share
        matrix, right = self._without_items(share, left, rater_ratio)
        square = float((self.score**2).sum() - (self.total**2 * share).sum())
        # The same step for the segments, whose block is diagonal, too.
        diagonal = np.asarray(np.bincount(self.item_segment, weights=self.count * left), np.float64)
        sums = np.asarray(np.bincount(self.item_segment, weights=self.total * left), np.float64)
        with_systems = self.by_segment @ self.by_system.multiply((self.count * left)[:, None]).tocsr()
        with_raters = self.by_segment @ self.by_rater.multiply(left[:, None]).tocsr()
        across = hstack([with_systems, with_raters], format="csr")
        portion = segment_ratio / (1.0 + segment_ratio * diagonal)
        matrix -= (across.T @ across.multiply(portion[:, None]).tocsr()).toarray()
        right -= across.T @ (sums * portion)
        square -= float((sums**2 * portion).sum())
        # With the right side as one more row, the last row of the factor is the factor's inverse times it: one
        # factorisation gives the determinant and the sum of squares that is explained.
        bordered = np.block([[matrix, right[:, None]], [right[None, :], np.array([[2.0 * square + 1.0]])]])
        factor = np.linalg.cholesky(bordered)
        explained = float((factor[-1, :-1] ** 2).sum())
        freedom = len(self.score) - self.systems
        error = max((square - explained) / max(freedom, 1), 1e-300)
        badness = (
            freedom * np.log(error)
            + np.log1p(item_ratio * self.count).sum()
            + np.log1p(segment_ratio * diagonal).sum()
            + self.raters * np.log(rater_ratio)
            + 2.0 * np.log(np.diag(factor)[:-1]).sum()
        )
        return _Equations(matrix, right, error, float(badness), (across, sums, portion))

    def _without_items(self, share: Array, left: Array, rater_ratio: float) -> tuple[Array, Array]:
        """The equations over systems and raters, and their right side."""
        systems = self.systems
        matrix = np.zeros((systems + self.raters, systems + self.raters))
        matrix[:systems, :systems] = np.diag(np.bincount(self.item_system, self.count * left, systems))
        matrix[:systems, systems:] = (self.by_system.T @ self.by_rater.multiply(left[:, None]).tocsr()).toarray()
        matrix[systems:, :systems] = matrix[:systems, systems:].T
        shared = (self.by_rater.T @ self.by_rater.multiply(share[:, None]).tocsr()).toarray()
        ratings = np.asarray(self.by_rater.sum(axis=0)).ravel()
        matrix[systems:, systems:] = np.diag(ratings + 1.0 / rater_ratio) - shared
        by_system = np.bincount(self.item_system, self.total * left, systems)
        return matrix, np.concatenate([by_system, self.rater_total - self.by_rater.T @ (self.total * share)])


def _incidence(rows: Codes, columns: Codes, shape: tuple[int, int]) -> Any:
    """A sparse matrix with a one for each row and its column."""
    from scipy.sparse import csr_matrix

    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
