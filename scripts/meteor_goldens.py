"""What METEOR 1.5 makes of the golden texts: scores, alignments, statistics, normalised lines and stems."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import tempfile
from pathlib import Path

CAMPAIGN = Path(__file__).parents[1] / "src" / "assay" / "demo" / "campaign"
JAVA = ("java", "-Xmx1G", "-Dfile.encoding=UTF-8", "-Dsun.stdout.encoding=UTF-8")
#: Our own little table, for METEOR's large one is not ours to pass on; and what METEOR chose out of the large one.
PARAPHRASES, CHOSEN = "paraphrases.txt", "chosen-paraphrases.txt"
WORDNET = ("-m", "exact stem synonym")
STEMS = ("-m", "exact stem")
#: METEOR's arguments by the name of a run: a set, a system if it has several, what is special, the references.
RUNS: dict[str, tuple[str, ...]] = {
    "edge.raw.ex_st_sy.refA": ("-l", "en", *WORDNET),
    "edge.lower.ex_st_sy.refA": ("-l", "en", "-lower", *WORDNET),
    "edge.norm.ex.refA": ("-l", "en", "-norm", "-m", "exact"),
    "edge.norm.ex_st.refA": ("-l", "en", "-norm", *STEMS),
    "edge.norm.ex_st_sy.refA": ("-l", "en", "-norm", *WORDNET),
    "edge.norm.ex_st_sy.refAB": ("-l", "en", "-norm", "-r", "2", *WORDNET),
    "edge.norm.ex_st_sy.noPunct.refA": ("-l", "en", "-norm", "-noPunct", *WORDNET),
    "edge.norm.ex_st_sy.beam1.refA": ("-l", "en", "-norm", "-x", "1", *WORDNET),
    "edge.norm.ex_st_sy.ch.refA": ("-l", "en", "-norm", "-ch", *WORDNET),
    "edge.norm.ex_st_sy.classic.refA": ("-l", "en", "-norm", *WORDNET, "-p", "0.9 3.0 0.5 0.5", "-w", "1.0 1.0 1.0"),
    "edge.norm.ex_st_sy.adq.refA": ("-l", "en", "-norm", "-t", "adq", *WORDNET),
    "edge.norm.ex_st_sy.hter.refA": ("-l", "en", "-norm", "-t", "hter", *WORDNET),
    "edge.norm.ex_st_sy.li.refA": ("-l", "en", "-norm", "-t", "li", *WORDNET),
    "edge.norm.ex_st_sy.tune.refA": ("-l", "en", "-norm", "-t", "tune", *WORDNET),
    "edge.norm.own.refA": ("-l", "en", "-norm", "-a", PARAPHRASES),
    "edge.norm.own.refAB": ("-l", "en", "-norm", "-r", "2", "-a", PARAPHRASES),
    "el-de.bengel1753.norm.ex_st.refA": ("-l", "de", "-norm", *STEMS),
    "el-de.bengel1753.norm.ex_st.refAB": ("-l", "de", "-norm", "-r", "2", *STEMS),
    "el-de.elberfelder1871.norm.ex_st.refA": ("-l", "de", "-norm", *STEMS),
    "el-de.luther1545.norm.ex_st.refA": ("-l", "de", "-norm", *STEMS),
    "own-zh-tok.refA": ("-l", "other"),
    "own-zh-tok.refAB": ("-l", "other", "-r", "2"),
}
NORMALIZED = ("hyp.luther1545.de", "ref.A.de")
#: German words with -nis, which METEOR's older rules stem in their own way, and English ones out of the rules' lists.
GERMAN = (
    "bekenntnis bekenntnisse bekenntnissen ergebnis ergebnisse ergebnissen ergebnisses erlebnis erlebnisse ereignisse "
    "finsternis finsternisse gefängnis gefängnisse gefängnissen geheimnisses hindernisse kenntnisse zeugnis zeugnisse "
    "zeugnissen verhältnisse verhältnismäßig missverständnisse"
)
ENGLISH = (
    "added generously generous generate general communism communicate arsenal skis skies sky dying lying tying idly "
    "gently ugly early only singly news howe atlas cosmos bias andes inning outing canning herring earring proceed "
    "exceed succeed hopping hoping falling filing sensational conditional national happily relational ties dies cries "
    "gas this kiwis gaps feed agreed plastered motoring sing luxuriated conflated sized troubled fizzed tanned "
    "vietnamization predication operator feudalism decisiveness hopefulness callousness formality sensitivity "
    "sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance inference "
    "airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologous "
    "effective bowdlerize probate rate cease controlling rolling consign consigned consisting knack knavish knots"
)
ENDINGS = ("s", "'s", "ed", "ing", "ly", "ness", "ational")


def write_meteor(folder: Path, jar: Path) -> None:
    """Everything that the jar can tell."""
    summary = {name: run(folder, jar, name, arguments) for name, arguments in RUNS.items()}
    write(folder / "meteor" / "made.json", (json.dumps(summary, indent=1) + "\n").encode())
    write(folder / "meteor" / CHOSEN, chosen(folder, "edge.norm.refAB"))
    for keeps_punctuation in ("true", "false"):
        for name in NORMALIZED:
            text = (folder / "inputs" / "el-de" / name).read_bytes()
            found = java(jar, "edu.cmu.meteor.util.Normalizer", "de", keeps_punctuation, text=text)
            write(folder / "meteor-normalizer" / f"de.punct-{keeps_punctuation}.el-de_{name}.txt", found)
    demo, edge, luke = (
        spelled(sorted(place.glob(pattern)))
        for place, pattern in (
            (CAMPAIGN, "[rs][ey][fs].*.txt"),
            (folder / "inputs" / "edge", "*.en"),
            (folder / "inputs" / "el-de", "*.de"),
        )
    )
    plain = demo | edge | set(ENGLISH.split())
    english = plain | {word + ending for word in demo for ending in ENDINGS}
    write(folder / "stemmer" / "own-english.tsv", stems(jar, "en", sorted(english)))
    write(folder / "stemmer" / "el-de-german.tsv", stems(jar, "de", sorted(luke | set(GERMAN.split()))))


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def java(jar: Path, *words: str, text: bytes = b"") -> bytes:
    """What a program of the jar prints."""
    return subprocess.run([*JAVA, "-cp", str(jar), *words], input=text, capture_output=True, check=True).stdout


def spelled(paths: list[Path]) -> set[str]:
    """The words of some texts in small letters."""
    return {word for path in paths for word in re.findall(r"[^\W\d_]+", path.read_text(encoding="utf-8").lower())}


def stems(jar: Path, language: str, words: list[str]) -> bytes:
    """Words and their stems, with a tab between them."""
    found = java(jar, "Stemmer", language, text="".join(f"{word}\n" for word in words).encode()).decode().split("\n")
    return "".join(f"{word}\t{stem}\n" for word, stem in zip(words, found[: len(words)], strict=True)).encode()


def run(folder: Path, jar: Path, name: str, arguments: tuple[str, ...]) -> dict[str, object]:
    """Write the scores and alignments of a run; return what METEOR says of the whole text."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        texts, given = prepared(folder, place, name, arguments)
        printed = java(jar, "Meteor", *texts, *given, "-vOut", "-writeAlignments", "-f", str(place / "meteor")).decode()
        alignments = (place / "meteor-align.out").read_bytes()
    rows = re.findall(r"^Segment (\d+) score:\t(.*)$", printed, re.MULTILINE)
    table = ["seg\tprecision\trecall\tfrag_penalty\tscore", *("\t".join(row) for row in rows)]
    target = folder / "meteor" / name
    write(target / "scores.tsv", "".join(f"{line}\n" for line in table).encode())
    write(target / "meteor-align.out.gz", gzip.compress(alignments, mtime=0))
    write(target / "args.txt", f"{' '.join(arguments)}\n".encode())
    return statistics(printed, len(rows)) | {"args": " ".join(arguments)}


def chosen(folder: Path, name: str) -> bytes:
    """The paraphrases in the alignments of a run as a table, in both directions and without probabilities."""
    pairs = set()
    text = gzip.decompress((folder / "meteor" / name / "meteor-align.out.gz").read_bytes()).decode()
    for block in text.removeprefix("Alignment").split("\nAlignment"):
        _, translation, reference = (line.split() for line in block.split("\n")[:3])
        for link in re.findall(r"^(\d+):(\d+)\t+(\d+):(\d+)\t+3\t", block, re.MULTILINE):
            start, length, other_start, other_length = map(int, link)
            one = " ".join(reference[start : start + length])
            other = " ".join(translation[other_start : other_start + other_length])
            pairs |= {(one, other), (other, one)}
    return "".join(f"0\n{one}\n{other}\n" for one, other in sorted(pairs)).encode()


def prepared(folder: Path, place: Path, name: str, arguments: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The files of a run, several references line by line in one, and its arguments with the table packed."""
    texts, *parts = name.split(".")
    inputs = folder / "inputs" / texts
    translation = sorted(inputs.glob(f"hyp.{parts[0]}.*"))[:1] or sorted(inputs.glob("hyp.*"))
    columns = [
        next(inputs.glob(f"ref.{letter}.*")).read_bytes().removesuffix(b"\n").split(b"\n")
        for letter in parts[-1].removeprefix("ref")
    ]
    (place / "references").write_bytes(b"".join(line + b"\n" for row in zip(*columns, strict=True) for line in row))
    (place / "paraphrases.gz").write_bytes(gzip.compress((folder / "meteor" / PARAPHRASES).read_bytes()))
    given = [str(place / "paraphrases.gz") if word == PARAPHRASES else word for word in arguments]
    return [str(translation[0]), str(place / "references")], given


def statistics(printed: str, segments: int) -> dict[str, object]:
    """The block at the end of METEOR's print-out, named as in ``corpus.json``."""

    def value(label: str) -> str:
        found = re.search(rf"^{label}:\s+(\S+)$", printed, re.MULTILINE)
        if found is None:
            raise ValueError(f"METEOR did not print {label}")
        return found[1]

    stages = re.findall(r"^\d+((?: +\d+){6})$", printed, re.MULTILINE)
    names = {
        "test_len": "Test (?:words|chars)",
        "ref_len": "Reference (?:words|chars)",
        "chunks": "Chunks",
        "precision": "Precision",
        "recall": "Recall",
        "f1": "f1",
        "fmean": "fMean",
        "frag_penalty": "Fragmentation penalty",
        "score": "Final score",
    }
    return {
        "eval_id": value("Eval ID"),
        "segments": segments,
        **{name: float(value(label)) for name, label in names.items()},
        "stages_test_content_function_total_ref_content_function_total": [
            [float(count) for count in stage.split()] for stage in stages
        ],
    }
