"""``assay store``: what is done to a store as a whole."""

from __future__ import annotations

from assay.cli.study import Named
from assay.questions.kept.registry import STORE, list_store, store_class

store = Named(
    "store",
    [*STORE],
    store_class,
    list_store,
    short_help="A folder in which answers are kept.",
    help="A store keeps answers, and what was counted for them: see docs/guides/store.md.",
)
