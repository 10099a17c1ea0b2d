"""Features: numbers about one translation, alone and in sets with names, and tables of them."""
