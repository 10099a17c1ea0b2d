"""Draw the figures of the guides to studies anew: ``python scripts/draw_studies.py CAMPAIGNS [STUDY ...]``.

CAMPAIGNS is a folder with the public campaigns that the guides speak of, each under the name that they give it. The
figure of the README, ``compare``, is that of the demonstration campaign, which is laid out in such a folder.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

FIGURES = Path(__file__).parents[1] / "docs" / "guides" / "figures"
#: What is typed behind ``assay``, as the README prints it.
FIRST = "compare demo-campaign -m chrf"
#: What is typed behind ``assay study``, as the guides print it.
COMMANDS = (
    "pseudo-documents wmt23-en-de --kind esa-1/esa-2",
    "misleading-ngrams wmt23-zh-en --kind mqm",
    "gtm-exponent wmt23-zh-en --kind mqm",
    "untranslated wmt23-en-de",
    "greedy-matching wmt21-ru-en-da",
    "case-and-stem wmt23-zh-en --kind mqm --level system",
    "correlations wmt23-zh-en --kind mqm",
    "recall-weight wmt23-zh-en --kind mqm --test-on wmt21-ha-en-da --test-kind da-z",
    "sentence-level wmt23-zh-en --kind mqm",
    "sentence-scatter wmt23-zh-en --kind mqm --systems ANVITA --dots 250",
    "equal-grades wmt23-zh-en --kind mqm",
    "consistency wmt23-zh-en",
    "meteor-aligner wmt12-cs-en-rr",
    "discount wmt12-cs-en-rr",
    "references bible-de/luke1-4 -m bleu --k 1,2,4",
    "references bible-de/luke1-4 -m bleu,nist --k 2 --refs bengel1753,elberfelder1905,greber1936,luther1545,"
    "schlachter1951 --picture lines",
    "reference-count ort20-en-cs --missing 0 -m 'bleu,nist,chrf,meteor(language=cs),gtm'",
    "reference-similarity bible-de/luke1-4 --unit segment",
    "synthetic-references ort20-en-cs --missing 0 --beam 8",
    "foreign-texts bible-de/luke1-4 --others bible-de/mark,bible-de/matthew,bible-de/john -m bleu",
    "score-distribution ort20-en-cs --missing 0 -m 'bleu,meteor(language=cs)'",
    "leaderboard wmt23-en-de wmt23-zh-en --kind mqm",
)


def figure_name(command: str) -> str:
    """What the figure of a study is called: after the study, and the picture where it is not the usual one."""
    words = shlex.split(command)
    return "-".join([words[0], *(words[place + 1] for place, word in enumerate(words) if word == "--picture")])


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit(__doc__)
    folder, *wanted = arguments
    FIGURES.mkdir(exist_ok=True)
    if not Path(folder, "demo-campaign").exists():
        subprocess.run(["assay", "demo", "--copy", "demo-campaign"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    for command in (FIRST, *(f"study {command}" for command in COMMANDS)):
        words = shlex.split(command)
        name = figure_name(command.removeprefix("study "))
        if wanted and words[1] not in wanted and name not in wanted:
            continue
        figure = FIGURES / f"{name}.svg"
        typed = ["assay", *words, "--figure", str(figure), "-q"]
        subprocess.run(typed, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        print(f"{figure.name}: {figure.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
