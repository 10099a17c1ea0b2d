//! The door for synonyms, and for the ids of single tokens.

use std::sync::Arc;

use assay_kernels::hashing::{digest, token_id};
use assay_kernels::synonyms as kernel;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyBytes;

/// Sets of synonyms by word, and base forms; shared by all recipes and kernels that use it.
#[pyclass(frozen, module = "assay.kernels._compiled")]
pub struct Synonyms(pub Arc<kernel::Synonyms>);

#[pymethods]
impl Synonyms {
    /// The dictionary in the bytes of a table.
    #[staticmethod]
    fn from_table(py: Python<'_>, table: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let bytes = table.as_bytes();
        let synonyms = py.detach(|| kernel::Synonyms::from_table(bytes)).map_err(PyValueError::new_err)?;
        Ok(Self(Arc::new(synonyms)))
    }

    /// A dictionary out of words with their sets and irregular forms with their bases.
    #[staticmethod]
    fn from_entries(
        words: Vec<(PyBackedStr, Vec<u32>)>,
        exceptions: Vec<(PyBackedStr, Vec<PyBackedStr>)>,
        english_suffixes: bool,
    ) -> Self {
        let words = words.iter().map(|(word, senses)| (&**word, senses.clone()));
        let exceptions = exceptions.iter().map(|(form, bases)| (&**form, bases.iter().map(|base| &**base).collect()));
        Self(Arc::new(kernel::Synonyms::new(words, exceptions, english_suffixes)))
    }

    /// The bytes that `from_table` reads.
    fn table<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_table())
    }

    /// A 128-bit digest of all that is in the dictionary, as 32 hexadecimal digits.
    #[getter]
    fn digest(&self, py: Python<'_>) -> String {
        py.detach(|| format!("{:032x}", digest(std::iter::once(self.0.to_table().as_slice()))))
    }

    /// How many words are in a set.
    #[getter]
    fn words(&self) -> usize {
        self.0.words()
    }

    /// How many irregular forms there are.
    #[getter]
    fn forms(&self) -> usize {
        self.0.forms()
    }

    /// How many words have an irregular form.
    #[getter]
    fn bases(&self) -> usize {
        self.0.bases()
    }

    /// The sets of a word as METEOR looks them up: its own, and those of its bases.
    fn senses(&self, word: &str) -> Vec<u32> {
        let mut found = Vec::new();
        self.0.senses(token_id(word), token_id(&self.0.base(word)), &mut found);
        found
    }

    /// METEOR's base form of a word; the word itself if it has none.
    fn base(&self, word: &str) -> String {
        self.0.base(word).into_owned()
    }

    /// The form under which the dictionary has a word; the word itself if it has it not.
    fn lemma(&self, word: &str) -> String {
        self.0.lemma(word).into_owned()
    }
}

/// The ids of tokens, as every recipe gives them.
#[pyfunction]
pub fn token_ids(py: Python<'_>, tokens: Vec<PyBackedStr>) -> Bound<'_, PyArray1<u64>> {
    PyArray1::from_vec(py, tokens.iter().map(|token| token_id(token)).collect())
}
