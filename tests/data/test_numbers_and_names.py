"""Numbers are what programs write, names are what they are, and what nobody can read again is not written."""

import re
import unicodedata
from xml.etree import ElementTree

import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.conversion import write
from assay.data.formats import CAMPAIGN_FORMATS, read
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.data.formats.scores import read_scores
from assay.data.judgements import Judgement, Judgements, alike, difference
from assay.data.tables import finite
from assay.data.validation import check_path
from assay.errors import AssayWarning, InputError
from assay.text.paraphrases import load_paraphrases
from assay.text.synonyms import load_synonyms

HEADER = "system\tsegment\tdocument\trater\tscore\tkind\n"
NO_NUMBERS = (
    "1_0",
    "٣",
    "３",
    "1,5",
    "0x10",
    "1e5_0",
    "--1",
    "1.2.3",
    "∞",
    "inf",
    "nan",
    "1e",
    ".",
    "1 0",
    "१",
    "५.५",
    "²",
)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_only_decimal_numbers_are_numbers(text, tmp_path):
    assert finite(text) is None
    campaign = Campaign("x", systems={"A": ["a"], "B": ["b"]}, references={"r": ["a"]})
    cases = {
        "human.tsv": (f"{HEADER}A\t0\t-\tr\t{text}\tda\n", read_judgements),
        "a.seg.score": (f"A\t1\nB\t{text}\n".replace(" ", "_"), lambda path: read_scores(path, campaign)),
        "a.tsv": (f"system\tscore\nA\t1\nB\t{text}\n", lambda path: read_scores(path, campaign)),
        "grades.tsv": (f"system\tsegment\tadequacy\nA\t0\t4\nA\t0\t{text}\n", read_judgements),
    }
    for name, (content, reading) in cases.items():
        if text in ("nan", "inf") and name in ("a.tsv", "a.seg.score", "grades.tsv"):
            # There it stands for no score.
            continue
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        line = 3 if name in ("a.tsv", "grades.tsv") else 2
        with pytest.raises(InputError, match=rf"line {line}.*but a number is needed") as caught:
            reading(path)
        assert caught.value.place.line == line


@pytest.mark.parametrize(
    ("text", "number"), [("5", 5.0), ("-0.5", -0.5), ("+1.", 1.0), (".5", 0.5), ("1E-3", 0.001), (" 7 ", 7.0)]
)
def test_decimal_numbers_are_read(text, number):
    assert finite(text) == number


@pytest.mark.parametrize("text", ["1_0", "٣", "3.0", "1e1"])
def test_segments_and_ranks_are_plain_whole_numbers(text, tmp_path):
    path = tmp_path / "ranks.tsv"
    path.write_text(f"segment\tsystem\trank\n{text}\tA\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, column 1: the segment is .* but a whole number from 0 on is needed"):
        read_judgements(path)


def test_a_long_number_that_is_none_is_not_looked_at_for_ever():
    assert finite("9" * 200_000 + "x") is None


ACCENTS = [unicodedata.normalize(form, "José") for form in ("NFC", "NFD")]
PAIRS = [
    (["anna", "anna "], "in blanks at the ends", r"the raters 'anna' and 'anna ' differ"),
    (["Anna", "anna"], "in capitals", "the raters 'Anna' and 'anna' differ"),
    (ACCENTS, "in how accents are encoded", r"the raters 'Jos\\xe9' and 'Jose\\u0301' differ"),
]


@pytest.mark.parametrize(("names", "how", "said"), PAIRS)
def test_raters_that_look_the_same_are_two_and_are_mentioned(tmp_path, names, how, said):
    path = tmp_path / "human.tsv"
    path.write_text(HEADER + "".join(f"A\t0\t-\t{name}\t1\tda\n" for name in names), encoding="utf-8")
    with pytest.warns(AssayWarning, match=f"{said} only {how}.*, and count as two"):
        read = read_judgements(path)
    # Nothing is repaired.
    assert read.rater.names == tuple(names)
    _, findings = check_path(path)
    assert [finding.severity for finding in findings] == ["warning"]
    assert how in findings[0].message


@pytest.mark.parametrize(("names", "how", "_said"), PAIRS)
def test_systems_that_look_like_those_of_the_campaign_are_mentioned(tmp_path, names, how, _said):
    name, other = names
    campaign = Campaign("x", systems={name: ["a"], "B": ["b"]}, references={"r": ["a"]})
    judged = campaign.with_judgements(Judgements.of([Judgement(other, 0, 1.0, "da", "r")], "human.tsv"))
    with pytest.warns(AssayWarning, match=f"human.tsv: the system .* is not the campaign's .*: they differ only {how}"):
        assert judged.judgements is not None
    write(Campaign("x", systems={"B": ["b"]}, references={"r": ["a"]}), tmp_path / "c")
    (tmp_path / "c" / f"sys.{name}.txt").write_text("a\n")
    (tmp_path / "c" / "human.tsv").write_text(f"{HEADER}{other}\t0\t-\tr\t1\tda\n", encoding="utf-8")
    _, findings = check_path(tmp_path / "c")
    said = [finding.message for finding in findings if "does not have" in finding.message]
    assert len(said) == 1
    assert how in said[0]


def test_names_of_a_campaign_that_look_the_same_are_found(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"reference": "a", "systems": {"online-A": "x", "Online-A": "y"}, "document": "d"}\n'
    )
    _, findings = check_path(tmp_path / "a.jsonl")
    assert [finding.message for finding in findings] == [
        "the systems 'online-A' and 'Online-A' differ only in capitals, and count as two."
    ]


def test_names_that_differ_in_a_letter_are_not_mentioned():
    assert alike("rater", ["anna", "anne", "r1", "r2", "R 1"]) == ""
    assert difference("a", "a") is None


@pytest.mark.parametrize("content", [b"one\rtwo\rthree\r", b"one\rtwo", b"one\r"])
def test_lines_that_end_in_carriage_returns_alone_are_refused_with_the_remedy(tmp_path, content):
    path = tmp_path / "old-mac.txt"
    path.write_bytes(content)
    count = content.count(b"\r")
    with pytest.raises(InputError) as caught:
        assay.data.files.read_lines(path)
    lines = "1 line" if count == 1 else f"{count} lines"
    assert str(caught.value) == (
        f"{path}: {lines} end in a carriage return alone, which ends no line here; a line feed does. "
        f"Convert it: tr '\\r' '\\n' < {path} > NEW"
    )
    _, (finding,) = check_path(path)
    assert (finding.severity, finding.message) == ("error", caught.value.text)


def test_one_line_feed_makes_carriage_returns_text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\rstill one\n")
    assert list(assay.data.files.read_lines(path)) == ["one\rstill one"]


def test_carriage_returns_are_layout_in_mark_up(tmp_path):
    path = tmp_path / "a.sgm"
    path.write_bytes(b'<refset>\r<doc docid="d" sysid="r">\r<seg id="1">a</seg>\r</doc>\r</refset>\r')
    assert list(read(path).references["r"]) == ["a"]


NAMES = (
    "",
    "\0",
    "a\0b",
    "\ud800",
    "-",
    " ",
    "a ",
    "e\u0301",
    "#a",
    '"',
    "a,b",
    "None",
    "source",
    "<a>",
    "&amp;",
    "\x01",
    "a\rb",
)
FILES = {name: f"out{endings[0]}" if endings else f"out-{name}" for name, (_, endings) in CAMPAIGN_FORMATS.items()}


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("output_format", CAMPAIGN_FORMATS)
def test_a_campaign_that_is_written_can_be_read(tmp_path, output_format, name):
    target = tmp_path / FILES[output_format]
    for part in ("systems", "references", "documents"):
        given = {"systems": {"s": ["t"]}, "references": {"r": ["t"]}, "documents": ("d",)}
        given |= {part: (name,) if part == "documents" else {name: ["t"]}}
        try:
            write(Campaign("x", **given), target, output_format=output_format, pair="en-de", overwrite=True)
        except InputError:
            continue
        found = getattr(read(target), part)
        # mt-metrics-eval ends names at blanks, and that they are changed is said.
        known = re.sub(r"\s", "_", name) if output_format == "mt-metrics-eval" else name
        # That all documents are called - says that nobody knows them.
        assert found is None and known in ("", "-") if part == "documents" and found is None else list(found) == [known]


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize("name", ["", "\0", "a\0b", "-"])
@pytest.mark.parametrize("output_format", [*JUDGEMENT_FORMATS])
def test_judgements_of_a_system_without_a_sound_name_are_not_written(output_format, name):
    judgements = Judgements.of([Judgement(name, 0, -1.0, "da", "r", "d", "1", ())], "human.tsv")
    campaign = Campaign("x", systems={name: ["a"]}, references={"r": ["a"]}, source=["a"], documents=("d",))
    with pytest.raises(InputError, match=r"human\.tsv: a system cannot be called .*: it could not be read again"):
        JUDGEMENT_FORMATS[output_format].write(judgements, campaign)


def test_kinds_whose_names_have_blanks_at_the_ends_are_found():
    judgements = Judgements.of([Judgement("A", 0, 1.0, " da ", "r")], "human.tsv")
    assert len(judgements.of_kinds([" da "])) == 1
    assert len(judgements.of_kinds(" da ,*")) == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("words.txt", "root:x:0:0:secret\n"),
        ("words.synsets", "secret\n12 secret\n"),
        ("words.synsets", "secret\n\n"),
        ("index.sense", "secret 1\n"),
        ("index.noun", "secret n x\n"),
    ],
)
def test_a_message_about_a_word_list_quotes_nothing_of_it(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        load_synonyms(path)
    assert "secret" not in str(caught.value)
    assert f"{path}, line " in str(caught.value)


@pytest.mark.parametrize("digit", ["\u0663", "\uff13", "\u0967", "1_0"])
def test_options_of_metrics_and_grades_take_plain_digits_alone(digit):
    with pytest.raises(assay.ParameterError, match=f"order is '{digit}', but it takes a whole number"):
        assay.metric(f"bleu(order={digit})")
    with pytest.raises(assay.ParameterError, match=f"grades is '{digit}', but it takes a number of grades"):
        assay.agreement(Campaign("x", {}, {}), grades=digit)
    assert assay.metric("bleu(order=3)").order == 3


@pytest.mark.parametrize("part", ["systems", "references", "columns", "documents", "segments"])
def test_half_a_character_is_no_name(part):
    given = {"systems": {"s": ["t"]}, "references": {"r": ["t"]}}
    given |= {part: ("\ud800",) if part in ("documents", "segments") else {"\ud800": ["t"]}}
    with pytest.raises(InputError, match=rf"a {part[:-1]} cannot be called '\\ud800': half a character is no text"):
        Campaign("x", **given)


def test_judges_are_not_called_half_a_character_either():
    with pytest.raises(InputError, match="a rater cannot be called"):
        Judgements.of([Judgement("A", 0, 1.0, "da", "\ud800")], "human.tsv")


@pytest.mark.parametrize("name", ["\0", "\x1b[31m", "\ufffe", "a\u2028b", "<b>&"])
def test_a_drawing_with_a_hostile_name_is_sound(name):
    campaign = Campaign("x", systems={name: ["a b c"]}, references={name: ["a c"], "r": ["c"]})
    for metric in ("ter", "bleu", "gtm", "meteor"):
        drawing = assay.explain_segment(metric, campaign).chart().to_bytes("svg")
        ElementTree.fromstring(drawing)
        assert b"<b>" not in drawing


def test_a_result_about_a_campaign_with_half_a_character_in_its_name_is_text():
    # So are folders called whose names are not UTF-8.
    result = assay.score(Campaign("\ud800", systems={"s": ["a"]}, references={"r": ["a"]}), "f1", samples=0)
    for style in ("json", "text", "markdown", "html", "latex"):
        assert result.render(style).encode()
    assert assay.Result.from_json(result.to_json()).campaign == "\ud800"


def test_a_message_about_paraphrases_quotes_nothing_of_the_table(tmp_path):
    path = tmp_path / "table"
    path.write_text("root:x:0:0:secret\n")
    with pytest.raises(InputError, match=f"{path}, line 1: no probability, with which an entry begins") as caught:
        load_paraphrases(path)
    assert "secret" not in str(caught.value)
