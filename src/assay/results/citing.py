"""What a paper says and cites for a result: a sentence, signatures, and BibTeX for metrics, methods and Assay.

BibTeX passes over what stands between its entries, so the whole is a .bib file, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from assay.results.rendering import Look, Style
from assay.results.result import Result
from assay.results.visible import visible

#: Whatever stands under a name of these in a result, and what it is called and cited by.
_METRICS = {
    "bleu": ("BLEU", "papineni2002bleu post2018call"),
    "modbleu": ("modified BLEU", "lavie2004significance"),
    "nist": ("NIST", "doddington2002automatic"),
    "chrf": ("chrF", "popovic2015chrf"),
    "chrf++": ("chrF++", "popovic2017chrf"),
    "ter": ("TER", "snover2006study"),
    "hter": ("HTER", "snover2006study"),
    "wer": ("WER", "niessen2000evaluation"),
    "cer": ("CER", ""),
    "per": ("PER", "tillmann1997accelerated"),
    "meteor": ("METEOR", "banerjee2005meteor denkowski2014meteor"),
    "precision": ("unigram precision", "lavie2004significance"),
    "recall": ("unigram recall", "lavie2004significance"),
    "f1": ("F1", "lavie2004significance"),
    "fmean": ("Fmean", "lavie2004significance"),
    "gtm": ("GTM", "turian2003evaluation melamed2003precision"),
    "blanc": ("BLANC", "lita2005blanc"),
    "cosine": ("tf-idf cosine", "salton1975vector"),
    "ribes": ("RIBES", "isozaki2010automatic"),
    "gleu": ("GLEU", "wu2016google"),
    "character-ter": ("CharacTER", "wang2016character"),
    "eed": ("EED", "stanchev2019eed"),
    "rouge": ("ROUGE", "lin2004rouge"),
    "lm": ("perplexity under an n-gram language model", "witten1991zero"),
    "combination": ("a mean of metrics", ""),
    "scores": ("scores that another program computed", ""),
    "predictor": ("a learned predictor", "paul2007translation"),
}
_METHODS = {
    "randomisation": ("paired approximate randomisation", "riezler2005pitfalls"),
    "bootstrap": ("a paired bootstrap test", "koehn2004statistical"),
    "wilcoxon": ("Wilcoxon's signed-rank test", "wilcoxon1945individual"),
    "t": ("Student's paired t", ""),
    "two-level t": ("Welch's t over segments and runs", ""),
    "few-cluster t": ("a t test over few units", ""),
    "williams": ("Williams's test", "williams1959comparison graham2014testing"),
    "perm-both": ("PERM-BOTH", "deutsch2021statistical"),
    "jackknife": ("a jackknife over systems", ""),
    "holm": ("Holm's correction", "holm1979simple"),
    "benjamini-hochberg": ("Benjamini and Hochberg's correction", "benjamini1995controlling"),
    "bca": ("BCa intervals", "efron1987better"),
    "percentile": ("bootstrap intervals", "efron1979bootstrap"),
    "spa": ("soft pairwise accuracy", "thompson2024improving"),
    "spa-segments": ("soft pairwise accuracy of mean segment scores", "thompson2024improving"),
    "acc23": ("pairwise accuracy with tie calibration", "deutsch2023ties"),
    "acc23-heldout": ("pairwise accuracy with ties calibrated on other segments", "deutsch2023ties"),
    "tau23": ("tau23", "deutsch2023ties"),
    "pdp": ("pairwise-difference Pearson", "diianni2025sweat"),
    "accuracy": ("pairwise accuracy", "kocmi2021ship"),
    "kappa-quadratic": ("weighted kappa", "cohen1968weighted"),
    "alpha-interval": ("Krippendorff's alpha", "krippendorff2004content"),
    "icc-2-1": ("intraclass correlations", "shrout1979intraclass"),
}
_QUESTIONS = {
    "learn": "paul2007translation nadeau2003inference",
    "tune": "nadeau2003inference",
    "references": "culy2003limits",
    "foreign-texts": "culy2003limits",
    "reference-similarity": "culy2003limits",
    "pseudo-documents": "turian2003evaluation",
    "greedy-matching": "turian2003evaluation",
    "reference-count": "turian2003evaluation lavie2004significance",
    "synthetic-references": "lavie2004significance pang2003syntax",
    "recall-weight": "lavie2004significance",
    "correlations": "lavie2004significance",
    "case-and-stem": "turian2003evaluation lavie2004significance",
    "sentence-level": "lavie2007automatic",
    "sentence-scatter": "lavie2007automatic",
    "equal-grades": "lavie2007automatic",
    "consistency": "lavie2007automatic",
    "discount": "lavie2007automatic",
    "score-distribution": "lavie2007automatic",
    "meteor-aligner": "denkowski2014meteor",
}


class _Part(NamedTuple):
    """What is named in the sentence, and the keys of what is cited for it."""

    name: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        cited = "; ".join(_label(_entries()[key]) for key in self.keys)
        return f"{self.name} ({cited})" if cited else self.name


def _render(result: Result, _look: Look) -> str:
    metrics, methods = list(_metrics(result)), list(_methods(result))
    asked = _QUESTIONS.get(result.question, "").split()
    parts = [*metrics, *methods, *([_Part(f"the study {result.question}", tuple(asked))] if asked else [])]
    listed = " and ".join(filter(None, [", ".join(map(str, parts[:-1])), *map(str, parts[-1:])]))
    subject = f"{listed[:1].upper()}{listed[1:]} {'was' if len(parts) == 1 else 'were'}" if parts else "This was"
    seed = f", seed {result.options['seed']}" if methods and "seed" in result.options else ""
    lines = [f"{subject} computed with Assay {result.version}{seed}.", ""]
    if result.signatures:
        lines += ["Signatures:", *(f"  {visible(line)}" for line in result.signatures.values()), ""]
    keys = dict.fromkeys(key for part in parts for key in part.keys)
    return "\n".join([*lines, *(f"{_entries()[key]}\n" for key in keys), _own_entry(result.version)]) + "\n"


def _metrics(result: Result) -> Iterator[_Part]:
    """The metrics that were computed, each once, whatever its options."""
    names = dict.fromkeys(
        "chrf++" if re.match(r"chrf\(.*word_order=[1-9]", spelling) else spelling.partition("(")[0]
        # What explains one segment has no signature.
        for spelling in result.signatures or result.options.get("metrics", ())
    )
    for label, keys in (_METRICS.get(name, (name, "")) for name in names):
        yield _Part(visible(label), tuple(keys.split()))


def _methods(result: Result) -> Iterator[_Part]:
    """Statistics, tests, corrections and intervals that the tables and the set-up name."""
    said = {result.setup.get(name) for name in ("test", "correction", "interval")}
    said |= {row.get(name) for rows in result.tables.values() for row in rows for name in ("statistic", "test")}
    drawn = any(row.get("low") is not None for rows in result.tables.values() for row in rows)
    said |= {"percentile"} if drawn and "bca" not in said else set()
    yield from (_Part(label, tuple(keys.split())) for name, (label, keys) in _METHODS.items() if name in said)


def _own_entry(version: str) -> str:
    return (
        "@software{assay,\n  author = {{The Assay developers}},\n"
        "  title = {Assay: Evaluation of Machine Translation and of Its Evaluation},\n"
        f"  version = {{{version}}}\n}}"
    )


@cache
def _entries() -> dict[str, str]:
    """BibTeX by key."""
    text = files("assay.results").joinpath("sources.bib").read_text(encoding="utf-8")
    return {_field(r"@\w+\{([^,]+),", entry): entry.strip() for entry in text.split("\n\n")}


def _label(entry: str) -> str:
    """Authors and year, as a text cites them."""
    names = [author.partition(",")[0] for author in _field(r"author = \{(.*)\},\n", entry).split(" and ")]
    authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{authors}, {_field('year = .([0-9]+)', entry)}"


def _field(pattern: str, entry: str) -> str:
    match = re.search(pattern, entry)
    return "" if match is None else match[1]


STYLE = Style("bibtex", (".bib",), _render)
