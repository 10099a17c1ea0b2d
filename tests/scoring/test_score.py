"""``assay.score``: many systems, many metrics, one call."""

import json

import pytest

import assay
from assay.demo import CAMPAIGN


@pytest.fixture(scope="module")
def result():
    metrics = ["bleu", assay.Chrf(word_order=2), "wer"]
    with pytest.warns(assay.AssayWarning, match="different tokens"):
        return assay.score(CAMPAIGN, metrics, samples=50, segments=True, documents=True, domains=True)


def test_scores_are_those_of_each_metric_alone(result):
    campaign = assay.read(CAMPAIGN)
    for system in campaign.systems:
        for metric in ("bleu", "chrf(word_order=2)", "wer"):
            alone = assay.metric(metric).evaluate(campaign.corpus(system))
            assert result.of(system, metric).score == alone.corpus_score()
            assert tuple(result.of(system, metric).interval) == tuple(alone.interval(samples=50))


def test_parts_are_those_of_each_metric_alone(result):
    parts = assay.metric("bleu").evaluate(assay.read(CAMPAIGN).corpus("rosetta")).parts()
    rows = [row for row in result.table("parts") if (row["system"], row["metric"]) == ("rosetta", "bleu")]
    assert {row["part"]: row["value"] for row in rows} == parts


def first_column(result):
    """The systems of the first printed table."""
    rows = result.render("text").split("─\n")[1].split("\n\n")[0].splitlines()
    return [row.split()[0] for row in rows]


def test_systems_are_ranked_by_the_first_metric(result):
    assert first_column(result) == ["rosetta", "human", "compass", "lantern", "gravel"]
    errors = first_column(assay.score(CAMPAIGN, "wer", samples=0))
    assert (errors[0], errors[-1]) == ("rosetta", "gravel")


def test_levels_have_a_row_per_system_metric_and_part(result):
    assert len(result.table("segments")) == 5 * 3 * 60
    assert len(result.table("documents")) == 5 * 3 * 8
    assert len(result.table("domains")) == 5 * 3 * 3


def test_json_is_one_object_without_nan(result):
    data = json.loads(result.to_json(), parse_constant=pytest.fail)
    tables = [name for name, value in data.items() if isinstance(value, list) and value and "metric" in value[0]]
    assert tables == ["scores", "segments", "documents", "domains", "parts"]
    assert data["command"] == "score"
    assert data["options"]["seed"] == 1
    assert data["campaign"] == "campaign"
    assert data["digests"]["ref.A"] == assay.read(CAMPAIGN).references["A"].digest


def test_a_result_shows_itself_in_a_notebook(result):
    assert ">rosetta</td>" in result._repr_html_()


def test_no_samples_no_interval():
    result = assay.score(CAMPAIGN, "bleu", samples=0)
    assert result.of("rosetta").interval is None
    assert "interval" not in str(result)


def test_unknown_cells_are_named(result):
    with pytest.raises(assay.UnknownName, match=r"There is no 'rosseta' in the table scores. Did you mean 'rosetta'"):
        result.of("rosseta", "bleu")
    with pytest.raises(assay.UnknownName, match=r"There is no 'ter' in the table scores. Did you mean 'wer'"):
        result.of("rosetta", "ter")


def test_references_decide():
    one = assay.score(CAMPAIGN, "bleu", references="A", samples=0)
    three = assay.score(CAMPAIGN, "bleu", samples=0)
    assert one.of("human", "bleu").score < three.of("human", "bleu").score


def test_two_metrics_of_one_label_are_told_apart():
    result = assay.score(CAMPAIGN, "bleu,bleu(order=2)", samples=0)
    assert "system    bleu ↑   bleu(order=2) ↑" in str(result)


class Partial(assay.Recall):
    """A metric that cannot score empty translations."""

    name = "partial"

    def count(self, batch):
        rows = super().count(batch)
        rows[rows[:, 1] == 0] = float("nan")
        return rows


def test_a_segment_without_a_score_is_a_dash_and_null():
    campaign = assay.Campaign("c", systems={"s": ["a", ""]}, references={"r": ["a", "b"]})
    with pytest.warns(UserWarning, match="There is no corpus score where single segments have none"):
        result = assay.score(campaign, [Partial()], segments=True)
    assert [row["score"] for row in result.table("segments")] == [100.0, None]
    assert result.of("s").score is None
    assert "0         100.00\n1              –" in str(result)
    assert [(remark.level, "no corpus score" in remark) for remark in result.notes] == [("note", True)]


def test_segments_of_one_name_are_all_there():
    campaign = assay.Campaign(
        "c", systems={"s": ["a", "b", "c"]}, references={"r": ["a", "b", "x"]}, segments=("1", "2", "1")
    )
    shown = str(assay.score(campaign, "f1", samples=0, segments=True))
    assert "1         100.00\n2         100.00\n1           0.00" in shown


def test_a_level_without_names_is_refused_before_the_work():
    campaign = assay.Campaign("c", systems={"s": ["a"]}, references={"r": ["a"]})
    with pytest.raises(assay.InputError, match=r"c names no documents\. A campaign folder has them in docs\.txt"):
        assay.score(campaign, "f1", documents=True)


def test_an_unknown_option_is_named():
    with pytest.raises(assay.UnknownName, match=r"There is no option of score 'sample'. Did you mean 'samples'"):
        assay.score(CAMPAIGN, "f1", sample=3)
