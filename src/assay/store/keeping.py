"""What one question finds in a store, and what it leaves there: its answer, and all that the answer rests on."""

from __future__ import annotations

import math
import os
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores, Lazily
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.judgements import Judgements
from assay.data.texts import Texts
from assay.errors import AssayError, AssayWarning, InputError, MissingExtra
from assay.results.arrow import column_of
from assay.results.result import Result
from assay.scoring.evaluate import Counted
from assay.store.folder import NAME, Run, Store, is_store
from assay.store.rows import KeptRows


@dataclass(eq=False)
class Keeping:
    """A store for one question; without its rows there is none: nothing is found, and nothing is kept."""

    rows: KeptRows | None = None
    counted: Counted = field(default_factory=Counted)
    #: What it rests on: campaigns as they were chosen, whether people are asked, and the scores that are used.
    campaigns: list[tuple[Campaign, bool, tuple[str, ...]]] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, named: str | None, campaigns: Iterable[str | Path], unwanted: bool = False) -> Keeping:
        """The store that was named; else the one in the folder of the first campaign that has one."""
        if unwanted:
            return cls()
        if named is not None:
            return cls._at(named)
        beside = next((str(path) for path in campaigns if is_store(Path(path) / NAME)), None)
        try:
            return cls() if beside is None else cls._at(beside)
        except (InputError, MissingExtra) as error:
            _say(f"Nothing is kept. {error}")
            return cls()

    @classmethod
    def _at(cls, named: str) -> Keeping:
        store = Store(named)
        try:
            import pyarrow.parquet  # noqa: F401 - what writes tables has to be there
        except ImportError as error:
            raise MissingExtra.of(f"{store.path}: a store", "store") from error
        if not store.writable:
            _say(f"{store.path} cannot be written to: what is there is used, and nothing is kept.")
        rows = KeptRows(store, store.writable)
        return cls(rows, Counted(rows=rows))

    def rest_on(self, campaign: Campaign, judged: bool) -> None:
        """Remember the texts, judgements and scores of a campaign as it was chosen for the question."""
        scores = campaign.scores
        self.campaigns.append((campaign, judged, tuple(scores.asked_for if isinstance(scores, Lazily) else scores)))

    def keep(self, result: Result, asked: Mapping[str, Any] | None) -> Run | None:
        """Add the answer as a run; what cannot be kept costs a warning, and never the answer.

        ``asked`` is how to ask again.
        """
        rows = self.rows
        if rows is None or not rows.keeps:
            return None
        from pyarrow import ArrowException

        try:
            rows.flush()
            parts = [_kept(rows.store, *one) for one in self.campaigns]
            links = [link for number, part in enumerate(parts) for link in _links(rows, number, part["texts"])]
            named = {(link["folder"], link["key"]) for link in links}
            others = sorted({f"{one.folder}/{one.key}" for one in rows.links if (one.folder, one.key) not in named})
            seconds = round(time.monotonic() - self.started, 3)
            return rows.store.add(
                result, seconds=seconds, asked=asked, kept={"campaigns": parts, "rows": links, "further": others}
            )
        except OSError as error:
            _say(f"{rows.store.path}: the answer was not kept ({_reason(error)}). The store is as it was.")
        except (AssayError, ArrowException) as error:
            _say(f"{rows.store.path}: the answer was not kept. {error}")
        return None

    def leave(self) -> None:
        """Keep the rows that were counted for a question that came to no answer, if that can be done."""
        if self.rows is not None:
            with suppress(OSError, AssayError):
                self.rows.flush()


def _kept(store: Store, campaign: Campaign, judged: bool, scores: Iterable[str]) -> dict[str, Any]:
    """Keep what a campaign has, and name it by its digests."""
    named = {} if campaign.source is None else {"src": campaign.source}
    named |= {f"ref.{name}": texts for name, texts in campaign.references.items()}
    named |= {f"sys.{name}": texts for name, texts in campaign.systems.items()}
    named = named if campaign.has_texts else {}
    for texts in named.values():
        store.put("texts", texts.digest, partial(_texts_table, texts))
    segments, digest = _segments_table(campaign)
    if digest:
        store.put("segments", digest, segments)
    judgements = campaign.judgements if judged else None
    if judgements is not None:
        store.put("judgements", judgements.digest, partial(_judgements_table, judgements))
    given = {name: campaign.scores[name] for name in scores}
    for one in given.values():
        store.put("scores", one.digest, partial(_scores_table, one))
    return {
        "name": campaign.name,
        "texts": {name: texts.digest for name, texts in named.items()},
        "segments": digest,
        "judgements": None if judgements is None else judgements.digest,
        "scores": {name: one.digest for name, one in given.items()},
        "whole": campaign.places is None,
    }


def _links(rows: KeptRows, campaign: int, texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Which rows are those of which system of a campaign, whose texts are named by their digests."""
    references = {digest: name.removeprefix("ref.") for name, digest in texts.items() if name.startswith("ref.")}
    for link in rows.links:
        known = texts.get(f"sys.{link.system}") == link.translation and references.keys() >= set(link.references)
        if link.plain and known:
            yield {
                "campaign": campaign,
                "system": link.system,
                "metric": link.metric,
                "refs": ",".join(sorted(references[digest] for digest in link.references)),
                "folder": link.folder,
                "key": link.key,
            }


def _texts_table(texts: Texts) -> Any:
    """A column of texts, each with its number."""
    import pyarrow

    numbers = column_of(np.arange(len(texts)), "int32")
    return pyarrow.table({"segment": numbers, "text": column_of([*texts], "large_string")})


def _segments_table(campaign: Campaign) -> tuple[Callable[[], Any], str]:
    """Where the segments of a campaign stand, and a digest of it; no digest where there are no segments."""
    count = len(campaign)
    places = np.arange(count) if campaign.places is None else campaign.places
    labels = {name: getattr(campaign, part) for name, part in _LABELS.items()}
    columns = {name: Texts.of(values) for name, values in labels.items() if values is not None}
    columns |= {f"column.{name}": texts for name, texts in campaign.columns.items()}
    if not count:
        return lambda: None, ""
    named = [f"{name}:{texts.digest}" for name, texts in columns.items()]
    digest = Texts.of([*named, *map(str, places.tolist())]).digest

    def make() -> Any:
        import pyarrow

        numbers = {"row": column_of(np.arange(count), "int32"), "segment": column_of(places, "int32")}
        further = {name: column_of([*texts], "large_string") for name, texts in columns.items()}
        return pyarrow.table(numbers | further)

    return make, digest


def _judgements_table(judgements: Judgements) -> Any:
    """Judgements as the Parquet format of judgements has them, so that they can be read as such."""
    import pyarrow
    import pyarrow.parquet

    content = JUDGEMENT_FORMATS["parquet"].writer(judgements, None)[""]
    return pyarrow.parquet.read_table(pyarrow.BufferReader(content))


def _scores_table(scores: ExternalScores) -> Any:
    """What another program scored, at all levels, a score per row."""
    import pyarrow

    columns: dict[str, list[Any]] = {"level": [], "system": [], "segment": [], "part": [], "score": []}
    for level in scores.levels:
        for system, given in getattr(scores, level).items():
            listed = dict(enumerate(given.tolist())) if isinstance(given, np.ndarray) else given
            for unit, score in listed.items() if isinstance(listed, Mapping) else [(None, listed)]:
                numbered = isinstance(unit, int)
                cells = (level[:-1], system, unit if numbered else None, None if numbered else unit, score)
                for column, cell in zip(columns.values(), cells, strict=True):
                    column.append(cell)
    types = {"segment": "int32", "score": "float64"}
    columns["score"] = [None if math.isnan(score) else score for score in columns["score"]]
    table = {name: column_of(cells, types.get(name, "string")) for name, cells in columns.items()}
    better = "higher" if scores.higher_is_better else "lower"
    return pyarrow.table(table).replace_schema_metadata({"metric": scores.name, "better": better})


#: Columns of segments, and what has them in a campaign.
_LABELS = {"name": "segments", "document": "documents", "domain": "domains"}


def _reason(error: OSError) -> str:
    """What the system said, in its own words: Arrow puts further ones around them."""
    number = re.search(r"\[errno (\d+)\]", str(error))
    return os.strerror(int(number[1])) if number else error.strerror or str(error)


def _say(text: str) -> None:
    warnings.warn(AssayWarning(text, level="warning"), stacklevel=3)
