//! Work over segments on a chosen number of threads, with the same result on any number.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Segments that a thread takes at a time: enough to forget the cost of handing them out.
const TASK: usize = 64;

/// Runs `work` on this thread and on `threads - 1` others at once; it must share out what there is to do.
///
/// This thread begins at once, so that short work does not wait for the others. They are made for this call and gone
/// behind it: a pool that is kept has locks, and in a child of a fork nobody would open those that threads of its parent
/// hold. Where the operating system gives no more threads, those that are there do the work.
fn together(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, &work).ok()).collect();
        work();
        for other in others {
            if let Err(panic) = other.join() {
                resume_unwind(panic);
            }
        }
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
    let tasks = rows.len().div_ceil(width * TASK);
    let queue = Mutex::new(rows.chunks_mut(width * TASK).enumerate());
    together(threads.min(tasks), || {
        let mut scratch = prepare();
        while let Some((task, chunk)) = next(&queue) {
            for (index, row) in chunk.chunks_exact_mut(width).enumerate() {
                fill(&mut scratch, task * TASK + index, row);
            }
        }
    });
}

/// The results of `work` on each task, in order.
pub fn map_tasks<Task: Sync, Output: Send>(
    tasks: &[Task],
    threads: usize,
    work: impl Fn(&Task) -> Output + Sync,
) -> Vec<Output> {
    let mut outputs: Vec<Option<Output>> = tasks.iter().map(|_| None).collect();
    let queue = Mutex::new(outputs.iter_mut().zip(tasks));
    together(threads.min(tasks.len()), || {
        while let Some((output, task)) = next(&queue) {
            *output = Some(work(task));
        }
    });
    outputs.into_iter().flatten().collect()
}

/// `0..count` in at most `pieces` consecutive ranges, at least one, none of them small.
pub fn cut(count: usize, pieces: usize) -> impl Iterator<Item = Range<usize>> {
    let size = count.div_ceil(pieces).max(TASK);
    (0..count.div_ceil(size).max(1)).map(move |index| index * size..((index + 1) * size).min(count))
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
        for count in [0, 1, 63, 64, 1000] {
            let ranges: Vec<_> = cut(count, 7).collect();
            assert!((1..=7).contains(&ranges.len()));
            assert_eq!(ranges.into_iter().flatten().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn results_come_in_the_order_of_tasks() {
        let tasks: Vec<usize> = (0..100).collect();
        let squares = |threads| map_tasks(&tasks, threads, |task| task * task);
        assert_eq!(squares(1), squares(4));
        assert!(map_tasks(&[] as &[usize], 4, |task| *task).is_empty());
    }
}
