"""``assay.score``: many systems, many metrics, one call."""

import json

import pytest

import assay
from assay.demo import CAMPAIGN


@pytest.fixture(scope="module")
def table():
    return assay.score(CAMPAIGN, ["bleu", assay.Chrf(word_order=2), "wer"], samples=50)


def test_scores_are_those_of_each_metric_alone(table):
    campaign = assay.read(CAMPAIGN)
    for system in campaign.systems:
        for metric in ("bleu", "chrf(word_order=2)", "wer"):
            alone = assay.metric(metric).evaluate(campaign.corpus(system))
            assert table.of(system, metric).score == alone.corpus_score()
            assert tuple(table.of(system, metric).interval) == tuple(alone.interval(samples=50))


def test_systems_are_ranked_by_the_first_metric(table):
    assert table.ranked_systems() == ["rosetta", "human", "compass", "lantern", "gravel"]
    errors = assay.score(CAMPAIGN, "wer", samples=0)
    assert errors.ranked_systems()[0] == "rosetta"
    assert errors.ranked_systems()[-1] == "gravel"


def test_levels_have_a_row_per_system_metric_and_part(table):
    assert len(table.level("segments")) == 5 * 3 * 60
    assert len(table.level("documents")) == 5 * 3 * 8
    assert len(table.level("domains")) == 5 * 3 * 3


def test_json_is_one_object_without_nan(table):
    data = json.loads(table.to_json("domains"), parse_constant=pytest.fail)
    assert list(data) == ["assay", "command", "scores", "domains"]


def test_a_result_shows_itself_in_a_notebook(table):
    assert "<td>rosetta</td>" in table._repr_html_()


def test_no_samples_no_interval():
    assert assay.score(CAMPAIGN, "bleu", samples=0).scores[0].interval is None


def test_unknown_cells_are_named(table):
    with pytest.raises(assay.UnknownName, match="There is no system 'rosseta'"):
        table.of("rosseta", "bleu")
    with pytest.raises(assay.UnknownName, match="There is no metric 'ter'"):
        table.of("rosetta", "ter")


def test_references_decide():
    one = assay.score(CAMPAIGN, "bleu", references="A", samples=0)
    three = assay.score(CAMPAIGN, "bleu", samples=0)
    assert one.of("human", "bleu").score < three.of("human", "bleu").score
