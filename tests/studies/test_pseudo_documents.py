"""The study of pseudo-documents: curves against text put together by hand, and what it says where judges lack."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr, wilcoxon

import assay
from assay.data.judgements import Judgement, Judgements
from assay.data.texts import Texts
from assay.errors import InputError, ParameterError
from assay.people.pseudo_documents import JUDGES, DocumentCurves, Documents, JudgementPool
from assay.people.scores import metric_scores
from assay.people.usage import people_of
from assay.questions.studies.pseudo_documents import (
    _findings,
    compared,
    significant_from,
    summary,
    usual_lengths,
)
from assay.significance.draws import Units
from oracles import additive
from studies.judged_campaign import campaign, without

SMALL = {"metrics": ("bleu", "recall"), "per_length": 40}


def curve(result, name, length):
    return next(row for row in result.table() if (row["curve"], row["length"]) == (name, length))


def test_a_curve_is_the_mean_spearman_of_documents_put_together_by_hand():
    whole = campaign(raters="a", segments=9)
    result = assay.study("pseudo-documents", whole, lengths=(3,), **SMALL)
    scores = {(one.system, one.segment): one.score for one in whole.judgements}
    values = []
    documents = Documents.random(np.arange(9), 3, 40, seed=1)
    for chosen in documents.segment.reshape(40, 3).tolist():
        people = [np.mean([scores[name, segment] for segment in chosen]) for name in whole.systems]
        metric = []
        for texts in whole.systems.values():
            corpus = assay.Corpus(
                translations=[list(texts)[one] for one in chosen],
                references=[[list(whole.references["r0"])[one] for one in chosen]],
            )
            metric.append(assay.metric("recall").evaluate(corpus).corpus_score())
        values.append(spearmanr(metric, people).statistic)
    row = curve(result, "recall", 3)
    assert row["correlation"] == pytest.approx(np.mean(values), abs=1e-9)
    assert row["documents"] == 40
    # Of 40 values in order the k-th stands at k/41.
    ends = np.interp([0.05 * 41, 0.95 * 41], range(1, 41), sorted(values))
    assert (row["spread_low"], row["spread_high"]) == pytest.approx(ends.tolist())


def test_the_middle_of_single_documents_leaves_a_twentieth_out_at_either_end():
    # Of 99 correlations in order the k-th stands at k/100: the 5th is 0.05, the 95th 0.95.
    row = summary(np.arange(1, 100) / 100, 3)
    assert (row["correlation"], row["spread_low"], row["spread_high"]) == pytest.approx((0.5, 0.05, 0.95))


def test_judgements_are_drawn_one_by_one_and_judges_differ():
    whole = campaign(raters="abc", systems=3, segments=4)
    people, _ = people_of(whole)
    pool = JudgementPool.of(people)
    by_cell: dict[tuple[str, int], set[float]] = {}
    for one in whole.judgements:
        by_cell.setdefault((one.system, one.segment), set()).add(one.score)
    documents = Documents.of([np.array([segment]) for segment in range(4) for _ in range(200)])
    (one,) = pool.means(documents, 1, judges=1)
    two, three = pool.means(documents, 2, judges=2)
    for row in range(len(documents)):
        for column, system in enumerate(people.systems):
            known = by_cell[system, row // 200]
            assert {one[row, column], two[row, column], three[row, column]} <= known
            assert two[row, column] != three[row, column]
    # Every judgement comes up: the mean over many draws is the mean over judges.
    means = one.reshape(4, 200, 3).mean(axis=1)
    assert np.allclose(means, people.grid.T, atol=0.35)


def test_repeats_of_one_judge_are_no_second_judge():
    whole = campaign(raters="a", systems=3, segments=4)
    doubled = whole.with_judgements(whole.judgements.joined(whole.judgements))
    pool = JudgementPool.of(people_of(doubled)[0])
    assert (pool.size < 2).all()
    assert np.array_equal(pool.score, JudgementPool.of(people_of(whole)[0]).score)


def test_a_rater_is_one_judge_under_all_kinds():
    # Judging the same translation again under another kind is keeping to one's word, not agreeing with somebody.
    alone = campaign(raters="a", kinds=("da", "da-repeat"))
    pool = JudgementPool.of(people_of(alone, kind="da/da-repeat")[0])
    assert (pool.size < 2).all()
    assert (pool.size > 0).all()


def test_metrics_stand_beside_judges_on_the_segments_that_two_of_them_scored():
    whole = without(campaign(), lambda one: one.rater == "a" or one.segment < 5)
    result = assay.study("pseudo-documents", whole, metrics=("bleu", "recall"), lengths=(1, 5), per_length=20)
    beside = result.table("two_judges")
    assert [(row["curve"], row["length"]) for row in beside] == [
        (curve, length) for length in (1, 5) for curve in ("judge against judge", "bleu", "recall")
    ]
    # The whole of these segments is one document: a metric's Spearman with the judge who was drawn.
    assert all(row["correlation"] is not None for row in beside)
    assert any(sentence.startswith("On these segments alone, documents of 5 segments") for sentence in result.findings)
    # Judge b scored the five systems in segments 0 to 4, but here one of them not.
    fewer = without(whole, lambda one: (one.rater, one.system, one.segment) != ("b", "s0", 3))
    said = assay.study("pseudo-documents", fewer, metrics="bleu", lengths=(1,), per_length=5).findings
    assert "Judge against judge: 5 segments on which two judges scored 24 translations." in said
    # Where two judges scored everything, the curves are there already.
    whole = assay.study("pseudo-documents", campaign(), metrics="bleu", lengths=(1,), per_length=5)
    assert "two_judges" not in whole.tables


def test_the_whole_text_is_one_document_and_tests_nothing():
    once = campaign(raters="a")
    rows = assay.study("pseudo-documents", once, metrics=("bleu", "recall"), lengths=(3, 12), per_length=20).table()
    by_length = {length: [row for row in rows if row["length"] == length] for length in (3, 12)}
    assert {row["p"] is None for row in by_length[3]} == {True, False}
    assert all(row["p"] is None and row["spread_low"] is None for row in by_length[12])
    assert all(row["correlation"] is not None for row in by_length[12])
    # What other segments would give is a question there, too.
    assert all(row["low"] < row["high"] for row in by_length[12])


def test_nameless_raters_are_different_judges():
    whole = campaign(raters="ab", systems=3, segments=4)
    rows = [Judgement(one.system, one.segment, one.score, one.kind) for one in whole.judgements]
    nameless = whole.with_judgements(Judgements.of(rows, "inline"))
    assert (JudgementPool.of(people_of(nameless)[0]).size > 1).all()


def test_judges_have_a_curve_of_their_own_as_far_as_they_overlap():
    whole = without(campaign(), lambda one: one.rater == "a" or one.segment < 6)
    result = assay.study("pseudo-documents", whole, **SMALL)
    lengths = [row["length"] for row in result.table() if row["curve"] == JUDGES]
    # 6 of 12 segments have two judges, and they are the last point.
    assert max(lengths) == 6
    assert max(row["length"] for row in result.table()) == 12
    assert any("6 segments on which two judges scored 30 translations" in finding for finding in result.findings)


def test_judges_against_judges_are_scipys_spearman_where_nothing_is_left_to_draw():
    whole = campaign(raters="ab", segments=6)
    result = assay.study("pseudo-documents", whole, lengths=(6,), **SMALL)
    totals: dict[tuple[str, str], float] = {}
    for one in whole.judgements:
        totals[one.rater, one.system] = totals.get((one.rater, one.system), 0.0) + one.score
    row = curve(result, JUDGES, 6)
    # Which of two judges comes first is drawn per translation, so documents differ, but all systems are far apart.
    plain = spearmanr([totals["a", name] for name in whole.systems], [totals["b", name] for name in whole.systems])
    assert row["correlation"] == pytest.approx(plain.statistic, abs=0.15)


def test_one_judge_and_judges_without_overlap_give_no_judges_curve_and_say_so():
    alone = campaign(raters="a")
    apart = without(campaign(raters="ab"), lambda one: (one.rater == "a") == (one.segment % 2 == 0))
    for one in (alone, apart):
        result = assay.study("pseudo-documents", one, **SMALL)
        assert all(row["curve"] != JUDGES for row in result.table())
        assert any(
            "No curve of judge against judge: it needs segments on which two judges" in f for f in result.findings
        )


def test_usage_is_told():
    result = assay.study("pseudo-documents", campaign(kinds=("adequacy", "fluency")), kind="adequacy", **SMALL)
    assert result.findings[-1] == "120 of 240 judgements were used. Not used: 120 of another kind."
    coarse = Judgements.of(
        [Judgement("s0", None, 1.0, "adequacy"), Judgement("s1", None, 1.0, "adequacy", document="d0")], "i"
    )
    mixed = campaign().with_judgements(campaign().judgements.joined(coarse))
    said = "120 of 122 judgements were used. Not used: 1 of whole documents; 1 of whole systems."
    assert assay.study("pseudo-documents", mixed, **SMALL).findings[-1] == said


def test_what_is_missing_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("pseudo-documents", campaign(judged=False))
    with pytest.raises(InputError, match="needs at least 3 that were judged, and small has 2: s0, s1"):
        assay.study("pseudo-documents", campaign(systems=2))
    with pytest.raises(InputError, match="document of 50 segments cannot be made from small, where 12 have"):
        assay.study("pseudo-documents", campaign(), lengths=(50,))
    with pytest.raises(InputError, match=r"has 1 reference \(r0\), and 2 were asked for"):
        assay.study("pseudo-documents", campaign(), reference_counts=(2,))
    # Every segment was judged for one system alone.
    lonely = without(campaign(), lambda one: one.system == f"s{one.segment % 5}")
    with (
        pytest.warns(assay.AssayWarning, match="No two systems were judged on the same segment"),
        pytest.raises(InputError, match="segments on which 3 systems or more were judged, and small has none"),
    ):
        assay.study("pseudo-documents", lonely)
    of_systems = [Judgement(name, None, 1.0, "sys") for name in campaign().systems]
    with pytest.raises(InputError, match="whole documents or systems"):
        assay.study("pseudo-documents", campaign().with_judgements(Judgements.of(of_systems, "inline")))
    for options in ({"per_length": 1}, {"lengths": (0,)}, {"lengths": (2, 2)}, {"reference_counts": (0,)}):
        with pytest.raises(assay.ParameterError, match="pseudo-documents"):
            assay.study("pseudo-documents", campaign(), **options)


def test_ranks_have_no_judgement_to_draw():
    rows = [
        Judgement(name, segment, float(place), "rank", ranking=f"r{segment}")
        for segment in range(12)
        for place, name in enumerate(campaign().systems)
    ]
    with pytest.raises(InputError, match="needs scores of single segments, and these judgements are ranks"):
        assay.study("pseudo-documents", campaign().with_judgements(Judgements.of(rows, "inline")))


def test_several_numbers_of_references_are_curves_of_their_own():
    two = campaign(references=2)
    result = assay.study("pseudo-documents", two, reference_counts=(1, 2), lengths=(4,), **SMALL)
    names = {row["curve"]: row["references"] for row in result.table()}
    assert names == {"bleu, 1 ref": 1, "recall, 1 ref": 1, "bleu, 2 refs": 2, "recall, 2 refs": 2, JUDGES: None}
    alone = assay.study("pseudo-documents", two, references="r0", lengths=(4,), **SMALL)
    assert curve(result, "recall, 1 ref", 4)["correlation"] == curve(alone, "recall", 4)["correlation"]


def test_normalised_judges_and_recipes_make_other_curves():
    plain, normal = (
        assay.study("pseudo-documents", campaign(), normalise=method, **SMALL).table() for method in ("none", "z")
    )
    assert plain != normal
    recipes = ("recall", "recall(lowercase=true,stem=porter)")
    rows = assay.study("pseudo-documents", campaign(), metrics=recipes, lengths=(1,), per_length=40).table()
    assert rows[0]["correlation"] != rows[1]["correlation"]


def test_wilcoxon_is_scipys():
    generator = np.random.default_rng(5)
    first, second = generator.normal(size=200), generator.normal(0.1, 1, size=200)
    second[:3] = np.nan
    difference, p = compared(first, second)
    there = np.isfinite(second)
    assert difference == pytest.approx(np.mean(first[there] - second[there]))
    assert p == pytest.approx(wilcoxon(first[there], second[there], zero_method="pratt", correction=True).pvalue)


def test_the_edge_of_significance_is_the_smallest_difference_above_all_doubtful_ones():
    noise = np.random.default_rng(2).normal(0, 0.01, size=200)
    # Differences: 0.5 (sure), about 0 (doubtful), 0.5 (sure).
    values = [{"a": np.full(200, 0.5), "b": np.zeros(200), "c": noise - noise.mean()}]
    assert significant_from(values) == pytest.approx(0.5, abs=1e-9)
    assert significant_from([{"a": noise, "b": noise}]) is None


def test_lengths_reach_the_whole_text():
    assert usual_lengths(1) == (1,)
    assert usual_lengths(1177)[-1] == 1177
    assert len(usual_lengths(1177)) == 10


def test_same_seed_same_table_and_figure_on_any_threads():
    pytest.importorskip("vl_convert")
    made = [assay.study("pseudo-documents", campaign(), threads=threads, **SMALL) for threads in (1, 3)]
    assert made[0].to_json() == made[1].to_json()
    one, two = (result.chart().to_bytes("svg") for result in made)
    assert one == two
    for text in ("judge against judge", "bleu", "recall", "40 random documents"):
        assert text in one.decode()
    assert assay.study("pseudo-documents", campaign(), seed=2, **SMALL).to_json() != made[0].to_json()


def test_the_two_judges_who_agree_least_are_found_and_drawn():
    whole = campaign(raters="abc")
    result = assay.study("pseudo-documents", whole, lengths=(4,), **SMALL)
    scores: dict[str, dict[tuple[str, int], float]] = {}
    for one in whole.judgements:
        scores.setdefault(one.rater, {})[one.system, one.segment] = one.score
    values = {
        (one, other): spearmanr([scores[one][key] for key in scores[one]], [scores[other][key] for key in scores[one]])
        for one, other in ("ab", "ac", "bc")
    }
    one, other = min(values, key=lambda pair: values[pair].statistic)
    said = f"The two judges who agree least are {one} and {other}: Spearman {values[one, other].statistic:.3f}"
    assert any(finding.startswith(said) for finding in result.findings)
    shown = {(point["x"], point["y"]) for point in result.table("points")}
    assert shown == {(scores[one][key], scores[other][key]) for key in scores[one]}
    assert [f'"title": "{name}"' in json.dumps(result.chart().data) for name in (one, other)] == [True, True]
    # Normalised scores are on another scale, and say so.
    other_scale = json.dumps(assay.study("pseudo-documents", whole, lengths=(4,), normalise="z", **SMALL).chart().data)
    assert re.search(r'"title": "[abc] \(z\)"', other_scale)
    # Too few translations in common are chance.
    few = without(campaign(), lambda one: one.rater == "a" or one.segment < 3)
    assert "points" not in assay.study("pseudo-documents", few, **SMALL).tables


def shuffled_rows(whole):
    rows = list(whole.judgements)
    np.random.default_rng(9).shuffle(rows)
    systems = dict(reversed(whole.systems.items()))
    return assay.Campaign("small", systems, dict(whole.references), documents=whole.documents).with_judgements(
        Judgements.of(rows, "inline")
    )


def test_the_order_of_rows_and_systems_does_not_matter():
    whole = without(campaign(), lambda one: (one.segment + int(one.system[1:])) % 4 > 0)
    for kind in (campaign(), whole):
        one, other = (assay.study("pseudo-documents", each, **SMALL) for each in (kind, shuffled_rows(kind)))
        assert [row["correlation"] for row in one.table()] == pytest.approx(
            [row["correlation"] for row in other.table()], abs=1e-12
        )


def test_people_are_adjusted_for_segments_and_metrics_score_the_whole_document():
    # Each segment was judged for three of four systems: by hand in the document of all segments.
    whole = without(campaign(raters="a", systems=4, segments=8), lambda one: one.segment % 4 != int(one.system[1:]))
    result = assay.study("pseudo-documents", whole, metrics="recall", lengths=(8,), per_length=3)
    human = np.full((4, 8), np.nan)
    for one in whole.judgements:
        human[int(one.system[1:]), one.segment] = one.score
    metric = [assay.metric("recall").evaluate(whole.corpus(name)).corpus_score() for name in whole.systems]
    expected = spearmanr(metric, additive.adjusted(human, np.ones(8))).statistic
    assert curve(result, "recall", 8)["correlation"] == pytest.approx(expected, abs=1e-9)
    said = "those on which 3 systems or more were judged: 75 % of their 32 translations have a judge"
    assert any(said in sentence for sentence in result.findings)
    assert any("adjusted for segments" in sentence for sentence in result.findings)


def test_documents_are_made_of_complete_segments_where_these_are_half_of_all():
    whole = without(campaign(raters="a"), lambda one: one.segment < 8 or one.system != "s0")
    result = assay.study("pseudo-documents", whole, **SMALL)
    assert max(row["length"] for row in result.table()) == 8
    assert any("Drawn from 8 of 12 segments, those on which all systems were judged" in one for one in result.findings)
    # Longer documents that somebody asks for need the others, too.
    longer = assay.study("pseudo-documents", whole, lengths=(10,), **SMALL)
    assert any("Drawn from 12 of 12 segments" in one for one in longer.findings)


@pytest.mark.parametrize("share", [0.3, 0.89])
def test_judges_who_know_nothing_of_systems_are_followed_by_no_metric(share):
    # Segments differ in length, so in recall; people see that alone, and the metric sees it, too.
    words = [f"w{number}" for number in range(30)]
    values = []
    for seed in range(12):
        generator = np.random.default_rng([seed, int(100 * share)])
        kept = generator.integers(3, 30, size=30)
        texts = {
            f"s{number}": [" ".join(words[: one + int(generator.integers(-3, 1))]) for one in kept]
            for number in range(8)
        }
        rows = [
            Judgement(name, at, float(kept[at] + generator.normal()), "da", "r")
            for name in texts
            for at in range(30)
            if generator.random() < share
        ]
        made = assay.Campaign("null", texts, {"A": [" ".join(words)] * 30}).with_judgements(
            Judgements.of(rows, "inline")
        )
        table = assay.study("pseudo-documents", made, metrics="recall", lengths=(5,), per_length=100).table()
        values.append(curve_of(table, "recall"))
    # Twelve campaigns: the mean lies within three standard errors of 0.
    assert abs(np.mean(values)) < 3 * np.std(values, ddof=1) / 12**0.5
    assert abs(np.mean(values)) < 0.25


def curve_of(table, name):
    return next(row["correlation"] for row in table if row["curve"] == name)


def test_the_longest_documents_count_where_they_are_not_the_whole_text():
    noise = np.random.default_rng(2).normal(0, 0.01, size=200)
    same, apart = {"a": noise, "b": noise}, {"a": np.full(200, 0.5) + noise, "b": np.zeros(200)}
    for whole, said in ((12, True), (6, False)):
        sentences = list(_findings([], (3, 6), [same, apart], whole=whole))
        assert any("all differences of 0.500 or more" in one for one in sentences) is said


def sources_of(whole, *metrics):
    people, _ = people_of(whole)
    named = [assay.metric(name) for name in metrics]
    return {source.name: source for source in metric_scores(whole, named, people)}, JudgementPool.of(people)


def test_intervals_are_those_of_other_segments_and_judges():
    whole = campaign(raters="abcd", segments=16)
    result = assay.study("pseudo-documents", whole, metrics=("bleu", "recall"), lengths=(4,), per_length=50, seed=7)
    sources, pool = sources_of(whole, "bleu", "recall")
    curves = DocumentCurves(pool, np.arange(16), sources, Units.documents(whole.documents), 7)
    drawn, doubt = curves.drawn(4, 50).values, curves.doubt(4)
    for name, values in drawn.items():
        row = curve(result, name, 4)
        low, high = doubt.interval(values.mean(), values.var(ddof=1) / 50, name)
        assert (row["correlation"], row["low"], row["high"]) == (values.mean(), max(low, -1.0), min(high, 1.0))
    best, other = sorted(drawn, key=lambda name: -drawn[name].mean())
    apart = drawn[best] - drawn[other]
    row = curve(result, other, 4)
    ends = doubt.interval(row["behind"], apart.var(ddof=1) / 50, best, other)
    assert (row["behind_low"], row["behind_high"]) == ends
    assert row["behind"] == pytest.approx(apart.mean())
    assert curve(result, best, 4)["behind_low"] is None


def test_a_sentence_beside_p_says_that_documents_are_no_sample():
    said = "Documents share segments, so their number is no sample size"
    about = "Intervals, 95 %: for other documents, from samples of 6 documents, as 2 judges would see them"
    result = assay.study("pseudo-documents", campaign(), metrics=("bleu", "recall"), lengths=(3,), per_length=20)
    for style in ("text", "markdown", "latex", "html", "json"):
        drawn = result.to_json() if style == "json" else result.render(style)
        assert said in drawn
        assert about in drawn
    assert any(said in note for note in result.views[0].notes)
    alone = assay.study("pseudo-documents", campaign(), metrics="bleu", lengths=(3,), per_length=20)
    assert said not in alone.render("text")


def test_what_intervals_cannot_promise_is_said():
    def about(whole, **options):
        result = assay.study(
            "pseudo-documents", whole, metrics=("bleu", "recall"), lengths=(3,), per_length=20, **options
        )
        return result.views[0].notes[0], result.table()

    note, rows = about(campaign(segments=8))
    assert note == (
        "No intervals: there are 4 documents, and what others would give takes 5 to say. With --unit segment segments "
        "are taken as independent."
    )
    assert all(row["low"] is None and row["behind_low"] is None for row in rows)
    note, rows = about(campaign(segments=8), unit="segment")
    assert note.startswith("Intervals, 95 %: for other segments, from samples of 8 segments")
    assert all(row["low"] is not None for row in rows)
    note, _ = about(campaign(segments=4), unit="segment")
    assert note == "No intervals: there are 4 segments, and what others would give takes 5 to say."
    note, _ = about(campaign(raters="abc"))
    assert "other documents and other judges, from samples of 6 documents and parts of 3 judges, so few that" in note
    assert "those of judge against judge are about these judges" in note
    nameless = Judgements.of([Judgement(one.system, one.segment, one.score, "da") for one in campaign().judgements], "")
    note, _ = about(campaign().with_judgements(nameless))
    assert "some judgements name no rater, and are taken as if each came from a judge of its own" in note


def test_what_holds_for_other_segments_is_said_beside_what_does_on_these():
    rows = [
        {"curve": name, "length": 3, "correlation": value, "behind": behind, "behind_low": low, "behind_high": high}
        for name, value, behind, low, high in (
            ("a", 0.9, None, None, None), ("b", 0.8, 0.1, 0.02, 0.18), ("c", 0.7, 0.2, -0.1, 0.5)
        )
    ]  # fmt: skip
    values = [{name: np.zeros(3) for name in "abc"}]
    assert "Documents of 3 segments: also on other segments behind a: b." in list(
        _findings(rows, (3,), values, whole=9)
    )
    doubtful = [row | {"behind_low": None if row["behind_low"] is None else -0.1} for row in rows]
    assert "Documents of 3 segments: on other segments any of these metrics may be the closest." in list(
        _findings(doubtful, (3,), values, whole=9)
    )
    # Without intervals nothing is said of other segments.
    none = [row | {"behind_low": None, "behind_high": None} for row in rows]
    assert not any("other segments" in one for one in _findings(none, (3,), values, whole=9))


def test_documents_that_a_metric_cannot_rank_are_counted_and_stand_beside_as_0():
    # Nobody has a word of the reference in segments 0 to 3, so recall ranks nothing there and something elsewhere.
    whole = campaign(raters="a", segments=8)
    foreign = {
        name: ["zzz" if at < 4 else line for at, line in enumerate(texts)] for name, texts in whole.systems.items()
    }
    spoilt = replace(whole, systems={name: Texts.of(lines) for name, lines in foreign.items()})
    result = assay.study("pseudo-documents", spoilt, metrics="recall", lengths=(1,), per_length=200)
    row = curve(result, "recall", 1)
    documents = Documents.random(np.arange(8), 1, 200, seed=1)
    unranked = int((documents.segment < 4).sum())
    assert unranked > 50
    assert (row["documents"], row["unranked"]) == (200 - unranked, unranked)
    assert row["with_unranked"] == pytest.approx(row["correlation"] * (200 - unranked) / 200)
    said = (
        f"A metric cannot rank systems where it gives all of them the same score: recall {unranked} (mean "
        f"{row['correlation']:.3f} without them, {row['with_unranked']:.3f} with them as 0) of the documents of 1 "
        "segment."
    )
    assert any(finding.startswith(said) for finding in result.findings)
    shown = [column.name for column in result.views[0].columns]
    assert {"unranked", "with_unranked"} <= set(shown)


def test_documents_that_people_cannot_rank_are_nobodys_fault_and_said():
    whole = campaign(raters="a", segments=8)
    rows = [replace(one, score=3.0) if one.segment < 4 else one for one in whole.judgements]
    tied = whole.with_judgements(Judgements.of(rows, "inline"))
    result = assay.study("pseudo-documents", tied, metrics="recall", lengths=(1,), per_length=200)
    row = curve(result, "recall", 1)
    tied = int((Documents.random(np.arange(8), 1, 200, seed=1).segment < 4).sum())
    assert row["documents"] == 200 - tied
    assert row["unranked"] == 0
    assert row["with_unranked"] == row["correlation"]
    assert any(f.startswith(f"In {tied} of the documents of 1 segment people give") for f in result.findings)
    assert "unranked" not in [column.name for column in result.views[0].columns]


def test_whole_documents_are_put_together_by_hand():
    whole = campaign(raters="a", segments=9)
    # Documents are of two segments, the last one of one.
    result = assay.study("pseudo-documents", whole, lengths=(2,), whole_documents=True, **SMALL)
    scores = {(one.system, one.segment): one.score for one in whole.judgements}
    values, sizes = [], []
    for chosen in Documents.random(np.arange(5), 2, 40, seed=1).segment.reshape(40, 2).tolist():
        segments = [segment for document in chosen for segment in range(2 * document, min(2 * document + 2, 9))]
        sizes.append(len(segments))
        people = [np.mean([scores[name, segment] for segment in segments]) for name in whole.systems]
        metric = []
        for texts in whole.systems.values():
            corpus = assay.Corpus(
                translations=[list(texts)[one] for one in segments],
                references=[[list(whole.references["r0"])[one] for one in segments]],
            )
            metric.append(assay.metric("recall").evaluate(corpus).corpus_score())
        values.append(spearmanr(metric, people).statistic)
    row = curve(result, "recall", 2)
    assert row["correlation"] == pytest.approx(np.mean(values), abs=1e-9)
    assert row["size"] == pytest.approx(np.mean(sizes))
    assert row["low"] < row["correlation"] < row["high"]
    assert any("from 5 whole documents of the campaign, of 1 to 2 segments" in finding for finding in result.findings)


def test_a_whole_document_has_one_judge_for_each_system():
    whole = campaign(raters="abc", systems=4, segments=12)
    documents = np.arange(12) // 4
    pool = JudgementPool.of(people_of(whole)[0], documents)
    scores = {(one.system, one.segment, one.rater): one.score for one in whole.judgements}
    read = Documents.of([np.arange(4 * (number % 3), 4 * (number % 3) + 4) for number in range(300)])
    (one,) = pool.means(read, 1, judges=1)
    first, second = pool.means(read, 1, judges=2)
    seen = set()
    for row in range(300):
        segments = range(4 * (row % 3), 4 * (row % 3) + 4)
        for column, system in enumerate(people_of(whole)[0].systems):
            means = [np.mean([scores[system, segment, rater] for segment in segments]) for rater in "abc"]
            who = [int(np.argmin(np.abs(np.array(means) - value[row, column]))) for value in (one, first, second)]
            assert means[who[0]] == pytest.approx(one[row, column])
            assert means[who[1]] == pytest.approx(first[row, column])
            assert means[who[2]] == pytest.approx(second[row, column])
            assert who[1] != who[2]
            seen.add((row % 3, column, who[0]))
    # Each judge comes up for each document and system.
    assert len(seen) == 3 * 4 * 3


def test_where_nobody_judged_the_whole_document_another_judge_goes_on():
    whole = without(campaign(raters="ab", systems=3, segments=4), lambda one: (one.rater == "a") == (one.segment < 2))
    pool = JudgementPool.of(people_of(whole)[0], np.zeros(4, dtype=np.int64))
    (means,) = pool.means(Documents.of([np.arange(4)] * 5), 1, judges=1)
    scores = {(one.system, one.segment): one.score for one in whole.judgements}
    expected = [np.mean([scores[name, segment] for segment in range(4)]) for name in people_of(whole)[0].systems]
    assert np.allclose(means, expected)


def test_whole_documents_take_documents():
    whole = campaign()
    with pytest.raises(ParameterError, match="--unit segment takes documents apart"):
        assay.study("pseudo-documents", whole, whole_documents=True, unit="segment", **SMALL)
    with pytest.raises(InputError, match="document of each segment"):
        assay.study("pseudo-documents", replace(whole, documents=None), whole_documents=True, **SMALL)
    with pytest.raises(InputError, match="7 whole documents cannot be made from small, where 6 have"):
        assay.study("pseudo-documents", whole, whole_documents=True, lengths=(7,), **SMALL)


def test_kinds_stand_side_by_side_in_one_figure_on_one_scale():
    whole = campaign(kinds=("adequacy", "fluency"))
    result = assay.study("pseudo-documents", whole, kind=("adequacy", "fluency"), lengths=(1, 4), **SMALL)
    assert [figure.name for figure in result.figures] == ["figure", "adequacy.figure", "fluency.figure"]
    curves, judges = result.chart().data["vconcat"]
    assert [panel["title"]["text"] for panel in curves["hconcat"]] == ["(a) adequacy", "(b) fluency"]
    scales = [
        layer["encoding"]["y"]["scale"]["domain"]
        for panel in curves["hconcat"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "line"
    ]
    assert len(scales) == 2
    assert scales[0] == scales[1]
    assert [panel["title"]["text"] for panel in judges["hconcat"]] == [
        "adequacy: the two judges who agree least", "fluency: the two judges who agree least",
    ]  # fmt: skip


def test_dots_of_two_judges_have_the_skew_of_the_paper():
    # On a scale of 1 to 5 the paper's random skew is 0.2: no dot is further than 0.1 from its score.
    whole = campaign(segments=30)
    rows = [replace(one, score=float(np.clip(np.round(one.score), 1, 5))) for one in whole.judgements]
    scored = whole.with_judgements(Judgements.of(rows, "inline"))
    points = assay.study("pseudo-documents", scored, lengths=(1,), **SMALL).table("points")
    away = np.array([point[f"shown_{axis}"] - point[axis] for point in points for axis in "xy"])
    assert {point["skew"] for point in points} == {0.2}
    assert np.abs(away).max() <= 0.1
    assert np.abs(away).max() > 0.09


def test_a_mean_over_documents_takes_whole_documents():
    whole = replace(campaign(segments=40), documents=tuple(f"d{segment // 4}" for segment in range(40)))
    small = SMALL | {"metrics": ("bleu(average=documents)",)}
    # Documents of one segment are a sparse table of weights, long ones an array.
    for length in (1, 30):
        with pytest.raises(InputError, match="only whole documents can be drawn or picked, and here segments are"):
            assay.study("pseudo-documents", whole, lengths=(length,), **small)
    assert assay.study("pseudo-documents", whole, lengths=(2,), whole_documents=True, **small).table()
