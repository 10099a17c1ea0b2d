"""Files of scores with one system each are one campaign, and are compared with each other."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError


def log(path, right):
    """What lm-evaluation-harness writes with --log_samples: a line per question, in a folder per model."""
    path.mkdir()
    lines = [
        {"doc_id": number, "doc": {}, "target": "x", "resps": [["y"]], "acc": float(value)}
        for number, value in enumerate(right)
    ]
    file = path / "samples_task_2026-01-01T00-00-00.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def test_a_log_for_each_model_is_one_campaign(tmp_path):
    logs = [log(tmp_path / "one", [1, 1, 1, 1, 0, 0]), log(tmp_path / "two", [1, 0, 0, 0, 0, 0])]
    found = assay.compare(logs)
    (pair,) = found.table("pairs")
    # 4 of 6 are right, and 1 of 6.
    assert (pair["metric"], pair["a"], pair["b"], pair["delta"]) == ("acc", "one", "two", pytest.approx(0.5))
    assert (pair["wins"], pair["losses"], pair["ties"]) == (3, 0, 3)
    # One of them alone has nothing to be compared with.
    with pytest.raises(InputError, match="needs two systems"):
        assay.compare(logs[0])


def test_tables_of_several_systems_are_campaigns_of_their_own(tmp_path):
    files = []
    for name in ("first", "second"):
        files.append(tmp_path / f"{name}.tsv")
        files[-1].write_text("system\titem\tscore\n" + "".join(f"{one}\tq{n}\t{n}\n" for one in "ab" for n in range(6)))
    found = assay.compare(files)
    assert [row["campaign"] for row in found.table("pairs")] == ["first.tsv", "second.tsv"]
