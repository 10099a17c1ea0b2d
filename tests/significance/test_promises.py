"""Do tests and intervals keep their promise on real rows? All of it in ``make slow``; what is decisive, every time."""

from __future__ import annotations

import pytest
from benchmarks import calibration, pages
from benchmarks.calibration import COLUMNS, METRICS, PROMISES, STRUCTURES, Cell, Structure, cells, measure

from assay.significance.calibration import COVERAGE, COVERAGE_OF_DELTA, FALSE_POSITIVES, FEW, Rate
from assay.significance.draws import binomial_interval, least_held

DEFAULT = (FALSE_POSITIVES, "randomisation")
INTERVALS = [(COVERAGE, "percentile"), (COVERAGE_OF_DELTA, "percentile")]
INDEPENDENT, WHOLE, ALLOTTED, REPEATED, UNEQUAL = STRUCTURES


def name_of(cell):
    return f"{cell.structure.name}-{cell.metric}-{cell.units}-{cell.unit}"


def check_default(cell, rates, confidence):
    """False positives at most 5 % and coverage of 93 to 97 %, as far as so many simulations can tell.

    Where that is not promised, the output says so: of few units, and where one system writes much more.
    """
    for key in (DEFAULT, (FALSE_POSITIVES, FEW)):
        if key in rates and cell.structure is not REPEATED:
            assert binomial_interval(rates[key].count, rates[key].of, confidence)[0] <= 0.05, key
    least = least_held(cell.units)
    for key in INTERVALS:
        low, high = binomial_interval(rates[key].count, rates[key].of, confidence)
        assert high >= (0.93 if least is None else least / 100), key
        assert low <= 0.97, key


@pytest.mark.slow
@pytest.mark.parametrize("cell", [cell for cell in cells() if cell.is_default], ids=name_of)
def test_every_cell_of_a_default_is_within_its_bound(cell):
    rates = measure(cell)
    check_default(cell, rates, 0.99)
    # Who looks at the scores alone does not mind if one system writes more.
    if cell.structure is REPEATED and cell.units >= 50 and cell.metric in ("bleu", "chrf"):
        assert binomial_interval(rates[FALSE_POSITIVES, "bootstrap"].count, rates[DEFAULT].of, 0.99)[0] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("cell", [cell for cell in cells() if not cell.is_default], ids=name_of)
def test_segments_of_documents_are_not_independent(cell):
    rates = measure(cell)
    assert rates[DEFAULT].interval[0] > 0.05 or rates[COVERAGE, "percentile"].interval[1] < 0.93


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PROMISES)))
def test_what_else_compare_says_is_so(number):
    what, how = PROMISES[number]
    for promise in what(*how):
        assert promise.is_kept, promise


#: The demonstration's rows are at hand everywhere.
DECISIVE = [
    (INDEPENDENT, 8, "segment"),
    (INDEPENDENT, 50, "segment"),
    (WHOLE, 20, "document"),
    (ALLOTTED, 20, "document"),
    (UNEQUAL, 20, "document"),
]


@pytest.mark.parametrize(("structure", "units", "unit"), DECISIVE, ids=lambda value: getattr(value, "name", value))
def test_decisive_cells_hold_every_time(structure, units, unit):
    # Four hundred simulations tell a rate of 5 % from 10 %: a bound that 999 of 1,000 measurements keep.
    cell = Cell(structure, "ter", units, unit)
    check_default(cell, measure(cell, 400), 0.999)


def test_translators_allotted_by_document_are_why_documents_are_drawn():
    cell = Cell(ALLOTTED, "ter", 30, "segment")
    rates = measure(cell, 100)
    assert rates[DEFAULT].interval[0] > 0.05
    assert rates[COVERAGE, "percentile"].interval[1] < 0.93


def test_the_page_shows_every_cell():
    shown = pages.shown(calibration.PAGE, calibration.START)
    rows = pages.rows_of(shown, len(COLUMNS) + 3)
    assert [row[:2] for row in rows] == [[cell.metric, f"{cell.units:,}"] for cell in cells()]
    titles = [line for line in shown if line.startswith("**")]
    wanted = list(dict.fromkeys((cell.structure, cell.unit) for cell in cells()))
    assert [title + "\n" for title in titles] == [
        calibration.header(structure, unit).splitlines(keepends=True)[1] for structure, unit in wanted
    ]
    # What stands there keeps its bounds, too.
    for cell, row in zip(cells(), rows, strict=True):
        simulations = int(row[-1].replace(",", ""))
        rates = {
            key: Rate(round(float(value) / 100 * simulations), simulations)
            for key, value in zip(COLUMNS, row[2:-1], strict=True)
            if value != "–"
        }
        if cell.is_default:
            check_default(cell, rates, 0.99)
    assert len(pages.rows_of(shown, 5, number=-1)) == 1 + 2 * 2 + 2 * 4 + 8 * 2


def test_every_structure_has_every_metric():
    for structure in STRUCTURES:
        assert isinstance(structure, Structure)
        assert {cell.metric for cell in cells() if cell.structure is structure} == set(METRICS)
