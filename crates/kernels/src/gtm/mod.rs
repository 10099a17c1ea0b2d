//! GTM (Turian, Shen & Melamed 2003) as version 1.4 of the program computes it, and its true maximum.

mod board;
mod exact;
mod greedy;
mod grid;
mod objective;
mod relaxation;
mod search;
mod weights;

use greedy::Greedy;
pub use greedy::Run;
use grid::Grid;
use weights::Weights;

use crate::overlap::References;
use crate::parallel::fill_rows;
use crate::room::filled;
use crate::sequences::Sequences;

/// Weights above this would come near the end of what a number can hold.
const LARGEST: f64 = 1e290;

/// How match sizes are found.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What run lengths are raised to.
    pub exponent: f64,
    /// Whether the cap deletes whole hits from a finished matching, as in the paper, or ends the greedy pass, as in the
    /// program.
    pub paper: bool,
    /// Steps that the search for the true maximum may take in a segment; without it the matching is greedy.
    pub effort: Option<u64>,
}

/// Weights of words. A run then counts what its words weigh together, and the heaviest comes first.
#[derive(Clone, Copy, Debug)]
pub struct WordWeights<'a> {
    /// What each word of the translations weighs, one segment after the other.
    pub words: &'a [f64],
    /// What may count at most in each segment.
    pub limits: &'a [f64],
}

/// The matching of one segment.
#[derive(Debug)]
pub struct Matching {
    /// The match size.
    pub size: f64,
    /// What no matching can exceed; infinite where nobody searched.
    pub bound: f64,
    /// The chosen runs.
    pub runs: Vec<Run>,
    /// Hits that the cap kept out.
    pub capped: Vec<(u32, u32)>,
    /// All hits, row by row.
    pub hits: Vec<(u32, u32)>,
}

#[derive(Default)]
struct Workshop {
    grid: Grid,
    greedy: Greedy,
}

impl Workshop {
    /// Match size and bound; runs stay in `greedy` unless the search found them.
    fn size(&mut self, settings: Settings, trace: bool) -> (f64, f64, Option<exact::Exact>) {
        let limit = self.grid.limit;
        if let Some(effort) = settings.effort {
            let limit = if settings.paper { limit.floor() } else { limit };
            let found = exact::maximum(&self.grid, &mut self.greedy, settings.exponent, limit, effort);
            return (found.size, found.bound, Some(found));
        }
        if settings.paper {
            self.greedy.choose(&self.grid, f64::INFINITY);
            self.greedy.pare(limit);
        } else {
            self.greedy.choose(&self.grid, limit);
            if trace {
                self.greedy.choose_capped();
            }
        }
        let plain = self.grid.weights.is_empty();
        let first = self.greedy.runs.first();
        let longest = first.map_or(0.0, |run| if plain { f64::from(run.cells) } else { run.counted });
        let weights = Weights::new(settings.exponent, longest, LARGEST);
        let sum = self.greedy.runs.iter().map(|run| weights.of(run.counted)).sum();
        (weights.root(sum), f64::INFINITY, None)
    }
}

/// The match size of each segment, and what it cannot exceed (infinite without a search): two numbers per segment.
///
/// "a b c a b" against "a b x a b c" has runs of three and two words: with an exponent of 2 the size is the root of 13.
///
/// Words may have weights, which the search for the true maximum does not look at. Where "a" weighs 3 and the others 1,
/// the runs weigh 5 and 4, and the size is the root of 41.
pub fn match_sizes(
    translations: Sequences<'_>,
    references: References<'_>,
    weights: Option<WordWeights<'_>>,
    settings: Settings,
    threads: usize,
) -> Vec<f64> {
    let mut rows = filled(translations.len() * 2, 0.0);
    fill_rows(&mut rows, 2, threads, Workshop::default, |workshop, segment, row| {
        workshop.grid.lay(translations.segment(segment), references.of(segment));
        if let Some(WordWeights { words, limits }) = weights {
            let words = &words[translations.offsets[segment] as usize..translations.offsets[segment + 1] as usize];
            workshop.grid.weigh(words, limits[segment]);
        }
        (row[0], row[1], _) = workshop.size(settings, false);
    });
    rows
}

/// The whole matching of one segment; weights, where there are any, are those of its words, and of one limit.
pub fn matching(
    translation: &[u64],
    references: &[&[u64]],
    weights: Option<WordWeights<'_>>,
    settings: Settings,
) -> Matching {
    let mut workshop = Workshop::default();
    workshop.grid.lay(translation, references.iter().copied());
    if let Some(WordWeights { words, limits }) = weights {
        workshop.grid.weigh(words, limits[0]);
    }
    let (size, bound, exact) = workshop.size(settings, true);
    let hits =
        (0..translation.len()).flat_map(|row| workshop.grid.hits(row).map(move |column| (row as u32, column as u32)));
    let hits = hits.collect();
    let Workshop { greedy, .. } = workshop;
    let (runs, capped) = exact.map_or((greedy.runs, greedy.capped), |found| (found.runs, found.capped));
    Matching { size, bound, runs, capped, hits }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(translation: &[u64], references: &[&[u64]], exponent: f64, paper: bool) -> f64 {
        matching(translation, references, None, Settings { exponent, paper, effort: None }).size
    }

    #[test]
    fn worked_example_with_weights() {
        let weights = WordWeights { words: &[3.0, 1.0, 1.0, 3.0, 1.0], limits: &[9.0] };
        let settings = Settings { exponent: 2.0, paper: false, effort: None };
        let size = matching(&[1, 2, 3, 1, 2], &[&[1, 2, 9, 1, 2, 3]], Some(weights), settings).size;
        assert!((size * size - 41.0).abs() < 1e-12);
    }

    #[test]
    fn worked_example() {
        let size = size(&[1, 2, 3, 1, 2], &[&[1, 2, 9, 1, 2, 3]], 2.0, false);
        assert!((size * size - 13.0).abs() < 1e-12);
    }

    #[test]
    fn the_paper_deletes_whole_hits() {
        // The mean length is 2.5: two and a half words, or two.
        let (translation, references): (&[u64], [&[u64]; 2]) = (&[1, 2, 3, 4], [&[1, 2, 3], &[4, 9]]);
        assert!((size(translation, &references, 2.0, false) - 2.5).abs() < 1e-12);
        assert!((size(translation, &references, 2.0, true) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn huge_exponents_stay_finite() {
        let words: Vec<u64> = (0..50).collect();
        assert!((size(&words, &[&words], 5000.0, false) - 50.0).abs() < 1e-9);
    }
}
