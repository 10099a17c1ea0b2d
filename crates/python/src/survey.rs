//! The door for NIST's survey of the references.

use assay_kernels::information;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{borrow, computed};

type Arrays<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>, u64);

/// How often each n-gram stands in the references; surveys of shards add up.
#[pyclass(module = "assay.kernels._compiled")]
#[derive(Default)]
pub struct Survey(pub information::Survey);

#[pymethods]
impl Survey {
    /// An empty survey.
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Counts the n-grams of the segments that are present.
    fn add(
        &mut self,
        py: Python<'_>,
        ids: PyReadonlyArray1<'_, u64>,
        offsets: PyReadonlyArray1<'_, i64>,
        present: PyReadonlyArray1<'_, bool>,
        order: usize,
    ) -> PyResult<()> {
        let sequences = borrow(&ids, &offsets)?;
        let present = present.as_slice()?;
        computed(py, || self.0.add(sequences, present, order))?;
        Ok(())
    }

    /// Adds what another survey counted.
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// Keys sorted, their counts, and the number of words: equal texts give equal arrays.
    fn arrays<'py>(&self, py: Python<'py>) -> Arrays<'py> {
        let mut entries: Vec<_> = self.0.entries().collect();
        entries.sort_unstable();
        let (keys, counts): (Vec<u64>, Vec<u64>) = entries.into_iter().unzip();
        (PyArray1::from_vec(py, keys), PyArray1::from_vec(py, counts), self.0.words)
    }

    /// The survey that gave these arrays.
    #[staticmethod]
    fn from_arrays(keys: PyReadonlyArray1<'_, u64>, counts: PyReadonlyArray1<'_, u64>, words: u64) -> PyResult<Self> {
        let entries = keys.as_slice()?.iter().copied().zip(counts.as_slice()?.iter().copied());
        Ok(Self(information::Survey::from_entries(entries, words)))
    }
}
