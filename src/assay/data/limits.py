"""How much is read, and which numbers cannot be meant: every limit of the door."""

from __future__ import annotations

#: Files with more bytes stay on disk and are read slice by slice.
LARGE = 64_000_000
#: So many bytes of a large file are checked at a time.
CHUNK = 32_000_000
#: So many bytes tell what a file is.
HEAD = 65_536
#: So many rows of a table are turned into columns at a time: few enough that Python does not go round collecting them.
ROWS = 256
#: No segment, item or place in a text has such a number.
TOO_LARGE = 2**31
#: No test set has more segments: no number alone makes a file longer than that.
SEGMENTS = 10_000_000
#: So many findings of one sort are listed for a file.
LISTED = 100
