"""Model files from people who mean harm: nothing is run, nothing hangs, and no other file is shown."""

import io
import os
import pickle
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import AssayError, InputError
from assay.learned import model_file, plain_json, signatures, trees
from assay.learned.features import Feature
from assay.learned.model_file import load_predictor, parse_model
from assay.metrics.options import spell
from learned.edited_models import TEXT, edited, put
from learned.small_models import FEATURES, quality_model


class Trap:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_recognised_and_never_run(protocol, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(pickle.dumps(Trap(str(tmp_path / "ran")), protocol=protocol))
    with pytest.raises(InputError, match=r": it (is|looks like) a Python pickle\. Pickles can run any program"):
        load_predictor(path)
    assert not (tmp_path / "ran").exists()


def test_a_zip_archive_is_recognised():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("schema.json", "{}")
    with pytest.raises(
        InputError, match=r"not a model of Assay: it is a zip archive \(skops and numpy write such files\)\.$"
    ):
        parse_model(buffer.getvalue())


def test_a_huge_file_is_refused_unread(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    with path.open("wb") as file:
        file.truncate(2**30)
    monkeypatch.setattr(plain_json, "parse_json", None)
    with pytest.raises(InputError, match="larger than 16 MB"):
        load_predictor(path)


def test_a_pipe_and_a_device_are_not_read(tmp_path):
    # Nobody writes into the pipe: whoever opened it would wait for ever.
    os.mkfifo(tmp_path / "pipe.json")
    for path in ("/dev/zero", tmp_path / "pipe.json"):
        with pytest.raises(InputError, match=r"a model is an ordinary file. It was not read"):
            load_predictor(path)


def test_a_file_needs_a_name():
    with pytest.raises(InputError, match="No model file was named"):
        load_predictor("")


def test_more_values_than_any_model_has_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(plain_json.json, "loads", None)
    with pytest.raises(InputError, match=r"about 4,000,002 values, and no model of Assay has more than 2,000,000"):
        parse_model('{"a":[' + "{}," * 2_000_000 + "1]}")
    with pytest.raises(InputError, match="larger than 16 MB"):
        parse_model('{"a":"' + "x" * plain_json.LARGEST_FILE + '"}')


def test_the_largest_file_is_read_and_one_byte_more_is_not(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_text(TEXT, encoding="ascii")
    monkeypatch.setattr(plain_json, "LARGEST_FILE", len(TEXT))
    assert parse_model(TEXT).to_json() == load_predictor(path).to_json() == TEXT
    monkeypatch.setattr(plain_json, "LARGEST_FILE", len(TEXT) - 1)
    for read in (lambda: parse_model(TEXT), lambda: load_predictor(path)):
        with pytest.raises(InputError, match="larger than"):
            read()


def test_one_of_many_keys_twice_is_found_at_once():
    # Compared each with each, so many keys would take hours.
    keys = ",".join(f'"{number}":0' for number in range(300_000))
    with pytest.raises(InputError, match="the key '299999' stands twice"):
        parse_model(f'{{{keys},"299999":1}}')


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"model":[', '[{"a":'])
def test_deep_nesting_is_refused(opening):
    depth = 100_000
    with pytest.raises(InputError, match="nested so deeply"):
        parse_model('{"format":' + opening * depth)


@pytest.mark.parametrize("depth", range(50, 2000, 150))
def test_any_depth_is_refused_in_words(depth):
    for inside in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(AssayError):
            parse_model(TEXT.replace('"card": ', f'"card": {inside}, "model": 1, "features": 2, "other":'))
        with pytest.raises(AssayError):
            parse_model(
                f'{{"format": "{model_file.FORMAT}", "version": 1, "digest": "0", "card": {inside}, '
                '"features": [], "model": {}}'
            )


def test_nesting_that_ends_is_refused_as_well():
    with pytest.raises(InputError, match="nested so deeply"):
        parse_model('{"format": "assay quality model", "version": 1, "digest":' + "[" * 50_000 + "]" * 50_000 + "}")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "which is a JSON object: it is empty"),
        (b"   \n", "which is a JSON object: it is empty"),
        (b"hello", "does not begin with {"),
        (b"[1]", "does not begin with {"),
        # White space, but not that of JSON.
        (b"\x0c{}", "does not begin with {"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"\x1f\x8b\x08", "gzip"),
        (b'{"a": "\xff"}', "byte 7 is not UTF-8"),
        (b'{"a": NaN}', "NaN is no number"),
        (b'{"a": -Infinity}', "-Infinity is no number"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"a": ' + b"9" * 100_000 + b"}", r"the number 9{30}\.\.\. has 100,000 digits"),
        (b'{"a": 1e999}', "the number 1e999 is too large for a model"),
        (b'{"a": -1' + b"0" * 400 + b".0}", r"the number -10{28}\.\.\. is too large"),
        (b'{"a": 1} {"b": 2}', "line 1, column 10: not JSON"),
        (b"{}", 'a model says "format"'),
        (b'{"format": ["assay quality model"]}', 'a model says "format"'),
    ],
)
def test_what_is_no_model_is_refused(data, words):
    with pytest.raises(InputError, match=words):
        parse_model(data)


SECRET = "root:hunter2:0"


@pytest.mark.parametrize(
    ("metric", "option"),
    [
        ("meteor(synonyms={})", "synonyms"),
        ("meteor(paraphrases={})", "paraphrases"),
        ("wer(stem=wordnet:{})", "stem"),
        ("meteor(stem=wordnet:{})", "stem"),
        ("bleu(tokenize=spm:{})", "tokenize"),
    ],
)
@pytest.mark.parametrize("size", ["right", "wrong"])
def test_a_model_cannot_have_any_file_read(metric, option, size, tmp_path, monkeypatch):
    """Whatever a model file names is not opened by loading, and when it is used nothing of it is parsed or shown."""
    path = tmp_path / "secret.synsets"
    path.write_text(SECRET)
    spelled = metric.format(path)

    def change(data):
        found = assay.metric(spelled)
        data["features"][0] |= {
            "metric": spelled,
            "fields": spell(found.resolved, all_fields=True),
            "higher_is_better": found.higher_is_better,
            "files": {option: f"{len(SECRET) if size == 'right' else 7}:{'0' * 64}"},
        }

    text = edited(change)
    opened = []
    whole = Path.open
    monkeypatch.setattr(Path, "open", lambda self, *given: (opened.append(self), whole(self, *given))[1])
    model = parse_model(text)
    assert opened == []
    with pytest.raises(InputError, match=f"named by option {option} is not the one") as refusal:
        model.require_present_definition()
    assert "hunter2" not in str(refusal.value)
    # Bytes of the right number are hashed, once; others are not looked at.
    assert opened == ([path] if size == "right" else [])


def test_files_that_are_too_large_or_endless_are_not_read(tmp_path, monkeypatch):
    words = tmp_path / "synonyms.tsv"
    words.write_text("sofa\tcouch\n")
    text = quality_model(features=(Feature.parse(f"meteor(synonyms={words})"), FEATURES[1])).to_json()
    monkeypatch.setattr(signatures, "MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"'meteor.*: the files of option synonyms are larger than"):
        parse_model(text).require_present_definition()
    monkeypatch.undo()
    model = parse_model(text)
    words.unlink()
    os.mkfifo(words)
    with pytest.raises(InputError, match=r"no ordinary file. It was not read"):
        model.require_present_definition()


def test_a_metric_is_tried_once_however_many_of_its_parts_are_features(monkeypatch):
    tried = []
    whole = signatures.evaluate
    monkeypatch.setattr(
        signatures,
        "evaluate",
        lambda metric, *args, **options: (tried.append(metric), whole(metric, *args, **options))[1],
    )
    signatures._sample_rows.cache_clear()
    parts = tuple(Feature.parse(f"wer:{part}") for part in ("insertions", "deletions"))
    assert parse_model(quality_model(features=parts).to_json()).require_present_definition() is None
    assert tried == [parts[0].metric]


def chain(depth):
    """A tree that goes right and right again: inner nodes at even numbers."""
    count = 2 * depth + 1
    inner = [number % 2 == 0 and number < count - 1 for number in range(count)]
    return {
        "feature": [0 if one else -1 for one in inner],
        "threshold": [0.0] * count,
        "left": [number + 1 if one else -1 for number, one in enumerate(inner)],
        "right": [number + 2 if one else -1 for number, one in enumerate(inner)],
        "values": [[0.0, 0.0, 1.0]] * count,
        "single": True,
    }


def test_trees_are_bounded(monkeypatch):
    assert parse_model(edited(put("model", "tree", value=chain(256)))).model.tree.depth == 256
    with pytest.raises(InputError, match=r"model.tree: a tree of depth 257, but 256 is the most"):
        parse_model(edited(put("model", "tree", value=chain(257))))
    with pytest.raises(InputError, match="at most 10,000"):
        parse_model(edited(put("model", "tree", value=chain(5000))))
    # Two rounds of three stumps: six times a step and a leaf.
    text = quality_model("boosted-trees").to_json()
    assert parse_model(text)
    monkeypatch.setattr(trees, "MOST_STEPS", 11)
    with pytest.raises(InputError, match="12 steps through all trees for one translation, but 11 are the most"):
        parse_model(text)


def test_a_folder_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="this is a folder"):
        load_predictor(tmp_path)
    with pytest.raises(InputError, match=r"model.json: cannot be read \(No such file"):
        load_predictor(tmp_path / "model.json")
    with pytest.raises(InputError, match="cannot be read"):
        load_predictor("nul\0byte")


def same_or_refused(data):
    """Reading gives the same model, or an error of ours; nothing else."""
    try:
        found = parse_model(data)
    except AssayError:
        return
    assert found.to_json() == TEXT


@settings(max_examples=300)
@given(st.integers(0, len(TEXT) - 1), st.integers(0, 20), st.binary(max_size=8))
def test_any_change_of_bytes_is_refused_or_harmless(start, removed, added):
    data = TEXT.encode()
    same_or_refused(data[:start] + added + data[start + removed :])


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data):
    with pytest.raises(AssayError):
        parse_model(data)
