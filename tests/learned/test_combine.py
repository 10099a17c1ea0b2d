"""Several metrics as one, without training."""

import numpy as np
import pytest

import assay
from assay.errors import ParameterError
from assay.learned.model_file import combine
from learned.small_models import CAMPAIGN


def scores_of(predicted):
    """The score of every translation."""
    return np.array([row["score"] for row in predicted.table("segments")])


def test_ranks_by_hand():
    # F1 of one: 83, 100, 0; of two: 50, 100, 100. Of six, 50 is above one, 83 above two, 100 above three.
    # Shares with half of the equal ones: 0.5/6, 1.5/6, 2.5/6, 4.5/6.
    model = combine(CAMPAIGN, "f1", method="rank-average")
    assert scores_of(assay.predict(CAMPAIGN, model, samples=0, segments=True)) == pytest.approx(
        100 * np.array([2.5, 4.5, 0.5, 1.5, 4.5, 4.5]) / 6
    )


def test_the_uniform_mean_is_that_of_standardised_features():
    predicted = assay.predict(CAMPAIGN, combine(CAMPAIGN, "f1,wer", method="uniform"), samples=0, segments=True)
    f1, wer = predicted.made.values.T
    expected = ((f1 - f1.mean()) / f1.std() - (wer - wer.mean()) / wer.std()) / 2
    assert scores_of(predicted) == pytest.approx(expected)
    assert scores_of(predicted).mean() == pytest.approx(0.0, abs=1e-12)


def test_the_card_says_what_it_was_made_from(tmp_path):
    model = combine(CAMPAIGN, "paper", systems="one")
    loaded = assay.load_predictor(model.save(tmp_path / "model.json"))
    (data,) = loaded.card.training
    assert (data.systems, data.references, data.segments, data.translations) == (("one",), ("A",), 3, 3)
    assert data.digests["system one"] == CAMPAIGN.systems["one"].digest
    assert loaded.card.kinds == ()
    assert "0 to 100" in loaded.card.unit


def test_what_has_no_direction_is_refused():
    with pytest.raises(ParameterError, match="'length-ratio'"):
        combine(CAMPAIGN, "wide")
    with pytest.raises(ParameterError, match="method is 'median', but it takes uniform, rank-average"):
        combine(CAMPAIGN, "f1", method="median")
