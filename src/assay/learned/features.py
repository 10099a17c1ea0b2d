"""Features: numbers about one translation, which a predictor learns from, and tables of them.

A feature is the segment score of a metric, a part of it (``bleu:precision_4``), a part per another
(``ter:shifts/reference_length``), or a score that another program computed. Sets of them have names: the nine of Paul,
Finch and Sumita (2007), and a wider one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.arguments import checked
from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign, with_words
from assay.data.external import ExternalScores
from assay.data.formats import read
from assay.data.layers import read_layers
from assay.data.problems import note
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.base import Metric, Rows, Scores, ratio
from assay.metrics.bleu import NgramPrecision
from assay.metrics.options import split_list
from assay.metrics.registry import metric as parse_metric
from assay.metrics.registry import metric_names
from assay.scoring.evaluate import Counted, Progress, evaluate_all

#: Parts of which more is better, and parts of which less is. Nobody can say it of others, such as lengths.
_GOOD = re.compile(r"(precision|recall|f|fmean|hits|matches|brevity_penalty|information)(_\w+)?")
_BAD = re.compile(r"(errors|edits|insertions|deletions|substitutions|shifts|words_shifted|penalty|fragmentation)")

#: BLEU as the paper means it: 0 for a segment without a matching 4-gram.
_BLEU = "bleu(smoothing=none)"
#: Precisions of all orders up to 5 from one count; those of the first four are BLEU's.
_ORDERS = "bleu(order=5,smoothing=none)"

#: Names of the paper's Table 8, and what they are here.
_PAPER = {
    "bleu": _BLEU,
    "nist": "nist",
    "meteor": "meteor",
    "gtm": "gtm",
    "wer": "wer",
    "per": "per",
    "ter": "ter",
    "4-gram": f"{_ORDERS}:precision_4",
    "5-gram": f"{_ORDERS}:precision_5",
}

#: What the wide set has beside them. Edits are counted per reference word: long segments have more of everything.
_WIDER = {
    **{f"{order}-gram": f"{_ORDERS}:precision_{order}" for order in (1, 2, 3)},
    **{f"{order}-gram-recall": f"{_ORDERS}:recall_{order}" for order in (1, 2, 3, 4, 5)},
    "brevity": f"{_BLEU}:brevity_penalty",
    "length-ratio": f"{_BLEU}:length_ratio",
    "reference-length": f"{_BLEU}:reference_length",
    **{
        f"ter-{edit.replace('_', '-')}": f"ter:{edit}/reference_length"
        for edit in ("insertions", "deletions", "substitutions", "shifts", "words_shifted")
    },
    **{f"wer-{edit}": f"wer:{edit}/reference_length" for edit in ("insertions", "deletions", "substitutions")},
    "shifts": "ter:shifts",
    "chunks": "meteor:chunks",
    "fragmentation": "meteor:fragmentation",
    "meteor-precision": "meteor:precision",
    "meteor-recall": "meteor:recall",
    "chrf": "chrf",
    "gtm-2": "gtm(exponent=2)",
    "gtm-3": "gtm(exponent=3)",
}
#: The sets by name, each as what its features are called and how they are typed.
FEATURE_SETS = {"paper": _PAPER, "wide": _PAPER | _WIDER}


@dataclass(frozen=True)
class Feature:
    """One column of a table of features; ``metric`` is None where the score comes from a file of other scores."""

    name: str
    metric: Metric | None = None
    #: A part of the score, or two with a slash between; None is the score itself.
    part: str | None = None
    #: Whether more of it is better; None where nobody can say.
    higher_is_better: bool | None = None
    #: What it is counted on instead of the words: tags that somebody gave of them, by the name of the layer.
    layer: str | None = None

    @classmethod
    def of(
        cls, metric: Metric, part: str | None = None, *, name: str | None = None, layer: str | None = None
    ) -> Feature:
        """The feature of a metric: its score, or the named part; of a layer tags are taken as they are."""
        metric = metric if layer is None else _on_tags(metric)
        better: bool | None = metric.higher_is_better
        if part is not None:
            known, names = _parts(metric, np.zeros((1, len(metric.columns)))), part.split("/", 1)
            for one in names:
                if one not in known:
                    raise UnknownName.of(f"part of {metric.name}", one, known)
            better = True if _GOOD.fullmatch(names[0]) else False if _BAD.fullmatch(names[0]) else None
        found = cls(name or "", metric, part, better, layer)
        return found if name else replace(found, name=str(found))

    @classmethod
    def parse(cls, text: str, *, name: str | None = None) -> Feature:
        """A feature as it is typed: ``meteor(language=de)``, ``bleu:precision_4``, ``ter:shifts/reference_length``.

        Behind an ``@`` stands the layer that it is counted on: ``wer@pos``.
        """
        match = re.fullmatch(
            r"\s*([^\s(:@]+(?:\s*\(.*\))?)\s*(?::\s*([\w/]+)\s*)?(?:@\s*([\w-]+)\s*)?", text, re.DOTALL
        )
        if match is None:
            raise ParameterError(
                f"Cannot read the feature {text!r}. Write a metric, bleu(order=2), a part of one, bleu:precision_4, or "
                "either on a layer, wer@pos."
            )
        spelling, part, layer = match.groups()
        return cls.of(parse_metric(spelling), part, name=name or (text.strip() if layer else None), layer=layer)

    def values(self, rows: Rows) -> Scores:
        """The feature of each row of its metric; a part ``a/b`` is 0 where b is 0."""
        if self.metric is None:
            raise ParameterError(f"The feature {self.name!r} comes from a score file and cannot be computed.")
        if self.part is None:
            return np.asarray(self.metric.score(rows), dtype=np.float64)
        parts = _parts(self.metric, rows)
        above, slash, below = self.part.partition("/")
        values = np.asarray(parts[above], dtype=np.float64)
        return ratio(values, np.asarray(parts[below], dtype=np.float64)) if slash else values

    def __str__(self) -> str:
        """What one would type to get it, its name aside."""
        layer = f"@{self.layer}" if self.layer else ""
        return self.name if self.metric is None else f"{self.metric}" + (f":{self.part}" if self.part else "") + layer


def read_features(
    given: Iterable[str | Feature | Metric] | str | Feature | Metric, scores: Sequence[ExternalScores] = ()
) -> tuple[Feature, ...]:
    """Features out of spellings, metrics and features; one string may hold several, with commas between.

    ``paper`` and ``wide`` stand for whole sets. Those of ``scores`` that are not named stand behind the others. Names
    are different, or it is an error.
    """
    found: list[Feature] = []
    for item in [given] if isinstance(given, (str, Feature, Metric)) else given:
        if isinstance(item, Feature):
            found.append(item)
        elif isinstance(item, Metric):
            found.append(Feature.of(item))
        elif isinstance(item, str):
            for part in split_list(item):
                found += feature_set(part) if part in FEATURE_SETS else [Feature.parse(part)]
        else:
            raise ParameterError(
                f"metrics and features are named by strings such as 'bleu:precision_4', not by {item!r}."
            )
    if not found:
        raise ParameterError("No feature was named.")
    external = {feature.name for feature in found if feature.metric is None}
    further = [one for one in scores if one.name not in external]
    found += [Feature(one.name, higher_is_better=one.higher_is_better) for one in further]
    names = [feature.name for feature in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"Two features are called {twice!r}. Leave one out, or rename one.")
    return tuple(found)


def _on_tags(metric: Metric) -> Metric:
    """The metric on tags with spaces between, which are neither cut nor changed unless somebody says so."""
    plain: dict[str, Any] = {"tokenize": "none", "lowercase": False}
    return replace(metric, **{name: value for name, value in plain.items() if name not in metric.chosen})


def _parts(metric: Metric, rows: Rows) -> Mapping[str, Scores]:
    """All that can stand behind the colon; parts go before columns of the same name.

    Of BLEU also the share of the reference's n-grams that the translation has, for each order that it counts. With
    several references a match may come from any, and the reference is as long as the one whose length BLEU takes.
    Then more could match than the reference has, which counts as all.
    """
    parts = {name: rows[..., index] for index, name in enumerate(metric.columns)}
    if isinstance(metric, NgramPrecision):
        matches, _ = metric.matches_and_totals(rows)
        for order in range(1, metric.order + 1):
            there = np.maximum(rows[..., 1] - order + 1, 0.0)
            parts[f"recall_{order}"] = 100.0 * np.minimum(ratio(matches[..., order - 1], there), 1.0)
    return parts | dict(metric.parts(rows))


@checked
def feature_set(name: str, *, language: str | None = None, tokenize: str | None = None) -> tuple[Feature, ...]:
    """The set called ``name``: ``paper`` or ``wide``.

    ``language`` is METEOR's; ``tokenize`` replaces the tokenizer of all metrics that cut words but METEOR.
    """
    if name not in FEATURE_SETS:
        raise UnknownName.of("set of features", name, FEATURE_SETS)
    further = {"blanc": "blanc"} if name == "wide" and "blanc" in metric_names() else {}
    made = [Feature.parse(spelling, name=label) for label, spelling in (FEATURE_SETS[name] | further).items()]
    return tuple(replace(feature, metric=_adapted(feature.metric, language, tokenize)) for feature in made)


def _adapted(metric: Metric | None, language: str | None, tokenize: str | None) -> Metric | None:
    """The metric for another language."""
    if metric is None:
        return None
    options: dict[str, Any] = {"language": language} if metric.name == "meteor" else {"tokenize": tokenize}
    wanted = metric.name == "meteor" or metric.recipe.unit == "word"
    return replace(metric, **{name: value for name, value in options.items() if wanted and value is not None})


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Values of features: rows by features, all finite.

    ``systems`` and ``segments`` say whose row it is, by number; systems stand outside, segments inside.
    """

    features: tuple[Feature, ...]
    values: Array = field(repr=False)
    #: Whose translations they are of.
    campaign: Campaign = field(repr=False)
    #: The number of each row's system in the campaign, and of its segment, from 0.
    systems: Codes = field(repr=False)
    segments: Codes = field(repr=False)
    #: The references that the features were computed against.
    references: tuple[str, ...]
    #: The layers that features are counted on, by name, as campaigns of the same segments.
    layers: Mapping[str, Campaign] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(feature.name for feature in self.features)

    def column(self, name: str) -> Array:
        """The values of one feature."""
        self._require_known(name)
        values: Array = self.values[:, self.names.index(name)]
        return values

    def without(self, *names: str) -> FeatureTable:
        """All features but these."""
        self._require_known(*names)
        chosen = [index for index, name in enumerate(self.names) if name not in names]
        kept = tuple(self.features[index] for index in chosen)
        return replace(self, features=kept, values=np.ascontiguousarray(self.values[:, chosen]))

    def _require_known(self, *names: str) -> None:
        for name in names:
            if name not in self.names:
                raise UnknownName.of("feature", name, self.names)

    def table(self) -> list[dict[str, Any]]:
        """A dictionary per row: system, segment, and each feature."""
        systems, segments = tuple(self.campaign.systems), self.campaign.segment_names()
        rows = zip(self.systems.tolist(), self.segments.tolist(), self.values.tolist(), strict=True)
        return [
            {"system": systems[system], "segment": segments[segment]} | dict(zip(self.names, values, strict=True))
            for system, segment, values in rows
        ]


@checked
def feature_table(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric = "paper",
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    scores: Sequence[ExternalScores] = (),
    wanted: Flags | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    of_model: bool = False,
    complete: bool = True,
    layers: Mapping[str, str | Path | Campaign] | None = None,
    known: Counted | None = None,
) -> FeatureTable:
    """Compute features of all translations; those of ``scores`` join in, under their names.

    ``wanted`` (systems by segments) chooses the rows, all by default. Where one of them lacks a value, or has one that
    is no finite number, that is an error, unless the table need not be ``complete``: NaN stands there then. An external
    feature among ``features`` must be in ``scores``. Features ``of_model`` are those of a saved model. ``layers`` are
    tags of the texts by name, for features such as ``wer@pos``: see :func:`assay.data.layers.read_layers`. What is
    ``known`` is not counted again.
    """
    campaign = read(campaign) if isinstance(campaign, (str, Path)) else campaign
    if (systems, references) != (None, None):
        campaign = campaign.choose(systems=systems, references=references)
    chosen = read_features(features, scores)
    shape = (len(campaign.systems), len(campaign))
    if wanted is not None and wanted.shape != shape:
        raise ParameterError(
            f"wanted has shape {wanted.shape}, but there are {shape[0]} systems of {shape[1]} segments."
        )
    rows, segments = np.nonzero(np.ones(shape, dtype=np.bool_) if wanted is None else wanted)
    grids = {one.name: _external_grid(one.name, scores, campaign) for one in chosen if one.metric is None}
    texts = _layers_of(chosen, layers or {}, campaign)
    for layer, tagged in texts.items():
        of_layer = [feature for feature in chosen if feature.metric is not None and feature.layer == layer]
        # A metric is counted once, whatever number of its parts are features.
        metrics = list(dict.fromkeys(feature.metric for feature in of_layer if feature.metric is not None))
        heard = progress if layer is None else None
        counted = (
            evaluate_all(metrics, tagged, threads=threads, progress=heard, known=known, of_model=of_model)
            if metrics
            else {}
        )
        for feature in of_layer:
            of_systems = [counted[system, str(feature.metric)].rows for system in campaign.systems]
            grids[feature.name] = np.stack([feature.values(of_system) for of_system in of_systems])
    values = np.stack([grids[feature.name][rows, segments] for feature in chosen], axis=1)
    named = {name: tags for name, tags in texts.items() if name is not None}
    table = FeatureTable(chosen, values, campaign, rows, segments, _references_seen(campaign, chosen), named)
    if complete:
        _require_finite(table)
    return table


def _layers_of(
    features: Sequence[Feature], layers: Mapping[str, str | Path | Campaign], campaign: Campaign
) -> dict[str | None, Campaign]:
    """What features are counted on: the words, and the layers that they name, which have to be there."""
    needed = dict.fromkeys(feature.layer for feature in features if feature.layer is not None)
    for name in needed:
        if name not in layers:
            first = next(feature.name for feature in features if feature.layer == name)
            there = f" Layers given: {', '.join(layers)}." if layers else ""
            raise InputError(
                f"The feature {first!r} is counted on the layer {name!r}, and there is none.{there} Give a folder with "
                f"sys.<name>.txt and ref.<id>.txt that hold a tag for every token: --layer {name}=FOLDER."
            )
    if unused := [name for name in layers if name not in needed]:
        note(f"No feature is counted on the layer {', '.join(unused)}. Ask for one: --features wer,wer@{unused[0]}.")
    known: dict[str | None, Campaign] = {None: campaign}
    known.update(read_layers({name: layers[name] for name in needed}, campaign))
    return known


def _references_seen(campaign: Campaign, features: Sequence[Feature]) -> tuple[str, ...]:
    """The references that features are computed against: post-edits only where a metric is about them, or all are."""
    targeted = {feature.metric.sees_targeted for feature in features if feature.metric is not None}
    names: dict[str, None] = {}
    for corpus in campaign.corpora().values() if targeted else ():
        for sees in targeted:
            names |= dict.fromkeys((corpus if sees else corpus.untargeted).reference_names)
    return tuple(name for name in campaign.references if name in names)


def _external_grid(feature: str, scores: Sequence[ExternalScores], campaign: Campaign) -> Array:
    """The scores of another program, systems by segments, NaN where one is missing; each feature needs its file."""
    known = {one.name: one for one in scores}
    if feature not in known:
        there = f" The score files given have: {', '.join(known)}." if known else ""
        raise InputError(
            f"The feature {feature!r} is a score that another program computed, and no score file has it. "
            f"Give the file with --scores FILE.{there}"
        )
    segments, origin = known[feature].segments, known[feature].origin or feature
    if segments is None:
        raise InputError(f"{origin}: {feature!r} has no scores of segments, which features are made of.")
    nothing = np.full(len(campaign), np.nan)
    return np.stack([segments.get(system, nothing) for system in campaign.systems])


def _require_finite(table: FeatureTable) -> None:
    """Refuse values that no model can work with, and name the first."""
    bad = ~np.isfinite(table.values)
    if not bad.any():
        return
    row, column = (int(index) for index in np.argwhere(bad)[0])
    value, campaign = table.values[row, column], table.campaign
    what = "no value" if np.isnan(value) else f"the value {value}"
    raise InputError(
        f"{campaign.name}: the feature {table.names[column]!r} has {what} for segment "
        f"{campaign.segment_names()[table.segments[row]]} of {list(campaign.systems)[table.systems[row]]!r} "
        f"({int(bad.any(axis=1).sum()):,} of {len(table):,} translations lack a feature). Leave the feature out, or "
        "complete its scores."
    )


def referenced(campaign: Campaign, features: Sequence[Feature]) -> Flags:
    """Whether each segment has a word in a reference that every feature can see.

    Most metrics see post-edits only where a campaign has nothing else. Scores of other programs need no reference.
    """
    sees_targeted = {feature.metric.sees_targeted for feature in features if feature.metric is not None}
    if not sees_targeted:
        return np.ones(len(campaign), dtype=np.bool_)
    others = [name for name in campaign.references if name not in campaign.targeted]
    # A post-edit that is needed everywhere is asked for elsewhere, with a message of its own.
    return with_words(campaign, others if False in sees_targeted and others else list(campaign.references))
