"""``assay validate``: every finding with its place, and an exit code that a gate can use."""

import gzip
import json
from xml.etree import ElementTree

import pytest

import assay
from assay.cli.main import run
from assay.data.conversion import write
from assay.data.formats import read

HEADER = "system\tsegment\tdocument\trater\tscore\tkind\n"


@pytest.fixture
def found(command, tmp_path):
    """What is found, as ``file:line:column: severity: message`` with short paths."""

    def call(*arguments):
        result = command("validate", *arguments)
        assert result.err == ""
        lines = result.out.replace(f"{tmp_path}/", "").split("\n\n")[0].splitlines()
        assert result.code == (0 if lines[0].startswith("Sound") else 1)
        return lines

    return call


def test_a_sound_campaign_is_sound(found, campaign):
    assert found(campaign) == ["Sound: campaign (folder)."]


def test_python_gets_what_the_command_line_shows(campaign, tmp_path):
    (campaign / "human.tsv").write_text(HEADER + "nobody\t0\t\tr\t50\tda\n")
    by_path = assay.validate(tmp_path / "campaign" / "human.tsv", campaign=campaign)
    given = assay.validate(paths=[str(tmp_path / "campaign" / "human.tsv")], campaign=read(campaign))
    assert by_path.failed
    assert by_path.setup == {"errors": 0, "warnings": 1}
    assert [row["line"] for row in by_path.table("problems")] == [2]
    assert given.table("problems") == by_path.table("problems")
    assert not assay.validate(campaign, errors_only=True).failed


def test_nothing_to_check_and_choices_of_data_are_refused(campaign):
    with pytest.raises(assay.ParameterError, match=r"paths is .*, but it takes at least one file or folder"):
        assay.validate([])
    with pytest.raises(assay.UnknownName, match="option of validate 'seed'"):
        assay.validate(campaign, seed=3)
    with pytest.raises(TypeError, match=r"validate\(\) takes paths; name the other options"):
        assay.validate(campaign, "folder")
    with pytest.raises(TypeError, match=r"score\(\) needs a campaign"):
        assay.score(metrics="bleu")


def test_every_wrong_line_count_is_found_even_that_of_the_first_file(found, campaign):
    (campaign / "ref.A.txt").write_text("one\ntwo\n")
    (campaign / "sys.poor.txt").write_text("1\n2\n3\n4\n")
    (campaign / "column.txt").write_text("1\n2\n3\n4\n")
    assert [line.split(". Every")[0] for line in found(campaign)] == [
        "campaign/ref.A.txt:3: error: 2 lines, but docs.txt has 3",
        "campaign/sys.poor.txt:4: error: 4 lines, but docs.txt has 3",
        "campaign/column.txt: warning: 4 lines, but docs.txt has 3, so it is not used as a column.",
    ]


def test_every_bad_byte_is_found_with_line_and_column(found, campaign):
    (campaign / "sys.good.txt").write_bytes(b"\xef\xbb\xbffine\r\nstra\xc3\x9fe \xff \xfe\r\nn\0l\n")
    assert found(campaign) == [
        "campaign/sys.good.txt:1: warning: a byte order mark, which is not counted as text.",
        "campaign/sys.good.txt:1: warning: 2 lines end as on Windows (CR LF), and 1 in a line feed alone; "
        "both are read as line ends.",
        "campaign/sys.good.txt:2:8: error: the byte 0xff is not valid UTF-8.",
        "campaign/sys.good.txt:2:10: error: the byte 0xfe is not valid UTF-8.",
        "campaign/sys.good.txt:3:2: error: a NUL byte.",
    ]


def test_a_file_of_another_encoding_is_not_listed_byte_by_byte_for_ever(found, tmp_path):
    (tmp_path / "latin.txt").write_bytes(b"\xe9\n" * 5000)
    lines = found(tmp_path / "latin.txt")
    assert len(lines) == 101
    assert lines[0] == "latin.txt: error: more than 100 bytes are wrong; the others are not listed."
    (tmp_path / "wide.txt").write_bytes("hello".encode("utf-16"))
    assert found(tmp_path / "wide.txt") == [
        "wide.txt: error: the file is UTF-16, but text is UTF-8. Convert it: iconv -f UTF-16 -t UTF-8"
    ]


def test_texts_that_look_wrong_are_found(found, campaign):
    text = (campaign / "sys.good.txt").read_text()
    (campaign / "sys.twin.txt").write_text(text)
    (campaign / "src.txt").write_text((campaign / "sys.poor.txt").read_text())
    (campaign / "ref.C.txt").write_text("a\n\n  \n")
    (campaign / "segments.txt").write_text("s1\ns2\ns1\n")
    (campaign / "sys.B.txt").write_text((campaign / "ref.B.txt").read_text())
    (campaign / "sys.stolen.txt").write_text((campaign / "ref.B.txt").read_text())
    assert found(campaign) == [
        "campaign/ref.C.txt:2: warning: reference 'C': 2 of 3 segments are empty, the first of them segment 1.",
        "campaign/sys.poor.txt: warning: system 'poor' is the same text as the source, in every segment.",
        "campaign/sys.stolen.txt: warning: system 'stolen' is the same text as reference 'B', in every segment.",
        "campaign/sys.stolen.txt: warning: system 'stolen' is the same text as system 'B', in every segment.",
        "campaign/sys.twin.txt: warning: system 'twin' is the same text as system 'good', in every segment.",
        "campaign/segments.txt:3: error: segment 2 is called 's1', as segment 0 is.",
    ]


def test_what_is_sound_is_checked_beside_what_is_not(found, campaign):
    (campaign / "sys.good.txt").write_text("too\nshort\n")
    (campaign / "sys.twin.txt").write_text((campaign / "sys.poor.txt").read_text())
    (campaign / "human.tsv").write_text(HEADER + "good\t9\t-\tr\t1\tda\n")
    short, twin, outside = found(campaign)
    assert short.startswith("campaign/sys.good.txt:3: error: 2 lines, but docs.txt has 3")
    assert twin == "campaign/sys.twin.txt: warning: system 'twin' is the same text as system 'poor', in every segment."
    assert outside.startswith("campaign/human.tsv:2: error: 1 judgement of segments that the campaign does not have")


def test_a_thing_that_is_there_twice_is_found(found, campaign):
    (campaign / "sys.good.txt.gz").write_bytes(gzip.compress(b"a\nb\nc\n"))
    (campaign / "docs.txt.gz").write_bytes(b"no gzip")
    (campaign / "sys.x.TXT").write_text("a\n")
    lines = found(campaign)
    assert lines[0] == "campaign/docs.txt.gz: error: docs is in docs.txt as well. Keep one of them."
    assert lines[1] == "campaign/sys.good.txt.gz: error: system 'good' is in sys.good.txt as well. Keep one of them."


def test_every_bad_line_of_judgements_is_found_and_the_others_are_checked(found, campaign):
    rows = [
        "good\t0\td1\tr1\t50\tda",
        "good\tx\td1\tr1\t50\tda",
        "good\t1\td1\tr1\t5O\tda",
        "good\t1\td1\tr1",
        "god\t1\td1\tr2\t150\tda",
        "good\t7\t-\tr1\t60\tda",
        "good\t2\td1\tr1\t60\tda",
        "good\t0\td1\tr1\t60\tda",
        "poor\t-\td9\tr1\t60\tda",
        "poor\t1\td1\tr1\t3\tmqm",
    ]
    (campaign / "human.tsv").write_text(HEADER + "\n".join(rows) + "\n")
    file = "campaign/human.tsv"
    assert [line.removeprefix(file) for line in found(campaign)] == [
        ":3:6: error: the segment is 'x', but a number from 0 on is needed, or - for a judgement of a whole document "
        "or system.",
        ":4:14: error: the score is '5O', but a number is needed, or - where there is none.",
        ":5: error: 4 fields, but the header has 6. Every line has one field per column, with tabs between.",
        ":6: warning: 1 score of kind 'da' outside of what is usual, from 0 to 100; the first of them is 150.",
        ":6: warning: 1 judgement of system 'god', which the campaign does not have. Did you mean 'good'?",
        ":7: error: 1 judgement of segments that the campaign does not have, the first of them 7: there are 3, "
        "numbered from 0.",
        ":8: error: 1 judgement under a document other than the campaign has it, the first of them 'd1' for segment 2, "
        "which belongs to 'd2'.",
        ":9: warning: 1 judgement of kind 'da' by a rater who has judged the item before (here again, first in line 2)"
        "; they count as repeats.",
        ":10: warning: 1 judgement of documents that the campaign does not have, the first of them 'd9'.",
        ":11: warning: 1 score of kind 'mqm' outside of what is usual, 0 and below; the first of them is 3.",
    ]


def test_a_constant_rater_and_a_lone_ranking_are_found(found, tmp_path):
    lines = [f"A\t{number}\tlazy\t70\tda\t-\n" for number in range(10)]
    lines += ["A\t0\tkeen\t10\tda\t-\n", "A\t0\tkeen\t-1\trr\tone\n"]
    (tmp_path / "human.tsv").write_text("system\tsegment\trater\tscore\tkind\tranking\n" + "".join(lines))
    assert found(tmp_path / "human.tsv") == [
        "human.tsv:2: warning: rater 'lazy' gave the same score, 70, to all 10 items of kind 'da'.",
        "human.tsv:13: warning: 1 ranking with one item only, which ranks nothing.",
    ]


def test_every_bad_line_of_a_table_is_found(found, tmp_path):
    (tmp_path / "t.tsv").write_text("reference\tmine\na\tb\nc\nd\te\tf\ng\th\n")
    fields = "fields, but the header has 2. Every line has one field per column."
    assert found(tmp_path / "t.tsv") == [f"t.tsv:3: error: 1 {fields}", f"t.tsv:4: error: 3 {fields}"]
    (tmp_path / "t.jsonl").write_text('{"ref": "a", "S": "b"}\n{"ref": "a", "S": }\n[]\n{"ref": "a"}\n')
    assert [line.split(" (")[0] for line in found(tmp_path / "t.jsonl")] == [
        "t.jsonl:2:19: error: not JSON",
        "t.jsonl:3: error: '[]' is not an object. Every line is one segment: {...}.",
    ]
    (tmp_path / "u.tsv").write_text("reference\tmine\n\tb\n")
    assert found(tmp_path / "u.tsv") == [
        "u.tsv:2: warning: reference 'reference': 1 segment is empty, the first of them segment 0."
    ]


def test_all_segments_that_do_not_fit_are_found_in_sets(found, campaign, tmp_path):
    (campaign / "domains.txt").unlink()
    write(read(campaign), tmp_path / "all.sgm")
    text = (tmp_path / "all.sgm").read_text()
    head, tail = text.split("<tstset")
    broken = tail.replace('<seg id="1">', '<seg id="9">', 1).replace('<seg id="2">world', '<seg id="8">world', 1)
    (tmp_path / "all.sgm").write_text(f"{head}<tstset{broken}")
    lines = found(tmp_path / "all.sgm")
    assert [line.split(": ")[0] for line in lines] == ["all.sgm", "all.sgm", "all.sgm:19", "all.sgm:27"]
    assert "system 'good' lacks 1 of 3 segments" in lines[0]
    assert "segment '9' of document 'd1'" in lines[2]


def test_markup_that_cannot_be_read_is_found_with_its_place(found, tmp_path):
    (tmp_path / "x.xml").write_text("<dataset>\n<doc></dataset>")
    assert found(tmp_path / "x.xml") == ["x.xml:2:1: error: <doc> without id."]


def test_a_folder_of_mt_metrics_eval_is_checked(found, campaign, tmp_path):
    (campaign / "src.txt").write_text("eins\nzwei\ndrei\n")
    write(read(campaign), tmp_path / "wmt", output_format="mt-metrics-eval", pair="de-en")
    assert found(tmp_path / "wmt") == ["Sound: wmt (mt-metrics-eval)."]
    (tmp_path / "wmt/references/de-en.A.txt").write_text("one\n")
    (tmp_path / "wmt/system-outputs/de-en/good.txt").write_bytes(b"\xff\n")
    assert [line.split(". ")[0] for line in found(tmp_path / "wmt")] == [
        "wmt/system-outputs/de-en/good.txt:1:1: error: the byte 0xff is not valid UTF-8.",
        "wmt/references/de-en.A.txt:2: error: 1 lines, but de-en.txt has 3",
    ]


def test_a_segment_without_references_is_found(found, tmp_path):
    (tmp_path / "x.jsonl").write_text('{"ref.A": "a", "S": "b"}\n{"S": "c"}\n')
    assert found(tmp_path / "x.jsonl") == [
        "x.jsonl:2: error: 1 segment without any reference, the first of them segment 1."
    ]


def test_a_file_that_cannot_be_decompressed_is_found(found, tmp_path):
    (tmp_path / "x.tsv.gz").write_bytes(b"no gzip")
    assert found(tmp_path / "x.tsv.gz")[0].startswith("x.tsv.gz: error: not a sound gzip file")


def test_parquet_that_is_none_is_found(found, tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"nothing")
    assert found(tmp_path / "x.parquet")[0].startswith("x.parquet: error: not a sound Parquet file")


def test_findings_are_json_and_tables_too(command, campaign):
    (campaign / "sys.good.txt").write_text("one\n")
    found = json.loads(command("validate", campaign, "--format", "json").out)
    assert found["command"] == "validate"
    assert found["setup"] == {"errors": 1, "warnings": 0}
    assert found["problems"][0]["line"] == 2
    assert found["problems"][0]["column"] is None
    assert found["checked"] == [{"path": str(campaign), "format": "folder", "sound": False}]
    table = command("validate", campaign, "--format", "tsv").out
    assert table.splitlines()[0] == "file\tline\tcolumn\tseverity\tmessage\tplace"
    assert "1 error: " in command("validate", campaign, "--format", "markdown").out


def test_a_gate_reads_junit(command, campaign, tmp_path):
    (campaign / "sys.good.txt").write_text("one\n")
    assert command("validate", campaign, campaign / "ref.A.txt", "-o", tmp_path / "found.xml").code == 1
    suite = ElementTree.parse(tmp_path / "found.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert "sys.good.txt:2: error: 1 lines, but" in suite.find("testcase/failure").text


def test_errors_alone_count_if_asked(command, campaign):
    (campaign / "ref.C.txt").write_text("\n\n\n")
    assert command("validate", campaign).code == 1
    assert command("validate", campaign, "--errors-only").code == 0


def test_usage_is_another_matter(command, tmp_path):
    assert "no such file or folder" in command("validate", tmp_path / "nowhere").err
    assert command("validate", tmp_path / "nowhere").code == 2
    assert run(["validate"]) == 2
    assert run(["validate", ""]) == 2


def test_a_field_between_quotation_marks_is_named_by_its_number(found, tmp_path):
    (tmp_path / "esa.csv").write_text("u,A,x,TGT,eng,deu,5\nu,A,1,TGT,eng,deu,5\nu,A,2,TGT,eng,deu,high\n")
    assert found(tmp_path / "esa.csv") == [
        "esa.csv:1: error: field 3: the item is 'x', but a whole number from 0 on is needed.",
        "esa.csv:3: error: field 7: the score is 'high', but a number is needed.",
    ]


def test_items_that_nobody_judged_are_no_flaw(command, tmp_path):
    (tmp_path / "en-de.da.seg.score").write_text("A\t80\nA\tNone\n")
    assert command("validate", tmp_path / "en-de.da.seg.score").code == 0


def test_what_was_left_out_is_said_without_the_name_of_the_file_twice(command, tmp_path):
    (tmp_path / "da.csv").write_text("u,A,1,TGT,eng,deu,5\nu,A,2,BAD,eng,deu,5\n")
    result = command("validate", tmp_path / "da.csv")
    assert result.out.startswith(f"{tmp_path / 'da.csv'}: warning: left out were 1 items of type BAD.")


def test_an_empty_file_of_lines_is_found(found, tmp_path):
    (tmp_path / "sys.txt").write_text("")
    assert found(tmp_path / "sys.txt") == ["sys.txt: error: the file is empty: there are no segments."]


def test_a_folder_in_the_place_of_a_system_is_called_so(found, campaign):
    (campaign / "sys.more.txt").mkdir()
    assert found(campaign) == ["campaign/sys.more.txt: error: this is a folder, but a file is needed."]
