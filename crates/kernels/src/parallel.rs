//! Work over segments on a chosen number of threads, with the same result on any number.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Segments that a thread takes at a time: enough to forget the cost of handing them out.
const TASK: usize = 64;

type Pools = Mutex<HashMap<(u32, usize), Arc<ThreadPool>>>;

/// A pool of `helpers` threads, kept for the next call.
///
/// Pools are kept per process: after a fork, the threads of the parent's pool are gone.
fn pool(helpers: usize) -> Arc<ThreadPool> {
    static POOLS: OnceLock<Pools> = OnceLock::new();
    let mut pools = POOLS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(pools.entry((std::process::id(), helpers)).or_insert_with(|| {
        Arc::new(ThreadPoolBuilder::new().num_threads(helpers).build().expect("the operating system gives threads"))
    }))
}

/// Runs `work` on this thread and on `threads - 1` others at once; it must share out what there is to do.
///
/// This thread begins at once, so that short work does not wait for the others to wake.
fn together(threads: usize, work: impl Fn() + Sync) {
    if threads <= 1 {
        return work();
    }
    pool(threads - 1).in_place_scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// The next thing to do, for whichever thread asks first.
fn next<Item>(queue: &Mutex<impl Iterator<Item = Item>>) -> Option<Item> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

/// Fills `rows`, `width` numbers per segment, by calling `fill(scratch, segment, row)`.
///
/// `scratch` is made once per thread by `prepare`: buffers that segments reuse.
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
    let queue = Mutex::new(rows.chunks_mut(width * TASK).enumerate());
    together(threads, || {
        let mut scratch = prepare();
        while let Some((task, chunk)) = next(&queue) {
            for (index, row) in chunk.chunks_exact_mut(width).enumerate() {
                fill(&mut scratch, task * TASK + index, row);
            }
        }
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
    let mut outputs: Vec<Option<Output>> = (0..count.div_ceil(size)).map(|_| None).collect();
    let queue = Mutex::new(outputs.iter_mut().enumerate());
    together(threads, || {
        while let Some((index, output)) = next(&queue) {
            *output = Some(work(index * size..((index + 1) * size).min(count)));
        }
    });
    outputs.into_iter().flatten().collect()
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
