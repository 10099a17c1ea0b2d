"""Judging the judges: how far metrics follow people, and how far people follow each other."""
