"""Where campaigns with real judgements lie. Nothing of them is kept in this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

CAMPAIGNS = Path(__file__).parents[2].parent / "shared" / "data"

needs_campaigns = pytest.mark.skipif(
    not CAMPAIGNS.is_dir(), reason=f"campaigns with real judgements are not at {CAMPAIGNS}"
)
