"""TER of sacreBLEU 2.6.0: every corpus and segment score by its own convention, to the last digit.

TERcom's convention has the same ones but for two things: where sacreBLEU prepares references twice, and in WMT's texts
into German, whose no-break spaces split words in sacreBLEU and not in TERcom.
"""

from __future__ import annotations

import numpy as np
import pytest

import assay
from goldens.folder import corpus, entries, files, needs_large, table
from goldens.test_sacrebleu import corpus_of, identify

# Chinese is cut at spaces here, as sacreBLEU's TER does it.
pytestmark = pytest.mark.filterwarnings("ignore:ter.*the references look like Chinese")

#: Our options by the column in the golden files.
OPTIONS = {
    "ter": {},
    "ter.cs": {"lowercase": False},
    "ter.np": {"tokenize": "tercom:no-punctuation"},
    "ter.norm": {"tokenize": "tercom:normalize"},
    "ter.norm.asian": {"tokenize": "tercom:normalize+asian"},
    "ter.norm.cs": {"tokenize": "tercom:normalize", "lowercase": False},
    "ter.norm.np": {"tokenize": "tercom:normalize+no-punctuation"},
}
#: The same by sacreBLEU's convention.
BY_CONVENTION = {
    column: {"convention": "sacrebleu", **options}
    | ({"tokenize": options["tokenize"].replace("tercom", "tercom-sacrebleu")} if "tokenize" in options else {})
    for column, options in OPTIONS.items()
}
ALL_COLUMNS = [
    (name, column) for name in files("sacrebleu/*.seg.tsv") for column in table(name)[0] if column in OPTIONS
]
COLUMNS = [one for one in ALL_COLUMNS if not one[0].startswith("sacrebleu/en-de.")]
#: The corner cases have a reference that changes when it is prepared again.
TWICE = [(name, column) for name, column in COLUMNS if "/edge." in name and "refs2" in name and ".norm" in column]
ALL_ENTRIES = [entry for entry in entries("sacrebleu") if entry["metric"] in OPTIONS]
ENTRIES = [
    entry
    for entry in ALL_ENTRIES
    if entry["set"] != "en-de" and not (entry["set"] == "edge" and ".norm" in entry["metric"])
]


def golden(name: str, column: str) -> np.ndarray:
    header, *rows = table(name)
    return np.array([float(row[header.index(column)]) for row in rows])


def test_sacrebleus_rates_of_the_small_texts_ship():
    # Five columns of three translations of Luke and one into Chinese, with one and two references; four of the edge.
    small = [name for name, _ in COLUMNS if name.split("/")[1].split(".")[0] in ("edge", "el-de", "own-zh")]
    assert len(small) == 5 * 4 * 2 + 4 * 2


@needs_large
def test_sacrebleus_rates_of_the_large_texts_are_here():
    assert len([name for name, _ in COLUMNS if "/de-en." in name]) == 7


@pytest.mark.parametrize(("name", "column"), [one for one in COLUMNS if one not in TWICE])
def test_every_segment_has_sacrebleus_rate(name, column):
    scores = assay.Ter(**OPTIONS[column]).evaluate(corpus_of(name)).segment_scores()
    np.testing.assert_allclose(scores, golden(name, column), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("name", "column"), TWICE)
def test_a_reference_that_sacrebleu_prepares_twice_has_another_rate(name, column):
    # Segment 15: "$1,000.50" and "1990's" lose more the second time.
    scores = assay.Ter(**OPTIONS[column]).evaluate(corpus_of(name)).segment_scores()
    assert np.flatnonzero(abs(scores - golden(name, column)) > 1e-9).tolist() == [14]


@pytest.mark.parametrize("entry", ENTRIES, ids=identify)
def test_every_corpus_has_sacrebleus_rate(entry):
    statistics = assay.Ter(**OPTIONS[entry["metric"]]).evaluate(corpus(entry["set"], entry["hyp"], *entry["refs"]))
    assert statistics.corpus_score() == pytest.approx(entry["score"], rel=0, abs=1e-9)
    assert statistics.parts()["edits"] == entry["num_edits"]
    assert statistics.parts()["reference_length"] == pytest.approx(entry["ref_length"], rel=0, abs=1e-9)


@pytest.mark.parametrize(("name", "column"), ALL_COLUMNS)
def test_every_segment_has_sacrebleus_rate_by_its_convention(name, column):
    scores = assay.Ter(**BY_CONVENTION[column]).evaluate(corpus_of(name)).segment_scores()
    # The files have as many digits as were printed.
    np.testing.assert_allclose(scores, golden(name, column), rtol=0, atol=1e-12)


@pytest.mark.parametrize("entry", ALL_ENTRIES, ids=identify)
def test_every_corpus_has_sacrebleus_rate_by_its_convention(entry):
    metric = assay.Ter(**BY_CONVENTION[entry["metric"]])
    statistics = metric.evaluate(corpus(entry["set"], entry["hyp"], *entry["refs"]))
    # Some of the files multiplied by 100 before they divided.
    assert statistics.corpus_score() == pytest.approx(entry["score"], rel=1e-15)
    assert statistics.parts()["edits"] == entry["num_edits"]
    assert statistics.parts()["reference_length"] == entry["ref_length"]
    # The older files have no signature for TER.
    signature = metric.sacrebleu_signature(len(entry["refs"]))
    assert entry["signature_args"] is None or signature == f"TER|{entry['signature_args']}"
