"""Judgements that are not of segments, that do not go together, or that are too few: said, counted, never guessed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay import meta_evaluate
from assay.data.external import ExternalScores
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError, ParameterError
from assay.people.usage import people_of
from assay.results.result import Row

SYSTEMS = ("one", "two", "three", "four")
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "more", "red", "bird"]
#: Six segments in three documents of two.
DOCUMENTS = ("d0", "d0", "d1", "d1", "d2", "d2")


def campaign(*judgements: Judgement, documents: tuple[str, ...] | None = DOCUMENTS) -> assay.Campaign:
    """Each system loses one word more than the one before, at another place in each segment."""
    reference = [" ".join(WORDS[segment:] + WORDS[:segment]) for segment in range(len(DOCUMENTS))]
    systems = {
        name: [" ".join("x" if place <= row + segment % 2 else w for place, w in enumerate(text.split()))
               for segment, text in enumerate(reference)]
        for row, name in enumerate(SYSTEMS)
    }  # fmt: skip
    made = assay.Campaign("made", systems, {"A": reference}, documents=documents)
    return made.with_judgements(Judgements.of(judgements, "human.tsv"))


def of_documents() -> list[Judgement]:
    return [
        Judgement(name, None, 90.0 - 10 * row + 3 * (number % 2), "da", rater, document=f"d{number}")
        for row, name in enumerate(SYSTEMS)
        for number in range(3)
        for rater in ("r1", "r2")
    ]


def test_judgements_of_whole_documents_are_held_against_metrics_of_whole_documents() -> None:
    with pytest.warns(AssayWarning, match="no segment was judged on its own"):
        found = meta_evaluate(campaign(*of_documents()), "chrf", samples=20)
    points = {point["system"]: Row(point) for point in found.table("points")}
    # Documents are equally long: (90 + 93 + 90) / 3 for the first system.
    assert points["one"].human == pytest.approx(91.0)
    assert points["one"].segments == 6
    assert found.of("chrf", "pearson", "document", "none").n == 12
    whole = assay.score(campaign(), metrics="chrf")
    scores = [next(row["score"] for row in whole.table() if row["system"] == name) for name in SYSTEMS]
    assert [points[name].score for name in SYSTEMS] == pytest.approx(scores)
    human = [points[name].human for name in SYSTEMS]
    assert found.of("chrf", "pearson").value == pytest.approx(pearsonr(scores, human).statistic, abs=1e-9)


def test_judgements_of_whole_systems_are_held_against_metrics_of_all_segments() -> None:
    rows = [Judgement(name, None, 9.0 - row, "da", "r") for row, name in enumerate(SYSTEMS)]
    with pytest.warns(AssayWarning) as caught:
        found = meta_evaluate(campaign(*rows), "chrf", samples=20)
    assert {row["level"] for row in found.table()} == {"system"}
    assert [str(one.message).split(":")[0] for one in caught] == [
        "Nothing at the document level",
        "Nothing at the segment level",
    ]
    assert found.of("chrf", "kendall").value == pytest.approx(1.0)


def test_judgements_of_documents_that_are_not_there_are_counted() -> None:
    rows = [Judgement(name, 0, 9.0 - row, "da", "r") for row, name in enumerate(SYSTEMS)]
    strange = [Judgement(name, None, 5.0, "da", "r", document="elsewhere") for name in SYSTEMS]
    _, usage = people_of(campaign(*rows, *strange))
    assert (usage.used, usage.unused) == (4, {"of documents that the campaign does not have": 4})


def test_ranks_and_scores_do_not_go_together() -> None:
    scored = [Judgement(name, 0, 9.0, "da", "r") for name in SYSTEMS]
    ranked = [Judgement(name, 0, -1.0, "rr-rank", "r") for name in SYSTEMS]
    named = [Judgement(name, 0, -1.0, "places", "r", ranking="1") for name in SYSTEMS]
    for rows in (ranked, named):
        with pytest.raises(InputError, match="this is no ranking, but others are"):
            people_of(campaign(*scored, *rows), kind="*")


def test_rankings_that_follow_each_other_stay_apart_when_systems_are_left_out() -> None:
    # Two rankings of one segment by one rater; of the systems asked for, each holds one.
    rows = [Judgement(name, 0, score, "rr", "r") for name, score in (("one", -1.0), ("two", -2.0))]
    rows += [Judgement(name, 0, score, "rr", "r") for name, score in (("one", -3.0), ("three", -1.0))]
    whole = campaign(*rows)
    with pytest.raises(InputError, match="2 alone in their ranking"):
        people_of(whole.choose(systems="two,three"))


def test_rankings_are_not_normalised_whether_they_have_ids_or_not() -> None:
    rows = [Judgement(name, 0, -row, "rr-rank", "r") for row, name in enumerate(SYSTEMS)]
    with pytest.raises(ParameterError, match="no scale to normalise"):
        people_of(campaign(*rows), method="z")


def test_rankings_without_a_pair_are_refused_with_the_reason() -> None:
    rows = [Judgement(name, None, -1.0, "rr-rank", "r", document="d0") for name in SYSTEMS]
    with pytest.raises(InputError, match="Not used: 4 not of a segment"):
        people_of(campaign(*rows))


def test_one_segment_has_values_without_intervals() -> None:
    rows = [Judgement(name, 0, 9.0 - row, "da", "r") for row, name in enumerate(SYSTEMS)]
    found = meta_evaluate(campaign(*rows), "chrf", levels="segment", samples=20)
    for statistic in ("kendall", "acc23"):
        one = found.of("chrf", statistic, "segment", "item")
        assert (one.value, one.interval) == (pytest.approx(1.0), None)


def test_a_campaign_of_one_segment_has_no_held_out_threshold() -> None:
    text = ["the cat sat on the mat"]
    systems = {"one": text, "two": ["the cat sat on x mat"], "three": ["the cat x x x x"]}
    rows = [Judgement(name, 0, 9.0 - row, "da", "r") for row, name in enumerate(systems)]
    whole = assay.Campaign("made", systems, {"A": text}).with_judgements(Judgements.of(rows, "human.tsv"))
    found = meta_evaluate(whole, "chrf", levels="segment", samples=20)
    assert found.of("chrf", "acc23", "segment").value == pytest.approx(1.0)
    assert found.of("chrf", "acc23-heldout", "segment").value is None


@pytest.mark.parametrize("grouping", ["none", "system", "all"])
def test_a_grouping_without_a_test_is_measured_all_the_same(grouping: str) -> None:
    generator = np.random.default_rng(1)
    rows = [
        Judgement(name, segment, generator.normal() - row, "da", "r")
        for row, name in enumerate(SYSTEMS)
        for segment in range(6)
    ]
    found = meta_evaluate(
        campaign(*rows), ["bleu", "chrf"], levels="segment", statistics="acc23", groupings=grouping, samples=10,
        unit="segment",
    )  # fmt: skip
    assert {pair["grouping"] for pair in found.table("comparisons")} == ({"item"} if grouping == "all" else set())


@pytest.mark.filterwarnings("ignore:No two systems were judged on the same segment")
def test_metrics_without_a_value_are_in_no_cluster() -> None:
    # Each system was judged on a segment of its own, so no segment compares any.
    rows = [Judgement(name, row, 9.0 - row, "da", "r") for row, name in enumerate(SYSTEMS)]
    found = meta_evaluate(campaign(*rows), ["bleu", "chrf"], levels="segment", samples=10)
    assert ("kendall", "item") not in {(row["statistic"], row["grouping"]) for row in found.table("clusters")}


@pytest.mark.parametrize("picture", ["correlations", "systems", "differences", "top"])
def test_a_metric_that_scored_no_system_leaves_pictures_of_the_others(picture: str) -> None:
    rows = [
        Judgement(name, segment, 9.0 - row + segment % 2, "da", "r")
        for row, name in enumerate(SYSTEMS)
        for segment in range(6)
    ]
    nothing = ExternalScores("nothing", segments={name: np.full(6, np.nan) for name in SYSTEMS})
    with pytest.warns(AssayWarning, match="nothing"):
        found = meta_evaluate(campaign(*rows), "chrf", scores=[nothing], samples=10)
    assert "chrf" in str(found.chart(picture).to_dict())
