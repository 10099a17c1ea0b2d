"""Writing campaigns, and going from one format to another with them and with judgements."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.arguments import checked
from assay.data.aligned import Aligned, read_aligned
from assay.data.campaign import Campaign
from assay.data.files import Files, entries, is_folder, is_stream, plain_name, require_file, write_files
from assay.data.foreign import endings
from assay.data.formats import CAMPAIGN_FORMATS, PAIRS, campaign_format, format_by_ending, guess_format, read
from assay.data.formats.folder import OWN
from assay.data.formats.judgements import JUDGEMENT_FORMATS, guess_judgement_format, read_judgements
from assay.data.formats.scores.table import PREFIX
from assay.data.judgements import Judgements
from assay.data.problems import note
from assay.data.segmentation import OWN_IDS, read_merged
from assay.data.tables import column_names
from assay.errors import InputError, Place, UnknownName

#: Folders of mt-metrics-eval that are parts of a campaign.
_MT_METRICS_EVAL = ("sources", "documents", "references", "system-outputs", "human-scores")
#: Every name that one can type, campaigns first.
FORMATS = tuple(dict.fromkeys((*CAMPAIGN_FORMATS, *JUDGEMENT_FORMATS)))


@checked
def write(
    campaign: Campaign | Judgements,
    path: str | Path,
    *,
    output_format: str | None = None,
    pair: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write a campaign or judgements, whole or not at all; the files that were written come back.

    The format is known by the ending of the name, and is a campaign folder where that tells nothing. ``pair`` are the
    languages, as in ``en-de``, for formats that name them. What a format has no place for is told by a warning.
    """
    if isinstance(campaign, Judgements):
        return write_files(_convert_judgements(campaign, path, output_format, None).files, path, overwrite=overwrite)
    chosen = campaign_format(output_format or _campaign_format_of(path, campaign))
    return write_files(chosen.write(campaign, str(path), pair), path, overwrite=overwrite)


@dataclass(frozen=True)
class _Conversion:
    """What a conversion is going to write, and what it read."""

    output_format: str
    #: What was read, in words: how many systems, references, segments or judgements.
    content: str
    files: Files
    #: What was merged on the way, if that was asked for.
    merges: tuple[str, ...] = ()
    #: Which lines went together, where they were aligned: the table as a file, and a sentence about it.
    alignment: tuple[bytes, ...] = ()
    aligned: str = ""


def convert(
    path: str | Path,
    target: str | Path,
    *,
    input_format: str | None = None,
    output_format: str | None = None,
    campaign: Campaign | None = None,
    pair: str | None = None,
    kinds: str | None = None,
    merge: bool = False,
    by: str | None = None,
    align: bool = False,
    alignment: str | Path | None = None,
) -> _Conversion:
    """Read one format and spell the other; nothing is written yet.

    Judgements are taken out of a campaign if the output is a format of judgements. ``campaign`` is what judgements are
    about, for formats that need its texts, its documents or the number of its segments; ``kinds`` chooses among them.
    ``merge`` joins segments that texts split differently, or that have one label in the column ``by``. With ``align``
    lines that have no ids are aligned, and without it as the table ``alignment`` says, where there is one.
    """
    _check_formats(input_format, output_format)
    if by is not None and not merge:
        raise InputError("--by names the column to merge by, and goes with --merge.")
    if (align or alignment is not None) and (not merge or by is not None):
        raise InputError("--align and --alignment say which lines go together, and go with --merge, without --by.")
    if not merge and holds_judgements(path, input_format):
        judgements = read_judgements(path, campaign=campaign, judgement_format_name=input_format)
        chosen_kinds = judgements if kinds is None else judgements.of_kinds(kinds)
        return _convert_judgements(chosen_kinds, target, output_format, campaign)
    if campaign is not None:
        raise InputError(f"{path} is a campaign of its own; another one is only for judgements.")
    folder = is_folder(path)
    # Languages choose what to read from a folder that has several, and name what is written elsewhere.
    chosen = pair if (input_format or guess_format(path)) in PAIRS else None
    aligned: Aligned | None = None
    merges: tuple[str, ...] = ()
    if align or alignment is not None:
        aligned = read_aligned(path, None if align else alignment)
        whole, merges = aligned.campaign, aligned.merges
    elif merge:
        whole, merges = read_merged(path, by=by, input_format=input_format, pair=chosen)
    else:
        whole = read(path, input_format=input_format, pair=chosen)
    if kinds is not None and whole.judgements is not None:
        whole = whole.with_judgements(whole.judgements.of_kinds(kinds))
    if output_format and output_format in JUDGEMENT_FORMATS and output_format not in CAMPAIGN_FORMATS:
        if whole.judgements is None:
            raise InputError(f"{path} has no judgements.")
        return _convert_judgements(whole.judgements, target, output_format, whole)
    name = output_format or _campaign_format_of(target, whole)
    if folder and whole.has_texts:
        _mention_left_behind(Path(path), whole)
    parts = {"system": len(whole.systems), "reference": len(whole.references), "segment": len(whole)}
    content = ", ".join(f"{count} {part}{'s' * (count != 1)}" for part, count in parts.items())
    files = campaign_format(name).write(whole, str(target), pair)
    if aligned is None:
        return _Conversion(name, content, files, merges)
    return _Conversion(name, content, files, merges, tuple(aligned.spelled()), aligned.said)


def _check_formats(*names: str | None) -> None:
    """Refuse a format that is not known."""
    for name in names:
        if name is not None and name not in FORMATS:
            raise UnknownName.of("format", name, FORMATS)


def holds_judgements(path: str | Path, input_format: str | None = None) -> bool:
    """Whether a file holds judgements rather than a campaign."""
    if input_format is not None and (input_format in CAMPAIGN_FORMATS) != (input_format in JUDGEMENT_FORMATS):
        return input_format in JUDGEMENT_FORMATS
    if is_folder(path) or format_by_ending(path) in ("sgml", "wmt-xml") or Path(path).name.startswith(PREFIX):
        return False
    if (input_format or format_by_ending(path)) == "parquet":
        return {"system", "score"} <= set(column_names(str(path)))
    try:
        guess_judgement_format(path)
    except InputError:
        if not is_stream(path):
            require_file(path)
        return False
    return True


def _convert_judgements(
    judgements: Judgements, target: str | Path, output_format: str | None, campaign: Campaign | None
) -> _Conversion:
    name = output_format or _judgement_format_of(target)
    if name not in JUDGEMENT_FORMATS:
        raise InputError(
            f"Judgements have no texts, so they cannot be written as {name}. Formats of judgements: "
            f"{', '.join(JUDGEMENT_FORMATS)}."
        )
    files = JUDGEMENT_FORMATS[name].write(judgements, campaign)
    content = f"{len(judgements)} judgements of {len(judgements.system.names)} systems ({', '.join(judgements.kinds)})"
    return _Conversion(name, content, {file: [spelled] for file, spelled in files.items()})


def _campaign_format_of(target: str | Path, campaign: Campaign) -> str:
    """The format of campaigns that a name tells: a folder, unless the name is that of a file of another kind.

    Campaigns of scores alone are a table of them, whatever it is called.
    """
    if campaign.scores and not campaign.has_texts:
        return "scores"
    known = format_by_ending(target)
    ending = Path(plain_name(target)).suffix.lower()
    if known is None and ending in endings():
        what = f"a campaign is not written as {ending}, and a folder of that name would mislead."
        ours = ", ".join(ending for _, several in CAMPAIGN_FORMATS.values() for ending in several)
        raise InputError(what, f"Call it after a format ({ours}), or say which with --to.", Place(str(target)))
    return known or "folder"


def _judgement_format_of(target: str | Path) -> str:
    """The format of judgements that a name tells."""
    name = Path(plain_name(target)).name
    for known in JUDGEMENT_FORMATS:
        if JUDGEMENT_FORMATS[known].recognises(name, ""):
            return known
    for ending, usual in ((".tsv", "assay"), (".jsonl", "jsonl")):
        if name.endswith(ending):
            return usual
    remedy = f"Say which with --to: {', '.join(JUDGEMENT_FORMATS)}."
    raise InputError("its name does not tell the format.", remedy, Place(str(target)))


def _mention_left_behind(folder: Path, campaign: Campaign) -> None:
    """Say which files of a folder are no part of its campaign, and so are not converted."""
    used = {*OWN, "human", *campaign.columns}
    used |= {f"scores.{name}" for name in campaign.scores}
    used |= {f"ref.{name}" for name in campaign.references} | {f"sys.{name}" for name in campaign.systems}
    there = [entry.name for entry in entries(folder) if not entry.name.startswith(".")]
    left = [
        name
        for name in there
        if plain_name(name).rpartition(".")[0] not in used
        and not (name in _MT_METRICS_EVAL and is_folder(folder / name))
        and format_by_ending(name) != "sgml"
        and not name.startswith((f"{OWN_IDS}ref.", f"{OWN_IDS}sys.", f"{OWN_IDS}src."))
    ]
    if left:
        listed = ", ".join(left[:8]) + (" ..." if len(left) > 8 else "")
        note(f"not part of the campaign and not converted: {listed}.", Place(str(folder)))
