"""``assay features``: every feature of every translation, and what people said of it, as one table.

It is the database of Paul, Finch and Sumita (2007), from which ``assay learn`` learns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign, only
from assay.data.layers import named_layers
from assay.data.problems import note
from assay.errors import InputError, ParameterError, counted
from assay.learned.features import Feature, FeatureTable, feature_table, read_features, referenced
from assay.metrics.base import Metric
from assay.metrics.options import split_list
from assay.people.ratings import People, rows_of
from assay.people.usage import OTHER_KIND, Usage
from assay.questions.asked import Asked, Data, Judged
from assay.questions.base import option
from assay.results.result import Column, Result, Table, View

#: As a set of features: those of the score files alone.
_ONLY_SCORES = "scores"
#: Columns that say which translation it is.
_KEYS = ("system", "document", "segment")
#: How columns of people's scores begin, and those that count judgements.
_HUMAN, _COUNT = "human_", "judgements_"
_LEGEND = View("What the columns are", "columns", (Column("is"), Column("better")), keys=(Column("column"),))


def _named_features(given: Any) -> tuple[Any, ...]:
    """One feature or several, as they were given: texts, metrics or features."""
    return (given,) if isinstance(given, (str, Feature, Metric)) else tuple(given or ())


@dataclass(frozen=True, kw_only=True)
class Featured(Judged):
    """A question about features of translations and judgements of them: the options that say which features."""

    leading: ClassVar[str] = "features"
    renamed: ClassVar[Mapping[str, str]] = {
        "--plain-means": "It is about means of systems, which nothing is learnt from."
    }

    #: Of systems, which are no examples.
    plain_means: ClassVar[bool] = False  # type: ignore[misc]
    features: tuple[Any, ...] = option(
        ("paper",),
        "What to learn from; scores: those of --scores and of the campaign alone.",
        metavar="paper|wide|scores|LIST",
        parse=_named_features,
    )
    metrics: tuple[Any, ...] = option(
        (), "Further metrics as features.", flag="-m, --metric", metavar="METRIC", repeat=True, parse=_named_features
    )

    def scores_all(self, data: Data) -> bool:
        """No: segments without a reference are left out."""
        return False

    def with_scores(self, given: Sequence[Metric]) -> Self:
        """The same: scores are features, by their names."""
        return self

    def named_scores(self, known: Collection[str]) -> Sequence[str]:
        """Those that stand among the features; all of them for ``scores``."""
        named = [name for text in (*self.features, *self.metrics) if isinstance(text, str) for name in split_list(text)]
        return [*known] if _ONLY_SCORES in named else [name for name in named if name in known]

    def named_features(self, asked: Asked) -> list[Any]:
        """The features, with what stands for those of score files replaced by them."""
        parts = [split_list(one) if isinstance(one, str) else [one] for one in (*self.features, *self.metrics)]
        # Scores stand behind the others by themselves.
        named = [one for part in parts for one in part if one not in asked.score_names]
        if _ONLY_SCORES in named or not named:
            if not asked.scores:
                raise ParameterError(
                    "--features scores takes the features from score files, and there are none: --scores FILE."
                )
            external = [Feature(one.name, higher_is_better=one.higher_is_better) for one in asked.scores]
            named = [*external, *(one for one in named if one != _ONLY_SCORES)]
        if asked.data.language is None:
            return named
        read = read_features(named, asked.scores)
        # Tags are in no language.
        return [
            one if one.metric is None or one.layer else replace(one, metric=asked.in_language([one.metric])[0])
            for one in read
        ]


@dataclass(frozen=True, kw_only=True)
class Features(Featured):
    """Every feature of every translation, and what people said of it: the table that assay learn learns from.

      assay features campaign/ -o features.tsv

      assay features campaign/ --kind adequacy,fluency --features wide --scores COMET.seg.score -o features.csv

    A row per system and segment. People's scores stand in a column per kind (their mean, all kinds unless --kind says
    which), with the number of judgements in another; both are empty where nobody judged.
    """

    name: ClassVar[str] = "features"
    question: ClassVar[str] = "What do metrics and people say of each translation?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "scores", "layers")
    working: ClassVar[str] = "Counting"
    kinds_apart: ClassVar[bool] = False

    def answer(self, asked: Asked) -> Result:
        asked.report(0.001)
        judged = asked.campaign.judgements is not None and len(asked.campaign.judgements) > 0
        if self.kind and not judged and "hter" not in self.kind:
            _ = asked.judgements
        campaign = asked.judged_campaign(self.kind) if judged or self.kind else asked.chosen
        chosen = read_features(self.named_features(asked), asked.scores)
        there = np.flatnonzero(referenced(campaign, chosen))
        table = self._table(asked, campaign, chosen, there)
        people = dict(self._people(asked, campaign)) if judged or self.kind else {}
        _require_different([*_KEYS, *table.names, *(f"{_HUMAN}{kind}" for kind in people)])
        rows = _rows(campaign, table, there)
        for kind, (one, _) in people.items():
            _add_scores(rows, campaign, kind, one)
        columns = _columns(table.features, people)
        asked.report(1.0)
        return Result(
            "features",
            {"features": rows, "columns": columns},
            (_LEGEND, _view(campaign, columns)),
            tuple(_findings(campaign, people, len(there))),
            setup={
                "features": list(table.names),
                "kinds": list(people),
                "references": list(table.references),
                "translations": len(rows),
                "segments_without_reference": len(campaign) - len(there),
            },
            signatures=feature_signatures(asked, table),
            made=table,
        )

    def _table(self, asked: Asked, campaign: Campaign, features: tuple[Feature, ...], there: Codes) -> FeatureTable:
        """Of the segments that have a word in a reference; scores that a file lacks stay empty."""
        if not len(there):
            raise InputError(
                f"{campaign.name}: no segment has a word in the references {', '.join(campaign.references)}. Choose "
                "others with --refs."
            )
        whole = len(there) == len(campaign)
        return feature_table(
            campaign if whole else only(campaign, there),
            features,
            scores=[one if whole else one.of_segments(there) for one in asked.scores],
            threads=asked.threads,
            progress=asked.part(0.01, 0.9),
            complete=False,
            layers=named_layers(asked.data.layers),
            known=asked.counted,
        )

    def _people(self, asked: Asked, campaign: Campaign) -> Iterable[tuple[str, tuple[People, Usage]]]:
        """What people say under each kind; of kinds that nobody named, those that say nothing here are left out."""
        judgements = campaign.judgements
        named = asked.kinds(self.kind)
        for kind in named or (() if judgements is None else judgements.kinds):
            try:
                people, usage = replace(self, kind=(kind,)).people(asked, campaign)
            except InputError as error:
                if named:
                    raise
                note(f"No column for {kind}. {error}")
                continue
            if not named and np.isnan(people.grid).all():
                note(f"No column for {kind}: its judgements give no score to single segments.")
                continue
            yield kind, (people, usage)


def _findings(campaign: Campaign, people: Mapping[str, tuple[People, Usage]], there: int) -> Iterable[str]:
    """How many translations there are, and how many of them people judged."""
    size = len(campaign)
    systems, segments = counted(len(campaign.systems), "system"), counted(size, "segment")
    yield f"{len(campaign.systems) * size:,} translations: {systems}, {segments}."
    if there < size:
        yield f"{counted(size - there, 'segment')} without a word in any reference: features are empty there."
    if not people:
        yield "No judgements: there are no columns of people's scores."
    for kind, (one, usage) in people.items():
        cells = int((~np.isnan(one.grid)).sum())
        yield f"{kind}: {counted(cells, 'translation')} judged. {usage.without(OTHER_KIND)}"


def feature_signatures(asked: Asked, table: FeatureTable) -> dict[str, str]:
    """What the metrics of features computed, and on which texts: the words, or a layer over them."""
    counted_on = dict.fromkeys((one.metric, one.layer) for one in table.features if one.metric is not None)
    return {
        f"{metric}" if layer is None else f"{metric}@{layer}": asked.signature(
            metric, table.campaign if layer is None else table.layers[layer]
        )
        for metric, layer in counted_on
    }


def _require_different(names: list[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(
            f"Two columns would be called {twice!r}. Leave the feature of this name out, or rename it."
        )


def _rows(campaign: Campaign, table: FeatureTable, there: Codes) -> Table:
    """A row per system and segment; without a reference its features are empty."""
    documents, names = campaign.documents or [None] * len(campaign), campaign.segment_names()
    places = dict(zip(there.tolist(), range(len(there)), strict=True))
    values: Array = table.values.reshape(len(campaign.systems), len(there), -1)
    empty = dict.fromkeys(table.names)
    rows: Table = []
    for number, system in enumerate(campaign.systems):
        for segment, name in enumerate(names):
            place = places.get(segment)
            found = empty if place is None else dict(zip(table.names, values[number, place].tolist(), strict=True))
            rows.append({"system": system, "document": documents[segment], "segment": name} | found)
    return rows


def _add_scores(rows: Table, campaign: Campaign, kind: str, people: People) -> None:
    """Two columns: the mean of what people say of each translation, and how many judgements that is of."""
    size, systems = len(campaign), list(campaign.systems)
    scores, counts = np.full((len(systems), size), np.nan), np.zeros((len(systems), size), dtype=np.int64)
    places = [systems.index(name) for name in people.systems]
    scores[places] = people.grid
    judgements = people.judgements.only(people.judgements.segment >= 0)
    of_system = np.array(places, dtype=np.int64)[rows_of(judgements, people.systems)]
    np.add.at(counts, (of_system, judgements.segment), 1)
    for row, score, count in zip(rows, scores.ravel().tolist(), counts.ravel().tolist(), strict=True):
        row |= {f"{_HUMAN}{kind}": score, f"{_COUNT}{kind}": count}


def _columns(features: Iterable[Feature], people: Iterable[str]) -> Table:
    """What each column is."""
    rows: Table = []
    for one in features:
        better = {True: "higher", False: "lower", None: None}[one.higher_is_better]
        what = "scores of another program" if one.metric is None else str(one)
        rows.append({"column": one.name, "is": what, "better": better})
    for kind in people:
        rows.append({"column": f"{_HUMAN}{kind}", "is": f"what people say ({kind}), their mean", "better": "higher"})
        rows.append({"column": f"{_COUNT}{kind}", "is": f"judgements ({kind})", "better": None})
    return rows


def _view(campaign: Campaign, columns: Table) -> View:
    named = campaign.documents is not None
    keys = tuple(Column(name) for name in _KEYS if name != "document" or named)
    shown = (Column(row["column"], None, "d" if row["column"].startswith(_COUNT) else ".2f") for row in columns)
    title = "features and judgements" if any(row["column"].startswith(_COUNT) for row in columns) else "features"
    return View(f"{campaign.name}: {title}", "features", tuple(shown), keys=keys)
