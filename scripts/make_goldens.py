"""Write golden outputs of other programs anew: ``python scripts/make_goldens.py [FOLDER [METEOR.jar]]``.

The texts are those of FOLDER's ``inputs``, usually ``tests/goldens/data``; what the programs make of them is laid
beside them. The Python programs are those of the extra ``peers``. METEOR's jar is in PyPI's pycocoevalcap 1.2 and needs
Java; without it METEOR's files stay as they are. No number comes from Assay.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from meteor_goldens import write_meteor
from truth_goldens import demo_correlations, luke_choices

FOLDER = Path(__file__).parents[1] / "tests" / "goldens" / "data"
#: The translations of each set of texts; a set in Chinese is cut into words for programs that need them.
SETS = {
    "el-de": ("hyp.bengel1753.de", "hyp.elberfelder1871.de", "hyp.luther1545.de"),
    "own-zh": ("hyp.zh",),
    "own-zh-tok": ("hyp.zh",),
}
SMOOTHINGS = ("exp", "none", "floor", "add-k")
CHRF: dict[str, dict[str, Any]] = {
    "chrf2": {},
    "chrf2pp": {"word_order": 2},
    "chrf3.lc": {"beta": 3, "lowercase": True},
    "chrf2.ws": {"whitespace": True},
    "chrf2.eps": {"eps_smoothing": True},
}
TER: dict[str, dict[str, Any]] = {
    "ter": {},
    "ter.cs": {"case_sensitive": True},
    "ter.np": {"no_punct": True},
    "ter.norm": {"normalized": True},
    "ter.norm.asian": {"normalized": True, "asian_support": True},
}


def lines(path: Path) -> list[str]:
    """The lines of a file; only a line feed ends one."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def write_lines(path: Path, texts: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\n".join(texts) + "\n").encode())


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> None:
    write_lines(path, ("\t".join(map(str, row)) for row in rows))


def write_json(path: Path, value: object) -> None:
    write_lines(path, [json.dumps(value, indent=0, ensure_ascii=False)])


def references(folder: Path, name: str, count: int) -> tuple[list[str], list[list[str]]]:
    """The names of the first references of a set, and their texts."""
    paths = sorted((folder / "inputs" / name).glob("ref.*"))[:count]
    return [path.name for path in paths], [lines(path) for path in paths]


def write_chinese_words(folder: Path) -> None:
    """``own-zh`` as sacreBLEU's tokenizer ``zh`` cuts it."""
    cut = import_module("sacrebleu.tokenizers.tokenizer_zh").TokenizerZh()
    for path in sorted((folder / "inputs" / "own-zh").iterdir()):
        write_lines(folder / "inputs" / "own-zh-tok" / path.name, [cut(line) for line in lines(path)])


def sacrebleu_metrics(name: str) -> dict[str, Any]:
    """sacreBLEU's metrics for a set, by the names of their columns."""
    metrics = import_module("sacrebleu.metrics")
    usual = "zh" if name == "own-zh" else "13a"
    bleu = [(usual, smoothing, False) for smoothing in SMOOTHINGS] + [(usual, "exp", True)]
    bleu += [(other, "exp", False) for other in (("char",) if name == "own-zh" else ("intl", "none"))]
    found: dict[str, Any] = {}
    for tokenizer, smoothing, lowercase in bleu:
        options = {"tokenize": tokenizer, "smooth_method": smoothing, "lowercase": lowercase}
        column = f"bleu.{tokenizer}.{smoothing}{'.lc' if lowercase else ''}"
        found[column] = metrics.BLEU(**options)
        found[f"{column}.eff"] = metrics.BLEU(**options, effective_order=True)
    found |= {column: metrics.CHRF(**options) for column, options in CHRF.items()}
    return found | {column: metrics.TER(**options) for column, options in TER.items()}


def write_sacrebleu(folder: Path) -> None:
    """Scores of every segment and of whole files, with counts and signatures."""
    # It warns of segment scores without effective order, which are wanted here.
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    entries = []
    for name in ("el-de", "own-zh"):
        metrics = sacrebleu_metrics(name)
        for translation in SETS[name]:
            texts = lines(folder / "inputs" / name / translation)
            for count in (1, 2):
                names, columns = references(folder, name, count)
                table = [["seg"], *([str(number)] for number in range(1, len(texts) + 1))]
                for column, metric in metrics.items():
                    for row, cells in zip(table, segment_cells(column, metric, texts, columns), strict=True):
                        row.extend(cells)
                    if not column.endswith(".eff"):
                        entry = {"set": name, "hyp": translation, "refs": names, "metric": column}
                        entries.append(entry | corpus_entry(metric, texts, columns))
                write_table(folder / "sacrebleu" / f"{name}.{translation}.refs{count}.seg.tsv", table)
    write_json(folder / "sacrebleu" / "made.json", entries)


def segment_cells(column: str, metric: Any, texts: list[str], columns: list[list[str]]) -> list[list[str]]:
    """A column with its heading; TER has its edits and the length of the reference behind it."""
    scores = [metric.sentence_score(text, list(others)) for text, *others in zip(texts, *columns, strict=True)]
    if column.startswith("ter"):
        heading = [column, f"{column}.edits", f"{column}.reflen"]
        return [heading, *([str(one.score), str(one.num_edits), str(one.ref_length)] for one in scores)]
    return [[column], *([str(one.score)] for one in scores)]


def corpus_entry(metric: Any, texts: list[str], columns: list[list[str]]) -> dict[str, object]:
    """The score of a file, what it is made of, and the signature."""
    found = metric.corpus_score(texts, columns)
    entry = {"signature_args": metric.get_signature().format(), "score": found.score}
    parts = ("counts", "totals", "precisions", "bp", "sys_len", "ref_len", "num_edits", "ref_length")
    return entry | {part: getattr(found, part) for part in parts if hasattr(found, part)}


def write_nltk(folder: Path) -> None:
    """NIST of whole files, order 5, over the words that sacreBLEU's 13a cuts."""
    corpus_nist = import_module("nltk.translate.nist_score").corpus_nist
    cut = import_module("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    entries = []
    for name in ("el-de", "own-zh-tok"):
        _, [reference] = references(folder, name, 1)
        for translation in SETS[name]:
            texts = lines(folder / "inputs" / name / translation)
            score = corpus_nist([[cut(line).split()] for line in reference], [cut(line).split() for line in texts], 5)
            found = {"program": f"NLTK {version('nltk')}", "set": name, "hyp": translation, "nrefs": 1}
            entries.append(found | {"corpus_nist5": score})
    write_json(folder / "nltk" / "made.json", entries)


def write_jiwer(folder: Path) -> None:
    """Rates and counts of every segment and of whole files, against reference A."""
    entries = []
    for name in ("el-de", "own-zh-tok"):
        [reference_name], [reference] = references(folder, name, 1)
        for translation in SETS[name]:
            texts = lines(folder / "inputs" / name / translation)
            rows: list[Sequence[object]] = [["seg", "wer", "mer", "wil", "wip", "hits", "sub", "del", "ins", "cer"]]
            for number, (one, text) in enumerate(zip(reference, texts, strict=True), start=1):
                rows.append([number, *rates(one, text).values()])
            write_table(folder / "jiwer" / f"{name}.{translation}.{reference_name}.seg.tsv", rows)
            entry = {"program": f"jiwer {version('jiwer')}", "set": name, "hyp": translation, "ref": reference_name}
            entries.append(entry | rates(reference, texts))
    write_json(folder / "jiwer" / "made.json", entries)


def rates(reference: str | list[str], texts: str | list[str]) -> dict[str, float]:
    """jiwer's rates and counts of one segment, or of many together."""
    jiwer = import_module("jiwer")
    words = jiwer.process_words(reference, texts)
    names = ("wer", "mer", "wil", "wip", "hits", "substitutions", "deletions", "insertions")
    return {name: getattr(words, name) for name in names} | {"cer": jiwer.process_characters(reference, texts).cer}


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else FOLDER
    write_chinese_words(folder)
    write_sacrebleu(folder)
    write_nltk(folder)
    write_jiwer(folder)
    write_json(folder / "truth" / "demo.json", demo_correlations())
    write_json(folder / "truth" / "luke.json", luke_choices(folder))
    if len(arguments) > 1:
        write_meteor(folder, Path(arguments[1]))
    else:
        print("METEOR's files stay as they are: no jar was given.")


if __name__ == "__main__":
    main(sys.argv[1:])
