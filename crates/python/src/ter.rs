//! The door for TER.

use assay_kernels::ter::{self, Convention, Options};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays::{Pair, counted_pairs};

/// Insertions, deletions, substitutions, shifts, words shifted and 1 if the search was cut short: segments by six.
#[pyfunction]
pub fn translation_edits<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    limits: Option<Limits>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    counted_pairs(py, &translations, &references, ter::WIDTH, |ours, theirs| {
        ter::translation_edits(ours, theirs, convention(limits), threads)
    })
}

/// Beam, distance and size of `TERcom`'s search.
pub type Limits = (usize, usize, usize);

/// `TERcom`'s search within these limits, or sacreBLEU's.
pub fn convention(limits: Option<Limits>) -> Convention {
    limits.map_or(Convention::Sacrebleu, |(beam, distance, size)| Convention::Tercom(Options { beam, distance, size }))
}
