"""Every command that judges says how many judgements were used, in every format and under every option."""

from __future__ import annotations

import json

import pytest

SYSTEMS = ("one", "two", "three", "four")
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "more", "red", "bird"]
#: Six segments in three documents of two.
DOCUMENTS = ("d0", "d0", "d1", "d1", "d2", "d2")


def test_what_where_leaves_out_is_counted(command, tmp_path) -> None:
    folder = written(tmp_path)
    options = ("--where", "document=d1", "-m", "chrf", "--level", "segment", "--samples", "5")
    assert "8 of 24 judgements were used. Not used: 16 of segments that --where leaves out." in (
        command("meta", folder, *options).out
    )
    setup = json.loads(command("meta", folder, *options, "--format", "json").out)["setup"]
    used = setup["judgements"], setup["used"], setup["unused"]
    assert used == (24, 8, {"of segments that --where leaves out": 16})


@pytest.mark.parametrize("name", ["meta", "agreement"])
@pytest.mark.parametrize("style", ["tsv", "csv"])
def test_tables_without_notes_say_beside_them_how_many_judgements_were_used(command, tmp_path, name, style) -> None:
    result = command(name, written(tmp_path), "--format", style, "--samples", "5")
    assert "24 judgements" in result.err
    assert "judgements" not in result.out


def written(folder):
    for row, name in enumerate(SYSTEMS):
        (folder / f"sys.{name}.txt").write_text(f"{' '.join(WORDS[row:])}\n" * len(DOCUMENTS))
    (folder / "ref.A.txt").write_text(f"{' '.join(WORDS)}\n" * len(DOCUMENTS))
    (folder / "docs.txt").write_text("".join(f"{name}\n" for name in DOCUMENTS))
    lines = ["system\tsegment\tdocument\trater\tscore\tkind"]
    lines += [
        f"{name}\t{segment}\t{DOCUMENTS[segment]}\tr{segment % 2}\t{9 - row + segment % 3}\tda"
        for row, name in enumerate(SYSTEMS)
        for segment in range(6)
    ]
    (folder / "human.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_agreement_says_what_where_and_missing_leave_out(command, tmp_path) -> None:
    options = ("--where", "document=d1", "--missing", "9", "--samples", "5")
    result = command("agreement", written(tmp_path), *options)
    # d1 has segments 2 and 3; the first system has 9 on segment 3, and the second on none of both.
    assert "have the score that stands for none" in result.out
    assert "16 are of segments that --where leaves out." in result.out


def test_agreement_takes_several_files_of_judgements(command, tmp_path) -> None:
    folder = written(tmp_path)
    again = tmp_path / "again.tsv"
    again.write_text((folder / "human.tsv").read_text().replace("\tr0\t", "\tr1\t"))
    options = ("--judgements", folder / "human.tsv", "--judgements", again, "--judgement-format", "assay")
    result = command("agreement", folder, *options, "--samples", "5", "--format", "json")
    assert json.loads(result.out)["setup"]["used"]["judgements"] == 48


def test_agreement_weighs_marked_errors_anew_or_says_that_there_are_none(command, tmp_path) -> None:
    result = command("agreement", written(tmp_path), "--weights", "wmt")
    assert result.code == 2
    assert "--weights scores marked errors, and these judgements have none" in result.err


@pytest.mark.parametrize("name", ["meta", "agreement"])
def test_rankings_of_two_files_that_are_numbered_alike_stay_apart(command, tmp_path, name) -> None:
    folder = written(tmp_path)
    files = []
    for number in range(2):
        lines = ["system\tsegment\trater\tscore\tkind\tranking"]
        lines += [f"{system}\t{number}\tr\t{-row}\trr\t1" for row, system in enumerate(SYSTEMS)]
        files.append(tmp_path / f"rankings{number}.tsv")
        files[-1].write_text("\n".join(lines) + "\n")
    options = ("--judgements", files[0], "--judgements", files[1], "--samples", "5")
    result = command(name, folder, *options)
    assert result.code == 0, result.err
    assert "8 of 8 judgements were used" in result.out or "8 are in rankings" in result.out
