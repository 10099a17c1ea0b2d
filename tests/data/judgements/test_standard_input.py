"""Judgements from standard input, which can be read only once and has no name."""

import io
import sys
from types import SimpleNamespace

import pytest

from assay.data.conversion import convert
from assay.data.formats.judgements import guess_judgement_format, read_judgements
from assay.data.validation import check_path
from assay.errors import AssayWarning, InputError

TABLE = "system\tsegment\trater\tscore\tkind\nA\t0\tr1\t80\tda\nB\t0\tr1\t20\tda\n"
OBJECTS = '{"system": "A", "segment": 0, "score": 80, "kind": "da"}\n{"system": "B", "segment": 0, "score": 20}\n'
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td\t1\t1\tr1\ts\t<v>x</v>\tAccuracy\tMajor\nB\td\t1\t1\tr1\ts\tx\tNo-error\tNo-error\n"
)


@pytest.fixture
def typed(monkeypatch):
    def typing(text):
        content = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content), closed=False))

    return typing


@pytest.mark.parametrize(("text", "name"), [(TABLE, "assay"), (OBJECTS, "jsonl"), (MQM, "mqm")])
def test_the_content_tells_the_format_of_standard_input(typed, text, name):
    typed(text)
    assert guess_judgement_format("-") == name
    found = read_judgements("-")
    assert [(one.system, one.segment) for one in found] == [("A", 0), ("B", 0)]


def test_standard_input_is_converted_and_validated(typed):
    typed(TABLE)
    assert convert("-", "out.jsonl").content == "2 judgements of 2 systems (da)"
    typed(TABLE.replace("80", "eighty"))
    _, findings = check_path("-")
    assert [one.place[:3] for one in findings] == [("-", 2, 8)]


def test_a_second_input_is_not_taken_for_the_first(typed):
    typed(TABLE)
    assert len(read_judgements("-")) == 2
    typed(TABLE + "A\t1\tr1\t50\tda\n")
    assert len(read_judgements("-")) == 3


def test_utf_16_is_said_where_no_format_is_found(typed):
    typed(TABLE.encode("utf-16"))
    with pytest.raises(InputError, match="-: the file is UTF-16"):
        guess_judgement_format("-")


def test_a_byte_order_mark_does_not_hide_the_format(typed):
    typed("\ufeff" + TABLE)
    with pytest.warns(AssayWarning, match="begins with a byte order mark"):
        assert len(read_judgements("-")) == 2
