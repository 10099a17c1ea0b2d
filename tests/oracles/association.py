"""Pairs, ranks and swaps by their definitions, one draw and one pair at a time."""

from __future__ import annotations

import itertools
import math

import numpy as np


def sign(value):
    return (value > 0) - (value < 0)


def pair_sums(x, y, weights):
    """Pairs of different items: all, tied in x, in y, in both, concordant less discordant; classes; total weight."""
    pairs = tied_x = tied_y = tied_both = difference = 0.0
    for one, other in itertools.combinations(range(len(x)), 2):
        weight = weights[one] * weights[other]
        pairs += weight
        tied_x += weight * (x[one] == x[other])
        tied_y += weight * (y[one] == y[other])
        tied_both += weight * (x[one] == x[other] and y[one] == y[other])
        difference += weight * sign(x[one] - x[other]) * sign(y[one] - y[other])
    drawn = [item for item in range(len(x)) if weights[item] > 0]
    classes = min(len({x[item] for item in drawn}), len({y[item] for item in drawn}))
    return pairs, tied_x, tied_y, tied_both, difference, classes, sum(weights)


def mid_ranks(values, weights):
    """What lies below, and half of what is equal, for each item."""
    return [
        sum(weight * ((other < value) + 0.5 * (other == value)) for other, weight in zip(values, weights, strict=True))
        for value in values
    ]


def spearman(x, y, weights):
    """Pearson's correlation of mid-ranks, each as often as it was drawn."""
    ranks = [np.repeat(mid_ranks(values, weights), np.asarray(weights).astype(int)) for values in (x, y)]
    one, other = (values - values.mean() if len(values) else values for values in ranks)
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale > 0 else math.nan


def kendall_b(x, y):
    """Kendall's tau-b of short lists."""
    pairs, tied_x, tied_y, _, difference, _, _ = pair_sums(x, y, [1] * len(x))
    scale = math.sqrt((pairs - tied_x) * (pairs - tied_y))
    return difference / scale if scale > 0 else math.nan


def tau23(x, y):
    """Pairs that agree, ties among them, less all others, by all pairs."""
    pairs = list(itertools.combinations(range(len(x)), 2))
    right = sum(sign(x[one] - x[other]) == sign(y[one] - y[other]) for one, other in pairs)
    return 2 * right / len(pairs) - 1 if pairs else math.nan


def swapped(statistic, first, second, human, flags):
    """The means over segments of both metrics (systems by segments) after the cells with a flag changed places."""
    mixed = np.where(flags == 1, second, first), np.where(flags == 1, first, second)
    means = []
    for grid in mixed:
        values = []
        for column, people in zip(grid.T, human.T, strict=True):
            there = ~np.isnan(people)
            value = statistic(column[there].tolist(), people[there].tolist())
            if not math.isnan(value):
                values.append(value)
        means.append(sum(values) / len(values) if values else math.nan)
    return means
