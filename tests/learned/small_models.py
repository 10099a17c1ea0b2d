"""Models made by hand, small enough to be worked out on paper: one of each kind, over unigram F1 and WER."""

import numpy as np

import assay
from assay.learned.combination import Graded, RankMean, SomeColumns, UniformMean
from assay.learned.features import Feature
from assay.learned.linear import Cut, Linear, Logistic, Ordinal, Preference
from assay.learned.model import Classes, Scaling
from assay.learned.model_file import HeldOutScore, ModelCard, QualityModel, TrainingData
from assay.learned.trees import BoostedGrader, BoostedRegressor, Boosting, Tree, TreeGrader, TreeRegressor

CAMPAIGN = assay.Campaign(
    "small",
    systems={"one": ["the cat sat on the mat", "a b c d", "x"], "two": ["the cat", "d c b a", "a fine line"]},
    references={"A": ["the cat sat on a mat", "a b c d", "a fine line"]},
    documents=("d1", "d1", "d2"),
)

#: Features of three translations: F1 and WER.
VALUES = np.array([[100.0, 0.0], [60.0, 50.0], [20.0, 90.0]])

THREE = Classes(("bad", "fair", "good"), (0.0, 1.0, 2.0))
TWO = Classes(("bad", "good"), (0.0, 100.0))
#: A spread of 20 makes 60 the middle and 80 one above it.
SCALING = Scaling(np.array([60.0, 50.0]), np.array([20.0, 25.0]))
WEIGHTS = (SCALING, np.array([1.0, -0.5]))
#: Of one number: 0 is the middle of the middle grade.
CUT = Cut(Scaling(np.zeros(1), np.ones(1)), np.array([2.0]), np.array([-1.0, 1.0]), THREE)


def tree(values):
    """F1 up to 40 is node 1; above, WER up to 25 is node 3, else node 4."""
    return Tree(
        feature=np.array([0, -1, 1, -1, -1]),
        threshold=np.array([40.0, 0.0, 25.0, 0.0, 0.0]),
        left=np.array([1, -1, 3, -1, -1]),
        right=np.array([2, -1, 4, -1, -1]),
        values=np.array(values, dtype=float),
    )


def stump(low, high):
    """Up to 50 of F1 one value, above it another."""
    return Tree(
        feature=np.array([0, -1, -1]),
        threshold=np.array([50.0, 0.0, 0.0]),
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        values=np.array([[0.0], [low], [high]]),
    )


def boosting(outputs):
    return Boosting(np.zeros(outputs), (tuple(stump(-1.0 - k, 1.0 + k) for k in range(outputs)),) * 2, 0.5)


SHARES = [[0.3, 0.3, 0.4], [0.8, 0.2, 0.0], [0.1, 0.3, 0.6], [0.0, 0.25, 0.75], [0.25, 0.5, 0.25]]

MODELS = {
    "decision-tree": TreeGrader(tree(SHARES), THREE, inputs=2),
    "regression-tree": TreeRegressor(tree([[0.0], [10.0], [0.0], [90.0], [50.0]]), inputs=2),
    "boosted-trees": BoostedGrader(boosting(3), THREE, inputs=2),
    "boosted-regression": BoostedRegressor(boosting(1), inputs=2),
    "linear": Linear(*WEIGHTS, 3.0, inputs=2),
    "logistic": Logistic(*WEIGHTS, 0.0, TWO, inputs=2),
    "ordinal-logistic": Ordinal(*WEIGHTS, np.array([-1.0, 1.0]), THREE, inputs=2),
    "preference": Preference(*WEIGHTS, inputs=2),
    "uniform-mean": UniformMean(SCALING, np.array([1, -1]), inputs=2),
    "rank-mean": RankMean.of(VALUES, np.array([1, -1])),
    "some-columns": SomeColumns(
        UniformMean(Scaling(np.array([50.0]), np.array([25.0])), np.array([-1]), inputs=1), np.array([1]), inputs=2
    ),
    "graded": Graded(UniformMean(SCALING, np.array([1, -1]), inputs=2), CUT, inputs=2),
}

FEATURES = (Feature.parse("f1"), Feature.parse("wer"))

CARD = ModelCard(
    task="43210",
    unit="expected grade, 0 to 2",
    method="pencil",
    kinds=("da",),
    training=(TrainingData("campaign", ("good", "poor"), ("A",), 3, 6, {"judgements": "0123456789abcdef"}),),
    grades=("bad", "fair", "good"),
    cuts=(30.0, 70.0),
    folds="10 folds, grouped by segment",
    held_out=(HeldOutScore("accuracy", 61.5, 55.0, 68.0), HeldOutScore("spearman", 0.4)),
    settings={"depth": "2"},
    versions={"assay": "0.1.0"},
    seed=1,
    notes=("worked out on paper",),
)


def quality_model(kind="decision-tree", *, features=FEATURES, card=CARD):
    return QualityModel.of(MODELS[kind], features, card)
