"""Doubt: weights over segments, and what they say about a score. It never sees text."""
