"""Learners, one per file: each makes a model that is data out of the training part of a fold."""
