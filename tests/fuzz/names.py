"""Hostile names of systems, documents, references, raters, kinds, columns and metrics, through answers and formats.

An answer in a format for people shows no control character and no markup of a name; what is written is read again.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

import assay
from assay.data.conversion import write
from assay.data.external import ExternalScores
from assay.data.formats import CAMPAIGN_FORMATS, read
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.results.rendering import STYLES
from fuzz.outcomes import Outcomes

_PARTS = (
    "", " ", "-", "A", "a", "\u00e9", "e\u0301", "\0", "\x1b[31m", "\x9b", "\x07", "\b", "\r", "\n", "\t", "\u2028",
    "\u0085", "\u202e", "\u2066", "\u200b", "\ud800", "\U0001f469\u200d\U0001f52c", "<b>",
    "</script><script>alert(1)</script>", "&amp;", "&", "\"", "'", "\\", "\\input{x}", "$x$", "%", "#", "_", "^", "~",
    "|", "`", "*", "?", "[a]", "!", "@", ",", ";", ":", "/", "../..", ".", "=", "=1+1", "@SUM(1)", "+", "None", "nan",
    "null", "true", "source", "reference", "segment", "score", "ref.A", "sys.A", "refA", "human", "bleu",
    "bleu(order=2)", "__proto__", "constructor", "con", "aux.txt", "x" * 300, "\u0661", "\u05d0\u05d1",
    "\u0627\u0644", "\u4e2d\u6587", "a b", " a", "a ", "{}", "{0}", "%s", "${x}", "\ufeff", "\ufffe",
)  # fmt: skip
#: What no terminal and no page is to be given: control characters, and those that turn the direction of a line.
_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_STYLES = [name for name in STYLES if name not in ("junit", "svg")]


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(_PARTS) for _ in range(chance.choice((1, 1, 1, 2, 3))))


def _campaign(chance: random.Random) -> assay.Campaign:
    """A small campaign in which some names are hostile; two systems, two references, four segments."""

    def named(plain: str) -> str:
        return _name(chance) if chance.random() < 0.5 else plain

    texts = [["a b c d e", "f g h", "i j k", "l m"], ["a b d", "f g h i", "i k", "m n o"]]
    systems = {named("A"): texts[0], named("B"): texts[1]}
    documents, raters, kind = (named("d"), named("e")), (named("r"), named("s")), named("da")
    rows = [
        assay.Judgement(
            system, segment, 50.0 + segment + 7 * number, kind, raters[segment % 2], documents[segment // 2]
        )
        for number, system in enumerate(systems)
        for segment in range(4)
    ]
    return assay.Campaign(
        named("campaign"),
        systems=systems,
        references={named("R"): ["a b c d", "f h", "i j", "l m n"], named("S"): ["a c d", "g h", "j k", "m"]},
        source=["w", "x", "y", "z"],
        documents=tuple(documents[segment // 2] for segment in range(4)),
        columns={named("column"): [named("x")] * 4},
        human=assay.Judgements.of(rows, named("human.tsv")),
    )


def try_one(seed: int, folder: Path, outcomes: Outcomes) -> None:
    """One campaign with hostile names: an answer about it in one format, or written and read again in another."""
    chance = random.Random(f"names {seed}")
    with outcomes.trial(lambda: f"names {seed}: {campaign!r} {[*campaign.systems]!r}"):
        campaign = _campaign(chance)
        _TRIALS[seed % len(_TRIALS)](chance, campaign, folder)


def _answered(chance: random.Random, campaign: assay.Campaign, _: Path) -> None:
    kind = campaign.judgements.kinds[0] if campaign.judgements is not None else ""
    segments = {system: np.arange(4.0) for system in campaign.systems}
    scores = ExternalScores(_name(chance), segments=segments)
    asked: list[Callable[[], assay.Result]] = [
        lambda: assay.score(campaign, "f1", samples=2, segments=True, documents=True),
        lambda: assay.compare(campaign, "f1", samples=2, permutations=2, pairs=True),
        lambda: assay.meta_evaluate(campaign, "f1", scores=[scores], kind=[kind], samples=2, permutations=2),
        lambda: assay.agreement(campaign, kind=[kind], samples=2, splits=2),
    ]
    result = chance.choice(asked)()
    style = chance.choice(_STYLES)
    _look_at(result.render(style), style, result)


def _look_at(text: str, style: str, result: assay.Result) -> None:
    """Refuse what a terminal, a browser or another program would stumble over."""
    if style == "json":
        assert json.loads(text) == json.loads(assay.Result.from_json(text).to_json()), "JSON is not read back"
    elif style in ("tsv", "csv"):
        quoting: Any = {
            "delimiter": "\t" if style == "tsv" else ",",
            "quoting": csv.QUOTE_NONE if style == "tsv" else 0,
        }
        rows = list(csv.reader(io.StringIO(text, newline=""), **quoting))
        assert len({len(row) for row in rows}) <= 1, f"rows of {style} differ in length"
    elif style != "mtme-score":
        hidden = _UNSEEN.search(text)
        assert hidden is None, f"{hidden and hidden[0]!a} in {style}"
    if style == "html":
        assert "<script>alert" not in text, "a script in HTML"
        assert "<b>" not in text, "markup of a name in HTML"
    text.encode()
    assert result.tables


def _kept(chance: random.Random, campaign: assay.Campaign, folder: Path) -> None:
    """What a format of campaigns writes is read with the same names; or it is refused."""
    name, (_, endings) = chance.choice(list(CAMPAIGN_FORMATS.items()))
    target = folder / (f"names{endings[0]}" if endings else f"names-{name}")
    plain = replace(campaign, human=None)
    write(plain, target, output_format=name, pair="en-de", overwrite=True)
    again = read(target)
    # White space has no place in names of mt-metrics-eval: it is replaced, and a note says so.
    for part in ("systems", "references"):
        ours, theirs = getattr(plain, part), getattr(again, part)
        same = len(ours) == len(theirs) if name == "mt-metrics-eval" else sorted(ours) == sorted(theirs)
        assert same, f"{part} in {name}"


def _judged(chance: random.Random, campaign: assay.Campaign, folder: Path) -> None:
    """What a format of judgements writes is read with the same systems; or it is refused."""
    name = chance.choice(list(JUDGEMENT_FORMATS))
    judgements = campaign.judgements
    assert judgements is not None
    for file, content in JUDGEMENT_FORMATS[name].write(judgements, campaign).items():
        path = folder / (file or f"judgements-{name}.tsv")
        path.write_bytes(content)
        if not file:
            again = read_judgements(path, campaign=campaign, judgement_format_name=name)
            # Ends of lines have no place in a cell: they become blanks, and a note says so.
            ours, theirs = ({" ".join(one.split()) for one in rows.system.names} for rows in (judgements, again))
            assert ours == theirs, f"judged systems in {name}"


def _drawn(chance: random.Random, campaign: assay.Campaign, _: Path) -> None:
    """A drawing is sound XML."""
    metric = chance.choice(("bleu", "ter", "gtm", "meteor", "f1"))
    system = chance.choice([*campaign.systems])
    result = assay.explain_segment(metric, campaign, system=system, segment=chance.randrange(4))
    drawing = result.chart().to_bytes("svg")
    ElementTree.fromstring(drawing)
    assert b"<script>alert" not in drawing, "a script in a drawing"


_TRIALS = (_answered, _answered, _kept, _judged, _answered, _kept, _judged, _drawn)
