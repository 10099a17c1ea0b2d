"""What was learnt as people read it: the tables of Paul, Finch and Sumita (2007) on one's own data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assay.learned.result import Learning, Result
from assay.learned.training.registry import PREFERENCE, UNTRAINED
from assay.learned.trials.results import BEST_SINGLE, MAJORITY
from assay.report.chance import MARK, hollow
from assay.report.learning_notes import folds_told, learning_notes
from assay.report.tables import PLAIN, Look, Table, separated

NOTHING = "–"


def render_learning(found: Learning, style: str, look: Look = PLAIN) -> str:
    """In one of the output formats; TSV and CSV hold the results alone."""
    if style == "json":
        return found.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(found.table(), "\t" if style == "tsv" else ",")
    return "\n".join(table.render(style, look) for table in _tables(found))


def _tables(found: Learning) -> list[Table]:
    made: list[Table | None] = [_distribution(found)]
    tasks = found.setup.tasks
    if "grades" in tasks:
        made += [_accuracy(found), _per_grade(found)]
    if any(name.startswith("grade>=") for name in tasks):
        made.append(_splits(found))
    made += [_features(found), _gains(found)]
    if "regression" in tasks:
        made.append(_regression(found))
    if "pairwise" in tasks:
        made.append(_pairwise(found))
    made.append(_random(found))
    if "grades" in tasks:
        made += [_confusion(found), _calibration(found)]
    tables = [table for table in made if table is not None and table.rows]
    last = tables[-1]
    tables[-1] = replace(last, notes=(*last.notes, *learning_notes(found)))
    return tables


def _distribution(found: Learning) -> Table:
    counts = np.bincount(found.grades.of(found.examples.target), minlength=len(found.grades))
    rows = [
        [
            found.grades.labels[grade],
            found.grades.range_of(grade),
            f"{counts[grade]:,}",
            _percent(counts[grade] / len(found.examples)),
        ]
        for grade in reversed(range(len(found.grades)))
    ]
    title = f"How people graded {len(found.examples):,} translations ({found.setup.kind}; the paper's Table 3)"
    return Table(title, ["grade", "scores", "translations", "share"], rows, [False, False, True, True])


def _accuracy(found: Learning) -> Table:
    """Who is how good at all grades at once."""
    columns: list[tuple[str, str, Callable[[Result | None], str]]] = [
        ("accuracy", "accuracy %", _share),
        ("gain-over-majority", "over majority", _gain),
        ("gain-over-best-single", "over best single", _gain),
        ("macro-f1", "macro-F1", _number),
        ("quadratic-kappa", "κ (quadratic)", _number),
        ("spearman", "Spearman", _number),
        ("ece", "ECE", _number),
    ]
    rows = [
        [name, *(_cell(found, show, _one(found, name, "grades", statistic)) for statistic, _, show in columns)]
        for name in _models_of(found, "grades")
    ]
    title = f"All {len(found.grades)} grades at once, {folds_told(found)} (the paper's Table 5)"
    return _right(title, ["model", *(heading for _, heading, _ in columns)], rows)


def _per_grade(found: Learning) -> Table:
    models = [name for name in _models_of(found, "grades") if name != MAJORITY]
    rows = [
        [label, *(_share(_one(found, name, "grades", f"accuracy-grade-{label}")) for name in models)]
        for label in reversed(found.grades.labels)
    ]
    return _right("Share of each grade that was recognised, % (the paper's Table 6)", ["grade", *models], rows)


def _splits(found: Learning) -> Table:
    tasks = [name for name in found.setup.tasks if name.startswith("grade>=")]
    models = _models_of(found, tasks[0])
    rows = [[task, *(_share(_one(found, name, task, "accuracy")) for name in models)] for task in tasks]
    return _right("Is a grade reached? Accuracy, % (the paper's Table 7)", ["task", *models], rows)


def _features(found: Learning) -> Table | None:
    """Each feature alone and left out, by the model whose features were taken one by one."""
    importance = {(one.model, one.features): one for one in found.results if one.statistic == "permutation-importance"}
    without = [one for one in found.find(statistic="accuracy") if one.features.startswith("without ")]
    models = {one.model for one in without} or {
        one.model for one in found.find(statistic="accuracy") if one.features in found.setup.features
    }
    task = next((name for name in found.setup.tasks if name not in ("regression", "pairwise")), None)
    if not models or task is None:
        return None
    model = "tree" if "tree" in models else min(models)
    rows = []
    for feature in found.setup.features:
        left = _one(found, model, task, "accuracy", f"without {feature}")
        loss = _one(found, model, task, "loss", f"without {feature}")
        alone = _one(found, model, task, "accuracy", feature)
        rows.append([feature, _share(alone), _share(left), _gain(loss), _gain(importance.get((model, feature)))])
    whole = _share(_one(found, model, task, "accuracy"))
    title = f"Features of the {model} for {task}: {whole} with all (the paper's Table 8)"
    return _right(title, ["feature", "alone %", "left out %", "lost without", "lost when shuffled"], rows)


def _gains(found: Learning) -> Table | None:
    """What all features are better than the best single one, per task."""
    bars = list(
        dict.fromkeys(one.statistic for one in found.results if one.statistic.startswith(f"gain-over-{BEST_SINGLE}"))
    )
    if not bars:
        return None
    rows = []
    preference = [PREFERENCE] if "pairwise" in found.setup.tasks else []
    learners = [*UNTRAINED, *preference, *found.setup.models]
    for task in found.setup.tasks:
        if task == "regression":
            continue
        for bar in bars:
            name = bar.removeprefix("gain-over-")
            if not found.find(task=task, statistic=bar):
                continue
            base = _one(found, name, task, "accuracy", "one, chosen inside")
            gains = (_cell(found, _gain, _one(found, model, task, bar)) for model in learners)
            rows.append([task, name, _share(base), *gains])
    headings = ["task", "bar", "its accuracy %", *learners]
    return _right("Gain over the best single feature, in points (the paper's Table 9)", headings, rows, left=2)


def _regression(found: Learning) -> Table:
    columns: list[tuple[str, str, Callable[[Result | None], str]]] = [
        ("spearman", "Spearman", _number),
        ("gain-over-best-single", "over best single", _difference),
        ("pearson", "Pearson", _number),
        ("mae", "mean error", _number),
        ("rmse", "root mean square", _number),
    ]
    rows = [
        [name, *(_cell(found, show, _one(found, name, "regression", statistic)) for statistic, _, show in columns)]
        for name in _models_of(found, "regression")
    ]
    return _right("The score itself (regression)", ["model", *(heading for _, heading, _ in columns)], rows)


def _pairwise(found: Learning) -> Table:
    rows = [
        [
            name,
            _share(_one(found, name, "pairwise", "accuracy")),
            _cell(found, _gain, _one(found, name, "pairwise", "gain-over-best-single")),
        ]
        for name in _models_of(found, "pairwise")
    ]
    notes = [
        f"{found.setup.pairs:,} pairs of translations of one segment; {found.setup.ties:,} ties of people left out. "
        "Equal scores of a model count half."
    ]
    return replace(
        _right("Which of two translations is better?", ["model", "accuracy %", "over best single"], rows), notes=notes
    )


def _random(found: Learning) -> Table | None:
    """What folds that tear groups apart promise, beside what is true."""
    if found.setup.group == "none":
        return None
    gains = found.find(statistic="gain-of-random-folds", group="none")
    rows = []
    for one in gains:
        statistic = "spearman" if one.task == "regression" else "accuracy"
        show, differ = (_number, _difference) if statistic == "spearman" else (_share, _gain)
        random = found.of(one.model, one.task, statistic, group="none")
        rows.append([one.model, show(_one(found, one.model, one.task, statistic)), show(random), differ(one)])
    task = gains[0].task if gains else ""
    headings = ["model", f"grouped by {found.setup.group}", "random folds", "random less grouped"]
    return _right(f"What random folds, as the paper's, would have promised for {task}", headings, rows)


def _best(found: Learning) -> str:
    """The model that is right most often."""
    return max(found.setup.models, key=lambda name: found.of(name, "grades", "accuracy").value or 0.0)


def _confusion(found: Learning) -> Table:
    model = _best(found)
    counts = found.confusions[model].astype(int)
    labels = found.grades.labels
    rows = [[f"{labels[row]}", *(f"{count:,}" for count in counts[row])] for row in reversed(range(len(labels)))]
    return _right(f"What {model} took each grade for (rows: people; columns: {model})", ["grade", *labels], rows)


def _calibration(found: Learning) -> Table:
    """Is each model as often right as it is sure?"""
    stretches = sorted({(one.low, one.high) for one in found.calibration})
    cells = {(one.model, one.low): one for one in found.calibration}
    rows = []
    for low, high in stretches:
        row = [f"{100 * low:.0f}–{100 * high:.0f}"]
        for model in found.setup.models:
            one = cells.get((model, low))
            row.append(
                NOTHING
                if one is None
                else f"{_range(one.accuracy, one.accuracy_low, one.accuracy_high, 100, '.1f')} of {one.n:,}"
            )
        rows.append(row)
    return _right("How often right, by how sure, % (calibration)", ["certainty", *found.setup.models], rows)


def _models_of(found: Learning, task: str) -> list[str]:
    """Baselines first, then models, as far as they did the task with all features."""
    statistic = "spearman" if task == "regression" else "accuracy"
    bars = {
        one.model
        for one in found.find(task=task, statistic=statistic)
        if one.features in ("none", "one, chosen inside", "all")
    }
    order = [MAJORITY, f"{BEST_SINGLE}-tree", BEST_SINGLE, *UNTRAINED, PREFERENCE, *found.setup.models]
    return [name for name in dict.fromkeys([*order, *sorted(bars)]) if name in bars]


def _one(found: Learning, model: str, task: str, statistic: str, features: str | None = None) -> Result | None:
    kinds = (features,) if features is not None else ("all", "none", "one, chosen inside")
    return next((one for one in found.find(model=model, task=task, statistic=statistic) if one.features in kinds), None)


def _right(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    return Table(title, headings, rows, [place >= left for place in range(len(headings))])


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _range(value: float | None, low: float | None, high: float | None, factor: float, spec: str) -> str:
    if value is None:
        return NOTHING
    shown = format(factor * value, spec)
    if low is None or high is None:
        return shown
    return f"{shown} [{format(factor * low, spec)}, {format(factor * high, spec)}]"


def _shown(one: Result | None, factor: float, spec: str) -> str:
    return NOTHING if one is None else _range(one.value, one.low, one.high, factor, spec)


def _cell(found: Learning, show: Callable[[Result | None], str], one: Result | None) -> str:
    """A value as it is shown, with a mark where it says less than it seems to."""
    return show(one) + (MARK if hollow(found, one) else "")


def _share(one: Result | None) -> str:
    return _shown(one, 100.0, ".1f")


def _gain(one: Result | None) -> str:
    return _shown(one, 100.0, "+.1f")


def _number(one: Result | None) -> str:
    return _shown(one, 1.0, ".3f")


def _difference(one: Result | None) -> str:
    return _shown(one, 1.0, "+.3f")
