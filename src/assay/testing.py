"""Laws that hold for every metric, for authors of metrics of their own.

What every metric promises is checked on a small corpus with awkward segments in it.

>>> from assay.testing import check_metric
>>> import assay
>>> check_metric(assay.metric("bleu"))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.metrics.base import BestReference, Metric, Rows
from assay.metrics.registry import metric as parse
from assay.scoring.candidates import chosen_rows
from assay.scoring.evaluate import Shard, evaluate
from assay.text.batch import Batch, batch_of

__all__ = ["LAWS", "check_metric"]

TRANSLATIONS = (
    "the cat sat on the mat .",
    "a cat is on a mat",
    "the the the the",
    "Yesterday , the ministers of 12 states met in Brüssel .",
    "completely unrelated words here",
    "猫 坐 在 垫子 上 。",
    "one",
    "The quick brown fox jumps over the lazy dog , doesn't it ?",
)
FIRST = (
    "the cat sat on the mat .",
    "there is a cat on the mat",
    "the cat",
    "Ministers from 12 states met in Brussels yesterday .",
    "nothing in common at all",
    "那 只 猫 坐 在 垫子 上 。",
    "one",
    "The fast brown fox leaps over that lazy dog , does it not ?",
)
SECOND = (
    "on the mat sat a cat .",
    "a cat lies on a mat",
    "the the dog",
    "In Brussels , 12 states' ministers met yesterday .",
    "quite other words",
    "猫 在 垫子 上 坐 着 。",
    "just one",
    "A quick brown fox jumps over a lazy dog .",
)
#: For metrics that look at the source.
SOURCE = (
    "die Katze saß auf der Matte .",
    "eine Katze ist auf einer Matte",
    "der der der der",
    "Gestern trafen sich die Minister von 12 Staaten in Brüssel .",
    "ganz andere Wörter",
    "die Katze sitzt auf der Matte .",
    "eins",
    "Der flinke braune Fuchs springt über den faulen Hund , nicht wahr ?",
)


#: How often each segment is drawn, and a text in which each stands that often.
WEIGHTS = np.array([2, 0, 1, 3, 1, 0, 2, 1])
REPEATED = np.repeat(np.arange(len(WEIGHTS)), WEIGHTS).tolist()

#: All laws, by name.
LAWS: dict[str, Callable[[Metric], None]] = {}


def law(check: Callable[[Metric], None]) -> Callable[[Metric], None]:
    """Make a check one of the laws."""
    LAWS[check.__name__] = check
    return check


@law
def one_row_per_segment(metric: Metric) -> None:
    """Counting gives a finite row of the promised width for every segment."""
    fitted, rows = _counted(metric)
    _require(rows.shape == (len(TRANSLATIONS), len(fitted.columns)), "a row per segment, a number per column")
    _require_finite(rows, "numbers in every row")


@law
def neighbours_do_not_matter(metric: Metric) -> None:
    """A segment counted alone has the row that it has among others."""
    fitted, rows = _counted(metric)
    for index in range(len(rows)):
        alone = fitted.count(_picked(fitted, [index]))
        _require_same(metric, alone[0], rows[index], f"segment {index} alone counts as among others")


@law
def empty_lines_are_finite(metric: Metric) -> None:
    """An empty translation, an empty reference, and both at once have finite scores."""
    fitted, _ = _counted(metric)
    references = ["a b", "", "", "a b"], ["a", "", "", ""]
    rows = fitted.count(_batch(fitted, ["", "a b", "", "a b"], references, ["", "a", "", ""]))
    _require_finite(fitted.score(rows), "scores of empty segments")
    _require_finite(fitted.score(rows.sum(axis=0)), "corpus score with empty segments")
    _require_finite(fitted.score(np.zeros(len(fitted.columns))), "score of nothing at all")


@law
def weights_are_repetitions(metric: Metric) -> None:
    """Weighing rows gives the score of a text in which segments are repeated that often."""
    fitted, rows = _counted(metric)
    text = fitted.count(_picked(fitted, REPEATED))
    weighed, resampled = fitted.score(WEIGHTS @ rows), fitted.score(text.sum(axis=0))
    _require(np.isclose(weighed, resampled, rtol=_rtol(metric)), f"weighing ({weighed}) is resampling ({resampled})")


@law
def scoring_is_vectorised_and_pure(metric: Metric) -> None:
    """Scores of many rows are the scores of each, and scoring changes nothing."""
    fitted, rows = _counted(metric)
    before = rows.copy()
    together = fitted.score(rows)
    stacked = fitted.score(np.stack([rows, 2 * rows]))
    _require(together.shape == (len(rows),), "one score per row")
    _require(stacked.shape == (2, len(rows)), "one score per row, whatever the number of axes")
    for row, score in zip(rows, together, strict=True):
        _require(np.isclose(fitted.score(row), score, rtol=_rtol(metric)), "a row scores alike alone and among others")
    _require_same(metric, rows, before, "scoring leaves rows as they are")
    for name, part in fitted.parts(rows).items():
        _require(np.shape(part) == (len(rows),), f"a number per row for the part {name}")


@law
def a_perfect_translation_scores_best(metric: Metric) -> None:
    """Nothing beats the reference itself, where translations are compared with references at all."""
    if not metric.compares:
        return
    fitted, rows = _counted(metric)
    perfect = fitted.count(_batch(fitted, FIRST, [FIRST, SECOND], SOURCE))
    sign = 1.0 if fitted.higher_is_better else -1.0
    ours, best = fitted.score(rows.sum(axis=0)), fitted.score(perfect.sum(axis=0))
    _require(sign * best >= sign * ours, f"a perfect translation ({best}) scores best ({ours})")


@law
def shards_add_up(metric: Metric) -> None:
    """Counting in pieces gives the rows of counting at once, and surveys of pieces add up."""
    fitted, rows = _counted(metric)
    cuts = (range(3), range(3, len(rows)))
    pieces = [fitted.count(_picked(fitted, cut)) for cut in cuts]
    _require_same(metric, np.concatenate(pieces), rows, "pieces have the rows of the whole")
    if metric.needs_survey:
        first, second = (metric.survey(_picked(metric, cut)) for cut in cuts)
        again = metric.fit(first + second, ("pieces",)).count(_picked(fitted))
        _require(np.allclose(again, rows, rtol=_rtol(metric)), "surveys of pieces add up to the survey of the whole")


@law
def a_refit_under_weights_is_a_fit_of_repeated_texts(metric: Metric) -> None:
    """Surveys of segments, each as often as it is drawn, fit a metric as the drawn segments do."""
    if not metric.needs_survey:
        return
    surveys = [metric.survey(_picked(metric, [index])) for index in range(len(WEIGHTS))]
    drawn = metric.fit(metric.survey(_picked(metric, REPEATED)), ("drawn",)).count(_picked(metric))
    # Twice: what was surveyed is still there after the first.
    for _ in range(2):
        refitted = metric.refit(surveys, WEIGHTS.tolist(), ("drawn",)).count(_picked(metric))
        _require_same(metric, refitted, drawn, "a refit under weights to count as a fit of repeated texts")


@law
def what_a_unit_brings_is_what_the_others_lack(metric: Metric) -> None:
    """Where a metric is fitted, a unit brings what is missing once it is left out and the others are fitted anew.

    Or, if the metric takes its fit for given, its own rows. Which of several references is the best one may change with
    the fit, and need not be found out again: where one counts, there is one here.
    """
    if not metric.needs_survey:
        return

    def picked(metric: Metric, segments: Sequence[int] | None = None) -> Batch:
        batch = _picked(metric) if segments is None else _picked(metric, segments)
        return batch.against([0]) if isinstance(metric, BestReference) else batch

    fitted = metric.fit(metric.survey(picked(metric)), ("all",))
    batch = picked(fitted)
    rows = fitted.count(batch)
    members, units = np.arange(len(rows)) // 2, (len(rows) + 1) // 2
    brought = fitted.influence(batch, members, units)
    if brought is None:
        _require(False, "so short a text to be fitted without each unit")
        return
    found, surveys = brought(rows, batch, members), [metric.survey(picked(metric, [n])) for n in range(len(rows))]
    for unit in range(units):
        others = np.flatnonzero(members != unit).tolist()
        left = metric.refit(surveys, (members != unit).astype(int).tolist(), ("others",)).count(picked(metric, others))
        sums = rows.sum(axis=0) - left.sum(axis=0), rows[members == unit].sum(axis=0)
        within = max(metric.tolerance, 1e-9)
        same = any(np.allclose(found[unit], expected, rtol=within, atol=within) for expected in sums)
        _require(same, f"unit {unit} to bring what is missing without it, or its own rows")


@law
def segments_are_scored_from_the_same_rows(metric: Metric) -> None:
    """The metric for single segments makes scores of the rows that the one for a corpus has counted."""
    fitted, rows = _counted(metric)
    single = fitted.for_segments()
    _require(single.higher_is_better == fitted.higher_is_better, "segments to be better where a corpus is")
    _require(single.columns == fitted.columns, "the same columns for segments")
    _require_finite(single.score(rows), "scores of segments")


@law
def an_average_is_the_mean_of_its_segments(metric: Metric) -> None:
    """Where a metric says that it is an average, the mean of segment scores is the corpus score, under any weights."""
    if not metric.is_average:
        return
    fitted, rows = _counted(metric)
    scores = fitted.for_segments().score(rows)
    for weights in (np.ones(len(rows)), WEIGHTS):
        whole, mean = float(fitted.score(weights @ rows)), float(weights @ scores / weights.sum())
        alike = np.isclose(whole, mean, rtol=_rtol(metric))
        _require(alike, f"the mean of segments ({mean}) as corpus score ({whole})")


@law
def rows_have_a_version(metric: Metric) -> None:
    """Rows that are kept between runs are told from older ones by a whole number from 1 on."""
    _require(isinstance(metric.rows_version, int) and metric.rows_version >= 1, "a whole number as rows_version")


@law
def the_source_is_seen_by_those_who_say_so(metric: Metric) -> None:
    """Who does not say that it looks at the source is not shown it, and would count the same."""
    corpus = _corpus(metric, TRANSLATIONS, [FIRST, SECOND])
    shown = Shard(0, len(corpus), 1).batch(corpus, metric)
    _require((shown.source_texts is not None) == metric.sees_source, "the source to be shown where sees_source is true")
    if not metric.sees_source:
        fitted, rows = _counted(metric)
        _require_same(metric, fitted.count(_picked(fitted)), rows, "rows without the source")


@law
def threads_do_not_matter(metric: Metric) -> None:
    """Any number of threads gives the same bits."""
    corpus = _corpus(metric, TRANSLATIONS * 40, [FIRST * 40, SECOND * 40])
    single = evaluate(metric, corpus, threads=1).rows
    for threads in (2, 5):
        _require_same(metric, evaluate(metric, corpus, threads=threads).rows, single, f"{threads} threads count as one")


@law
def absent_references_are_not_looked_at(metric: Metric) -> None:
    """A segment without a second reference scores as if there were only one."""
    ragged = _corpus(metric, TRANSLATIONS[:2], [FIRST[:2], SECOND[:2]], np.array([[True, True], [False, True]]))
    fitted = evaluate(metric, ragged).metric
    rows = evaluate(fitted, ragged).rows
    alone = fitted.count(_batch(fitted, TRANSLATIONS[:1], [FIRST[:1]], SOURCE[:1]))
    both = fitted.count(_picked(fitted, [1]))
    _require_same(metric, rows, np.concatenate([alone, both]), "an absent reference is as none")


@law
def sets_of_references_count_as_if_alone(metric: Metric) -> None:
    """What counts against some of many references gives the rows of those references alone."""
    fitted, _ = _counted(metric)
    batch = _picked(fitted)
    counter = fitted.counter(batch)
    # Metrics about post-edits cannot do without one.
    sets = ([0, 1], [1]) if metric.sees_targeted else ([0], [1], [0, 1])
    for chosen in sets:
        same = np.allclose(counter(chosen), fitted.count(batch.against(chosen)), rtol=_rtol(metric), atol=_rtol(metric))
        _require(same, f"the references {chosen} count as if they were alone")


@law
def candidates_hold_the_rows_that_count(metric: Metric) -> None:
    """The rows among which the formula chooses are those that count, once it has chosen."""
    fitted, rows = _counted(metric)
    chosen = chosen_rows(fitted, fitted.candidates(_picked(fitted)))
    _require_same(metric, chosen, rows, "the chosen candidates to be the rows")


@law
def a_metric_prints_as_it_is_typed(metric: Metric) -> None:
    """The spelling of a metric gives the metric back; equal metrics hash alike."""
    again = parse(str(metric))
    _require(again == metric, f"{metric} parses back")
    _require(hash(again) == hash(metric), "equal metrics have equal hashes")


def check_metric(metric: Metric) -> None:
    """Hold a metric to every law; an ``AssertionError`` says which one it breaks."""
    for name, check in LAWS.items():
        try:
            check(metric)
        except AssertionError as error:
            raise AssertionError(f"{metric} breaks the law {name}: {error}") from None
        except Exception as error:
            raise AssertionError(f"{metric} breaks the law {name}: {type(error).__name__}: {error}") from error


def _counted(metric: Metric) -> tuple[Metric, Rows]:
    """The metric, fitted if it must be, and its rows of the small corpus."""
    statistics = evaluate(metric, _corpus(metric, TRANSLATIONS, [FIRST, SECOND]))
    return statistics.metric, statistics.rows


def _batch(
    metric: Metric, translations: Sequence[str], references: Sequence[Sequence[str]], source: Sequence[str]
) -> Batch:
    """To metrics about post-edits the first reference is one."""
    first = 1 if metric.sees_targeted else 0
    return batch_of(translations, references[first:], metric.recipe, targeted=references[:first], source=source)


def _picked(metric: Metric, indices: Sequence[int] = range(len(TRANSLATIONS))) -> Batch:
    """These segments of the small corpus."""
    translations, first, second, source = (
        [column[index] for index in indices] for column in (TRANSLATIONS, FIRST, SECOND, SOURCE)
    )
    return _batch(metric, translations, [first, second], source)


def _corpus(
    metric: Metric,
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    present: NDArray[np.bool_] | None = None,
) -> Corpus:
    columns = {str(number): Texts.of(reference) for number, reference in enumerate(references)}
    targeted = frozenset({"0"} if metric.sees_targeted else ())
    source = Texts.of((SOURCE * len(translations))[: len(translations)])
    return Corpus.of_columns(Texts.of(translations), columns, present=present, targeted=targeted, source=source)


def _require(holds: object, what: str) -> None:
    if not holds:
        raise AssertionError(f"expected {what}")


def _rtol(metric: Metric) -> float:
    return max(metric.tolerance, 1e-12)


def _require_same(metric: Metric, rows: Rows, others: Rows, what: str) -> None:
    """The same to the last bit, but for a metric that says by how much its rows may move."""
    within = metric.tolerance
    _require(np.allclose(rows, others, rtol=within, atol=within) if within else np.array_equal(rows, others), what)


def _require_finite(values: NDArray[np.float64], what: str) -> None:
    _require(np.isfinite(values).all(), f"finite {what}")
