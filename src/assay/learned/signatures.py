"""What has to be the same for a model to be used: its features, to the last option, and what they give.

A model file may name any file of the computer. What a metric depends on is compared byte for byte with what the model
was trained with; what differs is not parsed, and nothing of it is shown.
"""

from __future__ import annotations

import hashlib
import os
import stat
import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import field

from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.errors import AssayError, AssayWarning, InputError
from assay.learned.features import Feature
from assay.learned.model import Data, Number, Text, at
from assay.metrics.base import Metric, Rows
from assay.metrics.options import read, spell, spell_value
from assay.metrics.registry import metric as parse_metric
from assay.scoring.evaluate import evaluate
from assay.text.recipe import Spelling, Stem
from assay.text.synonyms import dictionary_files

#: A few segments on which every feature is tried out, when a model is saved and when it is used. Options alone do not
#: tell whether a metric still counts as it did.
_SAMPLE = (
    ("the cat sat on the mat .", "the cat sat on the mat .", "on the mat sat a cat ."),
    ("Yesterday , 12 ministers met in Brüssel", "Ministers of 12 states met in Brussels yesterday", "They met"),
    ("completely unrelated words", "nothing in common at all", "quite another text"),
    ("He doesn't like the big dogs running.", "He does not like big running dogs.", "Large dogs that run scare him."),
    ("", "an empty translation", "nothing here"),
)
#: How far two computers may differ in the last digits.
_TOLERANCE = 1e-9
#: METEOR's largest table of paraphrases has 270 MB.
MOST_BYTES = 1024**3
#: What stands for a file that is named and not there; a metric may never look at it.
_ABSENT = "absent"
#: More than anybody computes of one translation.
MOST_FEATURES = 500


class FeatureSignature(Data, frozen=True):
    """A feature as a file keeps it: what one would type, the metric with all its fields, and what it gave."""

    name: Text
    #: The metric as it is typed; None for scores of another program.
    metric: Text | None
    part: Text | None
    higher_is_better: bool | None
    #: The metric with all its fields.
    fields: Text | None
    #: Digests of the files that it depends on.
    resources: dict[Text, Text]
    #: The feature of each segment of the sample.
    sample: tuple[Number, ...]
    #: Sizes and digests of those files as they are, which can be compared before anything is made of them.
    files: dict[Text, Text] = field(default_factory=dict)
    #: The layer that it is counted on, if it is not the words; files of version 1 have none.
    layer: Text | None = None

    @classmethod
    def of(cls, feature: Feature) -> FeatureSignature:
        """The signature of a feature as it is here and now; it has a finite value of the whole sample."""
        name, metric, part, better = feature.name, feature.metric, feature.part, feature.higher_is_better
        if metric is None:
            return cls(name, None, None, better, None, {}, ())
        sample = tuple(sample_values(feature))
        if not np.isfinite(sample).all():
            raise InputError(f"The feature {name!r} gives no finite number for a sample text, so no model can use it.")
        resources, files = dict(metric.resources()), _file_digests(metric)
        spelled = spell(metric.resolved, all_fields=True)
        return cls(name, str(metric), part, better, spelled, resources, sample, files, feature.layer)

    def __str__(self) -> str:
        """All that the feature depends on, in one line."""
        spelled = self.fields or "a score of another program, from a file"
        part = (f":{self.part}" if self.part else "") + (f"@{self.layer}" if self.layer else "")
        return f"{spelled}{part}" + "".join(f"|{option}:{digest[:12]}" for option, digest in self.resources.items())

    def check(self) -> None:
        """Refuse values that have the right types and make no signature."""
        if self.metric is not None and self.fields is None:
            raise InputError(".fields: a text is needed, not null.")
        wanted = 0 if self.metric is None else len(_SAMPLE)
        if len(self.sample) != wanted:
            raise InputError(f".sample: {len(self.sample)} values, but {wanted} are needed.")

    def feature(self) -> Feature:
        """The feature, refused where its metric has not the options that it had.

        No file that it depends on is opened, and the sample is not tried.
        """
        if self.metric is None:
            return Feature(self.name, higher_is_better=self.higher_is_better)
        _require_harmless(self.name, self.metric)
        try:
            found = Feature.of(parse_metric(self.metric), self.part, name=self.name, layer=self.layer)
        except AssayError as error:
            raise InputError(f"The feature {self.name!r} of the model cannot be computed here: {error}") from None
        self.require_same(found)
        return found

    def require_same(self, feature: Feature) -> None:
        """Refuse a feature of another origin, or with another option, part or direction."""
        present = None if feature.metric is None else spell(feature.metric.resolved, all_fields=True)
        saved = _traits(self.fields, self.part, self.higher_is_better, self.layer)
        self._require_equal(saved, _traits(present, feature.part, feature.higher_is_better, feature.layer))

    def require_resources(self, feature: Feature) -> None:
        """Refuse other files than those of the training: first as bytes, and only then as what is made of them."""
        if feature.metric is None:
            return
        try:
            present = _file_digests(feature.metric, self.files)
        except InputError as error:
            raise InputError(f"The feature {self.name!r}: {error}") from None
        for option in (*present, *self.files):
            if present.get(option) != self.files.get(option):
                there = ", which is not there," if present.get(option) == _ABSENT else ""
                raise InputError(
                    f"The feature {self.name!r}: the file named by option {option}{there} is not the one that the "
                    "model was trained with. Put that one there, or train the model again."
                )
        self._require_equal(self.resources, feature.metric.resources())

    def require_sample(self, feature: Feature) -> None:
        """Refuse a feature that gives other values of the sample than when the model was saved."""
        for number, (saved, present) in enumerate(zip(self.sample, sample_values(feature), strict=True), start=1):
            if abs(saved - present) > _TOLERANCE * max(1.0, abs(saved)):
                what = f"value of sample sentence {number}"
                self._require_equal({what: repr(saved)}, {what: repr(present)})

    def _require_equal(self, saved: Mapping[str, str], present: Mapping[str, str]) -> None:
        """Refuse what differs from what was saved, and name it."""
        for key in (*present, *saved):
            then, now = saved.get(key, "(not there)"), present.get(key, "(not there)")
            if then != now:
                raise InputError(
                    f"The feature {self.name!r} is not what the model was trained with: {key} was {then} and is {now} "
                    "here. Train the model again, or use the version of Assay that it was trained with."
                )


def require_same_features(saved: Sequence[FeatureSignature], features: Sequence[Feature]) -> None:
    """Refuse a table of features that are not those of a model, in its order."""
    ours, theirs = [one.name for one in saved], [feature.name for feature in features]
    missing = [name for name in ours if name not in theirs]
    if missing:
        raise InputError(f"The model needs the feature {missing[0]!r}, which is not there. It needs {', '.join(ours)}.")
    if ours != theirs:
        raise InputError(f"The model takes the features {', '.join(ours)}, in this order, not {', '.join(theirs)}.")
    for one, feature in zip(saved, features, strict=True):
        one.require_same(feature)
        one.require_resources(feature)


def _traits(spelling: str | None, part: str | None, better: bool | None, layer: str | None) -> dict[str, str]:
    """All that makes a feature what it is, by name; of a metric its name and each of its fields."""
    if spelling is None:
        return {"origin": "a score of another program"}
    name, options = _read_spelling(spelling)
    fields = {key: spell_value(value) for key, value in options.items()}
    traits = {"metric": name, **fields, "part": str(part), "higher_is_better": str(better), "layer": str(layer)}
    return {"origin": "computed by Assay"} | traits


def _read_spelling(spelling: str) -> tuple[str, dict[str, Any]]:
    try:
        return read(spelling)
    except AssayError as error:
        raise InputError(f"The signature {spelling!r} of a feature cannot be read: {error}") from None


def _require_harmless(feature: str, spelling: str) -> None:
    """Refuse a model within a model, which need not end, and devices and pipes, which need not either."""
    name, options = _read_spelling(spelling)
    if name == "predictor":
        raise InputError(f"The feature {feature!r} is itself a saved model. A model takes metrics and scores alone.")
    for value in options.values():
        # Tokenizers and stemmers have their files behind a colon.
        for part in (str(value), str(value).rpartition(":")[2]):
            with at(f"The feature {feature!r} wants to read "):
                _state(Path(part))


def _state(path: Path) -> os.stat_result | None:
    """Of a file or a folder, None of what is not there; all else, such as a pipe, is refused."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    if not (stat.S_ISREG(state.st_mode) or stat.S_ISDIR(state.st_mode)):
        raise InputError(f"{str(path)!r}, which is no ordinary file. It was not read.")
    return state


def sample_values(feature: Feature) -> list[float]:
    """The feature of each segment of the sample."""
    metric = feature.metric
    if metric is None:
        return []
    rows = _sample_rows(metric, tuple(_file_digests(metric).items()))
    values: list[float] = feature.values(rows).tolist()
    return values


@lru_cache(maxsize=MOST_FEATURES)
def _sample_rows(metric: Metric, _: tuple[tuple[str, str], ...]) -> Rows:
    """What a metric counts in the sample: once, however many of its parts are features, while its files stay."""
    translations, first, second = (Texts.of(list(column)) for column in zip(*_SAMPLE, strict=True))
    # To metrics about post-edits the first reference is one.
    targeted = frozenset({"1"} if metric.sees_targeted else ())
    corpus = Corpus.of_columns(translations, {"1": first, "2": second}, targeted=targeted)
    with warnings.catch_warnings():
        # Remarks on texts that are nobody's.
        warnings.simplefilter("ignore", AssayWarning)
        return evaluate(metric, corpus, threads=1).rows


def _file_digests(metric: Metric, saved: Mapping[str, str] | None = None) -> dict[str, str]:
    """Size and digest of the files behind each option that names one; of another size than ``saved`` none is read."""
    found = {}
    for option, files in _files(metric).items():
        with at(f"option {option} names "):
            states = {file: _state(file) for file in files}
        there = {file: state for file, state in states.items() if state is not None and stat.S_ISREG(state.st_mode)}
        total = sum(state.st_size for state in there.values())
        if total > MOST_BYTES:
            raise InputError(f"the files of option {option} are larger than {MOST_BYTES // 2**20:,} MB. None was read.")
        same = saved is None or saved.get(option, "").partition(":")[0] == str(total)
        # The first is the one that was named.
        found[option] = _ABSENT if states[files[0]] is None else f"{total}:{_digest(there) if same else ''}"
    return found


def _files(metric: Metric) -> dict[str, tuple[Path, ...]]:
    """The files behind each option."""
    found: dict[str, tuple[Path, ...]] = {}
    stem = metric.stem
    dictionaries = {"stem": Stem.parse(stem).path if stem else None, "synonyms": getattr(metric, "synonyms", None)}
    for option, path in dictionaries.items():
        if path is not None:
            found[option] = tuple(dict.fromkeys(dictionary_files(Path(path))))
    tables = {"tokenize": Spelling.parse(metric.tokenize).path, "paraphrases": getattr(metric, "paraphrases", None)}
    return found | {option: (Path(path),) for option, path in tables.items() if path is not None}


def _digest(states: Mapping[Path, os.stat_result]) -> str:
    """Of names and contents, in this order."""
    whole = hashlib.sha256()
    for file, state in states.items():
        content = _content(str(file), state.st_size, state.st_mtime_ns, state.st_ino)
        whole.update(f"{file.name}\n{content}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


@lru_cache(maxsize=64)
def _content(path: str, size: int, *_: int) -> str:
    """Of one file, up to the size that it has."""
    try:
        with Path(path).open("rb") as file:
            digest, left = hashlib.sha256(), size
            while left > 0 and (piece := file.read(min(left, 2**20))):
                digest.update(piece)
                left -= len(piece)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    return digest.hexdigest()
