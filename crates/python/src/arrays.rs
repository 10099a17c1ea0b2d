//! Doors for kernels over ids: borrowed arrays in, one matrix out, a row per segment.

use assay_kernels::character_ter::{self, Words};
use assay_kernels::edits;
use assay_kernels::information;
use assay_kernels::jumps::{self, Costs};
use assay_kernels::overlap::{self, References};
use assay_kernels::ranks;
use assay_kernels::room;
use assay_kernels::sequences::Sequences;
use assay_kernels::subsequences;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::survey::Survey;

/// Ids and offsets as Python hands them over.
pub type Pair<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, i64>);

/// Clipped n-gram matches with any reference: segments by orders.
#[pyfunction]
pub fn clipped_matches<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Vec<Pair<'py>>,
    present: PyReadonlyArray2<'py, bool>,
    order: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (translations, sequences, present) = borrow_sides(&translations, &references, &present)?;
    let references = References { sequences: &sequences, present };
    let rows = computed(py, || overlap::clipped_matches(translations, references, order, threads))?;
    matrix(py, rows, translations.len(), order)
}

/// The information of clipped n-gram matches with any reference: segments by orders.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a door: the caller names them")]
pub fn matched_information<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Vec<Pair<'py>>,
    present: PyReadonlyArray2<'py, bool>,
    survey: &Survey,
    order: usize,
    zero_quirk: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (translations, sequences, present) = borrow_sides(&translations, &references, &present)?;
    let references = References { sequences: &sequences, present };
    let survey = &survey.0;
    let rows = computed(py, || {
        information::matched_information(translations, references, survey, order, zero_quirk, threads)
    })?;
    matrix(py, rows, translations.len(), order)
}

/// Segments, lengths less one, n-grams and histories of all clipped matches.
type Matches<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

/// The clipped n-gram matches with any reference themselves.
#[pyfunction]
pub fn matched_ngrams<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Vec<Pair<'py>>,
    present: PyReadonlyArray2<'py, bool>,
    order: usize,
    zero_quirk: bool,
) -> PyResult<Matches<'py>> {
    let (translations, sequences, present) = borrow_sides(&translations, &references, &present)?;
    let references = References { sequences: &sequences, present };
    let found = computed(py, || information::matched_ngrams(translations, references, order, zero_quirk))?;
    Ok((
        PyArray1::from_vec(py, found.segments),
        PyArray1::from_vec(py, found.lengths),
        PyArray1::from_vec(py, found.keys),
        PyArray1::from_vec(py, found.histories),
    ))
}

/// Hits, substitutions, deletions and insertions against one reference: segments by four.
#[pyfunction]
pub fn edit_operations<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    counted_pairs(py, &translations, &references, 4, |ours, theirs| edits::edit_operations(ours, theirs, threads))
}

/// Words with a place in one reference, and pairs of them in its order: segments by two.
#[pyfunction]
pub fn ranked_words<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    counted_pairs(py, &translations, &references, 2, |ours, theirs| ranks::ranked_words(ours, theirs, threads))
}

/// What the best common subsequence with one reference counts: segments by one.
#[pyfunction]
pub fn common_subsequences<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    weight: f64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    counted_pairs(py, &translations, &references, 1, |ours, theirs| {
        subsequences::common_subsequences(ours, theirs, weight, threads)
    })
}

/// The cost of edits with jumps, and places that are visited not at all or again: segments by two.
///
/// `costs` are those of a jump, a deletion and an insertion.
#[pyfunction]
pub fn jumping_edits<'py>(
    py: Python<'py>,
    translations: Pair<'py>,
    references: Pair<'py>,
    costs: (f64, f64, f64),
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let costs = Costs { jump: costs.0, deletion: costs.1, insertion: costs.2 };
    counted_pairs(py, &translations, &references, 2, |ours, theirs| jumps::jumping_edits(ours, theirs, costs, threads))
}

/// Edits of characters, the cost of shifts and the translation's characters: segments by three.
///
/// Each side is the characters of its words, and the lengths of its words in UTF-16 units.
#[pyfunction]
pub fn character_edits<'py>(
    py: Python<'py>,
    translations: (Pair<'py>, Pair<'py>),
    references: (Pair<'py>, Pair<'py>),
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (characters, their_characters) = borrow_pairs(&translations.0, &references.0)?;
    let (lengths, their_lengths) = borrow_pairs(&translations.1, &references.1)?;
    if characters.len() != lengths.len() {
        return Err(PyValueError::new_err("characters and lengths of the same segments are needed"));
    }
    let (ours, theirs) =
        (Words { characters, lengths }, Words { characters: their_characters, lengths: their_lengths });
    let rows = computed(py, || character_ter::character_edits(ours, theirs, threads))?;
    matrix(py, rows, lengths.len(), 3)
}

/// What a kernel gives, while others may run Python; where memory runs out that is an error like any other.
pub fn computed<Output: Send>(py: Python<'_>, work: impl FnOnce() -> Output + Send) -> PyResult<Output> {
    py.detach(|| room::within(work)).map_err(|_| PyMemoryError::new_err("a kernel needs more memory than there is"))
}

/// What a kernel counts of translations and one reference of each: a row of `width` numbers per segment.
pub fn counted_pairs<'py>(
    py: Python<'py>,
    translations: &Pair<'py>,
    references: &Pair<'py>,
    width: usize,
    count: impl FnOnce(Sequences<'_>, Sequences<'_>) -> Vec<f64> + Send,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (translations, references) = borrow_pairs(translations, references)?;
    let rows = computed(py, || count(translations, references))?;
    matrix(py, rows, translations.len(), width)
}

/// Borrowed sequences, their offsets checked once.
pub fn borrow<'a>(
    ids: &'a PyReadonlyArray1<'_, u64>,
    offsets: &'a PyReadonlyArray1<'_, i64>,
) -> PyResult<Sequences<'a>> {
    let sequences = Sequences { ids: ids.as_slice()?, offsets: offsets.as_slice()? };
    if sequences.is_sound() { Ok(sequences) } else { Err(PyValueError::new_err("offsets outside the ids")) }
}

/// Translations and one reference of each.
fn borrow_pairs<'a>(ours: &'a Pair<'_>, theirs: &'a Pair<'_>) -> PyResult<(Sequences<'a>, Sequences<'a>)> {
    let (ours, theirs) = (borrow(&ours.0, &ours.1)?, borrow(&theirs.0, &theirs.1)?);
    let fit = ours.len() == theirs.len();
    fit.then_some((ours, theirs)).ok_or_else(|| PyValueError::new_err("as many references as translations are needed"))
}

/// Translations, references and presence flags, which must be about the same segments.
pub fn borrow_sides<'a>(
    translations: &'a Pair<'_>,
    references: &'a [Pair<'_>],
    present: &'a PyReadonlyArray2<'_, bool>,
) -> PyResult<(Sequences<'a>, Vec<Sequences<'a>>, &'a [bool])> {
    let translations = borrow(&translations.0, &translations.1)?;
    let references = references.iter().map(|pair| borrow(&pair.0, &pair.1)).collect::<PyResult<Vec<_>>>()?;
    let present = present.as_slice()?;
    let segments = translations.len();
    if references.iter().any(|reference| reference.len() != segments) || present.len() != references.len() * segments {
        return Err(PyValueError::new_err("references and flags are needed for every segment"));
    }
    Ok((translations, references, present))
}

/// One row of `width` numbers per segment.
pub fn matrix<T: numpy::Element>(
    py: Python<'_>,
    rows: Vec<T>,
    segments: usize,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    PyArray1::from_vec(py, rows).reshape([segments, width])
}
