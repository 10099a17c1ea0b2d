"""A campaign of four segments and judgements of it, as every format is tried with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.judgements import JUDGEMENT_FORMATS, guess_judgement_format, read_judgements
from assay.data.judgements import ErrorSpan, Judgement, Judgements

CAMPAIGN = Campaign(
    name="tiny.en-de",
    systems={
        "A": ["Ein Haus.", "Zwei Häuser 🏠 sind.", "Drei.", "Vier!"],
        "B": ["Das Haus.", "Zwei Haus.", "Drei Dinge.", "Fünf!"],
    },
    references={"r": ["Ein Haus.", "Zwei Häuser.", "Drei.", "Vier."]},
    source=["A house.", "Two houses.", "Three.", "Four."],
    documents=("d1", "d1", "d2", "d2"),
)

MAJOR = ErrorSpan("Major", "Accuracy/Mistranslation", 0, 4)
EMOJI = ErrorSpan("Minor", "Fluency/Punctuation", 12, 13)
OMITTED = ErrorSpan("Major", "Accuracy/Omission", 4, 10, in_source=True)
NOWHERE = ErrorSpan("Minor", "Other")

#: Scores are those of Google's weights: 5 + 0.1, none, 5 + 1, 5.
MQM = (
    Judgement("A", 1, -5.1, "mqm", "r1", "d1", spans=(MAJOR, EMOJI)),
    Judgement("A", 2, 0.0, "mqm", "r1", "d2", spans=()),
    Judgement("B", 1, -6.0, "mqm", "r2", "d1", spans=(OMITTED, NOWHERE)),
    Judgement("B", 1, -5.0, "mqm", "r1", "d1", spans=(MAJOR,)),
)


def judged(*rows: Judgement) -> Judgements:
    """Judgements that no file holds yet."""
    return Judgements.of(rows, "test")


def round_trip(
    folder: Path, name: str, format_name: str, judgements: Judgements, campaign: Campaign | None = CAMPAIGN
) -> list[Judgement]:
    """What is read of what was written, without lines; the format has to be recognised."""
    files = JUDGEMENT_FORMATS[format_name].write(judgements, campaign)
    for file, content in files.items():
        (folder / (file or name)).write_bytes(content)
    assert guess_judgement_format(folder / name) == format_name
    return plain(read_judgements(folder / name, campaign=campaign))


def read_text(
    folder: Path, name: str, text: str, format_name: str | None = None, campaign: Campaign | None = CAMPAIGN
) -> Judgements:
    """What is read of a text; its format is guessed unless it is given."""
    (folder / name).write_bytes(text.encode())
    return read_judgements(folder / name, campaign=campaign, judgement_format_name=format_name)


def plain(judgements: Judgements) -> list[Judgement]:
    """The judgements without the lines where they stood."""
    return [replace(one, line=0) for one in judgements]
