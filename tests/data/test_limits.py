"""How much may come of a file: compressed ones are read in pieces, up to a limit that is said and can be raised."""

import gzip
import io
import subprocess
import sys
import tracemalloc

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

import assay
from assay.cli.main import run
from assay.data import files
from assay.data.files import byte_count, read_bytes, read_head, read_lines, reading_up_to
from assay.data.tables import read_arrow
from assay.errors import InputError, ParameterError

MEGABYTE = 1_000_000


def bomb(tmp_path, ending, megabytes):
    """A file of so many megabytes of zeros' worth of text: gzip makes a thousandth of it, zstd a thirty-thousandth."""
    compress = gzip.compress if ending == "gz" else zstandard.compress
    path = tmp_path / f"bomb.txt.{ending}"
    path.write_bytes(compress(b"a" * megabytes * MEGABYTE))
    return path


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_bomb_is_refused_by_its_ratio_before_it_has_gone_off(tmp_path, ending, monkeypatch):
    monkeypatch.setattr(files, "_HARMLESS", 5 * MEGABYTE)
    path = bomb(tmp_path, ending, 100)
    assert path.stat().st_size < 105_000
    tracemalloc.start()
    with pytest.raises(InputError, match=r"its first [0-9.]+ k?B unpack to [0-9.]+ MB, over 200 times") as caught:
        read_bytes(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.place.file == str(path)
    assert "raise the limit: --largest 2GB" in str(caught.value)
    # Of the 100 MB no more were made than the limit and what one piece gives, however it was packed.
    assert peak < (5 + 33 * 2) * MEGABYTE


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_no_more_of_it_is_read_than_it_takes_to_know(tmp_path, ending, monkeypatch):
    monkeypatch.setattr(files, "_HARMLESS", MEGABYTE)
    path = tmp_path / f"bomb.txt.{ending}"
    compress = gzip.compress if ending == "gz" else zstandard.compress
    path.write_bytes(compress(b"a" * 50 * MEGABYTE) * 20)
    pieces = []
    codec = files._codec(path)

    class Counting:
        def __init__(self):
            self.frame = codec[1]()

        def decompress(self, piece):
            pieces.append(len(piece))
            return self.frame.decompress(piece)

        def __getattr__(self, name):
            return getattr(self.frame, name)

    monkeypatch.setattr(files, "_codec", lambda *_: (codec[0], Counting, codec[2]))
    with pytest.raises(InputError, match="over 200 times as much"):
        read_bytes(path)
    assert sum(pieces) < path.stat().st_size / 20


def test_the_limit_is_said_and_can_be_raised(tmp_path):
    content = b"".join(b"%d\n" % number for number in range(300_000))
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(content))
    with reading_up_to("1MB"), pytest.raises(InputError) as caught:
        read_lines(path)
    what = "there are more than 1 MB in it, and that is the limit."
    assert str(caught.value) == f"{path}: {what} If you trust it, raise the limit: --largest 2MB"
    with reading_up_to(len(content)):
        assert len(read_lines(path)) == 300_000
    # Nothing of it is left behind.
    assert len(read_lines(path)) == 300_000


def test_who_raises_the_limit_takes_any_ratio(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_HARMLESS", MEGABYTE)
    path = bomb(tmp_path, "zst", 20)
    with pytest.raises(InputError, match="over 200 times"):
        read_bytes(path)
    with reading_up_to("20MB"):
        assert len(read_bytes(path)) == 20 * MEGABYTE


def test_small_files_may_be_packed_as_tightly_as_they_like(tmp_path):
    # A column of labels: 3 MB in 3 kB.
    path = tmp_path / "domains.txt.gz"
    path.write_bytes(gzip.compress(b"news\n" * 600_000))
    assert path.stat().st_size < len(read_bytes(path)) / 500


def test_of_a_bomb_only_the_beginning_is_looked_at(tmp_path):
    assert read_head(bomb(tmp_path, "zst", 100)) == "a" * 65_536


def parquet(tmp_path, texts):
    path = tmp_path / "bomb.parquet"
    table = pyarrow.table({"reference": texts, "mine": texts})
    pyarrow.parquet.write_table(table, path, compression="zstd", store_schema=False)
    return path


def test_a_parquet_file_of_one_text_many_times_is_not_spelled_out(tmp_path):
    once = pyarrow.array(["a" * MEGABYTE])
    places = pyarrow.array([0] * 10_000, pyarrow.int32())
    path = parquet(tmp_path, pyarrow.DictionaryArray.from_arrays(places, once))
    # 10 GB of text in each of two columns.
    assert path.stat().st_size < 10_000
    before = pyarrow.total_allocated_bytes()
    with pytest.raises(InputError, match=r"bomb\.parquet: there are more than 2 GB in it"):
        assay.read(path)
    assert pyarrow.total_allocated_bytes() - before < 100 * MEGABYTE


def test_a_parquet_file_of_very_many_values_is_refused_unread(tmp_path, monkeypatch):
    path = parquet(tmp_path, pyarrow.array(["a"] * 200_000))
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", None)
    # 2 columns of 200,000 values with 8 bytes each.
    with reading_up_to("3MB"), pytest.raises(InputError, match="there are more than 3 MB in it"):
        read_arrow(str(path))


def test_lists_in_parquet_are_refused_unread(tmp_path, monkeypatch):
    # A thousand bytes can stand for as many values as one likes in a list, and nothing says how many before.
    values = pyarrow.array([0] * 1_000_000)
    lists = pyarrow.ListArray.from_arrays(pyarrow.array([0, len(values)], pyarrow.int32()), values)
    pyarrow.parquet.write_table(pyarrow.table({"reference": ["a"], "A": lists}), tmp_path / "x.parquet")
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", None)
    with pytest.raises(InputError, match=r"x\.parquet, column 'A': it holds list<.*>, but strings are needed"):
        assay.read(tmp_path / "x.parquet")


def test_texts_that_come_again_in_parquet_are_read_as_they_are(tmp_path):
    texts = ["one", None, "two", "one", ""] * 500
    path = parquet(tmp_path, pyarrow.array(texts))
    assert read_arrow(str(path)).column("mine").to_pylist() == texts


def test_standard_input_has_the_limit_too(monkeypatch):
    class Typed:
        closed = False
        buffer = io.BytesIO(b"a\n" * MEGABYTE)

    monkeypatch.setattr(sys, "stdin", Typed)
    with reading_up_to("1MB"), pytest.raises(InputError, match="-: there are more than 1 MB in it"):
        read_bytes("-")


def test_commands_take_the_limit(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(files, "_HARMLESS", MEGABYTE)
    (tmp_path / "human.tsv").write_text("system\tsegment\tdocument\trater\tscore\tkind\nA\t0\t-\tr\t1\tda\n")
    for name in ("ref.A", "sys.A", "sys.B"):
        (tmp_path / f"{name}.txt.gz").write_bytes(gzip.compress(f"{name} text {'x' * 2 * MEGABYTE}\n".encode()))
    commands = (
        ["score", str(tmp_path), "-m", "bleu", "--samples", "0"],
        ["compare", str(tmp_path), "-m", "bleu", "--unit", "segment"],
        ["convert", str(tmp_path), str(tmp_path.parent / "limits.jsonl"), "--force"],
        ["validate", str(tmp_path)],
    )
    for command in commands:
        said = {}
        for largest in ((), ("--largest", "10MB"), ("--largest", "1MB")):
            code = run([*command, *largest])
            out, err = capfd.readouterr()
            said[largest] = (code, out + err)
        assert "over 200 times" in said[()][1]
        assert "more than 1 MB" in said["--largest", "1MB"][1]
        assert "more than" not in said["--largest", "10MB"][1]


def test_judgements_that_are_read_later_have_the_limit_of_their_campaign(tmp_path):
    (tmp_path / "ref.A.txt").write_text("a\n")
    table = "system\tsegment\tdocument\trater\tscore\tkind\n" + "A\t0\t-\tr\t1\tda\n" * 100_000
    (tmp_path / "human.tsv.gz").write_bytes(gzip.compress(table.encode()))
    campaign = assay.read(tmp_path, largest="1MB")
    with pytest.raises(InputError, match=r"human\.tsv\.gz: there are more than 1 MB"):
        _ = campaign.judgements
    assert len(assay.read(tmp_path).judgements) == 100_000


@pytest.mark.parametrize("wrong", ["", "GB", "8 GBs", "-1", "0", "1_0", "٣", "1e9", 0, -5, True, 1.5])
def test_a_size_is_a_number_with_a_unit(wrong):
    with pytest.raises(ParameterError, match="a size such as 500MB or 8GB"):
        byte_count(wrong)


def test_no_environment_variable_moves_the_limit(tmp_path):
    path = bomb(tmp_path, "zst", 100)
    script = "import sys; from assay.data.files import read_bytes; read_bytes(sys.argv[1])"
    found = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env={"ASSAY_LARGEST": "9GB", "LARGEST": "9GB", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "over 200 times" in found.stderr
