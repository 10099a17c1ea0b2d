"""Where learn looks for correlations under draws; they are in ``assay.significance.association``."""

from assay.significance.association import pearson_under, spearman_under

__all__ = ["pearson_under", "spearman_under"]
