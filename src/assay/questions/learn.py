"""``assay learn``: can many metrics together predict what people say?

Predictors are trained and tested on different segments. The views are the tables of Paul, Finch and Sumita (2007).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, Literal

import numpy as np

from assay.data.files import COMPRESSED
from assay.data.layers import named_layers
from assay.data.problems import note
from assay.errors import InputError, ParameterError, UnknownName, counted, shown
from assay.learned import pictures
from assay.learned.elsewhere import Elsewhere
from assay.learned.experiment import (
    ALL_FEATURES,
    BEHIND,
    BEST_SINGLE,
    CHOSEN_INSIDE,
    HINDSIGHT,
    MAJORITY,
    WITHOUT,
    Experiment,
)
from assay.learned.features import Feature
from assay.learned.folds import USUAL_FOLDS, Folds, make_folds
from assay.learned.learners import MODELS, PREFERENCE, UNTRAINED, read_models
from assay.learned.rules import rules_of
from assay.learned.tasks import (
    ALL,
    TASKS,
    Examples,
    Task,
    ablated,
    examples_of,
    joined_examples,
    learnable_grades,
    read_tasks,
    require_enough,
    tasks_of,
    with_references,
)
from assay.learned.training import load_sklearn
from assay.people.grades import Grades, read_grades
from assay.people.usage import HTER
from assay.questions.asked import Asked, require_other, with_test
from assay.questions.base import TRANSLATIONS, Campaigns, option, test_kind_option, test_on_option
from assay.questions.features import Featured, feature_signatures
from assay.results.figure import Figure, Figures
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import thread_count

#: With more features than these, leaving each out takes long; it is done on demand.
_MANY_FEATURES = 15
#: The gain that everything is about.
_OVER = f"gain-over-{BEST_SINGLE}"
#: What a feature is worth, column by column: the statistic, of which features, the heading and the format.
_WORTH = {
    "alone": ("accuracy", "", "alone %", ".1f"),
    "left_out": ("accuracy", WITHOUT, "left out %", ".1f"),
    "loss": ("loss", WITHOUT, "lost without", "+.1f"),
    "importance": ("permutation-importance", "", "lost when shuffled", "+.1f"),
}
#: Raised behind the feature that is best alone, and behind the one that costs most when it is left out.
_BEST_ALONE, _DEAREST = "d", "c"
_MARKED = {"alone": "alone_mark", "left_out": "left_out_mark"}
#: The paper's Table 9: over the highest number of Table 8.
_PAPERS_BAR = f"gain-over-{HINDSIGHT}"
_ABOUT_BARS = (
    f"{_PAPERS_BAR}: over the highest single feature of Table 8, as in the paper. That one is picked on the folds that "
    "it is measured on, so the bar is too high by luck; the features of the other bars are chosen inside each training "
    "part."
)
#: Where nothing is gained, so many intervals of 95 % lie above zero: one in forty.
_ONE_IN = 40
#: Whose method it is.
_PAPER = (
    "Method and tables: Paul, Finch and Sumita (2007), Translation quality prediction using multiple automatic "
    "evaluation metrics"
)
#: So many rules of a tree are printed.
_FEW_RULES = 20
#: Stands behind a gain that says nothing good of the model.
_MARK = "*"
#: Where cut points come from.
_CUT_METHODS = {
    "stated": "as stated",
    "quantiles": "quantiles of all scores, taken once before the folds",
    "judged": "the judges' own grades, means of several to the nearest, halves up",
}


def _path(given: Any) -> str | None:
    if not isinstance(given, (str, Path, NoneType)):
        raise TypeError(f"{shown(given)} is no path.")
    return None if given is None else str(given)


@dataclass(frozen=True, kw_only=True)
class Learn(Featured):
    """Can many metrics together predict what people say? Predictors, trained and tested on different segments.

      assay learn campaign/ --kind da

      assay learn campaign/ --kind da --grades 20,40,60,80 --features wide --save model.json

      assay learn a/ b/ c/ --kind da --group campaign

      assay learn campaign/ --kind mqm --task pairwise --scores COMET-refA.seg.score --figure learnt.svg

    The tables are those of Paul, Finch and Sumita (2007), on your data, with an interval on every number.
    """

    name: ClassVar[str] = "learn"
    question: ClassVar[str] = "Can many metrics together predict what people say?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, TRANSLATIONS: 20}
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "judgements", "scores", "layers", "units")
    working: ClassVar[str] = "Learning"
    pictures: ClassVar[tuple[str, ...]] = ("learnt", "tree")
    campaigns: ClassVar[Campaigns] = "together"
    grades: int | tuple[float, ...] | None = option(
        None,
        "How many grades (quantiles), or cut points. Default: 5, or the judges' own.",
        metavar="N | A,B,...",
        parse=read_grades,
    )
    tasks: tuple[str, ...] = option((ALL,), f"{', '.join(TASKS)}, {ALL}.", flag="--task", metavar="TASK,...")
    models: tuple[str, ...] = option(MODELS, "What learns.", flag="--model", metavar="MODEL,...")
    group: Literal["segment", "document", "system", "campaign", "none"] | None = option(
        None, "What no fold tears apart. Default: what is drawn, --unit."
    )
    folds: int | None = option(
        None, "How many. Default: 10, or as many as there are groups.", metavar="N", least=2, most=1000
    )
    left_out: bool | None = option(
        None, "Leave each feature out in turn, for all grades and splits (default: for the first, up to 15 features)."
    )
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    save: str | None = option(
        None,
        "Save a predictor for each task, fitted on everything, for assay predict.",
        metavar="FILE",
        parse=_path,
        group="run",
    )
    save_model: Literal["tree", "boosting", "ordinal", "ridge"] | None = option(
        None, "Which model to save where it can do the task (default: the best on held-out folds).", group="run"
    )
    overwrite: bool = option(False, "Let --save replace a file.", group="run")
    test_on: str | None = test_on_option("Learn from all that was judged, and test on this campaign instead of folds.")
    test_kind: tuple[str, ...] = test_kind_option()

    def check(self) -> None:
        self.require(not self.test_kind or self.test_on is not None, "test_kind", "no value without test_on")
        self.require(self.folds is None or self.test_on is None, "folds", "no value with test_on")
        read_tasks(self.tasks)
        read_models(self.models)
        self.require(len(self.models) > 0, "models", "at least one model")
        check_savable(self)

    @property
    def takes_kinds(self) -> bool:
        """Unless a model is kept: it is of one kind."""
        return self.save is None

    def side_by_side(self, answers: Mapping[str, Result]) -> tuple[View, ...]:
        """The paper's tables as it has them: the kinds of judgement are columns."""
        return tuple(_of_kinds(answers))

    def answer(self, asked: Asked) -> Result:
        asked.report(0.001)
        if self.test_on is not None:
            if asked.several:
                raise ParameterError("--test-on learns from one campaign, and there are several. Name one.")
            return self._answer_elsewhere(asked)
        if asked.several:
            own = [(self._in(part), replace(part, progress=asked.progress)) for part in asked.parts]
            parts = [question._examples(part, self.named_features(part), several=True) for question, part in own]
            one_scale = isinstance(self.grades, tuple) or self.normalise != "none"
            examples = joined_examples(parts, one_scale=one_scale)
        else:
            examples = self._examples(asked, self.named_features(asked))
        if all(feature.higher_is_better is None for feature in examples.table.features):
            means = f"{' and '.join(UNTRAINED)} say the same of every translation"
            note(f"Of no feature is it known whether more of it is better, so that {means}.")
        found = self._experiment(asked, examples)
        saved = f"{_PAPER}. No predictor was saved; --save FILE saves one for assay predict."
        if self.save is not None:
            predictor = found.predictor(self.save_model)
            predictor.save(self.save, overwrite=self.overwrite)
            kept = ", ".join(f"{one.card.method} for {task}" for task, one in predictor.tasks.items())
            saved = (
                f"{_PAPER}. Saved to {self.save}: {kept}, fitted on all {len(examples):,} translations. Apply "
                f"{'them' if predictor.others else 'it'}: assay predict {self.save} CAMPAIGN"
            )
        result = result_of(found, asked)
        return replace(result, findings=(*result.findings, saved))

    def _in(self, part: Asked) -> Learn:
        """The same for one of several campaigns: of kinds with a slash between them, those that it has."""
        known = () if part.campaign.judgements is None else part.campaign.judgements.kinds
        kinds = part.kinds_here(self.kind)
        for name in kinds if known else ():
            unknown = next((one for one in re.split("[+/]", name) if one not in (*known, HTER)), None)
            if unknown is not None:
                raise InputError(
                    f"{part.campaign.name}: {UnknownName.of('kind of judgement', unknown, known)} Where campaigns call "
                    "it by different names, give them all, with a slash between: --kind da/da-sqm."
                )
        return replace(self, kind=kinds)

    def _examples(
        self, asked: Asked, features: Iterable[Any], *, learnt: bool = False, several: bool = False
    ) -> Examples:
        """What people judged, with its features."""
        campaign, scores, without = with_references(asked.judged_campaign(self.kind), asked.scores)
        people, usage = self.people(asked, campaign)
        # Whether there is anything to learn from is said before what takes seconds to load.
        load_sklearn()
        asked.report(0.01)
        return examples_of(
            campaign,
            people,
            usage.beside(without, "of segments without a reference"),
            features,
            scores=scores,
            threads=asked.threads,
            progress=asked.part(0.01, 0.1),
            learnt=learnt,
            several=several,
            layers=named_layers(asked.data.layers),
            known=asked.counted,
        )

    def _answer_elsewhere(self, asked: Asked) -> Result:
        """Everything is learnt from the campaign that is asked, and tested on another."""
        if asked.scores:
            raise ParameterError(
                "--scores goes without --test-on: score files are of the campaign that is learnt from, and "
                "features have to be known of both."
            )
        kind = self.test_kind or self.kind
        other = replace(asked.elsewhere(self, self.test_on or "", kind), progress=asked.progress)
        taught = self._examples(asked, self.named_features(asked))
        tested = replace(self, kind=kind)._examples(other, taught.table.features, learnt=True)
        require_other(self.name, taught.campaign, tested.campaign)
        grades = learnable_grades(taught.target, taught.judged, self.grades)
        require_enough(grades, taught.target)
        names = [name for name in read_tasks(self.tasks) if self._tells_apart(name, grades, tested)]
        tasks = tasks_of(names, tested, grades, all_asked=ALL in self.tasks)
        unit, one = other.units(tested.campaign).name, np.zeros(len(tested), dtype=np.int64)
        folds = Folds("campaign", one, np.unique(tested.groups(unit), return_inverse=True)[1].astype(np.int64))
        about = tested, grades, tasks, read_models(self.models), folds, self.samples, asked.seed
        group = self.group or asked.units(taught.campaign).name
        found = Elsewhere(*about, thread_count(asked.threads), unit, taught=taught, taught_group=group)
        self._run(asked, found)
        result = result_of(found, other)
        used, *said = f"{tested.campaign.name}: {result.findings[0]}", *result.findings[1:], f"{_PAPER}."
        setup = {"learnt_on": taught.campaign.name, "learnt_kind": taught.kind, "learnt_translations": len(taught)}
        setup |= {"learnt_usage": str(taught.usage), "test_on": tested.campaign.name}
        metrics = dict.fromkeys(one.metric for one in taught.table.features if one.metric is not None)
        signatures = {str(metric): asked.signature(metric, taught.campaign) for metric in metrics}
        result = replace(result, setup={**result.setup, **setup}, signatures=signatures)
        learnt = f"{taught.campaign.name}: {taught.usage}"
        return with_test(replace(result, findings=(learnt, used, *said)), asked, other, metrics)

    def _tells_apart(self, task: str, grades: Grades, tested: Examples) -> bool:
        """Whether a task has more than one answer on another campaign; refused where it was asked for by name."""
        if task not in ("grades", "splits") or np.count_nonzero(grades.counts(tested.target)) > 1:
            return True
        cuts = ", ".join(f"{cut:g}" for cut in grades.cuts)
        said = (
            f"{tested.campaign.name}: all translations have one grade by the cut points that models learn ({cuts}), "
            f"for its scores go from {tested.target.min():g} to {tested.target.max():g}: there is nothing to test. "
            "Scores on another scale can be tested by order: --task regression,pairwise."
        )
        if ALL not in self.tasks:
            raise InputError(said)
        note(said)
        return False

    def _experiment(self, asked: Asked, examples: Examples) -> Experiment:
        """Every model trained and tested on every task."""
        models, seed, threads = read_models(self.models), asked.seed, thread_count(asked.threads)
        grades = learnable_grades(examples.target, examples.judged, self.grades)
        require_enough(grades, examples.target)
        parts = zip(asked.parts, examples.parts or (examples,), strict=True)
        units = {part.units(one.campaign).name for part, one in parts}
        # Campaigns that do not know their documents go by segments, if others know theirs.
        unit = "document" if "document" in units else min(units)
        groups = examples.groups(self.group or unit)
        count = self.folds or max(2, min(USUAL_FOLDS, len(np.unique(groups))))
        folds = make_folds(groups, count, seed=seed, group=self.group or unit)
        tasks = tasks_of(read_tasks(self.tasks), examples, grades, all_asked=ALL in self.tasks)
        found = Experiment(examples, grades, tasks, models, folds, self.samples, seed, threads, unit)
        self._run(asked, found)
        return found

    def _run(self, asked: Asked, found: Experiment) -> None:
        few = len(found.examples.table.names) <= _MANY_FEATURES
        found.plan(left_out=found.tasks if self.left_out else found.tasks[:1] if few and self.left_out is None else ())
        asked.announce(f"{len(found.jobs):,} fits on {len(found.examples):,} translations")
        found.cross_validate(progress=asked.part(0.1, 0.95))
        found.evaluate()
        asked.report(1.0)


def check_savable(question: Learn) -> None:
    """Fail before long work, not behind it."""
    path, model, models = question.save, question.save_model, read_models(question.models)
    if path is not None and question.test_on is not None:
        raise ParameterError(
            "--save goes without --test-on: a predictor is saved with what it reached on held-out folds of its own "
            "campaign. It learns from the same translations; save it by a command of its own."
        )
    if path is None:
        if model is not None or question.overwrite:
            raise ParameterError("--save-model and --overwrite go with --save FILE.")
        return
    if Path(path).suffix in COMPRESSED:
        raise InputError(f"{path}: a model is a plain JSON file. Leave out the ending of the compression.")
    if Path(path).exists() and not question.overwrite:
        raise InputError(f"{path}: there is a file already. Choose another name, or say --overwrite.")
    if model is not None and model not in models:
        raise ParameterError(
            f"--save-model is {model}, which is not among the models that are learnt ({','.join(models)})."
        )
    tasks = read_tasks(question.tasks)
    if tasks == ("pairwise",) and model is not None:
        raise ParameterError(
            f"For --task pairwise a {PREFERENCE} is saved, which learns from pairs: leave out --save-model {model}, or "
            f"ask for another task first (--task regression,pairwise)."
        )
    if tasks == ("regression",) and (model or ",".join(models)) == "ordinal":
        raise ParameterError("ordinal predicts grades, and --task regression has none: nothing can be saved.")


def result_of(found: Experiment, asked: Asked) -> Result:
    """An experiment as tables, views and sentences."""
    examples, branches = found.examples, found.branches()
    tables: dict[str, Table] = {
        "results": [row | {"mark": _MARK if is_hollow(found, row) else None} for row in found.results],
        "folds": _folds(found),
        "fold_segments": _fold_segments(found),
        "chosen": found.chosen,
        "grades": _grade_rows(found),
        "confusions": found.confusions,
        "calibration": found.calibration,
        "features": _features(found),
        "top_features": _top_features(found),
        "rules": [{"task": task} | row for task, nodes in branches.items() for row in rules_of(nodes)],
    }
    if examples.parts:
        tables["campaigns"] = found.by_campaign()
    drawable = any(row["value"] is not None for row in found.results)
    return Result(
        "learn",
        {name: [{"kind": examples.kind} | row for row in rows] for name, rows in tables.items()},
        (*_views(found), *_rule_views(found, branches)),
        tuple(_findings(found, asked)),
        setup=_setup(found),
        signatures={
            f"{metric}, {one.campaign.name}" if examples.parts else metric: line
            for part, one in zip(asked.parts, examples.parts or (examples,), strict=True)
            for metric, line in feature_signatures(part, one.table).items()
        },
        figures=Figures(lambda: ((_figure(found),) if drawable else ()) + _trees(found, branches)),
        made=found,
    )


def _figure(found: Experiment) -> Figure:
    group, examples = found.folds.group, found.examples
    together = "dealt out at random" if group == "none" else f"that keep each {group} together"
    folds = f"{len(found.folds)} folds {together}" if len(found.folds) > 1 else found.dealt
    size = f"{len(examples):,} translations"
    said = [
        f"{examples.name}, {examples.kind}, {size}, {folds}",
        f"lines span 95 % of {found.samples:,} samples of {found.unit}s",
    ]
    tasks = [task.name for task in found.tasks]
    return pictures.learnt(
        found.results, found.confusions, found.calibration, models=found.models, tasks=tasks, group=group, said=said
    )  # fmt: skip


def _trees(found: Experiment, branches: Mapping[str, Table]) -> tuple[Figure, ...]:
    """The decision tree of the first task that has one."""
    learnt = found.learnt_from
    said = f"{learnt.name}, {learnt.kind}, learnt from all {len(learnt):,} translations"
    return tuple(pictures.tree(nodes, task=task, said=said) for task, nodes in [*branches.items()][:1])


def _rule_views(found: Experiment, branches: Mapping[str, Table]) -> Iterable[View]:
    """Trees as rules, where nothing else was asked to learn: those about most translations, if they are many."""
    for task, nodes in branches.items() if found.models == ("tree",) else ():
        rules = rules_of(nodes)
        kept = sorted(rules, key=lambda row: -row["translations"])[:_FEW_RULES]
        cells: dict[str, Any] = {"task": task}
        learnt = f"Learnt from all {len(found.learnt_from):,} translations"
        kept_as = ", as --save keeps it" if found.learnt_from is found.examples else f" of {found.learnt_from.name}"
        notes = [f"{learnt}{kept_as}: right counts what it has seen."]
        if len(kept) < len(rules):
            cells["rule"] = sorted(row["rule"] for row in kept)
            notes.append(
                f"Those about most translations of {len(rules)} rules: the table rules has all of them (--table rules)."
            )
        counts = [Column(name, name.removeprefix("count_"), ",d") for name in rules[0] if name.startswith("count_")]
        right = [Column("right", "right %", ".1f", "%")] if counts else []
        columns = (
            Column("conditions", "where"),
            Column("prediction", "then", "" if counts else ".2f"),
            Column("translations", None, ",d"),
            *right,
            *counts,
        )
        keys = (Column("rule", None, "d"),)
        yield View(f"The tree for {task} as rules", "rules", columns, keys, where=cells, notes=tuple(notes))


def _setup(found: Experiment) -> dict[str, Any]:
    return {
        "kind": found.examples.kind,
        "features": list(found.examples.table.names),
        "models": list(found.models),
        "tasks": [task.name for task in found.tasks],
        "group": found.folds.group,
        "folds": len(found.folds),
        "unit": found.unit,
        "samples": found.samples,
        "seed": found.seed,
        "translations": len(found.examples),
        #: Decided pairs and ties, where preferences were asked for.
        "pairs": sum(len(task.pairs) for task in found.tasks),
        "ties": sum(task.ties for task in found.tasks),
        "grades": found.grades.method,
        "cuts": list(found.grades.cuts),
        "usage": str(found.examples.usage),
        "used": found.examples.usage.to_dict(),
    } | ({"scale": found.examples.scale} if found.examples.parts else {})


def _folds(found: Experiment) -> Table:
    """How many examples and groups each fold tests."""
    groups = [found.folds.groups[found.folds.tested(number)] for number in range(len(found.folds))]
    return [
        {"fold": fold, "group": found.folds.group, "translations": len(tested), "groups": len(np.unique(tested))}
        for fold, tested in enumerate(groups, start=1)
    ]


def _fold_segments(found: Experiment) -> Table:
    """Which segments each fold tests."""
    names = found.examples.campaign.segments or range(len(found.examples.campaign))
    pairs = sorted(set(zip(found.folds.fold.tolist(), found.examples.table.segments.tolist(), strict=True)))
    if found.examples.parts:
        places = found.examples.places
        return [
            {"fold": fold + 1, "campaign": places[number][0], "segment": places[number][1]} for fold, number in pairs
        ]
    return [{"fold": fold + 1, "segment": names[segment]} for fold, segment in pairs]


def _grade_rows(found: Experiment) -> Table:
    """The grades from the best to the worst, and how many translations have each."""
    grades, ends = found.grades, [None, *found.grades.cuts, None]
    rows: Table = [
        {
            "grade": grades.labels[place],
            "scores": grades.range_of(place),
            "low": ends[place],
            "high": ends[place + 1],
            "translations": count,
            "share": count / len(found.examples),
        }
        for place, count in enumerate(grades.counts(found.examples.target).tolist())
    ]
    return rows[::-1]


def _features(found: Experiment) -> Table:
    """The features, and what each is worth to the model whose features were taken one by one, task by task."""
    features, table = found.examples.table.features, []
    for model, task in _taken_apart(found):
        (best, _), (dearest, _) = (_ahead(found, model, task, prefix) for prefix in ("", WITHOUT))
        for feature in features:
            row = _named(feature)
            for column, (statistic, prefix, _, _) in _WORTH.items():
                worth = found.row(model, task, statistic, prefix + feature.name)
                row |= {column: worth["value"], f"{column}_low": worth["low"], f"{column}_high": worth["high"]}
            first, second = feature.name in best, feature.name in dearest
            row |= {"task": task, "model": model, "discriminative": first, "contributive": second}
            row |= {"alone_mark": _BEST_ALONE if first else None, "left_out_mark": _DEAREST if second else None}
            table.append(row)
    return table or [_named(feature) for feature in features]


def _named(feature: Feature) -> dict[str, Any]:
    return {"name": feature.name, "spelling": str(feature), "higher_is_better": feature.higher_is_better}


def _ahead(found: Experiment, model: str, task: str, prefix: str) -> tuple[list[str], list[str]]:
    """The features that are best alone, or with ``WITHOUT`` before them cost most when they are left out; then those
    that are behind them, but not surely.

    Several are ahead where they are equal; none where all are, for then nothing tells them apart.
    """
    rows = {name: found.row(model, task, BEHIND, prefix + name) for name in found.examples.table.names}
    most = [name for name, row in rows.items() if row["value"] == 0.0]
    unsure = [name for name, row in rows.items() if row["value"] and (row["low"] is None or row["low"] <= 0.0)]
    return [] if len(most) == len(rows) else most, unsure


def _top_features(found: Experiment) -> Table:
    """Per task which feature is best alone, and which costs most when it is left out."""
    table: Table = []
    for task in found.tasks:
        model = task.single_models(found.models)[0]
        row: dict[str, Any] = {"task": task.name, "model": model, "statistic": task.statistic}
        for what, value, prefix, statistic in (
            ("discriminative", "alone", "", task.statistic),
            ("contributive", "loss", WITHOUT, "loss"),
        ):
            most, unsure = _ahead(found, model, task.name, prefix)
            worth = found.row(model, task.name, statistic, prefix + most[0]) if most else found.row("", "")
            row |= {what: ", ".join(most) or None, value: worth["value"]}
            row |= {f"{value}_low": worth["low"], f"{value}_high": worth["high"]}
            row[f"{what}_unsure"] = ", ".join(unsure) or None
        table.append(row)
    return table


def _taken_apart(found: Experiment) -> list[tuple[str, str]]:
    """The model whose features were taken one by one, with each task for which they were; nothing without classes."""
    graded = [task for task in found.tasks if task.kind == "classes"]
    names = {row["task"] for row in found.find(statistic="accuracy") if row["features"].startswith(WITHOUT)}
    model = ablated(found.models)
    if names:
        return [(model, task.name) for task in graded if task.name in names]
    return [(model if model == "tree" else min(task.single_models(found.models)), task.name) for task in graded[:1]]


def is_hollow(found: Experiment, row: Mapping[str, Any]) -> bool:
    """Whether a gain over a single feature lies above zero though the model itself is not above chance."""
    if not row["statistic"].startswith(_OVER) or row["low"] is None or row["low"] <= 0:
        return False
    # To know something is to be above the majority, half of the pairs, or no correlation.
    chances = {"pairwise": ("accuracy", 0.5), "regression": ("spearman", 0.0)}
    statistic, chance = chances.get(row["task"], (f"gain-over-{MAJORITY}", 0.0))
    low = found.row(row["model"], row["task"], statistic)["low"]
    return low is None or low <= chance


def _of_kinds(answers: Mapping[str, Result]) -> Iterable[View]:
    """The paper's tables with a column per kind of judgement, as far as their tasks were asked for."""
    setups, labels = [answer.setup for answer in answers.values()], {kind: kind for kind in answers}
    tasks = list(dict.fromkeys(task for setup in setups for task in setup["tasks"]))
    graded = [task for task in tasks if task.startswith("grade")]
    models, groups = [*setups[0]["models"]], list(dict.fromkeys(setup["group"] for setup in setups))
    grades = {row["grade"]: row["low"] for answer in answers.values() for row in answer.table("grades")}
    best_first = sorted(grades, key=lambda grade: -np.inf if grades[grade] is None else grades[grade], reverse=True)

    def view(title: str, paper: str, table: str, keys: Iterable[str], column: Column, **further: Any) -> View:
        named = tuple(Column(name) for name in keys)
        return View(f"{title}, side by side (the paper's {paper})", table, (column,), named,
                    over="kind", labels=labels, **further)  # fmt: skip

    def results(title: str, paper: str, keys: Iterable[str], spec: str, **where: Any) -> View:
        cells = {"group": groups, "features": list(pictures.WHOLE)} | where
        return view(title, paper, "results", keys, _percent(spec=spec, mark="mark"), where=cells)

    share = Column("share", "{}", ".1f", "%")
    yield view("How people graded, %", "Table 3", "grades", ["grade"], share, order=tuple(best_first))
    if graded:
        keys, papers = ("task", "model"), "Tables 5 and 7"
        yield results("Right answers, %", papers, keys, ".1f", task=graded, statistic="accuracy")
        title, over = "Gain over the most frequent class, in points", f"gain-over-{MAJORITY}"
        yield results(title, papers, keys, "+.1f", task=graded, statistic=over)
    if "grades" in tasks:
        recognised = [f"accuracy-grade-{grade}" for grade in best_first]
        title, keys = "Share of each grade that was recognised, %", ("statistic", "model")
        found = results(title, "Table 6", keys, ".1f", task="grades", statistic=recognised, model=models)
        yield replace(found, order=tuple(recognised))
    for name, what in (("alone", "with each feature alone"), ("left_out", "without each feature")) if graded else ():
        if any(row.get(name) is not None for answer in answers.values() for row in answer.table("features")):
            sign = f"{_BEST_ALONE} best alone" if name == "alone" else f"{_DEAREST} costs most when left out"
            note = f"{sign}, of each kind; how sure that is stands below the table of the kind."
            title, column = f"Right answers of {graded[0]} {what}, %", _percent(name, mark=_MARKED[name])
            yield view(title, "Table 8", "features", ["name"], column, where={"task": graded[0]}, notes=(note,))
    if compared := [task for task in tasks if task != "regression"]:
        title, both = "Gain over the best single feature, in points", [_PAPERS_BAR, _OVER]
        columns = ["task", "model", "statistic"]
        found = results(title, "Table 9", columns, "+.1f", task=compared, model=models, statistic=both)
        yield replace(found, notes=(_ABOUT_BARS,))


def _percent(name: str = "value", heading: str = "{}", spec: str = ".1f", mark: str | None = None) -> Column:
    """A share of 1, in per cent with its interval."""
    start = "" if name == "value" else f"{name}_"
    return Column(name, heading, spec, "%", low=f"{start}low", high=f"{start}high", mark=mark)


def _column(statistic: str, heading: str, spec: str = ".1f", **cells: str) -> Column:
    """A share of 1 in per cent, or with another ``spec`` a number as it is; gains have a sign."""
    mark = "mark" if statistic == _OVER else None
    spec, unit = f"+{spec}" if "gain" in statistic else spec, "%" if spec == ".1f" else ""
    return Column(
        "value", heading, spec, unit, low="low", high="high", mark=mark, where={"statistic": statistic, **cells}
    )


def _views(found: Experiment) -> Iterable[View]:
    """The paper's tables, as far as their tasks were asked for, and some that it has not."""
    names = [task.name for task in found.tasks]
    title = f"How people graded {len(found.examples):,} translations ({found.examples.kind}; the paper's Table 3)"
    columns = (Column("scores"), Column("translations", None, ",d"), Column("share", "share %", ".1f", "%"))
    yield View(title, "grades", columns, keys=(Column("grade"),))
    if "grades" in names:
        yield from _grade_views(found)
    if splits := [name for name in names if name.startswith("grade>=")]:
        title = "Is a grade reached? Accuracy, % (the paper's Table 7)"
        yield _of_models(found, title, [_percent()], task=splits, statistic="accuracy")
    if found.examples.parts and any(task.kind == "classes" for task in found.tasks):
        yield _campaign_view(found)
    for apart in _taken_apart(found):
        yield _feature_view(found, *apart)
    if tasks := [name for name in names if name != "regression"]:
        # What all features are better than the best single one, per task.
        yield _top_view(tasks)
        title = "Gain over the best single feature, in points (the paper's Table 9)"
        bars = [_PAPERS_BAR, f"{_OVER}-{ablated(found.models)}", _OVER]
        gain = _percent(spec="+.1f", mark="mark")
        yield _of_models(found, title, [gain], _ABOUT_BARS, task=tasks, statistic=bars, features=None)
    if "regression" in names:
        shown = {"spearman": "Spearman", _OVER: "over best single", "pearson": "Pearson"}
        shown |= {"mae": "mean error", "rmse": "root mean square"}
        numbers = [_column(statistic, heading, ".3f") for statistic, heading in shown.items()]
        yield _of_models(found, "The score itself (regression)", numbers, task="regression")
    if "pairwise" in names:
        yield _pair_view(found, found.tasks[names.index("pairwise")])
    if random := [row["model"] for row in found.find(statistic="gain-of-random-folds", group="none")]:
        yield _random_view(found, random)
    if "grades" in names:
        yield from _grade_details(found)


def _campaign_view(found: Experiment) -> View:
    """How often models are right of each campaign's translations."""
    names = {name: name for name in (*UNTRAINED, *found.models)}
    keys = (Column("campaign"), Column("task"), Column("translations", None, ",d"))
    title = f"Right answers by campaign, %; {found.tested}"
    return View(title, "campaigns", (_percent(),), keys=keys, over="model", labels=names)


def _of_models(found: Experiment, title: str, columns: Iterable[Column], note: str = "", **cells: Any) -> View:
    """What each model reached, baselines first: a line each, or side by side where there are several tasks."""
    order = (MAJORITY, f"{BEST_SINGLE}-{ablated(found.models)}", BEST_SINGLE, *UNTRAINED, PREFERENCE, *found.models)
    cells = {"group": found.folds.group, "features": list(pictures.WHOLE)} | cells
    where = {name: cells[name] for name in ("task", "statistic", "group", "features") if cells.get(name)}
    keys = tuple(Column(name) for name in ("task", "statistic") if isinstance(cells.get(name), list))
    notes = (note,) if note else ()
    if keys:
        labels = dict(zip(order, order, strict=True))
        return View(title, "results", tuple(columns), keys=keys, over="model", labels=labels, where=where, notes=notes)
    keys = (Column("model"),)
    return View(title, "results", tuple(columns), keys=keys, where=where, order=order, notes=notes)


def _grade_views(found: Experiment) -> Iterable[View]:
    """How good each model is at all grades, and at each of them."""
    shown = {"macro-f1": "macro-F1", "quadratic-kappa": "κ (quadratic)", "spearman": "Spearman", "ece": "ECE"}
    columns = [
        _column("accuracy", "accuracy %"),
        _column(f"gain-over-{MAJORITY}", "over majority"),
        _column(_OVER, "over best single"),
        *(_column(statistic, heading, ".3f") for statistic, heading in shown.items()),
    ]
    title = f"All {len(found.grades)} grades at once, {found.tested} (the paper's Table 5)"
    yield _of_models(found, title, columns, task="grades")
    columns = [_column(f"accuracy-grade-{label}", label) for label in reversed(found.grades.labels)]
    title = "Share of each grade that was recognised, % (the paper's Table 6)"
    yield _of_models(found, title, columns, task="grades", features=[ALL_FEATURES, CHOSEN_INSIDE])


def _feature_view(found: Experiment, model: str, task: str) -> View:
    row = found.row(model, task)
    ends = "" if row["low"] is None else bracketed(100 * row["low"], 100 * row["high"], ".1f")
    whole = "–" if row["value"] is None else f"{100 * row['value']:.1f}{ends}"
    columns = tuple(_percent(name, heading, spec, _MARKED.get(name)) for name, (_, _, heading, spec) in _WORTH.items())
    title = f"Features of the {model} for {task}: {whole} with all (the paper's Table 8)"
    keys, notes = (Column("name", "feature"),), tuple(_about_marks(found, model, task))
    return View(title, "features", columns, keys=keys, where={"task": task}, notes=notes)


def _about_marks(found: Experiment, model: str, task: str) -> Iterable[str]:
    """What the marks of the paper's Table 8 mean here, and how sure they are."""
    if len(found.examples.table.names) < 2:
        return
    for prefix, sign, what in (
        ("", _BEST_ALONE, "most discriminative, best alone"),
        (WITHOUT, _DEAREST, "most contributive, costs most when left out"),
    ):
        most, unsure = _ahead(found, model, task, prefix)
        if found.row(model, task, BEHIND, prefix + found.examples.table.names[0])["value"] is None:
            continue
        if not most:
            yield f"No feature is {what}: all are equal."
            continue
        tied, loss = " (tied)" if len(most) > 1 else "", found.row(model, task, "loss", prefix + most[0])
        # Whether others are surely behind, and whether anything is surely lost.
        sure = "; whether anything is lost is not sure" if prefix and (loss["low"] or 0.0) <= 0.0 else ""
        sure += f"; not surely ahead of {', '.join(unsure)}" if unsure else "; surely ahead of all others"
        if found.row(model, task, "accuracy", prefix + most[0])["low"] is None:
            sure = "; without intervals nobody can tell whether the others are behind"
        yield f"{sign} {what}: {', '.join(most)}{tied}{sure}."
    yield "Both are picked on the folds that they are measured on, which flatters them."


def _top_view(tasks: list[str]) -> View:
    columns = (
        Column("discriminative", "most discriminative"),
        _percent("alone", "alone %"),
        Column("contributive", "most contributive"),
        _percent("loss", "lost without", "+.1f"),
    )
    title = "Best feature alone, and the one that costs most when left out (bold in the paper's Table 8)"
    return View(title, "top_features", columns, keys=(Column("task"), Column("model")), where={"task": tasks})


def _pair_view(found: Experiment, task: Task) -> View:
    note = (
        f"{len(task.pairs):,} pairs of translations of one segment; {task.ties:,} ties of people left out. "
        "Equal scores of a model count half."
    )
    columns = [_column("accuracy", "accuracy %"), _column(_OVER, "over best single")]
    return _of_models(found, "Which of two translations is better?", columns, note, task="pairwise")


def _random_view(found: Experiment, models: list[str]) -> View:
    """What folds that tear groups apart promise, beside what is true."""
    task, group = found.tasks[0], found.folds.group
    spec = ".3f" if task.kind == "scores" else ".1f"
    columns = (
        _column(task.statistic, f"grouped by {group}", spec, group=group),
        _column(task.statistic, "random folds", spec, group="none"),
        _column("gain-of-random-folds", "random less grouped", spec, group="none"),
    )
    title = f"What random folds, as the paper's, would have promised for {task.name}"
    where = {"task": task.name, "features": ALL_FEATURES, "model": models}
    return View(title, "results", columns, keys=(Column("model"),), where=where)


def _grade_details(found: Experiment) -> Iterable[View]:
    """What the best model takes each grade for, and whether models are as often right as they are sure."""
    best = max(found.models, key=lambda model: found.row(model, "grades")["value"] or 0.0)
    yield View(
        f"What {best} took each grade for (rows: people; columns: {best})",
        "confusions",
        (Column("n", "{}", ",d"),),
        keys=(Column("truth", "grade"),),
        over="predicted",
        where={"model": best},
        order=tuple(reversed(found.grades.labels)),
    )
    yield View(
        "How often right, by how sure, % (calibration)",
        "calibration",
        (_percent("accuracy"), Column("n", "n", ",d")),
        keys=(Column("low", "certainty", ".0f", "%", high="high"),),
        over="model",
        labels={model: model for model in found.models},
        order=tuple(sorted({row["low"] for row in found.calibration})),
    )


def _findings(found: Experiment, asked: Asked) -> Iterable[str]:
    """Which judgements, which grades, what was chosen, what the intervals mean, and the verdict."""
    first, group = found.tasks[0], found.folds.group
    yield str(found.examples.usage)
    if found.examples.scale:
        yield found.examples.scale
    cuts = ", ".join(f"{cut:g}" for cut in found.grades.cuts)
    yield f"Cut points: {cuts} ({_CUT_METHODS[found.grades.method]}); a score at a cut point has the grade above."
    picked = [row["feature"] for row in found.chosen if (row["model"], row["task"]) == (BEST_SINGLE, first.name)]
    if picked:
        listed = ", ".join(f"{name} ({count})" for name, count in Counter(picked).most_common())
        yield f"Best single feature for {first.name}, chosen inside each training part: {listed}."
    if found.samples:
        yield (
            f"Intervals: 95 % of {found.samples:,} samples of {found.unit}s with all their translations; "
            f"{found.widening}. Gains are paired."
        )
        for part, one in zip(asked.parts, found.examples.parts or (found.examples,), strict=True):
            judged = np.isin(np.arange(len(one.campaign)), one.table.segments)
            drawn = part.about_units(part.units(one.campaign), campaign=one.campaign, among=judged)
            yield f"{one.campaign.name}: {drawn}" if found.examples.parts else drawn
        if found.examples.parts:
            yield "Intervals are about other texts of these campaigns, not about other campaigns."
    yield from _chance_told(found)
    if group != "none" and len(found.folds) > 1 and not found.find(statistic="gain-of-random-folds", group="none"):
        yield _why_no_random_folds(found, first)
    yield (
        f"{found.tested[0].upper()}{found.tested[1:]}; pruning, penalties, numbers of trees, scales and the best "
        "single feature were chosen inside each training part. Majority: the most frequent class of all. "
        f"Seed {found.seed}."
    )
    yield from _verdict(found)


def _chance_told(found: Experiment) -> Iterable[str]:
    """Which gains are to be believed: of many, some lie above zero by chance; others are over a bar below chance."""
    gains = [row for row in found.find() if row["statistic"].startswith("gain-over-") and row["low"] is not None]
    # The paper's bar is no honest one.
    gains = [row for row in gains if row["statistic"] != _PAPERS_BAR]
    if not gains:
        return
    above = sum(1 for row in gains if row["low"] > 0)
    yield (
        f"{above} of {len(gains)} gains have intervals above zero; where nothing is gained, about "
        f"{len(gains) / _ONE_IN:.1f} of {len(gains)} do so by chance alone."
    )
    if any(is_hollow(found, row) for row in gains):
        yield f"{_MARK} The model itself is not surely above chance, so this gain says nothing good of it."


def _verdict(found: Experiment) -> Iterable[str]:
    """Whether all features together are better than the best single one: for the first task, then for the others."""
    first, *others = ((task, *_best_gain(found, task)) for task in found.tasks)
    task, best, gain = first
    if best is None or gain["value"] is None:
        return
    if len(found.examples.table.names) == 1:
        yield f"No verdict on {task.name}: there is one feature, and nothing to combine it with."
        return
    factor, spec, unit = (1, ".3f", "") if task.kind == "scores" else (100, ".1f", " points")
    whole, alone = (f"{factor * value:{spec}}" for value in (best["value"], best["value"] - gain["value"]))
    reached = f"a Spearman correlation of {whole}" if task.kind == "scores" else f"{whole} % right answers"
    ends = "" if gain["low"] is None else bracketed(factor * gain["low"], factor * gain["high"], f"+{spec}")
    features = len(found.examples.table.names)
    models = len([name for name in task.contestants(found.models) if name not in UNTRAINED])
    where = "these very folds" if len(found.folds) > 1 else "this very campaign"
    chosen = f", the best of {models} models on {where}," if models > 1 else ""
    yield (
        f"Verdict on {task.name}: {_meaning(found, gain)} With {best['model']}{chosen} "
        f"{features} features reach {reached}, the best single feature {alone}: "
        f"{factor * gain['value']:+{spec}}{unit}{ends}."
    )
    if others and found.samples:
        above = [task.name for task, _, gain in others if gain["low"] is not None and gain["low"] > 0]
        named = f" ({', '.join(above)})" if above else ""
        yield (
            f"Of {counted(len(others), 'other task')}, the best model is surely above the best single feature in "
            f"{len(above) or 'none'}{named}."
        )


def _best_gain(found: Experiment, task: Task) -> tuple[Mapping[str, Any] | None, Mapping[str, Any]]:
    """The row of the model that did best with all features, and that of its gain over the best single one."""
    rows = found.find(task=task.name, statistic=task.statistic, features=ALL_FEATURES)
    learnt = [row for row in rows if row["value"] is not None and row["model"] not in UNTRAINED]
    best = max(learnt, key=lambda row: row["value"], default=None)
    return best, found.row("" if best is None else best["model"], task.name, _OVER)


def _meaning(found: Experiment, gain: Mapping[str, Any]) -> str:
    """What a gain over the best single feature says of combining features."""
    if gain["low"] is None:
        return "without intervals nobody can tell whether combining features helps."
    if is_hollow(found, gain):
        return "combining features does not help, for the model itself is not surely above chance."
    if gain["low"] > 0:
        return "combining features helps."
    if gain["high"] < 0:
        return "combining features does harm."
    return "whether combining features helps cannot be told, for the difference may be chance."


def _why_no_random_folds(found: Experiment, first: Task) -> str:
    if len(np.unique(found.folds.groups)) == len(found.examples):
        return f"Every {found.folds.group} has one translation, so random folds would be the same."
    if first.kind == "pairs":
        return (
            "No random folds beside these: they would tear pairs apart, so that the two translations of one would be "
            "scored by different models."
        )
    return f"No random folds beside these: none of the models ({', '.join(found.models)}) does {first.name}."
