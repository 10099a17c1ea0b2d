"""``assay.agreement``: can I trust the judges?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.filters import where as only_where
from assay.data.judgement_reading import read_judgements
from assay.data.judgements import Judgements
from assay.data.ranking_ids import with_rankings
from assay.data.reading import read
from assay.errors import InputError, ParameterError
from assay.meta.agreement.comparisons import Comparisons
from assay.meta.agreement.control import controls
from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.effect import effects
from assay.meta.agreement.grades import Grades, grades_of, read_grades
from assay.meta.agreement.groups import GroupedResult, measure
from assay.meta.agreement.halves import SPLITS, split_halves
from assay.meta.agreement.raters import describe
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.reliability import Units, alphas, intraclass
from assay.meta.agreement.result import Agreement, Finding, Setup
from assay.meta.agreement.spans import span_agreement
from assay.meta.choosing import EXACTLY, choose_kind
from assay.meta.normalise import normalise as normalised
from assay.meta.ranked import is_ranked
from assay.metrics.base import Metric
from assay.metrics.registry import metrics as named_metrics
from assay.scoring.evaluate import Progress

#: Resamples, unless somebody says otherwise.
SAMPLES = 1000


def agreement(
    source: Campaign | Judgements | str | Path,
    *,
    kind: str | Iterable[str] | None = None,
    normalise: str = "none",
    grades: int | str | Sequence[float] | None = None,
    metrics: Iterable[str | Metric] | str | Metric | None = None,
    control: str | None = None,
    where: Sequence[str] | str = (),
    missing: float | None = None,
    lower_is_better: bool = False,
    seed: int = 1,
    samples: int = SAMPLES,
    splits: int = SPLITS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """How far raters agree with each other and with themselves, and what each normalisation does.

    ``source`` is a campaign with judgements, or a file of judgements. Kinds that are chosen together are taken as one:
    a rater who judged an item under both has judged it again. ``control`` names kinds of quality control, ``missing``
    a score that stands for none.
    """
    if samples < 2 or splits < 1:
        raise ParameterError(f"samples is {samples} and splits is {splits}, but they take at least 2 and 1.")
    measuring = named_metrics(metrics) if metrics is not None else []
    campaign, judgements, elsewhere = _open(source, [where] if isinstance(where, str) else list(where))
    if measuring and campaign is None:
        raise ParameterError("Metrics need the translations: give a campaign, and the judgements beside it.")
    standing_in = int(_stands_for_none(choose_kind(judgements, kind), missing).sum())
    judgements = _sound(judgements, missing, lower_is_better)
    chosen = choose_kind(judgements, kind)
    ranked = is_ranked(chosen)
    if ranked:
        chosen = with_rankings(chosen)
    raw = Ratings.of(chosen)
    if len(raw) == 0:
        raise InputError(f"{chosen.origin}: none of {len(chosen):,} judgements has both a rater and a score.")
    ratings = raw if normalise == "none" else Ratings.of(normalised(chosen, normalise, seed=seed))
    job = _Job(samples, seed, splits, progress)
    found = _ranked(ratings, job) if ranked else _scored(ratings, _cuts(grades, lower_is_better), job)
    people, variances = describe(raw, found.others) if not ranked else ((), {})
    job.done(0.6)
    effect = None
    if not ranked:
        effect = effects(chosen, campaign, measuring, samples=samples, seed=seed, threads=threads)
    job.done(1.0)
    name, cut = ", ".join(chosen.kinds), found.grades
    return Agreement(
        origin=judgements.origin,
        kind=name,
        setup=Setup(
            normalise=normalise,
            grades=None if cut is None else cut.summary,
            cuts=() if cut is None else cut.cuts,
            seed=seed,
            samples=samples,
            splits=splits,
            lower_is_better=lower_is_better,
            missing=missing,
        ),
        results=tuple(Finding(statistic, name, *rest) for statistic, rest in found.values.items()),
        pairs=() if found.between is None else found.between.groups,
        raters=people,
        variances=variances,
        used=_used(raw, standing_in, ranked)
        | {"other_kinds": len(judgements) - len(chosen)}
        | ({"other_segments": elsewhere} if elsewhere else {}),
        effects=effect,
        controls=tuple(controls(judgements, ",".join(chosen.kinds), control)) if control else (),
        remarks=tuple(found.remarks),
        raw=raw,
        ratings=ratings,
    )


@dataclass(frozen=True)
class _Job:
    samples: int
    seed: int
    splits: int
    progress: Progress | None

    def done(self, share: float) -> None:
        if self.progress is not None:
            self.progress(share)


class _Found:
    """Statistics as they come in."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[Estimate, int, int]] = {}
        self.remarks: list[str] = []
        self.between: GroupedResult | None = None
        self.others: GroupedResult | None = None
        self.grades: Grades | None = None

    def add(self, statistics: Mapping[str, Estimate], raters: int, items: int, prefix: str = "") -> None:
        for name, estimate in statistics.items():
            self.values[f"{prefix}{name}"] = (estimate, raters, items)


def _open(source: object, conditions: Sequence[str]) -> tuple[Campaign | None, Judgements, int]:
    """The campaign, if there is one, the judgements of the segments that were asked for, and how many others are."""
    if isinstance(source, (str, Path)):
        source = read(source) if Path(source).is_dir() else read_judgements(source)
    if isinstance(source, Judgements):
        if conditions:
            raise ParameterError("where chooses segments by a campaign's columns. Give the campaign, too.")
        return None, _some(source), 0
    if not isinstance(source, Campaign):
        raise InputError(f"agreement takes a campaign, judgements or a path, not a {type(source).__name__}.")
    campaign = only_where(source, *conditions) if conditions else source
    judgements, everywhere = campaign.judgements, source.judgements
    if judgements is None or everywhere is None:
        raise InputError(
            f"{source.name} has no judgements. Put them into human.tsv in the campaign folder, or give a file of them."
        )
    return campaign, _some(judgements), len(everywhere) - len(judgements)


def _some(judgements: Judgements) -> Judgements:
    if len(judgements) == 0:
        raise InputError(f"{judgements.origin}: there are no judgements.")
    return judgements


def _stands_for_none(judgements: Judgements, missing: float | None) -> NDArray[np.bool_]:
    """Which scores stand for none."""
    if missing is None:
        return np.zeros(len(judgements), dtype=np.bool_)
    return np.asarray(np.abs(judgements.score - missing) <= EXACTLY)


def _sound(judgements: Judgements, missing: float | None, lower_is_better: bool) -> Judgements:
    """Higher is better, and what stands for no score is none."""
    score = np.where(_stands_for_none(judgements, missing), np.nan, judgements.score)
    return replace(judgements, score=-score if lower_is_better else score)


def _cuts(grades: int | str | Sequence[float] | None, lower_is_better: bool) -> int | Sequence[float] | None:
    """Grades as they were asked for; cut points are for the scores as they stand in the file.

    A score on a cut stays above it when scores are turned round, so the cut moves by the smallest step there is.
    """
    wanted = read_grades(grades) if isinstance(grades, str) else grades
    if wanted is None or isinstance(wanted, int) or not lower_is_better:
        return wanted
    return [float(np.nextafter(-cut, np.inf)) for cut in reversed(list(wanted))]


def _ranked(ratings: Ratings, job: _Job) -> _Found:
    """Rankings: agreement on pairs of systems, and nothing that needs a scale."""
    found = _Found()
    comparisons = Comparisons.of(ratings)
    _compare(found, comparisons, job, ranked=True)
    if not found.values:
        found.remarks.append("No two systems were ranked twice on the same segment: nothing can be said of agreement.")
    return found


def _compare(found: _Found, comparisons: Comparisons, job: _Job, *, ranked: bool) -> None:
    # Scores that were given again say more than comparisons of them.
    ways = (("", False), ("repeat-", True)) if ranked else (("", False),)
    for prefix, same in ways:
        agreed = comparisons.agreement(same_rater=same, samples=job.samples, seed=job.seed)
        if agreed is not None:
            found.add(agreed.statistics, agreed.raters, agreed.items, prefix)


def _scored(ratings: Ratings, wanted: int | Sequence[float] | None, job: _Job) -> _Found:
    found = _Found()
    grades = grades_of(ratings.score, wanted)
    found.grades = grades
    if len(grades) < 2:
        found.remarks.append("All scores lie in one grade, so there is no agreement on grades to speak of.")
    if len(ratings.raters) == 1:
        found.remarks.append(f"There is a single rater ({ratings.raters[0]}): nobody to agree with.")
    elif len(ratings.shared) == 0:
        found.remarks.append(f"No item was rated by two of the {len(ratings.raters)} raters: nobody to agree with.")
    else:
        _between(found, ratings, grades if len(grades) > 1 else None, job)
    job.done(0.4)
    repeated = ratings.repeated()
    if len(repeated):
        again = measure(repeated, grades if len(grades) > 1 else None, samples=job.samples, seed=job.seed)
        if again.groups:
            found.add(again.pooled, again.raters, again.items, "repeat-")
        _small(found, again, "raters who rated items again")
    _compare(found, Comparisons.of(ratings), job, ranked=False)
    return found


def _between(found: _Found, ratings: Ratings, grades: Grades | None, job: _Job) -> None:
    paired = ratings.between()
    between = measure(paired, grades, samples=job.samples, seed=job.seed)
    found.between = between
    if between.groups:
        found.add(between.pooled, between.raters, between.items)
    _small(found, between, "pairs of raters")
    units = Units.of(ratings)
    draws = Draws.of(int(units.unit.max()) + 1, job.samples, job.seed)
    raters, items = int(units.rater.max()) + 1, len(units.size)
    found.add(alphas(units, grades, ratings.score[ratings.shared], draws), raters, items)
    found.add(intraclass(units, draws), raters, items)
    job.done(0.2)
    found.others = measure(ratings.against_others(), None, samples=job.samples, seed=job.seed)
    if found.others.groups:
        found.add(found.others.pooled, found.others.raters, found.others.items, "others-")
    halves = split_halves(ratings, samples=job.samples, seed=job.seed, splits=job.splits)
    found.add({"split-half": halves.segment, "split-half-all": halves.segment_stepped}, halves.raters, halves.items)
    if halves.system.value is not None:
        of_systems = {"split-half-system": halves.system, "split-half-system-all": halves.system_stepped}
        found.add(of_systems, halves.raters, halves.systems)
    spans = span_agreement(ratings, paired, samples=job.samples, seed=job.seed)
    if spans is not None:
        found.add(spans.statistics, spans.raters, spans.items)


def _small(found: _Found, result: GroupedResult, what: str) -> None:
    if result.small_groups:
        found.remarks.append(
            f"Means over {what} leave out {result.small_groups:,} with fewer than 3 items ({result.small_items:,})."
        )


def _used(ratings: Ratings, standing_in: int, ranked: bool) -> dict[str, int]:
    """How many judgements serve what; those whose score stands for none apart from those without any."""
    found = _used_rankings(ratings) if ranked else ratings.used()
    if standing_in:
        found |= {"no_score": found["no_score"] - standing_in, "missing": standing_in}
    return found


def _used_rankings(ratings: Ratings) -> dict[str, int]:
    alone = int((np.bincount(ratings.judgements.ranking.codes) == 1).sum())
    return {
        "judgements": len(ratings) + sum(ratings.left_out.values()),
        "ranked": len(ratings) - alone,
        "alone_in_ranking": alone,
        **ratings.left_out,
    }
