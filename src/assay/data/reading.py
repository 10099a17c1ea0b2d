"""Reading: from a path to a campaign or to judgements, whatever the format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import plain_name, read_start
from assay.data.formats import CAMPAIGN_FORMATS, campaign_format, format_by_ending
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.judgements import Judgements
from assay.data.lines import REMEDY, read_head, read_lines, refuse_foreign
from assay.data.problems import STRICT
from assay.data.texts import Column
from assay.errors import InputError, ParameterError, Place, UnknownName

FORMATS = tuple(CAMPAIGN_FORMATS)
#: Formats whose files may also be named one by one, after ``-r`` and as translations.
MARKUP = ("sgml", "wmt-xml")
_FOLDERS = ("folder", "mt-metrics-eval")


def read(path: str | Path, *, input_format: str | None = None, pair: str | None = None) -> Campaign:
    """The campaign at a path: a folder, a TSV, CSV, JSON Lines, Parquet, SGML or WMT XML file, compressed or not.

    ``pair`` chooses the languages (``en-de``) in a folder of mt-metrics-eval that has several.
    """
    kind = input_format or guess_format(path)
    if kind not in (*FORMATS, "lines"):
        raise UnknownName.of("input format", kind, FORMATS)
    if kind == "lines":
        if str(path) != "-" and not Path(path).exists():
            raise InputError("no such file or folder.", place=Place(str(path)))
        raise InputError(
            "plain lines alone are no campaign.",
            "Give a campaign folder, a .tsv, .csv, .jsonl, .parquet, .sgm or .xml file, or name the references: "
            "-r REFERENCE TRANSLATION.",
            Place(str(path)),
        )
    if kind in _FOLDERS and not Path(path).is_dir():
        raise InputError("no such folder.", place=Place(str(path)))
    if pair is not None and kind != "mt-metrics-eval":
        raise ParameterError(f"--pair chooses languages in a folder of mt-metrics-eval, and {path} is none.")
    return campaign_format(kind).read(str(path), pair, STRICT)


def guess_format(path: str | Path) -> str:
    """The format by what the path is and how it ends."""
    if Path(path).is_dir():
        return _folder_format(Path(path))
    name = format_by_ending(path)
    if name == "wmt-xml" and Path(path).is_file():
        # NIST's sets come as XML, too.
        return "sgml" if re.search(r"<(mteval|srcset|refset|tstset)\b", read_head(path)) else name
    return name or "lines"


def _folder_format(folder: Path) -> str:
    names = [plain_name(file.name).lower() for file in folder.iterdir()]
    if any(name.startswith("ref.") and name.endswith(".txt") for name in names):
        return "folder"
    from assay.data.formats.mt_metrics_eval import looks_like

    if looks_like(folder):
        return "mt-metrics-eval"
    return "sgml" if any(name.endswith((".sgm", ".sgml")) for name in names) else "folder"


def read_judgements(
    path: str | Path, *, campaign: Campaign | None = None, judgement_format_name: str | None = None
) -> Judgements:
    """The judgements in a file; the format is found by its name and first lines unless it is given."""
    name = judgement_format_name or guess_judgement_format(path)
    return JUDGEMENT_FORMATS[name].read(str(path), campaign)


def guess_judgement_format(path: str | Path) -> str:
    """The name of the first format that recognises the file."""
    head = read_head(path)
    # Standard input has no name that could tell: then what is in it has to.
    unnamed = ("-.parquet",) if head.startswith("PAR1") else ("-.tsv", "-.jsonl", "-.csv")
    names = unnamed if str(path) == "-" else (Path(plain_name(path)).name,)
    for name in names:
        for known in JUDGEMENT_FORMATS:
            if JUDGEMENT_FORMATS[known].recognises(name, head):
                return known
    refuse_foreign(read_start(path, 2), str(path))
    raise InputError(
        "no known format of judgements.",
        f"Name it if it is one of {', '.join(JUDGEMENT_FORMATS)}, or write a table with the columns system, segment, "
        "document, rater, score and kind.",
        Place(str(path)),
    )


@dataclass(frozen=True)
class JudgementFile:
    """A file of judgements that is read when somebody asks: most commands do not."""

    paths: tuple[Path]

    @cached_property
    def judgements(self) -> Judgements:
        """What is in it."""
        return read_judgements(self.paths[0])


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
        from assay.data.formats.markup import read_markup_files

        return read_markup_files(translations, references, source, targeted)
    columns: dict[str, Column] = {}
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


def _names(paths: Sequence[str | Path]) -> dict[str, str]:
    """Short names for files, longer ones where the short ones clash."""
    given = [str(path) for path in paths]
    twice = sorted({path for path in given if given.count(path) > 1})
    if twice:
        raise InputError("named twice.", place=Place(twice[0]))
    short = ["stdin" if path == "-" else file_stem(path) for path in given]
    return dict(zip(short if len(set(short)) == len(short) else given, given, strict=True))


def file_stem(path: str) -> str:
    """A file's name without the endings that say what it is, and without ``ref.`` and ``sys.``.

    >>> file_stem("data/sys.online-A.sgm.gz"), file_stem("ref.v2.0.txt"), file_stem("v2.0")
    ('online-A', 'v2.0', 'v2.0')
    """
    name = Path(plain_name(path)).name
    name = name.removesuffix(Path(name).suffix) if name.endswith(".txt") or format_by_ending(name) else name
    return name.removeprefix("sys.").removeprefix("ref.") or name
