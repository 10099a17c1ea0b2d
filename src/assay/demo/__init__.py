"""A small invented campaign: 60 segments, 3 references, 4 systems and a human translation, 3 raters."""

from pathlib import Path

#: The campaign folder inside the package.
CAMPAIGN = Path(__file__).parent / "campaign"
