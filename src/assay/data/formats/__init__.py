"""Campaigns in and out, whatever the format: one is a file, with what :class:`CampaignFormat` asks for, and one line
here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.arguments import checked
from assay.data.campaign import LABELS, Campaign, is_post_edit
from assay.data.files import Files, entries, is_folder, plain_name, read_head, reading_up_to, require_text
from assay.data.problems import STRICT, Problems, guarded, note, require_writable
from assay.errors import InputError, ParameterError, Place, UnknownName

#: Formats by name: where they are, and how the names of their files end.
CAMPAIGN_FORMATS: dict[str, tuple[str, tuple[str, ...]]] = {
    "folder": ("folder:FORMAT", ()),
    "tsv": ("table:TSV", (".tsv",)),
    "csv": ("table:CSV", (".csv",)),
    "jsonl": ("table:JSONL", (".jsonl",)),
    "parquet": ("table:PARQUET", (".parquet",)),
    "sgml": ("sgml:FORMAT", (".sgm", ".sgml")),
    "wmt-xml": ("wmt_xml:FORMAT", (".xml",)),
    "mt-metrics-eval": ("mt_metrics_eval:FORMAT", ()),
    "score-files": ("scored:FORMAT", ()),
}
#: Formats of scores, of which campaigns without texts are made; each has its file in ``scores``.
_SCORES = (
    "scores", "mtme-metric", "wmt25", "comet", "comet-json", "metricx", "gemba", "every-eval-ever", "lm-eval",
    "inspect", "inspect-json", "numbers",
)  # fmt: skip
CAMPAIGN_FORMATS |= dict.fromkeys(_SCORES, ("scored:format_of", ()))
#: Formats that are folders, and those whose files may also be named one by one, after ``-r`` and as translations.
FOLDERS = ("folder", "mt-metrics-eval", "score-files")
MARKUP = ("sgml", "wmt-xml")
#: Formats that may hold several pairs of languages.
PAIRS = ("mt-metrics-eval", "wmt25", "score-files")
#: What stands for source and target where nobody knows them.
UNKNOWN_LANGUAGES = ("und", "und")
#: What only NIST's files hold.
_NIST = re.compile(r"<(mteval|srcset|refset|tstset)\b")
#: Languages as formats spell them: ``de``, ``cs_CZ``.
LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?"


@dataclass(frozen=True)
class CampaignFormat:
    """How campaigns of one format are read and written."""

    #: The campaign at a path; the language pair is there for folders that hold several. Errors are raised, or what is
    #: wrong is told to the problems and left out.
    reader: Callable[[str, str | None, Problems], Campaign]
    #: The files of a campaign that is to stand at a path; the language pair is there for formats that name languages.
    writer: Callable[[Campaign, str, str | None], Files]
    #: Whether campaigns without texts can be written.
    takes_scores: bool = False

    def read(self, path: str, pair: str | None, problems: Problems) -> Campaign:
        """What the format reads; what its libraries raise is an ``InputError``."""
        with guarded(path):
            return self.reader(path, pair, problems)

    def write(self, campaign: Campaign, path: str, pair: str | None = None) -> Files:
        """What the format writes; names that nobody could read again are refused."""
        if campaign.scores and not (campaign.has_texts or self.takes_scores):
            what = f"{campaign.name} has scores and no texts, which this format needs."
            raise InputError(what, "Write a table of scores: --to scores.", Place(path))
        for (kind, key), part in campaign.parts.items():
            is_label = kind in LABELS
            names = sorted(set(part)) if is_label else [key] if key or kind != "source" else []
            require_writable(kind, names, Place(path), needed=not is_label)
        return self.writer(campaign, path, pair)


def campaign_format(name: str) -> CampaignFormat:
    """The format of that name."""
    if name not in CAMPAIGN_FORMATS:
        raise UnknownName.of("input format", name, CAMPAIGN_FORMATS)
    known = _loaded(CAMPAIGN_FORMATS[name][0])
    chosen: CampaignFormat = known(name) if name in _SCORES else known
    return chosen


def _loaded(where: str) -> Any:
    """What stands at a place in this room, which is imported when somebody needs it."""
    module, _, attribute = where.partition(":")
    return getattr(import_module(f"assay.data.formats.{module}"), attribute)


def format_by_ending(path: str | Path) -> str | None:
    """The format that a file's name tells, compressed or not.

    >>> format_by_ending("test.SGM.gz"), format_by_ending("test.txt")
    ('sgml', None)
    """
    ending = Path(plain_name(path)).suffix.lower()
    return next((name for name, (_, endings) in CAMPAIGN_FORMATS.items() if ending in endings), None)


def guess_format(path: str | Path) -> str:
    """The format by what the path is and how it ends; ``lines`` if that tells nothing."""
    folder = Path(path)
    if not is_folder(folder):
        name = format_by_ending(path) or "lines"
        # NIST's sets come as XML, too.
        is_nist = name == "wmt-xml" and _NIST.search(read_head(path))
        return "sgml" if is_nist else _format_of_scores(path) or name
    names = [plain_name(file.name).lower() for file in entries(folder)]
    if any(name.startswith("ref.") and name.endswith(".txt") for name in names):
        return "folder"
    if any(is_folder(folder / below) for below in ("references", "system-outputs", "sources")):
        return "mt-metrics-eval"
    if any(name.endswith((".sgm", ".sgml")) for name in names):
        return "sgml"
    texts = any(name.startswith("sys.") or name == "src.txt" for name in names)
    return "folder" if texts or not _loaded("scores:has_scores")(folder) else "score-files"


def _format_of_scores(path: str | Path) -> str | None:
    """The format of scores that a file is in, if it is an ordinary file that can be read; any text may be numbers."""
    try:
        name: str | None = _loaded("scores:recognised")(path) if Path(path).is_file() else None
    except (InputError, OSError, ValueError):
        return None
    return None if name == "numbers" else name


def file_stem(path: str) -> str:
    """A file's name without the endings that say what it is, and without ``ref.`` and ``sys.``.

    >>> file_stem("data/sys.online-A.sgm.gz"), file_stem("ref.v2.0.txt"), file_stem("v2.0")
    ('online-A', 'v2.0', 'v2.0')
    """
    name = Path(plain_name(path)).name
    name = name.removesuffix(Path(name).suffix) if name.endswith(".txt") or format_by_ending(name) else name
    return name.removeprefix("sys.").removeprefix("ref.") or name


@checked
def read(
    path: str | Path, *, input_format: str | None = None, pair: str | None = None, largest: int | str | None = None
) -> Campaign:
    """The campaign at a path: a folder, a TSV, CSV, JSON Lines, Parquet, SGML or WMT XML file, compressed or not.

    Of a file of scores, or a folder of such files, it has no texts, and the scores in ``scores``. ``pair`` chooses the
    languages (``en-de``) in a folder of mt-metrics-eval, or scores of WMT25, that has several. ``largest`` says how
    much may come of a compressed or Parquet file (``"8GB"``), where that is more than the usual limit.
    """
    with reading_up_to(largest):
        kind = input_format or guess_format(path)
        if kind == "lines":
            require_text(path)
            raise InputError(
                "plain lines alone are no campaign.",
                "Give a campaign folder, a .tsv, .csv, .jsonl, .parquet, .sgm or .xml file, or name the references: "
                "-r REFERENCE TRANSLATION.",
                Place(str(path)),
            )
        chosen = campaign_format(kind)
        if kind in FOLDERS and not is_folder(path):
            raise InputError("no such folder.", place=Place(str(path)))
        if pair is not None and kind not in PAIRS:
            what = "--pair chooses languages in a folder of mt-metrics-eval, or in scores of WMT25"
            raise ParameterError(f"{what}, and {path} is neither.")
        return chosen.read(str(path), pair, STRICT)


def read_all(given: Sequence[Any], **options: Any) -> list[Any]:
    """Several campaigns out of paths and campaigns; two that would be called alike are called by their paths.

    Files of scores with one system each, such as a log for every model, are one campaign.
    """
    paths = [str(part) if isinstance(part, (str, Path)) else None for part in given]
    campaigns = [part if path is None else read(path, **options) for part, path in zip(given, paths, strict=True)]
    if len(paths) > 1 and all(_is_of_one_system(part, path) for part, path in zip(campaigns, paths, strict=True)):
        return [_loaded("scored:read_together")([path for path in paths if path is not None])]
    names = [getattr(campaign, "name", None) for campaign in campaigns]
    for number, path in enumerate(paths):
        if path is not None and names.count(campaigns[number].name) > 1:
            campaigns[number] = replace(campaigns[number], name=str(Path(path)))
    names = [getattr(campaign, "name", None) for campaign in campaigns]
    twice = next((name for name in names if name is not None and names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two campaigns are called {twice!r}.", "Name each once, and give them different names.")
    return campaigns


def _is_of_one_system(campaign: Any, path: str | None) -> bool:
    """Whether this is what a file of scores says of a single system."""
    alone = isinstance(campaign, Campaign) and not campaign.has_texts and len(campaign.systems) == 1
    return path is not None and alone and bool(campaign.scores) and not is_folder(path)


def say_lost(campaign: Campaign, path: str, *parts: str, kept: Collection[str] = ()) -> None:
    """Warn of those parts that a campaign has and a file cannot keep.

    Parts are ``segments``, their names, ``columns`` (but for those ``kept``), ``judgements``, ``scores`` and
    ``absent``, the difference between a reference that is missing and one that is empty. Post-edits are known by their
    names in every format.
    """
    columns = ", ".join(name for name in campaign.columns if name not in kept)
    counts = {name: int((~flags).sum()) for name, flags in campaign.present.items() if not flags.all()}
    absent = ", ".join(f"{count} of reference {name!r}" for name, count in counts.items())
    losses = {
        "columns": columns and f"the columns {columns}",
        "judgements": campaign.human
        and f"the judgements of {campaign.name}; convert them by themselves, with --to assay",
        "absent": absent and f"the difference between absent and empty references; written as empty: {absent}",
        "segments": campaign.segments and "the names of segments",
        "scores": campaign.scores and f"the scores of {', '.join(campaign.scores)}; a folder keeps them",
    }
    unnamed = sorted(name for name in campaign.targeted if not is_post_edit(name))
    post_edits = unnamed and f"that {', '.join(unnamed)} are post-edits (call them pe.{unnamed[0]} and so on)"
    for what in (*(losses[part] for part in parts), post_edits):
        if what:
            note(f"{path} has no place for {what}.")


def languages_of(campaign: Campaign, pair: str | None) -> tuple[str, str]:
    """Source and target: of ``pair`` if it is given, else of the campaign's name, if it holds exactly one pair."""
    if pair is None:
        pairs = re.findall(rf"(?<![A-Za-z_])(?=({LANGUAGE})-({LANGUAGE})(?![A-Za-z_]))", campaign.name)
        return (pairs[0][0], pairs[0][1]) if len(pairs) == 1 else UNKNOWN_LANGUAGES
    source, dash, target = pair.partition("-")
    if not dash or not all(re.fullmatch(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8})*", one) for one in (source, target)):
        raise ParameterError(f"The language pair is {pair!r}, but it takes two languages, as in en-de.")
    return source, target
