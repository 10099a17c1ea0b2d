"""A quality model and its file: features, numbers and card in one JSON object that runs nothing when it is loaded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from assay.arrays import Array
from assay.data.files import is_compressed, write_files
from assay.errors import InputError, ParameterError
from assay.learned.features.feature import Feature
from assay.learned.features.table import FeatureTable
from assay.learned.models import AnyModel
from assay.learned.models.base import Classes, Grader, expected
from assay.learned.models.data import Data, Text, at, plain, read
from assay.learned.saved.model_card import ModelCard
from assay.learned.saved.plain_json import canonical, digest_of, parse_json, read_json
from assay.learned.saved.signatures import (
    MOST_FEATURES,
    FeatureSignature,
    require_finite_sample,
    require_same_features,
)
from assay.version import __version__

FORMAT = "assay quality model"
#: Raised when older versions of Assay could not read a file any more.
FORMAT_VERSION = 1


@dataclass(frozen=True, eq=False)
class QualityModel:
    """A model with the features that it takes and its card: all that a file holds."""

    model: AnyModel
    features: tuple[Feature, ...]
    card: ModelCard
    signatures: tuple[FeatureSignature, ...] = field(repr=False)
    #: Stands for the content of the file.
    digest: str = field(repr=False)

    @classmethod
    def of(cls, model: AnyModel, features: Sequence[Feature], card: ModelCard) -> QualityModel:
        """A new model; its features are tried on the sample."""
        if len(features) != model.inputs:
            raise ParameterError(f"The model takes {model.inputs} features, and {len(features)} are named.")
        signatures = tuple(FeatureSignature.of(feature) for feature in features)
        for signature in signatures:
            require_finite_sample(signature)
        digest = digest_of(plain(_Content(card, signatures, model)))
        return cls(model, tuple(features), card, signatures, digest)

    @property
    def classes(self) -> Classes | None:
        """The grades that it gives, if it gives any."""
        return self.model.classes if isinstance(self.model, Grader) else None

    @property
    def external(self) -> tuple[str, ...]:
        """Features that score files of other programs have to supply."""
        return tuple(feature.name for feature in self.features if feature.is_external)

    @cached_property
    def _tried(self) -> bool:
        for signature, feature in zip(self.signatures, self.features, strict=True):
            if feature.metric is not None:
                signature.require_resources(feature.metric)
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
            probabilities = model.probabilities(values) if isinstance(model, Grader) else None
            if isinstance(model, Grader) and probabilities is not None:
                # What its score is, without asking it twice.
                scores = expected(probabilities, model.classes.worth)
            else:
                scores = model.score(values)
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
        content = plain(_Content(self.card, self.signatures, self.model))
        head = {"format": FORMAT, "version": FORMAT_VERSION, "digest": digest_of(content)}
        lines = [f"{json.dumps(key)}: {canonical(value)}" for key, value in (head | content).items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the file, whole or not at all; what is there already stays, unless ``overwrite`` is said."""
        if is_compressed(path):
            raise InputError(f"{path}: a model is a plain JSON file. Leave out the ending of the compression.")
        content = self.to_json().encode("ascii")
        # What could not be read again is not written.
        parse_model(content, str(path))
        write_files({"": [content]}, path, overwrite=overwrite, consent="--overwrite")
        return Path(path)


class _Content(Data, frozen=True):
    """What the digest is about."""

    card: ModelCard
    features: Annotated[tuple[FeatureSignature, ...], msgspec.Meta(max_length=MOST_FEATURES)]
    model: AnyModel


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
    if data.get("format") != FORMAT:
        raise InputError(f'{where}: not a model of Assay: a model says "format": "{FORMAT}".')
    data = {key: value for key, value in data.items() if key != "format"}
    version, digest = data.pop("version", None), data.pop("digest", None)
    version = read(version, Annotated[int, msgspec.Meta(ge=1)], f"{where}.version")
    if version > FORMAT_VERSION:
        raise InputError(
            f"{where}: written by a newer Assay (format {version}; this one reads {FORMAT_VERSION}). "
            "Install a newer one."
        )
    digest = read(digest, Text, f"{where}.digest")
    present = digest_of({key: data[key] for key in ("card", "features", "model") if key in data})
    if digest != present:
        raise InputError(
            f"{where}: the file was changed after Assay wrote it: its content has the digest {present[:12]}, "
            f"and it says {digest[:12]!r}. A model is not edited by hand: train it again, or take "
            "the file as it was."
        )
    content = read(data, _Content, where)
    with at(where):
        _check(content)
    try:
        features = tuple(signature.feature() for signature in content.features)
    except InputError as error:
        writer = content.card.versions.get("assay")
        trained = f" It was trained with Assay {writer}; this is {__version__}." if writer else ""
        raise InputError(f"{where}: {error}{trained}") from None
    return QualityModel(content.model, features, content.card, content.features, digest)


def _check(content: _Content) -> None:
    """Refuse values that have the right types and make no model."""
    for number, signature in enumerate(content.features):
        with at(f".features[{number}]"):
            signature.check()
    with at(".model"):
        content.model.check()
    listed, taken = len(content.features), content.model.inputs
    if listed != taken:
        raise InputError(f": the model takes {taken} features, but {listed} are listed.")
    if len({signature.name for signature in content.features}) < listed:
        raise InputError(".features: two features have one name.")
