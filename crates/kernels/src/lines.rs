//! Lines of a file: where they begin and end, and whether they are UTF-8.

use memchr::{memchr, memchr_iter};

use crate::room::reserve;

/// What is wrong with a text, and where (line and column count from 1; columns in characters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The byte found there.
    pub byte: u8,
}

/// Where the lines of `buffer` begin and end.
///
/// A line ends at `\n` only; a `\r` right before it belongs to the line end. The last line needs no end.
/// A byte that is not UTF-8, or a NUL, is a [`Flaw`].
///
/// ```
/// let (starts, ends) = assay_kernels::lines::scan(b"one\r\n\ntwo").unwrap();
/// assert_eq!(starts, [0, 5, 6]);
/// assert_eq!(ends, [3, 5, 9]);
/// ```
pub fn scan(buffer: &[u8]) -> Result<(Vec<i64>, Vec<i64>), Flaw> {
    if let Err(error) = simdutf8::compat::from_utf8(buffer) {
        return Err(flaw(buffer, error.valid_up_to()));
    }
    if let Some(position) = memchr(0, buffer) {
        return Err(flaw(buffer, position));
    }
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for bounds in [&mut starts, &mut ends] {
        reserve(bounds, buffer.len() / 64);
    }
    let mut start = 0;
    for newline in memchr_iter(b'\n', buffer) {
        reserve(&mut starts, 1);
        reserve(&mut ends, 1);
        starts.push(start as i64);
        let carriage_return = newline > start && buffer[newline - 1] == b'\r';
        ends.push((newline - usize::from(carriage_return)) as i64);
        start = newline + 1;
    }
    if start < buffer.len() {
        starts.push(start as i64);
        ends.push(buffer.len() as i64);
    }
    Ok((starts, ends))
}

fn flaw(buffer: &[u8], position: usize) -> Flaw {
    let before = &buffer[..position];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let in_line = String::from_utf8_lossy(&buffer[line_start..position]);
    Flaw { line: memchr_iter(b'\n', before).count() + 1, column: in_line.chars().count() + 1, byte: buffer[position] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_feed_ends_a_line() {
        let text = "a\rb\u{2028}c\u{85}d\u{c}e\n".as_bytes();
        assert_eq!(scan(text).unwrap().0.len(), 1);
    }

    #[test]
    fn a_bad_byte_is_named_by_line_and_character() {
        // In "é\xff" the bad byte is the second character, though the third byte.
        let flaw = scan(b"fine\n\xc3\xa9\xff\n").unwrap_err();
        assert_eq!(flaw, Flaw { line: 2, column: 2, byte: 0xff });
    }

    #[test]
    fn a_nul_is_a_flaw() {
        assert_eq!(scan(b"ab\0").unwrap_err(), Flaw { line: 1, column: 3, byte: 0 });
    }

    #[test]
    fn an_empty_file_has_no_lines_and_an_empty_line_counts() {
        assert_eq!(scan(b"").unwrap().0.len(), 0);
        assert_eq!(scan(b"\n").unwrap().0.len(), 1);
    }
}
