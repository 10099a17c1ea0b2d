//! The door for TER.

use assay_kernels::ter::{self, Options};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Pair, borrow, matrix};

/// Insertions, deletions, substitutions, shifts, words shifted and 1 if the search was cut short: segments by six.
#[pyfunction]
pub fn translation_edits<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    beam: usize,
    distance: usize,
    size: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let translations = borrow(&translations.0, &translations.1)?;
    let references = borrow(&references.0, &references.1)?;
    if references.len() != translations.len() {
        return Err(PyValueError::new_err("as many references as translations are needed"));
    }
    let rows = py.detach(|| ter::translation_edits(translations, references, options(beam, distance, size), threads));
    matrix(py, rows, translations.len(), ter::WIDTH)
}

/// What limits the search.
pub fn options(beam: usize, distance: usize, size: usize) -> Options {
    Options { beam, distance, size }
}
