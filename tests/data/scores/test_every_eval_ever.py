"""Every Eval Ever's files about systems, read as scores of systems, and written."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.data.files import write_files
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning, InputError, ParameterError
from assay.results.every_eval_ever import STYLE
from assay.results.rendering import Look

NAME = "0a1b2c3d-0000-4000-8000-00000000000"


def result(name: str, score: Any, result_id: str | None = None, **more: Any) -> dict[str, Any]:
    config = {"lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1}
    return {
        **({} if result_id is None else {"evaluation_result_id": result_id}),
        "evaluation_name": name,
        "source_data": {"dataset_name": name, "source_type": "other"},
        "metric_config": {**config, **more},
        "score_details": {"score": score},
    }


def about(system: str, *results: Any, **more: Any) -> dict[str, Any]:
    source = {"source_type": "documentation", "source_organization_name": "x", "evaluator_relationship": "other"}
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"e/{system}/1",
        "retrieved_timestamp": "1",
        "source_metadata": source,
        "model_info": {"name": system, "id": system, "additional_details": {}},
        "eval_library": {"name": "x", "version": "1"},
        "evaluation_results": [*results],
        **more,
    }


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path


def of_systems(campaign: assay.Campaign, metric: str) -> dict[str, float]:
    return dict(campaign.scores[metric].systems or {})


def test_a_file_about_a_system_has_its_scores(tmp_path: Path) -> None:
    path = put(
        tmp_path / "any.json",
        about(
            "org/a",
            result("gsm8k", 0.5, "gsm8k::acc"),
            result("mmlu", 0.25, metric_id="acc"),
            result("wmt", 31.5, metric_id="ter", lower_is_better=True),
            result("wmt", 40, metric_name="BLEU"),
        ),
    )
    campaign = assay.read(path)
    # What has an id is called by it, other results by their names, and two of one name by the metric, too.
    expected = {"gsm8k::acc": 0.5, "mmlu": 0.25, "wmt/ter": 31.5, "wmt/BLEU": 40.0}
    assert {name: of_systems(campaign, name) for name in campaign.scores} == {
        name: {"org/a": score} for name, score in expected.items()
    }
    directions = {name: one.higher_is_better for name, one in campaign.scores.items()}
    assert directions == {"gsm8k::acc": True, "mmlu": True, "wmt/ter": False, "wmt/BLEU": True}
    assert all(one.direction_known for one in campaign.scores.values())
    assert (len(campaign), campaign.has_texts) == (0, False)


def test_keys_may_come_in_any_order_and_older_versions_are_read(tmp_path: Path) -> None:
    value = about("a", result("m", 1), schema_version="0.2.0")
    path = put(tmp_path / "x.json", dict(reversed(value.items())))
    assert of_systems(assay.read(path), "m") == {"a": 1.0}


def test_a_level_that_nobody_knows_is_missing(tmp_path: Path) -> None:
    known = {"score_type": "levels", "level_names": ["low", "high"], "has_unknown_level": True}
    path = put(tmp_path / "x.json", about("a", result("m", -1, **known), result("n", -1), result("o", 2, **known)))
    with pytest.warns(AssayWarning) as caught:
        campaign = assay.read(path)
    assert math.isnan(of_systems(campaign, "m")["a"])
    assert (of_systems(campaign, "n")["a"], of_systems(campaign, "o")["a"]) == (-1.0, 2.0)
    said = [str(one.message) for one in caught]
    assert any("1 score of 'm' is missing (a 1)" in text for text in said)
    assert "Of Every Eval Ever's files scores are read, and not names of levels (level_names)." in said


def test_what_is_not_read_is_said_once(tmp_path: Path) -> None:
    for number, system in enumerate("ab"):
        entry = result("m", 1)
        entry["score_details"]["uncertainty"] = {"num_samples": 5}
        put(tmp_path / f"{NAME}{number}.json", about(system, entry | {"generation_config": {}}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AssayWarning)
        assay.read(tmp_path)
    listed = "intervals and standard errors (uncertainty), how outputs were made (generation_config)"
    assert {str(one.message) for one in caught} == {f"Of Every Eval Ever's files scores are read, and not {listed}."}


@pytest.mark.parametrize("below", ["", "model", "dev/model", "bench/dev/model", "data/bench/dev/model"])
def test_files_lie_in_folders_of_models(tmp_path: Path, below: str) -> None:
    put(tmp_path / below / f"{NAME}1.json", about("org/a", result("m", 0.5)))
    put(tmp_path / below / f"{NAME}2.json", about("org/b", result("m", 0.75)))
    put(tmp_path / below / ".hidden.json", about("org/c", result("m", 1)))
    assert of_systems(assay.read(tmp_path), "m") == {"org/a": 0.5, "org/b": 0.75}


def test_segments_of_the_samples_and_systems_of_the_file_about_them_are_one_metric(tmp_path: Path) -> None:
    put(tmp_path / f"{NAME}1.json", about("a", result("bench", 60, "ter", lower_is_better=True), result("q", 3)))
    rows = [("s1", "ter", 50), ("s2", "ter", 80), ("s1", None, 3)]
    lines = [
        {
            "schema_version": "0.3.0",
            "evaluation_id": "e/a/1",
            "model_id": "a",
            "evaluation_name": "bench" if metric else "q",
            **({"evaluation_result_id": metric} if metric else {}),
            "sample_id": sample,
            "evaluation": {"score": score, "is_correct": False},
        }
        for sample, metric, score in rows
    ]
    (tmp_path / f"{NAME}1_samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        campaign = assay.read(tmp_path)
    ter, named = campaign.scores["ter"], campaign.scores["q"]
    assert ter.levels == named.levels == ("segments", "systems")
    assert (of_systems(campaign, "ter"), ter.higher_is_better) == ({"a": 60.0}, False)
    assert ter.segments is not None
    assert ter.segments["a"].tolist()[:2] == [50.0, 80.0]
    assert of_systems(campaign, "q") == {"a": 3.0}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (about("a", result("m", 1), schema_version="0.4.0"), "its schema_version is '0.4.0', and Assay knows"),
        (about("a", result("m", 1), schema_version="1.0"), "convert the file to that version"),
        (about("a", result("m", 1), schema_version=3), "schema_version is 3, but a version such as 0.3.0 is needed"),
        (about("a", result("m", 1), model_info={"name": "a"}), "no id in model_info. Every Eval Ever has an object"),
        (about("a", result("m", 1), model_info="a"), "no model_info."),
        (about("a", evaluation_results={}), "no list of evaluation_results."),
        (about("a"), "there are no scores in it"),
        (about("a", result("m", 1), 5), "evaluation_results[1]: no evaluation_name."),
        (about("a", result("", 1)), "evaluation_results[0]: no evaluation_name."),
        (about("a", {"evaluation_name": "m"}), "evaluation_results[0]: no metric_config."),
        (about("a", result("m", 1, lower_is_better="no")), "evaluation_results[0]: lower_is_better is neither"),
        (about("a", result("m", 1) | {"score_details": {}}), "evaluation_results[0]: no score in score_details."),
        (about("a", result("m", "good")), "evaluation_results[0]: the score is 'good', but a number is needed"),
        (about("a", result("m", 1), result("m", 2)), "a second score of 'm' for system 'a'"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_files_about_systems(tmp_path: Path, value: dict[str, Any], message: str) -> None:
    path = put(tmp_path / "x.json", value)
    with pytest.raises(InputError) as caught:
        assay.read(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_answers_come_back_to_the_last_digit(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        answer = assay.score(CAMPAIGN, "bleu,ter,nist", segments=True, samples=5)
        found = STYLE.files(answer, Look())
        write_files({name: [text.encode()] for name, text in found.items()}, tmp_path / "out")
        beside = {one.name: one for one in assay.read_scores(tmp_path / "out", assay.read(CAMPAIGN))}
        alone = assay.read(tmp_path / "out").scores
    for scores in (beside, alone):
        assert {name: one.higher_is_better for name, one in scores.items()} == {
            "bleu": True,
            "ter": False,
            "nist": True,
        }
        for row in answer.tables["scores"]:
            assert (scores[row["metric"]].systems or {})[row["system"]] == row["score"]
        for row in answer.tables["segments"]:
            assert (scores[row["metric"]].segments or {})[row["system"]][row["segment"]] == row["score"]


@contextmanager
def said(text: str) -> Iterator[None]:
    """One of the warnings has this text; the others are about other things."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AssayWarning)
        yield
    assert any(text in str(one.message) for one in caught)


def table(folder: Path, *lines: str) -> assay.Campaign:
    path = folder / "scores.tsv"
    path.write_text("system\tmetric\titem\tscore\n" + "".join(line.replace(" ", "\t") + "\n" for line in lines))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return assay.read(path)


def test_scores_of_a_system_are_written_and_read_back(tmp_path: Path) -> None:
    campaign = table(tmp_path, "org/a m - 0.1", "org/a n - -3", "org/a m q 0.5")
    with said("x.json has no place for scores of segments."):
        (path,) = assay.write(campaign, tmp_path / "x.json", output_format="every-eval-ever")
    value = json.loads(path.read_text())
    # Who found them is not known, only that they are written down somewhere.
    assert value["source_metadata"]["source_type"] == "documentation"
    config = value["evaluation_results"][0]["metric_config"]
    assert (config["min_score"], config["max_score"], value["eval_library"]["name"]) == (
        "-Infinity",
        "Infinity",
        "unknown",
    )
    again = assay.read(path)
    assert (of_systems(again, "m"), of_systems(again, "n")) == ({"org/a": 0.1}, {"org/a": -3.0})


def test_scores_of_several_systems_are_written_into_a_folder(tmp_path: Path) -> None:
    campaign = table(tmp_path, "a m - 0.1", "b m - 0.2", "a m q 0.5", "b m q 1", "a n q 3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        with pytest.raises(ParameterError, match=r"x.json takes one system, and there are 2. Write all of them into a"):
            assay.write(campaign, tmp_path / "x.json", output_format="every-eval-ever")
    with said("has no place for scores of n, which are of no whole systems."):
        written = assay.write(campaign, f"{tmp_path}/out/", output_format="every-eval-ever")
    assert len(written) == 4
    again = assay.read(tmp_path / "out").scores
    assert [*again] == ["m"]
    assert again["m"].systems == {"a": 0.1, "b": 0.2}
    assert {name: scores.tolist() for name, scores in (again["m"].segments or {}).items()} == {"a": [0.5], "b": [1.0]}


def test_levels_that_a_name_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no scores of systems, which these files are about. Scores of segments are"):
        assay.write(table(tmp_path, "a m q 1"), tmp_path / "x.json", output_format="every-eval-ever")
    with pytest.raises(InputError, match=r"which these records are of. Scores of systems are written as .json"):
        assay.write(table(tmp_path, "a m - 1"), tmp_path / "x.jsonl", output_format="every-eval-ever")
