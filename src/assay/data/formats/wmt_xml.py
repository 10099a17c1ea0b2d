"""WMT's XML: ``dataset``, ``doc``, and in each the ``src``, ``ref`` and ``hyp`` with their segments.

A document type is refused, and with it every entity that a file could define: XML's own five and numbers are enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.files import Files, read_bytes
from assay.data.formats.base import CampaignFormat, languages_of, say_lost
from assay.data.formats.markup import ATTRIBUTES, Markup, Stretch, campaign_of_markup, stretches
from assay.data.formats.sgml import spelled_attributes
from assay.data.problems import Problems
from assay.errors import InputError, Place

#: Elements that hold a text, what it is, and the attribute that names it.
_TEXTS = {
    "src": ("source", ""),
    "ref": ("reference", "translator"),
    "hyp": ("system", "system"),
    "supplemental": ("column", "type"),
}
#: Characters that no XML 1.0 file can hold.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _read(path: str, _pair: str | None, problems: Problems) -> Campaign:
    """The campaign in a file that holds references and, if it likes, translations."""
    campaign = campaign_of_markup(path, [read_documents(path)], problems)
    if not campaign.references and not problems.lenient:
        remedy = f"Give references and translations together: assay score -r REFERENCES.xml {path}"
        raise InputError("no <ref>.", remedy, Place(path))
    return campaign


def read_documents(path: str | Path) -> Markup:
    """The documents of one file."""
    return _Reader(str(path)).read(read_bytes(path))


class _Reader:
    """Takes in what the parser meets."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.markup = Markup(path)
        self.collection: str | None = None
        self.document: Mapping[str, str] | None = None
        self.text: tuple[str, str | None] | None = None
        self.segment: tuple[str, int] | None = None
        self.pieces: list[str] = []
        self.count = 0
        self.languages: set[str] = set()
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype

    def read(self, content: bytes) -> Markup:
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            place = Place(self.path, error.lineno, error.offset + 1)
            raise InputError(f"not XML ({expat.ErrorString(error.code)}).", place=place) from None
        if not self.markup.streams:
            what = "no <seg> in a <src>, <ref> or <hyp> of a <doc>."
            raise InputError(what, "Is this WMT's XML?", Place(self.path))
        self.forget_origin()
        return self.markup

    def forget_origin(self) -> None:
        """Drop the original language where it says nothing: that all documents were written in the source language."""
        labels = self.markup.labels
        if {one.get("origlang") for one in labels.values()} == self.languages:
            self.markup.labels = {
                key: {name: value for name, value in one.items() if name != "origlang"} for key, one in labels.items()
            }

    def flaw(self, message: str) -> InputError:
        place = Place(self.path, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
        return InputError(message, place=place)

    def refuse_doctype(self, *_: object) -> None:
        raise self.flaw("a document type (<!DOCTYPE ...>), which is not read: it could define anything. Remove it.")

    def begin(self, name: str, given: dict[str, str]) -> None:
        if self.segment is not None:
            raise self.flaw(f"<{name}> inside a segment. Write it as &lt;{name}&gt; if it is text.")
        if name == "collection":
            self.collection = given.get("id")
        elif name == "doc":
            if "id" not in given:
                raise self.flaw("<doc> without id.")
            self.document = given
        elif name in _TEXTS:
            if self.document is None:
                raise self.flaw(f"<{name}> outside of <doc>.")
            kind, attribute = _TEXTS[name]
            self.text, self.count = (kind, given.get(attribute)), 0
            if name == "src" and "lang" in given:
                self.languages.add(given["lang"])
            if kind == "column" and self.text[1] is None:
                raise self.flaw("<supplemental> without type.")
        elif name == "seg":
            if self.text is None:
                raise self.flaw("<seg> outside of <src>, <ref>, <hyp> and <supplemental>.")
            self.count += 1
            self.segment = given.get("id", str(self.count)), self.parser.CurrentLineNumber
            self.pieces = []

    def characters(self, text: str) -> None:
        if self.segment is not None:
            self.pieces.append(text)

    def end(self, name: str) -> None:
        if name == "seg" and self.segment is not None and self.text is not None and self.document is not None:
            kind, label = self.text
            segment, line = self.segment
            labels = {one: self.document[one] for one in ("domain", *ATTRIBUTES) if one in self.document}
            if self.collection is not None:
                labels["collection"] = self.collection
            key = self.document["id"], segment
            self.markup.stream(kind, label).add(key, "".join(self.pieces), line)
            self.markup.label(key, labels)
            self.segment = None
        elif name in _TEXTS:
            self.text = None
        elif name == "doc":
            self.document = None
        elif name == "collection":
            self.collection = None


def _write(campaign: Campaign, path: str, pair: str | None) -> Files:
    """One file with the source, all references and all translations; further columns are ``supplemental``."""
    say_lost(campaign, path, "judgements")
    return {"": _file(campaign, path, languages_of(campaign, pair) or ("und", "und"))}


def _file(campaign: Campaign, path: str, languages: tuple[str, str]) -> Iterator[bytes]:
    texts = list(_texts(campaign, languages))
    yield f"<?xml version='1.0' encoding='utf-8'?>\n<dataset{_attributes({'id': campaign.name}, path)}>\n".encode()
    collection = ""
    for part in stretches(campaign):
        own = dict(part.labels)
        beginning = own.pop("collection", "")
        if beginning != collection:
            yield b"</collection>\n" if collection else b""
            yield f"<collection{_attributes({'id': beginning}, path)}>\n".encode() if beginning else b""
            collection = beginning
        origin = {} if campaign.source is None else {"origlang": languages[0]}
        attributes = {**origin, "id": part.document, **own}
        yield f"<doc{_attributes(attributes, path)}>\n".encode()
        for text in texts:
            yield from _spelled(text, part, path)
        yield b"</doc>\n"
    yield b"</collection>\n</dataset>\n" if collection else b"</dataset>\n"


@dataclass(frozen=True)
class _Text:
    """One text of a campaign, as it is to stand in every document."""

    tag: str
    attributes: Mapping[str, str]
    texts: list[str]
    present: NDArray[np.bool_] | None = None


def _texts(campaign: Campaign, languages: tuple[str, str]) -> Iterator[_Text]:
    source, target = languages
    if campaign.source is not None:
        yield _Text("src", {"lang": source}, list(campaign.source))
    for name, column in campaign.references.items():
        yield _Text("ref", {"lang": target, "translator": name}, list(column), campaign.present.get(name))
    for name, column in campaign.systems.items():
        yield _Text("hyp", {"system": name, "lang": target}, list(column))
    for name, column in campaign.columns.items():
        if name not in ATTRIBUTES:
            yield _Text("supplemental", {"type": name}, list(column))


def _spelled(text: _Text, part: Stretch, path: str) -> Iterator[bytes]:
    there = [(index, name) for index, name in part.segments if text.present is None or text.present[index]]
    if not there:
        return
    yield f"<{text.tag}{_attributes(text.attributes, path)}>\n<p>\n".encode()
    for index, name in there:
        yield f"<seg{_attributes({'id': name}, path)}>{_escaped(text.texts[index], path)}</seg>\n".encode()
    yield f"</p>\n</{text.tag}>\n".encode()


def _attributes(values: Mapping[str, str], path: str) -> str:
    for value in values.values():
        _require_possible(value, path)
    return spelled_attributes(values)


def _escaped(text: str, path: str) -> str:
    _require_possible(text, path)
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;")
        .replace("\n", "&#10;")
    )


def _require_possible(text: str, path: str) -> None:
    found = _IMPOSSIBLE.search(text)
    if found is not None:
        what = f"the character U+{ord(found[0]):04X} in {text[:40]!r} cannot stand in XML."
        raise InputError(what, "Write JSON Lines instead.", Place(path))


FORMAT = CampaignFormat("wmt-xml", "WMT XML: documents with src, ref and hyp in one file", _read, _write)
