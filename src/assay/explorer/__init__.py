"""Results and rows, looked at in a browser: one front end that is a page of its own, or alive."""
