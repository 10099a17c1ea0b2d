"""Metrics that a study compares see the same tokens, unless somebody wants each one's own."""

from __future__ import annotations

import json
import re

import pytest
from scipy.stats import pearsonr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.errors import UnknownName
from assay.questions.studies.registry import STUDIES, study_class
from learned.small_models import quality_model
from studies.judged_campaign import campaign as judged_campaign
from text.scripts import UNSPACED

#: People put them in this order. The best writes punctuation apart, which 13a does with all of them.
TEXTS = {
    "good": "The cat sat , and the dog ran .",
    "fair": "and fled the dog, The cat sat.",
    "poor": "The mouse sat, and the bird ran.",
}
REFERENCE = "The cat sat, and the dog ran."
CAPTION = "Word metrics on the same tokens (13a, case kept)."
#: Metrics of every kind: words by every default, METEOR, and characters.
MIXED = "bleu,nist,ter,wer,f1,meteor,chrf,cer"
#: Studies of several metrics, and what makes them quick.
COMPARING = {
    "pseudo-documents": {"metrics": MIXED, "lengths": (2,), "per_length": 5},
    "misleading-ngrams": {"metrics": "bleu,nist,f1,per", "least": 2},
    "case-and-stem": {"metrics": MIXED, "samples": 5, "recipes": ("raw", "lowercase+stem")},
    "correlations": {"metrics": MIXED, "samples": 5},
    "sentence-level": {"metrics": "bleu,ter,f1,chrf", "samples": 5, "modules": ("exact", "exact+stem")},
    "sentence-scatter": {"metrics": MIXED, "samples": 5, "dots": 5},
    "equal-grades": {"metrics": MIXED, "samples": 5},
    "consistency": {"metrics": MIXED, "splits": 3},
    "references": {"metrics": MIXED, "k": 1},
    "reference-count": {"metrics": MIXED, "samples": 2},
    "reference-similarity": {"metrics": MIXED, "samples": 2},
    "synthetic-references": {"metrics": MIXED, "samples": 2},
    "foreign-texts": {"metrics": MIXED, "k": 1},
    "score-distribution": {"metrics": MIXED},
    "leaderboard": {"metrics": MIXED, "samples": 5},
}
#: Those that take metrics of n-grams of words alone.
OF_NGRAMS = ("misleading-ngrams",)
ALONE = ("gtm-exponent", "untranslated", "greedy-matching", "meteor-aligner", "discount", "recall-weight")

pytestmark = pytest.mark.filterwarnings(
    "ignore:k = ",
    "ignore:Segments of",
    "ignore:no answer to misleading-ngrams",
    "ignore:no answer to untranslated",
    "ignore:Left out of misleading-ngrams",
)


def apart():
    """Three systems, six segments that are all the same, and one judge."""
    texts = {name: [text] * 6 for name, text in TEXTS.items()}
    rows = [Judgement(name, segment, 3.0 - place, "da") for place, name in enumerate(texts) for segment in range(6)]
    return assay.Campaign("apart", texts, {"A": [REFERENCE] * 6}, human=Judgements.of(rows, "inline"))


def pearsons(**options):
    result = assay.study("correlations", apart(), metrics="f1,bleu", stemmer="none", samples=2, **options)
    return result, {row["metric"]: row["pearson"] for row in result.table()}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Each study's answer, found once."""
    known = {}
    other = tmp_path_factory.mktemp("other") / "other.txt"
    other.write_text("A quick red dog ran over the tree .\n" * 12)

    def answer(name, **options):
        key = name, *options.items()
        if key not in known:
            more = {"others": str(other)} if name == "foreign-texts" else {}
            known[key] = assay.study(name, judged_campaign(references=3), **COMPARING[name], **more, **options)
        return known[key]

    return answer


def test_the_order_of_metrics_changes_with_their_tokens():
    # On the tokens of 13a, 9 in each text, 9, 8 and 7 match the reference: F1 falls in equal steps, as people's scores
    # do. BLEU sees the order: of n-grams "fair" has 8 of 9, 3 of 8 (the dog, The cat, cat sat), 1 of 7 and none of 6,
    # for which half a match stands in all six segments together; "poor" 7 of 9, 4 of 8, 2 of 7, 1 of 6.
    result, together = pearsons()
    bleu = [1.0, (8 / 9 * 3 / 8 * 1 / 7 * 0.5 / 36) ** 0.25, (7 / 9 * 4 / 8 * 2 / 7 * 1 / 6) ** 0.25]
    assert together["f1"] == pytest.approx(1.0, abs=1e-9)
    assert together["bleu"] == pytest.approx(pearsonr([3, 2, 1], bleu).statistic, abs=1e-9)
    # Between spaces the reference has 7 tokens. "good" has 9 and shares 5, F1 = 10/16; the others have 7 and share
    # 4 (and, the, The, cat) and 5: 62.5, 57.14 and 71.43. The best system is in the middle.
    own, apart_ = pearsons(own_recipes=True)
    assert apart_["bleu"] == together["bleu"]
    assert apart_["f1"] == pytest.approx(pearsonr([3, 2, 1], [10 / 16, 4 / 7, 5 / 7]).statistic, abs=1e-9)
    assert apart_["f1"] < apart_["bleu"] < together["f1"]
    assert (result.setup["recipe"], own.setup["recipe"]) == ("13a, case kept", "own")


def test_own_recipes_are_those_of_the_metrics_by_themselves():
    _, own = pearsons(own_recipes=True)
    with pytest.warns(assay.AssayWarning, match="different tokens"):
        same = assay.meta_evaluate(
            apart(), "f1,bleu", levels="system", statistics="pearson", samples=0, test="none"
        ).table("results")
    assert own == {row["metric"]: pytest.approx(row["value"], abs=1e-12) for row in same}


def test_studies_of_several_metrics_share_a_recipe_and_those_of_one_do_not():
    assert {name for name in STUDIES if "recipes" in study_class(name).takes} == {*COMPARING}
    assert {*COMPARING, *ALONE} == {*STUDIES}
    with pytest.raises(UnknownName, match="own_recipes"):
        assay.study("recall-weight", judged_campaign(), own_recipes=True)


@pytest.mark.parametrize("name", [name for name in COMPARING if name not in OF_NGRAMS])
def test_all_word_metrics_have_the_recipe_and_signatures_show_it(asked, name):
    signatures = asked(name).signatures
    words = {metric: line for metric, line in signatures.items() if not metric.startswith(("chrf", "cer"))}
    assert len(words) > 3
    for line in words.values():
        assert "lowercase=false,tokenize=13a," in line
    assert "lowercase=false,tokenize=none," in signatures["chrf"]
    # Names in tables stay short: the recipe stands above them.
    assert {"ter", "f1"} <= signatures.keys()
    own = asked(name, own_recipes=True).signatures
    assert "lowercase=true,tokenize=none:ascii," in own["ter"]
    assert "lowercase=false,tokenize=none:ascii," in own["f1"]
    assert any("tokenize=meteor:en" in line for line in own.values())


@pytest.mark.parametrize("name", COMPARING)
def test_caption_setup_and_figure_say_it(asked, name):
    tokens = "13a" if name == "case-and-stem" else "13a, case kept"
    result, own = asked(name), asked(name, own_recipes=True)
    for answer, recipe, sentence in (
        (result, tokens, f"Word metrics on the same tokens ({tokens})."),
        (own, "own", "Each metric on its own tokens."),
    ):
        document = json.loads(answer.to_json())
        assert document["setup"]["recipe"] == recipe
        assert document["options"]["own_recipes"] is (recipe == "own")
        assert document["views"][0]["title"].endswith(f"? {sentence}")
        assert sentence in " ".join(answer.chart().data["title"]["subtitle"])
        for style in ("text", "markdown", "latex", "html"):
            assert sentence.rstrip(".") in re.sub(r"\s+", " ", answer.render(style))


def test_rows_name_metrics_by_what_differs_and_spell_them_out(asked):
    rows = asked("correlations").table()
    named = {*MIXED.split(",")} - {"meteor"} | {"meteor(modules=exact+synonym)"}
    assert {row["metric"] for row in rows} == named
    spellings = {(row["metric"], row["text"]): row["spelling"] for row in rows}
    assert spellings["ter", "words"] == "ter(lowercase=false,tokenize=13a)"
    assert spellings["f1", "stems"] == "f1(tokenize=13a,stem=porter)"
    grid = {(row["metric"], row["recipe"]): row["spelling"] for row in asked("case-and-stem").table()}
    assert grid["ter", "raw"] == "ter(lowercase=false,tokenize=13a)"
    assert grid["ter", "lowercase+stem"] == "ter(tokenize=13a,stem=porter)"
    lines = {row["metric"]: row["spelling"] for row in asked("sentence-level").table()}
    assert lines["METEOR exact"] == "meteor(modules=exact,lowercase=false,tokenize=13a)"


def test_what_was_typed_stays_and_the_caption_says_that_names_tell():
    metrics = "bleu,gtm(lowercase=true),f1(tokenize=none:ascii),ter(lowercase=true)"
    result = assay.study("correlations", apart(), metrics=metrics, stemmer="none", samples=2)
    signatures = result.signatures
    assert "lowercase=true,tokenize=13a" in signatures["gtm(lowercase=true)"]
    # What one types that is usual for the metric stays as well, and is told from the recipe.
    assert "lowercase=false,tokenize=none:ascii" in signatures["f1(tokenize=none:ascii)"]
    assert "lowercase=true,tokenize=13a" in signatures["ter(lowercase=true)"]
    assert result.views[0].title.endswith(" (13a, case kept) unless a name says otherwise.")
    # Asked again with these options, it is the same.
    assert result.options["metrics"] == metrics.split(",")
    again = assay.study("correlations", apart(), metrics=result.options["metrics"], stemmer="none", samples=2)
    assert again.to_json() == result.to_json()


def test_metrics_that_become_the_same_are_refused():
    with pytest.raises(assay.ParameterError, match=r"Asked for twice: f1\(tokenize=13a\)"):
        assay.study("correlations", apart(), metrics="f1,f1(tokenize=13a)")


def test_without_metrics_of_words_there_is_nothing_to_say():
    result = assay.study("correlations", apart(), metrics="chrf,cer", samples=2)
    assert "recipe" not in result.setup
    assert result.views[0].title.endswith("does stemming help?")


def chinese():
    texts = {name: [line[:cut] for line in UNSPACED["zh"]] for name, cut in (("a", -5), ("b", -9), ("c", -14))}
    rows = [Judgement(name, at, float(-len(column[at])), "da") for name, column in texts.items() for at in range(3)]
    return assay.Campaign("c", texts, {"A": list(UNSPACED["zh"])}, human=Judgements.of(rows, "inline"))


@pytest.mark.filterwarnings("ignore:3 judged segments")
def test_with_a_language_its_tokenizer_is_the_recipe():
    metrics = "bleu,ter,f1,chrf,meteor,nist(tokenize=char)"
    result = assay.study("correlations", chinese(), metrics=metrics, language="zh", stemmer="none", samples=2)
    assert result.views[0].title.endswith(" (zh, case kept) unless a name says otherwise.")
    assert result.setup["recipe"] == "zh, case kept"
    named = {name: re.search("lowercase=.*?,tokenize=[^,]+", line)[0] for name, line in result.signatures.items()}
    same = "lowercase=false,tokenize=zh"
    assert named == {
        "bleu": same, "ter": same, "f1": same, "chrf": "lowercase=false,tokenize=none",
        "meteor(language=other,modules=exact)": same, "nist(tokenize=char)": "lowercase=false,tokenize=char",
    }  # fmt: skip


@pytest.mark.parametrize(("code", "modules"), [("de", "exact"), ("da", "exact+stem")])
def test_meteor_is_cut_like_the_others_in_languages_with_spaces(code, modules):
    result = assay.study(
        "sentence-level", apart(), metrics="bleu", meteor="meteor", modules=modules, language=code, samples=2,
        normalise="none",
    )  # fmt: skip
    (line,) = [line for name, line in result.signatures.items() if name.startswith("meteor")]
    assert f"language={code}," in line
    # Alone it would be cut by its own normaliser, and Danish, which that does not know, by intl.
    assert "lowercase=false,tokenize=13a" in line


def test_a_saved_model_cuts_words_as_it_says_itself(tmp_path):
    model = f"predictor(path={quality_model().save(tmp_path / 'model.json')})"
    result, own = (
        assay.study(
            "pseudo-documents", judged_campaign(), metrics=f"{model},bleu", lengths=(2,), per_length=5, own_recipes=own
        )
        for own in (False, True)
    )
    assert result.table() == own.table()
    assert result.signatures == own.signatures
    assert result.views[0].title.endswith(CAPTION)


def test_all_studies_on_one_page_share_it_too():
    options = {"metrics": "bleu,ter,fmean", "kind": "adequacy", "k": 1}
    with pytest.warns(assay.AssayWarning, match="no answer to foreign-texts"):
        result = assay.study("all", judged_campaign(references=3), **options)
    titles = {view.section: view.title for view in reversed(result.views)}
    assert titles["correlations"].endswith(CAPTION)
    assert titles["case-and-stem"].endswith("Word metrics on the same tokens (13a).")
    assert "tokens" not in titles["recall-weight"]
    assert result.setup["correlations"]["recipe"] == "13a, case kept"
    assert "tokenize=13a" in result.signatures["fmean"]
    assert "tokenize=none:ascii" in result.signatures["fmean, recall-weight"]
    with pytest.warns(assay.AssayWarning, match="no answer to foreign-texts"):
        own = assay.study("all", judged_campaign(references=3), own_recipes=True, **options)
    assert own.setup["correlations"]["recipe"] == "own"
    assert own.options["own_recipes"] is True
    assert "tokenize=none:ascii" in own.signatures["fmean"]
    assert "fmean, recall-weight" not in own.signatures
    alone = assay.study("correlations", judged_campaign(references=3), metrics="bleu,ter,fmean", kind="adequacy")
    assert result.table("correlations.table") == alone.table()
