"""Many systems on one test set: what every command takes, and which of its segments to use.

Segments are chosen by ``split=test``, ``domain!=news``, ``ref.second!=`` (where that is not empty).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import check_fields, checked, fits
from assay.arrays import Array
from assay.data.corpus import Corpus
from assay.data.external import ExternalScores, Lazily, each
from assay.data.judgements import Judgements, difference, fitting
from assay.data.problems import note, require_text
from assay.data.texts import FileTexts, Texts
from assay.errors import InputError, ParameterError, Place, UnknownName, shown

#: What a part of a campaign is, and what it is called: ``("reference", "A")``, ``("source", "")``.
Role = tuple[str, str]
#: Texts, or labels of segments.
Part = Texts | tuple[str, ...]
#: What labels segments, and where a campaign has it.
LABELS = {"segment": "segments", "document": "documents", "domain": "domains"}
#: How the name of a reference begins that is a human post-edit.
_POST_EDIT = "pe"
#: So many values of a column are listed for one that is not there.
_MOST_LISTED = 20
#: How people are called who stand as systems: refA, HUMAN, human-2.
_HUMAN = re.compile("(?i:ref|human)([-_.]?([A-Z]|[0-9]+))?")


@dataclass(frozen=True)
class JudgementFiles:
    """Files of judgements that are read when somebody asks, and once: most commands do not."""

    paths: tuple[Path, ...]
    read: Callable[[], Judgements] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Campaign:
    """Systems and references by name, over the same segments; or what people said of systems, or scores of them,
    without any texts.

    ``present`` says, for a reference that not all segments have, which ones do. ``columns`` are further labels per
    segment. ``targeted`` names the references that are human post-edits: those called ``pe`` and ``pe.<anything>``,
    unless it is given. What is called ``pe.<system>`` belongs to that system alone.
    """

    name: str
    systems: Mapping[str, Texts] = field(repr=False)
    references: Mapping[str, Texts] = field(repr=False)
    source: Texts | None = field(default=None, repr=False)
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    domains: tuple[str, ...] | None = field(default=None, repr=False)
    segments: tuple[str, ...] | None = field(default=None, repr=False)
    columns: Mapping[str, Texts] = field(default_factory=dict, repr=False)
    present: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict, repr=False)
    targeted: frozenset[str] = field(default=None)  # type: ignore[arg-type]
    #: What people said of the translations, or what can read it.
    human: Judgements | JudgementFiles | None = field(default=None, repr=False)
    #: Whether a system that is itself a reference in use is left out. Who names files one by one means them.
    leaves_references_out: bool = True
    #: The campaign that these segments were chosen from, and their places in it.
    whole: Campaign | None = field(default=None, repr=False)
    places: NDArray[np.int64] | None = field(default=None, repr=False)
    #: Scores of metrics that ran elsewhere, by metric; files of a folder are read when somebody asks.
    scores: Mapping[str, ExternalScores] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        lazy = ("scores",) if isinstance(self.scores, Lazily) else ()
        check_fields(self, "systems", "references", "columns", "source", "targeted", *lazy)
        for name in ("systems", "references", "columns"):
            if not fits(getattr(self, name), Mapping[str, Any]):
                raise InputError(
                    f"{name} is {shown(getattr(self, name))}, but it takes a dictionary: lists of texts by their names."
                )
            require_text(name[:-1], getattr(self, name))
            columns = {key: Texts.of(texts, f"{name}[{key!r}]") for key, texts in getattr(self, name).items()}
            object.__setattr__(self, name, columns)
        for kind, place in LABELS.items():
            require_text(kind, getattr(self, place) or ())
        if self.source is not None:
            object.__setattr__(self, "source", Texts.of(self.source, "source"))
        if not fits(self.targeted, Iterable[str] | None):
            raise InputError(f"targeted is {shown(self.targeted)}, but a set of names of references is needed.")
        named = filter(is_post_edit, self.references) if self.targeted is None else self.targeted
        object.__setattr__(self, "targeted", frozenset(named))
        for unknown in sorted(self.targeted - self.references.keys()):
            raise UnknownName.of("reference", unknown, self.references)
        self._check_lengths()

    @classmethod
    def of_parts(cls, path: str, parts: Mapping[Role, Iterable[str]], name: str = "", **more: Any) -> Campaign:
        """A campaign out of its texts and labels, which came from ``path`` and are called after it in messages."""
        columns: dict[str, dict[str, Texts]] = {"system": {}, "reference": {}, "source": {}, "column": {}}
        for (kind, key), texts in parts.items():
            if kind in LABELS:
                more[LABELS[kind]] = tuple(texts)
            else:
                columns[kind][key] = Texts.of(texts, f"{path}: {kind} {key}".strip())
        return cls(
            name or Path(path).resolve().name,
            columns["system"],
            columns["reference"],
            columns["source"].get(""),
            columns=columns["column"],
            **more,
        )

    @property
    def parts(self) -> dict[Role, Part]:
        """All texts and labels that there are, in the order in which a table shows them."""
        parts: dict[Role, Part | None] = {(kind, ""): getattr(self, place) for kind, place in LABELS.items()}
        parts |= {("column", name): texts for name, texts in self.columns.items()}
        parts["source", ""] = self.source
        parts |= {("reference", name): texts for name, texts in self.references.items()}
        parts |= {("system", name): texts for name, texts in self.systems.items()}
        return {role: part for role, part in parts.items() if part is not None}

    def with_parts(self, change: Callable[[Role, Part], Iterable[str]], **more: Any) -> Campaign:
        """This campaign with every text and label as ``change`` has it."""
        parts = {role: change(role, part) for role, part in self.parts.items()}
        kept: dict[str, Any] = {"targeted": self.targeted, "leaves_references_out": self.leaves_references_out}
        return Campaign.of_parts(self.name, parts, self.name, **{**kept, "scores": self.scores, **more})

    def _check_lengths(self) -> None:
        lengths = {
            f"{kind} {name!r}" if name else LABELS.get(kind, kind): len(part)
            for (kind, name), part in self.parts.items()
        }
        lengths |= {f"the flags of reference {name!r}": len(flags) for name, flags in self.present.items()}
        lengths |= self._score_lengths() if self.scores and not isinstance(self.scores, Lazily) else {}
        first = next((name for name in lengths if name.startswith("reference")), next(iter(lengths), None))
        for name, length in lengths.items():
            if first is not None and length != lengths[first]:
                raise InputError(
                    f"{self.name}: {name} has {length} segments, but {first} has {lengths[first]}. "
                    "All of them are about the same segments."
                )

    def _score_lengths(self) -> dict[str, int]:
        """How many scores of segments there are of each metric and system."""
        return {
            f"the scores of {system!r} under {metric}": len(scores)
            for metric, of_metric in self.scores.items()
            for system, scores in (of_metric.segments or {}).items()
        }

    def __len__(self) -> int:
        """How many segments there are."""
        texts = [*self.systems.values(), *self.references.values()]
        if not texts and isinstance(self.human, Judgements):
            return int(self.human.segment.max(initial=-1)) + 1
        return len(texts[0]) if texts else 0

    @property
    def has_texts(self) -> bool:
        """Whether there are translations or references; judgements and scores may come without.

        Systems that there are but scores of have empty texts.
        """
        return bool(self.references) or any(texts.lengths().any() for texts in self.systems.values())

    @property
    def judgements(self) -> Judgements | None:
        """What people said, read if nobody has asked before; None if there is nothing to read."""
        if self.human is None:
            return None
        judgements = self.human if isinstance(self.human, Judgements) else self.human.read()
        judgements.check_segments(len(self))
        self._mention_other_spellings(judgements)
        return judgements

    def _mention_other_spellings(self, judgements: Judgements) -> None:
        """Say of judged systems that the campaign has none of that name, but one that looks the same."""
        known = self.systems.keys() | self.references.keys()
        for name in judgements.system.names if self.systems else ():
            same = None if name in known else next((other for other in known if difference(name, other)), None)
            if same is not None:
                what = f"the system {name!a} is not the campaign's {same!a}: they differ only {difference(name, same)}"
                note(f"{what}.", Place(judgements.origin))

    @checked
    def with_judgements(self, judgements: Judgements) -> Campaign:
        """This campaign with other judgements."""
        if self.has_texts:
            judgements.check_segments(len(self))
        return replace(self, human=judgements)

    def given(self, name: str) -> ExternalScores:
        """The scores of that name that other programs gave."""
        if name not in self.scores:
            raise InputError(f"{self.name} has no scores called {name!r}: scores.{name}.tsv in its folder.")
        return self.scores[name]

    def segment_names(self) -> tuple[str, ...]:
        """The segments' own names, or their numbers from 0."""
        return self.segments or tuple(str(index) for index in range(len(self)))

    @checked
    def choose(
        self,
        *,
        systems: Iterable[str] | str | None = None,
        references: Iterable[str] | str | None = None,
        targeted: Iterable[str] | str | None = None,
    ) -> Campaign:
        """This campaign with the named systems and references alone; names may hold ``*`` and ``?``.

        ``targeted`` names references that are human post-edits, beside those whose names say so, and chooses them, too.
        A system that is itself one of the chosen references, by name and text, is left out with a warning.
        """
        post_edits = [] if targeted is None else fitting("reference", self.references, targeted)
        chosen = [*self.references] if references is None else fitting("reference", self.references, references)
        in_use = dict.fromkeys([*chosen, *post_edits])
        judged = self.systems if systems is None else fitting("system", self.systems, systems)
        left_out = {
            name
            for name in judged
            for reference in in_use
            if self.leaves_references_out
            and is_same_reference(name, reference)
            and self.systems[name].digest == self.references[reference].digest
        }
        for name in sorted(left_out):
            note(f"System {name!r} is itself a reference in use and is left out.")
        kept = [name for name in in_use if name not in self._others(judged)]
        kept_systems = {name: self.systems[name] for name in judged if name not in left_out}
        return replace(
            self,
            systems=kept_systems,
            scores=each(self.scores, lambda one: one.of_systems(kept_systems)),
            references={name: self.references[name] for name in kept},
            targeted=self.targeted.union(post_edits).intersection(kept),
        )

    def _others(self, systems: Iterable[str]) -> frozenset[str]:
        """The post-edits of systems other than these."""
        return self.targeted & {f"{_POST_EDIT}.{name}" for name in self.systems.keys() - set(systems)}

    @checked
    def corpus(self, system: str) -> Corpus:
        """One system's translations beside the references."""
        if system not in self.systems:
            raise UnknownName.of("system", system, self.systems)
        if not len(self):
            raise InputError(f"{self.name} has no segments, so there is nothing to score.")
        others = self._others([system])
        references = {name: texts for name, texts in self.references.items() if name not in others}
        if self.references and not references:
            raise InputError(f"{self.name} has post-edits of other systems only, and no reference for {system!r}.")
        present, targeted = self._presence(references), self.targeted & references.keys()
        without = np.flatnonzero(~present.any(axis=0))
        if references and len(without):
            raise InputError(
                f"{self.name}: segment {self.segment_names()[without[0]]} has none of the references "
                f"{', '.join(references)}. Choose references that cover every segment."
            )
        return Corpus.of_columns(
            self.systems[system],
            references,
            present=present,
            targeted=targeted,
            source=self.source,
            documents=self.documents,
            domains=self.domains,
            whole=None if self.whole is None else self.whole._references_alone(references, targeted),
            places=self.places,
            scores=Lazily({name: partial(self._scores_of, name, system) for name in self.scores}),
        )

    def _scores_of(self, name: str, system: str) -> Array:
        return self.scores[name].of_system(system, len(self))

    def _references_alone(self, names: Iterable[str], targeted: frozenset[str]) -> Corpus:
        """These references in all segments, for metrics to be fitted on; they stand for translations, too."""
        references = {name: self.references[name] for name in names}
        first = next(iter(references.values()), Texts.of([""] * len(self)))
        return Corpus.of_columns(
            first, references, present=self._presence(references), targeted=targeted, documents=self.documents
        )

    def _presence(self, references: Iterable[str]) -> NDArray[np.bool_]:
        """Which segments have which reference."""
        everywhere = np.ones(len(self), dtype=np.bool_)
        return np.array([self.present.get(name, everywhere) for name in references]).reshape(-1, len(self))

    def require_targeted(self, metric: str) -> None:
        """Refuse what ``metric`` cannot do without: every segment of every system needs all its post-edits."""
        for name, corpus in self.corpora().items():
            corpus.require_targeted(f"{self.name}: {metric} of {name!r}", self.segments)

    def corpora(self) -> dict[str, Corpus]:
        """A corpus per system; they share the references, and so the work on them."""
        if not self.systems:
            raise InputError(f"{self.name} has no system to score.")
        return {name: self.corpus(name) for name in self.systems}


def is_post_edit(reference: str) -> bool:
    """Whether the name of a reference says that it is targeted.

    >>> is_post_edit("pe"), is_post_edit("pe.online-A"), is_post_edit("people")
    (True, True, False)
    """
    return reference.partition(".")[0] == _POST_EDIT


def is_same_reference(system: str, reference: str) -> bool:
    """Whether a system is called like a reference.

    >>> is_same_reference("refA", "A"), is_same_reference("refA", "refA"), is_same_reference("B", "A")
    (True, True, False)
    """
    return system in (reference, f"ref{reference}", f"ref.{reference}", f"ref-{reference}")


def is_human(system: str, references: Iterable[str] = ()) -> bool:
    """Whether the name of a system says that a person translated: it is that of a reference, or ``ref``, ``human``.

    >>> [is_human(name, ["second"]) for name in ("second", "refA", "HUMAN", "human-2", "reformer", "ref-AB")]
    [True, True, True, True, False, False]
    """
    return _HUMAN.fullmatch(system) is not None or any(is_same_reference(system, name) for name in references)


def segments_where(campaign: Campaign, *conditions: str) -> NDArray[np.int64]:
    """The numbers of the segments for which every condition holds.

    A condition is ``NAME=VALUE`` or ``NAME!=VALUE``; the value may hold ``*`` and ``?``, and several values have commas
    between. A name is ``document``, ``domain``, ``segment``, ``source``, a column, ``ref.<id>`` or ``sys.<name>``.
    """
    kept = np.ones(len(campaign), dtype=np.bool_)
    for condition in conditions:
        kept &= _fulfilled(campaign, condition)
    if not kept.any():
        raise InputError(f"{campaign.name}: no segment is left where {' and '.join(conditions)}.")
    return np.flatnonzero(kept)


def with_words(campaign: Campaign, references: Iterable[str]) -> NDArray[np.bool_]:
    """Whether each segment has a word in one of these references."""
    found = np.zeros(len(campaign), dtype=np.bool_)
    for name in references:
        filled = ~campaign.references[name].blank()
        found |= filled & campaign.present.get(name, filled)
    return found


def only(campaign: Campaign, segments: NDArray[np.int64]) -> Campaign:
    """These segments as a campaign of their own, in this order, their judgements with them.

    It remembers the whole, which metrics are fitted on, and where in it each segment stands.
    """
    judgements = campaign.judgements
    places = np.arange(len(campaign)) if campaign.places is None else campaign.places

    def chosen(_role: Role, part: Part) -> Iterable[str]:
        # The texts of a large file are read into memory.
        if isinstance(part, (tuple, FileTexts)):
            return tuple(part[index] for index in segments.tolist())
        return part.only(segments)

    return replace(campaign, segments=campaign.segment_names()).with_parts(
        chosen,
        present={name: flags[segments] for name, flags in campaign.present.items()},
        human=None if judgements is None else judgements.of_segments(segments),
        scores=each(campaign.scores, lambda one: one.of_segments(segments)),
        whole=campaign.whole or campaign,
        places=places[segments],
    )


def _fulfilled(campaign: Campaign, condition: str) -> NDArray[np.bool_]:
    name, equals, value = condition.partition("=")
    if not equals or not name.rstrip("!"):
        raise ParameterError(f"--where {condition!r}: write NAME=VALUE or NAME!=VALUE.")
    column = label_column(campaign, name.removesuffix("!").strip())
    kept = np.zeros(len(campaign), dtype=np.bool_)
    for pattern in map(str.strip, value.split(",")):
        fits = np.array([text == pattern or fnmatchcase(text, pattern) for text in column], dtype=np.bool_)
        # Texts are of any number, and too long to be listed.
        if not fits.any() and not name.endswith("!") and not re.match(r"source$|ref\.|sys\.", name):
            what = "segment" if name.strip() == "segment" else f"segment whose {name.strip()} is"
            raise UnknownName.of(what, pattern, set(column), _MOST_LISTED)
        kept |= fits
    return ~kept if name.endswith("!") else kept


def label_column(campaign: Campaign, name: str) -> Part:
    """What stands in a column: ``document``, ``domain``, ``segment``, ``source``, further ones, or a text."""
    prefixes = {"reference": "ref.", "system": "sys."}
    known: dict[str, Part] = {"segment": campaign.segment_names()}
    known |= {f"{prefixes.get(kind, '')}{key or kind}": part for (kind, key), part in campaign.parts.items()}
    if name not in known:
        raise UnknownName.of("column to choose segments by", name, known)
    return known[name]
