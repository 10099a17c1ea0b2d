"""Every command line that has a snapshot."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

TABLES = "text json tsv csv markdown latex"
BOTH = "text json"
TEXT = "text"

COMMANDS = ("score", "compare", "meta", "agreement", "explain", "study", "tune", "learn", "predict", "convert")
COMMANDS += ("validate", "metrics", "recipes", "demo")

#: The studies, each with options that make it quick.
STUDIES = {
    "pseudo-documents": "--kind adequacy --per-length 50 -m bleu,chrf,gtm --lengths 1,10,40",
    "greedy-matching": "",
    "case-and-stem": "--kind adequacy --samples 50 -m chrf,gtm",
    "correlations": "--kind adequacy --samples 50 -m nist,fmean",
    "recall-weight": "--kind adequacy --samples 50 --steps 4",
    "sentence-level": "--kind adequacy,fluency --samples 50 -m modbleu,fmean",
    "meteor-aligner": "",
    "references": "-m bleu,meteor",
    "reference-count": "--kind adequacy --samples 20 -m chrf,gtm",
    "foreign-texts": "--others demo/src.txt",
    "score-distribution": "--kind adequacy --bins 5",
}
#: The metrics, each with a segment of the demo that shows something and is not too long.
METRICS = {
    "bleu": 1,
    "cer": 0,
    "chrf": 0,
    "f1": 1,
    "fmean": 1,
    "gtm": 1,
    "meteor": 1,
    "modbleu": 1,
    "nist": 1,
    "per": 1,
    "precision": 1,
    "recall": 1,
    "ter": 2,
    "wer": 1,
}

LEARN = "learn demo --kind adequacy --grades 3 --folds 2 --samples 20 --where domain=everyday"

#: A name, the command line behind ``assay``, and the formats it is asked for.
LINES: dict[str, tuple[str, str]] = {
    # What there is.
    "help/assay": ("--help", TEXT),
    "help/version": ("--version", TEXT),
    "help/nothing": ("", TEXT),
    **{f"help/{name}": (f"{name} --help", TEXT) for name in COMMANDS},
    **{f"help/study-{name}": (f"study {name} --help", TEXT) for name in (*STUDIES, "all")},
    "metrics/list": ("metrics", TABLES),
    "metrics/bleu": ("metrics bleu", TABLES),
    "recipes/list": ("recipes", TABLES),
    "study/list": ("study", TABLES),
    "demo/demo": ("demo", TEXT),
    # Scores.
    "score/demo": ("score demo", TABLES),
    "score/metrics": ("score demo --samples 100 -m " + ",".join(METRICS), BOTH),
    "score/segments": ("score demo --systems compass,gravel --samples 0 --segments --where domain=news", TABLES),
    "score/documents": ("score demo --samples 50 --documents", TABLES),
    "score/domains": ("score demo --samples 50 --domains", TABLES),
    # Comparisons.
    "compare/demo": ("compare demo", TABLES),
    "compare/baseline": ("compare demo --baseline rosetta", TABLES),
    "compare/gate": ("compare demo --baseline compass --fail-if-worse", TABLES + " junit"),
    # Explanations.
    **{
        f"explain/{name}": (f"explain demo --system compass --segment {segment} -m {name}", "text json svg html")
        for name, segment in METRICS.items()
    },
    # Meta-evaluation.
    "meta/demo": ("meta demo --kind adequacy --samples 50", TABLES),
    "agreement/demo": ("agreement demo --kind adequacy --samples 50 --splits 10", TABLES),
    # Validation.
    "validate/demo": ("validate demo", TABLES),
    # Studies.
    **{f"study/{name}": (f"study {name} demo {options}", TABLES) for name, options in STUDIES.items()},
    "study/all": ("study all demo --kind adequacy -m gtm --k 1 --where domain=news", TEXT),
    # Learning.
    "learn/demo": (f"{LEARN} --no-left-out --model tree,ridge --features bleu,wer,meteor", TABLES),
    "predict/demo": ("predict inputs/model.json demo --samples 50", TABLES),
    "predict/card": ("predict inputs/model.json --card", TABLES),
    # Tuning.
    "tune/demo": ("tune chrf demo --kind adequacy --samples 50 --folds 3", TABLES),
}


@dataclass(frozen=True)
class Case:
    """A command line and the format of what it prints."""

    arguments: list[str]
    style: str


def _cases() -> dict[str, Case]:
    found = {}
    for name, (line, styles) in LINES.items():
        for style in styles.split():
            # Text is what commands print if nobody asks for something else.
            asked = [] if style == TEXT else ["--format", style]
            found[f"{name}.{style}"] = Case([*shlex.split(line), *asked], style)
    return found


#: Every case by the name of its snapshot.
ALL = _cases()
