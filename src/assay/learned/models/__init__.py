"""Models as data: frozen arrays and a formula. To apply one takes numpy and nothing else; to read one runs no code."""
