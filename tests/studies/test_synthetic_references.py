"""References combined out of the given ones: the lattice, the best path through it, and what it is held beside."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.questions.studies.synthetic_references import Lattice

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

words = st.lists(st.sampled_from("abcd"), max_size=6).map(tuple)

#: Two references that share "cat" and "on": three places with two ways each.
REFERENCES = {"A": ["the cat sat on mats"], "B": ["a cat slept on rugs"]}


def common(first, second) -> int:
    """The length of the longest common subsequence, by the book."""
    if not first or not second:
        return 0
    if first[-1] == second[-1]:
        return common(first[:-1], second[:-1]) + 1
    return max(common(first[:-1], second), common(first, second[:-1]))


def texts_of(lattice: Lattice) -> set[str]:
    return set(map(lattice.text_of, lattice.paths()))


def test_paths_switch_where_references_share_a_word():
    lattice = Lattice([tuple(texts[0].split()) for texts in REFERENCES.values()])
    expected = {
        f"{first} cat {second} on {third}"
        for first, second, third in product(("the", "a"), ("sat", "slept"), ("mats", "rugs"))
    }
    assert texts_of(lattice) == expected
    assert lattice.count() == 8


@settings(max_examples=200)
@given(references=st.lists(words, min_size=1, max_size=4))
def test_every_reference_is_a_path_and_the_order_does_not_matter(references):
    lattice = Lattice(references)
    found = list(lattice.paths())
    assert {" ".join(one) for one in references} <= texts_of(lattice)
    assert len(found) == len(set(found)) == lattice.count()
    assert texts_of(Lattice(references[::-1])) == texts_of(lattice)


@settings(max_examples=200)
@given(first=words, second=words)
def test_two_references_share_a_longest_common_subsequence(first, second):
    lattice = Lattice([first, second])
    nodes = {node for path in lattice.paths() for node in path}
    if first == second:
        assert len(nodes) == len(first)
    else:
        assert len(nodes) == len(first) + len(second) - common(first, second)


@settings(max_examples=200)
@given(references=st.lists(words, min_size=2, max_size=4))
def test_neighbours_are_paths_and_all_paths_can_be_reached_by_them(references):
    lattice = Lattice(references)
    every = set(lattice.paths())
    reached, waiting = set(lattice.references), list(lattice.references)
    while waiting:
        near = lattice.neighbours(waiting.pop())
        assert all(text == lattice.text_of(path) for text, path in near)
        fresh = {path for _, path in near} - reached
        assert fresh <= every
        reached |= fresh
        waiting += fresh
    assert set(map(lattice.text_of, reached)) == texts_of(lattice)


def campaign(systems, references=None, **options) -> assay.Campaign:
    return assay.Campaign("small", systems, references or REFERENCES, **options)


def test_the_best_path_by_hand():
    # Of "the cat slept on rugs" A has the, cat and on, B has cat, slept, on and rugs: 2 and 1 errors of 5. A path has
    # all of it.
    result = assay.study(
        "synthetic-references", campaign({"s": ["the cat slept on rugs"]}), metrics="wer,fmean", texts=True
    )
    first, second = result.table()
    assert (first["best_reference"], first["all_references"], first["best_path"]) == pytest.approx((20, 20, 0))
    assert (second["best_reference"], second["best_path"]) == pytest.approx((80, 100))
    assert (first["better"], first["paths"], first["exact"]) == (100, 8, 100)
    (text, _) = result.table("texts")
    assert (text["synthetic"], text["reference"]) == ("the cat slept on rugs", "a cat slept on rugs")
    assert [(row["who"], row["text"]) for row in result.table("examples")][:3] == [
        ("translation", "the cat slept on rugs"),
        ("best reference", "a cat slept on rugs"),
        ("best path", "the cat slept on rugs"),
    ]


def test_paths_are_counted_and_what_a_path_brings_is_said():
    references = {"A": [*REFERENCES["A"], "a b", "a b"], "B": [*REFERENCES["B"], "a b", "a c"]}
    # s: no error of 5, 2 and 2 words against the best path, where the best reference has 1 of 5. Of t every word is
    # wrong whatever one does, 9 of 9. u is a reference, 0 of 9.
    systems = {
        "s": ["the cat slept on rugs", "a b", "a b"],
        "t": ["x x x x x", "x x", "x x"],
        "u": [line[0] for line in [REFERENCES["A"], ["a b"], ["a c"]]],
    }
    result = assay.study("synthetic-references", campaign(systems, references), metrics="wer", exhaustive=2)
    for row in result.table():
        # 8, 1 and 2 paths; two of three have up to two.
        assert (row["paths"], row["most_paths"], row["exact"]) == (2, 8, pytest.approx(200 / 3))
    rows = {row["system"]: row for row in result.table()}
    assert [rows["s"][name] for name in ("best_reference", "best_path")] == pytest.approx([100 / 9, 0.0])
    assert [rows["t"][name] for name in ("best_reference", "best_path")] == pytest.approx([100.0, 100.0])
    # s and u are equal then, and stand in the order of their names.
    assert result.findings[0] == (
        "wer: the best path is +0.00 to -11.11 from the best reference; against it instead of all references 2 of 3 "
        "systems change their places."
    )
    assert "All paths were tried in 67 % of the segments, those with up to 2;" in result.findings[1]


def test_how_sure_paths_are_goes_by_the_metric_that_tried_fewest():
    # Cut at spaces nothing is shared, and there are 2 paths; cut as BLEU cuts the full stop is, and there are 4.
    texts = {"A": ["a. c"], "B": ["b. d"]}
    result = assay.study(
        "synthetic-references", campaign({"s": ["a. d"]}, texts), metrics="wer,bleu", exhaustive=2, own_recipes=True
    )
    assert [(row["paths"], row["exact"]) for row in result.table()] == [(2, 100), (4, 0)]
    assert any("All paths were tried in 0 % of the segments" in said for said in result.findings)


@settings(max_examples=40, deadline=None)
@given(
    translation=words,
    references=st.lists(words.filter(bool), min_size=2, max_size=3, unique=True),
    metric=st.sampled_from(
        ["fmean", "wer", "bleu(effective_order=true)", "gtm(exponent=2)", "chrf", "f1(weights=idf)"]
    ),
)
def test_the_best_path_beside_all_paths_one_by_one(translation, references, metric):
    texts = {str(place): [" ".join(one)] for place, one in enumerate(references)}
    result = assay.study(
        "synthetic-references", campaign({"s": [" ".join(translation)]}, texts), metrics=metric,
        exhaustive=10**6, own_recipes=True,
    )  # fmt: skip
    (row,) = result.table()
    counted = assay.metric(metric).evaluate(campaign({"s": [" ".join(translation)]}, texts).corpus("s"))
    single = counted.metric.for_segments()
    scores = []
    for text in texts_of(Lattice(references)):
        alone = assay.Corpus(translations=[" ".join(translation)], references=[[text]])
        # Weights that come from the references are those of all of them.
        scores.append(float(single.score(counted.metric.evaluate(alone).rows)[0]))
    best = max(scores) if single.higher_is_better else min(scores)
    assert row["mean_best_path"] == pytest.approx(best)
    assert row["exact"] == 100


def test_a_beam_finds_no_less_than_a_reference_and_no_more_than_all_paths():
    demo = assay.read(CAMPAIGN)
    # Segments with some hundred paths.
    texts = {name: list(column)[:6] for name, column in demo.references.items()}
    systems = {name: list(demo.systems[name])[:6] for name in ("compass", "gravel")}
    whole, narrow = (
        assay.study(
            "synthetic-references", campaign(systems, texts), metrics="fmean,wer", exhaustive=most, beam=1
        ).table()
        for most in (50_000, 1)
    )
    for row, beam in zip(whole, narrow, strict=True):
        sign = -1 if row["metric"] == "wer" else 1
        assert sign * row["mean_best_path"] >= sign * beam["mean_best_path"] - 1e-9
        assert sign * beam["mean_best_path"] >= sign * beam["mean_best_reference"] - 1e-9
        assert (row["exact"], beam["exact"]) == (100, 0)


@pytest.mark.parametrize("metric", ["fmean", "wer"])
@pytest.mark.parametrize("beam", [1, 3])
def test_a_beam_beside_the_obvious_twin(metric, beam):
    demo = assay.read(CAMPAIGN)
    places = [8, 17, 38]
    texts = {name: [column[place] for place in places] for name, column in demo.references.items()}
    systems = {name: [demo.systems[name][place] for place in places] for name in ("compass", "gravel")}
    result = assay.study(
        "synthetic-references", campaign(systems, texts), metrics=metric, exhaustive=1, beam=beam, own_recipes=True,
        texts=True,
    )  # fmt: skip
    sign = -1 if metric == "wer" else 1
    for row in result.table("texts"):
        place = int(row["segment"])
        translation = systems[row["system"]][place]

        def merit(text, translation=translation):
            corpus = assay.Corpus(translations=[translation], references=[[text]])
            return -sign * round(float(assay.metric(metric).evaluate(corpus, threads=1).segment_scores()[0]), 9), text

        lattice = Lattice([tuple(column[place].split()) for column in texts.values()])
        known = {lattice.text_of(path): path for path in lattice.references}
        merits = sorted(map(merit, known))
        assert row["reference"] == merits[0][1]
        assert row["reference_score"] == pytest.approx(-sign * merits[0][0])
        changed: set[str] = set()
        while waiting := [text for _, text in merits[:beam] if text not in changed]:
            for text in waiting:
                changed.add(text)
                for near, path in lattice.neighbours(known[text]):
                    known.setdefault(near, path)
            merits = sorted(map(merit, known))
        assert row["synthetic"] == merits[0][1]
        assert row["score"] == pytest.approx(-sign * merits[0][0])


@pytest.mark.parametrize(
    "metric",
    ["bleu", "fmean(stem=porter,lowercase=true)", "meteor", "ter", "chrf", "nist", "blanc(modules=exact+stem)", "cer"],
)
def test_a_reference_that_is_alone_on_its_path_scores_as_it_does_by_itself(metric):
    # Two references that are the same are one path: the score is that of the metric as it is, recipe included.
    source = assay.read(CAMPAIGN).choose(references=["A"])
    twice = assay.Campaign("twice", source.systems, {"A": source.references["A"], "B": source.references["A"]})
    result = assay.study("synthetic-references", twice, metrics=metric, own_recipes=True)
    for row in result.table():
        assert row["best_path"] == row["best_reference"] == pytest.approx(row["all_references"])
        assert (row["paths"], row["better"]) == (1, 0)


def judged(systems: int = 4) -> assay.Campaign:
    texts = [
        ["the cat slept on rugs", "the dog ate"],
        ["the cat ran on rugs", "a dog ate"],
        ["one cow slept by rugs", "the dog"],
        ["nothing at all", "no dog"],
    ]
    names = [f"s{place}" for place in range(systems)]
    rows = [
        Judgement(name, segment, 4.0 - place + 0.1 * segment, "da", "r")
        for place, name in enumerate(names)
        for segment in range(2)
    ]
    references = {"A": [*REFERENCES["A"], "the dog slept"], "B": [*REFERENCES["B"], "a dog ate"]}
    systems_ = dict(zip(names, texts, strict=False))
    return campaign(systems_, references, human=Judgements.of(rows, "inline"))


def test_correlations_are_pearsons_of_systems_against_each():
    result = assay.study("synthetic-references", judged(), metrics="fmean,wer", samples=0)
    people = [4.05, 3.05, 2.05, 1.05]
    columns = {"all references": "all_references", "best reference": "best_reference", "best path": "best_path"}
    rows = result.table("correlations")
    assert [row["against"] for row in rows] == list(columns) * 2
    for row in rows:
        scores = [one[columns[row["against"]]] for one in result.table() if one["metric"] == row["metric"]]
        sign = -1 if row["metric"] == "wer" else 1
        assert row["pearson"] == pytest.approx(pearsonr(people, sign * np.array(scores)).statistic)
        base = next(one for one in rows if one["metric"] == row["metric"])
        gain = None if row is base else pytest.approx(row["pearson"] - base["pearson"])
        assert row["gain"] == gain


def test_without_judgements_the_table_stands_and_the_reason_is_said():
    result = assay.study("synthetic-references", campaign({"s": ["the cat"]}), metrics="fmean")
    assert result.table("correlations") == []
    assert "No correlations: nobody judged these systems." in result.findings
    assert "best path" in result.render("text")


def test_with_few_judged_systems_the_reason_is_said():
    result = assay.study("synthetic-references", judged(2), metrics="fmean", samples=0)
    assert any(line.startswith("No correlations: ") and "at least 3" in line for line in result.findings)


def test_too_few_judged_systems_are_refused_before_long_work():
    told = []
    with pytest.raises(assay.InputError, match="at least 3"):
        assay.study("synthetic-references", judged(2), metrics="fmean", kind="da", progress=told.append)
    assert max(told, default=0.0) == 0.0


def test_one_reference_is_refused():
    with pytest.raises(assay.InputError, match="has 1 in use"):
        assay.study("synthetic-references", campaign({"s": ["the cat"]}, {"A": ["the cat"]}), metrics="fmean")


def test_no_system_is_refused():
    with pytest.raises(assay.InputError, match="no system"):
        assay.study("synthetic-references", campaign({}), metrics="fmean")


def test_a_segment_without_line_ends_is_refused():
    endless = " ".join(["word"] * 15_000)
    references = {"A": [endless], "B": [endless + " more"]}
    with pytest.raises(assay.InputError, match="too many to align"):
        assay.study("synthetic-references", campaign({"s": ["word"]}, references), metrics="fmean")


def test_numbers_of_paths_that_no_number_holds_are_counted():
    # 1,100 shared words with two ways between each: 2^1100 paths and more.
    first, second = (" ".join(f"w{place} {side}{place}" for place in range(1_100)) for side in "xy")
    result = assay.study(
        "synthetic-references", campaign({"s": [first]}, {"A": [first], "B": [second]}), metrics="f1", beam=1
    )
    assert result.table()[0]["most_paths"] == 1e300
