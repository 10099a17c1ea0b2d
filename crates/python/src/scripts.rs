//! Doors for looking closely: the edits behind the counts of one segment.

use assay_kernels::edits::Workshop;
use assay_kernels::steps::{self, with_positions};
use assay_kernels::ter::Search;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::ter::{Limits, convention};

/// An operation, and the positions in the translation as it was written and in the reference.
type Edit = (&'static str, Option<usize>, Option<usize>);

/// The words that move, as positions in the translation as it was written, and where the block began and begins.
type Shift = (Vec<usize>, usize, usize);

/// The edits of one segment in the order of the reference, as `edit_operations` counts them.
#[pyfunction]
pub fn edit_script(
    translation: PyReadonlyArray1<'_, u64>,
    reference: PyReadonlyArray1<'_, u64>,
) -> PyResult<Vec<Edit>> {
    let translation = translation.as_slice()?;
    let steps = Workshop::default().steps(reference.as_slice()?, translation);
    Ok(named(with_positions(&steps, 0..translation.len())))
}

/// The edits of one segment in the order of the reference and the shifts before them, as `translation_edits` counts them.
#[pyfunction]
pub fn translation_edit_script(
    translation: PyReadonlyArray1<'_, u64>,
    reference: PyReadonlyArray1<'_, u64>,
    limits: Option<Limits>,
) -> PyResult<(Vec<Edit>, Vec<Shift>)> {
    let mut search = Search::default();
    search.run(translation.as_slice()?, reference.as_slice()?, convention(limits));
    let shifts = search.blocks().into_iter().map(|block| (block.words, block.source, block.target)).collect();
    Ok((named(search.edits()), shifts))
}

fn named(edits: Vec<steps::Edit>) -> Vec<Edit> {
    edits.into_iter().map(|(step, word, place)| (step.name(), word, place)).collect()
}
