"""``--language``, and what is said of texts without spaces when nobody names it."""

import json

import pytest

import assay
from assay.errors import AssayWarning, MissingExtra, UnknownName
from text.scripts import SPACED, UNSPACED

#: Three systems, from the best to the worst: all but the last five characters, and less.
CUTS = {"good": -5, "fair": -9, "poor": -14}
WORDS = "bleu,nist,ter,wer,per,f1,gtm,blanc"


def small(lines, judged=False):
    """A campaign whose systems break off."""
    systems = {name: [line[:cut] for line in lines] for name, cut in CUTS.items()}
    human = None
    if judged:
        from assay.data.judgements import Judgement, Judgements

        made = [
            Judgement(name, segment, float(cut), "da") for name, cut in CUTS.items() for segment in range(len(lines))
        ]
        human = Judgements.of(made, "inline")
    return assay.Campaign("small", systems, {"A": list(lines)}, human=human)


@pytest.fixture
def folder(tmp_path):
    """Lays a campaign out."""

    def make(lines):
        folder = tmp_path / "small"
        folder.mkdir(exist_ok=True)
        campaign = small(lines)
        texts = {"ref.A.txt": lines} | {f"sys.{name}.txt": column for name, column in campaign.systems.items()}
        for name, column in texts.items():
            (folder / name).write_text("".join(f"{line}\n" for line in column))
        return folder

    return make


def warned(result):
    return [str(remark) for remark in result.notes if remark.level == "warning"]


@pytest.mark.parametrize("code", UNSPACED)
@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_one_warning_names_script_metrics_and_option(code):
    result = assay.score(small(UNSPACED[code]), f"{WORDS},chrf,cer", samples=0)
    (said,) = warned(result)
    assert said.startswith(f"{WORDS.replace(',', ', ')}: the references look like ")
    assert f"Use --language {code}, which " in said


@pytest.mark.parametrize("code", UNSPACED)
@pytest.mark.filterwarnings("ignore:--language", "ignore:Word metrics see different tokens")
def test_the_option_that_it_names_ends_the_warning(code):
    if code == "ja":
        pytest.importorskip("MeCab", reason="MeCab cuts Japanese words (extra: ja)")
    result = assay.score(small(UNSPACED[code]), f"{WORDS},meteor", samples=0, language=code)
    assert warned(result) == []
    scores = {(row["system"], row["metric"]): row["score"] for row in result.table("scores")}
    for metric in {metric for _, metric in scores}:
        good, fair, poor = (scores[name, metric] for name in CUTS)
        sign = -1 if metric.startswith(("ter", "wer", "per")) else 1
        assert sign * good > sign * fair > sign * poor, metric


@pytest.mark.parametrize("name", SPACED)
def test_texts_with_spaces_are_scored_without_a_word(name):
    lines = [line for line in SPACED[name] if line.strip()]
    for metrics in ("bleu,nist,chrf", "ter", "wer,per,f1,gtm,blanc"):
        assert assay.score(small(lines), metrics, samples=0).notes == ()


def test_a_word_error_rate_of_characters_by_hand():
    # The last 5 of 10 + 15 characters are missing in each of two lines: 10 of 25.
    campaign = assay.Campaign("c", {"s": ["ກຂຄງຈ", "ຊຍດຕຖທນບປຜ"]}, {"A": ["ກຂຄງຈຊຍດຕຖ", "ຊຍດຕຖທນບປຜຝພຟມຢ"]})
    with pytest.warns(AssayWarning, match="--language lo: nothing in the package cuts Lao into words"):
        (row,) = assay.score(campaign, "wer", samples=0, language="lo").table("scores")
    assert (row["metric"], row["score"]) == ("wer(tokenize=char)", 40.0)
    with pytest.warns(AssayWarning, match="look like Lao"):
        (row,) = assay.score(campaign, "wer", samples=0).table("scores")
    assert row["score"] == 100.0


@pytest.mark.parametrize(
    ("ask", "options"),
    [
        (assay.score, {"samples": 0}),
        (assay.compare, {"samples": 100, "permutations": 100}),
        (assay.meta_evaluate, {"samples": 0, "statistics": "pearson"}),
    ],
)
@pytest.mark.filterwarnings("ignore:Nothing at the document level")
def test_every_question_about_metrics_takes_it(ask, options):
    campaign = small(UNSPACED["zh"], judged=True)
    with pytest.warns(AssayWarning, match="^bleu: the references look like Chinese"):
        ask(campaign, "bleu", **options)
    result = ask(campaign, "bleu", language="zh", **options)
    assert list(result.signatures) == ["bleu(tokenize=zh)"]
    assert "tokenize=zh" in result.signatures["bleu(tokenize=zh)"]
    assert result.options["language"] == "zh"


@pytest.mark.filterwarnings("ignore:Nothing at the document level", "ignore:Metrics are not compared")
def test_metrics_that_a_question_takes_by_itself_are_cut_too():
    result = assay.meta_evaluate(small(UNSPACED["zh"], judged=True), language="zh", samples=0, statistics="pearson")
    assert list(result.signatures) == ["bleu(tokenize=zh)", "chrf"]


def test_a_tokenizer_that_was_chosen_stays_and_is_recorded():
    with pytest.warns(AssayWarning) as caught:
        result = assay.score(small(UNSPACED["zh"]), "bleu(tokenize=13a),wer", samples=0, language="zh")
    assert [str(warning.message).partition(",")[0] for warning in caught] == ["bleu: the references look like Chinese"]
    assert list(result.signatures) == ["bleu", "wer(tokenize=zh)"]
    # Asked again with these options, it is the same.
    assert result.options["metrics"] == ["bleu(tokenize=13a)", "wer"]


def test_metrics_that_become_the_same_are_refused():
    with pytest.raises(assay.ParameterError, match=r"Asked for twice: bleu\(tokenize=zh\)"):
        assay.score(small(UNSPACED["zh"]), "bleu,bleu(tokenize=zh)", language="zh")


def test_tune_and_studies_take_it(command, folder):
    path = folder([line * 2 for line in UNSPACED["zh"]])
    studied = command("study", "greedy-matching", path, "--language", "zh", "--format", "json")
    assert studied.code == 0
    assert "tokenize=zh" in next(iter(json.loads(studied.out)["signatures"]))
    assert "look like" not in studied.err
    helped = {name: command(name, "--help").out for name in ("tune", "learn", "explain", "agreement", "predict")}
    assert [name for name, text in helped.items() if "--language CODE" in text] == [
        "tune", "learn", "explain", "agreement"
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_a_language_that_nothing_is_made_for_keeps_metrics_as_they_are():
    polish = small(["kot siedział wczoraj na starej macie i spał"] * 3)
    with pytest.warns(AssayWarning, match="--language pl: nothing in the package is made for it"):
        result = assay.score(polish, "bleu,meteor", samples=0, language="pl")
    assert list(result.signatures) == ["bleu", "meteor(language=other,tokenize=intl)"]
    with pytest.raises(UnknownName, match="Polish"):
        assay.score(polish, "bleu", language="Polish")


@pytest.mark.filterwarnings("ignore:hter. the references look like Chinese")
def test_judgements_made_of_post_edits_are_cut_as_metrics_are():
    line = UNSPACED["zh"][0]
    # One character of all is wrong; by spaces, it is the whole clause.
    edited = assay.Campaign("c", {"s": ["X" + line[1:]]}, {"pe": [line]}, targeted=frozenset({"pe"}))
    from assay.questions.asked import Asked, Data

    cut, whole = (Asked((edited,), Data(language=code)).judged_campaign(["hter"]).judgements for code in ("zh", None))
    assert (cut.score[0], whole.score[0]) == (pytest.approx(-100 / len(line)), -100.0)


def test_a_saved_model_is_past_the_option(tmp_path):
    from learned.small_models import quality_model

    campaign, model = small(UNSPACED["zh"]), quality_model()
    metric = assay.Predictor(path=str(model.save(tmp_path / "model.json")))
    for ask in (lambda: assay.predict(campaign, model, samples=0), lambda: assay.score(campaign, [metric], samples=0)):
        with pytest.warns(AssayWarning, match=r"^f1, wer: .* The model counts as it did when it learnt") as caught:
            ask()
        assert not [one for one in caught if "Use --language" in str(one.message)]


def test_features_are_cut_as_well():
    from assay.questions.asked import Asked, Data
    from assay.questions.learn import Learn

    asked = Asked((small(UNSPACED["zh"]),), Data(language="zh"))
    features = Learn(features="paper", metrics="bleu(tokenize=13a):precision_1").named_features(asked)
    spelled = {feature.name: str(feature) for feature in features}
    assert spelled["ter"] == "ter(tokenize=zh)"
    assert spelled["4-gram"] == "bleu(order=5,smoothing=none,tokenize=zh):precision_4"
    assert spelled["meteor"] == "meteor(language=other,tokenize=zh)"
    assert spelled["bleu:precision_1"] == "bleu:precision_1"


def test_explain_says_it_and_takes_it():
    line = UNSPACED["zh"][0]
    with pytest.warns(AssayWarning, match="^wer: the references look like Chinese"):
        assay.explain("wer", translation=line[:-3], references=[line])
    explained = assay.explain("wer", translation=line[:-3], references=[line], language="zh")
    # 22 characters, of which the last three are missing.
    assert explained.of("wer(tokenize=zh)").score == pytest.approx(100 * 3 / len(line))


@pytest.mark.parametrize("lines", [UNSPACED["ja"], SPACED["Russian"], SPACED["Arabic"]])
def test_meteor_says_that_letters_are_of_another_script(lines):
    with pytest.warns(AssayWarning, match=r"meteor: language=en, but \d % of the references' letters are Latin"):
        assay.explain("meteor", translation=lines[0][:-2], references=[lines[0]])


@pytest.mark.parametrize(("spelling", "name"), [("meteor(language=ru)", "Russian"), ("meteor(language=de)", "German")])
def test_meteor_in_its_language_says_nothing(spelling, name):
    assay.explain(spelling, translation=SPACED[name][0][:-2], references=[SPACED[name][0]])


def test_a_segment_of_a_strange_campaign_is_explained_with_the_remark(folder, command):
    german = ["die Katze saß gestern auf der alten Matte und schlief"] * 60
    result = command("explain", folder(german), "--system", "good", "--segment", "3", "-m", "meteor")
    assert "Warning: meteor: language=en, but 0 % of the references' words are English function words" in result.err
    result = command(
        "explain", folder(german), "--system", "good", "--segment", "3", "-m", "meteor", "--language", "de"
    )
    assert result.err == ""


def test_a_language_nobody_knows_lists_those_that_are_known(command, campaign):
    with pytest.raises(UnknownName, match=r"There is no language 'Xx'\. Known: bo, cs, da, de, en, .* th, tr, zh"):
        assay.score(campaign, "bleu", language="Xx")
    result = command("score", campaign, "--language", "zh-CN")
    assert result.code == 2
    assert "There is no language 'zh-CN'. Did you mean 'zh'?" in result.err


def test_a_missing_segmenter_says_what_to_install(monkeypatch):
    import sys

    from assay.text import recipe

    monkeypatch.setitem(sys.modules, "MeCab", None)
    recipe._external.cache_clear()
    with pytest.raises(MissingExtra, match=r"-m pip install mecab-python3 ipadic"):
        assay.score(small(UNSPACED["ja"]), "bleu", language="ja")


def test_the_warning_as_it_is_read(command, folder):
    result = command("score", folder(UNSPACED["th"]), "-m", "bleu,ter,chrf", "--samples", "0", "-q")
    assert result.err == ""
    result = command("score", folder(UNSPACED["th"]), "-m", "bleu,ter,chrf", "--samples", "0")
    assert result.err == (
        "Note: Word metrics see different tokens here (bleu: 13a, case kept; ter: white space, lowercased). To hold "
        "them against each other, give all of them one recipe, such as tokenize=13a,lowercase=false.\n"
        "Warning: bleu, ter: the references look like Thai, which has no spaces between words, so that whole clauses "
        "count as words here. Such scores say little: systems may be ranked wrongly, and error rates may pass 100. Use "
        "--language th, which counts characters.\n"
    )


def test_metrics_that_share_the_tokens_of_a_language_are_to_keep_them(command, folder):
    line = ("score", folder(UNSPACED["th"]), "-m", "bleu,ter", "--samples", "0", "--language", "th")
    assert (
        "Note: Word metrics see different tokens here (bleu(tokenize=char): case kept; ter(tokenize=char): "
        "lowercased). To hold them against each other, give all of them one recipe, such as lowercase=false.\n"
    ) in command(*line).err


def test_a_metric_of_ones_own_counts_once_for_all_systems(folder):
    corpus = assay.read(folder(UNSPACED["zh"])).corpus("good")
    with pytest.warns(AssayWarning, match="look like Chinese") as caught:
        assay.metric("bleu").evaluate(corpus)
    assert len(caught) == 1
