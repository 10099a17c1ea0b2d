"""Each query against sums by hand, obvious Python, and what the commands say of the same segments."""

import re
from collections import Counter
from fnmatch import fnmatchcase
from itertools import product

import numpy as np
import pytest
from scipy import stats

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.errors import AssayError
from assay.explorer.packing import shown_of
from assay.explorer.queries import Queries, ordered, ranks
from assay.explorer.rows import ChosenRows, Grid, PackedRows
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked, Data
from assay.scoring.evaluate import Counted, evaluate_all


def opened(campaign: Campaign, metrics: str = "bleu,chrf", **data: object) -> Queries:
    (shown,) = shown_of(Asked((campaign,), Data(**data), judged=True), named_metrics(metrics))
    return Queries(shown)


DEMO = assay.read(CAMPAIGN)
#: A metric that is fitted, one whose rows are no whole numbers, averages, and usual ones.
METRICS = "bleu,ter,nist,meteor,bleu(average=documents),chrf(average=segments)"
QUERIES = opened(DEMO, METRICS)

#: Five segments of two documents, and one that names none; two people judged some of it.
SMALL = Campaign(
    "small",
    systems={"a": ["x y", "x", "y z", "q", "b b b"], "b": ["x y", "y", "z", "q r", "b"]},
    references={"R": ["x y", "x", "y z z", "q r", "b b"], "S": ["x", "w", "y", "q", "b b b"]},
    source=["eins zwei", "eins", "eins zwei drei", "vier", ""],
    documents=["d1", "d1", "d,2", "d,2", "-"],
    columns={"year": ["1999", "2001", "", "2003", "x"]},
    human=Judgements.of(
        [
            Judgement("a", 0, 4.0, "q", "anna"), Judgement("a", 0, 2.0, "q", "ben"),
            Judgement("a", 1, 5.0, "q", "anna"), Judgement("b", 0, 1.0, "q", "anna"),
            Judgement("b", 2, 3.0, "q", "ben"), Judgement("b", 0, 3.0, "q", "ben"),
        ],
        "people",
    ),
)  # fmt: skip
FEW = opened(SMALL, "wer,f1")


def wer(system: str, segment: int) -> float:
    """Word error rate against the nearest reference: counted by hand."""
    return {
        ("a", 0): 0.0, ("a", 1): 0.0, ("a", 2): 100 / 3, ("a", 3): 0.0, ("a", 4): 0.0,
        ("b", 0): 0.0, ("b", 1): 100.0, ("b", 2): 200 / 3, ("b", 3): 0.0, ("b", 4): 50.0,
    }[system, segment]  # fmt: skip


# Scores, intervals, differences

CONDITIONS = [
    [], ["domain=news"], ["domain!=news"], ["document=cat-story,plum*,r*,weather-report,kettle-email"],
    ["segment!=1*", "domain=news,service"], ["source=*a*"], ["sys.gravel!=*the*"],
]  # fmt: skip


@pytest.mark.parametrize("where", CONDITIONS, ids=str)
@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_scores_and_intervals_are_those_of_score_where(where):
    result = assay.score(DEMO, metrics=METRICS, where=where)
    scores = QUERIES.scores(filter={"where": where})
    spans = QUERIES.intervals(filter={"where": where}, of=[[row["metric"], row["system"]] for row in result.table()])
    assert (scores["unit"], scores["units"]) == (result.setup["unit"], result.setup["units"])
    for row, (metric, system, low, high) in zip(result.table(), spans["intervals"], strict=True):
        assert (metric, system) == (row["metric"], row["system"])
        assert scores["scores"][metric][system] == pytest.approx(row["score"], abs=1e-9)
        assert [low, high] == pytest.approx([row["low"], row["high"]], abs=1e-9), (metric, system)


@pytest.mark.parametrize("where", CONDITIONS, ids=str)
@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_differences_are_those_of_compare_where(where):
    pairs = assay.compare(DEMO, metrics=METRICS, where=where).table("pairs")
    against = {
        system: QUERIES.deltas(filter={"where": where}, against=system, intervals=True) for system in DEMO.systems
    }
    known = {
        (metric, system, other): rest for other, answer in against.items() for metric, system, *rest in answer["deltas"]
    }
    for row in pairs:
        delta, low, high = known[row["metric"], row["a"], row["b"]]
        assert delta == pytest.approx(row["delta"], abs=1e-9)
        assert [low, high] == pytest.approx([row["low"], row["high"]], abs=1e-9), row["metric"]


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_units_can_be_segments_and_the_campaign_a_part_of_another():
    part = {"where": ["domain=news,service"]}
    queries = opened(assay.read(CAMPAIGN), "bleu,nist", unit="segment")
    result = assay.score(DEMO, metrics="bleu,nist", unit="segment", **part)
    spans = queries.intervals(filter=part, of=[[row["metric"], row["system"]] for row in result.table()])["intervals"]
    for row, (_, _, low, high) in zip(result.table(), spans, strict=True):
        assert [low, high] == pytest.approx([row["low"], row["high"]], abs=1e-9)
    from assay.data.campaign import only, segments_where

    cut = opened(only(DEMO, segments_where(DEMO, "domain!=everyday")), "bleu,nist")
    result = assay.score(DEMO, metrics="bleu,nist", where=["domain!=everyday", "domain=news,service"])
    spans = cut.intervals(filter=part, of=[[row["metric"], row["system"]] for row in result.table()])["intervals"]
    for row, (_, _, low, high) in zip(result.table(), spans, strict=True):
        assert [low, high] == pytest.approx([row["low"], row["high"]], abs=1e-9)


def test_drawing_piece_by_piece_gives_the_same(monkeypatch):
    queries = opened(DEMO, "bleu,chrf,ter", unit="segment")
    wanted = {"filter": {"where": ["domain=news,service"]}, "against": "gravel", "intervals": True}
    single = {"of": [["bleu", "rosetta"], ["chrf", "gravel"]]}
    first, spans = queries.deltas(**wanted), queries.intervals(**single)
    monkeypatch.setattr("assay.explorer.queries._LARGE", 10)
    monkeypatch.setattr("assay.explorer.queries._DRAWN", 7)
    again = opened(DEMO, "bleu,chrf,ter", unit="segment")
    for one, other in zip(first["deltas"], again.deltas(**wanted)["deltas"], strict=True):
        assert one[:2] == other[:2]
        assert one[2:] == pytest.approx(other[2:], abs=1e-9)
    for one, other in zip(spans["intervals"], again.intervals(**single)["intervals"], strict=True):
        assert one[2:] == pytest.approx(other[2:], abs=1e-9)


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_missing_scores_have_no_part_and_pairs_take_what_both_have(tmp_path):
    lines = [f"a\t{place}\t{place / 10}\n" for place in range(20)]
    lines += [f"b\t{place}\t{place / 20 + 0.1}\n" for place in range(8, 30)]
    (tmp_path / "scores.judge.tsv").write_text("system\tsegment\tscore\n" + "".join(lines))
    for name in ("ref.R", "sys.a", "sys.b"):
        (tmp_path / f"{name}.txt").write_text("".join(f"word {place}\n" for place in range(30)))
    (tmp_path / "column.txt").write_text("".join(f"{place % 3}\n" for place in range(30)))
    campaign = assay.read(tmp_path)
    asked = Asked((campaign,), Data(), judged=True)
    from assay.explorer.session import Explore, _metrics_of

    queries = Queries(shown_of(asked, _metrics_of(Explore(metrics="bleu,judge"), asked))[0])
    for where in ([], ["column=0,1"]):
        score = assay.score(campaign, metrics="judge", where=where)
        (pair,) = assay.compare(campaign, metrics="judge", where=where).table("pairs")
        spans = queries.intervals(filter={"where": where}, of=[["judge", "a"], ["judge", "b"]])["intervals"]
        scores = queries.scores(filter={"where": where})["scores"]["judge"]
        for row, span in zip(score.table(), spans, strict=True):
            assert scores[row["system"]] == pytest.approx(row["score"])
            assert span[2:] == pytest.approx([row["low"], row["high"]])
        answer = queries.deltas(filter={"where": where}, against=pair["b"], metrics=["judge"], intervals=True)["deltas"]
        ((_, system, *rest),) = answer
        assert system == pair["a"]
        assert rest == pytest.approx([pair["delta"], pair["low"], pair["high"]])
    rows = queries.segments(sort={"by": "score", "metric": "judge", "a": "b"}, count=30)["rows"]
    # Segments without a score come last, in either order, by their positions.
    assert [row["segment"] for row in rows[-8:]] == list(range(8))
    assert rows[-1]["key"] is None
    rows = queries.segments(sort={"by": "score", "metric": "judge", "a": "b"}, descending=True, count=30)["rows"]
    assert [row["segment"] for row in rows] == [*range(29, 7, -1), *range(8)]


def test_what_nothing_fulfils_chooses_nothing():
    chosen = {"where": ["domain=nothing"]}
    scores = QUERIES.scores(filter=chosen, metrics=["bleu"], systems=["gravel"])
    assert (scores["n"], scores["scores"]) == (0, {"bleu": {"gravel": None}})
    assert QUERIES.intervals(filter=chosen, of=[["bleu", "gravel"]])["intervals"] == [["bleu", "gravel", None, None]]
    answer = QUERIES.deltas(filter=chosen, against="gravel", metrics=["bleu"], systems=["rosetta"], intervals=True)
    assert answer["deltas"] == [["bleu", "rosetta", None, None, None]]
    assert QUERIES.segments(filter=chosen) == {"n": 0, "rows": []}
    assert QUERIES.groups(filter=chosen, by="domain") == {"groups": []}
    assert QUERIES.distribution(filter=chosen, metric="bleu", a="gravel")["n"] == 0
    assert QUERIES.points(filter=chosen, x={"metric": "bleu"}, y={"kind": "adequacy"})["n"] == 0
    assert QUERIES.ngrams(filter=chosen, a="gravel", b="rosetta") == {"over": 0, "looked": 0, "a": [], "b": []}
    assert QUERIES.raters(filter=chosen, kind="adequacy") == {"raters": []}


# Filters


def kept(queries: Queries, **chosen: object) -> list[int]:
    return queries.kept(chosen).places.tolist()


def test_conditions_are_read_as_where_reads_them():
    for condition, expected in {
        "document=d1": [0, 1], "document=-": [4], "document=d?2": [2, 3], "document!=d1,-": [2, 3], "year=": [2],
        "year=199[0-9], x": [0, 4], "segment=0,3": [0, 3], "sys.a=x*": [0, 1], "ref.S!=?": [1, 4][1:],
        "source=eins*": [0, 1, 2],
    }.items():  # fmt: skip
        assert kept(FEW, where=[condition]) == expected, condition
    texts = {**{f"sys.{name}": list(one) for name, one in SMALL.systems.items()}, "document": list(SMALL.documents)}
    for name, pattern in product(texts, ["x*", "*", "?", "[a-d]*", "x y", "d1"]):
        expected = [place for place, text in enumerate(texts[name]) if text == pattern or fnmatchcase(text, pattern)]
        assert kept(FEW, where=[f"{name}={pattern}"]) == expected


def test_a_filter_that_cannot_be_is_not_remembered():
    queries = opened(SMALL, "f1")
    for number in range(50):
        with pytest.raises(AssayError):
            queries.kept({"where": [f"colour={number}"]})
    assert not queries._filters._kept
    assert kept(queries, where=["document=d1"]) == [0, 1]
    assert len(queries._filters._kept) == 1


@pytest.mark.parametrize(
    "chosen",
    [
        {"where": ["document!=x"] * 101}, {"where": [f"document={','.join(map(str, range(1_001)))}"]},
        {"where": [f"document={','.join(f'*{number}*' for number in range(201))}"]},
        {"where": [f"document={'x' * 100_001}"]}, {"ranges": [{"of": "length", "least": 1}] * 101},
    ],
)  # fmt: skip
def test_a_filter_has_an_end(chosen):
    with pytest.raises(AssayError, match="are enough"):
        FEW.kept(chosen)


def test_many_stars_take_no_longer_than_a_text_is_long():
    texts = ["a" * 2_000, "a" * 2_000 + "b"]
    queries = opened(Campaign("stars", {"x": texts}, {"R": texts}), "f1")
    assert kept(queries, where=["sys.x=" + "*a" * 30 + "*b"]) == [1]


def test_searching_ends_where_an_expression_is_slow(monkeypatch):
    monkeypatch.setattr("assay.explorer.queries._SEARCHING", -1.0)
    for search in ({"text": "x"}, {"text": "x{1,9}", "regex": True}):
        with pytest.raises(AssayError, match="takes longer than"):
            FEW.kept({"search": search})


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_groups_of_means_over_documents_are_made_at_once(monkeypatch):
    metric = "bleu(average=documents)"
    kept_ones = {"ranges": [{"of": "length", "least": 5}]}
    for by in ("document", "domain", "length"):
        groups = QUERIES.groups(filter=kept_ones, by=by, metrics=[metric])["groups"]
        assert len(groups) > 1
        for group in groups:
            where = (
                {"where": group["where"]} if "where" in group else {"ranges": [*kept_ones["ranges"], group["range"]]}
            )
            expected = QUERIES.scores(filter={**kept_ones, **where}, metrics=[metric])["scores"][metric]
            assert group["scores"][metric] == pytest.approx(expected, rel=1e-12)
    queries = opened(SMALL, "f1(average=documents)")
    groups = queries.groups(by="document", systems=["a"])["groups"]
    assert [group["scores"]["f1(average=documents)"]["a"] is None for group in groups] == [False, False, True]
    # One by one, thousands of documents would take minutes.
    monkeypatch.setattr(QUERIES, "_some", None)
    monkeypatch.setattr(QUERIES, "corpus_score", None)
    assert QUERIES.groups(by="document", metrics=[metric])["groups"]


def test_a_name_that_is_said_often_is_answered_once():
    points = {"x": {"metric": "f1"}, "y": {"metric": "wer"}}
    assert FEW.points(**points, systems=["a"] * 100) == FEW.points(**points, systems=["a"])
    assert FEW.texts(segments=[0], columns=["source"] * 100) == {"source": ["eins zwei"]}
    much = {"systems": ["a", "b"] * 20_000, "metrics": ["f1", "wer"] * 20_000}
    assert FEW.segments(**much) == FEW.segments()
    assert FEW.groups(by="document", **much) == FEW.groups(by="document")


def test_what_is_no_number_or_name_is_said():
    for wrong in ([10**30], [3, 2], [-1], list(range(2_000))):
        with pytest.raises(AssayError, match="bins"):
            FEW.groups(by="length", bins=wrong)
    with pytest.raises(AssayError, match="no reference"):
        FEW.ngrams(a="a", b="b", reference=["R"])


def test_ranges_hold_their_ends_and_no_missing_value():
    assert FEW.shown.lengths.tolist() == [2, 1, 3, 1, 0]
    assert kept(FEW, ranges=[{"of": "length", "least": 1, "most": 2}]) == [0, 1, 3]
    assert kept(FEW, ranges=[{"of": "score", "metric": "wer", "system": "b", "least": 50, "most": 100}]) == [1, 2, 4]
    assert kept(FEW, ranges=[{"of": "delta", "metric": "wer", "a": "b", "b": "a", "least": 50, "most": None}]) == [1, 4]
    # The mean of 4 and 2 is 3.
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "system": "a", "least": 3, "most": None}]) == [0, 1]
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "system": "b", "least": None, "most": None}]) == [0, 2]
    # Ben gave 2 and 3 in segment 0 and 3 in segment 2; Anna judged a there, too.
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "rater": "ben"}]) == [0, 2]
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "rater": "ben", "most": 2.5}]) == [0]
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "rater": "ben", "system": "a", "most": 2.0}]) == [0]
    assert kept(FEW, ranges=[{"of": "human", "kind": "q", "least": 2.75}]) == [1, 2]
    with pytest.raises(AssayError, match="rater"):
        kept(FEW, ranges=[{"of": "human", "kind": "q", "rater": "carl"}])
    assert kept(FEW, ranges=[{"of": "column", "name": "year", "least": 2000, "most": None}]) == [1, 3]


def test_parts_of_a_filter_are_all_fulfilled():
    assert kept(FEW, where=["document!=d1"], segments=[1, 2, 4], ranges=[{"of": "length", "least": 1}]) == [2]
    assert kept(FEW, segments=[]) == []
    assert kept(FEW) == [0, 1, 2, 3, 4]


def test_searching_finds_what_an_obvious_loop_finds():
    columns = {
        "source": [list(DEMO.source)],
        "references": [list(one) for one in DEMO.references.values()],
        "systems": [list(one) for one in DEMO.systems.values()],
        "sys.gravel": [list(DEMO.systems["gravel"])],
    }
    columns["all"] = [*columns["source"], *columns["references"], *columns["systems"]]
    for (where, texts), case, (text, regex) in product(
        columns.items(),
        (True, False),
        [("the", False), ("DIE", False), ("ü", False), ("a.b", False), (r"\bA\w+ \d", True)],
    ):
        look = re.compile(text if regex else re.escape(text), 0 if case else re.IGNORECASE)
        expected = [place for place in range(len(DEMO)) if any(look.search(column[place]) for column in texts)]
        search = {"text": text, "regex": regex, "case": case, "in": where}
        assert kept(QUERIES, search=search) == expected, search


def test_texts_in_one_buffer_or_in_any_order_are_searched_alike():
    turned = Campaign("turned", {"a": DEMO.systems["gravel"].only(np.arange(59, -1, -1))}, {"R": list(DEMO.source)})
    queries = opened(turned)
    found = kept(queries, search={"text": "the", "in": "sys.a"})
    assert found == sorted(59 - place for place in kept(QUERIES, search={"text": "the", "in": "sys.gravel"}))
    assert 0 < len(found) < 60


def test_an_expression_cannot_hang():
    campaign = Campaign("long", {"a": ["a" * 50_000 + "!"] * 20}, {"R": ["a"] * 20})
    assert kept(opened(campaign, "f1"), search={"text": "(a+)+$", "regex": True, "in": "sys.a"}) == []


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"where": ["colour=red"]}, "There is no column to choose segments by 'colour'"),
        ({"where": ["domain"]}, "write NAME=VALUE"),
        ({"where": "domain=news"}, "takes a list of texts"),
        ({"ranges": [{"of": "weight"}]}, "A range is of length"),
        ({"ranges": [{"of": "length", "least": "3"}]}, "takes a number"),
        ({"ranges": [{"of": "score", "metric": "blue", "system": "gravel"}]}, "There is no metric 'blue'"),
        ({"search": {"text": "(a", "regex": True}}, "is no regular expression"),
        ({"search": {"text": "(?=a)", "regex": True}}, "is no regular expression"),
        ({"search": {"text": "a", "in": "sys.none"}}, "There is no texts to search in"),
        ({"search": {"text": "a" * 2000}}, "1,000 are enough"),
        ({"segments": [60]}, "Segment 60 is not there"),
        ({"segments": [True]}, "takes a list of whole numbers"),
        ({"colour": []}, "There is no part of a filter"),
        ("domain=news", "takes an object"),
    ],
)
def test_a_filter_that_cannot_be_says_so(chosen, said):
    with pytest.raises(AssayError, match=re.escape(said)):
        QUERIES.kept(chosen)


def test_what_a_filter_is_as_conditions():
    assert FEW.conditions({"where": ["document=d1"]}) == ("document=d1",)
    assert FEW.conditions({"segments": [1, 3]}) == ("segment=1,3",)
    assert FEW.conditions({}) == ()
    many = opened(Campaign("many", {"a": ["x"] * 300}, {"R": ["x"] * 300}), "f1")
    assert many.conditions({"segments": list(range(250))}) is None
    alike = opened(Campaign("alike", {"a": ["x", "y"]}, {"R": ["x", "y"]}, segments=("s", "s")), "f1")
    assert alike.conditions({"segments": [1]}) is None


# Segments


def test_segments_are_sorted_by_every_order():
    def order(**sort: object) -> list[int]:
        return [row["segment"] for row in FEW.segments(sort=sort, descending=sort.pop("descending", False))["rows"]]

    assert order(by="position") == [0, 1, 2, 3, 4]
    assert order(by="position", descending=True) == [4, 3, 2, 1, 0]
    assert order(by="length") == [4, 1, 3, 0, 2]
    # 0, 100, 66.7, 0 and 50; those that are alike stand as they come.
    assert order(by="score", metric="wer", a="b") == [0, 3, 4, 2, 1]
    assert order(by="score", metric="wer", a="b", descending=True) == [1, 2, 4, 0, 3]
    # 0, -100, -33.3, 0, -50
    assert order(by="delta", metric="wer", a="a", b="b") == [1, 4, 2, 0, 3]
    assert order(by="human", kind="q", a="a") == [0, 1, 2, 3, 4]
    assert order(by="human", kind="q", a="a", descending=True) == [1, 0, 2, 3, 4]
    with pytest.raises(AssayError, match="There is no order of segments 'colour'"):
        order(by="colour")


def test_disagreement_and_gap_compare_ranks_that_point_the_same_way():
    scores = {name: QUERIES.segment_scores(name, "gravel") for name in ("bleu", "ter")}
    rank = {name: (stats.rankdata(values) - 1) / 59 for name, values in scores.items()}
    rank["ter"] = (stats.rankdata(-scores["ter"]) - 1) / 59
    sort = {"by": "disagreement", "metric": "bleu", "other": "ter", "a": "gravel"}
    rows = QUERIES.segments(sort=sort, descending=True, count=60)["rows"]
    apart = np.abs(rank["bleu"] - rank["ter"])
    assert [row["key"] for row in rows] == pytest.approx(apart[[row["segment"] for row in rows]])
    assert [row["key"] for row in rows] == sorted(apart, reverse=True)
    human = QUERIES.human("adequacy", "gravel")
    gap = (stats.rankdata(human) - 1) / 59 - rank["ter"]
    rows = QUERIES.segments(sort={"by": "gap", "metric": "ter", "a": "gravel", "kind": "adequacy"}, count=60)["rows"]
    assert [row["key"] for row in rows] == pytest.approx(gap[[row["segment"] for row in rows]])


def test_a_page_of_segments_has_what_was_asked_for():
    answer = FEW.segments(start=1, count=2, metrics=["wer"], systems=["b"], kind="q", filter={"segments": [0, 1, 2, 4]})
    assert answer["n"] == 4
    first, second = answer["rows"]
    assert first == {
        "segment": 1, "name": "1", "labels": {"document": "d1", "year": "2001"}, "scores": {"wer": {"b": 100.0}},
        "human": {"b": None}, "key": 1.0,
    }  # fmt: skip
    assert (second["segment"], second["human"]) == (2, {"b": 3.0})
    assert FEW.segments(start=77)["rows"] == []


def test_scores_of_segments_are_those_of_the_statistics():
    for (system, metric), statistics in evaluate_all(named_metrics("wer,f1"), SMALL).items():
        assert FEW.segment_scores(metric, system) == pytest.approx(statistics.segment_scores(), abs=1e-9)
    for system, place in product("ab", range(5)):
        assert FEW.segment_scores("wer", system)[place] == pytest.approx(wer(system, place))


def test_everything_about_a_segment():
    one = FEW.segment(segment=0)
    assert one["source"] == "eins zwei"
    assert one["references"] == {"R": "x y", "S": "x"}
    assert one["systems"] == {"a": "x y", "b": "x y"}
    assert one["labels"] == {"document": "d1", "year": "1999"}
    assert one["document"] == {"name": "d1", "segments": [0, 1], "place": 0}
    # Two words, and no edit.
    (metric,) = named_metrics("wer")
    assert metric.score(np.array(one["rows"]["wer"]["a"])) == 0.0
    assert {(row["system"], row["rater"], row["score"]) for row in one["judgements"]} == {
        ("a", "anna", 4.0), ("a", "ben", 2.0), ("b", "anna", 1.0), ("b", "ben", 3.0)
    }  # fmt: skip
    assert FEW.segment(segment=4)["document"] is None
    assert FEW.segment(segment=3)["judgements"] == []


def test_texts_of_segments_by_column():
    answer = FEW.texts(segments=[2, 0], columns=["source", "ref.S", "sys.b", "segment", "column.year"])
    assert answer == {
        "source": ["eins zwei drei", "eins zwei"], "ref.S": ["y", "x"], "sys.b": ["z", "x y"], "segment": ["2", "0"],
        "column.year": ["", "1999"],
    }  # fmt: skip
    partly = Campaign("partly", {"a": ["x", "y"]}, {"R": ["x", "y"], "S": ["x", ""]},
                      present={"S": np.array([True, False])})  # fmt: skip
    assert opened(partly, "f1").texts(segments=[0, 1], columns=["ref.S"]) == {"ref.S": ["x", None]}
    with pytest.raises(AssayError, match="5,001 segments at once"):
        QUERIES.texts(segments=[0] * 5001, columns=["source"])


# Groups, words, points, people


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_groups_have_the_scores_of_their_condition():
    for by in ("domain", "document"):
        chosen = {"where": ["domain!=news"]}
        groups = QUERIES.groups(filter=chosen, by=by)["groups"]
        labels = getattr(DEMO, f"{by}s")
        domains = DEMO.domains
        expected = Counter(label for label, domain in zip(labels, domains, strict=True) if domain != "news")
        assert {group["value"]: group["n"] for group in groups} == expected
        assert [group["value"] for group in groups] == list(expected)
        for group in groups:
            alone = QUERIES.scores(filter={"where": [*chosen["where"], *group["where"]]})
            assert alone["n"] == group["n"]
            for metric, of_metric in alone["scores"].items():
                assert group["scores"][metric] == pytest.approx(of_metric), metric


def test_groups_by_length_have_ranges_that_choose_them():
    groups = FEW.groups(by="length", bins=[1, 2], metrics=["wer"], systems=["b"])["groups"]
    assert [(group["value"], group["n"]) for group in groups] == [("0–1 words", 3), ("2–2 words", 1), ("3+ words", 1)]
    # Of segments 1, 3 and 4: an error in one word, none in two or one, one in two.
    for group in groups:
        alone = FEW.scores(filter={"ranges": [group["range"]]}, metrics=["wer"], systems=["b"])
        assert alone["scores"] == {"wer": {"b": pytest.approx(group["scores"]["wer"]["b"])}}
        assert alone["n"] == group["n"]
    assert QUERIES.groups(by="length")["groups"][0]["range"]["most"] == 9


def test_a_condition_of_a_group_chooses_it_whatever_it_is_called():
    names = ["a,b", "a*", " x ", "[c]", "", "plain", "?"]
    campaign = Campaign("names", {"s": ["x"] * 7}, {"R": ["x"] * 7}, columns={"name": names})
    queries = opened(campaign, "f1")
    for group in queries.groups(by="name")["groups"]:
        chosen = kept(queries, where=group["where"])
        assert names.index(group["value"]) in chosen
        # A comma, and a blank at an end, are left open.
        assert len(chosen) == 1 or group["value"] in (" x ", "a,b")


def test_ngrams_are_counted_as_an_obvious_loop_counts_them():
    words = re.compile(r"\w+|\S")

    def grams(text: str, order: int) -> Counter[str]:
        tokens = words.findall(text)
        return Counter(" ".join(tokens[place : place + order]) for place in range(len(tokens) - order + 1))

    for reference, (a, b) in product((None, "B"), [("gravel", "rosetta"), ("compass", "lantern")]):
        references = [column for name, column in DEMO.references.items() if reference in (None, name)]
        totals, where = {}, {}
        for place, order in product(range(60), range(1, 5)):
            most = Counter()
            for column in references:
                most |= grams(column[place], order)
            ours, theirs = (grams(DEMO.systems[name][place], order) & most for name in (a, b))
            for gram in ours.keys() | theirs.keys():
                entry = totals.setdefault((gram, order), [0, 0])
                entry[0] += ours[gram]
                entry[1] += theirs[gram]
                for sign in (1, -1):
                    if sign * (ours[gram] - theirs[gram]) > 0:
                        where.setdefault((gram, order, sign), []).append(place)
        answer = QUERIES.ngrams(a=a, b=b, reference=reference, limit=40)
        assert (answer["over"], answer["looked"]) == (60, 60)
        for side, sign in (("a", 1), ("b", -1)):
            ahead = [(gram, order, k, m) for (gram, order), (k, m) in totals.items() if sign * (k - m) > 0]
            ahead.sort(key=lambda one: (-abs(one[2] - one[3]), -one[1], one[0]))
            assert [(row["ngram"], row["order"], row["a"], row["b"]) for row in answer[side]] == ahead[:40]
            for row in answer[side]:
                assert row["segments"] == where[row["ngram"], row["order"], sign]


def test_scripts_without_spaces_are_cut_into_characters():
    campaign = Campaign("zh", {"a": ["你好 world", "ขอ"], "b": ["好", "x"]}, {"R": ["你好 world", "ขอ"]})
    answer = opened(campaign, "chrf").ngrams(a="a", b="b", most=2)
    assert {row["ngram"] for row in answer["a"]} == {"你 好", "好 world", "ข อ", "你", "world", "ข", "อ"}


def test_points_of_systems_and_of_segments():
    answer = FEW.points(x={"metric": "wer"}, y={"kind": "q"})
    # Cells that were judged: a 0 (mean 3), a 1 (5), b 0 (2), b 2 (3).
    assert answer["n"] == 4
    points = [(0.0, 3.0, 0, 0), (0.0, 5.0, 0, 1), (0.0, 2.0, 1, 0), (wer("b", 2), 3.0, 1, 2)]
    assert [tuple(point) for point in answer["points"]] == [pytest.approx(point) for point in points]
    assert answer["pearson"] == pytest.approx(stats.pearsonr([0, 0, 0, 200 / 3], [3, 5, 2, 3]).statistic)
    assert answer["kendall"] == pytest.approx(stats.kendalltau([0, 0, 0, 200 / 3], [3, 5, 2, 3]).statistic)
    systems = QUERIES.points(
        level="system", x={"metric": "bleu"}, y={"kind": "adequacy"}, filter={"where": ["domain=news"]}
    )
    assert systems["n"] == 5
    for x, y, number, segment in systems["points"]:
        name = QUERIES.systems[number]
        assert segment == -1
        assert x == QUERIES.scores(filter={"where": ["domain=news"]})["scores"]["bleu"][name]
        places = QUERIES.kept({"where": ["domain=news"]}).places
        assert y == pytest.approx(QUERIES.human("adequacy", name)[places].mean())


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")
def test_points_of_systems_beside_people_are_those_that_meta_correlates():
    human = DEMO.judgements
    # Some systems lack judgements of some segments, so that plain means would favour those with easier ones.
    there = (human.segment % 3 != 0) | (human.system.codes % 2 == 0)
    gaps = DEMO.with_judgements(human.only(there & (human.segment < 50)))
    queries = opened(gaps, "bleu,ter")
    systems = [name for name in queries.systems if name != "human"]
    for kind in ("adequacy", "fluency"):
        expected = assay.meta_evaluate(gaps, "bleu,ter", kind=kind, samples=0)
        for metric, sign in (("bleu", 1), ("ter", -1)):
            found = queries.points(level="system", x={"metric": metric}, y={"kind": kind}, systems=systems)
            row = expected.of(metric=metric, level="system", statistic="pearson")
            assert sign * found["pearson"] == pytest.approx(row["value"], abs=1e-9)


def test_ranks_are_no_scores_of_segments():
    ranked = [
        Judgement(system, segment, -float(rank), kind, ranking=ranking)
        for segment in range(2)
        for rank, system in enumerate(("a", "b"), start=1)
        for kind, ranking in (("better", f"r{segment}"), ("grade", None))
    ]
    campaign = Campaign("c", {"a": ["x", "y"], "b": ["x", "z"]}, {"R": ["x", "y"]}, human=Judgements.of(ranked, "c"))
    queries = opened(campaign, "bleu")
    assert queries.shown.ranked == ["better"]
    assert [*queries.shown.judgements.kinds] == ["grade"]


def test_of_many_points_the_same_are_shown_every_time():
    whole = QUERIES.points(x={"metric": "bleu"}, y={"metric": "ter"}, systems=["gravel", "rosetta"])
    some = QUERIES.points(x={"metric": "bleu"}, y={"metric": "ter"}, systems=["gravel", "rosetta"], most=30)
    assert (whole["n"], some["n"], len(some["points"])) == (120, 120, 30)
    assert some["pearson"] == whole["pearson"]

    def mixed(point: list[float]) -> int:
        return ((point[3] + 1) * 2654435761 & 0xFFFFFFFF) ^ ((point[2] + 1) * 2246822519 & 0xFFFFFFFF)

    smallest = sorted(map(mixed, whole["points"]))[:30]
    assert some["points"] == [point for point in whole["points"] if mixed(point) in smallest]


def test_a_distribution_counts_every_segment_once():
    # 0, 100, 66.7, 0 and 50 in four equal parts from 0 to 100.
    answer = FEW.distribution(metric="wer", a="b", bins=4)
    assert (answer["edges"], answer["counts"], answer["n"]) == ([0.0, 25.0, 50.0, 75.0, 100.0], [2, 0, 2, 1], 5)
    assert answer["mean"] == pytest.approx((100 + 200 / 3 + 50) / 5)
    apart = FEW.distribution(metric="wer", a="b", b="a", bins=2)
    # 0, 100, 33.3, 0, 50
    assert (apart["counts"], apart["mean"]) == ([3, 2], pytest.approx((100 + 100 / 3 + 50) / 5))
    alike = FEW.distribution(metric="wer", a="a", bins=2, filter={"segments": [0, 1]})
    assert (alike["edges"], alike["counts"]) == ([-0.5, 0.0, 0.5], [0, 2])


def test_raters_and_how_severe_they_are():
    anna, ben = FEW.raters(kind="q")["raters"]
    assert (anna["rater"], anna["n"], anna["mean"]) == ("anna", 3, pytest.approx(10 / 3))
    assert anna["sd"] == pytest.approx(np.std([4, 5, 1], ddof=1))
    # Both judged a 0 (4 and 2: mean 3) and b 0 (1 and 3: mean 2): anna is 1 above, then 1 below.
    assert (anna["severity"], ben["severity"]) == (0.0, 0.0)
    # Tenths of three judgements: the first ends in the fourth, the second in the seventh, the third in the last.
    assert anna["drift"] == [None, None, None, 1.0, None, None, None, None, None, -1.0]
    assert ben["drift"] == [None, None, None, -1.0, None, None, None, None, None, 1.0]
    only_first = FEW.raters(kind="q", filter={"segments": [2]})["raters"]
    assert [(one["rater"], one["n"], one["sd"], one["severity"]) for one in only_first] == [("ben", 1, None, None)]


# What is behind it


def test_ranks_are_those_of_scipy():
    values = np.array([3.0, 1.0, 3.0, 2.0, np.nan, 7.0, 1.0])
    there = values[~np.isnan(values)]
    assert ranks(values)[~np.isnan(values)] == pytest.approx((stats.rankdata(there) - 1) / (len(there) - 1))
    assert np.isnan(ranks(values)[4])
    assert ranks(np.array([np.nan, 5.0]))[1] == 0.5


def test_an_order_is_stable_and_puts_missing_values_last():
    generator = np.random.default_rng(1)
    values = generator.integers(0, 5, 200).astype(float)
    values[generator.integers(0, 200, 20)] = np.nan
    for descending in (False, True):
        keys = [(np.isnan(value), 0 if np.isnan(value) else -value if descending else value) for value in values]
        expected = sorted(range(200), key=lambda place: keys[place])
        assert ordered(values, descending=descending).tolist() == expected
    assert ordered(np.empty(0)).tolist() == []


def test_packed_rows_are_the_rows():
    rows = np.array([[1.0, 300.0, 0.5], [0.0, 70_000.0, np.nan], [255.0, 2.0**33, -2.0]])
    packed = PackedRows.of(rows)
    assert np.array_equal(packed.rows(), rows, equal_nan=True)
    assert packed.columns[0].dtype == np.uint8
    places = np.array([2, 0])
    assert packed.rows(places)[:, 0].tolist() == [255.0, 1.0]
    assert packed.total(places)[:2].tolist() == [256.0, 300.0 + 2.0**33]
    assert packed.sums(np.array([1, 0]), 2, places)[:, 0].tolist() == [1.0, 255.0]


def test_questions_about_some_segments_count_nothing_again():
    from assay.data.campaign import only, segments_where

    whole = Grid(evaluate_all(named_metrics("bleu,nist,f1"), DEMO))
    chosen = only(DEMO, segments_where(DEMO, "domain=news"))
    rows = ChosenRows(whole, DEMO, chosen)
    grid = evaluate_all(named_metrics("bleu,nist,f1"), chosen, known=Counted(rows=rows))
    assert not rows.others.rows
    plain = evaluate_all(named_metrics("bleu,nist,f1"), chosen)
    for key, statistics in plain.items():
        assert np.array_equal(grid[key].rows, statistics.rows), key
    # Other references, texts or options are other rows.
    other = ChosenRows(whole, DEMO, chosen)
    evaluate_all(named_metrics("bleu"), chosen.choose(references=["A"]), known=Counted(rows=other))
    evaluate_all(named_metrics("bleu(order=2)"), chosen, known=Counted(rows=other))
    assert len(other.others.rows) == 10


def test_a_query_that_is_not_known_or_has_other_options_says_so():
    with pytest.raises(AssayError, match="There is no query 'score'"):
        QUERIES.ask("score", {})
    with pytest.raises(AssayError, match="There is no option of the query scores 'colour'"):
        QUERIES.ask("scores", {"colour": 1})
    with pytest.raises(AssayError, match="against"):
        QUERIES.ask("deltas", {})
    assert QUERIES.ask("segments", {"from": 59, "count": 5})["rows"][0]["segment"] == 59
    with pytest.raises(AssayError, match="count is 5000"):
        QUERIES.ask("segments", {"count": 5000})


def test_judgements_alone_have_people_and_no_scores():
    queries = opened(Campaign("judgements", {}, {}, human=SMALL.judgements), "bleu")
    assert queries.systems == ["a", "b"]
    assert queries.raters(kind="q")["raters"][0]["n"] == 3
    assert queries.scores()["scores"] == {}
    rows = queries.segments(sort={"by": "human", "kind": "q", "a": "a"}, descending=True, kind="q")["rows"]
    assert rows[0]["human"] == {"a": 5.0, "b": None}
