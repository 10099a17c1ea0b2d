"""What every command prints, in every format, is what it printed before."""

import json

import pytest

from snapshots.cases import ALL
from snapshots.comparing import differences
from snapshots.running import EXPECTED, folded, lay_out, snapshot


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The campaigns that cases name."""
    made = tmp_path_factory.mktemp("snapshots")
    lay_out(made)
    return made


@pytest.mark.parametrize("name", ALL)
def test_a_command_prints_what_it_printed_before(name, folder):
    file = EXPECTED / f"{name}.txt"
    assert file.is_file(), f"{name} has no snapshot. Write it: make snapshots"
    found = snapshot(ALL[name].arguments, folder)
    changed = differences(file.read_bytes().decode(), found, ALL[name].style)
    assert not changed, "\n".join([f"{name} has changed. If that is meant: make snapshots", *changed])


def test_every_snapshot_has_its_case():
    kept = {str(file.relative_to(EXPECTED)).removesuffix(".txt") for file in EXPECTED.rglob("*") if file.is_file()}
    assert kept <= set(ALL), f"no case: {sorted(kept - set(ALL))}. Remove them: make snapshots"


# 1e-9 of 0.5 is 5e-10: the second number is within it, the third is not.
SCORE = '{"score": 0.5}'


@pytest.mark.parametrize(
    ("old", "new", "style", "same"),
    [
        (SCORE, '{"score": 0.5000000001}', "json", True),
        (SCORE, '{"score": 0.500000002}', "json", False),
        (SCORE, '{"Score": 0.5}', "json", False),
        (SCORE, '{"score": 0.5, "low": 0.4}', "json", False),
        ('{"rank": 1}', '{"rank": 1.0}', "json", False),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', "json", False),
        ("A\t0.5", "A\t0.5000000001", "tsv", True),
        ("A\t0.5", "A\t0.51", "tsv", False),
        ("A1\t0.5", "A2\t0.5", "tsv", False),
        ("A 0.5", "A 0.5000000001", "text", False),
    ],
)
def test_numbers_in_full_may_differ_in_the_tenth_digit_and_nothing_else_may(old, new, style, same):
    before, after = (f"$ assay\nexit code 0\n==== standard output ====\n{text}\n" for text in (old, new))
    assert (differences(before, after, style) == []) is same


def test_json_is_kept_with_less_space_and_nothing_else_changes():
    value = {"scores": [{"system": "a" * 70, "low": None}, {"system": "b" * 70, "parts": {}}], "notes": []}
    name, kept = folded("standard output", json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    assert (name, json.loads(kept)) == ("standard output (folded)", value)
    # The braces around it, a line for each of two keys, and one more for each score and for the end of their list.
    assert kept.count("\n") == 2 + 2 + 2 + 1


def test_json_that_is_printed_otherwise_is_kept_as_it_is():
    assert folded("file model.json", '{"a": 1}\n') == ("file model.json", '{"a": 1}\n')


def test_another_exit_code_is_a_difference():
    assert differences("$ assay\nexit code 0\n", "$ assay\nexit code 1\n", "json")
