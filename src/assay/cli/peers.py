"""Options that people know from other programs, and what to type here instead."""

from __future__ import annotations

from collections.abc import Iterable

_FILES = "Translations stand without an option, and -r names a reference: assay score -r REFERENCE TRANSLATION..."
_TOKENS = "How words are cut is an option of the metric, -m 'bleu(tokenize=zh)', or follows from --language zh."
_DIGITS = "Tables have two digits; --format json, tsv and csv have all of them."
_SIGNED = "A short signature is always there; --signatures prints it whole, --sacrebleu-signature sacreBLEU's."
_PAIRED = "Every pair of systems is tested by assay compare"
_MODEL = "Assay runs no neural model. Scores that other programs wrote go into assay meta CAMPAIGN --scores FILE."

#: By what was typed.
_HERE = {
    # sacreBLEU
    "-i": _FILES,
    "--input": _FILES,
    "-t": f"Assay downloads no test sets. {_FILES}",
    "--test-set": f"Assay downloads no test sets. {_FILES}",
    "-l": "The language of the texts is --language ja; Assay downloads no test sets.",
    "--language-pair": "The language of the texts is --language ja; Assay downloads no test sets.",
    "-tok": _TOKENS,
    "--tokenize": _TOKENS,
    "-lc": "Type -m 'bleu(lowercase=true)'.",
    "--lowercase": "Type -m 'bleu(lowercase=true)'.",
    "-f": "Type --format json.",
    "-b": "The score alone: --format json, table scores, or --format tsv.",
    "--score-only": "The score alone: --format json, table scores, or --format tsv.",
    "-w": _DIGITS,
    "-sl": "Type --segments.",
    "--sentence-level": "Type --segments.",
    "-ci": "Intervals are always there; --samples 0 for none.",
    "--confidence": "Intervals are always there; --samples 0 for none.",
    "-cin": "Type --samples N.",
    "--confidence-n": "Type --samples N.",
    "-nr": "Repeat -r, once for each reference.",
    "--num-refs": "Repeat -r, once for each reference.",
    "-sh": _SIGNED,
    "--short": _SIGNED,
    "--smooth-method": "Smoothing is an option of the metric: -m 'bleu(smoothing=floor)'.",
    "-sv": "Smoothing is an option of the metric: -m 'bleu(smoothing=floor,smoothing_value=0.1)'.",
    "--smooth-value": "Smoothing is an option of the metric: -m 'bleu(smoothing=floor,smoothing_value=0.1)'.",
    "-pbs": f"{_PAIRED} --test bootstrap.",
    "--paired-bs": f"{_PAIRED} --test bootstrap.",
    "-pbsn": f"{_PAIRED} --test bootstrap --permutations N.",
    "--paired-bs-n": f"{_PAIRED} --test bootstrap --permutations N.",
    "-par": f"{_PAIRED}.",
    "--paired-ar": f"{_PAIRED}.",
    "-parn": f"{_PAIRED} --permutations N.",
    "--paired-ar-n": f"{_PAIRED} --permutations N.",
    "-j": "Type --threads N.",
    "--metrics": "Type -m bleu,chrf.",
    "--chrf-word-order": "Type -m 'chrf(word_order=2)'.",
    "--chrf-char-order": "Type -m 'chrf(char_order=6)'.",
    "--chrf-beta": "Type -m 'chrf(beta=2)'.",
    "--ter-case-sensitive": "Type -m 'ter(convention=sacrebleu,lowercase=false)'.",
    # jiwer
    "--hypothesis": "Translations stand without an option: assay score -r REFERENCE TRANSLATION -m wer.",
    "-c": "Type -m cer.",
    "--cer": "Type -m cer.",
    "-a": "One segment is shown by assay explain ... -m wer.",
    "-g": "The whole file is one score already.",
    "--global": "The whole file is one score already.",
    # COMET
    "--translations": _FILES,
    "--references": "Type -r REFERENCE.",
    "--sources": "Type -s SOURCE.",
    "--to_json": "Type -o FILE.json.",
    "--only_system": "Scores of systems are shown unless --segments asks for more.",
    "--model": _MODEL,
    "--gpus": _MODEL,
    "--batch_size": _MODEL,
}


def advice(typed: str) -> str | None:
    """What to type here instead of an option of another program; None if it is not known from anywhere.

    >>> advice("-sl")
    'Type --segments.'
    """
    return _HERE.get(typed.partition("=")[0])


def swallowed(arguments: Iterable[str]) -> str | None:
    """An option of another program that was read as one of ours with its value: ``-sl`` as the source file ``l``."""
    return next((word for word in arguments if word in ("-sl", "-sh", "-sv")), None)
