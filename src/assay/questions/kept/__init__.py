"""Questions about what was kept: a store of runs, and result files."""
