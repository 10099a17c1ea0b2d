"""Views that put several rows of a long table into one line, a column from each."""

from assay.results.result import Column, Result, View

ROWS = [
    {"model": "tree", "statistic": "accuracy", "value": 0.5, "low": 0.4, "high": 0.6, "mark": None},
    {"model": "tree", "statistic": "gain", "value": 0.1, "low": 0.05, "high": 0.15, "mark": "*"},
    {"model": "tree", "statistic": "accuracy of one", "value": 0.3, "low": None, "high": None, "mark": None},
    {"model": "ridge", "statistic": "accuracy", "value": 0.25, "low": None, "high": None, "mark": None},
]
COLUMNS = (
    Column("value", "accuracy %", ".1f", "%", low="low", high="high", where={"statistic": "accuracy"}),
    Column("value", "gain", "+.2f", mark="mark", where={"statistic": "gain"}),
)


def shown(**options):
    view = View("", "rows", COLUMNS, keys=(Column("model"),), **options)
    return Result("test", {"rows": ROWS}, (view,))


def test_each_column_takes_its_own_row():
    lines = str(shown()).splitlines()
    assert lines[0].split() == ["model", "accuracy", "%", "gain"]
    assert lines[2].split() == ["tree", "50.0", "(40.0", "–", "60.0)", "+0.10*"]
    # There is no gain of ridge.
    assert lines[3].split() == ["ridge", "25.0", "–"]


def test_rows_may_have_one_of_several_values():
    lines = str(shown(where={"model": ["ridge", "boosting"]})).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["ridge"]


def test_what_was_read_back_looks_the_same():
    result = shown(where={"model": ["tree"]})
    assert str(Result.from_json(result.to_json())) == str(result)


def test_a_key_may_be_a_stretch():
    rows = [{"low": 0.0, "high": 0.1, "model": "tree", "n": 3}, {"low": 0.1, "high": 0.2, "model": "tree", "n": 12}]
    key = Column("low", "certainty", ".0f", "%", high="high")
    view = View("", "rows", (Column("n", "{}", "d"),), keys=(key,), over="model")
    lines = str(Result("test", {"rows": rows}, (view,))).splitlines()
    assert lines[2:] == ["   0 – 10      3", "  10 – 20     12"]
