//! Doors for kernels over scores: associations and tie thresholds under draws, and metrics that swap scores.

use assay_kernels::association::{self, Family, Groups, Weights};
use assay_kernels::swaps::{self, Scores, Share};
use assay_kernels::thresholds::{self, Sample};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{computed, matrix};

/// Two values and a unit for every item, groups by items.
type Cells<'py> = (PyReadonlyArray2<'py, f64>, PyReadonlyArray2<'py, f64>, PyReadonlyArray2<'py, u32>);

/// Items in groups and what their units weigh, which must fit.
fn groups<'a>(cells: &'a Cells<'_>, weights: &'a PyReadonlyArray2<'_, f64>) -> PyResult<(Groups<'a>, Weights<'a>)> {
    let count = cells.0.shape()[0];
    let groups = Groups { x: cells.0.as_slice()?, y: cells.1.as_slice()?, unit: cells.2.as_slice()?, count };
    let weights = Weights { table: weights.as_slice()?, draws: weights.shape()[1] };
    if groups.fit(weights) {
        Ok((groups, weights))
    } else {
        Err(PyValueError::new_err("two values and a unit are needed for every item, and weights for every unit"))
    }
}

/// The measures of a family (moments, ranks or pairs) under draws: measures times groups by draws.
#[pyfunction]
pub fn associations<'py>(
    py: Python<'py>,
    cells: Cells<'py>,
    weights: PyReadonlyArray2<'py, f64>,
    family: &str,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (groups, weights) = groups(&cells, &weights)?;
    let family = Family::of(family).ok_or_else(|| PyValueError::new_err(format!("no family is called {family}")))?;
    let found = computed(py, || association::associations(groups, weights, family))?;
    matrix(py, found, family.measures() * groups.count, weights.draws)
}

/// Both places of the pairs to look at; none given: all pairs.
type Places<'py> = Option<(PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>)>;

fn sample<'a>(pairs: &'a Places<'_>, groups: Groups<'_>) -> PyResult<Option<Sample<'a>>> {
    let Some((first, second)) = pairs else { return Ok(None) };
    let sample = Sample { first: first.as_slice()?, second: second.as_slice()? };
    if sample.fits(groups) {
        Ok(Some(sample))
    } else {
        Err(PyValueError::new_err("a pair is of two items of one group"))
    }
}

/// The agreement at the best tie threshold of each draw, and the thresholds: two by draws.
#[pyfunction]
pub fn best_thresholds<'py>(
    py: Python<'py>,
    cells: Cells<'py>,
    weights: PyReadonlyArray2<'py, f64>,
    counts: PyReadonlyArray2<'py, f64>,
    pairs: Places<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (groups, weights) = groups(&cells, &weights)?;
    let sample = sample(&pairs, groups)?;
    let draws = counts.shape()[1];
    if counts.shape()[0] != groups.count || (weights.draws != 1 && weights.draws != draws) {
        return Err(PyValueError::new_err("a count is needed for every group and draw"));
    }
    let counts = Weights { table: counts.as_slice()?, draws };
    let found = computed(py, || thresholds::best_thresholds(groups, weights, counts, sample))?;
    matrix(py, found, 2, draws)
}

/// Pairs that agree up to one threshold per draw, and all pairs, by what they weigh: two times groups by draws.
#[pyfunction]
pub fn agreement_at<'py>(
    py: Python<'py>,
    cells: Cells<'py>,
    weights: PyReadonlyArray2<'py, f64>,
    thresholds: PyReadonlyArray1<'py, f64>,
    pairs: Places<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (groups, weights) = groups(&cells, &weights)?;
    let (sample, thresholds) = (sample(&pairs, groups)?, thresholds.as_slice()?);
    if weights.draws != 1 && weights.draws != thresholds.len() {
        return Err(PyValueError::new_err("a threshold is needed for every draw"));
    }
    let found = computed(py, || thresholds::agreement_at(groups, weights, thresholds, sample))?;
    matrix(py, found, 2 * groups.count, thresholds.len())
}

/// Sums and counts over segments of what pairs of metrics that swap scores share with people: four blocks of draws by
/// pairs.
#[pyfunction]
pub fn swapped_shares<'py>(
    py: Python<'py>,
    metrics: PyReadonlyArray3<'py, f64>,
    human: PyReadonlyArray2<'py, f64>,
    flags: PyReadonlyArray3<'py, u8>,
    pairs: Vec<(usize, usize)>,
    kendall: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (count, draws) = (metrics.shape()[0], flags.shape()[0]);
    let scores = Scores {
        metrics: metrics.as_slice()?,
        human: human.as_slice()?,
        systems: human.shape()[0],
        segments: human.shape()[1],
    };
    let flags = flags.as_slice()?;
    if !scores.is_sound(flags) {
        return Err(PyValueError::new_err("metrics, people and flags are needed for the same systems and segments"));
    }
    if pairs.iter().any(|&(first, second)| first.max(second) >= count) {
        return Err(PyValueError::new_err("a pair is of two metrics that are there"));
    }
    let share = if kendall { Share::Kendall } else { Share::Agreement };
    let found = computed(py, || swaps::swapped_shares(scores, flags, &pairs, share, threads))?;
    matrix(py, found, 4 * draws, pairs.len())
}
