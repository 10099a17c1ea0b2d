"""Results that go to several files go to several files."""

import pytest

from assay.cli.output import check_outputs
from assay.demo import CAMPAIGN
from assay.errors import ParameterError

SAVING = [("learn",), ("meta", "-m", "bleu"), ("tune", "fmean"), ("study", "correlations")]


def refused(result, *words):
    assert result.code == 2
    assert result.out == ""
    for word in words:
        assert word in result.err


@pytest.mark.parametrize("words", SAVING)
def test_what_is_saved_is_not_what_is_printed(command, tmp_path, words):
    other = tmp_path / ".." / tmp_path.name / "same.json"
    result = command(*words, CAMPAIGN, "--kind", "adequacy", "--save", tmp_path / "same.json", "-o", other)
    refused(result, "--output and --save are the same file", "Name two files")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [*SAVING, ("agreement",)])
def test_a_picture_is_not_what_is_printed(command, tmp_path, words):
    picture = tmp_path / "same.svg"
    result = command(*words, CAMPAIGN, "--kind", "adequacy", "--figure", picture, "-o", picture)
    refused(result, "--output and --figure are the same file")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_the_file_it_leads_to(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(ParameterError, match="--save and --figure are the same file"):
        check_outputs(output="-", save=str(tmp_path / "file"), figure=str(tmp_path / "link"))


def test_different_files_devices_and_nothing_are_fine(tmp_path):
    check_outputs(output=str(tmp_path / "a"), save=str(tmp_path / "b"), figure=None)
    check_outputs(output="/dev/null", save="/dev/null")
    check_outputs(output="-", save=None, figure="-")
