"""TER against sacreBLEU, live, on random texts.

Left out is where sacreBLEU differs from TERcom: ``normalized`` (it prepares references twice), texts so long or so far
apart that its own beam or its limit of 1,000 shifts per segment is felt, and blocks whose target lies inside
themselves, which TERcom slides to the right.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import assay
from oracles import ter as ter_oracle
from peers.texts import corpus, spaced_corpus

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is the peer (extra: peers)")


def compare(translations, columns, spelling, **options):
    theirs = sacrebleu.metrics.TER(**options)
    statistics = assay.metric(spelling).evaluate(assay.Corpus(translations=translations, references=columns))
    assert statistics.corpus_score() == pytest.approx(theirs.corpus_score(translations, columns).score, rel=0, abs=1e-9)
    sentences = [
        theirs.sentence_score(translation, list(others)).score
        for translation, *others in zip(translations, *columns, strict=True)
    ]
    np.testing.assert_allclose(statistics.segment_scores(), sentences, rtol=0, atol=1e-9)


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize("lowercase", [True, False])
def test_texts_in_many_scripts(lowercase, references):
    translations, columns = corpus(("ter", lowercase, references), 150, references)
    spelling = f"ter(tokenize=none,lowercase={str(lowercase).lower()})"
    compare(translations, columns, spelling, case_sensitive=not lowercase)


@pytest.mark.parametrize("seed", range(4))
def test_ascii_spaces_alone(seed):
    # No-break spaces stand inside words here, where sacreBLEU would split them.
    translations, references = spaced_corpus(("ter", seed), 150, longest=20)
    plain = [[text.replace("\u00a0", "_") for text in column] for column in (translations, references)]
    compare(plain[0], [plain[1]], "ter")


def shuffled(random: Random, words: int, vocabulary: int) -> tuple[str, str]:
    """A text of few words, and the same with blocks moved and words changed."""
    original = [f"w{random.randrange(vocabulary)}" for _ in range(random.randint(1, words))]
    changed = list(original)
    for _ in range(random.randint(0, 5)):
        start = random.randrange(len(changed))
        end = min(len(changed), start + random.randint(1, 6))
        block = changed[start:end]
        del changed[start:end]
        place = random.randint(0, len(changed))
        changed[place:place] = block if random.random() < 0.8 else [f"w{random.randrange(vocabulary)}"]
        changed = changed or ["w0"]
    return " ".join(changed), " ".join(original)


def slides(translation: str, reference: str) -> bool:
    """Whether TERcom would ever try to move a block behind one of its own words."""
    limits = ter_oracle.Limits()
    words, goal = translation.split(), reference.split()
    for move in (*ter_oracle.ter(words, goal).moves, None):
        alignment = ter_oracle.align(words, goal, limits.beam)
        tried = ter_oracle.candidates(words, goal, alignment, limits)
        if any(start <= target <= end for start, end, target in tried):
            return True
        words = words if move is None else ter_oracle.moved(words, move)
    return False


@pytest.mark.parametrize(("words", "vocabulary"), [(8, 3), (12, 5), (18, 12), (25, 40)])
def test_blocks_that_moved(words, vocabulary):
    random = Random(f"{words} {vocabulary}")
    pairs = [shuffled(random, words, vocabulary) for _ in range(250)]
    translations, references = zip(*(pair for pair in pairs if not slides(*pair)), strict=True)
    assert len(translations) > 100
    compare(list(translations), [list(references)], "ter")


@pytest.mark.parametrize("case_sensitive", [True, False])
def test_signatures_say_the_same(case_sensitive):
    theirs = sacrebleu.metrics.TER(case_sensitive=case_sensitive)
    name = theirs.corpus_score(["a b"], [["a c"], ["b"]]).name
    ours = assay.Ter(tokenize="none", lowercase=not case_sensitive)
    assert ours.sacrebleu_signature(2) == f"{name}|{theirs.get_signature().format()}"
