"""Is A really better than B? All pairs of systems, tested on the rows that scoring left."""
