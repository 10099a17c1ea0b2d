"""Reading: from a path to a campaign or to judgements, whatever the format."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import REMEDY, read_lines
from assay.data.formats import CAMPAIGN_FORMATS, MARKUP, campaign_format, file_stem, format_by_ending, guess_format
from assay.data.problems import STRICT
from assay.data.texts import Texts
from assay.errors import InputError, ParameterError, Place

FORMATS = tuple(CAMPAIGN_FORMATS)
_FOLDERS = ("folder", "mt-metrics-eval")


def read(path: str | Path, *, input_format: str | None = None, pair: str | None = None) -> Campaign:
    """The campaign at a path: a folder, a TSV, CSV, JSON Lines, Parquet, SGML or WMT XML file, compressed or not.

    ``pair`` chooses the languages (``en-de``) in a folder of mt-metrics-eval that has several.
    """
    kind = input_format or guess_format(path)
    if kind == "lines":
        if str(path) != "-" and not Path(path).exists():
            raise InputError("no such file or folder.", place=Place(str(path)))
        raise InputError(
            "plain lines alone are no campaign.",
            "Give a campaign folder, a .tsv, .csv, .jsonl, .parquet, .sgm or .xml file, or name the references: "
            "-r REFERENCE TRANSLATION.",
            Place(str(path)),
        )
    chosen = campaign_format(kind)
    if kind in _FOLDERS and not Path(path).is_dir():
        raise InputError("no such folder.", place=Place(str(path)))
    if pair is not None and kind != "mt-metrics-eval":
        raise ParameterError(f"--pair chooses languages in a folder of mt-metrics-eval, and {path} is none.")
    return chosen.read(str(path), pair, STRICT)


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
        if guess_format(path) not in ("lines", *MARKUP, *_FOLDERS):
            what = "a table holds translations and references together."
            raise InputError(what, f"Give it alone, without -r: assay score {path}", Place(path))
    if paths.count("-") > 1:
        raise InputError("Standard input (-) can stand for one file only.")
    if any(format_by_ending(path) in MARKUP for path in paths):
        kinds = ["reference"] * (len(references) + len(targeted)) + ["system"] * len(translations) + ["source"]
        return _read_markup_files(list(zip(paths, kinds, strict=False)), {str(path) for path in targeted})
    columns: dict[str, Texts] = {}
    for path in dict.fromkeys(paths):
        column = read_lines(path)
        if not columns and not len(column):
            raise InputError("the file is empty, so there are no segments to score.", place=Place(path))
        columns[path] = column
        expected = len(columns[paths[0]])
        if len(column) != expected:
            raise InputError(f"{len(column)} lines, but {paths[0]} has {expected}.", REMEDY, Place(path))
    named = _names([*references, *targeted])
    return Campaign(
        name=paths[0],
        systems={name: columns[path] for name, path in _names(translations).items()},
        references={name: columns[path] for name, path in named.items()},
        source=columns[str(source)] if source else None,
        # Who names files one by one says what they are: a reference is not a post-edit for being called so.
        targeted=frozenset(list(named)[len(references) :]),
        leaves_references_out=False,
    )


def _read_markup_files(given: Sequence[tuple[str, str]], post_edits: Collection[str]) -> Campaign:
    """The campaign in files of SGML or WMT XML, and perhaps plain ones, each with what it was named for."""
    from assay.data.formats.markup import campaign_of_files
    from assay.data.formats.sgml import read_sets
    from assay.data.formats.wmt_xml import read_documents

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
    return campaign_of_files(kinds, read, post_edits)


def _names(paths: Sequence[str | Path]) -> dict[str, str]:
    """Short names for files, longer ones where the short ones clash."""
    given = [str(path) for path in paths]
    twice = sorted({path for path in given if given.count(path) > 1})
    if twice:
        raise InputError("named twice.", place=Place(twice[0]))
    short = ["stdin" if path == "-" else file_stem(path) for path in given]
    return dict(zip(short if len(set(short)) == len(short) else given, given, strict=True))
