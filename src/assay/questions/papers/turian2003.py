"""Turian, Shen and Melamed (2003), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from assay.errors import InputError, counted
from assay.explanation.grid import fits
from assay.metrics.gtm import Gtm
from assay.questions.asked import Asked
from assay.questions.base import Campaigns, Question
from assay.questions.describe import Describe
from assay.questions.explain import Explain
from assay.questions.papers.base import (
    PEARSON,
    VALUE,
    WHAT,
    Example,
    Exhibit,
    Here,
    Paper,
    Tables,
    Verdict,
    above,
    as_printed,
    cell,
    parts_of,
    table,
    values_seen,
    what,
    with_more_references,
)  # fmt: skip
from assay.questions.studies.base import ALL_SYSTEMS, different, grouped, those
from assay.results.result import Column, Result, Table
from assay.text.batch import batch_of

_NAME = "turian2003"
_CURVES = ("gtm", "gtm(exponent=2)", "bleu", "nist(weights=none)")
_STEMMED = tuple(f"{name.rstrip(')')}{',' if ')' in name else '('}lowercase=true,stem=porter)" for name in _CURVES)
_JUDGES = "judge against judge"
_CORRELATION = Column("correlation", "mean Spearman", ".3f", low="low", high="high")
#: The paper's level of significance.
_LEVEL = 0.001
#: So many segments are looked through for one whose matching the cap cuts most.
_LOOKED_THROUGH = 500


def _short(metrics: tuple[str, ...], most: int) -> Callable[[Paper, Here], Question]:
    """Documents from one segment on, against one reference and against so many, if there are."""

    def ask(paper: Paper, here: Here) -> Question:
        counts = tuple(dict.fromkeys((1, min(most, here.references))))
        options = {"kind": here.apart, "metrics": metrics, "normalise": "z", "reference_counts": counts}
        return paper.study("pseudo-documents", **options)

    return ask


_figure_4, _figure_5 = _short(_CURVES, 1), _short(_STEMMED, 3)


@dataclass(frozen=True, kw_only=True)
class _CappedGrid(Question):
    """The bitext grid of the segment whose matching the cap cuts most, of the first system.

    A grid that is too large to be drawn shows no shades: it is taken only where the cap cuts no other.
    """

    name = "explain"
    question = "What does the cap on the match size delete?"
    typed: ClassVar[str] = "assay explain --system NAME --segment N -m gtm"
    campaigns: ClassVar[Campaigns] = "apart"

    def answer(self, asked: Asked) -> Result:
        campaign, gtm = asked.chosen, Gtm()
        if not campaign.systems or len(campaign.references) < 2:
            raise InputError(f"{campaign.name}: a cap needs a system and several references.")
        system = next(iter(campaign.systems))
        cut: dict[int, tuple[bool, int]] = {}
        for number in range(min(len(campaign), _LOOKED_THROUGH)):
            texts = [[column[number]] for column in campaign.references.values()]
            grid = gtm.picture(batch_of([campaign.systems[system][number]], texts, gtm.recipe))
            less = sum(run.length for run in grid.initial) - round(sum(run.counted for run in grid.runs))
            cut[number] = less > 0 and fits(grid), less
        worst = max(cut, key=lambda number: cut[number])
        if cut[worst][1] <= 0:
            raise InputError(f"{campaign.name}: in no segment of {system} does the cap delete anything.")
        result = Explain(system=system, segment=str(worst), metrics=(gtm,)).answer(asked)
        named = {"system": system, "segment": campaign.segment_names()[worst]}
        before = sum(row["length"] for row in result.tables["initial_runs"])
        after = sum(row["counted"] for row in result.tables["runs"])
        sizes = what(("words before the cap", before), ("words after it", after))
        return Result("explain", {"table": [named | row for row in sizes]}, figures=result.figures)


def _greedy(tables: Tables) -> Table:
    # All systems together, where there are several, are the last row.
    whole = those(tables["table"], exponent=2.0)[-1]
    return what(("at maximum %", whole["share"]), ("worst % of maximum", whole["worst"]))


def _greedy_holds(rows: Table) -> Verdict:
    share, worst = (cell(rows, "value", what=name) for name in ("at maximum %", "worst % of maximum"))
    if share is None or worst is None:
        return None, "No segment has a match."
    return share >= 99.0 and worst >= 80.0, f"{share:.2f} % are at the maximum, the worst at {worst:.2f} % of it."


def _data(tables: Tables) -> Table:
    """The table that describes the data: references as one."""
    numbers = {row["part"]: row["number"] for row in tables["contents"]}
    lengths = [row for row in tables["lengths"] if row["text"].startswith("ref.")]
    rows = [("segments", numbers["segments"]), ("systems", numbers["systems"]), ("references", numbers["references"])]
    if lengths:
        # All references have as many segments, so that means and mean squares of all are means of theirs.
        mean = sum(row["words_mean"] for row in lengths) / len(lengths)
        square = sum((row["words_sd"] or 0.0) ** 2 + row["words_mean"] ** 2 for row in lengths) / len(lengths)
        rows += [
            ("shortest reference", min(row["words_min"] for row in lengths)),
            ("longest reference", max(row["words_max"] for row in lengths)),
            ("mean length", mean),
            ("SD of lengths", max(square - mean**2, 0.0) ** 0.5),
        ]
    return what(*rows)


def _two_judges(tables: Tables) -> Table:
    points = tables.get("points", [])
    said = [("Spearman of the two judges who agree least", row["spearman"]) for row in points[:1]]
    return what(*said, ("translations that both judged", len(points))) if said else []


def _judges_disagree(rows: Table) -> Verdict:
    least = rows[0]["value"]
    return least < 0.2, f"The two judges who agree least have a Spearman correlation of {least:.3f}."


def _f_first(rows: Table) -> Verdict:
    """Whether F with e = 1 has the highest curve at most lengths."""
    curves = [row for row in rows if row["curve"] != _JUDGES and row["correlation"] is not None]
    if not curves:
        return None, "No correlation is defined."
    best = {length: max(several, key=lambda row: row["correlation"]) for length, several in grouped(curves, "length")}
    ahead, short = sum(row["curve"] == rows[0]["curve"] for row in best.values()), min(best)
    judges = cell(rows, "correlation", curve=_JUDGES, length=short)
    agree = "" if judges is None else f" Judges agree with each other by {judges:.3f} on {counted(short, 'segment')}."
    return ahead > len(best) / 2, f"F with e = 1 is ahead at {ahead} of {len(best)} lengths.{agree}"


def _smallest(tables: Tables) -> Table:
    """From which difference on all are significant by Wilcoxon's test, as the captions say."""
    tested = [(row["behind"], row["p"]) for row in tables["table"] if row.get("behind") and row.get("p") is not None]
    doubtful = [behind for behind, p in tested if p > _LEVEL]
    sure = sorted(behind for behind, p in tested if p <= _LEVEL and behind > max(doubtful, default=0.0))
    return what(("smallest significant difference", sure[0] if sure else None))


def _all_significant(rows: Table) -> Verdict:
    smallest = rows[0]["value"]
    if smallest is None:
        return None, "No difference is significant at 0.001."
    return (
        None,
        f"All differences of {smallest:.3f} or more are, on these segments; intervals above say what others give.",
    )


def _case(tables: Tables) -> Table:
    return those(tables["table"], level="system", recipe="lowercase")


def _case_matters(rows: Table) -> Verdict:
    gains = [row["gain"] for row in rows if row["gain"] is not None]
    if not gains:
        return None, "No correlation is defined."
    down = sum(gain < 0 for gain in gains)
    return down > len(gains) / 2, f"Lowercasing costs {down} of {len(gains)} metrics some of their correlation."


def _ngrams_mislead(rows: Table) -> Verdict:
    found = [row["ngram"] for row in rows if row["found"]]
    return bool(
        found
    ), f"Surely: {', '.join(f'“{ngram}”' for ngram in found[:6])}." if found else "No n-gram does so surely."


def _exponent(rows: Table) -> Verdict:
    # Groups of systems come best first.
    groups = [name for name in different(rows, "group") if name != ALL_SYSTEMS]
    best = [row for row in rows if row["group"] in groups[:1]]
    one, two = (cell(best, "correlation", exponent=exponent) for exponent in (1.0, 2.0))
    if one is None or two is None:
        return None, "There are too few systems to tell better ones from worse ones."
    return two > one, f"Of the {best[0]['group']}, e = 1 has {one:.3f} and e = 2 has {two:.3f}."


EXHIBITS = (
    Exhibit(
        _NAME, "Figure 1", "page 2", "The worked example of a bitext grid",
        "The maximum match size is 7, and the root of 21 with exponent 2.",
        lambda _paper, _here: Example(
            translation="G A B C D B H I", against=("A B C D E F G H I",), metrics=("gtm", "gtm(exponent=2)")
        ),
        parts_of({("gtm", "size"): "maximum match size", ("gtm(exponent=2)", "size"): "size with exponent 2"}),
        WHAT, VALUE, as_printed(_NAME, "Figure 1", 1),
    ),
    Exhibit(
        _NAME, "Section 2.2", "page 3", "How often greedy matching finds the maximum",
        "It does 99 % of the time, and is at 80 % of the maximum or more otherwise.",
        lambda paper, _here: paper.study("greedy-matching", exponents=(2.0,)), _greedy, WHAT, VALUE, _greedy_holds,
    ),
    Exhibit(
        _NAME, "Figure 2", "page 3", "A matching before the cap, in light, and after it, in dark",
        "Hits beyond the mean length of the references are deleted, from shorter runs first.",
        lambda _paper, _here: _CappedGrid(), table, (Column("system"), Column("segment"), *WHAT), VALUE, values_seen,
    ),
    Exhibit(
        _NAME, "Section 3.1", "pages 3 and 4", "The data: sentences, and lengths of references in words",
        "Two corpora with four references each.", lambda _paper, _here: Describe(), _data, WHAT, VALUE, values_seen,
    ),
    Exhibit(
        _NAME, "Figure 3", "page 4", "The two judges who agree least",
        "Judges correlate poorly; two of them not at all.", _figure_4, _two_judges, WHAT, VALUE, _judges_disagree,
        "No two judges judged enough of the same translations.",
    ),
    Exhibit(
        _NAME, "Figure 4", "page 6", "Mean Spearman correlation of metrics with people, by length of documents",
        "F with e = 1 ranks systems best; judges agree little on short documents.",
        _figure_4, table, (Column("curve", "metric"), Column("length", "segments", ",d")), (_CORRELATION,), _f_first,
    ),
    Exhibit(
        _NAME, "Figure 4, caption", "page 6", "The smallest difference that is significant",
        "All differences of 0.01 or more are (Wilcoxon, 0.001).", _figure_4, _smallest, WHAT, VALUE, _all_significant,
    ),
    Exhibit(
        _NAME, "Section 4, case", "page 5", "What case alone does for metrics: gain of lowercasing",
        "Quality goes with correct case, so that metrics look good by case alone.",
        lambda paper, here: paper.study(
            "case-and-stem", kind=here.total, metrics=_CURVES, level=("system",), recipes=("raw", "lowercase", "stem")
        ),
        _case, (Column("metric"),),
        (
            Column("correlation", "lowercased", ".3f", low="low", high="high"),
            Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"),
        ),
        _case_matters,
    ),
    Exhibit(
        _NAME, "Figure 5", "page 6", "The same as Figure 4 on lowercased and stemmed text, with more references, too",
        "Additional references generally improve correlation.", _figure_5, table,
        (Column("curve", "metric"), Column("references", "references", "d"), Column("length", "segments", ",d")),
        (_CORRELATION,), with_more_references("correlation", "references", "metric", "length"),
    ),
    Exhibit(
        _NAME, "Figure 5, caption", "page 6", "The smallest difference that is significant",
        "All differences of 0.004 or more are (Wilcoxon, 0.001).", _figure_5, _smallest, WHAT, VALUE, _all_significant,
    ),
    Exhibit(
        _NAME, "Section 4, n-grams", "page 5", "N-grams that pull BLEU away from the judges",
        "Common n-grams like “of the” and “Xinhua News Agency” do.",
        lambda paper, here: paper.study("misleading-ngrams", kind=here.total), table,
        (Column("metric"), Column("ngram", "n-gram")),
        (Column("pull", "SDs per match", "+.3f", low="low", high="high"), Column("q", "q", "p")), _ngrams_mislead,
    ),
    Exhibit(
        _NAME, "Section 5, exponent", "page 7", "The exponent that suits systems of this quality",
        "On good translations F may do better with e = 2 than with e = 1.",
        lambda paper, here: paper.study("gtm-exponent", kind=here.total), table,
        (Column("group", "systems"), Column("exponent", "e", "g")),
        (Column("correlation", "Spearman", ".3f", low="low", high="high"),), _exponent,
    ),
    Exhibit(
        _NAME, "Section 5, language model", "page 7", "A language model of the references as a metric",
        "An unbiased language model could improve any of the metrics.",
        lambda paper, here: paper.study(
            "correlations", kind=here.total, metrics=("bleu", "gtm", "lm"), stemmer="none"
        ),
        table, (Column("metric"),),
        (PEARSON,), above("pearson", "lm", "bleu", asked=True),
    ),
)  # fmt: skip
