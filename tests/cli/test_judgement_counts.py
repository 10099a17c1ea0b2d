"""Every command that judges says how many judgements were used, in every format and under every option."""

from __future__ import annotations

import json

import pytest

SYSTEMS = ("one", "two", "three", "four")
WORDS = "the cat sat on a mat and saw one more red bird".split()
#: Six segments in three documents of two.
DOCUMENTS = ("d0", "d0", "d1", "d1", "d2", "d2")


def test_what_where_leaves_out_is_counted(command, tmp_path) -> None:
    folder = written(tmp_path)
    options = ("--where", "document=d1", "-m", "chrf", "--level", "segment", "--samples", "5")
    assert "8 of 24 judgements were used. Not used: 16 of segments that --where leaves out." in (
        command("meta", folder, *options).out
    )
    used = json.loads(command("meta", folder, *options, "--format", "json").out)["used"]
    assert used == {"judgements": 24, "used": 8, "unused": {"of segments that --where leaves out": 16}}


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
