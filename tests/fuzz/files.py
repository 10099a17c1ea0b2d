"""Every format that Assay reads, damaged: a campaign, judgements or scores come out of it, or an ``AssayError``."""

from __future__ import annotations

import gzip
import json
import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import zstandard

from assay.data.conversion import write
from assay.data.formats import read
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.data.formats.scores import read_scores
from assay.data.judgements import Judgement, Judgements
from assay.data.mqm_weights import mqm_weights
from assay.data.segmentation import read_merged
from assay.data.validation import check_path
from assay.errors import AssayWarning
from data.judgements.campaigns import CAMPAIGN, MQM
from data.scores.zipped import DEFLATED, archive
from fuzz.damage import damaged
from fuzz.outcomes import Outcomes

DA = tuple(replace(one, kind="da", score=50.0 + number, spans=None) for number, one in enumerate(MQM))
ESA = tuple(
    replace(one, kind="esa", score=70.0, spans=tuple(s for s in one.spans or () if not s.in_source)) for one in MQM
)
RANKS = tuple(
    Judgement(system, segment, -rank, "rr-rank", "r1", "d1", str(segment))
    for segment in range(2)
    for system, rank in (("A", 1.0), ("B", 2.0))
)
UNNAMED = tuple(replace(one, rater=None, document=None) for one in DA)
#: Formats of judgements: what a file of each is called, and what is in it.
JUDGED: dict[str, tuple[str, tuple[Judgement, ...]]] = {
    "assay": ("human.tsv", DA),
    "mqm": ("mqm.tsv", MQM),
    "mqm-marot": ("marot.tsv", MQM),
    "mqm-unbabel": ("unbabel.tsv", MQM),
    "mqm-averages": ("averages.tsv", tuple(replace(one, kind="mqm-avg") for one in UNNAMED)),
    "error-spans": ("errors.tsv", MQM),
    "ranking": ("rankings.tsv", RANKS),
    "ranking-wmt": ("rankings.csv", RANKS),
    "adequacy-fluency": ("grades.tsv", tuple(replace(one, kind="adequacy") for one in DA)),
    "mtme-score": ("en-de.da.seg.score", UNNAMED),
    "mtme-rating": ("en-de.mqm.r1.seg.rating", (MQM[0], MQM[3])),
    "mtme-rating-jsonl": ("ratings.jsonl", MQM),
    "pearmut": ("annotations.jsonl", ESA),
    "jsonl": ("judgements.jsonl", (*MQM, *RANKS)),
    "parquet": ("judgements.parquet", (*MQM, *RANKS)),
    "esa": ("scores.csv", ESA),
}
#: Formats of campaigns that are one file.
CAMPAIGNS = ("campaign.tsv", "campaign.csv", "campaign.jsonl", "campaign.parquet", "campaign.sgm", "campaign.xml")
#: What is in an archive of Inspect.
_LOG = {
    "header.json": b'{"version": 2, "eval": {"task": "t", "model": "A"}}',
    "summaries.json": b'[{"id": 1, "epoch": 1, "scores": {"m": {"value": "C"}}}, {"id": 2, "epoch": 2}]',
}
#: Files of scores: what each is called, its format, and what is in it.
SCORES = {
    "comet.seg.score": (
        "mtme-metric",
        b"".join(b"%c\t0.%d\n" % (system, digit) for system in b"AB" for digit in range(1, 5)),
    ),
    "long.tsv": ("scores", b"metric\tsystem\tsegment\tscore\ncomet\tA\t0\t0.5\ncomet\tB\t1\t-1e-3\n"),
    "wide.csv": ("scores", b'system,segment,comet,"x, y"\nA,0,0.5,1\nB,1,None,2\n'),
    "systems.csv": ("scores", b"item,A,B\n0,0.5,1\n1,None,2\n"),
    "labelled.tsv": (
        "scores",
        b"system\tdocument\tsegment\tcluster\trun\tscore\nA\td1\t0\tc\t1\t0.5\nA\td2\t0\tc\t1\t2\n",
    ),
    "A.jsonl": (
        "wmt25",
        b'{"language_pair": "en-de", "document_id": "d1", "metric_scores": {"m": [0.5, null], "n": [1, 2]}}\n'
        b'{"language_pair": "en-de", "document_id": "d2", "metric_scores": {"m": [0.25]}}\n',
    ),
    "comet.txt": ("comet", b"A.txt\tSegment 0\tscore: 0.5\nA.txt\tSegment 1\tscore: -1\nA.txt\tscore: -0.25\n"),
    "comet.json": (
        "comet-json",
        b'{"A.txt": [{"mt": "x", "COMET": 0.5, "errors": [{"severity": "major", "start": 0, "end": 1}]}],\n'
        b' "B.txt": [{"mt": "y", "COMET": 0.25}]}',
    ),
    "B.jsonl": (
        "metricx",
        b'{"hypothesis": "x", "reference": "y", "prediction": 1.5}\n{"hypothesis": "x", "prediction": 25}\n',
    ),
    "A.txt": (
        "gemba",
        b"defaultdict(<class 'list'>, {'major': ['accuracy/omission - \"Two\"'], 'minor': ['style']})\nNone\n",
    ),
    "B.txt": ("numbers", b"0.5\n-1\n1e-3\n\n"),
    "x_samples.jsonl": (
        "every-eval-ever",
        b'{"schema_version": "0.3.0", "evaluation_id": "e", "model_id": "A", "evaluation_name": "t", "sample_id": "1", '
        b'"evaluation": {"score": 1.0, "is_correct": true}, "metadata": {"subject": "d"}}\n',
    ),
    "x.json": (
        "every-eval-ever",
        b'{"schema_version": "0.3.0", "evaluation_id": "e", "retrieved_timestamp": "0", "model_info": {"id": "A"}, '
        b'"evaluation_results": [{"evaluation_name": "t", "metric_config": {"lower_is_better": true}, '
        b'"score_details": {"score": 0.5}}, {"evaluation_result_id": "u", "evaluation_name": "t", "metric_config": '
        b'{"lower_is_better": false, "has_unknown_level": true}, "score_details": {"score": -1}}]}',
    ),
    "samples_t_2026-01-21T03-44-18.4.jsonl": (
        "lm-eval",
        b'{"doc_id": 0, "doc": {"a": 1}, "filter": "none", "metrics": ["acc"], "acc": 1.0}\n'
        b'{"doc_id": 1, "doc": {"a": 1}, "filter": "strict", "metrics": ["acc"], "acc": 0}\n',
    ),
    "log.eval": ("inspect", archive(_LOG)),
    "deflated.eval": ("inspect", archive(_LOG, DEFLATED)),
    "log.json": (
        "inspect-json",
        b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "A"}, "samples": [{"id": 1, "epoch": 1, '
        b'"scores": {"m": {"value": "C"}, "n": {"value": {"x": 1, "y": null}}}}]}',
    ),
}
#: What may lie beside Appraise's scores: the texts of the items.
ITEMS = (("d1#A", 1, "Two houses."), ("d2#A", 2, "Three."), ("d1#B", 1, "Two houses."))
BATCHES = json.dumps(
    [{"items": [dict(zip(("documentID", "itemID", "sourceText"), item, strict=True)) for item in ITEMS]}]
)


@dataclass(frozen=True)
class Target:
    """A sound file, what reads it, and the name of its format."""

    name: str
    path: Path
    content: bytes = field(repr=False)
    read: Callable[[Path], Any] = field(repr=False)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for files that are written by the thousand: in memory, where there is such a place."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as made:
        yield Path(made)


def targets(folder: Path) -> list[Target]:
    """A sound file of every format in folders of its own, and compressed ones of some."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return [*_campaigns(folder), *_judgements(folder), *_scores(folder)]


def _campaigns(folder: Path) -> Iterator[Target]:
    for name in CAMPAIGNS:
        (path,) = write(CAMPAIGN, folder / name)
        yield Target(name.rpartition(".")[2], path, path.read_bytes(), read)
    for name in ("campaign.jsonl.gz", "campaign.tsv.zst"):
        (path,) = write(CAMPAIGN, folder / name)
        yield Target(name, path, path.read_bytes(), read)
    judged = CAMPAIGN.with_judgements(Judgements.of(DA, "test"))
    for name, format_name in (("folder", "folder"), ("en-de", "mt-metrics-eval")):
        for path in write(judged, folder / name, output_format=format_name, pair="en-de" if "-" in name else None):
            yield Target(
                f"{format_name} {path.name}", path, path.read_bytes(), lambda _, top=folder / name: _whole(top)
            )
    split = folder / "split"
    for path in write(CAMPAIGN, split):
        if path.name.startswith("ref."):
            (split / f"segments.{path.name}").write_text("v.1\nv.2-v.3\nv.4\nv.5\n")
    (split / "segments.txt").write_text("v.1\nv.2\nv.3 v.4\nv.5\n")
    ids = split / "segments.ref.r.txt"
    yield Target("split", ids, ids.read_bytes(), lambda _: read_merged(split))
    weights = folder / "weights.json"
    yield Target("weights", weights, b'{"major": 5, "minor/fluency/punctuation": 0.1}', mqm_weights)
    yield Target("weights.tsv", folder / "weights.tsv", b"major\t5\nminor\t1\n", mqm_weights)


def _whole(folder: Path) -> Any:
    """A campaign with its judgements, which are read last."""
    campaign = read(folder)
    return campaign, campaign.judgements


def _judgements(folder: Path) -> Iterator[Target]:
    for format_name, (name, rows) in JUDGED.items():
        below = folder / format_name
        below.mkdir()
        files = JUDGEMENT_FORMATS[format_name].write(Judgements.of(rows, "test"), CAMPAIGN)
        for file, content in files.items():
            (below / (file or name)).write_bytes(content)
            by_name = {"judgement_format_name": format_name}
            yield Target(
                f"{format_name} {file}".strip(),
                below / (file or name),
                content,
                # Half of them as the format that they were, and half as what they look like.
                lambda path, by_name=by_name, main=below / name: read_judgements(
                    main, campaign=CAMPAIGN, **by_name if len(path.read_bytes()) % 2 else {}
                ),
            )
    batches = folder / "esa" / "batches.json"
    yield Target(
        "esa batches",
        batches,
        BATCHES.encode(),
        lambda _: read_judgements(folder / "esa" / "scores.csv", campaign=CAMPAIGN),
    )
    packed = folder / "human.tsv.gz"
    content = JUDGEMENT_FORMATS["assay"].write(Judgements.of(DA, "test"), CAMPAIGN)[""]
    yield Target("assay.gz", packed, gzip.compress(content, mtime=0), read_judgements)
    yield Target("assay.zst", folder / "human.tsv.zst", zstandard.compress(content), read_judgements)


def _scores(folder: Path) -> Iterator[Target]:
    below = folder / "scores"
    below.mkdir()
    for name, (format_name, content) in SCORES.items():
        yield Target(name, below / name, content, lambda path, format_name=format_name: _scored(path, format_name))


def _scored(path: Path, format_name: str) -> Any:
    """Scores beside a campaign, as what they look like, or as a campaign of their own."""
    if len(path.read_bytes()) % 2:
        return read_scores(path, CAMPAIGN)
    return read(path, input_format=format_name)


def try_one(target: Target, seed: int, outcomes: Outcomes) -> None:
    """Damage a target, read it as commands do or look for everything that is wrong with it, and put it back."""
    chance = random.Random(f"{target.name} {seed}")
    content = damaged(chance, target.content)
    _put(target.path, content)
    try:
        with outcomes.trial(lambda: f"{target.name}, {content[:200]!r}"):
            if seed % 4 == 3:
                check_path(target.path, campaign=CAMPAIGN if seed % 8 == 3 else None)
            else:
                target.read(target.path)
    finally:
        _put(target.path, target.content)


def _put(path: Path, content: bytes) -> None:
    """A new file: some file systems wait for the disk when an old one is overwritten."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
