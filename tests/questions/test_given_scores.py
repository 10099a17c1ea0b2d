"""Scores that another program computed are a metric: in score, compare and meta, with gaps and without."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest, t, ttest_1samp

import assay
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.questions.compare import Compare

SENTENCE = "bleu(effective_order=true)"


def scored(given, *, documents=None, lower=(), **more):
    """A campaign of scores alone: by metric, by system, a list with NaN for what is missing."""
    first = next(iter(given.values()))
    size = len(next(iter(first.values())))
    scores = {
        metric: ExternalScores(
            metric, {name: np.array(values, dtype=float) for name, values in systems.items()},
            higher_is_better=metric not in lower,
        )
        for metric, systems in given.items()
    }  # fmt: skip
    return Campaign("scored", {name: [""] * size for name in first}, {}, documents=documents, scores=scores, **more)


def written(path, campaign, metric):
    """The scores of a metric's segments as a file, every digit of them."""
    lines = ["system\tsegment\tscore"]
    for system in campaign.systems:
        scores = assay.metric(metric).evaluate(campaign.corpus(system)).segment_scores()
        lines += [f"{system}\t{segment}\t{float(score)!r}" for segment, score in enumerate(scores)]
    path.write_text("\n".join(lines) + "\n")
    return path


def without_names(rows, *left_out):
    others = ("metric", "signature", *left_out)
    return [{name: value for name, value in row.items() if name not in others} for row in rows]


@pytest.fixture(scope="module")
def demo():
    return assay.read(CAMPAIGN)


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_a_file_of_segment_scores_is_their_mean_to_the_last_bit(demo, tmp_path, unit):
    file = written(tmp_path / "bleu.tsv", demo, SENTENCE)
    of_file, mean = f'scores(path="{file}")', "bleu(effective_order=true,average=segments)"
    scores = [
        assay.score(demo, metric, unit=unit, documents=True, domains=True, segments=True) for metric in (of_file, mean)
    ]
    for table in ("scores", "segments", "documents", "domains"):
        first, second = (without_names(answer.table(table)) for answer in scores)
        assert first == second
    tests = [assay.compare(demo, metric, unit=unit, permutations=500, by="domain") for metric in (of_file, mean)]
    for table in ("pairs", "scores", "clusters", "buckets"):
        first, second = (without_names(answer.table(table)) for answer in tests)
        assert first == second


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
def test_the_same_scores_twice_have_p_1(test):
    scores = np.random.default_rng(1).normal(80.0, 9.0, 60).tolist()
    found = assay.compare(scored({"judge": {"one": scores, "other": scores}}), metrics="judge", test=test)
    (pair,) = found.table("pairs")
    assert (pair["delta"], pair["p"], pair["low"], pair["high"], pair["ties"]) == (0.0, 1.0, 0.0, 0.0, 60)


def test_right_and_wrong_answers_are_told_apart_as_mcnemar_does():
    generator = np.random.default_rng(3)
    for share in (0.55, 0.62, 0.7):
        first, second = generator.random(200) < 0.5, generator.random(200) < share
        (pair,) = assay.compare(
            scored({"exact": {"a": first, "b": second}}), metrics="exact", permutations=40_000
        ).table("pairs")
        won, lost = int((first & ~second).sum()), int((second & ~first).sum())
        exact = binomtest(won, won + lost).pvalue
        # Of 40,000 draws the share has a standard error of at most 0.0025.
        assert pair["p"] == pytest.approx(exact, abs=0.01)
        assert {(pair["wins"], pair["losses"]), (pair["losses"], pair["wins"])} == {(won, lost), (lost, won)}


def test_pairs_are_compared_on_what_both_have():
    # a has 1 to 8, b has nothing of the last three: over the five that both have it is 3 against 2, and over all 4.5.
    a, b = [1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 1, 2, 3, 3, np.nan, np.nan, np.nan]
    c = [0.0] * 8
    # All of c are the same, which is said, too.
    with (
        pytest.warns(AssayWarning, match="c: All 8 scores of judge are 0: nothing says how others would turn out"),
        pytest.warns(AssayWarning, match="b: 3 of 8 segments have no score of judge, and so no part in its mean"),
    ):
        found = assay.compare(scored({"judge": {"a": a, "b": b, "c": c}}), metrics="judge", test="t")
    assert found.of("judge", "a", "b").delta == 1.0
    assert found.of("judge", "a", "b").segments == 5
    assert found.of("judge", "a", "c").segments == 8
    assert found.of("judge", "a", "b").p == pytest.approx(ttest_1samp([0.0, 1, 1, 1, 2], 0.0).pvalue)
    assert found.of("judge", "b", "c").p == pytest.approx(ttest_1samp(b[:5], 0.0).pvalue)
    assert not any("in common" in line for line in found.findings)
    values = {row["system"]: row["score"] for row in found.table("scores")}
    assert values == {"a": 4.5, "b": 2.0, "c": 0.0}
    wins = {(row["a"], row["b"]): (row["wins"], row["losses"], row["ties"]) for row in found.table("pairs")}
    assert wins == {("a", "b"): (4, 0, 1), ("a", "c"): (8, 0, 0), ("b", "c"): (5, 0, 0)}
    said = "2 pairs of systems under judge are compared on 5 of 8 segments: those that both have scores of."
    assert said in found.findings


def test_a_pair_with_gaps_is_the_pair_without_these_segments():
    generator = np.random.default_rng(5)
    a, b, c = (generator.normal(0.0, 1.0, (3, 60)) + np.array([[0.5], [0.0], [-0.5]])).tolist()
    documents = tuple(f"d{index // 3}" for index in range(60))
    gaps = [np.nan if index % 7 == 0 else value for index, value in enumerate(b)]
    kept = [index for index in range(60) if index % 7]
    with pytest.warns(AssayWarning, match="9 of 60"):
        found = assay.compare(
            scored({"judge": {"a": a, "b": gaps, "c": c}}, documents=documents), metrics="judge", permutations=2000
        )
    alone = scored(
        {"judge": {name: [values[at] for at in kept] for name, values in {"a": a, "b": b, "c": c}.items()}},
        documents=tuple(documents[at] for at in kept),
    )
    expected = assay.compare(alone, metrics="judge", permutations=2000)
    for names in (("a", "b"), ("b", "c")):
        row, other = (answer.of("judge", *names) for answer in (found, expected))
        assert (row.a, row.b) == (other.a, other.b)
        for name in ("delta", "low", "high", "p", "effect", "wins", "losses"):
            assert getattr(row, name) == pytest.approx(getattr(other, name), rel=1e-12), name


def test_promises_are_measured_on_what_both_have():
    generator = np.random.default_rng(8)
    a, b = generator.normal(0.0, 1.0, (2, 60))
    documents = tuple(f"d{index // 3}" for index in range(60))
    missing, kept = np.arange(60) % 7 == 0, np.arange(60) % 7 > 0
    gaps = np.where(missing, np.nan, b)
    how = {"metrics": "judge", "calibrate": True, "simulations": 50, "permutations": 100, "samples": 100}
    for names in (None, documents):
        some = None if names is None else tuple(np.array(names)[kept])
        with pytest.warns(AssayWarning, match="9 of 60"):
            found = assay.compare(scored({"judge": {"a": a, "b": gaps}}, documents=names), **how)
        alone = assay.compare(scored({"judge": {"a": a[kept], "b": b[kept]}}, documents=some), **how)
        assert found.table("calibration") == alone.table("calibration")
        assert {row["units"] for row in found.table("calibration")} == {51 if names is None else 20}
    # Of four segments in common nothing is promised.
    with pytest.warns(AssayWarning, match="56 of 60"):
        few = assay.compare(scored({"judge": {"a": a, "b": np.where(np.arange(60) < 4, b, np.nan)}}), **how)
    assert "calibration" not in few.tables


def test_pairs_with_few_scores_in_common_say_how_they_are_tested():
    generator = np.random.default_rng(2)
    scores = {name: generator.normal(0.0, 1.0, 20) for name in "abcd"}
    scores["c"][4:] = np.nan
    scores["d"][:13] = np.nan
    with pytest.warns(AssayWarning, match="segments have no score"):
        found = assay.compare(scored({"judge": scores}), metrics="judge")
    # a and b have 20 in common, each has 4 with c and 7 with d, c and d none. Of six pairs the first is held against
    # 0.05/6, and of seven segments the fewest swaps are 2/128: 0.0156 is more.
    tested = {(row["a"], row["b"]): row["p"] is not None for row in found.table("pairs")}
    assert {pair for pair, known in tested.items() if not known} == {pair for pair in tested if "c" in pair}
    says = "of systems under judge have scores of"
    assert (
        f"3 pairs {says} 0 to 4 segments in common, too few to say anything: there are no p-values and no intervals."
    ) in found.findings
    assert (
        f"2 pairs {says} 7 segments in common, too few to change places: their p-values are those of Student's t, its "
        "error from leaving out each."
    ) in found.findings
    pair = next(row for row in found.table("pairs") if "d" in (row["a"], row["b"]) and row["p"] is not None)
    apart = (scores[pair["a"]] - scores[pair["b"]])[13:]
    assert pair["p"] == pytest.approx(ttest_1samp(apart, 0.0).pvalue)
    # Nor have such pairs an interval among those that hold together, and they do not change those of the others.
    with pytest.warns(AssayWarning, match="segments have no score"):
        together = assay.compare(scored({"judge": scores}), metrics="judge", simultaneous=True)
    with pytest.warns(AssayWarning, match="segments have no score"):
        others = assay.compare(scored({"judge": scores}), metrics="judge", simultaneous=True, without="c")
    ends = {(row["a"], row["b"]): (row["low"], row["high"]) for row in together.table("pairs")}
    assert {pair for pair, (low, _) in ends.items() if low is None} == {pair for pair in tested if "c" in pair}
    for row in others.table("pairs"):
        assert (row["low"], row["high"]) == ends[row["a"], row["b"]]


@pytest.mark.parametrize(
    ("test", "documents", "said"),
    [("bootstrap", 11, False), ("bootstrap", 12, True), ("bootstrap", 60, False), ("randomisation", 12, False)],
)
def test_the_bootstrap_test_of_documents_says_that_it_is_too_sure(test, documents, said):
    a, b = np.random.default_rng(1).normal(0.0, 1.0, (2, 60))
    names = tuple(f"d{index % documents}" for index in range(60))
    found = assay.compare(scored({"judge": {"a": a, "b": b}}, documents=names), metrics="judge", test=test)
    # Sixty documents of sixty segments are segments.
    assert any("called up to 8 % of equally good systems different" in line for line in found.findings) == said


def test_no_interval_is_surer_than_what_was_not_seen():
    # Of 20 answers one differs: Student's t over that and two more, 1, 1 and -1 among 22, which is 1/22 ± 2.0796 times
    # the root of (3 - 1/22) / 21 / 22. All bootstrap samples lie above 0.
    right = np.arange(20) % 3 > 0
    once = right.copy()
    once[0] = True
    found = assay.compare(scored({"exact": {"a": once, "b": right}}), metrics="exact", baseline="b")
    (pair,) = found.table("pairs")
    reach = t.ppf(0.975, 21) * np.sqrt((3 - 1 / 22) / 21 / 22)
    assert pair["low"] == pytest.approx(1 / 22 - reach)
    # That is how intervals are measured, too: draws without that one answer, 0.95^20 or 36 %, have one that holds 0.05.
    found = assay.compare(
        scored({"exact": {"a": once, "b": right}}), metrics="exact", calibrate=True, simulations=50, samples=100
    )
    held = {row["method"]: row["measured"] for row in found.table("calibration") if row["what"] == "coverage of Δ"}
    assert held == {"percentile": 1.0, "bca": 1.0}
    # If none differs, answers differ by 1 if they do: 0 ± 2.0796 times the root of 2/21/22, which is 0.137.
    for margin, fails in ((0.13, True), (0.14, False)):
        campaign = scored({"exact": {"a": right, "b": right}})
        found = assay.compare(campaign, metrics="exact", baseline="b", not_worse_than=margin)
        assert found.failed == fails
    (pair,) = found.table("pairs")
    assert pair["high"] == -pair["low"] == pytest.approx(t.ppf(0.975, 21) * np.sqrt(2 / 21 / 22))
    # Nothing says by what they would differ where all answers are right: no gate passes.
    with pytest.warns(AssayWarning, match="All 20 scores of exact are 1: nothing says how others would turn out"):
        found = assay.compare(
            scored({"exact": {"a": [1.0] * 20, "b": [1.0] * 20}}), metrics="exact", baseline="b", not_worse_than=0.99
        )
    (pair,) = found.table("pairs")
    assert (pair["low"], pair["p"], found.failed) == (None, 1.0, True)


def test_what_has_some_scores_alone_has_the_interval_of_these():
    generator = np.random.default_rng(6)
    documents = tuple(f"d{index // 3}" for index in range(60))
    values = generator.normal(0.0, 1.0, 60)
    kept = np.arange(60) % 20 < 12
    gaps = np.where(kept, values, np.nan)
    alone = tuple(name for name, there in zip(documents, kept, strict=True) if there)
    expected = assay.score(scored({"judge": {"b": values[kept]}}, documents=alone), "judge").table("scores")[0]
    campaign = scored({"judge": {"b": gaps, "a": values}}, documents=documents)
    with pytest.warns(AssayWarning, match="24 of 60"):
        rows = [row for row in assay.score(campaign, "judge").table("scores") if row["system"] == "b"]
    with pytest.warns(AssayWarning, match="24 of 60"):
        rows += [row for row in assay.compare(campaign, "judge").table("scores") if row["system"] == "b"]
    for row in rows:
        assert (row["low"], row["high"]) == pytest.approx((expected["low"], expected["high"]), rel=1e-12)
    # Of four documents there is none.
    few = scored({"judge": {"a": np.where(np.arange(60) < 12, values, np.nan)}}, documents=documents)
    with pytest.warns(AssayWarning, match="48 of 60"):
        (row,) = assay.score(few, "judge").table("scores")
    assert (row["low"], row["high"]) == (None, None)


def test_a_difference_that_is_the_same_everywhere_has_no_size_in_deviations():
    values = np.arange(20) * 0.1
    (pair,) = assay.compare(scored({"judge": {"a": values + 0.1, "b": values}}), "judge").table("pairs")
    assert (pair["wins"], pair["effect"], pair["detectable_delta"]) == (20, None, None)
    assert pair["delta"] == pytest.approx(0.1)
    # None of 10,000 random swaps of 20 is all or nothing but by chance: twice in 2 to the 20.
    assert pair["p"] < 0.001


def test_what_is_missing_is_no_part_of_means_and_no_score():
    campaign = scored({"judge": {"a": [1.0, np.nan, 3.0], "b": [np.nan] * 3}}, documents=("x", "x", "y"))
    with pytest.warns(AssayWarning, match="no score of judge"):
        found = assay.score(campaign, "judge", segments=True, documents=True, samples=0)
    assert [(row["system"], row["score"]) for row in found.table("scores")] == [("a", 2.0), ("b", None)]
    assert [row["score"] for row in found.table("segments")] == [1.0, None, 3.0, None, None, None]
    assert [row["score"] for row in found.table("documents")] == [1.0, 3.0, None, None]
    assert "NaN" not in found.to_json()
    assert assay.Result.from_json(found.to_json()).render("text") == found.render("text")
    with pytest.warns(AssayWarning), pytest.raises(InputError, match=r"'b' has no score of judge.*--without b"):
        assay.compare(campaign, "judge")


def test_lower_is_better_where_somebody_says_so():
    errors = {"good": [1.0, 2, 1, 2, 1, 2], "bad": [5.0, 6, 5, 6, 5, 6]}
    found = assay.compare(scored({"metricx": errors}), metrics="metricx", scores_lower="metricx", test="t")
    assert [row["system"] for row in found.table("scores")] == ["good", "bad"]
    assert "metricx ↓" in found.render("text")
    again = assay.compare(scored({"metricx": errors}, lower=["metricx"]), metrics="metricx", test="t")
    assert without_names(again.table("pairs")) == without_names(found.table("pairs"))
    assert "metricx ↑" in assay.compare(scored({"metricx": errors}), metrics="metricx", test="t").render("text")


def test_scores_take_the_place_of_metrics_that_nobody_named(demo, tmp_path):
    file = written(tmp_path / "mine.tsv", demo, "chrf")
    assert {row["metric"] for row in assay.score(demo, scores=file, samples=0).table("scores")} == {"mine"}
    both = assay.score(demo, "bleu", scores=file, samples=0)
    assert {row["metric"] for row in both.table("scores")} == {"bleu", "mine"}
    assert both.signatures["mine"].startswith("mine|references:0|segments:60")
    assert both.signatures["mine"].endswith(f"scores:{both.digests['scores.mine'][:12]}")


def test_scores_of_a_campaign_are_known_by_their_name(demo, tmp_path):
    given = assay.read_scores(written(tmp_path / "mine.tsv", demo, "chrf"), demo)
    campaign = replace(demo, scores={one.name: one for one in given})
    assert {row["metric"] for row in assay.score(campaign, "mine,ter", samples=0).table("scores")} == {"mine", "ter"}
    # They are there for the asking, and nothing else: nobody asked for them here.
    assert {row["metric"] for row in assay.score(campaign, samples=0).table("scores")} == {"bleu", "chrf"}
    with pytest.raises(UnknownName, match=r"no metric 'mne'. Did you mean 'mine'"):
        assay.score(campaign, "mne")
    with pytest.raises(InputError, match="has scores called 'mine' already"):
        assay.score(campaign, scores=tmp_path / "mine.tsv")


def test_a_file_of_scores_that_nobody_asks_for_is_not_read(tmp_path):
    shutil.copytree(CAMPAIGN, tmp_path / "campaign")
    written(tmp_path / "campaign" / "scores.mine.tsv", assay.read(CAMPAIGN), "chrf")
    (tmp_path / "campaign" / "scores.broken.tsv").write_text("nothing\n")
    plain = assay.score(tmp_path / "campaign", "bleu", samples=0)
    assert not any(name.startswith("scores.") for name in plain.digests)
    asked = assay.score(tmp_path / "campaign", "mine", samples=0)
    assert [name for name in asked.digests if name.startswith("scores.")] == ["scores.mine"]
    with pytest.raises(InputError, match=r"scores\.broken\.tsv"):
        assay.score(tmp_path / "campaign", "broken")


def test_a_name_that_nothing_has_is_refused_as_ever(demo):
    with pytest.raises(UnknownName, match=r"no metric 'bluu'. Did you mean 'bleu'"):
        assay.score(demo, "bluu")
    with pytest.raises(UnknownName, match=r"comet is computed by a program of its own.*--scores FILE in any command"):
        assay.score(demo, "comet")


def test_a_file_of_several_metrics_has_to_be_told_which(demo, tmp_path):
    file = tmp_path / "two.tsv"
    cells = [(system, segment) for system in demo.systems for segment in range(60)]
    lines = [f"{system}\t{segment}\t{segment}\t{-segment}" for system, segment in cells]
    file.write_text("\n".join(["system\tsegment\tup\tdown", *lines]))
    with pytest.raises(ParameterError, match=r"scores of up, down. Say which: scores\(path=...,metric=NAME\)"):
        assay.score(demo, f'scores(path="{file}")')
    chosen = assay.score(demo, f'scores(path="{file}",metric=down)', samples=0)
    assert {row["score"] for row in chosen.table("scores")} == {-29.5}
    with pytest.raises(UnknownName, match=r"no metric in .*two\.tsv 'left'"):
        assay.score(demo, f'scores(path="{file}",metric=left)')
    with pytest.raises(ParameterError, match="scores needs path"):
        assay.metric("scores")
    with pytest.raises(ParameterError, match="own recipe"):
        assay.metric(f'scores(path="{file}",lowercase=true)')


def test_metrics_of_texts_say_what_they_miss_where_there_are_none():
    campaign = scored({"judge": {"a": [1.0, 2.0], "b": [2.0, 3.0]}})
    with pytest.raises(InputError, match=r"bleu compares translations with references, and there is none for 'a'"):
        assay.score(campaign, "bleu")
    assert {row["metric"] for row in assay.score(campaign, samples=0).table("scores")} == {"judge"}


def test_a_filter_keeps_the_scores_of_what_it_keeps(demo, tmp_path):
    file = written(tmp_path / "mine.tsv", demo, "chrf")
    found = assay.score(demo, scores=file, where="domain=news", samples=0)
    of_texts = assay.score(demo, "chrf(average=segments)", where="domain=news", samples=0)
    assert without_names(found.table("scores")) == without_names(of_texts.table("scores"))


@pytest.mark.filterwarnings("ignore:Left out")
def test_meta_takes_scores_by_name_and_by_file_alike(demo, tmp_path):
    file = written(tmp_path / "mine.tsv", demo, "chrf")
    given = {one.name: one for one in assay.read_scores(file, demo)}
    by_name = assay.meta_evaluate(replace(demo, scores=given), "mine", kind="adequacy", samples=50)
    by_file = assay.meta_evaluate(demo, scores=file, kind="adequacy", samples=50)
    assert by_name.table("results") == by_file.table("results")
    assert {row["metric"] for row in by_name.table("results")} == {"mine"}


class TestGates:
    """What decides whether a build goes on."""

    good, bad = [3.0, 4, 3, 4, 3, 4, 3, 4], [1.0, 2, 1, 2, 1, 2, 1, 3]

    def found(self, **options):
        return assay.compare(scored({"judge": {"old": self.good, "new": self.bad}}), "judge", baseline="old", **options)

    def test_not_worse_takes_the_whole_interval(self):
        # new is 15/8 = 1.875 worse; one of eight segments differs by 1, the others by 2.
        found = self.found()
        (pair,) = found.table("pairs")
        assert pair["delta"] == -1.875
        assert -2.0 <= pair["low"] < -1.875 < pair["high"]
        assert not self.found(not_worse_than=2.5).failed
        assert self.found(not_worse_than=1.9).failed
        assert self.found(not_worse_than=-pair["low"]).failed
        assert not self.found(not_worse_than=-pair["low"] + 1e-9).failed
        (verdict,) = self.found(not_worse_than=1.9).table("verdicts")
        assert verdict["case"] == "new vs old, not worse by 1.9"
        assert verdict["reason"].endswith("it may be 1.9 worse, or more")

    def test_error_rates_are_worse_above(self):
        lower = assay.compare(
            scored({"errors": {"old": self.bad, "new": self.good}}, lower=["errors"]),
            "errors", baseline="old", not_worse_than=1.9,
        )  # fmt: skip
        assert lower.failed
        better = assay.compare(
            scored({"errors": {"old": self.good, "new": self.bad}}, lower=["errors"]),
            "errors", baseline="old", not_worse_than=0.1,
        )  # fmt: skip
        assert not better.failed

    @pytest.mark.filterwarnings("ignore:b. 3 of 3 segments have no score")
    def test_a_value_that_has_to_be_reached(self):
        judged, errors = {"a": [1.0, 2.0, 3.0], "b": [np.nan] * 3}, {"a": [4.0] * 3, "b": [5.0] * 3}
        campaign = scored({"judge": judged, "errors": errors})
        found = assay.score(
            campaign, "judge,errors", scores_lower="errors", fail_under=("judge=2", "errors=4.5"), samples=0
        )
        assert [(row["system"], row["metric"], row["failed"]) for row in found.table("verdicts")] == [
            ("a", "judge", False), ("b", "judge", True), ("a", "errors", False), ("b", "errors", True),
        ]  # fmt: skip
        assert found.failed
        assert "FAILED: judge: b has no score, wanted: at least 2" in found.findings
        assert "FAILED: errors: b has 5.00, wanted: at most 4.5" in found.findings
        assert not assay.score(campaign, "judge", without="b", fail_under="judge=2", samples=0).failed
        assert assay.score(campaign, "judge", without="b", fail_under="judge=2.01", samples=0).failed
        report = json.loads(found.to_json())
        assert [row["failed"] for row in report["verdicts"]] == [False, True, False, True]
        assert 'failures="2"' in found.render("junit")

    def test_what_makes_no_sense_is_refused(self):
        with pytest.raises(ParameterError, match="--not-worse-than needs --baseline NAME"):
            Compare(not_worse_than=1.0)
        with pytest.raises(ParameterError, match="not_worse_than is 0, but it takes a number above 0"):
            Compare(not_worse_than=0.0, baseline="old")
        with pytest.raises(ParameterError, match="write METRIC=VALUE, such as chrf=50"):
            Compare(fail_under="chrf")
        with pytest.raises(ParameterError, match="chrf is not among the metrics here"):
            self.found(fail_under="chrf=50")
        few = scored({"judge": {"old": [1.0, 2.0], "new": [1.0, 3.0]}})
        with pytest.raises(InputError, match="--not-worse-than needs a test, and 2 segments are too few"):
            assay.compare(few, "judge", baseline="old", not_worse_than=1.0)


def test_scores_between_minus_two_and_two_are_shown_with_four_decimals():
    small, large = {"a": [0.5, 0.6], "b": [0.25, 0.25]}, {"a": [50.0, 60.0], "b": [2.0, 2.5]}
    campaign = scored({"small": small, "large": large})
    shown = assay.score(campaign, "small,large", samples=0).render("text")
    assert [line.split() for line in shown.splitlines() if line[:1] in ("a", "b")][:2] == [
        ["a", "0.5500", "55.00"], ["b", "0.2500", "2.25"],
    ]  # fmt: skip
    compared = assay.compare(campaign, "small,large").render("text")
    assert "+0.3000" in compared
    assert "+52.75" in compared
