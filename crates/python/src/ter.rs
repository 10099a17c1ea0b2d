//! The door for TER: counts of many segments, or what was done to one.

use assay_kernels::ter::{self, Options, Search};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Pair, borrow, matrix};

/// An operation, and the positions in the translation as it was written and in the reference.
type Edit = (&'static str, Option<usize>, Option<usize>);

/// The words that move, as positions in the translation as it was written, and where the block began and begins.
type Shift = (Vec<usize>, usize, usize);

/// Insertions, deletions, substitutions, shifts, words shifted and 1 if the search was cut short: segments by six.
#[pyfunction]
pub fn translation_edits<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    options: (usize, usize, usize),
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let translations = borrow(&translations.0, &translations.1)?;
    let references = borrow(&references.0, &references.1)?;
    if references.len() != translations.len() {
        return Err(PyValueError::new_err("as many references as translations are needed"));
    }
    let rows = py.detach(|| ter::translation_edits(translations, references, named(options), threads));
    matrix(py, rows, translations.len(), ter::WIDTH)
}

/// The edits of one segment in the order of the reference, and the shifts before them.
#[pyfunction]
pub fn translation_edit_script(
    translation: PyReadonlyArray1<'_, u64>,
    reference: PyReadonlyArray1<'_, u64>,
    options: (usize, usize, usize),
) -> PyResult<(Vec<Edit>, Vec<Shift>)> {
    let mut search = Search::default();
    search.run(translation.as_slice()?, reference.as_slice()?, named(options));
    let edits = search.edits().into_iter().map(|(step, word, place)| (step.name(), word, place)).collect();
    let shifts = search.blocks().into_iter().map(|block| (block.words, block.source, block.target)).collect();
    Ok((edits, shifts))
}

/// Beam, distance and size, in this order.
fn named((beam, distance, size): (usize, usize, usize)) -> Options {
    Options { beam, distance, size }
}
