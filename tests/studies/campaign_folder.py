"""A campaign that was made in memory, as a folder: for options that take the path of one."""

from __future__ import annotations

from pathlib import Path

from assay import Campaign


def written(campaign: Campaign, folder: Path) -> str:
    """The path of the folder, which is made."""
    folder.mkdir()
    for name, texts in campaign.systems.items():
        (folder / f"sys.{name}.txt").write_text("\n".join(texts) + "\n")
    for name, texts in campaign.references.items():
        (folder / f"ref.{name}.txt").write_text("\n".join(texts) + "\n")
    (folder / "docs.txt").write_text("\n".join(campaign.documents) + "\n")
    rows = [f"{one.system}\t{one.segment}\t-\t{one.rater}\t{one.score}\t{one.kind}" for one in campaign.judgements]
    (folder / "human.tsv").write_text("\n".join(["system\tsegment\tdocument\trater\tscore\tkind", *rows]) + "\n")
    return str(folder)
