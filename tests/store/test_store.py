"""A store keeps answers as they were given, and what was counted for them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.results.arrow import from_arrow, to_arrow
from assay.store.folder import Store

pytest.importorskip("pyarrow")

_CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.lists(st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.none()), max_size=3),
    st.dictionaries(st.text(), st.integers(), max_size=2),
)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), _CELLS, min_size=1), max_size=8))
def test_rows_come_back_from_arrow_as_they_were_with_types_and_order(rows):
    back = from_arrow(to_arrow(rows))
    assert back == rows
    # 1 == 1.0 == True for Python, and not for who reads JSON.
    assert repr(back) == repr(rows)


def campaign(folder, *, second="a dog ran\nthe end\n"):
    folder.mkdir()
    (folder / "ref.A.txt").write_text("the cat sat\nthe end is near\n")
    (folder / "sys.one.txt").write_text("a cat sat\nthe end is here\n")
    (folder / "sys.two.txt").write_text(second)
    (folder / "docs.txt").write_text("d\ne\n")
    return folder


def test_a_campaign_with_a_store_keeps_every_answer_as_it_was_given(tmp_path):
    folder = campaign(tmp_path / "c")
    store = Store.create(folder)
    assert store.path == folder / ".assay"
    result = assay.score(folder, ["bleu", "chrf"])
    (run,) = store.runs()
    assert run.result.to_json() == result.to_json()
    for style in ("text", "tsv", "html", "latex", "markdown"):
        assert run.result.render(style) == result.render(style)


def test_what_is_kept_is_not_counted_again(tmp_path, monkeypatch):
    folder = campaign(tmp_path / "c")
    Store.create(folder)
    first = assay.score(folder, "meteor,chrf")
    for metric in (assay.Meteor, assay.Chrf):
        monkeypatch.setattr(metric, "count", lambda *_: pytest.fail("counted"))
    assert assay.score(folder, "meteor,chrf").tables == first.tables


def test_without_a_store_nothing_is_made_anywhere(tmp_path):
    folder = campaign(tmp_path / "c")
    before = sorted(tmp_path.rglob("*"))
    assay.score(folder, "bleu")
    assert sorted(tmp_path.rglob("*")) == before


def test_questions_and_tables_may_be_called_in_any_way(tmp_path):
    store = Store.create(tmp_path / "store")
    result = assay.Result("what/if? Ä", {"a/b": [{"x": 1}], "..": [{"y": 2.5}], "Å": []})
    kept = store.add(result)
    assert kept.folder.parent == store.path / "runs"
    (again,) = store.runs()
    assert again.result.to_json() == result.to_json()
    assert assay.sql('select x from "a/b"', store=store.path).table() == [{"x": 1}]


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (("time",), "x"), (("time",), 3), (("time",), "2020-01-01"), (("result",), ["command"]),
        (("result",), "command"), (("result", "command"), {}), (("result", "options"), []),
        (("result", "campaign"), {"a": 1}),
        (("kept",), []), (("kept", "campaigns"), 3), (("kept", "campaigns", 0, "name"), {}), (("tables",), []),
        (("kept", "campaigns", 0, "texts"), {"src": "../../../secret"}), (("kept", "campaigns", 0, "segments"), "../x"),
        (("kept", "rows", 0, "folder"), "../../x"), (("kept", "rows", 0, "key"), "/x"), (("seconds",), "x"),
        (("asked",), [1]), (("asked", "inputs"), {"inputs": [3]}), (("asked", "folder"), 3),
    ],
)  # fmt: skip
def test_a_run_that_somebody_made_up_is_left_out(tmp_path, names, value):
    folder = campaign(tmp_path / "c")
    store = Store.create(folder)
    assay.score(folder, "chrf")
    (run,) = store.runs()
    record = json.loads((run.folder / "run.json").read_text())
    *above, last = names
    part = record
    for name in above:
        part = part[name]
    part[last] = value
    (run.folder / "run.json").write_text(json.dumps(record))
    with pytest.warns(assay.AssayWarning, match="no record of a run"):
        assert store.runs() == []
    with pytest.raises(assay.AssayError, match="no record of a run"):
        store.run(run.id)
