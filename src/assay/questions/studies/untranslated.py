"""Which words of the source did systems leave untranslated? Source words in an output that no reference has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from assay.arrays import Array
from assay.data.campaign import Campaign
from assay.errors import InputError, counted
from assay.people.levels import Cell, GridLevel, SystemLevel
from assay.people.scores import Scores
from assay.questions.asked import REFUSALS, Asked
from assay.questions.base import SOURCE, option
from assay.questions.studies.base import watched
from assay.questions.studies.judged import JudgedStudy, is_sure
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.draws import FEWEST_UNITS, Draws, Estimate, estimate
from assay.text.languages import UNSPACED_LETTER

#: Words before and behind one in an example, and words that a row of the table names.
_AROUND, _NAMED = 4, 5
#: A word of letters with fewer of them is part of one, or a sign.
_SHORTEST = 2
#: What is held against people: over systems, and within segments.
_STATISTICS: tuple[tuple[str, Cell], ...] = (
    ("system", ("pearson", None)),
    ("system", ("spearman", None)),
    ("segment", ("kendall", "item")),
)


@dataclass(frozen=True, kw_only=True)
class Untranslated(JudgedStudy):
    """How many words of each system's output are words of the source that no reference has, and which they are."""

    name = "untranslated"
    question = "Which words of the source did systems leave untranslated?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "judgements", "units")
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SOURCE: 1}
    leading = "kind"
    source = "what Turian, Shen & Melamed (2003) leave to ask: words that were not translated at all"
    columns = (
        Column("system"), Column("words", "words", ",d"), Column("untranslated", "untranslated", ",d"),
        Column("share", "per cent", ".2f", low="low", high="high"), Column("segments", "segments", ",d"),
        Column("listed", "most often"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "examples": (Column("system"), Column("segment"), Column("word"), Column("text")),
        "people": (
            Column("level"), Column("statistic"), Column("correlation", "correlation", ".3f", low="low", high="high"),
        ),
    }  # fmt: skip

    within: Literal["text", "segment"] = option(
        "text", "References that must not have a word: those of the whole text, or of its segment alone."
    )
    examples: int = option(2, "Places that are shown of each system; --table places has all.", metavar="N", least=0)
    samples: int = option(1000, "Bootstrap samples of segments, for intervals; 0 for none.", metavar="N", least=0)

    def answer(self, asked: Asked) -> Result:
        campaign = asked.chosen
        if campaign.source is None:
            raise InputError(
                f"{self.name} looks for words of the source in translations, and {campaign.name} has no source. Put it "
                "into src.txt in the campaign folder, or into the campaign's table."
            )
        if not campaign.systems or not campaign.references:
            lacks = "system" if not campaign.systems else "reference"
            raise InputError(f"{self.name} needs systems and references, and {campaign.name} has no {lacks}.")
        found = {
            name: _Counts.of(campaign, name, self.within) for name in watched([*campaign.systems], asked, 0.0, 0.7)
        }
        units = asked.units(campaign)
        samples = self.samples if len(units) >= FEWEST_UNITS else 0
        draws = Draws.of(units, samples, asked.seed)
        rows = [counts.row(name, draws) for name, counts in found.items()]
        rows.sort(key=lambda row: (-(row["share"] or 0.0), row["system"]))
        tables: dict[str, Table] = {"table": rows, "examples": [], "people": []}
        names = campaign.segment_names()
        tables["places"] = [place for name, counts in found.items() for place in counts.places(name, names)]
        for row in rows:
            here = {place["word"]: place for place in reversed(tables["places"]) if place["system"] == row["system"]}
            tables["examples"] += [*reversed(here.values())][: self.examples]
        said = list(_findings(rows, len(campaign)))
        people, usage = self._people(asked, found)
        tables["people"], notes = people
        said += [*notes, asked.about_units(units, campaign=campaign)]
        asked.report(1.0)
        return self.result(asked, tables, said, (), usage=usage, notes={"table": [_about(self.within)]})

    def _people(self, asked: Asked, found: Mapping[str, _Counts]) -> tuple[tuple[Table, list[str]], list[str]]:
        """How far people like systems and translations with fewer such words, where there are judgements."""
        if asked.campaign.judgements is None:
            return ([], []), []
        try:
            judged = self.judged(asked)
        except REFUSALS as error:
            return ([], [f"Not held against people: {error}"]), []
        people, draws = judged.people, judged.draws(self.samples)
        count, words = (
            np.stack([getattr(found[name], part) for name in people.systems]) for part in ("count", "words")
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            grid = -100.0 * count / words
        source = _Shares(self.name, people.systems, people.mask, grid, count=count, words=words)
        rows: Table = []
        for level, cell in _STATISTICS:
            if level == "segment" and not np.isfinite(people.grid).any():
                continue
            against: SystemLevel | GridLevel = (
                SystemLevel(people, draws, seed=asked.seed)
                if level == "system"
                else GridLevel(people.grid, draws, seed=asked.seed)
            )
            measured = against.measure([cell], source)[cell]
            statistic = cell[0] if cell[1] is None else f"{cell[0]}, within segments"
            rows.append({"kind": people.name, "level": level, "statistic": statistic, **measured.row("correlation")})
        return (rows, list(_people_said(rows))), [str(judged.usage)]

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """The share of each system with its interval."""
        drawn = charts.interval_dots(
            tables["table"], name="system", value="share", ends=("low", "high"),
            axis=Axis(title="untranslated words in 100 words of output", zero=True), width=360,
        )  # fmt: skip
        said = f"{campaign}: words of the source that no reference has; bars: 95 %, for other segments"
        return charts.figure("figure", drawn, self.question, [said])


def _about(within: str) -> str:
    where = "of the whole text" if within == "text" else "of the segment"
    return (
        "A word is a run of letters, with apostrophes and hyphens inside, or of characters of a script without spaces "
        "(Chinese, Japanese, Thai ...); case does not count, and tags and what has a digit or one letter are none. "
        f"It is untranslated where the source of its segment has it and no reference {where} does: names, loan words "
        "and words of both languages are in some reference."
    )


def _findings(rows: Table, segments: int) -> Iterator[str]:
    able = [row for row in rows if row["share"] is not None]
    if not any(row["untranslated"] for row in able):
        yield f"No system left a word of the source in any of the {counted(segments, 'segment')}."
        return
    most, least = able[0], able[-1]
    yield (
        f"{most['system']} leaves most words of the source: {most['untranslated']:,} of {most['words']:,} words "
        f"({most['share']:.2f} %), in {most['segments']:,} of {counted(segments, 'segment')}."
    )
    if least is not most:
        few = f"{least['untranslated']:,} of {least['words']:,}"
        yield f"{least['system']} leaves fewest: {few} ({least['share']:.2f} %)."


def _people_said(rows: Table) -> Iterator[str]:
    for row in rows:
        if row["correlation"] is None:
            yield f"People, {row['level']} level: no {row['statistic']} is defined."
            continue
        ends = "" if row["low"] is None else f" ({row['low']:.3f} – {row['high']:.3f})"
        sure = "" if is_sure({"x_low": row["low"], "x_high": row["high"]}, "x") else ", which may be chance"
        liked = "more" if row["correlation"] > 0 else "less"
        what = "systems" if row["level"] == "system" else "translations"
        value = f"{row['statistic']} {row['correlation']:.3f}{ends}{sure}"
        yield f"People like {what} with fewer such words {liked}: {value}."


@dataclass(frozen=True, eq=False)
class _Shares(Scores):
    """Fewer untranslated words are better: the share of all words of a system's segments, below 0."""

    count: Array = field(kw_only=True, repr=False)
    words: Array = field(kw_only=True, repr=False)

    def system_scores(self, weights: Array) -> Array:
        count, words = (weights @ np.where(self.scored, values, 0.0).T for values in (self.count, self.words))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(-100.0 * count / words)

    def contributions(self) -> Array:
        return np.where(self.scored, self.grid, np.nan)


@dataclass(frozen=True, eq=False)
class _Counts:
    """The words of one system's output, segment by segment, and those that were not translated."""

    words: Array
    count: Array
    #: Segment, word, and the text around it.
    found: Sequence[tuple[int, str, str]]

    @classmethod
    def of(cls, campaign: Campaign, system: str, within: str) -> _Counts:
        """Look at all segments of a system."""
        corpus = campaign.corpus(system).untargeted
        source = campaign.source or ()
        spoken = _Vocabulary(
            [text for column, present in zip(corpus.references, corpus.present, strict=True)
             for text, there in zip(column, present, strict=True) if there]
        ) if within == "text" else None  # fmt: skip
        words, count = np.zeros((2, len(corpus)))
        found = []
        for place, original in enumerate(source):
            segment = corpus[place]
            listed = list(_words(segment.translation))
            words[place] = len(listed)
            theirs = spoken or _Vocabulary(segment.references)
            ours = _Vocabulary([original])
            for start, end, word in listed:
                if ours.has(word) and not theirs.has(word):
                    count[place] += 1
                    found.append((place, word, _excerpt(segment.translation, start, end)))
        return cls(words, count, found)

    def row(self, system: str, draws: Draws) -> dict[str, Any]:
        """Counts, and the share with its interval."""
        weights = draws.weights
        with np.errstate(invalid="ignore", divide="ignore"):
            share = estimate(100.0 * (weights @ self.count) / (weights @ self.words), draws.size)
        if not self.found:
            # Draws of nothing are all alike: that other segments would have none, either, does not follow.
            share = Estimate(share.value)
        counts = Counter(word for _, word, _ in self.found)
        often = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_NAMED]
        return {
            "kind": None, "system": system, "words": int(self.words.sum()), "untranslated": int(self.count.sum()),
            **share.row("share"), "segments": int((self.count > 0).sum()),
            "listed": ", ".join(f"{word} {times}" if times > 1 else word for word, times in often),
        }  # fmt: skip

    def places(self, system: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Where each of them stands; words that come again stand first."""
        often = Counter(word for _, word, _ in self.found)
        for segment, word, text in sorted(self.found, key=lambda one: (-often[one[1]], one[1], one[0])):
            yield {"kind": None, "system": system, "segment": names[segment], "word": word, "text": text}


class _Vocabulary:
    """The words of some texts; of scripts without spaces, whatever stands in one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = "\n".join(texts)
        words = {word for text in texts for _, _, word in _words(text)}
        # Anna's has Anna in it.
        self._words = words | {part for word in words for part in _JOINER.split(word)}

    def has(self, word: str) -> bool:
        """Whether it is one of them."""
        return word in self._words or (UNSPACED_LETTER.match(word) is not None and word in self._texts)


#: What may stand inside a word.
_JOINER = re.compile("['’\u2010\u2011-]")


class _Classes(dict[int, str]):
    """What each character is: a letter, one of a script without spaces, a mark, a digit, a joiner or nothing of it."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if UNSPACED_LETTER.match(character):
            kind = "U"
        elif _JOINER.match(character):
            kind = "J"
        else:
            kind = {"L": "L", "M": "M", "N": "N"}.get(category[0], " ")
        self[code] = kind
        return kind


_CLASSES = _Classes()
#: A tag of XML or HTML, whose words are nobody's.
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile("[LN][LMN]*(?:J[LN][LMN]*)*|U[UM]*")


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each word of a text begins and ends, and the word, its case aside.

    >>> [word for _, _, word in _words("Die <br/> Mio. 14,6-fach: l'été war 東京都へ A-b x")]
    ['die', 'mio', "l'été", 'war', '東京都へ', 'a-b']
    """
    kinds = _TAG.sub(lambda tag: " " * len(tag[0]), text).translate(_CLASSES)
    for match in _WORD.finditer(kinds):
        start, end = match.span()
        if "N" not in match[0] and (match[0][0] == "U" or match[0].count("L") >= _SHORTEST):
            yield start, end, text[start:end].casefold()


def _excerpt(text: str, start: int, end: int) -> str:
    """A word where it stands, with some words before and behind it.

    >>> _excerpt("this is what the Bahnhof is called here today", 17, 24)
    'this is what the [Bahnhof] is called here today'
    """
    before, behind = text[:start].split(" "), text[end:].split(" ")
    head = ("… " if len(before) > _AROUND + 1 else "") + " ".join(before[-_AROUND - 1 :])
    tail = " ".join(behind[: _AROUND + 1]) + (" …" if len(behind) > _AROUND + 1 else "")
    return f"{head}[{text[start:end]}]{tail}"
