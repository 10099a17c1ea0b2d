"""What do a million segment scores cost a store, and what does it save?

Ten systems by ten metrics by 10,000 invented segments are counted and kept; then every query of docs/guides/sql.md is
asked, each with reading what it needs, in the same process. The whole command that scores METEOR is timed on real
texts, with a store that has nothing and one that has their rows.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import assay
from assay.demo import CAMPAIGN
from assay.store.folder import Store
from assay.store.rows import KeptRows
from assay.store.sql import query
from assay.store.tables import Tables
from benchmarks.commands import CAMPAIGNS, command_seconds, processor_seconds

SEGMENTS, WORDS, JUDGED = 10_000, 12, 2_000
METRICS = "bleu,chrf,ter,wer,per,f1,precision,recall,cer,gleu"
#: Those that queries of the page name, and others.
SYSTEMS = ("compass", "lantern", "rosetta", "human", "gravel", "a", "b", "c", "d", "e")
PAGE = Path(__file__).parents[1] / "docs" / "guides" / "sql.md"
ROUNDS = 3


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        million(Path(folder) / "million")
        saved(Path(folder) / "campaign")


def million(folder: Path) -> None:
    """Append a million scores, and ask."""
    store = Store.create(folder)
    campaign = invented(np.random.default_rng(1))
    with timed(KeptRows, "flush") as rows, timed(Store, "put") as texts, timed(Store, "add") as answer:
        assay.score(campaign, METRICS, samples=0, store=store.path)
        parts = {"rows": sum(rows), "texts": sum(texts), "answer": sum(answer)}
    listed = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in parts.items())
    print(f"append {len(SYSTEMS) * 10 * SEGMENTS:,} segment scores: {sum(parts.values()):.2f} s ({listed})")
    assay.score(campaign, "bleu", samples=0, store=store.path)
    assay.compare(campaign, "bleu", samples=10, permutations=100, store=store.path)
    assay.meta_evaluate(campaign, "bleu,chrf", kind="adequacy", samples=10, permutations=100, store=store.path)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"the store has {size / 1e6:.0f} MB\n")
    for said, text in re.findall(r"\n\n((?:[^\n]+\n)+)\n```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        seconds, count = best(partial(answered, store, text))
        print(f"{1000 * seconds:6.0f} ms  {count:6,} rows  {' '.join(said.split())[:70]}")
    print()


def invented(draw: np.random.Generator) -> assay.Campaign:
    """References of random words, and translations that have some of them wrong."""
    words = np.array([f"w{number}" for number in range(5_000)])
    reference = words[draw.integers(len(words), size=(SEGMENTS, WORDS))]
    systems: dict[str, Any] = {}
    for place, name in enumerate(SYSTEMS):
        wrong = draw.random(reference.shape) < 0.1 + 0.02 * place
        systems[name] = list(
            map(" ".join, np.where(wrong, words[draw.integers(len(words), size=reference.shape)], reference))
        )
    documents = tuple(f"d{segment // 20}" for segment in range(SEGMENTS))
    judged = [
        assay.Judgement(system, segment, float(draw.integers(1, 6)), "adequacy", rater=rater)
        for system in SYSTEMS[:5]
        for segment in range(JUDGED)
        for rater in ("anna", "bilal")
    ]
    judgements = assay.Judgements.of(judged, "invented")
    references: dict[str, Any] = {"A": list(map(" ".join, reference))}
    return assay.Campaign("invented", systems, references, documents=documents).with_judgements(judgements)


def saved(folder: Path) -> None:
    """The whole command, first and second time."""
    real = CAMPAIGNS / "wmt23-zh-en"
    shutil.copytree(real if real.is_dir() else CAMPAIGN, folder)
    words = ["score", str(folder), "-m", "meteor", "-q"]
    for measure, what in ((command_seconds, "s"), (processor_seconds, "s of processor")):
        first, second = [], []
        for _ in range(ROUNDS):
            shutil.rmtree(folder / ".assay", ignore_errors=True)
            Store.create(folder)
            first.append(measure(words))
            second.append(measure(words))
        one, other = min(first), min(second)
        print(
            f"assay score -m meteor, {real.name}: first {one:.2f} {what}, second {other:.2f}: {one / other:.1f} times"
        )


def answered(store: Store, text: str) -> int:
    """How many rows a query has."""
    return len(query(Tables(store), text, most=10_000, seconds=60).rows)


def best(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the best of some rounds, and what came of it."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        made = work()
        times.append(time.perf_counter() - started)
    return min(times), made


@contextmanager
def timed(owner: type, name: str) -> Iterator[list[float]]:
    """The seconds of each call of a method, as long as this lasts."""
    original, spent = getattr(owner, name), list[float]()

    def call(*given: Any, **options: Any) -> Any:
        started = time.perf_counter()
        try:
            return original(*given, **options)
        finally:
            spent.append(time.perf_counter() - started)

    setattr(owner, name, call)
    try:
        yield spent
    finally:
        setattr(owner, name, original)
