"""Models in files: plain data, strictly read, with a card and the signatures of their features."""
