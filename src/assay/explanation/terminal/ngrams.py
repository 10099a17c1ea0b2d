"""BLEU, NIST, chrF, PER and unigrams: how far each word is matched, and the matches of each order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.explanation.coverage import longest_matches
from assay.explanation.terminal.columns import Cell, fold
from assay.explanation.words import Text, joined, shorten
from assay.metrics.pictures import Ngram, NgramMatches, NgramOrder
from assay.results.text import width_of as columns_of

BAR = 20
#: From no match to a long one.
SHADES = ("red", "yellow", "green", "bold green")


def draw_ngrams(picture: NgramMatches, names: Sequence[str], width: int) -> Iterator[Text]:
    """The translation with the longest match of each word below it, then a bar and a list per order."""
    if picture.reference_index is not None:
        yield Text(f"against reference {names[picture.reference_index]}", style="dim")
    for unit in ("word", "character"):
        orders = [order for order in picture.orders if order.unit == unit]
        if not orders:
            continue
        longest = longest_matches(picture, unit)
        most = max(order.order for order in orders)
        words = picture.translation if unit == "word" else picture.translation_characters
        cells = [Cell(word, _shade(length, most)) for word, length in zip(words, longest, strict=True)]
        found = "✓" if most == 1 else None
        marks = [Cell("·" if length == 0 else found or str(length), _shade(length, most)) for length in longest]
        if words:
            label = "translation" if unit == "word" else "characters"
            below = "longest match" if most > 1 else "matched"
            yield from fold([(label, cells), (below, marks)], width, gap=1 if unit == "character" else 2)
        for order in orders:
            yield _bar(order)
            yield from _listed(order, width)
        yield Text("")
    if any(order.order > 1 for order in picture.orders):
        yield Text("longest match: n of the longest n-gram through a word that counts; · none", style="dim")


def _shade(length: int, most: int) -> str:
    return SHADES[0] if length == 0 else SHADES[min(3, 1 + 2 * length // (most + 1))]


def _bar(order: NgramOrder) -> Text:
    matched = sum(match.matched for match in order.matches)
    share = matched / order.translation_total if order.translation_total else 0.0
    full = round(share * BAR)
    recall = "" if order.reference_total is None else f", of {order.reference_total} in the reference"
    weighted = any(match.weight != 1.0 for match in order.matches)
    worth = f", worth {sum(match.matched * match.weight for match in order.matches):.3f} bits" if weighted else ""
    name = f"{order.order}-gram" if order.unit == "word" else f"{order.order} chars"
    line = Text(f"{name:<8}")
    line.append("█" * full, style="green")
    line.append("░" * (BAR - full), style="dim")
    line.append(f" {matched} of {order.translation_total} ({100 * share:.1f} %){recall}{worth}")
    return line


def _listed(order: NgramOrder, width: int) -> Iterator[Text]:
    """The matches of one order on one line; what does not fit is counted."""
    shown: list[str] = []
    used = 8
    for number, match in enumerate(order.matches):
        text = _text_of(match, order.unit)
        rest = f"… {len(order.matches) - number} more"
        if used + columns_of(text) + 3 + columns_of(rest) > width and number:
            shown.append(rest)
            break
        shown.append(shorten(text, max(width - used, 20)))
        used += columns_of(shown[-1]) + 3
    if shown:
        yield Text("        " + " · ".join(shown), style="dim")


def _text_of(match: Ngram, unit: str) -> str:
    text = joined(match.words, unit)
    if match.matched < match.translation_count:
        return f"{text} (×{match.translation_count}, counts {match.matched})"
    return f"{text} (×{match.matched})" if match.matched > 1 else text
