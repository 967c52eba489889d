"""Database queries for word alignment that read sampled phrase pairs and reviewers' verdicts."""
