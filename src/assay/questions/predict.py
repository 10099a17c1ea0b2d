"""``assay predict``: what would people say of these translations? A saved model applied to a campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign, only
from assay.data.external import ExternalScores
from assay.data.layers import named_layers
from assay.data.problems import note
from assay.errors import InputError, counted, shown
from assay.learned.features import FeatureTable, feature_table, referenced
from assay.learned.model import plain
from assay.learned.model_file import ModelCard, QualityModel, load_predictor
from assay.properties import cached_property
from assay.questions.asked import Asked, Data
from assay.questions.base import Question, option
from assay.questions.score import require_labels
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table, View
from assay.scoring.statistics import KEYS, Level
from assay.significance.draws import NO_INTERVAL, Interval, Units, interval, resampled_scores
from assay.version import __version__

#: What the table of a card says of a feature; ``setup`` has all of its signature.
_FEATURE_COLUMNS = ("name", "metric", "part", "higher_is_better", "fields")


def _model(given: Any) -> str | Path | QualityModel:
    if not isinstance(given, (str, Path, QualityModel)):
        raise TypeError(f"{shown(given)} is no model.")
    return given


@dataclass(frozen=True, kw_only=True)
class Predict(Question):
    """What would people say of these translations? A model that assay learn saved is applied to a campaign.

      assay predict model.json campaign/

      assay predict model.json campaign/ --segments --format tsv -o predictions.tsv

      assay predict model.json --card

    MODEL is data: loading it runs nothing. It is refused if one of its features is not what it was in training.
    """

    name: ClassVar[str] = "predict"
    question: ClassVar[str] = "What would people say of these translations?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, "models that assay learn --save wrote": 1}
    takes: ClassVar[tuple[str, ...]] = ("texts", "scores", "layers", "units")
    arguments: ClassVar[tuple[str, ...]] = ("model",)
    working: ClassVar[str] = "Predicting"

    model: str | Path | QualityModel = option(MISSING, "A file that assay learn wrote.", parse=_model)
    segments: bool = option(False, "Predictions per segment as well; in TSV and CSV instead.")
    documents: bool = option(False, "Predictions per document as well; in TSV and CSV instead.")
    domains: bool = option(False, "Predictions per domain as well; in TSV and CSV instead.")
    card: bool = option(False, "Show what the model was trained on and how good it is, and stop.")
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)

    def check(self) -> None:
        _ = self.loaded

    @cached_property
    def loaded(self) -> QualityModel:
        """The model itself."""
        return self.model if isinstance(self.model, QualityModel) else load_predictor(self.model)

    @property
    def needs_data(self) -> bool:
        return not self.card

    def named_scores(self, known: Collection[str]) -> Sequence[str]:
        """Those that the model has features of."""
        return [name for name in self.loaded.external if name in known]

    def options(self, data: Data) -> dict[str, Any]:
        named = self.loaded.digest if isinstance(self.model, QualityModel) else str(self.model)
        return super().options(data) | {"model": named}

    def answer(self, asked: Asked) -> Result:
        if self.card:
            return _card_of(self.loaded, str(self.model) if isinstance(self.model, (str, Path)) else "A model")
        levels: tuple[Level, ...] = tuple(level for level in KEYS if getattr(self, level))
        campaign, model = asked.chosen, self.loaded
        require_labels(campaign, levels)
        model.require_present_definition()
        needed = [one for one in asked.scores if one.name in model.external]
        if unused := [repr(one.name) for one in asked.scores if one.name not in model.external]:
            note(f"The model has no feature {', '.join(unused)}; these scores are not used.")
        kept = _with_references(campaign, model)
        some = campaign if len(kept) == len(campaign) else only(campaign, kept)
        features = feature_table(
            some,
            model.features,
            scores=[one.of_segments(kept) for one in needed],
            threads=asked.threads,
            progress=asked.part(0.0, 1.0),
            of_model=True,
            layers=named_layers(asked.data.layers),
            known=asked.counted,
        )
        _require_same_direction(needed, model)
        _mention_differences((campaign, some), features.references, model)
        found, units = _Predictions.of(model, features), asked.units(some)
        tables = {"predictions": found.of_systems(units, self.samples, asked.seed)}
        tables |= {level: found.of_level(level, campaign, kept) for level in levels}
        for other in model.others:
            beside = _Predictions.of(other, features)
            beside.add(tables["predictions"], beside.of_systems(units, self.samples, asked.seed), ("low", "high"))
            for level in levels:
                beside.add(tables[level], beside.of_level(level, campaign, kept))
        title = f"{campaign.name}: {counted(len(kept), 'segment')}, references {', '.join(features.references)}"
        return Result(
            "predict",
            tables,
            (found.system_view(title, tables["predictions"]), *(found.level_view(level) for level in levels)),
            (asked.about_units(units, campaign=some),) if self.samples else (),
            setup={"model": _described(model), "references": list(features.references), "unit": model.card.unit}
            | ({"tasks": {name: one.card.unit for name, one in model.tasks.items()}} if model.others else {}),
            signatures={"predictor": self._signature(some, features, asked.seed)},
            main=levels[0] if len(levels) == 1 else "predictions",
            made=features,
        )

    def _signature(self, campaign: Campaign, features: FeatureTable, seed: int) -> str:
        """One line that says which model saw which texts."""
        digests = "+".join(campaign.references[name].digest[:12] for name in features.references)
        return "|".join(
            [
                f"model:{self.loaded.digest[:12]}",
                f"kind:{self.loaded.model.kind}",
                f"references:{len(features.references)}",
                f"segments:{len(campaign)}",
                *([f"seed:{seed}", f"samples:{self.samples}"] if self.samples else []),
                f"version:{__version__}",
                *([f"reference:{digests}"] if digests else []),
            ]
        )


@dataclass(frozen=True, eq=False)
class _Predictions:
    """A score for every translation that has a reference, and of a model of grades their probabilities."""

    model: QualityModel
    systems: tuple[str, ...]
    #: Systems by segments that have a reference.
    scores: Array
    #: The same by grades; None of a model that gives scores alone.
    probabilities: Array | None

    @classmethod
    def of(cls, model: QualityModel, features: FeatureTable) -> _Predictions:
        """Of all translations of a table, in which every system has every segment."""
        scores, probabilities = model.predictions(features)
        shape = (len(features.campaign.systems), len(features.campaign))
        by_grade = None if probabilities is None else probabilities.reshape(*shape, -1)
        return cls(model, tuple(features.campaign.systems), scores.reshape(shape), by_grade)

    @property
    def grades(self) -> tuple[str, ...]:
        """From the worst to the best; empty of a model that gives scores alone."""
        return () if self.model.classes is None else self.model.classes.names

    def of_systems(self, units: Units, samples: int, seed: int) -> Table:
        """The mean score with its interval, and the share of each grade, 0 to 100."""
        intervals = self._intervals(units, samples, seed) if samples else [NO_INTERVAL] * len(self.systems)
        return [
            {"system": system, "score": None, "low": low, "high": high} | self._mean(number, slice(None))
            for number, (system, (low, high)) in enumerate(zip(self.systems, intervals, strict=True))
        ]

    def _intervals(self, units: Units, samples: int, seed: int) -> list[Interval]:
        """Of the systems' means, all from the same samples."""
        tables = [units.sums(np.stack([scores, np.ones(len(scores))], axis=1)) for scores in self.scores]
        drawn = resampled_scores([(_mean, rows) for rows in tables], units, samples=samples, seed=seed)
        return [
            interval(means, len(units), jackknife=_mean(rows.sum(axis=0) - rows))
            for rows, means in zip(tables, drawn, strict=True)
        ]

    def of_level(self, level: Level, campaign: Campaign, kept: Codes) -> Table:
        """A row per system and segment, document or domain of a campaign of which the segments ``kept`` are here."""
        if level == "segments":
            places = dict(zip(kept.tolist(), range(len(kept)), strict=True))
            return [
                {"system": system, "segment": name} | self._translation(number, places.get(segment))
                for number, system in enumerate(self.systems)
                for segment, name in enumerate(campaign.segment_names())
            ]
        labels = np.array(getattr(campaign, level), dtype=object)
        return [
            {"system": system, KEYS[level]: name} | self._mean(number, labels[kept] == name)
            for number, system in enumerate(self.systems)
            for name in dict.fromkeys(labels)
        ]

    def add(self, rows: Table, own: Table, ends: Sequence[str] = ()) -> None:
        """Put the score of each row of ``own``, and its ends, beside those of another task, under the task's name."""
        task = self.model.card.task
        cells = {task: "score"} | {f"{task}_{end}": end for end in ends}
        if any(name in row for row in rows[:1] for name in cells):
            raise InputError(f"The model has a task that is called {task!r}, as a column of its own predictions is.")
        for row, one in zip(rows, own, strict=True):
            row.update({name: one[cell] for name, cell in cells.items()})

    def _mean(self, system: int, chosen: Flags | slice) -> dict[str, Any]:
        """The mean score of some segments, the share of each grade, and how many they are; None without a reference."""
        scores, shares = self.scores[system, chosen], [None] * len(self.grades)
        if self.probabilities is not None and len(scores):
            shares = (100.0 * self.probabilities[system, chosen].mean(axis=0)).tolist()
        named = {f"share_{name}": share for name, share in zip(self.grades, shares, strict=True)}
        return {"score": float(scores.mean()) if len(scores) else None, **named, "segments": len(scores)}

    def _translation(self, system: int, place: int | None) -> dict[str, Any]:
        """The score, and of a grader the likeliest grade and the probability of each; None without a reference."""
        score = None if place is None else float(self.scores[system, place])
        if self.probabilities is None:
            return {"score": score}
        if place is None:
            return {"score": None, "grade": None} | dict.fromkeys(f"probability_{name}" for name in self.grades)
        chances = self.probabilities[system, place]
        named = {f"probability_{name}": chance for name, chance in zip(self.grades, chances.tolist(), strict=True)}
        return {"score": score, "grade": self.grades[int(chances.argmax())], **named}

    def system_view(self, title: str, rows: Table) -> View:
        """Systems from the best to the worst."""
        card, score = self.model.card, Column("score", None, ".2f", better="higher")
        learner = f" by {card.method}" if card.method else ""
        interval = [] if rows[0]["low"] is None else [Column("low", "95 % interval", ".2f", high="high")]
        others = self.model.others
        return View(
            f"{title}; predicted{learner}: {card.unit}",
            "predictions",
            (score, *interval, *self._share_columns(), *self._other_columns(intervals=True)),
            keys=(Column("system"),),
            order=tuple(row["system"] for row in sorted(rows, key=lambda row: -row["score"])),
            notes=tuple(f"{one.card.task}: {one.card.unit}, by {one.card.method}." for one in others),
        )

    def _other_columns(self, *, intervals: bool = False) -> list[Column]:
        """The further tasks of the file, a column each."""
        tasks = [one.card.task for one in self.model.others]
        ends = [(f"{task}_low", f"{task}_high") if intervals else (None, None) for task in tasks]
        return [Column(task, None, ".2f", low=low, high=high) for task, (low, high) in zip(tasks, ends, strict=True)]

    def level_view(self, level: Level) -> View:
        """Segments with their grades, documents and domains with the shares of grades."""
        columns = [Column("score", None, ".2f"), *self._share_columns()]
        if level == "segments" and self.grades:
            shares = [Column(f"probability_{name}", f"P({name})", ".2f") for name in self.grades]
            columns = [Column("grade"), columns[0], *shares]
        columns += self._other_columns()
        return View(level.capitalize(), level, tuple(columns), keys=(Column("system"), Column(KEYS[level])))

    def _share_columns(self) -> list[Column]:
        return [Column(f"share_{name}", f"% {name}", ".1f") for name in self.grades]


def _with_references(campaign: Campaign, model: QualityModel) -> Codes:
    """The numbers of the segments that can be compared with a reference; the others are counted in a note."""
    there = referenced(campaign, model.features)
    count = int((~there).sum())
    if not there.any():
        raise InputError(
            f"{campaign.name}: no segment has a word in the references {', '.join(campaign.references)}. Choose others "
            "with --refs."
        )
    if count:
        note(
            f"{count:,} of {len(campaign):,} segments are left out, because they have no word in the references "
            f"{', '.join(campaign.references)}. Choose others with --refs."
        )
    return np.flatnonzero(there)


def _require_same_direction(scores: Sequence[ExternalScores], model: QualityModel) -> None:
    better = {feature.name: feature.higher_is_better for feature in model.features}
    for one in scores:
        if better[one.name] != one.higher_is_better:
            way = "higher" if better[one.name] else "lower"
            raise InputError(
                f"{one.origin or one.name}: of {one.name!r} {way} values were better when the model was trained. "
                "Say with --scores-lower of which metrics lower values are better."
            )


def _mention_differences(campaigns: Iterable[Campaign], references: Sequence[str], model: QualityModel) -> None:
    """Say where the campaign is unlike what the model learned from, or is the very same.

    It comes with all segments and with those that have references alone: a model may have learned from either.
    """
    counts = {len(one.references) for one in model.card.training}
    if counts and len(references) not in counts:
        known = " or ".join(str(count) for count in sorted(counts))
        note(
            f"The model learned from {known} reference{'' if counts == {1} else 's'} per segment, and here are "
            f"{len(references)}: most metrics rise with more references, and predictions with them. Choose "
            "references with --refs."
        )
    # What saw no judgement has learned nothing by heart.
    learned = {digest for one in model.card.training for digest in one.digests.values()}
    seen = dict.fromkeys(
        name for campaign in campaigns for name, column in campaign.systems.items() if column.digest in learned
    )
    if seen and model.card.kinds:
        note(
            f"The model was trained on these very translations: {', '.join(seen)}. What it says of them is no test of "
            "it; its card has the results on segments that it had not seen."
        )


def _described(model: QualityModel) -> dict[str, Any]:
    """A model without its numbers."""
    features = [str(feature) for feature in model.features]
    described = {"kind": model.model.kind, "digest": model.digest, "features": features, "card": plain(model.card)}
    others = [{"kind": one.model.kind, "card": plain(one.card)} for one in model.others]
    return described | ({"others": others} if others else {})


def _card_of(model: QualityModel, origin: str) -> Result:
    """What a model was trained on, for what, how it was tested, and with what result."""
    signatures = [plain(signature) for signature in model.signatures]
    tables: dict[str, Table] = {
        "card": [{"field": name, "value": value} for name, value in _card_rows(model)],
        "held_out": _held_out(model),
        "features": [{name: data[name] for name in _FEATURE_COLUMNS} for data in signatures],
    }
    kinds = ", ".join(dict.fromkeys(one.model.kind for one in model.tasks.values()))
    what = f"models of {len(model.tasks)} tasks, kinds {kinds}" if model.others else f"a model of kind {kinds}"
    view = View(f"{origin}: {what}", "card", (Column("field"), Column("value")))
    setup = {"model": _described(model) | {"features": signatures}}
    return Result("predict", tables, (view,), setup=setup, made=model)


def _held_out(model: QualityModel) -> Table:
    """Results on segments that were not seen; of several tasks, with the name of each."""
    named = [({"task": task} if model.others else {}, one.card.held_out) for task, one in model.tasks.items()]
    return [cells | plain(score) for cells, scores in named for score in scores]


def _card_rows(model: QualityModel) -> list[tuple[str, str]]:
    card = model.card
    rows = [("method", card.method), ("task", card.task), ("unit", card.unit), ("judgements", ", ".join(card.kinds))]
    for one in card.training:
        systems = counted(len(one.systems), "system")
        counts = f"{one.translations:,} judged translations, {one.segments:,} segments, {systems}"
        rows.append(("trained on", f"{one.campaign}: {counts}, references {', '.join(one.references)}"))
        rows += [("digest", f"{what}: {digest}") for what, digest in one.digests.items()]
    rows += [
        ("grades", ", ".join(card.grades)),
        ("cut points", ", ".join(f"{cut:g}" for cut in card.cuts)),
        ("folds", card.folds),
    ]
    rows += _results_of(card)
    rows += [(f"feature {signature.name}", str(signature)) for signature in model.signatures]
    rows += [(f"setting {name}", value) for name, value in card.settings.items()]
    rows += [(f"version of {name}", value) for name, value in card.versions.items()]
    rows += [("seed", "" if card.seed is None else str(card.seed)), *(("note", text) for text in card.notes)]
    for other in (one.card for one in model.others):
        rows += [("method", other.method), ("task", other.task), ("unit", other.unit), *_results_of(other)]
        rows += [(f"setting {name}", value) for name, value in other.settings.items()]
    rows.append(("content digest", model.digest))
    return [(name, value) for name, value in rows if value]


def _results_of(card: ModelCard) -> list[tuple[str, str]]:
    """How good a model was on segments that it had not seen."""
    return [
        ("held out", f"{result.statistic}: {result.value:.4g}{bracketed(result.low, result.high, '.4g')}")
        for result in card.held_out
    ]


def _mean(rows: Array) -> Array:
    """Rows of a sum and a count."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(rows[..., 0] / rows[..., 1])
