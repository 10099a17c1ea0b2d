//! Doors for random draws.

use assay_kernels::draws::{self, Stream};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{computed, matrix};

/// How often each unit counts: draws by units.
#[pyfunction]
pub fn draw_counts<'py>(
    py: Python<'py>,
    stream: (u32, u32),
    keys: PyReadonlyArray1<'py, u64>,
    first: usize,
    draws: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let keys = keys.as_slice()?;
    let table = computed(py, || draws::counts(of(stream), keys, first, draws))?;
    matrix(py, table, draws, keys.len())
}

/// Whether each unit changes places: draws by units.
#[pyfunction]
pub fn draw_swaps<'py>(
    py: Python<'py>,
    stream: (u32, u32),
    keys: PyReadonlyArray1<'py, u64>,
    first: usize,
    draws: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let keys = keys.as_slice()?;
    let table = computed(py, || draws::swaps(of(stream), keys, first, draws))?;
    matrix(py, table, draws, keys.len())
}

/// A random number of each unit, to sort them by.
#[pyfunction]
pub fn draw_order<'py>(
    py: Python<'py>,
    stream: (u32, u32),
    keys: PyReadonlyArray1<'py, u64>,
    draw: u32,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let keys = keys.as_slice()?;
    Ok(PyArray1::from_vec(py, computed(py, || draws::order(of(stream), keys, draw))?))
}

/// Keys of names.
#[pyfunction]
pub fn text_keys(py: Python<'_>, names: Vec<String>) -> Bound<'_, PyArray1<u64>> {
    PyArray1::from_vec(py, names.iter().map(|name| draws::text_key(name)).collect())
}

fn of((seed, purpose): (u32, u32)) -> Stream {
    Stream { seed, purpose }
}
