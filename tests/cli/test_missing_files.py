"""What a campaign names and nobody can read is an error with its reason: no gate passes on what is left."""

import os
from pathlib import Path

import pytest

from assay.data.conversion import write
from assay.data.formats import read
from assay.demo import CAMPAIGN
from assay.errors import InputError


def broken_link(path):
    path.symlink_to(path.parent / "not-fetched" / path.name)


def named_pipe(path):
    os.mkfifo(path)


def device(path):
    path.symlink_to("/dev/zero")


def folder(path):
    path.mkdir()


def lfs_pointer(path):
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n")


REASONS = {
    broken_link: "which is not there. Has the file been fetched?",
    named_pipe: "this is a named pipe, which may never answer, and is not read",
    device: "this is a device, which is not read",
    folder: "this is a folder, but a file is needed",
    lfs_pointer: "this looks like a pointer of Git LFS, and the file itself has not been fetched",
}
NAMES = (
    "sys.good.txt",
    "sys.third.txt.gz",
    "ref.B.txt",
    "ref.C.txt",
    "src.txt",
    "docs.txt",
    "domains.txt",
    "segments.txt",
    "human.tsv",
)


def spoiled(campaign, name, spoil):
    (campaign / name).unlink(missing_ok=True)
    spoil(campaign / name)


@pytest.mark.parametrize("spoil", REASONS, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_read_is_an_error_with_its_reason(command, campaign, name, spoil):
    if spoil is lfs_pointer and name in ("sys.third.txt.gz", "human.tsv"):
        pytest.skip("compressed files have their own message, and judgements are read when they are needed")
    spoiled(campaign, name, spoil)
    gate = ("compare", campaign, "--baseline", "poor", "--fail-if-worse", "--unit", "segment", "-m", "bleu")
    for arguments in (gate, (*gate, "-q"), ("score", campaign, "-m", "bleu")):
        result = command(*arguments)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"assay: {campaign / name}")
        assert REASONS[spoil] in result.err.replace("\n", " ")
    found = command("validate", campaign)
    assert found.code == 1
    assert f"{name}: error: " in found.out
    assert REASONS[spoil] in found.out


@pytest.mark.parametrize("spoil", [broken_link, named_pipe, device], ids=lambda spoil: spoil.__name__)
def test_a_gate_that_failed_does_not_pass_because_the_worse_system_is_gone(command, tmp_path, spoil):
    write(read(CAMPAIGN), tmp_path / "demo")
    gate = ("compare", tmp_path / "demo", "--baseline", "lantern", "--fail-if-worse", "-m", "bleu", "-q")
    assert command(*gate).code == 1
    spoiled(tmp_path / "demo", "sys.gravel.txt", spoil)
    result = command(*gate)
    assert (result.code, result.out) == (2, "")
    assert REASONS[spoil] in result.err


@pytest.mark.parametrize("name", ["sys.gravel", "SYS.gravel.txt", "sys.gravel.TXT", "sys.gravel.txt.old"])
@pytest.mark.parametrize("spoil", [broken_link, named_pipe, device], ids=lambda spoil: spoil.__name__)
def test_what_is_called_almost_as_a_system_has_to_be_there_too(command, tmp_path, name, spoil):
    write(read(CAMPAIGN), tmp_path / "demo")
    (tmp_path / "demo/sys.gravel.txt").unlink()
    spoil(tmp_path / "demo" / name)
    result = command("compare", tmp_path / "demo", "--baseline", "lantern", "--fail-if-worse", "-m", "bleu", "-q")
    assert (result.code, result.out) == (2, "")
    assert f"{name}: " in result.err
    assert REASONS[spoil] in result.err


def test_a_system_that_dvc_has_not_fetched_is_missing(command, campaign):
    (campaign / "sys.good.txt.dvc").write_text("outs:\n- md5: 5d41\n  path: sys.good.txt\n")
    # It stands beside every file that was fetched, too.
    assert command("score", campaign, "-m", "f1", "--samples", "0").err == ""
    (campaign / "sys.good.txt").unlink()
    result = command("score", campaign, "-m", "f1", "-q")
    assert (result.code, result.out) == (2, "")
    what = "sys.good.txt.dvc: a pointer of DVC, and the file itself has not been fetched. Fetch it: dvc pull"
    assert what in result.err
    assert f"sys.good.txt.dvc: error: {what.partition(': ')[2]}" in command("validate", campaign).out


def test_a_system_in_capitals_is_no_column(command, campaign):
    (campaign / "sys.good.txt").rename(campaign / "SYS.good.txt")
    result = command("score", campaign, "-m", "f1", "--samples", "0")
    assert result.code == 0
    assert "Note: SYS.good.txt is left out: it is not called sys.<name>.txt.\n" in result.err


@pytest.mark.parametrize(
    "name", ["system-outputs/en-de/good.txt", "references/en-de.A.txt", "sources/en-de.txt", "documents/en-de.docs"]
)
def test_folders_of_mt_metrics_eval_have_no_holes(campaign, tmp_path, name):
    (campaign / "src.txt").write_text("eins\nzwei\ndrei\n")
    there = tmp_path / "eval"
    write(read(campaign), there, output_format="mt-metrics-eval", pair="en-de")
    (there / name).unlink(missing_ok=True)
    broken_link(there / name)
    with pytest.raises(InputError, match=r"which is not there\. Has the file been fetched\?"):
        read(there)


def test_folders_of_sgml_have_no_holes(campaign, tmp_path):
    (campaign / "domains.txt").unlink()
    there = tmp_path / "sets"
    write(read(campaign), there, output_format="sgml")
    broken_link(there / "tst2.sgm")
    with pytest.raises(InputError, match=r"tst2\.sgm: a link to .*, which is not there"):
        read(there)


def test_what_is_not_a_file_is_no_column_and_that_is_said(campaign):
    broken_link(campaign / "register.txt")
    with pytest.warns(UserWarning, match=r"register\.txt is not used as a column: .* which is not there"):
        assert not read(campaign).columns


def test_without_permission(campaign, monkeypatch):
    opened = Path.open

    def forbidding(path, *more, **options):
        if path.name == "sys.good.txt":
            raise PermissionError(13, "Permission denied")
        return opened(path, *more, **options)

    monkeypatch.setattr(Path, "open", forbidding)
    with pytest.raises(InputError, match=r"sys\.good\.txt: cannot be read \(Permission denied\)"):
        read(campaign)
