"""Every public function and class of Assay, called with wrong arguments: an error names the argument that is wrong."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import assay
from assay.data.external import ExternalScores
from fuzz.outcomes import Outcomes
from learned.small_models import quality_model

#: What is an argument of no call, or of few.
WRONG: tuple[Any, ...] = (
    None, True, 0, -1, 2.0, 2.5, 10**30, float("nan"), float("inf"), "", "no", "nowhere/", "a,b", "\ud800", "\0",
    b"bleu", (), [], {}, {"a"}, [None], [1.5], [[]], ["a", "a"], [["a"]], {"a": 1}, {1: ["a"]}, object(), assay.Bleu,
    assay.Bleu(), Path("nowhere"), np.array([1.0]), np.zeros((2, 2)), range(3), 1j, Ellipsis, assay.InputError("x"),
)  # fmt: skip
_TEXTS = {"A": ["a b c", "d e", "f g h i", "j"] * 3, "B": ["a b", "d e f", "g h i", "k"] * 3}
_ROWS = [
    assay.Judgement(system, segment, score + segment % 3 + number / 4, "da", f"r{number}", f"d{segment % 2}")
    for system, score in (("A", 50.0), ("B", 40.0))
    for segment in range(12)
    for number in range(2)
]
JUDGEMENTS = assay.Judgements.of(_ROWS, "human.tsv")
CAMPAIGN = assay.Campaign(
    "small",
    systems=_TEXTS,
    references={"r": ["a b c d", "d e f", "g h i j", "j k"] * 3, "s": ["a c", "d f", "g h", "k"] * 3},
    source=["w", "x", "y", "z"] * 3,
    documents=("d0", "d1", "d0", "d1") * 3,
    human=JUDGEMENTS,
)
CORPUS = CAMPAIGN.corpus("A")
SCORES = ExternalScores("other", systems={"A": 1.0, "B": 2.0})
MODEL = quality_model()
_RESULT = assay.score(CAMPAIGN, "f1", samples=0)


@dataclass(frozen=True)
class Call:
    """A call that is right, by the name of what is called, and its arguments by name."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]

    @property
    def parameters(self) -> list[str]:
        """All arguments that have names; those of no name are wrong wherever they stand."""
        try:
            known = inspect.signature(self.function).parameters.values()
        except ValueError:
            return [*self.arguments]
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return [*dict.fromkeys([*(one.name for one in known if one.kind not in kinds), *self.arguments])]


def calls(folder: Path) -> list[Call]:
    """A right call of every public function, class and method that people call; files are written into a folder."""
    judged = {"kind": "da", "samples": 2, "threads": 1}
    table = folder / "human.tsv"
    table.write_text("system\tsegment\tdocument\trater\tscore\tkind\nA\t0\t-\tr\t1\tda\n")
    scores = folder / "x.sys.score"
    scores.write_text("A\t1\nB\t2\n")
    assay.write(CAMPAIGN, folder / "small", overwrite=True)
    model = folder / "model.json"
    MODEL.save(model)
    statistics = assay.metric("f1").evaluate(CORPUS)
    store = assay.Store.create(folder / "store")
    for seed in (1, 2):
        assay.score(folder / "small", "f1", samples=2, seed=seed, store=store.path)
    kept = {"store": store.path}
    listed = {
        "score": {"campaign": CAMPAIGN, "metrics": "f1", "samples": 2, "threads": 1},
        "compare": {"campaign": CAMPAIGN, "metrics": "f1", "samples": 2, "permutations": 2, "threads": 1},
        "meta_evaluate": {"campaign": CAMPAIGN, "metrics": "f1", "permutations": 2, **judged},
        "agreement": {"campaign": CAMPAIGN, "splits": 2, **judged},
        "learn": {
            "grades": 2,
            "campaign": CAMPAIGN,
            "features": "f1,wer",
            "tasks": "regression",
            "models": "ridge",
            "folds": 2,
            **judged,
        },
        "features": {"campaign": CAMPAIGN, "features": "f1", "kind": "da", "threads": 1},
        "predict": {"campaign": CAMPAIGN, "model": MODEL, "samples": 2, "threads": 1},
        "tune": {"campaign": CAMPAIGN, "metric": "fmean", "folds": 3, "group": "segment", **judged},
        "validate": {"paths": str(table)},
        "describe": {"campaign": CAMPAIGN},
        "report": {"campaign": CAMPAIGN, "metrics": "f1", "samples": 2, "threads": 1},
        "explore": {"campaign": assay.score(CAMPAIGN, "f1", samples=2)},
        "history": {"metrics": "f1", **kept},
        "show": {"run": "last", **kept},
        "diff": {"before": "last~1", "after": "last", **kept},
        "rerun": {"run": "last", **kept},
        "sql": {"query": "select 1", "timeout": 5.0, **kept},
        "Store": {"path": store.path},
        "paper": {"name": "lavie2004", "campaign": CAMPAIGN, "samples": 2},
        "study": {"name": "score-distribution", "campaign": CAMPAIGN, "metrics": "f1", "kind": "da"},
        "explain": {"metric": "f1", "translation": "a b", "references": ["a c"]},
        "explain_segment": {"metric": "f1", "campaign": CAMPAIGN, "system": "A", "segment": 1},
        "combine": {"campaign": CAMPAIGN, "features": "f1,wer", "threads": 1},
        "feature_set": {"name": "paper"},
        "feature_table": {"campaign": CAMPAIGN, "features": "f1", "threads": 1},
        "load_predictor": {"path": model},
        "merge": {"campaign": CAMPAIGN, "by": None},
        "metric": {"name": "bleu", "order": 2, "smoothing": "exp"},
        "normalise": {"judgements": JUDGEMENTS, "method": "z"},
        "read": {"path": folder / "small"},
        "read_judgements": {"path": table, "campaign": CAMPAIGN},
        "read_scores": {"path": scores, "campaign": CAMPAIGN},
        "register": {"metric": assay.Bleu},
        "register_statistic": {"given": None},
        "weighted": {"judgements": JUDGEMENTS, "table": "google"},
        "write": {"campaign": CAMPAIGN, "path": folder / "written.jsonl", "overwrite": True},
        "Corpus": {"translations": ["a", "b"], "references": [["a", "b"], ["c", "d"], ["e", "f"]]},
        "Campaign": {"name": "x", "systems": {"A": ["a"]}, "references": {"r": ["b"]}, "documents": ("d",)},
        "Judgement": {"system": "A", "segment": 0, "score": 1.0, "kind": "da"},
        "ErrorSpan": {"severity": "major", "start": 0, "end": 1},
        "Segment": {"translation": "a", "references": ("b",)},
        "Recipe": {"tokenize": "13a"},
        "Predictor": {"path": str(model)},
        "Combination": {"metrics": ["f1", "wer"]},
        "Tunable": {"option": "alpha", "start": 0.5},
        **{name: {} for name in _metrics()},
    }
    methods = {
        "Metric.evaluate": (assay.metric("f1").evaluate, {"corpus": CORPUS, "threads": 1}),
        "Campaign.choose": (CAMPAIGN.choose, {"systems": ["A"]}),
        "Campaign.corpus": (CAMPAIGN.corpus, {"system": "A"}),
        "Campaign.with_judgements": (CAMPAIGN.with_judgements, {"judgements": JUDGEMENTS}),
        "Judgements.of": (assay.Judgements.of, {"judgements": _ROWS, "origin": "x"}),
        "Judgements.of_kinds": (JUDGEMENTS.of_kinds, {"kinds": "da"}),
        "Judgements.of_systems": (JUDGEMENTS.of_systems, {"systems": "A"}),
        "Texts.of": (assay.Texts.of, {"texts": ["a"], "name": "texts"}),
        "Statistics.interval": (statistics.interval, {"samples": 2, "seed": 1}),
        "Result.from_json": (assay.Result.from_json, {"text": _RESULT.to_json()}),
        "Result.table": (_RESULT.table, {"name": "scores"}),
        "Result.frame": (_RESULT.frame, {"name": "scores"}),
        "Result.render": (_RESULT.render, {"style": "text"}),
        "Store.create": (assay.Store.create, {"path": folder / "new"}),
        "Store.run": (store.run, {"name": "last"}),
        "QualityModel.save": (MODEL.save, {"path": folder / "saved.json"}),
    }
    public = {name: (getattr(assay, name), arguments) for name, arguments in listed.items()}
    return [Call(name, *parts) for name, parts in (public | methods).items()]


def _metrics() -> list[str]:
    """Metrics that can be made without an argument."""
    classes = {name: getattr(assay, name) for name in assay.__all__ if isinstance(getattr(assay, name), type)}
    return [
        name
        for name, one in classes.items()
        if issubclass(one, assay.Metric) and not inspect.isabstract(one) and name not in ("Predictor", "Combination")
    ]


def wrong_calls(call: Call) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each argument in turn, with each wrong value; it may be a right one for some."""
    for parameter in call.parameters:
        for value in WRONG:
            yield parameter, call.arguments | {parameter: value}


def try_one(call: Call, parameter: str, arguments: dict[str, Any], outcomes: Outcomes) -> None:
    """Call it: something comes of it, or an error that names the argument."""

    def described() -> str:
        return f"{call.name}({parameter}={arguments.get(parameter)!r})"

    with outcomes.trial(described, partial(_flaw, parameter, arguments.get(parameter))):
        call.function(**arguments)


def try_random(call: Call, chance: random.Random, outcomes: Outcomes) -> None:
    """One argument, or two of them, with wrong values; or two that are right in each other's place."""
    parameters = chance.sample(call.parameters, min(len(call.parameters), chance.choice((1, 1, 2))))
    values = [chance.choice(WRONG) for _ in parameters]
    if len(parameters) > 1 and len(call.arguments) > 1 and chance.random() < 0.5:
        parameters = chance.sample([*call.arguments], 2)
        values = [call.arguments[name] for name in reversed(parameters)]
    wrong = dict(zip(parameters, values, strict=True))
    with outcomes.trial(lambda: f"{call.name}({wrong!r})", partial(_flaw_of_any, wrong)):
        call.function(**call.arguments | wrong)


def _flaw_of_any(wrong: dict[str, Any], error: Exception) -> str | None:
    flaws = [_flaw(parameter, value, error) for parameter, value in wrong.items()]
    return None if None in flaws else flaws[0]


#: What messages call some arguments.
_CALLED = {"given": "statistic", "table": "weights"}


def _flaw(parameter: str, value: Any, error: Exception) -> str | None:
    """What is wrong with an error: it is to name the argument, or to quote what was given."""
    said, words = str(error).casefold(), _CALLED.get(parameter, parameter).casefold().replace("_", " ")
    named = any(word in said.replace("_", " ").replace("-", " ") for word in (words, words.rstrip("s")))
    texts = value if isinstance(value, (list, set, tuple)) else [str(value)]
    quoted = any(ascii(str(text).casefold()).strip("'/") in ascii(said) for text in texts)
    return None if named or quoted or isinstance(error, assay.UnknownName) else f"does not name {parameter}:"
