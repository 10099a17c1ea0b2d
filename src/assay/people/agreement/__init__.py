"""Can the judges be trusted? Agreement between raters and with themselves, and what normalisation does."""
