"""The model card: what a model was trained on, for what, how it was tested, and with what result."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.learned.saved.fields import Fields
from assay.version import __version__


def versions(*packages: str) -> dict[str, str]:
    """The versions of Assay, Python, numpy and the named packages."""
    from importlib.metadata import version

    return {
        "assay": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", *packages)},
    }


@dataclass(frozen=True)
class TrainingData:
    """One campaign that a model learned from; ``digests`` stand for its texts and judgements, by what they are of."""

    campaign: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    segments: int
    #: Translations with a judgement that the model saw.
    translations: int
    digests: Mapping[str, str] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "campaign": self.campaign,
            "systems": list(self.systems),
            "references": list(self.references),
            "segments": self.segments,
            "translations": self.translations,
            "digests": dict(self.digests),
        }

    @classmethod
    def from_data(cls, data: Any, where: str) -> TrainingData:
        """Out of plain data."""
        fields = Fields(data, where)
        found = cls(
            fields.text("campaign"),
            fields.texts("systems"),
            fields.texts("references"),
            fields.integer("segments"),
            fields.integer("translations"),
            fields.text_map("digests"),
        )
        fields.finish()
        return found


@dataclass(frozen=True)
class HeldOutScore:
    """One result on segments that the model had not seen, with its 95 % interval where there is one."""

    statistic: str
    value: float
    low: float | None = None
    high: float | None = None

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {"statistic": self.statistic, "value": self.value, "low": self.low, "high": self.high}

    @classmethod
    def from_data(cls, data: Any, where: str) -> HeldOutScore:
        """Out of plain data."""
        fields = Fields(data, where)
        low = fields.number("low") if fields.has("low") else None
        high = fields.number("high") if fields.has("high") else None
        found = cls(fields.text("statistic"), fields.number("value"), low, high)
        fields.finish()
        return found


@dataclass(frozen=True)
class ModelCard:
    """What somebody has to know before trusting a model. No date: the same seed gives the same file."""

    #: What was learned: ``43210``, ``43_210``, ``scores``, ``preference``, or ``none`` for a combination.
    task: str
    #: What a score of the model is, in words: ``expected grade, 0 to 4``.
    unit: str
    #: How the model is called: ``decision tree``, ``ridge``.
    method: str = ""
    #: Kinds of judgement.
    kinds: tuple[str, ...] = ()
    training: tuple[TrainingData, ...] = ()
    #: Names of the grades from the worst to the best, and the scores at which one ends and the next begins.
    grades: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()
    #: In words: ``10 folds, grouped by segment``.
    folds: str = ""
    held_out: tuple[HeldOutScore, ...] = ()
    #: What was chosen on the way, by name: the depth of a tree, the strength of a penalty.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Of the programs that took part.
    versions: Mapping[str, str] = field(default_factory=versions)
    seed: int | None = None
    notes: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "task": self.task,
            "unit": self.unit,
            "method": self.method,
            "kinds": list(self.kinds),
            "training": [one.to_data() for one in self.training],
            "grades": list(self.grades),
            "cuts": list(self.cuts),
            "folds": self.folds,
            "held_out": [one.to_data() for one in self.held_out],
            "settings": dict(self.settings),
            "versions": dict(self.versions),
            "seed": self.seed,
            "notes": list(self.notes),
        }

    @classmethod
    def from_data(cls, fields: Fields) -> ModelCard:
        """Out of plain data."""
        found = cls(
            task=fields.text("task"),
            unit=fields.text("unit"),
            method=fields.text("method"),
            kinds=fields.texts("kinds"),
            training=fields.each("training", TrainingData.from_data),
            grades=fields.texts("grades"),
            cuts=tuple(fields.numbers("cuts").tolist()),
            folds=fields.text("folds"),
            held_out=fields.each("held_out", HeldOutScore.from_data),
            settings=fields.text_map("settings"),
            versions=fields.text_map("versions"),
            seed=fields.integer("seed") if fields.has("seed") else None,
            notes=fields.texts("notes"),
        )
        fields.finish()
        return found
