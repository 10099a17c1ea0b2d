"""Formats of synonym dictionaries: one file each, each a function from files to entries."""
