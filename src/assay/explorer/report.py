"""``assay report``: campaigns and all that was asked of them as one page, which needs nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from assay.arrays import Flags
from assay.data.files import byte_count, write_files
from assay.data.problems import note
from assay.errors import AssayError, InputError, ParameterError, shown
from assay.explorer.findings import findings
from assay.explorer.packing import (
    Blob,
    Shown,
    blobs_of,
    drawn,
    manifest_of,
    result_body,
    result_entry,
    shown_of,
)
from assay.explorer.program import page, plain_content
from assay.explorer.trimming import by_worth, first, said_of
from assay.explorer.typed import question_of
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS
from assay.properties import cached_property
from assay.questions.agreement import Agreement
from assay.questions.asked import Asked, referenced, remarks, several
from assay.questions.base import KIND, Campaigns, Question, metrics_option, option, path_option
from assay.questions.compare import Compare
from assay.questions.describe import Describe
from assay.questions.kept.base import typed_again
from assay.questions.kept.show import Show
from assay.questions.meta import Meta
from assay.questions.score import Score
from assay.questions.studies.everything import ask_part
from assay.results.result import Column, Remark, Result, Table, View
from assay.results.visible import html
from assay.text.recipe import Recipe

#: Where scripts and data of a page in pieces lie.
_DATA = "data/"
#: How often it is tried to find out how many texts fit.
_TRIES = 6
_CONTENTS = (Column("part"), Column("number", "", ",d"), Column("details", ""))
_QUESTIONS = (Column("question"), Column("answered", format="yes|no"), Column("reason", ""))


class _Answer(NamedTuple):
    """What became of one question about one campaign; None stands for all of them, or for none."""

    asked: str
    number: int | None
    result: Result | None
    reason: str | None = None
    #: As one would type it.
    command: str | None = None
    #: Whether it is asked of every campaign, and so of all metrics, kinds and pairs.
    usual: bool = False


def _size(given: Any) -> int:
    """How large a page may be, in bytes."""
    try:
        size = byte_count(given)
    except ParameterError:
        size = None
    if size is None:
        raise TypeError
    return size


def _paths(given: Any) -> tuple[str, ...]:
    """Files or runs by their names."""
    return tuple(map(str, several(given)))


@dataclass(frozen=True, kw_only=True)
class Report(Question):
    """A page of its own: scores, tests, judges and every sentence, to be filtered and sorted in a browser.

      assay report campaign/ -o report.html

      assay report campaign/ -m bleu,chrf,ter --also 'study references' -o report.html

      assay report campaign/ --bundle report/

    The page needs no network and no server. What a campaign cannot answer stands there with the reason.
    """

    name: ClassVar[str] = "report"
    question: ClassVar[str] = "What is there to see?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "scores", "units")
    needs_texts: ClassVar[bool] = False
    needs: ClassVar[Mapping[str, int]] = {}
    working: ClassVar[str] = "Making a page"
    # Each question is asked of every kind, and of every campaign.
    kinds_apart: ClassVar[bool] = False
    campaigns: ClassVar[Campaigns] = "together"

    metrics: tuple[Metric, ...] = metrics_option(
        DEFAULT_METRICS, "bleu, 'bleu(order=2)', bleu,chrf ...; see assay metrics.", scores=True
    )
    kind: tuple[str, ...] = option((), f"{KIND} Default: every kind.", metavar="KIND,...")
    also: tuple[str, ...] = option(
        (), "A further question, such as 'study references'; repeat it.", metavar="QUESTION", repeat=True
    )
    results: Any = option(
        (),
        "An answer that was kept, by its file or run; repeat it.",
        flag="--result",
        metavar="FILE | RUN",
        repeat=True,
        parse=_paths,
    )
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2, most=100_000)
    most: Any = option(
        "8MB",
        "In a larger page stand the texts of some segments alone.",
        metavar="SIZE",
        parse=_size,
    )
    bundle: str | None = path_option("Write the page as files into this folder, with all texts.", group="run")
    overwrite: bool = option(False, "Let --bundle replace a folder that it wrote.", group="run")

    def check(self) -> None:
        for question in self._further():
            if isinstance(question, Report):
                raise ParameterError("--also report: a page holds no page. Name another question.")
        if self.overwrite and self.bundle is None:
            raise ParameterError("--overwrite goes with --bundle DIR.")

    def _further(self) -> list[Question]:
        return [question_of(text) for text in self.also]

    def on_texts(self, recipe: Recipe | None, language: str | None) -> Self:
        """Itself: each question is put on the texts by itself."""
        return self

    def answer(self, asked: Asked) -> Result:
        language = asked.data.language
        metrics = self.metrics if language is None else tuple(one.in_language(language) for one in self.metrics)
        if self.bundle is not None and not self.overwrite:
            _require_room(Path(self.bundle))
        known = [_kept(name, asked.data.store) for name in self.results]
        shown = shown_of(replace(asked, progress=asked.part(0.0, 0.3)), metrics, self.samples)
        answers = [*self._answers(asked, shown), *(_Answer(_asked(one), None, one) for one in known)]
        made = _Page(shown, tuple(answers), int(self.most))
        asked.report(1.0)
        written = "" if self.bundle is None else f"Written to {self.bundle}: open {Path(self.bundle) / 'index.html'}."
        if self.bundle is not None:
            write_files(made.files(), self.bundle, overwrite=self.overwrite, consent="--overwrite")
        questions: Table = [
            {"question": one.asked, "campaign": None if one.number is None else shown[one.number].campaign.name}
            | {"answered": one.result is not None, "reason": one.reason}
            for one in answers
        ]
        contents = [row for one in shown for row in _contents(one)]
        named = (Column("campaign"),) if len(shown) > 1 else ()
        return Result(
            "report",
            {"contents": contents, "questions": questions},
            (
                View(f"{asked.name}: a page of what is there", "contents", (*named, *_CONTENTS)),
                View("What it answers", "questions", (*named, *_QUESTIONS)),
            ),
            (*made.findings, written or "The page itself: -o report.html, or in pieces --bundle DIR."),
            signatures=asked.signatures([one for one in metrics if any(one in each.metrics for each in shown)]),
            page=made.html,
        )

    def _answers(self, asked: Asked, shown: Sequence[Shown]) -> Iterator[_Answer]:
        """What every campaign answers, and what those questions answer that are asked of none."""
        further = self._further()
        planned = [
            (one, question, usual)
            for one in shown
            for questions, usual in ((self._usual(one), True), ((each for each in further if each.takes), False))
            for question in questions
        ]
        for done, (one, question, usual) in enumerate(planned):
            share = asked.part(0.3 + 0.7 * done / len(planned), 0.3 + 0.7 * (done + 1) / len(planned))
            yield _answer(question, replace(one.asked, progress=share), one)._replace(usual=usual)
        for question in further:
            if not question.takes:
                yield _answer(question, Asked((), asked.data), None)

    def _usual(self, shown: Shown) -> Iterator[Question]:
        """What is asked of every campaign."""
        judgements = shown.asked.campaign.judgements
        kinds = self.kind or (() if judgements is None else judgements.kinds)
        # With none that can be counted the question itself says why.
        metrics = shown.metrics or self.metrics
        yield Describe(kind=self.kind)
        yield Score(metrics=metrics, samples=self.samples)
        yield Compare(metrics=metrics, samples=self.samples)
        yield Meta(metrics=metrics, kind=kinds, samples=self.samples)
        yield Agreement(kind=kinds, samples=self.samples)


def _require_room(folder: Path) -> None:
    """Fail before long work where a page in pieces would take the place of something else."""
    if folder.is_dir() and any(folder.iterdir()):
        remedy = "Replace it with --overwrite, or choose another name."
        raise InputError(f"{folder} is there already and is not empty.", remedy)


def _kept(name: str, store: str | None) -> Result:
    """An answer that was kept: a file, or a run of a store."""
    try:
        return Show(run=name, store=store).found(name).result
    except AssayError as error:
        raise InputError(f"--result {shown(name)} (results): {error}") from None


def _asked(result: Result) -> str:
    return " ".join(filter(None, [result.command, result.question]))


def _answer(question: Question, asked: Asked, shown: Shown | None) -> _Answer:
    """The answer to a question with all that it takes to ask again; or the reason why there is none."""
    name = " ".join(filter(None, [question.command, question.name]))
    number = None if shown is None else shown.index
    with remarks(again=False) as opening:
        if shown is not None and question.scores_all(asked.data):
            # Said once where the campaign was read, and to be read in the page, too.
            referenced(asked, question.named_metrics())
    part = ask_part(question, asked, 0.0, 1.0)
    if part.result is None:
        return _Answer(name, number, None, part.reason)
    said = [Remark(text, level.lower()) for level, _, text in (one.partition(": ") for one in part.notes)]
    options = part.result.options or question.options(asked.data)
    result = replace(
        part.result,
        command=question.command,
        campaign=part.result.campaign if shown is None else asked.name,
        options=options,
        digests=part.result.digests or ({} if shown is None else asked.digests()),
        notes=tuple({str(remark): remark for remark in (*opening, *part.result.notes, *said)}.values()),
    )
    record = {"command": question.command or question.name, question.command: question.name, "options": result.options}
    inputs = {} if shown is None else _inputs(shown)
    command = None if inputs is None else typed_again(record, inputs)
    return _Answer(name, number, result, part.reason, command)


def _inputs(shown: Shown) -> Mapping[str, Any] | None:
    """What was named to work on, as a question about this campaign alone takes it; None where nothing was."""
    record = shown.inputs
    return record or None


def _contents(shown: Shown) -> Iterator[dict[str, Any]]:
    """What of a campaign is in the page."""
    # In the order of the alphabet, whichever came first.
    campaign, judgements = shown.campaign, shown.judgements
    kinds = () if judgements is None else judgements.kinds
    lines: Table = [
        {"part": "segments", "number": len(shown), "details": ""},
        {"part": "systems", "number": len(shown.systems), "details": ""},
        {"part": "references", "number": len(campaign.references), "details": ", ".join(sorted(campaign.references))},
        {"part": "metrics", "number": len(shown.metrics), "details": ", ".join(map(str, shown.metrics))},
        {"part": "judgements", "number": len(judgements or ()), "details": ", ".join(sorted(kinds))},
    ]
    for line in lines:
        yield {"campaign": campaign.name, **line}
    for metric, why in shown.refused.items():
        yield {"campaign": campaign.name, "part": f"without {metric}", "number": None, "details": why}


@dataclass(frozen=True, eq=False)
class _Page:
    """A page, made when somebody wants to see it."""

    shown: Sequence[Shown]
    answers: tuple[_Answer, ...]
    most: int

    @property
    def title(self) -> str:
        """What it is about."""
        return f"Assay: {', '.join(one.campaign.name for one in self.shown)}"

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """What a manager has to know, campaign by campaign."""
        said: list[str] = []
        for one in self.shown:
            # What --also asks by the same name says less than what is asked of every campaign, or something else.
            own = [each for each in self.answers if each.number == one.index and each.usual]
            results = {each.asked: each.result for each in own if each.result}
            sentences = list(findings(one, results))
            several = len(self.shown) > 1
            said += [f"{one.campaign.name}: {text}" if several and number else text for number, text in
                     enumerate(sentences)]  # fmt: skip
        return tuple(said)

    @cached_property
    def _drawn(self) -> list[tuple[str, _Answer]]:
        """Answers with their figures drawn, by the names that the page knows them by."""
        there = [one for one in self.answers if one.result is not None]
        return [(f"answer-{number}", one._replace(result=drawn(one.result))) for number, one in enumerate(there) if
                one.result is not None]  # fmt: skip

    def _manifest(self, kept: Sequence[Flags | None]) -> dict[str, Any]:
        """What the page has to know at once, the blobs aside."""
        results = [
            result_entry(one.result, one.number, name, one.command) | {"usual": one.usual}
            for name, one in self._drawn
            if one.result is not None
        ]
        unanswered = [
            {"question": one.asked, "campaign": one.number, "reason": one.reason} for one in self.answers if one.reason
        ]
        manifest = manifest_of(self.shown, transport="file", title=self.title, results=results, unanswered=unanswered)
        for campaign, one, flags in zip(manifest["campaigns"], self.shown, kept, strict=True):
            if flags is not None and _has_texts(one):
                campaign["kept"] = {"segments": int(flags.sum()), "said": said_of(one, flags)}
        return manifest | {"findings": list(self.findings)}

    def _blobs(self, kept: Sequence[Flags | None]) -> dict[str, Blob]:
        """All that the page holds."""
        parts = [blobs_of(one, flags) for one, flags in zip(self.shown, kept, strict=True)]
        return {name: blob for part in parts for name, blob in part.items()} | self._answer_blobs

    @cached_property
    def _answer_blobs(self) -> dict[str, Blob]:
        return {f"result.{name}": Blob.of_json(result_body(one.result)) for name, one in self._drawn if one.result}

    @cached_property
    def _tables(self) -> str:
        """Findings, tables and pictures of all answers; of several kinds of judgement the pictures of the first."""
        titled = []
        for _, one in self._drawn:
            if one.result is not None:
                others = tuple(f"{kind}." for kind in [*one.result.setup.get("kinds", ())][1:])
                figures = [figure for figure in one.result.figures if not figure.name.startswith(others)]
                heading = f"{one.asked}: {one.result.campaign}" if one.result.campaign else one.asked
                titled.append((heading, replace(one.result, figures=figures)))
        return plain_content(titled)

    def _body(self, said: Sequence[str]) -> str:
        """What a browser without a program shows."""
        reasons = [f"{one.asked}: {one.reason}" for one in self.answers if one.reason]
        sentences = "".join(f"<p>{html(sentence)}</p>\n" for sentence in (*self.findings, *said, *reasons))
        return f"<h1>{html(self.title)}</h1>\n{sentences}{self._tables}"

    def _whole(self, kept: Sequence[Flags | None], *, inside: bool) -> tuple[str, dict[str, bytes]]:
        """The page with the texts of these segments, and the content of its blobs by their names."""
        manifest, blobs = self._manifest(kept), self._blobs(kept)
        numbered = {name: f"b{number}" for number, name in enumerate(blobs)}
        manifest["blobs"] = {name: {"id": numbered[name], **blob.entry} for name, blob in blobs.items()}
        packed = {numbered[name]: blob.packed for name, blob in blobs.items()}
        manifest["digest"] = hashlib.sha256(b"".join(packed.values())).hexdigest()[:16]
        said = [campaign["kept"]["said"] for campaign in manifest["campaigns"] if campaign["kept"]]
        boot = {"transport": "file"} if inside else {"transport": "file", "base": _DATA}
        return page(manifest, boot, body=self._body(said), blobs=packed if inside else None), packed

    def html(self) -> str:
        """The whole page; texts that do not fit are left out, and that is said."""
        kept: list[Flags | None] = [None] * len(self.shown)
        text, _ = self._whole(kept, inside=True)
        if len(text.encode()) > self.most and any(map(_has_texts, self.shown)):
            text, kept = self._trimmed(text)
        for one, flags in zip(self.shown, kept, strict=True):
            if flags is not None and _has_texts(one):
                note(said_of(one, flags))
        size = len(text.encode())
        if size > self.most:
            what = f"The page has {size / 1e6:.1f} MB, more than --most says: counts and answers alone take so much."
            note(f"{what} --bundle DIR writes it in pieces that are read when they are wanted.")
        return text

    def _trimmed(self, text: str) -> tuple[str, list[Flags | None]]:
        """A page with texts of as many segments as fit, if any do."""
        kept: list[Flags | None] = [None] * len(self.shown)
        orders = [by_worth(one) for one in self.shown]
        share = 1.0
        bare = len(self._whole([np.zeros(len(order), dtype=np.bool_) for order in orders], inside=True)[0].encode())
        for _ in range(_TRIES):
            size = len(text.encode())
            share *= max(self.most - bare, 0) / max(size - bare, 1) * 0.98
            kept = [first(order, math.floor(share * len(order))) for order in orders]
            text, _ = self._whole(kept, inside=True)
            if len(text.encode()) <= self.most or share <= 0.0:
                break
        return text, kept

    def files(self) -> dict[str, list[bytes]]:
        """The page in pieces, with all texts."""
        text, packed = self._whole([None] * len(self.shown), inside=False)
        scripts = {f"{_DATA}{name}.js": [_script(name, content)] for name, content in packed.items()}
        return {"index.html": [text.encode()]} | scripts


def _has_texts(shown: Shown) -> bool:
    """Whether there are texts that could be left out."""
    campaign = shown.campaign
    return campaign.has_texts or campaign.source is not None or bool(campaign.references) or bool(shown.columns)


def _script(name: str, content: bytes) -> bytes:
    """A blob as a script that hands it over, which a browser loads from a disk, too."""
    return f'assayBlob({json.dumps(name)}, "{base64.b64encode(content).decode()}");\n'.encode()
