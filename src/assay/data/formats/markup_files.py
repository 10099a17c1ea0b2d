"""SGML and WMT XML files that are named one by one, perhaps with files of plain lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats import format_by_ending
from assay.data.formats.lines import read_lines
from assay.data.formats.markup import Key, Markup, campaign_of_markup, leading, named_streams
from assay.errors import InputError

#: What a file may hold beside what it was named for, without being misunderstood: sources come along.
_TAG_OF = {"reference": "<refset> or <ref>", "system": "<tstset> or <hyp>", "source": "<srcset> or <src>"}


def read_markup_files(
    translations: Sequence[str | Path],
    references: Sequence[str | Path],
    source: str | Path | None,
    targeted: Sequence[str | Path],
) -> Campaign:
    """The campaign in these files. Segments are matched by document and number, those of plain files by order."""
    given = [
        *((str(path), "reference") for path in references),
        *((str(path), "reference") for path in targeted),
        *((str(path), "system") for path in translations),
        *([(str(source), "source")] if source else []),
    ]
    twice = [path for index, (path, _) in enumerate(given) if path in [other for other, _ in given[:index]]]
    if twice:
        raise InputError(f"{twice[0]}: named twice.")
    read = {path: _of_kind(_read(path), kind) for path, kind in given if is_markup(path)}
    first = leading(named_streams(list(read.values())))
    keys = list(first.texts)
    files = [read[path] if path in read else _plain(path, kind, keys, first.path) for path, kind in given]
    campaign = campaign_of_markup(given[0][0], files)
    post_edits = {str(path) for path in targeted}
    streams = named_streams(files)
    names = {name for (kind, name), stream in streams.items() if kind == "reference" and stream.path in post_edits}
    return replace(campaign, targeted=frozenset(names), leaves_references_out=False)


def is_markup(path: str | Path) -> bool:
    """Whether a file is SGML or WMT XML, by its name."""
    return format_by_ending(path) in ("sgml", "wmt-xml")


def _read(path: str) -> Markup:
    from assay.data.formats.sgml import read_sets
    from assay.data.formats.wmt_xml import read_documents
    from assay.data.reading import guess_format

    return read_sets(path) if guess_format(path) == "sgml" else read_documents(path)


def _of_kind(file: Markup, kind: str) -> Markup:
    """What a file was named for, with the source if it has one.

    A set of translations may be named as a reference, and a reference as a translation, if the file holds nothing else.
    """
    other = {"reference": "system", "system": "reference"}.get(kind)
    if not file.of_kind(kind) and other is not None and file.of_kind(other):
        for stream in file.of_kind(other):
            stream.kind = kind
    streams = [stream for stream in file.streams.values() if stream.kind in (kind, "source", "column")]
    if not any(stream.kind == kind for stream in streams):
        raise InputError(f"{file.path}: no {_TAG_OF[kind]} in it.")
    return replace(file, streams={(stream.kind, stream.name): stream for stream in streams})


def _plain(path: str, kind: str, keys: Sequence[Key], other: str) -> Markup:
    """A file of plain lines: its segments are those of the others, in their order."""
    column = read_lines(path)
    if len(column) != len(keys):
        raise InputError(
            f"{path}: {len(column)} lines, but {other} has {len(keys)} segments. Every line is a segment; an empty "
            "line stands for an empty segment."
        )
    file = Markup(path)
    name = "stdin" if path == "-" else None
    stream = file.stream(kind, name)
    for line, (key, text) in enumerate(zip(keys, column, strict=True), start=1):
        stream.add(key, text, line)
    return file
