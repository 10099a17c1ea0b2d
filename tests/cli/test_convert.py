"""``assay convert``: formats by name, nothing overwritten, nothing lost without a word."""

import json

import pytest

import assay

HUMAN = "system\tsegment\tdocument\trater\tscore\tkind\ngood\t0\td1\tr1\t80\tda\npoor\t2\td2\tr1\t20\tda\n"


@pytest.fixture
def judged(campaign):
    (campaign / "human.tsv").write_text(HUMAN)
    return campaign


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("out.tsv", ()),
        ("out.csv.gz", ()),
        ("out.jsonl.zst", ()),
        ("out.parquet", ()),
        ("out.sgm", ()),
        ("out", ("--to", "sgml")),
        ("out.xml", ()),
        ("out", ()),
        ("out", ("--to", "mt-metrics-eval", "--pair", "de-en")),
    ],
)
def test_a_campaign_scores_the_same_in_every_format(command, campaign, tmp_path, name, options):
    result = command("convert", campaign, tmp_path / name, *options)
    assert result.code == 0
    assert result.out.startswith(f"{tmp_path / name}: 2 systems, 2 references, 3 segments (")

    def scores(path):
        found = json.loads(command("score", path, "--format", "json", "--samples", "0").out)["scores"]
        return [(one["system"], one["metric"], one["score"]) for one in found]

    assert scores(tmp_path / name) == scores(campaign)


def test_sets_are_scored_like_lines(command, campaign, tmp_path):
    command("convert", campaign, tmp_path / "sets", "--to", "sgml")
    sets = command("score", "-r", tmp_path / "sets/ref.sgm", tmp_path / "sets/tst.sgm", "--format", "json")
    plain = command("score", campaign, "--format", "json")
    assert [one["score"] for one in json.loads(sets.out)["scores"]] == [
        one["score"] for one in json.loads(plain.out)["scores"]
    ]
    mixed = command("score", "-r", tmp_path / "sets/ref.sgm", campaign / "sys.good.txt", "--format", "json")
    assert {one["system"] for one in json.loads(mixed.out)["scores"]} == {"good"}


def test_what_has_no_place_is_told(command, judged, tmp_path):
    (judged / "README.md").write_text("hello")
    result = command("convert", judged, tmp_path / "out.tsv")
    assert result.code == 0
    assert "no place for the judgements of campaign" in result.err
    assert "not part of the campaign and not converted: README.md." in result.err
    assert command("convert", judged, tmp_path / "out2.tsv", "-q").err == ""


def test_nothing_is_overwritten_without_force(command, campaign, tmp_path):
    target = tmp_path / "out.tsv"
    target.write_text("mine")
    result = command("convert", campaign, target)
    assert (result.code, target.read_text()) == (2, "mine")
    assert "is there already. Replace it with --force" in result.err
    assert command("convert", campaign, target, "--force").code == 0
    assert len(assay.read(target)) == 3


def test_judgements_are_taken_out_of_a_campaign_and_converted(command, judged, tmp_path):
    result = command("convert", judged, tmp_path / "judged.tsv", "--to", "assay")
    assert result.out == f"{tmp_path / 'judged.tsv'}: 2 judgements of 2 systems (da) (assay)\n"
    assert (tmp_path / "judged.tsv").read_text() == HUMAN
    again = command("convert", tmp_path / "judged.tsv", tmp_path / "again.tsv", "--campaign", judged)
    assert again.code == 0
    assert (tmp_path / "again.tsv").read_text() == HUMAN


def test_kinds_of_judgements_are_chosen(command, judged, tmp_path):
    (judged / "human.tsv").write_text(HUMAN + "good\t1\t-\tr2\t-5\tmqm\n")
    command("convert", judged, tmp_path / "mqm.tsv", "--to", "assay", "--kind", "mqm")
    assert (tmp_path / "mqm.tsv").read_text().splitlines()[1:] == ["good\t1\t-\tr2\t-5\tmqm"]
    command("convert", judged, tmp_path / "out", "--kind", "d*")
    assert (tmp_path / "out" / "human.tsv").read_text() == HUMAN
    assert "Did you mean 'mqm'" in command("convert", judged, tmp_path / "x", "--kind", "mqn").err


def test_one_file_goes_to_standard_output(command, campaign):
    result = command("convert", campaign, "-", "--to", "csv")
    assert result.out.splitlines()[0] == "document,domain,reference.A,reference.B,good,poor"
    several = command("convert", campaign, "-", "--to", "folder")
    assert several.code == 2
    assert "6 files to write, and standard output can take one" in several.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("nowhere", "out.tsv"), "nowhere: no such file or folder"),
        (("campaign/sys.good.txt", "out.tsv"), "plain lines alone are no campaign"),
        (("campaign", "no/such/out.tsv"), "cannot be written (no folder"),
        (("campaign", "no/such/out"), "cannot be written (no folder"),
        (("campaign", "out.csv", "--to", "assay"), "has no judgements"),
        (("campaign", "out", "--to", "mt-metrics-eval"), "Say which, for example --pair en-de"),
        (("campaign", "out.tsv", "--to", "tvs"), "'tvs' is not one of"),
        (("human.tsv", "out.xml"), "its name does not tell the format"),
        (("human.tsv", "out.xml", "--to", "wmt-xml"), "Judgements have no texts, so they cannot be written as wmt-xml"),
        (("campaign", "out.zst"), "which cannot be compressed"),
        (("campaign", "out.tsv", "--campaign", "campaign"), "is a campaign of its own"),
    ],
)
@pytest.mark.usefixtures("campaign")
def test_what_cannot_be_converted_leaves_nothing_behind(command, tmp_path, monkeypatch, given, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "human.tsv").write_text(HUMAN)
    before = sorted(path.name for path in tmp_path.iterdir())
    result = command("convert", *given)
    assert result.code == 2
    assert message in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_language_pairs_are_chosen_in_every_command(command, campaign, tmp_path):
    for pair in ("de-en", "fr-en"):
        command("convert", campaign, tmp_path / pair, "--to", "mt-metrics-eval", "--pair", pair)
    for file in sorted((tmp_path / "fr-en").rglob("*.*")):
        if file.is_file():
            place = tmp_path / "de-en" / file.relative_to(tmp_path / "fr-en")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.read_bytes())
    refused = command("score", tmp_path / "de-en")
    assert "2 language pairs. Choose one with --pair: de-en, fr-en." in refused.err
    assert command("score", tmp_path / "de-en", "--pair", "fr-en", "--samples", "0").code == 0
    assert command("compare", tmp_path / "de-en", "--pair", "fr-en", "--samples", "10").code == 0
    misplaced = command("score", "-r", campaign / "ref.A.txt", campaign / "sys.good.txt", "--pair", "fr-en")
    assert "--pair is for a folder of mt-metrics-eval" in misplaced.err


def test_a_table_of_judgements_has_no_place_for_line_ends(command, tmp_path):
    (tmp_path / "in.jsonl").write_text(
        '{"system": "A", "segment": 0, "score": 1, "comment": "one\\ntwo"}\n{"system": "A", "segment": 1, "score": 2}\n'
    )
    result = command("convert", tmp_path / "in.jsonl", tmp_path / "out.tsv")
    assert "blanks stand for them in 1 fields" in result.err
    assert command("convert", tmp_path / "out.tsv", tmp_path / "back.jsonl").code == 0
    back = [json.loads(line) for line in (tmp_path / "back.jsonl").read_text().splitlines()]
    assert [one.get("comment") for one in back] == ["one two", None]


def test_parquet_of_texts_and_of_judgements_are_told_apart(command, judged, tmp_path):
    assert command("convert", judged, tmp_path / "texts.parquet").code == 0
    assert command("convert", judged / "human.tsv", tmp_path / "judgements.parquet").code == 0
    assert command("convert", tmp_path / "texts.parquet", tmp_path / "texts.tsv").code == 0
    result = command("convert", tmp_path / "judgements.parquet", tmp_path / "human.tsv")
    assert result.out.endswith("human.tsv: 2 judgements of 2 systems (da) (assay)\n")
    assert command("validate", tmp_path / "texts.parquet").code == 0


def test_a_pair_of_languages_cannot_lead_elsewhere(command, campaign, tmp_path):
    result = command("convert", campaign, tmp_path / "out", "--to", "mt-metrics-eval", "--pair", "../../x-de")
    assert result.code == 2
    assert "it takes two languages, as in en-de" in result.err
