"""A campaign out of files that are named one by one, each for what it holds: plain lines, SGML or WMT XML."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import read_lines
from assay.data.formats import FOLDERS, MARKUP, file_stem, format_by_ending, guess_format
from assay.data.formats.folder import read_columns
from assay.data.formats.markup import Markup, Stream, campaign_of_markup, leading
from assay.data.formats.sgml import read_sets
from assay.data.formats.wmt_xml import read_documents
from assay.data.problems import STRICT
from assay.errors import InputError, Place

#: What a file that was named for something has to hold.
_TAGS = {"reference": "<refset> or <ref>", "system": "<tstset> or <hyp>", "source": "<srcset> or <src>"}


def read_files(
    translations: Sequence[str | Path],
    references: Sequence[str | Path],
    source: str | Path | None = None,
    targeted: Sequence[str | Path] = (),
) -> Campaign:
    """A campaign out of files of plain lines, or of SGML or WMT XML; ``targeted`` are post-edits.

    Each system is named after its file, or as the file says.
    """
    if not references and not targeted:
        raise InputError("No reference was given. Name at least one: -r REFERENCE TRANSLATION.")
    if not translations:
        raise InputError("No translation was given. Name at least one file: -r REFERENCE TRANSLATION.")
    paths = [str(path) for path in (*references, *targeted, *translations, *([source] if source else []))]
    for path in paths:
        if guess_format(path) not in ("lines", *MARKUP, *FOLDERS):
            what = "a table holds translations and references together."
            raise InputError(what, f"Give it alone, without -r: assay score {path}", Place(path))
    if paths.count("-") > 1:
        raise InputError("Standard input (-) can stand for one file only.")
    if any(format_by_ending(path) in MARKUP for path in paths):
        kinds = ["reference"] * (len(references) + len(targeted)) + ["system"] * len(translations) + ["source"]
        return _read_markup_files(list(zip(paths, kinds, strict=False)), {str(path) for path in targeted})
    named = {("reference", name): path for name, path in _names([*references, *targeted]).items()}
    # Who names files one by one says what they are: a reference is not a post-edit for being called so.
    post_edits = frozenset(name for _, name in [*named][len(references) :])
    named |= {("system", name): path for name, path in _names(translations).items()}
    named |= {("source", ""): str(source)} if source else {}
    columns = read_columns(named, lambda _, path: read_lines(path), next(iter(named)), STRICT)
    return Campaign.of_parts(paths[0], columns, paths[0], targeted=post_edits, leaves_references_out=False)


def _read_markup_files(given: Sequence[tuple[str, str]], post_edits: Collection[str]) -> Campaign:
    """The campaign in files of SGML or WMT XML, and perhaps plain ones, each with what it was named for.

    Segments are matched by document and number, those of plain files by order.
    """
    kinds: dict[str, str] = {}
    for path, kind in given:
        if path in kinds:
            raise InputError("named twice.", place=Place(path))
        kinds[path] = kind
    read = {
        path: read_sets(path) if guess_format(path) == "sgml" else read_documents(path)
        for path in kinds
        if format_by_ending(path) in MARKUP
    }
    markup = {path: _of_kind(file, kinds[path]) for path, file in read.items()}
    first = leading(stream for file in markup.values() for stream in file.streams.values())
    files = [markup[path] if path in markup else _plain(path, kind, first) for path, kind in kinds.items()]
    return campaign_of_markup(next(iter(kinds)), files, STRICT, post_edits)


def _of_kind(file: Markup, kind: str) -> Markup:
    """What a file was named for, with the source if it has one.

    A set of translations may be named as a reference, and a reference as a translation, if the file holds nothing else.
    """
    other = {"reference": "system", "system": "reference"}.get(kind)
    if not any(stream.kind == kind for stream in file.streams.values()):
        for stream in file.streams.values():
            stream.kind = kind if stream.kind == other else stream.kind
    streams = [stream for stream in file.streams.values() if stream.kind in (kind, "source", "column")]
    if not any(stream.kind == kind for stream in streams):
        raise InputError(f"no {_TAGS[kind]} in it.", place=Place(file.path))
    return replace(file, streams={(stream.kind, stream.name): stream for stream in streams})


def _plain(path: str, kind: str, other: Stream) -> Markup:
    """A file of plain lines: its segments are those of the other text, in their order."""
    column = read_lines(path)
    if len(column) != len(other.texts):
        what = f"{len(column)} lines, but {other.path} has {len(other.texts)} segments."
        raise InputError(what, "Every line is a segment; an empty line stands for an empty segment.", Place(path))
    texts = dict(zip(other.texts, column, strict=True))
    lines = {key: line for line, key in enumerate(texts, start=1)}
    name = "stdin" if path == "-" else None
    return Markup(path, {(kind, name): Stream(kind, name, path, texts, lines)})


def _names(paths: Sequence[str | Path]) -> dict[str, str]:
    """Short names for files, longer ones where the short ones clash."""
    given = [str(path) for path in paths]
    twice = sorted({path for path in given if given.count(path) > 1})
    if twice:
        raise InputError("named twice.", place=Place(twice[0]))
    short = ["stdin" if path == "-" else file_stem(path) for path in given]
    return dict(zip(short if len(set(short)) == len(short) else given, given, strict=True))
