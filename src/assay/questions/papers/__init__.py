"""Whole papers, asked of one's own data: one file each. Read ``base.py`` first."""
