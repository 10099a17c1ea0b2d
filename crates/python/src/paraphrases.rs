//! The door for paraphrases: pieces of a table in, a look-up out.

use std::sync::Arc;

use assay_kernels::hashing::{EMPTY, extend, token_id};
use assay_kernels::paraphrases::{self as kernel, Flaw, Reader};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Reads a table in METEOR's format, piece by piece. Raises `ValueError(line, what)` at what is wrong.
#[pyclass(module = "assay.kernels._compiled")]
#[derive(Default)]
pub struct ParaphraseReader(Option<Reader>);

#[pymethods]
impl ParaphraseReader {
    /// A reader that has read nothing yet.
    #[new]
    fn new() -> Self {
        Self(Some(Reader::default()))
    }

    /// Reads on.
    fn feed(&mut self, py: Python<'_>, piece: &Bound<'_, PyBytes>) -> PyResult<()> {
        let bytes = piece.as_bytes();
        let reader = self.0.as_mut().ok_or_else(finished)?;
        py.detach(|| reader.feed(bytes)).map_err(flaw)
    }

    /// The table, when all of it has been read.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Paraphrases> {
        let reader = self.0.take().ok_or_else(finished)?;
        Ok(Paraphrases(Arc::new(py.detach(|| reader.finish()).map_err(flaw)?)))
    }
}

/// Phrases and their paraphrases.
#[pyclass(frozen, module = "assay.kernels._compiled")]
pub struct Paraphrases(pub Arc<kernel::Paraphrases>);

#[pymethods]
impl Paraphrases {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// How many phrases have a paraphrase.
    #[getter]
    fn phrases(&self) -> usize {
        self.0.phrases()
    }

    /// The words of the longest phrase or paraphrase.
    #[getter]
    fn longest(&self) -> usize {
        self.0.longest()
    }

    /// A 128-bit digest of the table's text, as 32 hexadecimal digits.
    #[getter]
    fn digest(&self) -> String {
        format!("{:032x}", self.0.digest())
    }

    /// Key and number of words of each paraphrase of a phrase, in the table's order.
    fn of(&self, phrase: &str) -> Vec<(u64, usize)> {
        self.0.of(phrase_key(phrase)).collect()
    }
}

/// The key under which paraphrases know a phrase.
#[pyfunction]
pub fn phrase_key(phrase: &str) -> u64 {
    phrase.split_ascii_whitespace().fold(EMPTY, |key, word| extend(key, token_id(word)))
}

fn flaw(flaw: Flaw) -> PyErr {
    PyValueError::new_err((flaw.line, flaw.what))
}

fn finished() -> PyErr {
    PyValueError::new_err((0, "this reader has finished"))
}
