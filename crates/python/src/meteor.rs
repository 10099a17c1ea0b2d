//! The door for METEOR: how words are linked, and what the links of each segment add up to.

use std::sync::Arc;

use assay_kernels::hashing::IdSet;
use assay_kernels::meteor::{self as kernel, Aligner, Views};
use assay_kernels::sequences::Sequences;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Pair, borrow, computed, matrix};
use crate::paraphrases::Paraphrases;
use crate::synonyms::Synonyms;

/// The words of one side, then its stems, base forms, folded words and sizes, where they are needed.
type Side<'py> = (Pair<'py>, Option<Pair<'py>>, Option<Pair<'py>>, Option<Pair<'py>>, Option<Pair<'py>>);

/// Reference start and length, translation start and length, and the place of the module.
type Link = (u32, u16, u32, u16, u8);

/// Links words of translations with words of references.
#[pyclass(frozen, module = "assay.kernels._compiled")]
pub struct MeteorMatcher {
    stem: bool,
    synonyms: Option<Arc<assay_kernels::synonyms::Synonyms>>,
    paraphrases: Option<Arc<assay_kernels::paraphrases::Paraphrases>>,
    function_words: IdSet,
    aligner: Aligner,
}

#[pymethods]
impl MeteorMatcher {
    /// `aligner` is `meteor15`, `optimal` or `staged`; `beam` belongs to the first, `weights` to the second.
    #[new]
    #[pyo3(signature = (*, stem, synonyms, paraphrases, function_words, aligner, beam, weights))]
    fn new(
        stem: bool,
        synonyms: Option<PyRef<'_, Synonyms>>,
        paraphrases: Option<PyRef<'_, Paraphrases>>,
        function_words: PyReadonlyArray1<'_, u64>,
        aligner: &str,
        beam: usize,
        weights: Vec<f64>,
    ) -> PyResult<Self> {
        let matcher = Self {
            stem,
            synonyms: synonyms.map(|synonyms| Arc::clone(&synonyms.0)),
            paraphrases: paraphrases.map(|paraphrases| Arc::clone(&paraphrases.0)),
            function_words: function_words.as_slice()?.iter().copied().collect(),
            aligner: match aligner {
                "meteor15" if beam > 0 => Aligner::Meteor15 { beam },
                "optimal" => Aligner::Optimal { weights },
                "staged" => Aligner::Staged,
                other => return Err(PyValueError::new_err(format!("no aligner {other:?} with a beam of {beam}"))),
            },
        };
        match &matcher.aligner {
            Aligner::Optimal { weights } if weights.len() != matcher.matcher().modules() => {
                Err(PyValueError::new_err("a weight is needed for every module"))
            }
            _ => Ok(matcher),
        }
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
        let rows = computed(py, || matcher.count(&translations, &references, threads))?;
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
            paraphrases: self.paraphrases.as_deref(),
            aligner: self.aligner.clone(),
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

/// Words, base forms and names of one side.
type NamedPairs<'py> = (Pair<'py>, Pair<'py>, Pair<'py>);

fn named<'a>(pairs: &'a NamedPairs<'_>) -> PyResult<kernel::Named<'a>> {
    let (words, bases, names) =
        (borrow(&pairs.0.0, &pairs.0.1)?, borrow(&pairs.1.0, &pairs.1.1)?, borrow(&pairs.2.0, &pairs.2.1)?);
    let alike = words.offsets == bases.offsets && words.offsets == names.offsets;
    let side = kernel::Named { words, bases, names };
    alike.then_some(side).ok_or_else(|| PyValueError::new_err("a base form and a name are needed for every word"))
}

/// Names of all words of translations, and of all words of references.
type Names<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

/// The names of all words of translations and of references once synonyms have one name, too.
#[pyfunction]
pub fn join_synonyms<'py>(
    py: Python<'py>,
    translations: NamedPairs<'py>,
    references: NamedPairs<'py>,
    synonyms: PyRef<'py, Synonyms>,
    threads: usize,
) -> PyResult<Names<'py>> {
    let (ours, theirs) = (named(&translations)?, named(&references)?);
    if ours.words.len() != theirs.words.len() {
        return Err(PyValueError::new_err("as many references as translations are needed"));
    }
    let synonyms = Arc::clone(&synonyms.0);
    let (ours, theirs) = computed(py, || kernel::join_synonyms(ours, theirs, &synonyms, threads))?;
    Ok((PyArray1::from_vec(py, ours), PyArray1::from_vec(py, theirs)))
}
