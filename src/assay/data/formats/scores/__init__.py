"""Files of metric scores in and out: mt-metrics-eval's, and tables."""
