"""What holds of every study: it is one result, in every format, and it says what became of old options."""

from __future__ import annotations

from dataclasses import fields

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.questions.studies.registry import STUDIES, study_class
from assay.results.rendering import STYLES

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

JUDGED = {"kind": "adequacy", "samples": 20}
#: Options that make a study quick.
OPTIONS = {
    "pseudo-documents": {"kind": "adequacy", "per_length": 20, "metrics": "bleu,chrf", "lengths": (1, 10)},
    "misleading-ngrams": {"kind": "adequacy", "metrics": "bleu,gtm", "least": 5},
    "gtm-exponent": JUDGED | {"exponents": (1, 2)},
    "untranslated": JUDGED,
    "greedy-matching": {"exponents": 2},
    "case-and-stem": JUDGED | {"metrics": "chrf,ter"},
    "correlations": JUDGED | {"metrics": "nist,ter"},
    "recall-weight": JUDGED | {"steps": 4},
    "sentence-level": JUDGED | {"kind": "adequacy,fluency", "metrics": "fmean"},
    "sentence-scatter": JUDGED | {"metrics": "fmean,ter", "dots": 10},
    "equal-grades": JUDGED | {"metrics": "fmean,ter"},
    "consistency": {"metrics": "bleu,ter", "splits": 5},
    "meteor-aligner": {},
    "discount": {"samples": 20},
    "references": {"metrics": "bleu,wer", "k": (1, 2), "text": "both"},
    "reference-count": JUDGED | {"metrics": "chrf"},
    "reference-similarity": JUDGED | {"metrics": "chrf"},
    "synthetic-references": JUDGED | {"metrics": "f1"},
    "foreign-texts": {"others": (str(CAMPAIGN / "src.txt"),), "metrics": "bleu,wer"},
    "score-distribution": {"kind": "adequacy", "metrics": "f1"},
    "leaderboard": {"kind": "adequacy", "metrics": "f1", "samples": 20},
    "all": {"kind": "adequacy", "metrics": "f1", "k": 1},
}


@pytest.fixture(scope="module", params=[*STUDIES, "all"])
def result(request):
    return assay.study(request.param, CAMPAIGN, **OPTIONS[request.param])


def test_it_reads_back_from_json_and_renders_the_same(result):
    again = assay.Result.from_json(result.to_json())
    for style in (name for name in STYLES if name not in ("junit", "svg", "mtme-score", "every-eval-ever")):
        assert again.render(style) == result.render(style), style
    assert [figure.data for figure in again.figures] == [figure.data for figure in result.figures]


def test_cells_are_plain_and_every_view_has_its_columns(result):
    for name, rows in result.tables.items():
        assert {tuple(row) for row in rows} <= {tuple(rows[0])} if rows else True, name
        assert all(cell is None or isinstance(cell, (str, int, float)) for row in rows for cell in row.values()), name
    for view in result.views:
        shown = {
            name for column in view.columns for name in (column.name, column.low, column.high, column.mark) if name
        }
        for row in result.tables.get(view.table, ()):
            assert shown <= set(row), view.title


def test_it_says_what_was_computed_and_has_a_picture(result):
    # What is counted there is no metric.
    assert result.signatures or result.question == "untranslated"
    assert all("|references:3|segments:60|" in line for line in result.signatures.values())
    assert all(set(figure.data) & {"layer", "hconcat", "vconcat"} for figure in result.figures)
    assert result.figures


def test_judgements_have_their_kind_in_every_row_and_their_fate_in_the_setup(result):
    if "kind" not in OPTIONS[result.question] or result.question == "all":
        return
    kinds = {row["kind"] for rows in result.tables.values() for row in rows}
    # Human translations of score-distribution are nobody's judgement.
    assert kinds - {None} == {"adequacy", "fluency", "adequacy+fluency"} & kinds
    # Only score-distribution, which holds no metric against people, keeps the person among the systems.
    used = "900" if result.question == "score-distribution" else "720"
    assert f"{used} of 1,800 judgements were used" in result.setup["usage"]
    assert any(sentence in result.setup["usage"] for sentence in result.findings)


@pytest.mark.parametrize(
    "name", [name for name in STUDIES if "metrics" in {one.name for one in fields(study_class(name))}]
)
def test_the_old_keyword_for_metrics_names_the_new_one(name):
    with pytest.raises(
        assay.ParameterError, match=rf"{name} has no option metric any more. .*metrics=\['bleu', 'chrf'\]"
    ):
        assay.study(name, CAMPAIGN, metric="bleu")


def test_documents_are_no_bootstrap_samples():
    with pytest.raises(assay.ParameterError, match="--per-length N says how many there are of each length"):
        assay.study("pseudo-documents", CAMPAIGN, samples=100)


def test_all_studies_share_what_they_count(monkeypatch):
    counted: list[tuple[str, ...]] = []
    plain = assay.F1.count

    def count(metric, batch):
        texts = (batch.translation_texts, *batch.reference_texts)
        counted.append((str(metric), *(column.digest for column in texts)))
        return plain(metric, batch)

    monkeypatch.setattr(assay.F1, "count", count)
    assay.study("all", CAMPAIGN, kind="adequacy", metrics="f1", k=1)
    # Four systems with all references under six recipes, the person under one, A, B and C beside the two others, and
    # each of them against each other one; judges tell all systems apart, so that score-distribution asks for none of
    # them. Paths of synthetic-references are cut into words already, and are nobody else's.
    texts = [one for one in counted if one[0] != "f1"]
    assert len(texts) == len(set(texts)) == 34
    assert len(counted) == len(set(counted))
