"""Judgements of WMT campaigns: every published score comes out of the errors, and every format gives them back."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.formats.judgements import guess_judgement_format, read_judgements
from assay.data.judgements import Judgements, with_rankings
from assay.data.mqm_weights import weighted
from assay.errors import AssayWarning
from assay.people.rankings import Pairs, Wins, pairs, ranking_scores
from data.campaign_folders import CAMPAIGNS, needs_campaigns
from data.judgements.campaigns import plain, round_trip

pytestmark = needs_campaigns


@cache
def quietly(path: Path) -> Judgements:
    """The judgements of a file whose notes other tests look at."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        return read_judgements(path)


@pytest.mark.parametrize(("folder", "scored"), [("wmt23-en-de", 5980), ("wmt23-zh-en", 5832)])
def test_errors_give_the_published_mqm_scores(folder: str, scored: int) -> None:
    judgements = quietly(CAMPAIGNS / folder / "mqm_errors.tsv")
    again = weighted(judgements, "wmt24")
    assert sum(spans is not None for spans in judgements.spans) == scored
    np.testing.assert_allclose(again.score, judgements.score, atol=1e-9)


def test_errors_give_the_scores_of_the_esa_campaigns_mqm() -> None:
    path = CAMPAIGNS / "wmt23-en-de" / "esa_spans.tsv"
    with pytest.warns(AssayWarning, match="2 lists of errors of items that one rater judged twice"):
        judgements = read_judgements(path)
    mqm = judgements.of_kinds("mqm-1,mqm-iaa")
    assert len(mqm) == 2691 + 984
    np.testing.assert_allclose(weighted(mqm, "esa-campaign").score, mqm.score, atol=1e-9)


@pytest.mark.parametrize(
    "format_name", ["mqm", "mqm-marot", "mqm-unbabel", "error-spans", "jsonl", "parquet", "mtme-rating-jsonl"]
)
def test_a_whole_campaign_comes_back(tmp_path: Path, format_name: str) -> None:
    campaign = assay.read(CAMPAIGNS / "wmt23-en-de")
    judgements = quietly(CAMPAIGNS / "wmt23-en-de" / "mqm_errors.tsv")
    with warnings.catch_warnings():
        # Costs of errors are not in every format; they follow from the weights.
        warnings.simplefilter("ignore", AssayWarning)
        ending = {"jsonl": "jsonl", "parquet": "parquet", "mtme-rating-jsonl": "jsonl"}.get(format_name, "tsv")
        found = round_trip(tmp_path, f"judgements.{ending}", format_name, judgements, campaign)
    assert len(found) == len(judgements)
    for one, other in zip(found, plain(judgements), strict=True):
        assert (one.system, one.segment, one.rater) == (other.system, other.segment, other.rater)
        assert one.score == pytest.approx(other.score, abs=1e-9)
        places = [(span.start, span.end, span.in_source, span.severity, span.category) for span in other.spans or ()]
        assert [
            (span.start, span.end, span.in_source, span.severity, span.category) for span in one.spans or ()
        ] == places


RANKINGS = CAMPAIGNS / "wmt12-cs-en-rr"


def wins(found: Pairs) -> Wins:
    """Over all segments."""
    segments = int(found.segment.max()) + 1
    whole = Wins.of(found, segments).under(np.ones((1, segments)))
    return Wins(whole.systems, whole.wins[0], whole.ties[0])


def test_rankings_give_the_published_wins() -> None:
    rows = [line.split("\t") for line in (RANKINGS / "human_sys.tsv").read_text().splitlines()[1:]]
    found = pairs(read_judgements(RANKINGS / "rankings.tsv"))
    counted = wins(found)
    for system, won, lost, tied, share in rows:
        number = counted.systems.index(system)
        counts = (counted.wins[number].sum(), counted.wins[:, number].sum(), counted.ties[number].sum())
        assert counts == (int(won), int(lost), int(tied))
        assert ranking_scores(found, "wins")[system] == pytest.approx(float(share), abs=5e-7)


def test_rankings_without_ids_are_the_same_pairs() -> None:
    with_ids = pairs(read_judgements(RANKINGS / "rankings.tsv"))
    without = pairs(with_rankings(read_judgements(RANKINGS / "human.tsv")))
    assert len(with_ids) == len(without)
    assert wins(with_ids).wins.tolist() == wins(without).wins.tolist()


@pytest.mark.parametrize("name", ["wmt12-cs-en-rr/rankings.tsv", "wmt23-en-de/esa_spans.tsv", "wmt23-en-de/human.tsv"])
def test_files_are_recognised(name: str) -> None:
    expected = {"rankings.tsv": "ranking", "esa_spans.tsv": "error-spans", "human.tsv": "assay"}
    assert guess_judgement_format(CAMPAIGNS / name) == expected[name.split("/")[1]]
