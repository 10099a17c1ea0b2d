"""WMT's XML: ``dataset``, ``doc``, and in each the ``src``, ``ref`` and ``hyp`` with their segments.

A document type is refused, and with it every entity that a file could define: XML's own five and numbers are enough.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.parsers import expat

from assay.data.campaign import Campaign, Role
from assay.data.files import Files, read_bytes
from assay.data.foreign import HEAD, other_kind
from assay.data.formats import CampaignFormat, languages_of, say_lost
from assay.data.formats.markup import (
    ATTRIBUTES,
    Key,
    Markup,
    campaign_of_markup,
    escaped,
    spelled_attributes,
    stretches,
)
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
        self.markup = Markup(path)
        self.languages: set[str] = set()
        self.collection: dict[str, str] = {}
        self.document: str | None = None
        self.labels: dict[str, str] = {}
        self.stream: tuple[str, str | None] | None = None
        self.count = 0
        self.segment: tuple[Key, int] | None = None
        self.pieces: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.begin
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.XmlDeclHandler = self.check_encoding

    def read(self, content: bytes) -> Markup:
        path, labels = self.markup.path, self.markup.labels
        other = other_kind(path, content, content[-HEAD:], markup=True)
        if other is not None:
            raise other
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            place = Place(path, error.lineno, error.offset + 1)
            raise InputError(f"not XML ({expat.ErrorString(error.code)}).", place=place) from None
        if not self.markup.streams:
            what = "no <seg> in a <src>, <ref> or <hyp> of a <doc>."
            raise InputError(what, "Is this WMT's XML?", Place(path))
        if {one.get("origlang") for one in labels.values()} == self.languages:
            # That all documents were written in the source language says nothing.
            for one in labels.values():
                del one["origlang"]
        return self.markup

    def flaw(self, message: str) -> InputError:
        place = Place(self.markup.path, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
        return InputError(message, place=place)

    def refuse_doctype(self, *_: object) -> None:
        raise self.flaw("a document type (<!DOCTYPE ...>), which is not read: it could define anything. Remove it.")

    def check_encoding(self, _version: str, encoding: str | None, _standalone: int) -> None:
        """Refuse what the parser does not read: it takes UTF-8, UTF-16 and whatever has one byte per character."""
        if encoding is None or encoding.upper().startswith(("UTF-8", "UTF-16")):
            return
        try:
            known = len(bytes(range(256)).decode(codecs.lookup(encoding).name, "replace")) == 256
        except (LookupError, ValueError):
            known = False
        if not known:
            raise self.flaw(f"the encoding {encoding!r:.40} is not read. Convert the file to UTF-8, and say so in it.")

    def begin(self, name: str, given: dict[str, str]) -> None:
        if self.segment is not None:
            raise self.flaw(f"<{name}> inside a segment. Write it as &lt;{name}&gt; if it is text.")
        if name == "collection":
            self.collection = {"collection": given["id"]} if "id" in given else {}
        elif name == "doc":
            if "id" not in given:
                raise self.flaw("<doc> without id.")
            self.document = given["id"]
            self.labels = {one: given[one] for one in ("domain", *ATTRIBUTES) if one in given} | self.collection
        elif name in _TEXTS:
            kind, attribute = _TEXTS[name]
            if self.document is None:
                raise self.flaw(f"<{name}> outside of <doc>.")
            if kind == "column" and attribute not in given:
                raise self.flaw("<supplemental> without type.")
            self.stream, self.count = (kind, given.get(attribute)), 0
            self.languages |= {given["lang"]} if name == "src" and "lang" in given else set()
        elif name == "seg":
            if self.stream is None or self.document is None:
                raise self.flaw("<seg> outside of <src>, <ref>, <hyp> and <supplemental>.")
            self.count += 1
            self.segment = (self.document, given.get("id", str(self.count))), self.parser.CurrentLineNumber
            self.pieces = []

    def characters(self, text: str) -> None:
        if self.segment is not None:
            self.pieces.append(text)

    def end(self, name: str) -> None:
        if name == "seg" and self.segment is not None and self.stream is not None:
            key, line = self.segment
            self.markup.add(self.stream, key, "".join(self.pieces), line, self.labels)
            self.segment = None
        elif name in _TEXTS:
            self.stream = None
        elif name == "doc":
            self.document = None
        elif name == "collection":
            self.collection = {}


def _write(campaign: Campaign, path: str, pair: str | None) -> Files:
    """One file with the source, all references and all translations; further columns are ``supplemental``."""
    say_lost(campaign, path, "scores", "judgements")
    return {"": (_encoded(chunk, path) for chunk in _chunks(campaign, *languages_of(campaign, pair)))}


def _chunks(campaign: Campaign, source: str, target: str) -> Iterator[str]:
    """What stands in the file, line by line or element by element."""
    elements: dict[Role, tuple[str, Mapping[str, str]]] = {("source", ""): ("src", {"lang": source})}
    elements |= {("reference", name): ("ref", {"lang": target, "translator": name}) for name in campaign.references}
    elements |= {("system", name): ("hyp", {"system": name, "lang": target}) for name in campaign.systems}
    further = [name for name in campaign.columns if name not in ATTRIBUTES]
    elements |= {("column", name): ("supplemental", {"type": name}) for name in further}
    texts = {role: list(part) for role, part in campaign.parts.items() if role in elements}
    yield f"<?xml version='1.0' encoding='utf-8'?>\n<dataset{spelled_attributes({'id': campaign.name})}>\n"
    collection = ""
    for stretch in stretches(campaign):
        labels = dict(stretch.labels)
        beginning = labels.pop("collection", "")
        if beginning != collection:
            yield "</collection>\n" if collection else ""
            yield f"<collection{spelled_attributes({'id': beginning})}>\n" if beginning else ""
            collection = beginning
        origin = {} if campaign.source is None else {"origlang": source}
        yield f"<doc{spelled_attributes({**origin, 'id': stretch.document, **labels})}>\n"
        for role, (tag, attributes) in elements.items():
            there = stretch.texts(campaign, role, texts[role]) if role in texts else []
            if there:
                yield f"<{tag}{spelled_attributes(attributes)}>\n<p>\n"
                yield from (f"<seg{spelled_attributes({'id': name})}>{escaped(text)}</seg>\n" for name, text in there)
                yield f"</p>\n</{tag}>\n"
        yield "</doc>\n"
    yield "</collection>\n</dataset>\n" if collection else "</dataset>\n"


def _encoded(chunk: str, path: str) -> bytes:
    impossible = _IMPOSSIBLE.search(chunk)
    if impossible is not None:
        near = chunk[max(0, impossible.start() - 20) : impossible.end() + 20]
        what = f"the character U+{ord(impossible[0]):04X} in {near!r} cannot stand in XML."
        raise InputError(what, "Write JSON Lines instead.", Place(path))
    return chunk.encode()


FORMAT = CampaignFormat(_read, _write)
