"""Kinds of judgement: ``a,b`` each apart, ``a+b`` their mean per rater and item, ``a/b`` together, in every command."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.errors import InputError, ParameterError, UnknownName
from assay.people.usage import people_of
from assay.questions.asked import ask_by_name
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import STUDIES, study_class
from studies.judged_campaign import campaign

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

QUICK = {"metrics": "chrf", "samples": 10}
#: Questions that ask people, and options that make them quick.
JUDGED = {
    "meta": QUICK | {"permutations": 10},
    "agreement": {"samples": 10, "splits": 3},
    "learn": {
        "features": "bleu,wer", "tasks": "grades", "models": "ordinal", "grades": 2, "folds": 3, "samples": 10
    },
    "correlations": QUICK,
    "case-and-stem": QUICK | {"recipes": ("raw", "stem")},
    "recall-weight": {"samples": 10, "steps": 3},
    "sentence-scatter": QUICK | {"dots": 10},
    "equal-grades": QUICK,
    "reference-count": {"metrics": "fmean", "samples": 5},
    "reference-similarity": {"metrics": "fmean", "samples": 5},
    "pseudo-documents": {"metrics": "chrf", "per_length": 10, "lengths": (1, 10)},
    "misleading-ngrams": {"metrics": "f1", "least": 2},
    "gtm-exponent": {"exponents": (1, 2), "samples": 10},
    "score-distribution": {"metrics": "fmean"},
    "leaderboard": {"metrics": "fmean", "samples": 20},
    "synthetic-references": {"metrics": "fmean", "samples": 5},
}  # fmt: skip


def rated(*rows: tuple[str, int, str, str, float]) -> Judgements:
    return Judgements.of(
        [Judgement(system, segment, score, kind, rater) for system, segment, rater, kind, score in rows], "human.tsv"
    )


def asked(name: str, source: object = CAMPAIGN, **options: object) -> assay.Result:
    question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
    return ask_by_name(question, source, JUDGED.get(name, {}) | options)


def test_a_mean_of_kinds_is_over_raters_and_items_that_have_them_all() -> None:
    judgements = rated(
        ("A", 0, "r", "ade", 4.0),
        ("A", 0, "r", "flu", 1.0),
        ("A", 0, "s", "ade", 2.0),
        ("A", 1, "r", "flu", 3.0),
        ("B", 0, "r", "ade", 5.0),
        ("B", 0, "r", "ade", 3.0),
        ("B", 0, "r", "flu", 1.0),
        ("B", 0, "s", "flu", float("nan")),
    )
    means, alone = judgements.averaged("ade+flu")
    # A by r: (4 + 1) / 2. B by r: its two of ade are one, their mean 4, so (4 + 1) / 2. The others lack a counterpart:
    # A by s, and segment 1.
    rows = [(one.system, one.segment, one.rater, one.kind, one.score) for one in means]
    assert rows == [("A", 0, "r", "ade+flu", 2.5), ("B", 0, "r", "ade+flu", 2.5)]
    assert alone == 2
    assert means.behind is not None
    assert means.behind.tolist() == [2, 3]


def test_a_kind_whose_name_has_a_plus_is_itself() -> None:
    judgements = rated(("A", 0, "r", "a+b", 7.0), ("A", 0, "r", "a", 1.0), ("A", 0, "r", "b", 3.0))
    assert judgements.of_kind("a+b").score.tolist() == [7.0]
    assert judgements.of_kind("b/a").kinds == ("b", "a")
    with pytest.raises(ParameterError, match="both"):
        judgements.of_kind("a/b+c")
    with pytest.raises(UnknownName, match="Did you mean 'a'"):
        judgements.of_kind("b+aa")


def test_what_lacks_a_counterpart_is_counted() -> None:
    whole = assay.read(CAMPAIGN)
    kept = np.ones(len(whole.judgements), dtype=np.bool_)
    kept[np.flatnonzero(whole.judgements.kind.holds(["fluency"]))[:7]] = False
    people, usage = people_of(whole.with_judgements(whole.judgements.only(kept)), kind="adequacy+fluency")
    # Seven of fluency are gone, so that seven of adequacy have no counterpart; 893 pairs are left.
    assert (usage.total, usage.used) == (1793, 1786)
    assert usage.unused == {"without a counterpart of every kind in adequacy+fluency": 7}
    assert people.name == "adequacy+fluency"


#: Adequacy and fluency by two raters of two segments; a dash is a judgement that is missing.
TOTALS = {
    "s0": [((5, 5), (4, 4)), ((5, 4), (5, "-"))],
    "s1": [((4, 3), (3, 3)), (("-", 2), (4, 4))],
    "s2": [((2, 3), (2, 1)), ((3, 2), (1, 1))],
}


def totals() -> assay.Campaign:
    rows = [
        (system, segment, rater, kind, float(score))
        for system, segments in TOTALS.items()
        for segment, raters in enumerate(segments)
        for rater, scores in zip("rs", raters, strict=True)
        for kind, score in zip(("adequacy", "fluency"), scores, strict=True)
        if score != "-"
    ]
    return campaign(systems=3, segments=2).with_judgements(rated(*rows))


def test_the_total_of_two_scores_is_over_complete_cases_per_system() -> None:
    # The total of adequacy and fluency goes from 2 to 10, and their mean is half of it. Of s0 there is (10 + 8) / 2 = 9
    # in segment 0, and 9 in segment 1, where s gave no fluency: 9. Of s1 (7 + 6) / 2 = 6.5 and, without the fluency
    # of r, 8: 7.25. Of s2 (5 + 3) / 2 = 4 and (5 + 2) / 2 = 3.5: 3.75. All in one heap would give s0 32/7 = 4.57.
    people, usage = people_of(totals(), kind="adequacy+fluency", plain_means=True)
    assert (2.0 * people.system_scores(np.ones((1, 2)))[0]).tolist() == [9.0, 7.25, 3.75]
    assert (2.0 * people.grid).tolist() == [[9.0, 9.0], [6.5, 8.0], [4.0, 3.5]]
    left_out = "2 without a counterpart of every kind in adequacy+fluency"
    assert str(usage) == f"20 of 22 judgements were used. Not used: {left_out}."
    # What metrics are held against is that total, system by system and segment by segment, wherever it is asked.
    whole, options = totals(), {"kind": "adequacy+fluency", "samples": 10, "metrics": "chrf"}
    chrf = assay.metric("chrf")
    counted = {name: chrf.evaluate(whole.corpus(name)) for name in whole.systems}
    systems = pearsonr([one.corpus_score() for one in counted.values()], [9.0, 7.25, 3.75]).statistic
    found = asked("meta", whole, plain_means=True, levels="system", statistics="pearson", **options)
    assert found.of(statistic="pearson")["value"] == pytest.approx(systems, abs=1e-9)
    study = asked("correlations", whole, plain_means=True, stemmer="none", **options)
    assert study.of(metric="chrf")["pearson"] == pytest.approx(systems, abs=1e-9)
    segments = np.concatenate([one.segment_scores() for one in counted.values()])
    expected = pearsonr(segments, [9.0, 9.0, 6.5, 8.0, 4.0, 3.5]).statistic
    lines = asked("sentence-level", whole, modules="exact", normalise="none", **options)
    assert lines.of(metric="chrf")["correlation"] == pytest.approx(expected, abs=1e-9)
    for result in (found, study, lines):
        assert any(left_out in said for said in result.findings)


@pytest.mark.parametrize("name", JUDGED)
def test_kinds_apart_are_the_same_as_one_by_one(name: str) -> None:
    kinds = ("adequacy", "fluency", "adequacy+fluency")
    together = asked(name, kind=kinds)
    apart = {kind: asked(name, kind=kind) for kind in kinds}
    for table, rows in together.tables.items():
        for kind in kinds:
            alone = [row for row in apart[kind].tables[table] if row["kind"] is not None]
            assert [row for row in rows if row["kind"] == kind] == alone
        assert {row["kind"] for row in rows} <= {*kinds, None}
    for kind in kinds:
        titles = [view.title for view in together.views if view.section == kind]
        assert len(titles) == len(apart[kind].views)
        assert all(kind in title for title in titles)
    assert together.setup["kind"] == "adequacy, fluency, adequacy+fluency"
    assert "adequacy" in together.render("text")
    assert assay.Result.from_json(together.to_json()).render("text") == together.render("text")


def test_the_order_of_rows_does_not_matter_to_agreement_over_kinds() -> None:
    whole = assay.read(CAMPAIGN).judgements
    turned = whole.only(np.argsort(-np.arange(len(whole))))
    for kind in ("adequacy,fluency", "adequacy+fluency"):
        one, other = (asked("agreement", source, kind=kind) for source in (whole, turned))
        for statistic in ("pearson", "spearman", "exact-agreement", "alpha-interval", "icc-1-1"):
            for name in dict.fromkeys(row["kind"] for row in one.table("results")):
                value = one.of(statistic=statistic, kind=name).value
                assert other.of(statistic=statistic, kind=name).value == pytest.approx(value, abs=1e-12)


def test_agreement_over_a_mean_says_how_many_means_of_how_many_judgements_there_are() -> None:
    # 900 judgements of adequacy and 900 of fluency, by the same raters of the same items: 900 means of two each.
    found = asked("agreement", kind="adequacy+fluency")
    assert "Of 900 means of 1,800 judgements " in " ".join(found.findings)


def test_a_pattern_is_every_kind_that_fits() -> None:
    result = asked("meta", kind="*")
    assert result.setup["kind"] == "adequacy, fluency"


def test_a_picture_is_of_one_kind() -> None:
    result = asked("meta", kind="adequacy,fluency")
    assert result.chart().name == "adequacy.correlations"
    assert result.chart("fluency.correlations").name == "fluency.correlations"


@pytest.mark.parametrize(("name", "options"), [("tune", {"metric": "fmean"}), ("learn", {"save": "never.json"})])
def test_what_takes_one_kind_refuses_two(name: str, options: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match=r"takes one kind .*--kind adequacy\+fluency"):
        asked(name, kind="adequacy,fluency", **options)


def test_several_kinds_without_a_choice_are_refused_with_the_ways_to_choose() -> None:
    with pytest.raises(InputError, match=r"A,B takes each apart, A\+B their mean"):
        asked("meta")


def test_ranks_have_no_mean() -> None:
    rows = [Judgement("A", 0, -1.0, kind, "r", ranking="1") for kind in ("one", "two")]
    with pytest.raises(ParameterError, match="ranks have no mean"):
        Judgements.of(rows, "human.tsv").averaged("one+two")


def test_every_study_about_people_takes_kinds() -> None:
    with_kinds = {name for name in STUDIES if hasattr(study_class(name), "kind")}
    # What untranslated counts is nobody's judgement, and it needs a source.
    assert with_kinds - set(JUDGED) == {"sentence-level", "all", "untranslated"} & with_kinds


#: The same with what is asked of several kinds at once.
ALL_JUDGED = JUDGED | {
    "sentence-level": {"metrics": "fmean", "samples": 10, "modules": ("exact",), "normalise": ("none",)},
    "all": {"metrics": "fmean", "k": 1},
}
KINDS = ("adequacy", "fluency", "adequacy+fluency")


def opposed(change=lambda rows: rows) -> assay.Campaign:
    """A small campaign in which what is adequate is not fluent: 6 less the score, with a third of it as it was."""
    whole = campaign(raters="abc", segments=12, kinds=("adequacy", "fluency"), references=3)
    rows = [
        replace(one, score=6.0 - one.score if one.kind == "fluency" and one.segment % 3 else one.score)
        for one in whole.judgements
    ]
    return whole.with_judgements(Judgements.of(change(rows), "inline"))


def by_kind(result: assay.Result, kind: str) -> dict[str, list[dict[str, object]]]:
    return {name: [row for row in rows if row.get("kind") == kind] for name, rows in result.tables.items()}


def ask_opposed(name: str, source: object, **options: object) -> assay.Result:
    question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
    return ask_by_name(question, source, ALL_JUDGED[name] | options)


@pytest.mark.parametrize("name", ALL_JUDGED)
def test_kinds_that_disagree_do_not_mix(name: str) -> None:
    together = ask_opposed(name, opposed(), kind=KINDS)
    alone = {kind: ask_opposed(name, opposed(), kind=kind) for kind in KINDS}
    for kind in KINDS:
        parts = {table: rows for table, rows in by_kind(together, kind).items() if rows}
        assert parts
        assert parts == {table: rows for table, rows in by_kind(alone[kind], kind).items() if rows}
    # They disagree, so that no two kinds have the same rows.
    values = [[{**row, "kind": None} for rows in by_kind(together, kind).values() for row in rows] for kind in KINDS]
    assert values[0] != values[1] != values[2] != values[0]


def means_by_hand(rows: list[Judgement]) -> list[Judgement]:
    scores: dict[tuple[str, int, str], list[float]] = {}
    for one in rows:
        scores.setdefault((one.system, one.segment, one.rater), []).append(one.score)
    # Everybody judged everything once under either kind: s0, segment 0, rater a has 4.13 and 4.13, so 4.13; segment 1
    # 5.62 and 6 - 4.96 = 1.04, so 3.33.
    assert all(len(given) == 2 for given in scores.values())
    return [
        Judgement(system, segment, sum(given) / 2, "adequacy+fluency", rater)
        for (system, segment, rater), given in scores.items()
    ]


@pytest.mark.parametrize("name", ALL_JUDGED)
def test_a_mean_of_kinds_is_the_mean_per_rater_and_item_in_every_question(name: str) -> None:
    made = by_kind(ask_opposed(name, opposed(), kind="adequacy+fluency"), "adequacy+fluency")
    by_hand = by_kind(ask_opposed(name, opposed(means_by_hand)), "adequacy+fluency")
    assert alike(made, by_hand)


@pytest.mark.parametrize("name", ALL_JUDGED)
def test_the_order_of_judgements_changes_nothing(name: str) -> None:
    turned = opposed(lambda rows: [rows[place] for place in np.random.default_rng(4).permutation(len(rows))])
    one, other = (ask_opposed(name, source, kind=KINDS) for source in (opposed(), turned))
    assert alike(one.tables, other.tables)


def alike(one: object, other: object) -> bool:
    """Whether tables are the same but for the last digits; drift is about the order in which judgements were made."""
    if isinstance(one, dict):
        ignored = {name for name in one if name.startswith("drift")} | {"flags"}
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one.keys() - ignored)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, in_order(one), in_order(other)))
    return one == other or (isinstance(one, float) and other == pytest.approx(one, rel=1e-9, abs=1e-9))


def in_order(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return sorted(rows, key=lambda row: [str(value) for value in row.values() if not isinstance(value, float)])


def two_judges() -> assay.Campaign:
    """Five systems and four segments; ``i`` counts their translations from 0 to 19, and raters a and b score them.

    Of adequacy both say i. Of fluency a says i and b says 57 - 3i. Means: a has i, b has (i + 57 - 3i)/2 = 28.5 - i.
    """
    rows = [
        Judgement(f"s{number}", segment, score, kind, rater)
        for number in range(5)
        for segment in range(4)
        for i in [4.0 * number + segment]
        for kind, rater, score in (
            ("adequacy", "a", i), ("fluency", "a", i), ("adequacy", "b", i), ("fluency", "b", 57.0 - 3.0 * i)
        )
    ]  # fmt: skip
    return campaign(segments=4, judged=False).with_judgements(Judgements.of(rows, "inline"))


@pytest.mark.parametrize("turned", [False, True])
def test_points_of_figure_3_and_agreement_come_from_one_kind_each(turned: bool) -> None:
    whole = two_judges()
    if turned:
        whole = whole.with_judgements(whole.judgements.only(np.argsort(-np.arange(len(whole.judgements)))))
    result = asked("pseudo-documents", whole, kind=KINDS, lengths=(2,))
    expected = {
        "adequacy": (1.0, {(float(i), float(i)) for i in range(20)}),
        "fluency": (-1.0, {(float(i), 57.0 - 3.0 * i) for i in range(20)}),
        "adequacy+fluency": (-1.0, {(float(i), 28.5 - i) for i in range(20)}),
    }
    agreed = asked("agreement", whole, kind=KINDS)
    for kind, (correlation, pairs) in expected.items():
        points = [row for row in result.table("points") if row["kind"] == kind]
        assert {(row["first"], row["second"]) for row in points} == {("a", "b")}
        assert len(points) == 20
        assert {(row["x"], row["y"]) for row in points} == pairs
        assert {round(row["spearman"], 12) for row in points} == {correlation}
        # Dots are moved a little, and stay near: by half of a twentieth of the scale at most.
        reach = 0.025 * (max(map(max, pairs)) - min(map(min, pairs))) + 1e-9
        assert all(abs(row["x"] - row["shown_x"]) <= reach >= abs(row["y"] - row["shown_y"]) for row in points)
        # The picture of a kind has its points and no other.
        dots = result.chart(f"{kind}.figure").spec["hconcat"][1]["layer"][0]["data"]["values"]
        assert [(dot["x"], dot["y"]) for dot in dots] == [(row["shown_x"], row["shown_y"]) for row in points]
        assert f"Spearman {correlation:.3f} over the 20 translations" in " ".join(result.findings)
        for statistic in ("pearson", "spearman"):
            assert agreed.of(statistic=statistic, kind=kind).value == pytest.approx(correlation)
    # Nobody judged anything again: another kind is no repetition.
    assert not [row for row in agreed.table("results") if row["statistic"].startswith("repeat-")]


def test_the_tables_of_the_paper_have_a_column_per_kind():
    options = {"tasks": "grades,splits", "models": "tree", "folds": 3, "samples": 0, "grades": 3}
    both = assay.learn(CAMPAIGN, "bleu,wer", kind="adequacy,fluency", **options)
    alone = {kind: assay.learn(CAMPAIGN, "bleu,wer", kind=kind, **options) for kind in ("adequacy", "fluency")}
    shown = {view.title.partition("(")[2]: view for view in both.views if "side by side" in view.title}
    tables = ["Table 3", "Tables 5 and 7", "Table 6", "Table 8", "Table 9"]
    assert [title.removeprefix("the paper's ").rstrip(")") for title in shown] == tables
    assert all(view.over == "kind" for view in shown.values())
    text = both.render("text")
    # In each line the numbers that the kinds have alone.
    for feature in ("bleu", "wer"):
        cells = [f"{100 * one.of(table='features', name=feature)['alone']:.1f}" for one in alone.values()]
        assert re.search(rf"^{feature} +{cells[0]}ᵈ? +{cells[1]}ᵈ? *$", text, re.M)
    right = [f"{100 * one.of('tree', 'grade>=2', 'accuracy', features='all').value:.1f}" for one in alone.values()]
    assert re.search(rf"^grade>=2 +tree +{right[0]} +{right[1]} *$", text, re.M)
    # What stands for one kind alone stands below, as it was.
    titles = [view.title for view in both.views]
    assert [f"adequacy: {view.title}" in titles or view.title in titles for view in alone["adequacy"].views]


def test_a_model_is_of_one_kind(tmp_path):
    with pytest.raises(ParameterError, match="takes one kind of judgement here"):
        assay.learn(CAMPAIGN, kind="adequacy,fluency", save=tmp_path / "model.json")


@pytest.mark.parametrize("name", ["equal-grades", "leaderboard"])
def test_pictures_of_several_kinds_say_which_kind_each_is_of(name):
    # Side by side on a page they have one title, and else nothing that tells them apart.
    judged = campaign(kinds=("adequacy", "fluency"))
    pictures = assay.study(name, judged, kind="adequacy,fluency", metrics="bleu", samples=20).figures
    told = [picture.data["title"]["subtitle"][-1] for picture in pictures if "." in picture.name]
    assert told == ["kind: adequacy", "kind: fluency"]
    # Of one kind there is one picture, and what is asked says which.
    [alone] = assay.study(name, judged, kind="fluency", metrics="bleu", samples=20).figures
    assert "kind: fluency" not in alone.data["title"]["subtitle"]
