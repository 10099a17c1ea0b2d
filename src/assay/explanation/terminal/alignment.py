"""METEOR: both sentences with a mark below each matched word, and the matches that are not exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.explanation.terminal.columns import Cell, fold
from assay.explanation.words import Text, joined
from assay.metrics.pictures import Alignment, Link, Span, Words

#: A sign for each way of matching; other matchers have a star.
SIGNS = {"exact": "=", "stem": "~", "synonym": "≈", "paraphrase": "¶"}
STYLES = {"exact": "green", "stem": "cyan", "synonym": "yellow", "paraphrase": "magenta"}


def draw_alignment(alignment: Alignment, names: Sequence[str], width: int) -> Iterator[Text]:
    """A mark is the number of the chunk and the sign of the match, the same on both sides."""
    sides: list[tuple[str, Words, list[tuple[Span, Link]], frozenset[int]]] = [
        (
            "translation",
            alignment.translation,
            [(link.translation, link) for link in alignment.links],
            alignment.translation_function_words,
        ),
        (
            f"reference {names[alignment.reference_index]}",
            alignment.reference,
            [(link.reference, link) for link in alignment.links],
            alignment.reference_function_words,
        ),
    ]
    label = max(len(name) for name, *_ in sides)
    for name, words, spans, function_words in sides:
        link_of = {position: link for span, link in spans for position in range(*span)}
        cells = [
            Cell(word, _style(link_of.get(position), position in function_words)) for position, word in enumerate(words)
        ]
        marks = [Cell(_mark(link_of.get(position)), "dim") for position in range(len(words))]
        if words:
            yield from fold([(name.ljust(label), cells), ("", marks)], width)
        else:
            yield Text(f"{name.ljust(label)}  ∅")
            yield Text("")
    for link in alignment.links:
        if link.kind != "exact":
            left = joined(alignment.translation[slice(*link.translation)])
            right = joined(alignment.reference[slice(*link.reference)])
            yield Text(f"{link.kind}: {left} {SIGNS.get(link.kind, '*')} {right}", style=STYLES.get(link.kind, ""))
    used = dict.fromkeys([*SIGNS, *(link.kind for link in alignment.links)])
    signs = " · ".join(f"{SIGNS.get(kind, '*')} {kind}" for kind in used)
    yield Text(f"numbers are chunks · {signs} · “·” is unmatched", style="dim")


def _mark(link: Link | None) -> str:
    return "·" if link is None else f"{link.chunk + 1}{SIGNS.get(link.kind, '*')}"


def _style(link: Link | None, is_function_word: bool) -> str:
    matched = "" if link is None else STYLES.get(link.kind, "blue")
    return f"{matched} italic".strip() if is_function_word else matched
