//! The door for BLANC: common skip-n-grams of all segments.

use assay_kernels::blanc::{self, Limits};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Pair, counted_pairs};

/// Common words, and common skip-n-grams by size and bucket of gaps: a row per segment, of NaN where effort ran out.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a door: the caller names them")]
pub fn common_skip_ngrams<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    order: usize,
    gaps: Vec<usize>,
    beyond: bool,
    effort: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    if order == 0 || gaps.is_empty() || !gaps.is_sorted() {
        return Err(PyValueError::new_err("an order and ascending gaps are needed"));
    }
    let limits = Limits { order, gaps: &gaps, beyond, effort };
    counted_pairs(py, &translations, &references, limits.width(), |ours, theirs| {
        blanc::common_skip_ngrams(ours, theirs, limits, threads)
    })
}
