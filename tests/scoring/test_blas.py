"""Work that has threads of its own multiplies matrices on one."""

import sys

import numpy as np
import pytest

from assay.scoring.evaluate import one_blas_thread


def test_linear_algebra_has_one_thread_inside_and_as_many_as_before_behind():
    info = pytest.importorskip("threadpoolctl").threadpool_info
    np.ones((2, 2)) @ np.ones((2, 2))

    def threads():
        return [library["num_threads"] for library in info() if library["user_api"] == "blas"]

    before = threads()
    with one_blas_thread():
        assert set(threads()) == {1}
    assert threads() == before


def test_without_the_package_nothing_happens(monkeypatch):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with one_blas_thread():
        assert (np.ones((2, 3)) @ np.ones(3)).tolist() == [3.0, 3.0]
