"""Files that cannot be used: the message says where, what, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.problems import STRICT
from assay.errors import InputError
from data.judgements.campaigns import read_text

GOOGLE = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
ERRORS = "system\tsegment\trater\tstart\tend\tcategory\tseverity\n"
RATING = '{"errors": [{"start": 1, "end": 2, "severity": "odd"}]}'

FLAWS = [
    ("mqm", "x.tsv", GOOGLE.replace("rater", "judge"), "line 1: no column 'rater'"),
    ("mqm", "x.tsv", GOOGLE, "a header but no judgements"),
    ("mqm", "x.tsv", GOOGLE + "A\td1\t1\n", "line 2: 3 fields, but the header has 9"),
    ("mqm", "x.tsv", GOOGLE + "A\td1\t1\tone\tr\ts\tt\tOther\tMajor\n", "line 2, column 8: the segment is 'one'"),
    ("mqm", "x.tsv", GOOGLE + "-\td1\t1\t1\tr\ts\tt\tOther\tMajor\n", "line 2, column 1: no system is named"),
    (
        "mqm",
        "x.tsv",
        GOOGLE + "A\td1\t1\t1\tr\tA house.\tt\tOther\t\n",
        "line 2, column 29: an error without a severity",
    ),
    (
        "mqm",
        "x.tsv",
        GOOGLE + "A\td1\t1\t1\tr\tA house.\tt\tOther\tHuge\n",
        "line 2: There is no weight in the table 'google' for the severity 'Huge'",
    ),
    (
        "mqm-unbabel",
        "x.tsv",
        GOOGLE.replace("\n", "\tmisc\n") + "A\td1\t1\t1\tr\ts\tt\tO\tMajor\t{}\n",
        "field 10: no mqm in misc",
    ),
    (
        "mqm-unbabel",
        "x.tsv",
        GOOGLE.replace("\n", "\tmisc\n") + 'A\td1\t1\t1\tr\t"s\tt\tO\tMajor\t{}\n',
        "quotation mark missing",
    ),
    ("mqm-averages", "x.tsv", "system mqm_avg_score seg_id\nA -1\n", "line 2: 2 fields"),
    ("mqm-averages", "x.tsv", "system mqm_avg_score seg_id\nA x 1\n", "line 2, column 3: the score is 'x'"),
    ("mqm-averages", "x.tsv", "system mqm_avg_score seg_id\nA 1 0\n", "line 2, column 5: the segment is '0'"),
    (
        "mqm-averages",
        "x.tsv",
        "system mqm_avg_score seg_id\nA 1 1\nA 2 1\n",
        "line 3: a second average of 'A' on segment 1",
    ),
    (
        "error-spans",
        "x.tsv",
        ERRORS + "A\t0\tr\t5\t3\to\tmajor\n",
        "line 2, column 9: the error ends at 3, before it begins at 5",
    ),
    ("error-spans", "x.tsv", ERRORS + "A\t0\tr\t5\tx\to\tmajor\n", "line 2, column 9: the end is 'x'"),
    ("ranking", "x.tsv", "segment\tsystem\trank\n0\tA\t0\n", "line 2, column 5: the rank is 0, but 1 is the best one"),
    ("ranking", "x.tsv", "segment\tsystem\trank\n0\tA\t-1\n", "no rankings in it"),
    (
        "ranking-wmt",
        "x.csv",
        "srclang,trglang,srcIndex,system1Id,system1rank\na,b,0,A,1\n",
        "line 2, field 3: the segment is '0'",
    ),
    (
        "ranking-wmt",
        "x.csv",
        "srclang,trglang,srcIndex,system1Id,system2Id,system1rank\n",
        "system2Id has no system2rank",
    ),
    (
        "adequacy-fluency",
        "x.tsv",
        "system\tsegment\tadequacy\nA\t0\tgood\n",
        "line 2, column 5: the grade 'adequacy' is 'good'",
    ),
    ("adequacy-fluency", "x.tsv", "system\tsegment\n", "line 1: no column of grades"),
    ("adequacy-fluency", "x.tsv", "system\tsysid\tadequacy\n", "both 'system' and 'sysid' may be the system"),
    (
        "mtme-score",
        "x.da.seg.score",
        "A\t1\nA\t2\n",
        "'A' has 2 scores, but 4 are needed, one per segment of the campaign",
    ),
    ("mtme-score", "x.da.seg.score", "A\t1\nA 2 3\n", "line 2: 3 fields, but system and score are needed"),
    ("mtme-score", "x.da.sys.score", "A\tnan\n", "line 1, column 3: the score is 'nan'"),
    ("mtme-score", "x.da.sys.score", "A\t1\nA\t2\n", "line 2: 'A' has 2 scores, but 1 are needed, one per system"),
    ("mtme-score", "x.da.domain.score", "news\tA\t1\nnews\tA\t2\n", "line 2: a second score of 'A' on domain 'news'"),
    ("mtme-score", "x.txt", "A\t1\n", "a score file is called NAME.seg.score"),
    ("mtme-rating", "x.mqm.seg.rating", "A\n", "line 1: 1 fields, but system, rating and perhaps rater"),
    ("mtme-rating", "x.mqm.seg.rating", "A\t{\n", "line 1, column 4: not JSON"),
    ("mtme-rating", "x.mqm.seg.rating", "A\t{}\n", "line 1: no errors in the rating"),
    ("mtme-rating", "x.mqm.seg.rating", "A\tNone\n", "line 1: 'A' has 1 lines, but 4 are needed"),
    ("mtme-rating", "x.mqm.seg.rating", f"A\t{RATING}\n" * 4, "line 1: There is no weight in the table 'google'"),
    ("mtme-rating-jsonl", "x.jsonl", '{"errors": [], "segment_id": -1}\n', "line 1: segment_id is -1"),
    ("mtme-rating-jsonl", "x.jsonl", '{"errors": [], "segment_id": 1}\n', "line 1: no system_id"),
    (
        "mtme-rating-jsonl",
        "x.jsonl",
        '{"errors": [], "segment_id": 1, "system_id": "A", "source": "?"}\n',
        "line 1: its source or document is not that of segment 1",
    ),
    ("pearmut", "x.jsonl", '{"user_id": "u"}\n', "line 1: no annotation"),
    (
        "pearmut",
        "x.jsonl",
        '{"item_i": 0, "item": [{}, {}], "annotation": [{}]}\n',
        "line 1: 2 items, but 1 annotations",
    ),
    ("pearmut", "x.jsonl", '{"item_i": 0, "annotation": {"A": 5}}\n', "what was said of 'A' is '5'"),
    ("pearmut", "x.jsonl", '{"item_i": 0, "annotation": {"A": {"score": "x"}}}\n', "line 1: score is 'x'"),
    ("pearmut", "x.jsonl", '{"item_i": 0, "annotation": {"A": {"error_spans": 3}}}\n', "error_spans is '3'"),
    ("assay", "x.tsv", "system\tsegment\tscore\nA\t" + "9" * 20 + "\t1\n", "line 2, column 3: the segment is '999"),
    ("mqm", "x.tsv", GOOGLE + "A\td1\t1\t" + "9" * 20 + "\tr\ts\tt\tO\tMajor\n", "line 2, column 8: the segment is '9"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1, "segment": ' + "9" * 20 + "}\n", "line 1: segment is 9999"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": ' + "9" * 400 + "}\n", "line 1: score is 9999"),
    ("jsonl", "x.jsonl", '{"system": "A\\ud800", "score": 1}\n', "line 1: system: 'A\\ud800' has a lone surrogate"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1, "note": "\\ud800"}\n', "'\\ud800' has a lone surrogate"),
    (
        "jsonl",
        "x.jsonl",
        '{"system": "A", "system": "B", "score": 1}\n',
        "line 1: cannot be read (the key 'system'",
    ),
    ("jsonl", "x.jsonl", "{}\n", "line 1: no system is named"),
    ("jsonl", "x.jsonl", '{"system": "A"}\n', "line 1: no score; null stands for none"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": true}\n', "line 1: score is True"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1, "segment": "0"}\n', "line 1: segment is '0'"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1, "spans": [{"start": 1}]}\n', "an error without a severity"),
    (
        "jsonl",
        "x.jsonl",
        '{"system": "A", "score": 1, "spans": [{"severity": "major", "start": 5, "end": 2}]}\n',
        "an error from 5 to 2. It needs both ends, in their order",
    ),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1}\n[]\n', "line 2: '[]' is not an object"),
    ("jsonl", "x.jsonl", '{"system": "A", "score": 1}\n{"system":\n', "line 2, column 11: not JSON"),
    ("parquet", "x.parquet", "PAR1", "not a sound Parquet file"),
    ("esa", "x.csv", "u1,A,1\n", "line 1: 3 fields, but at least 7 are needed"),
    ("esa", "x.csv", "u1,A,1,XYZ,eng,deu,5\n", "line 1, field 4: the type of item is 'XYZ'"),
    ("esa", "x.csv", "u1,A,1,TGT,eng,deu,high\n", "line 1, field 7: the score is 'high'"),
    ("esa", "x.csv", "u1,A,9,TGT,eng,deu,5\n", "line 1: item 9, but the campaign has 4 segments"),
    ("esa", "x.csv", "u1,A,1,TGT,eng,deu,5,d1#A,False,[{]\n", "line 1, field 10: the list of errors is not JSON"),
]


@pytest.mark.parametrize(("format_name", "name", "text", "message"), FLAWS)
def test_a_flaw_is_named_with_its_place(tmp_path: Path, format_name: str, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(tmp_path, name, text, format_name)
    assert message in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


@pytest.mark.parametrize("format_name", list(JUDGEMENT_FORMATS))
def test_an_empty_file_is_refused(tmp_path: Path, format_name: str) -> None:
    with pytest.raises(InputError):
        read_text(tmp_path, "x.da.seg.score", "", format_name)


@pytest.mark.parametrize("format_name", list(JUDGEMENT_FORMATS))
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, format_name: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        JUDGEMENT_FORMATS[format_name].read(str(tmp_path / "x.da.seg.score"), None, STRICT)


STRANGE = [b"\x00\x01\xff\xfe", b"{}\n{}\n", b"a\tb\n1\t2\n", b'"', b"[]\n"]


@pytest.mark.parametrize("format_name", list(JUDGEMENT_FORMATS))
@pytest.mark.parametrize("content", STRANGE)
def test_strange_content_is_refused_with_the_name_of_the_file(tmp_path: Path, format_name: str, content: bytes) -> None:
    path = tmp_path / "x.da.seg.score"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(str(path))):
        JUDGEMENT_FORMATS[format_name].read(str(path), None, STRICT)
