"""A quality model and its file: features, numbers and card in one JSON object that runs nothing when it is loaded.

Models are learnt from judgements; ``combine`` makes one without.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec
import numpy as np

from assay.arguments import checked
from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.files import COMPRESSED, write_files
from assay.data.formats import read
from assay.errors import InputError, ParameterError, UnknownName
from assay.learned.combination import MEANS
from assay.learned.features import Feature, FeatureTable, feature_table
from assay.learned.learners import AnyModel
from assay.learned.model import Classes, Count, Data, Grader, Model, Number, Text, at, plain
from assay.learned.plain_json import canonical, digest_of, parse_json, read_json, typed
from assay.learned.signatures import MOST_FEATURES, FeatureSignature, require_same_features
from assay.metrics.base import Metric
from assay.properties import cached_property
from assay.version import __version__

FORMAT = "assay quality model"
#: Of a file with a model of one task, and of one with several. Raised when older versions of Assay could not read a
#: file any more; what they can read is still written as they know it.
_ONE_TASK, FORMAT_VERSION = 1, 2
#: More tasks than anybody asks of one translation.
_MOST_TASKS = 1000


class TrainingData(Data, frozen=True):
    """One campaign that a model learned from; ``digests`` stand for its texts and judgements, by what they are of."""

    campaign: Text
    systems: tuple[Text, ...]
    references: tuple[Text, ...]
    segments: Count
    #: Translations with a judgement that the model saw.
    translations: Count
    digests: dict[Text, Text] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, table: FeatureTable, **digests: str) -> TrainingData:
        """What a card says of a campaign; ``digests`` are further ones than those of texts, such as of judgements."""
        campaign, segments = table.campaign, len(set(table.segments.tolist()))
        texts = {f"system {name}": column.digest for name, column in campaign.systems.items()}
        texts |= {f"reference {name}": campaign.references[name].digest for name in table.references}
        for layer, tags in table.layers.items():
            texts |= {f"layer {layer}, system {name}": column.digest for name, column in tags.systems.items()}
            texts |= {f"layer {layer}, reference {name}": tags.references[name].digest for name in table.references}
        return cls(campaign.name, tuple(campaign.systems), table.references, segments, len(table), texts | digests)


class HeldOutScore(Data, frozen=True):
    """One result on segments that the model had not seen, with its 95 % interval where there is one."""

    statistic: Text
    value: Number
    low: Number | None = None
    high: Number | None = None


class ModelCard(Data, frozen=True, kw_only=True):
    """What a model was trained on, for what, how it was tested, and with what result.

    It is what somebody has to know before trusting a model. No date: the same seed gives the same file.
    """

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
    settings: dict[Text, Text] = msgspec.field(default_factory=dict)
    #: Of the programs that took part.
    versions: dict[Text, Text] = msgspec.field(default_factory=dict)
    seed: Count | None = None
    notes: tuple[Text, ...] = ()


def versions(*packages: str) -> dict[str, str]:
    """The versions of Assay, Python, numpy and the named packages."""
    from importlib.metadata import version

    known = {"assay": __version__, "python": platform.python_version()}
    return known | {package: version(package) for package in ("numpy", *packages)}


class _Task(Data, frozen=True):
    """A model and what is to be known of it."""

    card: ModelCard
    model: AnyModel

    def check(self, features: int) -> None:
        """Refuse values that have the right types and make no model of so many features."""
        with at(".model"):
            self.model.check()
        if features != self.model.inputs:
            raise InputError(f": the model takes {self.model.inputs} features, but {features} are listed.")


def _task(card: ModelCard, model: Model) -> _Task:
    return _Task(card, cast(AnyModel, model))


_Features = Annotated[tuple[FeatureSignature, ...], msgspec.Meta(max_length=MOST_FEATURES)]


class _OneTask(Data, frozen=True):
    """What the digest is about, of a file with one task."""

    card: ModelCard
    features: _Features
    model: AnyModel

    @property
    def tasks(self) -> tuple[_Task, ...]:
        """The one there is."""
        return (_Task(self.card, self.model),)

    def check(self) -> None:
        """Refuse values that have the right types and make no model."""
        _check_features(self.features)
        self.tasks[0].check(len(self.features))


class _Several(Data, frozen=True):
    """The same of a file with several: all see the same features."""

    features: _Features
    tasks: Annotated[tuple[_Task, ...], msgspec.Meta(min_length=1, max_length=_MOST_TASKS)]

    def check(self) -> None:
        """Refuse values that have the right types and make no models."""
        _check_features(self.features)
        for number, task in enumerate(self.tasks):
            with at(f".tasks[{number}]"):
                task.check(len(self.features))
        if len({task.card.task for task in self.tasks}) < len(self.tasks):
            raise InputError(".tasks: two tasks have one name.")


def _check_features(features: Sequence[FeatureSignature]) -> None:
    for number, signature in enumerate(features):
        with at(f".features[{number}]"):
            signature.check()
    if len({signature.name for signature in features}) < len(features):
        raise InputError(".features: two features have one name.")


def _plain_content(tasks: Sequence[_Task], features: Sequence[FeatureSignature]) -> dict[str, Any]:
    """As the file has it: one task on words as it has always been, several, and features of layers, in a list."""
    listed: dict[str, Any] = {"features": features, "tasks": tasks}
    if len(tasks) == 1 and not any(feature.layer for feature in features):
        listed = {"card": tasks[0].card, "features": features, "model": tasks[0].model}
    content: dict[str, Any] = plain(listed)
    for feature in content["features"]:
        # Nothing is said of layers where there is none, as before there were any.
        if feature["layer"] is None:
            del feature["layer"]
    return content


@dataclass(frozen=True, eq=False)
class QualityModel:
    """A model with the features that it takes and its card: all that a file holds."""

    model: Model
    features: tuple[Feature, ...]
    card: ModelCard
    signatures: tuple[FeatureSignature, ...] = field(repr=False)
    #: Stands for the content of the file.
    digest: str = field(repr=False)
    #: Models of further tasks in the same file, which see the same features.
    others: tuple[QualityModel, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, model: Model, features: Sequence[Feature], card: ModelCard) -> QualityModel:
        """A new model; its features are tried on the sample."""
        if len(features) != model.inputs:
            raise ParameterError(f"The model takes {model.inputs} features, and {len(features)} are named.")
        signatures = tuple(FeatureSignature.of(feature) for feature in features)
        digest = digest_of(_plain_content([_task(card, model)], signatures))
        return cls(model, tuple(features), card, signatures, digest)

    @classmethod
    def together(cls, models: Sequence[QualityModel]) -> QualityModel:
        """The first of several models of the same features, with the others beside it."""
        first, *others = models
        for other in others:
            if other.signatures != first.signatures:
                raise ParameterError("Models of one file see the same features, and these see different ones.")
        digest = digest_of(_plain_content([_task(one.card, one.model) for one in models], first.signatures))
        return replace(first, digest=digest, others=tuple(replace(one, digest=digest) for one in others))

    @property
    def tasks(self) -> dict[str, QualityModel]:
        """The models of all tasks of the file, by what was learned; the first one is this."""
        return {one.card.task: one for one in (self, *self.others)}

    def of_task(self, task: str | None) -> QualityModel:
        """The model of one task of the file; without a name the first."""
        if task is None:
            return self
        if task not in self.tasks:
            raise UnknownName.of("task of the model", task, self.tasks)
        return self.tasks[task]

    @property
    def classes(self) -> Classes | None:
        """The grades that it gives, if it gives any."""
        return self.model.classes if isinstance(self.model, Grader) else None

    @property
    def external(self) -> tuple[str, ...]:
        """Features that score files of other programs have to supply."""
        return tuple(feature.name for feature in self.features if feature.metric is None)

    @property
    def layers(self) -> tuple[str, ...]:
        """Layers over the texts that have to be given."""
        return tuple(dict.fromkeys(feature.layer for feature in self.features if feature.layer is not None))

    @cached_property
    def _tried(self) -> bool:
        for signature, feature in zip(self.signatures, self.features, strict=True):
            signature.require_resources(feature)
            signature.require_sample(feature)
        return True

    def require_present_definition(self) -> None:
        """Refuse to work where a feature no longer gives what it gave when the model was saved."""
        _ = self._tried

    def scores(self, table: FeatureTable) -> Array:
        """A score per row of a table of these very features."""
        return self.predictions(table)[0]

    def probabilities(self, table: FeatureTable) -> Array:
        """Rows by grades."""
        _, found = self.predictions(table)
        if found is None:
            raise ParameterError(f"A model of kind {self.model.kind} gives scores, and no probabilities of grades.")
        return found

    def predictions(self, table: FeatureTable) -> tuple[Array, Array | None]:
        """Both at once."""
        require_same_features(self.signatures, table.features)
        self.require_present_definition()
        return self.apply(table.values)

    def apply(self, values: Array) -> tuple[Array, Array | None]:
        """Scores of rows of features, and probabilities of a grader; each is a finite number, or it is an error."""
        model = self.model
        with np.errstate(all="ignore"):
            if isinstance(model, Grader):
                probabilities = model.probabilities(values)
                # What its score is, without asking it twice.
                scores = model.classes.expected(probabilities)
            else:
                probabilities, scores = None, model.score(values)
        bad = ~np.isfinite(scores)
        if probabilities is not None:
            bad |= ~np.isfinite(probabilities).all(axis=1)
        if bad.any():
            shown = ", ".join(
                f"{one.name} {value:g}" for one, value in zip(self.features, values[bad.argmax()], strict=True)
            )
            raise InputError(f"The model gives no finite number for a translation with these features: {shown}.")
        return scores, probabilities

    def to_json(self) -> str:
        """The file's text: the same model gives the same bytes."""
        tasks = [_task(one.card, one.model) for one in (self, *self.others)]
        content = _plain_content(tasks, self.signatures)
        version = FORMAT_VERSION if "tasks" in content else _ONE_TASK
        head = {"format": FORMAT, "version": version, "digest": digest_of(content)}
        lines = [f"{json.dumps(key)}: {canonical(value)}" for key, value in (head | content).items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @checked
    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the file, whole or not at all; what is there already stays, unless ``overwrite`` is said."""
        if Path(path).suffix in COMPRESSED:
            raise InputError(f"{path}: a model is a plain JSON file. Leave out the ending of the compression.")
        content = self.to_json().encode("ascii")
        # What could not be read again is not written.
        parse_model(content, str(path))
        write_files({"": [content]}, path, overwrite=overwrite, consent="--overwrite")
        return Path(path)


@checked
def load_predictor(path: str | Path) -> QualityModel:
    """The model in a file that ``assay learn`` wrote: checked to the last value, and nothing in it is run."""
    return _read(read_json(path), str(path))


def load_model_once(path: str | Path) -> QualityModel:
    """The same, from memory while the file stays what it was."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return load_predictor(path)
    found = _remembered(str(Path(path).absolute()), str(path), state.st_mtime_ns, state.st_size, state.st_ino)
    # The files that features depend on may have changed since.
    require_same_features(found.signatures, found.features)
    return found


@lru_cache(maxsize=16)
def _remembered(absolute: str, path: str, *state: int) -> QualityModel:  # noqa: ARG001 - they are what is looked up
    return load_predictor(path)


def parse_model(text: str | bytes, where: str = "model") -> QualityModel:
    """A model out of the text of its file."""
    return _read(parse_json(text.encode() if isinstance(text, str) else text, where), where)


def _read(data: dict[str, Any], where: str) -> QualityModel:
    if data.pop("format", None) != FORMAT:
        raise InputError(f'{where}: not a model of Assay: a model says "format": "{FORMAT}".')
    written = typed(data.pop("version", None), Annotated[int, msgspec.Meta(ge=1)], f"{where}.version")
    if written > FORMAT_VERSION:
        raise InputError(
            f"{where}: written by a newer Assay (format {written}; this one reads {FORMAT_VERSION}). "
            "Install a newer one."
        )
    digest = typed(data.pop("digest", None), Text, f"{where}.digest")
    form: type[_OneTask | _Several] = _OneTask if written == _ONE_TASK else _Several
    present = digest_of({key: data[key] for key in form.__struct_fields__ if key in data})
    if digest != present:
        raise InputError(
            f"{where}: the file was changed after Assay wrote it: its content has the digest {present[:12]}, "
            f"and it says {digest[:12]!r}. A model is not edited by hand: train it again, or take "
            "the file as it was."
        )
    content: _OneTask | _Several = typed(data, form, where)
    with at(where):
        content.check()
    try:
        features = tuple(signature.feature() for signature in content.features)
    except InputError as error:
        writer = content.tasks[0].card.versions.get("assay")
        trained = f" The model was trained with Assay {writer}; this is {__version__}." if writer else ""
        raise InputError(f"{where}: {error}{trained}") from None
    first, *others = (QualityModel(one.model, features, one.card, content.features, digest) for one in content.tasks)
    return replace(first, others=tuple(others))


@checked
def combine(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric = "paper",
    *,
    method: Literal["uniform", "rank-average"] = "rank-average",
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    scores: Sequence[ExternalScores] = (),
    threads: int | None = None,
) -> QualityModel:
    """The mean of features, brought to one scale by the translations of ``campaign``: a baseline to beat.

    ``uniform`` standardises them, ``rank-average`` takes their ranks. Every feature must have a direction.
    """
    campaign = read(campaign) if isinstance(campaign, (str, Path)) else campaign
    chosen = campaign.choose(systems=systems, references=references)
    table = feature_table(chosen, features, scores=scores, threads=threads)
    model = MEANS[method].of(table.values, signs(table.features))
    card = ModelCard(
        task="none",
        unit=MEANS[method].unit.format(campaign=chosen.name),
        method=f"{method}, without training",
        training=(TrainingData.of(table),),
        versions=versions(),
        notes=("No judgement was looked at: the texts give the scale of each feature, and all weigh alike.",),
    )
    return QualityModel.of(model, table.features, card)


def signs(features: Sequence[Feature]) -> Codes:
    """1 for each feature of which more is better, -1 where less is; an error where nobody can say."""
    for feature in features:
        if feature.higher_is_better is None:
            raise ParameterError(
                f"The feature {feature.name!r} ({feature}) cannot be averaged: nobody can say whether more of it is "
                "better. Leave it out."
            )
    return np.array([1 if feature.higher_is_better else -1 for feature in features], dtype=np.int64)
