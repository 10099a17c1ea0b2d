"""Files of COMET, MetricX and GEMBA, as their programs write them, and plain lines of numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import ErrorSpan
from assay.errors import AssayWarning, InputError

TEXTS = Campaign(
    "test",
    systems={"A": ["Das ist gut.", "Und das."], "B": ["Das gut.", "Das das."]},
    references={"ref": ["Das ist gut.", "Und das."]},
)
#: As comet/cli/score.py of unbabel-comet 2.2.7 prints: segments system by system, then the systems.
PRINTED = (
    "out/A.txt\tSegment 0\tscore: 0.8312\nout/B.txt\tSegment 0\tscore: 0.5000\n"
    "out/A.txt\tSegment 1\tscore: 0.4000\nout/B.txt\tSegment 1\tscore: -0.1000\n"
    "out/A.txt\tscore: 0.6156\nout/B.txt\tscore: 0.2000\nPredictions saved in: x.json.\n"
)
#: As it writes with --to_json; xCOMET found nothing in A, so that A has no errors.
JSON = {
    "out/A.txt": [{"src": "s", "mt": "Das ist gut.", "ref": "r", "COMET": 0.875}, {"mt": "Und das.", "COMET": 0.5}],
    "out/B.txt": [
        {
            "mt": "Das gut.",
            "COMET": 0.25,
            "errors": [{"text": "gut", "confidence": 0.7, "severity": "major", "start": 4, "end": 7}],
        },
        {"mt": "Das das.", "COMET": float("nan")},
    ],
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def listed(campaign: Campaign, metric: str) -> dict[str, list[float]]:
    segments = campaign.scores[metric].segments
    assert segments is not None
    return {name: scores.tolist() for name, scores in segments.items()}


def test_what_comet_prints(tmp_path: Path) -> None:
    path = write(tmp_path, "wmt22-comet-da.txt", PRINTED)
    campaign = assay.read(path)
    assert listed(campaign, "wmt22-comet-da") == {"A": [0.8312, 0.4], "B": [0.5, -0.1]}
    scores = campaign.scores["wmt22-comet-da"]
    assert (scores.systems, scores.higher_is_better, scores.direction_known) == ({"A": 0.6156, "B": 0.2}, True, True)
    (found,) = assay.read_scores(path, TEXTS, higher_is_better=False)
    # The format says it, and nobody else.
    assert found.higher_is_better


def test_files_of_one_name_are_known_by_their_folders(tmp_path: Path) -> None:
    campaign = assay.read(write(tmp_path, "c.txt", "one/out.txt\tscore: 0.5\ntwo/out.txt\tscore: 0.25\n"))
    assert campaign.scores["c"].systems == {"one/out.txt": 0.5, "two/out.txt": 0.25}


def test_other_lines_of_comet_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path, "c.txt", "Fetching 5 files\n" + PRINTED)
    with pytest.warns(AssayWarning, match="1 lines are no scores of comet-score and are not read, the first is 1"):
        assay.read(path)
    broken = write(tmp_path, "c.txt", PRINTED.replace("0.5000", "good"))
    with pytest.raises(InputError, match=r"c.txt, line 2: the score is 'good'"):
        assay.read(broken)
    with pytest.raises(InputError, match=r"c.txt, line 1: this is no line of comet-score"):
        assay.read(write(tmp_path, "c.txt", "A 0.5\n"), input_format="comet")
    with pytest.raises(InputError, match=r"c.txt, line 5: the segment is '2', but the campaign has 2 segments"):
        assay.read_scores(write(tmp_path, "c.txt", PRINTED.replace("A.txt\tscore:", "A.txt\tSegment 2\tscore:")), TEXTS)


def test_what_comet_writes_as_json_has_errors(tmp_path: Path) -> None:
    path = write(tmp_path, "xcomet.json", json.dumps(JSON, indent=4))
    with pytest.warns(AssayWarning, match=r"1 score of 'xcomet' is missing \(B 1\)"):
        campaign = assay.read(path)
    scores = campaign.scores["xcomet"]
    assert scores.segments is not None
    np.testing.assert_array_equal(scores.segments["B"], [0.25, np.nan])
    assert scores.spans == {"A": ((), ()), "B": ((ErrorSpan("major", "", 4, 7),), ())}
    assert scores.of_segments(np.array([1])).spans == {"A": ((),), "B": ((),)}
    assert scores.of_systems(["A"]).spans == {"A": ((), ())}


def test_a_model_that_marks_nothing_has_no_errors(tmp_path: Path) -> None:
    path = write(tmp_path, "A.json", json.dumps([{"mt": "a", "COMET": 1}, {"mt": "b", "COMET": 0.5}]))
    scores = assay.read(path).scores["COMET"]
    assert (scores.scored, scores.spans) == (("A",), None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"A": [{"COMET": 1}, {"score": 1}]}', "segment 1 of 'A': no score called 'COMET'"),
        ('{"A": [{"COMET": 1}], "A": [{"COMET": 2}]}', "the key 'A' stands there twice"),
        ('{"A": {"COMET": 1}}', "this is no output of comet-score"),
        ('{"A": [{"COMET": 1, "errors": [{"start": "x", "end": 3, "severity": []}]}]}', "severity is []"),
        ('{"A": [{"COMET": 1}, {"COMET": "1,5"}]}', "Write it with a decimal point: 1.5"),
        ('{"A": [{"COMET": 1},\n {"COMET": 2,,}]}', "x.json, line 2, column 14: not JSON"),
    ],
)
def test_json_that_is_no_output_of_comet(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(write(tmp_path, "x.json", text))
    assert message in str(caught.value)


def lines(*objects: object) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in objects)


def test_lower_is_better_in_files_of_metricx(tmp_path: Path) -> None:
    # As metricx24/predict.py writes: the input with its prediction.
    path = write(
        tmp_path,
        "A.jsonl",
        lines(
            {"source": "s", "hypothesis": "h", "reference": "r", "prediction": 1.5},
            {"source": "s", "hypothesis": "h", "reference": "", "prediction": 20},
        ),
    )
    scores = assay.read(path).scores["MetricX"]
    assert (scores.segments and scores.segments["A"].tolist()) == [1.5, 20.0]
    assert (scores.higher_is_better, scores.direction_known) == (False, True)
    with pytest.warns(AssayWarning, match="no scores of MetricX for segments: B"):
        (found,) = assay.read_scores(path, TEXTS)
    assert not found.higher_is_better


def test_systems_and_segments_of_metricx_may_be_named(tmp_path: Path) -> None:
    # As metricx24/evaluate.py reads.
    rows = [
        {"system_id": name, "segment_id": segment, "label": -1, "prediction": segment + 0.5}
        for name in "AB"
        for segment in (1, 0)
    ]
    campaign = assay.read(write(tmp_path, "metricx-24.jsonl", lines(*rows)))
    assert listed(campaign, "metricx-24") == {"A": [0.5, 1.5], "B": [0.5, 1.5]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"hypothesis": "h", "prediction": 1}, {"hypothesis": "h"}], "line 2: no prediction"),
        ([{"hypothesis": "h", "prediction": -3.5}], "line 1: the prediction is -3.5, but MetricX gives 0 (best) to 25"),
        ([{"system_id": "A", "segment_id": -1, "prediction": 1}], "line 1: segment_id is -1"),
        ([{"system_id": "A", "segment_id": 1, "prediction": 1}] * 2, "line 2: a second score of 'm' for segment 1 of"),
        ([{"hypothesis": "h", "prediction": "low"}], "line 1: prediction is 'low', but a number is needed"),
    ],
)
def test_what_is_wrong_in_files_of_metricx(tmp_path: Path, rows: list[object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(write(tmp_path, "m.jsonl", lines(*rows)))
    assert message in str(caught.value)


def test_a_folder_of_numbers_is_named_after_the_metric(tmp_path: Path) -> None:
    write(tmp_path, "COMET/A.txt", "0.5\n1\n")
    write(tmp_path, "COMET/sys.B.txt", "0.25\n\n")
    with pytest.warns(AssayWarning, match="no scores of COMET for segments: B"):
        (first,) = assay.read_scores(tmp_path / "COMET" / "A.txt", TEXTS)
    with pytest.warns(AssayWarning) as caught:
        (second,) = assay.read_scores(tmp_path / "COMET" / "sys.B.txt", TEXTS)
    assert "1 score of 'COMET' is missing (B 1)" in str(caught[0].message)
    assert (first.name, first.segments and first.segments["A"].tolist()) == ("COMET", [0.5, 1.0])
    assert second.segments is not None
    np.testing.assert_array_equal(second.segments["B"], [0.25, np.nan])
    (tmp_path / "COMET" / "sys.B.txt").rename(tmp_path / "COMET" / "B.txt")
    with pytest.warns(AssayWarning, match="is missing"):
        campaign = assay.read(tmp_path / "COMET")
    assert tuple(campaign.systems) == ("A", "B")


def test_numbers_alone_may_be_a_text(tmp_path: Path) -> None:
    path = write(tmp_path, "A.txt", "1984\n1985\n")
    with pytest.raises(InputError, match="plain lines alone are no campaign"):
        assay.read(path)
    assert listed(assay.read(path, input_format="numbers"), tmp_path.name) == {"A": [1984.0, 1985.0]}
    with pytest.raises(InputError, match=r"A.txt, line 2: the score is '0,5'.* Write it with a decimal point: 0.5"):
        assay.read(write(tmp_path, "A.txt", "0.5\n0,5\n"), input_format="numbers")


#: As gemba prints with --list_mqm_errors. Of the first segment: a major and a minor error, -5 - 1 = -6; of the second
#: two critical ones, of which 25 is the most that a segment can lose.
GEMBA = (
    "defaultdict(<class 'list'>, {'major': ['accuracy/mistranslation - \"gut\"'], 'minor': ['style/awkward']})\n"
    "defaultdict(<class 'list'>, {'critical': ['non-translation', 'other - \"das\"']})\n"
)


def test_errors_that_gemba_lists_are_scored_as_it_does(tmp_path: Path) -> None:
    path = write(tmp_path, "GEMBA-MQM/B.txt", GEMBA)
    with pytest.warns(AssayWarning, match="no scores of GEMBA-MQM for segments: A"):
        (found,) = assay.read_scores(path, TEXTS)
    assert (found.name, found.segments and found.segments["B"].tolist()) == ("GEMBA-MQM", [-6.0, -25.0])
    # "Das das." has the word twice, if capitals do not count.
    assert found.spans == {
        "B": (
            (ErrorSpan("major", "accuracy/mistranslation", 4, 7), ErrorSpan("minor", "style/awkward")),
            (ErrorSpan("critical", "non-translation"), ErrorSpan("critical", "other")),
        )
    }


def test_gemba_counts_five_errors(tmp_path: Path) -> None:
    # Six minor ones cost 5, an empty list nothing, and None is no answer.
    text = f"defaultdict(<class 'list'>, {{'minor': {['other'] * 6}}})\ndefaultdict(<class 'list'>, {{}})\nNone\n"
    with pytest.warns(AssayWarning, match=r"1 score of 'G' is missing \(A 1\)"):
        campaign = assay.read(write(tmp_path, "G/A.txt", text))
    segments = campaign.scores["G"].segments
    assert segments is not None
    np.testing.assert_array_equal(segments["A"], [-5.0, 0.0, np.nan])
    spans = campaign.scores["G"].spans
    assert spans is not None
    assert [None if one is None else len(one) for one in spans["A"]] == [6, 0, None]
    with pytest.raises(InputError, match=r"A.txt, line 2: '-5' is no list of errors"):
        assay.read(write(tmp_path, "G/A.txt", GEMBA.split("\n", maxsplit=1)[0] + "\n-5\n"))
