"""Measures of reproducibility, and predictions for a repeat of a study."""
