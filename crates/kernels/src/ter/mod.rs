//! TER as `TERcom` or sacreBLEU computes it (Snover et al., 2006): edit distance in which a block of words may move for
//! one edit.
//!
//! From `a b c d e f g` to `a b d c e f g` one block moves, `c`, and nothing else is to be done: one edit.
//!
//! Which blocks may move and in which order they are tried decides what is found, for the search is greedy. The twin in
//! `tests/oracles/ter.py` spells it out, and `tests/oracles/sacrebleu_ter.py` sacreBLEU's, see [`sacrebleu`]. Here the same shifts are found with less work: columns of the table before a
//! block stay as they are, distances are computed bit-parallel, and the table that `TERcom` fills within its beam is
//! filled only where the beam might hide the cheapest way.

mod band;
mod beam;
mod candidates;
mod columns;
mod sacrebleu;
mod script;
mod search;
mod words;

use crate::parallel::fill_rows;
use crate::room::filled;
use crate::sequences::Sequences;
use crate::steps::Step;
pub use script::Block;
pub use search::Search;

/// Whose search it is.
#[derive(Clone, Copy, Debug)]
pub enum Convention {
    /// `TERcom`'s.
    Tercom(Options),
    /// sacreBLEU's, which has limits of its own.
    Sacrebleu,
}

/// What limits `TERcom`'s search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How far above the best of its column a cell of the table may be.
    pub beam: usize,
    /// How many words a block may move.
    pub distance: usize,
    /// How many words a block may have.
    pub size: usize,
}

/// Numbers per row: insertions, deletions, substitutions, shifts, words shifted, and whether the search was cut short.
pub const WIDTH: usize = 6;

/// Six numbers per segment, against one reference.
pub fn translation_edits(
    translations: Sequences<'_>,
    references: Sequences<'_>,
    convention: Convention,
    threads: usize,
) -> Vec<f64> {
    let mut rows = filled(translations.len() * WIDTH, 0.0);
    fill_rows(&mut rows, WIDTH, threads, Search::default, |search, segment, row| {
        search.run(translations.segment(segment), references.segment(segment), convention);
        let count = |wanted| search.steps().iter().filter(|&&step| step == wanted).count() as f64;
        row[0] = count(Step::Insertion);
        row[1] = count(Step::Deletion);
        row[2] = count(Step::Substitution);
        row[3] = search.shifts().len() as f64;
        row[4] = search.shifts().iter().map(|shift| shift.length).sum::<usize>() as f64;
        row[5] = f64::from(u8::from(search.bounded()));
    });
    rows
}

#[cfg(test)]
mod tests;
