"""What a page may choose: of every metric and question, no option that names a file, and nothing without end."""

from dataclasses import dataclass, field, fields
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, get_args

import pytest

from assay.errors import AssayError
from assay.explorer.forms import (
    askable,
    asked_for,
    check_metric,
    check_metrics,
    form_of,
    forms,
    is_offered,
    named_question,
)
from assay.metrics.base import Metric
from assay.metrics.options import declared_types, option_fields
from assay.metrics.registry import METRICS, metric_class, metric_names, register
from assay.metrics.wer import Wer
from assay.questions.asked import Data
from assay.questions.base import Question, option
from assay.questions.papers.registry import PAPERS, paper_class
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import EVERYTHING, STUDIES, study_class
from assay.results.result import Result

EVERY = [
    *(QUESTIONS[name] for name in QUESTIONS),
    *(study_class(name) for name in (*STUDIES, *EVERYTHING)),
    *(paper_class(name) for name in PAPERS),
]
#: What options of questions are called that hold files, or say how work is done.
FILES = {
    "judgements", "scores", "layers", "config", "store", "weights", "targeted", "save", "test_on", "others", "model",
    "largest", "threads", "no_store", "paths", "bundle", "judgement_format",
}  # fmt: skip


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A file, by all its names; one of them looks like any word."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("the password\n")
    (tmp_path / "secret.txt").write_text("the password\n")
    return [str(tmp_path / "secret"), "secret.txt", "./secret", f"../{tmp_path.name}/secret", "~/secret", "secret"]


def texts_of(cls: type[Any]) -> list[str]:
    """The options of a class that are text of any kind."""
    hints = declared_types(cls)
    return [one.name for one in option_fields(cls) if {str, Any} & {hints[one.name], *get_args(hints[one.name])}]


@pytest.mark.parametrize("name", metric_names())
def test_no_text_option_of_a_metric_takes_a_file(name, secret, monkeypatch):
    opened: list[Any] = []
    monkeypatch.setattr(Path, "open", lambda *given, **_: opened.append(given))
    monkeypatch.setattr(Path, "read_bytes", lambda *given: opened.append(given))
    for option_name in texts_of(metric_class(name)):
        hint = declared_types(metric_class(name))[option_name]
        for path in secret[:-1]:
            for value in (path, f"spm:{path}", f"wordnet:{path}", f"none:{path}"):
                spelled = f'["{value}"]' if "tuple" in str(hint) else f'"{value}"'
                with pytest.raises(AssayError, match=r"may name a file|no metric|Cannot read"):
                    check_metric(f"{name}({option_name}={spelled})")
    assert not opened


@pytest.mark.parametrize(
    "spelled",
    [
        "meteor(synonyms=secret)", "meteor(paraphrases=secret)", "blanc(synonyms=secret)", "f1(weights=secret)",
        "gtm(weights=secret)", "lm(text=secret)", "scores(path=secret)", "scores(path=secret,metric=x)",
        "predictor(path=secret)", "predictor(path=secret,task=x)", "bleu(tokenize=spm:secret)",
        "bleu(stem=wordnet:secret)", "combination(metrics=[bleu,'lm(text=secret)'])",
        "combination(metrics=[bleu,'bleu(tokenize=spm:secret)'])", "predictor", "scores", "chrf++(tokenize=spm:secret)",
        "wer@../secret", "../secret", "/etc/passwd",
    ],
)  # fmt: skip
@pytest.mark.usefixtures("secret")
def test_metrics_that_name_a_file_are_refused_even_if_it_looks_like_a_word(spelled):
    with pytest.raises(AssayError):
        check_metrics([spelled])
    with pytest.raises(AssayError):
        check_metrics([f"bleu,{spelled}"])
    with pytest.raises(AssayError):
        asked_for(QUESTIONS["score"], {"metrics": ["bleu", spelled]}, Data())


@pytest.mark.parametrize(
    "spelled",
    [
        "bleu", "bleu(order=2,smoothing=add-k)", "chrf(word_order=2)", "chrf++", "meteor(language=de)",
        "meteor(modules=exact+stem,synonyms=none)", "f1(weights=idf,stem=porter)", "gtm(weights=function-words)",
        "bleu(tokenize=none:ascii)", "bleu(normalize=NFKC)", "combination(metrics=[bleu,chrf])", "comet", "wer@pos",
        "ter(convention=sacrebleu)", "lm", "Unbabel/wmt22-comet-da", "meteor(weights=[1,0.6,0.8,0.6])",
    ],
)  # fmt: skip
def test_other_metrics_may_be_named(spelled):
    check_metrics([spelled])


def test_every_option_with_a_file_of_every_question_is_refused(secret):
    for asked in EVERY:
        listed = [(asked, one) for one in fields(asked)]
        listed += [(Data, one) for one in asked.data_fields(Data) if one.name not in {own.name for _, own in listed}]
        for owner, one in listed:
            takes_files = one.name in FILES or any(
                word in str(one.metadata.get("metavar"))
                for word in ("FILE", "DIR", "PATH", "FOLDER", "CAMPAIGN", "RUN")
            )
            # What people said may be called as a choice of data that holds files.
            if not takes_files or (owner is not Data and one.name == "weights"):
                continue
            assert not is_offered(owner, one), (asked.name, one.name)
            for path in secret:
                with pytest.raises(AssayError):
                    asked_for(asked, {one.name: path}, Data())
                with pytest.raises(AssayError):
                    asked_for(asked, {one.name: [path]}, Data())


def test_every_offered_option_is_a_number_a_choice_a_metric_or_a_name():
    """Who adds an option that names a file otherwise is told here: give it a metavar with FILE in it."""
    seen = set()
    for asked in askable():
        for owner, one in [*((asked, one) for one in fields(asked)), *((Data, one) for one in fields(Data))]:
            hint = declared_types(owner)[one.name]
            if is_offered(owner, one) and {str, Any} & {hint, *get_args(hint)} - {NoneType}:
                seen.add((one.name, one.metadata.get("metavar")))
    assert {name for name, _ in seen} <= {
        "fail_under", "system", "segment", "baseline", "by", "kind", "normalise", "ranking", "beside", "judge",
        "families", "levels", "statistics", "groupings", "test", "parameters", "test_kind", "tasks", "models",
        "control", "raters", "metrics", "features", "references", "systems", "without", "human", "scores_lower",
        "language", "modules", "stemmer", "recipes", "statistic", "level", "grades", "exhibits", "within", "meteors",
        "scope",
    }  # fmt: skip


def test_words_of_a_recipe_that_is_a_file_are_refused():
    for value in ("wordnet:secret", "spm:secret", "../x", "a/b"):
        with pytest.raises(AssayError, match="may name a file"):
            asked_for(study_class("case-and-stem"), {"stemmer": value}, Data())
    assert asked_for(study_class("case-and-stem"), {"stemmer": "german"}, Data())[0].stemmer == "german"


def test_questions_of_a_store_and_those_that_write_are_not_asked_from_a_page():
    names = {one.name for one in askable()}
    assert not names & {"sql", "show", "history", "diff", "rerun", "validate", "predict", "report", "explore", "store"}
    assert {"score", "compare", "meta", "agreement", "describe", "features", "learn", "tune"} <= names
    for name in ("sql", "show", "validate", "report", "recipes", "colour", "../score"):
        with pytest.raises(AssayError):
            named_question(name)
    assert named_question("study", "references") is named_question("references") is study_class("references")
    assert named_question("paper", paper="lavie2004").name == "lavie2004"


def test_a_form_has_what_it_takes_to_ask():
    form = form_of(QUESTIONS["compare"])
    by_name = {one["name"]: one for one in form["fields"]}
    assert (form["question"], form["command"], form["section"]) == ("compare", "compare", "systems")
    assert by_name["metrics"] | {"type": "metrics", "many": True, "default": ["bleu", "chrf"]} == by_name["metrics"]
    assert by_name["test"]["choices"] == ["randomisation", "bootstrap", "t", "wilcoxon"]
    assert (by_name["samples"]["type"], by_name["samples"]["least"], by_name["samples"]["most"]) == ("int", 2, 10_000)
    assert (by_name["baseline"]["type"], by_name["baseline"]["optional"]) == ("systems", True)
    assert (by_name["pairs"]["type"], by_name["pairs"]["default"]) == ("bool", False)
    assert (by_name["unit"]["group"], by_name["unit"]["choices"]) == ("units", ["segment", "document"])
    assert "where" not in by_name
    assert form_of(study_class("references"))["study"] == "references"
    assert form_of(study_class("references"))["section"] == "references"
    tune = {one["name"]: one for one in form_of(QUESTIONS["tune"])["fields"]}
    assert (tune["metric"]["type"], tune["metric"]["needed"]) == ("metric", True)


def test_the_defaults_of_every_form_ask_what_the_command_asks():
    for form in forms():
        asked = named_question(form["question"], form["study"], form["paper"])
        options = {one["name"]: one["default"] for one in form["fields"] if not one["needed"]}
        options |= {"metric": "fmean"} if any(one["needed"] for one in form["fields"]) else {}
        made, data = asked_for(asked, options, Data())
        usual, _ = asked_for(asked, {"metric": "fmean"} if form["question"] == "tune" else {}, Data())
        assert made == usual, form["question"]
        assert data == Data()


def test_options_are_read_as_they_are_typed_or_as_lists():
    made, data = asked_for(
        QUESTIONS["compare"],
        {"metrics": "bleu,chrf(word_order=2)", "baseline": "a", "alpha": 0.01, "seed": 7, "systems": "a,b"},
        Data(threads=1),
    )
    assert [str(one) for one in made.metrics] == ["bleu", "chrf(word_order=2)"]
    assert (made.baseline, made.alpha, data.seed, data.systems, data.threads) == ("a", 0.01, 7, ("a", "b"), 1)
    made, _ = asked_for(QUESTIONS["meta"], {"metrics": ["bleu"], "kind": ["a/b", "c+d"], "levels": "system"}, Data())
    assert (made.kind, made.levels) == (("a/b", "c+d"), ("system",))
    for options in ([], "x", {"colour": 1}, {"alpha": "much"}, {"metrics": 3}, {"metrics": {"a": 1}}, {"seed": 2**40}):
        with pytest.raises(AssayError):
            asked_for(QUESTIONS["compare"], options, Data())


def test_a_question_of_another_package_offers_no_option_that_nobody_knows():
    @dataclass(frozen=True, kw_only=True)
    class Foreign(Question):
        """A question of somebody else."""

        name: ClassVar[str] = "foreign"
        question: ClassVar[str] = "What?"

        table: str | None = option(None, "Where it is.", metavar="TABLE")
        path: Any = option(None, "Where it is.", metavar="NAME")
        count: int = option(3, "How many.", metavar="N")

        def answer(self, asked: Any) -> Result:
            return Result("foreign", {"table": []})

    assert [one["name"] for one in form_of(Foreign)["fields"]][:2] == ["count", "references"]
    with pytest.raises(AssayError, match="not chosen from a page"):
        asked_for(Foreign, {"table": "x"}, Data())


def test_a_metric_of_another_package_may_not_be_given_a_file(secret):
    @register
    @dataclass(frozen=True, kw_only=True)
    class Reads(Wer):
        """A metric of somebody else."""

        name: ClassVar[str] = "reads"
        table: str = field(default="none")
        kind: str = field(default="plain", metadata={"takes": "plain, or a file of words"})

    try:
        for value in secret:
            with pytest.raises(AssayError, match="may name a file"):
                check_metric(f'reads(table="{value}")')
        check_metric("reads(table=other)")
        check_metric("reads(kind=plain)")
        with pytest.raises(AssayError, match="may name a file"):
            check_metric("reads(kind=other)")
        assert isinstance(METRICS["reads"], type)
        assert issubclass(METRICS["reads"], Metric)
    finally:
        del METRICS.added["reads"]


@pytest.mark.parametrize("spelled", ["bleu(order=21)", "chrf(char_order=1000)", "ter(beam=1e9)", "gleu(max_len=99)"])
def test_metrics_that_would_count_without_end_are_refused(spelled):
    with pytest.raises(AssayError, match="at most"):
        check_metric(spelled)
