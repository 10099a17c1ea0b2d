"""What a judge goes by beside quality: length, place in the file, who made the translation; and how it spreads scores.

Scores of two translations of equal quality should be equal, so the judge's score is regressed on quality and on the
trait in question. People's scores are no measure of quality without noise. Whoever held the trait against what is left
of the judge's scores once people's are taken off would find a bias where there is none: with quality that goes down
with length, the noisier of the two sides follows length less. So people's score is replaced by what is known of quality
without it (two-stage least squares): its system's mean over the other units, and how the other systems did on the same
segment. Its noise is in neither. Where these say too little there is no answer: with a first-stage F below 10 (Staiger
and Stock, 1997).

Whatever raters have in common on a segment is taken for quality, as a severe rater's who judged all its systems.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.arrays import Array, Flags
from assay.significance.association import ROUNDING
from assay.significance.draws import FEWEST_UNITS, NOTHING, Draws, Estimate, Units
from assay.significance.tests import bootstrap_p

#: Below so much the first stage says too little of people's scores.
_STRONG = 10.0
#: Both sides are on one scale if what the one gave lies within what the other gave, or beyond it by such a share, and
#: is not many times narrower.
_BEYOND, _NARROWER = 0.1, 4.0


class Bias(NamedTuple):
    """What a trait does to a judge's scores of translations of one quality, and how likely so much is by chance.

    None for p where there is no telling.
    """

    estimate: Estimate
    p: float | None = None
    #: How many translations it is over.
    n: int = 0


def known_without(people: Array, units: Units) -> Array:
    """What is known of each cell's quality without it: systems by segments, NaN where nothing is.

    That is its system's mean over segments of other units, and the mean of the other systems on its segment, each from
    its own mean.
    """
    there = np.isfinite(people)
    filled = np.where(there, people, 0.0)
    sums, counts = filled.sum(axis=1, keepdims=True), there.sum(axis=1, keepdims=True)
    of_unit, in_unit = (units.sums(part.T.astype(np.float64)).T[:, units.codes] for part in (filled, there))
    with np.errstate(invalid="ignore", divide="ignore"):
        of_system = (sums - of_unit) / (counts - in_unit)
        apart = np.where(there, people - sums / counts, 0.0)
        others = there.sum(axis=0) - there
        of_segment = np.where(others > 0, (apart.sum(axis=0) - apart) / np.maximum(others, 1), 0.0)
    return np.where(there, of_system + of_segment, np.nan)


def trait_bias(judge: Array, people: Array, trait: Array, draws: Draws, *, in_deviations: bool = True) -> Bias:
    """How much higher, in its own standard deviations, a judge scores translations of one quality with more of a trait.

    Tables are systems by segments. ``trait`` is taken in its standard deviations, or as it is, as 0 and 1 are.
    """
    known = known_without(people, draws.units)
    there = np.isfinite(judge) & np.isfinite(people) & np.isfinite(trait) & np.isfinite(known)
    columns = [_standardised(values, there) for values in (judge, people, known)]
    of_trait = _standardised(trait, there) if in_deviations else np.where(there, trait, 0.0)
    if not there.any() or any(not values.any() for values in (*columns, of_trait - of_trait[there].mean() * there)):
        return Bias(NOTHING, None, int(there.sum()))
    of_judge, of_people, instrument = columns
    if not _is_strong(of_people, instrument, of_trait, there, draws):
        return Bias(NOTHING, None, int(there.sum()))
    values = _coefficients(of_judge, [of_people, of_trait], [instrument, of_trait], there, draws)[:, 2]
    return Bias(draws.estimate(values), _p(values, draws), int(there.sum()))


def slope(judge: Array, people: Array, draws: Draws) -> Bias:
    """How many of its points a judge moves by for a point of quality on people's scale, and p of a slope of 1.

    Below 1 it shrinks differences between good and bad, above it stretches them. It says something of scores that are
    on one scale.
    """
    known = known_without(people, draws.units)
    there = np.isfinite(judge) & np.isfinite(people) & np.isfinite(known)
    of_judge, of_people, instrument = (_standardised(values, there) for values in (judge, people, known))
    if not (of_judge.any() and of_people.any() and instrument.any()):
        return Bias(NOTHING, None, int(there.sum()))
    if not _is_strong(of_people, instrument, None, there, draws):
        return Bias(NOTHING, None, int(there.sum()))
    scale = float(judge[there].std() / people[there].std())
    values = scale * _coefficients(of_judge, [of_people], [instrument], there, draws)[:, 1]
    return Bias(draws.estimate(values), _p(values - 1.0, draws), int(there.sum()))


def on_one_scale(judge: Array, people: Array) -> bool:
    """Whether scores of both can be on one scale, going by the lowest and the highest.

    >>> people = np.array([4.0, 100.0])
    >>> [on_one_scale(np.array(ends), people) for ends in ([60.0, 95.0], [1.0, 5.0], [-25.0, 0.0])]
    [True, False, False]
    """
    (narrow, low, high), (wide, least, most) = sorted(
        (float(np.ptp(values[there])), float(values[there].min()), float(values[there].max()))
        for values, there in ((judge, np.isfinite(judge)), (people, np.isfinite(people)))
    )
    return _NARROWER * narrow >= wide and max(least - low, high - most) <= _BEYOND * wide


def _standardised(values: Array, there: Flags) -> Array:
    """From the mean, in standard deviations; 0 where nothing varies, and outside."""
    inside = values[there]
    if not len(inside) or np.ptp(inside) <= ROUNDING * np.abs(inside).max(initial=0.0):
        return np.zeros(values.shape)
    return np.where(there, (np.where(there, values, 0.0) - inside.mean()) / inside.std(), 0.0)


def _coefficients(y: Array, given: list[Array], instruments: list[Array], there: Flags, draws: Draws) -> Array:
    """Of two-stage least squares under every row of weights: draws by coefficients, that of the constant first."""
    x, z = (np.stack([there.astype(np.float64), *columns], axis=-1) for columns in (given, instruments))
    products = np.einsum("sni,snj->nij", z, x), np.einsum("sni,sn->ni", z, y)
    size = x.shape[-1]
    sums = draws.weights @ np.hstack([products[0].reshape(len(products[0]), -1), products[1]])
    matrices, right = sums[:, : size**2].reshape(-1, size, size), sums[:, size**2 :]
    count = matrices[:, :1, :1]
    defined = count[:, 0, 0] > 0
    matrices = np.divide(matrices, count, out=np.zeros_like(matrices), where=count > 0)
    defined &= np.abs(np.linalg.det(matrices)) > ROUNDING
    values = np.full(right.shape, np.nan)
    means = right[defined] / count[defined, :, 0]
    values[defined] = np.linalg.solve(matrices[defined], means[..., None])[..., 0]
    return values


def _is_strong(people: Array, instrument: Array, trait: Array | None, there: Flags, draws: Draws) -> bool:
    """Whether what is known without people's score says enough of it: the square of its t in the first stage."""
    columns = [instrument] + ([] if trait is None else [trait])
    values = _coefficients(people, columns, columns, there, draws)[:, 1]
    drawn = values[1 : len(draws)]
    drawn = drawn[np.isfinite(drawn)]
    if not np.isfinite(values[0]) or len(drawn) < 2:
        return False
    return bool(values[0] > 0.0 and values[0] ** 2 >= _STRONG * drawn.var(ddof=1))


def _p(values: Array, draws: Draws) -> float | None:
    """Of no bias at all, from the bootstrap."""
    if draws.size < FEWEST_UNITS or not np.isfinite(values[0]):
        return None
    return bootstrap_p(values[1 : len(draws)], float(values[0]), draws.size).value
