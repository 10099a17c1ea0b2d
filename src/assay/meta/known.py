"""All statistics there are: those of scores, and those of rankings."""

from __future__ import annotations

from assay.meta.statistics.registry import STATISTICS, Statistic

#: How each year of WMT counted a metric's ties, by the statistic's name.
OF_RANKINGS = {"kendall-wmt12": "wmt12", "kendall-wmt13": "wmt13", "kendall-wmt14": "wmt14"}

_TIES = {
    "wmt12": "a metric's tie counts as wrong",
    "wmt13": "a metric's tie does not count",
    "wmt14": "a metric's tie counts neither way, but is there",
}

#: By name, in the order in which they are listed.
KNOWN: dict[str, Statistic] = {
    **STATISTICS,
    **{
        name: Statistic(
            name,
            f"Kendall's tau ({variant.upper()})",
            f"pairs that people ranked, ordered alike less ordered unlike; {_TIES[variant]}",
            "Callison-Burch et al. (2012); Macháček and Bojar (2013, 2014)",
            ("segment",),
            (),
            1,
        )
        for name, variant in OF_RANKINGS.items()
    },
}
