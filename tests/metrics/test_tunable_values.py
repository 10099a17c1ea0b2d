"""Where `assay tune` looks for the numbers of a metric."""

import pytest

import assay


def tunable(metric, name):
    return next(one for one in assay.metric(metric).tunables if one.name == name)


@pytest.mark.parametrize(
    ("metric", "name", "tried"),
    [("chrf", "char_order", range(1, 9)), ("chrf", "word_order", range(4)), ("bleu", "order", range(1, 7))],
)
def test_every_order_up_to_the_longest_is_tried_once(metric, name, tried):
    assert tunable(metric, name).values == tuple(tried)
    assert tunable(metric, name).changes == "rows"
    assert tunable(metric, name).high == 64


def test_exponents_rise_from_the_default_to_the_largest():
    exponent = tunable("gtm", "exponent")
    assert list(exponent.values) == sorted(set(exponent.values))
    assert (exponent.values[0], exponent.values[-1]) == (exponent.low, exponent.high) == (1.0, 6.0)
    # No step is longer than half of the exponent before it.
    assert all(after / before <= 1.5 for before, after in zip(exponent.values, exponent.values[1:], strict=False))


@pytest.mark.parametrize(
    ("metric", "name", "low", "high"),
    [
        ("chrf", "beta", 0.1, 10.0),
        ("bleu(smoothing=add-k)", "smoothing_value", 0.001, 10.0),
        ("meteor", "beta", 0.05, 5.0),
    ],
)
def test_on_a_scale_of_ratios_the_default_is_within_and_nothing_is_zero(metric, name, low, high):
    found = tunable(metric, name)
    assert found.log
    assert (found.low, found.high) == (low, high)
    assert low < found.start < high


def test_shares_lie_between_none_and_all():
    for metric, name in (
        ("meteor", "alpha"),
        ("meteor", "gamma"),
        ("meteor", "delta"),
        ("fmean", "alpha"),
        ("blanc", "alpha"),
    ):
        found = tunable(metric, name)
        assert (found.low, found.high, found.log, found.changes) == (0.0, 1.0, False, "formula")
