"""How far our numbers are from those of other tools, computed live on the demonstration campaign.

Differences are shown as classes, so that the text is the same on every machine.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import cer
import jiwer
import numpy as np
from nltk.translate.bleu_score import modified_precision
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes
from numpy.typing import ArrayLike
from rouge_metric import PyRouge
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import assay
from assay.demo import CAMPAIGN

# It advises, once per sentence, what one of the comparisons does anyway.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)

Lines = Sequence[str]
#: What is compared: of the corpus, and of each segment where the peer has that in our sense.
Result = tuple[ArrayLike, ArrayLike | None]
Peer = Callable[[Lines, Sequence[Lines]], Result]

#: Several references at once, for tools that take them; the others meet each reference alone.
ONE_AND_ALL = (("A",), ("A", "B", "C"))
EACH_ALONE = (("A",), ("B",), ("C",))


def scores(statistics: assay.Statistics) -> Result:
    """What is compared as a rule."""
    return statistics.corpus_score(), statistics.segment_scores()


def rows(statistics: assay.Statistics) -> Result:
    """The counts behind the scores, which are whole numbers."""
    return statistics.total(), statistics.rows


@dataclass(frozen=True)
class Comparison:
    """One of our metrics beside another tool's."""

    tool: str
    setting: str
    ours: str
    theirs: Peer
    references: Sequence[tuple[str, ...]] = EACH_ALONE
    view: Callable[[assay.Statistics], Result] = scores

    def line(self, campaign: assay.Campaign) -> str:
        """The comparison as a line of the table."""
        metric = assay.metric(self.ours)
        corpora: list[float] = []
        segments: list[float] = []
        compared = 0
        for translations, references in _runs(campaign, self.references):
            statistics = metric.evaluate(assay.Corpus(translations=translations, references=references))
            (our_corpus, our_segments), (corpus, each) = self.view(statistics), self.theirs(translations, references)
            corpora.append(largest(our_corpus, corpus))
            if our_segments is not None and each is not None:
                segments.append(largest(our_segments, each))
            compared += len(translations)
        whole = self.view is rows
        cells = [
            f"{self.tool} {version(self.tool.lower())}",
            self.setting,
            f"`{self.ours}`",
            "each of 3" if self.references is EACH_ALONE else "1 and 3",
            f"{compared:,}",
            shown(max(corpora), whole),
            shown(max(segments), whole) if segments else "not comparable",
        ]
        return f"| {' | '.join(cells)} |"


def largest(ours: ArrayLike, theirs: ArrayLike) -> float:
    """The largest difference between two numbers or two arrays."""
    return float(np.max(np.abs(np.subtract(ours, theirs))))


def shown(difference: float, whole: bool) -> str:
    """The class of a difference. Only whole numbers can be the same on every machine; the rest is rounded.

    >>> shown(0.0, whole=True), shown(0.0, whole=False), shown(3e-10, whole=False), shown(0.25, whole=False)
    ('0', '< 1e-12', '< 1e-9', '0.25')
    """
    if difference == 0.0 and whole:
        return "0"
    for bound in ("1e-12", "1e-9"):
        if difference < float(bound):
            return f"< {bound}"
    return f"{difference:.2g}"


def _runs(campaign: assay.Campaign, chosen: Sequence[tuple[str, ...]]) -> Iterator[tuple[Lines, list[Lines]]]:
    for names in chosen:
        for translations in campaign.systems.values():
            yield list(translations), [list(campaign.references[name]) for name in names]


def _sacrebleu(metric: BLEU | CHRF | TER, single: BLEU | None = None) -> Peer:
    """``single`` scores sentences, where that is not the metric itself."""

    def judge(translations: Lines, references: Sequence[Lines]) -> Result:
        each = [
            (single or metric).sentence_score(translation, list(others)).score
            for translation, *others in zip(translations, *references, strict=True)
        ]
        return metric.corpus_score(translations, references).score, each

    return judge


def _nltk_nist(translations: Lines, references: Sequence[Lines]) -> Result:
    tokens = assay.Recipe(tokenize="13a").tokens
    [reference] = references
    # Its sentence score weighs by that sentence's references alone, which is another metric.
    return corpus_nist([[tokens(text)] for text in reference], [tokens(text) for text in translations], 5), None


def _nltk_precision(translations: Lines, references: Sequence[Lines], *, swapped: bool = False) -> Result:
    tokens = assay.Recipe(tokenize="none:ascii").tokens
    sides = (references[0], translations) if not swapped else (translations, references[0])
    fractions = [modified_precision([tokens(one)], tokens(other), 1) for one, other in zip(*sides, strict=True)]
    total = sum(one.numerator for one in fractions) / sum(one.denominator for one in fractions)
    return 100.0 * total, [100.0 * float(one) for one in fractions]


def _nltk(corpus: Callable[..., float], sentence: Callable[..., float]) -> Peer:
    """A score of NLTK's that takes words, of a corpus and of each sentence."""

    def judge(translations: Lines, references: Sequence[Lines]) -> Result:
        tokens = assay.Recipe(tokenize="none:ascii").tokens
        theirs = [[tokens(text) for text in several] for several in zip(*references, strict=True)]
        ours = [tokens(text) for text in translations]
        return 100.0 * corpus(theirs, ours), [100.0 * sentence(*pair) for pair in zip(theirs, ours, strict=True)]

    return judge


def _cer_package(translations: Lines, references: Sequence[Lines]) -> Result:
    [reference] = references
    found = cer.calculate_cer_corpus([text.split() for text in translations], [text.split() for text in reference])
    return 100.0 * found["mean"], [100.0 * rate for rate in found["cer_scores"]]


def _rouge(name: str, ours: str, mode: str = "average", **options: Any) -> Comparison:
    peer = PyRouge(**{"rouge_n": (), "rouge_l": False, "multi_ref_mode": mode} | options)
    tokens = assay.metric("rouge").recipe.tokens

    def judge(translations: Lines, references: Sequence[Lines]) -> Result:
        each = [
            100.0 * peer.evaluate_tokenized([[tokens(text)]], [[[tokens(one)] for one in several]])[name]["f"]
            for text, *several in zip(translations, *references, strict=True)
        ]
        return float(np.mean(each)), each

    setting = name if mode == "average" else f"{name}, best reference"
    return Comparison("rouge-metric", setting, ours, judge, ONE_AND_ALL)


def _jiwer(process: Callable[..., Any], rate: str) -> Peer:
    def judge(translations: Lines, references: Sequence[Lines]) -> Result:
        [reference] = references
        each = [process(text, translation) for text, translation in zip(reference, translations, strict=True)]
        together = process(list(reference), list(translations))
        return 100.0 * getattr(together, rate), [100.0 * getattr(one, rate) for one in each]

    return judge


def _jiwer_operations(process: Callable[..., Any]) -> Peer:
    def judge(translations: Lines, references: Sequence[Lines]) -> Result:
        [reference] = references
        each = [process(text, translation) for text, translation in zip(reference, translations, strict=True)]
        together = process(list(reference), list(translations))
        found = [[one.hits, one.substitutions, one.deletions, one.insertions] for one in (together, *each)]
        return found[0], found[1:]

    return judge


def _bleu(setting: str, ours: str, **options: Any) -> Comparison:
    # ``force`` silences the advice about texts that look tokenized. Sentences are scored as by ``sentence_bleu``.
    single = BLEU(force=True, **{"effective_order": True} | options)
    return Comparison("sacreBLEU", setting, ours, _sacrebleu(BLEU(force=True, **options), single), ONE_AND_ALL)


def _chrf(setting: str, ours: str, **options: Any) -> Comparison:
    return Comparison("sacreBLEU", setting, ours, _sacrebleu(CHRF(**options)), ONE_AND_ALL)


def _ter(setting: str, ours: str, **options: Any) -> Comparison:
    return Comparison("sacreBLEU", setting, ours, _sacrebleu(TER(**options)), ONE_AND_ALL)


COMPARISONS: Mapping[str, Sequence[Comparison]] = {
    "bleu": (
        _bleu("default", "bleu"),
        _bleu("lower case", "bleu(lowercase=true)", lowercase=True),
        _bleu("effective order", "bleu(effective_order=true)", effective_order=True),
        _bleu("no effective order", "bleu(effective_order=false)", effective_order=False),
        _bleu("no smoothing", "bleu(smoothing=none)", smooth_method="none"),
        _bleu("floor", "bleu(smoothing=floor)", smooth_method="floor"),
        _bleu("add-k", "bleu(smoothing=add-k)", smooth_method="add-k"),
        _bleu("tokenizer none", "bleu(tokenize=none)", tokenize="none"),
        _bleu("tokenizer intl", "bleu(tokenize=intl-sacrebleu)", tokenize="intl"),
        _bleu("tokenizer char", "bleu(tokenize=char)", tokenize="char"),
    ),
    "chrf": (
        _chrf("chrF2", "chrf"),
        _chrf("chrF2++", "chrf(word_order=2)", word_order=2),
        _chrf("chrF3, lower case", "chrf(beta=3,lowercase=true)", beta=3, lowercase=True),
        _chrf("white space counted", "chrf(whitespace=true)", whitespace=True),
        _chrf("epsilon smoothing", "chrf(smoothing=true)", eps_smoothing=True),
    ),
    "nist": (Comparison("NLTK", "corpus_nist", "nist(zero_quirk=false)", _nltk_nist),),
    "ter": (
        _ter("default", "ter(convention=sacrebleu)"),
        _ter("case-sensitive", "ter(convention=sacrebleu,lowercase=false)", case_sensitive=True),
        _ter("normalized", "ter(convention=sacrebleu,tokenize=tercom-sacrebleu:normalize)", normalized=True),
        _ter("no punctuation", "ter(convention=sacrebleu,tokenize=tercom-sacrebleu:no-punctuation)", no_punct=True),
        _ter("default", "ter(tokenize=none)"),
    ),
    "wer": (
        Comparison("jiwer", "wer", "wer", _jiwer(jiwer.process_words, "wer")),
        Comparison("jiwer", "its four operations", "wer", _jiwer_operations(jiwer.process_words), view=rows),
    ),
    "cer": (
        Comparison("jiwer", "cer", "cer", _jiwer(jiwer.process_characters, "cer")),
        Comparison("jiwer", "its four operations", "cer", _jiwer_operations(jiwer.process_characters), view=rows),
    ),
    "ribes": (Comparison("NLTK", "corpus_ribes", "ribes", _nltk(corpus_ribes, sentence_ribes), ONE_AND_ALL),),
    "gleu": (Comparison("NLTK", "corpus_gleu", "gleu", _nltk(corpus_gleu, sentence_gleu), ONE_AND_ALL),),
    "character-ter": (Comparison("cer", "calculate_cer_corpus", "character-ter", _cer_package),),
    "rouge": (
        _rouge("rouge-1", "rouge", rouge_n=(1,)),
        _rouge("rouge-2", "rouge(order=2)", rouge_n=(2,)),
        _rouge("rouge-2", "rouge(order=2,references=best)", "best", rouge_n=(2,)),
        _rouge("rouge-l", "rouge(variant=l)", rouge_l=True),
        _rouge("rouge-s4", "rouge(variant=s)", rouge_s=True, skip_gap=4),
        _rouge("rouge-su4", "rouge(variant=su)", rouge_su=True, skip_gap=4),
    ),
    "precision": (Comparison("NLTK", "modified_precision", "precision", _nltk_precision),),
    "recall": (
        Comparison("NLTK", "modified_precision, sides swapped", "recall", partial(_nltk_precision, swapped=True)),
    ),
}

LAWS = "`tests/metrics/test_oracles.py` holds every row and score to the slow and obvious version in"

#: What else holds the numbers, whether or not another tool computes them.
HELD: Mapping[str, Sequence[str]] = {
    "bleu": (
        "Golden outputs of mteval 11b, 13a and 14: `tests/goldens/test_mteval.py` holds `convention=mteval` to every "
        "segment and system score, `tests/goldens/test_mteval_printed.py` to what was printed.",
        "Golden outputs of sacreBLEU: `tests/goldens/test_sacrebleu.py`. Live, on random texts in many scripts: "
        "`tests/peers/test_sacrebleu_bleu.py`.",
        f"{LAWS} `tests/oracles/bleu.py`.",
    ),
    "modbleu": (f"{LAWS} `tests/oracles/bleu.py`.", "Its precisions and its brevity penalty are those of `bleu`."),
    "nist": (
        "Golden outputs of mteval 11b, 13a and 14: `tests/goldens/test_mteval.py` and "
        "`tests/goldens/test_mteval_printed.py`, with one and two references.",
        "Golden outputs of NLTK: `tests/goldens/test_nltk.py`. Live, on random texts: `tests/peers/test_nltk_nist.py`.",
        f"{LAWS} `tests/oracles/nist.py`.",
    ),
    "chrf": (
        "Golden outputs of sacreBLEU: `tests/goldens/test_sacrebleu.py`. Live, on random texts in many scripts: "
        "`tests/peers/test_sacrebleu_chrf.py`.",
        f"{LAWS} `tests/oracles/chrf.py`.",
    ),
    "ter": (
        "Golden outputs of TERcom, 38 runs: `tests/goldens/test_tercom.py` holds every count, rate, alignment and "
        "shift to them. Golden outputs of sacreBLEU: `tests/goldens/test_sacrebleu_ter.py`. Live against it, on random "
        "texts: `tests/peers/test_sacrebleu_ter.py`.",
        f"{LAWS} `tests/oracles/ter.py`, and those of sacreBLEU's convention to `tests/oracles/sacrebleu_ter.py`.",
    ),
    "hter": (
        "Against post-edits alone it is `ter`, row by row (`tests/metrics/test_hter.py`), and so is held to TERcom's "
        "golden outputs.",
        "The HTER published with MLQE-PE (Fomicheva et al., 2020): `tests/goldens/test_mlqe.py` holds 4,000 segments "
        "of Estonian to English to all six digits.",
    ),
    "wer": (
        "Golden outputs of WER.pl: `tests/goldens/test_per_wer.py`. Golden outputs of jiwer, operations included: "
        "`tests/goldens/test_jiwer.py`. Live, on random texts: `tests/peers/test_jiwer.py`.",
        f"{LAWS} `tests/oracles/edits.py`.",
    ),
    "cer": (
        "Golden outputs of jiwer: `tests/goldens/test_jiwer.py`. Live, on random texts: `tests/peers/test_jiwer.py`.",
        f"{LAWS} `tests/oracles/edits.py`.",
    ),
    "per": (
        "Golden outputs of PER.pl: `tests/goldens/test_per_wer.py` holds `surplus=corpus` to every line and file.",
        f"{LAWS} `tests/oracles/unigrams.py`.",
    ),
    "meteor": (
        "Golden outputs of METEOR 1.5: `tests/goldens/test_meteor.py` holds every segment, every link of every "
        "alignment and every corpus statistic of 56 runs to the program's own print-out: module sets, tasks, beams, "
        "text preparation, characters, one and two references, English, German and Chinese.",
        "Live, on random texts, where Java and PyPI's pycocoevalcap are installed: `tests/peers/test_meteor.py`.",
        "`tests/metrics/test_meteor_oracle.py` holds alignments and scores to the slow and obvious version in "
        "`tests/oracles/meteor.py`, and `aligner=optimal` and `aligner=staged` to the best of all alignments of small "
        "texts.",
    ),
    "gtm": (
        "Golden outputs of GTM 1.4: `tests/goldens/test_gtm.py` holds every segment, every document and every chosen "
        "run to the program's own print-out, for exponents 1, 1.5, 2 and 3 and one and two references, and all cases "
        "of its sanity suite that print scores, with up to six references and exponents below 1.",
        "`tests/metrics/test_gtm.py` holds runs and sizes to the slow and obvious version in `tests/oracles/gtm.py`, "
        "and `matching=exact` to the maximum over all matchings of small texts.",
    ),
    "cosine": (
        "Live against scikit-learn's `TfidfVectorizer` and `cosine_similarity`, with sums by hand: "
        "`tests/metrics/test_cosine.py`.",
    ),
    "lm": (
        "Live against NLTK's `WittenBellInterpolated`, with sums by hand: `tests/metrics/test_lm.py`, which also holds "
        "every row to the slow and obvious version in `tests/oracles/lm.py`.",
    ),
    "combination": (
        "`tests/metrics/test_combination.py` holds scores of corpora, segments and sets of references to the means of "
        "what the metrics have alone.",
    ),
    "scores": (
        "`tests/questions/test_given_scores.py` holds scores, intervals, tests and documents of a file to the mean of "
        "the metric that wrote it, to the last bit; right and wrong answers to SciPy's exact test (McNemar).",
    ),
    "blanc": (
        "`tests/metrics/test_blanc.py` holds rows and scores to the slow and obvious version in "
        "`tests/oracles/blanc.py`, which lists every skip-n-gram.",
        "The same file holds the special cases to 1e-12, on the demonstration campaign and on WMT23: without gaps, "
        "precision and recall of each size to the clipped n-gram counts of our BLEU in both directions; pairs without "
        "decay to ROUGE-S, ROUGE-S4 and ROUGE-S9 as ROUGE-1.5.5 counts pairs, written out beside ours.",
    ),
    "ribes": (
        "Golden outputs of NLTK: `tests/goldens/test_nltk_ribes_gleu.py`. Live, on random texts with one to three "
        "references: `tests/peers/test_nltk_ribes_gleu.py`.",
        "`tests/metrics/test_ribes.py` holds every score to the slow and obvious version in `tests/oracles/ribes.py`.",
    ),
    "gleu": (
        "Golden outputs of NLTK: `tests/goldens/test_nltk_ribes_gleu.py`. Live, on random texts with one to three "
        "references: `tests/peers/test_nltk_ribes_gleu.py`.",
        "`tests/metrics/test_gleu.py` holds every count to the slow and obvious version in `tests/oracles/gleu.py`.",
    ),
    "character-ter": (
        "Live, on random texts and on words that change places: `tests/peers/test_cer_package.py`.",
        "`tests/metrics/test_character_ter.py` holds every score to the slow and obvious version in "
        "`tests/oracles/character_ter.py`.",
    ),
    "eed": (
        "Golden outputs of torchmetrics 1.9.0, whose numbers have 32 bits: `tests/goldens/test_eed.py` holds every "
        "segment and every file to them, with one and two references and two sets of costs.",
        "`tests/metrics/test_eed.py` holds every score to the slow and obvious version in `tests/oracles/eed.py`.",
    ),
    "rouge": (
        "Golden outputs of ROUGE-1.5.5, the Perl program, 20 runs: `tests/goldens/test_rouge.py` holds recall, "
        "precision and F of every segment to all five digits: N, L, W, S and SU, stems, one and two references, both "
        "rules for several.",
        "Live against the Python port in rouge-metric, on random texts: `tests/peers/test_rouge_metric.py`.",
        "`tests/metrics/test_rouge.py` holds every score to the slow and obvious version in `tests/oracles/rouge.py`.",
    ),
    "predictor": (
        "`tests/learned/test_models.py` holds every kind of model to sums that were worked out by hand, and to itself "
        "behind a file.",
        "`tests/learned/test_predictor.py` holds it to all laws, and to what `assay predict` predicts.",
    ),
} | dict.fromkeys(("precision", "recall", "f1", "fmean"), (f"{LAWS} `tests/oracles/unigrams.py`.",))

TOOLS = "sacreBLEU, NLTK, jiwer, cer, rouge-metric, bleuscore"
NO_PEER = f"None of the tools that we test against ({TOOLS}) computes this metric."
OPENING = "On the demonstration campaign, five systems, with the tool running beside ours. Largest difference found:"
HEADINGS = ("tool", "its setting", "ours", "references", "segments", "corpus score", "segment score")


def agreement(name: str) -> str:
    """The section of one metric's page, without its markers."""
    parts = [NO_PEER]
    if name in COMPARISONS:
        campaign = assay.read(CAMPAIGN)
        rules = ["---"] * 4 + ["---:"] * 3
        head = [f"| {' | '.join(cells)} |" for cells in (HEADINGS, rules)]
        parts = [OPENING, "\n".join(head + [one.line(campaign) for one in COMPARISONS[name]])]
    held = "\n".join(f"* {line}" for line in HELD[name])
    return "\n\n".join([*parts, f"What else holds the numbers:\n\n{held}"])
