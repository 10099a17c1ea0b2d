"""Agreement, slow and obvious: every statistic from its textbook definition, one loop at a time."""

from __future__ import annotations

from itertools import permutations

import numpy as np


def repeated(values, unit, weights):
    """The sample that a row of weights stands for: each unit's values as often as it was drawn."""
    return np.concatenate([np.repeat(values[unit == code], int(weight)) for code, weight in enumerate(weights)])


def kappa(x, y, grades, power):
    """Cohen's kappa from the shares of disagreement, seen and expected."""
    n = len(x)

    def cost(a, b):
        return float(a != b) if power == 0 else abs(a - b) ** power

    seen = sum(cost(a, b) for a, b in zip(x, y, strict=True)) / n
    expected = sum(cost(a, b) * sum(x == a) / n * sum(y == b) / n for a in range(grades) for b in range(grades))
    return 1.0 - seen / expected


def alpha(units, distance):
    """Krippendorff's alpha by its coincidence matrix; ``units`` holds the values of each item."""
    units = [values for values in units if len(values) > 1]
    known = sorted({value for values in units for value in values})
    place = {value: number for number, value in enumerate(known)}
    coincidence = np.zeros((len(known), len(known)))
    for values in units:
        for one, two in permutations(range(len(values)), 2):
            coincidence[place[values[one]], place[values[two]]] += 1.0 / (len(values) - 1)
    margin = coincidence.sum(axis=0)
    total = margin.sum()
    seen = expected = 0.0
    for a in range(len(known)):
        for b in range(len(known)):
            apart = _distance(distance, known, a, b, margin)
            seen += coincidence[a, b] * apart / total
            expected += margin[a] * margin[b] * apart / (total * (total - 1.0))
    return 1.0 - seen / expected


def _distance(kind, known, a, b, margin):
    one, two = known[a], known[b]
    if kind == "nominal":
        return float(one != two)
    if kind == "interval":
        return (one - two) ** 2
    low, high = min(a, b), max(a, b)
    return 0.0 if low == high else (margin[low : high + 1].sum() - (margin[low] + margin[high]) / 2.0) ** 2


def shrout_fleiss(table):
    """The six coefficients of Shrout and Fleiss (1979) from mean squares; every rater (column) rated every item."""
    n, k = table.shape
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    between = k * ((rows - grand) ** 2).sum() / (n - 1)
    within = ((table - rows[:, None]) ** 2).sum() / (n * (k - 1))
    judges = n * ((columns - grand) ** 2).sum() / (k - 1)
    error = ((table - rows[:, None] - columns + grand) ** 2).sum() / ((n - 1) * (k - 1))
    return {
        "icc-1-1": (between - within) / (between + (k - 1) * within),
        "icc-2-1": (between - error) / (between + (k - 1) * error + k * (judges - error) / n),
        "icc-3-1": (between - error) / (between + (k - 1) * error),
        "icc-1-k": (between - within) / between,
        "icc-2-k": (between - error) / (between + (judges - error) / n),
        "icc-3-k": (between - error) / between,
    }


def henderson(score, item, rater):
    """Variances of items and raters and the error, by setting sums of squares equal to what they are on average.

    The averages come from simulating nothing: each sum of squares is a quadratic form y'Ay, whose mean under a variance
    component with design Z is the trace of Z'AZ.
    """
    n = len(score)
    items = (item[:, None] == np.unique(item)).astype(float)
    raters = (rater[:, None] == np.unique(rater)).astype(float)
    mean = np.full((n, n), 1.0 / n)
    of_items = items @ np.diag(1.0 / items.sum(axis=0)) @ items.T
    of_raters = raters @ np.diag(1.0 / raters.sum(axis=0)) @ raters.T
    forms = [of_items - mean, of_raters - mean, np.eye(n) - of_items]
    designs = [items, raters, np.eye(n)]
    means = [[np.trace(design.T @ form @ design) for design in designs] for form in forms]
    return np.linalg.solve(np.array(means), [score @ form @ score for form in forms])


def restricted_badness(score, system, others, variances):
    """Minus twice the restricted log-likelihood with the whole covariance matrix written out, constants aside."""

    def indicator(codes):
        return (codes[:, None] == np.unique(codes)).astype(float)

    fixed = indicator(system)
    covariance = variances["error"] * np.eye(len(score))
    for name, codes in others.items():
        design = indicator(codes)
        covariance += variances[name] * design @ design.T
    inverse = np.linalg.inv(covariance)
    information = fixed.T @ inverse @ fixed
    left = score - fixed @ np.linalg.solve(information, fixed.T @ inverse @ score)
    return np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + left @ inverse @ left


def best_predictions(score, system, rater, others, variances):
    """Effects of raters, all at once from the whole covariance matrix; ``others`` are further effects by name."""

    def indicator(codes):
        return (codes[:, None] == np.unique(codes)).astype(float)

    fixed, raters = indicator(system), indicator(rater)
    covariance = variances["error"] * np.eye(len(score)) + variances["rater"] * raters @ raters.T
    for name, codes in others.items():
        covariance += variances[name] * indicator(codes) @ indicator(codes).T
    inverse = np.linalg.inv(covariance)
    means = np.linalg.solve(fixed.T @ inverse @ fixed, fixed.T @ inverse @ score)
    return variances["rater"] * raters.T @ inverse @ (score - fixed @ means)
