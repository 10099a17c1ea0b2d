"""Random damage, and the only two ways in which it may end: something sound, or an error that says what is wrong."""
