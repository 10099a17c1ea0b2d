"""From strings to token ids: recipes, tokenizers, sequences and batches."""
