"""Metrics that learn: features, predictors trained on judgements, and parameters fitted to them."""
