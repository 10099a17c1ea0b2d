"""The pictures of the studies, one function each: rows of their tables in, a figure out.

Rows are those of the study's table, as its JSON has them; ``campaign`` is the name of what was studied. Where nothing
is defined, an ``InputError`` says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from assay.errors import InputError
from assay.meta.pictures import pairs_of
from assay.questions.studies.base import ALL_SYSTEMS
from assay.results import charts
from assay.results.charts import COLORS, INK, Axis, Mark, Rows, Spec
from assay.results.figure import Figure

#: What judges' own curve is called, and the row of all translations of a group.
JUDGES, TOGETHER = "judge against judge", "all"
#: What Turian, Shen & Melamed (2003) report of greedy matching, in percent.
CLAIMED_SHARE, CLAIMED_WORST = 99.0, 80.0
#: How people's translations and systems are told apart.
HUES = {"human": COLORS[0], "system": COLORS[1]}
SHAPES = {"human": "circle", "system": "triangle-up"}
#: Of one translation in one panel so many scores are drawn; of more, as many spread evenly from lowest to highest.
DRAWN = 120
#: The smallest change of a correlation that has the full colour: noise should not glow.
FAINT = 0.02


def greedy_matching(rows: Rows, *, campaign: str) -> Figure:
    """How often greedy matching finds the maximum, and how far off it is: system, exponent, share, low, high, worst."""
    shown = [dict(row) | {"exponent": f"{row['exponent']:g}"} for row in rows]
    colors = charts.palette(row["exponent"] for row in shown)
    first = shown[0]["exponent"]
    share = {row["system"]: row["share"] or 0.0 for row in shown if row["exponent"] == first}
    order = sorted(share, key=lambda name: (name == ALL_SYSTEMS, -share[name], name))
    sides: tuple[tuple[str, float, str, Spec], ...] = (
        ("share", CLAIMED_SHARE, "Segments at the true maximum, %", {"ends": ("low", "high")}),
        ("worst", CLAIMED_WORST, "Worst segment, % of its maximum", {"names": False}),
    )
    panels = [
        charts.interval_dots(
            shown, name="system", value=name, group="exponent", order=order, colors=colors, step=12,
            axis=Axis(title=title), marks=[Mark(claim, f"paper: {claim:g} %")], **options,
        )
        for name, claim, title, options in sides
    ]  # fmt: skip
    segments = max(row["segments"] for row in rows if row["system"] != ALL_SYSTEMS)
    said = "Bars are 95 % intervals; dashed lines are what Turian et al. (2003) report."
    return charts.figure(
        "greedy-matching",
        charts.above(charts.beside(*panels), charts.key(colors, title="exponent")),
        "Does GTM's greedy matching find the true maximum?",
        [f"{campaign}: {segments:,} segments. {said}"],
    )


def meteor_aligner(rows: Rows, *, campaign: str, metric: str = "meteor") -> Figure:
    """How often aligners differ, and what that does to scores: system, segments, share, low, high, difference."""
    order = [row["system"] for row in sorted(rows, key=lambda row: (row["system"] == ALL_SYSTEMS, -row["share"]))]
    often = charts.interval_dots(
        rows, name="system", value="share", ends=("low", "high"), order=order, step=20,
        axis=Axis(title="Segments aligned differently, %", zero=True),
    )  # fmt: skip
    much = charts.interval_dots(
        rows, name="system", value="difference", stem=True, order=order, names=False, step=20, color=COLORS[1],
        axis=Axis(title="Corpus score of optimal less that of meteor15, points", zero=True),
    )  # fmt: skip
    said = f"{campaign}, {metric}: {rows[0]['segments']:,} segments. Bars are 95 % intervals."
    return charts.figure(
        "meteor-aligner", charts.beside(often, much), "Is METEOR's alignment the best there is?", [said]
    )


def case_and_stem(rows: Rows, *, campaign: str, statistic: str, recipes: Sequence[str]) -> Figure:
    """Metrics by recipes: level, metric, recipe, correlation, low, high, gain, gain_low, gain_high."""
    known = _defined(rows, "correlation")
    panels = []
    for level in _different(known, "level"):
        own = [dict(row) | _cell(row) for row in known if row["level"] == level]
        # Small changes of many segments and large ones of few systems each have their own scale.
        most = max([FAINT, *(abs(row["gain"]) for row in own if row["gain"] is not None)])
        panels.append(
            charts.heat_grid(
                own, column="recipe", line="metric", shade="gain", text="said", below="beneath", bold="sure",
                columns=recipes, reach=most, on_top=True, split="+", cell=(118, 40), heading=f"{level} level",
            )
        )  # fmt: skip
    said = [
        f"{campaign}: {statistic} with people; below it what the recipe changes and 95 % of that",
        "blue: closer to people than the first recipe; orange: further from them",
        "bold: 0 lies outside of the interval, as it does by chance in one cell of twenty",
    ]
    whole = charts.above(*panels, spacing=26)
    return charts.figure("case-and-stem", whole, "How much of a metric is case, and how much inflection?", said)


def _cell(row: Mapping[str, Any]) -> dict[str, Any]:
    """A correlation, what the recipe changes, and whether that is more than chance."""
    said = {"said": f"{row['correlation']:.3f}"}
    if row["gain"] is None:
        return said | {"beneath": "" if row["low"] is None else f"[{row['low']:.3f}, {row['high']:.3f}]", "sure": False}
    low, high = row["gain_low"], row["gain_high"]
    interval = "" if low is None else f" [{low:+.3f}, {high:+.3f}]"
    return said | {"beneath": f"{row['gain']:+.3f}{interval}", "sure": low is not None and (low > 0 or high < 0)}


def correlations(rows: Rows, points: Rows, *, campaign: str, kinds: Sequence[str] = (), samples: int) -> Figure:
    """Intervals of both correlations, and below them what is correlated.

    Rows have metric, text, and pearson and differences, each with its _low and _high; points have metric, text, system,
    score, human and higher_is_better.
    """
    known = _defined(rows, "pearson", "differences")
    metrics, texts = (
        _different(known, "metric"),
        [text for text in ("words", "stems") if text in _different(known, "text")],
    )
    colors = charts.palette(texts)
    top = []
    for name, over in (("pearson", "systems"), ("differences", "differences between systems")):
        own = [dict(row) | {"said": f"{row[name]:.3f}"} for row in known]
        best = {metric: max(row[name] for row in own if row["metric"] == metric) for metric in metrics}
        top.append(
            charts.interval_dots(
                own, name="metric", value=name, ends=(f"{name}_low", f"{name}_high"), label="said", group="text",
                colors=colors, order=sorted(metrics, key=lambda metric: -best[metric]), step=16,
                heading=f"Pearson over {over}",
            )
        )  # fmt: skip
    # At most four side by side, in lines that are about as long.
    columns = -(-len(metrics) // -(-len(metrics) // 4))
    below: list[Spec] = []
    for start in range(0, len(metrics), columns):
        chosen = metrics[start : start + columns]
        for pairs in (False, True):
            scatters = [_judged(points, metric, colors, pairs=pairs, first=metric == chosen[0]) for metric in chosen]
            below.append(charts.beside(*scatters, spacing=22))
    said = [
        f"{campaign}, {', '.join(kinds) or 'all judgements'}; bars hold 95 % of {samples:,} samples",
        "below: systems as people (across) and the metric (up) see them, then all pairs, better less worse for people",
    ]
    legend = [charts.key(colors)] if len(colors) > 1 else []
    whole = charts.above(*legend, charts.beside(*top), *below)
    return charts.figure("correlations", whole, "Which metric follows the judges?", said)


def _judged(points: Rows, metric: str, colors: Mapping[str, str], *, pairs: bool, first: bool) -> Spec:
    """Systems, or pairs of them, as people and one metric see them; better is up everywhere."""
    own = [point for point in points if point["metric"] == metric]
    title = "differences of pairs" if pairs else "scores of systems"
    reverse = not own[0]["higher_is_better"] and not pairs
    return charts.scatter(
        pairs_of(own) if pairs else own, x="human", y="score", kind="text", colors=colors, regression=True,
        across=Axis(title="people", ticks=4), area=14 if pairs else 28, opacity=0.7, width=190, height=150,
        up=Axis(title=title if first else None, ticks=4, zero=pairs, reverse=reverse),
        heading=None if pairs else metric,
    )  # fmt: skip


def sentence_level(rows: Rows, *, campaign: str, samples: int) -> Figure:
    """Every metric's correlation, a panel per quality: metric, kind, normalise, correlation, low, high."""
    known = [
        dict(row) | {"judges": {"none": "raw judges"}.get(row["normalise"], row["normalise"])}
        for row in _defined(rows, "correlation")
    ]
    for row in known:
        row["said"] = f"{row['correlation']:.3f}"
    colors = charts.palette(_different(known, "judges"))
    ends = [row[name] for row in known for name in ("low", "high", "correlation") if row[name] is not None]
    low, high = min(0.0, *ends), max(ends)
    axis = Axis(domain=(low - (0.12 * (high - low) if low < 0 else 0.0), high + 0.14 * (high - low)), zero=True)
    panels = [
        charts.interval_dots(
            [row for row in known if row["kind"] == quality], name="metric", value="correlation",
            ends=("low", "high"), label="said", group="judges", colors=colors, axis=axis, names=not place, step=15,
            heading=quality,
        )
        for place, quality in enumerate(_different(known, "kind"))
    ]  # fmt: skip
    said = (
        f"{campaign}: Pearson over all translations of all segments; bars hold 95 % of {samples:,} samples of segments"
    )
    whole = charts.beside(*panels, spacing=30)
    whole = charts.above(charts.key(colors), whole) if len(colors) > 1 else whole
    return charts.figure("sentence-level", whole, "What follows people, segment by segment?", [said])


def recall_weight(rows: Rows, *, campaign: str, metric: str, statistic: str) -> Figure:
    """Correlation over the weight of recall: dashed where it was chosen, a line with its band where it was tested.

    Rows have train, test, alpha, training, correlation, low, high and chosen.
    """
    known = _defined(rows, "correlation", "training")
    reached = [row[name] for row in known for name in ("training", "correlation", "low", "high")]
    up = Axis().over(reached, margin=0.06)
    ticks = {0.0: "precision", 0.25: "", 0.5: "F1", 0.75: "", 0.9: "paper", 1.0: "recall"}
    panels = []
    for place, test in enumerate(_different(known, "test")):
        own = [row for row in known if row["test"] == test]
        elsewhere = f"where chosen ({own[0]['train']})"
        curves = [dict(row) | {"curve": "tested", "value": row["correlation"]} for row in own]
        curves += [
            {"alpha": row["alpha"], "value": row["training"], "low": None, "high": None, "curve": elsewhere}
            for row in own
        ]
        chosen = [
            Mark(
                row["alpha"],
                f"chosen: {row['alpha']:.2f}, reaches {row['correlation']:.3f}",
                INK,
                (1, 0),
                row["correlation"],
            )
            for row in own
            if row["chosen"]
        ]
        panels.append(
            charts.lines(
                curves, x="alpha", y="value", series="curve", ends=("low", "high"), dots=0, marks=chosen,
                dashes={elsewhere: (5, 4)}, width=360, height=280, heading=f"tested on {test}",
                across=Axis(
                    title="weight of recall", domain=(0.0, 1.0), ticks=list(ticks),
                    labels=[[f"{weight:g}", name] for weight, name in ticks.items()],
                ),
                up=replace(up, title=f"{statistic} with people" if not place else None),
            )
        )  # fmt: skip
    said = [
        f"{campaign}: {statistic} of {metric} with people; band: 95 % of samples",
        "the ring is the result: the weight that was chosen elsewhere, on the segments it is tested on",
    ]
    return charts.figure("recall-weight", charts.beside(*panels), "How much weight belongs on recall?", said)


def reference_count(rows: Rows, *, campaign: str, statistic: str) -> Figure:
    """Correlation over the number of references, a panel per level: metric, level, statistic, k, n, mean, low, high."""
    panels = []
    for level in _different(rows, "level"):
        own = [
            row for row in rows if (row["level"], row["statistic"]) == (level, statistic) and row["mean"] is not None
        ]
        if own:
            sizes = sorted({row["k"] for row in own})
            names = _different(own, "metric")
            panels.append(
                charts.lines(
                    own, x="k", y="mean", series="metric", ends=("low", "high"), ranges=True, nudge=0.06, dots=46,
                    dashes={name: charts.DASHES[place % len(charts.DASHES)] for place, name in enumerate(names)},
                    across=Axis(
                        title="References", domain=(sizes[0] - 0.3, sizes[-1] + 0.3), ticks=sizes, format="d",
                        grid=False,
                    ),
                    up=Axis(title=f"{statistic.capitalize()}'s correlation", ticks=6),
                    heading=f"{level} level", width=300, height=260,
                )
            )  # fmt: skip
    if not panels:
        raise _nothing()
    most = max(row["n"] for row in rows)
    said = f"lines are means over all sets of k references (up to {most} sets), bars the lowest and highest set."
    whole = charts.beside(*panels, spacing=50)
    return charts.figure("reference-count", whole, "What does each further reference bring?", [f"{campaign}: {said}"])


def pseudo_documents(
    rows: Rows, points: Rows = (), *, campaign: str, kinds: Sequence[str] = (), documents: int
) -> Figure:
    """Correlation over the length of documents, and the two judges who agree least.

    Rows have curve, metric, references, length, correlation, low and high; points have first and second, the judges'
    names, shown_x and shown_y, their scores moved a little, and x and y, the scores themselves.
    """
    known = _defined(rows, "correlation")
    curves = {row["curve"]: row for row in known}
    metrics = _different([row for row in curves.values() if row["curve"] != JUDGES], "metric")
    counts = sorted({row["references"] for row in curves.values() if row["curve"] != JUDGES})
    # A colour for each metric, and a dash for each number of references; metrics beyond the colours are dashed.
    colors = {JUDGES: INK}
    dashes: dict[str, Sequence[int]] = {JUDGES: (2, 2)}
    for name, row in curves.items():
        if name != JUDGES:
            place = metrics.index(row["metric"])
            colors[name] = COLORS[place % 6]
            step = counts.index(row["references"]) if len(counts) > 1 else place // 6
            dashes[name] = charts.DASHES[step % len(charts.DASHES)]
    ends = [row[end] for row in known for end in ("correlation", "low", "high") if row[end] is not None]
    domain = Axis().over(ends, margin=0.04).domain or (0.0, 1.0)
    ticks, longest = (
        sorted({row["length"] for row in known if row["curve"] != JUDGES}),
        max(row["length"] for row in known),
    )
    whole = charts.lines(
        known, x="length", y="correlation", series="curve", ends=("low", "high"), colors=colors, dashes=dashes,
        across=Axis(
            title="segments in a document (logarithmic)", log=True, domain=(1, max(longest, 2)), ticks=ticks,
            format=",d", grid=False,
        ),
        up=Axis(
            title="mean Spearman correlation with people", domain=(max(domain[0], -1.0), min(domain[1], 1.0)),
            zero=domain[0] < 0,
        ),
        height=380,
    )  # fmt: skip
    if points:
        whole = charts.beside(whole, _two_judges(points), spacing=50)
    judged = ", ".join(kinds) or "all judgements"
    said = f"{campaign}, {judged}; {documents:,} random documents of each length; bands: 95 % of the mean's error"
    return charts.figure("pseudo-documents", whole, "How reliable are metrics on short texts?", [said])


def _two_judges(points: Rows) -> Spec:
    """Scores of two judges, each dot moved a little so that equal ones can be seen."""
    from scipy.stats import spearmanr

    value = spearmanr([point["x"] for point in points], [point["y"] for point in points]).statistic
    axis = Axis().over(point[name] for point in points for name in ("shown_x", "shown_y"))
    return charts.scatter(
        points, x="shown_x", y="shown_y", color=INK, area=16, opacity=0.45, width=240, height=240,
        across=replace(axis, title=points[0]["first"]), up=replace(axis, title=points[0]["second"]),
        heading=[
            "the two judges who agree least",
            f"Spearman {value:.2f}, {len(points):,} translations; dots are moved a little",
        ],
    )  # fmt: skip


def references(rows: Rows, scores: Rows, *, campaign: str, lower_is_better: Collection[str] = ()) -> Figure:
    """Every score of every translation, its mean and deviation: a panel per metric and number of references.

    Rows have system, metric, k, mean, sd, low and high; scores have system, kind (human or system), metric, k and
    score, a row for each set of references. Error rates run from right to left.
    """
    metrics, sizes = _different(rows, "metric"), sorted({row["k"] for row in rows})
    shown = _chosen_sizes(sizes)
    kinds = {row["system"]: row["kind"] for row in scores}
    clouds: dict[tuple[str, str, int], list[float]] = {}
    for row in scores:
        clouds.setdefault((row["system"], row["metric"], row["k"]), []).append(row["score"])
    order = [row["system"] for row in rows if row["metric"] == metrics[0]]
    grid = []
    for metric in metrics:
        own = [row for row in rows if row["metric"] == metric and row["k"] in shown]
        axis = Axis(ticks=4, reverse=metric in lower_is_better)
        axis = axis.over([row[end] for row in own for end in ("low", "high")])
        panels = []
        for size in shown:
            here = [
                dict(row)
                | {"from": max(row["mean"] - row["sd"], row["low"]), "to": min(row["mean"] + row["sd"], row["high"])}
                | {"kind": kinds[row["system"]], "all": _thinned(clouds[row["system"], metric, size])}
                for row in own
                if row["k"] == size
            ]
            panels.append(
                charts.interval_dots(
                    here, name="system", value="mean", ends=("from", "to"), ticks="all", kind="kind", colors=HUES,
                    shapes=SHAPES, order=order, axis=axis, names=size == shown[0], width=230, step=17,
                    heading=f"{metric}, k = {size}",
                )
            )  # fmt: skip
        grid.append(charts.beside(*panels, spacing=18))
    told = "Blue circles are human translations, orange triangles systems."
    if len(set(kinds.values())) == 1:
        told = f"All of them are {'human' if 'human' in kinds.values() else 'machine'} translations."
    said = "Ticks are sets of references, dots means, bars one standard deviation, cut at the range."
    left = [str(size) for size in sizes if size not in shown]
    said += f" Not drawn: k = {', '.join(left)}." if left else ""
    if any(len(cloud) > DRAWN for cloud in clouds.values()):
        said += f" Of more than {DRAWN} sets so many are drawn, from lowest to highest."
    against = "every translation against all sets of k references that it is not part of."
    title = "How much does the choice of references decide?"
    return charts.figure("references", charts.above(*grid), title, [f"{campaign}: {against} {told}", said])


def _chosen_sizes(sizes: Sequence[int]) -> list[int]:
    """All sizes, or as many as there is room for, the first and the last among them.

    >>> _chosen_sizes([1, 2, 4]), _chosen_sizes(range(1, 12))
    ([1, 2, 4], [1, 2, 4, 11])
    """
    if len(sizes) <= 4:
        return list(sizes)
    # As in the papers, where there is a choice.
    usual = [size for size in (1, 2, 4) if size in sizes]
    return sorted({*(usual or sizes[:3]), sizes[-1]})


def _thinned(scores: Sequence[float]) -> list[float]:
    """Scores to draw: all, or some that are spread evenly over their ranks, lowest and highest among them."""
    ordered = sorted(scores)
    last = len(ordered) - 1
    return ordered if last < DRAWN else [ordered[round(place * last / (DRAWN - 1))] for place in range(DRAWN)]


def foreign_texts(rows: Rows, *, campaign: str, lower_is_better: Collection[str] = ()) -> Figure:
    """Each text a line of marks, one for each of its translations: a panel per metric and number of references.

    Rows have text, system, kind (human, system or foreign), metric, k, mean, low and high.
    """
    panels: list[Spec] = []
    order: list[str] = []
    for metric, size in dict.fromkeys((row["metric"], row["k"]) for row in rows):
        own = [dict(row) for row in rows if (row["metric"], row["k"]) == (metric, size)]
        sign = -1.0 if metric in lower_is_better else 1.0
        foreign = {row["text"] for row in own if row["kind"] == "foreign"}
        means = {text: fmean(row["mean"] for row in own if row["text"] == text) for text in _different(own, "text")}
        # The text itself, then the others, the most alike first; one order for all panels, which share their names.
        order = order or sorted(means, key=lambda text: (text in foreign, -sign * means[text]))
        own.sort(key=lambda row: sign * row["mean"])
        placed: dict[str, int] = {}
        for row in own:
            # Translations of one text stand a little apart.
            row |= {"place": placed.setdefault(row["text"], 0), "said": ""}
            placed[row["text"]] += 1
        # The nearest of either kind are named.
        for nearest in (
            next((row for row in own if row["kind"] != "foreign"), None),
            next((row for row in reversed(own) if row["kind"] == "foreign"), None),
        ):
            if nearest is not None:
                nearest["said"] = nearest["system"]
        panels.append(
            charts.interval_dots(
                own, name="text", value="mean", ends=("low", "high"), group="place", kind="kind", label="said",
                colors={"human": COLORS[0], "system": COLORS[2], "foreign": COLORS[1]},
                shapes={"human": "circle", "system": "square", "foreign": "triangle-up"}, order=order,
                axis=Axis(reverse=sign < 0, zero=True), names=len(panels) % 2 == 0, width=320,
                step=max(6.0, min(11.0, 96.0 / max(placed.values()))),
                heading=f"{metric}, k = {size}",
            )
        )  # fmt: skip
    said = [
        f"{campaign}, and other texts in its place: a mark is the mean of one translation over sets of k references, a "
        "line its range.",
        "Blue circles are true human translations, green squares systems, orange triangles other texts.",
    ]
    whole = charts.panels(panels, columns=2, spacing=24)
    return charts.figure("foreign-texts", whole, "Does the metric know a true translation from another text?", said)


def score_distribution(rows: Rows, bins: Rows, *, campaign: str) -> Figure:
    """Segment scores: metrics side by side, groups of translations one below the other.

    Rows have group, system (``all`` is the whole group), metric, references, mean and sd; bins have group, metric,
    from, to and share.
    """
    grid = []
    for group in _different(rows, "group"):
        panels = []
        for metric in _different(rows, "metric"):
            own = [row for row in rows if (row["group"], row["metric"]) == (group, metric)]
            members = [row["system"] for row in own if row["system"] != TOGETHER]
            named = ", ".join(members[:4]) + (f" and {len(members) - 4} more" if len(members) > 4 else "")
            given = f"{own[0]['references']} reference{'s' if own[0]['references'] != 1 else ''} each"
            who = "human translations" if group == "human" else "not told apart by judges"
            # All groups have one height, so that they can be compared.
            top = 1.18 * max(row["share"] for row in bins if row["metric"] == metric)
            panels.append(
                charts.histogram(
                    [row for row in bins if (row["group"], row["metric"]) == (group, metric)], start="from", end="to",
                    count="share", mean=own[0]["mean"], sd=own[0]["sd"],
                    label=f"mean {own[0]['mean']:.1f}, SD {own[0]['sd'] or 0.0:.1f}",
                    across=Axis(grid=False), up=Axis(title="% of segments", ticks=4, domain=(0.0, top)),
                    color=COLORS[0] if group == "human" else COLORS[1],
                    heading=[f"{metric}: {who}", f"{named}; {given}"],
                )
            )  # fmt: skip
        grid.append(charts.beside(*panels, spacing=30))
    said = f"{campaign}: segment scores. Lines are means, bars beside them one standard deviation."
    whole = charts.above(*grid)
    return charts.figure("score-distribution", whole, "Do equally good translations score high and alike?", [said])


def _different(rows: Rows, column: str) -> list[Any]:
    """The different values of a column, as they come."""
    return list(dict.fromkeys(row[column] for row in rows))


def _defined(rows: Rows, *columns: str) -> list[Mapping[str, Any]]:
    """The rows in which these are numbers."""
    known = [row for row in rows if all(row[column] is not None for column in columns)]
    if not known:
        raise _nothing()
    return known


def _nothing() -> InputError:
    return InputError(
        "No correlation is defined, so there is nothing to draw: the people, or every metric, give all the same score. "
        "Without --figure the table is printed."
    )
