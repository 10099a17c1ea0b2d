"""A metric of an installed package is found by its name alone."""

import sys

import pytest

import assay
from assay.metrics.registry import METRICS

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar

import assay


@dataclass(frozen=True, kw_only=True)
class Segments(assay.Metric):
    """How many segments there are."""

    name: ClassVar[str] = "segment-count"

    @property
    def columns(self):
        return ("segments",)

    def count(self, batch):
        return batch.translations.lengths()[:, None] * 0.0 + 1.0

    def score(self, rows):
        return rows[..., 0]
'''

ENTRY_POINTS = """
[assay.metrics]
segment-count = counting_metrics:Segments
[assay.others]
no-metric = counting_metrics:Segments
"""


@pytest.fixture
def _installed(tmp_path, monkeypatch):
    about = tmp_path / "counting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "counting_metrics.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    # What packages announce is looked for once in a process: here before and after.
    METRICS.__dict__.pop("_announced", None)
    yield
    METRICS.__dict__.pop("_announced", None)
    sys.modules.pop("counting_metrics", None)


@pytest.mark.usefixtures("_installed")
def test_an_installed_metric_is_found_by_its_name():
    campaign = assay.Campaign("c", systems={"s": ["a b", "c", ""]}, references={"r": ["a", "b", "c"]})
    assert assay.score(campaign, "segment-count", samples=0).of("s", "segment-count").score == 3.0


@pytest.mark.usefixtures("_installed")
def test_what_a_package_announces_elsewhere_is_no_metric():
    with pytest.raises(assay.UnknownName, match="no-metric"):
        assay.metric("no-metric")
