"""What a page holds is what was counted: packed, unpacked and the same."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.explorer.packing import Blob, blobs_of, drawn, manifest_of, result_body, result_entry, shown_of, smallest
from assay.questions.asked import Asked, Data, _open_data
from assay.questions.score import Score
from assay.scoring.statistics import units_of

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

TYPES = {"u8": "u1", "u16": "<u2", "u32": "<u4", "i32": "<i4", "f32": "<f4", "f64": "<f8"}


def shown(campaign=CAMPAIGN, metrics="bleu,chrf", **data):
    question = Score(metrics=metrics)
    given = str(campaign) if not isinstance(campaign, assay.Campaign) else campaign
    return shown_of(_open_data(given, Data(**data), question), question.metrics)[0]


def unpacked(blob):
    """Arrays out of a compressed blob, by what the manifest says of it."""
    content, entry = gzip.decompress(blob.packed), blob.entry
    assert entry["bytes"] == len(content)
    if "json" in entry:
        return json.loads(content)
    return {
        name: np.frombuffer(content, TYPES[array["type"]], array["length"], array["at"])
        for name, array in entry["arrays"].items()
    }


@pytest.fixture(scope="module")
def demo():
    return shown()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "|u1"),
        ([0, 256], "<u2"),
        ([-1, 3], "<i4"),
        ([0.0, 70000.0], "<i4"),
        ([0, 2**31], "<u4"),
        ([0.5], "<f8"),
        ([float("nan")], "<f8"),
        ([-0.0], "<f8"),
        ([2.0**40], "<f8"),
        ([], "|u1"),
    ],
)
def test_numbers_take_the_smallest_type_that_holds_them(values, kind):
    made = smallest(np.array(values, dtype=np.float64))
    assert made.dtype.str == kind
    assert np.array_equal(made.astype(np.float64), np.array(values, dtype=np.float64), equal_nan=True)


def test_arrays_begin_at_multiples_of_eight_and_come_back():
    arrays = {"a": np.array([1, 2, 3]), "b": np.array([0.5, np.nan]), "c": np.array([True, False])}
    blob = Blob.of_arrays(arrays)
    assert {name: array["at"] % 8 for name, array in blob.arrays.items()} == {"a": 0, "b": 0, "c": 0}
    for name, values in unpacked(blob).items():
        np.testing.assert_array_equal(values, arrays[name])


def test_rows_of_every_metric_and_system_come_back(demo):
    rows = unpacked(blobs_of(demo)["c0.rows"])
    for number, metric in enumerate(demo.metrics):
        for place, system in enumerate(demo.systems):
            counted = demo.counted[system, str(metric)].rows
            together = np.stack([rows[f"{number}.{place}.{column}"] for column in range(counted.shape[1])], axis=1)
            np.testing.assert_array_equal(together, counted)


def test_a_metric_without_formulas_brings_scores_of_segments():
    one = shown(metrics="'bleu(average=documents)'".strip("'"))
    ((corpus, segment),) = one.twins
    rows = unpacked(blobs_of(one)["c0.rows"])
    assert corpus is None
    if segment is None:
        np.testing.assert_array_equal(
            rows["0.1.score"], one.counted[one.systems[1], str(one.metrics[0])].segment_scores()
        )
    (metric,) = manifest_of([one], transport="file", title="x")["campaigns"][0]["metrics"]
    assert metric["interval"] is False
    assert metric["remark"].startswith("Mean of its segments.")


def test_keys_of_documents_are_those_of_the_draws(demo):
    base = unpacked(blobs_of(demo)["c0.base"])
    units = units_of(demo.campaign.documents, len(demo), "document")
    keys = base["unit.low"].astype(np.uint64) | (base["unit.high"].astype(np.uint64) << np.uint64(32))
    np.testing.assert_array_equal(keys, units.keys[units.codes])
    assert base["document.named"].all()


def test_segments_of_a_part_are_known_by_their_places_in_the_whole():
    one = shown(where=("domain=news",))
    base = unpacked(blobs_of(one)["c0.base"])
    domains = assay.read(CAMPAIGN).domains
    np.testing.assert_array_equal(base["place"], [place for place, name in enumerate(domains) if name == "news"])


def test_labels_lengths_texts_and_judgements_come_back(demo):
    blobs = blobs_of(demo)
    base = unpacked(blobs["c0.base"])
    (entry,) = manifest_of([demo], transport="file", title="x")["campaigns"]
    for label in entry["labels"]:
        named = {"document": demo.campaign.documents, "domain": demo.campaign.domains}[label["name"]]
        assert [label["values"][code] for code in base[label["array"]]] == list(named)
    assert base["length"].tolist() == [len(text.split()) for text in demo.campaign.source]
    assert unpacked(blobs["c0.text.sys.rosetta"]) == list(demo.campaign.systems["rosetta"])
    rows = zip(base["judgement.system"], base["judgement.segment"], base["judgement.score"], strict=True)
    judged = [(demo.systems[system], int(segment), score) for system, segment, score in rows]
    assert judged == [(one.system, one.segment, one.score) for one in demo.campaign.judgements]


def test_texts_that_are_left_out_are_nothing_and_rows_stay(demo):
    kept = np.zeros(len(demo), dtype=np.bool_)
    kept[[3, 7]] = True
    blobs, whole = blobs_of(demo, kept), blobs_of(demo)
    texts = unpacked(blobs["c0.text.source"])
    assert [place for place, text in enumerate(texts) if text is not None] == [3, 7]
    assert blobs["c0.rows"].content == whole["c0.rows"].content
    assert unpacked(blobs["c0.base"])["kept"].tolist() == kept.tolist()


def test_a_segment_without_a_reference_has_none():
    campaign = assay.read(CAMPAIGN)
    present = np.ones(len(campaign), dtype=np.bool_)
    present[4] = False
    texts = unpacked(blobs_of(shown(replace(campaign, present={"B": present})))["c0.text.ref.B"])
    assert [place for place, text in enumerate(texts) if text is None] == [4]


def test_a_label_with_very_many_values_is_a_text(monkeypatch):
    monkeypatch.setattr("assay.explorer.packing._MOST_VALUES", 5)
    one = shown()
    (entry,) = manifest_of([one], transport="file", title="x")["campaigns"]
    assert [label["name"] for label in entry["labels"]] == ["domain"]
    assert (entry["columns"], entry["many"]) == (["document"], ["document"])
    assert unpacked(blobs_of(one)["c0.text.column.document"]) == list(one.campaign.documents)


def test_the_same_campaign_is_packed_the_same(demo):
    one, other = blobs_of(demo), blobs_of(shown())
    assert {name: blob.packed for name, blob in one.items()} == {name: blob.packed for name, blob in other.items()}


def test_metrics_that_cannot_be_counted_are_named_with_the_reason(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"sys.{name}.txt").write_text("one\ntwo\n")
    one = shown(tmp_path)
    assert one.metrics == ()
    assert set(one.refused) == {"bleu", "chrf"}
    assert "compares translations with references" in one.refused["bleu"]


def test_what_stands_behind_assay_score_asks_of_the_same_data(monkeypatch):
    found = []
    monkeypatch.setattr("assay.explorer.report.shown_of", lambda *given: found.extend(shown_of(*given)) or found)
    assay.report(str(CAMPAIGN), where="domain=news", references="A,B", samples=2)
    assert found[0].words == (str(CAMPAIGN), "--refs", "A,B", "--where", "domain=news")
    assert found[0].path == str(CAMPAIGN)


def test_results_keep_their_numbers_and_pictures():
    result = assay.compare(CAMPAIGN, "chrf", samples=10, permutations=10)
    body = result_body(drawn(result))
    assert body["result"]["pairs"] == result.table("pairs")
    assert [figure["name"] for figure in body["figures"]] == ["pairs"]
    assert body["figures"][0]["svg"].startswith("<svg")
    entry = result_entry(result, 0, "x", "assay compare demo")
    assert (entry["section"], entry["question"], entry["campaign"]) == ("systems", "compare", 0)


def test_what_is_not_there_takes_no_place():
    campaign = assay.Campaign("references", {}, {"A": ["x", "y"]})
    (one,) = shown_of(Asked((campaign,), Data()), [])
    assert "c0.rows" not in blobs_of(one)


def test_runs_of_one_system_are_named():
    campaign = assay.Campaign("runs", {"a@1": ["x"], "a@2": ["y"], "b": ["z"], "c@1": ["z"]}, {"R": ["x"]})
    (one,) = shown_of(Asked((campaign,), Data()), [])
    assert manifest_of([one], transport="file", title="")["campaigns"][0]["runs"] == {"a": ["a@1", "a@2"]}
