"""Models as data: each formula worked out by hand, and every number survives the way to a file and back."""

import json
import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from assay.errors import InputError, ParameterError
from assay.learned.combination import MOST_KNOTS, RankMean, UniformMean
from assay.learned.features import Feature
from assay.learned.learners import AnyModel
from assay.learned.model import Classes, Data, Grader, Model, Scaling, plain
from assay.learned.model_file import signs
from assay.learned.plain_json import typed
from learned.small_models import MODELS, VALUES


def again(data):
    """Through JSON, as a file does."""
    model = typed(json.loads(json.dumps(data)), AnyModel, "model")
    model.check()
    return model


def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


def test_there_is_an_example_of_every_kind():
    assert set(MODELS) == {kind.__struct_config__.tag for kind in get_args(AnyModel)}
    assert all(model.kind == kind for kind, model in MODELS.items())


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_is_the_same_behind_a_file(kind):
    model = MODELS[kind]
    rng = np.random.default_rng(1)
    values = np.concatenate([VALUES, rng.uniform(-20, 120, size=(50, 2))])
    loaded = again(plain(model))
    assert loaded.score(values).tolist() == model.score(values).tolist()
    assert plain(loaded) == plain(model)
    if isinstance(model, Grader):
        assert loaded.probabilities(values).tolist() == model.probabilities(values).tolist()
        assert np.allclose(model.probabilities(values).sum(axis=1), 1.0, atol=1e-12)
        assert loaded.grades(values).tolist() == model.probabilities(values).argmax(axis=1).tolist()


@pytest.mark.parametrize("kind", MODELS)
def test_a_row_alone_is_what_it_is_among_others(kind):
    values = np.random.default_rng(2).uniform(-20, 120, size=(67, 2))
    together = MODELS[kind].score(values)
    assert [MODELS[kind].score(row[None, :])[0] for row in values] == together.tolist()
    assert MODELS[kind].score(values[:0]).shape == (0,)


@pytest.mark.parametrize("kind", MODELS)
def test_rows_of_another_width_are_refused(kind):
    with pytest.raises(ParameterError, match="rows of 2 features"):
        MODELS[kind].score(np.zeros((3, 5)))


def test_a_tree_by_hand():
    # F1 100 > 40, WER 0 <= 25: node 3. F1 60 > 40, WER 50 > 25: node 4. F1 20 <= 40: node 1.
    model = MODELS["decision-tree"]
    assert model.probabilities(VALUES).tolist() == [[0.0, 0.25, 0.75], [0.25, 0.5, 0.25], [0.8, 0.2, 0.0]]
    # 0.25 · 1 + 0.75 · 2 = 1.75; 0.5 + 0.5 = 1; 0.2.
    assert model.score(VALUES).tolist() == [1.75, 1.0, 0.2]
    assert model.grades(VALUES).tolist() == [2, 1, 0]
    assert MODELS["regression-tree"].score(VALUES).tolist() == [90.0, 50.0, 10.0]


def test_a_tree_sees_features_in_single_precision():
    # The nearest single-precision number of 40.000000001 is 40, which goes left.
    model = MODELS["regression-tree"]
    assert model.score(np.array([[40.000000001, 0.0], [40.001, 0.0]])).tolist() == [10.0, 90.0]


def test_boosted_trees_by_hand():
    # Two rounds at rate 0.5 of a stump that says 1 above 50 and -1 below: 0 + 0.5 + 0.5.
    assert MODELS["boosted-regression"].score(VALUES).tolist() == [1.0, 1.0, -1.0]
    # Outputs above 50 are 1, 2 and 3: softmax of them.
    powers = [math.exp(k) for k in (1, 2, 3)]
    expected = [power / sum(powers) for power in powers]
    assert MODELS["boosted-trees"].probabilities(VALUES)[0] == pytest.approx(expected, abs=1e-15)


def test_linear_models_by_hand():
    # Standardised: (2, -2), (0, 0), (-2, 1.6). Weighted by 1 and -0.5: 3, 0, -2.8.
    assert MODELS["linear"].score(VALUES) == pytest.approx([6.0, 3.0, 0.2], abs=1e-12)
    assert MODELS["preference"].score(VALUES) == pytest.approx([3.0, 0.0, -2.8], abs=1e-12)
    first, second = VALUES[:2], VALUES[1:]
    assert MODELS["preference"].preference(first, second) == pytest.approx([sigmoid(3.0), sigmoid(2.8)], abs=1e-12)
    # The upper of two classes is worth 100.
    assert MODELS["logistic"].score(VALUES) == pytest.approx([100 * sigmoid(u) for u in (3.0, 0.0, -2.8)], abs=1e-12)


def test_ordinal_by_hand():
    # Thresholds -1 and 1, utility 0: P(bad) = s(-1), P(at most fair) = s(1).
    bad, at_most_fair = sigmoid(-1.0), sigmoid(1.0)
    found = MODELS["ordinal-logistic"].probabilities(VALUES)[1]
    assert found == pytest.approx([bad, at_most_fair - bad, 1.0 - at_most_fair], abs=1e-15)


def test_utilities_far_out_do_not_overflow():
    far = np.array([[1e7, -1e7], [-1e7, 1e7]])
    for kind in ("logistic", "ordinal-logistic", "boosted-trees"):
        assert np.isfinite(MODELS[kind].probabilities(far)).all()


def test_the_uniform_mean_by_hand():
    # Standardised and turned: (2, 2), (0, 0), (-2, -1.6).
    assert MODELS["uniform-mean"].score(VALUES) == pytest.approx([2.0, 0.0, -1.8], abs=1e-12)


def test_the_rank_mean_by_hand():
    # Of three different values the shares below are 1/6, 3/6 and 5/6; WER is turned, so both features agree.
    model = MODELS["rank-mean"]
    assert model.score(VALUES) == pytest.approx([500 / 6, 50.0, 100 / 6], abs=1e-12)
    # Half way between 60 and 100 the share is 4/6, beyond all of them 1, or 0.
    assert model.score(np.array([[80.0, 25.0], [101.0, -1.0], [0.0, 95.0]])) == pytest.approx([400 / 6, 100.0, 0.0])


def test_models_around_models_by_hand():
    # WER alone, turned: (50 - x) / 25.
    assert MODELS["some-columns"].score(VALUES) == pytest.approx([2.0, 0.0, -1.6], abs=1e-12)
    # The uniform mean 0 of the second row, doubled, between thresholds -1 and 1.
    found = MODELS["graded"].probabilities(VALUES)[1]
    assert found == pytest.approx([sigmoid(-1), sigmoid(1) - sigmoid(-1), sigmoid(-1)], abs=1e-12)
    assert MODELS["graded"].grades(VALUES).tolist() == [2, 1, 0]


def test_equal_values_share_their_rank():
    # 1 stands twice of four: half of them are below it. 5 is above three, and half of itself.
    model = RankMean.of(np.array([[1.0], [1.0], [3.0], [5.0]]), np.array([1]))
    assert model.score(np.array([[1.0], [3.0], [5.0]])).tolist() == [25.0, 62.5, 87.5]


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=60))
def test_ranks_are_those_that_scipy_gives(column):
    values = np.array(column)[:, None]
    expected = 100.0 * (rankdata(column) - 0.5) / len(column)
    assert RankMean.of(values, np.array([1])).score(values) == pytest.approx(expected, abs=1e-9)


def test_long_distributions_keep_some_points_of_themselves():
    values = np.random.default_rng(3).normal(size=(5000, 1))
    model = RankMean.of(values, np.array([1]))
    assert len(model.knots[0]) == MOST_KNOTS
    exact = 100.0 * (np.argsort(np.argsort(values[:, 0])) + 0.5) / 5000
    assert np.abs(model.score(values) - exact).max() < 0.1
    # The ends are kept: half of the worst one of 5000 is 0.01 %.
    assert model.score(np.array([[values.min()], [values.max()]])) == pytest.approx([0.01, 99.99], abs=1e-12)


def test_a_constant_feature_says_nothing():
    values = np.array([[1.0, 0.1 + 0.2], [3.0, 0.3]])
    assert Scaling.of(values).spread.tolist() == [1.0, 1.0]
    assert UniformMean.of(values, np.array([1, 1])).score(values) == pytest.approx([-0.5, 0.5], abs=1e-12)


def test_features_without_a_direction_are_not_averaged():
    assert signs([Feature.parse("f1"), Feature.parse("wer")]).tolist() == [1, -1]
    with pytest.raises(ParameterError, match=r"'bleu:length_ratio'.*nobody can say"):
        signs([Feature.parse("bleu:length_ratio")])


def test_every_grade_has_a_name_of_its_own():
    with pytest.raises(InputError, match="each grade has one of its own"):
        Classes(("a", "a"), (0.0, 1.0))


def parts_of(value):
    """A model, and all models, trees, scalings and classes within it."""
    if isinstance(value, tuple):
        for one in value:
            yield from parts_of(one)
    elif isinstance(value, Data):
        yield value
        for name in value.__struct_fields__:
            yield from parts_of(getattr(value, name))


@pytest.mark.parametrize("kind", MODELS)
def test_no_number_of_a_model_is_ever_put_in_place_of_another(kind):
    for part in parts_of(MODELS[kind]):
        for name in part.__struct_fields__:
            with pytest.raises(AttributeError, match="immutable"):
                setattr(part, name, getattr(part, name))


def changed(kind, *path, value):
    """A model's data with one value replaced."""
    data = json.loads(json.dumps(plain(MODELS[kind])))
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (changed("decision-tree", "kind", value="os.system"), "'os.system' is none of those that there are"),
        (
            changed("decision-tree", "kind", value="{0} {x} {"),
            r"kind: '\{0\} \{x\} \{' is none of those",
        ),
        (changed("decision-tree", "tree", "left", 0, value=0), r"tree.left\[0\]: child 0 does not stand behind"),
        (changed("decision-tree", "tree", "right", 2, value=1), r"tree.right\[2\]: child 1 does not stand behind"),
        (changed("decision-tree", "tree", "left", 0, value=99), r"tree.left\[0\]: 99 is outside of -1 to 4"),
        (changed("decision-tree", "tree", "left", 2, value=5), r"tree.left\[2\]: 5 is outside of -1 to 4"),
        (changed("decision-tree", "tree", "right", 2, value=5), r"tree.right\[2\]: 5 is outside of -1 to 4"),
        (changed("decision-tree", "tree", "feature", 0, value=2), r"tree.feature\[0\]: 2 is outside of -1 to 1"),
        (
            changed("decision-tree", "tree", "feature", 0, value=0.0),
            r"tree.feature\[0\]: a whole number is needed, not 0.0",
        ),
        (changed("decision-tree", "tree", "feature", value=[]), "at least one node"),
        (changed("decision-tree", "tree", "threshold", value=[1.0]), "1 values, but 5 are needed"),
        (changed("decision-tree", "tree", "values", 1, value=[0.5, 0.6, 0]), r"values\[1\]: shares of classes sum"),
        (changed("decision-tree", "tree", "values", 1, value=[2.0, -1.0, 0.0]), r"values\[1\]: shares of classes"),
        (changed("decision-tree", "tree", "values", 1, value=[1.0]), r"values\[1\]: 1 values, but 3 are needed"),
        (changed("decision-tree", "tree", "single", value=1), "true or false is needed"),
        (changed("decision-tree", "tree", "extra", value=1), "There is no field 'extra'"),
        (changed("decision-tree", "classes", "names", value=["a", "a", "b"]), "a name of its own"),
        (changed("decision-tree", "classes", "names", 0, value="\x1b[31m"), "cannot be printed"),
        (changed("decision-tree", "inputs", value=0), "inputs: a whole number >= 1 is needed"),
        (
            changed("decision-tree", "classes", value={"names": [f"{n}" for n in range(1001)], "worth": [0.0] * 1001}),
            "1,001 grades, but 1,000 are the most",
        ),
        (changed("linear", "intercept", value=True), "a number is needed, not true"),
        (changed("linear", "intercept", value="3"), "a number is needed, not '3'"),
        (changed("linear", "intercept", value=10**400), "intercept: Number out of range"),
        (changed("linear", "weights", 0, value=None), r"weights\[0\]: a number is needed, not null"),
        (changed("linear", "scaling", "spread", 1, value=0.0), r"spread\[1\]: a number above 0"),
        (changed("linear", "scaling", "centre", value=[1.0]), r"\.scaling\.centre: 1 values, but 2 are needed"),
        (changed("linear", "scaling", "spread", value=[1.0]), r"\.scaling\.spread: 1 values, but 2 are needed"),
        (changed("logistic", "classes", value={"names": ["a"], "worth": [1.0]}), "two are needed, not 1"),
        (changed("ordinal-logistic", "thresholds", value=[1.0, -1.0]), r"thresholds\[1\]: thresholds rise"),
        (changed("boosted-trees", "boosting", "rounds", 0, value=[]), r"rounds\[0\]: 0 values, but 3 are needed"),
        (changed("boosted-trees", "classes", value={"names": ["a"], "worth": [1.0]}), "at least two grades"),
        (changed("uniform-mean", "signs", 0, value=0), r"signs\[0\]: 1 or -1"),
        (changed("rank-mean", "knots", 0, value=[3.0, 2.0, 1.0]), r"knots\[0\]: values rise"),
        (changed("rank-mean", "shares", 0, value=[0.1, 0.2, 1.3]), r"knots\[0\]: values rise"),
        (changed("rank-mean", "knots", value=[[1.0]]), r"\.knots: 1 values, but 2 are needed"),
        (changed("rank-mean", "shares", value=[[0.5]]), r"\.shares: 1 values, but 2 are needed"),
        (changed("rank-mean", "knots", 0, value=[]), "0 values with 3 shares"),
        (changed("some-columns", "columns", value=[0, 0]), r"columns: at least one is needed, and none twice"),
        (changed("some-columns", "columns", value=[0, 1]), r"the model within takes 1 features, but 2 are there"),
        (changed("some-columns", "model", "kind", value="some-columns"), "is none of"),
        (changed("graded", "model", "kind", value="graded"), "is none of"),
        (changed("graded", "model", "kind", value="decision-tree"), "is none of"),
        ([], "an object is needed, not a list of 0"),
        ({}, "'kind' is missing"),
    ],
)
def test_numbers_that_make_no_model_are_refused(data, words):
    with pytest.raises(InputError, match=words):
        again(data)


def test_a_model_that_cannot_score_cannot_be_made():
    class Silent(Model, frozen=True):
        pass

    with pytest.raises(TypeError, match="score"):
        Silent(inputs=1)


@pytest.mark.parametrize("mean", [RankMean, UniformMean])
def test_a_mean_of_no_feature_is_the_same_for_every_text(mean):
    model = mean.of(np.empty((3, 0)), np.empty(0, dtype=np.int64))
    assert model.score(np.empty((2, 0))).tolist() == [0.0, 0.0]
