"""System and segment effects, slow and obvious: one row of the design matrix per judged cell, solved by numpy."""

import numpy as np


def adjusted(values, weights):
    """Means over all segments of a connected design, with what the fit says of cells that are missing."""
    systems, segments = values.shape
    rows, right = [], []
    for system in range(systems):
        for segment in range(segments):
            if not np.isnan(values[system, segment]) and weights[segment] > 0:
                row = np.zeros(systems + segments)
                row[system] = row[systems + segment] = 1.0
                rows.append(row * weights[segment] ** 0.5)
                right.append(values[system, segment] * weights[segment] ** 0.5)
    effects = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    counted = (weights > 0) & ~np.isnan(values).all(axis=0)
    of_segments = np.average(effects[systems:][counted], weights=weights[counted])
    return effects[:systems] + of_segments
