"""Benchmarks: one file per question. ``python -m benchmarks`` answers all of them, with a name only that one."""
