"""What is there to be learnt is found, what is not is not, and nothing is tested on what it was learnt from."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.data.judgements import Judgements
from assay.errors import InputError, ParameterError, UnknownName
from assay.learned.features import Feature
from assay.learned.learners import learner
from assay.questions import learn as questions_learn
from assay.questions.asked import Asked
from assay.questions.learn import is_hollow, result_of
from assay.significance.draws import stream
from learned.taught import DATA, learnt, needs_data, taught

TABLE_8 = {"models": "tree,ordinal", "tasks": "grades,splits,pairwise", "grades": 3, "left_out": True}


def of(found, model, task, statistic, features="all", *, group=None):
    """The row about a model, with all features and on the usual folds unless said otherwise."""
    cells = {"model": model, "task": task, "statistic": statistic, "features": features}
    return found.of(**cells, group=group or found.setup["group"])


def test_two_halves_together_beat_each_of_them():
    found = learnt(taught())
    over_majority = of(found, "ordinal", "grades", "gain-over-majority")
    over_single = of(found, "ordinal", "grades", "gain-over-best-single")
    assert over_majority.low > 0
    assert over_single.low > 0
    # Inside no training part is what knows nothing the best single feature.
    picked = {row["feature"] for row in found.table("chosen") if row["model"] == "best-single"}
    assert picked <= {"one", "two"}
    # One half of the quality is worth as much as the other.
    alone = [of(found, "ordinal", "grades", "accuracy", name).value for name in ("one", "two", "nothing")]
    assert min(alone[:2]) > alone[2]


def test_what_knows_nothing_gains_nothing():
    campaign, scores = taught()
    found = learnt((campaign, scores[2:]), models="tree,ordinal,ridge")
    for model in ("tree", "ordinal", "ridge"):
        gain = of(found, model, "grades", "gain-over-majority")
        assert gain.low < 0.02
        assert abs(of(found, model, "grades", "spearman").value) < 0.2


def test_leaving_out_costs_what_a_feature_contributes():
    found = learnt(taught(segments=120), models="tree")
    assert of(found, "tree", "grades", "loss", "without one").value > 0.03
    nothing = of(found, "tree", "grades", "loss", "without nothing")
    assert nothing.low <= 0.0 <= nothing.high + 0.02
    importance = {
        name: of(found, "tree", "grades", "permutation-importance", name).value for name in ("one", "nothing")
    }
    assert importance["one"] > importance["nothing"] + 0.05


@pytest.mark.filterwarnings("ignore:Not saved. regression, which none")
@pytest.mark.parametrize("model", ["tree", "boosting", "ordinal", "ridge"])
def test_every_model_can_be_learnt_without_the_others_and_kept(model, tmp_path):
    found = learnt(taught(80, 3), models=model, tasks="grades,regression,pairwise", grades=2, folds=3, samples=20)
    assert of(found, model, "grades", "accuracy").value > 0.6
    assert of(found, model, "grades", "accuracy", "without one").value > 0.5
    assert of(found, model, "pairwise", "accuracy").value > 0.6
    path, table = found.made.save(tmp_path / "model.json"), found.made.examples.table
    assert assay.load_predictor(path).card.method == model
    assert assay.load_predictor(path).scores(table).tolist() == found.made.predictor().scores(table).tolist()


@pytest.mark.parametrize("group", ["segment", "document", "system", "none"])
def test_no_group_is_learnt_from_and_tested_on(group):
    found = learnt(taught(), group=group, folds=4)
    groups = found.made.examples.groups(group)
    for number in range(4):
        tested = found.made.folds.tested(number)
        assert not set(groups[tested]) & set(groups[~tested])
    assert found.table("folds")[0]["group"] == group
    # Intervals come from samples of whole documents, whatever folds keep together.
    assert found.setup["unit"] == "document"
    assert any(said.startswith("Drawn: 12 documents, with all their segments (60)") for said in found.findings)


def test_folds_go_by_what_is_drawn_and_are_no_more_than_there_are():
    found = learnt(taught(25, 10), folds=None, grades=2)
    # Five documents of five segments: as many folds.
    assert (found.setup["group"], found.setup["unit"], found.setup["folds"]) == ("document", "document", 5)
    found = learnt(taught(25, 10), folds=None, grades=2, unit="segment")
    assert (found.setup["group"], found.setup["unit"], found.setup["folds"]) == ("segment", "segment", 10)
    assert "Drawn: 25 segments, taken as independent, as --unit says." in found.findings


def test_random_folds_are_shown_beside_grouped_ones():
    found = learnt(taught())
    assert found.setup["group"] == "document"
    assert of(found, "ordinal", "grades", "accuracy", group="none").value is not None
    difference = of(found, "ordinal", "grades", "gain-of-random-folds", group="none")
    both = [of(found, "ordinal", "grades", "accuracy", group=group).value for group in ("none", "document")]
    assert difference.value == pytest.approx(both[0] - both[1], abs=1e-12)


def test_random_folds_flatter_where_segments_can_be_known_again():
    # The feature says which segment it is, and all translations of a segment are alike: nothing about other segments.
    campaign, _ = taught(segments=60, systems=6)
    quality = np.random.default_rng(1).normal(size=60)
    names = list(campaign.systems)
    known = assay.data.external.ExternalScores("name", segments={name: np.arange(60.0) for name in names})
    rows = [
        assay.Judgement(
            system=name, segment=segment, rater="a", score=float(quality[segment]) + 0.01 * place, kind="da"
        )
        for place, name in enumerate(names)
        for segment in range(60)
    ]
    found = learnt((campaign.with_judgements(assay.Judgements.of(rows, "inline")), [known]), models="tree")
    assert of(found, "tree", "grades", "accuracy", group="none").value > 0.55
    assert of(found, "tree", "grades", "accuracy").value < 0.35
    assert of(found, "tree", "grades", "gain-of-random-folds", group="none").low > 0.15


def test_threads_do_not_matter_and_the_seed_does():
    options = {"tasks": "all", "models": "tree,boosting,ordinal,ridge", "folds": 3, "grades": 3}
    one, two = (learnt(taught(30, 3), threads=threads, **options).to_json() for threads in (1, 2))
    assert one == two
    other = learnt(taught(30, 3), seed=2, **options).to_json()
    assert other != one


def test_a_table_of_calibration_has_every_translation_and_no_empty_stretch():
    found = learnt(taught(), folds=3, samples=0)
    counts = [row["n"] for row in found.table("calibration")]
    # 60 segments of four systems.
    assert sum(counts) == 240
    assert min(counts) > 0


def test_an_experiment_prints_in_a_few_words():
    found = learnt(taught(40, 3), tasks="grades,pairwise", grades=3, folds=3, samples=0)
    shown = repr(found.made)
    # What was asked for, and none of the numbers of examples, of pairs or of what was measured.
    assert "name='pairwise'" in shown
    assert re.findall(r"\w+(?==\[)|\w+(?==array)", shown) == ["tasks"]
    assert len(shown) < 500


def test_the_judges_own_grades_are_taken():
    found = learnt(taught(whole=True))
    assert found.setup["grades"] == "judged"
    assert [row["grade"] for row in found.table("grades")] == ["3", "2", "1"]
    assert sum(row["share"] for row in found.table("grades")) == pytest.approx(1.0)


def test_every_task_has_its_results():
    found = learnt(taught(40, 3), tasks="all", grades=3, models="tree,ridge")
    assert found.setup["tasks"] == ["grades", "grade>=3", "grade>=2", "regression", "pairwise"]
    assert of(found, "tree", "grade>=3", "accuracy").value > 0.6
    assert of(found, "ridge", "regression", "spearman").value > 0.6
    assert of(found, "preference", "pairwise", "accuracy").value > 0.7
    # Pairs of three systems on 40 segments, none of them equal.
    assert (found.setup["pairs"], found.setup["ties"]) == (120, 0)


def test_a_split_is_as_right_as_its_predictions():
    found = learnt(taught(), tasks="splits", grades=3)
    assert {row["task"] for row in found.table("results")} == {"grade>=2", "grade>=3"}
    majority = of(found, "majority", "grade>=2", "accuracy", "none")
    assert majority.value == pytest.approx(2 / 3, abs=0.01)


def test_json_has_what_the_interface_promises():
    found = json.loads(learnt(taught()).to_json())
    assert {"assay", "command", "results", "folds", "grades"} <= found.keys()
    assert {"kind", "model", "task", "features", "statistic", "value", "low", "high"} <= found["results"][0].keys()
    assert sum(fold["translations"] for fold in found["folds"]) == 240
    assert found["setup"]["grades"] == "quantiles"
    # Sixty segments, each tested once.
    assert sorted(row["segment"] for row in found["fold_segments"]) == list(range(60))


def test_a_saved_predictor_is_the_same_every_time_and_scores(tmp_path):
    campaign, scores = taught()
    found = learnt((campaign, scores), models="tree,ordinal")
    one, other = (found.made.predictor("tree").to_json() for _ in range(2))
    assert one == other
    best = found.made.predictor()
    assert best.card.method == "ordinal"
    assert best.card.grades == ("1", "2", "3", "4", "5")
    held_out = {score.statistic: score.value for score in best.card.held_out}
    assert held_out["accuracy"] == of(found, "ordinal", "grades", "accuracy").value
    found.made.save(tmp_path / "model.json")
    again, table = assay.load_predictor(tmp_path / "model.json"), found.made.examples.table
    assert again.scores(table) == pytest.approx(best.scores(table), abs=0)
    with pytest.raises(InputError, match="Replace it with"):
        found.made.save(tmp_path / "model.json", "tree")
    found.made.save(tmp_path / "model.json", "tree", overwrite=True)
    assert assay.load_predictor(tmp_path / "model.json").card.method == "tree"


def test_a_picture_is_drawn():
    found = learnt(taught(), models="tree,ordinal")
    assert "what each grade is taken for" in json.dumps(found.chart().data)
    assert "regression" in json.dumps(learnt(taught(), tasks="regression", models="ridge").chart().data)


def test_scores_that_are_missing_are_refused():
    campaign, scores = taught.__wrapped__()
    scores[0].segments["s1"][7] = np.nan
    with pytest.raises(InputError, match=r"'one' has no value for segment 7 of 's1'"):
        learnt((campaign, scores))


def test_a_score_file_without_a_system_is_refused():
    campaign, scores = taught.__wrapped__()
    del scores[0].segments["s1"]
    with pytest.raises(InputError, match="'one' has no value"):
        learnt((campaign, scores))


def test_fewer_segments_than_folds_are_refused():
    with pytest.raises(InputError, match="6 segments for 10 folds"):
        learnt(taught(6, 10), folds=10, grades=2, group="segment")
    with pytest.raises(InputError, match="12 documents for 13 folds"):
        learnt(taught(), folds=13)


def test_too_few_translations_of_a_grade_are_refused():
    with pytest.raises(InputError, match="at least 10 are needed"):
        learnt(taught(20, 2), grades=8)


def test_a_grade_that_is_in_one_fold_only_is_refused():
    campaign, scores = taught(20, 12)
    score = np.array([[10.0 if segment == 3 else 0.1 * segment for segment in range(20)]] * 12)
    rows = [
        assay.Judgement(system=name, segment=segment, rater="a", score=float(score[place, segment]), kind="da")
        for place, name in enumerate(campaign.systems)
        for segment in range(20)
    ]
    campaign = campaign.with_judgements(assay.Judgements.of(rows, "inline"))
    with pytest.raises(InputError, match="All 12 translations of grade 2 are in one fold"):
        learnt((campaign, scores), grades=[5.0], group="segment")


def test_random_folds_are_of_the_first_task_that_was_asked_for():
    # Ordinal regression decides pairs by grades, which nobody asked for here.
    found = learnt(taught(), tasks="regression,pairwise", models="ridge,ordinal", samples=20)
    shown = [row for row in found.table("results") if row["statistic"] == "gain-of-random-folds"]
    assert [(row["model"], row["task"], row["group"]) for row in shown] == [("ridge", "regression", "none")]
    assert "What random folds, as the paper's, would have promised for regression" in str(found)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tasks": "pairwise", "models": "ridge"}, "they would tear pairs apart"),
        ({"tasks": "regression", "models": "ordinal"}, "none of the models (ordinal) does regression"),
    ],
)
def test_why_there_are_no_random_folds_is_said_truly(options, reason):
    text = str(learnt(taught(), samples=20, **options))
    assert reason in text
    assert "has one translation" not in text


def test_random_folds_of_one_translation_per_segment_are_the_same():
    text = str(learnt(taught(90, 1), grades=2, samples=20, group="segment"))
    assert "Every segment has one translation, so random folds would be the same." in text


def test_a_report_says_how_many_gains_chance_alone_would_give():
    found = learnt(taught())
    gains = [
        row
        for row in found.table("results")
        if row["statistic"].startswith("gain-over-") and row["group"] == "document"
        # The paper's bar is chosen on the folds that it is measured on, and counts for nothing.
        if not row["statistic"].endswith("in-hindsight")
    ]
    above = sum(row["low"] > 0 for row in gains)
    # Three contestants (ordinal and two untrained ones) over the majority and the best single feature; 6 / 40 = 0.15.
    assert len(gains) == 6
    text = str(found)
    assert f"{above} of 6 gains have intervals above zero; where nothing is gained, about 0.1 of 6 do so" in text
    assert "gains have intervals" not in str(learnt(taught(), samples=0))


def test_one_gain_in_forty_lies_above_zero_by_chance(monkeypatch):
    monkeypatch.setattr(questions_learn, "is_hollow", lambda *_: False)
    rows = [
        {"statistic": "gain-over-majority", "low": 0.5 if number < 3 else -0.5, "group": "document"}
        for number in range(204)
    ]
    found = replace(learnt(taught(), samples=0).made, results=rows)
    # An interval of 95 % lies above what is true in 2.5 of 100: 204 / 40 = 5.1.
    (said,) = questions_learn._chance_told(found)
    assert said == (
        "3 of 204 gains have intervals above zero; where nothing is gained, about 5.1 of 204 do so by chance alone."
    )


def test_a_gain_of_a_model_that_is_not_above_chance_is_marked():
    found = learnt(taught())
    gain = of(found, "ordinal", "grades", "gain-over-best-single")
    assert gain.low > 0
    assert not is_hollow(found.made, gain)
    assert gain.mark is None
    # The same gain, if the model were no better than the majority.
    over_majority = ("ordinal", "gain-over-majority")
    results = [
        row | {"low": -0.1} if (row["model"], row["statistic"]) == over_majority else row for row in found.made.results
    ]
    worse = replace(found.made, results=results)
    assert is_hollow(worse, gain)
    shown = result_of(worse, Asked((worse.examples.campaign,)))
    assert of(shown, "ordinal", "grades", "gain-over-best-single").mark == "*"
    assert ")*" in str(shown)
    assert "not surely above chance" in str(shown)
    assert ")*" not in str(found)


def test_the_table_of_gains_has_a_column_for_preferences_where_there_are_pairs():
    titles = learnt(taught(), tasks="pairwise", models="ridge", samples=20).render("markdown")
    table = titles[titles.index("Table 9") :]
    heading = next(line for line in table.splitlines() if line.startswith("|"))
    assert "preference" in heading
    without = learnt(taught()).render("markdown")
    assert "preference" not in without


def test_preferences_about_few_segments_are_refused():
    campaign, scores = taught(60, 2)
    # One segment in ten has a second translation that was judged.
    rows = [one for one in campaign.judgements if one.system == "s0" or one.segment % 10 == 0]
    few = replace(campaign, human=Judgements.of(rows, "inline"))
    with pytest.raises(InputError, match=r"at least 10 segments of which two systems were judged.*there are 6"):
        learnt((few, scores), tasks="pairwise", grades=2)


def test_preferences_need_two_systems():
    with pytest.raises(InputError, match="two systems were judged"):
        learnt(taught(60, 1), tasks="pairwise")


def test_few_translations_are_refused():
    with pytest.raises(InputError, match="5 judged translations are too few"):
        learnt(taught(5, 1))


def test_unknown_names_are_refused():
    for option, words in (
        ({"models": "forest"}, "no model 'forest'"),
        ({"tasks": "ranks"}, "no task 'ranks'"),
        ({"group": "rater"}, "group is 'rater', but it takes segment, document, system, campaign, none"),
        ({"kind": "mqm"}, "mqm"),
    ):
        with pytest.raises((UnknownName, ParameterError, InputError), match=words):
            learnt(taught(), **option)
    with pytest.raises(ParameterError, match="--scores FILE"):
        assay.learn(taught()[0], "scores")


def test_features_that_never_vary_are_left_out_and_named():
    campaign, scores = taught()
    features = [Feature(one.name, higher_is_better=True) for one in scores]
    with pytest.warns(assay.errors.AssayWarning, match="same for every translation: bleu"):
        found = learnt((campaign, scores), features=[*features, "bleu"])
    assert found.setup["features"] == ["one", "two", "nothing"]


@needs_data
def test_direct_assessments_of_estonian_are_predicted_better_than_by_the_majority():
    with pytest.warns(assay.errors.AssayWarning, match="Nobody judged mt-tok"):
        found = assay.learn(
            DATA / "mlqe-pe-et-en", kind="da", references="indep1,indep2", tasks="grades", models="ordinal",
            samples=300, threads=1, left_out=False,
        )  # fmt: skip
    assert found.setup["translations"] == 995
    assert of(found, "ordinal", "grades", "gain-over-majority").low > 0.08
    # Post-edits are not seen, and what has no other reference is counted.
    assert found.made.examples.table.references == ("indep1", "indep2")
    assert found.setup["used"]["unused"]["of segments without a reference"] > 0


def verdict(found):
    (said,) = [finding for finding in found.findings if finding.startswith("Verdict on ")]
    return said


def test_the_verdict_says_whether_combining_helps_and_by_how_much():
    found = learnt(taught(), tasks="grades,regression,pairwise", models="ordinal,ridge")
    scored = {name: of(found, name, "grades", "accuracy").value for name in ("ordinal", "ridge")}
    best = max(scored, key=scored.get)
    gain = of(found, best, "grades", "gain-over-best-single")
    alone = of(found, "best-single", "grades", "accuracy", "one, chosen inside").value
    assert gain.low > 0
    assert verdict(found) == (
        f"Verdict on grades: combining features helps. With {best}, the best of 2 models on these very folds, 3 "
        f"features reach {100 * scored[best]:.1f} % right answers, the best single feature {100 * alone:.1f}: "
        f"{100 * gain.value:+.1f} points ({100 * gain.low:+.1f} – {100 * gain.high:+.1f})."
    )
    assert "Of 2 other tasks, the best model is surely above the best single feature in 2 (regression, pairwise)." in (
        found.findings
    )
    # The paper and what became of the predictor stand last.
    assert found.findings[-1] == (
        "Method and tables: Paul, Finch and Sumita (2007), Translation quality prediction using multiple automatic "
        "evaluation metrics. No predictor was saved; --save FILE saves one for assay predict."
    )


def test_the_verdict_of_scores_is_in_their_own_unit():
    found = learnt(taught(), tasks="regression", models="ridge")
    whole, gain = (of(found, "ridge", "regression", name) for name in ("spearman", "gain-over-best-single"))
    alone = of(found, "best-single", "regression", "spearman", "one, chosen inside").value
    gained = f"{gain.value:+.3f} ({gain.low:+.3f} – {gain.high:+.3f})"
    assert verdict(found) == (
        "Verdict on regression: combining features helps. With ridge 3 features reach a Spearman correlation of "
        f"{whole.value:.3f}, the best single feature {alone:.3f}: {gained}."
    )


def test_the_verdict_is_honest_where_combining_does_not_help():
    assert "without intervals nobody can tell whether combining features helps." in verdict(learnt(taught(), samples=0))
    campaign, scores = taught()
    beside = learnt((campaign, scores[1:]))
    gain = of(beside, "ordinal", "grades", "gain-over-best-single")
    assert gain.low <= 0 <= gain.high
    assert "whether combining features helps cannot be told, for the difference may be chance." in verdict(beside)
    alone = "No verdict on grades: there is one feature, and nothing to combine it with."
    assert alone in learnt((campaign, scores[2:])).findings
    found = learnt(taught())
    about = {"model": "ordinal", "features": "all", "group": found.setup["group"]}
    for statistic, low, high, said in (
        ("gain-over-majority", -0.1, 0.1, "combining features does not help, for the model itself is not surely above"),
        ("gain-over-best-single", -0.2, -0.1, "combining features does harm."),
    ):
        cells = about | {"statistic": statistic}
        rows = [row | {"low": low, "high": high} if cells.items() <= row.items() else row for row in found.made.results]
        other = replace(found.made, results=rows)
        assert said in verdict(result_of(other, Asked((other.examples.campaign,))))


def test_what_was_saved_is_said_with_its_place(tmp_path):
    path = tmp_path / "model.json"
    found = learnt(taught(), save=str(path))
    assert found.findings[-1].endswith(
        f"Saved to {path}: ordinal for grades, fitted on all 240 translations. Apply it: assay predict {path} CAMPAIGN"
    )
    assert path.exists()


def test_a_campaign_without_judgements_is_refused_before_anything_is_counted_or_loaded(monkeypatch):
    campaign, _ = taught()

    def never(*_args, **_options):
        raise AssertionError

    monkeypatch.setattr(assay.metric("f1").__class__, "count", never)
    monkeypatch.setattr(questions_learn, "load_sklearn", never)
    with pytest.raises(InputError, match="has no judgements"):
        assay.learn(replace(campaign, human=None), "f1")
    # A kind that is not there is as quickly said, whichever of several it is.
    for kind in ("mqm", "da,mqm"):
        with pytest.raises(UnknownName, match="kind of judgement 'mqm'"):
            assay.learn(campaign, "f1", kind=kind)


def table_8(found, task="grades"):
    return {row["name"]: row for row in found.table("features") if row["task"] == task}


def test_the_most_discriminative_feature_has_the_highest_number_alone_and_the_most_contributive_costs_most():
    found = learnt(taught(segments=120), **TABLE_8)
    tops = {row["task"]: row for row in found.table("top_features")}
    for task in ("grades", "grade>=3", "grade>=2"):
        rows = table_8(found, task)
        best = max(rows, key=lambda name: rows[name]["alone"])
        dearest = min(rows, key=lambda name: rows[name]["left_out"])
        assert [name for name in rows if rows[name]["discriminative"]] == [best]
        assert [name for name in rows if rows[name]["contributive"]] == [dearest]
        assert [rows[name]["alone_mark"] for name in rows] == ["d" if name == best else None for name in rows]
        top = tops[task]
        assert (top["discriminative"], top["alone"]) == (best, rows[best]["alone"])
        assert (top["contributive"], top["loss"]) == (dearest, rows[dearest]["loss"])
    made = found.made
    for prefix, ahead in (("", max), ("without ", min)):
        shares = {name: made.row("tree", "grades", features=prefix + name)["value"] for name in table_8(found)}
        for name, share in shares.items():
            behind = made.row("tree", "grades", "behind-best", prefix + name)["value"]
            assert behind == pytest.approx(abs(ahead(shares.values()) - share))
    notes = next(view.notes for view in found.views if "Table 8" in view.title)
    # Each half of the quality is surely missed.
    lost = made.row("tree", "grades", "loss", f"without {tops['grades']['contributive']}")
    assert lost["low"] > 0
    assert not any("whether anything is lost is not sure" in note for note in notes)
    # What knows nothing is surely behind; the two halves of the quality are worth the same.
    assert tops["grades"]["discriminative_unsure"] in ("one", "two")
    assert tops["pairwise"]["model"] == "preference"
    assert tops["pairwise"]["contributive"] is None


def test_features_that_are_the_same_are_tied():
    campaign, (one, _, nothing) = taught(segments=60)
    again = replace(one, name="again")
    found = learnt((campaign, [one, again, nothing]), models="tree", grades=3)
    assert [name for name, row in table_8(found).items() if row["discriminative"]] == ["one", "again"]
    view = next(view for view in found.views if "Table 8" in view.title)
    assert view.notes[0].startswith("d most discriminative, best alone: one, again (tied)")
    # Where all are the same, nothing tells them apart.
    found = learnt((campaign, [one, again]), models="tree", grades=3)
    assert not any(row["discriminative"] for row in found.table("features"))
    assert found.table("top_features")[0]["discriminative"] is None


def test_how_far_a_feature_is_behind_is_drawn_in_pairs():
    found = learnt(taught(), models="tree", grades=3).made
    right = {
        name: (found.held_out["tree", "grades", name, "document"].outputs.argmax(axis=1) == found.tasks[0].target)
        for name in ("one", "two", "nothing")
    }
    best = max(right, key=lambda name: right[name].sum())
    weights = found._bootstrap.weights[:, found._bootstrap.units]
    for name, hits in right.items():
        # Both on the same samples, translation by translation; moved away from the value as Nadeau and Bengio have it.
        drawn = (weights * (right[best].astype(float) - hits)).sum(axis=1) / weights.sum(axis=1)
        wide = drawn[0] + np.sqrt(1.0 + 5 / 4) * (drawn - drawn[0])
        row = found.row("tree", "grades", "behind-best", name)
        assert row["value"] == pytest.approx(drawn[0])
        ends = found._bootstrap.estimate(wide)
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))


def test_intervals_of_what_learns_are_widened_and_no_share_leaves_its_bounds():
    made = learnt(taught()).made
    weights, target = made._bootstrap.weights[:, made._bootstrap.units], made.tasks[0].target
    predicted = made.held_out["ordinal", "grades", "all", "document"].outputs.argmax(axis=1)

    def drawn(right, of):
        return (weights * right)[:, of].sum(axis=1) / weights[:, of].sum(axis=1)

    def ends(model, statistic, features):
        return [made.row(model, "grades", statistic, features)[end] for end in ("low", "high")]

    # The majority, which learns nothing, is not widened. Five folds: 1 + 5/4.
    everything = np.ones(len(target), dtype=bool)
    one = made._bootstrap.estimate(drawn(target == np.bincount(target).argmax(), everything))
    assert ends("majority", "accuracy", "none") == pytest.approx([one.low, one.high])
    for statistic, of in [
        ("accuracy", everything),
        *((f"accuracy-grade-{grade}", target == grade - 1) for grade in (1, 2)),
    ]:
        shares = drawn(predicted == target, of)
        wide = shares[0] + 1.5 * (shares - shares[0])
        one = made._bootstrap.estimate(np.clip(wide, 0.0, 1.0))
        assert ends("ordinal", statistic, "all") == pytest.approx([one.low, one.high])
    bounded = [row for row in made.results if row["statistic"].startswith(("accuracy", "macro-f1", "ece"))]
    assert min(row["low"] for row in bounded) == 0.0
    assert max(row["high"] for row in bounded) <= 1.0


def test_what_is_lost_when_a_feature_is_shuffled_is_counted_example_by_example():
    made = learnt(taught()).made
    (task,), lost = made.tasks, np.zeros((240, 3))
    for fold in range(5):
        training, held = made.parts(task, made.folds, fold)
        model, generator = learner("ordinal").fit(training).model, stream(1 + fold, "shuffled features")
        right = model.grades(held.values) == held.target
        for column in range(3):
            for order in [generator.permutation(len(held)) for _ in range(5)]:
                mixed = held.values.copy()
                mixed[:, column] = mixed[order, column]
                # A fifth of each shuffle: right before and wrong now, less wrong before and right now.
                still = model.grades(mixed) == held.target
                lost[made.folds.tested(fold), column] += (right.astype(float) - still) / 5
    for column, name in enumerate(("one", "two", "nothing")):
        found = made.row("ordinal", "grades", "permutation-importance", name)
        assert found["value"] == pytest.approx(lost[:, column].mean(), abs=1e-12)


def test_the_papers_bar_is_the_highest_single_feature_of_its_table_8():
    found = learnt(taught(segments=120), **TABLE_8)
    for task in ("grades", "grade>=2"):
        alone = [of(found, "tree", task, "accuracy", name).value for name in ("one", "two", "nothing")]
        for model in ("tree", "ordinal", "uniform"):
            gain = of(found, model, task, "gain-over-best-single-in-hindsight").value
            assert gain == pytest.approx(of(found, model, task, "accuracy").value - max(alone))
            # The honest bar of the same learner cannot be higher: in every fold it is one of these features.
            assert of(found, model, task, "gain-over-best-single-tree").value >= gain - 0.05
    assert (
        "gain-over-best-single-in-hindsight" in next(view for view in found.views if "Table 9" in view.title).notes[0]
    )


def test_only_who_asks_for_it_waits_for_features_left_out_of_every_task():
    options = {"models": "tree", "tasks": "grades,splits", "grades": 3, "samples": 0, "folds": 3}
    assert {row["task"] for row in learnt(taught(30, 3), **options).table("features")} == {"grades"}
    every = learnt(taught(30, 3), left_out=True, **options)
    assert {row["task"] for row in every.table("features")} == {"grades", "grade>=3", "grade>=2"}
    assert every.of("tree", "grade>=2", "loss", features="without one").value is not None


@pytest.mark.parametrize(
    ("style", "sign"), [("text", "ᵈ"), ("markdown", "ᵈ"), ("latex", r"\textsuperscript{d}"), ("html", "<sup>d</sup>")]
)
def test_marks_are_in_every_format_for_people(style, sign):
    assert sign in learnt(taught(30, 3), models="tree", grades=3, samples=0, folds=3).render(style)


def test_every_task_that_was_asked_for_is_saved(tmp_path):
    path = tmp_path / "model.json"
    found = learnt(
        taught(40, 3), tasks="grades,splits,regression,pairwise", models="tree,ordinal", grades=3, folds=3, samples=0,
        left_out=False, save=path,
    )  # fmt: skip
    loaded, made = assay.load_predictor(path), found.made
    assert list(loaded.tasks) == ["grades", "grade>=3", "grade>=2", "regression", "pairwise"]
    for task in made.tasks:
        method = loaded.of_task(task.name).card.method
        # The best on held-out folds of those that can do it; an ordinal regression gives no scores.
        able = {"regression": ["tree"], "pairwise": ["preference"]}.get(task.name, ["tree", "ordinal"])
        assert method == max(able, key=lambda name: of(found, name, task.name, task.statistic).value)
        model = made.fitted(task, method).model
        values = made.examples.table.values
        assert loaded.of_task(task.name).model.score(values).tolist() == model.score(values).tolist()
    assert f"{loaded.card.method} for grades, " in found.findings[-1]


def test_a_named_model_is_saved_for_every_task_that_it_can_do(tmp_path):
    path = tmp_path / "model.json"
    learnt(
        taught(40, 3), tasks="grades,regression,pairwise", models="tree,ordinal", grades=2, folds=3, samples=0,
        left_out=False, save=path, save_model="ordinal",
    )  # fmt: skip
    methods = {task: one.card.method for task, one in assay.load_predictor(path).tasks.items()}
    assert methods == {"grades": "ordinal", "regression": "tree", "pairwise": "preference"}
