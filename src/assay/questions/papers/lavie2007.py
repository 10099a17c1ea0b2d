"""Lavie's lecture of 2007, slide by slide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.questions.base import Question
from assay.questions.papers.base import (
    DIFFERENCES,
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
    pairs,
    parts_of,
    table,
)  # fmt: skip
from assay.questions.studies.base import ALL_SYSTEMS, SENTENCE_BLEU, different, grouped, those
from assay.questions.studies.equal_grades import WITHIN
from assay.questions.studies.score_distribution import HUMAN, TOGETHER
from assay.results.result import Column, Table

_NAME = "lavie2007"
_REFERENCE = "the Iraqi weapons are to be handed over to the army within two weeks"
_SECOND = "the Iraqi weapons will be surrendered to the army in two weeks"
_OUTPUT = "in two weeks Iraq's weapons will give army"
_PLAIN_BLEU = "bleu(smoothing=none,tokenize=none)"
_BEST_BLEU = "bleu(references=best)"
_LECTURE = "meteor(variant=lecture2007,synonyms=iraq.tsv)"
_METRICS = ("bleu", "modbleu", "precision", "recall", "f1", "fmean", "meteor")
_METRIC = (Column("metric"),)
_CORRELATION = Column("correlation", "Pearson", ".3f", low="low", high="high")


def _correlations(paper: Paper, here: Here) -> Question:
    return paper.study("correlations", kind=here.total, metrics=_METRICS)


def _sentences(paper: Paper, here: Here) -> Question:
    return paper.study("sentence-level", kind=here.apart)


def _plain(tables: Tables) -> Table:
    """Metrics on words as they are; METEOR, whose stems are a module of its own, with that module."""
    rows = [row | {"metric": "meteor"} if _is_meteor(row) else row for row in tables["table"]]
    return [row for row in rows if row["text"] == ("stems" if row["metric"] == "meteor" else "words")]


def _two(tables: Tables) -> Table:
    return [row for row in _plain(tables) if row["metric"] in ("bleu", "meteor")]


def _is_meteor(row: dict[str, Any]) -> bool:
    return str(row["metric"]).lower().startswith("meteor")


def _named(rows: Table) -> Table:
    """Rows of sentences by the names of systems' scores: METEOR is the one with most modules, the last of a table."""
    full = next((row["metric"] for row in reversed(rows) if _is_meteor(row)), "meteor")
    names = {SENTENCE_BLEU: "bleu", full: "meteor"}
    return [row | {"metric": names.get(row["metric"], row["metric"])} for row in rows]


def _together(rows: Table) -> Table:
    """Rows of the last quality, which is all of them together."""
    last = different(rows, "kind")[-1:]
    return [row for row in rows if row["kind"] in last]


def _by_kind(tables: Tables) -> Table:
    """Metrics by the judges' scores as they are; METEOR with all its modules."""
    rows = those(_named(tables["table"]), normalise="none")
    return [row for row in rows if row["metric"] == "meteor" or not _is_meteor(row)]


def _modules(tables: Tables) -> Table:
    rows = filter(_is_meteor, _together(those(tables["table"], normalise="none")))
    return [row | {"modules": row["metric"].removeprefix("METEOR ")} for row in rows]


def _judges(tables: Tables) -> Table:
    """METEOR with all modules, by how judges are normalised."""
    named = {"none": "raw", "z": "normalised"}
    rows = those(_together(_named(tables["table"])), metric="meteor")
    return [row | {"judges": named.get(row["normalise"], row["normalise"])} for row in rows]


def _best(column: str, wanted: str) -> Callable[[Table], Verdict]:
    """Whether a metric has the most of all, for each quality."""

    def holds(rows: Table) -> Verdict:
        able = [row | {"kind": row.get("kind")} for row in rows if row[column] is not None]
        best = {kind: max(several, key=lambda row: row[column]) for kind, several in grouped(able, "kind")}
        if not best:
            return None, "No correlation is defined here."
        said = [
            f"{row['metric']} has the most{f' of {kind}' if len(best) > 1 else ''}, {row[column]:.3f}"
            for kind, row in best.items()
        ]
        return all(row["metric"] == wanted for row in best.values()), f"{'; '.join(said)}."

    return holds


def _modules_help(rows: Table) -> Verdict:
    able = [row for row in rows if row["correlation"] is not None]
    if len(able) < 2:
        return None, "No correlation is defined here."
    first, last = able[0], able[-1]
    said = f"{first['modules']} {first['correlation']:.3f}, {last['modules']} {last['correlation']:.3f}."
    return last["correlation"] > first["correlation"], said


def _normalising_helps(rows: Table) -> Verdict:
    raw = cell(rows, "correlation", judges="raw")
    others = [row for row in rows if row["judges"] != "raw" and row["correlation"] is not None]
    if raw is None or not others:
        return None, "No correlation is defined here, or nobody is named as a judge."
    best = max(others, key=lambda row: row["correlation"])
    return best["correlation"] > raw, f"raw {raw:.3f}, {best['judges']} {best['correlation']:.3f}."


def _less_variable(rows: Table) -> Verdict:
    by_name = {row["metric"]: row for row in rows}
    bleu, meteor = by_name["bleu"], by_name["meteor"]
    said = f"BLEU {bleu['mean']:.1f} ± {bleu['sd']:.1f}, METEOR {meteor['mean']:.1f} ± {meteor['sd']:.1f}."
    return meteor["mean"] > bleu["mean"] and meteor["sd"] < bleu["sd"], said


def _one_or_all(rows: Table) -> Verdict:
    verdict, said = above("pearson", "bleu", _BEST_BLEU, asked=True, text="words")(rows)
    alike = len({row["pearson"] for row in those(rows, text="words")}) == 1
    return verdict, f"{said} With a single reference both are the same." if alike else said


def _halves_agree(rows: Table) -> Verdict:
    able = [row for row in rows if row["pearson"] is not None]
    if not able:
        return None, "No correlation is defined here."
    best = max(able, key=lambda row: row["pearson"])
    return None, f"Halves agree most under {best['metric']} ({best['pearson']:.3f} over systems)."


def _discounts(tables: Tables) -> Table:
    return [row for row in tables["table"] if row["metric"].endswith("(variant=lecture2007)")]


def _discounted(rows: Table) -> Verdict:
    most = max(rows, key=lambda row: row["discount"])
    moved = sum(row["rank"] != row["rank_without"] for row in rows)
    return (
        None,
        f"At most {most['discount']:.1f} % are taken off a system ({most['system']}); {moved} change their rank.",
    )


def _scatter(tables: Tables) -> Table:
    """One system, as on the slide: the first."""
    rows = [row for row in tables["table"] if row["system"] != ALL_SYSTEMS]
    return _named([row for row in rows if row["system"] == rows[0]["system"]])


def _one_system(rows: Table) -> Verdict:
    verdict, said = above("correlation", "meteor", "bleu")(rows)
    return verdict, f"{rows[0]['system']}: {said}"


def _equal_scores(rows: Table) -> Verdict:
    """Whether METEOR's scores of equally good sentences vary less than BLEU's, as a share of all its variation."""
    ends = ("meteor", "bleu")
    together = pairs(those(rows, grade=WITHIN), "spread", "metric", ends)
    if not together:
        return None, "No grade has enough sentences."
    by_grade = pairs([row for row in rows if row["grade"] != WITHIN], "spread", "metric", ends, "grade")
    less, (meteor, bleu) = sum(one < other for one, other in by_grade), together[0]
    said = f"Within grades METEOR keeps {meteor:.3f} of its SD, BLEU {bleu:.3f}; METEOR varies less in {less} of"
    return meteor < bleu, f"{said} {len(by_grade)} grades."


EXHIBITS = (
    Exhibit(
        _NAME, "Slide 7", "slide 7", "Consistency: halves of the test set",
        "The same system on similar texts should get similar scores.",
        lambda paper, _here: paper.study("consistency"), table, _METRIC,
        (
            Column("pearson", "Pearson of halves", ".3f", low="pearson_low", high="pearson_high"),
            Column("relative", "difference / spread of systems", ".2f", low="relative_low", high="relative_high"),
        ),
        _halves_agree,
    ),
    Exhibit(
        _NAME, "Slide 9", "slide 9", "BLEU of the example by hand",
        "Precisions of 4/8, 1/7, 0/6 and 0/5; the score is 0.",
        lambda _paper, _here: Example(translation=_OUTPUT, against=(_REFERENCE,), metrics=(_PLAIN_BLEU,)),
        parts_of(
            {
                **{(_PLAIN_BLEU, f"precision_{n}"): f"{n}-gram precision" for n in (1, 2, 3, 4)},
                (_PLAIN_BLEU, "score"): "BLEU",
            }
        ),
        WHAT, VALUE, as_printed(_NAME, "Slide 9", 2),
    ),
    Exhibit(
        _NAME, "Slide 10", "slide 10", "Clipping of counts",
        "Of four times the, two count.",
        lambda _paper, _here: Example(
            translation="the the the the", against=(_REFERENCE, _SECOND), metrics=(_PLAIN_BLEU,)
        ),
        parts_of({(_PLAIN_BLEU, "precision_1"): "clipped 1-gram precision"}),
        WHAT, VALUE, as_printed(_NAME, "Slide 10", 2),
    ),
    Exhibit(
        _NAME, "Slide 13", "slide 13", "BLEU against all references at once, and against the best single one",
        "Asked: is the one better than the other?",
        lambda paper, here: paper.study("correlations", kind=here.total, metrics=("bleu", _BEST_BLEU)),
        table, (*_METRIC, Column("text")), (PEARSON,), _one_or_all,
    ),
    Exhibit(
        _NAME, "Slide 21", "slide 21", "What the discounting factor takes off",
        "The more scattered the matches, the more is taken off, up to a half.",
        lambda paper, _here: paper.study("discount"), _discounts, (Column("system"),),
        (
            Column("without", "Fmean", ".2f"), Column("discount", "taken off %", ".2f"),
            Column("score", "METEOR", ".2f"),
        ),
        _discounted,
    ),
    Exhibit(
        _NAME, "Slide 22", "slide 22", "METEOR of the example by hand",
        "P = 5/8, R = 5/14, Fmean = 0.3731, discount 0.0625, score 0.3498; Iraqi and Iraq's are synonyms.",
        lambda _paper, _here: Example(translation=_OUTPUT, against=(_REFERENCE,), metrics=(_LECTURE,)),
        parts_of(
            {
                (_LECTURE, "precision"): "precision", (_LECTURE, "recall"): "recall", (_LECTURE, "fmean"): "Fmean",
                (_LECTURE, "penalty"): "discounting factor", (_LECTURE, "score"): "score",
            }
        ),
        WHAT, VALUE, as_printed(_NAME, "Slide 22", 1),
    ),
    Exhibit(
        _NAME, "Slide 24", "slides 23 and 24", "Scores of sentences that people find equally good",
        "A better metric's scores vary less on outputs that people rank as equivalent.",
        lambda paper, here: paper.study("equal-grades", kind=here.total),
        lambda tables: _named(tables["table"]), (*_METRIC, Column("grade")),
        (
            Column("spread", "share of all its SD", ".2f", low="low", high="high"), Column("sd", "SD", ".2f"),
        ),
        _equal_scores,
    ),
    Exhibit(
        _NAME, "Slide 26", "slide 26", "Scores of systems, by people and by metrics",
        "METEOR follows people more than BLEU does.",
        _correlations, _two, _METRIC, (PEARSON,), above("pearson", "meteor", "bleu"),
    ),
    Exhibit(
        _NAME, "Slide 27", "slide 27", "Differences between pairs of systems",
        "METEOR follows people more than BLEU does.",
        _correlations, _two, _METRIC, (DIFFERENCES,), above("differences", "meteor", "bleu"),
    ),
    Exhibit(
        _NAME, "Slide 28", "slide 28", "Pearson's correlation of systems' scores with people",
        "METEOR follows people most of seven metrics.",
        _correlations, _plain, _METRIC, (PEARSON,), _best("pearson", "meteor"),
    ),
    Exhibit(
        _NAME, "Slide 29", "slide 29", "Sentences, by people and by metrics",
        "METEOR follows people more than BLEU does.",
        lambda paper, here: paper.study("sentence-scatter", kind=here.total, first_system=True), _scatter, _METRIC,
        (Column("correlation", "R", ".3f", low="low", high="high"),), _one_system,
    ),
    Exhibit(
        _NAME, "Slide 30", "slide 30", "Pearson's correlation of sentences' scores with people",
        "METEOR follows people most.",
        _sentences, lambda tables: _together(_by_kind(tables)), _METRIC, (_CORRELATION,),
        _best("correlation", "meteor"),
    ),
    Exhibit(
        _NAME, "Slide 31", "slide 31", "Sentences with adequacy, with fluency, and with both together",
        "METEOR follows people most, whatever the quality.",
        _sentences, _by_kind, (*_METRIC, Column("kind", "quality")), (_CORRELATION,), _best("correlation", "meteor"),
    ),
    Exhibit(
        _NAME, "Slide 32", "slide 32", "What METEOR's modules bring",
        "Stems and synonyms raise the correlation.",
        _sentences, _modules, (Column("modules"),), (_CORRELATION,), _modules_help,
    ),
    Exhibit(
        _NAME, "Slide 33", "slide 33", "Judges as they are, and normalised",
        "Normalising the judges raises METEOR's correlation with them.",
        _sentences, _judges, (Column("judges"),), (_CORRELATION,), _normalising_helps,
    ),
    Exhibit(
        _NAME, "Slide 34", "slide 34", "Scores of reference translations against the others",
        "METEOR's scores are higher than BLEU's, and vary less.",
        lambda paper, here: paper.study("score-distribution", kind=here.total),
        lambda tables: _named(those(tables["table"], group=HUMAN, system=TOGETHER)), _METRIC,
        (Column("mean", "mean", ".2f"), Column("sd", "SD", ".2f")), _less_variable,
        "Each human translation is scored against the others, and there is one only.",
    ),
)  # fmt: skip
