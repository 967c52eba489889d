"""Database queries of word alignment: sampled phrase pairs and the verdicts of reviewers."""
