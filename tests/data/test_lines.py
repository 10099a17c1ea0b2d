"""Files of plain lines: what a line is, and what is wrong with a file."""

import gzip
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard

import assay
from assay.data import files
from assay.data.files import read_lines
from assay.data.texts import FileTexts


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def error_of(path):
    with pytest.raises(assay.InputError) as caught:
        read_lines(path)
    return str(caught.value)


def test_only_a_line_feed_ends_a_line(tmp_path):
    path = write(tmp_path / "text.txt", "one\rstill one\u2028and\u0085more\x0cyes\n\ntwo")
    assert list(read_lines(path)) == ["one\rstill one\u2028and\u0085more\x0cyes", "", "two"]


def test_windows_line_ends_are_line_ends(tmp_path):
    path = write(tmp_path / "text.txt", "one\r\n\r\ntwo\r\n")
    assert list(read_lines(path)) == ["one", "", "two"]


def test_gzip_is_transparent(tmp_path):
    path = write(tmp_path / "text.txt.gz", gzip.compress(b"eins\nzwei\n"))
    assert list(read_lines(path)) == ["eins", "zwei"]


def test_zstd_is_transparent_however_many_frames(tmp_path):
    path = write(tmp_path / "text.txt.zst", zstandard.compress(b"eins\n") + zstandard.compress(b"zwei\n"))
    assert list(read_lines(path)) == ["eins", "zwei"]


def test_a_broken_zstd_file_is_named(tmp_path):
    assert "not a sound zstd file" in error_of(write(tmp_path / "a.txt.zst", b"no zstd"))
    whole = zstandard.compress(bytes(range(1, 256)) * 100)
    assert "not a sound zstd file (it ends too early)" in error_of(write(tmp_path / "b.txt.zst", whole[:-2]))


def test_a_broken_gzip_file_is_named(tmp_path):
    assert "not a sound gzip file (it does not begin as gzip files do)" in error_of(
        write(tmp_path / "a.txt.gz", b"no gzip")
    )
    whole = gzip.compress(b"eins\nzwei\n" * 100)
    assert "not a sound gzip file" in error_of(write(tmp_path / "b.txt.gz", whole[:-12]))


def test_a_bad_byte_is_named_by_file_line_and_column(tmp_path):
    path = write(tmp_path / "latin.txt", b"fine\nstra\xdfe\n")
    message = error_of(path)
    assert message.startswith(f"{path}, line 2, column 5: the byte 0xdf is not valid UTF-8.")
    assert "iconv" in message


def test_a_nul_byte_is_named(tmp_path):
    path = write(tmp_path / "nul.txt", b"ok\nno\0\n")
    assert error_of(path).startswith(f"{path}, line 2, column 3: a NUL byte.")


def test_utf_16_is_named(tmp_path):
    path = write(tmp_path / "wide.txt", "hello\n".encode("utf-16"))
    assert "the file is UTF-16" in error_of(path)


def test_a_byte_order_mark_is_not_text_and_is_mentioned(tmp_path):
    path = write(tmp_path / "mark.txt", b"\xef\xbb\xbfone\n")
    with pytest.warns(UserWarning, match="byte order mark"):
        assert list(read_lines(path)) == ["one"]


def test_a_missing_file_is_named_with_its_neighbour(tmp_path):
    write(tmp_path / "reference.txt", "a\n")
    assert error_of(tmp_path / "refrence.txt") == (
        f"{tmp_path / 'refrence.txt'}: no such file or folder. Did you mean 'reference.txt'?"
    )


def test_a_folder_is_not_a_file(tmp_path):
    assert "this is a folder" in error_of(tmp_path)


def test_a_large_file_stays_on_disk_and_reads_alike(tmp_path, monkeypatch):
    content = "".join(f"line {number} é\r\n" if number % 3 else "\n" for number in range(500)) + "last"
    path = write(tmp_path / "large.txt", content)
    small = read_lines(path)
    monkeypatch.setattr(files, "_LARGE", 100)
    monkeypatch.setattr(files, "_CHUNK", 64)
    large = read_lines(path)
    assert isinstance(large, FileTexts)
    assert list(large) == list(small)
    assert large[7] == small[7]
    assert large.digest == small.digest
    assert list(large.slice(3, 3)) == []


def test_a_flaw_in_a_large_file_is_named_by_its_line_in_the_whole_file(tmp_path, monkeypatch):
    path = write(tmp_path / "large.txt", b"good line\n" * 30 + b"bad \xff\n")
    monkeypatch.setattr(files, "_LARGE", 100)
    monkeypatch.setattr(files, "_CHUNK", 64)
    assert f"{path}, line 31, column 5" in error_of(path)


def test_a_large_file_that_changes_while_it_is_read_is_an_error(tmp_path, monkeypatch):
    path = write(tmp_path / "large.txt", b"good line\n" * 30)
    monkeypatch.setattr(files, "_LARGE", 100)
    column = read_lines(path)
    path.write_bytes(b"other\n")
    with pytest.raises(assay.InputError, match="changed while it was being read"):
        column.slice(0, 30)


def test_a_line_of_ten_megabytes_is_a_line(tmp_path):
    path = write(tmp_path / "long.txt", b"word " * 2_000_000 + b"\nshort\n")
    assert [len(text) for text in read_lines(path)] == [10_000_000, 5]


def test_a_large_file_survives_pickling_and_threads(tmp_path, monkeypatch):
    path = write(tmp_path / "large.txt", "".join(f"line {number}\n" for number in range(3000)))
    monkeypatch.setattr(files, "_LARGE", 100)
    column = read_lines(path)
    assert list(pickle.loads(pickle.dumps(column))) == list(column)
    assert column[-1] == "line 2999"
    with ThreadPoolExecutor(8) as threads:
        starts = [number * 7 % 2900 for number in range(2000)]
        firsts = threads.map(lambda start: column.slice(start, start + 50)[0], starts)
        assert list(firsts) == [f"line {start}" for start in starts]
