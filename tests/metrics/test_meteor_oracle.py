"""METEOR against its slow and obvious twin: the habits of its aligner, and brute force for the other two."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.metrics.pictures import Link
from assay.text.batch import batch_of
from assay.text.recipe import Recipe
from oracles import meteor as oracle

SENSES = {"cat": {1}, "cats": {1}, "dog": {1, 2}, "pet": {2}, "go": {3}, "move": {3}, "moves": {3}}
PARAPHRASES = [
    (("the", "dog"), ("pet",)),
    (("go",), ("moves", "the")),
    (("cat", "moves"), ("pet", "moves", "the")),
    (("dog",), ("cat", "the")),
]
WEIGHTS = (1.0, 0.6, 0.8, 0.6)

few_words = st.lists(st.sampled_from(["cat", "cats", "dog", "pet", "go", "move", "moves", "the"]), max_size=6)
more_words = st.lists(st.sampled_from(["cat", "cats", "dog", "pet", "go", "move", "moves", "the", "of"]), max_size=16)
thorough = settings(max_examples=300)


def lexicon() -> oracle.Lexicon:
    stem = Recipe(stem="english")
    return oracle.Lexicon(
        stem=lambda word: stem.tokens(word)[0],
        senses=lambda word: frozenset(SENSES.get(word, ())),
        paraphrases=PARAPHRASES,
    )


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> dict[str, str]:
    """The same words and phrases in files."""
    folder = tmp_path_factory.mktemp("tables")
    synsets = "".join(f"{word}\n{' '.join(map(str, sorted(sets)))}\n" for word, sets in SENSES.items())
    (folder / "small.synsets").write_text(synsets, encoding="utf-8")
    entries = "".join(f"0.5\n{' '.join(left)}\n{' '.join(right)}\n" for left, right in PARAPHRASES)
    (folder / "phrases.txt").write_text(entries, encoding="utf-8")
    return {"synonyms": str(folder / "small.synsets"), "paraphrases": str(folder / "phrases.txt")}


def metric(tables: dict[str, str], modules: str, **options: object) -> assay.Meteor:
    given = {option: path for option, path in tables.items() if option.removesuffix("s") in modules}
    return assay.Meteor(modules=modules, tokenize="none:ascii", lowercase=False, **given, **options)


def links(chosen: tuple[Link, ...], modules: list[str]) -> list[oracle.Link]:
    spans = [(one.reference, one.translation, modules.index(one.kind)) for one in chosen]
    return [
        oracle.Link(theirs[0], theirs[1] - theirs[0], ours[0], ours[1] - ours[0], module)
        for theirs, ours, module in spans
    ]


def chosen_links(metric: assay.Meteor, translation: list[str], reference: list[str]) -> list[oracle.Link]:
    batch = batch_of([" ".join(translation)], [[" ".join(reference)]], metric.recipe)
    [(_, chosen)] = metric.alignments(batch)
    return links(chosen, list(metric.settings.modules))


@pytest.mark.parametrize("modules", ["exact", "exact+stem", "exact+stem+synonym", "exact+stem+synonym+paraphrase"])
@thorough
@given(translation=more_words, reference=more_words, beam=st.sampled_from([1, 2, 5, 40]))
def test_the_beam_makes_the_original_choices(tables, modules, translation, reference, beam):
    ours = metric(tables, modules, beam=beam)
    expected = oracle.align(translation, reference, modules.split("+"), lexicon(), beam)
    assert chosen_links(ours, translation, reference) == list(expected.links)
    function = frozenset(Recipe().tokens("the of"))
    numbers = oracle.Parameters(weights=WEIGHTS, function_words=function)
    scores = oracle.score(translation, reference, expected.links, numbers, lambda _: 1)
    corpus = assay.Corpus(translations=[" ".join(translation)], references=[[" ".join(reference)]])
    assert ours.evaluate(corpus).corpus_score() == pytest.approx(100 * scores["score"])


@pytest.mark.parametrize("modules", ["exact", "exact+stem+synonym", "exact+stem+synonym+paraphrase"])
@thorough
@given(translation=few_words, reference=few_words, weights=st.permutations(WEIGHTS))
def test_optimal_is_the_best_of_all_alignments(tables, modules, translation, reference, weights):
    names = modules.split("+")
    weights = weights[: len(names)]
    ours = metric(tables, modules, aligner="optimal", weights=weights)
    found = chosen_links(ours, translation, reference)
    assert not any(oracle.overlap(left, right) for left, right in itertools.combinations(found, 2))
    # Two equal texts are linked word by word only if nothing is worth more than an exact match.
    possible = oracle.candidates([*translation, "#"], [*reference, "$"], names, lexicon())
    if translation == reference and weights[0] == max(weights):
        possible = oracle.candidates(translation, reference, names, lexicon())
    best, chunks = oracle.best(possible, weights)
    assert oracle.weight(found, weights) == pytest.approx(best)
    assert oracle.chunks(found) == chunks


@thorough
@given(translation=few_words, reference=few_words)
def test_each_stage_has_the_most_links_then_the_fewest_crossings(tables, translation, reference):
    modules = "exact+stem+synonym"
    found = chosen_links(metric(tables, modules, aligner="staged"), translation, reference)
    possible = oracle.candidates(translation, reference, modules.split("+"), lexicon())
    for stage in range(3):
        earlier = [link for link in found if link.module < stage]
        now = [link for link in found if link.module == stage]
        mine = [[link for link in at if link.module == stage] for at in possible]
        assert (len(now), oracle.crossings([*earlier, *now])) == oracle.stage(mine, earlier)


@thorough
@given(translation=more_words, reference=more_words)
def test_optimal_is_never_worse_than_meteors_aligner(tables, translation, reference):
    def worth(aligner: str) -> tuple[float, int]:
        found = chosen_links(metric(tables, "exact+stem+synonym", aligner=aligner), translation, reference)
        return oracle.weight(found, WEIGHTS), -oracle.chunks(found)

    best, usual = worth("optimal"), worth("meteor15")
    assert best[0] > usual[0] + 1e-9 or (best[0] == pytest.approx(usual[0]) and best[1] >= usual[1])
