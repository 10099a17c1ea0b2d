"""No score lies beyond the ends of its metric's scale."""

import math

import numpy as np
import pytest

import assay
from assay.metrics.registry import BUILT_IN

#: What the pages of metrics say of their scales: shares from 0 to 100, error rates from 0 without an end.
ENDS = {
    **dict.fromkeys(("ter", "wer", "cer", "per"), (0, None)),
    "nist": (0, None),
    # As many words as there are cannot be fewer than one.
    "lm": (1, None),
}
#: What spellings say: a sum of five precisions; 100 less an error rate that may pass 100, or may not.
SPELLED = {
    "nist(weights=none)": (0, 5),
    "combination(metrics=[bleu,ter])": (None, 100),
    "combination(metrics=[bleu,eed])": (0, 100),
    "ter(average=segments)": (0, None),
    "eed(average=segments)": (0, 100),
}
#: All that need nothing but texts; HTER is TER against post-edits.
NAMES = [name for name in BUILT_IN if name not in ("combination", "scores", "predictor", "hter")]
WORDS = ["a", "b", "c", "dd", "the", "cat", "."]


@pytest.mark.parametrize("spelling", [*NAMES, *SPELLED])
def test_no_score_is_beyond_the_ends_of_its_scale(spelling):
    metric = assay.metric(spelling)
    assert metric.bounds == SPELLED.get(spelling, ENDS.get(spelling, (0, 100)))
    chance = np.random.default_rng(1)
    texts, other = ([" ".join(chance.choice(WORDS, size)) for size in chance.integers(0, 9, 40)] for _ in range(2))
    low, high = (sign * math.inf if end is None else end for sign, end in zip((-1, 1), metric.bounds, strict=True))
    for translations in (texts, other, [""] * 40, ["x " * 40] * 40):
        statistics = metric.evaluate(assay.Corpus(translations=translations, references=[texts]))
        scores = [statistics.corpus_score(), *statistics.segment_scores().tolist()]
        there = [score for score in scores if not math.isnan(score)]
        assert there
        assert all(low - 1e-9 <= score <= high + 1e-9 for score in there)


def test_scores_of_files_have_a_scale_that_nobody_knows():
    assert assay.metric("scores(path=x.tsv)").bounds == (None, None)
