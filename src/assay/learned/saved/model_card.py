"""The model card: what a model was trained on, for what, how it was tested, and with what result."""

from __future__ import annotations

import platform

from msgspec import field

from assay.learned.models.data import Count, Data, Number, Text
from assay.version import __version__


def versions(*packages: str) -> dict[str, str]:
    """The versions of Assay, Python, numpy and the named packages."""
    from importlib.metadata import version

    return {
        "assay": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", *packages)},
    }


class TrainingData(Data, frozen=True):
    """One campaign that a model learned from; ``digests`` stand for its texts and judgements, by what they are of."""

    campaign: Text
    systems: tuple[Text, ...]
    references: tuple[Text, ...]
    segments: Count
    #: Translations with a judgement that the model saw.
    translations: Count
    digests: dict[Text, Text] = field(default_factory=dict)


class HeldOutScore(Data, frozen=True):
    """One result on segments that the model had not seen, with its 95 % interval where there is one."""

    statistic: Text
    value: Number
    low: Number | None = None
    high: Number | None = None


class ModelCard(Data, frozen=True, kw_only=True):
    """What somebody has to know before trusting a model. No date: the same seed gives the same file."""

    #: What was learned: ``grades``, ``grade>=3``, ``regression``, ``pairwise``, or ``none`` for a combination.
    task: Text
    #: What a score of the model is, in words: ``expected grade, 0 to 4``.
    unit: Text
    #: How the model is called: ``tree``, ``ridge``.
    method: Text = ""
    #: Kinds of judgement.
    kinds: tuple[Text, ...] = ()
    training: tuple[TrainingData, ...] = ()
    #: Names of the grades from the worst to the best, and the scores at which one ends and the next begins.
    grades: tuple[Text, ...] = ()
    cuts: tuple[Number, ...] = ()
    #: In words: ``10 folds, grouped by segment``.
    folds: Text = ""
    held_out: tuple[HeldOutScore, ...] = ()
    #: What was chosen on the way, by name: the depth of a tree, the strength of a penalty.
    settings: dict[Text, Text] = field(default_factory=dict)
    #: Of the programs that took part.
    versions: dict[Text, Text] = field(default_factory=dict)
    seed: Count | None = None
    notes: tuple[Text, ...] = ()
