"""Bad input gets one clear message, exit code 2, and nothing is half-written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def refused(result, *words):
    """Exit code 2, nothing on standard output, and a message that holds these words."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("assay: ")
    for word in words:
        assert word in result.err
    return True


def test_different_line_counts(command, campaign):
    (campaign / "sys.good.txt").write_text("one\n")
    refused(command("score", campaign), "sys.good.txt: 1 lines, but", "ref.A.txt has 3", "an empty line stands")


def test_invalid_utf8(command, campaign):
    (campaign / "sys.good.txt").write_bytes(b"fine\nbro\xffken\nfine\n")
    refused(command("score", campaign), "sys.good.txt, line 2, column 4: the byte 0xff is not valid UTF-8")


def test_a_nul_byte(command, campaign):
    (campaign / "sys.good.txt").write_bytes(b"fine\nn\0l\nfine\n")
    refused(command("score", campaign), "line 2, column 2: a NUL byte")


def test_a_missing_file(command, campaign):
    refused(command("score", "-r", campaign / "ref.C.txt", campaign / "sys.good.txt"), "ref.C.txt: no such file")
    refused(command("score", campaign / "nowhere"), "nowhere: no such file")


def test_no_references(command, campaign):
    refused(command("score", campaign / "sys.good.txt"), "No reference was given", "-r REFERENCE")
    refused(command("score", campaign / "sys.good.txt", campaign / "sys.poor.txt"), "2 arguments but no reference")
    refused(command("score"), "Nothing to score")
    refused(command("score", "-r", campaign / "ref.A.txt"), "No translation was given")


def test_an_unknown_metric_is_named_with_the_nearest(command, campaign):
    refused(command("score", campaign, "-m", "blue"), "There is no metric 'blue'. Did you mean 'bleu'?")


def test_an_unknown_option_is_named_with_the_nearest(command, campaign):
    refused(command("score", campaign, "-m", "bleu(smothing=exp)"), "no option of bleu 'smothing'", "'smoothing'")
    refused(command("score", campaign, "--segmets"), "--segmets", "--segments")
    refused(command("scroe", campaign), "There is no command 'scroe'. Did you mean 'score'?")


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("fmean(alpha=nan)", "alpha is nan, but it takes a finite number"),
        ("fmean(alpha=2)", "alpha is 2, but it takes a number from 0"),
        ("bleu(order=0)", "order is 0, but it takes a whole number from 1"),
        ("bleu(order=2.5)", "order is 2.5, but it takes a whole number"),
        ("bleu(smoothing=laplace)", "smoothing is 'laplace', but it takes none, floor, add-k, exp"),
        ("bleu(weights=[1,2])", "weights is [1,2], but it takes 4 weights"),
        (
            "bleu(smoothing_value=1)",
            "smoothing_value is 1, but it takes a number only with floor, add-k, method4, method6 or method7",
        ),
        ("ter(beam=0)", "beam is 0, but it takes a whole number from 1"),
        ("hter(shift_distance=-1)", "shift_distance is -1, but it takes a whole number from 0"),
        ("chrf(beta=inf)", "beta is inf, but it takes a finite number"),
        ("bleu(tokenize=13b)", "There is no tokenizer '13b'. Did you mean '13a'?"),
        ("bleu(tokenize=meteor:xx)", "There is no option of tokenizer meteor 'xx'"),
        ("bleu(tokenize=spm)", "tokenize=spm needs a model file"),
        ("bleu(stem=englsh)", "There is no stemmer 'englsh'. Did you mean 'english'?"),
        ("bleu(normalize=nfd)", "There is no normal form 'nfd'"),
        ("bleu(order", "Cannot read the metric"),
        ("bleu(4)", "Options are written option=value"),
        ("bleu(order=1,order=2)", "gives order twice"),
        ("bleu,bleu", "Asked for twice: bleu"),
        (",", "No metric was named"),
    ],
)
def test_impossible_metrics(command, campaign, metric, words):
    refused(command("score", campaign, "-m", metric), words)


def test_hter_without_post_edits(command, campaign):
    refused(command("score", campaign, "-m", "hter"), "hter of 'good': no reference is targeted", "--targeted NAME")
    refused(command("score", campaign, "-m", "hter", "--targeted", "C"), "There is no reference 'C'. Known: A, B.")
    files = ["-r", campaign / "ref.A.txt", "--targeted", campaign / "ref.C.txt", campaign / "sys.good.txt"]
    refused(command("score", *files, "-m", "hter"), "ref.C.txt: no such file")
    (campaign / "ref.pe.txt").write_text("one line\n")
    refused(command("score", campaign, "-m", "hter"), "ref.pe.txt: 1 lines, but", "ref.A.txt has 3")
    refused(command("score", "--targeted", campaign / "ref.A.txt"), "Nothing to score")


def test_files_of_zero_segments(command, campaign):
    for file in campaign.iterdir():
        file.write_text("")
    refused(command("score", campaign), "the file is empty")
    refused(command("score", "-r", campaign / "ref.A.txt", campaign / "sys.good.txt"), "the file is empty")


def test_ten_megabytes_on_one_line_are_scored(command, tmp_path):
    (tmp_path / "ref.txt").write_bytes(b"one two three " * 715_000 + b"\n")
    (tmp_path / "out.txt").write_bytes(b"one two four " * 770_000 + b"\n")
    result = command("score", "-r", tmp_path / "ref.txt", tmp_path / "out.txt", "--samples", 10)
    assert result.code == 0


def test_ten_megabytes_on_one_line_are_too_much_for_an_edit_distance(command, tmp_path):
    (tmp_path / "ref.txt").write_bytes(b"one two three " * 715_000 + b"\n")
    (tmp_path / "out.txt").write_bytes(b"one two four " * 770_000 + b"\n")
    for metric in ("wer", "cer", "ter"):
        result = command("score", "-r", tmp_path / "ref.txt", tmp_path / "out.txt", "-m", metric)
        refused(result, f"{metric}: a segment has", "Is the file missing its line ends?")


def test_an_unwritable_output_is_refused_before_the_work(command, campaign, tmp_path):
    refused(command("score", campaign, "-o", tmp_path / "no" / "scores.txt"), "cannot be written (no folder")
    folder = ["-o", f"{tmp_path / 'no' / 'tables'}/"]
    refused(command("score", campaign, *folder), "cannot be made (No such file or directory)")
    refused(command("score", campaign, "-o", tmp_path, "--format", "json"), "is a folder", "--format tsv or csv")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")  # noqa: PTH110
def test_a_full_disk_leaves_the_old_file_alone(command, campaign, tmp_path, monkeypatch):
    target = tmp_path / "scores.txt"
    target.write_text("old")

    opened = Path.open

    def full(path, mode="r", *more, **options):
        if "w" in mode:
            raise OSError(28, "No space left on device")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", full)
    refused(command("score", campaign, "-o", target), "cannot be written (No space left on device)")
    assert target.read_text() == "old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["campaign", "scores.txt"]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_disk_that_is_full_after_one_table_leaves_the_folder_as_it_was(
    command, campaign, tmp_path, monkeypatch, is_there
):
    folder, opened = tmp_path / "tables", Path.open
    if is_there:
        folder.mkdir()
        (folder / "scores.tsv").write_text("old")

    def full(path, mode="r", *more, **options):
        if "w" in mode and path.name == "result.json":
            raise OSError(28, "No space left on device")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", full)
    refused(command("score", campaign, "-o", f"{folder}/"), "cannot be written (No space left on device)")
    assert folder.exists() == is_there
    assert [file.read_text() for file in folder.glob("*")] == ["old"] * is_there


def test_documents_without_labels(command, campaign):
    (campaign / "docs.txt").unlink()
    refused(command("score", campaign, "--documents"), "names no documents", "docs.txt, one per line")


def test_numbers_out_of_range(command, campaign):
    refused(command("score", campaign, "--samples", -1), "--samples")
    refused(command("score", campaign, "--threads", 0), "--threads")
    refused(command("score", campaign, "--seed", "x"), "--seed")


def test_a_broken_zstd_file(command, campaign):
    (campaign / "x.tsv.zst").write_bytes(b"")
    refused(command("score", campaign / "x.tsv.zst"), "not a sound zstd file", "Compress it again")


def test_zstd_without_its_package_says_what_to_install(command, campaign, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    (campaign / "x.tsv.zst").write_bytes(b"")
    refused(command("score", campaign / "x.tsv.zst"), "x.tsv.zst: zstd needs", "[zst]", "-m pip install zstandard")


def test_parquet_without_its_package_says_what_to_install(command, campaign, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (campaign / "x.parquet").write_bytes(b"")
    refused(command("score", campaign / "x.parquet"), "x.parquet: Parquet needs", "[parquet]", "-m pip install pyarrow")


def test_debug_shows_the_traceback(campaign):
    result = subprocess.run(
        [sys.executable, "-m", "assay", "score", campaign, "-m", "blue", "--debug"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" in result.stderr
    assert "UnknownName" in result.stderr


def test_tables_beside_references_are_refused(command, campaign):
    (campaign / "t.tsv").write_text("reference\tS\na\tb\n")
    refused(command("score", "-r", campaign / "ref.A.txt", campaign / "t.tsv"), "Give it alone, without -r")
    refused(
        command("score", "-r", campaign / "ref.A.txt", campaign / "sys.good.txt", "--input-format", "tsv"),
        "--input-format is for a campaign",
    )


@pytest.mark.parametrize("metric", ["bleu(order=1" + "0" * 400 + ")", "bleu(order=1" + "0" * 5000 + ")"])
def test_enormous_numbers(command, campaign, metric):
    refused(command("score", campaign, "-m", metric), "order is")


def test_enormous_samples_and_threads(command, campaign):
    refused(command("score", campaign, "--samples", 10**18), "--samples")
    refused(command("score", campaign, "--threads", 10**6), "--threads")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")  # noqa: PTH110
@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-"])
def test_a_standard_output_that_cannot_be_written(campaign, redirection):
    line = f"{sys.executable} -m assay score {campaign} {redirection}"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("assay: Standard output")
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")  # noqa: PTH110
def test_help_that_cannot_be_written():
    line = f"{sys.executable} -m assay score --help > /dev/full"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "assay: The system says of what was read or written: No space left on device.\n"


def test_without_a_standard_error_the_answer_is_still_printed(campaign):
    # As a daemon has none. A gap in the texts makes a note, which goes nowhere.
    line = f"{sys.executable} -m assay score {campaign} 2>&-"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "BLEU" in result.stdout
    wrong = subprocess.run(["bash", "-c", f"{sys.executable} -m assay score nowhere 2>&-"], check=False)
    assert wrong.returncode == 2


def test_a_closed_standard_input(campaign):
    line = f"{sys.executable} -m assay score -r {campaign}/ref.A.txt - <&-"
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "Standard input is closed" in result.stderr


def test_an_error_of_our_own_is_told_without_a_traceback(command, campaign, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("assay.questions.score.Score.answer", broken)
    refused(command("score", campaign), "An error of Assay itself (ZeroDivisionError", "--debug")


def test_a_folder_of_sets_is_no_reference_file(command, campaign, tmp_path):
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "ref.sgm").write_text("")
    refused(command("score", "-r", tmp_path / "sets", campaign / "sys.good.txt"), "sets: this is a folder")
