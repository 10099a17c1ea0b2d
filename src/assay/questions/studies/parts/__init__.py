"""What several studies share: who takes part, sets of references, judgements that count, recipes."""
