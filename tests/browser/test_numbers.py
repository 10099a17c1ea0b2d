"""Numbers of the page, in a real browser: they are those of Python, formula by formula and draw by draw."""

from __future__ import annotations

import json
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import kendalltau, pearsonr, rankdata

import assay
from assay.data.external import ExternalScores
from assay.explorer import twins
from assay.kernels import draw_counts
from assay.learned.predictor import Predictor
from assay.metrics.registry import BUILT_IN, metric_class
from assay.people.scores import adjusted_means
from assay.scoring.statistics import units_of
from assay.significance.draws import STREAM_NUMBERS, interval, student_quantile, widened_tail
from laws.test_laws import CONFIGURATIONS
from learned.small_models import quality_model

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.AssayWarning")]

#: Numbers that go through here keep what JSON cannot hold.
SAID = "const said = x => typeof x === 'number' ? String(x) : x === null ? null : Array.from(x, said);"

#: Options of formulas that the laws of metrics do not try.
MORE = [
    *(
        f"bleu(smoothing={way},effective_order={yes})"
        for way in ("none", "floor", "add-k")
        for yes in ("true", "false")
    ),
    *(f"bleu(smoothing=method{number},effective_order=true,order=3)" for number in (4, 5, 6, 7)),
    "bleu(smoothing=method6,order=6,weights=[1,0,2,0.5,0,3])",
    "bleu(smoothing=method5,order=1)",
    "bleu(smoothing=method4,weights=[1,0,0,2])",
    "bleu(smoothing=add-k,smoothing_value=0)",
    "bleu(smoothing=floor,smoothing_value=0,order=2)",
    "bleu(convention=mteval,smoothing=none,weights=[1,0.5,0,2])",
    "bleu(convention=mteval,smoothing=exp,order=6)",
    "bleu(order=1)",
    "modbleu(order=2)",
    "nist(order=1,weights=none)",
    "chrf(char_order=3,word_order=3,beta=0.5)",
    "chrf(word_order=2,smoothing=true,beta=1)",
    "per(surplus=corpus)",
    "fmean(alpha=0)",
    "fmean(alpha=1)",
    *(f"meteor(language={code})" for code in ("cs", "de", "es", "fr", "ru")),
    *(f"meteor(task={task})" for task in ("adq", "hter", "util", "li", "tune")),
    *(f"meteor(variant={variant})" for variant in ("lavie2004", "banerjee2005", "lecture2007")),
    "meteor(modules=exact,alpha=0.3,beta=2,gamma=0.9,delta=0.1)",
    "meteor(modules=exact+stem,weights=[1,0.5],gamma=1,beta=0.05)",
    "meteor(alpha=0)",
    "meteor(alpha=1,delta=1)",
    "gtm(measure=precision)",
    "gtm(measure=recall)",
    "blanc(order=1)",
    "blanc(order=3,alpha=0,weights=[0,1,3])",
    "blanc(alpha=1,decay=0,gap=1)",
    *(f"rouge(measure={measure})" for measure in ("precision", "recall")),
    "combination(metrics=[ter,per])",
    'combination(metrics=["bleu(average=segments)",character-ter,"meteor(variant=meteor07)"])',
    *(f"{name}(average=documents)" for name in ("bleu", "chrf")),
]
FITTED_ANEW = ("nist", "f1(weights=idf)", "gtm(weights=idf)")
FIT_KEPT = ("lm", "cosine", "nist(weights=none)", "nist(average=segments)", "combination(metrics=[cosine,bleu])")


@pytest.fixture(scope="module")
def run(modules):
    """Runs JavaScript with the numbers' modules at hand: what it returns, with NaN and Infinity where they are."""
    imports = [f"import('/numbers/{name}.js')" for name in ("formulas", "draws", "normal", "intervals", "means")]
    modules.evaluate(f"async () => {{ window.N = Object.assign({{}}, ...await Promise.all([{', '.join(imports)}])); }}")

    def call(body, **data):
        text = modules.evaluate(
            f"(text) => {{ {SAID} const data = JSON.parse(text), found = () => {{ {body} }};"
            "return JSON.stringify(said(found())); }",
            json.dumps(data),
        )
        return _heard(json.loads(text))

    return call


def _heard(said):
    return [_heard(one) for one in said] if isinstance(said, list) else None if said is None else float(said)


WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "dogs", "ran", "quickly", "home", ",", ".", "naïve", "x"]


def _text(random, most=14):
    return " ".join(random.choice(WORDS, size=random.integers(0, most)))


def _edited(random, text):
    """A translation that has something in common with a text."""
    words = [word for word in text.split() if random.random() > 0.2]
    if words and random.random() < 0.5:
        words.insert(random.integers(len(words)), random.choice(WORDS))
    if len(words) > 3 and random.random() < 0.3:
        words = words[2:] + words[:2]
    return " ".join(words)


@pytest.fixture(scope="module")
def corpora():
    random = np.random.default_rng(5)
    references = [[_text(random) for _ in range(25)] for _ in range(2)]
    translations = [_edited(random, text) for text in references[0]]
    translations[:4], references[0][:4] = ["", "the cat", "", "x"], ["", "", "a mat", "x"]
    source, documents = [_text(random) for _ in range(25)], [f"d{place % 4}" for place in range(25)]
    more = {"references": references, "source": source, "documents": documents}
    plain = assay.Corpus(translations=translations, **more)
    return {False: plain, True: assay.Corpus(translations=translations, **more, targeted=[references[1]])}


def _random_rows(random, columns):
    """Rows that no text has: zeros, small and huge numbers, fractions, in any order."""
    rows = random.integers(0, 12, (40, columns)).astype(float)
    rows[10:20] *= 10.0 ** random.integers(0, 13, (10, 1))
    rows[20:30] *= random.random((10, columns))
    rows[random.random(rows.shape) < 0.25] = 0.0
    # And of nothing, or of nothing but one number.
    return np.vstack([rows, np.zeros(columns), 7.0 * np.eye(columns)])


def _known_metrics(tmp_path_factory):
    path = quality_model().save(tmp_path_factory.mktemp("model") / "model.json")
    spellings = dict.fromkeys([*CONFIGURATIONS, *MORE, *FITTED_ANEW, *FIT_KEPT])
    return [*map(assay.metric, spellings), Predictor(path=str(path))]


def test_every_formula_gives_what_the_metric_gives(run, corpora, tmp_path_factory):
    random, batches, expected = np.random.default_rng(1), [], []
    for metric in _known_metrics(tmp_path_factory):
        statistics = metric.evaluate(corpora[metric.sees_targeted], threads=1)
        real, fitted = statistics.rows, statistics.metric
        rows = np.vstack([
            real,
            random.integers(0, 4, (20, len(real))) @ real,
            real.sum(axis=0) - real,
            _random_rows(random, real.shape[1]),
        ])  # fmt: skip
        for segments in (False, True):
            formula = twins.twin(fitted, segments=segments)
            assert formula == twins.twin(metric, segments=segments)
            assert (formula is None) == (metric.average == "documents" and not segments), metric
            if formula is not None:
                batches.append({"twin": formula, "rows": rows.tolist()})
                with np.errstate(all="ignore"):
                    scores = (fitted.for_segments() if segments else fitted).score(rows)
                expected.append((str(metric), segments, scores))
    found = run("return data.batches.map(({twin, rows}) => rows.map(row => N.scorer(twin)(row)))", batches=batches)
    for (name, segments, scores), ours in zip(expected, found, strict=True):
        np.testing.assert_allclose(ours, scores, rtol=1e-11, atol=1e-11, err_msg=f"{name}, segments={segments}")
    # Not all rows are as good as nothing.
    assert np.mean([len(set(scores.tolist())) > 40 for _, _, scores in expected]) > 0.9


def test_a_row_may_stand_anywhere_in_an_array(run):
    twin = twins.twin(assay.metric("combination(metrics=[bleu,chrf,ter])"))
    row = np.random.default_rng(2).integers(1, 30, 10 + 18 + 8).tolist()
    at, alone = run(
        "const f = N.scorer(data.twin); return [f([9, 9, ...data.row], 2), f(data.row)]", twin=twin, row=row
    )
    assert at == alone > 0.0


def test_scores_of_files_have_none_where_there_is_none(run):
    metric = assay.metric("scores(path=file.tsv)")
    assert twins.twin(metric) == twins.twin(metric, segments=True)
    found = run("return data.rows.map(N.scorer(data.twin))", twin=twins.twin(metric), rows=[[3.0, 2.0], [0.0, 0.0]])
    assert found[0] == 1.5
    assert np.isnan(found[1])


def test_every_built_in_metric_has_a_formula():
    assert {metric_class(name) for name in BUILT_IN} == set(twins._FORMULAS)
    assert all(twins.reason(assay.metric(spelling)) == "" for spelling in BUILT_IN if spelling not in _WITH_FILES)


_WITH_FILES = ("predictor", "combination", "scores")


def test_what_has_no_formula_says_why():
    class Own(assay.Bleu):
        name = "own"

    documents = assay.metric("bleu(average=documents)")
    both = assay.metric('combination(metrics=["bleu(average=documents)",chrf])')
    for metric, why in ((Own(), "own is no metric of Assay's own"), (documents, "a mean over"), (both, "a mean over")):
        assert twins.twin(metric) is None
        assert not twins.draws_intervals(metric)
        assert why.lower() in twins.reason(metric).lower()
    assert twins.reason(documents, segments=True) == ""
    assert twins.reason(Own(), segments=True)


def test_draws_are_those_of_the_kernels(run):
    words = run(
        "return data.counters.map(counter => N.philox(...counter, new Uint32Array(4)))",
        counters=[[0] * 6, [0xFFFFFFFF] * 6, [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0]],
    )
    # Known answers of the Random123 distribution.
    assert [[f"{int(word):08X}" for word in four] for four in words] == [
        ["6627E8D5", "E169C58D", "BC57AC4C", "9B00DBD8"],
        ["408F276D", "41C83B0E", "A20BC7C6", "6D5451FD"],
        ["D16CFE09", "94FDCCEB", "5001E420", "24126EA1"],
    ]
    random = np.random.default_rng(3)
    keys = random.integers(0, 2**64, 400, dtype=np.uint64)
    jobs = [(*map(int, random.integers(0, 2**32, 2)), first, draws) for first, draws in ((0, 40), (3, 9), (1001, 6))]
    found = run(
        "return data.jobs.map(([seed, purpose, ...rest]) => N.counts({seed, purpose}, data.low, data.high, ...rest))",
        jobs=jobs, low=(keys & np.uint64(0xFFFFFFFF)).tolist(), high=(keys >> np.uint64(32)).tolist(),
    )  # fmt: skip
    for (seed, purpose, first, draws), ours in zip(jobs, found, strict=True):
        assert ours == draw_counts((seed, purpose), keys, first, draws).ravel().tolist()
    assert max(map(max, found)) >= 5


def test_the_normal_distribution_and_student_s_t(run):
    normal, x = NormalDist(), [*np.linspace(-5.0, 5.0, 201).tolist(), -2.828427, 2.8284272]
    tails = [*np.geomspace(1e-14, 0.499, 60).tolist(), 0.075, 0.5, 0.7, 0.925, 0.9999, 1 - 1e-12]
    degrees = [3, 3.5, 5, 12.25, 30, 79, 80, 81, 1000, 1e5]
    below, values, series, exact, widened = run(
        "return [data.x.map(N.cdf), data.tails.map(N.inverseCdf),"
        "data.degrees.map(one => N.studentQuantile(0.025, one)),"
        "data.degrees.map(one => [0.025, 0.1, 0.001].map(tail => N.studentT(tail, one))),"
        "[5, 20, 1000].map(units => N.widenedTail(0.025, units))]",
        x=x, tails=tails, degrees=degrees,
    )  # fmt: skip
    # Python's own cdf is 1/2 + erf/2, which has no small shares to the last digit.
    np.testing.assert_allclose(below, [normal.cdf(one) for one in x], rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(values, [normal.inv_cdf(one) for one in tails], rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(series, [student_quantile(0.025, one) for one in degrees], rtol=1e-13)
    np.testing.assert_allclose(exact, stdtrit(np.array(degrees)[:, None], [0.025, 0.1, 0.001]), rtol=1e-10)
    np.testing.assert_allclose(widened, [widened_tail(0.025, units) for units in (5, 20, 1000)], rtol=1e-11)


def test_an_interval_of_drawn_values_is_python_s(run):
    random, jobs, expected = np.random.default_rng(4), [], []
    for units in (2, 4, 5, 6, 9, 20, 50, 300):
        for kind in range(6):
            draws = 4000 if units == 300 else random.integers(20, 400)
            drawn = random.standard_normal(draws) * 10.0 ** random.integers(-3, 3)
            jackknife = random.standard_t(3, units) if kind else None
            drawn[random.random(len(drawn)) < (0.0, 0.1, 0.4, 0.6, 0.0, 0.99)[kind]] = np.nan
            if kind == 4:
                jackknife = np.full(units, 3.0)
                jackknife[0] += 1.0
            if kind == 2:
                jackknife[1] = np.nan
            jobs.append({"drawn": _json(drawn), "units": units, "jackknife": _json(jackknife)})
            expected.append(interval(drawn, units, jackknife=jackknife))
    found = run(
        "const array = list => list && Float64Array.from(list, x => x ?? NaN);"
        "return data.jobs.map(job => N.interval(array(job.drawn), job.units, array(job.jackknife)))",
        jobs=jobs,
    )
    _same_ends(found, expected)
    assert 10 < sum(low is None for low, _ in expected) < 30


def _json(values):
    return None if values is None else [None if np.isnan(one) else one for one in values.tolist()]


def _same_ends(found, expected, tolerance=1e-9):
    for ours, theirs in zip(found, expected, strict=True):
        assert [end is None for end in ours] == [end is None for end in theirs], (ours, theirs)
        if theirs[0] is not None:
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


METRICS = (
    "bleu", "chrf", "ter", "meteor", "rouge", "lm", "cosine", "combination(metrics=[bleu,ter])",
    "bleu(average=segments)", "per(average=segments)", "seldom(average=segments)",
)  # fmt: skip
GIVEN = ("judge", "gaps", "grades", "alike")


@pytest.fixture(scope="module")
def campaign():
    """Texts in documents, some of which have no name, and scores of files: with gaps, in steps, all the same."""
    random = np.random.default_rng(6)
    size = 120
    reference = [_text(random, 20) for _ in range(size)]
    systems = {name: [_edited(random, text) for text in reference] for name in ("one", "two", "three")}
    # Two that differ in few segments.
    systems["four"] = [*systems["three"]]
    for place in range(0, size, 30):
        systems["four"][place] += " x"
    scores = {
        "judge": {name: random.normal(70.0, 10.0, size) for name in systems},
        "gaps": {name: np.where(random.random(size) < 0.3, np.nan, random.random(size)) for name in systems},
        "grades": {name: (random.random(size) < 0.9).astype(float) for name in ("one", "two")}
        | {name: np.ones(size) - (np.arange(size) == 50) for name in ("three", "four")},
        "alike": {name: np.full(size, 3.0) for name in systems},
    }
    names = [*(f"d{place // 7}" for place in range(100)), *("" if place % 3 else "-" for place in range(20))]
    chosen = {
        "half": range(1, size, 2),
        "some": range(0, size, 15),
        "few": range(20),
        "five": range(31, 36),
        "tiny": (3, 50, 70),
    }
    columns = {name: ["yes" if at in places else "no" for at in range(size)] for name, places in chosen.items()}
    files = {name: ExternalScores(name, values) for name, values in scores.items()}
    return assay.Campaign("random", systems, {"A": reference}, documents=tuple(names), columns=columns, scores=files)


class Seldom(assay.Recall):
    """A mean of segments that is 0 or 1."""

    name = "seldom"

    def score(self, rows):
        return np.where(rows[..., 0] >= rows[..., 2], 1.0, 0.0)


def _known(spelling):
    return Seldom(average="segments") if spelling.startswith("seldom") else assay.metric(spelling)


def _tables(campaign):
    """What a page is given: a table per metric and system, and the keys of documents."""
    tables = {}
    for spelling in METRICS:
        metric = _known(spelling)
        for system in campaign.systems:
            counted = metric.evaluate(campaign.corpus(system), threads=1)
            tables[spelling, system] = (twins.twin(counted.metric), counted.rows)
    for name in GIVEN:
        metric = assay.metric(f"scores(path={name})")
        for system in campaign.systems:
            scores = campaign.scores[name].segments[system]
            there = ~np.isnan(scores)
            tables[name, system] = (twins.twin(metric), np.column_stack([np.where(there, scores, 0.0), there]))
    units = units_of(campaign.documents, len(campaign), "document")
    keys = units.keys[units.codes]
    base = {
        "low": (keys & np.uint64(0xFFFFFFFF)).tolist(),
        "high": (keys >> np.uint64(32)).tolist(),
        "named": [int(name not in ("", "-")) for name in campaign.documents],
    }
    return tables, base


WHERE = [
    *(((), unit) for unit in (None, "segment", "document")),
    *(((f"{column}=yes",), None) for column in ("half", "some", "five", "tiny", "few")),
    (("few=yes",), "segment"),
    # As many units, which are others.
    (("half=yes",), "segment"),
    (("half=no",), "segment"),
    (("document=d3",), None),
    (("document=d[2-9]", "half=no"), None),
]


def _kept(campaign, where):
    from assay.data.campaign import segments_where

    return np.asarray(segments_where(campaign, *where)) if where else None


def test_scores_and_intervals_under_filters_are_those_of_the_commands(run, campaign):
    tables, base = _tables(campaign)
    given = [*map(_known, METRICS), *GIVEN]
    pairs = [(str(metric), a, b) for metric in given for a, b in (("one", "two"), ("three", "four"), ("one", "three"))]
    keys, seed, purpose = [*tables], 7, STREAM_NUMBERS["units"]
    kept = [_kept(campaign, where) for where, _ in WHERE]
    answers = run(
        """
        const tables = data.tables.map(([twin, columns]) => ({
          twin, score: N.scorer(twin), columns: columns.map(column => Float64Array.from(column)),
        }));
        return data.filters.map(([kept, unit]) => {
          const places = kept && Int32Array.from(kept);
          const units = N.chooseUnits(places, data.size, data.base, unit);
          const request = { tables, pairs: data.pairs, singles: [...tables.keys()], units, draws: data.draws };
          const work = N.estimates(request), reported = new Map();
          let step = work.next(), share = 0;
          for (; !step.done; step = work.next()) {
            if (!(step.value.share >= share && step.value.share <= 1)) throw Error("shares fall");
            share = step.value.share;
            for (const [kind, number, ...rest] of step.value.found) reported.set(kind + number, String(rest));
          }
          for (const [kind, list] of [["single", step.value.singles], ["pair", step.value.pairs]]) {
            list.forEach((answer, number) => {
              if (reported.get(kind + number) !== String(answer)) throw Error("not reported");
            });
          }
          const sums = tables.map(({ columns, score }) => score(N.columnSums(columns, places)));
          const quick = N.estimates({ ...request, draws: { ...data.draws, samples: 0 } });
          let last = quick.next();
          while (!last.done) last = quick.next();
          return [step.value.singles, step.value.pairs, sums, last.value.pairs, [units.length, units.name.length]];
        });
        """,
        tables=[(twin, rows.T.tolist()) for twin, rows in tables.values()],
        pairs=[[keys.index((metric, a)), keys.index((metric, b))] for metric, a, b in pairs],
        filters=[
            (None if places is None else places.tolist(), unit) for places, (_, unit) in zip(kept, WHERE, strict=True)
        ],
        base=base, size=len(campaign), draws={"seed": seed, "purpose": purpose, "samples": 301},
    )  # fmt: skip
    widened = 0
    for (where, unit), (singles, differences, sums, quick, drawn), places in zip(WHERE, answers, kept, strict=True):
        about = {"where": where, "unit": unit, "seed": seed, "samples": 301}
        scored = {(row["metric"], row["system"]): row for row in assay.score(campaign, given, **about).table("scores")}
        names = campaign.documents if places is None else [campaign.documents[place] for place in places]
        units = units_of(names, len(names), unit)
        assert drawn == [len(units), len(units.name)]
        for key, single, total in zip(keys, singles, sums, strict=True):
            row = scored[key]
            assert single[0] == total or np.isnan([single[0], total]).all()
            assert (row["score"] is None) == np.isnan(total)
            if row["score"] is not None:
                np.testing.assert_allclose(total, row["score"], rtol=1e-12, err_msg=str(key))
            _same_ends([single[1:]], [(row["low"], row["high"])])
        compared = assay.compare(campaign, given, **about, test="t").table("pairs")
        listed = {(row["metric"], row["a"], row["b"]): row for row in compared}
        for (metric, a, b), (value, *ends), (at_once, *none) in zip(pairs, differences, quick, strict=True):
            sign, row = (1.0, listed[metric, a, b]) if (metric, a, b) in listed else (-1.0, listed[metric, b, a])
            theirs = (row["low"], row["high"]) if sign > 0 else (row["high"], row["low"])
            assert none == [None, None]
            np.testing.assert_allclose([value, at_once], sign * row["delta"], rtol=1e-9, atol=1e-12, err_msg=metric)
            _same_ends([ends], [[None if end is None else sign * end for end in theirs]])
            widened += theirs[0] is not None and (a, b) == ("three", "four") and metric in ("grades", "alike")
    assert widened


def test_segments_and_groups_are_those_of_python(run, campaign):
    metric = assay.metric("bleu")
    counted = metric.evaluate(campaign.corpus("one"), threads=1)
    codes = np.unique(np.array(campaign.documents), return_inverse=True)[1]
    codes[::11] = -1
    kept = np.arange(0, 120, 2)
    scores, some, groups, few = run(
        """
        const columns = data.columns, kept = Int32Array.from(data.kept);
        const one = N.scorer(data.twin), score = N.scorer(data.segment);
        return [
          N.segmentScores(columns, score, null), N.segmentScores(columns, score, kept),
          N.groupSums(columns, null, data.codes, data.groups).map(row => one(row)),
          N.groupSums(columns, kept, data.codes, 5).map(row => one(row)),
        ];
        """,
        columns=counted.rows.T.tolist(), twin=twins.twin(metric), segment=twins.twin(metric, segments=True),
        codes=codes.tolist(), groups=int(codes.max()) + 1, kept=kept.tolist(),
    )  # fmt: skip
    np.testing.assert_allclose(scores, counted.segment_scores(), rtol=1e-12)
    np.testing.assert_allclose(some, counted.segment_scores()[kept], rtol=1e-12)
    expected = [metric.score(counted.rows[codes == code].sum(axis=0)) for code in range(codes.max() + 1)]
    np.testing.assert_allclose(groups, expected, rtol=1e-12)
    chosen = np.isin(np.arange(120), kept)
    expected = [metric.score(counted.rows[(codes == code) & chosen].sum(axis=0)) for code in range(5)]
    np.testing.assert_allclose(few, expected, rtol=1e-12)


def test_many_units_are_drawn_in_stretches_and_anew_where_they_are_too_many_to_keep(run):
    # 40,001 segments by 804 samples are more counts than are kept; 5,000 by 1,003 are kept, and 1,003 is no multiple of
    # four.
    rows = np.random.default_rng(8).integers(0, 9, (40_001, 2)).astype(float)
    metric = assay.metric("cosine")
    for size, samples in ((40_001, 804), (5_000, 1_003)):
        units = units_of(None, size, "segment")
        found = run(
            """
            const table = { twin: data.twin, score: N.scorer(data.twin), columns: data.columns };
            const units = N.chooseUnits(null, data.size, null, null);
            const request = { tables: [table], units, draws: data.draws };
            // One of fewer draws, and one that is given up, leave what is kept of the draws as it should be.
            const fewer = N.estimates({ ...request, draws: { ...data.draws, samples: 30 } });
            while (!fewer.next().done);
            const dropped = N.estimates(request);
            for (let step = 0; step < 2; step++) dropped.next();
            const work = N.estimates(request);
            let step = work.next(), steps = 0;
            for (; !step.done; step = work.next()) steps++;
            return [steps, ...step.value.singles[0]];
            """,
            columns=rows[:size].T.tolist(), twin=twins.twin(metric), size=size,
            draws={"seed": 3, "purpose": 11, "samples": samples},
        )  # fmt: skip
        blocks = (
            draw_counts((3, 11), units.keys, first, min(100, samples - first)) for first in range(0, samples, 100)
        )
        drawn = metric.score(np.vstack([block @ rows[:size] for block in blocks]))
        total = rows[:size].sum(axis=0)
        ends = interval(drawn, size, jackknife=metric.score(total - rows[:size]))
        assert found[0] > 1
        np.testing.assert_allclose(found[1:], [metric.score(total), *ends], rtol=1e-9)


def test_draws_that_are_kept_are_of_one_stream_and_of_the_same_units(run):
    random = np.random.default_rng(10)
    rows = random.integers(1, 9, (12, 2)).astype(float)
    low, same = random.integers(0, 2**32, 12), np.full(12, 2**32 - 1)
    streams = [(1, 2, low, same), (3, 2, low, same), (3, 4, low, same), (3, 4, low, low), (3, 4, same, low)]
    # Of five units some draws are empty.
    streams.append((3, 4, low[:5], same[:5]))
    metric, samples = assay.metric("cosine"), 1000
    found = run(
        """
        const table = { twin: data.twin, score: N.scorer(data.twin), columns: data.columns };
        return data.streams.map(([seed, purpose, low, high]) => {
          const kept = Int32Array.from(low.keys()), units = { length: low.length, low, high, codes: null, kept };
          const work = N.estimates({ tables: [table], units, draws: { seed, purpose, samples: data.samples } });
          let step = work.next();
          while (!step.done) step = work.next();
          return step.value.singles[0].slice(1);
        });
        """,
        columns=rows.T.tolist(), twin=twins.twin(metric), samples=samples,
        streams=[[seed, purpose, low.tolist(), high.tolist()] for seed, purpose, low, high in streams],
    )  # fmt: skip
    expected, empty = [], 0
    for seed, purpose, low, high in streams:
        keys = (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
        counts = draw_counts((seed, purpose), keys, 0, samples)
        own = rows[: len(keys)]
        drawn = np.where(counts.any(axis=1), metric.score(counts @ own), np.nan)
        expected.append(interval(drawn, len(keys), jackknife=metric.score(own.sum(axis=0) - own)))
        empty += int(np.isnan(drawn).sum())
    _same_ends(found, expected)
    assert empty
    assert len(set(expected)) == len(streams)


def test_fits_that_draws_change_have_no_interval_in_the_page():
    assert not any(twins.draws_intervals(assay.metric(spelling)) for spelling in FITTED_ANEW)
    assert all(
        twins.draws_intervals(assay.metric(spelling)) for spelling in (*FIT_KEPT, "bleu", "f1(average=segments)")
    )


def test_correlations_and_ranks_are_scipy_s(run):
    random, jobs = np.random.default_rng(9), []
    for count in (2, 3, 5, 17, 64, 1000):
        x, y = random.normal(size=(2, count))
        jobs += [(x, y), (x, x + y), (np.round(x), np.round(y)), (np.round(x), -x), (1e9 + x, 1e-9 * (x - y))]
    jobs += [(np.ones(4), np.arange(4.0)), (np.arange(4.0), np.ones(4)), (np.arange(1.0), np.ones(1))]
    jobs += [(np.empty(0), np.empty(0)), (np.full(3, 0.1), np.array([1.0, 2.0, 3.0]))]
    found = run(
        "return data.jobs.map(([x, y]) => [N.pearson(x, y), N.kendallTauB(x, y), N.percentileRanks(x)])",
        jobs=[(x.tolist(), y.tolist()) for x, y in jobs],
    )
    for (x, y), (pearson, kendall, ranks) in zip(jobs, found, strict=True):
        constant = len(x) < 2 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0
        assert np.isnan([pearson, kendall]).tolist() == [constant] * 2
        if not constant:
            np.testing.assert_allclose(pearson, pearsonr(x, y).statistic, rtol=1e-7 if x.max() > 1e8 else 1e-10)
            np.testing.assert_allclose(kendall, kendalltau(x, y).statistic, rtol=1e-12)
        expected = (rankdata(x) - 1.0) / (len(x) - 1.0) if len(x) > 1 else np.full(len(x), 0.5)
        np.testing.assert_allclose(ranks, expected, atol=1e-12)
    (gaps,) = run("return [N.percentileRanks([3, NaN, 1, 3, NaN])]")
    np.testing.assert_allclose(gaps, [0.75, np.nan, 0.0, 0.75, np.nan])


def test_means_of_systems_with_gaps_are_adjusted_as_meta_adjusts_them(run):
    random, tables = np.random.default_rng(11), []
    for systems, segments, share in ((2, 2, 0.3), (3, 12, 0.0), (3, 12, 0.4), (6, 40, 0.6), (5, 9, 0.75), (4, 30, 0.9)):
        for _ in range(4):
            values = random.normal(50, 10, size=(systems, segments)).round(2)
            tables.append(np.where(random.random(values.shape) < share, np.nan, values))
    apart = np.array([[1.0, 2.0, np.nan, np.nan, np.nan], [2.0, 5.0, np.nan, np.nan, np.nan],
                      [np.nan, np.nan, 3.0, 4.0, np.nan], [np.nan, np.nan, 3.0, np.nan, np.nan]])  # fmt: skip
    # Two groups of two systems that share no segment: the one with more cells has means; of two alike none has.
    tables += [apart, apart[:, :3], np.full((2, 3), np.nan), np.array([[1.0, 5.0], [2.0, np.nan]])]
    places = [random.random(table.shape[1]) < 0.7 for table in tables]
    said = [[[None if np.isnan(value) else value for value in line] for line in table] for table in tables]
    found = run(
        """
        const all = data.tables.map(table => table.map(line => Float64Array.from(line, x => x === null ? NaN : x)));
        return all.map((table, at) => [N.adjustedMeans(table), N.adjustedMeans(table, data.places[at])]);
        """,
        tables=said, places=[np.flatnonzero(flags).tolist() for flags in places],
    )  # fmt: skip
    assert found[-1][0] == [3.0, 4.0]
    for table, flags, both in zip(tables, places, found, strict=True):
        for weights, means in zip((np.ones(table.shape[1]), flags.astype(float)), both, strict=True):
            np.testing.assert_allclose(means, adjusted_means(table, weights[None])[0], rtol=1e-10, atol=1e-10)
