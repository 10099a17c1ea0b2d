"""What SGML and WMT XML have in common: texts whose segments are known by document and number, in any file.

Files are read into streams (the source, a reference, a system's translation), and streams are laid beside each other
by document and segment, never by order alone.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from assay.data.campaign import Campaign, Role
from assay.data.formats import file_stem
from assay.data.problems import Problems
from assay.errors import InputError, Place

#: A document and the name of a segment in it.
Key = tuple[str, str]
#: The document of segments that have none.
_NO_DOCUMENT = "-"
#: Attributes of documents that become columns.
ATTRIBUTES = ("collection", "origlang", "testsuite")
#: Line breaks as numbers; and tabs, which are layout in tags, too.
_BREAKS = {ord(sign): f"&#{ord(sign)};" for sign in "\r\n"}
_LAYOUT = _BREAKS | {ord("\t"): "&#9;"}


@dataclass
class Stream:
    """One text of a file: the source, a reference, a system's translation or a further column."""

    kind: str
    #: None where the file does not name it.
    name: str | None
    path: str
    texts: dict[Key, str] = field(default_factory=dict)
    lines: dict[Key, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.kind if self.name is None or self.kind == "source" else f"{self.kind} {self.name!r}"


@dataclass
class Markup:
    """A file: its streams, and the labels of its segments (``domain`` and the attributes of documents)."""

    path: str
    streams: dict[tuple[str, str | None], Stream] = field(default_factory=dict)
    labels: dict[Key, dict[str, str]] = field(default_factory=dict)

    def add(self, stream: tuple[str, str | None], key: Key, text: str, line: int, labels: Mapping[str, str]) -> None:
        """One more segment of a stream, which is new if need be; the same one twice is an error."""
        if stream not in self.streams:
            self.streams[stream] = Stream(*stream, self.path)
        into = self.streams[stream]
        if key in into.texts:
            first = f"the first is in line {into.lines[key]}."
            what = f"document {key[0]!r} has a segment {key[1]!r} twice in {into.title}; {first}"
            raise InputError(what, place=Place(self.path, line))
        into.texts[key] = text
        into.lines[key] = line
        if labels:
            self.labels.setdefault(key, {}).update(labels)


def campaign_of_markup(
    path: str, files: Sequence[Markup], problems: Problems, named: Collection[str] | None = None
) -> Campaign:
    """The campaign in one or several files; ``problems`` are told what does not fit together.

    If somebody named the files one by one, ``named`` are those that hold post-edits, and others hold none.
    """
    streams = _named_streams(files)
    if problems.lenient:
        problems.places = {role: (stream.path, None) for role, stream in streams.items()}
    first = leading(streams.values())
    keys = list(first.texts)
    for stream in streams.values():
        _check_keys(stream, first, problems)
    parts = {role: [stream.texts.get(key, "") for key in keys] for role, stream in streams.items()}
    references = {name: stream for (kind, name), stream in streams.items() if kind == "reference"}
    present = {
        name: np.array([key in stream.texts for key in keys], dtype=np.bool_)
        for name, stream in references.items()
        if len(stream.texts) < len(keys)
    }
    campaign = Campaign.of_parts(path, {**parts, **_labels(files, keys)}, present=present)
    if named is None:
        return campaign
    targeted = frozenset(name for name, stream in references.items() if stream.path in named)
    return replace(campaign, name=path, targeted=targeted, leaves_references_out=False)


def _named_streams(files: Sequence[Markup]) -> dict[Role, Stream]:
    """All streams under names of their own: where two files use one name, their own names tell them apart."""
    everything = [stream for file in files for stream in file.streams.values()]
    known = [(stream.kind, stream.name) for stream in everything]
    named: dict[Role, Stream] = {}
    for stream in everything:
        name = "" if stream.kind == "source" else stream.name
        if name is None:
            name = stream.kind if len(files) == 1 else file_stem(stream.path)
        elif known.count((stream.kind, name)) > 1 and name:
            alone = sum(other.kind == stream.kind and other.path == stream.path for other in everything) == 1
            name = file_stem(stream.path) if alone else f"{file_stem(stream.path)}.{name}"
        first = named.setdefault((stream.kind, name), stream)
        if stream.kind == "source":
            _require_same_source(first, stream)
        elif first is not stream:
            what = f"a {stream.kind} called {name!r} is in {first.path} as well."
            raise InputError(what, "Give each its own name.", Place(stream.path))
    return named


def _require_same_source(first: Stream, second: Stream) -> None:
    for key, text in second.texts.items():
        if first.texts.get(key, text) != text:
            other = Place(first.path, first.lines[key])
            what = f"the source of segment {key[1]!r} of document {key[0]!r} is another one in {other}."
            raise InputError(what, "Are these files of the same test set?", Place(second.path, second.lines[key]))


def leading(streams: Iterable[Stream]) -> Stream:
    """The stream that says which segments there are: the source, else the first reference, else the first system."""
    order = ("source", "reference", "system", "column")
    return min(streams, key=lambda stream: order.index(stream.kind))


def _check_keys(stream: Stream, first: Stream, problems: Problems) -> None:
    """Tell of segments that one stream has and the other has not; a reference may lack some."""
    for key in stream.texts:
        if key not in first.texts:
            other = f"which {first.title} in {first.path} does not have."
            what = f"{stream.title} has a segment {key[1]!r} of document {key[0]!r}, {other}"
            problems.add(InputError(what, place=Place(stream.path, stream.lines[key])))
    missing = [key for key in first.texts if key not in stream.texts]
    if missing and stream.kind != "reference":
        document, segment = missing[0]
        what = (
            f"{stream.title} lacks {len(missing)} of {len(first.texts)} segments, the first of them segment "
            f"{segment!r} of document {document!r} ({Place(first.path, first.lines[missing[0]])})."
        )
        problems.add(InputError(what, place=Place(stream.path)))


def _labels(files: Iterable[Markup], keys: Sequence[Key]) -> dict[Role, Sequence[str]]:
    """Documents, names and further labels of segments; empty where a segment has none."""
    merged: dict[Key, dict[str, str]] = {key: {} for key in keys}
    for file in files:
        for key, labels in file.labels.items():
            if key in merged:
                merged[key] = {**labels, **merged[key]}
    names = dict.fromkeys(name for labels in merged.values() for name in labels)
    columns: dict[Role, Sequence[str]] = {
        ("domain", "") if name == "domain" else ("column", name): [merged[key].get(name, "") for key in keys]
        for name in names
    }
    documents, segments = zip(*keys, strict=True)
    if set(documents) != {_NO_DOCUMENT}:
        columns["document", ""] = documents
    if list(keys) != list(_numbered(documents)):
        # Names are not the numbers from 1 on in each document; they are made distinct.
        several = len(set(segments)) < len(segments)
        columns["segment", ""] = [f"{document}:{segment}" for document, segment in keys] if several else segments
    return columns


def _numbered(documents: Iterable[str]) -> Iterator[Key]:
    """Documents with numbers that count from 1 in each."""
    counts: dict[str, int] = {}
    for document in documents:
        counts[document] = counts.get(document, 0) + 1
        yield document, str(counts[document])


@dataclass(frozen=True)
class Stretch:
    """Segments that follow each other in one document with the same labels: what stands in one element."""

    document: str
    #: The values of ``domain`` and of the attributes that the campaign has.
    labels: Mapping[str, str]
    #: Where its segments stand in the campaign, and their names.
    segments: Sequence[tuple[int, str]]

    def texts(self, campaign: Campaign, role: Role, texts: Sequence[str]) -> list[tuple[str, str]]:
        """The names and texts of its segments; those of a reference that are absent are left out."""
        present = campaign.present.get(role[1]) if role[0] == "reference" else None
        return [(name, texts[index]) for index, name in self.segments if present is None or present[index]]


def stretches(campaign: Campaign) -> list[Stretch]:
    """A campaign cut into documents."""
    documents = campaign.documents or (_NO_DOCUMENT,) * len(campaign)
    names = campaign.segments or tuple(number for _, number in _numbered(documents))
    columns: dict[str, Sequence[str]] = {} if campaign.domains is None else {"domain": campaign.domains}
    columns |= {name: list(campaign.columns[name]) for name in ATTRIBUTES if name in campaign.columns}
    rows = list(zip(documents, *columns.values(), strict=True))
    seen: set[Key] = set()
    for document, name in zip(documents, names, strict=True):
        if (document, name) in seen:
            what = f"two segments of document {document!r} are called {name!r}"
            what = f"{what}, so they cannot be told apart in this format."
            raise InputError(what, "Give them different names.", Place(campaign.name))
        seen.add((document, name))
    return [
        Stretch(document, dict(zip(columns, labels, strict=True)), [(index, names[index]) for index in group])
        for (document, *labels), group in groupby(range(len(campaign)), key=rows.__getitem__)
    ]


def spelled_attributes(values: Mapping[str, str]) -> str:
    """What stands in a tag."""
    return "".join(f' {name}="{html.escape(value).translate(_LAYOUT)}"' for name, value in values.items())


def escaped(text: str) -> str:
    """A text between tags, with line breaks as numbers."""
    spelled = html.escape(text, quote=False)
    return spelled.translate(_BREAKS) if "\r" in text or "\n" in text else spelled
