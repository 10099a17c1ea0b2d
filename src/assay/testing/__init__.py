"""Laws that hold for every metric, for authors of metrics of their own.

>>> from assay.testing import check_metric
>>> import assay
>>> check_metric(assay.metric("bleu"))
"""

from assay.testing.laws import LAWS, check_metric

__all__ = ["LAWS", "check_metric"]
