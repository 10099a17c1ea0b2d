"""Model files: what was written is what is read, and whatever else is refused with a reason."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assay.errors import AssayError, InputError, ParameterError, UnknownName
from assay.learned import model_file, signatures
from assay.learned.features import Feature
from assay.learned.linear import Linear
from assay.learned.model_file import QualityModel, load_predictor, parse_model
from assay.learned.plain_json import digest_of
from learned.edited_models import TEXT, edited, put
from learned.small_models import CARD, FEATURES, MODELS, VALUES, WEIGHTS, quality_model


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_is_read_as_it_was_written(kind, tmp_path):
    model = quality_model(kind)
    path = model.save(tmp_path / "model.json")
    loaded = load_predictor(path)
    assert loaded.to_json() == model.to_json() == path.read_text()
    assert loaded.card == CARD
    assert loaded.features == FEATURES
    assert loaded.digest == model.digest
    assert loaded.model.score(VALUES).tolist() == model.model.score(VALUES).tolist()


def test_the_same_model_gives_the_same_bytes():
    assert quality_model().to_json() == quality_model().to_json()
    assert quality_model("linear").digest != quality_model().digest


def test_a_file_is_ascii_json_with_a_line_per_part():
    assert TEXT.isascii()
    assert list(json.loads(TEXT)) == ["format", "version", "digest", "card", "features", "model"]
    assert TEXT.count("\n") == 8


def test_what_is_there_is_not_overwritten(tmp_path):
    path = quality_model().save(tmp_path / "model.json")
    with pytest.raises(InputError, match="is there already"):
        quality_model("linear").save(path)
    assert load_predictor(path).model.kind == "decision-tree"
    quality_model("linear").save(path, overwrite=True)
    assert load_predictor(path).model.kind == "linear"
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
    with pytest.raises(InputError, match="plain JSON file"):
        quality_model().save(tmp_path / "model.json.gz")


def test_a_model_needs_all_its_features():
    with pytest.raises(ParameterError, match="takes 2 features, and 1 are named"):
        QualityModel.of(MODELS["linear"], FEATURES[:1], CARD)


def test_white_space_is_no_change():
    spaced = json.dumps(json.loads(TEXT), indent=4)
    assert parse_model(spaced).digest == quality_model().digest


def test_a_truncated_file_is_called_incomplete():
    for end in range(1, len(TEXT.rstrip())):
        with pytest.raises(InputError, match=r"line \d+, column \d+: the file ends in the middle|not JSON"):
            parse_model(TEXT[:end], "model.json")


def test_a_newer_format_is_named():
    with pytest.raises(InputError, match=r"written by a newer Assay \(format 3; this one reads 2\)"):
        parse_model(edited(put("version", value=3)))


@pytest.mark.parametrize(
    "change",
    [
        put("card", "held_out", 0, "value", value=99.9),
        put("card", "notes", value=[]),
        put("model", "tree", "threshold", 0, value=41.0),
        put("features", 0, "name", value="F1"),
        put("digest", value="0" * 64),
    ],
)
def test_an_edit_by_hand_is_noticed(change):
    with pytest.raises(InputError, match="the file was changed after Assay wrote it"):
        parse_model(edited(change, sealed=False))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("extra", value=1), "There is no field 'extra'"),
        (put("card", "extra", value=1), r"model.card: There is no field 'extra'"),
        (put("card", "seed", value=-1), r"card.seed: a whole number >= 0 is needed, not -1"),
        (put("card", "kinds", value="da"), r"card.kinds: a list is needed, not 'da'"),
        (put("card", "unit", value="\ud800"), r"card.unit: .* cannot be printed"),
        (put("card", "unit", value="a \u202egnp.exe"), r"card.unit: .*202egnp.* cannot be printed"),
        (put("card", "unit", value="\u2066a"), r"card.unit: .* cannot be printed"),
        (
            put("model", "classes", "worth", value=[0.0, 1.0, 1e308]),
            r"worth\[2\]: a number <= 1e\+100 is needed, not 1e\+308",
        ),
        (
            put("model", "tree", "threshold", 0, value=-(10**29) * 10.0**80),
            r"threshold\[0\]: a number >= -1e\+100 is needed, not -1e\+109",
        ),
        (put("model", "tree", "right", 0, value=3), "node 2 has 0 parents"),
        (put("features", value=[{}] * 501), "features: a list of length <= 500 is needed, not a list of 501"),
        (put("features", value="f1"), "features: a list is needed"),
        (
            put("card", "unit", value="x" * 20_000),
            r"card.unit: a text of length <= 10000 is needed, not .* \(20,002 characters\)",
        ),
        (put("card", "training", 0, "segments", value=1.5), r"training\[0\].segments: a whole number"),
        (put("card", "settings", value={"depth": 3}), r"card.settings\[...\]: a text is needed, not something else"),
        (put("features", value=[]), "takes 2 features, but 0 are listed"),
        (put("features", 1, "name", value="f1"), "two features have one name"),
        (put("features", 0, "sample", value=[]), r"features\[0\].sample: 0 values, but 5"),
        (put("features", 0, "metric", value="f2"), "'f1' of the model cannot be computed here: There is no metric"),
        (put("features", 0, "metric", value="bleu(order"), "cannot be read"),
        (put("features", 0, "part", value="shifts"), "no part of f1 'shifts'"),
        (put("features", 0, "metric", value="predictor(path=model.json)"), "'f1' is itself a saved model"),
        (put("features", 0, "metric", value="meteor(synonyms=/dev/zero)"), "'/dev/zero', which is no ordinary file"),
        (put("features", 0, "metric", value="bleu(stem=wordnet:/dev/zero)"), "'/dev/zero', which is no ordinary file"),
    ],
)
def test_what_makes_no_sense_is_refused_although_it_is_sealed(change, words):
    with pytest.raises(InputError, match=words):
        parse_model(edited(change))


FIELDS = json.loads(TEXT)["features"][0]["fields"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            put("features", 0, "metric", value="f1(lowercase=true)"),
            r"lowercase was false and is true here.* trained with Assay 0.1.0",
        ),
        (
            put("features", 0, "fields", value=FIELDS.replace("none:ascii", "13a")),
            "'f1' is not what the model was trained with: tokenize was 13a and is none:ascii here",
        ),
        (
            put("features", 0, "fields", value=FIELDS.replace("f1(", "f1(beta=2,")),
            r"beta was 2 and is \(not there\) here",
        ),
        (put("features", 0, "fields", value="f1"), r"normalize was \(not there\) and is none"),
        (put("features", 0, "fields", value=FIELDS.replace("f1(", "fmean(")), "metric was fmean and is f1"),
        (put("features", 0, "higher_is_better", value=False), "higher_is_better was False and is True"),
    ],
)
def test_a_feature_that_is_not_what_it_was_is_named(change, words):
    with pytest.raises(InputError, match=words):
        parse_model(edited(change))


def test_a_metric_that_counts_otherwise_is_noticed_on_the_sample():
    # "the cat sat on the mat ." is perfect; the file says that it had an F1 of 99.
    model = parse_model(edited(put("features", 0, "sample", 0, value=99.0)))
    with pytest.raises(InputError, match=r"'f1' is not .* value of sample sentence 1 was 99.0 and is 100.0 here"):
        model.require_present_definition()
    assert quality_model().require_present_definition() is None


def test_resources_are_part_of_a_signature(tmp_path):
    words = tmp_path / "synonyms.tsv"
    words.write_text("sofa\tcouch\n")
    feature = Feature.parse(f"meteor(synonyms={words})")
    text = quality_model(features=(feature, FEATURES[1])).to_json()
    model = parse_model(text)
    assert model.features[0] == feature
    assert model.require_present_definition() is None
    # As many bytes, and others.
    for content in ("sofa\tcoach\n", "sofa\tcouch\nbig\tlarge\n"):
        words.write_text(content)
        with pytest.raises(InputError, match="the file named by option synonyms is not the one that the model was"):
            parse_model(text).require_present_definition()
    words.unlink()
    with pytest.raises(InputError, match="option synonyms, which is not there, is not the one"):
        parse_model(text).require_present_definition()


def test_what_is_made_of_a_file_is_compared_as_well():
    model = parse_model(edited(put("features", 0, "resources", value={"stem": "abc"})))
    with pytest.raises(InputError, match=r"stem was abc and is \(not there\)"):
        model.require_present_definition()


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    model = quality_model(card=replace(CARD, unit="a\u202eb"))
    with pytest.raises(InputError, match="cannot be printed"):
        model.save(tmp_path / "model.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_have_is_never_written(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        QualityModel.of(Linear(*WEIGHTS, number, inputs=2), FEATURES, CARD).to_json()


def test_external_features_are_kept_by_name():
    features = (FEATURES[0], Feature("COMET", higher_is_better=True))
    model = parse_model(quality_model(features=features).to_json())
    assert model.external == ("COMET",)
    assert model.features == features


def test_a_feature_without_a_finite_value_is_not_saved(monkeypatch):
    monkeypatch.setattr(signatures, "sample_values", lambda _: [float("nan")] * 5)
    with pytest.raises(InputError, match="gives no finite number"):
        quality_model()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
    max_leaves=10,
)


def places(value, path=()):
    """Every place in plain data."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield from places(inside, (*path, key))


PLACES = {kind: [path for path in places(json.loads(quality_model(kind).to_json())) if path] for kind in MODELS}


@pytest.mark.parametrize("kind", MODELS)
@settings(max_examples=60)
@given(data=st.data())
def test_any_sealed_value_is_refused_or_makes_a_model_that_works(kind, data):
    """A digest that fits proves nothing: every value is checked for itself."""
    content = json.loads(quality_model(kind).to_json())
    change = put(*data.draw(st.sampled_from(PLACES[kind])), value=data.draw(JSON))
    change(content)
    content["digest"] = digest_of({key: content.get(key) for key in ("card", "features", "model")})
    try:
        model = parse_model(json.dumps(content))
    except AssayError:
        return
    assert model.model.score(VALUES).shape == (3,)
    assert parse_model(model.to_json()).to_json() == model.to_json()


def test_the_format_has_a_version():
    # Older versions of Assay read what has one task.
    assert json.loads(TEXT)["version"] == 1
    assert model_file.FORMAT_VERSION == json.loads(together().to_json())["version"] == 2


def together():
    """A model of grades, and one of scores beside it."""
    scored = QualityModel.of(MODELS["linear"], FEATURES, replace(CARD, task="regression", grades=(), cuts=()))
    return QualityModel.together([quality_model(), scored])


def test_a_file_of_several_tasks_is_read_as_it_was_written(tmp_path):
    model = together()
    path = model.save(tmp_path / "model.json")
    loaded = load_predictor(path)
    assert loaded.to_json() == model.to_json() == path.read_text()
    assert list(json.loads(path.read_text())) == ["format", "version", "digest", "features", "tasks"]
    assert list(loaded.tasks) == ["43210", "regression"]
    assert loaded.of_task(None) is loaded
    assert {one.digest for one in loaded.tasks.values()} == {model.digest}
    for task, kind in (("43210", "decision-tree"), ("regression", "linear")):
        assert loaded.of_task(task).model.score(VALUES).tolist() == MODELS[kind].score(VALUES).tolist()
    with pytest.raises(UnknownName, match=r"no task of the model 'grades'.*Known: 43210, regression"):
        loaded.of_task("grades")


def test_one_task_alone_is_the_file_that_it_always_was():
    assert QualityModel.together([quality_model()]).to_json() == TEXT


def test_models_of_different_features_share_no_file():
    other = QualityModel.of(MODELS["linear"], (FEATURES[1], FEATURES[0]), replace(CARD, task="regression"))
    with pytest.raises(ParameterError, match="see the same features"):
        QualityModel.together([quality_model(), other])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["tasks"].clear(), r"\.tasks: "),
        (lambda data: data["tasks"][1]["card"].update(task="43210"), r"\.tasks: two tasks have one name"),
        (lambda data: data["tasks"][1]["model"].update(inputs=3), r"\.tasks\[1\]"),
        (lambda data: data["features"].pop(), r"\.tasks\[0\]: the model takes 2 features, but 1 are listed"),
        (lambda data: data.update(card={}), r"card"),
    ],
)
def test_a_bad_file_of_several_tasks_is_refused_and_the_place_named(change, message):
    data = json.loads(together().to_json())
    change(data)
    data["digest"] = digest_of({key: data[key] for key in ("features", "tasks")})
    with pytest.raises(InputError, match=message):
        parse_model(json.dumps(data))
