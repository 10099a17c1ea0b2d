"""How far a metric follows people: correlations and pairwise agreement, as pure functions of arrays.

Scores are grids (systems by segments, NaN for what is missing), or vectors over systems. Higher is better on both
sides. Everything takes weights, which say how often an item was drawn, so that a bootstrap is one call.
"""
