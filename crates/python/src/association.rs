//! Doors for kernels over scores: pairs and ranks of two lists under draws, and metrics that swap scores.

use assay_kernels::association::{self, Lists, PAIR_LINES, RANK_LINES, Weights};
use assay_kernels::swaps::{self, Scores, Share};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::matrix;

type Kernel = fn(Lists<'_>, Weights<'_>, usize) -> Vec<f64>;

/// Sums over pairs of items under draws: lines by draws.
#[pyfunction]
pub fn pair_lines<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, u32>,
    y: PyReadonlyArray1<'py, u32>,
    unit: PyReadonlyArray1<'py, u32>,
    weights: PyReadonlyArray2<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    lines(py, (x, y, unit), weights, (association::pair_lines, PAIR_LINES), threads)
}

/// Sums over ranks of items under draws: lines by draws.
#[pyfunction]
pub fn rank_lines<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, u32>,
    y: PyReadonlyArray1<'py, u32>,
    unit: PyReadonlyArray1<'py, u32>,
    weights: PyReadonlyArray2<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    lines(py, (x, y, unit), weights, (association::rank_lines, RANK_LINES), threads)
}

type Codes<'py> = PyReadonlyArray1<'py, u32>;

fn lines<'py>(
    py: Python<'py>,
    codes: (Codes<'py>, Codes<'py>, Codes<'py>),
    weights: PyReadonlyArray2<'py, f64>,
    kernel: (Kernel, usize),
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let lists = Lists { x: codes.0.as_slice()?, y: codes.1.as_slice()?, unit: codes.2.as_slice()? };
    let weights = Weights { table: weights.as_slice()?, draws: weights.shape()[1] };
    if !lists.fit(weights) {
        return Err(PyValueError::new_err(
            "two classes and a unit are needed for every item, and weights for every unit",
        ));
    }
    let found = py.detach(|| kernel.0(lists, weights, threads));
    matrix(py, found, kernel.1, weights.draws)
}

/// Sums and counts over segments of what metrics that swap scores share with people: four blocks of draws by pairs.
#[pyfunction]
pub fn swapped_shares<'py>(
    py: Python<'py>,
    metrics: PyReadonlyArray3<'py, f64>,
    human: PyReadonlyArray2<'py, f64>,
    flags: PyReadonlyArray3<'py, u8>,
    kendall: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (count, draws) = (metrics.shape()[0], flags.shape()[0]);
    let scores = Scores {
        metrics: metrics.as_slice()?,
        human: human.as_slice()?,
        systems: human.shape()[0],
        segments: human.shape()[1],
    };
    let flags = flags.as_slice()?;
    if !scores.is_sound(flags) {
        return Err(PyValueError::new_err("metrics, people and flags are needed for the same systems and segments"));
    }
    let share = if kendall { Share::Kendall } else { Share::Agreement };
    let found = py.detach(|| swaps::swapped_shares(scores, flags, share, threads));
    matrix(py, found, 4 * draws, count * count.saturating_sub(1) / 2)
}
