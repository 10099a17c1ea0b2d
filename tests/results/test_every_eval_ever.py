"""Answers of ``assay score`` as Every Eval Ever's files: what its schemas ask for, and nothing that nobody knows."""

import hashlib
import json
import re
import warnings
from dataclasses import replace

import pytest

import assay
from assay.data.files import write_files
from assay.errors import AssayWarning, InputError, ParameterError
from assay.results.every_eval_ever import STYLE
from assay.results.rendering import Look
from assay.results.result import Result

#: What each object has to have and may have, by eval.schema.json 0.3.0, as far as it is written here.
TOP = {
    "schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library",
    "evaluation_results",
}  # fmt: skip
MAY = {"evaluation_timestamp", "detailed_evaluation_results"}
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
PATH = re.compile(rf"data/([^/]+)/([^/]+)/([^/]+)/({UUID})(\.json|_samples\.jsonl)")
DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{name}{number}" for name in ("COM", "LPT") for number in range(1, 10))}
#: What an instance has to have, by instance_level_eval.schema.json 0.3.0; ``output`` where it is of a single turn.
SAMPLE = {
    "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
    "output", "answer_attribution", "evaluation",
}  # fmt: skip


def files(result):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return STYLE.files(result, Look())


def abouts(found):
    return {value["model_info"]["id"]: value for name, value in read(found).items() if name.endswith(".json")}


def read(found):
    lines = {name: text.splitlines() for name, text in found.items() if name.endswith(".jsonl")}
    return {name: json.loads(text) for name, text in found.items() if name.endswith(".json")} | {
        name: [*map(json.loads, several)] for name, several in lines.items()
    }


def only_texts(values):
    assert all(isinstance(value, str) for value in values.values())


def check(found):
    """Hold files against what the schemas ask for, and the paths against what their repository takes."""
    for name, value in read(found).items():
        matched = PATH.fullmatch(name)
        assert matched is not None, name
        for part in matched.groups()[:3]:
            assert not re.search(r'[<>:"\\|?*\x00-\x1f]', part)
            assert not part.endswith((".", " "))
            assert not part.startswith(".")
            assert part.partition(".")[0].upper() not in DEVICES
            assert part != "data"
            assert len(part.encode()) <= 101
        if isinstance(value, dict):
            check_about(value, name, found)


def check_about(value, name, found):
    assert TOP <= value.keys() <= TOP | MAY
    assert value["schema_version"] == "0.3.0"
    assert re.fullmatch(r"\d+", value["retrieved_timestamp"])
    source, model = value["source_metadata"], value["model_info"]
    assert source["source_type"] in ("documentation", "evaluation_run")
    assert source["evaluator_relationship"] in ("first_party", "third_party", "collaborative", "other")
    only_texts(source)
    only_texts(value["eval_library"])
    assert {"name", "version"} <= value["eval_library"].keys()
    assert {"name", "id", "additional_details"} <= model.keys()
    assert model["additional_details"] == {"deployment_type": "unknown", "model_availability": "unknown"}
    for one in value["evaluation_results"]:
        assert {"evaluation_name", "source_data", "metric_config", "score_details"} <= one.keys()
        assert one["source_data"]["source_type"] == "other"
        only_texts(one["source_data"].get("additional_details", {}))
        config, details = one["metric_config"], one["score_details"]
        assert isinstance(config["lower_is_better"], bool)
        assert config["score_type"] == "continuous"
        low, high = (float(config[end]) for end in ("min_score", "max_score"))
        assert all(
            config[end] in ("-Infinity", "Infinity") or isinstance(config[end], float)
            for end in ("min_score", "max_score")
        )
        assert low <= details["score"] <= high
        assert all(
            isinstance(option, (str, int, float, bool)) for option in config.get("metric_parameters", {}).values()
        )
        only_texts(details.get("details", {}))
    samples = name.replace(".json", "_samples.jsonl")
    if samples not in found:
        assert "detailed_evaluation_results" not in value
        return
    beside = value["detailed_evaluation_results"]
    rows = read(found)[samples]
    assert beside == {
        "format": "jsonl", "file_path": samples, "hash_algorithm": "sha256", "total_rows": len(rows),
        "checksum": hashlib.sha256(found[samples].encode()).hexdigest(),
    }  # fmt: skip
    known = {one["evaluation_result_id"] for one in value["evaluation_results"]}
    for row in rows:
        assert SAMPLE | {"evaluation_result_id", "metadata"} == row.keys()
        assert (row["evaluation_id"], row["model_id"]) == (value["evaluation_id"], model["id"])
        assert row["evaluation_result_id"] in known
        assert row["interaction_type"] == "single_turn"
        assert isinstance(row["evaluation"]["score"], float)
        assert isinstance(row["evaluation"]["is_correct"], bool)


def campaign(*systems, name="news"):
    """Against "a b c d" and "e f", every system says "a b x d" and "e f": one error among six words."""
    return assay.Campaign(name, {system: ["a b x d", "e f"] for system in systems}, {"r": ["a b c d", "e f"]})


def scored(*systems, metrics="wer,f1", name="news", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return assay.score(campaign(*systems, name=name), metrics, **options)


def test_a_file_has_the_scores_of_a_system_with_direction_and_scale():
    found = files(scored("org/model"))
    check(found)
    ((path, text),) = found.items()
    assert PATH.fullmatch(path).groups()[:3] == ("news", "org", "model")
    value = json.loads(text)
    assert value["model_info"] | {"additional_details": {}} == {
        "name": "org/model", "id": "org/model", "developer": "org", "additional_details": {},
    }  # fmt: skip
    assert value["eval_library"] == {"name": "assay", "version": assay.__version__}
    assert value["source_metadata"]["source_type"] == "evaluation_run"
    wer, f1 = value["evaluation_results"]
    # One of six words is wrong; of six words five are found, on both sides.
    assert wer["score_details"]["score"] == pytest.approx(100 / 6)
    assert f1["score_details"]["score"] == pytest.approx(500 / 6)
    assert (wer["evaluation_result_id"], wer["evaluation_name"]) == ("wer", "news")
    ends = ("lower_is_better", "min_score", "max_score")
    assert [wer["metric_config"][end] for end in ends] == [True, 0.0, "Infinity"]
    assert [f1["metric_config"][end] for end in ends] == [False, 0.0, 100.0]
    # Two segments are too few for an interval.
    assert "uncertainty" not in wer["score_details"]


def test_options_of_a_metric_are_parameters_and_its_signature_stands_in_the_details():
    result = scored("A", metrics="bleu(order=2,weights=[0.5,0.5]),wer(lowercase=true)")
    (value,) = abouts(files(result)).values()
    bleu, wer = value["evaluation_results"]
    config = bleu["metric_config"]
    assert (config["metric_id"], config["metric_name"]) == ("bleu", "bleu(order=2,weights=[0.5,0.5])")
    expected = {"order": 2, "weights": "[0.5,0.5]", "tokenize": "13a", "lowercase": False, "smoothing_value": "none"}
    assert expected.items() <= config["metric_parameters"].items()
    assert wer["metric_config"]["metric_parameters"]["lowercase"] is True
    row = result.of(metric="bleu(order=2,weights=[0.5,0.5])")
    assert bleu["score_details"]["details"] == {"signature": row.signature}
    digest = result.digests["ref.r"]
    assert bleu["source_data"] == {
        "dataset_name": "news", "source_type": "other", "additional_details": {"digest of ref.r": digest},
    }  # fmt: skip


def test_an_interval_says_how_it_was_found():
    texts = ["a b", "a x", "a b c", "x", "a b", "b"]
    given = assay.Campaign("c", {"A": texts}, {"r": ["a b", "a b", "a c", "a", "b b", "b"]})
    result = assay.score(given, "wer", samples=50, unit="segment")
    row = result.of("A")
    assert row.low < row.score < row.high
    (value,) = abouts(files(result)).values()
    assert value["evaluation_results"][0]["score_details"]["uncertainty"] == {
        "confidence_interval": {
            "lower": row.low,
            "upper": row.high,
            "confidence_level": 0.95,
            "method": "percentiles of bootstrap samples of 6 segments, wider where these are few",
        },
        "num_bootstrap_samples": 50,
    }


def test_segments_lie_beside_a_system_without_texts():
    result = scored("A", "B", segments=True)
    found = files(result)
    check(found)
    assert len(found) == 4
    rows = [row for name, several in read(found).items() if name.endswith("l") for row in several]
    listed = {
        (row["model_id"], row["evaluation_result_id"], row["sample_id"]): (
            row["evaluation"]["score"], row["evaluation"]["is_correct"],
        ) for row in rows
    }  # fmt: skip
    # One of four words is wrong, so that three of four are found; the second segment has no error and is right.
    for system in "AB":
        assert listed[system, "wer", "0"] == (25.0, False)
        assert listed[system, "wer", "1"] == (0.0, True)
        assert listed[system, "f1", "0"] == (75.0, False)
        assert listed[system, "f1", "1"] == (100.0, True)
    assert (rows[0]["input"], rows[0]["output"]) == ({"raw": "", "reference": []}, {"raw": []})
    with pytest.warns(AssayWarning, match="Records of segments have no texts here, for an answer has none"):
        STYLE.files(replace(result, time=5.0), Look())


def test_the_same_answer_gives_the_same_files_and_another_gives_others():
    result = scored("A", "B", segments=True)
    first = files(result)
    assert files(Result.from_json(result.to_json())) == first
    assert {*files(scored("A", "B", segments=True))} == {*first}
    assert not {*files(scored("A", "B", segments=True, seed=2, samples=10))} & {*first}
    # What was scored at another time is another record.
    later = files(replace(result, time=1760492095.25))
    assert not {*later} & {*first}
    value = abouts(later)["A"]
    assert (value["retrieved_timestamp"], value["evaluation_timestamp"]) == ("1760492095", "1760492095")
    check(later)


def test_no_time_is_made_up():
    (value,) = abouts(files(scored("A"))).values()
    assert value["retrieved_timestamp"] == "0"
    assert "evaluation_timestamp" not in value
    with pytest.warns(AssayWarning, match="retrieved_timestamp is 0, for nothing says when these scores were found"):
        STYLE.files(scored("A"), Look())


def test_several_campaigns_are_collections():
    given = [campaign("A", "B", name="news"), campaign("A", name="chat")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        found = files(assay.score(given, "wer", segments=True))
    check(found)
    places = [PATH.fullmatch(name).groups()[:3] for name in found if name.endswith(".json")]
    assert places == [("news", "unknown", "A"), ("news", "unknown", "B"), ("chat", "unknown", "A")]
    digests = [value["evaluation_results"][0]["source_data"] for value in abouts(found).values()]
    assert all([*one["additional_details"]] == ["digest of ref.r"] for one in digests)


HOSTILE = [
    "../../etc/passwd", "/", "//", ".", "..", "data", "CON", "nul.txt", "a/b/c", "a:b", "a?b", " x. ", "x" * 400,
    "ö" * 200, "\x1b[31m", "a\nb", "\u202egnp", "\u2028", "<script>", ".hidden", "data/data", "~",
]  # fmt: skip


def test_hostile_names_make_sound_paths_and_stay_what_they_are(tmp_path):
    for given in (campaign(*HOSTILE), *(campaign("A", name=name) for name in HOSTILE)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AssayWarning)
            found = files(assay.score(given, "wer", segments=True))
        check(found)
        # Names that fall together as those of folders are told apart by those of files.
        assert {*abouts(found)} == {*given.systems}
        assert all(ord(letter) >= 32 or letter == "\n" for text in found.values() for letter in text)
        assert not any(set(text) & set("\x7f\u2028\x85") for text in found.values())
        write_files({name: [text.encode()] for name, text in found.items()}, tmp_path / "out", overwrite=True)
        assert {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.json*")} == {*found}
        for file in found:
            (tmp_path / "out" / file).unlink()


def test_scores_that_are_missing_or_of_other_levels_are_said():
    result = scored("A", "B")
    rows = [
        row | ({"score": None} if (row["system"], row["metric"]) == ("A", "wer") else {})
        for row in result.tables["scores"]
    ]
    lacking = replace(result, tables={"scores": rows, "documents": rows})
    with pytest.warns(AssayWarning, match=r"no place for scores of documents, missing scores \(wer of A\)"):
        found = STYLE.files(replace(lacking, time=1.0), Look())
    assert [one["evaluation_result_id"] for one in abouts(found)["A"]["evaluation_results"]] == ["f1"]
    nothing = replace(result, tables={"scores": [row | {"score": None} for row in rows]})
    with pytest.raises(InputError, match="No system has a score, so there is nothing to write"):
        STYLE.files(nothing, Look())


def test_a_scale_holds_a_score_that_rounding_took_beyond_it():
    result = scored("A", metrics="f1")
    rows = [row | {"score": 100.00000000000004} for row in result.tables["scores"]]
    check(files(replace(result, tables={"scores": rows})))
    # An answer from before says nothing of scales.
    (value,) = abouts(files(replace(result, setup={}))).values()
    config = value["evaluation_results"][0]["metric_config"]
    assert (config["min_score"], config["max_score"]) == ("-Infinity", "Infinity")


def test_one_file_takes_one_system():
    with pytest.warns(AssayWarning):
        text = scored("A", segments=True).render("every-eval-ever")
    assert "detailed_evaluation_results" not in json.loads(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        with pytest.raises(
            ParameterError, match=r"x.json takes one system, and there are 2. Choose one \(--systems NAME"
        ):
            scored("A", "B").render("every-eval-ever", file="x.json")


def test_other_answers_are_refused():
    wanted = "--format every-eval-ever is for assay score"
    corpus = campaign("A").corpus("A")
    for result in (Result("compare", {"pairs": []}), assay.metric("wer").evaluate(corpus).result(samples=5)):
        with pytest.raises(ParameterError, match=wanted):
            result.render("every-eval-ever")
