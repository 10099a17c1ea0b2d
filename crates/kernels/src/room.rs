//! Memory for large tables, asked for in a way that can fail: Rust ends the process where it cannot have what it needs.
//!
//! Where there is none, the kernel ends, on all of its threads, and [`within`] tells who called it. Buffers that grow with
//! the length of a segment are made here.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// There is not enough memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// What `work` gives, unless memory ran out.
pub fn within<Output>(work: impl FnOnce() -> Output) -> Result<Output, OutOfMemory> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|reason| if reason.is::<OutOfMemory>() { OutOfMemory } else { resume_unwind(reason) })
}

/// Makes room for so many more items.
#[inline]
pub fn reserve<Item>(buffer: &mut Vec<Item>, more: usize) {
    if buffer.try_reserve(more).is_err() {
        resume_unwind(Box::new(OutOfMemory));
    }
}

/// Ends the kernel unless so many bytes can be had, before work that takes them piece by piece and could not be stopped.
pub fn require(bytes: usize) {
    reserve(&mut Vec::<u8>::new(), bytes);
}

/// Fills a buffer with `count` times the same, whatever it held before.
pub fn refill<Item: Clone>(buffer: &mut Vec<Item>, count: usize, item: Item) {
    buffer.clear();
    reserve(buffer, count);
    buffer.resize(count, item);
}

/// `count` times the same.
pub fn filled<Item: Clone>(count: usize, item: Item) -> Vec<Item> {
    let mut buffer = Vec::new();
    refill(&mut buffer, count, item);
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::fill_rows;

    #[test]
    fn what_cannot_be_had_is_told_and_not_the_end() {
        // More than any machine has, and more than a number can say.
        assert_eq!(within(|| filled(1 << 60, 0_u8)), Err(OutOfMemory));
        assert_eq!(within(|| filled(usize::MAX, 0_u64)), Err(OutOfMemory));
        assert_eq!(within(|| require(1 << 60)), Err(OutOfMemory));
        assert_eq!(within(|| filled(3, 7)), Ok(vec![7; 3]));
    }

    #[test]
    fn threads_tell_it_too() {
        let fill = |(): &mut (), segment: usize, _: &mut [f64]| {
            if segment == 999 {
                filled(1 << 60, 0_u8);
            }
        };
        for threads in [1, 3] {
            let mut rows = vec![0.0; 1000];
            assert_eq!(within(|| fill_rows(&mut rows, 1, threads, || (), fill)), Err(OutOfMemory));
        }
    }

    #[test]
    fn other_reasons_to_stop_are_handed_on() {
        let stopped = catch_unwind(|| within(|| resume_unwind(Box::new("another"))));
        assert_eq!(stopped.unwrap_err().downcast_ref(), Some(&"another"));
    }
}
