"""Is this file sound? Everything that can be found wrong with it, not only the first thing."""
