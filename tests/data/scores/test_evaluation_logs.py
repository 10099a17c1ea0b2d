"""Logs of evaluation harnesses: Inspect's, lm-evaluation-harness's, and Every Eval Ever's records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.errors import AssayWarning, InputError
from data.scores.zipped import DEFLATED, STORED, ZSTD, archive, archive_of

EVAL = {"task": "arc", "model": "openai/gpt", "created": "2026-01-01"}
HEADER = {"version": 2, "status": "success", "eval": EVAL}


def sample(name: int | str, epoch: int = 1, **values: Any) -> dict[str, Any]:
    scores = {scorer: {"value": value, "answer": "x"} for scorer, value in values.items()}
    return {"id": name, "epoch": epoch, "input": "?", "target": "!", "scores": scores or None}


def members(*samples: dict[str, Any], header: object = HEADER) -> dict[str, bytes]:
    return {
        "_journal/start.json": json.dumps({"version": 2, "eval": EVAL}).encode(),
        "summaries.json": json.dumps(samples).encode(),
        "header.json": json.dumps(header).encode(),
    }


def log(folder: Path, content: bytes, name: str = "log.eval") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def listed(campaign: Campaign, metric: str) -> dict[str, list[float | None]]:
    segments = campaign.scores[metric].segments
    assert segments is not None
    return {
        name: [None if np.isnan(score) else score for score in scores.tolist()] for name, scores in segments.items()
    }


@pytest.mark.parametrize("method", [ZSTD, DEFLATED, STORED])
def test_an_archive_of_inspect(tmp_path: Path, method: int) -> None:
    content = archive(members(sample(1, match="C"), sample(10, match="I"), sample(2, match="P")), method)
    campaign = assay.read(log(tmp_path, content))
    assert (campaign.segments, campaign.domains, campaign.documents) == (("1", "2", "10"), ("arc",) * 3, None)
    assert listed(campaign, "match") == {"openai/gpt": [1.0, 0.5, 0.0]}
    assert not campaign.scores["match"].direction_known


def test_values_of_inspect_are_numbers_as_its_metrics_take_them(tmp_path: Path) -> None:
    values = ["C", "P", "I", "N", "yes", "No", "TRUE", True, False, "0.25", 3, -1.5, float("nan")]
    content = archive(members(*(sample(number, s=value) for number, value in enumerate(values)), sample(13)))
    with pytest.warns(AssayWarning, match=r"2 scores of 's' are missing \(openai/gpt 2\)"):
        campaign = assay.read(log(tmp_path, content))
    # scorer/_metric.py value_to_float; NaN is Score.unscored, and the last sample failed.
    expected = [1, 0.5, 0, 0, 1, 0, 1, 1, 0, 0.25, 3, -1.5, None, None]
    assert listed(campaign, "s") == {"openai/gpt": expected}


def test_epochs_are_runs_and_scores_of_several_values_are_metrics(tmp_path: Path) -> None:
    samples = [sample("q", 1, s={"a": 1, "b": None}), sample("q", 2, s={"a": 0, "b": 4}), sample("q", 2, s=[1, 2])]
    with pytest.warns(AssayWarning, match="is missing"):
        campaign = assay.read(log(tmp_path, archive(members(*samples[:2]))))
    assert listed(campaign, "s/a") == {"openai/gpt@1": [1.0], "openai/gpt@2": [0.0]}
    assert listed(campaign, "s/b") == {"openai/gpt@1": [None], "openai/gpt@2": [4.0]}
    # A sample that was run again: the last record counts.
    campaign = assay.read(log(tmp_path, archive(members(samples[1], samples[2]))))
    assert [*campaign.scores] == ["s/0", "s/1"]
    assert listed(campaign, "s/1") == {"openai/gpt@2": [2.0]}


def test_a_log_in_progress_and_one_without_summaries(tmp_path: Path) -> None:
    start = {"_journal/start.json": json.dumps({"version": 2, "eval": EVAL}).encode()}
    journal = {f"_journal/summaries/{number}.json": json.dumps([sample("a", m=number)]).encode() for number in (10, 9)}
    assert listed(assay.read(log(tmp_path, archive(start | journal))), "m") == {"openai/gpt": [10.0]}
    whole = {f"samples/{name}_epoch_1.json": json.dumps(sample(name, m=1)).encode() for name in "ab"}
    assert listed(assay.read(log(tmp_path, archive(start | whole))), "m") == {"openai/gpt": [1.0, 1.0]}
    # Programs that change an archive append to it: the last member of a name counts.
    twice = [*members(sample("a", m=1)).items(), ("summaries.json", json.dumps([sample("a", m=2)]).encode())]
    assert listed(assay.read(log(tmp_path, archive_of(twice))), "m") == {"openai/gpt": [2.0]}


def test_the_same_log_as_json(tmp_path: Path) -> None:
    content = json.dumps({**HEADER, "samples": [sample(1, match="C"), sample(2, match="N")]}, indent=2).encode()
    assert listed(assay.read(log(tmp_path, content, "log.json")), "match") == {"openai/gpt": [1.0, 0.0]}


def test_logs_of_several_tasks_and_models_are_one_campaign(tmp_path: Path) -> None:
    for model in ("x", "y"):
        for task in ("arc", "gsm"):
            header = {**HEADER, "eval": {"task": task, "model": model}}
            log(tmp_path, archive(members(sample(1, m=1), header=header)), f"{model}-{task}.eval")
    campaign = assay.read(tmp_path)
    assert (campaign.segments, tuple(campaign.systems), campaign.domains) == (
        ("arc:1", "gsm:1"),
        ("x", "y"),
        ("arc", "gsm"),
    )
    log(tmp_path, archive(members(sample(1, m=1), header={**HEADER, "eval": {"task": "arc", "model": "x"}})), "z.eval")
    with pytest.raises(InputError, match=r"z.eval: a second score of 'm' for segment 'arc:1' of 'x'; .*x-arc"):
        assay.read(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            archive(members(sample(1, m="great"))),
            "sample 1: m is 'great', but a number is needed, or one of C, P, I",
        ),
        (archive(members(sample(1, m="c"))), "sample 1: m is 'c', but a number is needed"),
        (archive(members(sample(1))), "there are no scores in it"),
        (archive(members({"epoch": 1})), "sample 1: a sample without an id and the number of its epoch"),
        (archive(members(sample(1, m=1), header={"eval": {"task": "t"}})), "no model is named"),
        (archive({"summaries.json": b"[]"}), "it does not say which model and task it is of"),
        (archive(members() | {"summaries.json": b"[1,]"}), "summaries.json: not JSON"),
        (archive(members())[:-30], "not a sound zip archive"),
        (archive(members(sample(1, m=1)), 12), "it is compressed by method 12, which is not read"),
        (archive_of([*members(sample(1, m=1)).items()], STORED, flags=1), "it is encrypted, which is not read"),
        (archive(members(sample(1, m=1)), STORED).replace(b'"value": 1', b'"value": 2'), "damaged"),
        (archive(members(sample(1, m=1))).replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe"), "cannot be unpacked"),
    ],
)
def test_what_is_wrong_in_an_archive(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(log(tmp_path, content))
    assert message in str(caught.value)


def test_no_more_comes_of_an_archive_than_may(tmp_path: Path) -> None:
    content = archive(members() | {"summaries.json": b" " * 100_000_000})
    with pytest.raises(InputError, match=r"log.eval: its first .* unpack to 100 MB, over 200 times as much"):
        assay.read(log(tmp_path, content))
    with pytest.raises(InputError, match=r"there are more than 50 MB in it"):
        assay.read(log(tmp_path, content), largest="50MB")


def harness(folder: Path, task: str, *objects: dict[str, Any], model: str = "org__model") -> Path:
    path = folder / model / f"samples_{task}_2026-01-21T03-44-18.458309.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


def document(number: int, filtered: str = "none", **metrics: Any) -> dict[str, Any]:
    fixed = {"doc_id": number, "doc": {"q": "?"}, "target": "3", "arguments": {}, "resps": [], "filtered_resps": []}
    return {**fixed, "filter": filtered, "metrics": [*metrics], "doc_hash": "0", **metrics}


def test_samples_of_lm_evaluation_harness(tmp_path: Path) -> None:
    harness(tmp_path, "arc", document(0, acc=1.0, acc_norm=0), document(1, acc=False, acc_norm=1))
    harness(tmp_path, "arc", document(1, acc=1, acc_norm=1), document(0, acc=0, acc_norm=0.5), model="other")
    campaign = assay.read(tmp_path)
    assert (campaign.segments, campaign.domains) == (("0", "1"), ("arc", "arc"))
    assert listed(campaign, "acc") == {"org__model": [1.0, 0.0], "other": [0.0, 1.0]}
    assert listed(campaign, "acc_norm") == {"org__model": [0.0, 1.0], "other": [0.5, 1.0]}


def test_filters_and_pairs_of_lm_evaluation_harness(tmp_path: Path) -> None:
    rows = (document(0, "strict", em=1), document(0, "flexible", em=0), document(0, bleu=["ref", "pred"]))
    with pytest.warns(AssayWarning, match="values are no scores of single documents: bleu"):
        campaign = assay.read(harness(tmp_path, "gsm", *rows))
    assert {metric: listed(campaign, metric)["org__model"] for metric in campaign.scores} == {
        "em,strict": [1.0],
        "em,flexible": [0.0],
    }


def test_the_file_of_results_names_model_and_directions(tmp_path: Path) -> None:
    path = harness(tmp_path, "arc", document(0, "strict", acc=1.0, loss=2.0))
    results = {"model_name": "org/model", "higher_is_better": {"arc": {"acc": True, "loss": False}}}
    (path.parent / "results_2026-01-21T03-44-18.458309.json").write_text(json.dumps(results))
    campaign = assay.read(path.parent)
    directions = {one.name: (one.higher_is_better, one.direction_known) for one in campaign.scores.values()}
    assert directions == {"acc,strict": (True, True), "loss,strict": (False, True)}
    assert tuple(campaign.systems) == ("org/model",)


def test_samples_of_before_metrics_were_listed(tmp_path: Path) -> None:
    row = document(0, acc=0.5)
    del row["metrics"]
    assert listed(assay.read(harness(tmp_path, "arc", row)), "acc") == {"org__model": [0.5]}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (document(0, acc=1) | {"doc_id": -1}, "line 2: doc_id is -1"),
        (document(0, acc="good"), "line 2: acc is 'good', but a number is needed"),
        (document(0, acc=1) | {"metrics": "acc"}, "line 2: metrics is 'acc', but a list of names is needed"),
        (document(0, acc=1), "line 2: a second score of 'acc' for segment 0 of 'org__model'; the first is in line 1"),
    ],
)
def test_what_is_wrong_in_samples_of_lm_evaluation_harness(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(harness(tmp_path, "arc", document(0, acc=0), row))
    assert message in str(caught.value)


def record(name: str, score: Any, system: str = "org/a", result: str | None = None, **more: Any) -> dict[str, Any]:
    fixed = {"schema_version": "0.3.0", "evaluation_id": f"e/{system}", "model_id": system, "evaluation_name": "gsm8k"}
    named = {"evaluation_result_id": result} if result else {}
    judged = {"evaluation": {"score": score, "is_correct": score == 1}}
    texts = {"interaction_type": "single_turn", "input": {"raw": "?", "reference": []}, "output": {"raw": []}}
    return {**fixed, **named, "sample_id": name, **texts, "answer_attribution": [], **judged, **more}


def records(folder: Path, *objects: dict[str, Any], name: str = "0a_samples.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


def test_records_of_every_eval_ever(tmp_path: Path) -> None:
    both = [record("q1", 1.0), record("q2", 0), record("q2", 0.5, "org/b", metadata={"document": "d2"})]
    with pytest.raises(InputError, match=r"line 1: segment 'q1' has no document, but others have one"):
        assay.read(records(tmp_path, *both))
    with pytest.warns(AssayWarning, match=r"1 score of 'gsm8k' is missing \(org/b 1\)"):
        campaign = assay.read(records(tmp_path, *both[:2], record("q2", 0.5, "org/b")))
    assert listed(campaign, "gsm8k") == {"org/a": [1.0, 0.0], "org/b": [None, 0.5]}
    assert campaign.domains == ("gsm8k", "gsm8k")


def test_the_file_about_all_instances_says_the_direction(tmp_path: Path) -> None:
    path = records(tmp_path, record("q1", 3, result="gsm8k.loss"), record("q2", -1, result="gsm8k.loss"))
    config = {"lower_is_better": True, "score_type": "levels", "has_unknown_level": True}
    about = {"evaluation_results": [{"evaluation_result_id": "gsm8k.loss", "metric_config": config}]}
    (tmp_path / "0a.json").write_text(json.dumps(about))
    for given in (path, tmp_path):
        # A level of -1 is one that nobody knows.
        with pytest.warns(AssayWarning, match="1 score of 'gsm8k.loss' is missing"):
            scores = assay.read(given).scores["gsm8k.loss"]
        assert (scores.higher_is_better, scores.direction_known, scores.missing) == (False, True, 1)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (record("q", 1) | {"model_id": ""}, "line 2: no model_id"),
        (record("", 1), "line 2: no sample_id"),
        (record("q", 1) | {"evaluation": 1}, "line 2: no evaluation"),
        (record("q", "good"), "line 2: the score is 'good', but a number is needed"),
        (record("p", 1), "line 2: a second score of 'gsm8k' for segment 'p' of 'org/a'; the first is in line 1"),
    ],
)
def test_what_is_wrong_in_records(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(records(tmp_path, record("p", 1), row))
    assert message in str(caught.value)


#: What every record has to have, and all that it may have, by instance_level_eval.schema.json 0.3.0, which closes it.
REQUIRED = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
    "answer_attribution", "evaluation",
}  # fmt: skip
ALLOWED = REQUIRED | {
    "evaluation_result_id", "sample_hash", "output", "messages", "token_usage", "performance", "error", "metadata",
}  # fmt: skip


def test_records_are_written_and_read_back(tmp_path: Path) -> None:
    table = tmp_path / "m.tsv"
    table.write_text(
        "system\tdocument\titem\tdomain\tm\tn\nA\td1\ta\tnews\t1\t0.5\nA\td2\tb\tchat\t0\t-\nB\td1\ta\tnews\t1\t2\n"
    )
    with pytest.warns(AssayWarning):
        first = assay.read(table)
    with pytest.warns(AssayWarning, match=r"x_samples.jsonl has no place for 3 missing scores"):
        (path,) = assay.write(first, tmp_path / "x_samples.jsonl", output_format="every-eval-ever")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert all(REQUIRED | {"output"} <= row.keys() <= ALLOWED for row in rows)
    assert rows[0]["evaluation"] == {"score": 1.0, "is_correct": True}
    with pytest.warns(AssayWarning):
        second = assay.read(path)
    assert listed(second, "m") == listed(first, "m")
    assert listed(second, "n") == listed(first, "n")
    assert second.documents == first.documents
    assert second.domains == first.domains


def test_records_of_a_campaign_have_its_texts(tmp_path: Path) -> None:
    for name, lines in {"src": "s1\ns2\n", "ref.r": "r1\nr2\n", "sys.A": "a1\na2\n"}.items():
        (tmp_path / f"{name}.txt").write_text(lines)
    (tmp_path / "scores.m.tsv").write_text("system\tsegment\tscore\nA\t0\t0.5\nA\t1\t1\n")
    (path,) = assay.write(assay.read(tmp_path), tmp_path / "x.jsonl", output_format="every-eval-ever")
    first, row = map(json.loads, path.read_text().splitlines())
    assert first["evaluation"] == {"score": 0.5, "is_correct": False}
    assert (row["model_id"], row["sample_id"], row["evaluation_result_id"]) == ("A", "1", "m")
    assert (row["input"], row["output"]) == ({"raw": "s2", "reference": ["r2"]}, {"raw": ["a2"]})


def test_other_formats_of_scores_are_not_written(tmp_path: Path) -> None:
    campaign = assay.read(log(tmp_path, archive(members(sample(1, m=1)))))
    with pytest.raises(InputError, match=r"scores are not written as wmt25. Choose one of scores, every-eval-ever"):
        assay.write(campaign, tmp_path / "y.jsonl", output_format="wmt25")
    with pytest.raises(InputError, match=r"has scores and no texts, which this format needs. Write a table of scores"):
        assay.write(campaign, tmp_path / "y.tsv", output_format="tsv")
    with pytest.raises(InputError, match=r"no scores of segments, which these records are of"):
        assay.write(Campaign("x", {"A": ["a"]}, {"r": ["a"]}), tmp_path / "y.jsonl", output_format="every-eval-ever")
