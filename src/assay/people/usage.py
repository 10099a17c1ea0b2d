"""Which judgements are used: of a kind, with a score, of systems that are scored; the rest is counted and said."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.factor import Factor
from assay.data.judgements import Judgements, with_rankings
from assay.errors import AssayWarning, InputError, ParameterError
from assay.people.normalise import normalise
from assay.people.ratings import People, Rankings, Ratings, is_ranked

#: Why a judgement is not used that nobody asked for.
OTHER_KIND = "of another kind"
#: How far a judgement may be from the value that stands for a missing one.
EXACTLY = 1e-12


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


def people_of(
    campaign: Campaign,
    *,
    kind: Iterable[str] | str | None = None,
    method: str = "none",
    ranking: str = "wins",
    missing: float | None = None,
    lower_is_better: bool = False,
    seed: int = 1,
) -> tuple[People, Usage]:
    """What people say of the systems of a campaign under one kind of judgement, or several together.

    ``method`` names a normalisation of raters, ``ranking`` how ranks become scores, ``missing`` a score that stands for
    no judgement.
    """
    judgements = campaign.judgements
    if judgements is None or len(judgements) == 0:
        raise InputError(
            f"{campaign.name} has no judgements. Put a human.tsv into the folder (system, segment, document, rater, "
            "score, kind), or name a file: --judgements FILE."
        )
    unused, total = Counter[str](), len(judgements)
    chosen = choose_kind(judgements, kind)
    unused[OTHER_KIND] += total - len(chosen)
    ranked = is_ranked(chosen)
    if ranked:
        # Before anything is left out: what stands between two rankings keeps them apart.
        chosen = with_rankings(chosen)
    chosen = _drop(chosen, np.isnan(chosen.score), unused, "without a score")
    if missing is not None:
        chosen = _drop(chosen, np.abs(chosen.score - missing) <= EXACTLY, unused, f"equal to {missing:g} (missing)")
    if lower_is_better:
        chosen = replace(chosen, score=-chosen.score)
    if is_mean(judgements, name := kind_name(judgements, kind)):
        chosen, alone = chosen.averaged(name)
        unused[f"without a counterpart of every kind in {name}"] += alone
        if not len(chosen):
            apart = name.replace("+", ",")
            raise InputError(
                f"{campaign.name}: no rater judged an item under every kind of {name}. Try --kind {apart}."
            )
    # Raters are normalised over all that they judged, before systems are left out.
    chosen = normalise(chosen, method, seed=seed)
    chosen = _known(campaign, chosen, unused)
    if not ranked:
        chosen = _of_documents(campaign, chosen, unused)
    _require_some(campaign, Usage(total, dict(+unused)))
    systems = _judged_systems(campaign, chosen)
    people: People
    if ranked:
        people, reasons = Rankings.of(chosen, systems, len(campaign), ranking)
        unused.update(reasons)
    else:
        labels = None if campaign.documents is None else Factor.of(campaign.documents)
        people = Ratings.of(chosen, systems, len(campaign), labels)
    usage = Usage(total, dict(+unused))
    _require_some(campaign, usage)
    return replace(people, name=name), usage


def _require_some(campaign: Campaign, usage: Usage) -> None:
    if not usage.used:
        raise InputError(
            f"{campaign.name}: none of the judgements can be used. {usage} The systems are "
            f"{', '.join(campaign.systems) or 'none'}."
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


def choose_kind(judgements: Judgements, kind: Iterable[str] | str | None) -> Judgements:
    """Judgements of the wanted kind, which may be ``a/b`` or ``a+b``; without a wish there must be one kind only."""
    wanted = [kind] if isinstance(kind, str) else list(kind or ())
    if len(wanted) > 1:
        raise ParameterError(f"One kind of judgement at a time, not {', '.join(wanted)}.")
    if wanted:
        return judgements.of_kind(wanted[0])
    if len(judgements.kinds) > 1:
        raise InputError(
            f"{judgements.origin}: there are several kinds of judgement: {listed_kinds(judgements)}. Choose with "
            "--kind: A,B takes each apart, A+B their mean per rater and item, A/B takes kinds on one scale together."
        )
    return judgements


def kind_name(judgements: Judgements, kind: Iterable[str] | str | None) -> str:
    """What the chosen kind is called: as it was asked for, or the only one there is."""
    return next(iter([kind] if isinstance(kind, str) else kind or judgements.kinds))


def is_mean(judgements: Judgements, kind: str) -> bool:
    """Whether a kind is the mean of several: ``a+b``."""
    return "+" in kind and kind not in judgements.kinds


def listed_kinds(judgements: Judgements) -> str:
    """The kinds there are, and how many judgements of each."""
    counts = np.bincount(judgements.kind.codes, minlength=len(judgements.kinds)).tolist()
    return ", ".join(f"{name} ({count:,})" for name, count in zip(judgements.kinds, counts, strict=True))


def _known(campaign: Campaign, judgements: Judgements, unused: Counter[str]) -> Judgements:
    """Judgements of systems that are scored."""
    known = np.isin(judgements.system.codes, [judgements.system.number(name) for name in campaign.systems])
    strangers = judgements.system.only(~known)
    names = ", ".join(sorted(strangers.names))
    return _drop(judgements, ~known, unused, f"of systems that are not scored ({names})")


def _of_documents(campaign: Campaign, judgements: Judgements, unused: Counter[str]) -> Judgements:
    """Judgements without those of whole documents that the campaign does not have."""
    known = [code for code, name in enumerate(judgements.document.names) if name in set(campaign.documents or ())]
    codes = judgements.document.codes
    unknown = (judgements.segment < 0) & (codes >= 0) & ~np.isin(codes, known)
    return _drop(judgements, unknown, unused, "of documents that the campaign does not have")


def _drop(judgements: Judgements, rows: NDArray[np.bool_], unused: Counter[str], reason: str) -> Judgements:
    count = judgements.count(rows)
    unused[reason] += count
    return judgements.only(~rows) if count else judgements


def _judged_systems(campaign: Campaign, judgements: Judgements) -> tuple[str, ...]:
    """Systems with a judgement, in the campaign's order; the others are left out, and named."""
    systems = tuple(name for name in campaign.systems if name in judgements.system.names)
    unjudged = [name for name in campaign.systems if name not in systems]
    if unjudged:
        warnings.warn(f"Nobody judged {', '.join(unjudged)}: left out.", AssayWarning, stacklevel=3)
    return systems
