//! Work over segments on a chosen number of threads, with the same result on any number.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Segments that one task takes at a time: enough to forget the cost of handing them out.
const TASK: usize = 64;

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

/// A pool of `threads` threads, kept for the next call.
///
/// Pools are kept per process: after a fork, the threads of the parent's pool are gone.
fn pool(threads: usize) -> Arc<ThreadPool> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let mut pools = POOLS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(pools.entry((std::process::id(), threads)).or_insert_with(|| {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("the operating system gives threads"))
    }))
}

/// Fills `rows`, `width` numbers per segment, by calling `fill(scratch, segment, row)`.
///
/// `scratch` is made once per task by `prepare`: buffers that segments reuse.
pub fn fill_rows<Scratch>(
    rows: &mut [f64],
    width: usize,
    threads: usize,
    prepare: impl Fn() -> Scratch + Sync,
    fill: impl Fn(&mut Scratch, usize, &mut [f64]) + Sync,
) {
    if width == 0 {
        return;
    }
    if threads <= 1 {
        let mut scratch = prepare();
        for (segment, row) in rows.chunks_exact_mut(width).enumerate() {
            fill(&mut scratch, segment, row);
        }
        return;
    }
    pool(threads).install(|| {
        rows.par_chunks_mut(width * TASK).enumerate().for_each_init(&prepare, |scratch, (task, chunk)| {
            for (index, row) in chunk.chunks_exact_mut(width).enumerate() {
                fill(scratch, task * TASK + index, row);
            }
        });
    });
}

/// The results of `work` on consecutive ranges of `0..count`, in order.
pub fn map_ranges<Output: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Output + Sync,
) -> Vec<Output> {
    if threads <= 1 {
        return vec![work(0..count)];
    }
    // A few ranges per thread even out segments of different length.
    let size = count.div_ceil(threads * 4).max(TASK);
    pool(threads).install(|| {
        (0..count.div_ceil(size))
            .into_par_iter()
            .map(|index| work(index * size..((index + 1) * size).min(count)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_fills_the_same_rows() {
        let fill = |threads| {
            let mut rows = vec![0.0; 2 * 1000];
            fill_rows(
                &mut rows,
                2,
                threads,
                || (),
                |(), segment, row| {
                    row[0] = segment as f64;
                    row[1] = (segment * segment) as f64;
                },
            );
            rows
        };
        assert_eq!(fill(1), fill(2));
        assert_eq!(fill(1), fill(5));
    }

    #[test]
    fn ranges_cover_everything_once_and_in_order() {
        let ranges = map_ranges(1000, 3, |range| range);
        let joined: Vec<usize> = ranges.into_iter().flatten().collect();
        assert_eq!(joined, (0..1000).collect::<Vec<_>>());
    }
}
