//! Doors for GTM: match sizes of all segments, and the whole matching of one.

use assay_kernels::gtm::{self, Settings, WordWeights};
use assay_kernels::overlap::References;
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Pair, borrow_sides, computed, matrix};

/// Runs as row, column, cells and counted words; capped hits and all hits as row and column.
type Trace = (f64, f64, Vec<(u32, u32, u32, f64)>, Vec<(u32, u32)>, Vec<(u32, u32)>);

/// What each word of the translations weighs, and what may count at most in each segment.
type Weighing<'py> = (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>);

/// Weights of so many words of so many segments.
fn borrow_weights<'a>(
    weights: Option<&'a Weighing<'_>>,
    words: usize,
    segments: usize,
) -> PyResult<Option<WordWeights<'a>>> {
    let Some((weights, limits)) = weights else { return Ok(None) };
    let (weights, limits) = (weights.as_slice()?, limits.as_slice()?);
    if weights.len() != words || limits.len() != segments {
        return Err(PyValueError::new_err("a weight is needed for every word, and a limit for every segment"));
    }
    Ok(Some(WordWeights { words: weights, limits }))
}

/// Match sizes and what they cannot exceed: segments by two. `effort` of none matches greedily.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a door: the caller names them")]
pub fn match_sizes<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Vec<Pair<'py>>,
    present: PyReadonlyArray2<'py, bool>,
    weights: Option<Weighing<'py>>,
    exponent: f64,
    paper: bool,
    effort: Option<u64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (translations, sequences, present) = borrow_sides(&translations, &references, &present)?;
    let references = References { sequences: &sequences, present };
    let settings = Settings { exponent, paper, effort };
    let weights = borrow_weights(weights.as_ref(), translations.ids.len(), translations.len())?;
    let rows = computed(py, || gtm::match_sizes(translations, references, weights, settings, threads))?;
    matrix(py, rows, translations.len(), 2)
}

/// The matching of one segment: its size, its bound, its runs, capped hits, and all hits.
#[pyfunction]
pub fn matching(
    py: Python<'_>,
    translation: PyReadonlyArray1<'_, u64>,
    references: Vec<PyReadonlyArray1<'_, u64>>,
    weights: Option<Weighing<'_>>,
    exponent: f64,
    paper: bool,
    effort: Option<u64>,
) -> PyResult<Trace> {
    let translation = translation.as_slice()?;
    let references = references.iter().map(PyReadonlyArray1::as_slice).collect::<Result<Vec<_>, _>>()?;
    let weights = borrow_weights(weights.as_ref(), translation.len(), 1)?;
    let settings = Settings { exponent, paper, effort };
    let found = computed(py, || gtm::matching(translation, &references, weights, settings))?;
    let runs = found.runs.iter().map(|run| (run.row, run.column, run.cells, run.counted)).collect();
    Ok((found.size, found.bound, runs, found.capped, found.hits))
}
