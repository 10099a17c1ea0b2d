"""Which judgements are used: of a kind, with a score, of systems that are scored; the rest is counted and said.

Post-edits are judgements, too: the fewer edits a translation needed, the better it was.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Flags
from assay.data.campaign import Campaign
from assay.data.judgements import Factor, Judgement, Judgements, with_rankings
from assay.errors import AssayWarning, InputError, ParameterError
from assay.metrics.base import Metric
from assay.metrics.hter import Hter
from assay.people.normalise import normalise, what_raters_saw
from assay.people.rankings import Rankings
from assay.people.ratings import People, Ratings, usable
from assay.scoring.evaluate import Counted, evaluate_all

#: The kind of judgement that post-edits make.
HTER = "hter"
#: Why a judgement is not used that nobody asked for.
OTHER_KIND = "of another kind"
#: Whom WMT leaves out of correlations.
HUMANS = "people who stand as systems"
#: Why a judgement is in no score of a kind, by the name that counts have.
_REASONS = {
    "other_kinds": OTHER_KIND,
    "no_score": "without a score",
    "missing": "equal to {missing:g} (missing)",
    "no_counterpart": "without a counterpart of every kind in {name}",
}
#: How kinds are called whose scores are ranks.
_RANKED = "rr"
#: How far a judgement may be from the value that stands for a missing one.
_EXACTLY = 1e-12


@dataclass(frozen=True)
class Usage:
    """The fate of all judgements that were there."""

    total: int
    #: Reasons and how many judgements each kept out; every judgement counts once.
    unused: Mapping[str, int] = field(default_factory=dict)

    @property
    def used(self) -> int:
        """How many took part."""
        return self.total - sum(self.unused.values())

    def beside(self, count: int, reason: str) -> Usage:
        """With so many further judgements that were kept out before."""
        return Usage(self.total + count, {**self.unused, reason: count}) if count else self

    def without(self, *reasons: str) -> Usage:
        """As if the judgements that these reasons kept out had not been there."""
        unused = {reason: count for reason, count in self.unused.items() if reason not in reasons}
        return Usage(self.total - sum(self.unused.values()) + sum(unused.values()), unused)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"judgements": self.total, "used": self.used, "unused": dict(self.unused)}

    def __str__(self) -> str:
        said = f"{self.used:,} of {self.total:,} judgements were used"
        if not self.unused:
            return f"{said}."
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in self.unused.items())
        return f"{said}. Not used: {reasons}."


class Chosen(NamedTuple):
    """Judgements of a kind, or of several that are taken as one, with a score; higher is better in all of them."""

    #: As it was asked for, or the only kind there is.
    name: str
    judgements: Judgements
    #: Whether their scores are ranks.
    ranked: bool
    #: How many there were of the kind, with or without a score; several may be behind one, which is their mean.
    total: int
    #: How many are not here, by reason: other_kinds, no_score, missing, no_counterpart.
    unused: Counter[str]


def choose(
    judgements: Judgements,
    kind: Iterable[str] | str | None = None,
    *,
    missing: float | None = None,
    lower_is_better: bool = False,
) -> Chosen:
    """The judgements of a kind that can be measured: see :func:`people_of`."""
    name = _kind_name(judgements, kind)
    of_kind = judgements.of_kind(name)
    ranked = _is_ranked(of_kind)
    # Before anything is left out: what stands between two rankings keeps them apart.
    chosen = with_rankings(of_kind) if ranked else of_kind
    unused = Counter(other_kinds=len(judgements) - len(of_kind))
    reasons = {"no_score": np.isnan(chosen.score)}
    if missing is not None:
        reasons["missing"] = np.abs(chosen.score - missing) <= _EXACTLY
    kept = usable(chosen, reasons, unused)
    chosen = replace(chosen, score=np.where(kept, -chosen.score if lower_is_better else chosen.score, np.nan))
    if "+" in name and name not in judgements.kinds:
        chosen, unused["no_counterpart"] = chosen.averaged(name)
    else:
        chosen = chosen.only(kept)
    return Chosen(name, chosen, ranked, len(of_kind), unused)


def are_ranks(judgements: Judgements) -> Flags:
    """Which scores are ranks: they name their ranking, or their kind begins with ``rr``."""
    kinds = [code for code, kind in enumerate(judgements.kinds) if kind.split("-")[0] == _RANKED]
    return (judgements.ranking.codes >= 0) | np.isin(judgements.kind.codes, kinds)


def _is_ranked(judgements: Judgements) -> bool:
    """Whether scores are ranks; all are, or none is."""
    ranked = are_ranks(judgements)
    if ranked.any() and not ranked.all():
        row = int(np.flatnonzero(~ranked)[0])
        raise InputError(
            f"{judgements.place(row)}: this is no ranking, but others are, and scores and ranks have no common scale. "
            f"Choose one of the kinds ({', '.join(judgements.kinds)}) with --kind."
        )
    return bool(ranked.any())


def people_of(
    campaign: Campaign,
    *,
    kind: Iterable[str] | str | None = None,
    method: str = "none",
    ranking: str = "wins",
    missing: float | None = None,
    lower_is_better: bool = False,
    plain_means: bool = False,
    humans: Collection[str] = (),
) -> tuple[People, Usage]:
    """What people say of the systems of a campaign under one kind of judgement, or several together.

    ``method`` names a normalisation of raters, ``ranking`` how ranks become scores, ``missing`` a score that stands for
    no judgement. With ``plain_means`` systems have the means of what was judged for each, as WMT publishes them.
    ``humans`` are the people among the systems: why those are not there that the campaign was left without.
    """
    given = campaign.judgements
    if given is None or len(given) == 0:
        raise InputError(
            f"{campaign.name} has no judgements. Put a human.tsv into the folder (system, segment, document, rater, "
            "score, kind), or name a file: --judgements FILE."
        )
    name, judgements, ranked, _, counts = choose(given, kind, missing=missing, lower_is_better=lower_is_better)
    if not len(judgements) and counts["no_counterpart"]:
        raise InputError(
            f"{campaign.name}: no rater judged an item under every kind of {name}. Try --kind {name.replace('+', ',')}."
        )
    unused = Counter({_REASONS[key].format(missing=missing, name=name): count for key, count in counts.items()})
    # Raters are normalised over all that they judged, before systems are left out.
    judgements = judgements if method == "none" else normalise(judgements, method)
    added = None if plain_means or method == "none" else what_raters_saw(judgements, method)
    if added is not None and not _same_work(judgements):
        warnings.warn(
            f"{method}: raters judged different segments or systems, and what they saw is part of their means and "
            "spreads. Scores of systems and documents allow for the means, not for the spreads, which may still favour "
            "a system; --normalise mixed goes by neither.",
            AssayWarning,
            stacklevel=2,
        )
    system, document = judgements.system, judgements.document
    strange = ~system.holds(campaign.systems)
    left_out = strange & system.holds(humans)
    reasons = {
        f"of {what} ({', '.join(sorted(system.only(rows).names))})": rows
        for what, rows in ((HUMANS, left_out), ("systems that are not scored", strange & ~left_out))
    }
    if not ranked:
        elsewhere = (document.codes >= 0) & ~document.holds(campaign.documents or ())
        reasons["of documents that the campaign does not have"] = (judgements.segment < 0) & elsewhere
    kept = usable(judgements, reasons, unused)
    judgements, added = judgements.only(kept), None if added is None else added[kept]
    systems = tuple(name for name in campaign.systems if name in judgements.system.names)
    rankings = Rankings.of(judgements, systems, len(campaign), ranking) if ranked else None
    usage = Usage(len(given), dict(unused + Counter({} if rankings is None else rankings.pairs.unused)))
    if not usage.used:
        raise InputError(
            f"{campaign.name}: none of the judgements can be used. {usage} The systems are "
            f"{', '.join(campaign.systems) or 'none'}."
        )
    unjudged = [name for name in campaign.systems if name not in systems]
    if unjudged:
        warnings.warn(f"Nobody judged {', '.join(unjudged)}: left out.", AssayWarning, stacklevel=2)
    if rankings is not None:
        return replace(rankings, name=name), usage
    labels = None if campaign.documents is None else Factor.of(campaign.documents)
    ratings = replace(
        Ratings.of(judgements, systems, len(campaign), labels, added), name=name, adjusted=not plain_means
    )
    _warn_of_apart(ratings)
    return ratings, usage


def _same_work(judgements: Judgements) -> bool:
    """Whether all raters judged the same segments of the same systems."""
    known = judgements.rater.codes >= 0
    item = (judgements.parts * len(judgements.system.names) + judgements.system.codes)[known]
    pairs = np.unique(np.stack([judgements.rater.codes[known], item]), axis=1).shape[1]
    return bool(pairs == len(np.unique(judgements.rater.codes[known])) * len(np.unique(item)))


def _warn_of_apart(ratings: Ratings) -> None:
    """Say which systems cannot be compared with the others, for no segment was judged for both."""
    scores = ratings.system_scores(np.ones((1, ratings.mask.shape[1])))[0]
    apart = [name for name, missing in zip(ratings.systems, np.isnan(scores), strict=True) if missing]
    if not apart:
        return
    what = "Which of them is better cannot be told from how hard their segments are; single segments can be measured."
    if len(apart) < len(ratings.systems):
        said = (
            f"No segment was judged both for {', '.join(apart)} and for the other systems, nor by way of a third one."
        )
        what = f"Scores of systems leave {'it' if len(apart) == 1 else 'them'} out: {what[0].lower()}{what[1:]}"
    elif not (ratings.mask.sum(axis=0) > 1).any():
        said = "No two systems were judged on the same segment."
    else:
        said = f"No two groups of systems share a judged segment ({', '.join(apart)}), and none is larger than another."
    warnings.warn(AssayWarning(f"{said} {what}", level="warning"), stacklevel=3)


def adjustment(people: People) -> tuple[str, ...]:
    """What is said where people's scores of systems are adjusted, for not everything was judged; else nothing."""
    judged = people.mask.any(axis=0)
    cells, whole = int(people.mask.sum()), int(judged.sum()) * len(people.systems)
    if not (isinstance(people, Ratings) and people.adjusted) or cells == whole or people.given:
        return ()
    # Not all of them, not even where a few are missing.
    share = min(round(100 * cells / whole), 99)
    return (
        f"{share} % of the translations of judged segments were judged, not the same segments for all systems: "
        "people's scores of systems and documents are adjusted for segments. --plain-means takes the means of what was "
        "judged.",
    )


def usage_at(level: str, people: People, usage: Usage) -> Usage:
    """The fate of all judgements at a level: those of documents serve none here, those of systems not segments."""
    judgements = people.judgements
    coarse = judgements.segment < 0
    of_document = coarse & (judgements.document.codes >= 0)
    unused = Counter(usage.unused)
    unused["of whole documents"] += judgements.count(of_document)
    if level == "segment":
        unused["of whole systems"] += judgements.count(coarse & ~of_document)
    return Usage(usage.total, dict(+unused))


def _kind_name(judgements: Judgements, kind: Iterable[str] | str | None) -> str:
    """The wanted kind, which may be ``a/b`` or ``a+b``; without a wish there must be one kind only."""
    wanted = [kind] if isinstance(kind, str) else list(kind or judgements.kinds)
    if len(wanted) > 1 and kind:
        raise ParameterError(f"One kind of judgement at a time, not {', '.join(wanted)}.")
    if len(wanted) > 1:
        raise InputError(
            f"{judgements.origin}: there are several kinds of judgement: {listed_kinds(judgements)}. Choose with "
            "--kind: A,B takes each apart, A+B their mean per rater and item, A/B takes kinds on one scale together."
        )
    return wanted[0]


def listed_kinds(judgements: Judgements) -> str:
    """The kinds there are, and how many judgements of each."""
    counts = np.bincount(judgements.kind.codes, minlength=len(judgements.kinds)).tolist()
    return ", ".join(f"{name} ({count:,})" for name, count in zip(judgements.kinds, counts, strict=True))


def with_hter(
    campaign: Campaign, metric: Metric | None = None, *, threads: int | None = None, known: Counted | None = None
) -> Campaign:
    """The campaign with a judgement of kind ``hter`` per segment: minus HTER, so that higher is better.

    ``metric`` is HTER as it cuts words. What is ``known`` is not counted again.

    Systems without a post-edit of their own get none. A kind of that name in the campaign's own judgements stays.
    """
    given = campaign.judgements
    if given is not None and HTER in given.kinds:
        return campaign
    if not campaign.targeted:
        raise InputError(
            f"{campaign.name} has no judgements of kind {HTER!r} and no post-edits to make them from: ref.pe.txt or "
            "ref.pe.<system>.txt in a campaign folder, or --targeted."
        )
    corpora = {name: corpus for name, corpus in campaign.corpora().items() if corpus.targeted}
    counted = evaluate_all([Hter() if metric is None else metric], corpora, threads=threads, known=known)
    made = [
        Judgement(system, segment, -score, HTER)
        for (system, _), statistics in counted.items()
        for segment, score in enumerate(np.asarray(statistics.segment_scores()).tolist())
    ]
    judgements = Judgements.of(made, "post-edits")
    return campaign.with_judgements(judgements if given is None else given.joined(judgements))
