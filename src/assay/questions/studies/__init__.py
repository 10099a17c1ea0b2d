"""Questions about metrics, each answered by a table and a figure on the user's own texts."""
