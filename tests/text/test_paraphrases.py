"""Paraphrases: the look-up against a plain dictionary, and tables that are broken."""

from __future__ import annotations

import gzip
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import kernels
from assay.errors import InputError
from assay.text.paraphrases import load_paraphrases
from oracles.synonyms import paraphrases

phrases = st.lists(st.sampled_from(["a", "b", "für", "x-y"]), min_size=1, max_size=3).map(" ".join)
entries = st.tuples(st.sampled_from(["0.5", "1", "1e-9", ".25"]), phrases, phrases).map("\n".join)

TABLE = "0.5\nkick the bucket\ndie\n0.2\npass away\ndie\n0.1\nkick the bucket\npass away\n"


@settings(max_examples=200)
@given(st.lists(entries, max_size=30), st.integers(1, 50))
def test_every_phrase_has_its_paraphrases_in_order(listed, size):
    table = "".join(f"{entry}\n" for entry in listed)
    data = table.encode()
    reader = kernels.ParaphraseReader()
    for start in range(0, len(data), size):
        reader.feed(data[start : start + size])
    found = reader.finish()
    expected = paraphrases(table)
    for phrase, others in expected.items():
        keys = [(kernels.phrase_key(" ".join(other)), len(other)) for other in others]
        assert found.of(" ".join(phrase)) == keys
    assert (len(found), found.phrases) == (len(listed), len(expected))
    lengths = [len(some) for phrase, others in expected.items() for some in (phrase, *others)]
    assert found.longest == max(lengths, default=0)
    assert found.of("not there") == []


def test_a_key_is_that_of_the_words():
    # The same ids as a recipe's, chained; the order of words matters.
    assert kernels.phrase_key("pass  away") == kernels.phrase_key("pass away") != kernels.phrase_key("away pass")


def test_plain_and_gzipped_tables_are_alike(tmp_path):
    (tmp_path / "table").write_text(TABLE)
    (tmp_path / "table.gz").write_bytes(gzip.compress(TABLE.encode()))
    # METEOR's tables are known by their content: some go without .gz.
    (tmp_path / "packed").write_bytes(gzip.compress(TABLE.encode()))
    loaded = [load_paraphrases(tmp_path / name) for name in ("table", "table.gz", "packed")]
    assert len({table.digest for table in loaded}) == 1
    die, pass_away = kernels.phrase_key("die"), kernels.phrase_key("pass away")
    assert [table.of("kick the bucket") for table in loaded] == [[(die, 1), (pass_away, 2)]] * 3


def test_a_file_that_changed_is_read_again(tmp_path):
    path = tmp_path / "table"
    path.write_text(TABLE)
    first = load_paraphrases(path)
    assert load_paraphrases(path) is first
    path.write_text(TABLE.replace("die", "end"))
    os.utime(path, ns=(1, 1))
    assert load_paraphrases(path).digest != first.digest


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0.5\na\nb\n0.5\na\n", "table, line 5: the last entry is cut short"),
        (b"0.5\na\n\n0.5\na\nb\n", "table, line 3: a phrase is expected here, but the line is empty"),
        (b"0.5\na\nb\na\n0.5\nb\n", "table, line 4: no probability, with which an entry begins"),
        (b"inf\na\nb\n", "table, line 1: no probability, with which an entry begins"),
        (b"0.5\na\nb\n0.5\n\xc3\na\n", "table, line 5: not UTF-8"),
        (b"", "no paraphrases in it"),
        (b"x" * 1000, "line 1: no probability"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-9], "not a sound gzip file"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-8] + b"12345678", "not a sound gzip file"),
    ],
)
def test_a_broken_table_is_named_with_its_line(tmp_path, content, message):
    path = tmp_path / "table"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        load_paraphrases(path)
    assert str(path) in str(caught.value)


def test_nothing_to_read(tmp_path):
    with pytest.raises(InputError, match="Give a table of paraphrases"):
        load_paraphrases(tmp_path / "missing")


@pytest.mark.parametrize(("path", "what"), [(".", "a folder"), ("/dev/zero", "a device")])
def test_what_is_no_file_is_not_read(path, what):
    with pytest.raises(InputError, match=f"this is {what}"):
        load_paraphrases(path)


def test_a_finished_reader_reads_no_more():
    reader = kernels.ParaphraseReader()
    reader.finish()
    with pytest.raises(ValueError, match="finished"):
        reader.feed(b"")
