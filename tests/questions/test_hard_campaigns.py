"""Judgements of which little can be said: every command says what it can, and why it cannot say the rest."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest

from assay.cli.main import run
from studies.judged_campaign import campaign


def kept(change, **options):
    """A campaign with what ``change`` makes of each judgement; None takes it away."""
    whole = campaign(segments=24, **options)
    return whole, [changed for one in whole.judgements if (changed := change(one)) is not None]


CASES = {
    # Judge a has the even segments, b the odd ones.
    "no item in common": kept(lambda one: one if (one.rater == "a") == (one.segment % 2 == 0) else None),
    "one judge": kept(lambda one: one, raters="a"),
    # One to three judges of an item: means of equal numbers are equal, whatever the last bit of their sum is.
    "all equal": kept(
        lambda one: replace(one, score=0.1) if (7 * one.segment + ord(one.rater)) % 4 else None, raters="abc"
    ),
    # Each segment was judged for one of five systems alone.
    "no segment in common": kept(lambda one: one if int(one.system[1:]) == one.segment % 5 else None),
}

COMMANDS = {
    "agreement": "agreement {} --samples 20 --splits 5",
    "agreement, other raters": "agreement {} --samples 20 --splits 5 --resample both",
    "agreement, metrics": "agreement {} --samples 20 --splits 5 -m chrf",
    "meta": "meta {} -m bleu,chrf --samples 20 --permutations 50",
    "pseudo-documents": "study pseudo-documents {} -m bleu,chrf --per-length 20 --lengths 1,6,24",
    "correlations": "study correlations {} -m bleu,chrf --samples 20",
    "sentence-level": "study sentence-level {} -m recall --modules exact --samples 20",
    "learn": "learn {} --features bleu,wer --samples 20 --task grades --model ordinal --grades 2 --folds 3",
    "learn, scores": "learn {} --features bleu,wer --samples 20 --task regression --model ridge --folds 3",
    "tune": "tune fmean {} --samples 20 --folds 3",
    "tune, systems": "tune fmean {} --samples 20 --folds 3 --level system",
}

NOT_COMPARED = "No two systems were judged on the same segment"
#: What each command says of each case, and its exit code where that is not 0; it is read in the table's notes and on
#: standard error.
SAID = {
    ("agreement", "no item in common"): "No item was rated by two of the 2 raters: nobody to agree with.",
    ("agreement, other raters", "no item in common"): "No item was rated by two of the 2 raters",
    ("agreement, metrics", "no item in common"): "No item was rated by two of the 2 raters",
    ("agreement", "one judge"): "There is a single rater (a): nobody to agree with.",
    ("agreement, other raters", "one judge"): "There is a single rater (a): nobody to agree with.",
    ("agreement, metrics", "one judge"): "There is a single rater (a): nobody to agree with.",
    ("agreement", "all equal"): "ratings are 0.1: no correlation is defined",
    ("agreement, other raters", "all equal"): "ratings are 0.1: no correlation is defined",
    ("agreement, metrics", "all equal"): "ratings are 0.1: no correlation is defined",
    ("agreement", "no segment in common"): "– instead of a score: no two were judged on the same segment",
    ("agreement, other raters", "no segment in common"): "what other raters would say takes 3 raters, and there are 2",
    ("agreement, metrics", "no segment in common"): NOT_COMPARED,
    ("meta", "all equal"): "judgements of adequacy are 0.1: no correlation with them is defined",
    ("meta", "no segment in common"): NOT_COMPARED,
    ("pseudo-documents", "no item in common"): "No curve of judge against judge: it needs segments on which two judges",
    ("pseudo-documents", "one judge"): "as 1 judge would see them: too few to say what other judges would",
    ("pseudo-documents", "all equal"): "no correlation is defined, for people, or all metrics, give all systems the",
    ("pseudo-documents", "no segment in common"): (2, "segments on which 3 systems or more were judged, and"),
    ("correlations", "all equal"): "no correlation is defined, for the scores of all systems are alike",
    ("correlations", "no segment in common"): "for it takes 3 systems that were judged on common segments",
    ("sentence-level", "all equal"): "adequacy: no correlation is defined, for all scores are alike.",
    ("sentence-level", "no segment in common"): NOT_COMPARED,
    ("learn", "all equal"): (2, "scores are 0.1: there is one grade only, and nothing to learn"),
    ("learn, scores", "all equal"): (2, "there is one grade only, and nothing to learn"),
    ("learn", "no segment in common"): NOT_COMPARED,
    ("learn, scores", "no segment in common"): (2, "at least 10 are needed to learn it and to test it"),
    ("tune", "all equal"): (2, "has no value, for all judgements are the same. There is nothing to tune to."),
    ("tune, systems", "all equal"): (2, "has no value, for all judgements are the same. There is nothing to tune to."),
    ("tune", "no segment in common"): NOT_COMPARED,
    ("tune, systems", "no segment in common"): (2, "has no value"),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The cases as somebody has them: folders of text files."""
    made = {}
    for name, (whole, judgements) in CASES.items():
        made[name] = folder = tmp_path_factory.mktemp(name.replace(" ", "-"))
        for system, texts in whole.systems.items():
            (folder / f"sys.{system}.txt").write_text("".join(f"{line}\n" for line in texts))
        (folder / "ref.A.txt").write_text("".join(f"{line}\n" for line in whole.references["r0"]))
        (folder / "docs.txt").write_text("".join(f"{name}\n" for name in whole.documents))
        rows = [(one.system, one.segment, one.rater, one.score, one.kind) for one in judgements]
        lines = ["\t".join(map(str, row)) for row in [("system", "segment", "rater", "score", "kind"), *rows]]
        (folder / "human.tsv").write_text("".join(f"{line}\n" for line in lines))
    return made


@pytest.fixture
def strict(monkeypatch):
    """What numpy warns of is an error here; commands let such warnings pass unseen."""
    plain = warnings.simplefilter

    def simplefilter(action, category=Warning, **more):
        plain(action, category, **more)
        if action == "ignore" and category is Warning:
            plain("error", RuntimeWarning)

    monkeypatch.setattr(warnings, "simplefilter", simplefilter)
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        yield


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("strict")
def test_what_can_be_said_is_said_and_what_cannot_too(folders, capfd, name, case):
    line = COMMANDS[name].format(folders[case]).split()
    code = run([*line, "--no-color"])
    out, err = capfd.readouterr()
    expected = SAID.get((name, case), "judgements were used" if "agreement" not in name else "Of ")
    wanted, said = expected if isinstance(expected, tuple) else (0, expected)
    assert "Traceback" not in err
    assert code == wanted, err
    assert said in " ".join((out + err).split())
    assert "nan" not in out.lower().split()
    assert not out or code == 0
    if code == 0:
        code = run([*line, "--format", "json"])
        # Numbers or nothing: JSON of this kind has no NaN.
        found = json.loads(capfd.readouterr().out, parse_constant=pytest.fail)
        assert code == 0
        assert plausible(found)


def plausible(found):
    """Whether all correlations and their intervals lie between -1 and 1."""
    tables = [table for table in found.values() if isinstance(table, list) and table and isinstance(table[0], dict)]
    rows = [row for table in tables for row in table if row.get("statistic") in ("pearson", "spearman", "kendall")]
    ends = [row[name] for row in rows for name in ("value", "low", "high") if row.get(name) is not None]
    ends += [row["correlation"] for table in tables for row in table if row.get("correlation") is not None]
    return all(-1.0 <= end <= 1.0 for end in ends)


def test_equal_judgements_have_no_correlation_that_rounding_makes(folders, capfd):
    run(["meta", str(folders["all equal"]), "-m", "bleu,chrf", "--samples", "20", "--format", "json", "-q"])
    rows = json.loads(capfd.readouterr().out)["results"]
    assert rows
    correlations = [row for row in rows if row["statistic"] in ("pearson", "spearman", "kendall")]
    assert all(row["value"] is None and row["low"] is None for row in correlations)
    # Halves of such judgements agree without having said anything: that is no line to be reached.
    assert not [row for row in rows if row["metric"] == "perfect metric" and row["value"] is not None]


def test_systems_on_different_segments_have_no_rank_and_equal_ones_the_same(folders, capfd):
    ranks = {}
    for case in ("no segment in common", "all equal"):
        run(["agreement", str(folders[case]), "--samples", "20", "--splits", "5", "--format", "json", "-q"])
        found = json.loads(capfd.readouterr().out)
        ranks[case] = {(row["rank"], row["cluster"]) for row in found["normalisation"]}
        # Halves of the raters saw the same segments, so that they agree on how hard these are.
        assert not [row for row in found["results"] if row["statistic"].startswith("split-half-system")]
    assert ranks == {"no segment in common": {(None, None)}, "all equal": {(1, 1)}}
