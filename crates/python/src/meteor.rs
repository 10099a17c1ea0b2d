//! The door for METEOR: how words are linked, and what the links of each segment add up to.

use std::collections::HashSet;
use std::sync::Arc;

use assay_kernels::hashing::token_id;
use assay_kernels::meteor::{self as kernel, Views};
use assay_kernels::sequences::Sequences;
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arrays::{borrow, matrix};
use crate::synonyms::Synonyms;

type Pair<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, i64>);

/// The words of one side, then its stems, base forms, folded words and sizes, where they are needed.
type Side<'py> = (Pair<'py>, Option<Pair<'py>>, Option<Pair<'py>>, Option<Pair<'py>>, Option<Pair<'py>>);

/// Reference start and length, translation start and length, and the place of the module.
type Link = (u32, u16, u32, u16, u8);

/// Links words of translations with words of references.
#[pyclass(frozen, module = "assay.kernels._compiled")]
pub struct MeteorMatcher {
    stem: bool,
    synonyms: Option<Arc<assay_kernels::synonyms::Synonyms>>,
    function_words: HashSet<u64>,
    beam: usize,
}

#[pymethods]
impl MeteorMatcher {
    #[new]
    #[pyo3(signature = (*, stem, synonyms, function_words, beam))]
    fn new(
        stem: bool,
        synonyms: Option<PyRef<'_, Synonyms>>,
        function_words: Vec<PyBackedStr>,
        beam: usize,
    ) -> PyResult<Self> {
        if beam == 0 {
            return Err(PyValueError::new_err("a beam keeps at least one path"));
        }
        Ok(Self {
            stem,
            synonyms: synonyms.map(|synonyms| Arc::clone(&synonyms.0)),
            function_words: function_words.iter().map(|word| token_id(word)).collect(),
            beam,
        })
    }

    /// One row per segment.
    fn count<'py>(
        &self,
        py: Python<'py>,
        translations: Side<'py>,
        references: Side<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (translations, references) = sides(&translations, &references)?;
        let matcher = self.matcher();
        let rows = py.detach(|| matcher.count(&translations, &references, threads));
        matrix(py, rows, translations.words.len(), kernel::width(matcher.modules()))
    }

    /// The links of one segment, in the order of the reference.
    fn links(&self, translations: Side<'_>, references: Side<'_>, segment: usize) -> PyResult<Vec<Link>> {
        let (translations, references) = sides(&translations, &references)?;
        if segment >= translations.words.len() {
            return Err(PyValueError::new_err("no such segment"));
        }
        let links = self.matcher().links(&translations, &references, segment);
        let plain = |link: &kernel::Link| {
            (link.reference, link.reference_length, link.translation, link.translation_length, link.module)
        };
        Ok(links.iter().map(plain).collect())
    }
}

impl MeteorMatcher {
    fn matcher(&self) -> kernel::Matcher<'_> {
        kernel::Matcher {
            stem: self.stem,
            synonyms: self.synonyms.as_deref(),
            beam: self.beam,
            function_words: &self.function_words,
        }
    }
}

fn sides<'a>(translations: &'a Side<'_>, references: &'a Side<'_>) -> PyResult<(Views<'a>, Views<'a>)> {
    let (translations, references) = (views(translations)?, views(references)?);
    let fits = translations.words.len() == references.words.len();
    if fits && translations.is_sound() && references.is_sound() {
        Ok((translations, references))
    } else {
        Err(PyValueError::new_err("as many ids are needed in every view, and segments on both sides"))
    }
}

fn views<'a>(side: &'a Side<'_>) -> PyResult<Views<'a>> {
    let other = |pair: &'a Option<Pair<'_>>| -> PyResult<Option<Sequences<'a>>> {
        pair.as_ref().map(|pair| borrow(&pair.0, &pair.1)).transpose()
    };
    Ok(Views {
        words: borrow(&side.0.0, &side.0.1)?,
        stems: other(&side.1)?,
        bases: other(&side.2)?,
        folded: other(&side.3)?,
        sizes: other(&side.4)?,
    })
}
