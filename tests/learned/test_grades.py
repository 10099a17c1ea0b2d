"""Scores become grades by cut points that are stated, by quantiles, or because judges gave grades."""

import numpy as np
import pytest

from assay.errors import AssayWarning, InputError, ParameterError
from assay.learned.tasks import learnable_grades
from assay.people.grades import read_grades


def test_a_score_at_a_cut_point_has_the_grade_above():
    scores = np.array([0.0, 19.9, 20.0, 39.0, 40.0])
    grades = learnable_grades(scores, scores, (20.0, 40.0))
    assert grades.of(scores).tolist() == [0, 0, 1, 1, 2]
    assert grades.labels == ("1", "2", "3")
    assert [grades.range_of(grade) for grade in range(3)] == ["below 20", "20 to below 40", "40 or more"]


def test_quantiles_of_different_scores_make_equal_grades():
    scores = np.arange(100.0) + 0.5
    grades = learnable_grades(scores, scores, 5)
    assert grades.cuts == (20.5, 40.5, 60.5, 80.5)
    assert np.bincount(grades.of(scores)).tolist() == [20] * 5


def test_equal_scores_are_never_torn_apart():
    # Six zeros of ten: the middle is inside them, and the share below is nearest to a half behind them (0.6, not 0).
    scores = np.array([0.0] * 6 + [1.5, 2.5, 3.5, 4.5])
    grades = learnable_grades(scores, scores, 2)
    assert grades.cuts == (1.5,)
    assert np.bincount(grades.of(scores)).tolist() == [6, 4]


def test_quantiles_that_would_leave_a_grade_empty_are_refused():
    scores = np.array([0.0] * 8 + [1.5, 2.5])
    with pytest.raises(InputError, match=r"cannot make 5 grades.*8 of 10 are 0.*--grades"):
        learnable_grades(scores, scores, 5)


def test_few_whole_numbers_are_grades_and_means_go_to_the_nearest():
    judged = np.array([1.0, 2.0, 3.0, 5.0])
    grades = learnable_grades(np.array([1.0, 2.4, 2.5, 4.0, 5.0]), judged, None)
    assert grades.method == "judged"
    assert grades.labels == ("1", "2", "3", "5")
    assert [grades.labels[code] for code in grades.of(np.array([1.0, 2.4, 2.5, 4.0, 5.0]))] == ["1", "2", "3", "5", "5"]


def test_a_grade_of_the_judges_that_no_mean_comes_near_is_left_out():
    grades = learnable_grades(np.array([1.0, 3.0, 3.0]), np.array([1.0, 2.0, 3.0]), None)
    assert grades.labels == ("1", "3")


def test_one_class_only_is_refused():
    same = np.full(30, 7.25)
    with pytest.raises(InputError, match=r"All 30 scores are 7\.25: there is one grade only"):
        learnable_grades(same, same, 5)
    with pytest.raises(InputError, match=r"All 1 scores are 7\.25: there is one grade only"):
        learnable_grades(same[:1], same[:1], 5)
    with pytest.raises(InputError, match="one class only"):
        learnable_grades(np.array([1.5, 2.5]), np.array([1.5, 2.5]), (10.0, 20.0))


def test_an_empty_stated_grade_is_refused():
    scores = np.array([1.5, 30.5])
    with pytest.raises(InputError, match=r"No translation has grade 2 \(10 to below 20\)"):
        learnable_grades(scores, scores, (10.0, 20.0))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("many", "takes a number"),
        ("1", "2 to 100"),
        ("3,2", "are 3, 2, .*rising order"),
        ("5.5", "5.5.*takes a number"),
    ],
)
def test_bad_grades_are_refused(given, words):
    with pytest.raises(ParameterError, match=words):
        read_grades(given)


def test_without_a_wish_there_are_as_many_grades_as_equal_scores_allow():
    scores = np.array([0.0] * 8 + [1.5, 2.5])
    with pytest.warns(AssayWarning, match="Too many scores are equal for 5 grades.*there are 2"):
        assert learnable_grades(scores, scores, None).cuts == (1.5,)
    assert len(learnable_grades(np.arange(50) + 0.5, np.arange(50) + 0.5, None)) == 5
