"""What pages show of a terminal is what the terminal shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN

ROOT = Path(__file__).parents[1]
#: Tables of scores of the demo campaign, as text.
SHOWN = re.compile(r"demo-campaign: 60 segments, 5 systems, references A, B, C\n(?:\n|[^\n`]+\n)*?(?=\n?```)")


@pytest.mark.parametrize("page", ["README.md", "docs/guides/getting-started.md"])
def test_the_first_table_that_people_see_is_the_one_they_get(page):
    (shown,) = SHOWN.findall((ROOT / page).read_text(encoding="utf-8"))
    lines = assay.score(CAMPAIGN).render("text").splitlines()
    for line in shown.splitlines()[1:]:
        # Pages fold long lines, or cut them with an ellipsis.
        assert any(line.rstrip("…").strip() in known for known in lines), line
