//! Doors for text: Python strings and file contents to one buffer with bounds.

use assay_kernels::hashing;
use assay_kernels::lines;
use assay_kernels::sequences::Texts;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::arrays::computed;

type Bounds<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// One UTF-8 buffer out of a list of strings, with the bounds of each.
///
/// Raises `TypeError(index)` at what is not a string and `UnicodeError(index)` at a lone surrogate.
#[pyfunction]
pub fn pack<'py>(py: Python<'py>, texts: &Bound<'py, PyList>) -> PyResult<(Bound<'py, PyBytes>, Bounds<'py>)> {
    let mut strings = Vec::with_capacity(texts.len());
    for (index, item) in texts.iter().enumerate() {
        let text = item.cast_into::<PyString>().map_err(|_| PyTypeError::new_err(index))?;
        strings.push(PyBackedStr::try_from(text).map_err(|_| PyUnicodeError::new_err(index))?);
    }
    let mut end = 0;
    let ends: Vec<i64> = strings
        .iter()
        .map(|text| {
            end += text.len() as i64;
            end
        })
        .collect();
    let starts: Vec<i64> = strings.iter().zip(&ends).map(|(text, end)| end - text.len() as i64).collect();
    let buffer = PyBytes::new_with(py, end as usize, |bytes| {
        for (text, &start) in strings.iter().zip(&starts) {
            bytes[start as usize..start as usize + text.len()].copy_from_slice(text.as_bytes());
        }
        Ok(())
    })?;
    Ok((buffer, (PyArray1::from_vec(py, starts), PyArray1::from_vec(py, ends))))
}

/// Where the lines of a buffer begin and end. Raises `ValueError(line, column, byte)` at a bad byte.
#[pyfunction]
pub fn scan_lines<'py>(py: Python<'py>, buffer: &Bound<'py, PyBytes>) -> PyResult<Bounds<'py>> {
    let bytes = buffer.as_bytes();
    let (starts, ends) = computed(py, || lines::scan(bytes))?
        .map_err(|flaw| PyValueError::new_err((flaw.line, flaw.column, flaw.byte)))?;
    Ok((PyArray1::from_vec(py, starts), PyArray1::from_vec(py, ends)))
}

/// A 128-bit digest of the texts, as 32 hexadecimal digits.
#[pyfunction]
pub fn digest(
    py: Python<'_>,
    buffer: &Bound<'_, PyBytes>,
    starts: PyReadonlyArray1<'_, i64>,
    ends: PyReadonlyArray1<'_, i64>,
) -> PyResult<String> {
    let texts = texts(buffer, &starts, &ends)?;
    let digest = py.detach(|| hashing::digest((0..texts.len()).map(|index| texts.bytes(index))));
    Ok(format!("{digest:032x}"))
}

/// Borrowed texts, their bounds checked once.
pub fn texts<'a>(
    buffer: &'a Bound<'_, PyBytes>,
    starts: &'a PyReadonlyArray1<'_, i64>,
    ends: &'a PyReadonlyArray1<'_, i64>,
) -> PyResult<Texts<'a>> {
    let texts = Texts { buffer: buffer.as_bytes(), starts: starts.as_slice()?, ends: ends.as_slice()? };
    let size = texts.buffer.len() as i64;
    let sound = texts.starts.len() == texts.ends.len()
        && texts.starts.iter().zip(texts.ends).all(|(&start, &end)| 0 <= start && start <= end && end <= size);
    if sound { Ok(texts) } else { Err(PyValueError::new_err("bounds outside the buffer")) }
}
