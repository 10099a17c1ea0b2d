"""Where studies look for correlations; they are in ``assay.significance.association``."""

from assay.significance.association import kendall_b, kendall_c, pearson, spearman

__all__ = ["kendall_b", "kendall_c", "pearson", "spearman"]
