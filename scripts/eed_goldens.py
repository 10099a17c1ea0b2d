"""Write golden outputs of torchmetrics' extended edit distance anew: ``python scripts/eed_goldens.py [FOLDER]``.

torchmetrics and PyTorch, which is large, are no development dependencies: run it in an environment of its own that has
``torchmetrics==1.9.0``. No number comes from Assay.
"""

from __future__ import annotations

import sys
from pathlib import Path

from torchmetrics.functional.text import extended_edit_distance

#: Sets of texts with a translation each, and the language that they are prepared as.
SETS = {"edge": ("hyp.en", "en"), "el-de": ("hyp.bengel1753.de", "en"), "own-zh": ("hyp.zh", "ja")}
#: Costs of each column.
COSTS = {"usual": {}, "others": {"alpha": 0.5, "rho": 0.1, "deletion": 0.7, "insertion": 1.5}}
FOLDER = Path(__file__).parents[1] / "tests" / "goldens" / "data"


def lines(path: Path) -> list[str]:
    """The lines of a file; only a line feed ends one."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def main(folder: Path) -> None:
    for name, (translation, language) in SETS.items():
        ours = lines(folder / "inputs" / name / translation)
        for count in (1, 2):
            references = [lines(path) for path in sorted((folder / "inputs" / name).glob("ref.*"))[:count]]
            target = [list(several) for several in zip(*references, strict=True)]
            columns = []
            for costs in COSTS.values():
                whole, each = extended_edit_distance(ours, target, language, return_sentence_level_score=True, **costs)
                columns.append([*map(float, each), float(whole)])
            labels = [*map(str, range(1, len(ours) + 1)), "all"]
            rows = [["seg", *COSTS], *([label, *map(repr, row)] for label, *row in zip(labels, *columns, strict=True))]
            path = folder / "eed" / f"{name}.{translation}.refs{count}.tsv"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(("\n".join("\t".join(row) for row in rows) + "\n").encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
