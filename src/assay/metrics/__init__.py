"""Metrics: one file each. Read ``base.py`` first."""
