"""``assay describe``: what is in a campaign, what would be left out of it, and which questions it can answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from statistics import median
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import is_same_reference, with_words
from assay.data.judgements import Judgements, fitting
from assay.data.texts import Texts
from assay.errors import AssayError, InputError, counted
from assay.people.usage import HUMANS, Chosen, choose
from assay.questions.asked import Asked
from assay.questions.base import (
    CANDIDATES,
    EITHER,
    JUDGED,
    JUDGES,
    SCORED,
    SEGMENTS,
    SOURCE,
    TRANSLATIONS,
    Question,
    option,
)
from assay.questions.registry import QUESTIONS
from assay.questions.studies.base import watched
from assay.questions.studies.registry import STUDIES, study_class
from assay.results.result import Column, Result, Table, View
from assay.scoring.statistics import NO_DOCUMENT
from assay.significance.pairs import runs_of
from assay.text.languages import Sample

#: Where systems are left out that metrics cannot be held against.
_UNHELD = "left out where metrics are held against judgements"
#: So many characters of a list of names are shown, the commas among them.
_LONGEST = 46
#: Scripts with a smaller share of a text's letters are not printed.
_LEAST_SHARE = 0.01
#: What questions about texts miss where there are but scores.
_TEXTS = "texts"
_CONTENTS = (Column("part"), Column("number", "", ",d"), Column("details", ""))
_LENGTHS = (
    Column("empty", format=",d"), Column("words_min", "words", ",d", high="words_max"),
    Column("words_mean", "mean", ".1f"), Column("words_sd", "sd", ".1f"),
    Column("characters_min", "characters", ",d", high="characters_max"),
    Column("characters_mean", "mean", ".1f"), Column("characters_sd", "sd", ".1f"), Column("script"),
)  # fmt: skip
_JUDGEMENTS = (
    Column("judgements", format=",d"), Column("judges", format=",d"), Column("items", format=",d"),
    Column("judges_min", "per item", ",d", high="judges_max"), Column("judges_mean", "mean", ".2f"),
    Column("cells", format=",d"), Column("all_cells", "of", ",d"),
)  # fmt: skip
_LEFT_OUT = (Column("what"), Column("reason"))
_COMMANDS = (Column("command"), Column("said", "answer"))


@dataclass(frozen=True, kw_only=True)
class Describe(Question):
    """What is in this campaign? Texts and their lengths, judgements, what would be left out, what it can answer.

      assay describe campaign/

      assay describe campaign/ --kind mqm --where domain=news

      assay describe human.tsv

    Judgements are in the campaign's human.tsv, or in files of any known format: --judgements FILE, or FILE alone.
    """

    name: ClassVar[str] = "describe"
    question: ClassVar[str] = "What is in this campaign?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements")
    needs_texts: ClassVar[bool] = False
    needs: ClassVar[Mapping[str, int]] = {}
    leading: ClassVar[str] = "kind"
    working: ClassVar[str] = "Reading"
    kinds_apart: ClassVar[bool] = False

    kind: tuple[str, ...] = option((), "These kinds of judgement alone.", metavar="KIND,...")

    def answer(self, asked: Asked) -> Result:
        content = _Content(asked, self.kind)
        overlap = {kind: _overlap(of_kind) for kind, of_kind in content.of_kind.items()}
        tables = {
            "contents": content.parts(),
            "lengths": list(content.lengths()),
            "judgements": [content.judged(kind, [row["items"] for row in rows]) for kind, rows in overlap.items()],
            "left_out": list(content.left_out()),
            "commands": list(content.commands()),
            "scripts": [
                {"text": text, "script": script, "share": share}
                for text, shares in content.scripts.items()
                for script, share in shares.items()
            ],
            "overlap": [{"kind": kind, **row} for kind, rows in overlap.items() for row in rows],
        }
        titles = {
            "contents": (f"{content.campaign.name}: what is in it", _CONTENTS, ()),
            "lengths": ("Lengths", _LENGTHS, (Column("text"),)),
            "judgements": ("Judgements", _JUDGEMENTS, (Column("kind"),)),
            "left_out": ("What would be left out", _LEFT_OUT, ()),
            "commands": ("What it can answer", _COMMANDS, ()),
        }
        notes = {
            "lengths": (
                "words are what stands between white space; fewest to most, mean, standard deviation of the sample; "
                "script: of the letters in 200 segments",
            ),
            "judgements": (
                "item: a segment, document or the whole of one system; per item: the fewest to the most judges, their "
                "mean; cells: segments of systems that were judged, of all that there are",
            ),
        }
        views = [
            View(title, table, columns, keys=keys, notes=notes.get(table, ()))
            for table, (title, columns, keys) in titles.items()
            if tables[table]
        ]
        return Result("describe", tables, tuple(views), tuple(content.said(tables)))


class _Content:
    """A campaign as it was chosen, looked at from all sides."""

    def __init__(self, asked: Asked, kinds: Sequence[str]) -> None:
        self.asked, self.campaign = asked, asked.chosen
        judgements = asked.campaign.judgements
        if judgements is not None and asked.data.chosen_systems:
            # Systems that nobody judged may be among those that were named.
            wanted = self.campaign.systems or asked.judgements.system.names
            judgements = judgements.only(judgements.system.holds(wanted))
        if judgements is not None and kinds:
            judgements = judgements.of_kinds(kinds)
        self.judgements = judgements
        self.texts: dict[str, Texts] = {} if self.campaign.source is None else {"source": self.campaign.source}
        self.texts |= {f"ref.{name}": texts for name, texts in self.campaign.references.items()}
        if self.campaign.has_texts:
            self.texts |= {f"sys.{name}": texts for name, texts in self.campaign.systems.items()}
        self.scripts = {text: Sample.of([column]).scripts() for text, column in self.texts.items()}
        self.of_kind = {} if judgements is None else {kind: judgements.of_kind(kind) for kind in judgements.kinds}

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems; of judgements alone, those that were judged."""
        if self.campaign.systems:
            return tuple(self.campaign.systems)
        return () if self.judgements is None else self.judgements.system.names

    def parts(self) -> Table:
        """How many there are of everything."""
        campaign, judgements, runs = self.campaign, self.judgements, runs_of(self.systems)
        segments, documents = len(campaign), Counter(campaign.documents or ())
        if judgements is not None and not campaign.systems:
            segments = len(np.unique(judgements.segment[judgements.segment >= 0]))
            documents = Counter(dict.fromkeys(judgements.document.names, 0))
        alone = sum(documents.pop(name, 0) for name in NO_DOCUMENT)
        sizes = " to ".join(map(str, sorted({min(documents.values(), default=0), max(documents.values(), default=0)})))
        each = f"{sizes} segments each" if any(documents.values()) else ""
        said = "; ".join(filter(None, [each, f"{counted(alone, 'segment')} in none" if alone else ""]))
        domains = Counter(campaign.domains or ())
        several = f"{counted(len(self.systems), 'run')}: " if len(runs) < len(self.systems) else ""
        parts = {
            "segments": (segments, ""),
            "documents": (len(documents), said),
            "domains": (len(domains), _listed(f"{name} {count:,}" for name, count in domains.items())),
            "columns": (len(campaign.columns), _listed(campaign.columns)),
            "source": (int(campaign.source is not None), ""),
            "references": (len(campaign.references), _listed(campaign.references)),
            "systems": (len(runs), several + _listed(runs)),
            **({"scores": (len(campaign.scores), _listed(campaign.scores))} if campaign.scores else {}),
            "judgements": (
                len(judgements or ()), _listed(f"{kind} {len(rows):,}" for kind, rows in self.of_kind.items())
            ),
        }  # fmt: skip
        return [{"part": part, "number": number, "details": details} for part, (number, details) in parts.items()]

    def lengths(self) -> Iterator[dict[str, Any]]:
        """How long the texts are, in words between white space and in characters."""
        for text, column in watched([*self.texts.items()], self.asked):
            there = self.campaign.present.get(text.removeprefix("ref.")) if text.startswith("ref.") else None
            listed = [one for index, one in enumerate(column) if there is None or there[index]]
            row = {"text": text, "segments": len(listed), "empty": sum(not one.strip() for one in listed)}
            row |= _spread("words", [len(one.split()) for one in listed])
            row |= _spread("characters", list(map(len, listed)))
            shares = {script: share for script, share in self.scripts[text].items() if share >= _LEAST_SHARE}
            several = len(shares) > 1
            script = ", ".join(f"{name} {share:.0%}" if several else name for name, share in shares.items())
            yield row | {"script": script}

    def judged(self, kind: str, shared: Sequence[int]) -> dict[str, Any]:
        """Who judged how much, under one kind; ``shared`` are the numbers of items that two judges have in common."""
        of_kind = self.of_kind[kind]
        judges = [len(judges) for judges in _judges_by_item(of_kind).values()]
        known = of_kind.system.holds(self.systems) & (of_kind.segment >= 0)
        cells = len(np.unique(np.stack([of_kind.system.codes, of_kind.segment])[:, known], axis=1).T)
        segments = len(self.campaign) if self.campaign.systems else len(np.unique(of_kind.segment[known]))
        systems = len(self.systems) if self.campaign.systems else len(of_kind.system.names)
        number = len(of_kind.rater.names)
        return {
            "kind": kind, "judgements": len(of_kind), "judges": number,
            "systems": len(of_kind.system.names), "references": len(of_kind.reference.names),
            "items": len(np.unique(_items(of_kind))),
            "judges_min": min(judges, default=None), "judges_max": max(judges, default=None),
            "judges_mean": sum(judges) / len(judges) if judges else None,
            "cells": cells, "all_cells": systems * segments,
            "share": cells / (systems * segments) if systems * segments else None,
            "pairs": number * (number - 1) // 2, "pairs_sharing": len(shared),
            "shared_min": min(shared, default=None), "shared_median": median(shared) if shared else None,
            "shared_max": max(shared, default=None),
        }  # fmt: skip

    def left_out(self) -> Iterator[dict[str, Any]]:
        """What questions would not use, and why."""
        asked, campaign = self.asked, self.campaign
        named = asked.data.chosen_systems
        in_use = [
            name
            for name in (fitting("system", asked.campaign.systems, named) if named else asked.campaign.systems)
            if campaign.has_texts and name not in campaign.systems
        ]
        for name in in_use:
            yield _row(f"system {name}", 1, "it is itself a reference in use, and every command leaves it out")
        for name in asked.humans if campaign.has_texts else ():
            yield _row(f"system {name}", 1, f"one of the {HUMANS}, {_UNHELD} (--with-humans keeps it)")
        others = [name for name in campaign.references if name not in campaign.targeted]
        for name in campaign.targeted if others else ():
            yield _row(f"reference {name}", 1, "a post-edit: metrics other than hter leave it aside")
        empty = len(campaign) - int(with_words(campaign, others or campaign.references).sum())
        if empty and campaign.references:
            said = "their references are all empty: scored against nothing (--skip-empty-references leaves them out)"
            yield _row(counted(empty, "segment"), empty, said)
        if self.judgements is not None:
            yield from self._unused(self.judgements, in_use)

    def _unused(self, judgements: Judgements, in_use: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Judgements that no question, or not every one, would use; and systems that nobody judged."""
        system, document = judgements.system, judgements.document
        if self.campaign.has_texts:
            for name in sorted(set(system.names) - set(self.systems)):
                left_out = "it is a reference in use" if name in in_use else "there is no such system in the campaign"
                number = int(system.holds([name]).sum())
                yield _row(f"{counted(number, 'judgement')} of {name}", number, left_out)
            elsewhere = (document.codes >= 0) & ~document.holds(self.campaign.documents or ())
            reasons = {"the campaign has no such documents": (judgements.segment < 0) & elsewhere}
        else:
            reasons = {}
        reasons["they have no score"] = np.isnan(judgements.score)
        reasons["they name no judge, and agreement leaves them out"] = judgements.rater.codes < 0
        for reason, rows in reasons.items():
            if rows.any():
                yield _row(counted(int(rows.sum()), "judgement"), int(rows.sum()), reason)
        for kind, of_kind in self.of_kind.items():
            if isinstance(chosen := _chosen(of_kind), str):
                yield _row(f"{counted(len(of_kind), 'judgement')} of kind {kind}", len(of_kind), chosen)
        for name in self.systems:
            if name not in system.names:
                yield _row(f"system {name}", 1, f"nobody judged it: {_UNHELD}")

    def facts(self, kind: str | None) -> dict[str, int]:
        """What questions may need, and how much of it there is under one kind of judgement."""
        campaign = self.campaign
        references = len(campaign.references)
        facts: dict[str, int] = {_TEXTS: int(campaign.has_texts)} | {
            "systems": len(campaign.systems),
            "references": references,
            SOURCE: int(campaign.source is not None),
        }
        # Without systems each reference stands beside the others.
        beside = len(campaign.systems) if references else 0
        facts[CANDIDATES] = beside if campaign.systems else references if references > 1 else 0
        facts |= dict.fromkeys((JUDGED, SCORED, TRANSLATIONS, SEGMENTS, JUDGES), 0)
        chosen = "" if kind is None else _chosen(self.of_kind[kind])
        if not isinstance(chosen, str):
            judgements = chosen.judgements
            facts[JUDGES] = len(judgements.rater.names)
            judgements = judgements.only(judgements.system.holds(campaign.systems.keys() - self.asked.humans))
            scored = judgements.only((judgements.segment >= 0) & (not chosen.ranked))
            facts[JUDGED], facts[SCORED] = len(judgements.system.names), len(scored.system.names)
            facts[TRANSLATIONS] = len(np.unique(_items(scored)))
            facts[SEGMENTS] = len(np.unique(judgements.segment[judgements.segment >= 0]))
        facts[EITHER] = max(references, facts[JUDGED])
        return facts

    def commands(self) -> Iterator[dict[str, Any]]:
        """Which questions the campaign can answer, and what the others miss."""
        facts = {kind: self.facts(kind) for kind in self.of_kind or (None,)}
        for command, question in _questions():
            if isinstance(question, str):
                yield {"command": command, "answered": False, "kinds": None, "said": f"no: {question}"}
                continue
            needs = dict(question.needs)
            if not self.campaign.has_texts and self.campaign.scores and question.needs_texts:
                # Scores take the place of metrics, which compare texts; features are of texts.
                needs.pop("references", None)
                needs |= {} if "scores" in question.takes and "layers" not in question.takes else {_TEXTS: 1}
            missing = {kind: _missing(needs, known) for kind, known in facts.items()}
            able = [kind for kind, reason in missing.items() if not reason]
            judged = bool(question.needs.keys() & {JUDGED, SCORED, TRANSLATIONS, SEGMENTS, JUDGES})
            kinds = ",".join(map(str, able)) if judged and able else None
            said = f"yes, of {kinds}" if judged and len(able) < len(facts) else "yes"
            said = said if able else f"no: {next(iter(missing.values()))}"
            yield {"command": command, "answered": bool(able), "kinds": kinds, "said": said}

    def _against(self) -> Iterator[str]:
        """How many judgements were made against each reference, where somebody says so."""
        for kind, rows in self.of_kind.items():
            counts = Counter(rows.reference)
            unknown = counts.pop(None, 0)
            if counts:
                listed = ", ".join(f"{name} {count:,}" for name, count in counts.items())
                none = f"; {unknown:,} do not say" if unknown else ""
                yield f"{kind}: judged against the references {listed}{none}."
        judgements, known = self.judgements, self.campaign.references
        named = () if judgements is None or not known else judgements.reference.names
        strange = [name for name in named if not any(is_same_reference(name, reference) for reference in known)]
        if strange:
            yield f"Judged against references that the campaign does not have: {', '.join(strange)}."

    def said(self, tables: Mapping[str, Table]) -> Iterator[str]:
        """Who judged the same items, against which references, and what scripts tell."""
        yield from self._against()
        for row in tables["judgements"]:
            if row["pairs_sharing"]:
                low, high = row["shared_min"], row["shared_max"]
                sizes = f"{low:,}" if low == high else f"{low:,} to {high:,}, {row['shared_median']:,g} in the median"
                share = f"{row['pairs_sharing']:,} of {counted(row['pairs'], 'pair')} of judges judged the same items"
                yield f"{row['kind']}: {share}: {sizes}."
            elif row["judges"] > 1:
                yield f"{row['kind']}: no two of {row['judges']:,} judges judged the same item."
        main = {text: next(iter(shares), None) for text, shares in self.scripts.items()}
        of_references = {script for text, script in main.items() if text.startswith("ref.")}
        for text, script in main.items():
            if text.startswith("sys.") and of_references and script not in of_references:
                yield f"{text} is mostly {script or 'without letters'}, and no reference is: is it the right file?"
        writing = Sample.of(self.campaign.references.values()).writing
        if writing is not None:
            yield f"The references look like {writing.name}, without spaces between words: --language {writing.code}."


def _questions() -> Iterator[tuple[str, type[Question] | str]]:
    """Commands and studies that are asked of a campaign; of what cannot be loaded, the reason."""
    for name in QUESTIONS:
        try:
            question = QUESTIONS[name]
        except AssayError as error:
            # A broken plug-in must not hide the others.
            yield name, str(error)
            continue
        if question.takes and question is not Describe:
            yield name, question
    for name in STUDIES:
        yield f"study {name}", study_class(name)


def _missing(needs: Mapping[str, int], facts: Mapping[str, int]) -> str:
    """The first thing that is needed and not there; nothing where all is."""
    for what, number in needs.items():
        if facts.get(what, 0) < number:
            return f"{what}: {number} needed, {facts.get(what, 0)} there"
    return ""


def _chosen(judgements: Judgements) -> Chosen | str:
    """What can be used of one kind of judgement; or why nothing can, for ranks stand among scores."""
    try:
        return choose(judgements, None)
    except InputError as error:
        return str(error)


def _items(judgements: Judgements) -> NDArray[np.int64]:
    """The number of what each judgement is of: a segment, a document or the whole of one system."""
    documents = np.where(judgements.segment < 0, judgements.document.codes, -1)
    keys = np.stack([judgements.system.codes, judgements.segment, documents])
    return np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)


def _judges_by_item(judgements: Judgements) -> dict[int, set[str]]:
    """Who judged each item that somebody with a name judged."""
    judges: dict[int, set[str]] = {}
    for item, judge in zip(_items(judgements).tolist(), judgements.rater, strict=True):
        if judge is not None:
            judges.setdefault(item, set()).add(judge)
    return judges


def _overlap(judgements: Judgements) -> Table:
    """How many items each two judges have in common, if any; the most first."""
    pairs = Counter(pair for judges in _judges_by_item(judgements).values() for pair in combinations(sorted(judges), 2))
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"a": a, "b": b, "items": items} for (a, b), items in ranked]


def _spread(name: str, numbers: Sequence[int]) -> dict[str, float | None]:
    """The smallest, the largest, the mean and the sample's standard deviation; None of nothing."""
    values = np.array(numbers, dtype=np.float64)
    return {
        f"{name}_min": min(numbers, default=None),
        f"{name}_max": max(numbers, default=None),
        f"{name}_mean": float(values.mean()) if len(values) else None,
        f"{name}_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
    }


def _row(what: str, number: int, reason: str) -> dict[str, Any]:
    return {"what": what, "number": number, "reason": reason}


def _listed(names: Iterable[str]) -> str:
    """Names in the order of the alphabet, with commas between; of many the first.

    >>> _listed(["gravel", "compass"]), _listed(f"system-{number}" for number in range(9))
    ('compass, gravel', 'system-0, system-1, system-2, system-3 and 5 more')
    """
    listed = sorted(names)
    ends = accumulate(len(name) + len(", ") for name in listed)
    shown = sum(end <= _LONGEST for end in ends) or 1
    return ", ".join(listed[:shown]) + (f" and {len(listed) - shown} more" if shown < len(listed) else "")
