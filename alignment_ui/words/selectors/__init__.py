"""Database queries for word alignment, which read sampled phrase pairs and the verdicts of reviewers."""
