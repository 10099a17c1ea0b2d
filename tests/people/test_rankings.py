"""From rankings to pairs, wins and scores, against loops and against what WMT12 published."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements, with_rankings
from assay.data.texts import Texts
from assay.errors import InputError, MissingExtra, UnknownName
from assay.people.rankings import METHODS, Wins, pairs, ranking_scores
from assay.people.usage import people_of
from oracles import rankings as oracle

SYSTEMS = ("A", "B", "C", "D")


def rank(ranking: str, segment: int, ranks: dict[str, int], rater: str = "r1") -> list[Judgement]:
    return [Judgement(system, segment, -float(one), "rr-rank", rater, ranking=ranking) for system, one in ranks.items()]


EXAMPLE = Judgements.of(
    [*rank("1", 0, {"A": 1, "B": 2, "C": 2}), *rank("2", 3, {"C": 1, "A": 2}, "r2"), *rank("3", 3, {"B": 1})], "example"
)

random_rankings = st.lists(
    st.tuples(st.integers(0, 4), st.dictionaries(st.sampled_from(SYSTEMS), st.integers(1, 3), min_size=1)), max_size=12
).map(
    lambda found: Judgements.of(
        [one for number, (segment, ranks) in enumerate(found) for one in rank(str(number), segment, ranks)], "random"
    )
)


def named(judgements: Judgements) -> list[tuple[int, str, str, int]]:
    found = pairs(judgements)
    return [
        (int(segment), found.systems[first], found.systems[second], int(outcome))
        for segment, first, second, outcome in zip(found.segment, found.first, found.second, found.outcome, strict=True)
    ]


def test_a_ranking_of_three_makes_three_pairs_and_one_of_one_makes_none() -> None:
    assert named(EXAMPLE) == [(0, "A", "B", 1), (0, "A", "C", 1), (0, "B", "C", 0), (3, "C", "A", 1)]
    assert pairs(EXAMPLE).unused == {"alone in their ranking": 1}


@given(random_rankings)
def test_pairs_are_those_of_the_loops(judgements: Judgements) -> None:
    assert sorted(named(judgements)) == sorted(oracle.outcomes(list(judgements)))


def test_pairs_are_shown_without_their_columns() -> None:
    assert repr(pairs(EXAMPLE, SYSTEMS)).startswith("Pairs(systems=('A', 'B', 'C', 'D'), unused={")


def test_judgements_that_make_no_pair_are_counted() -> None:
    strange = [
        Judgement("A", 0, -1.0, "rr-rank"),
        Judgement("A", 0, float("nan"), "rr-rank", ranking="9"),
        Judgement("B", None, -1.0, "rr-rank", ranking="9"),
    ]
    found = pairs(Judgements.of([*EXAMPLE, *strange], "example"))
    assert found.unused == {
        "without a ranking": 1,
        "not of a segment": 1,
        "without a score": 1,
        "alone in their ranking": 1,
    }
    assert len(found) == 4


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (Judgement("B", 1, -1.0, "rr-rank", "r1", ranking="1", line=7), "line 7: ranking '1' is of several segments"),
        (Judgement("B", 0, -1.0, "rr-rank", "r2", ranking="1", line=7), "line 7: ranking '1' is of several raters"),
        (Judgement("A", 0, -2.0, "rr-rank", "r1", ranking="1", line=7), "line 7: ranking '1' has system 'A' twice"),
    ],
)
def test_a_ranking_is_of_one_segment_by_one_rater_with_each_system_once(second: Judgement, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pairs(Judgements.of([*rank("1", 0, {"A": 1}), second], "human.tsv"))


def test_rankings_without_ids_begin_where_segment_rater_or_kind_change_or_a_system_comes_again() -> None:
    rows = [("A", 0, "r1"), ("B", 0, "r1"), ("A", 0, "r1"), ("B", 1, "r1"), ("A", 1, "r2"), ("B", 1, "r2")]
    given_rows = [Judgement(system, segment, -1.0, "rr-rank", rater) for system, segment, rater in rows]
    named_one = Judgement("C", 1, -1.0, "rr-rank", "r2", ranking="3")
    found = with_rankings(Judgements.of([*given_rows, named_one, Judgement("A", 1, -2.0, "other", "r2")], "x"))
    # "3" was taken, so the fourth ranking is called 4, and what follows a named one begins anew.
    assert list(found.ranking) == ["1", "1", "2", "4", "5", "5", "3", "6"]


def test_wins_count_both_ways() -> None:
    # A beats B and C on segment 0, where B and C tie; C beats A on segment 3.
    found = Wins.of(pairs(EXAMPLE), 4).under(np.ones((1, 4)))
    assert found.systems == ("A", "B", "C")
    assert found.wins.tolist() == [[[0, 1, 1], [0, 0, 0], [1, 0, 0]]]
    assert found.ties.tolist() == [[[0, 0, 0], [0, 0, 1], [0, 1, 0]]]


def test_shares_worked_out_by_hand() -> None:
    found = pairs(EXAMPLE)
    # A: 2 wins, 1 loss. B: 1 loss, 1 tie. C: 1 win, 1 loss, 1 tie.
    assert ranking_scores(found, "wins") == pytest.approx({"A": 2 / 3, "B": 0.0, "C": 1 / 2})
    assert ranking_scores(found, "wins-or-ties") == pytest.approx({"A": 2 / 3, "B": 1 / 2, "C": 2 / 3})
    # A against B 1/1, against C 1/2; B against A 0, never decided against C; C against A 1/2.
    assert ranking_scores(found, "expected-wins") == pytest.approx({"A": 3 / 4, "B": 0.0, "C": 1 / 2})


@given(random_rankings, st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_weights_over_segments_are_repeats_of_them(judgements: Judgements, weights: list[int]) -> None:
    systems = sorted(set(judgements.system.names))
    repeated = [
        Judgement(one.system, one.segment, one.score, one.kind, one.rater, ranking=f"{one.ranking}/{copy}")
        for one in judgements
        for copy in range(weights[one.segment or 0])
    ]
    weighed = np.array([weights], dtype=np.float64)
    outcomes = Wins.of(pairs(judgements, systems), 5).under(weighed)
    expected = pairs(Judgements.of(repeated, "repeated")) if repeated else None
    present = [] if expected is None else [systems.index(name) for name in expected.systems]
    for name in ("wins", "wins-or-ties", "expected-wins"):
        values = METHODS[name](outcomes)[0]
        if expected is not None:
            np.testing.assert_allclose(values[present], list(ranking_scores(expected, name).values()), atol=1e-12)


def test_shares_are_vectorised_over_leading_axes() -> None:
    won, tied = np.random.default_rng(1).integers(0, 5, size=(2, 7, 3, 4, 4)).astype(np.float64)
    for name in ("wins", "wins-or-ties", "expected-wins"):
        share = METHODS[name]
        one_by_one = [
            [share(Wins(SYSTEMS, *two)) for two in zip(*row, strict=True)] for row in zip(won, tied, strict=True)
        ]
        np.testing.assert_array_equal(share(Wins(SYSTEMS, won, tied)), np.array(one_by_one))


def test_systems_are_chosen_and_numbered_as_asked_for() -> None:
    chosen = Wins.of(pairs(EXAMPLE.of_systems(["C", "A"]), ["C", "A", "Z"]), 4)
    # Of two rankings of both A won the first, on segment 0, and C the other; nobody met Z.
    assert chosen.wins[0].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert chosen.wins[3].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert (chosen.wins.sum(), chosen.ties.sum()) == (2, 0)
    with pytest.raises(UnknownName, match="judged system 'Z'"):
        EXAMPLE.of_systems(["Z"])
    with pytest.raises(UnknownName, match="Did you mean 'wins'"):
        ranking_scores(pairs(EXAMPLE), "win")


def noisy(seed: int, order: int = 1) -> Judgements:
    """Rankings by four systems, A the best, with noise; shuffled by ``order``."""
    generator = np.random.default_rng(seed)
    rankings = []
    for number in range(300):
        worth = generator.normal(size=4) + np.array([0.9, 0.6, 0.3, 0.0])
        ranks = (-np.round(worth)).argsort(kind="stable").argsort() // 2 + 1
        rankings.append(rank(str(number), number % 50, dict(zip(SYSTEMS, ranks.tolist(), strict=True))))
    np.random.default_rng(order).shuffle(rankings)
    return Judgements.of([one for ones in rankings for one in ones], "noisy")


@pytest.mark.parametrize("method", METHODS)
def test_no_method_depends_on_the_order_of_the_rankings(method: str) -> None:
    one, other = (ranking_scores(pairs(noisy(1, order)), method) for order in (1, 2))
    assert one == pytest.approx(other, abs=1e-6)
    assert sorted(one, key=lambda name: -one[name]) == list(SYSTEMS)


def test_bradley_terry_of_two_systems_is_the_log_of_their_odds() -> None:
    # A wins 3 of 4: strengths log 3 apart, and 0 on average.
    ranks = [{"A": 1, "B": 2}] * 3 + [{"A": 2, "B": 1}]
    found = pairs(Judgements.of([one for number, each in enumerate(ranks) for one in rank(str(number), 0, each)], "x"))
    scores = ranking_scores(found, "bradley-terry")
    assert scores == pytest.approx({"A": np.log(3) / 2, "B": -np.log(3) / 2}, abs=1e-6)


@pytest.mark.parametrize("method", ["bradley-terry", "gaussian"])
def test_models_say_which_extra_they_need(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    with pytest.raises(MissingExtra, match=r"-m pip install choix"):
        ranking_scores(pairs(EXAMPLE), method)


def test_a_system_that_always_wins_has_no_finite_strength() -> None:
    found = pairs(Judgements.of(rank("1", 0, {"A": 1, "B": 2}), "x"))
    with pytest.raises(InputError, match=r"no finite strengths\. Use expected-wins or gaussian"):
        ranking_scores(found, "bradley-terry")
    assert ranking_scores(found, "gaussian")["A"] > 0
    with pytest.raises(InputError, match="nothing to score"):
        ranking_scores(pairs(Judgements.of(rank("1", 0, {"A": 1, "B": 1}), "x")), "gaussian")


@pytest.mark.parametrize(
    ("judgements", "reason"),
    [
        (rank("1", 0, {"X": 1, "Y": 2}), "2 of systems that are not scored (X, Y)"),
        ([*rank("1", 0, {"A": 1}), *rank("2", 1, {"B": 1})], "2 alone in their ranking"),
    ],
)
def test_rankings_of_which_none_can_be_used_are_refused_with_the_reason(judgements, reason):
    texts = {name: Texts.of(["a", "b"]) for name in "AB"}
    campaign = Campaign("small", texts, {"r": Texts.of(["a", "b"])}, human=Judgements.of(judgements, "example"))
    said = f"none of the judgements can be used. 0 of 2 judgements were used. Not used: {reason}. The systems are A, B."
    with pytest.raises(InputError, match=re.escape(said)):
        people_of(campaign)
