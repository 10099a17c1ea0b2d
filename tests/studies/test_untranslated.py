"""Words of the source in an output that no reference has: counts by hand, shares, and what people make of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

import assay
from assay import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError
from studies.judged_campaign import campaign

SOURCE = ["Der Bahnhof war in Köln zu", "Das Radio von Anna ist 12 km weg", "Der Hund bellt"]
REFERENCE = ["The station in Cologne was closed", "Anna's radio is 12 km away", "The dog from Köln barks"]
TEXTS = {
    # Bahnhof and zu; Köln is in a reference of another segment, war and in are none or in one.
    "left": ["The Bahnhof in Köln was zu", "Das radio of Anna is 12 km weg", "The dog barks"],
    "well": ["The station in Cologne was closed", "The radio of Anna is 12 km away", "The HUND barks"],
}


def small(**options):
    return Campaign(name="small", systems=TEXTS, references={"A": REFERENCE}, source=SOURCE, **options)


def rows_of(result, table="table"):
    return {row["system"]: row for row in result.table(table)}


def test_words_of_the_source_that_no_reference_has_are_counted_by_hand():
    result = assay.study("untranslated", small())
    rows = rows_of(result)
    # left: Bahnhof, zu; Das, weg. The reference has radio, km and, in Anna's, Anna; 12 is no word.
    # Words: 6, then 7 without the number, then 3.
    assert (rows["left"]["words"], rows["left"]["untranslated"], rows["left"]["segments"]) == (16, 4, 2)
    assert rows["left"]["share"] == pytest.approx(100 * 4 / 16)
    # Case does not count: HUND is der Hund.
    assert (rows["well"]["words"], rows["well"]["untranslated"], rows["well"]["segments"]) == (16, 1, 1)
    assert {place["word"] for place in result.table("places") if place["system"] == "left"} == {
        "bahnhof", "zu", "das", "weg",
    }  # fmt: skip
    assert rows_of(result, "examples")["well"]["text"] == "The [HUND] barks"
    assert "left leaves most words of the source: 4 of 16 words (25.00 %), in 2 of 3 segments." in result.findings


def test_within_a_segment_its_own_references_count_alone():
    rows = rows_of(assay.study("untranslated", small(), within="segment"))
    # Köln stands in the reference of the third segment, not in that of the first.
    assert rows["left"]["untranslated"] == 5
    assert rows_of(assay.study("untranslated", small()))["left"]["untranslated"] == 4


def test_any_reference_that_has_a_word_excuses_it():
    two = Campaign(
        name="two", systems=TEXTS, references={"A": REFERENCE, "B": ["Bahnhof", "weg", "Hund"]}, source=SOURCE
    )
    rows = rows_of(assay.study("untranslated", two))
    assert {name: row["untranslated"] for name, row in rows.items()} == {"left": 2, "well": 0}
    # Of none there is no interval: that others would have none does not follow.
    assert (rows["well"]["share"], rows["well"]["low"], rows["well"]["high"]) == (0.0, None, None)


def test_scripts_without_spaces_are_looked_up_as_runs():
    made = Campaign(
        name="zh",
        systems={"s": ["He went to 北京大学 by bus", "Good 茶 !"]},
        references={"A": ["He went to Peking University by bus", "Good tea !"]},
        source=["他坐公交车去了北京大学。", "好茶！"],
    )
    result = assay.study("untranslated", made)
    assert [place["word"] for place in result.table("places")] == ["北京大学", "茶"]
    # A reference that keeps the name excuses it.
    kept = replace(made, references={"A": ["He went to 北京大学 ( Peking University )", "Good tea !"]})
    kept = Campaign(name="zh", systems=kept.systems, references=kept.references, source=kept.source)
    assert [place["word"] for place in assay.study("untranslated", kept).table("places")] == ["茶"]


def test_tags_numbers_and_single_letters_are_no_words():
    made = Campaign(
        name="t",
        systems={"s": ["<talk> x 3D A4-Blatt O'Neill"]},
        references={"A": ["nothing"]},
        source=["<talk> x 3D A4-Blatt O'Neill"],
    )
    row = rows_of(assay.study("untranslated", made))["s"]
    assert (row["words"], row["untranslated"], row["listed"]) == (1, 1, "o'neill")


def test_intervals_are_the_middle_of_drawn_shares():
    generator = np.random.default_rng(2)
    bad = generator.integers(0, 4, size=80)
    lines = [" ".join(["word"] * 6 + ["quelle"] * int(times)) for times in bad]
    made = Campaign(name="t", systems={"s": lines}, references={"A": ["word"] * 80}, source=["quelle"] * 80)
    row = rows_of(assay.study("untranslated", made, samples=4000))["s"]
    assert row["share"] == pytest.approx(100 * bad.sum() / (480 + bad.sum()))
    drawn = generator.integers(80, size=(4000, 80))
    shares = 100 * bad[drawn].sum(axis=1) / (480 + bad[drawn].sum(axis=1))
    low, high = np.quantile(shares, [0.025, 0.975])
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.15 * (high - low))


def judged_texts():
    """Six systems that leave more and more words, in twenty segments, and people who see about how many."""
    generator = np.random.default_rng(4)
    texts, rows, counts = {}, [], np.zeros((6, 20))
    for number in range(6):
        counts[number] = generator.integers(0, 2 + number, size=20)
        name = f"s{number}"
        texts[name] = [" ".join(["word"] * (5 + at % 3) + ["quelle"] * int(counts[number, at])) for at in range(20)]
        rows += [Judgement(name, at, float(-counts[number, at] + generator.normal()), "da", "a") for at in range(20)]
    made = Campaign(name="t", systems=texts, references={"A": ["word"] * 20}, source=["die quelle"] * 20)
    return made.with_judgements(Judgements.of(rows, "inline")), counts


def test_people_are_held_against_shares_as_scipy_does():
    whole, counts = judged_texts()
    result = assay.study("untranslated", whole, samples=50)
    words = counts + 5 + np.arange(20) % 3
    human = np.array([one.score for one in whole.judgements]).reshape(6, 20)
    shares = -counts.sum(axis=1) / words.sum(axis=1)
    found = {(row["level"], row["statistic"]): row["correlation"] for row in result.table("people")}
    assert found["system", "pearson"] == pytest.approx(pearsonr(shares, human.mean(axis=1)).statistic)
    assert found["system", "spearman"] == pytest.approx(spearmanr(shares, human.mean(axis=1)).statistic)
    within = [kendalltau(-counts[:, at] / words[:, at], human[:, at]).statistic for at in range(20)]
    assert found["segment", "kendall, within segments"] == pytest.approx(np.mean(within))
    assert any(said.startswith("People like systems with fewer such words more: pearson") for said in result.findings)


def test_without_people_the_shares_are_there_all_the_same():
    whole, _ = judged_texts()
    alone = replace(whole, human=None)
    assert rows_of(assay.study("untranslated", alone)) == rows_of(assay.study("untranslated", whole))
    assert assay.study("untranslated", alone).table("people") == []
    two = whole.with_judgements(
        Judgements.of([one for one in whole.judgements if one.system in ("s0", "s1")], "inline")
    )
    with pytest.warns(assay.AssayWarning, match="Nobody judged"):
        result = assay.study("untranslated", two)
    assert any(said.startswith("Not held against people: untranslated compares systems") for said in result.findings)


def test_no_source_no_answer():
    with pytest.raises(InputError, match=r"small has no source. Put it into src\.txt"):
        assay.study("untranslated", campaign())


def test_where_nothing_is_left_it_is_said():
    clean = Campaign(name="c", systems={"s": REFERENCE}, references={"A": REFERENCE}, source=SOURCE)
    result = assay.study("untranslated", clean)
    assert "No system left a word of the source in any of the 3 segments." in result.findings


def test_the_figure_has_a_line_for_each_system():
    data = assay.study("untranslated", small()).chart().data
    panel = data if "layer" in data else data["hconcat"][0]
    points = next(layer for layer in panel["layer"] if layer["mark"]["type"] == "point")
    assert {row["name"] for row in points["data"]["values"]} == {"left", "well"}
