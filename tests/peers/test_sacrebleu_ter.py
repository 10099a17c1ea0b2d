"""TER against sacreBLEU, live, on random texts: by its convention to the last digit, whatever the texts.

TERcom's convention is held to it, too, but where the two differ: ``normalized`` (it prepares references twice), texts
so long or so far apart that its own beam or its limit of 1,000 shifts per segment is felt, and blocks whose target lies
inside themselves, which TERcom slides to the right.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
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


#: sacreBLEU's flags, each with the option of our tokenizer.
FLAGS = {"normalized": "normalize", "no_punct": "no-punctuation", "asian_support": "asian"}


def by_convention(**options: bool) -> assay.Ter:
    chosen = "+".join(ours for theirs, ours in FLAGS.items() if options.get(theirs))
    tokenize = {"tokenize": f"tercom-sacrebleu:{chosen}"} if chosen else {}
    return assay.Ter(convention="sacrebleu", lowercase=not options.get("case_sensitive"), **tokenize)


def require_equal(translations, columns, **options):
    """The same corpus score, sentence scores, edits, length and signature, to the last digit."""
    theirs, ours = sacrebleu.metrics.TER(**options), by_convention(**options)
    statistics = ours.evaluate(assay.Corpus(translations=translations, references=columns))
    whole = theirs.corpus_score(translations, columns)
    assert statistics.corpus_score() == whole.score
    assert (statistics.parts()["edits"], statistics.parts()["reference_length"]) == (whole.num_edits, whole.ref_length)
    assert ours.sacrebleu_signature(len(columns)) == f"{whole.name}|{theirs.get_signature().format()}"
    assert statistics.segment_scores().tolist() == [
        theirs.sentence_score(translation, list(others)).score
        for translation, *others in zip(translations, *columns, strict=True)
    ]
    return statistics


@pytest.mark.parametrize("references", [1, 2, 3])
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("case_sensitive",),
        ("normalized",),
        ("no_punct",),
        ("asian_support",),
        ("normalized", "asian_support"),
        ("no_punct", "asian_support", "case_sensitive"),
        ("normalized", "no_punct", "asian_support"),
    ],
    ids="+".join,
)
def test_texts_in_many_scripts_by_its_convention(options, references):
    translations, columns = corpus(("ter", options, references), 150, references)
    require_equal(translations, columns, **dict.fromkeys(options, True))


@pytest.mark.parametrize(
    ("segments", "words", "vocabulary"),
    [(200, 6, 2), (150, 12, 3), (60, 20, 4), (40, 25, 12), (6, 60, 60), (3, 120, 300)],
)
def test_blocks_that_moved_by_its_convention(segments, words, vocabulary):
    random = Random(f"convention {words} {vocabulary}")
    pairs = [shuffled(random, words, vocabulary) for _ in range(segments)]
    translations, first = map(list, zip(*pairs, strict=True))
    require_equal(translations, [first])
    # Against the reference of another segment nothing much fits, and lengths differ.
    require_equal(translations[:20], [[*first[1:20], ""][:segments]])


def test_empty_segments_by_its_convention():
    translations, first, second = (
        ["", "a b", "", " \u00a0", "a"],
        ["a b", "", "", "\t", "a"],
        ["", "", "", "b", "c d e"],
    )
    require_equal(translations, [first])
    require_equal(translations, [first, second])
    require_equal([""], [["a"]])
    require_equal([""], [[""]])


def test_long_repetitive_segments_reach_its_limit_of_shifts():
    random = Random("repetitive")
    texts = [[f"w{random.randrange(size)}" for _ in range(70)] for size in (3, 5)]
    translations = [" ".join(words) for words in texts]
    references = [" ".join([*words[25:], *words[:25]]) for words in texts]
    assert require_equal(translations, [references]).rows[:, 7].sum() == 2


def test_ways_far_from_the_diagonal_are_hidden_by_its_beam():
    # Thirty words too many in front put the matches thirty cells away from the diagonal at the beginning.
    words = [f"w{number}" for number in range(110)]
    pairs = [(words[30:70], words[:40]), (words[:40], words[30:70]), (words[:90], words[50:]), (words[:2], words)]
    translations, references = ([" ".join(side) for side in column] for column in zip(*pairs, strict=True))
    statistics = require_equal(translations, [references])
    tercom = assay.Ter().evaluate(assay.Corpus(translations=translations, references=[references]))
    assert (statistics.rows[:, :4].sum(axis=1) >= tercom.rows[:, :4].sum(axis=1)).all()


@pytest.mark.parametrize("names", [("A",), ("A", "B"), ("A", "B", "C")])
def test_every_system_of_the_demo_has_its_rate(names):
    campaign = assay.read(CAMPAIGN)
    for translations in campaign.systems.values():
        require_equal(list(translations), [list(campaign.references[name]) for name in names])


def test_a_corpus_of_many_shards_has_its_rate():
    # Mean lengths are thirds: a sum in another order would end in another digit.
    random = Random("shards")
    lines = [[" ".join("abcde"[: random.randint(0, 5)]) for _ in range(20_000)] for _ in range(4)]
    require_equal(lines[0], lines[1:])
