"""Where tune, learn and agreement look for intervals; they are in ``benches``."""

from assay.meta.benches import ends, interval_of, number_or_none, quantile_pair

__all__ = ["ends", "interval_of", "number_or_none", "quantile_pair"]
