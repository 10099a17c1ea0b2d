"""Five translations of Luke 1, each against every set of the others, by sacreBLEU 2.6.0 (Culy & Riehemann, 2003)."""

from __future__ import annotations

import json

import pytest

import assay
from goldens.folder import lines, path

ROWS = json.loads(path("truth/luke.json").read_text(encoding="utf-8"))["rows"]
FILES = {
    "bengel1753": "hyp.bengel1753.de",
    "elberfelder1871": "hyp.elberfelder1871.de",
    "elberfelder1905": "ref.B.de",
    "luther1545": "hyp.luther1545.de",
    "luther1912": "ref.A.de",
}


@pytest.fixture(scope="module")
def table() -> dict[tuple[str, int], dict]:
    texts = {name: lines(f"inputs/el-de/{file}") for name, file in FILES.items()}
    campaign = assay.Campaign(name="luke", systems={}, references=texts)
    found = assay.study("references", campaign, metrics="bleu", k=[1, 2, 4])
    return {(row["system"], row["k"]): row for row in found.table()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['candidate']}-{row['k']}")
def test_every_translation_against_every_set_of_others(table, row):
    found = table[row["candidate"], row["k"]]
    assert found["n"] == row["n"]
    # The deviation of a single set is no number.
    assert (found["sd"] is None) == (row["n"] == 1)
    for name in ("mean", "sd", "low", "high") if row["n"] > 1 else ("mean", "low", "high"):
        assert found[name] == pytest.approx(row[name], rel=0, abs=1e-9), name
    for name in ("low_references", "high_references"):
        assert found[name] == row[name]


def test_every_candidate_and_size_is_there(table):
    assert len(ROWS) == len(table) == 5 * 3
