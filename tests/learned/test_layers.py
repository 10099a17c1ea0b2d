"""Features counted on what a tagger says of the tokens: parts of speech, semantic classes."""

import json
import shutil

import numpy as np
import pytest

import assay
from assay.data.layers import named_layers, read_layers
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning, InputError, ParameterError
from assay.learned.features import Feature
from learned.taught import taught

TEXTS = {
    "ref.A.txt": ["the old cat sat", "dogs bark", "we go home now"],
    "sys.one.txt": ["a young dog sat", "dogs bark loudly", "we went home"],
    "sys.two.txt": ["sat cat the old", "bark", "they go home now"],
}
#: Articles, adjectives, nouns, verbs, adverbs and pronouns.
TAGS = {
    "ref.A.txt": ["D J N V", "N V", "P V N A"],
    "sys.one.txt": ["D J N V", "N V A", "P V N"],
    "sys.two.txt": ["V N D J", "V", "P V N A"],
}


def written(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder


@pytest.fixture
def campaign(tmp_path):
    return written(tmp_path / "small", TEXTS)


@pytest.fixture
def tags(tmp_path):
    return written(tmp_path / "tags", TAGS)


def test_edit_distances_of_tags_by_hand(campaign, tags):
    rows = assay.features(campaign, "wer,wer@pos,per@pos,wer:insertions@pos", layers=f"pos={tags}").table()
    # Of the words of "a young dog sat" three of four are wrong, and none of the tags; one tag too many per two of the
    # reference; one too few per four.
    assert [row["wer"] for row in rows[:3]] == [75.0, 50.0, 50.0]
    assert [row["wer@pos"] for row in rows[:3]] == [0.0, 50.0, 25.0]
    assert [row["wer:insertions@pos"] for row in rows[:3]] == [0.0, 1.0, 0.0]
    # V N D J beside D J N V: the same tags in another order. D J can stay, and N V has to go and to come: two deletions
    # and two insertions, or four substitutions.
    assert [row["per@pos"] for row in rows[3:]] == [0.0, 50.0, 0.0]
    assert [row["wer@pos"] for row in rows[3:]] == [100.0, 50.0, 0.0]


def test_a_feature_of_a_layer_is_that_metric_on_a_campaign_of_tags(campaign, tags):
    table = assay.feature_table(campaign, "ter@pos,bleu(order=2)@pos", layers={"pos": tags})
    alone = assay.feature_table(tags, "ter(lowercase=false,tokenize=none),bleu(order=2,tokenize=none)")
    assert table.names == ("ter@pos", "bleu(order=2)@pos")
    assert table.values.tolist() == alone.values.tolist()
    # Tags are not cut and not changed; who wants that says so.
    assert str(Feature.parse("ter@pos")) == "ter(lowercase=false,tokenize=none)@pos"
    assert Feature.parse("ter(lowercase=true)@pos").metric.lowercase is True


def test_segments_that_are_chosen_have_their_own_tags(campaign, tags):
    (campaign / "kind.txt").write_text("x\ny\nx\n")
    rows = assay.features(campaign, "wer@pos", layers=f"pos={tags}", where="kind=x", systems="one").table()
    assert [(row["segment"], row["wer@pos"]) for row in rows] == [("0", 0.0), ("2", 25.0)]


def test_stems_need_no_layer(campaign):
    rows = assay.features(campaign, "wer(stem=porter)", systems="one").table()
    assert len(rows) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tags: written(tags, {name: lines[:2] for name, lines in TAGS.items()}),
         r"sys\.one\.txt, line 3: 2 lines, but small has 3 segments"),
        (lambda tags: written(tags, {"sys.two.txt": ["V", "", "P"]}),
         r"sys\.two\.txt, line 2: no tag for a text that has words"),
        (lambda tags: (tags / "sys.two.txt").unlink(), r"tags: there is no sys\.two\.txt, and small has one"),
        (shutil.rmtree, r"tags"),
    ],
)  # fmt: skip
def test_a_layer_that_does_not_fit_is_named_by_file_and_line(campaign, tags, change, message):
    change(tags)
    with pytest.raises(InputError, match=message):
        assay.features(campaign, "wer@pos", layers=f"pos={tags}")


def test_tags_for_an_empty_line_are_shifted_tags(campaign, tags):
    written(campaign, {"sys.one.txt": ["a young dog sat", "", "we went home"]})
    with pytest.raises(InputError, match=r"sys\.one\.txt, line 2: tags for a text without a word"):
        assay.features(campaign, "wer@pos", layers=f"pos={tags}")


def test_what_is_needed_and_not_given_and_what_is_given_and_not_needed(campaign, tags):
    with pytest.raises(InputError, match=r"'wer@pos' is counted on the layer 'pos'.*--layer pos=FOLDER"):
        assay.features(campaign, "wer@pos")
    with pytest.raises(InputError, match=r"Layers given: class\."):
        assay.features(campaign, "wer@pos", layers=f"class={tags}")
    with pytest.warns(AssayWarning, match="No feature is counted on the layer pos"):
        assay.features(campaign, "wer", layers=f"pos={tags}")
    for wrong in ("pos", "=x", "pos=", "p s=x"):
        with pytest.raises(ParameterError, match="write NAME=FOLDER"):
            named_layers((wrong,))
    with pytest.raises(ParameterError, match="given twice"):
        named_layers(("pos=a", "pos=b"))


def test_one_option_serves_several_campaigns(tmp_path, campaign):
    written(tmp_path / "all" / "small", TAGS)
    layer = read_layers({"pos": str(tmp_path / "all")}, assay.read(campaign))["pos"]
    assert layer.systems["two"][0] == "V N D J"


@pytest.fixture(scope="module")
def demo_tags(tmp_path_factory):
    """Tags of the demo's tokens: how long they are."""
    folder = tmp_path_factory.mktemp("tags")
    for file in CAMPAIGN.glob("[rs][ey][fs].*.txt"):
        lines = [
            " ".join("S" if len(word) < 4 else "L" for word in line.split()) for line in file.read_text().splitlines()
        ]
        written(folder, {file.name: lines})
    return folder


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_a_model_of_layers_is_learnt_saved_and_applied_and_says_what_it_needs(demo_tags, tmp_path):
    path, options = tmp_path / "model.json", {"layers": f"pos={demo_tags}"}
    found = assay.learn(
        CAMPAIGN,
        "wer,wer@pos",
        kind="adequacy",
        tasks="regression",
        models="ridge",
        folds=2,
        samples=0,
        save=path,
        **options,
    )
    assert found.setup["features"] == ["wer", "wer@pos"]
    assert any(name.endswith("@pos") for name in found.signatures)
    document = json.loads(path.read_text())
    # Older versions of Assay know no layers, and must not take tags for words.
    assert document["version"] == 2
    assert [one.get("layer") for one in document["features"]] == [None, "pos"]
    predicted = assay.predict(CAMPAIGN, path, segments=True, samples=0, systems="gravel", **options)
    rows = assay.features(CAMPAIGN, "wer,wer@pos", systems="gravel", **options).table()
    values = np.array([[row["wer"], row["wer@pos"]] for row in rows])
    wanted = assay.load_predictor(path).model.score(values)
    assert [row["score"] for row in predicted.table("segments")] == pytest.approx(wanted.tolist())
    with pytest.raises(InputError, match=r"'wer@pos' is counted on the layer 'pos'"):
        assay.predict(CAMPAIGN, path)
    with pytest.raises(InputError, match=r"needs layers over the texts \(pos\)"):
        assay.metric("predictor", path=str(path))
    assert "feature wer@pos" in [row["field"] for row in assay.predict(None, path, card=True).table("card")]


def test_layers_stand_beside_scores_of_other_programs():
    campaign, scores = taught(segments=6, systems=2)
    table = assay.feature_table(campaign, ["one", "wer@tag"][1:], scores=scores[:1], layers={"tag": campaign})
    assert table.names == ("wer@tag", "one")
