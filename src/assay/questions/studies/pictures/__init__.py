"""How studies are drawn: a file per figure."""
