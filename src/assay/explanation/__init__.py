"""Why this score? One segment's matches, edits or runs, as data and as pictures."""
